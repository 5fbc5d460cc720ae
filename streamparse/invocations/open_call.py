"""OpenCall: a call in flight, its content so far and the last snapshot of its arguments.

    deltas   {"pa  th":  "a.                what came last, one by one
    blocks   {"name": "f", "arguments": …   what came before them; the last of it is not read yet, if someone asks

The content is collected as it comes, and joined in blocks: joining it with every delta would be quadratic, and a list
of all deltas would take ten times the memory of their text.

What came since the last snapshot is read for the next one (`growing`). But the string that has grown is a new one, so
it is copied. If that is done when it has grown by 3 %, all of these copies together are as long as 33 of the whole,
however often someone asks: a constant time per chunk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from streamparse.arguments import ArgumentDecoder, Signature
from streamparse.arguments.growing import Growing
from streamparse.events import SegmentContent, SegmentEvent, SegmentStart
from streamparse.invocations.syntax import ToolSyntax

#: How many deltas are joined at a time.
MOST_DELTAS = 1024
#: Of shorter content, every snapshot is new.
_SHORT = 1024
#: Of longer content, a snapshot may miss so many percent.
_STALE = 3


class Callee(NamedTuple):
    """The tool that is called: its name, what is declared of it, and how its arguments are decoded."""

    name: str
    signature: Signature
    decoder: ArgumentDecoder | None  # of the format, which may have none


class OpenCall:
    """A call that is being streamed: its last deltas, and what came before them."""

    __slots__ = (
        "_counted",
        "_length",
        "_limit",
        "_new",
        "_read",
        "blocks",
        "callee",
        "deltas",
        "growing",
        "is_fenced",
        "segment_id",
        "size",
        "snapshot",
        "start",
        "syntax",
    )

    def __init__(self, start: SegmentStart, syntax: ToolSyntax, limit: int, is_fenced: bool) -> None:
        self.start = start
        self.segment_id = start.segment_id
        self._limit = limit  # of what goes beyond it, nothing is kept
        self.syntax = syntax
        self.is_fenced = is_fenced  # it stands in Markdown code
        self.callee: Callee | None = None  # if someone asks
        self.deltas: list[str] = []
        self.blocks: list[str] = []
        self.size = 0  # of everything that was joined, whether it was kept or not
        self.growing: Growing | None = None  # if someone asks
        self.snapshot: dict[str, Any] | None = None
        self._new = 0  # the first of the blocks that is not read
        self._read = 0  # how long the content was when it was read
        self._counted = self._length = 0  # of the deltas: how many are counted, and how long they are

    def take(self, delta: str, least: int = 0) -> str | None:
        """More of the content: all that came since it was read, if a snapshot is stale (`has_grown`); else None."""
        deltas, blocks, size = self.deltas, self.blocks, self.size + len(delta)
        is_read = not deltas and self._new == len(blocks)
        if is_read and len(delta) >= least and size < _SHORT and size <= self._limit:  # as mostly, if it is short
            blocks.append(delta)
            self.size = self._read = size
            self._new = len(blocks)
            return delta
        deltas.append(delta)
        if len(deltas) == MOST_DELTAS:
            self.join()
        return self.take_new() if self.has_grown(least) else None

    def takes(self, event: SegmentEvent) -> bool:
        """Whether the event is more of the content, which is kept, and nothing else."""
        if event.segment_id != self.segment_id or event.__class__ is not SegmentContent:
            return False
        deltas = self.deltas
        deltas.append(event.delta)
        if len(deltas) == MOST_DELTAS:
            self.join()
        return True

    def join(self) -> None:
        """Join the last deltas."""
        text = "".join(self.deltas)
        self.deltas.clear()
        self._counted = self._length = 0
        if self.size < self._limit:
            self.blocks.append(text[: self._limit - self.size])
        self.size += len(text)

    def read_content(self) -> str:
        """All of the content, up to the limit."""
        self.join()
        return "".join(self.blocks)

    def take_new(self) -> str:
        """What came since this was asked last, up to the limit."""
        self.join()
        self._read = self.size
        blocks, new = self.blocks, self._new
        text = blocks[new] if len(blocks) == new + 1 else "".join(blocks[new:])  # mostly one
        if len(blocks) > MOST_DELTAS:
            self.blocks = blocks = ["".join(blocks)]
        self._new = len(blocks)
        return text

    def has_grown(self, least: int = 0) -> bool:
        """Whether so much has come since the content was read, `least` characters or more, that a snapshot is stale."""
        deltas, count = self.deltas, len(self.deltas)
        if self._counted + 1 == count:  # as mostly
            self._length += len(deltas[-1])
        elif self._counted < count:
            self._length += sum(map(len, deltas[self._counted :]))  # each of them once: this is asked again and again
        self._counted = count
        size = self.size + self._length
        missed = size - self._read
        return missed > 0 and missed >= least and (size < _SHORT or missed * 100 > size * _STALE)
