"""LangChain message chunks, and what LangGraph wraps them in.

    AIMessageChunk(content="Hi", tool_call_chunks=[{"index": 0, "id": "c", "name": "f", "args": "{"}])
    (AIMessageChunk(…), {"langgraph_node": "agent"})                     stream_mode="messages"
    ("messages", (AIMessageChunk(…), {…}))                               several stream modes
    {"event": "on_chat_model_stream", "data": {"chunk": AIMessageChunk(…)}}     astream_events, version 2

`tool_calls` of a chunk is a guess at the arguments so far, so it is read of whole messages only. Messages that are not
the model's (human, tool, system) say nothing. Version 3 of `astream_events` is not read.

Reasoning stands in the content, or in `additional_kwargs`: as `reasoning_content`, or as `reasoning`, an item of OpenAI
Responses in pieces (`output_version="v0"`). The state of such an item has its `id` and `encrypted_content`. The tokens
of a chunk come in addition to those before: that is how LangChain adds chunks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.providers.content import read_content
from streamparse.providers.deltas import Delta, ReasoningDelta
from streamparse.providers.fields import Fields, child, fields, items, plain, slot, text
from streamparse.providers.finish import read_finish
from streamparse.providers.memory import Memory
from streamparse.providers.responses_prose import read_reasoning

_REASONS = ("finish_reason", "stop_reason", "done_reason", "stopReason")
#: The states of a response that has ended.
_ENDED = ("completed", "incomplete", "failed", "cancelled")
#: LangGraph's stream modes beside `messages`.
_OTHER_MODES = {"values", "updates", "custom", "checkpoints", "tasks", "debug"}


def read(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of a message (chunk), nothing for events that carry none; None for anything else."""
    if isinstance(chunk.get("tool_call_chunks"), (list, tuple)):
        return _read_message(chunk, memory)
    if isinstance(chunk.get("additional_kwargs"), Mapping) and isinstance(chunk.get("response_metadata"), Mapping):
        return _read_message(chunk, memory) if text(chunk, "type") in ("ai", "AIMessageChunk") else []
    event = text(chunk, "event")
    return [] if event.startswith("on_") and event != "on_chat_model_stream" else None


def _read_message(message: Fields, memory: Memory) -> list[Delta]:
    deltas = read_content(message.get("content"))
    besides = child(message, "additional_kwargs")
    reasoning = text(besides, "reasoning_content")
    if reasoning and not any(isinstance(delta, ReasoningDelta) for delta in deltas):
        deltas.insert(0, ReasoningDelta(reasoning))
    if deltas or items(message, "tool_call_chunks"):
        deltas[:0] = memory.output.close()
    if isinstance(besides.get("reasoning"), Mapping):
        deltas[:0] = read_reasoning(child(besides, "reasoning"), memory)
    if message.get("usage_metadata"):
        memory.about.count(_sum(memory.about.counts, plain(message.get("usage_metadata"))))
    for call in map(fields, items(message, "tool_call_chunks")):
        call_id, name, arguments = text(call, "id"), text(call, "name"), call.get("args")
        deltas += memory.calls.find(slot(call, "index"), call_id, name, arguments).read(call_id, name, arguments)
    if text(message, "type") == "ai":
        for call in map(fields, items(message, "tool_calls")):
            call_id = text(call, "id")
            deltas += memory.calls.open(None, call_id).read(call_id, text(call, "name"), call.get("args") or {})
    metadata = message.get("response_metadata")
    return deltas + _read_metadata(fields(metadata), memory) if metadata else deltas


def _sum(known: object, more: object) -> Any:
    """Numbers of tokens, and those in objects within, added to those that came before."""
    if isinstance(more, dict):
        base = known if isinstance(known, dict) else {}
        return {**base, **{name: _sum(base.get(name), value) for name, value in more.items()}}
    return known + more if isinstance(known, int) and isinstance(more, int) else more


def _read_metadata(metadata: Fields, memory: Memory) -> list[Delta]:
    """The model, the id and the end of the reply."""
    memory.about.note(metadata, model="model_name")
    memory.about.note(metadata)
    finish = _finish(metadata)
    if not finish:
        return []
    memory.calls.finish()
    return [*memory.output.close(is_followed=False), *finish]


def _finish(metadata: Fields) -> list[Delta]:
    for name in _REASONS:
        if finish := read_finish(metadata, name):
            return finish
    if text(metadata, "status") not in _ENDED:
        return []
    return read_finish(child(metadata, "incomplete_details"), "reason") or read_finish(metadata, "status")


def unwrap(chunk: Fields) -> object | None:
    """The chunk inside an event of `astream_events` or of LangGraph, or None."""
    data: object = chunk.get("data")
    if text(chunk, "event") == "on_chat_model_stream":
        data = fields(data).get("chunk")
        return data
    return data if text(chunk, "type") == "messages" and isinstance(data, tuple) else None


def is_silent(chunk: tuple[object, ...]) -> bool:
    """Whether a tuple of LangGraph is of a stream mode that carries no chunk of a model."""
    return any(isinstance(mode, str) and mode in _OTHER_MODES for mode in chunk[:-1])


def unwrap_tuple(chunk: tuple[object, ...]) -> object | None:
    """`(chunk, metadata)`, `(mode or namespace, (chunk, metadata))` or `(namespace, mode, (chunk, metadata))`."""
    if len(chunk) in (2, 3) and isinstance(chunk[-1], tuple):
        return chunk[-1]
    is_pair = len(chunk) == 2 and isinstance(chunk[1], Mapping)
    return chunk[0] if is_pair and not isinstance(chunk[0], (str, bytes, tuple)) else None
