"""Old lines that a model has written otherwise than it means them, where they are not in the file as they are written.

```python               a fence around the lines
if a &lt; b:            signs written as HTML has them
...                     lines that are left out, in SEARCH and in REPLACE
# ... the rest ...      the same
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import dropwhile, pairwise, takewhile

from attrs import evolve

from streamparse.diff.indent import width_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import bodies_of, is_blank, trim_all
from streamparse.diff.place import Match, Place
from streamparse.diff.placeholder import is_dots, is_placeholder, perhaps_placeholders
from streamparse.diff.result import Strategy
from streamparse.diff.structure import is_access, is_comment, is_directive, may_open

#: A line of a fence: its characters, and the word behind them.
FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)")
#: What goes on with what lines before have begun, as `) -> int:` and `{` do.
_GOES_ON = re.compile(r"[ \t]*[){]")
_ENTITY = re.compile(r"&(?:lt|gt|quot|apos|#39|#x27|amp);")
_SIGNS = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&#39;": "'",
    "&#x27;": "'",
    "&amp;": "&",
}


def is_fenced(lines: Sequence[str]) -> bool:
    """Whether the first line opens a fence and the last one closes it."""
    return len(lines) > 1 and is_fence(lines[0]) and is_fence(lines[-1], is_closing=True)


def is_fence(line: str, *, is_closing: bool = False) -> bool:
    """Whether it is the line of a fence: one that closes it has no word."""
    match = FENCE.fullmatch(line)
    return match is not None and not (is_closing and match[2])


def ends_of(lines: Sequence[str]) -> tuple[str, str]:
    """The two lines of the fence around lines, which may be indented."""
    return lines[0].strip(), lines[-1].strip()


def without_entities(line: str) -> str:
    """The line as it is if it was written for HTML."""
    return _ENTITY.sub(lambda entity: _SIGNS[entity[0]], line) if "&" in line else line


def has_entities(lines: Sequence[str]) -> bool:
    """Whether some signs are written as HTML has them."""
    return any("&" in line and _ENTITY.search(line) for line in lines)


def has_signs(lines: Sequence[str]) -> bool:
    """Whether signs are written that HTML would have otherwise."""
    return any("<" in line or ">" in line for line in lines)


def is_half_escaped(lines: Sequence[str]) -> bool:
    """Whether some signs are written as HTML has them, and others like them are not.

    `<` and `>` go together. A `&` that begins nothing which is read, as in `&&` or `&copy;`, is one that is not.
    """
    if not has_entities(lines):
        return False
    text = "\n".join(lines)
    signs = {_SIGNS[entity] for entity in _ENTITY.findall(text)}
    return has_signs(lines) or not signs.isdisjoint(_ENTITY.sub("", text))


def elision_of(line: str) -> str:
    """By what lines are compared that stand for others: all dots are alike, and a comment is the same at any depth."""
    return "..." if is_dots(line) else line.strip()


def elisions_of(index: FileIndex, lines: Sequence[str]) -> list[str]:
    """Those of the lines that stand for lines left out: dots, and comments that say so and are not in the file."""
    return [
        elision_of(line)
        for line in perhaps_placeholders(lines)
        if is_dots(line) or (is_placeholder(line) and not index.trimmed.places(trim_all([line])))
    ]


def pieces_of(lines: Sequence[str], elisions: Sequence[str]) -> list[list[str]]:
    """The lines between those that are left out; none if nothing is, or if there is not something on both sides."""
    pieces: list[list[str]] = [[]]
    for line in lines if elisions else ():
        if elision_of(line) in elisions:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces if len(pieces) > 1 and all(not all(map(is_blank, piece)) for piece in pieces) else []


def moves_elision(old: Sequence[str], new: Sequence[str], elisions: Sequence[str]) -> bool:
    """Whether new lines begin or end with lines that are left out, and no old line beside these shows which.

    It is also so if these are in another order.
    """
    before, after = ([elision_of(line) for line in lines if not is_blank(line)] for lines in (old, new))
    if [line for line in after if line in elisions] != list(elisions):
        return True

    def is_text(line: str) -> bool:
        return line not in elisions

    for one, other in ((before, after), (before[::-1], after[::-1])):
        if other and not is_text(other[0]):
            inner = list(takewhile(is_text, other[1:]))
            rest = list(dropwhile(is_text, one))[1:]
            beside = list(takewhile(is_text, rest))
            if set(inner).isdisjoint(beside):
                return True
    return False


def joined(index: FileIndex, matches: Sequence[Match], lines: Sequence[str], elisions: Sequence[str]) -> Match | None:
    """The pieces, each in its one place, with the lines of the file between them; None if they are in another order.

    `elisions` are those of the `lines` between them. Where the file has dots itself, these are meant.
    """
    places = [match.places[0] for match in matches]
    if any(one.end > other.start for one, other in pairwise(places)):
        return None
    gaps = [range(one.end, other.start) for one, other in pairwise(places)]
    if not index.similar.spend(sum(map(len, gaps))) or _lead_out_of_block(index, places):
        return None
    middles = tuple(bodies_of(index.lines[gap.start : gap.stop]) for gap in gaps)
    if [] in middles:
        return None  # nobody leaves nothing out: it is a line that the file does not have
    between = (line for line in lines if elision_of(line) in elisions)
    if any(any(map(is_dots, middle)) and middle != [line] for middle, line in zip(middles, between, strict=True)):
        return None
    found, origins = list(matches[0].lines), list(places[0].origins)
    for gap, middle, match, place in zip(gaps, middles, matches[1:], places[1:], strict=True):
        found += [*middle, *match.lines]
        origins += [*gap, *place.origins]
    place = Place(places[0].start, places[-1].end, origins, places[-1].surplus)
    return evolve(
        matches[0], strategy=Strategy.ELIDED, places=[place], lines=found, middles=middles, elisions=tuple(elisions)
    )


def _lead_out_of_block(index: FileIndex, places: Sequence[Place]) -> bool:
    """Whether the block in which lines are written ends with lines that are left out before them.

    After `def f():` and `...`, a line `    return 2` is one of `f`, and not of the next function, which has it.
    """
    outer: list[str] = []  # the lines in which others are, each deeper than the one before
    for one, other in pairwise(places):
        _enter(outer, index.lines[one.start : one.end])
        behind = next(filter(_has_depth, index.lines[other.start : other.end]), "")
        at = bisect_left(outer, width_of(behind), key=width_of)
        # So deep may no line be that is left out; a line in which nothing can be is only before them.
        least = width_of(outer[at - 1]) - (not may_open(outer[at - 1])) if at else width_of(behind) - 1
        gap = index.lines[one.end : other.start]
        if any(width_of(line) <= least for line in gap if _has_depth(line) and not _GOES_ON.match(line)):
            return True
        _enter(outer, gap)
    return False


def _enter(outer: list[str], lines: Iterable[str]) -> None:
    """Go on with further lines, each of which ends all that are as deep or deeper."""
    for line in filter(_has_depth, lines):
        del outer[bisect_left(outer, width_of(line), key=width_of) :]
        outer.append(line)


def _has_depth(line: str) -> bool:
    """Whether it is as deep as it is for a reason: no blank line or comment, nor what C has at the margin anywhere."""
    return not (is_blank(line) or is_comment(line) or is_directive(line) or is_access(line))
