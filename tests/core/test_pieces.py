"""core/pieces.py: text that comes in pieces, and what is held of it."""

from __future__ import annotations

import pytest

from streamparse import StreamingParser
from streamparse.core.pieces import Pieces
from tests.memory import takes_at_most


def test_what_is_added_is_there_in_order() -> None:
    pieces = Pieces("<")
    added = [f"{number} " for number in range(3000)]
    for piece in added:
        pieces.add(piece)
    assert pieces.text() == pieces.text() == "<" + "".join(added)
    assert Pieces().text() == ""


SIZE = 200_000


@pytest.mark.parametrize(
    ("format", "head", "unit"),
    [
        ("json", '{"arguments": {"a": "', "x"),
        ("json", '{"arguments": [', "1,"),
        ("hermes", '<tool_call>{"arguments": {"a": "', "x"),
    ],
)
def test_a_candidate_takes_as_much_memory_as_it_holds_back(format: str, head: str, unit: str) -> None:
    text = head + unit * (SIZE // len(unit))
    StreamingParser(format).feed(head)  # what is made once is made by now

    def hold() -> None:
        parser = StreamingParser(format)
        assert [event for start in range(0, SIZE, 4) for event in parser.feed(text[start : start + 4])] == []

    assert takes_at_most(2 * SIZE, hold)
