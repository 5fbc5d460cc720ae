"""SessionLog: the messages of a conversation in a file, a line for each turn, so that it can be resumed.

    {"type": "TURN", "messages": [{"role": "user", "content": "Add a test."}]}
    {"type": "TURN", "messages": [{"role": "assistant", …}, {"role": "tool", …}], "usage": {"input": 812, "output": 40}}

A reply and the results of its calls are one line. Whoever is killed while a line is written loses that line, and none
before it: a call never stands there without its result.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from streamparse.errors import StreamparseError
from streamparse.outcome import Usage


class SessionLogError(StreamparseError):
    """The file is no log of a session; the message names the line."""


class SessionLog:
    """Appends to the file at `path`, which is made if there is none."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._is_whole = False  # whether the last line is known to have its end

    def read(self) -> list[dict[str, Any]]:
        """All messages so far. A last line that was cut off is removed. Raises SessionLogError for another file."""
        if not self._path.exists():
            return []
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        messages: list[dict[str, Any]] = []
        for number, line in enumerate(whole.splitlines(), 1):
            messages += self._turn(line, number)
        if len(whole) < len(data):
            if not data[len(whole) :].startswith(_BEGINNING[: len(data) - len(whole)]):
                raise SessionLogError(f"{self._path} is no log of a session")
            os.truncate(self._path, len(whole))
        self._is_whole = True
        return messages

    def _turn(self, line: bytes, number: int) -> list[dict[str, Any]]:
        try:
            messages = json.loads(line)["messages"]
            if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
                raise TypeError
        except (ValueError, KeyError, TypeError) as error:
            raise SessionLogError(f"{self._path}, line {number}: not a turn of a session") from error
        return messages

    def append(self, messages: Sequence[dict[str, Any]], usage: Usage | None = None) -> None:
        """One more turn: the whole line is on the disk, or nothing of it."""
        if not self._is_whole:
            self.read()
        turn: dict[str, Any] = {"type": "TURN", "messages": list(messages)}
        if usage is not None:
            turn["usage"] = usage.to_dict()
        line = json.dumps(turn, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        with self._path.open("ab", buffering=0) as file:
            size = file.tell()
            try:
                while line:
                    line = line[file.write(line) :]
                os.fsync(file.fileno())
            except BaseException:
                os.truncate(self._path, size)  # such as a full disk: the next line must not stand behind half of one
                raise


_BEGINNING = b'{"type": "TURN", '
