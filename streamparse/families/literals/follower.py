r"""LiteralFollower: arguments that are literals, read while they come.

    path='a.py', content='say(\'h           give("path", "a.py"), begin_body(), add_body("say('h")

A string is decoded as it comes, but for half an escape or half a quote; neighbours are one string, where the language
says so. Of any other value the end is searched, and then `LiteralReader` reads it. The same code reads a text that is
complete, for the decoder. An argument is complete when a comma stands behind it, or the end of the arguments.

                                   ┌──── another string ────┐
                                   ▼                        │
    _at_name ───► _at_value ──► _in_string ──quote──► _behind_string ──┐
     ▲                └──► _in_value ──────────────────────────────────┤
     └───────────────────────────── , ─────────────────────────────────┘
"""

from __future__ import annotations

from typing import Any

from streamparse.arguments.decoder import ArgumentsError, Signature, decode_text
from streamparse.arguments.follower import Record
from streamparse.arguments.schema import ANY, Schema
from streamparse.config import Limits
from streamparse.core.scanner import StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.literals.grammar import CLOSE, END, OPEN, VALUE
from streamparse.families.literals.reader import Bare, LiteralReader

#: A name stays in the buffer while it is cut, and is looked at again: so it must have an end.
LONGEST_NAME = 1_024


class LiteralFollower:
    """Reads the arguments that `reader` knows how to read, and tells `record`.

    A value has its type already, unless it is a string where the schema allows none.
    """

    is_repaired = False
    name = ""  # of the argument that is being read
    is_text = False  # it is a string, or several that are one
    error: ArgumentsError | None = None  # nothing more is read

    _schema: Schema = ANY  # of that argument
    _is_body = False  # it is told as it comes
    _start: int | None = 0  # where its value begins, or the last of several strings, if that is known
    _has_body = False  # there was a body, of which not all comes by here
    _prefix = _quote = ""  # of the string that is open
    _depth = 0  # of the brackets in a value
    _is_all = False  # nothing more will come

    def __init__(self, reader: type[LiteralReader], record: Record, signature: Signature) -> None:
        self._reader = reader
        self._literals = reader.literals
        self._record = record
        self._limits = signature.limits
        self._signature = signature
        self._scanner = StreamScanner()
        self._given: dict[str, None] = {}  # the names of those that are complete, in their order
        self._phase = "_at_name"

    @property
    def triggers(self) -> str | None:
        """The quote of the body, and the backslash."""
        is_plain = self._is_body and self._phase == "_in_string" and not self._scanner.buf
        return self._literals.triggers(self._quote) if is_plain else None

    def stays_text(self, text: str) -> bool:
        """Whether a string that begins so is that very text, whatever follows."""
        is_typed = not self._reader.are_texts and "string" in self._schema.types
        return is_typed or self._schema.stays_string(text)

    def feed(self, text: str) -> None:
        """Read on."""
        scanner = self._scanner
        text = scanner.buf + text if scanner.buf else text
        if self._phase == "_in_string" and self._read_simple(text):
            return
        scanner.buf = text
        if self.error is None:
            self._read()
            scanner.compact()

    def finish(self, *, is_cut: bool) -> None:
        """If nothing was cut off, the last argument is complete. Raises ArgumentsError if something is wrong."""
        if is_cut:
            return
        self._is_all = True
        if self.error is None:
            self._read()
        if self.error is not None:
            raise self.error

    @property
    def _offset(self) -> int | None:
        """Where the cursor is in the arguments; None behind a body, where no one knows."""
        return None if self._has_body else self._scanner.offset

    def _read(self) -> None:
        try:
            while getattr(self, self._phase)() is GO_ON:
                pass
        except ArgumentsError as error:
            self.error = error  # a string that is open stays one: it was shown

    # -- names --------------------------------------------------------------------------------------------------------

    def _at_name(self) -> Progress:
        scanner = self._scanner
        if not scanner.peek_past_blanks():
            return NEED_MORE
        rest = scanner.buf[scanner.pos : scanner.pos + LONGEST_NAME]
        reader = self._reader(rest, self._limits.max_depth, self._offset)
        if not self._is_all and len(rest) < LONGEST_NAME and reader.has_half_name():
            return NEED_MORE
        name = reader.read_name()
        if name is None:
            name = self._next_in_order(reader)
        if name in self._given:
            raise ArgumentsError(f"{name} is given twice")
        scanner.pos += reader.pos
        self.name = name
        self._schema = self._signature.schema.property_of(name)
        self._phase = "_at_value"
        return GO_ON

    def _next_in_order(self, reader: LiteralReader) -> str:
        """The name of an argument without one: the tool's next, if all before it are given in that order."""
        spec, known = self._signature.spec, list(self._given)
        order = spec.parameter_names if spec else ()
        if len(known) >= len(order) or list(order[: len(known)]) != known:
            raise reader.error("an argument has no name")
        return order[len(known)]

    # -- strings ------------------------------------------------------------------------------------------------------

    def _at_value(self) -> Progress:
        if not self._scanner.peek_past_blanks() and not self._is_all:
            return NEED_MORE
        progress = self._open_string()
        if progress is None:
            self._record.begin_value(self.name)
            self._start = self._offset
            self._phase = "_in_value"
            return GO_ON
        return progress

    def _open_string(self) -> Progress | None:
        """Read what a string begins with; None if no string is there."""
        scanner, literals = self._scanner, self._literals
        match = literals.opener.match(scanner.buf, scanner.pos)
        is_cut = not self._is_all and literals.half_opener.fullmatch(scanner.buf, scanner.pos) is not None
        if match is None:
            return NEED_MORE if is_cut else None
        if not self.is_text:
            self._begin_text()
        if is_cut:
            return NEED_MORE
        self._start = self._offset
        self._prefix, self._quote = match[1], match[2]
        scanner.pos = match.end()
        self._phase = "_in_string"
        return GO_ON

    def _begin_text(self) -> None:
        self.is_text = True
        self._is_body = self.name == self._record.body and self.stays_text("") and self._record.begin_body()
        self._has_body = self._has_body or self._is_body
        if not self._is_body:
            self._record.begin_value(self.name)

    def _read_simple(self, text: str) -> bool:
        """Read more of a string at a glance, as nearly always; False if that needs a closer look."""
        end = self._literals.end_of_simple(self._quote, text)
        if text[end:] not in ("", "\\"):
            return False
        self._add(self._literals.decode(text[:end], self._quote, self._prefix))
        self._scanner.base += end
        self._scanner.buf = text[end:]
        return True

    def _add(self, text: str) -> None:
        if self._is_body:
            self._record.add_body(text)
        else:
            self._record.add_value(self.name, text)

    def _in_string(self) -> Progress:
        scanner, literals, quote = self._scanner, self._literals, self._quote
        buf, pos = scanner.buf, scanner.pos
        end = literals.end_of_string(quote, buf, pos)
        is_closed = buf.startswith(quote, end)
        raw = buf[pos:end]
        if not is_closed:
            raw = raw[: literals.certain(raw, quote, self._prefix)]
        if raw:
            self._add(literals.decode(raw, quote, self._prefix))
        scanner.pos = pos + len(raw)
        if not is_closed:
            if self._is_all:
                raise self._reader("", 0, self._start).error("a string has no end")
            return NEED_MORE
        scanner.pos += len(quote)
        self._phase = "_behind_string"
        return GO_ON

    def _behind_string(self) -> Progress:
        mark = self._scanner.peek_past_blanks()
        if mark in self._literals.string_heads and self._literals.escapes is not None:
            progress = self._open_string()
            if progress is not None:
                return progress
        if not mark and not self._is_all:
            return NEED_MORE
        self._check_comma(mark, self._reader("", 0, self._offset))
        text = None if self._is_body else self._record.take_value()
        if text is not None:
            self._give(text)
        self.is_text = self._is_body = False
        return self._end_value()

    # -- other values -------------------------------------------------------------------------------------------------

    def _in_value(self) -> Progress:
        """Find the comma behind it: neither in a string nor between brackets."""
        scanner, literals = self._scanner, self._literals
        buf, pos = scanner.buf, scanner.pos
        pattern = literals.in_value.final if self._is_all else literals.in_value.pattern
        while True:
            if self._quote:
                end = literals.end_of_string(self._quote, buf, pos)
                if not buf.startswith(self._quote, end):
                    return self._wait_in_value(end)
                pos = end + len(self._quote)
                self._quote = ""
            match = pattern.search(buf, pos)
            if match is None or match.lastindex is None:
                return self._wait_in_value(match.start() if match else len(buf))
            kind = literals.in_value.kinds[match.lastindex]
            pos = match.end()
            if kind is CLOSE:
                self._depth -= 1
            elif kind is END and self._depth <= 0:
                return self._read_value(match.start())
            elif kind in (OPEN, END, VALUE):
                found = literals.find_plain_quote(buf, pos, is_all=self._is_all)
                if found is None:
                    return self._wait_in_value(match.start())
                self._depth += kind is OPEN
                self._quote, pos = found
            else:
                self._quote = kind

    def _wait_in_value(self, end: int) -> Progress:
        if self._is_all:
            return self._read_value(len(self._scanner.buf))
        self._record.add_value(self.name, self._scanner.take(end))
        return NEED_MORE

    def _read_value(self, end: int) -> Progress:
        """All of it is there, up to index `end`."""
        self._record.add_value(self.name, self._scanner.take(end))
        raw = self._record.take_value()
        if raw is not None:
            is_typed = self._schema is not ANY
            reader = self._reader(raw, self._limits.max_depth, self._start, keeps_bare=is_typed)
            value = reader.read_value()
            self._check_comma(reader.peek(), reader)
            self._give(value, has_bare=reader.has_bare)
        self._depth = 0
        return self._end_value()

    def _check_comma(self, mark: str, reader: LiteralReader) -> None:
        if mark not in ("", ","):
            raise reader.error(f"a comma was expected, not {mark!r}")

    def _give(self, value: Any, *, has_bare: bool = False) -> None:
        try:
            if self._schema is not ANY:
                value = _fit(value, self._schema, self._limits, self._reader.are_texts, has_bare)
        except RecursionError:
            raise ArgumentsError("the arguments are nested too deeply") from None
        self._record.give(self.name, value)

    def _end_value(self) -> Progress:
        """The argument is complete, and a comma stands behind it, if anything."""
        self._given[self.name] = None
        self._quote = ""
        self._scanner.pos += 1
        self._phase = "_at_name"
        return GO_ON


def _fit(value: Any, schema: Schema, limits: Limits, are_texts: bool, has_bare: bool) -> Any:
    """The value, with what the schema makes of strings in it, and of what was written without quotes, if any was."""
    if isinstance(value, Bare):
        is_text = "string" in schema.types and not schema.has_place_for(value.value)
        return value.text if is_text else value.value
    if schema is ANY and not has_bare:
        return value
    if isinstance(value, str):
        is_wanted = not are_texts and "string" in schema.types
        return value if is_wanted else decode_text("an argument", value, schema, limits)
    if isinstance(value, list):
        return [_fit(item, schema.item_of(index), limits, are_texts, has_bare) for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {key: _fit(item, schema.property_of(key), limits, are_texts, has_bare) for key, item in value.items()}
    return value
