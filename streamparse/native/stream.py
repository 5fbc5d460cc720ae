"""NativeStream: a provider's chunks in, events out.

    {"choices": [{"delta": {"content": "Hi"}}]}                                         text, through the parser
    {"choices": [{"delta": {"reasoning_content": "Hm"}}]}                               a segment `reasoning`
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "f", …     a segment for each call

`providers.Reader` says in neutral words what a chunk holds; here that becomes segments. A call begins with its first
delta, which is a boundary for the text before it: tags do not go on behind a call. It ends when the provider says so;
where none does, with whatever comes next if its JSON is complete, or with the reply. Parallel calls interleave by id.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from streamparse.arguments import Signature
from streamparse.config import ParserConfig, Tools
from streamparse.errors import LimitError, ProviderStreamError
from streamparse.events import AnyEvent, SegmentType
from streamparse.native.calls import FORMAT, FieldsCall, JsonCall, NativeCall, TextCall
from streamparse.parser import TEXTS, StreamingParser
from streamparse.providers import CallDelta, CallEnd, Delta, Finish, ProviderError, Reader, ReasoningDelta, TextDelta
from streamparse.providers.call import dumped
from streamparse.providers.fields import fields
from streamparse.providers.fields import text as text_of
from streamparse.providers.finish import CUT_REASONS, WHOLE_REASONS
from streamparse.providers.keys import forget_oldest

_REASONING = SegmentType.REASONING.value

_NO_NAME = "the call has no name"
_AFTER_END = "arguments came after the end of the call"


@define(eq=False)
class _Call:
    """A call that is under way; until its name is certain, nothing of it is shown."""

    key: str
    name: str = ""
    call_id: str | None = None
    signature: str | None = None
    held: list[str] = field(factory=list)  # arguments, before START
    held_size: int = 0
    is_raw: bool = False
    is_late: bool = False  # it came for a call that has ended
    writer: NativeCall | None = None
    error: str | None = None

    def feed(self, piece: str) -> None:
        if self.writer is not None:
            self.writer.feed(piece)
        else:
            self.held.append(piece)
            self.held_size += len(piece)


class NativeStream:
    """Reads one stream of chunks. `parser` is given their text, and owns the ids of all segments."""

    def __init__(self, parser: StreamingParser, config: ParserConfig, tools: Tools) -> None:
        self._parser = parser
        self._emitter = parser.emitter
        self._config = config
        self._limits = config.limits
        self._is_counted = config.limits.max_total is not None
        self._tools = tools
        self._reader = Reader()
        self._has_known = False  # a chunk
        self._calls: dict[str, _Call] = {}
        self._complete: dict[str, _Call] = {}  # those of them that end with whatever comes next
        self._reasoning_id = ""  # of the last segment of native reasoning
        self._ended: dict[str, tuple[str, str | None]] = {}  # name and id, for what comes too late

    def feed(self, chunk: object) -> list[AnyEvent]:
        """Take in a chunk; the events it made certain."""
        if chunk.__class__ is not dict and isinstance(chunk, TEXTS):
            return self.feed_text(chunk)
        self._parser.check_open()
        deltas = self._reader.read(chunk)
        if deltas is None:
            if self._has_known and (isinstance(chunk, Mapping) or text_of(fields(chunk), "type")):
                return []  # providers get new types of events all the time, and old clients ignore them
            raise TypeError(
                f"feed() takes str, bytes, a Chunk or a chunk of a provider's stream, not {type(chunk).__name__}"
            )
        self._has_known = True
        if len(deltas) == 1 and isinstance(deltas[0], TextDelta):  # as mostly
            return self.feed_text(deltas[0].text)
        events: list[AnyEvent] = []
        try:
            for delta in deltas:
                if delta.__class__ is not CallDelta:
                    events += self._take(delta)
                elif not self._take_more(delta):
                    self._take_call(delta)
        except (LimitError, ProviderStreamError) as error:
            error.events[:0] = events
            raise
        emitter = self._emitter
        made, emitter.events = emitter.events, []  # `drain`, without a call for every token
        return events + made if events else made

    def feed_text(self, chunk: str | bytes | bytearray | memoryview) -> list[AnyEvent]:
        """Take in text that came by itself."""
        if chunk:
            if self._complete:
                self._end_complete()
            if self._reasoning_id and self._emitter.segment_id == self._reasoning_id:
                self._emitter.emit_end()
        if not self._emitter.events:
            return self._parser.feed(chunk)
        events = self._emitter.drain()
        try:
            return events + self._parser.feed(chunk)
        except LimitError as error:
            error.events[:0] = events
            raise

    def finalize(self) -> list[AnyEvent]:
        """No more chunks: what has not ended is complete only if its JSON is."""
        for call in list(self._calls.values()):
            self._end(call, is_cut=call.writer is None or not call.writer.is_complete)
        return self._emitter.drain()

    # -- deltas -------------------------------------------------------------------------------------------------------

    def _take(self, delta: Delta) -> list[AnyEvent]:
        match delta:
            case TextDelta(text):
                return self.feed_text(text)
            case ReasoningDelta(text):
                self._take_reasoning(text)
            case CallEnd(key):
                if key in self._calls:
                    self._finish(self._calls[key], "stop")
            case ProviderError(message):
                raise self._broken_off(message)
            case _:
                assert isinstance(delta, Finish)  # nothing else is left
                for call in list(self._calls.values()):
                    self._finish(call, delta.reason)
        return self._emitter.drain()

    def _take_reasoning(self, text: str) -> None:
        emitter = self._emitter
        allowed = self._parser.charge(text)
        if not emitter.segment_id or emitter.segment_id != self._reasoning_id:
            self._boundary()
            emitter.emit_start(_REASONING, {}, FORMAT, is_prose=True)
            self._reasoning_id = emitter.segment_id
        emitter.emit_content(allowed)
        self._check_total(text, allowed)

    def _take_more(self, delta: CallDelta) -> bool:
        """The usual delta, more arguments of a call that is shown, takes the short way."""
        call = self._calls.get(delta.key)
        if call is None or call.writer is None or delta.call_id is not None or delta.whole is not None:
            return False
        if self._is_counted:
            return False
        writer = call.writer
        if delta.arguments:  # a name behind START is no news
            writer.feed(delta.arguments)
            if writer.is_complete or self._complete:
                self._note_complete(call, writer)
        return True

    def _take_call(self, delta: CallDelta) -> None:
        call = self._calls.get(delta.key)
        call = call or self._begin(delta)
        if call is None:
            return
        self._note(call, delta)
        arguments = delta.arguments if delta.whole is None else dumped(delta.whole)
        if call.is_late and not call.held_size:
            arguments = arguments.lstrip()
        allowed = self._parser.charge(arguments)
        if allowed:
            call.feed(allowed)
        if call.writer is None and self._is_certain(call, delta):
            self._start(call)
        if call.writer is not None:
            self._note_complete(call, call.writer)
        self._check_total(arguments, allowed)

    def _note_complete(self, call: _Call, writer: NativeCall) -> None:
        """What is complete may stop being so: something may stand behind it."""
        if writer.is_complete:
            self._complete[call.key] = call
        elif self._complete:
            self._complete.pop(call.key, None)

    @staticmethod
    def _note(call: _Call, delta: CallDelta) -> None:
        """What the delta says besides arguments."""
        if delta.name:
            call.name += delta.name
        if delta.signature:
            call.signature = delta.signature
        if delta.call_id:
            call.call_id = delta.call_id
            if call.writer is not None:
                call.writer.note(call_id=delta.call_id)

    def _begin(self, delta: CallDelta) -> _Call | None:
        """A call that is new; nothing, if blanks came for one that has ended."""
        call = _Call(delta.key, is_raw=delta.raw)
        if delta.key in self._ended and not delta.name:
            if delta.whole is None and not delta.arguments.strip():
                return None
            call.name, call.call_id = self._ended[delta.key]
            call.error = _AFTER_END
            call.is_late = True
        self._boundary()
        self._calls[delta.key] = call
        return call

    def _check_total(self, text: str, allowed: str) -> None:
        if len(allowed) < len(text):
            raise self._parser.total_passed(self._emitter.drain())

    # -- the beginning of a call --------------------------------------------------------------------------------------

    def _boundary(self) -> None:
        """A new segment begins: what is complete ends, and text before it is settled."""
        self._end_complete()
        self._parser.interrupt()

    def _is_certain(self, call: _Call, delta: CallDelta) -> bool:
        """Whether the name is known to be whole, or nothing more can be held for want of one."""
        if not call.name:
            return call.held_size > self._limits.max_held
        return bool(call.held) or delta.is_named or self._is_declared(call.name)

    def _is_declared(self, name: str) -> bool:
        """Whether it is the name of a tool, and not the beginning of another one's."""
        name = name.lower()
        return name in self._tools and not any(other.startswith(name) and other != name for other in self._tools)

    def _start(self, call: _Call) -> NativeCall:
        """Show it: what its arguments become depends on what the tool does."""
        metadata: dict[str, Any] = {"tool_name": call.name} if call.name else {}
        if call.call_id is not None:
            metadata["call_id"] = call.call_id
        if call.signature is not None:
            metadata["thought_signature"] = call.signature
        if not call.name:
            call.error = _NO_NAME
        spec = self._tools.get(call.name.lower())
        tool = self._tools.body_of(call.name)
        parser = self._parser
        writer: NativeCall
        if call.is_raw:
            writer = TextCall(parser, tool.kind if tool else SegmentType.TOOL_CALL.value, metadata)
        elif tool is not None:
            writer = FieldsCall(parser, tool, metadata, Signature.of(spec, self._config, call.name))
        else:
            writer = JsonCall(parser, metadata)
        if call.held:
            writer.feed("".join(call.held))
            call.held.clear()
        call.writer = writer
        return writer

    # -- its end ------------------------------------------------------------------------------------------------------

    def _end_complete(self) -> None:
        for call in list(self._complete.values()):
            self._end(call, is_cut=False)

    def _finish(self, call: _Call, reason: str) -> None:
        """The provider says that the call or the reply has ended, and why.

        JSON shows by itself whether it is whole. No arguments at all, or a plain text, are so only if the reply is.
        """
        writer = self._writer(call)
        has_all = writer.is_complete or writer.is_broken
        if writer.is_empty or call.is_raw:
            has_all = reason in WHOLE_REASONS
        self._end(call, is_cut=reason in CUT_REASONS or not has_all)

    def _end(self, call: _Call, *, is_cut: bool) -> None:
        self._writer(call).end(is_cut=is_cut, error=call.error)
        del self._calls[call.key]
        self._complete.pop(call.key, None)
        self._ended[call.key] = call.name, call.call_id
        forget_oldest(self._ended)

    def _writer(self, call: _Call) -> NativeCall:
        """What writes the call, which is shown now if it was not yet."""
        return call.writer or self._start(call)

    def cut(self) -> None:
        """The stream broke off: no call that is open is complete."""
        for call in list(self._calls.values()):
            self._end(call, is_cut=True)

    def _broken_off(self, message: str) -> ProviderStreamError:
        self.cut()
        return ProviderStreamError(message, self._parser.abort())
