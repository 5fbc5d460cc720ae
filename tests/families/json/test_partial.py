"""families/json/partial.py: what cut JSON text says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse.families.json.partial import read_complete, read_partial


def read(text: str, max_depth: int = 512) -> Any:
    return read_partial(text, max_depth)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # strings
        ('"', ""),
        ('"a', "a"),
        ('"a"', "a"),
        ('["a', ["a"]),
        ('["a"', ["a"]),
        ('["a", "', ["a", ""]),
        ('{"a": "b', {"a": "b"}),
        ('{"a": "', {"a": ""}),
        ('"a\nb\x00\tc', "a\nb\x00\tc"),
        ('"{[,:]}', "{[,:]}"),
        # … escapes
        ('"a\\', "a"),
        ('"a\\n', "a\n"),
        ('"a\\\\', "a\\"),
        ('"a\\"', 'a"'),
        ('"a\\u', "a"),
        ('"a\\u00e', "a"),
        ('"a\\u00e9', "aé"),
        ('"a\\u00E9b', "aéb"),
        # … surrogates
        ('"a\\ud83d', "a"),
        ('"a\\ud83d\\', "a"),
        ('"a\\uD83D\\u', "a"),
        ('"a\\ud83d\\ud', "a"),
        ('"a\\ud83d\\uDE', "a"),
        ('"a\\ud83d\\ude0', "a"),
        ('"a\\ud83d\\ude00', "a😀"),
        ('"a\\ud83d"', "a\ud83d"),
        ('"a\\ud83dx', "a\ud83dx"),
        ('"a\\ud83d\\n', "a\ud83d\n"),
        ('"a\\ud83d\\u0', "a\ud83d"),
        ('"a\\ud83d\\ud8', "a\ud83d"),
        ('"a\\ud83d\\ud83d', "a\ud83d"),
        ('"a\\ud83d\\ud83d\\ude00', "a\ud83d😀"),
        ('"a\\ude00', "a\ude00"),
        ('"a\\\\ud83d', "a\\ud83d"),
        ('"a\ud83d', "a\ud83d"),
        # numbers may go on
        ("1", None),
        ("12 ", 12),
        ("[1", []),
        ("[1,", [1]),
        ("[1 ", [1]),
        ("[1]", [1]),
        ("[-", []),
        ("[1.", []),
        ("[1.5", []),
        ("[1.5,", [1.5]),
        ("[1e", []),
        ("[1e+", []),
        ("[1e+2\n", [100.0]),
        ("[-0.5e-1,", [-0.05]),
        ('{"a": 1, "b": 2', {"a": 1}),
        ('{"a": 1, "b": 2}', {"a": 1, "b": 2}),
        # words
        ("[t", []),
        ("[tru", []),
        ("[true", [True]),
        ("[false, nul", [False]),
        ("null", None),
        ("[null", [None]),
        # keys
        ("{", {}),
        ('{"', {}),
        ('{"a', {}),
        ('{"a"', {}),
        ('{"a":', {}),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, "b" :', {"a": 1}),
        ('{"\\"a\\u00e9": 1 ', {'"aé': 1}),
        # containers
        ("[", []),
        ("[[", [[]]),
        ("[[]", [[]]),
        ("[[],", [[]]),
        ("[1, [2, {", [1, [2, {}]]),
        ('{"a": [{"b": [', {"a": [{"b": []}]}),
        ('{"a": {"b": 1}, "c": [2, 3], "d": {"e": "f', {"a": {"b": 1}, "c": [2, 3], "d": {"e": "f"}}),
        ('[{"a": 1}, {"a": 2}, {"a": 3', [{"a": 1}, {"a": 2}, {}]),
        (' \t\r\n{ "a" : [ 1 , 2 ] , "b" : { } } ', {"a": [1, 2], "b": {}}),
        # nothing
        ("", None),
        (" \n", None),
    ],
)
def test_what_is_certain_is_shown(text: str, value: Any) -> None:
    assert repr(read(text)) == repr(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no JSON", None),
        ("\ufeff[1]", None),
        ("]", None),
        ("[1,]", [1]),
        ("[,1]", []),
        ("[1 2]", [1]),
        ("[1, x, 2]", [1]),
        ("[01, 2]", []),
        ("[1x, 2]", []),
        ("[.5, 2]", []),
        ("[truex, 2]", [True]),
        ("[NaN, 2]", []),
        ("[1, Infinity, 2]", [1]),
        ("[1}, 2]", [1]),
        ('{"a": 1,}', {"a": 1}),
        ('{,"a": 1}', {}),
        ('{"a": 1 "b": 2}', {"a": 1}),
        ('{"a": 1, b: 2}', {"a": 1}),
        ("{'a': 1}", {}),
        ('{"a" 1}', {}),
        ('{"a": 1]', {"a": 1}),
        ('["a\\x", 2]', ["a"]),
        ('["a\\u00g0", 2]', ["a"]),
        ('{"a\\x": 2}', {}),
        ("[1] and more", [1]),
        ("[1][2]", [1]),
        ('"a" "b"', "a"),
        ("1 [2]", 1),
        ("/* why */ [1]", None),
        # numbers that are JSON, but not for Python
        ("[1, 1e999, 2]", [1]),
        ("[1, -1e999, 2", [1]),
        ("1e999 ", None),
        ('{"1e999": 1, "a": {"b": 2, "c": 1e999}, "d": 3}', {"1e999": 1, "a": {"b": 2}}),
    ],
)
def test_text_that_is_no_json_says_what_stands_before(text: str, value: Any) -> None:
    assert repr(read(text)) == repr(value)


@pytest.mark.parametrize("second", ['"x', '"x"', "tru", "2,", "[1", "[1]", '{"c": 1', '{"c": 1}, "b": 3,'])
def test_of_a_key_that_comes_twice_the_first_value_stays_while_the_text_comes(second: str) -> None:
    assert read(f'{{"a": 1, "b": 2, "a": {second}') == {"a": 1, "b": 2}
    assert read(f'[{{"a": [1, 2], "b": 2, "a": {second}') == [{"a": [1, 2], "b": 2}]


def test_numbers_of_too_many_digits_are_left_out_and_raise_nothing() -> None:
    digits = "9" * 5000
    assert read(f"[1, {digits}, 2]") == [1]
    assert read(f"[1, {digits}") == [1]
    assert read(f"[1.{digits}, 2]") == [2.0, 2]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[1, [2, [3], 4], 5]", [None, [1], [1, [2]], [1, [2, [3], 4], 5]]),
        ("[1, [2, [3,", [None, [1], [1, [2]], [1, [2, [3]]]]),
        ('{"a": {"b": "c', [None, {}, {"a": {"b": "c"}}, {"a": {"b": "c"}}]),
        ('"a', ["a"] * 4),
    ],
)
def test_what_is_nested_too_deeply_ends_the_text(text: str, values: list[Any]) -> None:
    assert [read(text, max_depth) for max_depth in range(4)] == values


@pytest.mark.parametrize("text", ["[" * 10_000, '{"a":' * 10_000, "[" * 10_000 + "]" * 10_000, '[{"a":' * 10_000])
def test_deep_nesting_raises_nothing(text: str) -> None:
    def depth(value: Any) -> int:
        levels = 0
        while value:
            value, levels = next(iter(value.values())) if isinstance(value, dict) else value[0], levels + 1
        return levels

    assert depth(read(text)) in (511, 512)  # the innermost is empty; the last key has no value
    assert depth(read(text, 1_000_000)) > 100  # as deep as Python can read


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1, "b": {"c": 2, "d": [3, {"e": "f', [None, {"a": 1}, {"a": 1, "b": {"c": 2}}]),
        ('{"a": 1, "b": {"c": 2, "d": [3, "f', [None, {"a": 1}, {"a": 1, "b": {"c": 2}}]),
        ('{"a": 1, "b": "c', [None, {"a": 1}, {"a": 1}]),
        ('{"a": 1, "b": 2', [None, {"a": 1}, {"a": 1}]),
        ('{"a": 1, "b": 2 ', [None, {"a": 1, "b": 2}, {"a": 1, "b": 2}]),
        ('{"a": [1], "b": [2', [None, {"a": [1]}, {"a": [1], "b": []}]),
        ('{"a": [1], "b": [2]', [None, {"a": [1], "b": [2]}, {"a": [1], "b": [2]}]),
        ('{"a": [1], "b": [2]}', [{"a": [1], "b": [2]}] * 3),
        ('{"a": 1, b: 2', [None, {"a": 1}, {"a": 1}]),
        ('"a', [None, None, None]),
        ('"a"', ["a", "a", "a"]),
        ('["a", 1e999, ', [None, ["a"], ["a"]]),
    ],
)
def test_what_is_complete_is_told_by_the_level(text: str, values: list[Any]) -> None:
    assert [read_complete(text, 512, level) for level in range(3)] == values


def test_long_text_is_read_whole() -> None:
    value = {"text": 'é\n"\\😀' * 20_000, "rows": [{"id": number, "tags": ["a", {}]} for number in range(5_000)]}
    for ensure_ascii in (True, False):
        text = json.dumps(value, ensure_ascii=ensure_ascii)
        assert text.endswith('["a", {}]}]}')
        assert [read(text[:length]) for length in range(len(text) - 3, len(text) + 1)] == [value] * 4
