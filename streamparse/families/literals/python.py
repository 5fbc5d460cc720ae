r"""Arguments as Python writes them: `city='Oslo', days=2, tags=["a", None]`.

    'it\'s', "x", '''x''', r'\d', 'a' 'b'      strings, with every escape; raw line breaks in them are kept
    7, 007, 1_000, 0xff, -1.5e3                numbers; no infinities. 007 is a text where the schema wants one
    True, None, true, null                     Python's words and JSON's
    [1], (1, 2), {1, 2}, {'a': 1}              lists, tuples and sets (as lists), and dicts with strings for keys

A name may be a reserved word. What is no literal (a variable, a call, an operator) makes the arguments malformed.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, GrowingDecoder, Signature
from streamparse.arguments.follower import Follower, Record
from streamparse.arguments.growing import Growing
from streamparse.families.calls.chosen import Chosen, ChosenGrowing
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.literals.decoder import LiteralArguments
from streamparse.families.literals.follower import LONGEST_NAME
from streamparse.families.literals.grammar import Escapes, Literals
from streamparse.families.literals.reader import LiteralReader

_NAME = re.compile(r"([^\W\d][\w.-]*+)[ \t\r\n]*+=(?!=)")
#: The same while it comes.
_HALF_NAME = re.compile(r"[^\W\d][\w.-]*+[ \t\r\n]*+=?+\Z")
_DIGITS = "[0-9]++(?:_[0-9]++)*+"
_SCALAR = re.compile(
    rf"(?P<integer>[+-]?+{_DIGITS})(?![\w.])|(?P<word>[^\W\d]\w*+)"
    rf"|(?P<float>[+-]?+(?:{_DIGITS}\.(?:{_DIGITS})?+|\.{_DIGITS}|{_DIGITS}(?=[eE]))(?:[eE][+-]?+{_DIGITS})?+)(?![\w.])"
    # As many digits as no one needs: Python reads more, but cannot write them again.
    r"|(?P<based>[+-]?+0(?:[xX][0-9a-fA-F]{1,256}+|[oO][0-7]{1,256}+|[bB][01]{1,256}+))(?!\w)"
)
#: What no number of Python's begins with: it may be a code, or a telephone number.
_LEADING_ZERO = re.compile("[+-]?+0[0-9_]")
_WORDS: dict[str, Any] = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}


_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?:x(?=[0-9a-fA-F]{2})|u(?=[0-9a-fA-F]{4})|U(?=[0-9a-fA-F]{8}))(?P<hex>(?<=x)..|(?<=u)....|(?<=U)........)"
    r"|(?P<octal>[0-7]{1,3})|N\{(?P<named>[^}]{1,128})\}|(?P<other>\r\n|.))",
    re.DOTALL,
)
_HEX = "[0-9a-fA-F]"
#: An escape that may go on, or be half of a pair.
_HALF_ESCAPE = (
    rf"\\(?:u[dD][89abAB]{_HEX}{{2}}(?:\\(?:u(?:[dD](?:[c-fC-F]{_HEX}?+)?+)?+)?+)?+"
    rf"|x{_HEX}?+|u{_HEX}{{0,3}}+|U{_HEX}{{0,7}}+|[0-7]{{1,2}}+|N(?:\{{[^}}]{{0,128}}+)?+|\r)?+\Z"
)
_CERTAIN = re.compile(rf"(?>(?:[^\\]++|(?!{_HALF_ESCAPE})\\.)*)", re.DOTALL)
_SIMPLE = dict(zip("abfnrtv\\'\"", "\a\b\f\n\r\t\v\\'\"", strict=True))
_OTHER = _SIMPLE | dict.fromkeys(("\n", "\r", "\r\n"), "")  # the line goes on


def _unescape(match: re.Match[str]) -> str:
    """What an escape stands for; one that Python does not know stays."""
    pair, digits, octal, named, other = match.groups()
    if other is not None:
        return _OTHER.get(other, match[0])
    if octal is not None:
        return chr(int(octal, 8))
    if named is not None:
        try:
            return unicodedata.lookup(named)
        except KeyError:
            return match[0]
    if pair is not None:  # as JSON writes what Python has one escape for
        return chr(0x10000 + ((int(pair[1:5], 16) & 0x3FF) << 10) + (int(pair[7:], 16) & 0x3FF))
    code = int(digits, 16)
    return chr(code) if code < 0x110000 else match[0]


PYTHON = Literals(
    "()",
    ("'''", '"""', "'", '"'),
    {"[": "]", "{": "}", "(": ")"},
    Escapes(_ESCAPE, _unescape, _CERTAIN, _SIMPLE),
)


class PythonReader(LiteralReader):
    """What stands between the parentheses of a call."""

    literals = PYTHON
    has_sets = True
    no_key = "a key in quotes was expected"

    def has_half_name(self) -> bool:
        """Whether what follows may still make it a name."""
        return _HALF_NAME.match(self.text) is not None

    def read_name(self) -> str | None:
        """A name, if `=` stands behind it."""
        match = _NAME.match(self.text)
        if match is None:
            return None
        self.pos = match.end()
        return match[1]

    def read_scalar(self) -> Any:
        """A number or a word."""
        match = _SCALAR.match(self.text, self.pos)
        if match is None:
            raise self.error("a value was expected")
        kind = match.lastgroup
        if kind == "word":
            if match[0] not in _WORDS:
                raise self.error(f"{match[0][:64]!r} is neither in quotes nor a literal")
            value = _WORDS[match[0]]
        elif kind == "float":
            value = self.to_float(match[0])
        else:
            value = self.to_integer(match[0], 10 if kind == "integer" else 0)
        self.pos = match.end()
        return self.bare(value, match[0]) if _LEADING_ZERO.match(match[0]) else value


def read_python(text: str, max_depth: int) -> Any:
    """The value of a text that is one literal; `text` itself if it is none."""
    reader = PythonReader(text, max_depth)
    try:
        value = reader.read_value()
    except ArgumentsError:
        return text
    return text if reader.peek() else value


PYTHON_ARGUMENTS = LiteralArguments(PythonReader)


class PythonOrJsonArguments(GrowingDecoder):
    """Arguments as Python writes them, or a JSON object of them.

    `json` tells by how they begin; a text that matches `half` may begin in either way.
    """

    def __init__(self, json: str, half: str) -> None:
        self._json = re.compile(json)
        self._half = re.compile(half)

    def _choose(self, content: str) -> ArgumentDecoder:
        return JSON_ARGUMENTS if self._json.match(content, 0, LONGEST_NAME) else PYTHON_ARGUMENTS

    def _choose_early(self, beginning: str) -> ArgumentDecoder | None:
        if len(beginning) < LONGEST_NAME and self._half.fullmatch(beginning):
            return None
        return self._choose(beginning)

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """In JSON, names stand in the object."""
        return self._choose(content).decode_call(content, signature, is_truncated=is_truncated)

    def follow(self, record: Record, signature: Signature) -> Follower | None:
        """As it begins."""

        def choose(beginning: str) -> Follower | None:
            decoder = self._choose_early(beginning)
            return decoder.follow(record, signature) if decoder else None

        return Chosen(choose)

    def grow(self, signature: Signature) -> Growing:
        """In JSON, lists and objects grow, too."""

        def choose(beginning: str) -> Growing | None:
            decoder = self._choose_early(beginning)
            return decoder.grow(signature) if decoder else None

        return ChosenGrowing(choose)


_BLANKS = r"[ \t\r\n]*+"
#: For a model that writes Python: only an object is JSON, a string of one, or null for none. (A text ends with a NUL.)
PYTHON_OR_JSON_ARGUMENTS = PythonOrJsonArguments(
    rf'{_BLANKS}(?:"?+\{{|null{_BLANKS}(?:\0|\Z))', rf'{_BLANKS}(?:"|n(?:u(?:ll?+)?+)?+{_BLANKS})?+'
)
#: For a model that writes JSON: only `name=` is Python.
JSON_OR_PYTHON_ARGUMENTS = PythonOrJsonArguments(rf"{_BLANKS}(?!{_NAME.pattern})", _BLANKS + _HALF_NAME.pattern)
