"""PartialArgs: the arguments of a call that Gemini streams by path, as JSON text that grows.

    {"jsonPath": "$.city", "stringValue": "New "}       "city": "New
    {"jsonPath": "$.city", "stringValue": "York"}       York
    {"jsonPath": "$.days[0].n", "numberValue": 2}       ", "days": [{"n": 2
    {"jsonPath": "$.ok", "boolValue": true}             }], "ok": true

A value that belongs to something which is closed already cannot be written there any more. Its member of the arguments
is held from then on, and is written once more at the end, whole: of two members of one name, the last counts in JSON.
(A file or command of which something was shown is malformed then: it is given twice.)
A value whose path leads nowhere cannot be written at all: then the text is never closed, so that the call is not taken
for complete without it. O(n): pieces of a string are joined once.
"""

from __future__ import annotations

import math
import re
from typing import Any

from streamparse.providers.fields import Fields, either, text
from streamparse.providers.json_text import as_json, escaped

#: `$.a.b[0]['c']`: a name, an index, or a quoted name.
_STEP = re.compile(r"""\.?([^.\[\]'"$]+)|\[(\d{1,6})\]|\[(?:'([^']*)'|"([^"]*)")\]""")
#: More objects within each other than any tool takes.
_MAX_STEPS = 64


class _String:
    """A string that may be continued."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def __str__(self) -> str:
        return "".join(self.pieces)


class PartialArgs:
    """The values of one call, and how far they are written. The object is open from the beginning: `{`."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}
        self._path: list[int | str] = []  # of the value that was written last
        self._is_string = False  # it is a string, whose quote is open
        self._held: dict[str, None] = {}  # members that are written at the end
        self._is_lacking = False  # a value led nowhere

    def put(self, partial: Fields) -> str:
        """Take a value; the text that it adds."""
        path = _steps(text(partial, "json_path") or text(partial, "jsonPath"))
        if not self._leads_somewhere(path):
            self._is_lacking = True
            return ""
        name = str(path[0])
        is_continued = self._is_string and path == self._path
        is_next = self._is_next(path)
        value = _value(partial)
        self._set(path, value)
        if name in self._held or not (is_next or (is_continued and isinstance(value, str))):
            self._held[name] = None
            return ""
        return escaped(str(value)) if is_continued else self._write(path, value)

    def close(self) -> str:
        """The text that is left, when all values have come; none if one of them led nowhere."""
        if self._is_lacking:
            return ""
        closers = self._leave(0) if self._path else ""
        members = [f"{as_json(name)}: {_written(self._values[name])}" for name in self._held]
        return closers + (", " if members and self._path else "") + ", ".join(members) + "}"

    def _leads_somewhere(self, path: list[int | str]) -> bool:
        """Whether each step fits what is there; lists grow by one at a time."""
        if not path or len(path) > _MAX_STEPS:
            return False
        here: Any = self._values
        for step in path:
            if isinstance(here, dict):
                if not isinstance(step, str):
                    return False
                here = here.get(step)
            elif isinstance(here, list):
                if not isinstance(step, int) or step > len(here):
                    return False
                here = here[step] if step < len(here) else None
            elif isinstance(step, int) and step > 0:
                return False
            else:
                here = None
        return True

    def _is_next(self, path: list[int | str]) -> bool:
        """Whether a new value at `path` can be written behind the last one."""
        shared = self._shared(path)
        if shared in (len(path), len(self._path)) and self._path:
            return False  # it replaces what is written
        here: Any = self._values
        for step in path[:shared]:
            here = here[step]
        step = path[shared]
        return step not in here if isinstance(here, dict) else step == len(here)

    def _shared(self, path: list[int | str]) -> int:
        """How many steps `path` has in common with that of the last value."""
        shared = 0
        for step, last in zip(path, self._path, strict=False):
            if step != last:
                break
            shared += 1
        return shared

    def _set(self, path: list[int | str], value: object) -> None:
        """Put a value where its path leads; a string continues the string that is there."""
        here: Any = self._values
        for place, step in enumerate(path):
            if isinstance(here, list) and step == len(here):
                here.append(None)
            there = here.get(step) if isinstance(here, dict) else here[step]
            if place + 1 < len(path):
                if not isinstance(there, dict | list):
                    there = here[step] = [] if isinstance(path[place + 1], int) else {}
                here = there
            elif isinstance(value, str):
                string = there if isinstance(there, _String) else _String()
                string.pieces.append(value)
                here[step] = string
            else:
                here[step] = value

    def _write(self, path: list[int | str], value: object) -> str:
        """A new value: what the path leaves is closed, what it enters is opened."""
        shared = self._shared(path)
        pieces = [self._leave(shared) + ", "] if self._path else []
        for place, step in enumerate(path[shared:], shared):
            if place > shared:
                pieces.append("[" if isinstance(step, int) else "{")
            if isinstance(step, str):
                pieces.append(as_json(step) + ": ")
        self._path = path
        self._is_string = isinstance(value, str)
        pieces.append('"' + escaped(value) if isinstance(value, str) else _written(value))
        return "".join(pieces)

    def _leave(self, depth: int) -> str:
        """Close all that is open, down to the object or list that is `depth` steps deep."""
        closers = ["]" if isinstance(step, int) else "}" for step in self._path[depth + 1 :]]
        return ('"' if self._is_string else "") + "".join(reversed(closers))


def _steps(path: str) -> list[int | str]:
    found = _STEP.findall(path)
    return [int(number) if number else name or single or double for name, number, single, double in found]


def _value(partial: Fields) -> str | float | bool | None:
    piece = either(partial, "string_value")
    if isinstance(piece, str):
        return piece
    number, flag = either(partial, "number_value"), either(partial, "bool_value")
    if isinstance(number, float):
        return int(number) if number.is_integer() else number if math.isfinite(number) else None
    if isinstance(number, int):
        return number
    return flag if isinstance(flag, bool) else None


def _written(value: object) -> str:
    return as_json(value) or "null"
