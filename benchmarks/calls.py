"""What invocations cost: collecting calls while they stream, and decoding their arguments at the end."""

from __future__ import annotations

from functools import partial

from benchmarks import inputs
from benchmarks.growth import FACTOR, NOISE, measure
from benchmarks.inputs import ARGUMENT_FAMILIES, LONG_ARGUMENTS
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN, ignore, new_full_handler, new_handler
from benchmarks.timing import best_times
from benchmarks.verify import cut
from streamparse import StreamingResponseHandler

_RATIO = 1.5


def report_calls(report: Report, *, quick: bool) -> None:
    """The handler with its adapter against the one without, then how the cost of arguments grows."""
    report.section(f"Handler with invocations against without, chunks of {TOKEN} characters")
    for name, make, target in (
        ("prose", inputs.prose, _RATIO),
        ("one file", inputs.one_file, _RATIO),
        ("one long argument", inputs.one_argument, None),
        ("small tools", inputs.small_tools, None),
    ):
        chunks = cut(make(100_000), TOKEN)
        best = best_times({"without": new_handler, "with": new_full_handler}, chunks, rounds=7 if quick else 25)
        ratio = best["with"] / best["without"]
        each = [f"{best[side] / len(chunks) * 1e6:.2f}" for side in ("with", "without")]
        measured = f"{ratio:.2f} x   ({each[0]} / {each[1]} us per feed)"
        report.add(Row(name, measured) if target is None else Row(name, measured, f"<= {target} x", ratio <= target))

    report.section(f"Time when the calls double ({FACTOR} x, up to {FACTOR * NOISE} x counted as noise)")
    streams = [(f"{family.name}, whole", family, None) for family in ARGUMENT_FAMILIES]
    streams += [
        (f"{family.name}, {TOKEN} characters", family, TOKEN) for family in (*ARGUMENT_FAMILIES[:2], LONG_ARGUMENTS)
    ]
    for name, family, chunk in streams:
        if family.is_long and quick:
            continue
        make = partial(StreamingResponseHandler, family.formats, on_segment_event=ignore)
        factor, cost = measure(family, chunk, 0.03 if quick else 0.1, make)
        measured = f"{factor:.2f} x   ({cost:.2f} us per {TOKEN} characters)"
        report.add(Row(name, measured, f"<= {FACTOR:.0f} x", factor <= FACTOR * NOISE))
