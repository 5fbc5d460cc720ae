"""A whole reply through an encoder, and what becomes of one that fails; and our own wire form."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from streamparse import Outcome, ProviderStreamError, Reply, StreamEnd
from streamparse.encoders import (
    AgUiEncoder,
    AiSdkEncoder,
    AnthropicEncoder,
    JsonlEncoder,
    OpenAIEncoder,
    ResponsesEncoder,
    SseEncoder,
    achunks,
    aframes,
    chunks,
    frames,
)
from streamparse.encoders.encoder import Encoder
from streamparse.encoders.run import RunEncoder
from streamparse.encoders.stream import AnyEncoder
from streamparse.invocations import AnyItem, EventReader, ToolInvocation
from streamparse.invocations.lifecycle import ToolLifecycle
from tests.encoders.kit import CALL, items

TEXT = f"Hi.\n{CALL}"
BROKEN = {
    "error": {"message": "the reply broke off", "type": "server_error", "param": None, "code": None},
}


def broken(stream: list[AnyItem]) -> Iterator[AnyItem]:
    yield from stream
    raise OSError("secret")


async def later(stream: Any) -> AsyncIterator[AnyItem]:
    for item in stream:
        yield item


def encoder() -> OpenAIEncoder:
    return OpenAIEncoder(id="r", created=1)


async def collect(source: AsyncIterator[Any], found: list[Any]) -> None:
    async for each in source:
        found.append(each)


def test_frames_of_a_reply() -> None:
    found = list(frames(items("Hi."), encoder()))
    chunk = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": ""}
    first = {"index": 0, "delta": {"role": "assistant", "content": "Hi."}, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    assert found == [
        *(f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n" for choice in (first, last)),
        "data: [DONE]\n\n",
    ]
    again: list[str] = []
    asyncio.run(collect(aframes(later(items("Hi.")), encoder()), again))
    assert again == found


def test_frames_of_an_interface_without_a_last_one() -> None:
    found = list(frames(items("Hi."), ResponsesEncoder()))
    assert found[-1].startswith("event: response.completed\n")
    again: list[str] = []
    asyncio.run(collect(aframes(later(items("Hi.")), ResponsesEncoder()), again))
    assert len(again) == len(found)


@pytest.mark.parametrize(
    ("encoder", "told"),
    [
        (OpenAIEncoder(id="r", created=1), [BROKEN]),
        (
            AiSdkEncoder(),
            [
                {"type": "start"},
                {"type": "error", "errorText": "the reply broke off"},
                {"type": "finish", "finishReason": "error"},
            ],
        ),
        (
            AgUiEncoder(thread_id="t", run_id="r"),
            [
                {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
                {"type": "RUN_ERROR", "message": "the reply broke off", "code": "error"},
            ],
        ),
    ],
)
def test_a_reply_that_fails_at_once_tells_the_client(encoder: Encoder, told: list[Any]) -> None:
    """By then a web framework has sent its status: an exception alone would be a connection that breaks off."""
    found, again = list[Any](), list[Any]()
    with pytest.raises(OSError, match="secret"):
        asyncio.run(collect(achunks(later(broken([])), copy.deepcopy(encoder)), found))
    with pytest.raises(OSError, match="secret"):
        again.extend(chunks(broken([]), encoder))
    assert found == again == told


def test_a_reply_that_fails_later_tells_the_client() -> None:
    found, stream = list[Any](), items(TEXT)[:3]
    with pytest.raises(OSError, match="secret"):
        asyncio.run(collect(achunks(later(broken(stream)), encoder()), found))
    assert found[-1] == BROKEN
    source = chunks(broken(stream), encoder())
    assert [next(source) for _ in found] == found
    with pytest.raises(OSError, match="secret"):
        next(source)


ENCODERS: list[Callable[..., AnyEncoder[Any]]] = [
    *(OpenAIEncoder, AnthropicEncoder, ResponsesEncoder, AiSdkEncoder, JsonlEncoder, SseEncoder),
    partial(AgUiEncoder, thread_id="t", run_id="r"),
]


def told_by(make: Callable[..., AnyEncoder[Any]], source: Iterable[Any], **options: Any) -> str:
    """All that a client gets of a reply that fails while a call is written."""
    found: list[Any] = []
    with suppress(OSError, ProviderStreamError):
        found.extend(chunks(Reply(source), make(**options)))
    return json.dumps(found)


@pytest.mark.parametrize("make", ENCODERS)
def test_what_an_exception_says_is_told_only_if_that_is_asked_for(make: Callable[..., AnyEncoder[Any]]) -> None:
    def source() -> Iterator[Any]:
        yield native_call("f", '{"a": ')
        raise OSError("postgres://me:secret@host")

    told = told_by(make, source())
    assert ("secret" in told, "the reply broke off" in told) == (False, True)
    shown = told_by(make, source(), show_errors=True)
    assert ("secret" in shown, "the reply broke off" in shown) == (True, False)


@pytest.mark.parametrize("make", ENCODERS)
def test_what_the_provider_says_is_told(make: Callable[..., AnyEncoder[Any]]) -> None:
    told = told_by(make, [{"choices": [{"delta": {"content": "Hi."}}]}, {"error": {"message": "overloaded"}}])
    assert ("overloaded" in told, "the reply broke off" in told) == (True, False)


def native_call(name: str, arguments: str) -> dict[str, Any]:
    call = {"index": 0, "id": "c1", "function": {"name": name, "arguments": arguments}}
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


def test_a_response_that_is_not_streamed_says_no_more() -> None:
    """`fold` raises what the reply raises; items that came from elsewhere may end with what an exception said."""
    ended = [StreamEnd(Outcome.broken(OSError("secret")))]
    for make in (OpenAIEncoder, AnthropicEncoder, ResponsesEncoder):
        assert make().fold(ended)["error"]["message"] == "the reply broke off"
        assert make(show_errors=True).fold(ended)["error"]["message"] == "secret"


def test_the_items_of_an_unfinished_reply_are_finished() -> None:
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks(items(TEXT)[:2], encoder())] == [
        *(None, None, "length"),
    ]
    found: list[Any] = []
    asyncio.run(collect(achunks(later(items(TEXT)[:2]), encoder()), found))
    assert found == list(chunks(items(TEXT)[:2], encoder()))


def test_an_encoder_says_what_its_parts_become() -> None:
    assert Encoder.__abstractmethods__ == {"_write", "_response"}
    assert RunEncoder.__abstractmethods__ == {"_write", "_begin_reply", "_end_run"}
    with pytest.raises(TypeError):
        Encoder(())  # type: ignore[abstract]


def test_our_own_wire_form() -> None:
    stream = items(TEXT)
    lines = list(chunks(stream, JsonlEncoder()))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    assert [json.loads(line) for line in lines] == [item.to_dict() for item in stream]
    reader = EventReader()
    assert [reader.read(json.loads(line)) for line in lines] == stream
    assert list(chunks(stream, SseEncoder())) == [f"data: {line}\n" for line in lines]


def test_our_own_wire_form_is_finished() -> None:
    made = JsonlEncoder()
    assert made.finish() == ['{"type": "STREAM_END", "payload": {"finish_reason": "cancelled"}}\n']
    assert made.finish() == []


async def test_a_stream_that_ends_with_a_question_goes_on_with_the_same_iterator() -> None:
    call = ToolInvocation("seg_1", "f", call_id="c")
    asked, done = (ToolLifecycle(state, "seg_1", "f") for state in ("approval_requested", "result"))
    made = AgUiEncoder(thread_id="t", run_id="r1", id="m")
    rest = later([call, asked, done])
    first: list[Any] = []
    async for chunk in achunks(rest, made):
        first.append(chunk)
        if made.is_waiting:  # who reads the last chunk is quick
            made.resume("r2")
    assert [chunk["type"] for chunk in first][-2:] == ["TOOL_CALL_END", "RUN_FINISHED"]
    second = [chunk async for chunk in achunks(rest, made)]
    assert [chunk["type"] for chunk in second] == ["RUN_STARTED", "TOOL_CALL_RESULT", "RUN_FINISHED"]
    assert second[0]["runId"] == "r2"


def test_numbers_that_json_does_not_have_are_null() -> None:
    given = {"a": [float("nan"), 1.5], "b": (float("-inf"), None), "c": "NaN"}
    asked = ToolLifecycle("approval_requested", "seg_1", "f", approval_id="q", arguments=given)
    read = {"a": [None, 1.5], "b": [None, None], "c": "NaN"}
    [line] = JsonlEncoder().encode(asked)
    assert strictly(line)["arguments"] == read
    encoder = AgUiEncoder(thread_id="t", run_id="r")
    *_, frame = map(encoder.frame, encoder.encode(asked))
    [interrupt] = strictly(frame.removeprefix("data: "))["outcome"]["interrupts"]
    assert interrupt["metadata"] == {"name": "f", "arguments": read}


def strictly(text: str) -> Any:
    """JSON as a browser reads it."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)
