r"""How the JSON arguments of a call are followed while they come.

    {"path": "a.py", "content": "print(\"h          JsonFollower: the arguments, an object …
    "{\"path\": \"a.py\", \"content\": \"pr           … or a string of one
    {"name": "write_file", "arguments": {"pa       CallFollower: the call, in which they stand

The members are those of `members.py`, and one of them is decoded as it comes: `fields.py`.
"""

from __future__ import annotations

from contextlib import suppress

from streamparse.arguments.decoder import Signature
from streamparse.arguments.follower import Record
from streamparse.arguments.json_strings import GLANCE, decode_string, mend_escapes
from streamparse.arguments.json_text import JsonTextError, read_json, read_written
from streamparse.arguments.sink import ValueTag
from streamparse.core.scanner import StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.json.fields import JsonFields, take_certain
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.members import EXPECTED, JsonMembers
from streamparse.families.json.reader import JsonReader


class _Values:
    """Whom the reader of members tells: the record of the call gets values."""

    def __init__(self, record: Record, max_depth: int) -> None:
        self._record = record
        self._max_depth = max_depth
        self._name = ""
        self.is_body = False  # what comes is the body, and the first one
        self.is_mended = False  # a value had an escape that JSON does not know

    def open_value(self, name: str, tag: ValueTag) -> None:
        """The body, or another argument."""
        self._name = name
        self.is_body = name == self._record.body and self._record.begin_body()
        if name != self._record.body:
            self._record.begin_value(name)

    def take(self, text: str, *, is_followed: bool) -> None:
        """More of it."""
        if self.is_body:
            self._record.add_body(text)
        else:
            self._record.add_value(self._name, text)

    take_held = take

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete."""
        self.is_body = False
        raw = self._record.take_value()
        if raw is not None:
            value, is_mended = read_written(raw, self._max_depth)
            self.is_mended = self.is_mended or is_mended
            self._record.give(self._name, value)

    def drop_value(self) -> None:
        """In JSON nothing is dropped."""

    def report(self, problem: str) -> None:
        """The call is malformed."""
        self._record.report(problem)


class JsonFollower:
    """The content is the arguments."""

    _is_mended = False  # it has an escape that JSON does not know

    def __init__(self, record: Record, signature: Signature) -> None:
        self._record = record
        self._signature = signature
        self._scanner = StreamScanner()
        self._values = _Values(record, signature.limits.max_depth - 1)  # a value stands in an object
        self._fields = JsonFields(self._scanner, self._values, record.body)
        self._inner: JsonFollower | None = None  # of a string that is an object
        self._is_closed = False  # the string has ended

    @property
    def is_empty(self) -> bool:
        """Whether nothing but blanks has come."""
        return self._inner is None and self._fields.is_empty

    @property
    def is_done(self) -> bool:
        """Whether the object has ended, and nothing is wrong."""
        if self._inner is not None:
            return self._is_closed and self._inner.is_done
        return self._fields.is_done and self._fields.error is None

    @property
    def is_repaired(self) -> bool:
        """Whether there was an escape that JSON does not know, wherever."""
        is_inner = self._inner is not None and self._inner.is_repaired
        return self._is_mended or self._fields.is_mended or self._values.is_mended or is_inner

    @property
    def is_broken(self) -> bool:
        """Whether nothing that may come can make it right."""
        return self._fields.error is not None if self._inner is None else self._inner.is_broken

    @property
    def triggers(self) -> str | None:
        """In the body, all but a quote or a backslash is shown as it is."""
        return '"\\' if self._values.is_body and not self._scanner.buf else None

    def feed(self, text: str) -> None:
        """Read on."""
        scanner = self._scanner
        text = scanner.buf + text if scanner.buf else text
        if self._values.is_body and self._read_body(text):
            return
        scanner.buf = text
        if self.is_empty and scanner.peek_past_blanks() == '"':
            scanner.pos += 1
            self._inner = JsonFollower(self._record, self._signature)
        if self._inner is None:
            self._fields.read()
        elif not self._is_closed:
            self._read_string(self._inner)
        scanner.compact()

    def _read_body(self, text: str) -> bool:
        """Read more of the body at a glance, as nearly always; False if that needs a closer look."""
        match = GLANCE.fullmatch(text)
        if match is None:
            return False
        raw, self._scanner.buf = match.groups()
        if "\\'" in raw and mend_escapes(raw) != raw:
            self._is_mended = True
        self._record.add_body(decode_string(raw) or "")
        return True

    def _read_string(self, inner: JsonFollower) -> None:
        scanner = self._scanner
        certain = take_certain(scanner)
        self._is_mended = self._is_mended or certain.is_mended
        if certain.text:
            inner.feed(certain.text)
        self._is_closed = not certain.is_cut

    def finish(self, *, is_cut: bool) -> None:
        """Whether all of it has come is known to who reads the call; here, whether it is JSON."""
        if self._inner is not None:
            self._inner.finish(is_cut=is_cut)
            return
        if not is_cut:
            self._fields.finish()
        if self._fields.error is not None:
            self._record.report(self._fields.error)


class CallFollower(JsonMembers):
    """The content is the call: its arguments are under one of `keys`, perhaps in the object of a function."""

    _reader: JsonReader

    def __init__(self, record: Record, signature: Signature, keys: JsonKeys) -> None:
        self._scanner = StreamScanner()
        self._record = record
        self._keys = keys
        self._arguments = JsonFollower(record, signature)
        self._max_depth = signature.limits.max_depth
        self._phase = "_at_object"
        self._depth = 0
        self._error: str | None = None

    @property
    def is_repaired(self) -> bool:
        """As the arguments say."""
        return self._arguments.is_repaired

    @property
    def triggers(self) -> str | None:
        """Those of the arguments."""
        return self._arguments.triggers if self._phase == "_in_arguments" else None

    def feed(self, text: str) -> None:
        """Read on, while it is JSON."""
        self._scanner.buf += text
        while self._error is None and getattr(self, self._phase)() is GO_ON:
            pass
        self._scanner.compact()

    def finish(self, *, is_cut: bool) -> None:
        """What is wrong with the call is told first."""
        if self._error is not None:
            self._record.report(self._error)
        self._arguments.finish(is_cut=is_cut)

    # -- members ------------------------------------------------------------------------------------------------------

    def _at_object(self) -> Progress:
        """The content begins with the brace of the call."""
        self._scanner.pos += 1
        self._phase = "_at_key"
        return GO_ON

    def _take_key(self, text: str) -> Progress:
        self._key = decode_string(text) or ""
        return GO_ON

    def _begin_value(self, mark: str) -> Progress:
        keys, key = self._keys, self._key
        if mark == "{" and key in keys.functions and not self._depth:
            self._scanner.pos += 1
            self._depth = 1
            self._phase = "_at_key"
            return GO_ON
        self._reader = JsonReader()
        is_arguments = key in keys.arguments and self._arguments.is_empty
        self._phase = "_in_arguments" if is_arguments else "_in_other"
        if key in keys.places:
            self._record.begin_value(key)
        return GO_ON

    def _in_arguments(self) -> Progress:
        self._arguments.feed(self._take_value())
        return self._end_value()

    def _in_other(self) -> Progress:
        """What the call says of its place in a plan is wanted, nothing else."""
        key, is_place = self._key, self._key in self._keys.places
        text = self._take_value()
        if is_place:
            self._record.add_value(key, text)
        progress = self._end_value()
        if is_place and progress is GO_ON:
            with suppress(JsonTextError):
                self._record.give(key, read_json(self._record.take_value() or "null", self._max_depth))
        return progress

    def _take_value(self) -> str:
        scanner = self._scanner
        return scanner.take(self._reader.read(scanner.buf, scanner.pos, len(scanner.buf)))

    def _end_value(self) -> Progress:
        if not self._reader.is_done:
            return NEED_MORE
        self._phase = "_at_separator"
        return GO_ON

    def _end_object(self) -> Progress:
        self._scanner.pos += 1
        self._phase = "_at_separator" if self._depth else "_behind_object"
        self._depth = 0
        return GO_ON

    def _behind_object(self) -> Progress:
        return NEED_MORE

    def _fail(self, why: str | None = None) -> Progress:
        self._error = f"the call is not JSON: {why or EXPECTED[self._phase]}"
        return NEED_MORE
