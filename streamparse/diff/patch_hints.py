"""Why a patch, or a hunk of it, was not applied: where it belongs, what it lacks, and which file it is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from streamparse.diff.change import Change
from streamparse.diff.hints import quote
from streamparse.diff.place import Place
from streamparse.diff.result import Failure, FailureReason

PATCH = "A patch has lines that begin with `@@`, and behind them context, `-` and `+` lines."
#: Blocks where a patch is expected.
BLOCKS_ALONE = f"This text is SEARCH/REPLACE blocks. Write a patch, not SEARCH/REPLACE blocks. {PATCH}"
#: A patch in an item of a list, of which some lines are not indented as the others are.
UNEVEN = "The patch is indented as a whole, but not all of its lines are. Write it without any blanks before its lines."


def gap(change: Change, place: Place) -> Failure:
    """A line of the file is missing in a hunk, or one is there that the file has not, next to a change."""
    message = (
        f"The hunk is about line {place.start + 1}, but it leaves lines of the file out there, or has others, so that "
        "it is not certain where its changes belong. Repeat it with every line of the file, blank ones included, as "
        "context right before and behind each change."
    )
    return change.failure(FailureReason.NOT_FOUND, message, (place.start + 1,))


def elsewhere(change: Change, place: Place, *, number: int) -> Failure:
    """The old lines are not at the number of the hunk, where others are like them, or the new ones."""
    line = max(0, place.first_line) + 1
    message = (
        f"The hunk is found at line {line}, but by its number it begins at line {number}, and the file has its new "
        "lines there already, or all of its old ones but for one. If this edit was made before, leave it out; if not, "
        "repeat the hunk with the lines of the file exactly as they are, and with their number."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, (line, number))


def made_again(change: Change, place: Place) -> Failure:
    """A hunk that an earlier part of the same patch has, just so, and that is found once more in what came of it."""
    message = (
        "An earlier part of the patch has made this very change, and its lines are found again, at line "
        f"{place.first_line + 1}. Leave it out; if it is to be made twice, repeat the hunk with more lines of the "
        "file, as the first one has left them."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, (place.first_line + 1,))


def no_header(change: Change, place: Place) -> Failure:
    """`@@ -3,0 +4 @@`, and lines that are removed elsewhere."""
    message = (
        "The header of the hunk announces new lines alone, but it has lines to be replaced, too, and these are "
        f"elsewhere, at line {place.first_line + 1}. Perhaps the `@@` line of a second hunk is missing before them. "
        "Repeat the hunk, or both, with the right headers."
    )
    return change.failure(FailureReason.BAD_MARKER, message, (place.first_line + 1,))


def other_signs(change: Change, place: Place) -> Failure:
    r"""Context with `\\` for the `\` of the file, with `…` for `...`, or with accents that are composed otherwise."""
    message = (
        f"The context at line {place.first_line + 1} has other signs than the file for the same text, such as more "
        "backslashes or fewer, `…` for `...`, or `e` and an accent for `é`, so that it is not certain which are meant "
        "in the new lines. Repeat the hunk with its context exactly as the file has it."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, (place.first_line + 1,))


def not_at_end(change: Change, place: Place) -> Failure:
    """`\\ No newline at end of file`, in the middle of the file."""
    message = (
        f"The hunk says that the file ends with it, without a newline, but it is about line {place.start + 1}, and "
        "more lines follow. Repeat it with the lines at the end of the file, or without `\\ No newline at end of file`."
    )
    return change.failure(FailureReason.NOT_FOUND, message, (place.start + 1,))


def line_ends(change: Change, place: Place) -> Failure:
    """Lines get other ends, by a patch of which the old lines do not show that it means the ends it writes."""
    message = (
        f"The hunk changes how lines end, from line {place.start + 1} on, and its old lines do not show which ends it "
        "means. Repeat it with a line before them as context, and with all old lines exactly as the file has them."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, (place.start + 1,))


def two_numbers(change: Change, numbers: tuple[int, int], wanted: int) -> Failure:
    """New lines alone, of which the header has two numbers that do not fit each other."""
    old, new = numbers
    message = (
        f"The hunk has only new lines, and its two numbers do not fit: behind line {old} of the file, the first of "
        f"them would be line {wanted} of the new one, not {new}. Repeat it with the lines before or behind them as "
        "context."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, (old,))


def misnumbered(change: Change, hunk: Change, line: int) -> Failure:
    """A hunk that was found by its number, and others that contradict it."""
    message = (
        f"Hunk {hunk.told_number} fits in several places. By its number it belongs to line {line}, but other hunks are "
        "before or behind it in another order, or are off by so many lines that it would be elsewhere. "
        "Repeat it with more context."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, hunk.text, message, (line,))


def misordered(change: Change, hunk: Change, line: int) -> Failure:
    """A hunk that is not at its number, and on the wrong side of others."""
    message = (
        f"Hunk {hunk.told_number} was found at line {line}, which is not its number, and other hunks are before or "
        "behind it that are not so by their numbers, nor as they are written. Repeat it with the right number, or with "
        "more context."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, hunk.text, message, (line,))


def swapped(change: Change, hunk: Change, place: Place) -> Failure:
    """A hunk on the wrong side of others, of which no line shows that it belongs there."""
    line = place.start + 1
    message = (
        f"Hunk {hunk.told_number} was found at line {line}, but the hunks are written in another order, and it has no "
        "old line with a word that the file has only once. Repeat it with more context, or in order."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, hunk.text, message, (line,))


def contradicting(change: Change, headings: Sequence[str]) -> Failure:
    """`@@ class A:` and `@@ def f():`, which is in no such class."""
    message = (
        f"The lines behind `@@` contradict each other: the file does not have {_chain(headings)} within it. Name the "
        "right ones."
    )
    return change.failure(FailureReason.NOT_FOUND, message)


def not_below(change: Change, headings: Sequence[str]) -> Failure:
    """`@@ class A:` and lines that are only found above that, or in another class."""
    message = (
        f"The file has the lines of the hunk, but not below {_chain(headings)}, as it says behind `@@`. Name the right "
        "lines."
    )
    return change.failure(FailureReason.NOT_FOUND, message)


def _chain(headings: Sequence[str]) -> str:
    return ", then ".join(f"`{heading.strip()}`" for heading in headings)


def combined(change: Change) -> Failure:
    """`@@@ -1 -1 +1 @@@`, as git shows merges."""
    message = "The hunk compares three versions of the file. Repeat it as a change to the file as it is, with `@@`."
    return change.failure(FailureReason.BAD_MARKER, message)


def unmarked(change: Change) -> Failure:
    """Lines that may be a list in prose, or removals behind context without its blank."""
    message = (
        "The last lines of the hunk may be prose or changes. Write context with a blank before it, removed lines with "
        "`-` and nothing else before them, and correct counts in the header."
    )
    return change.failure(FailureReason.BAD_MARKER, message)


def no_plus(change: Change, line: str, *, is_new: bool) -> Failure:
    """A line without a mark that is no prose; in a new file there is no context."""
    what = f"The line {quote(line)}" if line.strip() else "A blank line"
    message = (
        f"{what} of a new file has no `+` before it. Repeat the patch with `+` before every line."
        if is_new
        else f"{what} has no mark before it, and is perhaps new. Repeat the hunk with `+` before each "
        "new line, and with a blank before the lines that the file has."
    )
    return change.failure(FailureReason.BAD_MARKER, message)


def no_mark(change: Change, line: str, mark: str, *, is_new: bool) -> Failure:
    """A line that was taken for context or prose, and may have lost that mark, or either, if none is said."""
    if mark == "+":
        return no_plus(change, line, is_new=is_new)
    if mark == "-":
        doubt = "is context, but by the numbers behind `@@` it is perhaps to be removed"
        end = ", a blank before the lines that stay, and the right numbers."
    else:
        doubt = "has no mark before it, so it may stay, be removed, or be new"
        end = ", `+` before each new one, and a blank before the lines that stay."
    message = f"The line {quote(line)} {doubt}. Repeat the hunk with `-` before each removed line{end}"
    return change.failure(FailureReason.BAD_MARKER, message)


def lacks_lines(change: Change) -> Failure:
    """`@@ -1,2 +1,3 @@`, and two lines of context behind it."""
    message = (
        "The header of the hunk announces lines that are not there. Repeat it with all of its lines: `+` before each "
        "new one, `-` before each that is removed, and a blank before the others."
    )
    return change.failure(FailureReason.BAD_MARKER, message)


def lacks_first_lines(change: Change, place: Place) -> Failure:
    """`@@ -1,3 +1,4 @@`, a new line and two lines of context, which are lines 2 and 3 of the file."""
    message = (
        f"The hunk is found at line {place.first_line + 1}, behind the line of its number, and its header announces "
        "just as many more lines: its first ones are missing, so that it is not certain where the new ones belong. "
        "Repeat it with all of its lines."
    )
    return change.failure(FailureReason.BAD_MARKER, message, (place.first_line + 1,))


def cut_off(*, has_hunk: bool, is_open: bool) -> str:
    """What to do about a patch that ends in a header, or without the line that is to be its last."""
    end = ", and `*** End Patch` behind it" if is_open else ""
    return f"The patch breaks off. Write {'its last hunk' if has_hunk else 'it'} to its end{end}."


def cut_in_hunk(
    number: int, counts: tuple[int, int], announced: tuple[int, int] | None, *, is_open_line: bool, is_noop: bool
) -> str:
    """What shows that a patch may break off in its last hunk, and what to do if it does not.

    `announced` is how many old and new lines its header says there are.
    """
    shown: list[str] = []
    mends: list[str] = []
    sides = zip(("old", "new"), announced or counts, counts, strict=True)
    if lacking := [side for side in sides if side[1] > side[2]]:
        wanted = " and ".join(f"{wanted} {kind}" for kind, wanted, _ in lacking)
        there = " and ".join(str(there) for _, _, there in lacking)
        shown.append(f"announces {wanted} line{'' if lacking[-1][1] == 1 else 's'} and has {there}")
        mends.append("correct the numbers behind `@@`")
    if is_open_line:
        shown.append("ends without a line break")
        mends.append("write a line break behind its last line")
    if not shown and is_noop:
        shown.append("has no line with `-` or `+`, so that it changes nothing")
        mends.append("leave it out")
    if not shown:
        return cut_off(has_hunk=True, is_open=False)
    mend = f"If nothing is missing, {' and '.join(mends)}; else write its missing lines."
    return f"Hunk {number} {', and '.join(shown)}. {mend}"


def open_name(change: Change, name: str, whole: str) -> Failure:
    """The text ends with a name, without a line break, and another one begins so."""
    message = (
        f"The patch ends with the name {name}, without a line break, so that {whole} may be meant. Write the whole "
        "name, and a line break behind it."
    )
    return change.failure(FailureReason.AMBIGUOUS, message)


def empty_hunk(change: Change) -> Failure:
    """`@@` and nothing behind it."""
    message = (
        "The hunk has no lines. Write context with a blank before it, removed lines with `-`, added ones with `+`."
    )
    return change.failure(FailureReason.BAD_MARKER, message)


def no_lines(change: Change, path: str) -> Failure:
    """The header of a file, and no lines behind it, or none although it says so."""
    message = f"The patch has no lines for {path or 'the file'}: write hunks behind its header, or leave it out."
    return change.failure(FailureReason.BAD_MARKER, message)


def binary(change: Change, path: str) -> Failure:
    """`Binary files a/x and b/x differ`, or the bytes of one."""
    what = f"The patch changes {path or 'the file'} as a binary file."
    message = f"{what} Only lines of text can be changed by a patch: leave it out."
    return change.failure(FailureReason.BAD_MARKER, message)


def bad_name(change: Change, line: str) -> Failure:
    """A line of a header without a name, or with one in quotes that nobody can read."""
    message = f"The line {quote(line)} does not say which file is meant. Write its path there, without quotes."
    return change.failure(FailureReason.BAD_MARKER, message)


def other_file(change: Change, path: str) -> Failure:
    """A part of a patch for several files, of which one was expected."""
    what = "hunk" if change.written else "patch"
    message = f"This {what} is about another file, {path}. Send one patch for each file."
    return change.failure(FailureReason.NOT_FOUND, message)


def no_such_file(change: Change, path: str, others: Iterable[str]) -> Failure:
    """A patch for other files."""
    told = ", ".join(filter(None, others)) or "no file at all"
    message = f"No part of this patch is about {path}, only about {told}. Write a patch for {path}."
    return change.failure(FailureReason.NOT_FOUND, message)


def uncertain_removal(change: Change, path: str, other: str) -> Failure:
    """`*** Delete File: a.py`, where the file in question is `src/a.py`."""
    message = (
        f"The patch removes {other} and shows none of its lines, so it is not certain that {path} is meant. Write the "
        "whole path."
    )
    return change.failure(FailureReason.NOT_FOUND, message)


def several_files(change: Change, paths: Iterable[str]) -> Failure:
    """A patch with several files that may be meant by one path."""
    message = f"The patch changes {' and '.join(paths)}, and each may be the file in question. Name it in full."
    return change.failure(FailureReason.AMBIGUOUS, message)


def file_remains(change: Change) -> Failure:
    """A patch that removes a file, but not all of its lines."""
    message = "The patch removes the file, but not all of its lines. Repeat it with every line of the file."
    return change.failure(FailureReason.NOT_FOUND, message)


def file_exists(change: Change, path: str) -> Failure:
    """A patch that makes a file that is there."""
    message = f"The patch makes {path or 'a new file'}, but the file exists and is not empty: change its lines instead."
    return change.failure(FailureReason.EMPTY_SEARCH, message)
