"""A tool with one argument that is its body: a file's content, a patch, a command.

As a tag of its own, the body is everything up to the closer:

    <write_file path="a.py">print(1)</write_file>       write_file {"path": "a.py"} `print(1)`

As a tool, the body is one argument among others, in `<arg>` tags or in tags of their own names:

    <tool name="write_file">
      <arg name="path">a.py</arg>                       write_file {"tool_name": "write_file", "path": "a.py"}
      <arg name="content">print(1)</arg>                `print(1)`
      <arg name="mode">x</arg>                          END {"late": {"mode": "x"}}
    </tool>

START comes as soon as the path is known (at once for a command); arguments complete by then are metadata, later ones are
`late` at END; a body that came before is held until then. Only the body is shown, other text between the tags is swallowed.

A body may stand between raw markers, for content that holds closers of its own:

    <arg name="content">__START_CONTENT__
    print("</arg></tool>")
    __END_CONTENT__</arg>                               `print("</arg></tool>")` and the line break behind it

The start marker counts as the first thing in the body, the end marker when the argument's closer follows. From the first
closer that fits, text is held: an end marker further on says that it was data; without one, that closer was the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from re import Match
from typing import ClassVar

from streamparse.core.context import ParserContext
from streamparse.core.entities import decode_entities
from streamparse.core.markers import BLANKS, NAME_END, Atom, Markers, closer, compile_markers, opener
from streamparse.core.scanner import NO_LIMIT
from streamparse.core.tag_lexer import TagLexer
from streamparse.states.argument_value import (
    CLOSE,
    END,
    FIT,
    NESTED,
    OPEN,
    ValuePatterns,
    direct_openers,
    value_patterns,
)
from streamparse.states.arguments import NEXT_ARG, ArgumentsState
from streamparse.states.delimited import DelimitedState

#: Direct tags that are arguments of every tool; the parameters declared for a tool join them.
_DIRECT = ("path", "content", "patch", "command")
#: What START says of the call itself: an argument of that name is always late.
_RESERVED = ("tool_name", "call_id")

_NAME = Atom(r"[A-Za-z_][A-Za-z0-9_.:-]{0,255}+")  # bounded: a cut one is looked at again with the next chunk
_CLOSER_NAME = re.compile(r"</([^ \t\r\n>]+)")
_BLANKS = re.compile(r"[ \t\r\n]*+")

_BETWEEN = compile_markers({END: [closer("tool")], OPEN: [("<", _NAME, NAME_END)]})
_SKIPPED = compile_markers({END: [closer("tool")]})


class BodyToolState(DelimitedState, ArgumentsState):
    """The base of write_file, patch_file and run_bash. As a tag of its own, a plain `DelimitedState`."""

    #: The argument that is the body.
    body: ClassVar[str]
    #: Arguments without which the call is malformed; START waits for those that are not the body.
    needed: ClassVar[tuple[str, ...]]
    #: The raw markers around a body, if it may have any.
    start_marker: ClassVar[Markers | None] = None
    end_marker: ClassVar[str] = ""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._metadata = self.opening.metadata
        self._late: dict[str, str] = {}
        self._error = ""
        self._has_body = self.body in self._metadata
        self._early_body: list[str] = []  # came before START
        self._size = 0  # of all values but the body
        self._bound = NO_LIMIT  # the offset by which something must be decided, while nothing is held
        self._tag = ""
        self._lexer: TagLexer
        # The argument that is being read:
        self._name = ""
        self._value: list[str] | None = None  # None: it is not kept
        self._is_body = False  # it is shown
        self._depth = 0
        self._patterns: ValuePatterns
        self._held_kind = ""
        self._resolves: Markers

    # -- the contract -------------------------------------------------------------------------------------------------

    def run(self) -> bool:
        """As a tag, up to the closer; as a tool, phase after phase."""
        return DelimitedState.run(self) if self.opening.tool_name is None else ArgumentsState.run(self)

    def on_limit(self) -> None:
        """What was waited for did not come in time: the path, an argument's end, a closer that fits."""
        if self.context.scanner.is_held:
            self._settle_held()
            return
        if self._is_open:
            self._error = self._error or f"{self._name} is too long"
        else:
            if not _SKIPPED.pattern.match(*self._rest()):
                self._give_back_body()
            self._start()
        self._limit_to(NO_LIMIT)
        self._phase = BodyToolState._skip

    def finalize(self) -> None:
        """The tool's closer never came. A complete argument counts; of an incomplete one, only the body."""
        if self.opening.tool_name is None:
            DelimitedState.finalize(self)
            return
        while self.context.scanner.is_held:
            self._settle_held()
            if self.context.state is self:
                self.run()
            if self.context.state is not self:
                return
        if self._is_in_value():
            match = self._patterns.closer.match(*self._rest())
            if match and match.lastindex:
                self._close_argument()
            else:
                self._give_back_body()
        self._start()
        scanner = self.context.scanner
        scanner.pos = len(scanner.buf)
        self.context.emitter.emit_end("truncated", late=self._late)
        self.context.transition_to("text")

    # -- from START to END --------------------------------------------------------------------------------------------

    def _begin(self) -> bool:
        self._limit_to(self.context.scanner.offset + self.context.config.limits.max_held)
        self._start_when_ready()
        self._phase = BodyToolState._between
        return self._finish() if self.opening.is_empty else True

    def _start_when_ready(self) -> None:
        if all(name in self._metadata for name in self.needed if name != self.body):
            self._start()

    def _start(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._limit_to(NO_LIMIT)
            emitter = self.context.emitter
            emitter.emit_start(self.segment_type, self._metadata, self.opening.format)
            emitter.emit_content(self.decode("".join(self._early_body)))
            self._early_body.clear()

    def _finish(self, *, repaired: bool = False) -> bool:
        """The call has ended."""
        self._start()
        missing = [
            name for name in self.needed if name not in self._metadata and not (name == self.body and self._has_body)
        ]
        error = self._error or (f"{missing[0]} is missing" if missing else None)
        self.context.emitter.emit_end("malformed" if error else None, error, repaired=repaired, late=self._late)
        self.context.transition_to("text")
        return False

    def _end(self) -> None:
        """As a tag of its own, the call has ended."""
        missing = self.opening.is_empty and self.body in self.needed and not self._has_body
        error = f"{self.body} is missing" if missing else None
        self.context.emitter.emit_end("malformed" if error else None, error)
        self.context.transition_to("text")

    # -- between arguments --------------------------------------------------------------------------------------------

    def _between(self) -> bool:
        """Swallow everything up to the next tag."""
        kind, match = self._find(_BETWEEN, _drop)
        if match is None:
            return False
        self.context.scanner.pos = match.end()
        if kind == END:
            return self._finish()
        self._tag = match[0][1:]
        required = ("name",) if self._tag.lower() == "arg" else ()
        budget = self.context.config.limits.max_tag - len(match[0])
        self._lexer = TagLexer(required, budget, allow_angle=False)
        self._phase = BodyToolState._in_tag
        return True

    def _in_tag(self) -> bool:
        scanner, lexer = self.context.scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if lexer.is_failed:
            self._phase = BodyToolState._between
        elif lexer.is_done:
            self._open_argument()
        return lexer.is_failed or lexer.is_done

    def _skip(self) -> bool:
        """The call is lost; swallow the rest of it."""
        _, match = self._find(_SKIPPED, _drop)
        if match is None:
            return False
        self.context.scanner.pos = match.end()
        return self._finish()

    # -- an argument begins and ends ----------------------------------------------------------------------------------

    def _open_argument(self) -> None:
        tag, known = self._tag.lower(), self._known_names()
        is_arg = tag == "arg"
        if tag == "arguments":
            self._phase = BodyToolState._between
            return
        self._name = self._lexer.attributes["name"] if is_arg else tag if tag in known else self._tag
        self._begin_value()
        if self._lexer.is_empty:
            self._close_argument()
        elif is_arg or tag in known:
            following = (NEXT_ARG,) if is_arg else direct_openers(known)
            nests = is_arg and self._name != self.body
            self._patterns = value_patterns("arg" if is_arg else tag, following, "", nests)
            self._phase = BodyToolState._in_value
            if self._name == self.body and self.start_marker:
                self._raw_patterns = value_patterns("arg" if is_arg else tag, following, self.end_marker, False)
                self._phase = BodyToolState._before_value
        else:
            self._phase = BodyToolState._in_undeclared

    def _begin_value(self) -> None:
        """Say where the value goes: the body is shown, a second one is lost, anything else is kept."""
        self._depth = 0
        self._value = None
        self._is_body = self._name == self.body and not self._has_body
        if self._name == self.body:
            if self._has_body:
                self._error = self._error or f"{self._name} is given twice"
            self._has_body = True
            return
        self._value = []
        if self._is_open:
            self._limit_to(self.context.scanner.offset + self.context.config.limits.max_arguments - self._size)

    def _close_argument(self) -> None:
        self._phase = BodyToolState._between
        self._is_body = False
        if self._is_open:
            self._limit_to(NO_LIMIT)
        if self._value is None:
            return
        raw = "".join(self._value)
        self._size += len(raw)
        self._give(self._name, raw)

    def _give(self, name: str, raw: str) -> None:
        """An argument is complete: in time for START it is metadata, decoded; else it is late, as written."""
        shown = raw if "<" in raw else decode_entities(raw)
        given, value = (self._metadata, shown) if name in self._metadata else (self._late, raw)
        if name in given and name not in _RESERVED:
            if given[name] != value:
                self._error = self._error or f"{name} is given twice"
        elif self._is_open or name in _RESERVED:
            self._late[name] = raw
        else:
            self._metadata[name] = shown
            self._start_when_ready()

    def _known_names(self) -> tuple[str, ...]:
        """Direct tags whose closer must fit: the usual ones, and what the user declared for this tool."""
        spec = self.context.tools.get((self.opening.tool_name or "").lower())
        return (*_DIRECT, *(name.lower() for name in spec.parameter_names)) if spec else _DIRECT

    # -- inside an argument -------------------------------------------------------------------------------------------

    def _is_in_value(self) -> bool:
        return self._phase in (BodyToolState._in_value, BodyToolState._before_value, BodyToolState._behind_start_marker)

    def _in_value(self) -> bool:
        markers = NESTED if self._depth else self._patterns.markers
        kind, match = self._find(markers, self._sink)
        if match is None:
            if self._is_body and self._is_open:
                self.triggers = markers.heads + self.decode_triggers
            return False
        if kind == OPEN or kind == CLOSE:
            self._sink(self.context.scanner.take(match.end()))
            self._depth += 1 if kind == OPEN else -1
        elif kind == END:
            self._hold_value(kind, match.end(), self._patterns.fits)
        elif kind == FIT and self._patterns.is_raw:
            self._hold_value(kind, self._closer_end(), self._patterns.raw_fits)
        else:
            self.context.scanner.pos = self._closer_end()
            self._close_argument()
        return True

    def _in_undeclared(self) -> bool:
        """A tag no one has declared: it ends at its first closer, and at anything that is known."""
        kind, match = self._find(_undeclared(self._known_names()), self._sink)
        if match is None:
            return False
        scanner = self.context.scanner
        name = _CLOSER_NAME.match(match[0])
        if kind == CLOSE and name and name[1].lower() == self._tag.lower():
            scanner.pos = match.end()
            self._close_argument()
        elif kind == CLOSE and name and name[1].lower() != "tool":
            self._sink(scanner.take(match.end()))
        else:
            self._phase = BodyToolState._between
            self._value = None
        return True

    def _closer_end(self) -> int:
        match = self._patterns.closer.match(*self._rest())
        assert match is not None  # a closer that fits begins with one
        return match.end()

    # -- raw markers --------------------------------------------------------------------------------------------------

    def _before_value(self) -> bool:
        """A start marker may come, blanks before it."""
        scanner = self.context.scanner
        buf, pos, end = self._rest()
        blanks = _BLANKS.match(buf, pos, end)
        assert blanks is not None and self.start_marker is not None  # blanks may be none
        match = self.start_marker.pattern.match(buf, blanks.end(), end)
        if blanks.end() == end or (match and match.lastindex is None):
            scanner.wait_past_blanks()
            return False
        self._phase = BodyToolState._in_value
        if match:
            scanner.pos = match.end()
            self._patterns = self._raw_patterns
            self._phase = BodyToolState._behind_start_marker
        return True

    def _behind_start_marker(self) -> bool:
        """One line break belongs to the marker."""
        buf, pos, end = self._rest()
        if pos == end or (buf[pos] == "\r" and pos + 1 == end):
            return False
        if buf[pos] == "\n":
            self.context.scanner.pos += 1
        elif buf[pos : pos + 2] == "\r\n":
            self.context.scanner.pos += 2
        self._phase = BodyToolState._in_value
        return True

    # -- held text ----------------------------------------------------------------------------------------------------

    def _hold_value(self, kind: str, end: int, resolves: Markers) -> None:
        scanner = self.context.scanner
        limit = scanner.offset + self.context.config.limits.max_held
        self._hold(scanner.pos, end)
        scanner.limit = min(limit, self._bound)
        self._held_kind = kind
        self._resolves = resolves
        self._phase = BodyToolState._held

    def _held(self) -> bool:
        match = self._search_held(self._resolves)
        if match is None:
            return False
        scanner = self.context.scanner
        scanner.pos = match.start()
        self._sink(scanner.held())
        scanner.release()
        scanner.limit = self._bound
        self._depth = 0
        self._phase = BodyToolState._in_value
        return True

    def _settle_held(self) -> None:
        """Nothing decided: a `</tool>` that is held was the end of the call, a closer that of the argument."""
        self._fall_back()
        self._close_argument()
        if self._held_kind == END:
            self._finish(repaired=True)

    # -- reading ------------------------------------------------------------------------------------------------------

    def _limit_to(self, offset: int) -> None:
        self._bound = offset
        self.context.scanner.limit = offset

    def _rest(self) -> tuple[str, int, int]:
        scanner = self.context.scanner
        return scanner.buf, scanner.pos, scanner.end

    def _sink(self, text: str) -> None:
        """More of the value."""
        if self._value is not None:
            self._value.append(text)
        elif not self._is_body:
            return
        elif self._is_open:
            self.context.emitter.emit_content(self.decode(text))
        else:
            self._early_body.append(text)

    def _give_back_body(self) -> None:
        """What could not be decided is content, if it is in the body."""
        scanner = self.context.scanner
        if self._is_in_value() and self._is_body:
            self._sink(scanner.take(scanner.end))

    def _find(self, markers: Markers, sink: Callable[[str], None]) -> tuple[str, Match[str] | None]:
        """Give everything up to the next of `markers` to `sink`; which it is, and None if it is not there yet."""
        scanner = self.context.scanner
        buf, pos, end = self._rest()
        match = markers.pattern.search(buf, pos, end)
        if match is None:
            kept = self.undecided(buf[pos:end]) if self._is_body else 0
            sink(scanner.take(end - kept))
            return "", None
        sink(scanner.take(match.start()))
        if match.lastindex is None:
            scanner.wait_past_blanks()
            return "", None
        return markers.kinds[match.lastindex], match


def _drop(text: str) -> None:
    """Swallow what is between the arguments."""


@lru_cache(maxsize=64)
def _undeclared(known: tuple[str, ...]) -> Markers:
    return compile_markers({CLOSE: [("</", _NAME, BLANKS, ">")], OPEN: [opener("arg"), *direct_openers(known)]})
