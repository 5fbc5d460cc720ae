"""JSON that anybody may have sent: clients, and providers.

Of a client's request, each takes what it should be, and raises ValueError for anything else. What a provider says of a
segment is only shown: what is not as it should be is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

from streamparse.events import INTERFACE

Json: TypeAlias = Mapping[str, Any]

#: What a provider asks before it runs a tool, and what it is answered: a client could make up both.
_QUESTIONS = ("mcp_approval_request", "mcp_approval_response")


def an_object(data: object, what: str) -> Json:
    """An object; `what` it should be is for the error."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{what} is an object, not {data!r}")
    return data


def a_list(data: Json, name: str) -> Sequence[Any]:
    """The field `name`, which may be missing."""
    found = data.get(name)
    if found is not None and not isinstance(found, list):
        raise ValueError(f"{name!r} is a list, not {found!r}")
    return found or ()


def a_text(data: Json, name: str) -> str:
    """The field `name`."""
    found = data.get(name)
    if not isinstance(found, str):
        raise ValueError(f"{name!r} is a text, not {found!r}")
    return found


def a_text_or_none(data: Json, name: str) -> str | None:
    """The field `name`, which may be missing."""
    return None if data.get(name) is None else a_text(data, name)


def text_in(data: Json, name: str) -> str | None:
    """The field `name`, if it is a text."""
    found = data.get(name)
    return found if isinstance(found, str) else None


def own_state(state: object) -> Json:
    """What a provider wants back, if it is that: other programs keep other things there."""
    is_own = isinstance(state, dict) and isinstance(state.get(INTERFACE), str) and state.get("type") not in _QUESTIONS
    return cast(Json, state) if is_own else {}
