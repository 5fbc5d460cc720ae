"""An answer is worked on only as long as the client listens."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from streamparse.proxy.listening import Listening

GONE = {"type": "http.disconnect"}
ASKED = {"type": "http.request", "body": b"", "more_body": False}
BEGUN = {"type": "http.response.body", "body": b"a", "more_body": True}
LAST = {"type": "http.response.body", "body": b"b"}


class Client:
    """Says what it is told to say, and keeps what it gets."""

    def __init__(self, *said: dict[str, Any]) -> None:
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        for message in said:
            self.said.put_nowait(message)
        self.got: list[Any] = []
        self.listening = Listening(self.said.get, self.send)

    async def send(self, message: Any) -> None:
        self.got.append(message)

    async def serve(self, *steps: Any) -> list[str]:
        """An answer that sends messages and waits for events; how it ended."""
        ends: list[str] = []

        async def answer() -> None:
            try:
                while (await self.listening.receive()).get("more_body"):
                    pass
                for step in steps:
                    if isinstance(step, dict):
                        await self.listening.send(step)
                    else:
                        await step()
                ends.append("done")
            except asyncio.CancelledError:
                await asyncio.sleep(0)  # what it has is closed
                ends.append("cancelled")
                raise

        await self.listening.serve(answer())
        return ends


async def forever() -> None:
    await asyncio.Event().wait()


async def a_moment() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_client_that_stays_gets_all() -> None:
    client = Client({**ASKED, "more_body": True}, ASKED)
    assert await client.serve(BEGUN, a_moment, LAST) == ["done"]
    assert client.got == [BEGUN, LAST]


async def test_a_client_that_goes_before_the_first_word() -> None:
    client = Client(ASKED, GONE)
    assert await client.serve(forever, LAST) == ["cancelled"]
    assert client.got == []


async def test_a_client_that_goes_in_between() -> None:
    client = Client(ASKED)

    async def go() -> None:
        client.said.put_nowait(ASKED)  # of which nothing follows
        client.said.put_nowait(GONE)
        await forever()

    assert await client.serve(BEGUN, go, LAST) == ["cancelled"]
    assert client.got == [BEGUN]


async def test_a_client_that_goes_when_it_has_all_takes_nothing_away() -> None:
    client = Client(ASKED)

    async def go() -> None:
        client.said.put_nowait(GONE)
        await a_moment()

    assert await client.serve(BEGUN, LAST, go) == ["done"]


async def test_a_request_that_nobody_reads_to_its_end() -> None:
    client = Client({**ASKED, "more_body": True}, GONE)
    client.listening.stop_reading()

    async def answer() -> None:
        await forever()

    await client.listening.serve(answer())
    assert client.said.empty()


async def test_errors_are_raised() -> None:
    client = Client(ASKED)

    async def fail() -> None:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        await client.serve(fail)


async def test_a_server_that_stops_cancels_it() -> None:
    client = Client(ASKED)
    serving = asyncio.ensure_future(client.serve(BEGUN, forever))
    await a_moment()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert client.got == [BEGUN]
    assert len(asyncio.all_tasks()) == 1
