"""The plan for a change of several files: which folders it makes and which it leaves empty, and that no place is taken.

    a/b.py is moved to c/d.py      c is made; a goes, if nothing else is in it
    a is removed, a/b.py is made   the file a is gone before the folder a is made
    a.py is moved to A.py          the same file where case does not count, so its place is free

As with git, a folder goes with its last file.
"""

from __future__ import annotations

import stat
from collections.abc import Container, Sequence

from streamparse.directory.folder import Folder
from streamparse.directory.manifest import Plan, Step
from streamparse.directory.paths import parents_of
from streamparse.errors import TreeError


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
