r"""JsonFields: the members of a JSON object for a sink, and the text of one of them as it comes.

    {"path": "a.py", "content": "print(\"h
                                 ^^^^^^^^ `print("h` is certain already, however the text was cut

The body is decoded with every escape; what may still become another character waits: half an escape, or half of a
surrogate pair. All other values are given as the JSON text they are. Keys inside of them are nobody's business. Strings
may hold raw control characters, because models write them.

Where other values end is told by `JsonReader`: O(n), and what is unread is a dozen characters, or a key. The phases
between the members are those of `members.py`; these are around them, and in a value:

    _at_object ──{──> _at_key      _at_value ──┬── the body ──> _in_body ───┬──> _at_separator ──}──> _behind_object
                                               └── another ───> _in_value ──┘
"""

from __future__ import annotations

import re
from typing import NamedTuple

from streamparse.arguments.json_strings import CERTAIN_TEXT, HEX, HIGH, decode_string, end_of, mend_escapes
from streamparse.arguments.json_text import JsonTextError
from streamparse.arguments.sink import ARG_TAG, Sink
from streamparse.core.scanner import StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.json.members import EXPECTED, JsonMembers
from streamparse.families.json.reader import JsonReader

_NULL = "null"
_NO_OBJECT = "an object was expected"
#: What is not certain in a string that goes on: half of a pair, or less than an escape.
_CUT_ESCAPE = re.compile(rf"(?:{HIGH})?(?:\\(?:u{HEX}{{0,3}})?)?")


class Certain(NamedTuple):
    """What a piece of a string means, as far as that is certain."""

    text: str
    is_cut: bool  # more must come
    is_mended: bool  # it has an escape that JSON does not know


def take_certain(scanner: StreamScanner) -> Certain:
    """Read on in a string."""
    buf, end = scanner.buf, scanner.end
    stop = end_of(CERTAIN_TEXT, buf, scanner.pos, end)
    is_cut = stop == end or _CUT_ESCAPE.fullmatch(buf, stop, end) is not None
    raw = scanner.take(stop)
    return Certain(decode_string(raw) or "", is_cut, mend_escapes(raw) != raw)


class JsonFields(JsonMembers):
    """Reads one object from `scanner` and tells `sink`; the text of its member `body` is decoded.

    `is_done` says that the object has closed, `error` why it is not right: then nothing more is read. The sink may
    raise JsonTextError for a value that is no JSON.
    """

    is_done = False
    is_mended = False  # the body has an escape that JSON does not know
    error: str | None = None
    _is_told = False  # the sink is told of the value that is being read
    _reader: JsonReader  # of a value that is not the body

    def __init__(self, scanner: StreamScanner, sink: Sink, body: str) -> None:
        self._scanner = scanner
        self._sink = sink
        self._body = body
        self._phase = "_at_object"

    @property
    def is_empty(self) -> bool:
        """Whether nothing but blanks has come."""
        return self._phase == "_at_object" and self.error is None

    def read(self) -> None:
        """Read as far as possible."""
        while self.error is None and getattr(self, self._phase)() is GO_ON:
            pass

    def finish(self) -> None:
        """All has come: half a word is no object."""
        if self.is_empty and self._scanner.buf:
            self._fail(_NO_OBJECT)

    def _fail(self, why: str | None = None) -> Progress:
        self.error = f"the arguments are not JSON: {why or EXPECTED[self._phase]}"
        return NEED_MORE

    # -- around the members -------------------------------------------------------------------------------------------

    def _at_object(self) -> Progress:
        mark = self._scanner.peek_past_blanks()
        if mark == "n":
            return self._at_null()
        if mark != "{":
            return self._fail(_NO_OBJECT) if mark else NEED_MORE
        self._scanner.pos += 1
        self._phase = "_at_key"
        return GO_ON

    def _at_null(self) -> Progress:
        """No arguments at all."""
        scanner = self._scanner
        word = scanner.buf[scanner.pos : scanner.pos + len(_NULL)]
        if word != _NULL:
            return NEED_MORE if _NULL.startswith(word) else self._fail(_NO_OBJECT)
        scanner.pos += len(_NULL)
        self.is_done = True
        self._phase = "_behind_object"
        return GO_ON

    def _end_object(self) -> Progress:
        if self._phase == "_at_key" and self._has_members:
            return self._fail()
        self._scanner.pos += 1
        self.is_done = True
        self._phase = "_behind_object"
        return GO_ON

    def _behind_object(self) -> Progress:
        return self._fail("something stands behind the object") if self._scanner.peek_past_blanks() else NEED_MORE

    # -- members ------------------------------------------------------------------------------------------------------

    def _take_key(self, text: str) -> Progress:
        key = decode_string(text)
        if key is None:
            return self._fail("a key has an escape that JSON does not know")
        self._key = key
        return GO_ON

    def _begin_value(self, mark: str) -> Progress:
        is_body, is_text = self._key == self._body, mark == '"'
        self._is_told = is_text or not is_body
        if self._is_told:
            self._sink.open_value(self._key, ARG_TAG)
        else:
            self._sink.report(f"{self._key} must be a string")
        if is_body and is_text:
            self._scanner.pos += 1
            self._phase = "_in_body"
        else:
            self._reader = JsonReader()
            self._phase = "_in_value"
        return GO_ON

    def _in_value(self) -> Progress:
        scanner, reader = self._scanner, self._reader
        text = scanner.take(reader.read(scanner.buf, scanner.pos, scanner.end))
        if self._is_told:
            self._sink.take(text, is_followed=False)
        return self._end_value() if reader.is_done else NEED_MORE

    def _in_body(self) -> Progress:
        scanner = self._scanner
        certain = take_certain(scanner)
        self.is_mended = self.is_mended or certain.is_mended
        if certain.text:
            self._sink.take(certain.text, is_followed=False)
        if certain.is_cut:
            return NEED_MORE
        if scanner.buf[scanner.pos] != '"':
            return self._fail("a string has an escape that JSON does not know")
        scanner.pos += 1
        return self._end_value()

    def _end_value(self) -> Progress:
        self._phase = "_at_separator"
        try:
            if self._is_told:
                self._sink.close_value()
        except JsonTextError as error:
            return self._fail(str(error))
        return GO_ON
