"""The proxy without a server: a transport for an HTTP client; and the connections of the proxy that is one.

    client = OpenAI(base_url=…, http_client=httpx2.Client(transport=Transport(Settings(format="hermes"))))

What the client asks of Chat Completions goes to the server as the settings want it, and the reply is repaired on the
way back; all else passes. This is the one module of the proxy that knows the package `httpx2`, of the extra `proxy`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from typing import Any

from streamparse.errors import MissingExtraError, StreamparseError
from streamparse.proxy.address import OF_BODY
from streamparse.proxy.endpoints import CHAT, ENDPOINTS, Conversation
from streamparse.proxy.frames import Frames
from streamparse.proxy.settings import Settings

try:
    import httpx2
except ModuleNotFoundError as missing:
    raise MissingExtraError("proxy", "httpx2") from missing

#: A model may think for minutes before it says something; but a server that is there answers the telephone.
_TIMEOUT = {"connect": 30.0, "read": None, "write": None, "pool": None}


class ServerError(StreamparseError):
    """The server cannot be reached, or the connection broke off."""


class Connections:
    """The connections to the server, which are kept. `transport` makes them."""

    def __init__(self, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=256, keepalive_expiry=60)
        # Not a client: that would keep cookies, and give those of one user to the next.
        self._transport = transport or httpx2.AsyncHTTPTransport(limits=limits, retries=0)

    async def send(
        self, method: str, url: str, headers: list[tuple[str, str]], content: bytes | AsyncIterable[bytes]
    ) -> Answer:
        """Ask the server."""
        try:
            extensions = {"timeout": _TIMEOUT}
            request = httpx2.Request(method, url, headers=as_bytes(headers), content=content, extensions=extensions)
            return Answer(await self._transport.handle_async_request(request))
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise ServerError(type(error).__name__) from error

    async def close(self) -> None:
        """Close all of them."""
        await self._transport.aclose()


class Answer:
    """What the server answers. It is to be closed."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw]

    @property
    def is_stream(self) -> bool:
        """Whether it is a stream of events."""
        return _is_stream(self._response)

    async def pieces(self, *, is_raw: bool = False) -> AsyncGenerator[bytes, None]:
        """The body, as it comes; `is_raw`: not even unpacked."""
        try:
            stream = self._response.stream
            assert isinstance(stream, httpx2.AsyncByteStream)  # since it was asked for so
            is_packed = "content-encoding" in self._response.headers
            async for piece in self._response.aiter_bytes() if is_packed and not is_raw else stream:
                yield piece
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            raise ServerError(type(error).__name__) from error

    async def close(self) -> None:
        """Let the connection go."""
        await self._response.aclose()


class _Asking:
    """What both transports do with a request."""

    def __init__(self, settings: Settings | None) -> None:
        self._settings = settings or Settings()

    def _open(self, request: httpx2.Request) -> Conversation | None:
        """The conversation that a request begins; None if it passes as it is."""
        if request.method != "POST" or not request.url.path.endswith(CHAT):
            return None
        try:
            body = json.loads(request.content)
        except (ValueError, RecursionError):
            return None
        conversation = ENDPOINTS[CHAT].open(body, self._settings) if isinstance(body, dict) else None
        return None if conversation is None or conversation.exchange.is_passive else conversation

    @staticmethod
    def _request(request: httpx2.Request, conversation: Conversation) -> httpx2.Request:
        headers = _headers(request.headers, ("accept-encoding",))
        content = json.dumps(conversation.exchange.request).encode()
        return httpx2.Request(
            request.method, request.url, headers=headers, content=content, extensions=request.extensions
        )

    @staticmethod
    def _folded(response: httpx2.Response, conversation: Conversation, content: bytes) -> httpx2.Response:
        return httpx2.Response(
            response.status_code,
            headers=_headers(response.headers),
            content=folded(content, conversation),
            extensions=response.extensions,
        )

    @staticmethod
    def _streamed(response: httpx2.Response, stream: Any) -> httpx2.Response:
        return httpx2.Response(
            response.status_code, headers=_headers(response.headers), stream=stream, extensions=response.extensions
        )


class Transport(_Asking, httpx2.BaseTransport):
    """For `httpx2.Client`. `transport` is what sends requests."""

    def __init__(self, settings: Settings | None = None, *, transport: httpx2.BaseTransport | None = None) -> None:
        super().__init__(settings)
        self._inner = transport or httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, and repair the reply."""
        request.read()
        conversation = self._open(request)
        if conversation is None:
            return self._inner.handle_request(request)
        response = self._inner.handle_request(self._request(request, conversation))
        if not response.is_success:
            return response
        if _is_stream(response):
            return self._streamed(response, _Repaired(response, conversation.frames))
        return self._folded(response, conversation, response.read())

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


class AsyncTransport(_Asking, httpx2.AsyncBaseTransport):
    """For `httpx2.AsyncClient`. `transport` is what sends requests."""

    def __init__(self, settings: Settings | None = None, *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        super().__init__(settings)
        self._inner = transport or httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, and repair the reply."""
        await request.aread()
        conversation = self._open(request)
        if conversation is None:
            return await self._inner.handle_async_request(request)
        response = await self._inner.handle_async_request(self._request(request, conversation))
        if not response.is_success:
            return response
        if _is_stream(response):
            return self._streamed(response, _AsyncRepaired(response, conversation.frames))
        return self._folded(response, conversation, await response.aread())

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


class _Repaired(httpx2.SyncByteStream):
    def __init__(self, response: httpx2.Response, frames: Frames) -> None:
        self._response = response
        self._frames = frames

    def __iter__(self) -> Iterator[bytes]:
        frames = self._frames
        for piece in self._response.iter_bytes():
            yield frames.feed(piece)
            if frames.exchange.is_over:
                self.close()
                return
        yield frames.close()

    def close(self) -> None:
        self._response.close()


class _AsyncRepaired(httpx2.AsyncByteStream):
    def __init__(self, response: httpx2.Response, frames: Frames) -> None:
        self._response = response
        self._frames = frames

    async def __aiter__(self) -> AsyncIterator[bytes]:
        frames = self._frames
        async with aclosing(self._response.aiter_bytes()) as pieces:
            async for piece in pieces:
                yield frames.feed(piece)
                if frames.exchange.is_over:
                    await self.aclose()
                    return
        yield frames.close()

    async def aclose(self) -> None:
        await self._response.aclose()


def folded(content: bytes, conversation: Conversation) -> bytes:
    """The body of a response that is not streamed, for the client; the same if there is nothing to change."""
    try:
        response = json.loads(content)
    except (ValueError, RecursionError):
        return content
    if not isinstance(response, dict):
        return content
    changed = conversation.fold(response)
    return content if changed is response else json.dumps(changed).encode()


def as_bytes(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Headers as HTTP writes them: any byte may come in one."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _is_stream(response: httpx2.Response) -> bool:
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower() == "text/event-stream"


def _headers(headers: httpx2.Headers, more: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Headers but for what they say of a body that is another now."""
    without = (*OF_BODY, "transfer-encoding", *more)
    return [(name, value) for name, value in headers.multi_items() if name.lower() not in without]
