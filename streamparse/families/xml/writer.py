"""The prompt side of the xml format.

    <tool name="search"><arg name="query">cats &amp; dogs</arg><arg name="limit">5</arg></tool>
    <write_file path="a.py">if a < b: …</write_file>
    <tool name="save"><arg name="to">a.py</arg><arg name="text">if a < b: …</arg></tool>

Texts are written with entities for `&`, `<` and `>`, everything else as JSON, lists and objects too: so every value is
read as the same one by any schema that allows its type. Files, patches and commands are verbatim, in tags of their own
or, of a tool that has another name, in the last `<arg>`: a file that holds the closing tag cannot be written. In a
command entities are decoded, so one that looks as if it had any, or a closing tag, is written with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from streamparse.arguments.json_text import to_json, write_json
from streamparse.config import BODIES, ToolSpec
from streamparse.core.entities import decode_basic_entities
from streamparse.errors import RenderError
from streamparse.events import RESERVED_METADATA, SegmentType

_ATTRIBUTE = re.compile(r"[A-Za-z_:][A-Za-z0-9_:.-]{0,255}")
_CODES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
#: What a tag must stay below, with room for the tag itself.
_LONGEST_ATTRIBUTES = 60_000


def encode(text: str) -> str:
    """`text` with entities for what would be a tag, or an entity."""
    return text.translate(_CODES)


def _write_arguments(arguments: Mapping[str, Any]) -> str:
    return "".join(_argument(name, encode(_text(value))) for name, value in arguments.items())


def _argument(name: str, written: str) -> str:
    return f'<arg name="{_attribute(name)}">{written}</arg>'


def _text(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value)


def _attribute(text: str) -> str:
    written = encode(text).replace('"', "&quot;")
    if len(written) > _LONGEST_ATTRIBUTES:
        raise RenderError("a name, or an argument that is written as an attribute, is too long for a tag")
    return written


def form_of(tool: ToolSpec) -> tuple[str | None, bool]:
    """In which form calls of `tool` are written: its kind, if it has one, and whether that has a tag of its own."""
    body = tool.as_body
    return (body.kind, tool.name.lower() in BODIES) if body else (None, False)


def write_call(tool: ToolSpec, arguments: Mapping[str, Any], call_id: str | None) -> str:
    """`<tool name="…">`, or the tag of its own that a file, a patch and a command have. There is no place for an id."""
    write_json(arguments)  # nothing that JSON has not
    name, body = tool.name, tool.as_body
    if body is None:
        return f'<tool name="{_attribute(name)}">{_write_arguments(arguments)}</tool>'
    if not all(isinstance(arguments.get(needed), str) for needed in body.names):
        raise RenderError(f"{name} needs {' and '.join(body.names)}, and they are texts")
    text = _write_body(body.kind, arguments[body.body])
    others = {key: value for key, value in arguments.items() if key != body.body}
    if name.lower() in BODIES:
        attributes = [("path" if key == body.path else key, _text(value)) for key, value in others.items()]
        return f"<{name}{_write_attributes(name, attributes)}>{text}</{name}>"
    return f'<tool name="{_attribute(name)}">{_write_arguments(others)}{_argument(body.body, text)}</tool>'


def _write_body(kind: str, text: str) -> str:
    """A body; one line break behind its tag belongs to that, so one with which it begins needs another before it."""
    if kind == SegmentType.RUN_BASH and ("</" in text or decode_basic_entities(text) != text):
        text = encode(text)
    return f"\n{text}" if text.startswith(("\n", "\r\n")) else text


def _write_attributes(name: str, attributes: list[tuple[str, str]]) -> str:
    seen = {key.lower() for key, _ in attributes}
    if len(seen) < len(attributes) or not all(_is_attribute(key) for key, _ in attributes):
        raise RenderError(f"the arguments of {name} are attributes, and cannot all be written as such")
    written = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes)
    if len(written) > _LONGEST_ATTRIBUTES:
        raise RenderError(f"the arguments of {name} are too long for a tag")
    return written


def _is_attribute(name: str) -> bool:
    return bool(_ATTRIBUTE.fullmatch(name)) and name.lower() not in RESERVED_METADATA
