"""The plan for a change of several files: which folders it makes and which it leaves empty, and that no place is taken.

    a/b.py is moved to c/d.py      c is made; a goes, if nothing else is in it
    a is removed, a/b.py is made   the file a is gone before the folder a is made
    a.py is moved to A.py          the same file where case does not count, so its place is free

As with git, a folder goes with its last file. The plan for the first of these is

    Plan([Step(old="a/b.py", new="c/d.py", …)], emptied=[("a", 0o755)], made=["c"])

and it is kept on the disk, as JSON, until all of it is done. It is found there in a tree that anybody may have filled,
so reading it checks every path in it.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Container, Sequence

from attrs import frozen

from streamparse.directory.folder import Folder
from streamparse.directory.paths import names_of, parents_of
from streamparse.errors import TreeError

#: What tells a file from any other, and from itself after a change: its inode, its size, the time of its last change.
Mark = tuple[int, int, int]


def mark_of(status: os.stat_result) -> Mark:
    """The mark of the file with that status."""
    return status.st_ino, status.st_size, status.st_mtime_ns


@frozen
class Step:
    """One file: the old one goes, a new one comes, or both."""

    old: str | None
    new: str | None
    old_mark: Mark | None
    new_mark: Mark | None

    @property
    def is_in_place(self) -> bool:
        """Whether the new file takes the place of the old one."""
        return self.old == self.new


@frozen
class Plan:
    """All that one writer does."""

    steps: list[Step]
    #: Folders that go if nothing is left in them, the innermost first, and their modes.
    emptied: list[tuple[str, int]]
    #: Folders that are made, the outermost first.
    made: list[str]

    @property
    def paths(self) -> list[str]:
        """Every path that comes or goes."""
        files = [path for step in self.steps for path in (step.old, step.new) if path is not None]
        return [*files, *self.made, *(path for path, _ in self.emptied)]

    def to_json(self) -> bytes:
        """The manifest."""
        steps = [[step.old, step.new, step.old_mark, step.new_mark] for step in self.steps]
        return json.dumps({"steps": steps, "emptied": self.emptied, "made": self.made}).encode("ascii")

    @classmethod
    def from_json(cls, data: bytes) -> Plan:
        """What `to_json` wrote; raises TreeError for anything else, and for paths out of the tree."""
        try:
            found = json.loads(data)
            steps = [Step(old, new, _mark(was), _mark(comes)) for old, new, was, comes in found["steps"]]
            emptied = [(path, int(mode)) for path, mode in found["emptied"]]
            plan = cls(steps, emptied, list(found["made"]))
            for path in plan.paths:
                names_of(path)
        except (ValueError, TypeError, KeyError) as error:
            raise TreeError("its manifest was not written by this program") from error
        return plan


def _mark(found: list[int] | None) -> Mark | None:
    if found is None:
        return None
    inode, size, time = found
    return int(inode), int(size), int(time)


def plan_for(root: Folder, steps: list[Step]) -> Plan:
    """The plan; raises TreeError if two steps are about one path, or another file is where one is to be."""
    olds = [step.old for step in steps if step.old is not None]
    news = [step.new for step in steps if step.new is not None]
    coming = [step.new for step in steps if step.new is not None and not step.is_in_place]
    needed = list(dict.fromkeys(parent for path in news for parent in parents_of(path)))
    for paths in (olds, [*news, *needed]):
        _check_once(paths)
    gone = {step.old: step.old_mark[0] for step in steps if step.old and step.old_mark and not step.is_in_place}
    left = {parent for path in gone for parent in parents_of(path)}.difference(needed)
    inodes = set(gone.values())
    for path in coming:
        _check_free(root, path, gone, inodes, left)
    made = [path for path in needed if path in gone or not _is_folder(root, path)]
    found = [(path, root.find(path.split("/"))) for path in left]
    emptied = [(path, stat.S_IMODE(status.st_mode)) for path, status in found if status is not None]
    return Plan(steps, sorted(emptied, key=lambda folder: -folder[0].count("/")), made)


def _check_once(paths: Sequence[str]) -> None:
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            raise TreeError.about("write", path, "two changes are about it")
        seen.add(path)


def _check_free(root: Folder, path: str, gone: Container[str], inodes: set[int], left: set[str]) -> None:
    """Raises TreeError unless there will be nothing at the path. Whether a folder will be empty is seen later."""
    status = root.find(path.split("/"))
    if status is None or path in gone or status.st_ino in inodes:
        return
    if not (path in left and stat.S_ISDIR(status.st_mode)):
        raise TreeError.about("write", path, "it exists already")


def _is_folder(root: Folder, path: str) -> bool:
    """Whether it is there; raises TreeError if something else is."""
    status = root.find(path.split("/"))
    if status is not None and not stat.S_ISDIR(status.st_mode):
        raise TreeError(f"cannot write to {path}: it is not a folder", f"{path} is not a folder")
    return status is not None
