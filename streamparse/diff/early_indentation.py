"""New lines of a block as they are indented while it is being written, before all of its lines are there.

What is shown then follows the rule that the old lines show, or the indentation of the file if the first new line has
that. Whether it was right is only known at the end, from all lines (`reindent.py`); if it was not, the block fails.
Where old lines show no rule, new ones are held until then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamparse.diff.change_rows import Row
from streamparse.diff.indent import KEPT, Indentation, indent_of
from streamparse.diff.lines import filled_of, is_blank
from streamparse.diff.reference import Manner
from streamparse.diff.reindent import Reindentation


class EarlyIndentation:
    """Takes the lines of the replacement in order. `whole` is asked about all of them at the end."""

    def __init__(self, whole: Reindentation) -> None:
        self._whole = whole
        self._rule: Indentation = whole.rule
        #: Whether new lines are held until all of them are there: `decide` is told them.
        self.is_late = whole.rule.is_contradictory
        #: Whether it is known what the indentation of new lines refers to; if not, `begin` is told the next of them.
        self.is_begun = self.is_late or bool(whole.rule.slips)
        self._is_first = True
        self._decided: Iterator[str] | None = None  # the lines that are not blank, if `decide` has found them out
        self._keeps_old = False  # whether a line that stays is as deep as in SEARCH, and not so in the file
        self._shown: list[str] = []  # new lines that are not blank, as they are in the file
        self.is_doubtful = False

    @property
    def is_kept(self) -> bool:
        """Whether new lines are indented as the file is, although the old ones are not."""
        return self._rule.is_kept

    def begin(self, body: str) -> bool:
        """Takes the next new line that is not blank, until `is_begun`; returns whether they stay as written."""
        written, found = self._rule.first
        indent, known = indent_of(body), self._whole.depths.get(body.strip(), set())
        is_as_old = any(indent == one != other for one, other in known)
        is_as_in_file = not is_as_old and any(indent == other != one for one, other in known)
        is_as_in_file = is_as_in_file or (self._is_first and indent == found != written)
        self._is_first = False
        self.is_begun = is_as_in_file or is_as_old or self._rule.apply(body) != body
        if is_as_in_file:
            self._rule = KEPT
        return is_as_in_file

    def decide(self, new: Sequence[str]) -> bool:
        """All new lines are there; returns whether they stay as they are written."""
        lines = self._whole.evident(new)
        self.is_doubtful = lines is None
        self._decided = None if lines is None else iter(lines)
        if self._whole.is_as_in_file:
            self._rule = KEPT
        return self.is_kept

    def indented(self, body: str, *, is_first: bool) -> str:
        """A new line, as it is indented in the file; `is_first`: of all."""
        if is_blank(body):
            return body if self.is_kept else self._whole.without_excess(body)
        if self.is_late:
            line = body if self._decided is None else next(self._decided)
        else:
            line = self._rule.apply(body, is_first=is_first)
        self._shown.append(line)
        return line

    def pass_old(self, line: str, written: str, *, is_moved: bool) -> None:
        """An old line as the file has it, and as REPLACE has it: it stays, or it has come to another place."""
        self._keeps_old = self._keeps_old or indent_of(line) != indent_of(written)
        if self._decided is not None and not is_blank(written):
            self.is_doubtful = self.is_doubtful or indent_of(next(self._decided)) != indent_of(line)
        if is_moved:
            self._shown.append(line)

    def settle(self, rows: Sequence[Row]) -> None:
        """There are no more lines; `rows` are all of them."""
        if not self._shown:
            return
        if self.is_late:
            if self.is_kept:
                self._whole.check_kept(rows)
        else:
            lines = self._whole.indented(rows, Manner(is_block=True, keeps_old=self._keeps_old))
            self.is_doubtful = filled_of(lines) != self._shown
        self.is_doubtful = self.is_doubtful or self._whole.is_doubtful
