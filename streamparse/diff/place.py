"""Where old lines stand in the file: the lines of one place, and all places of one search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, overload

from attrs import evolve, frozen

from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.numbering import Numbering
from streamparse.diff.result import Strategy
from streamparse.diff.typography import PLAIN, Typography

#: What was corrected in a block or a hunk, so that its old lines are found.
SIGNS = "signs that were written as HTML has them are signs"
_NUMBERS = "line numbers in front of lines are left out"
_FENCE = "a fence around the lines is left out"
_TYPOGRAPHY = "quotes, dashes or blanks of typography are those that one types, as in the file"

_L = TypeVar("_L")


@frozen
class Place:
    """The lines `start` to `end`, from 0, the last excluded.

    `origins` are the numbers of the lines of the file that the old lines stand for: None for a blank line that the
    file does not have. `surplus` is how many blank lines the block ends with that are missing in the file.
    """

    start: int
    end: int
    origins: Sequence[int | None]
    surplus: int = 0

    @property
    def first_line(self) -> int:
        """The line, from 0, at which the old lines begin, blank ones that the file does not have included."""
        if self.origins and (first := self.origins[0]) is not None:
            return first
        return next((origin - at for at, origin in enumerate(self.origins) if origin is not None), self.start)

    @property
    def following(self) -> int:
        """The line behind all old lines."""
        return max((origin + 1 for origin in self.origins if origin is not None), default=self.end)

    def pairs(self, old: Iterable[_L], index: FileIndex) -> list[tuple[_L, str]]:
        """Each of the old lines that the file has, and the line of the file for which it stands, without its ending."""
        return [(one, body_of(index.lines[row])) for one, row in zip(old, self.origins, strict=True) if row is not None]


class Places(Sequence[Place]):
    """Places that are made, each when it is asked for, of the lines at which they are found: there may be millions."""

    __slots__ = ("_make", "_starts")

    def __init__(self, starts: Sequence[int], make: Callable[[int], Place]) -> None:
        self._starts, self._make = starts, make

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, at: int) -> Place: ...
    @overload
    def __getitem__(self, at: slice) -> list[Place]: ...
    def __getitem__(self, at: int | slice) -> Place | list[Place]:
        return list(map(self._make, self._starts[at])) if isinstance(at, slice) else self._make(self._starts[at])

    def __iter__(self) -> Iterator[Place]:
        return map(self._make, self._starts)

    def changed(self, change: Callable[[Place], Place]) -> Places:
        """The same, each with a change."""
        make = self._make
        return Places(self._starts, lambda start: change(make(start)))


@frozen
class Match:
    """All equally good places, at least one, and the old lines as they were compared."""

    strategy: Strategy
    places: Sequence[Place]
    lines: list[str]
    similarity: float = 1.0
    #: How numbers in front of the lines are written, if they were taken off.
    numbering: Numbering | None = None
    #: Whether a fence around the lines was taken off, or signs were written as HTML has them.
    is_fenced: bool = False
    is_html: bool = False
    #: What the lines show about signs of typography.
    typography: Typography = PLAIN
    #: The blanks at the ends of all old lines that the file does not have there.
    tail: str = ""
    #: The lines of the file for each `...` of the block.
    middles: tuple[list[str], ...] = ()
    #: The line that stands for each of these, without its indentation.
    elisions: tuple[str, ...] = ()

    def at(self, places: Sequence[Place]) -> Match:
        """The same lines, with these places."""
        return self if places is self.places else evolve(self, places=places)

    @property
    def fixes(self) -> tuple[str, ...]:
        """What was corrected in the lines, in words."""
        corrected = (
            (self.numbering is not None, _NUMBERS),
            (self.is_fenced, _FENCE),
            (self.is_html, SIGNS),
            (bool(self.typography.signs), _TYPOGRAPHY),
        )
        return tuple(fix for is_so, fix in corrected if is_so)

    @property
    def told(self) -> Strategy:
        """The strategy, for people: signs of typography that were typed for others are found condensed."""
        is_close = self.strategy in (Strategy.EXACT, Strategy.TRIMMED)
        return Strategy.CONDENSED if self.typography.signs and is_close else self.strategy


class Shape:
    """Which lines of a block are blank: what all of its condensed places have in common."""

    def __init__(self, lines: list[str]) -> None:
        #: For each line the last one that is not blank, from 0, and how far behind it is; -1 stands before all of them.
        self.steps: list[tuple[int, int]] = []
        last, distance = -1, -1
        for line in lines:
            last, distance = (last, distance + 1) if is_blank(line) else (last + 1, 0)
            self.steps.append((last, distance))
        self.before = next((at for at, line in enumerate(lines) if not is_blank(line)), 0)
        self.behind = distance


class _CondensedOrigins(Sequence[int | None]):
    """The lines of the file that the lines of a block stand for, each found when it is asked for.

    A block that overlaps itself has as many places as the file has lines, and all but one of them are only counted.
    """

    def __init__(self, numbers: Sequence[int], at: int, shape: Shape, start: int, end: int) -> None:
        self._numbers, self._at, self._shape = numbers, at, shape
        self._start, self._end = start, end

    def __len__(self) -> int:
        return len(self._shape.steps)

    @overload
    def __getitem__(self, at: int) -> int | None: ...
    @overload
    def __getitem__(self, at: slice) -> list[int | None]: ...
    def __getitem__(self, at: int | slice) -> int | list[int | None] | None:
        steps = self._shape.steps
        return [self._origin(*step) for step in steps[at]] if isinstance(at, slice) else self._origin(*steps[at])

    def _origin(self, last: int, distance: int) -> int | None:
        """Blank lines stand for blank lines, as far as both sides have them: before, between and behind the others."""
        if last < 0:
            number = self._numbers[self._at] - self._shape.before + distance
            return number if number >= self._start else None
        number, following = self._numbers[self._at + last] + distance, self._at + last + 1
        is_last = last == self._shape.steps[-1][0]
        return number if number < (self._end if is_last else self._numbers[following]) else None


def condensed_place(index: FileIndex, shape: Shape, at: int, size: int) -> Place:
    """The place of lines that are found at the condensed line `at`, of which they have `size`."""
    numbers = index.condensed_numbers
    first, last = numbers[at], numbers[at + size - 1]
    # As many blank lines around them as the block has, as far as the file has them.
    start = max(first - shape.before, numbers[at - 1] + 1 if at else 0)
    behind = numbers[at + size] if at + size < len(numbers) else len(index.lines)
    end = min(last + 1 + shape.behind, behind)
    return Place(start, end, _CondensedOrigins(numbers, at, shape, start, end), shape.behind - (end - last - 1))
