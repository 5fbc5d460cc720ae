"""Parts: what clients want to know of a reply, before it is said in the words of one of them.

    SEGMENT_START text, CONTENT "Hi.\\n", …        TextStart("seg_1"), TextDelta("seg_1", "Hi.")
    SEGMENT_START tool_call search                TextEnd("seg_1"), CallStart("seg_2", 0, "search", None)
    SEGMENT_CONTENT "<query>ca"                   CallDelta("seg_2", 0, '{"query": "ca')
    SEGMENT_END, TOOL_INVOCATION                  CallDelta("seg_2", 0, 'ts"}'), CallEnd("seg_2", 0, …)

Every encoder is made of these. What is the same for all clients is decided here. Calls are numbered in the order of
their STARTs, and their arguments are JSON text that only grows. White space waits until text follows it: in front of a
call it goes, and text or reasoning that is nothing but white space is none. The fences of Markdown around a call go as
well (`prose.py`). After any item, `finish` closes what is open, so that a stream is whole wherever it is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, evolve

from streamparse.arguments import JsonArgumentStream
from streamparse.config import Tools, ToolSpec
from streamparse.encoders.growth import Growth
from streamparse.encoders.item_arguments import ArgumentStream
from streamparse.encoders.prose import Prose, Thought
from streamparse.events import SegmentContent, SegmentEnd, SegmentStart, SegmentType
from streamparse.invocations import AnyItem, ToolInvocation, ToolInvocationAdapter
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.invocations.open_call import OpenCall
from streamparse.outcome import Outcome, StreamEnd
from streamparse.segment import Segment

# Immutable by agreement, as events are: there is one for nearly every token.
if TYPE_CHECKING:
    from attrs import frozen as part_class
else:
    from attrs import define as part_class

_PROSE = (SegmentType.TEXT, SegmentType.REASONING)


@part_class
class TextStart:
    """Text, or reasoning, begins."""

    id: str
    is_reasoning: bool


@part_class
class TextDelta:
    """More of it."""

    id: str
    is_reasoning: bool
    delta: str


@part_class
class TextEnd:
    """It has ended. `was_reasoning`: what was shown as text turned out to be reasoning. `is_cut`: it is not complete.

    `state` is what its provider wants back with it, as in `SegmentEnd`.
    """

    id: str
    is_reasoning: bool
    was_reasoning: bool = False
    is_cut: bool = False
    state: Mapping[str, Any] | None = None


@part_class
class CallStart:
    """A call begins; `index` counts the calls of the reply. `call_id` is the provider's or the model's own id."""

    id: str
    index: int
    name: str
    call_id: str | None


@part_class
class CallDelta:
    """More of the text of its arguments: JSON, unless its interface has another form for calls of this tool."""

    id: str
    index: int
    delta: str


@part_class
class CallEnd:
    """The call has ended: it is complete, and its text is valid JSON, or it is not.

    `text` is the text of its arguments, all of it. That of a complete call has each of them once, even if the model has
    written one twice, and the deltas have told both.
    """

    id: str
    index: int
    invocation: ToolInvocation
    text: str


@part_class
class Other:
    """A segment that is neither text nor a call, when it has ended: a source, a file, a server's tool, your own."""

    segment: Segment


@part_class
class OtherGrown:
    """Such a segment has grown, and goes on: for encoders with a grain, which tell it while it comes."""

    segment: Segment


Part: TypeAlias = (
    TextStart | TextDelta | TextEnd | CallStart | CallDelta | CallEnd | OtherGrown | Other | ToolLifecycle | StreamEnd
)


@define
class _Call:
    """A call that is being written."""

    index: int
    opened: OpenCall
    text: ArgumentStream
    end: SegmentEnd | None = None


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
        self._calls: dict[str, _Call] = {}
        self._ended: str | None = None  # the call whose invocation comes next
        self._count = 0
        self._prose: Prose | Thought | None = None  # the text or the reasoning that is open
        self._prose_id = ""
        self._prose_end: SegmentEnd | None = None
        self._fence = ""  # what a text leaves to the next: see `Prose`
        self._gap: str | None = None
        self._settled: set[str] = set()  # calls that have ended without an invocation
        self._others: dict[str, Segment] = {}
        self._growths: dict[str, Growth] = {}
        self._is_over = False

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
        kind, name = start.segment_type, start.segment_id
        if kind in _PROSE:
            self._end_prose(parts, is_before_text=kind == SegmentType.TEXT)
            self._prose = Prose(self._fence, self._gap) if kind == SegmentType.TEXT else Thought()
            self._prose_id, self._prose_end = name, None
            return
        opened = self._adapter.open(start)
        if opened is not None:
            self._end_prose(parts, is_before_call=True)
            self._begin_call(opened, parts)
            return
        if self._prose_end is not None:  # what stands within a text, such as a source, does not end it
            self._end_prose(parts)
        self._others[name] = Segment.of(start)

    def _content(self, content: SegmentContent) -> list[Part]:
        name, prose = content.segment_id, self._prose
        if prose is not None and name == self._prose_id:
            was_told = prose.is_told
            text = prose.feed(content.delta)
            if not text:
                return []
            delta = TextDelta(name, prose.is_reasoning, text)
            return [delta] if was_told else [TextStart(name, prose.is_reasoning), delta]
        call = self._calls.get(name)
        if call is not None:
            return self._arguments(content, call)
        other = self._others.get(name)
        if other is None:
            return []
        other.add(content.delta)
        is_told = self._grain and self._growths.setdefault(name, Growth()).add(len(content.delta))
        return [OtherGrown(other)] if is_told else []

    def _end(self, end: SegmentEnd, parts: list[Part]) -> None:
        name = end.segment_id
        if self._prose is not None and name == self._prose_id:
            self._prose_end = end  # what becomes of its last white space depends on what follows
        elif name in self._calls:
            self._calls[name].end = end
            self._ended = name
        elif name in self._others:
            self._end_other(end, parts)

    def _end_prose(self, parts: list[Part], *, is_before_call: bool = False, is_before_text: bool = False) -> None:
        """The text or reasoning that is open has ended, and what follows it is known."""
        prose, name, end = self._prose, self._prose_id, self._prose_end
        if prose is None:
            return
        was_told, text = prose.is_told, ""
        if isinstance(prose, Prose):
            text = prose.end(is_before_call=is_before_call, is_before_text=is_before_text)
            self._fence, self._gap = prose.fence, prose.gap
        if text and not was_told:
            parts.append(TextStart(name, prose.is_reasoning))
        if text:
            parts.append(TextDelta(name, prose.is_reasoning, text))
        if prose.is_told:
            end = end or SegmentEnd(name, "truncated")
            parts.append(TextEnd(name, prose.is_reasoning, end.reasoning, end.status is not None, end.state))
        self._prose = self._prose_end = None

    def _end_other(self, end: SegmentEnd, parts: list[Part]) -> None:
        other = self._others.pop(end.segment_id)
        self._growths.pop(end.segment_id, None)
        other.end(end)
        parts.append(Other(other))

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

    def _arguments(self, content: SegmentContent, call: _Call) -> list[Part]:
        """More of a call has come: what is certain of its arguments now, if they have grown enough to be told again."""
        opened = call.opened
        new = opened.take(content.delta, self._grain)
        if new is None:
            return []
        growing = opened.growing or self._adapter.grow(opened)
        growing.feed(new)
        return _more(opened.segment_id, call, call.text.feed(growing.show()))

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
            self._end_prose(parts, is_before_call=True)
            call = self._begin_call(opened, parts)
        self._end_call(call, invocation, parts)

    def _end_call(self, call: _Call, invocation: ToolInvocation, parts: list[Part]) -> None:
        name = invocation.id
        del self._calls[name]
        self._ended = None
        if invocation.is_complete:
            try:
                parts += _more(name, call, call.text.finish(invocation.arguments))
            except ValueError as error:
                invocation = evolve(invocation, status="malformed", error=str(error))
        else:  # whatever the chunks were: all of it that is certain
            parts += _more(name, call, call.text.feed(self._adapter.build_partial(call.opened)))
        parts.append(CallEnd(name, call.index, invocation, call.text.text))

    def _close(self, parts: list[Part]) -> None:
        """Close what is open."""
        self._is_over = True
        self._end_prose(parts)
        for name, call in list(self._calls.items()):
            self._end_call(call, self._adapter.build(call.opened, SegmentEnd(name, "truncated")), parts)
        for name in list(self._others):
            self._end_other(SegmentEnd(name, "truncated"), parts)


def _more(name: str, call: _Call, delta: str) -> list[Part]:
    return [CallDelta(name, call.index, delta)] if delta else []
