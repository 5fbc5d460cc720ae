"""LiteralReader: the name of an argument, and a value that is a literal of some language.

    ['a', {'b': 1}]         ["a", {"b": 1}]

What the languages have in common is here: strings, lists, objects and what separates their parts. A subclass reads what
is none of these. Iterative, so that no depth is too deep for Python; one pattern for each piece, so that reading is
linear; nothing is evaluated. Strings are those of `grammar.py`, by which the state tells where the call ends: so both
agree on what is in one. Where arguments begin and end is the matter of `follower.py`.
"""

from __future__ import annotations

import re
from math import isinf
from typing import Any, ClassVar, NamedTuple

from streamparse.arguments.decoder import ArgumentsError
from streamparse.core.markers import skip_blanks
from streamparse.families.literals.grammar import Literals


class Bare(NamedTuple):
    """A number or a word that stands in no quotes, where a string may do so, too: the schema tells which it is."""

    value: bool | int | float
    text: str


class LiteralReader:
    """Reads one text, which begins at index `start` of the arguments, if that is known."""

    literals: ClassVar[Literals]
    #: Whether all values may be written as strings, so that only the schema can tell what they are.
    are_texts: ClassVar[bool] = False
    #: Whether braces may hold items, without keys: a set, which is read as a list.
    has_sets: ClassVar[bool] = False
    #: A key that is not in quotes.
    bare_key: ClassVar[re.Pattern[str]] = re.compile("(?!)")
    #: What is said if there is none.
    no_key: ClassVar[str]

    def __init__(self, text: str, max_depth: int, start: int | None = 0, *, keeps_bare: bool = False) -> None:
        self.text = text
        self.pos = 0
        #: Whether one was read that may be a string.
        self.has_bare = False
        self._keeps_bare = keeps_bare
        self._max_depth = max_depth
        self._start = start

    # -- for subclasses -----------------------------------------------------------------------------------------------

    def read_scalar(self) -> Any:
        """A value that is neither nested nor a string."""
        raise NotImplementedError

    def has_half_name(self) -> bool:
        """Whether the text may be the beginning of a name, and of what separates that from the value."""
        try:
            self._read_key()
        except ArgumentsError:
            return True
        self.pos = 0
        return False

    def read_name(self) -> str | None:
        """The name of an argument, and what separates it from the value; None if it has no name."""
        return self._read_key()

    def peek(self) -> str:
        """The next character that is no blank; nothing at the end."""
        mark = self.text[self.pos : self.pos + 1]
        if mark > " ":  # no blank and not the end: most are like this, and there may be millions
            return mark
        self.pos = skip_blanks(self.text, self.pos)
        return self.text[self.pos : self.pos + 1]

    def bare(self, value: bool | float, text: str) -> bool | float | Bare:
        """A value that may be a string, which `text` would be: as both, if there is a schema to tell."""
        self.has_bare = self._keeps_bare
        return Bare(value, text) if self._keeps_bare else value

    def to_integer(self, digits: str, base: int = 10) -> int:
        """An integer that Python can write again."""
        try:
            return int(digits, base)
        except ValueError:
            raise self.error("a number has too many digits") from None

    def to_float(self, digits: str) -> float:
        """A number that is no infinity: no JSON has one."""
        value = float(digits)
        if isinf(value):
            raise self.error("a number is too large")
        return value

    def error(self, why: str) -> ArgumentsError:
        """What is wrong at the cursor."""
        where = "" if self._start is None else f" (at character {self._start + self.pos + 1})"
        return ArgumentsError(f"the arguments cannot be read: {why}{where}")

    # -- values -------------------------------------------------------------------------------------------------------

    def _read_string(self) -> str | None:
        """One string, or several that are one; None if there is none."""
        text, literals = self.text, self.literals
        found = None
        while match := literals.string.match(text, self.pos):
            if match.lastindex == 1:
                raise self.error("a string has no end")
            self.pos = match.end()
            index = match.lastindex or 0
            string = literals.decode(match[index], literals.all_quotes[index - 2], match[1])
            if literals.escapes is None:
                return string
            found = string if found is None else found + string
            self.peek()
        return found

    def _read_key(self) -> str:
        """The next key of an object, and the colon behind it."""
        self.peek()
        key = self._read_string()
        if key is None:
            match = self.bare_key.match(self.text, self.pos)
            if match is None:
                raise self.error(self.no_key)
            self.pos = match.end()
            key = match[0].rstrip()
        if self.peek() != ":":
            raise self.error("a colon was expected")
        self.pos += 1
        return key

    def _is_at_set(self) -> bool:
        """Whether what begins behind a brace is an item: a string without a colon behind it, or no string."""
        if not self.has_sets:
            return False
        start = self.pos
        is_key = self._read_string() is not None and self.peek() == ":"
        self.pos = start
        return not is_key

    def read_value(self) -> Any:
        """A value with all that is nested in it."""
        # What is open: the container, the bracket it began with, and the key of the value to come.
        stack: list[tuple[Any, str, str]] = []
        closers, heads = self.literals.nested, self.literals.string_heads
        while True:
            bracket = self.peek()
            value: Any
            if bracket in closers:
                if len(stack) >= self._max_depth:
                    raise ArgumentsError("the arguments are nested too deeply")
                self.pos += 1
                is_empty = self.peek() == closers[bracket]
                is_object = bracket == "{" and (is_empty or not self._is_at_set())
                value = {} if is_object else []
                if not is_empty:
                    stack.append((value, bracket, self._read_key() if is_object else ""))
                    continue
                self.pos += 1
            elif bracket not in heads or (value := self._read_string()) is None:
                value = self.read_scalar()
            while stack:
                container, bracket, key = stack.pop()
                is_object = isinstance(container, dict)
                if is_object:
                    container[key] = value
                else:
                    container.append(value)
                mark = self.peek()
                has_comma = mark == ","
                if has_comma:
                    self.pos += 1
                    mark = self.peek()
                if mark != closers[bracket]:
                    if not has_comma:
                        is_key = mark == ":" and bracket == "{" and not is_object  # it is no string
                        raise self.error(self.no_key if is_key else f"a comma or {closers[bracket]!r} was expected")
                    stack.append((container, bracket, self._read_key() if is_object else ""))
                    break
                self.pos += 1
                is_no_tuple = bracket == "(" and len(container) == 1 and not has_comma
                value = container[0] if is_no_tuple else container
            else:
                return value
