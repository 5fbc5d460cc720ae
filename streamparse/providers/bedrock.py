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

from streamparse.providers.deltas import Delta, ProviderError, ReasoningDelta, TextDelta
from streamparse.providers.fields import get, slot, text
from streamparse.providers.finish import read_finish
from streamparse.providers.keys import CallKeys


def read(chunk: object, keys: CallKeys) -> list[Delta] | None:
    """The deltas of a dict with one of the keys above; None for anything else."""
    if not isinstance(chunk, dict) or len(chunk) != 1:
        return None
    [(name, event)] = chunk.items()
    if name in _EVENTS:
        return _EVENTS[name](event, keys)
    if name in _EXCEPTIONS:
        return [ProviderError(text(event, "message") or name)]
    return [] if name in ("messageStart", "metadata") else None


def _block_start(event: object, keys: CallKeys) -> list[Delta]:
    use, index = get(get(event, "start"), "toolUse"), slot(event, "contentBlockIndex")
    keys.close(index)
    settled = keys.settle()
    if not use or text(use, "type") == "server_tool_use":
        return settled
    return settled + keys.open(index, text(use, "toolUseId")).read(text(use, "toolUseId"), text(use, "name"))


def _block_delta(event: object, keys: CallKeys) -> list[Delta]:
    delta = get(event, "delta")
    deltas = keys.settle()  # text has no start event that could say so
    if text(delta, "text"):
        deltas.append(TextDelta(text(delta, "text")))
    reasoning = text(get(delta, "reasoningContent"), "text")
    if reasoning:
        deltas.append(ReasoningDelta(reasoning))
    call = keys.at(slot(event, "contentBlockIndex"))
    if call and get(delta, "toolUse"):
        deltas += call.read(arguments=get(get(delta, "toolUse"), "input"))
    return deltas


def _block_stop(event: object, keys: CallKeys) -> list[Delta]:
    return keys.end_block(slot(event, "contentBlockIndex"))


def _message_stop(event: object, keys: CallKeys) -> list[Delta]:
    finish = read_finish(event, "stopReason")
    return keys.settle(finish) + finish


_EVENTS: dict[str, Callable[[object, CallKeys], list[Delta]]] = {
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
