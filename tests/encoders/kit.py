"""Replies for encoders: the items of a text in a format, or of a provider's chunks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from streamparse import ParserConfig, Reply, SegmentContent, SegmentEnd, SegmentStart, ToolSpec
from streamparse.invocations import AnyItem
from streamparse.outcome import Outcome, StreamEnd

TOOLS = [
    ToolSpec("f", {"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "integer"}}}),
    ToolSpec("g", {"type": "object", "properties": {}}),
]

CALL = '<tool_call>{"name": "f", "arguments": {"s": "x", "n": 1}}</tool_call>'
EMPTY_CALL = '<tool_call>{"name": "g", "arguments": {}}</tool_call>'


def items(text: str | Iterable[Any], format: str | None = "hermes", outcome: Outcome | None = None) -> list[AnyItem]:
    """The items of a reply; with `outcome`, it ended like that."""
    found: list[AnyItem] = list(Reply(text, format, tools=TOOLS, config=ParserConfig(reasoning="closed")))
    return [*found[:-1], StreamEnd(outcome)] if outcome else found


def cuts(text: str) -> list[list[str]]:
    """A text whole, by characters, and in chunks of three."""
    return [[text], list(text), [text[place : place + 3] for place in range(0, len(text), 3)]]


def segment(number: int, kind: str, *contents: str, **end: Any) -> list[AnyItem]:
    """A segment that has these contents."""
    name = f"seg_{number}"
    return [SegmentStart(name, kind), *(SegmentContent(name, text) for text in contents), SegmentEnd(name, **end)]


def at_once() -> list[AnyItem]:
    """Two native calls that are written at the same time."""

    def call(index: int, **fields: Any) -> dict[str, Any]:
        return {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": index, **fields}]}}]}

    return items(
        [
            call(0, id="a", function={"name": "f", "arguments": '{"s": "'}),
            call(1, id="b", function={"name": "g", "arguments": "{"}),
            call(0, function={"arguments": 'x"}'}),
            call(1, function={"arguments": "}"}),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
        ],
        None,
    )
