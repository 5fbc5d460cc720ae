"""arguments/wrapper.py: what models put around the arguments, and what is an argument of that name."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, StreamingResponseHandler
from streamparse.arguments.wrapper import unwrap
from tests.formats.kit import tool

NAMES = {"a", "city"}


@pytest.mark.parametrize(
    ("arguments", "inner"),
    [
        *(({"arguments": {"a": 1}}, {"a": 1}), ({"input": {"A": 1, "x": 2}}, {"A": 1, "x": 2}), ({"input": {}}, {})),
        *(({"input": {"x": 1}}, None), ({"input": [1]}, None), ({"input": {"a": 1}, "a": 2}, None), ({}, None)),
        *(({"a": {"a": 1}}, None), ({"wrapper": {"a": 1}}, None), ({"input": '{"a": 1}'}, None)),
    ],
)
def test_the_only_argument_is_a_wrapper_if_the_tool_has_none_of_its_name(
    arguments: dict[str, Any], inner: dict[str, Any] | None
) -> None:
    assert unwrap(arguments, NAMES, Limits(), has_texts=False) == (arguments if inner is None else inner)
    assert unwrap(arguments, {*NAMES, "input", "arguments"}, Limits(), has_texts=False) is arguments


@pytest.mark.parametrize(
    ("text", "inner"), [('{"a": 1}', {"a": 1}), ("{}", {}), ("{a}", None), ('{"x": 1}', None), ("[1]", None)]
)
def test_where_values_are_texts_the_text_of_an_object_is_one(text: str, inner: dict[str, Any] | None) -> None:
    arguments = {"input": text}
    assert unwrap(arguments, NAMES, Limits(), has_texts=True) == (arguments if inner is None else inner)


def test_what_may_be_a_wrapper_is_not_shown_before_the_call_has_ended() -> None:
    handler = StreamingResponseHandler("hermes", tools=[tool("f", a="string")])
    seen = []
    for piece in ('<tool_call>{"name": "f", "arguments": {"arguments": {"a": ', '"x"}', ', "b": 1', ', "c": 2}}'):
        (segment,) = {event.segment_id for event in handler.feed(piece)}
        seen.append(handler.partial_arguments(segment))
    assert seen == [{}, {}, {}, {"arguments": {"a": "x"}, "b": 1, "c": 2}]
