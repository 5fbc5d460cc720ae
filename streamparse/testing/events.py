"""Events in a form that tests can compare."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, TypeAlias

from streamparse.events import AnyEvent, SegmentContent, SegmentEvent, SegmentEventType

#: Segment type, metadata of START, content, payload of END.
Segment: TypeAlias = tuple[str, dict[str, Any], str, dict[str, Any]]


def normalize(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """The same events with adjacent CONTENT of one segment merged: what no chunking may change."""
    merged: list[AnyEvent] = []
    for (segment_id, kind), run in groupby(events, key=lambda event: (event.segment_id, event.type)):
        same = list(run)
        if kind is SegmentEventType.CONTENT:
            merged.append(SegmentContent(segment_id, "".join(event.delta for event in same), same[0].segment_type))
        else:
            merged.extend(same)
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
