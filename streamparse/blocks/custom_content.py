"""CustomContent: a segment of a type of its own that is no call; the edges of a plan, too.

A state of yours may make segments of any type. With a tool syntax (`register_tool_syntax`) they are calls, `ToolUse`;
without one they are listed as they are, whatever they mean: their `type`, what START said, their content verbatim.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.blocks.content import Content
from streamparse.events import SegmentEnd
from streamparse.invocations.invocation import Status


class CustomContent(Content):
    """A segment that only its author knows."""

    __slots__ = ("metadata", "type")

    def __init__(
        self,
        type: str,
        content: str = "",
        partial: bool = False,
        metadata: Mapping[str, Any] | None = None,
        status: Status | None = None,
    ) -> None:
        super().__init__(content, partial, status, is_visible=True)
        self.type = type
        self.metadata = metadata if metadata is not None else {}

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        data = {"type": str(self.type), "content": self.content, "partial": self.partial}
        return data | {"metadata": dict(self.metadata), "status": self.status}

    def _shown(self) -> tuple[object, ...]:
        return self.type, self.content, self.partial, self.metadata, self.status

    def end(self, event: SegmentEnd) -> None:
        """One that was cut off is never complete: it stays partial, as a call does."""
        super().end(event)
        self.partial = event.status == "truncated"
