"""in_thread: a stream that is read with `for`, given to an `async for`.

    async for chunk in in_thread(lambda: client.chat.completions.create(stream=True, …)): ...

It is made, read and closed in a thread of its own, since each of these may keep one waiting. A thread cannot be
stopped: if nobody wants more, it ends with the next chunk.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress
from typing import Any, Literal, TypeAlias

#: Gives what the thread has to whoever waits for it: a chunk, what was raised, or that there is no more.
_Put: TypeAlias = Callable[[Literal["chunk", "error", "end"], Any], None]


async def in_thread(make: Callable[[], Iterable[object]]) -> AsyncGenerator[object, None]:
    """What the iterable gives that `make` makes; what either of them raises is raised here."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
    is_left = threading.Event()

    def put(kind: str, value: Any) -> None:
        with suppress(RuntimeError):  # the event loop is closed: nobody waits
            loop.call_soon_threadsafe(arrived.put_nowait, (kind, value))

    threading.Thread(target=_read, args=(make, put, is_left), daemon=True).start()
    try:
        while True:
            kind, value = await arrived.get()
            if kind == "end":
                return
            if kind == "error":
                raise value
            yield value
    finally:
        is_left.set()


def _read(make: Callable[[], Iterable[object]], put: _Put, is_left: threading.Event) -> None:
    """In the thread: put all chunks, until there are no more, or `is_left` says that nobody wants them."""
    source: Any = None
    try:
        source = make()
        for chunk in source:
            if is_left.is_set():
                break
            put("chunk", chunk)
    except Exception as error:
        put("error", error)
    else:
        put("end", None)
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()
