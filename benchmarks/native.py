"""What native calls cost: pieces of arguments in a provider's chunks, each read, decoded and shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from openai._models import construct_type
from openai.types.chat import ChatCompletionChunk

from benchmarks import inputs
from benchmarks.growth import FACTOR, NOISE
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.timing import time_stream
from benchmarks.verify import cut
from streamparse import Chunk, StreamingResponseHandler

Wire: TypeAlias = Callable[[Sequence[str]], list[Any]]

_MICROSECONDS = 3.0
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
    "OpenAI chat, dicts": _as_chat,
    "OpenAI chat, the SDK's objects": _as_openai,
    "Anthropic, dicts": _as_anthropic,
    "Chunk": _as_chunks,
}


def _arguments(content: str) -> list[str]:
    return cut(json.dumps({"path": "a.py", "content": content}), TOKEN)


def _new() -> StreamingResponseHandler:
    return StreamingResponseHandler("native")


def _measure(
    wire: Callable[[Sequence[str]], list[Any]], make: Callable[[int], str], rounds: int
) -> tuple[float, float]:
    """The worst factor of the doublings, and the microseconds per delta at the greatest length."""
    streams = [wire(_arguments(make(size))) for size in _SIZES]
    times = [min(time_stream(_new, chunks) for _ in range(rounds)) for chunks in streams]
    return max(longer / shorter for shorter, longer in pairwise(times)), times[-1] / len(streams[-1]) * 1e6


def report_native(report: Report, *, quick: bool) -> None:
    """A file of a megabyte, in argument deltas of a token's size."""
    report.section(f"A native write_file of 1 MB, argument deltas of {TOKEN} characters, through the handler")
    cases = [(f"{name}, source code", wire, inputs.source_code) for name, wire in _WIRES.items()]
    cases.append(("OpenAI chat, dicts, backslashes alone", _as_chat, lambda size: "\\" * (size // 2)))
    for name, wire, make in cases:
        factor, cost = _measure(wire, make, rounds=2 if quick else 5)
        is_met = cost <= _MICROSECONDS and factor <= FACTOR * NOISE
        measured = f"{cost:.2f} us per delta   ({factor:.2f} x)"
        report.add(Row(name, measured, f"<= {_MICROSECONDS:.0f} us, {FACTOR:.0f} x", is_met))
