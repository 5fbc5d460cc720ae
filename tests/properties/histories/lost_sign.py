"""A new line has lost its `+`, and nothing else: with counts, or within `*** Begin Patch`, it is no prose.

    @@ -1,2 +1,3 @@
     a
    x                  a line of the file has a blank before it, and this is none of them
     b

Lines of which the first character is a sign, or begins something else, then mean another thing.
"""

from __future__ import annotations

import random
import re

from attrs import evolve

from tests.properties.histories.perturbed import Perturbation, line_ends, only, stands_elsewhere, with_line
from tests.properties.histories.repository import FileEdit
from tests.properties.histories.rewritten import is_written, written
from tests.properties.histories.unified import Hunk, Line, applied, lines_of, places
from tests.properties.histories.verdict import Case, Way

_OTHER = re.compile(r"\s*$|[-+@\\\\*`<>]|diff |index |Binary |From |commit ")


def lost_sign(way: Way, context: int) -> Perturbation:
    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        section = edit.sections[context]
        hunks = section.hunks
        spots = [
            (number, at)
            for number, hunk in enumerate(hunks)
            for at, line in enumerate(hunk.lines)
            if line.sign == "+" and not _OTHER.match(line.text) and line.text.endswith("\n")
        ]
        if not spots or line_ends(edit.before) != line_ends(edit.after) or not is_written(way, edit, hunks):
            return None
        number, at = pick.choice(spots)
        hunk = hunks[number]
        header = f"@@ -{hunk.old_start},{len(hunk.old)} +{hunk.new_start},{len(hunk.new)} @@"
        lost = with_line(hunk, at, Line("", hunk.lines[at].text))
        lost = evolve(lost, header=header) if way is Way.UNIFIED else lost
        if stands_elsewhere(edit.before, hunk, lost):
            return None
        text = written(pick, way, section.head, [*hunks[:number], lost, *hunks[number + 1 :]])
        return Case(edit.before, text, edit.after, told(edit.before, hunks, number, lost), way)

    return perturb


def told(before: str, hunks: tuple[Hunk, ...], number: int, lost: Hunk) -> frozenset[str]:
    """Where the file has that very line, it is context."""
    starts = places(lines_of(before), lost.old)
    return frozenset().union(
        *(
            only(applied(before, [*hunks[:number], evolve(lost, old_start=start + 1), *hunks[number + 1 :]]))
            for start in starts
        )
    )


LOST_SIGN: dict[str, Perturbation] = {
    "new line without its sign, U1": lost_sign(Way.UNIFIED, 1),
    "new line without its sign, U3": lost_sign(Way.UNIFIED, 3),
    "v4a: new line without its sign": lost_sign(Way.V4A, 3),
}
