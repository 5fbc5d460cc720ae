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
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, TypeAlias

from streamparse.encoders import Encoder
from streamparse.errors import ProviderStreamError
from streamparse.events import NATIVE, AnyEvent
from streamparse.handler import StreamingResponseHandler
from streamparse.iterate import woven
from streamparse.outcome import Outcome, StreamEnd
from streamparse.providers.sse import SseDecoder
from streamparse.proxy.error_bodies import failed, openai
from streamparse.proxy.exchange import Exchange

Json: TypeAlias = dict[str, Any]

#: The most bytes of an event, or of an answer that is not streamed.
MOST_HELD = 32 * 2**20
TOO_LONG = f"the model server sent more than {MOST_HELD // 2**20} MiB in one piece"
_DELTA = b'"delta"'
_ESCAPED_LETTER = re.compile(rb"\\u00(?:6[1-9A-Fa-f]|7[0-9Aa])")
_BROKEN = "the model server ended the stream before the reply had ended"


class Frames(ABC):
    """What all interfaces share: the events of the server."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.is_done = False
        self._decoder = SseDecoder()
        self._rest: list[bytes] = []  # of a line
        self._held = 0  # bytes that have come since the last event
        self._data = b""  # the last line of data, as it came
        self._lines = 0  # of data, in the event that is being read
        self._is_behind_cr = False  # which is a line break, or half of one

    def feed(self, piece: bytes) -> bytes:
        """The next bytes of the server."""
        if self.is_done:
            return b""
        self._rest.append(piece)
        self._held += len(piece)
        out = self._feed_lines() if b"\n" in piece or b"\r" in piece or self._is_behind_cr else b""
        return out + self.fail(TOO_LONG) if self._held > MOST_HELD else out

    def _feed_lines(self) -> bytes:
        """At least one line has ended."""
        text = b"".join(self._rest)
        self._is_behind_cr = text.endswith(b"\r")
        if b"\r" in text:
            tail = text[-1:] if text.endswith(b"\r") else b""  # half of a line break, perhaps
            text = text[: len(text) - len(tail)].replace(b"\r\n", b"\n").replace(b"\r", b"\n") + tail
        *lines, rest = text.split(b"\n")
        self._rest = [rest]
        out: list[bytes] = []
        place, count = 0, len(lines)
        while place < count and not self.is_done:
            line = lines[place]
            place += 1
            if line[:6] == b"data: " and place < count and not lines[place]:  # as mostly: a whole event
                chunk = self._decoder.take_data(line[6:].decode("utf-8", "replace"))
                if chunk is not None:
                    place += 1
                    self._feed_chunks((chunk,), line, out)
                    continue
            self._feed_line(line, out)
        return b"".join(out)

    def close(self) -> bytes:
        """The server has no more."""
        out: list[bytes] = []
        last = b"".join(self._rest).rstrip(b"\r")
        for line in (last, b""):  # the last event counts although no empty line follows it
            if not self.is_done:
                self._feed_line(line, out)
        if not self.is_done:
            self._feed_chunks(self._decoder.close(), b"", out)
        if not self.is_done:
            self.is_done = True
            if self.exchange.has_ended:
                self._end(out, is_told=False)
            else:
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
            self._held -= len(line)
            out.append(line + b"\n\n")
            return
        if line[:5] == b"data:":
            self._data = line
            self._lines += 1
        chunks = self._decoder.feed_line(line.decode("utf-8", "replace"))
        if chunks or not line:
            raw = self._data if self._lines == 1 == len(chunks) else b""
            self._lines = 0
            if chunks:
                self._feed_chunks(chunks, raw, out)
        if self._decoder.is_done and not self.is_done:
            self.is_done = True
            self._finish(out)

    def _feed_chunks(self, chunks: Iterable[Json], raw: bytes, out: list[bytes]) -> None:
        """Chunks of the server; `raw` is the line of a single one."""
        exchange = self.exchange
        self._held = 0
        for chunk in chunks:
            repaired = exchange.feed(chunk)
            if raw and len(repaired) == 1 and chunk.get("type") != "error":
                self._write_like(chunk, raw, repaired[0], out)
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

    def _write_like(self, chunk: Json, raw: bytes, repaired: Json, out: list[bytes]) -> None:
        """All that a chunk has become; and the line in which it came, if that is of use."""
        self._write(repaired, out)

    @abstractmethod
    def _write(self, chunk: Json, out: list[bytes]) -> None:
        """A chunk for the client."""

    @abstractmethod
    def _end(self, out: list[bytes], *, is_told: bool = True) -> None:
        """The reply has ended; `is_told`: and the stream was said to end."""

    def _break(self, message: str, out: list[bytes]) -> None:
        """The reply broke off."""
        for chunk in self.exchange.abandon():
            self._write(chunk, out)
        self._write(openai(failed(message)), out)


class ChatFrames(Frames):
    """The stream of Chat Completions."""

    def _write_like(self, chunk: Json, raw: bytes, repaired: Json, out: list[bytes]) -> None:
        if repaired is chunk:
            out.append(raw + b"\n\n")
            return
        choices = repaired.get("choices")  # of one that was held back, these may be none, or anything
        line = _with_delta(raw, chunk, repaired) if choices and isinstance(choices, list) else None
        if line is None:
            self._write(repaired, out)
        else:
            out.append(line)

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
        self._first: Any = None  # the number of the choice that came first

    def _write(self, chunk: Json, out: list[bytes]) -> None:
        choices = chunk.get("choices")
        if not isinstance(choices, list) and not chunk.get("error"):
            return  # some servers say more than Chat Completions: the other interfaces have no place for it
        if choices and isinstance(choices, list):
            chunk = {**chunk, "choices": self._own(choices)}
        try:
            self._encode(self._handler.feed(chunk), out)
        except ProviderStreamError as failure:
            self._encode(failure.events, out)
            self._frame(self._encoder.finish(Outcome("error", error=failure.message)), out)

    def _own(self, choices: list[Any]) -> list[Json]:
        """The choice that came first, as the only one: nobody has asked for more."""
        numbered = [choice for choice in choices if isinstance(choice, dict)]
        if self._first is None and numbered:
            self._first = numbered[0].get("index") or 0
        return [{**choice, "index": 0} for choice in numbered if (choice.get("index") or 0) == self._first]

    def _end(self, out: list[bytes], *, is_told: bool = True) -> None:
        self._encode(self._handler.finalize(), out)
        self._frame(self._encoder.encode(StreamEnd(self._handler.outcome or Outcome())), out)

    def _encode(self, events: list[AnyEvent], out: list[bytes]) -> None:
        for item in woven(events, self._handler, invocations=True):
            self._frame(self._encoder.encode(item), out)

    def _frame(self, chunks: list[Json], out: list[bytes]) -> None:
        out += [self._encoder.frame(chunk).encode() for chunk in chunks]


def as_events(content: bytes) -> bytes | None:
    """A whole response as the stream that it would have been, for a client that has asked for one; None if it is none.

    Some servers do not stream, or not with tools, and a client that waits for events would read nothing at all.
    """
    try:
        response = json.loads(content)
    except (ValueError, RecursionError):
        return None
    choices = response.get("choices") if isinstance(response, dict) else None
    if not isinstance(choices, list) or not choices:
        return None
    if not all(isinstance(choice, dict) and isinstance(choice.get("message"), dict) for choice in choices):
        return None
    told = [
        {**{name: value for name, value in choice.items() if name != "message"}, "delta": choice["message"]}
        for choice in choices
    ]
    chunk = {**response, "object": "chat.completion.chunk", "choices": told}
    return b"data: %b\n\ndata: [DONE]\n\n" % json.dumps(chunk).encode()


def _with_delta(raw: bytes, chunk: Json, repaired: Json) -> bytes | None:
    """The line of a chunk with another delta, which is the same for all else; None if that is not certain.

    To write a delta takes half the time of writing a whole chunk. It is found by its key, if the line has that once:
    with an escape in it, a key could be written in another way.
    """
    choice, new = chunk["choices"][0], repaired["choices"][0]
    delta = choice["delta"]
    if len(chunk["choices"]) > 1 or delta.keys() != {"content"} or new != {**choice, "delta": new["delta"]}:
        return None
    if raw.count(_DELTA) != 1 or _ESCAPED_LETTER.search(raw):
        return None
    content = json.dumps(delta["content"], ensure_ascii=raw.isascii()).encode("utf-8", "surrogatepass")
    for known in (b'"delta":{"content":%b}' % content, b'"delta": {"content": %b}' % content):
        begin = raw.find(known)
        if begin >= 0:
            return b'%b"delta": %b%b\n\n' % (raw[:begin], json.dumps(new["delta"]).encode(), raw[begin + len(known) :])
    return None
