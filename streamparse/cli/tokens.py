"""Text in pieces like those a model streams: words with the blank before them, runs of punctuation, long words cut."""

from __future__ import annotations

import re

_TOKEN = re.compile(r" ?\w{1,5}| ?[^\w\s]{1,4}|\s+(?= \S)|\s+")


def tokens(text: str) -> list[str]:
    """The pieces of `text`; joined, they are the text again."""
    return _TOKEN.findall(text)
