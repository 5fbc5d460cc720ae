"""Quotes, dashes and blanks of typography, which an edit has where the file has those that one types.

    file    v = '1'
    edit   -v = ‘1’        the old line shows what `‘` and `’` are written for …
           +v = ‘2’        … so they are written for that in the new one, too

Where the file has such a sign itself in an old line, it may be meant as it is written; so it may in a new line that has
both forms of it, or that differs from an old one in nothing else. And if an en dash is written for `-`, that shows
nothing of an em dash, nor does one blank of another; but who writes one kind of quotes writes all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from attrs import frozen

from streamparse.diff.indent import indent_of

#: What is typed, and what is written for that.
_WRITTEN = {
    " ": "\xa0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    '"': "\u201c\u201d\u201e\u201f\u2033",
    "'": "\u2018\u2019\u201a\u201b\u2032",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
}
ALL = "".join(_WRITTEN)
_QUOTES = frozenset("'\"")
_TYPED = {written: typed for typed, others in _WRITTEN.items() for written in others}


def as_typed(line: str, signs: str = ALL) -> str:
    """The line as someone types it who has only `'`, `"`, `-` and the blank, or those of them in `signs`."""
    return line if line.isascii() else line.translate(_table(signs))


def signs_in(lines: Iterable[str]) -> str:
    """For which of the signs others are written in the lines."""
    others = [line for line in lines if not line.isascii()]
    if not others:
        return ""
    return "".join(sign for sign, written in _WRITTEN.items() if any(one in line for line in others for one in written))


@frozen
class Typography:
    """What old lines show about such signs in new ones.

    `signs` are those that one types, for which the old lines have signs of typography. `unsure` are those for which
    only some of the old lines do so, or only lines that are otherwise not quite those of the file.
    """

    signs: str = ""
    unsure: str = ""
    #: What is written for these signs.
    written: str = ""
    #: The old lines as they are written.
    lines: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.signs or self.unsure)


PLAIN = Typography()


def typography_of(lines: Sequence[str], pairs: Iterable[tuple[str, str]]) -> Typography:
    """What they show; the pairs are lines as they are written, and the lines of the file that they stand for."""
    shown: set[str] = set()
    kept: set[str] = set()
    unsure: set[str] = set()
    marks: set[str] = set()  # what is written for those that are shown
    for written, found in pairs:
        if written.isascii() and found.isascii():
            continue
        body, there = written.strip(), found.strip()
        if as_typed(body) == as_typed(there):
            for one, other in zip(body, there, strict=True):
                if one in _TYPED and other == _TYPED[one]:
                    shown.add(other)
                    marks.add(one)
                elif other in _TYPED:
                    kept.add(_TYPED[other])
        else:
            unsure.update(set(signs_in([body])).difference(signs_in([there])))
        if signs_in([indent_of(written)]):
            (kept if signs_in([indent_of(found)]) else shown).add(" ")
            marks.update(indent_of(written))
    if not shown.isdisjoint(_QUOTES):
        shown |= _QUOTES  # who has one kind of quotes of typography has the other, too
    signs, doubtful = sorted(shown - kept), sorted(shown & kept | unsure - shown)
    return Typography("".join(signs), "".join(doubtful), "".join(sorted(marks & _TYPED.keys())), lines)


class NewSigns:
    """Reads new lines as they are meant, by what the old ones show."""

    def __init__(self, typography: Typography) -> None:
        self._typography = typography
        #: Whether signs in some line may be meant as they are written.
        self.is_doubtful = False

    @cached_property
    def _old(self) -> tuple[set[str], set[str]]:
        """The old lines, as they are written and as they are meant."""
        lines = [line.strip() for line in self._typography.lines]
        return set(lines), {as_typed(line, self._typography.signs) for line in lines}

    def take(self, line: str) -> str:
        """The next new line, with the signs that one types."""
        signs, here = self._typography.signs, signs_in([line])
        if not self._typography or not here:
            return line
        typed = as_typed(line, signs)
        written, meant = self._old
        if line.strip() not in written:
            is_only_other = typed != line and typed.strip() in meant  # other signs of typography, and nothing else
            is_open = not set(here).isdisjoint(self._typography.unsure)
            self.is_doubtful |= is_only_other or is_open or self._has_both(line, here) or self._has_another(line)
        return typed

    def _has_another(self, line: str) -> bool:
        """Whether the line has another dash or blank than old lines have, for the same sign."""
        others = set(line) & _TYPED.keys() - set(self._typography.written)
        return any(_TYPED[one] in self._typography.signs and _TYPED[one] not in _QUOTES for one in others)

    def _has_both(self, line: str, here: str) -> bool:
        """Whether the line has a sign in both forms, and no old line shows that it means the same by them."""
        both = [sign for sign in self._typography.signs if sign in here and sign in line]
        return any(all(sign not in old for old in self._typography.lines) for sign in both)


@lru_cache(maxsize=len(ALL) ** 2)
def _table(signs: str) -> dict[int, str]:
    return {ord(written): typed for written, typed in _TYPED.items() if typed in signs}
