"""How the formats of open models are written: calls, results, and what is refused. (What is read: tests/corpus.)"""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, formats
from streamparse.errors import RenderError
from tests.formats.kit import calls


def test_functionary_v32_has_no_tool_that_is_called_all() -> None:
    v32 = formats.get("functionary_v32")
    with pytest.raises(RenderError, match="the name 'all' cannot be written"):
        v32.render_call("all", {})
    assert v32.render_call("all2", {}) == ">>>all2\n{}"


def test_gemma() -> None:
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
def test_gemma_refuses_a_string_that_holds_its_quote(format: str, quote: str) -> None:
    for arguments in ({"a": f"x{quote}y"}, {"a": {quote: 1}}):
        with pytest.raises(RenderError, match=r"^a string that holds .* cannot be written in this format$"):
            formats.get(format).render_call("f", arguments)


def numbered(call_id: str) -> str:
    return f"<|tool_call_begin|>{call_id}<|tool_call_argument_begin|>{{}}<|tool_call_end|>"


def test_kimi_writes_an_id_that_says_the_name() -> None:
    kimi = formats.get("kimi_k2")
    assert numbered("functions.f:0") in kimi.render_call("f", {})
    assert numbered("functions.f:4") in kimi.render_call("f", {}, "4") == kimi.render_call("f", {}, "functions.f:4")
    assert numbered("f:4") in kimi.render_call("f", {}, "f:4")
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


def test_lfm2() -> None:
    format = formats.get("lfm2")
    written = format.render_call("get_weather", {"city": "Oslo", "days": 2})
    assert written == "<|tool_call_start|>[get_weather(city='Oslo', days=2)]<|tool_call_end|>"
    result = "<|im_start|>tool\n<|tool_response_start|>1<|tool_response_end|><|im_end|>"
    assert format.render_result("f", 1) == result


def test_llama3() -> None:
    llama, code = formats.get("llama3_json"), formats.get("llama3_code")
    assert llama.render_call("get_weather", {"city": "Oslo", "days": 2}) == (
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}'
    )
    assert llama.render_result("f", "ok") == "<|start_header_id|>ipython<|end_header_id|>\n\nok<|eot_id|>"
    assert code.render_call("python", {"code": "a\nb"}) == "<|python_tag|>a\nb<|eom_id|>"
    assert "<|python_tag|>print(6 * 7)<|eom_id|>" in code.instructions([{"name": "python"}])


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (1, "code is called with one argument, code, which is a string"),
        ("x<|eom_id|>", "'code' would be read differently in this format"),
        (" {1}", "the code would be read as something else"),
        ("; {1}", "the code would be read as something else"),
        ("x.call(1)", "the code would be read as something else"),
    ],
)
def test_llama3_refuses_code_that_would_be_read_as_something_else(code: object, why: str) -> None:
    with pytest.raises(RenderError, match=f"^{why}$"):
        formats.get("llama3_code").render_call("python", {"code": code})
    with pytest.raises(RenderError):
        formats.get("llama3_code").render_call("python", {"code": "x", "more": 1})
    with pytest.raises(RenderError):
        formats.get("llama3_code").render_call("ruby", {"code": "x"})


def test_olmo3() -> None:
    format = formats.get("olmo3")
    arguments = {"city": 'O"slo\n', "ok": True, "x": None, "l": [1, {"a": False}]}
    written = format.render_call("f", arguments)
    expected = r'<function_calls>f(city="O\"slo\n", ok=true, x=null, l=[1, {"a": false}])</function_calls>'
    assert written == expected
    assert calls("olmo3", written, config=ParserConfig(reasoning="closed")) == [("f", arguments, "complete")]
    assert format.render_result("f", "ok") == "<|im_start|>environment\nok<|im_end|>"


def test_pythonic() -> None:
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
def test_pythonic_refuses_names_that_would_not_be_recognised(name: str) -> None:
    with pytest.raises(RenderError, match=r"^the name .* cannot be written in this format$"):
        formats.get("pythonic").render_call(name, {})


def test_solar_writes_an_id_between_tokens() -> None:
    solar = formats.get("solar_open")
    assert "<|tool_call:begin|>0<|" in solar.render_call("f", {})
    assert "<|tool_call:begin|>c-1<|" in solar.render_call("f", {}, "c-1")
    with pytest.raises(RenderError, match=r"the id '<\|' cannot be written"):
        solar.render_call("f", {}, "<|")
