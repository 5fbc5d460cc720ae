"""Lines that stand for others, which are not there.

    # ... existing code ...          // rest of the file unchanged          <!-- same as before -->
    /* … remaining methods … */      ... (rest of the function)             [... unchanged ...]

    # ...                            (rest of the file unchanged)          pass  # ... existing code ...
    [...]                            # ... (rest stays)                    // remains the same

A line is one if all of it is a comment, stands in brackets, or between dots, and says that lines are left out; in a
comment, or in square brackets, dots say it alone. `...rest` is JavaScript, and `...` alone is Python, where it is all
there is to a body; what says more than that something is left out is a comment like any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from streamparse.diff.dressing import is_elision
from streamparse.diff.index import AROUND, FileIndex
from streamparse.diff.lines import bodies_of, newline_of, split_lines
from streamparse.diff.place import Place
from streamparse.diff.python import is_whole_body

#: What a line of that kind begins with: a comment, dots, or brackets around them.
_FIRST = frozenset("#/<-;%{[(.…*")
_BEGINS = re.compile(
    r"#|//|/\*|<!--|<%--|<(?=\w)|--|;|%|\{/\*|\{#|[\[(]?(?:\.\.\.|…)(?=[\s\w])|[\[(]|\*\s*(?:\.\.\.|…)"
)
#: A comment of Basic.
_KEYWORD = re.compile(r"^(?:rem|')\s+(?=\.\.\.|…)", re.IGNORECASE)
#: A comment between dots behind something else.
_BEHIND = re.compile(r".*\S\s*((?:#|//|/\*|<!--|--)\s*(?:\.\.\.|…)[^.…]+(?:\.\.\.|…)[\s*/>)}-]*)")
_DECORATION = re.compile(r"^[\s#/*<>!\-;%{}\[\]()]+|[\s#/*<>!\-;%{}\[\]().:]+$")
_BRACKETED = re.compile(r"\((?:\w+\s+){2,}\w+\.?\)|\[(?:\w+\s+){2,}\w+\.?\]|<(?:\w+\s+){2,}\w+>")
#: Where something was cut out.
_SNIP = re.compile(
    r"(?:#|//|/\*|<!--)?\s*(?:-{2,}|[\[<]|\.\.\.|…)\s*snip(?:ped)?\s*(?:-{2,}|[\]>]|\.\.\.|…)[\s*/>-]*", re.IGNORECASE
)
#: A text of Python between dots, which is no name of anything.
_TEXT = re.compile(r"(\"{3}|'{3})\s*((?:\.\.\.|…).*(?:\.\.\.|…))\s*\1")
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
    rf"|same\s+code\s+as\s+(?:above|before)"
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
#: What is no more than a few words.
_LONGEST = 120
_FEW_WORDS = 8


def first_placeholder(text: str, index: FileIndex, place: Place, *, may_be_python: bool) -> str | None:
    """The first line of the text that stands for others, if the lines in whose place it comes have fewer like it.

    If the file may be Python, dots that are all there is to a body do not.
    """
    new = bodies_of(split_lines(text, newline_of(index.original)))
    marked = [at for at, line in enumerate(new) if is_elision(line) or is_placeholder(line)]
    if not marked:
        return None
    old = bodies_of(index.lines[place.start : place.end])
    before = bodies_of(index.lines[max(0, place.start - AROUND) : place.start])
    behind = bodies_of(index.lines[place.end : place.end + AROUND])
    known = Counter(line.strip() for line in old)
    more = {key for key, count in Counter(new[at].strip() for at in marked).items() if count > known[key]}
    if may_be_python and more:
        stubs = _stubs(new, before, behind)
        marked = [at for at in marked if at not in stubs]
        # An old one that was all there is to a body is as good as any other, but not if there are still as many.
        known.subtract(old[at].strip() for at in _stubs(old, before, behind))
        more &= {key for key, count in Counter(new[at].strip() for at in marked).items() if count > known[key]}
    return next((new[at] for at in marked if new[at].strip() in more), None)


def _stubs(lines: Sequence[str], before: Sequence[str], behind: Sequence[str]) -> set[int]:
    """Which of the lines, between these, are dots that are all there is to a body."""
    around = [*before, *lines, *behind]
    return {at for at, line in enumerate(lines) if line.strip() == "..." and is_whole_body(around, len(before) + at)}


def is_placeholder(line: str) -> bool:
    """Whether the line says that lines are left out."""
    text = line.strip()
    if len(line) > _LONGEST or (text[:1] not in _FIRST and "..." not in text and "…" not in text):
        return False
    text = _TEXT.sub(r"\2", _KEYWORD.sub("", text))
    if _SNIP.fullmatch(text):
        return True
    if _BEGINS.match(text) is None:
        behind = _BEHIND.fullmatch(text)
        return behind is not None and is_placeholder(behind[1])
    inner = _DECORATION.sub("", text.replace("...", "…"))
    starts = inner.startswith("…")
    ends = inner.endswith("…") or _IN_BRACKETS.search(text) is not None
    said = inner.strip("… \t,.()[]")
    is_comment = not text.startswith(("...", "…", "[", "(", "*", "<")) or text.startswith(("<!--", "<%--"))
    if _NAMES.match(text) is not None and not ends:
        return False
    if not said:
        return (is_comment and inner == "…") or _DOTS.fullmatch(text) is not None
    if _SAYS.fullmatch(said):
        # Without a sign of a comment, dots or brackets around several words must show that it is no text.
        return is_comment or starts or _BRACKETED.fullmatch(text) is not None
    return starts and ends and _TELLS.search(said) is not None and len(said.split()) <= _FEW_WORDS
