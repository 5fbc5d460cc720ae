"""Lines that stand for others, which are not there.

    # ... existing code ...          // rest of the file unchanged          <!-- same as before -->
    /* … remaining methods … */      ... (rest of the function)             [... unchanged ...]

    # ...                            (rest of the file unchanged)          pass  # ... existing code ...
    [...]                            # ... (rest stays)                    // remains the same

A line is one if all of it is a comment, stands in brackets, or between dots, and says that lines are left out; in a
comment, or in square brackets, dots say it alone. `...rest` is JavaScript, and `...` alone is Python, as all there is
to a block; what says more than that something is left out is a comment like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from streamparse.diff.dressing import is_elision
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import bodies_of

#: What a line of that kind begins with: a comment, dots, or brackets around them.
_FIRST = frozenset("#/<-;%{[(.…*")
_BEGINS = re.compile(r"#|//|/\*|<!--|<%--|--|;|%|\{/\*|\{#|[\[(]?(?:\.\.\.|…)(?=[\s\w])|[\[(]|\*\s*(?:\.\.\.|…)")
#: A comment of Basic.
_KEYWORD = re.compile(r"^(?:rem|')\s+(?=\.\.\.|…)", re.IGNORECASE)
#: A comment between dots behind something else.
_BEHIND = re.compile(r".*\S\s*((?:#|//|/\*|<!--|--)\s*(?:\.\.\.|…)[^.…]+(?:\.\.\.|…)[\s*/>)}-]*)")
_DECORATION = re.compile(r"^[\s#/*<>!\-;%{}\[\]()]+|[\s#/*<>!\-;%{}\[\]().:]+$")
_BRACKETED = re.compile(r"\((?:\w+\s+){2,}\w+\.?\)|\[(?:\w+\s+){2,}\w+\.?\]")
_WHAT = (
    r"(?:code|file|lines?|function|method|class|module|component|implementation|body|content|contents|logic|methods|"
    r"functions|imports?|fields|props|properties|tests?|cases|styles|script|document|section|text|configuration|config|"
    r"page|query|options|settings|definitions?|statements?|part|parts|everything|above|below|here|it)"
)
_OF = rf"(?:\s+of\s+(?:the\s+|your\s+|this\s+)?(?:existing\s+|original\s+|previous\s+)?(?:\w+\s+)?{_WHAT})"
_HOW = r"(?:exactly\s+)?(?:the\s+)?(?:unchanged|same|as[ -]is|as\s+before|here|omitted|intact|untouched|above|below)"
_STAYS = rf"(?:\s+(?:(?:remains?|stays?|is|are|goes?|continues?|go)\s+)?{_HOW})"
#: In JavaScript, dots right before a name.
_NAMES = re.compile(r"(?:\.\.\.|…)\w")
#: All that such a line says.
_SAYS = re.compile(
    rf"(?:the\s+|your\s+|(?:keep|leave)\s+(?:the\s+|all\s+)?|all\s+(?:the\s+)?|and\s+)?(?:"
    rf"(?:rest|remainder){_OF}?(?:{_STAYS}|\s+(?:remains?|stays?|continues?|follows?|goes\s+on))?"
    rf"|(?:remains?|stays?)\s+{_HOW}"
    rf"|(?:existing|remaining|previous|original|unchanged|other|same)\s+(?:\w+\s+)?{_WHAT}{_OF}?{_STAYS}?"
    rf"|(?:existing|remaining|unchanged|omitted|same)"
    rf"|{_WHAT}{_STAYS}"
    rf"|(?:unchanged|omitted|same)\s+(?:as\s+(?:before|above|original)|{_WHAT})"
    rf"|(?:no\s+changes?(?:\s+(?:here|above|below|needed))?)"
    rf")(?:\s+for\s+brevity)?",
    re.IGNORECASE,
)
#: Between dots it may say a little more: `... existing code for parsing ...`.
_TELLS = re.compile(r"\b(?:existing|rest|unchanged|same|remaining|remainder|omitted)\b", re.IGNORECASE)
#: What it says may stand in brackets behind dots, as if it was between them.
_IN_BRACKETS = re.compile(r"(?:\.\.\.|…)\s*(?:\([^()]*\)|\[[^\[\]]*\])[\s*/>)}-]*$")
#: Dots in brackets, which are no brackets of a call.
_DOTS = re.compile(r"\[\s*(?:\.\.\.|…)\s*\]")
_BODY = re.compile(r""".*(?::\s*(?:#.*)?|\"{3}|'{3})""")
#: What is no more than a few words.
_LONGEST = 120
_FEW_WORDS = 8


def first_placeholder(new: Sequence[str], old: Sequence[str], index: FileIndex, start: int) -> str | None:
    """The first of the new lines that stands for others, and is neither one of the old lines nor a line of the file.

    They come before the line `start` of the file.
    """
    for at, line in enumerate(new):
        if is_placeholder(line) or (is_elision(line) and not _begins_body(_line_before(new, at, index, start))):
            key = line.strip()
            if all(one.strip() != key for one in old) and not index.trimmed.places([key]):
                return line
    return None


def _line_before(new: Sequence[str], at: int, index: FileIndex, start: int) -> str:
    """The line before that new one: another new one, or that of the file before all of them."""
    return new[at - 1] if at else (bodies_of(index.lines[max(0, start - 1) : start]) or [""])[-1]


def _begins_body(line: str) -> bool:
    """Whether `...` behind that line is Python: all there is to a function or class, but for what documents it."""
    return _BODY.fullmatch(line) is not None


def is_placeholder(line: str) -> bool:
    """Whether the line says that lines are left out."""
    text = line.strip()
    if len(line) > _LONGEST or (text[:1] not in _FIRST and "..." not in text and "…" not in text):
        return False
    text = _KEYWORD.sub("", text)
    if _BEGINS.match(text) is None:
        behind = _BEHIND.fullmatch(text)
        return behind is not None and is_placeholder(behind[1])
    inner = _DECORATION.sub("", text.replace("...", "…"))
    starts = inner.startswith("…")
    ends = inner.endswith("…") or _IN_BRACKETS.search(text) is not None
    said = inner.strip("… \t,.()[]")
    is_comment = not text.startswith(("...", "…", "[", "(", "*"))
    if _NAMES.match(text) is not None and not ends:
        return False
    if not said:
        return (is_comment and inner == "…") or _DOTS.fullmatch(text) is not None
    if _SAYS.fullmatch(said):
        # Without a sign of a comment, dots or brackets around several words must show that it is no text.
        return is_comment or starts or _BRACKETED.fullmatch(text) is not None
    return starts and ends and _TELLS.search(said) is not None and len(said.split()) <= _FEW_WORDS
