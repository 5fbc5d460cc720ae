"""Partial arguments of random calls: whatever is cut where, a snapshot is the beginning of the next and of the last.

Hypothesis shrinks what it finds; `make fuzz` tries many more examples.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import StreamingResponseHandler
from streamparse.families.json.partial import read_complete, read_partial
from tests.properties.documents import COUNT
from tests.properties.test_arguments import (
    SCHEMAS,
    SOUP,
    Form,
    Json,
    any_arguments,
    any_names,
    any_text,
    arg,
    call,
    direct,
    exact,
    openings,
    render,
    scalars,
    schemas,
    string_arguments,
    tables,
    tag_names,
    tool_with,
    trees,
)

examples = settings(max_examples=COUNT, deadline=None)

json_arguments = tables(any_names, trees(scalars, any_names, least=0))


def begins(part: Any, whole: Any) -> bool:
    """Whether `part` is the beginning of `whole`: all of it is the same, but for the last thing in it."""
    match part:
        case str():
            return isinstance(whole, str) and whole.startswith(part)
        case list() | dict() if type(part) is type(whole):
            ours, theirs = (list(each.items()) if isinstance(each, dict) else list(each) for each in (part, whole))
            if not ours:
                return True
            last, other = ours.pop(), theirs[len(ours)] if len(ours) < len(theirs) else None
            if isinstance(part, dict):
                if other is None or last[0] != other[0]:
                    return False
                last, other = last[1], other[1]
            return exact(ours) == exact(theirs[: len(ours)]) and begins(last, other)
    return bool(exact(part) == exact(whole))


def written(value: Any, ensure_ascii: bool, indent: int | None, has_raw_breaks: bool) -> str:
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)
    # As models do: a line break in a string that is not escaped.
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[0], text) if has_raw_breaks else text


styles = st.tuples(st.booleans(), st.sampled_from([None, 1]), st.booleans())

# -- JSON text --------------------------------------------------------------------------------------------------------


@given(st.one_of(json_arguments, st.lists(json_arguments, max_size=3)), styles)
@examples
def test_what_json_text_says_grows_to_what_it_says_in_the_end(value: Any, style: tuple[bool, int | None, bool]) -> None:
    text = written(value, *style)
    whole = json.loads(text, strict=False)
    before = type(whole)()
    for length in range(1, len(text) + 1):
        found = read_partial(text[:length], 100)
        assert begins(before, found), text[:length]
        assert begins(found, whole), text[:length]
        before = found
    assert exact(before) == exact(whole)


@given(json_arguments, styles)
@examples
def test_what_is_complete_in_cut_json_text_does_not_change(value: Json, style: tuple[bool, int | None, bool]) -> None:
    text = written(value, *style)
    whole = exact(json.loads(text, strict=False))
    count = 0
    for length in range(1, len(text) + 1):
        found = exact(read_complete(text[:length], 100, 1))
        assert found == dict(list(whole.items())[: len(found)]), text[:length]
        assert count <= len(found), text[:length]
        count = len(found)
    assert count == len(whole)


JSON_SOUP = [
    *("{", "}", "[", "]", '"', ":", ",", " ", "\n", "\\", "\\u", "\\ud83d", "\\ude00", "\\u00", "-", "0", "12", "1.5"),
    *("1e999", "e", ".", "+", "true", "fals", "null", "NaN", "Infinity", "x", "é", "\ud83d", "\x00", "\ufeff", "/*"),
    *('"a"', '"b": 1', "[1, 2]", '{"c": []}', '"\\\\"', '"\\x"', "'", "9" * 5000, "[" * 2000, '{"d":' * 60, "]" * 70),
]


@given(st.lists(st.sampled_from(JSON_SOUP), max_size=14), st.integers(0, 20))
@examples
def test_no_text_raises_and_what_it_says_only_grows(pieces: list[str], max_depth: int) -> None:
    # A key that comes twice would take back the first.
    pieces = [piece.replace('"', f'"{number}', 1) for number, piece in enumerate(pieces)]
    before, text = None, ""
    for piece in pieces:
        for step in [piece] if len(piece) > 9 else piece:
            text += step
            found = read_partial(text, max_depth)
            assert before is None or begins(before, found), text
            complete = read_complete(text, max_depth, 1)
            assert complete is None or begins(complete, found), text
            before = found


# -- calls ------------------------------------------------------------------------------------------------------------


def assert_grows(chunks: Sequence[Any], formats: str, tools: list[Json]) -> None:
    """The snapshots of the one call in `chunks`, such as the characters of a text, grow to what its invocation has."""
    whole = StreamingResponseHandler(formats, tools=tools)
    for chunk in chunks:
        whole.feed(chunk)
    [invocation] = whole.invocations
    handler = StreamingResponseHandler(formats, tools=tools)
    before: Json = {}
    for length, chunk in enumerate(chunks, 1):
        handler.feed(chunk)
        found = handler.partial_arguments(invocation.id)
        if found is None:
            assert not before, chunks[:length]
            continue
        assert begins(before, found), chunks[:length]
        assert begins(found, invocation.arguments), chunks[:length]
        before = found
    assert exact(before) == exact(invocation.arguments)


def plain_call(arguments: Any) -> Json:
    return {"name": "f", "arguments": arguments}


def function_call(arguments: Any) -> Json:
    return {"id": "c", "function": {"name": "f", "parameters": arguments}, "type": "function"}


def string_call(arguments: Any) -> Json:
    return {"args": json.dumps(arguments), "name": "f"}


@given(json_arguments, styles, st.sampled_from([plain_call, function_call, string_call]))
@examples
def test_the_arguments_of_a_json_call_grow(
    arguments: Json, style: tuple[bool, int | None, bool], shape: Callable[[Any], Json]
) -> None:
    assert_grows(written(shape(arguments), *style), "json", [])


@given(json_arguments, styles)
@examples
def test_the_arguments_of_a_sentinel_call_grow(arguments: Json, style: tuple[bool, int | None, bool]) -> None:
    arguments = {f"a{name}": value for name, value in arguments.items()}  # `x` is given in the header
    header = '[[SEG_START {"type": "tool_call", "tool_name": "f", "arguments": {"x": [1]}}]]'
    assert_grows(f"{header}{written(arguments, *style)}[[SEG_END]]", "sentinel", [])


def native_chunks(name: str, text: str) -> list[Json]:
    pieces = [{"index": 0, "id": "c", "function": {"name": name, "arguments": character}} for character in text]
    deltas: list[Json] = [{"choices": [{"delta": {"tool_calls": [piece]}}]} for piece in pieces]
    return [*deltas, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}]


@given(json_arguments, styles)
@examples
def test_the_arguments_of_a_native_call_grow(arguments: Json, style: tuple[bool, int | None, bool]) -> None:
    assert_grows(native_chunks("f", written(arguments, *style)), "native", [])


@given(any_text, styles)
@examples
def test_the_body_of_a_native_call_grows(body: str, style: tuple[bool, int | None, bool]) -> None:
    text = written({"path": "p", "content": body}, style[0], style[1], False)
    assert_grows(native_chunks("write_file", text), "native", [])


@given(any_arguments(any_names), schemas)
@examples
def test_typed_arguments_of_an_xml_call_grow_in_arg_form(arguments: Json, schema: Callable[[Json], list[Json]]) -> None:
    assert_grows(call(render(arguments, arg)), "xml", schema(arguments))


@given(any_arguments(tag_names), schemas)
@examples
def test_typed_arguments_of_an_xml_call_grow_in_direct_form(
    arguments: Json, schema: Callable[[Json], list[Json]]
) -> None:
    assert_grows(call(render(arguments, direct)), "xml", schema(arguments))


@given(string_arguments(any_names))
@examples
def test_arguments_of_an_xml_call_grow_in_arg_form(arguments: Json) -> None:
    assert_grows(call(render(arguments, arg)), "xml", [])


@given(string_arguments(tag_names.filter(lambda name: name.lower() != "item")))
@examples
def test_arguments_of_an_xml_call_grow_in_direct_form(arguments: Json) -> None:
    assert_grows(call(render(arguments, direct)), "xml", [])


@given(st.lists(st.sampled_from(SOUP), max_size=8).map("".join), st.sampled_from([arg, direct]), st.booleans())
@examples
def test_any_text_grows_where_the_schema_says_string(value: str, form: Form, is_optional: bool) -> None:
    """Markup and all; a value with its own closer in it, or that of the call, is another matter."""
    own = ("<arg", "</arg") if form is arg else ("<a", "</a")
    if any(mark in value.lower() for mark in (*own, "<tool", "</tool")):
        return
    kind: Json = {"type": ["string", "null"]} if is_optional else {"type": "string"}
    assert_grows(call(form("a", value) + form("b", "1")), "xml", tool_with({"a": kind, "b": {"type": "integer"}}))


@given(
    openings,
    st.lists(st.sampled_from(SOUP), max_size=14),
    st.dictionaries(st.sampled_from(["a", "b", "c", "A", "item", "path"]), st.sampled_from(SCHEMAS), max_size=4),
)
@examples
def test_no_call_raises(opening: str, soup: list[str], properties: Json) -> None:
    tools = [{**tool, "name": name} for tool in tool_with(properties) for name in ("t", "run_bash", "write_file")]
    handler = StreamingResponseHandler("xml", tools=tools)
    for piece in [opening, *soup]:
        handler.feed(piece)
        for invocation in handler.invocations:
            assert handler.partial_arguments(invocation.id) == invocation.arguments
        found = handler.partial_arguments("seg_1") or {}
        assert json.loads(json.dumps(found, allow_nan=False)) == found
