"""core/json_lexer.py: where JSON ends, and where it stops being JSON, however it is cut."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from streamparse.core.json_lexer import JsonBalance, JsonLexer


def lexed(chunks: list[str]) -> tuple[int, bool, bool]:
    """How far it came, and whether it is done or has failed; what is unread comes again with the next chunk."""
    lexer, rest, offset = JsonLexer(), "", 0
    for chunk in chunks:
        rest += chunk
        pos = lexer.read(rest, 0, len(rest))
        offset, rest = offset + pos, rest[pos:]
        if lexer.is_done or lexer.is_failed:
            break
    return offset, lexer.is_done, lexer.is_failed


def balanced(chunks: list[str]) -> tuple[int, bool]:
    balance, offset = JsonBalance(1), 0
    for chunk in chunks:
        offset += balance.read(chunk, 0, len(chunk))
        if balance.is_done:
            break
    return offset, balance.is_done


@pytest.mark.parametrize(
    "text",
    [
        *("{}", "[]", '{"a": 1}', '{ "a" : [ 1 , -2.5e+3 , true , false , null , "x" ] }', "[[], {}, [[]]]"),
        *('["\\"", "\\\\", "\\u00e9", "}]"]', '{"": {"": ""}}', "\r\n\t [\r\n]"),
    ],
)
def test_a_value_ends_at_its_last_character(text: str) -> None:
    for tail in ("", " x", "}", "]", ",", "1"):
        assert lexed([text + tail]) == (len(text), True, False)
        assert lexed(list(text + tail)) == (len(text), True, False)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        *(
            ("", "x"),
            ("{", "x"),
            ("{", "1"),
            ("{", "]"),
            ('{"a"', "1"),
            ('{"a":', "}"),
            ('{"a":1', "]"),
            ('{"a":1,', "}"),
        ),
        *(("[", ","), ("[", "}"), ("[", "+"), ("[1", "}"), ("[1,", "]"), ("[1 ", "2"), ('["a', "\n"), ('{"a', "\x00")),
        *(("[t", "x"), ("[tru", "x"), ("[nul", "1")),
    ],
)
def test_it_fails_at_the_very_character(good: str, bad: str) -> None:
    for tail in ("", "x", '"'):
        assert lexed([good + bad + tail]) == (len(good), False, True)
        assert lexed([*good, *bad, *tail]) == (len(good), False, True)


@pytest.mark.parametrize("text", ["", " ", "{", '{"a', '{"a\\', '{"a"', '{"a":', "[1", "[tr", "[1,", '["\\'])
def test_what_is_cut_needs_more(text: str) -> None:
    assert lexed([text])[1:] == (False, False)
    assert lexed(list(text))[1:] == (False, False)


def test_nesting_has_an_end() -> None:
    offset, is_done, is_failed = lexed(["[" * 200_000])
    assert (offset, is_done, is_failed) == (100_000, False, True)


def test_random_values_end_where_json_says() -> None:
    rng = random.Random(3)

    def value(depth: int = 0) -> Any:
        kind = rng.random()
        if depth > 3 or kind < 0.4:
            return rng.choice([1, -2.5, True, None, 'a"b\\', "}{", "", "é\n"])
        if kind < 0.7:
            return [value(depth + 1) for _ in range(rng.randrange(4))]
        return {rng.choice('ab"\\'): value(depth + 1) for _ in range(rng.randrange(4))}

    for _ in range(500):
        text = json.dumps({"k": value()}, indent=rng.choice([None, 1]))
        cut = rng.randrange(1, len(text))
        assert lexed([text[:cut], text[cut:] + "x"]) == (len(text), True, False)
        assert balanced([text[1:cut], text[cut:] + "x"]) == (len(text) - 1, True)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        *(("}", 1), ('"a": 1} x', 7), ('"a": {"b": [1]}}x', 16), ('"a": "}"}x', 9), ('"a": "\\"}"}x', 11)),
        *(("[1}x", 3), ("]}x", 2), ("[[}x", 3), ('"a": oops, {"b"}}x', 17), ('"\\\\"}x', 5)),
    ],
)
def test_a_call_ends_where_its_brackets_balance(text: str, end: int) -> None:
    assert balanced([text]) == (end, True)
    assert balanced(list(text)) == (end, True)


@pytest.mark.parametrize(
    ("text", "triggers"), [("", '"{}[]'), ('"', '"\\'), ('"a\\', None), ('"a\\\\', '"\\'), ('"a"', '"{}[]')]
)
def test_what_matters_depends_on_where_it_is(text: str, triggers: str | None) -> None:
    balance = JsonBalance(1)
    balance.read(text, 0, len(text))
    assert balance.triggers == triggers
