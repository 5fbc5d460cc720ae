"""formats/gemma.py: functiongemma and gemma4."""

from __future__ import annotations

import pytest

from streamparse import formats
from streamparse.errors import RenderError
from tests.formats.kit import call, calls, reasoning, rows, text

WEATHER = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
TOOLS = [{"name": "get_weather", "parameters": WEATHER}]


def test_the_samples_of_gemma4() -> None:
    weather = call("get_weather", 'city:<|"|>Oslo<|"|>,days:2')
    content = '<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:2}<tool_call|><|tool_call>call:noop{}<tool_call|>'
    assert rows("gemma4", content) == [weather, call("noop", "")]
    assert rows("auto", content) == [weather, call("noop", "")]
    assert calls("gemma4", content) == [
        ("get_weather", {"city": "Oslo", "days": 2}, "complete"),
        ("noop", {}, "complete"),
    ]
    content = f"<|channel>thought\nNeed weather.<channel|>{content}<turn|>"
    assert rows("gemma4", content) == [reasoning("Need weather."), weather, call("noop", "")]


def test_the_samples_of_functiongemma() -> None:
    arguments = "city:<escape>Oslo<escape>,days:<escape>2<escape>"
    content = (
        f"<start_function_call>call:get_weather{{{arguments}}}<end_function_call>"
        "<start_function_call>call:noop{}<end_function_call>"
    )
    found = [call("get_weather", arguments), call("noop", "")]
    assert rows("functiongemma", content) == found
    assert rows("auto", content) == found
    assert calls("functiongemma", content, tools=TOOLS) == [
        ("get_weather", {"city": "Oslo", "days": 2}, "complete"),
        ("noop", {}, "complete"),
    ]
    assert calls("functiongemma", content)[0][1] == {"city": "Oslo", "days": "2"}


def test_reasoning_of_gemma4() -> None:
    content = "<|channel>thought\na<channel|>b<channel|><|channel>thoughtc<channel|> d<|channel>thought\n<channel|>"
    assert rows("gemma4", content) == [
        reasoning("a"),
        text("b"),
        reasoning("c"),
        text(" d"),
        reasoning(""),
    ]


def test_tokens_are_never_shown() -> None:
    assert rows("gemma4", "a<|tool_call>b<tool_call|>c<|tool_response>d<turn|>") == [text("abcd")]
    content = "a<start_function_call>b<end_function_call>c<start_function_response>d<end_of_turn>"
    assert rows("functiongemma", content) == [text("abcd")]


def test_a_closer_is_data_in_a_string_and_ends_the_call_elsewhere() -> None:
    content = '<|tool_call>call:f{a:<|"|><tool_call|>}<|"|>}<tool_call|> ok <|tool_call>call:f{a:[{<tool_call|> ok'
    error = "the '}' behind the arguments is missing"
    assert rows("gemma4", content) == [
        call("f", 'a:<|"|><tool_call|>}<|"|>'),
        text(" ok "),
        call("f", "a:[{", status="malformed", error=error),
        text(" ok"),
    ]


def test_as_they_are_written() -> None:
    gemma4, function = formats.get("gemma4"), formats.get("functiongemma")
    plain = {"city": "Oslo", "days": 2}
    assert gemma4.render_call("f", plain) == '<|tool_call>call:f{city:<|"|>Oslo<|"|>,days:2}<tool_call|>'
    written = "<start_function_call>call:f{city:<escape>Oslo<escape>,days:<escape>2<escape>}<end_function_call>"
    assert function.render_call("f", plain) == written
    nested = {"a b": None, "ok": True, "at": {"x-y": [1.5, "s"], "": {}}}
    written = '<|tool_call>call:f{<|"|>a b<|"|>:null,ok:true,at:{x-y:[1.5,<|"|>s<|"|>],<|"|><|"|>:{}}}<tool_call|>'
    assert gemma4.render_call("f", nested) == written
    assert calls("gemma4", written) == [("f", nested, "complete")]
    written = function.render_call("f", nested)
    assert calls("functiongemma", written) == [("f", nested, "complete")]
    response = '<|tool_response>response:f{value:<|"|>ok<|"|>}<tool_response|>'
    assert gemma4.render_result("f", "ok") == response
    response = "<start_function_response>response:f{value:<escape>ok<escape>}<end_function_response>"
    assert function.render_result("f", "ok") == response


@pytest.mark.parametrize(("format", "quote"), [("gemma4", '<|"|>'), ("functiongemma", "<escape>")])
def test_a_string_that_holds_its_quote_is_refused(format: str, quote: str) -> None:
    for arguments in ({"a": f"x{quote}y"}, {"a": {quote: 1}}):
        with pytest.raises(RenderError, match=r"^a string that holds .* cannot be written in this format$"):
            formats.get(format).render_call("f", arguments)
