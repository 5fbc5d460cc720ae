"""What `.gitignore` leaves out: the extra `agent`. Loaded by `walk.py`.

rules = Ignored().within("src/", "*.log\\n!keep.log\\n")       those of the folder src, added to others
rules.covers("src/a.log")                                   True
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import pathspec
from attrs import frozen

#: A name in a pattern with more `*` could take for ever to be compared with a long name.
_MOST_STARS = 3
_MANY_STARS = re.compile(rf"(?:^|/)(?:[^*/]*\*+){{{_MOST_STARS + 1},}}[^/]*")
#: So could one with more `**` with a path of many folders.
_MANY_FOLDERS = re.compile(rf"(?:\*\*.*){{{_MOST_STARS + 1},}}")

#: What pathspec makes of `*` and of `*/`, and the same for the path itself.
_WHOLE = dict.fromkeys([".", "(?P<ps_d>/)"], re.compile(r".*\Z", re.DOTALL))


@frozen
class _Rule:
    """One line. What it says counts for the path itself: a folder that is left out is not looked into anyway."""

    regex: re.Pattern[str]
    is_ignored: bool
    #: Whether it ends with `/**`, and so is about what is in a folder, but not about the folder.
    is_within: bool
    #: Whether it ends with a slash.
    is_for_folders: bool

    def fits(self, path: str) -> bool:
        if self.is_for_folders and not path.endswith("/"):
            return False
        match = self.regex.search(path)
        return match is not None and (match.end() == len(path)) != self.is_within


@frozen
class Ignored:
    """The rules on the way to a folder, the outermost first, each with the path of its folder."""

    rules: tuple[tuple[str, tuple[_Rule, ...]], ...] = ()

    def within(self, prefix: str, text: str) -> Ignored:
        """With the rules of one more folder. A line that is no pattern, or would take too long, is none."""
        rules = tuple(rule for line in text.splitlines() for rule in _rules(line))
        return Ignored((*self.rules, (prefix, rules)))

    def covers(self, path: str) -> bool:
        """Whether the path is left out; that of a folder ends with a slash. The innermost rules count first."""
        for prefix, rules in reversed(self.rules):
            for rule in reversed(rules):
                if rule.fits(path[len(prefix) :]):
                    return rule.is_ignored
        return False


def _rules(line: str) -> Iterator[_Rule]:
    if _MANY_STARS.search(line) or _MANY_FOLDERS.search(line):
        return
    with suppress(ValueError):
        for pattern in pathspec.GitIgnoreSpec.from_lines([line]).patterns:
            if pattern.include is not None and pattern.regex is not None:
                whole = _WHOLE.get(pattern.regex.pattern)
                is_within = whole is None and line.rstrip(" /").endswith("/**")
                yield _Rule(whole or pattern.regex, pattern.include, is_within, line.rstrip().endswith("/"))
