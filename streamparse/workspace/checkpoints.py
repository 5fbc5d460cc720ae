"""Checkpoints: the files of a folder as they were before a model changed them, to look at and to go back to.

    checkpoints = Checkpoints(root)
    first = checkpoints.save("before write_file")
    …
    print(checkpoints.diff(first))            what has changed since
    checkpoints.restore(first)                everything is as it was

They are kept by git in a folder of their own, outside of the root. The user's repository, index and branch are not
touched, and the root need not be a repository at all. What `.gitignore` names is left out, and so are large files; both
stay as they are when a checkpoint is restored. Neither hooks nor filters of the user are run.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from streamparse.errors import StreamparseError

#: Files with more bytes are left out.
LARGE = 2_000_000
#: How many checkpoints are kept, and for how many days.
KEEP, DAYS = 100, 7
_REFS = "refs/checkpoints/"
_SETTINGS = ("core.hooksPath=/dev/null", "core.autocrlf=false", "core.fsmonitor=false", "core.quotePath=false",
             "core.untrackedCache=false", "commit.gpgSign=false", "gc.auto=0")  # fmt: skip
_WHO = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "streamparse"), ("EMAIL", "checkpoints@localhost"))
}


class CheckpointError(StreamparseError):
    """A checkpoint could not be made or restored; the message is git's, or says what is missing."""


@frozen
class Checkpoint:
    """The state of all files at one moment. `left_out` are the files that were too large."""

    id: str
    label: str
    time: float
    left_out: tuple[str, ...] = ()


class Checkpoints:
    """The checkpoints of one folder. `store` is where they are kept: by default in the user's folder for caches."""

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
        self._store = Path(store) if store is not None else _default_store(self._root)
        self._large, self._keep, self._days = large, keep, days
        if self._store.resolve().is_relative_to(self._root):
            raise ValueError(f"the checkpoints of {self._root} cannot be kept in it: choose another store")
        if not (self._store / "HEAD").exists():
            self._store.mkdir(parents=True, exist_ok=True)
            self._git("init", "--quiet")

    def save(self, label: str = "") -> Checkpoint:
        """Keep all files as they are now."""
        tree, left_out = self._write_tree()
        label, moment = " ".join(label.split()), int(time.time())
        commit = self._git("commit-tree", tree, input="\n".join((label, *left_out)), date=moment).strip()
        self._git("update-ref", f"{_REFS}{time.time_ns():020}", commit)
        self._prune()
        return Checkpoint(commit, label, moment, left_out)

    def list(self) -> list[Checkpoint]:
        """All checkpoints that are kept, the oldest first."""
        fields = "%(objectname)%00%(committerdate:unix)%00%(contents)%00"
        values = self._git("for-each-ref", f"--format={fields}", "--sort=refname", _REFS).split("\0")
        found: list[Checkpoint] = []
        for commit, moment, message in zip(values[0::3], values[1::3], values[2::3], strict=False):
            label, *left_out = message.rstrip("\n").split("\n")
            found.append(Checkpoint(commit.strip(), label, float(moment), tuple(left_out)))
        return found

    def diff(self, since: Checkpoint | str, until: Checkpoint | str | None = None) -> str:
        """What has changed, as a unified diff; without `until`, up to now."""
        end = self._write_tree()[0] if until is None else self._known(until).id
        quiet = ("--no-color", "--no-ext-diff", "--no-textconv")
        return self._git("diff-tree", "-p", "-r", *quiet, self._known(since).id, end)

    def restore(self, checkpoint: Checkpoint | str) -> Checkpoint:
        """Make all files as they were. What they are now is kept first, in the checkpoint that is returned."""
        wanted = self._known(checkpoint)
        now = self.save("before a checkpoint was restored")
        changes = self._git("diff-tree", "-r", "-z", "--no-renames", "--name-status", now.id, wanted.id).split("\0")
        pairs = list(zip(changes[0::2], changes[1::2], strict=False))
        left_out = {*now.left_out, *wanted.left_out}
        for status, path in pairs:
            if status == "D" and path not in left_out:
                self._remove(path)
        self._git("read-tree", wanted.id)
        back = [path for status, path in pairs if status != "D" and path not in left_out]
        self._git("checkout-index", "--force", "-z", "--stdin", input=_listed(back))
        return now

    def _known(self, checkpoint: Checkpoint | str) -> Checkpoint:
        name = checkpoint.id if isinstance(checkpoint, Checkpoint) else checkpoint
        for known in self.list():
            if known.id == name:
                return known
        raise CheckpointError(f"there is no checkpoint {name!r}: it may have been pruned")

    def _write_tree(self) -> tuple[str, tuple[str, ...]]:
        """The files as a tree of git, and those that were left out."""
        paths, left_out = self._files()
        known = set(self._git("ls-files", "-z").split("\0")) - {""}
        self._git(
            "update-index", "--add", "--remove", "--replace", "--ignore-skip-worktree-entries", "-z", "--stdin",
            input=_listed(paths),
        )  # fmt: skip
        gone = known - paths
        self._git("update-index", "--force-remove", "-z", "--stdin", input=_listed(gone))
        return self._git("write-tree").strip(), tuple(sorted(left_out))

    def _files(self) -> tuple[set[str], set[str]]:
        """The files that are to be kept, and those that are too large; in repositories within the folder as well."""
        paths: set[str] = set()
        left_out: set[str] = set()
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            listed = self._git("ls-files", "-z", "-o", "-c", "--exclude-standard", at=folder)
            for name in filter(None, listed.split("\0")):
                path = f"{folder}{name}"
                if name.endswith("/"):
                    waiting.append(path)
                    continue
                try:
                    status = os.lstat(self._root / path)
                except OSError:
                    continue  # it is known from before, and gone
                (left_out if status.st_size > self._large else paths).add(path)
        return paths, left_out

    def _remove(self, path: str) -> None:
        target = self._root / path
        target.unlink(missing_ok=True)
        for parent in target.parents:
            if parent == self._root:
                return
            try:
                parent.rmdir()
            except OSError:
                return

    def _prune(self) -> None:
        """Forget what is too old, or too many."""
        names = self._git("for-each-ref", "--format=%(refname) %(committerdate:unix)", "--sort=refname", _REFS)
        refs = [line.rpartition(" ") for line in names.splitlines()]
        oldest = time.time() - self._days * 86_400
        surplus = len(refs) - self._keep
        gone = [name for at, (name, _, moment) in enumerate(refs) if at < surplus or float(moment) < oldest]
        if gone:
            self._git("update-ref", "--stdin", input="".join(f"delete {name}\n" for name in gone))
            self._git("gc", "--quiet", "--prune=now")

    def _git(self, *arguments: str, input: str = "", at: str = "", date: int | None = None) -> str:
        environment: dict[str, Any] = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            **_WHO,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }
        if date is not None:
            environment["GIT_COMMITTER_DATE"] = environment["GIT_AUTHOR_DATE"] = f"{date} +0000"
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        command = ["git", f"--git-dir={self._store}", f"--work-tree={self._root / at}", *settings, *arguments]
        try:
            done = subprocess.run(
                command,
                cwd=self._root / at,
                env=environment,
                input=input.encode("utf-8", "surrogateescape"),
                capture_output=True,
                check=True,
            )
        except FileNotFoundError as error:
            raise CheckpointError("git is not installed: checkpoints need it") from error
        except subprocess.CalledProcessError as error:
            raise CheckpointError(f"git {arguments[0]}: {error.stderr.decode(errors='replace').strip()}") from error
        return done.stdout.decode("utf-8", "surrogateescape")


def _listed(paths: Iterable[str]) -> str:
    return "".join(f"{path}\0" for path in sorted(paths))


def _default_store(root: Path) -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:24]
    return caches / "streamparse" / "checkpoints" / name
