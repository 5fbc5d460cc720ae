"""blocks/: what a block is to those who show it."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.blocks import Block, CustomContent, ReasoningContent, TextContent, ToolUse
from streamparse.events import SegmentEnd


@pytest.mark.parametrize(
    ("block", "kind", "data", "shown"),
    [
        (
            TextContent(" a\n", True),
            "text",
            {"type": "text", "content": "a", "partial": True},
            "TextContent(content='a', partial=True)",
        ),
        (
            ReasoningContent("hm", status="truncated"),
            "reasoning",
            {"type": "reasoning", "content": "hm", "partial": False, "status": "truncated"},
            "ReasoningContent(content='hm', partial=False, status='truncated')",
        ),
        (
            CustomContent("chart", " x ", False, {"kind": "bar"}, "complete"),
            "chart",
            {"type": "chart", "content": " x ", "partial": False, "metadata": {"kind": "bar"}, "status": "complete"},
            "CustomContent(content=' x ', partial=False, metadata={'kind': 'bar'}, status='complete')",
        ),
        (
            ToolUse("seg_1", "f", {"a": 1}, True),
            "tool_use",
            {
                **{"type": "tool_use", "id": "seg_1", "name": "f", "params": {"a": 1}},
                **{"partial": True, "status": None, "repaired": False},
            },
            "ToolUse(id='seg_1', name='f', params={'a': 1}, partial=True, status=None, repaired=False)",
        ),
        (
            ToolUse("seg_1", "f", None, False, "malformed", True, call_id="c", error="no"),
            "tool_use",
            {
                **{"type": "tool_use", "id": "seg_1", "name": "f", "params": {}, "partial": False},
                **{"status": "malformed", "repaired": True, "call_id": "c", "error": "no"},
            },
            "ToolUse(id='seg_1', name='f', params={}, partial=False, status='malformed', repaired=True, call_id='c', "
            "error='no')",
        ),
    ],
)
def test_a_block_says_what_it_is(block: Block, kind: str, data: dict[str, Any], shown: str) -> None:
    assert (block.type, block.to_dict(), repr(block)) == (kind, data, shown)


ALL = [
    *(TextContent("a"), TextContent("b"), TextContent("a", True), ReasoningContent("a"), ReasoningContent("a", True)),
    *(CustomContent("x"), CustomContent("y"), CustomContent("x", "a"), CustomContent("x", metadata={"a": 1})),
    *(CustomContent("x", partial=True), CustomContent("x", status="complete")),
    *(
        ToolUse("1", "f"),
        ToolUse("2", "f"),
        ToolUse("1", "g"),
        ToolUse("1", "f", {"a": 1}),
        ToolUse("1", "f", {}, True),
    ),
    *(ToolUse("1", "f", status="complete"), ToolUse("1", "f", repaired=True)),
]


def test_blocks_are_equal_if_they_show_the_same() -> None:
    for place, one in enumerate(ALL):
        assert [one == two for two in ALL] == [place == other for other in range(len(ALL))]
    assert TextContent(" a") == TextContent("a ")
    assert TextContent("a", status="truncated") == TextContent("a")
    assert ToolUse("1", "f", call_id="c", error="e") == ToolUse("1", "f")
    assert TextContent("a") != "a"


def test_a_block_has_no_hash_because_it_changes() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(TextContent("a"))


def test_a_bare_block_is_nothing() -> None:
    block = Block(False, is_visible=True)
    for ask in (block.to_dict, block.join, lambda: block.end(SegmentEnd("s")), lambda: block == Block.__new__(Block)):
        with pytest.raises(NotImplementedError):
            ask()


def test_what_only_an_ended_call_has() -> None:
    block = ToolUse("1", "f")
    assert (block.invocation, block.error, block.call_id) == (None, None, None)
