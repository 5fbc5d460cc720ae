"""pydantic-ai: parts that start, grow and end, by index; told apart by `event_kind`.

    PartStartEvent(index=0, part=TextPart(content="Hi"))                    the part may hold text already
    PartDeltaEvent(index=1, delta=ToolCallPartDelta(args_delta='{"a"'))
    PartEndEvent(index=1, …)

All other events (results, the final answer, calls about to run) say again what the parts said.
"""

from __future__ import annotations

from streamparse.providers.deltas import CallDelta, Delta, ReasoningDelta, TextDelta
from streamparse.providers.fields import get, slot, text
from streamparse.providers.keys import CallKeys


def read(chunk: object, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event with an `event_kind`; None for anything else."""
    kind = text(chunk, "event_kind")
    if not kind:
        return None
    index = slot(chunk, "index")
    if kind == "part_start":
        return _start(get(chunk, "part"), index, keys)
    if kind == "part_delta":
        return _delta(get(chunk, "delta"), index, keys)
    if kind == "part_end":
        call = keys.close(index)
        return call.end() if call else []
    return []


def _start(part: object, index: int | str | None, keys: CallKeys) -> list[Delta]:
    kind, content = text(part, "part_kind"), text(part, "content")
    keys.close(index)
    if kind == "tool-call":
        call_id = text(part, "tool_call_id")
        return keys.open(index, call_id).read(call_id, text(part, "tool_name"), get(part, "args"))
    if kind == "text" and content:
        return [TextDelta(content)]
    return [ReasoningDelta(content)] if kind == "thinking" and content else []


def _delta(delta: object, index: int | str | None, keys: CallKeys) -> list[Delta]:
    kind, content = text(delta, "part_delta_kind"), text(delta, "content_delta")
    if kind == "tool_call":
        call = keys.at(index)
        if call is None:
            return []
        name = text(delta, "tool_name_delta")  # always a piece, never the name again
        if not name or call.has_arguments:
            return call.read(text(delta, "tool_call_id"), "", get(delta, "args_delta"))
        call.name += name
        call.is_announced = True
        named: list[Delta] = [CallDelta(call.key, name=name)]
        return named + call.read(text(delta, "tool_call_id"), "", get(delta, "args_delta"))
    if kind == "text" and content:
        return [TextDelta(content)]
    return [ReasoningDelta(content)] if kind == "thinking" and content else []
