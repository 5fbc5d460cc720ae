"""What a request of another interface must have, and what is refused of it: all with a sentence that says where.

text_field(block, "text", "messages.0.content.1")       messages.0.content.1.text must be a text
parts_of(content, "input.3.content", "part")            input.3.content must be a text or a list of parts
refused(item, "input.2", "item")                        input.2: an item of type 'x' cannot be passed on …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from streamparse.errors import RequestError

Json: TypeAlias = dict[str, Any]


def text_field(item: Mapping[str, Any], name: str, where: str) -> str:
    """A text that a request must have. Raises RequestError, which says where."""
    value = item.get(name)
    if not isinstance(value, str):
        raise RequestError(f"{where}.{name} must be a text")
    return value


def parts_of(content: Any, where: str, noun: str) -> Iterator[tuple[Json, str]]:
    """The parts of a content, which may be a text, and where each stands. `noun` is what the interface calls one."""
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise RequestError(f"{where} must be a text or a list of {noun}s")
    for place, part in enumerate(content):
        if not isinstance(part, dict):
            raise RequestError(f"{where}.{place} must be {_a(noun)}")
        yield part, f"{where}.{place}"


def refused(item: Mapping[str, Any], where: str, noun: str) -> RequestError:
    """The error for what a chat server cannot be told."""
    kind = item.get("type")
    return RequestError(f"{where}: {_a(noun)} of type {kind!r} cannot be passed on to this model server")


def unknown_role(role: Any, where: str) -> RequestError:
    """The error for a message of nobody."""
    return RequestError(f"{where}: the role {role!r} is not known")


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
