"""What native calls cost: pieces of arguments in a provider's chunks, each read, decoded and shown.

Chunks are made a few at a time, as they come from a network, and making them is not counted: a million of them at once
would be 300 MB, and fetching those from memory a quarter of the time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from time import process_time
from typing import Any, TypeAlias

from openai._models import construct_type
from openai.types.chat import ChatCompletionChunk

from benchmarks import inputs
from benchmarks.growth import FACTOR, NOISE
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.timing import no_garbage_collection
from benchmarks.verify import cut
from streamparse import Chunk, StreamingResponseHandler

Wire: TypeAlias = Callable[[Sequence[str]], list[Any]]

_MICROSECONDS = 3.0
#: What reading an SDK's object may cost, of what the SDK takes to make it.
_SHARE = 0.1
#: Chunks that are made at a time.
_BLOCK = 64
_SIZES = (250_000, 500_000, 1_000_000)


def _chat(call: dict[str, Any]) -> dict[str, Any]:
    delta = {"tool_calls": [{"index": 0, **call}]}
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def _as_chat(pieces: Sequence[str]) -> list[Any]:
    first = _chat({"id": "c", "function": {"name": "write_file", "arguments": ""}})
    return [first, *(_chat({"function": {"arguments": piece}}) for piece in pieces)]


def _as_openai(pieces: Sequence[str]) -> list[Any]:
    return [construct_type(value=chunk, type_=ChatCompletionChunk) for chunk in _as_chat(pieces)]


def _as_anthropic(pieces: Sequence[str]) -> list[Any]:
    block = {"type": "tool_use", "id": "t", "name": "write_file", "input": {}}
    start = {"type": "content_block_start", "index": 0, "content_block": block}
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return [start, *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas)]


def _as_chunks(pieces: Sequence[str]) -> list[Any]:
    first = Chunk(tool_calls=[{"index": 0, "id": "c", "name": "write_file"}])
    return [first, *(Chunk(tool_calls=[{"index": 0, "arguments": piece}]) for piece in pieces)]


_WIRES: dict[str, Wire] = {
    "OpenAI chat": _as_chat,
    "Anthropic": _as_anthropic,
    "Chunk": _as_chunks,
}


def _arguments(content: str) -> list[str]:
    return cut(json.dumps({"path": "a.py", "content": content}), TOKEN)


def _time(wire: Wire, pieces: Sequence[str]) -> tuple[list[float], float]:
    """Seconds of CPU for each block of pieces through a new handler, and for making all of their chunks."""
    handler = StreamingResponseHandler("native")
    handler.feed(wire(())[0])
    feed = handler.feed
    blocks: list[float] = []
    made = 0.0
    with no_garbage_collection():
        for start in range(0, len(pieces), _BLOCK):
            before = process_time()
            chunks = wire(pieces[start : start + _BLOCK])[1:]
            between = process_time()
            for chunk in chunks:
                feed(chunk)
            blocks.append(process_time() - between)
            made += between - before
        before = process_time()
        handler.finalize()
        blocks.append(process_time() - before)
    return blocks, made


def _measure(wire: Wire, make: Callable[[int], str], rounds: int) -> tuple[float, float, float]:
    """The worst factor of the doublings; microseconds per delta at the greatest length, and those of making it.

    Of each block the best of all rounds counts: then a bad second of the machine costs nothing.
    """
    streams = [_arguments(make(size)) for size in _SIZES]
    times = [[_time(wire, pieces) for _ in range(rounds)] for pieces in streams]
    read = [sum(map(min, zip(*(blocks for blocks, _ in several), strict=True))) for several in times]
    scale = 1e6 / len(streams[-1])
    made = min(seconds for _, seconds in times[-1])
    return max(longer / shorter for shorter, longer in pairwise(read)), read[-1] * scale, made * scale


def report_native(report: Report, *, quick: bool) -> None:
    """A file of a megabyte, in argument deltas of a token's size."""
    report.section(f"A native write_file of 1 MB, argument deltas of {TOKEN} characters, through the handler")
    rounds = 3 if quick else 5
    linear = FACTOR * NOISE
    for name, wire in _WIRES.items():
        factor, cost, _ = _measure(wire, inputs.source_code, rounds)
        is_met = cost <= _MICROSECONDS and factor <= linear
        measured = f"{cost:.2f} us per delta   ({factor:.2f} x)"
        report.add(Row(name, measured, f"<= {_MICROSECONDS:.0f} us, {FACTOR:.0f} x", is_met))
    factor, cost, made = _measure(_as_openai, inputs.source_code, rounds)
    measured = f"{cost:.2f} us per delta   ({factor:.2f} x), which the SDK made in {made:.0f} us"
    is_met = cost <= made * _SHARE and factor <= linear
    report.add(Row("OpenAI chat, the SDK's objects", measured, f"<= {_SHARE:.0%} of that, {FACTOR:.0f} x", is_met))
    factor, cost, _ = _measure(_as_chat, lambda size: "\\" * (size // 2), rounds)
    measured = f"{cost:.2f} us per delta   ({factor:.2f} x)"
    report.add(Row("OpenAI chat, backslashes alone", measured, f"{FACTOR:.0f} x", factor <= linear))
