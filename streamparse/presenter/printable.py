"""What others have written, such as the name of a file, as it can be shown to anyone.

printable("a\\nb")               'a\\\\nb', in one line
brief("a\\n" + 100 * "b")        the same of its beginning
"""

from __future__ import annotations

from streamparse.errors import shorten


def printable(text: str) -> str:
    """The text in one line: control characters, and marks that reorder a line, are written as escapes."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def brief(text: str) -> str:
    """The same, of a long text the beginning."""
    return printable(shorten(text))
