"""What a call in a plan says of its place there.

    <toolId>build</toolId> <dependsOn>fetch, lint</dependsOn>       Step("build", ("fetch", "lint"))
    "toolId": "build", "dependsOn": ["fetch", "lint"]               the same

These are no arguments of the tool. `dependsOn` may come several times: then all of them count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

_ID, _DEPENDS_ON = "toolid", "dependson"


@frozen
class Step:
    """The id that a call gives itself, and those of the calls it must wait for; None if it says nothing of them."""

    id: str | None = None
    depends_on: tuple[str, ...] | None = None


def is_repeatable(name: str) -> bool:
    """Whether an argument of this name may be given several times."""
    return name.lower() == _DEPENDS_ON


def take_step(fields: Mapping[str, Any]) -> tuple[Step, dict[str, Any]]:
    """What `fields` say of the step, and the others. Case does not matter."""
    step_id: str | None = None
    depends_on: tuple[str, ...] | None = None
    others: dict[str, Any] = {}
    for name, value in fields.items():
        if name.lower() == _ID:
            step_id = _text(value) or None
        elif name.lower() == _DEPENDS_ON:
            depends_on = (*(depends_on or ()), *_names(value))
        else:
            others[name] = value
    return Step(step_id, depends_on), others


def _names(value: Any) -> list[str]:
    """One id, or several in a list or with commas between them."""
    values = value if isinstance(value, list) else _text(value).split(",")
    return [name for name in map(_text, values) if name]


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()
