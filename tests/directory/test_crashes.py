"""A change of a tree that is stopped anywhere: the old tree or the new one, and nothing else."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from streamparse.directory import folder
from streamparse.directory.directory import Directory
from streamparse.directory.file_change import FileChange
from streamparse.directory.journal import Journal
from streamparse.directory.planning import Plan
from streamparse.errors import TreeError
from tests.diff.kit import work
from tests.directory.trees import Killed, fill, interposed, killer, look, saboteur

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
    "place/x": b"x\n",
    "place/y": b"\xff\xfey\0\n\0",
    "place/z": b"z\n",
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
    FileChange("place/x", "x\n", "x\n", moved_to="place/w"),
    FileChange("place/x", None, "new\n"),
    FileChange("place/y", "\ufeffy\n", "\ufeffY\n", moved_to="place/z"),
    FileChange("place/z", "z\n", None),
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
    "place/w": b"x\n",
    "place/x": b"new\n",
    "place/z": b"\xff\xfeY\0\n\0",
    "other": b"stays\n",
}


def old_tree(root: Path) -> dict[str, Any]:
    shutil.rmtree(root, ignore_errors=True)
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
    root, new = tmp_path / "tree", new_tree(tmp_path / "new")
    total = operations(tmp_path / "count")
    old, found = old_tree(root), []
    for number in range(total + 1):
        with interposed(killer(number)):
            try:
                Directory(root).write(CHANGES)
            except Killed:
                assert number < total
            else:
                assert number == total
        Directory(root)
        now = look(root)
        assert now in (old, new), number
        found.append("old" if now == old else "new")
        if now == new:
            old_tree(root)
    # From one moment on it is the new tree; what comes then is only to be swept away.
    assert (found[0], found[-1]) == ("old", "new")
    assert found == sorted(found, reverse=True)


def test_killed_while_it_is_undone_it_is_undone_by_the_next(tmp_path: Path) -> None:
    half = operations(tmp_path / "count") * 2 // 3
    root = tmp_path / "tree"
    old = old_tree(root)
    for number in count():
        with interposed(killer(half)), pytest.raises(Killed):
            Directory(root).write(CHANGES)
        assert look(root) != old
        try:
            with interposed(killer(number)):
                Directory(root)
            break
        except Killed:
            Directory(root)
            assert look(root) == old, number
    assert number > 20
    assert look(root) == old


@pytest.mark.parametrize(
    ("has_descriptors", "error"), [(False, OSError(5, "Input/output error")), (True, KeyboardInterrupt())]
)
def test_an_operation_that_fails_leaves_the_old_tree_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_descriptors: bool, error: BaseException
) -> None:
    monkeypatch.setattr(folder, "HAS_DESCRIPTORS", has_descriptors)
    root, new = tmp_path / "tree", new_tree(tmp_path / "new")
    total = operations(tmp_path / "count")
    old = old_tree(root)
    for number in range(total):
        is_written = False
        with interposed(saboteur(number, error)), suppress(TreeError, KeyboardInterrupt):
            Directory(root).write(CHANGES)
            is_written = True
        Directory(root)  # what was left to be swept away
        now = look(root)
        # A key may also be pressed when all is done.
        assert now == (new if is_written else old) or (now == new and isinstance(error, KeyboardInterrupt)), number
        if now == new:
            old_tree(root)


def test_many_files_are_put_back_at_the_cost_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(journal: Journal, plan: Plan) -> None:
        monkeypatch.undo()
        raise OSError(5, "Input/output error")

    def cost(count: int) -> int:
        """What it takes to find out that nothing is written."""
        root = fill(tmp_path / str(count), {f"f{number}": b"x" for number in range(count)})
        old, changes = look(root), [FileChange(f"f{number}", "x", "y") for number in range(count)]
        monkeypatch.setattr(Journal, "_sync", fail)

        def write() -> None:
            with pytest.raises(TreeError, match="Input/output error"):
                Directory(root).write(changes)

        lines = work(write)
        assert look(root) == old
        return lines

    assert cost(200) < 2.05 * cost(100)


PROGRAM = """
import os, sys
from pathlib import Path
from streamparse.directory.directory import Directory
from tests.directory.test_crashes import CHANGES
from tests.directory.trees import interposed, killer, Killed

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


def shuffled(seed: int) -> tuple[dict[str, bytes], list[FileChange], dict[str, bytes]]:
    """Files, changes of them that are possible together, and the files then."""
    chance = random.Random(seed)
    paths = ["a", "b", "c/a", "c/b", "c/d/a", "e/a", "e/f/a", "g"]
    files = {path: f"{path} {seed}\n".encode() for path in chance.sample(paths, 5)}
    changes, after = [], dict(files)
    new = [path for path in (*paths, "h/i/a", "j") if path not in files]
    chance.shuffle(new)
    for path, data in files.items():
        text = data.decode()
        kind = chance.choice(["keep", "change", "delete", "move"])
        if kind == "change":
            changes.append(FileChange(path, text, text * 2))
            after[path] = data * 2
        elif kind == "delete":
            changes.append(FileChange(path, text, None))
            del after[path]
        elif kind == "move" and new:
            changes.append(FileChange(path, text, text, moved_to=new[-1]))
            after[new.pop()] = after.pop(path)
    for path in new[: chance.randrange(3)]:
        changes.append(FileChange(path, None, "new\n"))
        after[path] = b"new\n"
    chance.shuffle(changes)
    return files, changes, after


@pytest.mark.parametrize("seed", range(20))
def test_any_changes_killed_anywhere(tmp_path: Path, seed: int) -> None:
    files, changes, after = shuffled(seed)
    expected = look(fill(tmp_path / "new", after)) if after else {}
    root = fill(tmp_path / "tree", files)
    before = look(root)
    for number in count(seed % 3, 3):  # every third operation
        with interposed(killer(number)):
            try:
                Directory(root).write(changes)
                break
            except Killed:
                pass
        Directory(root)
        if look(root) != before:
            break
    assert look(root) == expected
