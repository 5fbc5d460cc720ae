"""Logprobs: which of the tokens that a server tells probabilities of belong to the text that is left.

    ["Hi", " <", "tool_call>", "{", …]      with the text "Hi": "Hi"; the others are of a call, and are dropped

They belong to what the model wrote. Those of text, or of reasoning, go on with the delta that has the text; as long as
that is held back, they wait. What is written of a call is not in the reply any more, so its tokens are not either.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_BLANKS = re.compile(r"\s*")
_PROSE = ("content", "reasoning_content", "reasoning")


class Logprobs:
    """The tokens of one choice that wait for their text."""

    def __init__(self) -> None:
        self._waiting: list[Json] = []

    def add(self, logprobs: Any) -> None:
        """The field `logprobs` of a choice."""
        tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
        if isinstance(tokens, list):
            self._waiting += [token for token in tokens if isinstance(token, dict)]

    def take(self, delta: Json) -> Json | None:
        """The field for a delta that goes to the client; None if it has no tokens."""
        text = next((delta[name] for name in _PROSE if isinstance(delta.get(name), str) and delta[name]), "")
        if not text:
            if delta.get("tool_calls"):
                self._waiting.clear()
            return None
        return self.of(text)

    def of(self, text: str) -> Json | None:
        """The field for a text."""
        taken, place, read = [], 0, 0
        for token in self._waiting:
            if place >= len(text):
                break
            read += 1
            written = token.get("token")
            if not isinstance(written, str) or not written:
                continue
            start = place
            if not text.startswith(written, start):  # white space may have been moved here from before a call
                start = _BLANKS.match(text, place).end()  # type: ignore[union-attr]  # it matches anything
            if text.startswith(written, start):
                place = start + len(written)
                taken.append(token)
        del self._waiting[:read]
        return {"content": taken} if taken else None
