"""The blanks before all lines of a patch that is indented as a whole, as in an item of a list.

1. Apply this:                  the text around it is as it was

   --- a/a.py                   a patch begins, and the next two lines are indented like it: all of its lines
   +++ b/a.py                   are read without these blanks, and it ends with the first that has them not
   @@ -1 +1 @@

One blank is none of this: it is the sign of context.
"""

from __future__ import annotations

import re

from streamparse.diff.indent import indent_of
from streamparse.diff.lines import BLANKS, filled_of, is_blank

#: The first lines of a patch. Where the third says nothing, it is any that is indented as they are.
_BEGINNINGS = [
    (re.compile(r"--- \S.*"), re.compile(r"\+\+\+ \S.*"), re.compile(r"@@.*")),
    (re.compile(r"diff --git \S.*"), re.compile(r"\S.*"), re.compile(r".+")),
    (re.compile(r"\*\*\* Begin Patch\s*"), re.compile(r"\*\*\* [A-Za-z]+ File: .*"), re.compile(r".+")),
    (re.compile(r"@@(?:[ \t].*)?"), re.compile(r"[-+ ].*"), re.compile(r"[-+ @\\].*")),
]
_SIZE = 3


class Margin:
    """Takes the lines of a text one by one, and gives those that can be read, without the blanks."""

    def __init__(self) -> None:
        #: The blanks, within such a patch.
        self.blanks = ""
        #: Whether there was one.
        self.is_used = False
        self._held: list[str] = []  # lines that may be the first of a patch

    def add(self, line: str) -> list[str]:
        """The next line, where a patch may begin, or within one; returns the lines that can be read now."""
        if self.blanks:
            return [self.without_blanks(line)]
        ready: list[str] = []
        self._held.append(line)
        if len(self._held) > 1 and is_blank(line):
            return ready  # it changes nothing
        while self._held and not _may_begin(self._held):
            # Blank lines do not begin one, either.
            next_one = next((at for at, one in enumerate(self._held) if at and not is_blank(one)), len(self._held))
            ready += self._held[:next_one]
            del self._held[:next_one]
        if len(filled_of(self._held)) < _SIZE:
            return ready
        self.blanks, self.is_used = indent_of(self._held[0]), True
        return [*ready, *map(self.without_blanks, self.finish())]

    @property
    def is_idle(self) -> bool:
        """Whether no line is held, and no patch is read."""
        return not self.blanks and not self._held

    def ends_before(self, line: str) -> bool:
        """Whether the line is no part of the patch, so that it ends: then there is no margin any more."""
        if not self.blanks or is_blank(line) or line.startswith(self.blanks):
            return False
        self.blanks = ""
        return True

    def without_blanks(self, line: str) -> str:
        """The line as it is read; of a blank one, what it has more, and its ending."""
        if line.startswith(self.blanks):
            return line[len(self.blanks) :]
        return line.lstrip(BLANKS)

    def finish(self) -> list[str]:
        """There are no more lines: those that were held."""
        held, self._held = self._held, []
        return held


def _may_begin(lines: list[str]) -> bool:
    """Whether these, or all that follow from them, begin a patch that is indented."""
    blanks, filled = indent_of(lines[0]), filled_of(lines)  # blank ones may have lost the blanks before all others
    if not blanks.startswith(("  ", "\t")) or not all(line.startswith(blanks) for line in filled) or is_blank(lines[0]):
        return False
    bodies = [line[len(blanks) :].rstrip("\r\n") for line in filled]
    pairs = (zip(patterns, bodies, strict=False) for patterns in _BEGINNINGS)
    return any(all(pattern.fullmatch(body) for pattern, body in one) for one in pairs)
