"""At how many places the exact tests cut a text: everywhere, or with STREAMPARSE_CUTS=thin at a few.

Everywhere is what proves a guarantee. Which lines and branches a text reaches, whole, by characters and cut at a few
places tell as well, and measuring them makes every step slower: `make cover` runs on thin cuts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import streamparse.testing
from streamparse import SegmentEvent, StreamingParser
from streamparse.testing import checks, normalize

IS_THIN = os.environ.get("STREAMPARSE_CUTS") == "thin"
FEW = 3

Place = TypeVar("Place")


def some(places: Sequence[Place]) -> Sequence[Place]:
    """All of them; of thin cuts, a few: always the same, from the first to the last."""
    if not IS_THIN or len(places) <= FEW:
        return places
    return [places[number * (len(places) - 1) // (FEW - 1)] for number in range(FEW)]


def thin_out() -> None:
    """Let the kit of the library cut at a few places, too; before the tests take it up."""
    if IS_THIN:
        streamparse.testing.splits = _splits
        streamparse.testing.assert_chunk_invariant = _assert_chunk_invariant


def _splits(text: str) -> Iterator[list[str]]:
    yield [text]
    yield list(text)
    for cut in some(range(1, len(text))):
        yield [text[:cut], text[cut:]]


def _assert_chunk_invariant(text: str, format: str | Iterable[str] = "xml", **options: Any) -> list[SegmentEvent]:
    formats = [format] if isinstance(format, str) else list(format)
    whole = checks._run([text], formats, options)
    assert all(checks._run(chunks, formats, options) == whole for chunks in _splits(text))
    for length in some(range(len(text) + 1)):
        by_character = StreamingParser(formats, **options)
        shown = normalize(event for character in text[:length] for event in by_character.feed(character))
        checks._check_prefix(text[:length], shown, whole, StreamingParser(formats, **options))
    return whole
