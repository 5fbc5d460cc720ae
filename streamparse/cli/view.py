"""What a view is: something that shows a stream of events and invocations, piece by piece."""

from __future__ import annotations

from typing import Protocol

from streamparse.events import SegmentEvent
from streamparse.invocations import ToolInvocation


class View(Protocol):
    """A context manager: inside, the items of one stream are shown in their order."""

    #: Whether a segment must have ended before the next one comes; calls of an API may interleave (see `in_turn.py`).
    is_sequential: bool

    def __enter__(self) -> object:
        """Prepare the output."""

    def __exit__(self, *_: object) -> None:
        """Leave the output as it was found."""

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        """Take the next item; an invocation comes right behind the END of its segment."""

    def flush(self) -> None:
        """The input has nothing more for the moment: everything so far must be seen."""

    def say(self, line: str) -> None:
        """Show a remark of the program itself; not inside."""
