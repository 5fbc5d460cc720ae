r"""JsonFields: the fields of a JSON object, read piece by piece, and the text of one of them as it comes.

    {"path": "a.py", "content": "print(\"h
                                 ^^^^^^^^ `print("h` is certain already, however the text was cut

The streamed field is decoded with every escape; what may still become another character waits: half an escape, or half
of a surrogate pair. All other values are given as their JSON text when they are complete. Keys inside of them are
nobody's business. Strings may hold raw control characters, because models write them.

Where keys and other values end is told by `JsonReader`: O(n), and what is held is a dozen characters.

    _at_object ──{──> _at_key ──"──> _in_key ──> _at_colon ──:──> _at_value ──┬── the one ───> _in_streamed ──┐
                        ^  └──}──┐                                            └── another ───> _in_value ─────┤
                        └── , ───│───────────── _behind_value <───────────────────────────────────────────────┘
                                 └──> _behind_object <──}──┘
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TypeAlias

from streamparse.arguments.json_strings import READABLE_TEXT, decode_string, end_of
from streamparse.core.markers import skip_blanks
from streamparse.families.json.reader import JsonReader

#: As much of a string as can be decoded by itself: nothing in it could be half of a pair.
_WHOLE = re.compile(r'(?:[^"\\]++|\\["\\/bfnrt])*+')
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
#: The first half of a pair.
_HIGH_SURROGATE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")
_DECODER = json.JSONDecoder(strict=False)

#: Reads on at an index of the piece, and returns how far it came.
_Step: TypeAlias = Callable[["JsonFields", str, int], int]


class JsonFields:
    """Reads one object. `streamed` names the field whose text is wanted as it comes; `limit` bounds all the others.

    `take` is called with name and JSON text of each other field when it is complete, and of the streamed one if it is
    no string or comes again; what it returns is an error. `is_done` says that the object has closed, `error` why it is
    not right: then nothing more is read.
    """

    is_done = False
    is_empty = True  # nothing but blanks has come
    has_streamed = False
    error: str | None = None
    _is_first = True  # no field has come
    _name = ""
    _size = 0  # of all that was kept
    _held = ""  # at the end of the last piece: half an escape
    # Of the key or value that is being read, if it is not streamed.
    _raw: list[str]
    _reader: JsonReader

    def __init__(self, streamed: str, limit: int, take: Callable[[str, str], str | None]) -> None:
        self.streamed = streamed
        self._limit = limit
        self._take = take
        self._step: _Step = JsonFields._at_object
        self._text: list[str] = []  # decoded, of the streamed field

    @property
    def is_streaming(self) -> bool:
        """Whether a piece without quotes and backslashes is text of the streamed field as it is."""
        return self._step is JsonFields._in_streamed and not self._held and self.error is None

    def feed(self, piece: str) -> str:
        """Read on; the text of the streamed field that became certain."""
        if self._held:
            piece, self._held = self._held + piece, ""
        if self._step is JsonFields._in_streamed and self.error is None:
            whole = end_of(_WHOLE, piece, 0, len(piece))
            rest = piece[whole:]
            if not rest or rest == "\\":  # as nearly always
                self._held = rest
                return str(_DECODER.raw_decode(f'"{piece[:whole]}"')[0])
        pos, end = 0, len(piece)
        while pos < end and self.error is None:
            if self._step not in _INSIDE:
                pos = skip_blanks(piece, pos)
            if pos < end:
                pos = self._step(self, piece, pos)
        text = "".join(self._text)
        self._text.clear()
        return text

    # -- between values, where something stands that is no blank -------------------------------------------------------

    def _at_object(self, piece: str, pos: int) -> int:
        self.is_empty = False
        if piece[pos] != "{":
            return self._fail("an object was expected", pos)
        self._step = JsonFields._at_key
        return pos + 1

    def _at_key(self, piece: str, pos: int) -> int:
        if piece[pos] == '"':
            self._begin(JsonFields._in_key, '"')
            return pos
        if piece[pos] != "}" or not self._is_first:
            return self._fail("a name in quotes was expected", pos)
        self._close()
        return pos + 1

    def _at_colon(self, piece: str, pos: int) -> int:
        if piece[pos] != ":":
            return self._fail("a colon was expected", pos)
        self._step = JsonFields._at_value
        return pos + 1

    def _at_value(self, piece: str, pos: int) -> int:
        mark = piece[pos]
        if mark == '"' and self._name == self.streamed and not self.has_streamed:
            self.has_streamed = True
            self._step = JsonFields._in_streamed
            return pos + 1
        self._begin(JsonFields._in_value, mark)
        return pos

    def _behind_value(self, piece: str, pos: int) -> int:
        if piece[pos] == ",":
            self._step = JsonFields._at_key
        elif piece[pos] == "}":
            self._close()
        else:
            return self._fail("a comma or the end of the object was expected", pos)
        return pos + 1

    def _behind_object(self, piece: str, pos: int) -> int:
        return self._fail("something stands behind the object", pos)

    def _close(self) -> None:
        self.is_done = True
        self._step = JsonFields._behind_object

    # -- in a key or a value -------------------------------------------------------------------------------------------

    def _in_streamed(self, piece: str, pos: int) -> int:
        end = end_of(READABLE_TEXT, piece, pos, len(piece))
        if end < len(piece):
            if piece[end] == '"':
                self._decode(piece[pos:end])
                self._step = JsonFields._behind_value
                return end + 1
            if not _CUT_ESCAPE.fullmatch(piece, end):
                self._decode(piece[pos:end])
                return self._fail("a string has an escape that JSON does not know", end)
        if piece.startswith("\\u", end - 6):
            end -= _size_of_half(piece[pos:end])
        self._decode(piece[pos:end])
        self._held = piece[end:]
        return len(piece)

    def _decode(self, raw: str) -> None:
        if raw:
            self._text.append(_DECODER.raw_decode(f'"{raw}"')[0] if "\\" in raw else raw)

    def _begin(self, step: _Step, mark: str) -> None:
        """A key, or a value that is not streamed, begins here."""
        self._raw = []
        self._size -= mark == '"'  # a pair of quotes counts as one character
        self._reader = JsonReader()
        self._step = step

    def _in_key(self, piece: str, pos: int) -> int:
        pos = self._read(piece, pos)
        if self._reader.is_done and self.error is None:
            name = decode_string("".join(self._raw)[1:-1])
            if name is None:
                return self._fail("a name is no JSON string", pos)
            self._name = name
            self._is_first = False
            self._step = JsonFields._at_colon
        return pos

    def _in_value(self, piece: str, pos: int) -> int:
        pos = self._read(piece, pos)
        if self._reader.is_done and self.error is None:
            self.error = self._take(self._name, "".join(self._raw))
            self._step = JsonFields._behind_value
        return pos

    def _read(self, piece: str, pos: int) -> int:
        """Keep what belongs to the key or value."""
        end = self._reader.read(piece, pos, len(piece))
        self._raw.append(piece[pos:end])
        self._size += end - pos
        if self._size > self._limit:
            self.error = f"the arguments are longer than {self._limit} characters"
        return end

    def _fail(self, why: str, pos: int) -> int:
        self.error = f"the arguments are not JSON: {why}"
        return pos


#: The steps in which blanks matter.
_INSIDE = (JsonFields._in_key, JsonFields._in_value, JsonFields._in_streamed)


def _size_of_half(raw: str) -> int:
    """The size of the first half of a surrogate pair at the end of `raw`; 0 if there is none."""
    if not _HIGH_SURROGATE.fullmatch(raw, len(raw) - 6):
        return 0
    before = raw[:-6]
    is_escaped = (len(before) - len(before.rstrip("\\"))) % 2  # then it is no escape, but a backslash and letters
    return 0 if is_escaped else 6
