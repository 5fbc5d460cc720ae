"""Entities: `&amp;` and its kin, decoded once and never guessed."""

from __future__ import annotations

import re

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));")
_BASIC = re.compile(r"&(amp|lt|gt);")


def _character(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    is_character = 0 < code < 0xD800 or 0xDFFF < code < 0x110000
    return chr(code) if is_character else match[0]


def decode_entities(text: str) -> str:
    """Decode the five entities of XML and numeric ones; anything else stays as it is written."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def decode_basic_entities(text: str) -> str:
    """Decode `&amp; &lt; &gt;` only: what models write in shell commands they believe to be XML."""
    return _BASIC.sub(lambda match: _NAMED[match[1]], text) if "&" in text else text
