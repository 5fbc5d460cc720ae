"""Where the texts of a tree come from, and go to: four kinds of trees, read and written alike.

{"src/a.py": "x = 1\\n"}                 a mapping, which is written if it can be changed
lambda path: texts.get(path)            a callable, which is only read: None is no file
"/home/me/project"                      a directory (`directory.py`)
an object with `read`                   a `Tree` of one's own, which is written if it is a `WritableTree`
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Protocol, TypeAlias, runtime_checkable

from streamparse.directory.directory import Directory
from streamparse.directory.file_change import FileChange
from streamparse.directory.paths import check_path, parents_of
from streamparse.errors import TreeError


@runtime_checkable
class Tree(Protocol):
    """Texts by their paths, which are relative, with `/` between their names."""

    def read(self, path: str) -> str | None:
        """The text of the file; None if there is none. A StreamparseError says why the path is no good."""


@runtime_checkable
class WritableTree(Tree, Protocol):
    """A tree that can be changed."""

    def write(self, changes: Sequence[FileChange]) -> None:
        """All of the changes, or none and an error."""


@runtime_checkable
class ListedTree(Tree, Protocol):
    """A tree that knows its paths, so that a name which is nearly right can be found among them."""

    def paths(self) -> Iterable[str]:
        """The paths of all files."""


@runtime_checkable
class ModedTree(Tree, Protocol):
    """A tree that knows modes, which go with a file that is copied or moved."""

    def is_executable(self, path: str) -> bool:
        """Whether the file, which can be read, may be executed."""


@runtime_checkable
class EncodedTree(Tree, Protocol):
    """A tree whose files are written in encodings, which need not have every character."""

    def check(self, change: FileChange) -> None:
        """Raises a StreamparseError if the new text cannot be written."""


TreeLike: TypeAlias = str | os.PathLike[str] | Mapping[str, str] | Callable[[str], str | None] | Tree


def tree_of(source: TreeLike) -> Tree:
    """The tree that is meant by a directory, a mapping or a callable; one that can be read is that itself."""
    if isinstance(source, str | os.PathLike):
        return Directory(source)
    if isinstance(source, Mapping):
        for path in source:
            check_path(path)
        return _MutableTexts(source) if isinstance(source, MutableMapping) else _Texts(source)
    if isinstance(source, Tree):
        return source
    if callable(source):
        return _Called(source)
    kind = type(source).__name__
    raise TypeError(f"the tree must be a directory, a mapping, a callable or an object with `read`, not {kind}")


def writable(tree: Tree) -> WritableTree:
    """The same tree; raises TypeError if it is only read."""
    if not isinstance(tree, WritableTree):
        raise TypeError("this tree can only be read: give a directory or a mapping that can be changed, or write=False")
    return tree


class _Called:
    def __init__(self, read: Callable[[str], str | None]) -> None:
        self.read = read


class _Texts:
    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def read(self, path: str) -> str | None:
        text = self._texts.get(path)
        if text is None and path in self._folders:
            raise TreeError(f"cannot read {path}: it is a folder")
        return text

    @cached_property
    def _folders(self) -> frozenset[str]:
        """The paths that have others below them, when the tree was first asked for one that is no file."""
        return frozenset(chain.from_iterable(map(parents_of, self._texts)))

    def paths(self) -> Iterable[str]:
        return self._texts


class _MutableTexts(_Texts):
    _texts: MutableMapping[str, str]

    def write(self, changes: Sequence[FileChange]) -> None:
        # What one file leaves may be the place of another.
        after: dict[str, str | None] = {change.path: None for change in changes}
        after |= {change.moved_to or change.path: change.after for change in changes if change.after is not None}
        before = {path: self._texts.get(path) for path in after}
        try:
            self._put(after)
        except BaseException:
            self._put(before)
            raise

    def _put(self, texts: Mapping[str, str | None]) -> None:
        for path, text in texts.items():
            if text is not None:
                self._texts[path] = text
            elif path in self._texts:
                del self._texts[path]
