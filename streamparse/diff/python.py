"""Whether a text is Python, as far as its syntax goes: `flaw("f()\\n")` is None, and `flaw("f(\\n")` says why not.

And whether `...` is what Python has for the body of a function or a class.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence

from attrs import frozen

from streamparse.diff.indent import indent_of
from streamparse.diff.lines import BOM, is_blank

_SUFFIXES = (".py", ".pyi")
#: So many characters are read within a second or so.
LONGEST = 1_000_000

_HEAD = re.compile(
    r"\s*(?:async\s+)?(?:class|def|if|elif|else|for|while|with|try|except|finally|match|case)\b", re.ASCII
)
_OPENS_BODY = re.compile(r".*:\s*(?:#.*)?")
_QUOTES = re.compile(r"\"{3}|'{3}")
_BEGINS_TEXT = re.compile(r"\s*[rRuU]?(?:\"{3}|'{3})")
_OPENING, _CLOSING = re.compile(r"[(\[{]"), re.compile(r"[)\]}]")


@frozen
class SyntaxFlaw:
    """What Python says, and the line of which it says so, or nothing."""

    message: str
    line: str = ""


def is_python(path: str | None) -> bool:
    """Whether a file of that path is to be Python."""
    return path is not None and path.endswith(_SUFFIXES)


def is_whole_body(lines: Sequence[str], at: int) -> bool:
    """Whether that line is all there is to a body, but for what documents it, and for comments."""
    indent = indent_of(lines[at])
    head = _head_before(lines, at)
    if head is None or len(indent) <= len(indent_of(head)) or not indent.startswith(indent_of(head)):
        return False
    for behind in range(at + 1, len(lines)):
        line = lines[behind]
        if len(indent_of(line)) >= len(indent) and not is_blank(line):
            return False
        if not (is_blank(line) or line.lstrip().startswith("#")):
            break
    return True


def _head_before(lines: Sequence[str], at: int) -> str | None:
    """The line with which the body begins of which that line is the first, but for what documents it; or None."""
    end = at - 1
    if end >= 0 and (quotes := _QUOTES.findall(lines[end])) and lines[end].rstrip().endswith(quotes[-1]):
        if len(quotes) == 1:
            end = next((row for row in range(end - 1, -1, -1) if quotes[-1] in lines[row]), end)
        if indent_of(lines[end]) != indent_of(lines[at]) or not _BEGINS_TEXT.match(lines[end]):
            return None
        end = next((row for row in range(end - 1, -1, -1) if not is_blank(lines[row])), -1)
    if end < 0 or not _OPENS_BODY.fullmatch(lines[end]):
        return None
    closed = 0
    for row in range(end, -1, -1):  # the line may have begun before, in brackets
        closed += len(_CLOSING.findall(lines[row])) - len(_OPENING.findall(lines[row]))
        if closed <= 0:
            return lines[row] if _HEAD.match(lines[row]) else None
    return None


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
