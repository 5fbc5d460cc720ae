"""LiteralReader: arguments that are literals of some language, to values.

What the languages have in common is here: arguments one after the other, strings, lists, objects and what separates
them. A subclass reads what is none of these. Iterative, so that no depth is too deep for Python; one pattern for each
piece, so that reading is linear; nothing is evaluated. Strings are those of `grammar.py`, by which the state tells
where the call ends: so both agree on what is in one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isinf
from typing import Any, ClassVar

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, decode_text
from streamparse.arguments.schema import ANY, Schema
from streamparse.config import Limits
from streamparse.core.markers import skip_blanks
from streamparse.families.literals.grammar import Literals


class LiteralReader:
    """Reads one text. `found` are the arguments that are complete, even if reading then fails."""

    literals: ClassVar[Literals]
    #: The name of an argument, and what separates it from the value; None if it is written as keys are.
    name: ClassVar[re.Pattern[str] | None] = None
    #: A key that is not in quotes.
    bare_key: ClassVar[re.Pattern[str]] = re.compile("(?!)")
    #: What is said if there is none.
    no_key: ClassVar[str]

    def __init__(self, text: str, max_depth: int) -> None:
        self.text = text
        self.pos = 0
        self.found: dict[str, Any] = {}
        self._last: tuple[str, int] | None = None  # the argument that was begun last, and where its value begins
        self._max_depth = max_depth

    # -- for subclasses -----------------------------------------------------------------------------------------------

    def read_scalar(self) -> Any:
        """A value that is neither nested nor a string."""
        raise NotImplementedError

    def peek(self) -> str:
        """The next character that is no blank; nothing at the end."""
        mark = self.text[self.pos : self.pos + 1]
        if mark > " ":  # no blank and not the end: most are like this, and there may be millions
            return mark
        self.pos = skip_blanks(self.text, self.pos)
        return self.text[self.pos : self.pos + 1]

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
        return ArgumentsError(f"the arguments cannot be read: {why} (at character {self.pos + 1})")

    # -- arguments ----------------------------------------------------------------------------------------------------

    def read(self, order: Sequence[str], *, is_truncated: bool) -> None:
        """All arguments. `order` names those without names. Of a truncated text, those with a comma behind them."""
        found = self.found
        while self.peek():
            name = self._read_name(order)
            if name in found:
                raise ArgumentsError(f"{name} is given twice")
            self._last = name, self.pos
            value = self.read_value()
            following = self.peek()
            if following not in ("", ","):
                raise self.error(f"a comma was expected, not {following!r}")
            if following or not is_truncated:
                found[name] = value
            self.pos += 1

    def _read_name(self, order: Sequence[str]) -> str:
        if self.name is None:
            return self._read_key()
        if match := self.name.match(self.text, self.pos):
            self.pos = match.end()
            return match[1]
        known = list(self.found)
        if len(known) >= len(order) or list(order[: len(known)]) != known:
            raise self.error("an argument has no name")
        return order[len(known)]

    def grow(self) -> tuple[str, str] | None:
        """After a truncated text was read: the argument that it ends in and its beginning, if that is a string."""
        if self._last is None or self._last[0] in self.found:
            return None
        name, self.pos = self._last
        self.peek()
        text = self._read_string(may_be_cut=True)
        self.peek()
        is_last = self.text[self.pos :] in ("", *self.literals.prefixes)  # perhaps, of another string
        return (name, text) if text is not None and is_last else None

    # -- values -------------------------------------------------------------------------------------------------------

    def _read_string(self, *, may_be_cut: bool = False) -> str | None:
        """One string, or several that are one; None if there is none. Of one that is cut, what is certain."""
        text, literals = self.text, self.literals
        found = None
        while match := literals.string.match(text, self.pos):
            if match.lastindex != 1:
                raw = match[match.lastindex or 0]
                self.pos = match.end()
            elif may_be_cut:
                quote = match[0][len(match[1]) :]
                raw = text[match.end() : literals.end_of_string(quote, text, match.end())]
                raw = raw[: literals.certain(raw, match[1])]
                self.pos = len(text)
            else:
                raise self.error("a string has no end")
            string = literals.decode(raw, match[1])
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
                value = {} if bracket == "{" else []
                if self.peek() != closers[bracket]:
                    stack.append((value, bracket, self._read_key() if bracket == "{" else ""))
                    continue
                self.pos += 1
            elif bracket not in heads or (value := self._read_string()) is None:
                value = self.read_scalar()
            while stack:
                container, bracket, key = stack.pop()
                if bracket == "{":
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
                        raise self.error(f"a comma or {closers[bracket]!r} was expected")
                    stack.append((container, bracket, self._read_key() if bracket == "{" else ""))
                    break
                self.pos += 1
                is_no_tuple = bracket == "(" and len(container) == 1 and not has_comma
                value = container[0] if is_no_tuple else container
            else:
                return value


class LiteralArguments(ArgumentDecoder):
    """The content is arguments, to be read by `reader`.

    A value has its type already, unless it is a string where the schema allows none. `are_texts` says that all values
    may be written as strings, so that only the schema can tell.
    """

    def __init__(self, reader: type[LiteralReader], *, are_texts: bool = False) -> None:
        self._reader = reader
        self._are_texts = are_texts

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Arguments by name, or in the order in which the tool declares them."""
        return DecodedCall(self._read(content, signature, is_truncated=is_truncated)[0])

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """What is complete; and an argument that is a string grows."""
        try:
            arguments, reader = self._read(content, signature, is_truncated=True)
        except ArgumentsError:
            return {}
        growing = reader.grow()
        if growing is not None:
            name, text = growing
            schema = signature.schema.property_of(name)
            if (not self._are_texts and "string" in schema.types) or schema.stays_string(text):
                arguments[name] = text
        return arguments

    def _read(self, content: str, signature: Signature, *, is_truncated: bool) -> tuple[dict[str, Any], LiteralReader]:
        limits, schema = signature.limits, signature.schema
        reader = self._reader(content, limits.max_depth)
        try:
            reader.read(signature.spec.parameter_names if signature.spec else (), is_truncated=is_truncated)
        except ArgumentsError:
            if not is_truncated:
                raise
        found = reader.found
        try:
            return {name: self._fit(value, schema.property_of(name), limits) for name, value in found.items()}, reader
        except RecursionError:
            raise ArgumentsError("the arguments are nested too deeply") from None

    def _fit(self, value: Any, schema: Schema, limits: Limits) -> Any:
        if schema is ANY:
            return value
        if isinstance(value, str):
            is_wanted = not self._are_texts and "string" in schema.types
            return value if is_wanted else decode_text("an argument", value, schema, limits)
        if isinstance(value, list):
            return [self._fit(item, schema.item_of(index), limits) for index, item in enumerate(value)]
        if isinstance(value, dict):
            return {key: self._fit(item, schema.property_of(key), limits) for key, item in value.items()}
        return value
