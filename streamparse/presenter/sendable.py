"""sendable: what a server or an editor can read of a text, or of other plain data.

    sendable({"path": "a\\ud800"})      {"path": "a?"}

Half a character, as a path of a broken encoding has, and as a model may write, is JSON for Python and for few others:
who cannot read a message as a whole would have nothing of it.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar, cast

_T = TypeVar("_T")


def sendable(value: _T) -> _T:
    """The same data, without halves of characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole: Any = text.encode("utf-8", "replace").decode()
        return cast(_T, whole if isinstance(value, str) else json.loads(whole))
    return value
