"""A SEARCH/REPLACE block, as far as it has been read.

    ------- SEARCH
    :start_line:12
    -------
    old lines
    =======
    new lines
    +++++++ REPLACE

The header of Roo Code (`:start_line:`, `:end_line:`, and a line of dashes behind them) is optional.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from streamparse.diff.change import Change
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BOM
from streamparse.diff.markers import USUAL, Kind, Marker, corrected_block, unescape
from streamparse.diff.match import Match, Place, without_numbers
from streamparse.diff.replacement import Replacement

_HEADER = re.compile(r"[ \t]*:(start|end)_line:[ \t]*(.*?)[ \t]*")
_HEADER_END = re.compile(r"[ \t]*-{3,}[ \t]*")


class SearchBlock(Change):
    """Collects the lines between the markers; `separator` says which of them separates, once that is known."""

    advice_without_old = (
        "The SEARCH part is empty, and the file is not. Repeat the block with the lines to be replaced, "
        "or with the line before the new lines, in SEARCH and in REPLACE."
    )

    def __init__(self, number: int, marker: Marker, has_bom: bool) -> None:
        super().__init__(number)
        self.marker = marker
        #: (body, ending) of every line behind the header.
        self.lines: list[tuple[str, str]] = []
        #: Which of the lines may be the separator.
        self.candidates: list[int] = []
        self.separator: int | None = None
        #: A line behind the separator that may have been meant to end the block; all from there on is held.
        self.suspect: int | None = None
        #: Whether what follows the suspect shows that it was.
        self.is_broken = False
        #: Whether the separator is only known at the end of the block.
        self.waits = False
        self.bad_header: str | None = None
        self.replacement: Replacement | None = None
        #: The new lines, with their endings, as they are written to the file but for indentation and endings.
        self.new: list[tuple[str, str]] = []
        self._is_numbered = False  # the old lines were, and the new ones may be
        self._is_first = False  # it is the beginning of the file
        self._has_bom = has_bom
        self._header = 0  # 0: not begun, 1: within, 2: behind

    @property
    def old(self) -> list[str]:
        """The old lines: all before the separator, or before the first line that may be it."""
        return self.search(self.separator if self.separator is not None else self.candidates[0])

    @property
    def is_noop(self) -> bool:
        """Whether SEARCH and REPLACE are the same."""
        return self.match is not None and [body for body, _ in self.new] == self.match.lines

    def search(self, separator: int) -> list[str]:
        """The old lines, if the separator is that line."""
        lines = [unescape(body) for body, _ in self.lines[:separator]]
        if lines and self._has_bom:
            lines[0] = lines[0].removeprefix(BOM)
        return lines

    def lines_that(self, are: Callable[[str], bool]) -> list[int]:
        """Which of the lines are such."""
        return [at for at, (body, _) in enumerate(self.lines) if are(body)]

    def corrected(self, separator: int, end: int) -> str:
        """The block with proper markers, if the lines at `separator` and `end` were meant to be markers."""
        old, new = self.lines[:separator], self.lines[separator + 1 : end]
        return corrected_block(self.marker, *("".join(body + ending for body, ending in side) for side in (old, new)))

    def take_header(self, body: str) -> bool:
        """Whether the line belongs to the header."""
        if self._header == 2:
            return False
        if match := _HEADER.fullmatch(body):
            self._header = 1
            if not match[2].isdecimal():
                self.bad_header = body.strip()
            elif match[1] == "start":
                self.near = int(match[2][:9])
            return True
        is_end = self._header == 1 and _HEADER_END.fullmatch(body) is not None
        self._header = 2
        return is_end

    def is_separator(self, marker: Marker) -> bool:
        """Whether the line is one that separates, unless it is content."""
        return (
            marker.kind is Kind.SEPARATOR and marker.is_within(self.marker) and marker.size in (USUAL, self.marker.size)
        )

    def accept(self, match: Match) -> None:
        """The old lines are found: numbers in front of the new ones go if they were taken off the old ones."""
        self._is_numbered = match.numbered_from is not None
        self._is_first = all(place.start == 0 for place in match.places)

    def begin_new(self, text: str) -> str:
        """The beginning of a new line that may be shown; returns the text that is certain now."""
        assert self.replacement is not None
        return self.replacement.begin(self._without_bom(text))

    def add_new(self, body: str, ending: str) -> str:
        """One more new line; returns the text that is certain now."""
        body = self._without_bom(unescape(body))
        if self._is_numbered:
            (body,) = without_numbers([body]) or [body]  # lines that are new have none, as a rule
        self.new.append((body, ending))
        return self.replacement.add(body, ending) if self.replacement is not None else ""

    def _without_bom(self, text: str) -> str:
        """A new line without the byte order mark, if it is to be the first of a file that has its own."""
        return text.removeprefix(BOM) if not self.new and self._has_bom and self._is_first else text

    def finish(self) -> str:
        """No more new lines; returns what was held."""
        return self.replacement.finish() if self.replacement is not None else ""

    @property
    def may_show_beginnings(self) -> bool:
        """Whether a new line may be shown before its end."""
        return (
            self.replacement is not None
            and self.replacement.is_verbatim
            and self.suspect is None
            and not self._is_numbered
        )

    def render(self, index: FileIndex, place: Place, match: Match) -> str:
        """All of the new text."""
        replacement = Replacement(index, place, match)
        return "".join([replacement.add(*line) for line in self.new]) + replacement.finish()
