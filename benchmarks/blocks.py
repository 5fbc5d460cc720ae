"""What the view in blocks costs: against the parser that gives events, at lengths that double, and with limits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time

from benchmarks import inputs
from benchmarks.growth import FACTOR, NOISE, measure
from benchmarks.inputs import Family
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.timing import best_times
from benchmarks.verify import cut
from streamparse import StreamingParser
from streamparse.blocks import AssistantMessageParser, ToolUse

_RATIO = 3.0
_TOOLS_RATIO = 1.25  # 1,000 declared tools against 10: nothing but noise
_SIZES = (2_500_000, 5_000_000, 10_000_000)
_LIMIT = 20_000_000

#: The format, what is streamed in it.
_CASES: tuple[tuple[str, str, Callable[[int], str]], ...] = (
    ("xml", "prose", inputs.prose),
    ("xml", "prose with many <", inputs.angled_prose),
    ("xml", "one file", inputs.one_file),
    ("xml", "one long argument", inputs.one_argument),
    ("xml", "small tools", inputs.small_tools),
    ("cline", "prose", inputs.prose),
    ("cline", "one file", inputs.one_cline_file),
    ("cline", "small tools", inputs.small_cline_tools),
)


class BlockParser(AssistantMessageParser):
    """What is timed has a `feed`."""

    feed = AssistantMessageParser.process_chunk


def report_blocks(report: Report, *, quick: bool) -> None:
    """Ratios, growth, limits, tools, and what it takes to look."""
    rounds = 7 if quick else 25
    _report_ratios(report, rounds)
    _report_growth(report, quick)
    _report_tools(report, rounds)
    _report_reading(report)


def _report_ratios(report: Report, rounds: int) -> None:
    report.section(f"Blocks against the parser of events, chunks of {TOKEN} characters")
    for format, name, make in _CASES:
        chunks = cut(make(100_000), TOKEN)
        limited = partial(BlockParser, format, max_message=_LIMIT, max_parameter=_LIMIT)
        contestants = {
            "parser": partial(StreamingParser, format),
            "blocks": partial(BlockParser, format),
            "limited": limited,
        }
        best = best_times(contestants, chunks, rounds)
        ratio = best["blocks"] / best["parser"]
        each = {side: f"{time / len(chunks) * 1e6:.2f}" for side, time in best.items()}
        measured = f"{ratio:.2f} x   ({each['blocks']} / {each['parser']} us per chunk)"
        report.add(Row(f"{format}: {name}", measured, f"<= {_RATIO:.0f} x", ratio <= _RATIO))
        report.add(Row(f"{format}: {name}, with both limits set", f"{each['limited']} us per chunk"))


def _report_growth(report: Report, quick: bool) -> None:
    sizes = tuple(size // 10 for size in _SIZES) if quick else _SIZES
    report.section(f"Blocks of a reply of {sizes[-1]:,} characters, time when it doubles")
    for format, name, make in _CASES:
        factor, cost = measure(Family(name, make, sizes=sizes), TOKEN, 0.1, partial(BlockParser, format))
        measured = f"{factor:.2f} x   ({cost:.2f} us per chunk)"
        report.add(Row(f"{format}: {name}", measured, f"<= {FACTOR:.0f} x", factor <= FACTOR * NOISE))


def _report_tools(report: Report, rounds: int) -> None:
    report.section("Blocks with 1,000 declared tools of 10 parameters, against 10 tools")
    for format, name, make in _CASES:
        chunks = cut(make(200_000), TOKEN)
        best = best_times(
            {str(count): partial(_stream, BlockParser(format, tools=_tools(count))) for count in (10, 1000)},
            chunks,
            rounds,
        )
        ratio = best["1000"] / best["10"]
        measured = f"{ratio:.2f} x   ({best['1000'] / len(chunks) * 1e6:.2f} us per chunk)"
        report.add(Row(f"{format}: {name}", measured, f"<= {_TOOLS_RATIO} x", ratio <= _TOOLS_RATIO))


def _stream(parser: BlockParser) -> BlockParser:
    """The same parser for a new reply: to declare tools is not what is timed."""
    parser.reset()
    return parser


def _tools(count: int) -> list[dict[str, object]]:
    properties = {f"parameter_{number}": {"type": "string"} for number in range(10)}
    return [{"name": f"tool_{number}", "parameters": {"properties": properties}} for number in range(count)]


def _report_reading(report: Report) -> None:
    report.section("To look at 1 MB: content or params, when more has come")
    for format, name, make in _CASES:
        parser = BlockParser(format)
        for chunk in cut(make(1_000_000), TOKEN)[:-4]:
            parser.feed(chunk)
        start = process_time()
        for block in parser.blocks:
            block.params if isinstance(block, ToolUse) else block.to_dict()
        report.add(Row(f"{format}: {name}, {len(parser.blocks):,} blocks", f"{(process_time() - start) * 1e3:.1f} ms"))
