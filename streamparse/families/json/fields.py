r"""JsonFields: the fields of a JSON object, read piece by piece, and the text of one of them as it comes.

    {"path": "a.py", "content": "print(\"h
                                 ^^^^^^^^ `print("h` is certain already, however the text was cut

The streamed field is decoded with every escape; what may still become another character waits: half an escape, or half
of a surrogate pair. All other values are given as their JSON text when they are complete. Keys inside of them are
nobody's business. Strings may hold raw control characters, because models write them.

Strings are jumped over with one pattern each: O(n), and what is held is a dozen characters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TypeAlias

from streamparse.arguments.json_text import LOOSE_TEXT
from streamparse.core.markers import skip_blanks

#: As much of a string as can be decoded: up to its quote, or to an escape that is cut or none.
_DECODABLE = re.compile(r'[^"\\]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)*+')
#: As much of a string as can be decoded by itself: nothing in it could be half of a pair.
_WHOLE = re.compile(r'(?:[^"\\]++|\\["\\/bfnrt])*+')
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
#: The first half of a pair.
_HIGH_SURROGATE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}")
#: The rest of a string that is not decoded yet, up to its quote or a backslash that ends the piece.
_STRING = re.compile(LOOSE_TEXT, re.DOTALL)
_SCALAR = re.compile(r"[^,}\]\s]*+")
_NESTED = re.compile(r'["{}\[\]]')
_DECODER = json.JSONDecoder(strict=False)

#: Reads on at an index of the piece, and returns how far it came.
_Step: TypeAlias = Callable[["JsonFields", str, int], int]


class JsonFields:
    """Reads one object. `streamed` names the field whose text is wanted as it comes; `limit` bounds all the others.

    `take` is called with name and JSON text of each other field when it is complete, and of the streamed one if it is
    no string or comes again; what it returns is an error. `is_done` says that the object has closed, `error` why it is
    not right: then nothing more is read.
    """

    __slots__ = (
        "_depth",
        "_held",
        "_in_quotes",
        "_is_first",
        "_limit",
        "_name",
        "_raw",
        "_size",
        "_step",
        "_take",
        "_text",
        "error",
        "has_streamed",
        "is_done",
        "is_empty",
        "streamed",
    )

    def __init__(self, streamed: str, limit: int, take: Callable[[str, str], str | None]) -> None:
        self.streamed = streamed
        self._limit = limit
        self._take = take
        self.is_done = False
        self.is_empty = True  # nothing but blanks has come
        self.has_streamed = False
        self.error: str | None = None
        self._step: _Step = JsonFields._at_object
        self._is_first = True
        self._name = ""
        self._raw: list[str] = []  # of the key or value that is being read
        self._size = 0  # of all that was kept
        self._text: list[str] = []  # decoded, of the streamed field
        self._held = ""  # at the end of the last piece: half an escape
        self._depth = 0
        self._in_quotes = False

    @property
    def is_streaming(self) -> bool:
        """Whether a piece without quotes and backslashes is text of the streamed field as it is."""
        return self._step is JsonFields._in_streamed and not self._held and self.error is None

    def feed(self, piece: str) -> str:
        """Read on; the text of the streamed field that became certain."""
        if self._held:
            piece, self._held = self._held + piece, ""
        if self._step is JsonFields._in_streamed and self.error is None:
            whole = _WHOLE.match(piece)
            assert whole is not None  # it matches nothing, too
            rest = piece[whole.end() :]
            if not rest or rest == "\\":  # as nearly always
                self._held = rest
                return str(_DECODER.raw_decode(f'"{whole[0]}"')[0])
        pos, end = 0, len(piece)
        while pos < end and self.error is None:
            pos = self._step(self, piece, pos)
        if not self._text:
            return ""
        text = "".join(self._text)
        self._text.clear()
        return text

    # -- between values -----------------------------------------------------------------------------------------------

    def _at_object(self, piece: str, pos: int) -> int:
        pos = skip_blanks(piece, pos)
        if pos < len(piece):
            self.is_empty = False
            if piece[pos] != "{":
                return self._fail("an object was expected", pos)
            self._step = JsonFields._at_key
        return pos + 1

    def _at_key(self, piece: str, pos: int) -> int:
        pos = skip_blanks(piece, pos)
        if pos < len(piece):
            if piece[pos] == '"':
                self._raw = ['"']
                self._step = JsonFields._in_key
            elif piece[pos] == "}" and self._is_first:
                self._close()
            else:
                return self._fail("a name in quotes was expected", pos)
            self._is_first = False
        return pos + 1

    def _in_key(self, piece: str, pos: int) -> int:
        pos = self._read_string(piece, pos)
        if not self._in_quotes and self.error is None:
            try:
                self._name = str(_DECODER.decode("".join(self._raw)))
            except ValueError:
                return self._fail("a name is no JSON string", pos)
            self._step = JsonFields._at_colon
        return pos

    def _at_colon(self, piece: str, pos: int) -> int:
        pos = skip_blanks(piece, pos)
        if pos < len(piece):
            if piece[pos] != ":":
                return self._fail("a colon was expected", pos)
            self._step = JsonFields._at_value
        return pos + 1

    def _at_value(self, piece: str, pos: int) -> int:
        pos = skip_blanks(piece, pos)
        if pos == len(piece):
            return pos
        mark = piece[pos]
        if mark == '"' and self._name == self.streamed and not self.has_streamed:
            self.has_streamed = True
            self._step = JsonFields._in_streamed
            return pos + 1
        self._raw = []
        if mark in "{[":
            self._depth = 0
            self._in_quotes = False
            self._step = JsonFields._in_nested
            return pos
        if mark == '"':
            self._raw.append(mark)
            self._step = JsonFields._in_string
            return pos + 1
        self._step = JsonFields._in_scalar
        return pos

    def _behind_value(self, piece: str, pos: int) -> int:
        pos = skip_blanks(piece, pos)
        if pos < len(piece):
            if piece[pos] == ",":
                self._step = JsonFields._at_key
            elif piece[pos] == "}":
                self._close()
            else:
                return self._fail("a comma or the end of the object was expected", pos)
        return pos + 1

    def _behind_object(self, piece: str, pos: int) -> int:
        pos = skip_blanks(piece, pos)
        return self._fail("something stands behind the object", pos) if pos < len(piece) else pos

    def _close(self) -> None:
        self.is_done = True
        self._step = JsonFields._behind_object

    # -- values -------------------------------------------------------------------------------------------------------

    def _in_streamed(self, piece: str, pos: int) -> int:
        match = _DECODABLE.match(piece, pos)
        assert match is not None  # it matches nothing, too
        end = match.end()
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

    def _in_string(self, piece: str, pos: int) -> int:
        pos = self._read_string(piece, pos)
        if not self._in_quotes:
            self._end_value()
        return pos

    def _read_string(self, piece: str, pos: int) -> int:
        """Collect a string; it is complete when `_in_quotes` is not set."""
        match = _STRING.match(piece, pos)
        assert match is not None  # it matches nothing, too
        end = match.end()
        self._in_quotes = end == len(piece) or piece[end] != '"'
        if self._in_quotes:
            self._held = piece[end:]  # a backslash, and what it escapes is not there yet
            self._keep(piece[pos:end])
            return len(piece)
        self._keep(piece[pos : end + 1])
        return end + 1

    def _in_nested(self, piece: str, pos: int) -> int:
        if self._in_quotes:
            return self._read_string(piece, pos)
        match = _NESTED.search(piece, pos)
        if match is None:
            self._keep(piece[pos:])
            return len(piece)
        self._keep(piece[pos : match.end()])
        if match[0] == '"':
            self._in_quotes = True
        else:
            self._depth += 1 if match[0] in "{[" else -1
            if not self._depth:
                self._end_value()
        return match.end()

    def _in_scalar(self, piece: str, pos: int) -> int:
        match = _SCALAR.match(piece, pos)
        assert match is not None  # it matches nothing, too
        self._keep(match[0])
        if match.end() < len(piece):
            self._end_value()
        return match.end()

    def _keep(self, raw: str) -> None:
        self._raw.append(raw)
        self._size += len(raw)
        if self._size > self._limit:
            self.error = f"the arguments are longer than {self._limit} characters"

    def _end_value(self) -> None:
        if self.error is None:
            self.error = self._take(self._name, "".join(self._raw))
            self._step = JsonFields._behind_value

    def _fail(self, why: str, pos: int) -> int:
        self.error = f"the arguments are not JSON: {why}"
        return pos


def _size_of_half(raw: str) -> int:
    """The size of the first half of a surrogate pair at the end of `raw`; 0 if there is none."""
    if not _HIGH_SURROGATE.fullmatch(raw, len(raw) - 6):
        return 0
    before = raw[:-6]
    is_escaped = (len(before) - len(before.rstrip("\\"))) % 2  # then it is no escape, but a backslash and letters
    return 0 if is_escaped else 6
