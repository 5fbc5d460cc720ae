"""`streamparse demo`: a bundled reply, played token by token at the speed of a model."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from importlib.resources import files

from streamparse.cli.pump import Tally, pump
from streamparse.cli.tokens import tokens
from streamparse.cli.view import View
from streamparse.config import ToolSpec

TOKENS_PER_SECOND = 70.0

_TOOLS = [
    ToolSpec("search", {"properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}),
]


def play(view: View, speed: float = TOKENS_PER_SECOND) -> None:
    """Show the transcript in `view`, `speed` tokens a second (0: at once), then what came of it."""
    reply = tokens(transcript())
    tally = pump(_paced(reply, speed), view, ["xml"], tools=_TOOLS, invocations=True)
    view.say(summary(len(reply), tally))


def transcript() -> str:
    """The bundled reply."""
    return files("streamparse.cli").joinpath("transcript.txt").read_text(encoding="utf-8").removesuffix("\n")


def check_speed(speed: float) -> float:
    """`speed`, if it can be played; else a ValueError for the command line."""
    if speed == 0 or 0.1 <= speed < float("inf"):
        return speed
    raise ValueError("the speed is 0 (no pauses), or at least 0.1 tokens per second")


def summary(played: int, tally: Tally) -> str:
    """The closing remark."""
    by_status = ", ".join(f"{count} {status}" for status, count in sorted(tally.statuses.items()))
    return (
        f"{played} tokens, {tally.segments} segments, {tally.statuses.total()} calls: {by_status}.\n"
        "The last one was cut off: it is truncated, so nobody runs it."
    )


def _paced(pieces: Sequence[str], speed: float) -> Iterator[bytes]:
    """The pieces, each at its time; being late is made up for, so a slow terminal does not slow the stream down."""
    start = time.monotonic()
    for number, piece in enumerate(pieces):
        if speed:
            time.sleep(max(0.0, start + number / speed - time.monotonic()))
        yield piece.encode()
