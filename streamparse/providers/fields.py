"""Reading the fields of something whose class is not known: an SDK's object, or a dict.

    chunk = fields(piece)            once for each object
    chunk.get("choices")             then a field costs what a dict's does
    text(chunk, "type")              and these give the type that is asked for

Nothing here raises. Absent fields, None, and the falsy sentinel `Unset` that some SDKs put into fields that did not
come all say nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol

#: Programs that make classes as they run must not fill the memory.
_MAX_MODELS = 1024


class Fields(Protocol):
    """The fields of one object."""

    def get(self, name: str, /) -> Any:
        """The field `name`, or None."""

    def __contains__(self, name: object, /) -> bool: ...


class Attributes:
    """The fields of an object that is no model. Its class may raise anything; this does not."""

    __slots__ = ("_source",)

    def __init__(self, source: object) -> None:
        self._source = source

    def get(self, name: str) -> Any:
        """The field `name`, or None."""
        try:
            return getattr(self._source, name, None)
        except Exception:
            return None

    def __contains__(self, name: object) -> bool:
        try:
            return hasattr(self._source, str(name))
        except Exception:
            return False


class Items:
    """The fields of a mapping that is no dict, with the same care."""

    __slots__ = ("_source",)

    def __init__(self, source: Mapping[Any, Any]) -> None:
        self._source = source

    def get(self, name: str) -> Any:
        """The field `name`, or None."""
        try:
            return self._source.get(name)
        except Exception:
            return None

    def __contains__(self, name: object) -> bool:
        try:
            return name in self._source
        except Exception:
            return False


_NOTHING: Fields = {}
#: Classes that are known to be models.
_models: set[type] = set()


def fields(source: object) -> Fields:
    """The fields of `source`, whatever it is."""
    kind = type(source)
    if kind is dict:
        return source  # type: ignore[return-value]
    if kind in _models:
        try:
            extra = source.__pydantic_extra__  # type: ignore[attr-defined]
        except AttributeError:  # made, but never built
            return _NOTHING
        return {**extra, **source.__dict__} if extra else source.__dict__
    if source is None:
        return _NOTHING
    if not _is_model(kind):
        return Items(source) if isinstance(source, Mapping) else Attributes(source)
    if len(_models) >= _MAX_MODELS:
        _models.clear()
    _models.add(kind)
    return fields(source)


def _is_model(kind: type) -> bool:
    """Whether a class is a pydantic model that keeps its fields as all do.

    Most SDKs' chunks are models, and most fields that are looked for are not there. A model looks for an absent
    attribute with Python code and an exception, which costs more than all the rest of the reading. Its fields are in
    `__dict__`, unknown ones in `__pydantic_extra__`; a class with a `__getattr__` of its own is asked as usual. What
    its class computes (the `text` of a whole response) is not on the wire, and is left alone.
    """
    lookup = getattr(kind, "__getattr__", None)
    return getattr(lookup, "__module__", None) == "pydantic.main" and hasattr(kind, "__pydantic_extra__")


def child(source: Fields, name: str) -> Fields:
    """The fields of the object in the field `name`; none if there is no object."""
    return fields(source.get(name))


def text(source: Fields, name: str) -> str:
    """The field `name` if it is a string, else an empty one. An enum's member counts as its value."""
    value = source.get(name)
    if type(value) is str:
        return value
    return str.__str__(value) if value and isinstance(value, str) else ""


def items(source: Fields, name: str) -> Sequence[Any]:
    """The field `name` if it is a list, else an empty one."""
    value = source.get(name)
    return value if isinstance(value, (list, tuple)) else ()


def slot(source: Fields, name: str) -> int | str | None:
    """The field `name` if it can be an index or an id on the wire."""
    value = source.get(name)
    if type(value) is int or (type(value) is str and value):
        return value
    return None


def either(source: Fields, name: str) -> Any:
    """The field `name`, spelled as Google's SDK does (`mime_type`) or as its wire does (`mimeType`)."""
    value = source.get(name)
    return source.get(_camel(name)) if value is None else value


@cache
def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


#: More objects within each other than any provider sends.
_MAX_DEPTH = 32


def plain(value: object, depth: int = 0) -> Any:
    """`value` as plain data, ready for `json.dumps`: models become dicts without what is None, bytes base64."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if depth == _MAX_DEPTH:
        return None
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    known = _all_fields(value)
    if known is None:
        return None
    return {str(name): plain(item, depth + 1) for name, item in known.items() if item is not None}


def told(source: Fields, *names: str) -> dict[str, Any]:
    """Those of the fields `names` that say something, as plain data."""
    return {name: plain(value) for name in names if (value := source.get(name))}


def data(source: Fields, name: str) -> dict[str, Any]:
    """The object in the field `name` as plain data; empty if there is no object."""
    value = plain(source.get(name))
    return value if isinstance(value, dict) else {}


def _all_fields(value: object) -> dict[Any, Any] | None:
    """All fields of a mapping or of an object that keeps them in itself; None for anything else."""
    if isinstance(value, Attributes | Items):
        value = value._source
    known: object = value if isinstance(value, Mapping) else fields(value)
    try:
        if not isinstance(known, Mapping):
            known = {name: item for name, item in getattr(value, "__dict__", {}).items() if not name.startswith("_")}
        return dict(known)
    except Exception:  # what is of a class of its own may raise anything
        return None
