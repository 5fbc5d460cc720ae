"""A call between markers: its head, and what stands behind its arguments.

    <|calls|> <|call|> f <|sep|> {"a": 1} <|end|> <|done|>      tool_call {"tool_name": "f"}, the arguments
    └────── seen by text ──────┘ └ a subclass ┘   └ swallowed ┘

How a format writes that is data, `grammar.py`; where the arguments end is told by a subclass. Behind them
the rest of the call's own markers is swallowed, whatever is there of it, with the blanks before each; then comes the
next call of the section, or text.
"""

from __future__ import annotations

from typing import Any

from streamparse.core.context import ParserContext
from streamparse.core.markers import Markers
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.core.stems import find_at
from streamparse.events import SegmentType
from streamparse.families.calls.echo import Echo
from streamparse.families.calls.grammar import NEXT, NO_SECTION, SEPARATOR, Head, Section
from streamparse.families.calls.of_format import CallsOfFormat


class MarkedCallState(BaseState):
    """Reads calls until something comes that is none.

    A subclass defines `_in_arguments`, or names its own first phase in `_open_call`, and ends with `_end_call`.
    """

    segment_type = SegmentType.TOOL_CALL.value

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._ends = context.opener.get_options(CallsOfFormat)
        self._calls = self._ends.calls
        self._format = context.opener.format
        self._section: Section = NO_SECTION
        self._stage = 0  # how many closers have been seen
        self._late_id: str | None = None  # of the call, if it comes behind START
        self._echo = Echo(context.scanner) if self._calls.has_echo else None

    def run(self) -> Progress:
        """Read phase after phase; while an echo may come, every chunk matters."""
        echo = self._echo
        if echo is not None:
            echo.begin_run()
        self.triggers = None
        while getattr(self, self._phase)() is GO_ON:
            pass
        if echo is not None:
            echo.end_run()
            if echo.is_expected:
                self.triggers = None
        return NEED_MORE

    def _begin(self) -> Progress:
        scanner = self.context.scanner
        return self._enter(self._calls.read_opener(scanner.buf, scanner.pos))

    def _enter(self, head: Head) -> Progress:
        """A call whose head was read."""
        self.context.scanner.pos = head.end
        self._section = head.section
        self._phase = "_in_arguments"
        self._open_call(head)
        return GO_ON

    def _open_call(self, head: Head) -> None:
        """START, as soon as the name is known: here, unless it stands among the arguments."""
        self._start(head.name, head.call_id)

    def _start(self, name: str | None, call_id: str | None) -> None:
        metadata: dict[str, Any] = {}
        if name is not None:
            metadata["tool_name"] = name
        if call_id is not None:
            metadata["call_id"] = call_id
        self.context.settle(self._format)
        self.context.emitter.emit_start(self.segment_type, metadata, self._format)

    def _in_arguments(self) -> Progress:
        """Show arguments until they end."""
        raise NotImplementedError(f"{type(self).__name__} must define _in_arguments()")

    def _show_up_to(self, markers: Markers) -> Progress:
        """Show everything up to the next of `markers`, which ends the call."""
        scanner = self.context.scanner
        match = markers.pattern.search(scanner.buf, scanner.pos)
        self.context.emitter.emit_content(scanner.take(match.start() if match else len(scanner.buf)))
        if match is not None and match.lastindex is not None:
            return self._end_call()
        scanner.wait_for(markers)
        self.triggers = markers.heads
        return NEED_MORE

    def _end_call(self, status: str | None = None, error: str | None = None, *, repaired: bool = False) -> Progress:
        """The arguments are over, and so is the segment."""
        self.context.emitter.emit_end(status, error, repaired, call_id=self._late_id)
        self._stage = 0
        self._phase = "_behind_call"
        return GO_ON

    def _behind_call(self) -> Progress:
        """Swallow what belongs here; what does not is left unread."""
        scanner = self.context.scanner
        if self._echo is not None and self._stage == len(self._calls.tail) + len(self._section.close):
            if self._echo.skip(self._section.open[0]):
                self.context.transition_to("text")
            return NEED_MORE
        found = find_at(self._calls.following(self._section, self._stage), scanner.buf, scanner.pos)
        if found is None:
            self.context.transition_to("text")
            return NEED_MORE
        kind, start, end, awaited, since = found
        if kind is None:
            scanner.wait_for(awaited, since)
            self.held = awaited.pattern.match, since - start
            return NEED_MORE
        if kind == NEXT:
            return self._enter(self._calls.read_next(scanner.buf, scanner.pos, self._section))
        scanner.pos = end
        if kind != SEPARATOR:
            self._stage = kind + 1
            if self.context.emitter.spans is not None:
                self.context.emitter.spans.end()  # behind what was read
        return GO_ON

    def finalize(self) -> None:
        """Without the end of its arguments a call is truncated; what was expected behind one is text."""
        scanner, emitter = self.context.scanner, self.context.emitter
        if emitter.segment_id:
            emitter.emit_content(scanner.take(len(scanner.buf)))
            emitter.emit_end("truncated", call_id=self._late_id)
        self.context.transition_to("text")
