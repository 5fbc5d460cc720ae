"""Which parts of a patch are about one file, and which are about others.

--- a/src/a.py        with path="src/a.py" its own; without a path, the first file is meant
--- a/b.py            another's
--- a/lib/src/a.py    a rival: it may be meant by that path, too
"""

from __future__ import annotations

from collections.abc import Iterable

from streamparse.diff.same_path import likeness, names_in
from streamparse.diff.section import Section


class FileSections:
    """Takes the parts of a patch, one by one; `path` is the name by which the caller knows the file."""

    def __init__(self, path: str | None, own: Iterable[Section] = ()) -> None:
        self.path = path
        self.own = list(own)
        self.others: list[Section] = []
        #: Paths of several files that may be meant.
        self.rivals: dict[str, None] = {}
        #: Whether what comes now is about the file.
        self.is_own = True
        self._likeness = 0  # how well the names in its own parts are that of the file

    def add(self, section: Section) -> bool:
        """The next part; returns whether it is one more of the file's own."""
        degree = self._likeness_of(section)
        self.is_own = degree > 0 and degree >= self._likeness
        if not self.is_own:
            self.others.append(section)
            return False
        if degree > self._likeness and not any(own.has_hunks or own.is_deleted for own in self.own):
            self.others += self.own
            self.own = []
        if self.own and not self._is_of_same_file(section):
            self.rivals |= {self.own[0].path: None, section.path: None}
            return False
        self.own.append(section)
        self._likeness = degree
        return True

    @property
    def is_deleted(self) -> bool:
        """Whether the patch removes the file."""
        return any(section.is_deleted for section in self.own)

    @property
    def moved_to(self) -> str | None:
        """Where the patch moves it, if it does."""
        return next((section.moved_to for section in self.own if section.moved_to), None)

    @property
    def mode(self) -> int | None:
        """Its mode, if the patch says something about it."""
        return next((section.mode for section in reversed(self.own) if section.mode is not None), None)

    @property
    def perhaps_removed(self) -> str:
        """The name of a file that the patch removes, if that may be the file, but is not certain to be."""
        paths = (section.path for section in self.others if self._is_bare_removal(section))
        return next((path for path in paths if likeness(self.path or "", path)), "")

    @property
    def last(self) -> Section:
        """The one that is being read, or was last; an empty one if nothing names the file."""
        return self.own[-1] if self.own else Section()

    def _likeness_of(self, section: Section) -> int:
        """How well the file is the one that is meant; 0 if it is not. What is copied stays as it is.

        By the name that a part before has given to it, it is the same.
        """
        is_same = bool(self.own) and not section.is_copy and self._is_of_same_file(section)
        if self.path is None:
            return int(is_same or not (self.own or section.is_copy))
        if self._is_bare_removal(section):
            return 0  # some file of that name, and nothing of it to compare
        names = [section.path] if section.is_copy else [section.path, section.old_path]
        return max(is_same * self._likeness, *(likeness(self.path, name) for name in names))

    def _is_bare_removal(self, section: Section) -> bool:
        """Whether it removes a file, shows none of its lines, and names no folders, where the file has some."""
        is_bare = len(names_in(section.path)) == 1 < len(names_in(self.path or ""))
        return section.is_deleted and not section.has_hunks and is_bare

    def _is_of_same_file(self, section: Section) -> bool:
        return names_in(self.own[0].path) == names_in(section.path)
