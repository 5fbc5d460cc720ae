"""Pieces: a text that comes in pieces, and takes as much memory as it is long.

    pieces = Pieces()
    pieces.add('{"argu')
    pieces.add('ments"')
    pieces.text()                           '{"arguments"'

A list of tokens takes fifteen times the memory of their text, and a StringIO four times. So they are joined, a thousand
at a time: each is copied once, and once more when all of the text is asked for, which is kept as one.
"""

from __future__ import annotations

#: How many are joined at a time.
_MOST = 1024


class Pieces:
    """Keeps what is added, in order."""

    __slots__ = ("_blocks", "_last")

    def __init__(self, text: str = "") -> None:
        self._blocks: list[str] = []
        self._last = [text] if text else []

    def add(self, text: str) -> None:
        """More of the text."""
        self._last.append(text)
        if len(self._last) == _MOST:
            self._blocks.append("".join(self._last))
            self._last.clear()

    def text(self) -> str:
        """All of it."""
        text = "".join([*self._blocks, *self._last])
        self._blocks, self._last = [text], []
        return text
