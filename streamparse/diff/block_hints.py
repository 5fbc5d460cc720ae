"""What is wrong with a SEARCH/REPLACE block as it is written: markers, a fence, `...` or `&lt;` on one side only."""

from __future__ import annotations

from streamparse.diff.change import Change
from streamparse.diff.markers import CONTENT, Style, style_of
from streamparse.diff.result import Failure, FailureReason


def shape(style: Style) -> str:
    """What a block looks like, in that style."""
    return f"A block is `{style.start}`, the old lines, `=======`, the new lines, `{style.end}`."


BLOCK = shape(style_of(CONTENT))
#: The same over a tree.
NAMED_BLOCK = f"{BLOCK} Before it stands the path of its file, in backticks on a line of its own."
#: A patch where blocks are expected.
PATCH_ALONE = f"This text is a patch. Write SEARCH/REPLACE blocks, not a patch. {BLOCK}"
#: What to do about new lines that look like something else.
_BESIDE = "repeat it with lines of the file before and behind, in the old lines and in the new ones."


def elided(change: Change, line: str) -> Failure:
    """`...`, or such a comment, for lines that are left out, on one side only, or in other places there."""
    what = f"The old lines have `{line}` for lines that are left out, and the new ones do not have it as often."
    return _repeat(change, what, "and write the lines out.", FailureReason.PLACEHOLDER)


def other_file(change: Change, other: str, path: str) -> Failure:
    """The path of another file stands before the block."""
    message = f"This block is for another file, {other}. Here only {path} is edited: leave the block out, or its path."
    return change.failure(FailureReason.NO_FILE, message)


def half_fenced(change: Change) -> Failure:
    """A fence around the old lines, and a piece of one around the new ones."""
    what = "The old lines are in a fence, and of the new ones only one end is."
    return _repeat(change, what, "without fences in it.")


def new_fence(change: Change) -> Failure:
    """A fence around the new lines, or a piece of one, and none around the old lines."""
    what = "The new lines are in a fence, or have one end of it, and neither the old lines nor the file have any."
    return _repeat(change, what, f"without it; if it is to be in the file, {_BESIDE}")


def new_signs(change: Change) -> Failure:
    """New lines with the signs of a patch. A file that is empty has no lines to put before and behind."""
    what = "Every new line begins with `+`, `-` or a blank, as in a patch"
    if change.old:
        how = f"with the new lines just as they are to be in the file; if these signs belong to them, {_BESIDE}"
        return _repeat(change, f"{what}.", how)
    how = (
        "without the sign in front of each line; if these signs belong to the text, begin it with a line that has "
        "none, such as a heading."
    )
    return _repeat(change, f"{what}, and the file is empty.", how)


def new_numbers(change: Change) -> Failure:
    """Line numbers before new lines alone."""
    what = "There are numbers in front of the new lines, like those of lines, and none in front of the old ones."
    how = f"without line numbers; if these belong to the text, {_BESIDE}"
    return _repeat(change, what, how, FailureReason.AMBIGUOUS)


def second_separator(change: Change, line: str) -> Failure:
    """One more line of equals signs behind the separator."""
    what = f"There is a second line `{line}` in the block, and the file has no such line."
    return _repeat(change, what, f"without it, or with `\\{line}` if it is to be in the file.")


def half_escaped(change: Change) -> Failure:
    """`&lt;` in the old lines, and both `&lt;` and `<` in the new ones."""
    what = "Some signs are written for HTML (`&lt;`), and others are not."
    return _repeat(change, what, "with all of them as they are.")


def margin(change: Change) -> Failure:
    """Blanks before the markers and before all new lines, and no old line shows whether they are part of these."""
    what = (
        "All new lines begin with the blanks that are before the markers, and there is no old line that shows whether "
        "these are to be in the file."
    )
    how = "with its markers at the beginning of the line, and with the new lines just as they are to be."
    return _repeat(change, what, how, FailureReason.INDENTATION)


def _repeat(change: Change, what: str, how: str, reason: FailureReason = FailureReason.BAD_MARKER) -> Failure:
    """What is wrong, and how the block is to be written instead."""
    return change.failure(reason, f"{what} Repeat the {change.noun} {how}")


def bad_start(change: Change, style: Style, line: str, corrected: str | None) -> Failure:
    """Almost a start marker."""
    what = f"The block begins with `{line}`, which is not the marker `{style.start}`."
    return _bad_marker(change, style, what, corrected)


def no_start(change: Change, style: Style) -> Failure:
    """A separator and an end without one."""
    return _bad_marker(change, style, f"This block has no marker `{style.start}` before its old lines.")


def bad_header(change: Change, style: Style, line: str, corrected: str | None) -> Failure:
    """`:start_line:` and something else than a number."""
    return _bad_marker(change, style, f"`{line}` is not a line number.", corrected)


def no_separator(change: Change, style: Style, corrected: str | None) -> Failure:
    """Nothing between the old and the new lines, or something else."""
    return _bad_marker(change, style, "There is no line `=======` between SEARCH and REPLACE.", corrected)


def bad_end(change: Change, style: Style, line: str, corrected: str | None) -> Failure:
    """Almost an end marker."""
    what = f"The block ends with `{line}`, which is not the marker `{style.end}`."
    return _bad_marker(change, style, what, corrected)


def no_end(change: Change, style: Style, line: str, corrected: str | None) -> Failure:
    """Another block begins; `line` is almost its start marker, if that is not a proper one."""
    begins = f"seems to begin with `{line}`" if line else "begins"
    return _bad_marker(change, style, f"Another block {begins} before this one has its end marker.", corrected)


def _bad_marker(change: Change, style: Style, what: str, corrected: str | None = None) -> Failure:
    message = f"{what} {shape(style)}"
    if corrected is not None:
        message += f" If this is meant, write:\n{corrected}"
    return Failure(change.number, FailureReason.BAD_MARKER, change.text, message, corrected=corrected)


def taken_for(line: str, marker: str) -> str:
    """What was corrected: the line was taken for that marker, such as "end marker `+++++++ REPLACE`"."""
    return f"`{line}` is taken for the {marker}"


def stray_end(change: Change, line: str) -> Failure:
    """An end marker behind text that belongs to no block."""
    message = (
        f"`{line}` ends no block. If the block before ended too early, because this or an earlier line `{line}` is "
        f"content, write `\\{line}` for it."
    )
    return change.failure(FailureReason.BAD_MARKER, message)
