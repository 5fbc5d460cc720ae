"""A server that speaks Chat Completions and answers what a script says, one reply after the other.

with ScriptedServer([Text("Hello."), Calls(("read_file", {"path": "a.py"})), Text("Done.")]) as server:
    client = AsyncOpenAI(base_url=server.url, api_key="none")

Each request is kept in `requests`. A reply may break off, report an error, or be cut at the limit of tokens.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from attrs import frozen

PIECE = 7


@frozen
class Text:
    """A reply without calls."""

    text: str
    finish_reason: str = "stop"

    def chunks(self) -> Iterator[dict[str, Any]]:
        for at in range(0, len(self.text), PIECE):
            yield {"delta": {"content": self.text[at : at + PIECE]}, "finish_reason": None}
        yield {"delta": {}, "finish_reason": self.finish_reason}


class Calls:
    """A reply with native calls; `cut` leaves out so many of the last characters of the last arguments."""

    def __init__(
        self, *calls: tuple[str, dict[str, Any]], text: str = "", cut: int = 0, reason: str = "tool_calls"
    ) -> None:
        self._calls, self._text, self._cut, self._reason = calls, text, cut, reason

    def chunks(self) -> Iterator[dict[str, Any]]:
        if self._text:
            yield {"delta": {"content": self._text}, "finish_reason": None}
        for index, (name, arguments) in enumerate(self._calls):
            text = json.dumps(arguments)
            if self._cut and index == len(self._calls) - 1:
                text = text[: -self._cut]
            call: dict[str, Any] = {"index": index, "id": f"call_{index}_{name}", "type": "function"}
            yield {
                "delta": {"tool_calls": [{**call, "function": {"name": name, "arguments": ""}}]},
                "finish_reason": None,
            }
            for at in range(0, len(text), PIECE):
                piece = {"index": index, "function": {"arguments": text[at : at + PIECE]}}
                yield {"delta": {"tool_calls": [piece]}, "finish_reason": None}
        yield {"delta": {}, "finish_reason": self._reason}


@frozen
class Broken:
    """The beginning of a reply, and then an error in the stream, or nothing more if `message` is empty."""

    reply: Text | Calls
    after: int
    message: str = "the server is overloaded"

    def chunks(self) -> Iterator[dict[str, Any]]:
        for number, chunk in enumerate(self.reply.chunks()):
            if number == self.after:
                break
            yield chunk
        if self.message:
            yield {"error": {"message": self.message, "type": "server_error"}}


class ScriptedServer:
    """Serves on loopback while it is used with `with`."""

    def __init__(self, replies: list[Text | Calls | Broken]) -> None:
        self._replies = list(replies)
        #: The bodies of all requests so far.
        self.requests: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                reply = outer._replies.pop(0) if outer._replies else Text("There is nothing more in the script.")
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                try:
                    for chunk in reply.chunks():
                        self._send(chunk)
                    if not isinstance(reply, Broken):
                        self._send({"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}})
                        self.wfile.write(b"data: [DONE]\n\n")
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the client has gone

            def _send(self, part: dict[str, Any]) -> None:
                if "error" in part:
                    data = part
                else:
                    data = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
                    usage = part.get("usage")
                    data |= {"choices": [] if usage else [{"index": 0, **part}], "usage": usage}
                self.wfile.write(f"data: {json.dumps(data)}\n\n".encode())
                self.wfile.flush()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
