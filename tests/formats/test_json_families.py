"""Formats whose calls are JSON: what their models really write, quirks and all."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, formats
from streamparse.testing import Segment
from tests.formats.kit import call, called, late_id, nameless, reasoning, rows, text

F = '{"name": "f", "arguments": {"a": 1}}'
G = '{"name": "g", "arguments": {}}'
CALL_F, CALL_G = call("f", '{"a": 1}'), call("g", "{}")
TWO_KEYS = {
    "status": "malformed",
    "error": "the call must have one key only, which is its name; the arguments are the value",
}

CASES: dict[str, list[tuple[str, list[Segment]]]] = {
    "hermes": [
        (f"Hi\n<tool_call>\n{F}\n</tool_call>\n<tool_call>{G}</tool_call>", [text("Hi\n"), CALL_F, text("\n"), CALL_G]),
        (f"<tool_call>{F}\n{G}</tool_call>.", [CALL_F, CALL_G, text(".")]),
        (f"<tool_call>{F}, {G}; {F}</tool_call>", [CALL_F, CALL_G, CALL_F]),
        (f"<tool_call>\n[{F}, {G}]\n</tool_call>.", [CALL_F, CALL_G, text(".")]),
        (f"<tool_call>{F}\n<tool_call>{G}", [CALL_F, text("\n"), CALL_G]),
        ("<tool_call>[ ]</tool_call>.", [text(".")]),
        ("<tool_call></tool_call>.", [text("<tool_call></tool_call>.")]),
        ("<scratch_pad>plan</scratch_pad>go", [reasoning("plan"), text("go")]),
        ("<think>a<|im_end|>", [reasoning("a", status="truncated")]),
        (f"<think><tool_call>{F}</tool_call>", [reasoning(f"<tool_call>{F}</tool_call>", status="truncated")]),
        ("ok<|im_end|>", [text("ok")]),
        ("<tool_call", [text("<tool_call")]),
    ],
    "qwen3": [
        (f"<think>a<tool_call>{F}</tool_call></think>b", [reasoning("a"), CALL_F, text("b")]),
        ("<think>a</think></think>b", [reasoning("a"), text("b")]),
    ],
    "longcat": [
        (f"<longcat_tool_call>\n{F}\n</longcat_tool_call></longcat_s>", [CALL_F]),
        ("<longcat_think>a</longcat_think>b", [reasoning("a"), text("b")]),
    ],
    "mistral": [
        ('[TOOL_CALLS]f[CALL_ID]a1b2c3d4e[ARGS]{"a": 1}', [call("f", '{"a": 1}', "a1b2c3d4e")]),
        ('a[TOOL_CALLS]f{"a": 1}[TOOL_CALLS]g[ARGS]{} b</s>', [text("a"), CALL_F, CALL_G, text(" b")]),
        (f"[TOOL_CALLS] [{F}, {G}] b", [CALL_F, CALL_G, text(" b")]),
        ("[THINK]a[/THINK]b[/THINK]c", [reasoning("a"), text("bc")]),
        ("<think>a[TOOL_CALLS]g{}", [reasoning("a"), CALL_G]),
        ("[TOOL_CALLS] no", [text("[TOOL_CALLS] no")]),
    ],
    "mistral_v3": [
        (f"[TOOL_CALLS] [{F}, {G}] b</s>", [CALL_F, CALL_G, text(" b")]),
        ('[TOOL_CALLS][{"id": "a1b2c3d4e", "name": "g", "arguments": {}}]', [call("g", "{}", "a1b2c3d4e")]),
        ('[TOOL_CALLS][{"name": "g", "arguments": {}, "id": "a1b2c3d4e"}]', [late_id("g", "{}", "a1b2c3d4e")]),
        ("[TOOL_CALLS][]a[TOOL_CALLS] [ ]", [text("a")]),
        ("[TOOL_CALLS]g[ARGS]{}", [CALL_G]),
    ],
    "deepseek_v3": [
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\n  \"a\": \"```\"\n}\n```"
            "<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```<｜tool▁call▁end｜>"
            "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
            [call("f", '{\n  "a": "```"\n}'), CALL_G],
        ),
    ],
    "deepseek_v31": [
        (
            '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜> and '
            "<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>.",
            [CALL_F, text(" and "), CALL_G, text(".")],
        ),
        ("a<｜tool▁calls▁begin｜>", [text("a")]),
        ("a<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f", [text("a<｜tool▁call▁begin｜>f")]),
    ],
    "ernie45": [
        (f"a\n</think>\n\n\n<tool_call>\n{F}\n</tool_call>\n", [reasoning("a\n"), CALL_F]),
        ("a\n</think>\n\n<response>\nb\n</response>\n", [reasoning("a\n"), text("b")]),
        ("<think>a</think>b<response>c</response> d", [reasoning("a"), text("bc d")]),
        ("a</think>", [reasoning("a")]),
        ("a</think>\n", [reasoning("a")]),
        ("a <response>", [reasoning("a <response>", status="truncated")]),
    ],
    "internlm": [
        (
            f"<|action_start|> <|plugin|>\n{F}<|action_end|>\n<|action_start|><|plugin|>"
            '{"name": "g", "parameters": {}}<|action_end|><|im_end|>',
            [CALL_F, text("\n"), CALL_G],
        ),
        ("<|action_start|> <|interpreter|>", [text("<|action_start|> <|interpreter|>")]),
    ],
    "granite20b": [
        (f"<function_call> {F}\n<function_call>{G}<|endoftext|>", [CALL_F, text("\n"), CALL_G]),
    ],
    "gigachat3": [
        (f"a<|function_call|>{F}</s>", [text("a"), CALL_F]),
        (f"a<|message_sep|>\n\nfunction call<|role_sep|>\n{F}</s>", [text("a"), CALL_F]),
        ('<|function_call|>{"name": "f", "arguments": {"a": "\t\n"}}', [call("f", '{"a": "\t\n"}')]),
        ("a<|message_sep|>", [text("a")]),
        ("a<|message_sep|>\n\nfunction", [text("a\n\nfunction")]),
    ],
    "minimax_m1": [
        (f"<tool_calls>\n{F}\n{G}\n</tool_calls>.", [CALL_F, CALL_G, text(".")]),
        ("<tool_calls>\n</tool_calls>", [text("<tool_calls>\n</tool_calls>")]),
    ],
    "granite3": [
        (
            f"Here is my thought process: a. Here is my response: <|tool_call|>[{F}, {G}] b<|end_of_text|>",
            [reasoning(" a. "), text(" "), CALL_F, CALL_G, text(" b")],
        ),
        (f"Here's my thought process:a Here's my response:<tool_call>[{F}]", [reasoning("a "), CALL_F]),
        ("<think>a</think><response>b</response>", [reasoning("a"), text("b")]),
        (f"[{F}] and [1], [{{}}], Here is", [CALL_F, text(" and [1], [{}], Here is")]),
        ("<|tool_call|>[]a<tool_call>[]</tool_call>", [text("a")]),
        ("[]", [text("[]")]),
    ],
    "jamba": [
        (f" <tool_calls>[\n    {F},\n    {G}\n]</tool_calls><|eom|>", [CALL_F, CALL_G]),
        (f"a <tool_calls>[{F}]</tool_calls>", [text("a "), CALL_F]),
        (f"  <tool_calls>[{F}]</tool_calls>", [text("  "), CALL_F]),
        (" a<tool_calls>[]</tool_calls>", [text(" a")]),
        (" <tool_calls>[", [text(" <tool_calls>[")]),
        ("", []),
    ],
    "hunyuan_a13b": [
        (
            f"<think>\na<tool_calls>[{F}]</tool_calls>\n</think>\n<answer>\n<tool_calls>[{G}]</tool_calls>\n</answer>",
            [reasoning(f"\na<tool_calls>[{F}]</tool_calls>\n"), CALL_G],
        ),
        ("<think>a</think><answer>助手：b 助手：c\n</answer>", [reasoning("a"), text("b 助手：c")]),
        ("助手：b", [text("b")]),
        ("助手", [text("助手")]),
        ("b\n\n<answer>c</answer>", [text("b\nc")]),
    ],
    "apriel": [
        (f"a\n[BEGIN FINAL RESPONSE]\n<tool_calls>[{G}]</tool_calls>", [reasoning("a"), CALL_G]),
        (
            "Here are my reasoning steps:\na[BEGIN FINAL RESPONSE] b\n[END FINAL RESPONSE]<|end|>",
            [reasoning("a"), text(" b")],
        ),
        ("a\n[BEGIN FINAL RESPONSE]", [reasoning("a")]),
        (f"a<tool_calls>[{F}]", [reasoning(f"a<tool_calls>[{F}]", status="truncated")]),
    ],
    "nemotron_v2": [
        (f"<think>a</think><TOOLCALL>[{F}, {G}]</TOOLCALL>", [reasoning("a"), CALL_F, CALL_G]),
        (f"<toolcall>[{F}]", [text(f"<toolcall>[{F}]")]),
    ],
    "phi4": [
        (f" functools[{F}, {G}] a", [CALL_F, CALL_G, text(" a")]),
        ('functools[{"name": "g", "parameters": {}}]', [CALL_G]),
        ("of functools, functools[1] and f", [text("of functools, functools[1] and f")]),
    ],
    "xlam": [
        (f'[{F}, {G}, {{"x": 1}}].', [CALL_F, CALL_G, text(' {"x": 1}].')]),
        (f"<think>a</think>```json\n[{F}]\n```\n", [reasoning("a"), CALL_F, text("\n")]),
        (f"```\n[{F}]\n``` ```js\n[1]\n```", [CALL_F, text(" ```js\n[1]\n```")]),
        (f"[TOOL_CALLS][{F}]<tool_call>{G}</tool_call>", [CALL_F, CALL_G]),
        ('[{"name": "Bob", "age": 3}, {"name": "f"}]', [text('[{"name": "Bob", "age": 3}, {"name": "f"}]')]),
        (f"`[{F}]`", [text(f"`[{F}]`")]),
        ("[ { \"name\" :\n\"g\" , \"parameters\" : {} } ]", [CALL_G]),
        ("a ```", [text("a ```")]),
    ],
    "apertus": [
        (
            '<|inner_prefix|>a<|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>b<|inner_suffix|>c'
            '<|tools_prefix|>[{"f": {"a": 1}}, {"g": {}}]<|tools_suffix|><|assistant_end|>',
            [reasoning("a"), CALL_F, reasoning("b"), text("c"), CALL_F, CALL_G],
        ),
        ("<|tools_prefix|>[]<|tools_suffix|>a", [text("a")]),
        (
            '<|tools_prefix|>[{"f": {}, "g": {}}]<|tools_suffix|>a',
            [
                call("f", '{}, "g": {}}', **TWO_KEYS),
                text("a"),
            ],
        ),
        (
            '<|tools_prefix|>[{"": {}}]<|tools_suffix|>a',
            [nameless('{"": {}}', status="malformed", error="the call has no name"), text("a")],
        ),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("format", "reply", "expected"),
    [(name, reply, expected) for name, cases in CASES.items() for reply, expected in cases],
    ids=[f"{name}-{number}" for name, cases in CASES.items() for number, _ in enumerate(cases)],
)
def test_what_a_model_of_the_format_writes(format: str, reply: str, expected: list[Segment]) -> None:
    assert rows(format, reply) == expected


@pytest.mark.parametrize("name", [name for name in CASES if formats.get(name).in_auto])
def test_auto_finds_the_format_by_its_call(name: str) -> None:
    written = formats.get(name).render_call("f", {"a": 1})
    assert rows("auto", f"a {written}") == [text("a "), CALL_F]


def test_auto_takes_no_sentence_for_a_marker() -> None:
    reply = f"Here is my response: [{F}]\n[BEGIN FINAL RESPONSE]\n<answer>a</answer> <response>"
    assert rows("auto", reply) == [text(reply)]


def test_a_format_that_reasons_at_once_can_be_told_not_to() -> None:
    closed = ParserConfig(reasoning="closed")
    assert rows("ernie45", "a</think> b", config=closed) == [text("ab")]
    assert rows("apriel", "a", config=closed) == [text("a")]
    assert rows("granite3", "a Here's my response: b", config=ParserConfig(reasoning="open")) == [
        *(reasoning("a "), text(" b")),
    ]


def test_without_calls_nothing_at_the_beginning_is_swallowed() -> None:
    assert rows("jamba", f" <tool_calls>[{F}]", config=ParserConfig(parse_tool_calls=False)) == [
        text(f" <tool_calls>[{F}]")
    ]


def test_the_beginning_of_a_line_is_read_behind_what_is_swallowed() -> None:
    config = ParserConfig(code="text")
    assert rows("hunyuan_a13b", f"助手：```\n<tool_calls>[{F}]</tool_calls>", config=config) == [
        text(f"```\n<tool_calls>[{F}]</tool_calls>")
    ]


@pytest.mark.parametrize("arguments", ['"{\\"a\\": 1}"', '{"a": 1}'])
@pytest.mark.parametrize("key", ["arguments", "parameters"])
def test_arguments_are_an_object_or_a_string_of_one_under_either_key(key: str, arguments: str) -> None:
    for name in ("hermes", "internlm", "phi4", "granite3"):
        before, _, after = formats.get(name).render_call("f", {}).partition('{"name"')
        after = after.partition("}}")[2]
        (made,) = called(name, f'{before}{{"{key}": {arguments}, "name": "f"}}{after}')
        assert (made.name, made.arguments, made.status) == ("f", {"a": 1}, "complete")
