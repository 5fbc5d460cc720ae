"""Where the old lines of a block stand in the file.

Tried in this order, the first that finds anything decides:

    exact       the lines as they are
    trimmed     but for blanks at the ends of lines
    condensed   but for blank lines, and typographic quotes for plain ones
    anchor      three lines or more: the first and the last trimmed, those between at least 0.6 alike, one by one
    fuzzy       only with threshold < 1: as many lines, alike to that degree, one by one

Whole lines are compared, never parts of them. Line numbers in front of every line (`12 | code`) are taken off if
the lines are not found with them. Several places that are equally good are all given: which one is meant is for
others to say.

Similar lines are looked for as long as there is a budget for it, that of the block and that of the diff. A block that
would need more is not found.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from attrs import evolve, field, frozen
from attrs.validators import and_, ge, le

from streamparse.diff.index import Budget, FileIndex, plain_quotes
from streamparse.diff.lines import bodies_of, is_blank, line_number, trim_all
from streamparse.diff.similarity import cost, length_similarity, lines_similarity
from streamparse.diff.table import LineTable

ANCHOR_SIMILARITY = 0.6
#: What comparing candidates may cost for one block, in microseconds or so.
_ANCHOR_BUDGET = 300_000
_FUZZY_BUDGET = 2_000_000
#: So many lines of a block are looked for by their lengths alone.
_TELLING = 16
#: To look at a line of the file, and at nothing but its length, takes such a part of a microsecond.
_GLANCES = 8
#: So many exact comparisons are done one by one before an index of exact lines is made.
_FEW = 64
_NUMBERED = re.compile(r"[ \t]*(\d+)[ \t]*\|(?!\|)[ \t]?")


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


@frozen
class Match:
    """All equally good places, at least one, and the old lines as they were compared."""

    strategy: str
    places: list[Place]
    lines: list[str]
    similarity: float = 1.0
    #: The number in front of the first line, if numbers were taken off.
    numbered_from: int | None = None


@frozen
class Tolerance:
    """How far from the text a block may be."""

    threshold: float = field(default=1.0, validator=and_(ge(0), le(1)))
    anchor_similarity: float = field(default=ANCHOR_SIMILARITY, validator=and_(ge(0), le(1)))


def find_match(index: FileIndex, lines: list[str], tolerance: Tolerance) -> Match | None:
    """The places of `lines` (without endings, at least one); None: they are not in the file."""
    if match := find_plainly(index, lines):
        return match
    bare = without_numbers(lines)
    return _numbered(_find_similar(index, bare or lines, tolerance), lines if bare else None)


def find_plainly(index: FileIndex, lines: list[str]) -> Match | None:
    """Exact, trimmed or condensed: then the first of them would be found without the others, too."""
    if match := _find_verbatim(index, lines):
        return match
    if bare := without_numbers(lines):
        match = _numbered(_find_verbatim(index, bare) or _find_condensed(index, bare), lines)
        return match or _find_condensed(index, lines)
    return _find_condensed(index, lines)


def lines_behind(index: FileIndex, match: Match) -> Iterator[str]:
    """The line, condensed, behind each place where the old lines may be meant to be, blank lines aside."""
    keys = condensed(match.lines)
    found = index.condensed.keys
    ends = {start + len(keys) for start in index.condensed.places(keys)} if keys else set()
    ends |= {bisect_left(index.condensed_numbers, place.end) for place in match.places}
    return (found[end] for end in ends if end < len(found))


def condensed(lines: Iterable[str]) -> list[str]:
    """The lines that are not blank, as `FileIndex.condensed` has them."""
    return [plain_quotes(line) for line in trim_all(lines) if line]


def _numbered(match: Match | None, lines: list[str] | None) -> Match | None:
    if match is None or lines is None:
        return match
    return evolve(match, numbered_from=_number_of(lines[0]))


def _number_of(line: str) -> int:
    number = _NUMBERED.match(line)
    return line_number(number[1]) if number else 0


def _find_similar(index: FileIndex, lines: list[str], tolerance: Tolerance) -> Match | None:
    return _find_anchored(index, lines, tolerance) or find_fuzzily(index, lines, tolerance)


def without_numbers(lines: Sequence[str]) -> list[str] | None:
    """The lines without the numbers in front of them; None unless every line has one."""
    matches = [_NUMBERED.match(line) for line in lines]
    if not lines or None in matches:
        return None
    return [line[match.end() :] for line, match in zip(lines, matches, strict=True) if match]


def _find_verbatim(index: FileIndex, lines: list[str]) -> Match | None:
    """Exact or trimmed."""
    size = len(lines)
    starts = index.trimmed.places(trim_all(lines))
    if not starts:
        return None
    if len(starts) > _FEW:
        exact = index.exact.places(lines)
    else:
        exact = [start for start in starts if bodies_of(index.lines[start : start + size]) == lines]
    return Match("exact" if exact else "trimmed", _whole(exact or starts, size), lines)


def _whole(starts: Iterable[int], size: int) -> list[Place]:
    return [Place(start, start + size, range(start, start + size)) for start in starts]


def _find_condensed(index: FileIndex, lines: list[str]) -> Match | None:
    """Whatever blank lines and quotes there are."""
    keys = condensed(lines)
    if not keys:
        return None
    starts = index.condensed.places(keys)
    if not starts:
        return None
    shape = _Shape(lines)
    places = [_condensed_place(index, shape, start, len(keys)) for start in starts]
    return Match("condensed", places, lines)


class _Shape:
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

    def __init__(self, numbers: list[int], at: int, shape: _Shape, start: int, end: int) -> None:
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


def _condensed_place(index: FileIndex, shape: _Shape, at: int, size: int) -> Place:
    numbers = index.condensed_numbers
    first, last = numbers[at], numbers[at + size - 1]
    start = _blanks_before(index, first, shape.before).start
    end = _blanks_behind(index, last + 1, shape.behind).stop
    return Place(start, end, _CondensedOrigins(numbers, at, shape, start, end), shape.behind - (end - last - 1))


def _blanks_before(index: FileIndex, number: int, most: int) -> range:
    start = number
    while start and number - start < most and not index.trimmed.keys[start - 1]:
        start -= 1
    return range(start, number)


def _blanks_behind(index: FileIndex, number: int, most: int) -> range:
    end = number
    while end < len(index.lines) and end - number < most and not index.trimmed.keys[end]:
        end += 1
    return range(number, end)


def _find_anchored(index: FileIndex, lines: list[str], tolerance: Tolerance) -> Match | None:
    keys = trim_all(lines)
    budget = index.similar.part(_ANCHOR_BUDGET)
    if len(keys) < 3 or not keys[0] or not keys[-1] or not budget.spend(len(keys)):
        return None
    found, reach = index.trimmed.keys, len(keys) - 1
    first = index.trimmed.places(keys[:1])
    budget.spend(len(first) // 2)
    inner = [start + 1 for start in first if start + reach < len(found) and found[start + reach] == keys[-1]]
    best, similarity = _most_alike(keys[1:-1], index.trimmed, inner, tolerance.anchor_similarity, budget)
    places = _whole((start - 1 for start in best), len(keys))
    return Match("anchor", places, lines, similarity) if places else None


def find_fuzzily(index: FileIndex, lines: list[str], tolerance: Tolerance) -> Match | None:
    """As similar as the threshold asks for, if it is below 1."""
    least = tolerance.threshold
    budget = index.similar.part(_FUZZY_BUDGET)
    if least >= 1 or not budget.spend(len(lines)):
        return None
    keys, table = trim_all(lines), index.trimmed
    best, similarity = _most_alike(keys, table, _alike_in_length(keys, table.keys, least, budget), least, budget)
    return Match("fuzzy", _whole(best, len(keys)), lines, similarity) if best else None


def _alike_in_length(wanted: list[str], found: list[str], least: float, budget: Budget) -> list[int]:
    """The starts that are left when only lengths are looked at: those of the longest lines, as they tell most."""
    lengths = [len(key) for key in found]
    starts: Sequence[int] = range(len(found) - len(wanted) + 1)
    budget.spend(len(found) // _GLANCES)
    total = sum(map(len, wanted))
    # The longer of both sides is at most total / least, so that is what may be wrong in all.
    allowed = (1 - least) * total / least if least > 0 else float("inf")
    for at in sorted(range(len(wanted)), key=lambda at: -len(wanted[at]))[:_TELLING]:
        size = len(wanted[at])
        budget.spend(len(starts) // _GLANCES)
        starts = [start for start in starts if abs(lengths[start + at] - size) <= allowed]
    return list(starts)


def _most_alike(
    wanted: list[str], table: LineTable, starts: list[int], least: float, budget: Budget
) -> tuple[list[int], float]:
    """The starts of the lines that are most alike, at least to that degree, and the degree."""
    best: list[int] = []
    size = len(wanted)
    if not budget.spend(len(starts) // 2):
        return [], 0.0
    for start in _alike_in_sum(wanted, table, starts, least):
        window = table.keys[start : start + size]
        is_near = length_similarity(wanted, window) >= least
        price = size  # to look at two lines takes about a microsecond, whatever is in them
        if is_near:
            price += sum(cost(one, other) for one, other in zip(wanted, window, strict=True) if one != other)
        if not budget.spend(price):
            return [], 0.0
        similarity = lines_similarity(wanted, window, least) if is_near else -1.0
        if similarity > least:
            best, least = [start], similarity
        elif similarity == least:
            best.append(start)
    return best, least


def _alike_in_sum(wanted: list[str], table: LineTable, starts: list[int], least: float) -> Iterator[int]:
    """The starts that are left when only the length of all lines together is looked at, which takes no time."""
    total = sum(map(len, wanted))
    for start in starts:
        other = table.offsets[start + len(wanted)] - table.offsets[start]
        # With some room, so that rounding decides nothing here.
        if min(total, other) + 1 >= least * max(total, other):
            yield start
