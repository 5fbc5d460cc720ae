"""Whether a hunk that is found elsewhere may have been written for the line that its header names.

    @@ -7,3 +7,4 @@        found at line 90, and only there
     start
    +first
     go
     end

    line 7   start  first  go  end     all of its new lines: it was applied before
    line 7   start  halt  end          all of its old lines but for one, which has changed since

Lines are compared as `FileIndex.condensed` has them, blank ones aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from streamparse.diff.all_but_one import Kind, Reading, readings_from
from streamparse.diff.hunk_lines import HunkLines
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, filled_of, is_blank, trim_all
from streamparse.diff.match import condensed
from streamparse.diff.place import Place

#: What the comparison may cost for one hunk, in microseconds or so.
_BUDGET = 200_000
#: How many blank lines more than a hunk has may be among its lines in the file.
_BLANKS = 8


class AtNumber:
    """`lines` are those of a hunk that is found at `place`; by its number it is at the line `row`, from 0.

    Only lines of the file count that are not those of `place` as well. Two of them show enough; or one, just as it is
    written, if the file has it only there, or if `is_one_enough`.
    """

    def __init__(self, index: FileIndex, lines: HunkLines, place: Place, row: int, *, is_one_enough: bool) -> None:
        self._index = index
        self._old = lines.old
        rows = lines.rows(place, index)
        #: With context as the file has it: one line of that may be misspelt.
        self._new = [text if found is None else found for sign, text, found in rows if sign != "-"]
        self._own = [one for line, one in zip(self._old, place.origins, strict=True) if not is_blank(line)]
        self._row = row
        self._is_one_enough = is_one_enough

    def is_applied(self) -> bool:
        """Whether its new lines are there."""
        filled, found = filled_of(self._new), self._found(self._new)
        if condensed(filled) == condensed(self._old) or self._keys(found)[: len(filled)] != condensed(filled):
            return False
        rows = set(self._own)
        return self._shows([pair for pair in zip(filled, found, strict=False) if pair[1] not in rows])

    def is_there(self) -> bool:
        """Whether all of its old lines are there, blanks at their beginning and end aside."""
        keys = trim_all(self._old)
        found = list(self._index.trimmed.keys[max(0, self._row) : self._row + len(keys)])
        return found == keys

    def is_stale(self, *, may_share: bool) -> bool:
        """Whether its old lines are there but for one; `may_share`: some may be those where it was found."""
        filled, found = filled_of(self._old), self._found(self._old)
        keys = self._keys(found)
        whole = [Reading(Kind.NOTHING, 0, 0)] if keys[: len(filled)] == condensed(filled) else []
        budget = self._index.similar.part(_BUDGET)
        for reading in chain(whole, readings_from(condensed(filled), keys, 0)):
            if not budget.spend(len(filled)):
                return True  # of very many equal lines, any may be the one
            trios = zip(filled, map(reading.equal, range(len(filled))), self._own, strict=True)
            # A line that is written twice, and is there once, says the same of both places.
            known = [(line, found[at], one) for line, at, one in trios if at is not None and one is not None]
            apart = [(line, number) for line, number, one in known if number != one]
            if self._shows(apart) and (may_share or len(apart) == len(known)):
                return True
        return False

    def _shows(self, apart: Sequence[tuple[str, int]]) -> bool:
        """Whether these lines, with the numbers of those of the file, are enough."""
        if len(apart) != 1:
            return len(apart) > 1
        [(line, number)] = apart
        is_enough = self._is_one_enough or self._index.is_unique(*condensed([line]))
        return is_enough and body_of(self._index.lines[number]) == line

    def _found(self, lines: Sequence[str]) -> list[int]:
        """The lines of the file that are not blank, if the first of `lines` that is not may be the first of them."""
        start = self._row + next((at for at, line in enumerate(lines) if not is_blank(line)), 0)
        end = min(len(self._index.lines), start + len(lines) + _BLANKS)
        numbers = [number for number in range(max(0, start), end) if not is_blank(self._index.lines[number])]
        return numbers if numbers[:1] == [start] else []

    def _keys(self, numbers: Sequence[int]) -> list[str]:
        return condensed(self._index.lines[number] for number in numbers)
