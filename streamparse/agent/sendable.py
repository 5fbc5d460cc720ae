"""sendable: what a server or an editor can read of plain data.

    sendable({"path": "a\\ud800"})      {"path": "a?"}

Half a character, as a path of a broken encoding has, and as a model may write, is JSON for Python and for few others:
who cannot read a message as a whole would have nothing of it.
"""

from __future__ import annotations

import json
from typing import TypeVar

_T = TypeVar("_T")


def sendable(value: _T) -> _T:
    """The same data, without halves of characters."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole: _T = json.loads(text.encode("utf-8", "replace"))
        return whole
    return value
