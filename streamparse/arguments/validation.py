"""Whether a value fits a JSON schema, and if not, a sentence that says why.

    {"type": "object", "properties": {"limit": {"type": "integer"}}, "required": ["limit"]}

    {"limit": "5"}          limit must be an integer, not a string
    {}                      limit is missing
    {"limit": 5}            None

What most tools declare is checked here: types, required and additional properties, items, enum and const, bounds,
lengths, patterns, anyOf, oneOf and allOf, and references into the schema itself. If a place that the value comes by has
any other keyword, the package `jsonschema` is asked, too, where it is installed (`json_schema.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from streamparse import deferred
from streamparse.arguments.json_text import type_of
from streamparse.arguments.schema_variants import json_type, look_up, sequence
from streamparse.errors import suggest

#: What a schema says for people, or where others find it.
_NOTES = (
    *("$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "title", "description", "default"),
    *("examples", "example", "deprecated", "readOnly", "writeOnly", "strict", "format", "propertyOrdering"),
)
_ARTICLES = {"integer": "an integer", "array": "an array", "object": "an object", "null": "null"}
#: How much of a value is shown.
_MOST_SHOWN = 60

_Problems = Iterator[str]
_Bound = Callable[[Any, Any], bool]
#: The keywords that compare a number, or a length, with a number: when they are passed, and how that is said.
_BOUNDS: Mapping[str, tuple[_Bound, str]] = {
    "minimum": (lambda value, bound: value < bound, "must be at least {}"),
    "maximum": (lambda value, bound: value > bound, "must be at most {}"),
    "exclusiveMinimum": (lambda value, bound: value <= bound, "must be more than {}"),
    "exclusiveMaximum": (lambda value, bound: value >= bound, "must be less than {}"),
}
_LENGTHS: Mapping[str, tuple[type[str | list[Any]], _Bound, str]] = {
    "minLength": (str, lambda length, bound: length < bound, "must have at least {} characters"),
    "maxLength": (str, lambda length, bound: length > bound, "must have at most {} characters"),
    "minItems": (list, lambda length, bound: length < bound, "must have at least {} items"),
    "maxItems": (list, lambda length, bound: length > bound, "must have at most {} items"),
}


def find_problem(value: Any, schema: Mapping[str, Any]) -> str | None:
    """The first thing in `value` that does not fit `schema`, in a sentence; None if all of it fits."""
    validation = _Validation(schema)
    try:
        problem = next(validation.problems(value, schema, ""), None)
    except RecursionError:
        return "the arguments are nested too deeply to be checked"
    if problem is None and not validation.knows_all:
        find_other: Callable[[Any, Mapping[str, Any]], str | None]
        find_other = deferred.load("streamparse.arguments.json_schema", "find_problem")
        problem = find_other(value, schema)
    return problem


class _Validation:
    """One value and one schema."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        #: Whether every keyword so far was one of those below.
        self.knows_all = True
        self._keywords: Mapping[str, Callable[[Any, Any, Mapping[str, Any], str], _Problems]] = {
            "enum": lambda value, wanted, _, place: _check_fixed(value, sequence(wanted), place),
            "const": lambda value, wanted, _, place: _check_fixed(value, [wanted], place),
            "required": self._check_required,
            "properties": self._check_properties,
            "additionalProperties": self._check_others,
            "items": self._check_items,
            "prefixItems": self._check_first_items,
            "pattern": self._check_pattern,
            "anyOf": self._check_union,
            "oneOf": self._check_union,
            "allOf": self._check_all,
            **dict.fromkeys(_NOTES, _check_nothing),
            **dict.fromkeys(("type", "nullable", "$ref"), _check_nothing),
        }

    def problems(self, value: Any, node: object, place: str, seen: frozenset[str] = frozenset()) -> _Problems:
        """What is wrong with the value at `place`; `seen` are the references that led from it to `node`."""
        if not isinstance(node, Mapping):
            if node is False:
                yield f"{_at(place)} must not be given"
            self.knows_all = self.knows_all and isinstance(node, bool)
            return
        if value is None and node.get("nullable") is True:
            return
        reference = node.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            yield from self.problems(value, look_up(self._root, reference), place, seen | {reference})
        kinds = _types(node)
        if kinds and not any(_has_type(value, kind) for kind in kinds):
            yield f"{_at(place)} must be {_either(kinds)}, not {_name(value)}"
        else:  # of what has another type, nothing else that could be said would help
            yield from self._check(value, node, place)

    def _check(self, value: Any, node: Mapping[str, Any], place: str) -> _Problems:
        for keyword, wanted in node.items():
            if keyword in self._keywords:
                yield from self._keywords[keyword](value, wanted, node, place)
            elif keyword in _BOUNDS or keyword in _LENGTHS:
                yield from _check_bound(value, wanted, keyword, place)
            else:
                self.knows_all = False

    def _check_required(self, value: Any, wanted: Any, _: Mapping[str, Any], place: str) -> _Problems:
        if isinstance(value, dict):
            for name in sequence(wanted):
                if name not in value:
                    yield f"{_join(place, name)} is missing"

    def _check_properties(self, value: Any, wanted: Any, _: Mapping[str, Any], place: str) -> _Problems:
        if isinstance(value, dict) and isinstance(wanted, Mapping):
            for name, node in wanted.items():
                if name in value:
                    yield from self.problems(value[name], node, _join(place, name))

    def _check_others(self, value: Any, wanted: Any, node: Mapping[str, Any], place: str) -> _Problems:
        if not isinstance(value, dict) or "patternProperties" in node:
            return
        properties = node.get("properties")
        known = list(properties) if isinstance(properties, Mapping) else []
        for name in value:
            if name in known:
                continue
            if wanted is False:
                yield f"{_join(place, name)} is not declared{suggest(name, known)}"
            else:
                yield from self.problems(value[name], wanted, _join(place, name))

    def _check_items(self, value: Any, wanted: Any, node: Mapping[str, Any], place: str) -> _Problems:
        if isinstance(value, list):
            first = len(sequence(node.get("prefixItems")))
            for index, item in enumerate(value[first:], first):
                yield from self.problems(item, wanted, f"{place}[{index}]")

    def _check_first_items(self, value: Any, wanted: Any, _: Mapping[str, Any], place: str) -> _Problems:
        if isinstance(value, list):
            for index, (item, node) in enumerate(zip(value, sequence(wanted), strict=False)):
                yield from self.problems(item, node, f"{place}[{index}]")

    def _check_pattern(self, value: Any, wanted: Any, _: Mapping[str, Any], place: str) -> _Problems:
        try:
            is_missed = isinstance(value, str) and re.search(wanted, value) is None
        except (re.error, TypeError):  # a pattern of another language than Python's
            self.knows_all = is_missed = False
        if is_missed:
            yield f"{_at(place)} must match the pattern {wanted}"

    def _check_all(self, value: Any, wanted: Any, _: Mapping[str, Any], place: str) -> _Problems:
        for node in sequence(wanted):
            yield from self.problems(value, node, place)

    def _check_union(self, value: Any, wanted: Any, node: Mapping[str, Any], place: str) -> _Problems:
        options = sequence(wanted)
        found = [next(self.problems(value, option, place), None) for option in options]
        if not options or found.count(None) == 1 or (None in found and wanted is not node.get("oneOf")):
            return
        kinds = [kind for option in options for kind in self._types_of(option)]
        # If it is of the type of one, that is the one that was meant.
        meant = [one for one, option in zip(found, options, strict=True) if one and self._may_be(value, option)]
        if None in found:
            yield f"{_at(place)} must fit one alternative, and fits {found.count(None)} of those that are declared"
        elif meant:
            yield meant[0]
        else:
            yield f"{_at(place)} must be {_either(dict.fromkeys(kinds))}, not {_name(value)}"

    def _types_of(self, option: object) -> list[str]:
        reference = option.get("$ref") if isinstance(option, Mapping) else None
        found = look_up(self._root, reference) if isinstance(reference, str) else option
        return _types(found) if isinstance(found, Mapping) else []

    def _may_be(self, value: Any, option: object) -> bool:
        kinds = self._types_of(option)
        return not kinds or any(_has_type(value, kind) for kind in kinds)


def _check_nothing(_value: Any, _wanted: Any, _node: Mapping[str, Any], _place: str) -> _Problems:
    return iter(())


def _check_fixed(value: Any, allowed: list[Any], place: str) -> _Problems:
    if allowed and not any(_is_equal(value, one) for one in allowed):
        shown = ", ".join(map(_shown, allowed))
        yield f"{_at(place)} must be {'one of ' * (len(allowed) > 1)}{shown}, not {_shown(value)}"


def _check_bound(value: Any, wanted: Any, keyword: str, place: str) -> _Problems:
    if not _has_type(wanted, "number"):
        return
    if keyword in _BOUNDS:
        is_passed, words = _BOUNDS[keyword]
        if _has_type(value, "number") and is_passed(value, wanted):
            yield f"{_at(place)} {words.format(wanted)}, not {_shown(value)}"
    else:
        kind, is_passed, words = _LENGTHS[keyword]
        if isinstance(value, kind) and is_passed(len(value), wanted):
            yield f"{_at(place)} {words.format(wanted)}, not {len(value)}"


def _types(node: Mapping[str, Any]) -> list[str]:
    """The JSON types that a schema names; none if one of them is unknown."""
    kinds = node.get("type")
    named = [json_type(kind) for kind in ([kinds] if isinstance(kinds, str) else sequence(kinds))]
    known = [kind for kind in named if kind is not None]
    return known if len(known) == len(named) else []


def _has_type(value: Any, kind: str) -> bool:
    if kind == "integer":
        return type_of(value) == "number" and (isinstance(value, int) or value.is_integer())
    return type_of(value) == kind


def _is_equal(one: Any, two: Any) -> bool:
    """As JSON compares: 1 is 1.0, and not true."""
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(_is_equal(one[name], two[name]) for name in one)
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(_is_equal, one, two))
    return bool(one == two) and isinstance(one, bool) == isinstance(two, bool)


def _name(value: Any) -> str:
    """The type of a value, with its article."""
    return _article(type_of(value))


def _article(kind: str) -> str:
    return _ARTICLES.get(kind, f"a {kind}")


def _either(kinds: Any) -> str:
    *others, last = map(_article, kinds)
    return f"{', '.join(others)} or {last}" if others else last


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _at(place: str) -> str:
    return place or "the arguments"


def _join(place: str, name: object) -> str:
    return f"{place}.{name}" if place else str(name)
