"""What `.gitignore` leaves out: the extra `agent`. Loaded by `walk.py`.

rules = Ignored().within("src/", "*.log\\n!keep.log\\n")       those of the folder src, added to others
rules.covers("src/a.log")                                   True
"""

from __future__ import annotations

import re

import pathspec
from attrs import frozen

#: A name in a pattern with more `*` could take for ever to be compared with a long name.
_MOST_STARS = 3
_MANY_STARS = re.compile(rf"(?:^|/)(?:[^*/]*\*+){{{_MOST_STARS + 1},}}[^/]*")
#: So could one with more `**` with a path of many folders.
_MANY_FOLDERS = re.compile(rf"(?:\*\*.*){{{_MOST_STARS + 1},}}")


@frozen
class Ignored:
    """The rules on the way to a folder, the outermost first, each with the path of its folder."""

    specs: tuple[tuple[str, pathspec.GitIgnoreSpec], ...] = ()

    def within(self, prefix: str, text: str) -> Ignored:
        """With the rules of one more folder. A line that is no pattern, or would take too long, is none."""
        spec = pathspec.GitIgnoreSpec.from_lines(filter(_is_pattern, text.splitlines()))
        return Ignored((*self.specs, (prefix, spec)))

    def covers(self, path: str) -> bool:
        """Whether the path is left out; that of a folder ends with a slash. The innermost rules count first."""
        for prefix, spec in reversed(self.specs):
            said = spec.check_file(path[len(prefix) :]).include
            if said is not None:
                return said
        return False


def _is_pattern(line: str) -> bool:
    if _MANY_STARS.search(line) or _MANY_FOLDERS.search(line):
        return False
    try:
        pathspec.GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
