"""Google's Interactions API: steps that start, grow and stop, by index.

{"event_type": "step.start", "index": 1, "step": {"type": "function_call", "id": "c", "name": "f"}}
{"event_type": "step.delta", "index": 1, "delta": {"type": "arguments_delta", "arguments": "{}"}}
{"event_type": "step.stop", "index": 1}
"""

from __future__ import annotations

from collections.abc import Callable

from streamparse.providers.content import read_part
from streamparse.providers.deltas import Delta
from streamparse.providers.fields import Fields, child, slot, text
from streamparse.providers.finish import read_error_event, read_finish
from streamparse.providers.keys import CallKeys


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event whose `event_type` is a step's, an interaction's or an error; None for anything else."""
    kind = text(chunk, "event_type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, keys)
    return [] if kind.startswith(("step.", "interaction.")) else None


def _step_start(chunk: Fields, keys: CallKeys) -> list[Delta]:
    step, index = child(chunk, "step"), slot(chunk, "index")
    if text(step, "type") == "function_call":
        return keys.begin_call(index, text(step, "id"), text(step, "name"), step.get("arguments"))
    return keys.begin_block(index)


def _step_delta(chunk: Fields, keys: CallKeys) -> list[Delta]:
    delta = child(chunk, "delta")
    if text(delta, "type") == "arguments_delta":
        return keys.grow_call(slot(chunk, "index"), delta.get("arguments"))
    return read_part(delta)


def _step_stop(chunk: Fields, keys: CallKeys) -> list[Delta]:
    return keys.end_block(slot(chunk, "index"))


def _completed(chunk: Fields, keys: CallKeys) -> list[Delta]:
    finish = read_finish(child(chunk, "interaction"), "status")
    return keys.settle(finish) + finish


def _error(chunk: Fields, _keys: CallKeys) -> list[Delta]:
    return read_error_event(chunk)


_EVENTS: dict[str, Callable[[Fields, CallKeys], list[Delta]]] = {
    "step.start": _step_start,
    "step.delta": _step_delta,
    "step.stop": _step_stop,
    "interaction.completed": _completed,
    "error": _error,
}
