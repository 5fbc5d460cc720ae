"""What OpenAI's SDK gives with `client.chat.completions.stream()`: chunks in an envelope, and events made of them.

ChunkEvent(type="chunk", chunk=ChatCompletionChunk(…), snapshot=…)
ContentDeltaEvent(type="content.delta", delta="Hi", snapshot="Hi", …)       says again what the chunk said
"""

from __future__ import annotations

from streamparse.providers.deltas import Delta
from streamparse.providers.fields import Fields, text
from streamparse.providers.memory import Memory

_REPEATING = frozenset(
    (
        *("content.delta", "content.done", "refusal.delta", "refusal.done"),
        *("tool_calls.function.arguments.delta", "tool_calls.function.arguments.done"),
        *("logprobs.content.delta", "logprobs.content.done", "logprobs.refusal.delta", "logprobs.refusal.done"),
    )
)


def unwrap(chunk: Fields) -> object | None:
    """The chunk inside an event, or None."""
    inner: object = chunk.get("chunk") if text(chunk, "type") == "chunk" else None
    return inner


def read(chunk: Fields, _memory: Memory) -> list[Delta] | None:
    """Nothing for an event that repeats; None for anything else."""
    return [] if text(chunk, "type") in _REPEATING else None
