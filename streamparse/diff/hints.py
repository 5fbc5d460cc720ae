"""Why a block was not applied, in words that a model can act on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from streamparse.diff.change import Change
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import bodies_of, split_lines, trim_all
from streamparse.diff.nearest import find_nearest, lines_around
from streamparse.diff.numbering import numberings
from streamparse.diff.place import Place
from streamparse.diff.python import SyntaxFlaw
from streamparse.diff.result import Candidate, Failure, FailureReason, Strategy
from streamparse.diff.ways import Way

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
#: What stands for a byte of which it is not known what character it is.
_UNREAD = re.compile(r"[\udc80-\udcff]")
_UNKNOWN_BYTES = (
    " (the file is not in UTF-8, and what some of its bytes stand for is not known: leave such lines out of the old "
    "lines, or have the encoding of the file named)"
)
#: Kinds of characters that take no room, or look like a blank.
_INVISIBLE = ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")
#: What is written as an escape where two lines look the same: tabs, and all that is not ASCII.
_NOT_PLAIN = re.compile(r"[^ -~]")
_REASONS = {Way.HTML: FailureReason.BAD_MARKER, Way.INDENTATION: FailureReason.INDENTATION}
#: What to do about a file that would be no Python.
_WELL_FORMED = "with every bracket, every quote and the indentation that it takes."
#: A text of which a part would be left out without a word.
MIXED = "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways."


def not_found(index: FileIndex, change: Change, written: tuple[str, Change] | None = None) -> Failure:
    """The old lines are nowhere; without any, there is no telling where the new ones belong.

    One of them may have been written by another change.
    """
    old = change.old
    if not old:
        return change.failure(FailureReason.EMPTY_SEARCH, change.advice_without_old)
    bare = [[numbering.bare(line) for line in old] for numbering in numberings(old)[:1]]
    forms = [*bare, old] if index.hints.spend(len(old)) else []
    what = "The line to be replaced is" if len(old) == 1 else f"The {len(old)} lines to be replaced are"
    message = f"{what} not in the file"
    if written is not None:
        return change.failure(FailureReason.NOT_FOUND, f"{message}. {_builds_on(change, *written)}")
    if forms and "\0" in index.original:
        message += (
            ", which has NUL bytes: it is binary, or in an encoding that it does not name. Change it by a command."
        )
        return change.failure(FailureReason.NOT_FOUND, message)
    if forms and _are_escaped(index, old):
        message += (
            ", but its text is there with line breaks in place of `\\n`: write line breaks as such, not as a backslash "
            "and `n`."
        )
        return change.failure(FailureReason.NOT_FOUND, message)
    found = [candidate for form in forms if (candidate := find_nearest(index, form)) is not None]
    nearest = max(found, key=lambda candidate: candidate.similarity, default=None)
    message += ". "
    if parts := next(filter(None, (lines_around(index, form, _LISTED + 1) for form in forms)), None):
        more = " and others" if len(parts) > _LISTED else ""
        where = f"{_enumerate(parts[:_LISTED])}{more}{_otherwise(forms, index.lines[parts[0] - 1])}"
        message += f"The text occurs only as part of {where}: give the whole line. "
    elif nearest is not None:
        message += _difference(index, nearest)
    made = _made_before(index, change)
    message += f"{made}; if not, read" if made else "Read"
    message += f" the file again and repeat the {change.noun} with its lines exactly as they are."
    return Failure(change.number, FailureReason.NOT_FOUND, change.text, message, nearest=nearest)


def _builds_on(change: Change, line: str, writer: Change) -> str:
    """That the old lines are for what another block makes of the file."""
    return (
        f"{quote(line)} is written by {change.noun} {writer.told_number}, and all {change.noun}s refer to the file as "
        f"it was: put both changes into one {change.noun}."
    )


def _are_escaped(index: FileIndex, old: Sequence[str]) -> bool:
    """Whether the file has the lines with line breaks for `\\n`, as in text that was quoted once too often."""
    text = "\n".join(old)
    return "\\n" in text and bool(index.trimmed.places(trim_all(bodies_of(split_lines(text.replace("\\n", "\n"))))))


def _otherwise(forms: Sequence[Sequence[str]], line: str) -> str:
    """In what the text, which is one line in each of these forms, is written otherwise in that line of the file."""
    texts = [form[0] for form in forms]
    if any(text in line for text in texts):
        return ""
    text = next((text for text in texts if text.strip() in line), None)
    if text is None:
        return ", and with other quotes, dashes or blanks"
    sides = (("at its end", text.rstrip()), ("before it", text.lstrip()), ("around it", text.strip()))
    where, bare = next(side for side in sides if side[1] in line)
    return f", without the {'blank' if len(text) - len(bare) == 1 else 'blanks'} {where}"


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
    return change.failure(FailureReason.AMBIGUOUS, message, (place.start + 1,))


def made_beside(change: Change, place: Place) -> Failure:
    """New lines that the file has already, right beside the old ones."""
    message = (
        f"The file has the new lines of the {change.noun} already, right beside line {place.first_line + 1}. "
        f"If this edit was made before, leave it out; if not, repeat the {change.noun} with lines of the file both "
        "before and behind the new ones."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, (place.first_line + 1,))


def ambiguous(change: Change, lines: tuple[int, ...]) -> Failure:
    """The old lines, or lines like them, are in several places, which begin at these lines."""
    assert change.match is not None  # it is found, in too many places
    strategy, places = change.match.told, f"{len(lines)} places"
    is_one = len(change.match.lines) == 1
    old, them = ("The line to be replaced", "it") if is_one else ("The lines to be replaced", "them")
    occur = f"{old} occur{'s' if is_one else ''} {len(lines)} times"
    advice = "its lines exactly as they are in the file, and as many as it takes"
    if strategy is Strategy.EXACT:
        what, advice = f"{occur}, at", f"more lines around {them}"
    elif strategy in _TOLERATED:
        what = f"{occur} but for {_TOLERATED[strategy]}, at"
    else:
        what = f"{old} {'is' if is_one else 'are'} not in the file, and {places} are equally like {them}, at"
    message = f"{what} {_enumerate(lines)}. Repeat the {change.noun} with {advice}, so that only one place fits."
    return change.failure(FailureReason.AMBIGUOUS, message, lines)


def several(change: Change, lines: tuple[int, ...], count: int) -> Failure:
    """A text that need not be whole lines is in several places, in these lines."""
    message = (
        f"The text to be replaced occurs {count} times, at {_enumerate(lines)}. Repeat the edit with more of the text "
        "around it, so that only one place fits, or with `replace_all`."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, lines)


def overlap(change: Change, place: Place, owner: Change) -> Failure:
    """An earlier block has these lines."""
    lines = tuple(range(place.start + 1, place.end + 1))
    noun, other = change.noun, f"{change.noun} {owner.told_number}"
    what = f"is about {_range(place.start + 1, place.end)} of the file, which {other} changes already"
    if not lines:
        what = f"inserts lines before line {place.start + 1} of the file, where {other} makes changes already"
    message = f"This {noun} {what}. All {noun}s refer to the file as it was: put both changes into one {noun}."
    return change.failure(FailureReason.OVERLAP, message, lines)


def indentation(change: Change, place: Place) -> Failure:
    """The old lines are found, but they are indented otherwise, and how is not one rule for all of them."""
    message = (
        f"The lines to be replaced are {_range(place.start + 1, place.end)} of the file, but they are not written with "
        "the indentation that they have there, and how deep the new lines are to be is not certain. Repeat the "
        f"{change.noun} with the indentation of the file, in the old lines and in the new ones."
    )
    return change.failure(FailureReason.INDENTATION, message, (place.start + 1,))


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
    return change.failure(FailureReason.AMBIGUOUS, message, (place.start + 1,))


def line_breaks(change: Change, place: Place) -> Failure:
    """A text of whole lines with a break at one end, and a new one without it, which may be meant or forgotten."""
    message = (
        f"The text to be replaced, {_range(place.start + 1, place.end)} of the file, begins or ends with a line break, "
        "and the new one does not, so that it is not certain whether lines are to be joined. "
        f"Repeat the {change.noun} with the break at both, or with some of the next line in both."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, (place.start + 1,))


def no_python(change: Change, flaw: SyntaxFlaw, *, is_alone: bool) -> Failure:
    """With the new lines the file would not be Python any more; unless `is_alone`, others may be why."""
    noun, reason = change.noun, FailureReason.SYNTAX
    if is_alone:
        message = f"With this {noun} {_not_python(flaw)} Repeat the {noun} {_WELL_FORMED}"
    else:
        message = together_no_python(noun, flaw)
    if change.is_indented:
        what = "The lines to be replaced are not written with the indentation of the file, and with the new lines"
        advice = f"Repeat the {noun} with the indentation of the file, in the old lines and in the new ones."
        reason, message = FailureReason.INDENTATION, f"{what} {_not_python(flaw)} {advice}"
    return change.failure(reason, message)


def together_no_python(noun: str, flaw: SyntaxFlaw) -> str:
    """With several blocks or hunks the file would not be Python any more, and which of them is wrong is not known."""
    return f"With these {noun}s together {_not_python(flaw)} None of them is applied. Repeat them {_WELL_FORMED}"


def _not_python(flaw: SyntaxFlaw) -> str:
    """The end of a sentence: what the file would be no more, and why."""
    place = f", at {quote(flaw.line)}" if flaw.line else ""
    return f"the file would no longer be Python ({flaw.message}{place})."


def placeholder(change: Change, line: str) -> Failure:
    """A new line that says that lines are left out, which would be lost."""
    message = f"`{line.strip()}` stands for lines that are left out. Repeat the {change.noun} and write the lines out."
    return change.failure(FailureReason.PLACEHOLDER, message)


def numbers_for_all(change: Change) -> Failure:
    """Line numbers before the old lines, which are those of one place, and `replace_all`."""
    message = (
        "There are line numbers in front of the old lines, which are those of one place, and `replace_all` is for "
        "every place. Repeat the edit without line numbers, or without `replace_all`."
    )
    return change.failure(FailureReason.AMBIGUOUS, message)


def only_alike_for_all(change: Change, lines: tuple[int, ...]) -> Failure:
    """`replace_all`, and no text is there to the letter, but lines like it in several places."""
    message = (
        "`replace_all` replaces only text that stands to the letter, and this text does not: its lines are written "
        f"otherwise in the file, at {_enumerate(lines)}. Repeat the edit for each of these places, with its lines "
        "exactly as they are there and without `replace_all`."
    )
    return change.failure(FailureReason.AMBIGUOUS, message, lines)


def some_numbers(change: Change) -> Failure:
    """Line numbers before the old lines, and something like it before some of the new ones."""
    message = (
        "There are line numbers in front of the old lines, and it is not certain what in front of new ones is a number "
        "and what is text. "
        f"Repeat the {change.noun} without line numbers."
    )
    return change.failure(FailureReason.AMBIGUOUS, message)


def typography(change: Change) -> Failure:
    """Quotes, dashes or blanks of typography in new lines, which may stand for those that one types or not."""
    message = (
        "The old lines have quotes, dashes or blanks of typography where the file has others, and it is not certain "
        f"which are meant in the new lines. Repeat the {change.noun} with the signs of the file in the old lines, and "
        "with those that are to be there in the new ones."
    )
    return change.failure(FailureReason.AMBIGUOUS, message)


def no_block(change: Change, example: str) -> Failure:
    """Text, and no diff in it."""
    message = f"There is nothing to apply in this text. {example}"
    return change.failure(FailureReason.BAD_MARKER, message)


def wrong_text(change: Change, sentence: str) -> Failure:
    """The text as a whole is not what it is to be, as the sentence says."""
    return change.failure(FailureReason.BAD_MARKER, sentence)


def no_file(change: Change, sentence: str) -> Failure:
    """A file of a tree that cannot be edited."""
    return change.failure(FailureReason.NO_FILE, sentence)


def _difference(index: FileIndex, nearest: Candidate) -> str:
    """What differs first in the nearest text: a line, or one that the block or the file does not have."""
    first, last, line = nearest.start_line, nearest.end_line, nearest.line
    at = f"The nearest text is at {_range(first, last)}, where"
    if nearest.expected is None:
        return f"{at} line {line}, {quote(nearest.found)}, is left out. "
    if nearest.found is not None:
        found, expected, how = _told_apart(nearest.found, nearest.expected)
        what = f"The nearest text is line {line}, which" if first == last else f"{at} line {line}"
        return f"{what} is {found} instead of {expected}{how}. "
    expected = quote(nearest.expected)
    if line > last:
        return f"{at} the file ends before {expected}. "
    if line == first == index.condensed_numbers[0] + 1:
        return f"{at} the file begins: there is no {expected} before it. "
    return f"{at} there is no {expected} right before line {line}. "


def _told_apart(found: str, expected: str) -> tuple[str, str, str]:
    """Both lines in backticks, and in what they differ if that is hardly to be seen."""
    if found.casefold() == expected.casefold():
        return quote(found), quote(expected), " (only upper and lower case differ)"
    if _UNREAD.search(found) and not expected.isascii():
        return quote(found), quote(expected), _UNKNOWN_BYTES
    if _seen(found) != _seen(expected):
        return quote(found), quote(expected), ""
    found, expected = (quote(_NOT_PLAIN.sub(lambda match: _code(match[0]), side)) for side in (found, expected))
    return found, expected, " (only blanks differ, or characters that the eye does not tell apart)"


def _seen(line: str) -> str:
    """What the eye sees of it."""
    composed = unicodedata.normalize("NFC", line)
    return "".join(one for one in composed if not _is_invisible(one))


def _is_invisible(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in _INVISIBLE


def _code(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def quote(line: str | None) -> str:
    """The line between backticks, of which a long one is cut; what cannot be seen in it is written as `\\u200b`."""
    line = line or ""
    shown = "".join(_code(one) if one not in " \t" and _is_invisible(one) else one for one in line[:_QUOTED])
    return f"`{shown}`" if len(line) <= _QUOTED else f"`{shown}…`"


def _range(first: int, last: int) -> str:
    return f"line {first}" if last <= first else f"lines {first} to {last}"


def _enumerate(lines: Sequence[int]) -> str:
    numbers = [str(line) for line in lines[:_LISTED]]
    if len(lines) > _LISTED:
        return f"lines {', '.join(numbers)} and {len(lines) - _LISTED} more"
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    return f"lines {', '.join(numbers[:-1])} and {numbers[-1]}"
