"""Changes as a unified diff, in the words of git, so that git and patch take it.

diff --git a/old.py b/new.py          `headers`: what it takes to move a file, change its mode, make an empty one
rename from old.py
rename to new.py
--- a/old.py                          `difference`
+++ b/new.py
@@ -1 +1 @@
…
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from streamparse.diff import FileChange, split_lines
from streamparse.diff.header_names import NOWHERE
from streamparse.diff.lines import ending_of
from streamparse.diff.packed import LARGE, PackedLines

#: What git does not write as it is in the name of a file.
_UNPLAIN = re.compile(r'[\x00-\x1f\x7f"\\]')
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
#: The name that git gives a text without anything in it: of a new file, no lines follow.
_EMPTY = "index 0000000..e69de29"
#: The lines of the one text times those of the other that are compared. What is compared can take time with the third
#: power of its lines, and a model chooses them.
_MOST_COMPARED = 4_000_000
_CONTEXT = 3
_NUMBERS = re.compile(r"^@@ -(\d+)(.*) \+(\d+)(.*) @@(?=\n)")


def headers(change: FileChange) -> str:
    """What git says of a file before its text."""
    old, new = change.path, change.moved_to or change.path
    lines = [f"diff --git {_quoted(f'a/{old}')} {_quoted(f'b/{new}')}"]
    if change.before is None:
        lines.append(f"new file mode {_git_mode(change.mode or 0)}")
        lines += [] if change.after else [_EMPTY]
    elif change.after is None:
        lines.append("deleted file mode 100644")
    elif change.mode is not None:
        lines += [f"old mode {_git_mode(~change.mode)}", f"new mode {_git_mode(change.mode)}"]
    if change.moved_to is not None:
        lines += [f"rename from {_quoted(old)}", f"rename to {_quoted(new)}"]
    return "".join(f"{line}\n" for line in lines)


def difference(change: FileChange) -> str:
    """The unified diff of the two texts; empty if they are the same."""
    old = NOWHERE if change.before is None else _quoted(f"a/{change.path}")
    new = NOWHERE if change.after is None else _quoted(f"b/{change.moved_to or change.path}")
    lines = _compare(_lines_of(change.before or ""), _lines_of(change.after or ""), old, new)
    return "".join(line if ending_of(line) else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines_of(text: str) -> Sequence[str]:
    return PackedLines.of_text(text) if len(text) > LARGE else split_lines(text)


def _compare(before: Sequence[str], after: Sequence[str], old: str, new: str) -> Iterator[str]:
    """The lines of the diff. Of long texts only what lies between their equal ends is compared, or else replaced."""
    if len(before) * len(after) <= _MOST_COMPARED:
        yield from difflib.unified_diff(before, after, old, new)
        return
    shorter = min(len(before), len(after))
    start = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), shorter)
    end = next((at for at in range(shorter - start) if before[-1 - at] != after[-1 - at]), shorter - start)
    first, more = max(0, start - _CONTEXT), min(end, _CONTEXT)
    ours, theirs = before[first : len(before) - end + more], after[first : len(after) - end + more]
    if len(ours) * len(theirs) <= _MOST_COMPARED:
        lines: Iterable[str] = difflib.unified_diff(ours, theirs, old, new)
    else:
        lines = _replace(ours, theirs, start - first, more, old, new)
    for line in lines:
        yield _NUMBERS.sub(
            lambda match: f"@@ -{int(match[1]) + first}{match[2]} +{int(match[3]) + first}{match[4]} @@", line
        )


def _replace(before: Sequence[str], after: Sequence[str], above: int, below: int, old: str, new: str) -> Iterator[str]:
    """A diff of one hunk: but for the lines above and below that are equal, all lines go, and all others come."""
    yield f"--- {old}\n"
    yield f"+++ {new}\n"
    yield f"@@ -1,{len(before)} +1,{len(after)} @@\n"
    yield from (f" {line}" for line in before[:above])
    yield from (f"-{line}" for line in before[above : len(before) - below])
    yield from (f"+{line}" for line in after[above : len(after) - below])
    yield from (f" {line}" for line in before[len(before) - below :])


def _git_mode(mode: int) -> str:
    return "100755" if mode & 0o111 else "100644"


def _quoted(name: str) -> str:
    """The name as git writes it: one with control characters, quotes or backslashes in quotes, with these escaped."""
    return f'"{_UNPLAIN.sub(_escaped, name)}"' if _UNPLAIN.search(name) else name


def _escaped(match: re.Match[str]) -> str:
    return f"\\{_ESCAPES.get(match[0]) or format(ord(match[0]), '03o')}"
