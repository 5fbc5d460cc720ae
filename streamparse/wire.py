"""Records from their wire form: what `to_dict` gives, and JSON carries, becomes an object again.

    read_record(ToolInvocation, {"type": "TOOL_INVOCATION", "id": "seg_1", "name": "f", …})

A record is an attrs class, or one whose `__init__` takes the fields of its wire form (blocks are such). `from_dict` of
every record is this. It takes nothing but what `to_dict` of that class may give: each field is one of the class, each
value is what its annotation says, and `to_dict` of the result is the data again. docs/wire.md has the wire forms of all
items, `wire_schema.py` their JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, Protocol, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import attrs


class Record(Protocol):
    """Something with a wire form."""

    def to_dict(self) -> dict[str, Any]:
        """The wire form."""


_R = TypeVar("_R", bound=Record)


def read_record(cls: type[_R], data: object) -> _R:
    """The record that `data` is the wire form of. Raises ValueError for anything else."""
    try:
        made = _read(cls, data)
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"not the wire form of {cls.__name__}: {data!r}") from error
    if made.to_dict() != data:
        raise ValueError(f"not the wire form of {cls.__name__}: {data!r}")
    return made


def _read(cls: type[_R], data: object) -> _R:
    if not isinstance(data, Mapping):
        raise TypeError("a record is an object")
    annotations = annotations_of(cls)
    named = {name: value for name, value in data.items() if name != "type" or name in annotations}
    return cls(**{name: _fit(annotations[name], value) for name, value in named.items()})


def without_none(data: Mapping[str, Any]) -> dict[str, Any]:
    """What is not known is left out of a wire form."""
    return {name: value for name, value in data.items() if value is not None}


def present(**values: Any) -> dict[str, Any]:
    """Those of the values that say something: no empty texts, no empty lists."""
    return {name: value for name, value in values.items() if value}


@cache
def annotations_of(cls: type) -> dict[str, Any]:
    """What each field of a record is, in their order."""
    if attrs.has(cls):
        annotations = get_type_hints(cls)
        return {attribute.name: annotations[attribute.name] for attribute in attrs.fields(cls)}
    annotations = get_type_hints(cast(Any, cls).__init__)
    return {name: annotation for name, annotation in annotations.items() if name != "return"}


def _fit(annotation: Any, value: Any) -> Any:
    """The value, if it is what the annotation says; a list where that is a tuple, a record where it is one."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation is Any or (origin is Literal and value in inner):
        return value
    if origin in (UnionType, Union):
        return None if value is None else _fit(inner[0], value)  # `… | None` is all there is
    if origin is tuple and isinstance(value, list):
        return tuple(_fit(inner[0], item) for item in value)
    if origin in (dict, Mapping) and isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return dict(value)
    if origin is None and attrs.has(annotation):
        return read_record(cast(type[Record], annotation), value)
    if origin is None and isinstance(value, annotation) and isinstance(value, bool) is (annotation is bool):
        return value
    raise ValueError(f"{value!r} is not {annotation}")
