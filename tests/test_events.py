"""events.py: the wire form, its inverse, and what counts as equal."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse import (
    EventReader,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentEventType,
    SegmentStart,
    SegmentType,
    ToolInvocation,
    ToolInvocationAdapter,
    parse,
)
from streamparse.blocks import BlockBuilder
from streamparse.plans import PlanBuilder

WIRE: list[tuple[SegmentEvent, dict[str, Any]]] = [
    (
        SegmentStart("seg_1", "write_file", {"path": "/a.py"}),
        {
            "type": "SEGMENT_START",
            "segment_id": "seg_1",
            "segment_type": "write_file",
            "payload": {"metadata": {"path": "/a.py"}},
        },
    ),
    (
        SegmentStart("seg_2", "text"),
        {"type": "SEGMENT_START", "segment_id": "seg_2", "segment_type": "text", "payload": {}},
    ),
    (
        SegmentContent("seg_1", "print('hi')\n"),
        {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": "print('hi')\n"}},
    ),
    (SegmentEnd("seg_1"), {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {}}),
    (
        SegmentEnd("seg_1", "truncated"),
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"status": "truncated"}},
    ),
    (
        SegmentEnd("seg_1", "malformed", "path is missing"),
        {
            "type": "SEGMENT_END",
            "segment_id": "seg_1",
            "payload": {"status": "malformed", "error": "path is missing"},
        },
    ),
    (
        SegmentEnd("seg_1", repaired=True),
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"repaired": True}},
    ),
    (
        SegmentEnd("seg_1", late={"timeout": "9"}),
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"late": {"timeout": "9"}}},
    ),
    (
        SegmentEnd("seg_1", call_id="c1"),
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"call_id": "c1"}},
    ),
    (
        SegmentEnd("seg_1", reasoning=True),
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"reasoning": True}},
    ),
    (
        SegmentStart("seg_1", "tool_call", {"tool_name": "f"}, "hermes"),
        {
            "type": "SEGMENT_START",
            "segment_id": "seg_1",
            "segment_type": "tool_call",
            "payload": {"metadata": {"tool_name": "f"}, "format": "hermes"},
        },
    ),
    (
        SegmentStart("seg_1", "chart", format="acme"),
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "chart", "payload": {"format": "acme"}},
    ),
    (
        SegmentEnd("seg_1", late={"a": "<b>1</b>"}, written={"a": "tag", "c": "arg"}, state={"signature": "x"}),
        {
            "type": "SEGMENT_END",
            "segment_id": "seg_1",
            "payload": {
                "late": {"a": "<b>1</b>"},
                "written": {"a": "tag", "c": "arg"},
                "state": {"signature": "x"},
            },
        },
    ),
]


@pytest.mark.parametrize(("event", "wire"), WIRE, ids=lambda value: type(value).__name__)
def test_an_event_has_exactly_its_wire_form(event: SegmentEvent, wire: dict[str, Any]) -> None:
    assert event.to_dict() == wire
    assert event.payload == wire["payload"]


@pytest.mark.parametrize(("event", "wire"), WIRE, ids=lambda value: type(value).__name__)
def test_the_keys_of_the_wire_form_come_in_the_documented_order(event: SegmentEvent, wire: dict[str, Any]) -> None:
    assert json.dumps(event.to_dict()) == json.dumps(wire)


@pytest.mark.parametrize(("event", "wire"), WIRE, ids=lambda value: type(value).__name__)
def test_from_dict_is_the_inverse_of_to_dict_through_json(event: SegmentEvent, wire: dict[str, Any]) -> None:
    back = SegmentEvent.from_dict(json.loads(json.dumps(wire)))
    assert back == event
    assert type(back) is type(event)
    assert back.to_dict() == wire


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": "SEGMENT_END", "segment_id": "seg_1"},
        {"type": "SEGMENT_END", "payload": {}},
        {"segment_id": "seg_1", "payload": {}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "payload": {}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "text", "payload": None},
        {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {}},
        {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": "delta"},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"unknown": 1}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": []},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"segment_type": "text"}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"status": "banana"}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"late": [1, 2]}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"late": {}}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"error": 5}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"error": ""}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"repaired": 1}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"repaired": False}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"reasoning": 1}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"reasoning": False}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"written": {"a": "b"}}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"written": {"a": ["arg"]}}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"state": []}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"state": "x"}},
        {"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"call_id": 5}},
        {"type": "SEGMENT_END", "segment_id": None, "payload": {}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "tool_call", "payload": {"format": "xml"}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "tool_call", "payload": {"format": ""}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "tool_call", "payload": {"format": ["x"]}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "text", "payload": {"format": "hermes"}},
        {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": ""}},
        {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": 5}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": None, "payload": {}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "text", "payload": {"metadata": [1]}},
        {"type": "SEGMENT_START", "segment_id": "seg_1", "segment_type": "text", "payload": {"metadata": {}}},
        None,
        "SEGMENT_END",
        ["SEGMENT_END", "seg_1", {}],
    ],
    ids=repr,
)
def test_what_is_no_wire_form_is_a_value_error_that_shows_it(data: Any) -> None:
    with pytest.raises(ValueError) as caught:
        SegmentEvent.from_dict(data)
    assert str(caught.value) == f"not the wire form of a segment event: {data!r}"


def test_an_unknown_event_type_is_a_value_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ValueError) as caught:
        SegmentEvent.from_dict({"type": "SEGMENT_PAUSE", "segment_id": "seg_1", "payload": {}})
    assert str(caught.value) == (
        "unknown event type 'SEGMENT_PAUSE': did you mean 'SEGMENT_END', 'SEGMENT_START' or 'SEGMENT_CONTENT'?"
    )
    with pytest.raises(ValueError, match=r"^unknown event type 'x': expected one of SEGMENT_START, "):
        SegmentEvent.from_dict({"type": "x", "segment_id": "seg_1", "payload": {}})


def test_the_conveniences_are_outside_equality_and_wire_form() -> None:
    assert SegmentContent("seg_1", "x", "text") == SegmentContent("seg_1", "x", "run_bash")
    assert SegmentEnd("seg_1", segment_type="text") == SegmentEnd("seg_1")
    assert SegmentContent("seg_1", "x", "text").to_dict() == SegmentContent("seg_1", "x").to_dict()
    assert SegmentEnd("seg_1", segment_type="text").to_dict() == SegmentEnd("seg_1").to_dict()


@pytest.mark.parametrize(
    "kind",
    ["text", "reasoning", "plan", "server_tool", "server_result", "source", "file", "refusal", SegmentType.TEXT],
)
def test_what_is_no_call_does_not_say_its_format(kind: str) -> None:
    start = SegmentStart("seg_1", kind, {"a": 1}, "hermes")
    assert start.payload == {"metadata": {"a": 1}}
    assert start == SegmentStart("seg_1", kind, {"a": 1}, "json")


@pytest.mark.parametrize("kind", ["tool_call", "write_file", "patch_file", "run_bash", "chart"])
def test_a_call_says_its_format_unless_it_is_xml(kind: str) -> None:
    assert SegmentStart("seg_1", kind, {}, "native").payload == {"format": "native"}
    for format in ("", "xml"):
        assert SegmentStart("seg_1", kind, {}, format).payload == {}
        assert SegmentStart("seg_1", kind, {}, format) == SegmentStart("seg_1", kind)


def test_a_reader_gives_content_and_end_the_type_of_their_segment() -> None:
    events = [
        SegmentStart("seg_1", "text"),
        SegmentContent("seg_1", "a", "text"),
        SegmentStart("seg_2", "run_bash", {}, "native"),
        SegmentContent("seg_2", "b", "run_bash"),
        SegmentEnd("seg_1", "truncated", segment_type="text"),
        SegmentEnd("seg_2", segment_type="run_bash"),
    ]
    reader = EventReader()
    back = [reader.read(json.loads(json.dumps(event.to_dict()))) for event in events]
    assert back == events
    assert [event.segment_type for event in back] == [event.segment_type for event in events]
    assert [event.format for event in back if isinstance(event, SegmentStart)] == ["", "native"]


def test_a_reader_does_not_know_the_type_of_a_segment_whose_start_did_not_come() -> None:
    reader = EventReader()
    reader.read(SegmentStart("seg_1", "text").to_dict())
    ends = [SegmentEnd("seg_1"), SegmentContent("seg_1", "x"), SegmentEnd("seg_2")]
    assert [reader.read(event.to_dict()).segment_type for event in ends] == ["text", "", ""]
    with pytest.raises(ValueError, match=r"^unknown event type 'TOOL_PLAN': "):
        reader.read({"type": "TOOL_PLAN", "payload": {}})


def test_a_reader_gives_every_item_of_a_stream() -> None:
    items = list(parse("a<run_bash>ls</run_bash>", invocations=True, outcome=True))
    reader = EventReader()
    assert [reader.read(json.loads(json.dumps(item.to_dict()))) for item in items] == items
    for broken in ({"type": "STREAM_END", "payload": {}, "x": 1}, {"type": "TOOL_INVOCATION"}, "STREAM_END"):
        with pytest.raises(ValueError, match=r"^not the wire form "):
            reader.read(broken)  # type: ignore[arg-type]


def test_whoever_is_fed_with_events_ignores_all_other_items() -> None:
    items = list(parse("a<run_bash>ls</run_bash>", invocations=True, outcome=True))
    [made] = [item for item in items if isinstance(item, ToolInvocation)]
    events = [item for item in items if isinstance(item, SegmentEvent)]
    assert [type(item).__name__ for item in items[-2:]] == ["ToolInvocation", "StreamEnd"]
    assert ToolInvocationAdapter().feed_all(items) == [made]
    assert [block.to_dict() for block in BlockBuilder().feed_all(items)] == [
        block.to_dict() for block in BlockBuilder().feed_all(events)
    ]
    plans = PlanBuilder()
    assert [plans.feed(item) for item in items] == [None] * len(items)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SegmentStart("a", "text"), SegmentStart("b", "text")),
        (SegmentStart("a", "text"), SegmentStart("a", "reasoning")),
        (SegmentStart("a", "text"), SegmentStart("a", "text", {"k": "v"})),
        (SegmentContent("a", "x"), SegmentContent("b", "x")),
        (SegmentContent("a", "x"), SegmentContent("a", "y")),
        (SegmentEnd("a"), SegmentEnd("b")),
        (SegmentEnd("a"), SegmentEnd("a", "truncated")),
        (SegmentEnd("a", "malformed"), SegmentEnd("a", "malformed", "why")),
        (SegmentEnd("a"), SegmentEnd("a", repaired=True)),
        (SegmentEnd("a"), SegmentEnd("a", late={"k": "v"})),
        (SegmentEnd("a", written={"k": "arg"}), SegmentEnd("a", written={"k": "tag"})),
        (SegmentEnd("a"), SegmentEnd("a", state={"k": "v"})),
        (SegmentEnd("a"), SegmentEnd("a", reasoning=True)),
        (SegmentStart("a", "tool_call"), SegmentStart("a", "tool_call", {}, "hermes")),
        (SegmentStart("a", "x"), SegmentContent("a", "x")),
        (SegmentContent("a", "truncated"), SegmentEnd("a", "truncated")),
    ],
    ids=repr,
)
def test_any_difference_in_the_wire_form_is_inequality(one: SegmentEvent, other: SegmentEvent) -> None:
    assert one != other


def test_every_event_answers_every_attribute() -> None:
    start = SegmentStart("seg_1", "write_file", {"path": "a"}, "xml")
    content = SegmentContent("seg_1", "x", "write_file")
    end = SegmentEnd("seg_1", segment_type="write_file")
    events: list[SegmentEvent] = [start, content, end]
    assert [event.type for event in events] == list(SegmentEventType)
    assert [event.segment_id for event in events] == ["seg_1", "seg_1", "seg_1"]
    assert [event.segment_type for event in events] == ["write_file", "write_file", "write_file"]
    assert [event.delta for event in events] == ["", "x", ""]
    assert [event.metadata for event in events] == [{"path": "a"}, {}, {}]
    assert start.format == "xml"


def test_the_wire_form_shares_no_mapping_with_the_event() -> None:
    start = SegmentStart("seg_1", "x", {"k": "v"})
    end = SegmentEnd("seg_1", late={"k": "v"}, written={"k": "arg"}, state={"k": "v"})
    start.to_dict()["payload"]["metadata"]["k"] = "changed"
    for name in ("late", "written", "state"):
        end.to_dict()["payload"][name]["k"] = "changed"
    assert (start.metadata, end.late, end.written, end.state) == ({"k": "v"}, {"k": "v"}, {"k": "arg"}, {"k": "v"})


def test_the_enums_are_their_strings() -> None:
    assert [str(kind) for kind in SegmentEventType] == ["SEGMENT_START", "SEGMENT_CONTENT", "SEGMENT_END"]
    assert [str(kind) for kind in SegmentType] == [
        *("text", "tool_call", "write_file", "patch_file", "run_bash", "reasoning"),
        *("server_tool", "server_result", "source", "file", "refusal"),
    ]


def test_a_segment_type_of_the_enum_is_a_plain_string_on_the_wire() -> None:
    event = SegmentStart("seg_1", SegmentType.RUN_BASH)
    assert type(event.to_dict()["segment_type"]) is str
    assert event == SegmentStart("seg_1", "run_bash")


def test_the_base_class_has_neither_type_nor_payload() -> None:
    bare = SegmentEvent("seg_1")
    with pytest.raises(NotImplementedError):
        bare.segment_type
    with pytest.raises(NotImplementedError):
        bare.payload
