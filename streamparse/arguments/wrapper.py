"""A wrapper: what some models put around the arguments.

    {"arguments": {"city": "Oslo"}}                 {"city": "Oslo"}, if the tool has no parameter `arguments`
    <parameter=input>{"city": "Oslo"}</parameter>   the same

Nobody but the tool's declaration can tell it from an argument of that name.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from contextlib import suppress
from typing import Any

from streamparse.arguments.json_text import JsonTextError, read_json
from streamparse.config import Limits

_WRAPPERS = ("arguments", "input", "parameters", "properties")


def wrapper_in(arguments: Mapping[str, Any], names: Container[str]) -> str | None:
    """The one argument that there is, if it may be a wrapper: it is none of the tool's `names`, in lower case."""
    if len(arguments) != 1:
        return None
    [name] = arguments
    return name if name in _WRAPPERS and name not in names else None


def unwrap(arguments: dict[str, Any], names: Collection[str], limits: Limits, *, has_texts: bool) -> dict[str, Any]:
    """`arguments` of a tool that has these `names`, without a wrapper around them.

    It is one if it holds an object, or, where values are texts (`has_texts`), the text of one; and that is empty, or
    has an argument of the tool.
    """
    wrapper = wrapper_in(arguments, names)
    if wrapper is None:
        return arguments
    inner = arguments[wrapper]
    if has_texts and isinstance(inner, str):
        with suppress(JsonTextError):
            inner = read_json(inner, limits.max_depth)
    is_wrapped = isinstance(inner, dict) and (not inner or any(name.lower() in names for name in inner))
    return inner if is_wrapped else arguments
