"""The file that is edited, looked at once.

Lines are compared in three forms: as they are, trimmed of blanks at both ends, and condensed: without blank lines
and with plain quotes, dashes and blanks for typographic ones. Each form is made when a block first needs it.

What is not found so is compared with lines that are similar, and that may cost any amount: so it has a budget, which
all blocks of a diff for one file share, over a tree in all of its parts.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain, compress, count

from streamparse.diff.indent import steps_of
from streamparse.diff.lines import BOM, batches_of, bodies_of, body_of, is_plain, split_lines, trim_all
from streamparse.diff.packed import LARGE, FormedLines, LineNumbers, PackedLines, joined, whole_numbers
from streamparse.diff.packed_table import PackedTable
from streamparse.diff.table import LineTable
from streamparse.diff.typography import as_typed, signs_in

#: What a diff may cost in all, in microseconds or so: to look for similar lines, and for hints about what is not found.
_SIMILAR = 3_000_000
_HINTS = 1_000_000
#: So many lines before and behind a place, or some more, show how deep steps are there; they are counted in stretches.
AROUND = 100
_STRETCH = 50
#: So many letters are looked at for a word in a microsecond.
_LETTERS = 100


def _strip_all(lines: Iterable[str]) -> list[str]:
    return list(map(str.strip, lines))


class Budget:
    """What may be spent, alone or as a part of a larger one.

    It is counted, not measured: whether a block is found must not depend on how fast the machine is.
    """

    def __init__(self, amount: int, whole: Budget | None = None) -> None:
        self.left = amount
        self._whole = whole

    def part(self, amount: int) -> Budget:
        """So much of it, if there is as much."""
        return Budget(amount, self)

    def spend(self, amount: int) -> bool:
        """Whether there was enough for that; if not, there is nothing left for anything else, either."""
        self.left -= amount
        if self._whole is not None and not self._whole.spend(amount):
            self.left = min(self.left, -1)
        return self.left >= 0


class FileIndex:
    """`lines` are those of the original with their endings, without the byte order mark, which is kept in `bom`."""

    def __init__(self, original: str) -> None:
        self.original = original
        self.bom = BOM if original.startswith(BOM) else ""
        text = original[len(self.bom) :]
        self._is_plain = is_plain(text)
        self.lines: Sequence[str] = PackedLines(text) if len(text) > LARGE else self._split(text)
        self.similar = Budget(_SIMILAR)
        self.hints = Budget(_HINTS)
        self._separators: dict[int, bool] = {}
        self._unique: dict[str, bool] = {}
        self._words: dict[str, bool] = {}
        self._exact: dict[tuple[str, ...], bool] = {}
        self._like: dict[re.Pattern[str], bool] = {}
        self._steps: dict[int, Counter[str]] = {}

    def _split(self, text: str) -> list[str]:
        return text.splitlines(keepends=True) if self._is_plain else split_lines(text)

    def successor(self, text: str) -> FileIndex:
        """What the file has become; it shares the budgets."""
        index = FileIndex(text)
        index.similar, index.hints = self.similar, self.hints
        return index

    @cached_property
    def exact(self) -> LineTable:
        """The lines without their endings."""
        return self._table(bodies_of)

    @cached_property
    def trimmed(self) -> LineTable:
        """The lines without blanks at their ends."""
        return self._table(self._trim)

    @cached_property
    def condensed(self) -> LineTable:
        """The lines that are not blank, trimmed, as they are typed; `condensed_numbers` says which they are."""
        lines = self.lines
        if not isinstance(lines, PackedLines):
            return LineTable(self._condense(self.trimmed.keys))
        keys = FormedLines(lines, self._condense_all, self.condensed_numbers)
        return PackedTable(keys, self._rows, size=self._condensed_rows[1], signs=signs_in([self.original]))

    @property
    def condensed_numbers(self) -> Sequence[int]:
        """The line number, from 0, of each condensed line."""
        return self._condensed_rows[0]

    @cached_property
    def _condensed_rows(self) -> tuple[Sequence[int], int]:
        """The line numbers of the condensed lines, and how many characters these are, each between line breaks."""
        if not isinstance(self.lines, PackedLines):
            return [number for number, key in enumerate(self.trimmed.keys) if key], 0
        numbers, size, first = whole_numbers(len(self.original)), 1, 0
        for keys in map(self._trim, batches_of(self.lines.text)):
            numbers.extend(compress(count(first), keys))
            first, size = first + len(keys), size + sum(map(len, keys))
        return numbers, size + len(numbers)

    @cached_property
    def _line_numbers(self) -> LineNumbers:
        """Which condensed lines of a large file may be a line."""
        return LineNumbers(self.condensed.keys)

    def _rows(self, key: str) -> Sequence[int]:
        """The numbers of the lines of a large file that may be this line, in whichever form it is."""
        numbers, (key,) = self.condensed_numbers, trim_all([key])
        return array("I", map(numbers.__getitem__, self._line_numbers.get(as_typed(key))))

    def steps(self, start: int, end: int) -> Counter[str]:
        """By how much lines around these are deeper than those before them, and how often.

        They are counted once for each stretch of the file, however many changes are there.
        """
        found: Counter[str] = Counter()
        for stretch in range(max(0, start - AROUND) // _STRETCH, (end + AROUND) // _STRETCH + 1):
            if stretch not in self._steps:
                first, behind = stretch * _STRETCH, (stretch + 1) * _STRETCH
                before = next((one for one in self.lines[max(0, first - _STRETCH) : first][::-1] if one.strip()), "")
                self._steps[stretch] = steps_of([before, *self.lines[first:behind]])
            found.update(self._steps[stretch])
        return found

    def is_unique(self, key: str) -> bool:
        """Whether there is one condensed line like that."""
        if key not in self._unique:
            self._unique[key] = len(self.condensed.places([key])) == 1
        return self._unique[key]

    def has_word(self, word: str) -> bool:
        """Whether some line has a word of such letters; it is taken to be there if the search cannot be paid for."""
        if word not in self._words:
            is_there = word in self.original and (
                not self.similar.spend(len(self.original) // _LETTERS)
                or re.search(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])", self.original) is not None
            )
            self._words[word] = is_there
        return self._words[word]

    def has_exactly(self, *lines: str) -> bool:
        """Whether the lines stand somewhere, one behind the other, just as they are."""
        if lines not in self._exact:
            size, places = len(lines), self.trimmed.places(trim_all(lines)) if self._may_have(lines) else []
            self._exact[lines] = any(bodies_of(self.lines[at : at + size]) == [*lines] for at in places)
        return self._exact[lines]

    def has_line_like(self, pattern: re.Pattern[str], old: Iterable[str]) -> bool:
        """Whether all of some line, or of one of these old ones, is like that pattern, which names no line ends."""
        if any(map(pattern.fullmatch, old)):
            return True
        if pattern not in self._like:
            whole = re.compile(rf"(?:\A|[\r\n])(?:{pattern.pattern})(?=[\r\n]|\Z)")
            self._like[pattern] = whole.search(self.original) is not None
        return self._like[pattern]

    def _may_have(self, lines: tuple[str, ...]) -> bool:
        """Without an index, a text that is nowhere is told sooner so, the longest line in the shortest time."""
        if any(self._exact.get((line,)) is False for line in lines):
            return False
        longest = max(lines, key=len)
        return self.trimmed.is_known(*trim_all([longest])) or longest in self.original

    def between(self, first: int, end: int) -> Iterable[str]:
        """The lines `first` to `end`, the last excluded, each by itself or many in one."""
        return self.lines.between(first, end) if isinstance(self.lines, PackedLines) else self.lines[first:end]

    def join(self, parts: Iterable[Iterable[str]]) -> str:
        """What the file becomes, of all pieces of these parts."""
        is_packed = isinstance(self.lines, PackedLines)
        return joined(chain.from_iterable(parts)) if is_packed else "".join(map("".join, parts))

    @cached_property
    def _trim(self) -> Callable[[Iterable[str]], list[str]]:
        return _strip_all if self._is_plain else trim_all

    def _condense(self, keys: Iterable[str]) -> list[str]:
        """Trimmed lines in the condensed form."""
        filled = filter(None, keys)
        return list(filled) if self.original.isascii() else [as_typed(key) for key in filled]

    def _condense_all(self, lines: Iterable[str]) -> list[str]:
        """Lines in the condensed form."""
        return self._condense(self._trim(lines))

    def _table(self, form: Callable[[Iterable[str]], list[str]]) -> LineTable:
        """All lines, in that form."""
        lines = self.lines
        if not isinstance(lines, PackedLines):
            return LineTable(form(lines))
        return PackedTable(FormedLines(lines, form, range(len(lines))), self._rows)

    @cached_property
    def ends_without_newline(self) -> bool:
        """Whether the last line has no ending. An empty file has no last line."""
        return bool(self.lines) and not self.ending_of(self.lines[-1])

    def has_separators(self, size: int) -> bool:
        """Whether there are lines of `size` equals signs."""
        if size not in self._separators:
            self._separators[size] = bool(self.trimmed.places(["=" * size]))
        return self._separators[size]

    @cached_property
    def has_plain_newlines(self) -> bool:
        """Whether some lines end with a newline alone."""
        return self.original.count("\n") > self.original.count("\r\n")

    @cached_property
    def newlines(self) -> frozenset[str]:
        r"""With which of `\n` and `\r\n` lines end."""
        plain = {"\n"} if self.has_plain_newlines else set[str]()
        return frozenset({"\r\n", *plain} if "\r\n" in self.original else plain)

    def ending_at(self, number: int) -> str:
        """The ending of that line; for the last one without an ending that of the line before, if there is one."""
        return self.ending_of(self.lines[number]) or (self.ending_of(self.lines[number - 1]) if number else "")

    def ending_of(self, line: str) -> str:
        """What ends a line of this file; a `\\r` behind its last newline is content, and ends none."""
        if line.endswith("\n"):
            return "\r\n" if line.endswith("\r\n") else "\n"
        return line[len(self.without_ending(line)) :]

    def without_ending(self, line: str) -> str:
        """The same line without that."""
        return line if line.endswith("\r") and not self._has_returns else body_of(line)

    @cached_property
    def _has_returns(self) -> bool:
        """Whether a `\\r` by itself ends a line."""
        return "\r" in self.original and "\n" not in self.original
