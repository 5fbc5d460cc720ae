"""StreamEncoder and Encoder: what all encoders have in common, and those of providers' interfaces besides.

    encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
    encoder.encode(item)            the chunks that an item of a reply makes
    encoder.finish()                those that end the stream, if the reply was left before its end
    encoder.frame(chunk)            'data: {"id": …}\\n\\n'
    encoder.fold(reply)             the response that a request without `stream` gets

A subclass says which chunks each part makes (`_write`). Those of providers' interfaces are for one reply, and also say
what the response looks like that is not streamed (`_response`).
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeAlias

from streamparse.config import Tools, ToolSpec
from streamparse.encoders.call_ids import CallIds
from streamparse.encoders.item_arguments import ArgumentStream
from streamparse.encoders.part import Part
from streamparse.encoders.parts import Parts
from streamparse.encoders.strict_json import strict_json
from streamparse.encoders.whole import Whole
from streamparse.invocations import AnyItem
from streamparse.outcome import Outcome

#: What all encoders take for the tools that were declared to the model.
DeclaredTools: TypeAlias = Tools | Iterable[ToolSpec | Mapping[str, Any]] | None

_FAILED = "the provider reported an error"


class StreamEncoder(ABC):
    """Encodes what a client reads while it comes.

    With `show_errors`, all encoders tell the client what an exception said that ended the reply. By default they say
    only that it broke off: paths, addresses and the like of the program are not for everyone.
    """

    #: What the ids of calls begin with that have none of their own.
    _call_prefix: ClassVar[str] = "call_"
    #: By how many characters arguments must have grown to be told again: see `Parts`.
    _grain: ClassVar[int] = 0
    #: Whether the name of a server-sent event is the type of the chunk; some clients want none.
    _names_events: ClassVar[bool] = False
    #: Whether the stream has ended with a question: what comes when it is answered belongs to the next stream.
    is_waiting: bool = False

    def __init__(
        self,
        tools: DeclaredTools,
        forms: Mapping[str, Callable[[], ArgumentStream]] | None = None,
        id: str | None = None,
        show_errors: bool = False,
    ) -> None:
        self._parts = Parts(tools, grain=self._grain, forms=forms)
        self._show_errors = show_errors
        self._id = id or uuid.uuid4().hex[:20]
        self._ids = CallIds(self._call_prefix, self._id)

    def encode(self, item: AnyItem) -> list[dict[str, Any]]:
        """The chunks that the next item of the reply makes."""
        chunks: list[dict[str, Any]] = []
        for part in self._parts.feed(item):
            self._write(part, chunks)
        return chunks

    def finish(self, outcome: Outcome | None = None) -> list[dict[str, Any]]:
        """The chunks that end the stream, if it was not ended; "cancelled" is how it ended, unless you say."""
        chunks: list[dict[str, Any]] = []
        for part in self._parts.finish(outcome):
            self._write(part, chunks)
        return chunks

    def frame(self, chunk: Mapping[str, Any]) -> str:
        """A chunk as a server-sent event."""
        name = f"event: {chunk['type']}\n" if self._names_events else ""
        return f"{name}data: {strict_json(chunk)}\n\n"

    @property
    def last_frame(self) -> str:
        """The text behind the last event of a stream; most interfaces have none."""
        return ""

    def _error(self, outcome: Outcome) -> str:
        """What the client is told of an error: what the provider said; what an exception said only if it may see it."""
        return (outcome.error if self._show_errors else outcome.public_error) or _FAILED

    @abstractmethod
    def _write(self, part: Part, chunks: list[dict[str, Any]]) -> None:
        """Add the chunks of a part."""


class Encoder(StreamEncoder):
    """Encodes one reply, in a stream or whole."""

    def fold(self, items: Iterable[AnyItem]) -> dict[str, Any]:
        """The response that a request without `stream` gets: all items in one. Nothing else is asked of it then.

        A call that is not complete is left out: what the model wrote of it stands in the text. If the provider
        reported an error, the response is that error.
        """
        whole = Whole()
        for item in items:
            whole.add(self._parts.feed(item))
        whole.add(self._parts.finish())
        return self._response(whole)

    @abstractmethod
    def _response(self, whole: Whole) -> dict[str, Any]:
        """The response of a whole reply."""
