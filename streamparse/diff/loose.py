"""What was perhaps meant as a block, although it does not begin with a proper marker.

    -- SEARCH
    old lines
    =======
    new lines
    +++++++ REPLACE

It counts when a separator and an end follow; else it was prose, such as `- SEARCH` in a list, unless it was hardly
anything else.
"""

from __future__ import annotations

from attrs import define

from streamparse.diff.lines import body_of
from streamparse.diff.markers import CONTENT, SEARCH, USUAL, Kind, Marker, Style, classify, style_of


@define
class LooseBlock:
    """The lines from one that looks like a start marker on, or from a separator without one."""

    marker: Marker
    lines: list[str]
    has_start: bool
    has_separator: bool = False
    #: Whether a separator is of the usual size.
    has_usual: bool = False
    is_complete: bool = False

    @classmethod
    def begin(cls, line: str, marker: Marker) -> LooseBlock | None:
        """A line outside of all blocks; None: nothing begins with it."""
        if marker.kind is Kind.SEPARATOR:
            return cls(CONTENT, [line], has_start=False, has_separator=True)
        return cls(marker, [line], has_start=True) if marker.may_start else None

    def is_begun_by(self, marker: Marker) -> bool:
        """Whether the line begins another one: what may as well separate or end this one does not."""
        if marker.may_end:
            return marker.word == SEARCH and not self.has_separator
        return marker.may_start

    def add(self, line: str, marker: Marker) -> bool:
        """A further line; returns whether it ends the block."""
        self.lines.append(line)
        if marker.kind is Kind.SEPARATOR or body_of(line).strip() == "==":
            self.has_separator = True
            self.has_usual = self.has_usual or marker.size == USUAL
        self.is_complete = marker.kind is Kind.END or (marker.may_end and self.has_start and self.has_separator)
        return self.is_complete

    @property
    def is_block(self) -> bool:
        """Whether it is more than prose, although its end is missing."""
        is_plain = self.marker.is_plain and self.marker.word == SEARCH and self.marker.size >= 3
        return self.has_start and (is_plain or self.has_usual)

    @property
    def inner(self) -> list[str]:
        """The lines between the markers."""
        return self.lines[1:-1] if self.is_complete else self.lines[1:]

    @property
    def first(self) -> str:
        """What it begins with."""
        return body_of(self.lines[0]).strip()

    @property
    def style(self) -> Style:
        """That of its first marker, or if that is in other characters, of its last."""
        return style_of(self.marker, classify(body_of(self.lines[-1])))

    @property
    def bad_end(self) -> str:
        """What it ends with, if that is not a proper marker."""
        last = body_of(self.lines[-1])
        return "" if classify(last).kind is Kind.END else last.strip()
