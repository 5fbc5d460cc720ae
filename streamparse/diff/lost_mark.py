"""A line of a hunk that has lost its mark, a `+` as a rule, and must not be taken for prose behind the hunk.

@@ -1 +1,2 @@      announces two new lines
-old
+new
other              only one has come, and the file has no such line here: this is the other one

Without such a header, within `*** Begin Patch` no line is prose, and none is that has the hunk's own lines behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen

from streamparse.diff.hunk_lines import Line
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.typography import as_typed

_FENCE = "```"


@frozen
class Surroundings:
    """What shows whether a line without a mark can be prose."""

    #: Whether the patch is one of those that say where they end.
    is_enveloped: bool
    #: Whether the file is new, so that no line of it is context.
    is_new: bool
    #: How many `+` lines the header announces, those with `-` taken off; None: it has no counts.
    announced: int | None
    #: Whether the header has counted lines without a mark, too.
    is_counted: bool = False


def lost_line(
    kept: list[Line], behind: list[Line], around: Surroundings, index: FileIndex, following: int
) -> str | None:
    """The first of the lines `behind` those of a hunk that is no prose, and not the line of the file there.

    That is, behind all lines of the hunk, the one at `following`, and so on.
    """
    stray: str | None = None
    known: str | None = None  # the last one that the file has
    first = 0  # behind that
    for at, line in enumerate(behind):
        if is_blank(line.body):
            continue
        if line.is_doubtful and line.body.startswith(_FENCE):
            return None
        while following < len(index.lines) and is_blank(index.lines[following]):
            following += 1
        if following < len(index.lines) and _are_alike(line.body, index.lines[following]):
            if stray is not None:
                return stray
            known = line.body if line.is_doubtful else known
            first, following = at + 1, following + 1
        elif stray is None and known is not None and line.kind == " " and not line.is_doubtful:
            return known  # this is context, and would be the next line of the file if that were new
        elif stray is None and line.is_doubtful:
            stray = line.body
            if around.is_enveloped or _is_missing(kept, behind[first:], around):
                return stray
    return None


def taken_for_context(
    lines: list[Line], announced: tuple[int, int] | None, index: FileIndex, origins: Sequence[int | None]
) -> str | None:
    """A line that is not just that of the file which it stands for, at `origins`, and perhaps new.

    It has no mark, and the file has it once and the hunk twice, or another line; or the header has `announced` just as
    many new lines as there are with it, and fewer old ones.
    """
    old = [line for line in lines if line.kind != "+"]
    twice = {line.body.strip() for line, row in zip(old, origins, strict=True) if row is None}
    new = sum(line.kind != "-" for line in lines)
    is_counted = announced is not None and announced[1] == new and announced[0] < len(old)
    for line, row in zip(old, origins, strict=True):
        if line.kind == "-" or is_blank(line.body):
            continue
        found = "" if row is None else index.lines[row]
        if line.is_doubtful and (line.body.strip() in twice or not _are_alike(line.body, found)):
            return line.body
        if is_counted and body_of(found) != line.body:
            return line.body
    return None


def behind_change(lines: Sequence[Line]) -> str | None:
    """A line without a mark right behind one that is new or removed, while context has one.

    In a hunk with a wrong line it is perhaps new.
    """
    has_marks = any(line.kind == " " and not line.is_doubtful for line in lines)
    behind = (line for last, line in pairwise(lines) if last.kind != " " and line.is_doubtful)
    return next((line.body for line in behind if has_marks and not is_blank(line.body)), None)


def _is_missing(kept: list[Line], rest: list[Line], around: Surroundings) -> bool:
    """Whether the header shows that a hunk has more lines than those with a mark.

    Prose may be right behind it, too, but has a blank line before it as a rule.
    """
    is_next = not is_blank(rest[0].body)
    if around.announced is None:
        return around.is_new and is_next
    owed = around.announced - sum((line.kind == "+") - (line.kind == "-") for line in kept)
    if not is_next:
        return 0 < owed == len(rest)
    return owed > 0 or around.is_counted or (around.is_new and owed != 0)


def _are_alike(line: str, other: str) -> bool:
    return as_typed(line.strip()) == as_typed(other.strip())
