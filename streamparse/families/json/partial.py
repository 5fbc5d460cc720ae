r"""JSON text that is not all there yet: what it says so far.

    {"path": "a.py", "lines": [1, 2          {"path": "a.py", "lines": [1]}
    {"text": "caf\u00e                       {"text": "caf"}
    {"exact": tru                            {}
    {"a": 1, b: 2}                           {"a": 1}

A string is shown as far as it is certain: half an escape is left out, and so is the first half of a surrogate pair. A
number may go on until something stands behind it; a word, or a key without its value, is nothing yet. Text that is no
JSON at some point says what stands before it. So each value is a prefix of the next: strings and lists grow, keys
come, nothing goes. (Unless a key comes twice: then, as always in JSON, the last one counts.)

The text is not read by a parser of its own: one pass finds where it can be cut and which brackets are open there, then
`json` reads it. Complete scalars are passed in rows by one regular expression, so a step of the loop is a bracket, and
nothing is looked at more than a few times: O(n). (jiter could do it, too; but it shows `12` of `120`, and it rejects
what models write, such as raw line breaks in strings.)
"""

from __future__ import annotations

import re
from typing import Any

from streamparse.arguments.json_strings import CERTAIN_TEXT, READABLE, end_of, repeat
from streamparse.arguments.json_text import JsonTextError, TooDeepError, parse_json

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


#: By the closer that is due. Before all but the first in a container stands a comma; outside there is only a first.
_PATTERNS = {
    "": _compile(rf"\A{_B}", "(?!)"),
    "]": _compile(rf"(?:(?<=\[)|(?<!\[){_B},){_B}", r"\]"),
    "}": _compile(rf"(?:(?<=\{{)|(?<!\{{){_B},){_B}{_STRING}{_B}:{_B}", r"\}"),
}
_CLOSERS = {"[": "]", "{": "}"}

_NUMBERS = re.compile(rf"{_STRING}|({_NUMBER})")


def read_partial(text: str, max_depth: int) -> Any:
    """The value of `text`, which may be cut anywhere; None if nothing of it is certain. It never raises."""
    return _read(text, max_depth, None)


def read_complete(text: str, max_depth: int, level: int) -> Any:
    """The same without what is open, except for `level` containers: what is in them is complete."""
    return _read(text, max_depth, level)


def _read(text: str, max_depth: int, level: int | None) -> Any:
    closed = _close(text, max_depth, level)
    if not closed:
        return None
    try:
        return parse_json(closed)
    except TooDeepError:  # for Python, whatever the limit says
        return _read(text, max_depth // 2, level)
    except JsonTextError:  # it is JSON, but for a number that Python does not read
        return _read(text[: _find_unreadable(text)], max_depth, level)


def _close(text: str, max_depth: int, level: int | None) -> str:
    """`text` as far as it is certain, with the closers that are missing."""
    closers = [""]
    ends: list[int] = []  # where in each container the one that is open in it begins, with the comma before it
    pos = 0
    while True:
        match = _PATTERNS[closers[-1]].match(text, pos)
        assert match is not None
        kind = match.lastindex
        if kind == _CLOSER:
            ends.pop()
            closers.pop()
        elif kind == _OPENER and len(closers) <= max_depth:
            ends.append(match.end(_ROW))
            closers.append(_CLOSERS[match[_OPENER]])
        else:
            end = match.end(_ROW)
            break
        pos = match.end()
    if level is not None:
        end = [*ends, end][: level + 1][-1]
        del closers[level + 1 :]
    elif kind == _QUOTE:
        end = end_of(CERTAIN_TEXT, text, match.end(), len(text))
        closers.append('"')
    return text[:end] + "".join(reversed(closers))


def _find_unreadable(text: str) -> int:
    """Where the first number begins that Python does not read: it has too many digits, or is too large."""
    return next(match.start() for match in _NUMBERS.finditer(text) if match[1] and not _is_readable(match[1]))


def _is_readable(number: str) -> bool:
    try:
        parse_json(number)
    except JsonTextError:
        return False
    return True
