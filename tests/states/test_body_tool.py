"""states/body_tool.py: tags that are none, among the arguments of a call."""

from __future__ import annotations

import pytest

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
