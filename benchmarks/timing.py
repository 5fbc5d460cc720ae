"""CPU time, best of N, contestants taking turns.

The machine is never quiet: another process slows down everything for a second, the clock rate drifts. Time that is
not ours is left out by `process_time`, bad seconds by taking the best of several rounds, drift by letting every
contestant run once in every round. What remains is only meaningful as a ratio within one run.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import process_time

from benchmarks.verify import Parser

#: Shorter runs are repeated until they take this long: the clock and the loop around them must not matter.
_SHORTEST = 0.004


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """As `timeit` does: a collection would be charged to whoever happens to allocate at that moment."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def time_stream(make: Callable[[], Parser], chunks: Sequence[str]) -> float:
    """Seconds of CPU for one stream through a new parser; events are dropped, as a chat back end drops them."""
    loops = 0
    with no_garbage_collection():
        start = process_time()
        while True:
            parser = make()
            feed = parser.feed
            for chunk in chunks:
                feed(chunk)
            parser.finalize()
            loops += 1
            passed = process_time() - start
            if passed >= _SHORTEST:
                return passed / loops


def best_times(contestants: Mapping[str, Callable[[], Parser]], chunks: Sequence[str], rounds: int) -> dict[str, float]:
    """The best time of each contestant over the same chunks, in `rounds` rounds of one run each."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, make in contestants.items():
            best[name] = min(best[name], time_stream(make, chunks))
    return best
