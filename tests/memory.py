"""How much memory something takes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any


def takes_at_most(limit: int, act: Callable[[], Any]) -> bool:
    """Whether `act` takes at most `limit` bytes at any moment on top of what there was; it is done up to three times.

    What grows with every call grows in all of them. What a tracer or a thread of pytest takes meanwhile is taken once.
    """
    return any(_peak(act) <= limit for _ in range(3))


def _peak(act: Callable[[], Any]) -> int:
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
