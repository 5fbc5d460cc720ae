"""Watch: whether work in a thread, such as a walk through all folders, is to go on.

    watch = Watch(20)
    found = await watch.in_thread(lambda: [name for name in names if watch.goes_on()])

A thread cannot be stopped. So what runs in one asks the watch, which knows of the time and of whoever waits.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


class Watch:
    """Tells when work is late, or nobody waits for it any more. `seconds` is how long it may take."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._is_over = threading.Event()

    @property
    def seconds_left(self) -> float:
        """Not less than 0."""
        return max(0.0, self._end - time.monotonic())

    def goes_on(self) -> bool:
        """Whether there is time left, and someone who waits."""
        return not self._is_over.is_set() and self.seconds_left > 0

    async def in_thread(self, work: Callable[[], _T]) -> _T:
        """What comes of the work, which asks `goes_on` from time to time."""
        try:
            return await asyncio.to_thread(work)
        except asyncio.CancelledError:
            self._is_over.set()
            raise
