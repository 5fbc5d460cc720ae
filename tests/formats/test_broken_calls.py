"""Calls of the open-model formats that are broken, empty, or contradict themselves."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig, StreamingResponseHandler
from streamparse.testing import Segment
from tests.formats.kit import call, called, late_id, nameless, rows, text

EARLY = {"status": "malformed", "error": "the call is not JSON: it ends too early"}
NO_OBJECT = {"status": "malformed", "error": "arguments must be a JSON object"}
NO_KEY = {"status": "malformed", "error": "the call is not JSON: a key in double quotes was expected"}

TWO_NAMES = {"status": "malformed", "error": "the call has two names"}
NO_BRACKET = {"status": "malformed", "error": "the ')' behind the arguments is missing"}
CUT = {"status": "truncated"}
G = call("g", '{"c": 1}')

# -- the next call ends a broken one ----------------------------------------------------------------------------------

_HARMONY = "<|channel|>commentary to=functions."
_V31 = "<｜tool▁call▁begin｜>{}<｜tool▁sep｜>"
#: What stands before the arguments of f, between them and those of g (not content of f), and behind them.
AROUND: dict[str, tuple[str, str, str]] = {
    "mistral": ("[TOOL_CALLS]f", "[TOOL_CALLS]g[ARGS]", ""),
    "mistral_v3": ("[TOOL_CALLS]f[ARGS]", '[TOOL_CALLS] [{"name": "g", "arguments": ', "}]"),
    "functionary_v31": ("<function=f>", "</function><function=g>", "</function>"),
    "functionary_v32": ("f\n", ">>>g\n", ""),
    "harmony": (f"{_HARMONY}f<|message|>", f"<|call|><|start|>assistant{_HARMONY}g<|message|>", "<|call|>"),
    "deepseek_v31": (_V31.format("f"), "<｜tool▁call▁end｜>\n" + _V31.format("g"), "<｜tool▁call▁end｜>"),
    "solar_open": (
        "<|tool_call:begin|><|tool_call:name|>f<|tool_call:args|>",
        "<|tool_call:begin|><|tool_call:name|>g<|tool_call:args|>",
        "<|tool_call:end|>",
    ),
}


@pytest.mark.parametrize("format", AROUND)
@pytest.mark.parametrize(
    "broken", ['{"a": 1', '{"a": "b}', '{"a": [1, {"b": "c}]', '{"a: "b", "c": 1}', "{", '{"a": "\\"}']
)
def test_the_next_call_ends_a_broken_one(format: str, broken: str) -> None:
    before, between, behind = AROUND[format]
    found = rows(format, f'{before}{broken}{between}{{"c": 1}}{behind}')
    assert [row for row in found if row != text("\n")] == [call("f", broken, **EARLY), G]


@pytest.mark.parametrize("format", ["mistral", "mistral_v3", "functionary_v32", "solar_open"])
@pytest.mark.parametrize("before_next", ["say ", "", "\\", "}\\", "\\}", "(", '\\"}x'])
def test_a_call_in_a_string_is_none_if_nothing_ends_before_it(format: str, before_next: str) -> None:
    """Quotes that were not escaped look like one that was forgotten; a text about a call must not become one."""
    before, between, behind = AROUND[format]
    written = f'{{"a": "{before_next}{between}{{"c": 1}}'
    assert [row[1].get("tool_name") for row in rows(format, before + written + behind) if row[0] == "tool_call"] == [
        "f"
    ]


@pytest.mark.parametrize("format", AROUND)
@pytest.mark.parametrize("written", ['{"a": "X"}', '{"a": ["X" ]}', '{"X"\n:1}', '{"a": "X", "b": [[2], "\\"", "X"]}'])
def test_what_begins_a_call_in_a_string_is_data(format: str, written: str) -> None:
    before, between, behind = AROUND[format]
    quoted = between.replace('"', '\\"')
    arguments = written.replace("X", f"see }}{quoted}{{}} and ]{quoted}{{ or {quoted}{{")
    closer = "" if format == "mistral_v3" else behind
    assert rows(format, f"{before}{arguments}{closer} ok") == [call("f", arguments), text(" ok")]


OBJECT_F = '{"name": "f", "arguments": '
OBJECT_G = '{"name": "g", "arguments": {"c": 1}}'


@pytest.mark.parametrize(
    ("format", "before", "between", "behind"),
    [
        ("hermes", "<tool_call>", "</tool_call><tool_call>", "</tool_call>"),
        ("granite20b", "<function_call> ", "<function_call> ", ""),
        ("gigachat3", "<|function_call|>", "<|function_call|>", ""),
        ("phi4", "functools[", "functools[", "]"),
        ("mistral_v3", "[TOOL_CALLS] [", "[TOOL_CALLS] [", "]"),
        ("apertus", "<|tools_prefix|>[", None, None),
    ],
)
@pytest.mark.parametrize("broken", ['{"a": 1', '{"a": "b}}', '{"a": false, "b": "c}'])
def test_the_next_call_ends_a_broken_object(
    format: str, before: str, between: str | None, behind: str | None, broken: str
) -> None:
    if between is None:
        written = f'{before}{{"f": {broken}{before}{{"g": {{"c": 1}}}}]<|tools_suffix|>'
    else:
        written = f"{before}{OBJECT_F}{broken}{between}{OBJECT_G}{behind}"
    assert rows(format, written) == [call("f", broken, **EARLY), G]


@pytest.mark.parametrize(
    ("format", "written", "expected"),
    [
        ("mistral", '[TOOL_CALLS]f{"a": 1</s>', [call("f", '{"a": 1', **EARLY)]),
        ("mistral", '[TOOL_CALLS]f{"a": "</s>"}', [call("f", '{"a": "</s>"}')]),
        ("mistral", '[TOOL_CALLS]f{"a": [TOOL_CALLS] no', [call("f", '{"a": [TOOL_CALLS] no', **CUT)]),
        ("mistral", '[TOOL_CALLS]f{"a": [[T], [1]]} ok', [call("f", '{"a": [[T], [1]]}'), text(" ok")]),
        ("mistral", '[TOOL_CALLS]f{"a": "b [TOOL_CALLS]g{}', [call("f", '{"a": "b [TOOL_CALLS]g{}', **CUT)]),
        ("mistral", '[TOOL_CALLS]f{"a": "b [TOOL_CALLS]g{" ', [call("f", '{"a": "b [TOOL_CALLS]g{" ', **CUT)]),
        ("mistral", '[TOOL_CALLS]f{"a": "b [TOOL_CALLS] ', [call("f", '{"a": "b [TOOL_CALLS] ', **CUT)]),
        ("mistral", '[TOOL_CALLS]f{"a": 1\nOh.\n[TOOL_CALLS]g{"c": 1}', [call("f", '{"a": 1\nOh.\n', **EARLY), G]),
        ("functionary_v32", 'f\n{"a": 1\n>>>all\nOh.', [call("f", '{"a": 1\n', **EARLY), text("Oh.")]),
        (
            "harmony",
            f"{_HARMONY}f<|message|>no JSON<|start|>assistant \n <|channel|>final<|message|>Oh.",
            [call("f", "no JSON", **NO_OBJECT), text("Oh.")],
        ),
        (
            "hermes",
            '<tool_call>{"name": "f", "x": "<tool_call>{", "arguments": "{\\"a\\": \\"<tool_call>{\\"}" }</tool_call>.',
            [call("f", '"{\\"a\\": \\"<tool_call>{\\"}"'), text(".")],
        ),
        (
            "hermes",
            '<tool_call>{"name": "f", "arguments": {"a": "b}}</tool_call>\nOh.<tool_call>' + OBJECT_G,
            [call("f", '{"a": "b}}</tool_call>\nOh.<tool_call>' + OBJECT_G, **CUT)],
        ),
        ("hermes", '<tool_call>{"arguments": {"a": 1<|im_end|>', [nameless('{"arguments": {"a": 1', **EARLY)]),
        (
            "hermes",
            '<tool_call>{"name": "f", "arguments": {"a": "b <tool_call>{}',
            [call("f", '{"a": "b <tool_call>{}', **CUT)],
        ),
    ],
)  # fmt: skip
def test_what_else_ends_a_broken_call_and_what_does_not(format: str, written: str, expected: list[Segment]) -> None:
    assert rows(format, written) == expected


@pytest.mark.parametrize("format", ["mistral", "mistral_v3", "hermes"])
@pytest.mark.parametrize("size", [10, 26, 27, 28, 29, 60])
def test_a_string_that_goes_on_and_on_is_one(format: str, size: int) -> None:
    """It is held no longer than the limit; then it is shown, and with it whatever is in it."""
    config = ParserConfig(limits=Limits(max_held=48))
    head = "}<tool_call>" if format == "hermes" else "}[TOOL_CALLS]g"
    before, behind = ("[TOOL_CALLS]f", "") if format == "mistral" else ("[TOOL_CALLS][" + OBJECT_F, "}]")
    if format == "hermes":
        before, behind = "<tool_call>" + OBJECT_F, "}</tool_call>"
    for end in ('"}', ' "  }', '"' + " " * size + "}"):
        arguments = f'{{"a": "{head}{{{"x" * size}{head}{{{end}'
        written = f"{before}{arguments}{behind}."
        assert rows(format, written, config=config) == [call("f", arguments), text(".")]


@pytest.mark.parametrize(
    ("format", "before", "between", "behind"),
    [
        ("lfm2", "<|tool_call_start|>[", "<|tool_call_start|> [", "]<|tool_call_end|>"),
        ("olmo3", "<function_calls>", "<function_calls>\n", "</function_calls>"),
        ("llama4_pythonic", "<|python_start|>[", "<|python_start|>[", "]<|python_end|>"),
    ],
)
def test_the_next_call_ends_a_broken_list_of_python(format: str, before: str, between: str, behind: str) -> None:
    config = ParserConfig(reasoning="closed")
    for written in ("a=1", "a=[1, (2) ", "a='x', b=<|"):
        assert rows(format, f"{before}f({written}{between}g(c=1){behind}", config=config) == [
            *(call("f", written, **NO_BRACKET), call("g", "c=1")),
        ]
    data = f"a='{before}f(', b='{between}'"
    assert rows(format, f"{before}f({data}){behind}", config=config) == [call("f", data)]


def test_a_special_token_ends_a_broken_list_of_python() -> None:
    assert rows("pythonic", "[f(a=1<|eot_id|>") == [call("f", "a=1", **NO_BRACKET)]
    assert rows("lfm2", "<|tool_call_start|>[f(a=1<|im_end|>") == [call("f", "a=1", **NO_BRACKET)]


def test_auto_ends_a_broken_call_too() -> None:
    found = rows("auto", '[TOOL_CALLS]f{"a": "b}\n[TOOL_CALLS]g{"c": 1} ok')
    assert found == [call("f", '{"a": "b}', **EARLY), text("\n"), G, text(" ok")]


# -- no arguments at all ----------------------------------------------------------------------------------------------

EMPTY = call("f", "")
NOOP: dict[str, Any] = {"name": "noop", "parameters": {"type": "object", "properties": {}}}
ASK: dict[str, Any] = {
    "name": "ask",
    "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
}


@pytest.mark.parametrize(
    ("format", "written", "expected"),
    [
        (
            "kimi_k2",
            "<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_argument_begin|> <|tool_call_end|>"
            '<|tool_call_begin|>g:1<|tool_call_argument_begin|>{"c": 1}<|tool_call_end|><|tool_calls_section_end|>.',
            [call("f", "", "f:0"), call("g", '{"c": 1}', "g:1"), text(".")],
        ),
        (
            "deepseek_v3",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n```<｜tool▁call▁end｜>"
            "<｜tool▁calls▁end｜>.",
            [EMPTY, text(".")],
        ),
        (
            "deepseek_v3",
            "<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n<｜tool▁call▁end｜>.",
            [EMPTY, text(".")],
        ),
        ("deepseek_v31", f"<｜tool▁calls▁begin｜>{_V31.format('f')}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", [EMPTY]),
        (
            "solar_open",
            "<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>f<|tool_call:args|><|tool_call:end|><|calls|>",
            [call("f", "", "c1")],
        ),
        ("functionary_v31", "<function=f></function>.", [EMPTY, text(".")]),
        ("functionary_v32", "all\nOh.>>>f\n<|eot_id|>", [text("Oh."), EMPTY]),
        ("functionary_v32", 'g\n{"c": 1}>>>f\n<|eom_id|>', [G, EMPTY]),
        ("functionary_v32", "all\nOh.>>>all\n<|eot_id|>", [text("Oh.")]),
        ("functionary_v32", "Yes\n<|eot_id|>", [text("Yes\n")]),
        ("mistral", "[TOOL_CALLS]f[ARGS]</s>", [EMPTY]),
        (
            "mistral",
            '[TOOL_CALLS]f[CALL_ID]a1b2c3d4e[ARGS] [TOOL_CALLS]g{"c": 1}',
            [call("f", "", "a1b2c3d4e"), G],
        ),
        ("mistral", "[TOOL_CALLS]f</s>", [text("[TOOL_CALLS]f")]),
    ],
)
def test_a_call_whose_head_is_whole_may_have_no_arguments(format: str, written: str, expected: list[Segment]) -> None:
    assert rows(format, written) == expected
    for made in called(format, written):
        assert (made.status, made.arguments) == ("complete", {"c": 1} if made.name == "g" else {})


def test_a_numbered_call_without_arguments_is_that_of_a_tool_that_needs_none() -> None:
    written = "<|tool_call_begin|>0<|tool_call_argument_begin|><|tool_call_end|>."
    assert rows("kimi_k2", written, tools=[NOOP, ASK]) == [call("noop", "", "0"), text(".")]


def test_a_numbered_call_that_is_broken_ends_where_the_next_one_begins() -> None:
    head = "<|tool_call_begin|>{}<|tool_call_argument_begin|>"
    for broken in ('{"a": 1', '{"a": "b}'):
        written = f'{head.format(0)}{broken}<|tool_call_end|>{head.format("g:1")}{{"c": 1}}<|tool_call_end|>'
        assert rows("kimi_k2", written, tools=[NOOP, ASK]) == [
            *(call("0", broken, "0", **EARLY), call("g", '{"c": 1}', "g:1")),
        ]
    data = f'{{"a": "}}{head.format(1)}{{"}}'
    config = ParserConfig(limits=Limits(max_held=64))
    for options in ({}, {"config": config}):
        assert rows("kimi_k2", f"{head.format(0)}{data}", tools=[NOOP, ASK], **options) == [call("0", data, "0")]
    long = data.replace('"}', "x" * 64 + '"}')
    assert rows("kimi_k2", f"{head.format(0)}{long}", tools=[NOOP, ASK], config=config) == [call("0", long, "0")]


# -- contradictions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "written", "name"),
    [
        ("hermes", '<tool_call>{"name": "f", "name": "g", "arguments": {}}</tool_call>', "f"),
        ("hermes", '<tool_call>{"name": "f", "arguments": {}, "name": "g"}</tool_call>', "f"),
        ("inkling", '<|message_model|>f<|content_invoke_tool_json|>{"name": "g", "args": {}}<|end_message|>', "f"),
        ("llama3_json", '<|python_tag|>{"function": "f", "name": "g", "parameters": {}}', "f"),
        ("llama3_json", '{"name": "f", "parameters": {}, "name": "g"}', "f"),
    ],
)
def test_a_call_with_two_names_is_malformed(format: str, written: str, name: str) -> None:
    assert rows(format, written) == [call(name, "{}", **TWO_NAMES)]
    assert [(made.status, made.error) for made in called(format, written)] == [("malformed", TWO_NAMES["error"])]


# -- ids behind the arguments -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "before", "behind"),
    [("mistral_v3", "[TOOL_CALLS] [", "]"), ("apriel", "<tool_calls>[", "]</tool_calls>"), ("phi4", "functools[", "]")],
)
def test_an_id_behind_the_arguments_comes_with_the_end(format: str, before: str, behind: str) -> None:
    config = ParserConfig(reasoning="closed")
    first = '{"name": "f", "arguments": {"a": 1}, "id": "a1b2c3d4e"}'
    written = f'{before}{first}, {{"name": "g", "arguments": {{"c": 1}}}}{behind}'
    assert rows(format, written, config=config) == [late_id("f", '{"a": 1}', "a1b2c3d4e"), G]
    assert [made.call_id for made in called(format, written, config=config)] == ["a1b2c3d4e", None]
    cut = f'{before}{{"name": "f", "id": "a1b2c3d4e", "arguments": {{"a": 1'
    assert rows(format, cut, config=config) == [late_id("f", '{"a": 1', "a1b2c3d4e", **CUT)]


# -- braces and commas too many ---------------------------------------------------------------------------------------

ONE, TWO = '{"name": "f", "arguments": {}}', '{"name": "g", "arguments": {"c": 1}}'
F = call("f", "{}")


@pytest.mark.parametrize(
    ("format", "written", "expected"),
    [
        ("hermes", f"<tool_call>{ONE}}}</tool_call>.", [F, text(".")]),
        ("hermes", f"<tool_call>\n{ONE}\n }} }}\n</tool_call>.", [F, text(".")]),
        ("hermes", f"<tool_call>{ONE}}}\n{TWO}}}</tool_call>.", [F, G, text(".")]),
        ("hermes", f"<tool_call>[{ONE}}}, {TWO}}}]</tool_call>.", [F, G, text(".")]),
        ("hermes", f"<tool_call>{ONE}}} so", [F, text("} so")]),
        ("hermes", f"<tool_call>{ONE}}}", [F]),
        ("ernie45", f"</think>\n<tool_call>\n{ONE}}}\n</tool_call>\n.", [F, text(".")]),
        ("deepseek_v31", f"{_V31.format('f')}{{}}}}<｜tool▁call▁end｜>.", [F, text(".")]),
        ("harmony", f"{_HARMONY}f<|message|>{{}}}}<|call|>", [F]),
        ("mistral", "[TOOL_CALLS]f{}} so", [F, text("} so")]),
    ],
)
def test_braces_too_many_before_a_closer_are_swallowed(format: str, written: str, expected: list[Segment]) -> None:
    assert rows(format, written, config=ParserConfig(reasoning="closed")) == expected


def test_a_comma_too_many_is_repaired() -> None:
    written = '<tool_call>{"name": "f", "arguments": {"a": 1},}</tool_call>'
    assert rows("hermes", written) == [call("f", '{"a": 1}', repaired=True)]
    assert [(made.is_complete, made.repaired) for made in called("hermes", written)] == [(True, True)]
    inside = '<tool_call>{"name": "f", "arguments": {"a": 1,}}</tool_call>'
    assert [(made.status, made.raw) for made in called("hermes", inside)] == [("malformed", '{"a": 1,}')]


# -- Python -----------------------------------------------------------------------------------------------------------


def test_objects_in_the_quotes_of_python_are_not_read_and_not_lost() -> None:
    written = "{'name': 'f', 'parameters': {'a': 1}}"
    assert rows("llama3_json", written) == [text(written)]
    assert rows("llama3_json", f"<|python_tag|>{written}<|eom_id|>.") == [nameless(written, **NO_KEY), text(".")]


@pytest.mark.parametrize("format", ["functionary_v31", "llama3_json"])
@pytest.mark.parametrize("end", ["finalize", "abort"])
def test_code_is_only_complete_if_its_end_was_seen(format: str, end: str) -> None:
    """A reply that was cut off by its length ends like any other: half a command must not be run."""
    for written, status in (("<|python_tag|>rm -r /tmp/a", "truncated"), ("<|python_tag|>ls<|eom_id|>", "complete")):
        handler = StreamingResponseHandler(format)
        handler.feed(written)
        getattr(handler, end)()
        assert [(made.name, made.status) for made in handler.invocations] == [("python", status)]
