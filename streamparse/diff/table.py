"""Where a sequence of lines stands in a list of lines: every place, exactly, in linear time.

The first few searches scan the joined text with `str.find`, which costs less than any index; whoever asks for more gets
an index from each line to its numbers. So a file is passed over a bounded number of times, however many blocks there
are.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from streamparse.diff.packed import LineNumbers, PackedLines

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

    @property
    def is_indexed(self) -> bool:
        """Whether there is an index, so that the next search costs next to nothing."""
        return self._scans == _SCANS

    def places(self, needle: Sequence[str]) -> list[int]:
        """The numbers of the lines at which `needle`, at least one line, begins, in order; they may overlap."""
        needle = list(needle)
        if len(needle) > len(self.keys):
            return []
        if not self.is_indexed:
            self._scans += 1
            return self._scan(needle)
        return self._look_up(needle)

    def _scan(self, needle: list[str]) -> list[int]:
        wanted = "\n" + "\n".join(needle) + "\n"
        places: list[int] = []
        at = self.joined.find(wanted)
        while at >= 0:
            if len(places) == _MANY:
                return self._walk(needle)
            places.append(self._line_at(at))
            at = self.joined.find(wanted, at + 1)
        return places

    def _line_at(self, place: int) -> int:
        """The number of the line that begins behind the line break at `place`, counted from the nearest one known."""
        at = bisect_right(self._marks, (place, len(self.keys)))
        known, line = self._marks[at - 1]
        line += self.joined.count("\n", known, place)
        if known < place:
            self._marks.insert(at, (place, line))
        return line

    def _look_up(self, needle: list[str]) -> list[int]:
        if len(needle) == 1 and isinstance(self._numbers, dict):
            return list(self._numbers.get(needle[0], ()))
        rarest, offset = min(((self._numbers.get(line, ()), at) for at, line in enumerate(needle)), key=_count)
        if len(rarest) * len(needle) > 4 * len(self.keys):
            return self._walk(needle)
        keys, size = self.keys, len(needle)
        starts = (number - offset for number in rarest)
        return [start for start in starts if start >= 0 and keys[start : start + size] == needle]

    def _walk(self, needle: list[str]) -> list[int]:
        """Knuth, Morris and Pratt: however the needle repeats itself, each line is looked at twice at most."""
        borders = [0] * len(needle)
        matched = 0
        for at in range(1, len(needle)):
            while matched and needle[at] != needle[matched]:
                matched = borders[matched - 1]
            matched += needle[at] == needle[matched]
            borders[at] = matched
        places: list[int] = []
        matched = 0
        for at, key in enumerate(self.keys):
            while matched and (matched == len(needle) or key != needle[matched]):
                matched = borders[matched - 1]
            matched += key == needle[matched]
            if matched == len(needle):
                places.append(at + 1 - matched)
        return places

    @cached_property
    def joined(self) -> str:
        """All keys, each between two line breaks."""
        if isinstance(self.keys, PackedLines):
            return self.keys.text
        return "\n" + "\n".join(self.keys) + "\n"

    @cached_property
    def offsets(self) -> Sequence[int]:
        """How many characters stand before each key, and in all of them."""
        return array("Q", accumulate(map(len, self.keys), initial=0))

    @cached_property
    def _numbers(self) -> dict[str, list[int]] | LineNumbers:
        """The numbers of each line; in `LineNumbers` there may be others among them."""
        if isinstance(self.keys, PackedLines):
            return LineNumbers(self.keys)
        numbers: dict[str, list[int]] = {}
        for number, key in enumerate(self.keys):
            if key in numbers:
                numbers[key].append(number)
            else:
                numbers[key] = [number]
        return numbers


def _count(item: tuple[Sequence[int], int]) -> int:
    return len(item[0])
