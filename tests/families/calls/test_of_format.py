"""families/calls/of_format.py: what shows that a call has ended, though its JSON has not."""

from __future__ import annotations

import pytest

from streamparse.core.markers import BLANKS, Markers, exact
from streamparse.core.state import BaseState
from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.calls.of_format import CallsOfFormat

CALLS = Calls(BaseState, head=("@f", NAME), tail=("</c>",), sections=(Section(("<s>", "["), ("]", "</s>")),))
ENDS = CallsOfFormat(CALLS, (*CALLS.markers, ("[", BLANKS, "{"), ("{",)), (exact("<eos>"),))


def found(markers: Markers, text: str) -> tuple[int, bool] | None:
    """Where one begins, and whether all of it is there."""
    match = markers.pattern.search(text)
    return match and (match.start(), match.lastindex is not None)


@pytest.mark.parametrize(
    ("text", "end", "doubt"),
    [
        ("a @f g {", (2, True), None),
        ("a <s>[@f g{", (2, True), None),
        ("} @f g {", (2, True), (0, True)),
        ("}]\n<s>[@f g{", (3, True), (1, True)),
        ("a <eos>", (2, True), None),
        ("a </c> b", (2, True), None),
        ("a </s> b", (2, True), None),
        ("a </c> \n@f g{", (2, True), (2, True)),
        ("a </c></s>@f g{", (2, True), (2, True)),
        ("a </s><s>[@f g{", (2, True), (2, True)),
        ("a </c> \n", (2, True), (2, False)),
        ("}@f", (1, False), (0, False)),
        ("a {[{ ]", None, (6, False)),
        ("a {[{ ]a", None, None),
    ],
)
def test_closers_and_tokens_end_a_call_but_only_the_next_call_is_a_doubt(
    text: str, end: tuple[int, bool] | None, doubt: tuple[int, bool] | None
) -> None:
    assert found(ENDS.ends, text) == end
    assert found(ENDS.doubts, text) == doubt


def test_what_comes_next_is_a_token_or_a_call_that_is_more_than_a_bracket() -> None:
    assert ENDS.next == (exact("<eos>"), *CALLS.markers)
