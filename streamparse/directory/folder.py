"""A folder that is open: everything in it is reached by a single name, and nothing by a symbolic link.

    with Folder.at(root) as folder, folder.below(["src", "lib"]) as lib:
        data, status = lib.read("a.py")

Where the system has descriptors of folders, a folder stays the one that was opened, whatever is put in its place
meanwhile. Elsewhere each folder on the way is looked at before it is used.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Self

from streamparse.errors import TreeError

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]

#: Whether folders have descriptors, and names are looked up in them.
HAS_DESCRIPTORS = os.open in os.supports_dir_fd

#: No link is followed, a pipe is not waited for, and no other program inherits what is open.
_CAREFUL = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
#: Whether a second name of a symbolic link can only be one of the file it points to.
_LINK_FOLLOWS = os.link not in os.supports_follow_symlinks
_FOLDER = os.O_RDONLY | _CAREFUL | getattr(os, "O_DIRECTORY", 0)


def failure(number: int) -> OSError:
    """The error that the system would have raised."""
    return OSError(number, os.strerror(number))


class Folder:
    """See the module. Its methods are those of `os`, by name in this folder; close it, or use it with `with`."""

    __slots__ = ("_descriptor", "_path")

    def __init__(self, path: str, descriptor: int | None) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: str) -> Self:
        """The folder at a path of the user's, who may have linked to it."""
        if not HAS_DESCRIPTORS:
            os.listdir(path)  # raises unless it is a folder
            return cls(path, None)
        return cls(path, os.open(path, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    @property
    def is_private(self) -> bool:
        """Whether nobody but this user can have put anything into it; without descriptors that is taken for granted."""
        if self._descriptor is None:
            return True
        status = os.fstat(self._descriptor)
        return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)

    @contextmanager
    def locked(self, name: str) -> Iterator[bool]:
        """Keep it from others who lock it, by a file of that name; raises BlockingIOError if one of them has it.

        False if the one who had it has just removed it.
        """
        if fcntl is None:  # Windows: that there is one writer at a time is up to the user
            yield True
            return
        try:
            lock = os.open(self._name(name), os.O_RDWR | os.O_CREAT | _CAREFUL, 0o600, dir_fd=self._descriptor)
        except FileNotFoundError:
            yield False
            return
        with open(lock, "rb"):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            status = self.status(name)
            yield status is not None and os.path.samestat(status, os.fstat(lock))

    def folder(self, name: str) -> Folder:
        """A folder in this one. Raises TreeError for links and special files, FileNotFoundError, NotADirectoryError."""
        status = self.status(name)
        if status is not None and stat.S_ISLNK(status.st_mode):
            raise TreeError(f"{name} is a symbolic link, and no path leads through one")
        if status is not None and not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
            raise TreeError(f"{name} is neither a folder nor a regular file")  # which may make way for a folder
        if self._descriptor is not None:
            return Folder(self._join(name), os.open(name, _FOLDER, dir_fd=self._descriptor))
        if status is None:
            raise failure(errno.ENOENT)
        if not stat.S_ISDIR(status.st_mode):
            raise failure(errno.ENOTDIR)
        return Folder(self._join(name), None)

    @contextmanager
    def below(self, names: Sequence[str]) -> Iterator[Folder]:
        """The folder to which the names lead."""
        with ExitStack() as stack:
            folder = self
            for name in names:
                folder = stack.enter_context(folder.folder(name))
            yield folder

    def names(self) -> list[str]:
        """What is in it."""
        return os.listdir(self._path if self._descriptor is None else self._descriptor)

    def status(self, name: str) -> os.stat_result | None:
        """What `os.lstat` says; None if there is nothing of that name."""
        try:
            return os.lstat(self._name(name), dir_fd=self._descriptor)
        except FileNotFoundError:
            return None

    def find(self, names: Sequence[str]) -> os.stat_result | None:
        """The status of that to which the names lead; None if there is nothing."""
        try:
            with self.below(names[:-1]) as folder:
                return folder.status(names[-1])
        except (FileNotFoundError, NotADirectoryError):
            return None

    def read(self, name: str, access: int = os.O_RDONLY) -> tuple[bytes, os.stat_result]:
        """The bytes of a regular file, opened for `access`, and its status; raises OSError, or TreeError for others."""
        if (before := self.status(name)) is not None:
            self._check_regular(name, before)  # to open a device may do something
        with open(os.open(self._name(name), access | _CAREFUL, dir_fd=self._descriptor), "rb") as file:
            status = os.fstat(file.fileno())
            self._check_regular(name, status)
            return file.read(), status

    def create(self, name: str, data: bytes, mode: int) -> os.stat_result:
        """Make a file that was not there, and have it written to the disk; the process's mask counts for the mode."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFUL
        with open(os.open(self._name(name), flags, mode, dir_fd=self._descriptor), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            return os.fstat(file.fileno())

    def set_mode(self, name: str, mode: int) -> None:
        """For what is known to be no link."""
        os.chmod(self._name(name), mode, dir_fd=self._descriptor)

    def set_own_mode(self, mode: int) -> None:
        """The mode of this folder."""
        os.chmod(self._path if self._descriptor is None else self._descriptor, mode)

    def set_owner(self, name: str, owner: int, group: int) -> None:
        """For what is known to be no link."""
        os.chown(self._name(name), owner, group, dir_fd=self._descriptor)

    def move(self, name: str, target: Folder, new_name: str) -> None:
        """In one step; what had that name before is gone."""
        os.replace(self._name(name), target._name(new_name), src_dir_fd=self._descriptor, dst_dir_fd=target._descriptor)

    def link(self, name: str, target: Folder, new_name: str) -> None:
        """One more name for the file, or for a link itself; raises FileExistsError if there is such a name."""
        os.link(
            self._name(name),
            target._name(new_name),
            src_dir_fd=self._descriptor,
            dst_dir_fd=target._descriptor,
            follow_symlinks=_LINK_FOLLOWS,
        )

    def unlink(self, name: str) -> None:
        """Remove a file."""
        os.unlink(self._name(name), dir_fd=self._descriptor)

    def mkdir(self, name: str, mode: int = 0o777) -> None:
        """Make a folder."""
        os.mkdir(self._name(name), mode, dir_fd=self._descriptor)

    def rmdir(self, name: str) -> None:
        """Remove an empty folder."""
        os.rmdir(self._name(name), dir_fd=self._descriptor)

    def sync(self) -> None:
        """Have its names written to the disk."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)

    def _check_regular(self, name: str, status: os.stat_result) -> None:
        if stat.S_ISLNK(status.st_mode):
            raise TreeError(f"it is a symbolic link to {self._target_of(name)}: edit that file instead")
        if not stat.S_ISREG(status.st_mode):
            raise TreeError("it is not a regular file")

    def _target_of(self, name: str) -> str:
        return os.readlink(self._name(name), dir_fd=self._descriptor)

    def _name(self, name: str) -> str:
        return name if self._descriptor is not None else self._join(name)

    def _join(self, name: str) -> str:
        return os.path.join(self._path, name)
