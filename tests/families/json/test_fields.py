"""families/json/fields.py: fields of an object and the text of one of them, cut anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from streamparse.families.json.fields import JsonFields

LIMIT = 1_000
NESTED = '{"content":"no","a":["}",{"b":"\\"]"}]}'


def read(pieces: Iterable[str], limit: int = LIMIT) -> tuple[str, list[tuple[str, str]], bool, str | None]:
    taken: list[tuple[str, str]] = []
    fields = JsonFields("content", limit, lambda name, raw: taken.append((name, raw)))
    text = "".join([fields.feed(piece) for piece in pieces])
    return text, taken, fields.is_done, fields.error


def take_nothing(name: str, raw: str) -> None:
    pass


def read_everywhere(text: str, limit: int = LIMIT) -> tuple[str, list[tuple[str, str]], bool, str | None]:
    """What is read of `text`, which is the same however it is cut."""
    whole = read([text], limit)
    assert read(text, limit) == whole
    for cut in range(1, len(text)):
        assert read([text[:cut], text[cut:]], limit) == whole
    return whole


@pytest.mark.parametrize(
    ("text", "content", "fields"),
    [
        ("{}", "", []),
        (' \r\n{ \t"content" : "x" } \n', "x", []),
        ('{"path":"a","content":"x","n":1}', "x", [("path", '"a"'), ("n", "1")]),
        ('{"n":-1.5e3,"t":true,"z":null}', "", [("n", "-1.5e3"), ("t", "true"), ("z", "null")]),
        (f'{{"o":{NESTED},"content":"yes"}}', "yes", [("o", NESTED)]),
        ('{"l":[[],{}, "\\\\"] ,"content":""}', "", [("l", '[[],{}, "\\\\"]')]),
        ('{"content":"a\\n\\t\\"\\\\\\/\\b\\f\\r\\u00e9\\u00E9"}', 'a\n\t"\\/\b\f\réé', []),
        ('{"content":"\\ud83d\\ude00 \\uD83D\\uDE00"}', "😀 😀", []),
        ('{"content":"\\ud83dx"}', "\ud83dx", []),
        ('{"content":"\\ud83d"}', "\ud83d", []),
        ('{"content":"\\ud83d\\n"}', "\ud83d\n", []),
        ('{"content":"\\ud83d\\ud83d\\ude00"}', "\ud83d😀", []),
        ('{"content":"\\ude00\\ud83d"}', "\ude00\ud83d", []),
        ('{"content":"\\\\ud83d\\\\\\ud83d\\ude00"}', "\\ud83d\\😀", []),
        ('{"content":"raw\nline\x00end"}', "raw\nline\x00end", []),
        ('{"pa\\u0074h":"a\\"b","content":"x"}', "x", [("path", '"a\\"b"')]),
        ('{"con\\u0074ent":"x"}', "x", []),
        ('{"content":{"a":1}}', "", [("content", '{"a":1}')]),
        ('{"content":"x","content":"y"}', "x", [("content", '"y"')]),
        ('{"a":"x\ny"}', "", [("a", '"x\ny"')]),
        ('{"a":tru e,"b":}', "", [("a", "tru")]),
    ],
)  # fmt: skip
def test_text_and_fields(text: str, content: str, fields: list[tuple[str, str]]) -> None:
    found = read_everywhere(text)
    assert found[:2] == (content, fields)
    if found[3] is None:
        assert found[2]
        expected: dict[str, Any] = json.loads(text, strict=False)
        if "content" in expected and not any(name == "content" for name, _ in fields):
            assert expected["content"] == content


@pytest.mark.parametrize(
    ("text", "content", "why"),
    [
        ("[]", "", "an object was expected"),
        ("{,}", "", "a name in quotes was expected"),
        ('{"a":1,}', "", "a name in quotes was expected"),
        ("{1:2}", "", "a name in quotes was expected"),
        ('{"\\x":1}', "", "a name is no JSON string"),
        ('{"a" 1}', "", "a colon was expected"),
        ('{"a":"b" "c":1}', "", "a comma or the end of the object was expected"),
        ('{"content":"x"]', "x", "a comma or the end of the object was expected"),
        ('{"content":"ab\\x41c"}', "ab", "a string has an escape that JSON does not know"),
        ('{"content":"ab\\u00g1c"}', "ab", "a string has an escape that JSON does not know"),
        ("{} {}", "", "something stands behind the object"),
    ],
)
def test_what_is_no_json_says_why(text: str, content: str, why: str) -> None:
    found = read_everywhere(text)
    assert (found[0], found[3]) == (content, f"the arguments are not JSON: {why}")


@pytest.mark.parametrize(
    "cut", ["", "{", '{"a', '{"a\\', '{"a":', '{"a":[1', '{"a":12', '{"content":"', '{"content":"\\u00e']
)
def test_what_is_cut_is_neither_done_nor_wrong(cut: str) -> None:
    assert read_everywhere(cut) == ("", [], False, None)


def test_half_an_escape_and_half_a_pair_wait_and_nothing_else_does() -> None:
    fields = JsonFields("content", LIMIT, take_nothing)
    pieces = ['{"content": "a', "b\\", "n", "\\u00", "e9", "\\ud8", "3d", "\\u", "de00", "\\ud83d", "c", '"']
    assert [fields.feed(piece) for piece in pieces] == ["a", "b", "\n", "", "é", "", "", "", "😀", "", "\ud83dc", ""]


def test_it_says_when_a_piece_is_text_as_it_is() -> None:
    fields = JsonFields("content", LIMIT, take_nothing)
    states = []
    for piece in ['{"path": "a"', ', "content": "', "x", "\\", "n", '"']:
        fields.feed(piece)
        states.append(fields.is_streaming)
    assert states == [False, True, True, False, True, False]


@pytest.mark.parametrize("text", ['{"a":"bcdefgh"', '{"a":[1,2,3,4]', '{"abcdefghij":1', '{"a":123456789'])
def test_what_is_kept_has_an_end(text: str) -> None:
    assert read_everywhere(text + "}", 8) == ("", [], False, "the arguments are longer than 8 characters")


def test_the_streamed_field_is_not_kept() -> None:
    assert read_everywhere('{"content":"' + "x" * 50 + '"}', 12) == ("x" * 50, [], True, None)


def test_blanks_are_nothing() -> None:
    fields = JsonFields("content", LIMIT, take_nothing)
    assert (fields.feed(" \n"), fields.is_empty) == ("", True)
    assert (fields.feed("{"), fields.is_empty) == ("", False)


@pytest.mark.parametrize("cut", range(1, 30))
def test_whoever_takes_a_field_may_refuse_it_and_nothing_more_is_read(cut: int) -> None:
    text = '{"content":"a","n":1,"m":2,"content":"b"}'
    fields = JsonFields("content", LIMIT, lambda name, raw: "no" if name == "n" else None)
    assert (fields.feed(text[:cut]) + fields.feed(text[cut:]), fields.error, fields.is_done) == ("a", "no", False)
