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

from streamparse.outcome import Usage


class SessionLog:
    """Appends to the file at `path`, which is made if there is none."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def read(self) -> list[dict[str, Any]]:
        """All messages so far. A last line that was cut off is removed."""
        if not self._path.exists():
            return []
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.truncate(self._path, len(whole))
        messages: list[dict[str, Any]] = []
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                messages += json.loads(line)["messages"]
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{self._path}, line {number}: not a turn of a session") from error
        return messages

    def append(self, messages: Sequence[dict[str, Any]], usage: Usage | None = None) -> None:
        """One more turn."""
        turn: dict[str, Any] = {"type": "TURN", "messages": list(messages)}
        if usage is not None:
            turn["usage"] = usage.to_dict()
        with self._path.open("ab") as file:
            file.write(json.dumps(turn, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
            file.flush()
            os.fsync(file.fileno())
