"""Whether it is certain where the changes of a hunk belong, if the file has other lines between its lines.

the file  a  (blank)  b      the hunk   a          is `x` before the blank line or behind it?
                                       +x
                                        b
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from streamparse.diff.hunk_lines import Line
from streamparse.diff.indent import indent_of
from streamparse.diff.index import Budget
from streamparse.diff.lines import is_blank
from streamparse.diff.resemblance import resembles


def are_changes_placed(lines: list[Line], origins: Sequence[int | None], size: int) -> bool:
    """Whether it is certain where changes belong in a file of so many lines, which has not the very lines of the hunk.

    `origins` are the lines of the file that the old lines stand for.
    """
    numbers = iter(origins)
    known = [origin for origin in origins if origin is not None]
    has_others = any(second != first + 1 for first, second in pairwise(known))
    last: Line | None = None  # that is not blank, of those that the file has
    between, before = _Between(), -1
    for line in lines:
        number = next(numbers) if line.kind != "+" else None
        if number is None or is_blank(line.body):
            between.add(line, number)
            continue
        is_gone = last is not None and last.kind == line.kind == "-"
        # Above all of its lines the file may have any others, unless they begin it.
        count = number - before - 1 if last is not None else None if number else 0
        if not between.is_certain(count, is_gone=is_gone, has_others=has_others):
            return False
        last, before, between = line, number, _Between()
    return between.is_certain(0 if before + 1 == size else None, has_others=has_others)


def is_whole(change: Sequence[Line], line: str, budget: Budget) -> bool:
    """Whether each new line of a change stands for the removed one that it was made of, and none for `line`.

    That is a line of the file next to the change which the hunk has left out. It may be one more to be removed, or the
    new lines may belong to its other side, unless there are as many of them as removed ones, each of which it
    resembles, and it is as deep. If it says anything more than that one, `line` must not say so, too.

        -f(a,       `b)` is in the file behind the first line: it is a part of the new one
        +f(a, b)
    """
    if _REPLACED.fullmatch("".join(line.kind for line in change)) is None:
        return False
    removed, added = ([line.body for line in change if line.kind == kind] for kind in "-+")
    said = Counter(_TOKEN.findall(line))
    return len(removed) == len(added) and all(
        _is_made_of(new, old, budget)
        and not (said & (Counter(_TOKEN.findall(new)) - Counter(_TOKEN.findall(old))))
        and not resembles(new, line, budget)
        for old, new in zip(removed, added, strict=True)
    )


def _is_made_of(new: str, old: str, budget: Budget) -> bool:
    """Whether the line is another one than before, is as deep, and is like it."""
    return new.strip() != old.strip() and indent_of(new) == indent_of(old) and resembles(new, old, budget)


#: Removed lines with new ones behind them.
_REPLACED = re.compile(r"(?:-+\++)+")
_TOKEN = re.compile(r"\w+|[^\w\s]")
#: Blank lines on one side of all new ones.
_ON_ONE_SIDE = re.compile(r" *\++|\++ *")


class _Between:
    """The lines of a hunk between two that are not blank and in the file: new lines, and blank ones.

    If the file has other lines there than the hunk, a change might belong before or behind any of them, unless only
    blank lines are too many, and all of them on one side of it.
    """

    def __init__(self) -> None:
        self._kinds = ""
        self._found: list[bool] = []  # whether the file has the blank lines
        self._separating = 0  # how many without a mark come last, that the file does not have

    def add(self, line: Line, number: int | None) -> None:
        """One more of them; `number` is that of the line of the file that it stands for."""
        if line.kind != "+" and not is_blank(line.body):
            return  # written twice
        self._kinds += line.kind
        if line.kind != "+":
            self._found.append(number is not None)
        self._separating = self._separating + 1 if line.is_doubtful and number is None else 0

    def is_certain(self, count: int | None, *, is_gone: bool = False, has_others: bool) -> bool:
        """`count`: how many lines the file has there, None if that is not known. `is_gone`: both others are removed.

        `has_others`: the file has others between lines of the hunk, so that one with a blank line may have moved.
        """
        has_all = all(self._found[: len(self._found) - self._separating])
        if not self._kinds.strip():
            return not is_gone or count == sum(self._found)
        if has_all and count in (None, len(self._found)):
            return True
        is_on_one_side = count == 0 or _ON_ONE_SIDE.fullmatch(self._kinds) is not None
        is_even = count == sum(self._found) and not has_others
        return is_even and "-" not in self._kinds and is_on_one_side
