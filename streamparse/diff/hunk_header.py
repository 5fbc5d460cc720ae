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
    counts: tuple[int, int] | None = None


def read_header(line: str) -> HunkHeader:
    """The header that this line is; `...` is no heading."""
    if match := _NUMBERED.fullmatch(line):
        old, old_count, new, new_count = (line_number(match[group] or "1") for group in (1, 2, 3, 4))
        return HunkHeader(tuple(_headings([match[5] or ""])), (old, new), (old_count, new_count))
    *before, last = _headings(_SIGNS.split(line)) or [""]
    before = [heading for heading in before if not _NUMBERS.fullmatch(heading)]
    return HunkHeader((*before, last) if last else ())


class GluedHeading:
    """Whether `@@def f():`, which has no blank behind its mark, begins a hunk: a changed line shows it.

    Only context may be between the two; in prose, it is an address or a decorator.
    """

    def __init__(self) -> None:
        #: Whether the last lines were such a heading and perhaps context.
        self.is_open = False

    def is_shown_by(self, body: str) -> bool:
        """Whether the next line is the first change, and no item of a list."""
        is_shown = self.is_open and body.startswith(("+", "-")) and not is_listed(body)
        self.is_open = _GLUED.fullmatch(body) is not None or (self.is_open and body.startswith(" "))
        return is_shown


def is_combined(line: str) -> bool:
    """Whether the lines of the hunk have a mark for each of several old versions."""
    return _COMBINED.match(line) is not None


def _headings(texts: Iterable[str]) -> list[str]:
    return [text.removeprefix(" ").rstrip() for text in texts if text.strip(" \t.…")]
