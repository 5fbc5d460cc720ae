"""Events in a form that tests can compare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from streamparse.events import AnyEvent, SegmentContent, SegmentEvent, SegmentEventType

#: Segment type, metadata of START, content, payload of END.
Segment: TypeAlias = tuple[str, dict[str, Any], str, dict[str, Any]]


def normalize(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The same events with adjacent CONTENT of one segment merged: what no chunking may change."""
    merged: list[AnyEvent] = []
    first, deltas = None, []
    for event in events:
        is_content = event.type is SegmentEventType.CONTENT
        if first is not None:
            if is_content and event.segment_id == first.segment_id:
                deltas.append(event.delta)
                continue
            merged.append(SegmentContent(first.segment_id, "".join(deltas), first.segment_type))
            first = None
        if is_content:
            first, deltas = event, [event.delta]
        else:
            merged.append(event)
    if first is not None:
        merged.append(SegmentContent(first.segment_id, "".join(deltas), first.segment_type))
    return merged


def segments(events: Iterable[SegmentEvent]) -> list[Segment]:
    """Whole segments, one row each; asserts that the events are in order."""
    rows: list[Segment] = []
    order = check_order(events)
    for start, content, end in order:
        rows.append((str(start.segment_type), dict(start.metadata), content, end.payload))
    return rows


def check_order(events: Iterable[SegmentEvent]) -> list[tuple[SegmentEvent, str, SegmentEvent]]:
    """Assert `(START CONTENT* END)*`, ids of their own and no empty delta; returns START, content and END of each."""
    found: list[tuple[SegmentEvent, str, SegmentEvent]] = []
    seen: set[str] = set()
    start: SegmentEvent | None = None
    content: list[str] = []
    for event in events:
        if event.type is SegmentEventType.START:
            assert start is None, f"{event} before the END of {start}"
            assert event.segment_id not in seen, f"the id {event.segment_id!r} is used twice"
            start, content = event, []
            seen.add(event.segment_id)
            continue
        assert start is not None, f"{event} without a START"
        assert event.segment_id == start.segment_id, f"{event} inside {start}"
        assert event.segment_type == start.segment_type, f"{event} has another type than {start}"
        if event.type is SegmentEventType.CONTENT:
            assert event.delta, f"{event} is empty"
            content.append(event.delta)
        else:
            found.append((start, "".join(content), event))
            start = None
    assert start is None, f"{start} has no END"
    return found
