"""A unified diff as git writes it, read to the letter and written again.

    @@ -3,2 +3,2 @@ def f():        Hunk(3, 3, (Line(" ", "a\n"), Line("-", "b\n"), Line("+", "c\n")), " def f():")
     a
    -b
    +c

No leniency at all: this is what the library is compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

NO_NEWLINE = "\\ No newline at end of file\n"

_HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)\n")


def lines_of(text: str) -> list[str]:
    """The lines as git counts them, with their ends: only a line feed ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


@frozen
class Line:
    """One line of a hunk: `sign` is a blank, `-` or `+`, and `text` has its end if the file has it."""

    sign: str
    text: str

    def written(self) -> str:
        return self.sign + self.text + ("" if self.text.endswith("\n") else "\n" + NO_NEWLINE)


@frozen
class Hunk:
    """`header` is what stands instead of numbers and counts, if anything does."""

    old_start: int
    new_start: int
    lines: tuple[Line, ...]
    section: str = ""
    header: str | None = None

    @property
    def old(self) -> list[str]:
        return [line.text for line in self.lines if line.sign != "+"]

    @property
    def new(self) -> list[str]:
        return [line.text for line in self.lines if line.sign != "-"]

    @property
    def at(self) -> int:
        """How many lines of the file stand before it."""
        return self.old_start - 1 if self.old else self.old_start

    @property
    def context(self) -> tuple[int, int]:
        """How many lines of context come first, and how many last."""
        signs = "".join(line.sign for line in self.lines)
        trailing = len(signs) - len(signs.rstrip(" "))
        return len(signs) - len(signs.lstrip(" ")), trailing if trailing < len(signs) else 0

    def written(self) -> str:
        header = self.header or f"@@ -{self.old_start},{len(self.old)} +{self.new_start},{len(self.new)} @@"
        return "".join([f"{header}{self.section}\n", *(line.written() for line in self.lines)])


@frozen
class Section:
    """What a diff says about one file: `head` is all that comes before the first hunk."""

    head: str
    hunks: tuple[Hunk, ...]

    def written(self) -> str:
        return self.head + "".join(hunk.written() for hunk in self.hunks)


def split_sections(diff: str) -> list[str]:
    """The diff of a commit, file by file. A line of a file never begins with a `d` here: it has its sign before it."""
    return re.split(r"^(?=diff --git )", diff, flags=re.MULTILINE)[1:]


def read_section(text: str) -> Section | None:
    """None unless every hunk has the lines that its header counts, and nothing else is there."""
    lines = lines_of(text)
    if not lines or not lines[-1].endswith("\n"):
        return None
    at = next((at for at, line in enumerate(lines) if line.startswith("@@")), len(lines))
    head, hunks = "".join(lines[:at]), []
    while at < len(lines):
        header = _HEADER.fullmatch(lines[at])
        if header is None:
            return None
        old_start, old_count, new_start, new_count = (
            1 if number is None else int(number) for number in header.groups()[:4]
        )
        found: list[Line] = []
        at += 1
        while at < len(lines) and (lines[at] == NO_NEWLINE or old_count > 0 or new_count > 0):
            line = lines[at]
            at += 1
            if line == NO_NEWLINE and found:
                found[-1] = Line(found[-1].sign, found[-1].text[:-1])
                continue
            if line[0] not in " -+":
                return None
            old_count -= line[0] != "+"
            new_count -= line[0] != "-"
            found.append(Line(line[0], line[1:]))
        if old_count or new_count:
            return None
        hunks.append(Hunk(old_start, new_start, tuple(found), header[5]))
    return Section(head, tuple(hunks))


def applied(before: str, hunks: Iterable[Hunk]) -> str | None:
    """The file with the hunks exactly where their numbers say; None if one of them does not stand there.

    Two of them may have context in common.
    """
    lines, done, parts = lines_of(before), 0, []
    for hunk in hunks:
        leading, trailing = hunk.context
        first = hunk.at + leading
        if first < done or lines[hunk.at : hunk.at + len(hunk.old)] != hunk.old or hunk.at > len(lines):
            return None
        parts += [*lines[done:first], *hunk.new[leading : len(hunk.new) - trailing]]
        done = hunk.at + len(hunk.old) - trailing
    parts += lines[done:]
    return "".join(parts) if all(part.endswith("\n") for part in parts[:-1]) else None


def read_to_the_letter(before: str, text: str) -> str | None:
    """What a text says as it stands: every hunk counts its lines and is found at its number. Else None."""
    section = read_section(text)
    return applied(before, section.hunks) if section is not None and section.hunks else None


def carried(before: str, hunks: Sequence[Hunk]) -> str | None:
    """The same, but where a hunk is off by some lines, and stands in one place only, the following are off by as many.

    Without old lines a hunk stands nowhere: the one before it, or the next, has to stand where its number says. With a
    line that has no end it stands at the end of the file.
    """
    lines, offset, is_shown, found = lines_of(before), 0, False, []
    for hunk, following in zip(hunks, [*hunks[1:], None], strict=True):
        at = hunk.at + offset
        if not hunk.old:
            if not is_shown and (following is None or not stands(lines, following.old, following.at)):
                return None
        elif not stands(lines, hunk.old, at):
            standing = places(lines, hunk.old)
            if not all(line.text.endswith("\n") for line in hunk.lines):
                standing = [at for at in standing if at + len(hunk.old) == len(lines)]
            if len(standing) != 1:
                return None
            at = standing[0]
            offset = at - hunk.at
        is_shown = is_shown or bool(hunk.old)
        found.append(evolve(hunk, old_start=at + 1 if hunk.old else at))
    return applied(before, found)


def stands(lines: Sequence[str], old: Sequence[str], at: int) -> bool:
    return bool(old) and at >= 0 and lines[at : at + len(old)] == old


def places(lines: Sequence[str], old: Sequence[str]) -> list[int]:
    """Before which lines `old` begins."""
    return [at for at in range(len(lines) - len(old) + 1) if stands(lines, old, at)]
