"""formats/muse.py: messages with calls in tags."""

from __future__ import annotations

import pytest

from tests.formats.kit import call, calls, reasoning, rows, text

CITY = '<atem:parameter name="city">Oslo</atem:parameter>'
DAYS = '<atem:parameter name="days">2</atem:parameter>'


def message(name: str, *parameters: str) -> str:
    inner = "".join(f"{parameter}\n" for parameter in parameters)
    invoke = f'<atem:invoke name="{name}">\n{inner}</atem:invoke>\n'
    return f" to={name}<|message|><atem:function_calls>\n{invoke}</atem:function_calls><|eom|>"


def test_a_message_to_a_tool_is_a_call() -> None:
    reply = message("get_weather", CITY, DAYS) + "<|start|>assistant" + message("noop")
    assert rows("muse", reply) == [call("get_weather", f"{CITY}\n{DAYS}"), call("noop", "")]
    assert calls("muse", reply) == [("get_weather", {"city": "Oslo", "days": 2}, "complete"), ("noop", {}, "complete")]


def test_a_schema_says_what_is_a_string() -> None:
    properties = {"days": {"type": "string"}}
    assert calls("muse", message("f", DAYS), tools=[{"name": "f", "parameters": {"properties": properties}}]) == [
        ("f", {"days": "2"}, "complete"),
    ]


def test_tags_in_reasoning_and_in_the_answer_are_no_calls() -> None:
    quoted = message("f", CITY).partition("<|message|>")[2].removesuffix("<|eom|>")
    reply = f" to=self<|message|>{quoted}<|eom|><|start|>assistant to=user<|message|>{quoted}<|eot|>"
    assert rows("muse", reply) == [reasoning(quoted), text(quoted)]
    assert rows("muse", f"to=user<|message|>{quoted}") == [text(quoted)]


def test_several_calls_in_one_message() -> None:
    invoke = f'<atem:invoke name="f">{CITY}</atem:invoke>'
    assert rows("muse", f"to=f<|message|><atem:function_calls>{invoke}{invoke}</atem:function_calls><|eot|>ok") == [
        *(call("f", CITY), call("f", CITY), text("ok")),
    ]


@pytest.mark.parametrize("name", ["get_weather", "get_weather.get_weather"])
def test_a_name_may_be_doubled(name: str) -> None:
    assert rows("muse", message(name, CITY)) == [call("get_weather", CITY)]
    assert rows("muse", f"to={name}<|message|>{{}}") == [call("get_weather", "{}")]


def test_a_message_to_a_tool_without_tags_is_json_or_malformed() -> None:
    assert rows("muse", 'to=f<|message|>{"a": 1}<|eom|>') == [call("f", '{"a": 1}')]
    assert rows("muse", "to=username<|message|>Hi<|eom|>") == [
        call("username", "Hi", status="malformed", error="arguments must be a JSON object"),
    ]


def test_a_parameter_that_is_not_closed_ends_with_the_message() -> None:
    opened = message("f", CITY).partition("</atem:parameter>")[0]
    content = CITY.removesuffix("</atem:parameter>")
    assert rows("muse", f"{opened}<|eom|>") == [call("f", content, repaired=True)]
    assert rows("muse", f"{opened}<|eom|>ok", is_wild=True) == [call("f", f"{content}<|eom|>ok", status="truncated")]


def test_other_headers_are_text() -> None:
    for header in (
        "<|start|>user to=f<|message|>",
        "<|start|>assistant<|message|>",
        "<|start|>assistant to=<|message|>",
    ):
        assert rows("muse", f"a{header}b<|eot|>") == [text(f"a{header}b")]
