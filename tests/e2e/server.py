"""Servers on loopback: any ASGI program, or one that replays recordings: `POST` any path, the name being the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from threading import Thread
from time import sleep
from typing import Any

import uvicorn

#: Sizes of the pieces that are written: lines, JSON and characters are cut in the middle.
SIZES = (1, 70, 3, 400, 2, 31, 150)


def pieces(body: bytes) -> Iterator[bytes]:
    place = 0
    for size in cycle(SIZES):
        if place >= len(body):
            return
        yield body[place : place + size]
        place += size


class _Replay(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    recordings: Mapping[str, tuple[str, bytes]] = {}

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        content_type, body = self.recordings[request["model"]]
        self.send_response(200)
        self.send_header("content-type", content_type)
        self.send_header("transfer-encoding", "chunked")
        self.send_header("connection", "close")
        self.end_headers()
        with suppress(ConnectionError):  # a client that has read an error hangs up
            for piece in pieces(body):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serve(recordings: Mapping[str, tuple[str, bytes]]) -> Iterator[str]:
    """The address of a server of `recordings`: media type and body by name."""
    handler = type("Replay", (_Replay,), {"recordings": recordings})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serve_app(app: Any) -> Iterator[str]:
    """The address of a server that runs an ASGI program."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", lifespan="off"))
    thread = Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
