"""The indentation of new lines, by what the old ones show: how they are written and how the file has them.

    written  "if x:" / "    go()"      in the file  "\\tif x:" / "\\t\\tgo()"

so a new line with four blanks gets two tabs, one without any gets a tab, and one with eight gets three. Blank lines are
left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

_INDENT = re.compile(r"[ \t]*")


class Indentation:
    """`pairs` are the old lines, as written and as in the file; blank ones say nothing."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._known: dict[str, str] = {}
        for written, found in pairs:
            if written.strip() and found.strip():
                self._known.setdefault(_indent_of(written), _indent_of(found))
        self.is_kept = all(written == found for written, found in self._known.items())
        self._unit = self._find_unit()

    def apply(self, line: str) -> str:
        """The line (without its ending) as it is indented in the file."""
        if self.is_kept or not line.strip():
            return line
        indent = _indent_of(line)
        return self._indent_for(indent) + line[len(indent) :]

    def _indent_for(self, indent: str) -> str:
        known = self._known
        if indent in known:
            return known[indent]
        if outer := [written for written in known if indent.startswith(written)]:
            nearest = max(outer, key=len)
            return known[nearest] + self._convert(indent[len(nearest) :])
        if inner := [written for written in known if written.startswith(indent)]:
            nearest = min(inner, key=len)
            # What the nearest deeper line has more is taken off again.
            size = len(self._convert(nearest[len(indent) :]))
            return known[nearest][: max(0, len(known[nearest]) - size)]
        return self._convert(indent)

    def _find_unit(self) -> tuple[str, str]:
        """What is written for what, where one side has tabs and the other blanks."""
        pairs = sorted(self._known.items(), key=lambda pair: len(pair[0]))
        for (outer, outer_found), (inner, inner_found) in (*pairwise(pairs), *zip([("", "")], pairs, strict=False)):
            if inner.startswith(outer) and inner_found.startswith(outer_found):
                written, found = inner[len(outer) :], inner_found[len(outer_found) :]
                tabs, blanks = sorted((written, found))
                if set(tabs) == {"\t"} and set(blanks) == {" "} and len(blanks) % len(tabs) == 0:
                    width = " " * (len(blanks) // len(tabs))
                    return ("\t", width) if written == tabs else (width, "\t")
        return "", ""

    def _convert(self, indent: str) -> str:
        written, found = self._unit
        return indent.replace(written, found) if written else indent


def _indent_of(line: str) -> str:
    match = _INDENT.match(line)
    assert match is not None  # it matches nothing, too
    return match[0]
