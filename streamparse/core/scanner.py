"""StreamScanner: the text that has arrived and is not settled yet.

    buf   the text that is not read, and what was read of it in this feed
    pos   the cursor: what is left of it is read, what is right of it is not
    base  the offset of `buf[0]` in the stream
    mark  where in `buf` held text begins; -1 if nothing is held
    shown the offset up to which content was shown, where that runs ahead of what is read
    limit the offset up to which a state that has set it may look; with more input than that, its `on_limit` is called

A state reads `buf` from `pos` on and moves `pos`; it may bind both to locals. Between two feeds the parser drops what
is read, so `buf` is empty unless something is held back.

Reading is transactional where it has to be: `hold()` marks the cursor, the state reads on, and later either
`release()`s (what is read is settled) or rolls back with `rollback()` (it is unread again). Held text that is read is
moved out of `buf` between feeds (`pieces.py`), so a tag of 60 KB in 4-character chunks is copied twice, not once per
chunk: O(n) in all.

A limit acts at its exact offset whatever the chunking, because a state that has set one reads the buffer only up to
`end`.
"""

from __future__ import annotations

from re import Match, Pattern
from typing import Protocol, TypeAlias

from streamparse.core.markers import BLANK_CHARACTERS, skip_blanks
from streamparse.core.pieces import Pieces
from streamparse.errors import StateContractError

#: The offset before which a pattern is known not to match, or a text not to occur.
Searched: TypeAlias = dict[Pattern[str] | str, int]
#: Further than any stream.
NO_LIMIT = 1 << 62


class Awaited(Protocol):
    """What may be cut at the end of the buffer: markers, or a value that they end."""

    def ignores_blanks(self, buf: str, start: int) -> bool:
        """Whether what stands there may become a marker however many blanks come next."""


class StreamScanner:
    """A buffer with a cursor, one mark to roll back to and one limit."""

    __slots__ = (
        "_blank_size",
        "_held_from",
        "_moved",
        "_outer_limit",
        "_skipped",
        "base",
        "blank_run",
        "buf",
        "is_finished",
        "limit",
        "mark",
        "pos",
        "shown",
    )

    def __init__(self, text: str = "") -> None:
        self.buf = text
        self.pos = 0
        self.base = 0
        self.mark = -1  # where in buf held text begins, -1 if none is; what is held further left lies in _moved
        self._held_from = 0  # the mark as an offset in the stream
        self.shown = 0  # the offset up to which content was shown, where that is further than the cursor
        self._moved: Pieces | None = None
        self._skipped = 0  # how much of _moved lies before the mark
        self._outer_limit = NO_LIMIT  # before the hold
        self.limit = NO_LIMIT
        self._blank_size = 0
        self.blank_run: Pieces | None = None  # chunks set aside: see wait_past_blanks
        self.is_finished = False  # nothing will follow what is there

    # -- for states ------------------------------------------------------------------------------------------------

    @property
    def offset(self) -> int:
        """Where the cursor is in the stream."""
        return self.base + self.pos

    @property
    def settled(self) -> int:
        """Up to where the stream is settled: read, and not to be unread any more."""
        return self.base + self.pos if self.mark < 0 else self._held_from

    @property
    def end(self) -> int:
        """Up to where in `buf` a state with a limit may look."""
        size, end = len(self.buf), self.limit - self.base
        return size if size < end else end  # without `min`: this is asked several times per chunk

    def take(self, end: int) -> str:
        """Read up to index `end` of the buffer and return that text."""
        text = self.buf[self.pos : end]
        self.pos = end
        return text

    def peek_past_blanks(self) -> str:
        """Read blanks; the character behind them, or nothing if it is not there yet."""
        pos = self.pos
        mark = self.buf[pos : pos + 1]
        if not mark or self.base + pos >= self.limit:
            return ""
        if mark not in BLANK_CHARACTERS:
            return mark  # as mostly: then no pattern is needed
        end = self.end
        self.pos = pos = skip_blanks(self.buf, pos, end)
        return self.buf[pos] if pos < end else ""

    def skip_break(self) -> bool:
        """Read one line break, LF or CRLF, if that is what comes next; False if it cannot be told yet."""
        buf, pos, end = self.buf, self.pos, self.end
        if pos == end or (pos + 1 == end and buf[pos] == "\r"):
            return False
        if buf[pos] == "\n":
            self.pos += 1
        elif buf.startswith("\r\n", pos):
            self.pos += 2
        return True

    def wait_past_blanks(self) -> None:
        """Say that blanks alone will not decide what the unread rest is: do not run the state for them.

        A marker may allow any number of blanks (`</tool   >`); looking again at megabytes of them for every chunk that
        adds four would be quadratic.
        """
        if self.buf and self.buf[-1] in BLANK_CHARACTERS:
            self.blank_run = Pieces()
            self._blank_size = 0

    def wait_for(self, awaited: Awaited, start: int | None = None) -> None:
        """What is unread from index `start` on (default: the cursor) may become a marker: wait past blanks, if so."""
        if not self.buf or self.buf[-1] not in BLANK_CHARACTERS:
            return  # as mostly
        if awaited.ignores_blanks(self.buf, self.pos if start is None else start):
            self.wait_past_blanks()

    # -- transactions ----------------------------------------------------------------------------------------------

    def hold(self, at: int | None = None, limit: int = NO_LIMIT) -> None:
        """Mark index `at` of the buffer (default: the cursor): what is read from here on can be unread.

        With a `limit`, that is the limit until the text is released or unread; then the old one is back.
        """
        if self.mark >= 0:
            raise StateContractError("hold() while text is held: release() or rollback() first")
        self.mark = self.pos if at is None else at
        self._held_from = self.base + self.mark
        self._outer_limit = self.limit
        self.limit = min(limit, self.limit)

    def held(self) -> str:
        """The text from the mark to the cursor."""
        if self._moved is None:
            return self.buf[self.mark : self.pos]
        return (self._moved.text() + self.buf[: self.pos])[self._skipped :]

    @property
    def has_moved(self) -> bool:
        """Whether what is held is not all in the buffer any more."""
        return self._moved is not None

    def search_held(self, pattern: Pattern[str], end: int, searched: Searched) -> Match[str] | None:
        """Search what is held, from the cursor up to index `end`, for a marker that may be cut there.

        How far there is none stands in `searched`, which all blocks of a stream share: so what is held, unread and held
        again is searched once, and a thousand such blocks in a row cost as much as one.
        """
        start = min(end, max(self.pos, searched.get(pattern, 0) - self.base))
        match = pattern.search(self.buf, start, end)
        if match is None or match.lastindex is None:
            searched[pattern] = self.base + (match.start() if match else end)
        return match

    def release(self) -> None:
        """Settle what was read since the mark."""
        self.mark = -1
        self._moved = None
        self.limit = self._outer_limit

    def rollback(self) -> None:
        """Unread everything back to the mark, and drop the mark."""
        if self._moved is not None:
            self._moved.add(self.buf)
            self.buf = self._moved.text()
            self.base = self._held_from - self._skipped
            self.mark = self._skipped
        self.pos = self.mark
        self.release()

    # -- for the parser --------------------------------------------------------------------------------------------

    def skip_blanks(self, chunk: str) -> str:
        """Set aside a chunk of blanks; any other is to be appended, all blanks before it. So is one at the limit."""
        assert self.blank_run is not None
        self.blank_run.add(chunk)
        self._blank_size += len(chunk)
        if not chunk.strip(BLANK_CHARACTERS) and self.base + len(self.buf) + self._blank_size <= self.limit:
            return ""
        text = self.blank_run.text()
        self.blank_run = None
        return text

    def finish(self) -> None:
        """Take in what was set aside: nothing else will come."""
        self.is_finished = True
        if self.blank_run is not None:
            self.buf += self.blank_run.text()
            self.blank_run = None

    def compact(self) -> None:
        """Drop what is read; what is held is moved to where it costs nothing per chunk."""
        pos = self.pos
        if self.mark >= 0:
            if self._moved is None:
                # A hold near the front keeps what lies before it, too: the buffer is moved as it is, not copied.
                self._skipped = self.mark if self.mark < pos // 2 else 0
                self._moved = Pieces(self.buf[self.mark - self._skipped : pos])
            else:
                self._moved.add(self.buf[:pos])
            self.mark = 0
        self.buf = self.buf[pos:]
        self.base += pos
        self.pos = 0
