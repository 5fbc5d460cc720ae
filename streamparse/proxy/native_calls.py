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
from streamparse.encoders.ending import Ending
from streamparse.encoders.openai_deltas import OpenAIDeltas
from streamparse.invocations import ToolInvocation
from streamparse.providers.fields import slot, text
from streamparse.providers.keys import CallKeys

Json: TypeAlias = dict[str, Any]
#: Complete calls by name, in lower case, and by `_plain`: a reply may have thousands.
_ByName: TypeAlias = dict[str, dict[int, list[ToolInvocation]]]


@define
class _NativeCall:
    """A call in the field: the number it has for the client, and its entries as long as they are held."""

    name: str
    call_id: str
    number: int | None = None
    held: list[Json] | None = None
    has_arguments: bool = False


class NativeCalls:
    """Those of one choice. `deltas` numbers all calls of it, and `ending` is told which have ended."""

    def __init__(self, deltas: OpenAIDeltas, ending: Ending) -> None:
        self._deltas, self._ending = deltas, ending
        self._keys = CallKeys()
        self._calls: dict[str, _NativeCall] = {}
        self._held: list[_NativeCall] = []  # those of them that are held: mostly none, or one
        self._names: set[str] = set()  # of those calls, in lower case
        self._complete: _ByName = {}  # that have come in the field
        self._leaked: _ByName = {}  # that were found in the text

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
            self._names.add(name.lower())
            if name.lower() in self._leaked:
                call.held = []
                self._held.append(call)
            else:
                call.number = self._deltas.number()
        call.has_arguments = call.has_arguments or bool(arguments) or not function
        if call.held is not None:
            call.held.append(entry)
            return None
        return entry if entry.get("index") == call.number else {**entry, "index": call.number}

    def end(self, invocation: ToolInvocation) -> list[Json]:
        """A call in the field has ended: the entries of it that were held and are no second telling."""
        is_second = invocation.is_complete and _has_like(self._leaked, invocation)
        if not is_second:
            self._ending.note_call(is_complete=invocation.is_complete)
            if invocation.is_complete:
                _add(self._complete, invocation)
        for place, call in enumerate(self._held):
            if call.name == invocation.name:
                del self._held[place]
                held, call.held = call.held or [], None
                if is_second:
                    call.has_arguments = True
                    return []
                call.number = self._deltas.number()
                return [{**entry, "index": call.number} for entry in held]
        return []

    def may_be_second(self, name: str) -> bool:
        """Whether a call in the text may be the second telling of one in the field: one has its name."""
        return name.lower() in self._names

    def is_second(self, invocation: ToolInvocation) -> bool:
        """Whether a call in the text is that; also if it was cut off. It is kept in mind if it is not."""
        if _has_like(self._complete, invocation):
            return True
        if invocation.is_complete:
            _add(self._leaked, invocation)
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


def _add(calls: _ByName, call: ToolInvocation) -> None:
    calls.setdefault(call.name.lower(), {}).setdefault(_plain(call), []).append(call)


def _has_like(calls: _ByName, call: ToolInvocation) -> bool:
    """Whether one has the name and the arguments of a call; of one that was cut off, as far as they came."""
    known = calls.get(call.name.lower(), {})
    if call.is_complete:
        return any(is_same(call.arguments, other.arguments) for other in known.get(_plain(call), ()))
    return any(
        all(name in other.arguments and is_same(value, other.arguments[name]) for name, value in call.arguments.items())
        for others in known.values()
        for other in others
    )


def _plain(call: ToolInvocation) -> int:
    """The same for calls with the same arguments, and mostly another for others, so that few have to be compared."""
    return hash(frozenset(pair for pair in call.arguments.items() if isinstance(pair[1], str | int | float)))
