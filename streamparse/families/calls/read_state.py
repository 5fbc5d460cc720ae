"""The states of calls whose arguments a reader finds: one shows all of the call, the other the body alone.

    <read_file><path>a.py</path></read_file>            tool_call, all that stands between the tags
    <write_to_file><path>a.py</path><content>x…         write_file {"path": "a.py"} `x`

What begins and ends arguments is the matter of the family's reader, what START and END say of a call with a body that
of `body_call.py`. A family says how its reader is made, and which characters matter to it.
"""

from __future__ import annotations

from collections.abc import Collection
from re import Pattern
from typing import Protocol

from streamparse.arguments.sink import Sink
from streamparse.core.state import MOST_AHEAD, NEED_MORE, BaseState, Progress
from streamparse.families.calls.body_call import TextBodyCall
from streamparse.families.calls.missing_end import lacks_only_end
from streamparse.families.calls.shown import RawContent


class ArgumentsReader(Protocol):
    """Reads the arguments of one call from a scanner, and tells a sink what it finds."""

    #: Whether the call has ended.
    is_ended: bool
    #: The offset at which the closer of the call begins, when it has ended.
    end_offset: int

    @property
    def end(self) -> Pattern[str]:
        """The closer of the call alone."""

    @property
    def is_repaired(self) -> bool:
        """Whether something was missing."""

    @property
    def unclosed(self) -> str | None:
        """What is wrong with an argument without its closer, if that is why the call ended where it did."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing but the closer of the call is missing, if there is no more input: it has to be finished."""

    @property
    def is_waiting(self) -> bool:
        """Whether it has set a limit on the scanner by itself."""

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""

    def read(self, sink: Sink) -> None:
        """Read as far as possible."""

    def pass_limit(self, sink: Sink) -> None:
        """The limit that it has set was passed."""

    def cut(self, sink: Sink) -> None:
        """Nothing more is wanted of the call."""

    def finish(self, sink: Sink) -> None:
        """No more input."""


class WholeReader(ArgumentsReader, Protocol):
    """One that says how far the text is content of the call."""

    #: Where a closer of the call begins that may be data; -1 if there is none.
    doubt_offset: int
    #: The names of all arguments so far.
    given: set[str]

    @property
    def is_between(self) -> bool:
        """Whether it has come to a place between two arguments, and holds nothing."""

    @property
    def is_late(self) -> bool:
        """Whether what was missing decided where the call ended."""


class WholeCallState(BaseState):
    """START, all of the call's text as it comes, END. Only what may be the closer is kept back."""

    _content: RawContent
    _tool: str  # its name, once the call is open …
    _in_tag: Collection[str] = ()  # … and the names of arguments that stand in its tag
    _reader: WholeReader | None = None
    _is_between = True  # the reader is between two arguments

    def _open(self) -> WholeReader | None:
        """START; and what reads the call, if it is not empty."""
        raise NotImplementedError(f"{type(self).__name__} must define _open()")

    def run(self) -> Progress:
        """Read on, and show what cannot be the end."""
        self.triggers = None
        reader = self._reader
        if reader is None:
            reader = self._reader = self._open()
            if reader is None:
                return self._end()
            self._content = RawContent(self.context)
        scanner, content = self.context.scanner, self._content
        if self._is_between and len(scanner.buf) - scanner.pos < MOST_AHEAD and not scanner.is_finished:
            has_begun = scanner.buf.find("<", scanner.pos) >= 0  # an argument, all of which may come soon
            if has_begun and content.show_before(reader.end):
                self.ahead = reader.end.search
                return NEED_MORE
        reader.read(content)
        if reader.is_ended:
            return self._end()
        self._is_between = reader.is_between
        if reader.doubt_offset >= 0:
            content.show(reader.doubt_offset - scanner.base)
            return NEED_MORE
        end = len(scanner.buf)
        if scanner.pos < end:  # what is unread is shown, too, if it cannot be the closer
            match = reader.end.search(scanner.buf, scanner.pos)
            end = match.start() if match else end
        content.show(end)
        self.triggers = reader.triggers
        return NEED_MORE

    def _end(self, status: str | None = None, *, repaired: bool = False) -> Progress:
        reader, scanner = self._reader, self.context.scanner
        if reader is not None:
            self._content.show(reader.end_offset - scanner.base if reader.is_ended else len(scanner.buf))
        error = self.context.judge_unclosed(reader.unclosed if reader is not None and status is None else None)
        status = "malformed" if error else status
        repaired = repaired or (reader is not None and reader.is_late and status is None)
        self.context.emitter.emit_end(status, error, repaired)
        self.context.transition_to("text")
        return NEED_MORE

    def on_limit(self) -> None:
        """What is held was not decided in time."""
        assert self._reader is not None  # it has set the limit
        self._reader.pass_limit(self._content)
        if self._reader.is_ended:
            self._end()

    def finalize(self) -> None:
        """Without its closer the call is truncated, unless all is there that it needs."""
        reader = self._reader
        assert reader is not None  # a call without a body has ended
        reader.finish(self._content)
        is_whole = lacks_only_end(reader, self._tool, {*reader.given, *self._in_tag}, self.context)
        self._end(None if reader.is_ended or is_whole else "truncated", repaired=is_whole)


class BodyCallState(BaseState):
    """START when all is known that it waits for, the body as it comes, END. `segment_type` is the kind of the tool."""

    _call: TextBodyCall
    _reader: ArgumentsReader

    def _open(self) -> tuple[ArgumentsReader, TextBodyCall]:
        """What reads the call, and what is known of it."""
        raise NotImplementedError(f"{type(self).__name__} must define _open()")

    @property
    def _is_empty(self) -> bool:
        """Whether the call has ended already with its opening tag."""
        return False

    def _choose_triggers(self) -> None:
        """Say which characters matter in the body, where not all of them do."""
        raise NotImplementedError(f"{type(self).__name__} must define _choose_triggers()")

    def _begin(self) -> Progress:
        if self.context.emitter.segment_id:
            self.context.emitter.emit_end()  # a block has begun, even if its START must wait: the prose is complete
        self._reader, self._call = self._open()
        self._call.start_if_ready()
        self._phase = "_in_arguments"
        return self._end() if self._is_empty else self._in_arguments()

    def _in_arguments(self) -> Progress:
        if self._call.raw_text is not None:
            self._call.raw_text.follow(self.context.scanner)
        self._reader.read(self._call)
        if self._reader.is_ended:
            return self._end()
        if self._call.is_plain:
            self._choose_triggers()
        return NEED_MORE

    def _skip(self) -> Progress:
        """What START waits for did not come in time, and the call is lost: swallow the rest of it."""
        scanner, raw_text = self.context.scanner, self._call.raw_text
        if raw_text is not None:
            raw_text.follow(scanner)
        match = self._reader.end.search(scanner.buf, scanner.pos)
        scanner.pos = match.start() if match else len(scanner.buf)
        if match is None or match.lastindex is None:
            scanner.wait_past_blanks()
            return NEED_MORE
        if raw_text is not None:
            raw_text.end(scanner.offset)
        scanner.pos = match.end()
        self.context.distrust_rest()  # no one knows whether this was an end, or data of an argument
        return self._end()

    def _end(self, *, is_cut: bool = False, repaired: bool = False) -> Progress:
        error = self.context.judge_unclosed(None if is_cut else self._reader.unclosed)
        if error:
            self._call.problem = error
        if self._call.raw_text is not None and self._reader.is_ended:
            self._call.raw_text.end(self._reader.end_offset)
        self._call.end(is_cut=is_cut, repaired=repaired or (self._reader.is_repaired and not is_cut))
        self.context.transition_to("text")
        return NEED_MORE

    def on_limit(self) -> None:
        """What was waited for did not come in time: what the reader holds text for, or what START waits for."""
        if self._reader.is_waiting:
            self._reader.pass_limit(self._call)
            if self._reader.is_ended:
                self._end()
            return
        self._reader.cut(self._call)
        self._call.start()
        self._phase = "_skip"

    def finalize(self) -> None:
        """The call's closer never came. A complete argument counts; of an incomplete one, only the body.

        If all is there that the call needs, it is complete.
        """
        scanner, reader, is_whole = self.context.scanner, self._reader, False
        if self._phase == "_skip":
            scanner.pos = len(scanner.buf)
        else:
            reader.finish(self._call)
            is_whole = lacks_only_end(reader, self._call.metadata.get("tool_name", ""), self._call.given, self.context)
        self._end(is_cut=not reader.is_ended and not is_whole, repaired=is_whole)
