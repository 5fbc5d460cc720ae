"""The proxy without a server: a transport for an HTTP client; and the connections of the proxy that is one.

    client = OpenAI(base_url=…, http_client=httpx2.Client(transport=Transport(Settings(format="hermes"))))

What the client asks of Chat Completions goes to the server as the settings want it, and the reply is repaired on the
way back; all else passes. This is the one module of the proxy that knows the package `httpx2`, of the extra `proxy`.
"""

from __future__ import annotations

from asyncio import timeout
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from contextlib import aclosing, suppress
from typing import Any

from streamparse.errors import MissingExtraError, RequestError, StreamparseError
from streamparse.proxy.answer import Answer
from streamparse.proxy.endpoints import CHAT, Conversation, find_endpoint
from streamparse.proxy.settings import Settings

try:
    import httpx2
except ModuleNotFoundError as missing:
    raise MissingExtraError("proxy", "httpx2") from missing

#: A model may think for minutes before it says something; but a server that is there answers the telephone.
_TIMEOUT = {"connect": 30.0, "read": None, "write": None, "pool": None}
#: How long a server may take, in seconds, to end a stream behind its last word.
_PATIENCE = 1.0


class ServerError(StreamparseError):
    """The server cannot be reached, or the connection broke off."""


class Connections:
    """The connections to the server, which are kept. `transport` makes them."""

    def __init__(self, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        # Many servers close a connection that was not used for five seconds. One that is closed already is not used
        # again; but one that is closed just when a request is sent would be an error, so they are given up before.
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=256, keepalive_expiry=4)
        # Not a client: that would keep cookies, and give those of one user to the next.
        self._transport = transport or httpx2.AsyncHTTPTransport(limits=limits, retries=0)

    async def send(
        self, method: str, url: str, headers: list[tuple[str, str]], content: bytes | AsyncIterable[bytes]
    ) -> Received:
        """Ask the server."""
        try:
            extensions = {"timeout": _TIMEOUT}
            request = httpx2.Request(method, url, headers=as_bytes(headers), content=content, extensions=extensions)
            return Received(await self._transport.handle_async_request(request))
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise ServerError(type(error).__name__) from error

    async def close(self) -> None:
        """Close all of them."""
        await self._transport.aclose()


class Received:
    """What the server answers. It is to be closed."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw]

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


async def repaired(
    answer: Answer,
    pieces: AsyncGenerator[bytes, None],
    note: Callable[[bytes, bytes], None] | None = None,
    fail: Callable[[ServerError], bytes] | None = None,
) -> AsyncGenerator[bytes, None]:
    """What a client gets for the `pieces` of an answer.

    `note` is told what came, and what was made of it; `fail` gives what the client gets if the connection breaks off.
    """
    async with aclosing(pieces):
        try:
            async for piece in pieces:
                out = answer.feed(piece)
                if note is not None:
                    note(piece, out)
                if out:
                    yield out
                if answer.is_done:
                    break
            last = answer.close()
        except ServerError as failure:
            if fail is None:
                raise
            last = fail(failure)
        if note is not None:
            note(b"", last)
        if last:
            yield last
        if not answer.is_left:
            await _drain(pieces)


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Read what follows the last word of a server, so that the connection can be kept; but do not wait long for it."""
    try:
        limit = timeout(_PATIENCE)
    except RuntimeError:  # this is not run by asyncio: nobody knows how its time can be limited
        return
    with suppress(TimeoutError, ServerError, httpx2.TransportError):
        async with limit:
            async for _ in pieces:
                pass


class _Asking:
    """What both transports do with a request."""

    def __init__(self, settings: Settings | None) -> None:
        self._settings = settings or Settings()

    def _converse(self, request: httpx2.Request) -> tuple[Conversation, httpx2.Request] | httpx2.Response | None:
        """The conversation that a request begins, and what the server is asked. A response if the request is refused;
        None if it passes as it is."""
        found = find_endpoint(request.url.path) if request.method == "POST" else None
        if found is None:
            return None
        base, endpoint = found
        try:
            conversation = endpoint.converse(request.content, self._settings)
        except RequestError as failure:
            return httpx2.Response(failure.status, json=endpoint.error_body(failure))
        if conversation.is_chat and conversation.exchange.is_passive:
            return None
        url = request.url if conversation.is_chat else request.url.copy_with(path=f"{base}{CHAT}", query=None)
        headers = [*conversation.headers(request.headers.multi_items()), ("host", request.headers["host"])]
        return conversation, httpx2.Request(
            request.method, url, headers=headers, content=conversation.content, extensions=request.extensions
        )

    @staticmethod
    def _answer(response: httpx2.Response, conversation: Conversation) -> Answer:
        return Answer(conversation, response.status_code, response.headers.multi_items())

    @staticmethod
    def _response(response: httpx2.Response, answer: Answer, **body: Any) -> httpx2.Response:
        return httpx2.Response(answer.status, headers=answer.headers, extensions=response.extensions, **body)


class Transport(_Asking, httpx2.BaseTransport):
    """For `httpx2.Client`. `transport` is what sends requests."""

    def __init__(self, settings: Settings | None = None, *, transport: httpx2.BaseTransport | None = None) -> None:
        super().__init__(settings)
        self._inner = transport or httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, and repair the reply."""
        request.read()
        asked = self._converse(request)
        if asked is None:
            return self._inner.handle_request(request)
        if isinstance(asked, httpx2.Response):
            return asked
        conversation, sent = asked
        response = self._inner.handle_request(sent)
        answer = self._answer(response, conversation)
        if answer.is_verbatim:
            return response
        body = _Repaired(response, answer)
        if not answer.is_begun:
            body.begin()
        return self._response(response, answer, stream=body)

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
        asked = self._converse(request)
        if asked is None:
            return await self._inner.handle_async_request(request)
        if isinstance(asked, httpx2.Response):
            return asked
        conversation, sent = asked
        response = await self._inner.handle_async_request(sent)
        answer = self._answer(response, conversation)
        if answer.is_verbatim:
            return response
        body = _AsyncRepaired(response, answer)
        if not answer.is_begun:
            await body.begin()
        return self._response(response, answer, stream=body)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


class _Repaired(httpx2.SyncByteStream):
    """The body that the client reads."""

    def __init__(self, response: httpx2.Response, answer: Answer) -> None:
        self._response = response
        self._body = self._repaired(answer)
        self._first = b""

    def begin(self) -> None:
        """Read until it is certain what the client gets."""
        try:
            self._first = next(self._body, b"")
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[bytes]:
        yield self._first
        yield from self._body

    def _repaired(self, answer: Answer) -> Iterator[bytes]:
        """As `repaired` has it; but behind the last word nothing is read, since nobody can say for how long."""
        for piece in self._response.iter_bytes():
            out = answer.feed(piece)
            if out:
                yield out
            if answer.is_done:
                break
        yield answer.close()

    def close(self) -> None:
        self._response.close()


class _AsyncRepaired(httpx2.AsyncByteStream):
    """The body that the client reads."""

    def __init__(self, response: httpx2.Response, answer: Answer) -> None:
        self._response = response
        self._body = repaired(answer, response.aiter_bytes())
        self._first = b""

    async def begin(self) -> None:
        """Read until it is certain what the client gets."""
        try:
            self._first = await anext(self._body, b"")
        except BaseException:
            await self.aclose()
            raise

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with aclosing(self._body) as body:
            yield self._first
            async for piece in body:
                yield piece

    async def aclose(self) -> None:
        await self._body.aclose()
        await self._response.aclose()


def as_bytes(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Headers as HTTP writes them: any byte may come in one."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
