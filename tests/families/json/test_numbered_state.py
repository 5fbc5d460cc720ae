"""families/json/numbered_state.py: the name of a call that has a number only."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig
from tests.formats.kit import call, rows, text

HEAD, END = "<|tool_call_begin|>7<|tool_call_argument_begin|>", "<|tool_call_end|>"


def tool(name: str, *properties: str, required: Any = ()) -> dict[str, Any]:
    return {"name": name, "parameters": {"properties": {key: {} for key in properties}, "required": required}}


TOOLS = [
    tool("get_weather", "city", "days", required=["city"]),
    tool("get_time", "city", "zone", required=["city", "zone"]),
    tool("Noop"),
    tool("odd", "x", required="x"),
]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ('{"city": "Oslo"}', "get_weather"),
        ('{"city": "Oslo", "zone": 1}', "get_time"),
        ("{}", "7"),  # Noop or odd
        ('{"x": 1}', "odd"),
        ('{"city": "Oslo", "other": 1}', "7"),
        ('{"days": 1}', "7"),
        ("{1}", "7"),
    ],
)
def test_the_arguments_tell_the_tool_if_only_one_fits(arguments: str, name: str) -> None:
    assert rows("kimi_k2", f"a {HEAD}{arguments}{END} b", tools=TOOLS) == [
        *(text("a "), call(name, arguments, "7"), text(" b")),
    ]


def test_a_tool_without_parameters_is_called_without_arguments() -> None:
    assert rows("kimi_k2", f"{HEAD}{{}}", tools=TOOLS[:3]) == [call("Noop", "{}", "7")]


def test_without_tools_the_number_is_the_name_and_nothing_is_held() -> None:
    assert rows("kimi_k2", HEAD + '{"city": "Os') == [call("7", '{"city": "Os', "7", status="truncated")]


def test_arguments_that_are_cut_off_do_not_tell() -> None:
    assert rows("kimi_k2", HEAD + '{"city": "Os', tools=TOOLS) == [call("7", '{"city": "Os', "7", status="truncated")]


def test_arguments_that_are_no_json_do_not_tell() -> None:
    error = "the call is not JSON: it ends too early"
    assert rows("kimi_k2", f'{HEAD}{{"city": "Oslo"{END}ok', tools=TOOLS) == [
        *(call("7", '{"city": "Oslo"', "7", status="malformed", error=error), text("ok")),
    ]


@pytest.mark.parametrize(("limit", "name"), [(16, "get_weather"), (15, "7")])
def test_no_more_is_held_than_the_limit(limit: int, name: str) -> None:
    config = ParserConfig(limits=Limits(max_held=limit))
    assert rows("kimi_k2", f'{HEAD}{{"city": "Oslo"}}{END}', tools=TOOLS, config=config) == [
        call(name, '{"city": "Oslo"}', "7"),
    ]
