"""The ASGI application and the transports, in this process, against a server that is a function."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic
from openai import AsyncOpenAI, BadRequestError, OpenAI
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from streamparse import deferred, proxy
from streamparse.errors import MissingExtraError
from streamparse.proxy import AsyncTransport, Settings, Transport, app
from streamparse.proxy.record import Recording
from streamparse.proxy.transport import ServerError
from tests.proxy.replies import ARGUMENTS, CALL, TOOLS, Got, got, request, without_ids
from tests.proxy.scripted import EVENTS, chunk, frame, leaking
from tests.proxy.test_frames import events

SEARCH = ("search", ARGUMENTS)
Answers = Callable[[httpx2.Request], httpx2.Response]


class Pieces(httpx2.AsyncByteStream, httpx2.SyncByteStream):
    """A body that comes in pieces; an exception among them is raised."""

    def __init__(self, *pieces: bytes | Exception) -> None:
        self._pieces = pieces
        self.is_closed = False
        self.given = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            self.given += 1
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def client(answer: Answers | httpx2.Response, settings: Settings | None = None, **options: Any) -> TestClient:
    handler = answer if callable(answer) else lambda _: answer
    transport = httpx2.MockTransport(handler)
    return TestClient(app("http://server/v1", settings, transport=transport, **options))


def streaming(*pieces: bytes | Exception, **headers: str) -> httpx2.Response:
    return httpx2.Response(200, headers={"content-type": EVENTS, **headers}, stream=Pieces(*pieces))


def whole(content: str | None, **fields: Any) -> httpx2.Response:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return httpx2.Response(200, json={"id": "x", "model": "m", "choices": [choice], **fields})


# -- the three shells --------------------------------------------------------------------------------------------------


async def through_app(answer: Answers | httpx2.Response, path: str, body: Any, **options: Any) -> httpx2.Response:
    handler = answer if callable(answer) else lambda _: answer
    application = app("http://server/v1", transport=httpx2.MockTransport(handler), **options)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(application)) as session:
        return await session.post(f"http://proxy{path}", **sent(body))


async def through_transport(answer: Answers | httpx2.Response, path: str, body: Any, **options: Any) -> httpx2.Response:
    handler = answer if callable(answer) else lambda _: answer
    with httpx2.Client(transport=Transport(transport=httpx2.MockTransport(handler), **options)) as session:
        return session.post(f"http://server{path}", **sent(body))


async def through_async_transport(
    answer: Answers | httpx2.Response, path: str, body: Any, **options: Any
) -> httpx2.Response:
    inner = httpx2.MockTransport(answer if callable(answer) else lambda _: answer)
    async with httpx2.AsyncClient(transport=AsyncTransport(transport=inner, **options)) as session:
        return await session.post(f"http://server{path}", **sent(body))


def sent(body: Any) -> dict[str, Any]:
    return {"content": body} if isinstance(body, bytes) else {"json": body}


ANY = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi."}], "input": "Hi."}
SHELLS = pytest.mark.parametrize("send", [through_app, through_transport, through_async_transport])


# -- Chat Completions --------------------------------------------------------------------------------------------------


def test_a_stream_is_repaired() -> None:
    response = client(streaming(leaking(["Hi.\n", CALL[:30], CALL[30:]]), **{"x-request-id": "7"})).post(
        "/v1/chat/completions", json=request()
    )
    *made, last = events(response.content)
    assert got(made) == Got("Hi.", "", [SEARCH], "tool_calls")
    assert last == "[DONE]"
    assert response.headers["x-request-id"] == "7"
    assert response.headers["x-streamparse-format"] == "auto"
    assert "x-streamparse-logprobs" not in response.headers


@SHELLS
async def test_a_stream_is_known_by_its_first_bytes(send: Any) -> None:
    stream = leaking(["Hi.\n", CALL])
    pieces = Pieces(stream[:3], stream[3:400], stream[400:])
    response = await send(httpx2.Response(200, stream=pieces), "/v1/chat/completions", request())
    assert got(events(response.content)[:-1]) == Got("Hi.", "", [SEARCH], "tool_calls")
    assert response.headers["content-type"] == "text/event-stream"
    assert pieces.is_closed


def test_it_is_told_in_a_header_that_tokens_of_calls_are_dropped() -> None:
    response = client(streaming(leaking("Hi."))).post("/v1/chat/completions", json=request(logprobs=True))
    assert response.headers["x-streamparse-logprobs"] == "text-only"


def test_a_response_that_is_not_streamed_is_repaired() -> None:
    response = client(whole(f"Hi.\n{CALL}")).post("/chat/completions", json=request(stream=False))
    choice = response.json()["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("Hi.", "tool_calls")
    assert without_ids(choice["message"]["tool_calls"]) == [SEARCH]
    assert int(response.headers["content-length"]) == len(response.content)


@pytest.mark.parametrize("content", [b'{"choices" : [ ]}', b"[1]", b"no JSON"])
def test_what_need_not_be_changed_comes_as_it_is(content: bytes) -> None:
    response = client(httpx2.Response(200, content=content)).post("/v1/chat/completions", json=request())
    assert response.content == content


def test_a_reply_that_is_packed_is_unpacked() -> None:
    packed = gzip.compress(leaking(["Hi.", CALL]))
    response = client(streaming(packed[:50], packed[50:], **{"content-encoding": "gzip"})).post(
        "/v1/chat/completions", json=request()
    )
    assert got(events(response.content)[:-1]).calls == [SEARCH]
    assert "content-encoding" not in response.headers


DEEP = b'{"model": "m", "messages": [], "choices": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def test_json_that_is_too_deep_is_refused_in_requests_and_passes_in_responses() -> None:
    session = client(httpx2.Response(200, content=DEEP))
    for path in ("/v1/chat/completions", "/v1/messages", "/v1/responses"):
        refused = session.post(path, content=DEEP)
        assert (refused.status_code, refused.json()["error"]["message"]) == (400, "the body is not JSON")
    assert session.post("/v1/chat/completions", json=request()).content == DEEP
    http = httpx2.Client(transport=Transport(transport=httpx2.MockTransport(lambda _: httpx2.Response(200))))
    assert http.post("http://server/v1/chat/completions", content=DEEP).status_code == 400


def test_what_is_too_deep_to_be_written_anew_is_refused() -> None:
    schema: dict[str, Any] = {}
    for _ in range(700):
        schema = {"items": schema}
    bodies: dict[str, dict[str, Any]] = {
        "/v1/chat/completions": {"tools": [{"type": "function", "function": {"name": "f", "parameters": schema}}]},
        "/v1/messages": {"max_tokens": 9, "tools": [{"name": "f", "input_schema": schema}]},
        "/v1/responses": {"input": "Hi", "tools": [{"type": "function", "name": "f", "parameters": schema}]},
    }
    session = client(whole("Hi."), Settings(format="hermes", is_prompted=True))
    for path, body in bodies.items():
        refused = session.post(path, json={"model": "m", "messages": [], **body})
        assert (refused.status_code, refused.json()["error"]["message"]) == (400, "the body is nested too deeply")


async def test_headers_may_have_any_bytes_and_come_more_than_once() -> None:
    asked: list[httpx2.Request] = []
    sent = [(b"x-name", "Zo\u00eb".encode()), (b"x-name", b"\xff")]

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(asking)
        return httpx2.Response(200, headers=sent, json={"choices": []})

    application = app("http://server/v1", transport=httpx2.MockTransport(answer))
    http = httpx2.AsyncClient(transport=httpx2.ASGITransport(application))
    for method, path in (("POST", "/v1/chat/completions"), ("GET", "/v1/models")):
        response = await http.request(method, f"http://proxy{path}", headers=sent, content=b"{}")
        for headers in (asked[-1].headers, response.headers):
            assert [pair for pair in headers.raw if pair[0].lower() == b"x-name"] == sent


@SHELLS
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages", "/v1/responses"])
async def test_an_answer_that_has_no_body_gets_none(send: Any, path: str) -> None:
    for status in (204, 205):
        answer = httpx2.Response(status, headers={"content-type": EVENTS}, stream=Pieces())
        response = await send(answer, path, {**ANY, "stream": True})
        assert (response.status_code, response.content) == (status, b"")


class Endless(Pieces):
    """A body that never ends."""

    def __iter__(self) -> Iterator[bytes]:
        yield from super().__iter__()
        raise AssertionError("nobody may wait for more")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in super().__iter__():
            yield piece
        await asyncio.Event().wait()


@SHELLS
@pytest.mark.parametrize(
    ("path", "last"),
    [
        ("/v1/chat/completions", b"data: [DONE]\n\n"),
        ("/v1/messages", b'data: {"type": "message_stop"}\n\n'),
        ("/v1/responses", b'"status": "completed"}}\n\n'),
    ],
)
async def test_a_server_that_goes_on_behind_its_last_word_is_left(
    monkeypatch: pytest.MonkeyPatch, send: Any, path: str, last: bytes
) -> None:
    monkeypatch.setattr("streamparse.proxy.transport._PATIENCE", 0.01)
    body = Endless(leaking("Hi."), b": more\n\n")
    answer = httpx2.Response(200, headers={"content-type": EVENTS}, stream=body)
    response = await send(answer, path, {**ANY, "stream": True})
    assert response.content.endswith(last), response.content[-100:]
    assert body.is_closed


@SHELLS
async def test_what_breaks_behind_the_last_word_does_not_matter(send: Any) -> None:
    answer = streaming(leaking("Hi."), httpx2.ReadError(""))
    assert (await send(answer, "/v1/chat/completions", request())).content == leaking("Hi.")


def test_the_server_is_asked_what_the_client_asks_with_its_key() -> None:
    asked: list[httpx2.Request] = []

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(asking)
        return streaming(leaking("Hi."))

    body = b'{ "model": "m", "stream": true, "messages": [] }'
    headers = {"authorization": "Bearer k", "accept-encoding": "br", "host": "evil.example", "x-own": "1"}
    client(answer).post("/v1/chat/completions", content=body, headers=headers)
    assert (str(asked[0].url), asked[0].content) == ("http://server/v1/chat/completions", body)
    sent = dict(asked[0].headers)
    assert (sent["authorization"], sent["x-own"], sent["host"]) == ("Bearer k", "1", "server")
    assert (sent["accept-encoding"], sent["content-length"]) == ("identity", str(len(body)))


def test_the_query_of_chat_completions_goes_to_the_server_and_that_of_others_does_not() -> None:
    asked: list[str] = []

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(str(asking.url))
        return whole("Hi.")

    for path in ("/v1/chat/completions?api-version=1&a=%20b", "/v1/messages?beta=true", "/v1/responses?x=1"):
        client(answer).post(path, json=ANY)
    url = "http://server/v1/chat/completions"
    assert asked == [f"{url}?api-version=1&a=%20b", url, url]


def test_in_prompted_mode_it_is_asked_without_tools() -> None:
    asked: list[Any] = []

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(asking.content))
        return whole(CALL)

    body = request(stream=False, messages=[{"role": "user", "content": "Cats?"}])
    response = client(answer, Settings(is_prompted=True)).post("/v1/chat/completions", json=body)
    assert "tools" not in asked[0]
    assert "search" in asked[0]["messages"][0]["content"]
    assert without_ids(response.json()["choices"][0]["message"]["tool_calls"]) == [SEARCH]


@pytest.mark.parametrize(
    ("content", "message"), [(b"{", "the body is not JSON"), (b"[]", "the body must be a JSON object")]
)
def test_a_body_that_is_no_request_is_refused(content: bytes, message: str) -> None:
    response = client(whole("")).post("/v1/chat/completions", content=content)
    assert (response.status_code, response.json()["error"]["message"]) == (400, message)


# -- other interfaces --------------------------------------------------------------------------------------------------


def test_messages_are_answered_by_a_chat_server() -> None:
    asked: list[httpx2.Request] = []

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(asking)
        return streaming(leaking(f"Hi.\n{CALL}")) if b'"stream": true' in asking.content else whole(f"Hi.\n{CALL}")

    tools = [{"name": tool["function"]["name"], "input_schema": tool["function"]["parameters"]} for tool in TOOLS]  # type: ignore[index]
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Cats?"}], "tools": tools}
    with client(answer) as session:
        message = session.post("/v1/messages", json=body, headers={"x-api-key": "k"}).json()
        stream = session.post("/v1/messages", json={**body, "stream": True}).content
    assert str(asked[0].url) == "http://server/v1/chat/completions"
    assert asked[0].headers["authorization"] == "Bearer k"
    assert [block["type"] for block in message["content"]] == ["text", "tool_use"]
    assert message["content"][1]["input"] == json.loads(ARGUMENTS)
    assert message["stop_reason"] == "tool_use"
    assert stream.endswith(b'event: message_stop\ndata: {"type": "message_stop"}\n\n')


def test_responses_are_answered_by_a_chat_server() -> None:
    tools = [{"type": "function", **tool["function"]} for tool in TOOLS]  # type: ignore[dict-item]
    body = {"model": "m", "input": "Cats?", "tools": tools}

    def answer(asking: httpx2.Request) -> httpx2.Response:
        return streaming(leaking(f"Hi.\n{CALL}")) if b'"stream": true' in asking.content else whole(f"Hi.\n{CALL}")

    with client(answer) as session:
        response = session.post("/v1/responses", json=body).json()
        stream = session.post("/v1/responses", json={**body, "stream": True}).content.decode()
    assert [item["type"] for item in response["output"]] == ["message", "function_call"]
    assert response["output"][1]["arguments"] == ARGUMENTS
    last = json.loads(stream.rstrip().rpartition("data: ")[2])
    assert last["type"] == "response.completed"
    assert [item["type"] for item in last["response"]["output"]] == ["message", "function_call"]


@SHELLS
@pytest.mark.parametrize("content", [b'{"choices": {}}', b'{"choices": []}', b'{"choices": [1]}', b"[1]", b"<html>"])
async def test_what_is_no_reply_is_an_error_for_clients_of_other_interfaces(send: Any, content: bytes) -> None:
    said = content.decode()
    for path, told in (
        ("/v1/messages", {"type": "error", "error": {"type": "api_error", "message": said}}),
        ("/v1/responses", {"error": {"message": said, "type": "server_error", "param": None, "code": None}}),
    ):
        response = await send(httpx2.Response(200, content=content), path, ANY)
        assert (response.status_code, response.json()) == (502, told)
        assert response.headers["content-type"] == "application/json"
    response = await send(httpx2.Response(200, content=content), "/v1/chat/completions", ANY)
    assert (response.status_code, response.content) == (200, content)


@SHELLS
async def test_what_cannot_be_asked_is_told_in_the_words_of_the_interface(send: Any) -> None:
    response = await send(whole(""), "/v1/messages", {"messages": "none"})
    assert (response.status_code, response.json()) == (
        400,
        {"type": "error", "error": {"type": "invalid_request_error", "message": "messages must be a list"}},
    )
    response = await send(whole(""), "/v1/messages/count_tokens", {})
    told = "count_tokens: this model server does not count tokens of requests"
    assert (response.status_code, response.json()) == (
        404,
        {"type": "error", "error": {"type": "not_found_error", "message": told}},
    )
    response = await send(whole(""), "/v1/responses", {"previous_response_id": "x"})
    assert (response.status_code, response.json()["error"]["type"]) == (400, "invalid_request_error")
    response = await send(whole(""), "/v1/chat/completions", {"tools": 5, "messages": []}, settings=PROMPTED)
    assert (response.status_code, response.json()["error"]["message"]) == (400, "tools must be a list")


PROMPTED = Settings(is_prompted=True)
TOLD = [
    (404, {"error": {"message": "no such model", "code": 7}}, 404, "not_found_error", "no such model"),
    (401, {"error": "no key"}, 401, "authentication_error", "no key"),
    (403, {"object": "error", "message": "not you"}, 403, "permission_error", "not you"),
    (429, {"detail": "slow down"}, 429, "rate_limit_error", "slow down"),
    (422, {"detail": [{"loc": ["n"]}]}, 422, "invalid_request_error", '[{"loc": ["n"]}]'),
    (413, b"<html>too large</html>", 413, "request_too_large", "<html>too large</html>"),
    (500, b"", 500, "api_error", "the model server answered 500"),
    (529, {"error": {}}, 529, "overloaded_error", '{"error":{}}'),
    (302, b"", 502, "api_error", "the model server answered 502"),
    (200, {"error": {"message": "busy", "code": 503}}, 503, "api_error", "busy"),
    (200, {"error": {"message": "busy", "code": "x"}}, 502, "api_error", "busy"),
    (200, {"error": {"message": "busy", "code": 7}}, 502, "api_error", "busy"),
]


@SHELLS
@pytest.mark.parametrize(("status", "body", "expected", "kind", "message"), TOLD)
async def test_an_error_of_the_server_is_told_in_the_words_of_the_interface(
    send: Any, status: int, body: Any, expected: int, kind: str, message: str
) -> None:
    def answer() -> httpx2.Response:
        return httpx2.Response(status, headers={"retry-after": "3"}, **sent(body))

    response = await send(answer(), "/v1/messages", {**ANY, "stream": True})
    assert (response.status_code, response.json()) == (
        expected,
        {"type": "error", "error": {"type": kind, "message": message}},
    )
    assert response.headers["retry-after"] == "3"
    response = await send(answer(), "/v1/chat/completions", ANY)
    assert (response.status_code, response.content) == (status, answer().content)
    if status >= 300:
        response = await send(answer(), "/v1/responses", ANY)
        assert (response.status_code, response.content) == (status, answer().content)


# -- what is not repaired ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "url"),
    [
        ("GET", "/v1/models", "http://server/v1/models"),
        ("POST", "/v1/completions?a=b%20c", "http://server/v1/completions?a=b%20c"),
        ("POST", "/v1/embeddings", "http://server/v1/embeddings"),
        ("DELETE", "/v1/files/a%2Fb", "http://server/v1/files/a%2Fb"),
        ("GET", "/v1/chat/completions", "http://server/v1/chat/completions"),
        ("GET", "/health", "http://server/health"),
        ("POST", "/", "http://server/"),
    ],
)
def test_all_else_passes_byte_for_byte(method: str, path: str, url: str) -> None:
    asked: list[tuple[str, str, bytes]] = []
    packed = gzip.compress(b"<think>" * 100)

    async def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append((asking.method, str(asking.url), await asking.aread()))
        headers = {"content-encoding": "gzip", "connection": "close", "set-cookie": "a=1"}
        return httpx2.Response(201, headers=headers, stream=Pieces(packed[:5], packed[5:]))

    content = b"\x00\xff body" if method == "POST" else None
    with client(answer).stream(method, path, content=content) as response:  # type: ignore[arg-type]  # it is one
        assert b"".join(response.iter_raw()) == packed
    assert response.status_code == 201
    assert (response.headers["set-cookie"], response.headers["content-encoding"]) == ("a=1", "gzip")
    assert "connection" not in response.headers
    assert asked == [(method, url, content or b"")]


def test_cookies_of_one_client_are_not_given_to_the_next() -> None:
    asked = []

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(asking.headers.get("cookie"))
        return httpx2.Response(200, headers={"set-cookie": "session=secret; Path=/"})

    application = app("http://server/v1", transport=httpx2.MockTransport(answer))
    for _ in range(2):
        TestClient(application).get("/v1/models")
    assert asked == [None, None]


def test_a_native_model_passes_byte_for_byte() -> None:
    stream = leaking(CALL)
    settings = Settings(models={"native-*": "native"})
    response = client(streaming(stream), settings).post("/v1/chat/completions", json=request(model="native-1"))
    assert response.content == stream
    assert "x-streamparse-format" not in response.headers


@pytest.mark.parametrize("path", ["/v1/%2e%2e/admin", "/v1/..%5cadmin", "//evil.example/v1/models"])
def test_nothing_leads_out_of_the_server(path: str) -> None:
    def answer(_: httpx2.Request) -> httpx2.Response:
        raise AssertionError("nobody is asked")

    session = client(answer)
    response = session.send(session.build_request("GET", httpx2_url(session, path)))
    assert (response.status_code, response.json()["error"]["type"]) == (400, "invalid_request_error")


def httpx2_url(session: TestClient, path: str) -> Any:
    return f"{session.base_url}{path}"


# -- errors ------------------------------------------------------------------------------------------------------------


def test_an_error_of_the_server_comes_as_it_is() -> None:
    content = b'{ "error": {"message": "context too long", "code": 7} }'
    response = client(httpx2.Response(413, content=content, headers={"retry-after": "3"})).post(
        "/v1/chat/completions", json=request()
    )
    assert (response.status_code, response.content, response.headers["retry-after"]) == (413, content, "3")


def test_a_server_that_cannot_be_reached_is_an_error_502() -> None:
    def answer(asking: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("secret words", request=asking)

    with client(answer) as session:
        for response in (session.post("/v1/chat/completions", json=request()), session.get("/v1/models")):
            assert response.status_code == 502
            assert response.json()["error"]["message"] == "the model server cannot be reached (ConnectError)"
        page = session.get("/").text
    assert page.count("the model server cannot be reached (ConnectError)") == 2
    assert "secret words" not in page
    assert "<tr><th>streams now</th><td>0</td></tr>" in page


def test_a_stream_that_breaks_off_ends_with_an_error() -> None:
    broken = streaming(frame(chunk({"content": "a <tool"})), httpx2.ReadError("secret words"))
    with client(broken) as session:
        made = events(session.post("/v1/chat/completions", json=request()).content)
        page = session.get("/").text
    assert [list(one) for one in made][-1] == ["error"]
    assert made[-1]["error"]["message"] == "the connection to the model server broke off (ReadError)"
    assert "the connection to the model server broke off (ReadError)" in page
    assert "secret words" not in page


def test_an_error_that_the_server_reports_in_its_stream_is_on_the_page() -> None:
    reported = {"error": {"message": "secret words", "type": "server_error"}}
    with client(streaming(frame(chunk({"content": "a <tool"})), frame(reported))) as session:
        made = events(session.post("/v1/chat/completions", json=request()).content)
        page = session.get("/").text
    assert made[-1] == reported
    assert page.count("<td>the model server reported an error in its stream</td>") == 1
    assert "secret words" not in page


def test_a_stream_without_the_last_word_ends_where_the_server_ends_it() -> None:
    answer = leaking("Hi.").removesuffix(frame("[DONE]"))
    assert client(streaming(answer)).post("/v1/chat/completions", json=request()).content == answer


def test_a_response_that_breaks_off_is_an_error_502() -> None:
    broken = httpx2.Response(
        200, headers={"content-type": "application/json"}, stream=Pieces(b"{", httpx2.ReadError(""))
    )
    assert client(broken).post("/v1/chat/completions", json=request()).status_code == 502


@pytest.mark.parametrize("path", ["/v1/completions", "/v1/chat/completions"])
def test_a_body_that_is_passed_on_and_breaks_off_has_no_end(path: str) -> None:
    pieces = Pieces(b"Hi", httpx2.ReadError("secret words"))
    session = client(httpx2.Response(200, stream=pieces), Settings(format="native"))
    with pytest.raises(ServerError, match=r"^ReadError$"):  # by which a server knows that it has to cut the connection
        session.post(path, json=request())
    assert pieces.is_closed
    page = session.get("/").text
    assert "the connection to the model server broke off (ReadError)" in page
    assert "<th>streams now</th><td>0</td>" in page


def test_one_call_at_a_time_closes_the_connection() -> None:
    pieces = Pieces(leaking(["Hi.", CALL])[:-100], *[b": more\n\n"] * 1000)
    answer = httpx2.Response(200, headers={"content-type": EVENTS}, stream=pieces)
    response = client(answer).post("/v1/chat/completions", json=request(parallel_tool_calls=False))
    assert got(events(response.content)[:-1]) == Got("Hi.", "", [SEARCH], "tool_calls")
    assert pieces.is_closed
    assert pieces.given < 5


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions"])
@pytest.mark.parametrize("is_gone", [True, False])
async def test_a_client_that_is_gone_closes_the_connection(path: str, is_gone: bool) -> None:
    """Before anything was sent, or while a piece is being sent that nobody takes."""
    pieces = Pieces(*[frame(chunk({"content": "Hi. "}))] * 1000)
    answer = httpx2.Response(200, headers={"content-type": EVENTS}, stream=pieces)
    application = app("http://server/v1", transport=httpx2.MockTransport(lambda _: answer))
    body, gone = json.dumps(request()).encode(), asyncio.Event()
    if is_gone:
        gone.set()
    messages: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Any:
        if not messages:
            await gone.wait()
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message.get("body"):
            gone.set()
            await asyncio.sleep(60)

    headers = [(b"content-length", str(len(body)).encode())]
    about = {"type": "http", "method": "POST", "asgi": {"spec_version": "2.3"}, "headers": headers}
    await application({**about, "path": path, "raw_path": path.encode(), "query_string": b""}, receive, send)
    assert pieces.is_closed
    assert pieces.given <= 2


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions"])
async def test_a_client_that_goes_in_the_middle_of_its_request_is_no_error(path: str) -> None:
    asked: list[bytes] = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(await request.aread())
        return httpx2.Response(200)

    application = app("http://server/v1", transport=httpx2.MockTransport(answer))
    messages: list[Any] = [{"type": "http.disconnect"}, {"type": "http.request", "body": b"{", "more_body": True}]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop() if len(messages) > 1 else messages[0]

    async def send(message: Any) -> None:
        sent.append(message)

    about = {"type": "http", "method": "POST", "asgi": {}, "headers": [(b"content-length", b"9")]}
    await application({**about, "path": path, "raw_path": path.encode(), "query_string": b""}, receive, send)
    assert (asked, sent) == ([], [])


async def test_a_client_that_goes_while_the_connection_is_closed_is_counted_once() -> None:
    gone = asyncio.Event()

    class Closing(Pieces):
        async def aclose(self) -> None:
            gone.set()
            await asyncio.sleep(60)

    reply = json.dumps({"choices": [{"index": 0, "message": {"content": "Hi."}, "finish_reason": "stop"}]})
    answer = httpx2.Response(200, headers={"content-type": "application/json"}, stream=Closing(reply.encode()))
    application = app("http://server/v1", transport=httpx2.MockTransport(lambda _: answer))
    messages: list[Any] = [{"type": "http.request", "body": json.dumps(request(stream=False)).encode()}]
    sent: list[Any] = []

    async def receive() -> Any:
        if not messages:
            await gone.wait()
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    about = {"type": "http", "asgi": {"spec_version": "2.3"}, "headers": [], "query_string": b""}
    await application({**about, "method": "POST", "path": "/v1/chat/completions"}, receive, send)
    assert sent == []
    messages.append({"type": "http.request"})
    gone.clear()
    await application({**about, "method": "GET", "path": "/"}, receive, send)
    assert b"<th>streams now</th><td>0</td>" in sent[1]["body"]
    assert b"<th>requests so far</th><td>1</td>" in sent[1]["body"]


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/models"])
def test_an_error_of_its_own_is_told_without_what_was_said_and_counted(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(_: httpx2.Request) -> httpx2.Response:
        raise LookupError("secret words")

    session = client(answer)
    for _ in range(2):
        with pytest.raises(LookupError):
            session.post(path, json=request())
    [record] = caplog.records  # once for each place
    told = record.getMessage()
    assert re.fullmatch(r"an error of the proxy itself: LookupError in transport\.py, line \d+", told)
    assert (record.name, record.levelname, record.exc_info) == ("streamparse.proxy", "ERROR", None)
    page = session.get("/").text
    assert page.count(f"<td>{told}</td>") == 2
    assert "<tr><th>errors of its own</th><td>2</td></tr>" in page
    assert "<tr><th>streams now</th><td>0</td></tr>" in page
    assert "secret words" not in page


# -- the page, recordings, websockets ----------------------------------------------------------------------------------


def test_the_page_counts_calls_that_were_repaired() -> None:
    with client(streaming(leaking(CALL))) as session:
        session.post("/v1/chat/completions", json=request())
        response = session.get("/")
    assert response.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert "<tr><th>calls repaired</th><td>1</td></tr>" in response.text
    assert "<tr><th>clients use</th><td><code>http://testserver/v1</code></td></tr>" in response.text
    assert "<td>some-model</td><td>auto</td><td>1</td>" in response.text


def test_what_is_said_is_recorded_only_if_somebody_wants_it(tmp_path: Path) -> None:
    raw = leaking(CALL)
    with client(lambda _: streaming(raw[:90], raw[90:]), record=str(tmp_path)) as session:
        streamed = session.post("/v1/chat/completions", json=request(), headers={"authorization": "Bearer k"})
        assert f"to <code>{tmp_path}</code>" in session.get("/").text
    with client(whole("Hi."), record=str(tmp_path)) as session:
        response = session.post("/v1/chat/completions", json=request(stream=False))
    with client(httpx2.Response(500, content=b"wrong"), record=str(tmp_path)) as session:
        session.post("/v1/chat/completions", json=request())
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert json.loads(kept.pop("0001.request.json")) == request()
    assert {name: content for name, content in kept.items() if "request" not in name} == {
        "0001.raw": raw,
        "0001.repaired": streamed.content,
        "0002.raw": response.content,
        "0002.repaired": response.content,
        "0003.raw": b"wrong",
        "0003.repaired": b"wrong",
    }


@pytest.mark.parametrize("failing", ["Recorder.begin", "Recording.add", "Recording.close"])
def test_what_cannot_be_recorded_is_answered_all_the_same(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = Recording.close

    def fail(recording: Any, *_: object) -> None:
        if failing == "Recording.close":
            close(recording)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"streamparse.proxy.record.{failing}", fail)
    stream = leaking("Hi.")
    with client(lambda _: streaming(stream[:20], stream[20:]), record=str(tmp_path)) as session:
        assert session.post("/v1/chat/completions", json=request()).content == stream
        page = session.get("/").text
    assert page.count("<td>a reply cannot be recorded (OSError)</td>") == 1
    assert "<th>streams now</th><td>0</td>" in page


def test_there_are_no_websockets() -> None:
    session = client(whole(""))
    with pytest.raises(WebSocketDisconnect) as closed, session.websocket_connect("/v1/realtime"):
        raise AssertionError("it is closed")
    assert closed.value.code == 1011


# -- transports --------------------------------------------------------------------------------------------------------


def post(
    answer: Answers | httpx2.Response, body: Any, settings: Settings | None = None, path: str = ""
) -> httpx2.Response:
    handler = answer if callable(answer) else lambda _: answer
    with httpx2.Client(transport=Transport(settings, transport=httpx2.MockTransport(handler))) as session:
        return session.post(f"http://server/v1{path or '/chat/completions'}", json=body)


async def apost(answer: Answers | httpx2.Response, body: Any, settings: Settings | None = None) -> httpx2.Response:
    handler = answer if callable(answer) else lambda _: answer
    inner = httpx2.MockTransport(handler)
    async with httpx2.AsyncClient(transport=AsyncTransport(settings, transport=inner)) as session:
        return await session.post("http://server/v1/chat/completions", json=body)


async def test_a_transport_repairs_streams_and_responses() -> None:
    for response in (
        post(streaming(leaking(["Hi.\n", CALL])), request()),
        await apost(streaming(leaking(["Hi.\n", CALL])), request()),
    ):
        assert got(events(response.content)[:-1]) == Got("Hi.", "", [SEARCH], "tool_calls")
    for response in (post(whole(CALL), request(stream=False)), await apost(whole(CALL), request(stream=False))):
        assert without_ids(response.json()["choices"][0]["message"]["tool_calls"]) == [SEARCH]


async def test_a_transport_teaches_tools_in_the_prompt() -> None:
    asked: list[Any] = []

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(asking.content))
        return whole(CALL)

    settings = Settings(format="hermes", is_prompted=True)
    post(answer, request(stream=False), settings)
    await apost(answer, request(stream=False), settings)
    assert ["tools" in body for body in asked] == [False, False]


async def test_a_transport_leaves_all_else_alone() -> None:
    plain = whole(CALL)
    assert post(plain, request(), path="/embeddings") is not None
    assert post(plain, request(), path="/embeddings").json() == plain.json()
    assert post(whole(CALL), request(), Settings(format="native")).json() == plain.json()
    assert (await apost(whole(CALL), request(), Settings(format="native"))).json() == plain.json()
    wrong = httpx2.Response(500, json={"error": CALL})
    assert post(wrong, request()).json() == {"error": CALL}
    assert (await apost(httpx2.Response(500, json={"error": CALL}), request())).json() == {"error": CALL}
    inner = httpx2.MockTransport(lambda _: whole(CALL))
    with httpx2.Client(transport=Transport(transport=inner)) as session:
        for url in ("http://server/v1/chat/completions", "http://server/v1/responses"):
            assert session.get(url).json() == plain.json()
        for url in ("http://server/v1/threads/1/messages", "http://server/messages", "http://server/v1/responses/r1"):
            assert session.post(url, content=b"no JSON").json() == plain.json()


async def test_a_transport_speaks_the_other_interfaces_to_the_chat_server_that_stands_there() -> None:
    asked: list[httpx2.Request] = []

    def answer(asking: httpx2.Request) -> httpx2.Response:
        asked.append(asking)
        return streaming(leaking("Hi.")) if b'"stream": true' in asking.content else whole("Hi.")

    for send in (through_transport, through_async_transport):
        for path in ("/api/v1/messages?beta=true", "/api/v1/responses"):
            for is_streamed in (True, False):
                response = await send(answer, path, {**ANY, "stream": is_streamed})
                assert b"Hi." in response.content
                assert response.headers["x-streamparse-format"] == "auto"
        await send(answer, "/deployments/d/chat/completions?api-version=1", ANY)
    urls = [str(asking.url).removeprefix("http://server") for asking in asked]
    of_one = [*["/api/v1/chat/completions"] * 4, "/deployments/d/chat/completions?api-version=1"]
    assert urls == of_one * 2
    assert {asking.headers["host"] for asking in asked} == {"server"}


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
async def test_what_breaks_off_is_an_exception_in_a_client_with_a_transport(path: str) -> None:
    for is_streamed in (True, False):
        for send in (through_transport, through_async_transport):
            kind = EVENTS if is_streamed else "application/json"
            pieces = Pieces(frame(chunk({"content": "a <tool"})), httpx2.ReadError("lost"))
            answer = httpx2.Response(200, headers={"content-type": kind}, stream=pieces)
            with pytest.raises(httpx2.ReadError, match=r"^lost$"):
                await send(answer, path, {**ANY, "stream": is_streamed})
            assert pieces.is_closed


async def test_clients_of_all_interfaces_take_a_transport() -> None:
    def answer(asking: httpx2.Request) -> httpx2.Response:
        assert asking.headers["authorization"] == "Bearer k"
        return streaming(leaking(f"Hi.\n{CALL}")) if b'"stream": true' in asking.content else whole(f"Hi.\n{CALL}")

    http = httpx2.Client(transport=Transport(transport=httpx2.MockTransport(answer)))
    claude = Anthropic(base_url="http://server", api_key="k", http_client=http)
    tool = {"name": "search", "input_schema": {"type": "object"}}
    asked: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Cats?"}], "tools": [tool]}
    with claude.messages.stream(**asked) as stream:
        for message in (stream.get_final_message(), claude.messages.create(**asked)):
            assert [block.type for block in message.content] == ["text", "tool_use"]
            assert message.stop_reason == "tool_use"
    other = AsyncOpenAI(
        base_url="http://server/v1",
        api_key="k",
        http_client=httpx2.AsyncClient(transport=AsyncTransport(transport=httpx2.MockTransport(answer))),
    )
    given: Any = {"model": "m", "input": "Cats?", "tools": [{"type": "function", **TOOLS[0]["function"]}]}  # type: ignore[dict-item]
    response = await other.responses.create(**given)
    assert [item.type for item in response.output] == ["message", "function_call"]
    kinds = [event.type async for event in await other.responses.create(**given, stream=True)]
    assert (kinds[0], kinds[-1]) == ("response.created", "response.completed")


async def test_a_refusal_of_a_transport_is_an_error_400_for_its_client() -> None:
    http = httpx2.Client(transport=Transport(PROMPTED, transport=httpx2.MockTransport(lambda _: whole("Hi."))))
    client = OpenAI(base_url="http://server/v1", api_key="k", http_client=http)
    with pytest.raises(BadRequestError, match="only tools of type function can be taught to this model"):
        client.chat.completions.create(model="m", messages=[], tools=[{"type": "web_search"}])  # type: ignore[list-item]


async def test_a_transport_closes_the_connection_after_the_first_call() -> None:
    for is_async in (False, True):
        pieces = Pieces(leaking(["Hi.", CALL])[:-100], *[b": more\n\n"] * 1000)
        answer = httpx2.Response(200, headers={"content-type": EVENTS}, stream=pieces)
        body = request(parallel_tool_calls=False)
        response = await apost(answer, body) if is_async else post(answer, body)
        assert got(events(response.content)[:-1]) == Got("Hi.", "", [SEARCH], "tool_calls")
        assert pieces.is_closed
        assert pieces.given == 1


def test_without_asyncio_nothing_is_read_behind_the_last_word() -> None:
    """As in trio: whoever runs it, it does not wait here."""
    body = Pieces(leaking("Hi."), b": more\n\n")
    answer = httpx2.Response(200, headers={"content-type": EVENTS}, stream=body)
    transport = AsyncTransport(transport=httpx2.MockTransport(lambda _: answer))

    async def ask() -> bytes:
        asking = httpx2.Request("POST", "http://server/v1/chat/completions", json=request())
        return await (await transport.handle_async_request(asking)).aread()

    with pytest.raises(StopIteration) as done:
        ask().send(None)
    assert done.value.value == leaking("Hi.")
    assert (body.given, body.is_closed) == (1, True)


# -- the extra ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("streamparse.proxy.transport", "httpx2"),
        ("streamparse.proxy.asgi", "starlette"),
        ("streamparse.cli.proxy", "uvicorn"),
    ],
)
def test_whoever_lacks_a_package_is_told_which_extra_has_it(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtraError, match=rf"{package} is not installed: .*llm-streamparse\[proxy\]"):
        deferred.load(module, "x")


def test_names_that_need_the_extra_are_found_and_no_others() -> None:
    assert proxy.Transport is Transport
    with pytest.raises(AttributeError, match="has no attribute 'Proxy'"):
        proxy.Proxy  # type: ignore[attr-defined]  # there is none
