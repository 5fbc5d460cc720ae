"""What the cases cannot say: when things come, errors, limits, and who is told."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from streamparse import (
    Chunk,
    LimitError,
    Limits,
    ParserConfig,
    ParserStateError,
    ProviderStreamError,
    SegmentEvent,
    StreamingResponseHandler,
    StreamparseError,
    ToolInvocation,
    ToolSpec,
    aparse,
    parse,
)
from streamparse.testing import normalize
from tests.memory import takes_at_most
from tests.native.kit import (
    CUT,
    SENTENCE,
    check_order,
    content,
    cut,
    end,
    kind,
    reasoning,
    start,
    text,
    tool,
    wire,
    xml_start,
)
from tests.native.streams import COMPLETED, DONE, INPUT, LENGTH, added, done, grown, json_delta, more, ollama, use
from tests.providers.cases import block, call, calls, chat, grow, message_delta, parts, response

WRITE = '{"path": "a", "content": "x\\u00e9y"}'


def fed(chunks: list[Any], formats: Any = "native", **options: Any) -> tuple[list[SegmentEvent], list[ToolInvocation]]:
    """All events, merged, and all invocations of `chunks`."""
    handler = StreamingResponseHandler(formats, **options)
    events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
    check_order(events)
    return normalize(events), handler.invocations


def steps(chunks: list[Any], **options: Any) -> list[list[dict[str, Any]]]:
    """The events of each feed, merged."""
    handler = StreamingResponseHandler("native", **options)
    return [wire(normalize(handler.feed(chunk))) for chunk in chunks]


# -- when --------------------------------------------------------------------------------------------------------------

ANNOUNCED = {
    "anthropic": use(0, "NAME"),
    "responses": added("NAME"),
    "bedrock": {
        "contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "c1", "name": "NAME"}}}
    },
    "interactions": {
        "event_type": "step.start",
        "index": 1,
        "step": {"type": "function_call", "id": "c1", "name": "NAME"},
    },
}


def named(chunk: dict[str, Any], name: str) -> Any:
    return json.loads(json.dumps(chunk).replace("NAME", name))


@pytest.mark.parametrize("provider", [name for name in ANNOUNCED if name != "interactions"])
@pytest.mark.parametrize("name", ["f", "run_bash"])
def test_a_call_that_is_announced_with_its_whole_name_starts_at_once(provider: str, name: str) -> None:
    segment_type = "run_bash" if name == "run_bash" else "tool_call"
    assert steps([named(ANNOUNCED[provider], name)]) == [[start(1, segment_type, tool_name=name, call_id="c1")]]


@pytest.mark.parametrize("provider", ANNOUNCED)
def test_a_file_that_is_announced_starts_when_its_path_is_complete(provider: str) -> None:
    assert steps([named(ANNOUNCED[provider], "write_file")]) == [[]]


@pytest.mark.parametrize("name", ["f", "run_bash"])
def test_a_name_that_may_go_on_starts_with_the_first_argument(name: str) -> None:
    segment_type, delta = ("run_bash", []) if name == "run_bash" else ("tool_call", [content(1, "{")])
    assert steps([calls(call(0, "c1", name, "")), more(0, "{")]) == [
        [],
        [start(1, segment_type, tool_name=name, call_id="c1"), *delta],
    ]


def test_a_declared_name_that_no_other_one_continues_starts_at_once() -> None:
    tools = [ToolSpec("f"), ToolSpec("g"), ToolSpec("g_2"), ToolSpec("sh", kind="run_bash")]
    for name, segment_type in (("f", "tool_call"), ("g_2", "tool_call"), ("sh", "run_bash")):
        assert steps([calls(call(0, "c1", name, ""))], tools=tools) == [
            [start(1, segment_type, tool_name=name, call_id="c1")]
        ]
    assert steps([calls(call(0, "c1", "g", ""))], tools=tools) == [[]]
    assert steps([calls(call(0, "c1", "unknown", ""))], tools=tools) == [[]]


def test_the_body_is_shown_as_it_comes() -> None:
    pieces = ['{"path": ', '"a"', ', "content": "', "x", "\\", "n", "\\u00", "e9", "\\ud83d", "\\ude00", 'z"', "}"]
    shown = steps([use(0, "write_file"), *(json_delta(0, piece) for piece in pieces)])
    first = start(1, "write_file", tool_name="write_file", call_id="c1", path="a")
    deltas = ["x", None, "\n", None, "é", None, "😀", "z", None]
    assert shown == [[], [], [first], [], *([content(1, delta)] if delta else [] for delta in deltas)]


def test_arguments_of_another_tool_are_shown_as_they_come() -> None:
    pieces = ['{"a', '": "\\', "u00", 'e9"', "}"]
    shown = steps([use(0, "f"), *(json_delta(0, piece) for piece in pieces)])
    assert [events[-1:] for events in shown[1:]] == [[content(1, piece)] for piece in pieces]


def test_raw_text_is_shown_as_it_comes() -> None:
    inputs = [grown(piece, kind=INPUT) for piece in ("ls", "\n", "é")]
    for name, deltas in {"sql": ['{"input": "ls', "\\n", "é"], "run_bash": ["ls", "\n", "é"]}.items():
        begun, first, *others = steps([added(name, kind="custom_tool_call"), *inputs])
        assert "".join(event["payload"].get("delta", "") for event in begun + first) == deltas[0]
        assert others == [[content(1, delta)] for delta in deltas[1:]]


def test_a_call_never_ends_because_its_json_balances() -> None:
    shown = steps([use(0, "f"), json_delta(0, "{}")])
    assert shown[-1][-1] == content(1, "{}")


def test_text_that_cannot_be_shown_yet_ends_a_complete_call_at_once() -> None:
    shown = steps([calls(call(0, "c1", "f", "{}")), chat(content="<thi")])
    assert shown[-1] == [end(1)]


def test_a_call_that_begins_ends_the_text_at_once() -> None:
    assert steps(["Hi <thi", calls(call(0, "c1", "f", ""))]) == [
        [start(1, "text"), content(1, "Hi ")],
        [content(1, "<thi"), end(1)],
    ]


def test_native_segments_say_so() -> None:
    events, _ = fed(
        ["<think>a</think>t", Chunk(reasoning="r"), use(0, "f"), json_delta(0, "{}"), use(1, "run_bash", "c2")]
    )
    starts = [event for event in events if event.type == "SEGMENT_START"]
    assert [(event.segment_type, event.format) for event in starts[2:]] == [
        ("reasoning", "native"),
        ("tool_call", "native"),
        ("run_bash", "native"),
    ]


# -- errors ------------------------------------------------------------------------------------------------------------

ERRORS = {
    "anthropic": ({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, "busy"),
    "responses": (response("failed", response={"error": {"message": "gone"}}), "gone"),
    "responses, an event": ({"type": "error", "message": "gone", "code": None}, "gone"),
    "chat": ({"choices": [], "error": {"message": "gone"}}, "gone"),
    "chat, without choices": ({"error": {"message": "gone"}}, "gone"),
    "openrouter": ({**chat("error", content=""), "error": {"code": 502, "message": "gone"}}, "gone"),
    "bedrock": ({"throttlingException": {"message": "slow down"}}, "slow down"),
    "interactions": ({"event_type": "error", "error": {"message": "gone"}}, "gone"),
}
#: What is open when the error comes, and what must have come of it.
OPEN = {
    "nothing": ([], []),
    "text": (["Hi"], text(1, "Hi", "truncated")),
    "held text": (["Hi <thi"], text(1, "Hi <thi", "truncated")),
    "reasoning": ([Chunk(reasoning="Hm")], reasoning(1, "Hm", "truncated")),
    "a think block": (["<think>Hm"], reasoning(1, "Hm", "truncated")),
    "a call": ([use(0, "f"), json_delta(0, '{"a": 1')], tool(1, "f", '{"a": 1', "truncated", CUT)),
    "a call with whole arguments": ([use(0, "f"), json_delta(0, "{}")], tool(1, "f", "{}", "truncated", CUT)),
    "a call without arguments": ([use(0, "f")], tool(1, "f", "", "truncated", CUT)),
    "a name": ([calls(call(0, "c1", "f", ""))], tool(1, "f", "", "truncated", CUT)),
    "a file": (
        [use(0, "write_file"), json_delta(0, WRITE[:-5])],
        kind(1, "write_file", "x", "truncated", CUT, path="a"),
    ),
    "a file without a path": (
        [use(0, "write_file"), json_delta(0, '{"content": "x')],
        kind(1, "write_file", "x", "truncated", CUT),
    ),
    "two calls": (
        [calls(call(0, "c1", "f", "{"), call(1, "c2", "f", "{"))],
        [
            *(start(1, "tool_call", tool_name="f", call_id="c1"), content(1, "{")),
            *(start(2, "tool_call", tool_name="f", call_id="c2"), content(2, "{")),
            *(end(1, "truncated", CUT), end(2, "truncated", CUT)),
        ],
    ),
}


@pytest.mark.parametrize(("before", "expected"), OPEN.values(), ids=OPEN)
@pytest.mark.parametrize(("error", "message"), [ERRORS["anthropic"], ERRORS["openrouter"]], ids=["event", "finish"])
def test_an_error_truncates_all_that_is_open(error: Any, message: str, before: list[Any], expected: list[Any]) -> None:
    told: list[SegmentEvent] = []
    handler = StreamingResponseHandler("native", on_segment_event=told.append)
    shown = [event for chunk in before for event in handler.feed(chunk)]
    with pytest.raises(ProviderStreamError) as caught:
        handler.feed(error)
    assert caught.value.message == message
    assert message in str(caught.value)
    assert wire(normalize(shown + caught.value.events)) == cut(f": {message}", expected)
    assert told == shown + caught.value.events
    assert not any(invocation.is_complete for invocation in handler.invocations)
    assert len(handler.invocations) == sum(event["type"] == "SEGMENT_END" for event in expected) - sum(
        event.get("segment_type") in ("text", "reasoning") for event in expected
    )
    assert handler.finalize() == []
    with pytest.raises(ParserStateError):
        handler.feed("more")
    assert told == shown + caught.value.events


@pytest.mark.parametrize(("error", "message"), ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize("formats", ["native", "xml"])
def test_the_errors_of_all_providers(formats: str, error: Any, message: str) -> None:
    handler = StreamingResponseHandler(formats)
    handler.feed("Hi")
    with pytest.raises(ProviderStreamError) as caught:
        handler.feed(error)
    assert isinstance(caught.value, StreamparseError)
    assert (caught.value.message, wire(caught.value.events)) == (
        message,
        cut(f": {message}", [end(1, "truncated")]),
    )


def test_what_a_chunk_says_before_its_error_is_not_lost() -> None:
    chunk = {**chat("error", content=" there", tool_calls=[call(0, "c1", "f", "{}")]), "error": {"message": "gone"}}
    handler = StreamingResponseHandler("native")
    shown = handler.feed("Hi")
    with pytest.raises(ProviderStreamError) as caught:
        handler.feed(chunk)
    assert wire(normalize(shown + caught.value.events)) == [
        *text(1, "Hi there"),
        *cut(": gone", tool(2, "f", "{}", "truncated")),
    ]


def test_an_open_block_is_truncated_by_an_error() -> None:
    handler = StreamingResponseHandler("xml")
    shown = handler.feed("<run_bash>rm -rf /tmp/</run")
    with pytest.raises(ProviderStreamError) as caught:
        handler.feed(ERRORS["chat"][0])
    message = ERRORS["chat"][1]
    assert wire(normalize(shown + caught.value.events)) == cut(
        f": {message}", [xml_start(1, "run_bash"), content(1, "rm -rf /tmp/</run"), end(1, "truncated")]
    )
    [invocation] = handler.invocations
    assert (invocation.status, invocation.error) == ("truncated", f"the reply was cut off: {message}")


def test_a_call_that_has_ended_before_an_error_is_complete() -> None:
    handler = StreamingResponseHandler("native")
    for chunk in (use(0, "f"), json_delta(0, "{}"), {"type": "content_block_stop", "index": 0}):
        handler.feed(chunk)
    with pytest.raises(ProviderStreamError):
        handler.feed(ERRORS["anthropic"][0])
    assert [invocation.status for invocation in handler.invocations] == ["complete"]


async def test_afeed_raises_as_feed_does() -> None:
    told: list[SegmentEvent] = []

    async def tell(event: SegmentEvent) -> None:
        told.append(event)

    handler = StreamingResponseHandler("native", on_segment_event=tell)
    await handler.afeed("Hi")
    with pytest.raises(ProviderStreamError) as caught:
        await handler.afeed(ERRORS["chat"][0])
    why = f": {ERRORS['chat'][1]}"
    assert wire(told) == cut(why, text(1, "Hi", "truncated"))
    assert wire(caught.value.events) == cut(why, [end(1, "truncated")])
    assert await handler.afinalize() == []
    with pytest.raises(ParserStateError):
        await handler.afeed("more")


BROKEN_OFF = ["Hi", use(0, "run_bash"), json_delta(0, '{"command": "ls'), ERRORS["anthropic"][0], "never"]
BROKEN_OFF_EVENTS = [*text(1, "Hi"), *cut(": busy", kind(2, "run_bash", "ls", "truncated"))]


def test_parse_gives_the_last_events_and_then_raises() -> None:
    items: list[Any] = []
    with pytest.raises(ProviderStreamError, match="busy"):
        items.extend(parse(BROKEN_OFF, "native", invocations=True))
    # extend keeps what came before the exception
    events = [item for item in items if isinstance(item, SegmentEvent)]
    assert wire(normalize(events)) == BROKEN_OFF_EVENTS
    assert isinstance(items[-1], ToolInvocation)
    assert items[-1].status == "truncated"


async def test_aparse_gives_the_last_events_and_then_raises() -> None:
    async def source() -> AsyncIterator[Any]:
        for chunk in BROKEN_OFF:
            yield chunk

    events: list[Any] = []

    async def collect() -> None:
        async for event in aparse(source(), "native", on_tool_invocation=lambda _: None):
            events.append(event)

    with pytest.raises(ProviderStreamError, match="busy"):
        await collect()
    assert wire(normalize(events)) == BROKEN_OFF_EVENTS


@pytest.mark.parametrize("chunk", [object(), 5, None, {"foo": 1}, ["Hi"], {}], ids=lambda chunk: str(chunk)[:9])
@pytest.mark.parametrize("formats", ["native", "xml"])
def test_what_nobody_knows_is_refused(formats: str, chunk: Any) -> None:
    handler = StreamingResponseHandler(formats)
    handler.feed("Hi")
    with pytest.raises(TypeError):
        handler.feed(chunk)
    assert wire(handler.finalize()) == [end(1)]


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        (["abcdefghijk"], [start(1, "text"), content(1, "abcdefghij")]),
        ([Chunk(reasoning="abcdefghijk")], [start(1, "reasoning"), content(1, "abcdefghij")]),
        (
            [use(0, "f"), json_delta(0, '{"a": "bcd"}')],
            [start(1, "tool_call", tool_name="f", call_id="c1"), content(1, '{"a": "bcd')],
        ),
        (
            [Chunk("abcd", "efg"), use(0, "f"), json_delta(0, '{"a": 1}')],
            [
                *(*reasoning(1, "efg"), *text(2, "abcd")),
                *(start(3, "tool_call", tool_name="f", call_id="c1"), content(3, '{"a')),
            ],
        ),
    ],
    ids=["text", "reasoning", "arguments", "all together"],
)
def test_the_total_counts_text_reasoning_and_arguments(chunks: list[Any], expected: list[Any]) -> None:
    told: list[SegmentEvent] = []
    limits = Limits(max_total=10)
    handler = StreamingResponseHandler("native", config=ParserConfig(limits=limits), on_segment_event=told.append)
    shown = [event for chunk in chunks[:-1] for event in handler.feed(chunk)]
    with pytest.raises(LimitError) as caught:
        handler.feed(chunks[-1])
    assert (caught.value.name, caught.value.value, caught.value.offset) == ("max_total", 10, 10)
    assert wire(normalize(shown + caught.value.events)) == expected
    assert told == shown + caught.value.events
    handler.finalize()
    check_order(told)
    assert not any(invocation.is_complete for invocation in handler.invocations)


def test_as_much_as_the_total_allows() -> None:
    limits = Limits(max_total=15)
    _, [invocation] = fed(
        [Chunk("abcd", "efg"), use(0, "f"), json_delta(0, '{"a": 1}')], config=ParserConfig(limits=limits)
    )
    assert invocation.is_complete


@pytest.mark.parametrize("name", ["f", "run_bash"])
def test_arguments_beyond_the_limit_are_malformed(name: str) -> None:
    config = ParserConfig(limits=Limits(max_arguments=100))
    arguments = json.dumps({"command": "x" * 200})
    _, [invocation] = fed([use(0, name), json_delta(0, arguments), message_delta("tool_use")], config=config)
    assert (invocation.status, invocation.error) == ("malformed", SENTENCE)


@pytest.mark.parametrize("name", ["f", "write_file", "run_bash"])
@pytest.mark.parametrize(
    "arguments",
    [
        *(
            '{"a": ' + "[" * 100_000,
            '{"a": ' + '{"b": ' * 100_000,
            '{"a": ' + "9" * 100_000 + "}",
            "[" * 100_000 + "]" * 100_000,
        ),
        *("}" * 1000, '{"' * 1000, '"' * 1001, "\\" * 1000, '{"\ud800": "\udfff\0"}', '{"content": "\\ud800\udfff"}'),
        *('{"path": "a", "content": ' + "[" * 100_000 + "]" * 100_000 + "}", '{"n": 1e999, "command": "x"}'),
    ],
    ids=lambda text: repr(text[:24]),
)
def test_hostile_arguments_never_raise(name: str, arguments: str) -> None:
    for chunks in ([arguments], [arguments[place : place + 7] for place in range(0, min(len(arguments), 7000), 7)]):
        _, [invocation, *_] = fed(
            [use(0, name), *(json_delta(0, piece) for piece in chunks), message_delta("tool_use")]
        )
        assert invocation.status != "complete" or name == "f"


@pytest.mark.parametrize("name", ["f", "write_file"])
def test_memory_does_not_grow_with_the_arguments(name: str) -> None:
    handler = StreamingResponseHandler("native", config=ParserConfig(invocations=False))
    handler.feed(use(0, name))
    handler.feed(json_delta(0, '{"path": "a", "content": "'))
    chunk = json_delta(0, "A chunk of a file with \\n, \\u00e9 and \\ud83d\\ude00 in it, and so on, until it is long.")
    for _ in range(200):
        handler.feed(chunk)

    def feed() -> None:
        for _ in range(3_000):
            handler.feed(chunk)

    assert takes_at_most(16_383, feed)


# -- who is told -------------------------------------------------------------------------------------------------------

TWO = [
    calls(call(0, "c1", "f", '{"a": '), call(1, "c2", "run_bash", '{"command": "l')),
    more(1, 's"}'),
    more(0, "1}"),
    DONE,
]


def test_parse_gives_each_invocation_right_after_its_end() -> None:
    items = list(parse(TWO, "native", invocations=True))
    names = [item.name for item in items if isinstance(item, ToolInvocation)]
    assert names == ["f", "run_bash"]
    for place, item in enumerate(items):
        if isinstance(item, ToolInvocation):
            assert (items[place - 1].type, items[place - 1].segment_id) == ("SEGMENT_END", item.id)


def test_subscribers_are_told_of_one_type() -> None:
    seen: list[SegmentEvent] = []
    made: list[ToolInvocation] = []
    handler = StreamingResponseHandler("native", on_tool_invocation=made.append)
    handler.subscribe(seen.append, segment_type="run_bash", event_type="SEGMENT_CONTENT")
    for chunk in TWO:
        handler.feed(chunk)
    assert "".join(event.delta for event in seen) == "ls"
    assert made == handler.invocations
    assert [(invocation.name, invocation.call_id) for invocation in made] == [("f", "c1"), ("run_bash", "c2")]


def test_no_invocations_if_nobody_wants_them() -> None:
    _, invocations = fed(TWO, config=ParserConfig(invocations=False))
    assert invocations == []


def test_a_handler_without_a_format_takes_native_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMPARSE_PARSER", raising=False)
    _, invocations = fed(["<run_bash>ls</run_bash>", *TWO], formats=None)
    assert [invocation.name for invocation in invocations] == ["run_bash", "f", "run_bash"]


# -- what is not laid down to the letter -------------------------------------------------------------------------------


def statuses(chunks: list[Any], **options: Any) -> list[str]:
    return [invocation.status for invocation in fed(chunks, **options)[1]]


@pytest.mark.parametrize(
    "arguments", ['{"path": "a", "content": "x\\q"}', '{"path": "a" "content": "x"}', '{"path": "a", "content": "x"} y']
)
def test_what_is_broken_and_breaks_off_is_not_complete(arguments: str) -> None:
    [status] = statuses([use(0, "write_file"), json_delta(0, arguments)])
    assert status in ("malformed", "truncated")
    assert statuses([use(0, "write_file"), json_delta(0, arguments), message_delta("max_tokens")]) == ["truncated"]


@pytest.mark.parametrize("arguments", ["nul", "5", "true", '"x"', "[]", '{"a": }', "{} {}", "x", "{'a': 1}", "NaN"])
@pytest.mark.parametrize("name", ["f", "write_file", "run_bash"])
@pytest.mark.parametrize("is_ended", [True, False])
def test_what_is_no_object_is_no_call(name: str, arguments: str, is_ended: bool) -> None:
    ends = [{"type": "content_block_stop", "index": 0}, message_delta("tool_use")] if is_ended else []
    [status] = statuses([use(0, name), json_delta(0, arguments), *ends])
    assert status in ("malformed", "truncated")


def test_null_is_no_arguments_at_all() -> None:
    ends = [{"type": "content_block_stop", "index": 0}, message_delta("tool_use")]
    assert statuses([use(0, "f"), json_delta(0, "null"), *ends]) == ["complete"]
    _, [invocation] = fed([use(0, "run_bash"), json_delta(0, " nu"), json_delta(0, "ll"), *ends])
    assert (invocation.status, invocation.error) == ("malformed", "command is missing")


def test_an_apostrophe_that_is_escaped_is_one_and_the_call_is_repaired() -> None:
    ends = [{"type": "content_block_stop", "index": 0}, message_delta("tool_use")]
    for name, arguments in {
        "f": {"a": "it's"},
        "write_file": {"path": "a", "content": "it's"},
    }.items():
        written = json.dumps(arguments).replace("'", "\\'")
        _, [invocation] = fed([use(0, name), json_delta(0, written), *ends])
        assert (invocation.arguments, invocation.status, invocation.repaired) == (arguments, "complete", True)


def test_raw_text_that_breaks_off_is_truncated() -> None:
    for name in ("sql", "run_bash"):
        assert statuses([added(name, kind="custom_tool_call"), grown("ls", kind=INPUT)]) == ["truncated"]


def test_raw_text_that_is_empty() -> None:
    for name, possible in {"sql": ({}, {"input": ""}), "run_bash": ({"command": ""},)}.items():
        ended = response(
            "output_item.done",
            output_index=1,
            item={"type": "custom_tool_call", "call_id": "c1", "name": name, "input": ""},
        )
        _, [invocation] = fed([added(name, kind="custom_tool_call"), done("", kind=INPUT), ended, COMPLETED])
        assert invocation.arguments in possible or invocation.status == "malformed"


def test_an_id_that_comes_too_late_is_not_lost_silently() -> None:
    chunks = [calls(call(0, None, "f", '{"a": ')), calls(call(0, "c1", None, "1}")), DONE]
    _, [invocation] = fed(chunks)
    assert (invocation.arguments, invocation.call_id in (None, "c1")) == ({"a": 1}, True)


def test_reasoning_between_the_pieces_of_a_call() -> None:
    chunks = [calls(call(0, "c1", "f", '{"a": ')), chat(reasoning="Hm"), more(0, "1}"), DONE]
    events, [invocation] = fed(chunks)
    assert invocation.arguments == {"a": 1}
    assert [event.delta for event in events if event.segment_type == "reasoning" and event.delta] == ["Hm"]
    assert [event.payload for event in events if event.type == "SEGMENT_END"] == [{}, {}]


def test_parallel_calls_whose_arguments_come_in_another_order() -> None:
    names = calls(call(0, "c1", "f", ""), call(1, "c2", "g", ""))
    _, invocations = fed([names, more(1, '{"b": 2}'), more(0, '{"a": 1}'), DONE])
    assert sorted((made.call_id, made.name, made.status, made.arguments.popitem()) for made in invocations) == [
        ("c1", "f", "complete", ("a", 1)),
        ("c2", "g", "complete", ("b", 2)),
    ]


def test_parallel_calls_without_arguments() -> None:
    names = calls(call(0, "c1", "f", ""), call(1, "c2", "g", ""))
    assert statuses([names, DONE]) == ["complete", "complete"]
    assert statuses([names, LENGTH]) == ["truncated", "truncated"]
    assert statuses([names]) == ["truncated", "truncated"]


def test_the_body_twice_before_the_path() -> None:
    arguments = '{"content": "x", "content": "y", "path": "a"}'
    events, [invocation] = fed([use(0, "write_file"), json_delta(0, arguments), message_delta("tool_use")])
    assert invocation.status == "malformed"
    assert sum(event.type == "SEGMENT_START" for event in events) == 1


@pytest.mark.parametrize(
    "arguments", ['{"n": 1, "n": 2, "path": "a", "content": "x"}', '{"path": "a", "content": "x", "n": 1, "n": 2}']
)
def test_an_argument_twice_with_different_values(arguments: str) -> None:
    _, [invocation] = fed([use(0, "write_file"), json_delta(0, arguments), message_delta("tool_use")])
    assert (invocation.status, invocation.error) == ("malformed", SENTENCE)
    assert invocation.arguments["content"] == "x"


@pytest.mark.parametrize(
    "order", [("tool_name", "call_id", "path", "content"), ("path", "content", "tool_name", "call_id")]
)
def test_arguments_that_are_called_like_metadata_do_not_change_it(order: tuple[str, ...]) -> None:
    values = {"tool_name": "evil", "call_id": "evil", "path": "a", "content": "x"}
    arguments = json.dumps({name: values[name] for name in order})
    _, [invocation] = fed([use(0, "write_file"), json_delta(0, arguments), message_delta("tool_use")])
    assert (invocation.name, invocation.call_id) == ("write_file", "c1")
    assert invocation.arguments == values or invocation.status == "malformed"


def test_arguments_that_are_called_like_metadata_of_another_tool() -> None:
    _, [invocation] = fed(
        [use(0, "f"), json_delta(0, '{"tool_name": "evil", "call_id": "evil"}'), message_delta("tool_use")]
    )
    assert (invocation.name, invocation.call_id) == ("f", "c1")
    assert invocation.arguments == {"tool_name": "evil", "call_id": "evil"}


@pytest.mark.parametrize(
    "reason", ["MAX_TOKENS", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "MALFORMED_FUNCTION_CALL"]
)
def test_a_call_that_google_gave_up_is_truncated(reason: str) -> None:
    call = parts({"function_call": {"id": "c1", "name": "f", "will_continue": True}})
    assert statuses([call, parts(finish_reason=reason)]) == ["truncated"]


@pytest.mark.parametrize("reason", ["refusal", "model_context_window_exceeded", "max_tokens"])
def test_a_call_that_anthropic_gave_up_is_truncated(reason: str) -> None:
    assert statuses([use(0, "f"), json_delta(0, "{}"), message_delta(reason)]) == ["truncated"]


def test_ollama_text_behind_a_call_is_text() -> None:
    chunks = [
        ollama(tool_calls=[{"function": {"name": "run_bash", "arguments": {"command": "ls"}}}]),
        ollama(content="ok"),
    ]
    assert wire(fed([*chunks, ollama("stop")])[0]) == [*kind(1, "run_bash", "ls", call_id=None), *text(2, "ok")]


def test_blocks_of_text_and_thinking_that_begin_with_text() -> None:
    chunks = [
        block(0, type="thinking", thinking="H"),
        grow(0, "thinking_delta", thinking="m"),
        block(1, type="text", text="Hi"),
    ]
    assert wire(fed(chunks)[0]) == [*reasoning(1, "Hm"), *text(2, "Hi")]
