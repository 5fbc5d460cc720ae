"""ShadowGit: git for the files of a folder, with a store of its own outside of it.

    git = ShadowGit(root, store)
    with git.turn():                                            nobody else uses the store meanwhile
        git.run("ls-files", "-z", "-o", "--exclude-standard")   what git writes; raises CheckpointError if it fails

What belongs to the user has no say: neither their settings, hooks and filters, nor the attributes of files in the root,
so that every file is kept byte by byte. Nobody else may look into the store.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streamparse.errors import StreamparseError
from streamparse.workspace.program import find_program

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows: who saves at the same time may be refused by git
    fcntl = None  # type: ignore[assignment]

_SETTINGS = ("core.hooksPath=/dev/null", "core.autocrlf=false", "core.fsmonitor=false", "core.quotePath=false",
             "core.untrackedCache=false", "commit.gpgSign=false", "gc.auto=0")  # fmt: skip
#: What comes before the attributes that files of the root give themselves: they are kept byte by byte.
_ATTRIBUTES = "* -text -ident -filter -working-tree-encoding !diff\n"
_WHO = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "streamparse"), ("EMAIL", "checkpoints@localhost"))
}


class CheckpointError(StreamparseError):
    """A checkpoint could not be made or restored; the message is git's, or says what is missing or in the way."""


class ShadowGit:
    """Runs git for the files under `root`; what it keeps is in `store`, which is made if there is none."""

    def __init__(self, root: Path, store: Path) -> None:
        self._root, self._store = root, store
        git = find_program("git", root)
        if git is None:
            raise CheckpointError(f"checkpoints need git, and there is none outside of {root}")
        self._program = git
        self._store.mkdir(parents=True, exist_ok=True)
        self._store.chmod(0o700)
        with self.turn():
            if not (self._store / "HEAD").exists():
                self.run("init", "--quiet", "--template=")
            (self._store / "info").mkdir(exist_ok=True)
            (self._store / "info/attributes").write_text(_ATTRIBUTES)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Nobody else uses the store meanwhile. What a process has left that was killed is removed."""
        with open(self._store / "turn", "wb") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
                (self._store / "index.lock").unlink(missing_ok=True)
            yield

    def run(self, *arguments: str, input: str = "", at: str | None = None, date: int | None = None) -> str:
        """What git writes, when it is given the arguments and, to read, the `input`. Raises CheckpointError.

        With `at`, it looks at that folder in the root as if nothing were known of it. `date` is that of a commit.
        """
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            **_WHO,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }
        if at is not None:
            environment["GIT_INDEX_FILE"] = str(self._store / "nothing")
        if date is not None:
            environment["GIT_COMMITTER_DATE"] = environment["GIT_AUTHOR_DATE"] = f"{date} +0000"
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        folder = self._root / (at or "")
        command = [self._program, f"--git-dir={self._store}", f"--work-tree={folder}", *settings, *arguments]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                input=input.encode("utf-8", "surrogateescape"),
                capture_output=True,
                check=True,
            )
        except OSError as error:
            raise CheckpointError(f"git {arguments[0]}: {error}") from error
        except subprocess.CalledProcessError as error:
            raise CheckpointError(f"git {arguments[0]}: {error.stderr.decode(errors='replace').strip()}") from error
        return done.stdout.decode("utf-8", "surrogateescape")
