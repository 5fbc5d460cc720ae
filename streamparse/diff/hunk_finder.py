"""Where a hunk stands in the file, by its old lines.

Tried in this order, the first that finds anything decides:

    behind BOM    all of its lines, at the beginning of the file, if they have its byte order mark
    whole         all of its lines (`match.py`), narrowed down by what else the hunk says
    without       lines at its end that have no mark: prose, unless the file has all of them
    unescaped     signs for what is written as HTML has them
    elided        the lines of the file for each `...` of its context
    flawed        one line of context is not as the file has it (`context.py`)

What was corrected is told in the `fixes` of its edit.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import itemgetter

from attrs import evolve

from streamparse.diff import patch_hints
from streamparse.diff.context import Flaw, find_despite_context
from streamparse.diff.dressing import has_entities, is_fence, is_half_escaped, without_entities
from streamparse.diff.headings import Headings
from streamparse.diff.hunk import Hunk
from streamparse.diff.hunk_lines import Line
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import is_blank, trim_all
from streamparse.diff.match import Finder, Tolerance, find_blank, find_elided
from streamparse.diff.place import SIGNS, Match, Place
from streamparse.diff.result import Failure, Strategy

#: A place that is no farther from the number of a hunk is near it.
_NEAR = 3


class HunkFinder:
    """Looks for hunks in one file. Models repeat themselves: equal hunks are looked for once."""

    def __init__(self, index: FileIndex, tolerance: Tolerance) -> None:
        self._index = index
        self._lines = Finder(index, tolerance)
        self._headings = Headings(index)
        #: By shape of the hunk: the match of its old lines, and that of its changes.
        self._found: dict[Hashable, tuple[Match, Match] | None] = {}
        self._flawed: dict[Hashable, tuple[Match, Flaw] | None] = {}

    def find(self, hunk: Hunk) -> Match | None:
        """The places of its changes; None: it is not in the file."""
        if hunk.left is None and hunk.prose and self._are_context(hunk.prose):
            hunk.take_prose_back()
        match = self._find_lines(hunk)
        if match is None and hunk.unmarked and not self._are_context(hunk.unmarked):
            hunk.drop_unmarked()
            match = self._find_lines(hunk)
        return match or self._find_unescaped(hunk) or self._find_elided(hunk) or self._find_flawed(hunk)

    def find_once(self, hunk: Hunk) -> Place | None:
        """The place of its changes, if its old lines are in one place only, whatever else it says."""
        found = self._look_for(hunk) if hunk.old else None
        return found[1].places[0] if found is not None and len(found[1].places) == 1 else None

    def contradiction(self, hunk: Hunk) -> Failure | None:
        """What the hunk says that cannot be true of this file."""
        if hunk.may_be_listed or any(line and self._index.trimmed.places([line]) for line in hunk.dropped):
            return patch_hints.unmarked(hunk)
        if len(hunk.headings) > 1 and self._headings.contradict(hunk.headings):
            return patch_hints.contradicting(hunk, hunk.headings)
        return None

    def is_elsewhere(self, hunk: Hunk, match: Match) -> bool:
        """Whether its headings are in the file, and none of its places is below them.

        A heading behind numbers does not count: git writes it, and only looks for it above the hunk.
        """
        if not hunk.headings or not hunk.old or hunk.near is not None:
            return False
        return all(self._headings.are_elsewhere(hunk.headings, place) for place in match.places)

    def _are_context(self, lines: Sequence[Line]) -> bool:
        """Whether lines at its end without a mark are lines of the file, all of them, and not prose."""
        keys = [key for key in trim_all(line.body for line in lines) if key]
        if not keys or any(line.kind != " " for line in lines):
            return False
        return all(not is_fence(key) and self._index.trimmed.places([key]) for key in keys)

    def _find_lines(self, hunk: Hunk) -> Match | None:
        return self._find_behind_bom(hunk) or self._find_whole(hunk)

    def _find_whole(self, hunk: Hunk) -> Match | None:
        shape = hunk.shape, hunk.is_at_start
        if shape not in self._found:
            self._found[shape] = self._look_for(hunk)
        if (found := self._found[shape]) is None:
            return None
        match, changes = found
        hunk.undress(match)
        hunk.places = changes.places
        places = self._narrow(hunk, match.places, changes.places) if match.lines else hunk.places
        return changes if places is changes.places else match.at(places)

    def _look_for(self, hunk: Hunk) -> tuple[Match, Match] | None:
        """The places of its old lines, and of its changes in each of them."""
        old = hunk.old
        if not old:
            places = [Place(point, point, ()) for point in self._insertion_points(hunk)]
            match = Match(Strategy.POSITION, places, [])
            return (match, match) if places else None
        found = find_blank(self._index, old) if all(map(is_blank, old)) else self._lines.find(old)
        if hunk.is_at_start:
            found = self._at_start(old, found)
        return (found, found.at(hunk.whole.changes(found.places))) if found and found.places else None

    def _narrow(self, hunk: Hunk, places: Sequence[Place], changes: Sequence[Place]) -> Sequence[Place]:
        """The changes that agree with what else the hunk says, or all of them; `places` are theirs, in order."""
        if hunk.ends_file and places[-1].end == len(self._index.lines):
            return changes[-1:]
        if not hunk.headings or len(places) == 1 or all(map(is_blank, hunk.old)):
            return changes  # blank lines are everywhere
        if (near := hunk.near) is None:
            return self._headings.within(tuple(hunk.headings), places, changes)
        # With numbers, the heading is that of git: it is somewhere above the hunk.
        below = self._headings.below(hunk.headings[-1], places, changes)
        distance, nearest = min(
            ((abs(place.start + 1 - near), change) for place, change in zip(places, changes, strict=True)),
            key=itemgetter(0),
        )
        hunk.is_contradictory = distance <= _NEAR and nearest not in below
        return changes if hunk.is_contradictory else below

    def _insertion_points(self, hunk: Hunk) -> list[int]:
        """Where new lines without any old ones belong: the numbers, from 0, of the lines before which they come."""
        size = len(self._index.lines)
        if not size:
            return [0]
        if hunk.behind is not None:
            return [hunk.behind] if 0 <= hunk.behind <= size else []
        if hunk.headings and hunk.near is None:
            return []  # they belong somewhere in the block of the heading, at its beginning or at its end
        return [size] if hunk.is_at_end or (hunk.is_insertion and not hunk.is_followed) else []

    def _find_behind_bom(self, hunk: Hunk) -> Match | None:
        """Lines with the byte order mark before them, which is no part of the file's first line here."""
        written = hunk.lines
        if not self._index.bom or not hunk.take_bom_off():
            return None
        match = self._find_whole(hunk)
        if match is None:
            hunk.put_bom_on(written)
        return match

    def _at_start(self, old: list[str], found: Match | None) -> Match | None:
        """What is found at the beginning of the file; for git, a file with nothing but the mark has a line, too."""
        if not self._index.lines and old == [""]:
            return Match(Strategy.EXACT, [Place(0, 0, (None,))], old)
        return found.at([place for place in found.places if place.start == 0]) if found else None

    def _find_unescaped(self, hunk: Hunk) -> Match | None:
        written = hunk.lines
        bodies = [line.body for line in written]
        if not has_entities(hunk.old) or is_half_escaped(bodies):
            return None
        hunk.take([evolve(line, body=without_entities(line.body)) for line in written])
        match = self._find_whole(hunk)
        if match is None:
            hunk.take(written)
            return None
        hunk.note(SIGNS)
        return evolve(match, is_html=True)

    def _find_elided(self, hunk: Hunk) -> Match | None:
        match = find_elided(self._index, hunk.old)
        if match is None or not hunk.fill(match):
            return None
        hunk.undress(match)
        return match.at(hunk.whole.changes(match.places))

    def _find_flawed(self, hunk: Hunk) -> Match | None:
        if hunk.is_noop or not hunk.has_context:
            return None
        key = hunk.left, *((line.kind, line.body) for line in hunk.lines)
        if key not in self._flawed:
            self._flawed[key] = find_despite_context(self._index, hunk.whole, hunk.left)
        if (found := self._flawed[key]) is None:
            return None
        match, flaw = found
        hunk.mend(flaw)
        hunk.undress(match)
        return match.at(hunk.whole.changes(match.places))
