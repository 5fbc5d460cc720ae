"""Running a program: in a group of its own that is ended as a whole, its output given on as it comes, and kept in part.

    done = await run_process(["make", "test"], cwd=root, timeout=60, report=print)
    done.code, done.output, done.is_late

Whatever the program started is ended with it: when it ends by itself, when its time is up, and when nobody waits for
it any more. What it writes is read up to its end; the middle of a very long output is not kept.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO

from attrs import frozen

#: How long a program may take to end when it is told to, in seconds; and how long what it started may go on writing.
_PATIENCE = 2.0
_LINGER = 0.2
_PIECE = 65_536


@frozen
class Done:
    """What came of it. `code` is the exit code, None if it had to be ended; `is_late`: because its time was up."""

    output: str
    code: int | None
    is_late: bool = False


async def run_process(
    command: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    environment: Mapping[str, str] | None = None,
    timeout: float | None = None,
    limit: int = 50_000,
    stdin: bytes = b"",
    report: Callable[[str], None] | None = None,
) -> Done:
    """Run the command. `limit` is how many characters of its output are kept; `report` is told all of them."""
    # A pipe of our own: asyncio would not say that a program has ended while something that it started holds the pipe.
    source, sink = os.pipe()
    with open(source, "rb", buffering=0) as pipe:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                cwd=cwd,
                env=None if environment is None else dict(environment),
                stdin=asyncio.subprocess.PIPE if stdin else asyncio.subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )
        finally:
            os.close(sink)
        return await _follow(process, pipe, stdin, _Output(limit, report), timeout)


async def _follow(
    process: asyncio.subprocess.Process, pipe: IO[bytes], stdin: bytes, output: _Output, timeout: float | None
) -> Done:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    reading = asyncio.create_task(_read(process, reader, stdin, output))
    is_late = False
    try:
        async with asyncio.timeout(timeout):
            await process.wait()
    except TimeoutError:
        is_late = True
    finally:
        await asyncio.shield(_end(process, reading))
        transport.close()
    return Done(output.text(), None if is_late else process.returncode, is_late)


async def _read(
    process: asyncio.subprocess.Process, reader: asyncio.StreamReader, stdin: bytes, output: _Output
) -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(stdin)
            await process.stdin.drain()
        process.stdin.close()
    while piece := await reader.read(_PIECE):
        output.add(piece)
    output.end()


async def _end(process: asyncio.subprocess.Process, reading: asyncio.Task[None]) -> None:
    """End the whole group, at first politely, and read what it has written."""
    if process.returncode is None:
        _signal(process, signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _PATIENCE)
    await asyncio.wait({reading}, timeout=_LINGER)
    _signal(process, signal.SIGKILL)
    await process.wait()
    await asyncio.wait({reading}, timeout=_PATIENCE)  # who has left the group may still hold the pipe
    reading.cancel()
    await asyncio.wait({reading})


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


class _Output:
    """Keeps the beginning and the end of a text; tells all of it to `report`."""

    def __init__(self, limit: int, report: Callable[[str], None] | None) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._report = report
        self._half = max(1, limit // 2)
        self._beginning: list[str] = []
        self._room = self._half
        self._last: deque[str] = deque()
        self._kept = 0  # characters in `_last`
        self._size = 0

    def add(self, piece: bytes) -> None:
        self._add(self._decoder.decode(piece))

    def end(self) -> None:
        self._add(self._decoder.decode(b"", final=True))

    def _add(self, text: str) -> None:
        if not text:
            return
        self._size += len(text)
        if self._report is not None:
            self._report(text)
        first, rest = text[: self._room], text[self._room :]
        self._room -= len(first)
        self._beginning.append(first)
        if rest:
            self._last.append(rest)
            self._kept += len(rest)
        while self._last and self._kept - len(self._last[0]) >= self._half:
            self._kept -= len(self._last.popleft())

    def text(self) -> str:
        beginning, end = "".join(self._beginning), "".join(self._last)[-self._half :]
        left_out = self._size - len(beginning) - len(end)
        middle = f"\n[… {left_out} characters were left out …]\n" if left_out else ""
        return beginning + middle + end
