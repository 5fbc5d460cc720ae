"""check: which calls may be run, and what the model is told of the others."""

from __future__ import annotations

import pytest

from streamparse import ToolInvocation, ToolSpec, check, parse

TOOLS = [
    ToolSpec("search", {"type": "object", "properties": {"limit": {"type": "integer"}}, "required": ["limit"]}),
    {"type": "function", "function": {"name": "Read_File", "parameters": {}}},
]


@pytest.mark.parametrize(
    ("invocation", "problem"),
    [
        (ToolInvocation("1", "search", {"limit": 5}), None),
        (ToolInvocation("1", "SEARCH", {"limit": 5}), None),
        (ToolInvocation("1", "read_file", {"anything": 1}), None),
        (ToolInvocation("1", "search"), "the arguments of search do not fit: limit is missing"),
        (
            ToolInvocation("1", "search", {"limit": "5"}),
            "the arguments of search do not fit: limit must be an integer, not a string",
        ),
        (ToolInvocation("1", "serch", {"limit": 5}), "there is no tool 'serch': did you mean 'search'?"),
        (ToolInvocation("1", "redfile"), "there is no tool 'redfile': did you mean 'Read_File'?"),
        (ToolInvocation("1", "x" * 100), f"there is no tool '{'x' * 80}…'"),
        (
            ToolInvocation("1", "search", {"limit": 5}, "truncated", error="the call was cut off before its end"),
            "the call of search is truncated: the call was cut off before its end",
        ),
        (
            ToolInvocation("1", "write_file", {}, "malformed", error="path is missing"),
            "the call of write_file is malformed: path is missing",
        ),
    ],
)
def test_none_or_a_sentence_for_the_model(invocation: ToolInvocation, problem: str | None) -> None:
    assert check(invocation, TOOLS) == problem


def test_without_tools_no_call_may_be_run() -> None:
    assert check(ToolInvocation("1", "search"), []) == "there is no tool 'search'"


def test_what_a_stream_gives_is_checked() -> None:
    text = '{"name": "search", "arguments": {"limit": 5}} {"name": "search", "arguments": {"limit": null}}'
    calls = [item for item in parse(text, "json", invocations=True) if isinstance(item, ToolInvocation)]
    assert [check(call, TOOLS) for call in calls] == [
        None,
        "the arguments of search do not fit: limit must be an integer, not null",
    ]
