"""The lines of a change as rows: the sign of each, its text as it is written, and as the file has it.

    (" ", "a", "    a")     context, which is four blanks deeper in the file
    ("-", "b", "    b")     an old line that is to be removed
    ("+", "c", None)        a new line

A hunk is written in this form. A block is not: `BlockRows` brings its lines into it. Where functions take the new lines
again (`new`), these are all of them in their order, indented as they may be in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from streamparse.diff.around import Around
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, body_of, is_blank
from streamparse.diff.place import Place
from streamparse.diff.structure import is_comment

#: The sign, the text as written, and the line of the file, without its ending; None if the file has no such line.
Row = tuple[str, str, str | None]


def new_in(rows: Sequence[Row]) -> list[str]:
    """The new lines as they are written, blank ones included."""
    return [text for sign, text, _ in rows if sign == "+"]


def in_file(rows: Iterable[Row], new: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, with its sign, as it is in the file; an old line that the file lacks is left out."""
    given = iter(new)
    for sign, _, found in rows:
        line = next(given) if sign == "+" else found
        if line is not None and not is_blank(line):
            yield sign, line


def neighbours(rows: Sequence[Row], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each two lines that are next to each other after the change, blank ones and comments aside, if one is new."""
    return ((one, other) for (one, is_new), (other, is_next) in pairs_after(rows, new) if is_new or is_next)


def pairs_after(rows: Sequence[Row], new: Sequence[str]) -> Iterator[tuple[tuple[str, bool], tuple[str, bool]]]:
    """Each two lines that are next to each other after the change, and which of them are new; no comments."""
    lines: list[tuple[str, bool]] = []
    is_inside = False  # of a comment of several lines
    for sign, line in in_file(rows, new):
        if sign == "-":
            continue
        is_inside = is_inside or line.lstrip(BLANKS).startswith("/*")
        if not is_inside and not is_comment(line):
            lines.append((line, sign == "+"))
        is_inside = is_inside and "*/" not in line
    return pairwise(lines)


def changed_runs(
    rows: Sequence[Row], new: Sequence[str], around: Around
) -> Iterator[tuple[str, list[str], list[str], str]]:
    """The removed and the new lines between each two that stay, with these, as they are in the file; no blank ones."""
    before, removed, added = around.before, list[str](), list[str]()
    for sign, line in in_file([*rows, (" ", "", around.behind)], new):
        if sign != " ":
            (added if sign == "+" else removed).append(line)
            continue
        if added or removed:
            yield before, removed, added, line
        before, removed, added = line, [], []
    if added or removed:
        yield before, removed, added, ""  # the file ends there


class BlockRows:
    """Takes the lines of REPLACE in their order: which old lines stay shows when the new ones come."""

    def __init__(self, old: Sequence[str], place: Place, index: FileIndex) -> None:
        self._old = old
        self._origins = place.origins
        self._index = index
        self._next = 0
        self._rows: list[Row] = []

    def add(self, written: str) -> None:
        """A new line."""
        self._rows.append(("+", written, None))

    def keep(self, at: int, written: str) -> bool:
        """The old line with that number comes next; returns whether it stays, and was not behind one that did.

        Blank lines are everywhere, and say nothing of others.
        """
        if is_blank(self._old[at]):
            self._put(" ", at)
            return True
        if at < self._next:
            self.add(written)
            return False
        self._remove(at)
        self._put(" ", at)
        self._next = at + 1
        return True

    def all(self) -> list[Row]:
        """There are no more lines: these are all of them."""
        self._remove(len(self._old))
        return self._rows

    def _remove(self, end: int) -> None:
        for at in range(self._next, end):
            self._put("-", at)

    def _put(self, sign: str, at: int) -> None:
        """One of the old lines."""
        origin = self._origins[at]
        self._rows.append((sign, self._old[at], None if origin is None else body_of(self._index.lines[origin])))
