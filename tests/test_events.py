"""events.py: the wire form, its inverse, and what counts as equal."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse import SegmentContent, SegmentEnd, SegmentEvent, SegmentEventType, SegmentStart, SegmentType

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
        {"type": "SEGMENT_END", "segment_id": None, "payload": {}},
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
    assert SegmentStart("seg_1", "text", {}, "xml") == SegmentStart("seg_1", "text", {}, "json")
    assert SegmentContent("seg_1", "x", "text").to_dict() == SegmentContent("seg_1", "x").to_dict()
    assert SegmentEnd("seg_1", segment_type="text").to_dict() == SegmentEnd("seg_1").to_dict()
    assert SegmentStart("seg_1", "text", {}, "xml").to_dict() == SegmentStart("seg_1", "text").to_dict()


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
    start, end = SegmentStart("seg_1", "x", {"k": "v"}), SegmentEnd("seg_1", late={"k": "v"})
    start.to_dict()["payload"]["metadata"]["k"] = "changed"
    end.to_dict()["payload"]["late"]["k"] = "changed"
    assert (start.metadata, end.late) == ({"k": "v"}, {"k": "v"})


def test_the_enums_are_their_strings() -> None:
    assert [str(kind) for kind in SegmentEventType] == ["SEGMENT_START", "SEGMENT_CONTENT", "SEGMENT_END"]
    assert [str(kind) for kind in SegmentType] == [
        *("text", "tool_call", "write_file", "patch_file", "run_bash", "reasoning"),
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
