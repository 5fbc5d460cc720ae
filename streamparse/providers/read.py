"""Reader: from whatever a provider streams to deltas.

A chunk is shown to one family after the other, each in a module of its own, until one knows it. They go by the fields
that are there, and by the string in `type`, never by classes: SDKs build an event that is new to them as an object of
some other class. No SDK is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from streamparse.chunk import Chunk
from streamparse.providers import (
    anthropic,
    bedrock,
    chunk,
    cohere,
    google,
    google_interactions,
    langchain,
    mistral,
    ollama,
    openai_agents,
    openai_chat,
    openai_responses,
    openai_stream,
    pydantic_ai,
)
from streamparse.providers.about import About
from streamparse.providers.deltas import Delta
from streamparse.providers.fields import Attributes, Fields, fields
from streamparse.providers.memory import Memory

_Family: TypeAlias = Callable[[Fields, Memory], list[Delta] | None]

#: What reads the chunks of each interface, in this order, because some have fields of others. The names are those that
#: a state says it is of.
_FAMILIES: Final[dict[str, _Family]] = {
    "openai-chat": openai_chat.read,
    "openai-responses": openai_responses.read,
    "anthropic": anthropic.read,
    "google": google.read,
    "ollama": ollama.read,
    "bedrock": bedrock.read,
    "cohere": cohere.read,
    "langchain": langchain.read,
    "pydantic-ai": pydantic_ai.read,
    "google-interactions": google_interactions.read,
    "openai-agents": openai_agents.read,
    "openai-stream": openai_stream.read,
}
#: What a `Chunk` is read as, and whatever else has its fields.
_USUAL: Final = "openai-chat"
_ENVELOPES = (mistral.unwrap, bedrock.unwrap, openai_agents.unwrap, openai_stream.unwrap, langchain.unwrap)
#: More envelopes around each other than any framework makes; an object that contains itself ends here.
_MAX_ENVELOPES = 8


class Reader:
    """Reads the chunks of one stream; it remembers which calls are under way. Never raises for what a chunk holds.

    `choice` is the index of the reply that is read, where a provider streams several alternatives.
    """

    def __init__(self, choice: int = 0) -> None:
        self._memory = Memory(choice)
        #: The name of the interface that the last chunk was of: the next is of the same, as a rule.
        self.interface = _USUAL
        self._family = _FAMILIES[_USUAL]

    @property
    def about(self) -> About:
        """What the chunks so far said of the reply as a whole."""
        return self._memory.about

    def read(self, piece: object) -> list[Delta] | None:
        """What `piece` says, which may be nothing; None if nobody knows this kind of object."""
        memory = self._memory
        envelopes = 0
        while envelopes < _MAX_ENVELOPES:
            if piece.__class__ is not dict and isinstance(piece, Chunk):
                self._settle_on(_USUAL)
                return chunk.read(piece, memory)
            known = fields(piece)
            deltas = self._family(known, memory)
            if deltas is not None:
                return deltas
            for interface, family in _FAMILIES.items():
                deltas = family(known, memory)
                if deltas is not None:
                    self._settle_on(interface)
                    return deltas
            if isinstance(piece, tuple) and langchain.is_silent(piece):
                return []
            inner = _unwrap(piece, known)
            if inner is None:
                break
            piece = inner
            envelopes += 1
        # All attributes of an object: the class of a model may make a `content` that is none of its fields.
        deltas = chunk.read_other(fields(piece) if isinstance(piece, Mapping) else Attributes(piece), memory)
        if deltas is not None:
            self._settle_on(_USUAL)
        return deltas

    def _settle_on(self, interface: str) -> None:
        self.interface = interface
        self._family = _FAMILIES[interface]


def _unwrap(piece: object, known: Fields) -> object | None:
    """What is inside `piece`, if it is an envelope."""
    if isinstance(piece, tuple):
        return langchain.unwrap_tuple(piece)
    return next((inner for unwrap in _ENVELOPES if (inner := unwrap(known)) is not None), None)


def read(piece: object) -> list[Delta] | None:
    """What a single chunk says. Calls are told apart within it only: for a stream, keep a `Reader`."""
    return Reader().read(piece)
