r"""The text of a JSON string as patterns, from behind its first quote: the one place where they are written down.

    LOOSE       whatever a model writes: raw line breaks, and a backslash before anything     where does a call end?
    STRICT      as JSON has it, but any character may be escaped                              is it JSON, or prose?
    READABLE    what is read as JSON: raw line breaks and `\'`, too, but no unknown escapes    what does it say?
    CERTAIN     the same, of a text that is cut: no half of a surrogate pair                  what does it say so far?
    WHOLE       the same, but for what could be half of a pair                                is it certain at a glance?

All of them end at the quote, at the end of the text, or at a backslash that is no escape (yet). They match nothing,
too, so `end_of` always has an answer. Nothing in them backtracks.
"""

from __future__ import annotations

import json
import re


def repeat(pattern: str) -> str:
    """As many as there are, for good. `(?:…)*+` is that, too, but wrong at times before Python 3.11.5 (gh-106052)."""
    return rf"(?>(?:{pattern})*)"


PLAIN = r'[^"\\]*+'
HEX = "[0-9a-fA-F]"
#: The escapes that JSON knows, and `\'`: it does not know that one, but there is only one thing it can mean.
_SHORT, _LONG = r"""\\["'\\/bfnrt]""", rf"\\u{HEX}{{4}}"

LOOSE = rf"{PLAIN}(?:\\[\s\S]{PLAIN})*+"
STRICT = r'[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+'
READABLE = PLAIN + repeat(rf"(?:{_SHORT}|{_LONG}){PLAIN}")
#: The halves of a surrogate pair, and what may become the second.
HIGH = rf"\\u[dD][89abAB]{HEX}{{2}}"
_LOW = rf"\\u[dD][c-fC-F]{HEX}{{2}}"
_HALF_LOW = rf"(?:\\(?:u(?:[dD](?:[c-fC-F]{HEX}?)?)?)?)?\Z"
CERTAIN = PLAIN + repeat(rf"(?:{_SHORT}|{HIGH}(?:{_LOW}|(?!{_HALF_LOW}))|(?!{HIGH}){_LONG}){PLAIN}")
WHOLE = PLAIN + repeat(_SHORT + PLAIN)

LOOSE_TEXT, STRICT_TEXT, CERTAIN_TEXT = map(re.compile, (LOOSE, STRICT, CERTAIN))
#: A piece of a string that is certain at a glance; and the first half of an escape behind it.
GLANCE = re.compile(rf"({WHOLE})(\\?)")
_DECODER = json.JSONDecoder(strict=False)
_ESCAPE = re.compile(r"\\(?:(')|[\s\S])")


def end_of(text: re.Pattern[str], buf: str, pos: int, end: int) -> int:
    """Where the `text` of a string ends that goes on at `pos`, in `buf[pos:end]`."""
    match = text.match(buf, pos, end)
    assert match is not None  # it matches nothing, too
    return match.end()


def mend_escapes(text: str) -> str:
    """JSON text, or that of a string in it, with `'` for `\'`; the same text if it has none."""
    return _ESCAPE.sub(lambda match: match[1] or match[0], text) if "\\'" in text else text


def decode_string(text: str) -> str | None:
    """What the text of a string says; None if it is none that JSON has, but for `\'`."""
    if "\\" not in text:
        return text
    if "\\'" in text:
        text = mend_escapes(text)
    try:
        decoded: str = _DECODER.raw_decode(f'"{text}"')[0]
    except ValueError:
        return None
    return decoded
