"""Several files of a tree are changed together or not at all, also if the program is killed in the middle.

    with Journal.begin(root) as journal:                      another writer is refused; what one left behind is undone
        mark = journal.put(0, b"x = 2\\n", mode=0o644, like=status)
        journal.carry_out(Plan([Step("a.py", "a.py", mark_of(status), mark)], [], []))      all of it, or an error

The journal is the folder `.streamparse-journal` in the root. Nobody but its owner may read it, and in it are

    lock               a file that is locked while the writer lives
    0.new, 1.new, …    the new files, complete
    manifest           the plan; it appears in one step when all new files are on the disk
    0.old, 1.old, …    the old files, when their places are taken

While there is a manifest, the old tree is brought back: by the writer if something fails, or else by whoever opens the
tree next. The manifest is removed when everything is done, and with that the new tree is final. A journal without a
manifest is only swept away.

What is done, in this order: old files that go are moved into the journal, folders without files are removed, folders
are made, new files come to their places. It is undone the other way round. Whatever is undone already is left alone,
so that a program may also be killed while it undoes.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from streamparse.directory.folder import Folder, failure
from streamparse.directory.paths import JOURNAL, names_of
from streamparse.directory.planning import Mark, Plan, Step, mark_of
from streamparse.errors import TreeError

_MANIFEST = "manifest"
_DRAFT = "draft"
_LOCK = "lock"
#: Why a folder stays that was to go: git leaves it, too.
_IN_USE = {errno.ENOTEMPTY, errno.EEXIST, errno.EBUSY, errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM}
_SET_ID = stat.S_ISUID | stat.S_ISGID


@contextmanager
def telling(verb: str, path: str) -> Iterator[None]:
    """What is raised within becomes a TreeError that says which file it is about."""
    try:
        yield
    except TreeError as error:
        raise TreeError.about(verb, path, str(error)) from error
    except OSError as error:
        raise TreeError.about(verb, path, error.strerror or str(error)) from error


class Journal:
    """The journal of one writer; see the module."""

    def __init__(self, root: Folder, folder: Folder) -> None:
        self._root = root
        self._folder = folder

    @classmethod
    @contextmanager
    def begin(cls, root: Folder) -> Iterator[Self]:
        """An empty journal; raises BlockingIOError while another writer is at work."""
        while True:
            with suppress(FileExistsError):
                root.mkdir(JOURNAL, 0o700)
            with cls._locked(root) as journal:
                if journal is not None:
                    journal._recover()
                    try:
                        yield journal
                    finally:
                        journal._sweep()
                    return

    @classmethod
    def recover(cls, root: Folder) -> None:
        """Undo what a writer left behind that was killed. One that lives, or is another's, is not disturbed."""
        if root.status(JOURNAL) is not None:
            with suppress(BlockingIOError, PermissionError), cls._locked(root) as journal:
                if journal is not None:
                    journal._recover()
                    journal._sweep()

    @classmethod
    def check(cls, root: Folder) -> None:
        """Raises what `begin` would raise because of what is in the place of the journal."""
        if root.status(JOURNAL) is not None:
            with cls._locked(root):
                pass

    @classmethod
    @contextmanager
    def _locked(cls, root: Folder) -> Iterator[Self | None]:
        """The journal that is there; None if its writer has just finished."""
        try:
            folder = root.folder(JOURNAL)
        except FileNotFoundError:
            yield None
            return
        with folder:
            if not folder.is_private:  # nor is what its manifest says to be trusted
                raise PermissionError(errno.EPERM, f"{JOURNAL} was not made by this user, or not by this program")
            with folder.locked(_LOCK) as is_held:
                yield cls(root, folder) if is_held else None

    def _recover(self) -> None:
        if self._has_manifest:
            with telling("undo what is in", JOURNAL):
                self._undo(Plan.from_json(self._folder.read(_MANIFEST)[0]))
        self._clear()

    # --- what is done

    def put(self, number: int, data: bytes, mode: int, like: os.stat_result | None) -> Mark:
        """Write the new file of a step, with the owner of the one that it is `like`; without one, the mask counts."""
        name = _new(number)
        status = self._folder.create(name, data, mode if like is None else 0o600)
        if like is not None:
            # Who may not give files away may still choose among their own groups. This clears bits of the mode.
            for owner in (like.st_uid, -1):
                with suppress(OSError, AttributeError):
                    self._folder.set_owner(name, owner, like.st_gid)
                    break
            self._folder.set_mode(name, mode & ~_SET_ID)
        return mark_of(status)

    def carry_out(self, plan: Plan) -> None:
        """Do all of it. If it raises, nothing has been done; or else the message says what the next writer undoes."""
        try:
            self._folder.create(_DRAFT, plan.to_json(), 0o600)
            self._folder.move(_DRAFT, self._folder, _MANIFEST)
            self._folder.sync()
            self._root.sync()
            self._do(plan)
            self._sync(plan)
            self._folder.unlink(_MANIFEST)
        except BaseException:
            if self._has_manifest:
                self._roll_back(plan)
            raise
        self._settle()

    def _do(self, plan: Plan) -> None:
        steps = list(enumerate(plan.steps))
        for number, step in steps:
            if step.old is not None and not step.is_in_place:
                with telling("write", step.old), self._at(step.old) as (folder, name):
                    folder.move(name, self._folder, _old(number))
                    self._check_old(number, step)
        for path, _ in plan.emptied:
            self._remove_folder(path)
        for path in plan.made:
            with telling("make", path), self._at(path) as (folder, name), suppress(FileExistsError):
                folder.mkdir(name)
        for number, step in steps:
            if step.new is not None:
                with telling("write", step.new), self._at(step.new) as (folder, name):
                    self._place(number, step, folder, name)

    def _place(self, number: int, step: Step, folder: Folder, name: str) -> None:
        if step.is_in_place:
            try:
                folder.link(name, self._folder, _old(number))
            except OSError:  # there are no links here: for a moment there is no such file
                folder.move(name, self._folder, _old(number))
            self._check_old(number, step)
            self._folder.move(_new(number), folder, name)
            return
        try:
            self._folder.link(_new(number), folder, name)
        except FileExistsError:
            raise
        except OSError:
            if folder.status(name) is not None:
                raise failure(errno.EEXIST) from None
            self._folder.move(_new(number), folder, name)
        else:
            self._folder.unlink(_new(number))

    def _check_old(self, number: int, step: Step) -> None:
        status = self._folder.status(_old(number))
        if status is None or mark_of(status) != step.old_mark:
            raise TreeError("it has changed in the meantime")

    def _remove_folder(self, path: str) -> None:
        try:
            with self._at(path) as (folder, name):
                folder.rmdir(name)
        except OSError as error:
            if error.errno not in _IN_USE:
                raise

    # --- what is undone

    def _roll_back(self, plan: Plan) -> None:
        try:
            self._undo(plan)
        except (OSError, TreeError) as error:
            raise TreeError(
                f"the change failed half-way, and is undone when the tree is next opened: {error}"
            ) from error

    def _undo(self, plan: Plan) -> None:
        steps = list(enumerate(plan.steps))
        new_marks = {step.new_mark for step in plan.steps}
        for number, step in steps:
            self._check_untouched(number, step, new_marks)
        for number, step in steps:
            if step.is_in_place:
                self._put_back(number, step)
            else:
                self._take_away(step)
        for path in reversed(plan.made):
            self._remove_folder(path)
        for path, mode in reversed(plan.emptied):
            self._restore_folder(path, mode)
        for number, step in steps:
            self._put_back(number, step)
        self._sync(plan)
        self._folder.unlink(_MANIFEST)
        self._settle()

    def _check_untouched(self, number: int, step: Step, new_marks: set[Mark | None]) -> None:
        """Raises TreeError if undoing the step would lose what someone else has written since."""
        kept = self._folder.status(_old(number))
        if kept is not None and step.old is not None:
            now = self._root.find(names_of(step.old))
            is_free = now is None or stat.S_ISDIR(now.st_mode) or os.path.samestat(now, kept)
            if now is not None and not is_free and mark_of(now) not in new_marks:
                raise TreeError(f"{step.old} was changed by someone else; the old one is {JOURNAL}/{_old(number)}")
        if step.new is not None and step.new_mark is not None:
            now = self._root.find(names_of(step.new))
            if now is not None and now.st_ino == step.new_mark[0] and mark_of(now) != step.new_mark:
                raise TreeError(f"{step.new} was changed by someone else")

    def _take_away(self, step: Step) -> None:
        """Remove the new file, if it came to its place."""
        if step.new is not None:
            now = self._root.find(names_of(step.new))
            if now is not None and mark_of(now) == step.new_mark:
                with self._at(step.new) as (folder, name):
                    folder.unlink(name)

    def _put_back(self, number: int, step: Step) -> None:
        """Move the old file to its place, if it has been moved."""
        if step.old is not None and self._folder.status(_old(number)) is not None:
            with self._at(step.old) as (folder, name):
                self._folder.move(_old(number), folder, name)

    def _restore_folder(self, path: str, mode: int) -> None:
        with self._at(path) as (folder, name):
            if folder.status(name) is None:
                folder.mkdir(name, 0o700)
            with folder.folder(name) as restored:
                restored.set_own_mode(mode)

    # --- the journal itself

    @property
    def _has_manifest(self) -> bool:
        return self._folder.status(_MANIFEST) is not None

    def _settle(self) -> None:
        """The manifest is gone from the disk before the files are that it tells of."""
        with suppress(OSError):
            self._folder.sync()

    def _clear(self) -> None:
        for name in self._folder.names():
            if name != _LOCK:
                with suppress(OSError):
                    self._folder.unlink(name)

    def _sweep(self) -> None:
        """Remove the journal, unless there is something to be undone; what cannot be removed now is removed later."""
        with suppress(OSError):
            if not self._has_manifest:
                self._clear()
                with suppress(FileNotFoundError):
                    self._folder.unlink(_LOCK)
                self._root.rmdir(JOURNAL)

    def _sync(self, plan: Plan) -> None:
        """Have everything that came or went written to the disk."""
        for parent in {path.rpartition("/")[0] for path in plan.paths}:
            with (
                suppress(FileNotFoundError, NotADirectoryError),
                self._root.below(parent.split("/") if parent else []) as folder,
            ):
                folder.sync()

    @contextmanager
    def _at(self, path: str) -> Iterator[tuple[Folder, str]]:
        """The folder in which the path ends, and the last name."""
        *names, last = names_of(path)
        with self._root.below(names) as folder:
            yield folder, last


def _old(number: int) -> str:
    return f"{number}.old"


def _new(number: int) -> str:
    return f"{number}.new"
