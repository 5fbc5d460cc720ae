"""The rules of the cline formats once more, as plainly as they can be said: for a text that is complete, slowly.

It shares no code with the library, and looks at every rule by itself: character by character where that is simplest.
"""

from __future__ import annotations

import re
from typing import TypeAlias

#: The tool `put`, and what is declared for it; `content` is raw.
NAMES = {"a", "b", "content"}
REQUIRED = {"a"}
_BLANKS = r"[ \t\r\n]*"
_END = re.compile(f"</put{_BLANKS}>")
_TAG = re.compile(rf"</put{_BLANKS}>|<([^ \t\r\n<>/]+)>")
_NESTED = re.compile(f"<put>(?={_BLANKS}<(?:a|b|content)>)|</put{_BLANKS}>")
_FIT = re.compile(f"</content{_BLANKS}>{_BLANKS}(?=</put{_BLANKS}>|<(a|b|content)>)")

#: Arguments, status, whether the call is repaired, and its content.
Read: TypeAlias = tuple[dict[str, str], str, bool, str]


def _strip(text: str) -> str:
    return re.sub(r"\r?\n\Z", "", re.sub(r"\A\r?\n", "", text))


def _depth(text: str, start: int, end: int) -> int:
    """How many nested calls are open at `end` in a raw value that begins at `start`."""
    depth = 0
    for match in _NESTED.finditer(text, start):
        if match.start() >= end:
            break
        depth = depth + 1 if match[0] == "<put>" else max(0, depth - 1)
    return depth


def read_call(text: str) -> Read:
    """What a call of `put` is; `text` is all that stands behind `<put>`."""
    arguments: dict[str, str] = {}
    given: set[str] = set()
    pos, closed, is_repaired, is_unclosed = 0, -1, False, False
    while True:
        tag = _TAG.search(text, pos)
        if tag is None:
            is_whole = closed == pos and given >= REQUIRED and not is_unclosed and not text[pos:].strip(" \t\r\n")
            return (arguments, "complete", True, text) if is_whole else (arguments, "truncated", False, text)
        if tag[1] is None:
            if is_unclosed and text[tag.end() :].strip(" \t\r\n"):
                return {}, "malformed", False, text[: tag.start()]
            return arguments, "complete", is_repaired, text[: tag.start()]
        name, pos = tag[1], tag.end()
        end = _END.search(text, pos)
        closer = re.compile(f"</{re.escape(name)}{_BLANKS}>").search(text, pos)
        if name not in NAMES:
            if closer and end and end.start() < closer.start():
                closer = None
            if name == "put" or not re.match("[A-Za-z_]", name):
                continue
            if closer is None and end is None:
                return arguments, "truncated", False, text
            pos = closer.end() if closer else pos
            continue
        given.add(name)
        if name == "content":
            found = _find_fit(text, pos, given)
            if found is None:
                return _read_last(text, pos, arguments, given, is_unclosed=is_unclosed)
            arguments[name] = _strip(text[pos : found[0]])
            pos = closed = found[1]
        elif closer is not None:
            arguments[name] = text[pos : closer.start()].strip(" \t\r\n")
            pos = closed = closer.end()
        elif end is not None:
            following = re.compile("<(a|b|content)>").search(text, pos, end.start())
            stop = (following or end).start()
            arguments[name] = text[pos:stop].strip(" \t\r\n")
            pos, is_repaired, is_unclosed = stop, True, True
        else:
            return arguments, "truncated", False, text


def _find_fit(text: str, start: int, given: set[str]) -> tuple[int, int] | None:
    """The closer of a raw value that counts."""
    for match in _FIT.finditer(text, start):
        if match[1] not in given and _depth(text, start, match.start()) == 0:
            return match.span()
    return None


def _read_last(text: str, start: int, arguments: dict[str, str], given: set[str], *, is_unclosed: bool) -> Read:
    """A raw value that does not close, and so is the last one."""
    ends = [match for match in _END.finditer(text, start) if not text[match.end() :].strip(" \t\r\n")]
    if ends and not _depth(text, start, ends[0].start()):
        value = text[start : ends[0].start()]
        return {**arguments, "content": _strip(value)}, "complete", True, text[: ends[0].start()]
    waiting = re.compile(rf"</content{_BLANKS}>{_BLANKS}(<[^<>]*)?\Z").search(text, start)
    if waiting and _depth(text, start, waiting.start()) == 0 and _may_follow(waiting[1] or "<", given):
        arguments = {**arguments, "content": _strip(text[start : waiting.start()])}
        if waiting[1] is None and given >= REQUIRED and not is_unclosed:
            return arguments, "complete", True, text
        return arguments, "truncated", False, text
    return arguments, "truncated", False, text


def _may_follow(tag: str, given: set[str]) -> bool:
    """Whether a tag that is cut off may be what makes a closer before it count."""
    is_end = re.fullmatch(f"<|</|</p|</pu|</put{_BLANKS}", tag)
    return bool(is_end) or any(name.startswith(tag[1:]) for name in NAMES - given)
