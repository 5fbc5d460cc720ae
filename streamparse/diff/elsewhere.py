"""Old lines that are found, but perhaps meant elsewhere, or the edit was made before: then it must not be applied.

the file  "    a" / "b" / "a"      old  "a"      it is found at the first line, and may be meant at the last
"""

from __future__ import annotations

from collections.abc import Sequence

from streamparse.diff.all_but_one import readings_in
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank, trim_all
from streamparse.diff.place import Match, Place
from streamparse.diff.resemblance import BUDGET
from streamparse.diff.structure import has_words
from streamparse.diff.table import LineTable

#: With so many other places is one compared.
_COMPARED = 64


def are_there_already(index: FileIndex, old: Sequence[str], new: Sequence[str], origins: Sequence[int | None]) -> bool:
    """Whether the file has the new lines to the letter: each for an old one, or anywhere, some old ones among them.

    Old lines that are all blank need not be among them: what was there before shows in nothing but the new ones. Nor
    need a single line that has some of its blanks, and not as many as there: it may have been another one like it.
    Then the edit was perhaps made before. It is asked of old lines that are not in the file to the letter; `origins`
    are the lines of the file that they stand for.
    """
    if are_to_the_letter(index, new, origins):
        return True
    kept, filled = ([line.strip() for line in lines if not is_blank(line)] for lines in (old, new))
    if kept and set(filled).isdisjoint(kept) and not is_shifted(index, old, origins):
        return False
    # Some of the old ones alone are there in any case.
    is_other = bool(filled) and not LineTable(kept).places(filled)
    return is_other and index.has_exactly(*new)


def is_shifted(index: FileIndex, old: Sequence[str], origins: Sequence[int | None]) -> bool:
    """Whether one old line alone is not blank, and it is indented, but not as the file has it."""
    lines = [(line, row) for line, row in zip(old, origins, strict=True) if row is not None and not is_blank(line)]
    return len(lines) == 1 and all(indent_of(line) not in ("", indent_of(index.lines[row])) for line, row in lines)


def are_to_the_letter(index: FileIndex, lines: Sequence[str], origins: Sequence[int | None]) -> bool:
    """Whether the lines are just those of the file, an empty one for each that it does not have."""
    return list(lines) == ["" if row is None else body_of(index.lines[row]) for row in origins]


def are_made_beside(
    index: FileIndex,
    place: Place,
    old: Sequence[str],
    new: Sequence[str],
    *,
    at: int | None = None,
    is_at_number: bool = False,
) -> bool:
    """Whether the new lines are the old ones with more before or behind them, and the file has these right there.

    Then the edit was perhaps made before: to put "b" behind "a", where "a" / "b" is in the file. Lines without any
    word, such as a further "}", are in many places. What comes before old lines is new if these are at their number,
    from which it would have moved them. `at` says where the old lines are among the new ones, if that is known.
    """
    if len(new) <= len(old):
        return False
    wanted, kept = trim_all(new), trim_all(old)
    for begin in LineTable(wanted).places(kept) if at is None else [at]:
        start = place.first_line - begin
        has_new_words = any(map(has_words, [*wanted[:begin], *wanted[begin + len(kept) :]]))
        is_there = start >= 0 and list(index.trimmed.keys[start : start + len(wanted)]) == wanted
        if is_there and has_new_words and not (begin and is_at_number):
            return True
    return False


def are_next_to(index: FileIndex, place: Place, new: Sequence[str]) -> bool:
    """Whether the file has the new lines, some of them with a word, right before that place or right behind it."""
    wanted, keys = trim_all(new), index.trimmed.keys
    before, behind = (
        keys[max(0, place.start - len(wanted)) : place.start],
        keys[place.start : place.start + len(wanted)],
    )
    return any(map(has_words, wanted)) and wanted in (list(before), list(behind))


def may_be_elsewhere(index: FileIndex, match: Match, place: Place) -> bool:
    """Whether old lines that are found with another indentation fit better elsewhere, by how deep they are written."""
    old, origins = match.lines, place.origins
    if len(old) == len(match.places) == 1:
        return False  # a line that is nowhere else, whatever blanks are around it
    return (
        is_elsewhere(index, old, place) or _is_nearer(index, match, place) or _is_almost_elsewhere(index, old, origins)
    )


def _is_almost_elsewhere(index: FileIndex, old: Sequence[str], origins: Sequence[int | None]) -> bool:
    """Whether the file has the lines elsewhere as they are written, but for one: it may have changed there.

    Two lines must show that which are not as deep where they were found.
    """
    shifted = [
        at
        for at, (line, row) in enumerate(zip(old, origins, strict=True))
        if row is not None and not is_blank(line) and indent_of(line) != indent_of(index.lines[row])
    ]
    if len(shifted) < 2:
        return False
    half = len(old) // 2
    if not (index.has_exactly(*old[:half]) or index.has_exactly(*old[half:])):
        return False  # without a table of lines as they are, which few files need
    budget = index.similar.part(BUDGET)
    readings = readings_in(index.exact, old, budget)
    return any(sum(one.equal(at) is not None for at in shifted) > 1 for one in readings) or budget.left < 0


def _is_nearer(index: FileIndex, match: Match, place: Place) -> bool:
    """Whether some line is at the margin and is not written so, or the other way round, and not so in another place."""
    if len(match.places) == 1 or _has_margins(index, match.lines, place):
        return False
    others = match.places[:_COMPARED]
    return len(match.places) > _COMPARED or any(_has_margins(index, match.lines, other) for other in others)


def _has_margins(index: FileIndex, old: Sequence[str], place: Place) -> bool:
    """Whether just those lines are at the margin there that are written so."""
    pairs = place.pairs(old, index)
    return all(is_blank(line) or bool(indent_of(line)) == bool(indent_of(found)) for line, found in pairs)


def is_elsewhere(index: FileIndex, old: Sequence[str], place: Place) -> bool:
    """Whether each old line that is not as deep as the file has it there is written as the file has one elsewhere."""
    pairs = place.pairs(old, index)
    others = [line for line, found in pairs if not is_blank(line) and indent_of(line) != indent_of(found)]
    # The longest is the one that is least often elsewhere, and by which the table of lines has found the place.
    others.sort(key=lambda line: len(line.strip()), reverse=True)
    return bool(others) and all(map(index.has_exactly, others))
