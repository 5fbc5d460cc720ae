"""Which calls are shown as what they do: the emitter asks when a call begins.

    write_file, in any format               a segment of type write_file, its path in START, its content as it is meant
    ToolSpec("save", kind="write_file")     the same, for a tool of another name

How that is done is told in `families/calls/live_call.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from streamparse.arguments import ArgumentDecoder, Signature
from streamparse.arguments.decoder import explain
from streamparse.arguments.follower import Follower
from streamparse.config import Limits, ParserConfig, Tools
from streamparse.core.emitter import EventEmitter
from streamparse.core.raw_text import RawText
from streamparse.events import SegmentStart, SegmentType
from streamparse.families.calls.live_call import NOTHING, CallSegment, LiveCall, LiveRecord
from streamparse.families.calls.read_again import ReadAgain


class OpenSegment(CallSegment):
    """The open segment of the emitter, as that of a call with a body."""

    def __init__(self, emitter: EventEmitter, metadata: Mapping[str, Any], format: str) -> None:
        super().__init__(emitter, emitter.segment_id, emitter.segment_type)
        self._metadata, self._format = metadata, format

    def plain_start(self) -> SegmentStart:
        """START of a call that is not shown as what it does."""
        return SegmentStart(self.id, SegmentType.TOOL_CALL.value, self._metadata, self._format)

    def start(self, metadata: Mapping[str, Any] = NOTHING) -> None:
        """START."""
        self._emitter.events.append(SegmentStart(self.id, self.type, metadata, self._format))

    def note_end(self, call_id: str | None) -> None:
        """What is known when the call ends: its id, if that came late, and whether the reply was cut off."""
        self.call_id, self.cut = call_id, self._emitter.cut


class LiveTextCall(LiveCall):
    """A call in the text of a reply."""

    __slots__ = ("_segment",)

    def __init__(self, segment: OpenSegment, record: LiveRecord, follower: Follower, limits: Limits) -> None:
        self._segment = segment
        super().__init__(record, follower, limits)

    def give_up(self, text: str) -> SegmentStart | None:
        """It cannot be read from `text` on: START of a call like any other, if nothing was read of this one."""
        if not self._total and not self.record.is_started:
            return self._segment.plain_start()
        self._is_given_up = True
        self.feed(text)
        return None

    def end(self, status: str | None, error: str | None, repaired: bool, call_id: str | None = None) -> None:
        """The same, with an id that came late."""
        self._segment.note_end(call_id)
        super().end(status, error, repaired)


class LiveCalls:
    """What shows calls of these tools as what they do; `format_of` gives a format by its name, or None."""

    __slots__ = ("_config", "_format_of", "_tools")

    def __init__(self, tools: Tools, config: ParserConfig, format_of: Callable[[str], Any]) -> None:
        self._tools = tools
        self._config = config
        self._format_of = format_of

    def __call__(self, emitter: EventEmitter, metadata: Mapping[str, Any], format: str) -> LiveTextCall | None:
        """The call that begins with this metadata, if it is one of these."""
        tools, config = self._tools, self._config
        name = metadata.get("tool_name")
        tool = tools.body_of(name) if isinstance(name, str) else None
        found = self._format_of(format) if tool else None
        if name is None or tool is None or found is None or found.arguments is None:
            return None
        emitter.segment_type = tool.kind
        segment = OpenSegment(emitter, metadata, format)
        segment.raw_text = RawText(config.limits.max_arguments) if config.invocations else None
        shown = {key: value for key, value in metadata.items() if key != "arguments"}
        signature, decoder = Signature.of(tools.get(name.lower()), config, name), found.arguments
        is_in_plan, has_texts = "plan_id" in metadata, decoder.has_texts
        record = LiveRecord(segment, tool, shown, signature, is_in_plan=is_in_plan, has_texts=has_texts)
        try:
            follower = decoder.follow(record, signature) or ReadAgain(decoder, record, signature)
        except Exception:  # of a format of one's own: then it is a call like any other
            emitter.segment_type = SegmentType.TOOL_CALL.value
            return None
        call = LiveTextCall(segment, record, follower, config.limits)
        if "arguments" in metadata:
            _give_header(record, decoder, metadata["arguments"])
        return call


def _give_header(record: LiveRecord, decoder: ArgumentDecoder, arguments: Any) -> None:
    """Arguments that stand in the header of a block, all of them at once."""
    try:
        given = decoder.spread({"arguments": arguments})
    except Exception as error:
        record.report(explain(error))
        return
    for name, value in given.items():
        record.give(name, value)
