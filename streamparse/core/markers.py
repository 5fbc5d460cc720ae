r"""Markers: the earliest match and the exact holdback, in one regular expression.

A marker is text the parser must recognise even when a chunk ends in the middle of it: `</tool>`, `<tool` and a
delimiter, `__END_CONTENT__`. `compile_markers` turns a set of them into one pattern in which, after every character,
the end of the buffer is an alternative to the next character. For the one marker `</a>`:

    <(?:/[aA]|(?:/)?+\Z)(?:\Z|[ \t\r\n]*+)(?:\Z|>())

So one `search` answers all three questions a state has:

- no match: nothing in the buffer belongs to a marker; all of it may be shown;
- a match with a `lastindex`: the earliest marker, and `kinds[lastindex]` says which one;
- a match without: the buffer ends inside a marker. Everything before `start()` may be shown, everything from there on
  must be held. No shorter suffix would do and no longer one is needed.

That is the holdback arithmetic of the library. Only tags with attributes have one of their own, because they repeat and
a marker does not: `families/xml/lexer.py`.

Markers with common beginnings share them (a trie), so a thousand tags cost no more than one. Where one marker is the
beginning of another, the longer one is waited for. Nothing here backtracks: cost is linear in the text searched.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from attrs import frozen

#: The kind of a closing marker compiled by itself.
CLOSER = "closer"

#: What the formats call blanks. Not `\s`, which has 29 characters: no model means U+2003 by "blank".
BLANK_CHARACTERS = " \t\r\n"
_BLANK_RUN = re.compile(r"[ \t\r\n]*+")


def skip_blanks(text: str, start: int, end: int = sys.maxsize) -> int:
    """The index behind the blanks at `start`."""
    match = _BLANK_RUN.match(text, start, end)
    assert match is not None  # it matches nothing, too
    return match.end()


class Atom(str):
    """A piece of a marker that is not literal text: a regular expression for it."""

    __slots__ = ()


#: Any number of blanks, also none.
BLANKS = Atom(r"[ \t\r\n]*+")
#: Behind BLANKS at a marker's end: all of them are there.
NO_BLANK = Atom(r"(?![ \t\r\n])")
#: Blanks at the beginning of a line, or of several: with more, lines of nothing else would each be read to their end.
LINE_BLANKS = Atom(r"[ \t\r\n]{0,64}+")
#: At least one blank.
SOME_BLANKS = Atom(r"[ \t\r\n]++")
#: The character behind a tag's name, looked at and left: `<toolbar>` is not `<tool`.
NAME_END = Atom(r"(?=[ \t\r\n/>])")

#: A marker as a sequence: literal text (matched without regard to ASCII case) and atoms.
Marker: TypeAlias = tuple[str, ...]


@lru_cache(maxsize=256)
def close_tag(name: str) -> Marker:
    """The closing tag of `name`, blanks allowed before its `>`."""
    return ("</" + name, BLANKS, ">")


def open_tag(name: str) -> Marker:
    """The beginning of an opening tag: its name, whole; attributes are not looked at."""
    return ("<" + name, NAME_END)


def leading_text(marker: Marker) -> str:
    """The text that `marker` begins with, up to what is not literal."""
    text = ""
    for part in marker:
        if isinstance(part, Atom) and not isinstance(part, Exact):
            break
        text += part.character if isinstance(part, Exact) else part
    return text


def goes_over_lines(marker: Marker) -> bool:
    """Whether a line break may stand inside of `marker`: neither before it nor right behind it."""
    return not marker[0].startswith(("\n", "\r")) and any(map(_goes_over_line, set(marker)))


@lru_cache(maxsize=1024)
def _goes_over_line(part: str) -> bool:
    if part.startswith(("(?=", "(?!")):
        return False
    return "\n" in part or (isinstance(part, Atom) and r"\n" in part and not part.startswith("[^"))


#: The end of the buffer as an alternative to what comes next.
_CUT = r"\Z|"


class Exact(Atom):
    """A character in this very case, among markers that are matched in any."""

    __slots__ = ()

    def __new__(cls, character: str) -> Exact:
        """The pattern for `character`, a letter: a set of one, so that it is not the letter in any case."""
        return super().__new__(cls, f"[{character}]")

    @property
    def character(self) -> str:
        """What it matches."""
        return self[1:-1]


@lru_cache(maxsize=1024)
def exact(text: str) -> Marker:
    """`text` in this very case."""
    return tuple(Exact(character) if character.isalpha() else character for character in text)


def repeated(*sequences: Marker, most: int) -> Atom:
    """A piece of a marker: any of `sequences`, up to `most` times. It may be cut anywhere inside, too."""
    return Atom(f"(?:{_any_of(sequences)}){{0,{most}}}+")


class AnyOf(Atom):
    """The first piece of a marker: any of some sequences. It may be cut anywhere inside, so more must follow it."""

    __slots__ = ("first_characters",)
    first_characters: tuple[str, ...]

    def __new__(cls, *sequences: Marker) -> AnyOf:
        """The pattern for `sequences`."""
        made = super().__new__(cls, f"(?:{_any_of(sequences)})")
        made.first_characters = tuple(dict.fromkeys(c for seq in sequences for c in _first_characters(seq[0], True)))
        return made


def _any_of(sequences: Iterable[Marker]) -> str:
    """Nothing in here is told apart, so nothing is captured."""
    return _alternatives([(tuple(_atoms(sequence, True)), None) for sequence in sequences], None, _CUT)


@frozen(eq=False, slots=False)
class Markers:
    """A compiled set of markers: `pattern` to search or match with, `kinds[match.lastindex]` to tell them apart.

    `heads` are the characters a marker can begin with, those that are rare in prose first: text without any of them
    needs no search.
    """

    heads: str
    _source: tuple[tuple[Any, Marker], ...]
    _ignore_case: bool

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All of them, or the beginning of one. It is compiled when it is first asked for: often it never is."""
        return self._compiled[0]

    @cached_property
    def kinds(self) -> tuple[Any, ...]:
        """By the groups of the pattern, which count from one."""
        return self._compiled[1]

    @cached_property
    def glance(self) -> re.Pattern[str]:
        """What finds the first marker, as `pattern` does, but `tell` says which one it is.

        A match of many groups takes four times as long as one of a few; so there is one for each first character.
        """
        if not self._parts:
            return self.pattern
        return re.compile("|".join(_glance(part._source, self._ignore_case) for part in self._parts), re.ASCII)

    def tell(self, match: re.Match[str]) -> tuple[Any, int]:
        """The kind of what was found at a glance, and where it ends; None if it is cut, or a longer one may come."""
        index = match.lastindex
        if index is None or not self._parts:
            return self.kinds[index] if index else None, match.end()
        part = self._parts[index - 1]
        found = part.pattern.match(match.string, match.start())
        assert found is not None  # all of a marker is there
        return part.kinds[found.lastindex or 0], found.end()

    @cached_property
    def _parts(self) -> tuple[Markers, ...]:
        """The markers of each first character, in the order of the groups of `glance`; nothing if there are few."""
        if len(self._source) < _MANY:
            return ()
        heads: dict[str, list[tuple[Any, Marker]]] = {}
        for kind, marker in self._source:
            heads.setdefault(next(_atoms(marker, self._ignore_case), ""), []).append((kind, marker))
        return tuple(_compile(tuple(markers), self._ignore_case) for markers in heads.values())

    @cached_property
    def final(self) -> re.Pattern[str]:
        """The pattern for text that nothing follows: what is cut is no marker, so a shorter one may be."""
        return _pattern(self._source, self._ignore_case, [], cut="")

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], tuple[Any, ...]]:
        kinds: list[Any] = [None]
        return _pattern(self._source, self._ignore_case, kinds), tuple(kinds)

    def fills(self, text: str, pos: int) -> bool:
        """Whether `text`, which nothing follows, holds nothing but markers and blanks from index `pos` on."""
        pos = skip_blanks(text, pos)
        while pos < len(text):
            match = self.final.match(text, pos)
            if match is None:
                return False
            pos = skip_blanks(text, match.end())
        return True

    def ignores_blanks(self, buf: str, start: int) -> bool:
        """Whether `buf[start:]`, which may become a marker, may still do so however many blanks come next."""
        rest = buf[start:]
        if not rest or rest[-1] not in BLANK_CHARACTERS:
            return False
        # A marker that takes both takes any number of any: nothing but BLANKS does.
        matches = [self.pattern.match(rest + blank) for blank in " \n"]
        return all(match is not None and match.lastindex is None for match in matches)


def compile_markers(markers: Mapping[Any, Iterable[Marker]], *, ignore_case: bool = True) -> Markers:
    """Compile `{kind: [marker, …]}`, kinds of any hashable type. Of two equal markers the first wins."""
    return _compile(tuple((kind, marker) for kind, group in markers.items() for marker in group), ignore_case)


@lru_cache(maxsize=512)
def _compile(markers: tuple[tuple[Any, Marker], ...], ignore_case: bool) -> Markers:
    heads = {character for _, marker in markers if marker for character in _first_characters(marker[0], ignore_case)}
    rare_first = "".join(sorted(heads, key=lambda head: (head.isalnum() or head.isspace(), head)))
    return Markers(rare_first, markers, ignore_case)


def _pattern(
    markers: tuple[tuple[Any, Marker], ...], ignore_case: bool, kinds: list[Any], cut: str = _CUT
) -> re.Pattern[str]:
    """All of them as one pattern, whose groups are `kinds`; `cut` is what may stand for the rest of a marker."""
    body = _alternatives([(tuple(_atoms(marker, ignore_case)), kind) for kind, marker in markers], kinds, cut)
    return re.compile(body or _NEVER, re.ASCII)


#: So many markers make a match of all of them slow.
_MANY = 32


def _glance(markers: tuple[tuple[Any, Marker], ...], ignore_case: bool) -> str:
    """A pattern for markers of one first character: all of one, which is the group, or what there is of one."""
    known = [tuple(_atoms(marker, ignore_case)) for _, marker in markers]
    rests: _Sequences = [(atoms[1:], None) for atoms in known]
    return f"{''.join(known[0][:1])}(?:(?:{_alternatives(rests, None, '')})()|{_CUT}{_alternatives(rests, None, _CUT)})"


_NEVER = "(?!)"  # an empty pattern would match everywhere


def _first_characters(part: str, ignore_case: bool) -> tuple[str, ...]:
    if isinstance(part, Exact):
        return (part.character,)
    if isinstance(part, AnyOf):
        return part.first_characters
    return (part[0], part[0].swapcase()) if ignore_case else (part[0],)


@lru_cache(maxsize=256)
def compile_marker(marker: Marker) -> Markers:
    """One marker by itself; its kind is CLOSER, because that is what is mostly looked for alone."""
    return compile_markers({CLOSER: [marker]})


def end_of_marker(marker: Marker, text: str, pos: int) -> int:
    """The index behind `marker`, which was found at index `pos`."""
    match = compile_marker(marker).final.match(text, pos)
    assert match is not None  # all of it is there
    return match.end()


def _atoms(marker: Marker, ignore_case: bool) -> Iterator[str]:
    """The pieces of a pattern for `marker`.

    Letters in any case are sets of two, `[tT]`. The flag IGNORECASE would say the same, and cost prose twice as much:
    with it, the engine neither jumps to the characters that a marker can begin with, nor skips alternatives by theirs.
    """
    for part in marker:
        if isinstance(part, Exact):
            yield re.escape(part.character)  # there is no flag by which it could be in another case
        elif isinstance(part, Atom):
            yield part
        elif ignore_case:
            yield from map(_in_any_case, part)
        else:
            yield from map(re.escape, part)


@lru_cache(maxsize=1024)
def _in_any_case(character: str) -> str:
    # Only of ASCII: else `ſ` would match `s`.
    is_letter = character.isascii() and character.isalpha()
    return f"[{character.lower()}{character.upper()}]" if is_letter else re.escape(character)


#: So many characters of a marker are matched together: that takes two thirds of the time to compile.
_AT_ONCE = 8
_Sequences: TypeAlias = list[tuple[tuple[str, ...], Any]]


def _alternatives(sequences: _Sequences, kinds: list[Any] | None, cut: str) -> str:
    """A trie of `sequences` as a pattern; a finished one comes last, so that the longer marker is preferred.

    Where there are `kinds`, it is captured in a group, whose kind is appended to them.
    """
    heads: dict[str, _Sequences] = {}
    finished: list[Any] = []
    for atoms, kind in sequences:
        if atoms:
            heads.setdefault(atoms[0], []).append((atoms[1:], kind))
        else:
            finished.append(kind)
    branches = [_branch(head, rest, kinds, cut) for head, rest in heads.items()]
    if finished:
        branches.append("" if kinds is None else "()")
        if kinds is not None:
            kinds.append(finished[0])
    return "|".join(branches)


def _branch(head: str, rest: _Sequences, kinds: list[Any] | None, cut: str) -> str:
    """`head` and what may follow it. What all have in common stands in a row, not one in another: markers are long."""
    common = count_common([atoms for atoms, _ in rest])
    row = rest[0][0][:common]
    tail = _alternatives([(atoms[common:], kind) for atoms, kind in rest], kinds, cut)
    if tail not in ("", "()"):
        return f"{head}{_row(row, '', cut)}(?:{cut}{tail})"
    return f"{head}{_row(row, tail, cut)}" if row else head + tail


def _row(atoms: tuple[str, ...], end: str, cut: str) -> str:
    """`atoms` one behind the other, and `end` if the last is there; the text may be over before any of them."""
    if not cut:
        return "".join(atoms) + end
    pieces: list[list[str]] = []
    for atom in atoms:
        if isinstance(atom, Atom) or not pieces or len(pieces[-1]) == _AT_ONCE or isinstance(pieces[-1][0], Atom):
            pieces.append([])
        pieces[-1].append(atom)
    ends = [""] * (len(pieces) - 1) + [end]
    return "".join(map(_piece, pieces, ends))


def _piece(atoms: list[str], end: str) -> str:
    r"""All of `atoms` and `end`, or as many as there are: `(?:abc|(?:a(?:b)?+)?+\Z)`."""
    if len(atoms) == 1:
        return f"(?:{_CUT}{atoms[0]}{end})"
    some = ""
    for atom in reversed(atoms[:-1]):
        some = f"(?:{atom}{some})?+"
    return rf"(?:{''.join(atoms)}{end}|{some}\Z)"


def count_common(sequences: list[tuple[str, ...]]) -> int:
    """How many atoms all of `sequences` begin with."""
    for count, atoms in enumerate(zip(*sequences, strict=False)):
        if any(atom != atoms[0] for atom in atoms):
            return count
    return min(map(len, sequences))
