"""Parts: what clients want to know of a reply, before it is said in the words of one of them.

    SEGMENT_START text, CONTENT "Hi.\\n", …        TextDelta("seg_1", "Hi.")
    SEGMENT_START tool_call search                CallStart("seg_2", 0, "search", None)
    SEGMENT_CONTENT "<query>ca"                   CallDelta("seg_2", '{"query": "ca')
    TOOL_INVOCATION                               CallDelta("seg_2", 'ts"}'), CallEnd(…)

Every encoder is made of these. What is the same for all clients is decided here: calls are numbered in the order of
their STARTs, their arguments are JSON text that only grows, white space waits until text follows it and is dropped
before a call or at the end, and so are the fences of Markdown around a call. After any item, `finish` closes what is
open, so that a stream is whole wherever it is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from attrs import define, evolve, field, frozen

from streamparse.arguments.argument_text import JsonArgumentStream
from streamparse.config import Tools, ToolSpec
from streamparse.events import SegmentContent, SegmentEnd, SegmentStart, SegmentType
from streamparse.invocations import Item, ToolInvocation, ToolInvocationAdapter
from streamparse.outcome import Outcome, StreamEnd
from streamparse.presenter.lifecycle import ToolLifecycle
from streamparse.segment import Segment

#: What an encoder takes.
EncoderItem: TypeAlias = Item | ToolLifecycle

_PROSE = (SegmentType.TEXT, SegmentType.REASONING)
#: White space, and a line that opens a fence, at the end of a text: they go if a call follows.
_WAITING = re.compile(r"\s*(?:(?:(?<![\s\S])|\n)[ \t]*(`{3,}|~{3,})[\w.+-]*[ \t]*(?:\n\s*)?)?\Z")


@frozen
class TextStart:
    """Text, or reasoning, begins."""

    id: str
    is_reasoning: bool


@frozen
class TextDelta:
    """More of it."""

    id: str
    is_reasoning: bool
    delta: str


@frozen
class TextEnd:
    """It has ended. `was_reasoning`: what was shown as text turned out to be reasoning."""

    id: str
    is_reasoning: bool
    was_reasoning: bool = False


@frozen
class CallStart:
    """A call begins; `index` counts the calls of the reply. `call_id` is the provider's or the model's own id."""

    id: str
    index: int
    name: str
    call_id: str | None


@frozen
class CallDelta:
    """More of the JSON text of its arguments."""

    id: str
    index: int
    delta: str


@frozen
class CallEnd:
    """The call has ended: it is complete, and its text is valid JSON, or it is not."""

    id: str
    index: int
    invocation: ToolInvocation


@frozen
class Other:
    """A segment that is neither text nor a call, when it has ended: a source, a file, a server's tool, your own."""

    segment: Segment


Part: TypeAlias = TextStart | TextDelta | TextEnd | CallStart | CallDelta | CallEnd | Other | ToolLifecycle | StreamEnd


@define
class _Call:
    """A call that is being written."""

    index: int
    text: JsonArgumentStream = field(factory=JsonArgumentStream)
    size: int = 0
    told: int = 0


class Parts:
    """Feed it the items of a reply; `finish` when there are no more.

    `tools` are those declared to the model. `grain` is by how many characters, or else by 3 %, arguments must have
    grown to be told again: some clients read all of them each time.
    """

    def __init__(self, tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (), *, grain: int = 0) -> None:
        self._adapter = ToolInvocationAdapter(tools)
        self._grain = grain
        self._calls: dict[str, _Call] = {}
        self._count = 0
        self._prose: SegmentStart | None = None  # the text or the reasoning that is open
        self._is_told = False  # and whether that was said
        self._was_reasoning = False
        self._held = ""  # at its end, what may have to go
        self._fence = ""  # what closes the fence that a call stands in
        self._others: dict[str, Segment] = {}
        self._is_over = False

    def feed(self, item: EncoderItem) -> list[Part]:
        """What the next item says."""
        match item:
            case SegmentContent():
                return self._content(item)
            case SegmentStart():
                return self._start(item)
            case SegmentEnd():
                return self._end(item)
            case ToolInvocation():
                return self._invocation(item)
            case StreamEnd():
                self._is_over = True
                return [*self._close(), item]
        return [item]

    def finish(self, outcome: Outcome | None = None) -> list[Part]:
        """No more items: what is open is closed, and how it ended is said, if nobody has."""
        return [] if self._is_over else self.feed(StreamEnd(outcome or Outcome("cancelled")))

    # -- text ---------------------------------------------------------------------------------------------------------

    def _start(self, start: SegmentStart) -> list[Part]:
        self._adapter.feed(start)
        kind = start.segment_type
        if kind in _PROSE:
            parts = self._end_prose()
            self._prose, self._is_told, self._held = start, False, ""
            return parts
        arguments = self._adapter.partial_arguments(start.segment_id)
        if arguments is None:
            self._others[start.segment_id] = Segment.of(start)
            return []
        parts = self._end_prose(is_before_call=True)
        call = self._calls[start.segment_id] = _Call(self._count)
        self._count += 1
        name = str(start.metadata.get("tool_name") or kind)
        call_id = start.metadata.get("call_id")
        parts.append(CallStart(start.segment_id, call.index, name, call_id if isinstance(call_id, str) else None))
        return parts

    def _content(self, content: SegmentContent) -> list[Part]:
        prose = self._prose
        if prose is not None and content.segment_id == prose.segment_id:
            return self._text(prose, content.delta)
        if (call := self._calls.get(content.segment_id)) is not None:
            self._adapter.feed(content)
            return self._arguments(content, call)
        if (other := self._others.get(content.segment_id)) is not None:
            other.add(content.delta)
        return []

    def _text(self, prose: SegmentStart, delta: str) -> list[Part]:
        """Say what is certain to stay."""
        is_reasoning = prose.segment_type == SegmentType.REASONING
        text = self._held + delta
        if self._fence and not is_reasoning:
            text = self._without_fence(text)
            if self._fence:
                self._held = text
                return []
        match = _WAITING.search(text)
        assert match is not None
        self._held = text[match.start() :]
        return self._say(prose, text[: match.start()])

    def _without_fence(self, text: str) -> str:
        """The text behind a call in a fence, without what closes that; it is decided when anything else comes."""
        stripped = text.lstrip()
        if stripped.startswith(self._fence):
            rest = stripped.lstrip(self._fence[0])
            self._fence = ""
            return rest
        if not self._fence.startswith(stripped):
            self._fence = ""
        return text

    def _say(self, prose: SegmentStart, text: str) -> list[Part]:
        if not text:
            return []
        is_reasoning = prose.segment_type == SegmentType.REASONING
        parts: list[Part] = [] if self._is_told else [TextStart(prose.segment_id, is_reasoning)]
        self._is_told = True
        parts.append(TextDelta(prose.segment_id, is_reasoning, text))
        return parts

    def _end_prose(self, *, is_before_call: bool = False) -> list[Part]:
        """What follows the text is known: white space at its end goes, and so does a fence if a call stands in it."""
        prose, held = self._prose, self._held
        if prose is None:
            return []
        match = _WAITING.search(held)
        assert match is not None
        if is_before_call and match[1] is not None:
            self._fence, held = match[1], held[: match.start()]
        parts = self._say(prose, held.rstrip())
        if self._is_told:
            is_reasoning = prose.segment_type == SegmentType.REASONING
            parts.append(TextEnd(prose.segment_id, is_reasoning, self._was_reasoning))
        self._prose, self._held, self._was_reasoning = None, "", False
        return parts

    def _end(self, end: SegmentEnd) -> list[Part]:
        if self._prose is not None and end.segment_id == self._prose.segment_id:
            self._was_reasoning = end.reasoning
            return []  # what becomes of its last white space depends on what follows
        other = self._others.pop(end.segment_id, None)
        if other is not None:
            other.end(end)
            return [Other(other)]
        return []

    # -- calls --------------------------------------------------------------------------------------------------------

    def _arguments(self, content: SegmentContent, call: _Call) -> list[Part]:
        call.size += len(content.delta)
        if call.size - call.told < max(self._grain, call.told * 3 // 100 if self._grain else 0):
            return []
        call.told = call.size
        arguments = self._adapter.partial_arguments(content.segment_id)
        return self._delta(content.segment_id, call, call.text.feed(arguments or {}))

    def _invocation(self, invocation: ToolInvocation) -> list[Part]:
        call = self._calls.pop(invocation.id, None)
        if call is None:
            return []
        parts: list[Part] = []
        if invocation.is_complete:
            try:
                parts = self._delta(invocation.id, call, call.text.finish(invocation.arguments))
            except ValueError as error:  # what was told cannot be taken back
                invocation = evolve(invocation, status="malformed", error=str(error))
        return [*parts, CallEnd(invocation.id, call.index, invocation)]

    def _delta(self, name: str, call: _Call, delta: str) -> list[Part]:
        return [CallDelta(name, call.index, delta)] if delta else []

    def _close(self) -> list[Part]:
        """Close what is open."""
        parts = self._end_prose()
        for name in list(self._calls):
            cut = ToolInvocation(name, "", status="truncated", error="the call was cut off before its end")
            parts += self._invocation(cut)
        return parts
