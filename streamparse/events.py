"""What comes out: segment events.

A stream of events is `(START CONTENT* END)*`: one segment after the other, each with an id of its own that is never
reused. (Only native parallel calls of a provider may interleave, by id.)

    {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "write_file",
     "payload": {"metadata": {"path": "/a.py"}}}
    {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": "print('hi')\\n"}}
    {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {}}

That is the wire form, `to_dict()`. Equality is equality of the wire form: `segment_type` on CONTENT and END, `format`
on START and `written` on END are conveniences that travel in memory only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import field

# Events are immutable by agreement, and the type checker enforces it. At run time a truly frozen attrs class costs
# 1.6 times as much per token, because every attribute is set through object.__setattr__.
if TYPE_CHECKING:
    from attrs import frozen as event_class
else:
    from attrs import define as event_class


class SegmentEventType(StrEnum):
    """The three moments of a segment's life."""

    START = "SEGMENT_START"
    CONTENT = "SEGMENT_CONTENT"
    END = "SEGMENT_END"


class SegmentType(StrEnum):
    """The segment types of the library itself, besides PLAN; a custom state may use any other string."""

    TEXT = "text"
    TOOL_CALL = "tool_call"
    WRITE_FILE = "write_file"
    PATCH_FILE = "patch_file"
    RUN_BASH = "run_bash"
    REASONING = "reasoning"


@event_class
class SegmentEvent:
    """One event. Every event answers every attribute below; those that do not apply are empty."""

    type: ClassVar[SegmentEventType]

    segment_id: str

    @property
    def segment_type(self) -> str:
        """The segment's type, one of `SegmentType` or a custom state's own."""
        raise NotImplementedError

    @property
    def delta(self) -> str:
        """The new text of a CONTENT event, never empty there; empty on START and END."""
        return ""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What is known of the segment at its START: tool name, path, other attributes."""
        return {}

    @property
    def payload(self) -> dict[str, Any]:
        """The event's own part of the wire form."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The wire form: plain data, ready for `json.dumps`."""
        return {"type": self.type.value, "segment_id": self.segment_id, "payload": self.payload}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> SegmentEvent:
        """The event of a wire form; the inverse of `to_dict`. Raises ValueError for anything else."""
        kind = data.get("type") if isinstance(data, Mapping) else None
        if isinstance(kind, str) and kind not in _EVENTS:
            raise ValueError(f"unknown event type {kind!r}: expected one of {[str(known) for known in _EVENTS]}")
        try:
            event = _EVENTS[data["type"]](data)
            is_exact = event.to_dict() == data and isinstance(event.segment_id, str)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ValueError(f"not the wire form of a segment event: {data!r}") from error
        if not is_exact:
            raise ValueError(f"not the wire form of a segment event: {data!r}")
        return event


#: What the metadata of a START says of the call itself, `thought_signature` being what Google wants back with it, and
#: `plan_id` the plan it stands in. All else in it is arguments.
RESERVED_METADATA = frozenset({"tool_name", "call_id", "thought_signature", "plan_id"})
#: The type of the empty segments at the beginning and at the end of a plan.
PLAN = "plan"


@event_class
class SegmentStart(SegmentEvent):
    """A segment begins. `format` names the format that produced it: decoders are chosen by it."""

    type = SegmentEventType.START

    segment_type: str
    metadata: Mapping[str, Any] = field(factory=dict)
    format: str = field(default="", eq=False, repr=False)

    @property
    def payload(self) -> dict[str, Any]:
        """`{"metadata": …}`, or `{}` where there is none."""
        return {"metadata": dict(self.metadata)} if self.metadata else {}

    def to_dict(self) -> dict[str, Any]:
        """The wire form; START alone carries the segment type."""
        return {
            "type": self.type.value,
            "segment_id": self.segment_id,
            "segment_type": str(self.segment_type),
            "payload": self.payload,
        }


@event_class
class SegmentContent(SegmentEvent):
    """More text of a segment, safe to show."""

    type = SegmentEventType.CONTENT

    delta: str
    segment_type: str = field(default="", eq=False, repr=False)

    @property
    def payload(self) -> dict[str, Any]:
        """`{"delta": …}`."""
        return {"delta": self.delta}


@event_class
class SegmentEnd(SegmentEvent):
    """A segment ends. Without a status it is complete."""

    type = SegmentEventType.END

    status: str | None = None
    error: str | None = None
    repaired: bool = False
    late: Mapping[str, Any] | None = field(default=None, eq=lambda late: late or None)
    segment_type: str = field(default="", eq=False, repr=False)
    #: Arguments with tags in them as they were written, by name, and whether each stood in a tag of its own name: what
    #: START shows is decoded, and `late` does not say.
    written: Mapping[str, tuple[str, bool]] | None = field(default=None, eq=False, repr=False)
    #: The model's own id of the call, if it stood behind the arguments: else START has it.
    call_id: str | None = field(default=None, repr=False)

    @property
    def payload(self) -> dict[str, Any]:
        """`status` (truncated | malformed), `error`, `repaired`, `late`, `call_id`: each only when set."""
        payload: dict[str, Any] = {}
        if self.status:
            payload["status"] = self.status
        if self.error:
            payload["error"] = self.error
        if self.repaired:
            payload["repaired"] = True
        if self.late:
            payload["late"] = dict(self.late)
        if self.call_id:
            payload["call_id"] = self.call_id
        return payload


def _content(data: Mapping[str, Any]) -> SegmentContent:
    if not (isinstance(data["payload"]["delta"], str) and data["payload"]["delta"]):
        raise ValueError("a delta is a string that is not empty")
    return SegmentContent(data["segment_id"], data["payload"]["delta"])


def _start(data: Mapping[str, Any]) -> SegmentStart:
    return SegmentStart(data["segment_id"], data["segment_type"], dict(data["payload"].get("metadata", {})))


def _end(data: Mapping[str, Any]) -> SegmentEnd:
    payload = data["payload"]
    if payload.get("status") not in (None, "truncated", "malformed"):
        raise ValueError("unknown status")
    late = payload.get("late")
    return SegmentEnd(
        data["segment_id"],
        payload.get("status"),
        payload.get("error"),
        payload.get("repaired", False),
        dict(late) if late else None,
        call_id=payload.get("call_id"),
    )


_EVENTS: dict[str, Callable[[Mapping[str, Any]], SegmentEvent]] = {
    SegmentEventType.START: _start,
    SegmentEventType.CONTENT: _content,
    SegmentEventType.END: _end,
}
