"""The proxy as a process: many clients at once, slow ones, ones that go, and servers that break off or say nothing.

What is asked for is exact: every reply whole, every connection closed, and memory that does not grow with the length of
a reply. Nothing here depends on how long something takes.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.e2e.proxy_process import HAS_PROC, ProxyProcess, wait_for
from tests.proxy.replies import TOOLS, Got, got, request
from tests.proxy.scripted import RESET, STALL, Asked, Proxied, Script, Upstream, at_random, chunk, frame, leaking
from tests.seeds import series

needs_proc = pytest.mark.skipif(not HAS_PROC, reason="what a process holds is read from /proc")
BEGUN = frame(chunk({"role": "assistant", "content": "Let me look."}))
JSON = {"content-type": "application/json"}


def ask(**fields: Any) -> dict[str, Any]:
    return request(messages=[{"role": "user", "content": "Cats?"}], **fields)


def chunks_of(content: bytes) -> list[Any]:
    """The chunks of a stream, which has its end."""
    *events, done, rest = content.decode().split("\n\n")
    assert (done, rest) == ("data: [DONE]", "")
    return [json.loads(event.removeprefix("data: ")) for event in events]


class Numbered:
    """A server that says something else for each model, cut at random; it waits until all of `count` have asked."""

    def __init__(self, count: int, seed: int) -> None:
        self._count = count
        self._seed = seed
        self._asked = 0

    def __call__(self, asked: Asked) -> Script:
        self._asked += 1
        number = int(asked.body["model"].removeprefix("model-"))
        arguments = json.dumps({"q": f"cats {number} & <dogs>", "n": number})
        text = (
            f"<think>Thought {number}.</think>Text {number} < {number + 1}.\n"
            f'<tool_call>\n{{"name": "search", "arguments": {arguments}}}\n</tool_call>'
        )
        return Script(self._steps(leaking(at_random(text, self._seed + number, 9))))

    def _steps(self, stream: bytes) -> Iterator[bytes | float]:
        head, *rest = at_random(stream, self._seed, 400)
        yield head
        while self._asked < self._count:
            yield 0.02
        yield from rest

    @staticmethod
    def expected(number: int) -> Got:
        arguments = json.dumps({"q": f"cats {number} & <dogs>", "n": number})
        text = f"Text {number} < {number + 1}."
        return Got(text, f"Thought {number}.", [("search", arguments)], "tool_calls")


def test_two_hundred_streams_at_once() -> None:
    count = 200

    async def one(client: httpx2.AsyncClient, number: int) -> Got:
        response = await client.post("chat/completions", json=ask(model=f"model-{number}"))
        assert response.status_code == 200
        return got(chunks_of(response.content))

    async def all_of_them(url: str) -> list[Got]:
        limits = httpx2.Limits(max_connections=count)
        async with httpx2.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
            return await asyncio.gather(*(one(client, number) for number in range(count)))

    with Upstream(Numbered(count, series(1)[0])) as upstream, ProxyProcess(upstream.url) as proxy:
        assert asyncio.run(all_of_them(proxy.url)) == [Numbered.expected(number) for number in range(count)]
        assert upstream.connections == count, "each had one of its own, because all were there at once"
        assert proxy.streams == 0


@needs_proc
def test_memory_does_not_grow_with_a_reply() -> None:
    one = frame(chunk({"content": " Cats < dogs." * 2_500}))
    count = 2_000  # 64 MB in all
    steps = [BEGUN, *[one] * count, frame(chunk({}, "stop")), frame("[DONE]")]
    most = 16_000_000
    address = "chat/completions"
    with Upstream(lambda _: Script(steps)) as upstream, ProxyProcess(upstream.url) as proxy:
        with httpx2.Client(base_url=proxy.url, timeout=60) as client:
            with client.stream("POST", address, json=ask()) as response:  # from here on, buffers are known
                next(response.iter_raw())
            wait_for(lambda: upstream.closings == 1)
            upstream.sent, before = 0, proxy.memory
            with client.stream("POST", address, json=ask()) as response:
                pieces = response.iter_raw()
                size = len(next(pieces))
                sent = -1
                while sent != upstream.sent:  # the client reads nothing: until nothing moves any more
                    sent = upstream.sent
                    asyncio.run(asyncio.sleep(0.3))
                assert sent < len(one) * count / 2
                assert proxy.memory - before < most
                size += sum(map(len, pieces))
        assert size == sum(map(len, steps))
        assert proxy.memory - before < most


# -- clients that go ---------------------------------------------------------------------------------------------------

SEARCH: Any = TOOLS[0]
ASKED = {
    "chat/completions": ask(),
    "messages": {
        "model": "m",
        "max_tokens": 9,
        "stream": True,
        "messages": [{"role": "user", "content": "Cats?"}],
        "tools": [{"name": "search", "input_schema": SEARCH["function"]["parameters"]}],
    },
    "responses": {
        "model": "m",
        "stream": True,
        "input": "Cats?",
        "tools": [{"type": "function", **SEARCH["function"]}],
    },
    "completions": {"model": "m", "prompt": "Cats"},
}


#: Before the server has said a word, in the midst of a stream, and in the midst of a reply that is not streamed.
STALLED = {
    "silent": Script([], is_silent=True),
    "stream": Script([BEGUN, STALL]),
    "whole": Script([b'{"choices"', STALL], headers=JSON),
}


@needs_proc
def test_clients_that_go_leave_nothing_behind() -> None:
    wanted: list[str] = []

    async def go(origin: str, path: str, kind: str) -> None:
        """Ask, wait until the server has heard it, and hang up."""
        wanted.append(kind)
        count = len(upstream.requests)
        body = json.dumps(ASKED[path]).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", int(origin.rpartition(":")[2]))
        writer.write(f"POST /v1/{path} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
        while len(upstream.requests) == count:
            await asyncio.sleep(0.01)
        if kind == "stream":
            await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()

    with Upstream(lambda _: STALLED[wanted[-1]]) as upstream, ProxyProcess(upstream.url) as proxy:
        assert proxy.streams == 0
        files = proxy.files
        cases = [(path, kind) for path in ASKED for kind in STALLED] * 3
        for path, kind in cases:
            asyncio.run(go(proxy.origin, path, kind))
        wait_for(lambda: upstream.closings == len(cases))
        wait_for(lambda: proxy.streams == 0)
        wait_for(lambda: proxy.files <= files)


def test_the_proxy_stops_although_replies_are_on_their_way() -> None:
    with Upstream(lambda _: Script([BEGUN, STALL])) as upstream, httpx2.Client(timeout=60) as client:
        with ProxyProcess(upstream.url) as proxy:
            asked = client.build_request("POST", f"{proxy.url}/chat/completions", json=ask())
            pieces = client.send(asked, stream=True).iter_raw()
            assert next(pieces) == BEGUN
        wait_for(lambda: upstream.closings == 1)
        with pytest.raises(httpx2.RemoteProtocolError):
            next(pieces)


# -- servers that break off --------------------------------------------------------------------------------------------

#: A server that says the beginning of a reply to everyone, and then nothing, until it is killed.
MUTE = """
import socket, sys, threading
def serve(connection):
    connection.recv(65536)
    connection.sendall(sys.argv[2].encode().decode("unicode_escape").encode("latin-1"))
    threading.Event().wait()
listening = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print(listening.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()
"""


def test_a_server_that_is_killed_and_started_again() -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    said = head + b"%x\r\n%b\r\n" % (len(BEGUN), BEGUN)

    def start(port: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-c", MUTE, port, said.decode("latin-1").encode("unicode_escape").decode()]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None  # it is a pipe
        return server, server.stdout.readline().strip()

    async def hear(client: httpx2.AsyncClient) -> list[bytes]:
        """The events that a client gets, before the server is killed and after."""
        async with client.stream("POST", "chat/completions", json=ask()) as response:
            pieces = response.aiter_raw()
            first = await anext(pieces)
            heard.release()
            return [first, b"".join([piece async for piece in pieces])]

    async def all_of_them(url: str) -> list[list[bytes]]:
        async with httpx2.AsyncClient(base_url=url, timeout=60) as client:
            hearing = [asyncio.ensure_future(hear(client)) for _ in range(20)]
            for _ in hearing:
                await heard.acquire()
            server.kill()
            return await asyncio.gather(*hearing)

    server, port = start("0")
    try:
        with ProxyProcess(f"http://127.0.0.1:{port}/v1") as proxy:
            for _ in range(2):
                heard = asyncio.Semaphore(0)
                for first, rest in asyncio.run(all_of_them(proxy.url)):
                    assert first == BEGUN
                    [failure] = [json.loads(event.removeprefix("data: ")) for event in rest.decode().split("\n\n")[:-1]]
                    assert failure["error"]["message"].startswith("the connection to the model server broke off")
                server.communicate()
                server, _ = start(port)
    finally:
        server.kill()
        server.communicate()


def test_connections_that_are_reset() -> None:
    """In the midst of a reply that is repaired, of one that is passed on, and of one that is not streamed."""
    answers = {
        "chat/completions": Script([BEGUN, RESET]),
        "completions": Script([BEGUN, RESET]),
        "embeddings": Script([b"{", RESET], headers=JSON),
    }

    def script(asked: Asked) -> Script:
        return answers[asked.path.removeprefix("/v1/")]

    with Upstream(script) as upstream, ProxyProcess(upstream.url) as proxy:
        with httpx2.Client(base_url=proxy.url, timeout=60) as client:
            for _ in range(5):
                content = client.post("chat/completions", json=ask()).content
                assert content.startswith(BEGUN)
                assert json.loads(content.removeprefix(BEGUN + b"data: "))["error"]["type"] == "server_error"
                for path in ("completions", "embeddings"):
                    with pytest.raises(httpx2.RemoteProtocolError):
                        client.post(path, json={"model": "m"})
            answers["chat/completions"] = Script([b'{"choices"', RESET], headers=JSON)
            assert client.post("chat/completions", json=ask(stream=False)).status_code == 502
        assert proxy.streams == 0


def test_a_reset_behind_the_end_of_a_reply_is_none_of_the_clients_business() -> None:
    script = Script([leaking("Hi."), RESET])
    with (
        Upstream(lambda _: script) as upstream,
        ProxyProcess(upstream.url) as proxy,
        httpx2.Client(base_url=proxy.url, timeout=60) as client,
    ):
        for _ in range(10):
            response = client.post("chat/completions", json=ask())
            assert got(chunks_of(response.content)) == Got("Hi.", "", [], "stop")


# -- many, one after the other -----------------------------------------------------------------------------------------


@needs_proc
def test_a_thousand_requests_leave_nothing_behind() -> None:
    stream = leaking("<think>Hm.</think>Hi.")
    with Upstream(lambda _: Script([stream])) as upstream, ProxyProcess(upstream.url) as proxy:
        with httpx2.Client(base_url=proxy.url, timeout=60) as client:
            for number in range(1_000):
                if number == 100:
                    files, memory = proxy.files, proxy.memory
                response = client.post("chat/completions", json=ask())
                assert got(chunks_of(response.content)) == Got("Hi.", "Hm.", [], "stop")
            assert proxy.files == files
            assert proxy.memory - memory < 8_000_000
        assert upstream.connections == 1
        assert proxy.streams == 0


def test_requests_leave_no_tasks_behind() -> None:
    counts: list[int] = []

    class Counting(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            counts.append(len(asyncio.all_tasks()))
            return await super().handle_async_request(request)

    bodies = [(path, {**ASKED[path], "stream": is_streamed}) for path in ASKED for is_streamed in (True, False)]
    with (
        Upstream(lambda _: Script([leaking("Hi.")])) as upstream,
        Proxied(upstream.url, transport=Counting()) as proxy,
        httpx2.Client(base_url=proxy.url, timeout=60) as client,
    ):
        for path, body in bodies * 10:
            assert client.post(path, json=body).status_code == 200
    assert len(counts) == 10 * len(bodies)
    # The last task of the request before may be about to end: what counts is how few there are in between.
    assert min(counts[-len(bodies) :]) <= min(counts[: len(bodies)])
