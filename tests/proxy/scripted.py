"""A model server that says what a test wants, on a loopback socket; and the proxy in front of it.

    with Upstream(script) as upstream, Proxied(upstream.url) as proxy:
        OpenAI(base_url=proxy.url, api_key="k").chat.completions.create(…)

`script` is called with each request, and gives a `Script`: a status, headers, and steps: bytes to be sent at once,
seconds to wait, or RESET and STALL. What was asked stands in `upstream.requests`; `upstream.closed` is set when the
other side has closed a connection while a reply was being sent.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import uvicorn
from attrs import define, field

from streamparse.proxy import Settings, app

#: The connection is reset; nothing more is sent, and the connection stays open.
RESET, STALL = "reset", "stall"
EVENTS = "text/event-stream; charset=utf-8"


@define
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.content)


@define
class Script:
    """What the server answers."""

    steps: Iterable[bytes | float | str]
    status: int = 200
    headers: dict[str, str] = field(factory=lambda: {"content-type": EVENTS})
    #: Whether the body ends as HTTP says; else the connection is closed where it is.
    is_ended: bool = True
    #: Whether the connection stays open behind the body. Nobody is told if it does not.
    is_kept: bool = True
    #: Whether nothing is sent at all, until the other side has gone.
    is_silent: bool = False


class Upstream:
    """The server, in a thread of its own."""

    def __init__(self, script: Callable[[Asked], Script]) -> None:
        self._script = script
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.requests: list[Asked] = []
        self.closed = threading.Event()
        #: How often the other side has closed a connection so.
        self.closings = 0
        #: How many bytes of bodies were handed to the operating system.
        self.sent = 0
        self.connections = 0
        #: How many of them are over, and closed.
        self.over = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop
        ).result(10)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # connections that were given up are closed now

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._answer(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            self._close()
        except asyncio.CancelledError:  # the test is over, whoever still listens
            writer.transport.abort()
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self.over += 1

    def _close(self) -> None:
        self.closings += 1
        self.closed.set()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        line = await reader.readline()
        if not line:
            return False
        method, path, _ = line.decode().split(" ", 2)
        headers: dict[str, str] = {}
        while (line := await reader.readline()).strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()
        content = await self._read_body(reader, headers)
        asked = Asked(method, path, headers, content)
        self.requests.append(asked)
        return await self._send(self._script(asked), reader, writer)

    @staticmethod
    async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
        if headers.get("transfer-encoding") != "chunked":
            return await reader.readexactly(int(headers.get("content-length", 0)))
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)

    async def _send(self, script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        headers = {**script.headers, "transfer-encoding": "chunked"}
        head = [f"HTTP/1.1 {script.status} Scripted", *(f"{name.title()}: {value}" for name, value in headers.items())]
        watch = asyncio.ensure_future(reader.read(1))  # the client says nothing more, so this ends when it is gone
        try:
            if script.is_silent:
                await watch
                self._close()
                return False
            writer.write("\r\n".join([*head, "", ""]).encode("latin-1"))
            for step in script.steps:
                if step == RESET:
                    sock: socket.socket = writer.get_extra_info("socket")
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return False
                if isinstance(step, bytes):
                    writer.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
                    await writer.drain()
                    self.sent += len(step)
                    continue
                await asyncio.wait([watch], timeout=60 if step == STALL else float(step))
                if watch.done():
                    self._close()
                    return False
            if script.is_ended:
                writer.write(b"0\r\n\r\n")
                await writer.drain()
            return script.is_ended and script.is_kept and not watch.done()
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)


class Proxied:
    """The proxy in front of a server, by uvicorn, in a thread of its own."""

    def __init__(self, upstream: str, settings: Settings | None = None, **options: Any) -> None:
        self._app = app(upstream, settings, **options)

    def __enter__(self) -> Self:
        listening = socket.create_server(("127.0.0.1", 0))
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.url = f"{self.origin}/v1"
        config = uvicorn.Config(self._app, log_level="critical", server_header=False, date_header=False, lifespan="on")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._server.should_exit = True
        self._server.force_exit = kind is not None
        self._thread.join(10)
        assert not self._thread.is_alive()


# -- what model servers send -------------------------------------------------------------------------------------------


def chunk(delta: dict[str, Any], reason: str | None = None, index: int = 0, **fields: Any) -> dict[str, Any]:
    """A chunk of Chat Completions."""
    about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 7, "model": "m"}
    return {**about, "choices": [{"index": index, "delta": delta, "finish_reason": reason}], **fields}


def frame(data: Any) -> bytes:
    """An event as a server writes it."""
    return f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def leaking(text: str | list[str], reason: str = "stop", usage: Any = None) -> bytes:
    """The stream of a server that puts all that the model wrote into `content`."""
    pieces = [text] if isinstance(text, str) else text
    chunks = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": piece}) for piece in pieces)]
    chunks.append(chunk({}, reason))
    if usage:
        chunks.append({**chunk({}), "choices": [], "usage": usage})
    return b"".join(map(frame, chunks)) + frame("[DONE]")


def at_random(content: Any, seed: int, most: int = 40) -> list[Any]:
    """A text or bytes, cut at random."""
    source, pieces = random.Random(seed), []
    while content:
        size = source.randint(1, most)
        pieces.append(content[:size])
        content = content[size:]
    return pieces
