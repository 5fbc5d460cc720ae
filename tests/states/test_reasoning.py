"""states/reasoning.py: markers that are no tags, reasoning that the prompt opens or nobody, calls that end it."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, StreamingParser, formats
from streamparse.formats import Format
from streamparse.formats.thinking import between
from streamparse.testing import Segment
from tests.formats.kit import call, reasoning, rows, text

OPEN = ParserConfig(reasoning="open")
CLOSED = ParserConfig(reasoning="closed")
CUT = {"status": "truncated"}
CALL = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
CALLED = call("f", "{}")


def was_reasoning(content: str) -> Segment:
    """Text of which END says that it was reasoning."""
    return ("text", {}, content, {"reasoning": True})


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("[THINK]a[/THINK]b", [reasoning("a"), text("b")]),
        ("[THINK]a</think>b", [reasoning("a"), text("b")]),
        ("<think>a[/THINK]b", [reasoning("a"), text("b")]),
        ("[THINK][/THINK]b", [reasoning(""), text("b")]),
        ("[THINK]a[THINK]b[/THINK][THINK]c", [reasoning("a[THINK]b"), reasoning("c", **CUT)]),
        ("[THINK]a[/TH", [reasoning("a[/TH", **CUT)]),
        ("[think]a[/THINK]b", [was_reasoning("[think]a"), text("b")]),
        ("[THINK]`[/THINK]`b", [reasoning("`"), text("`b")]),
        ("[THINK]a</s>b", [reasoning("ab", **CUT)]),
    ],
)
def test_reasoning_between_markers(reply: str, expected: list[Segment]) -> None:
    assert rows("mistral", reply) == expected


def test_a_call_in_a_code_span_of_reasoning() -> None:
    """Ended behind the call, the span may be a stray backtick: then the call is repaired."""
    reply = "[THINK]`[TOOL_CALLS]f{}`[/THINK]"
    assert rows("mistral", reply, is_mended=True) == [reasoning("`[TOOL_CALLS]f{}`")]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("a[/THINK]b", [reasoning("a"), text("b")]),
        ("a</think>b", [reasoning("a"), text("b")]),
        ("[THINK]a[/THINK]b", [reasoning("a"), text("b")]),
        ("[THI", [reasoning("[THI", **CUT)]),
        ("a[TOOL_CALLS]f{}b", [reasoning("a[TOOL_CALLS]f{}b", **CUT)]),
        ("[TOOL_CALLS]f{}[/THINK][TOOL_CALLS]g{}", [reasoning("[TOOL_CALLS]f{}"), call("g", "{}")]),
        ("[/THINK]b", [text("b")]),
        ("", []),
    ],
)
def test_reasoning_that_the_prompt_has_opened(reply: str, expected: list[Segment]) -> None:
    assert rows("mistral", reply, config=OPEN) == expected


def test_blanks_in_an_opener_that_may_be_repeated_are_waited_past_only_where_any_may_stand() -> None:
    assert rows("hermes", "<think \n\n>a</think>", config=OPEN) == [reasoning("a")]
    assert rows("apriel", "Here  are", config=OPEN) == [reasoning("Here  are", **CUT)]
    assert rows("granite3", "a `Here  is` Here is my response:", config=OPEN) == [reasoning("a `Here  is` ")]


def test_a_call_that_does_not_end_reasoning_is_reasoning() -> None:
    reply = '<think>a<tool_call>{"name": "f"}</tool_call></think>'
    assert rows("hermes", reply) == [reasoning('a<tool_call>{"name": "f"}</tool_call>')]


def test_a_call_that_stands_in_reasoning_does_not_end_it() -> None:
    reply = '<|inner_prefix|>a<|tools_prefix|>[{"f": {}}]<|tools_suffix|>b'
    assert rows("apertus", reply) == [reasoning("a"), call("f", "{}"), reasoning("b", **CUT)]


# -- closers that nothing has opened -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("a</think>b", [was_reasoning("a"), text("b")]),
        ("a</think>", [was_reasoning("a")]),
        ("</think>b", [text("b")]),
        ("\n</think>b", [was_reasoning("\n"), text("b")]),
        ("a</think></think>\n</think>b", [was_reasoning("a"), text("\nb")]),
        ("a</think>b</think>c", [was_reasoning("a"), text("b</think>c")]),
        (f"a{CALL}b</think>c", [text("a"), CALLED, was_reasoning("b"), text("c")]),
        (f"a{CALL}</think>c", [text("a"), CALLED, text("c")]),
        (f"a</think>{CALL}</think>b", [was_reasoning("a"), CALLED, text("b")]),
        ("a</think>b</thi", [was_reasoning("a"), text("b</thi")]),
        ("a</thi", [text("a</thi")]),
        ("<think>a</think>b</think>c", [reasoning("a"), text("b</think>c")]),
        ("<think>a</think></think>\n</think>b", [reasoning("a"), text("\nb")]),
        ("<think>a</think> <think>b</think></think>c", [reasoning("a"), text(" "), reasoning("b"), text("c")]),
        ("<think>a</think>`b`</think>c", [reasoning("a"), text("`b`</think>c")]),
        ("<think>a", [reasoning("a", **CUT)]),
    ],
)
def test_a_closer_that_nothing_opened(reply: str, expected: list[Segment]) -> None:
    """The text before it was reasoning; unless the answer has begun, or there is none."""
    assert rows("hermes", reply) == expected


@pytest.mark.parametrize("reply", ["a</think>b", f"{CALL}a</think>b", "a</think></think>"])
def test_no_text_is_lost_where_the_caller_says_that_nothing_was_opened(reply: str) -> None:
    shown = rows("hermes", reply, config=CLOSED)
    assert shown[-1] == text(reply.removeprefix(CALL))
    assert all(row[3] == {} for row in shown)


def test_closers_before_the_answer_are_swallowed_whoever_says_that_there_is_none_to_close() -> None:
    assert rows("hermes", "</think>\n\n</think>b", config=CLOSED) == [text("\n\nb")]
    assert rows("hermes", f"\n{CALL}</think>b", config=CLOSED) == [text("\n"), CALLED, text("b")]
    assert rows("hermes", "`</think>", config=CLOSED) == [text("`</think>")]


@pytest.mark.parametrize(
    ("format", "begin"),
    [
        ("xml", "\n```\na\n```\n"),
        ("xml", "\n> a\n"),
        ("xml", "\n` "),
        ("hermes", "<tool_response>a</tool_response>"),
        ("json", '{"a": 1}'),
    ],
)
def test_the_answer_begins_with_text_whatever_reads_it(format: str, begin: str) -> None:
    config = ParserConfig(reasoning="closed", code="text")
    assert rows(format, f"{begin}</think>b", config=config) == [text(f"{begin}</think>b")]
    assert rows("xml", "\n</think>b", config=config) == [text("\nb")]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("see `</think>` a</think>b", [was_reasoning("see `</think>` a"), text("b")]),
        ("```\n</think>\n```\na</think>b", [was_reasoning("```\n</think>\n```\na"), text("b")]),
        ("````\n```\n</think>\n````\n</think>b", [was_reasoning("````\n```\n</think>\n````\n"), text("b")]),
        ("```\n</think>", [text("```\n</think>")]),
        (f"```\n{CALL}</think>\n```", [text("```\n"), CALLED, text("</think>\n```")]),
    ],
)
def test_a_closer_in_markdown_code_is_text(reply: str, expected: list[Segment]) -> None:
    assert rows("hermes", reply) == expected


def test_in_a_fence_nothing_waits_for_a_closer() -> None:
    parser = StreamingParser("xml")
    assert "".join(event.delta for event in parser.feed("a\n```\nb</thi")) == "a\n```\nb</thi"
    assert "".join(event.delta for event in parser.feed("\n```\nc</thi")) == "\n```\nc"


def test_what_is_a_fence_is_known_where_fences_are_text() -> None:
    fenced = ParserConfig(code="text")
    reply = "a ``` b\n~~ c\n```\n</think>\n```\nd</think>e"
    assert rows("hermes", reply, config=fenced) == [was_reasoning(reply.removesuffix("</think>e")), text("e")]


def test_behind_a_closer_that_nothing_opened_the_reply_begins() -> None:
    bare = '{"name": "f", "parameters": {}}'
    assert rows("llama3_json", f"a</think>{bare}") == [was_reasoning("a"), CALLED]
    assert rows("llama3_json", f"</think></think>{bare}") == [CALLED]
    assert rows("llama3_json", f"a</think>b{bare}") == [was_reasoning("a"), text(f"b{bare}")]


@pytest.mark.parametrize(
    ("format", "closer"),
    [
        ("cohere_command3", "<|END_THINKING|>"),
        ("kimi_k3", "<|close|>think<|sep|>"),
        ("apertus", "<|inner_suffix|>"),
        ("gemma4", "<channel|>"),
    ],
)
def test_a_closer_that_is_a_special_token_is_never_shown(format: str, closer: str) -> None:
    assert rows(format, f"a{closer}b", config=CLOSED) == [text("ab")]
    if not formats.get(format).reasoning.starts_open:
        assert rows(format, f"```\na{closer}b") == [was_reasoning("```\na"), text("b")]
    assert rows(format, f"a{closer}b{closer}c", config=OPEN) == [reasoning("a"), text("bc")]


def test_what_ends_answers_too_says_nothing_of_the_text_before_it() -> None:
    assert rows("inkling", "a<|end_message|>b") == [text("ab")]
    assert rows("solar_open", "a<|end|>b") == [text("ab")]
    assert rows("apriel", "a\n[BEGIN FINAL RESPONSE]\nb", config=CLOSED) == [text("ab")]
    assert rows("granite3", "Well. Here is my response: a") == [text("Well. Here is my response: a")]
    assert rows("granite3", "Here is my response: a") == [text(" a")]


def test_in_a_plan_a_closer_is_text() -> None:
    plan = {"plan_id": "plan_1", "plan_mode": "parallel", "parent": None}
    assert rows("xml", '<multi_tool_use mode="parallel"><b>a</think></b></multi_tool_use>c</think>d') == [
        ("plan", {**plan, "edge": "start"}, "", {}),
        text("<b>a</think></b>"),
        ("plan", {**plan, "edge": "end"}, "", {}),
        was_reasoning("c"),
        text("d"),
    ]
    assert rows("xml", '<multi_tool_use mode="parallel"><think>a</think></think>b</multi_tool_use></think>c') == [
        ("plan", {**plan, "edge": "start"}, "", {}),
        reasoning("a"),
        text("</think>b"),
        ("plan", {**plan, "edge": "end"}, "", {}),
        text("c"),
    ]


def test_an_argument_that_was_never_closed_is_repaired_before_a_closer_that_nothing_opened() -> None:
    reply = "<function=f><parameter=a>x</function></think>"
    assert rows("qwen3_coder", reply) == [call("f", "<parameter=a>x", repaired=True)]


# -- what the prompt has opened ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (f"a{CALL}b", [reasoning("a"), CALLED, text("b")]),
        (f"{CALL}b", [CALLED, text("b")]),
        (f"a{CALL}b</think>c", [reasoning("a"), CALLED, was_reasoning("b"), text("c")]),
        (f"a{CALL}</think>c</think>d", [reasoning("a"), CALLED, text("c</think>d")]),
        (f"<think>a{CALL}b", [reasoning("a"), CALLED, text("b")]),
        (f"a `{CALL}` b</think>c", [reasoning(f"a `{CALL}` b"), text("c")]),
        (f"a</think>{CALL}", [reasoning("a"), CALLED]),
        (f"a</think><think>{CALL}</think>b", [reasoning("a"), reasoning(CALL), text("b")]),
        ("<think><think>a</think>b", [reasoning("a"), text("b")]),
        ("\n<think>\n<THINK >a</think>b", [reasoning("a"), text("b")]),
        ("\n\na</think>b", [reasoning("\n\na"), text("b")]),
        ("\n", [reasoning("\n", **CUT)]),
        ("a<think>b</think>c", [reasoning("a<think>b"), text("c")]),
    ],
)
def test_reasoning_that_is_only_implied_is_ended_by_calls(reply: str, expected: list[Segment]) -> None:
    assert rows("hermes", reply, config=OPEN) == expected


def test_of_several_formats_any_closer_ends_what_the_prompt_has_opened() -> None:
    assert rows(["hermes", "mistral"], "a[/THINK]\nb", config=OPEN) == [reasoning("a"), text("\nb")]
    assert rows("auto", "a[/THINK]b", config=OPEN) == [reasoning("a"), text("b")]
    assert rows("auto", "a</think>\nb", config=OPEN) == [reasoning("a"), text("\nb")]
    assert rows("auto", f"a{CALL}b", config=OPEN) == [reasoning("a"), CALLED, text("b")]


def test_an_implied_call_in_reasoning_is_one_of_those_in_it_if_they_count_there() -> None:
    config = ParserConfig(reasoning="open", tools_in_reasoning=True)
    assert rows("hermes", f"a{CALL}b</think>c", config=config) == [reasoning("a"), CALLED, reasoning("b"), text("c")]


@pytest.mark.parametrize(
    ("format", "reply"),
    [
        ("json", '{"name": "f", "arguments": {}}'),
        ("xml", "<run_bash>ls</run_bash>"),
        ("pythonic", "\n[f(a=1)]"),
        ("llama3_json", '{"name": "f", "parameters": {}}'),
        ("xlam", '[{"name": "f", "arguments": {}}]'),
        ("granite3", '[{"name": "f", "arguments": {}}]'),
        ("qwen3_coder", "<function=f><parameter=a>1</parameter></function>"),
        ("deepseek_v4", '<｜DSML｜invoke name="f"></｜DSML｜invoke>'),
        ("mistral", "[TOOL_CALLS]f{}"),
    ],
)
def test_calls_that_may_be_only_mentioned_do_not_end_it(format: str, reply: str) -> None:
    assert rows(format, f"a {reply}</think>b", config=OPEN) == [reasoning(f"a {reply}"), text("b")]
    assert rows(format, f"<think>a {reply}</think>b") == [reasoning(f"a {reply}"), text("b")]


@pytest.mark.parametrize(
    ("format", "start", "reply"),
    [
        ("kimi_k2", "<think>", "<|tool_call_begin|>f:0<|tool_call_argument_begin|>{}<|tool_call_end|>"),
        ("deepseek_v31", "", "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{}<｜tool▁call▁end｜>"),
    ],
)
def test_a_special_token_ends_it_even_without_its_section(format: str, start: str, reply: str) -> None:
    (first, second) = rows(format, f"{start}a{reply}", config=OPEN)
    assert first == reasoning("a")
    assert second[:3:2] == ("tool_call", "{}")


def test_a_closer_that_has_lost_its_last_token() -> None:
    reply = "a<|close|>think<|open|>response<|sep|>b<|close|>response<|sep|>"
    assert rows("kimi_k3", reply) == [reasoning("a"), text("b")]
    assert rows("kimi_k3", "a<|close|>think b") == [reasoning("a<|close|>think b", **CUT)]


def test_a_format_may_know_only_how_reasoning_ends() -> None:
    format = Format("mine", reasoning=between("mine", (), ("[done]",), starts_open=True))
    assert rows([format], "\na[done]b") == [reasoning("\na"), text("b")]


@pytest.mark.parametrize("opener", ["<think>", "[THINK]"])
def test_an_opener_that_the_reply_repeats_is_swallowed(opener: str) -> None:
    assert rows("mistral", f"{opener * 3}a</think>b") == [reasoning("a"), text("b")]
    assert rows("mistral", f"{opener * 2}") == [reasoning("", **CUT)]
    assert rows("mistral", f"{opener}{opener[:4]}") == [reasoning(opener[:4], **CUT)]


def test_what_is_open_when_a_call_of_another_interface_comes_is_settled_as_at_the_end() -> None:

    parser = StreamingParser("ernie45")
    parser.feed("a</think>")
    parser.interrupt()
    assert [event.delta for event in parser.feed("\n\nb") if event.type == "SEGMENT_CONTENT"] == ["\n\nb"]
