"""Lines that stand for others, which are not there.

    # ... existing code ...          // rest of the file unchanged          <!-- same as before -->
    /* … remaining methods … */      ... (rest of the function)             [... unchanged ...]

    # ...                            (rest of the file unchanged)          pass  # ... existing code ...
    [...]                            # ... (rest stays)                    // lines 3-40 unchanged

A line is one if all of it is a comment, stands in brackets, or between dots, and says that lines are left out; in a
comment, or in square brackets, dots say it alone. `...rest` is JavaScript, and `...` alone is Python, where it is all
there is to a body; what says more than that something is left out is a comment like any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress

from streamparse.diff.index import AROUND, FileIndex
from streamparse.diff.lines import bodies_of, newline_of, split_lines
from streamparse.diff.place import Place
from streamparse.diff.python import is_whole_body

#: How comments are written. The shorter signs come last, as each may be the beginning of a longer one.
_COMMENTS = {
    "HTML": r"<!--(.*?)-*->",
    "JSP": r"<%--(.*?)--%>",
    "Handlebars": r"\{\{!(?:--)?(.*?)(?:--)?\}\}",
    "Jinja": r"\{#(.*?)#\}",
    "Razor": r"@\*(.*?)\*@",
    "JSX": r"\{\s*/\*(.*?)\*/\s*\}",
    "Haskell": r"\{-(.*?)-\}",
    "ML": r"\(\*(.*?)\*\)",
    "C": r"/\*+(.*?)\*+/",
    "C of several lines": r"/\*+(.*)",
    "C++": r"//+(.*)",
    "SQL": r"--+((?:\s|\.\.|…).*)",
    "shell": r"#+(.*)",
    "Lisp": r";+(.*)",
    "TeX": r"%+(.*)",
    "m4": r"dnl\b(.*)",
    "Basic": r"rem\s+((?:\.\.\.|…).*)",
    "Visual Basic": r"'\s+((?:\.\.\.|…)[^']*)",
    "Vim": r"\"\s+((?:\.\.\.|…)[^\"]*)",
}
_COMMENT = re.compile("|".join(_COMMENTS.values()), re.IGNORECASE)
#: A comment behind a statement; behind one that does nothing, it need not begin with dots.
_BEHIND = re.compile(r".*\S\s*((?:#|//|/\*|<!--|--)\s*(?:\.{3}|…)\s*[^\s.…].*)")
_BEHIND_NOTHING = re.compile(r"(?:pass;?|\.{3}|…)\s*((?:#|//|/\*).*)")
#: A text of Python between dots, which is no name of anything.
_TEXT = re.compile(r"(\"{3}|'{3})\s*((?:\.{3}|…).*(?:\.{3}|…))\s*\1")
#: What may be one without a sign of a comment.
_BEGINS = re.compile(r"[\[(]?(?:\.{3}|…)(?=[\s\w])|\*\s*(?:\.{3}|…)")
#: Several words in brackets, without a sign of a comment.
_BRACKETED = re.compile(r"\((?:\w+\s+){2,}\w+\.?\)|\[(?:\w+\s+){2,}\w+\.?\]|<(?:\w+\s+){2,}\w+>")
#: Dots alone, which are no dots of a call.
_DOTS_IN_BRACKETS = re.compile(r"\[\s*(?:\.{3}|…)\s*\]")
#: In JavaScript, dots right before a name.
_NAMES = re.compile(r"(?:\.{3}|…)\w")
#: Where something was cut out.
_SNIP = re.compile(
    r"(?:(?:#|//|/\*|<!--)\s*(?:(?:\.{3}|…)\s*)?\(\s*snip(?:ped)?\s*\)|(?:#|//|/\*|<!--)?\s*(?:-{2,}|[\[<]|\.{3}|…)\s*"
    r"snip(?:ped)?\s*(?:-{2,}|[\]>]|\.{3}|…))[\s*/>-]*",
    re.IGNORECASE,
)

#: Dots in every way, and what else stands around words without saying anything.
_DOTS = re.compile(r"…|⋮|\.{2,}|\.(?:\s+\.)+")
_DECORATION = "#/*<>!-=~_;%{}[]():., \t"

#: What there is to leave out.
_NOUN = (
    r"(?:code|file|lines?|function|methods?|class(?:es)?|module|component|implementation|body|contents?|logic|functions|"
    r"imports?|fields?|props|properties|tests?|cases|styles?|stylesheet|rules?|script|document|section|text|columns?|"
    r"configuration|config|page|query|options|settings|definitions?|declarations?|statements?|parts?|program|source|"
    r"html|css|jsx|xml|sql|yaml|json|markup|template|routes|handlers|everything(?:\s+else)?|above|below|here|it)"
)
_THE = r"(?:(?:the|your|this|that|my|all|all\s+of\s+the|all\s+the|any)\s+)?"
_WORDS = r"(?:[\w'/.-]+\s+)"
_HOW = (
    r"(?:exactly\s+)?(?:the\s+)?"
    r"(?:unchanged|same|as[ -]is|as\s+before|omitted|intact|untouched|left\s+out|elided)"
)
#: That it stays as it is: `rest unchanged`, `the code is the same`.
_STAYS = rf"(?:(?:(?:remains?|stays?|is|are|goes?|continues?|go)\s+)?{_HOW})"
#: The same, and what says it only of what is left out.
_GOES_ON = rf"(?:{_STAYS}|remains?|stays?|continues?|follows?|goes\s+on)"
_OF = rf"(?:\s+of\s+{_THE}(?:existing\s+|original\s+|previous\s+)?{_WORDS}{{0,2}}{_NOUN})"
#: What a comment says all of which is that lines are left out.
_SAYINGS = {
    "the rest of the code, the rest of the CSS remains unchanged": rf"(?:rest|remainder){_OF}(?:\s+{_GOES_ON})?",
    "the rest unchanged": rf"(?:rest|remainder)(?:\s+of\s+{_WORDS}{{1,4}}?|\s+){_GOES_ON}",
    "existing code": rf"(?:existing|remaining|unchanged|omitted)\s+{_WORDS}?{_NOUN}{_OF}?(?:\s+{_GOES_ON})?",
    "previous code remains": rf"(?:previous|original|other|same|more)\s+{_WORDS}?{_NOUN}{_OF}?\s+{_GOES_ON}",
    "code unchanged, imports remain the same": rf"{_NOUN}\s+{_STAYS}",
    "code continues": r"(?:code|file|function|class|implementation|script)\s+(?:remains|continues|goes\s+on)",
    "remains the same": rf"(?:remains?|stays?)\s+{_HOW}",
    "unchanged": r"unchanged|omitted",
    "same as before": r"(?:unchanged|omitted|same)(?:\s+code)?\s+as\s+(?:before|above|original)",
    "lines 3-40 unchanged, 40 lines omitted": (
        rf"(?:lines?\s+\d+(?:\s*(?:-|–|to|through)\s*\d+)?|\d+\s+(?:more\s+)?lines(?:\s+of\s+code)?)\s+{_STAYS}"
    ),
    "no changes, no changes to other methods": (
        rf"no\s+changes?(?:\s+(?:here|above|below|needed))?(?:\s+(?:to|in)\s+{_THE}(?:other|rest|remaining|existing)\s+"
        rf"(?:of\s+)?{_THE}{_WORDS}?{_NOUN})?"
    ),
}
#: What says so only with dots, as it may be a heading: `# ... other methods ...`.
_SAYINGS_WITH_DOTS = {
    "the rest": r"rest|remainder|remaining|existing|same|more|snip|snipped",
    "other methods": rf"(?:previous|original|other|same|more)\s+{_WORDS}?{_NOUN}{_OF}?",
    "40 lines skipped, code above": (
        rf"(?:\d+\s+)?{_NOUN}\s+(?:(?:is|are|goes)\s+)?(?:here|above|below|skipped|truncated)"
    ),
    "40 more lines": r"\d+\s+(?:more\s+)?lines(?:\s+of\s+code)?|lines?\s+\d+\s*(?:-|–|to|through)\s*\d+",
}
_LEAD = rf"(?:for\s+brevity,?\s+)?(?:(?:keep|leave|and)\s+)?{_THE}"
_SAYS = re.compile(rf"{_LEAD}(?:{'|'.join(_SAYINGS.values())})(?:\s+for\s+brevity)?", re.IGNORECASE)
_SAYS_WITH_DOTS = re.compile(rf"{_LEAD}(?:{'|'.join(_SAYINGS_WITH_DOTS.values())})", re.IGNORECASE)
_TO_DO = re.compile(r"(?:todo|note)\s*:?\s+(?=(?:the\s+)?rest\b)", re.IGNORECASE)
#: Between dots it may say a little more: `... existing code for parsing ...`.
_TELLS = re.compile(r"\b(?:existing|rest|unchanged|same|remaining|remainder|omitted)\b", re.IGNORECASE)
#: What it says may stand in brackets behind dots, as if it was between them.
_IN_BRACKETS = re.compile(r"(?:\.{3}|…)\s*(?:\([^()]*\)|\[[^\[\]]*\])[\s*/>)}-]*$")
#: What has none of these, in small letters, says nothing of that kind: with `re.IGNORECASE` it takes ten times as long.
_HINT = re.compile(
    r"\.\.|…|⋮|\. \.|rest|remain|exist|unchanged|same|omitted|snip|stay|change|continue|follow|goes on|left out|elided|"
    r"skipped|truncated|intact|untouched|as[ -]is|as before|here|above|below"
)
#: What is no more than a few words.
_LONGEST = 120
_FEW_WORDS = 8


def first_placeholder(text: str, index: FileIndex, place: Place, *, may_be_python: bool) -> str | None:
    """The first line of the text that stands for others, if the lines in whose place it comes have fewer like it.

    If the file may be Python, dots that are all there is to a body do not.
    """
    if _HINT.search(text.lower()) is None:
        return None
    new = bodies_of(split_lines(text, newline_of(index.original)))
    marked = [at for at, line in enumerate(new) if is_dots(line) or is_placeholder(line)]
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


def is_dots(line: str) -> bool:
    """Whether it is nothing but dots, which may be text as well."""
    return line.strip() in ("...", "…")


def perhaps_placeholders(lines: Sequence[str]) -> Iterator[str]:
    """Those of the lines, among which most are none, that may be one or dots."""
    return compress(lines, map(_HINT.search, map(str.lower, lines)))


def is_placeholder(line: str) -> bool:
    """Whether the line says that lines are left out."""
    if len(line) > _LONGEST or _HINT.search(line.lower()) is None:
        return False
    text = line.strip()
    if quoted := _TEXT.fullmatch(text):
        text = quoted[2]
    if _SNIP.fullmatch(text) or _DOTS_IN_BRACKETS.fullmatch(text):
        return True
    if comment := _COMMENT.fullmatch(text):
        return _leaves_out(next(filter(None, comment.groups()), ""))
    if behind := _BEHIND.fullmatch(text) or _BEHIND_NOTHING.fullmatch(text):
        return is_placeholder(behind[1])
    # Without a sign of a comment, dots or brackets around several words must show that it is no text.
    starts, ends, _ = _read(text)
    may_be = starts and (ends or not _NAMES.match(text)) if _BEGINS.match(text) else False
    return (may_be or _BRACKETED.fullmatch(text) is not None) and _leaves_out(text, is_comment=False)


def _leaves_out(text: str, *, is_comment: bool = True) -> bool:
    """Whether the text of a comment, or one that may be none, says that lines are left out, and nothing else."""
    starts, ends, said = _read(text)
    if not said:
        return is_comment and set(_DOTS.sub("…", text).strip("()[]{} \t")) == {"…"}
    if _SAYS.fullmatch(_TO_DO.sub("", said)) or (starts and _SAYS_WITH_DOTS.fullmatch(said)):
        return True
    return starts and ends and _TELLS.search(said) is not None and len(said.split()) <= _FEW_WORDS


def _read(text: str) -> tuple[bool, bool, str]:
    """Whether there are dots before it and behind it, and what it says without what is around the words."""
    marked = _DOTS.sub("…", text).strip(_DECORATION)
    ends = marked.endswith("…") or _IN_BRACKETS.search(text) is not None
    return marked.startswith("…"), ends, marked.strip(f"…{_DECORATION}")
