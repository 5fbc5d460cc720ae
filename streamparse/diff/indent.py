"""The indentation of new lines, by what the old ones show: how they are written and how the file has them.

    written  "if x:" / "    go()"      in the file  "\\tif x:" / "\\t\\tgo()"

so a new line with four blanks gets two tabs, one without any gets a tab, and one with eight gets three. If lines that
are written alike are indented differently in the file, the one that was last passed counts. Blank lines are left as
they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from streamparse.diff.lines import BLANKS

#: So many indentations are known at most: each line that has another is compared with all of them.
_MOST = 100


class Indentation:
    """`pairs` are the old lines, as written and as in the file; blank ones say nothing."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.is_kept = True
        self._known: dict[str, str] = {}
        self._derived: dict[str, str] = {}
        for written, found in pairs:
            if written.strip() and found.strip():
                indent, known = _indent_of(written), _indent_of(found)
                if len(self._known) < _MOST:
                    self._known.setdefault(indent, known)
                self.is_kept = self.is_kept and indent == known
        self._unit = self._find_unit()

    def pass_by(self, written: str, found: str) -> None:
        """New lines come next to this old line: what it shows counts more than others."""
        if self.is_kept or not written.strip() or not found.strip():
            return
        indent, known = _indent_of(written), _indent_of(found)
        if self._known.get(indent, known) != known:
            self._known[indent] = known
            self._derived = {}

    def apply(self, line: str) -> str:
        """The line (without its ending) as it is indented in the file."""
        if self.is_kept or not line.strip():
            return line
        indent = _indent_of(line)
        return self._indent_for(indent) + line[len(indent) :]

    def _indent_for(self, indent: str) -> str:
        if indent in self._known:
            return self._known[indent]
        if indent not in self._derived:
            self._derived[indent] = self._derive(indent)
        return self._derived[indent]

    def _derive(self, indent: str) -> str:
        known = self._known
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
        """What is written for what, where one side has tabs and the other blanks, or one has more blanks."""
        pairs = sorted(self._known.items(), key=lambda pair: len(pair[0]))
        steps = list(_steps(pairs))
        for written, found in [*steps, *pairs[:1]]:
            tabs, blanks = sorted((written, found))
            if set(tabs) == {"\t"} and set(blanks) == {" "} and len(blanks) % len(tabs) == 0:
                width = " " * (len(blanks) // len(tabs))
                return ("\t", width) if written == tabs else (width, "\t")
        return _common_ratio(steps)

    def _convert(self, indent: str) -> str:
        written, found = self._unit
        return indent.replace(written, found) if written else indent


def _steps(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """By how much each indentation is deeper than the one before, as written and as found."""
    for (outer, outer_found), (inner, inner_found) in pairwise(pairs):
        if inner.startswith(outer) and inner_found.startswith(outer_found):
            yield inner[len(outer) :], inner_found[len(outer_found) :]


def _common_ratio(steps: list[tuple[str, str]]) -> tuple[str, str]:
    """Blanks for blanks, if every step is so many times as deep in the file, or as written."""
    ratios = set()
    for written, found in steps:
        less, more = sorted((len(written), len(found)))
        if not less or more % less or set(written + found) != {" "}:
            return "", ""
        ratios.add((len(written) // less, len(found) // less))
    if len(ratios) != 1:
        return "", ""
    ((written_width, found_width),) = ratios
    return " " * written_width, " " * found_width


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(BLANKS))]
