"""Mistral: a chat completion chunk in an envelope.

    CompletionEvent(data=CompletionChunk(choices=[…]))

What is inside reads like OpenAI's, with three habits: `content` may be a list of parts, thinking among them; a call
comes whole, its arguments as text or as an object; and every call has the index 0, so the ids tell them apart.
"""

from __future__ import annotations

from streamparse.providers.fields import Fields, fields


def unwrap(chunk: Fields) -> object | None:
    """The chunk inside `data`, or None."""
    data: object = chunk.get("data")
    return data if isinstance(fields(data).get("choices"), (list, tuple)) else None
