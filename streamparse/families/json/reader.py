"""JsonReader: where a JSON value ends that is known to be one, read piece by piece.

    {"a": [1, "}"]}, and more
                   ^ reading ends here, however the text is cut

For calls that are certain. Their JSON may be broken, and then they still have to end somewhere, at the same place in
every format. So what stands between brackets and strings is not judged, and brackets count by these rules:

    {"a": [1} text      a `}` closes the lists that are open in its object, too
    {"a": 1]} text      a `]` without its `[` closes nothing
    [1} text            a `}` without its `{` is not the value's: the value has ended before it
    12} text            as a number or a word does, at the first character that cannot be part of it
    {"a": 1] text       so it has before a `]` in its outermost object, where that is known to stand in a list, unless
                        JSON goes on behind it, with a comma or another bracket

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
from typing import TypeAlias, cast

from streamparse.arguments.json_strings import LOOSE, LOOSE_TEXT, end_of
from streamparse.core.markers import BLANKS, Atom, Markers, compile_markers

#: The `match` of a pattern that matches nothing, too.
_Jump: TypeAlias = Callable[[str, int, int], re.Match[str]]
#: The `search` of one that may match nothing.
_Find: TypeAlias = Callable[[str, int, int], re.Match[str] | None]

_MARKS = '"{}[]'
_end_of_text = cast(_Jump, LOOSE_TEXT.match)
_SCALAR = re.compile(r"[^,;:{}\[\]\"\s<]*+")
_NO_MARKERS = compile_markers({})
#: The end of the list that a value stands in.
_LIST_END = compile_markers({"end": [("]", BLANKS, Atom(r"[^,}\] \t\r\n]"))]})


class _Search:
    """What a reader looks for that stops at `ends` and `doubts`, compiled once for all of them."""

    def __init__(self, ends: Markers, doubts: Markers) -> None:
        other = f"[^{re.escape(_MARKS + ends.heads)}]*+"
        #: Outside of strings, up to what matters: past whole strings …
        self.far = cast(_Jump, re.compile(rf'{other}(?:"{LOOSE}"{other})*+').match)
        #: … or past none.
        self.near = cast(_Jump, re.compile(other).match)
        self.triggers = _MARKS + ends.heads
        self.in_string_triggers = '"\\' + doubts.heads
        #: What may be the last bracket of the value, or the beginning of an end or a doubt.
        self.may_end = re.compile(f"[{re.escape('}]' + ends.heads + doubts.heads)}]").search
        self._doubts = doubts
        self._find_head = cast(_Find, re.compile(f"[{re.escape(doubts.heads)}]" if doubts.heads else "(?!)").search)
        self.find_doubt: _Find = self._find_first_doubt
        #: In a string: its end, half an escape, or what a doubt begins with; then, the doubt.
        self.look_closer: Callable[[str], object] = _look_closer(f"[{re.escape(doubts.heads)}]" if doubts.heads else "")

    def _find_first_doubt(self, buf: str, pos: int, end: int) -> re.Match[str] | None:
        """The first doubt in `buf[pos:end]`. The pattern is compiled when the first character of one is seen."""
        if self._find_head(buf, pos, end) is None:
            return None
        pattern = self._doubts.pattern
        self.find_doubt = cast(_Find, pattern.search)
        self.look_closer = _look_closer(pattern.pattern)
        return pattern.search(buf, pos, end)


def _look_closer(doubt: str) -> Callable[[str], object]:
    """What finds the end of a string, half an escape, or a `doubt`."""
    return re.compile(rf'\A{LOOSE}["\\]|{doubt}' if doubt else rf'\A{LOOSE}["\\]', re.ASCII).search


_search = lru_cache(maxsize=128)(_Search)


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

    is_done = False
    is_ended = False
    is_doubtful = False
    in_string = False
    may_be_done = False  # a bracket is left unread which ends the value if nothing follows
    _is_scalar = False  # a number or a word has begun
    _is_escaped = False  # the last character was a backslash in a string
    _is_trusted = False  # the string that is open is one, whatever is in it

    def __init__(
        self, ends: Markers = _NO_MARKERS, doubts: Markers = _NO_MARKERS, depth: int = 0, in_list: bool = False
    ) -> None:
        self._ends = ends
        self._doubts = doubts
        self._search = _search(ends, doubts)
        self._next_mark = self._search.far
        self._has_doubts = self._looks_into_jumps = bool(doubts.heads)
        self._lists = [0] * (depth + 1)  # how many lists are open: outside of all objects, and in each that is open
        self._in_list = in_list
        self._is_nested = depth > 0  # in brackets or in a string

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""
        if self._is_escaped or not self._is_nested:
            return None
        return self._search.in_string_triggers if self.in_string else self._search.triggers

    @property
    def look_closer(self) -> Callable[[str], object] | None:
        """Whether a chunk matters that has one of the triggers; None if each does."""
        return self._search.look_closer if self.in_string else None

    @property
    def may_end(self) -> Callable[[str], object] | None:
        """In brackets, and in no string of these: whether the value may end in a text, or what may end it begins there.

        That is so wherever the strings of the text begin and end.
        """
        is_between = self._is_nested and not self.in_string and (len(self._lists) > 1 or self._lists[0] > 0)
        return self._search.may_end if is_between else None

    @property
    def is_unclosed(self) -> bool:
        """Whether the value is a list that has not closed, even if it has ended."""
        return self._lists[0] > 0

    def ignores_blanks(self, buf: str, pos: int) -> bool:
        """Whether what was left unread may become a marker however many blanks come next."""
        if pos == len(buf):
            return False
        markers = _LIST_END if buf.startswith("]", pos) and self._in_list else self._ends
        return (self._doubts if self.in_string else markers).ignores_blanks(buf, pos)

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came: behind the value, to a marker, or to the end."""
        if not self._is_nested:
            pos = self._begin(buf, pos, end)
        lists, heads, next_mark = self._lists, self._ends.heads, self._next_mark
        while pos < end and not self.is_done:
            if self.in_string:
                pos = self._read_doubting(buf, pos, end) if self._has_doubts else self.read_string(buf, pos, end)
                if self.in_string:
                    break  # it goes on behind the end, or there is a doubt
                continue
            start, pos = pos, next_mark(buf, pos, end).end()
            if self._looks_into_jumps and self._is_doubtful_jump(buf, start, pos):
                pos, next_mark = start, self._next_mark
                continue
            if pos == end:
                break
            mark = buf[pos]
            if heads and mark in heads and self._is_end(buf, pos, end):
                break
            if mark == '"':
                self.in_string = True
            elif mark == "{":
                lists.append(0)
            elif mark == "[":
                lists[-1] += 1
            elif mark == "}" and len(lists) > 2:  # as mostly: it cannot be the last
                lists.pop()
            elif mark == "]" and lists[-1] and len(lists) > 1:  # nor can this one
                lists[-1] -= 1
            elif mark in _MARKS and self._close(mark, buf, pos, end):
                break
            pos += 1
        return pos

    def _begin(self, buf: str, pos: int, end: int) -> int:
        """At the first character of the value, or in a number or a word, of which each character may be the last."""
        mark = buf[pos : min(pos + 1, end)]
        if self._is_scalar or not mark or mark not in '"{[':
            self._is_scalar = self._is_scalar or bool(mark)
            pos = end_of(_SCALAR, buf, pos, end)
            self.is_done = pos < end
            return pos
        self._is_nested = True
        if mark == '"':
            self.in_string = True
        elif mark == "{":
            self._lists.append(0)
        else:
            self._lists[0] = 1
        return pos + 1

    # -- brackets -----------------------------------------------------------------------------------------------------

    def _is_end(self, buf: str, pos: int, end: int) -> bool:
        """Whether a marker stands here that ends the value, or what may become one."""
        match = self._ends.pattern.match(buf, pos, end)
        if match is None:
            return False
        self.is_ended = match.lastindex is not None
        return True

    def _is_doubtful_jump(self, buf: str, pos: int, end: int) -> bool:
        """Whether a string has been jumped over that is to be doubted. From then on one string is read at a time."""
        if self._search.find_doubt(buf, pos, end) is None:
            return False
        self._looks_into_jumps = False
        self._next_mark = self._search.near
        return True

    def _close(self, bracket: str, buf: str, pos: int, end: int) -> bool:
        """Close what the bracket closes; whether it is not the value's own, or may not be."""
        lists = self._lists
        if bracket == "]" and not lists[-1]:
            return self._is_list_end(buf, pos, end)
        if bracket == "]":
            lists[-1] -= 1
        elif len(lists) > 1:
            lists.pop()
        else:
            self.is_done = True
            return True
        self.is_done = len(lists) == 1 and not lists[0]
        return False

    def _is_list_end(self, buf: str, pos: int, end: int) -> bool:
        """Whether a `]` without its `[` is that of the list around the value, or may be. Else it closes nothing."""
        match = _LIST_END.pattern.match(buf, pos, end) if self._in_list and len(self._lists) == 2 else None
        self.may_be_done = match is not None
        self.is_done = match is not None and match.lastindex is not None
        return self.may_be_done

    # -- strings ------------------------------------------------------------------------------------------------------

    def read_string(self, buf: str, pos: int, end: int) -> int:
        """Read on in the string that is open, whatever is in it, and return how far it came."""
        if self._is_escaped and pos < end:
            self._is_escaped = False
            pos += 1
        pos = _end_of_text(buf, pos, end).end()
        if pos == end:
            return pos
        if buf[pos] == "\\":  # what it escapes is not there yet
            self._is_escaped = True
            return pos + 1
        self.in_string = self._is_trusted = self.is_doubtful = False
        self.is_done = len(self._lists) == 1 and not self._lists[0]
        return pos + 1

    def trust(self) -> None:
        """The string that is open is one, whatever is in it; or, if it was read to its end, it was one."""
        self._is_trusted = self.in_string
        self.is_doubtful = False

    def _read_doubting(self, buf: str, pos: int, end: int) -> int:
        """Read on in the string that is open, up to a doubt."""
        if self._is_trusted:
            return self.read_string(buf, pos, end)
        if self._is_escaped:
            self._is_escaped = False
            pos += 1
        stop = _end_of_text(buf, pos, end).end()
        doubt = self._find_doubt(buf, pos, stop)
        if doubt is not None and (doubt.lastindex is not None or self._is_cut(buf, doubt.start(), stop, end)):
            self.is_doubtful = doubt.lastindex is not None
            return doubt.start()
        return self.read_string(buf, stop, end)

    def _find_doubt(self, buf: str, pos: int, end: int) -> re.Match[str] | None:
        """The first of the doubts in `buf[pos:end]`; what is escaped begins none."""
        match = self._search.find_doubt(buf, pos, end)
        while match is not None and _is_escaped(buf, pos, match.start()):
            match = self._search.find_doubt(buf, match.start() + 1, end)
        return match

    def _is_cut(self, buf: str, start: int, stop: int, end: int) -> bool:
        """Whether a doubt may go on behind `stop`: all is read, or all but half an escape, which may be part of it."""
        is_half = buf[stop:end] == "\\"
        return stop == end or (is_half and self._doubts.pattern.match(buf, start, end) is not None)
