"""families/literals/state.py: where the arguments of a call end that are literals."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, StreamingParser
from streamparse.events import SegmentContent
from tests.formats.kit import call, calls, errors, rows, text

CLOSED = {"config": ParserConfig(reasoning="closed")}
MISSING = {"status": "malformed", "error": "the ')' behind the arguments is missing"}


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        " a = 1 ",
        "a=')', b=\"(\"",
        "a='it\\'s )', b='\\\\'",
        "a='''it's ) '' ''', b=\"\"\"\"\\\"\"\"\"",
        "a='', b=\"\", c=''",
        "a=((1, 2), {'b': [(3)]})",
        "a='</function_calls>', b='<|im_end|>'",
        "a='x\ny\r\n', b=r'\\d'",
        "a=[1}, b={2]",  # other brackets are not followed
        "a=1 < 2 </func",
    ],
)
def test_the_content_is_what_stands_between_the_brackets(arguments: str) -> None:
    found = rows("olmo3", f"<function_calls>f({arguments})\ng()</function_calls>.", **CLOSED)
    assert found == [call("f", arguments), call("g", ""), text(".")]


@pytest.mark.parametrize(
    "arguments", ['a:<|"|>}<tool_call|>{<|"|>,b:{c:[{}]}', 'a:<|"|><|"<|"|>', "a:<|, b:<t", 'a:<|"|><|"|>']
)
def test_quotes_that_are_tokens(arguments: str) -> None:
    assert rows("gemma4", f"<|tool_call>call:f{{{arguments}}}<tool_call|>.") == [call("f", arguments), text(".")]


def test_a_marker_outside_of_strings_ends_a_call_whose_bracket_is_missing() -> None:
    found = rows("olmo3", "<function_calls>f(a=(1)</function_calls> ok", **CLOSED)
    assert found == [call("f", "a=(1)", **MISSING), text(" ok")]
    assert errors("olmo3", "<function_calls>f(</function_calls>", **CLOSED) == [MISSING["error"]]


@pytest.mark.parametrize(
    "cut", ["a='x", "a='x\\", "a='''x''", "a=''", "a=(1", "a=1 </function_c", "a='</function_calls>"]
)
def test_a_call_without_its_bracket_is_truncated(cut: str) -> None:
    found = rows("olmo3", f"<function_calls>f({cut}", **CLOSED)
    assert found == [call("f", cut, status="truncated")]


def test_two_calls_of_one_function_stay_two() -> None:
    content = "<function_calls>f(a=1)\nf(a=1), f(a=2)</function_calls>"
    assert calls("olmo3", content, **CLOSED) == [
        ("f", {"a": 1}, "complete"),
        ("f", {"a": 1}, "complete"),
        ("f", {"a": 2}, "complete"),
    ]


def test_behind_the_last_call_all_is_text() -> None:
    assert rows("olmo3", "<function_calls>f()\n and g", **CLOSED) == [call("f", ""), text("\n and g")]
    assert rows("olmo3", "<function_calls>f()\n g", **CLOSED) == [call("f", ""), text("\n g")]


def shown(parser: StreamingParser, chunk: str) -> str:
    return "".join(event.delta for event in parser.feed(chunk) if isinstance(event, SegmentContent))


def test_content_is_shown_at_once_even_if_it_is_half_a_quote() -> None:
    parser = StreamingParser("gemma4")
    assert shown(parser, "<|tool_call>call:f{a:<") == "a:"  # may be the closer
    assert shown(parser, "|") == ""  # may be the next call
    assert shown(parser, '"|>x<|') == '<|"|>x<|'
    assert shown(parser, '"|>') == '"|>'
    assert shown(parser, "<tool_call|") == ""
    assert shown(parser, ",") == "<tool_call|,"
    parser = StreamingParser("lfm2")
    assert shown(parser, "<|tool_call_start|>[f(a='") == "a='"
    assert shown(parser, "'") == "'"
    assert shown(parser, "'\\") == "'\\"
    assert shown(parser, "'x''") == "'x''"
    assert shown(parser, "'<") == "'"
