"""formats/llama3.py: behind a special token. (For the beginning of the reply see tests/states.)"""

from __future__ import annotations

import pytest

from streamparse import formats
from streamparse.errors import RenderError
from tests.formats.kit import call, calls, rows, text

TAG = "<|python_tag|>"
WEATHER = '{"name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}'
NOOP = '{"name": "noop", "parameters": {}}'
FOUND = [call("get_weather", '{"city": "Oslo", "days": 2}'), call("noop", "{}")]


@pytest.mark.parametrize(
    "content", [f"{TAG}{WEATHER}; {NOOP}", f"{TAG} {WEATHER};{NOOP}<|eot_id|>", f"{TAG}{WEATHER}{NOOP}"]
)
@pytest.mark.parametrize("format", ["llama3_json", "auto"])
def test_the_samples(format: str, content: str) -> None:
    assert rows(format, content) == FOUND
    assert calls(format, content) == [
        ("get_weather", {"city": "Oslo", "days": 2}, "complete"),
        ("noop", {}, "complete"),
    ]


def test_the_markers_of_llama_4() -> None:
    content = f"Hi <|python_start|>{WEATHER}; {NOOP}<|python_end|><|eot|>"
    assert rows("llama3_json", content) == [text("Hi "), *FOUND]


def test_a_built_in_tool() -> None:
    content = f'Hi {TAG}brave_search.call(query="oslo (no)")<|eom_id|> ok'
    assert rows("llama3_json", content) == [text("Hi "), call("brave_search", 'query="oslo (no)"'), text(" ok")]
    assert calls("llama3_json", content) == [("brave_search", {"query": "oslo (no)"}, "complete")]
    content = f"{TAG}brave_search.call(query=<|eom_id|> ok"
    error = "the ')' behind the arguments is missing"
    assert rows("llama3_json", content) == [
        call("brave_search", "query=", status="malformed", error=error),
        text(" ok"),
    ]


@pytest.mark.parametrize("code", ["print(1)", "brave_search.call = 1", "x", " x=1", "", "[1]", "os.calls(1)"])
def test_what_is_none_of_these_is_code(code: str) -> None:
    content = f"Hi {TAG}{code}<|eom_id|> ok"
    for format in ("llama3_json", "llama3_code", "auto"):
        assert rows(format, content) == [text("Hi "), call("python", code), text(" ok")]
        assert calls(format, content) == [("python", {"code": code}, "complete")]


def test_code_that_does_not_end_is_truncated() -> None:
    assert rows("llama3_json", f"{TAG}x = 1\n") == [call("python", "x = 1\n", status="truncated")]


def test_a_call_that_is_no_json_is_malformed() -> None:
    content = f"{TAG}{{'name': 'f'}}<|eom_id|> ok"
    assert rows("llama3_json", content)[1:] == [text(" ok")]
    assert [status for _, _, status in calls("llama3_json", content)] == ["malformed"]


def test_as_they_are_written() -> None:
    llama, code = formats.get("llama3_json"), formats.get("llama3_code")
    assert llama.render_call("get_weather", {"city": "Oslo", "days": 2}) == f"{TAG}{WEATHER}"
    assert llama.render_result("f", "ok") == "<|start_header_id|>ipython<|end_header_id|>\n\nok<|eot_id|>"
    assert code.render_call("python", {"code": "a\nb"}) == f"{TAG}a\nb<|eom_id|>"
    assert f"{TAG}print(6 * 7)<|eom_id|>" in code.instructions([{"name": "python"}])


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (1, "code is called with one argument, code, which is a string"),
        ("x<|eom_id|>", "the code would be read as something else"),
        (" {1}", "the code would be read as something else"),
        ("; {1}", "the code would be read as something else"),
        ("x.call(1)", "the code would be read as something else"),
    ],
)
def test_code_that_cannot_be_written_is_refused(code: object, why: str) -> None:
    with pytest.raises(RenderError, match=f"^{why}$"):
        formats.get("llama3_code").render_call("python", {"code": code})
    with pytest.raises(RenderError):
        formats.get("llama3_code").render_call("python", {"code": "x", "more": 1})
    with pytest.raises(RenderError):
        formats.get("llama3_code").render_call("ruby", {"code": "x"})
