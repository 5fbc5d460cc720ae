"""The indentation of new lines where that of the old ones was lost.

    the file  "        if x:"  "            return 1"      old  "if x:"  "return 1"      new  "if y:"  "return 3"

Lines that are written alike are indented differently, so what a new line is written with says nothing. What counts is
evidence: a line that is an old one stays as the file has it; as many new lines as old ones, which they resemble, take
their indentation; lines that open and close nothing, between two lines of one indentation, have that. And perhaps it
was only SEARCH that lost its indentation: then the lines of both sides show that REPLACE has that of the file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby, pairwise

from streamparse.diff.around import Around
from streamparse.diff.change_rows import Row, new_in
from streamparse.diff.indent import indent_of
from streamparse.diff.index import Budget
from streamparse.diff.lines import BLANKS, filled_of, is_blank
from streamparse.diff.resemblance import BUDGET, resembles
from streamparse.diff.structure import closes, follows, is_item, is_plain, opens

#: How deep old lines are written, and how deep they are in the file, by their text, which several may have.
Depths = dict[str, set[tuple[str, str]]]


class Evidence:
    """`old` are lines that are not blank, as written and as in the file."""

    def __init__(self, old: Sequence[tuple[str, str]], depths: Depths, around: Around, budget: Budget) -> None:
        self._old = old
        self._depths = depths
        self._budget = budget.part(BUDGET)
        self._around = around
        #: The numbers of the old lines, by the text as it is written.
        self._places: dict[str, list[int]] = {}
        for at, (written, _) in enumerate(old):
            self._places.setdefault(written, []).append(at)

    def is_as_in_file(self, new: Sequence[str]) -> bool:
        """Whether the new lines, none of them blank, have the indentation of the file, although the old ones do not."""
        shared = [(indent_of(line), depths) for line in new if (depths := self._depths.get(line.strip()))]
        telling = [(indent, depths) for indent, depths in shared if all(one != other for one, other in depths)]
        if telling:
            return all(indent in {found for _, found in depths} for indent, depths in telling)
        first = next(iter(new), "")
        written, found = self._old[0]
        return indent_of(written) != indent_of(first) == indent_of(found)

    def indented(self, new: Sequence[str]) -> list[str] | None:
        """The new lines, none of them blank, as they are in the file; None if that is not certain."""
        written = {indent_of(line) for line, _ in self._old}
        origins = self._origins(new)
        if origins is None or not written.issuperset(map(indent_of, new)):
            return None
        lines = [line if at is None else self._old[at][1] for line, at in zip(new, origins, strict=True)]
        stays = ((at, origin) for at, origin in enumerate(origins) if origin is not None)
        for (first, start), (last, end) in pairwise([(-1, -1), *stays, (len(new), len(self._old))]):
            removed = [found for _, found in self._old[start + 1 : end]]
            added = new[first + 1 : last]
            if not added and not removed:
                continue
            indents = _indents(added, removed, self._budget)
            if indents is None and self._is_level(new, first, last):
                indents = self._between(lines, removed, first, last)
            if indents is None:
                return None
            for at, indent in zip(range(first + 1, last), indents, strict=True):
                lines[at] = indent + new[at].lstrip(BLANKS)
        return lines

    @cached_property
    def _is_structured(self) -> bool:
        """Whether the old lines and those around are deeper than the ones before if something opens, and only then."""
        lines = (self._around.before, *(found for _, found in self._old), self._around.behind)
        return all(follows(*pair) for pair in pairwise(filter(None, lines)))

    def _origins(self, new: Sequence[str]) -> list[int | None] | None:
        """Which old line each new one is, and None for a copy; or None if it may be one of several not as deep.

        As many of them as before are the same ones only if all old lines that stay are in their order.
        """
        is_counted = False
        for line, count in Counter(new).items():
            places = self._places.get(line, [])
            if len({indent_of(self._old[at][1]) for at in places}) > 1:
                is_counted = True
                if count != len(places):
                    return None
        left = {line: iter(places) for line, places in self._places.items()}
        origins = [next(left.get(line, iter(())), None) for line in new]
        stays = [at for at in origins if at is not None]
        if all(one < other for one, other in pairwise(stays)):
            return origins
        # A line that was moved past others is as deep as before only if these are as deep.
        depths, before = ([indent_of(self._old[at][1]) for at in order] for order in (stays, sorted(stays)))
        return None if is_counted or depths != before else self._without_moved(origins)

    def _without_moved(self, origins: Sequence[int | None]) -> list[int | None]:
        """Without those that have come to the other side of a line that opens or closes something, and stays.

        What was in a block and is behind it now need not be as deep as it was.
        """
        bounds = [at for at in origins if at is not None and not is_plain(self._old[at][1])]
        ordered, passed, left = sorted(bounds), 0, list[int | None]()
        is_same = bounds == ordered
        for at in origins:
            is_bound = passed < len(bounds) and at == bounds[passed]
            passed += is_bound
            stays = at is not None and is_same and (is_bound or bisect_left(ordered, at) == passed)
            left.append(at if stays else None)
        return left

    def _is_level(self, new: Sequence[str], first: int, last: int) -> bool:
        """Whether the lines between two that stay, if there are such, are written as deep as one of these."""
        staying = {indent_of(new[at]) for at in (first, last) if 0 <= at < len(new)}
        return not staying or staying.issuperset(map(indent_of, new[first + 1 : last]))

    def _between(self, lines: Sequence[str], removed: Sequence[str], first: int, last: int) -> list[str] | None:
        """That of the lines around, if nothing begins or ends between them, and old lines are deep for that alone."""
        new = lines[first + 1 : last]
        before = self._around.before if first < 0 else lines[first]
        behind = self._around.behind if last == len(lines) else lines[last]
        if not all(map(is_plain, new)) or not self._is_structured:
            return None
        if not new:
            return [] if all(map(is_plain, removed)) or _is_whole([*removed, behind]) else None
        if removed and len(indent_of(before)) > len(indent_of(removed[0])) and not opens(before):
            return None  # they may go on with the block that has ended there
        # For a whole block at the end of the file, it may as well be in the block before that.
        is_shown = bool(behind) or len(removed) == 1
        if len(new) == 1 and removed and is_shown and not closes(removed[0]) and _is_one([*removed, behind]):
            return [indent_of(removed[0])]
        indent = indent_of(behind)
        if not behind or any(indent_of(line) != indent or not is_plain(line) for line in removed):
            return None
        if not removed and (not before or indent_of(before) != indent or opens(before) or is_item(before)):
            return None
        return [indent] * len(new)


def _is_whole(lines: Sequence[str]) -> bool:
    """Whether nothing in the last line belongs to those before."""
    head, *inner, behind = map(indent_of, lines)
    return all(indent.startswith(head) for indent in inner) and head.startswith(behind)


def _is_one(lines: Sequence[str]) -> bool:
    """Whether all but the last belong to the first, and the last goes on where that was: nothing ends there."""
    head, *inner, behind = map(indent_of, lines)
    is_within = all(indent.startswith(head) and indent != head for indent in inner)
    return is_within and head == behind and not closes(lines[-1])


def indented_between(rows: Sequence[Row], budget: Budget) -> list[str] | None:
    """The new lines of a change as they are in the file; None if those in whose place they are do not show how deep."""
    budget = budget.part(BUDGET)
    new: list[str] = []
    for is_context, run in groupby(rows, lambda row: row[0] == " "):
        changed = [] if is_context else list(run)
        added = new_in(changed)
        if filled := filled_of(added):
            old = ((written, found) for sign, written, found in changed if sign == "-" and found)
            removed = [pair for pair in old if not is_blank(pair[1])]
            indents = _indents(filled, [found for _, found in removed], budget)
            # A line that is written deeper than the one in whose place it is was perhaps only moved to the right.
            if indents is None or list(map(indent_of, filled)) != [indent_of(written) for written, _ in removed]:
                return None
            depths = iter(indents)
            added = [line if is_blank(line) else next(depths) + line.lstrip(BLANKS) for line in added]
        new += added
    return new


def _indents(new: Sequence[str], removed: Sequence[str], budget: Budget) -> list[str] | None:
    """Those of as many lines which they resemble. Where lines are only near, text that is aligned may be deeper."""
    is_alike = len(new) == len(removed) and all(
        resembles(line, found, budget) for line, found in zip(new, removed, strict=True)
    )
    return [indent_of(line) for line in removed] if is_alike else None
