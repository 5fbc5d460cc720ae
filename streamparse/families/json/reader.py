"""JsonReader: where a JSON value ends that is known to be one, read piece by piece.

    {"a": [1, "}"]}, and more
                   ^ reading ends here, however the text is cut

For calls that are certain. Their JSON may be broken, and then they still have to end somewhere, at the same place in
every format. So what stands between brackets and strings is not judged, and brackets count by these rules:

    {"a": [1} text      a `}` closes the lists that are open in its object, too
    {"a": 1]} text      a `]` without its `[` closes nothing
    [1} text            a `}` without its `{` is not the value's: the value has ended before it
    {"a": 1] text       neither is a `]` in its outermost object, where that is known to stand in a list, unless JSON
                        goes on behind it, with a comma or another bracket
    12} text            as a number or a word does, at the first character that cannot be part of it

The reader can be told to stop at markers: those that no JSON has outside of strings, and those that are a reason to
doubt that a string was closed.

    {"a": 1 </call>             it has ended, before all brackets are closed
    {"a": "b} <call>{"c": 2}    a doubt: is `<call>{` part of a string, or was a quote forgotten?

Only strings and brackets are followed, and whole strings are jumped over: O(n). `JsonLexer` (in `lexer.py`) is for text
of which it has yet to be seen whether it is JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from streamparse.arguments.json_strings import LOOSE, LOOSE_TEXT, end_of
from streamparse.core.markers import BLANKS, Atom, Markers, compile_markers

_MARKS = '"{}[]'
_SCALAR = re.compile(r"[^,;:{}\[\]\"\s<]*+")
_NO_MARKERS = compile_markers({})
#: The end of the list that a value stands in.
_LIST_END = compile_markers({"end": [("]", BLANKS, Atom(r"[^,}\]\s]"))]})


@lru_cache(maxsize=128)
def _between(stops: str, jumps: bool) -> re.Pattern[str]:
    """Up to a mark or a stop; strings that are whole are jumped over, or not."""
    other = f"[^{re.escape(_MARKS + stops)}]*+"
    return re.compile(rf'{other}(?:"{LOOSE}"{other})*+' if jumps else other)


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


class JsonReader:
    """Reads one value until it `is_done`. The first character it is given is the first of the value.

    With a `depth`, reading begins inside of so many objects, and ends with the outermost of them; `in_list` says that
    this one stands in a list.

    It also stops before any of `ends` outside of strings: then it `is_ended`; and before any of `doubts` in a string:
    then it `is_doubtful`, until the string has been read with `read_string` or is trusted. What may become one of them
    is left unread. A doubt must begin like an end.
    """

    __slots__ = (
        "_between",
        "_doubts",
        "_ends",
        "_in_list",
        "_is_begun",
        "_is_escaped",
        "_is_scalar",
        "_is_stopped",
        "_is_trusted",
        "_lists",
        "_looks_into_strings",
        "in_string",
        "is_done",
        "is_doubtful",
        "is_ended",
    )

    def __init__(
        self,
        ends: Markers = _NO_MARKERS,
        doubts: Markers = _NO_MARKERS,
        depth: int = 0,
        *,
        in_list: bool = False,
    ) -> None:
        self.is_done = False
        self.is_ended = False
        self.is_doubtful = False
        self.in_string = False
        self._ends = ends
        self._doubts = doubts
        self._between = _between(ends.heads, True)
        self._looks_into_strings = bool(doubts.heads)  # where whole strings are jumped over: is there a doubt in them?
        self._lists = [0] * (depth + 1)  # how many lists are open: outside of all objects, and in each that is open
        self._in_list = in_list
        self._is_begun = depth > 0
        self._is_scalar = False
        self._is_escaped = False  # the last character was a backslash in a string
        self._is_stopped = False  # a marker stands here, or what may become one
        self._is_trusted = False  # the string that is open is one, whatever is in it

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

    def ignores_blanks(self, buf: str, pos: int) -> bool:
        """Whether what was left unread may become a marker however many blanks come next."""
        markers = _LIST_END if buf.startswith("]", pos) and self._in_list else self._ends
        return (self._doubts if self.in_string else markers).ignores_blanks(buf, pos)

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came: behind the value, to a marker, or to the end."""
        if not self._is_begun and pos < end:
            self._is_begun = True
            self._is_scalar = buf[pos] not in '"{['
            if buf[pos] == '"':
                self.in_string = True
                pos += 1
        if self._is_scalar:
            pos = end_of(_SCALAR, buf, pos, end)
            self.is_done = pos < end
            return pos
        self._is_stopped = False
        while pos < end and not self.is_done and not self._is_stopped:
            pos = self._read_doubting(buf, pos, end) if self.in_string else self._read_mark(buf, pos, end)
        return pos

    # -- brackets -----------------------------------------------------------------------------------------------------

    def _read_mark(self, buf: str, pos: int, end: int) -> int:
        """Past all that does not matter, and past a quote or a bracket if one stands there."""
        start, pos = pos, end_of(self._between, buf, pos, end)
        if self._looks_into_strings and self._doubts.pattern.search(buf, start, pos) is not None:
            self._looks_into_strings = False  # from now on one string is read at a time
            self._between = _between(self._ends.heads, False)
            return start
        if pos == end:
            return pos
        mark = buf[pos]
        if mark in self._ends.heads and (match := self._ends.pattern.match(buf, pos, end)):
            self._is_stopped = True
            self.is_ended = match.lastindex is not None
        elif mark == '"':
            self.in_string = True
        elif mark in _MARKS:
            self._count(buf, pos, end)
        return pos if self._is_stopped else pos + 1

    def _count(self, buf: str, pos: int, end: int) -> None:
        """Open or close, at a bracket."""
        bracket, lists = buf[pos], self._lists
        if bracket == "[":
            lists[-1] += 1
        elif bracket == "{":
            lists.append(0)
        elif bracket == "]" and not lists[-1]:
            self._look_for_list_end(buf, pos, end)
        elif bracket == "}" and len(lists) == 1:  # of the object around the value
            self.is_done = self._is_stopped = True
        else:
            if bracket == "]":
                lists[-1] -= 1
            else:
                lists.pop()
            self.is_done = len(lists) == 1 and not lists[0]

    def _look_for_list_end(self, buf: str, pos: int, end: int) -> None:
        """At a `]` without its `[`: it closes nothing, or it may be that of the list around the value."""
        if self._in_list and len(self._lists) == 2 and (match := _LIST_END.pattern.match(buf, pos, end)):
            self._is_stopped = True
            self.is_done = match.lastindex is not None

    # -- strings ------------------------------------------------------------------------------------------------------

    def read_string(self, buf: str, pos: int, end: int) -> int:
        """Read on in the string that is open, whatever is in it, and return how far it came."""
        if self._is_escaped and pos < end:
            self._is_escaped = False
            pos += 1
        return self._close_string(buf, end_of(LOOSE_TEXT, buf, pos, end), end)

    def trust(self) -> None:
        """The string that is open is one, whatever is in it; or, if it was read to its end, it was one."""
        self._is_trusted = self.in_string
        self.is_doubtful = False

    def _read_doubting(self, buf: str, pos: int, end: int) -> int:
        """Read on in the string that is open, up to a doubt."""
        if self._is_trusted or not self._doubts.heads:
            return self.read_string(buf, pos, end)
        if self._is_escaped:
            self._is_escaped = False
            return pos + 1
        stop = end_of(LOOSE_TEXT, buf, pos, end)
        doubt = self._find_doubt(buf, pos, stop)
        if doubt is not None and (doubt.lastindex is not None or self._is_cut(buf, doubt.start(), stop, end)):
            self._is_stopped = True
            self.is_doubtful = doubt.lastindex is not None
            return doubt.start()
        return self._close_string(buf, stop, end)

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

    def _close_string(self, buf: str, pos: int, end: int) -> int:
        """At the quote, at a backslash that is cut, or at the end."""
        if pos == end:
            return pos
        self._is_escaped = buf[pos] == "\\"
        self.in_string = self._is_escaped
        if not self.in_string:
            self._is_trusted = self.is_doubtful = False
            self.is_done = len(self._lists) == 1 and not self._lists[0]
        return pos + 1
