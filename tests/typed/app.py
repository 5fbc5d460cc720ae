"""An application as a type checker sees it: every way to tell events apart, and what a checker must object to."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, assert_never, assert_type

from streamparse import (
    AnyEvent,
    EventReader,
    ParserConfig,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentEventType,
    SegmentStart,
    StreamingParser,
    StreamingResponseHandler,
    ToolInvocation,
    ToolInvocationAdapter,
    aparse,
    parse,
)
from streamparse.blocks import Block, TextContent, ToolUse, parse_assistant_message
from streamparse.invocations import ToolLifecycle
from streamparse.outcome import StreamEnd
from streamparse.plans import ToolPlan


def by_match(event: AnyEvent) -> str:
    match event:
        case SegmentStart():
            return f"{event.segment_type} {event.format}"
        case SegmentContent(delta=delta):
            return delta
        case SegmentEnd():
            return event.status or "complete"
        case _:
            assert_never(event)


def by_type(event: AnyEvent) -> str:
    if event.type is SegmentEventType.START:
        return event.format
    elif event.type == SegmentEventType.CONTENT:
        return assert_type(event, SegmentContent).delta
    else:
        return event.status or "complete"


def by_text(event: AnyEvent) -> str:
    """The type is its text, too; a checker does not narrow by that, but every event answers every attribute."""
    return event.delta if event.type == "SEGMENT_CONTENT" else str(event.metadata or event.payload)


def by_item(item: AnyEvent | ToolInvocation) -> str:
    if isinstance(item, ToolInvocation):
        return f"{item.name} {item.arguments} {item.content}"
    elif isinstance(item, SegmentStart):
        return item.format
    elif isinstance(item, SegmentContent):
        return item.delta
    else:
        return assert_type(item, SegmentEnd).error or ""


def by_discriminator(item: AnyEvent | ToolInvocation | StreamEnd | ToolPlan) -> str:
    if isinstance(item, SegmentEvent):
        return item.segment_id
    elif item.type == "TOOL_INVOCATION":
        return assert_type(item, ToolInvocation).name
    elif item.type == "STREAM_END":
        return assert_type(item, StreamEnd).outcome.finish_reason
    else:
        return assert_type(item, ToolPlan).mode


def run(chunks: list[str]) -> list[str]:
    assert_type(parse(chunks), Iterator[AnyEvent])
    shown = [by_match(event) + by_type(event) + by_text(event) for event in parse(chunks, "xml")]
    items = parse(chunks, "xml", invocations=True, tools=[{"name": "f"}], config=ParserConfig(code="parse"))
    shown += [by_item(assert_type(item, AnyEvent | ToolInvocation)) for item in items]
    handler = StreamingResponseHandler("xml", on_segment_event=print_type)
    for chunk in chunks:
        shown += [by_match(event) for event in handler.feed(chunk)]
    shown += [by_match(event) for event in [*handler.finalize(), *handler.abort()]]
    shown += [by_match(event) for event in StreamingParser("xml").feed(chunks[0])]
    return shown + [by_discriminator(item) for item in parse(chunks, "xml", invocations=True)]


def print_type(event: SegmentEvent) -> None:
    """A subscriber may ask for less than it gets."""
    print(event.type)


async def arun(chunks: AsyncIterator[str]) -> list[str]:
    handler = StreamingResponseHandler("xml")
    shown = [by_match(event) for event in await handler.afeed("a")]
    assert_type(aparse(["a"], invocations=True), AsyncIterator[AnyEvent | ToolInvocation])
    return shown + [by_match(event) async for event in aparse(chunks)]


def read(lines: Iterable[str]) -> list[ToolInvocation]:
    reader, adapter = EventReader(), ToolInvocationAdapter()
    items = [reader.read(json.loads(line)) for line in lines]
    assert_type(items, list[AnyEvent | ToolInvocation | StreamEnd | ToolLifecycle])
    return adapter.feed_all(items)


def blocks(text: str) -> list[Any]:
    found: list[Block] = parse_assistant_message(text)
    return [
        block.params if isinstance(block, ToolUse) else block.content if isinstance(block, TextContent) else block.type
        for block in found
    ]


def wrong(event: AnyEvent, item: AnyEvent | ToolInvocation) -> None:
    """What is silenced here must be an error: a comment that silences nothing is one."""
    event.late  # type: ignore[union-attr]
    event.segment_id = "x"  # type: ignore[misc]
    item.segment_id  # type: ignore[union-attr]
    parse("a", formt="xml")  # type: ignore[call-overload]
    parse("a", invocations=True, on_error=5)  # type: ignore[call-overload]
    SegmentEnd("seg_1", written={"a": "b"})  # type: ignore[dict-item]
    match event:
        case SegmentStart() | SegmentContent():
            pass
        case _:
            assert_never(event)  # type: ignore[arg-type]
