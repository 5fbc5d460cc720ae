"""Whether a block that is applied to a single file stands below the path of another.

server.py                   with path="src/server.py", or without a path: the file that is edited
------- SEARCH
...
client.py                   another one: its block fails
------- SEARCH
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from streamparse.diff.file_names import NO_NAMES, FileNames, Names
from streamparse.diff.markers import text_behind
from streamparse.diff.name_forms import is_file_name, is_word_of, may_be_made
from streamparse.diff.same_path import same_path


class BlockPaths:
    """Takes the lines between blocks; `path` is that of the file, or else the first that stands before a block is.

    A word in backticks that `original` has is no name of a file.
    """

    def __init__(self, path: str | None, original: str) -> None:
        self._is_known = path is not None
        self._reader = FileNames(is_word=partial(is_word_of, original))
        #: What named the file so far. Where a line may be read as several names, these are kept together.
        self._paths: dict[tuple[str, ...], None] = {} if path is None else {(path,): None}
        self._before_loose = NO_NAMES

    def add(self, line: str) -> None:
        """The next line."""
        self._reader.add(line)

    def hold(self) -> None:
        """What comes may be a block; if it is one, `other_of_loose` is asked."""
        self._before_loose = self._reader.take()

    def other(self) -> tuple[str, str] | None:
        """A block begins: the path before it, and that of the file, if these are of two files."""
        return self._other(self._reader.take())

    def other_of_loose(self, first: str) -> tuple[str, str] | None:
        """The same of a block before which `hold` was called; `first` is its start marker."""
        return self._other(self._before_loose) or self._other(names_in_marker(first))

    def _other(self, before: Names) -> tuple[str, str] | None:
        if before is NO_NAMES:
            return None
        names = before.own + before.either + before.announced
        if not self._is_known:  # to be compared with the next, a name must look like nothing else
            names = tuple(filter(is_file_name, names))
        if names:
            if path := self._unlike(names):
                return names[0], path
            self._paths[names] = None
        elif self._is_known and before.marked and (path := self._unlike(before.missing + before.marked)):
            return next(filter(may_be_made, before.marked)), path
        return None

    def _unlike(self, names: Sequence[str]) -> str:
        """The path of the file, if none of these names can mean it; empty if one can."""
        unlike = (paths for paths in self._paths if not any(same_path(name, path) for name in names for path in paths))
        return next(unlike, ("",))[0]


def names_in_marker(line: str, reader: FileNames | None = None) -> Names:
    """The path in a line such as `<<<<<<< SEARCH src/a.py`, if what stands there looks like one to the reader."""
    reader = reader or FileNames()
    reader.add(text_behind(line))
    return reader.take()
