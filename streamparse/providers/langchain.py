"""LangChain message chunks, and what LangGraph wraps them in.

    AIMessageChunk(content="Hi", tool_call_chunks=[{"index": 0, "id": "c", "name": "f", "args": "{"}])
    (AIMessageChunk(…), {"langgraph_node": "agent"})                     stream_mode="messages"
    ("messages", (AIMessageChunk(…), {…}))                               several stream modes
    {"event": "on_chat_model_stream", "data": {"chunk": AIMessageChunk(…)}}     astream_events, version 2

`tool_calls` of a chunk is a guess at the arguments so far, so it is read of whole messages only. Messages that are not
the model's (human, tool, system) say nothing. Version 3 of `astream_events` is not read.
"""

from __future__ import annotations

from collections.abc import Mapping

from streamparse.providers.content import read_content
from streamparse.providers.deltas import Delta, ReasoningDelta
from streamparse.providers.fields import get, items, slot, text
from streamparse.providers.finish import read_finish
from streamparse.providers.keys import CallKeys

_REASONS = ("finish_reason", "stop_reason", "done_reason", "stopReason")
#: LangGraph's stream modes beside `messages`.
_OTHER_MODES = {"values", "updates", "custom", "checkpoints", "tasks", "debug"}


def read(chunk: object, keys: CallKeys) -> list[Delta] | None:
    """The deltas of a message (chunk); None for anything else."""
    if isinstance(get(chunk, "tool_call_chunks"), (list, tuple)):
        return _read_message(chunk, keys)
    if not isinstance(get(chunk, "additional_kwargs"), Mapping) or not isinstance(
        get(chunk, "response_metadata"), Mapping
    ):
        return _read_event(chunk)
    return _read_message(chunk, keys) if text(chunk, "type") in ("ai", "AIMessageChunk") else []


def _read_event(chunk: object) -> list[Delta] | None:
    """Nothing for events and stream modes that carry no chunk of a model."""
    name = text(chunk, "event")
    if isinstance(chunk, tuple):
        return [] if any(isinstance(mode, str) and mode in _OTHER_MODES for mode in chunk[:-1]) else None
    return [] if name.startswith("on_") and name != "on_chat_model_stream" else None


def _read_message(message: object, keys: CallKeys) -> list[Delta]:
    deltas = read_content(get(message, "content"))
    reasoning = text(get(message, "additional_kwargs"), "reasoning_content")
    if reasoning and not any(isinstance(delta, ReasoningDelta) for delta in deltas):
        deltas.insert(0, ReasoningDelta(reasoning))
    chunks = items(message, "tool_call_chunks")
    for call in chunks:
        call_id, name, arguments = text(call, "id"), text(call, "name"), get(call, "args")
        deltas += keys.find(slot(call, "index"), call_id, name, arguments).read(call_id, name, arguments)
    if text(message, "type") == "ai":
        for call in items(message, "tool_calls"):
            deltas += keys.open(None, text(call, "id")).read(
                text(call, "id"), text(call, "name"), get(call, "args") or {}
            )
    return deltas + _finish(get(message, "response_metadata"), keys)


def _finish(metadata: object, keys: CallKeys) -> list[Delta]:
    for name in _REASONS:
        finish = read_finish(metadata, name)
        if finish:
            keys.finish()
            return finish
    return []


def unwrap(chunk: object) -> object | None:
    """The chunk inside a tuple of LangGraph or an event of `astream_events`, or None."""
    if isinstance(chunk, tuple):
        return _unwrap_tuple(chunk)
    if not isinstance(chunk, Mapping):
        return None
    data = chunk.get("data")
    if chunk.get("event") == "on_chat_model_stream":
        inner: object = get(data, "chunk")
        return inner
    return data if chunk.get("type") == "messages" and isinstance(data, tuple) else None


def _unwrap_tuple(chunk: tuple[object, ...]) -> object | None:
    """`(chunk, metadata)`, `(mode or namespace, (chunk, metadata))` or `(namespace, mode, (chunk, metadata))`."""
    if len(chunk) in (2, 3) and isinstance(chunk[-1], tuple):
        return chunk[-1]
    is_pair = len(chunk) == 2 and isinstance(chunk[1], Mapping)
    return chunk[0] if is_pair and not isinstance(chunk[0], (str, bytes, tuple)) else None
