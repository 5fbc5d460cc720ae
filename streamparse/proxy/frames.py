r"""Frames: the bytes of server-sent events, from the server through an exchange to the client.

    frames = ChatFrames(exchange)
    frames.feed(b'data: {"id": …}\n\nda')       the bytes that the client gets for these, cut anywhere
    frames.close()                              those that end the stream, when the server has no more
    frames.fail("…")                            those that tell the client that it broke off
    frames.is_done                              nothing more need be read

An event in which nothing is changed is sent as it came. Comments, which keep connections alive, are passed on. A reply
that ends without having said why it ended is broken: the client is told so, and `[DONE]` does not follow.

`ChatFrames` is for Chat Completions. `EncodedFrames` reads the repaired chunks again and lets an encoder write them, so
that all interfaces have the same semantics.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from streamparse.encoders import Encoder
from streamparse.errors import ProviderStreamError
from streamparse.events import NATIVE, AnyEvent
from streamparse.handler import StreamingResponseHandler
from streamparse.iterate import woven
from streamparse.outcome import Outcome, StreamEnd
from streamparse.providers.sse import SseDecoder
from streamparse.proxy.exchange import Exchange

Json: TypeAlias = dict[str, Any]

_BROKEN = "the model server ended the stream before the reply had ended"


class Frames:
    """What all interfaces share: the events of the server."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.is_done = False
        self._decoder = SseDecoder()
        self._rest = b""  # of a line
        self._data = b""  # the last line of data, as it came
        self._lines = 0  # of data, in the event that is being read

    def feed(self, piece: bytes) -> bytes:
        """The next bytes of the server."""
        if self.is_done:
            return b""
        text = self._rest + piece
        if b"\r" in text:
            tail = text[-1:] if text.endswith(b"\r") else b""  # half of a line break, perhaps
            text = text[: len(text) - len(tail)].replace(b"\r\n", b"\n").replace(b"\r", b"\n") + tail
        *lines, self._rest = text.split(b"\n")
        out: list[bytes] = []
        for line in lines:
            self._feed_line(line, out)
            if self.is_done:
                break
        return b"".join(out)

    def close(self) -> bytes:
        """The server has no more."""
        out: list[bytes] = []
        for line in (self._rest.rstrip(b"\r"), b""):  # the last event counts although no empty line follows it
            if not self.is_done:
                self._feed_line(line, out)
        if not self.is_done:
            self._feed_chunks(self._decoder.close(), b"", out)
        if not self.is_done:
            self.is_done = True
            if self.exchange.has_ended:
                self._end(out, is_told=False)
            elif not self.exchange.is_failed:
                self._break(_BROKEN, out)
        return b"".join(out)

    def fail(self, message: str) -> bytes:
        """The server cannot be read any more."""
        out: list[bytes] = []
        if not self.is_done:
            self.is_done = True
            self._break(message, out)
        return b"".join(out)

    def _feed_line(self, line: bytes, out: list[bytes]) -> None:
        if line[:1] == b":":
            out.append(line + b"\n\n")
            return
        if line[:5] == b"data:":
            self._data = line
            self._lines += 1
        chunks = self._decoder.feed_line(line.decode("utf-8", "replace"))
        if chunks or not line:
            raw = self._data if self._lines == 1 == len(chunks) else b""
            self._lines = 0
            self._feed_chunks(chunks, raw, out)
        if self._decoder.is_done and not self.is_done:
            self.is_done = True
            self._finish(out)

    def _feed_chunks(self, chunks: list[Json], raw: bytes, out: list[bytes]) -> None:
        """Chunks of the server; `raw` is the line of a single one."""
        exchange = self.exchange
        for chunk in chunks:
            repaired = exchange.feed(chunk)
            if raw and len(repaired) == 1 and repaired[0] is chunk and chunk.get("type") != "error":
                self._pass(chunk, raw, out)
            else:
                for one in repaired:
                    self._write(one, out)
            if exchange.is_over or exchange.is_failed:
                self.is_done = True
                if not exchange.is_failed:
                    self._end(out)
                return

    def _finish(self, out: list[bytes]) -> None:
        """The server says that this was all."""
        for chunk in self.exchange.finish():
            self._write(chunk, out)
        self._end(out)

    def _pass(self, chunk: Json, raw: bytes, out: list[bytes]) -> None:
        """A chunk that is not changed, and the line it came in."""
        raise NotImplementedError

    def _write(self, chunk: Json, out: list[bytes]) -> None:
        """A chunk for the client."""
        raise NotImplementedError

    def _end(self, out: list[bytes], *, is_told: bool = True) -> None:
        """The reply has ended; `is_told`: and the stream was said to end."""
        raise NotImplementedError

    def _break(self, message: str, out: list[bytes]) -> None:
        """The reply broke off."""
        for chunk in self.exchange.abandon():
            self._write(chunk, out)
        self._write(error(message), out)


class ChatFrames(Frames):
    """The stream of Chat Completions."""

    def _pass(self, chunk: Json, raw: bytes, out: list[bytes]) -> None:
        out.append(raw + b"\n\n")

    def _write(self, chunk: Json, out: list[bytes]) -> None:
        out.append(b"data: " + json.dumps(chunk).encode() + b"\n\n")

    def _end(self, out: list[bytes], *, is_told: bool = True) -> None:
        if is_told:
            out.append(b"data: [DONE]\n\n")


class EncodedFrames(Frames):
    """The stream of another interface: what an encoder writes of the repaired chunks."""

    def __init__(self, exchange: Exchange, encoder: Encoder) -> None:
        super().__init__(exchange)
        self._encoder = encoder
        self._handler = StreamingResponseHandler(NATIVE, tools=exchange.tools)

    def _pass(self, chunk: Json, raw: bytes, out: list[bytes]) -> None:
        self._write(chunk, out)

    def _write(self, chunk: Json, out: list[bytes]) -> None:
        try:
            self._encode(self._handler.feed(chunk), out)
        except ProviderStreamError as failure:
            self._encode(failure.events, out)
            self._frame(self._encoder.finish(Outcome("error", error=failure.message)), out)

    def _end(self, out: list[bytes], *, is_told: bool = True) -> None:
        self._encode(self._handler.finalize(), out)
        self._frame(self._encoder.encode(StreamEnd(self._handler.outcome or Outcome())), out)

    def _encode(self, events: list[AnyEvent], out: list[bytes]) -> None:
        for item in woven(events, self._handler, invocations=True):
            self._frame(self._encoder.encode(item), out)

    def _frame(self, chunks: list[Json], out: list[bytes]) -> None:
        out += [self._encoder.frame(chunk).encode() for chunk in chunks]


def error(message: str, kind: str = "server_error") -> Json:
    """An error as Chat Completions tells it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}
