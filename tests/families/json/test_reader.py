"""families/json/reader.py: where a value ends, however it is cut."""

from __future__ import annotations

import pytest

from streamparse.families.json.reader import JsonReader
from streamparse.testing import splits


def ends(text: str, depth: int = 0, *, in_list: bool = False) -> int | None:
    """Where the value in `text` ends, the same for every cut; None if it does not."""
    found: set[int | None] = set()
    for chunks in splits(text):
        value, pos, size = JsonReader(depth=depth, in_list=in_list), 0, 0
        for chunk in chunks:
            size += len(chunk)
            pos = value.read(text, pos, size)
            if value.is_done:
                break
            assert in_list or pos == size
        found.add(pos if value.is_done else None)
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
        ('12"', 2),
        ("1{}", 1),
        ("n[]", 1),
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


@pytest.mark.parametrize(
    ("text", "end"),
    [
        *(("}", 1), ('"a": 1} x', 7), ('"a": {"b": [1]}}x', 16), ('"a": "}"}x', 9), ('"a": "\\"}"}x', 11)),
        *(("[]]}x", 4), ("{[}[}x", 5), ('"}" "]"}x', 8), ('"]["}', 5), ('[{"a": "]"}]}x', 13)),
        *(("[1}x", 3), ("]}x", 2), ("[[}x", 3), ('"a": oops, {"b"}}x', 17), ('"\\\\"}x', 5)),
    ],
)
def test_reading_may_begin_inside_of_an_object(text: str, end: int) -> None:
    assert ends(text, depth=1) == end
    assert ends(text[:end] + "}" + text[end:], depth=2) == end + 1


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ('"a": 1] x', 6),
        ('"a": [1]]\n\nx', 8),
        ('"a": {"b": 1}]"', 13),
        ("] ", None),  # something must follow …
        ('"a": 1]} x', 8),  # … that is not more of the JSON
        ('"a": 1] , "b": 2} x', 17),
        ("]]} x", 3),
        ('{"b": 1]}} x', 10),  # nor may it be deeper in it
        ('"]"} x', 4),
    ],
)
def test_the_bracket_of_the_list_around_a_value_ends_it(text: str, end: int | None) -> None:
    assert ends(text, depth=1, in_list=True) == end


def test_a_bracket_that_may_be_that_of_the_list_waits_for_what_follows() -> None:
    value = JsonReader(depth=1, in_list=True)
    assert value.read("1]  ", 0, 4) == 1
    assert [value.ignores_blanks(text, 1) for text in ("1", "1]", "1]  ", "1] ,", "1} ")] == [
        False,
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(("text", "is_unclosed"), [("[1} ", True), ("[{} ", True), ("[1] ", False), ("{[} ", False)])
def test_it_is_known_whether_a_list_has_closed(text: str, is_unclosed: bool) -> None:
    value = JsonReader()
    value.read(text, 0, len(text))
    assert value.is_unclosed == is_unclosed


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
