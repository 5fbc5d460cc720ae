"""JsonlEncoder and SseEncoder: our own wire form, one item a line, or one item an event of a server.

{"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": "Hi."}}
data: {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": "Hi."}}

docs/wire.md has the form of each item; `EventReader` reads it. What an exception said that ended the reply is not told,
unless you want it (`show_errors`).
"""

from __future__ import annotations

from attrs import evolve

from streamparse.encoders.strict_json import strict_json
from streamparse.invocations import AnyItem
from streamparse.outcome import Outcome, StreamEnd


class JsonlEncoder:
    """Each item as a line of JSON."""

    #: A question ends no stream of ours: the answer comes by another request while this one goes on.
    is_waiting: bool = False

    def __init__(self, *, show_errors: bool = False) -> None:
        self._show_errors = show_errors
        self._is_over = False

    def encode(self, item: AnyItem) -> list[str]:
        """The line of the next item."""
        if isinstance(item, StreamEnd):
            self._is_over = True
            item = item if self._show_errors else StreamEnd(evolve(item.outcome, error=item.outcome.public_error))
        return [self._framed(strict_json(item.to_dict()))]

    def finish(self, outcome: Outcome | None = None) -> list[str]:
        """The line that ends the stream, if it was not ended."""
        return [] if self._is_over else self.encode(StreamEnd(outcome or Outcome("cancelled")))

    def _framed(self, text: str) -> str:
        return f"{text}\n"


class SseEncoder(JsonlEncoder):
    """Each item as an event of a stream that a browser reads with `EventSource` or `fetch`."""

    def _framed(self, text: str) -> str:
        return f"data: {text}\n\n"
