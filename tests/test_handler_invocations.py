"""handler.py: tool invocations, and who is told about them."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator
from typing import Any

import pytest

from streamparse import (
    LimitError,
    Limits,
    ParserConfig,
    ParserStateError,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentStart,
    StreamingResponseHandler,
    ToolInvocation,
    ToolSyntaxRegistry,
    aparse,
    parse,
)

TEXT = 'a<run_bash>ls</run_bash>b<tool name="q"><n>5</n></tool><run_bash>rm'
LS = ToolInvocation("seg_2", "run_bash", {"command": "ls"}, raw="ls")
Q = ToolInvocation("seg_4", "q", {"n": "5"}, raw="<n>5</n>")
RM = ToolInvocation(
    "seg_5", "run_bash", {"command": "rm"}, "truncated", False, "the call was cut off before its end", "rm"
)
OFF = ParserConfig(invocations=False)
WOVEN: list[SegmentEvent | ToolInvocation] = [
    *(SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a"), SegmentEnd("seg_1")),
    *(SegmentStart("seg_2", "run_bash"), SegmentContent("seg_2", "ls"), SegmentEnd("seg_2"), LS),
    *(SegmentStart("seg_3", "text"), SegmentContent("seg_3", "b"), SegmentEnd("seg_3")),
    SegmentStart("seg_4", "tool_call", {"tool_name": "q"}),
    *(SegmentContent("seg_4", "<n>5</n>"), SegmentEnd("seg_4"), Q),
    *(SegmentStart("seg_5", "run_bash"), SegmentContent("seg_5", "rm"), SegmentEnd("seg_5", "truncated", RM.error), RM),
]
#: Those where no invocations are built; there are more, where they are, in what the last END says.
EVENTS = [*(item for item in WOVEN[:-2] if isinstance(item, SegmentEvent)), SegmentEnd("seg_5", "truncated")]


async def source(*chunks: str) -> AsyncIterator[str]:
    for chunk in chunks:
        yield chunk


def test_a_handler_keeps_the_invocations_in_the_order_of_their_ends() -> None:
    handler = StreamingResponseHandler("xml")
    assert handler.invocations == []
    handler.feed(TEXT)
    assert handler.invocations == [LS, Q]
    handler.finalize()
    assert handler.invocations == [LS, Q, RM]


def test_the_callback_is_called_once_per_call_right_after_its_end() -> None:
    seen: list[Any] = []
    handler = StreamingResponseHandler("xml", on_segment_event=seen.append, on_tool_invocation=seen.append)
    handler.feed(TEXT)
    handler.finalize()
    assert seen == WOVEN


async def test_a_coroutine_callback_is_awaited_right_after_the_end() -> None:
    seen: list[Any] = []

    async def later(value: Any) -> None:
        seen.append(value)

    handler = StreamingResponseHandler("xml", on_segment_event=later, on_tool_invocation=later)
    await handler.afeed(TEXT)
    await handler.afinalize()
    assert seen == WOVEN
    assert handler.invocations == [LS, Q, RM]


def test_a_coroutine_callback_needs_the_async_methods() -> None:
    async def later(invocation: ToolInvocation) -> None: ...

    handler = StreamingResponseHandler("xml", on_tool_invocation=later)
    off = handler.subscribe(print)
    off()
    for method, call in (("feed", lambda: handler.feed("x")), ("finalize", handler.finalize)):
        with pytest.raises(ParserStateError, match=rf"await a{method}\(\) instead of calling {method}\(\)$"):
            call()


def test_a_callback_that_raises_disturbs_nothing() -> None:
    errors: list[Exception] = []

    def refuse(invocation: ToolInvocation) -> None:
        raise ValueError(invocation.id)

    handler = StreamingResponseHandler("xml", on_tool_invocation=refuse, on_error=errors.append)
    handler.feed(TEXT)
    handler.finalize()
    assert [str(error) for error in errors] == ["seg_2", "seg_4", "seg_5"]
    assert handler.invocations == [LS, Q, RM]


async def test_a_coroutine_callback_that_raises_disturbs_nothing() -> None:
    errors: list[Exception] = []

    async def refuse(invocation: ToolInvocation) -> None:
        raise ValueError(invocation.id)

    handler = StreamingResponseHandler("xml", on_tool_invocation=refuse, on_error=errors.append)
    await handler.afeed(TEXT)
    assert [str(error) for error in errors] == ["seg_2", "seg_4"]


def test_an_awaitable_that_feed_cannot_await_is_reported() -> None:
    async def coroutine() -> None: ...

    errors: list[Exception] = []
    handler = StreamingResponseHandler("xml", on_tool_invocation=lambda _: coroutine(), on_error=errors.append)
    handler.feed("<run_bash>ls</run_bash>")
    assert [str(error) for error in errors] == [
        "the subscriber returned an awaitable, which feed() cannot await: use afeed()"
    ]


def test_a_callback_must_be_callable() -> None:
    with pytest.raises(TypeError, match=r"^on_tool_invocation must be callable, not int$"):
        StreamingResponseHandler("xml", on_tool_invocation=5)  # type: ignore[arg-type]


def test_arguments_are_typed_by_the_tools_of_the_handler() -> None:
    tools = ({"name": "Q", "parameters": {"properties": {"n": {"type": "integer"}}}} for _ in range(1))
    handler = StreamingResponseHandler("xml", tools=tools)
    handler.feed('<tool name="q"><n>5</n></tool>')
    assert handler.invocations == [ToolInvocation("seg_1", "Q", {"n": 5}, raw="<n>5</n>")]


def test_without_invocations_nothing_is_collected() -> None:
    handler = StreamingResponseHandler("xml", config=OFF)
    handler.feed(TEXT)
    handler.finalize()
    assert handler.invocations == []
    with pytest.raises(
        ValueError, match=r"^on_tool_invocation is never called with ParserConfig\(invocations=False\)$"
    ):
        StreamingResponseHandler("xml", config=OFF, on_tool_invocation=print)


def test_a_call_that_a_limit_cuts_off_is_told_before_the_error() -> None:
    seen: list[ToolInvocation] = []
    config = ParserConfig(limits=Limits(max_total=30))
    handler = StreamingResponseHandler("xml", config=config, on_tool_invocation=seen.append)
    with pytest.raises(LimitError):
        handler.feed("<run_bash>ls</run_bash>" + "x" * 30)
    assert [invocation.arguments for invocation in seen] == [{"command": "ls"}]


# -- parse and aparse --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunks", [TEXT, [TEXT[:10], TEXT[10:]], [TEXT[:24], TEXT[24:]]])
def test_parse_gives_each_invocation_right_after_its_end(chunks: Any) -> None:
    items = list(parse(chunks, "xml", invocations=True))
    assert [item for item in items if isinstance(item, ToolInvocation)] == [LS, Q, RM]
    ends = [items[index - 1] for index, item in enumerate(items) if isinstance(item, ToolInvocation)]
    assert [(end.type, end.segment_id) for end in ends if isinstance(end, SegmentEvent)] == [
        *(("SEGMENT_END", "seg_2"), ("SEGMENT_END", "seg_4"), ("SEGMENT_END", "seg_5")),
    ]


def test_parse_in_one_chunk_is_woven_exactly() -> None:
    assert list(parse(TEXT, "xml", invocations=True)) == WOVEN
    assert list(parse(TEXT, "xml")) == EVENTS


async def test_aparse_gives_each_invocation_right_after_its_end() -> None:
    assert [item async for item in aparse(source(TEXT), "xml", invocations=True)] == WOVEN


def test_parse_still_calls_a_callback_for_invocations() -> None:
    seen: list[ToolInvocation] = []
    judged = [item for item in WOVEN if isinstance(item, SegmentEvent)]
    assert list(parse(TEXT, "xml", on_tool_invocation=seen.append)) == judged
    assert seen == [LS, Q, RM]


def test_parse_refuses_a_configuration_that_contradicts_it() -> None:
    with pytest.raises(
        ValueError, match=r"^invocations are wanted, but ParserConfig\(invocations=False\) collects none$"
    ):
        parse(TEXT, "xml", invocations=True, config=OFF)
    assert [item for item in parse(TEXT, "xml", config=OFF) if isinstance(item, ToolInvocation)] == []


def test_a_source_that_raises_still_gives_the_truncated_call() -> None:
    def broken() -> Any:
        yield "<run_bash>rm"
        raise OSError("gone")

    items: list[Any] = []
    with pytest.raises(OSError, match=r"^gone$"):
        items.extend(parse(broken(), "xml", invocations=True))
    assert items[-1] == ToolInvocation(
        "seg_1", "run_bash", {"command": "rm"}, "truncated", False, "the reply was cut off: OSError", "rm"
    )


async def test_an_async_source_that_raises_still_gives_the_truncated_call() -> None:
    async def broken() -> AsyncIterator[str]:
        yield "<run_bash>rm"
        raise OSError("gone")

    items: list[Any] = []

    async def collect() -> None:
        async for item in aparse(broken(), "xml", invocations=True):
            items.append(item)

    with pytest.raises(OSError, match=r"^gone$"):
        await collect()
    assert items[-1].status == "truncated"


def test_parse_keeps_no_invocation_that_it_has_given() -> None:
    """Nor one that no one asked for, except by a callback: a long stream must not fill the memory."""
    kept: list[weakref.ref[ToolInvocation]] = []
    alive: list[int] = []

    def watch(invocation: ToolInvocation) -> None:
        kept.append(weakref.ref(invocation))
        alive.append(sum(ref() is not None for ref in kept))

    for _ in parse(["<run_bash>ls</run_bash>"] * 20, "xml", on_tool_invocation=watch):
        pass
    for _ in parse(["<run_bash>ls</run_bash>"] * 20, "xml", invocations=True, on_tool_invocation=watch):
        pass
    assert len(alive) == 40
    assert max(alive) <= 2


def test_a_handler_may_have_syntaxes_of_its_own() -> None:
    syntaxes = ToolSyntaxRegistry()
    syntaxes.unregister("run_bash")
    handler = StreamingResponseHandler("xml", syntaxes=syntaxes)
    handler.feed(TEXT)
    assert handler.invocations == [Q]


async def test_a_cancelled_subscriber_leaves_no_hole_in_a_command() -> None:
    async def slow(event: SegmentEvent) -> None:
        if "home" in event.delta:
            await asyncio.sleep(60)

    handler = StreamingResponseHandler("xml", on_segment_event=slow)
    await handler.afeed("<run_bash>cd")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(handler.afeed(" /home/me/tmp"), 0.01)
    await handler.afeed(" && rm -rf *</run_bash>")
    assert [invocation.arguments for invocation in handler.invocations] == [{"command": "cd /home/me/tmp && rm -rf *"}]


def test_an_interrupted_subscriber_leaves_no_hole_in_a_command() -> None:
    def interrupt(event: SegmentEvent) -> None:
        if "home" in event.delta:
            raise KeyboardInterrupt

    handler = StreamingResponseHandler("xml", on_segment_event=interrupt)
    handler.feed("<run_bash>cd")
    with pytest.raises(KeyboardInterrupt):
        handler.feed(" /home")
    handler.feed(" && rm -rf *</run_bash>")
    assert handler.invocations[0].arguments == {"command": "cd /home && rm -rf *"}


@pytest.mark.parametrize("invocations", [True, False])
def test_parse_refuses_what_is_no_configuration(invocations: bool) -> None:
    with pytest.raises(TypeError, match=r"^config must be a ParserConfig, not dict$"):
        parse(TEXT, "xml", config={}, invocations=invocations)


def test_an_attribute_cannot_name_the_tool() -> None:
    handler = StreamingResponseHandler("xml")
    handler.feed('<write_file path="x" tool_name="run_bash" call_id="c" command="rm">hello</write_file>')
    assert handler.invocations == [
        ToolInvocation("seg_1", "write_file", {"path": "x", "command": "rm", "content": "hello"}, raw="hello")
    ]


def test_a_path_is_a_text_whatever_it_looks_like() -> None:
    handler = StreamingResponseHandler("xml")
    events = handler.feed('<tool name="write_file"><path><item>a</item></path><content>x</content></tool>')
    assert events[0].metadata["path"] == "<item>a</item>"
    assert handler.invocations[0].arguments == {"path": "<item>a</item>", "content": "x"}


# -- partial arguments ------------------------------------------------------------------------------------------------


def test_the_arguments_of_a_call_grow_while_it_is_fed() -> None:
    handler = StreamingResponseHandler("json")
    found = []
    for chunk in ['{"name": "f", ', '"arguments": {"a": "x', "y", '", "b": [1, 2', '], "c": tr', "ue}}", " and so on"]:
        handler.feed(chunk)
        found.append(handler.partial_arguments("seg_1"))
    assert found == [
        None,
        {"a": "x"},
        {"a": "xy"},
        {"a": "xy", "b": [1]},
        {"a": "xy", "b": [1, 2]},
        {"a": "xy", "b": [1, 2], "c": True},
        {"a": "xy", "b": [1, 2], "c": True},
    ]


def test_of_a_call_that_has_ended_there_are_the_arguments_of_its_invocation() -> None:
    handler = StreamingResponseHandler("xml")
    handler.feed(TEXT)
    assert [handler.partial_arguments(f"seg_{number}") for number in range(1, 7)] == [
        *(None, {"command": "ls"}, None, {"n": "5"}, {"command": "rm"}, None)
    ]
    found = handler.partial_arguments("seg_2")
    assert found is not None
    found.clear()
    assert handler.invocations == [LS, Q]
    handler.finalize()
    assert handler.partial_arguments("seg_5") == {"command": "rm"}
    handler.invocations.clear()
    assert handler.partial_arguments("seg_2") is None


def test_a_subscriber_may_ask() -> None:
    found: list[Any] = []
    handler = StreamingResponseHandler("xml")
    handler.subscribe(lambda event: found.append(handler.partial_arguments(event.segment_id)), segment_type="tool_call")
    for chunk in ['<tool name="q"><a>x', "y</a><b>", "z</b></tool>"]:
        handler.feed(chunk)
    # Everything in a chunk is taken in before anyone is told of it.
    assert found == [*[{"a": "x"}] * 2, {"a": "xy"}, *[{"a": "xy", "b": "z"}] * 2]


def test_the_arguments_of_parallel_native_calls_grow_side_by_side() -> None:
    def delta(index: int, name: str, arguments: str) -> dict[str, Any]:
        piece = {"index": index, "id": f"c{index}", "function": {"name": name, "arguments": arguments}}
        return {"choices": [{"delta": {"tool_calls": [piece]}}]}

    handler = StreamingResponseHandler("native")
    found = []
    for chunk in [
        delta(0, "f", '{"a": "x'),
        delta(1, "write_file", '{"path": "p", "content": "1\\'),
        delta(0, "f", 'y", "b": [1, 2'),
        delta(1, "write_file", "n2"),
        {"choices": [{"delta": {}, "finish_reason": "length"}]},
    ]:
        handler.feed(chunk)
        found.append((handler.partial_arguments("seg_1"), handler.partial_arguments("seg_2")))
    assert found == [
        ({"a": "x"}, None),
        ({"a": "x"}, {"path": "p", "content": "1"}),
        ({"a": "xy", "b": [1]}, {"path": "p", "content": "1"}),
        ({"a": "xy", "b": [1]}, {"path": "p", "content": "1\n2"}),
        ({"a": "xy"}, {"path": "p", "content": "1\n2"}),  # cut off: what is complete, and the body as far as it came
    ]


def test_without_invocations_there_are_no_arguments_to_ask_for() -> None:
    handler = StreamingResponseHandler("xml", config=OFF)
    handler.feed(TEXT)
    with pytest.raises(
        ParserStateError,
        match=r"^there are no arguments to give: ParserConfig\(invocations=False\) collects no calls$",
    ):
        handler.partial_arguments("seg_2")


def test_the_end_of_a_call_has_the_verdict_of_its_invocation() -> None:
    text = '{"name": "f", "arguments": [1]}'
    error = "arguments must be a JSON object, not a list"
    told: list[SegmentEvent] = []
    handler = StreamingResponseHandler("json", on_segment_event=told.append)
    events = handler.feed(text)
    assert events[-1] == SegmentEnd("seg_1", "malformed", error)
    assert told == events
    assert [(made.status, made.error) for made in handler.invocations] == [("malformed", error)]
    assert list(parse(text, "json", invocations=True))[-2] == events[-1]
    assert list(parse(text, "json"))[-1] == SegmentEnd("seg_1")  # nobody has decoded it
    assert StreamingResponseHandler("json", config=OFF).feed(text)[-1] == SegmentEnd("seg_1")
