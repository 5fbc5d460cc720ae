"""How much is kept: one handler under a very long stream, and many that wait for their next token."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, repeat

from benchmarks import inputs
from benchmarks.report import Report, Row
from benchmarks.speed import ignore, new_handler
from benchmarks.verify import Parser, cut
from streamparse import StreamingResponseHandler

_CHUNK = 64
_HANDLERS = 1_000
#: Bytes that a handler which waits may keep.
_IDLE = 2_048


@contextmanager
def _traced() -> Iterator[Callable[[], tuple[int, int]]]:
    """A function that gives what is allocated now, and at the peak, above what was there when the block began."""
    gc.collect()
    tracemalloc.start()
    start, _ = tracemalloc.get_traced_memory()

    def above_start() -> tuple[int, int]:
        current, peak = tracemalloc.get_traced_memory()
        return current - start, peak - start

    try:
        yield above_start
    finally:
        tracemalloc.stop()


def peak_of_prose(size: int) -> int:
    """The peak in bytes while `size` characters of prose pass through one handler.

    The chunks exist before the measurement: they are the model's, not the handler's.
    """
    text = inputs.prose(100_000)
    chunks = cut(text, _CHUNK)
    handler = new_handler()
    with _traced() as now:
        for chunk in chain.from_iterable(repeat(chunks, size // len(text) + 1)):
            handler.feed(chunk)
        handler.finalize()
        return now()[1]


def bytes_per_handler(format: str, first_chunk: str = "") -> float:
    """The average of many handlers; the first of all is not counted, it compiles patterns that all of them share."""
    make = partial(StreamingResponseHandler, format, on_segment_event=ignore)
    make().feed(first_chunk or "x")
    with _traced() as now:
        handlers: list[Parser] = [make() for _ in range(_HANDLERS)]
        if first_chunk:
            for handler in handlers:
                handler.feed(first_chunk)
        gc.collect()
        return now()[0] / len(handlers)


def report_memory(report: Report, *, quick: bool) -> None:
    """Bytes, counted by tracemalloc."""
    report.section("Memory")
    megabytes = 10 if quick else 100
    peak = peak_of_prose(megabytes * 1_000_000) / 1e6
    report.add(Row(f"{megabytes} MB of prose, {_CHUNK}-character chunks", f"peak {peak:.3f} MB", "< 1 MB", peak < 1))
    for format in ("xml", "hermes", "qwen3_coder", "auto"):
        for name, chunk in (("idle handler", ""), ("inside text", "Hello"), ("inside a tag", "a <to")):
            size = bytes_per_handler(format, chunk)
            report.add(Row(f"{format}: {name}", f"{size:,.0f} bytes", f"< {_IDLE} bytes", size < _IDLE))
