"""What the formats of models cost: prose in each of them, small calls, and one call with a very long argument."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

from benchmarks import inputs
from benchmarks.growth import FACTOR, NOISE
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.timing import best_times, time_stream
from benchmarks.verify import Parser, cut
from streamparse import ParserConfig, StreamingParser, formats

#: How many times the prose of xml the prose of another format may cost; of `auto`, which looks for all of them.
_PROSE, _AUTO = 1.5, 2.0
_MICROSECONDS = 3.0  # per 4 characters of an argument
_SIZES = (50_000, 100_000, 200_000)
_CALLS = 200


def _written() -> list[formats.Format]:
    """The formats that say how a call is written."""
    known = [formats.get(name) for name in formats.names()]
    return [format for format in known if format.prompt is not None]


#: Whatever the prompt may have begun, what is fed begins in text.
_CLOSED = ParserConfig(reasoning="closed")


def _new(name: str) -> Callable[[], Parser]:
    return partial(StreamingParser, name, _CLOSED)


def report_models(report: Report, *, quick: bool) -> None:
    """Prose, then calls."""
    _report_prose(report, rounds=5 if quick else 15)
    _report_calls(report, rounds=2 if quick else 5)


def _report_prose(report: Report, rounds: int) -> None:
    names = [name for name in formats.names() if name not in ("xml", "native")]
    for what, text in (
        ("Prose", inputs.prose(100_000)),
        ("Prose with brackets, code and lists", inputs.technical(60_000)),
    ):
        report.section(f"{what} in every format, times the same in xml, chunks of {TOKEN} characters")
        chunks = cut(text, TOKEN)
        best = best_times({name: _new(name) for name in ("xml", *names)}, chunks, rounds)
        for name in names:
            ratio, target = best[name] / best["xml"], _AUTO if name == "auto" else _PROSE
            measured = f"{ratio:.2f} x   ({best[name] / len(chunks) * 1e6:.2f} us per feed)"
            report.add(Row(name, measured, f"<= {target} x", ratio <= target))


def _report_calls(report: Report, rounds: int) -> None:
    report.section(f"{_CALLS} small calls, and one with a string of 200 KB, chunks of {TOKEN} characters")
    for format in _written():
        make = _new(format.name)
        small = cut(" Next: ".join(_call(format, f"page {number}") for number in range(_CALLS)), TOKEN)
        per_call = min(time_stream(make, small) for _ in range(rounds)) / _CALLS * 1e6
        streams = [cut(_call(format, inputs.source_code(size)), TOKEN) for size in _SIZES]
        times = [min(time_stream(make, chunks) for _ in range(rounds)) for chunks in streams]
        factor = max(longer / shorter for shorter, longer in pairwise(times))
        cost = times[-1] / len(streams[-1]) * 1e6
        measured = f"{per_call:.0f} us per call, {cost:.2f} us per chunk ({factor:.2f} x)"
        is_met = cost <= _MICROSECONDS and factor <= FACTOR * NOISE
        report.add(Row(format.name, measured, f"<= {_MICROSECONDS:.0f} us, {FACTOR:.0f} x", is_met))


def _call(format: formats.Format, text: str) -> str:
    if format.prompt is not None and format.prompt.example is not None:  # it has only one tool, with one argument
        name, arguments = format.prompt.example
        return format.render_call(name, dict.fromkeys(arguments, text))
    return format.render_call("search", {"query": text, "limit": 5})
