"""Whether a value fits a schema: each keyword, and the sentence that says what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import reload
from typing import Any

import pytest

from streamparse.arguments import json_schema
from streamparse.arguments.validation import find_problem

INTEGER = {"type": "integer"}
NODE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/node"}},
    "required": ["name"],
}
DEEP: Any = None
for _ in range(5000):
    DEEP = [DEEP]

#: A value, a schema, and what is wrong.
ROWS: list[tuple[Any, Any, str | None]] = [
    ({}, {}, None),
    ({"a": 1}, {"properties": {"a": True}}, None),
    ({"a": 1}, {"properties": {"a": False}}, "a must not be given"),
    ({"a": 1}, {"properties": {"b": INTEGER}}, None),
    ({"a": 1}, {"properties": "none"}, None),
    ([], {"required": ["a"], "properties": {"a": INTEGER}, "additionalProperties": False}, None),
    # Types.
    ({"a": "1"}, {"properties": {"a": INTEGER}}, "a must be an integer, not a string"),
    ({"a": True}, {"properties": {"a": INTEGER}}, "a must be an integer, not a boolean"),
    ({"a": 1.5}, {"properties": {"a": INTEGER}}, "a must be an integer, not a number"),
    ({"a": 1.0}, {"properties": {"a": INTEGER}}, None),
    ({"a": 1}, {"properties": {"a": {"type": "number"}}}, None),
    ({"a": None}, {"properties": {"a": {"type": ["string", "null"]}}}, None),
    ({"a": []}, {"properties": {"a": {"type": ["string", "null"]}}}, "a must be a string or null, not an array"),
    ({"a": {}}, {"properties": {"a": {"type": "string"}}}, "a must be a string, not an object"),
    ({"a": 1}, {"properties": {"a": {"type": "any"}}}, None),
    ({"a": "1"}, {"type": "dict", "properties": {"a": {"type": "INT"}}}, "a must be an integer, not a string"),
    ({"a": "1"}, {"properties": {"a": {"type": ["int", "any"]}}}, None),
    ({"a": None}, {"properties": {"a": {"type": "string", "nullable": True}}}, None),
    ("x", {"type": "object"}, "the arguments must be an object, not a string"),
    # Objects.
    ({}, {"required": ["a"]}, "a is missing"),
    ({"a": {}}, {"properties": {"a": {"required": ["b"]}}}, "a.b is missing"),
    (
        {"lmit": 1},
        {"properties": {"limit": {}}, "additionalProperties": False},
        "lmit is not declared: did you mean 'limit'?",
    ),
    ({"a": 1}, {"additionalProperties": False}, "a is not declared"),
    (
        {"a": 1, "b": 1},
        {"properties": {"a": {}}, "additionalProperties": {"type": "string"}},
        "b must be a string, not a number",
    ),
    ({"a": 1}, {"properties": {"a": {}}, "additionalProperties": False}, None),
    # Equal values: 1 is 1.0, and not true, also within lists and objects.
    ({"a": {"b": [1.0]}}, {"properties": {"a": {"const": {"b": [1]}}}}, None),
    ({"a": {"b": [True]}}, {"properties": {"a": {"const": {"b": [1]}}}}, 'a must be {"b": [1]}, not {"b": [true]}'),
    ({"a": [1, 2]}, {"properties": {"a": {"const": [1]}}}, "a must be [1], not [1, 2]"),
    # Arrays.
    ({"a": [1, "2"]}, {"properties": {"a": {"items": INTEGER}}}, "a[1] must be an integer, not a string"),
    ([1, "x"], {"prefixItems": [{"type": "string"}]}, "[0] must be a string, not a number"),
    (["x", "y"], {"prefixItems": [{"type": "string"}], "items": INTEGER}, "[1] must be an integer, not a string"),
    ("x", {"prefixItems": [INTEGER], "items": INTEGER}, None),
    ([], {"minItems": 1}, "the arguments must have at least 1 items, not 0"),
    ([1, 2], {"maxItems": 1}, "the arguments must have at most 1 items, not 2"),
    # Values.
    ("k", {"enum": ["c", "f"]}, 'the arguments must be one of "c", "f", not "k"'),
    ("c", {"enum": ["c", "f"]}, None),
    (True, {"enum": [1]}, "the arguments must be 1, not true"),
    (1.0, {"const": 1}, None),
    ("x" * 99, {"const": 1}, f'the arguments must be 1, not "{"x" * 59}…'),
    (0, {"minimum": 1}, "the arguments must be at least 1, not 0"),
    (2, {"maximum": 1}, "the arguments must be at most 1, not 2"),
    (1, {"exclusiveMinimum": 1}, "the arguments must be more than 1, not 1"),
    (1, {"exclusiveMaximum": 1}, "the arguments must be less than 1, not 1"),
    (1, {"minimum": "1", "exclusiveMaximum": True, "minLength": 2}, None),
    ("x", {"minLength": 2, "maximum": 0}, "the arguments must have at least 2 characters, not 1"),
    ("xyz", {"maxLength": 2}, "the arguments must have at most 2 characters, not 3"),
    ("x1", {"pattern": "^[a-z]+$"}, "the arguments must match the pattern ^[a-z]+$"),
    ("x", {"pattern": "^[a-z]+$"}, None),
    (1, {"pattern": "^[a-z]+$"}, None),
    # Several schemas.
    (1, {"anyOf": [{"type": "string"}, {"type": "null"}]}, "the arguments must be a string or null, not a number"),
    (None, {"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
    (1, {"anyOf": []}, None),
    (1, {"anyOf": [True, {"type": "string"}]}, None),
    (
        "",
        {"anyOf": [INTEGER, {"type": "string", "minLength": 1}]},
        "the arguments must have at least 1 characters, not 0",
    ),
    (1, {"anyOf": [False]}, "the arguments must not be given"),
    (1, {"oneOf": [INTEGER, {"type": "string"}]}, None),
    (
        1,
        {"oneOf": [INTEGER, {"type": "number"}]},
        "the arguments must fit one alternative, and fits 2 of those that are declared",
    ),
    (3, {"allOf": [{"minimum": 0}, {"minimum": 2}]}, None),
    (1, {"allOf": [{"minimum": 0}, {"minimum": 2}]}, "the arguments must be at least 2, not 1"),
    ({"a": 1}, {"$defs": {"n": NODE}, "anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}, "name is missing"),
    ([1], {"$defs": {"n": NODE}, "anyOf": [{"$ref": "#/$defs/n"}]}, "the arguments must be an object, not an array"),
    # References.
    ({"name": "x", "next": {}}, {"$defs": {"node": NODE}, "$ref": "#/$defs/node"}, "next.name is missing"),
    (1, {"$ref": "#"}, None),
    # What else there is.
    (1, {"title": "x", "description": "x", "format": "int32"}, None),
    (DEEP, {"items": {"$ref": "#"}}, "the arguments are nested too deeply to be checked"),
]


@pytest.mark.parametrize(("value", "schema", "problem"), ROWS, ids=[str(number) for number in range(len(ROWS))])
def test_a_value_fits_or_a_sentence_says_what_does_not(value: Any, schema: Any, problem: str | None) -> None:
    assert find_problem(value, schema) == problem


#: For these keywords the package is asked.
OTHERS: list[tuple[Any, Any, str | None]] = [
    (7, {"multipleOf": 5}, "the arguments: 7 is not a multiple of 5"),
    (10, {"multipleOf": 5}, None),
    ({"a": [1, 7]}, {"properties": {"a": {"items": {"multipleOf": 7}}}}, "a[0]: 1 is not a multiple of 7"),
    (
        {"x": 1},
        {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False},
        "x: 1 is not of type 'string'",
    ),
    (1, {"$ref": "https://example.org/nowhere.json"}, None),
    ("x", {"pattern": "["}, None),
    ("x", {"pattern": 1}, None),
]


@pytest.mark.parametrize(("value", "schema", "problem"), OTHERS)
def test_other_keywords_are_for_the_package_that_knows_them_all(value: Any, schema: Any, problem: str | None) -> None:
    pytest.importorskip("jsonschema")
    assert find_problem(value, schema) == problem


@pytest.fixture
def without_package() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as missing:
        missing.setitem(sys.modules, "jsonschema", None)
        reload(json_schema)
        yield
    reload(json_schema)


@pytest.mark.usefixtures("without_package")
def test_without_the_package_they_are_not_checked() -> None:
    assert [find_problem(value, schema) for value, schema, _ in OTHERS] == [None] * len(OTHERS)


def test_the_package_is_not_asked_where_all_keywords_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_schema, "find_problem", lambda *_: "asked")
    schema = {"properties": {"a": INTEGER, "b": {"multipleOf": 2}}}
    assert find_problem({"a": 1}, schema) is None  # the other keyword stands where this value has nothing
    assert find_problem({"b": 1}, schema) == "asked"
