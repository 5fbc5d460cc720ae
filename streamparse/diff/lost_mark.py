"""A line of a hunk that has lost its mark, a `+` as a rule, and must not be taken for context, nor for prose behind it.

@@ -1 +1,2 @@      announces two new lines
-old
+new
other              only one has come, and the file has no such line here: this is the other one

If it was a `-`, the counts show it: they are right if one line of context is counted as removed.

Without any counts, no line right behind a hunk is prose. Within `*** Begin Patch` none is at all, nor is one that has
the hunk's own lines behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise

from attrs import frozen

from streamparse.diff.dressing import is_fence
from streamparse.diff.hunk_lines import HunkLines, Line
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.place import Place
from streamparse.diff.resemblance import BUDGET, resembles
from streamparse.diff.typography import as_typed


@frozen
class Surroundings:
    """What shows whether a line without a mark can be context or prose."""

    #: Whether the patch is one of those that say where they end.
    is_enveloped: bool
    #: Whether the file is new, so that no line of it is context.
    is_new: bool
    #: How many old and new lines the header announces; None: it has no counts.
    announced: tuple[int, int] | None
    #: Whether the header has counted what was taken for prose, too.
    is_counted: bool = False
    #: Whether one line of context is wrong.
    is_mended: bool = False


def lost_line(
    lines: HunkLines, behind: Sequence[Line], around: Surroundings, index: FileIndex, place: Place
) -> tuple[str, str] | None:
    """The first line of a hunk at `place` that may have lost its mark, and that mark.

    `behind` was taken for prose behind it.
    """
    if lines.is_marked and not lines.is_noop and not behind and around.announced in (None, lines.counts):
        return None  # nothing is left to ask about, as of most hunks
    lost = LostMark(lines, behind, around, index, place)
    new = chain(lost.among_context(), lost.among_blanks(), lost.behind_change(), lost.among_prose())
    return next(chain(((line, "-") for line in lost.removed()), ((line, "+") for line in new)), None)


class LostMark:
    """Where the hunk may have such lines."""

    def __init__(
        self, lines: HunkLines, behind: Sequence[Line], around: Surroundings, index: FileIndex, place: Place
    ) -> None:
        self._hunk = lines
        self._lines = lines.all
        self._behind = behind
        self._around = around
        self._index = index
        self._file = index.lines
        self._place = place
        origins = iter(place.origins)
        #: The line of the file that each old line stands for, by its number among all lines of the hunk.
        self._rows = {at: next(origins) for at, line in enumerate(lines.all) if line.kind != "+"}

    def among_context(self) -> Iterator[str]:
        """Those that are not just the line of the file which they stand for.

        They have no mark, and the file has them once and the hunk twice, or another line; or the header has announced
        just as many new lines as there are with them, and fewer old ones.
        """
        twice = {self._lines[at].body.strip() for at, row in self._rows.items() if row is None}
        for at, row in self._rows.items():
            line = self._lines[at]
            if line.kind == "-" or is_blank(line.body):
                continue
            found = "" if row is None else body_of(self._file[row])
            is_known = _are_alike(line.body, found) and line.body.strip() not in twice
            is_sure = found == line.body and not (line.is_doubtful and self._around.is_mended)
            if (line.is_doubtful and not is_known) or (self._is_fewer and not is_sure):
                yield line.body

    def among_blanks(self) -> Iterator[str]:
        """Blank ones, if the file has not all of them, or the header has announced fewer old lines.

        Those with a mark are context, unless the header shows that they are new, or the hunk changes nothing else.
        Without a mark before or behind all other lines they are none of the hunk. Among new lines they are written
        if the file has none there. If the header has counted them as context, they are not new.
        """
        inner = [at for at, line in enumerate(self._lines) if not line.is_doubtful or line.body.strip()]
        if not inner or self._around.announced == self._hunk.counts:
            return
        written = self._hunk.blanks_among_new
        blanks = {
            at: row
            for at, row in self._rows.items()
            if inner[0] <= at <= inner[-1] and is_blank(self._lines[at].body) and not (row is None and at in written)
        }
        may_be_new = self._is_fewer or None in blanks.values()
        for at, row in blanks.items():
            line, is_missing = self._lines[at], row is None and (self._is_fewer or self._hunk.is_noop)
            if line.kind == " " and (is_missing or (line.is_doubtful and may_be_new)):
                yield line.body

    @cached_property
    def _is_fewer(self) -> bool:
        """Whether the header has announced just as many new lines as there are, and fewer old ones."""
        announced, (old, new) = self._around.announced, self._hunk.counts
        return announced is not None and announced[1] == new and announced[0] < old

    def removed(self) -> Iterator[str]:
        """Context that has no mark, or is like the new line in its place: perhaps it has lost its `-`.

        Then the header has announced just as many old lines as there are with it, and fewer new ones.
        """
        announced, (old, new) = self._around.announced, self._hunk.counts
        if announced is None or announced[0] != old or announced[1] >= new:
            return
        budget = self._index.similar.part(BUDGET)
        for at, line in enumerate(self._lines):
            if line.kind != " " or is_blank(line.body):
                continue
            behind = [self._lines[at + step : at + step + 1] for step in {1, new - announced[1]}]
            added = [one.body for [one] in filter(None, behind) if one.kind == "+"]
            if line.is_doubtful or any(resembles(line.body, one, budget) for one in added):
                yield line.body

    def behind_change(self) -> Iterator[str]:
        """Those without a mark right behind a line that is new or removed, while context has one.

        In a hunk with a wrong line they are perhaps new.
        """
        has_marks = any(line.kind == " " and not line.is_doubtful for line in self._lines)
        if self._around.is_mended and has_marks:
            pairs = pairwise(self._lines)
            yield from (
                line.body for last, line in pairs if last.kind != " " and line.is_doubtful and line.body.strip()
            )

    def among_prose(self) -> Iterator[str]:
        """Those behind all lines of the hunk that are no prose, and not the lines of the file there.

        That is, the one behind the place of the hunk, and so on. Behind a fence, only context with its mark shows that
        the hunk goes on.
        """
        following = self._place.following
        stray: str | None = None
        known: str | None = None  # the last one that the file has
        first, is_fenced = 0, False  # behind that
        for at, line in enumerate(self._behind):
            if is_blank(line.body):
                continue
            is_fenced = is_fenced or (line.is_doubtful and is_fence(line.body, is_closing=True))
            while following < len(self._file) and is_blank(self._file[following]):
                following += 1
            if following < len(self._file) and _is_same(line, self._file[following], to_the_letter=is_fenced):
                if stray is not None:
                    yield stray
                known = line.body if line.is_doubtful else known
                first, following = at + 1, following + 1
            elif stray is None and known is not None and line.kind == " " and not line.is_doubtful:
                yield known  # this is context, and would be the next line of the file if that were new
            elif stray is None and line.is_doubtful:
                stray = line.body
                if not is_fenced and (self._around.is_enveloped or self._is_missing(self._behind[first:])):
                    yield stray
        if self._behind and all(is_blank(line.body) for line in self._behind) and self._owed == len(self._behind):
            yield ""

    @property
    def _owed(self) -> int | None:
        """How many `+` lines the header announces that have not come, those with `-` taken off."""
        announced = self._around.announced
        if announced is None:
            return None
        if self._lines[-1].is_unended and self._lines[-1].kind != "-":
            return 0  # it is the end of the file
        old, new = self._hunk.counts
        return announced[1] - announced[0] - (new - old)

    def _is_missing(self, rest: Sequence[Line]) -> bool:
        """Whether a hunk has perhaps more lines than those with a mark, by its header or for want of counts there.

        Prose has a blank line before it as a rule; it is right behind only if the header has counts that leave room
        for no more lines.
        """
        is_next, owed = not is_blank(rest[0].body), self._owed
        if owed is None:
            return is_next
        if not is_next:
            least = max(at for at, line in enumerate(rest, 1) if not is_blank(line.body))
            return owed > 0 and least <= owed <= len(rest)
        return owed > 0 or self._around.is_counted or (self._around.is_new and owed != 0)


def _is_same(line: Line, other: str, *, to_the_letter: bool) -> bool:
    """Whether a line behind a hunk is that of the file."""
    if to_the_letter:
        return not line.is_doubtful and line.kind == " " and line.body == body_of(other)
    return _are_alike(line.body, other)


def _are_alike(line: str, other: str) -> bool:
    return as_typed(line.strip()) == as_typed(other.strip())
