"""families/xml/body_state.py: tags that are none, among the arguments of a call."""

from __future__ import annotations

import pytest

from streamparse import StreamingResponseHandler, ToolSpec
from streamparse.testing import assert_chunk_invariant, segments


@pytest.mark.parametrize(
    "noise", ["<arg>", "<arg name=x>", '<arg nome="command">', "<arg/>", "<b x>", "<path x>", "a < b", "</arg>", "<1>"]
)
def test_a_tag_that_is_no_argument_is_swallowed_before_the_arguments(noise: str) -> None:
    text = f'<tool name="run_bash">{noise}<arg name="command">ls</arg></tool>.'
    assert segments(assert_chunk_invariant(text)) == [
        *(("run_bash", {"tool_name": "run_bash"}, "ls", {}), ("text", {}, ".", {})),
    ]


def test_a_forgotten_quote_does_not_swallow_the_end_of_the_call() -> None:
    text = '<tool name="run_bash"><arg name="command>ls</arg></tool>.'
    assert segments(assert_chunk_invariant(text)) == [
        ("run_bash", {"tool_name": "run_bash"}, "", {"status": "malformed", "error": "command is missing"}),
        ("text", {}, ".", {}),
    ]


def test_a_late_argument_given_twice_with_two_values_is_malformed() -> None:
    def call(second: str) -> str:
        body = '<arg name="command">ls</arg><arg name="x">1</arg>' + f'<arg name="x">{second}</arg>'
        return f'<tool name="run_bash">{body}</tool>'

    late = {"late": {"x": "1"}}
    assert segments(assert_chunk_invariant(call("1"))) == [("run_bash", {"tool_name": "run_bash"}, "ls", late)]
    assert segments(assert_chunk_invariant(call("2"))) == [
        (
            "run_bash",
            {"tool_name": "run_bash"},
            "ls",
            {"status": "malformed", "error": "x is given twice", **late},
        )
    ]


def test_a_tool_may_call_its_body_otherwise() -> None:
    tools = [ToolSpec("save", kind="write_file", body="text"), ToolSpec("sh", kind="run_bash", body="line")]
    text = '<tool name="save"><path>p</path><text>hello</text></tool><tool name="sh"><line>ls</line></tool>'
    assert segments(assert_chunk_invariant(text, tools=tools)) == [
        ("write_file", {"tool_name": "save", "path": "p"}, "hello", {}),
        ("run_bash", {"tool_name": "sh"}, "ls", {}),
    ]
    missing = '<tool name="sh"><command>ls</command></tool>'
    end = {"status": "malformed", "error": "line is missing", "late": {"command": "ls"}}
    assert segments(assert_chunk_invariant(missing, tools=tools)) == [("run_bash", {"tool_name": "sh"}, "", end)]


def test_a_second_value_with_tags_in_it_does_not_replace_the_first() -> None:
    body = '<arg name="x"><item>1</item></arg><x><item>1</item></x><arg name="command">ls</arg>'
    handler = StreamingResponseHandler("xml")
    handler.feed(f'<tool name="run_bash">{body}</tool>')
    assert handler.invocations[0].arguments == {"x": ["1"], "command": "ls"}
    twice = '<arg name="x"><b>1</b></arg><x><b>1</b></x><arg name="command">ls</arg>'
    handler.feed(f'<tool name="run_bash">{twice}</tool>')
    assert handler.invocations[1].arguments == {"x": "<b>1</b>", "command": "ls"}
