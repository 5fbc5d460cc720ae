"""A diff of git as a model may have written it: one thing at a time is not as it was.

What a perturbed text *says* is not always lost: with another number a hunk without context belongs elsewhere, and no
one could know better. Such a reading, to the letter, is allowed next to what was meant (`Case.told`). But it has to be
one of the text alone: numbers are believed if the hunks stand where they say, or are off by as much as those before.

A perturbation gives None where it changes nothing, and where the perturbed old lines stand in the file after all, but
elsewhere: then the text is about that place. Where lines are garbled, new lines end as those do whose place they take,
so edits that change how lines end do not count.
"""

from __future__ import annotations

import html
import itertools
import random
import re
from collections.abc import Callable, Sequence

from attrs import evolve

from tests.properties.histories.repository import FileEdit
from tests.properties.histories.unified import (
    NO_NEWLINE,
    Hunk,
    Line,
    Section,
    applied,
    carried,
    lines_of,
    places,
    read_to_the_letter,
)
from tests.properties.histories.verdict import Case

Perturbation = Callable[[random.Random, FileEdit], "Case | None"]
#: Hunks as they are to be written; None if there is nothing to change.
Garbler = Callable[[random.Random, Sequence[Hunk], str], "list[Hunk] | None"]

UNSEEN = "zebra"


def body_of(line: str) -> tuple[str, str]:
    """A line and its end."""
    body = line.rstrip("\r\n")
    return body, line[len(body) :]


def only(reading: str | None) -> frozenset[str]:
    return frozenset() if reading is None else frozenset([reading])


def line_ends(text: str) -> set[str]:
    return {body_of(line)[1] for line in lines_of(text)} - {""}


def stands_elsewhere(before: str, true: Hunk, garbled: Hunk) -> bool:
    """Whether the old lines stand in another place, or do so but for blank lines and blanks, and not in their own."""
    if true.old == garbled.old:
        return False
    if not garbled.old:
        return True  # they belong to the end of the file
    lines = lines_of(before)
    if found := places(lines, garbled.old):
        return not any(at in span(true) for at in found)
    filled = [number for number, line in enumerate(lines) if line.strip()]
    wanted = [line.strip() for line in garbled.old if line.strip()]
    starts = places([lines[number].strip() for number in filled], wanted)
    return bool(starts) and not any(
        true.at <= filled[at] and filled[at + len(wanted) - 1] < true.at + len(true.old) for at in starts
    )


def readings(before: str, true: Sequence[Hunk], garbled: Sequence[Hunk]) -> frozenset[str]:
    """Every hunk as it was meant, or to the letter if it stands there like that, or only further to the left.

    So does one without any old lines.
    """
    lines = lines_of(before)
    pairs = [
        {
            one,
            moved_right(one, other),
            *([unchanging(one)] if other.old == other.new else []),
            *([other] if not one.old or not other.old else []),  # there is nothing to compare the new lines with
            *(evolve(other, old_start=at + 1) for at in places(lines, other.old) if at in span(one)),
        }
        for one, other in zip(true, garbled, strict=True)
    ]
    results = (applied(before, hunks) for hunks in itertools.islice(itertools.product(*pairs), 256))
    return frozenset(result for result in results if result is not None)


def unchanging(hunk: Hunk) -> Hunk:
    """The same lines, none of which is changed."""
    return evolve(hunk, lines=tuple(Line(" ", text) for text in hunk.old))


def span(hunk: Hunk) -> range:
    return range(hunk.at, hunk.at + len(hunk.old) + 1)


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def moved_right(true: Hunk, garbled: Hunk) -> Hunk:
    """If all old lines have lost the same indentation, all new ones have lost it, too, for all that the text says."""
    lost = {indent_of(one) for one, other in zip(true.old, garbled.old, strict=False) if one.strip(" \t\r\n")}
    if len(lost) != 1 or any(indent_of(line) for line in garbled.old if line.strip(" \t\r\n")):
        return true
    [indent] = lost
    right = mapped(garbled, lambda body: indent + body if body.strip(" \t") else body)
    return right if right.old == true.old else true


def mapped(hunk: Hunk, change: Callable[[str], str], signs: str = " -+") -> Hunk:
    """The hunk with the bodies of its lines changed; their ends stay."""

    def of(line: Line) -> Line:
        body, end = body_of(line.text)
        return Line(line.sign, change(body) + end) if line.sign in signs else line

    return evolve(hunk, lines=tuple(of(line) for line in hunk.lines))


def with_line(hunk: Hunk, at: int, *lines: Line) -> Hunk:
    return evolve(hunk, lines=(*hunk.lines[:at], *lines, *hunk.lines[at + 1 :]))


# What happens to the lines.


def one_line(sign: str, change: Callable[[random.Random, Line, str], Sequence[Line] | None]) -> Garbler:
    """Something happens to one line with that sign, in one hunk."""

    def garble(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
        spots = [
            (number, at) for number, hunk in enumerate(hunks) for at, line in enumerate(hunk.lines) if line.sign == sign
        ]
        pick.shuffle(spots)
        for number, at in spots[:5]:
            lines = change(pick, hunks[number].lines[at], before)
            if lines is not None:
                return [*hunks[:number], with_line(hunks[number], at, *lines), *hunks[number + 1 :]]
        return None

    return garble


def all_lines(change: Callable[[str], str], signs: str = " -+") -> Garbler:
    """The same happens to every line."""

    def garble(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
        return [mapped(hunk, change, signs) for hunk in hunks]

    return garble


def typo(pick: random.Random, line: Line, before: str) -> list[Line] | None:
    words = list(re.finditer(r"[A-Za-z]{4,}", line.text))
    if not words:
        return None
    at = pick.choice(words).start() + pick.randint(1, 2)
    left, one, two, right = line.text[:at], line.text[at], line.text[at + 1], line.text[at + 2 :]
    return [Line(line.sign, left + pick.choice([two + one, one, one + one + two]) + right)]


def other_word(pick: random.Random, line: Line, before: str) -> list[Line] | None:
    words = list(re.finditer(r"[A-Za-z_]{3,}", line.text))
    if not words or UNSEEN in before:
        return None
    word = pick.choice(words)
    return [Line(line.sign, line.text[: word.start()] + UNSEEN + line.text[word.end() :])]


def doubled(pick: random.Random, line: Line, before: str) -> list[Line] | None:
    return [line, line] if line.text.strip() and line.text.endswith("\n") else None


def missing(pick: random.Random, line: Line, before: str) -> list[Line] | None:
    return [] if line.text.strip() else None


def doubled_blank(pick: random.Random, line: Line, before: str) -> list[Line] | None:
    return [line, line] if not line.text.strip() and line.text.endswith("\n") else None


def missing_blank(pick: random.Random, line: Line, before: str) -> list[Line] | None:
    return None if line.text.strip() else []


def other_sign(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """A line has another sign, and there are still changes.

    A blank line of context may be in the file or not, and one that is like its neighbour may be there once.
    """
    number = pick.randrange(len(hunks))
    hunk = hunks[number]
    at = pick.randrange(len(hunk.lines))
    line = hunk.lines[at]
    garbled = with_line(hunk, at, evolve(line, sign=pick.choice([sign for sign in " -+" if sign != line.sign])))
    around = (*hunk.lines[max(0, at - 1) : at], *hunk.lines[at + 1 : at + 2])
    twins = [one.text.strip() == line.text.strip() for one in around]
    if (
        line.text.isspace()
        or any(twins)
        or not line.text.endswith("\n")
        or all(one.sign == " " for one in garbled.lines)
    ):
        return None
    return [*hunks[:number], garbled, *hunks[number + 1 :]]


def one_of(*garblers: Garbler) -> Garbler:
    def garble(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
        return pick.choice(garblers)(pick, hunks, before)

    return garble


def unended(body: str) -> str:
    return body.rstrip(" \t")


def typographic(body: str) -> str:
    """Straight quotes become curved; those that are curved become straight."""
    if re.search("[“”’]", body):
        return re.sub("[“”]", '"', body).replace("’", "'")
    return re.sub('"([^"]*)"', "“\\1”", body).replace("'", "’")


def other_quotes(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """Those of old lines alone. If new lines have curved ones, too, nobody can tell that these are meant."""
    garbled = [mapped(hunk, typographic, " -") for hunk in hunks]
    is_shown = any(
        one != typographic(one) and has_curved_quotes(typographic(one)) for hunk in hunks for one in hunk.old
    )
    is_new = any(line.sign == "+" and has_curved_quotes(line.text) for hunk in hunks for line in hunk.lines)
    return None if is_shown and is_new else garbled


def quotes_throughout(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """All lines, as by a program between the model and the file; not if the file has such quotes anyway."""
    lines = [line for hunk in hunks for line in hunk.lines]
    if has_curved_quotes(before) or any(has_curved_quotes(line.text) for line in lines):
        return None
    is_shown = any(typographic(line.text) != line.text for line in lines if line.sign != "+")
    return [mapped(hunk, typographic) for hunk in hunks] if is_shown else None


def has_curved_quotes(text: str) -> bool:
    return re.search("[“”’]", text) is not None


def without_indentation(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """Nothing is left of an edit that changes the indentation of a line, or has one that nothing but it could tell."""
    if any(is_reindented(hunk) or not is_structured(hunk) for hunk in hunks):
        return None
    if has_odd_blanks(hunks):
        return None
    return [mapped(hunk, lambda body: body.lstrip(" \t")) for hunk in hunks]


def is_reindented(hunk: Hunk) -> bool:
    """A new line has another indentation than the old lines that it is equal to, or than those that it stands for.

    If there are as many of them as before, each is equal to one; blank lines aside, which have no indentation.
    """
    old, new = (indents_of(lines) for lines in (hunk.old, hunk.new))
    for body in old.keys() & new.keys():
        if not set(new[body]) <= set(old[body]) or (len(new[body]) == len(old[body]) and new[body] != old[body]):
            return True
    groups = [
        "".join(group) for _, group in itertools.groupby((line.sign for line in hunk.lines), lambda sign: sign == " ")
    ]
    at = 0
    for group in groups:
        lines = hunk.lines[at : at + len(group)]
        at += len(group)
        removed, added = ([line.text for line in lines if line.sign == sign and line.text.strip()] for sign in "-+")
        if len(removed) == len(added) and any(
            indent_of(a) != indent_of(b) for a, b in zip(removed, added, strict=True)
        ):
            return True
        if removed and added and {*map(indent_of, removed)}.isdisjoint(map(indent_of, added)):
            return True
    return False


def has_odd_blanks(hunks: Sequence[Hunk]) -> bool:
    """Whether a new line is blank, and not empty: nothing tells how deep it is."""
    return any(
        line.sign == "+" and line.text.isspace() and body_of(line.text)[0] for hunk in hunks for line in hunk.lines
    )


def indents_of(lines: Sequence[str]) -> dict[str, list[str]]:
    """By what a line says, blank ones aside: with which indentation it does, each time."""
    indents: dict[str, list[str]] = {}
    for line in lines:
        if line.strip():
            indents.setdefault(line.strip(), []).append(indent_of(line))
    return indents


def is_structured(hunk: Hunk) -> bool:
    """Whether lines next to added ones are deeper where a block or a bracket opens before them, and nowhere else.

    Before the first line of a file nothing does; and where a block ends, the next line is as deep as one before it.
    """
    new = [line for line in hunk.lines if line.sign != "-" and line.text.strip()]
    if new and hunk.at == 0 and new[0].sign == "+" and indent_of(new[0].text):
        return False
    outer: list[str] = []
    for indent in (indent_of(line.text) for line in new):
        deeper = [one for one in outer if len(one) > len(indent)]
        outer = [one for one in outer if len(one) <= len(indent)]
        if deeper and outer and outer[-1] != indent:
            return False
        outer += [] if outer and outer[-1] == indent else [indent]
    return all(follows(one.text, other.text) for one, other in itertools.pairwise(new) if "+" in (one.sign, other.sign))


def follows(line: str, following: str) -> bool:
    outer, inner = indent_of(line), indent_of(following)
    if re.search(r"[:({\[]\s*(?:(?:#|//|/\*).*)?$", line):
        return inner.startswith(outer) and (inner != outer or following.strip()[0] in ")]}")
    return outer.startswith(inner)


def with_blanks(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """Where all indentation is tabs, there are four blanks for each."""
    if has_odd_blanks(hunks):
        return None
    indents = {indent_of(line) for hunk in hunks for line in (*hunk.old, *hunk.new)}
    if any(" " in indent for indent in indents) or not any(indents):
        return None
    return [mapped(hunk, lambda body: "    " * len(indent_of(body)) + body.lstrip(" \t")) for hunk in hunks]


def with_tabs(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """Where all indentation is so many blanks, there is a tab for each step."""
    if has_odd_blanks(hunks):
        return None
    lines = [line for hunk in hunks for line in (*hunk.old, *hunk.new) if line.strip()]
    sizes = [len(indent_of(line)) for line in lines]
    step = next((step for step in (4, 2) if not any(size % step for size in sizes)), 0)
    if not step or not any(sizes) or any("\t" in indent_of(line) for line in lines):
        return None
    return [mapped(hunk, lambda body: "\t" * (len(indent_of(body)) // step) + body.lstrip(" ")) for hunk in hunks]


def ends_in_blanks(hunk: Hunk) -> bool:
    """Whether all old lines are blank, and behind all new ones: without signs there are none, for all anyone sees."""
    signs = "".join(line.sign for line in hunk.lines)
    return re.fullmatch(r"\++ +", signs) is not None and not "".join(hunk.old).strip()


def emptied(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """A blank line of context has lost even the blank that is its sign."""
    if any(map(ends_in_blanks, hunks)):
        return None

    def of(line: Line) -> Line:
        return Line("", line.text) if line.sign == " " and not line.text.strip() else line

    return [evolve(hunk, lines=tuple(of(line) for line in hunk.lines)) for hunk in hunks]


def unsigned(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """All lines of context have lost it; where one then has another sign it is not lost but wrong."""
    if any(line.sign == " " and re.match(r"[-+@\\*]|diff |index ", line.text) for hunk in hunks for line in hunk.lines):
        return None
    if any(map(ends_in_blanks, hunks)):
        return None
    return [
        evolve(hunk, lines=tuple(Line("", line.text) if line.sign == " " else line for line in hunk.lines))
        for hunk in hunks
    ]


def elided(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """Lines of context between others have become `...`, where no line is that: no one could tell which is which."""
    if any(line.text.strip() in ("...", "…") for hunk in hunks for line in hunk.lines):
        return None
    spots = [
        (number, at)
        for number, hunk in enumerate(hunks)
        for at in range(1, len(hunk.lines) - 2)
        if hunk.lines[at].sign == hunk.lines[at + 1].sign == " "
    ]
    if not spots:
        return None
    number, at = pick.choice(spots)
    hunk = hunks[number]
    until = at + 2
    while until < len(hunk.lines) - 1 and hunk.lines[until].sign == " " and pick.random() < 0.7:
        until += 1
    dots = Line(" ", "..." + body_of(hunk.lines[at].text)[1])
    garbled = evolve(hunk, lines=(*hunk.lines[:at], dots, *hunk.lines[until:]))
    return [*hunks[:number], garbled, *hunks[number + 1 :]]


def unix_ends(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk] | None:
    """A file whose lines end with CR LF, and a patch whose lines do not."""
    texts = [line.text for hunk in hunks for line in hunk.lines]
    if not before.count("\n") == before.count("\r\n") == before.count("\r") > 0:
        return None
    if any(text.endswith("\n") and not text.endswith("\r\n") for text in texts):
        return None
    return [
        evolve(hunk, lines=tuple(Line(line.sign, line.text.replace("\r\n", "\n")) for line in hunk.lines))
        for hunk in hunks
    ]


# What happens to the numbers.


def renumbered(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk]:
    """Each has another number; they still grow."""
    numbers = sorted(pick.randint(1, before.count("\n") + 9) for _ in hunks)
    return [evolve(hunk, old_start=number, new_start=number) for hunk, number in zip(hunks, numbers, strict=True)]


def shifted(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk]:
    """All numbers are wrong by the same."""
    shift = pick.choice([-9, -4, -3, -2, -1, 1, 2, 3, 4, 9])
    return [
        evolve(hunk, old_start=max(hunk.old_start + shift, 0), new_start=max(hunk.new_start + shift, 0))
        for hunk in hunks
    ]


def bare(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk]:
    header = pick.choice(["@@", "@@ @@", "@@ ... @@"])
    return [evolve(hunk, header=header, section="") for hunk in hunks]


def miscounted(pick: random.Random, hunks: Sequence[Hunk], before: str) -> list[Hunk]:
    def header(hunk: Hunk) -> str:
        old, new = (max(len(lines) + pick.choice([-2, -1, 0, 1, 2, 3]), 0) for lines in (hunk.old, hunk.new))
        return f"@@ -{hunk.old_start},{old} +{hunk.new_start},{new} @@"

    return [evolve(hunk, header=header(hunk)) for hunk in hunks]


def perturbation(
    garble: Garbler, context: int, second: Garbler | None = None, *, is_refusal_due: bool = False
) -> Perturbation:
    """The lines or headers of the hunks are garbled; the numbers stay, and sometimes the counts as well.

    `second`: and then once more; if that is seen for what it is, the text says what it said before that.
    """

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        section = edit.sections[context]
        if line_ends(edit.before) != line_ends(edit.after):
            return None
        once = garble(pick, section.hunks, edit.before)
        garbled = second(pick, once, edit.before) if second is not None and once is not None else once
        if once is None or garbled is None or section.hunks in (tuple(once), tuple(garbled)):
            return None
        if any(stands_elsewhere(edit.before, *pair) for pair in zip(section.hunks, garbled, strict=True)):
            return None
        if pick.random() < 0.3:
            garbled = [miscounting(true, hunk) for true, hunk in zip(section.hunks, garbled, strict=True)]
        text = Section(section.head, tuple(garbled)).written()
        told = readings(edit.before, section.hunks, garbled) | readings(edit.before, section.hunks, once)
        # another number, and lines that are just there, or as far off as those of the hunk before
        told |= only(read_to_the_letter(edit.before, text)) | only(carried(edit.before, garbled))
        told |= only(carried(edit.before, list(map(numbered_as, section.hunks, garbled))))
        return Case(edit.before, text, edit.after, told, is_refusal_due=is_refusal_due)

    return perturb


def numbered_as(true: Hunk, garbled: Hunk) -> Hunk:
    """What was meant, at the number that it has now: the other fault is seen for what it is."""
    return evolve(true, old_start=garbled.old_start, new_start=garbled.new_start)


def miscounting(true: Hunk, garbled: Hunk) -> Hunk:
    """Lines were lost or doubled, and the header still counts those that were there."""
    header = f"@@ -{true.old_start},{len(true.old)} +{true.new_start},{len(true.new)} @@"
    return garbled if garbled.header or len(true.lines) == len(garbled.lines) else evolve(garbled, header=header)


def with_other_numbers(number: Garbler, context: int) -> Perturbation:
    """Numbers to the letter, or what was meant; nothing between them."""

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        section = edit.sections[context]
        garbled = number(pick, section.hunks, edit.before) or []
        text = Section(section.head, tuple(garbled)).written()
        told = only(read_to_the_letter(edit.before, text)) | only(carried(edit.before, garbled))
        told |= only(alike(edit.before, section.hunks, garbled))
        if not edit.before.endswith("\n"):  # perhaps nothing was said of that
            ended = edit.before + "\n"
            readings = only(read_to_the_letter(ended, text)) | only(carried(ended, garbled))
            told |= {reading.removesuffix("\n") for reading in readings}
        return None if text == section.written() else Case(edit.before, text, edit.after, told)

    return perturb


def alike(before: str, true: Sequence[Hunk], garbled: Sequence[Hunk]) -> str | None:
    """If all hunks that have old lines are off by the same, those that have none are, too, for all that anyone sees."""
    offsets = {one.old_start - other.old_start for one, other in zip(true, garbled, strict=False) if one.old}
    if len(offsets) != 1 or any(hunk.header for hunk in garbled):
        return None
    [offset] = offsets
    return applied(before, [evolve(hunk, old_start=hunk.old_start + offset) for hunk in garbled])


def changes_of(hunk: Hunk) -> Hunk:
    """The hunk without the context around its changes, which may be that of others, too."""
    changed = [at for at, line in enumerate(hunk.lines) if line.sign != " "]
    lines = hunk.lines[changed[0] : changed[-1] + 1]
    behind = hunk.at + changed[0]
    return evolve(hunk, lines=lines, old_start=behind + any(line.sign != "+" for line in lines))


def under_headings(context: int) -> Perturbation:
    """`@@ def f():` without numbers: the first such lines behind that line, if it is the only one of its kind."""

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        section = edit.sections[context]
        lines = lines_of(edit.before)
        first = []
        for hunk in section.hunks:
            headings = [
                at for at, line in enumerate(lines) if hunk.section and line.rstrip() == hunk.section[1:].rstrip()
            ]
            behind = [at for at in places(lines, hunk.old) if headings and at > headings[0]]
            if not all(line.text.endswith("\n") for line in hunk.lines):  # it says that it is at the end of the file
                behind = [at for at in behind if at + len(hunk.old) == len(lines)]
            if len(headings) != 1 or not behind:
                return None
            first.append(changes_of(evolve(hunk, old_start=behind[0] + 1)))
        text = Section(section.head, tuple(evolve(hunk, header="@@") for hunk in section.hunks)).written()
        return Case(edit.before, text, edit.after, only(applied(edit.before, first)))

    return perturb


def as_git_writes_it(context: int) -> Perturbation:
    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        return Case(edit.before, edit.sections[context].written(), edit.after)

    return perturb


def grown(context: int) -> Perturbation:
    """The file has got lines before one of the hunks that the model does not know of."""

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        section = edit.sections[context]
        if not all(hunk.old for hunk in section.hunks):
            return None
        number = pick.randrange(len(section.hunks))
        previous = section.hunks[number - 1] if number else None
        first = previous.at + len(previous.old) if previous is not None else 0
        at = pick.randint(first, section.hunks[number].at)
        end = "\r\n" if "\r\n" in edit.before else "\n"
        more = [f"{UNSEEN} {count}{end}" for count in range(pick.randint(1, 6))]
        lines = lines_of(edit.before)
        before = "".join([*lines[:at], *more, *lines[at:]])
        moved = [evolve(hunk, old_start=hunk.old_start + len(more)) for hunk in section.hunks[number:]]
        after = applied(before, [*section.hunks[:number], *moved])
        told = carried(before, section.hunks)
        return None if after is None else Case(before, section.written(), after, only(told))

    return perturb


def cut_at(pick: random.Random, text: str) -> str:
    """Anywhere, but most of all where it matters: near the end of a line or of the text."""
    at = pick.choice(
        [
            pick.randrange(1, len(text)),
            max(1, len(text) - pick.randint(1, 40)),
            text.find("\n", pick.randrange(len(text))),
        ]
    )
    return text[: max(1, min(at + pick.choice([-1, 0, 0, 1, 2]), len(text) - 1))]


def read_cut(before: str, text: str) -> str | None:
    """To the letter; if the last line is an old one, it may lack its line break: the file has the whole line.

    So has it if the line lacks a form feed, too: a blank line may stand for that.
    """
    last = lines_of(text)[-1]
    ends = ("\n", "\r\n") if last.startswith((" ", "-")) and not last.endswith("\n") else ("",)
    if last == " ":
        ends = (*ends, "\f\n", "\f\r\n")
    if last.startswith("\\ No newline"):
        ends = (NO_NEWLINE[len(last) :],)  # it says all that it has to say
    readings = (read_to_the_letter(before, text + end) for end in ends)
    return next((reading for reading in readings if reading is not None), None)


def cut(context: int) -> Perturbation:
    """What is left may be a patch with fewer hunks, and may lack only a line break, if the last line is an old one.

    Or only the mode is left: that changes no line.
    """

    def perturb(pick: random.Random, edit: FileEdit) -> Case | None:
        text = cut_at(pick, edit.sections[context].written())
        is_mode = re.fullmatch(r"diff --git .*\nold mode \d{6}\nnew mode \d{6}\n", text) is not None
        return Case(edit.before, text, edit.after, only(edit.before if is_mode else read_cut(edit.before, text)))

    return perturb


#: What is perhaps no fault, for all that the text says; and what is one, and happens to the same hunks as well.
FIRST = one_of(*(one_line(" ", fault) for fault in (typo, missing, missing_blank)))
SECOND = one_of(*(one_line(" ", fault) for fault in (typo, other_word, doubled)))

UNIFIED: dict[str, Perturbation] = {
    **{f"as git writes it, U{context}": as_git_writes_it(context) for context in (0, 1, 3)},
    **{f"other numbers, U{context}": with_other_numbers(renumbered, context) for context in (0, 1, 3)},
    **{f"numbers shifted, U{context}": with_other_numbers(shifted, context) for context in (0, 1, 3)},
    **{f"file has grown, U{context}": grown(context) for context in (1, 3)},
    **{f"bare @@, U{context}": with_other_numbers(bare, context) for context in (0, 1, 3)},
    **{f"bare @@ with a heading, U{context}": under_headings(context) for context in (1, 3)},
    **{f"wrong counts, U{context}": with_other_numbers(miscounted, context) for context in (0, 1, 3)},
    **{f"cut, U{context}": cut(context) for context in (0, 1, 3)},
    "blank context emptied": perturbation(emptied, 3),
    "context without its sign": perturbation(unsigned, 3),
    "blanks at ends stripped": perturbation(all_lines(unended, " -"), 3),
    "other quotes": perturbation(other_quotes, 3),
    "other quotes throughout": perturbation(quotes_throughout, 3),
    "HTML escapes": perturbation(all_lines(html.escape), 3),
    "indentation stripped": perturbation(without_indentation, 3),
    "blanks for tabs": perturbation(with_blanks, 3),
    "tabs for blanks": perturbation(with_tabs, 3),
    "LF for CR LF": perturbation(unix_ends, 3),
    "context with a typo": perturbation(one_line(" ", typo), 3),
    "context with another word": perturbation(one_line(" ", other_word), 3),
    "context line doubled": perturbation(one_line(" ", doubled), 3),
    "context line missing": perturbation(one_line(" ", missing), 3),
    "blank context line doubled": perturbation(one_line(" ", doubled_blank), 3),
    "blank context line missing": perturbation(one_line(" ", missing_blank), 3),
    "context elided": perturbation(elided, 3),
    "two faults": perturbation(FIRST, 3, one_of(SECOND, one_line(" ", doubled_blank), renumbered)),
    "other sign": perturbation(other_sign, 3),
    "removed line with a typo": perturbation(one_line("-", typo), 3),
    "removed line with another word": perturbation(one_line("-", other_word), 3, is_refusal_due=True),
}
