"""This library against autobyteus: `sh benchmarks/peers.sh` makes the environment and runs this.

autobyteus parses the same tags into the same kind of events. Both sides get the same chunks of 4 characters: parser
against parser, and handler with one subscriber against handler with one subscriber. Its cost per feed grows with
the length of the segment it is in, so each input is measured at two lengths; the longer one is a big file.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from benchmarks import inputs
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN, ignore, new_handler, new_parser
from benchmarks.timing import best_times
from benchmarks.verify import Parser, collect, cut

logging.disable()  # importing it reports every package that is not installed
from autobyteus.agent.streaming.handlers.parsing_streaming_response_handler import (  # noqa: E402
    ParsingStreamingResponseHandler,
)
from autobyteus.agent.streaming.parser.streaming_parser import StreamingParser as PeerParser  # noqa: E402

logging.disable(logging.NOTSET)

_TARGET = 10.0
_SIZES = (20_000, 200_000)  # characters
_ROUNDS = (30, 5)  # the short streams are the ones that noise disturbs
_INPUTS: Mapping[str, Callable[[int], str]] = {
    "prose": inputs.prose,
    "prose with many <": inputs.angled_prose,
    "one file": inputs.one_file,
}


def _new_peer_handler() -> Parser:
    return ParsingStreamingResponseHandler(on_segment_event=ignore, parser_name="xml")


_PAIRS: Mapping[str, Mapping[str, Callable[[], Parser]]] = {
    "parser": {"this": new_parser, "autobyteus": PeerParser},
    "handler": {"this": new_handler, "autobyteus": _new_peer_handler},
}


def check_peer_understands() -> None:
    """The file must be a file on both sides, or the comparison is of two different things."""
    chunks = cut(inputs.one_file(2_000), TOKEN)
    for make in _PAIRS["parser"].values():
        types = [str(getattr(event.segment_type, "value", event.segment_type)) for event in collect(make(), chunks)]
        if "write_file" not in types:
            raise AssertionError(f"{make} did not see the file: {types[:5]}")


def main() -> None:
    """One row per input, level and length."""
    check_peer_understands()
    report = Report()
    report.section(f"Times as fast as autobyteus, chunks of {TOKEN} characters")
    for name, make in _INPUTS.items():
        for level, contestants in _PAIRS.items():
            for size, rounds in zip(_SIZES, _ROUNDS, strict=True):
                chunks = cut(make(size), TOKEN)
                best = best_times(contestants, chunks, rounds)
                ratio = best["autobyteus"] / best["this"]
                each = [f"{best[side] / len(chunks) * 1e6:.2f}" for side in ("this", "autobyteus")]
                report.add(
                    Row(
                        f"{name}, {level}, {size // 1000} KB",
                        f"{ratio:.1f} x   ({each[0]} / {each[1]} us per feed)",
                        f">= {_TARGET:.0f} x",
                        ratio >= _TARGET,
                    )
                )
    report.summary()


if __name__ == "__main__":
    main()
