"""JSON objects in a stream of text, each as soon as its last bracket is there.

    {"message": {"content": "Hi"}, "done": false}       JSON lines
    {"message": {"content": "!"}, "done": true}

    [{"candidates": […]}                                one list that grows (Google's without `alt=sse`)
    ,
    {"candidates": […]}]

    {                                                   over several lines: a reply in one piece, or the error
      "error": {"message": "Incorrect API key"}         that a server has instead of a stream
    }

O(n), cut anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from streamparse.core.json_lexer import JsonLexer

_BETWEEN = re.compile(r"[\ufeff\s,\[\]]*+")
_MAX_QUOTED = 200


class NotJsonError(ValueError):
    """Something that is no JSON object, or only half of one; quoted up to where it shows, wherever the text is cut."""

    def __init__(self, text: str) -> None:
        super().__init__(f"the server sent data that is not JSON: {text[:_MAX_QUOTED]}")


def documents(pieces: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The objects, one by one; raises NotJsonError where something else stands, or where the last one is cut off."""
    held: list[str] = []  # of the object that is open
    rest = ""  # what the lexer must see again, with more behind it
    lexer: JsonLexer | None = None
    for piece in pieces:
        text, pos = rest + piece, 0
        while lexer is not None or (pos := _end_of_gap(text, pos)) < len(text):
            if lexer is None:
                if text[pos] != "{":
                    raise NotJsonError(text[pos])
                lexer = JsonLexer()
            start, pos = pos, lexer.read(text, pos, len(text))
            if lexer.is_failed:
                raise NotJsonError("".join(held) + text[start : pos + 1])
            held.append(text[start:pos])
            if not lexer.is_done:
                break
            yield _load("".join(held))
            held, lexer = [], None
        rest = text[pos:]
    if lexer is not None:
        raise NotJsonError("".join(held) + rest)


def _end_of_gap(text: str, pos: int) -> int:
    match = _BETWEEN.match(text, pos)
    assert match is not None  # it may be empty
    return match.end()


def _load(text: str) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(text) from error
    return document
