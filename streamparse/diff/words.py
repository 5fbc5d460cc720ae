"""Whether lines differ in nothing but blanks, case, punctuation and small slips of spelling.

    total = calulate(items)     total = calculate( items )      a letter is missing: the same words
    total = count(items)        total = calculate(items)        another word
    save(country)               save(county)                    another word, if the file has `country` elsewhere

Text that has another word is text that its writer never saw: to replace it would lose something. So a slip is little:
two letters that changed places, or one letter too many or missing inside of a word of six letters or more. Another
letter, another digit, or anything at an end (`item` and `items`, `x1` and `x2`) makes another name of most words. And a
word that the file has elsewhere is no slip for another one, nor is it in lower case what it is in upper case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from streamparse.diff.lines import is_blank
from streamparse.diff.typography import as_typed

#: Numbers, words, dots for lines that are left out, and what is done with them. Signs that only separate or enclose are
#: passed over.
_WORD = re.compile(r"\d+|\.{3}|…|[^\W\d_]+|_+|[-+*/%<>=!&|^~@?$\\#]+")
#: A word of so many letters is the same although one is wrong.
_LONG = 6


def have_same_words(wanted: Sequence[str], found: Sequence[str], has_word: Callable[[str], bool]) -> bool:
    """Whether each line has the same words as the one in its place, in the same order, but for slips.

    A word that is in the next line there was perhaps to stay where it is, if that line is replaced and this is not.
    `has_word` says whether the file has a word.
    """
    return all(one == other or _are_same(one, other, has_word) for one, other in zip(wanted, found, strict=True))


def has_other_word(wanted: str, found: str, has_word: Callable[[str], bool]) -> bool:
    """Whether a word of the line is not that of the other, and no slip, as the file has it elsewhere."""
    ours, theirs = _words_of(wanted), _words_of(found)
    pairs = zip(ours, theirs, strict=False)
    is_even = len(ours) == len(theirs)
    others = {one for one, other in pairs if one != other} if is_even else set(ours) - set(theirs)
    return any(word.isalpha() and has_word(word) for word in others)


def _words_of(line: str) -> list[str]:
    return _WORD.findall(as_typed(line))


def _are_same(wanted: str, found: str, has_word: Callable[[str], bool]) -> bool:
    """Whether the lines are made of the same words. A line of none, such as a bracket, is not blank."""
    ours, theirs = _words_of(wanted), _words_of(found)
    if is_blank(wanted) != is_blank(found) or len(ours) != len(theirs) or not all(map(_is_same, ours, theirs)):
        return False
    return not has_other_word(wanted, found, has_word)


def _is_same(ours: str, theirs: str) -> bool:
    ours, theirs = ours.casefold(), theirs.casefold()
    if ours == theirs:
        return True
    shorter, longer = sorted((ours, theirs), key=len)
    if len(shorter) < _LONG - 1 or len(longer) < _LONG or not longer.isalpha():
        return False
    at = next((at for at, pair in enumerate(zip(shorter, longer, strict=False)) if pair[0] != pair[1]), len(shorter))
    if not at:
        return False
    if len(shorter) == len(longer):
        swapped = longer[:at] + longer[at : at + 2][::-1] + longer[at + 2 :]
        return shorter == swapped and at + 2 < len(longer)
    return at < len(shorter) and shorter == longer[:at] + longer[at + 1 :]
