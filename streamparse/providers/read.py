"""Reader: from whatever a provider streams to deltas.

A chunk is shown to one family after the other, each in a module of its own, until one knows it. They go by the fields
that are there, and by the string in `type`, never by classes: SDKs build an event that is new to them as an object of
some other class. No SDK is imported.
"""

from __future__ import annotations

import codecs

from streamparse.providers import (
    anthropic,
    bedrock,
    chunk,
    google,
    google_interactions,
    langchain,
    mistral,
    ollama,
    openai_agents,
    openai_chat,
    openai_responses,
    pydantic_ai,
)
from streamparse.providers.deltas import Delta, TextDelta
from streamparse.providers.keys import CallKeys

#: In this order, because some have fields of others: the last takes anything with a `content`.
_FAMILIES = (
    openai_chat.read,
    openai_responses.read,
    anthropic.read,
    google.read,
    ollama.read,
    bedrock.read,
    langchain.read,
    pydantic_ai.read,
    google_interactions.read,
    openai_agents.read,
)
_ENVELOPES = (mistral.unwrap, openai_agents.unwrap, langchain.unwrap)
#: More envelopes around each other than any framework makes; an object that contains itself ends here.
_MAX_ENVELOPES = 8


class Reader:
    """Reads the chunks of one stream; it remembers which calls are under way. Never raises for what a chunk holds."""

    def __init__(self) -> None:
        self._keys = CallKeys()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def read(self, piece: object) -> list[Delta] | None:
        """What `piece` says, which may be nothing; None if nobody knows this kind of object."""
        if isinstance(piece, str):
            return [TextDelta(piece)] if piece else []
        if isinstance(piece, (bytes, bytearray, memoryview)):
            return self._text(self._decoder.decode(piece))
        for _ in range(_MAX_ENVELOPES):
            for family in _FAMILIES:
                deltas = family(piece, self._keys)
                if deltas is not None:
                    return deltas
            inner = next((inner for unwrap in _ENVELOPES if (inner := unwrap(piece)) is not None), None)
            if inner is None:
                break
            piece = inner
        return chunk.read(piece, self._keys)

    def close(self) -> list[Delta]:
        """No more chunks: what is left of a character that was cut."""
        return self._text(self._decoder.decode(b"", final=True))

    @staticmethod
    def _text(piece: str) -> list[Delta]:
        return [TextDelta(piece)] if piece else []


def read(piece: object) -> list[Delta] | None:
    """What a single chunk says. Calls are told apart within it only: for a stream, keep a `Reader`."""
    return Reader().read(piece)
