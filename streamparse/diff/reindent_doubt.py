"""Why it is not certain how deep new lines are, although old lines or the file seem to show it.

Each reason is a method of `ShiftDoubt`, about new lines that follow the old ones: the first one that holds is enough.
`is_kept_in_doubt` is about new lines that are indented as the file where the old ones are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import dropwhile, islice, pairwise

from streamparse.diff.around import Around
from streamparse.diff.change_rows import Row, changed_runs, in_file, neighbours, new_in
from streamparse.diff.indent import STAR, Indentation, indent_of
from streamparse.diff.lines import is_blank
from streamparse.diff.reference import fits_as_well, outside_of_block, parts_body
from streamparse.diff.structure import (
    begins_block,
    begins_body,
    continues,
    fits,
    has_words,
    is_comment,
    is_flat,
    is_item,
    is_plain,
    least_depth,
)


class ShiftDoubt:
    """`rows` are the lines of the change, and `shifted` the new ones among them, by the `rule` that old ones show."""

    def __init__(self, rows: Sequence[Row], shifted: list[str], rule: Indentation, around: Around) -> None:
        self.rows = rows
        self.shifted = shifted
        self._rule = rule
        self._around = around

    @cached_property
    def written(self) -> list[str]:
        """The new lines, blank ones too."""
        return new_in(self.rows)

    @cached_property
    def _new(self) -> list[tuple[str, str]]:
        """The new lines that are not blank, as they are written and as they would be in the file."""
        return [(one, two) for one, two in zip(self.written, self.shifted, strict=True) if not is_blank(one)]

    @cached_property
    def _blocks(self) -> list[tuple[str, str]]:
        """Each line that begins a block, and the next, one of them new, as they would be in the file."""
        return [(one, other) for one, other in neighbours(self.rows, self.shifted) if begins_block(one)]

    @property
    def _is_stripped(self) -> bool:
        """Whether all old lines are as deep, and written without their blanks."""
        return not (self._rule.shows_steps or self._rule.slips or self._rule.first[0])

    @cached_property
    def _is_trimmed(self) -> bool:
        """Whether one line alone shows that: so is text that is trimmed as a whole."""
        old = (text for sign, text, found in self.rows if sign != "+" and found is not None and not is_blank(text))
        return self._is_stripped and len(list(islice(old, 2))) == 1

    def is_found(self) -> bool:
        """Whether there is a reason."""
        return (
            self._is_off_the_grid()
            or self._is_apart()
            or self._is_flat()
            or self._is_too_deep()
            or self._is_unlike_the_first()
            or self._has_other_steps()
            or self._is_nowhere_so_deep()
            or self._may_be_at_margin()
            or self._may_be_next()
            or parts_body(self.rows, self.shifted, self._around)
            or self._hides_bodies()
            or self._is_item_elsewhere()
            or self._takes_body()
        )

    def is_uneven(self) -> bool:
        """Tabs come for no whole steps of blanks; or it is not known how many blanks a tab is."""
        unit, found = self._rule.unit
        if set(unit) == {"\t"} != set(found):
            return not (self._rule.is_tab_known or all(self._rule.knows(indent_of(one)) for one, _ in self._new))
        # The blank before the `*` of a comment is only for looks.
        return set(found) == {"\t"} and any(
            " " in indent_of(two) and not self._rule.knows(indent_of(one)) and not STAR.match(two)
            for one, two in self._new
        )

    def _is_off_the_grid(self) -> bool:
        """Old lines do not show how deep a step is, and a new one is not whole steps of the file deep.

        Those that go on with the line before may be as deep as something in that.
        """
        previous = self._around.before
        for sign, line in in_file(self.rows, self.shifted):
            if sign == "-":
                continue
            if sign == "+" and not (self._rule.is_on_grid(indent_of(line)) or continues(previous)):
                return True
            previous = line
        return False

    def _is_apart(self) -> bool:
        """No line stays, and SEARCH may have lost other blanks than REPLACE, as each is trimmed by itself.

        That shows if the least deep new line is not as deep as the least deep old one. Or it shows by removed lines
        that are there again: they would be deeper than before without a line that opens something before them; or all
        of them would be less deep by the same, and all new lines would fit as well if they were deeper by that.
        """
        old, new, staying = (
            [text for one, text, _ in self.rows if one == sign and not is_blank(text)] for sign in "-+ "
        )
        if self._rule.is_first_trimmed or any(map(has_words, staying)) or not (old and new):
            return False
        is_framed = bool(staying) or min(map(indent_of, old), key=len) == min(map(indent_of, new), key=len)
        if not is_framed or self._begins_elsewhere():
            return True
        again = self._again()
        steps = {text: self._steps(*pair) for text, pair in again.items()}
        if any("" in step and has_words(text) for text, step in steps.items()):
            return False
        if any(self._is_deeper(rows, before) for rows, before in again.values()):
            return True
        common = set[str]().union(*steps.values()).intersection(*steps.values()) - {""}
        return any(
            fits_as_well(self.rows, [step + line for line in self.shifted], self.shifted, self._around)
            for step in common
        )

    def _begins_elsewhere(self) -> bool:
        """The first new line is deeper than the first old one, where no body begins, or not deeper where one does."""
        old = next(line for sign, _, line in self.rows if sign == "-" and line and not is_blank(line))
        _, new = self._new[0]
        before = self._around.before
        if len(indent_of(new)) > len(indent_of(old)):
            return is_plain(before)
        return is_flat(before, new) and not is_flat(before, old) and not (is_comment(before) or is_item(new))

    def _again(self) -> dict[str, tuple[list[int], set[str]]]:
        """Where removed lines are among the new ones, and how deep they were."""
        found: dict[str, tuple[list[int], set[str]]] = {}
        for sign, text, line in self.rows:
            if sign == "-" and line is not None and not is_blank(line):
                found.setdefault(text.strip(), ([], set()))[1].add(indent_of(line))
        for at, line in enumerate(self.shifted):
            if line.strip() in found:
                found[line.strip()][0].append(at)
        return {text: pair for text, pair in found.items() if pair[0]}

    def _steps(self, rows: list[int], before: set[str]) -> set[str]:
        """By how much these lines may be less deep than before."""
        indents = {indent_of(self.shifted[at]) for at in rows}
        return {one[len(now) :] for now in indents for one in before if one.startswith(now)}

    def _is_deeper(self, rows: list[int], before: set[str]) -> bool:
        """Whether these lines are deeper than any of them was before, and one of them for no reason.

        A reason is that a new line before it may begin a body in which it is.
        """
        indents = {indent_of(self.shifted[at]) for at in rows}
        is_so = all(now.startswith(one) and now != one for now in indents for one in before)
        return is_so and any(is_plain(self._heads[at]) for at in rows)

    @cached_property
    def _heads(self) -> list[str]:
        """For each new line the last one before it that is less deep; "" if there is none."""
        heads, outer = list[str](), [""]
        for line in self.shifted:
            width = len(indent_of(line))
            while len(outer) > 1 and not is_blank(line) and len(indent_of(outer[-1])) >= width:
                outer.pop()
            heads.append(outer[-1])
            outer += [] if is_blank(line) else [line]
        return heads

    def _is_flat(self) -> bool:
        """All new lines are as deep, and one begins a block.

        Or all lines are written as deep, and a new one goes on, or they close what they do not open.
        """
        new = [line for _, line in self._new]
        is_even = len(set(map(indent_of, new))) == 1
        if is_even and any(is_flat(one, other) and indent_of(one) == indent_of(other) for one, other in self._blocks):
            return True
        if len({indent_of(text) for _, text, _ in self.rows if not is_blank(text)}) > 1:
            return False
        runs = changed_runs(self.rows, self.shifted, self._around)
        return any(is_flat(*pair) for pair in pairwise(new)) or any(
            least_depth(added) < least_depth(removed) for _, removed, added, _ in runs
        )

    def _is_too_deep(self) -> bool:
        """The only old line is trimmed, and a new one is deeper than the one before it for no reason.

        Then the first line alone may be trimmed, and others not.
        """
        if not self._is_trimmed:
            return False
        if any(self._is_deeper_for_nothing(*pair) for pair in self._blocks):
            return True
        is_deep = any(len(indent_of(line)) >= 2 * len(self._rule.first[1]) for _, line in self._new)
        pairs = (pair for pair in pairwise(self.shifted) if not any(map(is_blank, pair)))
        return any((is_deep or not continues(one)) and self._is_deeper_for_nothing(one, other) for one, other in pairs)

    def _is_deeper_for_nothing(self, previous: str, line: str) -> bool:
        """Whether it is deeper than the line before, and not just a step in a block that begins with that."""
        outer, inner = indent_of(previous), indent_of(line)
        if len(inner) <= len(outer) or not (step := self._around.step):
            return False
        return not begins_block(previous) or inner != outer + step

    def _is_unlike_the_first(self) -> bool:
        """The first new line, which is trimmed as the first old one, does not fit to the next."""
        if not self._rule.is_first_trimmed:
            return False
        if not all(fits(*pair) for pair in islice(neighbours(self.rows, self.shifted), 1)):
            return True
        # A comment is a neighbour of none, but here it shows where it belongs: before what is no deeper.
        first = list(islice((pair for pair in in_file(self.rows, self.shifted) if pair[0] != "-"), 2))
        (sign, one), (_, other) = first[0], first[-1]
        is_note = sign == "+" and is_comment(one) and not one.lstrip().startswith("/*")
        return is_note and len(indent_of(other)) > len(indent_of(one))

    def _has_other_steps(self) -> bool:
        """A line is deeper than the one before it by a step that the file does not have, if it has any."""
        if self._rule.shows_steps or not self._around.steps:
            return False
        # Behind `f(a,` the next line may be as deep as `a`.
        pairs = neighbours(self.rows, self.shifted)
        bodies = ((indent_of(one), indent_of(other)) for one, other in pairs if begins_block(one) or not continues(one))
        return any(
            len(inner) > len(outer) and inner.removeprefix(outer) not in self._around.steps for outer, inner in bodies
        )

    def _is_nowhere_so_deep(self) -> bool:
        """A new line at the margin, where no old one is, would be as deep as no line around: it had none."""
        at_margin = {indent_of(two) for one, two in self._new if not indent_of(one)} - {""}
        if not at_margin or self._rule.knows("") or not self._around.steps:
            return False
        return not at_margin <= self._around.indents

    def _may_be_at_margin(self) -> bool:
        """All old lines are at the margin, and so is a new block behind a blank line: it may belong there."""
        rows = dropwhile(lambda row: is_blank(row[1]), (row for row in self.rows if row[0] != "-"))
        behind_blank = (other[1] for one, other in pairwise(rows) if is_blank(one[1]) and other[0] == "+")
        return self._is_stripped and any(begins_block(line) and not indent_of(line) for line in behind_blank)

    def _may_be_next(self) -> bool:
        """A new line, behind all that stays and a blank one, may be in the file as it is written.

        It begins a body, and none deeper follows; or it is any line at the margin, where all old ones are.
        """
        given = iter(self.shifted)
        rows = [(sign, text, next(given) if sign == "+" else text) for sign, text, _ in self.rows]
        gone = {text for sign, text, _ in rows if sign == "-"}
        stays = [at for at, (sign, text, _) in enumerate(rows) if sign == " " and not is_blank(text)]
        behind = rows[stays[-1] + 1 :] if stays else rows
        # Behind a blank line that stays, a new one may be in the place of one that is gone, or that line itself.
        signs = "+" if any(sign == "-" for sign, _, _ in behind) else "+ "
        tail = [row for row in behind if row[0] in signs]
        pairs = pairwise(tail if stays else dropwhile(lambda row: is_blank(row[1]), tail))
        moved = (text for (_, one, _), (_, text, line) in pairs if is_blank(one) and text != line)
        inside = {self.written[at] for at in outside_of_block(self.rows, self.written, self._around)}
        return any(text not in gone and text not in inside and self._is_part(text) for text in moved)

    def _hides_bodies(self) -> bool:
        """All lines are written at the margin, in a file such as Sass where no sign shows what opens a body.

        Then of several new lines the first may have had the others in its body.
        """
        if not self._is_stripped or not self._around.is_unsigned or any(map(indent_of, self.written)):
            return False
        runs = changed_runs(self.rows, self.shifted, self._around)
        return any(len(added) > max(1, len(removed)) for _, removed, added, _ in runs)

    def _is_item_elsewhere(self) -> bool:
        """A new item of a list would be as deep as none of those around, though it is written as deep as one.

        Where the only old line is trimmed, it need not be written so.
        """
        depths = {indent_of(line) for line in self._around.lines if is_item(line)}
        items = [(indent_of(one), indent_of(two)) for one, two in self._new if is_item(two)]
        return bool(depths) and any(two not in depths and (self._is_trimmed or one in depths) for one, two in items)

    def _takes_body(self) -> bool:
        """The body of a removed line goes on behind new ones, which fit as well as they are written.

        For `if b:` comes `def g():`, with a body of its own: what is behind it belongs to that, or goes on in it.
        """
        runs = changed_runs(self.rows, self.shifted, self._around)
        is_left = any(
            removed and begins_body(removed[-1]) and len(indent_of(behind)) > len(indent_of(removed[-1]))
            for _, removed, added, behind in runs
            if added and not begins_block(added[-1])
        )
        return is_left and fits_as_well(self.rows, self.written, self.shifted, self._around)

    def may_have_slipped(self) -> bool:
        """Old lines have some blanks too many, and so has a new line, that is as deep as no line around otherwise."""
        indents = self._around.indents
        more = {
            indent_of(text).removeprefix(indent_of(found))
            for _, text, found in self.rows
            if found is not None and len(indent_of(text)) > len(indent_of(found))
        }
        new = {indent_of(one) for one, _ in self._new} - indents
        return any(one.endswith(blanks) and one[: -len(blanks)] in indents for one in new for blanks in more)

    def _is_part(self, line: str) -> bool:
        """Whether the line, as deep as it is written, may stand behind the change as something of its own.

        For example, `def g():` at the margin behind the lines of a method may be a method or a function.
        """
        indent = indent_of(line)
        is_known = not indent or indent in self._around.indents
        is_last = is_known and len(indent_of(self._around.behind)) <= len(indent)
        return (self._is_stripped and not indent) or (begins_body(line) and is_last)


def is_kept_in_doubt(rows: Sequence[Row], around: Around) -> bool:
    """Whether some new line is as deep as an old one is written, or less deep than it can be.

    `rows` are the lines of a change whose new lines are indented as the file.
    """
    shifted = {text for _, text, found in rows if found is not None and indent_of(text) != indent_of(found)}
    depths = set(map(indent_of, shifted))
    lines = ((text if sign == "+" else found, sign == "+") for sign, text, found in rows if sign != "-")
    there = ((line, is_new) for line, is_new in lines if line is not None)
    for (one, is_new), (other, is_next_new) in pairwise([(around.before, False), *there, (around.behind, False)]):
        if is_next_new and other in shifted:
            return True
        if is_blank(one) or is_blank(other) or not (is_new or is_next_new):
            continue
        # A comment opens nothing, and an item of a list may be as deep as its name.
        if is_flat(one, other) and not (is_comment(one) or is_item(other)):
            return True
        if is_new and is_next_new and indent_of(other) in depths and not fits(one, other):
            return True
    runs = changed_runs(rows, new_in(rows), around)
    return any(not added and _is_unheaded(before, behind, around.step) for before, _, added, behind in runs)


def _is_unheaded(one: str, other: str, step: str) -> bool:
    """The second is deeper for no reason: what it was in is gone, and it was perhaps to be less deep."""
    outer, inner = indent_of(one), indent_of(other)
    return len(inner) > len(outer) and (not fits(one, other) or (begins_body(one) and inner != outer + step))
