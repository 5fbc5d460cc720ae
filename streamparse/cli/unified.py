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

from attrs import frozen

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
#: So many lines of long texts are looked at together; so many must be equal where these meet again; and so far apart
#: are the places that are tried for that.
_MANY = 128
_FEW = 3
_WINDOWS = (64, 512, 4096)


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
    return PackedLines(text) if len(text) > LARGE else split_lines(text)


def _compare(before: Sequence[str], after: Sequence[str], old: str, new: str) -> Iterator[str]:
    """The lines of the diff."""
    if len(before) * len(after) <= _MOST_COMPARED:
        yield from difflib.unified_diff(before, after, old, new)
        return
    header = [f"--- {old}\n", f"+++ {new}\n"]
    for hunk in _hunks(_changes(before, after)):
        yield from header
        header, first, last = [], hunk[0], hunk[-1]
        more = min(first.before.start, _CONTEXT), min(len(before) - last.before.stop, _CONTEXT)
        ours = range(first.before.start - more[0], last.before.stop + more[1])
        theirs = range(first.after.start - more[0], last.after.stop + more[1])
        yield f"@@ -{_told(ours)} +{_told(theirs)} @@\n"
        at = ours.start
        for change in hunk:
            yield from (f" {line}" for line in before[at : change.before.start])
            yield from (f"-{line}" for line in before[change.before.start : change.before.stop])
            yield from (f"+{line}" for line in after[change.after.start : change.after.stop])
            at = change.before.stop
        yield from (f" {line}" for line in before[at : ours.stop])


@frozen
class _Change:
    """Lines of the one text that are others in the other one."""

    before: range
    after: range


def _hunks(changes: Iterable[_Change]) -> Iterator[list[_Change]]:
    """Those between which there are only so many equal lines that these are context of both."""
    hunk: list[_Change] = []
    for change in changes:
        if hunk and change.before.start - hunk[-1].before.stop > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[_Change]:
    """What differs, from the first line on: behind each difference, the next lines that are equal are looked for."""
    one, other = 0, 0
    while (equal := _count_equal(before, one, after, other)) is not None:
        one, other = one + equal, other + equal
        ours, theirs = _next_difference(before, one, after, other)
        blocks = [(0, len(ours), 0, len(theirs))]
        if len(ours) * len(theirs) <= _MOST_COMPARED:
            found = difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
            blocks = [(start, end, first, last) for kind, start, end, first, last in found if kind != "equal"]
        for start, end, first, last in blocks:
            yield _Change(range(one + start, one + end), range(other + first, other + last))
        one, other = one + len(ours), other + len(theirs)


def _count_equal(before: Sequence[str], one: int, after: Sequence[str], other: int) -> int | None:
    """How many lines are equal from these on; None if all are."""
    count = 0
    while True:
        ours, theirs = (lines[at + count : at + count + _MANY] for lines, at in ((before, one), (after, other)))
        if ours != theirs:
            return count + next(
                (at for at, (line, found) in enumerate(zip(ours, theirs, strict=False)) if line != found),
                min(len(ours), len(theirs)),
            )
        if not ours:
            return None
        count += len(ours)


def _next_difference(
    before: Sequence[str], one: int, after: Sequence[str], other: int
) -> tuple[Sequence[str], Sequence[str]]:
    """The lines from these on up to the next that are equal: all that are left, if too many are not."""
    for size in _WINDOWS:
        ours, theirs = before[one : one + size], after[other : other + size]
        if (met := _meeting(ours, theirs)) is not None:
            return ours[: met[0]], theirs[: met[1]]
    return before[one:], after[other:]


def _meeting(ours: Sequence[str], theirs: Sequence[str]) -> tuple[int, int] | None:
    """Behind how few lines of both the same ones follow, several of them."""
    places: dict[str, list[int]] = {}
    for at, line in enumerate(theirs):
        if len(found := places.setdefault(line, [])) < _FEW:
            found.append(at)
    best: tuple[int, int] | None = None
    for at, line in enumerate(ours):
        if best is not None and at >= sum(best):
            break
        for place in places.get(line, ()):
            is_nearer = best is None or at + place < sum(best)
            if is_nearer and ours[at : at + _FEW] == theirs[place : place + _FEW]:
                best = at, place
    return best


def _told(lines: range) -> str:
    """A range of lines as it is written behind `@@`."""
    if len(lines) == 1:
        return f"{lines.start + 1}"
    return f"{lines.start + (len(lines) > 0)},{len(lines)}"


def _git_mode(mode: int) -> str:
    return "100755" if mode & 0o111 else "100644"


def _quoted(name: str) -> str:
    """The name as git writes it: one with control characters, quotes or backslashes in quotes, with these escaped."""
    return f'"{_UNPLAIN.sub(_escaped, name)}"' if _UNPLAIN.search(name) else name


def _escaped(match: re.Match[str]) -> str:
    return f"\\{_ESCAPES.get(match[0]) or format(ord(match[0]), '03o')}"
