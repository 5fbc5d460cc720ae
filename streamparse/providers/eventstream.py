"""The binary frames in which AWS streams (`application/vnd.amazon.eventstream`), as chunks.

    length, length of the headers, CRC of these two      four bytes each, the highest first
    :event-type contentBlockDelta, …                     headers: a name, a type, a value
    {"contentBlockIndex": 0, "delta": {"text": "Hi"}}    what the event says
    CRC of all before it                                 four bytes

    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi"}}}

An event of Bedrock's ConverseStream is a dict with its name, as boto3 gives it. One of InvokeModelWithResponseStream
has `bytes`, which are what the model's own interface streams: its chunk is what is in them. Exceptions, and frames
that are broken or do not end, become chunks of type `error`; nothing is read behind a broken one. O(n), cut anywhere.
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

from streamparse.providers.bedrock import decode_payload

_PRELUDE = struct.Struct(">III")
_CRC = struct.Struct(">I")
#: Longer than any frame that AWS sends.
_MAX_FRAME = 1 << 25
#: How many bytes a header's value has, by its type; None for those that begin with their length.
_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 6: None, 7: None, 8: 8, 9: 16}


class FrameError(ValueError):
    """A frame is not what it says it is."""


class EventStreamDecoder:
    """Takes bytes with `feed`, gives the chunks that are complete. One per stream; never raises."""

    def __init__(self) -> None:
        self.is_done = False
        self._bytes = bytearray()

    def feed(self, piece: bytes) -> list[dict[str, Any]]:
        """The next piece, cut anywhere."""
        chunks: list[dict[str, Any]] = []
        if self.is_done:
            return chunks
        self._bytes += piece
        start = 0
        try:
            while frame := self._frame(start):
                start += len(frame)
                chunks.append(_read(frame))
        except FrameError as error:
            self.is_done = True
            chunks.append(_error(str(error)))
        del self._bytes[:start]
        return chunks

    def close(self) -> list[dict[str, Any]]:
        """No more input: what is left is the beginning of a frame."""
        is_cut, self.is_done = bool(self._bytes) and not self.is_done, True
        return [_error("the server's stream broke off in the middle of an event")] if is_cut else []

    def _frame(self, start: int) -> bytes:
        """The frame that begins at `start`; nothing if it is not complete."""
        if len(self._bytes) - start < _PRELUDE.size:
            return b""
        length, headers, crc = _PRELUDE.unpack_from(self._bytes, start)
        if zlib.crc32(self._bytes[start : start + 8]) != crc:
            raise FrameError("the server sent binary data that is no event stream")
        if not _PRELUDE.size + headers + _CRC.size <= length <= _MAX_FRAME:
            raise FrameError("the server sent an event whose length cannot be right")
        if len(self._bytes) - start < length:
            return b""
        frame = bytes(self._bytes[start : start + length])
        if zlib.crc32(frame[:-4]) != _CRC.unpack(frame[-4:])[0]:
            raise FrameError("the server sent an event that was damaged on its way")
        return frame


def _read(frame: bytes) -> dict[str, Any]:
    """The chunk of a whole frame."""
    _, size, _ = _PRELUDE.unpack_from(frame)
    end = _PRELUDE.size + size
    headers = _read_headers(frame[_PRELUDE.size : end])
    payload = _loads(frame[end:-4])
    if headers.get(":message-type", "event") != "event":
        name = headers.get(":exception-type") or headers.get(":error-code") or "error"
        message = payload.get("message") or payload.get("Message") or headers.get(":error-message")
        return _error(f"{name}: {message}" if message else name)
    name = headers.get(":event-type", "")
    if name == "chunk" and isinstance(payload.get("bytes"), str):
        return decode_payload(_decoded(payload["bytes"]))
    return {name: payload}


def _read_headers(data: bytes) -> dict[str, str]:
    """The headers that are text."""
    headers: dict[str, str] = {}
    pos = 0
    try:
        while pos < len(data):
            name = data[pos + 1 : pos + 1 + data[pos]]
            pos += 1 + len(name)
            kind = data[pos]
            size, pos = _SIZES[kind], pos + 1
            if size is None:
                (size,) = struct.unpack_from(">H", data, pos)
                pos += 2
            if kind == 7:
                headers[name.decode("utf-8", "replace")] = data[pos : pos + size].decode("utf-8", "replace")
            pos += size
    except (IndexError, KeyError, struct.error):
        raise FrameError("the server sent an event whose headers are broken") from None
    return headers


def _loads(payload: bytes) -> dict[str, Any]:
    try:
        value = json.loads(payload or b"{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"message": payload.decode("utf-8", "replace")}


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except ValueError:
        return text.encode("utf-8", "replace")


def _error(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"message": message}}
