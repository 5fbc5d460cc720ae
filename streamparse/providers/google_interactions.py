"""Google's Interactions API: steps that start, grow and stop, by index.

    {"event_type": "step.start", "index": 1, "step": {"type": "function_call", "id": "c", "name": "f"}}
    {"event_type": "step.delta", "index": 1, "delta": {"type": "arguments_delta", "arguments": "{}"}}
    {"event_type": "step.stop", "index": 1}
    {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed", "usage": {}}}

Steps named `…_call`, but for `function_call`, are run by the provider, and `…_result` is what came of them; each tells
its arguments or its result whole, at its start or in a delta. What must go back: the state of reasoning has its
`signature`, as has that of a call or result if it came; calls and results of the provider have the `type` of their
step, and what else stands in it (`server_name`, `search_type`, `is_error`, …).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamparse.providers.content import read_content, read_part
from streamparse.providers.deltas import BlockEnd, Delta, File, ServerResult
from streamparse.providers.fields import Fields, child, data, fields, items, plain, slot, text, told
from streamparse.providers.finish import read_error_event, read_finish
from streamparse.providers.json_text import as_json
from streamparse.providers.memory import Memory
from streamparse.wire import present

_FILES = ("image", "audio", "video", "document")
_CALL, _RESULT = "_call", "_result"


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of an event whose `event_type` is a step's, an interaction's or an error; None for anything else."""
    kind = text(chunk, "event_type")
    handler = _EVENTS.get(kind)
    if handler:
        return handler(chunk, memory)
    return [] if kind.startswith(("step.", "interaction.")) else None


def _step_start(chunk: Fields, memory: Memory) -> list[Delta]:
    step, index = child(chunk, "step"), slot(chunk, "index")
    kind = text(step, "type")
    if kind == "function_call":
        call = text(step, "id"), text(step, "name"), step.get("arguments")
        return memory.begin_call(index, *call, told(step, "signature"))
    if kind.endswith(_CALL):
        return _begin_server_call(data(chunk, "step"), index, memory)
    begun = memory.begin_block(index)
    if kind.endswith(_RESULT):
        memory.keep(index).update(data(chunk, "step"))
    elif kind == "thought":
        memory.keep(index).update(told(step, "signature"))
        begun += read_content(items(step, "summary") and [{"type": "reasoning", "summary": step.get("summary")}])
    elif kind == "model_output":
        memory.keep(index)["type"] = kind
        for part in map(fields, items(step, "content")):
            begun += _read_content(part, memory)
    return begun


def _begin_server_call(step: dict[str, Any], index: int | str | None, memory: Memory) -> list[Delta]:
    arguments, call_id = step.pop("arguments", None), text(step, "id")
    name = text(step, "name") or text(step, "type").removesuffix(_CALL)
    state = {key: value for key, value in step.items() if key not in ("id", "name")}
    return memory.begin_call(index, call_id, name, arguments, state, is_server=True)


def _step_delta(chunk: Fields, memory: Memory) -> list[Delta]:
    delta, index = child(chunk, "delta"), slot(chunk, "index")
    kind = text(delta, "type")
    if kind == "text":
        return read_part(delta)
    if kind == "arguments_delta":
        return memory.grow_call(index, delta.get("arguments"))
    if chunk.get("metadata"):
        memory.about.count(child(chunk, "metadata").get("total_usage"))
    if kind == "thought_signature":
        memory.keep(index).update(told(delta, "signature"))
    elif kind.endswith(_RESULT):
        memory.keep(index).update(data(chunk, "delta"))
    elif kind.endswith(_CALL):
        return _grow_server_call(delta, index, memory)
    elif kind == "thought_summary":
        memory.keep(index)
    return _read_content(delta, memory)


def _grow_server_call(delta: Fields, index: int | str | None, memory: Memory) -> list[Delta]:
    """The arguments of a call of the provider's, whole: they are told when it stops."""
    call = memory.calls.at(index)
    if call is None:
        return []
    call.held = data(delta, "arguments") or call.held
    signature = told(delta, "signature")
    return call.read(state=signature) if signature else []


def _read_content(part: Fields, memory: Memory) -> list[Delta]:
    """Text, reasoning, a file, or what the text cites."""
    kind = text(part, "type")
    if kind in _FILES:
        metadata = present(media_type=text(part, "mime_type"), url=text(part, "uri"))
        return [File(metadata, text(part, "data"))]
    deltas = read_part(part)
    for annotation in items(part, "annotations"):
        found = plain(annotation)
        deltas += memory.source(found) if isinstance(found, dict) else []
    return deltas


def _step_stop(chunk: Fields, memory: Memory) -> list[Delta]:
    index = slot(chunk, "index")
    memory.about.count(chunk.get("usage"))
    return memory.end_block(index) + _end_kept(index, memory)


def _end_kept(place: object, memory: Memory) -> list[Delta]:
    """What was kept of a step, which has ended: a message, a result, or what must go back with reasoning."""
    kept = memory.details.get(place, {})
    kind = text(kept, "type")
    if kind == "model_output":
        del memory.details[place]
        return [BlockEnd()]
    if kind.endswith(_RESULT):
        del memory.details[place]
        content, call_id = as_json(kept.pop("result", None)), text(kept, "call_id")
        kept.pop("call_id", None)
        return [ServerResult(content, memory.calls.name_of(call_id), call_id, kept)]
    return memory.end_details(place)


def _created(chunk: Fields, memory: Memory) -> list[Delta]:
    memory.about.note(child(chunk, "interaction"))
    return []


def _status(chunk: Fields, memory: Memory) -> list[Delta]:
    memory.about.count(chunk.get("usage"))
    return []


def _completed(chunk: Fields, memory: Memory) -> list[Delta]:
    interaction = child(chunk, "interaction")
    memory.about.note(interaction)
    memory.about.count(interaction.get("usage"))
    finish = read_finish(interaction, "status")
    deltas = memory.settle(finish)
    for place in [place for place, kept in memory.details.items() if kept]:  # of steps that did not stop
        deltas += _end_kept(place, memory)
    return deltas + finish


def _error(chunk: Fields, _memory: Memory) -> list[Delta]:
    return read_error_event(chunk)


_EVENTS: dict[str, Callable[[Fields, Memory], list[Delta]]] = {
    "interaction.created": _created,
    "interaction.status_update": _status,
    "step.start": _step_start,
    "step.delta": _step_delta,
    "step.stop": _step_stop,
    "interaction.completed": _completed,
    "error": _error,
}
