"""What comes out: segment events.

A stream of events is `(START CONTENT* END)*`: one segment after the other, each with an id of its own that is never
reused. (Native parallel calls of a provider may interleave, by id, and a source stands within the text that cites it.)

    {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "write_file",
     "payload": {"metadata": {"path": "/a.py"}}}
    {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": "print('hi')\\n"}}
    {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {}}

That is the wire form, `to_dict()`; docs/wire.md has all of it. Equality is equality of the wire form. Only START has
the segment's type there: on CONTENT and END `segment_type` is a convenience, which `EventReader` restores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

from attrs import field

from streamparse.errors import suggest

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

    @classmethod
    def of(cls, name: str) -> SegmentEventType:
        """The event type called `name`; raises ValueError that says what may have been meant."""
        known = [kind.value for kind in cls]
        if name not in known:
            hint = suggest(str(name), known) or f": expected one of {', '.join(known)}"
            raise ValueError(f"unknown event type {name!r}{hint}")
        return cls(name)


class SegmentType(StrEnum):
    """The segment types of the library itself, besides PLAN; a custom state may use any other string.

    The last five are what a provider does by itself and says beside the text: a tool that it runs (`server_tool`) and
    what came of it, a source that it cites, a file that it made, a refusal. None of them is a call.
    """

    TEXT = "text"
    TOOL_CALL = "tool_call"
    WRITE_FILE = "write_file"
    PATCH_FILE = "patch_file"
    RUN_BASH = "run_bash"
    REASONING = "reasoning"
    #: What only providers' own interfaces have: a tool that the provider runs itself and its result, a source of the
    #: text, a file that the model made, a refusal. None of them is a call for the program.
    SERVER_TOOL = "server_tool"
    SERVER_RESULT = "server_result"
    SOURCE = "source"
    FILE = "file"
    REFUSAL = "refusal"


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
    def from_dict(data: Mapping[str, Any]) -> AnyEvent:
        """The event of a wire form; the inverse of `to_dict`. Raises ValueError for anything else.

        A single CONTENT or END cannot know the type of its segment: `EventReader` reads a whole stream.
        """
        kind = data.get("type") if isinstance(data, Mapping) else None
        if isinstance(kind, str):
            SegmentEventType.of(kind)
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
#: The format of a call whose START does not say one in the wire form.
_USUAL_FORMAT = "xml"
#: The format of what comes in fields of a provider's chunks.
NATIVE = "native"
#: The key of a state that says of which provider's interface it is: `providers/read.py` has the names.
INTERFACE = "interface"
#: What is never a call, so no one asks for its format.
_NO_CALLS = frozenset(
    {
        *(SegmentType.TEXT, SegmentType.REASONING, PLAN, SegmentType.SERVER_TOOL, SegmentType.SERVER_RESULT),
        *(SegmentType.SOURCE, SegmentType.FILE, SegmentType.REFUSAL),
    }
)


@event_class
class SegmentStart(SegmentEvent):
    """A segment begins. `format` names the format that produced it: decoders are chosen by it.

    The wire form has the format of what may be a call, if it is not xml: of the library's own types, all but prose,
    plans and what a provider does by itself; and every type of a custom state, which may be registered as a call.
    """

    type: ClassVar[Literal[SegmentEventType.START]] = SegmentEventType.START

    segment_type: str
    metadata: Mapping[str, Any] = field(factory=dict)
    format: str = field(default="", repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SegmentStart):
            return NotImplemented
        return (
            self.segment_id == other.segment_id
            and self.segment_type == other.segment_type
            and self.payload == other.payload
        )

    @property
    def payload(self) -> dict[str, Any]:
        """`metadata`, and the `format` of a call: each only where there is one to tell."""
        payload: dict[str, Any] = {"metadata": dict(self.metadata)} if self.metadata else {}
        if self.format not in ("", _USUAL_FORMAT) and self.segment_type not in _NO_CALLS:
            payload["format"] = self.format
        return payload

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

    type: ClassVar[Literal[SegmentEventType.CONTENT]] = SegmentEventType.CONTENT

    delta: str
    segment_type: str = field(default="", eq=False, repr=False)

    @property
    def payload(self) -> dict[str, Any]:
        """`{"delta": …}`."""
        return {"delta": self.delta}


TagKind: TypeAlias = Literal["arg", "tag"]


def _filled(mapping: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """An empty one is none: that is so in the wire form."""
    return mapping or None


@event_class
class SegmentEnd(SegmentEvent):
    """A segment ends. Without a status it is complete.

    `late` are arguments that came behind START. `state` is what a provider wants back with the segment, as it is, and
    which `interface` it is of: no other knows what to do with it.
    """

    type: ClassVar[Literal[SegmentEventType.END]] = SegmentEventType.END

    status: str | None = None
    error: str | None = None
    repaired: bool = False
    late: Mapping[str, Any] | None = field(default=None, eq=_filled)
    segment_type: str = field(default="", eq=False, repr=False)
    #: Of arguments with tags in them that START or `late` show as the model wrote them, by name: whether each stood in
    #: an `arg` or in a `tag` of its own name, by which it is decoded. (Unless it is said, what is late stood in an arg,
    #: and what START shows is a text.)
    written: Mapping[str, TagKind] | None = field(default=None, eq=_filled, repr=False)
    #: The model's own id of the call, if it stood behind the arguments: else START has it.
    call_id: str | None = field(default=None, repr=False)
    #: What the provider wants back with this segment in the next request: a signature, the id of an item. Plain data;
    #: `interface` in it says of which of them it is.
    state: Mapping[str, Any] | None = field(default=None, eq=_filled, repr=False)
    #: Gives the arguments of a call as the model wrote them, where the content is decoded from them, of that content;
    #: in memory only.
    raw: Callable[[str], str] | None = field(default=None, eq=False, repr=False)
    #: Whether the text of this segment was reasoning: a closer came behind it, and nothing had opened it.
    reasoning: bool = field(default=False, repr=False)

    @property
    def payload(self) -> dict[str, Any]:
        """`status`, `error`, `repaired`, `late`, `written`, `call_id`, `state`, `reasoning`: each only when set."""
        payload: dict[str, Any] = {}
        if self.status:
            payload["status"] = self.status
        if self.error:
            payload["error"] = self.error
        if self.repaired:
            payload["repaired"] = True
        if self.late:
            payload["late"] = dict(self.late)
        if self.written:
            payload["written"] = dict(self.written)
        if self.call_id:
            payload["call_id"] = self.call_id
        if self.state:
            payload["state"] = dict(self.state)
        if self.reasoning:
            payload["reasoning"] = True
        return payload


#: Every event is one of these, so a type checker knows when a `match` has them all.
AnyEvent: TypeAlias = SegmentStart | SegmentContent | SegmentEnd


def _content(data: Mapping[str, Any]) -> SegmentContent:
    if not (isinstance(data["payload"]["delta"], str) and data["payload"]["delta"]):
        raise ValueError("a delta is a string that is not empty")
    return SegmentContent(data["segment_id"], data["payload"]["delta"])


def _start(data: Mapping[str, Any]) -> SegmentStart:
    payload = data["payload"]
    return SegmentStart(
        data["segment_id"],
        data["segment_type"],
        _mapping(payload, "metadata") or {},
        _text(payload, "format") or "",
    )


def _end(data: Mapping[str, Any]) -> SegmentEnd:
    payload = data["payload"]
    if payload.get("status") not in (None, "truncated", "malformed"):
        raise ValueError("unknown status")
    if payload.get("repaired", True) is not True or payload.get("reasoning", True) is not True:
        raise ValueError("what is not so is not said")
    written: Mapping[str, TagKind] | None = _mapping(payload, "written")
    if written and not all(kind in get_args(TagKind) for kind in written.values()):
        raise ValueError("unknown kind of tag")
    return SegmentEnd(
        data["segment_id"],
        payload.get("status"),
        _text(payload, "error"),
        "repaired" in payload,
        _mapping(payload, "late"),
        written=written,
        call_id=_text(payload, "call_id"),
        state=_mapping(payload, "state"),
        reasoning="reasoning" in payload,
    )


def _text(payload: Mapping[str, Any], name: str) -> str | None:
    value = payload.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} is a text")
    return value


def _mapping(payload: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    value = payload.get(name)
    return None if value is None else dict(value)


_EVENTS: dict[str, Callable[[Mapping[str, Any]], AnyEvent]] = {
    SegmentEventType.START: _start,
    SegmentEventType.CONTENT: _content,
    SegmentEventType.END: _end,
}
