"""LiveCall: a call that is shown as what it does, while it is written.

    <tool_call>{"name": "write_file", "arguments": {"path": "a.py", "content": "print(1)"}}</tool_call>

    write_file {"tool_name": "write_file", "path": "a.py"} `print(1)`           and no tool_call with JSON in it

The states of text formats emit such a call like any other: START with its name, its arguments as they are written, END.
The emitter gives that to a LiveCall instead, which follows the arguments with the reader of their family and keeps the
record of the call (`body_call.py`). So a file looks the same on the screen whatever the format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from streamparse.arguments.decoder import Signature, explain
from streamparse.arguments.follower import Follower
from streamparse.arguments.wrapper import unwrap
from streamparse.config import BodyTool, Limits
from streamparse.core.emitter import EventEmitter
from streamparse.core.raw_text import RawText
from streamparse.events import SegmentContent, SegmentEnd
from streamparse.families.calls.body_call import BodyCall

#: Neither metadata nor late arguments.
NOTHING: Mapping[str, Any] = {}


class CallSegment(ABC):
    """The segment of a call, wherever it stands: in the text, or beside it."""

    #: The arguments as they are written, if someone wants to know: it counts what is shown.
    raw_text: RawText | None = None
    #: An id that comes behind START, and what the provider wants back with the call: END says both.
    call_id: str | None = None
    state: Mapping[str, Any] | None = None
    #: Why the reply was cut off, if it was.
    cut: str | None = None

    def __init__(self, emitter: EventEmitter, segment_id: str, segment_type: str) -> None:
        self._emitter = emitter
        self.id, self.type = segment_id, segment_type

    @abstractmethod
    def start(self, metadata: Mapping[str, Any] = NOTHING) -> None:
        """START."""

    def show(self, text: str) -> None:
        """More of its content, perhaps nothing."""
        if text:
            if self.raw_text is not None:
                self.raw_text.shown += len(text)
            self._emitter.events.append(SegmentContent(self.id, text, self.type))

    def end(
        self, status: str | None, error: str | None, repaired: bool = False, late: Mapping[str, Any] = NOTHING
    ) -> None:
        """END."""
        if status == "truncated":
            error = error or self.cut or None
        self._emitter.events.append(
            SegmentEnd(
                *(self.id, status, error, repaired, late or None, self.type, None, self.call_id),
                state=self.state,
                raw=self.raw_text.text if self.raw_text is not None else None,
            )
        )


class LiveRecord(BodyCall):
    """What is known of the call."""

    def __init__(
        self,
        segment: CallSegment,
        tool: BodyTool,
        metadata: Mapping[str, Any],
        signature: Signature,
        *,
        is_in_plan: bool = False,
        has_texts: bool = False,
    ) -> None:
        super().__init__(tool, metadata, signature.limits.max_arguments, is_in_plan=is_in_plan)
        self._segment = segment
        self.raw_text = segment.raw_text
        self._names = {*tool.names, *signature.schema.names}
        self._limits = signature.limits
        self._has_texts = has_texts  # the follower tells texts where it tells no body
        self.is_lost = False  # what START waits for did not come in time: nothing more is shown

    def _emit_start(self) -> None:
        self._segment.start(dict(self.metadata))

    def _emit_content(self, text: str) -> None:
        self._segment.show(text)

    def _emit_end(self, status: str | None, error: str | None, *, repaired: bool) -> None:
        self._segment.end(status, error, repaired, self.late)

    def lose(self) -> None:
        """START, without what it waits for; the rest of the call is not wanted."""
        self.is_lost = True
        self.start()

    def add_body(self, text: str, *, is_followed: bool = False) -> None:
        """More of the body, while it is wanted."""
        if self.is_lost:
            return
        if self.is_started:
            self._segment.show(text)  # as nearly always
        else:
            super().add_body(text, is_followed=is_followed)

    def give(self, name: str, value: Any, written: Any = None, meant: Any = None) -> None:
        """An argument that is complete, perhaps the body; that and the path are strings."""
        is_body = name == self.body
        if self.is_lost:
            return
        if not isinstance(value, str) and (is_body or (name == self.path and self._waited_for)):
            self.report(f"{name} must be a string")
        elif not is_body:
            super().give(name, value)
            self.start_if_ready()
        elif self.begin_body():
            self.add_body(value, is_followed=True)

    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        """A follower tells values, not texts."""

    def end(self, *, is_cut: bool = False, repaired: bool = False) -> None:
        """The call is over: now it is known whether all that was given is a wrapper."""
        if not is_cut and not self.has_body:
            self._unwrap()
        super().end(is_cut=is_cut, repaired=repaired)

    def _unwrap(self) -> None:
        given = self._given
        inner = unwrap(given, self._names, self._limits, has_texts=self._has_texts)
        if inner is given:
            return
        (wrapper,) = given
        self._given = {}
        self.metadata.pop(wrapper, None)
        self.late.pop(wrapper, None)
        for name, value in inner.items():
            self.give(name, value)


class LiveCall:
    """Follows the content of one call.

    The decoder of a format of one's own may raise anything: then the call is malformed, and nothing more is shown.
    """

    __slots__ = ("_follower", "_has_failed", "_is_given_up", "_limit", "_total", "raw_text", "record")

    def __init__(self, record: LiveRecord, follower: Follower, limits: Limits) -> None:
        self.record = record
        self.raw_text = record.raw_text
        self._follower = follower
        self._limit = limits.max_held
        self._total = 0  # of the content; behind START not all of it comes by here
        self._has_failed = False  # it cannot be followed
        self._is_given_up = False  # what comes is none of its arguments
        record.start_if_ready()

    @property
    def triggers(self) -> str | None:
        """The characters that matter in what comes next, of which all else is shown as it is; None for all."""
        record = self.record
        is_shown = record.is_started and not record.is_lost and not self._has_failed and not self._is_given_up
        return self._follower.triggers if is_shown else None

    def feed(self, text: str) -> None:
        """More of the content. What START waits for must come before the limit, whatever the chunking."""
        room = self._limit - self._total
        self._total += len(text)
        if self.raw_text is not None:
            self.raw_text.add(text)
        if self._has_failed or self._is_given_up:
            return
        try:
            if not self.record.is_started and len(text) > room:
                self._follower.feed(text[:room])
                if not self.record.is_started:
                    self.record.lose()
                text = text[room:]
            self._follower.feed(text)
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._has_failed = True
        self.record.report(explain(error))

    def end(self, status: str | None, error: str | None, repaired: bool) -> None:
        """The call is over, as its state says; what its content says may still make it malformed."""
        record, follower, is_repaired = self.record, self._follower, False
        if status == "malformed":
            record.problem = error or "the call is malformed"  # it decides, whatever the content says
        try:
            if not self._has_failed:
                follower.finish(is_cut=status is not None)
                is_repaired = status is None and (repaired or follower.is_repaired)
        except Exception as failure:
            self._fail(failure)
        record.end(is_cut=status == "truncated", repaired=is_repaired)
