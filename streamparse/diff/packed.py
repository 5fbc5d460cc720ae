"""The lines of a large text, as that text and the numbers of the characters at which they begin.

    PackedLines("a\\nbc\\n")         is the lines "a\\n" and "bc\\n", and the text they are in, and [0, 2, 5]

A list of them would take about three times as much memory as the text. A line is cut out when it is asked for, so this
is for texts of which most lines are never looked at; `FormedLines` are the same lines in the form in which they are
compared, made when they are asked for, too. `LineNumbers` is where they stand, in as little memory.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import overload

from streamparse.diff.lines import batches_of

#: The lines of a text that is longer than that are packed.
LARGE = 1 << 24
#: So many lines share a place in `LineNumbers`.
_SHARE = 4
#: The next line with a text is looked for among so many at first.
_NEAR = 64

#: Brings lines, with or without their endings, into the form in which they are compared.
Form = Callable[[Iterable[str]], list[str]]


def whole_numbers(most: int, values: Iterable[int] = ()) -> array[int]:
    """Numbers that are not above `most`, in as little memory as that takes."""
    return array("I" if most < 1 << 32 else "Q", values)


def joined(parts: Iterable[str]) -> str:
    """All of them in one, for which they are made some at a time: a long text can grow where it is."""
    text, some, size = "", list[str](), 0
    for part in parts:
        some.append(part)
        size += len(part)
        if size > LARGE:
            text += "".join(some)
            some, size = [], 0
    text += "".join(some)
    return text


class PackedLines(Sequence[str]):
    """The lines of a text, with their endings."""

    __slots__ = ("_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = whole_numbers(len(text), accumulate(map(len, chain.from_iterable(batches_of(text))), initial=0))

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return self.at(range(len(self))[at]) if isinstance(at, slice) else self.at([range(len(self))[at]])[0]

    def at(self, numbers: Iterable[int]) -> list[str]:
        """The lines with these numbers."""
        text, starts = self.text, self._starts
        return [text[starts[number] : starts[number + 1]] for number in numbers]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(batches_of(self.text))

    def between(self, first: int, end: int) -> Iterator[str]:
        """The lines `first` to `end`, the last excluded, in large pieces."""
        at, behind = self._starts[first], self._starts[end]
        if behind - at == len(self.text):
            return iter([self.text])
        return (self.text[start : min(start + LARGE, behind)] for start in range(at, behind, LARGE))

    def offset(self, number: int) -> int:
        """How many characters stand before that line."""
        return self._starts[number]

    def lines_with(self, part: str) -> Iterator[int]:
        """The numbers of the lines in which that text is, which is not empty and has no line break in it."""
        text, starts, behind = self.text, self._starts, 0
        at = text.find(part)
        while at >= 0:
            near = behind + _NEAR
            is_near = near < len(starts) and starts[near] > at
            behind = bisect_right(starts, at, behind, near if is_near else len(starts))
            yield behind - 1
            at = text.find(part, starts[behind])


class FormedLines(Sequence[str]):
    """Lines in the form in which they are compared.

    `numbers` are those of the lines that are left in that form, in order.
    """

    __slots__ = ("_form", "lines", "numbers")

    def __init__(self, lines: PackedLines, form: Form, numbers: Sequence[int]) -> None:
        self.lines, self.numbers = lines, numbers
        self._form = form

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return self.at(range(len(self))[at]) if isinstance(at, slice) else self.at([at])[0]

    def at(self, numbers: Iterable[int]) -> list[str]:
        """Those with these numbers."""
        return self._form(self.lines.at(map(self.numbers.__getitem__, numbers)))

    def number_of(self, row: int) -> int:
        """The number of a line of the text among them, which is one of them."""
        return row if isinstance(self.numbers, range) else bisect_left(self.numbers, row)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(map(self._form, batches_of(self.lines.text)))


class LineNumbers:
    """Used like a dictionary from each line to its numbers; those of some other lines are among them.

    All numbers lie in one array, in the order of the remainders of their lines' hashes, and `_starts` says where those
    of each remainder begin.
    """

    __slots__ = ("_numbers", "_size", "_starts")

    def __init__(self, lines: Sequence[str]) -> None:
        self._size = size = len(lines) // _SHARE + 1
        remainders = array("I", (hash(line) % size for line in lines))
        counts = array("I", [0]) * (size + 1)
        for remainder in remainders:
            counts[remainder] += 1
        self._starts = starts = array("I", accumulate(counts))  # where they end
        self._numbers = numbers = array("I", [0]) * len(lines)
        for number in range(len(lines) - 1, -1, -1):
            remainder = remainders[number]
            starts[remainder] -= 1
            numbers[starts[remainder]] = number

    def get(self, line: str) -> Sequence[int]:
        """The numbers of the lines that may be this one, in order."""
        remainder = hash(line) % self._size
        return self._numbers[self._starts[remainder] : self._starts[remainder + 1]]
