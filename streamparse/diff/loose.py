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
from streamparse.diff.markers import CONTENT, SEARCH, Kind, Marker, classify, corrected_block, may_separate, unescape

#: So many lines are tried as the separator.
_TRIES = 8


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
        if marker.may_start:
            return cls(marker, [line], has_start=True, has_separator=False)
        return None

    def is_begun_by(self, marker: Marker) -> bool:
        """Whether the line begins another one: what may as well separate or end this one does not."""
        if marker.may_end:
            return marker.word == SEARCH and not self.has_separator
        return marker.may_start

    def add(self, line: str, marker: Marker) -> None:
        """A further line."""
        self.lines.append(line)
        self.has_separator = self.has_separator or marker.kind is Kind.SEPARATOR

    def is_ended_by(self, marker: Marker) -> bool:
        """Whether the line just added ends the block."""
        is_end = marker.kind is Kind.END or (marker.may_end and self.has_start and self.has_separator)
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
        bodies = [body_of(line) for line in inner]
        at = _separator_of(bodies, is_found)
        if at is None:
            return None
        if classify(bodies[at]).kind is not Kind.SEPARATOR:
            self.fixes += (f"`{bodies[at].strip()}` is taken for the separator `=======`",)
        return corrected_block(self.marker, "".join(inner[:at]), "".join(inner[at + 1 :]))


def _separator_of(bodies: list[str], is_found: Callable[[list[str]], bool]) -> int | None:
    """The line that separates, or that was perhaps meant to: the first before which the old lines are found."""
    separators = [at for at, body in enumerate(bodies) if classify(body).kind is Kind.SEPARATOR]
    separators = separators or [at for at, body in enumerate(bodies) if may_separate(body)]
    found = (at for at in separators[:_TRIES] if is_found([unescape(body) for body in bodies[:at]]))
    return next(found, separators[0] if separators else None)
