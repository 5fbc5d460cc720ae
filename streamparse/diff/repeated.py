"""Edits that an earlier block or hunk of the diff has made, or has made possible.

a -> b, a -> b          the same edit given twice, literally: it is made once, and the second is nothing to be done
a -> b, b -> c          the second is for what the first writes, but both are matched against the file as it was
"""

from __future__ import annotations

from collections.abc import Hashable

from streamparse.diff.change import Change
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import bodies_of, is_blank, trim_all


class MadeEdits:
    """The edits that were made to one file by some parts of the diff."""

    def __init__(self) -> None:
        self._unread: list[Change] = []  # those whose keys nobody has asked for: most diffs have one part for a file
        self._keys: set[Hashable] = set()

    def add(self, change: Change) -> None:
        """One more."""
        self._unread.append(change)

    def have(self, change: Change) -> bool:
        """Whether an equal one is among them."""
        if self._unread:
            self._keys.update(one.key for one in self._unread)
            self._unread = []
        return bool(self._keys) and change.key in self._keys

    def are_there(self, index: FileIndex, change: Change) -> bool:
        """Whether an equal edit was made by an earlier part, and the file still has what it wrote."""
        return self.have(change) and _is_written(index, change)

    def are_all(self, index: FileIndex, change: Change) -> bool:
        """Whether an equal edit was made by an earlier part, and the file has nothing but what it wrote."""
        return self.have(change) and bodies_of(index.lines) == change.new_lines


def _is_written(index: FileIndex, change: Change) -> bool:
    new = trim_all(change.new_lines)
    return not new or bool(index.trimmed.places(new))


def repeats(index: FileIndex, change: Change, earlier: Change, places: int = 1) -> bool:
    """Whether it is the earlier edit once more, and no place is left that it may be for.

    `places` is how many there are, all of them taken. If the old lines are elsewhere, too, but for their indentation,
    or where another number would put them, that may be the place of the second.
    """
    return change.key == earlier.key and len(index.trimmed.places(trim_all(change.old))) <= places


def without_repeated(index: FileIndex, changes: list[Change], places: int) -> list[Change]:
    """So many of them as there are places, if the others only repeat these in the same order; else all."""
    pairs = zip(changes[places:], changes, strict=False)
    return changes[:places] if places and all(repeats(index, *pair, places) for pair in pairs) else changes


class Writers:
    """Which change has written a line, read when somebody asks for it."""

    def __init__(self) -> None:
        self._unread: list[Change] = []
        self._writers: dict[str, Change] = {}

    def add(self, change: Change) -> None:
        """One more."""
        self._unread.append(change)

    def of(self, index: FileIndex, asking: Change) -> tuple[str, Change] | None:
        """The first of its old lines that the file does not have and an earlier change writes, with that change."""
        if index.hints.left <= 0:
            return None  # nothing more is said about what is not found
        for change in self._unread:
            old = set(trim_all(change.old))
            for line in trim_all(change.new_lines):
                if line not in old:
                    self._writers.setdefault(line, change)
        self._unread = []
        found = ((line, self._writers.get(line.strip())) for line in asking.old if not is_blank(line))
        return next(((line, one) for line, one in found if one and not index.trimmed.places(trim_all([line]))), None)
