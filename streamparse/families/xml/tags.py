"""The tags that arguments are written in: openers, closers, comments.

An opening tag is read as the states read it, by `TagLexer`, so that both agree on what is one.
"""

from __future__ import annotations

import re

from attrs import frozen

from streamparse.families.xml.lexer import TagLexer

#: The beginning of a tag (1 the slash of a closer, 2 its name) or of a comment.
TAG = re.compile(r"<(?:(/?)([A-Za-z_][A-Za-z0-9_.:-]{0,255}+)(?=[ \t\r\n/>])|!--)")
_CLOSER_REST = re.compile(r"[ \t\r\n]*+>")


@frozen
class Tag:
    """An opening tag."""

    name: str  # in lower case
    key: str  # the name of the argument: that of the tag, or what its `name="…"` says
    end: int
    is_arg: bool
    is_empty: bool = False
    has_attributes: bool = False  # other than the name, and those that declare a namespace


def read_tag(text: str, head: re.Match[str], max_tag: int) -> Tag | None:
    """The opening tag that begins at `head`, or None if it is none: `<arg>` needs a name."""
    name, pos = head[2].lower(), head.end()
    is_arg = name == "arg"
    if text[pos] == ">":
        return None if is_arg else Tag(name, head[2], pos + 1, is_arg)
    lexer = TagLexer(("name",) if is_arg else (), max_tag - len(head[0]), allow_angle=False)
    end = lexer.read(text, pos, len(text))
    if not lexer.is_done:
        return None
    others = [other for other in lexer.attributes if not (is_arg and other == "name") and not other.startswith("xmlns")]
    key = lexer.attributes["name"] if is_arg else head[2]
    return Tag(name, key, end, is_arg, lexer.is_empty, bool(others))


def closer_end(text: str, head: re.Match[str]) -> int:
    """Behind the closing tag that begins at `head`, or -1 if it is none."""
    match = _CLOSER_REST.match(text, head.end())
    return match.end() if match else -1


def comment_end(text: str, start: int) -> int:
    """Behind the comment that begins before `start`, or -1 if it does not end: then no later one does, either."""
    end = text.find("-->", start)
    return end + len("-->") if end >= 0 else -1
