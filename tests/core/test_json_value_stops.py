"""core/json_value.py: where a value ends, and where it stops being one."""

from __future__ import annotations

import pytest

from streamparse.core.json_value import JsonValue


def read(text: str, stops: str = "") -> tuple[int, bool, bool]:
    """How far it came, whole and by single characters."""
    whole = JsonValue(stops)
    end = whole.read(text, 0, len(text))
    value, pos = JsonValue(stops), 0
    while pos < len(text) and not value.is_done and not value.is_stopped:
        pos = value.read(text, pos, pos + 1)
    assert (pos, value.is_done, value.is_stopped) == (end, whole.is_done, whole.is_stopped)
    return end, whole.is_done, whole.is_stopped


@pytest.mark.parametrize(
    ("text", "end"),
    [('{"a": [1, "}"]}, x', 15), ("[]]", 2), (r'"a\"b" c', 6), ("12, 3", 2), ("true<", 4), ("}", 0), ('"\\\\"x', 4)],
)
def test_a_value_ends_with_its_last_character(text: str, end: int) -> None:
    assert read(text) == (end, True, False)


def test_it_stops_before_a_character_that_is_no_json_but_not_in_a_string() -> None:
    assert read('{"a<": 1<2}', "<`") == (8, False, True)
    assert read('{"a<": 1`2}', "<`") == (8, False, True)
    assert read('{"a<": 1<2}') == (11, True, False)
    assert read('{"a<', "<") == (4, False, False)


def test_it_can_go_on_behind_that_character() -> None:
    value = JsonValue("<")
    assert value.read("{<}", 0, 3) == 1
    assert value.read("{<}", 2, 3) == 3
    assert (value.is_done, value.is_stopped) == (True, False)


def test_the_characters_that_matter_are_those_that_it_looks_for() -> None:
    value = JsonValue("<")
    assert value.triggers is None
    value.read("{", 0, 1)
    assert value.triggers == '"{}[]<'
    value.read('"a', 0, 2)
    assert value.triggers == '"\\'
    value.read("\\", 0, 1)
    assert value.triggers is None
