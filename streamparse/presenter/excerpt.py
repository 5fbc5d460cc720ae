"""Excerpt: the beginning and the end of a text that may be very long, such as the output of a command.

    excerpt = Excerpt(6)
    excerpt.add("abcdefgh")
    excerpt.add("ijk")
    excerpt.text()                 "abc\\n[… 5 characters were left out …]\\nijk"

What is kept is never much more than what will be told, however much comes.
"""

from __future__ import annotations

from collections import deque


class Excerpt:
    """Takes a text piece by piece. One of at most `limit` characters is kept whole, of a longer one its two halves."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._half = self._room = limit // 2
        self._beginning: list[str] = []
        self._last: deque[str] = deque()
        self._kept = 0  # characters in `_last`
        self._size = 0

    def add(self, text: str) -> None:
        """The next piece."""
        self._size += len(text)
        first, rest = text[: self._room], text[self._room :]
        if first:
            self._room -= len(first)
            self._beginning.append(first)
        if rest:
            self._last.append(rest)
            self._kept += len(rest)
        while self._last and self._kept - len(self._last[0]) >= self._limit - self._half:
            self._kept -= len(self._last.popleft())

    def text(self) -> str:
        """The text, or the two halves of the limit with a line between them that says how much is missing."""
        beginning, end = "".join(self._beginning), "".join(self._last)
        if self._size <= self._limit:
            return beginning + end
        middle = f"\n[… {self._size - 2 * self._half} characters were left out …]\n"
        return beginning + middle + end[len(end) - self._half :]
