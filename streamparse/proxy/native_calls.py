"""NativeCalls: the calls that a server has put into their field, which pass as they are.

Two things are seen to. Their numbers do not collide with those of calls that were found in the text, nor with each
other where a server gives all of them the number 0. And if a call came twice, in the text and in the field, with the
same name and the same arguments, then the second of them is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import define, field

from streamparse.arguments import is_same
from streamparse.encoders.openai_deltas import OpenAIDeltas
from streamparse.invocations import ToolInvocation
from streamparse.providers.fields import slot, text
from streamparse.providers.keys import CallKeys

Json: TypeAlias = dict[str, Any]


@define
class _NativeCall:
    """A call in the field: the number it has for the client, and its entries as long as they are held."""

    name: str
    call_id: str
    number: int | None = None
    held: list[Json] | None = None
    has_arguments: bool = False


class NativeCalls:
    """Those of one choice. `deltas` numbers all calls of it."""

    def __init__(self, deltas: OpenAIDeltas) -> None:
        self._deltas = deltas
        self._keys = CallKeys()
        self._calls: dict[str, _NativeCall] = {}
        self._complete: list[ToolInvocation] = []  # that have come in the field
        self._leaked: list[ToolInvocation] = []  # that were found in the text

    def pass_on(self, entries: Any) -> list[Json]:
        """The entries of a field `tool_calls` that the client gets now, with the numbers that they have for it."""
        if not isinstance(entries, list):
            return []
        passed = (self._pass_on(entry) for entry in entries if isinstance(entry, dict))
        return [entry for entry in passed if entry is not None]

    def _pass_on(self, entry: Json) -> Json | None:
        function = entry.get("function")
        function = function if isinstance(function, Mapping) else {}
        call_id, name, arguments = text(entry, "id"), text(function, "name"), function.get("arguments")
        found = self._keys.find(slot(entry, "index"), call_id, name, arguments)
        found.read(call_id, name, arguments)
        call = self._calls.get(found.key)
        if call is None:
            call = self._calls[found.key] = _NativeCall(name, call_id)
            if any(leaked.name.lower() == name.lower() for leaked in self._leaked):
                call.held = []
            else:
                call.number = self._deltas.number()
        call.has_arguments = call.has_arguments or bool(arguments) or not function
        if call.held is not None:
            call.held.append(entry)
            return None
        return entry if entry.get("index") == call.number else {**entry, "index": call.number}

    def end(self, invocation: ToolInvocation) -> list[Json]:
        """A call in the field has ended: the entries of it that were held and are no second telling."""
        is_second = invocation.is_complete and any(_is_like(invocation, leaked) for leaked in self._leaked)
        if not is_second:
            self._deltas.note_end(is_complete=invocation.is_complete)
            if invocation.is_complete:
                self._complete.append(invocation)
        for call in self._calls.values():
            if call.held is not None and call.name == invocation.name:
                held, call.held = call.held, None
                if is_second:
                    call.has_arguments = True
                    return []
                call.number = self._deltas.number()
                return [{**entry, "index": call.number} for entry in held]
        return []

    def may_be_second(self, name: str) -> bool:
        """Whether a call in the text may be the second telling of one in the field: one has its name."""
        return any(call.name.lower() == name.lower() for call in self._calls.values())

    def is_second(self, invocation: ToolInvocation) -> bool:
        """Whether a call in the text is that; also if it was cut off. It is kept in mind if it is not."""
        if any(_is_like(invocation, other) for other in self._complete):
            return True
        if invocation.is_complete:
            self._leaked.append(invocation)
        return False

    @staticmethod
    def whole(entries: Any) -> WholeCalls:
        """The calls of a message that is not streamed."""
        found = WholeCalls()
        for entry in entries if isinstance(entries, list) else ():
            function = entry.get("function") if isinstance(entry, dict) else None
            if not isinstance(function, dict) or not isinstance(function.get("arguments"), str):
                found.entries.append(entry)
            elif not function["arguments"].strip():
                found.entries.append({**entry, "function": {**function, "arguments": "{}"}})
            elif is_object(function["arguments"]):
                found.entries.append(entry)
            else:
                found.broken.append(f"{function.get('name')} {function['arguments']}")
        return found

    def without_arguments(self) -> list[Json]:
        """The reply has ended: what calls lack that have no arguments. Clients want JSON."""
        entries = []
        for call in self._calls.values():
            if not call.has_arguments:
                call.has_arguments = True
                entries.append({"index": call.number, "function": {"arguments": "{}"}})
        return entries


@define
class WholeCalls:
    """The field of a message that is not streamed: its complete calls, and what there is of the others."""

    entries: list[Json] = field(factory=list)
    broken: list[str] = field(factory=list)


def is_object(text: str) -> bool:
    """Whether a text is an object of JSON."""
    try:
        return isinstance(json.loads(text, strict=False), dict)
    except (ValueError, RecursionError):
        return False


def _is_like(call: ToolInvocation, other: ToolInvocation) -> bool:
    """Whether a call has the name and the arguments of another; one that was cut off, as far as they came."""
    if call.name.lower() != other.name.lower():
        return False
    if call.is_complete:
        return is_same(call.arguments, other.arguments)
    return all(
        name in other.arguments and is_same(value, other.arguments[name]) for name, value in call.arguments.items()
    )
