"""The proxy as an ASGI application.

    uvicorn.run(app("http://localhost:8000/v1"))            clients use http://127.0.0.1:8000/v1

`/v1/chat/completions`, `/v1/messages` and `/v1/responses` are answered with the server's Chat Completions, repaired;
`/` is a page that says how it goes; all else passes through, byte for byte. The server is read only as fast as the
client reads, and no longer than the client listens. Nothing is logged.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager, nullcontext
from typing import Any

from streamparse.errors import MissingExtraError, RequestError
from streamparse.proxy.address import AddressError, Upstream, request_headers, response_headers, with_bearer
from streamparse.proxy.endpoints import CHAT, ENDPOINTS, Conversation, Endpoint
from streamparse.proxy.frames import error
from streamparse.proxy.record import Recorder, Recording
from streamparse.proxy.settings import Settings
from streamparse.proxy.status import Status
from streamparse.proxy.transport import Answer, Connections, ServerError, folded

try:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
    from starlette.routing import Mount, Route
    from starlette.types import Receive, Scope, Send
except ModuleNotFoundError as missing:
    raise MissingExtraError("proxy", "starlette") from missing

_UNREACHED = "the model server cannot be reached"
_BROKEN = "the connection to the model server broke off"


def app(
    upstream: str,
    settings: Settings | None = None,
    *,
    record: str | None = None,
    transport: Any = None,
) -> Starlette:
    """The application in front of the server at `upstream`, a URL such as `http://localhost:8000/v1`.

    `record` is a folder in which everything that is said is kept, for a bug report. `transport` is what connects to
    the server, an `httpx2.AsyncBaseTransport`.
    """
    proxy = _Proxy(Upstream(upstream), settings or Settings(), record, transport)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await proxy.connections.close()

    return Starlette(routes=[Route("/", proxy.show_status), Mount("/", proxy)], lifespan=lifespan)


class _Proxy:
    def __init__(self, upstream: Upstream, settings: Settings, record: str | None, transport: Any) -> None:
        self._upstream = upstream
        self._settings = settings
        self._recorder = None if record is None else Recorder(record)
        self._status = Status(upstream.base, record)
        self.connections = Connections(transport)

    async def show_status(self, _: Request) -> Response:
        """The page."""
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        return HTMLResponse(self._status.page(), headers={"content-security-policy": policy})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            response = await self._answer(Request(scope, receive))
            await response(scope, receive, send)
        else:  # a WebSocket: no server of models has one that could be repaired
            await send({"type": "websocket.close", "code": 1011})

    async def _answer(self, request: Request) -> Response:
        raw = request.scope.get("raw_path")
        path = raw.decode("latin-1") if raw else request.scope["path"]
        try:
            url = self._upstream.url(path, request.scope["query_string"].decode("latin-1"))
        except AddressError as failure:
            return JSONResponse(error(str(failure), "invalid_request_error"), 400)
        endpoint = ENDPOINTS.get(self._upstream.endpoint(path) or path) if request.method == "POST" else None
        headers = request_headers(request.headers.items())
        try:
            if endpoint is None:
                return await self._pass(request.method, url, headers, request)
            return await self._converse(endpoint, headers, await request.body())
        except ServerError as failure:
            self._status.note(f"{_UNREACHED} ({failure})")
            return JSONResponse(error(f"{_UNREACHED} ({failure})"), 502)

    async def _pass(self, method: str, url: str, headers: list[tuple[str, str]], request: Request) -> Response:
        """Pass a request and its response through, as they come."""
        has_body = any(name in request.headers for name in ("content-length", "transfer-encoding"))
        answer = await self._send(method, url, headers, request.stream() if has_body else b"")
        return _streamed(answer, _through(answer), response_headers(answer.headers, is_changed=False))

    async def _converse(self, endpoint: Endpoint, headers: list[tuple[str, str]], content: bytes) -> Response:
        """Ask the server what a client asks, and repair the reply."""
        try:
            body = json.loads(content)
            if not isinstance(body, dict):
                raise RequestError("the body must be a JSON object")
            conversation = endpoint.open(body, self._settings)
        except ValueError as failure:
            wrong = failure if isinstance(failure, RequestError) else RequestError("the body is not JSON")
            return JSONResponse(endpoint.error_body(wrong), wrong.status)
        exchange = conversation.exchange
        if exchange.request is not body:
            content = json.dumps(exchange.request).encode()
        exchange_headers = [*_without_length(with_bearer(headers)), ("content-length", str(len(content)))]
        self._status.begin(exchange.model, exchange.formats)
        recording = None
        try:
            answer = await self._send("POST", f"{self._upstream.base}{CHAT}", exchange_headers, content)
            recording = self._recorder.begin(content) if self._recorder is not None else None
        except BaseException:
            self._status.end(0)
            raise
        return self._repaired(answer, conversation, recording)

    def _repaired(self, answer: Answer, conversation: Conversation, recording: Recording | None) -> Response:
        is_changed = answer.status < 300 and not (conversation.exchange.is_passive and conversation.encoder is None)
        headers = response_headers(answer.headers, is_changed=is_changed)
        if is_changed:
            headers += _about(conversation)
            if conversation.encoder is not None and not answer.is_stream:
                headers = [*(pair for pair in headers if pair[0] != "content-type"), ("content-type", _JSON)]
        body = self._body(answer, conversation, recording, is_changed)
        return _streamed(answer, body, headers)

    async def _body(
        self, answer: Answer, conversation: Conversation, recording: Recording | None, is_changed: bool
    ) -> AsyncGenerator[bytes, None]:
        """The body that the client gets, as the server's comes."""
        frames = conversation.frames if is_changed and answer.is_stream else None
        whole: list[bytes] = []
        try:
            with recording or nullcontext():
                try:
                    async with aclosing(answer.pieces(is_raw=not is_changed)) as pieces:
                        async for piece in pieces:
                            out = piece if not is_changed else frames.feed(piece) if frames else b""
                            if recording is not None:
                                recording.add(piece, out)
                            if is_changed and frames is None:
                                whole.append(piece)
                            if out:
                                yield out
                            if frames is not None and conversation.exchange.is_over:
                                break
                    last = frames.close() if frames else folded(b"".join(whole), conversation) if is_changed else b""
                except ServerError as failure:
                    self._status.note(f"{_BROKEN} ({failure})")
                    last = frames.fail(f"{_BROKEN} ({failure})") if frames else b""
                if recording is not None:
                    recording.add(b"", last)
                if last:
                    yield last
        finally:
            self._status.end(conversation.exchange.found)
            await answer.close()

    async def _send(self, method: str, url: str, headers: list[tuple[str, str]], content: Any) -> Answer:
        answer = await self.connections.send(method, url, [*headers, ("accept-encoding", "identity")], content)
        if answer.status >= 400:
            self._status.note(f"the model server answered {answer.status}")
        return answer


_JSON = "application/json"


def _about(conversation: Conversation) -> list[tuple[str, str]]:
    """What the proxy says of its own."""
    exchange = conversation.exchange
    headers = [("x-streamparse-format", ",".join(exchange.formats))]
    if exchange.has_logprobs:
        headers.append(("x-streamparse-logprobs", "text-only"))
    return headers


async def _through(answer: Answer) -> AsyncGenerator[bytes, None]:
    try:
        async for piece in answer.pieces(is_raw=True):
            yield piece
    finally:
        await answer.close()


class _Streamed(StreamingResponse):
    """A body that is closed when the client is gone, not some time later."""

    async def stream_response(self, send: Send) -> None:
        """Send it."""
        async with aclosing(self.body_iterator):  # type: ignore[type-var]  # it is a generator
            await super().stream_response(send)


def _streamed(answer: Answer, body: AsyncGenerator[bytes, None], headers: Iterable[tuple[str, str]]) -> Response:
    response = _Streamed(body, answer.status)
    response.raw_headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return response


def _without_length(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [pair for pair in headers if pair[0] != "content-length"]
