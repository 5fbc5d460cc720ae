"""Entities: `&amp;` and its kin, decoded once and never guessed; also in a text that is not all there yet."""

from __future__ import annotations

import re

from streamparse.core.markers import Atom, Marker, compile_markers

_NAMED = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}


def _character(match: re.Match[str]) -> str:
    return _NAMED.get(match[0]) or _numbered(match[0])


def _numbered(written: str) -> str:
    code = int(written[3:-1], 16) if written[2] == "x" else int(written[2:-1])
    is_character = 0 < code < 0xD800 or 0xDFFF < code < 0x110000
    return chr(code) if is_character else written


class Entities:
    """A set of entities; anything else stays as it is written."""

    __slots__ = ("_cut", "_whole")

    def __init__(self, *entities: Marker) -> None:
        markers = compile_markers({"entity": entities}, ignore_case=False)
        self._cut, self._whole = markers.pattern, markers.final

    def decode(self, text: str) -> str:
        """What `text` means."""
        return self._whole.sub(_character, text) if "&" in text else text

    def certain(self, text: str) -> int:
        """How much of `text` can be decoded before more is there: all but a piece of an entity at its end."""
        start = text.rfind("&")
        match = self._cut.match(text, start) if start >= 0 else None
        return start if match is not None and match.lastindex is None else len(text)


_BASIC: list[Marker] = [("&amp;",), ("&lt;",), ("&gt;",)]
_NUMBERS: list[Marker] = [("&#", Atom("[0-9]{1,7}+"), ";"), ("&#x", Atom("[0-9a-fA-F]{1,6}+"), ";")]

#: The five entities of XML and numeric ones.
XML_ENTITIES = Entities(*_BASIC, ("&quot;",), ("&apos;",), *_NUMBERS)
#: What models write in shell commands they believe to be XML.
BASIC_ENTITIES = Entities(*_BASIC)

decode_entities = XML_ENTITIES.decode
decode_basic_entities = BASIC_ENTITIES.decode
