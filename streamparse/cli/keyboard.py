"""What a person types at a terminal, while everything else goes on.

    keyboard = Keyboard(sys.stdin)
    await keyboard.key("yn")        one of these keys, without a line break behind it
    await keyboard.line()           a whole line

Nothing waits in a thread: a question that is taken back leaves nobody behind who would take the next key. What was
typed before a question was seen is no answer to it. A key that sends several characters, such as an arrow, is none of
those that are asked for: the last character of "up" is an A.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

try:
    import termios
    import tty
except ImportError:  # pragma: no cover  # Windows: there is nobody who could be asked
    termios = None  # type: ignore[assignment]

#: The end of the input, as a key and as a line.
END = ""
_ENDS = (END, "\x1b", "\x04", "\x03")
_LONGEST = 65_536


class Keyboard:
    """The terminal that `file` is, if it is one."""

    def __init__(self, file: TextIO | None) -> None:
        self._descriptor = -1
        if termios is not None and file is not None and not file.closed and file.isatty():
            self._descriptor = file.fileno()

    @property
    def is_there(self) -> bool:
        """Whether somebody can type."""
        return self._descriptor >= 0

    async def key(self, wanted: str, ask: Callable[[], None] = lambda: None) -> str:
        """The first of the wanted keys that is pressed, a small letter; END for Escape, Ctrl-D and nobody any more.

        `ask` shows the question, once the terminal shows no keys any more.
        """
        with self._by_keys():
            ask()
            while True:
                pressed = (await self._read()).decode("utf-8", "replace").lower()
                if pressed in _ENDS:
                    return END
                if pressed in tuple(wanted):
                    return pressed

    async def line(self) -> str:
        """The next line, without its line break; END if there is none."""
        data = await self._read()
        while data and not data.endswith(b"\n") and (more := await self._read()):
            data += more
        return data.decode("utf-8", "replace").rstrip("\r\n")

    @contextmanager
    def _by_keys(self) -> Iterator[None]:
        before = termios.tcgetattr(self._descriptor)
        try:
            tty.setcbreak(self._descriptor, termios.TCSAFLUSH)  # what was typed before is forgotten
            yield
        finally:
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)

    async def _read(self) -> bytes:
        loop = asyncio.get_running_loop()
        is_ready: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._descriptor, _set, is_ready)
        try:
            await is_ready
        finally:
            loop.remove_reader(self._descriptor)
        try:
            return os.read(self._descriptor, _LONGEST)
        except OSError:  # the terminal is gone
            return b""


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
