"""Which line of a block separates its old lines from its new ones.

    ------- SEARCH
    Title
    =======            this one?
    text
    =======            or that one?
    new
    +++++++ REPLACE

The lines that may are, and only the first kind counts of which there are any:

1. seven equals signs, or as many as the block's first marker has characters,
2. the same, indented more than the block,
3. any other number of them, three at least,
4. what was perhaps meant: a run of another character, or something like a marker. Then the markers are bad.

The first before which the old lines are found in the file separates. But if the file goes on with such a line behind
them, wherever they may be meant, that line may be content: then it is the last before which they are found. If the
file goes on even with what stands behind that one, it is content for certain; so it is, if it is of an odd length, and
another line that may separate follows. Then only a later line of its kind may separate, or the markers are bad.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from attrs import evolve

from streamparse.diff.block import SearchBlock
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import is_blank
from streamparse.diff.markers import USUAL, Kind, Marker, classify, may_separate
from streamparse.diff.match import Finder, find_plainly, lines_behind
from streamparse.diff.place import Match
from streamparse.diff.result import Strategy

#: Kinds of lines that may separate, see above.
_ODD = 3
_MEANT = 4
#: So many lines are tried as the separator of one block; more are only tried by halves.
_TRIES = 32


class Separation(NamedTuple):
    """The line `at`, from 0, separates; the old lines before it are found there, or nowhere."""

    at: int
    match: Match | None = None
    #: Whether they are found with the backslashes before what looks like markers.
    is_raw: bool = False
    #: Whether it is a line of equals signs of the first kind there is.
    is_proper: bool = True
    #: Whether one that looks better may have been meant.
    is_doubtful: bool = False


class Separators:
    """Separates blocks by what is in the file."""

    def __init__(self, index: FileIndex, finder: Finder) -> None:
        self._index = index
        self._finder = finder
        self._margins: dict[tuple[str, ...], Match] = {}

    def at_once(self, block: SearchBlock) -> Separation | None:
        """Whether the last of `block.candidates` separates. If it may be content, the block `waits` for its end."""
        if block.waits or len(block.candidates) > _TRIES:
            return None
        separation = self._find(block, block.candidates[-1])
        if separation is None:
            return None
        likely = {"=" * size for size in (USUAL, block.marker.size) if self._index.has_separators(size)}
        block.waits = bool(likely) and self._goes_on(separation, likely)
        return None if block.waits else separation

    def choose(self, block: SearchBlock, *, is_cut: bool = False) -> Separation | None:
        """What separates, now that all of the block is there, or will be if it `is_cut`. None: nothing does."""
        content, own = -1, 0
        for kind, candidates in enumerate(self._kinds(block), 1):
            left = [at for at in candidates if at > content]
            own = own or (kind if left and kind < _MEANT else 0)
            while left:
                separation = self._choose_among(block, left)
                if separation.match is None or not self._is_content(block, separation, kind, is_cut):
                    return separation._replace(is_proper=kind == own, is_doubtful=kind != own and 0 < own < _ODD)
                content = separation.at
                left = [at for at in left if at > content]
            if is_cut:
                return None
        return None

    def _kinds(self, block: SearchBlock) -> Iterator[list[int]]:
        markers = [classify(body) for body, _ in block.lines]
        equals = [at for at, marker in enumerate(markers) if marker.kind is Kind.SEPARATOR]
        usual = [at for at in equals if markers[at].size in (USUAL, block.marker.size)]
        yield [at for at in usual if markers[at].is_within(block.marker)]
        yield usual
        yield equals
        yield [at for at, (body, _) in enumerate(block.lines) if may_separate(body)]

    def _choose_among(self, block: SearchBlock, candidates: list[int]) -> Separation:
        first = next((found for at in candidates[:_TRIES] if (found := self._find(block, at))), None)
        if first is None:
            return Separation(candidates[0])
        if self._goes_on(first, {block.lines[at][0].strip() for at in candidates}):
            return self._last(block, candidates) or first
        return first

    def _find(self, block: SearchBlock, at: int) -> Separation | None:
        lines = block.search(at)
        if match := self._finder.find(lines):
            return Separation(at, self._without_margin(match, block.marker))
        raw = block.search(at, is_raw=True)
        if raw != lines and (match := self._finder.find(raw)):
            return Separation(at, match, is_raw=True)
        return None

    def _without_margin(self, match: Match, marker: Marker) -> Match:
        """The match, or also that of the lines without the blanks before the markers, if these are before all lines.

        Where the file has them so, they are meant as well as where it has them as they are written, and better than
        where it has them with any other indentation.
        """
        if not marker.is_before(match.lines) or match.strategy not in (Strategy.EXACT, Strategy.TRIMMED):
            return match
        key = marker.indent, *match.lines
        if key not in self._margins:
            other = self._finder.find([line.removeprefix(marker.indent) + match.tail for line in match.lines])
            if other is not None and other.strategy is Strategy.EXACT:
                places = [*match.places, *other.places] if match.strategy is Strategy.EXACT else other.places
                places = sorted(places, key=lambda place: place.start)
                match = evolve(match, strategy=Strategy.TRIMMED, places=places)
            self._margins[key] = match
        return self._margins[key]

    def _goes_on(self, separation: Separation, separators: set[str]) -> bool:
        assert separation.match is not None
        return not separators.isdisjoint(lines_behind(self._index, separation.match))

    def _last(self, block: SearchBlock, candidates: list[int]) -> Separation | None:
        """The last separator before which the old lines are found.

        Lines that are only similar do not count if others are found: the more there are, the less a difference shows.
        """
        candidates = [at for at in candidates if at]
        # Lines that are found are found without their last ones, too.
        behind = bisect_left(candidates, True, key=lambda at: find_plainly(self._index, block.search(at)) is None)
        candidates = candidates[behind - 1 : behind] if behind else candidates[:_TRIES]
        return next((found for at in reversed(candidates) if (found := self._find(block, at))), None)

    def _is_content(self, block: SearchBlock, separation: Separation, kind: int, is_cut: bool) -> bool:
        """Whether the file goes on with that line and the next one, of which only the beginning may be there."""
        at = separation.at
        if not self._goes_on(separation, {block.lines[at][0].strip()}):
            return False
        behind = next((k for k in range(at + 1, len(block.lines)) if not is_blank(block.lines[k][0])), None)
        if behind is None:
            return is_cut
        if kind >= _ODD and may_separate(block.lines[behind][0]):
            return True
        lines = block.search(behind + 1)
        if find_plainly(self._index, lines) is not None:
            return True
        if not is_cut or behind + 1 < len(block.lines) or block.lines[behind][1]:
            return False
        match = find_plainly(self._index, lines[:-1])
        return match is not None and any(
            line.startswith(lines[-1].strip()) for line in lines_behind(self._index, match)
        )
