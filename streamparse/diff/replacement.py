"""New lines of a block, as text of the file.

A new line that is also one of the old lines is not new: the line of the file stays as it is, with its own blanks,
quotes and ending (`alignment.py`). Others are indented as the old lines show (`reindent.py`) and end as the line ends
whose place they take. What follows from the lines so far is given at once; nothing is ever taken back.

The file and the block may differ in blank lines. Those that only the file has stay where they were, before the old
line that follows them or the new one in its place, unless the block has new blank lines there. Those that the old
lines have and the file has not are left out again between lines that stay, and around all lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamparse.diff.alignment import Alignment
from streamparse.diff.blank_lines import BlankLines, may_be_next_blank
from streamparse.diff.evidence import are_there_already, may_be_elsewhere
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, BOM, is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.placeholder import first_placeholder
from streamparse.diff.reindent import reindentation_at
from streamparse.diff.result import Strategy


class Replacement:
    """Takes the new lines of one block, which belongs at `place`."""

    def __init__(self, index: FileIndex, place: Place, match: Match) -> None:
        self._index = index
        self._place = place
        self._old = match.lines
        #: Whether blank lines may not be those of the file.
        self._is_condensed = match.strategy is Strategy.CONDENSED or bool(match.middles)
        #: Whether a line may be shown before its end: only if it is not changed by anything here.
        self.is_verbatim = match.strategy is Strategy.EXACT or not match.lines
        self._may_be_elsewhere = match.strategy is Strategy.TRIMMED and may_be_elsewhere(index, match, place)
        self._reindentation = reindentation_at(index, place, match)
        #: All new lines, if the indentation of each of them is only known when all are there.
        self._held: list[tuple[str, str]] | None = [] if self._reindentation and self._reindentation.is_late else None
        self._aligned: Alignment | None = None
        self._is_in_step = True  # whether the new line before this one was the old line before the next
        #: Blank lines before all others that the file does not have: they are the model's way to space things out.
        self._surplus = 0
        self._blanks: list[tuple[str, str]] = []  # perhaps such lines behind all others
        self._missing: list[tuple[str, str]] = []  # such lines between others
        #: By old line: the blank lines before it that only the file has.
        self._unknown: dict[int, range] = {}
        if self._is_condensed:
            self._surplus = next((at for at, origin in enumerate(place.origins) if origin is not None), 0)
            self._unknown = _unknown_rows(place)
        self._may_replace = False  # whether a new line may take the place of the next old one, with those before it
        self._fresh_blanks = 0  # how many new blank lines were written last
        self._row = place.start  # the line of the file whose ending a new line takes
        #: Whether the next line is the first of a file that has its byte order mark already.
        self._has_bom = bool(index.bom) and place.start == 0
        self._shown = 0
        self._is_begun = False
        self._owed = ""  # an ending that is only written if a line follows
        self._is_unended = bool(match.lines) and place.end == len(index.lines) and index.ends_without_newline

    @property
    def _alignment(self) -> Alignment:
        if self._aligned is None:
            self._aligned = Alignment(self._old)
        return self._aligned

    @property
    def is_doubtful(self) -> bool:
        """Whether the indentation of some new line is not certain."""
        return self._may_be_elsewhere or (self._reindentation is not None and self._reindentation.is_doubtful)

    @property
    def is_indented(self) -> bool:
        """Whether new lines may be indented otherwise than they are written."""
        return self._reindentation is not None

    @property
    def hides_steps(self) -> bool:
        """Whether the old lines do not show how deep they are to each other: nor do new ones that are the same."""
        return self._reindentation is not None and self._reindentation.hides_steps

    def may_indent(self, new: Sequence[str]) -> bool:
        """Whether new lines seem to have the indentation of the file, and the old ones have not; and all are old ones.

        Then they were perhaps to be indented, as seen from the old ones.
        """
        if self._reindentation is None or not self._reindentation.is_kept:
            return False
        old = {"", *(line.strip() for line in self._old)}
        return all(line.strip() in old for line in new)

    def has_doubtful_blanks(self, new: Sequence[str]) -> bool:
        """Whether it is not certain what becomes of blank lines of which only one side knows."""
        if may_be_next_blank(self._index, self._place, self._old, new):
            return True
        return self._is_condensed and BlankLines(self._index, self._place, self._old, new).are_doubtful()

    def are_there_already(self, new: Sequence[str]) -> bool:
        """Whether the file has the new lines to the letter, and not the old ones."""
        origins = self._place.origins
        return not self.is_verbatim and are_there_already(self._index, self._old, new, origins)

    def placeholder(self, new: Sequence[str]) -> str | None:
        """A new line that stands for others."""
        return first_placeholder(new, self._old, self._index, self._place.start)

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
        if self._reindentation is not None and not self._reindentation.is_begun and not is_blank(body):
            is_as_in_file = self._reindentation.begin(body)
            if is_as_in_file:
                self._keep()
        return self._add(body, ending)

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
        if self._reindentation is not None:
            self._reindentation.finish()
        return text

    def _write_held(self, held: list[tuple[str, str]]) -> str:
        assert self._reindentation is not None  # it holds them
        self._held = None
        if self._reindentation.decide([body for body, _ in held]):
            self._keep()
        return "".join(self._add(*line) for line in held)

    def _keep(self) -> None:
        """The new lines are indented as the file is, although the old ones are not."""
        lines, origins = self._index.lines, self._place.origins
        self._old = [
            line if origin is None or is_blank(line) else indent_of(lines[origin]) + line.lstrip(BLANKS)
            for line, origin in zip(self._old, origins, strict=True)
        ]
        self._aligned = None  # with other lines

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
        return missing + self._old_line(at, origin, ending, due)

    def _old_line(self, at: int, origin: int, ending: str, due: int) -> str:
        # A line that was found behind others that are left out may be a copy, which brings nothing along.
        is_certain = at == due or self._alignment.is_distinct(self._old[at])
        before = self._unknown_before(at) if is_certain and at >= due and self._is_begun else ""
        self._may_replace = is_certain
        self._fresh_blanks = 0
        self._row = origin + 1
        line = self._index.without_ending(self._index.lines[origin])
        if self._reindentation is not None:
            self._reindentation.pass_old(line)
        return self._write(line, self._index.ending_at(origin) or ending or "\n", before)

    def _write_missing(self) -> str:
        if not self._missing:
            return ""
        missing, self._missing = self._missing, []
        return "".join(self._new_line(*line) for line in missing)

    def _new_line(self, body: str, ending: str) -> str:
        before = ""
        if is_blank(body):
            self._fresh_blanks += 1
            if self._reindentation is not None:
                body = self._reindentation.pass_blank(body)
        else:
            if self._may_replace:
                before = self._unknown_before(self._alignment.next)
            self._may_replace = False
            self._fresh_blanks = 0
            if self._reindentation is not None:
                body = self._reindentation.indented(body, is_first=not self._is_begun)
        return self._write(body, self._ending(ending), before)

    def _unknown_before(self, at: int) -> str:
        """The blank lines before that old line that only the file has, once, less those that were written anew."""
        rows = self._unknown.pop(at, None)
        if rows is None:
            return ""
        self._row = rows.stop
        rows = rows[self._fresh_blanks :]
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


def _unknown_rows(place: Place) -> dict[int, range]:
    rows: dict[int, range] = {}
    row = place.start
    for at, origin in enumerate(place.origins):
        if origin is not None:
            if row < origin:
                rows[at] = range(row, origin)
            row = origin + 1
    return rows
