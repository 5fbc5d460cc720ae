"""Tags: how a model writes the parameters of a call, as data. States find the end of a call by it, decoders its values.

    <parameter=city>Oslo</parameter> <parameter=days>2</parameter> </function>
    └ open ────────┘    └ close ───┘                               └ end

A parameter's closer counts only when blanks and then the next parameter, the end of the call, or what stands in its
place follow: values may hold anything. The key stands in the opener, in one of three ways:

    <parameter=city>    <parameter name="city" string="true">    <arg_key>city</arg_key><arg_value>
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from attrs import frozen

from streamparse.core.markers import BLANKS, Atom, Marker, Markers, compile_markers, exact
from streamparse.core.opening import Options
from streamparse.families.calls.grammar import Capture, as_pattern

# All that repeats has a bound: what is shown already is looked at again while the rest of a tag is missing. And no key
# holds a `<`: that could be the beginning of the call's end, which must never be shown.


class _Piece(Capture):
    """A piece of an opener whose text is wanted."""

    __slots__ = ()

    def __new__(cls, pattern: str) -> _Piece:
        return Atom.__new__(cls, pattern)


class _Key(_Piece):
    __slots__ = ()
    group = "key"


class _Attributes(_Piece):
    __slots__ = ()
    group = "attributes"


class _QuotedName(_Piece):
    __slots__ = ()
    group = "name"


#: A quote of either kind around a name; and where it may be missing.
QUOTE, MAYBE_QUOTE = Atom("[\"']"), Atom("[\"']?+")
#: A tool's name in double quotes, where it may be any.
QUOTED_NAME: Atom = _QuotedName(r'[^"<>\r\n]{1,256}+')
#: Up to the end of a tag, or of the pair of tags around it.
KEY: Atom = _Key(r"[^<>\r\n]{1,256}+")
_QUOTED: dict[str, Atom] = {'"': _Key(r'[^"<>\r\n]{1,256}+'), "'": _Key(r"[^'<>\r\n]{1,256}+")}
_BARE: Atom = _Key(r"[^\s\"'<>/=]{1,256}+")
#: All that stands behind the key's own attribute.
_ATTRIBUTES: Atom = _Attributes(r"[^<>]{0,256}+")
#: Blanks inside a tag, and between two that belong together.
FEW_BLANKS = Atom(r"[ \t\r\n]{0,64}+")
_SOME_BLANKS = Atom(r"[ \t\r\n]{1,64}+")

#: The kinds of what stands behind a parameter.
OPEN, QUOTED, ORPHAN, END, INSTEAD = "open", "quoted", "orphan", "end", "instead"
CLOSE, FIT, CALL = "close", "fit", "call"

#: Behind a text that is complete: what could go on in a cut one cannot, then.
_NO_MORE = "\0"


def marker(*parts: str) -> Marker:
    """The parts one after the other: text in this very case, and atoms."""
    return tuple(atom for part in parts for atom in ((part,) if isinstance(part, Atom) else exact(part)))


def with_attribute(tag: str, attribute: str = "name", end: str = ">") -> tuple[Marker, ...]:
    """`<tag attribute="KEY" …>`, in either quotes or without."""
    head = (tag, _SOME_BLANKS, attribute, FEW_BLANKS, "=", FEW_BLANKS)
    return (
        *(marker(*head, quote, key, quote, _ATTRIBUTES, end) for quote, key in _QUOTED.items()),
        marker(*head, _BARE, _ATTRIBUTES, end),
    )


class Parameter(NamedTuple):
    """A parameter in the text of a call."""

    key: str
    attributes: str
    value: str
    #: Its closer was there, with something behind it that fits.
    is_closed: bool
    #: The value stands in quotes (`<![CDATA[…]]>`), which are not part of it.
    is_quoted: bool


@frozen(eq=False)
class Tags(Options):
    """How parameters are written, and what ends the call."""

    #: What begins a parameter; the ways to write it.
    open: tuple[Marker, ...]
    close: Marker
    #: The closer of the call.
    end: Marker
    #: Closers of what is around it, which may come in its place, even in an open parameter.
    outer: tuple[Marker, ...] = ()
    #: How the next call begins, which may come in its place, too, but only behind a parameter.
    next: tuple[Marker, ...] = ()
    #: A key without a value, where the two stand in tags of their own: the call is malformed.
    orphans: tuple[Marker, ...] = ()
    #: What may stand around a value that holds tags.
    quotes: tuple[str, str] | None = None
    #: What ends the head of a call, if that may be empty: `<invoke name="x"/>`. It is left for the state to read.
    empty: str = ""
    #: What may stand between two parameters, and before the end.
    gap: Atom = BLANKS

    def skip_gap(self, text: str, pos: int) -> int:
        """The index behind what may stand between two parameters; all there is, if that is cut."""
        match = self._gap.match(text, pos)
        assert match is not None  # it matches nothing, too
        return match.end()

    @cached_property
    def _gap(self) -> re.Pattern[str]:
        return re.compile(self.gap)

    # -- for states ---------------------------------------------------------------------------------------------------

    @cached_property
    def following(self) -> Markers:
        """What may stand behind a parameter, and behind the head of a call."""
        quoted = [(*opener, FEW_BLANKS, *exact(self.quotes[0])) for opener in self.open] if self.quotes else []
        return compile_markers(
            {
                END: [self.end],
                INSTEAD: [*self.outer, *self.next],
                QUOTED: quoted,
                OPEN: self.open,
                ORPHAN: self.orphans,
            }
        )

    @cached_property
    def ends(self) -> Markers:
        """What must not be shown, wherever it stands."""
        return compile_markers({END: [self.end, *self.outer, *self.next]})

    @cached_property
    def inside(self) -> Markers:
        """In an open parameter: what closes it, and what may be the end of the call."""
        return self._inside(self.close)

    @cached_property
    def inside_quotes(self) -> Markers:
        """The same for a value in quotes."""
        return self._inside(self._quoted_close)

    @cached_property
    def _quoted_close(self) -> Marker:
        assert self.quotes is not None  # a value stands in them
        return marker(self.quotes[1], FEW_BLANKS, *self.close)

    def _inside(self, close: Marker) -> Markers:
        return compile_markers({END: [self.end, *self.outer], CLOSE: [close]})

    def fits(self, calls: Sequence[Marker], *, is_quoted: bool) -> Markers:
        """A parameter's closer with all that must follow it; or the beginning of one of `calls`.

        A closer behind the beginning of another call belongs to that.
        """
        close = self._quoted_close if is_quoted else self.close
        behind = (self.end, *self.outer, *self.next, *self.open, *self.orphans)
        return compile_markers({FIT: [(*close, self.gap, *following) for following in behind], CALL: calls})

    # -- for decoders -------------------------------------------------------------------------------------------------

    def read_opener(self, text: str, pos: int) -> re.Match[str] | None:
        """The opener at `pos`, with groups `key` and `attributes`."""
        return next((match for reader in self._opener_readers if (match := reader.match(text, pos))), None)

    def find_openers(self, text: str) -> list[re.Match[str]]:
        """All openers in `text`, in their order."""
        found = [match for reader in self._opener_readers for match in reader.finditer(text)]
        return sorted(found, key=lambda match: match.start())

    def has_closer(self, text: str) -> bool:
        """Whether a parameter's closer stands in `text`, whatever is behind it."""
        kinds = self.inside.kinds
        return any(kinds[match.lastindex or 0] == CLOSE for match in self.inside.pattern.finditer(text))

    def find_half(self, text: str, *, is_quoted: bool) -> int:
        """Where the text of an open parameter ends without what may become a closer, the end, or another parameter."""
        halves = self.inside_quotes if is_quoted else self._halves
        return next((match.start() for match in halves.pattern.finditer(text) if match.lastindex is None), len(text))

    @cached_property
    def _halves(self) -> Markers:
        return compile_markers({END: [self.end, *self.outer], CLOSE: [self.close], OPEN: self.open})

    @cached_property
    def _opener_readers(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile("".join(map(as_pattern, opener)), re.ASCII) for opener in self.open)

    def split(self, text: str, *, is_truncated: bool) -> tuple[list[Parameter], int]:
        """The parameters in the text of a call, and where reading stopped.

        It stops at the end of `text`, or at what should not be there. An unclosed parameter is the last one.
        """
        found: list[Parameter] = []
        size = len(text)
        if not is_truncated:
            text += _NO_MORE
        pos = self.skip_gap(text, 0)
        while pos < size:
            match = self.following.pattern.match(text, pos)
            kind = self.following.kinds[match.lastindex or 0] if match else None
            if match is None or kind not in (OPEN, QUOTED):
                break
            parameter, pos = self._read_parameter(text, size, match, kind == QUOTED)
            found.append(parameter)
            pos = self.skip_gap(text, pos)
        return found, pos

    def _read_parameter(self, text: str, size: int, match: re.Match[str], is_quoted: bool) -> tuple[Parameter, int]:
        """The parameter whose opener is `match`, and where it ends: at a closer that fits, else at `size`."""
        opener = self.read_opener(text, match.start())
        assert opener is not None  # the marker was found there
        groups = opener.groupdict()
        end, behind = self._find_closer(text, size, match.end(), self.inside_quotes if is_quoted else self.inside)
        is_closed = end >= 0
        value = text[match.end() : end if is_closed else size]
        parameter = Parameter(groups["key"], groups.get("attributes") or "", value, is_closed, is_quoted)
        return parameter, behind if is_closed else size

    def _find_closer(self, text: str, size: int, pos: int, closers: Markers) -> tuple[int, int]:
        """Begin and end of the first closer that fits, -1 if there is none."""
        for closer in closers.pattern.finditer(text, pos):
            if closers.kinds[closer.lastindex or 0] == CLOSE and self._is_fit(text, size, closer.end()):
                return closer.span()
        return -1, -1

    def _is_fit(self, text: str, size: int, pos: int) -> bool:
        """Whether what stands behind a closer lets it count; where the text was cut, whether it still may."""
        pos = self.skip_gap(text, pos)
        return pos == size or self.following.pattern.match(text, pos) is not None
