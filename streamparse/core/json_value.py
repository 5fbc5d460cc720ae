"""JsonValue: where a JSON value ends that is known to be one, read piece by piece.

    {"a": [1, "}"]}, and more
                   ^ reading ends here, however the text is cut

For the arguments of a call that is certain: what stands in them is not judged, so that a broken value ends somewhere,
too. Only strings and the depth of brackets are followed: O(n), jumping from one to the next. Characters that are no
JSON, outside of strings, can be told to stop at: the call's end may begin there, before all brackets are closed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from streamparse.core.json_lexer import LOOSE_TEXT

_MARKS = '"{}[]'
_STRING = re.compile(LOOSE_TEXT, re.DOTALL)
_SCALAR = re.compile(r"[^,;:{}\[\]\"\s<]*+")


@lru_cache(maxsize=64)
def _marks(stops: str) -> re.Pattern[str]:
    other = f"[^{re.escape(_MARKS + stops)}]*+"
    return re.compile(rf'{other}(?:"{LOOSE_TEXT}"{other})*+', re.DOTALL)


class JsonValue:
    """Reads one value until it `is_done`. The first character it is given is the first of the value.

    With a `depth`, so many brackets have been opened already.

    It also stops before any of `stops` outside of a string: then it `is_stopped`, until it is given more to read.
    """

    __slots__ = ("_depth", "_in_string", "_is_begun", "_is_escaped", "_is_scalar", "_stops", "is_done", "is_stopped")

    def __init__(self, stops: str = "", depth: int = 0) -> None:
        self._stops = stops
        self.is_done = False
        self.is_stopped = False
        self._is_begun = depth > 0
        self._is_scalar = False
        self._depth = depth
        self._in_string = False
        self._is_escaped = False  # the last character was a backslash in a string

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""
        if self._is_scalar or self._is_escaped or not self._is_begun:
            return None
        return '"\\' if self._in_string else _MARKS + self._stops

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came: behind the value, or to the end."""
        if pos < end and not self._is_begun:
            self._is_begun = True
            self._is_scalar = buf[pos] not in '"{['
            if buf[pos] == '"':
                self._in_string = True
                pos += 1
        if self._is_scalar:
            match = _SCALAR.match(buf, pos, end)
            assert match is not None  # it matches nothing, too
            self.is_done = match.end() < end
            return match.end()
        self.is_stopped = False
        while pos < end and not self.is_done and not self.is_stopped:
            pos = self._read_string(buf, pos, end) if self._in_string else self._read_mark(buf, pos, end)
        return pos

    def _read_mark(self, buf: str, pos: int, end: int) -> int:
        match = _marks(self._stops).match(buf, pos, end)
        assert match is not None  # it matches nothing, too
        pos = match.end()
        if pos == end:
            return pos
        mark = buf[pos]
        if mark in self._stops:
            self.is_stopped = True
            return pos
        if mark == '"':
            self._in_string = True
        elif mark in "{[":
            self._depth += 1
        else:
            self._depth -= 1
            self.is_done = self._depth <= 0
        return pos + 1

    def _read_string(self, buf: str, pos: int, end: int) -> int:
        if self._is_escaped:
            self._is_escaped = False
            return pos + 1
        match = _STRING.match(buf, pos, end)
        assert match is not None  # it matches nothing, too
        pos = match.end()
        if pos < end:
            self._is_escaped = buf[pos] == "\\"
            self._in_string = self._is_escaped
            self.is_done = not self._in_string and not self._depth
            pos += 1
        return pos
