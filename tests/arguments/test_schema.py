"""arguments/schema.py: what a schema makes of a text. What tags make of it is in the corpus."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from streamparse.arguments.schema import ANY, Schema, TooDeepError

INTEGER, NUMBER, STRING = {"type": "integer"}, {"type": "number"}, {"type": "string"}
BOOLEAN, NULL, ARRAY, OBJECT = {"type": "boolean"}, {"type": "null"}, {"type": "array"}, {"type": "object"}


def same(one: Any, two: Any) -> bool:
    """Equal, and of one type: `1`, `1.0` and `True` are three values."""
    return repr(one) == repr(two)


@pytest.mark.parametrize(
    ("node", "text", "value"),
    [
        (INTEGER, "5", 5),
        (INTEGER, " \t\r\n-5 ", -5),
        (INTEGER, "-0", 0),
        (INTEGER, "5.0", 5),
        (INTEGER, "5.5", "5.5"),
        (INTEGER, "05", "05"),
        (INTEGER, "+5", "+5"),
        (INTEGER, "5 apples", "5 apples"),
        (INTEGER, "\u0665", "\u0665"),
        (INTEGER, "\u00a05", "\u00a05"),
        (INTEGER, "1_000", "1_000"),
        (INTEGER, "", ""),
        (INTEGER, "9" * 5000, "9" * 5000),
        (NUMBER, "5", 5),
        (NUMBER, "5.0", 5.0),
        (NUMBER, "-1.5E-3", -0.0015),
        (NUMBER, "1e999", "1e999"),
        (NUMBER, "-1e999", "-1e999"),
        (NUMBER, "NaN", "NaN"),
        (NUMBER, "Infinity", "Infinity"),
        (NUMBER, ".5", ".5"),
        (NUMBER, "5.", "5."),
        (BOOLEAN, "true", True),
        (BOOLEAN, " False ", False),
        (BOOLEAN, "TRUE", True),
        (BOOLEAN, "yes", "yes"),
        (BOOLEAN, "1", "1"),
        (NULL, "null", None),
        (NULL, "None", "None"),
        (STRING, " 5 ", " 5 "),
        (STRING, "null", "null"),
        ({}, "5", "5"),
        (True, "5", "5"),
        (None, "5", "5"),
        ({"description": "any"}, "true", "true"),
        (ARRAY, '["a", 1, null]', ["a", 1, None]),
        (ARRAY, " [] ", []),
        (ARRAY, "", []),
        (ARRAY, " \n ", []),
        (ARRAY, '{"a": 1}', '{"a": 1}'),
        (ARRAY, "[1,", "[1,"),
        (ARRAY, "[NaN]", "[NaN]"),
        (ARRAY, "a, b", "a, b"),
        (ARRAY, '["[[[["]', ["[[[["]),
        (ARRAY, '["[", "\\"[", "', '["[", "\\"[", "'),
        (INTEGER, "12345678901234567891.0", 12345678901234567891),
        (INTEGER, "1.00000000000000000001", "1.00000000000000000001"),
        (INTEGER, "1e2", 100),
        (INTEGER, "1e-2", "1e-2"),
        (INTEGER, "1e300", "1e300"),
        (INTEGER, "9" * 5000 + ".0", "9" * 5000 + ".0"),
        (ARRAY, f"[{'9' * 5000}]", f"[{'9' * 5000}]"),
        (OBJECT, '{"a": "5"}', {"a": "5"}),
        (OBJECT, "", {}),
        (OBJECT, "[1]", "[1]"),
    ],
)
def test_a_text_is_read_by_its_type(node: Any, text: str, value: Any) -> None:
    assert same(Schema(node).read(text, 512), value)


@pytest.mark.parametrize(
    ("types", "text", "value"),
    [
        (["string", "null"], "null", None),
        (["string", "null"], "", ""),
        (["string", "integer"], "5", 5),
        (["string", "integer"], "five", "five"),
        (["integer", "number"], "5.0", 5.0),
        (["integer", "number"], "5", 5),
        (["string", "array"], "", ""),
        (["string", "array"], "[1]", [1]),
        (["array", "object"], "", []),
        (["array", "object"], "{}", {}),
        (["boolean", "string"], "true", True),
    ],
)
def test_in_a_union_a_string_is_what_is_left(types: list[str], text: str, value: Any) -> None:
    for node in (
        {"type": types},
        {"anyOf": [{"type": kind} for kind in types]},
        {"oneOf": [{"type": kind} for kind in reversed(types)]},
    ):
        assert same(Schema(node).read(text, 512), value)


@pytest.mark.parametrize(
    ("node", "text", "value"),
    [
        ({"enum": ["fast", "slow"]}, "fast", "fast"),
        ({"enum": ["fast", "slow"]}, "\n fast\n", "fast"),
        ({"enum": [" fast", "fast"]}, " fast", " fast"),
        ({"enum": ["fast", "slow"]}, " other ", " other "),
        ({"type": "string", "enum": ["1", "2"]}, " 1 ", "1"),
        ({"enum": [1, 2]}, " 1 ", 1),
        ({"enum": [1, None]}, "null", None),
        ({"enum": ["null", 5]}, "null", "null"),
        ({"const": "a"}, " a ", "a"),
        ({"const": 5}, "5", 5),
        ({"const": True}, "true", True),
        ({"anyOf": [{"enum": ["auto"]}, INTEGER]}, " auto ", "auto"),
        ({"anyOf": [{"enum": ["auto"]}, INTEGER]}, "7", 7),
        ({"enum": []}, "x", "x"),
    ],
)
def test_enums_and_constants(node: Any, text: str, value: Any) -> None:
    assert same(Schema(node).read(text, 512), value)


def test_json_text_may_be_as_deep_as_the_limit_and_no_deeper() -> None:
    assert Schema(ARRAY).read("[[1]]", 2) == [[1]]
    assert Schema(OBJECT).read('{"a": {"b": 1}}', 2) == {"a": {"b": 1}}
    for text in ("[[[1]]]", '[{"a": [1]}]', "[[[]]]", "[" * 100_000):
        with pytest.raises(TooDeepError):
            Schema(ARRAY).read(text, 2)


def test_references_are_followed_within_the_schema() -> None:
    schema = Schema(
        {
            "properties": {
                "a": {"$ref": "#/$defs/Count"},
                "b": {"allOf": [{"$ref": "#/$defs/Count"}], "description": "as pydantic writes it"},
                "c": {"$ref": "#/definitions/a~1b~0c"},
                "d": {"$ref": "#/$defs/Missing"},
                "e": {"$ref": "https://example.com/schema.json"},
                "f": {"$ref": "#/properties/a/$ref/x"},
                "g": {"$ref": "#/$defs/Maybe"},
            },
            "$defs": {"Count": INTEGER, "Maybe": {"anyOf": [{"$ref": "#/$defs/Count"}, NULL]}},
            "definitions": {"a/b~c": BOOLEAN},
        }
    )
    types = {name: set(schema.property_of(name).types) for name in "abcdefg"}
    assert types == {
        "a": {"integer"},
        "b": {"integer"},
        "c": {"boolean"},
        "d": set(),
        "e": set(),
        "f": set(),
        "g": {"integer", "null"},
    }


def test_a_schema_may_refer_to_itself() -> None:
    tree = {
        "type": "object",
        "properties": {"value": INTEGER, "next": {"anyOf": [{"$ref": "#"}, NULL]}},
    }
    schema = Schema(tree)
    for _ in range(5):
        assert schema.property_of("value").types == {"integer"}
        schema = schema.property_of("next")
        assert schema.types == {"object", "null"}
    loop = {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}, INTEGER]}},
    }
    assert Schema(loop).types == {"integer"}
    assert Schema({"$ref": "#"}).types == set()


def test_schemas_that_must_all_hold_are_merged() -> None:
    schema = Schema(
        {
            "allOf": [
                {"type": "object", "properties": {"a": INTEGER}, "required": ["a"]},
                {"properties": {"b": BOOLEAN}, "required": ["b"]},
            ],
            "anyOf": [{"required": ["a"]}, {"properties": {"c": NULL}}],
        }
    )
    assert schema.types == {"object"}
    assert [set(schema.property_of(name).types) for name in "abc"] == [{"integer"}, {"boolean"}, set()]
    assert schema.names == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("node", "types"),
    [
        ({"properties": {}}, {"object"}),
        ({"additionalProperties": INTEGER}, {"object"}),
        ({"items": INTEGER}, {"array"}),
        ({"prefixItems": []}, {"array"}),
        ({"type": "integer", "nullable": True}, {"integer", "null"}),
        ({"type": 5}, set()),
        ({"anyOf": [INTEGER, {}]}, set()),
        ({"anyOf": "nonsense"}, set()),
        ({"type": "object", "properties": 5, "required": 5}, {"object"}),
    ],
)
def test_types_are_inferred_where_they_are_not_named(node: Any, types: set[str]) -> None:
    schema = Schema(node)
    assert set(schema.types) == types
    assert schema.property_of("x").types <= {"integer"}


def test_properties_and_items_have_schemas_of_their_own() -> None:
    schema = Schema({"properties": {"a": INTEGER, "b": True}, "additionalProperties": NUMBER})
    assert [set(schema.property_of(name).types) for name in ("a", "b", "x", "y")] == [
        *({"integer"}, set(), {"number"}, {"number"}),
    ]
    assert schema.property_of("x") is schema.property_of("y")
    items = Schema({"prefixItems": [INTEGER, BOOLEAN], "items": STRING})
    assert [set(items.item_of(index).types) for index in range(4)] == [{"integer"}, {"boolean"}, {"string"}, {"string"}]
    assert items.item_of(2) is items.item_of(1000)
    union = Schema({"anyOf": [{"items": INTEGER}, {"items": NULL}]})
    assert union.item_of(0).types == {"integer", "null"}
    assert ANY.property_of("x") is ANY
    assert ANY.item_of(0) is ANY


def test_names_are_spelled_as_declared() -> None:
    schema = Schema({"properties": {"maxResults": INTEGER, "MAXRESULTS": INTEGER, "path": STRING}})
    assert [schema.spell(name) for name in ("MAXRESULTS", "maxresults", "Path", "Other")] == [
        *("MAXRESULTS", "maxResults", "path", "Other"),
    ]


def test_an_escaped_tilde_in_a_reference_is_no_escaped_slash() -> None:
    schema = Schema({"$ref": "#/$defs/a~01", "$defs": {"a~1": INTEGER, "a/": BOOLEAN}})
    assert schema.types == {"integer"}


def test_a_schema_that_branches_without_end_is_given_up() -> None:
    """Each link has two ways to the next one, which differ: a billion alternatives."""
    defs = {
        f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}", "title": "a"}, {"$ref": f"#/$defs/d{i + 1}"}]}
        for i in range(30)
    }
    chain = {"$ref": "#/$defs/d0", "$defs": {**defs, "d30": INTEGER}}
    assert Schema(chain).read("5", 512) in (5, "5")
    wide = {"allOf": [{"anyOf": [{"title": f"{i}{j}"} for j in range(10)]} for i in range(30)]}
    assert Schema(wide).read("5", 512) == "5"


def test_json_that_only_python_cannot_nest_is_too_deep_as_well() -> None:
    with pytest.raises(TooDeepError):
        Schema(ARRAY).read("[" * 100_000 + "]" * 100_000, 1_000_000)


@pytest.mark.parametrize("junk", [[["x"]], [{}], [None], 5])
def test_junk_in_a_schema_means_nothing(junk: Any) -> None:
    schema = Schema({"type": "object", "properties": {"a": INTEGER}, "required": junk})
    assert schema.property_of("a").types == {"integer"}


def test_properties_may_be_any_mapping() -> None:
    schema = Schema({"properties": MappingProxyType({"a": INTEGER})})
    assert schema.spell("A") == "a"


def test_a_schema_nested_deeper_than_python_follows_says_nothing() -> None:
    node: dict[str, Any] = {"type": "integer"}
    for _ in range(5_000):
        node = {"anyOf": [node]}
    assert Schema(node).types == set()
    assert Schema({"anyOf": [{"properties": {"a": node}}, {"properties": {"a": node}}]}).property_of("a").types == set()


def test_constants_that_are_equal_in_python_are_two_in_json() -> None:
    schema = Schema({"anyOf": [{"const": 1}, {"const": True}]})
    assert schema.read("1", 512) is not True
    assert schema.read("true", 512) is True


def test_a_long_list_of_constants_is_read_to_its_end() -> None:
    schema = Schema({"anyOf": [{"const": f"c{index}"} for index in range(5_000)]})
    assert schema.read(" c4999 ", 512) == "c4999"


@pytest.mark.parametrize("root", ["object", "dict", "OBJECT", "Object", "", "odd", None])
@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        *(("int", "3", 3), ("INTEGER", "3", 3), ("long", "3", 3), ("float", "1.5", 1.5), ("NUMBER", "1.5", 1.5)),
        *(("double", "2", 2), ("bool", "true", True), ("BOOLEAN", "False", False), ("none", "null", None)),
        *(("list", "[1]", [1]), ("ARRAY", "[1]", [1]), ("tuple", "[1]", [1]), ("dict", '{"a": 1}', {"a": 1})),
        *(("str", "3", "3"), ("STRING", "3", "3"), ("", "3", "3"), ("any", "3", "3"), (["int", "NULL"], "null", None)),
    ],
)
def test_types_are_spelled_as_people_do(root: str | None, name: Any, text: str, value: Any) -> None:
    schema = Schema({"type": root, "properties": {"a": {"type": name}}})
    found = schema.property_of("a").read(text, 10)
    assert (found, type(found)) == (value, type(value))


def test_the_places_of_a_recursive_schema_are_made_once() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}
    schema = Schema(tree)
    deep = schema
    for _ in range(50):
        deep = deep.property_of("left")
    assert deep is schema.property_of("left").property_of("left")


@pytest.mark.parametrize(
    ("node", "certain", "uncertain"),
    [
        (None, ["", "5", "null", "["], []),
        (STRING, ["", "5", "null", "["], []),
        (
            {"type": ["string", "null"]},
            ["5", "[", "x", "nulls", "no", "n u", "nul l"],
            ["", " \n", "n", " nul", "null\n"],
        ),
        ({"type": ["string", "boolean"]}, ["n", "5", "try", "Tx"], ["t", "Tru", "true", "f", " false "]),
        ({"type": ["string", "integer"]}, ["x5", "true", "["], ["5", "-", "5 apples"]),
        ({"type": ["string", "number"]}, ["x5", ".5"], ["5", "-x"]),
        ({"type": ["string", "array"]}, ["{", "5"], ["[", " [1"]),
        ({"type": ["string", "object"]}, ["[", "n"], ["{", '{"a']),
        ({"anyOf": [STRING, INTEGER, NULL]}, ["x"], ["5", "nu"]),
        ({"enum": ["date", "rank"]}, [], ["", "d", "date", "x"]),
        ({"anyOf": [STRING, {"enum": ["date", 5]}]}, [], ["", "d", "x"]),
        (INTEGER, [], ["", "5", "x"]),
        (BOOLEAN, [], ["", "t", "x"]),
        (ARRAY, [], ["", "[", "x"]),
        ({"type": "odd"}, ["", "x", "5"], []),
    ],
)
def test_a_beginning_tells_a_string_if_it_can_be_nothing_else(
    node: Any, certain: list[str], uncertain: list[str]
) -> None:
    schema = Schema(node)
    assert [text for text in certain if not schema.stays_string(text)] == []
    assert [text for text in uncertain if schema.stays_string(text)] == []
