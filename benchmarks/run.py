"""`python -m benchmarks.run`: every number the library promises, measured against its target.

A benchmark, not a test: a missed target is printed and the exit code stays 0; only a crash, or events that differ
from the baseline's, fails.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from time import perf_counter

from benchmarks.blocks import report_blocks
from benchmarks.callgrind import report_instructions
from benchmarks.calls import report_calls
from benchmarks.diff import report_diff
from benchmarks.encoders import report_encoders
from benchmarks.growth import report_growth
from benchmarks.memory import report_memory
from benchmarks.models import report_models
from benchmarks.native import report_native
from benchmarks.partial import report_partial
from benchmarks.presenter import report_presenter
from benchmarks.proxy import report_proxy
from benchmarks.report import Report
from benchmarks.setup import report_setup
from benchmarks.speed import report_formats, report_ratios, report_same_events, report_throughput

PARTS = (
    *("ratios", "throughput", "growth", "calls", "native", "partial", "blocks", "encoders", "models", "diff"),
    *("presenter", "proxy", "memory", "setup"),
)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run", description="Measure the library against its targets."
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and shorter streams: a first impression")
    parser.add_argument("--only", choices=PARTS, action="append", help="run this part alone (may be given again)")
    parser.add_argument("--callgrind", action="store_true", help="count instructions too (needs valgrind)")
    return parser.parse_args()


def main() -> None:
    """Run the chosen parts in order."""
    options = _arguments()
    parts = options.only or PARTS
    started = perf_counter()
    report = Report()
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    )
    report_same_events(report)
    if "ratios" in parts:
        report_ratios(report, quick=options.quick)
        report_formats(report, quick=options.quick)
    if options.callgrind:
        report_instructions(report)
    if "throughput" in parts:
        report_throughput(report, quick=options.quick)
    if "growth" in parts:
        report_growth(report, quick=options.quick)
    if "calls" in parts:
        report_calls(report, quick=options.quick)
    if "native" in parts:
        report_native(report, quick=options.quick)
    if "partial" in parts:
        report_partial(report, quick=options.quick)
    if "blocks" in parts:
        report_blocks(report, quick=options.quick)
    if "encoders" in parts:
        report_encoders(report, quick=options.quick)
    if "models" in parts:
        report_models(report, quick=options.quick)
    if "diff" in parts:
        report_diff(report, quick=options.quick)
    if "presenter" in parts:
        report_presenter(report, quick=options.quick)
    if "proxy" in parts:
        report_proxy(report, quick=options.quick)
    if "memory" in parts:
        report_memory(report, quick=options.quick)
    if "setup" in parts:
        report_setup(report, quick=options.quick)
    report.summary()
    print(f"({perf_counter() - started:.0f} s)")
    if report.crashed:
        sys.exit(1)


if __name__ == "__main__":
    main()
