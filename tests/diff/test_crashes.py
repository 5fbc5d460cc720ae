"""A change of a tree that is stopped anywhere: the old tree or the new one, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from streamparse.diff import folder
from streamparse.diff.directory import Directory
from streamparse.diff.file_change import FileChange
from streamparse.errors import TreeError
from tests.diff.trees import Killed, fill, interposed, killer, look, saboteur

FILES = {
    "a.py": b"a\n",
    "run.sh": b"ls\n",
    "lib/b.py": b"b\r\n",
    "lib/deep/c.py": b"c\n",
    "old/d.py": b"d\n",
    "old/e.py": b"caf\xe9\n",
    "thing": b"file\n",
    "box/in/it": b"in\n",
    "swap/x": b"x\n",
    "swap/y": b"y\n",
    "other": b"stays\n",
}
CHANGES = [
    FileChange("a.py", "a\n", "A\n"),
    FileChange("run.sh", "ls\n", "ls\n", mode=0o755),
    FileChange("lib/b.py", "b\r\n", "B\r\n", moved_to="new/b.py"),
    FileChange("lib/deep/c.py", "c\n", None),
    FileChange("old/d.py", "d\n", None),
    FileChange("old/e.py", "café\n", "thé\n", moved_to="old/f.py"),
    FileChange("thing", "file\n", None),
    FileChange("thing/is/a", None, "folder\n"),
    FileChange("box/in/it", "in\n", None),
    FileChange("box", None, "a file now\n"),
    FileChange("swap/x", "x\n", "x\n", moved_to="swap/y"),
    FileChange("swap/y", "y\n", "y\n", moved_to="swap/x"),
    FileChange("new/empty", None, ""),
]
AFTER = {
    "a.py": b"A\n",
    "run.sh": b"ls\n",
    "new/b.py": b"B\r\n",
    "new/empty": b"",
    "old/f.py": b"th\xe9\n",
    "thing/is/a": b"folder\n",
    "box": b"a file now\n",
    "swap/x": b"y\n",
    "swap/y": b"x\n",
    "other": b"stays\n",
}


def old_tree(root: Path) -> dict[str, Any]:
    fill(root, FILES)
    (root / "old/d.py").chmod(0o600)
    (root / "lib").chmod(0o750)
    return look(root)


def new_tree(root: Path) -> dict[str, Any]:
    fill(root, AFTER)
    (root / "run.sh").chmod(0o755)
    return look(root)


@pytest.fixture(autouse=True)
def in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is not waited for."""
    monkeypatch.setattr(os, "fsync", int)


def operations(root: Path) -> int:
    done: list[str] = []
    fill(root, FILES)
    with interposed(done.append):
        Directory(root).write(CHANGES)
    return len(done)


def test_all_of_it_is_written(tmp_path: Path) -> None:
    old_tree(tmp_path / "tree")
    Directory(tmp_path / "tree").write(CHANGES)
    assert look(tmp_path / "tree") == new_tree(tmp_path / "new")


def test_killed_before_any_operation_it_is_the_old_tree_or_the_new_one(tmp_path: Path) -> None:
    new = new_tree(tmp_path / "new")
    count = operations(tmp_path / "count")
    seen = []
    for number in range(count + 1):
        root = tmp_path / str(number)
        old = old_tree(root)
        with interposed(killer(number)):
            try:
                Directory(root).write(CHANGES)
            except Killed:
                assert number < count
            else:
                assert number == count
        Directory(root)
        assert look(root) in (old, new), number
        seen.append(look(root) == new)
    # From one moment on it is the new tree; what comes then is only to be swept away.
    assert (seen[0], seen[-1], seen) == (False, True, sorted(seen))


def test_killed_while_it_is_undone_it_is_undone_by_the_next(tmp_path: Path) -> None:
    half = operations(tmp_path / "count") * 2 // 3
    number = 0
    while True:
        root = tmp_path / str(number)
        old = old_tree(root)
        with interposed(killer(half)), pytest.raises(Killed):
            Directory(root).write(CHANGES)
        assert look(root) != old
        try:
            with interposed(killer(number)):
                Directory(root)
        except Killed:
            Directory(root)
            assert look(root) == old, number
            number += 1
        else:
            break
    assert number > 20


@pytest.mark.parametrize(
    ("has_descriptors", "error"), [(False, OSError(5, "Input/output error")), (True, KeyboardInterrupt())]
)
def test_an_operation_that_fails_leaves_the_old_tree_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_descriptors: bool, error: BaseException
) -> None:
    monkeypatch.setattr(folder, "HAS_DESCRIPTORS", has_descriptors)
    new = new_tree(tmp_path / "new")
    for number in range(operations(tmp_path / "count")):
        root = tmp_path / str(number)
        old = old_tree(root)
        failed = False
        with interposed(saboteur(number, error)):
            try:
                Directory(root).write(CHANGES)
            except (TreeError, KeyboardInterrupt):
                failed = True
        Directory(root)  # what was left to be swept away
        if isinstance(error, KeyboardInterrupt):  # it may also come when all is done
            assert look(root) in (old, new), number
        else:
            assert look(root) == (old if failed else new), number


PROGRAM = """
import os, sys
from pathlib import Path
from streamparse.diff.directory import Directory
from tests.diff.test_crashes import CHANGES
from tests.diff.trees import interposed, killer, Killed

def die(name, kill=killer(int(sys.argv[2]))):
    try:
        kill(name)
    except Killed:
        os._exit(9)

with interposed(die):
    Directory(sys.argv[1]).write(CHANGES)
"""


def test_a_process_that_is_really_killed(tmp_path: Path) -> None:
    half = operations(tmp_path / "count") * 2 // 3
    root = tmp_path / "tree"
    old = old_tree(root)
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(root), str(half)], cwd=Path(__file__).parents[2])
    assert done.returncode == 9
    assert look(root) != old
    assert sorted(os.listdir(root / ".streamparse-journal"))[-1] == "manifest"
    Directory(root)
    assert look(root) == old
