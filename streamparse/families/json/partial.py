r"""JSON text that is not all there yet: what it says so far.

    {"path": "a.py", "lines": [1, 2          {"path": "a.py", "lines": [1]}
    {"text": "caf\u00e                       {"text": "caf"}
    {"exact": tru                            {}
    {"a": 1, b: 2}                           {"a": 1}

A string is shown as far as it is certain: half an escape is left out, and so is the first half of a surrogate pair. A
number may go on until something stands behind it; a word, or a key without its value, is nothing yet. Text that is no
JSON at some point says what stands before it. So each value is a prefix of the next: strings and lists grow, keys
come, nothing goes. If a key comes twice, the first value stays here, for it was shown; which one counts is told by the
text that is complete.

It is read in any number of pieces, and nothing is looked at more than a few times: O(n). Complete scalars are passed in
rows by one regular expression and read by `json`, so a step of the loop is a bracket, or a string that is cut. (jiter
could do it, too; but it shows `12` of `120`, it rejects what models write, such as raw line breaks in strings, and it
reads all of the text again.)
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from streamparse.arguments.json_strings import CERTAIN_TEXT, READABLE, decode_string, end_of, mend_escapes, repeat
from streamparse.arguments.json_text import JsonTextError, parse_json, parse_members

_B = r"[ \t\n\r]*+"
_STRING = f'"{READABLE}"'
_NUMBER = r"(?>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)(?=[ \t\n\r,\]}])"
_SCALAR = rf"(?:{_STRING}|{_NUMBER}|true|false|null)"
#: What ends a row: the opener of a container, or the quote of a string that is cut.
_OPEN = r'(?:([\[{])|("))'
_ROW, _CLOSER, _OPENER, _QUOTE = range(1, 5)


def _compile(before: str, closer: str) -> re.Pattern[str]:
    """A row of scalars, with what stands before each of them, and what ends the row. It matches anywhere."""
    return re.compile(rf"({repeat(before + _SCALAR)})(?:{_B}({closer})|{before}{_OPEN})?")


class _Patterns(dict[str, re.Pattern[str]]):
    """By the closer that is due, compiled when it first is."""

    def __missing__(self, closer: str) -> re.Pattern[str]:
        """Before all but the first in a container stands a comma; outside there is only a first."""
        match closer:
            case "":
                made = _compile(rf"\A{_B}", "(?!)")
            case "]":
                made = _compile(rf"(?:(?<=\[)|(?<!\[){_B},){_B}", r"\]")
            case _:
                made = _compile(rf"(?:(?<=\{{)|(?<!\{{){_B},){_B}{_STRING}{_B}:{_B}", r"\}")
        self[closer] = made
        return made


_PATTERNS = _Patterns()
_CLOSERS = {"[": "]", "{": "}"}
#: What may stand before a scalar.
_BEFORE = ", \t\r\n"

_NUMBERS = re.compile(rf"{_STRING}|({_NUMBER})")


class _Open(NamedTuple):
    """A list or an object that has not closed."""

    value: Any
    closer: str
    key: str  # its place in the object around it, if it stands in one


class PartialJson:
    """Reads one value piece by piece; `value` is what it says so far. Nothing is raised."""

    def __init__(self, max_depth: int) -> None:
        self._max_depth = max_depth
        self._buf = ""  # what is not read yet, and the character before it
        self._pos = 0
        self._path: list[_Open] = []
        self._text: str | None = None  # of the string that is open …
        self._key = ""  # … and its place, if it stands in an object
        self._whole: Any = None  # the value, when it is complete
        self._shown: Any = None  # the value so far, if nothing was read since someone has asked
        self._is_over = False  # nothing more is read: it is complete, or cannot be read

    def feed(self, text: str) -> None:
        """Read on."""
        if self._is_over:
            return
        if self._text is not None and self._pos == len(self._buf) and '"' not in text and "\\" not in text:
            self._text += text  # as nearly always
            self._shown = None
            return
        self._buf += text
        pos = self._pos
        while self._read_row() if self._text is None else self._read_string(self._text):
            pass
        if self._pos > pos:
            self._shown = None
            self._buf = self._buf[self._pos - 1 :]
            self._pos = 1

    def value(self, level: int | None = None) -> Any:
        """What is certain; None if nothing is. Containers that are open are copied, so no one will see them grow.

        With a `level`, what is open is left out, except for so many containers. Without one, it is the same object
        again if nothing was read since.
        """
        if level is None and self._shown is not None:
            return self._shown
        has_inner = self._text is not None and level is None
        value, key = (self._text, self._key) if has_inner else (self._whole, "")
        for outer in reversed(self._path if level is None else self._path[:level]):
            shown = outer.value.copy()
            if has_inner:
                _put(shown, key, value)
            value, key, has_inner = shown, outer.key, True
        if level is None:
            self._shown = value
        return value

    def _read_row(self) -> bool:
        """Pass complete scalars, and what stands behind them; False if that is not there yet."""
        buf, path = self._buf, self._path
        match = _PATTERNS[path[-1].closer if path else ""].match(buf, self._pos)
        assert match is not None  # it matches nothing, too
        if match[_ROW] and not self._take_row(match[_ROW]):
            return True
        kind, self._pos = match.lastindex, match.end(_ROW)
        if kind == _CLOSER:
            self._pos = match.end()
            closed = path.pop()
            self._add(closed.key, closed.value)
        elif kind == _OPENER and len(path) == self._max_depth:
            self._is_over = True
        elif kind in (_OPENER, _QUOTE):
            key = _read_key(buf[self._pos : match.start(kind)]) if path and path[-1].closer == "}" else ""
            self._pos = match.end()
            if kind == _QUOTE:
                self._text, self._key = "", key
            else:
                bracket = match[_OPENER]
                path.append(_Open({} if bracket == "{" else [], _CLOSERS[bracket], key))
        return kind != _ROW and not self._is_over

    def _take_row(self, row: str) -> bool:
        """Read complete scalars; False if Python does not read one of them: then the text ends there."""
        written, row = row, mend_escapes(row)
        try:
            if not self._path:
                self._add("", parse_json(row))
            elif self._path[-1].closer == "]":
                self._path[-1].value.extend(parse_json(f"[{row.lstrip(_BEFORE)}]"))
            else:
                for key, value in parse_members(f"{{{row.lstrip(_BEFORE)}}}"):
                    self._path[-1].value.setdefault(key, value)
        except JsonTextError:  # it is JSON, but for a number
            self._buf = self._buf[: self._pos + _find_unreadable(f"{written} ")]
            self._is_over = True
            return False
        return True

    def _read_string(self, before: str) -> bool:
        """Read on in a string that was cut; False if it still is."""
        buf, pos = self._buf, self._pos
        stop = pos if buf.startswith("\\", pos) else buf.find('"', pos)  # not beyond an escape that is none (yet)
        stop = len(buf) if stop < 0 else stop
        piece = buf[pos:stop]
        if stop == pos or "\\" in piece:
            stop = end_of(CERTAIN_TEXT, buf, pos, len(buf))
            piece = decode_string(buf[pos:stop]) or ""
        text = self._text = before + piece
        self._pos = stop
        if buf[stop : stop + 1] != '"':
            return False
        self._pos += 1
        self._text = None
        self._add(self._key, text)
        return not self._is_over

    def _add(self, key: str, value: Any) -> None:
        """A value is complete."""
        if self._path:
            _put(self._path[-1].value, key, value)
        else:
            self._whole = value
            self._is_over = True


def _put(container: Any, key: str, value: Any) -> None:
    if isinstance(container, dict):
        container.setdefault(key, value)
    else:
        container.append(value)


def _read_key(text: str) -> str:
    """The key of a member, in the text before its value."""
    return decode_string(text[text.index('"') + 1 : text.rindex('"')]) or ""


def read_partial(text: str, max_depth: int) -> Any:
    """The value of `text`, which may be cut anywhere; None if nothing of it is certain. It never raises."""
    return read_complete(text, max_depth, None)


def read_complete(text: str, max_depth: int, level: int | None) -> Any:
    """The same without what is open, except for `level` containers: what is in them is complete."""
    reader = PartialJson(max_depth)
    reader.feed(text)
    return reader.value(level)


def _find_unreadable(text: str) -> int:
    """Where the first number begins that Python does not read: it has too many digits, or is too large."""
    return next(match.start() for match in _NUMBERS.finditer(text) if match[1] and not _is_readable(match[1]))


def _is_readable(number: str) -> bool:
    try:
        parse_json(number)
    except JsonTextError:
        return False
    return True
