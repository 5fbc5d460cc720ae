"""What is easy to get wrong, in one format or another, and is no matter of one text. (Texts: tests/corpus.)"""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, RenderError, StreamingResponseHandler, formats
from streamparse.testing import segments
from tests.formats.kit import call, calls, rows, text

CLOSED = ParserConfig(reasoning="closed")


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
        ("hermes", '<tool_call>{"name":"f","arguments":{"a":{"b":1}'),
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


@pytest.mark.parametrize("format", ["functionary_v31", "llama3_json"])
@pytest.mark.parametrize("end", ["finalize", "abort"])
def test_code_is_only_complete_if_its_end_was_seen(format: str, end: str) -> None:
    """A reply that was cut off by its length ends like any other: half a command must not be run."""
    for written, status in (("<|python_tag|>rm -r /tmp/a", "truncated"), ("<|python_tag|>ls<|eom_id|>", "complete")):
        handler = StreamingResponseHandler(format)
        handler.feed(written)
        getattr(handler, end)()
        assert [(made.name, made.status) for made in handler.invocations] == [("python", status)]


@pytest.mark.parametrize("others", [["harmony"], ["jamba"], ["xml"], []])
def test_a_reply_begins_for_all_formats_that_are_chosen(others: list[str]) -> None:
    assert calls([*others, "llama3_json"], '{"name":"f","parameters":{"a":1}}') == [("f", {"a": 1}, "complete")]


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
    "deepseek_v41": "</｜DSML｜ parameter>",
    "gigachat35": "</｜GCML｜parameter>",
    "hy_v4": "</arg_value>",
    "iquest_q1": "</arg_value>",
    "spark25": "</arg_value>",
    "k2_horizon": "</ifm|arg_value>",
    "beam": "\n</rfl:parameter>",
    "minimax_m2": "</parameter>",
    "dots": "</parameter>",
    "step3": "</steptml:parameter>",
    "minicpm5": "</param>",
    "kimi_k3": "<|close|>argument<|sep|>",
}


@pytest.mark.parametrize("format", CLOSERS)
def test_a_forgotten_closer_makes_data_of_the_next_call(format: str) -> None:
    """The closer of the next call's argument fits, so all before it is the value: no one can tell it from data."""
    known = formats.get(format)
    first = known.render_call("f", {"a": "one"})
    assert CLOSERS[format] in first
    text = f"{first.replace(CLOSERS[format], '')}Now.{known.render_call('g', {'a': 'two', 'b': 'three'})}"
    whole = None
    for chunks in ([text], list(text)):
        handler = StreamingResponseHandler(format, config=CLOSED)
        events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
        made = [(made.name, made.arguments, made.status, made.repaired) for made in handler.invocations]
        ((name, arguments, status, is_repaired),) = made
        assert (name, arguments["b"].strip(), status, is_repaired) == ("f", "three", "complete", False)
        assert arguments["a"].strip().startswith("one")
        assert arguments["a"].strip().endswith("two")
        rows = segments(events)
        assert whole in (None, rows)
        whole = rows


@pytest.mark.parametrize("formats", [["pythonic", "hunyuan_a13b"], ["hunyuan_a13b", "llama4_pythonic"]])
def test_blanks_at_a_line_begin_that_another_format_takes_are_left_for_it(formats: list[str]) -> None:
    config = ParserConfig(reasoning="closed")
    assert rows(formats, "a\n\n</answer>", config=config) == [text("a\n")]
    assert rows(formats, "a\n\n[f(a=1)]", config=config) == [text("a\n\n"), call("f", "a=1")]
