"""The value of an argument of a tool: where it ends, where it may seem to, what is nested in it.

    <arg name="a">…</arg>               ends at `</arg>`, if the next `<arg name=` or an outer closer follows
    <path>…</path>                      ends at `</path>`, if another direct argument or an outer closer follows
    <note>…</note>                      a name no one has declared: ends at its first closer

Behind a closer that does not fit, another tag may follow: `<path>p</path><note>…`. Either that is data, or an argument
no one has declared. So it is held until a closer that fits says that it was data, or `</tool>` (for what is not the
body, also the next argument) that the value had ended.

A body may stand between raw markers, for content that holds closers of its own:

    <arg name="content">__START_CONTENT__
    print("</arg></tool>")
    __END_CONTENT__</arg>               `print("</arg></tool>")` and the line break behind it

The start marker counts as the first thing in the body, the end marker when the argument's closer follows. From the
first closer that fits, text is held: an end marker further on says that it was data; without one, that closer was the
end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from re import Match, Pattern
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from streamparse.core.context import ParserContext
from streamparse.core.markers import (
    BLANKS,
    NAME_END,
    Atom,
    Marker,
    Markers,
    closer,
    compile_markers,
    exact,
    opener,
    skip_blanks,
)
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.body import Body
from streamparse.families.calls.held import NEXT_ARG, ArgumentsState, fitting_closers
from streamparse.families.xml.lexer import TagLexer

#: The kinds of markers in and between values.
END, OPEN, CLOSE, FIT, RAW_FIT, COMMENT = "end", "open", "close", "fit", "raw_fit", "comment"
#: A closer with a tag behind it, which may be the next argument: then it fits, else it is loose.
TAGGED, LOOSE = "tagged", "loose"

_NAME = Atom(r"[A-Za-z_][A-Za-z0-9_.:-]{0,255}+")  # bounded: a cut one is looked at again with the next chunk
_ANY_TAG: Marker = ("<", _NAME, NAME_END)
_COMMENT: Marker = ("<!--",)
_CLOSER_NAME = re.compile(r"</([^ \t\r\n>]+)")


@frozen
class _Patterns:
    """What to look for in a value, and in what is held because it may be the end."""

    markers: Markers
    #: Inside a nested `<arg>`: openers and closers balance, whatever follows them.
    nested: Markers
    #: By the kind of what is held: what says that it was data.
    resolves: dict[str, Markers]
    #: The closer by itself, with its end marker if there is one: it ends before what must follow.
    closer: Pattern[str]
    is_raw: bool


@lru_cache(maxsize=256)
def _patterns(name: str, end: Marker, following: tuple[Marker, ...], nests: bool, is_body: bool) -> _Patterns:
    """The patterns for a value closed by `</name>` in a call closed by `end`.

    `following` are the next arguments in the form of an `<arg>`. Direct tags are compared by name later: a pattern for
    each of them, with all others behind it, would take a second to compile where a tool has thirty.
    """
    fits = fitting_closers(name, end, following)
    closers = [closer(name)]
    tagged = [(*closer(name), BLANKS, *marker) for marker in (_ANY_TAG, _COMMENT)]
    nested = [opener("arg")] if nests else []
    next_argument: tuple[Marker, ...] = () if is_body else (following or (_ANY_TAG,))
    return _Patterns(
        compile_markers({FIT: fits, TAGGED: tagged, CLOSE: closers, END: [end], OPEN: nested}),
        compile_markers({OPEN: nested, CLOSE: closers, END: [end]}),
        {
            END: compile_markers({FIT: fits, TAGGED: tagged}),
            LOOSE: compile_markers({FIT: fits, TAGGED: tagged, END: [end], OPEN: next_argument}),
        },
        compile_markers({CLOSE: closers}).pattern,
        is_raw=False,
    )


@lru_cache(maxsize=256)
def _raw_patterns(name: str, end: Marker, following: tuple[Marker, ...], end_marker: str) -> _Patterns:
    """The same for a value between raw markers. There, a closer that does not fit is data, whatever follows it."""
    before: Marker = (*exact(end_marker), BLANKS)
    fits = fitting_closers(name, end, following)
    raw_fits = fitting_closers(name, end, following, before)
    markers = compile_markers({RAW_FIT: raw_fits, FIT: fits, END: [end]})
    return _Patterns(
        markers,
        markers,  # nothing nests in a body
        {END: compile_markers({RAW_FIT: raw_fits, FIT: fits}), FIT: compile_markers({RAW_FIT: raw_fits})},
        compile_markers({CLOSE: [closer(name), (*before, *closer(name))]}).pattern,
        is_raw=True,
    )


@lru_cache(maxsize=64)
def _undeclared(known: tuple[str, ...]) -> Markers:
    """In a tag no one has declared: any closer, or the opener of something known.

    Closers are compared by name later: else a model could have a pattern compiled for every name it makes up.
    """
    return compile_markers({CLOSE: [("</", _NAME, BLANKS, ">")], OPEN: [opener(name) for name in ("arg", *known)]})


@lru_cache(maxsize=64)
def tags(end: Marker) -> Markers:
    """Between arguments: any tag or comment, and the end of the call."""
    return compile_markers({END: [end], OPEN: [_ANY_TAG], COMMENT: [_COMMENT]})


@lru_cache(maxsize=64)
def comment_ends(end: Marker) -> Markers:
    """In a comment: its end, and that of the call, which a forgotten one must not swallow."""
    return compile_markers({END: [end], CLOSE: [("-->",)]})


class ArgumentValueState(Body, ArgumentsState):
    """Reads one value after the other; the subclass begins them, and says where their text goes: `_sink`."""

    #: The argument that is the body.
    body: str
    #: The raw markers around a body, if it may have any.
    start_marker: ClassVar[Markers | None] = None
    end_marker: ClassVar[str] = ""

    _name = ""  # of the argument that is being read
    _tag = ""  # that opened it, as written
    _depth = 0  # of nested arguments in it
    _has_closer = False  # one that does not fit
    _held_kind = ""
    _patterns: _Patterns
    _lexer: TagLexer
    _known: tuple[str, ...] = ()

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        #: Where text goes: a plain function, as phases are.
        self._sink: Callable[[Any, str], None] = ArgumentValueState._drop

    if TYPE_CHECKING:  # the subclass brings these

        def _end_value(self) -> None: ...
        def _end_call(self, *, repaired: bool = False) -> Progress: ...
        def _show(self, text: str) -> None: ...
        def _report(self, problem: str) -> None: ...

    def _drop(self, text: str) -> None:
        """Text that is not part of any value."""

    def _read_value(self) -> None:
        """Read the value of `_name`, in the tag `_tag`."""
        self._depth = 0
        self._has_closer = False
        tag = self._tag.lower()
        if tag != "arg" and tag not in self._known:
            self._phase = "_in_undeclared"
            return
        self._phase = "_in_value"
        if self._name == self.body and self.start_marker:
            self._phase = "_before_value"
        self._choose_patterns("")

    def _choose_patterns(self, end_marker: str) -> None:
        tag, end = self._tag.lower(), self.opening.closer
        is_body = self._name == self.body
        if end_marker:
            following = (NEXT_ARG,) if tag == "arg" else tuple(opener(name) for name in self._known)
            self._patterns = _raw_patterns(tag, end, following, end_marker)
        else:
            following = (NEXT_ARG,) if tag == "arg" else ()
            self._patterns = _patterns(tag, end, following, tag == "arg" and not is_body, is_body)

    def _kind(self, kind: Any, match: Match[str]) -> Any:
        """What a closer with a tag behind it is; other kinds are what they are."""
        if kind == TAGGED:
            return FIT if self._is_argument(match) else LOOSE
        return kind

    def _is_argument(self, match: Match[str]) -> bool:
        """Whether the tag that `match` ends with may be the next argument in the same form."""
        return self._tag.lower() != "arg" and match[0].rpartition("<")[2].lower() in self._known

    def _finalize_value(self) -> None:
        """No more input: a closer that was waiting for what follows counts, other text is content of the body."""
        if self._is_in_value():
            match = self._patterns.closer.match(*self._rest())
            if match and match.lastindex:
                self._end_value()
        self._give_back_body()

    # -- phases -------------------------------------------------------------------------------------------------------

    def _in_value(self) -> Progress:
        markers = self._patterns.nested if self._depth else self._patterns.markers
        found, match = self._find(markers)
        if match is None:
            if self._is_shown():
                self.triggers = self._body_triggers(markers.heads)
            return NEED_MORE
        kind = self._kind(found, match)
        if kind == OPEN:
            self._sink(self, self.context.scanner.take(match.end()))
            self._lexer = TagLexer(("name",), self.context.config.limits.max_tag - len(match[0]), allow_angle=False)
            self._phase = "_in_nested_tag"
        elif kind == CLOSE:
            self._sink(self, self.context.scanner.take(match.end()))
            if self._depth:
                self._depth -= 1
            else:
                self._has_closer = True
        elif kind == END:
            self._hold_value(kind, match.end())
        elif kind == LOOSE or (kind == FIT and self._patterns.is_raw):
            self._hold_value(kind, self._closer_end())
        else:
            self.context.scanner.pos = self._closer_end()
            self._end_value()
        return GO_ON

    def _in_nested_tag(self) -> Progress:
        """The rest of `<arg name="…">` inside a value."""
        scanner, lexer = self.context.scanner, self._lexer
        self._sink(self, scanner.take(lexer.read(scanner.buf, scanner.pos, scanner.end)))
        if lexer.is_done and not lexer.is_empty:
            self._depth += 1
            if self._depth > self.context.config.limits.max_depth:
                self._report(f"{self._name} is nested too deeply")
        if lexer.is_done or lexer.is_failed:
            self._phase = "_in_value"
            return GO_ON
        return NEED_MORE

    def _in_undeclared(self) -> Progress:
        kind, match = self._find(_undeclared(self._known))
        if match is None:
            return NEED_MORE
        scanner = self.context.scanner
        found = _CLOSER_NAME.match(match[0]) if kind == CLOSE else None
        name = found[1].lower() if found else ""
        if name == self._tag.lower():
            scanner.pos = match.end()
            self._end_value()
        elif name and name != self.opening.tag:
            self._sink(self, scanner.take(match.end()))
        else:
            # Something known, or the end of the call: this was no argument.
            self._sink = ArgumentValueState._drop
            self._end_value()
        return GO_ON

    def _before_value(self) -> Progress:
        """A start marker may come, blanks before it."""
        scanner = self.context.scanner
        buf, pos, end = self._rest()
        start = skip_blanks(buf, pos, end)
        assert self.start_marker is not None
        match = self.start_marker.pattern.match(buf, start, end)
        if start == end or (match and match.lastindex is None):
            scanner.wait_past_blanks()
            return NEED_MORE
        self._phase = "_in_value"
        if match:
            scanner.pos = match.end()
            self._choose_patterns(self.end_marker)
            self._phase = "_behind_start_marker"
        return GO_ON

    def _behind_start_marker(self) -> Progress:
        """One line break belongs to the marker."""
        buf, pos, end = self._rest()
        if pos == end or (buf[pos] == "\r" and pos + 1 == end):
            return NEED_MORE
        if buf[pos] == "\n":
            self.context.scanner.pos += 1
        elif buf[pos : pos + 2] == "\r\n":
            self.context.scanner.pos += 2
        self._phase = "_in_value"
        return GO_ON

    def _held(self) -> Progress:
        markers, scanner = self._patterns.resolves[self._held_kind], self.context.scanner
        while (match := self._search_held(markers)) is not None:
            kind = self._kind(markers.kinds[match.lastindex or 0], match)
            if kind in (FIT, RAW_FIT):
                scanner.pos = match.start()
                self._resolve()
                return GO_ON
            if kind == END or (kind == OPEN and (self._tag.lower() == "arg" or self._is_argument(match))):
                self._settle_held()
                return GO_ON
            scanner.pos = match.end()
        return NEED_MORE

    def _resolve(self) -> None:
        """What is held, up to the cursor, was data."""
        scanner = self.context.scanner
        self._sink(self, scanner.held())
        scanner.release()
        self._phase = "_in_value"

    # -- steps --------------------------------------------------------------------------------------------------------

    def _hold_value(self, kind: str, end: int) -> None:
        self._held_kind = kind
        self._hold(self.context.scanner.pos, end)
        self._phase = "_held"

    def _settle_held(self) -> None:
        """Nothing decided: a `</tool>` that is held was the end of the call, a closer that of the argument."""
        self._fall_back()
        self._end_value()
        if self._held_kind == END:
            if self._has_closer:
                self._report(f"{self._name} is closed, but neither an argument nor the end of the call follows")
            self._end_call(repaired=True)

    def _resolve_at_end(self) -> None:
        """No more input: an end marker with the argument's closer, waiting for what follows, says that it was data."""
        if self.context.scanner.mark >= 0 and self._patterns.is_raw:
            match = self._patterns.closer.match(*self._rest())
            if match and match.lastindex and match[0].startswith(self.end_marker):
                self._resolve()

    def _is_in_value(self) -> bool:
        return self._phase in (
            "_in_value",
            "_in_nested_tag",
            "_before_value",
            "_behind_start_marker",
        )

    def _is_shown(self) -> bool:
        return self._sink is type(self)._show

    def _closer_end(self) -> int:
        match = self._patterns.closer.match(*self._rest())
        assert match is not None  # a closer that fits begins with one
        return match.end()

    def _give_back_body(self) -> None:
        """What could not be decided is content, if it is in the body."""
        if self._is_shown():
            scanner = self.context.scanner
            self._sink(self, scanner.take(scanner.end))

    def _rest(self) -> tuple[str, int, int]:
        scanner = self.context.scanner
        return scanner.buf, scanner.pos, scanner.end

    def _find(self, markers: Markers) -> tuple[Any, Match[str] | None]:
        """Give everything up to the next of `markers` to the sink; which it is, and None if it is not there yet."""
        scanner = self.context.scanner
        buf, pos, end = self._rest()
        match = markers.pattern.search(buf, pos, end)
        if match is None:
            kept = self.undecided(buf[pos:end]) if self._is_shown() else 0
            self._sink(self, scanner.take(end - kept))
            return None, None
        self._sink(self, scanner.take(match.start()))
        if match.lastindex is None:
            scanner.wait_past_blanks()
            return None, None
        return markers.kinds[match.lastindex], match
