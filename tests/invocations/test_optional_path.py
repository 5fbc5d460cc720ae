"""A tool whose schema requires its body but not its path: a patch may name its files itself."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ToolInvocation, ToolSpec, formats, parse

PROPERTIES = {"patch": {"type": "string"}, "path": {"type": "string"}}
OPTIONAL = ToolSpec("patch_file", {"type": "object", "properties": PROPERTIES, "required": ["patch"]})
REQUIRED = ToolSpec("patch_file", {"type": "object", "properties": PROPERTIES, "required": ["patch", "path"]})
UNDECIDED = ToolSpec("patch_file", {"type": "object", "properties": PROPERTIES})
TEXTS = {
    "hermes": '<tool_call>\n{"name": "patch_file", "arguments": {"patch": "x"}}\n</tool_call>',
    "xml": '<tool name="patch_file"><arg name="patch">x</arg></tool>',
    "qwen3_coder": "<tool_call>\n<function=patch_file>\n<parameter=patch>\nx\n</parameter>\n</function>\n</tool_call>",
    "cline": "<patch_file>\n<patch>x</patch>\n</patch_file>",
}
CALL = {"index": 0, "id": "a", "function": {"name": "patch_file", "arguments": '{"patch": "x"}'}}


def only_call(format: str, tool: ToolSpec) -> ToolInvocation:
    native = {"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}]}
    stream: list[Any] = [native] if format == "native" else list(TEXTS[format])
    [call] = [
        item for item in parse(stream, format, tools=[tool], invocations=True) if isinstance(item, ToolInvocation)
    ]
    return call


@pytest.mark.parametrize("format", [*TEXTS, "native"])
def test_a_path_that_need_not_be_there_is_not_missed(format: str) -> None:
    call = only_call(format, OPTIONAL)
    assert (call.status, call.error, call.arguments) == ("complete", None, {"patch": "x"})
    for tool in (REQUIRED, UNDECIDED):
        call = only_call(format, tool)
        assert (call.status, call.error) == ("malformed", "path is missing")


@pytest.mark.parametrize("format", ["hermes", "qwen3_coder", "cline"])
def test_a_call_without_it_can_be_written(format: str) -> None:
    text = formats.get(format).render_call("patch_file", {"patch": "x"}, tools=[OPTIONAL])
    [call] = [
        item for item in parse(text, format, tools=[OPTIONAL], invocations=True) if isinstance(item, ToolInvocation)
    ]
    assert (call.status, call.arguments) == ("complete", {"patch": "x"})
