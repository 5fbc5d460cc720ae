"""Hunks of which one line of context is not as the file has it: misspelt, written twice, or left out.

    file         hunk
    def f():      def f():
        a = 1         a == 1        misspelt: it is nowhere in the file, and the others stand around it
        b = 2    -    b = 2

The other lines must be found, in order, with the blank lines between them. All readings of the hunk count in which one
of its lines is wrong, also those in which that is a line to be removed, or one that the file has lost: where they would
make different files, none is chosen. The file keeps its own line. Lines are compared as `FileIndex.condensed` has them,
and the search has a budget.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile

from attrs import evolve, frozen

from streamparse.diff.all_but_one import Kind, Reading, readings_in
from streamparse.diff.dressing import has_entities
from streamparse.diff.hunk_gaps import is_whole
from streamparse.diff.hunk_lines import HunkLines, Line
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.match import condensed, without_tails
from streamparse.diff.place import Match, Place
from streamparse.diff.placeholder import is_dots, is_placeholder
from streamparse.diff.result import Strategy
from streamparse.diff.similarity import lines_cost, lines_similarity
from streamparse.diff.structure import has_words
from streamparse.diff.typography import Typography, as_typed, typography_of
from streamparse.diff.words import has_other_word

#: How much alike the old lines are to what stands in the file, if one of them is misspelt.
_LEAST = 0.9
#: Or that line alone.
_LEAST_LINE = 0.8
_WORD = re.compile(r"\w+")
#: What the search may cost for one hunk, in microseconds or so.
_BUDGET = 200_000
#: What explains most comes first: a line that is written twice, one that is left out, one that is misspelt.
_PREFERRED = (Kind.ABSENT, Kind.MORE, Kind.OTHER)


@frozen
class Flaw:
    """What is wrong with a hunk: in words, and how many lines of context are missing (-1: there is one too many).

    `lines` are those of the hunk, with what it has left out.
    """

    sentence: str
    missing: int
    lines: list[Line]


def find_despite_context(
    index: FileIndex, lines: HunkLines, left: tuple[int, int] | None = None
) -> tuple[Match, Flaw] | None:
    """The one place of the old lines among `lines`, one line of context apart, and what is wrong with that.

    `left` is how many old and new lines the header counts that are not there, if it counts any.
    """
    return _Search(index, lines, left).find()


def is_found_otherwise(index: FileIndex, lines: HunkLines, place: Place) -> bool:
    """Whether old lines that are found at `place`, blank lines aside, may belong elsewhere with one flaw.

    That is, if one line of context is written twice or left out, as if the header counted one line more.
    """
    return _Search(index, lines, (1, 1)).has_other(place)


def are_repeated(index: FileIndex, lines: HunkLines) -> bool:
    """Whether every old line is in the file several times, or not at all, blank lines aside.

    Then the place that was meant may be another, which has changed since.
    """
    return not any(map(index.is_unique, condensed(lines.old)))


class _Search:
    def __init__(self, index: FileIndex, lines: HunkLines, left: tuple[int, int] | None) -> None:
        self._index = index
        self._hunk = lines
        self._lines = lines.all
        self._left = left
        self._old = lines.old
        #: The lines that are compared, and which of all lines of the hunk they are.
        self._numbers = [at for at, line in enumerate(lines.all) if line.kind != "+" and not is_blank(line.body)]
        self._keys = condensed(self._old)
        self._added = {*condensed(line.body for line in lines.all if line.kind == "+")}
        self._found = index.condensed.keys
        self._budget = index.similar.part(_BUDGET)

    def find(self) -> tuple[Match, Flaw] | None:
        if len(self._keys) < 2 or self._index.condensed.places(self._keys):
            return None
        readings = [reading for reading in self._readings() if self._may_be(reading)]
        mending = (reading for reading in readings if self._is_of_context(reading))
        best = min(mending, key=lambda reading: _PREFERRED.index(reading.kind), default=None)
        if best is None or not all(self._agree(best, reading) for reading in readings) or self._budget.left < 0:
            return None
        return self._match(best)

    def has_other(self, place: Place) -> bool:
        """Whether the lines that are found there, blank lines aside, would make another file with one flaw."""
        first = next(number for number in place.origins if number is not None and self._index.trimmed.keys[number])
        own = Reading(Kind.NOTHING, 0, bisect_left(self._index.condensed_numbers, first))
        others = (one for one in self._readings() if one.kind is not Kind.OTHER and self._is_of_context(one))
        return any(not self._agree(own, other) for other in others) or self._budget.left < 0

    def _readings(self) -> Iterator[Reading]:
        """All with one flaw, as far as they can be paid for."""
        return readings_in(self._index.condensed, self._keys, self._budget)

    def _is_of_context(self, reading: Reading) -> bool:
        """Whether context is at fault: a line that is left out, written twice or misspelt."""
        if reading.kind is Kind.ABSENT:
            return self._is_doubled(reading.at)
        return reading.kind is Kind.MORE or self._is_context(reading.at)

    def _may_be(self, reading: Reading) -> bool:
        """Whether the reading has to be considered, even if it is not chosen.

        A line is not taken to be misspelt if the hunk and the file have it just once, next to the others. Of equal
        lines next to each other, context that both have just once is not taken to be gone. Nor is the first line or
        the last: wherever the others are found, it may be gone.
        """
        at, kind = reading.at, reading.kind
        if kind is Kind.MORE or (kind is Kind.ABSENT and self._is_doubled(at)):
            return True
        if kind is Kind.OTHER:
            return not (self._is_there_once(at) and self._is_near(reading))
        if self._has_equal_next(at):
            return not (self._is_context(at) and self._is_there_once(at))
        return 0 < at < len(self._keys) - 1

    def _has_equal_next(self, number: int) -> bool:
        """Whether the line before it or behind it is the same: then any of them may be the one that is gone."""
        keys = self._keys
        return keys[number] in (*keys[max(0, number - 1) : number], *keys[number + 1 : number + 2])

    def _is_there_once(self, number: int) -> bool:
        """Whether the file and the hunk have that line just once, or do so as it is written."""
        key, written = self._keys[number], self._lines[self._numbers[number]].body
        places = self._index.condensed.places([key])
        self._budget.spend(len(places))
        found = [body_of(self._index.lines[self._row(at)]) for at in places]
        counts = (self._keys.count(key), len(found)), (self._old.count(written), found.count(written))
        return (1, 1) in counts

    def _is_near(self, reading: Reading) -> bool:
        """Whether the file has the line that is at fault next to the others, or among them."""
        start, size = max(0, reading.start - 1), len(self._keys)
        return self._keys[reading.at] in self._found[start : reading.start + size + 1]

    def _is_doubled(self, number: int) -> bool:
        """Whether that line of context is written twice in a row."""
        return self._is_twin(number) or self._is_twin(number + 1)

    def _is_twin(self, number: int) -> bool:
        """Whether that line and the one before it are context, written alike, with nothing between them."""
        if not 0 < number < len(self._keys):
            return False
        lines = [(line.kind, line.body) for line in self._between(number)]
        return len(lines) == 2 and lines[0] == lines[1] and lines[0][0] == " "

    def _is_context(self, number: int) -> bool:
        return self._lines[self._numbers[number]].kind == " "

    def _agree(self, one: Reading, other: Reading) -> bool:
        """Whether both make the same file, and the old lines are as deep in both."""
        if not (self._is_placed(one) and self._is_placed(other)):
            return False
        spans = [range(reading.start, reading.start + len(self._keys) + 1) for reading in (one, other)]
        start, end = min(span.start for span in spans), max(span.stop for span in spans)
        if end - start > 2 * len(self._keys):
            return False  # they are apart
        return self._made(one, start, end) == self._made(other, start, end) and self._are_as_deep(one, other)

    def _is_placed(self, reading: Reading) -> bool:
        """Whether all changes have a place: not if a line is to be removed that is not there.

        Nor if a line of the file is next to changes which the hunk does not have: it may be on either side of them, or
        one more to be removed. But next to a removed line it is context if the header counts one more, and so it is
        next to new lines that have taken the place of as many (`is_whole`). And without such a header it is no context
        if it has a word and the hunk has it as a new line: then it is perhaps the old one, which is moved.
        """
        if reading.kind is not Kind.MORE:
            return reading.kind is Kind.NOTHING or self._is_context(reading.at)
        (first, last), (old, new) = self._around_more(reading), self._left or (0, 0)
        more = self._found[reading.start + reading.at]
        if old > new or (old < 1 and more in self._added and has_words(more)):
            return False
        if all(line.kind == " " for line in self._lines[first + (old > 0) : last + (old < 1)]):
            return old < 1 or {self._lines[at].kind for at in (first, last)} != {"-"}
        if any(line.kind == " " for line in self._lines[first + 1 : last]):
            return False
        before = [*takewhile(lambda line: line.kind != " ", reversed(self._lines[:last]))][::-1]
        behind = [*takewhile(lambda line: line.kind != " ", self._lines[last:])]
        return all(is_whole(change, more, self._budget) for change in (before, behind) if change)

    def _made(self, reading: Reading, start: int, end: int) -> list[str]:
        """What becomes of the file from behind the condensed line before `start` up to `end`."""
        lines, origins = self._index.lines, self._origins(reading)
        first = self._row(start - 1) + 1 if start else 0
        behind = next(row for row in origins if row is not None)
        made, rows = [*lines[first:behind]], iter(origins)
        for line in self._lines:
            if line.kind == "+":
                made.append(line.body)
            elif (row := next(rows)) is not None:
                made += lines[behind : row + (line.kind == " ")]
                behind = row + 1
        return [*made, *lines[behind : self._row(end)]]

    def _row(self, number: int) -> int:
        """Which line of the file the condensed one is."""
        rows = self._index.condensed_numbers
        return rows[number] if number < len(rows) else len(self._index.lines)

    def _are_as_deep(self, one: Reading, other: Reading) -> bool:
        """Whether the lines of the file for each old line are as deep in both, which shows how deep new ones are."""
        for number in range(len(self._keys)):
            found = [at for reading in (one, other) if (at := reading.equal(number)) is not None]
            if len({indent_of(self._index.lines[self._row(at)]) for at in found}) > 1:
                return False
        return True

    def _match(self, reading: Reading) -> tuple[Match, Flaw] | None:
        similarity = self._similarity(reading) if self._has_blank_lines_of_file(reading) else None
        origins = self._origins(reading)
        pairs = zip(self._hunk.before, origins, strict=True)
        if similarity is None or any(line.kind == "-" and origin is None for line, origin in pairs):
            return None
        known = [origin for origin in origins if origin is not None]
        place = Place(known[0], known[-1] + 1, origins)
        typography = self._typography(reading)
        lines = [as_typed(line, typography.signs) for line in self._old]
        match = Match(Strategy.FUZZY, [place], lines, similarity, typography=typography)
        match = without_tails(self._index, match)
        return self._filled(match, reading) if reading.kind is Kind.MORE else (match, self._flaw(reading, self._lines))

    def _filled(self, match: Match, reading: Reading) -> tuple[Match, Flaw]:
        """The match and the hunk with the line that is left out, before the first old one that is behind it."""
        more, (place,) = self._row(reading.start + reading.at), match.places
        at = next(at for at, row in enumerate(place.origins) if row is not None and row > more)
        number = [number for number, line in enumerate(self._lines) if line.kind != "+"][at]
        line = Line(" ", body_of(self._index.lines[more]), "\n")
        place = evolve(place, origins=(*place.origins[:at], more, *place.origins[at:]))
        lines = [*match.lines[:at], as_typed(line.body, match.typography.signs), *match.lines[at:]]
        filled = [*self._lines[:number], line, *self._lines[number:]]
        return evolve(match, places=[place], lines=lines), self._flaw(reading, filled)

    def _typography(self, reading: Reading) -> Typography:
        """What the lines show that are in the file, also if one of them is misspelt."""
        pairs = ((self._lines[at].body, reading.origin(number)) for number, at in enumerate(self._numbers))
        found = [(body, body_of(self._index.lines[self._row(key)])) for body, key in pairs if key is not None]
        return typography_of(self._old, found)

    def _has_blank_lines_of_file(self, reading: Reading) -> bool:
        """Whether as many blank lines are next to changes as in the file, but where the flaw is.

        Otherwise two things are wrong, and a change may belong to the other side of a blank line. So it may where the
        file has a blank line between two lines of context that are alike: one of them may be written twice.
        """
        rows, at = self._index.condensed_numbers, reading.at
        loose = {Kind.MORE: (at,), Kind.ABSENT: (at, at + 1)}.get(reading.kind, ())
        written = [number for number, line in enumerate(self._old) if not is_blank(line)]
        return all(
            number in loose
            or not (self._is_touched(number) or self._is_twin(number))
            or rows[second] - rows[first] == written[number] - written[number - 1]
            for number in range(1, len(written))
            if (first := reading.origin(number - 1)) is not None and (second := reading.origin(number)) is not None
        )

    def _between(self, number: int) -> list[Line]:
        """The lines from the one before that up to it."""
        return self._lines[self._numbers[number - 1] : self._numbers[number] + 1]

    def _around_more(self, reading: Reading) -> tuple[int, int]:
        """The two lines of the hunk between which the file has one more, with nothing but new ones between them.

        If it has the blank lines of the file there, they show on which side of changes that line is.
        """
        start, end = self._numbers[reading.at - 1 : reading.at + 1]
        first, more, last = (self._row(reading.start + reading.at + step) for step in (-1, 0, 1))
        blanks = [at for at in range(start, end) if is_blank(self._lines[at].body)]
        if len(blanks) != last - first - 2 or any(self._lines[at].kind == "+" for at in blanks):
            return start, end
        edges = [start, *blanks, end]
        return edges[more - first - 1], edges[more - first]

    def _is_touched(self, number: int) -> bool:
        """Whether something is changed from the line before that one up to it."""
        return any(line.kind != " " for line in self._between(number))

    def _similarity(self, reading: Reading) -> float | None:
        """None if the line is not misspelt, but another one."""
        keys, at = self._keys, reading.at
        if is_dots(keys[at]) or (reading.kind is Kind.OTHER and is_placeholder(keys[at])):
            return None
        if reading.kind is not Kind.OTHER:
            total = sum(map(len, keys))
            line = keys[at] if reading.kind is Kind.ABSENT else self._found[reading.start + at]
            return round(total / (total + len(line)), 9)
        window = self._found[reading.start : reading.start + len(keys)]
        if (
            has_entities([keys[at]])
            or self._index.condensed.places([keys[at]])
            or has_other_word(keys[at], window[at], self._index.has_word)
            or not self._budget.spend(lines_cost(keys, window))
        ):
            return None
        similarity, is_next = lines_similarity(keys, window), self._is_next_to_change(at)
        alike = lines_similarity(keys[at : at + 1], window[at : at + 1])
        outer = self._outer(reading)
        if alike >= _LEAST_LINE and all(lines_similarity(keys[at : at + 1], [line]) < alike for line in outer):
            return similarity
        # Next to a change, that line shows where it belongs: it has another word, but it is no other line.
        shape = _shape_of(keys[at])
        is_other = is_next and (shape != _shape_of(window[at]) or shape in map(_shape_of, outer))
        return similarity if similarity >= _LEAST and not is_other else None

    def _outer(self, reading: Reading) -> list[str]:
        """The line of the file before the first or behind the last, if that is wrong and next to new lines.

        That line may be meant, and the one next to it may have been left out. Removed lines show where new ones belong.
        """
        start, end, found = reading.start, reading.start + len(self._keys), list[str]()
        if reading.at == 0 and self._are_new_lines_next(self._lines[self._numbers[0] + 1 :]):
            found += self._found[max(0, start - 1) : start]
        if reading.at == len(self._keys) - 1 and self._are_new_lines_next(self._lines[: self._numbers[-1]][::-1]):
            found += self._found[end : end + 1]
        return found

    @staticmethod
    def _are_new_lines_next(lines: Sequence[Line]) -> bool:
        """Whether new lines come first, blank ones aside, and no removed ones with them."""
        changed = dropwhile(lambda line: line.kind == " " and is_blank(line.body), lines)
        return {line.kind for line in takewhile(lambda line: line.kind != " ", changed)} == {"+"}

    def _is_next_to_change(self, number: int) -> bool:
        """Whether a change is right before that line or behind it, blank lines aside: it shows where that belongs."""
        edges = [-1, *self._numbers, len(self._lines)]
        around = self._lines[max(0, edges[number]) : edges[number + 2] + 1]
        return any(line.kind != " " for line in around)

    def _origins(self, reading: Reading) -> list[int | None]:
        """The line of the file for each old line; blank ones stand for the blank ones behind the line before them."""
        numbers, keys = self._index.condensed_numbers, self._index.trimmed.keys
        first = next(at for at, line in enumerate(self._old) if not is_blank(line))
        row = numbers[reading.start] - first
        origins: list[int | None] = [
            number if number >= 0 and not any(keys[number : row + first]) else None
            for number in range(row, row + first)
        ]
        seen, behind = 0, -1
        for line in self._old[first:]:
            if not is_blank(line):
                at = reading.origin(seen)
                seen += 1
                origins.append(None if at is None else numbers[at])
                behind = behind if at is None else numbers[at] + 1
                continue
            if reading.kind is Kind.MORE and seen == reading.at and behind == numbers[reading.start + seen]:
                behind += 1  # the one more is before them
            if 0 <= behind < len(keys) and not keys[behind]:
                origins.append(behind)
                behind += 1
            else:
                origins.append(None)
        return origins

    def _flaw(self, reading: Reading, lines: list[Line]) -> Flaw:
        at = reading.at
        if reading.kind is Kind.ABSENT:
            return Flaw(f"context `{self._keys[at]}` is written twice, where the file has it once", -1, lines)
        number = self._index.condensed_numbers[reading.start + at]
        found = f"line {number + 1}, `{self._index.trimmed.keys[number]}`"
        if reading.kind is Kind.MORE:
            return Flaw(f"{found}, is left out of the context", 1, lines)
        return Flaw(f"context `{self._keys[at]}` is taken for {found}", 0, lines)


def _shape_of(line: str) -> str:
    """The line with the same for every word."""
    return _WORD.sub("x", line)
