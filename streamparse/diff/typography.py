"""Quotes, dashes and blanks of typography, which an edit has where the file has those that one types.

    file    v = '1'
    edit   -v = ‘1’        the old line shows what `‘` and `’` are written for …
           +v = ‘2’        … so they are written for that in the new one, too

Where the file has such a sign itself in an old line, it may be meant as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from streamparse.diff.indent import indent_of

#: What is typed, and what is written for that.
_WRITTEN = {
    "'": "\u2018\u2019\u201a\u201b\u2032",
    '"': "\u201c\u201d\u201e\u201f\u2033",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    " ": "\xa0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
}
ALL = "".join(_WRITTEN)
_QUOTES = frozenset("'\"")
_TYPED = {written: typed for typed, others in _WRITTEN.items() for written in others}


def as_typed(line: str, signs: str = ALL) -> str:
    """The line as someone types it who has only `'`, `"`, `-` and the blank, or those of them in `signs`."""
    return line if line.isascii() else line.translate(_table(signs))


def signs_in(lines: Iterable[str]) -> str:
    """For which of the signs others are written in the lines."""
    found = {_TYPED[sign] for line in lines if not line.isascii() for sign in set(line) & _TYPED.keys()}
    return "".join(sorted(found))


def signs_meant(pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """For which of the signs others are written, by old lines and the lines of the file that they stand for.

    Second, those for which that is so in one place and not in another.
    """
    shown: set[str] = set()
    kept: set[str] = set()
    for written, found in pairs:
        if written.isascii() and found.isascii():
            continue
        body, there = written.strip(), found.strip()
        if as_typed(body) == as_typed(there):
            for one, other in zip(body, there, strict=True):
                if one in _TYPED and other == _TYPED[one]:
                    shown.add(other)
                elif other in _TYPED:
                    kept.add(_TYPED[other])
        if signs_in([indent_of(written)]):
            (kept if signs_in([indent_of(found)]) else shown).add(" ")
    if not shown.isdisjoint(_QUOTES):
        shown |= _QUOTES  # who has one kind of quotes of typography has the other, too
    return "".join(sorted(shown - kept)), "".join(sorted(shown & kept))


@lru_cache(maxsize=len(ALL) ** 2)
def _table(signs: str) -> dict[int, str]:
    return {ord(written): typed for written, typed in _TYPED.items() if typed in signs}
