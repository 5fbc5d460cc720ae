"""The lines between which a SEARCH/REPLACE block stands.

    ------- SEARCH          <<<<<<< SEARCH
    =======                 =======
    +++++++ REPLACE         >>>>>>> REPLACE

Three or more of one character; a `>`, blanks and a carriage return may follow; styles may be mixed. A marker inside a
block is not indented more than the block's first marker: what is, is content, such as these lines.

`\\=======` is content: a line `=======`. One backslash is taken off in front of whatever would be a marker, or begins
with seven of its characters, as in `\\<<<<<<< HEAD`.

Lines that are not markers but were perhaps meant to be (`-- SEARCH`, `-------SEARCH`, `+++++++ REPALCE`,
`+++++++ SEARCH`, `<<<<<<< SEARCH a.py`, `>>>>>>>`, `>>>>>>> END`) are almost markers: they are content unless the
lines around them show otherwise. Some of them are hardly anything else, such as `>>>>>>>` and `>>>>>>> END`; others,
such as `### Search`, are as likely to be prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from functools import lru_cache

from attrs import frozen

from streamparse.diff.lines import filled_of
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
    #: Whether it is hardly anything else, although it is only almost a marker.
    is_plain: bool = False

    @property
    def may_start(self) -> bool:
        """Whether it was perhaps meant to begin a block: it has the word of such a marker, or its characters."""
        return self.kind is Kind.ALMOST and (self.word == SEARCH or self.character in "-<")

    @property
    def may_end(self) -> bool:
        """Whether it was perhaps meant to end one."""
        return self.kind is Kind.ALMOST and (self.word == REPLACE or self.character in "+>")

    def is_before(self, lines: Iterable[str]) -> bool:
        """Whether its blanks are before all of the lines, blank ones aside, and there are some."""
        if not self.indent:
            return False
        filled = filled_of(lines)
        return bool(filled) and all(line.startswith(self.indent) for line in filled)

    def is_within(self, start: Marker) -> bool:
        """Whether it may belong to the block that begins with `start`: nothing deeper than that does."""
        return len(self.indent) <= len(start.indent)


CONTENT = Marker(Kind.CONTENT)


@frozen
class Style:
    """The first and the last marker of a block, of which both are written in the same characters."""

    start: str
    end: str


def style_of(*markers: Marker) -> Style:
    """The style of the first of these that is in the characters of markers; if none is, the one with dashes."""
    character = next((_STARTS[marker.character] for marker in markers if marker.character in _STARTS), "-")
    return Style(f"{character * USUAL} {SEARCH}", f"{_ENDS[character] * USUAL} {REPLACE}")


def text_behind(body: str) -> str:
    """What stands behind the word of a line that is almost a marker, such as `a.py` in `<<<<<<< SEARCH a.py`.

    Empty if it only counts, as `1/2` does.
    """
    match = _ALMOST.fullmatch(body)
    text = "" if match is None else match[4].lstrip(":").strip()
    return "" if _COUNT.fullmatch(text) else text


#: Blanks before a marker: no more than that, so that blocks do not lie in blocks without end.
_INDENT = r"([ \t]{0,40}+)"
_START = re.compile(_INDENT + r"((?:-{3,}|<{3,}))[ \t]+SEARCH[ \t]*>?[ \t]*")
_END = re.compile(_INDENT + r"((?:\+{3,}|>{3,}))[ \t]+REPLACE[ \t]*>?[ \t]*")
_SEPARATOR = re.compile(_INDENT + r"(={3,})>?[ \t]*")
#: Characters, a word, and what stands behind it.
_ALMOST = re.compile(_INDENT + r"([-+<>=*#~|_]++)\s*+([A-Za-z]++)(?!\w)(.*)")
_COUNT = re.compile(r"\d+/\d+")
_ESCAPED = re.compile(
    _INDENT + r"\\(\\*(?:"
    r"([-+<>=])\3{6}(?!\3).*"
    r"|(?:-{3,}|<{3,})[ \t]+SEARCH\b.*|(?:\+{3,}|>{3,})[ \t]+REPLACE\b.*|={3,}>?[ \t]*"
    r"|:(?:start|end)_line:.*))"
)
#: What ends a block but for its word: nothing stands behind it, or another one.
_ENDING = re.compile(rf"\+{{{USUAL}}}|>{{{USUAL}}}")
_BARE_END = re.compile(f"{_INDENT}({_ENDING.pattern})[ \\t]*")
#: Such a line, whatever its word.
UNNAMED_END = re.compile(rf"[ \t]*(?:{_ENDING.pattern})[ \t]*(?:[A-Za-z].*)?")
_RULE = re.compile(r"[ \t]*+(={2,}|-{3,}|\+{3,}|<{3,}|>{3,}|\*{3,}|~{3,}|#{3,}|_{3,})[ \t]*+[<>]?[ \t]*+")
#: The beginning of a line that may become a marker, something like one, or an escaped one.
_BEGINNING = re.compile(r"[ \t]*+(?:\\++(?:[-+<>=:].*)?|([-+<>=*#~|_]*+)\s*+([A-Za-z]*+)(?!\w)(.*))", re.DOTALL)
_DECORATION = re.compile(r"[ \t]*+[-+<>=:*#~|_]*+[ \t]*+")
#: A marker that was cut off: its characters, and its word as far as it came.
_CUT_END = re.compile(_INDENT + r"(\+{3,}|>{3,})([ \t]+R(?:E(?:P(?:L(?:AC?)?)?)?)?)?[ \t]*")
_CUT_START = re.compile(_INDENT + r"(-{3,}|<{3,})[ \t]+S(?:E(?:A(?:RC?)?)?)?[ \t]*")
_STARTS = {"-": "-", "<": "<", "=": "-", "+": "-", ">": "<"}
_ENDS = {"-": "+", "<": ">"}
_FIRST_CHARACTERS = frozenset("-+<>=*#~|_")
_WORDS = (SEARCH, REPLACE)
_OTHER_WORDS = {"ORIGINAL": SEARCH, "UPDATED": REPLACE}
#: The characters of markers, and so many of them that a misspelled word is hardly anything else.
_OWN_CHARACTERS = frozenset("-+<>=")
_MANY = 5
#: A misspelled word has at most that many wrong characters.
_SLIPS = 2


def classify(body: str) -> Marker:
    """What the line, without its ending, is by itself."""
    stripped = body.lstrip(" \t")
    if not stripped or stripped[0] not in _FIRST_CHARACTERS or len(body) > LONGEST:
        return CONTENT
    return _classify(body)


@lru_cache(maxsize=64)
def _classify(body: str) -> Marker:
    """A line that begins as markers do. Most of them are the same in every block."""
    for kind, pattern in ((Kind.SEPARATOR, _SEPARATOR), (Kind.START, _START), (Kind.END, _END)):
        if match := pattern.fullmatch(body):
            return Marker(kind, match[1], len(match[2]), match[2][0])
    if match := _ALMOST.fullmatch(body):
        return _almost(match[1], match[2], match[3], match[4])
    if match := _BARE_END.fullmatch(body):
        return Marker(Kind.ALMOST, match[1], USUAL, match[2][0], REPLACE, is_plain=True)
    return CONTENT


def _almost(indent: str, run: str, word: str, behind: str) -> Marker:
    """A line of some characters and a word: it may have been meant as a marker."""
    meant = _meant(word, len(run))
    is_right = word in _WORDS and _OWN_CHARACTERS.issuperset(run)
    # Text may stand behind it where all else is right, as in `<<<<<<< SEARCH a.py`.
    if not (_DECORATION.fullmatch(behind) or (is_right and len(run) >= 3)):
        return CONTENT
    if not meant:
        is_ending = _ENDING.fullmatch(run) is not None
        return Marker(Kind.ALMOST, indent, USUAL, run[0], REPLACE, is_plain=True) if is_ending else CONTENT
    is_plain = (is_right and len(run) > 1) or (_OWN_CHARACTERS.issuperset(run) and len(run) >= _MANY)
    return Marker(Kind.ALMOST, indent, len(run), run[0], meant, is_plain)


def _meant(word: str, size: int) -> str:
    """SEARCH or REPLACE, if one of them is meant; next to one or two characters it must be spelled right."""
    if size < 3:
        return word if word in _WORDS else ""
    if size >= _MANY and word in _OTHER_WORDS:
        return _OTHER_WORDS[word]
    word = word.upper()
    return next((right for right in _WORDS if word[0] == right[0] and distance(word, right) <= _SLIPS), "")


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
    run, word, behind = match.groups()
    if not word:
        return not behind
    if behind:
        return _almost("", run, word, behind) is not CONTENT
    if len(run) < 3:
        return bool(run) and any(right.startswith(word) for right in _WORDS)
    return len(word) <= max(map(len, _OTHER_WORDS)) + _SLIPS or _ENDING.fullmatch(run) is not None


def may_separate(body: str) -> bool:
    """Whether the line was perhaps meant as the separator: a run of another character, or a marker that is none."""
    return len(body) <= LONGEST and (_RULE.fullmatch(body) is not None or classify(body).kind is Kind.ALMOST)


def is_cut_end(body: str, size: int) -> bool:
    """Whether the last line of a diff is an end marker up to there, and not merely a line that begins like one.

    `size` is that of the block's first marker.
    """
    match = _CUT_END.fullmatch(body)
    return match is not None and (match[3] is not None or len(match[2]) in (USUAL, size))


def cut_start(body: str, size: int) -> Marker | None:
    """The same for a start marker, which it is then; a line of dashes alone is a line of dashes."""
    match = _CUT_START.fullmatch(body)
    if match is None or len(match[2]) not in (USUAL, size):
        return None
    return Marker(Kind.START, match[1], len(match[2]), match[2][0])


def is_piece_of_start(body: str, before: str) -> bool:
    """Whether the last line of a diff is the beginning of a start marker: nothing but its characters.

    `before` is the character that the last block begins with, if there is one: dashes begin another if that does, too.
    Without one, four dashes are enough; three are a line across the page.
    """
    run = body.strip(" \t\r")
    if not run or len(run) > LONGEST or run != run[0] * len(run) or run[0] not in "<-":
        return False
    return run[0] == "<" or before == "-" or (not before and len(run) > 3)


def escape(body: str, start: Marker) -> str:
    """The line so that it is content of the block that begins with `start`, whatever it looks like."""
    marker = classify(body)
    is_marker = marker.kind in (Kind.START, Kind.END) or (marker.kind is Kind.SEPARATOR and marker.size == USUAL)
    return f"{marker.indent}\\{body[len(marker.indent) :]}" if is_marker and marker.is_within(start) else body


def corrected_block(indent: str, style: Style, old: str, new: str) -> str:
    """The block with proper markers, in that style and with those blanks before them."""
    separator = f"{indent}{'=' * USUAL}\n"
    return f"{indent}{style.start}\n{_ended(old)}{separator}{_ended(new)}{indent}{style.end}\n"


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"
