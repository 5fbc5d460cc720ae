"""AgUiEncoder: replies, and what became of their calls, as the events of a run of AG-UI, which CopilotKit reads.

    {"type": "RUN_STARTED", "threadId": "t1", "runId": "r1"}
    {"type": "TEXT_MESSAGE_START", "messageId": "msg_…", "role": "assistant"}
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "msg_…", "delta": "Let me see."}
    {"type": "TEXT_MESSAGE_END", "messageId": "msg_…"}
    {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "search", "parentMessageId": "msg_…"}
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": "{\\"query\\": \\"ca"}
    {"type": "TOOL_CALL_END", "toolCallId": "c1"}
    {"type": "TOOL_CALL_RESULT", "messageId": "msg_…", "toolCallId": "c1", "role": "tool", "content": "none"}
    {"type": "RUN_FINISHED", "threadId": "t1", "runId": "r1", "outcome": {"type": "success"}, …}

Only what clients of 0.0.59 and of 1.0 accept is sent. What the protocol has no field for is `metadata`, which both
keep. A run may have several replies: `encode` takes one after the other, and only `finish` ends the run.

A question about a call (`approval_requested`) ends the run with an interrupt, whose id is the `approval_id`. The
encoder `is_waiting` then, and goes on with what comes when the question is answered, in the run that `resume` names.
What was being written at that moment is ended, and begun again under its id: clients add to it.

| what comes | what becomes of it |
|---|---|
| text, reasoning | a message of its own; cut off, it has `{"status": "truncated"}` |
| a call | a call of the text before it, or of a message of its own; see below if it is not complete |
| a tool of the provider, and its result | a call with `{"providerExecuted": true}`, and its result |
| a refusal | a text with `{"refusal": true}` |
| `result`, `denied`, `skipped` of a call | TOOL_CALL_RESULT; with `{"error": true}` if it failed or did not run |
| `approved`, `running`, `progress` | CUSTOM `tool_lifecycle` |
| a source, a file, a segment of your own | CUSTOM, with the segment's type for its name |
| a plan | CUSTOM `plan`, when it begins, and when it is whole or was cut off: `plan_data.py` |
| what a provider wants back with a segment | REASONING_ENCRYPTED_VALUE |

A call that was cut off never looks complete: its arguments are no JSON, and its `metadata` has its `status` and the
`error`. Clients run calls without a result, so unless it was answered, as a presenter does, the run ends with an error.

| the last reply ended with | the run |
|---|---|
| stop, tool_calls, unknown | RUN_FINISHED, a success |
| length, cancelled, content_filter, refusal, pause | RUN_FINISHED with no outcome; `metadata` has the `finishReason` |
| error; or a call is not complete | RUN_ERROR |
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import define, frozen

from streamparse.encoders.encoder import DeclaredTools
from streamparse.encoders.ending import NOT_COMPLETE
from streamparse.encoders.part import (
    CallDelta,
    CallEnd,
    CallStart,
    Other,
    Part,
    TextDelta,
    TextEnd,
    TextStart,
)
from streamparse.encoders.plan_data import ToldPlan
from streamparse.encoders.run import RunEncoder
from streamparse.encoders.sent import text_in
from streamparse.encoders.server_calls import ServerCalls
from streamparse.events import PLAN, SegmentType
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.messages.results import as_text
from streamparse.outcome import Outcome, StreamEnd, Usage
from streamparse.segment import Segment

Json = dict[str, Any]

#: What an interrupt asks for: `ag_ui_request.py` reads it.
RESPONSE_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "editedArgs": {"type": "object"},
        "reason": {"type": "string"},
    },
    "required": ["approved"],
}
_PROVIDER = {"providerExecuted": True}
_SUCCESS = ("stop", "tool_calls", "unknown")


@frozen
class _Kind:
    """The events of what is written piece by piece: those that begin it, the one that adds to it, those that end it."""

    begin: tuple[tuple[str, Mapping[str, Any]], ...]
    delta: str
    end: tuple[str, ...]
    field: str = "messageId"


_TEXT = _Kind((("TEXT_MESSAGE_START", {"role": "assistant"}),), "TEXT_MESSAGE_CONTENT", ("TEXT_MESSAGE_END",))
_REASONING = _Kind(
    (("REASONING_START", {}), ("REASONING_MESSAGE_START", {"role": "reasoning"})),
    "REASONING_MESSAGE_CONTENT",
    ("REASONING_MESSAGE_END", "REASONING_END"),
)
_CALL = _Kind((("TOOL_CALL_START", {}),), "TOOL_CALL_ARGS", ("TOOL_CALL_END",), "toolCallId")


@define
class _Open:
    """What is being written, under which id, and what its first event says besides."""

    kind: _Kind
    id: str
    about: Json
    is_resumed: bool = False


class AgUiEncoder(RunEncoder):
    """Encodes the run `run_id` of the thread `thread_id`. `tools` are those that its replies were given.

    `id` is what the ids of its messages have in common. `taken` are the ids of calls that the thread has already: a
    call that has one of these gets another, because clients would add its arguments to the other call.
    """

    def __init__(
        self,
        *,
        thread_id: str,
        run_id: str,
        tools: DeclaredTools = (),
        id: str | None = None,
        taken: Iterable[str] = (),
        show_errors: bool = False,
    ) -> None:
        super().__init__(tools, id, show_errors)
        self._run = {"threadId": thread_id, "runId": run_id}
        self._ids.note(taken)
        self._is_running = False
        self._open: dict[str, _Open] = {}
        self._paused: dict[str, _Open] = {}  # what was being written when a question was asked
        self._call_ids: dict[str, str] = {}  # of the calls of this reply, by the ids of their segments
        self._broken: dict[str, str] = {}  # the calls without an answer that are not complete, and what is wrong
        self._server_calls = ServerCalls()
        self._plan_ids: dict[str, str] = {}
        self._parent: str | None = None  # the message that the next call belongs to
        self._usage: dict[str | None, Json] = {}  # what was counted, by the model

    def resume(self, run_id: str) -> None:
        """The question is answered, and what comes from now on is the run `run_id`."""
        self._run = {**self._run, "runId": run_id}
        self.is_waiting = False

    def _write(self, part: Part, chunks: list[Json]) -> None:
        match part:
            case TextDelta() | CallDelta():
                opened = self._open.get(part.id) or self._begin_again(part.id, chunks)
                chunks.append({"type": opened.kind.delta, opened.kind.field: opened.id, "delta": part.delta})
            case TextStart():
                self._begin_text(part.id, _REASONING if part.is_reasoning else _TEXT, chunks)
            case CallStart():
                self._begin_call(part.id, part.name, part.call_id, chunks)
            case TextEnd():
                self._end_text(part, chunks)
            case CallEnd():
                self._end_call(part, chunks)
            case Other():
                self._write_other(part.segment, chunks)
            case ToolLifecycle():
                self._write_step(part, chunks)
            case StreamEnd():
                self._end_reply(part.outcome, chunks)

    # -- what is written piece by piece -------------------------------------------------------------------------------

    def _add(self, event: str, data: Json, chunks: list[Json], metadata: Json | None = None) -> None:
        """Add an event; the first says that there is a run."""
        if not self._is_running:
            self._is_running = True
            chunks.append({"type": "RUN_STARTED", **self._run})
        chunks.append({"type": event, **data, "metadata": metadata} if metadata else {"type": event, **data})

    def _begin(self, name: str, opened: _Open, chunks: list[Json]) -> _Open:
        self._open[name] = opened
        for event, about in opened.kind.begin:
            self._add(event, {opened.kind.field: opened.id, **about, **opened.about}, chunks)
        return opened

    def _begin_again(self, name: str, chunks: list[Json]) -> _Open:
        opened = self._paused.pop(name)
        opened.is_resumed = True
        return self._begin(name, opened, chunks)

    def _end(self, name: str, metadata: Json, chunks: list[Json]) -> _Open:
        opened = self._open.get(name) or self._begin_again(name, chunks)
        del self._open[name]
        if opened.is_resumed:
            metadata = {"status": "complete", **metadata}  # clients have another one by now
        for event in opened.kind.end:
            self._add(event, {opened.kind.field: opened.id}, chunks, metadata)
            metadata = {}
        return opened

    def _begin_text(self, name: str, kind: _Kind, chunks: list[Json]) -> None:
        opened = self._begin(name, _Open(kind, self._new_id("msg_"), {}), chunks)
        self._parent = opened.id if kind is _TEXT else None

    def _end_text(self, end: TextEnd, chunks: list[Json]) -> None:
        metadata: Json = {"status": "truncated"} if end.is_cut else {}
        if end.was_reasoning:
            metadata["reasoning"] = True
            self._parent = None
        opened = self._end(end.id, metadata, chunks)
        self._write_state("message", opened.id, end.state, chunks)

    def _begin_call(self, name: str, tool: str, call_id: str | None, chunks: list[Json]) -> str:
        self._parent = self._parent or self._new_id("msg_")
        own = self._call_ids[name] = self._ids.give(call_id)
        self._begin(name, _Open(_CALL, own, {"toolCallName": tool, "parentMessageId": self._parent}), chunks)
        return own

    def _end_call(self, end: CallEnd, chunks: list[Json]) -> None:
        call, metadata = end.invocation, Json()
        if not call.is_complete:
            error = call.error or NOT_COMPLETE
            metadata = {"status": call.status, "error": error}
            self._broken[self._call_ids[end.id]] = f"the call of {call.name} cannot be run: {error}"
        opened = self._end(end.id, metadata, chunks)
        self._plans.feed_call(call, opened.id)
        self._write_state("tool-call", opened.id, call.state, chunks)

    def _write_state(self, kind: str, name: str, state: Mapping[str, Any] | None, chunks: list[Json]) -> None:
        if state:
            data = {"subtype": kind, "entityId": name, "encryptedValue": json.dumps(dict(state))}
            self._add("REASONING_ENCRYPTED_VALUE", data, chunks)

    # -- what comes at once -------------------------------------------------------------------------------------------

    def _write_other(self, segment: Segment, chunks: list[Json]) -> None:
        match segment.type:
            case SegmentType.SERVER_TOOL:
                self._write_server_tool(segment, chunks)
            case SegmentType.SERVER_RESULT if call_id := self._server_calls.end(segment.metadata.get("call_id")):
                name = self._write_result(call_id, segment.content, dict(_PROVIDER), chunks)
                self._write_state("message", name, segment.state, chunks)
            case SegmentType.REFUSAL:
                opened = self._begin(segment.id, _Open(_TEXT, self._new_id("msg_"), {}), chunks)
                data = {"messageId": opened.id, "delta": segment.content}
                self._add(_TEXT.delta, data, chunks)
                self._end(segment.id, {**_status(segment), "refusal": True}, chunks)
            case _ if (plans := self._plans.feed_edge(segment)) is not None:
                self._write_plans(plans, chunks)
            case _:
                value = _status(segment)
                value |= {"metadata": dict(segment.metadata)} if segment.metadata else {}
                value |= {"content": segment.content} if segment.content else {}
                self._add("CUSTOM", {"name": segment.type, "value": value}, chunks)

    def _write_plans(self, plans: list[ToldPlan], chunks: list[Json]) -> None:
        for name, plan in plans:
            if name not in self._plan_ids:
                self._plan_ids[name] = self._new_id("plan_")
            self._add("CUSTOM", {"name": PLAN, "value": {"id": self._plan_ids[name], **plan}}, chunks)

    def _write_server_tool(self, segment: Segment, chunks: list[Json]) -> None:
        given, name = text_in(segment.metadata, "call_id"), text_in(segment.metadata, "tool_name") or segment.type
        call_id = self._begin_call(segment.id, name, given, chunks)
        self._server_calls.begin(given, call_id)
        data = {"toolCallId": call_id, "delta": segment.content or "{}"}
        self._add(_CALL.delta, data, chunks)
        self._end(segment.id, {**_status(segment), **_PROVIDER}, chunks)
        self._write_state("tool-call", call_id, segment.state, chunks)

    def _write_result(self, call_id: str, content: str, metadata: Json, chunks: list[Json]) -> str:
        """Add the result of a call; returns the id of its message."""
        self._broken.pop(call_id, None)
        name = self._new_id("msg_")
        data = {"messageId": name, "toolCallId": call_id, "role": "tool", "content": content}
        self._add("TOOL_CALL_RESULT", data, chunks, metadata)
        return name

    def _write_step(self, step: ToolLifecycle, chunks: list[Json]) -> None:
        call_id = self._call_ids.get(step.invocation_id) or step.call_id or step.invocation_id
        if step.state == "approval_requested":
            self._ask(step, call_id, chunks)
        elif step.state == "result":
            self._write_result(call_id, as_text(step.content), {"error": True} if step.is_error else {}, chunks)
        elif step.is_last:
            self._write_result(call_id, step.message or "", {"error": True, "state": step.state}, chunks)
        else:
            value = {"toolCallId": call_id, **step.to_dict()}
            for name in ("type", "invocation_id", "call_id"):
                value.pop(name, None)
            self._add("CUSTOM", {"name": "tool_lifecycle", "value": value}, chunks)

    # -- the run ------------------------------------------------------------------------------------------------------

    def _ask(self, step: ToolLifecycle, call_id: str, chunks: list[Json]) -> None:
        """The run ends, and waits for an answer. What is being written is ended, and begun again in the next run."""
        for name in list(self._open):
            self._paused[name] = self._end(name, {"status": "unfinished"}, chunks)
        about = {"name": step.name, "arguments": step.arguments or {}}
        interrupt: Json = {"id": step.approval_id or call_id, "reason": "tool_call", "toolCallId": call_id}
        if step.message:
            interrupt["message"] = step.message
        metadata = {**about, "reason": step.reason} if step.reason else about
        interrupt |= {"responseSchema": dict(RESPONSE_SCHEMA), "metadata": metadata}
        self._add("RUN_FINISHED", {**self._run, "outcome": {"type": "interrupt", "interrupts": [interrupt]}}, chunks)
        self._is_running = False
        self.is_waiting = True

    def _begin_reply(self) -> None:
        self._call_ids.clear()
        self._plan_ids.clear()
        self._parent = None

    def _end_reply(self, outcome: Outcome, chunks: list[Json]) -> None:
        self._outcome = outcome
        self._write_plans(self._plans.end(), chunks)
        for call_id in self._server_calls.end_all():  # a call without a result is one that a client may run
            self._write_result(call_id, "", dict(_PROVIDER), chunks)
        if outcome.usage is not None:
            _count(self._usage.setdefault(outcome.model, {}), outcome.usage)

    def _end_run(self, outcome: Outcome, chunks: list[Json]) -> None:
        reason, usage = outcome.finish_reason, [_usage(model, counts) for model, counts in self._usage.items()]
        counted: Json = {"usage": usage} if usage else {}
        if reason == "error":
            self._add("RUN_ERROR", {"message": self._error(outcome), "code": "error", **counted}, chunks)
        elif self._broken:
            message = next(iter(self._broken.values()))
            self._add("RUN_ERROR", {"message": message, "code": "incomplete_tool_call", **counted}, chunks)
        else:
            success = {"outcome": {"type": "success"}} if reason in _SUCCESS else {}
            self._add("RUN_FINISHED", {**self._run, **success, **counted}, chunks, {"finishReason": reason})
        self._is_running = False


def _status(segment: Segment) -> Json:
    """What is to be said of a segment that is not complete."""
    if segment.status == "complete":
        return {}
    return {"status": segment.status, "error": segment.error} if segment.error else {"status": segment.status}


_COUNTS = {
    "inputTokens": "input",
    "outputTokens": "output",
    "reasoningTokens": "reasoning",
    "cachedInputTokens": "cached",
}


def _count(counts: Json, usage: Usage) -> None:
    """Add what a reply took."""
    for name, field in _COUNTS.items():
        count = getattr(usage, field)
        if count is not None:
            counts[name] = counts.get(name, 0) + count


def _usage(model: str | None, counts: Json) -> Json:
    """What the replies of a model took; the total is that of what was read and written, if both are known."""
    entry: Json = {"model": model, **counts} if model else dict(counts)
    if "inputTokens" in counts and "outputTokens" in counts:
        entry["totalTokens"] = counts["inputTokens"] + counts["outputTokens"]
    return entry
