"""ToolUse: a call, from its first character on.

    <write_file path="a.py">pri             params {"path": "a.py", "content": "pri"}, partial, status None
    …nt(1)</write_file>                     params {"path": "a.py", "content": "print(1)"}, not partial, complete
    …, and the reply ends before that       params as they were, partial, truncated

Everything is decoded when it is read, and not again until more has come: to feed a call costs the same however long it
is, to read it takes as long as it is. Strings grow, without any piece of the tag that will close them; all else is
there when it is complete. At its end a call has the arguments of its invocation. What was shown of a call that is cut
off stays, for someone to look at: only its complete arguments are in `invocation.arguments`.
"""

from __future__ import annotations

from typing import Any

from streamparse.blocks.block import Block
from streamparse.events import SegmentEnd, SegmentStart
from streamparse.invocations import ToolInvocation, ToolInvocationAdapter
from streamparse.invocations.invocation import Status
from streamparse.invocations.open_call import OpenCall


class ToolUse(Block):
    """What the model wants to be done; only one whose `status` is complete may be run without a second thought.

    `id` is the segment's, `call_id` the provider's or the model's own, with which a result is answered.
    """

    __slots__ = (
        "_end",
        "_error",
        "_invocation",
        "_params",
        "_read",
        "_repaired",
        "_source",
        "_status",
        "call_id",
        "id",
        "name",
    )

    type = "tool_use"

    def __init__(
        self,
        id: str,
        name: str,
        params: dict[str, Any] | None = None,
        partial: bool = False,
        status: Status | None = None,
        repaired: bool = False,
        *,
        call_id: str | None = None,
        error: str | None = None,
    ) -> None:
        super().__init__(partial, is_visible=True)
        self.id = id
        self.name = name
        self.call_id = call_id
        self._status = status
        self._repaired = repaired
        self._error = error
        self._params = params if params is not None else {}
        self._invocation: ToolInvocation | None = None
        #: What it is decoded of, until that is done for good.
        self._source: tuple[ToolInvocationAdapter, OpenCall] | None = None
        self._end: SegmentEnd | None = None
        self._read = -1  # how long the content was when params were read

    @classmethod
    def open(cls, start: SegmentStart, call: OpenCall, adapter: ToolInvocationAdapter) -> ToolUse:
        """A call that has just begun."""
        call_id = start.metadata.get("call_id")
        own = call_id if isinstance(call_id, str) else None
        block = cls(start.segment_id, adapter.name_of(call), partial=True, call_id=own)
        block._source, block.deltas = (adapter, call), call.deltas
        return block

    @property
    def params(self) -> dict[str, Any]:
        """The arguments so far. The dict is to be read, not changed: it is given again until more has come."""
        self._settle()
        if self._source is not None:
            adapter, call = self._source
            if call.deltas or call.size != self._read:
                self._params = adapter.build_partial(call)
                self._read = call.size
        return self._params

    @property
    def status(self) -> Status | None:  # type: ignore[override]  # what is decoded later cannot be set
        """None until the end."""
        self._settle()
        return self._status

    @property
    def repaired(self) -> bool:
        """Whether something was missing whose place was certain."""
        self._settle()
        return self._repaired

    @property
    def error(self) -> str | None:
        """What is wrong with a call that has ended and is not complete."""
        self._settle()
        return self._error

    @property
    def invocation(self) -> ToolInvocation | None:
        """The call as a program acts on it, when it has ended."""
        self._settle()
        return self._invocation

    def to_dict(self) -> dict[str, Any]:
        """`call_id` and `error` are in it only where there is one."""
        data: dict[str, Any] = {"type": self.type, "id": self.id, "name": self.name, "params": self.params}
        data |= {"partial": self.partial, "status": self.status, "repaired": self.repaired}
        return data | {name: value for name in ("call_id", "error") if (value := getattr(self, name)) is not None}

    def _shown(self) -> tuple[object, ...]:
        return self.id, self.name, self.params, self.partial, self.status, self.repaired

    def join(self) -> None:
        """The call keeps its content."""
        assert self._source is not None  # it is open
        _, call = self._source
        call.join()

    def end(self, event: SegmentEnd) -> None:
        """Whether it was cut off is known; all else when someone asks."""
        self._end = event
        self.partial = event.status == "truncated"

    def _settle(self) -> None:
        """Decode a call that has ended, once."""
        end = self._end
        if end is None:
            return
        assert self._source is not None  # no end without a beginning
        self._end = None
        adapter, call = self._source
        shown = adapter.build_partial(call, is_cut=True) if end.status == "truncated" else {}
        made = adapter.build(call, end)
        self._source = None
        self._params = {**shown, **made.arguments}
        self._invocation, self._status, self._repaired, self._error = made, made.status, made.repaired, made.error
