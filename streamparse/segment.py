"""Segment: all that is known of one segment of a reply.

Segment(id="seg_2", type="write_file", metadata={"path": "a.py"}, content="print()\n", status="complete")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from attrs import define, field

from streamparse.core.pieces import Pieces
from streamparse.events import SegmentEnd, SegmentStart, SegmentType
from streamparse.invocations import ToolInvocation
from streamparse.invocations.invocation import Status


@define
class Segment:
    """A segment of a reply, which grows while its reply is iterated over.

    `status` is None while more may come. `state` is what the provider wants back with it, with the `interface` that it
    is of; `call` is the invocation if it is one. `format` is the format that it was read by, "native" if it came in
    fields of a provider's chunks. The `type` of text becomes "reasoning" if its END says that it was that.
    """

    id: str
    type: str
    metadata: Mapping[str, Any] = field(factory=dict)
    format: str = ""
    status: Status | None = None
    error: str | None = None
    repaired: bool = False
    state: Mapping[str, Any] = field(factory=dict)
    call: ToolInvocation | None = None
    _pieces: Pieces = field(factory=Pieces, init=False, repr=False, eq=Pieces.text)

    @classmethod
    def of(cls, start: SegmentStart) -> Segment:
        """The segment that begins with `start`."""
        return cls(start.segment_id, str(start.segment_type), start.metadata, start.format)

    @property
    def content(self) -> str:
        """All of its content so far."""
        return self._pieces.text()

    def add(self, delta: str) -> None:
        """More of its content."""
        self._pieces.add(delta)

    def end(self, event: SegmentEnd) -> None:
        """It is complete, or not; and it may have been reasoning."""
        if event.reasoning:
            self.type = SegmentType.REASONING.value
        self.status = cast(Status, event.status or "complete")
        self.error = event.error
        self.repaired = event.repaired
        self.state = event.state or {}
