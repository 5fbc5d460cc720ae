"""New lines of a block, as text of the file.

A new line that is also one of the old lines is not new: the line of the file stays as it is, with its own blanks,
quotes and ending (`alignment.py`). Others are indented as the old lines show (`indent.py`) and end as the line ends
whose place they take. What follows from the lines so far is given at once; nothing is ever taken back.

The file and the block may differ in blank lines. Those that only the file has stay where they were, before the old
line that follows them or the new one in its place, unless the block has new blank lines there. Those that the old
lines have and the file has not are left out again between lines that stay, and around all lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from streamparse.diff.alignment import Alignment
from streamparse.diff.blank_lines import BlankLines
from streamparse.diff.evidence import Evidence
from streamparse.diff.indent import KEPT, Indentation, indent_of, step_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, BOM, body_of, is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.result import Strategy
from streamparse.diff.structure import begins_block, is_flat

#: So many lines before and behind the old ones show how deep the steps of the file are.
_AROUND = 100


class Replacement:
    """Takes the new lines of one block, which belongs at `place`."""

    def __init__(self, index: FileIndex, place: Place, match: Match) -> None:
        self._index = index
        self._place = place
        self._old = match.lines
        self._is_condensed = match.strategy is Strategy.CONDENSED
        #: Whether a line may be shown before its end: only if it is not changed by anything here.
        self.is_verbatim = match.strategy is Strategy.EXACT or not match.lines
        self._step: str | None = None  # how much deeper lines of the file are, once it is known
        self._pairs = [] if match.strategy is Strategy.EXACT else _pairs(index, place, match)
        self._indentation = Indentation(self._pairs, self._find_step) if self._pairs else KEPT
        self._is_doubtful = False
        self._is_reindented = not self._indentation.is_kept
        self._is_framed = not self._is_reindented  # whether it is known what the indentation of new lines refers to
        #: All new lines, if that of each of them is only known when all are there.
        self._held: list[tuple[str, str]] | None = None
        #: Those that are not blank, as the file is to have them.
        self._decided: Iterator[str] | None = None
        #: Whether one line shows all that is known, and that without its blanks: so is text that is trimmed as a whole,
        #: in which a further part at the margin may belong there.
        self._is_trimmed = False
        #: Old lines as they are written, if new lines are not to be written so.
        self._misindented: set[str] = set()
        self._trimmed = ""  # the first new line, if it was trimmed, as long as the next is not known
        self._previous = ""  # the line before the next new one, if that was changed
        self._is_previous_new = False
        self._is_behind_blank = False
        self._has_text = False  # whether a line that is not blank was written
        if not self._is_framed:
            self._prepare()
        self._is_in_step = True  # whether the new line before this one was the old line before the next
        #: Blank lines before all others that the file does not have: they are the model's way to space things out.
        self._surplus = 0
        self._blanks: list[tuple[str, str]] = []  # perhaps such lines behind all others
        self._missing: list[tuple[str, str]] = []  # such lines between others
        #: By old line: the blank lines before it that only the file has.
        self._unknown: dict[int, range] = {}
        if match.strategy is Strategy.CONDENSED or match.middles:
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

    @cached_property
    def _alignment(self) -> Alignment:
        return Alignment(self._old)

    def _prepare(self) -> None:
        """The old lines are indented in another way than the file."""
        if self._indentation.is_contradictory:
            self._held = []
            self._is_framed = True
        else:
            self._is_trimmed = len(self._pairs) == 1 and not indent_of(self._pairs[0][0])

    def _find_step(self) -> str:
        if self._step is None:
            place = self._place
            self._step = step_of(self._index.lines[max(0, place.start - _AROUND) : place.end + _AROUND])
        return self._step

    @property
    def is_doubtful(self) -> bool:
        """Whether the indentation of some new line is not certain."""
        return self._is_doubtful or self._indentation.is_guessed

    @property
    def is_indented(self) -> bool:
        """Whether new lines may be indented otherwise than they are written."""
        return self._is_reindented

    def has_doubtful_blanks(self, new: Sequence[str]) -> bool:
        """Whether it is not certain what becomes of blank lines of which only one side knows."""
        return self._is_condensed and BlankLines(self._index, self._place, self._old, new).are_doubtful()

    def has_line(self, body: str) -> bool:
        """Whether the old lines, or any line of the file, are that but for blanks at its ends."""
        key = body.strip()
        return any(line.strip() == key for line in self._old) or bool(self._index.trimmed.places([key]))

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
        if not self._is_framed and not is_blank(body):
            self._find_frame(body)
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
        return self._release() + self._line(body, ending) if self._blanks else self._line(body, ending)

    def finish(self) -> str:
        """There are no more lines."""
        text = "" if self._held is None else self._decide(self._held)
        return text + self._finish()

    def _finish(self) -> str:
        del self._blanks[max(0, len(self._blanks) - self._place.surplus) :]
        text = self._release() + self._write_missing()
        if self._is_previous_new:
            self._check_step(self._line_behind(), is_new=False, is_derived=True)
        return text

    def _find_frame(self, body: str) -> None:
        """The first new line shows whether the new lines are indented like SEARCH, or like the file."""
        self._is_framed = True
        written, found = map(indent_of, self._pairs[0])
        indent = indent_of(body)
        if indent == found != written:
            if self._indentation.knows(indent):
                self._is_doubtful = True  # it may be either
            self._keep()
        elif indent != written and body not in self._old and self._find_step():
            self._is_doubtful = True

    def _keep(self) -> None:
        """The new lines are indented as the file is, although the old ones are not."""
        origins = self._place.origins
        lines = self._index.lines
        self._misindented = {written for written, found in self._pairs if indent_of(written) != indent_of(found)}
        self._old = [
            line if origin is None else body_of(lines[origin]) for line, origin in zip(self._old, origins, strict=True)
        ]
        self.__dict__.pop("_alignment", None)  # it is about other lines
        self._indentation = KEPT

    def _decide(self, held: list[tuple[str, str]]) -> str:
        """All new lines are there, and the indentation of the old ones says nothing about theirs."""
        self._held = None
        evidence = Evidence(self._pairs, self._line_before(), self._line_behind(), self._index.similar)
        new = [body for body, _ in held if not is_blank(body)]
        if evidence.is_as_in_file(new):
            self._keep()
        elif (lines := evidence.indented(new)) is not None:
            self._decided = iter(lines)
        else:
            self._is_doubtful = True
        return "".join(self._add(*line) for line in held)

    def _line_before(self) -> str:
        """The line of the file before the old ones, blank ones aside."""
        lines = self._index.lines
        return next((lines[at] for at in range(self._place.start - 1, -1, -1) if not is_blank(lines[at])), "")

    def _line_behind(self) -> str:
        lines = self._index.lines
        return next((lines[at] for at in range(self._place.end, len(lines)) if not is_blank(lines[at])), "")

    def _check_step(self, line: str, *, is_new: bool, is_derived: bool = False) -> None:
        """A new line that belongs to the one before it, or to which the next belongs, is not as deep as that."""
        if self._trimmed and not is_blank(line):
            self._is_doubtful = self._is_doubtful or is_flat(self._trimmed, line)
            self._trimmed = ""
        if self._indentation.is_kept or self._indentation.shows_steps:
            return
        self._is_behind_blank = is_blank(line) and self._has_text
        if self._is_behind_blank:
            return
        previous = body_of(self._previous if self._has_text else self._line_before())
        if (is_new or self._is_previous_new) and is_flat(previous, line):
            self._is_doubtful = True
        if is_derived and previous and self._is_too_deep(previous, line):
            self._is_doubtful = True
        self._previous, self._is_previous_new = line, is_new
        self._has_text = True

    def _is_too_deep(self, previous: str, line: str) -> bool:
        """Whether it is deeper than the line before, and not just a step in a block that begins with that."""
        outer, inner = indent_of(previous), indent_of(line)
        if len(inner) <= len(outer) or not (step := self._find_step()):
            return False
        return not begins_block(previous) or inner != outer + step

    def _release(self) -> str:
        blanks, self._blanks = self._blanks, []
        return "".join(self._line(*blank) for blank in blanks)

    def _line(self, body: str, ending: str) -> str:
        due = self._alignment.next
        at = self._alignment.find(body)
        is_in_step = self._is_in_step and at == due
        self._is_in_step = at is not None
        origin = None if at is None else self._place.origins[at]
        if is_in_step and origin is None:
            self._missing.append((body, ending))  # it is only written if the next line is another
            return ""
        if is_in_step:
            self._missing = []
        missing = self._write_missing() if self._missing else ""
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
        line = body_of(self._index.lines[origin])
        if self._decided is not None and not is_blank(line) and indent_of(next(self._decided)) != indent_of(line):
            self._is_doubtful = True
        if self._is_reindented:
            self._check_step(line, is_new=False)
        return self._write(line, self._index.ending_at(origin) or ending or "\n", before)

    def _write_missing(self) -> str:
        missing, self._missing = self._missing, []
        return "".join(self._new_line(*line) for line in missing)

    def _new_line(self, body: str, ending: str) -> str:
        before = ""
        if is_blank(body):
            self._fresh_blanks += 1
            self._is_behind_blank = self._has_text
        else:
            if self._may_replace:
                before = self._unknown_before(self._alignment.next)
                self._unknown.pop(self._alignment.next, None)
            self._may_replace = False
            self._fresh_blanks = 0
            if self._is_reindented:
                body = self._indented(body)
        return self._write(body, self._ending(ending), before)

    def _indented(self, body: str) -> str:
        """The new line, which is not blank, as it is indented in the file."""
        is_derived = self._decided is None and (self._has_text or not self._indentation.knows(indent_of(body)))
        if self._decided is not None:
            body = indent_of(next(self._decided)) + body.lstrip(BLANKS)
        else:
            if body in self._misindented or (self._is_trimmed and self._is_behind_blank and not indent_of(body)):
                self._is_doubtful = True
            body = self._indentation.apply(body, is_first=not self._is_begun)
        self._check_step(body, is_new=True, is_derived=is_derived)
        if self._indentation.is_first_trimmed and not self._is_begun:
            self._trimmed = body
            self._is_doubtful = self._is_doubtful or self._indentation.is_first_deeper
        return body

    def _unknown_before(self, at: int) -> str:
        """The blank lines before that old line that only the file has, less those that were written anew."""
        rows = self._unknown.get(at)
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


def _pairs(index: FileIndex, place: Place, match: Match) -> list[tuple[str, str]]:
    """The old lines that are not blank, as they are written and as the file has them."""
    return [
        (line, body_of(index.lines[origin]))
        for line, origin in zip(match.lines, place.origins, strict=True)
        if origin is not None and not is_blank(line)
    ]


def _unknown_rows(place: Place) -> dict[int, range]:
    rows: dict[int, range] = {}
    row = place.start
    for at, origin in enumerate(place.origins):
        if origin is not None:
            if row < origin:
                rows[at] = range(row, origin)
            row = origin + 1
    return rows
