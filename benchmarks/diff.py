"""What live edits cost: a diff in small chunks against a large file.

The measure is one `splitlines` and `strip` pass over the file, which is the least that comparing its lines takes.
"""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from difflib import unified_diff
from functools import partial
from itertools import pairwise
from time import process_time

from benchmarks.growth import FACTOR, NOISE
from benchmarks.report import Report, Row
from benchmarks.timing import no_garbage_collection
from benchmarks.verify import cut
from streamparse.diff import PatchStream, SearchReplaceStream, apply_patch, apply_to_tree

_LINES = 100_000
_BLOCKS = 10
_CHUNK = 64
_PASSES = 3.0
_HINT_SECONDS = 1.0
_FILES = 500
_FILE_LINES = 200
#: Megabytes, the file included.
_HUGE = 600
_WORDS = [f"name{number}" for number in range(500)]


def source_file(lines: int) -> str:
    """Something like code: indented, with blank lines, and no line that tells much."""
    pick = random.Random(1)

    def line() -> str:
        return "    " * pick.randint(0, 4) + " ".join(pick.choices(_WORDS, k=pick.randint(1, 7)))

    return "".join((line() if pick.random() > 0.15 else "") + "\n" for _ in range(lines))


def whitespace_different(text: str, blocks: int) -> str:
    """Blocks of some ten lines from all over the file, all of them indented otherwise; each replaces one of them."""
    lines = text.splitlines()
    step = len(lines) // blocks
    parts = []
    for start in range(step // 2, len(lines), step):
        old = [f"  {line}" if line else line for line in lines[start : start + 10]]
        # As deep as the line that it replaces: at any other depth it may be refused in a file without structure.
        replaced = next(at for at in range(4, len(old)) if old[at])
        indent = old[replaced][: -len(old[replaced].lstrip())]
        new = [*old[:replaced], f"{indent}something = new()", *old[replaced + 1 :]]
        parts.append("\n".join(["------- SEARCH", *old, "=======", *new, "+++++++ REPLACE", ""]))
    return "".join(parts)


def _time(run: Callable[[], object], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        with no_garbage_collection():
            start = process_time()
            run()
            best = min(best, process_time() - start)
    return best


def _stream(text: str, diff: str, size: int | None = _CHUNK, kind: type = SearchReplaceStream) -> object:
    stream = kind(text)
    for chunk in cut(diff, size):
        stream.feed(chunk)
    return stream.finalize()


def _check(text: str, diff: str, blocks: int) -> None:
    result = SearchReplaceStream(text)
    result.feed(diff)
    edits = result.finalize()
    if not edits.ok or len(edits.edits) != blocks:
        raise AssertionError(f"{len(edits.edits)} of {blocks} blocks were applied: {edits.failures[:1]}")


def _report_blocks(report: Report, text: str, rounds: int) -> None:
    diff = whitespace_different(text, _BLOCKS)
    _check(text, diff, _BLOCKS)
    best, passes = float("inf"), float("inf")
    for _ in range(rounds):
        passes = min(passes, _time(lambda: [line.strip() for line in text.splitlines()], 1))
        best = min(best, _time(lambda: _stream(text, diff), 1))
    measured = f"{best / passes:.2f} passes   ({best * 1e3:.0f} ms, a pass {passes * 1e3:.0f} ms)"
    name = f"{_BLOCKS} blocks, blanks different, chunks of {_CHUNK}"
    report.add(Row(name, measured, f"<= {_PASSES:.0f} passes", best <= _PASSES * passes))


def _report_hint(report: Report, text: str, rounds: int) -> None:
    for name, old in (
        ("a block that is nowhere, one line wrong", "\n".join([*text.splitlines()[50_000:50_009], "something else"])),
        (
            "a block that is nowhere, every line wrong",
            "\n".join(f"{line} x" for line in text.splitlines()[50_000:50_010]),
        ),
    ):
        diff = f"------- SEARCH\n{old}\n=======\nnew\n+++++++ REPLACE\n"
        seconds = _time(partial(_stream, text, diff), rounds)
        report.add(Row(name, f"{seconds:.3f} s with its hint", f"<= {_HINT_SECONDS:.0f} s", seconds <= _HINT_SECONDS))


def _many_blocks(size: int) -> tuple[str, str]:
    text = "".join(f"line {number}\n" for number in range(size))
    blocks = (
        f"------- SEARCH\n line {number}\n=======\nnew {number}\n+++++++ REPLACE\n" for number in range(0, size, 2)
    )
    return text, "".join(blocks)


def _one_replacement(size: int) -> tuple[str, str]:
    return "a\nb\n", "------- SEARCH\nb\n=======\n" + "    some new line of code\n" * size + "+++++++ REPLACE\n"


def _one_line(size: int) -> tuple[str, str]:
    return "a\nb\n", "------- SEARCH\nb\n=======\n" + "x" * (20 * size) + "\n+++++++ REPLACE\n"


def _one_marker(size: int) -> tuple[str, str]:
    return "a\nb\n", "------- SEARCH\nb\n=======\n" + "+" * (20 * size) + "\n+++++++ REPLACE\n"


def _separators(size: int) -> tuple[str, str]:
    return "a\n" + "=======\n" * size, "------- SEARCH\na\n" + "=======\n" * size + "+++++++ REPLACE\n"


def _equal_lines(size: int) -> tuple[str, str]:
    return "x\n" * size, "------- SEARCH\n" + "x\n" * (size // 2) + "=======\ny\n+++++++ REPLACE\n"


def _bad_ends(size: int) -> tuple[str, str]:
    return "a\nb\n", "------- SEARCH\nb\n=======\n" + "++ REPLACE\n" * size + "+++++++ REPLACE\n"


def _equal_blocks(size: int) -> tuple[str, str]:
    return "x\ny\n" * size, "------- SEARCH\nx\n=======\nz\n+++++++ REPLACE\n" * size


def _hunks(size: int) -> tuple[str, str]:
    text = "".join(f"line {number}\n" for number in range(size))
    return text, "--- a/f\n+++ b/f\n" + "".join(f"@@ @@\n-line {number}\n+new\n" for number in range(0, size, 2))


_FAMILIES: dict[str, tuple[Callable[[int], tuple[str, str]], int, type]] = {
    "many blocks": (_many_blocks, 4000, SearchReplaceStream),
    "one long replacement": (_one_replacement, 10_000, SearchReplaceStream),
    "one long line": (_one_line, 10_000, SearchReplaceStream),
    "one line of marker characters": (_one_marker, 10_000, SearchReplaceStream),
    "nothing but separators": (_separators, 10_000, SearchReplaceStream),
    "a file of equal lines": (_equal_lines, 20_000, SearchReplaceStream),
    "ends that are none": (_bad_ends, 10_000, SearchReplaceStream),
    "equal blocks for equal lines": (_equal_blocks, 500, SearchReplaceStream),
    "many hunks": (_hunks, 4000, PatchStream),
}


def _report_growth(report: Report, rounds: int) -> None:
    for name, (make, size, kind) in _FAMILIES.items():
        times = []
        for factor in (1, 2, 4):
            text, diff = make(size * factor)
            times.append(_time(partial(_stream, text, diff, 16, kind), rounds))
        worst = max(longer / shorter for shorter, longer in pairwise(times))
        measured = f"{worst:.2f} x   ({times[-1] * 1e3:.0f} ms for {size * 4:,})"
        report.add(Row(f"growth: {name}", measured, f"<= {FACTOR:.0f} x", worst <= FACTOR * NOISE))


def _tree(size: int) -> tuple[dict[str, str], dict[str, str]]:
    """Texts by path, and for each a unified diff with three hunks."""
    lines = source_file(_FILE_LINES * size).splitlines(keepends=True)
    texts: dict[str, str] = {}
    diffs: dict[str, str] = {}
    for number in range(size):
        path, old = f"src/{number}.py", lines[number * _FILE_LINES : (number + 1) * _FILE_LINES]
        new = [f"new {at}\n" if at % 60 == 30 else line for at, line in enumerate(old)]
        texts[path] = "".join(old)
        diffs[path] = "".join(unified_diff(old, new, f"a/{path}", f"b/{path}"))
    return texts, diffs


def _report_tree(report: Report, rounds: int) -> None:
    texts, diffs = _tree(_FILES)
    patch = "".join(diffs.values())
    if not apply_to_tree(texts, patch).ok:
        raise AssertionError("a diff for a tree was not applied")
    together = _time(lambda: apply_to_tree(texts, patch), rounds)
    alone = _time(lambda: [apply_patch(text, diffs[path]) for path, text in texts.items()], rounds)
    measured = f"{together / alone:.2f} x   ({together * 1e3:.0f} ms, one by one {alone * 1e3:.0f} ms)"
    name = f"a tree: a patch for {_FILES} files of {_FILE_LINES} lines"
    report.add(Row(name, measured, "<= 2 x the files one by one", together <= 2 * alone))


def _report_huge(report: Report) -> None:
    text = source_file(20_000)
    text = text * (100_000_000 // len(text)) + "\tthe one and only line  \n" + text
    diff = "------- SEARCH\nthe one and only line\n=======\nnew\n+++++++ REPLACE\n"
    start = process_time()
    result = _stream(text, diff)
    seconds = process_time() - start
    is_right = getattr(result, "content", "") == text.replace("the one and only line  ", "new")
    report.add(Row("a file of 100 MB", f"{seconds:.1f} s", "the right file", is_right))
    del result
    _report_peak(report, "a file of 100 MB: memory", text, diff)
    nowhere = "------- SEARCH\nthe one line\nthat is nowhere\n=======\nnew\n+++++++ REPLACE\n"
    _report_peak(report, "a file of 100 MB, a block that is nowhere: memory", text, nowhere)


def _report_peak(report: Report, name: str, text: str, diff: str) -> None:
    tracemalloc.start()
    _stream(text, diff)
    peak = (len(text) + tracemalloc.get_traced_memory()[1]) / 1e6
    tracemalloc.stop()
    report.add(Row(name, f"peak {peak:.0f} MB", f"<= {_HUGE} MB", peak <= _HUGE))


def report_diff(report: Report, *, quick: bool) -> None:
    """SEARCH/REPLACE blocks and patches, streamed."""
    report.section(f"Live edits of a file of {_LINES:,} lines")
    text = source_file(_LINES)
    rounds = 3 if quick else 10
    _report_blocks(report, text, rounds)
    _report_hint(report, text, rounds=2)
    _report_growth(report, 2 if quick else 4)
    _report_tree(report, rounds)
    if not quick:
        _report_huge(report)
