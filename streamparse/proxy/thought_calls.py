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

_PROSE = (SegmentType.TEXT, SegmentType.REASONING)


class ThoughtCalls:
    """Those of one choice. It is fed with its reasoning, which is read as text is."""

    def __init__(self, formats: tuple[str, ...], config: ParserConfig, tools: Tools) -> None:
        self._handler = StreamingResponseHandler(formats, config=evolve(config, reasoning="closed"), tools=tools)
        self._calls: list[ToolInvocation] = []

    def feed(self, reasoning: str) -> None:
        """More of the reasoning."""
        events = self._handler.feed(reasoning)
        if self._calls or len(events) != 1 or events[0].__class__ is not SegmentContent:  # as it mostly is
            self._take(events)

    def finish(self, is_declared: Callable[[str], bool]) -> list[ToolInvocation]:
        """The reasoning has ended: its calls."""
        self._take(self._handler.finalize())
        is_certain = all(call.is_complete and is_declared(call.name) for call in self._calls)
        return [evolve(call, id=f"thought_{call.id}") for call in self._calls] if is_certain else []

    def _take(self, events: list[AnyEvent]) -> None:
        for item in woven(events, self._handler, invocations=True):
            if isinstance(item, ToolInvocation):
                self._calls.append(item)
            elif isinstance(item, SegmentContent) and item.segment_type in _PROSE and item.delta.strip():
                self._calls.clear()
        self._handler.invocations.clear()
