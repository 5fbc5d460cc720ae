r"""Prose and Thought: what of a text or of reasoning is told to a client, and when.

    Sure:\n\n```json\n  <a call>  \n```\nDone.            "Sure:", and behind the call "\nDone."
    Sure:\n\n  <a call>  Done.                            "Sure:", and behind the call "\n\nDone."
    <reasoning>  \n\n  <a call>  \n                       nothing: clients would take white space for an answer

White space waits until text follows it, and so does a line that opens a fence of Markdown. In front of a call they go,
with the line that closes the fence behind the call; but what stands between two texts stays there, in front of the
second. Text that is nothing but white space is told only if text follows. All else stays as the model wrote it.

At most 1,024 characters of white space wait. If more of it comes, all of it is told.
"""

from __future__ import annotations

import re
from typing import ClassVar

_MOST = 1024
#: The last line of a text, if it may open or close a fence, or may become such a line: three characters make a fence,
#: and a word may stand behind one that opens.
_LINE = r"[ \t]{{0,16}}((`{{3,16}}|~{{3,16}}){behind}|`{{1,2}}|~{{1,2}})"
_FENCE = re.compile(_LINE.format(behind=r"[ \t]{0,16}[\w.+#-]{0,32}"))
_BARE_FENCE = re.compile(_LINE.format(behind=""))
_OPENER = re.compile(r"\s*(`{3,16}|~{3,16})[ \t]*[\w.+#-]*\s*")
_CLOSER = r"[ \t]{{0,16}}(){mark}{{{size},16}}[ \t]{{0,1024}}"


class Thought:
    """Reasoning, as it is; but nothing if it is only white space."""

    is_reasoning: ClassVar = True

    def __init__(self) -> None:
        self.is_told = False
        self._held = ""

    def feed(self, delta: str) -> str:
        """What can be told now."""
        if self.is_told:
            return delta
        text = self._held + delta
        if text.isspace() and len(text) <= _MOST:
            self._held = text
            return ""
        self.is_told = True
        return text


class Prose:
    """Text. `fence` is the one that the call in front of it stands in.

    `gap` is white space that went since the last text, which separates that from this one; None if there was no text.
    """

    is_reasoning: ClassVar = False

    def __init__(self, fence: str = "", gap: str | None = None) -> None:
        self.is_told = False
        self.fence = fence
        self.gap = gap
        self._held = ""
        self._is_long = False  # whether so much white space has come that the rest of it is told at once

    def feed(self, delta: str) -> str:
        """What can be told now."""
        if self._is_long:
            rest = delta.lstrip()
            self._is_long = not rest
            return delta[: len(delta) - len(rest)] + (self._read(rest) if rest else "")
        if self.is_told and not self._held and "\n" not in delta and not delta[-1].isspace():
            return delta  # as mostly
        return self._read(delta)

    def end(self, *, is_before_call: bool, is_before_text: bool) -> str:
        """It is known what follows: what is told of what waited."""
        told, held = self._close_fence(self._held, r"(?=\n|\Z)")
        opener = _OPENER.fullmatch(held) if is_before_call else None
        if opener:
            self.fence = opener[1]
        text = "" if opener else held.rstrip() if is_before_call or held.isspace() else held
        if is_before_text or (self.is_told and not is_before_call):
            text = held
        told += self._tell(text)
        if not self.gap and self.gap is not None:
            gone = held[len(text) :]
            self.gap = gone[: len(gone) - len(gone.lstrip())]
        return told

    def _read(self, delta: str) -> str:
        told, text = self._close_fence(self._held + delta, r"(?=\n)")
        size = self._certain(text)
        self._held = text[size:]
        return told + self._tell(text[:size])

    def _tell(self, text: str) -> str:
        if self.is_told or not text:
            return text
        self.is_told = True
        gap, self.gap = self.gap or "", ""
        return text if text[0].isspace() else gap + text

    def _certain(self, text: str) -> int:
        """How much of a text is told, whatever follows it."""
        size = len(text.rstrip())
        if len(text) - size > _MOST:
            self._is_long = True
            return len(text)
        line = text.rfind("\n", 0, size) + 1
        fence = _BARE_FENCE if self.fence else _FENCE  # one that is open is closed before another opens
        match = fence.fullmatch(text, line, size) if line or not self.is_told else None
        if match is None or not (match[2] or len(text) == size):
            return size
        before = len(text[:line].rstrip())
        return before if match.start(1) - before <= _MOST else size

    def _close_fence(self, text: str, behind: str) -> tuple[str, str]:
        """Take out the line that closes the fence, if that has come: what is told, and the rest of the text."""
        if not self.fence:
            return "", text
        begin = r"\n" if self.is_told else r"(?:\A|\n)"
        match = re.search(begin + _CLOSER.format(mark=self.fence[0], size=len(self.fence)) + behind, text)
        if match is None or match.start(1) - len(text[: match.start(1)].rstrip()) > _MOST:
            return "", text
        self.fence = ""
        size = len(text[: match.start()].rstrip())
        return self._tell(text[:size]), text[size : match.start()] + text[match.end() :]
