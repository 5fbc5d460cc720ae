"""families/json/reader.py: where a value stops that has no end, and where there is a doubt."""

from __future__ import annotations

import pytest

from streamparse.core.markers import Markers, compile_markers
from streamparse.families.json.reader import JsonReader

ENDS = compile_markers({"end": [("</c>",), ("`",), ("[c]", "{")]})
DOUBTS = compile_markers({"next": [("[c]", "{")]})
NONE = compile_markers({})


def read(text: str, ends: Markers = NONE, doubts: Markers = NONE) -> tuple[int, bool, bool, bool]:
    """How far it came, whole and with one character more each time; whether it is done, has ended, has a doubt."""
    whole = JsonReader(ends, doubts)
    end = whole.read(text, 0, len(text))
    value, pos = JsonReader(ends, doubts), 0
    for size in range(len(text) + 1):
        pos = value.read(text, pos, size)
        if value.is_done or value.is_ended or value.is_doubtful:
            break
    found = end, whole.is_done, whole.is_ended, whole.is_doubtful
    assert (pos, value.is_done, value.is_ended, value.is_doubtful) == found
    return found


@pytest.mark.parametrize(
    ("text", "end"),
    [('{"a": [1, "}"]}, x', 15), ("[]]", 2), (r'"a\"b" c', 6), ("12, 3", 2), ("true<", 4), ("}", 0), ('"\\\\"x', 4)],
)
def test_a_value_ends_with_its_last_character(text: str, end: int) -> None:
    assert read(text) == (end, True, False, False)
    assert read(text, ENDS, DOUBTS) == (end, True, False, False)


@pytest.mark.parametrize(
    ("text", "end", "is_done", "is_ended"),
    [
        ('{"</c>": 1</c>}', 10, False, True),
        ('{"a`": 1`2}', 8, False, True),
        ('{"a": 1</b>}', 12, True, False),  # it only looks like an end
        ('{"a": [[1]][c]{', 11, False, True),
        ('{"a": [[1]][c][}]}', 16, True, False),  # brackets count, whatever begins with them
        ('{"a": 1</', 7, False, False),
        ('{"a</', 5, False, False),
    ],
)
def test_it_stops_before_an_end_but_not_in_a_string(text: str, end: int, is_done: bool, is_ended: bool) -> None:
    assert read(text, ENDS) == (end, is_done, is_ended, False)


@pytest.mark.parametrize(
    ("text", "end", "is_done", "is_doubtful"),
    [
        ('{"a": "b} [c]{"d": 1}', 10, False, True),
        ('{"a": "[c]", "b": "[", "c": "x[c]{}"}', 30, False, True),
        ('{"a": "\\n[c]{"}', 9, False, True),
        ('{"a": "[c', 7, False, False),
        ('{"a": "[c]"}', 12, True, False),
        ('{"a": "[c\\', 10, False, False),
        ('"[c]{', 1, False, True),
    ],
)
def test_the_beginning_of_a_call_in_a_string_is_a_doubt(text: str, end: int, is_done: bool, is_doubtful: bool) -> None:
    assert read(text, ENDS, DOUBTS) == (end, is_done, False, is_doubtful)


def test_a_doubt_is_settled_by_reading_the_string() -> None:
    text = '{"a": "[c]{\\", [c]{", "b": "[c]{"}'
    for sizes in ([len(text)], range(8, len(text) + 1)):
        value = JsonReader(ENDS, DOUBTS)
        assert (value.read(text, 0, len(text)), value.is_doubtful, value.in_string) == (7, True, True)
        pos = 7
        for size in sizes:
            pos = value.read_string(text, pos, size) if value.in_string else pos
        assert (pos, value.is_doubtful, value.in_string) == (20, False, False)
        assert (value.read(text, pos, len(text)), value.is_doubtful) == (28, True)


def test_what_is_trusted_has_no_doubts_up_to_its_quote() -> None:
    value = JsonReader(ENDS, DOUBTS)
    assert value.read('{"[c]{', 0, 6) == 2
    value.trust()
    assert value.read('{"[c]{', 2, 6) == 6
    assert (value.read('[c]{"[c]', 0, 8), value.is_doubtful, value.in_string) == (5, False, False)


def test_the_characters_that_matter_are_those_that_it_looks_for() -> None:
    value = JsonReader(ENDS, DOUBTS)
    assert value.triggers is None
    value.read("{", 0, 1)
    assert (value.triggers, value.look_closer) == ('"{}[]<[`', None)
    value.read('"a', 0, 2)
    assert value.triggers == '"\\['
    look = value.look_closer
    assert look is not None
    assert [bool(look(text)) for text in ("a[b", "a[c", "a[", 'a"', "\\")] == [False, True, True, True, True]
    value.read("\\", 0, 1)
    assert value.triggers is None
