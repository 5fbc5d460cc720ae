"""Arguments in lines, a key and a value in each.

    city: Oslo                      {"city": "Oslo", "days": 2}, if the schema says that days are an integer
    days: 2

A line without a separator says nothing, and so does one without a key. What a value means is told by the schema; what
fits nowhere is a string.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from streamparse.arguments.decoder import ArgumentDecoder, DecodedCall, Signature, decode_text


class KeyLines(ArgumentDecoder):
    """Lines end with `line_end`; `separator` stands between key and value."""

    has_texts = True

    def __init__(self, line_end: str = "\n", separator: str = ":") -> None:
        self._line_end = line_end
        self._separator = separator

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """The last line of a call that was cut off may go on: it is left out."""
        lines = content.split(self._line_end)
        pairs = self._pairs(lines[:-1] if is_truncated else lines)
        return DecodedCall({key: self._read(key, value, signature) for key, value in pairs})

    def _pairs(self, lines: list[str]) -> Iterator[tuple[str, str]]:
        for line in lines:
            key, separator, value = line.partition(self._separator)
            if separator and key.strip():
                yield key.strip(), value.strip()

    def _read(self, key: str, value: str, signature: Signature) -> Any:
        return decode_text(key, value, signature.schema.property_of(key), signature.limits)
