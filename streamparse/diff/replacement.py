"""New lines of a block, as text of the file.

A new line that is also one of the old lines is not new: the line of the file stays as it is, with its own blanks,
quotes and ending. Blank lines around the old and the new lines that the file does not have are left out. Others are
indented as the old lines show (`indent.py`) and end as the line ends whose place they take. What follows from the
lines so far is given at once; nothing is ever taken back.
"""

from __future__ import annotations

from streamparse.diff.alignment import Alignment
from streamparse.diff.indent import Indentation
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.match import Match, Place


class Replacement:
    """Takes the new lines of one block, which belongs at `place`."""

    def __init__(self, index: FileIndex, place: Place, match: Match) -> None:
        self._index = index
        self._place = place
        self._old = match.lines
        #: Whether a line may be shown before its end: only if it is not changed by anything here.
        self.is_verbatim = match.strategy == "exact" or not match.lines
        self._indentation = Indentation(
            (line, index.lines[origin])
            for line, origin in zip(match.lines, place.origins, strict=True)
            if origin is not None and not self.is_verbatim
        )
        self._alignment = Alignment(match.lines)
        #: Blank lines before all others that the file does not have: they are the model's way to space things out.
        self._surplus = next((at for at, origin in enumerate(place.origins) if origin is not None), 0)
        self._row = place.start  # the line of the file whose ending a new line takes
        self._is_in_step = True  # whether the new line before this one was the old line before the next
        self._shown = 0
        self._blanks: list[tuple[str, str]] = []
        self._owed = ""  # an ending that is only written if a line follows
        self._is_unended = bool(match.lines) and place.end == len(index.lines) and index.ends_without_newline

    def begin(self, text: str) -> str:
        """The beginning, or more, of a line that is not complete."""
        owed, self._owed = self._owed, ""
        self._shown += len(text)
        return owed + text

    def add(self, body: str, ending: str) -> str:
        """A whole line."""
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
        del self._blanks[max(0, len(self._blanks) - self._place.surplus) :]
        return self._release()

    def _release(self) -> str:
        blanks, self._blanks = self._blanks, []
        return "".join(self._line(*blank) for blank in blanks)

    def _line(self, body: str, ending: str) -> str:
        due = self._alignment.next
        at = self._alignment.find(body)
        origin = None if at is None else self._place.origins[at]
        is_in_step = self._is_in_step and at == due
        self._is_in_step = at is not None
        if origin is None:
            return self._write(self._indentation.apply(body), self._ending(ending))
        # Blank lines of the file of which the block knows nothing stay where nothing is changed around them.
        kept = "".join(self._index.lines[self._row : origin]) if is_in_step and self._row < origin else ""
        self._row = origin + 1
        line = body_of(self._index.lines[origin])
        return self._write(line, self._index.ending_at(origin) or ending or "\n", kept)

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
        if self._is_unended:
            self._owed = ending
            return new
        return new + ending
