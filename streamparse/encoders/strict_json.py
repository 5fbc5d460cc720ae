"""strict_json: JSON that browsers read.

    strict_json({"mean": float("nan")})         '{"mean": null}'

Python writes NaN and Infinity, which are none of JSON: a client would take them for the end of the stream. They may be
in what a tool has measured, or a program says of a segment. JavaScript writes null for them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

_encode = json.JSONEncoder(allow_nan=False).encode


def strict_json(data: Any) -> str:
    """Plain data as JSON."""
    try:
        return _encode(data)
    except ValueError:
        return _encode(_finite(data))


def _finite(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not isfinite(data) else data
