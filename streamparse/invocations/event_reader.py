"""EventReader: the items of a stream, from their wire forms.

reader = EventReader()
for line in lines:
    item = reader.read(json.loads(line))        # an event, an invocation, what became of it, or the end
    builder.feed(item)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from streamparse.events import SegmentContent, SegmentEvent, SegmentStart
from streamparse.invocations.invocation import ToolInvocation
from streamparse.invocations.item import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import StreamEnd

#: What is no event is read by its own class.
_RECORDS: dict[object, type[ToolInvocation | StreamEnd | ToolLifecycle]] = {
    cls.type: cls for cls in (ToolInvocation, StreamEnd, ToolLifecycle)
}


class EventReader:
    """Reads the wire forms of one stream, in their order: CONTENT and END get the type of their segment back.

    So the events are what they were when they were sent. Of a segment whose START did not come this way, the type is
    not known, and empty. What is kept is the types of the segments that are open.

    Invocations, what a presenter says of them, and the end of the stream, which may stand among the events, are read as
    what they are. Whoever is fed with events, such as `ToolInvocationAdapter`, `BlockBuilder` and `PlanBuilder`,
    ignores them.
    """

    __slots__ = ("_types",)

    def __init__(self) -> None:
        self._types: dict[str, str] = {}

    def read(self, data: Mapping[str, Any]) -> AnyItem:
        """The item of a wire form. Raises ValueError for anything else."""
        kind = data.get("type") if isinstance(data, Mapping) else None
        record = _RECORDS.get(kind) if isinstance(kind, str) else None
        if record is not None:
            return record.from_dict(data)
        event = SegmentEvent.from_dict(data)
        if isinstance(event, SegmentStart):
            self._types[event.segment_id] = event.segment_type
            return event
        if isinstance(event, SegmentContent):
            return SegmentContent(event.segment_id, event.delta, self._types.get(event.segment_id, ""))
        return evolve(event, segment_type=self._types.pop(event.segment_id, ""))
