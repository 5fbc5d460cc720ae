"""SessionLog: the messages of a conversation in a file, a line for each turn, so that it can be resumed.

    {"type": "TURN", "messages": [{"role": "user", "content": "Add a test."}]}
    {"type": "TURN", "messages": [{"role": "assistant", …}, {"role": "tool", …}], "usage": {"input": 812, "output": 40}}

A reply and the results of its calls are one line. Whoever is killed while a line is written loses that line, and none
before it: a call never stands there without its result. A file has one conversation: if somebody else has written to it
since it was read, nothing is added to it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from streamparse.errors import StreamparseError
from streamparse.outcome import Usage

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows: that there is one writer at a time is up to the user
    fcntl = None  # type: ignore[assignment]


class SessionLogError(StreamparseError):
    """The file is no log of a session, and the message names the line; or somebody else writes to it."""


class SessionLog:
    """Appends to the file at `path`, which is made if there is none."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._size: int | None = None  # how many bytes it had when it was read or written here, all in whole lines

    def read(self) -> list[dict[str, Any]]:
        """All messages so far. A last line that was cut off is removed. Raises SessionLogError for another file."""
        try:
            with self._path.open("rb") as file:
                _lock(file)
                return self._messages_in(file.read())
        except FileNotFoundError:
            self._size = 0
            return []

    def _messages_in(self, data: bytes) -> list[dict[str, Any]]:
        whole = data[: data.rfind(b"\n") + 1]
        messages: list[dict[str, Any]] = []
        for number, line in enumerate(whole.splitlines(), 1):
            messages += self._turn(line, number)
        if len(whole) < len(data):
            if not data[len(whole) :].startswith(_BEGINNING[: len(data) - len(whole)]):
                raise SessionLogError(f"{self._path} is no log of a session")
            os.truncate(self._path, len(whole))
        self._size = len(whole)
        return messages

    def _turn(self, line: bytes, number: int) -> list[dict[str, Any]]:
        try:
            messages = json.loads(line)["messages"]
            if not isinstance(messages, list) or not all(isinstance(message["role"], str) for message in messages):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise SessionLogError(f"{self._path}, line {number}: not a turn of a session") from error
        return messages

    def append(self, messages: Sequence[dict[str, Any]], usage: Usage | None = None) -> None:
        """One more turn: the whole line is on the disk, or nothing of it.

        Raises SessionLogError if somebody else has written to the file.
        """
        if self._size is None:
            self.read()
        turn: dict[str, Any] = {"type": "TURN", "messages": list(messages)}
        if usage is not None:
            turn["usage"] = usage.to_dict()
        line = json.dumps(turn, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        with self._path.open("ab", buffering=0) as file:
            _lock(file)
            size = os.fstat(file.fileno()).st_size
            if size != self._size:
                raise SessionLogError(f"{self._path} was changed meanwhile: another program writes to it")
            try:
                self._size += len(line)
                while line:
                    line = line[file.write(line) :]
                os.fsync(file.fileno())
            except BaseException:
                os.truncate(self._path, size)  # such as a full disk: the next line must not stand behind half of one
                self._size = size
                raise


def _lock(file: IO[bytes]) -> None:
    """Until it is closed, nobody else reads or writes a line of it."""
    if fcntl is not None:  # pragma: no branch
        fcntl.flock(file, fcntl.LOCK_EX)


_BEGINNING = b'{"type": "TURN", '
