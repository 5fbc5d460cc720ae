"""An example of a tool's arguments, from their JSON schema; and the other way round.

    {"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}       {"city": "some city", "days": 1}

For the worked example in a prompt: it has to show the shape, and whatever the schema itself gives as an example. And
for what is written there: it is read again as a call of a tool that takes such arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from streamparse.arguments.json_text import type_of
from streamparse.arguments.schema_variants import json_type, look_up
from streamparse.config import Tools, ToolSpec

#: A schema may be recursive; no example is.
_DEEPEST = 4
#: Optional arguments are left out if there are more than these.
_MOST = 4
_PLAIN: dict[str, Any] = {"integer": 1, "number": 1.5, "boolean": True, "null": None}


def example_arguments(parameters: Mapping[str, Any], *, is_plain: bool = False) -> dict[str, Any]:
    """Arguments of the right shape; `is_plain`: without values that the schema gives."""
    return _Example(parameters, is_plain).of_object(parameters, 0)


def example_call(tool: ToolSpec, *, is_plain: bool = False) -> dict[str, Any]:
    """The same of a tool: with the path and the body that every call of its kind must have."""
    needed = tool.as_body.names if tool.as_body else ()
    return {**{name: f"some {name}" for name in needed}, **example_arguments(tool.parameters, is_plain=is_plain)}


def tools_for(name: str, arguments: Mapping[str, Any], declared: Tools, known: Tools) -> Tools:
    """The tools that are `declared`, and one of this name, if there is none among them.

    That is the one `known` by this name, or any other; and it takes arguments like these.
    """
    if name.lower() in declared:
        return declared
    spec = known.get(name.lower()) or _undeclared(name)
    types = {key: {"type": type_of(value)} for key, value in arguments.items()}
    properties = {**{key: {} for key in spec.parameter_names}, **types}
    made = evolve(spec, parameters={"type": "object", "properties": properties})
    return Tools({**declared, made.name.lower(): made})


def _undeclared(name: str) -> ToolSpec:
    """A tool that no one has declared: the three that are known have the same names and parameters everywhere."""
    body = Tools().body_of(name)
    return ToolSpec(body.kind, {"properties": {key: {} for key in body.names}}) if body else ToolSpec(name)


class _Example:
    def __init__(self, root: Mapping[str, Any], is_plain: bool) -> None:
        self._root = root
        self._is_plain = is_plain

    def of_object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties, required = schema.get("properties"), schema.get("required")
        if not isinstance(properties, Mapping):
            return {}
        needed = set(required) if isinstance(required, list | tuple) else set()
        wanted = [name for name in properties if name in needed]
        if len(properties) <= _MOST or not wanted:
            wanted = list(properties)[: max(_MOST, len(wanted))]
        return {name: self._of(properties[name], name, depth + 1) for name in wanted}

    def _of(self, schema: object, name: str, depth: int) -> Any:
        schema = self._resolve(schema)
        given = () if self._is_plain else _given(schema)
        if given:
            return given[0]
        kind = _kind(schema)
        if kind == "object":
            return self.of_object(schema, depth) if depth < _DEEPEST else {}
        if kind == "array":
            items = schema.get("items")
            return [self._of(items, name, depth + 1)] if isinstance(items, Mapping) and depth < _DEEPEST else []
        return _PLAIN.get(kind, f"some {name}")

    def _resolve(self, schema: object) -> Mapping[str, Any]:
        """The schema that a reference or a choice comes down to; an empty one if it is none."""
        for _ in range(_DEEPEST):
            if not isinstance(schema, Mapping):
                return {}
            options = next((schema[key] for key in ("anyOf", "oneOf", "allOf") if schema.get(key)), None)
            if isinstance(schema.get("$ref"), str):
                schema = look_up(self._root, schema["$ref"])
            elif isinstance(options, list | tuple):
                schema = next((option for option in options if option != {"type": "null"}), {})
            else:
                return schema
        return {}


def _given(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    """What the schema itself offers as a value."""
    if "const" in schema:
        return (schema["const"],)
    for key in ("examples", "enum"):
        values = schema.get(key)
        if isinstance(values, list | tuple) and values:
            return (values[0],)
    return (schema["default"],) if schema.get("default") is not None else ()


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list | tuple):
        kind = next((one for one in kind if one != "null"), "null")
    known = json_type(kind)
    if known is not None:
        return known
    return "object" if "properties" in schema else "array" if "items" in schema else "string"
