"""The JSON Schema of the wire form, for tests that have items at hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jsonschema import Draft202012Validator

from streamparse import SegmentEvent, ToolInvocation
from streamparse.wire_schema import schema

VALID = Draft202012Validator(schema())
_seen: set[str] = set()


def check_fit(items: Iterable[SegmentEvent | ToolInvocation]) -> None:
    """Assert that the items fit the schema; of all that look alike, one is looked at."""
    for data in [item.to_dict() for item in items]:
        look = str((data["type"], _look(data), _look(data.get("payload", {}))))
        if look not in _seen:
            VALID.validate(data)
            _seen.add(look)


def _look(data: dict[str, Any]) -> list[tuple[str, str]]:
    """The names of the fields, and what kinds of values they have."""
    return [(name, type(value).__name__) for name, value in data.items()]
