"""What it costs to ask for the arguments of a call after every chunk of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from benchmarks.growth import FACTOR, NOISE, measure
from benchmarks.inputs import Family, one_argument, one_file
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.timing import best_times
from benchmarks.verify import Parser, cut
from streamparse import StreamingResponseHandler
from streamparse.events import SegmentEvent

_SIZES = (250_000, 500_000, 1_000_000)
_MICROSECONDS = 15.0  # per chunk, feeding included
_STRINGS = (300, 1_000, 5_000, 10_000, 80_000)
_MORE = 4.0  # per chunk, than unasked
_LINE = 'def f(x):\n    return "é" + x  # what is in a file\n'


class SilentHandler:
    """One that does not ask, with the same calls around it."""

    def __init__(self, formats: str) -> None:
        self._handler = StreamingResponseHandler(formats)

    def feed(self, chunk: str, /) -> list[SegmentEvent]:
        return self._handler.feed(chunk)

    def finalize(self) -> list[SegmentEvent]:
        return self._handler.finalize()


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


#: What stands before a long string, by the format; in some, it is written as JSON.
_IN_TAGS = {
    "qwen3_coder": "<tool_call>\n<function=f>\n<parameter=path>a.py</parameter>\n<parameter=text>\n",
    "glm45": "<tool_call>f\n<arg_key>path</arg_key>\n<arg_value>a.py</arg_value>\n<arg_key>text</arg_key>\n<arg_value>",
    "xml": '<tool name="f"><arg name="path">a.py</arg><arg name="text">',
    "cline": "<new_task>\n<context>",
}
_IN_JSON = {
    "hermes": '<tool_call>\n{"name": "f", "arguments": ',
    "json": '{"name": "f", "arguments": ',
    "harmony": "<|channel|>commentary to=functions.f<|message|>",
}


def _long_string(format: str, size: int) -> str:
    """A call that is cut off in a string of `size` characters."""
    text = (_LINE * (size // len(_LINE) + 1))[:size]
    if format in _IN_TAGS:
        return _IN_TAGS[format] + text
    return _IN_JSON[format] + json.dumps({"path": "a.py", "text": text}, ensure_ascii=False)


def _report_one_string(report: Report, *, quick: bool) -> None:
    """What the question alone costs, for calls as they are."""
    sizes = _STRINGS[:2] if quick else _STRINGS
    lengths = ", ".join(f"{size:,}" for size in sizes)
    report.section(f"One string of {lengths} characters: microseconds per chunk, more than unasked")
    for format in (*_IN_JSON, *_IN_TAGS):
        asking: Callable[[], Parser] = partial(AskingHandler, format)
        silent: Callable[[], Parser] = partial(SilentHandler, format)
        costs = []
        for size in sizes:
            chunks = cut(_long_string(format, size), TOKEN)
            times = best_times({"asking": asking, "silent": silent}, chunks, 3 if quick else 9)
            costs.append((times["asking"] - times["silent"]) / len(chunks) * 1e6)
        measured = ", ".join(f"{cost:.2f}" for cost in costs)
        report.add(Row(format, measured, f"<= {_MORE:.0f} us", max(costs) <= _MORE))


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
    _report_one_string(report, quick=quick)
