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
from streamparse import ParserConfig, StreamingParser, ToolSpec, formats

#: How many times the prose of xml the prose of another format may cost; of `auto`, which looks for all of them.
_PROSE, _AUTO = 1.5, 2.0
_MICROSECONDS = 3.0  # per 4 characters of an argument
_SIZES = (50_000, 100_000, 200_000)
_CALLS = 200


def writers() -> list[formats.Format]:
    """The formats that say how a call is written."""
    known = [formats.get(name) for name in formats.names()]
    return [format for format in known if format.prompt is not None]


#: Whatever the prompt may have begun, what is fed begins in text.
_CLOSED = ParserConfig(reasoning="closed")


#: Where names are looked up, the one that is called must be declared.
_SEARCH = ToolSpec("search", {"properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}})


#: With declared tools, JSON that calls one of them is looked for as well.
_AUTO_WITH_TOOLS = "auto, with tools"


def _new(name: str) -> Callable[[], Parser]:
    if name == _AUTO_WITH_TOOLS:
        return partial(StreamingParser, "auto", _CLOSED, tools=[_SEARCH])
    return partial(StreamingParser, name, _CLOSED, tools=[_SEARCH] if formats.get(name).tools else ())


def report_models(report: Report, *, quick: bool) -> None:
    """Prose, then calls, then many tools."""
    _report_prose(report, rounds=5 if quick else 15)
    _report_calls(report, rounds=2 if quick else 5)
    _report_tools(report, rounds=5 if quick else 15)


def _report_prose(report: Report, rounds: int) -> None:
    names = [*(name for name in formats.names() if name not in ("xml", "native")), _AUTO_WITH_TOOLS]
    for what, text in (
        ("Prose", inputs.prose(100_000)),
        ("Prose with brackets, code and lists", inputs.technical(60_000)),
        ("Prose full of brackets", inputs.bracketed_prose(60_000)),
    ):
        report.section(f"{what} in every format, times the same in xml, chunks of {TOKEN} characters")
        chunks = cut(text, TOKEN)
        best = best_times({name: _new(name) for name in ("xml", *names)}, chunks, rounds)
        for name in names:
            ratio, target = best[name] / best["xml"], _AUTO if name.startswith("auto") else _PROSE
            measured = f"{ratio:.2f} x   ({best[name] / len(chunks) * 1e6:.2f} us per feed)"
            report.add(Row(name, measured, f"<= {target} x", ratio <= target))


def _report_calls(report: Report, rounds: int) -> None:
    report.section(f"{_CALLS} small calls, and one with a string of 200 KB, chunks of {TOKEN} characters")
    for format in writers():
        make = _new(format.name)
        small = cut(" Next: ".join(_call(format, f"page {number}") for number in range(_CALLS)), TOKEN)
        per_call = min(time_stream(make, small) for _ in range(rounds)) / _CALLS * 1e6
        streams = [cut(_call(format, inputs.source_code(size).strip()), TOKEN) for size in _SIZES]
        times = [min(time_stream(make, chunks) for _ in range(rounds)) for chunks in streams]
        factor = max(longer / shorter for shorter, longer in pairwise(times))
        cost = times[-1] / len(streams[-1]) * 1e6
        measured = f"{per_call:.0f} us per call, {cost:.2f} us per chunk ({factor:.2f} x)"
        is_met = cost <= _MICROSECONDS and factor <= FACTOR * NOISE
        report.add(Row(format.name, measured, f"<= {_MICROSECONDS:.0f} us, {FACTOR:.0f} x", is_met))


def _report_tools(report: Report, rounds: int) -> None:
    report.section("cline with 1,000 tools, one of them with 1,000 parameters, times the same with 10 of each")
    call = (
        "a < b <tool_1>\n<name_2>ls <b> x</name_2>\n<content>\n" + inputs.source_code(4_000) + "\n</content>\n</tool_1>"
    )
    chunks = cut(call * 20, TOKEN)
    made = {count: partial(StreamingParser, "cline", tools=_many_tools(count)) for count in (10, 1_000)}
    best = best_times({str(count): make for count, make in made.items()}, chunks, rounds)
    ratio = best["1000"] / best["10"]
    measured = f"{ratio:.2f} x   ({best['1000'] / len(chunks) * 1e6:.2f} us per feed)"
    report.add(Row("calls", measured, f"<= {_PROSE} x", ratio <= _PROSE))


def _many_tools(count: int) -> list[ToolSpec]:
    names = [f"name_{number}" for number in range(count)]
    specs = [ToolSpec(f"tool_{number}", {"properties": {"content": {}}}) for number in range(count) if number != 1]
    return [*specs, ToolSpec("tool_1", {"properties": dict.fromkeys(["content", *names], True)})]


def _call(format: formats.Format, text: str) -> str:
    if format.prompt is not None and format.prompt.example is not None:  # it has only one tool, with one argument
        name, arguments = format.prompt.example
        return format.render_call(name, dict.fromkeys(arguments, text))
    return format.render_call("search", {"query": text, "limit": 5})
