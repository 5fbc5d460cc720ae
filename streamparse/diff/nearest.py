"""Which lines of the file are nearest to those of a block that is not found: a hint, and nothing is applied for it.

They are looked for where lines of the block, or else rare words of it, occur, and compared as those are that are looked
for: blank lines, blanks at the ends of lines and typographic quotes make no difference. That takes a fraction of a
second in 100,000 lines, and all blocks of a diff share a budget for it: who is over it gets no such hint.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

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
#: So many of its lines are looked for around there, if it may have lines too many or too few; and so far must two lines
#: be alike that stand for each other then.
_ALIGNED = 100
_ALIKE = 0.5
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
    """What differs first; `start` is where the first old line stands, if the lines are compared one by one."""
    lines, wanted = list(filter(None, trim_all(old))), condensed(old)
    pairs = _pairs(index, wanted, start)
    numbers, keys = index.condensed_numbers, index.condensed.keys
    places = [at for at in pairs if at is not None]
    last = numbers[places[-1]] + 1
    following = places[0]  # the line of the file that comes next
    for line, key, at in zip(lines, wanted, pairs, strict=True):
        number = numbers[following] + 1 if following <= places[-1] else last + 1
        if at == following and key == keys[at]:
            following = at + 1
            continue
        expected = line if at is None or at == following else None
        found = None if at is None else index.trimmed.keys[number - 1]
        return Candidate(numbers[places[0]] + 1, last, similarity, number, expected, found)
    # What separates pages is no line here, but it is one where lines are looked for.
    return Candidate(numbers[places[0]] + 1, last, similarity, last + 1, lines[-1], None)


def _pairs(index: FileIndex, wanted: Sequence[str], start: int) -> list[int | None]:
    """For each old line the line of the file that is in its place; None if there is none.

    They are compared one by one, unless more are equal if the block has a line too many, or leaves one out.
    """
    keys, size = index.condensed.keys, len(wanted)
    pairs = [at if 0 <= at < len(keys) else None for at in range(start, start + size)]
    if not 1 < size <= _ALIGNED or index.hints.left < size * size:
        return pairs
    index.hints.spend(size * size)
    low = max(0, start - size)
    equal = common_lines(wanted, keys[low : max(0, start) + 2 * size])
    if len(equal) <= sum(at is not None and keys[at] == key for at, key in zip(pairs, wanted, strict=True)):
        return pairs
    found = [(one, low + other) for one, other in equal]
    aligned = dict(found)
    for (old, at), (next_old, next_at) in pairwise(found):
        between = range(old + 1, next_old), range(at + 1, next_at)
        aligned.update(_alike(wanted, keys, *between, is_between=True))
    old, at = found[-1]
    aligned.update(_alike(wanted, keys, range(old + 1, size), range(at + 1, len(keys)), is_between=False))
    return [aligned.get(one) for one in range(size)]


def _alike(
    wanted: Sequence[str], keys: Sequence[str], olds: range, places: range, *, is_between: bool
) -> Iterator[tuple[int, int]]:
    """Lines that stand for each other between, or behind, those that are equal."""
    while olds and places:
        is_pair = is_between and len(olds) == len(places)
        if is_pair or lines_similarity([wanted[olds[0]]], [keys[places[0]]]) >= _ALIKE:
            yield olds[0], places[0]
            olds, places = olds[1:], places[1:]
        elif is_between and len(places) > len(olds):
            places = places[1:]
        else:
            olds = olds[1:]


def common_lines(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that both have in the same order, as many as possible: their numbers, from 0, in each."""
    most = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for one in reversed(range(len(first))):
        for other in reversed(range(len(second))):
            most[one][other] = (
                most[one + 1][other + 1] + 1
                if first[one] == second[other]
                else max(most[one + 1][other], most[one][other + 1])
            )
    found: list[tuple[int, int]] = []
    one = other = 0
    while one < len(first) and other < len(second):
        if first[one] == second[other]:
            found.append((one, other))
            one, other = one + 1, other + 1
        elif most[one + 1][other] >= most[one][other + 1]:
            one += 1
        else:
            other += 1
    return found


def lines_around(index: FileIndex, old: Sequence[str], most: int) -> list[int]:
    """The numbers of the first lines, from 1, of which a single old line is a part."""
    keys = condensed(old)
    if len(keys) != 1 or len(old) > 1:
        return []
    return [index.condensed_numbers[number] + 1 for number in _lines_with(index, keys[0], most)]
