"""Texts: the text files under a root, as a tree that a diff can be applied to.

    texts = Texts("project")
    texts.read("src/a.py")             its text, or None if there is no such file; raises TreeError

Files are reached as `streamparse.directory.directory` reaches them: no path leads out of the root, and none through a
symbolic link. What is binary, or has more than `LARGEST` bytes, is no text.
"""

from __future__ import annotations

import os

from streamparse.directory.directory import Directory
from streamparse.errors import TreeError
from streamparse.workspace.root import Root

#: Files with more bytes are neither read nor changed.
LARGEST = 100_000_000


class Texts:
    """The texts under `root`: `read` one, list all `paths`, `write` changes, all of them or none."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Root(root)
        self._directory = Directory(self.root.path)
        self.paths = self._directory.paths
        self.write = self._directory.write

    def read(self, path: str) -> str | None:
        """The text of the file; None if there is none. Raises TreeError if it is no text, or not in the root."""
        status = self.root.status(self.root.names(path) or [path])
        if status is not None and status.st_size > LARGEST:
            raise TreeError(f"cannot read {path}: it has {status.st_size} bytes, more than {LARGEST}; use a command")
        text = self._directory.read(path)
        if text is not None and "\0" in text:
            raise TreeError(f"cannot read {path}: it is a binary file")
        return text
