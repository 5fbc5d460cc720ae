"""core/markers.py: a piece of a marker that repeats, cut anywhere."""

from __future__ import annotations

import pytest

from streamparse.core.markers import BLANKS, SOME_BLANKS, Atom, compile_markers, exact, repeated

WORD = Atom("[a-z]{1,3}+")
MARKERS = compile_markers(
    {"m": [("<", repeated((SOME_BLANKS, WORD), (BLANKS, *exact("|C|"), WORD), most=2), BLANKS, ">")]}
)


def look(text: str) -> str | None:
    match = MARKERS.pattern.search(text)
    if match is None:
        return None
    return text[match.start() : match.end()] if match.lastindex else "held " + text[match.start() :]


@pytest.mark.parametrize("marker", ["<>", "<  >", "< a>", "< a bc >", "<|C|x>", "< a |C|bcd>", "<|C|a|C|b>"])
def test_every_beginning_of_it_is_held(marker: str) -> None:
    assert look(f"x{marker}y") == marker
    for length in range(1, len(marker)):
        assert look("x" + marker[:length]) == "held " + marker[:length]


@pytest.mark.parametrize("text", ["<a", "< a b c", "< abcd", "<|c|x>", "<|C|>", "< a b|", "<|C|x|D"])
def test_what_stops_fitting_is_none(text: str) -> None:
    assert look(f"{text} ") is None


def test_nothing_in_it_is_told_apart() -> None:
    assert MARKERS.kinds == (None, "m")
