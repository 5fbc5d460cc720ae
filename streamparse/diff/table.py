"""Where a sequence of lines stands in a list of lines: every place, exactly, in linear time.

The first few searches scan the joined text with `str.find`, which costs less than any index; whoever asks for more gets
an index from each line to its numbers. So a file is passed over a bounded number of times, however many blocks there
are.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate

#: Searches that are done by scanning. An index costs as much as about so many of them.
_SCANS = 16
#: More places than that are collected line by line: each `find` prepares its needle anew.
_MANY = 64


class LineTable:
    """`keys` are the lines in the form in which they are compared; none of them contains a line break."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
        self._scans = 0
        self._marks = [(0, 0)]  # (place in the joined text, number of the line), to count lines from
        self._found: dict[str, list[int] | None] = {}  # the numbers of single lines that were looked for

    @property
    def is_indexed(self) -> bool:
        """Whether there is an index, so that the next search costs next to nothing."""
        return self._scans >= _SCANS

    def places(self, needle: Sequence[str]) -> Sequence[int]:
        """The numbers of the lines at which `needle` begins, in order; they may overlap. No lines are nowhere."""
        needle = list(needle)
        if not needle or len(needle) > len(self.keys):
            return []
        return self._look_up(needle) if self.is_indexed else self._scan(needle)

    def places_among(self, numbers: Sequence[int], needle: Sequence[str]) -> Sequence[int]:
        """The same, if it is known that there are no others than these."""
        return self.places(needle)

    def containing(self, text: str, most: int) -> tuple[Sequence[int], int]:
        """The numbers of the first keys of which the text is a part, and how many characters were searched for it."""
        joined = self._joined
        numbers: list[int] = []
        line = behind = 0
        at = joined.find(text)
        while at >= 0 and len(numbers) < most:
            # The joined text begins with a line break, before line 0.
            line += joined.count("\n", behind, at)
            behind = at
            numbers.append(line - 1)
            at = joined.find(text, joined.find("\n", at))
        return numbers, at if at >= 0 else len(joined)

    def is_known(self, key: str) -> bool:
        """Whether it is known where that line is, so that it need not be looked for."""
        return self.is_indexed or self._found.get(key) is not None

    def _scan(self, needle: list[str]) -> Sequence[int]:
        at = max(range(len(needle)), key=lambda at: len(needle[at]))
        found, size = self._numbers_of(needle[at]), len(needle)
        if found is not None:
            return [one - at for one in found if one >= at and self.keys[one - at : one - at + size] == needle]
        places = self._find(needle) if size > 1 else None
        return list(self._walk(needle)) if places is None else places

    def _numbers_of(self, key: str) -> list[int] | None:
        """The numbers of that line, which is looked for once; None if there are many."""
        if key not in self._found:
            self._found[key] = self._find([key])
        return self._found[key]

    def _find(self, needle: list[str]) -> list[int] | None:
        """Where the needle begins; None if these are many places."""
        self._scans += 1
        wanted = "\n".join(["", *needle, ""])
        places: list[int] = []
        at = self._joined.find(wanted)
        while at >= 0:
            if len(places) == _MANY:
                return None
            places.append(self._line_at(at))
            at = self._joined.find(wanted, at + 1)
        return places

    def _line_at(self, place: int) -> int:
        """The number of the line that begins behind the line break at `place`, counted from the nearest one known."""
        at = bisect_right(self._marks, (place, len(self.keys)))
        known, line = self._marks[at - 1]
        line += self._joined.count("\n", known, place)
        if known < place:
            self._marks.insert(at, (place, line))
        return line

    def _look_up(self, needle: list[str]) -> Sequence[int]:
        if len(needle) == 1:
            return list(self._numbers.get(needle[0], ()))
        rarest, offset = min(((self._numbers.get(line, ()), at) for at, line in enumerate(needle)), key=count_of)
        if len(rarest) * len(needle) > 4 * len(self.keys):
            return list(self._walk(needle))
        keys, size = self.keys, len(needle)
        starts = (number - offset for number in rarest)
        return [start for start in starts if start >= 0 and keys[start : start + size] == needle]

    def _walk(self, needle: list[str]) -> Iterator[int]:
        """Knuth, Morris and Pratt: however the needle repeats itself, each line is looked at twice at most."""
        borders = [0] * len(needle)
        matched = 0
        for at in range(1, len(needle)):
            while matched and needle[at] != needle[matched]:
                matched = borders[matched - 1]
            matched += needle[at] == needle[matched]
            borders[at] = matched
        matched = 0
        for at, key in enumerate(self.keys):
            while matched and (matched == len(needle) or key != needle[matched]):
                matched = borders[matched - 1]
            matched += key == needle[matched]
            if matched == len(needle):
                yield at + 1 - matched

    @cached_property
    def _joined(self) -> str:
        """All keys, each between two line breaks."""
        return "\n".join(["", *self.keys, ""])

    @cached_property
    def offsets(self) -> Sequence[int]:
        """How many characters stand before each key, and in all of them."""
        return array("Q", accumulate(map(len, self.keys), initial=0))

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        """The numbers of each line."""
        numbers: dict[str, list[int]] = {}
        for number, key in enumerate(self.keys):
            if key in numbers:
                numbers[key].append(number)
            else:
                numbers[key] = [number]
        return numbers


def count_of(item: tuple[Sequence[int], int]) -> int:
    """How many places a line of the needle has: the search begins with the line that has the fewest."""
    return len(item[0])
