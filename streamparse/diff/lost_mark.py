"""A line of a hunk that has lost its mark, a `+` as a rule, and must not be taken for context, nor for prose behind it.

@@ -1 +1,2 @@      announces two new lines
-old
+new
other              only one has come, and the file has no such line here: this is the other one

If it was a `-`, the counts show it: they are right if one line of context is counted as removed. If they show nothing,
a line that has no mark is in doubt next to changes, where others have theirs.

Without any counts, no line right behind a hunk is prose. Within `*** Begin Patch` none is at all, nor is one that has
the hunk's own lines behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise, takewhile

from attrs import frozen

from streamparse.diff.dressing import is_fence
from streamparse.diff.hunk_lines import HunkLines, Line
from streamparse.diff.hunk_prose import text_of
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.resemblance import BUDGET, resembles
from streamparse.diff.result import Strategy
from streamparse.diff.structure import opens
from streamparse.diff.typography import as_typed

#: Words of prose before a list or an example; code begins with a small letter, or has brackets and other signs.
_SENTENCE = re.compile(r"[A-Z][\w']*(?:,?[ ][\w'’-]+)+:[ \t]*")


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
    is_counted: bool
    #: Whether one line of context is wrong.
    is_mended: bool


def lost_line(
    lines: HunkLines, behind: Sequence[Line], around: Surroundings, index: FileIndex, place: Place, match: Match
) -> tuple[str, str] | None:
    """The first line of a hunk at `place` that may have lost its mark, and that mark, or "" if it may be either.

    `behind` was taken for prose behind it.
    """
    is_exact = around.announced is None and match.strategy is Strategy.EXACT
    is_right = is_exact or around.announced == lines.counts
    if lines.is_marked and not lines.is_noop and not behind and is_right:
        return None  # nothing is left to ask about, as of most hunks
    lost = _LostMark(lines, behind, around, index, place)
    new = ((line, "+") for line in chain(lost.among_blanks(), lost.among_prose()))
    return next(chain(lost.among_context(), new), None)


class _LostMark:
    """Looks for such lines: among context, among blank lines, and in what was taken for prose behind the hunk."""

    def __init__(
        self, lines: HunkLines, behind: Sequence[Line], around: Surroundings, index: FileIndex, place: Place
    ) -> None:
        self._hunk = lines
        self._lines = lines.all
        self._behind = behind
        self._around = around
        #: How many old and new lines the header announces that are not there; negative: there are too many.
        self._lacking = lines.lacking(around.announced)
        self._file = index.lines
        self._place = place
        self._budget = index.similar.part(BUDGET)
        origins = iter(place.origins)
        #: The line of the file that each old line stands for, by its number among all lines of the hunk.
        self._rows = {at: next(origins) for at, line in enumerate(lines.all) if line.kind != "+"}

    def among_context(self) -> Iterator[tuple[str, str]]:
        """Lines of context, and the mark that each may have lost: "" if that may be either.

        A `+` is perhaps lost where a line without a mark is not the one that the file has there, or the file has it
        once and the hunk twice. Or the header announces just as many new lines as there are with it, and fewer old ones
        (`@@ -1 +1,2 @@`, ` a`, ` b`): then every line may be new that is not written just as in the file.
        """
        twice = {self._lines[at].body.strip() for at, row in self._rows.items() if row is None}
        for at, row in self._rows.items():
            line = self._lines[at]
            if line.kind == "-" or is_blank(line.body):
                continue
            found = "" if row is None else body_of(self._file[row])
            written = found if found == f" {line.body}" else line.body
            is_known = _are_alike(line.body, found) and line.body.strip() not in twice
            is_sure = found == line.body and not (line.is_doubtful and self._around.is_mended)
            if self._is_perhaps_removed(at):
                yield written, "-"
            elif (line.is_doubtful and not is_known) or (self._is_fewer and not is_sure):
                yield written, "+"
            elif self._is_in_doubt(at):
                yield written, ""

    def among_blanks(self) -> Iterator[str]:
        """Blank ones, if the file has not all of them, or the header has announced fewer old lines.

        With a mark they are context, unless the file has no such line and the header shows that one is new, or the
        hunk changes nothing else. Without a mark, before or behind all other lines, they do not belong to the hunk.
        Those among new lines are not asked about if the file has none there: they are written as new ones in any case.
        """
        inner = [at for at, line in enumerate(self._lines) if not line.is_doubtful or line.body.strip()]
        if not inner or self._lacking == (0, 0):
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
        return self._lacking is not None and self._lacking[0] < 0 == self._lacking[1]

    def _is_perhaps_removed(self, at: int) -> bool:
        """Whether a line of context has no sign, or is like the new line in its place.

        Then the header has announced just as many old lines as there are with it, and fewer new ones.
        """
        if self._lacking is None or not self._lacking[1] < 0 == self._lacking[0]:
            return False
        behind = [at + step for step in {1, -self._lacking[1]}]
        added = [self._lines[one].body for one in behind if self._kind(one) == "+"]
        return at in self._unsigned or any(resembles(self._lines[at].body, one, self._budget) for one in added)

    def _is_in_doubt(self, at: int) -> bool:
        """Whether a line has no sign, and the counts do not confirm that it is context.

        If there is no other context but blank lines, that is so before a new line, which may replace it, and between
        two removed ones. Else some context must have its sign. Then a line without one is in doubt next to a change, or
        if it is new or removed elsewhere in the hunk, or if the hunk changes nothing at all. But right behind a new
        line it is context, as no diff removes a line there, unless one more new line follows, or a line of the hunk is
        wrong.
        """
        if at not in self._unsigned or self._lacking == (0, 0):
            return False
        last, following = self._kind(at - 1), self._kind(at + 1)
        is_alone = all(one == at or is_blank(self._lines[one].body) for one in self._context)
        if is_alone and (following == "+" or (last, following) == ("-", "-")):
            return True
        if not self._has_signs:
            return False
        if last == "+" and following != "+":
            return self._around.is_mended
        is_repeated = self._lines[at].body.strip() in self._changed
        return is_repeated or self._hunk.is_noop or (last, following) != (" ", " ")

    def _kind(self, at: int) -> str:
        """What that line of the hunk is; before its first line and behind its last there is context."""
        return self._lines[at].kind if 0 <= at < len(self._lines) else " "

    @cached_property
    def _context(self) -> set[int]:
        """Which lines are context."""
        return {at for at in self._rows if self._lines[at].kind == " "}

    @cached_property
    def _has_signs(self) -> bool:
        """Whether some context has its sign; a line that is wrong does not show it."""
        rows = ((self._lines[at].body, self._rows[at]) for at in self._context - self._unsigned)
        return any(_are_alike(body, "" if row is None else self._file[row]) for body, row in rows)

    @cached_property
    def _unsigned(self) -> set[int]:
        """Which lines of context have no sign: the file has them as they are written, with their first blank.

        Or they are not, and other context that is as deep in the file is written with one blank more. If that is so of
        removed lines, too, all lines of the hunk have lost a blank.
        """
        found = [
            (at, self._lines[at].body, body_of(self._file[row])) for at, row in self._rows.items() if row is not None
        ]
        depths = {(indent_of(body), indent_of(line)) for at, body, line in found if at in self._context}
        deeper = {
            at
            for at, body, line in found
            if line == f" {body}" or (line != body and (f" {indent_of(body)}", indent_of(line)) in depths)
        }
        deeper = deeper if deeper <= self._context else set()
        return deeper | {at for at in self._rows if self._lines[at].is_doubtful}

    @cached_property
    def _changed(self) -> set[str]:
        """The new lines and those that are removed, without blanks at their ends."""
        return {line.body.strip() for line in self._lines if line.kind != " "}

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
        if self._behind and all(is_blank(line.body) for line in self._behind):
            lacking = self._lacking_behind
            if lacking is not None and lacking[1] - lacking[0] == len(self._behind):
                yield ""

    @property
    def _lacking_behind(self) -> tuple[int, int] | None:
        """The same as `_lacking`, of lines that may be behind all others: none are behind the end of the file.

        Blank lines without a mark that come last, and that the file does not have, are among those behind.
        """
        if self._lacking is None:
            return None
        if self._lines[-1].is_unended and self._lines[-1].kind != "-":
            return 0, 0
        size = len(self._lines)
        own = next((at for at in range(size, 0, -1) if not self._is_surplus(at - 1)), 0)
        return self._lacking[0] + size - own, self._lacking[1] + size - own

    def _is_surplus(self, at: int) -> bool:
        """Whether it is a blank line without a mark that the file does not have."""
        return self._lines[at].is_doubtful and self._rows.get(at, 0) is None

    def _is_missing(self, rest: Sequence[Line]) -> bool:
        """Whether these lines without a mark, of which the last is no line of the file there, may belong to the hunk.

        Prose has a blank line before it as a rule. So behind a blank line they are prose, unless they are just as many
        as the header announces new ones that have not come, or it announces any, and they look like code. Right behind
        the hunk they are prose only if the header has counts that leave room for no more lines; or for context alone,
        and no context with its mark follows.
        """
        is_next, lacking = not is_blank(rest[0].body), self._lacking_behind
        if lacking is None:
            return is_next
        if lacking[1] > 0 and _is_code(rest):
            return True
        owed = lacking[1] - lacking[0]
        if not is_next:
            least = max(at for at, line in enumerate(rest, 1) if not is_blank(line.body))
            return least <= owed <= len(rest)
        is_followed = any(line.kind == " " and not line.is_doubtful for line in rest)
        is_short = max(lacking) > 0 and (owed != 0 or is_followed)
        return owed > 0 or is_short or self._around.is_counted or (self._around.is_new and owed != 0)


def _is_code(rest: Sequence[Line]) -> bool:
    """Whether a line opens something and the next one is deeper, as in no prose; up to a fence.

    An example in prose has a blank line before it, or a line of words with a capital letter: `To run it:`.
    """
    bodies = takewhile(lambda body: not is_fence(body), map(text_of, rest))
    return any(
        opens(one) and len(indent_of(one)) < len(indent_of(other)) and not _SENTENCE.fullmatch(one)
        for one, other in pairwise(bodies)
    )


def _is_same(line: Line, other: str, *, to_the_letter: bool) -> bool:
    """Whether a line behind a hunk is that of the file."""
    if to_the_letter:
        return not line.is_doubtful and line.kind == " " and line.body == body_of(other)
    return _are_alike(line.body, other)


def _are_alike(line: str, other: str) -> bool:
    return as_typed(line.strip()) == as_typed(other.strip())
