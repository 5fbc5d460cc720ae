"""Content that is a string, or a list of typed parts.

    "Hi"
    [{"type": "thinking", "thinking": [{"type": "text", "text": "…"}]}, {"type": "text", "text": "Hi"}]

Parts of other types (images, references, calls that are told elsewhere too) are ignored.
"""

from __future__ import annotations

from streamparse.providers.deltas import Delta, ReasoningDelta, TextDelta
from streamparse.providers.fields import get, text

_TEXT_TYPES = ("text", "output_text", "text_delta")
#: Where the reasoning stands in a part, by the part's type.
_REASONING_FIELDS = {"thinking": "thinking", "reasoning": "reasoning", "reasoning_content": "reasoning_content"}


def read_content(content: object) -> list[Delta]:
    """Text and reasoning of `content`, in its order."""
    if isinstance(content, str):
        return [TextDelta(content)] if content else []
    if not isinstance(content, (list, tuple)):
        return []
    return [delta for part in content for delta in _read_part(part)]


def _read_part(part: object) -> list[Delta]:
    if isinstance(part, str):
        return [TextDelta(part)] if part else []
    kind = text(part, "type")
    if kind in _TEXT_TYPES:
        return [TextDelta(text(part, "text"))] if text(part, "text") else []
    if kind in _REASONING_FIELDS:
        reasoning = joined(get(part, _REASONING_FIELDS[kind])) or joined(get(part, "summary"))
        return [ReasoningDelta(reasoning)] if reasoning else []
    return []


def joined(value: object) -> str:
    """A string, an object with a `text`, or a list of such objects, as one string."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "".join(text(part, "text") or text(part, "summary") for part in value)
    return text(value, "text")
