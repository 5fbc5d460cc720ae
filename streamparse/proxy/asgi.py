"""The proxy as an ASGI application.

    uvicorn.run(app("http://localhost:8000/v1"))            clients use http://127.0.0.1:8000/v1

`/v1/chat/completions`, `/v1/messages` and `/v1/responses` are answered with the server's Chat Completions, repaired;
`/` is a page that says how it goes; all else passes through, byte for byte. The server is read only as fast as the
client reads, and no longer than the client listens. Nothing is logged.
"""

from __future__ import annotations

import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from streamparse.errors import MissingExtraError, RequestError
from streamparse.proxy import error_bodies
from streamparse.proxy.address import AddressError, Upstream, request_headers, response_headers
from streamparse.proxy.answer import Answer
from streamparse.proxy.endpoints import CHAT, ENDPOINTS, Conversation
from streamparse.proxy.listening import Listening
from streamparse.proxy.record import Recorder, Recording
from streamparse.proxy.settings import Settings
from streamparse.proxy.status import Status
from streamparse.proxy.transport import Connections, Received, ServerError, as_bytes, repaired

try:
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
    from starlette.routing import Mount, Route
    from starlette.types import Receive, Scope, Send
except ModuleNotFoundError as missing:
    raise MissingExtraError("proxy", "starlette") from missing

_HOME = str(Path(__file__).parents[1])
_UNREACHED = "the model server cannot be reached"
_BROKEN = "the connection to the model server broke off"
_REPORTED = "the model server reported an error in its stream"
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
            listening.stop_reading()
            await response(scope, listening.receive, listening.send)
        except ClientDisconnect:
            pass  # in the middle of its request: nobody is there any more
        except ServerError as failure:  # a body that is passed on has no end then, which the client notices
            self._status.note(f"{_BROKEN} ({failure})")
            raise
        except Exception as failure:
            self._status.note_own(_in_words(failure))
            raise

    async def _answer(self, request: Request) -> Response:
        raw = request.scope.get("raw_path")
        path = raw.decode("latin-1") if raw else request.scope["path"]
        query = request.scope["query_string"].decode("latin-1")
        endpoint = ENDPOINTS.get(self._upstream.endpoint(path) or path) if request.method == "POST" else None
        try:
            url = self._upstream.url(path, query)
            if endpoint is None:
                return await self._pass(request.method, url, request)
            conversation = endpoint.converse(await request.body(), self._settings)
            asked = f"?{query}" if query and conversation.is_chat else ""
            url = f"{self._upstream.base}{CHAT}{asked}"
            return await self._converse(conversation, url, request.headers.items())
        except AddressError as failure:
            wrong = RequestError(str(failure))
        except RequestError as failure:
            wrong = failure
        except ServerError as failure:
            self._status.note(f"{_UNREACHED} ({failure})")
            wrong = error_bodies.failed(f"{_UNREACHED} ({failure})")
        told = error_bodies.openai if endpoint is None else endpoint.error_body
        return JSONResponse(told(wrong), wrong.status)

    async def _pass(self, method: str, url: str, request: Request) -> Response:
        """Pass a request and its response through, as they come."""
        has_body = any(name in request.headers for name in ("content-length", "transfer-encoding"))
        headers = [*request_headers(request.headers.items()), ("accept-encoding", "identity")]
        received = await self._send(method, url, headers, request.stream() if has_body else await request.body())
        headers = response_headers(received.headers, is_changed=False)
        return _streamed(received.status, headers, received.pieces(is_raw=True), received.close)

    async def _converse(self, conversation: Conversation, url: str, headers: Iterable[tuple[str, str]]) -> Response:
        """Ask the server what a client asks, and repair the reply."""
        running = _Running(self._status, conversation)
        try:
            received = await self._send("POST", url, conversation.headers(headers), conversation.content)
            answer = running.read(received, self._recorder)
            body = running.body()
            if not answer.is_begun:
                first = await anext(body, b"")
                if answer.is_done:
                    content = first + b"".join([piece async for piece in body])
                    await running.close()
                    return _with_headers(Response(content, answer.status), answer.headers)
                body = _with_first(first, body)
            return _streamed(answer.status, answer.headers, body, running.close)
        except BaseException:
            await running.close()
            raise

    async def _send(self, method: str, url: str, headers: list[tuple[str, str]], content: Any) -> Received:
        received = await self.connections.send(method, url, headers, content)
        if received.status >= 400:
            self._status.note(f"the model server answered {received.status}")
        return received


def _in_words(failure: Exception) -> str:
    """What has gone wrong and where, without anything that somebody has said."""
    own = [place for place in traceback.extract_tb(failure.__traceback__) if place.filename.startswith(_HOME)]
    return f"{type(failure).__name__} in {Path(own[-1].filename).name}, line {own[-1].lineno}"


class _Running:
    """A request that the server is asked, until the client has its reply, or is gone."""

    def __init__(self, status: Status, conversation: Conversation) -> None:
        self._status = status
        self._conversation = conversation
        self._received: Received | None = None
        self._recording: Recording | None = None
        self._is_closed = False
        status.begin(conversation.exchange.model, conversation.exchange.formats)

    async def close(self) -> None:
        """It is over."""
        if not self._is_closed:  # a client may go while it is being closed
            self._is_closed = True
            self._status.end(self._conversation.exchange.found)
            if self._conversation.exchange.is_failed:
                self._status.note(_REPORTED)
            if self._recording is not None:
                self._keep(self._recording.close)
            if self._received is not None:
                await self._received.close()

    def read(self, received: Received, recorder: Recorder | None) -> Answer:
        """The server answers."""
        self._received = received
        if recorder is not None:
            self._keep(partial(self._begin_recording, recorder))
        self._answer = Answer(self._conversation, received.status, received.headers)
        return self._answer

    def body(self) -> AsyncGenerator[bytes, None]:
        """What the client gets for the server's answer."""
        assert self._received is not None  # or there is nothing to read
        pieces = self._received.pieces(is_raw=self._answer.is_verbatim)
        note = None if self._recording is None else self._record
        return repaired(self._answer, pieces, note, None if self._answer.is_verbatim else self._fail)

    def _fail(self, failure: ServerError) -> bytes:
        self._status.note(f"{_BROKEN} ({failure})")
        return self._answer.fail(f"{_BROKEN} ({failure})")

    def _begin_recording(self, recorder: Recorder) -> None:
        self._recording = recorder.begin(self._conversation.content)

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


async def _with_first(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


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
