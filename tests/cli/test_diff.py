"""`streamparse diff`: what would change, and the change only if all of it is possible."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from streamparse.cli import diff, main
from streamparse.diff import patch_paths
from tests.cli.command import run
from tests.cli.terminal import Terminal
from tests.cli.test_without_extra import bare, run_bare

assert bare  # the fixture: pytest finds it by its name in this module

FILE = "def f(x):\n    return x\n\n\ndef g(x):\n    return x * 2\n"
BLOCKS = "Of course:\n\n------- SEARCH\nreturn x * 2\n=======\nreturn x * 3\n+++++++ REPLACE\n"
HUNK = "--- a/app.py\n+++ b/app.py\n@@ @@\n def g(x):\n-    return x * 2\n+    return x * 3\n"
OTHER = HUNK.replace("app", "other")
EDITED = FILE.replace("* 2", "* 3")
SHOWN = """\
--- a/{path}
+++ b/{path}
@@ -3,4 +3,4 @@
{blank}
{blank}
 def g(x):
-    return x * 2
+    return x * 3
""".replace("{blank}", " ")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "app.py"
    path.write_bytes(FILE.encode())
    (tmp_path / "blocks").write_text(BLOCKS)
    (tmp_path / "hunk").write_text(HUNK)
    return path


@pytest.mark.parametrize("patch", ["blocks", "hunk"])
def test_what_would_change_is_shown_and_nothing_is_written(file: Path, patch: str) -> None:
    assert run("diff", "app.py", patch) == (0, SHOWN.format(path="app.py"), "would be changed app.py\n")
    assert run("diff", "app.py", patch, "--preview") == (0, EDITED, "would be changed app.py\n")
    assert file.read_text() == FILE
    assert sorted(os.listdir()) == ["app.py", "blocks", "hunk"]


@pytest.mark.parametrize("patch", ["blocks", "hunk"])
def test_it_is_written_on_request(file: Path, patch: str) -> None:
    file.chmod(0o754)
    assert run("diff", "app.py", patch, "--write") == (0, SHOWN.format(path="app.py"), "changed   app.py\n")
    assert (file.read_text(), file.stat().st_mode & 0o777) == (EDITED, 0o754)
    assert sorted(os.listdir()) == ["app.py", "blocks", "hunk"]


def test_a_diff_from_standard_input_to_a_link(file: Path) -> None:
    link = file.with_name("link.py")
    link.symlink_to(file)
    done = run("diff", "link.py", "-", "--write", stdin=BLOCKS.encode())
    assert (done.code, done.err) == (0, "changed   app.py (through link.py)\n")
    assert (link.is_symlink(), file.read_text()) == (True, EDITED)


def test_a_start_marker_without_the_end_of_its_line_is_that_of_a_block(file: Path) -> None:
    code, out, err = run("diff", "app.py", "-", stdin=b"------- SEARCH")
    assert (code, out, err.splitlines()[1]) == (
        1,
        "",
        "The diff breaks off. Write its last block to its end, with the line `+++++++ REPLACE`.",
    )


def test_nothing_is_written_unless_everything_is_possible(file: Path) -> None:
    both = BLOCKS + BLOCKS.replace("x * 2", "y")
    code, out, err = run("diff", "app.py", "-", "--write", stdin=both.encode())
    assert (code, out) == (1, SHOWN.format(path="app.py"))
    assert err.splitlines() == [
        "Nothing was changed in app.py.",
        "block 2: The line to be replaced is not in the file. The nearest text is line 2, which is "
        "`return x` instead of `return y`. Read the file again and repeat the block with its lines exactly as they "
        "are.",
        "Send all blocks again, with what was right and with this corrected.",
        "streamparse: not everything could be applied, nothing was written",
    ]
    assert file.read_text() == FILE
    code, out, err = run("diff", "app.py", "-", stdin=BLOCKS.removesuffix("+++++++ REPLACE\n").encode())
    assert (code, out, err) == (
        1,
        "",
        "Nothing was changed in app.py.\n"
        "The diff breaks off. Write its last block to its end, with the line `+++++++ REPLACE`.\n"
        "streamparse: not everything could be applied\n",
    )


def test_a_file_is_made_and_removed(file: Path) -> None:
    made = b"*** Begin Patch\n*** Add File: new.py\n+a\n+b\n*** End Patch\n"
    shown = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n"
    assert run("diff", "new.py", "-", stdin=made) == (0, shown, "would be created new.py\n")
    assert not Path("new.py").exists()
    assert run("diff", "new.py", "-", "--write", stdin=made).code == 0
    assert Path("new.py").read_text() == "a\nb\n"
    removed = b"*** Begin Patch\n*** Delete File: new.py\n*** End Patch\n"
    shown = "--- a/new.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"
    assert run("diff", "new.py", "-", "--write", stdin=removed) == (0, shown, "deleted   new.py\n")
    assert not Path("new.py").exists()


def test_a_file_of_python_stays_one(file: Path) -> None:
    blocks = b"------- SEARCH\n    return x * 2\n=======\n    return (x * 2\n+++++++ REPLACE\n"
    code, _, err = run("diff", "app.py", "-", "--write", stdin=blocks)
    assert (code, file.read_text()) == (1, FILE)
    assert err.splitlines() == [
        "Nothing was changed in app.py.",
        "With this block the file would no longer be Python ('(' was never closed, at `return (x * 2`). Repeat the "
        "block with every bracket, every quote and the indentation that it takes.",
        "streamparse: not everything could be applied, nothing was written",
    ]


def test_the_last_line_of_a_patch_needs_no_end(file: Path) -> None:
    assert run("diff", "app.py", "-", "--write", stdin=b"*** Delete File: app.py").code == 0
    assert not file.exists()


def test_the_user_may_know_that_nothing_is_missing_at_the_end(file: Path) -> None:
    patch = b"@@ -5,9 +5,9 @@\n def g(x):\n-    return x * 2\n+    return x * 3"
    code, out, err = run("diff", "app.py", "-", stdin=patch)
    told = (
        "Hunk 1 announces 9 old and 9 new lines and has 2 and 2, and ends without a line break. If nothing is missing, "
        "correct the numbers behind `@@` and write a line break behind its last line; else write its missing lines."
    )
    failed = "streamparse: not everything could be applied; if nothing is missing at the end of PATCH, give --complete"
    assert (code, out, err) == (1, "", f"Nothing was changed in app.py.\n{told}\n{failed}\n")
    _, _, err = run("diff", "app.py", "-", "--write", stdin=patch)
    assert err.splitlines()[-1] == failed.replace("applied;", "applied, nothing was written;")
    done = run("diff", "app.py", "-", "--complete", stdin=patch)
    assert done == (0, SHOWN.format(path="app.py"), "would be changed app.py\n")
    named = b"--- a/app.py\n+++ b/app.py\n" + patch
    nothing = "None of the files was changed: send the whole diff again, with what was right and with this corrected."
    shown = f"app.py: {told}\n{nothing}\nfailed           app.py\n{failed}\n"
    assert run("diff", "-", "--root", ".", stdin=named) == (1, "", shown)
    assert run("diff", "-", "--root", ".", "--complete", "--write", stdin=named).err == "changed   app.py\n"
    assert file.read_text() == EDITED


def test_an_empty_file_is_made_and_removed(file: Path) -> None:
    made = b"*** Begin Patch\n*** Add File: new.py\n*** End Patch\n"
    assert run("diff", "new.py", "-", stdin=made) == (0, "", "would be created new.py\n")
    assert not Path("new.py").exists()
    assert run("diff", "new.py", "-", "--write", stdin=made) == (0, "", "created   new.py\n")
    assert Path("new.py").read_bytes() == b""
    removed = b"*** Begin Patch\n*** Delete File: new.py\n*** End Patch\n"
    assert run("diff", "new.py", "-", "--write", stdin=removed) == (0, "", "deleted   new.py\n")
    assert not Path("new.py").exists()


def test_the_part_of_a_patch_that_is_for_the_file(file: Path) -> None:
    both = (OTHER + HUNK.replace("* 3", "* 4")).encode()
    assert "+    return x * 4\n" in run("diff", "app.py", "-", "--only", stdin=both).out
    complaint = "the diff is also for other.py: --root DIR applies all of it, --only the part that is for app.py"
    assert run("diff", "app.py", "-", "--write", stdin=both) == (1, "", f"streamparse: {complaint}\n")
    assert file.read_text() == FILE
    for others, names in ((OTHER, "other.py"), (OTHER + HUNK.replace("app", "third"), "other.py, third.py")):
        complaint = f"streamparse: the diff is not for app.py, but for {names}\n"
        for options in ([], ["--write"], ["--only", "--write"]):
            assert run("diff", "app.py", "-", *options, stdin=others.encode()) == (1, "", complaint)
    assert file.read_text() == FILE
    # other kinds of diffs
    block = BLOCKS.replace("\n\n", "\n\nother.py\n")
    assert run("diff", "app.py", "-", "--only", "--write", stdin=block.encode()).code == 1
    assert run("diff", "app.py", "-", "--write", stdin=block.replace("other", "app").encode()).code == 0


@pytest.mark.parametrize("name", ["app.py", "src/app.py", "./src/app.py"])
def test_the_blocks_for_a_file_that_the_diff_names_by_another_path(file: Path, name: str) -> None:
    own, other = (BLOCKS.replace("\n\n", f"\n\n{one}\n") for one in (name, "README.md"))
    code, out, err = run("diff", "app.py", "-", "--only", "--write", stdin=(own + other).encode())
    assert (code, out, err, file.read_text()) == (0, SHOWN.format(path="app.py"), "changed   app.py\n", EDITED)
    # new lines alone are not the whole of a file that is there
    alone = own.replace("return x * 2\n", "") + other
    code, out, err = run("diff", "app.py", "-", "--only", "--write", stdin=alone.encode())
    assert (code, out, file.read_text()) == (1, "", EDITED)
    assert "The SEARCH part is empty, and the file is not." in err


def test_a_block_below_any_word_that_names_another_file(file: Path) -> None:
    def tried(name: str) -> tuple[int, str, str]:
        return run("diff", "app.py", "-", "--write", stdin=BLOCKS.replace("\n\n", f"\n\n{name}\n").encode())

    for name in ("`run`", "File: run"):
        assert tried(name) == (1, "", "streamparse: the diff is not for app.py, but for run\n")
    # a word of the file
    assert "This block is for another file, f." in tried("File: f")[2]
    assert file.read_text() == FILE
    assert tried("### `f`")[0] == 0
    assert file.read_text() == EDITED


def test_a_block_below_a_word_of_the_file_beside_blocks_for_others(file: Path) -> None:
    first, own, other = (BLOCKS.replace("\n\n", f"\n\n{name}\n") for name in ("`f`", "app.py", "other.py"))
    complaint = "streamparse: which blocks of the diff are for app.py is not certain\n"
    assert run("diff", "app.py", "-", "--only", stdin=(first + other + own).encode()) == (1, "", complaint)
    assert file.read_text() == FILE


def test_only_applies_the_part_for_the_file_and_says_so_if_there_is_none_or_it_fails(file: Path) -> None:
    own, other = HUNK, OTHER.replace("* 2", "* 5")
    code, out, err = run("diff", "app.py", "-", "--only", "--write", stdin=(other + own).encode())
    assert (code, out, err, file.read_text()) == (0, SHOWN.format(path="app.py"), "changed   app.py\n", EDITED)
    file.write_text(FILE)
    code, out, err = run("diff", "app.py", "-", "--only", "--write", stdin=(OTHER + own.replace("* 2", "* 5")).encode())
    assert (code, out, file.read_text()) == (1, "", FILE)
    assert err.splitlines()[1:] == [
        "The 2 lines to be replaced are not in the file. The nearest text is at lines 5 to 6, where line 6 is "
        "`return x * 2` instead of `return x * 5`. Read the file again and repeat the hunk with its lines exactly as "
        "they are.",
        "streamparse: not everything could be applied, nothing was written",
    ]
    # of a patch that removes or moves other files, nothing happens to those
    file.with_name("third.py").write_text("x\n")
    gone = (
        "diff --git a/third.py b/third.py\ndeleted file mode 100644\n--- a/third.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    )
    assert run("diff", "app.py", "-", "--only", "--write", stdin=(gone + own).encode()).code == 0
    assert (file.read_text(), file.with_name("third.py").read_text()) == (EDITED, "x\n")


def test_the_mode_that_a_patch_gives_the_file(file: Path) -> None:
    header = "diff --git a/app.py b/app.py\nold mode 100644\nnew mode 100755\n"
    assert run("diff", "app.py", "-", stdin=header.encode()) == (0, header, "would be changed app.py\n")
    assert not os.access(file, os.X_OK)
    both = (header + HUNK).encode()
    assert run("diff", "app.py", "-", "--write", stdin=both) == (
        0,
        header + SHOWN.format(path="app.py"),
        "changed   app.py\n",
    )
    assert (os.access(file, os.X_OK), file.read_text()) == (True, EDITED)
    assert run("diff", "app.py", "-", "--write", stdin=header.encode()) == (0, "", "unchanged app.py\n")
    assert run("diff", "app.py", "-", "--preview", stdin=header.encode()).out == EDITED
    back = header.replace("755", "x").replace("644", "755").replace("x", "644")
    assert run("diff", "app.py", "-", "--write", stdin=back.encode()) == (0, back, "changed   app.py\n")
    assert not os.access(file, os.X_OK)
    new = b"diff --git a/new b/new\nnew file mode 100755\nindex 0000000..e69de29\n"
    assert run("diff", "new", "-", "--write", stdin=new) == (0, new.decode(), "created   new\n")
    assert os.access(file.with_name("new"), os.X_OK)


@pytest.mark.parametrize(
    "patch",
    [
        b"diff --git a/new b/new\nold mode 100644\nnew mode 100755\n",
        b"diff --git a/app.py b/new\nsimilarity index 100%\nrename from app.py\nrename to new\n",
    ],
)
def test_no_empty_file_is_made_for_one_that_is_not_there(file: Path, patch: bytes) -> None:
    complaint = "streamparse: cannot change new: there is no such file\n"
    assert run("diff", "new", "-", "--write", stdin=patch) == (1, "", complaint)
    assert not file.with_name("new").exists()


@pytest.mark.parametrize("patch", ["blocks", "hunk"])
def test_lines_of_a_file_that_is_not_there(file: Path, patch: str) -> None:
    complaint = "streamparse: cannot change new/app.py: there is no such file\n"
    for options in ([], ["--write"], ["--preview"]):
        assert run("diff", "new/app.py", patch, *options) == (1, "", complaint)
    assert not file.with_name("new").exists()


def test_the_paths_that_are_shown_are_those_that_git_takes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("./app.py", str(file), f"../{file.parent.name}/app.py"):
        assert run("diff", path, "blocks") == (0, SHOWN.format(path="app.py"), f"would be changed {path}\n")
    patch = Path("shown").absolute()
    patch.write_text(run("diff", str(file), "blocks")[1])
    subprocess.run(["git", "apply", str(patch)], check=True)
    assert file.read_text() == EDITED
    # a file that is not in the working directory
    file.write_text(FILE)
    (file.parent / "sub").mkdir()
    monkeypatch.chdir(file.parent / "sub")
    for path in ("../app.py", str(file)):
        shown = run("diff", path, "../blocks")
        assert shown == (0, SHOWN.format(path=str(file).lstrip("/")), f"would be changed {path}\n")
    # which git takes in the root of the disk
    subprocess.run(["git", "apply", "-"], cwd="/", input=shown.out.encode(), check=True)
    assert file.read_text() == EDITED


def test_bytes_that_are_not_touched_stay(file: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file.write_bytes(b"caf\xe9\r\nx\r\n\xff")
    Path("blocks").write_text("------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n")
    assert main(["diff", "app.py", "blocks", "--preview"]) == 0
    assert capfdbinary.readouterr().out == b"caf\xe9\r\ny\r\n\xff"
    assert main(["diff", "app.py", "blocks", "--write"]) == 0
    shown = capfdbinary.readouterr().out
    assert shown.endswith(b" caf\xe9\r\n-x\r\n+y\r\n \xff\n\\ No newline at end of file\n")
    assert file.read_bytes() == b"caf\xe9\r\ny\r\n\xff"


def test_a_terminal_is_shown_nothing_that_it_obeys(file: Path) -> None:
    Path("blocks").write_text("------- SEARCH\nreturn x\n=======\nreturn '\x1bc'\n+++++++ REPLACE\n")
    file.write_bytes(FILE.replace("\n", "\r\n").encode())
    with Terminal("diff", "app.py", "blocks") as terminal:
        assert terminal.wait() == 0
    assert "\n+    return '\\x1bc'\n" in terminal.text()
    assert terminal.text().endswith("\nwould be changed app.py\n")
    assert "\\r" not in terminal.text()
    file.write_text(FILE.removesuffix("\n"))
    with Terminal("diff", "app.py", "hunk", "--preview") as terminal:
        assert terminal.wait() == 0
    assert terminal.text() == f"{EDITED}would be changed app.py\n"
    file.write_text("\x1b[2J some words\n")
    code, _, err = run("diff", "app.py", "-", stdin=BLOCKS.replace("return x * 2", "some wordz").encode())
    assert (code, "line 1, which is `\\x1b[2J some words`" in err, "\x1b" in err) == (1, True, False)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["app.py", "nothing"], "cannot read nothing: No such file or directory"),
        (["app.py", "app.py"], "there is no diff in app.py: no SEARCH marker, no hunk, no `*** Begin Patch`"),
        (["app.py", "-"], "there is no diff in standard input: no SEARCH marker, no hunk, no `*** Begin Patch`"),
        (["folder", "blocks"], "folder is a directory: give PATCH and --root folder"),
        (
            ["blocks", "app.py"],
            "there is no diff in app.py: no SEARCH marker, no hunk, no `*** Begin Patch`; is it in blocks? The order "
            "is FILE PATCH",
        ),
        (["pipe", "app.py"], "there is no diff in app.py: no SEARCH marker, no hunk, no `*** Begin Patch`"),
        (["pipe", "blocks"], "cannot read pipe: it is not a regular file"),
        (["app.py", "blocks", "--encoding", "ascii"], "cannot read app.py: it is not written in ascii"),
    ],
)
def test_what_cannot_be_done(file: Path, arguments: list[str], complaint: str) -> None:
    Path("folder").mkdir()
    os.mkfifo("pipe")
    file.write_text(f"{FILE}# é\n")
    assert run("diff", *arguments) == (1, "", f"streamparse: {complaint}\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["app.py"], "give FILE and PATCH, or PATCH and --root DIR"),
        (["app.py", "blocks", "hunk"], "give FILE and PATCH, or PATCH and --root DIR"),
        (["app.py", "blocks", "--root", "."], "give FILE and PATCH, or PATCH and --root DIR"),
        (["blocks", "--root", ".", "--only"], "--only is for FILE and PATCH"),
        (["app.py", "blocks", "--encoding", "klingon"], "there is no encoding klingon"),
    ],
)
def test_what_is_wrong_usage(file: Path, arguments: list[str], complaint: str) -> None:
    assert run("diff", *arguments) == (2, "", f"streamparse: {complaint}\n")


def test_it_works_without_the_extra(file: Path, bare: Path) -> None:
    file = bare / "app.py"
    file.write_text(FILE)
    assert run_bare(bare, "diff", "app.py", "-", "--write", stdin=BLOCKS.encode()) == (
        0,
        SHOWN.format(path="app.py"),
        "changed   app.py\n",
    )
    assert file.read_text() == EDITED


def test_a_file_is_not_moved_without_a_word(file: Path) -> None:
    before = file.read_bytes()
    moved = b"*** Begin Patch\n*** Update File: app.py\n*** Move to: lib/app2.py\n*** End Patch\n"
    complaint = (
        "the patch moves the file to lib/app2.py, which --root DIR does; or move it there first, and apply it then"
    )
    lines = b"*** Move to: lib/app2.py\n@@\n-    return x * 2\n+    return x * 3\n"
    for patch in (moved, moved.replace(b"*** Move to: lib/app2.py\n", lines)):
        for options in ([], ["--write"], ["--only"], ["--preview"]):
            done = run("diff", "app.py", "-", *options, stdin=patch)
            assert (done, file.read_bytes()) == ((1, "", f"streamparse: {complaint}\n"), before)
    moved_here = moved.replace(b"app2.py", b"app.py")
    assert run("diff", "app.py", "-", "--write", stdin=moved_here)[0] == 1
    folder = file.with_name("lib")
    folder.mkdir()
    file.rename(folder / "app2.py")
    assert run("diff", "lib/app2.py", "-", "--write", stdin=moved)[0] == 0


def test_a_file_that_is_removed_and_not_named(file: Path) -> None:
    lines = "".join(f"-{line}\n" for line in FILE.splitlines())
    code, out, err = run(
        "diff", "app.py", "-", "--write", stdin=f"--- \n+++ /dev/null\n@@ -1,6 +0,0 @@\n{lines}".encode()
    )
    assert (code, out, err) == (
        1,
        "",
        "Nothing was changed in app.py.\nNo part of this patch is about app.py, only about no file at all. "
        "Write a patch for app.py.\n"
        "streamparse: not everything could be applied, nothing was written\n",
    )
    assert file.read_text() == FILE


@pytest.mark.parametrize(
    ("patch", "complaint"),
    [
        (
            b"*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n",
            "the diff is not for app.py, but for old.txt",
        ),
        (
            b"diff --git a/app.py b/app.py\ndeleted file mode 100644\n",
            "not everything could be applied, nothing was written",
        ),
        (b"*** Begin Patch\n*** Delete File: app.py", "not everything could be applied, nothing was written"),
    ],
)
def test_no_file_is_removed_but_the_one_that_is_named(file: Path, patch: bytes, complaint: str) -> None:
    outcome = run("diff", "app.py", "-", "--write", stdin=patch)
    assert outcome.code == 1
    assert complaint in outcome[2]
    assert file.read_bytes() == FILE.encode()


def test_a_removal_that_shows_no_lines_names_the_whole_path(file: Path) -> None:
    Path("src").mkdir()
    for text in ("*** Delete File: app.py\n", "diff --git a/app.py b/app.py\ndeleted file mode 100644\n"):
        Path("src/app.py").write_text("")
        code, out, err = run("diff", "src/app.py", "-", "--write", stdin=text.encode())
        assert (code, out, err.splitlines()) == (
            1,
            "",
            [
                "Nothing was changed in src/app.py.",
                "The patch removes app.py and shows none of its lines, so it is not certain that src/app.py is meant. "
                "Write the whole path.",
                "streamparse: not everything could be applied, nothing was written",
            ],
        )
        for path in ("app.py", "./app.py", "src/../app.py", str(file)):
            file.write_text("")
            done = run("diff", path, "-", "--write", stdin=text.encode())
            assert (done, file.exists()) == ((0, "", f"deleted   {path}\n"), False)
        whole = text.replace("app.py", "src/app.py")
        assert run("diff", str(file.parent / "src/app.py"), "-", "--write", stdin=whole.encode()).code == 0
        assert not Path("src/app.py").exists()


def test_what_is_wrong_with_a_diff_as_a_whole_has_no_number(file: Path) -> None:
    file.write_text("a\nb\n")
    for patch, told in (
        (
            "--- a/app.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            "The patch removes the file, but not all of its lines. Repeat it with every line of the file.",
        ),
        (
            BLOCKS.replace("return x * 2", "a").replace("return x * 3", "c")
            + "\n--- a/app.py\n+++ b/app.py\n@@ -2 +2 @@\n-b\n+c\n",
            "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways.",
        ),
    ):
        code, _, err = run("diff", "app.py", "-", stdin=patch.encode())
        complaint = "streamparse: not everything could be applied"
        assert (code, err.splitlines()) == (1, ["Nothing was changed in app.py.", told, complaint])


def test_a_line_for_a_file_that_stays_as_it_is(file: Path) -> None:
    same = BLOCKS.replace("* 3", "* 2").encode()
    for options in ([], ["--write"]):
        code, out, err = run("diff", "app.py", "-", *options, stdin=same)
        assert (code, out, err.split()) == (0, "", ["unchanged", "app.py"])


@pytest.mark.parametrize("options", [[], ["--preview"]])
def test_a_change_that_cannot_be_written_is_not_shown(file: Path, options: list[str]) -> None:
    Path("sub").mkdir()
    file.rename("sub/app.py")
    Path("sub/.streamparse-journal").mkdir(mode=0o755)  # of somebody else, as far as one can tell
    reason = ".streamparse-journal was not made by this user, or not by this program, nothing was written"
    assert run("diff", "sub/app.py", "hunk", "--write", *options) == (
        1,
        "",
        f"would be changed sub/app.py\nstreamparse: cannot write sub/app.py: {reason}\n",
    )
    assert run("diff", "hunk", "--root", "sub", "--write", *options) == (
        1,
        "",
        f"would be changed app.py\nstreamparse: cannot write to sub: {reason}\n",
    )
    assert Path("sub/app.py").read_text() == FILE


def test_a_folder_on_the_way_that_is_none(file: Path) -> None:
    complaint = "cannot read app.py/new.py: Not a directory"
    assert run("diff", "app.py/new.py", "-", stdin=MADE.encode()) == (1, "", f"streamparse: {complaint}\n")


def test_what_was_written_is_told_also_if_nobody_reads_what_has_changed(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def go_away(_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(diff, "_show", go_away)
    assert main(["diff", "app.py", "blocks", "--write"]) == 141
    assert (file.read_text(), capsys.readouterr().err) == (EDITED, "changed   app.py\n")


class Slow(io.BytesIO):
    """Standard input, on which the patch comes only after something else has happened."""

    def __init__(self, data: bytes, happens: Callable[[], Any]) -> None:
        super().__init__(data)
        self.happens = happens

    def read1(self, size: int | None = -1, /) -> bytes:
        self.happens()
        self.happens = bool
        return super().read1(size)


def test_what_the_user_does_while_the_patch_is_being_written_counts(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = f"# by hand\n{FILE}"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Slow(BLOCKS.encode(), lambda: file.write_text(later))))
    assert main(["diff", "app.py", "-", "--write"]) == 0
    assert file.read_text() == f"# by hand\n{EDITED}"


MADE = "*** Begin Patch\n*** Add File: new.py\n+a\n*** End Patch\n"
REMOVED = "*** Begin Patch\n*** Delete File: app.py\n*** End Patch\n"


@pytest.mark.parametrize(
    ("name", "patch", "left"),
    [
        ("app.py", BLOCKS, b"by hand\n"),
        ("app.py", BLOCKS, FILE.replace("\n", "\r\n").encode()),
        ("app.py", BLOCKS, None),
        ("app.py", REMOVED, b"by hand\n"),
        ("app.py", REMOVED, None),
        ("new.py", MADE, b"by hand\n"),
        ("new.py", MADE, b""),
    ],
)
def test_a_file_that_changes_in_the_meantime_is_left_alone(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    patch: str,
    left: bytes | None,
) -> None:
    path = Path(name)
    Path("patch").write_text(patch)
    monkeypatch.setattr(diff, "_parts", lambda *_: (path.unlink() if left is None else path.write_bytes(left), [])[1])
    assert main(["diff", name, "patch", "--write"]) == 1
    reason = "it has changed in the meantime" if name == "app.py" else "it exists already"
    action = "created" if name == "new.py" else "deleted" if patch == REMOVED else "changed"
    complaint = f"streamparse: cannot write {name}: {reason}, nothing was written"
    assert capsys.readouterr().err == f"would be {action} {name}\n{complaint}\n"
    assert (path.read_bytes() if path.exists() else None) == left
    assert not [other for other in os.listdir() if other.startswith(".streamparse")]


def test_a_file_may_be_called_like_standard_input(file: Path) -> None:
    file.rename("-")
    assert run("diff", "-", "blocks", "--write", stdin=b"not read").out == SHOWN.format(path="-")
    assert Path("-").read_text() == EDITED
    Path("-").unlink()
    made = b"------- SEARCH\n=======\na\n+++++++ REPLACE\n"
    assert run("diff", "-", "-", "--write", stdin=made).code == 0
    assert Path("-").read_text() == "a\n"


def test_a_new_file_has_the_mode_that_new_files_have(file: Path) -> None:
    before = os.umask(0o027)
    try:
        assert run("diff", "new.py", "-", "--write", stdin=MADE.encode()).code == 0
        assert Path("new.py").stat().st_mode & 0o777 == 0o640
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_root_leaves_the_file_to_its_owner(file: Path) -> None:
    os.chown(file, 12345, 23456)
    file.chmod(0o4750)
    assert run("diff", "app.py", "blocks", "--write").code == 0
    status = file.stat()
    assert (file.read_text(), status.st_uid, status.st_gid, status.st_mode & 0o7777) == (EDITED, 12345, 23456, 0o750)


def test_a_link_to_a_file_that_is_not_there_yet(file: Path) -> None:
    Path("folder").mkdir()
    link = Path("new.py")
    link.symlink_to("folder/target.py")
    assert run("diff", "new.py", "-", "--write", stdin=MADE.encode()).code == 0
    assert (link.is_symlink(), Path("folder/target.py").read_text()) == (True, "a\n")
    assert os.listdir("folder") == ["target.py"]


def test_only_files_are_replaced(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def become_a_pipe(*_: object) -> list[object]:
        file.unlink()
        os.mkfifo(file)
        return []

    monkeypatch.setattr(diff, "_parts", become_a_pipe)
    assert main(["diff", "app.py", "blocks", "--write"]) == 1
    complaint = "streamparse: cannot write app.py: it is not a regular file, nothing was written"
    assert capsys.readouterr().err == f"would be changed app.py\n{complaint}\n"
    assert file.is_fifo()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a b é.py", "a b é.py"),
        ('say "hi".py', r"say \"hi\".py"),
        ("back\\slash.py", r"back\\slash.py"),
        ("two\nlines\t.py", r"two\nlines\t.py"),
        ("\x1b[2J\x7f\r.py", r"\033[2J\177\r.py"),
        ("\a\b\v\f1.py", r"\a\b\v\f1.py"),
    ],
)
def test_names_are_quoted_as_git_does(file: Path, name: str, shown: str) -> None:
    file.rename(name)
    quote = '"' * (name != shown)
    code, out, err = run("diff", name, "blocks")
    old, new, rest = out.split("\n", 2)
    assert (code, old, new) == (0, f"--- {quote}a/{shown}{quote}", f"+++ {quote}b/{shown}{quote}")
    assert (err[:17], err[-1], err[17:-1].isprintable()) == ("would be changed ", "\n", True)
    assert rest == SHOWN.split("\n", 2)[2]
    with Terminal("diff", name, "blocks") as terminal:
        assert terminal.wait() == 0
    assert terminal.text().splitlines()[:3] == [old, new, "@@ -3,4 +3,4 @@"]


@pytest.mark.parametrize("name", ["plain.py", 'say "hi".py', "back\\slash.py", "two\nlines\t.py", "\x1b[2J\x7f\r.py"])
def test_such_names_are_read_again(file: Path, name: str) -> None:
    file.rename(name)
    assert patch_paths(run("diff", name, "blocks").out) == [name]
