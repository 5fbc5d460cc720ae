"""A tree of files on the disk: its texts are read one by one and written together, all or none.

    directory = Directory("project")
    before = directory.read("src/a.py")                                      None if there is no such file
    directory.write([FileChange("src/a.py", before, before.upper())])        raises TreeError if anything is in the way

Paths are those of the tree (`paths.py`): none leads out of it, through a symbolic link, or into `.git`. A link to a
file is refused with the path it points to, so that a file has one name; special files are refused, too. A file keeps
its encoding (`encoding.py`), its line ends, owner, group and mode, but not the bits that lend the rights of its owner.
Other hard links to a changed file keep the old text, as with git.

Everything is checked before anything is changed: every file still is what was read, and nothing is where a file is to
be made. `journal.py` then makes the change. When a tree is opened, a change that was interrupted is undone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from streamparse.directory.encoding import UTF_8, Encoding, decode, encoding_named
from streamparse.directory.file_change import FileChange
from streamparse.directory.folder import Folder
from streamparse.directory.journal import Journal, telling
from streamparse.directory.paths import is_reserved, names_of
from streamparse.directory.planning import Step, mark_of, plan_for
from streamparse.errors import TreeError


@frozen
class _File:
    """A file as it is now."""

    status: os.stat_result
    text: str
    encoding: Encoding


class Directory:
    """The files under `root`; with `encoding`, all of them are written in that."""

    def __init__(self, root: str | os.PathLike[str], *, encoding: str | None = None) -> None:
        self._path = os.path.abspath(root)
        self._told = os.fspath(root)
        self._encoding = encoding_named(encoding)
        with telling("open", self._told), Folder.at(self._path) as folder:
            Journal.recover(folder)

    def read(self, path: str) -> str | None:
        """The text of the file; None if there is none. Raises TreeError if it cannot be read, or is not in the tree."""
        file = self._file(path)
        return None if file is None else file.text

    def paths(self) -> Iterator[str]:
        """The paths of all files, sorted within each folder; links and what is in `.git` are left out."""
        for folder, folders, files in os.walk(self._path):
            folders[:] = sorted(name for name in folders if not is_reserved(name))
            for name in sorted(files):
                full = os.path.join(folder, name)
                if os.path.isfile(full) and not os.path.islink(full) and not is_reserved(name):
                    yield os.path.relpath(full, self._path).replace(os.sep, "/")

    def is_executable(self, path: str) -> bool:
        """Whether there is a file that its owner may execute; raises TreeError as `read` does."""
        names = names_of(path)
        with telling("read", path), Folder.at(self._path) as root:
            status = root.find(names)
            return status is not None and bool(status.st_mode & stat.S_IXUSR)

    def encoding_of(self, path: str) -> Encoding:
        """The encoding in which the file is written, or will be if there is none; raises TreeError as `read` does."""
        file = self._file(path)
        return self._new_encoding if file is None else file.encoding

    def check(self, change: FileChange) -> None:
        """Raises TreeError if the encoding in which the new text would be written does not have all of it.

        Nothing is written; what else may be in the way of the change is seen by `write`.
        """
        if change.after is not None:
            origin = change.copied_from or (None if change.before is None else change.path)
            with telling("write", change.path), Folder.at(self._path) as root:
                source = None if origin is None else self._read(root, names_of(origin))
                self._encoded(change.after, source)

    def write(self, changes: Sequence[FileChange]) -> None:
        """Make all changes, or none; raises TreeError if one of them cannot be made."""
        if not isinstance(changes, Sequence) or not all(isinstance(change, FileChange) for change in changes):
            raise TypeError(f"changes must be a list of FileChange, not {changes!r:.80}")
        for change in changes:
            names_of(change.path)
            names_of(change.moved_to or change.path)
        with self._writing() as root, Journal.begin(root) as journal:
            steps: list[Step] = []
            for change in changes:
                with telling("write", change.path):
                    steps += self._prepared(root, journal, change, len(steps))
            if steps:
                journal.carry_out(plan_for(root, steps))

    def check_journal(self) -> None:
        """Raises TreeError if nothing can be written, because of what has the name of the journal or is at work."""
        with self._writing() as root:
            Journal.check(root)

    @contextmanager
    def _writing(self) -> Iterator[Folder]:
        """The root; what is raised within becomes a TreeError that says where nothing is written."""
        try:
            with Folder.at(self._path) as root:
                yield root
        except OSError as error:
            is_locked = isinstance(error, BlockingIOError)
            reason = "another program is writing to it" if is_locked else error.strerror or str(error)
            raise TreeError.about("write to", self._told, reason) from error

    def _file(self, path: str) -> _File | None:
        names = names_of(path)
        with telling("read", path), Folder.at(self._path) as root:
            return self._read(root, names)

    def _read(self, root: Folder, names: Sequence[str], access: int = os.O_RDONLY) -> _File | None:
        *parents, name = names
        try:
            with root.below(parents) as folder:
                data, status = folder.read(name, access)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _File(status, *decode(data, self._encoding))

    def _prepared(self, root: Folder, journal: Journal, change: FileChange, number: int) -> list[Step]:
        """The step that makes the change, its new file written; none if everything is as it should be already."""
        names = names_of(change.path)
        # That there is nothing where a file is to be made is seen when it is known what goes.
        file = None if change.before is None else self._read(root, names, os.O_RDWR)
        if (None if file is None else file.text) != change.before:
            raise TreeError("it has changed in the meantime")
        old = None if file is None else "/".join(names)
        new = None if change.after is None else "/".join(names_of(change.moved_to or change.path))
        mode = _mode(file, change.mode)
        if old == new and (file is None or (file.text == change.after and mode == _mode(file, None))):
            return []
        new_mark = None
        if change.after is not None:
            copied = change.copied_from
            source = file if copied is None else self._read(root, names_of(copied))
            data = self._encoded(change.after, source)
            new_mark = journal.put(number, data, mode, None if file is None else file.status)
        return [Step(old, new, None if file is None else mark_of(file.status), new_mark)]

    def _encoded(self, text: str, source: _File | None) -> bytes:
        """The bytes of a text that was made of that file, or of none."""
        return self._new_encoding.encode(text) if source is None else source.encoding.encode(text, source.text)

    @property
    def _new_encoding(self) -> Encoding:
        return self._encoding or UTF_8


def _mode(file: _File | None, wanted: int | None) -> int:
    """The mode of the new file. A diff only says whether it may be executed: by those who may read it."""
    if file is None:
        return 0o666 | (wanted or 0) & 0o111
    mode = stat.S_IMODE(file.status.st_mode)
    if wanted is None:
        return mode
    return mode | (mode & 0o444) >> 2 if wanted & 0o111 else mode & ~0o111
