"""The JSON schema of a function's parameters, from its type hints.

def search(query: str, limit: int = 5, kind: Literal["web", "news"] = "web") -> str: ...

{"type": "object", "required": ["query"], "properties": {
    "query": {"type": "string"}, "limit": {"type": "integer"}, "kind": {"enum": ["web", "news"]}}}

What has no hint may be anything. A parameter whose hint is `ToolContext` is no argument: the presenter gives it. A
function is given what the model wrote, plain data: the value of an enum, say, and not its member.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_KINDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def schema_of(function: Callable[..., Any], without: type) -> dict[str, Any]:
    """The schema of the arguments that `function` takes by name, except those whose hint is the class `without`."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    takes_all = False
    hints = hints_of(function)
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            takes_all = True
        if parameter.kind not in _KINDS or hints.get(name) is without:
            continue
        properties[name] = _schema(hints.get(name, Any))
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    return schema if takes_all else schema | {"additionalProperties": False}


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The hints of its parameters; none if they name something that cannot be found."""
    while isinstance(function, partial):
        function = function.func
    target = function if inspect.isroutine(function) else getattr(function, "__call__", function)  # noqa: B004
    try:
        return get_type_hints(target, include_extras=True)
    except (NameError, TypeError):
        return {}


def _schema(hint: Any) -> dict[str, Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        words = [word for word in inner[1:] if isinstance(word, str)]
        return _schema(inner[0]) | ({"description": " ".join(words)} if words else {})
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return _any_of([_schema(one) for one in inner])
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    container = origin or hint
    if not isinstance(container, type) or not issubclass(container, Iterable) or issubclass(container, str | bytes):
        return {}
    if issubclass(container, Mapping):
        return {"type": "object"} | ({"additionalProperties": _schema(inner[1])} if len(inner) == 2 else {})
    items = [one for one in inner if one is not Ellipsis]
    return {"type": "array"} | ({"items": _any_of([_schema(one) for one in items])} if items else {})


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """One of these; types alone become a list of types."""
    distinct = [schema for at, schema in enumerate(schemas) if schema not in schemas[:at]]
    if len(distinct) == 1:
        return distinct[0]
    if all(schema.keys() == {"type"} for schema in distinct):
        return {"type": [schema["type"] for schema in distinct]}
    return {"anyOf": distinct}
