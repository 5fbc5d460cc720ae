"""Reply: what it keeps, how it ends, and how it is iterated over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from streamparse import (
    Outcome,
    ParserConfig,
    ParserStateError,
    ProviderStreamError,
    Reply,
    SegmentContent,
    SegmentEnd,
    SegmentStart,
    StreamEnd,
    StreamingResponseHandler,
    ToolInvocation,
    Usage,
)
from tests.providers.cases import call, calls, chat

ID = {"id": "r-1", "model": "m-1"}
USAGE = {"prompt_tokens": 3, "completion_tokens": 4}
CHUNKS: list[Any] = [
    {**chat(content=""), **ID},
    chat(reasoning="Hm"),
    chat(content="Look: "),
    chat(content="<run_bash>rm</run_bash>"),
    calls(call(0, "c1", "search", '{"q": ')),
    calls(call(0, None, None, '"cats"}')),
    chat("tool_calls"),
    {"choices": [], "usage": USAGE},
]
OUTCOME = Outcome("tool_calls", "tool_calls", Usage(3, 4, provider=USAGE), "m-1", "r-1")
STATE = {"interface": "openai-chat", "reasoning_field": "reasoning"}
SEARCH = ToolInvocation("seg_3", "search", {"q": "cats"}, raw='{"q": "cats"}', call_id="c1", state=STATE)


def shown(reply: Reply) -> list[tuple[str, str, str | None]]:
    return [(segment.type, segment.content, segment.status) for segment in reply.segments]


def check_whole(reply: Reply, items: list[Any]) -> None:
    assert shown(reply) == [
        ("reasoning", "Hm", "complete"),
        ("text", "Look: <run_bash>rm</run_bash>", "complete"),
        ("tool_call", '{"q": "cats"}', "complete"),
    ]
    assert (reply.text, reply.reasoning) == ("Look: <run_bash>rm</run_bash>", "Hm")
    assert reply.raw == "Look: <run_bash>rm</run_bash>"
    assert reply.calls == [SEARCH]
    assert reply.segments[-1].call == SEARCH
    assert reply.outcome == OUTCOME
    assert items[-1] == StreamEnd(OUTCOME)
    assert [item for item in items if isinstance(item, ToolInvocation)] == [SEARCH]


def test_a_reply_keeps_what_it_gives() -> None:
    reply = Reply(CHUNKS)
    assert (reply.text, reply.reasoning, reply.calls, reply.outcome) == ("", "", [], None)
    check_whole(reply, list(reply))


@pytest.mark.parametrize("source", ["async", "sync", "awaitable"])
def test_the_same_for_async_for(source: str) -> None:
    async def chunks() -> AsyncIterator[Any]:
        for chunk in CHUNKS:
            yield chunk

    async def later() -> AsyncIterator[Any]:
        return chunks()

    async def run() -> None:
        reply = Reply({"async": chunks, "sync": lambda: CHUNKS, "awaitable": later}[source]())
        check_whole(reply, [item async for item in reply])

    asyncio.run(run())


def test_the_text_of_a_text_format_keeps_its_markers() -> None:
    text = 'A<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    for chunks in (text, list(text), [text.encode()[:3], text.encode()[3:]], [chat(content=part) for part in text]):
        reply = Reply(chunks, "hermes")
        assert list(reply)[-1] == StreamEnd(Outcome())
        assert (reply.text, reply.raw) == ("A", text)
        assert [call.name for call in reply.calls] == ["f"]


def test_a_model_names_its_format() -> None:
    reply = Reply('<tool_call>{"name": "f", "arguments": {}}</tool_call>', model="NousResearch/Hermes-3-Llama-3.1-8B")
    list(reply)
    assert [call.name for call in reply.calls] == ["f"]


class Source:
    """A stream that knows whether it was closed."""

    def __init__(self) -> None:
        self.is_closed = False
        self._chunks = iter(CHUNKS)

    def __iter__(self) -> Iterator[Any]:
        return self._chunks

    def close(self) -> None:
        self.is_closed = True


class AsyncSource(Source):
    async def __aiter__(self) -> AsyncIterator[Any]:
        for chunk in self._chunks:
            yield chunk

    async def aclose(self) -> None:
        self.is_closed = True


def check_stopped(reply: Reply, source: Source) -> None:
    assert source.is_closed
    assert shown(reply)[-1] == ("tool_call", '{"q": ', "truncated")
    assert [(call.status, call.arguments) for call in reply.calls] == [("truncated", {})]
    assert reply.outcome == Outcome("cancelled", model="m-1", response_id="r-1")


def test_a_consumer_that_stops() -> None:
    source = Source()
    reply = Reply(source)
    for item in reply:
        if item.type == "SEGMENT_CONTENT" and item.segment_type == "tool_call":
            break
    check_stopped(reply, source)


@pytest.mark.parametrize("way", ["aclose", "with"])
def test_a_consumer_that_stops_asynchronously(way: str) -> None:
    async def look(reply: Reply) -> None:
        async for item in reply:
            if item.type == "SEGMENT_CONTENT" and item.segment_type == "tool_call":
                break

    async def run() -> None:
        source = AsyncSource()
        reply = Reply(source)
        if way == "aclose":
            await look(reply)
            await reply.aclose()
        else:
            async with reply:
                await look(reply)
        check_stopped(reply, source)
        await reply.aclose()

    asyncio.run(run())


def test_close_and_with() -> None:
    source = Source()
    with Reply(source) as reply:
        items = iter(reply)
        while next(items).type != "SEGMENT_CONTENT":
            pass
    assert source.is_closed
    assert shown(reply) == [("reasoning", "Hm", "truncated")]
    assert reply.outcome == Outcome("cancelled", model="m-1", response_id="r-1")
    reply.close()


def test_close_before_anything_was_read() -> None:
    source, other = Source(), AsyncSource()
    reply = Reply(source)
    reply.close()
    assert (source.is_closed, reply.outcome, reply.segments) == (True, Outcome("cancelled"), [])
    with pytest.raises(ParserStateError, match="read once"):
        reply.read()

    async def run() -> None:
        unread = Reply(other)
        await unread.aclose()
        await unread.aclose()
        assert unread.outcome == Outcome("cancelled")

    asyncio.run(run())
    assert other.is_closed


def test_close_is_not_for_async_for() -> None:
    async def run() -> None:
        reply = await Reply(CHUNKS).aread()
        assert reply.outcome == OUTCOME
        with pytest.raises(ParserStateError, match="await aclose"):
            reply.close()

    asyncio.run(run())


def test_a_source_that_raises() -> None:
    def chunks() -> Iterator[Any]:
        yield from CHUNKS[:5]
        raise ConnectionError("gone")

    reply = Reply(chunks())
    items: list[Any] = []
    with pytest.raises(ConnectionError, match="gone"):
        items.extend(reply)
    outcome = Outcome("error", model="m-1", response_id="r-1", error="gone", is_exception=True)
    assert items[-1] == StreamEnd(outcome)
    assert reply.outcome == outcome
    assert (reply.calls[0].status, reply.calls[0].error) == ("truncated", "the reply was cut off: ConnectionError")


def test_a_provider_that_gives_up() -> None:
    reply = Reply([*CHUNKS[:3], {"error": {"message": "busy"}}])
    items: list[Any] = []
    with pytest.raises(ProviderStreamError, match="busy"):
        items.extend(reply)
    assert items[-1] == StreamEnd(Outcome("error", model="m-1", response_id="r-1", error="busy"))
    assert shown(reply)[-1] == ("text", "Look: ", "truncated")


def test_parts_of_reasoning_are_separated() -> None:
    reply = Reply([chat(reasoning="a"), chat(content="b"), chat(reasoning="c")]).read()
    assert reply.reasoning == "a\n\nc"


def test_text_that_turns_out_to_be_reasoning_is_reasoning() -> None:
    reply = Reply(["hm, ", "so</think>", "Hello"], "hermes")
    items = iter(reply)
    assert isinstance(next(items), SegmentStart)
    next(items)
    (segment,) = reply.segments
    assert (segment.type, reply.text, reply.reasoning) == ("text", "hm, ", "")
    assert [item.payload for item in items if isinstance(item, SegmentEnd)] == [{"reasoning": True}, {}]
    assert shown(reply) == [("reasoning", "hm, so", "complete"), ("text", "Hello", "complete")]
    assert (segment.type, reply.text, reply.reasoning) == ("reasoning", "Hello", "hm, so")
    assert reply.messages("openai") == [{"role": "assistant", "content": "Hello"}]


def test_a_reply_is_read_once() -> None:
    reply = Reply(CHUNKS)
    list(reply)
    with pytest.raises(ParserStateError, match="read once"):
        list(reply)


def test_an_asynchronous_stream_needs_async_for() -> None:
    async def chunks() -> AsyncIterator[Any]:
        yield "Hi"

    with pytest.raises(TypeError, match="async for"):
        list(Reply(chunks()))


def test_a_choice() -> None:
    chunks = [{"choices": [{"index": 1, "delta": {"content": "B"}}, {"index": 0, "delta": {"content": "A"}}]}]
    for choice, text in ((0, "A"), (1, "B")):
        reply = Reply(chunks, choice=choice)
        list(reply)
        assert reply.text == text


@pytest.mark.parametrize("kind", ["SEGMENT_END", "TOOL_INVOCATION"])
def test_a_consumer_that_stops_before_all_of_a_chunk_was_given(kind: str) -> None:
    reply = Reply("a <run_bash>ls</run_bash> b", "xml")
    for item in reply:
        if item.type == kind:
            break
    assert shown(reply) == [("text", "a ", "complete"), ("run_bash", "ls", "complete"), ("text", " b", "truncated")]
    assert [call.status for call in reply.calls] == ["complete"]


def test_an_asynchronous_stream_may_be_read_after_all() -> None:
    async def chunks() -> AsyncIterator[Any]:
        yield "Hi"

    async def later() -> AsyncIterator[Any]:
        return chunks()

    async def run() -> None:
        reply = Reply(chunks())
        with pytest.raises(TypeError, match="asynchronous: use `async for`"):
            reply.read()
        await reply.aread()
        assert reply.text == "Hi"
        with pytest.raises(TypeError, match="coroutine is asynchronous"):
            Reply(later()).read()

    asyncio.run(run())


def test_half_a_character_at_the_end_is_in_the_raw_text_too() -> None:
    reply = Reply([b"a\xe2\x82"]).read()
    assert (reply.raw, reply.text) == ("a\ufffd", "a\ufffd")
    reply = Reply([b"\xf0\x9f", "a"]).read()
    assert (reply.raw, reply.text) == ("\ufffda", "\ufffda")


def test_a_reply_collects_calls() -> None:
    with pytest.raises(ValueError, match="collects none"):
        Reply("a", config=ParserConfig(invocations=False))


def test_usage_is_not_changed_by_what_comes_later() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 1}}
    handler = StreamingResponseHandler("native")
    handler.feed(chat("stop"))
    handler.feed(usage)
    outcome = handler.outcome
    handler.feed({"choices": [], "usage": {"prompt_tokens": 9}})
    assert outcome is not None
    assert outcome.usage == Usage(1, provider={"prompt_tokens": 1})


def test_a_source_that_is_closed_without_waiting() -> None:
    class Mixed(Source):
        async def __aiter__(self) -> AsyncIterator[Any]:
            for chunk in self._chunks:
                yield chunk

    async def run() -> None:
        source = Mixed()
        reply = await Reply(source).aread()
        assert (source.is_closed, reply.outcome) == (True, OUTCOME)

    asyncio.run(run())


def test_segments_are_equal_however_their_content_came() -> None:
    whole, cut = Reply("a<think>b</think>").read(), Reply(list("a<think>b</think>")).read()
    assert whole.segments == cut.segments
    assert whole.segments != Reply("a<think>c</think>").read().segments


# -- stopping from within ----------------------------------------------------------------------------------------------

BROKEN_OFF = ["a", '<write_file path="x">y', "z", "</write_file>"]


def statuses(reply: Reply) -> list[tuple[str, str | None]]:
    return [(segment.content, segment.status) for segment in reply.segments]


def test_a_reply_that_is_stopped_comes_to_its_end() -> None:
    reply = Reply(iter(BROKEN_OFF), "xml")
    items = []
    for item in reply:
        items.append(item)
        if item == SegmentContent("seg_2", "y"):
            reply.stop()
    assert statuses(reply) == [("a", "complete"), ("y", "truncated")]
    assert [type(item).__name__ for item in items[-3:]] == ["SegmentEnd", "ToolInvocation", "StreamEnd"]
    assert reply.outcome is not None
    assert reply.outcome.finish_reason == "cancelled"


def test_a_reply_that_is_stopped_before_it_begins_reads_nothing() -> None:
    chunks = iter(BROKEN_OFF)
    reply = Reply(chunks, "xml")
    reply.stop()
    assert [type(item).__name__ for item in reply] == ["StreamEnd"]
    assert list(chunks) == BROKEN_OFF


@pytest.mark.parametrize("where", ["before", "connecting", "waiting", "between"])
async def test_a_reply_that_is_stopped_while_a_task_waits_for_it(where: str) -> None:
    """The task is cancelled, and goes on with the last items instead; nothing is left of the source."""
    waits, closed = asyncio.Event(), []

    async def chunks() -> AsyncIterator[str]:
        try:
            for chunk in BROKEN_OFF[:2]:
                yield chunk
            waits.set()
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    async def connect() -> AsyncIterator[str]:
        waits.set()
        await asyncio.Event().wait()
        return chunks()

    reply = Reply(connect() if where == "connecting" else chunks(), "xml")
    items: list[object] = []

    async def read() -> None:
        async for item in reply:
            items.append(item)
            if where == "between" and item == SegmentContent("seg_2", "y"):
                reply.stop()

    if where == "before":
        reply.stop()
    task = asyncio.create_task(read())
    if where in ("connecting", "waiting"):
        await waits.wait()
        reply.stop()
        task.cancel()
    await task
    assert [type(item).__name__ for item in items[-1:]] == ["StreamEnd"]
    assert statuses(reply) == ([] if where in ("before", "connecting") else [("a", "complete"), ("y", "truncated")])
    assert closed == ([] if where in ("before", "connecting") else [True])
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_task_that_is_cancelled_without_a_stop_is_cancelled() -> None:
    reply = Reply(slow(), "xml")
    task = asyncio.create_task(reply.aread())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert statuses(reply) == [("a", "truncated")]


class Countdown:
    """An asynchronous iterator that is no generator, and cannot be closed."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __aiter__(self) -> Countdown:
        return self

    async def __anext__(self) -> str:
        self.count -= 1
        if self.count < 0:
            raise StopAsyncIteration
        return str(self.count)


async def test_a_source_that_cannot_be_closed() -> None:
    reply = Reply(Countdown(3), "xml")
    assert (await reply.aread()).text == "210"
    stopped = Reply(Countdown(3), "xml")
    async for _ in stopped:
        stopped.stop()
    assert statuses(stopped) == [("2", "truncated")]


async def slow() -> AsyncIterator[str]:
    yield "a"
    await asyncio.Event().wait()
