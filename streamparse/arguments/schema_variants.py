"""The variants of a JSON schema: what a value may be, each without references, unions and lists of types.

    {"anyOf": [{"type": ["string", "null"]}, {"$ref": "#/$defs/Point"}]}

    {"type": "string"}, {"type": "null"}, {"type": "object", "properties": …}

A schema is read as far as it can be: what is no schema, or points elsewhere, says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: The JSON types by the classes of values; bool comes before int, which it is a subclass of.
TYPES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
#: The JSON types by the names that people give them in schemas, in lower case.
_NAMED = {
    **{name: name for name in TYPES.values()},
    **dict.fromkeys(("str", "text", "char", "varchar"), "string"),
    **dict.fromkeys(("int", "long", "short", "bigint"), "integer"),
    **dict.fromkeys(("float", "double", "num", "decimal"), "number"),
    **dict.fromkeys(("list", "tuple", "arr", "set"), "array"),
    **dict.fromkeys(("dict", "map", "hashmap"), "object"),
    **{"bool": "boolean", "none": "null"},
}
#: What tells the type of a schema that does not name it.
_TELLTALES = {"properties": "object", "additionalProperties": "object", "items": "array", "prefixItems": "array"}
#: How many steps it may take to find the alternatives of one place in a schema: more than any that people write.
_MOST_STEPS = 10_000


def flatten(node: object, root: object) -> list[dict[str, Any]]:
    """The variants of `node`, a place in the schema `root`.

    Of what branches again and again nothing is known. Raises RecursionError if it is nested deeper than Python follows.
    """
    return _flatten(node, root, frozenset(), iter(range(_MOST_STEPS)))


def _flatten(node: object, root: object, seen: frozenset[str], steps: Iterator[int]) -> list[dict[str, Any]]:
    """`seen` are the references on the way here: one that leads to itself adds nothing."""
    if next(steps, None) is None or not isinstance(node, Mapping):
        return [{}]
    own = {key: value for key, value in node.items() if key not in ("$ref", "allOf", "anyOf", "oneOf")}
    variants = [own]
    reference = node.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            return []
        seen |= {reference}
        variants = [_merge(found, own) for found in _flatten(look_up(root, reference), root, seen, steps)]
    for part in distinct(sequence(node.get("allOf"))):
        variants = _merge_all(variants, _flatten(part, root, seen, steps))
    for union in ("anyOf", "oneOf"):
        options = distinct(sequence(node.get(union)))
        if options:
            found = [variant for option in options for variant in _flatten(option, root, seen, steps)]
            variants = _merge_all(variants, found)
    return [single for variant in variants for single in _split_types(variant)]


def _merge_all(ones: list[dict[str, Any]], twos: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every one with every two, within reason."""
    return [_merge(one, two) for one in ones for two in twos[: _MOST_STEPS // max(1, len(ones))]]


def distinct(nodes: Iterable[Any]) -> list[Any]:
    """Without those that say the same. (`1` and `true` are equal in Python, and two things in JSON.)"""
    return list({_identity(node): node for node in nodes}.values())


def _identity(node: Any) -> object:
    try:
        return repr(node)
    except RecursionError:
        return id(node)


def _split_types(variant: dict[str, Any]) -> list[dict[str, Any]]:
    kinds = variant.get("type")
    singles = [{**variant, "type": kind} for kind in kinds] if isinstance(kinds, list | tuple) else [variant]
    if variant.get("nullable") is True:
        singles.append({"type": "null"})
    return singles


def _merge(one: Mapping[str, Any], two: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**one, **two}
    if isinstance(one.get("properties"), Mapping) and isinstance(two.get("properties"), Mapping):
        merged["properties"] = {**one["properties"], **two["properties"]}
    if "required" in one and "required" in two:
        merged["required"] = [*sequence(one["required"]), *sequence(two["required"])]
    return merged


def look_up(root: object, reference: str) -> object:
    """What `#/$defs/name` points to; nothing is known of what is elsewhere."""
    if not reference.startswith("#"):
        return None
    found = root
    for step in reference[1:].split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def json_type(name: object) -> str | None:
    """The JSON type that a schema calls `name`: `dict` and `OBJECT` are object. None if it is no type."""
    return _NAMED.get(name.lower()) if isinstance(name, str) else None


def types_of(variant: Mapping[str, Any]) -> frozenset[str]:
    """The JSON types of its values; none if it does not say."""
    kind = json_type(variant.get("type"))
    if kind is not None:
        return frozenset((kind,))
    fixed = _fixed(variant)
    if fixed:
        return frozenset(TYPES.get(type(value), "string") for value in fixed)
    return frozenset(kind for key, kind in _TELLTALES.items() if key in variant)


def _fixed(variant: Mapping[str, Any]) -> list[Any]:
    """The values an enum or a const allows."""
    return [*sequence(variant.get("enum")), *([variant["const"]] if "const" in variant else [])]


def words_of(variant: Mapping[str, Any]) -> list[str]:
    """The strings that it allows, if it names them."""
    return [value for value in _fixed(variant) if isinstance(value, str)]


def sequence(value: object) -> list[Any]:
    """The items of what ought to be an array; none if it is not."""
    return list(value) if isinstance(value, list | tuple) else []
