"""families/literals/gemma.py: arguments as Gemma writes them."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, ToolSpec
from streamparse.arguments import ArgumentsError, Signature
from streamparse.families.literals.gemma import FUNCTION_GEMMA_ARGUMENTS, GEMMA_ARGUMENTS

ANY_TOOL = Signature(ParserConfig())
PROPERTIES = {
    "n": {"type": "integer"},
    "s": {"type": "string"},
    "maybe": {"type": ["integer", "string"]},
    "list": {"type": "array", "items": {"type": "integer"}},
}
TOOL = Signature.of(ToolSpec("f", {"type": "object", "properties": PROPERTIES}), ParserConfig())


def decode(content: str, signature: Signature = ANY_TOOL, *, is_truncated: bool = False) -> dict[str, Any]:
    return GEMMA_ARGUMENTS.decode_call(content, signature, is_truncated=is_truncated).arguments


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        ("", {}),
        ('city:<|"|>Oslo<|"|>,days:2', {"city": "Oslo", "days": 2}),
        ('a : <|"|> x <|"|> , b\n:true,', {"a": " x ", "b": True}),
        ('a:<|"|>{"k": [1, <|"\\n}<|"|>', {"a": '{"k": [1, <|"\\n}'}),
        ('<|"|>my key<|"|>:1,my-key:2', {"my key": 1, "my-key": 2}),
        ("a:false,b:null,c:-1.5e3,d:0,e:-7", {"a": False, "b": None, "c": -1500.0, "d": 0, "e": -7}),
        (
            "a:celsius,b:2024-01-01,c:007, d: two words ",
            {"a": "celsius", "b": "2024-01-01", "c": "007", "d": "two words"},
        ),
        (
            """a:"x, {\\"y\\"",'b':'it\\'s',c:[ "[", ' ]'],d:{"e":"}", f:{'g':"{"}},h:it's""",
            {"a": 'x, {"y"', "b": "it's", "c": ["[", " ]"], "d": {"e": "}", "f": {"g": "{"}}, "h": "it's"},
        ),
        ('a:{x:[1,{y:null}],<|"|>b c<|"|>:{}},b:[]', {"a": {"x": [1, {"y": None}], "b c": {}}, "b": []}),
    ],
)
def test_arguments(content: str, arguments: dict[str, Any]) -> None:
    assert decode(content) == arguments


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("a", "a colon was expected (at character 2)"),
        (":1", "a name was expected (at character 1)"),
        ("a:", "a value was expected (at character 3)"),
        ("a:,b:1", "a value was expected (at character 3)"),
        ('a:"x', "a string has no end (at character 3)"),
        ('a:x"y"', "a comma was expected, not '\"' (at character 4)"),
        ('a:<|"|>x', "a string has no end (at character 3)"),
        ("a:<escape>x<escape>", "a value was expected (at character 3)"),
        ("a:1}", "a comma was expected, not '}' (at character 4)"),
        ("a:{b:1]", "a comma or '}' was expected (at character 7)"),
        ("a:1e999", "a number is too large (at character 3)"),
        ("a:" + "9" * 5_000, "a number has too many digits (at character 3)"),
    ],
)
def test_what_cannot_be_read_is_told(content: str, why: str) -> None:
    with pytest.raises(ArgumentsError) as caught:
        decode(content)
    assert str(caught.value) == f"the arguments cannot be read: {why}"


def test_a_string_is_a_string_unless_the_schema_allows_none() -> None:
    content = 'n:<|"|>5<|"|>,s:<|"|>5<|"|>,maybe:<|"|>5<|"|>,list:[<|"|>5<|"|>]'
    assert decode(content, TOOL) == {"n": 5, "s": "5", "maybe": "5", "list": [5]}


def test_what_stands_in_no_quotes_is_a_string_where_nothing_else_is_declared() -> None:
    content = "n:5,s:1.50,maybe:5,list:[5],x:{s:[true]}"
    assert decode(content, TOOL) == {"n": 5, "s": "1.50", "maybe": 5, "list": [5], "x": {"s": [True]}}
    assert [decode(f"s:{word}", TOOL)["s"] for word in ("true", "007", "null", "x")] == ["true", "007", None, "x"]


def test_function_gemma_has_texts_and_the_schema_tells_what_they_are() -> None:
    content = (
        "n:<escape>5<escape>,s:<escape>5<escape>,maybe:<escape>5<escape>,list:[<escape>5<escape>],x:<escape>5<escape>"
    )
    decoded = FUNCTION_GEMMA_ARGUMENTS.decode_call(content, TOOL, is_truncated=False).arguments
    assert decoded == {"n": 5, "s": "5", "maybe": 5, "list": [5], "x": "5"}
    decoded = FUNCTION_GEMMA_ARGUMENTS.decode_call("list:<escape>[1, 2]<escape>", TOOL, is_truncated=False).arguments
    assert decoded == {"list": [1, 2]}


def test_of_a_truncated_call_there_is_what_has_a_comma_behind_it() -> None:
    assert decode('a:1,b:<|"|>x<|"|>,c:<|"|>y', is_truncated=True) == {"a": 1, "b": "x"}
    assert decode("a:12", is_truncated=True) == {}
