"""Written: the text that the model wrote of a call, as it came.

    Hi <tool_call>{"name": "nobody", …}</tool_call> ok          '<tool_call>{"name": "nobody", …}</tool_call>'

A call that nobody has declared is no call for the client: it is given back as the text it is, character for character.
Where in the stream it stands is known to the parser (`core/spans.py`). What is told, or read of a call that is one, is
dropped.
"""

from __future__ import annotations

from streamparse.core.spans import Span


class Written:
    """What came of a stream, from some place on."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._begin = self._end = 0

    def add(self, text: str) -> None:
        """The next piece."""
        self._text.append(text)
        self._end += len(text)

    def drop(self, begin: int) -> None:
        """What stands before `begin` is not wanted."""
        if begin >= self._end:
            self._text.clear()
        elif begin > self._begin:
            self._text = ["".join(self._text)[begin - self._begin :]]
        self._begin = min(max(begin, self._begin), self._end)

    def text(self, span: Span) -> str:
        """The text of a call."""
        self._text = ["".join(self._text)]
        return self._text[0][span.begin - self._begin : span.end - self._begin]
