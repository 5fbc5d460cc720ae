"""ChoiceStream: one choice of a reply; deltas in, repaired deltas out.

    {"content": "Let me see.\\n<tool_ca"}               {"content": "Let me see."}
    {"content": "ll>{\\"name\\": \\"f\\", "}                {"tool_calls": [{"index": 0, "id": "call_…", …}]}
    {"reasoning_content": "Hm."}                       {"reasoning_content": "Hm."}, the very same object
    finish("stop")                                     what was held back; `reason("stop")` is "tool_calls"

The text goes through a handler, and its segments through `Parts`, which decides about white space and fences. What the
server has put into fields passes as it is. The handler reads that as well: it is a boundary for the text beside it,
and tells which calls came twice. A delta that nothing is changed in comes out as itself, so that whoever has its bytes
can send those.

`text_calls.py` says which calls in the text are told, `native_calls.py` which of them came twice, `thought_calls.py`
which stand in the reasoning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from attrs import frozen

from streamparse.config import ParserConfig, Tools
from streamparse.encoders.ending import Ending
from streamparse.encoders.openai_deltas import OpenAIDeltas, ReasoningField
from streamparse.encoders.part import CallDelta, CallEnd, CallStart, Other, Part, TextDelta
from streamparse.encoders.parts import Parts
from streamparse.encoders.whole import Whole
from streamparse.events import NATIVE, AnyEvent, SegmentContent, SegmentStart, SegmentType
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import Item, ToolInvocation
from streamparse.iterate import woven
from streamparse.outcome import Outcome, StreamEnd
from streamparse.proxy.joined import joined
from streamparse.proxy.native_calls import NativeCalls
from streamparse.proxy.text_calls import TextCalls
from streamparse.proxy.thought_calls import ThoughtCalls

Json: TypeAlias = dict[str, Any]

_REASONING = SegmentType.REASONING.value
#: Where a delta has calls.
_CALLS = ("tool_calls", "function_call")
#: Reasons that are not what they seem if there are calls, or none.
_WHOLE_REASONS = ("stop", "tool_calls")
_USUAL_REASONS = (None, *_WHOLE_REASONS)


@frozen(kw_only=True)
class Reading:
    """How the choices of one reply are read."""

    formats: tuple[str, ...]
    model: str | None = None
    config: ParserConfig
    tools: Tools
    #: Whether calls of tools are such that nobody has declared.
    takes_all: bool = False
    reasoning_field: ReasoningField = "reasoning_content"
    #: Whether the reply ends with its first call.
    is_single: bool = False


class ChoiceStream:
    """One choice. `is_over`: nothing more of it is wanted."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._handler = StreamingResponseHandler(
            reading.formats, model=reading.model, config=reading.config, tools=reading.tools
        )
        self._parts = Parts(reading.tools)
        self._deltas = OpenAIDeltas(reading.reasoning_field)
        self._ending = Ending()
        self._native = NativeCalls(self._deltas, self._ending)
        self._calls = TextCalls(self._handler, reading.tools, self._is_declared, self._native.is_second)
        self._whole: Whole | None = None  # where parts are collected for a message that is not streamed
        self._fields: set[str] = set()  # segments that came in fields
        self._seconds: dict[str, list[Part]] = {}  # calls in the text that may have come in the field, too
        self._thoughts: ThoughtCalls | None = None  # once there is reasoning
        self._has_text = False
        self._has_role = False
        self._found = 0
        self.is_over = False

    @property
    def found(self) -> int:
        """How many calls were found in the text."""
        return self._found + self._calls.broken

    def feed(self, delta: Json) -> list[Json]:
        """The next delta of the choice; what the client gets for it."""
        content = delta.get("content")
        if self.is_over:
            return []
        if not delta:
            return [delta]
        if self._has_role and len(delta) == 1 and content and content.__class__ is str:  # as mostly
            deltas = self._feed_text(content)
            return [delta] if len(deltas) == 1 and deltas[0] == delta else deltas
        text = content if isinstance(content, str) else ""
        head = {name: value for name, value in delta.items() if name not in ("role", *_CALLS) or not value}
        calls = {name: delta[name] for name in _CALLS if delta.get(name)}
        if text:
            del head["content"]
        deltas = self._feed_parts(head, text, calls)
        return [delta] if self._with_role(deltas, delta) == [delta] else deltas

    def _feed_parts(self, head: Json, text: str, calls: Json) -> list[Json]:
        """What stands in the fields, then the text, then the calls in their field."""
        says_more = any(head.values())
        fields = {name: value for name, value in head.items() if name != "content"}  # parts of text pass unread
        deltas = self._take(self._handler.feed(_chunk(fields))) if any(fields.values()) else []
        if head and (says_more or not (text or calls)):
            deltas.append(head)
            head = {}
        place = len(deltas)
        if text:
            deltas += self._feed_text(text)
        if calls and not self.is_over:
            deltas += self._take(self._handler.feed(_chunk(calls)))
        if calls and not self.is_over:
            calls = {**calls, "tool_calls": self._native.pass_on(calls.get("tool_calls"))}
            calls = {name: value for name, value in calls.items() if value}
            deltas += [calls] if calls else []
        if head and len(deltas) > place:  # fields that say nothing stay beside what says something
            deltas[place] = {**head, **deltas[place]}
        return deltas

    def _with_role(self, deltas: list[Json], delta: Json) -> list[Json]:
        """The role of the choice stands in its first delta, and in no other."""
        if not self._has_role and (deltas or delta.get("role")):
            self._has_role = True
            first = deltas[0] if deltas else {}
            deltas[:1] = [{"role": delta.get("role") or "assistant", **first}]
        return deltas

    def _feed_text(self, text: str) -> list[Json]:
        events = self._handler.feed(text)
        self._calls.add(text)
        if len(events) == 1 and events[0].__class__ is SegmentContent and self._calls.is_idle:  # as mostly
            self._think(events[0])
            deltas = self._write(self._parts.feed(events[0]))
        else:
            deltas = self._take(events)
        self._calls.forget()
        return joined(deltas)

    def finish(self, reason: str | None) -> list[Json]:
        """The choice has ended, and the server says why: what was held back."""
        if self.is_over:
            return []
        deltas = self._take(self._handler.feed(_chunk({}, reason))) if reason else []
        deltas += self._take(self._handler.finalize())
        if reason in _WHOLE_REASONS:
            deltas += self._take_thoughts()
        return self._with_role(deltas + self._close(is_cut=reason not in _USUAL_REASONS), {"role": "assistant"})

    def abandon(self) -> list[Json]:
        """The reply broke off: what was held back. Whatever is open is not complete."""
        if self.is_over:
            return []
        deltas = self._take(self._handler.abort())
        return self._with_role(deltas + self._close(is_cut=True), {})

    def reason(self, reason: str | None) -> str | None:
        """Why the choice has ended, for the client, where the server said `reason`.

        There are calls, or there are none, whatever the server says; and a call that is not complete must not be run.
        """
        if reason not in _USUAL_REASONS:
            return reason
        if self._ending.has_broken_calls or self._calls.broken:
            return "length"
        if self._ending.has_calls:
            return "tool_calls"
        return "stop" if reason else None

    def fold(self, message: Json, reason: str | None) -> Json:
        """A message that is not streamed; the same object if there is nothing to repair. It is the only one."""
        self._whole = whole = Whole()
        self._calls.holds_all = True
        content = message.get("content")
        text = content if isinstance(content, str) else ""
        calls = {name: message[name] for name in _CALLS if message.get(name)}
        head = {name: value for name, value in message.items() if name not in ("role", "content", *_CALLS)}
        self._feed_parts(head if any(head.values()) else {}, "", calls)
        self._feed_text(text)
        self.finish(reason)
        return self._folded(message, text, whole)

    def _folded(self, message: Json, text: str, whole: Whole) -> Json:
        native = self._native.whole(message.get("tool_calls"))
        texts = [whole.text(), *native.broken]
        calls = [*native.entries, *({**call, "type": "function"} for call in self._found_calls(whole))]
        if self._reading.is_single:
            del calls[1:]
        folded = {**message}
        told = "\n\n".join(filter(None, texts))
        if told != text:
            folded["content"] = told or (None if calls else "")
        if calls or message.get("tool_calls"):
            folded["tool_calls"] = calls
        reasoning = whole.reasoning()
        for name in self._deltas.fields if reasoning else ():
            own = message.get(name)
            folded[name] = f"{own}\n\n{reasoning}" if own and isinstance(own, str) else reasoning
        return message if folded == message else folded

    def _found_calls(self, whole: Whole) -> Iterator[Json]:
        for call in whole.calls:
            call_id = self._deltas.ids.give(call.invocation.call_id, call.index)
            yield {"id": call_id, "function": {"name": call.invocation.name, "arguments": call.arguments}}

    # -- segments -----------------------------------------------------------------------------------------------------

    def _take(self, events: list[AnyEvent]) -> list[Json]:
        """What events make; those of the fields are in the delta already."""
        items = list(woven(events, self._handler, invocations=True))
        deltas = self._tell_all(self._calls.give_back())
        for item in items:
            if self.is_over:
                return deltas
            deltas += self._tell_all(self._sift(item))
            deltas += self._tell_all(self._calls.give_back())
        return deltas

    def _tell_all(self, items: Iterable[Item]) -> list[Json]:
        return [delta for item in items for delta in self._write(self._parts.feed(item))]

    def _sift(self, item: Item) -> Iterable[Item]:
        """What `Parts` is told of an item."""
        match item:
            case SegmentContent() if item.segment_type == _REASONING:
                self._think(item)
                return () if item.segment_id in self._fields else (item,)
            case SegmentContent() if item.segment_id in self._fields:
                return ()
            case SegmentStart(format=format) if format == NATIVE:
                self._fields.add(item.segment_id)
                return (item,)
        return self._calls.sift(item)

    def _is_declared(self, name: str) -> bool:
        return self._reading.takes_all or name.lower() in self._reading.tools

    def _think(self, content: SegmentContent) -> None:
        """More of a text, or of reasoning."""
        if content.segment_type == _REASONING and self._reading.config.parse_tool_calls:
            if self._thoughts is None:
                self._thoughts = ThoughtCalls(self._reading.formats, self._reading.config, self._reading.tools)
            self._thoughts.feed(content.delta)

    def _take_thoughts(self) -> list[Json]:
        """The calls in the reasoning of a reply that says nothing else."""
        deltas: list[Json] = []
        if self._thoughts is not None and not self._has_text and not self._deltas.count:
            for call in self._thoughts.finish(self._is_declared):
                if not self.is_over:
                    deltas += self._write(self._parts.feed(call))
        return deltas

    # -- parts --------------------------------------------------------------------------------------------------------

    def _write(self, parts: list[Part]) -> list[Json]:
        deltas: list[Json] = []
        for part in parts:
            if part.__class__ is TextDelta:  # as mostly
                self._tell(part, deltas)
            elif self._fields and _id_of(part) in self._fields:
                if isinstance(part, CallEnd):
                    self._end_native(part.invocation, deltas)
            elif isinstance(part, CallStart | CallDelta | CallEnd):
                self._write_call(part, deltas)
            else:
                self._tell(part, deltas)
        return deltas

    def _write_call(self, part: CallStart | CallDelta | CallEnd, deltas: list[Json]) -> None:
        """A call in the text. What may be the second telling of one in the field is held until that is known."""
        if isinstance(part, CallStart) and self._native.may_be_second(part.name):
            self._seconds[part.id] = []
        held = self._seconds.get(part.id)
        if held is not None:
            held.append(part)
        if isinstance(part, CallEnd):
            is_second = self._native.is_second(part.invocation)
            self._seconds.pop(part.id, None)
            for one in (part,) if held is None else () if is_second else held:
                self._tell(one, deltas)
            self._found += not is_second
            self.is_over = self._reading.is_single and part.invocation.is_complete
        elif held is None:
            self._tell(part, deltas)

    def _end_native(self, call: ToolInvocation, deltas: list[Json]) -> None:
        entries = self._native.end(call)
        if entries:
            deltas.append({"tool_calls": entries})
        # In a message that is not streamed, nobody knows what came first.
        self.is_over = self._reading.is_single and call.is_complete and self._whole is None

    def _tell(self, part: Part, deltas: list[Json]) -> None:
        delta = self._deltas.write(part)
        if part.__class__ is TextDelta and not part.is_reasoning:
            self._has_text = True
        if isinstance(part, CallEnd):
            self._ending.note_call(is_complete=part.invocation.is_complete)
        if self._whole is not None:
            self._whole.add((part,))
        elif delta is not None:
            deltas.append(delta)

    def _close(self, *, is_cut: bool) -> list[Json]:
        """Nothing more comes."""
        deltas = [] if self.is_over else self._write(self._parts.feed(StreamEnd(Outcome())))
        self.is_over = True
        entries = [] if is_cut else self._native.without_arguments()
        return [*deltas, {"tool_calls": entries}] if entries else deltas


def _chunk(delta: Mapping[str, Any], reason: str | None = None) -> Json:
    """A chunk for the handler, which reads one choice."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def _id_of(part: Part) -> str:
    return part.segment.id if isinstance(part, Other) else getattr(part, "id", "")
