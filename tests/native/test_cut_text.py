"""A call in the text of a reply that the provider has cut off: it is complete if its own end was seen."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, StreamingResponseHandler, ToolInvocation, ToolSpec, formats
from tests.formats.open.kit import THERE

CONFIG = ParserConfig(reasoning="closed")
TOOLS = [ToolSpec("write_file", {"type": "object", "properties": {"path": {}, "content": {}}})]
#: How many characters a prefix lacks at most: enough for one that has all of its arguments and none of its closers.
MOST = 24


def read(format: str, text: str, *finish: Any) -> list[ToolInvocation]:
    handler = StreamingResponseHandler(format, tools=TOOLS, config=CONFIG)
    for chunk in ({"choices": [{"delta": {"content": text}}]}, *finish):
        handler.feed(chunk)
    handler.finalize()
    return handler.invocations


LENGTH = {"choices": [{"delta": {}, "finish_reason": "length"}]}


@pytest.mark.parametrize("format", [*THERE, "xml", "json", "sentinel", "cline"])
def test_a_call_whose_end_was_seen_is_complete_however_the_reply_ended(format: str) -> None:
    whole = formats.get(format).render_call("write_file", {"path": "a", "content": "x"}, tools=TOOLS)
    for size in range(len(whole), max(0, len(whole) - MOST), -3):
        calls = [(call.arguments, "truncated" if call.repaired else call.status) for call in read(format, whole[:size])]
        cut = [(call.arguments, call.status) for call in read(format, whole[:size], LENGTH)]
        assert cut == calls, whole[:size]
        assert size < len(whole) or [status for _, status in cut] == ["complete"]


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("xml", '<tool name="q"><x>1</tool>'),
        ("cline", "<read_file><path>a</read_file>"),
        ("qwen3_coder", "<tool_call>\n<function=f>\n<parameter=a>\nx\n</function>\n</tool_call>"),
    ],
)
def test_an_end_that_is_only_presumed_is_none_in_a_reply_that_was_cut(format: str, text: str) -> None:
    """The closer may be data of an argument that would have gone on."""
    handler = StreamingResponseHandler(format)
    handler.feed(text)
    handler.finalize()
    assert [(call.status, call.repaired) for call in handler.invocations] == [("complete", True)]
    cut = StreamingResponseHandler(format)
    cut.feed({"choices": [{"delta": {"content": text}}]})
    cut.feed(LENGTH)
    cut.finalize()
    assert [(call.status, call.repaired) for call in cut.invocations] == [("truncated", False)]
