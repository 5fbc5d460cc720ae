"""Checkpoints: everything comes back byte by byte, and what is the user's is not touched."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from streamparse.workspace import Checkpoint, CheckpointError, Checkpoints, checkpoints, shadow_git
from tests.directory.trees import fill, look
from tests.workspace.kit import alone_on_path, first_on_path, program


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without settings, and a user without a name."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


@pytest.fixture
def kept(root: Path, tmp_path: Path) -> Checkpoints:
    return Checkpoints(root, store=tmp_path / "store", large=1_000)


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def files(root: Path) -> dict[str, Any]:
    """What is in the root but for folders, which git does not know."""
    return {
        path: data for path, data in look(root).items() if not isinstance(data, tuple) or isinstance(data[0], bytes)
    }


def fingerprint(folder: Path) -> dict[str, object]:
    """All bytes, modes and times below."""
    return {
        str(path): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None,
        )
        for path in sorted(folder.rglob("*"))
    }


# --- saving, restoring, comparing


def test_files_come_back_and_new_ones_go(root: Path, kept: Checkpoints) -> None:
    fill(root, {"a": b"1\n", "sub/b": b"2\n", "gone/c": b"3\n"})
    before = files(root)
    first = kept.save("  before\n write_file ")
    assert (first.label, first.left_out) == ("before write_file", ())
    fill(root, {"a": b"changed\n", "new/deep/d": b"4\n"})
    (root / "gone/c").unlink()
    (root / "gone").rmdir()
    changed = files(root)
    assert kept.diff(first) == (
        "diff --git a/a b/a\nindex d00491f..5ea2ed4 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+changed\n"
        "diff --git a/gone/c b/gone/c\ndeleted file mode 100644\nindex 00750ed..0000000\n--- a/gone/c\n+++ /dev/null\n"
        "@@ -1 +0,0 @@\n-3\ndiff --git a/new/deep/d b/new/deep/d\nnew file mode 100644\nindex 0000000..b8626c4\n"
        "--- /dev/null\n+++ b/new/deep/d\n@@ -0,0 +1 @@\n+4\n"
    )
    undo = kept.restore(first)
    assert files(root) == before
    assert not (root / "new").exists()
    assert kept.diff(first) == ""
    assert kept.list() == [first, undo]
    assert kept.diff(first, undo).startswith("diff --git a/a b/a\n")
    again = kept.restore(undo.id)
    assert files(root) == changed
    kept.restore(again)
    assert files(root) == before


def test_a_folder_without_files(root: Path, kept: Checkpoints) -> None:
    first = kept.save()
    fill(root, {"a": b"1\n"})
    kept.restore(first)
    assert files(root) == {}
    assert kept.list()[0] == first


def test_a_file_becomes_a_folder_and_back(root: Path, kept: Checkpoints) -> None:
    fill(root, {"a": b"file\n", "b/c": b"in a folder\n"})
    first = kept.save()
    (root / "a").unlink()
    (root / "b/c").unlink()
    (root / "b").rmdir()
    fill(root, {"a/x/y": b"in a folder\n", "b": b"file\n"})
    second = kept.save()
    kept.restore(first)
    assert files(root) == {"a": (b"file\n", 0o644), "b/c": (b"in a folder\n", 0o644)}
    kept.restore(second)
    assert files(root) == {"a/x/y": (b"in a folder\n", 0o644), "b": (b"file\n", 0o644)}


def test_links_come_back_as_links_and_are_not_followed(root: Path, tmp_path: Path, kept: Checkpoints) -> None:
    outside = fill(tmp_path / "outside", {"b": b"secret\n", "x": b"secret\n"})
    fill(root, {"a": b"1\n", "folder/b": b"2\n"})
    (root / "link").symlink_to("a")
    (root / "dangling").symlink_to("../nowhere")
    before, secret = files(root), look(outside)
    first = kept.save()
    (root / "link").unlink()
    (root / "link").write_text("a file now")
    (root / "dangling").unlink()
    (root / "folder/b").unlink()
    (root / "folder").rmdir()
    (root / "folder").symlink_to("../outside")
    assert "secret" not in kept.diff(first)
    undo = kept.restore(first)
    assert (files(root), look(outside)) == (before, secret)
    kept.restore(undo)
    assert os.readlink(root / "folder") == "../outside"
    assert look(outside) == secret


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o400, 0o700, 0o750, 0o664, 0o755])
def test_modes_come_back(root: Path, kept: Checkpoints, mode: int) -> None:
    fill(root, {"a": b"1\n", "b": b"2\n", "c": b"3\n"})
    for name in "abc":
        (root / name).chmod(mode)
    first = kept.save()
    (root / "a").chmod(0o644)
    (root / "a").write_bytes(b"changed\n")
    (root / "b").unlink()
    (root / "c").chmod(0o604)
    kept.restore(first)
    usual = {0o664: 0o644}.get(mode, mode)  # by the mask of the process
    assert {name: stat.S_IMODE((root / name).stat().st_mode) for name in "abc"} == dict.fromkeys("abc", usual)


def test_what_was_for_all_is_for_all_again(root: Path, kept: Checkpoints) -> None:
    fill(root, {"a": b"1\n", "b": b"2\n"})
    (root / "b").chmod(0o755)
    first = kept.save()
    (root / "a").chmod(0o600)
    (root / "b").chmod(0o700)
    fill(root, {"private": b"3\n"})
    (root / "private").chmod(0o600)
    kept.restore(first)
    assert files(root) == {"a": (b"1\n", 0o644), "b": (b"2\n", 0o755)}


def test_any_name(root: Path, kept: Checkpoints) -> None:
    names = ["two\nlines", 'quo"ted', "back\\slash", "tab\t", " blank ", "-", "--all", "é", "*", ":(top)x", "#", "\x7f"]
    fill(
        root,
        {**{f"{name}/{name}": b"1\n" for name in names}, os.fsdecode(b"caf\xe9"): b"1\n", "large\nfile": b"x" * 1_001},
    )
    before = files(root)
    first = kept.save("\ud800 label é")
    assert (first.label, first.left_out) == ("\ud800 label é", ("large\nfile",))
    assert kept.list() == [first]
    for name in names:
        (root / name / name).unlink()
        (root / name).rmdir()
    (root / os.fsdecode(b"caf\xe9")).write_bytes(b"\xff")
    kept.diff(first).encode()  # it can be shown
    kept.restore(first)
    assert files(root) == before


def test_bytes_are_bytes_whatever_attributes_say(root: Path, kept: Checkpoints) -> None:
    fill(root, {
        ".gitattributes": b"* text=auto eol=lf ident\n*.u16 working-tree-encoding=UTF-16\n*.lock -diff\n* filter=x\n",
        "crlf": b"a\r\nb\n", "ident": b"$Id$\n", "x.u16": b"not utf-16", "binary": b"\0\xff", "no-newline": b"a",
        "sub/.gitattributes": b"* eol=crlf\n", "sub/lf": b"a\n", "x.lock": b"1\n",
    })  # fmt: skip
    before = files(root)
    first = kept.save()
    for path in [*before]:
        (root / path).write_bytes(b"changed\n")
    assert "-1\n+changed\n" in kept.diff(first)
    kept.restore(first)
    assert files(root) == before


# --- what is left out


def test_what_is_ignored_or_large_stays_as_it_is(root: Path, kept: Checkpoints) -> None:
    fill(
        root, {".gitignore": b"*.log\nbuild/\n", "a": b"1\n", "x.log": b"1\n", "build/b": b"1\n", "large": b"x" * 1_001}
    )
    fill(root, {"sub/.gitignore": b"!*.log\n", "sub/y.log": b"1\n"})
    first = kept.save()
    assert first.left_out == ("large",)
    fill(root, {"x.log": b"2\n", "build/b": b"2\n", "large": b"y" * 1_002, "sub/y.log": b"2\n", "a": b"2\n"})
    kept.restore(first)
    assert [(root / path).read_bytes()[:2] for path in ("a", "x.log", "build/b", "large", "sub/y.log")] == [
        *(b"1\n", b"2\n", b"2\n", b"yy", b"1\n"),
    ]


def test_a_file_that_was_large_or_becomes_so_stays(root: Path, kept: Checkpoints) -> None:
    fill(root, {"grows": b"1\n", "shrinks": b"x" * 1_001})
    first = kept.save()
    fill(root, {"grows": b"x" * 1_001, "shrinks": b"1\n"})
    second = kept.save()
    assert (first.left_out, second.left_out) == (("shrinks",), ("grows",))
    kept.restore(first)
    assert (root / "grows").stat().st_size == 1_001
    assert (root / "shrinks").read_bytes() == b"1\n"


def test_what_was_kept_once_is_kept_although_it_is_ignored_later(root: Path, kept: Checkpoints) -> None:
    fill(root, {"a": b"1\n"})
    first = kept.save()
    fill(root, {".gitignore": b"a\n", "a": b"2\n"})
    undo = kept.restore(first)
    assert files(root) == {"a": (b"1\n", 0o644)}
    kept.restore(undo)
    assert (root / "a").read_bytes() == b"2\n"


def test_a_file_that_cannot_be_read_is_left_out(root: Path, kept: Checkpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root, {"a": b"1\n", "secret": b"1\n"})
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: access(path, mode) and not str(path).endswith("secret"))
    assert kept.save().left_out == ("secret",)


@pytest.mark.parametrize("name", ["git~1", ".GIT", ".git. ", ".git::$INDEX_ALLOCATION"])
def test_what_could_be_taken_for_a_repository_is_left_out(root: Path, kept: Checkpoints, name: str) -> None:
    path = f"folder/{name}/x"
    fill(root, {path: b"1\n", "a": b"1\n"})
    first = kept.save()
    assert first.left_out == (path,)
    fill(root, {path: b"2\n", "a": b"2\n"})
    kept.restore(first)
    assert files(root) == {path: (b"2\n", 0o644), "a": (b"1\n", 0o644)}


def test_the_journal_of_a_write_is_no_file_of_the_user(root: Path, kept: Checkpoints) -> None:
    fill(root, {"a": b"1\n", ".streamparse-journal/0.new": b"2\n"})
    first = kept.save()
    (root / ".streamparse-journal/0.new").unlink()
    (root / ".streamparse-journal").rmdir()
    assert kept.diff(first) == ""


def test_pipes_and_sockets_are_nobodys(root: Path, kept: Checkpoints) -> None:
    os.mkfifo(root / "pipe")
    fill(root, {"a": b"1\n"})
    first = kept.save()
    (root / "a").unlink()
    os.mkfifo(root / "a")
    assert kept.diff(first).startswith("diff --git a/a b/a\ndeleted file mode 100644\n")
    assert stat.S_ISFIFO((root / "pipe").stat().st_mode)


@pytest.mark.parametrize(
    ("before", "now", "culprit"),
    [
        ({"x": b"1\n"}, {"x/a": b"2\n", "x/kept.log": b"3\n"}, "x/kept.log"),
        ({"x": b"1\n"}, {"x/a": b"2\n", "x/large": b"y" * 1_001}, "x/large"),
        ({"x.log/a": b"1\n"}, {"x.log": b"3\n"}, "x.log"),
        ({"d/x/y/a": b"1\n"}, {"d/x/y": b"y" * 1_001}, "d/x/y"),
    ],
)
def test_what_is_in_no_checkpoint_is_not_overwritten(
    root: Path, kept: Checkpoints, before: dict[str, bytes], now: dict[str, bytes], culprit: str
) -> None:
    fill(root, {"other": b"1\n", **before})
    first = kept.save()
    for path in before:
        (root / path).unlink()
        for parent in Path(path).parents:
            if parent != Path("."):
                (root / parent).rmdir()
    fill(root, {".gitignore": b"*.log\n", "other": b"2\n", **now})
    there = files(root)
    with pytest.raises(CheckpointError) as failure:
        kept.restore(first)
    assert str(failure.value) == f"{culprit} is in the way, and in no checkpoint: nothing was restored"
    assert files(root) == there


def test_a_link_is_in_the_way_as_well(root: Path, kept: Checkpoints) -> None:
    fill(root, {"x": b"1\n"})
    first = kept.save()
    (root / "x").unlink()
    fill(root, {"x/a": b"1\n", "folder/b": b"1\n", ".gitignore": b"link\n"})
    (root / "x/link").symlink_to("../folder")
    with pytest.raises(CheckpointError, match=r"^x/link is in the way"):
        kept.restore(first)


# --- the user's repository


def test_the_users_repository_is_not_touched(root: Path, home: Path, kept: Checkpoints) -> None:
    (home / ".gitconfig").write_text("[core]\n\thooksPath = /nowhere\n[commit]\n\tgpgSign = true\n")
    git(root, "init", "--quiet")
    fill(root, {"a": b"1\n", "staged": b"1\n", "sub/b": b"1\n"})
    git(root, "add", "a", "sub")
    git(root, "-c", "commit.gpgSign=false", "commit", "--quiet", "-m", "first")
    git(root, "add", "staged")
    fill(root, {"a": b"2\n", "untracked": b"1\n"})
    before, status = fingerprint(root / ".git"), git(root, "--no-optional-locks", "status", "--porcelain")
    first = kept.save()
    fill(root, {"a": b"3\n", "new": b"1\n"})
    kept.diff(first)
    kept.restore(first)
    assert fingerprint(root / ".git") == before
    assert git(root, "--no-optional-locks", "status", "--porcelain") == status
    assert (root / "a").read_bytes() == b"2\n"


def test_variables_of_git_lead_nowhere(
    root: Path, tmp_path: Path, kept: Checkpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "--quiet", "other")
    other = fingerprint(tmp_path / "other")
    for name, value in {
        "GIT_DIR": str(tmp_path / "other/.git"), "GIT_WORK_TREE": "/", "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "objects"), "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true", "GIT_EXTERNAL_DIFF": "false", "GIT_COMMITTER_DATE": "nonsense",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    fill(root, {"a": b"1\n"})
    first = kept.save()
    fill(root, {"a": b"2\n"})
    assert "-1\n+2\n" in kept.diff(first)
    kept.restore(first)
    assert fingerprint(tmp_path / "other") == other
    assert not (tmp_path / "index").exists()
    assert not (tmp_path / "objects").exists()


def test_neither_hooks_nor_filters_are_run(root: Path, tmp_path: Path, home: Path) -> None:
    marker = tmp_path / "ran"
    evil = program(tmp_path / "bin", "evil", f"echo $0 >> {marker}; cat")
    for hook in ("pre-commit", "post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        program(tmp_path / "hooks", hook, f"echo {hook} >> {marker}")
        program(home / "template/hooks", hook, f"echo {hook} >> {marker}")
    (home / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {tmp_path}/hooks\n\tfsmonitor = {evil}\n\tpager = {evil}\n[init]\n\ttemplateDir = "
        f'{home}/template\n[filter "evil"]\n\tclean = {evil}\n\tsmudge = {evil}\n\trequired = true\n[diff]\n'
        f'\texternal = {evil}\n[diff "evil"]\n\ttextconv = {evil}\n\tcommand = {evil}\n'
    )
    git(root, "init", "--quiet")
    marker.unlink(missing_ok=True)
    fill(root, {".gitattributes": b"* filter=evil diff=evil\n", "a": b"1\n"})
    kept = Checkpoints(root, store=tmp_path / "store", keep=1)
    first = kept.save()
    fill(root, {"a": b"2\n"})
    kept.diff(first)
    kept.restore(first)
    assert not marker.exists()
    assert (root / "a").read_bytes() == b"1\n"


def test_repositories_within_the_folder_are_folders(root: Path, kept: Checkpoints) -> None:
    for name in ("sub", "sub/inner", "ignored"):
        (root / name).mkdir()
        git(root / name, "init", "--quiet")
    fill(root, {"a": b"1\n", "sub/a": b"1\n", "sub/inner/b": b"1\n", "sub/c.log": b"1\n", "ignored/d": b"1\n"})
    fill(root, {".gitignore": b"ignored/\n", "sub/.gitignore": b"*.log\n", "c.log": b"1\n"})
    repositories = {name: fingerprint(root / name / ".git") for name in ("sub", "sub/inner", "ignored")}
    first = kept.save()
    fill(root, dict.fromkeys(("a", "sub/a", "sub/inner/b", "sub/c.log", "ignored/d", "c.log", "sub/new"), b"2\n"))
    kept.restore(first)
    assert [
        (root / path).read_bytes() for path in ("a", "sub/a", "sub/inner/b", "sub/c.log", "ignored/d", "c.log")
    ] == [
        *(b"1\n", b"1\n", b"1\n", b"2\n", b"2\n", b"1\n"),
    ]
    assert not (root / "sub/new").exists()
    assert {name: fingerprint(root / name / ".git") for name in repositories} == repositories


def test_a_root_within_another_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "outer")
    outer = tmp_path / "outer"
    root = fill(outer / "root", {"a": b"1\n", "x.log": b"1\n"})
    fill(outer, {".gitignore": b"*.log\nroot/\n", "b": b"1\n"})
    git(outer, "add", "--all")
    before = fingerprint(outer / ".git")
    kept = Checkpoints(root, store=tmp_path / "store")
    first = kept.save()
    fill(root, {"a": b"2\n", "x.log": b"2\n"})
    fill(outer, {"b": b"2\n"})
    kept.restore(first)
    assert [(outer / path).read_bytes() for path in ("root/a", "root/x.log", "b")] == [b"1\n", b"1\n", b"2\n"]
    assert fingerprint(outer / ".git") == before


def test_a_git_in_the_root_is_not_the_one_that_is_run(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(root / "bin", "git", f"touch {tmp_path}/ran")
    first_on_path(monkeypatch, root / "bin", ".")
    monkeypatch.chdir(root / "bin")
    Checkpoints(root, store=tmp_path / "store").save()
    assert not (tmp_path / "ran").exists()


# --- the store


def test_checkpoints_are_kept_where_nobody_else_looks(root: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Checkpoints(root).save()
    (store,) = (home / ".cache/streamparse/checkpoints").iterdir()
    assert stat.S_IMODE(store.stat().st_mode) == 0o700
    assert [one.label for one in Checkpoints(root).list()] == [""]
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "caches"))
    Checkpoints(root)
    assert os.listdir(home / "caches/streamparse/checkpoints") == [store.name]


def test_what_cannot_be(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(root)
    for store in (root, root / "sub/store", tmp_path / "link/store"):
        with pytest.raises(
            ValueError, match=r"^the checkpoints of .* cannot be kept in it, at .*: choose another store"
        ):
            Checkpoints(root, store=store)
    with pytest.raises(ValueError, match=r"^keep must be at least 1, not 0$"):
        Checkpoints(root, store=tmp_path / "store", keep=0)
    with pytest.raises(CheckpointError, match=r"^git init: .*No such file"):
        Checkpoints(tmp_path / "missing", store=tmp_path / "store")
    alone_on_path(monkeypatch, tmp_path / "bin", "bash")
    with pytest.raises(CheckpointError, match=r"^checkpoints need git, and there is none outside of .+$"):
        Checkpoints(root, store=tmp_path / "store")


def test_what_git_says_is_told(root: Path, tmp_path: Path, kept: Checkpoints) -> None:
    (tmp_path / "store/HEAD").unlink()
    with pytest.raises(CheckpointError, match=r"^git ls-files: fatal: not a git repository"):
        kept.save()


@pytest.mark.parametrize("name", ["0" * 40, "HEAD", "--all", "", "refs/checkpoints/1"])
def test_only_what_is_in_the_list_is_a_checkpoint(root: Path, kept: Checkpoints, name: str) -> None:
    kept.save()
    for action in (kept.restore, kept.diff):
        with pytest.raises(CheckpointError) as failure:
            action(name)
        assert str(failure.value) == f"there is no checkpoint {name!r}: it may have been pruned"
    with pytest.raises(CheckpointError):
        kept.restore(Checkpoint(name, "", 0.0))


def test_old_and_surplus_checkpoints_are_pruned(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Checkpoints(root, store=tmp_path / "store", keep=2, days=1)
    labels: list[list[str]] = []
    for number in range(3):
        fill(root, {"a": b"%d\n" % number})
        kept.save(str(number))
        labels.append([one.label for one in kept.list()])
    assert labels == [["0"], ["0", "1"], ["1", "2"]]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 2 * 86_400)
    kept.save("later")
    assert [one.label for one in kept.list()] == ["later"]


def test_the_oldest_can_be_restored_although_there_is_no_room_for_one_more(root: Path, tmp_path: Path) -> None:
    kept = Checkpoints(root, store=tmp_path / "store", keep=1)
    fill(root, {"a": b"1\n"})
    first = kept.save()
    fill(root, {"a": b"2\n"})
    undo = kept.restore(first)
    assert (root / "a").read_bytes() == b"1\n"
    kept.restore(undo)
    assert (root / "a").read_bytes() == b"2\n"


def test_what_is_pruned_takes_no_room(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "_LOOSE", 30)
    kept = Checkpoints(root, store=tmp_path / "store", keep=1)
    for number in range(5):
        fill(root, {f"{part}": os.urandom(10_000) for part in range(10)})
        kept.save(str(number))
    size = sum(path.stat().st_size for path in (tmp_path / "store").rglob("*") if path.is_file())
    assert size < 350_000


def test_several_at_once_wait_for_each_other(root: Path, tmp_path: Path) -> None:
    fill(root, {f"{number}": b"1\n" for number in range(20)})
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            kept = Checkpoints(root, store=tmp_path / "store")
            kept.diff(kept.save(str(number)))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(one.label for one in Checkpoints(root, store=tmp_path / "store").list()) == ["0", "1", "2", "3"]


def test_what_a_killed_process_has_left_is_removed(root: Path, tmp_path: Path, kept: Checkpoints) -> None:
    fill(root, {"a": b"1\n"})
    (tmp_path / "store/index.lock").write_bytes(b"")
    assert kept.save().left_out == ()


def test_without_locks_there_are_checkpoints_as_well(
    root: Path, kept: Checkpoints, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shadow_git, "fcntl", None)
    fill(root, {"a": b"1\n"})
    first = kept.save()
    (root / "a").unlink()
    kept.restore(first)
    assert files(root) == {"a": (b"1\n", 0o644)}
