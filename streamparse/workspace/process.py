"""Running a program: in a group of its own that is ended as a whole, its output given on as it comes, and kept in part.

    done = await run_process(["make", "test"], cwd=root, timeout=60, report=print)
    done.code, done.output, done.is_late

Whatever the program started is ended with it: when it ends by itself, when its time is up, and when nobody waits for
it any more. Where there is a `/proc`, that includes what has left the group: it is known by a variable of its
environment. What a program writes is read up to its end; the middle of a very long output is not kept.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import signal
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from attrs import frozen

from streamparse.presenter.excerpt import Excerpt
from streamparse.presenter.waiting import all_done

#: How long a program may take to end when it is told to, in seconds; and how long what it started may go on writing.
_PATIENCE = 2.0
_LINGER = 0.2
_PIECE = 65_536
#: The variable that tells what a program has started.
_MARK = "STREAMPARSE_PROCESS"
_PROCESSES = Path("/proc")
#: How often what has left the group is looked for.
_ROUNDS = 5

_T = TypeVar("_T")


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
    """Run the command; raises OSError if it cannot be started.

    `limit` is how many characters of its output are kept. `report` is told its output as it comes, but not more of it.
    """
    mark = uuid.uuid4().hex
    output = _Output(limit, report)
    async with _read_into(output) as (pipe, reading):
        with tempfile.TemporaryFile() as file:
            file.write(stdin)
            file.seek(0)
            starting = asyncio.create_subprocess_exec(
                *command,
                cwd=cwd,
                env={**(os.environ if environment is None else environment), _MARK: mark},
                stdin=file,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
            )
            process, is_late = await _follow(asyncio.create_task(starting), pipe, reading, mark, timeout)
    return Done(output.text(), None if is_late else process.returncode, is_late)


@asynccontextmanager
async def _read_into(output: _Output) -> AsyncIterator[tuple[IO[bytes], asyncio.Task[None]]]:
    """The end of a pipe that a program writes to, and the task that reads the other into `output`.

    A pipe of our own: asyncio would not say that a program has ended while something that it started holds the pipe.
    """
    reader = asyncio.StreamReader()
    source, sink = os.pipe()
    with open(source, "rb", buffering=0) as pipe, open(sink, "wb", buffering=0) as end:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        reading = asyncio.create_task(_read(reader, output))
        try:
            yield end, reading
        finally:
            transport.close()
            reading.cancel()
            await asyncio.wait({reading})


async def _undisturbed(task: asyncio.Task[_T]) -> _T:
    """What comes of something that does not take long; who is cancelled meanwhile is so behind it."""
    await all_done([task])
    return task.result()


async def _follow(
    starting: asyncio.Task[asyncio.subprocess.Process],
    pipe: IO[bytes],
    reading: asyncio.Task[None],
    mark: str,
    timeout: float | None,
) -> tuple[asyncio.subprocess.Process, bool]:
    """Wait until the process has ended, and end whatever it has left; whether its time was up. It holds the pipe."""
    try:
        process = await _undisturbed(starting)
    except asyncio.CancelledError:
        pipe.close()
        if starting.exception() is None:
            await _end(starting.result(), reading, mark)
        raise
    pipe.close()
    is_late = False
    try:
        async with asyncio.timeout(timeout):
            await process.wait()
    except TimeoutError:
        is_late = True
    finally:
        await _end(process, reading, mark)
    return process, is_late


async def _end(process: asyncio.subprocess.Process, reading: asyncio.Task[None], mark: str) -> None:
    """End the whole group, at first politely, and read what it has written. Who is cancelled again is not polite."""
    try:
        if process.returncode is None:
            _signal(process, signal.SIGTERM)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _PATIENCE)
        await asyncio.wait({reading}, timeout=_LINGER)
    finally:
        _signal(process, signal.SIGKILL)
        _end_marked(mark)
        await _undisturbed(asyncio.create_task(_wait_for_all(process, reading, mark)))


async def _wait_for_all(process: asyncio.subprocess.Process, reading: asyncio.Task[None], mark: str) -> None:
    """Wait until those are gone that were killed, and hold no pipe. Something that hides still may.

    What starts another program has no environment for a moment: so all are looked for again.
    """
    await process.wait()
    for _ in range(_ROUNDS):
        is_found = _end_marked(mark)
        await asyncio.wait({reading}, timeout=_PATIENCE / _ROUNDS)
        if reading.done() and not is_found:
            return


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _end_marked(mark: str) -> bool:
    """End what has left the group, such as a daemon, as long as it still has the mark; whether there was something."""
    wanted = f"{_MARK}={mark}".encode()
    found = [entry.name for entry in _PROCESSES.glob("[0-9]*") if wanted in _environment_of(entry)]
    for number in found:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(int(number), signal.SIGKILL)
    return bool(found)


def _environment_of(process: Path) -> bytes:
    try:
        return (process / "environ").read_bytes()
    except OSError:
        return b""  # another user's, or gone


async def _read(reader: asyncio.StreamReader, output: _Output) -> None:
    while piece := await reader.read(_PIECE):
        output.add(piece)
    output.add(b"", is_last=True)


class _Output:
    """The output of a program: `limit` characters of it are kept, and `report` is told as many of them as they come."""

    def __init__(self, limit: int, report: Callable[[str], None] | None) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._excerpt = Excerpt(limit)
        self._report = report
        self._unreported = limit

    def add(self, piece: bytes, *, is_last: bool = False) -> None:
        """The next bytes, which may end in the middle of a character."""
        text = self._decoder.decode(piece, is_last)
        self._excerpt.add(text)
        if self._report is None or not text or not self._unreported:
            return
        told = text[: self._unreported]
        self._unreported -= len(told)
        self._report(told)
        if not self._unreported:
            self._report("\n[… what follows is not shown while it runs …]\n")

    def text(self) -> str:
        """What is kept."""
        return self._excerpt.text()
