"""Instructions per 4-character feed, counted by `valgrind --tool=callgrind`: the same in every run, however noisy.

    python -m benchmarks.callgrind

Every contestant runs twice in a process of its own, over n feeds and over 2 n; the difference is n feeds without
the interpreter's start.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

from benchmarks.report import Report, Row
from benchmarks.speed import CASES, CONTESTANTS, TOKEN
from benchmarks.verify import cut

_FEEDS = 4_000
_COLLECTED = re.compile(r"Collected : (\d+)")


def is_available() -> bool:
    """Whether valgrind is installed."""
    return shutil.which("valgrind") is not None


def run_feeds(contestant: str, case_name: str, feeds: int) -> None:
    """What the child process does: the same stream for every contestant, cut to a number of feeds."""
    case = next(case for case in CASES if case.name == case_name)
    feed = CONTESTANTS[contestant]().feed
    for chunk in cut(case.make(feeds * TOKEN), TOKEN)[:feeds]:
        feed(chunk)


def count_instructions(contestant: str, case_name: str, feeds: int) -> int:
    """The instructions of a whole process, its start included."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, "-m", __spec__.name]
    result = subprocess.run(
        [*command, contestant, case_name, str(feeds)],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = _COLLECTED.search(result.stderr)
    if found is None or result.returncode:
        raise RuntimeError(f"no instruction count for {contestant} on {case_name}:\n{result.stderr[-2000:]}")
    return int(found[1])


def per_feed(contestant: str, case_name: str) -> float:
    """Instructions of one feed."""
    counts = [count_instructions(contestant, case_name, feeds) for feeds in (_FEEDS, 2 * _FEEDS)]
    return (counts[1] - counts[0]) / _FEEDS


def report_instructions(report: Report) -> None:
    """Parser and handler against the baseline; the targets are those of the times."""
    report.section(f"Instructions per feed of {TOKEN} characters (callgrind)")
    if not is_available():
        report.add(Row("valgrind is not installed", "skipped"))
        return
    for case in CASES:
        baseline = per_feed("baseline", case.name)
        for name, target in (("parser", case.parser), ("handler", case.handler)):
            count = per_feed(name, case.name)
            ratio = count / baseline
            measured = f"{ratio:.2f} x   ({count:,.0f} / {baseline:,.0f})"
            if target is None:
                report.add(Row(f"{case.name}, {name}", measured))
            else:
                report.add(Row(f"{case.name}, {name}", measured, f"<= {target} x", ratio <= target))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        run_feeds(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    else:
        report_instructions(Report())
