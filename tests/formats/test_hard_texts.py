"""Texts that are easy to get wrong, in one format or another."""

from __future__ import annotations

import pytest

from streamparse import Limits, ParserConfig, RenderError, StreamingResponseHandler, formats, parse
from streamparse.testing import segments
from tests.formats.kit import call, calls, rows, text

CLOSED = ParserConfig(reasoning="closed")
F = '{"name":"f","arguments":{"a":{"b":1}'
G = '{"name": "g", "arguments": {}}'
EARLY = {"status": "malformed", "error": "the call is not JSON: it ends too early"}


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("hermes", f"<tool_call>{F}</tool_call> More <tool_call>{G}</tool_call>"),
        ("jamba", f"<tool_calls>[{F}]</tool_calls> More <tool_calls>[{G}]</tool_calls>"),
        ("dots", f'<dots_function_call><invoke name="f">{F}</invoke></dots_function_call> '
                 '<dots_function_call><invoke name="g"></invoke></dots_function_call>'),
    ],
)  # fmt: skip
def test_a_missing_brace_does_not_swallow_the_next_call(format: str, text: str) -> None:
    assert calls(format, text) == [("f", {}, "malformed"), ("g", {}, "complete")]


def test_what_only_looks_like_an_end_is_part_of_a_broken_body() -> None:
    text = '<dots_function_call><invoke name="f">{"a": <b}</invoke></dots_function_call>.'
    for chunks in ([text], list(text)):
        assert segments(parse(chunks, "dots")) == [
            ("tool_call", {"tool_name": "f"}, '{"a": <b}', {}),
            ("text", {}, ".", {}),
        ]


@pytest.mark.parametrize("call_id", ['a"b', "", "é b", "x<|sep|>"])
def test_an_id_is_written_so_that_it_is_read_or_refused(call_id: str) -> None:
    for name in formats.names():
        if formats.get(name).prompt is None or name == "llama3_code":
            continue
        try:
            text = formats.get(name).render_call("f", {"a": "x"}, call_id)
        except RenderError:
            continue
        tools = [{"name": "f", "parameters": {"properties": {"a": {}}}}] if formats.get(name).tools else ()
        assert [made[:2] for made in calls(name, text, config=CLOSED, tools=tools)] == [("f", {"a": "x"})], (name, text)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("qwen3_coder", "<function=write_file><parameter=content>\nsee </function>"),
        ("xml", '<tool name="x"><arg name="a">v</tool>'),
        ("hermes", f"<tool_call>{F}"),
        ("json", '{"name": "f", "arguments": {}'),
        ("cline", "<write_to_file><path>a</path><content>x</write_to_file>"),
        ("roo", "<insert_content><path>a</path><content>x</insert_content>"),
    ],
)
def test_nothing_is_complete_in_a_stream_that_broke_off(format: str, text: str) -> None:
    handler = StreamingResponseHandler(format)
    handler.feed(text)
    handler.abort()
    assert [(made.status, made.repaired) for made in handler.invocations] == [("truncated", False)]


@pytest.mark.parametrize(
    "first",
    ['<tool name="x"><a>1</a></tool>', '[[SEG_START {"type": "run_bash"}]]ls[[SEG_END]]', "<run_bash>ls</run_bash>"],
)
def test_auto_is_settled_by_the_classic_formats_too(first: str) -> None:
    second = f"<tool_call>{G}</tool_call>"
    assert [row[0] for row in segments(parse(f"{first} {second}", "auto"))][1:] == ["text"]
    assert [row[0] for row in segments(parse(f"{second} {first}", "auto"))] == ["tool_call", "text"]


@pytest.mark.parametrize("others", [["harmony"], ["jamba"], ["xml"], []])
def test_a_reply_begins_for_all_formats_that_are_chosen(others: list[str]) -> None:
    assert calls([*others, "llama3_json"], '{"name":"f","parameters":{"a":1}}') == [("f", {"a": 1}, "complete")]


def test_a_stray_backtick_hides_no_special_token() -> None:
    call = '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>'
    text = f"<|channel|>commentary<|message|>Quote with `.<|end|>{call}"
    for chunks in ([text], list(text)):
        assert segments(parse(chunks, "harmony")) == [
            ("text", {}, "Quote with `.", {}),
            ("tool_call", {"tool_name": "f"}, '{"a": 1}', {}),
        ]
    for chunks in (["Press the ` key.<|im_end|>"], list("Press the ` key.<|im_end|>")):
        assert segments(parse(chunks, "hermes")) == [("text", {}, "Press the ` key.", {})]
    mention = "See `<tool_call>{` for that"
    assert segments(parse(mention, "hermes")) == [("text", {}, mention, {})]


@pytest.mark.parametrize("second", ["arguments", "parameters"])
def test_arguments_that_are_given_twice_are_not_chosen_from(second: str) -> None:
    text = f'<tool_call>{{"name": "f", "arguments": {{"a": 1}}, "{second}": {{"a": 2}}}}</tool_call>'
    assert calls("hermes", text) == [("f", {}, "malformed")]


#: What closes a parameter.
CLOSERS = {
    "qwen3_coder": "\n</parameter>",
    "mimo": "</parameter>",
    "seed_oss": "</parameter>",
    "glm45": "</arg_value>",
    "glm47": "</arg_value>",
    "hunyuan3": "</arg_value>",
    "deepseek_v32": "</｜DSML｜parameter>",
    "deepseek_v4": "</｜DSML｜parameter>",
    "minimax_m2": "</parameter>",
    "dots": "</parameter>",
    "step3": "</steptml:parameter>",
    "minicpm5": "</param>",
    "kimi_k3": "<|close|>argument<|sep|>",
}


@pytest.mark.parametrize("format", CLOSERS)
def test_a_forgotten_closer_does_not_swallow_the_next_call(format: str) -> None:
    known = formats.get(format)
    first = known.render_call("f", {"a": "one"})
    assert CLOSERS[format] in first
    text = f"{first.replace(CLOSERS[format], '')}Now.{known.render_call('g', {'a': 'two', 'b': 'three'})}"
    whole = None
    for chunks in ([text], list(text)):
        handler = StreamingResponseHandler(format, config=CLOSED)
        events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
        made = [(made.name, made.arguments, made.status, made.repaired) for made in handler.invocations]
        assert made[1:] == [("g", {"a": "two", "b": "three"}, "complete", False)]
        assert made[0][0] == "f"
        assert made[0][1]["a"].strip() == "one"
        assert made[0][2:] == ("complete", True)
        rows = segments(events)
        assert ("text", {}, "Now.", {}) in rows
        assert whole in (None, rows)
        whole = rows


@pytest.mark.parametrize("formats", [["pythonic", "hunyuan_a13b"], ["hunyuan_a13b", "llama4_pythonic"]])
def test_blanks_at_a_line_begin_that_another_format_takes_are_left_for_it(formats: list[str]) -> None:
    config = ParserConfig(reasoning="closed")
    assert rows(formats, "a\n\n</answer>", config=config) == [text("a\n")]
    assert rows(formats, "a\n\n[f(a=1)]", config=config) == [text("a\n\n"), call("f", "a=1")]


@pytest.mark.parametrize("max_tag", range(1, 16))
def test_a_header_longer_than_the_limit_is_text(max_tag: int) -> None:
    config = ParserConfig(limits=Limits(max_tag=max_tag))
    assert rows("sentinel", "a[[SEG_START {}]]b", config=config) == [text("a[[SEG_START {}]]b")]


def test_an_escape_in_what_may_begin_a_call_is_waited_for() -> None:
    head = "<|channel|>commentary to=functions."
    written = f'{head}f<|message|>{{"a": "b}}<|call|><|start|>assistant<|channel|>\\x<|message|>" c'
    assert rows("harmony", written)[0] == call("f", '{"a": "b}', **EARLY)
