"""Checkpoints: the files of a folder as they were before a model changed them, to look at and to go back to.

    checkpoints = Checkpoints(root)
    first = checkpoints.save("before write_file")
    …
    print(checkpoints.diff(first))            what has changed since
    checkpoints.restore(first)                everything is as it was

They are kept by git in a folder of their own, outside of the root, that nobody else may look into. The user's
repository, index and branch are not touched (`shadow_git.py`), and the root need not be a repository at all;
repositories within it are folders like others. What `.gitignore` names is left out, and so are files that are large or
cannot be read, and names that could be taken for `.git`; all these stay as they are when a checkpoint is restored. Who
saves or restores at the same time waits.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from attrs import field, frozen

from streamparse.directory.paths import is_reserved
from streamparse.workspace.shadow_git import CheckpointError, ShadowGit

#: Files with more bytes are left out.
LARGE = 2_000_000
#: How many checkpoints are kept, and for how many days.
KEEP, DAYS = 100, 7.0
#: With more single objects than these, git tidies up: not at each checkpoint, since it takes a while.
_LOOSE = 500
_REFS = "refs/checkpoints/"
#: Modes that files have by themselves, as far as git keeps them: others are kept beside it.
_USUAL = {0o644, 0o664, 0o755, 0o775}


@frozen
class Checkpoint:
    """The state of all files at one moment. `left_out` are those that were too large, or could not be read or kept."""

    id: str
    label: str
    time: float
    left_out: tuple[str, ...] = ()
    #: The modes of files that have other ones than most, by their paths.
    modes: dict[str, int] = field(factory=dict, repr=False, eq=False)


class Checkpoints:
    """The checkpoints of one folder. `store` is where they are kept: by default in the user's folder for caches.

    Files of more than `large` bytes are left out; the last `keep` checkpoints are kept, each for so many `days`.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        store: str | os.PathLike[str] | None = None,
        large: int = LARGE,
        keep: int = KEEP,
        days: float = DAYS,
    ) -> None:
        self._root = Path(root).resolve()
        store = (Path(store) if store is not None else _default_store(self._root)).resolve()
        self._large, self._keep, self._days = large, keep, days
        if keep < 1:
            raise ValueError(f"keep must be at least 1, not {keep}")
        if store.is_relative_to(self._root):
            raise ValueError(
                f"the checkpoints of {self._root} cannot be kept in it, at {store}: choose another store, or set "
                "XDG_CACHE_HOME to a folder elsewhere"
            )
        self._git = ShadowGit(self._root, store)

    def save(self, label: str = "") -> Checkpoint:
        """Keep all files as they are now."""
        with self._git.turn():
            saved = self._save(label)
            self._prune()
        return saved

    def list(self) -> list[Checkpoint]:
        """All checkpoints that are kept, the oldest first."""
        fields = "%(objectname) %(committerdate:unix) %(contents)"
        lines = self._git.run("for-each-ref", f"--format={fields}", "--sort=refname", _REFS).splitlines()
        return [_read(*line.split(" ", 2)) for line in lines if line]

    def diff(self, since: Checkpoint | str, until: Checkpoint | str | None = None) -> str:
        """What has changed, as a unified diff; without `until`, up to now."""
        with self._git.turn():
            end = self._write_tree()[0] if until is None else self._known(until).id
            quiet = ("--no-color", "--no-ext-diff", "--no-textconv")
            text = self._git.run("diff-tree", "-p", "-r", *quiet, self._known(since).id, end)
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    def restore(self, checkpoint: Checkpoint | str) -> Checkpoint:
        """Make all files as they were. What they are now is kept first, in the checkpoint that is returned.

        Raises CheckpointError, and changes nothing, if a file is in the way that no checkpoint has.
        """
        with self._git.turn():
            wanted = self._known(checkpoint)
            now = self._save("before a checkpoint was restored")
            self._bring_back(wanted, now)
            self._prune()
        return now

    # --- what is in a checkpoint

    def _save(self, label: str) -> Checkpoint:
        tree, left_out, modes = self._write_tree()
        label, moment = " ".join(label.split()), int(time.time())
        message = json.dumps({"label": label, "left_out": sorted(left_out), "modes": modes})
        commit = self._git.run("commit-tree", tree, input=message, date=moment).strip()
        self._git.run("update-ref", f"{_REFS}{time.time_ns():020}", commit)
        return _read(commit, str(moment), message)

    def _known(self, checkpoint: Checkpoint | str) -> Checkpoint:
        name = checkpoint.id if isinstance(checkpoint, Checkpoint) else checkpoint
        for known in self.list():
            if known.id == name:
                return known
        raise CheckpointError(f"there is no checkpoint {name!r}: it may have been pruned")

    def _write_tree(self) -> tuple[str, set[str], dict[str, int]]:
        """The files as a tree of git, those that are left out, and the modes that are not usual."""
        known = self._listed()
        kept, left_out, modes = self._look(known | self._others())
        self._git.run("update-index", "--add", "--remove", "--replace", "-z", "--stdin", input=_joined(kept))
        self._git.run("update-index", "--force-remove", "-z", "--stdin", input=_joined(known - kept))
        # Git passes over names that some file system could take for `.git`.
        return self._git.run("write-tree").strip(), left_out | (kept - self._listed()), modes

    def _listed(self) -> set[str]:
        """What was in the checkpoint before: it is kept even if it is ignored now."""
        return set(filter(None, self._git.run("ls-files", "-z").split("\0")))

    def _others(self) -> set[str]:
        """All files that are not ignored; in repositories within the folder as well, which are looked at one by one."""
        paths: set[str] = set()
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            listed = self._git.run("ls-files", "-z", "-o", "--exclude-standard", at=folder)
            for name in filter(None, listed.split("\0")):
                path = f"{folder}{name}"
                if name.endswith("/"):
                    waiting.append(path)
                else:
                    paths.add(path)
        return paths

    def _look(self, paths: Iterable[str]) -> tuple[set[str], set[str], dict[str, int]]:
        """Which of the paths are files that can be kept, which are left out, and modes."""
        kept: set[str] = set()
        left_out: set[str] = set()
        modes: dict[str, int] = {}
        folders: dict[str, bool] = {"": True}
        for path in paths:
            status = self._status(path, folders)
            if status is None or is_reserved(path.partition("/")[0]):  # what is being written now is nobody's file
                continue
            if stat.S_ISLNK(status.st_mode):
                kept.add(path)
            elif stat.S_ISREG(status.st_mode):
                mode = stat.S_IMODE(status.st_mode) & 0o777
                if status.st_size > self._large or not os.access(self._root / path, os.R_OK):
                    left_out.add(path)
                    continue
                kept.add(path)
                if mode not in _USUAL:
                    modes[path] = mode
        return kept, left_out, modes

    def _status(self, path: str, folders: dict[str, bool]) -> os.stat_result | None:
        """What `os.lstat` says; None if there is nothing, or only behind a link. `folders` are those seen before."""
        parent = path.rpartition("/")[0]
        if parent not in folders:
            status = self._status(parent, folders)
            folders[parent] = status is not None and stat.S_ISDIR(status.st_mode)
        try:
            return os.lstat(self._root / path) if folders[parent] else None
        except OSError:
            return None

    # --- going back

    def _bring_back(self, wanted: Checkpoint, now: Checkpoint) -> None:
        changes = self._git.run("diff-tree", "-r", "-z", "--no-renames", "--name-status", now.id, wanted.id).split("\0")
        left_out = {*now.left_out, *wanted.left_out}
        pairs = list(zip(changes[0::2], changes[1::2], strict=False))
        gone = {path for status, path in pairs if status == "D"} - left_out
        back = {path for status, path in pairs if status != "D"} - left_out
        for path in back:
            self._check_room(path, gone)
        for path in gone:
            self._remove(path)
        self._git.run("read-tree", wanted.id)
        self._git.run("checkout-index", "--force", "-z", "--stdin", input=_joined(back))
        for path in {*now.modes, *wanted.modes} - left_out:
            self._set_mode(path, wanted.modes.get(path))

    def _check_room(self, path: str, gone: set[str]) -> None:
        """Raises CheckpointError if something would have to go that is in no checkpoint."""
        names = path.split("/")
        for depth in range(1, len(names)):
            parent = "/".join(names[:depth])
            status = self._status(parent, {"": True})
            if status is not None and not stat.S_ISDIR(status.st_mode) and parent not in gone:
                raise CheckpointError(f"{parent} is in the way, and in no checkpoint: nothing was restored")
        for folder, folders, files in os.walk(self._root / path):
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            for name in (*files, *links):
                inner = os.path.relpath(os.path.join(folder, name), self._root)
                if inner not in gone:
                    raise CheckpointError(f"{inner} is in the way, and in no checkpoint: nothing was restored")

    def _remove(self, path: str) -> None:
        """Remove a file, and the folders that are empty without it."""
        target = self._root / path
        target.unlink(missing_ok=True)
        with suppress(OSError):
            while (target := target.parent) != self._root:
                target.rmdir()

    def _set_mode(self, path: str, mode: int | None) -> None:
        """Who may read a file, as it was: everyone, if it had a usual mode. Who may execute it git has said."""
        status = self._status(path, {"": True})
        if status is not None and stat.S_ISREG(status.st_mode):
            usual = 0o755 if status.st_mode & stat.S_IXUSR else 0o644
            os.chmod(self._root / path, usual if mode is None else mode)

    # --- what is kept

    def _prune(self) -> None:
        """Forget what is too old, or too many."""
        names = self._git.run("for-each-ref", "--format=%(refname) %(committerdate:unix)", "--sort=refname", _REFS)
        refs = [line.rpartition(" ") for line in names.splitlines()]
        oldest = time.time() - self._days * 86_400
        surplus = len(refs) - self._keep
        gone = [name for at, (name, _, moment) in enumerate(refs) if at < surplus or float(moment) < oldest]
        if gone:
            self._git.run("update-ref", "--stdin", input="".join(f"delete {name}\n" for name in gone))
            if int(self._git.run("count-objects").split()[0]) > _LOOSE:
                self._git.run("gc", "--quiet", "--prune=now")


def _read(commit: str, moment: str, message: str) -> Checkpoint:
    kept = json.loads(message)
    return Checkpoint(commit, kept["label"], float(moment), tuple(kept["left_out"]), kept["modes"])


def _joined(paths: Iterable[str]) -> str:
    return "".join(f"{path}\0" for path in sorted(paths))


def _default_store(root: Path) -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:24]
    return caches / "streamparse" / "checkpoints" / name
