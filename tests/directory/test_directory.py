"""A tree on the disk: what is read, what is refused, and what is kept when it is written."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import stat
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from streamparse.diff import apply_to_tree
from streamparse.directory import folder
from streamparse.directory.directory import Directory
from streamparse.directory.encoding import UTF_8, Encoding
from streamparse.directory.file_change import FileChange
from streamparse.errors import TreeError
from tests.directory.trees import Killed, fill, interposed, look

JOURNAL = ".streamparse-journal"
is_root = os.geteuid() == 0


@pytest.fixture(params=["descriptors", "paths"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Systems with and without descriptors of folders. The disk is not waited for."""
    monkeypatch.setattr(folder, "HAS_DESCRIPTORS", request.param == "descriptors")
    monkeypatch.setattr(os, "fsync", int)
    return str(request.param)


def refused(action: Callable[[], object]) -> str:
    with pytest.raises(TreeError) as failure:
        action()
    return str(failure.value)


# --- reading


def test_files_are_read_in_their_encoding(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a\r\n", "b/c": b"caf\xe9", "d": b"\xff\xfea\0"})
    directory = Directory(tmp_path)
    assert [directory.read(path) for path in ("a", "b/c", "d")] == ["a\r\n", "café", "\ufeffa"]
    assert [directory.read(path) for path in ("x", "x/y", "a/b", "b/x")] == [None] * 4
    assert directory.encoding_of("b/c") == Encoding("latin-1")
    assert directory.encoding_of("x") == UTF_8
    assert Directory(tmp_path, encoding="cp1250").encoding_of("x") == Encoding("cp1250")
    assert refused(lambda: Directory(tmp_path, encoding="ascii").read("b/c")) == (
        "cannot read b/c: it is not written in ascii"
    )


def test_all_paths(tmp_path: Path) -> None:
    fill(tmp_path, {"b": b"", "a/c/d": b"", "a/b": b"", ".git/config": b"", "sub/.git": b"", "sub/e": b"", ".x": b""})
    (tmp_path / "link").symlink_to("b")
    (tmp_path / "folder").symlink_to("a")
    os.mkfifo(tmp_path / "pipe")
    assert list(Directory(tmp_path).paths()) == [".x", "b", "a/b", "a/c/d", "sub/e"]


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    fill(tmp_path, {"file": b""})
    assert refused(lambda: Directory(tmp_path / "x")) == f"cannot open {tmp_path}/x: No such file or directory"
    assert refused(lambda: Directory(tmp_path / "file")) == f"cannot open {tmp_path}/file: Not a directory"
    directory = Directory(tmp_path)
    (tmp_path / "file").unlink()
    tmp_path.rmdir()
    assert refused(lambda: directory.write([FileChange("a", None, "")])) == (
        f"cannot write to {tmp_path}: No such file or directory"
    )


def test_the_user_may_link_to_the_root(tmp_path: Path) -> None:
    fill(tmp_path / "tree", {"a": b"a"})
    (tmp_path / "link").symlink_to("tree")
    Directory(tmp_path / "link").write([FileChange("a", "a", "b")])
    assert look(tmp_path / "tree") == {"a": (b"b", 0o644)}


def test_a_diff_is_applied_to_a_directory(tmp_path: Path) -> None:
    fill(tmp_path, {"src/a.py": b"caf\xe9 = 1\r\n", "b": b"b\n"})
    patch = (
        "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: lib/a.py\n@@\n-café = 1\n+thé = 1\n"
        "*** Delete File: b\n*** Add File: c/d\n+é\n*** End Patch\n"
    )
    assert apply_to_tree(tmp_path, patch).ok
    assert sorted(Directory(tmp_path).paths()) == ["b", "src/a.py"]
    assert apply_to_tree(str(tmp_path), patch, write=True).ok
    assert look(tmp_path) == {
        "lib": (stat.S_IFDIR, 0o755),
        "lib/a.py": (b"th\xe9 = 1\r\n", 0o644),
        "c": (stat.S_IFDIR, 0o755),
        "c/d": ("é\n".encode(), 0o644),
    }


# --- what is refused


def special(kind: str, path: Path) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
    elif kind == "device":
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    else:
        path.mkdir()


@pytest.mark.parametrize(
    "kind", ["pipe", "socket", pytest.param("device", marks=pytest.mark.skipif(not is_root, reason="root")), "folder"]
)
def test_special_files_are_refused_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    special(kind, Path("it"))
    before = look(tmp_path)
    directory = Directory(tmp_path)
    assert refused(lambda: directory.read("it")) == "cannot read it: it is not a regular file"
    for after in ("x", None):
        assert refused(lambda after=after: directory.write([FileChange("it", "", after)])) == (  # type: ignore[misc]
            "cannot write it: it is not a regular file"
        )
    assert refused(lambda: directory.write([FileChange("it", None, "x")])) == "cannot write it: it exists already"
    if kind != "folder":  # nor is it a folder, which a file would make way for
        assert refused(lambda: directory.read("it/x")) == "cannot read it/x: it is neither a folder nor a regular file"
        assert apply_to_tree(tmp_path, "*** Begin Patch\n*** Add File: it/x\n+a\n*** End Patch\n").message == (
            "cannot read it/x: it is neither a folder nor a regular file\n"
            "None of the files was changed: send the whole diff again, with what was right and with this corrected."
        )
    assert look(tmp_path) == before


def test_what_becomes_a_pipe_while_it_is_opened_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"a": b"a"})
    directory = Directory(tmp_path)
    opened = os.open

    def swapped(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if str(path).endswith("a"):
            (tmp_path / "a").unlink()
            os.mkfifo(tmp_path / "a")
        return opened(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", swapped)
    assert refused(lambda: directory.read("a")) == "cannot read a: it is not a regular file"


@pytest.mark.parametrize("target", ["file", "../outside", "/etc/passwd", "missing", "link", "folder"])
def test_a_link_is_refused_and_says_where_the_file_is(tmp_path: Path, target: str) -> None:
    root = fill(tmp_path / "tree", {"file": b"x", "folder/file": b"x"})
    fill(tmp_path, {"outside": b"x"})
    (root / "link").symlink_to(target)
    before = look(tmp_path)
    directory = Directory(root)
    complaint = f"it is a symbolic link to {target}: edit that file instead"
    assert refused(lambda: directory.read("link")) == f"cannot read link: {complaint}"
    for change in (FileChange("link", "x", "y"), FileChange("link", "x", None), FileChange("link", "x", "x", "moved")):
        assert refused(lambda change=change: directory.write([change])) == (  # type: ignore[misc]
            f"cannot write link: {complaint}"
        )
    assert refused(lambda: directory.write([FileChange("link", None, "y")])) == "cannot write link: it exists already"
    assert look(tmp_path) == before


@pytest.mark.parametrize("target", ["..", "/etc", "folder", "missing", "."])
def test_no_path_leads_through_a_link(tmp_path: Path, target: str) -> None:
    root = fill(tmp_path / "tree", {"passwd": b"x", "folder/passwd": b"x", "sub/file": b"x"})
    fill(tmp_path, {"passwd": b"x"})
    (root / "sub/link").symlink_to(target if target.startswith("/") else f"../{target}")
    before = look(tmp_path)
    directory = Directory(root)
    for path in ("sub/link/passwd", "sub/link/new", "sub/link/deep/new"):
        complaint = f"{path}: link is a symbolic link, and no path leads through one"
        assert refused(lambda path=path: directory.read(path)) == f"cannot read {complaint}"  # type: ignore[misc]
        for change in (FileChange(path, "x", "y"), FileChange(path, None, "y"), FileChange("passwd", "x", "x", path)):
            assert "link is a symbolic link" in refused(
                lambda change=change: directory.write([change])  # type: ignore[misc]
            )
    assert look(tmp_path) == before


@pytest.mark.parametrize("after", ["y", None])
def test_a_folder_that_is_swapped_for_a_link_in_the_middle_of_a_write_leads_nowhere(
    tmp_path: Path, way: str, after: str | None
) -> None:
    if way == "paths":
        pytest.skip("a path is all there is")
    number, outcomes = 0, set()
    while True:
        root = fill(tmp_path / str(number) / "tree", {"sub/file": b"x"})
        outside = fill(tmp_path / str(number) / "outside", {"file": b"x"})
        before = look(outside)
        calls = iter(range(10_000))

        def swap(_: str, root: Path = root, number: int = number, calls: Any = calls) -> None:
            if next(calls) == number:
                (root / "sub").rename(root / "away")
                (root / "sub").symlink_to("../outside")

        changes = [FileChange("sub/file", "x", after), FileChange("sub/new", None, "n")]
        with interposed(swap):
            try:
                Directory(root).write(changes)
                outcomes.add("written")
            except TreeError:
                outcomes.add("refused")
        assert look(outside) == before, number
        if next(calls) <= number:
            break
        number += 1
    assert (outcomes, number > 15) == ({"written", "refused"}, True)


# --- writing


def test_parents_are_made_and_folders_go_with_their_last_file(tmp_path: Path) -> None:
    fill(tmp_path, {"a/b/c": b"1", "a/d": b"2", "e/f/g": b"3", "h/i": b"4"})
    (tmp_path / "h/link").symlink_to("i")
    directory = Directory(tmp_path)
    directory.write(
        [
            FileChange("a/b/c", "1", None),
            FileChange("e/f/g", "3", "3", moved_to="j/k/l"),
            FileChange("h/i", "4", None),
            FileChange("m/n", None, "5"),
        ]
    )
    assert list(directory.paths()) == ["a/d", "j/k/l", "m/n"]
    assert sorted(os.listdir(tmp_path)) == ["a", "h", "j", "m"]
    assert os.listdir(tmp_path / "a") == ["d"]
    directory.write([FileChange("a/d", "2", "2", moved_to="a/b/d")])
    assert look(tmp_path / "a") == {"b": (stat.S_IFDIR, 0o755), "b/d": (b"2", 0o644)}


def test_nothing_is_written_unless_everything_is_as_it_was_read(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a", "b": b"b", "c/d": b"d"})
    before = look(tmp_path)
    directory = Directory(tmp_path)
    good = FileChange("a", "a", "A")
    for change, complaint in [
        (FileChange("b", "B", "x"), "cannot write b: it has changed in the meantime"),
        (FileChange("b", "B", None), "cannot write b: it has changed in the meantime"),
        (FileChange("b", "b", "x", moved_to="c/d"), "cannot write c/d: it exists already"),
        (FileChange("b", "b", "x", moved_to="c"), "cannot write c: it exists already"),
        (FileChange("b", "b", "x", moved_to="a"), "cannot write a: two changes are about it"),
        (FileChange("b", "b", "x", moved_to="a/b"), "cannot write a: two changes are about it"),
        (FileChange("b", None, "x"), "cannot write b: it exists already"),
        (FileChange("c", None, "x"), "cannot write c: it exists already"),
        (FileChange("b/c", None, "x"), "cannot write to b: it is not a folder"),
        (FileChange("x", "x", "y"), "cannot write x: it has changed in the meantime"),
        (FileChange("x/y", "x", None), "cannot write x/y: it has changed in the meantime"),
        (FileChange("a", "a", "B"), "cannot write a: two changes are about it"),
        (FileChange("./a", "a", None), "cannot write a: two changes are about it"),
        (
            FileChange("b", "b", "\ud800"),
            "cannot write b: its encoding, utf-8, has no U+D800. Write another character.",
        ),
        (FileChange("n" * 300, None, "x"), f"{'n' * 80}… is not in this tree: a name in it has more than 255 bytes"),
    ]:
        assert refused(lambda change=change: directory.write([good, change])) == complaint  # type: ignore[misc]
        assert look(tmp_path) == before


def test_a_folder_that_would_be_a_file_must_be_empty(tmp_path: Path) -> None:
    fill(tmp_path, {"a/b": b"b", "a/c": b"c"})
    before = look(tmp_path)
    changes = [FileChange("a/b", "b", None), FileChange("a", None, "x")]
    assert refused(lambda: Directory(tmp_path).write(changes)) == "cannot write a: File exists"
    assert look(tmp_path) == before


def made(path: str, text: str) -> str:
    return f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{text}\n"


def removed(path: str, text: str) -> str:
    return (
        f"diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-{text}\n"
    )


#: What begins the next of several patches.
MAIL = f"From {'0' * 40} Mon Sep 17 00:00:00 2001\n\n"


def renamed(path: str, new_path: str) -> str:
    return f"diff --git a/{path} b/{new_path}\nsimilarity index 100%\nrename from {path}\nrename to {new_path}\n"


def test_a_diff_makes_a_file_of_a_folder_and_a_folder_of_a_file(tmp_path: Path) -> None:
    fill(tmp_path, {"a/b": b"1\n", "a/c/d": b"2\n", "e": b"3\n"})
    # In the order of git, which is that of the paths: what is in the way goes later.
    diff = renamed("e", "a") + removed("a/b", "1") + removed("a/c/d", "2") + made("e/f", "4")
    assert apply_to_tree(tmp_path, diff, write=True).ok
    assert {path: data for path, (data, _) in look(tmp_path).items() if isinstance(data, bytes)} == {
        "a": b"3\n",
        "e/f": b"4\n",
    }
    # The next patch finds the file that the first has made of the folder.
    then = MAIL + "diff --git a/e b/e\n--- a/e\n+++ b/e\n@@ -1 +1 @@\n-5\n+6\n"
    assert apply_to_tree(tmp_path, MAIL + made("e", "5") + removed("e/f", "4") + then, write=True).ok
    assert (tmp_path / "e").read_bytes() == b"6\n"


def test_a_folder_with_other_files_in_it_becomes_no_file(tmp_path: Path) -> None:
    fill(tmp_path, {"a/b": b"1\n", "a/c": b"2\n", "e": b"3\n"})
    before = look(tmp_path)
    sentence = "a is a folder, and a/{} is in it: remove that first, or use another path."
    for diff, left in [
        (made("a", "4") + removed("a/b", "1"), "c"),
        (renamed("e", "a") + removed("a/c", "2"), "b"),
        (made("a", "4") + removed("a/b", "1") + removed("a/c", "2") + made("a/n", "5"), "n"),
    ]:
        result = apply_to_tree(tmp_path, diff, write=True)
        assert [failure.message for failure in result.failures] == [sentence.format(left)]
        assert [event.failure for event in result.events if event.failure] == list(result.failures)
        assert look(tmp_path) == before
    result = apply_to_tree(tmp_path, "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n")
    assert [failure.message for failure in result.failures] == ["cannot read a: it is not a regular file"]


def copied(path: str, new_path: str) -> str:
    return renamed(path, new_path).replace("rename", "copy")


@pytest.mark.parametrize(
    ("diff", "after"),
    [
        (copied("x", "n"), {"x": ("1", 0o755), "y": ("2", 0o644), "n": ("1", 0o755)}),
        (copied("y", "n"), {"x": ("1", 0o755), "y": ("2", 0o644), "n": ("2", 0o644)}),
        (removed("y", "2") + copied("x", "y"), {"x": ("1", 0o755), "y": ("1", 0o755)}),
        (removed("x", "1") + copied("y", "x"), {"x": ("2", 0o644), "y": ("2", 0o644)}),
        (renamed("x", "m") + copied("x", "n"), {"m": ("1", 0o755), "y": ("2", 0o644), "n": ("1", 0o755)}),
        (renamed("x", "m"), {"m": ("1", 0o755), "y": ("2", 0o644)}),
        # onto the path of a file that goes
        (removed("x", "1") + renamed("y", "x"), {"x": ("2", 0o644)}),
        (removed("y", "2") + renamed("x", "y"), {"y": ("1", 0o755)}),
        (removed("x", "1") + made("n", "3") + renamed("n", "x"), {"x": ("3", 0o644), "y": ("2", 0o644)}),
        (
            renamed("x", "z") + renamed("y", "x") + renamed("z", "y"),
            {"x": ("2", 0o644), "y": ("1", 0o755)},
        ),
        # what the diff says counts
        (
            copied("x", "n").replace("similarity", "old mode 100755\nnew mode 100644\nsimilarity"),
            {"x": ("1", 0o755), "y": ("2", 0o644), "n": ("1", 0o644)},
        ),
        (
            "diff --git a/x b/x\nold mode 100755\nnew mode 100644\n" + copied("x", "n"),
            {"x": ("1", 0o644), "y": ("2", 0o644), "n": ("1", 0o755)},
        ),
    ],
)
def test_the_mode_goes_with_a_file_that_is_copied_or_moved(
    tmp_path: Path, diff: str, after: dict[str, tuple[str, int]]
) -> None:
    fill(tmp_path, {"x": b"1\n", "y": b"2\n"})
    (tmp_path / "x").chmod(0o755)
    assert apply_to_tree(tmp_path, diff, write=True).ok
    assert look(tmp_path) == {path: (f"{text}\n".encode(), mode) for path, (text, mode) in after.items()}


LATIN, GUESSED, WIDE = b"\xe9\n", b"\x9f\xff\n", "\ufeff\u00e9\n".encode("utf-16-le")


@pytest.mark.parametrize(
    ("diff", "after"),
    [
        (copied("latin", "n"), LATIN),
        (copied("guessed", "n"), GUESSED),
        (copied("wide", "n"), WIDE),
        (copied("latin", "n") + "@@ -1 +1,2 @@\n \u00e9\n+\u00e8\n", b"\xe9\n\xe8\n"),
        (copied("guessed", "n") + "@@ -1 +1,2 @@\n \x9f\u00ff\n+a\n", b"\x9f\xff\na\n"),
        # of a copy, of one that has moved, and of one that the patch removes
        (copied("latin", "m") + MAIL + copied("m", "n"), LATIN),
        (copied("latin", "m") + MAIL + renamed("m", "n"), LATIN),
        (renamed("latin", "m") + MAIL + copied("m", "n"), LATIN),
        (copied("latin", "n") + removed("latin", "\u00e9"), LATIN),
        # at the path of one in another encoding
        (removed("o", "\u00e8") + copied("latin", "o") + MAIL + renamed("o", "n"), LATIN),
        (removed("o", "\u00e8") + copied("latin", "o") + MAIL + copied("o", "n"), LATIN),
        # what is made anew is no copy any more, and a copy of a new file has the encoding of new ones
        (
            copied("latin", "m") + MAIL + removed("m", "\u00e9") + MAIL + made("m", "\u00e9") + renamed("m", "n"),
            b"\xc3\xa9\n",
        ),
        (made("m", "\u00e9") + MAIL + copied("m", "n"), b"\xc3\xa9\n"),
    ],
)
def test_a_copy_is_in_the_encoding_of_the_file_that_it_is_made_of(tmp_path: Path, diff: str, after: bytes) -> None:
    fill(tmp_path, {"latin": LATIN, "guessed": GUESSED, "wide": WIDE, "o": "\u00e8\n".encode()})
    assert apply_to_tree(tmp_path, diff, write=True).ok
    assert (tmp_path / "n").read_bytes() == after


def test_what_a_copy_cannot_express_is_not_written(tmp_path: Path) -> None:
    fill(tmp_path, {"latin": LATIN, "guessed": GUESSED})
    directory = Directory(tmp_path)
    for text, source, reason in [
        ("\u0142", "latin", "its encoding, latin-1, has no `\u0142` (U+0142). Write another character."),
        ("\u00e9", "guessed", "its encoding is not known, so `\u00e9` (U+00E9) cannot be added. Write it in ASCII."),
        ("", "../latin", "../latin is not in this tree: `..` may lead out of it"),
    ]:
        change = FileChange("n", None, text, copied_from=source)
        assert refused(partial(directory.write, [change])) == f"cannot write n: {reason}"
        assert refused(partial(directory.check, change)) == f"cannot write n: {reason}"
    directory.write([FileChange("n", None, "\u00e9", copied_from="gone")])
    assert (tmp_path / "n").read_bytes() == b"\xc3\xa9"


@pytest.mark.parametrize("write", [False, True])
def test_a_character_that_the_encoding_of_a_file_does_not_have_is_a_failure_of_that_file(
    tmp_path: Path, write: bool
) -> None:
    fill(tmp_path, {"latin": LATIN, "guessed": GUESSED, "a": b"1\n", "o": LATIN})
    before = look(tmp_path)
    hunks = {
        "a": "-1\n+\u0142\n",
        "latin": "-\u00e9\n+\u0142\n",
        "guessed": " \x9f\u00ff\n+\u00e9\n",
        "o": "-no\n+\u0142\n",
    }
    patches = {name: f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n{lines}" for name, lines in hunks.items()}
    result = apply_to_tree(tmp_path, "".join(patches.values()), write=write)
    assert [(file.path, file.action, [one.number for one in file.result.failures]) for file in result.files] == [
        ("a", "changed", []),
        ("latin", "failed", [5]),
        ("guessed", "failed", [6]),
        ("o", "failed", [4]),  # for another reason, which is told alone
    ]
    assert (result.ok, result.changes, [one.reason for one in result.failures[:2]]) == (False, (), ["no_file"] * 2)
    assert [one.failure.number for one in result.events if one.failure is not None] == [4, 5, 6]
    nothing = "None of the files was changed: send the whole diff again, with what was right and with this corrected."
    assert result.message.splitlines()[:2] == [
        "cannot write latin: its encoding, latin-1, has no `\u0142` (U+0142). Write another character.",
        "cannot write guessed: its encoding is not known, so `\u00e9` (U+00E9) cannot be added. Write it in ASCII.",
    ]
    assert result.message.splitlines()[-1] == nothing
    assert look(tmp_path) == before
    # Blocks are told alike, and what is removed is in no encoding.
    blocks = "latin\n<<<<<<< SEARCH\n\u00e9\n=======\n\u0142\n>>>>>>> REPLACE\n"
    assert apply_to_tree(tmp_path, blocks, write=write).message.splitlines() == [
        result.message.splitlines()[0],
        nothing,
    ]
    assert apply_to_tree(tmp_path, removed("latin", "\u00e9")).ok


def test_what_may_be_executed(tmp_path: Path) -> None:
    fill(tmp_path, {"x": b"1\n", "y": b"2\n"})
    (tmp_path / "x").chmod(0o744)
    directory = Directory(tmp_path)
    assert [directory.is_executable(path) for path in ("x", "y", "z", "x/z")] == [True, False, False, False]
    assert refused(lambda: directory.is_executable("../x")) == "../x is not in this tree: `..` may lead out of it"


def block_for(path: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n=======\n5\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    ("diff", "path", "sentence"),
    [
        (made("a/x", "5"), "a/x", "a is a file, and a/x would be in it"),
        (made("a/b/c", "5"), "a/b/c", "a is a file, and a/b/c would be in it"),
        (block_for("a/x.py"), "a/x.py", "a is a file, and a/x.py would be in it"),
        (made("n", "5") + made("n/x", "6"), "n/x", "n is a file, and n/x would be in it"),
        (made("n/x", "5") + made("n", "6"), "n/x", "n is a file, and n/x would be in it"),
        (renamed("a", "f") + made("f/x", "5"), "f/x", "f is a file, and f/x would be in it"),
        (renamed("d/e", "a/e"), "d/e", "a is a file, and a/e would be in it"),
        (copied("a", "d"), "d", "d is a folder, and d/e is in it"),
        (made("d", "5"), "d", "d is a folder, and d/e is in it"),
    ],
)
def test_a_file_that_is_in_the_way_is_told_before_anything_is_written(
    tmp_path: Path, diff: str, path: str, sentence: str
) -> None:
    fill(tmp_path, {"a": b"1\n", "d/e": b"2\n"})
    before = look(tmp_path)
    for tree in (tmp_path, {"a": "1\n", "d/e": "2\n"}):
        for write in (False, True):
            result = apply_to_tree(tree, diff, write=write)
            found = [(file.path, failure.message) for file in result.files for failure in file.result.failures]
            assert found == [(path, f"{sentence}: remove that first, or use another path.")]
            assert result.changes == ()
    assert look(tmp_path) == before


@pytest.mark.parametrize(
    ("diff", "after"),
    [
        (removed("a", "1") + made("a/x", "5"), {"a/x": "5\n", "d/e": "2\n"}),
        (made("a/x", "5") + removed("a", "1"), {"a/x": "5\n", "d/e": "2\n"}),
        (renamed("a", "f") + made("a/x", "5"), {"f": "1\n", "a/x": "5\n", "d/e": "2\n"}),
        (renamed("d/e", "d"), {"a": "1\n", "d": "2\n"}),
        # there and back
        (renamed("a", "a/x") + renamed("a/x", "a"), {"a": "1\n", "d/e": "2\n"}),
        (renamed("a", "f") + MAIL + renamed("f", "a"), {"a": "1\n", "d/e": "2\n"}),
        (renamed("a", "a/x") + MAIL + renamed("a/x", "a/y"), {"a/y": "1\n", "d/e": "2\n"}),
        (renamed("d/e", "d") + MAIL + renamed("d", "d/e"), {"a": "1\n", "d/e": "2\n"}),
        (made("n", "5") + MAIL + renamed("n", "n/x"), {"a": "1\n", "d/e": "2\n", "n/x": "5\n"}),
        (
            made("n", "5") + MAIL + renamed("n", "n/x") + MAIL + renamed("n/x", "n"),
            {"a": "1\n", "d/e": "2\n", "n": "5\n"},
        ),
    ],
)
def test_a_file_that_goes_is_not_in_the_way(tmp_path: Path, diff: str, after: dict[str, str]) -> None:
    fill(tmp_path, {"a": b"1\n", "d/e": b"2\n"})
    texts = {"a": "1\n", "d/e": "2\n"}
    assert apply_to_tree(texts, diff, write=True).ok
    assert texts == after
    assert apply_to_tree(tmp_path, diff, write=True).ok
    assert {path: data for path, (data, _) in look(tmp_path).items() if isinstance(data, bytes)} == {
        path: text.encode() for path, text in after.items()
    }


def test_a_name_whose_case_changes(tmp_path: Path) -> None:
    fill(tmp_path, {"a.py": b"a"})
    Directory(tmp_path).write([FileChange("a.py", "a", "a", moved_to="A.py")])
    assert look(tmp_path) == {"A.py": (b"a", 0o644)}
    # Where case does not count, the new name is there before: it is the same file.
    os.link(tmp_path / "A.py", tmp_path / "a.py")
    before = look(tmp_path)
    change = FileChange("A.py", "a", "a", moved_to="a.py")
    assert refused(lambda: Directory(tmp_path).write([change])) == "cannot write a.py: File exists"
    assert look(tmp_path) == before


def touched(path: Path) -> tuple[int, ...]:
    """Which file it is, and when it was last written or changed; that it was read does not matter."""
    status = path.stat()
    return status.st_ino, status.st_mode, status.st_mtime_ns, status.st_ctime_ns


def test_a_change_that_changes_nothing_touches_nothing(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a"})
    before = touched(tmp_path / "a")
    directory = Directory(tmp_path)
    directory.write([])
    directory.write([FileChange("a", "a", "a"), FileChange("b", None, None), FileChange("a", "a", "a", mode=0o644)])
    assert touched(tmp_path / "a") == before
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize(
    ("mode", "wanted", "after"),
    [
        (0o644, None, 0o644),
        (0o754, None, 0o754),
        (0o400, None, 0o400),
        (0o644, 0o755, 0o755),
        (0o640, 0o755, 0o750),
        (0o755, 0o644, 0o644),
        (0o4755, None, 0o755),
        (0o2755, None, 0o755),
        (0o6711, None, 0o711),
        (0o6755, 0o644, 0o644),
        (0o1644, None, 0o1644),
    ],
)
@pytest.mark.parametrize("moved_to", [None, "b"])
def test_the_mode_is_kept_but_for_what_lends_rights(
    tmp_path: Path, mode: int, wanted: int | None, after: int, moved_to: str | None
) -> None:
    if mode == 0o400 and not is_root:
        pytest.skip("cannot be written")
    fill(tmp_path, {"a": b"a"})
    (tmp_path / "a").chmod(mode)
    Directory(tmp_path).write([FileChange("a", "a", "A", moved_to=moved_to, mode=wanted)])
    assert look(tmp_path) == {moved_to or "a": (b"A", after)}


@pytest.mark.parametrize(("mask", "wanted", "mode"), [(0o027, None, 0o640), (0o027, 0o755, 0o750), (0, 0o644, 0o666)])
def test_a_new_file_has_the_mode_that_new_files_have(tmp_path: Path, mask: int, wanted: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        Directory(tmp_path).write([FileChange("a", None, "A", mode=wanted)])
    finally:
        os.umask(before)
    assert look(tmp_path) == {"a": (b"A", mode)}


@pytest.mark.parametrize(("forbidden", "asked"), [("", 1), ("owner", 2), ("owner and group", 2)])
def test_owner_and_group_are_kept_where_that_is_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forbidden: str, asked: int
) -> None:
    fill(tmp_path, {"a": b"a"})
    status = (tmp_path / "a").stat()
    attempts: list[tuple[int, int]] = []

    def chown(_: str, owner: int, group: int, **__: object) -> None:
        attempts.append((owner, group))
        if ("owner" if owner != -1 else "group") in forbidden:
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", chown)
    Directory(tmp_path).write([FileChange("a", "a", "A"), FileChange("new", None, "N")])
    assert attempts == [(status.st_uid, status.st_gid), (-1, status.st_gid)][:asked]
    assert look(tmp_path) == {"a": (b"A", 0o644), "new": (b"N", 0o644)}


@pytest.mark.skipif(not is_root, reason="only root gives files away")
def test_root_leaves_a_file_to_its_owner(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a"})
    os.chown(tmp_path / "a", 12345, 23456)
    Directory(tmp_path).write([FileChange("a", "a", "A")])
    status = (tmp_path / "a").stat()
    assert (status.st_uid, status.st_gid) == (12345, 23456)


def test_a_file_that_is_read_only_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"a": b"a"})
    (tmp_path / "a").chmod(0o444)
    opened = os.open

    def as_user(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if str(path).endswith("a") and flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", as_user)
    for after in ("A", None):
        change = FileChange("a", "a", after)
        assert refused(lambda change=change: Directory(tmp_path).write([change])) == (  # type: ignore[misc]
            "cannot write a: Permission denied"
        )
    assert look(tmp_path) == {"a": (b"a", 0o444)}


def test_other_hard_links_keep_the_old_text(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a"})
    os.link(tmp_path / "a", tmp_path / "b")
    Directory(tmp_path).write([FileChange("a", "a", "A")])
    assert look(tmp_path) == {"a": (b"A", 0o644), "b": (b"a", 0o644)}


def without_links(*_: object, **__: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def test_where_there_are_no_hard_links_files_are_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"a": b"a", "b": b"b"})
    monkeypatch.setattr(os, "link", without_links)
    directory = Directory(tmp_path)
    directory.write([FileChange("a", "a", "A"), FileChange("c/d", None, "D")])
    assert [directory.read(path) for path in ("a", "b", "c/d")] == ["A", "b", "D"]
    before = look(tmp_path)
    original = folder.Folder.rmdir

    def someone_else(self: folder.Folder, name: str) -> None:
        original(self, name)
        (tmp_path / name).write_text("new")

    monkeypatch.setattr(folder.Folder, "rmdir", someone_else)
    changes = [FileChange("c/d", "D", None), FileChange("c", None, "C"), FileChange("a", "A", "AA")]
    complaint = refused(lambda: directory.write(changes))
    assert "c" in complaint
    monkeypatch.undo()
    (tmp_path / "c").unlink()
    Directory(tmp_path)
    assert look(tmp_path) == before


# --- others at the same time


@pytest.mark.parametrize(("after", "moved_to"), [("A", None), (None, None), ("A", "b")])
def test_what_changes_between_the_check_and_the_move_is_left_alone(
    tmp_path: Path, after: str | None, moved_to: str | None
) -> None:
    complaints: list[str] = []
    while not complaints or complaints[-1]:
        number = len(complaints)
        root = fill(tmp_path / str(number), {"a": b"a"})
        calls = iter(range(10_000))

        def edit(name: str, root: Path = root, number: int = number, calls: Any = calls) -> None:
            if name != "replace" and next(calls) == number and (root / "a").exists():
                (root / "a").write_bytes(b"by hand")

        with interposed(edit):
            try:
                Directory(root).write([FileChange("a", "a", after, moved_to=moved_to)])
                complaints.append("")
            except TreeError as error:
                complaints.append(str(error))
        assert not complaints[-1] or look(root) == {"a": (b"by hand", 0o644)}
    assert len(complaints) > 3
    assert set(complaints) == {"", "cannot write a: it has changed in the meantime"}


def test_two_writers_take_turns(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a", "b": b"b"})
    at_work, done = threading.Event(), threading.Event()

    def wait(_: str) -> None:
        at_work.set()
        done.wait(10)

    def first() -> None:
        with interposed(lambda name: wait(name) if name == "link" else None):
            Directory(tmp_path).write([FileChange("a", "a", "A")])

    thread = threading.Thread(target=first)
    thread.start()
    at_work.wait(10)
    second = Directory(tmp_path)  # leaves the other alone
    assert second.read("b") == "b"
    complaint = refused(lambda: second.write([FileChange("b", "b", "B")]))
    done.set()
    thread.join()
    assert complaint == f"cannot write to {tmp_path}: another program is writing to it"
    second.write([FileChange("b", "b", "B")])
    assert look(tmp_path) == {"a": (b"A", 0o644), "b": (b"B", 0o644)}


@pytest.mark.parametrize("moment", ["before it is opened", "before it is locked", "when it is locked"])
def test_a_writer_that_finishes_while_the_next_one_opens_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    fill(tmp_path, {"a": b"a"})
    directory = Directory(tmp_path)
    opened, locked, flock = folder.Folder.folder, folder.Folder.locked, folder.fcntl.flock
    moments: list[str] = []

    def finish(now: str) -> None:
        if now == moment and moments:
            moments.clear()
            shutil.rmtree(tmp_path / JOURNAL)

    def open_folder(self: folder.Folder, name: str) -> folder.Folder:
        finish("before it is opened")
        return opened(self, name)

    def lock_folder(self: folder.Folder, name: str) -> Any:
        finish("before it is locked")
        return locked(self, name)

    def lock_file(descriptor: int, how: int) -> None:
        finish("when it is locked")
        flock(descriptor, how)

    monkeypatch.setattr(folder.Folder, "folder", open_folder)
    monkeypatch.setattr(folder.Folder, "locked", lock_folder)
    monkeypatch.setattr(folder.fcntl, "flock", lock_file)
    for action in (lambda: Directory(tmp_path), lambda: directory.write([FileChange("a", "a", "A")])):
        (tmp_path / JOURNAL).mkdir(0o700)
        moments.append(moment)
        action()
        assert moments == []
    assert look(tmp_path) == {"a": (b"A", 0o644)}


def test_without_locks_it_works_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"a": b"a"})
    monkeypatch.setattr(folder, "fcntl", None)
    Directory(tmp_path).write([FileChange("a", "a", "A")])
    assert look(tmp_path) == {"a": (b"A", 0o644)}


# --- what is left behind


def journal(root: Path, files: dict[str, bytes]) -> None:
    """A journal with these files in it."""
    (root / JOURNAL).mkdir(0o700, parents=True)
    fill(root / JOURNAL, files)


def half_done(root: Path) -> None:
    """The writer is killed when `a` is changed, `b` is removed, and `c` has just been made."""
    fill(root, {"a": b"a", "b": b"b"})
    done: list[str] = []

    def kill(name: str) -> None:
        done.append(name)
        if "unlink" in done:
            raise Killed

    with interposed(kill), pytest.raises(Killed):
        Directory(root).write([FileChange("a", "a", "A"), FileChange("b", "b", None), FileChange("c", None, "C")])
    assert sorted(os.listdir(root)) == [JOURNAL, "a", "c"]


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("a", f"a was changed by someone else; the old one is {JOURNAL}/0.old"),
        ("b", f"b was changed by someone else; the old one is {JOURNAL}/1.old"),
        ("c", "c was changed by someone else"),
    ],
)
def test_work_that_came_after_a_crash_is_not_undone(tmp_path: Path, path: str, complaint: str) -> None:
    half_done(tmp_path / "tree")
    (tmp_path / "tree" / path).write_text("by hand")
    before = look(tmp_path / "tree")
    root = str(tmp_path / "tree")
    assert refused(lambda: Directory(root)) == f"cannot open {root}: cannot undo what is in {JOURNAL}: {complaint}"
    assert look(tmp_path / "tree") == before


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b'{"steps": 1, "emptied": [], "made": []}',
        b'{"steps": [[1, "a", null, null]], "emptied": [], "made": []}',
        b'{"steps": [["a", "a", [1, 2], null]], "emptied": [], "made": []}',
        b'{"steps": [], "emptied": [["a", "x"]], "made": []}',
    ],
)
def test_a_manifest_that_is_none_is_left_alone(tmp_path: Path, manifest: bytes) -> None:
    journal(tmp_path, {"lock": b"", "manifest": manifest, "0.old": b"x"})
    fill(tmp_path, {"a": b"a"})
    before = look(tmp_path)
    assert refused(lambda: Directory(tmp_path)) == (
        f"cannot open {tmp_path}: cannot undo what is in {JOURNAL}: its manifest was not written by this program"
    )
    assert look(tmp_path) == before


@pytest.mark.parametrize("path", ["../outside", "/etc/passwd", ".git/config", "link/outside"])
def test_a_manifest_leads_nowhere(tmp_path: Path, path: str) -> None:
    root = tmp_path / "tree"
    fill(tmp_path, {"outside": b"x"})
    steps = f'{{"steps": [["{path}", null, null, null]], "emptied": [], "made": []}}'
    journal(root, {"lock": b"", "manifest": steps.encode(), "0.old": b"evil"})
    fill(root, {".git/config": b"x"})
    (root / "link").symlink_to("..")
    before = look(tmp_path)
    assert refused(lambda: Directory(root)).startswith(f"cannot open {root}: cannot undo what is in {JOURNAL}: ")
    assert look(tmp_path) == before


def test_what_else_is_in_the_journal_is_swept_away_if_it_can_be(tmp_path: Path) -> None:
    journal(tmp_path, {"0.new": b"x", "folder/x": b"x"})
    fill(tmp_path, {"a": b"a"})
    directory = Directory(tmp_path)
    directory.write([FileChange("a", "a", "A")])
    assert sorted(look(tmp_path)) == [JOURNAL, f"{JOURNAL}/folder", f"{JOURNAL}/folder/x", "a"]
    assert directory.read("a") == "A"


def test_a_journal_that_others_may_have_written_is_not_believed(tmp_path: Path, way: str) -> None:
    if way == "paths":
        pytest.skip("nobody is asked")
    steps = b'{"steps": [["a", null, null, null]], "emptied": [], "made": []}'
    journal(tmp_path, {"lock": b"", "manifest": steps, "0.old": b"evil"})
    fill(tmp_path, {"a": b"a"})
    (tmp_path / "a").unlink()
    (tmp_path / JOURNAL).chmod(0o755)  # as git makes folders
    before = look(tmp_path)
    directory = Directory(tmp_path)
    assert directory.read("a") is None
    assert refused(lambda: directory.write([FileChange("a", None, "x")])) == (
        f"cannot write to {tmp_path}: {JOURNAL} was not made by this user, or not by this program"
    )
    assert refused(directory.check_journal) == (
        f"cannot write to {tmp_path}: {JOURNAL} was not made by this user, or not by this program"
    )
    assert look(tmp_path) == before
    if is_root:
        (tmp_path / JOURNAL).chmod(0o700)
        os.chown(tmp_path / JOURNAL, 12345, 12345)
        assert Directory(tmp_path).read("a") is None


def test_a_journal_of_this_program_is_in_the_way_of_nothing(tmp_path: Path) -> None:
    directory = Directory(tmp_path)
    directory.check_journal()
    journal(tmp_path, {"lock": b""})
    directory.check_journal()
    directory.write([FileChange("a", None, "x")])
    assert look(tmp_path) == {"a": (b"x", look(tmp_path)["a"][1])}


def test_something_else_may_have_the_name_of_the_journal(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).symlink_to("/etc")
    assert refused(lambda: Directory(tmp_path)) == (
        f"cannot open {tmp_path}: {JOURNAL} is a symbolic link, and no path leads through one"
    )


def test_what_cannot_be_undone_now_is_undone_later(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a", "b": b"b"})
    before = look(tmp_path)
    links = iter(range(10_000))

    def fail(name: str) -> None:
        if name == "link" and next(links) == 1:
            (tmp_path / "b").write_text("by hand")
            os.utime(tmp_path / "b", ns=(0, 0))
        if name == "replace" and (tmp_path / JOURNAL / "1.old").exists():
            raise OSError(errno.EIO, "Input/output error")

    with interposed(fail):
        complaint = refused(lambda: Directory(tmp_path).write([FileChange("a", "a", "A"), FileChange("b", "b", "B")]))
    assert complaint == (
        "the change failed half-way, and is undone when the tree is next opened: [Errno 5] Input/output error"
    )
    Directory(tmp_path)
    assert look(tmp_path) == {**before, "b": (b"by hand", 0o644)}


def test_everything_is_on_the_disk_before_the_next_step(tmp_path: Path, way: str) -> None:
    fill(tmp_path, {"sub/a": b"a"})
    done: list[str] = []
    with interposed(done.append):
        Directory(tmp_path).write([FileChange("sub/a", "a", "A")])
    sync = ["fsync"] if way == "descriptors" else []  # of a folder
    assert done == [
        *("mkdir", "open"),  # the journal, and its lock
        *("open", "fsync", "chown", "chmod"),  # the new file
        *("open", "fsync", "replace", *sync, *sync),  # its manifest; the journal and the root
        *("link", "replace", *sync),  # the old file is kept, the new one comes, and is in its folder
        *("unlink", *sync, "unlink", "unlink", "rmdir"),  # the manifest goes, and then the rest
    ]
