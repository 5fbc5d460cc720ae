"""Lines that may be a hunk without any header.

-old            at the beginning of the text, or of a fence, before all other hunks
+new

- the total     a list in prose, and no hunk
"""

from __future__ import annotations

from streamparse.diff.hunk_prose import is_listed
from streamparse.diff.lines import filled_of
from streamparse.diff.patch_line import NO_NEWLINE


class BareHunk:
    """Takes the lines before any header, but for fences. At the beginning of the text, a hunk may begin."""

    def __init__(self) -> None:
        self._lines: list[str] | None = []  # None: there cannot be such a hunk
        #: Whether some line is changed, and no item of a list.
        self.has_changes = False

    def begin(self) -> None:
        """Lines that follow may be a hunk."""
        self._lines, self.has_changes = [], False

    def drop(self) -> None:
        """They are not, and what came of them is prose."""
        self._lines, self.has_changes = None, False

    def add(self, line: str, body: str) -> None:
        """The next line."""
        if self._lines is None:
            return
        if body.startswith((" ", "+", "-")) or (self._lines and (not body or NO_NEWLINE.fullmatch(body))):
            self._lines.append(line)
            self.has_changes = self.has_changes or (line.startswith(("+", "-")) and not is_listed(line))
        elif body:
            self.drop()  # prose, and so are the lines around it

    def take(self) -> list[str]:
        """The lines, which are all there; none if they are a list in prose, or change nothing."""
        lines = self._lines or []
        self.drop()
        has_changes = any(line.startswith(("+", "-")) for line in lines)
        return lines if has_changes and not all(map(is_listed, filled_of(lines))) else []
