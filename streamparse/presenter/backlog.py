"""Backlog: what a reply has brought while somebody was busy.

    CONTENT "a", CONTENT "b", END     becomes     CONTENT "ab", END

Pieces of one segment that lie behind each other are given as one, so whoever comes back late has little to do.
Nothing is reordered, nothing is lost.
"""

from __future__ import annotations

from collections import deque

from attrs import evolve

from streamparse.events import SegmentContent
from streamparse.invocations import Item

#: So many pieces that nobody has taken are enough.
_FULL = 64


class Backlog:
    """Items in their order; `put` at the end, `take` from the beginning."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        #: The pieces behind the last item, if that is a CONTENT.
        self._more: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._items)

    @property
    def is_full(self) -> bool:
        """Whether whoever reads the reply might wait a little."""
        return len(self._items) + len(self._more) >= _FULL

    def put(self, item: Item) -> None:
        """One more item."""
        last = self._items[-1] if self._items else None
        if isinstance(item, SegmentContent) and isinstance(last, SegmentContent) and last.segment_id == item.segment_id:
            self._more.append(item.delta)
        else:
            self._join()
            self._items.append(item)

    def take(self) -> Item:
        """The first item."""
        if len(self._items) == 1:
            self._join()
        return self._items.popleft()

    def _join(self) -> None:
        if self._more:
            last = self._items[-1]
            assert isinstance(last, SegmentContent)
            self._items[-1] = evolve(last, delta="".join((last.delta, *self._more)))
            self._more = []
