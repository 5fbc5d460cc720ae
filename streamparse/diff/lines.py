"""A text as lines, each with its own ending: `\\n` or `\\r\\n`, or a lone `\\r` in a text that has no `\\n` at all.

    split_lines("a\\r\\nb\\nc")   is  ["a\\r\\n", "b\\n", "c"]

Nothing else ends a line: `str.splitlines` would also cut at form feeds and U+2028, which are content.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain

from streamparse.errors import ParserStateError

BOM = "\ufeff"
#: What indents a line: all white space but what separates lines, pages or records.
BLANKS = " \t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_UNMARKED = BLANKS + "\r\n"
#: So many characters, or up to the end of a line, are made lines of at once.
_BATCH = 1 << 20
_SEPARATORS = "\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029"


def newline_of(text: str) -> str:
    """What ends the lines of a text: a `\\r` alone does only where there is no `\\n`."""
    return "\n" if "\n" in text else "\r"


def split_lines(text: str, newline: str = "") -> list[str]:
    """The lines of `text` with their endings; joined they are `text` again.

    `newline` is what ends lines of the text of which this one is a part.
    """
    if len(text) <= _BATCH:
        return _split(text, newline or newline_of(text))
    return list(chain.from_iterable(batches_of(text, newline)))


def batches_of(text: str, newline: str = "") -> Iterator[list[str]]:
    """The same, some lines at a time: what makes lines of a text takes four bytes for each character."""
    newline, at = newline or newline_of(text), 0
    while len(text) - at > _BATCH:
        end = text.find(newline, at + _BATCH) + 1 or len(text)
        yield _split(text[at:end], newline)
        at = end
    yield _split(text[at:], newline)


def _split(text: str, newline: str) -> list[str]:
    # At the speed of C, and with the endings untranslated.
    return io.StringIO(text, newline=newline).readlines()


def body_of(line: str) -> str:
    """The line without its ending."""
    return line.removesuffix("\n").removesuffix("\r")


def ending_of(line: str) -> str:
    """What ends the line; empty for the last line of a text without a final newline."""
    return line[len(body_of(line)) :]


def bodies_of(lines: Iterable[str]) -> list[str]:
    """The lines without their endings."""
    return [line.removesuffix("\n").removesuffix("\r") for line in lines]  # as `body_of`, in half the time


def is_blank(line: str) -> bool:
    """Whether there is nothing to see in the line."""
    return not line or line.isspace()


def filled_of(lines: Iterable[str]) -> list[str]:
    """Those that are not blank."""
    return [line for line in lines if not is_blank(line)]


def page_mark(line: str) -> str:
    """What there is to a blank line, with or without its ending, but blanks: a form feed, as a rule nothing."""
    return line.strip(_UNMARKED)


def line_number(digits: str) -> int:
    """The number that a diff gives; no file has so many lines that it takes more digits."""
    return int(digits[:9])


def trim_all(lines: Iterable[str]) -> list[str]:
    """The lines without blanks at their ends.

    A form feed before text is content: of several new lines in its place none could tell which begins the page.
    """
    return [line.rstrip().lstrip(BLANKS) for line in lines]


def is_plain(text: str) -> bool:
    """Whether all white space in it is blanks and ends of lines.

    Then `str.splitlines` makes the same lines as `split_lines`, and `str.strip` the same keys as `trim_all`, sooner.
    """
    has_returns = "\r" in text and text.count("\r") != text.count("\r\n")
    return not has_returns and not any(character in text for character in _SEPARATORS)


def check_text(what: str, value: object) -> None:
    """Raises TypeError for what is no text."""
    if not isinstance(value, str):
        raise TypeError(f"the {what} must be a str, not {type(value).__name__}")


class LineFeed:
    """Cuts a diff that is being written into lines: those that are complete, and the one that is not.

    Lines end with `\\n`; a `\\r` before it is not shown, as it belongs to the ending. A byte order mark before all of
    them is dropped: programs that save a reply to a file write it. Costs no more than the chunk.
    """

    __slots__ = ("_is_begun", "_is_finished", "_pieces", "_taken")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._taken = 0
        self._is_begun = self._is_finished = False

    def feed(self, delta: str) -> list[str]:
        """The lines that `delta` completes; raises TypeError for what is no text, ParserStateError behind the end."""
        check_text("diff", delta)
        if self._is_finished:
            raise ParserStateError("feed() after finalize(): make a new stream for the next diff")
        if delta and not self._is_begun:
            self._is_begun = True
            delta = delta.removeprefix(BOM)
        if "\n" not in delta:
            if delta:
                self._pieces.append(delta)
            return []
        lines = split_lines("".join([*self._pieces, delta]))
        self._pieces, self._taken = [] if lines[-1].endswith("\n") else [lines.pop()], 0
        return lines

    @property
    def is_taken(self) -> bool:
        """Whether some of the line that is being written has been taken."""
        return self._taken > 0

    def beginning(self, size: int) -> str:
        """So many characters, at least, of the line that is being written, if there are as many."""
        text = ""
        for piece in self._pieces:
            text += piece
            if len(text) >= size:
                break
        return text

    def unfinished(self) -> str:
        """The line that is being written."""
        return "".join(self._pieces)

    def take(self) -> str:
        """What is new in the line that is being written since it was last taken, but for a `\\r` at its end."""
        new = "".join(self._pieces[self._taken :])
        self._pieces[self._taken :] = [new.removesuffix("\r")]
        self._taken += 1
        if new.endswith("\r"):
            self._pieces.append("\r")  # it may yet be part of the ending
        return new.removesuffix("\r")

    def finish(self) -> str:
        """There is no more: the line that is not complete, or nothing; it is forgotten here."""
        rest = self.unfinished()
        self._pieces, self._taken, self._is_finished = [], 0, True
        return rest
