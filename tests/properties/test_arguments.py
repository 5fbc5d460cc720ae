"""Arguments of random calls: what is rendered is what is decoded, whatever is cut, escaped or broken.

Hypothesis shrinks what it finds; `make fuzz` tries many more examples.
"""

from __future__ import annotations

import gc
import json
import re
import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import ParserConfig, StreamingResponseHandler, ToolInvocation
from tests.properties.documents import COUNT

Json: TypeAlias = dict[str, Any]

examples = settings(max_examples=COUNT, deadline=None)

# -- values -----------------------------------------------------------------------------------------------------------

MARKUP = [
    *("<", ">", "</", "/>", "&", "<b>", "</b>", "<br>", "<br/>", '<a href="x">', "</a>", "<item>", "</item>"),
    *("<x>", "</x>", "<arg>", '<arg name="a">', '<arg name="x">', "</arg>", "<arguments>", "</arguments>"),
    *("<tool>", "</tool>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&lt;", "&amp;lt;", "&#65;", "&bogus;"),
    *("vector<int>", "a < b", "`", "```\n", "null", "true", "5", "[1]", "{}", '{"a": 1}', "__START_CONTENT__"),
    *("<run_bash>", "<think>", "</think>", " ", "\n", "a"),
]
markup = st.lists(st.sampled_from(MARKUP), max_size=6).map("".join)
#: Any character, control characters and lone surrogates among them.
any_character = st.characters(exclude_categories=())
any_text = st.one_of(st.text(any_character, max_size=8), markup)
scalars = st.one_of(
    any_text,
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
)
any_names = st.one_of(
    st.text(any_character, max_size=6), st.sampled_from(["item", "arg", "name", "a", "A", "x", "tool"])
)
#: Names that are tags: an argument `tool` would close the call, `arg` and `arguments` are tags of the format.
tag_names = st.one_of(
    st.from_regex(re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,5}", re.ASCII), fullmatch=True),
    st.sampled_from(["path", "content", "command", "item", "x", "xy", "name"]),
).filter(lambda name: name.lower() not in ("tool", "arg", "arguments"))


def trees(leaves: st.SearchStrategy[Any], names: st.SearchStrategy[str], least: int) -> st.SearchStrategy[Any]:
    def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of(st.lists(inner, min_size=least, max_size=3), tables(names, inner, least))

    return st.recursive(leaves, containers, max_leaves=6)


def tables(names: st.SearchStrategy[str], values: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[Json]:
    """Dicts. Tags are found in any case, so no two of them may differ in case alone."""

    def name_of(pair: tuple[str, Any]) -> str:
        return pair[0] if names is any_names else pair[0].lower()

    return st.lists(st.tuples(names, values), min_size=least, max_size=3, unique_by=name_of).map(dict)


def any_arguments(names: st.SearchStrategy[str]) -> st.SearchStrategy[Json]:
    return tables(names, trees(scalars, names, least=0))


def string_arguments(names: st.SearchStrategy[str]) -> st.SearchStrategy[Json]:
    return tables(names, trees(any_text, names, least=1))


# -- schemas ----------------------------------------------------------------------------------------------------------


def schema_of(value: Any) -> Json:
    """The schema that says exactly of what types `value` is."""
    match value:
        case None:
            return {"type": "null"}
        case bool():
            return {"type": "boolean"}
        case str():
            return {"type": "string"}
        case int():
            return {"type": "integer"}
        case float():
            return {"type": "number"}
        case list():
            kinds = [schema_of(item) for item in value]
            is_uniform = all(kind == kinds[0] for kind in kinds)
            return {"type": "array", "items": kinds[0] if kinds else {}} if is_uniform else prefix_items(kinds)
    return {"type": "object", "properties": {name: schema_of(inner) for name, inner in value.items()}}


def prefix_items(kinds: list[Json]) -> Json:
    return {"type": "array", "prefixItems": kinds, "items": False}


def optional(schema: Json) -> Json:
    """The same or null, except for strings: there null would be another value."""
    schema = {name: optional_part(name, part) for name, part in schema.items()}
    return schema if schema.get("type") == "string" else {"anyOf": [schema, {"type": "null"}]}


def optional_part(name: str, part: Any) -> Any:
    if name == "properties":
        return {key: optional(inner) for key, inner in part.items()}
    if name == "prefixItems":
        return [optional(inner) for inner in part]
    return optional(part) if name == "items" and part else part


def tool_with(properties: Json, **more: Any) -> list[Json]:
    return [{"name": "t", "parameters": {"type": "object", "properties": properties, **more}}]


def plain(arguments: Json) -> list[Json]:
    return tool_with({name: schema_of(value) for name, value in arguments.items()})


def with_null(arguments: Json) -> list[Json]:
    return tool_with({name: optional(schema_of(value)) for name, value in arguments.items()})


def with_refs(arguments: Json) -> list[Json]:
    """Every argument's schema stands in $defs."""
    kinds = [schema_of(value) for value in arguments.values()]
    references = {name: {"$ref": f"#/$defs/{number}"} for number, name in enumerate(arguments)}
    return tool_with(references, **{"$defs": {str(number): kind for number, kind in enumerate(kinds)}})


schemas = st.sampled_from([plain, with_null, with_refs])

# -- rendering --------------------------------------------------------------------------------------------------------


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def scalar_text(value: Any) -> str:
    if isinstance(value, str):
        return escape(value)
    text = json.dumps(value)
    # Without a fraction it would be an int.
    return text.replace("e", ".0e") if isinstance(value, float) and "." not in text else text


def arg(name: str, inner: str) -> str:
    return f'<arg name="{escape(name).replace(chr(34), "&quot;")}">{inner}</arg>'


def direct(name: str, inner: str) -> str:
    return f"<{name}>{inner}</{name}>"


Form: TypeAlias = Callable[[str, str], str]


def render(value: Any, form: Form) -> str:
    if isinstance(value, dict):
        return "".join(form(name, render(inner, form)) for name, inner in value.items())
    if isinstance(value, list):
        return "".join(f"<item>{render(item, form)}</item>" for item in value)
    return scalar_text(value)


def call(inner: str) -> str:
    return f'<tool name="t">{inner}</tool>'


# -- reading ----------------------------------------------------------------------------------------------------------

prose = st.text(alphabet="ab .\n", max_size=5)
cuts = st.lists(st.floats(0, 1), max_size=4)


def chunked(text: str, places: Iterable[float]) -> list[str]:
    bounds = [0, *sorted(int(place * len(text)) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def read(chunks: Iterable[str], tools: list[Json], **config: Any) -> list[ToolInvocation]:
    handler = StreamingResponseHandler("xml", config=ParserConfig(**config), tools=tools)
    for chunk in chunks:
        handler.feed(chunk)
    handler.finalize()
    return handler.invocations


def exact(value: Any) -> Any:
    """The same value, in which 1, 1.0, True and -0.0 differ."""
    if isinstance(value, dict):
        return {name: exact(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return type(value), repr(value)


def assert_read(found: list[ToolInvocation], arguments: Json) -> None:
    assert [(invocation.name, invocation.status, invocation.error) for invocation in found] == [("t", "complete", None)]
    assert exact(found[0].arguments) == exact(arguments)


# -- the properties ---------------------------------------------------------------------------------------------------


@given(any_arguments(any_names), schemas, prose, prose, cuts)
@examples
def test_any_value_comes_back_by_its_schema_in_arg_form(
    arguments: Json, schema: Callable[[Json], list[Json]], before: str, after: str, places: list[float]
) -> None:
    text = before + call(render(arguments, arg)) + after
    assert_read(read(chunked(text, places), schema(arguments)), arguments)


@given(any_arguments(tag_names), schemas, prose, prose, cuts)
@examples
def test_any_value_comes_back_by_its_schema_in_direct_form(
    arguments: Json, schema: Callable[[Json], list[Json]], before: str, after: str, places: list[float]
) -> None:
    text = before + call(render(arguments, direct)) + after
    assert_read(read(chunked(text, places), schema(arguments)), arguments)


@given(string_arguments(any_names), prose, prose, cuts)
@examples
def test_strings_and_structure_come_back_without_a_schema_in_arg_form(
    arguments: Json, before: str, after: str, places: list[float]
) -> None:
    text = before + call(render(arguments, arg)) + after
    assert_read(read(chunked(text, places), []), arguments)


@given(string_arguments(tag_names.filter(lambda name: name.lower() != "item")), prose, prose, cuts)
@examples
def test_strings_and_structure_come_back_without_a_schema_in_direct_form(
    arguments: Json, before: str, after: str, places: list[float]
) -> None:
    text = before + call(render(arguments, direct)) + after
    assert_read(read(chunked(text, places), []), arguments)


@given(any_arguments(tag_names), st.sampled_from([arg, direct]), cuts)
@examples
def test_any_value_comes_back_as_json_where_the_schema_wants_structure(
    value: Json, form: Form, places: list[float]
) -> None:
    arguments = {"x": value, "y": list(value.values())}
    text = call("".join(form(name, escape(json.dumps(inner))) for name, inner in arguments.items()))
    tools = tool_with({"x": {"type": "object"}, "y": {"type": "array"}})
    assert_read(read(chunked(text, places), tools), arguments)


@given(st.text(any_character.filter(lambda character: character not in "<&")), st.sampled_from([arg, direct]), cuts)
@examples
def test_text_without_markup_is_verbatim(value: str, form: Form, places: list[float]) -> None:
    assert_read(read(chunked(call(form("x", value)), places), []), {"x": value})


@given(markup, st.sampled_from([arg, direct]), cuts)
@examples
def test_markup_is_verbatim_where_the_schema_says_string(value: str, form: Form, places: list[float]) -> None:
    tools = tool_with({"x": {"type": "string"}, "y": {"type": "string"}})
    assert_read(read(chunked(call(form("x", escape(value)) + form("y", "1")), places), tools), {"x": value, "y": "1"})
    own = ("<arg", "</arg") if form is arg else ("<x", "</x")
    if not any(mark in value for mark in ("&", "<tool", "</tool", *own)):
        assert_read(read(chunked(call(form("x", value) + form("y", "1")), places), tools), {"x": value, "y": "1"})
        assert_read(read(chunked(call(form("y", "1") + form("x", value)), places), tools), {"x": value, "y": "1"})


@given(any_arguments(any_names), st.booleans(), st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=4))
@examples
def test_a_call_cut_short_is_truncated_and_holds_nothing_new(
    arguments: Json, is_declared: bool, places: list[float]
) -> None:
    text = call(render(arguments, arg))
    tools = plain(arguments) if is_declared else []
    [whole] = read([text], tools)
    for place in places:
        found = read([text[: int(place * len(text))]], tools)
        assert [invocation.status for invocation in found] in ([], ["truncated"])
        for invocation in found:
            assert invocation.error == "the call was cut off before its end"
            known = exact(whole.arguments)
            assert exact(invocation.arguments).items() <= known.items()


# -- no text raises ---------------------------------------------------------------------------------------------------

SOUP = [
    *MARKUP,
    *("<a>", "</a>", "<a", "<A>", "</A >", "<ns:a>", "</ns:a>", "<a b='c'>", "<a xmlns='u'>", "<item/>"),
    *("<path>", "</path>", "<content>", "</content>", "<arg name='a'/>", '<arg name="b">', '<arg name="c" t="1">'),
    *("</arg>\n", "<arg name=b>", "1.5", "-0", "1e999", "[NaN]", "[1e999]", "[[", "]]", '{"a": ['),
    *("\ud800", "\x00", "\u00a0", "9" * 30, "&#xD800;", "true", "null"),
]
SCHEMAS: list[Any] = [
    *({}, True, {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}),
    {"type": "array", "items": {"type": "integer"}},
    {"type": "array", "prefixItems": [{"type": "boolean"}], "items": {"$ref": "#"}},
    {"type": "object", "properties": {"a": {"type": "integer"}, "item": {"type": "array"}}},
    {"type": "object", "additionalProperties": {"$ref": "#/properties/a"}},
    {"type": ["array", "object", "string", "null"]},
    {"anyOf": [{"type": "object", "required": ["a"]}, {"type": "array"}, {"$ref": "#/properties/b"}]},
    {"oneOf": [{"const": 5}, {"enum": ["a", None, 1.5, True, [], {}]}]},
    {"allOf": [{"$ref": "#/properties/a"}, {"type": "object"}]},
    *({"$ref": "#"}, {"$ref": "#/nowhere"}, {"$ref": "#/properties/a"}),
    # no schemas, really
    *(False, None, 5, {"type": "odd"}, {"type": 5}, {"type": []}, {"enum": []}, {"enum": "ab"}, {"properties": []}),
    *({"anyOf": []}, {"anyOf": [True, False]}, {"allOf": [False]}, {"type": "object", "required": 5, "anyOf": {}}),
    {"type": "array", "items": [{"type": "integer"}]},
]
openings = st.sampled_from(
    ['<tool name="t">', '<tool name="t" a="1" b="[1]">', '<tool name="run_bash">', '<tool name="write_file" a="&lt;">']
)


@given(
    openings,
    st.lists(st.sampled_from(SOUP), max_size=14).map("".join),
    st.sampled_from(["</tool>", "", "</arg></tool> after", "</a></tool>"]),
    st.dictionaries(st.sampled_from(["a", "b", "c", "A", "item", "path"]), st.sampled_from(SCHEMAS), max_size=4),
    cuts,
)
@examples
def test_no_text_raises(opening: str, soup: str, end: str, properties: Json, places: list[float]) -> None:
    tools = [{**tool, "name": name} for tool in tool_with(properties) for name in ("t", "run_bash", "write_file")]
    text = opening + soup + end
    found = read(chunked(text, places), tools)
    assert found == read([text], tools)
    for invocation in found:
        assert invocation.status in ("complete", "truncated", "malformed")
        assert (invocation.error is None) == invocation.is_complete
        assert invocation.error is None or invocation.error
        row = invocation.to_dict()
        assert json.loads(json.dumps(row, allow_nan=False)) == row


DEEP = 1_500


@pytest.mark.parametrize("form", [arg, direct])
@pytest.mark.parametrize(
    "value",
    [
        *("<a>" * DEEP, "<a>" * DEEP + "</a>" * DEEP, "</a>" * DEEP, "<item>" * DEEP + "</item>" * DEEP),
        *('<arg name="a">' * DEEP, '<arg name="a">' * DEEP + "</arg>" * DEEP, "</arg>" * DEEP),
        *("<x>" * DEEP, "</x>" * DEEP, "<!--" * DEEP, "<" * DEEP, "&" * DEEP, " " * DEEP + "5"),
        *("[" * DEEP, "[" * DEEP + "]" * DEEP, '{"a":' * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP),
        *("9" * 5_000, "-" + "9" * 5_000, "[" + "9" * 5_000 + "]", "0." + "9" * 5_000, "1e" + "9" * 5_000),
    ],
    ids=lambda value: value[:14] if isinstance(value, str) else value.__name__,
)
def test_no_hostile_value_raises(value: str, form: Form) -> None:
    for schema in ({}, {"type": "string"}, {"type": "number"}, {"type": ["array", "object", "integer", "null"]}):
        for invocation in read([call(form("x", value))], tool_with({"x": schema})):
            assert invocation.status in ("complete", "malformed")
            json.dumps(invocation.to_dict(), allow_nan=False)


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_a_number_of_more_digits_than_python_takes_is_a_string(kind: str) -> None:
    digits = "9" * 5_000
    assert_read(read([call(direct("x", digits))], tool_with({"x": {"type": kind}})), {"x": digits})


# -- no schema makes reading slow -------------------------------------------------------------------------------------

NODE = {"$ref": "#/$defs/node"}


def node(**properties: Any) -> Json:
    return {"type": "object", "properties": {"a": NODE, **properties}}


def many(items: Json) -> Json:
    return {"type": "array", "items": items}


#: A value that may hold values of its own kind: a tree of filters, a syntax tree.
TREES: dict[str, Json] = {
    "one object": node(),
    "an object or null": {"anyOf": [node(), {"type": "null"}]},
    "objects told apart by a const": {"anyOf": [node(op={"const": "and"}), node(op={"const": "or"})]},
    "objects told apart by what they need": {"oneOf": [{**node(), "required": ["b"]}, {**node(), "required": ["a"]}]},
    "objects that do not fit": {"anyOf": [{**node(), "required": ["b"]}, {**node(), "required": ["c"]}]},
    "an object or a list": {"anyOf": [node(), many(NODE)]},
    "lists of lists": {"anyOf": [many(NODE), many({"anyOf": [NODE, NODE]})]},
    "all of two objects": {"allOf": [node(), node()]},
}


def calls_to_read(text: str, tools: list[Json]) -> int:
    """How many functions are called to read `text`: what time is made of, and the same in each run."""
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    gc.disable()  # whose callbacks, as hypothesis has one, would count
    sys.setprofile(count)
    try:
        read([text], tools)
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


@pytest.mark.parametrize("kind", TREES)
def test_a_tree_twice_as_deep_costs_twice_as_much(kind: str) -> None:
    def tree(depth: int) -> str:
        return call(direct("x", "<op>or</op><a>" * depth + "1" + "</a>" * depth))

    tools = tool_with({"x": NODE}, **{"$defs": {"node": TREES[kind]}})
    calls_to_read(tree(2), tools)  # whatever is compiled once
    assert calls_to_read(tree(8), tools) < 3 * calls_to_read(tree(4), tools)
