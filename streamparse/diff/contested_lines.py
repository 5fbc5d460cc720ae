"""Lines that wait for their block: several blocks may get them, or one block may get others.

a / b / a       a block with the old line `a` waits for line 1 or 3: a later block with one of them, too
"""

from __future__ import annotations

from collections.abc import Sequence

from streamparse.diff.place import Place


class ContestedLines:
    """A set of lines and of the points between them, one byte each, so that thousands of blocks can be asked about.

    Byte 2 n is the point before line n, and byte 2 n + 1 the line.
    """

    def __init__(self, size: int) -> None:
        self._size = 2 * size + 1
        self._marks = bytearray()

    def add(self, places: Sequence[Place]) -> None:
        """All of the places, which are in order; those that overlap cost no more than the lines they cover."""
        self._marks = self._marks or bytearray(self._size)
        behind = 0
        for place in places:
            start, end = _span(place)
            start = min(end, max(start, behind))
            self._marks[start:end] = b"\1" * (end - start)
            behind = end

    def touch(self, place: Place) -> bool:
        """Whether one of them is in `place`."""
        return self._marks.find(1, *_span(place)) >= 0


def _span(place: Place) -> tuple[int, int]:
    """Lines and the points between them, or the point at which something is inserted."""
    start, end = 2 * place.start, 2 * place.end
    return (start, start + 1) if start == end else (start + 1, end)
