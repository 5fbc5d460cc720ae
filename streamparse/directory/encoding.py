"""How the bytes of a file are written as text, so that an edit keeps every byte that it does not touch.

    decode(b"caf\\xc3\\xa9")         is  "café", in UTF-8
    decode(b"caf\\xe9")             is  "café", in latin-1
    decode(b"\\xff\\xfea\\0")         is  "\\ufeffa", in UTF-16

A file's own encoding is kept. It is the one that its byte order mark names, else UTF-8, else latin-1, which has a
character for every byte. A file that has both UTF-8 and other bytes is UTF-8 with the other bytes escaped. In what is
only a guess no character is new: what latin-1 calls a control character is another encoding's letter, so `é` would be
one more encoding in the file.

The mark stays in the text, where the rest of this package expects it.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from contextlib import suppress

from attrs import evolve, frozen

from streamparse.errors import TreeError

#: The mark before a text that says in which order its bytes come.
_BOM = "\ufeff"
#: Marks and what they stand for; the mark of UTF-32 begins with that of UTF-16.
_MARKS = [
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
]
#: What no text in latin-1 has.
_CONTROLS = re.compile("[\x80-\x9f]")
_WIDE = re.compile("[^\x00-\x7f]")
#: What is no byte that was escaped.
_CHARACTERS = re.compile("[^\x00-\x7f\udc80-\udcff]")


@frozen
class Encoding:
    """One file's encoding."""

    codec: str
    #: The bytes of the file show that it is not quite the codec.
    is_guess: bool = False

    def encode(self, text: str, before: str = "") -> bytes:
        """The bytes of the text that takes the place of `before`; raises TreeError for a character it does not have."""
        if self.is_guess:
            new = Counter(_WIDE.findall(text)) - Counter(_WIDE.findall(before))
            if new:
                what = f"its encoding is not known, so {_named(next(iter(new)))} cannot be added"
                raise TreeError(f"{what}. Write it in ASCII.")
        elif self._is_wide and before.startswith(_BOM) and not text.startswith(_BOM):
            text = _BOM + text  # without it nobody would know the encoding
        try:
            return text.encode(self.codec, "surrogateescape" if self.is_guess else "strict")
        except UnicodeEncodeError as error:
            what = f"its encoding, {self.codec}, has no {_named(text[error.start])}"
            raise TreeError(f"{what}. Write another character.") from error

    def show(self, text: str) -> bytes:
        """The text as another program gets it: in the bytes of the file, or in UTF-8 if these do not extend ASCII."""
        if not self._is_wide:
            with suppress(UnicodeEncodeError):
                return text.encode(self.codec, "surrogateescape")
        return text.removeprefix(_BOM).encode("utf-8", "backslashreplace")

    @property
    def is_assumed(self) -> bool:
        """Whether nothing in the file shows that it is this one."""
        return self.is_guess or self == _LATIN_1

    @property
    def _is_wide(self) -> bool:
        return self.codec.startswith(("utf-16", "utf-32"))


UTF_8 = Encoding("utf-8")
#: The one that any bytes may be in.
_LATIN_1 = Encoding("latin-1")


def encoding_named(name: str | None) -> Encoding | None:
    """The encoding that the user names, if one is named; raises TreeError if there is no such encoding for texts."""
    if name is None:
        return None
    try:
        "".encode(name)
        return Encoding(codecs.lookup(name).name)
    except (LookupError, ValueError) as error:
        raise TreeError(f"there is no encoding {name}") from error


def decode(data: bytes, encoding: Encoding | None = None) -> tuple[str, Encoding]:
    """The text, and how it is written again; raises TreeError if it is not in the `encoding` that is asked for."""
    for mark, codec in _MARKS:
        if data.startswith(mark) and (encoding is None or codec.startswith(encoding.codec.removesuffix("-sig"))):
            try:
                return data.decode(codec), Encoding(codec)
            except UnicodeDecodeError:
                break  # it only looks like one
    return _decoded_as(data, encoding) if encoding else _guessed(data)


def decode_patch(data: bytes, name: str | None = None) -> str:
    """The text of a patch, whose lines may be those of files in several encodings: UTF-8, else the one of that name."""
    encoding = encoding_named(name)
    text, found = decode(data)
    if found.codec.startswith("utf-") and not found.is_guess:
        return text
    return "".join(_decoded_line(line, encoding) for line in data.splitlines(keepends=True))


def _decoded_line(line: bytes, encoding: Encoding | None) -> str:
    text, found = _guessed(line)
    if found != UTF_8 and encoding is not None:
        with suppress(UnicodeError):
            return line.decode(encoding.codec)
    return text


def _decoded_as(data: bytes, encoding: Encoding) -> tuple[str, Encoding]:
    try:
        text = data.decode(encoding.codec)
        if text.encode(encoding.codec) == data:
            return text, encoding
    except UnicodeError:
        pass
    raise TreeError(f"it is not written in {encoding.codec}")


def _guessed(data: bytes) -> tuple[str, Encoding]:
    try:
        return data.decode("utf-8"), UTF_8
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
    if _CHARACTERS.search(text):
        return text, Encoding("utf-8", is_guess=True)
    text = data.decode("latin-1")
    return text, evolve(_LATIN_1, is_guess=_CONTROLS.search(text) is not None)


def _named(character: str) -> str:
    """The character as a message shows it, also one that no output could write."""
    return f"U+{ord(character):04X}" if not character.isprintable() else f"`{character}` (U+{ord(character):04X})"
