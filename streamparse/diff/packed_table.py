"""Where a sequence of lines stands in a large file: the places that a `LineTable` finds, in much less memory.

There is no text but that of the file. It is searched for one of the lines: as that is or, where the file has signs of
typography for those that are compared, for the longest part of it without such signs. What is found so is compared.
And all tables of a file share one index, of lines in the form in which most are equal.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from streamparse.diff.lines import is_blank
from streamparse.diff.packed import FormedLines
from streamparse.diff.table import LineTable, count_of

#: If more than one in so many lines must be looked at, it takes less time to look at all of them.
_COMMON = 2
#: So many lines are looked at together.
_TOGETHER = 1000


class PackedTable(LineTable):
    """`rows` gives the numbers of the lines of the file, in order, that may be a line which is not blank.

    For the `signs`, the file may have others. Joined, the keys would be `size` characters.
    """

    def __init__(
        self, keys: FormedLines, rows: Callable[[str], Sequence[int]], *, size: int = 0, signs: str = ""
    ) -> None:
        super().__init__(keys)
        self._formed = keys
        self._rows, self._size = rows, size
        self._signs = re.compile(f"[{re.escape(signs)}]" if signs else r"(?!)")

    def places_among(self, numbers: Sequence[int], needle: Sequence[str]) -> Sequence[int]:
        """The same, if it is known that there are no others than these."""
        return self._compared(list(needle), iter(numbers), 0)

    def containing(self, text: str, most: int) -> tuple[Sequence[int], int]:
        """The numbers of the first keys of which the text is a part, and how many characters were searched for it."""
        formed, part = self._formed, self._plain_part(text)
        found = ((number, formed[number]) for number in self._with(part)) if part else enumerate(formed)
        numbers = list(islice((number for number, key in found if text in key), most))
        return numbers, self._size if len(numbers) < most else formed.lines.offset(formed.numbers[numbers[-1]])

    def _scan(self, needle: list[str]) -> Sequence[int]:
        self._scans += 1
        parts = list(map(self._plain_part, needle))
        at = max(range(len(needle)), key=lambda at: len(parts[at]))
        return self._compared(needle, self._with(parts[at]), at) if parts[at] else array("I", self._walk(needle))

    def _look_up(self, needle: list[str]) -> Sequence[int]:
        found = ((self._rows(key), at) for at, key in enumerate(needle) if not is_blank(key))
        rows, at = min(found, key=count_of, default=((), -1))
        return (
            array("I", self._walk(needle)) if at < 0 else self._compared(needle, map(self._formed.number_of, rows), at)
        )

    def _with(self, part: str) -> Iterator[int]:
        """The numbers of the keys that may have that text in them."""
        return map(self._formed.number_of, self._formed.lines.lines_with(part))

    def _compared(self, needle: list[str], numbers: Iterator[int], at: int) -> Sequence[int]:
        """Where the needle begins, if its line `at` is one of those with these numbers."""
        places, behind, left = array("I"), len(self.keys) - len(needle), len(self.keys) // _COMMON
        order = sorted(range(len(needle)), key=lambda offset: abs(offset - at))
        while some := list(islice(numbers, _TOGETHER)):
            starts = [number - at for number in some if at <= number <= behind + at]
            for offset in order:
                left -= len(starts)
                if left < 0:
                    return array("I", self._walk(needle))
                key, keys = needle[offset], self._formed.at(start + offset for start in starts)
                starts = [start for start, found in zip(starts, keys, strict=True) if found == key]
                if not starts:
                    break
            places.extend(starts)
        return places

    def _plain_part(self, text: str) -> str:
        """The longest part of it that is in the file as it is; blanks alone do not count."""
        return max((part.strip() for part in self._signs.split(text)), key=len)
