"""Schema.of: the schema of a tool is made once, whoever declares it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from types import MappingProxyType
from typing import Any

import pytest

from streamparse import StreamingResponseHandler, ToolSpec
from streamparse.arguments import Schema
from streamparse.arguments import schema as schema_module

NUMBER = {"type": "object", "properties": {"a": {"type": "integer"}}}


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    schema_module._keep.cache_clear()
    yield
    schema_module._keep.cache_clear()


def test_tools_that_say_the_same_have_one_schema() -> None:
    assert Schema.of(NUMBER) is Schema.of(NUMBER)
    assert Schema.of(deepcopy(NUMBER)) is Schema.of(NUMBER)
    assert Schema.of({**NUMBER, "required": ["a"]}) is not Schema.of(NUMBER)


def test_what_is_equal_for_python_and_not_in_json_is_not_the_same() -> None:
    for one, two in ((1, True), (0, False), (1, 1.0)):
        schemas = [Schema.of({"properties": {"a": {"const": value}}}).property_of("a") for value in (one, two)]
        assert schemas[0].types != schemas[1].types


def test_a_dict_that_is_changed_is_read_anew_and_changes_no_other() -> None:
    mine = deepcopy(NUMBER)
    kept = Schema.of(mine)
    mine["properties"]["a"]["type"] = "string"  # type: ignore[index]
    assert Schema.of(mine).property_of("a").read("5", 9) == "5"
    assert Schema.of(NUMBER) is kept
    assert kept.property_of("a").read("5", 9) == 5


def test_a_tool_that_is_changed_between_two_streams_is_read_as_it_is() -> None:
    tool: dict[str, Any] = {"name": "f", "parameters": deepcopy(NUMBER)}

    def read() -> list[dict[str, Any]]:
        handler = StreamingResponseHandler("xml", tools=[tool])
        handler.feed('<tool name="f"><arg name="a">5</arg></tool>')
        return [invocation.arguments for invocation in handler.invocations]

    assert read() == [{"a": 5}]
    tool["parameters"]["properties"]["a"]["type"] = "string"
    assert read() == [{"a": "5"}]


@pytest.mark.parametrize("parameters", [MappingProxyType(NUMBER), {**NUMBER, "title": sys}], ids=["proxy", "object"])
def test_what_cannot_be_written_is_read_every_time(parameters: Mapping[str, Any]) -> None:
    assert Schema.of(parameters) is not Schema.of(parameters)
    assert Schema.of(parameters).property_of("a").read("5", 9) == 5
    assert schema_module._keep.cache_info().currsize == 0


def test_what_is_very_large_is_read_every_time() -> None:
    small, large = ({**NUMBER, "description": "x" * size} for size in (65_000, 66_000))
    assert Schema.of(small) is Schema.of(small)
    assert Schema.of(large) is not Schema.of(large)
    assert Schema.of(large).property_of("a").read("5", 9) == 5


def test_a_schema_that_contains_itself_is_read_every_time() -> None:
    tree: dict[str, Any] = {"type": "object", "properties": {}}
    tree["properties"]["left"] = tree
    assert Schema.of(tree).property_of("left").property_of("left").types == {"object"}
    assert schema_module._keep.cache_info().currsize == 0


def test_what_python_had_no_room_to_find_out_is_found_out_by_the_next() -> None:
    node: dict[str, Any] = {"type": "integer"}
    for _ in range(40):
        node = {"allOf": [node]}
    nested = {"type": "object", "properties": {"a": node}}
    broken = Schema.of(nested)
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 30)
    try:
        unknown = broken.property_of("a").types
    finally:
        sys.setrecursionlimit(limit)
    assert unknown == frozenset()
    assert Schema.of(nested) is not broken
    assert Schema.of(nested).property_of("a").types == {"integer"}


def test_schemas_are_kept_up_to_a_bound() -> None:
    for number in range(schema_module.MOST_KEPT + 20):
        Schema.of({"properties": {f"p{number}": {}}})
    assert schema_module._keep.cache_info().currsize == schema_module.MOST_KEPT == 256


def test_one_schema_serves_several_threads() -> None:
    union = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}
    tree = {"type": "object", "properties": {f"p{number}": union for number in range(30)}}
    parameters = {"$ref": "#/$defs/tree", "$defs": {"tree": tree}}

    def read(number: int) -> list[Any]:
        schema = Schema.of(parameters)
        for _ in range(5):
            schema = schema.property_of(f"p{number % 30}").item_of(0)
        return [schema.property_of(f"p{other}").read("5", 9) for other in range(30)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(read, range(200))) == [[5] * 30] * 200


def test_a_spec_is_read_as_its_parameters() -> None:
    spec = ToolSpec("f", NUMBER)
    handlers = [StreamingResponseHandler("xml", tools=[spec]) for _ in range(2)]
    for handler in handlers:
        handler.feed('<tool name="f"><arg name="a">5</arg></tool>')
        assert [invocation.arguments for invocation in handler.invocations] == [{"a": 5}]
    assert schema_module._keep.cache_info().misses == 1
