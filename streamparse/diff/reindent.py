"""New lines of a change whose old lines are indented otherwise than in the file: how deep they are there.

    the file  "    if x:" / "        go()"      old  "if x:" / "    go()"      new  "if y:" / "    go()" / "stop()"

The old lines show a rule (`indent.py`), and new lines follow it, unless the lines next to them show that they are
indented as the file is (`reference.py`). If lines that are written alike are indented differently in the file, there
is no rule, and all lines together must show it (`evidence.py`). A hunk and a block are asked with all of their lines.
They differ in one case, when old lines show no rule: without evidence a block fails, while a hunk is still indented as
the lines next to its new ones show. What is shown of a block before its end is in `early_indentation.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamparse.diff.around import Around
from streamparse.diff.change_rows import Row, new_in
from streamparse.diff.evidence import Depths, Evidence, indented_between
from streamparse.diff.indent import KEPT, Indentation, indent_of, keeps_order
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BLANKS, is_blank
from streamparse.diff.place import Match, Place
from streamparse.diff.reference import (
    Manner,
    Reference,
    are_in_place,
    chosen_reference,
    fits_as_old,
    is_indentation_alone,
    outside_of_block,
    parts_body,
)
from streamparse.diff.reindent_doubt import ShiftDoubt, is_kept_in_doubt
from streamparse.diff.result import Strategy
from streamparse.diff.structure import is_indented_directive


def reindentation_at(index: FileIndex, place: Place, match: Match) -> Reindentation | None:
    """What indents new lines at that place; None if old lines are as deep as in the file: then new ones are, too."""
    if match.strategy is Strategy.EXACT:
        return None
    pairs = [pair for pair in place.pairs(match.lines, index) if not is_blank(pair[0])]
    reindentation = Reindentation(index, place, pairs)
    return None if reindentation.rule.is_kept else reindentation


class Reindentation:
    """`pairs` are the old lines, as they are written and as in the file; blank ones say nothing."""

    def __init__(self, index: FileIndex, place: Place, pairs: Sequence[tuple[str, str]]) -> None:
        self._index = index
        self._around = Around(index, place)
        self._pairs = pairs
        #: What the old lines show.
        self.rule = Indentation(pairs, lambda: self._around.step)
        #: Whether the old lines, of which there are several, do not show how deep they are to each other.
        self.hides_steps = len(pairs) > 1 and not (self.rule.is_regular and self.rule.shows_steps)
        self.depths: Depths = {}
        for written, found in pairs:
            self.depths.setdefault(written.strip(), set()).add((indent_of(written), indent_of(found)))
        #: Whether new lines without a rule are indented as the file is.
        self.is_as_in_file = False
        self._is_doubtful = False

    @property
    def is_doubtful(self) -> bool:
        """Whether the indentation of some new line is not certain."""
        return self._is_doubtful or self.rule.is_guessed

    def evident(self, new: Sequence[str]) -> list[str] | None:
        """Where there is no rule: the new lines that are not blank, as they are in the file; None if it is in doubt.

        `new` are all lines that there are then, those that stay among them.
        """
        evidence = Evidence(self._pairs, self.depths, self._around, self._index.similar)
        filled = [body for body in new if not is_blank(body)]
        self.is_as_in_file = evidence.is_as_in_file(filled)
        return filled if self.is_as_in_file else evidence.indented(filled)

    def check_kept(self, rows: Sequence[Row]) -> None:
        """New lines are indented as the file is: is it in doubt?"""
        self._is_doubtful |= is_kept_in_doubt(rows, self._around)

    def without_excess(self, body: str) -> str:
        """A blank line without the blanks by which all lines are too deep, unless the file has such lines."""
        return "" if self.rule.takes_off(body) and not self._index.has_exactly(body) else body

    def indented(self, rows: Sequence[Row], manner: Manner) -> list[str]:
        """The new lines of a change, all of whose lines these are, as they are indented in the file."""
        written = new_in(rows)
        self._is_doubtful |= is_indentation_alone(rows)
        if self.rule.is_contradictory and not all(map(is_blank, written)):
            lines = self._by_evidence(rows)
            lines = self._by_reference(rows, written, manner, None) if lines is None else lines
        else:
            shifted = self._shifted(rows, written, manner)
            if shifted is not None and self._is_in_place(rows, written, shifted, manner):
                return shifted
            lines = self._by_rule(rows, written, shifted, manner)
        self._is_doubtful |= bool(outside_of_block(rows, lines, self._around))
        return lines

    def _is_in_place(self, rows: Sequence[Row], written: list[str], shifted: list[str], manner: Manner) -> bool:
        """Whether new lines are certain, since they take the places of lines that they are like."""
        is_same = written == shifted
        if manner.lacks_sign or (self.rule.is_guessed and not is_same) or not are_in_place(rows, shifted):
            return False
        self.rule = KEPT if is_same else self.rule
        return True

    def _by_rule(self, rows: Sequence[Row], written: list[str], shifted: list[str] | None, manner: Manner) -> list[str]:
        """Where there is a rule: by that the new lines would be `shifted`, if it says how deep each of them is."""
        self._is_doubtful |= self.rule.is_first_trimmed and self._has_margin_behind_first(rows)
        if shifted is None:
            return self._by_reference(rows, written, manner, None)
        doubt = ShiftDoubt(rows, shifted, self.rule, self._around)
        self._is_doubtful |= doubt.is_uneven()
        if self._is_converted(written):
            return shifted
        is_same = all(is_blank(one) or one == two for one, two in zip(written, shifted, strict=True))
        if is_same and not self.rule.is_guessed:
            if (self.rule.slips or self.rule.is_first_trimmed) and not manner.lacks_sign:
                self.check_kept(rows)
            self._is_doubtful |= bool(self.rule.slips) and doubt.may_have_slipped()
            # What separates pages shows nothing, nor does a line of blanks; but of those some may be too many.
            return [one if one.strip(BLANKS) else other for one, other in zip(written, shifted, strict=True)]
        return self._by_reference(rows, written, manner, doubt)

    def _by_evidence(self, rows: Sequence[Row]) -> list[str] | None:
        """Where there is no rule; None if there is no evidence, or lines that stay are not as deep as it says."""
        lines = self.evident([text for sign, text, _ in rows if sign != "-"])
        if lines is None or self.is_as_in_file:
            return None
        known = iter(lines)
        there = [(sign, text if is_blank(text) else next(known), found) for sign, text, found in rows if sign != "-"]
        stays = all(sign == "+" or found is None or indent_of(line) == indent_of(found) for sign, line, found in there)
        return [line for sign, line, _ in there if sign == "+"] if stays else None

    def _by_reference(
        self, rows: Sequence[Row], written: list[str], manner: Manner, doubt: ShiftDoubt | None
    ) -> list[str]:
        """As the lines next to the new ones show: as the file, or, with what may be in doubt then, as the old lines."""
        if doubt is not None and self._is_written_as_old(doubt, manner):
            reference: Reference | None = Reference.OLD
        else:
            reference = chosen_reference(rows, None if doubt is None else doubt.shifted, self._around, manner)
        if doubt is not None and reference is Reference.OLD:
            keeps_margin = all(map(self._keeps_margin, doubt.shifted))
            self._is_doubtful |= not keeps_margin or doubt.is_found()
            return doubt.shifted
        self._is_doubtful |= reference is None or not all(map(self._keeps_margin, written))
        if reference is Reference.FILE:
            if not manner.lacks_sign:
                self.check_kept(rows)
                is_other = doubt is not None and doubt.shifted != written
                self._is_doubtful |= is_other and parts_body(rows, written, self._around)
            self.rule = KEPT
        return written

    def _is_written_as_old(self, doubt: ShiftDoubt, manner: Manner) -> bool:
        """Whether REPLACE is as deep as SEARCH where a line stays, and old lines show how deep all new ones are."""
        if not manner.keeps_old or not fits_as_old(doubt.rows, doubt.shifted, self._around):
            return False
        is_known = all(self.rule.knows(indent_of(body)) for body in doubt.written if not is_blank(body))
        return is_known or (self.rule.is_regular and self.rule.shows_steps)

    def _shifted(self, rows: Sequence[Row], written: Sequence[str], manner: Manner) -> list[str] | None:
        """New lines by the rule that the old ones show; before all context, the first may be trimmed as the old one."""
        indents = {indent_of(body) for body in written if not is_blank(body)}
        is_slip = not indents.isdisjoint(self.rule.slips)
        if is_slip:
            self.rule = Indentation(self._pairs, lambda: self._around.step, may_slip=False)
        is_known = not is_slip and not manner.lacks_sign and all(map(self.rule.knows, indents))
        if not (self.rule.is_regular or (is_known and keeps_order(self._pairs))):
            return indented_between(rows, self._index.similar)
        lines: list[str] = []
        is_first = self.rule.is_first_trimmed
        for sign, body, _ in rows:
            is_first = is_first and (sign != " " or is_blank(body))
            if sign == "+":
                lines.append(self.rule.apply(self.without_excess(body), is_first=is_first and not lines))
                if is_first and not lines[1:] and lines[0] != body:
                    self._is_doubtful |= self.rule.is_first_deeper
        return lines

    def _is_converted(self, new: Sequence[str]) -> bool:
        """Whether old lines have tabs for blanks, or blanks for tabs, and have lost nothing; and so have new ones."""
        written, found = self.rule.unit
        kinds = {indent[0] for line in new if not is_blank(line) and (indent := indent_of(line))}
        return (
            set(written) != set(found)
            and kinds <= set(written)
            and all(indent_of(one).replace(written, found) == indent_of(other) for one, other in self._pairs)
        )

    def _keeps_margin(self, line: str) -> bool:
        """Whether it is not a line for the preprocessor of C that is indented, unless old ones are."""
        return not is_indented_directive(line) or any(is_indented_directive(found) for _, found in self._pairs)

    def _has_margin_behind_first(self, rows: Sequence[Row]) -> bool:
        """Whether a new line at the margin, behind a first line that was trimmed, may have lost its blanks, too.

        It belongs there if the next line that is not at the margin is new, and a step deep.
        """
        lines = [(text, sign == "+") for sign, text, _ in rows if sign != "-" and not is_blank(text)]
        is_open = False
        for text, is_new in lines[1:]:
            if is_open and not (is_new and not indent_of(text)):
                if not is_new or indent_of(text) != self._around.step:
                    return True
                is_open = False
            elif is_new:
                is_open = not indent_of(text) and not self.rule.knows("")
        return is_open
