"""Where the random tests get their chance from, in one place.

The suite always tries the same documents. `make fuzz` tries others, and more of them: it draws a seed, prints it, and
with that seed everything is the same again.

    STREAMPARSE_SEED=7     other documents than those of the suite, which are those of 0
    STREAMPARSE_TIMES=16   that many times as many

A test asks for `rng(…)` with a key of its own, or for a `series(…)` of seeds where each makes a case; how many it tries
is `times(…)` what the suite does. Hypothesis follows by the profiles in `conftest.py`.
"""

from __future__ import annotations

import os
import random

SEED = int(os.environ.get("STREAMPARSE_SEED", "0"))
TIMES = int(os.environ.get("STREAMPARSE_TIMES", "1"))
IS_FUZZ = SEED != 0 or TIMES != 1

#: How to get the same once more.
AGAIN = (
    f"the same once more: make fuzz SEED={SEED} TIMES={TIMES}   (one test: … FUZZ=tests/properties/test_x.py::test_y)"
)


def times(usual: int) -> int:
    """How many cases to try: in the suite a third of what is `usual`, because it has to be fast."""
    return usual * TIMES if IS_FUZZ else (usual + 2) // 3


def rng(key: int | str) -> random.Random:
    """A source of random choices: the same for the same key and seed."""
    return random.Random(f"{key} of {SEED}" if SEED else key)


def series(count: int, part: int = 0) -> range:
    """`count` seeds, each of which makes a case; other parts have others. A failure names the one it is about."""
    first = SEED * 1_000_000 + part * 100_000 if SEED else part * 10_000
    return range(first, first + count)
