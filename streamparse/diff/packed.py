"""The lines of a large text, as one text and the numbers of the characters at which they begin.

    PackedLines("a\\nbc\\n", [0, 2, 5])         is the lines "a\\n" and "bc\\n"
    PackedLines("\\na\\nbc\\n", [1, 3, 6], 1)    is the lines "a" and "bc", which stand between line breaks

A list of them would take about three times as much memory as the text. A line is cut out when it is asked for, so this
is for texts of which most lines are never looked at. `LineNumbers` is where they stand, in as little memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import overload

from streamparse.diff.lines import batches_of

#: The lines of a text that is longer than that are packed.
LARGE = 1 << 24


class PackedLines(Sequence[str]):
    """`starts` are where the lines begin, and where one more would; each ends `gap` characters before the next."""

    __slots__ = ("_gap", "_starts", "text")

    def __init__(self, text: str, starts: Iterable[int], gap: int = 0) -> None:
        self.text = text
        self._starts = array("Q", starts)
        self._gap = gap

    @classmethod
    def of_text(cls, text: str) -> PackedLines:
        """The lines of a text, with their endings."""
        return cls(text, accumulate(map(len, chain.from_iterable(batches_of(text))), initial=0))

    @classmethod
    def of_lines(cls, batches: Iterable[list[str]]) -> PackedLines:
        """Lines without line breaks in them, some at a time."""
        starts, texts, end = array("Q", [1]), [""], 1
        for batch in filter(None, batches):
            starts.pop()  # where this one begins
            starts.extend(accumulate((len(line) + 1 for line in batch), initial=end))
            texts.append("\n".join(batch))
            end = starts[-1]
        return cls("\n".join([*texts, ""]), starts, 1)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        number = range(len(self))[at]
        return self.text[self._starts[number] : self._starts[number + 1] - self._gap]

    def __iter__(self) -> Iterator[str]:
        text, gap = self.text, self._gap
        return (text[start : end - gap] for start, end in pairwise(self._starts))

    def between(self, first: int, end: int) -> str:
        """The lines `first` to `end`, the last excluded, in one piece."""
        return self.text[self._starts[first] : self._starts[end] - self._gap]


class LineNumbers:
    """Used like a dictionary from each line to its numbers; those of lines with the same remainder are among them.

    All numbers lie in one array, in the order of the remainders of their lines' hashes, and `_starts` says where those
    of each remainder begin.
    """

    __slots__ = ("_numbers", "_size", "_starts")

    def __init__(self, lines: Sequence[str]) -> None:
        self._size = size = max(1, len(lines))
        remainders = array("I", (hash(line) % size for line in lines))
        counts = array("I", [0]) * (size + 1)
        for remainder in remainders:
            counts[remainder + 1] += 1
        self._starts = array("I", accumulate(counts))
        free = self._starts[:]
        self._numbers = array("I", [0]) * len(lines)
        for number, remainder in enumerate(remainders):
            self._numbers[free[remainder]] = number
            free[remainder] += 1

    def get(self, line: str, default: Sequence[int] = ()) -> Sequence[int]:
        """The numbers of the lines that may be this one, in order."""
        remainder = hash(line) % self._size
        return self._numbers[self._starts[remainder] : self._starts[remainder + 1]] or default
