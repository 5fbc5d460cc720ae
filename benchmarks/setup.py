"""What it costs to begin: to import the library, to make a handler, and to read one short reply with a new one.

A back end makes a handler for every reply, and most replies are short. What does not depend on the stream is made once
per process, so the first handler of a format is not counted.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

from benchmarks import inputs
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


def report_setup(report: Report, *, quick: bool) -> None:
    """Handlers and replies, then imports."""
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
