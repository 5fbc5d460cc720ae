"""What a line says of a file whose path is in it: that the next block is for it, or that it is to be made.

In `src/a.py`:                    announced_in: little else than the path, so the block is for that file
Create the file src/a.py:         the same
In src/a.py, add the import:      a sentence, for which the old lines decide if there is a file before it
In src/a.py, we have this, so:    a sentence, as more words are in it than say that
As src/a.py does, import it:      a sentence: the block may as well be for the file of the block before
I create the test src/a.py:       announces_new: a sentence, too, but if there is no such file, it is to be made
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from streamparse.diff.name_forms import PATH, whole_name

_VERBS = "add|change|create|edit|extend|fix|make|modify|rewrite|update|write"
#: What else may stand before a path; and behind it, where `it` and the like do not speak of another file.
_BEFORE = frozenset(
    f"{_VERBS}|a|again|also|an|and|back|changes|existing|file|finally|first|for|here|here's|in|into|lastly|let|let's|"
    "likewise|module|new|next|now|on|please|same|script|second|step|the|then|third|this|us".split("|")
)
_BEHIND = _BEFORE & {"again", "also", "and", "changes", "file", "first", "now", "same", "the", "this"} | {
    *("as", "below", "change", "do", "follows", "it", "needs", "too", "well")
}
_AROUND = ",:.!()—–-’'"
#: What is left out before the words are looked at; `here is` is as good as `here`.
_MARKS = re.compile(r"`|\*\*|(?<=\bhere) (?:is|are)\b|(?<=\bchanges) to\b", re.IGNORECASE)
#: Words of a line that speaks of a file as of one that is there.
_THERE = re.compile(
    r"\b(?:back|change|edit|existing|extend|fix|for|in|into|modify|on|rewrite|to|update)\b", re.IGNORECASE
)
#: Words behind which stands the path of a file that is to be made; but `new file.md` may be all of a name.
_NEW = re.compile(
    r"\b(?:(?:add|call|creat|generat|introduc|mak|nam|sav|writ)(?:e?|ed|ing)\b|new\b(?=[ ]*\S))", re.IGNORECASE
)
_DASH = re.compile(r":? +[-–—]+ ")


def announced_in(line: str) -> str:
    """The path in a line that only says which file comes next; empty if it says anything else."""
    text = _MARKS.sub("", whole_name(line).text)
    words = [word.rstrip(_AROUND) for word in text.split()]
    names = [] if text.startswith("(") else [at for at, word in enumerate(words) if PATH.fullmatch(word)]
    if len(names) != 1:
        return ""
    at = names[0]
    return words[at] if _are_all(words[:at], _BEFORE) and _are_all(words[at + 1 :], _BEHIND) else ""


def _are_all(words: Iterable[str], known: frozenset[str]) -> bool:
    """Whether there are no other words than these, numbers and dashes."""
    bare = (word.strip(_AROUND).lower().replace("’", "'") for word in words)
    return all(not word or word in known or word.isdecimal() for word in bare)


def announces_new(line: str, name: str) -> bool:
    """Whether a file of that name is to be made, if there is none: behind words that say so, or before a dash."""
    before, found, behind = line.partition(name)
    return bool(found) and (_NEW.search(before) is not None or bool(_DASH.match(behind)))


def is_next(line: str, name: str) -> bool:
    """Whether the line only says that this file comes next, and not that there is one: `Next: src/a.py`."""
    return announced_in(line) == name and not _THERE.search(line.partition(name)[0])
