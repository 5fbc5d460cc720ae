"""Server-sent events of a model's HTTP API, as chunks.

    data: {"choices": [{"delta": {"content": "Hi"}}]}

    event: error
    data: {"message": "overloaded"}

    data: [DONE]

    with httpx.stream("POST", url, json=body) as response:
        for chunk in chunks(response.iter_bytes()): ...

Chunks are dicts, for `Reader`. The `data:` lines of one event are joined; `[DONE]` ends the stream, and what follows is
ignored; comments, ids and event names are ignored, but for `event: error`, which makes a chunk of type `error`. Two
habits of servers are allowed for: events without an empty line between them, and bare JSON, in a line (Ollama) or over
many, as a reply that is not streamed comes (`documents.py`). What cannot be decoded becomes a chunk of type `error` as
well. O(n), cut anywhere, LF, CRLF or CR.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, TypeAlias

from streamparse.providers.documents import JsonDocuments

JsonChunk: TypeAlias = dict[str, Any]

_BREAK = re.compile(r"\r\n|\n|\r")
_MAX_QUOTED = 200  # characters of broken data that an error shows


class SseDecoder:
    """Takes pieces of the stream with `feed`, gives the chunks that are complete. One per stream; never raises."""

    def __init__(self) -> None:
        self.is_done = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._data: list[str] = []
        self._event = ""
        self._documents = JsonDocuments()
        self._is_behind_cr = False
        self._is_first_line = True

    def feed(self, piece: bytes | str) -> list[JsonChunk]:
        """The next piece, cut anywhere."""
        text = piece if isinstance(piece, str) else self._decoder.decode(piece)
        if not text:
            return []
        # A CR ends its line at once; the LF that may follow it in the next piece is part of the same break.
        if self._is_behind_cr and text[0] == "\n":
            text = text[1:]
        self._is_behind_cr = text.endswith("\r") if text else False
        *lines, rest = _BREAK.split(text)
        chunks: list[JsonChunk] = []
        for line in lines:
            self._line.append(line)
            whole = "".join(self._line)
            self._line.clear()
            chunks += self.feed_line(whole)
        if rest:
            self._line.append(rest)
        return chunks

    def feed_line(self, line: str) -> list[JsonChunk]:
        """One whole line, without its break."""
        if self.is_done:
            return []
        if self._is_first_line:
            self._is_first_line = False
            line = line.removeprefix("\ufeff")
        if self._documents.is_open:
            return self._continue(line)
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            return self._begin(value)
        else:
            return self._read_json(line)
        return []

    def close(self) -> list[JsonChunk]:
        """No more input: the last event counts although no empty line follows it."""
        self._line.append(self._decoder.decode(b"", final=True))
        line = "".join(self._line)
        self._line.clear()
        chunks = self.feed_line(line) if line else []
        chunks += self._dispatch() + self._abandon()
        self.is_done = True
        return chunks

    def _read_json(self, line: str) -> list[JsonChunk]:
        """Bare JSON, if `line` is or begins some; other lines are ignored."""
        if line[0] == "{":
            value = _loads(line)
            if isinstance(value, dict):  # as a rule, and faster than looking for its end
                return [value]
        return [_decoded(text) for text in self._documents.feed(line)]

    def _continue(self, line: str) -> list[JsonChunk]:
        """More of a JSON object that was not complete in its line."""
        if line.startswith(("data:", "event:")):  # no line of JSON begins like this: it was something else
            return self._abandon() + self.feed_line(line)
        return [_decoded(text) for text in self._documents.feed(line)]

    def _abandon(self) -> list[JsonChunk]:
        """The error of a JSON object that did not end, if there is one."""
        return [_not_json(self._documents.close().rstrip("\n"))] if self._documents.is_open else []

    def _begin(self, event: str) -> list[JsonChunk]:
        """A new event's name: it ends the one before, if the empty line was left out."""
        chunks = self._dispatch() if self._data and self._event else []
        self._event = event
        return chunks

    def _dispatch(self) -> list[JsonChunk]:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        if self.is_done or not any(line.strip() for line in data):
            return []
        if event == "error":
            return [_error(_loads("\n".join(data)), "\n".join(data))]
        chunks: list[JsonChunk] = []
        for text in _documents(data):
            if text.strip() == "[DONE]":
                self.is_done = True
                break
            value = _loads(text)
            if isinstance(value, dict):
                chunks.append(value)
            elif value is _BROKEN:
                chunks.append(_not_json(text))
        return chunks


def chunks(pieces: Iterable[bytes | str]) -> Iterator[JsonChunk]:
    """The chunks of a stream that comes in `pieces`, cut anywhere, with its line breaks."""
    decoder = SseDecoder()
    for piece in pieces:
        yield from decoder.feed(piece)
        if decoder.is_done:
            return
    yield from decoder.close()


async def achunks(pieces: AsyncIterable[bytes | str]) -> AsyncIterator[JsonChunk]:
    """`chunks` for an asynchronous stream."""
    decoder = SseDecoder()
    async for piece in pieces:
        for chunk in decoder.feed(piece):
            yield chunk
        if decoder.is_done:
            return
    for chunk in decoder.close():
        yield chunk


def chunks_of_lines(lines: Iterable[bytes | str]) -> Iterator[JsonChunk]:
    """The chunks of a stream that comes line by line, with or without the breaks (`iter_lines()` takes them off)."""
    decoder = SseDecoder()
    for line in lines:
        text = line if isinstance(line, str) else bytes(line).decode("utf-8", "replace")
        yield from decoder.feed_line(text.rstrip("\r\n"))
        if decoder.is_done:
            return
    yield from decoder.close()


_BROKEN = object()


def _loads(text: str) -> object:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return _BROKEN


def _decoded(text: str) -> JsonChunk:
    """The object that `text` should be."""
    value = _loads(text)
    return value if isinstance(value, dict) else _not_json(text)


def _documents(data: list[str]) -> list[str]:
    """The lines as one document, or each as its own if that is what they are."""
    whole = "\n".join(data)
    if len(data) == 1 or _loads(whole) is not _BROKEN:
        return [whole]
    lines = [line for line in data if line.strip()]
    are_own = all(line.strip() == "[DONE]" or _loads(line) is not _BROKEN for line in lines)
    return lines if are_own else [whole]


def _error(value: object, text: str) -> JsonChunk:
    """A chunk of type `error` from what came with `event: error`."""
    if not isinstance(value, dict):
        return {"type": "error", "error": {"message": text}}
    if "error" in value:
        return {**value, "type": "error"}
    return {"type": "error", "error": value}


def _not_json(text: str) -> JsonChunk:
    return _error(None, f"the server sent data that is not JSON: {text[:_MAX_QUOTED]}")
