"""OpenAI Agents: the events of a Responses stream in an envelope.

    RawResponsesStreamEvent(type="raw_response_event", data=<Responses event>)

The other two kinds of event, of items and of agents, say again what the raw ones said.
"""

from __future__ import annotations

from streamparse.providers.deltas import Delta
from streamparse.providers.fields import Fields, text
from streamparse.providers.memory import Memory


def unwrap(chunk: Fields) -> object | None:
    """The event inside a raw one, or None."""
    inner: object = chunk.get("data") if text(chunk, "type") == "raw_response_event" else None
    return inner


def read(chunk: Fields, _memory: Memory) -> list[Delta] | None:
    """Nothing for an event that repeats; None for anything else."""
    return [] if text(chunk, "type") in ("run_item_stream_event", "agent_updated_stream_event") else None
