"""Section 2.11 of docs/rules.md: where a call of each format is recognised, and where it is text."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, formats
from tests import where
from tests.test_rules import tables

ROWS = {cells[0]: cells for cells in tables(*where.HEAD)}
TEXT = ParserConfig(reasoning="closed", code="text")


def test_every_format_has_its_row() -> None:
    assert list(ROWS) == where.names()


@pytest.mark.parametrize("name", where.names())
def test_a_row_is_true(name: str) -> None:
    assert where.row(name) == ROWS[name]


@pytest.mark.parametrize("name", where.names())
def test_what_holds_in_every_format(name: str) -> None:
    format = formats.get(name)
    call = where.call_of(format)
    fenced, quoted = f"a\n```\n{call}\n```\nb", "a\n> " + call.replace("\n", "\n> ") + "\nb"
    assert where.calls(format, f"a `{call}` b") == []
    assert where.calls(format, f"a ``{call}`` b") == []
    (made,) = where.calls(format, fenced)
    assert made.is_fenced or name == "xlam"  # whose fences are part of the call
    assert all(made.is_fenced for made in where.calls(format, quoted))
    assert [where.calls(format, text, TEXT) for text in (fenced, quoted)] == [[], []]
    assert where.in_value(format, call) in ([], ["put"])
