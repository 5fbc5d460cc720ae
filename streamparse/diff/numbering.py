"""Numbers in front of lines, as tools have them that show files to models.

    12 | code      12|code      12: code      12→code      12<tab>code

Old lines show how they are written: whether a blank behind the sign is part of the number, too. A number before `:`,
`→` or a tab may as well be text, so that these must go up by one from each old line to the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from attrs import field, frozen

from streamparse.diff.lines import is_blank, line_number

#: The column of numbers, with none in it, or with something else: `   | x`, `12a | x`, `+ | x`.
_COLUMN = re.compile(r"[ \t]*(?:\d+[a-z]?|[-+*?.…]*)[ \t]*\|(?!\|)")
_NUMBER = re.compile(r"[ \t]*(\d+)([ \t]*\|(?!\|)|[:→\t])")
#: The sign that is never taken for text.
_BAR = "|"


@frozen
class Numbering:
    """How they are written: the number of the first old line, the sign behind each, and the blank behind that.

    `first` is None if the numbers do not go up by one: then they are those of no place. `blank` is None if no old line
    has anything behind its number that would show it.
    """

    first: int | None
    sign: str
    blank: str | None
    #: Whether the text of an old line begins with what looks like such a column, as in a table.
    has_column: bool = False
    #: How many old lines there are, and whether the text of one begins with such a number itself: `7: 12: "a"`.
    size: int = field(default=1, eq=False)
    has_keys: bool = field(default=False, eq=False)
    #: Whether nothing shows that blanks behind the numbers are theirs: more are before every line.
    is_blank_unknown: bool = field(default=False, eq=False)

    def read(self, line: str) -> tuple[int, str] | None:
        """The number in front of the line and what stands behind it; None if it has none."""
        match = _NUMBER.match(line)
        if match is None or not match[2].endswith(self.sign):
            return None
        return line_number(match[1]), line[match.end() :].removeprefix(self.blank or "")

    def bare(self, line: str) -> str:
        """The line without its number, if it has one."""
        read = self.read(line)
        return line if read is None else read[1]


def numberings(lines: Sequence[str]) -> list[Numbering]:
    """How the numbers may be written that are in front of every line; none unless they are."""
    matches = [match for line in lines if (match := _NUMBER.match(line))]
    signs = {match[2][-1] for match in matches}
    if not lines or len(matches) != len(lines) or len(signs) != 1:
        return []
    (sign,) = signs
    numbers = [line_number(match[1]) for match in matches]
    is_in_row = all(two == one + 1 for one, two in pairwise(numbers))
    if sign != _BAR and not is_in_row:
        return []
    rests = [line[match.end() :] for line, match in zip(lines, matches, strict=True)]
    blanks: list[str | None] = [""]
    if sign in "|:":
        blanks[:0] = [blank for blank in " \t" if {rest[:1] for rest in rests} - {""} == {blank}]
        blanks = blanks if any(rests) else [None]
    first = numbers[0] if is_in_row else None
    has_column, has_keys = (any(map(pattern.match, rests)) for pattern in (_COLUMN, _NUMBER))
    return [Numbering(first, sign, blank, has_column, len(lines), has_keys) for blank in blanks]


class NewNumbers:
    """Takes numbers off new lines, in their order: those that are new have none, as a rule."""

    def __init__(self, numbering: Numbering | None) -> None:
        self._numbering = numbering
        self._last = -1
        self._has_bare = False
        #: Whether what stands before some line may be a number or text.
        self.is_doubtful = False

    def take(self, line: str) -> str:
        """The next line, without its number."""
        old = self._numbering
        if old is None or is_blank(line):
            return line
        read = old.read(line)
        if read is None:
            is_column = old.sign == _BAR and not old.has_column and _COLUMN.match(line) is not None
            self.is_doubtful |= is_column or old.is_blank_unknown
        else:
            number, text = read
            self.is_doubtful |= old.blank is None and text.startswith((" ", "\t"))
            if old.has_keys and old.read(text) is None:
                # The text of old lines begins with such a number, too: it is no line number, unless it may be the next.
                self.is_doubtful |= old.first is None or old.first <= number <= old.first + 2 * old.size
                read = None
        if old.sign != _BAR:
            # It may be text: all new lines have a number, then, or none.
            self.is_doubtful |= self._last >= 0 if read is None else read[0] <= self._last or self._has_bare
        if read is None:
            self._has_bare = True
            return line
        self._last = read[0]
        return read[1]
