r"""Stems: very many markers, found by how they begin.

    <tool_|call>{     <tool_|call>NAME     <funct|ion=NAME>     [TOOL_|CALLS]…

A pattern for some hundred markers takes a tenth of a second to compile, and whatever it matches is dear, because it has
as many groups; one for a dozen long ones takes a hundredth. Of most markers nothing is ever seen. So text is searched
for their stems, the first few characters; what may follow a stem is compiled when the stem was seen, and matched where
it begins.

What is found is the same as with one pattern for all markers. Where the text ends inside of a stem, some marker may
still come, as it may there. Where a stem is whole, all markers that are compatible with it are tried: not only those
that have it, but also shorter ones and those in another case, so that the one wins that would win among all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from re import Match
from typing import Any, TypeAlias

from attrs import frozen

from streamparse.core.markers import Atom, Exact, Marker, Markers, compile_markers

#: From how many markers on it pays, and how long their stems are.
MANY = 64
_LENGTH = 6
#: From how many characters on it pays where there are fewer markers; many of these begin alike.
LONG = 1024
_LENGTH_OF_LONG = 20

#: Kinds, markers, and their stems.
_Known: TypeAlias = list[tuple[Any, Marker, Marker]]


@frozen(eq=False)
class Stem:
    """The markers that may stand where a stem was found."""

    text: str
    _known: _Known

    @cached_property
    def markers(self) -> Markers:
        """All of them."""
        kinds: dict[Any, list[Marker]] = {}
        for kind, marker, stem in self._known:
            text = _text(stem)
            if text.startswith(self.text) or self.text.startswith(text):
                kinds.setdefault(kind, []).append(marker)
        return compile_markers(kinds)


def compile_stems(markers: Mapping[Any, tuple[Marker, ...]]) -> Markers:
    """Like `compile_markers`; where there are very many, a kind may be a Stem, and then its markers are to be tried."""
    every = [marker for group in markers.values() for marker in group]
    if len(every) < MANY and sum(map(_count_characters, every)) < LONG:
        return compile_markers(markers)
    length = _LENGTH if len(every) >= MANY else _LENGTH_OF_LONG
    known: _Known = [(kind, marker, _stem(marker, length)) for kind, group in markers.items() for marker in group]
    if not all(stem for _, _, stem in known):
        return compile_markers(markers)
    heads = [_text(stem)[0] for _, _, stem in known]
    kinds: dict[Any, list[Marker]] = {}
    seen: set[Marker] = set()
    for kind, marker, stem in known:
        if stem not in seen:
            seen.add(stem)
            # A character that is all of a marker and begins no other, as a backtick is, needs no second look.
            is_all = marker == stem and len(stem) == 1 and heads.count(stem[0]) == 1
            kinds.setdefault(kind if is_all else Stem(_text(stem), known), []).append(stem)
    return compile_markers(kinds)


def search(markers: Markers, text: str, pos: int) -> tuple[Match[str] | None, Markers]:
    """The first marker in `text` from index `pos` on, or what may become one, and the markers that it is one of."""
    while match := markers.pattern.search(text, pos):
        kind = None if match.lastindex is None else markers.kinds[match.lastindex]
        if not isinstance(kind, Stem):
            return match, markers
        found = kind.markers.pattern.match(text, match.start())
        if found is not None:
            return found, kind.markers
        pos = match.start() + 1
    return None, markers


def _count_characters(marker: Marker) -> int:
    """How many characters and patterns a marker is made of."""
    return sum(1 if isinstance(part, Atom) else len(part) for part in marker)


def _stem(marker: Marker, length: int) -> Marker:
    """The first few characters of a marker, up to what is no literal text."""
    stem: list[str] = []
    for part in marker:
        if isinstance(part, Atom) and not isinstance(part, Exact):
            break
        stem += [part] if isinstance(part, Exact) else part
    return tuple(stem[:length])


def _text(stem: Marker) -> str:
    """The stem in lower case."""
    return "".join(part.character if isinstance(part, Exact) else part for part in stem).lower()
