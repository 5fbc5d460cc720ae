"""Python's way to write what JSON has.

    {'a': True, 'b': None,}                 {"a": true, "b": null}

Models that were asked for text write what they have seen most. The result is a text again, for a JSON reader to
judge: what was neither is not made JSON here.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"'((?:[^'\\]|\\.)*+)('?)"  # a string in single quotes; one that is not closed is not looked at again
    r'|"(?:[^"\\]|\\.)*+"?'
    r"|\b(True|False|None)\b"
    r"|,(?=[ \t\r\n]*+[\]}])",  # a comma with nothing behind it
    re.DOTALL | re.ASCII,
)
_WORDS = {"True": "true", "False": "false", "None": "null"}
_IN_STRING = re.compile(r"\\'|\"|\\.", re.DOTALL)


def json_of_literal(text: str) -> str:
    """`text` with what is Python's own written as JSON."""
    return _TOKEN.sub(_as_json, text)


def _as_json(token: re.Match[str]) -> str:
    if token[2]:
        return f'"{_IN_STRING.sub(_escape, token[1])}"'
    if token[3]:
        return _WORDS[token[3]]
    return token[0] if token[0] != "," else ""


def _escape(found: re.Match[str]) -> str:
    return {r"\'": "'", '"': r"\""}.get(found[0], found[0])
