"""Which lines of a file are most like some lines, where none are the same.

`similarity.py` says how much alike lines are. It is asked about as few places as possible, and as long as there is a
budget for it, that of the block and that of the diff: a block that would need more is not found.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from streamparse.diff.index import Budget, FileIndex
from streamparse.diff.similarity import length_similarity, lines_cost, lines_similarity
from streamparse.diff.table import LineTable

#: What comparing candidates may cost for one block, in microseconds or so.
_ANCHOR_BUDGET = 300_000
_FUZZY_BUDGET = 2_000_000
#: So many lines of a block are looked for by their lengths alone.
_TELLING = 16
#: To look at a line of the file, and at nothing but its length, takes such a part of a microsecond.
_GLANCES = 8


def find_anchored(index: FileIndex, keys: list[str], least: float) -> tuple[list[int], float]:
    """Where the first and the last line, trimmed, are the same, and those between most alike: starts and degree."""
    budget = index.similar.part(_ANCHOR_BUDGET)
    if len(keys) < 3 or not keys[0] or not keys[-1] or not budget.spend(len(keys)):
        return [], 0.0
    found, reach = index.trimmed.keys, len(keys) - 1
    first = index.trimmed.places(keys[:1])
    budget.spend(len(first) // 2)
    inner = [start + 1 for start in first if start + reach < len(found) and found[start + reach] == keys[-1]]
    best, similarity = _most_alike(keys[1:-1], index.trimmed, inner, least, budget)
    return [start - 1 for start in best], similarity


def find_fuzzily(index: FileIndex, keys: list[str], least: float) -> tuple[list[int], float]:
    """Where all lines, trimmed, are most alike, at least to that degree, which is below 1: starts and degree."""
    budget = index.similar.part(_FUZZY_BUDGET)
    if not budget.spend(len(keys)):
        return [], 0.0
    starts = _alike_in_length(keys, index.trimmed.keys, least, budget)
    return _most_alike(keys, index.trimmed, starts, least, budget)


def _alike_in_length(wanted: list[str], found: Sequence[str], least: float, budget: Budget) -> Sequence[int]:
    """The starts that are left when only lengths are looked at: those of the longest lines, as they tell most."""
    lengths = array("I", map(len, found))
    starts: Sequence[int] = range(len(found) - len(wanted) + 1)
    budget.spend(len(found) // _GLANCES)
    total = sum(map(len, wanted))
    # The longer of both sides is at most total / least, so that is what may be wrong in all.
    allowed = (1 - least) * total / least if least > 0 else float("inf")
    for at in sorted(range(len(wanted)), key=lambda at: -len(wanted[at]))[:_TELLING]:
        size = len(wanted[at])
        budget.spend(len(starts) // _GLANCES)
        starts = array("I", (start for start in starts if abs(lengths[start + at] - size) <= allowed))
    return starts


def _most_alike(
    wanted: list[str], table: LineTable, starts: Sequence[int], least: float, budget: Budget
) -> tuple[list[int], float]:
    """The starts of the lines that are most alike, at least to that degree, and the degree."""
    best: list[int] = []
    size = len(wanted)
    if not budget.spend(len(starts) // 2):
        return [], 0.0
    for start in _alike_in_sum(wanted, table, starts, least):
        window = table.keys[start : start + size]
        is_near = length_similarity(wanted, window) >= least
        # To look at two lines takes about a microsecond, whatever is in them.
        price = lines_cost(wanted, window) if is_near else size
        if not budget.spend(price):
            return [], 0.0
        similarity = lines_similarity(wanted, window, least) if is_near else -1.0
        if similarity > least:
            best, least = [start], similarity
        elif similarity == least:
            best.append(start)
    return best, least


def _alike_in_sum(wanted: list[str], table: LineTable, starts: Sequence[int], least: float) -> Iterator[int]:
    """The starts that are left when only the length of all lines together is looked at, which takes no time."""
    total = sum(map(len, wanted))
    for start in starts:
        other = table.offsets[start + len(wanted)] - table.offsets[start]
        # With some room, so that rounding decides nothing here.
        if min(total, other) + 1 >= least * max(total, other):
            yield start
