"""What the indentation of new lines refers to, in a change whose old lines are indented otherwise than in the file.

    the file  "    a" / "    b"        the hunk  " a" / "+x" / " b"        x is indented as the old lines are
                                       the hunk  " a" / "+    x" / " b"    x is indented as the file is

The lines next to new ones show which it is, those in whose place they come or those before and behind them: new lines
are as deep as one of these is written, or as deep as it is in the file. If both may be, only one of them may make a
text in which what opens something is followed by deeper lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import groupby, pairwise

from attrs import frozen

from streamparse.diff.around import Around
from streamparse.diff.change_rows import Row, changed_runs, in_file, new_in, pairs_after
from streamparse.diff.indent import indent_of, width_of
from streamparse.diff.lines import BLANKS, is_blank
from streamparse.diff.structure import (
    begins_body,
    closes,
    fits,
    frame_of,
    is_comment,
    is_indented_directive,
    is_item,
    item_indent,
    may_be_inside,
    opens,
    unmatched,
)

#: What does not fit: a pair of neighbours or a bracket, by its number; or a directive or a body, with 0.
Misfit = tuple[str, int]


class Reference(Enum):
    """What new lines are indented as."""

    OLD = "the old lines"
    FILE = "the file"


@frozen
class Manner:
    """How the lines of a change are written."""

    #: Each line of context is one blank less deep than in the file. Perhaps the model took the first blank of the text
    #: for the sign of context: for "    a" in the file it wrote "    a", and not "     a".
    lacks_sign: bool = False
    #: The change is a SEARCH/REPLACE block, in which lines that stay are repeated in REPLACE, perhaps as the file has
    #: them although SEARCH has not.
    is_block: bool = False
    #: A line that stays is as deep in REPLACE as in SEARCH, and not as deep as in the file.
    keeps_old: bool = False


@frozen
class _Run:
    """New lines with no context between them: the lines in whose place they are, and those around them.

    None of them are blank. Old ones are as they are written and as in the file.
    """

    added: list[str]
    removed: list[tuple[str, str]]
    around: list[tuple[str, str]]

    @property
    def is_unseen(self) -> bool:
        """Whether it changes nothing that can be seen, and its lines are not as deep as in the file."""
        written, found = ([pair[at] for pair in self.removed] for at in (0, 1))
        return self.added == written and list(map(indent_of, written)) != list(map(indent_of, found))

    @property
    def is_in_file(self) -> bool:
        """Whether it would change nothing if its lines were indented as the file is."""
        return self.added == [found for _, found in self.removed]

    def references(self, others: set[Reference], *, is_block: bool) -> set[Reference]:
        """What its lines are indented as, by the lines next to them; `others`, too, if no removed lines show it."""
        if self.is_in_file:
            return {Reference.FILE} if is_block else set()
        least = min(map(indent_of, self.added), key=width_of)
        outermost = sorted(self.removed, key=lambda pair: width_of(pair[1]))[:1]
        by_removed = _references([least], outermost) | _references([indent_of(self.added[0])], self.removed[:1])
        # Where the indentation is new, too, those around show nothing of how much it was changed.
        is_moved = bool(self.removed) and indent_of(self.added[0]) != indent_of(self.removed[0][1])
        by_others = _references([least], self.around)
        if by_removed:
            return by_removed | (by_others & {Reference.OLD})
        if is_moved or not by_others:
            return set()
        return by_others | others


def chosen_reference(
    rows: Sequence[Row], shifted: Sequence[str] | None, around: Around, manner: Manner
) -> Reference | None:
    """How the new lines are indented; None if that is not certain.

    `shifted` are all of them, indented as the old lines show; None if these do not show it.
    """
    filled = [row for row in rows if not is_blank(row[1])]
    runs = list(_runs(filled, around.step))
    fitting = _fitting(rows, shifted, around)
    if not manner.is_block and any(run.is_in_file for run in runs):
        fitting.discard(Reference.FILE)
    others = set[Reference]() if manner.lacks_sign else fitting & {Reference.OLD}
    shown = {reference for run in runs for reference in run.references(others, is_block=manner.is_block)}
    if manner.lacks_sign:
        removed = [text for sign, text, _ in filled if sign == "-"]
        if any(map(indent_of, removed)):
            return Reference.FILE
        if (by_steps := _by_steps(filled, around.step)) is not Reference.FILE:
            return by_steps if Reference.OLD in fitting else None
        if removed or Reference.OLD not in shown:
            return Reference.FILE
        if not all(text.startswith("*") for sign, text, _ in filled if sign == "+"):
            return None
    shown = shown or _by_others(filled)
    if len(shown) == 2:
        shown &= fitting
    if len(shown) != 1 or (fitting and not shown <= fitting):
        return None
    (reference,) = shown
    is_denied = shifted is None if reference is Reference.OLD else manner.keeps_old
    return None if is_denied else reference


def are_in_place(rows: Sequence[Row], new: Sequence[str]) -> bool:
    """Whether the new lines, so indented, come for as many others, each as deep and with the same frame as its own.

    Then their depth is certain: what is around them was around lines just like them before. A line that is the same
    as the one it comes for is none of these: perhaps only its depth was meant to change.
    """
    given = iter(new)
    runs = (list(in_file(run, given)) for is_context, run in groupby(rows, _is_context) if not is_context)
    sides = (([line for one, line in run if one == sign] for sign in "-+") for run in runs)
    return all(len(removed) == len(added) and all(map(_can_stand_for, added, removed)) for removed, added in sides)


def _is_context(row: Row) -> bool:
    return row[0] == " "


def _can_stand_for(line: str, removed: str) -> bool:
    return indent_of(line) == indent_of(removed) and line != removed and frame_of(line) == frame_of(removed)


def is_indentation_alone(rows: Sequence[Row]) -> bool:
    """Whether lines are removed and added again as they are written, which are not as deep in the file."""
    removed, added = ({text for one, text, _ in rows if one == sign and not is_blank(text)} for sign in "-+")
    if removed.isdisjoint(added):
        return False
    return any(run.is_unseen for run in _runs([row for row in rows if not is_blank(row[1])], ""))


def fits_as_old(rows: Sequence[Row], shifted: Sequence[str], around: Around) -> bool:
    """Whether new lines that are indented as the old lines show fit to each other and to those around."""
    return Reference.OLD in _fitting(rows, shifted, around)


def fits_as_well(rows: Sequence[Row], new: Sequence[str], other: Sequence[str], around: Around) -> bool:
    """Whether new lines fit to each other and to the lines that stay wherever they do so with other indentation."""
    framed = _framed(rows, around)
    is_parting = parts_body(rows, new, around) and not parts_body(rows, other, around)
    return not is_parting and _misfits(framed, new, around).keys() <= _misfits(framed, other, around).keys()


def _framed(rows: Sequence[Row], around: Around) -> list[Row]:
    """With the lines before and behind them."""
    return [(" ", around.before, around.before), *rows, (" ", around.behind, around.behind)]


def _by_steps(rows: Sequence[Row], step: str) -> Reference | None:
    """As what new lines are whole steps deep where context is one blank less deep; the file if nothing denies it."""
    found = {len(indent_of(line)) for _, _, line in rows if line is not None}
    width = len(step) or min(found, default=0)
    if width < 2:
        return Reference.FILE
    new = [text for sign, text, _ in rows if sign == "+" and not text.lstrip(BLANKS).startswith("*")]
    depths = [len(indent_of(text)) for text in new if indent_of(text)]
    as_written = sum(depth % width == 0 or depth in found for depth in depths)
    items = {len(indent_of(line) + item_indent(line)) for _, _, line in rows if line is not None and is_item(line)}
    as_deeper = sum(((depth + 1) % width == 0 or depth + 1 in items) and depth not in found for depth in depths)
    if not as_deeper or as_deeper < as_written:
        return Reference.FILE
    # A line at the margin has lost nothing.
    return Reference.OLD if not as_written and len(depths) == len(new) else None


def _runs(rows: Sequence[Row], step: str) -> Iterator[_Run]:
    """All of a change. Behind a line that opens something, a line that is a step deeper is next to it, too.

    And so is one that is as deep as the text of an item of a list.
    """
    start, before = 0, list[tuple[str, str]]()
    while start <= len(rows):
        end = next((at for at in range(start, len(rows)) if rows[at][0] == " "), len(rows))
        behind = [(written, found) for _, written, found in rows[end : end + 1] if found is not None]
        added = [written for sign, written, _ in rows[start:end] if sign == "+"]
        is_item_next = any(map(is_item, added[:1]))
        inner = [
            (_deeper(line, more), _deeper(found, more))
            for line, found in before
            if (more := step if opens(found) else item_indent(found) * (not is_item_next))
        ]
        removed = [(written, found) for _, written, found in rows[start:end] if found is not None]
        if added:
            yield _Run(added, removed, [*before, *inner, *behind])
        start, before = end + 1, behind


def _by_others(rows: Sequence[Row]) -> set[Reference]:
    """What lines of the change show that are not next to the new ones: these may be indented as others are written.

    They are so, too, if they only have some blanks behind tabs with which others are written; and if one is at the
    margin and no old line is: then the change has lost what all of its lines have in common.
    """
    old = [(indent_of(written), indent_of(found)) for _, written, found in rows if found is not None]
    shifted = {written for written, found in old if written != found}
    added = {indent_of(text) for sign, text, _ in rows if sign == "+"}
    is_known = any(indent in shifted or indent.rstrip(" ") in shifted - {""} for indent in added)
    is_least = "" in added and all(written for written, _ in old)
    return {Reference.OLD} if is_known or is_least else set()


def _references(indents: Sequence[str], pairs: Sequence[tuple[str, str]]) -> set[Reference]:
    """What old lines, as they are written and as in the file, show of new ones that are as deep as one of these."""
    shown: set[Reference] = set()
    for written, found in ((indent_of(written), indent_of(found)) for written, found in pairs):
        if written != found:
            shown |= {Reference.OLD} if written in indents else set()
            shown |= {Reference.FILE} if found in indents else set()
    return shown


def _deeper(line: str, step: str) -> str:
    return indent_of(line) + step + line.lstrip(BLANKS)


def _fitting(rows: Sequence[Row], shifted: Sequence[str] | None, around: Around) -> set[Reference]:
    """As what new lines fit to each other and to the lines that stay, but for what would be so in both ways."""
    framed = _framed(rows, around)
    written = new_in(rows)
    moved = None if shifted is None else _misfits(framed, shifted, around)
    kept = dict(moved) if moved is not None and shifted == written else _misfits(framed, written, around)
    if parts_body(rows, written, around):
        kept["body", 0] = False  # such as `x = 1` at the margin, between `if a:` and the lines below it
    if moved is None:
        return set() if kept else {Reference.FILE}
    inner = {at for at, is_inner in kept.items() & moved.items() if is_inner}
    ways = ((Reference.FILE, kept), (Reference.OLD, moved))
    return {reference for reference, misfits in ways if misfits.keys() <= inner}


def _misfits(rows: Sequence[Row], new: Sequence[str], around: Around) -> dict[Misfit, bool]:
    """What does not fit with the new lines so indented, and whether it is so between new lines alone.

    A bracket does not fit if the line that closes it is not as deep as the line that opens it.
    """
    step = around.step
    # What takes the place of a line may be as deep as that.
    old = [(sign, line) for sign, line in in_file(rows, new) if sign != "+"]
    known = {(one, indent_of(other)) for (_, one), (sign, other) in pairwise(old) if sign == "-"}
    misfits: dict[Misfit, bool] = {("directive", 0): False} if any(map(is_indented_directive, new)) else {}
    heads = list[str]()  # each deeper than the one before, and the last line among them, if that is no item of a list
    for at, ((one, is_new), (other, is_next)) in enumerate(pairs_after(rows, new)):
        is_known = (one, indent_of(other)) in known
        # By more than a step, as the file has them.
        is_deeper = bool(step) and begins_body(one) and width_of(other) > width_of(indent_of(one) + step)
        if not is_item(one):
            while heads and len(indent_of(heads[-1])) >= len(indent_of(one)):
                heads.pop()
            heads.append(one)
        if not (is_new or is_next) or is_known:
            continue
        if is_deeper or not fits(one, other) or _is_behind_list(one, other, heads, around):
            misfits["pair", at] = is_new and is_next
    return misfits | dict.fromkeys(_closed_elsewhere(rows, new), True) if any(map(closes, new)) else misfits


def _is_behind_list(item: str, line: str, heads: Sequence[str], around: Around) -> bool:
    """Whether the line is as deep as the item of a list before it, and that is deeper than what it belongs to.

    Behind "steps:" / "  - a", a line is as deep as "steps:" or as "a", and not as "-".
    """
    indent = indent_of(item)
    if indent_of(line) != indent or not is_item(item) or is_item(line):
        return False
    head = next((one for one in reversed(heads) if len(indent_of(one)) <= len(indent)), None)
    head = around.head(indent) if head is None else head
    return head.endswith(":") and len(indent_of(head)) < len(indent)


def _closed_elsewhere(rows: Sequence[Row], new: Sequence[str]) -> Iterator[Misfit]:
    """The new lines that close a bracket, and are not as deep as the line that opens it."""
    opening = list[str]()
    for at, ((line, is_new), _) in enumerate(pairs_after([*rows, (" ", "", "end")], new)):
        closed, opened = unmatched(line)
        if closes(line) and is_new and closed <= len(opening) and opening[-closed] != indent_of(line):
            yield "bracket", at
        del opening[max(0, len(opening) - closed) :]
        opening += [indent_of(line)] * opened


def parts_body(rows: Sequence[Row], new: Sequence[str], around: Around) -> bool:
    """Whether a new line, so indented, is no deeper than the line before it, whose body goes on behind it."""
    for before, removed, added, behind in changed_runs(rows, new, around):
        outer = len(indent_of(before))
        is_body = len(indent_of(behind)) > outer and all(len(indent_of(line)) > outer for line in removed)
        if is_body and any(len(indent_of(line)) <= outer and not is_comment(line) for line in added):
            return True
    return False


def outside_of_block(rows: Sequence[Row], new: Sequence[str], around: Around) -> set[int]:
    """Which new lines, so indented, are in brackets that a later line closes, and are no deeper than that line.

    `b` is so in "f {" / "  a" / "b" / "}". Only the lines of the change, and the next one of the file, are looked at.
    Where other lines of the change are no deeper, either, it is the way of the file.
    """
    given, outside = iter(range(len(new))), set[int]()
    lines = [(next(given), None) if sign == "+" else (None, found) for sign, _, found in rows if sign != "-"]
    closing = list[str | None]()  # how deep the lines are that close what is open there
    for number, found in reversed([*lines, (None, around.behind)]):
        line = found if number is None else new[number]
        if line is None or is_blank(line):
            continue
        indent, (closed, opened) = indent_of(line), unmatched(line)
        del closing[max(0, len(closing) - opened) :]
        outer = closing[-1] if closing else None
        if outer is not None and len(indent) <= len(outer) and may_be_inside(line):
            if number is None:
                return set()
            outside.add(number)
        # A bracket that is closed behind other text says nothing of how deep that is.
        closing += [indent if closes(line) else None] * closed
    return outside
