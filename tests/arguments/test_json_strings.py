"""arguments/json_strings.py: how far the text of a string goes, for those who ask in different ways."""

from __future__ import annotations

import re

import pytest

from streamparse.arguments.json_strings import LOOSE_TEXT, READABLE, STRICT_TEXT, decode_string, end_of


@pytest.mark.parametrize(
    ("text", "loose", "strict", "readable"),
    [
        ('ab" c', 2, 2, 2),
        ('a\\"b" c', 4, 4, 4),
        ("a\nb", 3, 1, 3),
        ("a\\x" + 'b"', 4, 4, 1),
        ("a\\\nb", 4, 1, 1),
        ('\\u00e9"', 6, 6, 6),
        ('\\u00e"', 5, 5, 0),
        ("ab\\", 2, 2, 2),
        ("ab\\\\", 4, 4, 4),
        ("", 0, 0, 0),
    ],
)
def test_each_pattern_ends_where_its_question_is_answered(text: str, loose: int, strict: int, readable: int) -> None:
    def end(pattern: re.Pattern[str]) -> int:
        assert end_of(pattern, "x" + text + "y", 1, 1 + len(text)) == 1 + end_of(pattern, text, 0, len(text))
        return end_of(pattern, text, 0, len(text))

    assert (end(LOOSE_TEXT), end(STRICT_TEXT), end(re.compile(READABLE))) == (loose, strict, readable)


@pytest.mark.parametrize(
    ("text", "value"),
    [("", ""), ("a b", "a b"), ('\\"\\u0066', '"f'), ("a\\nb\nc", "a\nb\nc"), ("\\x", None), ("a\\", None)],
)
def test_a_string_is_decoded_or_none(text: str, value: str | None) -> None:
    assert decode_string(text) == value
