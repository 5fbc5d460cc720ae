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
well, and so does a body that is no stream: the page of a proxy, a plain text, `{"detail": …}`. It says how the body
begins. The binary frames of AWS are read by `eventstream.py`. O(n), cut anywhere, LF, CRLF or CR.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, TypeAlias

from streamparse.providers.documents import JsonDocuments
from streamparse.providers.eventstream import EventStreamDecoder
from streamparse.providers.json_text import as_json
from streamparse.providers.read import read

JsonChunk: TypeAlias = dict[str, Any]

_BREAK = re.compile(r"\r\n|\n|\r")
_MAX_QUOTED = 200  # characters of broken data that an error shows
#: Characters that would do something to the terminal or the page on which an error is shown.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: Names of fields that are not data or events, and of what errors are told in where nothing is streamed.
_SILENT = ("", "id", "retry")
_COMPLAINTS = ("error", "errors", "detail", "message")


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
        self._frames: EventStreamDecoder | None = None
        self._has_begun = False
        self._has_chunks = False
        #: The beginning of what nobody could read, until there is a chunk.
        self._unread: list[str] = []
        self._unread_size = 0

    def feed(self, piece: bytes | str) -> list[JsonChunk]:
        """The next piece, cut anywhere."""
        if not self._has_begun and piece:
            self._has_begun = True
            if piece[0] == 0:  # no text begins like this: the length of a frame does
                self._frames = EventStreamDecoder()
        if self._frames is not None and not isinstance(piece, str):
            chunks = self._note(self._frames.feed(bytes(piece)))
            self.is_done = self._frames.is_done
            return chunks
        text = piece if isinstance(piece, str) else self._decoder.decode(piece)
        if not text:
            return []
        # A CR ends its line at once; the LF that may follow it in the next piece is part of the same break.
        if self._is_behind_cr and text[0] == "\n":
            text = text[1:]
        self._is_behind_cr = text.endswith("\r") if text else False
        *lines, rest = _BREAK.split(text)
        chunks = []
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
        return self._note(self._feed_line(line))

    def _feed_line(self, line: str) -> list[JsonChunk]:
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
        elif name not in _SILENT:
            return self._read_json(line)
        return []

    def take_data(self, data: str) -> JsonChunk | None:
        """The chunk of an event that is nothing but one line of data; None if it must be read line by line."""
        if not self._has_chunks or self.is_done or self._data or self._event or self._documents.is_open:
            return None
        value = _loads(data)
        return value if isinstance(value, dict) else None

    def close(self) -> list[JsonChunk]:
        """No more input: the last event counts although no empty line follows it."""
        self._line.append(self._decoder.decode(b"", final=True))
        line = "".join(self._line)
        self._line.clear()
        chunks = self.feed_line(line) if line else []
        chunks += self._note(self._dispatch() + self._abandon())
        if self._frames is not None:
            chunks += self._frames.close()
        chunks += self._complain()
        self.is_done = True
        return chunks

    def _note(self, chunks: list[JsonChunk]) -> list[JsonChunk]:
        """The chunks that are given; the first one may show that nothing is streamed at all."""
        if self._has_chunks or not chunks:
            return chunks
        self._has_chunks = True
        first = chunks[0]
        if any(name in first for name in _COMPLAINTS) and read(first) is None:
            return [_no_stream(as_json(first)), *chunks[1:]]
        return chunks

    def _ignore(self, text: str) -> None:
        """Nobody can read this."""
        if not self._has_chunks and self._unread_size < _MAX_QUOTED:
            self._unread.append(text)
            self._unread_size += len(text) + 1

    def _complain(self) -> list[JsonChunk]:
        """The error of a stream without any chunk, if something came."""
        if self._has_chunks or not self._unread:
            return []
        self._has_chunks = True
        return [_no_stream("\n".join(self._unread))]

    def _read_json(self, line: str) -> list[JsonChunk]:
        """Bare JSON, if `line` is or begins some; other lines are ignored."""
        if line[0] == "{":
            value = _loads(line)
            if isinstance(value, dict):  # as a rule, and faster than looking for its end
                return [value]
        texts = self._documents.feed(line)
        if not texts and not self._documents.is_open and line.strip():
            self._ignore(line)
        return [_decoded(text) for text in texts]

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
            return [_error({}, "")] if event == "error" and not self.is_done else []
        if event == "error":
            return [_error(_loads("\n".join(data)), "\n".join(data))]
        chunks: list[JsonChunk] = []
        for text in _documents(data):
            if text.strip() == "[DONE]":
                self.is_done = True
                return chunks or self._complain()
            value = _loads(text)
            if isinstance(value, dict):
                chunks.append(value)
            elif value is _BROKEN:
                chunks.append(_not_json(text))
            else:
                self._ignore(text)
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


#: Made once: `json.loads` would make one for every chunk.
_DECODER = json.JSONDecoder(strict=False)


def _loads(text: str) -> object:
    try:
        return _DECODER.decode(text)
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
    return _error(None, f"the server sent data that is not JSON: {_quoted(text)}")


def _no_stream(text: str) -> JsonChunk:
    return _error(None, f"the server sent something that is no stream of a reply: {_quoted(text)}")


def _quoted(text: str) -> str:
    """The beginning of what came, harmless to show."""
    return _CONTROLS.sub("\ufffd", text[:_MAX_QUOTED])
