"""Reading a field of something whose class is not known: an SDK's object, or a dict.

Nothing here raises, and every answer has the type that is asked for. That covers absent fields, None, and the falsy
sentinel `Unset` that some SDKs put into fields that did not come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

#: Python refuses to print integers of thousands of digits; no index is anywhere near.
_MAX_INDEX = 1 << 63


def get(source: object, name: str) -> Any:
    """The field `name`, or None."""
    kind: Any = type(source)
    if kind is dict:
        return source.get(name)  # type: ignore[attr-defined]
    try:
        names = _names_of_model(kind)
        if names is not None and name not in names:
            own = source.__dict__
            return own[name] if name in own else (source.__pydantic_extra__ or {}).get(name)  # type: ignore[attr-defined]
        return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)
    except Exception:  # a property of a foreign class may raise anything; a chunk never does
        return None


@lru_cache(maxsize=1024)
def _names_of_model(kind: type) -> frozenset[str] | None:
    """The names that the classes of a pydantic model define; None for another class.

    Most SDKs' chunks are models, and most fields that are looked for are not there. A model looks for an absent
    attribute with Python code and an exception, which costs more than all the rest of the reading. Its fields are in
    `__dict__`, unknown ones in `__pydantic_extra__`; a class with a `__getattr__` of its own is asked as usual.
    """
    lookup = getattr(kind, "__getattr__", None)
    if getattr(lookup, "__module__", None) != "pydantic.main" or not hasattr(kind, "__pydantic_fields__"):
        return None
    return frozenset(name for base in kind.__mro__ for name in vars(base))


def has(source: object, name: str) -> bool:
    """Whether the field `name` is there, though it may be None."""
    try:
        return name in source if isinstance(source, Mapping) else hasattr(source, name)
    except Exception:  # as above
        return False


def text(source: object, name: str) -> str:
    """The field `name` if it is a string, else an empty one. An enum's member counts as its value."""
    value = get(source, name)
    return str.__str__(value) if isinstance(value, str) else ""


def items(source: object, name: str) -> Sequence[Any]:
    """The field `name` if it is a list, else an empty one."""
    value = get(source, name)
    return value if isinstance(value, (list, tuple)) else ()


def slot(source: object, name: str) -> int | str | None:
    """The field `name` if it can be an index or an id on the wire."""
    value = get(source, name)
    if isinstance(value, int):
        return value if abs(value) < _MAX_INDEX else None
    return value if isinstance(value, str) and value else None


def is_first(choice: object) -> bool:
    """Whether `choice` is the first of the alternatives that were asked for: the only one that is read."""
    return not get(choice, "index")
