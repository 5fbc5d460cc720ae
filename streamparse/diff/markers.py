"""The lines between which a SEARCH/REPLACE block stands.

    ------- SEARCH          <<<<<<< SEARCH
    =======                 =======
    +++++++ REPLACE         >>>>>>> REPLACE

Three or more of one character; a `>`, blanks and a carriage return may follow; styles may be mixed. A marker inside a
block is not indented more than the block's first marker: what is, is content, such as these lines.

`\\=======` is content: a line `=======`. One backslash is taken off in front of whatever would be a marker, or begins
with seven of its characters, as in `\\<<<<<<< HEAD`.

Lines that are not markers but were perhaps meant to be (`-- SEARCH`, `-------SEARCH`, `+++++++ REPALCE`,
`+++++++ SEARCH`) are almost markers: they are content unless the lines around them show otherwise.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from attrs import frozen

from streamparse.diff.similarity import distance

#: The usual number of characters.
USUAL = 7
#: A longer line is no marker, so that one which is being written is not looked at again and again.
LONGEST = 200


SEARCH = "SEARCH"
REPLACE = "REPLACE"


class Kind(Enum):
    """What a line is, in a diff."""

    CONTENT = auto()
    START = auto()
    SEPARATOR = auto()
    END = auto()
    ALMOST = auto()


@frozen
class Marker:
    """A line and what it is; `indent`, the number and kind of its characters and its word are those of markers."""

    kind: Kind
    indent: str = ""
    size: int = 0
    character: str = ""
    word: str = ""

    @property
    def may_start(self) -> bool:
        """Whether it was perhaps meant to begin a block: it has the word of such a marker, or its characters."""
        return self.kind is Kind.ALMOST and (self.word == SEARCH or self.character in "-<")

    @property
    def may_end(self) -> bool:
        """Whether it was perhaps meant to end one."""
        return self.kind is Kind.ALMOST and (self.word == REPLACE or self.character in "+>")

    def is_within(self, start: Marker) -> bool:
        """Whether it may belong to the block that begins with `start`: nothing deeper than that does."""
        return start.indent.startswith(self.indent)


CONTENT = Marker(Kind.CONTENT)

_START = re.compile(r"([ \t]*)((?:-{3,}|<{3,}))[ \t]+SEARCH[ \t]*>?[ \t]*")
_END = re.compile(r"([ \t]*)((?:\+{3,}|>{3,}))[ \t]+REPLACE[ \t]*>?[ \t]*")
_SEPARATOR = re.compile(r"([ \t]*)(={3,})>?[ \t]*")
_ALMOST = re.compile(r"([ \t]*)([-+<>=*#~|_]+)[ \t]*([A-Za-z]+)[ \t]*[-+<>=:*#~|_]*[ \t]*")
_ESCAPED = re.compile(
    r"([ \t]*)\\(\\*(?:"
    r"([-+<>=])\3{6}(?!\3).*"
    r"|(?:-{3,}|<{3,})[ \t]+SEARCH\b.*|(?:\+{3,}|>{3,})[ \t]+REPLACE\b.*|={3,}>?[ \t]*"
    r"|:(?:start|end)_line:.*))"
)
_RULE = re.compile(r"[ \t]*(={2,}|-{3,}|\+{3,}|<{3,}|>{3,}|\*{3,}|~{3,}|#{3,}|_{3,})[ \t]*[<>]?[ \t]*")
#: The beginning of a line that may become a marker, something like one, or an escaped one.
_BEGINNING = re.compile(
    r"[ \t]*(?:\\+(?:[-+<>=:].*)?|([-+<>=*#~|_]*)[ \t]*([A-Za-z]*)[ \t]*[-+<>=:*#~|_]*[ \t]*)", re.DOTALL
)
#: A marker that was cut off: its characters, and its word as far as it came.
_CUT_END = re.compile(r"[ \t]*(\+{3,}|>{3,})([ \t]+R(?:E(?:P(?:L(?:AC?)?)?)?)?)?[ \t]*")
_CUT_START = re.compile(r"[ \t]*(-{3,}|<{3,})[ \t]+S(?:E(?:A(?:RC?)?)?)?[ \t]*")
#: The characters of proper markers, by the one that was used.
_STARTS = {"-": "-", "<": "<", "=": "-", "+": "-", ">": "<"}
_ENDS = {"-": "+", "<": ">"}
_FIRST_CHARACTERS = frozenset("-+<>=*#~|_")
_WORDS = (SEARCH, REPLACE)
#: A misspelled word has at most that many wrong characters.
_SLIPS = 2


def classify(body: str) -> Marker:
    """What the line, without its ending, is by itself."""
    stripped = body.lstrip(" \t")
    if not stripped or stripped[0] not in _FIRST_CHARACTERS or len(body) > LONGEST:
        return CONTENT
    for kind, pattern in ((Kind.SEPARATOR, _SEPARATOR), (Kind.START, _START), (Kind.END, _END)):
        if match := pattern.fullmatch(body):
            return Marker(kind, match[1], len(match[2]), match[2][0])
    if (match := _ALMOST.fullmatch(body)) and (word := _meant(match[3], len(match[2]))):
        return Marker(Kind.ALMOST, match[1], len(match[2]), match[2][0], word)
    return CONTENT


def _meant(word: str, size: int) -> str:
    """SEARCH or REPLACE, if one of them is meant; next to one or two characters it must be spelled right."""
    if size < 3:
        return word if word in _WORDS else ""
    return next((right for right in _WORDS if distance(word.upper(), right) <= _SLIPS), "")


def unescape(body: str) -> str:
    """The content that the line stands for."""
    if "\\" not in body or len(body) > LONGEST:
        return body
    match = _ESCAPED.fullmatch(body)
    return match[1] + match[2] if match else body


def may_become_marker(beginning: str) -> bool:
    """Whether a line that begins so, and goes on, may turn out to be anything but plain content."""
    if len(beginning) > LONGEST:
        return False
    match = _BEGINNING.fullmatch(beginning)
    if match is None:
        return False
    run, word = match[1], match[2]
    if not word:
        return True
    if not run:
        return False
    if len(run) < 3:
        return any(right.startswith(word) for right in _WORDS)
    return len(word) <= len("REPLACE") + _SLIPS


def may_separate(body: str) -> bool:
    """Whether the line was perhaps meant as the separator: a run of another character, or a marker that is none."""
    return len(body) <= LONGEST and (_RULE.fullmatch(body) is not None or classify(body).kind is Kind.ALMOST)


def is_cut_marker(body: str, size: int) -> bool:
    """Whether the last line of a diff is a marker up to there, and not merely a line that begins like one.

    `size` is that of the block's first marker. Another block cannot begin yet, so of the beginning of a start marker
    more must be there than a line of dashes.
    """
    if match := _CUT_END.fullmatch(body):
        return match[2] is not None or len(match[1]) in (USUAL, size)
    match = _CUT_START.fullmatch(body)
    return match is not None and len(match[1]) in (USUAL, size)


def corrected_block(marker: Marker, old: str, new: str) -> str:
    """The block with proper markers, in the style of its first one."""
    character = _STARTS.get(marker.character, "-")
    indent = marker.indent
    start, end = character * USUAL, _ENDS[character] * USUAL
    return f"{indent}{start} SEARCH\n{_ended(old)}{indent}{'=' * USUAL}\n{_ended(new)}{indent}{end} REPLACE\n"


def _ended(text: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else text + "\n"
