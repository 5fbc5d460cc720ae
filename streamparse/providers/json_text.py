"""Plain data as JSON text, and as part of one.

    as_json({"a": "é"})     {"a": "é"}
    as_json("a")            "a"             with its quotes
    as_text("a")            a               a text stays as it is
    escaped('say "')        say \\"          a piece of a string whose quotes stand elsewhere

Nothing here raises.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

#: What stands for a value that cannot be written as JSON. It is none itself: a call with such arguments is malformed.
UNWRITABLE = "(arguments that cannot be written as JSON)"


def as_json(value: object) -> str:
    """A value as JSON text, a string as well; nothing for None."""
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError, RecursionError):
        return UNWRITABLE


def as_text(value: object) -> str:
    """A text as it is, anything else as JSON: whoever decodes it says what is wrong with it."""
    return value if isinstance(value, str) else as_json(value)


def escaped(piece: str) -> str:
    """A piece of a text in the JSON string that it is part of."""
    return as_json(piece)[1:-1]


def _plain(value: object) -> object:
    """What a value that is no plain data stands for."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Sequence) else str(value)
