"""Written: the text that the model wrote of a call, as it came.

    Hi <tool_call>{"name": "nobody", …}</tool_call> ok          '<tool_call>{"name": "nobody", …}</tool_call>'

A call that nobody has declared is no call for the client: it is given back as the text it is, character for character.
Events do not say where in the text they come from. But prose is told as it is written, and what is not told is held
back, so what lies between is known: text is fed in pieces that end behind closing brackets, where calls end, too.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r"[^>}\])]*[>}\])]+|[^>}\])]+")


def pieces(text: str) -> list[str]:
    """A text in pieces, each of which ends behind closing brackets, or with the text."""
    return _PIECE.findall(text)


class Written:
    """What came since the last prose. `open` and `close` are told of a call whose text is wanted."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._size = 0
        self._fed = 0  # of the whole stream
        self._begin: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether a call is open whose text is wanted."""
        return self._begin is not None

    def add(self, text: str) -> None:
        """A piece that was not told at once."""
        self._text.append(text)
        self._size += len(text)
        self._fed += len(text)

    def skip(self, text: str) -> None:
        """A piece that is not wanted, and nothing that came before it either."""
        self._fed += len(text)
        if self._size:
            self._text, self._size = [], 0

    def open(self, told: str) -> None:
        """A call begins. `told` is the prose that was told of the last piece before it."""
        text = self._joined()
        self._begin = max(text.find(told), 0) + len(told)

    def close(self, behind: int, end: int) -> str:
        """The call has ended; its text. It ended at `end`, or else so many characters stand `behind` it."""
        assert self._begin is not None  # it was opened
        begin, self._begin = self._begin, None
        size = end - (self._fed - self._size)
        return self._joined()[begin : size if begin < size else self._size - behind]

    def forget(self) -> None:
        """The text of the call that is open is not wanted after all."""
        self._text, self._size, self._begin = [], 0, None

    def settle(self, unread: int) -> None:
        """Nothing but prose is open: what is not held back need not be kept."""
        text = self._joined()[self._size - unread :] if unread else ""
        self._text, self._size = [text], len(text)

    def _joined(self) -> str:
        self._text = ["".join(self._text)]
        return self._text[0]
