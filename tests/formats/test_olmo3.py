"""formats/olmo3.py: one call a line between tags."""

from __future__ import annotations

from streamparse import ParserConfig, formats
from tests.formats.kit import call, calls, reasoning, rows, text

CLOSED = {"config": ParserConfig(reasoning="closed")}


def test_the_samples() -> None:
    content = 'Need weather.</think><function_calls>get_weather(city="Oslo", days=2)</function_calls>'
    weather = call("get_weather", 'city="Oslo", days=2')
    assert rows("olmo3", content) == [reasoning("Need weather."), weather]
    content = '<function_calls>get_weather(city="Oslo", days=2)\nnoop()</function_calls>'
    assert rows("olmo3", content, **CLOSED) == [weather, call("noop", "")]
    assert rows("auto", content) == [weather, call("noop", "")]
    assert calls("olmo3", content, **CLOSED) == [
        ("get_weather", {"city": "Oslo", "days": 2}, "complete"),
        ("noop", {}, "complete"),
    ]


def test_the_prompt_opens_the_reasoning() -> None:
    assert rows("olmo3", "<think>a</think>b</think><think>c</think><|im_end|>") == [
        reasoning("a"),
        text("b"),
        reasoning("c"),
    ]
    assert rows("olmo3", "a") == [reasoning("a", status="truncated")]


def test_text_around_is_kept() -> None:
    content = "a <function_calls> \n f() \n g() \n </function_calls> b <function_calls> c"
    assert rows("olmo3", content, **CLOSED) == [
        text("a "),
        call("f", ""),
        call("g", ""),
        text(" b <function_calls> c"),
    ]


def test_as_it_is_written() -> None:
    format = formats.get("olmo3")
    arguments = {"city": 'O"slo\n', "ok": True, "x": None, "l": [1, {"a": False}]}
    written = format.render_call("f", arguments)
    expected = r'<function_calls>f(city="O\"slo\n", ok=true, x=null, l=[1, {"a": false}])</function_calls>'
    assert written == expected
    assert calls("olmo3", written, **CLOSED) == [("f", arguments, "complete")]
    assert format.render_result("f", "ok") == "<|im_start|>environment\nok<|im_end|>"
