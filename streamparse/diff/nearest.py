"""Which lines of the file are nearest to those of a block that is not found: a hint, and nothing is applied for it.

They are looked for where lines of the block, or else rare words of it, occur, and compared as those are that are looked
for: blank lines, blanks at the ends of lines and typographic quotes make no difference. That takes a fraction of a
second in 100,000 lines, and all blocks of a diff share a budget for it: who is over it gets no such hint.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from streamparse.diff.index import FileIndex
from streamparse.diff.lines import trim_all
from streamparse.diff.match import condensed
from streamparse.diff.result import Candidate
from streamparse.diff.similarity import lines_cost, lines_similarity

_WORD = re.compile(r"\w{3,}")
#: How many lines, words and places are tried.
_LINES = 40
_WORDS = 20
_OCCURRENCES = 20
_CANDIDATES = 10
#: A block is compared with its nearest lines as far as that.
_COMPARED = 200
#: What that may cost for one block, in microseconds or so.
_COMPARISONS = 300_000
#: So many characters are searched in about a microsecond, and so many line numbers are collected.
_SEARCHED = 2000
_COLLECTED = 4


def find_nearest(index: FileIndex, old: Sequence[str]) -> Candidate | None:
    """The lines of the file that are most like the old lines; None if nothing is."""
    wanted = condensed(old)
    starts = _by_lines(index, wanted) or _by_words(index, wanted)
    budget = index.hints.part(_COMPARISONS)
    best: tuple[float, int] | None = None
    for start in starts:
        sides = wanted[:_COMPARED], _window(index.condensed.keys, start, len(wanted))[:_COMPARED]
        price = lines_cost(*sides)
        if price <= budget.left:
            budget.spend(price)
            similarity = lines_similarity(*sides)
            if best is None or similarity > best[0]:
                best = similarity, start
    return None if best is None else _candidate(index, old, best[1], best[0])


def _window(keys: Sequence[str], start: int, size: int) -> list[str]:
    """As many lines from there on; it may be before the file, or reach behind it, where there is nothing."""
    before = [""] * -start
    found = list(keys[max(0, start) : start + size])
    return before + found + [""] * (size - len(before) - len(found))


def _by_lines(index: FileIndex, wanted: list[str]) -> list[int]:
    """Where most of the old lines would stand in their place."""
    votes: Counter[int] = Counter()
    for line in sorted(set(wanted), key=lambda line: (-len(line), line))[:_LINES]:
        numbers = index.condensed.places([line])
        index.hints.spend(1 + len(numbers) // _COLLECTED)
        if len(numbers) <= _OCCURRENCES:
            at = wanted.index(line)
            votes.update({number - at: len(line) for number in numbers})
    return _elected(votes)


def _by_words(index: FileIndex, wanted: list[str]) -> list[int]:
    """Where most of the rare words would stand in their place."""
    votes: Counter[int] = Counter()
    lines = {word: at for at, line in enumerate(wanted) for word in _WORD.findall(line[:1000])}
    for word in sorted(lines, key=len, reverse=True)[:_WORDS]:
        numbers = _lines_with(index, word, _OCCURRENCES + 1)
        if len(numbers) <= _OCCURRENCES:
            votes.update({number - lines[word]: len(word) for number in numbers})
    return _elected(votes)


def _lines_with(index: FileIndex, text: str, most: int) -> Sequence[int]:
    """The numbers of the first condensed lines, from 0, of which the text is a part."""
    numbers, searched = index.condensed.containing(text, most)
    index.hints.spend(1 + len(numbers) + searched // _SEARCHED)
    return numbers


def _elected(votes: Counter[int]) -> list[int]:
    return [start for start, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_CANDIDATES]]


def _candidate(index: FileIndex, old: Sequence[str], start: int, similarity: float) -> Candidate:
    """What differs first, among the lines of the file; if nothing does, then what is missing before or behind them."""
    lines, wanted = list(filter(None, trim_all(old))), condensed(old)
    numbers = index.condensed_numbers[max(0, start) : start + len(wanted)]
    hanging = max(0, -start)
    keys = index.condensed.keys[max(0, start) : start + len(wanted)]
    first, last = numbers[0] + 1, numbers[-1] + 1
    for at, key in enumerate(keys):
        if key != wanted[hanging + at]:
            found = index.trimmed.keys[numbers[at]]
            return Candidate(first, last, similarity, numbers[at] + 1, lines[hanging + at], found)
    if hanging:
        return Candidate(first, last, similarity, first, lines[0], None)
    return Candidate(first, last, similarity, last + 1, lines[min(len(keys), len(lines) - 1)], None)


def lines_around(index: FileIndex, old: Sequence[str], most: int) -> list[int]:
    """The numbers of the first lines, from 1, of which a single old line is a part."""
    keys = condensed(old)
    if len(keys) != 1 or len(old) > 1:
        return []
    return [index.condensed_numbers[number] + 1 for number in _lines_with(index, keys[0], most)]
