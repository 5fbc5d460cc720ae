"""This library against the ResponseParser of transformers, in the environment that `sh benchmarks/peers.sh` makes.

That parser reads replies by a template of markers, and decodes the JSON of a call when it is closed. Both sides get the
same chunks of 4 characters of small calls of hermes, with and without text between them. It gives no status to a call,
knows neither code spans nor limits, and keeps the last one of several answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from transformers.utils.chat_parsing import ResponseParser
from transformers.utils.chat_parsing.response_templates import load_response_template

from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN, ignore
from benchmarks.timing import best_times
from benchmarks.verify import Parser, cut
from streamparse import StreamingParser, StreamingResponseHandler, formats

_CALLS = 200
_ROUNDS = 15
#: Compiled once, as an engine does.
_TEMPLATE = load_response_template(
    {
        "start_anchor": "<|im_start|>assistant\n",
        "fields": {
            "reasoning_content": {"open": "<think>", "close": "</think>"},
            "tool_calls": {
                "open_pattern": r"\s*<tool_call>",
                "close": "</tool_call>",
                "repeats": True,
                "content": "json",
                "transform": {"type": "function", "function": "{content}"},
            },
            "content": {"close_pattern": r"\s*(?:<\|im_end\|>|<\|endoftext\|>)"},
        },
    }
)


def _new_peer() -> Any:
    return ResponseParser(_TEMPLATE, prefix="")


def _new_handler() -> Parser:
    return StreamingResponseHandler("hermes", on_segment_event=ignore)


def _new_parser() -> Parser:
    return StreamingParser("hermes")


_CONTESTANTS: Mapping[str, Callable[[], Any]] = {"handler": _new_handler, "parser": _new_parser, "peer": _new_peer}


def small_calls(between: str) -> str:
    """Calls of hermes, each with two arguments."""
    hermes = formats.get("hermes")
    calls = (hermes.render_call("read_file", {"path": f"page {n}", "limit": n}) for n in range(_CALLS))
    return between.join(calls)


def check_peer_understands(text: str) -> None:
    """All calls must be seen on both sides, or the comparison is of two different things."""
    peer = _new_peer()
    peer.feed(text)
    message, _ = peer.finalize()
    handler = StreamingResponseHandler("hermes")
    handler.feed(text)
    handler.finalize()
    ours = [(call.name, call.arguments) for call in handler.invocations]
    theirs = [(call["function"]["name"], call["function"]["arguments"]) for call in message["tool_calls"]]
    if ours != theirs or len(ours) != _CALLS:
        raise AssertionError("the calls differ")


def main() -> None:
    """One row per input and level."""
    report = Report()
    report.section(f"Times as fast as transformers' ResponseParser, {_CALLS} small calls, chunks of {TOKEN} characters")
    for name, between in {"calls alone": "\n", "calls and text": "\n\nNow the next page of them.\n\n"}.items():
        text = small_calls(between)
        check_peer_understands(text)
        chunks = cut(text, TOKEN)
        best = best_times(_CONTESTANTS, chunks, _ROUNDS)
        for level in ("handler", "parser"):
            each = [f"{best[side] / _CALLS * 1e6:.0f}" for side in (level, "peer")]
            measured = f"{best['peer'] / best[level]:.2f} x   ({each[0]} / {each[1]} us per call)"
            report.add(Row(f"{name}, {level}{' with invocations' if level == 'handler' else ''}", measured))
    report.summary()


if __name__ == "__main__":
    main()
