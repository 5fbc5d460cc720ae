"""Random edits to random files, written as models write them: the result is the file that was meant, or a failure."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse.diff import DiffResult, SearchReplaceStream
from tests import seeds
from tests.diff.kit import MARKER, merged
from tests.properties.documents import COUNT

ENDINGS = ("\n", "\r\n")
WORDS = (
    "a",
    "b = 1",
    "if x:",
    "}",
    "",
    "return “x”",
    "- item",
    "+ more",
    "=======",
    "=====",
    "    y",
    "\tz",
    "<<< 1",
    "# end",
    "x ",
    "\x0c",
    "é",
)


class Edit(NamedTuple):
    start: int
    end: int
    new: list[str]
    old_as_written: list[str]
    new_as_written: list[str]


def bodies(lines: list[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def trimmed_places(lines: list[str], old: list[str]) -> int:
    keys, wanted = [line.strip() for line in lines], [line.strip() for line in old]
    return sum(keys[at : at + len(wanted)] == wanted for at in range(len(keys) - len(wanted) + 1))


def condensed_places(lines: list[str], old: list[str]) -> int:
    return trimmed_places([line for line in lines if line.strip()], [line for line in old if line.strip()])


def escaped(lines: list[str]) -> list[str]:
    return ["\\" + line if line == "=" * len(line) and len(line) > 2 else line for line in lines]


class Case:
    """A file, edits to it, and the diff in which they are written."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        pick = self.random
        ending = pick.choice([*ENDINGS, "\r"])
        mixed = pick.random() < 0.3
        is_distinct = pick.random() < 0.5
        size = pick.randint(1, 25)
        self.lines = []
        for number in range(size):
            body = pick.choice(WORDS)
            if is_distinct and body.strip() and pick.random() < 0.9:
                body = f"{body}{number}"
            if pick.random() < 0.3:
                body = pick.choice(["  ", "    ", "\t"]) + body
            self.lines.append(body + (pick.choice(ENDINGS) if mixed else ending))
        if pick.random() < 0.3:
            self.lines[-1] = self.lines[-1].rstrip("\r\n") or "end"
        self.bom = "\ufeff" if pick.random() < 0.1 else ""
        self.original = self.bom + "".join(self.lines)
        self.edits = self.make_edits()
        self.written = self.order()
        self.diff = "".join(self.write(edit) for edit in self.written)

    def make_edits(self) -> list[Edit]:
        pick, at, edits = self.random, 0, []
        while at < len(self.lines):
            start = at + pick.randint(0, 4)
            end = start + pick.randint(1, 4)
            if end > len(self.lines):
                break
            old = bodies(self.lines[start:end])
            new = [pick.choice([*WORDS, *old]) for _ in range(pick.randint(0, 4))]
            if pick.random() < 0.2:
                new = list(old)
            edits.append(self.perturb(start, end, old, new))
            at = end
        return edits

    def perturb(self, start: int, end: int, old: list[str], new: list[str]) -> Edit:
        pick = self.random
        kind = pick.choice(["none", "trailing", "indent", "dedent", "blanks", "numbers", "quotes", "slip"])
        plain = Edit(start, end, new, old, new)
        if kind == "none" or not any(line.strip() for line in old):
            return plain
        if trimmed_places(self.lines, old) > 1:
            return plain
        if kind == "trailing":
            written = [line + pick.choice(["", " ", "\t"]) for line in old]
            fresh = [line for line in new if line not in old]
            tail = self.new_tail(old, written)
            return plain._replace(
                old_as_written=written, new=[line.removesuffix(tail) for line in fresh], new_as_written=fresh
            )
        fresh = [f"fresh {pick.random()}" if line.strip() else "" for line in new]
        if kind == "indent":
            more = pick.choice(["  ", "\t"])
            first = next(line for line in old if line.strip())
            if first[: len(first) - len(first.lstrip(" \t"))] == more:
                return plain  # new lines would be written as deep as the file has the first old one
            return plain._replace(
                new=fresh,
                old_as_written=[more + line if line.strip() else line for line in old],
                new_as_written=[self.reindented(line, old, more) for line in fresh],
            )
        if kind == "dedent":
            first = next(line for line in old if line.strip())
            indent = first[: len(first) - len(first.lstrip(" \t"))]
            if indent and all(line.startswith(indent) for line in old if line.strip()):
                return plain._replace(
                    new=[indent + line if line else "" for line in fresh],
                    old_as_written=[line.removeprefix(indent) if line.strip() else line for line in old],
                    new_as_written=fresh,
                )
        if kind == "blanks" and condensed_places(self.lines, old) == 1 and old[0].strip() and old[-1].strip():
            written = [line for line in old if line.strip()]
            # A blank line at an end must be one too many, or it is meant.
            before = start == 0 or bool(self.lines[start - 1].strip())
            behind = end == len(self.lines) or bool(self.lines[end].strip())
            where = pick.choice(
                [*range(1, len(written)), *([0] if before else []), *([len(written)] if behind else [])] or [0]
            )
            written[where:where] = [""] * (pick.randint(0, 2) if len(written) > 1 or before or behind else 0)
            new = [line or "fresh" for line in fresh]
            return plain._replace(new=new, old_as_written=written, new_as_written=new)
        if kind == "quotes" and condensed_places(self.lines, old) == 1 and old[0].strip() and old[-1].strip():
            plain_quotes = [line.replace("“", '"').replace("”", '"') for line in old]
            return plain._replace(new=fresh, old_as_written=plain_quotes, new_as_written=fresh)
        if kind == "slip" and len(old) > 2:
            at = pick.randint(1, len(old) - 2)
            slipped = [line + "~" if number == at else line for number, line in enumerate(old)]
            return plain._replace(new=fresh, old_as_written=slipped, new_as_written=fresh)
        if kind == "numbers":
            number = pick.randint(1, 200)
            return plain._replace(
                new=fresh,
                old_as_written=[f"{number + at} | {line}" for at, line in enumerate(old)],
                new_as_written=[f"{number + at} | {line}" for at, line in enumerate(fresh)],
            )
        return plain

    @staticmethod
    def new_tail(old: list[str], written: list[str]) -> str:
        """The blanks that all old lines end with where the file has none: new lines have them by the same slip."""
        pairs = [(line, longer) for line, longer in zip(old, written, strict=True) if line.strip()]
        tails = {longer.removeprefix(line.rstrip()) for line, longer in pairs}
        return tails.pop() if len(tails) == 1 and all(line == line.rstrip() for line, _ in pairs) else ""

    @staticmethod
    def reindented(line: str, old: list[str], more: str) -> str:
        """A new line without indentation is written with what all lines are written with."""
        known = {old_line[: len(old_line) - len(old_line.lstrip(" \t"))] for old_line in old if old_line.strip()}
        return more + line if line and "" in known else line and more + line

    def order(self) -> list[Edit]:
        edits = list(self.edits)
        if self.random.random() < 0.5:
            self.random.shuffle(edits)
            # Equal blocks are assigned in order: theirs is kept.
            groups: dict[tuple[str, ...], list[Edit]] = {}
            for edit in self.edits:
                groups.setdefault(tuple(edit.old_as_written), []).append(edit)
            edits = [groups[tuple(edit.old_as_written)].pop(0) for edit in edits]
        return edits

    def write(self, edit: Edit) -> str:
        pick = self.random
        start, end = pick.choice([("-------", "+++++++"), ("<<<<<<<", ">>>>>>>"), ("---", ">>>>>")])
        ending = pick.choice(["\n", "\r\n"])
        lines = [
            f"{start} SEARCH",
            *escaped(edit.old_as_written),
            "=======",
            *escaped(edit.new_as_written),
            f"{end} REPLACE",
        ]
        prose = pick.choice(["", "", "Then:\n", "a.py\n```\n"])
        return prose + "".join(line + ending for line in lines)

    def expected(self, applied: set[int]) -> list[str]:
        """The bodies of the file with those blocks applied, counted from 1 in the order they are written in."""
        result = bodies(self.lines)
        chosen = [edit for number, edit in enumerate(self.written, 1) if number in applied]
        for edit in sorted(chosen, reverse=True):
            result[edit.start : edit.end] = edit.new
        return result


def joined(case: Case, lines: list[str], applied: set[int]) -> str:
    """The lines with one ending; none behind the last if the original has none, but where that one was removed."""
    text = "\n".join(lines)
    is_ended = case.lines[-1].endswith(("\n", "\r"))
    last = [edit for number, edit in enumerate(case.written, 1) if number in applied and edit.end == len(case.lines)]
    return text + "\n" if lines and (is_ended or (last and not last[0].new)) else text


def normalized(content: str) -> str:
    return content.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def check_ending_bytes(case: Case, result: DiffResult) -> None:
    """Before the first and behind the last edited line every byte is as it was."""
    ranges = [
        (edit.start_line - 1, edit.end_line) for edit in result.edits if edit.start_line and edit.end_line is not None
    ]
    first, last = (
        min((start for start, _ in ranges), default=len(case.lines)),
        max((end for _, end in ranges), default=0),
    )
    assert result.content.startswith(case.bom + "".join(case.lines[:first]))
    assert result.content.endswith("".join(case.lines[last:]))


@pytest.mark.parametrize("block", range(10))
def test_the_result_is_the_file_that_was_meant_or_a_failure(block: int) -> None:
    complete = 0
    for seed in seeds.series(COUNT, block):
        case = Case(seed)
        stream = SearchReplaceStream(case.original)
        events = stream.feed(case.diff)
        result = stream.finalize()
        applied = {edit.number for edit in result.edits}
        assert normalized(result.content) == joined(case, case.expected(applied), applied), (seed, case.diff)
        assert len(applied) + len(result.failures) == len(case.written), seed
        assert result.ok == (not result.failures)
        check_ending_bytes(case, result)
        complete += result.ok
        every = merged([*events, *result.events])
        chunked = SearchReplaceStream(case.original)
        others, at = [], 0
        while at < len(case.diff):
            size = case.random.choice([1, 2, 5, 64])
            others += chunked.feed(case.diff[at : at + size])
            assert not MARKER.search(chunked.preview), seed
            at += size
        again = chunked.finalize()
        assert merged([*others, *again.events]) == every, seed
        assert (again.content, again.edits, again.failures) == (result.content, result.edits, result.failures)
    assert complete > COUNT / 4


class OddFile:
    """A file with much that a model does not write: blanks at the ends of lines, tabs, typographic quotes, blank lines.

    `written` are its lines as a model writes them, of which `numbers` says which they are.
    """

    def __init__(self, pick: random.Random, *, is_distinct: bool, drops_blanks: bool) -> None:
        self.lines = []
        self.written = []
        self.numbers = []
        unit, quoted = pick.choice(["\t", "  "]), pick.choice(["“{}”", "'{}'"])
        for number in range(pick.randint(2, 12)):
            text = (
                quoted.format(number)
                if is_distinct or not number
                else pick.choice(["}", "pass", quoted.format("x"), ""])
            )
            indent = pick.randint(0, 2) if text else 0
            body = unit * indent + text + pick.choice(["", "", " ", "\t", "  "])
            if text or not drops_blanks or pick.random() < 0.5:
                self.written.append("    " * indent + text.replace("“", '"').replace("”", '"'))
                self.numbers.append(number)
            self.lines.append(body + pick.choice(ENDINGS))
        if drops_blanks and not self.lines[-1].strip():
            self.lines.append("end" + pick.choice(ENDINGS))
            self.written.append("end")
            self.numbers.append(len(self.lines) - 1)
        self.before, self.behind = pick.choice(["", "before\n"]), pick.choice(["", "behind\n"])

    def replaced_by(self, new: list[str]) -> list[str] | None:
        """The lines of the file in the place of all of these; None if the new ones may be elsewhere."""
        lines = ["------- SEARCH", *self.written, "=======", *new, "+++++++ REPLACE"]
        stream = SearchReplaceStream(self.before + "".join(self.lines) + self.behind)
        stream.feed("".join(line + "\n" for line in lines))
        result = stream.finalize()
        if not result.ok:
            [failure] = result.failures
            assert failure.reason in ("indentation", "ambiguous"), lines
            return None
        text = result.content.removeprefix(self.before)
        return text[: len(text) - len(self.behind)].splitlines(keepends=True)


def with_new_lines(pick: random.Random, lines: list[str]) -> list[str]:
    result = list(lines)
    for number in range(pick.randint(1, 4)):
        result.insert(pick.randint(0, len(result)), f"new {number}")
    return result


def old_lines(lines: list[str] | None) -> list[str] | None:
    return None if lines is None else [line for line in lines if "new" not in line]


@pytest.mark.parametrize("drops_blanks", [False, True])
def test_new_lines_between_old_ones_change_no_byte_of_them(drops_blanks: bool) -> None:
    for seed in seeds.series(COUNT * 5):
        pick = random.Random(seed)
        file = OddFile(pick, is_distinct=False, drops_blanks=drops_blanks)
        result = file.replaced_by(with_new_lines(pick, file.written))
        assert old_lines(result) in (file.lines, None), seed


def test_lines_that_are_not_left_out_keep_every_byte() -> None:
    for seed in seeds.series(COUNT * 5):
        pick = random.Random(seed)
        file = OddFile(pick, is_distinct=True, drops_blanks=False)
        kept = [number for number in file.numbers if pick.random() < 0.6]
        result = file.replaced_by(with_new_lines(pick, [file.written[number] for number in kept]))
        assert old_lines(result) in ([file.lines[number] for number in kept], None), seed


def test_of_equal_lines_that_are_left_out_in_part_each_is_one_of_the_file_in_its_order() -> None:
    for seed in seeds.series(COUNT * 5):
        pick = random.Random(seed)
        file = OddFile(pick, is_distinct=False, drops_blanks=False)
        kept = [line for line in file.written if pick.random() < 0.6]
        rest = iter(file.lines)
        assert all(line in rest for line in old_lines(file.replaced_by(with_new_lines(pick, kept))) or []), seed


@settings(deadline=None, max_examples=COUNT * 2)
@given(
    st.text("ab=-+<>\\ \r\n|1:", max_size=60),
    st.lists(
        st.sampled_from(
            [
                "------- SEARCH\n",
                "<<<<<<< SEARCH\r\n",
                "=======\n",
                "+++++++ REPLACE\n",
                ">>>>>>> REPLACE",
                "\n",
                "a\n",
                "  a\n",
                "b",
                "\r",
                "-- SEARCH\n",
                "++ REPLACE\n",
                "====\n",
                "\\=======\n",
                ":start_line:1\n",
                "-------\n",
                "1 | a\n",
                "\ufeff",
                " ",
                "```\n",
                "------- SEA",
                "REPLACE\n",
            ]
        ),
        max_size=14,
    ),
    st.booleans(),
)
def test_no_text_raises_and_every_chunking_is_the_same(original: str, pieces: list[str], fix: bool) -> None:
    diff = "".join(pieces)
    outcomes = []
    for chunks in ([diff], pieces, list(diff)):
        stream = SearchReplaceStream(original, fix_markers=fix, threshold=0.8)
        events = [event for chunk in chunks for event in stream.feed(chunk)]
        preview = stream.preview
        result = stream.finalize(accept_truncated=fix)
        outcomes.append((merged([*events, *result.events]), result.content, result.edits, result.failures, preview))
    assert outcomes[0] == outcomes[1] == outcomes[2]
