r"""What nearly is JSON, mended by the package `json-repair` (extra `repair`), for those who ask: `repair_json=True`.

    {"a": 1,}                   {"a": 1}
    {'a': True}                 {"a": true}
    {"a": "\d+"}                {"a": "\\d+"}
    {"a": "x}                   None: no one knows how much of the text is missing
    {'a': 'x}                   None: the same
    {"a": 1} and so on          None: nothing that was written is dropped

Only text is mended whose brackets and quotes close where it ends, so what was cut off stays that.
"""

from __future__ import annotations

import re

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
        return str(repair_json(text, ensure_ascii=False))
    except Exception:  # what a model writes never raises
        return None


def _is_whole(text: str) -> bool:
    """Whether it ends where its brackets close. A bracket in single quotes has ended the call in the midst of them."""
    reader = JsonReader()
    is_closed = reader.read(text, 0, len(text)) == len(text) and reader.is_done
    return is_closed and _NO_QUOTES.sub("", text).count("'") % 2 == 0
