"""The prompt side of the xml format.

    <tool name="search"><arg name="query">cats &amp; dogs</arg><arg name="limit">5</arg></tool>
    <write_file path="a.py">…</write_file>

Texts are written with entities for `&`, `<` and `>`, everything else as JSON, lists and objects too: so every value is
read as the same one by any schema that allows its type. Files, patches and commands have tags of their own, whose
bodies are verbatim: one that holds its own closing tag cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from streamparse.arguments.json_text import to_json, write_json
from streamparse.config import BODIES
from streamparse.errors import RenderError
from streamparse.events import RESERVED_METADATA
from streamparse.families.calls.body_call import WAITED_FOR

_ATTRIBUTE = re.compile(r"[A-Za-z_:][A-Za-z0-9_:.-]{0,255}")
_CODES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
#: What a tag must stay below, with room for the tag itself.
_LONGEST_ATTRIBUTES = 60_000


def encode(text: str) -> str:
    """`text` with entities for what would be a tag, or an entity."""
    return text.translate(_CODES)


def write_arguments(arguments: Mapping[str, Any]) -> str:
    """An `<arg>` for each argument."""
    write_json(arguments)  # nothing that JSON has not
    return "".join(f'<arg name="{_attribute(name)}">{encode(_text(value))}</arg>' for name, value in arguments.items())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value)


def _attribute(text: str) -> str:
    written = encode(text).replace('"', "&quot;")
    if len(written) > _LONGEST_ATTRIBUTES:
        raise RenderError("a name, or an argument that is written as an attribute, is too long for a tag")
    return written


def write_call(name: str, arguments: Mapping[str, Any], call_id: str | None) -> str:
    """`<tool name="…">`, or the tag of its own that a file, a patch and a command have. There is no place for an id."""
    lowered = name.lower()
    if lowered not in BODIES:
        return f'<tool name="{_attribute(name)}">{write_arguments(arguments)}</tool>'
    if lowered != name:
        raise RenderError(f"the name {name!r} is read as {lowered!r}")
    return _write_shorthand(name, arguments)


def _write_shorthand(name: str, arguments: Mapping[str, Any]) -> str:
    body_name = BODIES[name]
    needed = (*WAITED_FOR[name], body_name)
    write_json(arguments)
    body = arguments.get(body_name)
    if not isinstance(body, str) or not all(isinstance(arguments.get(other), str) for other in needed):
        raise RenderError(f"{name} needs {' and '.join(needed)}, and they are texts")
    attributes = [(other, _text(value)) for other, value in arguments.items() if other != body_name]
    seen = {other.lower() for other, _ in attributes}
    if len(seen) < len(attributes) or not all(_is_attribute(other) for other, _ in attributes):
        raise RenderError(f"the arguments of {name} are attributes, and cannot all be written as such")
    opening = "".join(f' {other}="{_attribute(value)}"' for other, value in attributes)
    if len(opening) > _LONGEST_ATTRIBUTES:
        raise RenderError(f"the arguments of {name} are too long for a tag")
    # Commands are the bodies in which entities are decoded.
    return f"<{name}{opening}>{encode(body) if name == 'run_bash' else body}</{name}>"


def _is_attribute(name: str) -> bool:
    return bool(_ATTRIBUTE.fullmatch(name)) and name.lower() not in RESERVED_METADATA
