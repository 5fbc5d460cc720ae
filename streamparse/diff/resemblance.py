"""Whether one of two lines was made of the other, so that it may stand in its place.

"total = sum(items)"   "total = sum(parts)"   resemble each other;   "return total" resembles neither
"""

from __future__ import annotations

from streamparse.diff.index import Budget
from streamparse.diff.similarity import lines_cost, lines_similarity
from streamparse.diff.structure import opens

#: What comparing lines may cost for one block or hunk, in microseconds or so.
BUDGET = 300_000
#: So much alike are they at least.
_ALIKE = 0.6


def resembles(line: str, found: str, budget: Budget) -> bool:
    """Whether one of the lines was made of the other."""
    line, found = line.strip(), found.strip()
    if opens(line) != opens(found) or not budget.spend(lines_cost([line], [found])):
        return False
    return lines_similarity([line], [found]) >= _ALIKE
