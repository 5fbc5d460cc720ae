"""What the numbers of hunks are worth: those of the other hunks show it.

@@ -10,3 +10,3 @@    found at line 14: four lines off
@@ -30,0 +30,2 @@    only new lines, between two hunks that are as far off: at 34
@@ -50,1 +52,1 @@    found at line 54
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from streamparse.diff.hunk import Hunk, first_line
from streamparse.diff.place import Place


class Offsets:
    """How far from their own numbers the hunks of a patch were found, by which of the hunks they are."""

    def __init__(self, offsets: dict[int, int]) -> None:
        self._hunks = sorted(offsets)
        self._offsets = [offsets[number] for number in self._hunks]
        self._counts = Counter(self._offsets)
        self._is_erratic = _is_erratic(self._offsets)

    @property
    def has_any(self) -> bool:
        """Whether one was found elsewhere than it says."""
        return any(self._offsets)

    def confirmed(self, number: int, *, is_at_top: bool) -> int | None:
        """How far off that hunk is, if those next to it agree: they are at their own numbers, or as far off.

        Then several must be, and one of them before it, or the lines that are too many may be behind it. Before all
        others it is at its own number, if they all are. What is to be the top of the file is not anywhere else.
        """
        at = bisect_left(self._hunks, number)
        if self._is_erratic:
            return None
        nearest = set(self._offsets[max(0, at - 1) : at + 1])
        offset = nearest.pop() if len(nearest) == 1 else None
        if at == 0:
            return None if self.has_any else offset
        is_carried = offset is not None and self._counts[offset] > 1 and not is_at_top
        return offset if offset == 0 or is_carried else None


@frozen
class Numbered:
    """A hunk with a number: where its changes are, how far off that is, and the places that its number chose from."""

    hunk: Hunk
    place: Place
    offset: int
    choices: list[Place]

    @property
    def number(self) -> int:
        """The line of its header."""
        return self.start - self.offset

    @property
    def start(self) -> int:
        """The line of the file, from 0, where its old lines begin."""
        return first_line(self.place)

    @property
    def end(self) -> int:
        """The line behind them."""
        return max((origin + 1 for origin in self.place.origins if origin is not None), default=self.place.end)


def contradicted(hunks: Sequence[Numbered]) -> list[Numbered]:
    """Those that their numbers have placed, and other hunks show that the numbers may be wrong.

    These are in another order than their numbers, or off here and there, or those next to it are as far off as another
    of the places is, or have lines in common with it, where both were found or by both numbers.
    """
    chosen = [one for one in hunks if one.choices]
    if not chosen or _is_erratic([one.offset for one in hunks]):
        return chosen
    late = set(_out_of_order(hunks, 1)) | set(_out_of_order(hunks, -1))
    found: list[Numbered] = []
    for at, one in enumerate(hunks):
        others = [*hunks[max(0, at - 1) : at], *hunks[at + 1 : at + 2]]
        offsets = {other.offset for other in others} - {one.offset}
        is_shared = any(_overlap(one, other) for other in others)
        if one.choices and (at in late or is_shared or any(_has(one.choices, one.number + other) for other in offsets)):
            found.append(one)
    return found


def _is_erratic(offsets: Sequence[int]) -> bool:
    """Whether hunks, in order, are off here and there: the file may have other lines in one place, but not in two."""
    return sum(one != other for one, other in pairwise(offsets)) > 1


def _overlap(one: Numbered, other: Numbered) -> bool:
    """Whether they have lines in common where they were found, or would have if both numbers were right."""
    return any(
        other.start - theirs < one.end - ours and one.start - ours < other.end - theirs
        for ours, theirs in ((0, 0), (one.offset, other.offset))
    )


def _out_of_order(hunks: Sequence[Numbered], direction: int) -> Iterator[int]:
    """Which of them are before others that have lower numbers; or, in the other direction, behind with higher ones.

    With the same number they come as they are written.
    """
    furthest: int | None = None
    for at in sorted(range(len(hunks)), key=lambda at: (hunks[at].number, at), reverse=direction < 0):
        start = direction * hunks[at].start
        if furthest is not None and start < furthest:
            yield at
        furthest = start if furthest is None else max(furthest, start)


def _has(places: list[Place], line: int) -> bool:
    """Whether one of the places, which are in order, begins there."""
    at = bisect_left(places, line, key=first_line)
    return at < len(places) and first_line(places[at]) == line
