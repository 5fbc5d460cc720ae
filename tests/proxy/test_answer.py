"""What becomes of a server's answer, as it is, as a stream or as a whole; cut anywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse.proxy import Settings, frames
from streamparse.proxy.answer import Answer
from streamparse.proxy.endpoints import ENDPOINTS
from tests.proxy.replies import Got, got, request
from tests.proxy.scripted import chunk, frame, leaking
from tests.proxy.test_frames import EMPTY, NOW, events, small, splits

HERMES = Settings(format="hermes")
STREAM = small("Hi.", EMPTY)
MESSAGE = {
    "choices": [{"index": 0, "message": {"role": "assistant", "content": f"Hi.\n{EMPTY}"}, "finish_reason": "stop"}]
}
ASKED = {"model": "m", "max_tokens": 9, "messages": [], "input": "Hi?", "stream": True}


def answer(
    headers: dict[str, str],
    status: int = 200,
    path: str = "/chat/completions",
    settings: Settings = HERMES,
    **fields: Any,
) -> Answer:
    body = request(**fields) if path == "/chat/completions" else {**ASKED, **fields}
    conversation = ENDPOINTS[path].converse(json.dumps(body).encode(), settings)
    return Answer(conversation, status, list(headers.items()))


def read(found: Answer, pieces: list[bytes]) -> bytes:
    """What the client gets; nothing before it is certain what that is."""
    out = []
    for piece in pieces:
        out.append(found.feed(piece))
        assert found.is_begun or out[-1] == b""
    out.append(found.close())
    assert found.is_begun
    assert found.close() == b""
    return b"".join(out)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/octet-stream"},
        {"content-type": "application/x-ndjson"},
        {"content-type": "application/json"},
        {"content-type": "text/event-stream"},
        {"content-type": "Text/Event-Stream; charset=utf-8"},
    ],
)
def test_a_stream_that_was_asked_for_is_one_whatever_it_is_called(headers: dict[str, str]) -> None:
    for pieces in splits(STREAM):
        found = answer(headers)
        assert found.is_begun == ("event-stream" in headers.get("content-type", "").lower())
        *made, last = events(read(found, pieces))
        assert (got(made), last) == (Got("Hi.", "", [NOW], "tool_calls"), "[DONE]")
        assert dict(found.headers) in (
            {"content-type": "text/event-stream", "x-streamparse-format": "hermes"},
            {**headers, "x-streamparse-format": "hermes"},
        )
        assert dict(found.headers)["content-type"].lower().startswith("text/event-stream")


@pytest.mark.parametrize(
    "begin", [b"\n\r\n\n", b": ping\n\n", b"event: message\n", b"id: 7\n", b"retry: 9\n", b"\xef\xbb\xbf"]
)
def test_a_stream_may_begin_in_many_ways(begin: bytes) -> None:
    for pieces in splits(begin + STREAM):
        *made, last = events(read(answer({}), pieces).removeprefix(b": ping\n\n"))
        assert (got(made), last) == (Got("Hi.", "", [NOW], "tool_calls"), "[DONE]")


def test_a_response_that_is_not_streamed() -> None:
    content = json.dumps(MESSAGE).encode()
    for pieces in splits(content):
        found = answer({"content-type": "application/json", "content-length": "7"}, stream=False)
        choice = json.loads(read(found, pieces))["choices"][0]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("Hi.", "tool_calls")
        assert dict(found.headers) == {"content-type": "application/json", "x-streamparse-format": "hermes"}


def test_a_response_that_is_not_streamed_is_given_as_a_stream_to_whoever_has_asked_for_one() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    message = {"role": "assistant", "content": f"Hi.\n{EMPTY}", "reasoning_content": "Hm.", "tool_calls": [call]}
    choices = [{"index": index, "message": message, "finish_reason": "stop"} for index in (0, 1)]
    content = json.dumps({"id": "x", "object": "chat.completion", "choices": choices, "usage": {"total_tokens": 3}})
    for pieces in splits(content.encode()):
        found = answer({"content-type": "application/json"}, n=2)
        *made, last = events(read(found, pieces))
        for index in (0, 1):
            assert got(made, index) == Got("Hi.", "Hm.", [NOW, ("search", "{}")], "tool_calls")
        assert {(one["id"], one["object"]) for one in made} == {("x", "chat.completion.chunk")}
        assert ([one.get("usage") for one in made][-1], last) == ({"total_tokens": 3}, "[DONE]")
        assert dict(found.headers)["content-type"] == "text/event-stream"
    found = answer({"content-type": "application/json"}, path="/messages")
    assert read(found, [json.dumps(MESSAGE).encode()]).endswith(b'data: {"type": "message_stop"}\n\n')


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\n", b"\n" * 2000 + b"data: 1", b"d", b"data", b"event", b"dates: 1, 2", b"<html>", b"{", b"[1]"),
        *(b'{"choices": []}', b'{"choices": {}}', b'{"choices": [{}]}', b'{"choices": [5]}'),
    ],
)
def test_what_is_neither_passes(content: bytes) -> None:
    found = answer({"content-type": "text/html"})
    assert read(found, [content[index : index + 1] for index in range(len(content))]) == content
    assert dict(found.headers) == {"content-type": "text/html", "x-streamparse-format": "hermes"}


def test_a_response_that_is_written_anew_is_json_whatever_the_server_called_it() -> None:
    content = json.dumps(MESSAGE).encode()
    for path in ("/chat/completions", "/messages", "/responses"):
        found = answer({"Content-Type": "text/plain"}, path=path, stream=False)
        assert json.loads(read(found, [content]))
        assert dict(found.headers) == {"content-type": "application/json", "x-streamparse-format": "hermes"}


def test_names_of_headers_are_read_in_any_case() -> None:
    assert answer({"CONTENT-Type": "text/event-stream"}, stream=False).is_begun


def test_what_was_not_asked_for_as_a_stream_is_one_only_by_its_type() -> None:
    assert read(answer({}, stream=False), [STREAM]) == STREAM
    assert read(answer({"content-type": "text/event-stream"}, stream=False), [STREAM]) != STREAM


@pytest.mark.parametrize(("status", "settings"), [(500, HERMES), (302, HERMES), (200, Settings(format="native"))])
def test_what_is_not_to_be_changed_passes_as_it_comes(status: int, settings: Settings) -> None:
    headers = {"content-type": "text/event-stream", "content-encoding": "gzip", "connection": "close"}
    found = answer(headers, status, settings=settings)
    assert (found.is_begun, found.is_verbatim, found.status) == (True, True, status)
    assert (found.feed(STREAM), found.close(), found.is_done) == (STREAM, b"", False)
    assert dict(found.headers) == {"content-type": "text/event-stream", "content-encoding": "gzip"}


# -- limits ------------------------------------------------------------------------------------------------------------

TOO_LONG = "the model server sent more than 32 MiB in one piece"


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamparse.proxy.frames.MOST_HELD", 4000)
    monkeypatch.setattr("streamparse.proxy.answer.MOST_HELD", 4000)


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("endless", [b"data: x", b"data: x\n", b"{\n", b": x", b"x: 1\n", b"event: x\n\n"])
def test_an_event_that_does_not_end_is_an_error(endless: bytes) -> None:
    found = answer({"content-type": "text/event-stream"})
    begun = found.feed(frame(chunk({"role": "assistant", "content": "Hi."})))
    out, fed = b"", 0
    while not found.is_done:
        out += found.feed(endless)
        fed += len(endless)
    assert fed <= 4000 + len(endless)
    *_, last = events(begun + out)
    assert last["error"]["message"] == TOO_LONG
    assert found.feed(endless) == found.close() == b""


@pytest.mark.usefixtures("_small")
def test_a_long_stream_of_short_events_is_none() -> None:
    found = answer({"content-type": "text/event-stream"})
    said = [b": ping\n\n"] * 1000 + [frame(chunk({"content": "Hi."}))] * 100
    for piece in [*said, b"".join(said)]:
        assert found.feed(piece)
    assert not found.is_done


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/chat/completions", {"error": {"message": TOO_LONG, "type": "server_error", "param": None, "code": None}}),
        ("/messages", {"type": "error", "error": {"type": "api_error", "message": TOO_LONG}}),
    ],
)
def test_a_response_that_does_not_end_is_an_error(path: str, told: Any) -> None:
    found = answer({"content-type": "application/json"}, path=path, stream=False)
    out = b"".join(found.feed(b"{" * 100) for _ in range(100))
    assert (found.status, json.loads(out), found.is_done) == (502, told, True)
    assert found.close() == b""


def test_the_limit_is_far_from_what_is_sent() -> None:
    assert frames.MOST_HELD == 32 * 2**20


def test_a_response_that_breaks_off_is_an_error_of_its_interface() -> None:
    found = answer({"content-type": "application/json"}, path="/messages", stream=False)
    assert found.feed(b"{") == b""
    assert json.loads(found.fail("lost")) == {"type": "error", "error": {"type": "api_error", "message": "lost"}}
    assert (found.status, found.is_begun, found.is_done) == (502, True, True)


# -- choices -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/messages", "/responses"])
def test_choices_that_nobody_has_asked_for_are_left_out(path: str, caplog: pytest.LogCaptureFixture) -> None:
    first = [chunk({"role": "assistant", "content": "Hi."}, index=1), chunk({"content": "No."}, index=2)]
    ends = [chunk({}, "stop", index=1), chunk({}, "stop", index=2)]
    stream = b"".join(map(frame, [*first, *ends, "[DONE]"]))
    made = read(answer({}, path=path), [stream])
    assert b"Hi." in made
    assert b"No." not in made
    assert caplog.records == []
    choices = [{"index": 3, "message": {"content": text}, "finish_reason": "stop"} for text in ("Hi.", "No.")]
    made = read(answer({}, path=path, stream=False), [json.dumps({"choices": choices}).encode()])
    assert b"Hi." in made
    assert b"No." not in made
    assert caplog.records == []


def test_a_stream_without_any_choice_is_left_alone() -> None:
    odd = b"".join(map(frame, [{"choices": [None]}, {"choices": [5]}]))
    made = read(answer({}, path="/messages"), [odd + leaking("Hi.")])
    assert made.count(b"Hi.") == 1
