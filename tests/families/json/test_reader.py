"""families/json/reader.py: where a value ends, however it is cut."""

from __future__ import annotations

import pytest

from streamparse.families.json.reader import JsonReader
from streamparse.testing import splits


def ends(text: str, depth: int = 0) -> int | None:
    """Where the value in `text` ends, the same for every cut; None if it does not."""
    found: set[int | None] = set()
    for chunks in splits(text):
        value, at = JsonReader(depth=depth), 0
        for chunk in chunks:
            end = value.read(chunk, 0, len(chunk))
            at += end
            if value.is_done:
                break
            assert end == len(chunk)
        found.add(at if value.is_done else None)
    (end_of_all,) = found
    return end_of_all


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("{},", 2),
        ('{"a": [1, "}"]}, and', 15),
        ("[[]]]", 4),
        ('"a\\"b" x', 6),
        ('"\\\\"x', 4),
        ('{"a": "\\\\"}x', 11),
        ('{"a": "\\', None),
        ("12,", 2),
        ("true}", 4),
        ("null\n", 4),
        ("nu", None),
        (",", 0),
        ('{"a"', None),
        ("{]x", None),  # a bracket without its own closes nothing …
        ("{]]}x", 4),
        ("[1]]", 3),
        ("{[1}x", 4),  # … a brace closes the lists in its object, too …
        ("{[[{[}]}x", 8),
        ("[{[}]x", 5),
        ("[1}x", 2),  # … and without its own it ends a list before it
        ("[[1}]", 3),
        ("[{}}", 3),
        ("", None),
    ],
)
def test_a_value_ends_where_its_brackets_quotes_or_letters_do(text: str, end: int | None) -> None:
    assert ends(text) == end


def test_reading_may_begin_inside_of_a_value() -> None:
    assert ends('"}", 1} x', depth=1) == 7
    assert ends("}} x", depth=2) == 2


def test_the_end_of_what_may_be_read_is_kept() -> None:
    value = JsonReader()
    assert (value.read('x{"a"}', 1, 4), value.is_done) == (4, False)
    assert (value.read('x{"a"}', 4, 6), value.is_done) == (6, True)


def test_reading_nothing_begins_nothing() -> None:
    value = JsonReader()
    assert (value.read("", 0, 0), value.triggers, value.is_done) == (0, None, False)


@pytest.mark.parametrize(
    ("text", "triggers"),
    [("", None), ("{", '"{}[]'), ('{"', '"\\'), ('{"a\\', None), ('{"a\\n', '"\\'), ("1", None)],
)
def test_the_characters_that_matter_next(text: str, triggers: str | None) -> None:
    value = JsonReader()
    value.read(text, 0, len(text))
    assert value.triggers == triggers
    assert JsonReader(depth=1).triggers == '"{}[]'
