"""The file that is edited, looked at once.

Lines are compared in three forms: as they are, trimmed of blanks at both ends, and condensed: without blank lines
and with plain quotes for typographic ones. Each form is made when a block first needs it.
"""

from __future__ import annotations

from functools import cached_property

from streamparse.diff.lines import BOM, bodies_of, ending_of, split_lines
from streamparse.diff.table import LineTable

_QUOTES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'") | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"')
)


def plain_quotes(line: str) -> str:
    """The line as someone types it who has only `'` and `"`."""
    return line if line.isascii() else line.translate(_QUOTES)


class FileIndex:
    """`lines` are those of the original with their endings, without the byte order mark, which is kept in `bom`."""

    def __init__(self, original: str) -> None:
        self.original = original
        self.bom = BOM if original.startswith(BOM) else ""
        self.lines = split_lines(original[len(self.bom) :])
        self._separators: dict[int, bool] = {}

    @cached_property
    def exact(self) -> LineTable:
        """The lines without their endings."""
        return LineTable(bodies_of(self.lines))

    @cached_property
    def trimmed(self) -> LineTable:
        """The lines without blanks at their ends."""
        return LineTable([line.strip() for line in self.lines])

    @cached_property
    def condensed(self) -> LineTable:
        """The lines that are not blank, trimmed, with plain quotes; `condensed_numbers` says which they are."""
        keys = [key for key in self.trimmed.keys if key]
        return LineTable(keys if self.original.isascii() else [plain_quotes(key) for key in keys])

    @cached_property
    def condensed_numbers(self) -> list[int]:
        """The line number, from 0, of each condensed line."""
        return [number for number, key in enumerate(self.trimmed.keys) if key]

    @cached_property
    def ends_without_newline(self) -> bool:
        """Whether the last line has no ending. An empty file has no last line."""
        return bool(self.lines) and not ending_of(self.lines[-1])

    def has_separators(self, size: int) -> bool:
        """Whether there are lines of `size` equals signs."""
        if size not in self._separators:
            self._separators[size] = bool(self.trimmed.places(["=" * size]))
        return self._separators[size]

    @cached_property
    def has_plain_newlines(self) -> bool:
        """Whether some lines end with a newline alone."""
        return self.original.count("\n") > self.original.count("\r\n")

    def ending_at(self, number: int) -> str:
        """The ending of that line; for the last one without an ending that of the line before, if there is one."""
        return ending_of(self.lines[number]) or (ending_of(self.lines[number - 1]) if number else "")
