"""The hunks of one file come to their places, by old lines (`hunk_finder.py`) and by numbers (`numbers.py`).

@@ -10,3 +10,3 @@    has old lines: it is looked for when it is complete
@@ -30,0 +30,2 @@    has none: it waits until all hunks of its part are there, which show what its number is worth

Hunks are looked for in the original. A later part about the same file, as in the second of several mails, was perhaps
written for what the earlier parts made of it: unless its hunks are found in the original, in one place and with no line
that an earlier part wrote, they are looked for in that.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from streamparse.diff import hints, patch_hints
from streamparse.diff.change import Change
from streamparse.diff.earlier_parts import EarlierParts
from streamparse.diff.hunk import Hunk
from streamparse.diff.hunk_cut import breaks_off
from streamparse.diff.hunk_finder import HunkFinder
from streamparse.diff.ledger import Ledger
from streamparse.diff.lines import trim_all
from streamparse.diff.match import Tolerance
from streamparse.diff.numbers import Numbered, common_offset, contradicted, mismatched, swapped
from streamparse.diff.place import Match, Place
from streamparse.diff.result import Failure
from streamparse.diff.ways import Sample, Ways


class HunkPlacer:
    """Takes hunks that are complete, part by part, and enters what becomes of each in the ledger."""

    def __init__(self, ledger: Ledger, tolerance: Tolerance) -> None:
        self._ledger = ledger
        self._tolerance = tolerance
        self._finder = HunkFinder(ledger.index, tolerance)
        self._counts: set[bool] = set()  # whether those in the headers so far are right
        self._part: list[Hunk] = []
        self._waiting: list[Hunk] = []  # those of the part that have only new lines and a number
        self._carried = 0  # how many lines from its number the next hunk is expected: as many as the one before it was
        self._numbered: list[Numbered] = []
        self._is_trusted = False  # whether a hunk of the part is at its own number
        self._is_later = False  # whether other parts were before it, and it may be about what they made
        self._written: set[str] = set()  # the new lines of the earlier parts, but for the hunks in `_unread`
        self._unread: list[Hunk] = []
        self._ways = Ways(ledger.index)  # of the part
        #: What the parts before have done, also those of another stream for the same file.
        self.earlier = EarlierParts()

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

    def end_part(self) -> list[tuple[Callable[..., Failure], Change, object]]:
        """All hunks of this part are there; returns what is wrong with hunks by what others show."""
        self._place_waiting()
        wrong: list[tuple[Callable[..., Failure], Change, object]] = [
            (patch_hints.misnumbered if one.choices else patch_hints.misordered, one.hunk, one.place.start + 1)
            for one in contradicted(self._part, self._numbered)
        ]
        wrong += [(patch_hints.swapped, hunk, hunk.place) for hunk in swapped(self._part, self._ledger.index)]
        applied = [hunk for hunk in self._part if not self._ledger.has_failed(hunk)]
        unlike = self._ledger.not_failed(chain(self._ways.doubts(), self.earlier.add(applied, self._ways)))
        wrong += [(hints.unlike, one, way) for one, way in unlike]
        self._numbered, self._ways = [], Ways(self._ledger.index)
        self._unread += self._part
        self._is_later = self._is_later or bool(self._part)
        self._part, self._carried, self._is_trusted = [], 0, False
        return wrong

    def _place(self, hunk: Hunk, offset: int) -> None:
        """Finds the place of the hunk, so far from its own number if that matters, and changes what is there."""
        ledger, has_number = self._ledger, hunk.near is not None
        hunk.move(offset)
        hunk.is_trusted = self._is_trusted
        match = self._finder.find(hunk)
        if match is not None and self._finder.is_elsewhere(hunk, match):
            ledger.fail(hunk, patch_hints.not_below(hunk, hunk.headings))
            return
        if match is not None and not hunk.is_noop and self.earlier.have_made(hunk):
            ledger.fail(hunk, patch_hints.made_again(hunk, match.places[0]))
            return
        if match is not None and self._is_above_the_last(hunk, match):
            match = match.at(hunk.places)
        if match is not None:
            hunk.accept(match)
            sample = Sample(hunk, hunk.lines, match, hunk.choose(match.places)[0], ledger.index)
            reading = self._ways.read(sample)
            if reading.doubt is not None:
                ledger.fail(hunk, hints.unlike(hunk, hunk, reading.doubt))
                return
            if reading.ways:
                hunk.take(reading.lines)
            if hunk.may_be_cut:
                last = hunk.choose(match.places)[-1]
                hunk.is_truncated = breaks_off(hunk, last, ledger.index, self._counts)
            if place := ledger.place(hunk, match):
                if has_number and hunk.old:
                    self._note_offset(hunk, place, offset)
                ledger.write(hunk, hunk.render(ledger.index, place, match))
            self._ways.add(lambda: (sample, reading), may_show=sample.may_show)
        ledger.finish(hunk)

    def _is_above_the_last(self, hunk: Hunk, match: Match) -> bool:
        """Whether its heading has chosen a place above that of the hunk before it, which has the same heading.

        Hunks below one heading are in order, so it is not that place which the heading means.
        """
        last = self._part[-1] if self._part else None
        is_chosen = bool(hunk.headings) and len(match.places) == 1 and len(hunk.places) > 1
        if not is_chosen or last is None or last.place is None or hunk.headings != last.headings:
            return False
        return match.places[0].start <= last.place.start

    def _note_offset(self, hunk: Hunk, place: Place, carried: int) -> None:
        """A hunk is found so far from its own number; `carried` is how far that was expected."""
        more, choices = hunk.offset(place) or 0, hunk.choices
        is_misnumbered = more != 0 and bool(choices)
        self._numbered.append(Numbered(hunk, place, carried + more, choices, is_misnumbered))
        self._is_trusted = self._is_trusted or carried + more == 0
        if not is_misnumbered:  # a heading shows too little to choose others by
            self._carried = carried + more

    def _place_waiting(self) -> None:
        """Hunks with only new lines: all others must show that their numbers are right, or how far off they are."""
        waiting, self._waiting = self._waiting, []
        common = common_offset(self._part, self._numbered) if waiting else None
        second = mismatched(self._part) if waiting else {}
        is_alone = not any(hunk.old for hunk in self._part)
        for hunk in waiting:
            offset = None if hunk.behind is None else self._confirmed(hunk, hunk.behind, common, is_alone=is_alone)
            if offset is None and hunk.behind is not None:
                self._ledger.fail(hunk, hints.not_found(self._ledger.index, hunk))
            elif hunk.numbers is not None and hunk.number in second:
                self._ledger.fail(hunk, patch_hints.two_numbers(hunk, hunk.numbers, second[hunk.number]))
            else:
                self._place(hunk, offset or 0)

    def _confirmed(self, hunk: Hunk, behind: int, common: int | None, *, is_alone: bool) -> int | None:
        """How far from its number a hunk with only new lines belongs, if others show it, or it is to be the last.

        If all others are off, several must be, and one of them before it, or the lines that are too many may be behind
        it. What is to be the top of the file is not anywhere else.
        """
        index, found = self._ledger.index, self._numbered
        if is_alone and behind == len(index.lines):
            common = 0
        if common and (behind == 0 or len(found) == 1 or hunk.number < found[0].hunk.number):
            return None
        # Behind a last line without an end, git has that line in the hunk, too.
        is_unended = common is not None and behind + common == len(index.lines) and index.ends_without_newline
        return None if is_unended else common

    def _is_about_result(self, hunk: Hunk) -> bool:
        """Whether a hunk of a later part is to be looked for in what the earlier ones made of the file."""
        place = self._finder.find_once(hunk)
        if place is None or self._ledger.is_taken(place):
            return True
        for one in self._unread:
            self._written.update(trim_all(line.body for line in one.lines if line.kind == "+"))
        self._unread = []
        return any(line and line in self._written for line in trim_all(hunk.old))

    def _rebase(self) -> None:
        """From here on, the file is what the patch has made of it."""
        self._place_waiting()
        self._ledger.rebase()
        self._finder = HunkFinder(self._ledger.index, self._tolerance)
        self._ways = Ways(self._ledger.index)
        self._is_later, self._written, self._unread = False, set(), []
