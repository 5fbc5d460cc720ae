"""Which of the new lines of a block are old ones.

    old  a  }  b  }        new  a  }  x  }  b  }        they are  a  }  x  }  b  }
         0  1  2  3                                               0  1  -  3  2  3

New lines come one by one, and what was said about one is not taken back. So a line is the nearest equal old line at
or behind the place that was reached; if there is none, the first that was passed over: lines were put in before it,
or it was moved. Any line may be a copy, so a guess that was wrong (the second `}` here) must not cost the lines
behind it: `b` was passed over, and is found again.

New lines that are some of the old ones in their order, with others between them, are all found. No old line is found
more than three times, for copies and for itself: however long it is in the file, it does not come out again and
again. A line costs no more than a binary search.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

_MOST_USES = 3


class Alignment:
    """`next` is the old line that comes next if nothing is changed."""

    def __init__(self, old: Sequence[str]) -> None:
        self.next = 0
        self._uses = bytearray(len(old))
        self.read(old)

    def read(self, old: Sequence[str]) -> None:
        """The old lines, as many as before, are written so; which of them were found already stays as it is."""
        self._places: dict[str, list[int]] = {}
        for at, line in enumerate(old):
            self._places.setdefault(line, []).append(at)
        #: The same, the first at the end: what was used is taken off when it is met there.
        self._left = {line: places[::-1] for line, places in self._places.items()}

    def find(self, line: str) -> int | None:
        """The number, from 0, of the old line that this new one is."""
        places = self._places.get(line)
        if places is None:
            return None
        behind = bisect_left(places, self.next)
        at = places[behind] if behind < len(places) else self._passed_over(line)
        if at is None or self._uses[at] == _MOST_USES:
            return None
        self._uses[at] += 1
        self.next = at + 1
        return at

    def _passed_over(self, line: str) -> int | None:
        left = self._left[line]
        while left and self._uses[left[-1]]:
            left.pop()
        return left[-1] if left else None
