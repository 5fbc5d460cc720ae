"""New lines of a block, as text of the file.

A new line that is also one of the old lines is not new: the line of the file stays as it is, with its own blanks,
quotes and ending (`alignment.py`). Others are indented as the old lines show (`early_indentation.py`), and end as the
line ends whose place they take. What follows from the lines so far is given at once; nothing is ever taken back.

The file and the block may differ in blank lines. What becomes of those that only the file has is decided when all new
lines are there (`blank_lines.py`). Those that the old lines have and the file has not are left out again between lines
that stay, and around all lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from streamparse.diff.alignment import Alignment
from streamparse.diff.blank_lines import BlankLines, has_more_pages
from streamparse.diff.change_rows import BlockRows
from streamparse.diff.early_indentation import EarlyIndentation
from streamparse.diff.elsewhere import are_made_beside, are_there_already, may_be_elsewhere
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, BOM, is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.reindent import reindentation_at
from streamparse.diff.result import Strategy


class Replacement:
    """Takes the new lines of one block, which belongs at `place`."""

    def __init__(self, index: FileIndex, place: Place, match: Match) -> None:
        self._index = index
        self._place = place
        self._old = self._written = match.lines
        #: Whether blank lines may not be those of the file.
        self._is_condensed = match.strategy is Strategy.CONDENSED or bool(match.middles)
        #: Whether a line may be shown before its end: only if it is not changed by anything here.
        self.is_verbatim = match.strategy is Strategy.EXACT or not match.lines
        self._may_be_elsewhere = match.strategy is Strategy.TRIMMED and may_be_elsewhere(index, match, place)
        self._reindentation = reindentation_at(index, place, match)
        self._early = EarlyIndentation(self._reindentation) if self._reindentation is not None else None
        self._rows = BlockRows(match.lines, place, index)
        #: All new lines, if the indentation of each of them is only known when all are there.
        self._held: list[tuple[str, str]] | None = [] if self._early and self._early.is_late else None
        self._is_in_step = True  # whether the new line before this one was the old line before the next
        #: How many blank lines SEARCH begins with that the file does not have: the model's way to space things out.
        self._surplus = 0
        #: Blank new lines that may be those which SEARCH ends with and the file does not have.
        self._blanks: list[tuple[str, str]] = []
        #: New lines that are blank old lines which the file does not have, between lines that stay so far.
        self._missing: list[tuple[str, str]] = []
        if self._is_condensed:
            self._surplus = next((at for at, origin in enumerate(place.origins) if origin is not None), 0)
            if sum(origin is not None for origin in place.origins) < place.end - place.start:
                self._held = []  # all of them show what becomes of blank lines that only the file has
        self._blank_lines: BlankLines | None = None
        self._unknown = range(0)  # the blank lines of the file, not in SEARCH, that stay before the next new line
        self._row = place.start  # the line of the file whose ending a new line takes
        #: Whether the next line is the first of a file that has its byte order mark already.
        self._has_bom = bool(index.bom) and place.start == 0
        self._shown = 0
        self._is_begun = False
        self._owed = ""  # an ending that is only written if a line follows
        self._is_unended = bool(match.lines) and place.end == len(index.lines) and index.ends_without_newline

    @cached_property
    def _alignment(self) -> Alignment:
        return Alignment(self._old)

    @property
    def is_doubtful(self) -> bool:
        """Whether the indentation of some new line is not certain."""
        return self._may_be_elsewhere or (self._early is not None and self._early.is_doubtful)

    @property
    def is_indented(self) -> bool:
        """Whether new lines may be indented otherwise than they are written."""
        return self._early is not None and not self._early.is_kept

    @property
    def hides_steps(self) -> bool:
        """Whether the old lines do not show how deep they are to each other: nor do new ones that are the same."""
        return self._reindentation is not None and self._reindentation.hides_steps

    def may_indent(self, new: Sequence[str]) -> bool:
        """Whether new lines seem to have the indentation of the file, and the old ones have not; and all are old ones.

        Then they were perhaps to be indented, as seen from the old ones, unless one of these is as deep in both.
        """
        if self._early is None or not self._early.is_kept:
            return False
        if any(indent_of(line) and line in self._written for line in new):
            return False
        old = {"", *(line.strip() for line in self._old)}
        return all(line.strip() in old for line in new)

    def has_doubtful_blanks(self, new: Sequence[str]) -> bool:
        """Whether it is not certain what becomes of blank lines of which only one side knows."""
        return has_more_pages(self._index, self._place, self._old, new) or (
            self._is_condensed and self._blank_lines_of(new).are_doubtful
        )

    def _blank_lines_of(self, new: Sequence[str]) -> BlankLines:
        if self._blank_lines is None:
            self._blank_lines = BlankLines(self._index, self._place, self._old, new)
        return self._blank_lines

    def are_there_already(self, new: Sequence[str]) -> bool:
        """Whether the file has the new lines to the letter, and not the old ones."""
        origins = self._place.origins
        return not self.is_verbatim and are_there_already(self._index, self._old, new, origins)

    def are_made_beside(self, new: Sequence[str], *, is_at_number: bool) -> bool:
        """Whether lines that are new before or behind all old ones are in the file right there already."""
        return are_made_beside(self._index, self._place, self._written, new, is_at_number=is_at_number)

    def begin(self, text: str) -> str:
        """The beginning, or more, of a line that is not complete."""
        if self._has_bom and not self._shown:
            text = text.removeprefix(BOM)
        owed, self._owed = self._owed, ""
        self._shown += len(text)
        return owed + text

    def add(self, body: str, ending: str) -> str:
        """A whole line."""
        if self._has_bom:
            self._has_bom = False
            body = body.removeprefix(BOM)
        if self._held is not None:
            self._held.append((body, ending))
            return ""
        self._begin_with(body)
        return self._add(body, ending)

    def _begin_with(self, body: str) -> None:
        """Lines that are not blank show how the others are indented, if not all of them are needed."""
        if self._early is not None and not self._early.is_begun and not is_blank(body) and self._early.begin(body):
            self._keep()

    def _add(self, body: str, ending: str) -> str:
        if self._surplus and is_blank(body):
            self._surplus -= 1
            self._alignment.next += 1
            return ""
        self._surplus = 0
        if self._place.surplus and is_blank(body):
            self._blanks.append((body, ending))
            return ""
        return self._release() + self._line(body, ending)

    def finish(self) -> str:
        """There are no more lines."""
        text = "" if self._held is None else self._write_held(self._held)
        del self._blanks[max(0, len(self._blanks) - self._place.surplus) :]
        text += self._release() + self._write_missing()
        if self._early is not None:
            self._early.settle(self._rows.all())
        return text

    def _write_held(self, held: list[tuple[str, str]]) -> str:
        self._held = None
        new = [body for body, _ in held]
        if self._early is not None and self._early.is_late:
            if self._early.decide(new):
                self._keep()
        else:
            for body in new:
                self._begin_with(body)
        unknown = self._blank_lines_of(new).before if self._is_condensed else {}
        text = ""
        for number, line in enumerate(held):
            self._unknown = unknown.get(number, range(0))
            text += self._add(*line)
        return text

    def _keep(self) -> None:
        """The new lines are indented as the file is, although the old ones are not."""
        lines, origins = self._index.lines, self._place.origins
        self._old = [
            line if origin is None or is_blank(line) else indent_of(lines[origin]) + line.lstrip(BLANKS)
            for line, origin in zip(self._old, origins, strict=True)
        ]
        self._alignment.read(self._old)

    def _release(self) -> str:
        if not self._blanks:
            return ""
        blanks, self._blanks = self._blanks, []
        return "".join(self._line(*blank) for blank in blanks)

    def _line(self, body: str, ending: str) -> str:
        alignment = self._alignment
        due = alignment.next
        at = alignment.find(body)
        is_in_step = self._is_in_step and at == due
        self._is_in_step = at is not None
        origin = None if at is None else self._place.origins[at]
        if is_in_step and origin is None:
            self._missing.append((body, ending))  # it is only written if the next line is another
            return ""
        if is_in_step:
            self._missing = []
        missing = self._write_missing()
        if at is None or origin is None:
            return missing + self._new_line(body, ending)
        return missing + self._old_line(at, origin, body, ending)

    def _old_line(self, at: int, origin: int, written: str, ending: str) -> str:
        before = self._unknown_before(self._index.lines[origin])
        self._row = origin + 1
        line = self._index.without_ending(self._index.lines[origin])
        if self._early is not None:
            self._early.pass_old(line, written, is_moved=not self._rows.keep(at, written))
        return self._write(line, self._index.ending_at(origin) or ending or "\n", before)

    def _write_missing(self) -> str:
        if not self._missing:
            return ""
        missing, self._missing = self._missing, []
        return "".join(self._new_line(*line) for line in missing)

    def _new_line(self, body: str, ending: str) -> str:
        before = self._unknown_before(body)
        if self._early is not None:
            self._rows.add(body)
            body = self._early.indented(body, is_first=not self._is_begun)
        return self._write(body, self._ending(ending), before)

    def _unknown_before(self, line: str) -> str:
        """The blank lines before that new line that only the file has; others that waited for it come first."""
        if is_blank(line) or not self._unknown:
            return ""
        rows, self._unknown = self._unknown, range(0)
        self._row = rows.stop
        return "".join(self._index.lines[rows.start : rows.stop])

    def _ending(self, ending: str) -> str:
        if not self._old:
            return ending
        row = min(self._row, self._place.end - 1)
        self._row += 1
        return self._index.ending_at(row) or ending or "\n"

    def _write(self, text: str, ending: str, before: str = "") -> str:
        owed, self._owed = self._owed, ""
        new = owed + before + text[self._shown :]
        self._shown = 0
        self._is_begun = True
        if self._is_unended:
            self._owed = ending
            return new
        return new + ending
