"""formats/kimi.py: calls whose id says what they are."""

from __future__ import annotations

import pytest

from streamparse import formats
from streamparse.errors import RenderError
from tests.formats.kit import call, reasoning, rows, text

BEGIN, END = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"


def one(call_id: str, arguments: str = "{}") -> str:
    return f"<|tool_call_begin|>{call_id}<|tool_call_argument_begin|>{arguments}<|tool_call_end|>"


@pytest.mark.parametrize(
    ("call_id", "name"),
    [
        ("functions.get_weather:0", "get_weather"),
        ("functions.get_weather:12", "get_weather"),
        ("get_weather:0", "get_weather"),
        ("functions.get_weather", "get_weather"),
        ("get_weather", "get_weather"),
        ("functions.a.b:c:1", "a.b:c"),
        ("functions.", "functions."),
        ("3", "3"),
    ],
)
def test_the_name_is_part_of_the_id(call_id: str, name: str) -> None:
    assert rows("kimi_k2", f"a{BEGIN}{one(call_id)}{END}b") == [text("a"), call(name, "{}", call_id), text("b")]
    assert rows("kimi_k2", one(f" \n{call_id}\n", ' {"a": 1}\n')) == [
        *(call(name, '{"a": 1}', call_id),),
    ]


def test_several_calls_in_a_section_and_without_one() -> None:
    assert rows("kimi_k2", f"{BEGIN}{one('f:0')}\n{one('f:1')}{END} {one('g:2')}") == [
        *(call("f", "{}", "f:0"), call("f", "{}", "f:1"), text(" "), call("g", "{}", "g:2")),
    ]


def test_a_section_ends_reasoning() -> None:
    assert rows("kimi_k2", f"<think>hm {BEGIN}{one('f:0')}{END}</think>ok<|im_end|>") == [
        *(reasoning("hm "), call("f", "{}", "f:0"), text("ok")),
    ]


def test_tokens_of_sections_without_calls_are_never_shown() -> None:
    assert rows("kimi_k2", f"a{BEGIN}{END}b{END}<|tool_call_end|>") == [text("ab")]


def test_an_id_is_written_that_says_the_name() -> None:
    kimi = formats.get("kimi_k2")
    assert one("functions.f:0") in kimi.render_call("f", {})
    assert one("functions.f:4") in kimi.render_call("f", {}, "4") == kimi.render_call("f", {}, "functions.f:4")
    assert one("f:4") in kimi.render_call("f", {}, "f:4")
    result = "<|im_system|>f<|im_middle|>## Return of functions.f:4\ncold<|im_end|>"
    assert kimi.render_result("f", "cold", "functions.f:4") == kimi.render_result("f", "cold", "4") == result
    assert (
        kimi.render_result("f", {"t": 1}) == '<|im_system|>f<|im_middle|>## Return of functions.f:0\n{"t": 1}<|im_end|>'
    )
    assert "## Return of call_1\n" in kimi.render_result("f", "cold", "call_1")
    wrong = [
        ("f", "call_1"),
        ("f", "functions.g:0"),
        ("f", "f:0 "),
        ("functions.f", "f:0"),
        ("12", None),
        ("x" * 256, None),
    ]
    for name, call_id in wrong:
        with pytest.raises(RenderError, match="does not say that the call is one of"):
            kimi.render_call(name, {}, call_id)
