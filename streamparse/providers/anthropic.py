"""Anthropic Messages: blocks that start, grow and stop, by index.

    {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "f"}}
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\\"a\\": 1}"}}
    {"type": "content_block_stop", "index": 1}
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}

`messages.stream()` of the SDK puts events of its own between these (`text`, `input_json`, …), which say the same again:
they are ignored. `server_tool_use` and `mcp_tool_use` are run by the provider and are nobody's to answer: left out.
"""

from __future__ import annotations

from collections.abc import Callable

from streamparse.providers.deltas import Delta, ProviderError, ReasoningDelta, TextDelta
from streamparse.providers.fields import get, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import CallKeys

_IGNORED = {"message_start", "message_stop", "ping", "text", "input_json", "thinking", "citation", "signature"}


def read(chunk: object, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event of one of Anthropic's types; None for anything else."""
    kind = text(chunk, "type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, keys)
    return [] if kind in _IGNORED else None


def _block_start(chunk: object, keys: CallKeys) -> list[Delta]:
    block = get(chunk, "content_block")
    kind = text(block, "type")
    if kind == "tool_use":
        settled = keys.settle()
        call = keys.open(slot(chunk, "index"), text(block, "id"))
        # Empty as a rule, with the arguments to come as deltas. Servers that send none put them all here.
        call.held = get(block, "input")
        return settled + call.read(text(block, "id"), text(block, "name"))
    keys.close(slot(chunk, "index"))  # an index may come again in the next message of the same stream
    deltas = keys.settle()
    if kind == "text" and text(block, "text"):
        deltas.append(TextDelta(text(block, "text")))
    if kind == "thinking" and text(block, "thinking"):
        deltas.append(ReasoningDelta(text(block, "thinking")))
    return deltas


def _block_delta(chunk: object, keys: CallKeys) -> list[Delta]:
    delta = get(chunk, "delta")
    kind = text(delta, "type")
    if kind == "input_json_delta":
        call = keys.at(slot(chunk, "index"))
        return call.read(arguments=text(delta, "partial_json")) if call else []
    if kind == "text_delta" and text(delta, "text"):
        return [TextDelta(text(delta, "text"))]
    if kind == "thinking_delta" and text(delta, "thinking"):
        return [ReasoningDelta(text(delta, "thinking"))]
    return []


def _block_stop(chunk: object, keys: CallKeys) -> list[Delta]:
    return keys.end_block(slot(chunk, "index"))


def _message_delta(chunk: object, keys: CallKeys) -> list[Delta]:
    finish = read_finish(get(chunk, "delta"), "stop_reason")
    return keys.settle(finish) + finish if finish else []


def _error(chunk: object, _keys: CallKeys) -> list[Delta]:
    """Also OpenAI's `error` event, which has its message beside the type."""
    return read_error(chunk) or [ProviderError(text(chunk, "message") or "the provider reported an error")]


_EVENTS: dict[str, Callable[[object, CallKeys], list[Delta]]] = {
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "content_block_stop": _block_stop,
    "message_delta": _message_delta,
    "error": _error,
}
