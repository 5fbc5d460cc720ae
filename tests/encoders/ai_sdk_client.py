"""AiSdkClient: the rules of the UI message stream, and the message that `ai` makes of one.

The tests of tests/e2e compare it with the real client. It is stricter than that: whatever is against the rules of any
client fails here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]

#: The fields that each part must have, and those that it may have; `?` marks what version 5 has not.
FIELDS: dict[str, tuple[str, str]] = {
    "start": ("", "messageId"),
    "start-step": ("", ""),
    "finish-step": ("", ""),
    "finish": ("finishReason", ""),
    "error": ("errorText", ""),
    "text-start": ("id", ""),
    "text-delta": ("id delta", ""),
    "text-end": ("id", "providerMetadata"),
    "reasoning-start": ("id", ""),
    "reasoning-delta": ("id delta", ""),
    "reasoning-end": ("id", "providerMetadata"),
    "tool-input-start": ("toolCallId toolName", "dynamic providerExecuted"),
    "tool-input-delta": ("toolCallId inputTextDelta", ""),
    "tool-input-available": ("toolCallId toolName input", "dynamic providerExecuted providerMetadata"),
    "tool-input-error": ("toolCallId toolName input errorText", "dynamic providerExecuted"),
    "tool-output-available": ("toolCallId output", "dynamic providerExecuted preliminary ?providerMetadata"),
    "tool-output-error": ("toolCallId errorText", "dynamic providerExecuted"),
    "source-url": ("sourceId url", "title providerMetadata"),
    "source-document": ("sourceId mediaType title", "providerMetadata"),
    "file": ("url mediaType", "providerMetadata"),
}
LATER: dict[int, dict[str, tuple[str, str]]] = {
    5: {},
    6: {"tool-output-denied": ("toolCallId", "")},
    7: {"tool-approval-response": ("approvalId approved", "reason")},
}
REASONS = {
    5: {"stop", "length", "content-filter", "tool-calls", "error", "other", "unknown"},
    6: {"stop", "length", "content-filter", "tool-calls", "error", "other"},
    7: {"stop", "length", "content-filter", "tool-calls", "error", "other", "interrupted"},
}


class AiSdkClient:
    """Reads the parts of all responses of one message."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.parts: list[Json] = []
        self.errors: list[str] = []
        self.finish_reason: str | None = None
        self.deltas: dict[str, str] = {}  # the text of the inputs that were told in pieces
        self._is_open = self._is_in_step = False
        self._open: dict[str, Json] = {}
        self._tools: dict[str, Json] = {}
        self._fields = dict(FIELDS)
        for number in range(5, version + 1):
            self._fields |= LATER[number]
        if version > 5:
            reason = " reason" if version == 7 else ""
            self._fields["tool-approval-request"] = ("approvalId toolCallId", f"approvalDescriptor{reason}")

    def read(self, chunks: Iterable[Json]) -> AiSdkClient:
        """Read a whole response."""
        is_asked, last = False, None
        for chunk in chunks:
            self._check(chunk)
            assert last != "finish", "nothing follows the end"
            last = chunk["type"]
            if last.startswith("data-"):
                self._take_data(chunk)
            else:
                getattr(self, f"_take_{last.replace('-', '_')}")(chunk)
            is_asked = is_asked or last == "tool-approval-request"
        assert last == "finish"
        assert self._open == {}
        assert is_asked or not self._is_in_step
        if not is_asked:
            assert [part for part in self._tools.values() if part["state"] == "input-streaming"] == []
        self._is_open = False
        return self

    def _check(self, chunk: Json) -> None:
        assert json.loads(json.dumps(chunk)) == chunk
        kind, names = chunk["type"], chunk.keys() - {"type"}
        if kind.startswith("data-"):
            assert names == {"id", "data"}
        else:
            required, allowed = self._fields[kind]
            optional = {name.lstrip("?") for name in allowed.split() if self.version > 5 or name[0] != "?"}
            assert set(required.split()) <= names <= {*required.split(), *optional}, chunk
        assert self._is_open == (kind != "start"), "a response begins with start"
        if kind in ("text-start", "reasoning-start", "tool-input-start", "source-url", "file", "data-note"):
            assert self._is_in_step
        if kind.startswith("tool-") and self._fields[kind][1].startswith("dynamic"):
            assert chunk["dynamic"] is True
        for metadata in chunk.get("providerMetadata", {}).values():
            assert isinstance(metadata, dict)

    # -- the message --------------------------------------------------------------------------------------------------

    def _take_start(self, _: Json) -> None:
        self._is_open = True

    def _take_start_step(self, _: Json) -> None:
        assert not self._is_in_step
        self._is_in_step = True
        self.parts.append({"type": "step-start"})

    def _take_finish_step(self, _: Json) -> None:
        assert self._is_in_step
        assert self._open == {}, "versions 5 and 6 forget what is open"
        self._is_in_step = False

    def _take_finish(self, chunk: Json) -> None:
        assert chunk["finishReason"] in REASONS[self.version]
        self.finish_reason = chunk["finishReason"]

    def _take_error(self, chunk: Json) -> None:
        self.errors.append(chunk["errorText"])

    # -- text ---------------------------------------------------------------------------------------------------------

    def _take_text_start(self, chunk: Json) -> None:
        kind = chunk["type"].partition("-")[0]
        assert chunk["id"] not in self._open
        part = {"type": kind, "text": "", "state": "streaming", **({"id": chunk["id"]} if kind == "reasoning" else {})}
        self._open[chunk["id"]] = part
        self.parts.append(part)

    def _take_text_delta(self, chunk: Json) -> None:
        part = self._open[chunk["id"]]
        assert part["type"] == chunk["type"].partition("-")[0]
        assert chunk["delta"]
        part["text"] += chunk["delta"]

    def _take_text_end(self, chunk: Json) -> None:
        part = self._open.pop(chunk["id"])
        part["state"] = "done"
        if "providerMetadata" in chunk:
            part["providerMetadata"] = chunk["providerMetadata"]

    _take_reasoning_start, _take_reasoning_delta, _take_reasoning_end = (
        _take_text_start,
        _take_text_delta,
        _take_text_end,
    )

    # -- calls --------------------------------------------------------------------------------------------------------

    def _take_tool_input_start(self, chunk: Json) -> None:
        assert chunk["toolCallId"] not in self._tools, "each call has an id of its own"
        names = {name: chunk[name] for name in ("toolName", "toolCallId", "providerExecuted") if name in chunk}
        part = {"type": "dynamic-tool", **names, "state": "input-streaming"}
        self._tools[chunk["toolCallId"]] = part
        self.deltas[chunk["toolCallId"]] = ""
        self.parts.append(part)

    def _take_tool_input_delta(self, chunk: Json) -> None:
        assert self._tools[chunk["toolCallId"]]["state"] == "input-streaming"
        assert chunk["inputTextDelta"]
        self.deltas[chunk["toolCallId"]] += chunk["inputTextDelta"]

    def _take_tool_input_available(self, chunk: Json) -> None:
        part = self._tools[chunk["toolCallId"]]
        edited = ("approval-requested", "approval-responded") if self.version > 5 else ("input-available",)
        assert part["state"] in ("input-streaming", *edited)
        assert part["toolName"] == chunk["toolName"]
        part |= {"state": "input-available", "input": chunk["input"]}
        if "providerMetadata" in chunk:
            part["callProviderMetadata"] = chunk["providerMetadata"]

    def _take_tool_input_error(self, chunk: Json) -> None:
        part = self._tools[chunk["toolCallId"]]
        assert part["state"] == "input-streaming"
        part |= {"state": "output-error", "input": chunk["input"], "errorText": chunk["errorText"]}

    def _take_tool_approval_request(self, chunk: Json) -> None:
        part = self._tools[chunk["toolCallId"]]
        assert part["state"] == "input-available"
        assert chunk["approvalId"] == chunk["toolCallId"]
        part |= {"state": "approval-requested", "approval": {"id": chunk["approvalId"]}}
        part["approval"]["descriptor"] = chunk["approvalDescriptor"]
        if "reason" in chunk:
            part["approval"]["requestReason"] = chunk["reason"]

    def _take_tool_approval_response(self, chunk: Json) -> None:
        part = self._tools[chunk["approvalId"]]
        part["state"] = "approval-responded"
        part["approval"] |= {name: chunk[name] for name in ("approved", "reason") if name in chunk}

    def _take_tool_output_denied(self, chunk: Json) -> None:
        self._tools[chunk["toolCallId"]]["state"] = "output-denied"

    def _take_tool_output_available(self, chunk: Json) -> None:
        part = self._tools[chunk["toolCallId"]]
        assert part["state"] not in ("input-streaming", "output-error", "output-denied")
        assert part["state"] != "output-available" or part.get("preliminary"), "one output"
        part.pop("preliminary", None)
        part |= {"state": "output-available", "output": chunk["output"]}
        if "preliminary" in chunk:
            part["preliminary"] = chunk["preliminary"]
        if "providerMetadata" in chunk:
            part["resultProviderMetadata"] = chunk["providerMetadata"]

    def _take_tool_output_error(self, chunk: Json) -> None:
        part = self._tools[chunk["toolCallId"]]
        assert part["state"] != "input-streaming"
        for name in ("preliminary", "output"):
            part.pop(name, None)
        part |= {"state": "output-error", "errorText": chunk["errorText"]}

    # -- what comes at once -------------------------------------------------------------------------------------------

    def _take_file(self, chunk: Json) -> None:
        names = ("type", "sourceId", "url", "mediaType", "title", "providerMetadata")
        self.parts.append({name: chunk[name] for name in names if name in chunk})

    _take_source_url = _take_source_document = _take_file

    def _take_data(self, chunk: Json) -> None:
        known = [part for part in self.parts if part.get("id") == chunk["id"] and part["type"] == chunk["type"]]
        if known:
            known[0]["data"] = chunk["data"]
        else:
            self.parts.append(dict(chunk))
