"""What it costs to ask for the arguments of a call after every chunk of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from benchmarks.growth import FACTOR, NOISE, measure
from benchmarks.inputs import Family, one_argument, one_file
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.verify import Parser
from streamparse import StreamingResponseHandler
from streamparse.events import SegmentEvent

_SIZES = (250_000, 500_000, 1_000_000)
_MICROSECONDS = 15.0  # per chunk, feeding included
_LINE = 'def f(x):\n    return "é" + x  # what is in a file\n'


class AskingHandler:
    """A live UI: it asks after every chunk."""

    def __init__(self, formats: str) -> None:
        self._handler = StreamingResponseHandler(formats)

    def feed(self, chunk: str, /) -> list[SegmentEvent]:
        events = self._handler.feed(chunk)
        self._handler.partial_arguments("seg_1")
        return events

    def finalize(self) -> list[SegmentEvent]:
        return self._handler.finalize()


def _json_call(arguments: Callable[[int], object], size: int) -> str:
    """A call of about `size` characters; it is cut off, so that the last snapshot is as long as it gets."""
    return json.dumps({"name": "f", "arguments": arguments(size)})[:size]


def _one_string(size: int) -> object:
    return {"path": "a.py", "content": _LINE * (size // len(_LINE))}


def _small_objects(size: int) -> object:
    return {"items": [{"id": number, "name": f"n{number}", "ok": True} for number in range(size // 30)]}


def _deep_objects(size: int) -> object:
    return {"rows": [{"a": {"b": {"c": [number]}}, "d": [[1], [2, [3]]]} for number in range(size // 40)]}


def _many_names(size: int) -> object:
    return {f"name{number}": number for number in range(size // 15)}


def _xml_call(unit: str, before: str, size: int) -> str:
    return f'<tool name="x">{before}' + "".join(unit.format(number) for number in range(size // len(unit)))


#: The format, what is streamed in it, and whether a model would write that.
_CALLS = (
    ("json", "one long string", partial(_json_call, _one_string), True),
    ("json", "many small objects", partial(_json_call, _small_objects), True),
    ("json", "nested objects", partial(_json_call, _deep_objects), False),
    ("json", "many names", partial(_json_call, _many_names), False),
    ("xml", "one long argument", one_argument, True),
    ("xml", "many arguments", partial(_xml_call, '<arg name="a{0}">some text</arg>\n', ""), False),
    ("xml", "many items", partial(_xml_call, "<item>some text</item>\n", '<arg name="a">'), True),
    ("xml", "one file", one_file, True),
)


def report_partial(report: Report, *, quick: bool) -> None:
    """Microseconds per chunk, feeding included, next to those of a handler that no one asks."""
    sizes = tuple(size // 4 for size in _SIZES) if quick else _SIZES
    report.section(f"Arguments asked for after every chunk of {TOKEN} characters, {sizes[-1]:,} characters of them")
    for format, name, make, is_usual in _CALLS:
        family = Family(name, make, sizes=sizes)
        asking: Callable[[], Parser] = partial(AskingHandler, format)
        silent: Callable[[], Parser] = partial(StreamingResponseHandler, format)
        factor, cost = measure(family, TOKEN, 0.03 if quick else 0.3, asking)
        _, without = measure(family, TOKEN, 0.03, silent)
        measured = f"{factor:.2f} x   ({cost:.2f} us per chunk, {without:.2f} unasked)"
        target = f"<= {FACTOR:.0f} x, {_MICROSECONDS:.0f} us" if is_usual else f"<= {FACTOR:.0f} x"
        is_met = factor <= FACTOR * NOISE and (cost <= _MICROSECONDS or not is_usual)
        report.add(Row(f"{format}: {name}", measured, target, is_met))
