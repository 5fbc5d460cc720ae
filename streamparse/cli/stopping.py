"""Ctrl-C ends the input, not the program: what is open is closed as truncated, and shown, before the program exits.

A KeyboardInterrupt can come between any two steps of the parser or of a view, and what they hold is then half done.
So a signal interrupts only the waiting for input; at any other moment it is noted, and the input ends with the next
question for more. A second signal interrupts whatever is going on: the output may be what hangs.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any

from streamparse.cli.endings import Stopped


class Stopping:
    """Watches for Ctrl-C and termination, as a context manager; `signal` is the number of the one that came, or 0."""

    def __init__(self) -> None:
        self.signal = 0
        self._is_waiting = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Stopping:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        is_second = self.signal != 0
        self.signal = number
        if self._is_waiting or is_second:
            raise Stopped(number)

    def until_stopped(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces up to the signal."""
        source = iter(pieces)
        try:
            while True:
                # In this order: a signal between the two lines raises, one before them is seen by the second.
                self._is_waiting = True
                piece = None if self.signal else next(source, None)
                self._is_waiting = False
                if piece is None:
                    return
                yield piece
        except Stopped:
            return
        finally:
            self._is_waiting = False
