"""formats/lfm2.py: a list of calls between special tokens. (For echoes see tests/states/test_echoed_call.py.)"""

from __future__ import annotations

import pytest

from streamparse import formats
from tests.formats.kit import call, calls, reasoning, rows, text

START, END = "<|tool_call_start|>", "<|tool_call_end|>"


def test_the_samples() -> None:
    weather = call("get_weather", "city='Oslo', days=2")
    content = f"{START}[get_weather(city='Oslo', days=2), noop()]{END}"
    assert rows("lfm2", content) == [weather, call("noop", "")]
    assert rows("auto", content) == [weather, call("noop", "")]
    content = f"<think>Need weather.</think>{START}[get_weather(city='Oslo', days=2)]{END}<|im_end|>"
    assert rows("lfm2", content) == [reasoning("Need weather."), weather]


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        ("ok=True, x=None", {"ok": True, "x": None}),
        ("ok=true, x=null", {"ok": True, "x": None}),
        ("class=1, from='x'", {"class": 1, "from": "x"}),
        ("hour=07", {"hour": 7}),
        ("s='a\nb'", {"s": "a\nb"}),
        (f"s='{END}'", {"s": END}),
    ],
)
def test_what_the_model_does(arguments: str, values: dict[str, object]) -> None:
    content = f"Hi {START}[files.read({arguments})]{END} ok"
    assert rows("lfm2", content) == [text("Hi "), call("files.read", arguments), text(" ok")]
    assert calls("lfm2", content) == [("files.read", values, "complete")]


def test_json() -> None:
    content = f'{START}[{{"name": "f", "arguments": {{"a": 1}}}}, {{"name": "g", "arguments": "{{}}"}}]{END} ok'
    assert rows("lfm2", content) == [call("f", '{"a": 1}'), call("g", '"{}"'), text(" ok")]
    assert calls("lfm2", content) == [("f", {"a": 1}, "complete"), ("g", {}, "complete")]


def test_tokens_are_never_shown() -> None:
    assert rows("lfm2", f"a{START}x{END}b{END}c<|im_end|>") == [text("axbc")]


def test_as_it_is_written() -> None:
    format = formats.get("lfm2")
    written = format.render_call("get_weather", {"city": "Oslo", "days": 2})
    assert written == f"{START}[get_weather(city='Oslo', days=2)]{END}"
    result = "<|im_start|>tool\n<|tool_response_start|>1<|tool_response_end|><|im_end|>"
    assert format.render_result("f", 1) == result
