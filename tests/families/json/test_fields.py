"""families/json/fields.py: fields of an object and the text of one of them, cut anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from streamparse.arguments.json_text import JsonTextError
from streamparse.arguments.sink import ValueTag
from streamparse.core.scanner import StreamScanner
from streamparse.families.json.fields import JsonFields

NESTED = '{"content":"no","a":["}",{"b":"\\"]"}]}'


class Taken:
    """A sink that keeps what it is told: the text of `content`, and other values with their names."""

    def __init__(self, refused: str = "") -> None:
        self.text: list[str] = []
        self.fields: list[tuple[str, str]] = []
        self.problems: list[str] = []
        self._refused = refused
        self._name = ""
        self._has_text = False
        self._value: list[str] = []

    def open_value(self, name: str, tag: ValueTag) -> None:
        self._name = name
        self._value = self.text if name == "content" and not self._has_text else []
        self._has_text = self._has_text or name == "content"

    def take(self, text: str, *, is_followed: bool) -> None:
        self._value.append(text)

    take_held = take

    def close_value(self, *, is_unclosed: bool = False) -> None:
        if self._name == self._refused:
            raise JsonTextError("no")
        if self._value is not self.text:
            self.fields.append((self._name, "".join(self._value)))

    def drop_value(self) -> None:
        raise AssertionError("a value goes on")

    def report(self, problem: str) -> None:
        self.problems.append(problem)


class Reading:
    """Fields that are read from pieces."""

    def __init__(self, refused: str = "") -> None:
        self.scanner = StreamScanner()
        self.sink = Taken(refused)
        self.fields = JsonFields(self.scanner, self.sink, "content")

    def feed(self, piece: str) -> str:
        """The text that became certain."""
        self.sink.text.clear()
        self.scanner.buf += piece
        self.fields.read()
        self.scanner.compact()
        return "".join(self.sink.text)


def read(pieces: Iterable[str]) -> tuple[str, list[tuple[str, str]], bool, str | None, list[str]]:
    reading = Reading()
    text = "".join([reading.feed(piece) for piece in pieces])
    return text, reading.sink.fields, reading.fields.is_done, reading.fields.error, reading.sink.problems


def read_everywhere(text: str) -> tuple[str, list[tuple[str, str]], bool, str | None, list[str]]:
    """What is read of `text`, which is the same however it is cut."""
    whole = read([text])
    assert read(text) == whole
    for cut in range(1, len(text)):
        assert read([text[:cut], text[cut:]]) == whole
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
        ('{"content":"x","content":"y"}', "x", [("content", "y")]),
        ('{"a":"x\ny"}', "", [("a", '"x\ny"')]),
        ('{"a":tru e}', "", [("a", "tru")]),
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
        ("{,}", "", "a key in double quotes was expected"),
        ('{"a":1,}', "", "a key in double quotes was expected"),
        ("{1:2}", "", "a key in double quotes was expected"),
        ('{"\\x":1}', "", "a key has an escape that JSON does not know"),
        ('{"a" 1}', "", "a colon was expected behind a key"),
        ('{"a":}', "", "a value was expected behind a colon"),
        ('{"a":"b" "c":1}', "", "a comma or a closing brace was expected behind a value"),
        ('{"content":"x"]', "x", "a comma or a closing brace was expected behind a value"),
        ('{"content":"\\ud83d\\x', "\ud83d", "a string has an escape that JSON does not know"),
        ('{"content":"ab\\x41c"}', "ab", "a string has an escape that JSON does not know"),
        ('{"content":"ab\\u00g1c"}', "ab", "a string has an escape that JSON does not know"),
        ("{} {}", "", "something stands behind the object"),
    ],
)
def test_what_is_no_json_says_why(text: str, content: str, why: str) -> None:
    found = read_everywhere(text)
    assert (found[0], found[3]) == (content, f"the arguments are not JSON: {why}")


@pytest.mark.parametrize("cut", ["", "{", '{"a', '{"a\\', '{"a":', '{"content":"', '{"content":"\\u00e'])
def test_what_is_cut_is_neither_done_nor_wrong(cut: str) -> None:
    assert read_everywhere(cut) == ("", [], False, None, [])


@pytest.mark.parametrize("value", ["1", '{"a":1}', '["x"]', "null"])
def test_a_body_that_is_no_string_is_passed(value: str) -> None:
    problems = ["content must be a string"]
    assert read_everywhere(f'{{"content":{value},"a":1}}') == ("", [("a", "1")], True, None, problems)


def test_half_an_escape_and_half_a_pair_wait_and_nothing_else_does() -> None:
    reading = Reading()
    pieces = ['{"content": "a', "b\\", "n", "\\u00", "e9", "\\ud8", "3d", "\\u", "de00", "\\ud83d", "c", '"']
    assert [reading.feed(piece) for piece in pieces] == ["a", "b", "\n", "", "é", "", "", "", "😀", "", "\ud83dc", ""]


def test_a_key_has_an_end() -> None:
    assert read_everywhere(f'{{"{"a" * 1022}":1}}')[1:] == ([("a" * 1022, "1")], True, None, [])
    error = read([f'{{"{"a" * 1023}', '":1}'])[3]
    assert error == "the arguments are not JSON: a key, a name or an id is longer than 1024 characters"


def test_blanks_are_nothing() -> None:
    reading = Reading()
    assert (reading.feed(" \n"), reading.fields.is_empty) == ("", True)
    assert (reading.feed("{"), reading.fields.is_empty) == ("", False)


@pytest.mark.parametrize("cut", range(1, 30))
def test_whoever_takes_a_field_may_refuse_it_and_nothing_more_is_read(cut: int) -> None:
    text = '{"content":"a","n":1,"m":2,"content":"b"}'
    reading = Reading("n")
    found = reading.feed(text[:cut]) + reading.feed(text[cut:])
    assert (found, reading.fields.error, reading.fields.is_done) == ("a", "the arguments are not JSON: no", False)
