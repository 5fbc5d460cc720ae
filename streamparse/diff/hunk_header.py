"""The line that a hunk begins with.

@@ -12,3 +13,4 @@ def f():    three old lines from 12 on, four new ones from 13 on, below a line `def f():`
@@ -12,0 +13 @@               one new line, behind line 12
@@ def f():                   only the heading, as `*** Begin Patch` has it
@@ class A: @@     def f():   several, as if each had a line of its own
@@@ -1,2 -1,2 +1,3 @@@        of several old versions
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from streamparse.diff.hunk_prose import is_listed
from streamparse.diff.lines import line_number

_NUMBERED = re.compile(r"@@+[ \t]*-(\d+)(?:,(\d+))?[ \t]+\+(\d+)(?:,(\d+))?[ \t]*(?:@@+(.*))?")
_GLUED = re.compile(r"@@+[^\s@-].*")
_COMBINED = re.compile(r"@@@+ -\d+(?:,\d+)? -\d")
_SIGNS = re.compile(r"@@+")
#: Numbers that are not quite right stand before a heading, and are none.
_NUMBERS = re.compile(r"[-+\d,. \t]*")


@frozen
class HunkHeader:
    """What it says: the numbers of the first old and new line, how many there are of each, and the headings."""

    headings: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
    counts: tuple[int, int] = (0, 0)


def read_header(line: str) -> HunkHeader:
    """The header that this line is; `...` is no heading."""
    if match := _NUMBERED.fullmatch(line):
        old, old_count, new, new_count = (line_number(match[group] or "1") for group in (1, 2, 3, 4))
        return HunkHeader(tuple(_headings([match[5] or ""])), (old, new), (old_count, new_count))
    *before, last = _headings(_SIGNS.split(line)) or [""]
    before = [heading for heading in before if not _NUMBERS.fullmatch(heading)]
    return HunkHeader((*before, last) if last else ())


class GluedHeading:
    """Whether `@@def f():`, which has no blank behind its mark, begins a hunk: in prose, it is an address or decorator.

    A changed line shows it, if nothing but context is between the two, or another header, if only blank lines are.
    """

    def __init__(self) -> None:
        #: Whether the last lines were such a heading and perhaps others.
        self.is_open = False
        self._has_context = self._has_blank = False

    def is_shown_by(self, body: str) -> bool:
        """Whether the next line is the first change, and no item of a list, or another header."""
        is_glued = _GLUED.fullmatch(body) is not None
        is_header = body.startswith("@@") and not is_glued and not self._has_context
        is_change = body.startswith(("+", "-")) and not is_listed(body) and not self._has_blank
        is_shown = self.is_open and (is_header or is_change)
        is_context, is_blank = body.startswith(" "), not body
        self.is_open = is_glued or (self.is_open and (is_context or is_blank))
        self._has_context = not is_glued and (self._has_context or is_context)
        self._has_blank = not is_glued and (self._has_blank or is_blank)
        return is_shown


def is_combined(line: str) -> bool:
    """Whether the lines of the hunk have a mark for each of several old versions."""
    return _COMBINED.match(line) is not None


def _headings(texts: Iterable[str]) -> list[str]:
    return [text.removeprefix(" ").rstrip() for text in texts if text.strip(" \t.…")]
