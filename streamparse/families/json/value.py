"""JsonValue: where a JSON value ends that is known to be one, read piece by piece.

    {"a": [1, "}"]}, and more
                   ^ reading ends here, however the text is cut

For the arguments of a call that is certain: what stands in them is not judged, so that a broken value ends somewhere,
too. Only strings and the depth of brackets are followed: O(n), jumping from one to the next. It can be told to stop at
markers: those that no JSON has outside of strings, and those that are a reason to doubt that a string was closed.

    {"a": 1 </call>             it has ended, before all brackets are closed
    {"a": "b} <call>{"c": 2}    a doubt: is `<call>{` part of a string, or was a quote forgotten?
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from streamparse.arguments.json_text import LOOSE_TEXT
from streamparse.core.markers import Markers, compile_markers

_MARKS = '"{}[]'
_STRING = re.compile(LOOSE_TEXT, re.DOTALL)
_SCALAR = re.compile(r"[^,;:{}\[\]\"\s<]*+")
_NO_MARKERS = compile_markers({})


@lru_cache(maxsize=128)
def _marks(stops: str, jumps: bool) -> re.Pattern[str]:
    """Up to a mark or a stop; strings that are whole are jumped over, or not."""
    other = f"[^{re.escape(_MARKS + stops)}]*+"
    return re.compile(rf'{other}(?:"{LOOSE_TEXT}"{other})*+' if jumps else other, re.DOTALL)


@lru_cache(maxsize=128)
def _string_marks(doubts: Markers) -> re.Pattern[str]:
    """In a string: its end, an escape, or a doubt."""
    return re.compile(rf'["\\]|{doubts.pattern.pattern}', doubts.pattern.flags)


def _is_escaped(buf: str, start: int, index: int) -> bool:
    """Whether a backslash escapes the character at `index`, in the part of a string that begins at `start`."""
    before = index
    while before > start and buf[before - 1] == "\\":
        before -= 1
    return (index - before) % 2 == 1


class JsonValue:
    """Reads one value until it `is_done`. The first character it is given is the first of the value.

    With a `depth`, so many brackets have been opened already.

    It also stops before any of `ends` outside of strings: then it `is_ended`; and before any of `doubts` in a string:
    then it `is_doubtful`. What may become one of them is left unread. A doubt must begin like an end.
    (`JsonBalance` is for calls that end with their brackets alone.)
    """

    __slots__ = (
        "_depth",
        "_doubts",
        "_ends",
        "_has_doubts",
        "_is_begun",
        "_is_escaped",
        "_is_scalar",
        "_is_stopped",
        "in_string",
        "is_done",
        "is_doubtful",
        "is_ended",
        "is_trusted",
    )

    def __init__(self, ends: Markers = _NO_MARKERS, doubts: Markers = _NO_MARKERS, depth: int = 0) -> None:
        self._ends = ends
        self._doubts = doubts
        self.is_done = False
        self.is_ended = False
        self.is_doubtful = False
        self.in_string = False
        self.is_trusted = False  # the string that is open is one, whatever is in it
        self._has_doubts = False  # from now on one string is read at a time
        self._is_stopped = False
        self._is_begun = depth > 0
        self._is_scalar = False
        self._depth = depth
        self._is_escaped = False  # the last character was a backslash in a string

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""
        if self._is_scalar or self._is_escaped or not self._is_begun:
            return None
        return '"\\' + self._doubts.heads if self.in_string else _MARKS + self._ends.heads

    @property
    def look_closer(self) -> Callable[[str], object] | None:
        """Whether a chunk matters that has one of the triggers; None if each does."""
        return _string_marks(self._doubts).search if self.in_string and self._doubts.heads else None

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came: behind the value, to a marker, or to the end."""
        if pos < end and not self._is_begun:
            self._is_begun = True
            self._is_scalar = buf[pos] not in '"{['
            if buf[pos] == '"':
                self.in_string = True
                pos += 1
        if self._is_scalar:
            match = _SCALAR.match(buf, pos, end)
            assert match is not None  # it matches nothing, too
            self.is_done = match.end() < end
            return match.end()
        self._is_stopped = False
        while pos < end and not self.is_done and not self._is_stopped:
            pos = self._read_string(buf, pos, end) if self.in_string else self._read_mark(buf, pos, end)
        return pos

    def _read_mark(self, buf: str, pos: int, end: int) -> int:
        pos = self._next_mark(buf, pos, end)
        if pos == end:
            return pos
        mark = buf[pos]
        if mark in self._ends.heads:
            match = self._ends.pattern.match(buf, pos, end)
            if match is not None:
                self._is_stopped = True
                self.is_ended = match.lastindex is not None
                return pos
        if mark == '"':
            self.in_string = True
        elif mark in "{[":
            self._depth += 1
        elif mark in "}]":
            self._depth -= 1
            self.is_done = self._depth <= 0
        return pos + 1

    def _next_mark(self, buf: str, pos: int, end: int) -> int:
        """Where the next character stands that matters; past strings, as long as none had a doubt in it."""
        pattern = _marks(self._ends.heads, not self._has_doubts)
        match = pattern.match(buf, pos, end)
        assert match is not None  # it matches nothing, too
        if self._has_doubts or self._doubts.pattern.search(buf, pos, match.end()) is None:
            return match.end()
        self._has_doubts = True
        return self._next_mark(buf, pos, end)

    def _read_string(self, buf: str, pos: int, end: int) -> int:
        if self._is_escaped:
            self._is_escaped = False
            return pos + 1
        if self.is_trusted:
            return self.read_string(buf, pos, end)
        match = _STRING.match(buf, pos, end)
        assert match is not None  # it matches nothing, too
        doubt = self._find_doubt(buf, pos, match.end())
        if doubt is not None and (doubt.lastindex is not None or self._is_cut(buf, doubt.start(), match.end(), end)):
            self._is_stopped = True
            self.is_doubtful = doubt.lastindex is not None
            return doubt.start()
        return self._close_string(buf, match.end(), end)

    def _find_doubt(self, buf: str, pos: int, end: int) -> re.Match[str] | None:
        """The first of the doubts in `buf[pos:end]`; what is escaped begins none."""
        match = self._doubts.pattern.search(buf, pos, end)
        while match is not None and _is_escaped(buf, pos, match.start()):
            match = self._doubts.pattern.search(buf, match.start() + 1, end)
        return match

    def _is_cut(self, buf: str, start: int, stop: int, end: int) -> bool:
        """Whether a doubt may go on behind `stop`: all is read, or all but half an escape, which may be part of it."""
        is_half = buf[stop:end] == "\\"
        return stop == end or (is_half and self._doubts.pattern.match(buf, start, end) is not None)

    def read_string(self, buf: str, pos: int, end: int) -> int:
        """Read on in the string that is open, whatever is in it, and return how far it came."""
        if self._is_escaped and pos < end:
            self._is_escaped = False
            pos += 1
        match = _STRING.match(buf, pos, end)
        assert match is not None  # it matches nothing, too
        return self._close_string(buf, match.end(), end)

    def _close_string(self, buf: str, pos: int, end: int) -> int:
        """At the quote, at a backslash that is cut, or at the end."""
        if pos == end:
            return pos
        self._is_escaped = buf[pos] == "\\"
        self.in_string = self._is_escaped
        if not self.in_string:
            self.is_trusted = self.is_doubtful = False
            self.is_done = not self._depth
        return pos + 1
