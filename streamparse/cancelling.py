"""Cancelled tasks of asyncio: loaded when an asynchronous reply is stopped, since asyncio takes longer to import than
the library's own engine.
"""

from __future__ import annotations

import asyncio


def take_back(error: BaseException) -> bool:
    """Whether it is the cancellation of the task that runs now; it is taken back, so that the task goes on."""
    task = asyncio.current_task() if isinstance(error, asyncio.CancelledError) else None
    if task is None:
        return False
    task.uncancel()
    return True
