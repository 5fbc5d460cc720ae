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

from streamparse.providers.content import read_part
from streamparse.providers.deltas import Delta
from streamparse.providers.fields import Fields, child, slot, text
from streamparse.providers.finish import read_error_event, read_finish
from streamparse.providers.keys import CallKeys

_IGNORED = {"message_start", "message_stop", "ping", "text", "input_json", "thinking", "citation", "signature"}


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event of one of Anthropic's types; None for anything else."""
    kind = text(chunk, "type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, keys)
    return [] if kind in _IGNORED else None


def _block_start(chunk: Fields, keys: CallKeys) -> list[Delta]:
    block, index = child(chunk, "content_block"), slot(chunk, "index")
    if text(block, "type") == "tool_use":
        return keys.begin_call(index, text(block, "id"), text(block, "name"), block.get("input"))
    return keys.begin_block(index) + read_part(block)


def _block_delta(chunk: Fields, keys: CallKeys) -> list[Delta]:
    delta = child(chunk, "delta")
    if text(delta, "type") == "input_json_delta":
        return keys.grow_call(slot(chunk, "index"), text(delta, "partial_json"))
    return read_part(delta)


def _block_stop(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return keys.end_block(slot(chunk, "index"))


def _message_delta(chunk: Fields, keys: CallKeys) -> list[Delta]:
    finish = read_finish(child(chunk, "delta"), "stop_reason")
    return keys.settle(finish) + finish if finish else []


def _error(chunk: Fields, _keys: CallKeys) -> list[Delta]:
    return read_error_event(chunk)


_EVENTS: dict[str, Callable[[Fields, CallKeys], list[Delta]]] = {
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "content_block_stop": _block_stop,
    "message_delta": _message_delta,
    "error": _error,
}
