"""families/calls/missing_end.py: a call without its end is complete only in a reply that came to its own end.

What else it needs is in the corpus, in `missing_end.toml` of each format.
"""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import StreamingResponseHandler
from tests.formats import kit

TOOLS = [
    kit.tool("f", a="string"),
    kit.tool("run_bash", command="string"),
    kit.tool("write_file", path="string", content="string"),
]
FILE = {"path": "p", "content": "x"}
#: A format, a call without its end, and its arguments.
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("qwen3_coder", "<tool_call><function=f><parameter=a>1</parameter>", {"a": "1"}),
    ("xml", '<tool name="f"><arg name="a">1</arg>', {"a": "1"}),
    ("xml", '<tool name="run_bash"><command>ls</command>', {"command": "ls"}),
    ("xml", '<tool name="write_file"><path>p</path><content>x</content>', FILE),
    ("cline", "<f><a>1</a>", {"a": "1"}),
    ("cline", "<write_file><path>p</path><content>x</content>", FILE),
    ("roo", "<run_bash><command>ls</command>", {"command": "ls"}),
]


@pytest.mark.parametrize(("format", "text", "arguments"), CALLS)
def test_it_is_not_complete_in_a_reply_that_was_aborted(format: str, text: str, arguments: dict[str, Any]) -> None:
    handler = StreamingResponseHandler(format, tools=TOOLS)
    handler.feed(text)
    handler.abort("timeout")
    (made,) = handler.invocations
    assert (made.status, made.repaired, made.error) == ("truncated", False, "the reply was cut off: timeout")
    assert made.arguments == arguments


@pytest.mark.parametrize(("reason", "status"), [("length", "truncated"), ("stop", "complete")])
@pytest.mark.parametrize(("format", "text", "arguments"), CALLS)
def test_why_the_reply_ended_decides_whether_it_is_complete(
    format: str, text: str, arguments: dict[str, Any], reason: str, status: str
) -> None:
    handler = StreamingResponseHandler(format, tools=TOOLS)
    handler.feed({"choices": [{"index": 0, "delta": {"content": text}}]})
    handler.feed({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    handler.finalize()
    (made,) = handler.invocations
    assert (made.status, made.repaired, made.arguments) == (status, status == "complete", arguments)
