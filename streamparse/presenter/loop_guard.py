"""LoopGuard: a model that goes round in circles writes the same text again and again.

    guard = LoopGuard()                       # one for each reply
    guard.feed(item)                          # None, or "The reply repeats itself."

`Presenter(reply, guard=guard)` ends such a reply. Equal calls are the matter of `repetition.py`.
"""

from __future__ import annotations

from streamparse.events import SegmentContent, SegmentEvent, SegmentType
from streamparse.invocations import Item


class LoopGuard:
    """Watches text and reasoning: the same 50 characters ten times among the last 5,000.

    So it finds a line, or several, of up to 500 characters that come endlessly. `feed` every item of a reply; it
    returns a sentence when the model repeats itself. Rules of dashes and the like, which have no more than two
    different characters, may be longer. What is written into files is not looked at.
    """

    _WINDOW, _TIMES, _TAIL = 50, 10, 5_000

    def __init__(self) -> None:
        self._segment = ""
        self._tail = ""
        self._new: list[str] = []
        self._size = 0

    def feed(self, item: Item | SegmentEvent) -> str | None:
        """The next item of a reply."""
        if not isinstance(item, SegmentContent) or item.segment_type not in (SegmentType.TEXT, SegmentType.REASONING):
            return None
        if item.segment_id != self._segment:
            self._segment, self._tail, self._new, self._size = item.segment_id, "", [], 0
        self._new.append(item.delta)
        self._size += len(item.delta)
        return self._look() if self._size >= self._WINDOW else None

    def _look(self) -> str | None:
        self._tail = "".join((self._tail, *self._new))[-self._TAIL :]
        self._new, self._size = [], 0
        last = self._tail[-self._WINDOW :]
        most = self._TIMES if len(set(last)) > 2 else self._TAIL // self._WINDOW
        if len(last) == self._WINDOW and self._tail.count(last) >= most:
            return "The reply repeats itself."
        return None
