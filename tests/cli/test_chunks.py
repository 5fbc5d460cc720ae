"""From bytes to what the parser takes: text, or the chunks of an API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from streamparse import parse
from streamparse.cli.chunks import read_chunks, recut
from streamparse.cli.endings import CommandError

HI: dict[str, Any] = {"choices": [{"delta": {"content": "hé"}}]}
HO: dict[str, Any] = {"choices": [{"delta": {"content": "!"}}]}
A, B = (json.dumps(chunk, ensure_ascii=False) for chunk in (HI, HO))
NEW = '{"type": "an event of next year"}'


def error(message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"message": message}}


def not_json(text: str) -> dict[str, Any]:
    return error(f"the server sent data that is not JSON: {text}")


def cuts(data: bytes) -> Iterator[list[bytes]]:
    """The data whole, in single bytes, and in two pieces, however they are cut."""
    yield [data]
    yield [data[place : place + 1] for place in range(len(data))]
    for place in range(1, len(data)):
        yield [data[:place], data[place:]]


APIS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "server-sent events": (f"data: {A}\n\ndata: {B}\n\ndata: [DONE]\n\n", [HI, HO]),
    "a name first": (f"event: x\ndata: {A}\n\n", [HI]),
    "an id first": (f"id: 1\ndata: {A}\n\n", [HI]),
    "a pause first": (f"retry: 1\ndata: {A}\n\n", [HI]),
    "a comment first": (f": PROCESSING\n\ndata:{A}\n\n", [HI]),
    "blank lines first": (f"\n \t\r\n\ndata: {A}\n\n", [HI]),
    "a mark of byte order first": (f"\ufeffdata: {A}\n\n", [HI]),
    "CR alone": (f"event: x\rdata: {A}\r\r", [HI]),
    "cut off behind an event": (f"data: {A}", [HI]),
    "cut off in an event": (f'data: {A}\n\ndata: {{"choi', [HI, not_json('{"choi')]),
    "an error": ('event: error\ndata: {"message": "busy"}\n\n', [error("busy")]),
    "an event that is not known yet": (f"data: {NEW}\n\ndata: {A}\n\n", [HI]),
    "JSON lines": (f"{A}\n{B}\n", [HI, HO]),
    "JSON in a row": (f"\ufeff \n {A}{B}", [HI, HO]),
    "JSON over many lines": (A.replace(" ", "\n    "), [HI]),
    "a list": (f"[{A}\n,\r\n{B}\n]\n", [HI, HO]),
    "an error instead of a stream": ('{\n  "error": {\n    "message": "no"\n  }\n}\n', [{"error": {"message": "no"}}]),
    "an object that is not known yet": (f"{A}\n{NEW}\n{B}\n", [HI, json.loads(NEW), HO]),
    "JSON that is cut off": (f'{A}\n{{"choi\\', [HI, not_json('{"choi\\')]),
    "broken JSON": (f'{A}\n{{"choi", {B}', [HI, not_json(f'{{"choi", {B}')]),
    "something else behind JSON": (f"{A}\nBad Gateway", [HI]),
}

TEXTS = {
    "prose": "Héllo.",
    "an unfinished field": "\ndata",
    "no field": "dating: fun\ndata: {}\n\n",
    "no field at the beginning of a line": ' data: {"choices": []}\n\n',
    "nothing but blanks": " \n\t\r\n ",
    "nothing": "",
    "tags": "<run_bash>ls</run_bash>",
    "a mark of byte order": "\ufeffHi",
    "brackets": "[1] is a note, {x} a set",
    "another format's header": '[[SEG_START {"type": "run_bash"}]]ls[[SEG_END]]',
    "an object that is no chunk": '{"name": "f", "arguments": {}}\n' + A,
    "half an object": '{"choices": [',
    "broken JSON": '{"choices": [}',
    "no object": "[]",
    "a number that is too much for Python": '{"choices": ' + "9" * 5000 + "}",
}


@pytest.mark.parametrize(("source", "expected"), APIS.values(), ids=APIS)
def test_an_api_is_read_as_chunks_however_it_is_cut(source: str, expected: list[dict[str, Any]]) -> None:
    for pieces in cuts(source.encode()):
        assert list(read_chunks(pieces, is_api=True)) == expected
        assert list(read_chunks(pieces, is_api=True, size=1)) == expected


@pytest.mark.parametrize("source", TEXTS.values(), ids=TEXTS)
def test_what_is_no_api_is_text_and_nothing_is_lost(source: str) -> None:
    for pieces in cuts(source.encode()):
        assert "".join(read_chunks(pieces, is_api=True)) == source
        if len(source) < 100:
            assert list(read_chunks(pieces, is_api=True, size=2)) == list(recut([source], 2))


def test_only_with_the_format_is_an_api_looked_for() -> None:
    pieces = [f"data: {A}\n\n".encode(), b"\xff"]
    assert list(read_chunks(pieces)) == pieces


def test_events_behind_a_known_one_are_left_to_the_parser_which_ignores_those_it_does_not_know() -> None:
    body = f'data: {NEW}\n\ndata: {A}\n\ndata: {{"brand": "new"}}\n\ndata: {NEW}\n\ndata: {B}\n\n'
    events = parse(read_chunks([body.encode()], is_api=True), "native")
    assert "".join(event.delta for event in events) == "".join(c["choices"][0]["delta"]["content"] for c in (HI, HO))


def test_events_of_which_none_is_known_are_told() -> None:
    with pytest.raises(CommandError, match=r'^no known API sends such events: \{"type": "an event of next year"\}$'):
        list(read_chunks([f"data: {NEW}\n\ndata: {{}}\n\n".encode()], is_api=True))
    assert list(read_chunks([b": nothing happened\n\ndata: [DONE]\n\n"], is_api=True)) == []


@pytest.mark.parametrize(
    ("pieces", "first"),
    [
        ([b"H"], "H"),
        ([b"d", b"ay"], "d"),
        ([b"\xc3", b"\xa9"], "é"),
        ([b"\n", b"[", b"1"], "\n"),
        ([f"data: {A}\n\n".encode()], HI),
        ([A.encode(), b"\n"], HI),
        ([A.encode()[:9], A.encode()[9:], b"\n"], HI),
        ([b"[", A.encode() + b"\n"], HI),
    ],
)
def test_what_is_certain_is_given_before_more_is_read(pieces: list[bytes], first: object) -> None:
    def source() -> Iterator[bytes]:
        yield from pieces
        raise AssertionError("this was read too early")

    assert next(iter(read_chunks(source(), is_api=True))) == first


@pytest.mark.parametrize("size", [None, 1, 3])
def test_text_is_decoded_as_utf_8_however_it_is_cut(size: int | None) -> None:
    data, text = b"\xef\xbb\xbfa\xffb\r\n\xc3\xa9\xf0\x9f\x98\x80\xc3", "\ufeffa\ufffdb\r\né😀\ufffd"
    for pieces in cuts(data):
        for is_api in (False, True):
            events = parse(read_chunks(pieces, is_api=is_api, size=size), "xml")
            assert "".join(event.delta for event in events) == text


@pytest.mark.parametrize(
    ("chunks", "size", "pieces"),
    [
        ([], 3, []),
        (["abcdefg"], 3, ["abc", "def", "g"]),
        (["ab", "cd", "ef"], 3, ["abc", "def"]),
        (["a", "b"], 3, ["ab"]),
        (["abc", "d"], 1, ["a", "b", "c", "d"]),
        (["a", "bcdefgh", "i"], 4, ["abcd", "efgh", "i"]),
    ],
)
def test_text_is_cut_anew(chunks: list[str], size: int, pieces: list[str]) -> None:
    assert list(recut(chunks, size)) == pieces


def test_a_piece_is_given_before_more_is_read() -> None:
    def chunks() -> Iterator[str]:
        yield "abcd"
        raise AssertionError("this was read too early")

    assert next(recut(chunks(), 3)) == "abc"
