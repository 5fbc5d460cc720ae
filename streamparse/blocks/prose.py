"""TextContent and ReasoningContent: what a model says, and what it thinks.

    "\\n\\nI look it up.\\n"                  TextContent("I look it up.")
    "<think>\\nhm\\n</think>"                 ReasoningContent("hm")
    "<think>\\n\\n</think>"                   no block

Blanks at both ends are left out, and a block without anything else is not listed. It is `partial` as long as its
segment is open: until something else begins, or the reply ends. Prose that was cut off is not partial any more; its
`status` says `truncated`, as of reasoning that was not closed. A text that turns out to have been reasoning, because a
closer came that nothing had opened, becomes a ReasoningContent where it stands.
"""

from __future__ import annotations

from typing import Any

from streamparse.blocks.content import Content
from streamparse.events import SegmentEnd
from streamparse.invocations.invocation import Status


class Prose(Content):
    """A block of text."""

    __slots__ = ()

    def __init__(self, content: str = "", partial: bool = False, status: Status | None = None) -> None:
        super().__init__(content, partial, status, is_visible=False)  # the builder says when it is

    def end(self, event: SegmentEnd) -> None:
        """Whatever comes now is another block; and this may have been reasoning."""
        super().end(event)
        if event.reasoning:
            self.__class__ = ReasoningContent  # in place, as all changes are: whoever holds it sees it

    def _show(self, text: str) -> str:
        return text.strip()

    def to_dict(self) -> dict[str, Any]:
        """`status` is in it only if it is not what one expects."""
        data: dict[str, Any] = {"type": self.type, "content": self.content, "partial": self.partial}
        if self.status not in (None, "complete"):
            data["status"] = self.status
        return data

    def _shown(self) -> tuple[object, ...]:
        return self.content, self.partial


class TextContent(Prose):
    """What the model says."""

    __slots__ = ()

    type = "text"


class ReasoningContent(Prose):
    """What the model thinks; the tags around it are gone."""

    __slots__ = ()

    type = "reasoning"
