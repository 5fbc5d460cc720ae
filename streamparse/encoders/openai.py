"""OpenAIEncoder: a reply as the chunks that Chat Completions streams, whatever model and format it came from.

    encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
    for item in reply:
        for chunk in encoder.encode(item):
            send(encoder.frame(chunk))
    send(encoder.last_frame)

    {"id": "chatcmpl-…", "object": "chat.completion.chunk", "created": 1, "model": "qwen3-coder", "choices":
     [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{\\"city\\": \\"Os"}}]}, …}]}

A call that was cut off never looks complete: its arguments are no JSON, and the reply ends with "length".

| the reply ended with | `finish_reason` |
|---|---|
| stop, tool_calls, unknown, pause | `tool_calls` if there is a complete call, else `stop` |
| length, cancelled; or a call is not complete | `length` |
| content_filter | `content_filter` |
| refusal | `stop` if it says so in words, which are in the field `refusal`, else `content_filter` |
| error | none: the last chunk is `{"error": …}`, and `[DONE]` does not follow |

Segments that the interface has no place for are left out: sources, files, what a provider's own tools did, your own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from streamparse.encoders.encoder import DeclaredTools, Encoder
from streamparse.encoders.openai_deltas import OpenAIDeltas, ReasoningField
from streamparse.encoders.part import Part
from streamparse.encoders.whole import Whole, WholeCall
from streamparse.outcome import Outcome, StreamEnd, Usage


class OpenAIEncoder(Encoder):
    """Encodes one reply as choice `index` of the response `id`.

    `tools` are those that the reply was given. `usage` says whether a last chunk tells the tokens, if they are known.
    `extra` are further fields of each chunk, such as `system_fingerprint`.
    """

    def __init__(
        self,
        *,
        model: str = "",
        tools: DeclaredTools = (),
        reasoning: ReasoningField = "reasoning_content",
        usage: bool = True,
        id: str | None = None,
        created: int | None = None,
        index: int = 0,
        extra: Mapping[str, Any] | None = None,
        show_errors: bool = False,
    ) -> None:
        super().__init__(tools, show_errors=show_errors)
        self._is_failed = False
        self._deltas = OpenAIDeltas(reasoning, self._ids)
        self._usage = usage
        self._frame = {
            "id": id or f"chatcmpl-{self._id}",
            "object": "chat.completion.chunk",
            "created": int(time.time()) if created is None else created,
            "model": model,
            **(extra or {}),
        }
        self._index = index
        self._has_role = False

    @property
    def last_frame(self) -> str:
        """`[DONE]`, unless there was an error."""
        return "" if self._is_failed else "data: [DONE]\n\n"

    def _write(self, part: Part, chunks: list[dict[str, Any]]) -> None:
        delta = self._deltas.write(part)
        if delta is not None:
            chunks.append(self._chunk(delta))
        elif isinstance(part, StreamEnd):
            self._end(part.outcome, chunks)

    def _end(self, outcome: Outcome, chunks: list[dict[str, Any]]) -> None:
        if outcome.finish_reason == "error":
            self._is_failed = True
            chunks.append(self._failed(outcome))
            return
        chunks.append(self._chunk({}, self._reason(outcome)))
        usage = _usage(outcome.usage) if self._usage else None
        if usage:
            chunks.append({**self._frame, "choices": [], "usage": usage})

    def _failed(self, outcome: Outcome) -> dict[str, Any]:
        return {"error": {"message": self._error(outcome), "type": "server_error", "param": None, "code": None}}

    def _reason(self, outcome: Outcome) -> str:
        ending = self._parts.ending
        if ending.is_filtered(outcome):
            return "content_filter"
        if ending.is_cut(outcome):
            return "length"
        return "tool_calls" if ending.has_calls else "stop"

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        if not self._has_role:
            self._has_role = True
            delta = {"role": "assistant", **delta}
        return {**self._frame, "choices": [{"index": self._index, "delta": delta, "finish_reason": reason}]}

    def _response(self, whole: Whole) -> dict[str, Any]:
        outcome, calls, reasoning = whole.outcome, whole.calls, whole.reasoning()
        if outcome.finish_reason == "error":
            return self._failed(outcome)
        message: dict[str, Any] = {"role": "assistant", "content": whole.text() or (None if calls else "")}
        if reasoning:
            message |= dict.fromkeys(self._deltas.fields, reasoning)
        if whole.refusal:
            message["refusal"] = whole.refusal
        if calls:
            message["tool_calls"] = [self._whole_call(call) for call in calls]
        choice = {"index": self._index, "message": message, "finish_reason": self._reason(outcome)}
        response = {**self._frame, "object": "chat.completion", "choices": [choice]}
        usage = _usage(outcome.usage)
        return {**response, "usage": usage} if usage else response

    def _whole_call(self, call: WholeCall) -> dict[str, Any]:
        function = {"name": call.invocation.name, "arguments": call.arguments}
        call_id = self._ids.give(call.invocation.call_id, call.index)
        return {"id": call_id, "type": "function", "function": function}


def _usage(usage: Usage | None) -> dict[str, Any] | None:
    """The tokens, as far as they were counted; as the provider told them, if it is one of this interface."""
    if usage is None:
        return None
    if "prompt_tokens" in usage.provider:
        return dict(usage.provider)
    read, written = usage.input or 0, usage.output or 0
    total = usage.total if usage.total is not None else read + written
    data: dict[str, Any] = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": total}
    if usage.cached is not None:
        data["prompt_tokens_details"] = {"cached_tokens": usage.cached}
    if usage.reasoning is not None:
        data["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
    return data
