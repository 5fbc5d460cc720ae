"""families/json/plain_text.py: JSON, or a text that is the one argument."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import StreamingResponseHandler
from streamparse.arguments import ArgumentDecoder, ArgumentsError, Signature
from streamparse.config import Limits, ParserConfig, ToolSpec
from streamparse.families.json.plain_text import CODE_ARGUMENTS, INPUT_ARGUMENTS

CONFIG = ParserConfig(limits=Limits(max_depth=2))
ONE = ToolSpec("python", {"properties": {"source": {"type": "string"}}})
TWO = ToolSpec("python", {"properties": {"a": {}, "b": {}}})


def decode(decoder: ArgumentDecoder, content: str, name: str = "f", spec: ToolSpec | None = None) -> Any:
    try:
        return decoder.decode_call(content, Signature.of(spec, CONFIG, name), is_truncated=False).arguments
    except ArgumentsError as error:
        return str(error)


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("print(1)", {"code": "print(1)"}),
        (" \nx = 1\n", {"code": " \nx = 1\n"}),
        ("", {"code": ""}),
        ("{x for x in y}", {"code": "{x for x in y}"}),
        ("[1]", {"code": "[1]"}),
        ('{"code": "print(1)", "t": 2}', {"code": "print(1)", "t": 2}),
        ('{"a": {"b": {}}}', "the arguments are nested too deeply"),
    ],
)
def test_what_python_is_given_is_code_unless_it_is_a_json_object(content: str, arguments: Any) -> None:
    assert decode(CODE_ARGUMENTS, content, "python") == decode(CODE_ARGUMENTS, content, "Python") == arguments


def test_code_has_the_name_of_the_only_parameter_that_is_declared() -> None:
    assert decode(CODE_ARGUMENTS, "1", spec=ONE) == {"source": "1"}
    assert decode(CODE_ARGUMENTS, "1", spec=TWO) == {"code": "1"}


def test_for_other_tools_than_python_it_is_json() -> None:
    assert decode(CODE_ARGUMENTS, '{"a": 1}') == {"a": 1}
    assert decode(CODE_ARGUMENTS, "print(1)") == "the arguments are not JSON: Expecting value: line 1 column 1 (char 0)"


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("ls -l\n", {"input": "ls -l\n"}),
        ("", {}),
        (" \n", {}),
        ('{"a": 1}', {"a": 1}),
        (
            "{ls; }",
            "the arguments are not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        ("[1]", "arguments must be a JSON object, not a list"),
        ("[[[]]]", "the arguments are nested too deeply"),
    ],
)
def test_any_tool_may_be_given_a_text_that_does_not_look_like_json(content: str, arguments: Any) -> None:
    assert decode(INPUT_ARGUMENTS, content) == arguments


def schema(*required: str, **types: object) -> dict[str, object]:
    return {"properties": {name: {"type": kind} if kind else {} for name, kind in types.items()}, "required": required}


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "code"),
        (schema(), "code"),
        (schema(source="string"), "source"),
        (schema("source", source=None), "source"),
        (schema(source=["null", "string"]), "source"),
        (schema(seconds="integer"), "code"),
        (schema("source", source="string", seconds="integer"), "source"),
        (schema("seconds", source="string", seconds="integer"), "code"),
        (schema("source", "seconds", source="string", seconds="integer"), "code"),
        (schema("nothing", source="string", seconds="integer"), "code"),
        ({"anyOf": [schema(a="string"), schema(b="string")]}, "code"),
    ],
    ids=str,
)
@pytest.mark.parametrize("decoder", [CODE_ARGUMENTS, INPUT_ARGUMENTS], ids=["python", "input"])
def test_a_text_is_the_one_parameter_that_is_needed(
    decoder: ArgumentDecoder, parameters: dict[str, object], name: str
) -> None:
    expected = "input" if name == "code" and decoder is INPUT_ARGUMENTS else name
    assert decode(decoder, "x", spec=ToolSpec("python", parameters)) == {expected: "x"}


@pytest.mark.parametrize(
    ("format", "reply"),
    [
        ("llama3_json", "<|python_tag|>print(1)<|eom_id|>"),
        ("llama3_code", "<|python_tag|>print(1)<|eom_id|>"),
        ("functionary_v31", "<|python_tag|>print(1)<|eom_id|>"),
        ("harmony", "<|channel|>analysis to=python code<|message|>print(1)<|call|>"),
        ("inkling", "<|message_model|>python<|content_invoke_tool_text|>print(1)<|end_message|>"),
    ],
)
def test_the_rule_is_the_same_in_every_format(format: str, reply: str) -> None:
    handler = StreamingResponseHandler(format, tools=[ONE])
    handler.feed(reply)
    handler.finalize()
    assert [(made.name, made.arguments) for made in handler.invocations] == [("python", {"source": "print(1)"})]


def test_a_text_has_the_name_of_the_only_parameter_that_is_declared() -> None:
    assert decode(INPUT_ARGUMENTS, "x", spec=ONE) == {"source": "x"}
    assert decode(INPUT_ARGUMENTS, "x", spec=TWO) == {"input": "x"}


@pytest.mark.parametrize("decoder", [CODE_ARGUMENTS, INPUT_ARGUMENTS], ids=["python", "input"])
def test_a_text_that_is_cut_off_is_no_argument_yet(decoder: ArgumentDecoder) -> None:
    signature = Signature(CONFIG, name="python")
    assert decoder.decode_call("print(", signature, is_truncated=True).arguments == {}
