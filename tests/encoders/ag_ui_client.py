"""A client of AG-UI in a hundred lines: the rules of a stream of events, and the messages that they make.

`tests/e2e/test_ag_ui.py` compares it with the real ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ag_ui.core import Event
from attrs import define, field
from pydantic import TypeAdapter

Json = dict[str, Any]

_EVENT: TypeAdapter[Any] = TypeAdapter(Event)
#: Of what is written piece by piece: the event that begins it, those inside, the one that ends it, and its id.
_BRACKETS = [
    ("TEXT_MESSAGE_START", {"TEXT_MESSAGE_CONTENT"}, "TEXT_MESSAGE_END", "messageId"),
    ("REASONING_START", set(), "REASONING_END", "messageId"),
    ("REASONING_MESSAGE_START", {"REASONING_MESSAGE_CONTENT"}, "REASONING_MESSAGE_END", "messageId"),
    ("TOOL_CALL_START", {"TOOL_CALL_ARGS"}, "TOOL_CALL_END", "toolCallId"),
]
_RESULT = {"id": "messageId", "role": "role", "toolCallId": "toolCallId", "content": "content"}


@define
class Client:
    """Reads events, one after the other: `messages` is what it knows then.

    With `asks_oracle`, each event is shown to the package of the protocol, which has no other fields for it.
    """

    asks_oracle: bool = True

    messages: list[Json] = field(factory=list)
    interrupts: list[Json] = field(factory=list)
    custom: list[tuple[str, Any]] = field(factory=list)
    last: Json = field(factory=dict)
    _is_running: bool = False
    _open: set[tuple[str, str]] = field(factory=set)

    def read(self, events: Iterable[Json]) -> Client:
        """More events."""
        for event in events:
            if self.asks_oracle:
                model = _EVENT.validate_python(event)
                assert model.model_dump(mode="json", by_alias=True, exclude_none=True) == event
            self._check(event)
            self._apply(event)
            self.last = event
        return self

    def _check(self, event: Json) -> None:
        kind = event["type"]
        if kind == "RUN_STARTED":
            assert not self._is_running
            self._is_running = True
            return
        assert self._is_running, f"{kind} outside of a run"
        for begin, inside, end, name in _BRACKETS:
            key = (begin, event.get(name, ""))
            if kind == begin:
                assert key not in self._open
                self._open.add(key)
            elif kind == end or kind in inside:
                assert key in self._open, event
            if kind == end:
                self._open.remove(key)
        if kind == "REASONING_MESSAGE_START":
            assert event["role"] == "reasoning"
        if kind == "RUN_FINISHED":
            assert not self._open
        if kind in ("RUN_FINISHED", "RUN_ERROR"):
            self._is_running = False
            self._open.clear()

    def _apply(self, event: Json) -> None:
        match event["type"]:
            case "TEXT_MESSAGE_START" | "REASONING_MESSAGE_START":
                message = {"id": event["messageId"], "role": event["role"], "content": ""}
                if self._message(event["messageId"]) is None:
                    self.messages.append(message)
            case "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT":
                self._known(event["messageId"])["content"] += event["delta"]
            case "TEXT_MESSAGE_END" | "REASONING_MESSAGE_END":
                _merge(self._known(event["messageId"]), event)
            case "TOOL_CALL_START":
                if not any(call["id"] == event["toolCallId"] for call in self.calls):
                    function = {"name": event["toolCallName"], "arguments": ""}
                    call = {"id": event["toolCallId"], "type": "function", "function": function}
                    self._parent(event["parentMessageId"]).setdefault("toolCalls", []).append(call)
            case "TOOL_CALL_ARGS":
                self._call(event["toolCallId"])["function"]["arguments"] += event["delta"]
            case "TOOL_CALL_END":
                _merge(self._call(event["toolCallId"]), event)
            case "TOOL_CALL_RESULT":
                self._add_result(event)
            case "REASONING_ENCRYPTED_VALUE":
                is_call = event["subtype"] == "tool-call"
                target = self._call(event["entityId"]) if is_call else self._known(event["entityId"])
                target["encryptedValue"] = event["encryptedValue"]
            case "CUSTOM":
                self.custom.append((event["name"], event["value"]))
            case "RUN_FINISHED":
                self.interrupts = event.get("outcome", {}).get("interrupts", [])

    def _add_result(self, event: Json) -> None:
        message = {name: event[field] for name, field in _RESULT.items()}
        _merge(message, event)
        owners = [
            place
            for place, found in enumerate(self.messages)
            if any(call["id"] == event["toolCallId"] for call in found.get("toolCalls", ()))
        ]
        place = owners[0] + 1 if owners else len(self.messages)
        while place < len(self.messages) and self.messages[place]["role"] == "tool":
            place += 1
        self.messages.insert(place, message)

    def _parent(self, name: str) -> Json:
        message = self._message(name)
        if message is None:
            message = {"id": name, "role": "assistant"}
            self.messages.append(message)
        return message

    def _message(self, name: str) -> Json | None:
        return next((message for message in self.messages if message["id"] == name), None)

    def _known(self, name: str) -> Json:
        message = self._message(name)
        assert message is not None
        return message

    @property
    def calls(self) -> list[Json]:
        """All calls."""
        return [call for message in self.messages for call in message.get("toolCalls", ())]

    def _call(self, name: str) -> Json:
        [call] = [call for call in self.calls if call["id"] == name]
        return call


def _merge(target: Json, event: Json) -> None:
    if "metadata" in event:
        target.setdefault("metadata", {}).update(event["metadata"])
