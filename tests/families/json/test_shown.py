"""families/json/shown.py: a value that is shown as it comes, and what is held of it."""

from __future__ import annotations

import pytest

from streamparse import StreamingParser
from streamparse.events import SegmentContent


def shown(parser: StreamingParser, chunk: str) -> str:
    return "".join(event.delta for event in parser.feed(chunk) if isinstance(event, SegmentContent))


def test_only_what_may_begin_a_call_is_held_in_a_string() -> None:
    parser = StreamingParser("mistral")
    assert shown(parser, '[TOOL_CALLS]f{"a": "x [') == '{"a": "x ['
    assert shown(parser, "b] [TOOL_") == "b"
    assert shown(parser, "CALLS] ") == ""
    assert shown(parser, "\n" * 99) == ""
    assert shown(parser, "/ [y") == "] [TOOL_CALLS] " + "\n" * 99 + "/ [y"
    assert shown(parser, "][TOOL_CALLS]g{ and so on") == ""
    assert shown(parser, '" ') == ""
    assert shown(parser, "}") == '][TOOL_CALLS]g{ and so on" }'


def test_blanks_in_what_may_end_a_call_are_not_looked_at_again() -> None:
    parser = StreamingParser("mistral")
    parser.feed('[TOOL_CALLS]f{"a": 1 [TOOL_CALLS] ')
    for _ in range(1000):
        assert parser.feed("  \n ") == []
    assert parser._scanner.buf == "[TOOL_CALLS] "  # the others are set aside
    assert shown(parser, "]") == "[TOOL_CALLS] " + "  \n " * 1000 + "]"


@pytest.mark.parametrize(
    ("format", "written", "marker"),
    [
        ("hermes", '<tool_call>{"name": "f", "x": [1 ', "<tool_call> "),
        ("hermes", '<tool_call>{"arguments": [1 ', "<tool_call> "),
        ("hermes", '<tool_call>{"name": "f", oops ', "<tool_call> "),
        (
            "kimi_k2",
            '<|tool_call_begin|>0<|tool_call_argument_begin|>{"a": 1 ',
            "<|tool_calls_section_begin|> ",
        ),
        ("json", '[{"name": "f", "arguments": {}', "] "),
        ("phi4", 'functools[{"name": "f", "arguments": {}', "] "),
    ],
)
def test_nor_are_those_in_a_value_that_is_held_or_broken(format: str, written: str, marker: str) -> None:
    parser = StreamingParser(format, tools=[{"name": "f"}])
    parser.feed(written + marker)
    for _ in range(1000):
        assert parser.feed("  \n ") == []
    assert parser._scanner.buf == marker
