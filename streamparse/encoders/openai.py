"""OpenAIEncoder: a reply as the chunks that Chat Completions streams, whatever model and format it came from.

    encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
    for item in reply:
        for chunk in encoder.encode(item):
            send(f"data: {json.dumps(chunk)}\\n\\n")

    {"id": "chatcmpl-…", "object": "chat.completion.chunk", "created": 1, "model": "qwen3-coder", "choices":
     [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{\\"city\\": \\"Os"}}]}, …}]}

A call that was cut off never looks complete: its arguments are no JSON, and the reply ends with "length". `fold` makes
of the chunks what a request without `stream` gets.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from streamparse.config import Tools, ToolSpec
from streamparse.encoders.parts import CallDelta, CallEnd, CallStart, EncoderItem, Other, Part, Parts, TextDelta
from streamparse.events import SegmentType
from streamparse.outcome import Outcome, StreamEnd

#: The fields that reasoning is sent in: clients read one or the other.
ReasoningField: TypeAlias = Literal["reasoning_content", "reasoning", "both"]

_FIELDS = {"reasoning_content": ("reasoning_content",), "reasoning": ("reasoning",)}
_BOTH = ("reasoning_content", "reasoning")
#: How a reply ended, in the words of the interface. All others are "stop".
_REASONS = {"length": "length", "content_filter": "content_filter", "refusal": "stop"}


class OpenAIEncoder:
    """Encodes one reply, choice `index` of the response `id`. `usage` says whether a last chunk tells the tokens."""

    def __init__(
        self,
        *,
        model: str = "",
        tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (),
        reasoning: ReasoningField = "reasoning_content",
        usage: bool = True,
        id: str | None = None,
        created: int | None = None,
        index: int = 0,
    ) -> None:
        self._parts = Parts(tools)
        self._fields = _FIELDS.get(reasoning, _BOTH)
        self._usage = usage
        self._frame = {
            "id": id or f"chatcmpl-{uuid.uuid4().hex}",
            "object": "chat.completion.chunk",
            "created": int(time.time()) if created is None else created,
            "model": model,
        }
        self._index = index
        self._has_role = False
        self._has_calls = self._has_broken_calls = False

    def encode(self, item: EncoderItem) -> list[dict[str, Any]]:
        """The chunks that the next item of the reply makes."""
        return [chunk for part in self._parts.feed(item) for chunk in self._chunks(part)]

    def finish(self, outcome: Outcome | None = None) -> list[dict[str, Any]]:
        """The chunks that end the stream, if it was not ended."""
        return [chunk for part in self._parts.finish(outcome) for chunk in self._chunks(part)]

    def _chunks(self, part: Part) -> list[dict[str, Any]]:
        match part:
            case TextDelta(is_reasoning=False):
                return [self._chunk({"content": part.delta})]
            case TextDelta():
                return [self._chunk(dict.fromkeys(self._fields, part.delta))]
            case CallStart():
                function = {"name": part.name, "arguments": ""}
                call = {"index": part.index, "id": part.call_id or f"call_{uuid.uuid4().hex[:24]}", "type": "function"}
                return [self._chunk({"tool_calls": [{**call, "function": function}]})]
            case CallDelta():
                return [self._chunk({"tool_calls": [{"index": part.index, "function": {"arguments": part.delta}}]})]
            case CallEnd():
                self._has_calls = self._has_calls or part.invocation.is_complete
                self._has_broken_calls = self._has_broken_calls or not part.invocation.is_complete
            case Other() if part.segment.type == SegmentType.REFUSAL:
                return [self._chunk({"refusal": part.segment.content})]
            case StreamEnd():
                return self._end(part.outcome)
        return []

    def _end(self, outcome: Outcome) -> list[dict[str, Any]]:
        if outcome.finish_reason == "error":
            return [{"error": {"message": outcome.error or "the provider reported an error", "type": "server_error"}}]
        chunks = [self._chunk({}, self._reason(outcome))]
        if self._usage and outcome.usage is not None:
            chunks.append({**self._frame, "choices": [], "usage": _usage(outcome)})
        return chunks

    def _reason(self, outcome: Outcome) -> str:
        if self._has_broken_calls:
            return "length"  # whatever the provider said: what is there of a call must not be run
        reason = _REASONS.get(outcome.finish_reason)
        return reason or ("tool_calls" if self._has_calls else "stop")

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        if not self._has_role:
            self._has_role = True
            delta = {"role": "assistant", **delta}
        return {**self._frame, "choices": [{"index": self._index, "delta": delta, "finish_reason": reason}]}


def _usage(outcome: Outcome) -> dict[str, Any]:
    usage = outcome.usage
    assert usage is not None
    read, written = usage.input or 0, usage.output or 0
    data: dict[str, Any] = {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": usage.total if usage.total is not None else read + written,
    }
    if usage.cached is not None:
        data["prompt_tokens_details"] = {"cached_tokens": usage.cached}
    if usage.reasoning is not None:
        data["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
    return data


def fold(chunks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The response that a request without `stream` gets. A call that is not complete is left out of it."""
    response: dict[str, Any] = {}
    choices: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        if "error" in chunk:
            return dict(chunk)
        response |= {name: value for name, value in chunk.items() if name not in ("choices", "object")}
        for choice in chunk["choices"]:
            known = choices.setdefault(
                choice["index"], {"message": {"role": "assistant", "content": None}, "calls": {}}
            )
            _fold_delta(known, choice["delta"])
            known["finish_reason"] = choice["finish_reason"] or known.get("finish_reason")
    response["object"] = "chat.completion"
    response["choices"] = [_folded(index, known) for index, known in sorted(choices.items())]
    return response


def _fold_delta(known: dict[str, Any], delta: Mapping[str, Any]) -> None:
    message, calls = known["message"], known["calls"]
    for name, value in delta.items():
        if name == "tool_calls":
            for call in value:
                index = call["index"]
                if index not in calls:
                    calls[index] = {name: part for name, part in call.items() if name != "index"}
                else:
                    calls[index]["function"]["arguments"] += call["function"]["arguments"]
        elif name != "role":
            message[name] = (message.get(name) or "") + value


def _folded(index: int, known: dict[str, Any]) -> dict[str, Any]:
    message, calls, reason = known["message"], known["calls"], known.get("finish_reason")
    if reason == "length" and calls:
        # The last call is the one that was cut off, if any was.
        calls = {number: call for number, call in calls.items() if _is_json(call["function"]["arguments"])}
    if calls:
        message["tool_calls"] = [call for _, call in sorted(calls.items())]
    return {"index": index, "message": message, "finish_reason": reason}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
