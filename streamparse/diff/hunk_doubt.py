"""Why a hunk is not applied, although its old lines are found in one place only.

The hunk may say something that is not so there, or it may have been written for another place that has changed since,
or it may leave out lines next to its changes, so that these belong before or behind them. Each reason is a method
of `HunkDoubt`; the first one that holds decides what is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import pairwise
from unicodedata import normalize

from attrs import frozen

from streamparse.diff import hints, patch_hints
from streamparse.diff.at_number import AtNumber
from streamparse.diff.change import Change
from streamparse.diff.context import are_repeated, is_found_otherwise
from streamparse.diff.elsewhere import (
    are_made_beside,
    are_next_to,
    are_there_already,
    are_to_the_letter,
    is_elsewhere,
    may_be_elsewhere,
)
from streamparse.diff.hunk_gaps import are_changes_placed
from streamparse.diff.hunk_lines import HunkLines, Line
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.result import Failure, Strategy

#: What is said of a change that is in doubt, and of its place.
Hint = Callable[[Change, Place], Failure]


@frozen
class Finding:
    """How a hunk was found."""

    #: So many lines from its number, if it has one.
    offset: int | None
    #: One of its lines of context is wrong.
    is_mended: bool
    #: Its lines are elsewhere, too, and only its number says that they are not meant.
    is_chosen: bool
    #: It may be at its number as well, and something else has chosen.
    is_outvoted: bool
    #: Its number is probably right.
    is_trusted: bool
    #: How many old and new lines its header announces; None: it has no counts.
    announced: tuple[int, int] | None


class HunkDoubt:
    """`lines` are those of a hunk that is found at `place`."""

    def __init__(self, lines: HunkLines, index: FileIndex, place: Place, match: Match, finding: Finding) -> None:
        self._hunk = lines
        self._lines = lines.all
        self._index = index
        self._place = place
        self._match = match
        self._finding = finding

    def find(self) -> Hint | None:
        """What is to be said of the first reason that holds; None if there is none."""
        reasons: tuple[tuple[Callable[[], bool], Hint], ...] = (
            (self._is_not_at_end, patch_hints.not_at_end),
            (self._is_blank_elsewhere, patch_hints.gap),
            (self._is_as_deep_elsewhere, patch_hints.gap),
            (self._is_made, hints.made_before),
            (self._may_be_two, patch_hints.no_header),
            (self._has_lost_first, patch_hints.lacks_first_lines),
            (self._has_other_signs, patch_hints.other_signs),
            (self._has_gaps, patch_hints.gap),
            (self._is_one_line, patch_hints.gap),
            (self._is_beside_other, patch_hints.gap),
            (self._is_unevenly_deep, patch_hints.gap),
            (self._may_be_shifted, patch_hints.gap),
            (self._may_be_stale, patch_hints.gap),
            (self._may_be_at_number, partial(patch_hints.elsewhere, number=self._number + 1)),
            (self._is_made_beside, hints.made_beside),
        )
        return next((hint for holds, hint in reasons if holds()), None)

    def _is_not_at_end(self) -> bool:
        r"""It says with `\ No newline at end of file` that the file ends with it, and the file has more lines."""
        has_more = self._place.end + self._hunk.trailing < len(self._index.lines)
        return has_more and self._hunk.has_unended

    def _is_blank_elsewhere(self) -> bool:
        """All of its old lines are blank, and they are not at its number.

        They may as well separate the hunk from prose behind it: only its number shows that they are meant.
        """
        return bool(self._finding.offset and self._hunk.old) and all(map(is_blank, self._hunk.old))

    def _is_as_deep_elsewhere(self) -> bool:
        """It is found with another indentation, and the file has its lines as deep as they are written elsewhere."""
        if self._match.strategy is Strategy.FUZZY:
            return is_elsewhere(self._index, self._match.lines, self._place)
        return self._match.strategy is Strategy.TRIMMED and may_be_elsewhere(self._index, self._match, self._place)

    def _is_made(self) -> bool:
        """The file has its new lines to the letter, and not the old ones, if only for want of a newline."""
        old, new = self._hunk.old, self._hunk.new
        if self._match.strategy is Strategy.EXACT or self._is_to_the_letter:
            before, after = (any(line.is_unended for line in self._lines if line.kind != kind) for kind in "+-")
            if before == after or not self._index.lines or self._index.ends_without_newline != after:
                return False
            if old == new:
                return True
        return are_there_already(self._index, old, new, self._place.origins)

    def _is_made_beside(self) -> bool:
        """It adds lines before or behind all of its context, and the file has them right there already.

        So it is without any context, unless its number is right for certain.
        """
        hunk, is_at_number = self._hunk, self._finding.offset == 0
        if not hunk.old:
            return not self._finding.is_trusted and are_next_to(self._index, self._place, hunk.new)
        if not hunk.adds_at_edge:
            return False
        at = next(at for at, line in enumerate(self._lines) if line.kind != "+")
        return are_made_beside(self._index, self._place, hunk.old, hunk.new, at=at, is_at_number=is_at_number)

    def _may_be_two(self) -> bool:
        """Its header announces new lines alone, and old ones are changed elsewhere: the header of these is missing."""
        if self._finding.announced is None or self._finding.announced[0] > 0:
            return False
        is_first = self._lines[0].kind == "+" and self._hunk.changed_old > 0
        return is_first and self._finding.offset not in (0, 1)

    def _has_lost_first(self) -> bool:
        """It is found so many lines behind its number as its counts say that it lacks, so that these were its first.

        Then both the number and the counts are probably right. One of the lines may have been removed, or new lines at
        its beginning may belong before them.
        """
        lacking = self._hunk.lacking(self._finding.announced)
        if lacking is None or lacking[0] != self._finding.offset:
            return False
        old, new = lacking
        return old > 0 and (self._lines[0].kind == "+" or old > new)

    def _has_other_signs(self) -> bool:
        r"""Context has other signs than the file for the same text, and new lines may have such, too.

        That is, more backslashes or fewer; `…` for `...`, or the other way round; or accents that are composed
        otherwise, such as `e` and a sign for `é`.
        """
        new = "\n".join(line.body for line in self._lines if line.kind == "+")
        pairs = ((line.body.strip(), found.strip()) for line, found in self._pairs)
        others = [(one, found) for one, found in pairs if one != found]
        return new != "" and any(_is_escaped(*pair, new) or _may_be_foreign(*pair, new) for pair in others)

    def _has_gaps(self) -> bool:
        """The file has other lines between its lines, which its changes may belong before or behind."""
        if not self._is_uneven:
            return False
        lines, origins = self._core
        return not are_changes_placed(lines, origins, len(self._index.lines))

    def _is_one_line(self) -> bool:
        """One line alone shows its place, and it is not as deep there, and not at its number."""
        is_alone = sum(not is_blank(line.body) for line in self._hunk.before) == 1
        if not is_alone or self._match.strategy is not Strategy.TRIMMED:
            return False
        if not self._finding.offset or self._finding.is_chosen:
            return False
        return any(
            indent_of(one) != indent_of(found) for one, found in self._place.pairs(self._match.lines, self._index)
        )

    def _is_beside_other(self) -> bool:
        """The file has another line for a blank one at its edge, and that is next to a change.

        Or it is next to a line of context that alone shows its place. A removed line shows more: it is there, whatever
        stands around it.
        """
        if not self._is_uneven:
            return False
        core, origins = self._core
        old = [line for line in core if line.kind != "+"]
        is_alone = [line.kind for line in old if not is_blank(line.body)] == [" "]
        rows = [origin for origin in origins if origin is not None]
        for at, is_inside in ((0, rows[0] > 0), (-1, rows[-1] + 1 < len(self._index.lines))):
            lines = core if at == 0 else reversed(core)
            inner = next(line for line in lines if line.kind != " " or not is_blank(line.body))
            is_missing = origins[at] is None and not old[at].is_doubtful
            if is_inside and is_missing and (is_alone or inner.kind != " "):
                return True
        return False

    def _is_unevenly_deep(self) -> bool:
        """One of its lines is wrong, and some of its context is as deep as in the file and some is not.

        A line that is not may be a new one that has lost its mark.
        """
        if not self._finding.is_mended:
            return False
        context = [pair for pair in self._pairs if pair[0].kind == " " and not is_blank(pair[0].body)]
        pairs = [(indent_of(line.body), indent_of(found)) for line, found in context]
        if any(one == other != "" for one, other in pairs):
            return any(one != other for one, other in pairs)
        # At the margin a line stays if all have lost blanks; but none gets deeper then.
        return any(one == other == "" for one, other in pairs) and any(one != other == "" for one, other in pairs)

    def _may_be_shifted(self) -> bool:
        """It is there but for blank lines, and would be elsewhere if one line of context was doubled or left out."""
        return self._is_condensed and is_found_otherwise(self._index, self._hunk, self._place)

    def _may_be_stale(self) -> bool:
        """It is not quite there, and all of its lines are in the file several times: others may have been meant."""
        if not self._is_condensed and not self._finding.is_mended:
            return False
        is_there = self._finding.offset == 0 and (self._is_condensed or self._is_even)
        return not is_there and self._is_repeated

    def _may_be_at_number(self) -> bool:
        """At its number the file has its new lines already, or all of its old ones but for one, and it is not there.

        Where it is found, one of its lines may be wrong or left out, too.
        """
        offset, is_mended = self._finding.offset, self._finding.is_mended
        if offset is None or not (offset or is_mended) or not self._hunk.old or self._finding.is_outvoted:
            return False
        is_one_enough = not offset or (self._finding.is_trusted and self._is_repeated)
        there = AtNumber(self._index, self._hunk, self._place, self._number, is_one_enough=is_one_enough)
        if not offset:
            return there.is_applied()
        is_wrong = is_mended and None not in self._place.origins
        return there.is_there() or there.is_applied() or there.is_stale(may_share=self._is_repeated or is_wrong)

    @cached_property
    def _core(self) -> tuple[list[Line], Sequence[int | None]]:
        """Its lines, and where the file has the old ones, without blank ones at its edges that the file does not have.

        That is, if it has one more there, which the file has: that is what is next to the others.
        """
        lines, origins = self._lines, self._place.origins
        first = _count_beyond(lines, origins)
        last = len(lines) - _count_beyond(lines[::-1], origins[::-1])
        return lines[first:last], origins[first : len(origins) - (len(lines) - last)]

    @cached_property
    def _pairs(self) -> list[tuple[Line, str]]:
        """Its old lines that the file has, and the lines of the file for which they stand."""
        return self._place.pairs(self._hunk.before, self._index)

    @property
    def _number(self) -> int:
        """The line, from 0, at which it is by its number."""
        return self._place.first_line - (self._finding.offset or 0)

    @property
    def _is_uneven(self) -> bool:
        """Whether the file may have other lines between its lines, or not all of them."""
        return self._match.strategy in (Strategy.CONDENSED, Strategy.FUZZY, Strategy.ELIDED)

    @property
    def _is_to_the_letter(self) -> bool:
        """Whether the file has its old lines just so; those that are all blank are found as if it had not."""
        return None not in self._place.origins and are_to_the_letter(self._index, self._hunk.old, self._place.origins)

    @cached_property
    def _is_condensed(self) -> bool:
        """Whether it is there but for blank lines, which only the file has, or only the hunk."""
        return self._match.strategy is Strategy.CONDENSED and not self._is_even

    @cached_property
    def _is_even(self) -> bool:
        """Whether its lines are in the file one behind the other."""
        return all(one is not None and other == one + 1 for one, other in pairwise(self._place.origins))

    @cached_property
    def _is_repeated(self) -> bool:
        return are_repeated(self._index, self._hunk)


def _count_beyond(lines: Sequence[Line], origins: Sequence[int | None]) -> int:
    """How many blank lines come first that the file does not have, if the next one is blank, too, and it has that."""
    count = next((at for at, row in enumerate(origins) if row is not None), 0)
    are_blank = all(line.kind == " " and is_blank(line.body) for line in lines[: count + 1])
    return count if are_blank else 0


def _is_escaped(line: str, found: str, new: str) -> bool:
    """Whether an old line is that of the file but for backslashes, and new lines may have too many, or too few.

    Where it has more of them, new lines without any are as they are meant.
    """
    return line.replace("\\", "") == found.replace("\\", "") and ("\\" in new or len(line) < len(found))


def _may_be_foreign(line: str, found: str, new: str) -> bool:
    """Whether an old line is that of the file but for its normal form or its dots, and new lines have such signs."""
    if _dotted(_composed(line)) != _dotted(_composed(found)):
        return False
    has_accents = _composed(new) != normalize("NFD", new)
    if _dotted(line) != _dotted(found) and has_accents:
        return True  # even without regard to dots they are not the same: their accents are composed otherwise
    return _composed(line) != _composed(found) and ("…" if "…" in line else "...") in new


def _composed(line: str) -> str:
    return normalize("NFC", line)


def _dotted(line: str) -> str:
    return line.replace("…", "...")
