"""blocks/builder.py: events in, blocks out."""

from __future__ import annotations

import pytest

from streamparse import ParserStateError, SegmentContent, SegmentEnd, SegmentEvent, SegmentStart, ToolSpec
from streamparse.blocks import BlockBuilder, TextContent, ToolUse
from tests.blocks.kit import CUT, growing, reasoning, text, tool, view


def test_events_from_a_wire_are_read_as_the_format_says() -> None:
    call = [
        SegmentStart("a", "tool_call", {"tool_name": "F", "call_id": 7}),
        SegmentContent("a", '{"x": "1'),
        SegmentContent("a", '2"}'),
    ]
    wire = [SegmentEvent.from_dict(event.to_dict()) for event in call]
    builder = BlockBuilder([ToolSpec("f")], format="native")
    [block] = builder.feed_all(wire)
    assert block == ToolUse("a", "f", {"x": "12"}, True)
    assert isinstance(block, ToolUse)
    assert block.call_id is None
    assert builder.feed(SegmentEnd("a", repaired=True)) is builder.blocks
    assert block == ToolUse("a", "f", {"x": "12"}, False, "complete", True)


def test_a_call_that_was_cut_off_has_what_start_said_and_what_came() -> None:
    builder = BlockBuilder()
    start = SegmentStart("a", "tool_call", {"tool_name": "f", "x": "1"})
    builder.feed_all([start, SegmentContent("a", "<y>2</y"), SegmentEnd("a", "truncated")])
    [block] = builder.blocks
    assert isinstance(block, ToolUse)
    assert (block.params, block.status) == ({"x": "1", "y": "2</y"}, "truncated")


def test_a_block_that_turns_out_not_to_be_blank_appears_where_it_began() -> None:
    builder = BlockBuilder()
    builder.feed_all([SegmentStart("a", "text"), SegmentContent("a", " \n"), SegmentStart("b", "reasoning")])
    assert builder.blocks == []
    builder.feed_all([SegmentStart("c", "run_bash"), SegmentStart("d", "text"), SegmentContent("d", "last")])
    builder.feed_all([SegmentContent("b", "\t"), SegmentContent("b", "second"), SegmentContent("a", "\u2003first")])
    seen = view(builder.blocks)
    assert [block.get("content", block.get("name")) for block in seen] == ["first", "second", "run_bash", "last"]
    assert view(builder.finalize()) == [
        text("first", status="truncated"),
        reasoning("second", status="truncated"),
        {**tool(0, "run_bash", {}, **CUT), "id": "c"},
        text("last", status="truncated"),
    ]


def test_a_text_that_was_reasoning_becomes_that_where_it_stands() -> None:
    builder = BlockBuilder()
    builder.feed_all([SegmentStart("a", "text"), SegmentContent("a", "hm\n"), SegmentStart("b", "text")])
    (block,) = builder.blocks
    assert block == TextContent("hm", partial=True)
    builder.feed_all([SegmentContent("b", "ok"), SegmentEnd("a", reasoning=True), SegmentEnd("b")])
    assert builder.blocks[0] is block
    assert view(builder.finalize()) == [reasoning("hm"), text("ok")]


def test_what_did_not_begin_here_is_nothing() -> None:
    builder = BlockBuilder()
    assert builder.feed_all([SegmentContent("a", "x"), SegmentEnd("a")]) == []


def test_the_end_is_the_end() -> None:
    builder = BlockBuilder()
    builder.feed_all([SegmentStart("a", "text"), SegmentContent("a", "x")])
    assert builder.finalize() is builder.finalize()
    with pytest.raises(ParserStateError, match=r"feed\(\) after finalize\(\)"):
        builder.feed(SegmentEnd("a"))
    before = builder.blocks
    builder.reset()
    assert (builder.blocks, before) == ([], [TextContent("x")])
    assert builder.feed(SegmentStart("a", "text")) == []


@pytest.mark.parametrize("count", [1023, 1024, 1025, 5000])
def test_many_small_pieces_are_one_text(count: int) -> None:
    builder = BlockBuilder()
    starts = [SegmentStart("t", "text"), SegmentStart("c", "write_file", {"path": "p"}), SegmentStart("x", "custom")]
    builder.feed_all(starts)
    whole = [str(number % 10) for number in range(count)]
    for piece in whole:
        builder.feed_all([SegmentContent(name, piece) for name in "tcx"])
    said, wrote, other = view(builder.blocks)
    assert said["content"] == other["content"] == wrote["params"]["content"] == "".join(whole)
    builder.feed_all([SegmentContent(name, "!") for name in "tcx"])
    said, wrote, other = view(builder.blocks)
    assert said["content"] == other["content"] == wrote["params"]["content"] == "".join(whole) + "!"
    # Only what was joined is new, and no delta is left.
    builder.feed_all([SegmentContent(name, "?") for _ in range(1024) for name in "tcx"])
    said, wrote, other = view(builder.blocks)
    assert said["content"] == other["content"] == wrote["params"]["content"] == "".join(whole) + "!" + "?" * 1024


def test_a_call_is_not_decoded_before_someone_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = BlockBuilder()
    asked: list[str] = []
    adapter = type(builder._adapter)
    build, partial = adapter.build, adapter.build_partial
    monkeypatch.setattr(adapter, "build", lambda *given: asked.append("all") or build(*given))
    monkeypatch.setattr(adapter, "build_partial", lambda *given: asked.append("part") or partial(*given))
    builder.feed_all([SegmentStart("a", "run_bash"), SegmentContent("a", "l"), SegmentContent("a", "s")])
    assert asked == []
    assert view(builder.blocks) == view(builder.blocks) == [{**growing(0, "run_bash", {"command": "ls"}), "id": "a"}]
    assert asked == ["part"]
    builder.feed(SegmentEnd("a"))
    assert (asked, builder.blocks[0].partial) == (["part"], False)
    assert view(builder.blocks) == view(builder.blocks) == [{**tool(0, "run_bash", {"command": "ls"}), "id": "a"}]
    assert asked == ["part", "all"]
