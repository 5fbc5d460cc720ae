"""Content: a block with a text that grows by small pieces, and is read as a whole now and then.

Pieces are joined when there are a thousand of them: a list of all would take ten times the memory of their text, and
joining with every piece would be quadratic. To add one is O(1), to read is O(length).
"""

from __future__ import annotations

from typing import cast

from streamparse.blocks.block import Block
from streamparse.events import SegmentEnd
from streamparse.invocations.invocation import Status


class Content(Block):
    """A block whose content is a text."""

    __slots__ = ("_content", "_joined", "status")

    def __init__(self, content: str, partial: bool, status: Status | None, *, is_visible: bool) -> None:
        super().__init__(partial, is_visible=is_visible)
        self.status = status
        self._joined = [content]
        self._content: str | None = None  # as it was read, until more comes

    @property
    def content(self) -> str:
        """The text so far; to read it anew, when more has come, takes as long as it is."""
        if self._content is None or self.deltas:
            self.join()
            text = "".join(self._joined)
            self._joined = [text]
            self._content = self._show(text)
        return self._content

    def _show(self, text: str) -> str:
        """What is shown of the text."""
        return text

    def join(self) -> None:
        """The last pieces become one."""
        self._joined.append("".join(self.deltas))
        self.deltas.clear()
        self._content = None

    def end(self, event: SegmentEnd) -> None:
        """Whatever comes now is another block."""
        self.partial = False
        self.status = cast(Status, event.status or "complete")
