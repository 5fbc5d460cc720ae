"""pydantic-ai: parts that start, grow and end, by index; told apart by `event_kind`.

    PartStartEvent(index=0, part=TextPart(content="Hi"))                    the part may hold text already
    PartDeltaEvent(index=1, delta=ToolCallPartDelta(args_delta='{"a"'))
    PartEndEvent(index=1, …)

All other events (results, the final answer, calls about to run) say again what the parts said.
"""

from __future__ import annotations

from streamparse.providers.deltas import Delta, ReasoningDelta, TextDelta
from streamparse.providers.fields import Fields, child, slot, text
from streamparse.providers.keys import CallKeys


def read(chunk: Fields, keys: CallKeys) -> list[Delta] | None:
    """The deltas of an event with an `event_kind`; None for anything else."""
    kind = text(chunk, "event_kind")
    if not kind:
        return None
    index = slot(chunk, "index")
    if kind == "part_start":
        return _start(child(chunk, "part"), index, keys)
    if kind == "part_delta":
        return _delta(child(chunk, "delta"), index, keys)
    if kind == "part_end":
        call = keys.close(index)
        return call.end() if call else []
    return []


def _start(part: Fields, index: int | str | None, keys: CallKeys) -> list[Delta]:
    kind = text(part, "part_kind")
    keys.close(index)
    if kind == "tool-call":
        call_id = text(part, "tool_call_id")
        call = keys.open(index, call_id, is_named=False)  # a delta may bring more of the name
        return call.read(call_id, text(part, "tool_name"), part.get("args"))
    return _content(kind, text(part, "content"))


def _delta(delta: Fields, index: int | str | None, keys: CallKeys) -> list[Delta]:
    kind = text(delta, "part_delta_kind")
    if kind != "tool_call":
        return _content(kind, text(delta, "content_delta"))
    call = keys.at(index)
    if call is None:
        return []
    named = call.grow_name(text(delta, "tool_name_delta"))
    return named + call.read(text(delta, "tool_call_id"), "", delta.get("args_delta"))


def _content(kind: str, content: str) -> list[Delta]:
    if kind == "text" and content:
        return [TextDelta(content)]
    return [ReasoningDelta(content)] if kind == "thinking" and content else []
