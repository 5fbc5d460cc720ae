"""AiSdkEncoder: a reply, or several and the calls between them, as the UI message stream that `useChat` reads.

    {"type": "start"}
    {"type": "start-step"}
    {"type": "text-start", "id": "seg_1"}
    {"type": "text-delta", "id": "seg_1", "delta": "Let me see."}
    {"type": "text-end", "id": "seg_1"}
    {"type": "tool-input-start", "toolCallId": "call_…", "toolName": "search", "dynamic": true}
    {"type": "tool-input-delta", "toolCallId": "call_…", "inputTextDelta": "{\\"query\\": \\"cats\\"}"}
    {"type": "tool-input-available", "toolCallId": "call_…", "toolName": "search", "input": {"query": "cats"}, …}
    {"type": "tool-output-available", "toolCallId": "call_…", "output": "none", "dynamic": true}
    {"type": "finish-step"}
    {"type": "finish", "finishReason": "stop"}

A reply is a step of the message. There may be several: `encode` takes one after the other, and only `finish` ends the
message. Arguments are told when they have grown by 256 characters and by 3 %, because the client reads all of them
each time.

A question about a call (`approval_requested`) ends the response, as `useChat` wants it: the encoder `is_waiting` then.
When the next request has brought the answer (`ai_sdk_request.py`), the same encoder goes on with the message.

| what comes | what becomes of it |
|---|---|
| text, reasoning | `text-…`, `reasoning-…`; what its provider wants back with it is `providerMetadata` |
| a call | `tool-input-start`, `-delta`, `-available`; cut off or malformed `tool-input-error`, with the text so far |
| a tool of the provider, and its result | the same with `providerExecuted`, and `tool-output-available` |
| a source | `source-url`, or `source-document` if it has no address |
| a file | `file`, with its address or its data |
| a refusal | a text |
| a plan | `data-plan`, when it begins and when it is whole |
| a segment of your own | `data-<its type>`, again and again while it grows |
| `approval_requested` | `tool-approval-request`: its `approvalDescriptor` has the question |
| `approved` | `tool-approval-response` (7), and `tool-input-available` if the arguments were edited |
| `progress` | `tool-output-available`, `preliminary`, with all that was told so far |
| `result` | `tool-output-available`, or `tool-output-error` if it failed |
| `denied` | `tool-output-denied` if somebody was asked, else `tool-output-error` |
| `skipped` | `tool-output-error` |

Version 5 knows no approvals: a question is `data-approval` there, ends nothing, and a denial is `tool-output-error`.

| the last reply ended with | `finishReason` |
|---|---|
| stop, tool_calls | `tool-calls` if there is a complete call, else `stop` |
| length; or a call is not complete | `length` |
| content_filter, refusal without words | `content-filter` |
| error | `error`, behind the part `error` |
| cancelled | `interrupted` (7), `other` |
| unknown, pause | `tool-calls` if there is a complete call, else `other`, `unknown` (5) |
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal

from attrs import define, field

from streamparse.core.pieces import Pieces
from streamparse.encoders.encoder import DeclaredTools
from streamparse.encoders.growth import Growth
from streamparse.encoders.parts import (
    CallDelta,
    CallEnd,
    CallStart,
    Other,
    OtherGrown,
    Part,
    TextDelta,
    TextEnd,
    TextStart,
)
from streamparse.encoders.run import RunEncoder
from streamparse.events import PLAN, SegmentType
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.messages.results import as_text
from streamparse.messages.written import loaded
from streamparse.outcome import Outcome
from streamparse.segment import Segment
from streamparse.wire import present

Json = dict[str, Any]

#: Under which name what a provider wants back is kept in `providerMetadata`: `ai_sdk_request.py` reads it.
OWN: Final = "streamparse"
_ANY_FILE = "application/octet-stream"


@define
class _Call:
    """A call: its id for the client, its name, and its arguments so far, while it is being written."""

    id: str
    name: str
    is_server: bool = False
    text: Pieces = field(factory=Pieces)
    told: int = 0  # how much of a server tool's input was told


@define
class _Output:
    """What a call has reported while it ran."""

    text: Pieces = field(factory=Pieces)
    growth: Growth = field(factory=Growth)


class AiSdkEncoder(RunEncoder):
    """Encodes one message. `tools` are those that its replies were given; `version` is that of the client's `ai`.

    `message_id` is the id that the message gets; without one the client makes one up, or goes on with the message that
    it has sent. `dynamic=False` is for a client that has declared all tools that may come, with their types.
    `holds_open` keeps the response open while somebody is asked: for a page that sends the answer by a request of its
    own. `id` is what the ids have in common that are made up here.
    """

    #: The headers that a response needs.
    headers: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "content-type": "text/event-stream",
            "cache-control": "no-cache",
            "x-vercel-ai-ui-message-stream": "v1",
            "x-accel-buffering": "no",
        }
    )

    def __init__(
        self,
        *,
        version: Literal[5, 6, 7] = 7,
        tools: DeclaredTools = (),
        message_id: str | None = None,
        dynamic: bool = True,
        holds_open: bool = False,
        id: str | None = None,
        show_errors: bool = False,
    ) -> None:
        super().__init__(tools, id, show_errors)
        if version not in (5, 6, 7):
            raise ValueError(f"version is 5, 6 or 7, not {version!r}")
        self._version = version
        self._start: Json = {"type": "start", **present(messageId=message_id)}
        self._dynamic: Json = {"dynamic": True} if dynamic else {}
        self._ends_to_ask = version > 5 and not holds_open
        self._is_begun = self._is_in_step = False
        self._calls: dict[str, _Call] = {}  # by the ids of their segments
        self._server_calls: dict[str, _Call] = {}  # by the provider's ids
        self._quiet: set[str] = set()  # calls that were open at a question, in the response before
        self._asked: set[str] = set()
        self._outputs: dict[str, _Output] = {}
        self._data_ids: dict[str, str] = {}
        self._has_calls = self._has_broken_calls = self._has_refusal = False

    @property
    def last_frame(self) -> str:
        """`[DONE]`."""
        return "data: [DONE]\n\n"

    def _write(self, part: Part, chunks: list[Json]) -> None:
        match part:
            case TextDelta():
                kind = "reasoning-delta" if part.is_reasoning else "text-delta"
                chunks.append({"type": kind, "id": part.id, "delta": part.delta})
            case CallDelta():
                self._grow_call(self._calls[part.id], part.delta, chunks)
            case TextStart():
                self._begin_step(chunks)
                chunks.append({"type": "reasoning-start" if part.is_reasoning else "text-start", "id": part.id})
            case TextEnd():
                kind = "reasoning-end" if part.is_reasoning else "text-end"
                chunks.append({"type": kind, "id": part.id, **_state(part.state)})
            case CallStart():
                self._begin_call(part.id, part.name, part.call_id, chunks)
            case CallEnd():
                self._end_call(part, chunks)
            case OtherGrown():
                self._grow_other(part.segment, chunks)
            case Other():
                self._write_other(part.segment, chunks)
            case ToolLifecycle():
                self._write_step(part, chunks)
            case _:
                self._end_reply(part.outcome, chunks)

    # -- the message --------------------------------------------------------------------------------------------------

    def _begin(self, chunks: list[Json]) -> None:
        """The first part of a response says that there is a message."""
        if not self._is_begun:
            self._is_begun = True
            chunks.append(self._start)

    def _begin_step(self, chunks: list[Json]) -> None:
        self._begin(chunks)
        if not self._is_in_step:
            self._is_in_step = True
            chunks.append({"type": "start-step"})

    def _begin_reply(self) -> None:
        self._calls.clear()
        self._server_calls.clear()
        self._data_ids.clear()
        self._has_calls = self._has_broken_calls = self._has_refusal = False

    def _end_reply(self, outcome: Outcome, chunks: list[Json]) -> None:
        for name, plan in self._plans.end():
            self._add_data(name, PLAN, plan, chunks)
        self._outcome = outcome
        if self._is_in_step:
            self._is_in_step = False
            chunks.append({"type": "finish-step"})

    def _end_run(self, outcome: Outcome, chunks: list[Json]) -> None:
        if outcome.finish_reason == "error":
            self._begin(chunks)
            chunks.append({"type": "error", "errorText": self._error(outcome)})
        self._end(self._reason(outcome), chunks)

    def _end(self, reason: str, chunks: list[Json]) -> None:
        """The last part of a response."""
        self._begin(chunks)
        self._is_begun = False
        chunks.append({"type": "finish", "finishReason": reason})

    def _reason(self, outcome: Outcome) -> str:
        reason = outcome.finish_reason
        if reason == "error":
            return "error"
        if reason == "cancelled":
            return "interrupted" if self._version == 7 else "other"
        if reason == "content_filter" or (reason == "refusal" and not self._has_refusal):
            return "content-filter"
        if self._has_broken_calls or reason == "length":
            return "length"  # what is there of a call must not be run, whatever the provider said
        if self._has_calls:
            return "tool-calls"
        if reason in ("unknown", "pause"):
            return "unknown" if self._version == 5 else "other"
        return "stop"

    # -- calls --------------------------------------------------------------------------------------------------------

    def _begin_call(
        self, name: str, tool: str, call_id: str | None, chunks: list[Json], *, is_server: bool = False
    ) -> _Call:
        self._begin_step(chunks)
        call = self._calls[name] = _Call(self._ids.give(call_id), tool, is_server)
        chunks.append({"type": "tool-input-start", "toolCallId": call.id, "toolName": tool, **self._about(call)})
        return call

    def _about(self, call: _Call | None) -> Json:
        """What all parts of a call say of it; version 5 remembers nothing."""
        return {**self._dynamic, "providerExecuted": True} if call is not None and call.is_server else self._dynamic

    def _grow_call(self, call: _Call, delta: str, chunks: list[Json]) -> None:
        call.text.add(delta)
        if call.id not in self._quiet:
            chunks.append({"type": "tool-input-delta", "toolCallId": call.id, "inputTextDelta": delta})

    def _end_call(self, end: CallEnd, chunks: list[Json]) -> None:
        call, invocation = self._calls[end.id], end.invocation
        if invocation.is_complete:
            self._has_calls = True
            self._write_input(call, invocation.arguments, chunks, invocation.state)
        else:
            self._has_broken_calls = True
            self._write_broken(call, invocation.error, chunks)
        call.text = Pieces()
        self._plans.feed_call(invocation, call.id)

    def _write_input(self, call: _Call, given: Any, chunks: list[Json], state: Mapping[str, Any] | None = None) -> None:
        self._begin(chunks)
        named = {"toolCallId": call.id, "toolName": call.name, "input": given}
        chunks.append({"type": "tool-input-available", **named, **self._about(call), **_state(state)})

    def _write_broken(self, call: _Call, error: str | None, chunks: list[Json]) -> None:
        """A call that cannot be run. Its input is a text, not an object: nobody takes it for what it should be."""
        self._begin(chunks)
        named = {"toolCallId": call.id, "toolName": call.name, "input": call.text.text()}
        told = {"errorText": error or "the call is not complete"}
        chunks.append({"type": "tool-input-error", **named, **told, **self._about(call)})

    # -- other segments -----------------------------------------------------------------------------------------------

    def _grow_other(self, segment: Segment, chunks: list[Json]) -> None:
        match segment.type:
            case SegmentType.SERVER_TOOL:
                self._grow_server_tool(segment, chunks)
            case SegmentType.SERVER_RESULT | SegmentType.SOURCE | SegmentType.FILE | SegmentType.REFUSAL:
                pass  # whole, or not at all
            case _:
                self._write_data(segment, "streaming", chunks)

    def _write_other(self, segment: Segment, chunks: list[Json]) -> None:
        match segment.type:
            case SegmentType.SERVER_TOOL:
                self._end_server_tool(segment, chunks)
            case SegmentType.SERVER_RESULT:
                self._write_server_result(segment, chunks)
            case SegmentType.SOURCE:
                self._begin_step(chunks)
                chunks.append(self._source(segment.metadata))
            case SegmentType.FILE:
                self._begin_step(chunks)
                chunks.append(self._file(segment))
            case SegmentType.REFUSAL if segment.content:
                self._has_refusal = True
                self._begin_step(chunks)
                chunks.append({"type": "text-start", "id": segment.id})
                chunks.append({"type": "text-delta", "id": segment.id, "delta": segment.content})
                chunks.append({"type": "text-end", "id": segment.id})
            case _:
                self._take_edge(segment, chunks)

    def _grow_server_tool(self, segment: Segment, chunks: list[Json]) -> _Call:
        """A tool of the provider. Its content is JSON already."""
        call = self._calls.get(segment.id)
        if call is None:
            given = _text(segment.metadata, "call_id")
            name = _text(segment.metadata, "tool_name") or segment.type
            call = self._begin_call(segment.id, name, given, chunks, is_server=True)
            self._server_calls[given or call.id] = call
        content = segment.content
        if len(content) > call.told:
            self._grow_call(call, content[call.told :], chunks)
            call.told = len(content)
        return call

    def _end_server_tool(self, segment: Segment, chunks: list[Json]) -> None:
        call = self._grow_server_tool(segment, chunks)
        given = loaded(segment.content) if segment.content else {}
        if segment.status == "complete":
            self._write_input(call, segment.content if given is None else given, chunks, segment.state)
        else:
            self._write_broken(call, segment.error, chunks)

    def _write_server_result(self, segment: Segment, chunks: list[Json]) -> None:
        """It belongs to the tool with its id; if there is none, to the first without a result."""
        self._begin_step(chunks)
        known = _text(segment.metadata, "call_id")
        if known not in self._server_calls:
            known = next(iter(self._server_calls), None)
        if known is None:
            name = _text(segment.metadata, "tool_name") or segment.type
            call = self._begin_call(segment.id, name, _text(segment.metadata, "call_id"), chunks, is_server=True)
            self._write_input(call, {}, chunks)
        else:
            call = self._server_calls.pop(known)
        content = segment.content
        data = loaded(content)
        output = content if data is None else data
        state = _state(segment.state) if self._version > 5 else {}
        told = {"type": "tool-output-available", "toolCallId": call.id, "output": output}
        chunks.append({**told, **self._about(call), **state})

    def _source(self, metadata: Mapping[str, Any]) -> Json:
        url, title = _text(metadata, "url"), _text(metadata, "title") or _text(metadata, "document_title")
        rest = {name: value for name, value in metadata.items() if name not in ("url", "title", "media_type")}
        if url:
            part = {"type": "source-url", "sourceId": self._new_id(), "url": url, **present(title=title)}
        else:
            kind = _text(metadata, "media_type") or _ANY_FILE
            part = {"type": "source-document", "sourceId": self._new_id(), "mediaType": kind, "title": title or ""}
        return {**part, **_state(rest)}

    def _file(self, segment: Segment) -> Json:
        metadata = segment.metadata
        kind = _text(metadata, "media_type") or _ANY_FILE
        url = f"data:{kind};base64,{segment.content}" if segment.content else _text(metadata, "url") or ""
        rest = {name: value for name, value in metadata.items() if name not in ("url", "media_type")}
        return {"type": "file", "url": url, "mediaType": kind, **_state(rest)}

    def _take_edge(self, segment: Segment, chunks: list[Json]) -> None:
        """The beginning or the end of a plan, or else a segment of the program's own."""
        plans = self._plans.feed_edge(segment)
        if plans is None:
            self._write_data(segment, segment.status, chunks)
        for name, plan in plans or ():
            self._add_data(name, PLAN, plan, chunks)

    def _write_data(self, segment: Segment, status: str | None, chunks: list[Json]) -> None:
        data = {"metadata": dict(segment.metadata), "content": segment.content, "status": status}
        self._add_data(segment.id, segment.type, data, chunks)

    def _add_data(self, name: str, kind: str, data: Json, chunks: list[Json]) -> None:
        """Data replaces what has its id."""
        self._begin_step(chunks)
        if name not in self._data_ids:
            self._data_ids[name] = self._new_id()
        chunks.append({"type": f"data-{kind}", "id": self._data_ids[name], "data": data})

    # -- what becomes of calls ----------------------------------------------------------------------------------------

    def _write_step(self, step: ToolLifecycle, chunks: list[Json]) -> None:
        known = self._calls.get(step.invocation_id)
        call = known or _Call(step.call_id or step.invocation_id, step.name)
        if step.is_last:
            self._outputs.pop(call.id, None)
        match step.state:
            case "approval_requested":
                self._ask(call, step, chunks)
            case "approved":
                if step.arguments is not None:
                    self._write_input(call, step.arguments, chunks)
                self._respond(call, True, step.message, chunks)
            case "progress":
                self._report(call, step.message or "", chunks)
            case "result" if not step.is_error:
                self._add_output(call, "tool-output-available", {"output": _plain(step.content)}, chunks)
            case "result":
                self._add_output(call, "tool-output-error", {"errorText": as_text(step.content)}, chunks)
            case "denied" if self._version > 5 and call.id in self._asked:
                self._respond(call, False, None, chunks)  # the person knows why
                self._begin(chunks)
                chunks.append({"type": "tool-output-denied", "toolCallId": call.id})
            case "denied" | "skipped":
                self._add_output(call, "tool-output-error", {"errorText": step.message or ""}, chunks)

    def _add_output(self, call: _Call, kind: str, output: Json, chunks: list[Json]) -> None:
        self._begin(chunks)
        chunks.append({"type": kind, "toolCallId": call.id, **output, **self._about(call)})

    def _report(self, call: _Call, message: str, chunks: list[Json]) -> None:
        output = self._outputs.setdefault(call.id, _Output())
        output.text.add(message)
        if output.growth.add(len(message)):
            told = {"output": output.text.text(), "preliminary": True}
            self._add_output(call, "tool-output-available", told, chunks)

    def _ask(self, call: _Call, step: ToolLifecycle, chunks: list[Json]) -> None:
        """Ask, and end the response: the answer comes with the next request."""
        descriptor = present(approvalId=step.approval_id, description=step.message, reason=step.reason)
        if self._version == 5:
            self._add_data(call.id, "approval", {"toolCallId": call.id, **descriptor}, chunks)
            return
        self._begin(chunks)
        self._asked.add(call.id)
        request = {"type": "tool-approval-request", "approvalId": call.id, "toolCallId": call.id}
        reason = present(reason=step.reason) if self._version == 7 else {}
        chunks.append({**request, "approvalDescriptor": descriptor, **reason})
        if self._ends_to_ask:
            self._quiet.update(other.id for other in self._calls.values())
            self._end("tool-calls", chunks)
            self.is_waiting = True

    def _respond(self, call: _Call, is_approved: bool, message: str | None, chunks: list[Json]) -> None:
        if self._version == 7 and call.id in self._asked:
            self._begin(chunks)
            response = {"type": "tool-approval-response", "approvalId": call.id, "approved": is_approved}
            chunks.append({**response, **present(reason=message)})


def _state(state: Mapping[str, Any] | None) -> Json:
    """What a provider wants back, where the client keeps it and sends it along."""
    return {"providerMetadata": {OWN: dict(state)}} if state else {}


def _plain(content: Any) -> Any:
    """A result as it is, or as a text if it has numbers in it that JSON does not have: they would end the stream."""
    try:
        json.dumps(content, allow_nan=False)
    except ValueError:
        return as_text(content)
    return content


def _text(metadata: Mapping[str, Any], name: str) -> str | None:
    value = metadata.get(name)
    return value if isinstance(value, str) else None
