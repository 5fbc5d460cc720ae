"""Blank lines that only the file has, or only SEARCH: whether REPLACE says what becomes of them.

    in the file  a  (blank)  b      SEARCH  a  b      REPLACE  a  x  b

Is `x` before the blank line or behind it? It is certain what becomes of it between lines that stay side by side, and
where the lines on both sides are replaced. Next to one line that stays, each new line must resemble one of those that
are gone, whose place it has taken: `x` behind a blank line is not what `return total` before it has become.

Blank lines that only SEARCH has are the way of some models to space things out. But perhaps a line between two blank
ones was left out, where the file has such a line.

A blank line may stand for a form feed, which not everyone sees: `has_more_pages`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile

from streamparse.diff.alignment import Alignment
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import filled_of, is_blank, page_mark
from streamparse.diff.place import Place
from streamparse.diff.resemblance import BUDGET, resembles
from streamparse.diff.structure import opens


def has_more_pages(index: FileIndex, place: Place, old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether there are more blank lines than before such as one that stands for a form feed: which is that one?"""
    pairs = place.pairs(old, index)
    marks = {line for line, found in pairs if is_blank(line) and page_mark(line) != page_mark(found)}
    return any(new.count(line) > old.count(line) for line in marks)


class BlankLines:
    """`old` are lines that are found at `place` but for blank lines, `new` those that replace them."""

    def __init__(self, index: FileIndex, place: Place, old: Sequence[str], new: Sequence[str]) -> None:
        self._index = index
        self._rows = index.trimmed.keys
        self._place = place
        self._old = old
        self._new = new
        self._old_counts, self._counts = (Counter(line.strip() for line in lines) for lines in (old, new))
        self._old_written, self._written = Counter(old), Counter(new)
        self._filled = [at for at, line in enumerate(old) if not is_blank(line)]
        self._blank = [number for number, line in enumerate(new) if is_blank(line)]
        #: By old line: which new one it is, if it stays.
        self._kept: dict[int, int] = {}
        self._order: list[int] = []  # those that stay, between two ends
        #: By the last line that stays before old ones that are gone: which new line each of these has become.
        self._regions: dict[int, dict[int, int] | None] = {}
        #: By new line: the blank lines before it that only the file has, and that stay.
        self.before: dict[int, range] = {}
        self.are_doubtful = self._are_doubtful()

    def _are_doubtful(self) -> bool:
        """Whether it is not certain what becomes of some."""
        alignment = Alignment(self._old)
        for number, line in enumerate(self._new):
            if (at := alignment.find(line)) is not None:
                self._kept.setdefault(at, number)
        self._order = [-1, *sorted(self._kept), len(self._old)]
        return (
            self._are_doubtful_before()
            or self._are_doubtful_behind()
            or any(self._are_doubtful_between(*pair) for pair in pairwise(self._filled))
        )

    def _are_doubtful_before(self) -> bool:
        first, start = self._filled[0], self._place.start
        if None not in self._place.origins[:first]:
            return False
        blanks = len(list(takewhile(is_blank, self._new)))
        line = self._old[first]  # of more such lines than before, the first may be new
        is_same = (
            blanks == first == self._kept.get(first) and self._counts[line.strip()] <= self._old_counts[line.strip()]
        )
        is_same = is_same and not self._are_equal(start - 1, start)
        # Of lines that are gone, a blank one may be that which the new lines begin with.
        stays = next((at for at in self._filled if at in self._kept), self._filled[-1])
        gone = sum(map(is_blank, self._old[first:stays]))
        return 0 < blanks < first + gone or (not is_same and self._is_blank_row(start - 2))

    def _are_doubtful_behind(self) -> bool:
        written, end = len(self._old) - 1 - self._filled[-1], self._place.end
        if not self._place.surplus:
            return False
        blanks = len(list(takewhile(is_blank, reversed(self._new))))
        is_same = blanks == written and self._kept.get(self._filled[-1]) == len(self._new) - 1 - blanks
        is_same = is_same and not self._are_equal(end - 1, end)
        last = self._kept.get(self._filled[-1], len(self._new))
        is_spaced = last + 1 < len(self._new) - blanks and is_blank(self._new[last + 1])
        # Some of them are there: new lines behind the last that stays may be before those or behind them.
        is_between = self._place.surplus < written and self._filled[-1] in self._kept
        stays = next((at for at in reversed(self._filled) if at in self._kept), self._filled[0])
        gone = sum(map(is_blank, self._old[stays : self._filled[-1]]))
        if 0 < blanks < written + gone or is_spaced:
            return True
        return not is_same and (is_between or self._is_blank_row(end + 1))

    def _is_blank_row(self, row: int) -> bool:
        """Whether the file has a blank line there: then the block may leave out the one line before it."""
        return 0 <= row < len(self._rows) and not self._rows[row]

    def _are_equal(self, one: int, other: int) -> bool:
        """Whether the file has the same line twice there: then any of them may be the one that is left out."""
        return one >= 0 and other < len(self._rows) and self._rows[one] == self._rows[other]

    def _are_doubtful_between(self, one: int, other: int) -> bool:
        """Those between two old lines."""
        first, second = self._place.origins[one], self._place.origins[other]
        assert first is not None
        assert second is not None
        surplus = (other - one) - (second - first)
        if surplus and any(self._is_one_of_several(self._old[at]) for at in (one, other)):
            return True  # which of them stays is a guess
        if surplus > 0:
            is_parted = second - first > 1 and self._are_parted(one, other)
            return is_parted or self._are_repeated(first, second, surplus)
        return surplus < 0 and self._are_changed(one, other, range(first + 1, second))

    def _is_one_of_several(self, line: str) -> bool:
        """Whether there are such lines, more or fewer than before, as it is written or but for blanks."""
        body = line.strip()
        is_other = self._written[line] not in (0, self._old_written[line])
        return is_other or self._counts[body] not in (0, self._old_counts[body])

    def _are_repeated(self, first: int, second: int, surplus: int) -> bool:
        """Whether one of the two lines stands twice, with as many blank lines between as the block has too many."""
        rows, blanks = self._rows, [""] * surplus
        before, behind = first - surplus - 1, second + surplus + 1
        return (before >= 0 and rows[before:first] == [rows[first], *blanks]) or (
            rows[second + 1 : behind + 1] == [*blanks, rows[second]]
        )

    def _are_parted(self, one: int, other: int) -> bool:
        """Whether new lines are among those between two lines that stay: the ones too many may be before or behind."""
        before, behind = self._staying(one, other)
        blank = self._blank_between(self._kept.get(before, -1), self._kept.get(behind, len(self._new)))
        return bool(blank) and len(blank) <= self._blank[blank[-1]] - self._blank[blank[0]]

    def _are_changed(self, one: int, other: int, rows: range) -> bool:
        """Whether something else may be meant than that they stay, or are gone; the file has them in these `rows`."""
        written = other - one - 1
        unknown = rows[written:]
        before, behind = self._staying(one, other)
        start, end = self._kept.get(before, -1), self._kept.get(behind, len(self._new))
        if written and (before, behind) != (one, other) and any(page_mark(self._index.lines[row]) for row in rows):
            return True  # which of them is written may be the form feed
        if before < one and other < behind:
            return self._are_replaced(one, other, rows, range(start + 1, end))
        if start >= end:
            return True  # they have changed places
        count, blanks = end - start - 1, len(self._blank_between(start, end))
        if blanks == count:
            if before == one and behind == other and count == written:
                self.before[end] = unknown
                return False
            return count != len(rows)
        if before == one and behind == other:
            return sum(1 for _ in takewhile(is_blank, self._new[start + 1 : start + 2 + len(rows)])) != len(rows)
        if written or blanks or not self._become(self._old[before + 1 : behind], range(start + 1, end)):
            return True
        self.before[start + 1 if before == one else end] = unknown
        return False

    def _blank_between(self, start: int, end: int) -> range:
        """Which of the blank new lines are between those two."""
        return range(bisect_right(self._blank, start), bisect_left(self._blank, end))

    def _are_replaced(self, one: int, other: int, rows: range, new: range) -> bool:
        """The same, where the lines on both sides are gone, and `new` are in their place.

        They are gone with these if nothing like them is new, and stay if each new line is like its own of these.
        """
        before, behind = self._staying(one, other)
        if before not in self._regions:
            self._regions[before] = self._pairing(before, behind, new)
        pairing = self._regions[before]
        if not pairing:
            return pairing is None
        blanks = pairing[other] - pairing[one] - 1
        if blanks == other - one - 1:
            self.before[pairing[other]] = rows[blanks:]
            return False
        return blanks != len(rows)

    def _pairing(self, before: int, behind: int, rows: range) -> dict[int, int] | None:
        """Which new line each old one between these has become; none if none has, and None if that is not certain."""
        budget = self._index.similar.part(BUDGET)
        gone = [at for at in range(before + 1, behind) if not is_blank(self._old[at])]
        filled = [at for at in rows if not is_blank(self._new[at])]
        if len(gone) == len(filled) and all(
            resembles(self._new[at], self._old[one], budget) for one, at in zip(gone, filled, strict=True)
        ):
            return dict(zip(gone, filled, strict=True))
        # Only lines that both open something, or both do not, can be alike: each such pair is paid for, and the first
        # one for which nothing is left ends the search.
        new: dict[bool, list[str]] = {True: [], False: []}
        for at in filled:
            new[opens(self._new[at])].append(self._new[at])
        pairs = ((line, self._old[one]) for one in gone for line in new[opens(self._old[one])])
        may_be_like = any(resembles(*pair, budget) or budget.left < 0 for pair in pairs)
        return None if may_be_like else {}

    def _staying(self, one: int, other: int) -> tuple[int, int]:
        """The last old line up to that one, and the first from the other on, that stays; else an end."""
        return self._order[bisect_right(self._order, one) - 1], self._order[bisect_left(self._order, other)]

    def _become(self, gone: Sequence[str], new: range) -> bool:
        """Whether each of these new lines is what one of those that are gone has become, in their order."""
        budget = self._index.similar.part(BUDGET)
        left = iter(filled_of(gone))
        return all(any(resembles(self._new[at], found, budget) for found in left) for at in new)
