"""ParameterLimit: notices when a parameter of a call becomes longer than allowed.

A parameter is as long as its value: a string has its characters, a list or an object those of all strings in it, and
everything else counts as one. No value is longer than what was written, so a call need not be decoded until enough has
come for the last of its parameters to pass the limit. The streamed body of a file or a command is caught at the
character that passes it. In a call with many parameters, one may be noticed later, by an eighth of what the call is
longer than the limit, but never later than at its end: so all of that decoding is linear, too.
"""

from __future__ import annotations

from math import inf
from typing import Any

from streamparse.blocks.tool_use import ToolUse


class ParameterLimit:
    """Watches one call."""

    __slots__ = ("_block", "_due", "_most", "_size")

    def __init__(self, block: ToolUse, most: int) -> None:
        self._block = block
        self._most = most
        self._size = 0  # of the content
        self._due: float = 0  # the size at which parameters are measured again

    def is_passed_by(self, delta: str) -> bool:
        """Whether the limit is passed now that `delta` has come. That is said once."""
        self._size += len(delta)
        return self._size >= self._due and self.is_passed()

    def is_passed(self) -> bool:
        """Measure the parameters, and say when to do so again."""
        if self._due == inf:
            return False
        sizes = [measure(value) for value in self._block.params.values()]
        if max(sizes, default=0) > self._most:
            self._due = inf
            return True
        room = self._most - (sizes[-1] if sizes else 0)
        self._due = self._size + max(room, (self._size - self._most) // 8) + 1
        return False


def measure(value: Any) -> int:
    """How long a value is."""
    if isinstance(value, str):
        return len(value)
    size, rest = 0, [value]
    while rest:  # it may be nested deeper than Python calls
        value = rest.pop()
        if isinstance(value, dict):
            rest += (*value.keys(), *value.values())
        elif isinstance(value, list | tuple):
            rest += value
        else:
            size += len(value) if isinstance(value, str) else 1
    return size
