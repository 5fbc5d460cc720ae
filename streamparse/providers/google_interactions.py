"""Google's Interactions API: steps that start, grow and stop, by index.

{"event_type": "step.start", "index": 1, "step": {"type": "function_call", "id": "c", "name": "f"}}
{"event_type": "step.delta", "index": 1, "delta": {"type": "arguments_delta", "arguments": "{}"}}
{"event_type": "step.stop", "index": 1}
"""

from __future__ import annotations

from collections.abc import Callable

from streamparse.providers.content import joined
from streamparse.providers.deltas import Delta, ProviderError, ReasoningDelta, TextDelta
from streamparse.providers.fields import get, slot, text
from streamparse.providers.finish import read_error, read_finish
from streamparse.providers.keys import CallKeys


def read(chunk: object, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event whose `event_type` is a step's, an interaction's or an error; None for anything else."""
    kind = text(chunk, "event_type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, keys)
    return [] if kind.startswith(("step.", "interaction.")) else None


def _step_start(chunk: object, keys: CallKeys) -> list[Delta]:
    step = get(chunk, "step")
    keys.close(slot(chunk, "index"))
    settled = keys.settle()
    if text(step, "type") != "function_call":
        return settled
    call = keys.open(slot(chunk, "index"), text(step, "id"))
    call.held = get(step, "arguments")
    return settled + call.read(text(step, "id"), text(step, "name"))


def _step_delta(chunk: object, keys: CallKeys) -> list[Delta]:
    delta = get(chunk, "delta")
    kind = text(delta, "type")
    if kind == "arguments_delta":
        call = keys.at(slot(chunk, "index"))
        return call.read(arguments=get(delta, "arguments")) if call else []
    if kind == "text" and text(delta, "text"):
        return [TextDelta(text(delta, "text"))]
    if kind == "thought_summary" and joined(get(delta, "content")):
        return [ReasoningDelta(joined(get(delta, "content")))]
    return []


def _step_stop(chunk: object, keys: CallKeys) -> list[Delta]:
    return keys.end_block(slot(chunk, "index"))


def _completed(chunk: object, keys: CallKeys) -> list[Delta]:
    finish = read_finish(get(chunk, "interaction"), "status")
    return keys.settle(finish) + finish


def _error(chunk: object, _keys: CallKeys) -> list[Delta]:
    return read_error(chunk) or [ProviderError("the provider reported an error")]


_EVENTS: dict[str, Callable[[object, CallKeys], list[Delta]]] = {
    "step.start": _step_start,
    "step.delta": _step_delta,
    "step.stop": _step_stop,
    "interaction.completed": _completed,
    "error": _error,
}
