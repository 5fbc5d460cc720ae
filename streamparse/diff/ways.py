"""How a diff is written, as some of its hunks or blocks show and others do not.

@@ -1,0 +2,1 @@      nothing shows that its line is meant without the four blanks …
+    x = 0
@@ -3,1 +4,1 @@      … but this hunk, if the file has `c = 3`
-    c = 3
+    c = 5

A diff is written in one way. If some of it is found only without line numbers, with signs for HTML (`&lt;`), with plain
quotes for those of typography, with another indentation or without `\\r`, then new lines whose own old lines show
nothing of that are meant so, too. They follow if nothing speaks against it; if something does, or if they come before
the others and are written already, it is in doubt what is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from itertools import pairwise

from attrs import evolve, frozen

from streamparse.diff.around import Around
from streamparse.diff.change import Change
from streamparse.diff.dressing import has_entities, has_signs, is_half_escaped, without_entities
from streamparse.diff.hunk_lines import Line
from streamparse.diff.indent import Indentation, indent_of, most_usual, steps_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, is_blank
from streamparse.diff.numbering import NewNumbers, Numbering
from streamparse.diff.place import Match, Place
from streamparse.diff.structure import is_flat, opens
from streamparse.diff.typography import NewSigns, Typography, signs_in


class Way(Enum):
    """In what a diff may be written otherwise than it is meant, in the words of a failure."""

    NUMBERS = "with line numbers"
    HTML = "with signs as HTML has them (`&lt;`)"
    TYPOGRAPHY = "with quotes, dashes or blanks of typography"
    INDENTATION = "with another indentation than the file has"
    ENDINGS = "with carriage returns that the file does not have"


@frozen
class Reading:
    """The lines of a hunk or block as they are meant, and the ways in which that is otherwise than they are written."""

    lines: list[Line]
    ways: tuple[Way, ...] = ()
    #: What is in doubt: then the lines are as they are written.
    doubt: Way | None = None


class Sample:
    """A hunk or block that is found at `place`; `lines` are all of its lines as they are written."""

    def __init__(self, change: Change, lines: list[Line], match: Match, place: Place, index: FileIndex) -> None:
        self.change = change
        self.lines = lines
        self.match = match
        self._place = place
        self._index = index

    @property
    def may_show(self) -> bool:
        """Whether something in it may be otherwise than in the file."""
        is_found_otherwise = self.match.is_html or bool(self.match.typography) or self.match.numbering is not None
        return (
            is_found_otherwise
            or self.change.is_indented
            or any(line.ending == "\r\n" and line.kind != "+" for line in self.lines)
        )

    @cached_property
    def _pairs(self) -> list[tuple[Line, str, str]]:
        old = (line for line in self.lines if line.kind != "+")
        return [
            (line, written, self._index.lines[origin])
            for line, written, origin in zip(old, self.match.lines, self._place.origins, strict=True)
            if origin is not None
        ]

    @cached_property
    def old(self) -> list[tuple[Line, str, str]]:
        """The old lines that are not blank, the text of each as it is compared, and the line of the file."""
        return [pair for pair in self._pairs if not is_blank(pair[1])]

    @cached_property
    def indents(self) -> list[tuple[str, str]]:
        """How deep these are, as written and in the file."""
        return [(indent_of(written), indent_of(found)) for _, written, found in self.old]

    @property
    def is_at_margin(self) -> bool:
        """Whether the lines of the file before and behind it are at the margin, and nothing opens there."""
        around = Around(self._index, self._place)
        return not (indent_of(around.before) or indent_of(around.behind) or opens(around.before))

    @property
    def has_foreign_ends(self) -> bool:
        """Whether an old line ends with `\\r\\n`, and that of the file does not."""
        ended = (found for line, _, found in self._pairs if line.ending == "\r\n" and found.endswith("\n"))
        return not all(found.endswith("\r\n") for found in ended)

    @property
    def has_windows_ends(self) -> bool:
        """Whether a line of the file ends so."""
        return any(found.endswith("\r\n") for _, _, found in self._pairs)

    @property
    def skewed(self) -> set[str]:
        """How deep removed lines are written, if none of them is as deep as in the file, and others are."""
        kept = {found for written, found in self.indents if written == found}
        # At the margin nothing can be lost, but others there may be written deeper.
        has_kept = any(kept) or any(found in kept for _, found in self.removed)
        is_skewed = has_kept and all(written != found for written, found in self.removed)
        return {written for written, _ in self.removed} if is_skewed else set()

    @cached_property
    def removed(self) -> list[tuple[str, str]]:
        """How deep removed lines are written, and how deep they are in the file."""
        return [(indent_of(written), indent_of(found)) for line, written, found in self.old if line.kind == "-"]


class Ways:
    """Takes what is found of one part of a diff, one by one, and says how new lines of the next are meant.

    `among` are the ways that count.
    """

    def __init__(self, index: FileIndex, among: Sequence[Way] = tuple(Way)) -> None:
        self._index = index
        self._among = among
        self._samples: list[Callable[[], tuple[Sample, Reading]]] = []
        self._read = 0  # how many of them are in what follows
        self._shown: set[Way] = set()
        self._denied: set[Way] = set()
        self._numbering: Numbering | None = None
        #: For which signs others are written, and which are in old lines as the file has them.
        self._signs: set[str] = set()
        self._kept_signs: set[str] = set()
        self._written_signs: set[str] = set()
        #: How deep old lines are, as written and in the file.
        self._indents: dict[tuple[str, str], None] = {}
        #: What stands for what in these, tabs for blanks or more blanks for fewer.
        self._units: set[tuple[str, str]] = set()
        #: How deep removed lines are written, if those of no hunk are as deep as in the file.
        self._skewed: set[str] = set()
        self._has_even = False
        #: Whether the first line of one has lost its indentation, and others have not.
        self._is_trimmed = False

    def add(self, make: Callable[[], tuple[Sample, Reading]], *, may_show: bool) -> None:
        """One more, and how it was read; it is only looked at if it may show something, or others do."""
        self._samples.append(make)
        if self._shown or may_show:
            for one in self._samples[self._read :]:
                self._learn(one()[0])
            self._read = len(self._samples)
            self._shown.intersection_update(self._among)

    def has_html(self, match: Match) -> bool:
        """Whether new lines of a block that is found so are written as HTML has them, by what those so far show."""
        is_shown = Way.HTML in self._shown and Way.HTML not in self._denied
        return is_shown and not self._has_entities and _is_silent_of_html(match)

    def read(self, sample: Sample) -> Reading:
        """Its lines as they are meant, by what those so far show."""
        reading = Reading(sample.lines)
        if not self._shown:
            return reading
        for way, follow in (
            (Way.NUMBERS, self._without_numbers),
            (Way.HTML, self._without_entities),
            (Way.TYPOGRAPHY, self._typed),
            (Way.INDENTATION, self._indented),
            (Way.ENDINGS, self._ended),
        ):
            lines = follow(sample, reading.lines) if way in self._shown else reading.lines
            if lines is None:
                return Reading(sample.lines, doubt=way)
            if lines is not reading.lines:
                reading = Reading(lines, (*reading.ways, way))
        return reading

    @property
    def shows_html(self) -> bool:
        """Whether one is found only with signs for those of HTML."""
        return Way.HTML in self._shown

    def silent_of_html(self) -> list[Change]:
        """Those with signs of HTML in new lines, if none shows how these are meant."""
        samples = [] if self.shows_html else [make()[0] for make in self._samples]
        silent = [sample.change for sample in samples if has_entities(_new_in(sample.lines))]
        return silent if all(_is_silent_of_html(sample.match) for sample in samples) else []

    def doubts(self) -> Iterator[tuple[Change, Way]]:
        """There are no more: those that were read otherwise than all of them show now."""
        for make in self._samples if self._shown else ():
            sample, before = make()
            reading = self.read(sample)
            if reading.doubt is not None or reading.lines != before.lines:
                others = [way for way in Way if (way in reading.ways) != (way in before.ways)]
                way = reading.doubt or (others or [Way.INDENTATION])[0]
                if way is not Way.ENDINGS or any("\r" in piece for piece in sample.change.pieces):
                    yield sample.change, way

    def _learn(self, sample: Sample) -> None:
        match = sample.match
        if match.numbering is not None:
            self._shown.add(Way.NUMBERS)
            self._numbering = match.numbering
        elif sample.old:
            self._denied.add(Way.NUMBERS)
        if match.is_html:
            self._shown.add(Way.HTML)
        elif not _is_silent_of_html(match):
            self._denied.add(Way.HTML)
        if match.typography:
            self._shown.add(Way.TYPOGRAPHY)
            self._signs.update(match.typography.signs, match.typography.unsure)
            self._written_signs.update(match.typography.written)
        self._kept_signs.update(signs_in(match.lines), match.typography.unsure)
        if sample.has_foreign_ends:
            self._shown.add(Way.ENDINGS)
        self._learn_indentation(sample)

    def _learn_indentation(self, sample: Sample) -> None:
        if sample.removed:
            self._skewed |= sample.skewed
            self._has_even = self._has_even or any(written == found != "" for written, found in sample.removed)
        kept = [pair for pair in sample.indents if pair[0] == pair[1]]
        if not sample.change.is_indented:
            self._indents.update(dict.fromkeys(kept))
        elif _rule_of(sample.indents).is_first_trimmed:
            self._shown.add(Way.INDENTATION)
            self._is_trimmed = True
        elif not any(written for written, _ in kept):
            self._shown.add(Way.INDENTATION)
            self._indents.update(dict.fromkeys(sample.indents))
            self._units.add(_rule_of(sample.indents).unit)
        elif self._skewed:
            self._shown.add(Way.INDENTATION)

    @cached_property
    def _signs_of_file(self) -> str:
        return signs_in([self._index.original])

    @cached_property
    def _has_entities(self) -> bool:
        return has_entities([self._index.original])

    @cached_property
    def _step(self) -> str:
        return most_usual(steps_of(self._index.lines))

    # --- one way each: the lines as they are meant, or None if that is in doubt

    def _without_numbers(self, sample: Sample, lines: list[Line]) -> list[Line] | None:
        numbering = self._numbering
        assert numbering is not None  # it is only asked of if numbers are shown
        has_number = [numbering.read(body) is not None for body in _new_in(lines)]
        if sample.old or sample.match.numbering is not None or not any(has_number):
            return lines
        if Way.NUMBERS in self._denied or not all(has_number):
            return None
        numbers = NewNumbers(numbering)
        bare = _changed(lines, numbers.take)
        return None if numbers.is_doubtful else bare

    def _without_entities(self, sample: Sample, lines: list[Line]) -> list[Line] | None:
        new = _new_in(lines)
        if not _is_silent_of_html(sample.match) or not has_entities(new):
            return lines
        if Way.HTML in self._denied or is_half_escaped(new) or self._has_entities:
            return None
        return _changed(lines, without_entities)

    def _typed(self, sample: Sample, lines: list[Line]) -> list[Line] | None:
        # In a block, lines that stay are among the new ones.
        old = set(sample.match.lines)
        new = (body for body in _new_in(lines) if body not in old)
        own = sample.match.typography.unsure  # it says so itself
        signs = "".join(sorted(self._signs.intersection(signs_in(new)).difference(own)))
        if not signs:
            return lines
        if self._kept_signs.intersection(signs) or not set(signs).isdisjoint(self._signs_of_file):
            return None
        reader = NewSigns(Typography(signs, written="".join(self._written_signs)))
        typed = _changed(lines, reader.take)
        return None if reader.is_doubtful else typed

    def _indented(self, sample: Sample, lines: list[Line]) -> list[Line] | None:
        new, indents = _new_in(lines), sample.indents
        if not new:
            return lines
        is_kept = all(written == found for written, found in indents)
        if is_kept and not self._has_even and not sample.removed and any(map(self._is_skewed, new)):
            return None  # perhaps new lines are not as deep as in the file, as removed ones of other hunks are not
        if self._skewed and not self._units:
            return lines
        if self._is_trimmed and not self._units:
            return lines if indents or indent_of(new[0]) or sample.is_at_margin else None
        if not indents:
            return self._shifted(lines, new)
        return lines if any(written or found for written, found in indents) else self._converted(lines, new)

    def _is_skewed(self, body: str) -> bool:
        """Whether it is written as deep as a removed line that is not so in the file, or deeper."""
        indent = indent_of(body)
        return indent in self._skewed or any(indent.startswith(one) for one in self._skewed - {""})

    def _shifted(self, lines: list[Line], new: list[str]) -> list[Line] | None:
        """Lines of a hunk without old ones, as deep as those of the others show."""
        rule = _rule_of(self._indents)
        # Some are written as the file has them, or at the margin, where all of them may have lost more or less.
        is_mixed = any(written == found != "" or found != written == "" for written, found in self._indents)
        # At the margin are lines, too, that had nothing to lose.
        is_certain = rule.is_regular and not is_mixed and (rule.knows("") or all(map(indent_of, new)))
        if not is_certain or not all(rule.knows(indent_of(body)) or rule.shows_steps for body in new):
            return None
        shifted = _changed(lines, rule.apply)
        return None if rule.is_guessed else shifted

    def _converted(self, lines: list[Line], new: list[str]) -> list[Line] | None:
        """Lines of a hunk whose old ones are at the margin, with blanks for tabs, or the other way round."""
        indents = [indent_of(body) for body in new]
        units = [unit for unit in self._units if unit[0] != unit[1] and any(unit[0] in one for one in indents)]
        if not units:
            return None if self._may_have_lost(new) else lines
        written, found = units[0]
        is_in_file = f"\n{written}" in f"\n{self._index.original}"
        if len(units) > 1 or "\t" not in (written[0], found[0]) or is_in_file:
            return None
        return _changed(lines, lambda body: indent_of(body).replace(written, found) + body.lstrip(BLANKS))

    def _may_have_lost(self, new: list[str]) -> bool:
        """Whether such lines may have lost blanks, as all lines of other hunks have that are indented in the file."""
        lost = [(written, found) for written, found in self._indents if found]
        if not all(len(written) < len(found) and found.endswith(written) for written, found in lost):
            return False
        if all(written for written, _ in lost):
            return any(len(indent_of(line)) % (len(self._step) or 1) for line in new)
        # Others begin at the margin, as these do, unless nothing is left of what they had.
        return any(is_flat(*pair) for pair in pairwise(new))

    def _ended(self, sample: Sample, lines: list[Line]) -> list[Line] | None:
        if sample.has_foreign_ends or sample.has_windows_ends:
            return lines
        is_ended = [line.kind == "+" and line.ending == "\r\n" for line in lines]
        if not any(is_ended):
            return lines
        return [evolve(line, ending="\n") if is_one else line for line, is_one in zip(lines, is_ended, strict=True)]


def _rule_of(indents: Iterable[tuple[str, str]]) -> Indentation:
    return Indentation((f"{written}|", f"{found}|") for written, found in indents)


def _is_silent_of_html(match: Match) -> bool:
    """Whether there is no sign in the old lines that is another in HTML."""
    return not (match.is_html or has_entities(match.lines) or has_signs(match.lines))


def _new_in(lines: list[Line]) -> list[str]:
    """The new lines that are not blank."""
    return [line.body for line in lines if line.kind == "+" and not is_blank(line.body)]


def _changed(lines: list[Line], change: Callable[[str], str]) -> list[Line]:
    """The lines with others for those that are new."""
    return [evolve(line, body=change(line.body)) if line.kind == "+" else line for line in lines]
