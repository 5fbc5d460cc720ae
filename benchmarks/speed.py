"""How fast: against the fused baseline in chunks of a token's size, in MB/s where much comes at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from attrs import frozen

from benchmarks import inputs
from benchmarks.fused import FusedParser
from benchmarks.report import Report, Row
from benchmarks.timing import best_times
from benchmarks.verify import Parser, check_same_events, cut
from streamparse import ParserConfig, StreamingParser, StreamingResponseHandler
from streamparse.events import SegmentEvent

_NO_INVOCATIONS = ParserConfig(invocations=False)
_FORMATS_RATIO = 2.0
TOKEN = 4  # characters per chunk: about what one token of a model is


def ignore(event: SegmentEvent) -> None:
    """A subscriber; what it does is not the library's time."""


def new_parser() -> Parser:
    return StreamingParser("xml")


def new_handler() -> Parser:
    """Without invocations, which have a section of their own."""
    return StreamingResponseHandler("xml", on_segment_event=ignore, config=_NO_INVOCATIONS)


def new_full_handler() -> Parser:
    return StreamingResponseHandler("xml", on_segment_event=ignore)


@frozen
class Case:
    """An input, and how many times the baseline's time the parser and the handler may take; None: only shown."""

    name: str
    make: Callable[[int], str]
    parser: float | None
    handler: float | None


CASES = (
    Case("prose", inputs.prose, 1.5, 2.5),
    Case("one file", inputs.one_file, 1.5, 2.5),
    Case("small tools", inputs.small_tools, 2.0, None),
    Case("prose with many <", inputs.angled_prose, None, None),
    Case("marked-up prose", inputs.marked_up_prose, None, None),
)
CONTESTANTS: Mapping[str, Callable[[], Parser]] = {
    "baseline": FusedParser,
    "parser": new_parser,
    "handler": new_handler,
    "full handler": new_full_handler,
}


def report_same_events(report: Report) -> None:
    """Nothing is timed before both sides are known to do the same work."""
    report.section("Same merged events as the baseline (chunks of 1, 4, 7, 4,096, whole)")
    for case in CASES:
        check_same_events(case.name, case.make(20_000), new_parser, FusedParser)
        report.add(Row(case.name, "equal"))


def report_ratios(report: Report, *, quick: bool) -> None:
    """The parser and the handler as multiples of the baseline, in 4-character chunks."""
    report.section(f"Times the hand-fused baseline, chunks of {TOKEN} characters")
    for case in CASES:
        chunks = cut(case.make(100_000), TOKEN)
        best = best_times(CONTESTANTS, chunks, rounds=7 if quick else 25)
        for name, target in (("parser", case.parser), ("handler", case.handler)):
            ratio = best[name] / best["baseline"]
            each = [f"{best[side] / len(chunks) * 1e6:.2f}" for side in (name, "baseline")]
            measured = f"{ratio:.2f} x   ({each[0]} / {each[1]} us per feed)"
            if target is None:
                report.add(Row(f"{case.name}, {name}", measured))
            else:
                report.add(Row(f"{case.name}, {name}", measured, f"<= {target} x", ratio <= target))


def report_formats(report: Report, *, quick: bool) -> None:
    """What it costs prose that more formats look at it."""
    report.section(f"Prose with {', '.join(inputs.ALL_FORMATS)} against {inputs.ALL_FORMATS[0]} alone")
    for name, make, target in (
        ("prose", inputs.prose, _FORMATS_RATIO),
        ("prose with many <", inputs.angled_prose, _FORMATS_RATIO),
        ("marked-up prose", inputs.marked_up_prose, _FORMATS_RATIO),
        ("prose with brackets", inputs.bracketed_prose, None),
    ):
        chunks = cut(make(100_000), TOKEN)
        contestants = {"one": new_parser, "all": partial(StreamingParser, inputs.ALL_FORMATS)}
        best = best_times(contestants, chunks, rounds=7 if quick else 25)
        ratio = best["all"] / best["one"]
        each = [f"{best[side] / len(chunks) * 1e6:.2f}" for side in ("all", "one")]
        measured = f"{ratio:.2f} x   ({each[0]} / {each[1]} us per feed)"
        report.add(Row(name, measured) if target is None else Row(name, measured, f"<= {target} x", ratio <= target))


def report_throughput(report: Report, *, quick: bool) -> None:
    """Megabytes per second of prose; ASCII, so a character is a byte."""
    report.section("Throughput of the parser")
    for name, make, size, target in (
        ("prose, whole", inputs.prose, None, 300),
        ("prose, 4 KB chunks", inputs.prose, 4096, 100),
        ("prose with many <, whole", inputs.angled_prose, None, None),
        ("marked-up prose, whole", inputs.marked_up_prose, None, None),
        ("one file, whole", inputs.one_file, None, None),
        ("small tools, whole", inputs.small_tools, None, None),
    ):
        text = make(1_000_000)
        best = best_times({"parser": new_parser}, cut(text, size), rounds=3 if quick else 10)["parser"]
        rate = len(text) / best / 1e6
        measured = f"{rate:,.0f} MB/s"
        report.add(Row(name, measured) if target is None else Row(name, measured, f">= {target} MB/s", rate >= target))
