"""handler.py: who is told what and when, and that nobody can disturb anybody else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, get_type_hints

import pytest

from streamparse import (
    Chunk,
    LimitError,
    Limits,
    ParserConfig,
    ParserStateError,
    RegistryError,
    RunBashState,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentStart,
    StreamingResponseHandler,
    ToolInvocation,
    ToolSpec,
    ToolStateRegistry,
    aparse,
    parse,
)
from streamparse.testing import segments

TEXT = 'a<run_bash>ls</run_bash><write_file path="p">x</write_file>'
EVENTS: list[SegmentEvent] = [
    *(SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a"), SegmentEnd("seg_1")),
    *(SegmentStart("seg_2", "run_bash"), SegmentContent("seg_2", "ls"), SegmentEnd("seg_2")),
    *(SegmentStart("seg_3", "write_file", {"path": "p"}), SegmentContent("seg_3", "x"), SegmentEnd("seg_3")),
]
SECRET = "hunter2"


class BoomError(Exception):
    """What a subscriber of these tests raises."""


def told(handler: StreamingResponseHandler, text: str = TEXT) -> list[SegmentEvent]:
    return handler.feed(text) + handler.finalize()


async def atold(handler: StreamingResponseHandler, text: str = TEXT) -> list[SegmentEvent]:
    return await handler.afeed(text) + await handler.afinalize()


# -- subscribing -------------------------------------------------------------------------------------------------------


def test_feed_and_finalize_return_the_events_they_tell() -> None:
    seen: list[SegmentEvent] = []
    handler = StreamingResponseHandler("xml", on_segment_event=seen.append)
    assert handler.feed(TEXT + "b") == [*EVENTS, SegmentStart("seg_4", "text"), SegmentContent("seg_4", "b")]
    assert seen == [*EVENTS, SegmentStart("seg_4", "text"), SegmentContent("seg_4", "b")]
    assert handler.finalize() == [SegmentEnd("seg_4")]
    assert seen[-1:] == [SegmentEnd("seg_4")]
    assert handler.finalize() == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, EVENTS),
        ({"segment_type": "run_bash"}, EVENTS[3:6]),
        ({"event_type": "SEGMENT_END"}, [EVENTS[2], EVENTS[5], EVENTS[8]]),
        ({"segment_type": "write_file", "event_type": "SEGMENT_CONTENT"}, [EVENTS[7]]),
        ({"segment_type": "reasoning"}, []),
    ],
    ids=str,
)
def test_a_subscriber_is_told_what_its_filters_let_through(
    filters: dict[str, str], expected: list[SegmentEvent]
) -> None:
    handler, seen = StreamingResponseHandler("xml"), []
    handler.subscribe(seen.append, **filters)
    told(handler)
    assert seen == expected


@pytest.mark.parametrize("event_type", ["CONTENT", "segment_content", ""])
def test_an_unknown_event_type_is_refused(event_type: str) -> None:
    with pytest.raises(
        ValueError, match=r"^unknown event type '\w*': (did you mean|expected one of) .*SEGMENT_CONTENT"
    ):
        StreamingResponseHandler("xml").subscribe(print, event_type=event_type)


@pytest.mark.parametrize("callback", [None, 5, "print", []], ids=lambda value: type(value).__name__)
def test_a_subscriber_must_be_callable(callback: Any) -> None:
    with pytest.raises(TypeError) as caught:
        StreamingResponseHandler("xml").subscribe(callback)
    assert str(caught.value) == f"a subscriber must be callable, not {type(callback).__name__}"


def test_subscribers_are_called_in_the_order_of_subscription_event_by_event() -> None:
    calls: list[tuple[str, str]] = []
    handler = StreamingResponseHandler("xml", on_segment_event=lambda event: calls.append(("first", event.delta)))
    handler.subscribe(lambda event: calls.append(("second", event.delta)))
    handler.subscribe(lambda event: calls.append(("third", event.delta)))
    handler.feed("a")
    assert calls == [
        *(("first", ""), ("second", ""), ("third", "")),
        *(("first", "a"), ("second", "a"), ("third", "a")),
    ]


def test_off_ends_a_subscription_and_no_other() -> None:
    handler = StreamingResponseHandler("xml")
    one: list[str] = []
    off = handler.subscribe(lambda event: one.append(event.delta), event_type="SEGMENT_CONTENT")
    two: list[str] = []
    handler.subscribe(lambda event: two.append(event.delta), event_type="SEGMENT_CONTENT")
    handler.feed("a")
    off()
    off()
    handler.feed("b")
    assert (one, two) == (["a"], ["a", "b"])


def test_one_callback_may_subscribe_twice_and_go_once() -> None:
    handler, seen = StreamingResponseHandler("xml"), []
    off = handler.subscribe(seen.append)
    handler.subscribe(seen.append)
    handler.feed("a")
    off()
    handler.feed("b")
    start, a, b = SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a"), SegmentContent("seg_1", "b")
    assert seen == [start, start, a, a, b]


def test_off_from_within_a_callback_acts_at_once() -> None:
    handler, calls = StreamingResponseHandler("xml"), []

    def first(event: SegmentEvent) -> None:
        calls.append("first")
        off_first()
        off_second()

    off_first = handler.subscribe(first)
    off_second = handler.subscribe(lambda event: calls.append("second"))
    handler.subscribe(lambda event: calls.append("third"))
    handler.feed("a")
    assert calls == ["first", "third", "third"]


def test_a_subscriber_that_comes_from_within_a_callback_hears_the_next_event() -> None:
    handler, seen = StreamingResponseHandler("xml"), []
    handler.subscribe(lambda event: handler.subscribe(seen.append) and None, event_type="SEGMENT_START")
    handler.feed("a")
    assert seen == [SegmentContent("seg_1", "a")]


def test_the_handler_keeps_no_events() -> None:
    handler = StreamingResponseHandler("xml")
    first = handler.feed("a")
    first.clear()
    assert handler.feed("b") == [SegmentContent("seg_1", "b")]


# -- subscribers that raise --------------------------------------------------------------------------------------------


def raising(event: SegmentEvent) -> None:
    raise BoomError(event.type)


def test_a_subscriber_that_raises_disturbs_neither_the_stream_nor_the_others() -> None:
    before: list[SegmentEvent] = []
    after: list[SegmentEvent] = []
    errors: list[Exception] = []
    handler = StreamingResponseHandler("xml", on_segment_event=before.append, on_error=errors.append)
    handler.subscribe(raising)
    handler.subscribe(after.append)
    assert told(handler) == EVENTS
    assert (before, after) == (EVENTS, EVENTS)
    assert [(type(error), error.args) for error in errors] == [(BoomError, (event.type,)) for event in EVENTS]


async def test_a_coroutine_that_raises_disturbs_neither_the_stream_nor_the_others() -> None:
    after: list[SegmentEvent] = []
    errors: list[Exception] = []

    async def failing(event: SegmentEvent) -> None:
        await asyncio.sleep(0)
        raise BoomError(event.type)

    handler = StreamingResponseHandler("xml", on_segment_event=failing, on_error=errors.append)
    handler.subscribe(raising)
    handler.subscribe(after.append)
    assert await atold(handler) == EVENTS
    assert after == EVENTS
    assert [error.args for error in errors] == [(event.type,) for event in EVENTS for _ in range(2)]


def test_the_error_says_which_subscriber_raised_it() -> None:
    errors: list[Exception] = []
    handler = StreamingResponseHandler("xml", on_segment_event=raising, on_error=errors.append)
    handler.feed("a")
    assert [error.__notes__ for error in errors] == [[f"raised by the subscriber {raising!r}"]] * 2


def test_without_on_error_the_error_is_logged_and_no_content_is(caplog: pytest.LogCaptureFixture) -> None:
    def failing(event: SegmentEvent) -> None:
        raise BoomError("no reason")

    handler = StreamingResponseHandler("xml", on_segment_event=failing)
    with caplog.at_level(logging.DEBUG):
        events = told(handler, f'{SECRET}<write_file path="{SECRET}">{SECRET}</write_file>')
    assert [(record.name, record.levelno, record.getMessage()) for record in caplog.records] == [
        ("streamparse", logging.ERROR, "a subscriber raised an exception; pass on_error= to handle it")
    ] * len(events)
    assert [type(record.exc_info[1]) for record in caplog.records if record.exc_info] == [BoomError] * len(events)
    assert caplog.text.count(SECRET) == 0


def test_with_on_error_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        told(StreamingResponseHandler("xml", on_segment_event=raising, on_error=lambda error: None))
    assert caplog.records == []


def test_an_on_error_that_raises_is_logged_and_disturbs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def failing_too(error: Exception) -> None:
        raise KeyError("again")

    seen: list[SegmentEvent] = []
    handler = StreamingResponseHandler("xml", on_segment_event=raising, on_error=failing_too)
    handler.subscribe(seen.append)
    with caplog.at_level(logging.DEBUG):
        assert told(handler) == EVENTS
    assert seen == EVENTS
    assert [record.getMessage() for record in caplog.records] == [
        "reporting the exception of a subscriber raised another"
    ] * len(EVENTS)
    assert [type(record.exc_info[1]) for record in caplog.records if record.exc_info] == [KeyError] * len(EVENTS)


def test_a_keyboard_interrupt_is_not_swallowed_and_leaves_the_handler_usable() -> None:
    def interrupted(event: SegmentEvent) -> None:
        raise KeyboardInterrupt

    handler = StreamingResponseHandler("xml")
    off = handler.subscribe(interrupted)
    with pytest.raises(KeyboardInterrupt):
        handler.feed("a")
    off()
    assert handler.feed("b") == [SegmentContent("seg_1", "b")]


# -- feeding from within -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["feed", "finalize"])
def test_a_subscriber_cannot_feed_the_handler_that_calls_it(method: str) -> None:
    errors: list[Exception] = []

    def reenter(event: SegmentEvent) -> None:
        handler.feed("again") if method == "feed" else handler.finalize()

    handler = StreamingResponseHandler("xml", on_segment_event=reenter, on_error=errors.append)
    assert told(handler) == EVENTS
    assert [(type(error), str(error)) for error in errors] == [
        (
            ParserStateError,
            f"{method}() was called from a subscriber, or while another feed is running: feed from outside",
        )
    ] * len(EVENTS)


@pytest.mark.parametrize("method", ["feed", "finalize", "afeed", "afinalize"])
async def test_a_coroutine_subscriber_cannot_feed_the_handler_that_awaits_it(method: str) -> None:
    errors: list[Exception] = []

    async def reenter(event: SegmentEvent) -> None:
        call: Callable[..., Any] = getattr(handler, method)
        result = call() if method.endswith("finalize") else call("again")
        if method.startswith("a"):
            await result

    handler = StreamingResponseHandler("xml", on_segment_event=reenter, on_error=errors.append)
    assert await atold(handler) == EVENTS
    assert [(type(error), str(error)) for error in errors] == [
        (
            ParserStateError,
            f"{method}() was called from a subscriber, or while another feed is running: feed from outside",
        )
    ] * len(EVENTS)


async def test_two_tasks_cannot_feed_one_handler_at_the_same_time() -> None:
    gate = asyncio.Event()

    async def waiting(event: SegmentEvent) -> None:
        await gate.wait()

    handler = StreamingResponseHandler("xml", on_segment_event=waiting)
    first = asyncio.create_task(handler.afeed("a"))
    await asyncio.sleep(0)
    with pytest.raises(ParserStateError, match=r"^afeed\(\) was called from a subscriber, or while another feed is"):
        await handler.afeed("b")
    gate.set()
    assert await first == [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a")]
    assert await handler.afeed("c") == [SegmentContent("seg_1", "c")]


# -- coroutine subscribers ---------------------------------------------------------------------------------------------


async def test_coroutine_subscribers_are_awaited_in_order_event_by_event() -> None:
    calls: list[tuple[str, str]] = []

    async def slow(event: SegmentEvent) -> None:
        calls.append(("slow begins", event.delta))
        await asyncio.sleep(0.001)
        calls.append(("slow ends", event.delta))

    handler = StreamingResponseHandler("xml", on_segment_event=slow)
    handler.subscribe(lambda event: calls.append(("plain", event.delta)))
    assert await handler.afeed("a") == [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a")]
    assert calls == [
        *(("slow begins", ""), ("slow ends", ""), ("plain", "")),
        *(("slow begins", "a"), ("slow ends", "a"), ("plain", "a")),
    ]
    calls.clear()
    assert await handler.afinalize() == [SegmentEnd("seg_1")]
    assert calls == [("slow begins", ""), ("slow ends", ""), ("plain", "")]
    assert await handler.afinalize() == []


class AsyncCallable:
    def __init__(self) -> None:
        self.seen: list[SegmentEvent] = []

    async def __call__(self, event: SegmentEvent) -> None:
        await asyncio.sleep(0)
        self.seen.append(event)

    async def method(self, event: SegmentEvent) -> None:
        await self(event)


async def test_an_object_with_an_async_call_is_awaited() -> None:
    subscriber = AsyncCallable()
    await atold(StreamingResponseHandler("xml", on_segment_event=subscriber))
    assert subscriber.seen == EVENTS


async def test_a_plain_function_that_returns_an_awaitable_is_awaited() -> None:
    subscriber = AsyncCallable()
    await atold(StreamingResponseHandler("xml", on_segment_event=lambda event: subscriber(event)))
    assert subscriber.seen == EVENTS


async def test_filters_and_off_hold_for_coroutine_subscribers() -> None:
    subscriber = AsyncCallable()
    handler = StreamingResponseHandler("xml")
    off = handler.subscribe(subscriber, segment_type="text", event_type="SEGMENT_CONTENT")
    await handler.afeed("a<run_bash>ls</run_bash>b")
    off()
    await handler.afeed("c")
    assert subscriber.seen == [SegmentContent("seg_1", "a"), SegmentContent("seg_3", "b")]


@pytest.mark.parametrize("shape", ["function", "object", "method"])
def test_sync_methods_refuse_coroutine_subscribers_and_name_the_async_ones(shape: str) -> None:
    async def function(event: SegmentEvent) -> None:
        raise AssertionError("must not be called")

    subscriber = AsyncCallable()
    callback = {"function": function, "object": subscriber, "method": subscriber.method}[shape]
    handler = StreamingResponseHandler("xml", on_segment_event=callback)
    for method, call in (("feed", lambda: handler.feed("a")), ("finalize", handler.finalize)):
        with pytest.raises(ParserStateError) as caught:
            call()
        assert str(caught.value) == (
            f"a subscriber is a coroutine function: await a{method}() instead of calling {method}()"
        )
    assert subscriber.seen == []


def test_sync_methods_work_again_when_the_coroutine_subscriber_is_off() -> None:
    handler = StreamingResponseHandler("xml", on_segment_event=lambda event: None)
    off = handler.subscribe(AsyncCallable())
    with pytest.raises(ParserStateError):
        handler.feed("a")
    off()
    assert handler.feed("a") == [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a")]


def test_sync_feed_stays_refused_while_another_coroutine_subscriber_is_there() -> None:
    handler = StreamingResponseHandler("xml", on_segment_event=AsyncCallable())
    handler.subscribe(AsyncCallable())()
    with pytest.raises(ParserStateError, match=r"await afeed\(\)"):
        handler.feed("a")


def test_an_awaitable_that_sync_feed_cannot_await_is_reported_not_leaked() -> None:
    subscriber, errors = AsyncCallable(), []
    handler = StreamingResponseHandler("xml", on_segment_event=lambda event: subscriber(event), on_error=errors.append)
    assert told(handler) == EVENTS
    assert subscriber.seen == []
    assert [(type(error), str(error)) for error in errors] == [
        (ParserStateError, "the subscriber returned an awaitable, which feed() cannot await: use afeed()")
    ] * len(EVENTS)


class Ready:
    """An awaitable that is no coroutine, as a future is."""

    def __await__(self) -> Iterator[None]:
        yield from ()


def test_any_awaitable_that_sync_feed_cannot_await_is_reported() -> None:
    errors: list[Exception] = []
    ready: Callable[[SegmentEvent], Awaitable[None]] = lambda event: Ready()  # noqa: E731
    StreamingResponseHandler("xml", on_segment_event=ready, on_error=errors.append).feed("a")
    assert [type(error) for error in errors] == [ParserStateError, ParserStateError]


def test_what_a_plain_subscriber_returns_is_ignored() -> None:
    errors: list[Exception] = []
    told(StreamingResponseHandler("xml", on_segment_event=lambda event: "value", on_error=errors.append))  # type: ignore[arg-type,return-value]
    assert errors == []


async def test_a_cancelled_feed_leaves_the_handler_usable() -> None:
    async def forever(event: SegmentEvent) -> None:
        await asyncio.Event().wait()

    handler = StreamingResponseHandler("xml")
    off = handler.subscribe(forever)
    task = asyncio.create_task(handler.afeed("a"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    off()
    assert await handler.afeed("b") == [SegmentContent("seg_1", "b")]


# -- which formats -----------------------------------------------------------------------------------------------------


def test_without_a_name_the_format_is_xml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMPARSE_PARSER", raising=False)
    assert told(StreamingResponseHandler()) == EVENTS


def test_the_environment_variable_names_the_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMPARSE_PARSER", "from_environment")
    with pytest.raises(RegistryError, match=r"^unknown format 'from_environment': `streamparse formats` lists them$"):
        StreamingResponseHandler()
    monkeypatch.setenv("STREAMPARSE_PARSER", "xml_tag")
    assert told(StreamingResponseHandler()) == EVENTS


def test_an_empty_environment_variable_names_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMPARSE_PARSER", "")
    assert told(StreamingResponseHandler()) == EVENTS


def test_strategy_order_comes_before_the_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMPARSE_PARSER", "from_environment")
    assert told(StreamingResponseHandler(config=ParserConfig(strategy_order=["xml_tag"]))) == EVENTS
    with pytest.raises(RegistryError, match=r"^unknown format 'from_config': `streamparse formats` lists them$"):
        StreamingResponseHandler(config=ParserConfig(strategy_order="from_config"))
    with pytest.raises(RegistryError, match=r"^unknown format 'from_environment': `streamparse formats` lists them$"):
        StreamingResponseHandler(config=ParserConfig())


def test_the_name_in_the_code_comes_before_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMPARSE_PARSER", "from_environment")
    config = ParserConfig(strategy_order="from_config")
    assert told(StreamingResponseHandler("xml", config=config)) == EVENTS
    assert told(StreamingResponseHandler(["xml"], config=config)) == EVENTS


def test_config_tools_and_registry_reach_the_parser() -> None:
    handler = StreamingResponseHandler(
        "xml", config=ParserConfig(segment_id_prefix="m-"), tools=[ToolSpec("sh", kind="run_bash")]
    )
    events = handler.feed('<tool name="sh"><command>ls</command></tool>')
    assert segments(events) == [("run_bash", {"tool_name": "sh"}, "ls", {})]
    assert [event.segment_id for event in events] == ["m-1", "m-1", "m-1"]
    registry = ToolStateRegistry()
    registry.register("sh", RunBashState, bare=True)
    bare = StreamingResponseHandler("xml", registry=registry)
    assert segments(told(bare, "<sh>ls</sh>")) == [("run_bash", {}, "ls", {})]


# -- limits ------------------------------------------------------------------------------------------------------------

LIMITED = ParserConfig(limits=Limits(max_total=3))
START, ABC, END = SegmentStart("seg_1", "text"), SegmentContent("seg_1", "abc"), SegmentEnd("seg_1")


def test_subscribers_hear_what_was_certain_before_a_limit_error() -> None:
    seen: list[SegmentEvent] = []
    handler = StreamingResponseHandler("xml", config=LIMITED, on_segment_event=seen.append)
    with pytest.raises(LimitError) as caught:
        handler.feed("abcdef")
    assert (caught.value.offset, seen) == (3, [START, ABC])
    assert handler.finalize() == [END]
    assert seen == [START, ABC, END]


async def test_coroutine_subscribers_hear_what_was_certain_before_a_limit_error() -> None:
    subscriber = AsyncCallable()
    handler = StreamingResponseHandler("xml", config=LIMITED, on_segment_event=subscriber)
    with pytest.raises(LimitError) as caught:
        await handler.afeed("abcdef")
    assert (caught.value.offset, subscriber.seen) == (3, [START, ABC])
    assert await handler.afinalize() == [END]


def test_misuse_of_the_parser_comes_through() -> None:
    handler = StreamingResponseHandler("xml")
    with pytest.raises(TypeError, match=r"^feed\(\) takes str, bytes, a Chunk or .*, not NoneType$"):
        handler.feed(None)
    handler.finalize()
    with pytest.raises(ParserStateError, match=r"^feed\(\) after the end"):
        handler.feed("a")


# -- one call ----------------------------------------------------------------------------------------------------------


class BrokenError(Exception):
    """What a source of these tests raises."""


def broken_source(*chunks: str) -> Iterator[str]:
    yield from chunks
    raise BrokenError


async def source(*chunks: str) -> AsyncIterator[str]:
    for chunk in chunks:
        await asyncio.sleep(0)
        yield chunk


async def broken_asource(*chunks: str) -> AsyncIterator[str]:
    async for chunk in source(*chunks):
        yield chunk
    raise BrokenError


TRUNCATED: list[SegmentEvent] = [
    SegmentStart("seg_1", "write_file", {"path": "p"}),
    SegmentContent("seg_1", "x"),
    SegmentContent("seg_1", "</wri"),
    SegmentEnd("seg_1", "truncated", "the reply was cut off: BrokenError"),
]


@pytest.mark.parametrize("chunks", [TEXT, [TEXT], iter([TEXT])], ids=["str", "list", "iterator"])
def test_parse_gives_the_events_of_any_iterable(chunks: Any) -> None:
    assert list(parse(chunks)) == EVENTS


def test_parse_is_lazy_and_gives_events_as_chunks_come() -> None:
    taken: list[str] = []

    def slow() -> Iterator[str]:
        for chunk in ("a", "b"):
            taken.append(chunk)
            yield chunk

    events = parse(slow(), "xml")
    assert taken == []
    assert [next(events), next(events), list(taken)] == [START, SegmentContent("seg_1", "a"), ["a"]]
    assert list(events) == [SegmentContent("seg_1", "b"), END]


def test_parse_refuses_bad_options_at_once() -> None:
    with pytest.raises(RegistryError, match=r"^unknown format 'html': `streamparse formats` lists them$"):
        parse("a", "html")
    with pytest.raises(RegistryError, match=r"^unknown format 'html': `streamparse formats` lists them$"):
        aparse("a", "html")


def test_parse_takes_the_options_of_the_handler_and_no_others() -> None:
    """Type checkers know them by name: the comments that silence them here are errors if they do not."""
    known = get_type_hints(StreamingResponseHandler.__init__)
    del known["return"]
    for function in (parse, aparse):
        options = get_type_hints(function)
        own = ("chunks", "invocations", "outcome", "unknown", "return")
        assert [options.pop(name) is not None for name in own] == [True, True, True, True, True]
        assert options == known
        assert [name for name in [*options, "invocations", "outcome"] if f"`{name}" not in str(function.__doc__)] == []
    with pytest.raises(TypeError, match=r"^parse\(\) has no option 'confg': did you mean 'config'\?$"):
        parse("a", "xml", confg=3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^aparse\(\) has no option 'tols': did you mean 'tools'\?$"):
        aparse("a", "xml", invocations=True, tols=[])  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^config must be a ParserConfig, not int$"):
        parse("a", "xml", config=3)  # type: ignore[call-overload]


def test_the_options_of_parse_may_be_used_again() -> None:
    options: dict[str, Any] = {"config": ParserConfig(segment_id_prefix="m-"), "tools": []}
    for _ in range(2):
        assert [event.segment_id for event in parse("a", "xml", **options)] == ["m-1", "m-1", "m-1"]
    assert options == {"config": ParserConfig(segment_id_prefix="m-"), "tools": []}


def test_parse_hands_its_options_to_the_handler() -> None:
    seen: list[SegmentEvent] = []
    config = ParserConfig(segment_id_prefix="m-")
    events = list(parse("a", "xml", config=config, on_segment_event=seen.append))
    assert [event.segment_id for event in events] == ["m-1", "m-1", "m-1"]
    assert seen == events


def drain(events: Iterator[SegmentEvent], into: list[SegmentEvent]) -> None:
    for event in events:
        into.append(event)


def test_parse_ends_what_is_open_before_the_error_of_its_source_comes_through() -> None:
    seen: list[SegmentEvent] = []
    with pytest.raises(BrokenError):
        drain(parse(broken_source('<write_file path="p">x</wri')), seen)
    assert seen == TRUNCATED


def test_parse_gives_what_was_certain_and_ends_it_before_a_limit_error() -> None:
    seen: list[SegmentEvent] = []
    with pytest.raises(LimitError) as caught:
        drain(parse(["ab", "cd"], config=LIMITED), seen)
    assert (caught.value.name, caught.value.offset) == ("max_total", 3)
    assert seen == [START, SegmentContent("seg_1", "ab"), SegmentContent("seg_1", "c"), END]


@pytest.mark.parametrize("kind", ["async", "list", "str"])
async def test_aparse_gives_the_events_of_any_iterable(kind: str) -> None:
    chunks: Any = {"async": source(TEXT), "list": [TEXT], "str": TEXT}[kind]
    assert [event async for event in aparse(chunks)] == EVENTS


async def test_aparse_awaits_coroutine_subscribers() -> None:
    subscriber = AsyncCallable()
    assert [event async for event in aparse(source("a"), "xml", on_segment_event=subscriber)] == subscriber.seen
    assert subscriber.seen == [START, SegmentContent("seg_1", "a"), END]


async def adrain(events: AsyncIterator[SegmentEvent], into: list[SegmentEvent]) -> None:
    async for event in events:
        into.append(event)


async def test_aparse_ends_what_is_open_before_the_error_of_its_source_comes_through() -> None:
    seen: list[SegmentEvent] = []
    with pytest.raises(BrokenError):
        await adrain(aparse(broken_asource('<write_file path="p">x</wri')), seen)
    assert seen == TRUNCATED


async def test_aparse_gives_what_was_certain_and_ends_it_before_a_limit_error() -> None:
    seen: list[SegmentEvent] = []
    with pytest.raises(LimitError) as caught:
        await adrain(aparse(source("ab", "cd"), config=LIMITED), seen)
    assert (caught.value.name, caught.value.offset) == ("max_total", 3)
    assert seen == [START, SegmentContent("seg_1", "ab"), SegmentContent("seg_1", "c"), END]


async def _async_on_error(error: Exception) -> None:
    raise AssertionError("never called")


@pytest.mark.parametrize("on_error", [_async_on_error, "not callable"])
def test_an_on_error_that_could_not_be_told_is_refused_at_once(on_error: Any) -> None:
    with pytest.raises(TypeError, match=r"^on_error must be a plain function"):
        StreamingResponseHandler("xml", on_error=on_error)


def test_a_subscriber_whose_repr_raises_disturbs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Nameless:
        def __call__(self, event: SegmentEvent) -> None:
            raise ValueError("no")

        def __repr__(self) -> str:
            raise ValueError("not even a name")

    handler = StreamingResponseHandler("xml", on_segment_event=Nameless())
    assert [event.delta for event in handler.feed("a")] == ["", "a"]
    assert [record.message for record in caplog.records] == [
        "reporting the exception of a subscriber raised another"
    ] * 2


# -- a stream that breaks off ------------------------------------------------------------------------------------------


def test_an_abort_truncates_what_is_open_and_no_call_is_complete() -> None:
    seen: list[SegmentEvent] = []
    handler = StreamingResponseHandler("native", on_segment_event=seen.append)
    handler.feed(Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{}"}]))
    events = handler.abort()
    assert events == [SegmentEnd("seg_1", "truncated", "the call was cut off before its end")]
    assert seen[-1] is events[-1]
    assert [invocation.status for invocation in handler.invocations] == ["truncated"]
    assert (handler.abort(), handler.finalize()) == ([], [])
    text = StreamingResponseHandler("xml")
    text.feed("a <")
    assert text.abort() == [SegmentContent("seg_1", "<"), SegmentEnd("seg_1", "truncated")]


async def test_an_abort_awaits_coroutine_subscribers() -> None:
    subscriber = AsyncCallable()
    handler = StreamingResponseHandler("xml", on_segment_event=subscriber)
    await handler.afeed("a")
    with pytest.raises(ParserStateError, match=r"await aabort\(\) instead of calling abort\(\)$"):
        handler.abort()
    assert await handler.aabort() == [SegmentEnd("seg_1", "truncated")]
    assert subscriber.seen[-1] == SegmentEnd("seg_1", "truncated")


def test_a_call_that_the_source_did_not_finish_is_truncated() -> None:
    def source() -> Iterator[Chunk]:
        yield Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{}"}])
        raise ConnectionError("reset")

    items: list[Any] = []
    with pytest.raises(ConnectionError, match="reset"):
        items.extend(parse(source(), invocations=True))
    assert [item.status for item in items if isinstance(item, ToolInvocation)] == ["truncated"]
