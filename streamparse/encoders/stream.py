"""A whole reply through an encoder: its chunks, or the text of a stream of server-sent events.

    for chunk in chunks(reply, OpenAIEncoder(model="m", tools=TOOLS)): …
    StreamingResponse(aframes(reply, AnthropicEncoder(model="m", tools=TOOLS)), media_type="text/event-stream")

If the reply fails, the client is told so, as its interface has it, and then the exception is raised as well. What the
exception says is told to encoders with `show_errors` alone. All that holds before the first chunk, too: web frameworks
send the status 200 before they ask for it, so an exception alone would be a connection that breaks off.

Where an interface ends its stream with a question, nothing more is taken: keep the iterator (`aiter(presenter)`), and
give it again, with the same encoder, when the question is answered.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Protocol, TypeVar

from streamparse.encoders.encoder import StreamEncoder
from streamparse.invocations import AnyItem
from streamparse.outcome import Outcome

Chunk = TypeVar("Chunk")


class AnyEncoder(Protocol[Chunk]):
    """What makes chunks of items."""

    @property
    def is_waiting(self) -> bool:
        """Whether the stream has ended with a question."""

    def encode(self, item: AnyItem) -> list[Chunk]:
        """The chunks of an item."""

    def finish(self, outcome: Outcome | None = None) -> list[Chunk]:
        """The chunks that end the stream, if it was not ended."""


def chunks(items: Iterable[AnyItem], encoder: AnyEncoder[Chunk]) -> Iterator[Chunk]:
    """All chunks of a reply."""
    try:
        for item in items:
            made = encoder.encode(item)
            is_last = encoder.is_waiting  # asked now: who reads the last chunk may answer, and the encoder goes on
            yield from made
            if is_last:
                return
    except Exception as error:
        yield from encoder.finish(Outcome.broken(error))
        raise
    yield from encoder.finish()


async def achunks(items: AsyncIterable[AnyItem], encoder: AnyEncoder[Chunk]) -> AsyncIterator[Chunk]:
    """As `chunks`, of a reply that is iterated over with `async for`."""
    try:
        async for item in items:
            made = encoder.encode(item)
            is_last = encoder.is_waiting  # asked now: who reads the last chunk may answer, and the encoder goes on
            for chunk in made:
                yield chunk
            if is_last:
                return
    except Exception as error:
        for chunk in encoder.finish(Outcome.broken(error)):
            yield chunk
        raise
    for chunk in encoder.finish():
        yield chunk


def frames(items: Iterable[AnyItem], encoder: StreamEncoder) -> Iterator[str]:
    """All of a reply as the text of server-sent events. If it fails, they say so, and then the exception is raised."""
    for chunk in chunks(items, encoder):
        yield encoder.frame(chunk)
    if encoder.last_frame:
        yield encoder.last_frame


async def aframes(items: AsyncIterable[AnyItem], encoder: StreamEncoder) -> AsyncIterator[str]:
    """As `frames`, of a reply that is iterated over with `async for`."""
    async for chunk in achunks(items, encoder):
        yield encoder.frame(chunk)
    if encoder.last_frame:
        yield encoder.last_frame
