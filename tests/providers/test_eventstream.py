"""eventstream.py: the frames of AWS, however they are cut, whole and broken."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import pytest

from streamparse.providers import Finish, ProviderError, Reader, TextDelta
from streamparse.providers.eventstream import EventStreamDecoder
from streamparse.providers.sse import chunks


def header(name: str, value: str) -> bytes:
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()


def frame(payload: bytes, headers: bytes) -> bytes:
    prelude = struct.pack(">II", len(payload) + len(headers) + 16, len(headers))
    start = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return start + struct.pack(">I", zlib.crc32(start))


def event(name: str, payload: Any) -> bytes:
    headers = header(":event-type", name) + header(":content-type", "application/json")
    return frame(json.dumps(payload).encode(), headers + header(":message-type", "event"))


def within(chunk: Any) -> bytes:
    return event("chunk", {"bytes": base64.b64encode(json.dumps(chunk).encode()).decode(), "p": "abc"})


def problem(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"message": message}}


DELTA = {"contentBlockIndex": 0, "delta": {"text": "Hé"}, "p": "abcdef"}
STOP = {"stopReason": "end_turn"}
CONVERSE = event("contentBlockDelta", DELTA) + event("messageStop", STOP)
#: One header of each type but text, which say nothing here.
OTHERS = [b"\x00", b"\x01", b"\x02a", b"\x03ab", b"\x04abcd", b"\x05abcdefgh", b"\x06\x00\x02ab", b"\x08abcdefgh"]
OTHERS += [b"\x09abcdefghijklmnop"]
MIXED = b"".join(b"\x01h" + value for value in OTHERS) + header(":event-type", "messageStop")
EXCEPTION = header(":message-type", "exception") + header(":exception-type", "throttlingException")
ERROR = header(":message-type", "error") + header(":error-code", "Internal") + header(":error-message", "sorry")
DAMAGED = "the server sent an event that was damaged on its way"
LENGTH = "the server sent an event whose length cannot be right"
HEADERS = "the server sent an event whose headers are broken"


def prelude(length: int, headers: int) -> bytes:
    start = struct.pack(">II", length, headers)
    return start + struct.pack(">I", zlib.crc32(start))


CASES: dict[str, tuple[bytes, list[dict[str, Any]]]] = {
    "converse": (CONVERSE, [{"contentBlockDelta": DELTA}, {"messageStop": STOP}]),
    "a model's own chunks": (within({"type": "ping"}), [{"type": "ping"}]),
    "an agent's text": (event("chunk", {"bytes": base64.b64encode(b"Hi").decode()}), [{"content": "Hi"}]),
    "bytes that are no base64": (event("chunk", {"bytes": "x"}), [{"content": "x"}]),
    "a chunk without bytes": (event("chunk", {"a": 1}), [{"chunk": {"a": 1}}]),
    "headers of all types": (frame(b"", MIXED), [{"messageStop": {}}]),
    "no headers": (frame(b"{}", b""), [{"": {}}]),
    "no JSON": (frame(b"Hi", header(":event-type", "x")), [{"x": {"message": "Hi"}}]),
    "an exception": (frame(b'{"message": "slow down"}', EXCEPTION), [problem("throttlingException: slow down")]),
    "an exception without a word": (frame(b"{}", EXCEPTION), [problem("throttlingException")]),
    "an error": (frame(b"", ERROR), [problem("Internal: sorry")]),
    "an error without a word": (frame(b"", header(":message-type", "error")), [problem("error")]),
    "a damaged event": (CONVERSE[:20] + b"x" + CONVERSE[21:], [problem(DAMAGED)]),
    "a damaged beginning": (b"\x00x" + CONVERSE, [problem("the server sent binary data that is no event stream")]),
    "too long": (event("x", {}) + prelude(1 << 26, 0), [{"x": {}}, problem(LENGTH)]),
    "shorter than its headers": (prelude(20, 9), [problem(LENGTH)]),
    "headers that break off": (frame(b"", b"\x05:"), [problem(HEADERS)]),
    "headers of no type": (frame(b"", b"\x01h\x0a"), [problem(HEADERS)]),
    "headers without their length": (frame(b"", b"\x01h\x07\x00"), [problem(HEADERS)]),
    "no end": (
        CONVERSE[:-1],
        [{"contentBlockDelta": DELTA}, problem("the server's stream broke off in the middle of an event")],
    ),
    "nothing is read behind what is broken": (frame(b"", b"\x05:") + CONVERSE, [problem(HEADERS)]),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_every_cut_gives_the_same_chunks(source: bytes, expected: list[dict[str, Any]]) -> None:
    assert list(chunks([source])) == expected
    assert list(chunks([source[place : place + 1] for place in range(len(source))])) == expected
    for place in range(len(source)):
        assert list(chunks([source[:place], source[place:]])) == expected


def test_a_chunk_is_given_at_once() -> None:
    decoder = EventStreamDecoder()
    assert decoder.feed(CONVERSE[:-1]) == [{"contentBlockDelta": DELTA}]
    assert decoder.feed(CONVERSE[-1:]) == [{"messageStop": STOP}]
    assert decoder.close() == []
    assert decoder.feed(CONVERSE) == []


def test_chunks_are_for_the_reader() -> None:
    reader = Reader()
    assert [reader.read(chunk) for chunk in chunks([CONVERSE])] == [[TextDelta("Hé")], [Finish("stop")]]
    [chunk] = chunks([frame(b'{"message": "slow down"}', EXCEPTION)])
    assert Reader().read(chunk) == [ProviderError("throttlingException: slow down")]
