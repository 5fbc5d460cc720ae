"""What dialects share: how the arguments of a call are written, and what a JSON text says."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from streamparse.arguments.json_text import JsonTextError, parse_json
from streamparse.invocations import ToolInvocation


def written_arguments(call: ToolInvocation) -> str:
    """The arguments of a call as JSON text: what the model wrote, if that is just these arguments.

    It is not in most text formats: there it may be the whole call, or a file that happens to be JSON itself.
    """
    return call.raw if loaded(call.raw) == call.arguments else json.dumps(call.arguments, ensure_ascii=False)


def written_input(call: ToolInvocation) -> str:
    """The input of a call whose arguments are a plain text."""
    if call.content is not None:
        return call.content
    given = call.arguments.get("input")
    return given if isinstance(given, str) else call.raw


def loaded(text: str) -> Any:
    """JSON text as data; None if it is none, or was cut off."""
    with suppress(JsonTextError):
        return parse_json(text)
    return None
