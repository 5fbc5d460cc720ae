"""sse.py: the chunks of a stream, however it is cut."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from streamparse.providers import Finish, ProviderError, Reader, TextDelta, read
from streamparse.providers.sse import SseDecoder, achunks, chunks, chunks_of_lines


def not_json(beginning: str) -> dict[str, Any]:
    return {"type": "error", "error": {"message": f"the server sent data that is not JSON: {beginning}"}}


def no_stream(beginning: str) -> dict[str, Any]:
    message = f"the server sent something that is no stream of a reply: {beginning}"
    return {"type": "error", "error": {"message": message}}


CASES: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "openai": ('data: {"a": "é"}\n\ndata: {"b": 2}\n\ndata: [DONE]\n\ndata: {"c": 3}\n\n', [{"a": "é"}, {"b": 2}]),
    "anthropic": (
        'event: ping\ndata: {"type": "ping"}\n\nevent: message_stop\nid: 4\ndata:{"type": "message_stop"}\n\n',
        [{"type": "ping"}, {"type": "message_stop"}],
    ),
    "comments, ids, retries, unknown fields": (': hello\n\nid: 1\nretry: 5\nfoo\ndata: {"a": 1}\n\n', [{"a": 1}]),
    "data in several lines": ('data: {"a":\ndata: [1,\ndata:  2]}\n\n', [{"a": [1, 2]}]),
    "no empty lines": ('data: {"a": 1}\ndata: {"a": 2}\ndata: [DONE]\n', [{"a": 1}, {"a": 2}]),
    "no empty lines, with names": ('event: x\ndata: {"a": 1}\nevent: y\ndata: {"a": 2}\n', [{"a": 1}, {"a": 2}]),
    "no end": ('data: {"a": 1}', [{"a": 1}]),
    "bare lines": ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
    "a document over several lines": (
        '{\n  "error": {\n    "message": "no } such {\\"model\\"",\n\n    "code": [404]\n  }\n}\n',
        [{"error": {"message": 'no } such {"model"', "code": [404]}}],
    ),
    "documents and events": ('{\n"a":\n1}\n\ndata: {"b": 2}\n\n{"c":\n3}', [{"a": 1}, {"b": 2}, {"c": 3}]),
    "a list of documents": (
        '[{\n  "a": 1\n}\n,\n{\n  "a": [{"b": 2}]\n},\n{"a": 3}, {"a":\n4}\n]\n',
        [{"a": 1}, {"a": [{"b": 2}]}, {"a": 3}, {"a": 4}],
    ),
    "a list in one line": ('[{"a": 1},{"a": 2}]', [{"a": 1}, {"a": 2}]),
    "lists of nothing": ("[]\n[1, 2]\n[\n]\n , \n", [no_stream("[]\n[1, 2]\n[\n]\n , ")]),
    "lists of nothing behind a chunk": ('{"a": 1}\n[]\n5\n', [{"a": 1}]),
    "a document that does not end": ('{"a": 1}\n{"b": \n  {}\n', [{"a": 1}, not_json('{"b": \n  {}')]),
    "a document that is broken": ('{\n"a" 1}\n{oops}\n{"b": 2}', [not_json('{\n"a" 1}'), not_json("{oops}"), {"b": 2}]),
    "a document that turns into events": ('{"a": \ndata: {"b": 2}\n\n', [not_json('{"a": '), {"b": 2}]),
    "long broken data is quoted in part": ("{" + "x" * 500 + "\n\n", [not_json("{" + "x" * 199)]),
    "a mark of byte order": ('\ufeffdata: {"a": 1}\n\n', [{"a": 1}]),
    "an error": ('event: error\ndata: {"message": "busy"}\n\n', [{"type": "error", "error": {"message": "busy"}}]),
    "an error in an envelope": (
        'event: error\ndata: {"type": "error", "error": {"message": "busy"}}\n\n',
        [{"type": "error", "error": {"message": "busy"}}],
    ),
    "an error in words": ("event: error\ndata: busy\n\n", [{"type": "error", "error": {"message": "busy"}}]),
    "broken data": (
        'data: {"a": \n\ndata: {"b": 1}\n\n',
        [not_json('{"a": '), {"b": 1}],
    ),
    "data that is no object": ("data: 5\n\ndata: null\n\ndata:\n\ndata: []\n\n", [no_stream("5\nnull\n[]")]),
    "data that is no object behind a chunk": ('data: {"a": 1}\n\ndata: 5\n\n', [{"a": 1}]),
    "nothing": ("", []),
    "nothing but heartbeats": (": ping\n\n: ping\n\nretry: 5\nid: 1\n\n", []),
    "a page": (
        "<html>\n<head><title>502 Bad Gateway</title></head>\n\n<p>nginx: sorry</p>\n</html>\n",
        [no_stream("<html>\n<head><title>502 Bad Gateway</title></head>\n<p>nginx: sorry</p>\n</html>")],
    ),
    "a text": ("Too many requests", [no_stream("Too many requests")]),
    "a long text": (("x" * 150 + "\n") * 5, [no_stream("x" * 150 + "\n" + "x" * 49)]),
    "a text with a terminal's commands": ("a\x1b[31m\x00b\u202ec\td", [no_stream("a\ufffd[31m\ufffdb\ufffdc\td")]),
    "a text, and the end": ("Sorry.\ndata: [DONE]\n\n", [no_stream("Sorry.")]),
    "a text behind a chunk": ('data: {"a": 1}\n\nSorry.\n', [{"a": 1}]),
    "details": ('{"detail": "Not Found"}', [no_stream('{"detail": "Not Found"}')]),
    "details over several lines": ('{\n"detail":\n"é"\n}\n', [no_stream('{"detail": "é"}')]),
    "a message": ('{"message": "Forbidden"}\n', [no_stream('{"message": "Forbidden"}')]),
    "details as an event": ('data: {"detail": []}\n\n', [no_stream('{"detail": []}')]),
    "errors in a list": ('[{"error": {"message": "gone"}}]', [{"error": {"message": "gone"}}]),
    "an error that says nothing": ('{"error": {"code": 5}}', [no_stream('{"error": {"code": 5}}')]),
    "details behind a chunk": ('{"a": 1}\n{"detail": "x"}\n', [{"a": 1}, {"detail": "x"}]),
    "an error without data": ("event: error\n\n", [{"type": "error", "error": {}}]),
    "a line break of Unicode is none": ('data: {"a": "x\u2028y\x85z"}\n\n', [{"a": "x\u2028y\x85z"}]),
    "too deep": (
        "data: " + "[" * 10,
        [not_json("[" * 10)],
    ),
}
BREAKS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}


@pytest.mark.parametrize("line_break", BREAKS.values(), ids=BREAKS)
@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_every_cut_gives_the_same_chunks(source: str, expected: list[dict[str, Any]], line_break: str) -> None:
    whole = source.replace("\n", line_break)
    data = whole.encode()
    assert list(chunks([whole])) == expected
    assert list(chunks(whole)) == expected
    assert list(chunks([data[place : place + 1] for place in range(len(data))])) == expected
    for place in range(len(data)):
        assert list(chunks([data[:place], data[place:]])) == expected


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_lines_may_have_lost_their_breaks(source: str, expected: list[dict[str, Any]]) -> None:
    assert list(chunks_of_lines(source.split("\n"))) == expected
    assert list(chunks_of_lines(line + b"\r\n" for line in source.encode().split(b"\n"))) == expected


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
async def test_asynchronous_streams(source: str, expected: list[dict[str, Any]]) -> None:
    async def pieces() -> AsyncIterator[str]:
        for place in range(0, len(source), 5):
            yield source[place : place + 5]

    assert [chunk async for chunk in achunks(pieces())] == expected


def test_a_chunk_is_given_at_once() -> None:
    decoder = SseDecoder()
    assert decoder.feed('data: {"a": 1}\r\n') == []
    assert decoder.feed("\r") == [{"a": 1}]
    assert decoder.feed("\n") == []
    assert decoder.feed(b'data: {"a": "\xc3') == []
    assert decoder.feed(b'\xa9"}\n\n') == [{"a": "é"}]
    assert decoder.feed("data: [DONE]\n\n") == []
    assert decoder.is_done
    assert decoder.feed('data: {"a": 1}\n\n') == []
    assert decoder.close() == []


def test_deep_data_does_not_raise() -> None:
    [chunk] = chunks(["data: " + "[" * 100_000 + "\n\n"])
    assert chunk["type"] == "error"


def test_a_document_of_many_lines_is_looked_at_once() -> None:
    """200,000 lines: minutes if every line began again at the first."""
    source = '{\n"a": [\n' + "{},\n" * 200_000 + "{}]\n}\n"
    assert list(chunks([source])) == [{"a": [{}] * 200_001}]
    assert list(chunks(["{\n" * 200_000])) == [not_json("{\n" * 100)]


def test_replies_that_are_not_streamed_are_for_the_reader() -> None:
    reply = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}
    failure = {"error": {"message": "bad key", "type": "auth"}}
    answers = [[TextDelta("Hi"), Finish("stop")], [ProviderError("bad key")]]
    for indent in (None, 2):
        source = "\n".join(json.dumps(document, indent=indent) for document in (reply, failure))
        assert list(map(read, chunks([source]))) == answers
        assert list(map(read, chunks([json.dumps([reply, failure], indent=indent)]))) == answers


def test_chunks_are_for_the_reader() -> None:
    reader = Reader()
    source = 'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\ndata: [DONE]\n\n'
    assert [reader.read(chunk) for chunk in chunks([source])] == [[TextDelta("Hi")]]
