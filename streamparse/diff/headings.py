"""Where `@@ class A:` and `@@ def f():` point to: the block of lines below each line that is such a heading.

    class A:           belongs to `class A:`, like the lines down to `y = 2`
        def f(self):
            x = 1

        y = 2
    class B:           the next line that is not indented more

A heading that is written with the indentation of lines of the file means those. The lines are looked at once, however
many hunks ask.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from streamparse.diff.indent import indent_of, width_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import is_blank
from streamparse.diff.place import Place
from streamparse.diff.structure import begins_another, begins_body

#: git cuts headings off, so a long one may be the beginning of a line.
_LONG = 60


class Headings:
    """The blocks of one file."""

    def __init__(self, index: FileIndex) -> None:
        self._index = index
        self._blocks: dict[tuple[str, ...], list[range]] = {}
        self._lines: dict[str, Sequence[int]] = {}
        #: By heading: the lines with it that begin a body, by how deep they are, and those that do not.
        self._bodies: dict[str, tuple[dict[int, list[int]], list[int]]] = {}
        #: By headings and identity of the changes, which are kept so that it stays theirs.
        self._within: dict[tuple[tuple[str, ...], int], tuple[Sequence[Place], Sequence[Place]]] = {}

    def blocks(self, headings: Sequence[str]) -> list[range]:
        """The lines below the last heading, where it stands below those before it; in order, and none twice.

        A heading that is not there counts for nothing; if none is, there are no blocks.
        """
        key = tuple(headings)
        if key not in self._blocks:
            blocks: list[range] = []
            for heading in key:
                blocks = self._below(blocks or self._file, heading) or blocks
            self._blocks[key] = _outermost(blocks)
        return self._blocks[key]

    def contradict(self, headings: Sequence[str]) -> bool:
        """Whether one of them is in the file, but neither in the block of the one before it nor, not indented, behind.

        Titles of a text are not indented, so that `## Use` belongs to the `# Tool` somewhere above it.
        """
        blocks: list[range] = []
        for heading in headings:
            lines = self._lines_with(heading)
            below = self._below(blocks or self._file, heading)
            if lines and not below:
                rows = self._index.lines
                least = min(width_of(rows[block.start]) for block in blocks)
                below = [
                    range(at, self._ends[at]) for at in lines if at > blocks[0].start and width_of(rows[at]) <= least
                ]
                if not below:
                    return True
            blocks = below or blocks
        return False

    def are_elsewhere(self, headings: Sequence[str], place: Place) -> bool:
        """Whether old lines are above one of them, wherever it is, or in another block that is no deeper.

        It may be one of them, as a heading is often the first line of context as well.
        """
        rows = [row for row in place.origins if row is not None and self._index.trimmed.keys[row]]
        if not rows:
            return False
        around = self._around(rows[0])
        return any(self._lines_with(heading) and not self._is_above(heading, rows[-1], around) for heading in headings)

    def _is_above(self, heading: str, last: int, around: Sequence[int]) -> bool:
        """Whether a line with the heading is above that line, and no other block that is no deeper parts them.

        Such a block begins behind the heading and has the line in it; `around` are the lines with which those begin.
        """
        if heading not in self._bodies:
            self._bodies[heading] = self._by_width(self._lines_with(heading))
        bodies, others = self._bodies[heading]
        if others and others[0] <= last:
            return True
        rows, keys = self._index.lines, self._index.trimmed.keys
        for width, lines in bodies.items():
            nearest = bisect_right(lines, last) - 1
            parts = (at for at in around if width_of(rows[at]) <= width and begins_another(keys[at]))
            if nearest >= 0 and lines[nearest] >= max(parts, default=0):
                return True
        return False

    def _by_width(self, lines: Sequence[int]) -> tuple[dict[int, list[int]], list[int]]:
        """Those that begin a body, by how deep they are, and those that do not."""
        bodies: dict[int, list[int]] = {}
        others: list[int] = []
        for at in lines:
            is_body = begins_body(self._index.trimmed.keys[at])
            (bodies.setdefault(width_of(self._index.lines[at]), []) if is_body else others).append(at)
        return bodies, others

    def _around(self, number: int) -> list[int]:
        """The lines in whose blocks the line is, each less deep than the one before it."""
        around: list[int] = []
        at = self._parents[number]
        while at >= 0:
            around.append(at)
            at = self._parents[at]
        return around

    @cached_property
    def _kinds(self) -> dict[tuple[int, str], list[int]]:
        """The lines by their indentation and first word."""
        kinds: dict[tuple[int, str], list[int]] = {}
        for number, line in enumerate(self._index.lines):
            kinds.setdefault(_kind_of(line), []).append(number)
        return kinds

    def within(self, headings: tuple[str, ...], places: Sequence[Place], changes: Sequence[Place]) -> Sequence[Place]:
        """Those of the changes whose places are in the blocks of the headings, or all if that says nothing."""
        key = headings, id(changes)
        if key not in self._within:
            outer = self.blocks(headings)
            if len(outer) < len(places):  # either may be as many as the file has lines
                spans = [
                    [bisect_left(places, at, key=lambda place: place.start) for at in (block.start, block.stop)]
                    for block in outer
                ]
                is_part = sum(behind - first for first, behind in spans) < len(changes)
                chosen = [change for first, behind in spans if is_part for change in changes[first:behind]]
            else:
                pairs = zip(places, changes, strict=True)
                chosen = [change for place, change in pairs if _is_within(outer, place.start)]
            self._within[key] = (chosen if 0 < len(chosen) < len(changes) else changes), changes
        return self._within[key][0]

    def below(self, heading: str, places: Sequence[Place], changes: Sequence[Place]) -> Sequence[Place]:
        """Those of the changes above which git may write this heading, or all if that says nothing.

        It writes the last line above that looks like the beginning of something, by what it knows of the language. So
        the hunk need not be in the block of lines below; but no other line of that kind stands between.
        """
        key = (heading,), id(changes)
        if key not in self._within:
            wanted, kin = heading.strip(), self._kin_of(heading)
            above = (bisect_left(kin, place.start) for place in places)
            pairs = zip(above, changes, strict=True)
            chosen = [change for at, change in pairs if at and self._is_headed(kin[at - 1], wanted)]
            self._within[key] = chosen or changes, changes
        return self._within[key][0]

    def _kin_of(self, heading: str) -> list[int]:
        """The first line with the heading, and the lines of its kind that follow."""
        numbers = self._lines_with(heading)
        if not numbers:
            return []
        kin = self._kinds[_kind_of(self._index.lines[numbers[0]])]
        return kin[bisect_left(kin, numbers[0]) :]

    def _is_headed(self, number: int, wanted: str) -> bool:
        """Whether the line is such a heading, or is begun with a long one."""
        key = self._index.trimmed.keys[number]
        return key == wanted or (len(wanted) >= _LONG and key.startswith(wanted))

    @property
    def _file(self) -> list[range]:
        return [range(len(self._index.lines))]

    def _below(self, blocks: list[range], heading: str) -> list[range]:
        lines = self._lines_with(heading)
        spans = ((bisect_left(lines, block.start), bisect_left(lines, block.stop)) for block in _outermost(blocks))
        return [range(at, self._ends[at]) for first, behind in spans for at in lines[first:behind]]

    def _lines_with(self, heading: str) -> Sequence[int]:
        if heading not in self._lines:
            self._lines[heading] = self._find_lines(heading)
        return self._lines[heading]

    def _find_lines(self, heading: str) -> Sequence[int]:
        key, indent = heading.strip(), indent_of(heading)
        numbers = self._index.trimmed.places([key]) if len(key) < _LONG else self._begun_with(key)
        exact = [number for number in numbers if indent_of(self._index.lines[number]) == indent] if indent else []
        return exact or numbers

    def _begun_with(self, heading: str) -> list[int]:
        at = bisect_left(self._long, (heading, 0))
        numbers: list[int] = []
        while at < len(self._long) and self._long[at][0].startswith(heading):
            numbers.append(self._long[at][1])
            at += 1
        return sorted(numbers)

    @cached_property
    def _long(self) -> list[tuple[str, int]]:
        return sorted((key, number) for number, key in enumerate(self._index.trimmed.keys) if len(key) >= _LONG)

    @property
    def _ends(self) -> list[int]:
        """For each line the next one that is not blank and not indented more."""
        return self._nesting[0]

    @property
    def _parents(self) -> list[int]:
        """For each line the last one before it that is indented less; -1 for none, and for blank lines."""
        return self._nesting[1]

    @cached_property
    def _nesting(self) -> tuple[list[int], list[int]]:
        lines = self._index.lines
        ends, parents = [len(lines)] * len(lines), [-1] * len(lines)
        open_lines: list[tuple[int, int]] = []  # (indentation, number), each indented more than the one before
        for number, line in enumerate(lines):
            if is_blank(line):
                continue
            width = width_of(line)
            while open_lines and open_lines[-1][0] >= width:
                ends[open_lines.pop()[1]] = number
            if open_lines:
                parents[number] = open_lines[-1][1]
            open_lines.append((width, number))
        return ends, parents


def _kind_of(line: str) -> tuple[int, str]:
    words = line.split(maxsplit=1)
    return width_of(line), words[0] if words else ""


def _outermost(blocks: list[range]) -> list[range]:
    """Without those that lie within others. They are in order, and one is within another or apart from it."""
    outer: list[range] = []
    for block in blocks:
        if not outer or block.start >= outer[-1].stop:
            outer.append(block)
    return outer


def _is_within(outer: list[range], number: int) -> bool:
    """Whether the line is in one of the blocks, which are in order and apart."""
    at = bisect_right(outer, number, key=lambda block: block.start)
    return at > 0 and number in outer[at - 1]
