"""pydantic-ai: parts that start, grow and end, by index; told apart by `event_kind`.

    PartStartEvent(index=0, part=TextPart(content="Hi"))                    the part may hold text already
    PartDeltaEvent(index=1, delta=ToolCallPartDelta(args_delta='{"a"'))
    PartEndEvent(index=1, …)

All other events (results, the final answer, calls about to run) say again what the parts said. Parts of the type
`builtin-tool-call` are what the provider runs itself, `builtin-tool-return` what came of it.

The state of a part is what pydantic-ai keeps of the provider: its `id`, `signature` and `provider_details`, and with
any of them the `provider_name`. A compaction is an empty block of reasoning; its state has a `type` and its `content`.
All that is pydantic-ai's own way to keep it, but the signature of a thought of Claude's is Anthropic's or Bedrock's.
"""

from __future__ import annotations

from typing import Any

from streamparse.events import INTERFACE
from streamparse.providers.deltas import BlockEnd, Delta, File, ReasoningDelta, ServerResult, TextDelta
from streamparse.providers.fields import Fields, child, plain, slot, text
from streamparse.providers.json_text import as_text
from streamparse.providers.memory import Memory
from streamparse.wire import present

_CALLS = ("tool-call", "builtin-tool-call")
#: What of a part or of its delta must go back, and what it is called there.
_STATE = {
    "id": "id",
    "signature": "signature",
    "signature_delta": "signature",
    "provider_details": "provider_details",
    "provider_name": "provider_name",
}
#: Providers whose own state of a thought is its signature. (With an id, it is a thought of another kind.)
_SIGNERS = ("anthropic", "bedrock")
#: Parts that are blocks, and the type of the segment that carries a state where there is no text.
_BLOCKS = {"text": "", "thinking": "reasoning"}


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of an event with an `event_kind`; None for anything else."""
    kind = text(chunk, "event_kind")
    if not kind:
        return None
    index = slot(chunk, "index")
    if kind == "part_start":
        part = child(chunk, "part")
        return _end_block(memory, is_followed=text(part, "part_kind") in _BLOCKS) + _start(part, index, memory)
    if kind == "part_delta":
        return _delta(child(chunk, "delta"), index, memory)
    if kind == "part_end":
        return _end(child(chunk, "part"), index, memory)
    return []


def _start(part: Fields, index: int | str | None, memory: Memory) -> list[Delta]:
    kind = text(part, "part_kind")
    memory.calls.close(index)
    if kind in _CALLS:
        call_id = text(part, "tool_call_id")
        call = memory.calls.open(index, call_id, is_named=False)  # a delta may bring more of the name
        call.is_server = kind == "builtin-tool-call"
        return call.read(call_id, text(part, "tool_name"), part.get("args"), state=_state(part))
    if kind == "builtin-tool-return":
        written, name = as_text(plain(part.get("content"))), text(part, "tool_name")
        return [ServerResult(written, name, text(part, "tool_call_id"), _state(part) or None)]
    if kind == "file":
        content = child(part, "content")
        data = plain(content.get("data"))
        return [File(present(media_type=text(content, "media_type")), data)] if isinstance(data, str) else []
    if kind == "compaction":
        return [BlockEnd({"type": kind, "content": text(part, "content"), **_state(part)}, "reasoning")]
    if kind in _BLOCKS:
        memory.details[kind] = _state(part)
    return _content(kind, text(part, "content"))


def _state(part: Fields) -> dict[str, Any]:
    """What the provider wants back with a part; who that is matters only then."""
    state = {name: plain(value) for field, name in _STATE.items() if (value := part.get(field))}
    return state if state.keys() - {"provider_name"} else {}


def _delta(delta: Fields, index: int | str | None, memory: Memory) -> list[Delta]:
    kind = text(delta, "part_delta_kind")
    if kind != "tool_call":
        if kind in memory.details:
            memory.details[kind] |= _state(delta)
        return _content(kind, text(delta, "content_delta"))
    call = memory.calls.at(index)
    if call is None:
        return []
    named = call.grow_name(text(delta, "tool_name_delta"))
    return named + call.read(text(delta, "tool_call_id"), "", delta.get("args_delta"), state=_state(delta))


def _end(part: Fields, index: int | str | None, memory: Memory) -> list[Delta]:
    """The part has ended; the event holds all of it."""
    kind = text(part, "part_kind")
    if kind in memory.details:
        memory.details[kind] |= _state(part)
        return _end_block(memory, is_followed=False) if memory.details[kind] else []
    call = memory.calls.close(index)
    return call.end() if call else []


def _end_block(memory: Memory, *, is_followed: bool) -> list[Delta]:
    """The part of text or thinking that was open has ended; unless another one follows, only its state matters."""
    ended, memory.details = memory.details, {}
    return [
        BlockEnd(_owned(kind, state) or None, _BLOCKS.get(str(kind), "") if state else "")
        for kind, state in ended.items()
        if state or is_followed
    ]


def _owned(kind: object, state: dict[str, Any]) -> dict[str, Any]:
    """The state of a block, which is the provider's own if it is a thought with its signature."""
    signer = state.get("provider_name")
    is_signed = kind == "thinking" and signer in _SIGNERS and "signature" in state and "id" not in state
    return {INTERFACE: signer, **state} if is_signed else state


def _content(kind: str, content: str) -> list[Delta]:
    if kind == "text" and content:
        return [TextDelta(content)]
    return [ReasoningDelta(content)] if kind == "thinking" and content else []
