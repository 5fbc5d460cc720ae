"""What stands behind the lines of a hunk and is none of them: prose, or the signature of a mail.

+new                       the last line of the hunk
I hope this helps:         prose: it has no mark
- the total is right       an item of a list, which looks like a line to be removed
--                         what a mail's signature begins with
"""

from __future__ import annotations

import re

from streamparse.diff.hunk_lines import Line

#: An item of a list or a rule, in prose behind a patch; and what a mail's signature begins with.
_ITEM = re.compile(r"[-+] (?:[^\W_]|[`\"'(*\[~])|-{3,}")
_SIGNATURE = ("-- ", "--")
#: What programs that write mails sign with: `2.39.5`, `2.39.5 (Apple Git-154)`, `libgit2 1.7.1`, `cgit v1.2.3`.
_PROGRAM = re.compile(r"(?:(?:libgit2 |cgit v)?\d+(?:\.\w+)+(?:[-+.~]\w+)*(?: \(.*\))?|GitLab)[ \t]*")
_END_OF_PATCH = "*** End Patch"


def prose_behind_counted(lines: list[Line], announced: tuple[int, int] | None, full: int | None) -> int | None:
    """Where prose begins behind all old and new lines that a header announced; there were so many at line `full`."""
    signature = None if announced is None else _signature(lines, announced)
    if signature is not None or full is None:
        return signature
    prose = full
    while prose < len(lines) and lines[prose].kind == " " and not lines[prose].is_doubtful:
        prose += 1  # context that was not counted
    if prose == len(lines) or not lines[prose].is_doubtful:
        return None
    return prose if all(is_kept(line) or _is_item(line) for line in lines[prose + 1 :]) else None


def may_be_listed(lines: list[Line], full: int | None) -> bool:
    """Whether all lines behind those that a header announced, of which the last is context, may be a list in prose.

    They are `+ one more check` and the like, and no other line of the hunk is indented by one blank.
    """
    if full is None or full >= len(lines) or lines[full - 1].kind != " " or all(map(is_kept, lines[:full])):
        return False
    items = [line for line in lines[full:] if not line.is_doubtful]
    is_list = bool(items) and all(line.kind == "+" and _is_item(line) for line in items)
    return is_list and not any(line.body[:1] == " " != line.body[1:2] for line in lines[:full])


def prose_behind_marked(lines: list[Line]) -> int:
    """Where prose begins: unmarked lines are context if changes follow, else they are prose or nothing."""
    doubtful = next((at for at, line in enumerate(lines) if line.is_doubtful and line.body.strip()), len(lines))
    end = len(lines)
    while end and (is_kept(lines[end - 1]) or (end > doubtful and _is_item(lines[end - 1]))):
        end -= 1
    prose = next((at for at in range(end, len(lines)) if lines[at].is_doubtful and lines[at].body.strip()), len(lines))
    while prose > end and lines[prose - 1].is_doubtful:
        prose -= 1
    return prose


def end_of_patch(lines: list[Line]) -> int | None:
    """Where ` *** End Patch` stands, which looks like context, if it is the end of the patch.

    Behind nothing but context it is context, too: no hunk ends before its changes.
    """
    end = next((at for at, line in enumerate(lines) if line.body.strip() == _END_OF_PATCH), None)
    if end is None or any(not line.is_doubtful for line in lines[end + 1 :]) or lines[end].kind != " ":
        return None
    return None if all(map(is_kept, lines[:end])) else end


def is_listed(line: str) -> bool:
    """Whether the line looks like an item of a list in prose, such as `- the total is right`, or like a rule."""
    return _ITEM.match(line) is not None


def is_kept(line: Line) -> bool:
    """Whether nothing marks the line as a change: it is context, or has no mark in a new file."""
    return line.kind == " " or line.is_doubtful


def may_sign(body: str) -> bool:
    """Whether a mail's signature may begin with the line, or a line is to be removed."""
    return body in _SIGNATURE


def is_program(body: str) -> bool:
    """Whether the line behind that shows that it is a signature."""
    return _PROGRAM.fullmatch(body) is not None


def _signature(lines: list[Line], announced: tuple[int, int]) -> int | None:
    """Where a mail's signature begins, behind as many lines as were announced, and with no changes behind it.

    Without its end it may be a piece of a removed line: then there must be just as many.
    """
    at = next((at for at, line in enumerate(lines) if text_of(line) in _SIGNATURE), None)
    if at is None or not all(map(is_kept, lines[at + 1 :])):
        return None
    old, new = (sum(line.kind != sign for line in lines[:at]) for sign in "+-")
    is_enough = old >= announced[0] and new >= announced[1]
    return at if is_enough and (lines[at].ending or (old, new) == announced) else None


def _is_item(line: Line) -> bool:
    return is_listed(text_of(line))


def text_of(line: Line) -> str:
    """The line as it is written, with its mark."""
    return line.body if line.is_doubtful else line.kind + line.body
