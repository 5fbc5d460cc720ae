"""What was perhaps meant as a block, although it does not begin with a proper marker.

    -- SEARCH
    old lines
    =======
    new lines
    +++++++ REPLACE

It counts when a separator and an end follow; else it was prose, such as `- SEARCH` in a list.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from streamparse.diff.lines import body_of
from streamparse.diff.markers import CONTENT, Kind, Marker, classify, corrected_block, is_rule, unescape


@define
class LooseBlock:
    """The lines from one that looks like a start marker on, or from a separator without one."""

    marker: Marker
    lines: list[str]
    has_start: bool
    has_separator: bool
    is_complete: bool = False
    what: str = ""
    fixes: tuple[str, ...] = field(default=())

    @classmethod
    def begin(cls, line: str, marker: Marker) -> LooseBlock | None:
        """A line outside of all blocks; None: nothing begins with it."""
        if marker.kind is Kind.SEPARATOR:
            return cls(CONTENT, [line], has_start=False, has_separator=True)
        if _looks_like_start(marker):
            return cls(marker, [line], has_start=True, has_separator=False)
        return None

    def is_begun_by(self, marker: Marker) -> bool:
        """Whether the line begins another one; the end of this one looks like its beginning only in prose."""
        return marker.kind is Kind.ALMOST_START

    def add(self, line: str, marker: Marker) -> None:
        """A further line."""
        self.lines.append(line)
        self.has_separator = self.has_separator or marker.kind is Kind.SEPARATOR

    def is_ended_by(self, marker: Marker) -> bool:
        """Whether the line just added ends the block."""
        is_end = marker.kind is Kind.END or (marker.kind is Kind.ALMOST_END and self.has_start and self.has_separator)
        if is_end:
            self.is_complete = True
        return is_end

    def corrected(self, is_found: Callable[[list[str]], bool]) -> str | None:
        """The block with proper markers, and what is wrong with it; `is_found` tells old lines from others."""
        first, last = body_of(self.lines[0]).strip(), body_of(self.lines[-1]).strip()
        if not self.has_start:
            self.what = "This block has no marker `------- SEARCH` before its old lines."
            return None
        self.what = f"The block begins with `{first}`, which is not the marker `------- SEARCH`."
        self.fixes = (f"`{first}` is taken for the start marker `------- SEARCH`",)
        inner = self.lines[1:-1] if self.is_complete else self.lines[1:]
        if self.is_complete and classify(body_of(self.lines[-1])).kind is not Kind.END:
            self.fixes += (f"`{last}` is taken for the end marker `+++++++ REPLACE`",)
        separators = [at for at, line in enumerate(inner) if classify(body_of(line)).kind is Kind.SEPARATOR]
        separators = separators or [at for at, line in enumerate(inner) if is_rule(body_of(line))]
        if not separators:
            return None
        bodies = [unescape(body_of(line)) for line in inner]
        at = next((at for at in separators[:8] if is_found(bodies[:at])), separators[0])
        return corrected_block(self.marker, "".join(inner[:at]), "".join(inner[at + 1 :]))


def _looks_like_start(marker: Marker) -> bool:
    return marker.kind is Kind.ALMOST_START or (marker.kind is Kind.ALMOST_END and marker.character not in "+>")
