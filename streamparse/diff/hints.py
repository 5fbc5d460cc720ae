"""Why a block was not applied, or what was corrected in it, in words that a model can act on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from streamparse.diff.change import Change
from streamparse.diff.index import FileIndex
from streamparse.diff.nearest import find_nearest, lines_around
from streamparse.diff.numbering import numberings
from streamparse.diff.place import Place
from streamparse.diff.python import SyntaxFlaw
from streamparse.diff.result import Candidate, Failure, FailureReason, Strategy
from streamparse.diff.ways import Way

START, SEPARATOR, END = "start marker `------- SEARCH`", "separator `=======`", "end marker `+++++++ REPLACE`"
BLOCK = "A block is `------- SEARCH`, the old lines, `=======`, the new lines, `+++++++ REPLACE`."
PATCH = "A patch has lines that begin with `@@`, and behind them context, `-` and `+` lines."
#: How many line numbers a sentence has room for.
_LISTED = 10
#: So many characters of new lines, but for blanks, say something: a brace or a name of one letter does not.
_TELLING = 4
#: How much of a line is quoted.
_QUOTED = 120
#: In what lines may differ that are found nevertheless.
_TOLERATED = {
    Strategy.TRIMMED: "indentation and blanks at the ends of lines",
    Strategy.CONDENSED: "blanks at the ends of lines, blank lines and typographic quotes and dashes",
}
_REASONS = {Way.HTML: FailureReason.BAD_MARKER, Way.INDENTATION: FailureReason.INDENTATION}
#: What was corrected in a hunk.
SIGNS = "signs that were written as HTML has them are signs"
TYPOGRAPHY = "quotes, dashes or blanks of typography are those that one types, as in the file"
#: A text of which a part would be left out without a word.
MIXED = "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways."

#: A text of the other kind: that is for whoever has called the function.
PATCH_ALONE = (
    "This text is a patch, and has no SEARCH/REPLACE blocks. `apply_patch` and `PatchStream` are for patches, "
    "`DiffStream` is for both."
)
BLOCKS_ALONE = (
    "This text is SEARCH/REPLACE blocks, and no patch. `apply_search_replace` and `SearchReplaceStream` are for such "
    "blocks, `DiffStream` is for both."
)

UNEVEN = "The patch is indented as a whole, but not all of its lines are. Write it without any blanks before its lines."


def not_found(index: FileIndex, change: Change) -> Failure:
    """The old lines are nowhere; without any, there is no telling where the new ones belong."""
    old = change.old
    if not old:
        return Failure(change.number, FailureReason.EMPTY_SEARCH, change.text, change.advice_without_old)
    bare = [[numbering.bare(line) for line in old] for numbering in numberings(old)[:1]]
    forms = [*bare, old] if index.hints.spend(len(old)) else []
    message = f"The {_count(len(old), 'line')} to be replaced {'is' if len(old) == 1 else 'are'} not in the file"
    if forms and "\0" in index.original:
        message += (
            ", which has NUL bytes: it is binary, or in an encoding that it does not name. Change it by a command."
        )
        return Failure(change.number, FailureReason.NOT_FOUND, change.text, message)
    found = [candidate for form in forms if (candidate := find_nearest(index, form)) is not None]
    nearest = max(found, key=lambda candidate: candidate.similarity, default=None)
    message += ". "
    if parts := next(filter(None, (lines_around(index, form, _LISTED + 1) for form in forms)), None):
        more = " and others" if len(parts) > _LISTED else ""
        is_verbatim = any(form[0].strip() in index.lines[parts[0] - 1] for form in forms)
        signs = "" if is_verbatim else ", and with other quotes, dashes or blanks"
        message += f"The text occurs only as part of {_enumerate(parts[:_LISTED])}{more}{signs}: give the whole line. "
    elif nearest is not None:
        message += _difference(nearest)
    made = _made_before(index, change)
    message += f"{made}; if not, read" if made else "Read"
    message += f" the file again and repeat the {change.noun} with its lines exactly as they are."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message, nearest=nearest)


def _made_before(index: FileIndex, change: Change) -> str:
    """That the new lines are in the file, once: models repeat edits that were made."""
    new = change.new_lines
    places = index.exact.places(new) if sum(len(line.strip()) for line in new) >= _TELLING else []
    if len(places) != 1:
        return ""
    where = _range(places[0] + 1, places[0] + len(new))
    are = "line is" if len(new) == 1 else "lines are"
    return f"The new {are} in the file already, at {where}: if this edit was made before, leave it out"


def made_before(change: Change, place: Place) -> Failure:
    """The old lines are found, though not to the letter, and the new ones are in the file to the letter."""
    message = (
        f"The lines to be replaced are not in the file as they are written, only like that at line {place.start + 1}, "
        "and the new lines are in the file already: if this edit was made before, leave it out; if not, read the file "
        f"again and repeat the {change.noun} with its lines exactly as they are."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, (place.start + 1,))


def ambiguous(change: Change, lines: tuple[int, ...]) -> Failure:
    """The old lines, or lines like them, are in several places, which begin at these lines."""
    assert change.match is not None  # it is found, in too many places
    strategy, places = change.match.told, f"{len(lines)} places"
    advice = "its lines exactly as they are in the file, and as many as it takes"
    if not change.match.lines:
        what, advice = f"There are {places} for the new lines, before", "more lines around them"
    elif strategy is Strategy.EXACT:
        what, advice = f"The lines to be replaced occur {len(lines)} times, at", "more lines around them"
    elif strategy in _TOLERATED:
        what = f"The lines to be replaced occur {len(lines)} times but for {_TOLERATED[strategy]}, at"
    else:
        what = f"The lines to be replaced are not in the file, and {places} are equally like them, at"
    message = f"{what} {_enumerate(lines)}. Repeat the {change.noun} with {advice}, so that only one place fits."
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, lines)


def several(change: Change, lines: tuple[int, ...], count: int) -> Failure:
    """A text that need not be whole lines is in several places, in these lines."""
    message = (
        f"The text to be replaced occurs {count} times, at {_enumerate(lines)}. Repeat the edit with more of the text "
        "around it, so that only one place fits, or with `replace_all`."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, lines)


def overlap(change: Change, place: Place, owner: Change) -> Failure:
    """An earlier block has these lines."""
    lines = tuple(range(place.start + 1, place.end + 1))
    noun, other = change.noun, f"{change.noun} {owner.told_number}"
    what = f"is about {_range(place.start + 1, place.end)} of the file, which {other} changes already"
    if not lines:
        what = f"inserts lines before line {place.start + 1} of the file, where {other} makes changes already"
    message = f"This {noun} {what}. All {noun}s refer to the file as it was: put both changes into one {noun}."
    return Failure(change.number, FailureReason.OVERLAP, change.text, message, lines)


def indentation(change: Change, place: Place) -> Failure:
    """The old lines are found, but they are indented otherwise, and how is not one rule for all of them."""
    message = (
        f"The lines to be replaced are {_range(place.start + 1, place.end)} of the file, but they are not written with "
        "the indentation that they have there, and how deep the new lines are to be is not certain. Repeat the "
        f"{change.noun} with the indentation of the file, in the old lines and in the new ones."
    )
    return Failure(change.number, FailureReason.INDENTATION, change.text, message, (place.start + 1,))


def gap(change: Change, place: Place) -> Failure:
    """A line of the file is missing in a hunk, or one is there that the file has not, next to a change."""
    message = (
        f"The hunk is about line {place.start + 1}, but it leaves lines of the file out there, or has others, so that "
        "it is not certain where its changes belong. Repeat it with every line of the file, blank ones included, as "
        "context right before and behind each change."
    )
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message, (place.start + 1,))


def elsewhere(change: Change, place: Place, *, number: int) -> Failure:
    """The old lines are not at the number of the hunk, where others are like them, or the new ones."""
    line = max(0, place.first_line) + 1
    message = (
        f"The hunk is found at line {line}, but by its number it begins at line {number}, and the file has its new "
        "lines there already, or all of its old ones but for one. If this edit was made before, leave it out; if not, "
        "repeat the hunk with the lines of the file exactly as they are, and with their number."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, (line, number))


def not_at_end(change: Change, place: Place) -> Failure:
    """`\\ No newline at end of file`, in the middle of the file."""
    message = (
        f"The hunk says that the file ends with it, without a newline, but it is about line {place.start + 1}, and "
        "more lines follow. Repeat it with the lines at the end of the file, or without `\\ No newline at end of file`."
    )
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message, (place.start + 1,))


def unended(change: Change, place: Place) -> Failure:
    """The last line of a file that has no end, and other lines like it that have one."""
    message = (
        f"The lines of the hunk occur several times. By its number it is about line {place.start + 1} and has the last "
        "line of the file, which has no end, but the hunk does not say so. Repeat it with more lines around them, or "
        "with `\\ No newline at end of file` behind the last one."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, (place.start + 1,))


def line_ends(change: Change, place: Place) -> Failure:
    """Lines get other ends, by a patch of which the old lines do not show that it means the ends it writes."""
    message = (
        f"The hunk changes how lines end, from line {place.start + 1} on, and its old lines do not show which ends it "
        "means. Repeat it with a line before them as context, and with all old lines exactly as the file has them."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, (place.start + 1,))


def two_numbers(change: Change, numbers: tuple[int, int], wanted: int) -> Failure:
    """New lines alone, of which the header has two numbers that do not fit each other."""
    old, new = numbers
    message = (
        f"The hunk has only new lines, and its two numbers do not fit: behind line {old} of the file, the first of "
        f"them would be line {wanted} of the new one, not {new}. Repeat it with the lines before or behind them as "
        "context."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, (old,))


def misnumbered(change: Change, hunk: Change, line: int) -> Failure:
    """A hunk that was found by its number, and others that contradict it."""
    message = (
        f"Hunk {hunk.told_number} fits in several places. By its number it belongs to line {line}, but other hunks are "
        "before or behind it in another order, or are off by so many lines that it would be elsewhere. "
        "Repeat it with more context."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, hunk.text, message, (line,))


def unlike(change: Change, one: Change, way: Way) -> Failure:
    """A hunk or block of which nothing shows whether it is written in that way, as others are."""
    message = (
        f"Other {one.noun}s are written {way.value}, and nothing in the old lines of {one.noun} {one.told_number} "
        "shows whether it is, too. Repeat all of them as the file is written: with its indentation, its signs and its "
        "ends of lines, and without line numbers."
    )
    return Failure(change.number, _REASONS.get(way, FailureReason.AMBIGUOUS), one.text, message)


def blank_lines(change: Change, place: Place) -> Failure:
    """The old lines are found but for blank lines, and changed right there."""
    message = (
        f"The lines to be replaced are {_range(place.start + 1, place.end)} of the file, but not with the same blank "
        "lines, and the new lines do not say what becomes of those. "
        f"Repeat the {change.noun} with the blank lines of the file."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message, (place.start + 1,))


def no_python(change: Change, flaw: SyntaxFlaw) -> Failure:
    """With the new lines the file would not be Python any more."""
    what = f"With this {change.noun}"
    advice = f"Repeat the {change.noun} with every bracket, every quote and the indentation that it takes."
    reason = FailureReason.SYNTAX
    if change.is_indented:
        what = "The lines to be replaced are not written with the indentation of the file, and with the new lines"
        advice = f"Repeat the {change.noun} with the indentation of the file, in the old lines and in the new ones."
        reason = FailureReason.INDENTATION
    return Failure(change.number, reason, change.text, f"{what} {not_python(flaw)} {advice}")


def not_python(flaw: SyntaxFlaw) -> str:
    """The end of a sentence: what the file would be no more, and why."""
    place = f", at {_quote(flaw.line)}" if flaw.line else ""
    return f"the file would no longer be Python ({flaw.message}{place})."


def placeholder(change: Change, line: str) -> Failure:
    """A new line that says that lines are left out, which would be lost."""
    message = f"`{line.strip()}` stands for lines that are left out. Repeat the {change.noun} and write the lines out."
    return Failure(change.number, FailureReason.PLACEHOLDER, change.text, message)


def elided(change: Change) -> Failure:
    """`...` for lines that are left out, on one side only."""
    message = (
        "The old lines have `...` for lines that are left out, and the new ones do not have it as often. Repeat the "
        f"{change.noun} and write the lines out."
    )
    return Failure(change.number, FailureReason.PLACEHOLDER, change.text, message)


def half_fenced(change: Change) -> Failure:
    """A fence around the old lines, and a piece of one around the new ones."""
    message = (
        "The old lines are in a fence, and of the new ones only one end is. "
        f"Repeat the {change.noun} without fences in it."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def half_escaped(change: Change) -> Failure:
    """`&lt;` in the old lines, and both `&lt;` and `<` in the new ones."""
    message = (
        "Some signs are written for HTML (`&lt;`), and others are not. "
        f"Repeat the {change.noun} with all of them as they are."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def numbers_for_all(change: Change) -> Failure:
    """Line numbers before the old lines, which are those of one place, and `replace_all`."""
    message = (
        "There are line numbers in front of the old lines, which are those of one place, and `replace_all` is for "
        "every place. Repeat the edit without line numbers, or without `replace_all`."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message)


def some_numbers(change: Change) -> Failure:
    """Line numbers before the old lines, and before some of the new ones."""
    message = (
        "There are line numbers in front of the old lines, and in front of some new ones, where they may be text. "
        f"Repeat the {change.noun} without line numbers."
    )
    return Failure(change.number, FailureReason.AMBIGUOUS, change.text, message)


def bad_start(change: Change, line: str, corrected: str | None) -> Failure:
    """Almost a start marker."""
    return _bad_marker(change, f"The block begins with `{line}`, which is not the marker `------- SEARCH`.", corrected)


def no_start(change: Change) -> Failure:
    """A separator and an end without one."""
    return _bad_marker(change, "This block has no marker `------- SEARCH` before its old lines.")


def bad_header(change: Change, line: str, corrected: str | None) -> Failure:
    """`:start_line:` and something else than a number."""
    return _bad_marker(change, f"`{line}` is not a line number.", corrected)


def no_separator(change: Change, corrected: str | None) -> Failure:
    """Nothing between the old and the new lines, or something else."""
    return _bad_marker(change, "There is no line `=======` between SEARCH and REPLACE.", corrected)


def bad_end(change: Change, line: str, corrected: str | None) -> Failure:
    """Almost an end marker."""
    return _bad_marker(change, f"The block ends with `{line}`, which is not the marker `+++++++ REPLACE`.", corrected)


def no_end(change: Change, line: str, corrected: str | None) -> Failure:
    """Another block begins; `line` is almost its start marker, if that is not a proper one."""
    begins = f"seems to begin with `{line}`" if line else "begins"
    return _bad_marker(change, f"Another block {begins} before this one has its end marker.", corrected)


def _bad_marker(change: Change, what: str, corrected: str | None = None) -> Failure:
    message = f"{what} {BLOCK}"
    if corrected is not None:
        message += f" If this is meant, write:\n{corrected}"
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message, corrected=corrected)


def taken_for(line: str, what: str) -> str:
    """What was corrected: the line was taken for that."""
    return f"`{line}` is taken for the {what}"


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


def other_kind(change: Change, sentence: str) -> Failure:
    """A patch where blocks are expected, or blocks where a patch is."""
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, sentence)


def mixed(change: Change) -> Failure:
    """A patch and blocks: one of them would be left out without a word."""
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, MIXED)


def uneven(change: Change) -> Failure:
    """A patch in an item of a list, of which some lines are not indented as the others are."""
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, UNEVEN)


def no_lines(change: Change, path: str) -> Failure:
    """git's header, and no lines behind it, or none although it says so."""
    message = f"The patch has no lines for {path or 'the file'}: write hunks behind its header, or leave it out."
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def binary(change: Change, path: str) -> Failure:
    """`Binary files a/x and b/x differ`, or the bytes of one."""
    message = f"The patch changes {path or 'the file'} as a binary file. Only lines of text can be changed by a patch."
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def contradicting(change: Change, headings: Sequence[str]) -> Failure:
    """`@@ class A:` and `@@ def f():`, which is in no such class."""
    chain = ", then ".join(f"`{heading.strip()}`" for heading in headings)
    message = (
        f"The lines behind `@@` contradict each other: the file does not have {chain} within it. Name the right ones."
    )
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message)


def other_file(change: Change, path: str) -> Failure:
    """A part of a patch for several files, of which one was expected."""
    what = "hunk" if change.written else "patch"
    message = f"This {what} is about another file, {path}. Send one patch for each file."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message)


def no_such_file(change: Change, path: str, others: Iterable[str]) -> Failure:
    """A patch for other files."""
    message = f"No part of this patch is about {path}, only about {', '.join(others)}."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message)


def no_file(change: Change, sentence: str) -> Failure:
    """A file of a tree that cannot be edited."""
    return Failure(change.number, FailureReason.NO_FILE, change.text, sentence)


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


def unmarked(change: Change) -> Failure:
    """Lines that may be a list in prose, or removals behind context without its blank."""
    message = (
        "The last lines of the hunk may be prose or changes. Write context with a blank before it, removed lines with "
        "`-` and nothing else before them, and correct counts in the header."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def no_plus(change: Change, line: str, *, is_new: bool) -> Failure:
    """A line without a mark that is no prose; in a new file there is no context."""
    what = f"The line {_quote(line)}" if line.strip() else "A blank line"
    message = (
        f"{what} of a new file has no `+` before it. Repeat the patch with `+` before every line."
        if is_new
        else f"{what} has no mark before it, and is perhaps new. Repeat the hunk with `+` before each "
        "new line, and with a blank before the lines that the file has."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def lacks_lines(change: Change) -> Failure:
    """`@@ -1,2 +1,3 @@`, and two lines of context behind it."""
    message = (
        "The header of the hunk announces lines that are not there. Repeat it with all of its lines: `+` before each "
        "new one, `-` before each that is removed, and a blank before the others."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


def empty_hunk(change: Change) -> Failure:
    """`@@` and nothing behind it."""
    message = (
        "The hunk has no lines. Write context with a blank before it, removed lines with `-`, added ones with `+`."
    )
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message)


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


def _count(number: int, noun: str) -> str:
    return noun if number == 1 else f"{number} {noun}s"


def _enumerate(lines: Sequence[int]) -> str:
    numbers = [str(line) for line in lines[:_LISTED]]
    if len(lines) > _LISTED:
        return f"lines {', '.join(numbers)} and {len(lines) - _LISTED} more"
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    return f"lines {', '.join(numbers[:-1])} and {numbers[-1]}"
