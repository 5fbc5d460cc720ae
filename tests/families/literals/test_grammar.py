"""families/literals/grammar.py: strings and brackets of literals."""

from __future__ import annotations

import pytest

from streamparse.core.markers import exact
from streamparse.families.literals.gemma import GEMMA
from streamparse.families.literals.grammar import CLOSE, END, OPEN, Literals
from streamparse.families.literals.python import PYTHON


@pytest.mark.parametrize(
    ("literals", "quote", "buf", "end"),
    [
        (PYTHON, "'", "ab' c", 2),
        (PYTHON, "'", "ab", 2),
        (PYTHON, "'", r"a\'b' c", 4),
        (PYTHON, "'", "a\\", 1),  # what it escapes is not there yet
        (PYTHON, "'", 'a"\n', 3),
        (PYTHON, "'''", "a'b''c''' d", 6),
        (PYTHON, "'''", "a'", 1),  # may become the end
        (PYTHON, "'''", "a''", 1),
        (PYTHON, "'''", r"a\''''", 3),
        (GEMMA, '<|"|>', 'a<b<|"|>c', 3),
        (GEMMA, '<|"|>', 'a\\<|"', 2),
        (GEMMA, '<|"|>', 'a<|"x', 5),
    ],
)
def test_where_a_string_ends_or_may_end(literals: Literals, quote: str, buf: str, end: int) -> None:
    assert literals.end_of_string(quote, buf, 0) == end


def test_what_matters_inside_of_a_string() -> None:
    assert PYTHON.triggers("'''") == "'\\"
    assert GEMMA.triggers('<|"|>') == "<"


def test_what_matters_between_strings() -> None:
    markers = PYTHON.between((exact("</end>"),))
    found = [markers.kinds[match.lastindex or 0] for match in markers.pattern.finditer("([{a'b''' \"</e</end>)")]
    assert found == [OPEN, "'", "'''", '"', END, CLOSE]


def test_without_a_marker_behind_the_arguments_nothing_else_ends_them() -> None:
    assert PYTHON.between(()).heads == "\"'()"
    assert GEMMA.between(()).heads == ",:<[{}"


@pytest.mark.parametrize(
    ("buf", "found", "at_the_end"),
    [
        ("", None, ("", 0)),
        ("  ", None, ("", 0)),
        (" 'x", ("'", 2), ("'", 2)),
        ('"', ('"', 1), ('"', 1)),
        ("x'", ("", 0), ("", 0)),
        ('<|"|>', ("", 0), ("", 0)),
    ],
)
def test_plain_quotes_where_a_value_may_begin(buf: str, found: object, at_the_end: object) -> None:
    assert GEMMA.find_plain_quote(buf, 0) == found
    assert GEMMA.find_plain_quote(buf, 0, is_all=True) == at_the_end
    assert PYTHON.find_plain_quote(buf, 0) == ("", 0)
