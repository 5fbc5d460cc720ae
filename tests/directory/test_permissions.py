"""A tree of which not everything may be written, a disk that takes no more, and a writer that is killed by hand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamparse.directory.directory import Directory
from streamparse.directory.file_change import FileChange
from streamparse.directory.paths import JOURNAL
from streamparse.errors import TreeError
from tests.directory.trees import fill, look

NOBODY = 65534
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder of someone who is not root; if root runs the tests, they are that someone from here on."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() != 0:
            yield Path(folder)
            return
        os.chown(folder, NOBODY, NOBODY)
        try:
            os.setegid(NOBODY)
            os.seteuid(NOBODY)
            yield Path(folder)
        finally:
            os.seteuid(0)
            os.setegid(0)


FILES = {"a": b"a\n", "shut/b": b"b\n", "shut/c": b"c\n", "last/d": b"d\n"}
CHANGE = FileChange("a", "a\n", "A\n")


def refused(root: Path, *changes: FileChange) -> str:
    """Why nothing is written: neither these changes nor one that is possible by itself. The tree stays as it was."""
    before = look(root)
    directory = Directory(root)
    with pytest.raises(TreeError) as failure:
        directory.write([CHANGE, *changes])
    assert look(root) == before
    return str(failure.value)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (FileChange("shut/b", "b\n", "B\n"), "cannot write shut/b: Permission denied"),
        (FileChange("shut/b", "b\n", None), "cannot write shut/b: Permission denied"),
        (FileChange("shut/b", "b\n", "b\n", moved_to="b"), "cannot write shut/b: Permission denied"),
        (FileChange("shut/b", "b\n", "b\n", mode=0o755), "cannot write shut/b: Permission denied"),
        (FileChange("shut/new", None, "x\n"), "cannot write shut/new: Permission denied"),
        (FileChange("shut/new/x", None, "x\n"), "cannot make shut/new: Permission denied"),
    ],
)
def test_in_a_folder_that_may_not_be_written_nothing_changes_and_nothing_else_either(
    root: Path, change: FileChange, complaint: str
) -> None:
    fill(root, FILES)
    (root / "shut").chmod(0o555)
    assert refused(root, change) == complaint
    (root / "shut").chmod(0o755)
    Directory(root).write([CHANGE, change])
    assert Directory(root).read("a") == "A\n"


def test_a_folder_that_may_not_be_entered(root: Path) -> None:
    fill(root, FILES)
    (root / "shut").chmod(0o000)
    assert refused(root, FileChange("shut/b", "b\n", "B\n")) == "cannot write shut/b: Permission denied"
    with pytest.raises(TreeError, match=r"\Acannot read shut/b: Permission denied\Z"):
        Directory(root).read("shut/b")
    assert list(Directory(root).paths()) == ["a", "last/d"]
    (root / "shut").chmod(0o755)


def test_files_that_may_not_be_read_or_written(root: Path) -> None:
    fill(root, FILES)
    (root / "shut/b").chmod(0o444)
    assert Directory(root).read("shut/b") == "b\n"
    assert refused(root, FileChange("shut/b", "b\n", "B\n")) == "cannot write shut/b: Permission denied"
    (root / "shut/b").chmod(0o000)
    with pytest.raises(TreeError, match=r"\Acannot read shut/b: Permission denied\Z"):
        Directory(root).read("shut/b")
    (root / "shut/b").chmod(0o644)


def test_a_root_that_may_not_be_written(root: Path) -> None:
    fill(root, FILES)
    root.chmod(0o555)
    assert refused(root) == f"cannot write to {root}: Permission denied"
    root.chmod(0o755)


def test_a_folder_that_is_left_empty_stays_if_it_may_not_go(root: Path) -> None:
    fill(root, {"shut/only/a": b"a\n", "b": b"b\n"})
    (root / "shut").chmod(0o555)
    Directory(root).write([FileChange("shut/only/a", "a\n", None), FileChange("b", "b\n", "B\n")])
    assert sorted(look(root)) == ["b", "shut", "shut/only"]
    (root / "shut").chmod(0o755)


# --- a disk that takes no more

LIMITED = """
import resource, sys
from streamparse.directory import Directory, FileChange
from streamparse.errors import TreeError

resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    Directory(sys.argv[1]).write([FileChange("a", "a\\n", "A\\n"), FileChange("b", None, "b" * int(sys.argv[2]))])
except TreeError as error:
    sys.exit(str(error))
"""


def test_a_file_for_which_there_is_no_room(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a\n"})
    before = look(tmp_path)

    def write(size: int) -> tuple[int, str]:
        command = [sys.executable, "-c", LIMITED, str(tmp_path), str(size)]
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
        return done.returncode, done.stderr

    assert write(1001) == (1, "cannot write b: File too large\n")
    assert look(tmp_path) == before
    assert write(1000) == (0, "")
    assert sorted(look(tmp_path)) == ["a", "b"]


# --- killed by hand

SLOW = """
import sys, time
from streamparse.directory import Directory, FileChange
from tests.directory.trees import interposed

def wait(name):
    print(name, flush=True)
    time.sleep(0.005)

with interposed(wait):
    Directory(sys.argv[1]).write([FileChange(f"{n}", f"{n}\\n", f"{n}!\\n") for n in range(5)])
"""


def test_a_writer_is_killed_at_some_moment_and_started_again(tmp_path: Path) -> None:
    files = {f"{number}": f"{number}\n".encode() for number in range(5)}
    new = look(fill(tmp_path / "new", {path: data.replace(b"\n", b"!\n") for path, data in files.items()}))
    for patience in (5, 25, 40, 60):
        root = fill(tmp_path / f"tree {patience}", files)
        old = look(root)
        with subprocess.Popen(
            [sys.executable, "-c", SLOW, str(root)], cwd=REPOSITORY, stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            for _ in range(patience):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
        Directory(root)
        assert look(root) in (old, new)
        assert not (root / JOURNAL).exists()
        if look(root) == old:
            Directory(root).write([FileChange(path, f"{path}\n", f"{path}!\n") for path in files])
        assert look(root) == new
