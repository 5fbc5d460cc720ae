"""What the text of lines says about their indentation, in most languages.

if x:            opens: the next line is deeper
call(a,          so is one within brackets
}                closes: it is not
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from streamparse.diff.indent import STAR, indent_of
from streamparse.diff.lines import BLANKS

_OPENS = re.compile(r"[:({\[](?:[ \t]+(?:#|//|/\*).*)?[ \t]*$")
_OPENS_BODY = re.compile(r"[:{](?:[ \t]+(?:#|//|/\*).*)?[ \t]*$")
_CLOSES = re.compile(r"[ \t]*[)}\]]")
#: Lines of which the text does not say how deep they are: list items, tags, and what begins, goes on or ends without
#: brackets and colons in some languages.
_UNCLEAR = re.compile(
    r"[ \t]*(?:[-*+|.&?<)}\]]|\d+[.)]|(?:begin|case|class|def|default|do|done|elif|else|elsif|end|ensure|esac|"
    r"except|fi|finally|for|function|if|local|loop|module|rescue|repeat|then|unless|until|when|while|with)\b)"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")
#: What goes on behind a block, as deep as the line with which that began.
_GOES_ON = re.compile(r"[ \t]*(?:elif|else|except|finally)\b.*:[ \t]*$")
#: Words, and what names a part of what began before it, often no deeper.
_NAMED = re.compile(r"[ \t]*\w+[ \t]+\S")
_PART = re.compile(r"[ \t]*(?:case|catch|default|elif|else|except|finally|private|protected|public|when)\b")
#: What says who may use the members behind it, at the margin of the class.
_ACCESS = re.compile(r"[ \t]*(?:private|protected|public)(?:[ \t]+\w+)?[ \t]*:[ \t]*$")
_COMMENT = re.compile(rf"[ \t]*(?:#|//|/\*)|{STAR.pattern}")
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(?:define|elif|else|endif|if|ifdef|ifndef|include|undef)\b")
#: Behind it, the line goes on in the next one.
_UNFINISHED = re.compile(r"(?:\\|&&|\|\||[ \t][=+])$")
#: A field of reStructuredText, such as `:members:`, opens nothing.
_FIELD = re.compile(r"[ \t]*:[^:]*:[ \t]*$")
_BRACKET = re.compile(r"[()\[\]{}]")
_BRACKETS = str.maketrans(dict.fromkeys("([{", "(") | dict.fromkeys(")]}", ")"))


def begins_block(line: str) -> bool:
    """Whether it ends with what a block begins with."""
    return _OPENS.search(line) is not None


def begins_body(line: str) -> bool:
    """Whether what follows is inside of something, and not a part of this line, as it would be behind a `(`."""
    return _OPENS_BODY.search(line) is not None


def begins_another(line: str) -> bool:
    """Whether a body of its own begins with it, and no further part of the one before, as with `else:`."""
    return begins_body(line) and _NAMED.match(line) is not None and not _PART.match(line)


def opens(line: str) -> bool:
    """Whether the next line is deeper: a block begins with this one, or brackets are open behind it."""
    return begins_block(line) or _surplus(line) > 0


def _surplus(line: str) -> int:
    """How many more brackets the line opens than it closes."""
    plain = line.translate(_BRACKETS)
    return plain.count("(") - plain.count(")")


def closes(line: str) -> bool:
    """Whether it begins with what a bracket is closed with."""
    return _CLOSES.match(line) is not None


def least_depth(lines: Iterable[str]) -> int:
    """How many brackets are open where the least deep line begins: below 0 if that closes some from before them."""
    depth = least = 0
    for line in lines:
        plain = line.translate(_BRACKETS).lstrip(BLANKS)
        least = min(least, depth - len(plain) + len(plain.lstrip(")")))
        depth += plain.count("(") - plain.count(")")
    return least


def unmatched(line: str) -> tuple[int, int]:
    """How many brackets are closed in the line that it has not opened, and how many are open behind it."""
    depth = least = 0
    for bracket in _BRACKET.findall(line):
        depth += 1 if bracket in "([{" else -1
        if depth < least:
            least = depth
    return -least, depth - least


def may_be_inside(line: str) -> bool:
    """Whether it is deeper than the brackets in which it is: no comment, and no further part, such as `public:`."""
    return not (closes(line) or is_comment(line) or _PART.match(line))


def is_plain(line: str) -> bool:
    """Whether it is one that neither opens nor closes anything, as far as its text shows."""
    return not (begins_block(line) or _UNCLEAR.match(line) or _surplus(line))


def may_open(line: str) -> bool:
    """Whether other lines may be in it, in whatever language: it opens, or begins with a word or a tag that may."""
    is_end = closes(line) or line.lstrip(BLANKS).startswith("</")
    return opens(line) or not (is_plain(line) or is_end)


def has_words(line: str) -> bool:
    """Whether there is more in it than brackets and other signs, which many lines have."""
    return any(map(str.isalnum, line))


def is_item(line: str) -> bool:
    """Whether it is an item of a list, the further lines of which are deeper."""
    return _ITEM.match(line) is not None


def item_indent(line: str) -> str:
    """By how much the text of an item of a list is deeper than the item; "" if it is none, or perhaps a comment."""
    item = None if is_comment(line) else _ITEM.match(line)
    return " " * len(item[0].lstrip(BLANKS)) if item else ""


def continues(line: str) -> bool:
    """Whether the following line belongs to it: something opens, or the line is not finished."""
    return opens(line) or _UNFINISHED.search(line) is not None


def is_flat(line: str, following: str) -> bool:
    """Whether the following line should be deeper than this one, and is not.

    A line that closes brackets of those before it is perhaps deeper than the one that begins what it ends.
    """
    if _surplus(line) < 0 or _FIELD.match(line):
        return False
    return continues(line) and len(indent_of(following)) <= len(indent_of(line)) and not closes(following)


def follows(line: str, following: str) -> bool:
    """Whether the following line is deeper than this one if something opens with it, and not if nothing does."""
    outer, inner = indent_of(line), indent_of(following)
    if opens(line):
        return inner.startswith(outer) and not is_flat(line, following)
    return outer.startswith(inner) or (is_item(line) and inner.startswith(outer))


def fits(line: str, following: str) -> bool:
    """Whether the following line may be as deep as it is: deeper where a block begins, and less so where it ends."""
    outer, inner = indent_of(line), indent_of(following)
    if begins_block(line):
        return inner.startswith(outer) and not is_flat(line, following)
    if (closes(following) or _GOES_ON.match(following)) and not opens(line):
        return len(inner) < len(outer)
    is_inner = is_item(line) and not is_item(following) and inner == outer + item_indent(line)
    return outer.startswith(inner) or opens(line) or is_inner


def frame_of(line: str) -> tuple[object, ...]:
    """What the text of a line says about how deep it and others are; equal for lines that differ in other words alone.

    A line with the same frame as another one, and as deep, can stand in its place whatever is around it.
    """
    unclear, comment = _UNCLEAR.match(line), _COMMENT.match(line)
    return (
        unclear and unclear[0],
        comment and (comment[0], is_directive(line)),
        begins_block(line),
        _UNFINISHED.search(line) is not None,
        unmatched(line),
    )


def is_comment(line: str) -> bool:
    """Whether it is one in most languages: a comment may be as deep as what it is about, or as any line before it."""
    return _COMMENT.match(line) is not None


def is_access(line: str) -> bool:
    """Whether it is `public:` or the like, which parts no block."""
    return _ACCESS.match(line) is not None


def is_directive(line: str) -> bool:
    """Whether it is for the preprocessor of C: these are at the margin, however deep the lines around them are."""
    return _DIRECTIVE.match(line) is not None


def is_indented_directive(line: str) -> bool:
    """Whether it is one, and not at the margin; `# if` may be a comment, which may be anywhere."""
    return line[:1] in BLANKS and is_directive(line) and line.lstrip(BLANKS)[1:2].isalpha()
