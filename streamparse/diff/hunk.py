"""One hunk of a patch: context, lines to be removed and lines to be added.

    @@ -12,3 +12,3 @@ def f():
     context
    -old
    +new

It is placed by its old lines, context included; its number, if that is right, and what stands behind `@@` only choose
among several places. Without any old lines, other hunks must show that its number is right. The lines that it claims
are those from its first change to its last: context may be shared with other hunks.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set

from streamparse.diff import hints, patch_hints
from streamparse.diff.change import Change, index_at
from streamparse.diff.context import Flaw
from streamparse.diff.elsewhere import are_to_the_letter
from streamparse.diff.hunk_doubt import Finding, HunkDoubt
from streamparse.diff.hunk_header import is_combined, read_header
from streamparse.diff.hunk_lines import NO_LINES, HunkLines, Line
from streamparse.diff.hunk_prose import end_of_patch, may_be_listed, prose_behind_counted, prose_behind_marked
from streamparse.diff.hunk_text import HunkText
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import is_blank
from streamparse.diff.lost_mark import Surroundings, lost_line
from streamparse.diff.place import Match, Place
from streamparse.diff.result import Failure, Strategy


class Hunk(Change):
    """Collects its lines; `finish` says that there are no more."""

    noun = "hunk"
    is_in_order = True
    advice_without_old = (
        "The hunk has only new lines, and no line of the file shows where they belong: a number or a heading alone "
        "does not. Repeat it with the lines before or behind them as context, at least one (for git: `-U1`)."
    )

    def __init__(self, number: int, header: str = "") -> None:
        super().__init__(number)
        self.lines: list[Line] = []
        #: The same, and what follows from them, once all of them are there.
        self.whole = NO_LINES
        self.headings: list[str] = []
        #: How many old and new lines are to come, by its header.
        self.left: tuple[int, int] | None = None
        self.is_at_end = False
        #: How lines of the patch end, up to the last one of this hunk.
        self.endings: Set[str] = frozenset()
        #: Whether it had the byte order mark, so that its first line is that of the file.
        self.is_at_start = False
        #: Whether its file is named by `*** Update File:`, and whether other hunks for that file follow.
        self.is_directed = False
        self.is_followed = False
        #: Whether the text ends with it and may be cut off there; and whether `*** End Patch` is missing behind it.
        self.may_be_cut = self.is_open = False
        #: What was taken for the end of the patch, although it looks like context.
        self.end_of_patch: str | None = None
        #: Whether it is within `*** Begin Patch`, and whether its file is new.
        self.is_enveloped = self.makes_file = False
        #: What was taken for items of a list in prose: a line of these that the file has was to be removed from it.
        self.dropped: list[str] = []
        #: Whether its last lines, which were taken for new ones, may be items of such a list.
        self.may_be_listed = False
        #: What was taken for prose behind it, and, if its header may have counted that, how many more are to come then.
        self.prose: list[Line] = []
        self._left_with_prose: tuple[int, int] | None = None
        #: How many old and new lines there are, by its header, and the number of the first of each.
        self.announced: tuple[int, int] | None = None
        self.numbers: tuple[int, int] | None = None
        #: How many old and new lines there are, as it is written.
        self.counts = (0, 0)
        self._full: int | None = None  # how many lines there were when all that it announced were there
        #: Whether its lines have a mark for each of several old versions.
        self.is_combined = is_combined(header)
        #: Where its changes may be, by its old lines alone.
        self.places: Sequence[Place] = []
        self._objection: Failure | None = None
        self._is_mended = self._is_same = False
        #: Whether its heading, or numbers in front of its lines, name another place than the numbers of its header.
        self.is_contradictory = False
        #: Whether numbers in front of new lines, or signs of typography in them, may be text as they are.
        self._has_some_numbers = self._has_doubtful_signs = False
        #: Whether it was looked for elsewhere than at its number, and whether a hunk before it is just at its own.
        self.is_moved = self.is_trusted = False
        if header:
            self.read_header(header)

    def read_header(self, header: str) -> None:
        """The line that begins with `@@`; there may be several, of which each narrows down the place."""
        found = read_header(header)
        if found.numbers is not None:
            self.numbers, self.left, self.announced = found.numbers, found.counts, found.counts
            self.near = found.numbers[0]
        self.headings += found.headings

    def add(self, line: Line) -> None:
        """One more line."""
        self.lines.append(line)
        if self.left is not None:
            old, new = self.left
            self.left = old - (line.kind != "+"), new - (line.kind != "-")
            if self.left == (0, 0):
                self._full = len(self.lines)

    @property
    def behind(self) -> int | None:
        """The line of the file, from 1, behind which its new lines belong, if its header counts no old ones."""
        return self.near if self.announced is not None and self.announced[0] == 0 else None

    @property
    def is_full(self) -> bool:
        """Whether all lines are there that its header has announced."""
        return self._full is not None

    def lacks_most(self, missing: tuple[int, int]) -> bool:
        """Whether these are more than half of the old or new lines that its header announced, and none is too many."""
        return min(missing) >= 0 and 2 * max(missing) > max(self.announced or (0, 0))

    def end_file(self, last: Line) -> None:
        """The file, old or new, ends with its last line, without a newline; behind that of the new one is nothing."""
        last.is_unended = True
        if last.kind != "-":
            self._full = len(self.lines)
            self.left = self.left and (0, 0)

    def finish(self) -> None:
        """There are no more lines. What stands behind the last of them may be prose."""
        prose = prose_behind_counted(self.lines, self.announced, self._full)
        if prose is not None:
            self.left = 0, 0
            self.prose, self.lines = self.lines[prose:], self.lines[:prose]
        elif self.left != (0, 0):
            self._drop(prose_behind_marked(self.lines))
        self.may_be_listed = may_be_listed(self.lines, self._full)
        self.take(self.lines)
        self.counts = self.whole.counts

    def take(self, lines: list[Line]) -> None:
        """These are its lines."""
        self.lines, self.whole = lines, HunkLines(lines)

    def _drop(self, prose: int) -> None:
        """From that line on it is prose, or nothing but blank lines."""
        dropped, self.lines = self.lines[prose:], self.lines[:prose]
        self.prose = dropped
        if any(line.body for line in dropped):
            self._take_for_prose(dropped)
        # Without any old lines left, what was dropped may have been the context.
        kinds = "-" if any(line.kind != "+" for line in self.lines) else "- "
        self.dropped = [line.body.strip() for line in dropped if line.kind in kinds]

    @property
    def unmarked(self) -> list[Line]:
        """The lines at its end that have no mark, if something is before them."""
        end = next((at + 1 for at in range(len(self.lines) - 1, -1, -1) if not self.lines[at].is_doubtful), 0)
        return self.lines[end:] if end else []

    def drop_unmarked(self) -> None:
        """Takes these out: they are prose."""
        self._take_for_prose(self.unmarked)
        self.take(self.lines[: -len(self.prose)])

    def _take_for_prose(self, lines: list[Line]) -> None:
        """These lines stand behind it, which shows that it is complete."""
        self.prose, self._left_with_prose, self.left = lines, self.left, None

    def take_prose_back(self) -> None:
        """What was taken for prose are lines of it."""
        self.take([*self.lines, *self.prose])
        self.counts = self.whole.counts
        self.prose, self.left = [], self._left_with_prose

    def drop_end_of_patch(self) -> bool:
        """Takes ` *** End Patch`, which looks like context, and what stands behind it out, if it is there."""
        end = end_of_patch(self.lines)
        if end is not None:
            self.end_of_patch = self.lines[end].body.strip()
            del self.lines[end:]
        return end is not None

    def fill(self, match: Match) -> bool:
        """Puts lines of the file in for each `...` among its old lines; not if one of these is to be removed."""
        filled = self.whole.filled(match)
        if filled is not None:
            self.mend(Flaw("context is left out with `...`", len(filled) - len(self.lines), filled))
        return filled is not None

    def mend(self, flaw: Flaw) -> None:
        """One of its lines of context is wrong, which is told; its header may not have counted that."""
        self.note(flaw.sentence)
        self._is_mended = True
        if self.left is not None and self.left != (0, 0):
            self.left = self.left[0] - flaw.missing, self.left[1] - flaw.missing
        self.take(flaw.lines)

    @property
    def advice_when_cut(self) -> str:
        """What is missing if the patch ends within it, or behind it without `*** End Patch`."""
        if not self.lines or self.is_open:
            return patch_hints.cut_off(has_hunk=bool(self.written), is_open=self.is_open)
        last = self.lines[-1]
        is_open_line = not last.ending and last.kind != " "
        return patch_hints.cut_in_hunk(
            self.told_number, self.counts, self.announced, is_open_line=is_open_line, is_noop=self.whole.is_noop
        )

    @property
    def old(self) -> list[str]:
        """Context and what is removed."""
        return self.whole.old

    @property
    def new_lines(self) -> list[str]:
        """Context and what is added."""
        return self.whole.new

    def take_bom_off(self) -> bool:
        """Takes the byte order mark off its first old line, if it has one: it stays, or goes with that line."""
        bare, is_dropped = self.whole.without_bom()
        if bare is not None:
            self.take(bare)
            self.is_at_start, self.drops_bom = True, is_dropped
        return bare is not None

    def put_bom_on(self, lines: list[Line]) -> None:
        """Undoes `take_bom_off`: these were its lines."""
        self.take(lines)
        self.is_at_start = self.drops_bom = False

    def undress(self, match: Match) -> None:
        """Its old lines are found so: all of its lines are read without numbers, and with the signs that one types."""
        if match.numbering is not None or match.typography or match.tail:
            lines, self._has_some_numbers, self._has_doubtful_signs = self.whole.undressed(match)
            self.take(lines)
        self.note(*match.fixes)

    @property
    def is_noop(self) -> bool:
        """Whether it changes nothing, and not only because its new lines have lost their marks."""
        return (self.whole.is_noop or self._is_same) and self._objection is None

    @property
    def key(self) -> Hashable:
        """Its header, and the lines with a mark."""
        return tuple(line.rstrip("\r\n") for line in self.written if line.startswith(("@", " ", "+", "-")))

    @property
    def scope(self) -> Hashable:
        """What its header and its end say about its place."""
        return (*self.headings, self.is_at_end, self.whole.has_unended)

    @property
    def ends_file(self) -> bool:
        """Whether it says that the file, old or new, ends with it."""
        return self.is_at_end or self.whole.has_unended

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but blank lines behind its header, which may be of several lines."""
        lines = (line.kind == " " and is_blank(line.body) for line in self.lines)
        written = (is_blank(line) or line.startswith("@@") for line in self.written[1:])
        return not self.is_combined and all(lines) and all(written)

    @property
    def has_context(self) -> bool:
        """Whether lines that stay show where it belongs; blank ones are everywhere."""
        return any(line.kind == " " and not is_blank(line.body) for line in self.lines)

    @property
    def is_insertion(self) -> bool:
        """Whether it has only new lines, and only its number, or that it comes last, says where they belong."""
        has_number = self.behind is not None
        is_bare = self.is_directed and self.near is None and not self.headings
        return (has_number or is_bare) and not self.is_at_end and not self.old

    def move(self, offset: int) -> None:
        """What its header says of its place is so many lines off."""
        self.is_moved = offset != 0
        if self.near is not None:
            self.near += offset

    def choose(self, places: Sequence[Place]) -> Sequence[Place]:
        """The place at the very line that it says it is about, or all: one nearby is as often another one."""
        at = self._at_number(places)
        return places if at is None else places[at : at + 1]

    @property
    def is_misplaced(self) -> bool:
        """Whether it waits for one of several places, and the line that its header names is none of them."""
        is_waiting = self.place is None and len(self.places) > 1
        return is_waiting and self.near is not None and self._at_number(self.places) is None

    def _at_number(self, places: Sequence[Place]) -> int | None:
        """Which of the places begins at the line that its header names, if its heading does not name another."""
        return None if self.near is None or self.is_contradictory else index_at(places, self.near - 1)

    @property
    def choices(self) -> Sequence[Place]:
        """All places of which its number has chosen one; none if it is the only one, or that at the end."""
        return self.places if len(self.places) > 1 and not self.ends_file else []

    def offset(self, place: Place) -> int | None:
        """How far from its number it is, if it has one."""
        return None if self.near is None else place.first_line + 1 - self.near

    @property
    def shape(self) -> Hashable:
        """Its old lines, and which of them it changes: hunks with the same may be in the same places."""
        if not self.old:
            return self.behind, self.near is None, self.is_insertion, self.is_followed, self.scope
        whole = self.whole
        return (*whole.old, whole.leading, whole.changed[0].kind, whole.changed_old)

    def accept(self, match: Match) -> None:
        """The old lines are found: numbers in front of them may say where it is, and deny what its header says."""
        first = None if match.numbering is None else match.numbering.first
        self.near = first if self.near is None else self.near
        if first is not None and self.numbers is not None and first != self.numbers[0]:
            self.is_contradictory = True

    def render(self, index: FileIndex, place: Place, match: Match) -> str:
        """The new text of the lines from the first change to the last."""
        self._objection = self._misread(index, place, match)
        before = "".join(index.lines[place.start : place.end])
        if self.whole.is_noop:
            return before
        # If its header, which no file has, ends with a carriage return, those of other lines say nothing.
        is_converted = self.written[0].endswith("\r\n")
        text = HunkText(self.whole, self.endings, index, place, match, is_converted=is_converted)
        rendered = text.render()
        self._is_same = rendered == before and not self.drops_bom
        self.is_indented = text.is_indented
        self.is_of_program = self._is_right(index, place, match) and bool(self.old or not index.lines)
        self._objection = self._objection or next(self._doubts(index, place, match, text), None)
        return rendered

    def _misread(self, index: FileIndex, place: Place, match: Match) -> Failure | None:
        """Lines of it are missing, or have no mark and were taken for prose."""
        if (lost := self._lost(index, place, match)) is not None:
            return patch_hints.no_mark(self, *lost, is_new=self.makes_file)
        return patch_hints.lacks_lines(self) if self._lacks_lines() else None

    def _doubts(self, index: FileIndex, place: Place, match: Match, text: HunkText) -> Iterator[Failure]:
        """Why it must not be applied there with this text: the first of them is told."""
        offset, is_chosen = self.offset(place), self.near is not None and bool(self.choices)
        # Most are there to the letter, and nothing speaks of other places or of the end of the file.
        is_exact = match.strategy is Strategy.EXACT and not self.whole.adds_at_edge
        if not is_exact or offset or is_chosen or self.whole.has_unended:
            found = Finding(
                offset,
                is_mended=self._is_mended,
                is_chosen=is_chosen,
                is_outvoted=self._at_number(self.places) is not None,
                is_trusted=self.is_trusted or len(self.places) > 1,
                announced=self.announced,
            )
            if (doubt := HunkDoubt(self.whole, index, place, match, found).find()) is not None:
                yield doubt(self, place)
        if text.is_guessed:
            yield hints.indentation(self, place)
        if self._has_some_numbers:
            yield hints.some_numbers(self)
        if self._has_doubtful_signs:
            yield hints.typography(self)
        if text.is_unsure_of_ends or (text.has_other_ends and not self._is_right(index, place, match)):
            yield patch_hints.line_ends(self, place)

    def _lost(self, index: FileIndex, place: Place, match: Match) -> tuple[str, str] | None:
        """A line that was taken for prose behind it or for context, and the mark that it may have lost."""
        around = Surroundings(
            self.is_enveloped,
            self.makes_file,
            self.announced,
            is_counted=self._left_with_prose == (0, 0),
            is_mended=self._is_mended,
        )
        return lost_line(self.whole, self.prose, around, index, place, match)

    def _lacks_lines(self) -> bool:
        """Whether its header announces changes that it does not have.

        It has none at all, and the header says otherwise; or prose or a fence stands where the text may have been cut
        off, before all that is new and most of what is announced.
        """
        if (lacking := self.whole.lacking(self.announced)) is None:
            return False
        if self.whole.is_noop and lacking[0] != lacking[1]:
            return True
        is_interrupted = self.may_be_cut and bool(self.prose) and all(line.kind != "+" for line in self.lines)
        return is_interrupted and self.lacks_most(lacking)

    def _is_right(self, index: FileIndex, place: Place, match: Match) -> bool:
        """Whether its counts, its number and its old lines are right, as in what a program has written."""
        if not self.old:
            return self.left == (0, 0)
        is_at_number = self.left == (0, 0) and self.offset(place) == 0 and not match.typography
        return is_at_number and (match.strategy is Strategy.EXACT or are_to_the_letter(index, self.old, place.origins))

    @property
    def objection(self) -> Failure | None:
        """Why it is not applied, although its place is known."""
        return self._objection
