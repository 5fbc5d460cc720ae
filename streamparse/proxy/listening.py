"""Listening: a client of one request, for whom the answer is made only as long as it listens.

    listening = Listening(receive, send)                of ASGI
    await listening.serve(answer(listening.receive, listening.send))

A model may think for minutes before its server says the first word. If the client goes in that time, what works on the
answer is cancelled, so that the connection to the server is closed, and the server stops, too. Servers differ in when
they tell that a client has gone while something is sent, so it is asked for here, and nowhere else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any, TypeAlias

Message: TypeAlias = MutableMapping[str, Any]


class Listening:
    """The client's side of a request."""

    def __init__(self, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]) -> None:
        self._receive = receive
        self._send = send
        self._is_asked = asyncio.Event()
        self._is_answered = False

    async def receive(self) -> Message:
        """The next piece of the request."""
        message = await self._receive()
        if not message.get("more_body"):
            self.stop_reading()
        return message

    def stop_reading(self) -> None:
        """Nobody reads the request any more: all that the client can do is go."""
        self._is_asked.set()

    async def send(self, message: Message) -> None:
        """The next piece of the answer."""
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._is_answered = True  # and then the client may well go
        await self._send(message)

    async def serve(self, answer: Coroutine[Any, Any, None]) -> None:
        """Let `answer` do its work, until it is done or the client is gone."""
        answering, leaving = asyncio.ensure_future(answer), asyncio.ensure_future(self._leave())
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
            if self._is_answered:
                await asyncio.wait((answering,))
        finally:
            answering.cancel()
            leaving.cancel()
            await asyncio.wait((answering, leaving))
        if not answering.cancelled():
            answering.result()

    async def _leave(self) -> None:
        await self._is_asked.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass
