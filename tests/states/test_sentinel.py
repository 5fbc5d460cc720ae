"""states/sentinel.py: what the corpus cannot say: registered types, and the invocations."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import DelimitedState, StreamingResponseHandler, ToolInvocation, ToolStateRegistry
from streamparse.testing import assert_chunk_invariant, segments


class ChartState(DelimitedState):
    segment_type = "chart"


def invocations(text: str) -> list[ToolInvocation]:
    handler = StreamingResponseHandler("sentinel")
    handler.feed(text)
    handler.finalize()
    return handler.invocations


def test_the_types_of_registered_states_are_known() -> None:
    registry = ToolStateRegistry()
    registry.register("draw", ChartState)
    text = '[[SEG_START {"type": "chart", "kind": "bar", "n": [1, null]}]]1 2[[SEG_END]]'
    events = assert_chunk_invariant(text, "sentinel", registry=registry)
    assert segments(events) == [("chart", {"kind": "bar", "n": [1, None]}, "1 2", {})]
    assert segments(assert_chunk_invariant(text, "sentinel")) == [("text", {}, text, {})]


@pytest.mark.parametrize("field", ['"tool_name": 5', '"tool_name": null', '"tool_name": {}'])
def test_a_name_that_is_no_text_makes_a_bad_header(field: str) -> None:
    text = f'[[SEG_START {{"type": "tool_call", {field}}}]]x[[SEG_END]]'
    assert segments(assert_chunk_invariant(text, "sentinel")) == [("text", {}, text, {})]


def test_a_header_may_be_as_deep_as_the_limit_whatever_the_stack() -> None:
    def text(depth: int) -> str:
        return f'[[SEG_START {{"type": "run_bash", "a": {"[" * depth}{"]" * depth}}}]]x[[SEG_END]]'

    assert [kind for kind, *_ in segments(StreamingResponseHandler("sentinel").feed(text(511)))] == ["run_bash"]
    handler = StreamingResponseHandler("sentinel")
    events = handler.feed(text(512)) + handler.finalize()
    assert [kind for kind, *_ in segments(events)] == ["text"]


@pytest.mark.parametrize(
    ("header", "body", "arguments", "status", "error"),
    [
        (', "arguments": {"a": 1}', "", {"a": 1}, "complete", None),
        ("", '{"a": "5"}', {"a": "5"}, "complete", None),
        ("", " \n", {}, "complete", None),
        (', "arguments": {"a": 1}', '{"b": 2}', {"a": 1, "b": 2}, "complete", None),
        (', "mode": "x"', '{"a": 1}', {"mode": "x", "a": 1}, "complete", None),
        (', "arguments": {"a": 1}', '{"a": 2}', {"arguments": {"a": 1}}, "malformed", "a is given twice"),
        ("", "[1]", {}, "malformed", "arguments must be a JSON object, not a list"),
        ("", '"{}"', {}, "complete", None),
        ("", "5", {}, "malformed", "arguments must be a JSON object, not a number"),
        ("", "[[[", {}, "malformed", "the arguments are not JSON: Expecting value: line 1 column 4 (char 3)"),
        ("", "[" * 600, {}, "malformed", "the arguments are nested too deeply"),
        (', "arguments": 5', "", {"arguments": 5}, "malformed", "arguments must be a JSON object, not a number"),
    ],
)
def test_arguments_are_in_the_header_or_in_the_body(
    header: str, body: str, arguments: Any, status: str, error: str | None
) -> None:
    (invocation,) = invocations(f'[[SEG_START {{"type": "tool_call", "tool_name": "f"{header}}}]]{body}[[SEG_END]]')
    assert (invocation.name, invocation.arguments, invocation.status, invocation.error) == (
        *("f", arguments, status, error),
    )


@pytest.mark.parametrize("body", ['{"a": 1}', '{"a": 1, "b": 2', '{"a": 1, "b": "x', '{"a": 1, "b": [2, '])
def test_a_body_that_is_cut_off_has_the_arguments_that_were_complete(body: str) -> None:
    (invocation,) = invocations('[[SEG_START {"type": "tool_call", "tool_name": "f"}]]' + body)
    assert (invocation.arguments, invocation.status) == ({"a": 1}, "truncated")
