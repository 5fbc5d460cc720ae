"""What is told of a call that is malformed or cut off: a sentence for each kind of defect, whatever the format.

It is for the model, which has to write the call again: what is wrong, and where. END says it if the state has seen it,
else it is found when the arguments are decoded; the invocation says it in any case.
"""

from __future__ import annotations

import pytest

from streamparse import StreamingResponseHandler
from tests.formats.kit import errors, rows, tool

TOOLS = [tool("f", a="integer", b="string")]

EARLY = "the call is not JSON: it ends too early"
NO_KEY = "Expecting property name enclosed in double quotes: line 1 column 9 (char 8)"
BROKEN = f"the arguments are not JSON: {NO_KEY}"
NO_NAME = "the call has no name"
TWICE = "a is given twice"
CUT = "the call was cut off before its end"

DEEPSEEK = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>%s<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
KIMI = (
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>%s<|tool_call_end|>"
    "<|tool_calls_section_end|>"
)
HERMES = "<tool_call>%s</tool_call>"
QWEN = "<tool_call><function=f>%s</function></tool_call>"
HARMONY = "<|channel|>commentary to=functions.f<|message|>%s<|call|>"
COHERE = "<|END_THINKING|><|START_ACTION|>[%s]<|END_ACTION|>"
SENTINEL = '[[SEG_START {"type":"tool_call","tool_name":"f"}]]%s[[SEG_END]]'
GEMMA = "<|tool_call>call:f{%s}<tool_call|>"

#: By kind of defect: format, text, and what is told of it.
DEFECTS: dict[str, list[tuple[str, str, str]]] = {
    "arguments that are broken JSON": [
        ("hermes", HERMES % '{"name": "f", "arguments": {"a": 1,,}}', BROKEN),
        ("llama3_json", '<|python_tag|>{"name": "f", "parameters": {"a": 1,,}}', BROKEN),
        ("cohere_command3", COHERE % '{"tool_name": "f", "parameters": {"a": 1,,}}', BROKEN),
        ("mistral", '[TOOL_CALLS]f[ARGS]{"a": 1,,}', BROKEN),
        ("deepseek_v31", DEEPSEEK % '{"a": 1,,}', BROKEN),
        ("kimi_k2", KIMI % '{"a": 1,,}', BROKEN),
        ("functionary_v31", '<function=f>{"a": 1,,}</function>', BROKEN),
        ("harmony", HARMONY % '{"a": 1,,}', BROKEN),
        ("qwen3_coder", QWEN % '{"a": 1,,}', BROKEN),
        ("sentinel", SENTINEL % '{"a": 1,,}', BROKEN),
        ("mistral", '[TOOL_CALLS]f[ARGS]{"a": NaN}', "the arguments are not JSON: NaN is no JSON"),
        (
            "json",
            '{"name": "f", "arguments": {"a": 1,,}}',
            f"the call is not JSON: {NO_KEY.replace('9 (char 8)', '36 (char 35)')}",
        ),
    ],
    "a string of arguments that is broken JSON": [
        (
            "hermes",
            HERMES % r'{"name": "f", "arguments": "{\"a\": 1,,}"}',
            f"arguments is a string that is not JSON: {NO_KEY}",
        ),
        (
            "json",
            r'{"name": "f", "parameters": "{\"a\": 1,,}"}',
            f"parameters is a string that is not JSON: {NO_KEY}",
        ),
    ],
    "a call that is broken JSON around its arguments": [
        ("hermes", HERMES % "{'name': 'f'}", "the call is not JSON: a key in double quotes was expected"),
        ("hermes", HERMES % '{"name" "f"}', "the call is not JSON: a colon was expected behind a key"),
        ("hermes", HERMES % '{"name": }', "the call is not JSON: a value was expected behind a colon"),
        (
            "hermes",
            HERMES % '{"name": "f" "arguments": {}}',
            "the call is not JSON: a comma or a closing brace was expected behind a value",
        ),
        (
            "cohere_command3",
            COHERE % '{"tool_name": "f", "parameters": {} oops}',
            "the call is not JSON: a comma or a closing brace was expected behind a value",
        ),
    ],
    "brackets that are not closed": [
        (
            "hermes",
            HERMES % '{"name": "f", "arguments": {"a": [1}',
            "the call is not JSON: a comma or a closing brace was expected behind a value",
        ),
        ("deepseek_v31", DEEPSEEK % '{"a": 1', EARLY),
        ("kimi_k2", KIMI % '{"a": [1', EARLY),
        ("harmony", HARMONY % '{"a": 1', EARLY),
        ("qwen3_coder", QWEN % '{"a": 1', EARLY),
        (
            "hermes",
            HERMES % '{"name": "f", "arguments": {"a": 1}',
            "the call is not JSON: a comma or a closing brace was expected behind a value",
        ),
    ],
    "arguments that are no object": [
        ("hermes", HERMES % '{"name": "f", "arguments": [1]}', "arguments must be a JSON object, not a list"),
        ("hermes", HERMES % '{"name": "f", "arguments": "[1]"}', "arguments must be a JSON object, not a list"),
        ("hermes", HERMES % '{"name": "f", "arguments": "Oslo"}', "arguments must be a JSON object, not a string"),
        ("json", '{"name": "f", "parameters": 3}', "parameters must be a JSON object, not a number"),
        (
            "llama3_json",
            '<|python_tag|>{"name": "f", "parameters": true}',
            "arguments must be a JSON object, not a boolean",
        ),
        ("sentinel", SENTINEL % "7", "arguments must be a JSON object, not a number"),
        ("harmony", HARMONY % "[1]", "arguments must be a JSON object"),
        ("harmony", HARMONY % "Oslo", "arguments must be a JSON object"),
    ],
    "arguments that are given twice": [
        (
            "hermes",
            HERMES % '{"name": "f", "arguments": {"a": 1}, "parameters": {"a": 2}}',
            "the arguments are given twice",
        ),
        ("qwen3_coder", QWEN % "<parameter=a>1</parameter><parameter=a>2</parameter>", TWICE),
        (
            "glm45",
            "<tool_call>f\n<arg_key>a</arg_key><arg_value>1</arg_value><arg_key>a</arg_key><arg_value>2</arg_value>"
            "</tool_call>",
            TWICE,
        ),
        ("pythonic", "[f(a=1, a=2)]", TWICE),
        ("gemma4", GEMMA % "a:1,a:2", TWICE),
        ("xml", '<tool name="f"><a>1</a><a>2</a></tool>', TWICE),
        ("xml", '<tool name="f" a="1"><a>2</a></tool>', TWICE),
    ],
    "no name": [
        ("hermes", HERMES % '{"arguments": {"a": 1}}', NO_NAME),
        ("hermes", HERMES % '{"name": "", "arguments": {}}', NO_NAME),
        ("hermes", HERMES % '{"name": 3, "arguments": {}}', NO_NAME),
        ("cohere_command3", COHERE % '{"parameters": {"a": 1}}', NO_NAME),
        ("apertus", '<|tools_prefix|>[{"": {"a": 1}}]<|tools_suffix|>', NO_NAME),
    ],
    "keys that no call has": [
        ("hermes", HERMES % '{"name": "f", "args": {"a": 1}}', 'the call has no arguments under the key "arguments"'),
        (
            "cohere_command3",
            COHERE % '{"tool_name": "f", "arguments": {"a": 1}}',
            'the call has no arguments under the key "parameters"',
        ),
        (
            "apertus",
            '<|tools_prefix|>[{"f": {"a": 1}, "g": {}}]<|tools_suffix|>',
            "the call must have one key only, which is its name; the arguments are the value",
        ),
    ],
    "text between parameters": [
        ("qwen3_coder", QWEN % "Oslo", "there is text where a parameter should be"),
        (
            "qwen3_coder",
            QWEN % "<parameter=a>1</parameter>Oslo",
            "a is closed, but neither a parameter nor the end of the call follows",
        ),
        ("xml", '<tool name="f">Oslo</tool>', "no arguments were found in the text of the call"),
        ("xml", '<tool name="f"><arg name="a">1<arg name="b">2</arg></tool>', "a was never closed"),
    ],
    "what has to be there is missing": [
        ("xml", '<tool name="write_file"><arg name="content">x</arg></tool>', "path is missing"),
        ("xml", '<tool name="run_bash"/>', "command is missing"),
    ],
    "literals that are none": [
        (
            "pythonic",
            "[f(b=Oslo)]",
            "the arguments cannot be read: 'Oslo' is neither in quotes nor a literal (at character 3)",
        ),
        ("pythonic", "[f(a=1 b=2)]", "the arguments cannot be read: a comma was expected, not 'b' (at character 5)"),
        ("pythonic", "[f(a=[1 2])]", "the arguments cannot be read: a comma or ']' was expected (at character 6)"),
        ("pythonic", "[f(a={1: 2})]", "the arguments cannot be read: a key in quotes was expected (at character 5)"),
        ("pythonic", "[f(a={'x' 2})]", "the arguments cannot be read: a comma or '}' was expected (at character 8)"),
        ("pythonic", "[f(a=)]", "the arguments cannot be read: a value was expected (at character 3)"),
        ("pythonic", "[f(a=1e999)]", "the arguments cannot be read: a number is too large (at character 3)"),
        ("gemma4", GEMMA % "a:", "the arguments cannot be read: a value was expected (at character 3)"),
        ("gemma4", GEMMA % "a 1", "the arguments cannot be read: a colon was expected (at character 4)"),
        ("gemma4", GEMMA % ":1", "the arguments cannot be read: a name was expected (at character 1)"),
    ],
}
CASES = [
    pytest.param(format, text, sentence, id=f"{kind}: {format} {number}")
    for kind, defects in DEFECTS.items()
    for number, (format, text, sentence) in enumerate(defects)
]


@pytest.mark.parametrize(("format", "text", "sentence"), CASES)
def test_a_malformed_call_says_what_is_wrong_with_it(format: str, text: str, sentence: str) -> None:
    (row,) = [row for row in rows(format, text, tools=TOOLS) if row[0] != "text"]
    assert errors(format, text, tools=TOOLS) == [sentence]
    assert (row[3].get("status"), row[3].get("error")) in ((None, None), ("malformed", sentence))


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("json", '{"name": "f", "arguments": {"a": 1'),
        ("hermes", '<tool_call>{"na'),
        ("hermes", '<tool_call>{"name": "f", "argu'),
        ("hermes", '<tool_call>{"name": "f", "arguments": {"a": 1'),
        ("mistral", '[TOOL_CALLS]f[ARGS]{"a"'),
        ("harmony", HARMONY.removesuffix("%s<|call|>")),
        ("kimi_k2", KIMI.partition("%s")[0] + "{"),
        ("qwen3_coder", QWEN.partition("%s")[0] + "<parameter=a>1"),
        ("pythonic", "[f(a=1"),
        ("gemma4", GEMMA.partition("%s")[0] + "a:1"),
        ("sentinel", SENTINEL.partition("%s")[0] + '{"a"'),
        ("xml", '<tool name="f"><arg name="a">1'),
        ("xml", '<write_file path="a">x'),
    ],
)
def test_a_call_that_was_cut_off_says_so(format: str, text: str) -> None:
    assert rows(format, text, tools=TOOLS)[-1][3] == {"status": "truncated"}
    assert errors(format, text, tools=TOOLS) == [CUT]


@pytest.mark.parametrize(
    ("pieces", "sentence"),
    [
        ([("f", '{"a": 1,,}')], BROKEN),
        ([("f", "[1]")], "arguments must be a JSON object, not a list"),
        ([("f", '{"a": 1'), ("", "")], CUT),
        ([("", '{"a": 1}')], NO_NAME),
        ([("write_file", '{"content": "x"}')], "path is missing"),
        ([("run_bash", "{}")], "command is missing"),
        ([("run_bash", '{"command": 3}')], "command must be a string"),
        ([("run_bash", '{"command": "a", "command": "b"}')], "command is given twice"),
    ],
)
def test_native_calls_say_the_same(pieces: list[tuple[str, str]], sentence: str) -> None:
    handler = StreamingResponseHandler("native")
    for name, arguments in pieces:
        delta = {"index": 0, "id": "c", "function": {"name": name or None, "arguments": arguments}}
        handler.feed({"choices": [{"delta": {"tool_calls": [delta]}}]})
    handler.feed({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    handler.finalize()
    assert [made.error for made in handler.invocations] == [sentence]
