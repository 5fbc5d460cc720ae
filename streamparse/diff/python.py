"""Whether a text is Python, as far as its syntax goes: `parses("if x:\\n  y\\n")` is True."""

from __future__ import annotations

import ast
import warnings

from streamparse.diff.lines import BOM

SUFFIXES = (".py", ".pyi")
#: So many characters are read within a second or so.
LONGEST = 1_000_000


def parses(text: str) -> bool:
    """Whether this version of Python can read it; it is not run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text.removeprefix(BOM))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
