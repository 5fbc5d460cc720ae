"""JsonMembers: the members of a JSON object, read from a scanner as they come.

    {"name": "f", "arguments": {"a": 1}, "id": "x"}
     ^ key  ^ value
           ^ colon    ^ separator

Keys, colons, values and separators are found here, and only here; what becomes of them is told by a subclass:

    candidate.py        Candidate: is it a call, a wrapper or data?
    object_state.py     JsonObjectCallState: the name is in START, the arguments are content, all else is swallowed
    fields.py           JsonFields: a sink is told the arguments, one of them decoded as it comes
    follower.py         CallFollower: the arguments of a whole call, which stand in it under some key

The phases are methods that return GO_ON or NEED_MORE, as those of a state:

    _at_key ── a key ──> _at_colon ── : ──> _at_value ──┬── a short string ──> _in_string ──┐
     ^    └ } ──> _end_object                           └── any other ──> what a subclass ──┤
     │                                                                    has for it        │
     └──────────────── , ──────────────── _at_separator <───────────────────────────────────┘
                                           └ } ──> _end_object

What stands there instead leads to `_fail`.
"""

from __future__ import annotations

import re
from abc import ABCMeta, abstractmethod

from streamparse.arguments.json_strings import LOOSE
from streamparse.core.scanner import StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress

#: A key, a name or an id stays in the buffer while it is cut, and is looked at again: so it must have an end.
LONGEST = 1_024
_TOO_LONG = f"a key, a name or an id is longer than {LONGEST} characters"
#: What the text lacks where it stops being JSON, by the phase; inside of a value nothing is judged.
EXPECTED: dict[str, str] = {
    "_at_key": "a key in double quotes was expected",
    "_at_colon": "a colon was expected behind a key",
    "_at_value": "a value was expected behind a colon",
    "_at_separator": "a comma or a closing brace was expected behind a value",
}


class JsonMembers(metaclass=ABCMeta):
    """Reads on from the cursor, which stands behind the brace of the object when the phase is `_at_key`."""

    _phase: str
    _scanner: StreamScanner
    _key = ""  # of the member that is being read
    _has_members = False
    #: A short string, with its quotes.
    _string = re.compile(f'"({LOOSE})"')

    # -- what a subclass says -----------------------------------------------------------------------------------------

    @abstractmethod
    def _take_key(self, text: str) -> Progress:
        """A key, as it is written between its quotes: set `_key`. NEED_MORE if all is decided by it."""

    def _behind_colon(self) -> Progress:
        """The key is one: a colon stands behind it. NEED_MORE if all is decided by that."""
        return GO_ON

    @abstractmethod
    def _begin_value(self, mark: str) -> Progress:
        """A value begins with `mark`: name the phase that reads it. `_in_string` is one, for short strings."""

    def _take_string(self, text: str) -> Progress:
        """A value that was read by `_in_string`, as it is written between its quotes."""
        return GO_ON

    @abstractmethod
    def _end_object(self) -> Progress:
        """The cursor stands at the brace that ends the object. In the phase `_at_key`, no member is before it."""

    @abstractmethod
    def _fail(self, why: str | None = None) -> Progress:
        """This is no JSON: `why`, or what is EXPECTED in this phase."""

    # -- phases -------------------------------------------------------------------------------------------------------

    def _at_key(self) -> Progress:
        mark = self._scanner.peek_past_blanks()
        if mark != '"':
            return self._end_object() if mark == "}" else self._fail() if mark else NEED_MORE
        text = self._read_string()
        if text is None:
            return self._wait_for_string()
        self._has_members = True
        self._phase = "_at_colon"
        return self._at_colon() if self._take_key(text) is GO_ON else NEED_MORE

    def _at_colon(self) -> Progress:
        mark = self._scanner.peek_past_blanks()
        if mark != ":":
            return self._fail() if mark else NEED_MORE
        self._scanner.pos += 1
        self._phase = "_at_value"
        return self._at_value() if self._behind_colon() is GO_ON else NEED_MORE

    def _at_value(self) -> Progress:
        mark = self._scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        return self._fail() if mark in ",:}]" else self._begin_value(mark)

    def _in_string(self) -> Progress:
        text = self._read_string()
        if text is None:
            return self._wait_for_string()
        self._phase = "_at_separator"
        return self._take_string(text)

    def _at_separator(self) -> Progress:
        mark = self._scanner.peek_past_blanks()
        if mark != ",":
            return self._end_object() if mark == "}" else self._fail() if mark else NEED_MORE
        self._scanner.pos += 1
        self._phase = "_at_key"
        return self._at_key()

    # -- short strings ------------------------------------------------------------------------------------------------

    def _read_string(self) -> str | None:
        """The string at the cursor, as it is written between its quotes; None if its end is not there."""
        scanner = self._scanner
        pos, end = scanner.pos, scanner.limit - scanner.base
        match = self._string.match(scanner.buf, pos, end if end < pos + LONGEST else pos + LONGEST)
        if match is None:
            return None
        scanner.pos = match.end()
        return match[1]

    def _wait_for_string(self) -> Progress:
        """The end of a string is not there: will it come?"""
        scanner = self._scanner
        if len(scanner.buf) - scanner.pos <= LONGEST:
            return NEED_MORE  # as mostly
        return self._fail(_TOO_LONG) if scanner.end - scanner.pos > LONGEST else NEED_MORE
