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
from collections.abc import Sequence
from functools import cached_property

from streamparse.diff import block_hints, hints
from streamparse.diff.change import Change, index_at
from streamparse.diff.dressing import (
    elision_of,
    ends_of,
    is_fence,
    is_fenced,
    is_half_escaped,
    moves_elision,
    without_entities,
)
from streamparse.diff.hunk_lines import Line
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BOM, is_blank, line_number
from streamparse.diff.markers import USUAL, Kind, Marker, Style, classify, corrected_block, escape, style_of, unescape
from streamparse.diff.new_dressing import NewLines
from streamparse.diff.numbering import NewNumbers
from streamparse.diff.place import SIGNS, Match, Place
from streamparse.diff.placeholder import is_dots
from streamparse.diff.replacement import Replacement
from streamparse.diff.result import Failure
from streamparse.diff.typography import PLAIN, NewSigns
from streamparse.diff.ways import Reading, Sample, Way

_HEADER = re.compile(r"[ \t]*+:(start|end)_line:(.*)")
#: No other number of dashes, as `---` may be content.
_HEADER_END = re.compile(r"[ \t]*+-{7}[ \t]*+")


class SearchBlock(Change):
    """Collects the lines between the markers; `separator` says which of them separates, once that is known."""

    advice_without_old = (
        "The SEARCH part is empty, and the file is not. Repeat the block with the lines to be replaced, "
        "or with the line before the new lines, in SEARCH and in REPLACE."
    )
    #: Whether what is around all new lines, or in front of them, may be none of the text.
    may_be_wrapped = True

    def __init__(self, number: int, marker: Marker, has_bom: bool) -> None:
        super().__init__(number)
        self.marker = marker
        #: The path of its file in a tree, if that stands in its first marker.
        self.path_in_marker = ""
        #: (body, ending) of every line behind the header.
        self.lines: list[tuple[str, str]] = []
        #: Which of the lines may be the separator.
        self.candidates: list[int] = []
        self.separator: int | None = None
        #: A line behind the separator that may have been meant to end the block; all from there on is held.
        self.suspect: int | None = None
        #: Whether it is hardly anything else; if not, it counts only if nothing follows it.
        self.is_suspect_plain = False
        #: Whether what follows the suspect shows that it was.
        self.is_broken = False
        #: Whether lines are as they are written, because the file has lines with such backslashes.
        self.is_raw = False
        #: Whether the separator is only known at the end of the block.
        self.waits = False
        self.bad_header: str | None = None
        self.replacement: Replacement | None = None
        #: The new lines with their endings, without backslashes and numbers.
        self.new: list[tuple[str, str]] = []
        self._dressed: Match | None = None  # how the old lines were written, and the new ones may be
        self._is_plain = True  # whether new lines are what is written
        self._numbers = NewNumbers(None)  # what takes off such as are in front of new lines
        self._signs = NewSigns(PLAIN)  # what reads those of typography in them
        self._held: list[tuple[str, str]] = []  # new lines that may be in a fence
        self._is_half_fenced = False
        self._has_other_fence = False  # around the new lines than around the old ones, which the file does not have
        self._elisions = 0  # how often lines are left out
        #: If SEARCH leaves lines out: the new lines as they are written.
        self._elided: list[str] = []
        #: Whether new lines are written for HTML although only other blocks show it; and all that are, as written.
        self.follows_html = False
        self.signs: list[str] = []
        #: The path before it and that of the file, if these are of two files.
        self.other_path: tuple[str, str] | None = None
        self._has_bom = has_bom
        self._is_numbered = False  # whether `near` is the number in front of the first old line, and not the header's
        self._header = 0  # 0: not begun, 1: within, 2: behind

    @cached_property
    def style(self) -> Style:
        """How markers are written in what is said about it."""
        return style_of(self.marker)

    @property
    def advice_when_cut(self) -> str:
        """What is missing if the diff ends within it."""
        return f"The diff breaks off. Write its last block to its end, with the line `{self.style.end}`."

    @property
    def old(self) -> list[str]:
        """The old lines: all before the separator, or before the first line that may be it."""
        at = self.separator if self.separator is not None else self.candidates[0]
        return self.search(at, is_raw=self.is_raw)

    @property
    def new_lines(self) -> list[str]:
        """Those of REPLACE, also if SEARCH is nowhere."""
        if self.separator is None:
            return [unescape(body) for body, _ in self.lines[self.candidates[0] + 1 :]]
        return [body for body, _ in self.new]

    @property
    def is_noop(self) -> bool:
        """Whether SEARCH and REPLACE are the same, and nothing was to be changed that cannot be seen."""
        assert self.replacement is not None  # it is only asked of what has its place
        is_other = self.replacement.hides_steps or self._signs.is_doubtful or self._has_other_fence
        return not is_other and not self._moves_elision and self._is_unchanged

    @property
    def _moves_elision(self) -> bool:
        """Whether lines that are left out are not in the same places in REPLACE."""
        elisions = self._dressed.elisions if self._dressed is not None else ()
        return bool(elisions) and moves_elision(self.old, self._elided, elisions)

    @property
    def _is_unchanged(self) -> bool:
        assert self.match is not None
        return self._new_without_bom == self.match.lines

    @property
    def _new_without_bom(self) -> list[str]:
        new = self.new_lines
        if new and self._has_bom:
            new[0] = new[0].removeprefix(BOM)
        return new

    def search(self, separator: int, *, is_raw: bool = False) -> list[str]:
        """The old lines, if the separator is that line; raw ones keep their backslashes."""
        lines = [body if is_raw else unescape(body) for body, _ in self.lines[:separator]]
        if lines and self._has_bom:
            lines[0] = lines[0].removeprefix(BOM)
        return lines

    def corrected(self, separator: int, end: int | None = None) -> str:
        """The block with proper markers, if the lines at `separator` and `end` were meant to be markers.

        A path that stands in its first marker comes on a line before it.

        Without an `end`, that is the first line behind the separator that is almost an end marker, if there is one.
        """
        if end is None:
            markers = ((at, classify(self.lines[at][0])) for at in range(separator + 1, len(self.lines)))
            end = next((at for at, marker in markers if marker.is_plain and marker.may_end), len(self.lines))
        header = "" if self.near is None or self._is_numbered else f":start_line:{self.near}\n-------\n"
        old, new = (
            "".join(escape(body, self.marker) + ending for body, ending in side)
            for side in (self.lines[:separator], self.lines[separator + 1 : end])
        )
        named = f"{self.path_in_marker}\n" if self.path_in_marker else ""
        return named + corrected_block(self.marker.indent, self.style, header + old, new)

    def take_header(self, body: str) -> bool:
        """Read the line if it belongs to the header; returns whether it does."""
        if self._header == 2:
            return False
        if match := _HEADER.fullmatch(body):
            self._header = 1
            number = match[2].strip().removeprefix("[").removesuffix("]").strip()
            if match[1] == "end":
                return True  # the old lines say where they end
            if number.isdecimal():
                self.near = line_number(number)
            else:
                self.bad_header = body.strip()
            return True
        is_end = self._header == 1 and _HEADER_END.fullmatch(body) is not None
        self._header = 2
        return is_end

    def is_separator(self, marker: Marker) -> bool:
        """Whether the line is one that separates, unless it is content."""
        return (
            marker.kind is Kind.SEPARATOR and marker.is_within(self.marker) and marker.size in (USUAL, self.marker.size)
        )

    def accept(self, match: Match, *, follows_html: bool = False) -> None:
        """The old lines are found; the new ones are written as they are: with numbers, in a fence, for HTML.

        `follows_html` says that other blocks show the latter, and these old lines nothing.
        """
        self.note(*match.fixes, *[SIGNS] * follows_html)
        self._dressed = match
        self.follows_html = follows_html
        is_read_otherwise = match.is_html or follows_html or match.typography or match.numbering is not None
        self._is_plain = not (is_read_otherwise or match.is_fenced or match.middles or match.tail)
        if not self._is_plain:
            self._numbers, self._signs = NewNumbers(match.numbering), NewSigns(match.typography)
        if self.near is None and match.numbering is not None:
            self.near = match.numbering.first
            self._is_numbered = self.near is not None

    def choose(self, places: Sequence[Place]) -> Sequence[Place]:
        """By numbers in front of the old lines, only the place of which they are the very numbers, or all."""
        if self.near is None or not self._is_numbered:
            return super().choose(places)
        first = self.near - 1
        at = index_at(places, first)
        if at is None or any(origin not in (None, first + step) for step, origin in enumerate(places[at].origins)):
            return places
        return places[at : at + 1]

    def add_new(self, body: str, ending: str) -> str:
        """One more new line; returns the text that is certain now."""
        if "\\" in body and not self.is_raw:
            body = unescape(body)
        match = self._dressed
        if match is None or self._is_plain:
            return self._take(body, ending)
        if match.is_fenced:
            self._held.append((body, ending))  # only the last line tells whether they are in a fence
            return ""
        return self._take_dressed(match, body, ending)

    def _take_dressed(self, match: Match, body: str, ending: str) -> str:
        """A new line that is written as the old ones are."""
        if match.middles:
            self._elided.append(body)
        if match.middles and elision_of(body) in match.elisions:
            middle = match.middles[self._elisions] if self._elisions < len(match.middles) else []
            self._elisions += 1
            if any(map(is_dots, middle)):
                middle = [body]  # a line of the file, which is replaced like others
            return "".join(self._take(line, ending) for line in middle)
        if match.is_html or self.follows_html:
            self.signs.append(body)
            body = without_entities(body)
        return self._take(self._signs.take(self._numbers.take(body)).removesuffix(match.tail), ending)

    def _take(self, body: str, ending: str) -> str:
        self.new.append((body, ending))
        return self.replacement.add(body, ending) if self.replacement is not None else ""

    def finish(self) -> str:
        """No more new lines; returns what was held."""
        held, self._held = self._held, []
        bodies = [body for body, _ in held]
        if not is_fenced(bodies):
            self._is_half_fenced = bool(held) and (is_fence(bodies[0]) or is_fence(bodies[-1], is_closing=True))
        elif is_fenced(bodies[1:-1]) or self._dressed is None or not is_fenced(self._dressed.lines):
            self._has_other_fence = ends_of(bodies) != ends_of(self.old)
            held = held[1:-1]  # where the old lines are fenced in the file, too, a single fence is the one there
        text = "".join(self._take_dressed(self._dressed, *line) for line in held if self._dressed)
        if self.replacement is not None:
            text += self.replacement.finish()
            self.is_indented = self.replacement.is_indented
        return text

    @property
    def verbatim(self) -> Replacement | None:
        """What takes a new line before its end, if that may be shown."""
        is_shown = self.replacement is not None and self.replacement.is_verbatim
        return self.replacement if is_shown and self.suspect is None and self._is_plain else None

    @property
    def sides(self) -> tuple[Sequence[str], Sequence[str]]:
        """The old lines and the new ones, both as they are written."""
        assert self.separator is not None
        return self.old, [body for body, _ in self.lines[self.separator + 1 :]]

    def misdressed(self, index: FileIndex, place: Place, name: str) -> Failure | None:
        """Why its new lines are no text of the file: see `new_dressing.py`."""
        if self._has_other_fence:
            return hints.not_found(index, self)  # the fence is what is to be changed
        lines = NewLines(*self.sides, range(place.start + 1, place.end + 2), name, self.may_be_wrapped, index)
        if not lines.may_be_dressed:
            return None
        separators = [at for at, body in enumerate(lines.new) if self.is_separator(classify(body))]
        if (second := lines.second_separator(separators)) is not None:
            return block_hints.second_separator(self, second)
        hint = lines.hint()
        return None if hint is None else hint(self)

    @property
    def objection(self) -> Failure | None:
        """Why it is not applied, although its place is known: something in REPLACE is no text for the file."""
        assert self.replacement is not None
        assert self.place is not None
        assert self._dressed is not None
        if self._moves_elision:
            return block_hints.elided(self, self._dressed.elisions[0])
        if self._is_half_fenced:
            return block_hints.half_fenced(self)
        if is_half_escaped(self.signs):
            return block_hints.half_escaped(self)
        if self._numbers.is_doubtful:
            return hints.some_numbers(self)
        if self._signs.is_doubtful:
            return hints.typography(self)
        new = self.new_lines
        is_unseen = self.replacement.may_indent(new) or (self.replacement.hides_steps and self._is_unchanged)
        if not is_unseen and self.replacement.are_there_already(new):
            return hints.made_before(self, self.place)
        if is_unseen or self.replacement.is_doubtful:
            return hints.indentation(self, self.place)
        if self.marker.is_before(new) and all(map(is_blank, self.old)):
            return block_hints.margin(self)
        if self.replacement.has_doubtful_blanks(new):
            return hints.blank_lines(self, self.place)
        is_at_number = self.near == self.place.start + 1
        if self.replacement.are_made_beside(self._new_without_bom, is_at_number=is_at_number):
            return hints.made_beside(self, self.place)
        return None

    def sample(self, index: FileIndex, match: Match) -> tuple[Sample, Reading]:
        """What the block, which is found so, shows of how all of them are written, and how it was read."""
        old = [Line("-", body, "\n") for body in match.lines]
        meant = [*old, *(Line("+", body, "\n") for body in self.new_lines)]
        written = [*old, *(Line("+", body, "\n") for body in self.signs)] if self.follows_html else meant
        ways = (Way.HTML,) if self.follows_html else ()
        return Sample(self, written, match, self.place or match.places[0], index), Reading(meant, ways)

    def render(self, index: FileIndex, place: Place, match: Match) -> str:
        """All of the new text."""
        self.replacement = replacement = Replacement(index, place, match)
        return "".join([replacement.add(*line) for line in self.new]) + replacement.finish()
