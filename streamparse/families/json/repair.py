r"""What nearly is JSON, mended by the package `json-repair` (extra `repair`), for those who ask: `repair_json=True`.

    {"a": 1,}                   {"a": 1}
    {'a': True}                 {"a": true}
    {"a": "\d+"}                {"a": "\\d+"}
    {"a": "x}                   None: no one knows how much of the text is missing
    {'a': 'x}                   None: the same
    {"a": 1} and so on          None: nothing that was written is dropped
    {"a": }                     None: nothing is made up
    {"a": [1, 2}                None: a bracket that never closed
    {"a": yes}                  None: what stands in no quotes is no text

Only text is mended whose brackets and quotes close where it ends, so what was cut off stays that. And what comes of it
has to say the same: the same words and brackets in the same order, and no string that did not stand in quotes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from streamparse.arguments.json_strings import LOOSE
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.errors import MissingExtraError
from streamparse.families.json.reader import JsonReader

try:
    from json_repair import repair_json
except ImportError:
    repair_json = None

#: What no quote is that opens or closes something: escapes, and strings of JSON with all that is in them.
_NO_QUOTES = re.compile(rf'"{LOOSE}"|\\.', re.DOTALL)
_WORD = re.compile(r"[\w.+-]+")
_PYTHON = {"True": "true", "False": "false", "None": "null"}
#: How much is mended: it is read character by character, and sometimes again and again.
_LONGEST = 100_000


def require() -> None:
    """Raise MissingExtraError unless something can be mended."""
    if repair_json is None:
        raise MissingExtraError("repair", "json-repair")


def mend(text: str) -> str | None:
    """JSON that says what `text` was meant to say; None if that is not certain."""
    text = text.strip(BLANK_CHARACTERS)
    if len(text) > _LONGEST or not text.startswith("{") or not _is_whole(text):
        return None
    try:
        mended = str(repair_json(text, ensure_ascii=False))
        return mended if _says_the_same(json.loads(mended), text) else None
    except Exception:  # what a model writes never raises
        return None


def _says_the_same(value: Any, text: str) -> bool:
    """Whether nothing of `text` is missing in `value`, and nothing in it was made up."""
    written = json.dumps(value, ensure_ascii=False)
    if any(written.count(bracket) != text.count(bracket) for bracket in "{}[]:"):
        return False
    if _words(written) != _words(text):
        return False
    return all(_is_quoted(string, count, text) for string, count in Counter(_strings(value)).items())


def _words(text: str) -> list[str]:
    """The words and numbers in it; Python's words are JSON's."""
    return [_PYTHON.get(word, word) for word in _WORD.findall(text)]


def _strings(value: Any) -> Iterator[str]:
    """All strings in it, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _is_quoted(string: str, count: int, text: str) -> bool:
    """Whether it stands in quotes so many times, as it is or with the escapes of JSON."""
    escaped = json.dumps(string, ensure_ascii=False)[1:-1], json.dumps(string)[1:-1]
    spellings = {string, string.replace("'", "\\'"), *escaped}
    return sum(text.count(f"{quote}{one}{quote}") for one in spellings for quote in "'\"") >= count


def _is_whole(text: str) -> bool:
    """Whether it ends where its brackets close. A bracket in single quotes has ended the call in the midst of them."""
    reader = JsonReader()
    is_closed = reader.read(text, 0, len(text)) == len(text) and reader.is_done
    return is_closed and _NO_QUOTES.sub("", text).count("'") % 2 == 0
