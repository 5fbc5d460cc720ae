"""TextCalls: the calls that the model wrote in its text, and which of them a client is told as calls.

    Hi <tool_call>{"name": "search", …}</tool_call>         a call that the request declares: told while it comes
    Hi <tool_call>{"name": "nobody", …}</tool_call>         one that it does not: given back as text, to the letter
    Hi <tool_call>{"name": "search", "argu                  one that was cut off: told, and never looks complete

In a message that is not streamed (`holds_all`), nothing is told before it is known what it is: there, what was cut off
is given back as text, too, unless a call in the field tells the same.

Where in the stream a call stands is known to the parser (`core/spans.py`), and what was written there to `written.py`.
A call may have ended before all of its text has come, such as its closing tag: it is given back with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from streamparse.config import Tools
from streamparse.events import SegmentContent, SegmentEnd, SegmentStart, SegmentType
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import Item, ToolInvocation, ToolInvocationAdapter
from streamparse.proxy.written import Written

_TEXT = SegmentType.TEXT.value


class TextCalls:
    """Those of one choice, which is read by `handler`.

    `is_declared` says whether a name is one of a tool, `is_second` whether a call has come in the field, too.
    """

    def __init__(
        self,
        handler: StreamingResponseHandler,
        tools: Tools,
        is_declared: Callable[[str], bool],
        is_second: Callable[[ToolInvocation], bool],
    ) -> None:
        self._handler = handler
        self._adapter = ToolInvocationAdapter(tools)
        self._is_declared = is_declared
        self._is_second = is_second
        self._spans = handler.keep_spans()
        self._written = Written()
        self._open: str | None = None  # the call that is being written
        self._is_foreign = False  # whether nobody has declared it
        self._held: list[Item] = []  # all of it, if it is not told yet
        self._closing: ToolInvocation | None = None  # one that has ended, and is given back
        #: Whether nothing is told before it is known what it is.
        self.holds_all = False
        #: How many were given back because they were cut off.
        self.broken = 0

    @property
    def is_idle(self) -> bool:
        """Whether there is no call that is being written, or to be given back."""
        return self._open is None and self._closing is None

    def add(self, text: str) -> None:
        """The next piece of the text, which the handler has read."""
        self._written.add(text)

    def forget(self) -> None:
        """Drop the text that nobody will want: what is told, and what was read of a call that is told."""
        if self._closing is not None or self._held:
            return
        is_read = self._open is not None or self._handler.is_between
        self._written.drop(self._handler.settled if is_read else self._spans.begin)
        self._spans.found.clear()

    def sift(self, item: Item) -> Iterable[Item]:
        """What is told of an item that came of the text."""
        match item:
            case SegmentStart():
                return self._start(item)
            case SegmentContent() | SegmentEnd() if self._held and item.segment_id == self._open:
                self._held += [item] if self.holds_all else []
                return ()
            case ToolInvocation() if item.id == self._open:
                return self._end(item)
        return (item,)

    def give_back(self) -> Iterable[Item]:
        """The call that has ended and is none for the client, as the text it is, once all of it has come."""
        call = self._closing
        if call is None or not self._spans.found[call.id].is_final:
            return ()
        self._closing = None
        text, name = self._written.text(self._spans.found.pop(call.id)), f"{call.id}.text"
        return SegmentStart(name, _TEXT), SegmentContent(name, text, _TEXT), SegmentEnd(name, segment_type=_TEXT)

    def _start(self, start: SegmentStart) -> Iterable[Item]:
        opened = self._adapter.open(start)
        if opened is None:
            return (start,)
        self._open = start.segment_id
        self._is_foreign = not self._is_declared(self._adapter.name_of(opened))
        self._held = [start] if self._is_foreign or self.holds_all else []
        return () if self._held else (start,)

    def _end(self, call: ToolInvocation) -> Iterable[Item]:
        self._open = None
        held, self._held = self._held, []
        if not held or (not self._is_foreign and (call.is_complete or self._is_second(call))):
            return (*held, call)
        self._closing = call
        self.broken += not self._is_foreign
        return ()
