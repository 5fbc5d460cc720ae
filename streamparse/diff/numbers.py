"""What the numbers of hunks are worth: those of the other hunks show it.

@@ -10,3 +10,3 @@    found at line 14: four lines off
@@ -30,0 +30,2 @@    only new lines, between two hunks that are as far off: at 34
@@ -50,1 +52,1 @@    found at line 54
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from streamparse.diff.change import index_at
from streamparse.diff.hunk import Hunk
from streamparse.diff.index import FileIndex
from streamparse.diff.match import condensed
from streamparse.diff.place import Place

_WORD = re.compile(r"\w")


@frozen
class Numbered:
    """A hunk with a number: where its changes are, how far off that is, and the places that its number chose from."""

    hunk: Hunk
    place: Place
    offset: int
    choices: Sequence[Place]
    #: Whether its number was wrong, and its heading has chosen instead.
    is_misnumbered: bool = False

    @property
    def number(self) -> int:
        """The line of its header."""
        return self.start - self.offset

    @property
    def start(self) -> int:
        """The line of the file, from 0, where its old lines begin."""
        return self.place.first_line

    @property
    def end(self) -> int:
        """The line behind them."""
        return self.place.following


def common_offset(part: Sequence[Hunk], found: Sequence[Numbered]) -> int | None:
    """How far from their numbers all hunks of a part are that have old lines; `found` are those with a place.

    None if the numbers are worth nothing: one was not found, or they are off here and there, or in another order than
    the hunks; or each has chosen the place of its hunk itself, because the file has such lines elsewhere, too.
    """
    offsets = {one.offset for one in found}
    if len(offsets) != 1 or len(found) != sum(bool(hunk.old) for hunk in part):
        return None
    if all(one.choices for one in found):
        return None
    spans = {one.hunk.number: (one.number, one.number + one.end - one.start) for one in found}
    edges = [edge for hunk in part for edge in spans.get(hunk.number, (hunk.behind, hunk.behind)) if edge is not None]
    return offsets.pop() if edges == sorted(edges) else None


def mismatched(part: Sequence[Hunk]) -> dict[int, int]:
    """Which hunks of a part, with only new lines, have two numbers that do not fit, and what the second should be.

        @@ -3,1 +3,2 @@      one line more
        @@ -9,0 +11,1 @@     behind line 9, which is line 10 by then: the new line is 11

    It may also be as far from that as with the hunk before it, if one between the two was taken out.
    """
    found: dict[int, int] = {}
    added = before = 0
    for hunk in part:
        if hunk.numbers is not None:
            old, new = hunk.numbers
            shift = (new - bool(hunk.new_lines)) - (old - bool(hunk.old)) - added
            if hunk.old:
                before = shift
            elif shift not in (0, before):
                found[hunk.number] = new - shift
        added += len(hunk.new_lines) - len(hunk.old)
    return found


def contradicted(part: Sequence[Hunk], hunks: Sequence[Numbered]) -> list[Numbered]:
    """Those that other hunks of the part show to be perhaps in the wrong place.

    A hunk is a stray if it is not at its number, and before or behind some other hunk although neither their numbers
    nor their order in the patch say so. And one with several places, of which its number has chosen one, is in doubt
    if that number is:

        off here and there      the offsets of the hunks are 0, 4, 0: nothing is shown by them
        late                    by the numbers, hunks are in another order, or have lines in common; or a heading has
                                shown that the number of another hunk is wrong
        misplaced               another hunk, with other old lines, has several places, and its number is none of them
        shared, doubtful        the hunk before or behind it has lines in common with it, or is as far off as it would
                                be at another of its places
    """
    by_number = _misordered(hunks, lambda one: one.number)
    as_written = _misordered(hunks, lambda one: one.hunk.number)
    strays = {at for at in by_number & as_written if hunks[at].offset}
    chosen = [one for one in hunks if one.choices]
    if not chosen or _is_erratic([one.offset for one in hunks]):
        return [one for at, one in enumerate(hunks) if one.choices or at in strays]
    late = by_number | set(_overlapping_numbers(hunks))
    if any(one.is_misnumbered for one in hunks):
        late |= {at for at, one in enumerate(hunks) if not one.is_misnumbered}
    misplaced = {hunk.shape for hunk in part if hunk.is_misplaced}
    found: list[Numbered] = []
    for at, one in enumerate(hunks):
        own = one.hunk.shape
        others = [*hunks[max(0, at - 1) : at], *hunks[at + 1 : at + 2]]
        offsets = {other.offset for other in others} - {one.offset}
        is_shared = any(_overlap(one, other) for other in others)
        is_doubtful = (
            at in late
            or is_shared
            or any(shape != own for shape in misplaced)  # the second at the latest
            or any(index_at(one.choices, one.number + other) is not None for other in offsets)
        )
        if at in strays or (one.choices and is_doubtful):
            found.append(one)
    return found


def swapped(part: Sequence[Hunk], index: FileIndex) -> list[Hunk]:
    """Hunks without numbers in another order than they are written, and not found by a line that shows their place.

    Such a line has a word in it, and the file has it only once. A heading shows it, too.
    """
    placed = [Numbered(hunk, hunk.place, 0, []) for hunk in part if hunk.place is not None and hunk.old]
    found = [placed[at].hunk for at in sorted(_misordered(placed, lambda one: one.hunk.number))]
    bare = [hunk for hunk in found if hunk.near is None and not hunk.headings]
    return [hunk for hunk in bare if not any(index.is_unique(key) for key in condensed(hunk.old) if _WORD.search(key))]


def _is_erratic(offsets: Sequence[int]) -> bool:
    """Whether hunks, in order, are off here and there: the file may have other lines in one place, but not in two."""
    return sum(one != other for one, other in pairwise(offsets)) > 1


def _overlap(one: Numbered, other: Numbered) -> bool:
    """Whether they have lines in common where they were found."""
    return other.start < one.end and one.start < other.end


def _overlapping_numbers(hunks: Sequence[Numbered]) -> Iterator[int]:
    """Which of them would have lines in common with another if the numbers of both were right."""
    last, end = 0, 0  # the one that reaches furthest, and how far
    for at in sorted(range(len(hunks)), key=lambda at: (hunks[at].number, at)):
        one = hunks[at]
        if one.number < end:
            yield from (last, at)
        if one.end - one.offset > end:
            last, end = at, one.end - one.offset


def _misordered(hunks: Sequence[Numbered], key: Callable[[Numbered], int]) -> set[int]:
    """Which of them are before others that have a lower key, or behind some with a higher one.

    With the same key they come as they are written.
    """
    found: set[int] = set()
    order = sorted(range(len(hunks)), key=lambda at: key(hunks[at]))
    for direction in (1, -1):
        furthest: int | None = None
        for at in order[::direction]:
            start = direction * hunks[at].start
            if furthest is not None and start < furthest:
                found.add(at)
            furthest = start if furthest is None else max(furthest, start)
    return found
