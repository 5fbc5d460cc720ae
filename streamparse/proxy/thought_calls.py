"""ThoughtCalls: the calls with which the reasoning of a reply ends.

    reasoning  "I need the weather. <tool_call>{…}</tool_call>\\n"        and nothing else: the call
    reasoning  "I could write <tool_call>{…}</tool_call>, but …"          none

Models forget to close their reasoning before they call, and then a server leaves the call there. Others only think of
calls, or quote them. So a call in the reasoning is one if nothing but more of them follows, and the reply has neither
text nor calls besides: then it would say nothing at all, and whoever waits for it would wait in vain. All of them must
be complete, and of tools that the request declares.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from streamparse.config import ParserConfig, Tools
from streamparse.events import AnyEvent, SegmentContent, SegmentType
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import ToolInvocation
from streamparse.iterate import woven

_LARGE = 2048  # characters
_PROSE = (SegmentType.TEXT, SegmentType.REASONING)


class ThoughtCalls:
    """Those of one choice. It is fed with its reasoning, which is read as text is."""

    def __init__(self, formats: tuple[str, ...], config: ParserConfig, tools: Tools) -> None:
        self._handler = StreamingResponseHandler(formats, config=evolve(config, reasoning="closed"), tools=tools)
        self._calls: list[ToolInvocation] = []
        self._unread: list[str] = []
        self._size = 0

    def feed(self, reasoning: str) -> None:
        """More of the reasoning. It is read in large pieces: nobody waits for what is in it."""
        self._unread.append(reasoning)
        self._size += len(reasoning)
        if self._size > _LARGE:
            self._read()

    def finish(self, is_declared: Callable[[str], bool]) -> list[ToolInvocation]:
        """The reasoning has ended: its calls."""
        self._read()
        self._take(self._handler.finalize())
        is_certain = all(call.is_complete and is_declared(call.name) for call in self._calls)
        return [evolve(call, id=f"thought_{call.id}") for call in self._calls] if is_certain else []

    def _read(self) -> None:
        self._take(self._handler.feed("".join(self._unread)))
        self._unread.clear()
        self._size = 0

    def _take(self, events: list[AnyEvent]) -> None:
        for item in woven(events, self._handler, invocations=True):
            if isinstance(item, ToolInvocation):
                self._calls.append(item)
            elif isinstance(item, SegmentContent) and item.segment_type in _PROSE and item.delta.strip():
                self._calls.clear()
        self._handler.invocations.clear()
