r"""Stems: many long markers, compiled as far as something of them was seen.

    <tool_|call>{     <tool_|call>NAME     <funct|ion=NAME>     [TOOL_|CALLS]…

A pattern for some hundred markers takes a tenth of a second to compile, and whatever it matches is dear, because it has
as many groups; one for a dozen long ones takes a hundredth. Of most markers nothing is ever seen. So text is searched
for their stems, the first few characters; what may follow a stem is compiled when the stem was seen, and matched behind
it. It may have stems of its own.

What is found is the same as with one pattern for all markers, because no two stems fit the same text. Where the text
ends inside of a stem, some marker may still come, as it may there. Where a marker is over and a longer one may follow,
but does not, it is the shorter one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from re import Match
from typing import Any, TypeAlias

from attrs import field, frozen

from streamparse.core.markers import Atom, Exact, Marker, Markers, compile_markers, count_common

#: So many characters and patterns are compiled at once, which takes one and a half milliseconds. What prose looks for
#: may take twice as long, because calls are found the faster.
ENOUGH, ENOUGH_IN_PROSE = 160, 300
#: How long a stem is, from where the markers part; and from how many markers on they are short.
_LENGTH = 16
MANY, _SHORT_LENGTH = 64, 6
#: The place behind a stem: a marker may be cut there, too.
_BEHIND = Atom("(?:)")
#: What a marker goes on with that is over.
_OVER = ""

#: Markers, or what is left of them, character by character, and their kinds.
_Sequences: TypeAlias = list[tuple[Marker, Any]]
#: The same, with the markers in lower case before them.
_Folded: TypeAlias = list[tuple[Marker, Marker, Any]]

#: A marker in a text: its kind, where it begins and ends, what may become a marker with what comes next, and from which
#: index on. The kind is None where the text ends inside of it. (A tuple: one with names takes as long as the search.)
Found: TypeAlias = tuple[Any, int, int, Markers, int]


@frozen(eq=False, slots=False)
class Stem:
    """What some markers have in common, as a kind of marker, and how these go on."""

    marker: Marker
    _sequences: _Sequences = field(repr=False)

    @cached_property
    def is_passed(self) -> bool:
        """Whether all begin with the very same; else some are in any case, and are matched from their beginning."""
        return all(characters[: len(self.marker)] == self.marker for characters, _ in self._sequences)

    @cached_property
    def levels(self) -> list[Markers]:
        """All of them, or what of them is behind the stem; the first that matches counts."""
        if not self.is_passed:
            return [_compile(self._sequences)]
        rests = [((_BEHIND, *characters[len(self.marker) :]), kind) for characters, kind in self._sequences]
        return [_compile(group) for group in (_by_head(rests) if _is_more(rests, ENOUGH) else [rests])]

    @cached_property
    def _whole(self) -> Any:
        """The kind of the marker that the stem is all of; None if there is none."""
        return next((kind for characters, kind in self._sequences if characters == self.marker), None)

    def follow(self, text: str, start: int, since: int, end: int, is_last: bool) -> Found | None:
        """The marker at index `start`, of which the stem is what stands from `since` to `end`."""
        if self.is_passed:
            since = end
        for markers in self.levels:
            match = (markers.final if is_last else markers.pattern).match(text, since)
            found = match and _found(markers, match, start, is_last)
            if found is not None:
                return found
        if self.is_passed and self._whole is not None:
            return self._whole, start, end, self.levels[0], since
        return None


def find(markers: Markers, text: str, pos: int, *, is_last: bool = False) -> Found | None:
    """The first marker in `text` from index `pos` on, or what may become one; `is_last`: nothing follows the text."""
    search = (markers.final if is_last else markers.pattern).search
    while match := search(text, pos):
        found = _found(markers, match, match.start(), is_last)
        if found is not None:
            return found
        pos = match.start() + 1
    return None


def find_at(place: Stem, text: str, pos: int) -> Found | None:
    """The marker at index `pos`, or what may become one."""
    return place.follow(text, pos, pos, pos, is_last=False)


def _found(markers: Markers, match: Match[str], start: int, is_last: bool) -> Found | None:
    kind, since, end = markers.kinds[match.lastindex or 0], match.start(), match.end()
    if isinstance(kind, Stem):
        return kind.follow(match.string, start, since, end, is_last)
    return kind, start, end, markers, since


def compile_stems(markers: Mapping[Any, Iterable[Marker]], enough: int = ENOUGH) -> Markers:
    """Like `compile_markers`; if there is more than `enough`, a kind may be a Stem: `find` knows what to do."""
    return _compile([(_characters(marker), kind) for kind, group in markers.items() for marker in group], enough)


def compile_place(markers: Mapping[Any, Iterable[Marker]]) -> Stem:
    """What may stand at one place, which the text goes on from: `find_at` looks there."""
    return Stem((), [(_characters(marker), kind) for kind, group in markers.items() for marker in group])


def _compile(sequences: _Sequences, enough: int = ENOUGH) -> Markers:
    stems = _stems(sequences) if _is_more(sequences, enough) else ()
    kinds: dict[Any, list[Marker]] = {}
    for characters, kind in stems or sequences:
        kinds.setdefault(kind, []).append(characters)
    return compile_markers(kinds)


@lru_cache(maxsize=2048)
def _characters(marker: Marker) -> Marker:
    """The marker, every character of its texts by itself."""
    return tuple(chain.from_iterable((part,) if isinstance(part, Atom) else part for part in marker))


def _by_head(rests: _Sequences) -> list[_Sequences]:
    """The rests, one group for each thing that they begin with, if one text may fit several; else all together."""
    heads: dict[str, _Sequences] = {}
    for characters, kind in rests:
        heads.setdefault(characters[1] if len(characters) > 1 else _OVER, []).append((characters, kind))
    known = [head for head in heads if head != _OVER]
    return [rests] if len(known) == 1 or all(map(_is_literal, map(_fold, known))) else list(heads.values())


def _is_more(sequences: _Sequences, enough: int) -> bool:
    """Whether there are more characters than `enough`; those that neighbours begin with count once."""
    count = 0
    before: Marker = ()
    for characters, _ in sequences:
        count += len(characters) - count_common([before, characters])
        if count > enough:
            return True
        before = characters
    return False


def _stems(sequences: _Sequences) -> _Sequences:
    """The stems of some markers, and the markers that need none; nothing if they have no stem."""
    stems: _Sequences = [(marker, kind) for marker, kind in sequences if marker == (_BEHIND,)]
    folded = [(_fold_all(marker), marker, kind) for marker, kind in sequences if marker != (_BEHIND,)]
    length = count_common([fold for fold, _, _ in folded]) + (_LENGTH if len(folded) < MANY else _SHORT_LENGTH)
    for marker, known in _part(folded, 0, length):
        stem = Stem(marker, known)
        if all(characters == marker for characters, _ in known):
            stems += known
        elif marker in ((), (_BEHIND,)) or (len(known) == len(folded) and not stem.is_passed):
            return []
        else:
            stems.append((marker, stem))
    return stems


def _part(folded: _Folded, start: int, length: int) -> Iterator[tuple[Marker, _Sequences]]:
    """Stems, no two of which fit the same text, each with the markers that begin with it in some case.

    All are alike up to index `start`. A stem ends with a literal character: blanks behind it may go on.
    """
    common = count_common([fold for fold, _, _ in folded])
    groups: dict[str, _Folded] = {}
    for one in folded:
        groups.setdefault(one[0][common] if common < len(one[0]) else _OVER, []).append(one)
    if common < length and len(groups) > 1 and all(map(_is_literal, groups)):
        for group in groups.values():
            yield from _part(group, common, length)
        return
    fold, first, _ = folded[0]
    end = min(common, length)
    while end > start and not _is_literal(fold[end - 1]):
        end -= 1
    is_same = all(characters[:end] == first[:end] for _, characters, _ in folded)
    yield (first if is_same else fold)[:end], [(characters, kind) for _, characters, kind in folded]


@lru_cache(maxsize=2048)
def _fold_all(characters: Marker) -> Marker:
    return tuple(map(_fold, characters))


@lru_cache(maxsize=1024)
def _fold(part: str) -> str:
    """A character in lower case, whether it is matched in any case or not; other parts as they are."""
    character = part.character if isinstance(part, Exact) else part
    return character.lower() if character.isascii() and not isinstance(character, Atom) else character


def _is_literal(part: str) -> bool:
    return part is not _OVER and not isinstance(part, Atom)
