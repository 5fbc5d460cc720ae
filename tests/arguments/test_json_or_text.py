"""arguments/json_or_text.py: JSON, or a text that is the one argument."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.arguments import CODE_ARGUMENTS, INPUT_ARGUMENTS, ArgumentDecoder, ArgumentsError, Signature
from streamparse.config import Limits, ParserConfig, ToolSpec

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
    assert decode(CODE_ARGUMENTS, "print(1)") == "the call is not JSON: Expecting value: line 1 column 1 (char 0)"


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("ls -l\n", {"input": "ls -l\n"}),
        ("", {}),
        (" \n", {}),
        ('{"a": 1}', {"a": 1}),
        ("{ls; }", "the call is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[1]", "arguments must be a JSON object, not a list"),
        ("[[[]]]", "the arguments are nested too deeply"),
    ],
)
def test_any_tool_may_be_given_a_text_that_does_not_look_like_json(content: str, arguments: Any) -> None:
    assert decode(INPUT_ARGUMENTS, content) == arguments


def test_a_text_has_the_name_of_the_only_parameter_that_is_declared() -> None:
    assert decode(INPUT_ARGUMENTS, "x", spec=ONE) == {"source": "x"}
    assert decode(INPUT_ARGUMENTS, "x", spec=TWO) == {"input": "x"}


@pytest.mark.parametrize("decoder", [CODE_ARGUMENTS, INPUT_ARGUMENTS], ids=["python", "input"])
def test_a_text_that_is_cut_off_is_no_argument_yet(decoder: ArgumentDecoder) -> None:
    signature = Signature(CONFIG, name="python")
    assert decoder.decode_call("print(", signature, is_truncated=True).arguments == {}
