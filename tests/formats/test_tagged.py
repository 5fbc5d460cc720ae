"""The formats with parameters in tags: samples of each, what models do to them, and how they are written."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, StreamingResponseHandler, formats
from streamparse.errors import RenderError
from streamparse.testing import Segment
from tests.formats.kit import read, tool

TOOLS = [tool("get_weather", city="string", days="integer")]
WEATHER = ("get_weather", {"city": "Oslo", "days": 2})
NOOP = ("noop", {})
NS = "]<]minimax[>["

_CITY, _DAYS = '<parameter name="city">Oslo</parameter>', '<parameter name="days">2</parameter>'
_PAIRS = "<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>"
_INLINE = "<parameter=city>Oslo</parameter>\n<parameter=days>2</parameter>"
_DSML = (
    '<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n'
    '<｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>'
)
_XTML = (
    '<|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|>'
    '<|open|>argument key="days" type="number"<|sep|>2<|close|>argument<|sep|>'
)

#: By format: the content of the call of the samples, the first of them, which is also how it is written, and what
#: makes the second of it: the first call and another.
SAMPLES: dict[str, tuple[str, str, str]] = {
    "qwen3_coder": (
        "<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>",
        "<tool_call>\n<function=get_weather>\n%s\n</function>\n</tool_call>",
        "<tool_call>\n<function=get_weather>\n%s\n</function>\n<function=noop>\n</function>\n</tool_call>",
    ),
    "mimo": (
        _INLINE,
        "<tool_call>\n<function=get_weather>\n%s\n</function>\n</tool_call>",
        "<tool_call><function=get_weather>%s</function></tool_call><tool_call><function=noop></function></tool_call>",
    ),
    "seed_oss": (
        _INLINE,
        "<seed:tool_call>\n<function=get_weather>\n%s\n</function>\n</seed:tool_call>",
        "<seed:tool_call>\n<function=get_weather>\n%s\n</function>\n<function=noop></function></seed:tool_call>",
    ),
    "glm45": (
        _PAIRS,
        "<tool_call>get_weather\n%s\n</tool_call>",
        "<tool_call>get_weather\n%s\n</tool_call><tool_call>noop\n</tool_call>",
    ),
    "glm47": (
        _PAIRS.replace("\n", ""),
        "<tool_call>get_weather%s</tool_call>",
        "<tool_call>get_weather%s</tool_call><tool_call>noop</tool_call>",
    ),
    "hunyuan3": (
        _PAIRS,
        "<tool_calls>\n<tool_call>get_weather<tool_sep>\n%s\n</tool_call>\n</tool_calls>",
        "<tool_calls>\n<tool_call>get_weather<tool_sep>\n%s\n</tool_call>\n"
        "<tool_call>noop<tool_sep>\n</tool_call>\n</tool_calls>",
    ),
    "deepseek_v32": (
        _DSML,
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n'
        "%s\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n%s\n</｜DSML｜invoke>\n'
        '<｜DSML｜invoke name="noop">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ),
    "deepseek_v4": (
        _DSML,
        '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n%s\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
        '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n%s\n</｜DSML｜invoke>\n'
        '<｜DSML｜invoke name="noop"/></｜DSML｜tool_calls>',
    ),
    "minimax_m2": (
        f"{_CITY}\n{_DAYS}",
        '<minimax:tool_call>\n<invoke name="get_weather">\n%s\n</invoke>\n</minimax:tool_call>',
        '<minimax:tool_call>\n<invoke name="get_weather">\n%s\n</invoke>\n'
        '<invoke name="noop">\n</invoke>\n</minimax:tool_call>',
    ),
    "minimax_m3": (
        f"{NS}<city>Oslo{NS}</city>{NS}<days>2{NS}</days>",
        f'{NS}<tool_call>{NS}<invoke name="get_weather">%s{NS}</invoke>{NS}</tool_call>',
        f'{NS}\n<tool_call>{NS}<invoke name="get_weather">\n%s\n{NS}</invoke>\n'
        f'{NS}<invoke name="noop">{NS}</invoke>{NS} </tool_call>',
    ),
    "step3": (
        f"{_CITY}\n{_DAYS}".replace("parameter", "steptml:parameter"),
        '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather">\n'
        "%s\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>",
        '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather">\n'
        "%s\n</steptml:invoke><｜tool_call_end｜>\n"
        '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="noop">\n</steptml:invoke>'
        "<｜tool_call_end｜>\n<｜tool_calls_end｜>",
    ),
    "dots": (
        f"{_CITY}\n{_DAYS}",
        '<dots_function_call>\n<invoke name="get_weather">\n%s\n</invoke>\n</dots_function_call>',
        '<dots_function_call>\n<invoke name="get_weather">\n%s\n</invoke>\n'
        '<invoke name="noop">\n</invoke>\n</dots_function_call>',
    ),
    "minicpm5": (
        f"{_CITY}{_DAYS}".replace("parameter", "param"),
        '<function name="get_weather">%s</function>',
        '<function name="get_weather">%s</function><function name="noop"></function>',
    ),
    "kimi_k3": (
        _XTML,
        '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>%s'
        "<|close|>call<|sep|><|close|>tools<|sep|>",
        '<|open|>tools<|sep|><|open|>call tool="get_weather"<|sep|>%s<|close|>call<|sep|>'
        '<|open|>call tool="noop"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ),
}


def text(content: str) -> Segment:
    return ("text", {}, content, {})


def thought(content: str) -> Segment:
    return ("reasoning", {}, content, {})


def call(name: str, content: str = "") -> Segment:
    return ("tool_call", {"tool_name": name}, content, {})


# -- samples ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_one_call_with_text_around_it(name: str) -> None:
    content, one, _ = SAMPLES[name]
    found = read(name, f"Hi {one % content} bye", TOOLS, reasoning="closed")
    metadata = {"tool_name": "get_weather", **({"call_id": "1"} if name == "kimi_k3" else {})}
    assert found.rows == [text("Hi "), ("tool_call", metadata, content, {}), text(" bye")]
    assert found.calls == [WEATHER]


@pytest.mark.parametrize("name", SAMPLES)
def test_two_calls_the_second_without_arguments(name: str) -> None:
    content, _, two = SAMPLES[name]
    found = read(name, two % content, TOOLS)
    assert found.rows == [call("get_weather", content), call("noop")]
    assert found.calls == [WEATHER, NOOP]
    assert found.states == [("complete", False, None)] * 2


@pytest.mark.parametrize("name", SAMPLES)
def test_auto_finds_the_format(name: str) -> None:
    content, one, two = SAMPLES[name]
    for sample, calls in ((one, [WEATHER]), (two, [WEATHER, NOOP])):
        found = read("auto", "Hi " + sample % content, TOOLS)
        assert found.rows[0] == text("Hi ")
        assert found.calls == calls


def test_auto_tells_apart_what_begins_alike() -> None:
    for sample in (
        '<tool_call>{"name": "noop", "arguments": {}}</tool_call>',
        "<tool_call><function=noop></function></tool_call>",
        "<tool_call>noop</tool_call>",
        "<tool_call>noop<tool_sep></tool_call>",
        "<function=noop></function>",
        '<function name="noop"></function>',
    ):
        assert read("auto", sample).calls == [NOOP]
    assert read("auto", "<tool_call>no op</tool_call>").rows == [text("<tool_call>no op</tool_call>")]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        *(("qwen3_xml", "qwen3_coder"), ("nemotron_v3", "qwen3_coder"), ("step3p5", "qwen3_coder"), ("glm", "glm45")),
        *(("poolside_v1", "glm45"), ("ling3", "glm47"), ("hy_v3", "hunyuan3"), ("seed", "seed_oss")),
    ],
)
def test_other_names(alias: str, name: str) -> None:
    assert formats.get(alias) is formats.get(name)


# -- reasoning and tokens ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "before", "rows"),
    [
        ("qwen3_coder", "<think>hm</think></think>", [thought("hm")]),
        ("qwen3_coder", "<think>hm", [thought("hm")]),
        (
            "seed_oss",
            "<seed:think>a<seed:cot_budget_reflect>b</seed:cot_budget_reflect>c</seed:think>",
            [thought("abc")],
        ),
        ("glm45", "<think>hm", [thought("hm")]),
        ("hunyuan3", "<think:opensource>hm</think:opensource>a</think>", [thought("hm"), text("a")]),
        ("deepseek_v4", "<think>hm", [thought("hm")]),
        ("minimax_m2", "hm</think>", [thought("hm")]),
        ("minimax_m3", "</mm:think><mm:think>hm</mm:think>", [thought("hm")]),
        ("kimi_k3", "<|open|>think<|sep|>hm<|close|>think<|sep|>", [thought("hm")]),
        ("kimi_k3", "hm<|open|>response<|sep|>a<|close|>response<|sep|>", [thought("hm"), text("a")]),
        ("kimi_k3", "hm", [thought("hm")]),
    ],
)
def test_reasoning_before_a_call(name: str, before: str, rows: list[Segment]) -> None:
    content, _, two = SAMPLES[name]
    assert read(name, before + two % content).rows == [*rows, call("get_weather", content), call("noop")]


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("qwen3_coder", "a<|im_end|>b<|endoftext|>"),
        ("seed_oss", "ab<seed:eos>"),
        ("glm45", "<|begin_of_box|>ab<|end_of_box|><|user|>"),
        ("deepseek_v32", "a<｜DSML｜function_calls>b<｜end▁of▁sentence｜>"),
        ("minimax_m3", "ab[e~["),
        (
            "kimi_k3",
            "<|close|>think<|sep|><|open|>response<|sep|>ab<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>",
        ),
    ],
)
def test_special_tokens_are_never_shown(name: str, reply: str) -> None:
    assert read(name, reply).rows == [text("ab")]


# -- what models do ---------------------------------------------------------------------------------------------------


def test_a_function_may_stand_without_the_tag_around_it() -> None:
    found = read("qwen3_coder", "a <function=f>\n<parameter=x>1</parameter></function>\n</tool_call> b <function=g>.")
    assert found.rows == [text("a "), call("f", "<parameter=x>1</parameter>"), text(" b <function=g>.")]


@pytest.mark.parametrize("gap", ["", "\n", "\\n", " \\n\n"])
def test_a_line_break_may_be_two_characters(gap: str) -> None:
    content = f"<arg_key>city</arg_key>{gap}<arg_value>Oslo</arg_value>"
    found = read("glm45", f"<tool_call>f{gap}{content}\n</tool_call>")
    assert found.rows == [call("f", content)]
    assert found.calls == [("f", {"city": "Oslo"})]


def test_a_suffix_may_stand_in_every_tag() -> None:
    content = "<arg_key:x>a</arg_key:x>\n<arg_value:x></arg_value></arg_value:x>"
    first = f"<tool_call:x>f<tool_sep:x>{content}</tool_call:x>"
    found = read("hy_v3", f"<tool_calls:x>{first}<tool_call:x>g<tool_sep:x></tool_call:x></tool_calls:x>")
    assert found.rows == [call("f", content), call("g")]
    assert found.calls == [("f", {"a": "</arg_value>"}), ("g", {})]


def test_dots_may_write_json_instead() -> None:
    found = read("dots", '<dots_function_call>{"name": "f", "arguments": {"a": 1}}</dots_function_call>.')
    assert found.rows == [call("f", '{"a": 1}'), text(".")]
    assert found.calls == [("f", {"a": 1})]


def test_an_index_is_the_id_and_names_are_escaped() -> None:
    found = read("kimi_k3", '<|open|>call tool="a&amp;b" index="7"<|sep|><|close|>message<|sep|>')
    assert found.rows == [("tool_call", {"tool_name": "a&b", "call_id": "7"}, "", {"repaired": True})]


# -- the prompt side --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_calls_are_written_as_the_model_does(name: str) -> None:
    content, one, _ = SAMPLES[name]
    assert formats.get(name).render_call(*WEATHER) == one % content


@pytest.mark.parametrize("name", SAMPLES)
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


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_written_is_read_the_same(name: str, value: Any) -> None:
    kinds = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
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
        ("qwen3_coder", {"a": "</function>" + "x" * 600_000}),
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
