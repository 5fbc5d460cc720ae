"""Root: the folder that the tools work in. Paths begin in it, and none leads out.

    root = Root("project")
    with root.telling(), root.open() as folder:         what is raised within becomes a ToolError, for the model
        folder.find(root.names("src/a.py"))

Models and people are told of files by their paths in the root, never by where the root lies.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamparse.directory.folder import Folder
from streamparse.directory.journal import telling
from streamparse.directory.paths import names_of
from streamparse.errors import TreeError
from streamparse.presenter.printable import printable
from streamparse.presenter.tool import ToolError


class Root:
    """See the module."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).resolve()

    def open(self) -> Folder:
        """The folder itself."""
        return Folder.at(str(self.path))

    def names(self, path: str) -> list[str]:
        """The names that lead to a file or a folder; none for the root itself."""
        plain = path.rstrip("/") if path.strip("/") else path
        return [] if plain in ("", ".") else names_of(plain)

    def status(self, names: list[str]) -> os.stat_result | None:
        """What `os.lstat` says of a path; None if there is nothing. Raises TreeError for a link, or behind one."""
        with telling("read", "/".join(names)), self.open() as folder:
            status = folder.find(names)
            if status is not None and stat.S_ISLNK(status.st_mode):
                raise TreeError("it is a symbolic link, and no path leads through one")
            return status

    @contextmanager
    def telling(self) -> Iterator[None]:
        """What is raised within is told to the model."""
        try:
            yield
        except TreeError as error:
            raise ToolError(printable(str(error).replace(str(self.path), "the root"))) from error
        except OSError as error:
            raise ToolError(f"cannot read the root: {error.strerror}") from error
