"""Two things at a time go wrong with the diff of a commit, and which trees may come of it then.

What was meant is always allowed. So is what the text says to the letter where it says something else: new lines as
they are written now, hunks at the numbers they have now (all of them, or off by as much as those before), a patch that
is cut off between two of its parts. Everything else has to be refused. Mixtures are wrong: half of the new lines of a
hunk as they were, and half as they are written.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from attrs import evolve, frozen

from tests.properties.histories.unified import NO_NEWLINE, Hunk, Line, Section, lines_of, read_section, split_sections
from tests.properties.tree_histories.generated import REGULAR, Commit, File, Tree

Garble = Callable[[random.Random, Sequence[Hunk], int], Sequence[Hunk]]
#: What a line of the file looks like in the garbled text, and what a garbled line looks like in it: the same.
Norm = Callable[[str], str]


@frozen
class Part:
    """The section of one file, and the file before and behind it; the paths differ if it is moved or copied."""

    old_path: str
    new_path: str
    section: Section


@frozen
class Reading:
    """A file in pieces, each of which is one of several texts."""

    pieces: tuple[frozenset[str], ...]
    mode: int
    #: With which ends, if those of the pieces do not count.
    ends: frozenset[str] | None = None

    def gives(self, file: File | None) -> bool:
        if file is None or file.mode != self.mode:
            return False
        if self.ends is not None and not {*re.findall(r"\r?\n", file.text)} <= self.ends:
            return False
        text = self._seen(file.text)
        ends = {0}
        for piece in self.pieces:
            choices = {self._seen(one) for one in piece}
            ends = {end + len(one) for end in ends for one in choices if text.startswith(one, end)}
        return len(text) in ends

    def _seen(self, text: str) -> str:
        return re.sub(r"\r+\n", "\n", text) if self.ends is not None else text


#: What may be at a path in the end: this file, none, or one of these readings.
Allowed = Mapping[str, Sequence["File | Reading | None"]]


@frozen
class Case:
    """A text, and for each path that it is about what may be there then."""

    text: str
    allowed: Allowed

    def is_allowed(self, before: Tree, found: Tree) -> bool:
        return all(
            any(
                one.gives(found.get(path)) if isinstance(one, Reading) else one == found.get(path)
                for one in self.allowed.get(path, [before.get(path)])
            )
            for path in {*before, *found, *self.allowed}
        )


def parts_of(text: str, paths: Sequence[tuple[str, str]]) -> list[Part] | None:
    """The sections of a diff with the paths that they are about; None if one of them has no lines to read."""
    sections = [read_section(section) for section in split_sections(text)]
    read = [section for section in sections if section is not None]
    if len(paths) != len(read) or "120000" in text or "\nBinary files " in text:
        return None
    return [Part(*pair, section) for pair, section in zip(paths, read, strict=True)]


# What goes wrong within the hunks: the numbers, the counts, the lines.


def other_numbers(pick: random.Random, hunks: Sequence[Hunk], length: int) -> Sequence[Hunk]:
    """All off by the same, or each by its own."""
    if pick.random() < 0.5:
        shift = pick.choice([-7, -2, -1, 1, 2, 3, 30])
        starts = [max(hunk.old_start + shift, 0) for hunk in hunks]
    else:
        starts = sorted(pick.randint(0, length + 3) for _ in hunks)
    return [evolve(hunk, old_start=start, new_start=start) for hunk, start in zip(hunks, starts, strict=True)]


def other_counts(pick: random.Random, hunks: Sequence[Hunk], length: int) -> Sequence[Hunk]:
    def header(hunk: Hunk) -> str:
        old, new = (max(len(lines) + pick.choice([-3, -1, 0, 1, 1, 4]), 0) for lines in (hunk.old, hunk.new))
        return f"@@ -{hunk.old_start},{old} +{hunk.new_start},{new} @@"

    return [evolve(hunk, header=header(hunk)) for hunk in hunks]


def each_line(change: Norm) -> Garble:
    def garble(pick: random.Random, hunks: Sequence[Hunk], length: int) -> Sequence[Hunk]:
        return [evolve(hunk, lines=tuple(Line(line.sign, change(line.text)) for line in hunk.lines)) for hunk in hunks]

    return garble


def without_blanks(line: str) -> str:
    return re.sub(r"[ \t]+(?=\r?\n?\Z)", "", line)


def without_returns(line: str) -> str:
    return re.sub(r"\r(?=\n?\Z)", "", line)


def with_blanks_for_tabs(line: str) -> str:
    return re.sub(r"\A[ \t]+", lambda indent: indent[0].expandtabs(4), line)


def with_tabs_for_blanks(line: str) -> str:
    return re.sub(r"\A(?: {4})+", lambda indent: "\t" * (len(indent[0]) // 4), line)


LINES: dict[str, Norm] = {
    "blanks at ends lost": without_blanks,
    "CR lost": without_returns,
    "blanks for tabs": with_blanks_for_tabs,
    "tabs for blanks": with_tabs_for_blanks,
}
#: Which indentation a file may have.
INDENTS = {"blanks for tabs": r"\t*", "tabs for blanks": r"(?:    )*"}
NUMBERS: dict[str, Garble] = {"other numbers": other_numbers, "other counts": other_counts}
#: What goes wrong with the text as a whole.
WHOLE = ("cut", "prose around", "fenced", "no git header")
KINDS = (*NUMBERS, *LINES, *WHOLE)
#: Behind the end of a text that is cut off stands nothing: prose and the end of a fence say that it is whole.
PAIRS = [pair for pair in itertools.combinations(KINDS, 2) if pair not in {("cut", "prose around"), ("cut", "fenced")}]


# What the hunks may mean then.


def spots(lines: Sequence[str], hunks: Sequence[Hunk], norm: Norm) -> Iterator[tuple[int, ...]]:
    """Where all of the hunks are to the letter, or by the offset of one that is in one place only.

    A hunk without old lines is wherever the others are, and a blank line is any that its number says.
    """

    def key(line: str) -> str:
        return without_returns(norm(line)) if line.strip() else ""

    seen = [key(line) for line in lines]
    olds = [[key(line) for line in hunk.old] for hunk in hunks]
    ats = [hunk.at for hunk in hunks]

    def stand(places: Sequence[int]) -> bool:
        return all(at >= 0 and seen[at : at + len(old)] == old for at, old in zip(places, olds, strict=True))

    if stand(ats):
        yield tuple(ats)
    carried, offset = [], 0
    for hunk, at, old in zip(hunks, ats, olds, strict=True):
        if any(not line.text.endswith("\n") for line in hunk.lines):
            offset = len(seen) - len(old) - at  # it says that it is at the end
        elif old and seen[at + offset : at + offset + len(old)] != old:
            found = [place for place in range(len(seen)) if seen[place : place + len(old)] == old]
            if len(found) != 1:
                break
            offset = found[0] - at
        carried.append(at + offset)
    if len(carried) == len(hunks) and stand(carried):
        yield tuple(carried)
    offsets = {
        place - at
        for at, old in zip(ats, olds, strict=True)
        if old
        for place in range(len(seen))
        if seen[place : place + len(old)] == old
    }
    for offset in offsets:  # all of them are as far off
        places = tuple(at + offset for at in ats)
        if stand(places):
            yield places


def places(
    lines: Sequence[str], true: Sequence[Hunk], garbled: Sequence[Hunk], kinds: Sequence[str]
) -> set[tuple[int, ...]]:
    """Where the hunks may be: each set of places is one of what was meant, or of the numbers as they are now.

    If its counts are wrong, a blank line of the prose may be the last line of context.
    """
    found = {tuple(hunk.at for hunk in true)}
    if "other numbers" in kinds:
        found |= {*spots(lines, garbled, normed(kinds))}
    if "prose around" in kinds and {"cut", "other counts"} & {*kinds}:
        last = garbled[-1]
        counted = evolve(last, lines=(*last.lines, Line(" ", "\n")))
        found |= {*spots(lines, [*garbled[:-1], counted], lambda line: line.strip())}
    return found


def pieces(
    lines: Sequence[str], ats: Sequence[int], true: Sequence[Hunk], garbled: Sequence[Hunk]
) -> tuple[frozenset[str], ...] | None:
    """The file with the hunks at these places; None if they overlap."""
    done, found = 0, list[frozenset[str]]()
    for at, one, other in zip(ats, true, garbled, strict=True):
        if at < done:
            return None
        done_before, done = done, at + len(other.old)
        found += [frozenset(["".join(lines[done_before:at])]), frozenset(news(lines[at:done], one, other))]
    return (*found, frozenset(["".join(lines[done:])]))


def news(old: Sequence[str], true: Hunk, garbled: Hunk) -> Iterator[str]:
    """The lines in the place of `old`: context is the file's own, new lines are as they were, or as they are written.

    New lines that are written as old ones may be those.
    """
    stays = {
        block.b + at: block.a + at
        for block in SequenceMatcher(None, garbled.old, garbled.new, autojunk=False).get_matching_blocks()
        for at in range(block.size)
    }
    for written in (true, garbled):
        own = iter(old)
        text, kept = list[str](), list[str]()
        for line in written.lines:
            its = next(own, "") if line.sign != "+" else line.text
            if line.sign != "-":
                kept.append(old[stays[len(text)]] if stays.get(len(text), len(old)) < len(old) else its)
                text.append(its)
        yield "".join(text)
        yield "".join(kept)


# The whole of it.


@frozen
class Garbled:
    """A part as it is written now."""

    part: Part
    hunks: tuple[Hunk, ...]
    head: str

    def written(self) -> str:
        return Section(self.head, self.hunks).written()


def garbled(pick: random.Random, commit: Commit, parts: Sequence[Part], kinds: Sequence[str]) -> Case | None:
    """None where one of the two changes nothing, or where nothing but git's words could tell what is meant."""
    is_bare = "no git header" in kinds
    if not parts or (is_bare and not all(is_plain(commit, part) for part in parts)):
        return None
    if "CR lost" in kinds and not all(is_fit(commit, part, "CR lost") for part in parts):
        return None  # they are lost everywhere, or nowhere
    written = []
    for part in parts:
        hunks: Sequence[Hunk] = part.section.hunks
        for kind in kinds:
            if kind in NUMBERS:
                hunks = NUMBERS[kind](pick, hunks, len(lines_of(text_of(commit.before.get(part.old_path)))))
            elif kind in LINES and is_fit(commit, part, kind):
                hunks = each_line(LINES[kind])(pick, hunks, 0)
        written.append(Garbled(part, tuple(hunks), without_git(part.section.head) if is_bare else part.section.head))
    if any(stands_elsewhere(commit, one) for one in written):
        return None
    whole = "".join(one.written() for one in written)
    if any(kind in NUMBERS or kind in LINES for kind in kinds) and all(
        one.hunks == one.part.section.hunks for one in written
    ):
        return None
    is_ended = bool({"prose around", "fenced"} & {*kinds})
    end = cut_at(pick, whole, is_ended) if "cut" in kinds else len(whole)
    allowed, start = dict[str, Sequence[File | Reading | None]](), 0
    for one in written:
        text = one.written()
        if end >= start + len(text) - 1:  # all of it, but perhaps for the end of its last line
            allowed |= meant(commit, one, kinds)
        elif end > start:
            allowed |= cut_off(commit, one, text[: end - start], kinds)
        start += len(text)
    return Case(around(pick, whole[:end], kinds), allowed)


def is_fit(commit: Commit, part: Part, kind: str) -> bool:
    """Whether the file says how what is lost has to be; an edit that is about just that says nothing any more."""
    before, after = text_of(commit.before.get(part.old_path)), text_of(commit.after.get(part.new_path))
    lines, added = (
        lines_of(before + after),
        [line for hunk in part.section.hunks for line in hunk.lines if line.sign == "+"],
    )
    if before and after and len({*re.findall(r"\r?\n|\r", before + after)}) > 1:
        return False  # where lines are garbled, new ones end as those do whose place they take
    if kind == "blanks at ends lost":
        return all(line.text == without_blanks(line.text) for line in added)
    if kind == "CR lost":
        return True
    return all(re.fullmatch(INDENTS[kind], line[: len(line) - len(line.lstrip(" \t"))]) for line in lines)


def stands_elsewhere(commit: Commit, one: Garbled) -> bool:
    """Whether the old lines of a hunk are garbled so that they stand in the file after all: then it is about those."""
    lines = [without_returns(line) for line in lines_of(text_of(commit.before.get(one.part.old_path)))]
    olds = [
        [[without_returns(line) for line in hunk.old] for hunk in hunks]
        for hunks in (one.part.section.hunks, one.hunks)
    ]
    return any(
        true != old == lines[at : at + len(old)] for true, old in zip(*olds, strict=True) for at in range(len(lines))
    )


def meant(commit: Commit, one: Garbled, kinds: Sequence[str]) -> Allowed:
    """What may be at the paths of a part."""
    part = one.part
    after = commit.after.get(part.new_path)
    allowed = {part.new_path: [after, *readings(commit, part, part.section.hunks, one.hunks, kinds)]}
    if part.old_path not in (part.new_path, *commit.after):
        allowed[part.old_path] = [None]
    return allowed


def readings(
    commit: Commit, part: Part, true: Sequence[Hunk], hunks: Sequence[Hunk], kinds: Sequence[str]
) -> Iterator[Reading]:
    after = commit.after.get(part.new_path)
    if after is None or not true:
        return
    before = text_of(commit.before.get(part.old_path))
    # A byte order mark that no hunk has stays before the first line, whatever becomes of that.
    mark = (
        "\ufeff"
        if before.startswith("\ufeff") and not any("\ufeff" in line for one in hunks for line in one.old)
        else ""
    )
    lines = lines_of(before.removeprefix(mark))
    ends = line_ends(commit, part) if "CR lost" in kinds and is_fit(commit, part, "CR lost") else None
    if "other numbers" in kinds or ("prose around" in kinds and {"cut", "other counts"} & {*kinds}):
        # Elsewhere lines have other ends; or a blank line of the prose is counted, and says that some ends are lost.
        ends = frozenset(["\n", "\r\n"])
    if part.old_path not in commit.before and "prose around" in kinds and {"cut", "other counts"} & {*kinds}:
        blank = frozenset(["", "\n", "\n\n"])  # blank lines behind a new file are its own if they are counted
    else:
        blank = frozenset([""])
    for ats in places(lines, true, hunks, kinds):
        found = pieces(lines, ats, true, hunks)
        if found is not None:
            yield Reading((frozenset([mark]), *found, blank), after.mode, ends)


def cut_off(commit: Commit, one: Garbled, text: str, kinds: Sequence[str]) -> Allowed:
    """A part without its end. It may be read if it ends with a hunk, or lacks nothing but context.

    If nothing tells that lines are missing, the last hunk may also be read as it is, and without lines it is none.
    """
    part = one.part
    after = commit.after.get(part.new_path)
    heads = len(re.findall(r"^@@ .*\n", text, re.MULTILINE))
    if after is None:  # all of its lines have to be there
        is_whole = one.written()[len(text) :] in NO_NEWLINE or not text_of(commit.before.get(part.old_path))
        return {part.new_path: [None] if is_whole else []}
    if heads == 0:
        says_all = r"diff --git .*\n(old mode \d+\nnew mode \d+|new file mode \d+)\n"
        content = text_of(commit.before.get(part.old_path)).encode(errors="surrogateescape")
        return {part.new_path: [evolve(after, content=content)] if re.fullmatch(says_all, text) else []}
    last = lines_of(text[text.rindex("\n@@ ") + 1 :])[1:]
    has_remark = bool(last) and last[-1].startswith("\\")
    count = len([line for line in last if not line.startswith("\\")])
    lacks_end = bool(last) and not last[-1].endswith("\n") and not has_remark
    true, hunk = part.section.hunks[heads - 1], one.hunks[heads - 1]
    missing = true.lines[count - lacks_end :]
    allowed = list[File | Reading | None]()

    def allow(true: Hunk, hunk: Hunk) -> None:
        before = part.section.hunks[: heads - 1], one.hunks[: heads - 1]
        allowed.extend(readings(commit, part, [*before[0], true], [*before[1], hunk], kinds))

    if all(line.sign == " " for line in missing):
        allow(true, hunk)
    is_ended = bool({"prose around", "fenced", "other counts"} & {*kinds})
    if not count and is_ended and heads > 1:
        allowed += readings(commit, part, part.section.hunks[: heads - 1], one.hunks[: heads - 1], kinds)
    elif not count and "prose around" in kinds:  # blank lines of the prose are context, or those of a new file
        content = text_of(commit.before.get(part.old_path)).encode()
        allowed += [
            evolve(after, content=content),
            *(evolve(after, content=b"\n" * size) for size in (1, 2) if not content),
        ]
    elif count and (is_ended or (count == len(true.lines) and not lacks_end)):
        allow(*(cut_hunk(whole, count, last[-1] if not has_remark else "") for whole in (true, hunk)))
    if count == len(true.lines) and not has_remark and true.old and not true.old[-1].endswith("\n"):
        # Without the remark, the file ends as before: without a newline.
        for reading in [one for one in allowed if isinstance(one, Reading)]:
            *before, new, _, end = reading.pieces
            unended = frozenset(one.removesuffix("\n") for one in new)
            allowed.append(evolve(reading, pieces=(*before, unended, end)))
    if allowed and part.old_path not in (part.new_path, *commit.after):
        return {part.old_path: [None], part.new_path: allowed}
    return {part.new_path: allowed}


def cut_hunk(hunk: Hunk, count: int, last: str) -> Hunk:
    """The first lines of a hunk, the last of them as far as it goes."""
    kept = hunk.lines[:count]
    if last and kept[-1].sign == "+":
        is_whole = last.endswith("\n")
        kept = (*kept[:-1], Line("+", kept[-1].text.removesuffix("\n") + "\n" if is_whole else last[1:] + "\n"))
    return evolve(hunk, lines=kept)


def normed(kinds: Sequence[str]) -> Norm:
    def norm(line: str) -> str:
        for kind in kinds:
            line = LINES.get(kind, str)(line)
        return line

    return norm


def text_of(file: File | None) -> str:
    return file.text if file is not None else ""


def cut_at(pick: random.Random, text: str, is_ended: bool) -> int:
    """Near the end or anywhere, and often behind a line: always if something follows."""
    at = pick.choice([len(text) - pick.randint(1, min(60, len(text) - 1)), pick.randrange(1, len(text))])
    return (text.find("\n", at) + 1 or len(text)) if is_ended or pick.random() < 0.4 else at


def around(pick: random.Random, text: str, kinds: Sequence[str]) -> str:
    end = "" if text.endswith("\n") else "\n"
    if "prose around" in kinds:
        text = pick.choice(BEFORE) + text + end + pick.choice(BEHIND)
    if "fenced" in kinds:
        end = "" if text.endswith("\n") else "\n"
        text = f"```diff\n{text}{end}```\n"
    return text


BEFORE = ("Here is the change:\n\n", "I have looked at it.\n", "1. First the names.\n2. Then the rest.\n\n")
BEHIND = ("\nThis does it.\n", "\nNow run the tests:\n\n    make test\n", "\n\nDone!")


def without_git(head: str) -> str:
    return "".join(re.findall(r"^(?:---|\+\+\+) .*\n", head, re.MULTILINE))


def is_plain(commit: Commit, part: Part) -> bool:
    """Whether `---` and `+++` and the hunks say all of it."""
    before, after = commit.before.get(part.old_path), commit.after.get(part.new_path)
    modes = {file.mode for file in (before, after) if file is not None}
    return part.old_path == part.new_path and bool(part.section.hunks) and modes <= {REGULAR}


def line_ends(commit: Commit, part: Part) -> frozenset[str]:
    """Those of the file before; a new one may have any."""
    return frozenset(re.findall(r"\r?\n", text_of(commit.before.get(part.old_path)))) or frozenset(["\n", "\r\n"])
