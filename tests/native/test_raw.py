"""What the model wrote of a call is kept as it was written, whatever became of it."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, SegmentEnd, ToolInvocation, ToolSpec, parse
from streamparse.config import Limits
from tests.providers.cases import call, calls, chat


def made(arguments: str, name: str = "write_file", finish: str = "tool_calls", **options: Any) -> ToolInvocation:
    pieces = [arguments[at : at + 3] for at in range(0, len(arguments), 3)]
    chunks = [calls(call(0, "c1", name, "")), *(calls(call(0, None, None, piece)) for piece in pieces), chat(finish)]
    [invocation] = [item for item in parse(chunks, invocations=True, **options) if isinstance(item, ToolInvocation)]
    return invocation


def test_a_file() -> None:
    written = '{"path": "a",  "content": "x\\u00e9\\n"}'
    invocation = made(written)
    assert (invocation.raw, invocation.content, invocation.status) == (written, "xé\n", "complete")


@pytest.mark.parametrize(
    ("written", "finish", "status"),
    [
        ('{"path": "C:\\dir", "content": "x"}', "tool_calls", "malformed"),
        ('{"path": "a", "content": "x"', "length", "truncated"),
        ('{"path": "a"}', "tool_calls", "malformed"),
    ],
)
def test_a_file_that_went_wrong(written: str, finish: str, status: str) -> None:
    invocation = made(written, finish=finish)
    assert (invocation.raw, invocation.status) == (written, status)


def test_a_declared_kind() -> None:
    written = '{"file": "a", "text": "x"}'
    tool = ToolSpec("save", kind="write_file", path="file", body="text")
    invocation = made(written, "save", tools=[tool])
    assert (invocation.raw, invocation.content) == (written, "x")


def test_any_other_call() -> None:
    invocation = made('{"a":  1}', "f")
    assert (invocation.raw, invocation.content) == ('{"a":  1}', None)


def test_no_more_is_kept_than_may_be() -> None:
    invocation = made('{"path": "a", "content": "0123456789"}', config=ParserConfig(limits=Limits(max_arguments=20)))
    assert (invocation.raw, invocation.status) == ('{"path": "a", "conte', "malformed")


def test_nothing_is_kept_for_nobody() -> None:
    chunks = [calls(call(0, "c1", "write_file", '{"path": "a", "content": "x"}')), chat("tool_calls")]
    [end] = [event for event in parse(chunks) if isinstance(event, SegmentEnd)]
    assert end.raw is None
