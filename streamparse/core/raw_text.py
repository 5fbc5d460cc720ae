r"""RawText: what the model wrote of a call whose content is decoded from that.

    {"path": "a.py", "content": "print(1)\n"}       as it is written, which is `raw` of the invocation
                                 print(1)⏎          as it is shown: the content of its segment

Most of a file is written as it is shown, and whole chunks of it are shown without a state that could keep them. So what
is kept is the rest, and how much of the content stands before each piece of it; the content itself is known to who
collects it, and what was written is made of both in the end (`text`).
"""

from __future__ import annotations

from itertools import chain

from streamparse.core.pieces import Pieces
from streamparse.core.scanner import StreamScanner


class RawText:
    """Keeps what is written otherwise than it is shown, up to `limit` characters in all.

    `shown` counts the content that is decoded from what was added since content was skipped. With `follow`, what is
    added is the text of a scanner, from its cursor at `begin` on. What came last is added when it is known how much of
    it belongs to the call: a thousand calls that came in one chunk add that chunk once, and not once each.
    """

    __slots__ = ("_begin", "_came", "_end", "_left", "_limit", "_room", "_size", "_skipped", "_spans", "_text", "shown")

    def __init__(self, limit: int, begin: int = 0) -> None:
        self._limit = self._room = limit
        self._begin = self._end = begin  # offsets in the stream: of the call, and of the end of what has come
        self._came, self._left = "", 0  # what came last, and how many characters at its end are not added yet
        self._text = Pieces()
        #: By threes, how long: content as it is written, content that is not, and what is written for that. Most are
        #: small, so a list takes no more than an array.
        self._spans: list[int] = []
        self._skipped = self.shown = self._size = 0  # the last three

    def add(self, text: str) -> None:
        """The model has written this; what is shown of it is counted in `shown`."""
        size = self._size + len(text)
        if size > self._room:
            text = text[: max(0, self._room - self._size)]
        self._size = size
        self._text.add(text)

    def skip(self, size: int) -> None:
        """So many characters of content come next, as they are written."""
        added = self._size
        if self._room > 0:
            self._spans += self._skipped, self.shown, added
            self._room -= added + size
            self._skipped, self.shown, self._size = size, 0, 0

    def follow(self, scanner: StreamScanner) -> None:
        """Note what has come to the scanner; what is no longer in its buffer was shown as it is."""
        buf = scanner.buf
        size, end = len(buf), scanner.base + len(buf)
        new = end - self._end
        if new > 0:
            if self._left:
                self.add(self._came[-self._left :])
            if new > size:
                self.skip(new - size)
                new = size
            self._came, self._left, self._end = buf, new, end

    def end(self, offset: int) -> None:
        """What is written ends at this offset of the stream that was followed, if that had come further."""
        size, surplus = len(self._came), self._end - offset
        self._limit = min(self._limit, offset - self._begin)
        if surplus <= self._left:
            self.add(self._came[size - self._left : size - surplus])
        else:  # what was held is unread again
            self._text = Pieces(self._text.text()[: self._limit])
        self._came, self._left = "", 0

    def text(self, content: str) -> str:
        """All that was written, if `content` was shown."""
        if self._left:
            self.add(self._came[-self._left :])
            self._came, self._left = "", 0
        text, parts, start, at = self._text.text(), [], 0, 0
        spans = chain(self._spans, (self._skipped, self.shown, self._size))
        for skipped, shown, size in zip(spans, spans, spans, strict=True):
            parts.append(content[start : start + skipped])
            parts.append(text[at : at + size])
            start += skipped + shown
            at += size
        parts.append(content[start:])
        return "".join(parts)[: self._limit]
