"""Whether a text is Python, as far as its syntax goes: `flaw("f()\\n")` is None, and `flaw("f(\\n")` says why not."""

from __future__ import annotations

import os
import warnings

from attrs import frozen

from streamparse.diff.lines import BOM

_SUFFIXES = (".py", ".pyi")
#: So many characters are read within a second or so.
LONGEST = 1_000_000


@frozen
class SyntaxFlaw:
    """What Python says, and the line of which it says so, or nothing."""

    message: str
    line: str = ""


def is_python(path: str | os.PathLike[str] | None) -> bool:
    """Whether a file of that path is to be Python."""
    return path is not None and os.fspath(path).endswith(_SUFFIXES)


def flaw(text: str) -> SyntaxFlaw | None:
    """Why this version of Python cannot read it, or None; it is not run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # More than `ast.parse` it rejects what has come to a wrong place, such as a `return` outside of functions.
            compile(text.removeprefix(BOM), "", "exec", dont_inherit=True)
    except SyntaxError as error:
        return SyntaxFlaw(error.msg, (error.text or "").strip())
    except (ValueError, RecursionError, MemoryError):
        return SyntaxFlaw("it cannot be read")
    return None
