"""What a case is, how it is written down, and how it is run.

    Case(
        "a call behind prose",
        [chat(content="Hi"), calls(call(0, "c1", "f", "{}")), chat("tool_calls")],
        [*text(1, "Hi"), *tool(2, "f", "{}")],
        [inv(2, {})],
    )

Events are written in wire form, adjacent CONTENT of one segment merged. Of an invocation only the arguments are written
down: the rest is what its segment's events say, unless the case says otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import field, frozen

from streamparse import SegmentEvent, SegmentEventType, StreamingResponseHandler, ToolInvocation
from streamparse.config import BODIES
from streamparse.providers import CallDelta, CallEnd, Finish, Reader
from streamparse.testing import normalize
from streamparse.testing.checks import is_prefix

Wire = dict[str, Any]

#: Segments of these types are calls.
CALLS = ("tool_call", *BODIES)

CUT = "the call was cut off before its end"


class _Sentence:
    """Equals any text: for errors whose words are not laid down."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and bool(other.strip())

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "<a sentence>"


SENTENCE: Any = _Sentence()


@frozen(eq=False)
class _Written:
    """Equals what a model may have written for a call: the body itself, or the arguments as JSON, if they are whole."""

    body: str
    arguments: dict[str, Any]
    is_whole: bool

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str) or not self.is_whole:
            return isinstance(other, str)
        if other == self.body:
            return True
        found = json.loads(other, strict=False)
        found = json.loads(found, strict=False) if isinstance(found, str) else found
        return {name: found[name] for name in self.arguments} == self.arguments

    def __hash__(self) -> int:
        return 0


@frozen
class Case:
    name: str
    chunks: list[Any]
    events: list[Wire]
    invocations: list[Wire]
    options: dict[str, Any] = field(factory=dict)
    formats: Any = "native"


# -- expected events ---------------------------------------------------------------------------------------------------


def start(number: int, kind: str, **metadata: Any) -> Wire:
    payload: dict[str, Any] = {"metadata": metadata} if metadata else {}
    if kind in CALLS:
        payload["format"] = "native"
    return {"type": "SEGMENT_START", "segment_id": f"seg_{number}", "segment_type": kind, "payload": payload}


def xml_start(number: int, kind: str, **metadata: Any) -> Wire:
    """START of a call in the text, in the format that need not be told."""
    first = start(number, kind, **metadata)
    return {**first, "payload": {"metadata": metadata} if metadata else {}}


def content(number: int, delta: str) -> Wire:
    return {"type": "SEGMENT_CONTENT", "segment_id": f"seg_{number}", "payload": {"delta": delta}}


def end(number: int, status: str | None = None, error: Any = None, **late: Any) -> Wire:
    payload = {"status": status, "error": error, "late": late}
    return {
        "type": "SEGMENT_END",
        "segment_id": f"seg_{number}",
        "payload": {name: value for name, value in payload.items() if value},
    }


def segment(first: Wire, delta: str, last: Wire) -> list[Wire]:
    number = int(first["segment_id"].removeprefix("seg_"))
    return [first, *([content(number, delta)] if delta else []), last]


def text(number: int, delta: str, status: str | None = None) -> list[Wire]:
    return segment(start(number, "text"), delta, end(number, status))


def reasoning(number: int, delta: str, status: str | None = None) -> list[Wire]:
    return segment(start(number, "reasoning"), delta, end(number, status))


def tool(
    number: int, name: str, delta: str, status: str | None = None, error: Any = None, call_id: str | None = "c1"
) -> list[Wire]:
    ids = {"call_id": call_id} if call_id else {}
    return segment(start(number, "tool_call", tool_name=name, **ids), delta, end(number, status, error))


def kind(
    number: int,
    segment_type: str,
    delta: str,
    status: str | None = None,
    error: Any = None,
    *,
    name: str | None = None,
    call_id: str | None = "c1",
    late: dict[str, Any] | None = None,
    **metadata: Any,
) -> list[Wire]:
    """A segment of write_file, patch_file or run_bash; `metadata` are the arguments that START shows."""
    ids = {"call_id": call_id} if call_id else {}
    first = start(number, segment_type, tool_name=name or segment_type, **ids, **metadata)
    return segment(first, delta, end(number, status, error, **(late or {})))


def cut(why: str, events: Iterable[Wire]) -> list[Wire]:
    """The same events of a reply that was cut off, where each END of what was open tells why."""
    return [
        {**event, "payload": {**event["payload"], "error": f"the reply was cut off{why}"}}
        if event["payload"].get("status") == "truncated"
        else event
        for event in events
    ]


BY_LENGTH = ": it reached its limit of tokens"
BY_ERROR = ": the provider reported an error"
BY_FILTER = " by the provider's content filter"


def inv(number: int, arguments: dict[str, Any], **fields: Any) -> Wire:
    return {"id": f"seg_{number}", "arguments": arguments, **fields}


def invocations_of(events: Iterable[Wire], invocations: Iterable[Wire]) -> list[Wire]:
    """The invocations in full: what is not written down is what the events of the segment say."""
    events = list(events)
    rows = []
    for fields in invocations:
        own = [event for event in events if event["segment_id"] == fields["id"]]
        metadata, ending = own[0]["payload"].get("metadata", {}), own[-1]["payload"]
        status = ending.get("status", "complete")
        said = {
            "name": metadata.get("tool_name", ""),
            "status": status,
            "error": ending.get("error", CUT if status == "truncated" else None),
            "repaired": False,
            "raw": "".join(event["payload"].get("delta", "") for event in own),
        }
        ids = {"call_id": metadata["call_id"]} if "call_id" in metadata else {}
        body = {}
        if own[0]["segment_type"] in BODIES:
            body = {"content": said["raw"]}
            if own[0]["payload"].get("format") == "native":
                said["raw"] = _Written(body["content"], fields["arguments"], status == "complete")
        state = {"state": ending["state"]} if "state" in ending else {}
        rows.append({"type": "TOOL_INVOCATION", **said, **ids, **body, **state, **fields})
    return rows


def judged(events: Iterable[Wire], invocations: Iterable[Wire]) -> list[Wire]:
    """The events, each END of a call with the verdict of its invocation."""
    told = {row["id"]: row for row in invocations}
    rows = []
    for event in events:
        row = told.get(event["segment_id"])
        if event["type"] == "SEGMENT_END" and row is not None:
            status = None if row["status"] == "complete" else row["status"]
            payload = {**event["payload"], "status": status, "error": row["error"], "repaired": row["repaired"]}
            event = {**event, "payload": {name: value for name, value in payload.items() if value}}
        rows.append(event)
    return rows


# -- running -----------------------------------------------------------------------------------------------------------


def handler_for(case: Case) -> StreamingResponseHandler:
    return StreamingResponseHandler(case.formats, **case.options)


def run(handler: StreamingResponseHandler, chunks: Iterable[Any]) -> list[SegmentEvent]:
    events = [event for chunk in chunks for event in handler.feed(chunk)]
    events += handler.finalize()
    check_order(events)
    return normalize(events)


def wire(items: Iterable[SegmentEvent | ToolInvocation]) -> list[Wire]:
    return [item.to_dict() for item in items]


def check_order(events: Iterable[SegmentEvent], *, is_whole: bool = True) -> None:
    """Each segment on its own is START CONTENT* END; their ids count up; only calls and what they surround overlap."""
    open_segments: dict[str, str] = {}
    count = 0
    for event in events:
        if event.type is SegmentEventType.START:
            count += 1
            assert event.segment_id == f"seg_{count}", f"{event} is number {count}"
            prose = [kind for kind in open_segments.values() if kind in ("text", "reasoning")]
            assert not prose or event.segment_type not in ("text", "reasoning"), f"{event} while {prose} is open"
            open_segments[event.segment_id] = event.segment_type
        else:
            assert event.segment_id in open_segments, f"{event} is not open"
            assert event.segment_type == open_segments[event.segment_id], f"{event} has another type than its START"
            if event.type is SegmentEventType.CONTENT:
                assert event.delta, f"{event} is empty"
            else:
                del open_segments[event.segment_id]
    assert not (is_whole and open_segments), f"{open_segments} have no END"


def arguments_in(chunks: Iterable[Any]) -> list[Any]:
    """What the chunks themselves say: the arguments of each call as soon as they are whole. Raw text is a string."""
    reader = Reader()
    texts: dict[str, str] = {}
    found: list[Any] = []
    for chunk in chunks:
        for delta in reader.read(chunk) or ():
            match delta:
                case CallDelta(key=key, whole=None, raw=raw):
                    texts[key] = texts.get(key, "") + delta.arguments
                    found += [texts[key]] if raw else _whole(texts[key])
                case CallDelta():
                    found.append(dict(delta.whole))
                case CallEnd(key=key):
                    found += [] if texts.get(key, "").strip() else [{}]
                case Finish():
                    found += [{} for source in texts.values() if not source.strip()]
    return found


def _whole(source: str) -> list[Any]:
    try:
        value = json.loads(source, strict=False) if source.rstrip().endswith(("}", '"')) else None
        return [] if value is None else [value]  # a string may be an object, written twice over
    except ValueError:
        return []


def check_prefix(shown: Sequence[SegmentEvent], whole: Sequence[SegmentEvent]) -> None:
    """What is shown so far stays."""
    shown = normalize(shown)
    assert is_prefix(shown, whole), f"shown: {wire(shown)}\nwhole: {wire(whole)}"


def check_complete(invocations: Iterable[ToolInvocation], events: Iterable[SegmentEvent], chunks: list[Any]) -> None:
    """Every complete invocation of a provider's call has whole arguments in the chunks, and exactly these."""
    native = {event.segment_id for event in events if getattr(event, "format", None) == "native"}
    known = arguments_in(chunks)
    for invocation in invocations:
        if invocation.is_complete and invocation.id in native:
            texts = [text for text in known if isinstance(text, str)]
            raw = [{name: text} for text in texts for name in invocation.arguments]
            inner = [json.loads(text) for text in texts if text.lstrip().startswith("{") and _is_json(text)]
            assert invocation.arguments in known + raw + inner, f"{invocation} is complete; the chunks hold {known}"


def _is_json(text: str) -> bool:
    """Whether a string of the arguments is JSON itself: some providers write an object twice over."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
