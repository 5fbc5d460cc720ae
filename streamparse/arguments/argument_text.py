"""JsonArgumentStream: the arguments of a call as JSON text that only grows, whatever format the call is written in.

    stream = JsonArgumentStream()
    stream.feed({"path": "a.p"})                            '{"path": "a.p'
    stream.feed({"path": "a.py", "lines": [1]})             'y", "lines": [1'
    stream.finish({"path": "a.py", "lines": [1, 2]})        ', 2]}'

It is fed with snapshots, as `partial_arguments` gives them: each is the beginning of the next. What it returns is never
taken back, and all of it together is `json.dumps` of the arguments. A call that was cut off has no end: what was
written of it is not valid JSON, so nobody can take it for a call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import define

_string = json.JSONEncoder(ensure_ascii=False).encode


@define
class _Open:
    """A value that may grow, and how much of it was written: characters of a text, members of the others."""

    value: str | list[Any] | dict[str, Any]
    written: int = 0


class JsonArgumentStream:
    """Append-only JSON text of one call's arguments."""

    def __init__(self) -> None:
        self._open: list[_Open] = []  # from the arguments themselves to the last value in them
        self._is_finished = False

    def feed(self, arguments: Mapping[str, Any]) -> str:
        """The arguments so far; returns what is new of their text."""
        if self._is_finished:
            return ""
        text: list[str] = []
        self._grow(0, dict(arguments), text)
        return "".join(text)

    def finish(self, arguments: Mapping[str, Any]) -> str:
        """All arguments of a complete call; returns the rest of their text. Raises ValueError if they are others."""
        text = [self.feed(arguments)]
        if not self._is_finished:
            self._is_finished = True
            self._close(0, text)
        return "".join(text)

    def _grow(self, depth: int, value: Any, text: list[str]) -> None:
        """Write what is new in a value; the values that may go on growing stay open."""
        if depth == len(self._open):
            self._begin(value, text)
            return
        known = self._open[depth]
        if type(value) is not type(known.value) or len(value) < known.written:
            raise ValueError("the arguments of a call have changed while it was written")
        if isinstance(value, str):
            text.append(_string(value[known.written :])[1:-1])
            known.written = len(value)
            return
        items: list[tuple[str | None, Any]] = (
            list(value.items()) if isinstance(value, dict) else [(None, item) for item in value]
        )
        last = known.written - 1
        if last >= 0 and depth + 1 < len(self._open):
            self._grow(depth + 1, items[last][1], text)
        self._write_members(depth, known, items, text)
        known.value = value

    def _write_members(self, depth: int, known: _Open, items: list[tuple[str | None, Any]], text: list[str]) -> None:
        """Write the members that are new. When one follows, the one before it is complete."""
        for number in range(known.written, len(items)):
            if number:
                self._close(depth + 1, text)
                text.append(", ")
            name, item = items[number]
            if name is not None:
                text.append(f"{_string(name)}: ")
            known.written = number + 1
            self._begin(item, text)

    def _begin(self, value: Any, text: list[str]) -> None:
        """Write a value that was not there before."""
        if not isinstance(value, str | list | dict):
            text.append(json.dumps(value, ensure_ascii=False))
            return
        text.append('"' if isinstance(value, str) else "[" if isinstance(value, list) else "{")
        self._open.append(_Open(value))
        self._grow(len(self._open) - 1, value, text)

    def _close(self, depth: int, text: list[str]) -> None:
        """Nothing more comes of the values from `depth` on."""
        while len(self._open) > depth:
            value = self._open.pop().value
            text.append('"' if isinstance(value, str) else "]" if isinstance(value, list) else "}")
