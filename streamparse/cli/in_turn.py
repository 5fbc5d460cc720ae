"""InTurn: segments one after the other, for views that show one at a time.

Parallel calls of a provider's API interleave:      START 1, START 2, delta 2, delta 1, END 2, delta 1, END 1
A sequential view is told:                          START 1, delta 1, delta 1, END 1, START 2, delta 2, END 2

The segment that began first is shown as it comes; what comes of others is kept until it is their turn. An invocation
stays right behind the END of its segment. O(1) per item; where nothing interleaves, nothing is kept.
"""

from __future__ import annotations

from collections import OrderedDict

from streamparse.cli.view import View
from streamparse.events import SegmentEnd, SegmentEvent, SegmentStart
from streamparse.invocations import ToolInvocation


class InTurn:
    """A view that takes items in any order of segments, and shows them in `view` segment by segment."""

    is_sequential = False

    def __init__(self, view: View) -> None:
        self._view = view
        # By id, in the order of their STARTs. Not a dict: to find the first key of one that lost many is a search.
        self._kept: OrderedDict[str, list[SegmentEvent | ToolInvocation]] = OrderedDict()
        self._current = ""  # whose turn it is
        self._is_over = True  # it has ended, and only its invocation may still come

    def __enter__(self) -> InTurn:
        self._view.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._advance()
        finally:
            self._view.__exit__(*exception)

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        """Show the item, or keep it until it is its turn."""
        name = item.id if isinstance(item, ToolInvocation) else item.segment_id
        if isinstance(item, SegmentStart):
            self._kept[name] = []
        if self._is_over and name != self._current:
            self._advance()
        if name == self._current:
            self._pass_on(item)
        else:
            self._kept[name].append(item)

    def flush(self) -> None:
        """Nothing more for the moment, so no invocation of what has ended: the next one's turn, and it is seen."""
        self._advance()
        self._view.flush()

    def say(self, line: str) -> None:
        """A remark has no turn."""
        self._view.say(line)

    def _advance(self) -> None:
        while self._is_over and self._kept:
            self._current, items = self._kept.popitem(last=False)
            self._is_over = False
            for item in items:
                self._pass_on(item)

    def _pass_on(self, item: SegmentEvent | ToolInvocation) -> None:
        self._view.show(item)
        if isinstance(item, SegmentEnd):
            self._is_over = True
