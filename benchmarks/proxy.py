"""What the proxy costs: microseconds of CPU per chunk, beyond passing the same bytes through the same stack.

The model server and the proxy are processes of their own (`python -m benchmarks.proxy server|proxy URL`), and this one
is the client. The same stream is asked for at two paths: at one the proxy passes it through, at the other it is read
and repaired. What is counted is the CPU time of the proxy alone; all of it is HTTP, JSON and the parser. Every chunk is
written by itself, but what has come while the proxy was busy is read at once, as it would be.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any

import httpx2
import uvicorn

from benchmarks.report import Report, Row
from benchmarks.verify import cut
from streamparse.proxy import Exchange, Settings, app
from streamparse.proxy.frames import ChatFrames

_MICROSECONDS = 60.0
_CHUNKS_PER_SECOND = 10_000
_TOKEN = 5
_CPU = "/cpu"
_TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"properties": {"text": {"type": "string"}}}}}]
_PROSE = "The grass is green, and so is the *tree*; a < b.\n\n"


def _replies(count: int) -> dict[str, list[str]]:
    """What the model writes, in about so many chunks, which are like tokens, or else all of the same size."""
    prose = (_PROSE * (count * _TOKEN // len(_PROSE) + 1))[: count * _TOKEN]
    call = '<tool_call>\n{{"name": "f", "arguments": {{"text": "{}"}}}}\n</tool_call>'
    return {
        "prose": _tokens(prose),
        "prose, cut anywhere": cut(prose, _TOKEN),
        "reasoning": _tokens(f"<think>{prose}</think>Hi."),
        "a call": _tokens(call.format(prose.replace("\n", "\\n"))),
        "short calls": _tokens(call.format("a") * (count * _TOKEN // 70)),
    }


def _tokens(text: str) -> list[str]:
    """A text as tokenizers cut it: words begin with a blank."""
    return re.findall(r" ?\w{1,6}|\s+|[^\w\s]{1,3}", text)


def _frames(pieces: list[str]) -> list[bytes]:
    about = {"id": "chatcmpl-123", "object": "chat.completion.chunk", "created": 1694268190, "model": "m"}
    deltas: list[tuple[dict[str, str], str | None]] = [({"role": "assistant", "content": ""}, None)]
    deltas += [({"content": piece}, None) for piece in pieces] + [({}, "stop")]
    chunks = [
        {**about, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]}
        for delta, reason in deltas
    ]
    return [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks] + [b"data: [DONE]\n\n"]


def report_proxy(report: Report, *, quick: bool) -> None:
    """The core by itself, and the proxy in front of a server."""
    count, rounds = (2_000, 2) if quick else (10_000, 3)
    report.section(f"Proxy: microseconds of its CPU per chunk, about {count:,} chunks a reply")
    for name, pieces in _replies(count).items():
        frames = _frames(pieces)
        best = min(_core(frames) for _ in range(rounds))
        report.add(Row(f"{name}: the core alone", f"{best / len(frames) * 1e6:.1f} us"))
    with _process("server", str(count)) as server, _process("proxy", f"{server}/v1") as proxy:
        for name, pieces in _replies(count).items():
            chunks = len(_frames(pieces))
            passed, repaired = (
                min(_ask(proxy, path, name, chunks) for _ in range(rounds)) * 1e6
                for path in ("completions", "chat/completions")
            )
            more = repaired - passed
            report.add(
                Row(
                    f"{name}: beyond passing it through",
                    f"{more:.1f} us ({passed:.1f} and {repaired:.1f})",
                    f"<= {_MICROSECONDS:.0f} us",
                    more <= _MICROSECONDS,
                )
            )
            a_second = 1e6 / repaired
            target = f">= {_CHUNKS_PER_SECOND:,}"
            report.add(Row(f"{name}: chunks a second", f"{a_second:,.0f}", target, a_second >= _CHUNKS_PER_SECOND))


def _core(frames: list[bytes]) -> float:
    """Seconds for all frames, each by itself, without any HTTP."""
    reader = ChatFrames(Exchange(_body("x"), _settings()))
    started = process_time()
    for frame in frames:
        reader.feed(frame)
    reader.close()
    return process_time() - started


def _settings() -> Settings:
    return Settings(format="hermes")


def _body(name: str) -> dict[str, Any]:
    messages = [{"role": "user", "content": name}]
    return {"model": "m", "stream": True, "messages": messages, "tools": _TOOLS}


def _ask(proxy: str, path: str, name: str, chunks: int) -> float:
    """Seconds of the proxy's CPU for each chunk of a reply."""
    with httpx2.Client(timeout=120) as client:
        before = float(client.get(f"{proxy}{_CPU}").text)
        with client.stream("POST", f"{proxy}/v1/{path}", json=_body(name)) as response:
            size = sum(map(len, response.iter_raw()))
        after = float(client.get(f"{proxy}{_CPU}").text)
    assert size > chunks
    return (after - before) / chunks


@contextmanager
def _process(*arguments: str) -> Iterator[str]:
    """A process of this module, and where it listens."""
    command = [sys.executable, "-m", "benchmarks.proxy", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def _serve_proxy(upstream: str) -> None:
    proxy = app(upstream, _settings())

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == _CPU:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": str(process_time()).encode()})
        else:
            await proxy(scope, receive, send)

    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as the command does
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(application, log_level="critical", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


async def _serve_model(count: int) -> None:
    replies = {name: _frames(pieces) for name, pieces in _replies(count).items()}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
            name = json.loads(await reader.readexactly(length))["messages"][0]["content"]
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            for frame in replies[name]:
                writer.write(b"%x\r\n%b\r\n" % (len(frame), frame))
                await writer.drain()
            writer.write(b"0\r\n\r\n")

    async def quietly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(quietly, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    kind, argument = sys.argv[1:]
    if kind == "proxy":
        _serve_proxy(argument)
    else:
        asyncio.run(_serve_model(int(argument)))
