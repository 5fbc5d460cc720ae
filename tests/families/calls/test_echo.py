"""families/calls/echo.py: calls that the model writes twice."""

from __future__ import annotations

import pytest

from streamparse import StreamingParser
from streamparse.testing import normalize, segments
from tests.formats.kit import call, rows, text

START, END = "<|tool_call_start|>", "<|tool_call_end|>"


@pytest.mark.parametrize("section", ["[f(a=1), g(b='x]')]", " [ f(a=1) , g(b='x]') ] "])
def test_an_echo_is_swallowed(section: str) -> None:
    made = [call("f", "a=1"), call("g", "b='x]'")]
    assert rows("lfm2", f"{START}{section}{END}{section}{END} ok") == [*made, text(" ok")]
    assert rows("lfm2", f"{START}{section}{END}{section}{END}{section}") == [*made, text(section)]


def test_an_echo_of_json_is_swallowed() -> None:
    section = '[{"name": "f", "arguments": {"a": 1}}]'
    assert rows("lfm2", f"{START}{section}{END}{section}{END} ok") == [call("f", '{"a": 1}'), text(" ok")]


@pytest.mark.parametrize("echo", ["[f(a=2)]", " [f(a=1)]", "[f(a=1)", "[f(a=1)] "])
def test_what_is_not_the_same_is_text(echo: str) -> None:
    assert rows("lfm2", f"{START}[f(a=1)]{END}{echo}{END} ok") == [call("f", "a=1"), text(f"{echo} ok")]


@pytest.mark.parametrize("rest", ["[f(a=1)]", "[f(a", "[f(a=1)]<|tool_call_en", "x", ""])
def test_an_echo_without_its_end_is_text(rest: str) -> None:
    left = [text(rest)] if rest else []
    assert rows("lfm2", f"{START}[f(a=1)]{END}{rest}") == [call("f", "a=1"), *left]


def test_the_next_section_is_no_echo() -> None:
    section = f"{START}[f(a=1)]{END}"
    assert rows("lfm2", section * 2) == [call("f", "a=1")] * 2
    assert rows("lfm2", f"{START}[f(a=1)] [f(a=1)]{END}") == [call("f", "a=1"), text(" [f(a=1)]")]


@pytest.mark.parametrize(("size", "is_known"), [(4_096, True), (4_097, False), (9_000, False)])
@pytest.mark.parametrize("step", [1, 4, 1_000, 1_000_000])
def test_only_so_much_is_kept_to_know_it_again(size: int, is_known: bool, step: int) -> None:
    value = "x" * (size - len(f"{START}[f(a='')]{END}"))
    section = f"[f(a='{value}')]{END}"
    content = f"{START}{section}{section} ok"
    parser = StreamingParser("lfm2")
    events = [event for at in range(0, len(content), step) for event in parser.feed(content[at : at + step])]
    rest = " ok" if is_known else f"[f(a='{value}')] ok"
    assert segments(normalize(events + parser.finalize())) == [call("f", f"a='{value}'"), text(rest)]
