"""families/json/bare_state.py: an object that begins the reply may be a call."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig, StreamingParser
from streamparse.events import SegmentContent
from tests.formats.kit import call, errors, rows, text


@pytest.mark.parametrize(
    ("content", "name", "arguments"),
    [
        ('{"name": "f", "parameters": {"a": 1}}', "f", '{"a": 1}'),
        ('{ "arguments" : {"a": "}"} , "name" : "f" }', "f", '{"a": "}"}'),
        ('{"type": "function", "name": "f", "parameters": {}}', "f", "{}"),
        ('{"type": "function", "function": "f", "parameters": {}}', "f", "{}"),
        ('{"name": "f", "parameters": {}, "anything": [1]}', "f", "{}"),
        ('{"id": null, "index": 0, "name": "f", "parameters": [1]}', "f", "[1]"),
        ('{"name": "f", "parameters": "{}"}', "f", '"{}"'),
    ],
)
def test_a_call(content: str, name: str, arguments: str) -> None:
    assert rows("llama3_json", f"{content} ok") == [call(name, arguments), text(" ok")]


@pytest.mark.parametrize(
    "content",
    [
        '{"name": "Bob", "age": 3}',
        '{"name": "Bob"}',
        '{"name": ["Bob"], "parameters": {}}',
        '{"name": {"first": "Bob"}}',
        '{"parameters": {"a": 1}}',
        '{"age": 3, "name": "f", "parameters": {}}',
        '{"a": 1}',
        '{"name" "f"}',
        '{"name": "f" "parameters": {}}',
        '{"name": , "parameters": {}}',
        '{"type": "x", b}',
        "{}",
        "{ x",
        '{"' + "name" * 300 + '": 1}',
        '{"name": "f", "parameters"',
        '{"name": "f"',
    ],
)
def test_all_else_is_text(content: str) -> None:
    assert rows("llama3_json", content) == [text(content)]


def test_only_the_beginning_of_the_reply_counts() -> None:
    content = 'See\n{"name": "f", "parameters": {}}'
    assert rows("llama3_json", content) == [text(content)]


def test_several_calls() -> None:
    content = '{"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}\n{"name": "h", "parameters": {}};'
    assert rows("llama3_json", content) == [call("f", "{}"), call("g", "{}"), call("h", "{}"), text(";")]


@pytest.mark.parametrize("rest", ['; {"a": 1}', "\n{ }", "; x", ' {"name": "g"} ; ', '; {"arguments": {}, "nam'])
def test_nothing_between_a_call_and_an_object_that_is_none_is_lost(rest: str) -> None:
    assert rows("llama3_json", '{"name": "f", "parameters": {}}' + rest) == [call("f", "{}"), text(rest)]


def test_a_call_that_breaks_is_malformed() -> None:
    content = '{"name": "f", "parameters": {"a": 1}, oops<|eom_id|> ok'
    broken = call(
        "f", '{"a": 1}, oops', status="malformed", error="the call is not JSON: a key in double quotes was expected"
    )
    assert rows("llama3_json", content) == [broken, text(" ok")]
    assert rows("llama3_json", '{"name": "f", "parameters": {"a": ') == [call("f", '{"a": ', status="truncated")]


def test_without_arguments_only_a_declared_tool_is_called() -> None:
    tools: list[Any] = [{"name": "F", "parameters": {}}]
    assert rows("llama3_json", '{"name": "f"}', tools=tools) == [call("f", "")]
    assert rows("llama3_json", '{"name": "g"}', tools=tools) == [text('{"name": "g"}')]
    assert errors("llama3_json", '{"name": "f"}', tools=tools) == [None]


def test_what_takes_too_long_is_text() -> None:
    options = {"config": ParserConfig(limits=Limits(max_held=20))}
    content = '{"arguments": {"a": 1}, "name": "f"}'
    assert rows("llama3_json", content, **options) == [text(content)]


def test_an_object_is_held_while_it_may_be_a_call() -> None:
    parser = StreamingParser("llama3_json")

    def shown(chunk: str) -> str:
        return "".join(event.delta for event in parser.feed(chunk) if isinstance(event, SegmentContent))

    assert shown(' {"name": "Bob", ') == " "
    assert shown('"a') == ""
    assert shown("ge") == '{"name": "Bob", "age'
