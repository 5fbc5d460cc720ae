"""Tags: how a model writes the parameters of a call, as data. `reader.py` reads what is written so.

    <parameter=city>Oslo</parameter> <parameter=days>2</parameter> </function>
    └ open ────────┘    └ close ───┘                               └ end

A parameter's closer counts only when blanks and then the next parameter, the end of the call, or what stands in its
place follow: values may hold anything. The key stands in the opener, in one of three ways:

    <parameter=city>    <parameter name="city" string="true">    <arg_key>city</arg_key><arg_value>
"""

from __future__ import annotations

import re
from functools import cached_property

from attrs import Factory, field, frozen

from streamparse.core.markers import BLANK_CHARACTERS, BLANKS, Atom, Exact, Marker, Markers, compile_markers, exact
from streamparse.core.opening import Options
from streamparse.families.calls.grammar import Capture, Part, as_pattern, name_like, variants

# All that repeats has a bound: what is shown already is looked at again while the rest of a tag is missing. And no key
# holds a `<`: that could be the beginning of the call's end, which must never be shown.


class _Key(Capture):
    __slots__ = ()
    group = "key"


class _Attributes(Capture):
    __slots__ = ()
    group = "attributes"


#: A quote of either kind around a name; and where it may be missing.
QUOTE, MAYBE_QUOTE = Atom("[\"']"), Atom("[\"']?+")
#: A tool's name in double quotes, where it may be any.
QUOTED_NAME = name_like(r'[^"<>\r\n]{1,256}+')
#: Up to the end of a tag, or of the pair of tags around it.
KEY: Atom = _Key(r"[^<>\r\n]{1,256}+")
_QUOTED: dict[str, Atom] = {'"': _Key(r'[^"<>\r\n]{1,256}+'), "'": _Key(r"[^'<>\r\n]{1,256}+")}
_BARE: Atom = _Key(r"[^\s\"'<>/=]{1,256}+")
#: A key that is the name of its tag: not one of those that stand around the parameters.
OWN_KEY: Atom = _Key(r"(?!(?:invoke|tool_call)[ >])[^<>/\r\n]{1,256}+")


def key_like(pattern: str) -> Atom:
    """A key, where it is not any. The pattern must not give back what it took, and takes no `<` (`[^<=]{1,256}+`)."""
    return _Key(pattern)


#: All that stands behind the key's own attribute.
_ATTRIBUTES: Atom = _Attributes(r"[^<>]{0,256}+")
#: The type of a value, in a tag of its own before it.
TYPE: Atom = _Attributes(r"[^<>]{0,64}+")
#: Blanks inside a tag, and between two that belong together.
FEW_BLANKS = Atom(r"[ \t\r\n]{0,64}+")
_SOME_BLANKS = Atom(r"[ \t\r\n]{1,64}+")

#: What may stand around the name of a tag.
_AROUND_NAME = f"/{BLANK_CHARACTERS}"

#: The kinds of what stands behind a parameter.
OPEN, QUOTED, ORPHAN, END, INSTEAD = "open", "quoted", "orphan", "end", "instead"
CLOSE, FIT = "close", "fit"


def marker(*parts: str) -> Marker:
    """The parts one after the other: text in this very case, and atoms."""
    return tuple(atom for part in parts for atom in ((part,) if isinstance(part, Atom) else exact(part)))


def with_attribute(
    tag: str, attribute: str = "name", end: str = ">", *, blanks: Atom = _SOME_BLANKS
) -> tuple[Marker, ...]:
    """`<tag attribute="KEY" …>`, in either quotes or without; `blanks` stand behind the tag's name."""
    head = marker(tag, blanks, attribute, FEW_BLANKS, "=", FEW_BLANKS)
    return (*in_quotes(*head, behind=(_ATTRIBUTES, end)), marker(*head, _BARE, _ATTRIBUTES, end))


def in_quotes(*before: str, behind: tuple[str, ...]) -> tuple[Marker, ...]:
    """A key in either quotes, between what stands before and behind it."""
    return tuple(marker(*before, quote, key, quote, *behind) for quote, key in _QUOTED.items())


@frozen(eq=False, slots=False)
class Tags(Options):
    """How a call and its parameters are written, and what ends the call."""

    #: What begins the call, without what may be missing in an `empty` one.
    head: tuple[Part, ...]
    #: What begins a parameter; the ways to write it.
    open: tuple[Marker, ...]
    close: Marker
    #: The closer of the call.
    end: Marker
    #: Others that end it as well.
    other_ends: tuple[Marker, ...] = ()
    #: Closers of what is around it, which may come in its place, even in an open parameter.
    outer: tuple[Marker, ...] = ()
    #: How the next call begins, which may come in its place, too, but only behind a parameter.
    next: tuple[Marker, ...] = field(default=Factory(lambda tags: tags.heads(FEW_BLANKS), takes_self=True))
    #: A key without a value, where the two stand in tags of their own: the call is malformed.
    orphans: tuple[Marker, ...] = ()
    #: What may stand around a value that holds tags.
    quotes: tuple[str, str] | None = None
    #: What ends the head of a call, if that may be empty: `<invoke name="x"/>`. It is left for the state to read.
    empty: str = ""
    #: What may stand between two parameters, and before the end.
    gap: Atom = BLANKS
    #: Keys are written with `&amp;` and `&quot;`.
    has_escaped_keys: bool = False
    #: Values have parts, in tags again. Then no text looks like a tag: every closer counts that has the right name.
    is_nested: bool = False

    def skip_gap(self, text: str, pos: int, end: int) -> int:
        """The index behind what may stand between two parameters; all there is, if that is cut."""
        match = self._gap.match(text, pos, end)
        assert match is not None  # it matches nothing, too
        return match.end()

    @cached_property
    def _gap(self) -> re.Pattern[str]:
        return re.compile(self.gap)

    @cached_property
    def end_text(self) -> str:
        """The closer of the call, as it is mostly written."""
        letters = (part.character if isinstance(part, Exact) else part for part in self.end)
        return "".join(part for part in letters if not isinstance(part, Atom))

    def heads(self, blanks: Atom) -> tuple[Marker, ...]:
        """The ways in which a call begins, with `blanks` between the parts."""
        spaced = ([piece for part in parts for piece in (blanks, part)][1:] for parts in variants(self.head))
        return tuple(marker(*parts) for parts in spaced)

    # -- what is looked for -------------------------------------------------------------------------------------------

    @cached_property
    def following(self) -> Markers:
        """What may stand behind a parameter, and behind the head of a call."""
        quoted = [(*opener, FEW_BLANKS, *exact(self.quotes[0])) for opener in self.open] if self.quotes else []
        return compile_markers(
            {
                END: [self.end, *self.other_ends],
                INSTEAD: [*self.outer, *self.next],
                QUOTED: quoted,
                OPEN: self.open,
                ORPHAN: self.orphans,
            }
        )

    @cached_property
    def ends(self) -> Markers:
        """What must not be shown, wherever it stands."""
        return compile_markers({END: [*self.all_ends, *self.next]})

    @cached_property
    def inside(self) -> tuple[Markers, ...]:
        """In an open parameter: what closes it, what may be the end of the call, and what begins a part of the value.

        The second of the two is for a value in quotes.
        """
        ends, parts = self.all_ends, self.open if self.is_nested else ()
        return tuple(compile_markers({END: ends, CLOSE: [close], OPEN: parts}) for close in self._closers)

    @cached_property
    def held(self) -> tuple[Markers, ...]:
        """Behind the end of a call in an open parameter, perhaps in quotes: what decides whether that is data.

        It is a closer with all that must follow it.
        """
        behind = (*self.all_ends, *self.next, *self.open, *self.orphans)
        fits = ([(*close, self.gap, *following) for following in behind] for close in self._closers)
        return tuple(compile_markers({FIT: fit}) for fit in fits)

    @cached_property
    def closers(self) -> Markers:
        """What may stand behind the end of the last call."""
        return compile_markers({END: self.all_ends})

    @cached_property
    def all_ends(self) -> tuple[Marker, ...]:
        """What ends the call wherever it stands, unless it turns out to be data."""
        return (self.end, *self.other_ends, *self.outer)

    @property
    def _closers(self) -> tuple[Marker, ...]:
        return (self.close, *([marker(self.quotes[1], FEW_BLANKS, *self.close)] if self.quotes else []))

    # -- what tags say ------------------------------------------------------------------------------------------------

    def read_opener(self, found: re.Match[str]) -> tuple[str, str]:
        """Key and attributes of an opener that was found."""
        if self.is_nested:
            return self.name_of(found), ""
        tag = found[0]
        opener = next(match for reader in self._opener_readers if (match := reader.match(tag)))
        return self.read_key(opener["key"]), opener.groupdict().get("attributes") or ""

    def name_of(self, found: re.Match[str]) -> str:
        """The key that is the name of a tag: of a closer, too."""
        tag = found[0]
        return tag[tag.rindex("<") + 1 : -1].strip(_AROUND_NAME)

    def read_key(self, key: str) -> str:
        """A key, or a name, as it is meant."""
        key = key.strip(BLANK_CHARACTERS)
        return key.replace("&quot;", '"').replace("&amp;", "&") if self.has_escaped_keys else key

    def write_key(self, key: str) -> str:
        """A key as it is written."""
        return key.replace("&", "&amp;").replace('"', "&quot;") if self.has_escaped_keys else key

    def read_plain(self, content: str) -> list[tuple[str, str, str]] | None:
        """Keys, attributes and texts of the usual call, in which no text looks like a tag; None if it is another one.

        `reader.py` would find the same in it, and takes three times as long.
        """
        found: list[tuple[str, str, str]] = []
        pos, end, following = self.skip_gap(content, 0, len(content)), len(content), self.following
        while pos < end:
            opener = following.pattern.match(content, pos)
            if opener is None or following.kinds[opener.lastindex or 0] != OPEN:
                return None
            text = self._plain_text.match(content, opener.end())
            if text is None:
                return None
            found.append((*self.read_opener(opener), text[1]))
            pos = text.end()
        return found

    def find_openers(self, text: str) -> list[tuple[int, int, str, str]]:
        """All openers in `text`, in their order: begin, end, key and attributes."""
        found = [match for reader in self._opener_readers for match in reader.finditer(text)]
        return sorted((*match.span(), *self.read_opener(match)) for match in found)

    def find_half_opener(self, text: str) -> int:
        """Where the text of an open parameter ends without what may become another one."""
        if self._openers.heads[0] not in text:
            return len(text)
        found = self._openers.pattern.finditer(text)
        return next((match.start() for match in found if match.lastindex is None), len(text))

    def has_closer(self, text: str) -> bool:
        """Whether a parameter's closer stands in `text`, whatever is behind it."""
        return self._closer.search(text) is not None

    @cached_property
    def _plain_text(self) -> re.Pattern[str]:
        """The text of a parameter without the beginning of any tag; its closer, and the gap behind that."""
        heads = re.escape(self.inside[0].heads)
        return re.compile(f"([^{heads}]*+){self._closer.pattern}{self.gap}", re.ASCII)

    @cached_property
    def _openers(self) -> Markers:
        return compile_markers({OPEN: self.open})

    @cached_property
    def _opener_readers(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(_reader_of, self.open))

    @cached_property
    def _closer(self) -> re.Pattern[str]:
        return _reader_of(self.close)


def _reader_of(tag: Marker) -> re.Pattern[str]:
    return re.compile("".join(map(as_pattern, tag)), re.ASCII)
