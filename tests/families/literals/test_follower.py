"""families/literals/follower.py: arguments of a call that is shown as what it does, and the limit of what is kept."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig, parse
from streamparse.testing import segments

SHORT = ParserConfig(limits=Limits(max_arguments=30))


def read(format: str, text: str, size: int) -> Any:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    (row,) = segments(parse(pieces, format, config=SHORT))
    return row


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize("mode", [f"'{'m' * 40}'", f"[{'1, ' * 20}]"])
def test_what_is_not_the_body_has_a_limit(mode: str, size: int) -> None:
    row = read("pythonic", f"[write_file(path='a', mode={mode}, content='{'x' * 50}')]", size)
    error = {"status": "malformed", "error": "mode is too long"}
    assert row == ("write_file", {"tool_name": "write_file", "path": "a"}, "x" * 50, error)


@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_so_have_values_with_parts(size: int) -> None:
    call = (
        f'@<tool_call>@<invoke name="write_file">@<path>a@</path>@<opts>@<n>{"m" * 40}@</n>@<k>1@</k>@</opts>'
        f"@<content>{'x' * 50}@</content>@</invoke>@</tool_call>"
    )
    row = read("minimax_m3", call.replace("@", "]<]minimax[>["), size)
    error = {"status": "malformed", "error": "opts is too long"}
    assert row == ("write_file", {"tool_name": "write_file", "path": "a"}, "x" * 50, error)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1_000])
def test_where_something_is_wrong_does_not_depend_on_the_pieces(size: int) -> None:
    row = read("pythonic", r"[write_file(path='a', content='it\'s \x41\n', x)]", size)
    error = "the arguments cannot be read: an argument has no name"
    metadata = {"tool_name": "write_file", "path": "a"}
    assert row == ("write_file", metadata, "it's A\n", {"status": "malformed", "error": error})
