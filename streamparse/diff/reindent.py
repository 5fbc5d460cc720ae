"""New lines of a block whose old lines are indented otherwise than in the file: how deep they are there.

    the file  "    if x:" / "        go()"      old  "if x:" / "    go()"      new  "if y:" / "    go()" / "stop()"

The old lines show a rule (`indent.py`), and new lines follow it, unless their first line shows that they are indented
as the file is. If lines that are written alike are indented differently in the file, there is no rule, and all new
lines together must show it (`evidence.py`). `is_doubtful` says that it is not certain how deep some new line is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from streamparse.diff.evidence import Evidence, indented_between
from streamparse.diff.indent import KEPT, Indentation, indent_of, step_of, steps_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, body_of, is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.reference import Reference, Row, chosen_reference, neighbours
from streamparse.diff.result import Strategy
from streamparse.diff.structure import (
    begins_block,
    begins_body,
    fits,
    is_comment,
    is_flat,
    is_indented_directive,
    is_item,
    opens,
)

#: So many lines before and behind the old ones show how deep the steps of the file are.
_AROUND = 100


def reindentation_at(index: FileIndex, place: Place, match: Match) -> Reindentation | None:
    """What becomes of new lines there; None if old lines are indented as in the file, and so new ones are, too."""
    if match.strategy is Strategy.EXACT:
        return None
    pairs = [
        (line, body_of(index.lines[origin]))
        for line, origin in zip(match.lines, place.origins, strict=True)
        if origin is not None and not is_blank(line)
    ]
    reindentation = Reindentation(index, place, pairs)
    return None if reindentation.is_kept else reindentation


class Reindentation:
    """Takes the lines of the replacement in order. `pairs` are the old ones, as they are written and as in the file."""

    def __init__(self, index: FileIndex, place: Place, pairs: Sequence[tuple[str, str]]) -> None:
        self._index = index
        self._place = place
        self._pairs = pairs
        self._rule = Indentation(pairs, self._find_step)
        #: Whether the old lines, of which there are several, do not show how deep they are to each other.
        self.hides_steps = len(pairs) > 1 and not (self._rule.is_regular and self._rule.shows_steps)
        #: Whether that of each new line is only known when all are there: `decide` is told them.
        self.is_late = self._rule.is_contradictory
        #: Whether it is known what the indentation of new lines refers to; if not, `begin` is told the first of them.
        self.is_begun = self.is_late or bool(self._rule.slips)
        self._is_doubtful = False
        #: Whether all old lines are as deep, and written without their blanks; and whether one line alone shows that:
        #: so is text that is trimmed as a whole.
        self._is_stripped = not (self.is_late or self._rule.shows_steps or self._rule.slips or self._rule.first[0])
        self._is_trimmed = self._is_stripped and len(pairs) == 1
        #: The lines that are not blank, as the file is to have them, if `decide` has found that out.
        self._decided: Iterator[str] | None = None
        #: Old lines as they are written, if new lines are not to be written so.
        self._misindented: set[str] = set()
        #: How deep these are written.
        self._misindents: set[str] = set()
        self._shifted_pairs = [pair for pair in pairs if indent_of(pair[0]) != indent_of(pair[1])]
        #: Those that are not as deep as in the file, as they are there; and whether new lines are as these, or as old
        #: ones are written.
        self._in_file = {found: written for written, found in self._shifted_pairs}
        self._is_as_in_file = self._is_as_old = False
        self._written = ""  # the line before the next one as it is written, if it is new
        self._trimmed = ""  # the first new line, if it was trimmed, as long as the next is not known
        self._last_old = ""  # the line of the file that stayed last, if it is not blank
        self._previous = ""  # the line before the next one
        self._is_previous_new = False
        self._is_at_margin = False  # whether the line before is new there, and nothing shows yet that it belongs there
        self._has_text = False  # whether there is a line before it
        self._is_behind_blank = False

    @property
    def is_kept(self) -> bool:
        """Whether nothing is to be done: new lines are indented as they are written."""
        return self._rule.is_kept

    @property
    def is_doubtful(self) -> bool:
        """Whether the indentation of some new line is not certain."""
        return self._is_doubtful or self._rule.is_guessed

    def begin(self, body: str) -> bool:
        """The first new line that is not blank; returns whether new lines are indented as the file is."""
        self.is_begun = True
        (written, found), indent = self._rule.first, indent_of(body)
        if indent == found != written:
            # Old lines that are written with their steps have lost the same, and so may new ones have.
            if self._rule.knows(indent) or self._rule.shows_steps:
                self._is_doubtful = True  # it may be either
            self._keep()
            return True
        is_old = any(body == line for line, _ in self._pairs)
        if indent != written and not is_old and self._find_step():
            self._is_doubtful = True
        return False

    def decide(self, new: Sequence[str]) -> bool:
        """All new lines are there; returns whether they are indented as the file is."""
        evidence = Evidence(self._pairs, self._line_before(), self._line_behind(), self._index.similar)
        filled = [body for body in new if not is_blank(body)]
        if evidence.is_as_in_file(filled):
            self._keep()
            return True
        if (lines := evidence.indented(filled)) is not None:
            self._decided = iter(lines)
        else:
            self._is_doubtful = True
        return False

    def indented_hunk(self, rows: Sequence[Row], *, lacks_sign: bool) -> list[str]:
        """The new lines of a hunk, all of whose lines these are, as they are indented in the file."""
        # The signs tell new lines from others, so that what is next to them counts, and not how deep steps are.
        written = [body for sign, body, _ in rows if sign == "+"]
        self._rule = Indentation(self._pairs)
        if any(indent_of(body) in self._rule.slips for body in written):
            self._rule = Indentation(self._pairs, may_slip=False)
        shifted = self._shifted(rows) if self._rule.is_regular else indented_between(rows, self._index.similar)
        is_first = True
        for sign, text, _ in rows:
            if sign != "-" and not is_blank(text):
                if not is_first:
                    self._check_margin(text, is_new=sign == "+")
                is_first = False
        self._is_doubtful = self._is_doubtful or self._is_at_margin
        is_same = shifted is not None and all(
            is_blank(one) or one == two for one, two in zip(written, shifted, strict=True)
        )
        if shifted is not None and self._is_converted(written):
            return shifted
        if shifted is not None and is_same:
            # What separates pages shows nothing, nor does a line of blanks; but of those some may be too many.
            return [one if one.strip(BLANKS) else other for one, other in zip(written, shifted, strict=True)]
        around = self._line_before(), self._line_behind()
        reference = chosen_reference(rows, shifted, self._find_step(), around, lacks_sign=lacks_sign)
        if not all(map(self._keeps_margin, shifted if reference is Reference.OLD and shifted is not None else written)):
            self._is_doubtful = True
        if reference is Reference.OLD and shifted is not None:
            self._check_shifted(rows, shifted)
            return shifted
        if reference is Reference.FILE:
            self._keep()
        else:
            self._is_doubtful = True
        return written

    def _is_converted(self, new: Sequence[str]) -> bool:
        """Whether old lines have tabs for blanks, or blanks for tabs, and have lost nothing; and so have new ones."""
        written, found = self._rule.unit
        kinds = {indent[0] for line in new if not is_blank(line) and (indent := indent_of(line))}
        return (
            set(written) != set(found)
            and kinds <= set(written)
            and all(indent_of(one).replace(written, found) == indent_of(other) for one, other in self._pairs)
        )

    def _check_shifted(self, rows: Sequence[Row], shifted: Sequence[str]) -> None:
        """New lines that are indented as the old ones must have their steps; and not those of the file."""
        blocks = [(one, other) for one, other in neighbours(rows, shifted) if begins_block(one)]
        new = [line for line in shifted if not is_blank(line)]
        is_even = len(set(map(indent_of, new))) == 1
        if is_even and any(is_flat(one, other) and indent_of(one) == indent_of(other) for one, other in blocks):
            self._is_doubtful = True
        is_stripped = not any(indent_of(text) for _, text, _ in rows)
        if is_stripped and any(is_flat(*pair) for pair in pairwise(new)):
            self._is_doubtful = True
        if self._is_trimmed and any(self._is_too_deep(*pair) for pair in blocks):
            self._is_doubtful = True
        # The first line alone may be trimmed, if others are at least as deep as that.
        is_deep = any(len(indent_of(line)) >= 2 * len(self._rule.first[1]) for line in new)
        if self._is_trimmed and is_deep and any(self._is_too_deep(*pair) for pair in pairwise(new)):
            self._is_doubtful = True
        if not self._rule.shows_steps and not all(self._is_known_step(*pair) for pair in blocks):
            self._is_doubtful = True
        written = [body for sign, body, _ in rows if sign == "+"]
        pairs = [(one, two) for one, two in zip(written, shifted, strict=True) if not is_blank(one)]
        if not all(self._may_be_shifted(one, two) for one, two in pairs):
            self._is_doubtful = True
        if any(is_blank(one) and self._may_be_outside(other) for one, other in pairwise(written)):
            self._is_doubtful = True
        last = max((at for at, (sign, text, _) in enumerate(rows) if sign != "+" and not is_blank(text)), default=-1)
        size = sum(sign == "+" for sign, _, _ in rows[last + 1 :])
        tail = list(zip(written, shifted, strict=True))[len(written) - size :]
        if any(
            is_blank(one) and other != two and self._may_be_next(other) for (one, _), (other, two) in pairwise(tail)
        ):
            self._is_doubtful = True

    def _may_be_next(self, line: str) -> bool:
        """Whether a new part behind all old lines may be in the file as it is written: what follows is not deeper."""
        indent = indent_of(line)
        is_known = not indent or any(indent_of(one) == indent for one in self._around)
        return begins_body(line) and is_known and len(indent_of(self._line_behind())) <= len(indent)

    def _may_be_outside(self, line: str) -> bool:
        """Whether a new line behind a blank one, at the margin as all old ones are, may belong there in the file."""
        is_part = self._is_trimmed or (self._is_stripped and begins_block(line))
        return is_part and not is_blank(line) and not indent_of(line)

    def _shifted(self, rows: Sequence[Row]) -> list[str]:
        """New lines by the rule that the old ones show; before all context, the first may be trimmed as the old one."""
        lines: list[str] = []
        is_first = self._rule.is_first_trimmed
        for sign, body, _ in rows:
            is_first = is_first and (sign != " " or is_blank(body))
            if sign == "+":
                lines.append(self._rule.apply(self._without_excess(body), is_first=is_first and not lines))
                if is_first and not lines[1:] and lines[0] != body:
                    self._is_doubtful = self._rule.is_first_deeper
        return lines

    def pass_blank(self, body: str) -> str:
        """A blank line that is new, as it is in the file."""
        self._is_behind_blank = self._has_text
        return self._without_excess(body)

    def pass_old(self, line: str) -> None:
        """A line that stays as the file has it."""
        if self._decided is not None and not is_blank(line) and indent_of(next(self._decided)) != indent_of(line):
            self._is_doubtful = True
        self._last_old = self._last_old if is_blank(line) else line
        self._is_as_old = self._is_as_old or line in self._in_file
        self._written = ""
        self._check_margin(line, is_new=False)
        self._check_step(line, is_new=False)

    def indented(self, body: str, *, is_first: bool) -> str:
        """A new line that is not blank, as it is indented in the file."""
        is_derived = False
        if self._decided is not None:
            body = indent_of(next(self._decided)) + body.lstrip(BLANKS)
        else:
            if body in self._misindented or (self._is_behind_blank and self._may_be_outside(body)):
                self._is_doubtful = True
            if self._rule.is_kept:
                self._check_kept(body)
                self._check_step(body, is_new=True)
                return body
            is_derived = self._has_text or not self._rule.knows(indent_of(body))
            body = self._applied(body, is_first=is_first)
        self._check_step(body, is_new=True, is_derived=is_derived)
        if self._rule.is_first_trimmed and is_first:
            self._trimmed = body
            self._is_doubtful = self._is_doubtful or self._rule.is_first_deeper
        return body

    def _applied(self, written: str, *, is_first: bool) -> str:
        """As old lines show, and in doubt if it is so in the file, or cannot be so."""
        was_guessed, indent = self._rule.is_guessed, indent_of(written)
        body = self._rule.apply(written, is_first=is_first)
        if body == written and written in self._in_file:
            self._rule.is_guessed = was_guessed  # it may be either, and is the same
        if len(indent_of(body)) < len(indent) and self._is_as_last(indent):
            self._is_doubtful = True
        if not (self._may_be_shifted(written, body) and self._keeps_margin(body)) or (
            self._written and _is_turned((self._written, written), (self._previous, body))
        ):
            self._is_doubtful = True
        if body != written:
            self._is_as_in_file = self._is_as_in_file or written in self._in_file
            self._is_as_old = self._is_as_old or any(indent == indent_of(old) for old in self._in_file.values())
        # The first line alone may be trimmed, so that others are deeper than that only as it is written.
        self._written = "" if is_first and self._rule.is_first_trimmed else written
        if not is_first:
            self._check_margin(written, is_new=True)
        return body

    def _may_be_shifted(self, written: str, line: str) -> bool:
        """Whether a line at the margin may have lost something: if it had it, it was as deep as others of the file."""
        indent = indent_of(line)
        if indent_of(written) or not indent or self._rule.knows("") or not self._steps:
            return True
        return any(indent_of(one) == indent for one in self._around if not is_blank(one))

    def _keeps_margin(self, line: str) -> bool:
        """Whether it is not a line for the preprocessor of C that is indented, unless old ones are."""
        return not is_indented_directive(line) or any(is_indented_directive(found) for _, found in self._pairs)

    def _check_margin(self, line: str, *, is_new: bool) -> None:
        """Where the first line was trimmed, a new one at the margin belongs there if the next is a step deeper."""
        if is_blank(line):
            return
        if self._is_at_margin and not (is_new and not indent_of(line)):
            self._is_at_margin = False
            self._is_doubtful = self._is_doubtful or not is_new or indent_of(line) != self._find_step()
        elif self._rule.is_first_trimmed and is_new:
            self._is_at_margin = not indent_of(line) and not self._rule.knows("")

    def _is_as_last(self, indent: str) -> bool:
        """Whether that of the old line before is so in the file, and none is written so: a new line may be as deep."""
        is_behind = bool(self._last_old) and not opens(self._last_old)
        return is_behind and indent == indent_of(self._last_old) and not self._rule.knows(indent)

    def _without_excess(self, body: str) -> str:
        """A blank line without the blanks by which all lines are too deep, unless the file has such lines."""
        return "" if self._rule.takes_off(body) and not self._index.has_exactly(body) else body

    def finish(self) -> None:
        """There are no more lines."""
        if self._is_at_margin or (self._is_as_in_file and not self._is_as_old):
            self._is_doubtful = True
        if self._is_previous_new:
            self._check_step(self._line_behind(), is_new=False, is_derived=True)

    def _keep(self) -> None:
        """The new lines are indented as the file is, although the old ones are not."""
        self._misindented = {written for written, _ in self._shifted_pairs}
        self._misindents = set(map(indent_of, self._misindented))
        self._rule = KEPT

    def _check_kept(self, line: str) -> None:
        """A new line that is as deep as old ones are written, and deeper than the one before, which opens nothing."""
        is_as_old = indent_of(line) in self._misindents
        if is_as_old and self._previous and self._is_previous_new and not fits(self._previous, line):
            self._is_doubtful = True

    def _check_step(self, line: str, *, is_new: bool, is_derived: bool = False) -> None:
        """A new line that belongs to the one before it, or to which the next belongs, is not as deep as that."""
        if self._trimmed and not is_blank(line):
            self._is_doubtful = self._is_doubtful or not fits(self._trimmed, line)
            self._trimmed = ""
        if self._rule.shows_steps:
            self._previous = line
            return
        self._is_behind_blank = is_blank(line) and self._has_text
        if self._is_behind_blank:
            return
        previous = self._previous if self._has_text else self._line_before()
        # Of lines as the file has them, a comment opens nothing, and an item of a list may be as deep as its name.
        if (is_new or self._is_previous_new) and is_flat(previous, line):
            is_free = self._rule.is_kept and (is_comment(previous) or is_item(line))
            self._is_doubtful = self._is_doubtful or not is_free
        if is_derived and previous and not self._rule.is_kept and self._is_too_deep(previous, line):
            self._is_doubtful = True
        self._previous, self._is_previous_new, self._has_text = line, is_new, True

    def _is_too_deep(self, previous: str, line: str) -> bool:
        """Whether it is deeper than the line before, and not just a step in a block that begins with that."""
        outer, inner = indent_of(previous), indent_of(line)
        if len(inner) <= len(outer) or not (step := self._find_step()):
            return False
        return not begins_block(previous) or inner != outer + step

    def _is_known_step(self, line: str, following: str) -> bool:
        """Whether what is in a body is deeper than its first line by a step that the file has, if it has any."""
        outer, inner = indent_of(line), indent_of(following)
        is_body = begins_body(line) and len(inner) > len(outer)
        return not is_body or not self._steps or inner.removeprefix(outer) in self._steps

    def _find_step(self) -> str:
        return self._step

    @cached_property
    def _step(self) -> str:
        return step_of(self._around)

    @cached_property
    def _steps(self) -> dict[str, int]:
        return steps_of(self._around)

    @property
    def _around(self) -> Sequence[str]:
        """The lines of the file around the place."""
        return self._index.lines[max(0, self._place.start - _AROUND) : self._place.end + _AROUND]

    def _line_before(self) -> str:
        """The line of the file before the old ones, blank ones aside, without its ending."""
        return self._first_filled(range(self._place.start - 1, -1, -1))

    def _line_behind(self) -> str:
        """The one behind them."""
        return self._first_filled(range(self._place.end, len(self._index.lines)))

    def _first_filled(self, rows: range) -> str:
        lines = self._index.lines
        return next((body_of(lines[at]) for at in rows if not is_blank(lines[at])), "")


def _is_turned(written: tuple[str, str], found: tuple[str, str]) -> bool:
    """Whether the second of two lines is deeper than the first, or less deep, and not so in the file."""
    one, other = map(indent_of, written)
    if one.startswith(other) or other.startswith(one):
        first, second = map(indent_of, found)
        return (one < other) != (first < second) or (other < one) != (second < first)
    return False
