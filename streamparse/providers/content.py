"""Content that is a string, or a list of typed parts.

    "Hi"
    [{"type": "thinking", "thinking": [{"type": "text", "text": "…"}]}, {"type": "text", "text": "Hi"}]

Parts of other types (images, references, calls that are told elsewhere too) are ignored.
"""

from __future__ import annotations

from streamparse.providers.deltas import Delta, ReasoningDelta, TextDelta
from streamparse.providers.fields import Fields, fields, text

_TEXT_TYPES = ("text", "output_text", "text_delta")
#: Where the reasoning stands in a part, by the part's type.
_REASONING_FIELDS = {
    "thinking": "thinking",
    "thinking_delta": "thinking",
    "reasoning": "reasoning",
    "reasoning_content": "reasoning_content",
    "thought_summary": "content",
}


def read_content(content: object) -> list[Delta]:
    """Text and reasoning of `content`, in its order."""
    if isinstance(content, str):
        return [TextDelta(content)] if content else []
    if not isinstance(content, (list, tuple)):
        return []
    deltas: list[Delta] = []
    for part in content:
        deltas += read_content(part) if isinstance(part, str) else read_part(fields(part))
    return deltas


def read_part(part: Fields) -> list[Delta]:
    """Text or reasoning of a typed part, which may be a piece of one."""
    kind = text(part, "type")
    if kind in _TEXT_TYPES:
        piece = text(part, "text")
        return [TextDelta(piece)] if piece else []
    if kind in _REASONING_FIELDS:
        reasoning = joined(part.get(_REASONING_FIELDS[kind])) or joined(part.get("summary"))
        return [ReasoningDelta(reasoning)] if reasoning else []
    return []


def joined(value: object) -> str:
    """A string, an object with a `text`, or a list of such objects, as one string."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "".join(text(part, "text") or text(part, "summary") for part in map(fields, value))
    return text(fields(value), "text")
