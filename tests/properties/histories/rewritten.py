"""The same edits in other words: `*** Begin Patch` and SEARCH/REPLACE blocks, as they should be and as they come.

Both have no numbers, no way to say how a line ends, and none to say that the last one does not. So only edits count
that leave all this as it is.
"""

from __future__ import annotations

import html
import random
import re
import textwrap
from collections.abc import Callable, Sequence

from attrs import evolve

from tests.properties.histories import perturbed
from tests.properties.histories.perturbed import Garbler, Perturbation, all_lines, body_of, line_ends, one_line
from tests.properties.histories.repository import FileEdit
from tests.properties.histories.unified import Hunk, Line, Section, applied, lines_of, places
from tests.properties.histories.verdict import Case, Way

#: Which of several such lines is a marker is another question.
_MARKER = re.compile(r"\s*(={5,}|[<>]{5,}.*|[-+]{5,}.*)")
_FENCES = (("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"), ("------- SEARCH", "=======", "+++++++ REPLACE"))

Writer = Callable[[random.Random, Sequence[Hunk]], list[str]]


def is_expressible(edit: FileEdit, hunks: Sequence[Hunk]) -> bool:
    """All lines end alike, and none of those that change is without an end."""
    ends = line_ends(edit.before) | line_ends(edit.after)
    is_ended = all(line.text.endswith("\n") for hunk in hunks for line in hunk.lines if line.sign != " ")
    return len(ends) <= 1 and "\r" not in (edit.before + edit.after).replace("\r\n", "") and is_ended


def v4a(pick: random.Random, hunks: Sequence[Hunk]) -> list[str]:
    """A piece of text for every hunk."""
    pieces = []
    for hunk in hunks:
        lines = [f"{line.sign}{body_of(line.text)[0]}\n" for line in hunk.lines]
        pieces.append("".join([f"{hunk.header or '@@'}\n", *lines]))
    return ["*** Begin Patch\n*** Update File: f\n", *pieces, "*** End Patch\n"]


def blocks(pick: random.Random, hunks: Sequence[Hunk]) -> list[str]:
    start, middle, end = pick.choice(_FENCES)
    pieces = []
    for hunk in hunks:
        old, new = ([body_of(line)[0] + "\n" for line in lines] for lines in (hunk.old, hunk.new))
        pieces.append("".join([f"{start}\n", *old, f"{middle}\n", *new, f"{end}\n"]))
    return ["", *pieces, ""]


_WRITERS: dict[Way, Writer] = {Way.V4A: v4a, Way.BLOCKS: blocks}


def written(pick: random.Random, way: Way, head: str, hunks: Sequence[Hunk]) -> str:
    """The whole text; `head` is what stands before the hunks of a unified diff."""
    if way is Way.UNIFIED:
        return Section(head, tuple(hunks)).written()
    return "".join(_WRITERS[way](pick, hunks))


def is_written(way: Way, edit: FileEdit, hunks: Sequence[Hunk]) -> bool:
    if way is Way.UNIFIED:
        return True
    has_markers = any(_MARKER.fullmatch(body_of(line.text)[0]) for hunk in hunks for line in hunk.lines)
    return is_expressible(edit, hunks) and not (way is Way.BLOCKS and has_markers)


def rewritten(
    way: Way,
    garble: Garbler,
    context: int = 3,
    second: Garbler | None = None,
    *,
    is_refusal_due: bool = False,
    is_literal: bool = False,
) -> Perturbation:
    """The hunks garbled, once or twice, in other words; `is_literal`: what REPLACE says may stand there as it is."""

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        hunks = edit.sections[context].hunks
        if not is_written(way, edit, hunks):
            return None
        once = garble(pick, hunks, edit.before)
        garbled = second(pick, once, edit.before) if second is not None and once is not None else once
        if once is None or garbled is None or (garble is not unchanged and hunks in (tuple(once), tuple(garbled))):
            return None
        if any(perturbed.stands_elsewhere(edit.before, *pair) for pair in zip(hunks, garbled, strict=True)):
            return None
        if any(becomes_new(*pair) for pair in zip(hunks, garbled, strict=True)):
            return None
        text = written(pick, way, "", garbled)
        told = perturbed.readings(edit.before, hunks, garbled) | perturbed.readings(edit.before, hunks, once)
        told |= perturbed.readings(edit.before, hunks, [ended(hunk, edit.before) for hunk in garbled])
        for said in (once, garbled) if is_literal else ():
            told |= perturbed.only(applied(edit.before, [replaced(*pair) for pair in zip(hunks, said, strict=True)]))
            told |= perturbed.only(applied(edit.before, [refilled(*pair) for pair in zip(hunks, said, strict=True)]))
        return Case(edit.before, text, edit.after, told, way, is_refusal_due)

    return perturb


def ended(hunk: Hunk, before: str) -> Hunk:
    """The hunk with an end for a last line that stays: these texts do not say that it has none in the file."""
    if not hunk.lines or hunk.lines[-1].sign != " " or hunk.lines[-1].text.endswith("\n"):
        return hunk
    last = hunk.lines[-1]
    end = "\r\n" if "\r\n" in before else "\n"
    return evolve(hunk, lines=(*hunk.lines[:-1], evolve(last, text=last.text + end)))


def becomes_new(true: Hunk, garbled: Hunk) -> bool:
    """Whether a new line is what an old one has become: then it is that one, for all that the text says."""
    added = {line.text for line in true.lines if line.sign == "+"} & set(garbled.new)
    if len(true.old) == len(garbled.old):
        become = {other for one, other in zip(true.old, garbled.old, strict=True) if one != other}
    else:
        become = set(garbled.old) - set(true.old)
    return not added.isdisjoint(become)


def replaced(true: Hunk, garbled: Hunk) -> Hunk:
    """The old lines of the one, the new lines of the other."""
    return evolve(true, lines=(*(Line("-", text) for text in true.old), *(Line("+", text) for text in garbled.new)))


def refilled(true: Hunk, garbled: Hunk) -> Hunk:
    """If a blank line was left out of both sides: that line next to those that stay, for all that the text says.

    Which lines stay is not what git has chosen, which knew of the blank line. Of the lines of both sides as many stay
    as can. Where only the line on one side of it stays, the new lines take the place of those that are gone on the
    other side, so that the blank line is between them and the line that stays. If new lines are between two that stay
    on both sides of it, or neither stays, the text does not say more than it says to the letter.
    """
    old, new = garbled.old, list(garbled.new)
    at = next((at for at, pair in enumerate(zip(true.lines, garbled.lines, strict=False)) if pair[0] != pair[1]), -1)
    blank = true.lines[at]
    count = sum(line.sign != "+" for line in true.lines[:at])
    if len(true.lines) != len(garbled.lines) + 1 or blank.sign != " " or not 0 < count < len(old):
        return true
    kept = staying(old, new)
    before, behind = kept.get(count - 1), kept.get(count)
    if before is not None and behind not in (None, before + 1):
        return true
    spot = behind if behind is not None else None if before is None else before + 1
    if spot is None:
        return replaced(true, garbled)
    new.insert(spot, blank.text)
    return evolve(true, lines=(*(Line("-", text) for text in true.old), *(Line("+", text) for text in new)))


def staying(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Which of the new lines each old one is, for as many of them as can be, in order."""
    sizes = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for one in range(len(old) - 1, -1, -1):
        for other in range(len(new) - 1, -1, -1):
            sizes[one][other] = (
                sizes[one + 1][other + 1] + 1
                if old[one] == new[other]
                else max(sizes[one + 1][other], sizes[one][other + 1])
            )
    kept: dict[int, int] = {}
    one = other = 0
    while one < len(old) and other < len(new):
        if old[one] == new[other]:
            kept[one] = other
            one, other = one + 1, other + 1
        elif sizes[one + 1][other] >= sizes[one][other + 1]:
            one += 1
        else:
            other += 1
    return kept


def cut(way: Way, context: int = 3) -> Perturbation:
    """Blocks that are whole are edits of their own; a patch has an end that is missing then."""

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        hunks = edit.sections[context].hunks
        if not is_written(way, edit, hunks):
            return None
        pieces = _WRITERS[way](pick, hunks)
        text = perturbed.cut_at(pick, "".join(pieces))
        whole = ["".join(pieces[: count + 2]).strip() for count in range(len(hunks))] if way is Way.BLOCKS else []
        told = frozenset(
            applied(edit.before, hunks[: count + 1]) or ""
            for count, prefix in enumerate(whole)
            if prefix == text.strip()
        )
        return Case(edit.before, text, edit.after, told, way)

    return perturb


def is_about_blanks(hunk: Hunk) -> bool:
    """Whether nothing but blank lines is new or gone."""
    old, new = ([line for line in lines if line.strip()] for lines in (hunk.old, hunk.new))
    return old == new


def already_applied(way: Way, context: int = 3) -> Perturbation:
    """The file is what the edit makes of it. Unless its old lines are there all the same, nothing is to be done.

    Of blank lines alone that are new or gone, a block may say what is so already.
    """

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        section = edit.sections[context]
        # Blank lines apart, and how lines end, they may be those of another place.
        lines, *olds = (
            [body_of(line)[0] for line in one if line.strip()]
            for one in (lines_of(edit.after), *(hunk.old for hunk in section.hunks))
        )
        if all(places(lines, old) for old in olds) or not all(olds) or any(map(is_about_blanks, section.hunks)):
            return None
        if not is_written(way, edit, section.hunks):
            return None
        return Case(edit.after, written(pick, way, section.head, section.hunks), edit.after, way=way)

    return perturb


def unchanged(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk]:
    return list(hunks)


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def enclosing(lines: Sequence[str], at: int) -> tuple[int, int] | None:
    """The lines of the method and of the class that the line before `at` is in."""
    least = 1000
    for method in range(at - 1, -1, -1):
        if not lines[method].strip() or indentation(lines[method]) >= least:
            continue
        least = indentation(lines[method])
        if re.match(r"\s+def ", lines[method]):
            break
        if not least:
            return None
    else:
        return None
    for owner in range(method - 1, -1, -1):
        if lines[owner].strip() and not indentation(lines[owner]):
            return (method, owner) if lines[owner].startswith("class ") else None
    return None


def classes(lines: Sequence[str]) -> list[range]:
    """Each from its first line to the next one that is not indented."""
    starts = [at for at, line in enumerate(lines) if line.strip() and not indentation(line)]
    return [
        range(start, end)
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
        if lines[start].startswith("class ")
    ]


def anchored(*, is_true: bool) -> Garbler:
    """Every hunk that begins within a method names it, and a class: its own, or another without such a method."""

    def garble(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
        lines, found = [body_of(line)[0] for line in lines_of(before)], []
        for hunk in hunks:
            names = enclosing(lines, hunk.at)
            if names is None:
                found.append(hunk)
                continue
            method, owner = (lines[at] for at in names)
            if not is_true:
                others = [
                    lines[span.start]
                    for span in classes(lines)
                    if lines[span.start] != owner and method.strip() not in [lines[at].strip() for at in span]
                ]
                # A class that has another part elsewhere in the file may have the method there.
                others = [other for other in others if lines.count(other) == 1]
                if not others:
                    found.append(hunk)
                    continue
                owner = pick.choice(others)
            found.append(evolve(hunk, header=f"@@ {owner}\n@@ {method}"))
        return found

    return garble


def dedented(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """A hunk begins at the left margin, and its lines are still indented as to each other."""

    def of(hunk: Hunk) -> Hunk:
        bodies = textwrap.dedent("\n".join(body_of(line.text)[0] for line in hunk.lines)).split("\n")
        pairs = zip(hunk.lines, bodies, strict=True)
        return evolve(
            hunk,
            lines=tuple(
                Line(line.sign, body + body_of(line.text)[1] if body.strip() else line.text) for line, body in pairs
            ),
        )

    made = [of(hunk) if hunk.lines else hunk for hunk in hunks]
    # Of new lines that are deeper for no reason, nothing tells as to which lines they are.
    is_odd = any(one != hunk and not perturbed.is_structured(hunk) for one, hunk in zip(made, hunks, strict=True))
    return None if is_odd or perturbed.has_odd_blanks(hunks) else made


def placeholder(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """REPLACE has a remark where SEARCH has lines that stay."""
    spots = [
        (number, at)
        for number, hunk in enumerate(hunks)
        for at in range(len(hunk.lines) - 1)
        if hunk.lines[at].sign == hunk.lines[at + 1].sign == " "
    ]
    if not spots:
        return None
    number, at = pick.choice(spots)
    hunk = hunks[number]
    remark = pick.choice(["# ... existing code ...", "// rest of file unchanged", "// ... rest of the code ..."])
    kept = [Line("-", line.text) for line in hunk.lines[at : at + 2]]
    end = body_of(hunk.lines[at].text)[1]
    garbled = evolve(hunk, lines=(*hunk.lines[:at], *kept, Line("+", remark + end), *hunk.lines[at + 2 :]))
    return [*hunks[:number], garbled, *hunks[number + 1 :]]


_BOTH: dict[str, Garbler] = {
    "as written": unchanged,
    "other quotes": perturbed.other_quotes,
    "other quotes throughout": perturbed.quotes_throughout,
    "blanks at ends stripped": all_lines(perturbed.unended, " -"),
    "HTML escapes": all_lines(html.escape),
    "indentation stripped": perturbed.without_indentation,
    "dedented": dedented,
    "blanks for tabs": perturbed.with_blanks,
    "kept line with a typo": one_line(" ", perturbed.typo),
    "kept line with another word": one_line(" ", perturbed.other_word),
    "kept line doubled": one_line(" ", perturbed.doubled),
    "kept line missing": one_line(" ", perturbed.missing),
    "elided": perturbed.elided,
    "removed line with a typo": one_line("-", perturbed.typo),
}

#: A patch says of its context that it stays as it is; a block says what stands there afterwards.
_BLANK: dict[str, Garbler] = {
    "kept blank line doubled": one_line(" ", perturbed.doubled_blank),
    "kept blank line missing": one_line(" ", perturbed.missing_blank),
}

REWRITTEN: dict[str, Perturbation] = {
    **{
        f"{way}: {name}": rewritten(way, garble, is_literal=way is Way.BLOCKS)
        for way in (Way.V4A, Way.BLOCKS)
        for name, garble in _BLANK.items()
    },
    **{f"{way}: {name}": rewritten(way, garble) for way in (Way.V4A, Way.BLOCKS) for name, garble in _BOTH.items()},
    **{f"{way}: as written, U1": rewritten(way, unchanged, 1) for way in (Way.V4A, Way.BLOCKS)},
    **{
        f"{way}: removed line with another word": rewritten(
            way, one_line("-", perturbed.other_word), is_refusal_due=True
        )
        for way in (Way.V4A, Way.BLOCKS)
    },
    **{f"{way}: cut": cut(way) for way in (Way.V4A, Way.BLOCKS)},
    "v4a: two faults": rewritten(Way.V4A, perturbed.FIRST, 3, perturbed.SECOND),
    "already applied": already_applied(Way.UNIFIED),
    "blocks: already applied": already_applied(Way.BLOCKS),
    "v4a: blank context emptied": rewritten(Way.V4A, perturbed.emptied),
    "v4a: context without its sign": rewritten(Way.V4A, perturbed.unsigned),
    "v4a: stacked anchors": rewritten(Way.V4A, anchored(is_true=True), 1),
    "v4a: stacked anchors that contradict": rewritten(Way.V4A, anchored(is_true=False), 1, is_refusal_due=True),
    "blocks: tabs for blanks": rewritten(Way.BLOCKS, perturbed.with_tabs),
    "blocks: placeholder": rewritten(Way.BLOCKS, placeholder, is_refusal_due=True),
}
