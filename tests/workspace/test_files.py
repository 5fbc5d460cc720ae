"""read_file, write_file and patch_file: what they say, and what they leave on the disk."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from streamparse.presenter.tool import ToolError
from streamparse.workspace import Files, files
from tests.directory.trees import fill, look
from tests.workspace.kit import refused

BLOCK = "------- SEARCH\nx = 1\n=======\nx = 2\n+++++++ REPLACE\n"
UNIFIED = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
CODEX = "*** Begin Patch\n*** Update File: {0}\n@@\n-x = 1\n+x = 2\n*** End Patch\n"


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is not waited for."""
    monkeypatch.setattr(os, "fsync", int)


def test_the_tools_are_declared_and_only_one_of_them_only_reads(tmp_path: Path) -> None:
    tools = Files(tmp_path).tools()
    assert [(tool.spec.name, tool.is_read_only, tool.is_async) for tool in tools] == [
        ("read_file", True, False),
        ("write_file", False, False),
        ("patch_file", False, False),
    ]
    assert tools[0].spec.parameters["required"] == ["path"]


# --- read_file


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (1, None, "1\ta\n2\tb\n3\tc\n"),
        (2, None, "2\tb\n3\tc\n"),
        (2, 2, "2\tb\n"),
        (1, 2, "1\ta\n2\tb\n"),
        (3, 99, "3\tc\n"),
        (4, None, "[the file has 3 lines]"),
        (99, 100, "[the file has 3 lines]"),
    ],
)
def test_a_range_of_lines_with_both_its_ends(tmp_path: Path, start: int, end: int | None, expected: str) -> None:
    fill(tmp_path, {"abc": b"a\nb\nc"})
    assert Files(tmp_path).read_file("abc", start, end) == expected


@pytest.mark.parametrize(
    ("start", "end", "sentence"),
    [
        (0, None, "There is no line 0: lines are counted from 1."),
        (-1, 5, "There is no line -1: lines are counted from 1."),
        (3, 2, "There are no lines from 3 to 2."),
    ],
)
def test_a_range_that_is_none(tmp_path: Path, start: int, end: int | None, sentence: str) -> None:
    fill(tmp_path, {"abc": b"a\nb\nc"})
    assert refused(Files(tmp_path).read_file, "abc", start, end) == sentence


@pytest.mark.parametrize("start", [1, 5])
def test_an_empty_file(tmp_path: Path, start: int) -> None:
    fill(tmp_path, {"empty": b""})
    assert Files(tmp_path).read_file("empty", start) == "[the file is empty]"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\r\nb\r\n", "1\ta\r\n2\tb\r\n"),
        (b"a\rb", "1\ta\n2\tb\n"),
        (b"\n\n", "1\t\n2\t\n"),
        ("é\n".encode(), "1\té\n"),
        (b"caf\xe9\n", "1\tcafé\n"),
        ("é\n".encode("utf-16"), "1\t\ufeffé\n"),
        ("é ".encode() + b"\xe9\n", "1\té ?\n"),
        ("a\x0bb\x85c\u2028d\n".encode(), "1\ta\x0bb\x85c\u2028d\n"),
    ],
)
def test_line_ends_and_encodings(tmp_path: Path, data: bytes, expected: str) -> None:
    fill(tmp_path, {"file": data})
    text = Files(tmp_path).read_file("file")
    assert text == expected
    text.encode()  # it can be sent


def test_a_long_file_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_LINES", 2)
    fill(tmp_path, {"five": b"a\nb\nc\nd\ne\n"})
    read = Files(tmp_path).read_file
    assert read("five") == "1\ta\n2\tb\n[lines 1 to 2 of 5: give start_line=3 to read on]\n"
    assert read("five", 3) == "3\tc\n4\td\n[lines 3 to 4 of 5: give start_line=5 to read on]\n"
    assert read("five", 5) == "5\te\n"
    assert read("five", 1, 5) == "1\ta\n2\tb\n[lines 1 to 2 of 5: give start_line=3 to read on]\n"
    assert read("five", 2, 3) == "2\tb\n3\tc\n"


def test_wide_lines_are_read_in_parts_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_CHARACTERS", 20)
    fill(tmp_path, {"wide": b"%s\n%s\n%s\n" % (b"a" * 10, b"b" * 10, b"c" * 30)})
    read = Files(tmp_path).read_file
    assert read("wide") == f"1\t{'a' * 10}\n[lines 1 to 1 of 3: give start_line=2 to read on]\n"
    assert read("wide", 3) == f"3\t{'c' * 30}\n"  # one line there is always


def test_a_very_long_line_is_cut_and_what_follows_is_no_part_of_it(tmp_path: Path) -> None:
    fill(tmp_path, {"long": b"a" * 2_001 + b"\nb" * 2})
    assert Files(tmp_path).read_file("long", 1, 2) == f"1\t{'a' * 2_000}[… 1 characters more in this line]\n2\tb\n"


def test_no_line_of_a_file_can_pass_for_a_remark_of_the_tool(tmp_path: Path) -> None:
    """A remark has no number before it, and every line of a file has one."""
    fill(tmp_path, {"file": b"[the file is empty]\r[lines 1 to 2 of 5: \n\x0b[the file has 3 lines]"})
    text = Files(tmp_path).read_file("file")
    assert [line.split("\t")[0] for line in text.removesuffix("\n").split("\n")] == ["1", "2"]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("missing", "There is no file missing."),
        ("missing/too", "There is no file missing/too."),
        ("text/below", "There is no file text/below."),
        ("two\nlines", "There is no file two\\nlines."),
        ("folder", "cannot read folder: it is not a regular file"),
        ("pipe", "cannot read pipe: it is not a regular file"),
        ("binary", "cannot read binary: it is a binary file"),
        ("link", "cannot read link: it is a symbolic link, and no path leads through one"),
        ("linked/file", "cannot read linked/file: linked is a symbolic link, and no path leads through one"),
        ("n" * 300, f"{'n' * 80}… is not in this tree: a name in it has more than 255 bytes"),
    ],
)
def test_what_is_not_read(tmp_path: Path, path: str, sentence: str) -> None:
    fill(tmp_path, {"text": b"x", "folder/file": b"x", "binary": b"PNG\0\xff"})
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "linked").symlink_to("folder")
    assert refused(Files(tmp_path).read_file, path) == sentence


def test_a_file_that_is_too_large_is_not_even_opened(tmp_path: Path) -> None:
    with open(tmp_path / "large", "wb") as file:
        file.truncate(500_000_000)
    tools = Files(tmp_path)
    sentence = "cannot read large: it has 500000000 bytes, more than 100000000; use a command"
    assert refused(tools.read_file, "large", 1, 10) == sentence
    assert refused(tools.write_file, "large", "x") == sentence
    assert sentence in refused(tools.patch_file, UNIFIED.format("large"))
    assert refused(tools.patch_file, BLOCK, "large") == sentence


# --- write_file


def test_a_file_is_made_with_its_folders_and_changed(tmp_path: Path) -> None:
    tools = Files(tmp_path)
    assert tools.write_file("a/b/c.txt", "one\n") == "Created a/b/c.txt, 1 line."
    assert tools.write_file("a/b/c.txt", "one\ntwo") == "Changed a/b/c.txt, 2 lines."
    assert tools.write_file("./a/b/c.txt", "one\ntwo") == "./a/b/c.txt has that content already."
    assert tools.write_file("empty", "") == "Created empty, 0 lines."
    assert tools.write_file("new\n[exit code 0]", "x") == "Created new\\n[exit code 0], 1 line."
    assert (tmp_path / "a/b/c.txt").read_bytes() == b"one\ntwo"
    assert sorted(os.listdir(tmp_path)) == ["a", "empty", "new\n[exit code 0]"]


def test_mode_is_kept_but_not_what_lends_rights_and_other_hard_links_keep_the_old_text(tmp_path: Path) -> None:
    fill(tmp_path, {"program": b"old", "private": b"old", "setid": b"old"})
    for name, mode in (("program", 0o755), ("private", 0o600), ("setid", 0o6755)):
        (tmp_path / name).chmod(mode)
    os.link(tmp_path / "private", tmp_path / "other")
    tools = Files(tmp_path)
    for name in ("program", "private", "setid"):
        tools.write_file(name, "new")
    assert look(tmp_path) == {
        "program": (b"new", 0o755),
        "private": (b"new", 0o600),
        "other": (b"old", 0o600),
        "setid": (b"new", 0o755),
    }


@pytest.mark.parametrize(
    ("path", "content", "sentence"),
    [
        ("folder", "x", "cannot read folder: it is not a regular file"),
        ("text/below", "x", "cannot write to text: it is not a folder"),
        ("binary", "x", "cannot read binary: it is a binary file"),
        ("link", "x", "cannot read link: it is a symbolic link, and no path leads through one"),
        ("text", "\ud800", "cannot write text: its encoding, utf-8, has no U+D800. Write another character."),
        ("latin", "→", "cannot write latin: its encoding, latin-1, has no `→` (U+2192). Write another character."),
        ("n" * 300, "x", f"{'n' * 80}… is not in this tree: a name in it has more than 255 bytes"),
        ("folder/" + "n" * 300, "x", f"folder/{'n' * 73}… is not in this tree: a name in it has more than 255 bytes"),
    ],
)
def test_what_is_not_written(tmp_path: Path, path: str, content: str, sentence: str) -> None:
    fill(tmp_path, {"text": b"x", "folder/file": b"x", "binary": b"PNG\0\xff", "latin": b"caf\xe9"})
    (tmp_path / "link").symlink_to("text")
    before = look(tmp_path)
    assert refused(Files(tmp_path).write_file, path, content) == sentence
    assert look(tmp_path) == before


def test_where_the_root_lies_is_not_told(tmp_path: Path) -> None:
    fill(tmp_path / "tree", {"a": b"x"})
    tools = Files(tmp_path / "tree")
    os.rename(tmp_path / "tree", tmp_path / "away")
    assert refused(tools.write_file, "b", "x") == "cannot read b: No such file or directory"
    assert refused(tools.read_file, "a") == "cannot read a: No such file or directory"
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/.streamparse-journal").write_text("")
    assert refused(tools.write_file, "b", "x") == "cannot write to the root: Not a directory"


def test_what_is_written_at_the_same_time_is_all_written(tmp_path: Path) -> None:
    tools = Files(tmp_path)
    fill(tmp_path, {"counter": b"".join(b"%d\n" % number for number in range(8))})
    said: list[str] = []

    def work(number: int) -> None:
        said.append(tools.write_file(f"file{number}", "x"))
        block = f"------- SEARCH\n{number}\n=======\n{number}!\n+++++++ REPLACE\n"
        said.append(tools.patch_file(block, "counter"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == [
        *["Changed counter, 1 edit."] * 8,
        *(f"Created file{number}, 1 line." for number in range(8)),
    ]
    assert (tmp_path / "counter").read_text() == "".join(f"{number}!\n" for number in range(8))


# --- patch_file


@pytest.mark.parametrize(
    ("patch", "path"),
    [
        (BLOCK, "src/a.py"),
        (BLOCK, "./src//a.py"),
        (f"src/a.py\n{BLOCK}", ""),
        (f"src/a.py\n```python\n{BLOCK}```\n", ""),
        ("@@ -1 +1 @@\n-x = 1\n+x = 2\n", "src/a.py"),
        (UNIFIED.format("src/a.py"), ""),
        (UNIFIED.format("src/a.py"), "src/a.py"),
        (UNIFIED.format("a.py"), "src/a.py"),  # named from within its folder
        (CODEX.format("src/a.py"), ""),
        (CODEX.format("src/a.py"), "./src/a.py"),
        (CODEX.format("a.py"), "src/a.py"),
    ],
)
def test_every_kind_of_diff_with_and_without_a_path(tmp_path: Path, patch: str, path: str) -> None:
    fill(tmp_path, {"src/a.py": b"x = 1\n", "other.py": b"x = 1\n"})
    assert Files(tmp_path).patch_file(patch, path) == "Changed src/a.py, 1 edit."
    assert (tmp_path / "src/a.py").read_bytes() == b"x = 2\n"
    assert (tmp_path / "other.py").read_bytes() == b"x = 1\n"


def test_a_block_below_the_path_of_another_file_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, {"src/a.py": b"x = 1\n", "other.py": b"x = 1\n"})
    assert refused(Files(tmp_path).patch_file, f"other.py\n{BLOCK}", "src/a.py") == (
        "Nothing was changed in src/a.py.\n"
        "This block is for another file, other.py. Here only src/a.py is edited: leave the block out, or its path."
    )
    assert (tmp_path / "src/a.py").read_bytes() == b"x = 1\n"


def test_what_is_changed_is_what_the_patch_names_with_its_whole_path(tmp_path: Path) -> None:
    """A rule judges by the paths in the patch, of which one may be the end of another's."""
    fill(tmp_path, {"deploy/prod/settings.py": b"x = 1\n", ".ssh/authorized": b"x = 1\n"})
    for patch, path in (
        (f"settings.py\n{BLOCK}", "deploy/prod/settings.py"),
        (f"In `settings.py`:\n{BLOCK}", "deploy/prod/settings.py"),
        (UNIFIED.format("authorized"), ".ssh/authorized"),
    ):
        sentence = f"Nothing was changed: write the whole path, {path}, in the patch."
        assert refused(Files(tmp_path).patch_file, patch) == sentence
        assert (tmp_path / path).read_bytes() == b"x = 1\n"
        assert Files(tmp_path).patch_file(patch.replace(path.rpartition("/")[2], path)) == f"Changed {path}, 1 edit."
        (tmp_path / path).write_bytes(b"x = 1\n")


def test_a_patch_for_the_tree_makes_changes_moves_and_removes(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"x = 1\n", "b": b"x = 1\n", "c": b"gone\n"})
    patch = (
        "*** Begin Patch\n*** Update File: a\n@@\n-x = 1\n+x = 2\n*** Update File: b\n*** Move to: sub/b\n@@\n-x = 1\n"
        "+x = 3\n*** Delete File: c\n*** Add File: d\n+new\n*** End Patch\n"
    )
    assert Files(tmp_path).patch_file(patch, "a") == (
        "Changed a, 1 edit.\nMoved b to sub/b, 1 edit.\nDeleted c.\nCreated d, 1 edit."
    )
    assert look(tmp_path) == {
        "a": (b"x = 2\n", 0o644),
        "sub": (0o040000, 0o755),
        "sub/b": (b"x = 3\n", 0o644),
        "d": (b"new\n", 0o644),
    }


def test_one_file_is_made_by_a_block_and_removed_by_a_patch(tmp_path: Path) -> None:
    tools = Files(tmp_path)
    assert (
        tools.patch_file("------- SEARCH\n=======\nx = 1\n+++++++ REPLACE\n", "sub/new") == "Created sub/new, 1 edit."
    )
    assert (tmp_path / "sub/new").read_bytes() == b"x = 1\n"
    patch = "--- a/new\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    assert tools.patch_file(patch, "sub/new") == "Deleted sub/new, 1 edit."
    assert os.listdir(tmp_path) == []


def test_a_patch_that_is_only_about_a_mode(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"x\n"})
    patch = "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n"
    assert Files(tmp_path).patch_file(patch, "a") == "Changed a."
    assert look(tmp_path) == {"a": (b"x\n", 0o755)}
    # also if the patch calls it by the end of its path, but not if it is not there
    fill(tmp_path, {"sub/a": b"x\n"})
    assert Files(tmp_path).patch_file(patch, "sub/a") == "Changed sub/a."
    assert look(tmp_path)["sub/a"] == (b"x\n", 0o755)
    with pytest.raises(ToolError, match=r"\ANothing was changed: there is no file other/a\.\Z"):
        Files(tmp_path).patch_file(patch, "other/a")


@pytest.mark.parametrize(
    ("patch", "path", "sentence"),
    [
        ("", "a", "Nothing was changed: the patch is empty."),
        (" \n", "", "Nothing was changed: the patch is empty."),
        (UNIFIED.format("b"), "a", "Nothing was changed: the patch is for b, not for a."),
        (
            UNIFIED.format("b") + UNIFIED.format("sub/a"),
            "a",
            "Nothing was changed: the patch is for b, sub/a, not for a.",
        ),
        (
            BLOCK,
            "",
            "Nothing was changed.\nThe block does not say which file it is for. Write the path of the file in "
            "backticks on a line of its own before it.\nNone of the files was changed: send the whole diff again, with "
            "what was right and with this corrected.",
        ),
        (
            BLOCK.replace("x = 1", "y = 1"),
            "a",
            "Nothing was changed in a.\nThe line to be replaced is not in the file. Read the file again and "
            "repeat the block with its lines exactly as they are.",
        ),
        (
            "------- SEARCH\nx = 1\n=======\nx = ",
            "a",
            "Nothing was changed in a.\n"
            "The diff breaks off. Write its last block to its end, with the line `+++++++ REPLACE`.",
        ),
        (
            CODEX.format("a\n*** Move to: sub/a"),
            "other/sub/a",
            "Nothing was changed: the patch moves a file, but does not call it other/sub/a.",
        ),
        (BLOCK, "binary", "cannot read binary: it is a binary file"),
        (BLOCK, "../a", "../a is not in this tree: `..` may lead out of it"),
        (BLOCK, "link", "cannot read link: it is a symbolic link, and no path leads through one"),
    ],
)
def test_what_is_not_patched(tmp_path: Path, patch: str, path: str, sentence: str) -> None:
    fill(
        tmp_path,
        {"a": b"x = 1\n", "b": b"x = 1\n", "sub/a": b"x = 1\n", "other/sub/a": b"x = 1\n", "binary": b"x = 1\n\0"},
    )
    (tmp_path / "link").symlink_to("a")
    before = look(tmp_path)
    assert refused(Files(tmp_path).patch_file, patch, path) == sentence
    assert look(tmp_path) == before


def test_what_is_told_of_bytes_that_are_no_text_can_be_sent(tmp_path: Path) -> None:
    fill(tmp_path, {"a": "é = 1\nfoo(bar, ".encode() + b"\xff, baz)\n"})
    patch = "------- SEARCH\nfoo(bar, x, baz)\n=======\n=\n+++++++ REPLACE\n"
    tools = Files(tmp_path)
    for sentence in (refused(tools.patch_file, patch, "a"), refused(tools.patch_file, f"a\n{patch}")):
        assert r"is line 2, which is `foo(bar, \udcff, baz)` instead of `foo(bar, x, baz)`" in sentence
        assert sentence.encode()


def test_a_patch_of_which_one_part_fails_changes_nothing(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"x = 1\n", "b": b"other\n"})
    before = look(tmp_path)
    with pytest.raises(ToolError, match=r"^Nothing was changed\.\nb: The line to be replaced is not "):
        Files(tmp_path).patch_file(UNIFIED.format("a") + UNIFIED.format("b"))
    assert look(tmp_path) == before


def test_a_patch_of_several_parts_is_to_be_sent_again_as_a_whole(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"x = 1\ny = 1\n"})
    hunks = "@@ @@\n-x = 1\n+x = 2\n@@ @@\n-z = 1\n+z = 2\n"
    sentence = refused(Files(tmp_path).patch_file, hunks, "a")
    assert sentence.startswith("Nothing was changed in a.\nhunk 2: The line to be replaced is not in the file. ")
    assert sentence.endswith("\nSend the whole patch again, with what was right and with this corrected.")
    assert (tmp_path / "a").read_bytes() == b"x = 1\ny = 1\n"


def test_a_patch_for_a_link_or_a_binary_file_of_the_tree_is_refused(tmp_path: Path) -> None:
    fill(tmp_path / "tree", {"binary": b"x = 1\n\0"})
    fill(tmp_path, {"outside": b"x = 1\n"})
    (tmp_path / "tree/link").symlink_to("../outside")
    before = look(tmp_path)
    for name, reason in (("binary", "it is a binary file"), ("link", "no path leads through one")):
        sentence = refused(Files(tmp_path / "tree").patch_file, UNIFIED.format(name))
        assert reason in sentence
        assert "outside" not in sentence
    assert look(tmp_path) == before
