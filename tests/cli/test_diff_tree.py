"""`streamparse diff PATCH --root DIR`: all files that a diff names, or none. And one file of a diff for several."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from streamparse.cli import main
from tests.cli.command import run
from tests.cli.terminal import Terminal
from tests.cli.test_without_extra import bare, run_bare
from tests.directory.trees import fill, look

assert bare  # the fixture: pytest finds it by its name in this module

FILES = {"src/a.py": b"x = 1\n", "src/b.py": b"y = 1\r\n", "old.txt": b"old\n", "run.sh": b"ls\n", "caf": b"caf\xe9\n"}
PATCH = """\
Here you are:

diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -1 +1 @@
-x = 1
+x = 2
diff --git a/src/b.py b/lib/c.py
rename from src/b.py
rename to lib/c.py
--- a/src/b.py
+++ b/lib/c.py
@@ -1 +1 @@
-y = 1
+y = 2
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-old
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/new/empty b/new/empty
new file mode 100644
index 0000000..e69de29
diff --git a/new/tool b/new/tool
new file mode 100755
--- /dev/null
+++ b/new/tool
@@ -0,0 +1 @@
+go
"""
SHOWN = PATCH.partition("\n\n")[2].replace("y = 1\n", "y = 1\r\n").replace("y = 2\n", "y = 2\r\n")
SUMMARY = """\
changed   src/a.py
moved     src/b.py -> lib/c.py
deleted   old.txt
changed   run.sh
created   new/empty
created   new/tool
"""
#: The same as long as nothing is written.
WOULD_BE = """\
would be changed src/a.py
would be moved   src/b.py -> lib/c.py
would be deleted old.txt
would be changed run.sh
would be created new/empty
would be created new/tool
"""
AFTER = {
    "src/a.py": b"x = 2\n",
    "lib/c.py": b"y = 2\r\n",
    "run.sh": b"ls\n",
    "new/empty": b"",
    "new/tool": b"go\n",
    "caf": b"caf\xe9\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patch").write_text(PATCH)
    return fill(tmp_path / "tree", FILES)


def texts(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_what_would_change_is_shown_and_nothing_is_written(root: Path) -> None:
    before = look(root)
    assert run("diff", "patch", "--root", "tree") == (0, SHOWN, WOULD_BE)
    assert look(root) == before


def test_all_of_it_is_written_on_request(root: Path) -> None:
    assert run("diff", "patch", "--root", "tree", "--write") == (0, SHOWN, SUMMARY)
    assert texts(root) == dict(sorted(AFTER.items()))
    assert [os.access(root / path, os.X_OK) for path in ("run.sh", "new/tool", "new/empty")] == [True, True, False]


def test_git_does_the_same_with_what_is_shown(root: Path, tmp_path: Path) -> None:
    shown = run("diff", "patch", "--root", "tree").out
    other = fill(tmp_path / "other", FILES)
    subprocess.run(["git", "apply", "-"], cwd=other, input=shown.encode(), check=True)
    assert run("diff", "patch", "--root", "tree", "--write").code == 0
    assert look(other) == look(root)


def test_files_as_they_would_be(root: Path) -> None:
    assert run("diff", "patch", "--root", "tree", "--preview") == (
        0,
        "==> src/a.py <==\nx = 2\n==> lib/c.py <==\ny = 2\r\n==> run.sh <==\nls\n"
        "==> new/empty <==\n==> new/tool <==\ngo\n",
        WOULD_BE,
    )


def test_a_file_that_ends_without_a_line_break_is_no_part_of_the_next_header(root: Path) -> None:
    hunk = "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
    patch = "".join(f"--- /dev/null\n+++ b/{name}\n{hunk}" for name in ("one", "two"))
    out = run("diff", "-", "--root", "tree", "--preview", stdin=patch.encode()).out
    assert out == "==> one <==\nx\n==> two <==\nx"


@pytest.mark.parametrize("options", [["--write"], []])
def test_one_part_that_fails_is_enough_to_write_nothing(root: Path, options: list[str]) -> None:
    before = look(root)
    patch = PATCH.replace("-old\n", "-mould\n")
    code, out, err = run("diff", "-", "--root", "tree", *options, stdin=patch.encode())
    lines = err.splitlines()
    assert (code, out) == (1, "")
    assert lines == [
        "old.txt: The line to be replaced is not in the file. Read the file again and repeat the hunk with its lines "
        "exactly as they are.",
        "None of the files was changed: send the whole diff again, with what was right and with this corrected.",
        *WOULD_BE.replace("would be deleted", "failed          ").splitlines(),
        f"streamparse: not everything could be applied{', nothing was written' if options else ''}",
    ]
    assert look(root) == before


@pytest.mark.parametrize(
    "path", ["../outside", "/etc/passwd", ".git/config", "link", "folder/file", "pipe", "a/../../outside", "C:\\x"]
)
def test_paths_that_lead_elsewhere_are_refused(root: Path, tmp_path: Path, path: str) -> None:
    fill(tmp_path, {"outside": b"x\n"})
    fill(root, {".git/config": b"x\n"})
    (root / "link").symlink_to("../outside")
    (root / "folder").symlink_to("..")
    os.mkfifo(root / "pipe")
    before = look(tmp_path)
    for patch in (
        f"*** Begin Patch\n*** Add File: {path}\n+evil\n*** Update File: src/a.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n",
        f"*** Begin Patch\n*** Update File: {path}\n@@\n-x\n+evil\n*** End Patch\n",
        f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch\n",
        f"*** Begin Patch\n*** Update File: src/a.py\n*** Move to: {path}\n@@\n-x = 1\n+x = 2\n*** End Patch\n",
        f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-x\n+evil\n",
        f"{path}\n<<<<<<< SEARCH\nx\n=======\nevil\n>>>>>>> REPLACE\n",
    ):
        assert run("diff", "-", "--root", "tree", "--write", stdin=patch.encode()).code == 1
        assert look(tmp_path) == before


def test_blocks_name_their_files(root: Path) -> None:
    block = "src/a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n"
    code, _, err = run("diff", "-", "--root", "tree", "--write", stdin=block.encode())
    assert (code, err) == (0, "changed   src/a.py\n")
    assert (root / "src/a.py").read_bytes() == b"x = 3\n"
    code, _, err = run("diff", "-", "--root", "tree", stdin=block.partition("\n")[2].encode())
    assert (code, err.splitlines()[-2]) == (1, "failed           (which file is not certain)")


def test_what_is_told_steers_no_terminal(root: Path) -> None:
    patch = b"*** Begin Patch\n*** Add File: \x1b[2J\xe2\x80\xae.py\n+\x1b[2J\n*** End Patch\n"
    code, out, err = run("diff", "-", "--root", "tree", stdin=patch)
    assert (code, err) == (0, "would be created \\x1b[2J\\u202e.py\n")
    assert out.endswith("\n+\x1b[2J\n")  # another program gets every byte
    Path("patch").write_bytes(patch)
    with Terminal("diff", "patch", "--root", "tree") as terminal:
        assert terminal.wait() == 0
    assert "\n+\\x1b[2J\n" in terminal.text()


def test_a_tree_that_cannot_be_written(root: Path) -> None:
    (root / ".streamparse-journal").write_text("in the way")
    complaint = "streamparse: cannot open tree: Not a directory\n"
    assert run("diff", "patch", "--root", "tree", "--write") == (1, "", complaint)
    complaint = "streamparse: cannot open nowhere: No such file or directory\n"
    assert run("diff", "patch", "--root", "nowhere") == (1, "", complaint)


def test_a_dry_run_says_what_writing_would_say(root: Path) -> None:
    (root / ".streamparse-journal").mkdir(0o755)
    (root / "src/.streamparse-journal").mkdir(0o755)
    Path("one").write_text("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n")
    why = ".streamparse-journal was not made by this user, or not by this program, nothing was written"
    for options, told in (
        (["one", "--root", "tree/src"], f"would be changed a.py\nstreamparse: cannot write to tree/src: {why}\n"),
        (["tree/src/a.py", "one"], f"would be changed tree/src/a.py\nstreamparse: cannot write tree/src/a.py: {why}\n"),
    ):
        for more in ([], ["--write"]):
            assert run("diff", *options, *more) == (1, "", told)


def test_it_works_without_the_extra(root: Path, bare: Path) -> None:
    fill(bare / "tree", {})
    assert run_bare(bare, "diff", "patch", "--root", "tree", "--write") == (0, SHOWN, SUMMARY)
    assert texts(root) == dict(sorted(AFTER.items()))


# --- encodings


LATIN = "--- a/caf\n+++ b/caf\n@@ -1 +1 @@\n-café\n+thé\n"


@pytest.mark.parametrize(
    ("before", "patch", "options", "after"),
    [
        (b"caf\xe9\n", LATIN.encode(), [], b"th\xe9\n"),
        (b"caf\xe9\n", LATIN.encode("latin-1"), [], b"th\xe9\n"),
        ("café\n".encode(), LATIN.encode(), [], "thé\n".encode()),
        ("café\n".encode("utf-16"), LATIN.encode(), [], "thé\n".encode("utf-16")),
        (b"\xfe\xff" + "café\n".encode("utf-16-be"), LATIN.encode(), [], b"\xfe\xff" + "thé\n".encode("utf-16-be")),
        (b"\xef\xbb\xbfcaf\xc3\xa9\n", LATIN.encode(), [], b"\xef\xbb\xbfth\xc3\xa9\n"),
        ("café\n".encode("cp437"), LATIN.encode(), ["--encoding", "cp437"], "thé\n".encode("cp437")),
        ("café\n".encode("cp437"), LATIN.encode("cp437"), ["--encoding", "cp437"], "thé\n".encode("cp437")),
        (b"caf\xe9\n", LATIN.replace("thé", "th€").encode(), [], None),
        (b"caf\xe9\n", LATIN.replace("thé", "th€").encode(), ["--encoding", "cp1252"], b"th\x80\n"),
        (b"caf\xe9\x93\n", LATIN.replace("-café", "-café\x93").encode(), [], b"th\xe9\n"),
        (b"caf\xe9\x93\n", LATIN.replace("-café", "-café\x93").replace("+thé", "+tü").encode(), [], None),
    ],
)
@pytest.mark.parametrize("names", [["-", "--root", "tree"], ["tree/caf", "-"]])
def test_a_file_keeps_its_encoding(
    root: Path, names: list[str], before: bytes, patch: bytes, options: list[str], after: bytes | None
) -> None:
    (root / "caf").write_bytes(before)
    dry = run("diff", *names, *options, stdin=patch)
    assert (dry.code, not dry.out, (root / "caf").read_bytes()) == (after is None, after is None, before)
    done = run("diff", *names, "--write", *options, stdin=patch)
    assert (done.code, done.out) == (dry.code, dry.out)
    assert (done.code, (root / "caf").read_bytes()) == ((1, before) if after is None else (0, after))


@pytest.mark.parametrize("options", [[], ["--write"]])
def test_a_character_that_the_encoding_of_a_file_does_not_have_is_told(root: Path, options: list[str]) -> None:
    patch = LATIN.replace("thé", "th€").encode()
    reason = "its encoding, latin-1, has no `€` (U+20AC). Write another character."
    failed = f"streamparse: not everything could be applied{', nothing was written' if options else ''}"
    code, out, err = run("diff", "tree/caf", "-", *options, stdin=patch)
    assert (code, out, err.splitlines()) == (
        1,
        "",
        [
            "Nothing was changed in tree/caf.",
            f"cannot write tree/caf: {reason}",
            f"{failed}; if FILE is in another encoding, give --encoding",
        ],
    )
    nothing = "None of the files was changed: send the whole diff again, with what was right and with this corrected."
    assert run("diff", "-", "--root", "tree", *options, stdin=patch) == (
        1,
        "",
        f"cannot write caf: {reason}\n{nothing}\nfailed           caf\n"
        f"{failed}; if a file is in another encoding, give --encoding\n",
    )
    # What else is wrong is told as well.
    code, out, err = run("diff", "tree/caf", "-", *options, stdin=patch + b"@@ -3 +3 @@\n-nowhere\n+x\n")
    assert (code, out, err.splitlines()) == (
        1,
        "",
        [
            "Nothing was changed in tree/caf.",
            "hunk 2: The line to be replaced is not in the file. Read the file again and repeat the hunk with its "
            "lines exactly as they are.",
            f"cannot write tree/caf: {reason}",
            "Send the whole patch again, with what was right and with this corrected.",
            f"{failed}; if FILE is in another encoding, give --encoding",
        ],
    )


@pytest.mark.parametrize("codec", ["utf-16-le", "shift-jis", "koi8-r"])
def test_a_file_that_may_be_in_another_encoding_leads_to_the_option(root: Path, codec: str) -> None:
    text, new = ("да\nx\n", "нет") if codec == "koi8-r" else ("日本\nx\n", "日")
    (root / "wide").write_bytes(text.encode(codec))
    patch = f"--- a/wide\n+++ b/wide\n@@ -1 +1 @@\n-{text.splitlines()[0]}\n+{new}\n".encode()
    failed = "streamparse: not everything could be applied; if {} is in another encoding, give --encoding"
    for names, what in ((["tree/wide", "-"], "FILE"), (["-", "--root", "tree"], "a file")):
        code, out, err = run("diff", *names, stdin=patch)
        assert (code, out, err.splitlines()[-1]) == (1, "", failed.format(what))
        assert run("diff", *names, "--encoding", codec, stdin=patch).code == 0
        # Not if it is known, or is not why it fails.
        wrong = patch.replace(b"\n-", b"\n-nowhere ")
        code, _, err = run("diff", *names, "--encoding", codec, stdin=wrong)
        assert (code, err.splitlines()[-1]) == (1, "streamparse: not everything could be applied")
        code, _, err = run("diff", *names, stdin=b"--- a/wide\n+++ b/wide\n@@@ -1 -1 +1 @@@\n--x\n++y\n")
        assert (code, err.splitlines()[-1]) == (1, "streamparse: not everything could be applied")


def test_a_file_that_is_not_in_the_encoding_that_is_asked_for_is_told(root: Path) -> None:
    code, out, err = run("diff", "-", "--root", "tree", "--encoding", "ascii", stdin=LATIN.encode())
    assert (code, out, err.splitlines()[0]) == (1, "", "cannot read caf: it is not written in ascii")


def test_a_copy_is_shown_and_written_in_the_encoding_of_its_file(
    root: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    Path("copy").write_text("diff --git a/caf b/n\nsimilarity index 100%\ncopy from caf\ncopy to n\n")
    assert main(["diff", "copy", "--root", "tree", "--write", "--preview"]) == 0
    assert capfdbinary.readouterr().out == b"==> n <==\ncaf\xe9\n"
    assert (root / "n").read_bytes() == b"caf\xe9\n"


# --- one file


def test_a_link_is_not_removed_in_place_of_its_file(root: Path) -> None:
    Path("link.txt").symlink_to("tree/old.txt")
    patch = b"*** Begin Patch\n*** Delete File: link.txt\n*** End Patch\n"
    code, _, err = run("diff", "link.txt", "-", "--write", stdin=patch)
    complaint = f"streamparse: cannot remove link.txt: it is a symbolic link to {root}/old.txt\n"
    assert (code, err, Path("link.txt").is_symlink()) == (1, complaint, True)
    assert (root / "old.txt").read_bytes() == b"old\n"


def test_a_file_that_is_not_there_is_not_removed(root: Path) -> None:
    patch = b"*** Begin Patch\n*** Delete File: tree/x\n*** End Patch\n"
    code, _, err = run("diff", "tree/x", "-", "--write", stdin=patch)
    assert (code, err.splitlines()[-1]) == (1, "streamparse: cannot remove tree/x: there is no such file")


def test_the_folders_of_a_new_file_are_made(root: Path) -> None:
    patch = b"*** Begin Patch\n*** Add File: tree/p/q/r\n+new\n*** End Patch\n"
    assert run("diff", "tree/p/q/r", "-", "--write", stdin=patch).code == 0
    assert (root / "p/q/r").read_bytes() == b"new\n"


BLOCKS = """\
src/a.py
<<<<<<< SEARCH
x = 1
=======
x = 2
>>>>>>> REPLACE

src/b.py
<<<<<<< SEARCH
y = 1
=======
y = 2
>>>>>>> REPLACE
"""


def test_blocks_for_one_file_of_several(root: Path) -> None:
    complaint = "the diff is also for src/b.py: --root DIR applies all of it, --only the part that is for tree/src/a.py"
    assert run("diff", "tree/src/a.py", "-", stdin=BLOCKS.encode()) == (1, "", f"streamparse: {complaint}\n")
    assert run("diff", "tree/src/a.py", "-", "--only", "--write", stdin=BLOCKS.encode()).code == 0
    assert ((root / "src/a.py").read_bytes(), (root / "src/b.py").read_bytes()) == (b"x = 2\n", b"y = 1\r\n")
    unnamed = BLOCKS.partition("\n")[2] + BLOCKS
    for file, blocks, complaint in (
        ("tree/old.txt", BLOCKS, "the diff is not for tree/old.txt, but for src/a.py, src/b.py"),
        ("tree/src/b.py", unnamed, "which blocks of the diff are for tree/src/b.py is not certain"),
    ):
        assert run("diff", file, "-", "--only", stdin=blocks.encode()) == (1, "", f"streamparse: {complaint}\n")


def test_many_other_files_are_not_all_listed(root: Path) -> None:
    names = [f"src/{letter}.py" for letter in "abcdefgh"]
    patch = "".join(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n" for name in names)
    code, _, err = run("diff", "tree/src/a.py", "-", stdin=patch.encode())
    assert code == 1
    assert "the diff is also for src/b.py, src/c.py, src/d.py, src/e.py, src/f.py and others: " in err


def test_a_name_cannot_look_like_the_title_of_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    patch = b'--- /dev/null\n+++ "b/n\\n==> a <==\\n"\n@@ -0,0 +1 @@\n+x\n'
    assert run("diff", "-", "--root", ".", "--preview", stdin=patch).out == "==> n\\n==> a <==\\n <==\nx\n"
