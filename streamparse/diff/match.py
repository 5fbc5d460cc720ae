"""Where the old lines of a block stand in the file.

Tried in this order, the first that finds anything decides:

    exact       the lines as they are
    trimmed     but for blanks at the ends of lines, if none that is written deeper than another is less deep there
    condensed   but for blank lines, and typographic quotes, dashes and blanks for plain ones
    elided      with the lines of the file for `...`; or without a fence, or with signs for HTML (`dressing.py`)
    anchor      three lines or more: the first and the last trimmed, those between at least 0.8 alike, one by one
    fuzzy       only with threshold < 1: as many lines, alike to that degree, one by one

Lines that are only alike must have the same words (`words.py`), unless the degree is below 0.8.

Whole lines are compared, never parts of them. Line numbers in front of every line (`numbering.py`) are taken off if
the lines are not found with them. Several places that are equally good are all given: which one is meant is for
others to say.

`place.py` is what is found, `alike.py` how similar lines are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import Attribute, evolve, field, frozen

from streamparse.diff.alike import find_anchored, find_fuzzily
from streamparse.diff.dressing import (
    elisions_of,
    has_entities,
    has_signs,
    is_fenced,
    joined,
    pieces_of,
    without_entities,
)
from streamparse.diff.indent import Indentation, indent_of, keeps_order
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, bodies_of, is_blank, page_mark, trim_all
from streamparse.diff.numbering import numberings
from streamparse.diff.place import Match, Place, Places, Shape, condensed_place
from streamparse.diff.result import Strategy
from streamparse.diff.typography import Typography, as_typed, signs_in, typography_of
from streamparse.diff.words import have_same_words

#: Below this, lines that are alike may have other words, too.
ANCHOR_SIMILARITY = 0.8
#: So many exact comparisons are done one by one before an index of exact lines is made.
_FEW = 64

#: More places than that are made when they are asked for.
_MANY = 10_000


def _check_degree(owner: object, attribute: Attribute[float], value: object) -> None:
    if not isinstance(value, (int, float)):
        raise TypeError(f"{attribute.name} must be a number from 0 to 1, not {value!r}")
    if not 0 <= value <= 1:
        raise ValueError(f"{attribute.name} must be from 0 to 1, not {value!r}")


@frozen
class Tolerance:
    """How far from the text a block may be."""

    threshold: float = field(default=1.0, validator=_check_degree)
    anchor_similarity: float = field(default=ANCHOR_SIMILARITY, validator=_check_degree)
    has_anchors: bool = True


class Finder:
    """Looks for old lines in one file. Models repeat themselves, and equal lines are looked for once."""

    def __init__(self, index: FileIndex, tolerance: Tolerance) -> None:
        self._index = index
        self._tolerance = tolerance
        self._found: dict[tuple[str, ...], Match | None] = {}

    def find(self, lines: list[str]) -> Match | None:
        """The places of the lines, which have no endings; None: they are not in the file.

        No lines at all, or blank ones, are found in an empty file.
        """
        if not self._index.lines and all(map(is_blank, lines)):
            return Match(Strategy.EMPTY, [Place(0, 0, ())], [])
        if not lines:
            return None
        key = tuple(lines)
        if key not in self._found:
            match = find_plainly(self._index, lines) or self._find_undressed(lines) or self._find_similar(lines)
            self._found[key] = match and without_tails(self._index, match)
        return self._found[key]

    def _find_undressed(self, lines: list[str]) -> Match | None:
        """Without a fence around them, or signs of HTML in them, or with the lines that are left out."""
        if not self._tolerance.has_anchors:
            return None
        if is_fenced(lines) and (inner := lines[1:-1]) and (match := find_plainly(self._index, inner)):
            return evolve(match, is_fenced=True)
        if has_entities(lines) and not has_signs(lines):
            match = find_plainly(self._index, [without_entities(line) for line in lines])
            if match is not None:
                return evolve(match, is_html=True)
        return find_elided(self._index, lines)

    def _find_similar(self, lines: list[str]) -> Match | None:
        numbering = next(iter(numberings(lines)), None)
        if numbering is None:
            return self._find_alike(lines)
        match = self._find_alike([numbering.bare(line) for line in lines])
        return match and evolve(match, numbering=numbering)

    def _find_alike(self, lines: list[str]) -> Match | None:
        keys, tolerance = trim_all(lines), self._tolerance
        if tolerance.has_anchors:
            starts, similarity = find_anchored(self._index, keys, tolerance.anchor_similarity)
            if starts := self._with_same_words(keys, starts, tolerance.anchor_similarity):
                return self._alike(Match(Strategy.ANCHOR, _whole(starts, len(keys)), lines, similarity))
        if tolerance.threshold < 1:
            starts, similarity = find_fuzzily(self._index, keys, tolerance.threshold)
            if starts := self._with_same_words(keys, starts, tolerance.threshold):
                return self._alike(Match(Strategy.FUZZY, _whole(starts, len(keys)), lines, similarity))
        return None

    def _alike(self, match: Match) -> Match:
        """The match, and what lines that are only similar show about signs of typography."""
        if not signs_in(match.lines):
            return match
        typography = typography_of(match.lines, _pairs(self._index, match.lines, match))
        return evolve(match, lines=_typed(match.lines, typography), typography=typography)

    def _with_same_words(self, keys: list[str], starts: list[int], degree: float) -> list[int]:
        """Those where no word is another one: that is what a low degree is for."""
        if degree < ANCHOR_SIMILARITY:
            return starts
        found = self._index.trimmed.keys
        has_word = self._index.has_word
        return [start for start in starts if have_same_words(keys, found[start : start + len(keys)], has_word)]


def find_plainly(index: FileIndex, lines: list[str]) -> Match | None:
    """Exact, trimmed, without line numbers, or condensed.

    If lines are found so, the first of them alone are, too: `separators.py` bisects by that.
    """
    return (
        _find_as_typed(index, lines, _find_verbatim)
        or _find_numbered(index, lines)
        or _find_as_typed(index, lines, _find_condensed)
    )


def find_elided(index: FileIndex, lines: Sequence[str]) -> Match | None:
    """With the lines of the file for each `...`, or comment that says so, if what stands between these is found."""
    elisions = elisions_of(index, lines)
    pieces = pieces_of(lines, elisions)
    matches: list[Match] = []
    for piece in pieces:
        match = find_plainly(index, piece)
        if match is None or len(match.places) > 1 or match.numbering is not None:
            return None
        matches.append(match)
    if not matches:
        return None
    found = list(zip(pieces, matches, strict=True))
    is_exact = [one.strategy is Strategy.EXACT for one in matches]
    if any(is_exact) and not all(is_exact) and not _have_same_shift(index, found):
        return None
    typography = typography_of(lines, (pair for piece, one in found for pair in _pairs(index, piece, one)))
    typed = [evolve(one, lines=_typed(piece, typography)) for piece, one in found]
    match = joined(index, typed, lines, elisions)
    return match and evolve(match, typography=typography)


def _have_same_shift(index: FileIndex, found: Sequence[tuple[list[str], Match]]) -> bool:
    """Whether one rule says how all parts are indented in the file, or none that is there to the letter is elsewhere.

    Of a first part of one line that alone is not as deep as there, nothing shows whether others have lost as much.
    """
    rule = Indentation((pair for piece, one in found for pair in _pairs(index, piece, one)), may_slip=False)
    is_alone = sum(not is_blank(line) for line in found[0][0]) == 1
    if rule.is_regular and not (rule.is_first_trimmed and is_alone):
        return True
    exact = (piece for piece, one in found if one.strategy is Strategy.EXACT)
    return all(len(index.trimmed.places(trim_all(piece))) == 1 for piece in exact)


def find_blank(index: FileIndex, lines: list[str]) -> Match | None:
    """Lines that are all blank, whatever blanks they are made of: those of one place are no better than others."""
    starts = index.trimmed.places([""] * len(lines))
    return _match(index, Strategy.TRIMMED, _whole(starts, len(lines)), lines)


def without_tails(index: FileIndex, match: Match) -> Match:
    """The match, read without the blanks that all old lines end with, and no line of the file does."""
    if match.strategy is Strategy.EXACT:
        return match
    tails = {
        (_tail_of(line), _tail_of(found)) for line, found in _pairs(index, match.lines, match) if not is_blank(line)
    }
    tail = "" if len(tails) != 1 else next((written for written, found in tails if not found), "")
    if not tail or match.middles:
        return match
    return evolve(match, lines=[line.removesuffix(tail) for line in match.lines], tail=tail)


def _tail_of(line: str) -> str:
    """The blanks at its end; a `\\r` is one, where another is before the end of the line."""
    return line[len(line.rstrip(f"{BLANKS}\r")) :]


def lines_behind(index: FileIndex, match: Match) -> Iterator[str]:
    """The line, condensed, behind each place where the old lines may be meant to be, blank lines aside."""
    keys = condensed(match.lines)
    found = index.condensed.keys
    ends = {start + len(keys) for start in index.condensed.places(keys)} if keys else set()
    ends |= {bisect_left(index.condensed_numbers, place.end) for place in match.places}
    return (found[end] for end in ends if end < len(found))


def condensed(lines: Iterable[str]) -> list[str]:
    """The lines that are not blank, as `FileIndex.condensed` has them."""
    return [as_typed(line) for line in trim_all(lines) if line]


def _find_as_typed(
    index: FileIndex, lines: list[str], find: Callable[[FileIndex, list[str]], Match | None]
) -> Match | None:
    """With the quotes, dashes and blanks that one types, for those of typography that the file does not have."""
    if not signs_in(lines):
        return find(index, lines)
    match = _find_verbatim(index, lines)
    if match is not None and (match.strategy is Strategy.EXACT or not signs_in(map(indent_of, lines))):
        return match
    match = find(index, [as_typed(line) for line in lines])
    if match is None:
        return None
    anywhere = _find_condensed(index, lines)
    if anywhere is not None and any(signs_in(index.lines[place.start : place.end]) for place in anywhere.places):
        match, find = anywhere, _find_condensed  # the file has other signs of typography there: they are as near
    typography = typography_of(lines, _pairs(index, lines, match))
    if len(match.places) > _FEW:
        typography = evolve(typography, unsure=signs_in(lines))  # only some of the places were looked at
    match = find(index, _typed(lines, typography))
    return evolve(match, typography=typography) if match else None


def _typed(lines: Iterable[str], typography: Typography) -> list[str]:
    """The lines as they are meant."""
    return [as_typed(line, typography.signs) for line in lines]


def _pairs(index: FileIndex, lines: list[str], match: Match) -> Iterator[tuple[str, str]]:
    """Each of the lines, as it is written, and the lines of the file for which it stands."""
    for place in match.places[:_FEW]:
        yield from place.pairs(lines, index)


def _find_numbered(index: FileIndex, lines: list[str]) -> Match | None:
    """Without the numbers in front of them.

    Whether a blank behind these is theirs shows where the lines are to the letter: at their very numbers, if they are,
    or with the blank. If they are nowhere so, it is that of the numbers, unless more blanks are before every line:
    new lines without numbers do not show how many of these they have.
    """
    found: list[Match] = []
    for numbering in numberings(lines):
        bare = [numbering.bare(line) for line in lines]
        match = _find_as_typed(index, bare, _find_verbatim) or _find_as_typed(index, bare, _find_condensed)
        if match is not None:
            found.append(evolve(match, numbering=numbering))
    closest = max(found, key=_closeness, default=None)
    if closest is None or closest.strategy is Strategy.EXACT:
        return closest
    assert closest.numbering is not None
    is_blank_unknown = len(found) > 1 and all(is_blank(line) or indent_of(line) for line in closest.lines)
    return evolve(closest, numbering=evolve(closest.numbering, is_blank_unknown=is_blank_unknown))


def _closeness(match: Match) -> tuple[bool, bool, bool]:
    """Whether numbered lines are there to the letter, and at their numbers, and with the blank behind these."""
    assert match.numbering is not None
    is_exact = match.strategy is Strategy.EXACT and not match.typography
    is_at_number = any(place.start + 1 == match.numbering.first for place in match.places)
    return is_exact, is_at_number, is_exact and not match.numbering.blank


def _find_verbatim(index: FileIndex, lines: list[str]) -> Match | None:
    """Exact or trimmed."""
    size = len(lines)
    starts = index.trimmed.places(trim_all(lines))
    if not starts:
        return None
    exact: Sequence[int]
    if len(starts) > _FEW:
        exact = index.exact.places_among(starts, lines)
    else:
        exact = [start for start in starts if bodies_of(index.lines[start : start + size]) == lines]
    if exact:
        return Match(Strategy.EXACT, _whole(exact, size), lines)
    if size > 1 and len(starts) <= _FEW:
        starts = [start for start in starts if keeps_order(zip(lines, index.lines[start : start + size], strict=True))]
    return _match(index, Strategy.TRIMMED, _whole(starts, size), lines)


def _whole(starts: Sequence[int], size: int) -> Sequence[Place]:
    return _places(starts, lambda start: Place(start, start + size, range(start, start + size)))


def _places(starts: Sequence[int], make: Callable[[int], Place]) -> Sequence[Place]:
    return Places(starts, make) if len(starts) > _MANY else list(map(make, starts))


def _find_condensed(index: FileIndex, lines: list[str]) -> Match | None:
    """Whatever blank lines, quotes and dashes there are."""
    keys = condensed(lines)
    if not keys:
        return None
    starts = index.condensed.places(keys)
    if not starts:
        return None
    shape = Shape(lines)
    places = _places(starts, lambda start: condensed_place(index, shape, start, len(keys)))
    return _match(index, Strategy.CONDENSED, places, lines)


def _match(index: FileIndex, strategy: Strategy, places: Sequence[Place], lines: list[str]) -> Match | None:
    """Those of the places where each form feed that is written for a line is one in the file, if there are any.

    A blank line may stand for it: not everyone sees it.
    """

    def has_mark(origin: int | None, mark: str) -> bool:
        return origin is not None and page_mark(index.lines[origin]) == mark

    marks = [(at, mark) for at, line in enumerate(lines) if line.isspace() and (mark := page_mark(line))]
    if marks:
        places = [place for place in places if all(has_mark(place.origins[at], mark) for at, mark in marks)]
    return Match(strategy, places, lines) if places else None
