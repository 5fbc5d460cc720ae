"""NativeStream: a provider's chunks in, events out.

    {"choices": [{"delta": {"content": "Hi"}}]}                                         text, through the parser
    {"choices": [{"delta": {"reasoning_content": "Hm"}}]}                               a segment `reasoning`
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "f", …     a segment for each call

`providers.Reader` says in neutral words what a chunk holds; here that becomes segments. A call begins with its first
delta, which is a boundary for the text before it: tags do not go on behind a call. It ends when the provider says so;
where none does, with whatever comes next if its JSON is complete, or with the reply. Parallel calls interleave by id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, evolve, field

from streamparse.arguments import Signature
from streamparse.config import ParserConfig, Tools
from streamparse.errors import LimitError, ProviderStreamError
from streamparse.events import INTERFACE, NATIVE, AnyEvent, SegmentEnd, SegmentType
from streamparse.native.calls import FieldsCall, JsonCall, NativeCall, NativeSegment, TextCall
from streamparse.outcome import Outcome
from streamparse.parser import TEXTS, StreamingParser
from streamparse.providers import (
    BlockEnd,
    CallDelta,
    CallEnd,
    Delta,
    File,
    Finish,
    OtherChoice,
    ProviderError,
    Reader,
    ReasoningDelta,
    RefusalDelta,
    ServerResult,
    Source,
    TextDelta,
)
from streamparse.providers.fields import fields
from streamparse.providers.fields import text as text_of
from streamparse.providers.finish import CUT_REASONS, WHOLE_REASONS
from streamparse.providers.json_text import as_json
from streamparse.providers.keys import forget_oldest
from streamparse.wire import present

_TEXT = SegmentType.TEXT.value
_REASONING = SegmentType.REASONING.value
_REFUSAL = SegmentType.REFUSAL.value
_CALL = SegmentType.TOOL_CALL.value
_SERVER_TOOL = SegmentType.SERVER_TOOL.value
_NO_NAME = "the call has no name"
_AFTER_END = "arguments came after the end of the call"


@define(eq=False)
class _PendingCall:
    """A call that is under way; until its name is certain, nothing of it is shown."""

    key: str
    name: str = ""
    call_id: str | None = None
    state: dict[str, Any] | None = None  # what the provider wants back
    is_server: bool = False  # the provider runs it
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
    """Reads one stream of chunks. `parser` is given their text, and owns the ids of all segments.

    Of several alternative replies, that at `choice` is read; `on_other_choice` is told once that there is another.
    """

    def __init__(
        self,
        parser: StreamingParser,
        config: ParserConfig,
        tools: Tools,
        choice: int = 0,
        on_other_choice: Callable[[int], None] | None = None,
    ) -> None:
        self._parser = parser
        self._emitter = parser.emitter
        self._config = config
        self._limits = config.limits
        self._is_counted = config.limits.max_total is not None
        self._tools = tools
        self._reader = Reader(choice)
        self._has_known = False  # a chunk
        self._calls: dict[str, _PendingCall] = {}
        self._complete: dict[str, _PendingCall] = {}  # those of them that end with whatever comes next
        self._block_end: BlockEnd | None = None  # that waits for what comes next
        self._prose_id = ""  # of the last segment of native reasoning or of a refusal
        self._ended: dict[str, tuple[str, str | None, bool]] = {}  # name, id and who runs it, for what comes too late
        self._finish: Finish | None = None
        self._error: str | None = None  # what the provider said when it gave up
        self._has_calls = False  # for the program
        self._has_refused = False
        self._has_reasoning = False  # in a field of its own
        #: Where the text of the chunks is kept, if someone wants it.
        self.texts: list[str] | None = None
        self._on_other_choice: Callable[[int], None] | None = on_other_choice

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
        if len(deltas) == 1 and deltas[0].__class__ is TextDelta:  # as mostly
            text = deltas[0].text
            if self.texts is not None:
                self.texts.append(text)
            return self.feed_text(text)
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
            if self._block_end is not None:
                self._settle_block()
            if self._complete:
                self._end_complete()
            if self._prose_id:
                if self._emitter.segment_id == self._prose_id:
                    self._emitter.emit_end()
                self._prose_id = ""
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
        self._settle_block()
        for call in list(self._calls.values()):
            self._end(call, None if call.writer is not None and call.writer.is_complete else "")
        return self._emitter.drain()

    @property
    def outcome(self) -> Outcome | None:
        """How the reply ended, once the provider has said so; what it said of usage may still change."""
        if self._error is not None:
            return self.complete(Outcome.broken(self._error))
        return None if self._finish is None else self.complete(Outcome(self._finish.reason))

    def complete(self, ended: Outcome) -> Outcome:
        """How a reply ended, with all that is known of it."""
        reason = ended.finish_reason
        if reason == "stop" and self._has_refused:
            reason = "refusal"
        elif reason == "stop" and self._has_calls:
            reason = "tool_calls"
        about, word = self._reader.about, self._finish.word if self._finish else ""
        return evolve(
            ended,
            finish_reason=reason,
            provider_reason=word or None,
            usage=about.usage,
            model=about.model,
            response_id=about.response_id,
        )

    # -- deltas -------------------------------------------------------------------------------------------------------

    def _take(self, delta: Delta) -> list[AnyEvent]:
        match delta:
            case TextDelta(text):
                if self.texts is not None:
                    self.texts.append(text)
                return self.feed_text(text)
            case ReasoningDelta(text):
                self._take_prose(_REASONING, text)
            case RefusalDelta(text):
                self._has_refused = True
                self._take_prose(_REFUSAL, text)
            case BlockEnd():
                self._settle_block()
                self._block_end = BlockEnd(self._owned(delta.state), delta.kind)
            case CallEnd(key):
                if key in self._calls:
                    self._finish_call(self._calls[key], "stop")
            case ServerResult(content, tool_name, call_id, state):
                named = present(tool_name=tool_name, call_id=call_id)
                self._show_whole(SegmentType.SERVER_RESULT, named, content, self._owned(state))
            case Source(metadata):
                self._show_source(metadata)
            case File(metadata, data, state):
                self._show_whole(SegmentType.FILE, metadata, data, self._owned(state))
            case OtherChoice(index):
                if self._on_other_choice is not None:
                    tell, self._on_other_choice = self._on_other_choice, None
                    tell(index)
            case ProviderError(message):
                raise self._broken_off(message)
            case _:
                assert isinstance(delta, Finish)  # nothing else is left
                self._finish_reply(delta)
        return self._emitter.drain()

    def _take_prose(self, kind: str, text: str) -> None:
        """More of what is no text, and is not parsed."""
        emitter = self._emitter
        allowed = self._parser.charge(text)
        is_open = emitter.segment_id and emitter.segment_id == self._prose_id and emitter.segment_type == kind
        if not is_open or self._block_end is not None:
            self._boundary()
            if kind == _REASONING and not self._has_reasoning:
                self._has_reasoning = True
                self._parser.end_implied()
            emitter.emit_start(kind, {}, NATIVE, is_prose=True)
            self._prose_id = emitter.segment_id
        emitter.emit_content(allowed)
        self._check_total(text, allowed)

    def _settle_block(self, cut: str | None = None) -> None:
        """The block that ended ends its segment, with its state; where there is none of its kind, an empty one has it.

        That waits for what comes next, because it may be that the reply was cut off in this block (`cut`).
        """
        if self._block_end is None:
            return
        state, kind = self._block_end.state, self._block_end.kind
        self._block_end = None
        emitter = self._emitter
        is_native = emitter.segment_id and emitter.segment_id == self._prose_id
        if kind and kind != (emitter.segment_type if is_native else _TEXT):
            if not state:
                return
            self._boundary()
        emitter.state = state
        self._end_complete()
        self._parser.interrupt(cut)
        if emitter.state is not None and kind:
            emitter.emit_start(kind, {}, "" if kind == _TEXT else NATIVE, is_prose=True)
            emitter.emit_end()
        emitter.state = None

    def _show_whole(
        self, kind: SegmentType, metadata: Mapping[str, Any], content: str, state: Mapping[str, Any] | None = None
    ) -> None:
        """A segment that comes all at once."""
        allowed = self._parser.charge(content)
        self._boundary()
        segment = NativeSegment(self._parser, kind.value, metadata)
        segment.start()
        segment.show(allowed)
        segment.state = state
        segment.end("truncated" if len(allowed) < len(content) else None, None)
        self._check_total(content, allowed)

    def _show_source(self, metadata: Mapping[str, Any]) -> None:
        """It stands beside the text, which goes on."""
        emitter = self._emitter
        segment_id = emitter.start_beside(SegmentType.SOURCE.value, metadata, NATIVE, ends_prose=False)
        emitter.events.append(SegmentEnd(segment_id, segment_type=SegmentType.SOURCE.value))

    def _take_more(self, delta: CallDelta) -> bool:
        """The usual delta, more arguments of a call that is shown, takes the short way."""
        call = self._calls.get(delta.key)
        if call is None or call.writer is None or delta.call_id is not None or delta.whole is not None:
            return False
        if self._is_counted or delta.state is not None:
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
        arguments = delta.arguments if delta.whole is None else as_json(delta.whole)
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

    def _note_complete(self, call: _PendingCall, writer: NativeCall) -> None:
        """What is complete may stop being so: something may stand behind it."""
        if writer.is_complete:
            self._complete[call.key] = call
        elif self._complete:
            self._complete.pop(call.key, None)

    def _note(self, call: _PendingCall, delta: CallDelta) -> None:
        """What the delta says besides arguments."""
        if delta.name:
            call.name += delta.name
        if delta.state:
            call.state = {**(call.state or {INTERFACE: self._reader.interface}), **delta.state}
        if delta.call_id:
            call.call_id = delta.call_id
            if call.writer is not None:
                call.writer.note(call_id=delta.call_id)

    def _begin(self, delta: CallDelta) -> _PendingCall | None:
        """A call that is new; nothing, if blanks came for one that has ended."""
        call = _PendingCall(delta.key, is_raw=delta.raw, is_server=delta.is_server)
        if delta.key in self._ended and not delta.name:
            if delta.whole is None and not delta.arguments.strip():
                return None
            call.name, call.call_id, call.is_server = self._ended[delta.key]
            call.error = _AFTER_END
            call.is_late = True
        is_first = self._parser.is_fresh
        self._boundary()
        if is_first:  # a server that tells calls from text has taken the reasoning before them out, too
            self._parser.end_implied()
        for other in list(self._calls.values()):
            if other.writer is None and other.name:  # no arguments so far: it keeps its place before this one
                self._start(other)
        self._calls[delta.key] = call
        return call

    def _check_total(self, text: str, allowed: str) -> None:
        if len(allowed) < len(text):
            raise self._parser.total_passed(self._emitter.drain())

    def _owned(self, state: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """A state that says of which interface it is; None if there is nothing in it."""
        return {INTERFACE: self._reader.interface, **state} if state else None

    # -- the beginning of a call --------------------------------------------------------------------------------------

    def _boundary(self) -> None:
        """A new segment begins: what is complete ends, and text before it is settled."""
        if self._block_end is not None:
            self._settle_block()
        self._end_complete()
        self._parser.interrupt()

    def _is_certain(self, call: _PendingCall, delta: CallDelta) -> bool:
        """Whether the name is known to be whole, or nothing more can be held for want of one."""
        if not call.name:
            return call.held_size > self._limits.max_held
        return bool(call.held) or delta.is_named or self._is_declared(call.name)

    def _is_declared(self, name: str) -> bool:
        """Whether it is the name of a tool, and not the beginning of another one's."""
        name = name.lower()
        return name in self._tools and not any(other.startswith(name) and other != name for other in self._tools)

    def _start(self, call: _PendingCall) -> NativeCall:
        """Show it: what its arguments become depends on what the tool does."""
        metadata: dict[str, Any] = {"tool_name": call.name} if call.name else {}
        if call.call_id is not None:
            metadata["call_id"] = call.call_id
        if call.state is not None and "thought_signature" in call.state:
            metadata["thought_signature"] = call.state["thought_signature"]
        if not call.name:
            call.error = _NO_NAME
        self._has_calls = self._has_calls or not call.is_server
        tool = None if call.is_server else self._tools.body_of(call.name)
        kind = _SERVER_TOOL if call.is_server else _CALL
        parser = self._parser
        writer: NativeCall
        if call.is_raw:
            writer = TextCall(parser, tool.kind if tool else kind, metadata)
        elif tool is not None:
            spec = self._tools.get(call.name.lower())
            signature = Signature.of(spec, self._config, call.name)
            writer = FieldsCall(parser, tool, metadata, signature, keeps_raw=self._config.invocations)
        else:
            writer = JsonCall(parser, kind, metadata)
        if call.held:
            writer.feed("".join(call.held))
            call.held.clear()
        call.writer = writer
        return writer

    # -- its end ------------------------------------------------------------------------------------------------------

    def _end_complete(self) -> None:
        for call in list(self._complete.values()):
            self._end(call)

    def _finish_reply(self, finish: Finish) -> None:
        """The provider says that the reply has ended: nothing that was open when it was cut off is complete."""
        self._finish = finish
        for call in list(self._calls.values()):
            self._finish_call(call, finish.reason)
        cut = CUT_REASONS.get(finish.reason)
        self._settle_block(cut)
        if cut is not None:
            self._parser.interrupt(cut)

    def _finish_call(self, call: _PendingCall, reason: str) -> None:
        """The provider says that the call or the reply has ended, and why.

        JSON shows by itself whether it is whole. No arguments at all, or a plain text, are so only if the reply is.
        """
        writer = self._writer(call)
        has_all = writer.is_complete or writer.is_broken
        if writer.is_empty or call.is_raw:
            has_all = reason in WHOLE_REASONS
        self._end(call, CUT_REASONS.get(reason, None if has_all else ""))

    def _end(self, call: _PendingCall, cut: str | None = None) -> None:
        """`cut`: its end was not seen, for this reason, or for one that nobody told."""
        self._writer(call).end(cut, call.error, call.state)
        del self._calls[call.key]
        self._complete.pop(call.key, None)
        self._ended[call.key] = call.name, call.call_id, call.is_server
        forget_oldest(self._ended)

    def _writer(self, call: _PendingCall) -> NativeCall:
        """What writes the call, which is shown now if it was not yet."""
        return call.writer or self._start(call)

    def cut(self, why: str = "") -> None:
        """The stream broke off: no call that is open is complete."""
        self._settle_block()
        for call in list(self._calls.values()):
            self._end(call, why)

    def _broken_off(self, message: str) -> ProviderStreamError:
        self._error = message
        why = f"the reply was cut off: {message}"
        self.cut(why)
        return ProviderStreamError(message, self._parser.abort(why))
