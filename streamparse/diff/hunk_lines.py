"""The lines of a hunk, and what follows from which of them are old, new or both.

 context     Line(" ", "context", "\\n")      leading: it comes before all changes
-old         Line("-", "old", "\\n")          changed: from the first change to the last
+new         Line("+", "new", "\\n")
 context     Line(" ", "context", "\\n")      trailing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from attrs import define, evolve

from streamparse.diff.change_rows import Row
from streamparse.diff.dressing import elision_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BOM, body_of, is_blank
from streamparse.diff.numbering import NewNumbers
from streamparse.diff.place import Match, Place, Places
from streamparse.diff.typography import NewSigns, as_typed


@define
class Line:
    """A line of a hunk: " ", "-" or "+", its text and its ending; `\\ No newline at end of file` makes it unended.

    The ending of an unended line is what the patch has there, or `\\r` if that is the last character of the file.
    """

    kind: str
    body: str
    ending: str
    is_unended: bool = False
    #: Without the blank that context begins with: it may be no part of the hunk.
    is_doubtful: bool = False


class HunkLines:
    """All lines of a hunk, which are not changed any more."""

    def __init__(self, lines: list[Line]) -> None:
        self.all = lines
        #: Context and what is removed, and the text of these.
        self.before = [line for line in lines if line.kind != "+"]
        self.old = [line.body for line in self.before]
        #: How many lines of context come first, and how many last; none if there is nothing else.
        self.leading = next((at for at, line in enumerate(lines) if line.kind != " "), 0)
        self.trailing = next((at for at, line in enumerate(reversed(lines)) if line.kind != " "), 0)
        self.changed = lines[self.leading : len(lines) - self.trailing]
        #: How many of these are old.
        self.changed_old = len(self.old) - self.leading - self.trailing
        self.is_noop = not self.changed or self.changed[0].kind == " "
        #: How many are old, and how many new, as a header counts them.
        self.counts = len(self.old), sum([line.kind != "-" for line in lines])
        #: Whether every line has its mark.
        self.is_marked = not any(line.is_doubtful for line in lines)
        #: Whether it says that the file, old or new, ends with one of them, without a newline.
        self.has_unended = any(line.is_unended for line in lines)

    @property
    def new(self) -> list[str]:
        """The text of context and of what is added."""
        return [line.body for line in self.all if line.kind != "-"]

    def rows(self, place: Place, index: FileIndex) -> list[Row]:
        """The lines as those of a change that is at that place, one row for each."""
        rows = iter(place.origins)
        found = [None if line.kind == "+" else next(rows) for line in self.all]
        return [
            (line.kind, line.body, None if row is None else body_of(index.lines[row]))
            for line, row in zip(self.all, found, strict=True)
        ]

    def lacking(self, announced: tuple[int, int] | None) -> tuple[int, int] | None:
        """How many old and new lines a header has announced that are not there; None if it has no counts."""
        return None if announced is None else (announced[0] - self.counts[0], announced[1] - self.counts[1])

    @property
    def adds_at_edge(self) -> bool:
        """Whether it only has new lines and context, and that is not on both sides of them."""
        is_between = self.is_noop or (self.leading and self.trailing) or not self.old
        return not is_between and all(line.kind != "-" for line in self.changed)

    @cached_property
    def blanks_among_new(self) -> set[int]:
        """Which blank lines have new ones before and behind them: they are new if the file has none there."""
        among: set[int] = set()
        run: list[int] | None = None  # since the last new line
        for at, line in enumerate(self.all):
            if line.kind == "+":
                among.update(run or ())
                run = []
            elif run is not None and line.kind == " " and is_blank(line.body):
                run.append(at)
            else:
                run = None
        return among

    def filled(self, match: Match) -> list[Line] | None:
        """The lines with others for each `...` among the old ones; None if one of these is to be removed."""
        if any(line.kind == "-" and elision_of(line.body) in match.elisions for line in self.all):
            return None
        given = iter(match.middles)
        lines: list[Line] = []
        for line in self.all:
            is_filled = line.kind == " " and elision_of(line.body) in match.elisions
            lines += [Line(" ", body, "\n") for body in next(given)] if is_filled else [line]
        return lines

    def undressed(self, match: Match) -> tuple[list[Line], bool, bool]:
        """The lines, which are found so, without numbers and blanks at all ends, and with the signs that one types.

        Also, whether numbers in front of new lines, or signs of typography in them, may be text as they are.
        """
        lines, numbering, typography = self.all, match.numbering, match.typography
        numbers, signs = NewNumbers(numbering), NewSigns(typography)
        if numbering is not None:
            lines = _read(lines, numbers.take, numbering.bare)
        if typography:
            lines = _read(lines, signs.take, lambda body: as_typed(body, typography.signs))
        if match.tail:
            lines = [evolve(line, body=line.body.removesuffix(match.tail)) for line in lines]
        return lines, numbers.is_doubtful, signs.is_doubtful

    def without_bom(self) -> tuple[list[Line] | None, bool]:
        """The lines without the byte order mark before the first old one, if it is there, and whether it is dropped."""
        firsts = [next((line for line in self.all if line.kind != other), None) for other in "+-"]
        old, new = (first if first is not None and first.body.startswith(BOM) else None for first in firsts)
        if old is None or (old.kind == " " and new is None):
            return None, False
        marked = {id(line) for line in (old, new)}
        return [evolve(line, body=line.body[1:]) if id(line) in marked else line for line in self.all], new is None

    def changes(self, places: Sequence[Place]) -> Sequence[Place]:
        """Each of the places of the old lines from the first change to the last."""
        if self.is_noop:
            return places
        return places.changed(self._change) if isinstance(places, Places) else list(map(self._change, places))

    def _change(self, place: Place) -> Place:
        leading, count = self.leading, self.changed_old
        before = _first(place.origins, range(leading - 1, -1, -1))
        first = _first(place.origins, range(leading, leading + count))
        last = _first(place.origins, range(leading + count - 1, leading - 1, -1))
        start = place.start if before is None else before + 1
        if self.changed[0].kind == "-" and first is not None:
            start = first
        return Place(start, start if last is None else last + 1, place.origins, place.surplus)


NO_LINES = HunkLines([])


def _read(lines: list[Line], new: Callable[[str], str], old: Callable[[str], str]) -> list[Line]:
    """Every line, read in another way."""
    return [evolve(line, body=(new if line.kind == "+" else old)(line.body)) for line in lines]


def _first(origins: Sequence[int | None], among: range) -> int | None:
    """The first of these lines that the file has."""
    return next((row for at in among if (row := origins[at]) is not None), None)
