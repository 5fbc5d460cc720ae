"""The prompt side of the cline formats.

    <write_to_file>
    <path>a.py</path>
    <content>
    print(1)
    </content>
    </write_to_file>

Raw parameters stand on lines of their own, behind the others; strings are written as they are, all else as JSON. There
are no escapes, so a text that would be read differently is refused (`formats/read_back.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from streamparse.arguments.example import example_call
from streamparse.arguments.json_text import to_json, without_marks, write_json
from streamparse.config import ToolSpec
from streamparse.core.entities import decode_basic_entities
from streamparse.errors import RenderError
from streamparse.families.cline.grammar import ClineTool
from streamparse.families.xml.writer import encode

_PARAMETER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,255}")
#: Tags with a meaning of their own.
_RESERVED = frozenset({"think", "thinking"})


def write_call(tool: ToolSpec, arguments: Mapping[str, Any], call_id: str | None) -> str:
    """A call of `tool` as tags. There is no place for an id."""
    write_json(arguments)  # nothing that JSON has not
    name = tool.name
    if name.lower() in _RESERVED or not all(map(_PARAMETER_NAME.fullmatch, arguments)):
        raise RenderError(f"the names of {name} and its parameters cannot all be written as tags")
    parameters = ClineTool.of(tool)
    _check_needed(parameters, arguments)
    others = [key for key in arguments if key not in parameters.raw]
    ordered = [*others, *(key for key in arguments if key in parameters.raw)]
    lines = [_write_parameter(key, arguments[key], parameters) for key in ordered]
    content = "".join(f"\n{line}" for line in lines) + "\n"
    return f"<{name}>{content}</{name}>"


def describe_as_tags(tool: ToolSpec) -> str:
    """A tool as the assistants' prompts describe it: what it does, its parameters, and how it is called."""
    required = tool.parameters.get("required") or ()
    lines = [f"## {tool.name}", *([f"Description: {tool.description}"] if tool.description else []), "Parameters:"]
    for name, schema in (tool.parameters.get("properties") or {}).items():
        lines.append(f"- {name}: ({'required' if name in required else 'optional'}){_describe(schema)}")
    usage = [f"<{name}>{name.replace('_', ' ')} here</{name}>" for name in example_call(tool)]
    return "\n".join([*lines, "Usage:", f"<{tool.name}>", *usage, f"</{tool.name}>", ""])


def _describe(schema: object) -> str:
    """What a schema says of a parameter: the description, and all else but that it is a text."""
    if not isinstance(schema, Mapping):
        return ""
    rest = {key: value for key, value in schema.items() if key != "description"}
    told = f" {schema['description']}" if "description" in schema else ""
    return told if rest in ({}, {"type": "string"}) else f"{told} {to_json(rest)}"


def _check_needed(parameters: ClineTool, arguments: Mapping[str, Any]) -> None:
    if parameters.live is not None:
        needed = parameters.live.names
        if not all(isinstance(arguments.get(name), str) for name in needed):
            raise RenderError(f"{parameters.tool} needs {' and '.join(needed)}, as texts")


def _write_parameter(key: str, value: Any, parameters: ClineTool) -> str:
    text = _text(key, value, parameters)
    if key in parameters.raw:
        if not _is_doubtful(key, text, parameters):
            # With a line break behind it, a carriage return would be part of that.
            return f"<{key}>\n{text}</{key}>" if text.endswith("\r") else f"<{key}>\n{text}\n</{key}>"
    elif f"<{parameters.tool}>" not in text:  # a tool that declares it raw would take that for a call
        return f"<{key}>{text}</{key}>"
    raise RenderError(f"{key!r} holds a tag of this call, and would be read differently")


def _text(key: str, value: Any, parameters: ClineTool) -> str:
    """A value as it is written."""
    if not isinstance(value, str):
        return without_marks(to_json(value))
    is_command = parameters.kind == "run_bash" and key == parameters.body
    # Commands are the values in which entities are decoded: they are needed for what looks like one, or like a tag.
    needs_entities = is_command and ("<" in value or decode_basic_entities(value) != value)
    return encode(value) if needs_entities else value


def _is_doubtful(key: str, text: str, parameters: ClineTool) -> bool:
    """Whether it depends on what else the tool declares how a raw value is read."""
    following = re.compile(rf"(?:</{re.escape(key)}[ \t\r\n]*+>|<{re.escape(parameters.tool)}>)[ \t\r\n]*+<([^<>/]++)>")
    return any(not parameters.is_declared(match[1]) for match in following.finditer(text))
