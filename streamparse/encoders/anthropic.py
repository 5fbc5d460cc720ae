"""AnthropicEncoder: a reply as the events that Anthropic's Messages stream, whatever model and format it came from.

    {"type": "message_start", "message": {"id": "msg_…", "role": "assistant", "content": [], …}}
    {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "toolu_…", "name": "f", …}}
    {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\\"a\\": 1}"}}
    {"type": "content_block_stop", "index": 0}
    {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {…}}
    {"type": "message_stop"}

Reasoning is a block of type `thinking`, with its signature if the reply came from Anthropic. One block follows the
other: if a provider writes calls at the same time, the second waits for the end of the first. A call that was cut off
never looks complete: its `partial_json` is no JSON, and the reply ends with "max_tokens".

| the reply ended with | `stop_reason` |
|---|---|
| stop, tool_calls, unknown | `tool_use` if there is a complete call, else `end_turn` |
| length, cancelled; or a call is not complete | `max_tokens` |
| content_filter, refusal | `refusal` |
| pause | `pause_turn` |
| error | none: the last event is `{"type": "error", …}` |
"""

from __future__ import annotations

from typing import Any, ClassVar

from streamparse.encoders.encoder import DeclaredTools, Encoder
from streamparse.encoders.part import CallDelta, CallEnd, CallStart, Other, Part, TextDelta, TextEnd, TextStart
from streamparse.encoders.whole import Block, Whole, WholeCall
from streamparse.events import INTERFACE, SegmentType
from streamparse.outcome import Outcome, StreamEnd, Usage

_REASONS = {"content_filter": "refusal", "refusal": "refusal", "pause": "pause_turn"}


class AnthropicEncoder(Encoder):
    """Encodes one reply as the message `id`. `tools` are those that the reply was given."""

    _call_prefix: ClassVar = "toolu_"
    _names_events: ClassVar = True

    def __init__(
        self, *, model: str = "", tools: DeclaredTools = (), id: str | None = None, show_errors: bool = False
    ) -> None:
        super().__init__(tools, show_errors=show_errors)
        self._message: dict[str, Any] = {
            "id": id or f"msg_{self._id}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }
        self._is_begun = False
        self._count = 0
        self._current: str | None = None  # the part whose block is open
        self._waiting: dict[str, list[Part]] = {}  # the parts of those that have to wait for its end

    def _write(self, part: Part, chunks: list[dict[str, Any]]) -> None:
        match part:
            case TextDelta() | CallDelta() | TextStart() | TextEnd() | CallStart() | CallEnd():
                if self._current not in (None, part.id):
                    self._waiting.setdefault(part.id, []).append(part)
                else:
                    self._write_block(part, chunks)
            case Other() if part.segment.type == SegmentType.REFUSAL:
                self._refuse(part.segment.id, part.segment.content, chunks)
            case StreamEnd():
                self._end(part.outcome, chunks)

    def _refuse(self, name: str, text: str, chunks: list[dict[str, Any]]) -> None:
        """The interface has no place for the words of a refusal: they are text."""
        for part in (TextStart(name, False), TextDelta(name, False, text), TextEnd(name, False)):
            self._write(part, chunks)

    def _write_block(
        self, part: TextStart | TextDelta | TextEnd | CallStart | CallDelta | CallEnd, chunks: Any
    ) -> None:
        """A block that may be written now."""
        match part:
            case TextDelta(is_reasoning=False):
                self._delta({"type": "text_delta", "text": part.delta}, chunks)
            case TextDelta():
                self._delta({"type": "thinking_delta", "thinking": part.delta}, chunks)
            case CallDelta():
                self._delta({"type": "input_json_delta", "partial_json": part.delta}, chunks)
            case TextStart():
                thinking = {"type": "thinking", "thinking": "", "signature": ""}
                self._begin(part.id, thinking if part.is_reasoning else {"type": "text", "text": ""}, chunks)
            case CallStart():
                call_id = self._ids.give(part.call_id, part.index)
                self._begin(part.id, {"type": "tool_use", "id": call_id, "name": part.name, "input": {}}, chunks)
            case TextEnd():
                signature = _signature(part)
                if part.is_reasoning and signature:
                    self._delta({"type": "signature_delta", "signature": signature}, chunks)
                self._stop(chunks)
            case _:
                self._stop(chunks)

    def _start_message(self, chunks: list[dict[str, Any]]) -> None:
        if not self._is_begun:
            self._is_begun = True
            chunks += [{"type": "message_start", "message": self._message}, {"type": "ping"}]

    def _begin(self, name: str, block: dict[str, Any], chunks: list[dict[str, Any]]) -> None:
        self._start_message(chunks)
        self._current = name
        chunks.append({"type": "content_block_start", "index": self._count, "content_block": block})

    def _delta(self, delta: dict[str, Any], chunks: list[dict[str, Any]]) -> None:
        chunks.append({"type": "content_block_delta", "index": self._count, "delta": delta})

    def _stop(self, chunks: list[dict[str, Any]]) -> None:
        """The block ends; the one that has waited longest begins."""
        chunks.append({"type": "content_block_stop", "index": self._count})
        self._count += 1
        self._current = None
        if self._waiting:
            for part in self._waiting.pop(next(iter(self._waiting))):
                self._write(part, chunks)

    def _end(self, outcome: Outcome, chunks: list[dict[str, Any]]) -> None:
        if outcome.finish_reason == "error":
            chunks.append(self._failed(outcome))
            return
        self._start_message(chunks)
        delta = {"stop_reason": self._reason(outcome), "stop_sequence": None}
        chunks.append({"type": "message_delta", "delta": delta, "usage": _usage(outcome.usage)})
        chunks.append({"type": "message_stop"})

    def _failed(self, outcome: Outcome) -> dict[str, Any]:
        return {"type": "error", "error": {"type": "api_error", "message": self._error(outcome)}}

    def _reason(self, outcome: Outcome) -> str:
        if outcome.finish_reason in _REASONS:
            return _REASONS[outcome.finish_reason]
        if self._parts.ending.is_cut(outcome):
            return "max_tokens"
        return "tool_use" if self._parts.ending.has_calls else "end_turn"

    def _response(self, whole: Whole) -> dict[str, Any]:
        outcome = whole.outcome
        if outcome.finish_reason == "error":
            return self._failed(outcome)
        content = [block for found in whole.blocks for block in self._whole_blocks(found)]
        if whole.refusal:
            content.append({"type": "text", "text": whole.refusal})
        usage = {"input_tokens": 0, **_usage(outcome.usage)}
        return {**self._message, "content": content, "stop_reason": self._reason(outcome), "usage": usage}

    def _whole_blocks(self, block: Block) -> list[dict[str, Any]]:
        if isinstance(block, WholeCall):
            call = block.invocation
            call_id = self._ids.give(call.call_id, block.index)
            return [{"type": "tool_use", "id": call_id, "name": call.name, "input": call.arguments}]
        if block.is_reasoning:
            signature = _signature(block.end) if block.end else ""
            return [{"type": "thinking", "thinking": block.text, "signature": signature}]
        return [{"type": "text", "text": block.text}]


def _signature(end: TextEnd) -> str:
    """What Anthropic has signed reasoning with; nobody else's signature would be accepted."""
    state = end.state or {}
    return str(state.get("signature", "")) if state.get(INTERFACE) == "anthropic" else ""


def _usage(usage: Usage | None) -> dict[str, Any]:
    """The tokens, as far as they were counted: those read from a cache are not among those that were read."""
    if usage is None:
        return {"output_tokens": 0}
    if "output_tokens" in usage.provider and "cache_read_input_tokens" in usage.provider:
        return dict(usage.provider)
    data: dict[str, Any] = {"output_tokens": usage.output or 0}
    if usage.input is not None:
        data["input_tokens"] = max(usage.input - (usage.cached or 0), 0)
    if usage.cached is not None:
        data["cache_read_input_tokens"] = usage.cached
    return data
