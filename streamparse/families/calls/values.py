"""The value of a parameter: what belongs to it of the text between its tags.

    <content>␤a␤␤</content>             raw: one line break (LF or CRLF) less at each end, `a␤`
    <path> a b </path>                  other: without the blanks at its ends, `a b`

In a format whose values stand beside their tags, a raw value is in a block only if it begins with a line break:

    <content>a␤</content>               `a␤`

`strip_value` does that to a whole text, GrowingValue to one that is shown as it comes.
"""

from __future__ import annotations

import re

from streamparse.core.markers import BLANK_CHARACTERS

_FIRST_BREAK = re.compile(r"\r?\n")
_LAST_BREAK = re.compile(r"\r?\n\Z")
#: What may be the last line break of a value, or become it.
_LAST_PIECE = re.compile(r"\r?\n\Z|\r\Z")


def strip_value(text: str, *, is_raw: bool, is_block: bool = True) -> str:
    """The value that stands as `text` between its tags; `is_block` is False where only its beginning tells that."""
    if not is_raw:
        return text.strip(BLANK_CHARACTERS)
    start, end = 1 if text.startswith("\n") else 2 if text.startswith("\r\n") else 0, len(text)
    if not start and not is_block:
        return text
    if text.endswith("\r\n", start):
        end -= 2
    elif text.endswith("\n", start):
        end -= 1
    return text[start:end]


class GrowingValue:
    """A value that comes in pieces. What may stand at its end, and then is no part of it, is kept back."""

    __slots__ = ("_is_block", "_kept", "is_begun", "is_raw")

    def __init__(self, *, is_raw: bool, is_block: bool = True) -> None:
        self.is_raw = is_raw
        self._is_block = is_block  # its last line break is no part of it, if it is raw
        self._kept: list[str] = []
        self.is_begun = False  # what stands before it has been left out

    @property
    def is_complete(self) -> bool:
        """Whether all that came is given."""
        return self.is_begun and not self._kept

    def add(self, text: str, *, is_followed: bool) -> str:
        """What is certain now. `is_followed`: a tag, or what may be one, comes next."""
        if self.is_raw:
            return self._add_raw(text, is_followed)
        if not self.is_begun:
            text = text.lstrip(BLANK_CHARACTERS)
        value = text.rstrip(BLANK_CHARACTERS)
        if not value:
            self._keep(text)
            return ""
        self.is_begun = True
        given = self.cut() + value
        self._keep(text[len(value) :])
        return given

    def _add_raw(self, text: str, is_followed: bool) -> str:
        text = self.cut() + text
        if not self.is_begun:
            if not text or (text == "\r" and not is_followed):
                self._keep(text)
                return ""
            first = _FIRST_BREAK.match(text)
            text = text[first.end() :] if first else text
            self._is_block = self._is_block or first is not None
            self.is_begun = True
        if not self._is_block:
            return text
        last = (_LAST_BREAK if is_followed else _LAST_PIECE).search(text, max(0, len(text) - 2))
        if last is None:
            return text
        self._keep(text[last.start() :])
        return text[: last.start()]

    def _keep(self, text: str) -> None:
        if text:
            self._kept.append(text)

    def cut(self) -> str:
        """What is kept back: if the value is cut off, it is part of it."""
        text = "".join(self._kept)
        self._kept.clear()
        return text
