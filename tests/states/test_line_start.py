"""states/line_start.py: calls where a line or the reply begins."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, StreamingParser
from streamparse.events import SegmentContent
from tests.formats.kit import call, reasoning, rows, text


@pytest.mark.parametrize("before", ["", "\n", " \t\r\n ", "Hi\n", "Hi\r\n\r\n  ", "a\rb\r", "`code`\n"])
def test_a_call_may_begin_the_reply_or_a_line(before: str) -> None:
    first = [text(before)] if before else []
    assert rows("pythonic", f"{before}[f(a=1)] ok") == [*first, call("f", "a=1"), text(" ok")]


@pytest.mark.parametrize("before", ["Hi ", "- ", "`", "(", "> "])
def test_elsewhere_it_is_text(before: str) -> None:
    assert rows("pythonic", f"{before}[f(a=1)] ok") == [text(f"{before}[f(a=1)] ok")]


def test_behind_reasoning_the_reply_begins() -> None:
    content = "<think>\n[f(a=1)]\n</think>[f(a=2)]"
    assert rows("pythonic", content) == [reasoning("\n[f(a=1)]\n"), call("f", "a=2")]
    assert rows("pythonic", "<think>x</think> [f(a=2)]") == [reasoning("x"), text(" "), call("f", "a=2")]
    content = '<think>x</think>{"name": "f", "parameters": {}}'
    assert rows("llama3_json", content) == [reasoning("x"), call("f", "{}")]


def test_in_reasoning_a_call_begins_a_line_if_there_are_calls_at_all() -> None:
    options = {"config": ParserConfig(tools_in_reasoning=True)}
    content = "<think>\n[f(a=1)]\n<think>[g(a=1)]</think>"
    assert rows("pythonic", content, **options) == [
        reasoning("\n"),
        call("f", "a=1"),
        reasoning("\n<think>[g(a=1)]"),
    ]
    options = {"config": ParserConfig(tools_in_reasoning=True, reasoning="open")}
    assert rows("pythonic", "[f(a=1)]\nx</think>[g()]", **options) == [
        call("f", "a=1"),
        reasoning("\nx"),
        call("g", ""),
    ]


def test_fences_are_parsed_unless_code_is_text() -> None:
    content = "```\n[f(a=1)]\n```\n[g()]"
    assert rows("pythonic", content) == [text("```\n"), call("f", "a=1"), text("\n```\n"), call("g", "")]
    options = {"config": ParserConfig(code="text")}
    assert rows("pythonic", content, **options) == [text("```\n[f(a=1)]\n```\n"), call("g", "")]
    content = "~~~\n[f(a=1)]\n~~~\n  [g()]\n```x``` [g()]"
    assert rows("pythonic", content, **options) == [
        text("~~~\n[f(a=1)]\n~~~\n  "),
        call("g", ""),
        text("\n```x``` [g()]"),
    ]
    content = '```\n{"name": "f", "parameters": {}}\n```\n```\n<|python_tag|>x=1\n```'
    assert rows("llama3_json", content, **options) == [text(content)]


def test_without_calls_all_is_text() -> None:
    options = {"config": ParserConfig(parse_tool_calls=False)}
    assert rows("pythonic", "[f()]\n[f()]", **options) == [text("[f()]\n[f()]")]
    assert rows("auto", "[f()]\n[f()]") == [text("[f()]\n[f()]")]
    bare = '{"name": "f", "parameters": {}}'
    assert rows("auto", bare) == [text(bare)]
    assert rows("llama3_json", bare, **options) == [text(bare)]


def test_only_what_may_be_a_call_is_held() -> None:
    parser = StreamingParser("pythonic")

    def shown(chunk: str) -> str:
        return "".join(event.delta for event in parser.feed(chunk) if isinstance(event, SegmentContent))

    assert shown(" \n") == " \n"
    assert shown("[") == ""
    assert shown("f (") == ""
    assert shown(" ") == ""
    assert shown("x") == ""
    assert shown(",") == "[f ( x,"
    assert shown(" [f(a=") == " [f(a="
    assert shown("\n") == "\n"
    assert shown(" ") == " "
    assert shown("x\n[1") == "x\n[1"


def test_the_end_of_the_stream_is_the_end_of_a_line() -> None:
    assert rows("pythonic", "[f()]") == [call("f", "")]
    assert rows("pythonic", "[f()") == [text("[f()")]
    assert rows("pythonic", "x\n[f(a") == [text("x\n[f(a")]
    assert rows("pythonic", "x\n ") == [text("x\n ")]


def test_several_formats_look_at_one_line() -> None:
    content = '[f()]\n{"name": "f", "parameters": {}}\n<function_calls>g()</function_calls>'
    assert rows(["pythonic", "llama3_json", "olmo3"], content, config=ParserConfig(reasoning="closed")) == [
        call("f", ""),
        text('\n{"name": "f", "parameters": {}}\n'),
        call("g", ""),
    ]
