"""The formats with parameters in tags: how they are written, and that it is read the same. (Texts: tests/corpus.)"""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, StreamingResponseHandler, formats
from streamparse.errors import RenderError
from tests.formats.kit import tool
from tests.formats.open.samples import a_call

WEATHER = ("get_weather", {"city": "Oslo", "days": 2})
NS = "]<]minimax[>["

NAMES = [
    *("qwen3_coder", "mimo", "seed_oss", "glm45", "glm47", "hunyuan3", "deepseek_v32", "deepseek_v4", "minimax_m2"),
    *("minimax_m3", "step3", "dots", "minicpm5", "kimi_k3", "deepseek_v41", "gigachat35", "hy_v4", "iquest_q1"),
    *("spark25", "k2_horizon", "beam", "granite_thinking", "minicpmv"),
]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        *(("qwen3_xml", "qwen3_coder"), ("nemotron_v3", "qwen3_coder"), ("step3p5", "qwen3_coder"), ("glm", "glm45")),
        *(("nanbeige", "qwen3_coder"), ("ornith", "qwen3_coder")),
        *(("poolside_v1", "glm45"), ("ling3", "glm47"), ("hy_v3", "hunyuan3"), ("seed", "seed_oss")),
    ],
)
def test_other_names(alias: str, name: str) -> None:
    assert formats.get(alias) is formats.get(name)


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_written_as_the_model_does(name: str) -> None:
    assert formats.get(name).render_call(*WEATHER) == a_call(name)


@pytest.mark.parametrize("name", NAMES)
def test_results_and_instructions_are_written(name: str) -> None:
    format = formats.get(name)
    assert '{"ok": true}' in format.render_result("f", {"ok": True}, "1")
    assert format.render_call("f", {}) in format.instructions([{"name": "f"}])


VALUES: list[Any] = [
    *(
        "",
        " x ",
        "\n",
        "\n\nx\n",
        "\r",
        "\r\n",
        "\rx\r",
        "\r\nx\r\n",
        "\n\rx\n\r",
        "true",
        "null",
        "1",
        '"x"',
        "{}",
        "a < b & c > d",
        "&lt;",
        "it's",
        "é\0\ud800",
        "]]>",
    ),
    *("</function>", "</invoke> x", "</tool_call>", "x</parameter>y", "<![CDATA[x]]>", "</param>", "</arg_value>."),
    *(0, -1.5, 10**30, True, False, None, [], {}, [1, "a", None, [True]], {"a": {"b": [1, {"c": "x"}]}}, ["a", "b"]),
    *(
        {"a": "x", "item": "y"},
        {"item": "x"},
        {"a": [{"b": "c"}]},
        ["</parameter></function>", NS],
        ["&lt;"],
        {"a": NS + "</a>"},
    ),
]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_read_the_same(name: str) -> None:
    kinds = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
    for value in VALUES:
        tools = [tool("f", x=kinds.get(type(value), "null"), other="string")]
        rendered = formats.get(name).render_call("f", {"x": value, "other": "y"})
        assert read_whole(name, f"a {rendered} b", tools) == [("f", {"x": value, "other": "y"}, "complete", False)]


def read_whole(name: str, text: str, tools: Any) -> list[Any]:
    handler = StreamingResponseHandler(name, tools=tools, config=ParserConfig(reasoning="closed"))
    handler.feed(text)
    handler.finalize()
    return [(made.name, made.arguments, made.status, made.repaired) for made in handler.invocations]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("qwen3_coder", {"a": "</parameter>\n</function>"}),
        ("qwen3_coder", {"a": "x<parameter=b>"}),
        ("qwen3_coder", {"a": "</parameter><parameter=b>"}),
        *(("qwen3_coder", {key: "x"}) for key in ("", " a", "a>", "<", "a\nb", "a" * 300)),
        ("qwen3_coder", {"a": float("nan")}),
        ("qwen3_coder", {"a": {1, 2}}),
        ("qwen3_coder", {"a": "</function>" + "x" * 1_200_000}),
        ("glm45", {"a": "</arg_value></tool_call>"}),
        ("minimax_m2", {'"': "x"}),
        ("minicpm5", {"a": "]]></param></function></param></function>"}),
        ("minimax_m3", {"a": f"{NS}</a>"}),
        *(("minimax_m3", {key: "x"}) for key in ("invoke", "tool_call", "a/b", "a>", "")),
        ("minimax_m3", {"a": "x", "A ": "y"}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_would_be_read_differently_is_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(RenderError):
        formats.get(name).render_call("f", arguments)


def test_a_key_that_is_read_as_another_is_refused() -> None:
    for name in ("qwen3_coder", "minimax_m3"):
        for arguments in ({"a": 1, "a ": 2}, {"a": 1, " a": 1}):
            with pytest.raises(RenderError):
                formats.get(name).render_call("f", arguments)


def test_json_that_is_nested_deeper_than_python_follows() -> None:
    value: Any = "x"
    for _ in range(500):
        value = [value]
    assert formats.get("minimax_m3").render_call("f", {"a": value}).count("[") > 500
