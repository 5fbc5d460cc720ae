"""What it costs to begin: to import the library, to make a handler, and to read one short reply with a new one.

A back end makes a handler for every reply, and most replies are short. What does not depend on the stream is made once
per process, so the first handler of a format is not counted, but in a table of its own: there every format is used for
the first time in a process, to read one call, and then handlers of it are made.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

from benchmarks import inputs
from benchmarks.models import writers
from benchmarks.report import Report, Row
from benchmarks.speed import ignore
from benchmarks.timing import no_garbage_collection
from streamparse import StreamingResponseHandler, ToolSpec, formats

_SIZE = 2_000
_LOOPS = 50
_ARGUMENTS = {"city": "Oslo", "days": 2}
_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}
_TOOL = ToolSpec("get_weather", _SCHEMA)
#: By format: in which one the call is written, and how many microseconds a reply may take.
_FORMATS = {"xml": ("xml", 90), "hermes": ("hermes", 95), "qwen3_coder": ("qwen3_coder", 125), "auto": ("hermes", 115)}

#: How many milliseconds the first call of a format may take in a process that has imported the library; how many
#: microseconds a handler of the format, from then on, and one of `auto`, which looks for all of them.
_FIRST, _HANDLER, _AUTO = 20, 60, 150
_FIRST_CALL = """
import sys
from time import process_time as now
from streamparse import ParserConfig, StreamingResponseHandler
name, text = sys.argv[1:]
start = now()
handler = StreamingResponseHandler(name, tools=[{"name": "get_weather"}], config=ParserConfig(reasoning="closed"))
for index in range(0, len(text), 4):
    handler.feed(text[index : index + 4])
handler.finalize()
first = now() - start
assert len(handler.invocations) == 1
times = []
for _ in range(200):
    start = now()
    StreamingResponseHandler(name)
    times.append(now() - start)
print(first * 1e3, min(times) * 1e6)
"""

#: How many milliseconds longer it may take to import the library than to import what it needs.
_IMPORT = 60
_NEEDED = (
    "import attrs, ast, bisect, codecs, collections.abc, contextlib, difflib, enum, functools, html, importlib, "
    "inspect, itertools, json, logging, marshal, math, os, re, types, typing"
)


def reply_in(name: str) -> str:
    """2 KB: prose, and one call at the end."""
    call = formats.get(name).render_call(_TOOL.name, _ARGUMENTS)
    return inputs.prose(_SIZE - len(call)) + call


def make(name: str) -> StreamingResponseHandler:
    """With invocations, one tool and one subscriber."""
    return StreamingResponseHandler(name, tools=[_TOOL], on_segment_event=ignore)


def read(name: str, reply: str) -> StreamingResponseHandler:
    """Make a handler, feed it all at once, and end it."""
    handler = make(name)
    handler.feed(reply)
    handler.finalize()
    return handler


def best_of(contestants: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Seconds of CPU for each, best of `rounds`; they take turns."""
    best = [float("inf")] * len(contestants)
    with no_garbage_collection():
        for _ in range(rounds):
            for index, run in enumerate(contestants):
                start = process_time()
                for _ in range(_LOOPS):
                    run()
                best[index] = min(best[index], (process_time() - start) / _LOOPS)
    return best


def import_time(code: str) -> float:
    """Seconds of CPU that `code` takes in a new process, whose own start is not counted."""
    timed = f"from time import process_time as now; start = now(); exec({code!r}); print(now() - start)"
    return float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout)


def first_use(name: str, text: str) -> tuple[float, float]:
    """Milliseconds for the first call in a new process, and microseconds for a handler behind it."""
    code = [sys.executable, "-c", _FIRST_CALL, name, text]
    first, handler = subprocess.run(code, capture_output=True, text=True, check=True).stdout.split()
    return float(first), float(handler)


def report_first_use(report: Report, *, quick: bool) -> None:
    """Every format that can write a call, and `auto`."""
    report.section("The first call of a format in a process, chunks of 4 characters; and a handler, from then on")
    known = [format for format in writers() if format.name != "llama3_code"]  # which has one tool, and no other
    texts = {format.name: format.render_call(_TOOL.name, _ARGUMENTS, tools=[_TOOL]) for format in known}
    for name, text in {**texts, "auto": texts["hermes"]}.items():
        times = [first_use(name, text) for _ in range(3 if quick else 10)]
        first, handler = (min(column) for column in zip(*times, strict=True))
        most = _AUTO if name == "auto" else _HANDLER
        is_met = (first < _FIRST or name == "auto") and handler < most
        report.add(Row(name, f"{first:.1f} ms, {handler:.0f} us", f"< {_FIRST} ms, {most} us", is_met))


def report_setup(report: Report, *, quick: bool) -> None:
    """Handlers and replies, first calls, then imports."""
    report.section(f"A handler for every reply of {_SIZE / 1000:.0f} KB with one call, fed whole")
    contestants: list[Callable[[], object]] = []
    for name, (written, _) in _FORMATS.items():
        handler = read(name, reply_in(written))
        assert [invocation.arguments for invocation in handler.invocations] == [_ARGUMENTS]
        contestants += [partial(make, name), partial(read, name, reply_in(written))]
    best = best_of(contestants, rounds=10 if quick else 40)
    for index, (name, (_, target)) in enumerate(_FORMATS.items()):
        made, whole = (seconds * 1e6 for seconds in best[2 * index : 2 * index + 2])
        report.add(Row(f"{name}: the handler", f"{made:.1f} us   ({made / whole:.2f} of the whole)"))
        report.add(Row(f"{name}: the handler and its reply", f"{whole:.1f} us", f"< {target} us", whole < target))

    report_first_use(report, quick=quick)

    report.section("Import, CPU time")
    codes = {
        "what the library needs": _NEEDED,
        "import streamparse": "import streamparse",
        "… and the parser of hermes": "import streamparse; streamparse.StreamingParser('hermes')",
        "… and that of auto, which is all formats": "import streamparse; streamparse.StreamingParser('auto')",
    }
    times = dict.fromkeys(codes, float("inf"))
    for _ in range(5 if quick else 20):
        for what, code in codes.items():
            times[what] = min(times[what], import_time(code) * 1e3)
    needed, *others = times.items()
    report.add(Row(needed[0], f"{needed[1]:.0f} ms"))
    for what, taken in others:
        more = taken - needed[1]
        is_met = more < _IMPORT if what == "import streamparse" else None
        report.add(Row(what, f"{more:.0f} ms more", "" if is_met is None else f"< {_IMPORT} ms", is_met))
