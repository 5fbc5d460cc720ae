"""Bedrock Converse: plain dicts with exactly one key.

    {"contentBlockStart": {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "t", "name": "f"}}}}
    {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "{}"}}}}
    {"contentBlockStop": {"contentBlockIndex": 1}}
    {"messageStop": {"stopReason": "tool_use"}}
    {"throttlingException": {"message": "slow down"}}

Text and reasoning have no start event. A call of type `server_tool_use` is run by the provider and left out.
"""

from __future__ import annotations

from collections.abc import Callable

from streamparse.providers.content import read_content
from streamparse.providers.deltas import Delta, ProviderError, ReasoningDelta
from streamparse.providers.fields import Fields, child, fields, slot, text
from streamparse.providers.finish import read_finish
from streamparse.providers.keys import CallKeys


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of a dict with one of the keys above; None for anything else."""
    if not isinstance(chunk, dict) or len(chunk) != 1:
        return None
    [(name, value)] = chunk.items()
    if name in _EVENTS:
        return _EVENTS[name](fields(value), keys)
    if name in _EXCEPTIONS:
        return [ProviderError(text(fields(value), "message") or name)]
    return [] if name in ("messageStart", "metadata") else None


def _block_start(event: Fields, keys: CallKeys) -> list[Delta]:
    start, index = child(event, "start"), slot(event, "contentBlockIndex")
    use = child(start, "toolUse")
    if not start.get("toolUse") or text(use, "type") == "server_tool_use":
        return keys.begin_block(index)
    return keys.begin_call(index, text(use, "toolUseId"), text(use, "name"))


def _block_delta(event: Fields, keys: CallKeys) -> list[Delta]:
    delta = child(event, "delta")
    deltas = keys.settle()  # text has no start event that could say so
    if delta.get("text"):
        deltas += read_content(text(delta, "text"))
    reasoning = text(child(delta, "reasoningContent"), "text")
    if reasoning:
        deltas.append(ReasoningDelta(reasoning))
    if delta.get("toolUse"):
        deltas += keys.grow_call(slot(event, "contentBlockIndex"), child(delta, "toolUse").get("input"))
    return deltas


def _block_stop(event: Fields, keys: CallKeys) -> list[Delta]:
    return keys.end_block(slot(event, "contentBlockIndex"))


def _message_stop(event: Fields, keys: CallKeys) -> list[Delta]:
    finish = read_finish(event, "stopReason")
    return keys.settle(finish) + finish


_EVENTS: dict[str, Callable[[Fields, CallKeys], list[Delta]]] = {
    "contentBlockStart": _block_start,
    "contentBlockDelta": _block_delta,
    "contentBlockStop": _block_stop,
    "messageStop": _message_stop,
}
_EXCEPTIONS = {
    "internalServerException",
    "modelStreamErrorException",
    "validationException",
    "throttlingException",
    "serviceUnavailableException",
}
