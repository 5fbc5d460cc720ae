"""The new text of a hunk, for the lines of the file from its first change to its last.

Context stays as the file has it, with blank lines of which the patch knows nothing. New lines are indented as the old
ones show (`reindent.py`) and end as the lines end whose place they take, unless the patch is faithful: if it writes the
old lines as the file has them, then it means the endings that it writes, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set

from streamparse.diff.hunk_lines import HunkLines, Line
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BOM, body_of, is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.reference import Manner
from streamparse.diff.reindent import reindentation_at


class HunkText:
    """`lines` are those of a hunk that is found at `place`; `endings` are how lines of the patch end.

    If it `is_converted`, its carriage returns were put in on its way.
    """

    def __init__(
        self,
        lines: HunkLines,
        endings: Set[str],
        index: FileIndex,
        place: Place,
        match: Match,
        *,
        is_converted: bool = False,
    ) -> None:
        self._hunk = lines
        self._lines = lines.all
        self._endings = endings
        self._index = index
        self._place = place
        self._is_faithful = self._find_faith() and (not is_converted or not index.lines)
        self._reindentation = None if self._is_faithful else reindentation_at(index, place, match)

    @property
    def is_indented(self) -> bool:
        """Whether new lines may be indented otherwise than they are written."""
        return self._reindentation is not None and not self._reindentation.rule.is_kept

    @property
    def is_guessed(self) -> bool:
        """Whether the old lines do not show how deep some new line is in the file."""
        return self._reindentation is not None and self._reindentation.is_doubtful

    @property
    def is_unsure_of_ends(self) -> bool:
        """Whether lines get other ends, and nothing shows that the patch means the ones it writes.

        These are lines of which nothing but the end is new, the last line of the file if it had none, and new lines
        that end with a newline alone where old ones are written with the carriage returns of the file.
        """
        if self._is_faithful:
            return False
        index, old = self._index, self._hunk.before
        is_ended = len(old) == 1 and old[0].is_unended and not self._lines[-1].is_unended
        if is_ended and "\n" in self._endings and "\n" in self._index.original:
            return True
        removed, added = ({(line.body, line.ending) for line in self._lines if line.kind == kind} for kind in "-+")
        bodies = {body for body, _ in removed}
        pairs = ((line, row) for line, row in zip(old, self._place.origins, strict=True) if not line.is_unended)
        ends = {(line.ending, index.ending_at(row)) for line, row in pairs if row is not None and line.ending}
        if ends == {("\r\n", "\r\n")} and any(end == "\n" for _, end in added):
            return True
        return any(body in bodies for body, _ in added - removed)

    @property
    def has_other_ends(self) -> bool:
        """Whether a new line is to end as it is written, and no line of the file does, but others end otherwise."""
        if not self._is_faithful or not self._index.newlines:
            return False
        ends = {line.ending for line in self._lines if line.kind == "+" and not line.is_unended}
        return not (ends & {"\n", "\r\n"}) <= self._index.newlines

    def render(self) -> str:
        """All of it."""
        index, place = self._index, self._place
        is_last = place.end == len(index.lines)
        ending = (index.ending_at(len(index.lines) - 1) if index.lines else "") or "\n"
        lines = [line if index.ending_of(line) else line + ending for line in self._new_lines()]
        if lines and is_last and self._ends_unended():
            lines[-1] = self._unended(lines[-1])
        text = "".join(lines)
        if index.bom and not place.start:
            text = text.removeprefix(BOM)  # the file has it
        if text and is_last and place.start == place.end and index.ends_without_newline:
            return ending + text  # the line before has none
        return text

    def _ends_unended(self) -> bool:
        """Whether the new file ends without a newline, if the hunk is its end: as the hunk says, or else as it was.

        A line that stays, with others removed behind it, keeps its own.
        """
        new = [line for line in self._lines if line.kind != "-"]
        if new[-1].is_unended:
            return True
        if [line.kind for line in self._hunk.changed if line.kind != "-"][-1:] == [" "]:
            return False
        removes_unended = any(line.is_unended for line in self._lines if line.kind != "+")
        return self._index.ends_without_newline and not removes_unended

    def _unended(self, line: str) -> str:
        """The last line of the new file without its ending; a `\\r` is none if the hunk says so."""
        last = self._hunk.changed[-1]
        is_exact = self._is_faithful and last.kind == "+" and last.ending == "\r"
        return last.body + last.ending if is_exact else self._index.without_ending(line)

    def _new_lines(self) -> list[str]:
        index, place, hunk = self._index, self._place, self._hunk
        is_faithful, changed = self._is_faithful, hunk.changed
        added = iter(()) if is_faithful else self._added()
        origins = iter(place.origins[hunk.leading : hunk.leading + hunk.changed_old])
        lines: list[str] = []
        removed: deque[str] = deque()  # the endings of removed lines, which lines in their place take
        row, last = place.start, " "
        for at, line in enumerate(changed, hunk.leading):
            if line.kind == "+":
                if is_faithful:
                    lines.append(line.body + line.ending)
                    continue
                # A line that takes no other's place ends as the line before it does.
                ending = removed.popleft() if removed else index.ending_at(max(0, row - 1))
                lines.append(next(added) + ending)
            elif (origin := next(origins)) is not None:
                if line.kind == " " or last != "-":
                    lines += index.lines[row:origin]  # blank lines of which the patch knows nothing
                row = origin + 1
                if line.kind == " ":
                    lines.append(index.lines[origin])
                    removed.clear()
                else:
                    removed.append(index.ending_at(origin))
            elif at in hunk.blanks_among_new:
                lines.append(line.body + index.ending_at(max(0, row - 1)))
            last = line.kind
        return lines

    def _added(self) -> Iterator[str]:
        """The new lines as they are indented in the file."""
        if self._reindentation is None:
            return (line.body for line in self._lines if line.kind == "+")
        rows = self._hunk.rows(self._place, self._index)
        return iter(self._reindentation.indented(rows, Manner(lacks_sign=self._lacks_sign)))

    @property
    def _lacks_sign(self) -> bool:
        """Whether context may have been written without its blank, so that its first own blank was taken for that."""
        found = self._place.pairs(self._hunk.before, self._index)
        pairs = [(one, indent_of(one.body), indent_of(line)) for one, line in found if not is_blank(line)]
        marked = [there == f" {written}" for one, written, there in pairs if one.kind == " " and not one.is_doubtful]
        others = (there == written for one, written, there in pairs if one.kind == "-" or one.is_doubtful)
        return bool(marked) and all(marked) and all(others)

    def _find_faith(self) -> bool:
        """Whether the patch writes every old line as the file has it, so that it means the endings that it writes."""
        index = self._index
        if not index.lines:
            return True
        found = ["" if origin is None else index.lines[origin] for origin in self._place.origins]
        if not all(_is_written(one, line) for one, line in zip(self._hunk.before, found, strict=True)):
            return False
        if any(index.ending_of(line) for line in found):
            return all(origin is not None for origin in self._place.origins)
        # Nothing to compare: a patch in which all lines end alike may have been converted on its way.
        endings = self._endings - {""}
        return len(endings) > 1 or (endings == {"\n"} and index.has_plain_newlines)


def _is_written(one: Line, line: str) -> bool:
    """Whether that is how the file has the line, but for an ending that only the patch has, or that the text lacks."""
    if not one.ending:
        return body_of(line) == one.body  # the last line of the text
    return line == one.body + one.ending or (line == one.body and one.ending != "\r")
