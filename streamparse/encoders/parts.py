"""Parts: what clients want to know of a reply, before it is said in the words of one of them.

    SEGMENT_START text, CONTENT "Hi.\\n", …        TextStart("seg_1"), TextDelta("seg_1", "Hi.")
    SEGMENT_START tool_call search                TextEnd("seg_1"), CallStart("seg_2", 0, "search", None)
    SEGMENT_CONTENT "<query>ca"                   CallDelta("seg_2", 0, '{"query": "ca')
    SEGMENT_END, TOOL_INVOCATION                  CallDelta("seg_2", 0, 'ts"}'), CallEnd("seg_2", 0, …)

Every encoder is made of these (`part.py` has them all). What is the same for all clients is decided here. Calls are
numbered in the order of their STARTs, and their arguments are JSON text that only grows. White space waits until text
follows it: in front of a call it goes, and text or reasoning that is nothing but white space is none. The fences of
Markdown around a call go as well (`texts.py`). After any item, `finish` closes what is open, so that a stream is whole
wherever it is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import define, evolve, field

from streamparse.arguments import JsonArgumentStream
from streamparse.config import Tools, ToolSpec
from streamparse.encoders.ending import Ending
from streamparse.encoders.growth import Growth
from streamparse.encoders.item_arguments import ArgumentStream
from streamparse.encoders.part import CallDelta, CallEnd, CallStart, Other, OtherGrown, Part
from streamparse.encoders.texts import Texts
from streamparse.events import SegmentContent, SegmentEnd, SegmentStart, SegmentType
from streamparse.invocations import AnyItem, ToolInvocation, ToolInvocationAdapter
from streamparse.invocations.open_call import OpenCall
from streamparse.outcome import Outcome, StreamEnd
from streamparse.segment import Segment

_PROSE = (SegmentType.TEXT, SegmentType.REASONING)


@define
class _Call:
    """A call that is being written."""

    index: int
    opened: OpenCall
    text: ArgumentStream
    shown: dict[str, Any] | None = None  # the last snapshot of its arguments
    end: SegmentEnd | None = None


@define
class _Other:
    """A segment that is neither text nor a call, and when it has grown enough to be told again."""

    segment: Segment
    growth: Growth = field(factory=Growth)


class Parts:
    """Feed it the items of a reply; `finish` when there are no more.

    `tools` are those declared to the model, by whose schemas arguments are typed: those that the reply was given.
    `grain` is by how many characters arguments must have grown to be told again, and by 3 % if they are long: some
    clients read all of them each time. With a grain, other segments are told while they grow, too. `forms` makes the
    text of arguments for tools, by name, where that is no JSON.
    """

    def __init__(
        self,
        tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (),
        *,
        grain: int = 0,
        forms: Mapping[str, Callable[[], ArgumentStream]] | None = None,
    ) -> None:
        self._adapter = ToolInvocationAdapter(tools)
        self._grain = grain
        self._forms = forms or {}
        self._texts = Texts()
        self._calls: dict[str, _Call] = {}
        self._count = 0  # of the calls that have begun
        self._ended: str | None = None  # the call whose invocation comes next
        self._settled: set[str] = set()  # calls that have ended without an invocation
        self._others: dict[str, _Other] = {}
        self._is_over = False
        self.ending = Ending()

    def feed(self, item: AnyItem) -> list[Part]:
        """What the next item says."""
        if item.__class__ is SegmentContent and self._ended is None:
            return self._content(item)  # as mostly
        parts = [] if isinstance(item, ToolInvocation) and item.id == self._ended else self._settle()
        match item:
            case SegmentContent():
                parts += self._content(item)
            case SegmentStart():
                self._start(item, parts)
            case SegmentEnd():
                self._end(item, parts)
            case ToolInvocation():
                self._invocation(item, parts)
            case StreamEnd():
                self._close(parts)
                parts.append(item)
            case _:
                parts.append(item)
        return parts

    def finish(self, outcome: Outcome | None = None) -> list[Part]:
        """No more items: what is open is closed, and how it ended is said, if nobody has."""
        return [] if self._is_over else self.feed(StreamEnd(outcome or Outcome("cancelled")))

    def _start(self, start: SegmentStart, parts: list[Part]) -> None:
        if start.segment_type in _PROSE:
            self._texts.begin(start, parts)
            return
        opened = self._adapter.open(start)
        if opened is not None:
            self._texts.end(parts, is_before_call=True)
            self._begin_call(opened, parts)
        else:
            self._texts.end_if_over(parts)
            self._others[start.segment_id] = _Other(Segment.of(start))

    def _content(self, content: SegmentContent) -> list[Part]:
        name, texts = content.segment_id, self._texts
        if name == texts.id:
            return texts.feed(content.delta)
        call = self._calls.get(name)
        if call is None:
            return self._grow_other(name, content.delta)
        delta = self._arguments(call, content.delta)
        return [CallDelta(name, call.index, delta)] if delta else []

    def _end(self, end: SegmentEnd, parts: list[Part]) -> None:
        name = end.segment_id
        if name == self._texts.id:
            self._texts.note_end(end)
        elif name in self._calls:
            self._calls[name].end = end
            self._ended = name
        elif name in self._others:
            self._end_other(end, parts)

    def _grow_other(self, name: str, delta: str) -> list[Part]:
        other = self._others.get(name)
        if other is None:
            return []
        other.segment.add(delta)
        is_told = self._grain and other.growth.add(len(delta))
        return [OtherGrown(other.segment)] if is_told else []

    def _end_other(self, end: SegmentEnd, parts: list[Part]) -> None:
        segment = self._others.pop(end.segment_id).segment
        segment.end(end)
        if segment.type == SegmentType.REFUSAL:
            if not segment.content:
                return  # one without words has nothing to tell; the outcome says that there was one
            self.ending.has_refusal = True
        parts.append(Other(segment))

    # -- calls --------------------------------------------------------------------------------------------------------

    def _begin_call(self, opened: OpenCall, parts: list[Part]) -> _Call:
        start = opened.start
        name = self._adapter.name_of(opened)
        text = self._forms.get(name, JsonArgumentStream)()
        call = self._calls[start.segment_id] = _Call(self._count, opened, text)
        self._count += 1
        call_id = start.metadata.get("call_id")
        parts.append(CallStart(start.segment_id, call.index, name, call_id if isinstance(call_id, str) else None))
        return call

    def _arguments(self, call: _Call, content: str) -> str:
        """More of a call: what is new of the text of its arguments, if they have grown enough to be told again."""
        opened = call.opened
        new = opened.take(content, self._grain)
        if new is None:
            return ""
        growing = opened.growing or self._adapter.grow(opened)
        growing.feed(new)
        shown = growing.show()
        if shown is call.shown:  # nothing that is certain has come
            return ""
        call.shown = shown
        return call.text.feed(shown)

    def _settle(self) -> list[Part]:
        """A call has ended, and its invocation did not come: it is built here."""
        parts: list[Part] = []
        if self._ended is not None:
            call = self._calls[self._ended]
            assert call.end is not None
            self._settled.add(self._ended)
            self._end_call(call, self._adapter.build(call.opened, call.end), parts)
        return parts

    def _invocation(self, invocation: ToolInvocation, parts: list[Part]) -> None:
        """The end of a call. One that did not begin here, since only the reply knows that it is one, is told whole."""
        name = invocation.id
        if name in self._settled:
            return
        call = self._calls.get(name)
        if call is None:
            metadata = {"tool_name": invocation.name, "call_id": invocation.call_id}
            opened = self._adapter.open(SegmentStart(name, SegmentType.TOOL_CALL, metadata))
            assert opened is not None
            self._texts.end(parts, is_before_call=True)
            call = self._begin_call(opened, parts)
        self._end_call(call, invocation, parts)

    def _end_call(self, call: _Call, invocation: ToolInvocation, parts: list[Part]) -> None:
        name = invocation.id
        del self._calls[name]
        self._ended = None
        delta = ""
        if invocation.is_complete:
            try:
                delta = call.text.finish(invocation.arguments)
            except ValueError as error:
                invocation = evolve(invocation, status="malformed", error=str(error))
        else:  # whatever the chunks were: all of it that is certain
            delta = call.text.feed(self._adapter.build_partial(call.opened))
        if delta:
            parts.append(CallDelta(name, call.index, delta))
        self.ending.note_call(is_complete=invocation.is_complete)
        parts.append(CallEnd(name, call.index, invocation, call.text.text))

    def _close(self, parts: list[Part]) -> None:
        """Close what is open."""
        self._is_over = True
        self._texts.end(parts)
        for name, call in list(self._calls.items()):
            self._end_call(call, self._adapter.build(call.opened, SegmentEnd(name, "truncated")), parts)
        for name in list(self._others):
            self._end_other(SegmentEnd(name, "truncated"), parts)
