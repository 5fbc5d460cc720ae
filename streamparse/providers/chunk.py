"""A `Chunk`, and whatever else has its fields.

    Chunk("Hi")
    Chunk(reasoning="Hm")
    Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{}"}])

Any other object with a string `content` is read in the same way: whatever else it has of these three counts too. But
what has a `type` is something else, and what has another `role` than the assistant's is none of the model's.
"""

from __future__ import annotations

from streamparse.chunk import Chunk
from streamparse.providers.deltas import Delta, ReasoningDelta
from streamparse.providers.fields import Fields, items, text
from streamparse.providers.finish import read_error
from streamparse.providers.memory import Memory
from streamparse.providers.openai_chat import read_delta


def read(chunk: Chunk, memory: Memory) -> list[Delta]:
    """The deltas of a `Chunk`."""
    deltas: list[Delta] = [ReasoningDelta(chunk.reasoning)] if chunk.reasoning else []  # in no field of a server's
    read_delta({"content": chunk.content, "tool_calls": chunk.tool_calls}, memory, deltas)
    return deltas


def read_other(chunk: Fields, memory: Memory) -> list[Delta] | None:
    """The deltas of what has a `Chunk`'s fields, the error of what has an `error`; None for anything else."""
    is_typed = isinstance(chunk.get("type"), str)
    if not is_typed and (isinstance(chunk.get("content"), str) or items(chunk, "tool_calls")):
        deltas: list[Delta] = []
        if text(chunk, "role") in ("", "assistant"):
            read_delta(chunk, memory, deltas)
        return deltas
    return read_error(chunk) or None
