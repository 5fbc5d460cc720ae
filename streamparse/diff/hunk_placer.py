"""The hunks of one file come to their places, by old lines (`hunk_finder.py`) and by numbers (`numbers.py`).

@@ -10,3 +10,3 @@    has old lines: it is looked for when it is complete
@@ -30,0 +30,2 @@    has none: it waits until all hunks of its part are there, which show what its number is worth

Hunks are looked for in the original. A later part about the same file, as in the second of several mails, was perhaps
written for what the earlier parts made of it: unless its hunks are found in the original, in one place and with no line
that an earlier part wrote, they are looked for in that.
"""

from __future__ import annotations

from streamparse.diff import hints
from streamparse.diff.hunk import Hunk
from streamparse.diff.hunk_finder import HunkFinder
from streamparse.diff.ledger import Ledger
from streamparse.diff.lines import trim_all
from streamparse.diff.match import Tolerance
from streamparse.diff.numbers import Numbered, Offsets, contradicted
from streamparse.diff.place import Place


class HunkPlacer:
    """Takes hunks that are complete, part by part, and enters what becomes of each in the ledger."""

    def __init__(self, ledger: Ledger, tolerance: Tolerance) -> None:
        self._ledger = ledger
        self._tolerance = tolerance
        self._finder = HunkFinder(ledger.index, tolerance)
        self._counts: set[bool] = set()  # whether those in the headers so far are right
        self._part: list[Hunk] = []
        self._waiting: list[Hunk] = []  # those of the part that have only new lines and a number
        self._offsets: dict[int, int] = {}  # by number of the hunk: how far from its own number it was found
        self._numbered: list[Numbered] = []
        self._is_later = False  # whether other parts were before it, and it may be about what they made
        self._written: set[str] = set()  # by those

    def expect(self) -> None:
        """Another hunk of this part begins."""
        if self._waiting:
            self._waiting[-1].is_followed = True

    def count(self, hunk: Hunk) -> None:
        """A hunk, of this file or another, has others behind it: does its header announce what there is?"""
        if hunk.left is not None:
            self._counts.add(hunk.left == (0, 0))

    def add(self, hunk: Hunk) -> None:
        """A hunk of this part, which is complete."""
        if failure := self._finder.contradiction(hunk):
            self._ledger.fail(hunk, failure)
            return
        if self._is_later and self._is_about_result(hunk):
            self._rebase()
        if hunk.is_insertion and self._ledger.index.lines:
            self._waiting.append(hunk)
        else:
            self._place(hunk, self._carried)
        self._part.append(hunk)

    def end_part(self) -> list[Numbered]:
        """All hunks of this part are there; returns those that their numbers have placed, and others contradict."""
        self._place_waiting()
        wrong, self._numbered = contradicted(self._numbered), []
        for hunk in self._part:
            self._written.update(trim_all(line.body for line in hunk.lines if line.kind == "+"))
        self._is_later = self._is_later or bool(self._part)
        self._part, self._offsets = [], {}
        return wrong

    def _place(self, hunk: Hunk, offset: int) -> None:
        """Finds the place of the hunk, so far from its own number if that matters, and changes what is there."""
        ledger, has_number = self._ledger, hunk.near is not None
        hunk.move(offset)
        if match := self._finder.find(hunk):
            hunk.accept(match)
            if hunk.may_be_cut:
                last = hunk.choose(match.places)[-1]
                hunk.is_truncated = hunk.breaks_off(last, len(ledger.index.lines), self._counts)
            if place := ledger.place(hunk, match):
                if has_number and hunk.old:
                    self._offsets[hunk.number] = offset + (hunk.offset(place) or 0)
                    self._numbered.append(Numbered(hunk, place, self._offsets[hunk.number], _choices(hunk)))
                ledger.write(hunk, hunk.render(ledger.index, place, match))
        ledger.finish(hunk)

    @property
    def _carried(self) -> int:
        """How far from its own number the last hunk was found."""
        return next(reversed(self._offsets.values()), 0)

    def _place_waiting(self) -> None:
        """Hunks with only new lines: other hunks must show that their numbers are right, or how far off they are."""
        waiting, self._waiting = self._waiting, []
        index, offsets = self._ledger.index, Offsets(self._offsets)
        are_placed = len(self._offsets) == sum(bool(hunk.old) for hunk in self._part)
        # Behind a last line without an end, git has that line in the hunk, too.
        is_end_known = are_placed and not offsets.has_any and not index.ends_without_newline
        for hunk in waiting:
            offset = offsets.confirmed(hunk.number, is_at_top=hunk.behind == 0)
            if offset is None and hunk.behind == len(index.lines) and is_end_known:
                offset = 0  # behind the last line, as it says
            if offset is None and hunk.behind is not None:
                self._ledger.fail(hunk, hints.unconfirmed(hunk))
            else:
                self._place(hunk, offset or 0)

    def _is_about_result(self, hunk: Hunk) -> bool:
        """Whether a hunk of a later part is to be looked for in what the earlier ones made of the file."""
        place = self._finder.find_once(hunk)
        if place is None or self._ledger.is_taken(place):
            return True
        return any(line and line in self._written for line in trim_all(hunk.old))

    def _rebase(self) -> None:
        """From here on, the file is what the patch has made of it."""
        self._place_waiting()
        self._ledger.rebase()
        self._finder = HunkFinder(self._ledger.index, self._tolerance)
        self._is_later, self._written = False, set()


def _choices(hunk: Hunk) -> list[Place]:
    """All places of which its number has chosen one; none if it is the only one, or that at the end."""
    return hunk.places if len(hunk.places) > 1 and not (hunk.is_at_end or hunk.has_unended) else []
