"""families/literals/python.py: arguments as Python writes them."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Limits, ParserConfig, ToolSpec
from streamparse.arguments import ArgumentDecoder, ArgumentsError, Signature
from streamparse.families.literals.python import JSON_OR_PYTHON_ARGUMENTS, PYTHON_ARGUMENTS, PYTHON_OR_JSON_ARGUMENTS
from streamparse.families.literals.reader import LiteralReader

ANY_TOOL = Signature(ParserConfig())
TOOL = Signature.of(
    ToolSpec(
        "f",
        {
            "type": "object",
            "properties": {
                "n": {"type": "integer"},
                "s": {"type": "string"},
                "list": {"type": "array", "items": {"type": "number"}},
                "at": {"type": "object", "properties": {"on": {"type": "boolean"}, "name": {"type": "string"}}},
                "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            },
        },
    ),
    ParserConfig(),
)


def decode(content: str, signature: Signature = ANY_TOOL, *, is_truncated: bool = False) -> dict[str, Any]:
    return PYTHON_ARGUMENTS.decode_call(content, signature, is_truncated=is_truncated).arguments


def error(content: str, signature: Signature = ANY_TOOL) -> str:
    with pytest.raises(ArgumentsError) as caught:
        decode(content, signature)
    return str(caught.value)


def problem(content: str, signature: Signature = ANY_TOOL) -> str:
    return error(content, signature).removeprefix("the arguments cannot be read: ")


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("", {}),
        (" \n ", {}),
        ("a=1", {"a": 1}),
        (" a = 1 ,\n b='x' , ", {"a": 1, "b": "x"}),
        ("class=1, größe=2, my-key=3, a.b=4", {"class": 1, "größe": 2, "my-key": 3, "a.b": 4}),
    ],
)
def test_arguments(content: str, arguments: dict[str, Any]) -> None:
    assert decode(content) == arguments


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("''", ""),
        ('"it\'s"', "it's"),
        ("'''it's ''x'''", "it's ''x"),
        ('"""a\n"b\\"\\"\\""""', 'a\n"b"""'),
        ("'a\nb\r\nc\td'", "a\nb\r\nc\td"),
        (r"'\n\r\t\a\b\f\v\\\'\"'", "\n\r\t\a\b\f\v\\'\""),
        ("'a\\\nb\\\r\nc'", "abc"),
        (r"'\x41\u00e9\U0001F600\101\0'", "Aé😀A\0"),
        (r"'\ud83d\ude00 \ud83d \ude00'", "😀 \ud83d \ude00"),
        (r"'\N{BULLET} \N{NO SUCH THING} \N{'", "• \\N{NO SUCH THING} \\N{"),
        (r"'\d \x4 \u00e \U00110000 \/'", r"\d \x4 \u00e \U00110000 \/"),
        (r"r'\n\''", r"\n\'"),
        (r"R'\n'", r"\n"),
        (r"u'\n'", "\n"),
        ("'a' \"b\"\n'''c'''", "abc"),
        ("'\ud800'", "\ud800"),
    ],
)
def test_strings(literal: str, value: str) -> None:
    assert decode(f"a={literal}, b=1") == {"a": value, "b": 1}


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0", 0),
        ("007", 7),
        ("-12", -12),
        ("+1", 1),
        ("1_000", 1000),
        ("0xfF", 255),
        ("-0b101", -5),
        ("0o17", 15),
        ("1.5", 1.5),
        ("5.", 5.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-1.5E-1", -0.15),
        ("True", True),
        ("false", False),
        ("None", None),
        ("null", None),
        ("[]", []),
        ("[1, 'a', [None,],]", [1, "a", [None]]),
        ("()", []),
        ("(1)", 1),
        ("(1,)", [1]),
        ("(1, (2))", [1, 2]),
        ("{}", {}),
        ("{ 'a' : {\"b\": []}, 'c' 'd': 1 , }", {"a": {"b": []}, "cd": 1}),
        ("[ ]", []),
        ("{1}", [1]),
        ("{ 'a' 'b', \"c\" , }", ["ab", "c"]),
        ("{(1, 2), {'a': {None}}}", [[1, 2], {"a": [None]}]),
    ],
)
def test_other_values(literal: str, value: object) -> None:
    found = decode(f"a={literal}")["a"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("a=", "a value was expected (at character 3)"),
        ("a=x", "'x' is neither in quotes nor a literal (at character 3)"),
        ("a=g(1)", "'g' is neither in quotes nor a literal (at character 3)"),
        ("a=b'x'", "'b' is neither in quotes nor a literal (at character 3)"),
        ("a=1 b=2", "a comma was expected, not 'b' (at character 5)"),
        ("a=1)", "a comma was expected, not ')' (at character 4)"),
        ("a='x", "a string has no end (at character 3)"),
        ("a=1j", "a value was expected (at character 3)"),
        ("a=1.2.3", "a value was expected (at character 3)"),
        ("a=--1", "a value was expected (at character 3)"),
        ("a=[1 2]", "a comma or ']' was expected (at character 6)"),
        ("a=[1", "a comma or ']' was expected (at character 5)"),
        ("a={1: 2}", "a key in quotes was expected (at character 5)"),
        ("a={'b' 1}", "a comma or '}' was expected (at character 8)"),
        ("a={'b': 1, 'c'}", "a colon was expected (at character 15)"),
        ("a={'b': 1, }, c={'d': 2, 3}", "a key in quotes was expected (at character 26)"),
        ("a={'b', 'c': 1}", "a key in quotes was expected (at character 12)"),
        ("a=1e999", "a number is too large (at character 3)"),
        ("a=" + "9" * 5_000, "a number has too many digits (at character 3)"),
        ("a=0x" + "f" * 5_000, "a value was expected (at character 3)"),
        ("1", "an argument has no name (at character 1)"),
        ("a==1", "an argument has no name (at character 1)"),
        ("a=1,,", "an argument has no name (at character 5)"),
    ],
)
def test_what_is_no_literal_is_told(content: str, why: str) -> None:
    assert problem(content) == why


def test_an_argument_is_given_once() -> None:
    assert error("a=1, a=1") == "a is given twice"
    assert error("1, n=2", TOOL) == "n is given twice"


def test_arguments_without_names_have_the_order_of_the_declared_ones() -> None:
    assert decode("1, 'x', list=[2]", TOOL) == {"n": 1, "s": "x", "list": [2]}
    assert problem("s='x', 1", TOOL) == "an argument has no name (at character 8)"
    assert problem("1, '', [], {}, 1, 1", TOOL) == "an argument has no name (at character 19)"


def test_a_string_is_left_to_the_schema_only_where_it_allows_none() -> None:
    assert decode("n='5', s='5', either='5', other='5'", TOOL) == {"n": 5, "s": "5", "either": "5", "other": "5"}
    assert decode("n='x', list=['1.5', 2, 'y']", TOOL) == {"n": "x", "list": [1.5, 2, "y"]}
    assert decode("at={'on': 'true', 'name': 'true', 'x': 'true'}", TOOL) == {
        "at": {"on": True, "name": "true", "x": "true"}
    }
    assert decode("s=5, n=None", TOOL) == {"s": 5, "n": None}


def test_of_a_truncated_call_there_is_what_has_a_comma_behind_it() -> None:
    assert decode("a=1, b='x', c=[1, 2", is_truncated=True) == {"a": 1, "b": "x"}
    assert decode("a=1, b=12", is_truncated=True) == {"a": 1}


@pytest.mark.parametrize("brackets", ["[]", "()"])
def test_depth_has_a_limit(brackets: str) -> None:
    deep = f"a={brackets[0] * 512}{brackets[1] * 512}"
    assert list(decode(deep)) == ["a"]
    assert error(f"a={brackets[0]}{deep[2:]}") == "the arguments are nested too deeply"
    assert error("a=" + "[" * 1_000_000) == "the arguments are nested too deeply"


def test_what_is_deeper_than_python_goes_is_too_deep_for_a_schema() -> None:
    tree = {"type": "array", "items": {"$ref": "#/$defs/tree"}}
    spec = ToolSpec("f", {"type": "object", "properties": {"a": tree}, "$defs": {"tree": tree}})
    signature = Signature.of(spec, ParserConfig(limits=Limits(max_depth=1_000_000)))
    assert error("a=" + "[" * 50_000 + "]" * 50_000, signature) == "the arguments are nested too deeply"
    text = ToolSpec("f", {"type": "object", "properties": {"a": {"type": "array"}}})
    shallow = Signature.of(text, ParserConfig(limits=Limits(max_depth=2)))
    assert error("a='[[[]]]'", shallow) == "an argument is nested too deeply"


@pytest.mark.parametrize("decoder", [PYTHON_OR_JSON_ARGUMENTS, JSON_OR_PYTHON_ARGUMENTS])
@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("a=1", {"a": 1}),
        (' {"a": "\\/", "b": true}', {"a": "/", "b": True}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ("", {}),
    ],
)
def test_python_or_json(decoder: ArgumentDecoder, content: str, arguments: dict[str, Any]) -> None:
    assert decoder.decode_call(content, TOOL, is_truncated=False).arguments == arguments


def test_what_is_neither_python_nor_json() -> None:
    for decoder in (PYTHON_OR_JSON_ARGUMENTS, JSON_OR_PYTHON_ARGUMENTS):
        with pytest.raises(ArgumentsError, match=r"^the arguments are not JSON: "):
            decoder.decode_call("{'a': 1}", ANY_TOOL, is_truncated=False)
        assert decoder.decode_call('{"a": 1, "b', ANY_TOOL, is_truncated=True).arguments == {"a": 1}
        assert decoder.decode_call("a=1, b", ANY_TOOL, is_truncated=True).arguments == {"a": 1}


def test_a_value_without_a_name_is_an_argument_only_for_who_writes_python() -> None:
    assert PYTHON_OR_JSON_ARGUMENTS.decode_call("5", TOOL, is_truncated=False).arguments == {"n": 5}
    with pytest.raises(ArgumentsError, match=r"^arguments must be a JSON object, not a list$"):
        JSON_OR_PYTHON_ARGUMENTS.decode_call("[5]", TOOL, is_truncated=False)


def test_a_reader_says_what_it_reads() -> None:
    with pytest.raises(NotImplementedError):
        LiteralReader("", 1).read_scalar()


def test_what_is_nested_where_the_schema_says_no_more_is_left_alone() -> None:
    tool = ToolSpec("f", {"type": "object", "properties": {"a": {"type": "array"}}})
    signature = Signature.of(tool, ParserConfig())
    decoded = PYTHON_ARGUMENTS.decode_call("a=[{'b': 1}, 'c']", signature, is_truncated=False)
    assert decoded.arguments == {"a": [{"b": 1}, "c"]}
