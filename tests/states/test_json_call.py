"""states/json_call.py: names that are almost names, and calls that almost have arguments."""

from __future__ import annotations

import pytest

from streamparse import StreamingResponseHandler
from streamparse.testing import assert_chunk_invariant, segments


@pytest.mark.parametrize("name", ['"\\x"', '"\\ud8"', '""', f'"{"x" * 1100}"'], ids=["escape", "half", "empty", "long"])
def test_a_name_that_is_none_makes_text(name: str) -> None:
    text = f'{{"name": {name}, "arguments": {{}}}}.'
    assert segments(assert_chunk_invariant(text, "json")) == [("text", {}, text, {})]


def test_a_name_with_escapes_is_decoded() -> None:
    events = assert_chunk_invariant('{"name": "\\u0066\\"", "arguments": {}}', "json")
    assert segments(events)[0][1] == {"tool_name": 'f"'}


def test_a_declared_tool_may_be_called_without_arguments() -> None:
    handler = StreamingResponseHandler("json", tools=[{"name": "f"}])
    handler.feed('{"name": "f"} {"function": {"name": "F"}} {"name": "g"}')
    assert [(made.name, made.arguments) for made in handler.invocations] == [("f", {}), ("f", {})]
