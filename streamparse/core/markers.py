r"""Markers: the earliest match and the exact holdback, in one regular expression.

A marker is text the parser must recognise even when a chunk ends in the middle of it: `</tool>`, `<tool` and a
delimiter, `__END_CONTENT__`. `compile_markers` turns a set of them into one pattern in which, after every character, the
end of the buffer is an alternative to the next character. For the one marker `</a>`:

    <(?:\Z|/(?:\Z|a(?:\Z|[ \t\r\n]*+(?:\Z|>()))))

So one `search` answers all three questions a state has:

- no match: nothing in the buffer belongs to a marker; all of it may be shown;
- a match with a `lastindex`: the earliest marker, and `kinds[lastindex]` says which one;
- a match without: the buffer ends inside a marker. Everything before `start()` may be shown, everything from there on must
  be held. No shorter suffix would do and no longer one is needed: this is the only holdback arithmetic in the library.

Markers with common beginnings share them (a trie), so a thousand tags cost no more than one. Where one marker is the
beginning of another, the longer one is waited for. Nothing here backtracks: cost is linear in the text searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from attrs import frozen

#: What the formats call blanks. Not `\s`, which has 29 characters: no model means U+2003 by "blank".
BLANK_CHARACTERS = " \t\r\n"


class Atom(str):
    """A piece of a marker that is not literal text: a regular expression for it."""

    __slots__ = ()


#: Any number of blanks, also none.
BLANKS = Atom(r"[ \t\r\n]*+")
#: At least one blank.
SOME_BLANKS = Atom(r"[ \t\r\n]++")
#: The character behind a tag's name, looked at and left: `<toolbar>` is not `<tool`.
NAME_END = Atom(r"(?=[ \t\r\n/>])")

#: A marker as a sequence: literal text (matched without regard to ASCII case) and atoms.
Marker: TypeAlias = tuple[str, ...]


def closer(name: str) -> Marker:
    """The closing tag of `name`, blanks allowed before its `>`."""
    return ("</" + name, BLANKS, ">")


def opener(name: str) -> Marker:
    """The beginning of an opening tag: its name, whole; attributes are not looked at."""
    return ("<" + name, NAME_END)


def exact(text: str) -> Marker:
    """`text` in this very case, among markers that are matched in any."""
    return tuple(Atom(f"(?-i:{character})") if character.isalpha() else character for character in text)


@frozen
class Markers:
    """A compiled set of markers: `pattern` to search or match with, `kinds[match.lastindex]` to tell them apart.

    `heads` are the characters a marker can begin with: text without any of them needs no search.
    """

    pattern: re.Pattern[str]
    kinds: tuple[str, ...]
    heads: str


def compile_markers(markers: Mapping[str, Iterable[Marker]], *, ignore_case: bool = True) -> Markers:
    """Compile `{kind: [marker, …]}`; of two equal markers the first wins. A marker begins with literal text."""
    return _compile(tuple((kind, marker) for kind, group in markers.items() for marker in group), ignore_case)


@lru_cache(maxsize=256)
def compile_closer(name: str) -> Markers:
    """The closing tag of `name` by itself."""
    return compile_markers({"closer": [closer(name)]})


@lru_cache(maxsize=256)
def _compile(markers: tuple[tuple[str, Marker], ...], ignore_case: bool) -> Markers:
    kinds = [""]  # lastindex counts from one
    body = _alternatives([(tuple(_atoms(marker, ignore_case)), kind) for kind, marker in markers], kinds)
    # IGNORECASE needs ASCII: else `ſ` matches `s`. (Lower-casing the buffer instead would shift offsets: `İ`.)
    flags = re.IGNORECASE | re.ASCII if ignore_case else re.ASCII
    heads = {marker[0][0] for _, marker in markers}
    if ignore_case:
        heads |= {head.swapcase() for head in heads}
    return Markers(re.compile(body, flags), tuple(kinds), "".join(sorted(heads)))


def _atoms(marker: Marker, ignore_case: bool) -> Iterator[str]:
    for part in marker:
        if isinstance(part, Atom):
            yield part
        else:
            yield from part.lower() if ignore_case else part


_Sequences: TypeAlias = list[tuple[tuple[str, ...], str]]


def _alternatives(sequences: _Sequences, kinds: list[str]) -> str:
    """A trie of `sequences` as a pattern; a finished one comes last, so that the longer marker is preferred."""
    heads: dict[str, _Sequences] = {}
    finished: list[str] = []
    for atoms, kind in sequences:
        if atoms:
            heads.setdefault(atoms[0], []).append((atoms[1:], kind))
        else:
            finished.append(kind)
    branches = [_branch(head, rest, kinds) for head, rest in heads.items()]
    if finished:
        kinds.append(finished[0])
        branches.append("()")
    return "|".join(branches)


def _branch(head: str, rest: _Sequences, kinds: list[str]) -> str:
    pattern = head if isinstance(head, Atom) else re.escape(head)
    tail = _alternatives(rest, kinds)
    return pattern + tail if tail == "()" else rf"{pattern}(?:\Z|{tail})"
