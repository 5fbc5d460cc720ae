"""The line that a hunk begins with.

@@ -12,3 +13,4 @@ def f():    three old lines from 12 on, four new ones from 13 on, below a line `def f():`
@@ -12,0 +13 @@               one new line, behind line 12
@@ def f():                   only the heading, as `*** Begin Patch` has it
@@@ -1,2 -1,2 +1,3 @@@        of several old versions
"""

from __future__ import annotations

import re

from attrs import frozen

from streamparse.diff.lines import line_number

_NUMBERED = re.compile(r"@@+[ \t]*-(\d+)(?:,(\d+))?[ \t]+\+(\d+)(?:,(\d+))?[ \t]*(?:@@+(.*))?")
_COMBINED = re.compile(r"@@@+ -\d+(?:,\d+)? -\d")
_BARE = re.compile(r"@@+(.*?)(?:@@+(.*))?")


@frozen
class HunkHeader:
    """What it says: the numbers of the first old and new line, how many there are of each, and the heading."""

    heading: str = ""
    numbers: tuple[int, int] | None = None
    counts: tuple[int, int] | None = None


def read_header(line: str) -> HunkHeader:
    """The header that this line is; `...` is no heading."""
    if match := _NUMBERED.fullmatch(line):
        old, old_count, new, new_count = (line_number(match[group] or "1") for group in (1, 2, 3, 4))
        return HunkHeader(_heading(match[5]), (old, new), (old_count, new_count))
    bare = _BARE.fullmatch(line)
    return HunkHeader(_heading(bare and (bare[2] or bare[1])))


def is_combined(line: str) -> bool:
    """Whether the lines of the hunk have a mark for each of several old versions."""
    return _COMBINED.match(line) is not None


def _heading(text: str | None) -> str:
    return text.removeprefix(" ").rstrip() if text and text.strip(" \t.…") else ""
