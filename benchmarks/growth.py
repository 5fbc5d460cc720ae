"""Twice the input, at most twice the time: for everyday streams and for those that were made to break this.

A family is doubled until one stream takes long enough to be timed well; the last two doublings are then timed in
turns. Quadratic cost shows as a factor of 4. A cost that is quadratic only up to some limit shows as a high price
per token instead, so that is printed and checked too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from statistics import median
from time import process_time

from benchmarks.inputs import FAMILIES, Family
from benchmarks.report import Report, Row
from benchmarks.timing import time_stream
from benchmarks.verify import Parser, cut
from streamparse import StreamingParser

FACTOR = 2.0
NOISE = 1.25  # two runs of one stream differ by so much on a shared machine; quadratic cost would be 2.0 here
_MICROSECONDS = 10.0  # per 4 characters, the dearest that hostile input may be
_LARGEST = 2_000_000  # characters: a reply is never longer, and caches blur the picture beyond
_TOKEN = 4


def _sizes(family: Family, chunk: int | None, budget: float, make: Callable[[], Parser]) -> tuple[int, ...]:
    """Three lengths, each twice the one before, the last one taking about `budget` seconds."""
    if family.sizes is not None:
        return family.sizes
    size = 4_096
    while size < _LARGEST and time_stream(make, cut(family.make(size), chunk)) < budget:
        size *= 2
    return size // 4, size // 2, size


def _factor(shorter: list[float], longer: list[float]) -> float:
    """How the time grew, by the best of all rounds or by the median of the rounds, whichever speaks for the library.

    A processor that changes its speed fools the best times (the shorter stream finds a fast moment more easily), a
    neighbour that comes and goes fools single rounds. Growth that is really there shows in both.
    """
    rounds = [twice / once for once, twice in zip(shorter, longer, strict=True)]
    return min(min(longer) / min(shorter), median(rounds))


def measure(
    family: Family, chunk: int | None, budget: float, make: Callable[[], Parser] | None = None
) -> tuple[float, float]:
    """The worst factor of the doublings, and the microseconds per 4 characters at the greatest length."""
    make = make or partial(StreamingParser, family.formats, family.config, tools=family.tools)
    texts = [family.make(size) for size in _sizes(family, chunk, budget, make)]
    streams = [cut(text, chunk) for text in texts]
    times: list[list[float]] = [[] for _ in streams]
    worst = 0.0
    started = process_time()
    for attempt in range(10):
        for taken, chunks in zip(times, streams, strict=True):
            taken.append(time_stream(make, chunks))
        worst = max(_factor(shorter, longer) for shorter, longer in pairwise(times))
        # What looks too slow gets more rounds: noise goes away with them, growth does not.
        if (attempt >= 2 and worst <= FACTOR * NOISE) or process_time() - started > 40 * budget:
            break
    return worst, min(times[-1]) / len(texts[-1]) * _TOKEN * 1e6


def _streams(*, quick: bool) -> Iterator[tuple[str, Family, int | None]]:
    for family in FAMILIES:
        if not family.is_long:
            yield f"{family.name}, whole", family, None
        if not (family.is_long and quick):
            yield f"{family.name}, {_TOKEN} characters", family, _TOKEN


def report_growth(report: Report, *, quick: bool) -> None:
    """One row per family and chunking, then the dearest of them."""
    report.section(f"Time when the input doubles ({FACTOR} x, up to {FACTOR * NOISE} x counted as noise)")
    costs: list[tuple[float, str]] = []
    for name, family, chunk in _streams(quick=quick):
        try:
            factor, cost = measure(family, chunk, budget=0.03 if quick else 0.1)
        except Exception as error:  # text must never raise, but one family that does must not hide the others
            report.crash(name, error)
            continue
        costs.append((cost, name))
        measured = f"{factor:.2f} x   ({cost:.2f} us per {_TOKEN} characters)"
        report.add(Row(name, measured, f"<= {FACTOR:.0f} x", factor <= FACTOR * NOISE))

    report.section("The dearest of these, at their greatest length")
    for cost, name in sorted(costs, reverse=True)[:10]:
        measured = f"{cost:.2f} us per {_TOKEN} characters"
        report.add(Row(name, measured, f"<= {_MICROSECONDS:.0f} us", cost <= _MICROSECONDS))
