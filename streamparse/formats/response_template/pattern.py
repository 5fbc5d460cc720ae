r"""Patterns of response templates, as the parts that heads and markers are made of.

    \s*<tool_call>\s*<function=(?P<name>[^>\n]+)>       "<tool_call>", "<function=", the capture, ">"
    <\|channel\|>(?:final|answer)<\|message\|>          two ways: with "final", and with "answer"

A regular expression says when it matches; a parser of a stream must know as well what may still become a match. So a
pattern is taken apart into literal text and runs of characters of one kind, which `core/markers.py` can hold back.
Alternatives and what may be missing give several ways to write it. A run ends before the text that follows it in the
pattern, and has at most 256 characters. A pattern with anything else in it (repeated groups, lookarounds, references)
is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import dropwhile, product, takewhile
from typing import NamedTuple, TypeAlias

from streamparse.core.markers import BLANKS, SOME_BLANKS, Atom

#: The parts of one way to write a pattern: text, atoms, and captures, which are atoms.
Parts: TypeAlias = tuple[str, ...]
#: What a named group is, given the pattern of the run in it.
AsCapture: TypeAlias = Callable[[str, str], Atom]

#: The most characters of a run, and the most ways to write a pattern.
LONGEST, _MOST_WAYS = 256, 64
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}
#: The set of all characters.
ANY = r"[\s\S]"
_SETS = frozenset("wWdDsS")
_SET = re.compile(r"\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)
_QUANTIFIER = re.compile(r"([*+?]|\{([0-9]*)(,?)([0-9]*)\})[?+]?")
_GROUP = re.compile(r"\(\?P<(\w+)>|\(\?:|\((?!\?)")


class _Run(NamedTuple):
    """Characters of one kind, `set` as a pattern, and how many: at least `low`."""

    set: str
    low: int
    high: int
    group: str | None = None


#: One way to write a pattern, while it is read.
_Way: TypeAlias = tuple[str | _Run, ...]


def read_pattern(pattern: str, as_capture: AsCapture) -> list[Parts]:
    """The ways to write what `pattern` matches. Raises ValueError, which says what cannot be read.

    `as_capture` gives the atom of a named group, whose name and pattern it is told.
    """
    reader = _Reader(pattern)
    ways = reader.alternatives()
    if reader.pos != len(pattern):
        raise reader.error("a ) closes nothing")
    return [_parts(way, as_capture) for way in dict.fromkeys(ways)]


class _Reader:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.pos = 0

    def error(self, what: str) -> ValueError:
        return ValueError(f"the pattern {self.pattern!r} cannot be used in a stream: {what} (at index {self.pos})")

    def alternatives(self) -> list[_Way]:
        """Up to a bracket that closes, or the end."""
        ways = self._sequence()
        while self.pattern.startswith("|", self.pos):
            self.pos += 1
            ways = [*ways, *self._sequence()]
        return ways

    def _sequence(self) -> list[_Way]:
        ways: list[_Way] = [()]
        while self.pos < len(self.pattern) and self.pattern[self.pos] not in "|)":
            items = self._quantified()
            ways = [(*way, *item) for way, item in product(ways, items)]
            if len(ways) > _MOST_WAYS:
                raise self.error(f"it can be written in more than {_MOST_WAYS} ways")
        return ways

    def _quantified(self) -> list[_Way]:
        """A character, a set or a group, and how often it comes."""
        group = _GROUP.match(self.pattern, self.pos)
        items: list[_Way] = self._group(group) if group else [(self._single(),)]
        quantifier = _QUANTIFIER.match(self.pattern, self.pos)
        if quantifier is None:
            return items
        low, high = _bounds(quantifier)
        if (low, high) == (0, 1) and (group or isinstance(items[0][0], str)):
            self.pos = quantifier.end()
            return [*items, ()]
        item = items[0][0] if len(items) == 1 and len(items[0]) == 1 else None
        if group or item is None:
            raise self.error("a group is repeated")
        self.pos = quantifier.end()
        return [(_Run(re.escape(item) if isinstance(item, str) else item.set, low, high),)]

    def _group(self, match: re.Match[str]) -> list[_Way]:
        begin, self.pos = self.pos, match.end()
        items = self.alternatives()
        if not self.pattern.startswith(")", self.pos):
            self.pos = begin
            raise self.error("a group is not closed")
        self.pos += 1
        if match[1] is None:
            return items
        if len(items) != 1 or len(items[0]) != 1 or isinstance(items[0][0], str):
            self.pos = begin
            raise self.error(f"the group {match[1]!r} must be characters of one kind, such as [^<]+")
        return [(items[0][0]._replace(group=match[1]),)]

    def _single(self) -> str | _Run:
        """A character, or one of a set of them."""
        character = self.pattern[self.pos]
        if character == "\\":
            return self._escape()
        if character == "[":
            match = _SET.match(self.pattern, self.pos)
            if match is None:
                raise self.error("a set is not closed")
            self.pos = match.end()
            return _Run(match[0], 1, 1)
        if character in "^$*+?{(":
            raise self.error(f"{self.pattern[self.pos : self.pos + 3]!r} is not known here")
        self.pos += 1
        return _Run(ANY, 1, 1) if character == "." else character

    def _escape(self) -> str | _Run:
        escaped = self.pattern[self.pos + 1 : self.pos + 2]
        if escaped and escaped in _SETS:
            self.pos += 2
            return _Run(f"\\{escaped}", 1, 1)
        if (escaped.isalnum() and escaped not in _ESCAPES) or not escaped:
            raise self.error(f"{self.pattern[self.pos : self.pos + 2]!r} is not known here")
        self.pos += 2
        return _ESCAPES.get(escaped, escaped)


def _bounds(quantifier: re.Match[str]) -> tuple[int, int]:
    match quantifier[1]:
        case "*":
            return 0, LONGEST
        case "+":
            return 1, LONGEST
        case "?":
            return 0, 1
    low = int(quantifier[2] or 0)
    high = int(quantifier[4] or LONGEST) if quantifier[3] else low
    return min(low, LONGEST), min(high, LONGEST)


def _parts(way: _Way, as_capture: AsCapture) -> Parts:
    """Neighbouring characters are one text; a run ends where what follows it begins."""
    parts: list[str] = []
    for index, item in enumerate(way):
        if isinstance(item, _Run):
            parts.append(_atom(item, way[index + 1 :], as_capture))
        elif parts and not isinstance(parts[-1], Atom):
            parts[-1] += item
        else:
            parts.append(item)
    return tuple(parts)


def _atom(run: _Run, behind: _Way, as_capture: AsCapture) -> Atom:
    if run.set == r"\s" and run.group is None:
        return SOME_BLANKS if run.low else BLANKS
    # Blanks that may be missing do not end it: what stands behind them does.
    rest = list(dropwhile(lambda item: isinstance(item, _Run) and item.set == r"\s" and not item.low, behind))
    text = "".join(takewhile(lambda item: isinstance(item, str), rest))  # type: ignore[arg-type]
    if run.group is not None and run.set == ANY and not text:
        raise ValueError(f"the group {run.group!r} takes any character, and no text behind it says where it ends")
    end = f"(?!{re.escape(text)})" if text else ""
    pattern = f"(?:{end}{run.set}){{{run.low},{run.high}}}+"
    return Atom(pattern) if run.group is None else as_capture(run.group, pattern)
