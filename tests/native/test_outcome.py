"""How a reply ended: what the handler says of it, and whom it tells."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from streamparse import (
    Chunk,
    Outcome,
    ProviderStreamError,
    StreamEnd,
    StreamingResponseHandler,
    Usage,
    aparse,
    parse,
)
from tests.native.kit import wire
from tests.providers.cases import call, calls, chat

COUNT = {"prompt_tokens": 12, "completion_tokens": 40, "total_tokens": 52}
FULL = {
    **COUNT,
    "prompt_tokens_details": {"cached_tokens": 4},
    "completion_tokens_details": {"reasoning_tokens": 8},
}


def outcome_of(*chunks: Any, **options: Any) -> Outcome | None:
    handler = StreamingResponseHandler(**options)
    for chunk in chunks:
        handler.feed(chunk)
    handler.finalize()
    return handler.outcome


REASONS = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "MAX_TOKENS": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "refusal": "refusal",
    "pause_turn": "pause",
    "error": "error",
    "cancelled": "cancelled",
    "some_new_word": "unknown",
}


@pytest.mark.parametrize(("word", "reason"), REASONS.items())
def test_the_words_of_providers(word: str, reason: Any) -> None:
    assert outcome_of(chat(content="Hi"), chat(word)) == Outcome(reason, word)


def test_usage_model_and_id() -> None:
    assert outcome_of({**chat(content=""), "id": "r", "model": "m"}, chat("stop"), {"choices": [], "usage": FULL}) == (
        Outcome("stop", "stop", Usage(12, 40, 8, 4, 52, FULL), "m", "r")
    )


def test_usage_that_comes_again_replaces_what_came_before() -> None:
    first, second = {**chat(), "usage": {"prompt_tokens": 1, "completion_tokens": 1}}, {**chat(), "usage": COUNT}
    assert outcome_of(first, second) == Outcome(usage=Usage(12, 40, total=52, provider=COUNT))


@pytest.mark.parametrize("usage", [3, "x", [], {"prompt_tokens": "many"}, {"prompt_tokens": True}])
def test_usage_that_is_none(usage: Any) -> None:
    found = outcome_of({**chat(content="Hi"), "usage": usage})
    assert found is not None
    assert found.usage is None or found.usage.input is None


def test_a_stop_with_calls_means_calls() -> None:
    assert outcome_of(calls(call(0, "c1", "f", "{}")), chat("stop")) == Outcome("tool_calls", "stop")


def test_a_stop_with_a_tool_that_the_server_ran_is_a_stop() -> None:
    assert outcome_of(calls(call(0, "srvtoolu_1", "f", "{}")), chat("stop")) == Outcome("stop", "stop")


def test_a_stop_with_a_refusal_is_one() -> None:
    assert outcome_of(chat(refusal="No."), chat("stop")) == Outcome("refusal", "stop")


def test_nobody_said_why() -> None:
    assert outcome_of() == outcome_of("Hi") == outcome_of(chat(content="Hi")) == Outcome()


def test_it_is_known_when_the_provider_has_said_why() -> None:
    handler = StreamingResponseHandler()
    assert handler.outcome is None
    handler.feed(chat(content="Hi"))
    assert handler.outcome is None
    handler.feed(chat("stop"))
    assert handler.outcome == Outcome("stop", "stop")
    handler.feed({"choices": [], "usage": COUNT})
    assert handler.outcome == Outcome("stop", "stop", Usage(12, 40, total=52, provider=COUNT))


def test_a_program_that_stops_the_reply() -> None:
    handler = StreamingResponseHandler()
    handler.feed(chat(content="Hi"))
    assert wire(handler.abort()) == [{"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"status": "truncated"}}]
    assert handler.outcome == Outcome("cancelled")


@pytest.mark.parametrize("chunk", ["Hi", chat(content="Hi")])
def test_a_stream_that_broke_off(chunk: Any) -> None:
    handler = StreamingResponseHandler()
    handler.feed(chunk)
    assert wire(handler.abort("no route to host")) == [
        {
            "type": "SEGMENT_END",
            "segment_id": "seg_1",
            "payload": {"status": "truncated", "error": "the reply was cut off: no route to host"},
        }
    ]
    assert handler.outcome == Outcome("error", error="no route to host")


@pytest.mark.parametrize("chunk", ["Hi", chat(content="Hi")])
def test_a_stream_that_an_exception_broke_off(chunk: Any) -> None:
    """Its words stand in the outcome alone, which says whose they are."""
    handler = StreamingResponseHandler()
    handler.feed(chunk)
    [end] = wire(handler.abort(OSError("/home/me")))
    assert end["payload"] == {"status": "truncated", "error": "the reply was cut off: OSError"}
    assert handler.outcome == Outcome("error", error="/home/me", is_exception=True)
    other = StreamingResponseHandler()
    other.feed(chunk)
    [end] = wire(other.abort(ProviderStreamError("busy")))  # of another stream, which this one is made of
    assert end["payload"] == {"status": "truncated", "error": "the reply was cut off: busy"}
    assert other.outcome == Outcome("error", error="busy")


def test_a_provider_that_gives_up() -> None:
    told: list[Outcome] = []
    handler = StreamingResponseHandler(on_stream_end=told.append)
    with pytest.raises(ProviderStreamError):
        handler.feed({**chat("error", content="Hi"), "error": {"message": "busy"}})
    assert told == [Outcome("error", error="busy")]
    handler.abort()
    handler.finalize()
    assert told == [handler.outcome]


def test_on_stream_end_is_called_once() -> None:
    told: list[Outcome] = []
    handler = StreamingResponseHandler(on_stream_end=told.append)
    handler.feed(chat("stop"))
    assert told == []
    handler.finalize()
    handler.finalize()
    assert told == [Outcome("stop", "stop")]
    with pytest.raises(TypeError, match="on_stream_end must be callable"):
        StreamingResponseHandler(on_stream_end=3)  # type: ignore[arg-type]


def test_on_stream_end_may_be_a_coroutine_function() -> None:
    told: list[Outcome] = []

    async def tell(outcome: Outcome) -> None:
        told.append(outcome)

    async def run() -> None:
        handler = StreamingResponseHandler(on_stream_end=tell)
        await handler.afeed(chat("stop"))
        await handler.afinalize()
        other = StreamingResponseHandler(on_stream_end=tell)
        with pytest.raises(ProviderStreamError):
            await other.afeed({"error": {"message": "busy"}})
        third = StreamingResponseHandler(on_stream_end=tell)
        await third.aabort()

    asyncio.run(run())
    assert told == [Outcome("stop", "stop"), Outcome("error", error="busy"), Outcome("cancelled")]


def test_parse_gives_the_outcome_last() -> None:
    items = list(parse([chat(content="Hi"), chat("stop")], outcome=True))
    assert items[-1] == StreamEnd(Outcome("stop", "stop"))
    assert len(items) == 4
    assert list(parse([chat(content="Hi"), chat("stop")])) == items[:-1]


def test_aparse_gives_the_outcome_last() -> None:
    async def run() -> list[Any]:
        return [item async for item in aparse([chat(content="Hi"), chat("stop")], outcome=True)]

    assert asyncio.run(run())[-1] == StreamEnd(Outcome("stop", "stop"))


def test_an_alternative_reply_is_told_of_once() -> None:
    chunks = [{"choices": [{"index": 1, "delta": {"content": "B"}}]}, *[chat(content="A")] * 2] * 2
    errors: list[Exception] = []
    handler = StreamingResponseHandler(on_error=errors.append)
    events = [event for chunk in chunks for event in handler.feed(chunk)]
    assert "".join(event.delta for event in events) == "AAAA"
    assert [str(error) for error in errors] == [
        "the stream has a reply 1 beside reply 0, which is not read: pass choice=1"
    ]


def test_without_on_error_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "streamparse"):
        list(parse([{"choices": [{"index": 2, "delta": {"content": "B"}}]}] * 2))
    assert [record.message for record in caplog.records] == [
        "the stream has a reply 2 beside reply 0, which is not read: pass choice=2"
    ]


QUOTED = "Write <run_bash>rm -rf /</run_bash> to run it."


def test_what_looks_like_a_call_in_a_providers_text_is_text() -> None:
    handler = StreamingResponseHandler()
    handler.feed(chat(content=QUOTED))
    handler.finalize()
    assert handler.invocations == []


@pytest.mark.parametrize(
    ("chunks", "options"),
    [
        ([QUOTED], {}),
        ([Chunk(QUOTED)], {}),
        ([chat(content=QUOTED)], {"formats": "xml"}),
        ([chat(content=QUOTED)], {"provider": "anthropic"}),
        (["", b"", QUOTED], {}),
        (["So: ", chat(content=QUOTED)], {}),
    ],
)
def test_text_and_a_chosen_format_are_read_as_before(chunks: list[Any], options: dict[str, Any]) -> None:
    handler = StreamingResponseHandler(**options)
    for chunk in chunks:
        handler.feed(chunk)
    handler.finalize()
    assert [invocation.name for invocation in handler.invocations] == ["run_bash"]


def test_on_error_that_raises_is_not_told_of_itself(caplog: pytest.LogCaptureFixture) -> None:
    told: list[Exception] = []

    def fail(error: Exception) -> None:
        told.append(error)
        raise error

    list(parse([{"choices": [{"index": 1, "delta": {"content": "B"}}]}], on_error=fail))
    assert len(told) == 1
    assert [record.levelname for record in caplog.records] == ["ERROR"]
