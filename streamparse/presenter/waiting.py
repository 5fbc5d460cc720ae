"""Waiting for others: for what a hook gives, and for tasks that were cancelled.

decision = await awaited(ask(request))      # `ask` may be a coroutine function, or not
await all_done(tasks)                       # also if whoever waits is cancelled meanwhile
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Collection
from typing import Any


async def awaited(value: Any) -> Any:
    """What a hook gives, at once or later. One that was cancelled by somebody else has failed."""
    if not inspect.isawaitable(value):
        return value
    try:
        return await value
    except asyncio.CancelledError:
        if is_cancelled():
            raise
        raise RuntimeError("a hook of the presenter was cancelled") from None


def is_cancelled() -> bool:
    """Whether somebody wants the current task to end: if not, a CancelledError is the failure of something else."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def all_done(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Wait until all have ended. Whoever is cancelled meanwhile waits nevertheless, and is cancelled then."""
    waits = [task for task in tasks if not task.done()]
    cancelled: asyncio.CancelledError | None = None
    while waits:
        try:
            await asyncio.wait(waits)
        except asyncio.CancelledError as error:
            cancelled = error
        waits = [task for task in waits if not task.done()]
    if cancelled is not None:
        raise cancelled
