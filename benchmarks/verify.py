"""Events are compared merged: what a chunking may change is only where one delta ends and the next begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from streamparse.events import SegmentEvent


class Parser(Protocol):
    """What is measured here: this library's parser and handler, the fused baseline, a peer."""

    def feed(self, chunk: str, /) -> list[SegmentEvent]: ...

    def finalize(self) -> list[SegmentEvent]: ...


def cut(text: str, size: int | None) -> list[str]:
    """`text` in chunks of `size` characters; None: whole."""
    return [text] if size is None else [text[at : at + size] for at in range(0, len(text), size)]


def collect(parser: Parser, chunks: Iterable[str]) -> list[SegmentEvent]:
    """Every event of the stream."""
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    return events + parser.finalize()


def merged(events: Iterable[SegmentEvent]) -> list[dict[str, object]]:
    """The wire form of the events, adjacent deltas of a segment joined."""
    result: list[dict[str, object]] = []
    deltas: list[str] = []
    for event in events:
        if event.delta:
            if not deltas:
                result.append({"type": str(event.type), "segment_id": event.segment_id})
            deltas.append(event.delta)
            continue
        if deltas:
            result[-1]["delta"] = "".join(deltas)
            deltas = []
        result.append(event.to_dict())
    return result


def check_same_events(name: str, text: str, make: Callable[[], Parser], baseline: Callable[[], Parser]) -> None:
    """Raise AssertionError unless both give the same merged events, in the chunks that are timed and in others.

    A baseline that does less work than it says would make every ratio look bad, one that does more would make it
    look good.
    """
    expected = merged(collect(baseline(), [text]))
    for size in (None, 1, 4, 7, 4096):
        for side, maker in (("library", make), ("baseline", baseline)):
            found = merged(collect(maker(), cut(text, size)))
            if found == expected:
                continue
            pairs = zip(expected, found, strict=False)
            first = next((i for i, (want, got) in enumerate(pairs) if want != got), min(len(expected), len(found)))
            raise AssertionError(
                f"{name}, chunks of {size}: the {side} differs from the baseline fed whole at event {first}:\n"
                f"  expected {str(expected[first : first + 2])[:400]}\n  found    {str(found[first : first + 2])[:400]}"
            )
