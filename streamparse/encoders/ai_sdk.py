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
| what becomes of a call | `tool-approval-…`, `tool-output-…`: `ai_sdk_steps.py` |

Version 5 knows no approvals: a question is `data-approval` there, and ends nothing.

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

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Literal

from streamparse.encoders.ai_sdk_parts import Json, ToldCall, file_part, plain, source_part, state_of
from streamparse.encoders.ai_sdk_steps import CallSteps, descriptor_of
from streamparse.encoders.encoder import DeclaredTools
from streamparse.encoders.ending import NOT_COMPLETE
from streamparse.encoders.part import (
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
from streamparse.encoders.sent import text_in
from streamparse.encoders.server_calls import ServerCalls
from streamparse.events import PLAN, SegmentType
from streamparse.invocations import ToolLifecycle
from streamparse.messages.written import loaded
from streamparse.outcome import Outcome
from streamparse.segment import Segment
from streamparse.wire import present


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
        #: What all parts of a call say of it, since version 5 remembers nothing; and those of a provider's tool.
        self._about: Json = {"dynamic": True} if dynamic else {}
        self._about_server = {**self._about, "providerExecuted": True}
        self._ends_to_ask = version > 5 and not holds_open
        self._is_begun = self._is_in_step = False
        self._calls: dict[str, ToldCall] = {}  # by the ids of their segments
        self._server_calls = ServerCalls()
        self._steps = CallSteps(version)
        self._quiet: set[str] = set()  # calls that were open at a question, in the response before
        self._data_ids: dict[str, str] = {}

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
                chunks.append({"type": kind, "id": part.id, **state_of(part.state)})
            case CallStart():
                self._begin_call(part.id, part.name, part.call_id, self._about, chunks)
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
        self._server_calls = ServerCalls()
        self._data_ids.clear()

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
        reason, ending = outcome.finish_reason, self._parts.ending
        if reason == "error":
            return "error"
        if reason == "cancelled":
            return "interrupted" if self._version == 7 else "other"
        if ending.is_filtered(outcome):
            return "content-filter"
        if ending.is_cut(outcome):
            return "length"
        if ending.has_calls:
            return "tool-calls"
        if reason in ("unknown", "pause"):
            return "unknown" if self._version == 5 else "other"
        return "stop"

    # -- calls --------------------------------------------------------------------------------------------------------

    def _begin_call(self, name: str, tool: str, call_id: str | None, about: Json, chunks: list[Json]) -> ToldCall:
        self._begin_step(chunks)
        call = self._calls[name] = ToldCall(self._ids.give(call_id), tool, about)
        chunks.append(call.part("tool-input-start", toolName=tool))
        return call

    def _grow_call(self, call: ToldCall, delta: str, chunks: list[Json]) -> None:
        if call.id not in self._quiet:
            chunks.append({"type": "tool-input-delta", "toolCallId": call.id, "inputTextDelta": delta})

    def _end_call(self, end: CallEnd, chunks: list[Json]) -> None:
        call, invocation = self._calls[end.id], end.invocation
        self._begin(chunks)
        if invocation.is_complete:
            chunks.append(call.input_part(invocation.arguments, invocation.state))
        else:
            chunks.append(_broken_part(call, end.text, invocation.error))
        self._plans.feed_call(invocation, call.id)

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
                chunks.append(source_part(segment.metadata, self._new_id()))
            case SegmentType.FILE:
                self._begin_step(chunks)
                chunks.append(file_part(segment))
            case SegmentType.REFUSAL:
                self._begin_step(chunks)
                chunks.append({"type": "text-start", "id": segment.id})
                chunks.append({"type": "text-delta", "id": segment.id, "delta": segment.content})
                chunks.append({"type": "text-end", "id": segment.id})
            case _:
                self._take_edge(segment, chunks)

    def _grow_server_tool(self, segment: Segment, chunks: list[Json]) -> ToldCall:
        """A tool of the provider. Its content is JSON already."""
        call, content = self._calls.get(segment.id), segment.content
        if call is None:
            call = self._begin_server_tool(segment, chunks)
            self._server_calls.begin(text_in(segment.metadata, "call_id"), call.id)
        if len(content) > call.told:
            self._grow_call(call, content[call.told :], chunks)
            call.told = len(content)
        return call

    def _begin_server_tool(self, segment: Segment, chunks: list[Json]) -> ToldCall:
        given, name = text_in(segment.metadata, "call_id"), text_in(segment.metadata, "tool_name") or segment.type
        return self._begin_call(segment.id, name, given, self._about_server, chunks)

    def _end_server_tool(self, segment: Segment, chunks: list[Json]) -> None:
        call, content = self._grow_server_tool(segment, chunks), segment.content
        self._begin(chunks)
        if segment.status == "complete":
            given = loaded(content) if content else {}
            chunks.append(call.input_part(content if given is None else given, segment.state))
        else:
            chunks.append(_broken_part(call, content, segment.error))

    def _write_server_result(self, segment: Segment, chunks: list[Json]) -> None:
        """The result of a tool of the provider; if there was no such call, one is told with it."""
        self._begin_step(chunks)
        call_id = self._server_calls.end(segment.metadata.get("call_id"))
        if call_id is None:
            call = self._begin_server_tool(segment, chunks)
            chunks.append(call.input_part({}))
            call_id = call.id
        data = loaded(segment.content)
        output = segment.content if data is None else data
        state = state_of(segment.state) if self._version > 5 else {}
        told = {"type": "tool-output-available", "toolCallId": call_id, "output": plain(output)}
        chunks.append({**told, **self._about_server, **state})

    def _take_edge(self, segment: Segment, chunks: list[Json]) -> None:
        """The beginning or the end of a plan, or else a segment of the program's own."""
        plans = self._plans.feed_edge(segment)
        if plans is None:
            self._write_data(segment, segment.status, chunks)
        for name, plan in plans or ():
            self._add_data(name, PLAN, plan, chunks)

    def _write_data(self, segment: Segment, status: str | None, chunks: list[Json]) -> None:
        data = {"metadata": plain(dict(segment.metadata)), "content": segment.content, "status": status}
        self._add_data(segment.id, segment.type, data, chunks)

    def _add_data(self, name: str, kind: str, data: Json, chunks: list[Json]) -> None:
        """Data replaces what has its id."""
        self._begin_step(chunks)
        if name not in self._data_ids:
            self._data_ids[name] = self._new_id()
        chunks.append({"type": f"data-{kind}", "id": self._data_ids[name], "data": data})

    # -- what becomes of calls ----------------------------------------------------------------------------------------

    def _write_step(self, step: ToolLifecycle, chunks: list[Json]) -> None:
        call = self._calls.get(step.invocation_id)
        call = call or ToldCall(step.call_id or step.invocation_id, step.name, self._about)
        is_question = step.state == "approval_requested"
        if is_question and self._version == 5:
            self._add_data(call.id, "approval", {"toolCallId": call.id, **descriptor_of(step)}, chunks)
            return
        parts = self._steps.write(step, call)
        if parts:
            self._begin(chunks)
            chunks += parts
        if is_question and self._ends_to_ask:  # the answer comes with the next request
            self._quiet.update(other.id for other in self._calls.values())
            self._end("tool-calls", chunks)
            self.is_waiting = True


def _broken_part(call: ToldCall, text: str, error: str | None) -> Json:
    """A call that cannot be run. Its input is a text, not an object: nobody takes it for what it should be."""
    return call.part("tool-input-error", toolName=call.name, input=text, errorText=error or NOT_COMPLETE)
