"""Model output on a terminal: whatever could steer the terminal, or hide what is there, becomes a visible escape.

    visible("\\x1b[2J")     is  \\x1b[2J, as eight printable characters
    visible_line("a\\nb")   is  a\\nb, on one line

Escaped are the control characters (C0 but newline and tab, DEL, C1), lone surrogates, and the controls that reorder
text. It works character by character, so text may be cut anywhere before.
"""

from __future__ import annotations

import re

_REORDERING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSAFE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_REORDERING}\ud800-\udfff]")
_UNSAFE_IN_LINE = re.compile(f"[\x00-\x1f\x7f-\x9f{_REORDERING}\ud800-\udfff]")


def visible(text: str, encoding: str = "utf-8") -> str:
    """`text` without anything a terminal obeys; what `encoding` lacks is escaped, too."""
    return _encodable(_UNSAFE.sub(_escape, text), encoding)


def visible_line(text: str, encoding: str = "utf-8") -> str:
    """As `visible`, for titles and other single lines: newlines and tabs are escaped, too."""
    return _encodable(_UNSAFE_IN_LINE.sub(_escape, text), encoding)


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _encodable(text: str, encoding: str) -> str:
    # Before the layout, not when it is written: an escape is wider than what it stands for.
    return text.encode(encoding, "backslashreplace").decode(encoding)
