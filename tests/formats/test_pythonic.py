"""formats/pythonic.py: lists of calls as Python writes them."""

from __future__ import annotations

import pytest

from streamparse import formats
from streamparse.errors import RenderError
from tests.formats.kit import call, calls, reasoning, rows, text


@pytest.mark.parametrize("format", ["pythonic", "llama4_pythonic"])
def test_the_samples(format: str) -> None:
    assert rows(format, "[get_weather(city='Oslo', days=2)]") == [call("get_weather", "city='Oslo', days=2")]
    content = "[get_weather(city='Oslo', days=2), noop()]"
    assert rows(format, content) == [call("get_weather", "city='Oslo', days=2"), call("noop", "")]
    assert calls(format, content) == [
        ("get_weather", {"city": "Oslo", "days": 2}, "complete"),
        ("noop", {}, "complete"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "[1]",
        "[1]: http://x",
        "[see f(x)]",
        "[f(x)]",
        "[f(1)]",
        "[f('x')]",
        "[f(x==1)]",
        "[f](http://x)",
        "[f()](http://x)",
        "[f()]: http://x",
        "[f()][1]",
        "[f() and g()]",
        "[f(",
        "[2f()]",
        "[x.y]",
        "[[f()]]",
        "[]",
        "f(a=1)",
    ],
)
def test_what_is_no_list_of_calls_is_text(content: str) -> None:
    assert rows("pythonic", content, is_wild=True) == [text(content)]  # a prefix of it may be one


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("[ f ( a = 1 ) , g ( ) ] x", [call("f", " a = 1 "), call("g", " "), text(" x")]),
        ("[a.b-c(größe=1)]\n", [call("a.b-c", "größe=1"), text("\n")]),
        ("[f()]\n[g()].", [call("f", ""), text("\n"), call("g", ""), text(".")]),
        ("[f(), g(1)]", [call("f", ""), call("g", "1")]),
        ("[f(a=1),]", [call("f", "a=1")]),
        ("[f(a=1), 2]", [call("f", "a=1"), text(" 2]")]),
        ("[f(a=1) for x in y]", [call("f", "a=1"), text(" for x in y]")]),
        ("[f(x=1)", [call("f", "x=1")]),
        ("[f(a=[1, 2", [call("f", "a=[1, 2", status="truncated")]),
        ("<think>a</think>\n[f()]<|eot_id|>", [reasoning("a"), text("\n"), call("f", "")]),
    ],
)
def test_lists(content: str, found: list[object]) -> None:
    assert rows("pythonic", content) == found


def test_markers_of_llama_4_count_anywhere() -> None:
    content = "Hi <|python_start|>[f(a=1), g()]<|python_end|> ok <|python_start|>x<|eot|>"
    found = [text("Hi "), call("f", "a=1"), call("g", ""), text(" ok x")]
    assert rows("llama4_pythonic", content) == found
    content = "<|python_start|>[f(a='<|python_end|>')]<|python_end|>"
    assert rows("auto", content) == [call("f", "a='<|python_end|>'")]


def test_the_end_marker_ends_a_call_without_its_bracket() -> None:
    content = "<|python_start|>[f(a=1]<|python_end|> ok"
    error = "the ')' behind the arguments is missing"
    assert rows("llama4_pythonic", content) == [call("f", "a=1]", status="malformed", error=error), text(" ok")]


def test_as_it_is_written() -> None:
    format = formats.get("pythonic")
    arguments = {"city": "Oslo's", "n": 2, "x": None, "ok": True, "l": ['"', {"k'": 1.5}]}
    written = """[f(city="Oslo's", n=2, x=None, ok=True, l=['"', {"k'": 1.5}])]"""
    assert format.render_call("f", arguments) == written
    assert calls("pythonic", written) == [("f", arguments, "complete")]
    assert format.render_call("f", {"s": "'\"\\\n\r\t\x00\x7fé"}) == r"""[f(s='\'"\\\n\r\t\x00\x7fé')]"""
    assert format.render_call("f", {"class": 1, "größe": 2}) == "[f(class=1, größe=2)]"
    assert format.render_result("f", {"a": 1}) == '<|start_header_id|>ipython<|end_header_id|>\n\n{"a": 1}<|eot_id|>'
    assert formats.get("llama4_pythonic").render_call("f", {}) == "<|python_start|>[f()]<|python_end|>"
    assert "[f()]" in format.instructions([{"name": "f"}])
    assert "on a line of their own" in format.instructions([{"name": "f"}])


@pytest.mark.parametrize("name", ["2f", "f g", "", "-f", "f("])
def test_names_that_would_not_be_recognised_are_refused(name: str) -> None:
    with pytest.raises(RenderError, match=r"^the name .* cannot be written in this format$"):
        formats.get("pythonic").render_call(name, {})
