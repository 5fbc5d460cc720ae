"""families/json/arguments_state.py: arguments as one JSON value behind the name."""

from __future__ import annotations

import pytest

from streamparse import StreamingParser
from tests.formats.kit import call, called, rows, text


@pytest.mark.parametrize(
    ("written", "shown", "rest"),
    [
        ('{"a": "}\\"]"} b', '{"a": "}\\"]"}', " b"),
        ('{"a": [{}]}', '{"a": [{}]}', ""),
        ("{]]}]", "{]]}", "]"),
        ('{"a": [1} b', '{"a": [1}', " b"),
    ],
)
def test_the_content_is_the_value_up_to_its_balancing_bracket(written: str, shown: str, rest: str) -> None:
    assert rows("mistral", f"[TOOL_CALLS]f{written}") == [call("f", shown), *([text(rest)] if rest else [])]


def test_a_string_is_streamed_as_it_comes() -> None:
    parser = StreamingParser("mistral")
    parser.feed('[TOOL_CALLS]f[ARGS]{"a": "')
    assert [[event.delta for event in parser.feed(chunk)] for chunk in ("x", "y z", "\\", "n", "<")] == [
        *(["x"], ["y z"], ["\\"], ["n"], ["<"]),
    ]


@pytest.mark.parametrize(
    ("written", "status", "error"),
    [
        ("{'a': 1}", "malformed", "the arguments are not JSON: Expecting property name enclosed in double quotes: "
         "line 1 column 2 (char 1)"),
        ('{"a": 1', "truncated", "the call was cut off before its end"),
    ],
)  # fmt: skip
def test_arguments_that_are_not_json_or_cut_off_are_no_arguments(written: str, status: str, error: str) -> None:
    (made,) = called("mistral", f"[TOOL_CALLS]f{written}")
    assert (made.name, made.arguments, made.status, made.error, made.raw) == ("f", {}, status, error, written)
