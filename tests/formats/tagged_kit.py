"""What tests of formats share: a text in, segments and invocations out, proved for every cut."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from streamparse import ParserConfig, StreamingResponseHandler
from streamparse.testing import Segment, assert_chunk_invariant, segments


class Reading(NamedTuple):
    """What a text gives."""

    rows: list[Segment]
    calls: list[tuple[str, dict[str, Any]]]
    #: Status, whether it was repaired, and the error, of each call.
    states: list[tuple[str, bool, str | None]]


def read(format: str | list[str], text: str, tools: Iterable[Any] = (), **config: Any) -> Reading:
    """Read `text` whole, by characters, cut in two anywhere, and finalized at every prefix."""
    tools, settings = list(tools), ParserConfig(**config)
    rows = segments(assert_chunk_invariant(text, format, config=settings, tools=tools))
    handler = StreamingResponseHandler(format, tools=tools, config=settings)
    handler.feed(text)
    handler.finalize()
    made = handler.invocations
    return Reading(
        rows,
        [(call.name, call.arguments) for call in made],
        [(call.status, call.repaired, call.error) for call in made],
    )


def tool(name: str, **types: Any) -> dict[str, Any]:
    """A tool whose parameters have these JSON types, or these schemas."""
    properties = {key: kind if isinstance(kind, dict) else {"type": kind} for key, kind in types.items()}
    return {"name": name, "parameters": {"type": "object", "properties": properties}}
