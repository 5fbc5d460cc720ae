"""What must go back with a segment, beside the events that a case expects."""

from __future__ import annotations

from typing import Any

from tests.native.kit import Wire


def stated(events: list[Wire], states: dict[int, dict[str, Any]], interface: str = "openai-responses") -> list[Wire]:
    """`events` with these states of an interface at the ENDs of the segments with these numbers."""
    by_id = {f"seg_{number}": {"interface": interface, **state} for number, state in states.items()}
    return [
        {**event, "payload": {**event["payload"], "state": by_id[event["segment_id"]]}}
        if event["type"] == "SEGMENT_END" and event["segment_id"] in by_id
        else event
        for event in events
    ]
