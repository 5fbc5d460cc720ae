"""RunEncoder: what the encoders for user interfaces have in common, which tell more than one reply.

    encoder.encode(item)        items of a reply, what becomes of its calls, items of the next reply, …
    encoder.finish()            the end of all that

A question ends a stream, if the interface wants it: then the encoder `is_waiting`. It goes on with the next item.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from streamparse.encoders.encoder import DeclaredTools, StreamEncoder
from streamparse.encoders.parts import Parts
from streamparse.encoders.plan_data import PlanData
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import Outcome


class RunEncoder(StreamEncoder):
    """Encodes replies, one after the other, and what becomes of their calls. `id` is what all its ids have in common.

    A subclass keeps the `_outcome` of a reply that has ended, until the next begins (`_begin_reply`), and says how all
    of it ends (`_end_run`). What becomes of calls may be told behind the end of their reply, too.
    """

    _grain: ClassVar[int] = 256

    def __init__(self, tools: DeclaredTools, id: str | None, show_errors: bool) -> None:
        super().__init__(tools, id=id, show_errors=show_errors)
        self._tools = tools
        self._count = 0
        self._is_over = False
        self._plans = PlanData()
        self._outcome: Outcome | None = None

    def encode(self, item: AnyItem) -> list[dict[str, Any]]:
        """The chunks that the next item makes."""
        self.is_waiting = self._is_over = False
        if self._outcome is not None and not isinstance(item, ToolLifecycle):
            self._outcome = None
            self._parts = Parts(self._tools, grain=self._grain)
            self._plans = PlanData()
            self._begin_reply()
        return super().encode(item)

    def finish(self, outcome: Outcome | None = None) -> list[dict[str, Any]]:
        """The chunks that end all of it, if it was not ended; "cancelled" is how, unless its last reply or you say."""
        chunks: list[dict[str, Any]] = []
        if self.is_waiting or self._is_over:
            return chunks
        if self._outcome is None:
            chunks = super().finish(outcome)
        assert self._outcome is not None  # it was over, or is now
        self._is_over = True
        self._end_run(outcome or self._outcome, chunks)
        return chunks

    def _new_id(self, prefix: str = "") -> str:
        """An id that nothing else has."""
        self._count += 1
        return f"{prefix}{self._id}{self._count:04x}"

    @abstractmethod
    def _begin_reply(self) -> None:
        """The reply before has ended, and another begins."""

    @abstractmethod
    def _end_run(self, outcome: Outcome, chunks: list[dict[str, Any]]) -> None:
        """Add the chunks that end all of it; `outcome` is that of the last reply."""
