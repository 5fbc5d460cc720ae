"""Hunks of which one line of context is not as the file has it: misspelt, written twice, or left out.

    file         hunk
    def f():      def f():
        a = 1         a == 1        misspelt: it is nowhere in the file, and the others stand around it
        b = 2    -    b = 2

The other lines must be found, in order, and in one place only; a line that is removed is never doubted. The file keeps
its own line. Lines are compared as `FileIndex.condensed` has them, and the search has a budget.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from enum import Enum
from functools import cached_property

from attrs import frozen

from streamparse.diff.dressing import has_entities, is_elision
from streamparse.diff.hunk_lines import Line
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import is_blank
from streamparse.diff.match import condensed
from streamparse.diff.place import Match, Place
from streamparse.diff.result import Strategy
from streamparse.diff.similarity import lines_cost, lines_similarity

#: How much alike the old lines are to what stands in the file, if one of them is misspelt.
_LEAST = 0.9
#: Or that line alone.
_LEAST_LINE = 0.8
#: What the search may cost for one hunk, in microseconds or so.
_BUDGET = 200_000


class _Kind(Enum):
    """What is wrong with the line; what explains most comes first."""

    NOTHING = 0
    DOUBLED = 1
    LEFT_OUT = 2
    MISSPELT = 3


@frozen
class _Alignment:
    """The old lines that are not blank stand at `start`, but for the flaw, which is at the one with the number `at`.

    A line that is left out stands before it.
    """

    kind: _Kind
    at: int
    start: int

    @property
    def faulty(self) -> int | None:
        """The old line that is not what the file has."""
        return self.at if self.kind is _Kind.MISSPELT else None

    def origin(self, number: int) -> int | None:
        """The condensed line of the file that stands for that one."""
        if self.kind is _Kind.DOUBLED:
            return None if number == self.at else self.start + number - (number > self.at)
        return self.start + number + (self.kind is _Kind.LEFT_OUT and number >= self.at)


@frozen
class Flaw:
    """What is wrong with a hunk: in words, and how many lines of context are missing (-1: there is one too many)."""

    sentence: str
    missing: int


def find_despite_context(index: FileIndex, lines: list[Line]) -> tuple[Match, Flaw] | None:
    """The one place of the old lines among `lines`, one line of context apart, and what is wrong with that."""
    return _Search(index, lines).find()


def is_found_otherwise(index: FileIndex, lines: list[Line], place: Place) -> bool:
    """Whether old lines that are there, blank lines aside, would be elsewhere if one was doubled or left out."""
    return _Search(index, lines).has_other(place)


def are_repeated(index: FileIndex, lines: list[Line]) -> bool:
    """Whether every old line is in the file several times, or not at all, blank lines aside.

    Then the place that was meant may be another, which has changed since.
    """
    return not any(map(index.is_unique, condensed([line.body for line in lines if line.kind != "+"])))


class _Search:
    def __init__(self, index: FileIndex, lines: list[Line]) -> None:
        self._index = index
        self._lines = lines
        self._old = [line.body for line in lines if line.kind != "+"]
        #: The lines that are compared, and which of all lines of the hunk they are.
        self._numbers = [at for at, line in enumerate(lines) if line.kind != "+" and not is_blank(line.body)]
        self._keys = condensed(self._old)
        self._found = index.condensed.keys
        self._budget = index.similar.part(_BUDGET)

    def find(self) -> tuple[Match, Flaw] | None:
        if len(self._keys) < 2 or self._index.condensed.places(self._keys):
            return None
        best: _Alignment | None = None
        for alignment in self._alignments():
            if not self._may_be(alignment):
                continue
            if best is not None and not self._agree(best, alignment):
                return None
            best = min(best or alignment, alignment, key=lambda alignment: alignment.kind.value)
        return None if best is None or self._budget.left < 0 else self._match(best)

    def has_other(self, place: Place) -> bool:
        """Whether the lines that are found there, blank lines aside, are elsewhere with one flaw."""
        first = next(number for number in place.origins if number is not None and self._index.trimmed.keys[number])
        own = _Alignment(_Kind.NOTHING, 0, bisect_left(self._index.condensed_numbers, first))
        others = (other for other in self._alignments() if other.kind is not _Kind.MISSPELT and self._may_be(other))
        is_elsewhere = any(not self._agree(own, other) for other in others) or self._budget.left < 0
        return is_elsewhere or self._may_shift(own.start)

    def _may_shift(self, start: int) -> bool:
        """Whether equal lines before all others, or behind them, may be those one line further up or down.

        That is so if one of them was left out, and the file has one more; or if one was doubled.
        """
        keys, size = self._keys, len(self._keys)
        for step, outside in ((1, start - 1), (-1, start + size)):
            edge = keys[::step]
            run = next((at for at, key in enumerate(edge) if key != edge[0]), size)
            has_more = 0 <= outside < len(self._found) and self._found[outside] == edge[0]
            numbers = range(size)[::step][:run]
            twins = [at for at in range(run - 1) if self._are_twins(*sorted(numbers[at : at + 2]))]
            reach = run if has_more else max(twins, default=-1) + 1
            if any(number in self._pivots for number in numbers[:reach]):
                return True
        return False

    def _alignments(self) -> Iterator[_Alignment]:
        """All that have one flaw: one half of the lines has none, so that it is found as it is."""
        keys, half = self._keys, len(self._keys) // 2
        for start in self._index.condensed.places(keys[:half]):
            if not self._budget.spend(len(keys)):
                return
            if self._found[start : start + len(keys)] != keys:
                yield from self._with_first_half(start)
        for start in self._index.condensed.places(keys[half:]):
            if not self._budget.spend(len(keys)):
                return
            if start < half or self._found[start - half : start - half + len(keys)] != keys:
                yield from self._with_second_half(start - half)

    def _with_first_half(self, start: int) -> Iterator[_Alignment]:
        keys, size = self._keys, len(self._keys)
        window = self._found[start : start + size + 1]
        at = next((at for at, key in enumerate(window[:size]) if key != keys[at]), min(len(window), size))
        if keys[at + 1 :] == window[at + 1 : size]:
            yield _Alignment(_Kind.MISSPELT, at, start)
        if keys[at + 1 :] == window[at : size - 1]:
            yield _Alignment(_Kind.DOUBLED, at, start)
        if keys[at:] == window[at + 1 :]:
            yield _Alignment(_Kind.LEFT_OUT, at, start)

    def _with_second_half(self, start: int) -> Iterator[_Alignment]:
        """`start` is where the first line would be if the flaw were none of those that shift lines."""
        keys, size = self._keys, len(self._keys)
        at = next(at for at in range(size - 1, -1, -1) if start + at < 0 or self._found[start + at] != keys[at])
        if start >= 0 and keys[:at] == self._found[start : start + at]:
            yield _Alignment(_Kind.MISSPELT, at, start)
        if start + 1 >= 0 and keys[:at] == self._found[start + 1 : start + 1 + at]:
            yield _Alignment(_Kind.DOUBLED, at, start + 1)
        if start >= 1 and keys[: at + 1] == self._found[start - 1 : start + at]:
            yield _Alignment(_Kind.LEFT_OUT, at + 1, start - 1)

    def _may_be(self, alignment: _Alignment) -> bool:
        """Whether the flaw is one of context."""
        at = alignment.at
        if alignment.kind is _Kind.MISSPELT:
            return alignment.start + at < len(self._found) and self._is_context(at)
        if alignment.kind is _Kind.DOUBLED:
            run = self._run(at, self._keys[at])
            return any(self._are_twins(one, one + 1) for one in run[:-1])
        return True

    def _run(self, at: int, key: str) -> range:
        """The lines around that one, or before it, that are equal to `key`."""
        keys = self._keys
        first = next((one + 1 for one in range(at - 1, -1, -1) if keys[one] != key), 0)
        return range(first, next((one for one in range(at, len(keys)) if keys[one] != key), len(keys)))

    def _is_pinned(self, alignment: _Alignment) -> bool:
        """Whether no change is among equal lines, of which any may be the one that is doubled or left out."""
        if alignment.kind is _Kind.MISSPELT:
            return True
        at, keys = alignment.at, self._keys
        is_missing = alignment.kind is _Kind.LEFT_OUT
        key = self._found[alignment.start + at] if is_missing else keys[at]
        run = self._run(at, key)
        first, last = run.start, run.stop - 1
        rows = self._index.condensed_numbers[alignment.start + first : alignment.start + last + 2 * is_missing]
        if len({indent_of(self._index.lines[row]) for row in rows}) > 1:
            return False  # which of them it is matters to new lines
        if is_missing:
            first, last = max(0, first - 1), min(len(keys) - 1, last + 1)
        lines = self._lines[self._numbers[first] + is_missing : self._numbers[last] + 1 - is_missing]
        return all(line.kind == " " for line in lines)

    def _agree(self, one: _Alignment, other: _Alignment) -> bool:
        """Whether the lines at the changes are at the same place in both, as far as they have no flaw."""
        numbers = [number for number in self._pivots if number not in (one.faulty, other.faulty)]
        return bool(numbers) and all(self._stand_in(one, number) == self._stand_in(other, number) for number in numbers)

    def _stand_in(self, alignment: _Alignment, number: int) -> int:
        """The condensed line of the file for an old one; that of its twin for one that is written twice."""
        origin = alignment.origin(number)
        return alignment.start + number - self._are_twins(number - 1, number) if origin is None else origin

    @cached_property
    def _pivots(self) -> list[int]:
        """The lines that are removed, and those before and behind each change."""
        lines = [line for line in self._lines if line.kind != " " or not is_blank(line.body)]
        pivots: list[int] = []
        number = 0
        for at, line in enumerate(lines):
            if line.kind != "+" and not is_blank(line.body):
                if any(one.kind != " " for one in lines[max(0, at - 1) : at + 2]):
                    pivots.append(number)
                number += 1
        return pivots

    def _is_context(self, number: int) -> bool:
        return self._lines[self._numbers[number]].kind == " "

    def _are_twins(self, one: int, other: int) -> bool:
        """Whether these are lines of context that are written alike, with nothing between them."""
        if one < 0 or other >= len(self._keys):
            return False
        lines = self._lines[self._numbers[one] : self._numbers[other] + 1]
        is_context = len(lines) == 2 and all(line.kind == " " for line in lines)
        return is_context and lines[0].body == lines[1].body

    def _match(self, alignment: _Alignment) -> tuple[Match, Flaw] | None:
        similarity = self._similarity(alignment) if self._is_pinned(alignment) else None
        origins = self._origins(alignment)
        removed = [line.kind == "-" for line in self._lines if line.kind != "+"]
        if similarity is None or any(gone and one is None for gone, one in zip(removed, origins, strict=True)):
            return None
        known = [origin for origin in origins if origin is not None]
        place = Place(known[0], known[-1] + 1, origins)
        return Match(Strategy.FUZZY, [place], self._compared(alignment), similarity), self._flaw(alignment)

    def _compared(self, alignment: _Alignment) -> list[str]:
        """The old lines, but for the one that is misspelt: it shows nothing."""
        lines = list(self._old)
        if alignment.kind is _Kind.MISSPELT:
            lines[[at for at, line in enumerate(lines) if not is_blank(line)][alignment.at]] = ""
        return lines

    def _similarity(self, alignment: _Alignment) -> float | None:
        """None if the line is not misspelt, but another one."""
        keys, at = self._keys, alignment.at
        if is_elision(keys[at]):
            return None
        if alignment.kind is not _Kind.MISSPELT:
            total = sum(map(len, keys))
            line = keys[at] if alignment.kind is _Kind.DOUBLED else self._found[alignment.start + at]
            return round(total / (total + len(line)), 9)
        window = self._found[alignment.start : alignment.start + len(keys)]
        if (
            has_entities([keys[at]])
            or self._index.condensed.places([keys[at]])
            or not self._budget.spend(lines_cost(keys, window))
        ):
            return None
        similarity = lines_similarity(keys, window)
        is_alike = similarity >= _LEAST or lines_similarity(keys[at : at + 1], window[at : at + 1]) >= _LEAST_LINE
        return similarity if is_alike else None

    def _origins(self, alignment: _Alignment) -> list[int | None]:
        """The line of the file for each old line; blank ones stand for the blank ones behind the line before them."""
        numbers, keys = self._index.condensed_numbers, self._index.trimmed.keys
        first = next(at for at, line in enumerate(self._old) if not is_blank(line))
        row = numbers[alignment.origin(0) or alignment.start] - first
        origins: list[int | None] = [
            number if number >= 0 and not any(keys[number : row + first]) else None
            for number in range(row, row + first)
        ]
        seen, behind = 0, -1
        for line in self._old[first:]:
            if not is_blank(line):
                at = alignment.origin(seen)
                seen += 1
                origins.append(None if at is None else numbers[at])
                behind = behind if at is None else numbers[at] + 1
            elif 0 <= behind < len(keys) and not keys[behind]:
                origins.append(behind)
                behind += 1
            else:
                origins.append(None)
        return origins

    def _flaw(self, alignment: _Alignment) -> Flaw:
        at = alignment.at
        if alignment.kind is _Kind.DOUBLED:
            return Flaw(f"context `{self._keys[at]}` is written twice, where the file has it once", -1)
        number = self._index.condensed_numbers[alignment.start + at]
        found = f"line {number + 1}, `{self._index.trimmed.keys[number]}`"
        if alignment.kind is _Kind.LEFT_OUT:
            return Flaw(f"{found}, is left out of the context", 1)
        return Flaw(f"context `{self._keys[at]}` is taken for {found}", 0)
