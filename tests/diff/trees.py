"""Trees on the disk, for tests: what is in one, and writers that are stopped at any operation."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

#: What changes a disk. Reading, and closing what is open, is left to those that are killed.
OPERATIONS = ("mkdir", "rmdir", "open", "fsync", "replace", "link", "unlink", "chmod", "chown")


def fill(root: Path, files: dict[str, bytes]) -> Path:
    """Make the files, and their folders."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def look(root: Path) -> dict[str, Any]:
    """All that is in the tree: the bytes and modes of files, the targets of links, the modes of folders."""
    found: dict[str, Any] = {}
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = Path(folder, name)
            status = path.lstat()
            mode = stat.S_IMODE(status.st_mode)
            if path.is_symlink():
                found[str(path.relative_to(root))] = os.readlink(path)
            elif stat.S_ISREG(status.st_mode):
                found[str(path.relative_to(root))] = path.read_bytes(), mode
            else:
                found[str(path.relative_to(root))] = stat.S_IFMT(status.st_mode), mode
    return found


class Killed(BaseException):
    """The program is no more."""


@contextmanager
def interposed(happens: Callable[[str], None]) -> Iterator[None]:
    """Before each operation on the disk, something happens."""

    def before(name: str) -> Callable[..., Any]:
        operation = getattr(os, name)

        def call(*arguments: Any, **options: Any) -> Any:
            if name != "open" or arguments[1] & os.O_CREAT:
                happens(name)
            return operation(*arguments, **options)

        return call

    with patch.multiple(os, **{name: before(name) for name in OPERATIONS}):
        yield


def killer(number: int) -> Callable[[str], None]:
    """The program is killed before its operation of that number, from 0."""
    count = iter(range(10_000))

    def happens(_: str) -> None:
        if next(count) >= number:
            raise Killed

    return happens


def saboteur(number: int, error: BaseException) -> Callable[[str], None]:
    """That operation fails, and the others do not."""
    count = iter(range(10_000))

    def happens(_: str) -> None:
        if next(count) == number:
            raise error

    return happens
