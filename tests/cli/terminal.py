"""A real pseudo-terminal with the command running in it, and a terminal emulator that looks at it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

import pyte

from tests.cli.command import ENVIRONMENT

#: What a shell does before it runs a program: make the terminal the one whose Ctrl-C reaches it.
LAUNCH = "import fcntl, os, sys, termios; fcntl.ioctl(1, termios.TIOCSCTTY, 0); os.execv(sys.executable, sys.argv[1:])"
FRAME_START = b"\x1b[?2026h"
FRAME_END = b"\x1b[?2026l"
PATIENCE = 20.0


class Terminal:
    """Runs `streamparse *arguments` with the terminal as its output, and standard input from a pipe.

    With `keyboard`, the terminal is its standard input as well: `press` is what a person types.
    """

    def __init__(
        self, *arguments: str, columns: int = 100, rows: int = 30, keyboard: bool = False, **environment: str
    ) -> None:
        self.raw = b""
        self.frames: list[list[str]] = []  # the screen at the end of each frame
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000)
        self._stream = pyte.ByteStream(self.screen)
        self._unseen = b""
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-ISc", LAUNCH, sys.executable, "-m", "streamparse", *arguments],
            stdin=slave if keyboard else subprocess.PIPE,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**ENVIRONMENT, "TERM": "xterm-256color", **environment},
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def write(self, data: bytes) -> None:
        """Write to the standard input of the command."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def press(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def wait_for(self, text: str) -> None:
        """Look until `text` is on the screen."""
        deadline = time.monotonic() + PATIENCE
        while not any(text in row for row in self.screen.display):
            assert time.monotonic() < deadline, f"{text!r} never came: {self.text()}"
            assert self._read(), f"it ended without {text!r}: {self.text()}"

    def wait_for_end_of_line(self, text: str) -> None:
        """Look until `text` is the last thing on the screen: a question that waits for its answer."""
        deadline = time.monotonic() + PATIENCE
        while not self.text().rstrip().endswith(text):
            assert time.monotonic() < deadline, f"{text!r} never came: {self.text()}"
            assert self._read(), f"it ended without {text!r}: {self.text()}"

    def is_quiet(self, seconds: float) -> bool:
        """Whether nothing is drawn for that long."""
        return not select.select([self._master], [], [], seconds)[0]

    def wait(self) -> int:
        """Look until the command ends; returns its exit code."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        while self._read():
            pass
        self._stream.feed(self._unseen)
        return self.process.wait(PATIENCE)

    def text(self) -> str:
        """Everything that was scrolled away and the screen below it, without trailing blanks."""
        columns = range(self.screen.columns)
        above = ["".join(row[column].data for column in columns) for row in self.screen.history.top]
        rows = [row.rstrip() for row in [*above, *self.screen.display]]
        return "\n".join(rows).rstrip("\n") + "\n"

    def _read(self) -> bool:
        if not select.select([self._master], [], [], PATIENCE)[0]:
            raise TimeoutError(self.text())
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # how Linux says that nobody has the other end any more
            return False
        self.raw += data
        *frames, self._unseen = (self._unseen + data).split(FRAME_END)
        for frame in frames:
            self._stream.feed(frame + FRAME_END)
            self.frames.append([row.rstrip() for row in self.screen.display])
        if FRAME_START not in self._unseen:  # what is written without frames, as to a dumb terminal
            self._stream.feed(self._unseen)
            self._unseen = b""
        return bool(data)
