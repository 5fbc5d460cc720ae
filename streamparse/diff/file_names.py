"""Which file a SEARCH/REPLACE block is for: the names that models write before it.

    src/a.py                    also `**src/a.py**`, `` `src/a.py` ``, `### src/a.py`, `File: src/a.py`, `# src/a.py`,
    ```python                   `<path>src/a.py</path>`, each with a colon behind it or not
    ------- SEARCH

    ```python src/a.py          or in the line that opens the fence: `src/a.py`, `python:src/a.py`, `title="src/a.py"`
    ------- SEARCH

What counts is the first of these that there is: a name in the fence's line, or that is all of the line above (blank
lines, the fence's line and lone tags aside); the path in a line that says hardly anything else, as in ``In `src/a.py`,
do:``; the one file of the tree of which that line speaks, unless the old lines are those of the file before it; the
last line before that is nothing but the name of a file of the tree, and no item of a list; the one file of which the
line above speaks that is not in the tree. Without any, the block is for the file that the block before was for, unless
its old lines are also in another file of which the text between them speaks.

`name_forms.py` says what is a name by how it is written. Where a name with blanks and a part of it may both be meant,
the one that is there is; if that is not exactly one, none is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from attrs import frozen

from streamparse.diff.announcements import announced_in, announces_new, is_next
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.markers import LONGEST
from streamparse.diff.name_forms import (
    CERTAIN,
    ITEM,
    KNOWN,
    PATH,
    WORDS,
    Whole,
    in_fence,
    is_file_in_fence,
    marked_in,
    may_be_made,
    may_be_new,
    spoken_of,
    stands_alone,
    unquoted_in,
    whole_name,
    without_lines,
    words_of,
)

_FENCE = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*([^`]*)")
_TAG = re.compile(r"[ \t]*</?[\w.:-]+>[ \t]*")
#: A folder, or what looks like one, right before a name.
_FOLDER = re.compile(r"(?<!\S)([^\s`*\"'<>|?:,;()]*/[^\s`*\"'<>|?:,;()]*) ([^\s`*\"'<>|?:,;()]+)")
#: A name that has blanks in it is one if it has folders or an extension, too: no sentence is.
_NAME = re.compile(r"\S+|.*/.*|.*\.[\w+-]{1,12}")
#: So many names in the text between two blocks are looked at.
_SPOKEN = 32


@frozen
class Names:
    """What stands before a block: "the line" is the one right above it, or above its fence."""

    #: Names by themselves: `src/a.py` is all of the line, or it is in the line that opens the fence.
    own: tuple[str, ...] = ()
    #: Names of which only one can be meant: `the notes.md` and `notes.md`, if there are files of both names.
    either: tuple[str, ...] = ()
    #: Names within the line, as ``In `src/a.py`, do:`` has one, by whether there are such files.
    spoken_of: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    #: All that is in backticks or bold in the line, if a path is among it.
    marked: tuple[str, ...] = ()
    #: The name of a file that is all of some earlier line; of several the last.
    above: str = ""
    #: What all the text since the block before speaks of; there may be no such files.
    mentioned: tuple[str, ...] = ()
    #: The one that is all that a line is there for: `Create src/a.py:`.
    announced: tuple[str, ...] = ()
    #: Which of all these names may be those of files that are to be made.
    new: tuple[str, ...] = ()
    #: A name alone on the line right above the block or its fence: a block without old lines makes that file.
    alone: str = ""


NO_NAMES = Names()


class FileNames:
    """Looks at the lines between blocks.

    `exists` says of a name whether there is such a file, and `is_word` of a word whether the file that is edited has
    it: in backticks, it is no file then, but what the block is about. `with_blanks` gives the names with blanks in a
    text that are those of files: they are not chosen, but a part of them is not either.
    """

    def __init__(
        self,
        exists: Callable[[str], bool] = lambda name: False,
        is_word: Callable[[str], bool] = lambda word: False,
        with_blanks: Callable[[str], Sequence[str]] = lambda text: (),
    ) -> None:
        self._exists = exists
        self._is_word = is_word
        self._with_blanks = with_blanks
        self._alone = ""  # what stands alone in it, until there is a blank line
        self._line = ""  # the last one, but for those that stand between a name and its block
        self._fence = ""  # what the line that opens a fence says behind it
        self._is_fenced = False
        self._above = ""
        self._mentioned: dict[str, None] = {}

    def add(self, line: str) -> None:
        """The next line."""
        body = without_lines(body_of(line))
        if len(body) > LONGEST:
            body = "…"  # no name, whatever it is
        if is_blank(body) or _TAG.fullmatch(body):
            self._alone = ""
            return
        if fence := _FENCE.fullmatch(body):
            is_closing = self._is_fenced and not fence[1]
            self._is_fenced, self._fence = not is_closing, fence[1]
            self._line = "" if is_closing else self._line
            self._alone = "" if is_closing else self._alone
            return
        self._alone = stands_alone(body)
        self._line, self._fence = body, ""
        if len(self._mentioned) < _SPOKEN:
            self._mentioned.update(dict.fromkeys((*spoken_of(body), *words_of(body))))
        if not ITEM.match(body) and _may_be_above(name := whole_name(body)) and self._exists(name.text):
            self._above = name.text

    def take(self) -> Names:
        """A block begins: what was said before it."""
        if not (self._line or self._fence or self._above or self._mentioned):
            return NO_NAMES  # as before most blocks
        own, either = self._in_fence()
        whole, parts = self._whole()
        if whole and parts:
            either = [*either, *parts, whole]
        elif whole:
            own.append(whole)
        if either and set(own) & set(either):
            either = []  # the line says which
        spoken, unclear = self._spoken_of() if not own else ([], [])
        announced = [] if either or unclear else self._announced(spoken)
        missing = self._missing(spoken)
        names = Names(
            tuple(own),
            tuple(either or unclear),
            tuple(filter(self._exists, spoken)),
            tuple(missing),
            () if own else marked_in(self._line),
            self._above,
            tuple(self._mentioned),
            tuple(announced),
            (
                *filter(self._may_be_new, own),
                *([self._alone] * bool(self._alone)),
                *(name for name in (*announced, *missing) if self._is_said_to_be_new(name)),
            ),
            self._alone,
        )
        self._alone = self._line = self._fence = self._above = ""
        self._mentioned = {}
        return names

    def _is_path(self, name: str) -> bool:
        if PATH.fullmatch(name) or KNOWN.fullmatch(name):
            return True
        return _NAME.fullmatch(name) is not None and self._exists(name)

    def _in_fence(self) -> tuple[list[str], list[str]]:
        """The names in the fence's line; or those that may be meant by words in it."""
        info = in_fence(self._fence)
        whole = list(dict.fromkeys(info.whole))
        if whole:
            there = [name for name in whole if self._exists(name)]
            return (there, []) if len(there) == 1 else ([], [*info.names, whole[-1]])
        ends = tuple(f" {name}" for name in info.names)
        longer = [name for name in self._with_blanks(self._fence) if name.endswith(ends)]
        if longer:
            return [], [*info.names, *longer]
        return list(info.names), []

    def _whole(self) -> tuple[str, list[str]]:
        """The name that is all of the line; and words of it that are files, if they may be meant as well."""
        whole = whole_name(self._line)
        name = whole.text
        if " " not in name and self._is_path(name):
            return name, []
        if whole.is_certain:
            is_code = whole.is_code and not whole.is_labelled and " " not in name
            return ("" if is_code and self._is_word(name) else name), []
        is_there = " " in name and self._is_path(name)
        return (name, list(filter(self._exists, words_of(name)))) if is_there else ("", [])

    def _spoken_of(self) -> tuple[list[str], list[str]]:
        """What may be files in the line; or the names that may be meant by the same words of it."""
        text = unquoted_in(self._line)
        there, either = [], []
        for folder, word in _FOLDER.findall(text):
            name = word.rstrip(".!")
            if CERTAIN.fullmatch(name) and not CERTAIN.fullmatch(folder):
                both = f"{folder} {name}"
                parts = list(filter(self._exists, (folder, name)))
                if self._exists(both) and not parts:
                    there.append(both)
                else:
                    either += [*(parts or [name]), both]
        for longer in self._with_blanks(text):
            if longer not in (*there, *either):
                either += [*(word for word in words_of(text) if longer.endswith(f" {word}")), longer]
        return [*there, *spoken_of(self._line)], either

    def _announced(self, spoken: list[str]) -> list[str]:
        """The path in a line that only says that it comes next; if there is no such file, by its looks."""
        name = announced_in(self._line)
        if [name] != spoken:
            return []
        is_sure = may_be_made(name) and ("/" in name or announces_new(self._line, name))
        return spoken if is_sure or self._exists(name) else []

    def _may_be_new(self, name: str) -> bool:
        """Whether a file is to be made whose name stands by itself."""
        return may_be_new(name) or whole_name(self._line).is_labelled or is_file_in_fence(self._fence, name)

    def _is_said_to_be_new(self, name: str) -> bool:
        """The same of one of which a sentence speaks."""
        return is_next(self._line, name) or announces_new(self._line, name)

    def _missing(self, spoken: Iterable[str]) -> list[str]:
        """Which of these are paths of files that are not there. Words right before a single one may be part of it."""
        names = [name for name in spoken if may_be_made(name) and not self._exists(name)]
        if len(names) != 1:
            return names
        first, _, last = names[0].rpartition(" ")
        if first:  # in backticks; but without a folder before the blank it may be a command for a file that is there
            return [*names, last] if "/" not in first and self._exists(last) else names
        whole = whole_name(self._line).text
        return [*names, whole] if whole.endswith(f" {last}") and WORDS.fullmatch(whole) else names


def _may_be_above(whole: Whole) -> bool:
    return PATH.fullmatch(whole.text) is not None or whole.is_certain
