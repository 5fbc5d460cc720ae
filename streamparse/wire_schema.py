"""The JSON Schema of the wire form, and its types for TypeScript.

    python -m streamparse.wire_schema docs          writes docs/wire.schema.json and docs/streamparse.d.ts

Records are described by the annotations of their classes, by which they are read, too (`wire.py`); events and blocks
have a form of their own, so they are written down here. The TypeScript is made of the schema.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin

import attrs

from streamparse.blocks import CustomContent, ReasoningContent, TextContent, ToolUse
from streamparse.events import PLAN, SegmentContent, SegmentEnd, SegmentStart, SegmentType, TagKind
from streamparse.invocations import ToolInvocation, ToolLifecycle
from streamparse.invocations.invocation import OPTIONAL, Status
from streamparse.outcome import Outcome, StreamEnd, Usage
from streamparse.plans import PlanProblem, PlanStep, ToolPlan
from streamparse.wire import annotations_of

Schema: TypeAlias = dict[str, Any]

#: What each file is called that is generated.
SCHEMA_FILE: Final = "wire.schema.json"
TYPES_FILE: Final = "streamparse.d.ts"

_TEXT: Schema = {"type": "string"}
_SOME_TEXT: Schema = {"type": "string", "minLength": 1}
_OBJECT: Schema = {"type": "object"}
_SOME_OBJECT: Schema = {"type": "object", "minProperties": 1}
_BOOLEAN: Schema = {"type": "boolean"}
_STATUS: Schema = {"enum": list(get_args(Status))}
_BROKEN: Schema = {"enum": [status for status in get_args(Status) if status != "complete"]}
_PLAIN: Mapping[object, str] = {str: "string", int: "integer", bool: "boolean"}


def schema() -> Schema:
    """The JSON Schema of every item, each in `$defs` under the name of its class."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The wire form of streamparse",
        "anyOf": [_ref("Item"), _ref("Block")],
        "$defs": {
            "SegmentType": {
                "description": "The types of the library itself; a custom state may use any other.",
                "anyOf": [{"enum": [*map(str, SegmentType), PLAN]}, _SOME_TEXT],
            },
            **_events(),
            "ToolInvocation": _record(ToolInvocation, left_out=OPTIONAL),
            "ToolLifecycle": _record(
                ToolLifecycle, left_out=set(annotations_of(ToolLifecycle)) - {"state", "invocation_id", "name"}
            ),
            "Usage": _record(Usage, left_out=annotations_of(Usage)),
            "Outcome": _record(Outcome, left_out=set(annotations_of(Outcome)) - {"finish_reason"}),
            "StreamEnd": _item(StreamEnd, payload=_ref("Outcome")),
            "PlanProblem": _record(PlanProblem, left_out=("step",)),
            "PlanStep": _record(PlanStep, left_out=("invocation", "plan")),
            "ToolPlan": _record(ToolPlan, left_out=("parent",)),
            **_blocks(),
            "SegmentEvent": _any_of(SegmentStart, SegmentContent, SegmentEnd),
            "Item": {
                "anyOf": [
                    _ref("SegmentEvent"),
                    *map(_ref, ("ToolInvocation", "ToolLifecycle", "StreamEnd", "ToolPlan")),
                ]
            },
            "Block": _any_of(TextContent, ReasoningContent, ToolUse, CustomContent),
        },
    }


# -- events and blocks -------------------------------------------------------------------------------------------------


def _events() -> dict[str, Schema]:
    start = {"metadata": _SOME_OBJECT, "format": {"type": "string", "minLength": 1, "not": {"const": "xml"}}}
    end = {
        "status": _BROKEN,
        "error": _SOME_TEXT,
        "repaired": {"const": True},
        "late": _SOME_OBJECT,
        "written": {"type": "object", "minProperties": 1, "additionalProperties": {"enum": list(get_args(TagKind))}},
        "call_id": _SOME_TEXT,
        "state": _SOME_OBJECT,
        "reasoning": {"const": True},
    }
    return {
        "SegmentStart": _item(
            SegmentStart, segment_id=_TEXT, segment_type=_ref("SegmentType"), payload=_object(start, left_out=start)
        ),
        "SegmentContent": _item(SegmentContent, segment_id=_TEXT, payload=_object({"delta": _SOME_TEXT})),
        "SegmentEnd": _item(SegmentEnd, segment_id=_TEXT, payload=_object(end, left_out=end)),
    }


def _blocks() -> dict[str, Schema]:
    prose = {"content": _TEXT, "partial": _BOOLEAN, "status": _BROKEN}
    maybe_status = _or_null(_STATUS)
    return {
        "TextContent": _item(TextContent, left_out=("status",), **prose),
        "ReasoningContent": _item(ReasoningContent, left_out=("status",), **prose),
        "ToolUse": _item(
            ToolUse,
            left_out=("call_id", "error"),
            **{"id": _TEXT, "name": _TEXT, "params": _OBJECT, "partial": _BOOLEAN, "status": maybe_status},
            **{"repaired": _BOOLEAN, "call_id": _TEXT, "error": _TEXT},
        ),
        "CustomContent": _object(
            {
                "type": _SOME_TEXT,
                **{"content": _TEXT, "partial": _BOOLEAN, "metadata": _OBJECT, "status": maybe_status},
            },
            description=_first_line(CustomContent),
        ),
    }


# -- parts of a schema -------------------------------------------------------------------------------------------------


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _any_of(*classes: type) -> Schema:
    return {"anyOf": [_ref(cls.__name__) for cls in classes]}


def _or_null(inner: Schema) -> Schema:
    return {"anyOf": [inner, {"type": "null"}]}


def _object(properties: Mapping[str, Schema], left_out: Iterable[str] = (), description: str = "") -> Schema:
    """An object with these properties and no others; those that may be `left_out` are not required."""
    told = {"description": description} if description else {}
    required = [name for name in properties if name not in set(left_out)]
    return {
        **told,
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def _item(cls: Any, left_out: Iterable[str] = (), **properties: Schema) -> Schema:
    """An object that says by its `type` of which class it is."""
    return _object({"type": {"const": str(cls.type)}, **properties}, left_out, _first_line(cls))


def _record(cls: Any, left_out: Iterable[str]) -> Schema:
    """An object with the fields of an attrs class; where there is none, most of them are left out, others are null."""
    properties = {
        name: _described(_without_null(annotation) if name in set(left_out) else annotation)
        for name, annotation in annotations_of(cls).items()
    }
    if hasattr(cls, "type"):
        return _item(cls, left_out, **properties)
    return _object(properties, left_out, _first_line(cls))


def _without_null(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) in (UnionType, Union) else annotation


def _described(annotation: Any) -> Schema:
    """What the annotation of a field says of its value."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation is Any:
        return {}
    if origin in (UnionType, Union):
        return _or_null(_described(inner[0]))
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        return {"type": "array", "items": _described(inner[0])}
    if origin is not None:
        return _OBJECT
    return _ref(annotation.__name__) if attrs.has(annotation) else {"type": _PLAIN[annotation]}


def _first_line(cls: type) -> str:
    return (inspect.getdoc(cls) or "").splitlines()[0]


# -- TypeScript --------------------------------------------------------------------------------------------------------


def typescript() -> str:
    """The types of the wire form, as the schema has them."""
    lines = ["// The wire form of streamparse. Generated by `python -m streamparse.wire_schema docs`: do not edit."]
    for name, definition in schema()["$defs"].items():
        told = [f"/** {definition['description']} */"] if "description" in definition else []
        if "properties" in definition:
            lines += ["", *told, f"export interface {name} {_typed(definition)}"]
        else:
            lines += ["", *told, f"export type {name} = {_typed(definition)};"]
    return "\n".join(lines) + "\n"


def _typed(part: Schema, indent: str = "") -> str:
    """The TypeScript of a part of the schema."""
    if not part:
        return "unknown"
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "anyOf" in part:
        # Beside the texts that are known, any other: written so, editors still suggest the known ones.
        return " | ".join("(string & {})" if one == _SOME_TEXT else _typed(one, indent) for one in part["anyOf"])
    if "const" in part:
        return json.dumps(part["const"])
    if "enum" in part:
        return " | ".join(json.dumps(value) for value in part["enum"])
    if "properties" in part:
        inner = indent + "  "
        members = [
            f"{inner}{name}{'' if name in part['required'] else '?'}: {_typed(value, inner)};"
            for name, value in part["properties"].items()
        ]
        return "\n".join(["{", *members, indent + "}"])
    if part["type"] == "array":
        return f"{_typed(part['items'], indent)}[]"
    if part["type"] == "object":
        values = part.get("additionalProperties")
        return f"Record<string, {_typed(values, indent) if values else 'unknown'}>"
    return "number" if part["type"] == "integer" else str(part["type"])


def write(folder: Path) -> None:
    """Write both files."""
    (folder / SCHEMA_FILE).write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8")
    (folder / TYPES_FILE).write_text(typescript(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
