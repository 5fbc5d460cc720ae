"""How often edits come out right: diffs of real commits, perturbed as models do, for this library and for others.

    python -m benchmarks.edits                         the commits of this repository and of random ones
    python -m benchmarks.edits --repository ../other   those of another one
    python -m benchmarks.edits --tools                 … and what git apply and GNU patch make of them, if installed
    python -m benchmarks.edits --settings              what other settings find of blocks with a line that is not right

A row for each perturbation (`tests/properties/histories`): how many cases there are, and of them in each tool's column
how many give the file that was meant, what the perturbed text says to the letter, none, and a wrong one.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from attrs import evolve

from streamparse.diff import DiffResult, apply_patch, apply_search_replace
from tests.properties.histories.generated import random_history
from tests.properties.histories.kinds import KINDS
from tests.properties.histories.repository import Commit, FileEdit, Repository
from tests.properties.histories.rewritten import blocks
from tests.properties.histories.tally import Counts, cases, table
from tests.properties.histories.verdict import Case, Verdict, Way, judge

#: Whether a tool takes a case for applied, and the file that it gives.
Tool = Callable[[FileEdit, Case], tuple[bool, str]]

_ROOT = Path(__file__).parents[1]


def library(edit: FileEdit, case: Case) -> tuple[bool, str]:
    result = (apply_search_replace if case.way is Way.BLOCKS else apply_patch)(case.before, case.text)
    return result.ok, result.content


def by_command(*command: str) -> Tool:
    """A tool that finds the file at its path and the patch in its input."""

    def run(edit: FileEdit, case: Case) -> tuple[bool, str]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / edit.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(case.before.encode())
            done = subprocess.run(command, cwd=folder, input=case.text.encode(), capture_output=True)
            return done.returncode == 0, file.read_bytes().decode(errors="replace") if file.exists() else ""

    return run


def tools(*, with_others: bool) -> dict[str, Tool]:
    found = {"streamparse": library}
    if with_others and shutil.which("git"):
        found["git apply"] = by_command("git", "apply", "--unidiff-zero")
    if with_others and shutil.which("patch"):
        found["GNU patch"] = by_command("patch", "-p1", "--batch", "--forward", "--quiet")
    return found


def commits(options: argparse.Namespace) -> Iterator[Commit]:
    repository = Repository(options.repository)
    revisions = repository.revisions()
    yield from repository.commits(random.Random(options.seed).sample(revisions, min(options.commits, len(revisions))))
    if options.repository == _ROOT and not options.settings:
        for number in range(0, options.commits, 50):
            with tempfile.TemporaryDirectory() as folder:
                yield from random_history(random.Random(f"{options.seed} {number}"), Path(folder), 50)


def measured(tool: Tool, edits: Sequence[FileEdit]) -> dict[str, Counts]:
    """Only the library reads something else than unified diffs."""
    rows: dict[str, Counts] = {}
    for kind, perturb in KINDS.items():
        for edit, case in cases(kind, perturb, edits):
            if tool is library or case.way is Way.UNIFIED:
                rows.setdefault(kind, Counter())[judge(case, *tool(edit, case))] += 1
    return rows


#: One line in the middle of SEARCH, changed by a slip, or so that it speaks of something else.
_SLIPS: dict[str, Callable[[str], str]] = {
    "letters swapped": lambda line: re.sub(r"([a-z]{2})([a-z])([a-z])([a-z]{2})", r"\1\3\2\4", line, count=1),
    "a letter missing": lambda line: re.sub(r"([a-z]{3})[a-z]([a-z]{3})", r"\1\2", line, count=1),
    "blanks": lambda line: re.sub(r"(\w) (\w)", r"\1  \2", line, count=1),
    "punctuation": lambda line: re.sub(r"[.,;:()\[\]]", "", line, count=1),
    "another word": lambda line: re.sub(r"[A-Za-z_]{3,}", "zebra", line, count=1),
    "a suffix": lambda line: re.sub(r"[A-Za-z_]{3,}", r"\g<0>_old", line, count=1),
    "a number": lambda line: re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), line, count=1),
}
_SETTINGS: dict[str, Callable[[str, str], DiffResult]] = {
    "`anchor_similarity=0.6`": partial(apply_search_replace, anchor_similarity=0.6),
    "the default, 0.8": apply_search_replace,
    "`threshold=0.9`": partial(apply_search_replace, threshold=0.9),
}


def slipped(slip: Callable[[str], str], edits: Sequence[FileEdit]) -> Iterator[tuple[str, str]]:
    """Files, and a block for each of their hunks in which a line in the middle can be changed so."""
    for edit in edits:
        for hunk in edit.sections[3].hunks:
            lines = list(hunk.lines)
            middle = [at for at, line in enumerate(lines) if line.sign != "+"][1:-1]
            at = next((at for at in middle if slip(lines[at].text) not in (lines[at].text, *hunk.old)), None)
            if at is not None and all(line.text.endswith("\n") for line in lines):
                lines[at] = evolve(lines[at], text=slip(lines[at].text))
                yield edit.before, "".join(blocks(random.Random(0), [evolve(hunk, lines=tuple(lines))]))


def shares(edits: Sequence[FileEdit]) -> Iterator[str]:
    """Lines of Markdown: how many of a hundred blocks are applied, by setting and slip."""
    yield f"| setting | {' | '.join(_SLIPS)} |"
    yield "|---" * (len(_SLIPS) + 1) + "|"
    cases = {name: list(slipped(slip, edits)) for name, slip in _SLIPS.items()}
    for name, apply in _SETTINGS.items():
        found = (round(100 * sum(apply(*pair).ok for pair in pairs) / max(1, len(pairs))) for pairs in cases.values())
        yield f"| {name} | {' | '.join(map(str, found))} |"
    yield f"| blocks | {' | '.join(str(len(pairs)) for pairs in cases.values())} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.edits", description=__doc__.splitlines()[0])
    parser.add_argument("--repository", type=Path, default=_ROOT, help="whose commits (this one and random ones)")
    parser.add_argument("--commits", type=int, default=100, help="how many of them")
    parser.add_argument("--seed", default="0", help="other ones")
    parser.add_argument("--longest", type=int, default=60_000, help="files of more characters are left out")
    parser.add_argument("--tools", action="store_true", help="also by git apply and GNU patch, which takes minutes")
    parser.add_argument("--settings", action="store_true", help="of the repository alone, what other settings find")
    options = parser.parse_args()
    edits = [edit for commit in commits(options) for edit in commit.edits() if len(edit.before) < options.longest]
    if options.settings:
        print("\n".join(shares(edits)))
        return
    columns = {name: measured(tool, edits) for name, tool in tools(with_others=options.tools).items()}
    print(f"{len(edits)} edits; each tool: {' / '.join(Verdict)}\n")
    print("\n".join(table(columns)))


if __name__ == "__main__":
    main()
