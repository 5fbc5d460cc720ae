"""A server that speaks Chat Completions and answers what a script says, one reply after the other.

with ScriptedServer([Text("Hello."), Calls(("read_file", {"path": "a.py"})), Text("Done.")]) as server:
    client = AsyncOpenAI(base_url=server.url, api_key="none")

Each request is kept in `requests`. A reply may break off, report an error, hang, or be cut at the limit of tokens.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias

from attrs import frozen

from streamparse.config import ToolSpec
from streamparse.formats import Format

PIECE = 7
#: For how long a reply hangs at most, in seconds: a test that waits for it has failed.
LONG = 20.0


@frozen
class Text:
    """A reply without native calls; `thoughts` come before it, in a field of their own."""

    text: str
    finish_reason: str = "stop"
    thoughts: str = ""

    def chunks(self) -> Iterator[dict[str, Any]]:
        if self.thoughts:
            yield {"delta": {"reasoning_content": self.thoughts}, "finish_reason": None}
        for at in range(0, len(self.text), PIECE):
            yield {"delta": {"content": self.text[at : at + PIECE]}, "finish_reason": None}
        yield {"delta": {}, "finish_reason": self.finish_reason}


class Calls:
    """A reply with native calls; `cut` leaves out so many of the last characters of the last arguments."""

    def __init__(
        self, *calls: tuple[str, dict[str, Any]], text: str = "", cut: int = 0, reason: str = "tool_calls"
    ) -> None:
        self.calls, self.text, self._cut, self._reason = calls, text, cut, reason

    def chunks(self) -> Iterator[dict[str, Any]]:
        if self.text:
            yield {"delta": {"content": self.text}, "finish_reason": None}
        for index, (name, arguments) in enumerate(self.calls):
            text = json.dumps(arguments)
            if self._cut and index == len(self.calls) - 1:
                text = text[: -self._cut]
            call: dict[str, Any] = {"index": index, "id": f"call_{index}_{name}", "type": "function"}
            first = {**call, "function": {"name": name, "arguments": ""}}
            yield {"delta": {"tool_calls": [first]}, "finish_reason": None}
            for at in range(0, len(text), PIECE):
                piece = {"index": index, "function": {"arguments": text[at : at + PIECE]}}
                yield {"delta": {"tool_calls": [piece]}, "finish_reason": None}
        yield {"delta": {}, "finish_reason": self._reason}

    def written_in(self, format: Format, tools: Sequence[ToolSpec]) -> Text:
        """The same reply with its calls in the text."""
        calls = [format.render_call(name, arguments, tools=tools) for name, arguments in self.calls]
        return Text("\n".join([self.text, *calls]))


@frozen
class Broken:
    """The first `after` chunks of a reply, and then an error in the stream, or the end if `message` is empty.

    `is_dropped`: the server has promised more than it sends.
    """

    reply: Text | Calls
    after: int
    message: str = "the server is overloaded"
    is_dropped: bool = False

    def chunks(self) -> Iterator[dict[str, Any]]:
        for number, chunk in enumerate(self.reply.chunks()):
            if number == self.after:
                break
            yield chunk
        if self.message:
            yield {"error": {"message": self.message, "type": "server_error"}}


@frozen
class Hanging:
    """The first `after` chunks of a reply, and then nothing more, while the server is there; -1: not even a header."""

    reply: Text | Calls
    after: int

    def chunks(self) -> Iterator[dict[str, Any]]:
        for number, chunk in enumerate(self.reply.chunks()):
            if number == self.after:
                break
            yield chunk


@frozen
class Refused:
    """No reply, but a status."""

    status: int
    message: str = "no"


AnyReply: TypeAlias = Text | Calls | Broken | Hanging | Refused


class ScriptedServer:
    """Serves on loopback while it is used with `with`."""

    def __init__(self, replies: Sequence[AnyReply]) -> None:
        self._replies = list(replies)
        self._over = threading.Event()
        #: The bodies of all requests so far.
        self.requests: list[dict[str, Any]] = []
        #: Set when a reply hangs.
        self.hangs = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                reply = outer._replies.pop(0) if outer._replies else Text("There is nothing more in the script.")
                with suppress(BrokenPipeError, ConnectionResetError):  # the client has gone
                    self._answer(reply)

            def _answer(self, reply: AnyReply) -> None:
                if isinstance(reply, Refused):
                    self._refuse(reply)
                    return
                if isinstance(reply, Hanging) and reply.after < 0:
                    outer._hang()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                if isinstance(reply, Broken) and reply.is_dropped:
                    self.send_header("Content-Length", "1000000")
                self.end_headers()
                for chunk in reply.chunks():
                    self._send(chunk)
                if isinstance(reply, Hanging):
                    outer._hang()
                elif not isinstance(reply, Broken):
                    self._send({"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}})
                    self.wfile.write(b"data: [DONE]\n\n")

            def _refuse(self, reply: Refused) -> None:
                body = json.dumps({"error": {"message": reply.message}}).encode()
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

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
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def _hang(self) -> None:
        self.hangs.set()
        self._over.wait(LONG)

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
