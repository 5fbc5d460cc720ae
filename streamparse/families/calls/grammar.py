"""Calls: how a model writes a call, as data. The states that read calls between markers are driven by it.

    <|calls|> <|call|> NAME <|sep|> {…} <|end|> <|call|> NAME <|sep|> {…} <|end|> <|done|>
    └ section.open                      └ tail  └ the next call                   └ section.close
              └ head ──────────┘ └ the arguments, which are the state's business

Blanks are free between all parts. A call is recognised when its whole head has been seen, and what the arguments begin
with: until then it is held, and if it stops fitting it is text. What comes behind the arguments may be missing: models
leave it out, and stop sequences cut it off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

from attrs import Attribute, field, frozen

from streamparse.arguments.json_strings import end_of
from streamparse.core.markers import BLANK_CHARACTERS, BLANKS, Atom, Marker, Markers, compile_markers, exact, repeated
from streamparse.core.opening import Options
from streamparse.core.stems import Stem, compile_place

if TYPE_CHECKING:
    from streamparse.core.state import BaseState


_O = TypeVar("_O", bound=Options)
#: No blanks, quotes, brackets or other marks that end it.
_PLAIN = r"[^\s<>{}\[\]()\"'|｜,;=`\\]{1,256}+"


class Capture(Atom):
    """A piece of a head whose text is wanted."""

    __slots__ = ()
    group = ""

    def __new__(cls, pattern: str = _PLAIN) -> Capture:
        """The pattern for it. No tool has a longer name, and what is cut is looked at again with the next chunk."""
        return super().__new__(cls, pattern)


class _Name(Capture):
    __slots__ = ()
    group = "name"


class _CallId(Capture):
    __slots__ = ()
    group = "call_id"


#: The tool's name, and the id that the model gives the call.
NAME, CALL_ID = _Name(), _CallId()


def name_like(pattern: str) -> Capture:
    """The tool's name, where it is not any name. The pattern must not give back what it took (`{1,256}+`)."""
    return _Name(pattern)


def id_like(pattern: str) -> Capture:
    """The id of a call, in the same way."""
    return _CallId(pattern)


class Gap(Atom):
    """What may stand behind a tag or token of a head: the same once more, because models repeat it, and blanks."""

    __slots__ = ("whole",)
    #: The pattern for text that is all there: it is not cut, and half as long.
    whole: str

    def __new__(cls, part: str) -> Gap:
        """The pattern for what stands behind `part`."""
        made = super().__new__(cls, repeated((BLANKS, *exact(part)), most=_MOST_REPEATED) + BLANKS)
        made.whole = f"(?:{BLANKS}{re.escape(part)}){{0,{_MOST_REPEATED}}}+{BLANKS}"
        return made


class Maybe(tuple[str, ...]):
    """Parts of a head that may be missing, all together."""

    __slots__ = ()

    def __new__(cls, *parts: str) -> Maybe:
        """The parts in their order."""
        return super().__new__(cls, parts)


#: Literal text (in this very case), a capture, any other atom, or what may be missing.
Part: TypeAlias = str | Maybe
#: Where a call counts.
Place: TypeAlias = Literal["anywhere", "line", "reply", "stream"]
#: What name and id are, from what was captured of them.
ReadHead: TypeAlias = Callable[[str, str | None], tuple[str, str | None]]
#: Literal text (in this very case), or a marker.
Closer: TypeAlias = str | Marker


def _check_blanks(_: object, field: Attribute[tuple[Part, ...]], parts: tuple[Part, ...]) -> None:
    """Refuse a part that could never be found: the blanks with which it begins were read before it."""
    for part in parts[1:]:
        for text in part if isinstance(part, Maybe) else [part]:
            if text[:1].isspace():
                raise ValueError(f"{text!r} in {field.name}: blanks are free between parts, so none begins with one")


@frozen(eq=False)
class Section:
    """What stands around one or more calls."""

    open: tuple[str, ...] = field(validator=_check_blanks)
    close: tuple[Closer, ...] = ()
    #: What may stand between two calls, besides blanks.
    separators: tuple[str, ...] = ()


#: A call that stands by itself.
NO_SECTION = Section(())


class Head(NamedTuple):
    """What the beginning of a call said."""

    name: str | None
    call_id: str | None
    section: Section
    end: int  # where the arguments begin


class _HeadPattern:
    """The head of a call, compiled when one is first read."""

    def __init__(self, head: Marker, begins: tuple[Marker, ...]) -> None:
        self._head = head
        self._begins = begins

    @cached_property
    def match(self) -> Callable[[str, int], re.Match[str] | None]:
        """Matches the head alone, with its captures."""
        begins = "|".join("".join(map(as_pattern, begin)) for begin in self._begins)
        return re.compile(f"{''.join(map(as_pattern, self._head))}(?={begins})", re.ASCII).match


@frozen(eq=False, slots=False)
class Calls:
    """How a model writes calls.

    `Calls(JsonArgumentsState, head=("<|call|>", NAME, "<|with|>"), tail=("<|done|>",))` reads
    `<|call|>f<|with|>{"a": 1}<|done|>`. Blanks are free between all parts of `head`: leave them out of it. `begins` is
    the first character of the arguments. A call whose `tail` is missing is a call all the same. `sections` are what
    stands around several calls.
    """

    #: The state that reads the arguments.
    state: type[BaseState]
    head: tuple[Part, ...] = field(default=(), validator=_check_blanks)
    tail: tuple[Closer, ...] = ()
    sections: tuple[Section, ...] = ()
    #: Whether a call may also stand without a section.
    is_bare: bool = True
    #: What the arguments begin with: looked at and left. One of several texts, or of markers, which say more; `("",)`
    #: if they are all that follows.
    begins: tuple[str | Marker, ...] = ("{",)
    #: What stands there if there are none, or behind `null`: looked at and left, too.
    empties: tuple[str, ...] = ()
    #: Whatever else the state needs to know.
    options: Options | None = None
    #: Where it counts: anywhere in text; only where a line begins, or the reply, because it has no markers; or where
    #: the stream begins, because the prompt has written what comes before it.
    place: Place = "anywhere"
    #: What must be seen of it, where its head is not enough: else text would become calls.
    certain: tuple[Marker, ...] = ()
    #: Whether the model may write the calls of a section a second time, behind its end.
    has_echo: bool = False
    #: Name and id from the captures, where they are not simply these.
    read_head: ReadHead | None = None
    #: Whether a call that is written so is certain to be one, whatever model wrote it.
    in_auto: bool = True
    _next: dict[tuple[Section, int], Stem] = field(factory=dict, init=False, repr=False)
    _broken: dict[tuple[Section, tuple[Marker, ...]], Markers] = field(factory=dict, init=False, repr=False)

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        """All the ways in which a call can begin in text, down to what its arguments begin with."""
        found = (marker for section in self._places for marker in self._markers(section.open))
        return self.certain or tuple(dict.fromkeys(found))

    @cached_property
    def empty_sections(self) -> tuple[Marker, ...]:
        """Sections without any call, `<tool_call></tool_call>`, `[TOOL_CALLS] []`: nothing comes of them.

        A pair of brackets is none: something must stand before them.
        """
        return tuple(
            (*spaced(section.open), *(part for closer in section.close for part in (*as_marker(closer), BLANKS)))[:-1]
            for section in self.sections
            if section.close and len("".join(section.open)) > 1
        )

    @cached_property
    def _places(self) -> tuple[Section, ...]:
        return (*self.sections, *([NO_SECTION] if self.is_bare else []))

    @cached_property
    def _openers(self) -> tuple[tuple[_HeadPattern, Section], ...]:
        return tuple((self._pattern(parts), place) for place in self._places for parts in self._heads(place.open))

    @cached_property
    def _inner(self) -> tuple[_HeadPattern, ...]:
        return tuple(self._pattern(parts) for parts in self._heads(()))

    def _heads(self, before: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield from ((*before, *parts) for parts in variants(self.head))

    def _markers(self, before: tuple[str, ...]) -> Iterator[Marker]:
        for parts in self._heads(before):
            yield from ((*self._spaced(parts), *begin) for begin in self._beginnings)

    @cached_property
    def _beginnings(self) -> tuple[Marker, ...]:
        begins = (*self.begins, *self.empties, *((*exact(NULL), BLANKS, *exact(empty)) for empty in self.empties))
        return tuple(exact(begin) if isinstance(begin, str) else begin for begin in begins)

    def _spaced(self, parts: tuple[str, ...]) -> Marker:
        """The parts, with blanks behind them only where something is known to follow: else they are arguments."""
        marker = spaced(parts)
        return marker if any(self.begins) else marker[:-1]

    def _pattern(self, parts: tuple[str, ...]) -> _HeadPattern:
        """The head alone, with its captures; what the arguments begin with is left."""
        return _HeadPattern(self._spaced(parts), self._beginnings)

    def get_options(self, kind: type[_O], default: _O | None = None) -> _O:
        """The options, which the state says are of this class; the `default` if there are none."""
        options = default if self.options is None else self.options
        if not isinstance(options, kind):
            raise TypeError(f"{self.state.__name__} wants options of {kind.__name__}, not {options!r}")
        return options

    # -- what a state asks --------------------------------------------------------------------------------------------

    def read_opener(self, buf: str, pos: int) -> Head:
        """The head of the call whose marker was found at `pos`."""
        for pattern, section in self._openers:
            match = pattern.match(buf, pos)
            if match:
                return self._head(match, section)
        raise AssertionError("the marker was found there")

    def read_next(self, buf: str, pos: int, section: Section) -> Head:
        """The head of the next call in a section, past all that may stand before it."""
        pos = end_of(_BEFORE_NEXT, buf, pos, len(buf))
        for pattern in self._inner:
            match = pattern.match(buf, pos)
            if match:
                return self._head(match, section)
        raise AssertionError("the marker was found there")

    def _head(self, match: re.Match[str], section: Section) -> Head:
        groups = match.groupdict()
        name, call_id = groups.get("name"), groups.get("call_id")
        if self.read_head is not None:
            name, call_id = self.read_head(name or "", call_id)
        return Head(name, call_id, section, match.end())

    def following(self, section: Section, stage: int) -> Stem:
        """What may stand behind a call, when `stage` of its closers have been seen.

        Kinds: the number of the closer (from 0), SEPARATOR, or NEXT. Models lose count of the braces that they have to
        close, so directly behind the object there may be some too many, if something follows that belongs here. The
        last tag or token may be repeated right behind itself.
        """
        key = (section, stage)
        known = self._next.get(key)
        if known is None:
            closers = (*self.tail, *section.close)
            kinds: dict[Any, list[Marker]] = {
                number: [_behind(as_marker(closers[number]))] for number in range(stage, len(closers))
            }
            if stage and closers[stage - 1][0] == "<":
                kinds[stage - 1] = [as_marker(closers[stage - 1])]
            if section is not NO_SECTION and stage <= len(self.tail):
                kinds[NEXT] = [(BLANKS, *marker) for marker in self._markers(())]
                kinds[SEPARATOR] = [(BLANKS, *exact(text)) for text in section.separators]
            if not stage and any(begin[:1] == ("{",) for begin in self._beginnings):
                for kind, markers in kinds.items():
                    kinds[kind] = [(BLANKS, _SURPLUS, *m[1:]) if m[0] is BLANKS else m for m in markers]
            known = self._next[key] = compile_place(kinds)
        return known

    def broken_ends(self, section: Section, others: tuple[Marker, ...] = ()) -> Markers:
        """What ends a call that is broken: the last of its closers, unless a bracket, another call, or `others`."""
        key = (section, others)
        if key not in self._broken:
            closers = [closer for closer in (*self.tail, *section.close) if len(closer) > 1]
            self._broken[key] = compile_markers({0: [*map(as_marker, closers[-1:]), *self.markers, *others]})
        return self._broken[key]

    @cached_property
    def ends(self) -> Markers:
        """What ends arguments that do not show their end themselves: any part of the tail, or the end of a section."""
        return compile_markers({END: self.closers})

    @cached_property
    def closers(self) -> tuple[Marker, ...]:
        """All that can stand behind arguments, but for brackets."""
        closers = (*self.tail, *(closer for section in self.sections for closer in section.close))
        return tuple(as_marker(closer) for closer in closers if len(closer) > 1)

    @cached_property
    def endings(self) -> tuple[Marker, ...]:
        """The closers that may stand behind a call, one or all, with blanks between and behind them."""
        places = [(*self.tail, *place.close) for place in self._places]
        groups = [*places, *((closer,) for closers in places for closer in closers)]
        endings = [tuple(as_marker(closer) for closer in group if len(closer) > 1) for group in groups]
        return tuple(dict.fromkeys(tuple(part for closer in group for part in (*closer, BLANKS)) for group in endings))


def _behind(closer: Marker) -> Marker:
    """What is swallowed for `closer`: the blanks before it, too, unless it is a blank itself."""
    return closer if closer[0] in BLANK_CHARACTERS else (BLANKS, *closer)


#: How often a tag may be repeated.
_MOST_REPEATED = 8
#: Braces that close nothing, and the blanks behind them; perhaps none.
_SURPLUS = Atom(r"(?:\}(?:[ \t\r\n]*+\}){0,3}+[ \t\r\n]*+)?+")
_BEFORE_NEXT = re.compile(r"[} \t\r\n]*+")
#: What some models write for no arguments.
NULL = "null"
#: What ends the arguments.
END = "end"
#: What stands behind a call.
NEXT, SEPARATOR = "next", "separator"


def variants(head: Iterable[Part]) -> Iterator[tuple[str, ...]]:
    """The parts of a head with all that may be missing, and without."""
    for choice in product(*([part, ()] if isinstance(part, Maybe) else [(part,)] for part in head)):
        yield tuple(part for group in choice for part in group)


def as_marker(closer: Closer) -> Marker:
    """A closer as a marker."""
    return exact(closer) if isinstance(closer, str) else closer


def spaced(parts: Iterable[str]) -> Marker:
    """The parts as a marker, with blanks allowed between and behind them, and there a tag or token once more."""
    marker: list[str] = []
    for part in parts:
        marker += [part] if isinstance(part, Atom) else exact(part)
        marker.append(_gap(part))
    return tuple(marker)


@lru_cache(maxsize=512)
def _gap(part: str) -> Atom:
    """What may stand behind `part`. Its repetition may be cut, so more must follow it: no marker ends with one."""
    is_tag = not isinstance(part, Atom) and len(part) > 1 and part[0] in "<[" and part[-1] in ">]"
    return Gap(part) if is_tag else BLANKS


def as_pattern(part: str) -> str:
    """A part of a marker that is all there as a regular expression, what it captures in a group."""
    if isinstance(part, Capture):
        return f"(?P<{part.group}>{part})"
    if isinstance(part, Gap):
        return part.whole
    return part if isinstance(part, Atom) else re.escape(part)
