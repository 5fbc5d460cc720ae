"""The file has changed since: one line in the midst of a hunk, or next to it, is another, or gone, or new.

    file     hunk      a, x, zebra, b   or   a, zebra, x, b: no one could tell, so it has to be refused
    a         a
    zebra    +x
    b         b

What is right is the file with that line as it is now, and with the changes of all hunks around it. A blank line that is
gone may be there again, as the text has it.
"""

from __future__ import annotations

import random
from enum import Enum, auto

from attrs import evolve

from tests.properties.histories.perturbed import (
    UNSEEN,
    Perturbation,
    body_of,
    line_ends,
    only,
    other_word,
    places,
    readings,
    stands_elsewhere,
)
from tests.properties.histories.repository import FileEdit
from tests.properties.histories.rewritten import is_written, replaced, written
from tests.properties.histories.unified import Hunk, Line, applied, carried, lines_of
from tests.properties.histories.verdict import Case, Way


class Change(Enum):
    """What has happened to the line; a new one stands before it."""

    OTHER = auto()
    GONE = auto()
    NEW = auto()


def is_doubtful(hunk: Hunk, at: int, change: Change) -> bool:
    """Whether no one can tell what becomes of it: a line to be removed is another, or the line is among changes."""
    old = [line.sign for line in hunk.lines if line.sign != "+"]
    if change is Change.OTHER:
        return old[at] == "-"
    if change is Change.GONE:
        return False
    number = -1
    for line, following in zip(hunk.lines, [*hunk.lines[1:], None], strict=True):
        number += line.sign != "+"
        if number == at - 1 and following is not None and following.sign == "+" and line.sign == " ":
            return True  # new lines alone are there
    return 0 < at < len(old) and old[at - 1] == old[at] == "-"


def renewed(hunk: Hunk, at: int, change: Change, line: Line) -> Hunk:
    """The hunk as it would be written for the file as it is now; `at`: which of its old lines."""
    found: list[Line] = []
    number = 0
    for one in hunk.lines:
        is_it = one.sign != "+" and number == at
        number += one.sign != "+"
        if is_it and change is Change.NEW:
            found.append(Line(" ", line.text))
        if not is_it or change is Change.NEW:
            found.append(one)
        elif change is Change.OTHER:
            found.append(evolve(one, text=line.text))
    return evolve(hunk, lines=tuple(found))


def other(pick: random.Random, line: str, change: Change, end: str) -> str:
    """The line that is there now."""
    if change is Change.NEW:
        return f"{UNSEEN}{end}"
    body, own = body_of(line)
    found = other_word(pick, Line(" ", line), "")
    return found[0].text if found is not None else f"{body}{UNSEEN}{own}"


def stale(way: Way, context: int = 3) -> Perturbation:
    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        section = edit.sections[context]
        hunks, lines = section.hunks, lines_of(edit.before)
        number = pick.randrange(len(hunks))
        hunk, change = hunks[number], pick.choice(list(Change))
        if not hunk.old or UNSEEN in edit.before + edit.after or len(line_ends(edit.before)) != 1:
            return None
        if line_ends(edit.before) != line_ends(edit.after) or not is_written(way, edit, hunks):
            return None
        at = pick.randint(max(hunk.at - 1, 0), min(hunk.at + len(hunk.old), len(lines) - 1))
        if change is Change.NEW and at == hunk.at and hunk.lines[0].sign == "+":
            return None  # before or behind that, at the top of the file
        if any(other is not hunk and at in range(other.at - 1, other.at + len(other.old) + 1) for other in hunks):
            return None  # one thing at a time
        line = other(pick, lines[at], change, *line_ends(edit.before))
        now = {Change.OTHER: [line], Change.GONE: [], Change.NEW: [line, lines[at]]}[change]
        before = "".join([*lines[:at], *now, *lines[at + 1 :]])
        is_within = hunk.at <= at < hunk.at + len(hunk.old)
        shift = len(now) - 1
        own = renewed(hunk, at - hunk.at, change, Line(" ", line)) if is_within else hunk
        own = own if at >= hunk.at else evolve(own, old_start=own.old_start + shift)
        moved = [evolve(one, old_start=one.old_start + shift) for one in hunks[number + 1 :]]
        true = [*hunks[:number], own, *moved]
        after = applied(before, true)
        if after is None or any(stands_elsewhere(before, *pair) for pair in zip(true, hunks, strict=True)):
            return None
        is_refusal_due = is_within and is_doubtful(hunk, at - hunk.at, change)
        standing = [places(lines_of(before), one.old) for one in hunks]
        if is_refusal_due and standing[number]:
            return None  # its lines are elsewhere, to the letter
        if change is Change.OTHER and way is Way.BLOCKS and not lines[at].strip():
            return None  # a block need not have the right blank lines, so the other line may be before or behind it
        text = written(pick, way, section.head, hunks)
        is_blank_gone = change is Change.GONE and not lines[at].strip()
        literal = [replaced(*pair) for pair in zip(true, hunks, strict=True)] if is_blank_gone else true
        told = readings(before, true, hunks) | only(applied(before, literal))
        # A hunk that stands in one place only, to the letter, is at home there, for all that anyone can tell.
        once = [
            evolve(written_one, old_start=found[0] + 1) if len(found) == 1 else one
            for one, written_one, found in zip(true, hunks, standing, strict=True)
        ]
        told |= only(applied(before, once))
        if way is Way.UNIFIED:
            told |= only(carried(before, hunks)) | only(applied(before, hunks))
        return Case(before, text, after, told, way, is_refusal_due)

    return perturb


STALE: dict[str, Perturbation] = {
    "stale, U1": stale(Way.UNIFIED, 1),
    "stale, U3": stale(Way.UNIFIED),
    "v4a: stale": stale(Way.V4A),
    "blocks: stale": stale(Way.BLOCKS),
}
