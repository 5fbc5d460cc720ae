"""Ways to cut a text into chunks."""

from __future__ import annotations

from collections.abc import Iterator


def splits(text: str) -> Iterator[list[str]]:
    """Every way a test should feed `text`: whole, by single characters, and cut in two at every place."""
    yield [text]
    yield list(text)
    for cut in range(1, len(text)):
        yield [text[:cut], text[cut:]]
