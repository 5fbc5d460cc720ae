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

from streamparse.diff import FileChange, split_lines
from streamparse.diff.lines import ending_of
from streamparse.diff.patch_reader import NOWHERE

#: What git does not write as it is in the name of a file.
_UNPLAIN = re.compile(r'[\x00-\x1f\x7f"\\]')
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}


def headers(change: FileChange) -> str:
    """What git says of a file before its text."""
    old, new = change.path, change.moved_to or change.path
    lines = [f"diff --git {_quoted(f'a/{old}')} {_quoted(f'b/{new}')}"]
    if change.before is None:
        lines.append(f"new file mode {_git_mode(change.mode or 0)}")
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
    lines = difflib.unified_diff(split_lines(change.before or ""), split_lines(change.after or ""), old, new)
    return "".join(line if ending_of(line) else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _git_mode(mode: int) -> str:
    return "100755" if mode & 0o111 else "100644"


def _quoted(name: str) -> str:
    """The name as git writes it: one with control characters, quotes or backslashes in quotes, with these escaped."""
    return f'"{_UNPLAIN.sub(_escaped, name)}"' if _UNPLAIN.search(name) else name


def _escaped(match: re.Match[str]) -> str:
    return f"\\{_ESCAPES.get(match[0]) or format(ord(match[0]), '03o')}"
