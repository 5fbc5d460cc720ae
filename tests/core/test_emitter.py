"""core/emitter.py: the order of events is legal, whatever states do."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import (
    EventEmitter,
    ParserConfig,
    SegmentContent,
    SegmentEnd,
    SegmentStart,
    StateContractError,
)


@pytest.fixture
def emitter() -> EventEmitter:
    return EventEmitter(ParserConfig())


def test_a_block_is_start_content_end(emitter: EventEmitter) -> None:
    emitter.emit_start("write_file", {"path": "a"}, "xml")
    assert (emitter.segment_id, emitter.segment_type) == ("seg_1", "write_file")
    emitter.emit_content("x")
    emitter.emit_content("y")
    emitter.emit_end("malformed", "why", True, {"mode": "w"})
    assert emitter.events == [
        SegmentStart("seg_1", "write_file", {"path": "a"}),
        SegmentContent("seg_1", "x"),
        SegmentContent("seg_1", "y"),
        SegmentEnd("seg_1", "malformed", "why", True, {"mode": "w"}),
    ]
    assert [event.segment_type for event in emitter.events] == ["write_file"] * 4
    assert emitter.events[0].format == "xml"  # type: ignore[attr-defined]
    assert (emitter.segment_id, emitter.segment_type) == ("", "")


def test_prose_opens_its_segment_with_its_first_character(emitter: EventEmitter) -> None:
    emitter.emit_prose("")
    assert emitter.events == []
    emitter.emit_prose("a")
    emitter.emit_prose("b")
    assert emitter.events == [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a"), SegmentContent("seg_1", "b")]


def test_prose_may_be_of_another_type(emitter: EventEmitter) -> None:
    emitter.emit_prose("a", "reasoning")
    assert emitter.events == [SegmentStart("seg_1", "reasoning"), SegmentContent("seg_1", "a")]


def test_prose_ends_before_the_next_start(emitter: EventEmitter) -> None:
    emitter.emit_prose("a")
    emitter.emit_start("run_bash", {})
    emitter.emit_end()
    emitter.emit_prose("b")
    emitter.emit_end()
    assert emitter.events == [
        SegmentStart("seg_1", "text"),
        SegmentContent("seg_1", "a"),
        SegmentEnd("seg_1"),
        SegmentStart("seg_2", "run_bash"),
        SegmentEnd("seg_2"),
        SegmentStart("seg_3", "text"),
        SegmentContent("seg_3", "b"),
        SegmentEnd("seg_3"),
    ]


def test_a_segment_started_as_prose_ends_before_the_next_start(emitter: EventEmitter) -> None:
    emitter.emit_start("reasoning", {}, "xml", is_prose=True)
    emitter.emit_prose("a", "reasoning")
    emitter.emit_start("run_bash", {})
    assert emitter.events == [
        SegmentStart("seg_1", "reasoning"),
        SegmentContent("seg_1", "a"),
        SegmentEnd("seg_1"),
        SegmentStart("seg_2", "run_bash"),
    ]


def test_an_empty_delta_is_no_event(emitter: EventEmitter) -> None:
    emitter.emit_content("")
    emitter.emit_start("run_bash", {})
    emitter.emit_content("")
    assert emitter.events == [SegmentStart("seg_1", "run_bash")]


def test_an_end_without_late_arguments_is_plain(emitter: EventEmitter) -> None:
    emitter.emit_start("run_bash", {})
    emitter.emit_end(late={})
    assert emitter.events[-1] == SegmentEnd("seg_1")


def test_a_start_inside_an_open_block_breaks_the_contract(emitter: EventEmitter) -> None:
    emitter.emit_start("write_file", {})
    with pytest.raises(StateContractError, match=r"^START of 'run_bash' while 'write_file' is open: END it first"):
        emitter.emit_start("run_bash", {})
    assert emitter.events == [SegmentStart("seg_1", "write_file")]


def test_content_without_a_start_breaks_the_contract(emitter: EventEmitter) -> None:
    with pytest.raises(StateContractError, match=r"^CONTENT without an open segment: emit a START first"):
        emitter.emit_content("x")
    assert emitter.events == []


def test_an_end_without_a_start_breaks_the_contract(emitter: EventEmitter) -> None:
    with pytest.raises(StateContractError, match=r"^END without an open segment: emit a START first"):
        emitter.emit_end()
    emitter.emit_start("run_bash", {})
    emitter.emit_end()
    with pytest.raises(StateContractError, match=r"^END without an open segment: emit a START first"):
        emitter.emit_end()


def test_a_start_without_a_segment_type_breaks_the_contract(emitter: EventEmitter) -> None:
    with pytest.raises(
        StateContractError, match=r"^START without a segment type: set segment_type in the state's class"
    ):
        emitter.emit_start("", {})
    assert emitter.events == []


def test_prose_inside_an_open_block_breaks_the_contract(emitter: EventEmitter) -> None:
    emitter.emit_start("run_bash", {})
    with pytest.raises(StateContractError, match=r"^prose while 'run_bash' is open: END it first"):
        emitter.emit_prose("x")
    assert emitter.events == [SegmentStart("seg_1", "run_bash")]


def ids(config: ParserConfig) -> list[str]:
    emitter = EventEmitter(config)
    for _ in range(3):
        emitter.emit_start("run_bash", {})
        emitter.emit_end()
    return [event.segment_id for event in emitter.events]


def test_ids_are_a_prefix_and_a_running_number() -> None:
    assert ids(ParserConfig()) == ["seg_1", "seg_1", "seg_2", "seg_2", "seg_3", "seg_3"]
    assert ids(ParserConfig(segment_id_prefix="m7-")) == ["m7-1", "m7-1", "m7-2", "m7-2", "m7-3", "m7-3"]


def test_ids_come_from_the_factory_if_there_is_one() -> None:
    config = ParserConfig(segment_id_prefix="unused", segment_id_factory=lambda number: f"<{number * 10}>")
    assert ids(config) == ["<10>", "<10>", "<20>", "<20>", "<30>", "<30>"]


@pytest.mark.parametrize("made", ["", None, 5])
def test_a_factory_that_makes_no_id_is_refused(made: Any) -> None:
    emitter = EventEmitter(ParserConfig(segment_id_factory=lambda number: made))
    with pytest.raises(TypeError, match=r"^segment_id_factory must return a non-empty string, not "):
        emitter.emit_prose("a")


def test_a_segment_beside_the_open_one_ends_prose_and_nothing_else(emitter: EventEmitter) -> None:
    emitter.emit_prose("a")
    assert emitter.start_beside("tool_call", {"tool_name": "f"}, "native") == "seg_2"
    assert (emitter.segment_id, emitter.segment_type) == ("", "")
    emitter.emit_start("write_file", {}, "xml")
    assert emitter.start_beside("tool_call", {}, "native") == "seg_4"
    assert emitter.segment_id == "seg_3"
    assert emitter.drain() == [
        *(SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a"), SegmentEnd("seg_1")),
        SegmentStart("seg_2", "tool_call", {"tool_name": "f"}, "native"),
        SegmentStart("seg_3", "write_file"),
        SegmentStart("seg_4", "tool_call", format="native"),
    ]
    assert emitter.events == []


def test_prose_of_another_type_is_another_segment(emitter: EventEmitter) -> None:
    emitter.emit_start("reasoning", {}, "native", is_prose=True)
    emitter.emit_prose("hm", "reasoning")
    emitter.emit_prose("ok")
    assert emitter.drain() == [
        *(SegmentStart("seg_1", "reasoning"), SegmentContent("seg_1", "hm"), SegmentEnd("seg_1")),
        *(SegmentStart("seg_2", "text"), SegmentContent("seg_2", "ok")),
    ]
