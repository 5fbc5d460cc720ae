"""Why a block was not applied, in words that a model can act on, and what in the file is nearest to it.

The nearest lines are looked for where lines of the block, or else rare words of it, occur, and compared as those are
that are looked for: blank lines, blanks at the ends of lines, typographic quotes and line numbers in front of all lines
make no difference. That takes a fraction of a second in 100,000 lines, and all blocks of a diff share a budget for
it: who is over it gets no such hint. Nothing is ever applied because of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from streamparse.diff.change import Change
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import trim_all
from streamparse.diff.match import condensed, without_numbers
from streamparse.diff.place import Place
from streamparse.diff.result import Candidate, Failure, FailureReason
from streamparse.diff.similarity import lines_cost, lines_similarity

BLOCK = "A block is `------- SEARCH`, the old lines, `=======`, the new lines, `+++++++ REPLACE`."
PATCH = "A patch has lines that begin with `@@`, and behind them context, `-` and `+` lines."
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
#: How many line numbers a sentence has room for.
_LISTED = 10
#: How much of a line is quoted.
_QUOTED = 120
#: So many characters are searched in about a microsecond, and so many line numbers are collected.
_SEARCHED = 2000
_COLLECTED = 4
#: In what lines may differ that are found nevertheless.
_TOLERATED = {
    "trimmed": "indentation and blanks at the ends of lines",
    "condensed": "blanks at the ends of lines, blank lines and typographic quotes",
}


def not_found(index: FileIndex, change: Change) -> Failure:
    """The old lines are nowhere; without any, there is no telling where the new ones belong."""
    old = change.old
    if not old:
        return Failure(change.number, FailureReason.EMPTY_SEARCH, change.text, change.advice_without_old)
    forms = [form for form in (without_numbers(old), old) if form] if index.hints.spend(len(old)) else []
    found = [candidate for form in forms if (candidate := find_nearest(index, form)) is not None]
    nearest = max(found, key=lambda candidate: candidate.similarity, default=None)
    message = f"The {_count(len(old), 'line')} to be replaced {'is' if len(old) == 1 else 'are'} not in the file. "
    if parts := next(filter(None, (_lines_around(index, form) for form in forms)), None):
        more = " and others" if len(parts) > _LISTED else ""
        message += f"The text occurs only as part of {_enumerate(parts[:_LISTED])}{more}: give the whole line. "
    elif nearest is not None:
        message += _difference(nearest)
    message += "Read the file again and repeat the block with its lines exactly as they are."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message, nearest=nearest)


def ambiguous(change: Change, lines: tuple[int, ...]) -> Failure:
    """The old lines, or lines like them, are in several places, which begin at these lines."""
    assert change.match is not None  # it is found, in too many places
    strategy, places = change.match.strategy, f"{len(lines)} places"
    advice = "its lines exactly as they are in the file, and as many as it takes"
    if not change.match.lines:
        what, advice = f"There are {places} for the new lines, before", "more lines around them"
    elif strategy == "exact":
        what, advice = f"The lines to be replaced occur {len(lines)} times, at", "more lines around them"
    elif strategy in _TOLERATED:
        what = f"The lines to be replaced occur {len(lines)} times but for {_TOLERATED[strategy]}, at"
    else:
        what = f"The lines to be replaced are not in the file, and {places} are equally like them, at"
    message = f"{what} {_enumerate(lines)}. Repeat the block with {advice}, so that only one place fits."
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, lines)


def overlap(change: Change, place: Place, owner: int) -> Failure:
    """An earlier block has these lines."""
    lines = tuple(range(place.start + 1, place.end + 1))
    where = f"lines {lines[0]} to {lines[-1]}" if len(lines) > 1 else f"line {place.start + 1}"
    message = (
        f"This block is about {where} of the file, which block {owner} changes already. "
        "All blocks refer to the file as it was: put both changes into one block."
    )
    return Failure(change.number, FailureReason.OVERLAP, change.text, message, lines)


def bad_marker(change: Change, what: str, corrected: str | None) -> Failure:
    """The block cannot be read."""
    message = f"{what} {BLOCK}"
    if corrected is not None:
        message += f" If this is meant, write:\n{corrected}"
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message, corrected=corrected)


def stray_end(change: Change, line: str) -> Failure:
    """An end marker behind text that belongs to no block."""
    message = (
        f"`{line}` ends no block. If the block before ended too early, because this or an earlier line `{line}` is "
        f"content, write `\\{line}` for it."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def no_block(change: Change, example: str) -> Failure:
    """Text, and no diff in it."""
    message = f"There is nothing to apply in this text. {example}"
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def other_file(change: Change, path: str) -> Failure:
    """A part of a patch for several files, of which one was expected."""
    what = "hunk" if change.written else "patch"
    message = f"This {what} is about another file, {path}. Send one patch for each file."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message)


def no_such_file(change: Change, path: str, others: Iterable[str]) -> Failure:
    """A patch for other files."""
    message = f"No part of this patch is about {path}, only about {', '.join(others)}."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message)


def several_files(change: Change, paths: Iterable[str]) -> Failure:
    """A patch with several files that may be meant by one path."""
    message = f"The patch changes {' and '.join(paths)}, and each may be the file in question. Name it in full."
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message)


def file_remains(change: Change) -> Failure:
    """A patch that removes a file, but not all of its lines."""
    message = "The patch removes the file, but not all of its lines. Repeat it with every line of the file."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message)


def file_exists(change: Change, path: str) -> Failure:
    """A patch that makes a file that is there."""
    message = f"The patch makes {path or 'a new file'}, but the file exists and is not empty: change its lines instead."
    return Failure(change.number, FailureReason.EMPTY_SEARCH, change.text, message)


def combined(change: Change) -> Failure:
    """`@@@ -1 -1 +1 @@@`, as git shows merges."""
    message = "The hunk compares three versions of the file. Repeat it as a change to the file as it is, with `@@`."
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def empty_hunk(change: Change) -> Failure:
    """`@@` and nothing behind it."""
    message = (
        "The hunk has no lines. Write context with a blank before it, removed lines with `-`, added ones with `+`."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


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


def _window(keys: list[str], start: int, size: int) -> list[str]:
    """As many lines from there on; it may be before the file, or reach behind it, where there is nothing."""
    before = [""] * -start
    found = keys[max(0, start) : start + size]
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


def _lines_with(index: FileIndex, text: str, most: int) -> list[int]:
    """The numbers of the first condensed lines, from 0, of which the text is a part."""
    joined = index.condensed.joined
    numbers: list[int] = []
    line = behind = 0
    at = joined.find(text)
    while at >= 0 and len(numbers) < most:
        # The text begins with a line break, before line 0.
        line += joined.count("\n", behind, at)
        behind = at
        numbers.append(line - 1)
        at = joined.find(text, joined.find("\n", at))
    index.hints.spend(1 + len(numbers) + (at if at >= 0 else len(joined)) // _SEARCHED)
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
    return Candidate(first, last, similarity, last + 1, lines[len(keys)], None)


def _difference(nearest: Candidate) -> str:
    where, expected = _range(nearest.start_line, nearest.end_line), _quote(nearest.expected)
    if nearest.found is not None:
        found = _quote(nearest.found)
        return f"The nearest text is at {where}, where line {nearest.line} is {found} instead of {expected}. "
    if nearest.line > nearest.end_line:
        return f"The nearest text is at {where}, where the file ends before {expected}. "
    return f"The nearest text is at {where}, where the file begins: there is no {expected} before it. "


def _quote(line: str | None) -> str:
    line = line or ""
    return f"`{line}`" if len(line) <= _QUOTED else f"`{line[:_QUOTED]}…`"


def _range(first: int, last: int) -> str:
    return f"line {first}" if last <= first else f"lines {first} to {last}"


def _lines_around(index: FileIndex, old: Sequence[str]) -> list[int]:
    """The numbers of the first lines, from 1, of which a single old line is a part."""
    keys = condensed(old)
    if len(keys) != 1 or len(old) > 1:
        return []
    return [index.condensed_numbers[number] + 1 for number in _lines_with(index, keys[0], _LISTED + 1)]


def _count(number: int, noun: str) -> str:
    return noun if number == 1 else f"{number} {noun}s"


def _enumerate(lines: Sequence[int]) -> str:
    numbers = [str(line) for line in lines[:_LISTED]]
    if len(lines) > _LISTED:
        return f"lines {', '.join(numbers)} and {len(lines) - _LISTED} more"
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    return f"lines {', '.join(numbers[:-1])} and {numbers[-1]}"
