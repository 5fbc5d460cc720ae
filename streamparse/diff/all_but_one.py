"""Lines that are all there but for one: it is another one there, or it is not there, or one more is between them.

    lines            a  b  c  d
    found  OTHER     a  x  c  d        `at` is 1
           ABSENT    a  c  d           `at` is 1
           MORE      a  x  b  c  d     `at` is 1: it is before that one

Of equal lines, any may be the one that is too many or too few: each of them is a reading of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from attrs import frozen

from streamparse.diff.index import Budget
from streamparse.diff.table import LineTable


class Kind(Enum):
    """What is wrong with the one line."""

    NOTHING = auto()
    ABSENT = auto()
    MORE = auto()
    OTHER = auto()


@frozen
class Reading:
    """The lines stand one behind the other from `start` on, but for what is wrong at the line with the number `at`."""

    kind: Kind
    at: int
    start: int

    def origin(self, number: int) -> int | None:
        """Where the line with that number stands, or the other one in its place."""
        if self.kind is Kind.ABSENT:
            return None if number == self.at else self.start + number - (number > self.at)
        return self.start + number + (self.kind is Kind.MORE and number >= self.at)

    def equal(self, number: int) -> int | None:
        """Where the line with that number stands itself."""
        return None if self.kind is Kind.OTHER and number == self.at else self.origin(number)


def readings_in(table: LineTable, keys: Sequence[str], budget: Budget) -> Iterator[Reading]:
    """All that can be paid for: one half of the keys is as it is, so that it is found. A single one has no halves."""
    found, size, half = table.keys, len(keys), len(keys) // 2
    if not half:
        return
    for start in table.places(keys[:half]):
        yield from _paid(readings_from(keys, found, start), size, budget)
    for start in table.places(keys[half:]):
        yield from _paid(readings_up_to(keys, found, start + size - half), size, budget)


def _paid(readings: Iterator[Reading], price: int, budget: Budget) -> Iterator[Reading]:
    """Those that can be paid for: of equal lines, each is one."""
    is_enough = budget.spend(price)
    while is_enough and (reading := next(readings, None)) is not None:
        is_enough = budget.spend(price)
        yield reading


def readings_from(keys: Sequence[str], found: Sequence[str], start: int) -> Iterator[Reading]:
    """Those in which the first of the keys, or what is there in its place, stands at `start`."""
    for kind, at in _differences(keys, found[start : start + len(keys) + 1]):
        yield Reading(kind, at, start)


def readings_up_to(keys: Sequence[str], found: Sequence[str], end: int) -> Iterator[Reading]:
    """Those in which the last of the keys, or what is there in its place, is the last one before `end`."""
    size = len(keys)
    window = found[max(0, end - size - 1) : end]
    for kind, at in _differences(keys[::-1], window[::-1]):
        if kind is Kind.OTHER:
            yield Reading(kind, size - 1 - at, end - size)
        elif kind is Kind.ABSENT:
            yield Reading(kind, size - 1 - at, end - size + 1)
        else:
            yield Reading(kind, size - at, end - size - 1)


def _differences(keys: Sequence[str], window: Sequence[str]) -> Iterator[tuple[Kind, int]]:
    """How `keys` may differ from the first lines of the window, if that is by one line."""
    size = len(keys)
    at = next((at for at, (key, line) in enumerate(zip(keys, window, strict=False)) if key != line), None)
    at = min(size, len(window)) if at is None else at
    if at < len(window) and at < size and keys[at + 1 :] == window[at + 1 : size]:
        yield Kind.OTHER, at
    if at < size and keys[at + 1 :] == window[at : size - 1]:
        yield from ((Kind.ABSENT, one) for one in range(_first_equal(keys, at, keys[at]), at + 1))
    if at < len(window) and keys[at:] == window[at + 1 :]:
        # One more before all lines, or behind them, is none between them.
        first, last = max(1, _first_equal(keys, at, window[at])), min(at, size - 1)
        yield from ((Kind.MORE, one) for one in range(first, last + 1))


def _first_equal(keys: Sequence[str], at: int, key: str) -> int:
    """The first of the lines right before that one that are all equal to `key`."""
    return next((one + 1 for one in range(at - 1, -1, -1) if keys[one] != key), 0)
