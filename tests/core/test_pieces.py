"""core/pieces.py: text that comes in pieces, and what is held of it."""

from __future__ import annotations

from streamparse import StreamScanner
from streamparse.core.pieces import Pieces
from tests.memory import takes_at_most


def test_what_is_added_is_there_in_order() -> None:
    pieces = Pieces("<")
    added = [f"{number} " for number in range(3000)]
    for piece in added:
        pieces.add(piece)
    assert pieces.text() == pieces.text() == "<" + "".join(added)
    assert Pieces().text() == ""


def test_what_is_held_takes_as_much_memory_as_it_is_long() -> None:
    count = 20_000

    def hold() -> None:
        scanner = StreamScanner()
        scanner.hold()
        for number in range(count):
            scanner.buf += f"{number:05}"
            scanner.pos = len(scanner.buf)
            scanner.compact()
        assert len(scanner.held()) == 5 * count

    assert takes_at_most(4 * 5 * count, hold)  # the text, its copy, and what is not joined yet
