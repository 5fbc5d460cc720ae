"""families/json/lexer.py: where JSON ends, and where it stops being JSON, however it is cut."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from streamparse.families.json.lexer import (
    BEHIND_MEMBER,
    COLON,
    FIRST_ITEM,
    FIRST_KEY,
    KEY,
    VALUE,
    JsonLexer,
)


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
        *(("[t", "x"), ("[tru", "x"), ("[nul", "1"), ('["\\', "\n"), ('{"\\', "\x1f")),
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


@pytest.mark.parametrize(
    ("around", "step", "text"),
    [
        *(("}", FIRST_KEY, "}"), ("}", KEY, '"a":1}'), ("}", COLON, ":1}"), ("}", VALUE, "1}"), ("", VALUE, '"a"')),
        *(("}", BEHIND_MEMBER, ',"a":1}'), ("}}", BEHIND_MEMBER, '},"a":{}}'), ("}]", FIRST_ITEM, "]}")),
        *(("}]}", KEY, '"a":1},{},2],"b":{}}'), ("]", FIRST_ITEM, "{}]")),
    ],
)
def test_it_can_be_set_in_the_middle(around: str, step: int, text: str) -> None:
    for length in (1, 3, len(text)):
        lexer = JsonLexer(around, step)
        for start in range(0, len(text), length):
            piece = text[start : start + length]
            assert not lexer.is_done
            assert lexer.read(piece, 0, len(piece)) == len(piece)
        assert lexer.is_done


def test_a_value_can_be_put_in_brackets_while_it_is_read() -> None:
    lexer = JsonLexer()
    assert lexer.read('[1,{"a":', 0, 8) == 8
    lexer.put_in("}")
    assert lexer.read('2}],"b":3}}', 0, 11) == 10
    assert lexer.is_done


def test_objects_at_a_depth_are_left_to_the_caller() -> None:
    text = '1,"{",[{"a":{}}],  {"b":1}]'
    for end in (len(text), 200):
        lexer = JsonLexer("]", FIRST_ITEM, leaves_objects=1)
        assert lexer.read(text.ljust(end), 0, end) == text.index('{"b"')
        assert (lexer.is_at_object, lexer.is_done, lexer.is_failed) == (True, False, False)


FLAT = '[{"a":[1,2,{}],"b":"x\\"y"},{"c":{"d":true,"e":[]}},[],"",[[[-1.5e3]]],{"f":"\\\\"},null,{"g":[{"h":[0]}]}]'


def test_runs_of_flat_values_change_nothing() -> None:
    """They are looked for in long pieces only."""
    for text in (FLAT, json.dumps(json.loads(FLAT), indent=3)):
        for length in (1, 7, 64, 100, 1000):
            assert lexed([text[at : at + length] for at in range(0, len(text), length)]) == (len(text), True, False)
        for at in range(len(text)):
            if text[at] in '{}[]:,"':
                broken = text[:at] + "\n!" + text[at + 1 :]
                assert lexed([broken]) == lexed(list(broken))


def test_a_trailing_comma_behind_a_run_is_no_json() -> None:
    for text in ("[" + "1," * 100, '{"a":{' + '"b":[],' * 100):
        for closer in "]}":
            assert lexed([text + closer + " " * 100]) == (len(text), False, True)


@pytest.mark.parametrize(("text", "is_in_string"), [('{"a', True), ('{"a"', False), ('{"a":"', True), ("[1", False)])
def test_in_a_string_only_its_end_matters(text: str, is_in_string: bool) -> None:
    lexer = JsonLexer()
    lexer.read(text, 0, len(text))
    assert (lexer.triggers is not None) == is_in_string
    assert not is_in_string or set(lexer.triggers or "") == {'"', "\\", *map(chr, range(32))}


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
