"""Why a block was not applied, in words that a model can act on, and what in the file is nearest to it.

The nearest lines are looked for where lines of the block, or else rare words of it, occur; that takes a fraction of
a second in 100,000 lines. It is a hint and nothing is ever applied because of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from streamparse.diff.change import Change
from streamparse.diff.index import FileIndex
from streamparse.diff.match import Place
from streamparse.diff.result import Candidate, Failure, FailureReason
from streamparse.diff.similarity import lines_similarity
from streamparse.diff.table import LineTable

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
#: How many line numbers a sentence has room for.
_LISTED = 10
#: How much of a line is quoted.
_QUOTED = 120


def not_found(index: FileIndex, change: Change) -> Failure:
    """The old lines are nowhere; without any, there is no telling where the new ones belong."""
    old = change.old
    if not old:
        return Failure(change.number, FailureReason.EMPTY_SEARCH, change.text, change.advice_without_old)
    nearest = find_nearest(index, old)
    message = f"The {_count(len(old), 'line')} to be replaced {'is' if len(old) == 1 else 'are'} not in the file. "
    if part := _line_with(index, old):
        message += f"The text occurs only as part of line {part}: give the whole line. "
    elif nearest is not None:
        message += _difference(nearest)
    message += "Read the file again and repeat the block with its lines exactly as they are."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message, nearest=nearest)


def ambiguous(change: Change, lines: tuple[int, ...]) -> Failure:
    """The old lines are in several places, which begin at these lines."""
    message = (
        f"The lines to be replaced occur {len(lines)} times, at lines {_list(lines)}. "
        "Repeat the block with more lines around them, so that only one place fits."
    )
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
    wanted = [line.strip() for line in old]
    table = index.trimmed
    starts = _by_lines(table, wanted) or _by_words(table, wanted)
    best: tuple[float, int] | None = None
    for start in dict.fromkeys(min(max(0, start), len(table.keys) - 1) for start in starts):
        found = _window(table.keys, start, len(wanted))
        similarity = lines_similarity(wanted[:_COMPARED], found[:_COMPARED])
        if best is None or similarity > best[0]:
            best = similarity, start
    return None if best is None else _candidate(index, wanted, best[1], best[0])


def _window(keys: list[str], start: int, size: int) -> list[str]:
    found = keys[start : start + size]
    return found + [""] * (size - len(found))


def _by_lines(table: LineTable, wanted: list[str]) -> list[int]:
    """Where most of the old lines would stand in their place."""
    votes: Counter[int] = Counter()
    telling = sorted({line for line in wanted if line}, key=len, reverse=True)[:_LINES]
    for line in telling:
        numbers = table.places([line])
        if len(numbers) <= _OCCURRENCES:
            at = wanted.index(line)
            votes.update({number - at: len(line) for number in numbers})
    return _elected(votes)


def _by_words(table: LineTable, wanted: list[str]) -> list[int]:
    """Where most of the rare words would stand in their place."""
    votes: Counter[int] = Counter()
    lines = {word: at for at, line in enumerate(wanted) for word in _WORD.findall(line[:1000])}
    for word in sorted(lines, key=len, reverse=True)[:_WORDS]:
        votes.update({number - lines[word]: len(word) for number in _lines_with(table, word)})
    return _elected(votes)


def _lines_with(table: LineTable, word: str) -> list[int]:
    text = table.joined
    numbers: list[int] = []
    line = behind = 0
    at = text.find(word)
    while at >= 0 and len(numbers) < _OCCURRENCES:
        # The text begins with a line break, before line 0.
        line += text.count("\n", behind, at)
        behind = at
        numbers.append(line - 1)
        at = text.find(word, text.find("\n", at))
    return numbers if at < 0 else []


def _elected(votes: Counter[int]) -> list[int]:
    return [start for start, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:_CANDIDATES]]


def _candidate(index: FileIndex, wanted: list[str], start: int, similarity: float) -> Candidate:
    found = index.trimmed.keys[start : start + len(wanted)]
    pairs = zip_longest(wanted, found)
    at, (expected, line) = next(item for item in enumerate(pairs) if item[1][0] != item[1][1])
    return Candidate(start + 1, start + len(found), similarity, start + at + 1, expected, line)


def _difference(nearest: Candidate) -> str:
    where, expected = _range(nearest.start_line, nearest.end_line), _quote(nearest.expected)
    if nearest.found is None:
        return f"The nearest text is at {where}, where the file ends before {expected}. "
    return (
        f"The nearest text is at {where}, where line {nearest.line} is {_quote(nearest.found)} instead of {expected}. "
    )


def _quote(line: str | None) -> str:
    line = line or ""
    return f"`{line}`" if len(line) <= _QUOTED else f"`{line[:_QUOTED]}…`"


def _range(first: int, last: int) -> str:
    return f"line {first}" if last <= first else f"lines {first} to {last}"


def _line_with(index: FileIndex, old: Sequence[str]) -> int | None:
    """The number of the line of which a single old line is a part."""
    key = old[0].strip()
    if len(old) > 1 or not key:
        return None
    text = index.trimmed.joined
    at = text.find(key)
    return text.count("\n", 0, at) if at >= 0 else None


def _count(number: int, noun: str) -> str:
    return noun if number == 1 else f"{number} {noun}s"


def _list(lines: Sequence[int]) -> str:
    numbers = [str(line) for line in lines[: _LISTED + 1]]
    if len(lines) > _LISTED:
        return f"{', '.join(numbers[:_LISTED])} and {len(lines) - _LISTED} more"
    return f"{', '.join(numbers[:-1])} and {numbers[-1]}"
