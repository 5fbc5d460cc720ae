"""How much alike two lines are: 1 - edit distance / length of the longer one.

The distance is Levenshtein's, so it is the same number with and without rapidfuzz (extra `diff`), which is only faster.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    from rapidfuzz.distance import Levenshtein
except ImportError:
    Levenshtein = None

#: One comparison may cost that much (about a microsecond each); lines that would cost more count as entirely different.
_DEAREST = 50_000


def distance(first: str, second: str) -> int:
    """How many characters must be inserted, removed or replaced to make one of the other."""
    if first == second:
        return 0
    if cost(first, second) > _DEAREST:
        return max(len(first), len(second))
    if Levenshtein is not None:
        return int(Levenshtein.distance(first, second))
    return _bit_parallel(first, second)


def cost(first: str, second: str) -> int:
    """What comparing them takes, in microseconds or so."""
    return len(first) * (1 + len(second) // 1000)


def lines_cost(wanted: Sequence[str], found: Sequence[str]) -> int:
    """What `lines_similarity` takes: a little for every line, and more for those that are compared."""
    costs = (cost(one, other) for one, other in zip(wanted, found, strict=True) if one != other)
    return len(wanted) + sum(one for one in costs if one <= _DEAREST)


def _bit_parallel(first: str, second: str) -> int:
    """Myers' algorithm in Hyyrö's form: a column of the usual table is one integer, a bit for each character."""
    if not second:
        return len(first)
    occurs: dict[str, int] = {}
    for at, character in enumerate(second):
        occurs[character] = occurs.get(character, 0) | 1 << at
    last = 1 << (len(second) - 1)
    mask = (last << 1) - 1
    rises, falls, score = mask, 0, len(second)
    for character in first:
        equal = occurs.get(character, 0)
        diagonal = (((equal & rises) + rises) ^ rises) | equal | falls
        across_up = falls | ~(diagonal | rises)
        across_down = rises & diagonal
        score += bool(across_up & last) - bool(across_down & last)
        across_up = across_up << 1 | 1
        across_down <<= 1
        rises = (across_down | ~(diagonal | across_up)) & mask
        falls = across_up & diagonal & mask
    return score


def length_similarity(wanted: Sequence[str], found: Sequence[str]) -> float:
    """What the lengths of the lines say: `lines_similarity` is not more."""
    total, apart = _lengths(wanted, found)
    return _degree(apart, total)


def lines_similarity(wanted: Sequence[str], found: Sequence[str], least: float = 0.0) -> float:
    """The similarity of as many lines as there are, compared one by one; -1.0 as soon as it is below `least`."""
    total, apart = _lengths(wanted, found)
    for one, other in zip(wanted, found, strict=True):
        if _degree(apart, total) < least:
            return -1.0
        if one != other:
            apart += distance(one, other) - abs(len(one) - len(other))
    similarity = _degree(apart, total)
    return similarity if similarity >= least else -1.0


def _lengths(wanted: Sequence[str], found: Sequence[str]) -> tuple[int, int]:
    sizes = [(len(one), len(other)) for one, other in zip(wanted, found, strict=True)]
    return sum(map(max, sizes)), sum(abs(one - other) for one, other in sizes)


def _degree(apart: int, total: int) -> float:
    # Rounded, so that 6 of 10 is 0.6 and what is equally alike compares equal.
    return round(1.0 - apart / total, 9) if total else 1.0
