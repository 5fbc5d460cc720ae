"""families/json/arguments_state.py: JSON that ends too early."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.kit import call, rows, text

EARLY = {"status": "malformed", "error": "the call is not JSON: it ends too early"}


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        ('{"a": 1', EARLY),
        ('{"a": [1, <x> ', EARLY),
        ('{"a": <｜tool▁x', EARLY),
        ('{"a": "<｜tool▁call▁end｜>"}', {}),
        ('{"a": 1 < 2}', {}),
    ],
)
def test_a_closer_outside_of_a_string_ends_a_malformed_call(arguments: str, end: Any) -> None:
    head = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>"
    for closers in ("<｜tool▁call▁end｜><｜tool▁calls▁end｜>", "<｜tool▁calls▁end｜>"):
        assert rows("deepseek_v31", f"{head}{arguments}{closers} ok") == [call("f", arguments, **end), text(" ok")]


def test_the_next_call_of_a_section_is_read_behind_a_broken_one() -> None:
    begin, sep, end = "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>"
    assert rows("deepseek_v31", f"<｜tool▁calls▁begin｜>{begin}f{sep}{{{end}{begin}g{sep}{{}}{end}") == [
        *(call("f", "{", **EARLY), call("g", "{}")),
    ]


def test_without_any_closer_the_call_is_truncated() -> None:
    assert rows("mistral", '[TOOL_CALLS]f{"a": <b') == [call("f", '{"a": <b', status="truncated")]
    assert rows("deepseek_v31", "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{<｜tool") == [
        call("f", "{<｜tool", status="truncated"),
    ]
