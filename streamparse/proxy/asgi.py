"""The proxy as an ASGI application.

    uvicorn.run(app("http://localhost:8000/v1"))            clients use http://127.0.0.1:8000/v1

`/v1/chat/completions`, `/v1/messages` and `/v1/responses` are answered with the server's Chat Completions, repaired;
`/` is a page that says how it goes; all else passes through, byte for byte. The server is read only as fast as the
client reads, and no longer than the client listens. Nothing is logged.
"""

from __future__ import annotations

import json
from asyncio import timeout
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from typing import Any

from streamparse.errors import MissingExtraError, RequestError
from streamparse.proxy.address import AddressError, Upstream, request_headers, response_headers, with_bearer
from streamparse.proxy.endpoints import CHAT, ENDPOINTS, Conversation, Endpoint
from streamparse.proxy.exchange import Exchange
from streamparse.proxy.frames import error
from streamparse.proxy.listening import Listening
from streamparse.proxy.record import Recorder, Recording
from streamparse.proxy.settings import Settings
from streamparse.proxy.status import Status
from streamparse.proxy.transport import Answer, Connections, ServerError, as_bytes, folded

try:
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
    from starlette.routing import Mount, Route
    from starlette.types import Receive, Scope, Send
except ModuleNotFoundError as missing:
    raise MissingExtraError("proxy", "starlette") from missing

#: How long a server may take, in seconds, to end a stream behind its last word.
_PATIENCE = 1.0
#: Answers that have no body, whatever their headers say.
_BODILESS = (204, 205)
_UNREACHED = "the model server cannot be reached"
_BROKEN = "the connection to the model server broke off"
_UNRECORDED = "a reply cannot be recorded"


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
        self._status = Status(upstream.base, record, is_prompted=settings.is_prompted)
        self.connections = Connections(transport)

    async def show_status(self, request: Request) -> Response:
        """The page."""
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        return HTMLResponse(self._status.page(str(request.base_url)), headers={"content-security-policy": policy})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            listening = Listening(receive, send)
            await listening.serve(self._serve(scope, listening))
        else:  # a WebSocket: no server of models has one that could be repaired
            await send({"type": "websocket.close", "code": 1011})

    async def _serve(self, scope: Scope, listening: Listening) -> None:
        try:
            response = await self._answer(Request(scope, listening.receive))
        except ClientDisconnect:  # in the middle of its request: nobody waits for an answer
            return
        listening.stop_reading()
        try:
            await response(scope, listening.receive, listening.send)
        except ServerError as failure:  # a body that is passed on has no end then, which the client notices
            self._status.note(f"{_BROKEN} ({failure})")
            raise

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
        answer = await self._send(method, url, headers, request.stream() if has_body else await request.body())
        headers = response_headers(answer.headers, is_changed=False)
        return _streamed(answer.status, headers, answer.pieces(is_raw=True), answer.close)

    async def _converse(self, endpoint: Endpoint, headers: list[tuple[str, str]], content: bytes) -> Response:
        """Ask the server what a client asks, and repair the reply."""
        try:
            body = json.loads(content)
            if not isinstance(body, dict):
                raise RequestError("the body must be a JSON object")
            conversation = endpoint.open(body, self._settings)
            if conversation.exchange.request is not body:
                content = json.dumps(conversation.exchange.request).encode()
        except (ValueError, RecursionError) as failure:
            wrong = failure if isinstance(failure, RequestError) else RequestError("the body is not JSON")
            return JSONResponse(endpoint.error_body(wrong), wrong.status)
        headers = [*_without_length(with_bearer(headers)), ("content-length", str(len(content)))]
        running = _Running(self._status, conversation)
        try:
            running.answer = await self._send("POST", f"{self._upstream.base}{CHAT}", headers, content)
            if self._recorder is not None:
                running.record(self._recorder, content)
            return await self._reply(running, running.answer)
        except BaseException:
            await running.close()
            raise

    async def _reply(self, running: _Running, answer: Answer) -> Response:
        """What the client gets for the server's answer."""
        conversation = running.conversation
        is_verbatim = conversation.exchange.is_passive and conversation.encoder is None
        if answer.status >= 300 or answer.status in _BODILESS or is_verbatim:
            headers = response_headers(answer.headers, is_changed=False)
            return _streamed(answer.status, headers, running.verbatim(), running.close)
        headers = [*response_headers(answer.headers, is_changed=True), *_about(conversation.exchange)]
        if answer.is_stream:
            return _streamed(answer.status, headers, running.stream(), running.close)
        content = await running.whole()
        await running.close()
        return _with_headers(Response(content, answer.status), headers)

    async def _send(self, method: str, url: str, headers: list[tuple[str, str]], content: Any) -> Answer:
        answer = await self.connections.send(method, url, [*headers, ("accept-encoding", "identity")], content)
        if answer.status >= 400:
            self._status.note(f"the model server answered {answer.status}")
        return answer


def _about(exchange: Exchange) -> list[tuple[str, str]]:
    """What the proxy says of its own."""
    headers = [("x-streamparse-format", ",".join(exchange.formats))]
    return [*headers, ("x-streamparse-logprobs", "text-only")] if exchange.has_logprobs else headers


class _Running:
    """A request that the server is asked, until the client has its reply, or is gone."""

    def __init__(self, status: Status, conversation: Conversation) -> None:
        self.conversation = conversation
        self.answer: Answer | None = None
        self._recording: Recording | None = None
        self._status = status
        self._is_closed = False
        status.begin(conversation.exchange.model, conversation.exchange.formats)

    async def close(self) -> None:
        """It is over."""
        if not self._is_closed:  # a client may go while it is being closed
            self._is_closed = True
            self._status.end(self.conversation.exchange.found)
            if self._recording is not None:
                self._keep(self._recording.close)
            if self.answer is not None:
                await self.answer.close()

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """A stream of events, repaired."""
        frames = self.conversation.frames
        pieces = self._pieces()
        try:
            async for piece in pieces:
                out = frames.feed(piece)
                self._record(piece, out)
                if out:
                    yield out
                if frames.is_done:
                    break
            last = frames.close()
            if not frames.exchange.is_over:
                await _drain(pieces)
        except ServerError as failure:
            last = frames.fail(self._broken(failure))
        self._record(b"", last)
        if last:
            yield last

    async def verbatim(self) -> AsyncGenerator[bytes, None]:
        """Whatever it is, byte for byte."""
        async for piece in self._pieces(is_raw=True):
            self._record(piece, piece)
            yield piece

    async def whole(self) -> bytes:
        """A response that is not streamed, repaired."""
        content = b"".join([piece async for piece in self._pieces()])
        out = folded(content, self.conversation)
        self._record(content, out)
        return out

    def _pieces(self, *, is_raw: bool = False) -> AsyncIterator[bytes]:
        assert self.answer is not None  # or there is nothing to read
        return self.answer.pieces(is_raw=is_raw)

    def record(self, recorder: Recorder, request: bytes) -> None:
        """Keep what is asked, and from now on what is answered."""

        def begin() -> None:
            self._recording = recorder.begin(request)

        self._keep(begin)

    def _record(self, raw: bytes, repaired: bytes) -> None:
        if self._recording is not None:
            self._keep(partial(self._recording.add, raw, repaired))

    def _keep(self, write: Callable[[], None]) -> None:
        """Write something of the recording. Where that cannot be done, as on a full disk, the reply goes on without."""
        try:
            write()
        except OSError as failure:
            lost, self._recording = self._recording, None
            with suppress(OSError):
                if lost is not None:
                    lost.close()
            self._status.note(f"{_UNRECORDED} ({type(failure).__name__})")

    def _broken(self, failure: ServerError) -> str:
        self._status.note(f"{_BROKEN} ({failure})")
        return f"{_BROKEN} ({failure})"


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read what follows the last word of a server, so that the connection can be kept; but do not wait long for it."""
    with suppress(TimeoutError, ServerError):
        async with timeout(_PATIENCE):
            async for _ in pieces:
                pass


class _Streamed(StreamingResponse):
    """A body whose source is closed when it is over, or the client is gone: at once, and even if nothing was sent."""

    def __init__(self, status: int, body: AsyncGenerator[bytes, None], close: Callable[[], Awaitable[None]]) -> None:
        super().__init__(body, status)
        self._body = body
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            async with aclosing(self._body):
                await self.stream_response(send)
        finally:
            await self._close()


def _streamed(
    status: int,
    headers: Iterable[tuple[str, str]],
    body: AsyncGenerator[bytes, None],
    close: Callable[[], Awaitable[None]],
) -> Response:
    return _with_headers(_Streamed(status, body, close), headers)


def _with_headers(response: Response, headers: Iterable[tuple[str, str]]) -> Response:
    """A response with these headers, each as often as it comes."""
    response.raw_headers = [*as_bytes(headers), *response.raw_headers]
    return response


def _without_length(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [pair for pair in headers if pair[0] != "content-length"]
