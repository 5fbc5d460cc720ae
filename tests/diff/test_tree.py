"""A diff for a whole tree: which files it means, what becomes of each, and that it is all of them or none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import pytest

from streamparse.diff import (
    DiffError,
    DiffEvent,
    DiffResult,
    DiffStream,
    Edit,
    EditStatus,
    FileAction,
    FileChange,
    FileResult,
    Strategy,
    TreeResult,
    TreeStream,
    apply_patch,
    apply_to_tree,
    index,
    named_paths,
)
from streamparse.diff.tree_files import TreeFiles
from streamparse.diff.tree_source import tree_of
from streamparse.errors import ParserStateError, StreamparseError
from tests.diff.kit import block, outcome, tree, work

TREE = MappingProxyType(
    {
        "src/a.py": "x = 1\ny = 2\nz = 3\n",
        "src/b.py": "p = 1\nq = 2\n",
        "lib/b.py": "r = 1\n",
        "Makefile": "all:\n",
        "my file.txt": "one\n",
    }
)
A, B = block("x = 1\n", "x = 2\n"), block("p = 1\n", "p = 2\n")
WRITE_ONE = "Write the path of one in backticks on a line of its own before it."
WRITE_IT = "Write the path of the file in backticks on a line of its own before it."
OR_BLOCK = ", or make it by a block with an empty SEARCH part"
OR_PATCH = ", or make it with `*** Add File:` or `--- /dev/null`"
A_DONE = FileChange("src/a.py", TREE["src/a.py"], "x = 2\ny = 2\nz = 3\n")
B_DONE = FileChange("src/b.py", TREE["src/b.py"], "p = 2\nq = 2\n")


def hunk(path: str, old: str, new: str) -> str:
    """A unified diff of one line."""
    return f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{old}\n+{new}\n"


def envelope(text: str) -> str:
    return f"*** Begin Patch\n{text}*** End Patch\n"


def changes(diff: str, texts: Mapping[str, str] = TREE, **options: Any) -> list[FileChange]:
    result = tree(texts, diff, **options)
    assert result.ok, result.message
    assert result.message == ""
    return list(result.changes)


def refusal(diff: str, texts: Mapping[str, str] = TREE, **options: Any) -> list[tuple[str, str, str]]:
    """Path, reason and sentence of each failure of a diff, of which nothing is applied."""
    result = tree(texts, diff, **options)
    assert not result.ok
    assert result.changes == ()
    return [
        (file.path, failure.reason.value, failure.message) for file in result.files for failure in file.result.failures
    ]


def actions(result: TreeResult) -> list[tuple[str, str]]:
    return [(file.path, file.action.value) for file in result.files]


# --- which file a block is for


@pytest.mark.parametrize(
    "before",
    [
        "src/a.py\n",
        "src/a.py\n\n```python\n",
        "src/a.py:\n```\n",
        "**src/a.py**\n",
        "**`src/a.py`**:\n",
        "`src/a.py`\n```python\n",
        "### src/a.py\n",
        "#### `src/a.py` (updated)\n",
        "File: src/a.py\n",
        "**File:** `src/a.py`\n",
        "File path: src/a.py\n",
        "filename=src/a.py\n",
        "```python\n# src/a.py\n",
        "```js\n// src/a.py\n",
        "<!-- src/a.py -->\n",
        "/* src/a.py */\n",
        "[src/a.py](src/a.py)\n",
        "<replace_in_file>\n<path>src/a.py</path>\n<diff>\n",
        "<file_path>src/a.py</file_path>\n",
        '<file path="src/a.py">\n',
        "1. src/a.py\n",
        "- `src/a.py`:\n",
        "```python src/a.py\n",
        "```src/a.py\n",
        "```python:src/a.py\n",
        '```python title="src/a.py"\n',
        "```{src/a.py}\n",
        "```{.python .numbers file=src/a.py}\n",
        '``` {.python title="src/a.py"}\n',
        "```{.py}\nsrc/a.py\n",
        "~~~ src/a.py\n",
        "./src/a.py\n",
        "src//a.py\n",
        "src\\a.py\n",
        "a.py\n",
        "In `src/a.py`, change this:\n",
        "Now the file src/a.py.\n\n```\n",
        "src/a.py\n\nThe number is wrong. It is to be two:\n\n```\n",
        "src/b.py\n" + B + "```\n\nsrc/a.py\n```\n",
        "Some prose\n```\nsrc/b.py\nsome listing\n```\nsrc/a.py\n```\n",
        "\ufeffsrc/a.py\n",
    ],
)
def test_models_name_the_file_of_a_block_in_many_ways(before: str) -> None:
    assert [change for change in changes(before + A) if change.path != "src/b.py"] == [A_DONE]


def test_the_last_file_that_was_named_goes_on() -> None:
    second = block("z = 3\n", "z = 4\n")
    for between in (
        "",
        "```\n\nAnd then:\n```\n",
        "The file:\n",
        "- src/b.py\n\nis not changed, but\n",
        "x" * 300 + "\n",
    ):
        assert changes(f"src/a.py\n{A}{between}{second}") == [
            FileChange("src/a.py", TREE["src/a.py"], "x = 2\ny = 2\nz = 4\n")
        ]


def test_a_name_without_folders_or_extension_must_be_that_of_a_file() -> None:
    assert changes("Makefile\n" + block("all:\n", "none:\n")) == [FileChange("Makefile", "all:\n", "none:\n")]
    assert changes("my file.txt\n" + block("one\n", "two\n")) == [FileChange("my file.txt", "one\n", "two\n")]
    assert changes("src/a.py\n" + A + "Done\n" + block("z = 3\n", "z = 4\n"))[0].after == "x = 2\ny = 2\nz = 4\n"


def test_a_file_that_is_known_by_its_name_may_be_made() -> None:
    assert changes("src/a.py\n" + A + "**Dockerfile**\n```\n" + block("", "FROM x\n")) == [
        A_DONE,
        FileChange("Dockerfile", None, "FROM x\n"),
    ]


def test_a_name_that_is_the_end_of_several_paths_is_none_of_them() -> None:
    [(path, reason, message)] = refusal("b.py\n" + B)
    assert (path, reason) == ("b.py", "no_file")
    assert message == "There is no file b.py, but others that end so: lib/b.py, src/b.py. Write the whole path."


def test_a_sentence_that_speaks_of_several_files_says_nothing_new() -> None:
    between = "Use src/b.py in src/a.py, or lib/b.py:\n"
    assert changes("src/a.py\n" + A + between + block("z = 3\n", "z = 4\n"))[0].after == "x = 2\ny = 2\nz = 4\n"
    assert refusal("Makefile\n" + block("all:\n", "none:\n") + between + A) == [
        (
            "",
            "no_file",
            "The block may be for `src/b.py` or `src/a.py` or `lib/b.py`. " + WRITE_ONE,
        )
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Also `src/c.py`:",
        "Now src/c.py needs it too:",
        "Step 2: src/c.py",
        "src/c.py — with another number",
    ],
)
def test_a_line_that_speaks_of_a_file_that_is_not_there_means_that_file(line: str) -> None:
    """It can be made, and cannot be changed; the file of the block before is not meant."""
    assert changes(f"src/a.py\n{A}{line}\n" + block("", "new\n")) == [A_DONE, FileChange("src/c.py", None, "new\n")]
    [(path, reason, message)] = refusal(f"src/a.py\n{A}{line}\n" + block("z = 3\n", "z = 4\n"))
    assert (path, reason) == ("src/c.py", "no_file")
    assert message.startswith("There is no file src/c.py: did you mean ")
    assert message.endswith(
        " If the block is for src/a.py, write that path in backticks on a line of its own before it."
    )


def test_words_before_a_path_may_be_part_of_it() -> None:
    may_be = "The block may be for `src/c.py` or `Our report src/c.py`. " + WRITE_ONE
    for line in ("### Our report src/c.py", "**Our report src/c.py:**"):
        for new in (block("", "new\n"), block("z = 3\n", "z = 4\n")):
            assert refusal(f"src/a.py\n{A}{line}\n{new}") == [("", "no_file", may_be)]


@pytest.mark.parametrize(
    "line",
    [
        "And `self.value`, which Node.js has:",
        "See https://a.example/src/c.py for it:",
        "As src/c.py has it, in `src/a.py`:",
        "src/a.py\n\nNot in src/c.py any more:",
        "Either/or, in v1.2 e.g. this:",
    ],
)
def test_what_is_no_file_or_stands_beside_one_means_none(line: str) -> None:
    done = [FileChange("src/a.py", TREE["src/a.py"], "x = 2\ny = 2\nz = 4\n")]
    assert changes(f"src/a.py\n{A}{line}\n" + block("z = 3\n", "z = 4\n")) == done


def test_a_line_that_speaks_of_several_files_that_are_not_there_means_none() -> None:
    for head in ("", f"src/a.py\n{A}"):
        assert refusal(f"{head}Both d.py and e/d.py:\n" + block("", "new\n")) == [
            (
                "",
                "no_file",
                "The block may be for `d.py` or `e/d.py`. " + WRITE_ONE,
            )
        ]


def test_a_block_below_text_about_another_file_that_has_its_lines_is_ambiguous() -> None:
    tree = {"a.py": "x = 1\nz = 3\n", "b.py": "y = 1\n z = 3\n", "c.py": "z = 4\n"}
    first = "a.py\n" + block("x = 1\n", "x = 2\n")
    second = block("z = 3\n", "z = 5\n")
    for text in ("In b.py it is needed, too.\n\nThe change:\n", "c.py and `b.py` follow:\nThis is it.\n"):
        result = apply_to_tree(tree, first + text + second)
        assert [(failure.number, failure.reason, failure.message) for failure in result.failures] == [
            (
                2,
                "ambiguous",
                "The block may be for `a.py` or `b.py`. " + WRITE_ONE,
            )
        ]
    # Another block, below text about the same file; and what is spoken of behind very many others is not looked at.
    third = "In b.py it stays.\n\nThis one not:\n" + block("z = 3\n", "z = 6\n")
    failures = apply_to_tree(tree, first + "In b.py, too:\nHere:\n" + second + third).failures
    assert [(failure.number, failure.reason) for failure in failures] == [(2, "ambiguous"), (3, "ambiguous")]
    many = "\n".join(f"As x{number}.py has it." for number in range(40))
    assert apply_to_tree(tree, f"{first}{many}\nb.py, last of them.\nThe change:\n{second}").ok
    for text in (
        "Of c.py nothing is needed.\n\nThe change:\n",  # it has not these lines
        "In b.py it is, but in a.py:\n",
        "Not in b.py.\n\n`a.py`\n\nThe change:\n",
    ):
        result = apply_to_tree(tree, first + text + second)
        assert (result.ok, [(change.path, change.after) for change in result.changes]) == (
            True,
            [("a.py", "x = 2\nz = 5\n")],
        )


def test_a_sentence_is_no_name_of_a_file() -> None:
    between = "And the second one:\n"
    assert named_paths("src/a.py\n" + A + between + B) == ["src/a.py"]


def test_a_block_without_any_name_is_refused() -> None:
    unnamed = "The block does not say which file it is for. " + WRITE_IT
    assert refusal("Here it is:\n\n" + A + block("", "new\n")) == [("", "no_file", unnamed)] * 2
    assert refusal(A + "src/b.py\n" + B) == [("", "no_file", unnamed)]


def test_a_name_behind_a_bad_marker_is_heard() -> None:
    """The lines behind `++ REPLACE` are read again when the next block shows that it was meant as the end."""
    diff = "src/a.py\n" + A.replace("+++++++ REPLACE", "++ REPLACE") + "src/b.py\n" + B
    result = tree(TREE, diff)
    assert [(file.path, file.action.value, file.result.content) for file in result.files] == [
        ("src/a.py", "failed", TREE["src/a.py"]),
        ("src/b.py", "changed", "p = 2\nq = 2\n"),
    ]
    assert changes(diff, fix_markers=True) == [A_DONE, B_DONE]
    assert changes(diff.removesuffix("+++++++ REPLACE\n") + "++ REPLACE\n", fix_markers=True) == [A_DONE, B_DONE]


@pytest.mark.parametrize(
    ("path", "there", "suggestion"),
    [
        ("src/zz.py", ["src/a.py", "src/b.py"], "."),
        ("src/c.py", ["src/a.py", "src/b.py"], "."),
        ("test_3.py", ["test_1.py", "test_2.py"], "."),
        ("Read_Me.md", ["readme.md", "a.md"], ": did you mean 'readme.md'?"),
        ("Read_Me.md", ["readme.md", "README.md"], "."),
    ],
)
def test_what_is_to_be_removed_is_no_other_file(path: str, there: list[str], suggestion: str) -> None:
    texts = dict.fromkeys(there, "x\n")
    removal = tree(texts, envelope(f"*** Delete File: {path}\n"))
    sentence = f"There is no file {path}{suggestion} Use the path of a file that is there."
    assert [failure.message for failure in removal.failures] == [sentence]
    # also if an earlier part asked for it
    both = tree(texts, envelope(f"*** Update File: {path}\n@@\n-x\n+y\n*** Delete File: {path}\n"))
    assert both.failures[-1].message == sentence


@pytest.mark.parametrize(
    "diff",
    [
        envelope("*** Add File: file:///etc/x\n+1\n"),
        envelope("*** Add File: file:/etc/x\n+1\n"),
        "--- /dev/null\n+++ b/file:///etc/x\n@@ -0,0 +1 @@\n+1\n",
        "diff --git a/src/a.py b/file:///etc/x\nsimilarity index 100%\nrename from src/a.py\nrename to file:///etc/x\n",
    ],
)
def test_a_path_that_begins_with_an_address(diff: str) -> None:
    [failure] = tree(TREE, diff).failures
    assert (failure.reason, failure.message) == (
        "no_file",
        "The path file:/etc/x is absolute. Paths begin at the root of the tree, without `file:/` at the start.",
    )


@pytest.mark.parametrize("above", ["{}\n", "In `{}`, write:\n", "{}\nIt is short:\n"])
def test_a_block_without_old_lines_is_not_for_a_file_whose_path_ends_so(above: str) -> None:
    texts = {"lib/tests/a.py": "", "lib/b.py": "b\n"}
    for name, whole, blank in (("tests/a.py", "lib/tests/a.py", ""), ("b.py", "lib/b.py", "  \n")):
        result = tree(texts, above.format(name) + block(blank, "c\n"))
        assert (actions(result), result.failures[0].reason) == ([(whole, "failed")], "no_file")
        assert f"no file {name}. The path of {whole} ends so" in result.message
    # as soon as there are old lines, it is
    assert tree(texts, above.format("b.py") + block("b\n", "c\n")).ok
    assert tree(texts, above.format("lib/tests/a.py") + block("", "c\n")).ok


def test_a_path_that_begins_at_the_root() -> None:
    texts = {"lib/b.py": "b\n"}
    assert actions(tree(texts, "./b.py\n" + block("", "c\n"))) == [("b.py", "created")]
    assert actions(tree(texts, "./lib/b.py\n" + block("b\n", "c\n"))) == [("lib/b.py", "changed")]
    result = tree(texts, "./b.py\n" + block("b\n", "c\n"))
    assert (actions(result), result.failures[0].reason) == ([("b.py", "failed")], "no_file")


def test_a_piece_of_a_start_marker_is_for_the_file_before_it() -> None:
    result = tree(TREE, "Here:\n\nsrc/a.py\n<<<<<<< SEA")
    assert (actions(result), result.message.splitlines()[0]) == (
        [("src/a.py", "failed")],
        "src/a.py: The diff breaks off. Write its last block to its end, with the line `>>>>>>> REPLACE`.",
    )


def test_a_loose_marker_is_for_the_file_before_it() -> None:
    diff = "src/a.py\n" + A + "src/b.py\n" + B.replace("------- SEARCH", "-- SEARCH")
    assert changes(diff, fix_markers=True) == [A_DONE, B_DONE]
    assert changes("src/a.py\n" + A + "src/b.py\n### Search\nis prose\n") == [A_DONE]
    assert changes("src/b.py\n### Search\nis prose, too\nsrc/a.py\n" + A) == [A_DONE]


def test_a_bad_end_behind_which_another_file_is_named_at_the_end_of_the_text() -> None:
    diff = "src/a.py\n" + A.removesuffix("+++++++ REPLACE\n") + "++ REPLACE\nsrc/b.py\n-------SEARCH\np = 1\n"
    assert actions(tree(TREE, diff)) == [("src/a.py", "failed"), ("src/b.py", "failed")]


# --- what becomes of the files


def test_blocks_make_a_file_and_go_on_with_it() -> None:
    made = "new/c.py\n" + block("", "one\n") + block("one\n", "one\ntwo\n") + "src/a.py\n" + A
    more = "new/c.py\n" + block("two\n", "three\n")
    result = tree(TREE, made + more)
    assert actions(result) == [("new/c.py", "created"), ("src/a.py", "changed")]
    assert result.changes == (FileChange("new/c.py", None, "one\nthree\n"), A_DONE)
    assert [edit.number for edit in result.files[0].result.edits] == [1, 2, 4]


def test_blocks_for_a_file_that_is_not_there() -> None:
    missing = f"There is no file {{}}{{}} Use the path of a file that is there{OR_BLOCK}."
    assert refusal("src/c.py\n" + A) == [
        ("src/c.py", "no_file", missing.format("src/c.py", ": did you mean 'src/b.py' or 'src/a.py'?"))
    ]
    assert refusal("src\\quite.else\n" + A + block("", "x\n") + block("x\n", "y\n")) == [
        ("src/quite.else", "no_file", missing.format("src/quite.else", ".")),
    ]
    many = {f"{number}/x": "" for number in range(1001)}
    assert refusal("src/c.py\n" + A, many) == [("src/c.py", "no_file", missing.format("src/c.py", "."))]


def test_equal_blocks_for_equal_lines_of_one_file() -> None:
    texts = {"a.py": "x\ny\nx\n", "b.py": "x\n"}
    one = "a.py\n" + block("x\n", "z\n")
    assert changes(one + one, texts) == [FileChange("a.py", "x\ny\nx\n", "z\ny\nz\n")]
    assert [reason for _, reason, _ in refusal(one + "b.py\n" + block("x\n", "z\n"), texts)] == ["ambiguous"]


GIT = """\
diff --git a/src/a.py b/src/c.py
old mode 100644
new mode 100755
similarity index 50%
rename from src/a.py
rename to src/c.py
index 83db48f..bf269f4
--- a/src/a.py
+++ b/src/c.py
@@ -1,3 +1,3 @@
-x = 1
+x = 2
 y = 2
 z = 3
diff --git a/Makefile b/Makefile
old mode 100644
new mode 100755
diff --git a/lib/b.py b/lib/b.py
deleted file mode 100644
index 1..0
--- a/lib/b.py
+++ /dev/null
@@ -1 +0,0 @@
-r = 1
diff --git a/run b/run
new file mode 100755
index 0..1
--- /dev/null
+++ b/run
@@ -0,0 +1 @@
+ls
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
diff --git a/src/b.py b/src/d.py
similarity index 100%
rename from src/b.py
rename to src/d.py
"""


def test_everything_that_git_writes_about_files() -> None:
    result = tree(TREE, GIT)
    assert result.changes == (
        FileChange("src/a.py", TREE["src/a.py"], "x = 2\ny = 2\nz = 3\n", "src/c.py", 0o755),
        FileChange("Makefile", "all:\n", "all:\n", mode=0o755),
        FileChange("lib/b.py", "r = 1\n", None),
        FileChange("run", None, "ls\n", mode=0o755),
        FileChange("empty", None, "", mode=0o644),
        FileChange("src/b.py", TREE["src/b.py"], TREE["src/b.py"], "src/d.py"),
    )
    assert [(file.path, file.action.value, file.moved_to, file.mode) for file in result.files] == [
        ("src/a.py", "moved", "src/c.py", 0o755),
        ("Makefile", "changed", None, 0o755),
        ("lib/b.py", "deleted", None, None),
        ("run", "created", None, 0o755),
        ("empty", "created", None, 0o644),
        ("src/b.py", "moved", "src/d.py", None),
    ]


def test_everything_that_a_patch_in_an_envelope_does() -> None:
    diff = envelope(
        "*** Add File: ./q/r.py\n+hello\n*** Update File: q/r.py\n@@\n-hello\n+world\n*** Delete File: Makefile\n"
        "*** Update File: src/a.py\n*** Move to: src\\z.py\n@@\n-x = 1\n+x = 2\n*** Update File: src/z.py\n"
        "@@\n-z = 3\n+z = 4\n"
    )
    result = tree(TREE, diff)
    assert result.changes == (
        FileChange("q/r.py", None, "world\n"),
        FileChange("Makefile", "all:\n", None),
        FileChange("src/a.py", TREE["src/a.py"], "x = 2\ny = 2\nz = 4\n", "src/z.py"),
    )
    assert actions(result) == [("q/r.py", "created"), ("Makefile", "deleted"), ("src/a.py", "moved")]
    assert result.files[2].result.moved_to == "src/z.py"


def test_a_second_part_for_a_file_is_applied_to_what_the_first_has_made() -> None:
    diff = hunk("src/a.py", "x = 1", "x = 2") + hunk("src/b.py", "p = 1", "p = 2") + hunk("src/a.py", "x = 2", "x = 3")
    result = tree(TREE, diff)
    assert result.changes == (FileChange("src/a.py", TREE["src/a.py"], "x = 3\ny = 2\nz = 3\n"), B_DONE)
    assert [edit.number for edit in result.files[0].result.edits] == [1, 3]


def test_mails_are_applied_one_after_the_other() -> None:
    mail = "From {0} Mon Sep 17 00:00:00 2001\nSubject: [PATCH] {1}\n\n---\n {1} | 2 +-\n\n{2}-- \n2.39.0\n\n"
    git = "diff --git a/src/a.py b/src/a.py\n" + hunk("src/a.py", "x = 1", "x = 2")
    then = "diff --git a/src/a.py b/src/a.py\n" + hunk("src/a.py", "x = 2", "x = 3")
    copied = "diff --git a/src/a.py b/src/c.py\nsimilarity index 100%\ncopy from src/a.py\ncopy to src/c.py\n"
    diff = mail.format("1" * 40, "one", git) + mail.format("2" * 40, "two", then + copied)
    assert changes(diff) == [
        FileChange("src/a.py", TREE["src/a.py"], "x = 3\ny = 2\nz = 3\n"),
        # a copy is of the file before the patch
        FileChange("src/c.py", None, "x = 2\ny = 2\nz = 3\n", copied_from="src/a.py"),
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (f"From {'1' * 40} Mon Sep 17 00:00:00 2001", "x = 2\ny = 2\nz = 3\n"),
        (f"commit {'1' * 40}", "x = 2\ny = 2\nz = 3\n"),
        (f"commit {'1' * 64} (HEAD -> main)", "x = 2\ny = 2\nz = 3\n"),
        # no commit: all of it is one patch
        (f"commit {'1' * 39}", TREE["src/a.py"]),
        (f"commit {'1' * 65}", TREE["src/a.py"]),
        (f"    commit {'1' * 40}", TREE["src/a.py"]),
    ],
)
def test_a_copy_is_of_the_file_before_its_commit(line: str, text: str) -> None:
    one = "diff --git a/src/a.py b/src/a.py\n" + hunk("src/a.py", "x = 1", "x = 2")
    commit = f"{line}\nAuthor: a <a@b>\nDate:   Thu Jan 1 00:00:17 1970 +0000\n\n    change\n    - this\n    + that\n\n"
    diff = f"{commit}{one}\n{commit}{renamed('src/a.py', 'src/c.py', 'copy')}"
    assert changes(diff) == [
        FileChange("src/a.py", TREE["src/a.py"], "x = 2\ny = 2\nz = 3\n"),
        FileChange("src/c.py", None, text, copied_from="src/a.py"),
    ]


def test_a_copy_is_of_the_file_before_the_patch_even_if_that_is_moved() -> None:
    moved = "diff --git a/src/a.py b/z\nsimilarity index 100%\nrename from src/a.py\nrename to z\n"
    copied = (
        "diff --git a/src/a.py b/zz\nsimilarity index 90%\ncopy from src/a.py\ncopy to zz\n--- a/src/a.py\n+++ b/zz\n"
        "@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    )
    assert changes(moved + copied) == [
        FileChange("src/a.py", TREE["src/a.py"], TREE["src/a.py"], "z"),
        FileChange("zz", None, "x = 2\ny = 2\nz = 3\n", copied_from="src/a.py"),
    ]
    assert refusal(copied, {"zz": "x\n"})[0][2].startswith("There is no file src/a.py. Use the path")
    assert refusal(copied, {**TREE, "zz": "x\n"}) == [
        ("zz", "no_file", "There is a file zz already: remove it first, or use another path.")
    ]


def test_what_is_there_again_is_a_change() -> None:
    diff = envelope(
        "*** Delete File: src/a.py\n*** Add File: src/a.py\n+new\n*** Add File: tmp\n+x\n*** Delete File: tmp\n"
        "*** Add File: one\n+x\n*** Update File: one\n*** Move to: two\n@@\n-x\n+y\n"
    )
    result = tree(TREE, diff)
    assert result.changes == (FileChange("src/a.py", TREE["src/a.py"], "new\n"), FileChange("two", None, "y\n"))
    assert actions(result) == [("src/a.py", "changed"), ("tmp", "unchanged"), ("one", "created")]


def test_a_file_that_takes_the_place_of_one_that_was_moved() -> None:
    diff = envelope("*** Update File: src/b.py\n*** Move to: c.py\n@@\n-p = 1\n+p = 2\n*** Add File: src/b.py\n+new\n")
    result = tree(TREE, diff)
    assert result.changes == (
        FileChange("src/b.py", TREE["src/b.py"], "p = 2\nq = 2\n", "c.py"),
        FileChange("src/b.py", None, "new\n"),
    )
    assert actions(result) == [("src/b.py", "moved"), ("src/b.py", "created")]
    over = envelope("*** Delete File: Makefile\n*** Update File: src/b.py\n*** Move to: Makefile\n@@\n-p = 1\n+p = 2\n")
    assert tree(TREE, over).changes == (
        FileChange("Makefile", "all:\n", None),
        FileChange("src/b.py", TREE["src/b.py"], "p = 2\nq = 2\n", "Makefile"),
    )


def renamed(old: str, new: str, verb: str = "rename") -> str:
    """What git writes about a file that is moved, or copied."""
    return f"diff --git a/{old} b/{new}\nsimilarity index 100%\n{verb} from {old}\n{verb} to {new}\n"


ABC = {"a": "1\n", "b": "2\n", "c": "3\n"}
NEW_A = "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n"
NO_A = "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"


@pytest.mark.parametrize(
    ("diff", "after"),
    [
        (renamed("b", "a") + renamed("a", "b"), {"a": "2\n", "b": "1\n", "c": "3\n"}),
        (renamed("c", "a") + renamed("a", "b") + renamed("b", "c"), {"a": "3\n", "b": "1\n", "c": "2\n"}),
        (renamed("b", "a") + renamed("a", "d"), {"a": "2\n", "c": "3\n", "d": "1\n"}),
        (NEW_A + renamed("a", "d"), {"a": "new\n", "b": "2\n", "c": "3\n", "d": "1\n"}),
        (renamed("b", "a", "copy") + renamed("a", "d"), {"a": "2\n", "b": "2\n", "c": "3\n", "d": "1\n"}),
        # what is copied is the file that was there
        (
            renamed("b", "a") + renamed("a", "b", "copy") + renamed("a", "d"),
            {"a": "2\n", "b": "1\n", "c": "3\n", "d": "1\n"},
        ),
        (
            renamed("b", "a") + renamed("a", "d") + renamed("a", "e", "copy"),
            {"a": "2\n", "c": "3\n", "d": "1\n", "e": "1\n"},
        ),
        (renamed("b", "a") + NO_A, {"a": "2\n", "c": "3\n"}),
        (NO_A + renamed("b", "a"), {"a": "2\n", "c": "3\n"}),
    ],
)
def test_files_of_a_git_patch_change_places(diff: str, after: dict[str, str]) -> None:
    texts = dict(ABC)
    assert changes(diff, texts)
    assert apply_to_tree(texts, diff, write=True).ok
    assert texts == after


def test_a_file_that_stays_is_in_the_way_of_another() -> None:
    taken = [("b", "no_file", "There is a file a already: remove it first, or use another path.")]
    assert refusal(renamed("b", "a"), ABC) == taken
    # another patch cannot take it away any more, nor can two files come to one place
    mail = f"From {'1' * 40} Mon Sep 17 00:00:00 2001\n\n---\n"
    mails = mail + renamed("b", "a") + mail + renamed("a", "d")
    assert refusal(mails, ABC) == [("a", *taken[0][1:])]
    assert refusal(renamed("b", "a") + renamed("c", "a") + renamed("a", "d"), ABC) == [("c", *taken[0][1:])]
    assert refusal(NEW_A, ABC) == [("a", "no_file", taken[0][2])]
    assert changes(NEW_A, {"a": ""}) == [FileChange("a", "", "new\n", mode=0o644)]


@pytest.mark.parametrize(
    "line",
    [
        f"From {'1' * 40} Mon Sep 17 00:00:00 2001\n",
        "From mboxrd@z Thu Jan  1 00:00:00 1970\n",
        "From a1b2c3d Mon Sep 17 00:00:00 2001\n",
        "From a@example.org Fri, no date\n",  # nothing but prose
        "",
    ],
)
def test_mails_are_one_patch_each(line: str) -> None:
    def mail(diff: str, end: str = "-- \n2.39.5\n\n") -> str:
        return f"{line}From: A <a@b>\nSubject: x\n\n- one\n+ two\n---\n a | 2 +-\n\n{diff}{end}"

    first, second = (f"diff --git a/{path} b/{path}\n{hunk(path, old, '4')}" for path, old in (("a", "1"), ("b", "2")))
    done = [FileChange("a", "1\n", "4\n"), FileChange("b", "2\n", "4\n")]
    for end in ("-- \n2.39.5\n\n", "-- \n2.39.5", "-- \n2.3", "-- \n", "-- ", ""):
        assert changes(mail(first) + mail(second, end), ABC) == done
    again = f"diff --git a/a b/a\n{hunk('a', '4', '5')}"
    assert changes(mail(first) + mail(again), ABC) == [FileChange("a", "1\n", "5\n")]
    # what the second one copies is the file before it, not before the first
    copied = mail(first) + mail(renamed("a", "d", "copy"))
    assert changes(copied, ABC) == [done[0], FileChange("d", None, "4\n", copied_from="a")]
    result = apply_patch("1\n", mail(first) + mail(second), path="a")
    assert (result.ok, result.content) == (True, "4\n")


def test_while_files_change_places_the_preview_has_the_one_that_came() -> None:
    mail = f"From {'1' * 40} Mon Sep 17 00:00:00 2001\n\n---\n"
    stream = TreeStream(ABC)
    stream.feed(mail + "diff --git a/a b/a\n" + hunk("a", "1", "4") + mail + renamed("b", "a"))
    stream.feed("diff --git a/c b/c\n" + hunk("c", "3", "5"))
    assert stream.preview == {"a": "2\n", "b": None, "c": "3\n"}


def test_of_two_names_the_new_one_is_meant_unless_only_the_old_one_is_there() -> None:
    diff = "--- src/a.py.orig\n+++ src/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    assert changes(diff) == [A_DONE]
    assert changes(diff.replace("src/a.py\n", "src/other.py\n").replace(".orig", "")) == [A_DONE]
    assert changes(hunk("a.py", "x = 1", "x = 2")) == [A_DONE]


def test_a_diff_that_changes_nothing() -> None:
    for diff in (
        "src/a.py\n" + block("x = 1\n", "x = 1\n"),
        "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n x = 1\n y = 2\n",
    ):
        result = tree(TREE, diff)
        assert (result.ok, result.changes, actions(result)) == (True, (), [("src/a.py", "unchanged")])
    assert tree(TREE, "") == TreeResult(ok=True)


# --- what is refused, and then nothing is changed


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        (
            envelope("*** Update File: no.py\n@@\n-x\n+y\n"),
            ("no.py", "no_file", f"There is no file no.py. Use the path of a file that is there{OR_PATCH}."),
        ),
        (
            envelope("*** Update File: no.py\n@@\n+y\n"),
            ("no.py", "no_file", f"There is no file no.py. Use the path of a file that is there{OR_PATCH}."),
        ),
        (
            envelope("*** Delete File: no.py\n"),
            ("no.py", "no_file", "There is no file no.py. Use the path of a file that is there."),
        ),
        (
            envelope("*** Delete File: a.py\n"),
            ("a.py", "no_file", "There is no file a.py, but others that end so: src/a.py. Write the whole path."),
        ),
        (
            envelope("*** Add File: src/a.py\n+x\n"),
            (
                "src/a.py",
                "empty_search",
                "The patch makes src/a.py, but the file exists and is not empty: change its lines instead.",
            ),
        ),
        (
            envelope("*** Update File: src/a.py\n*** Move to: src/b.py\n@@\n-x = 1\n+x = 2\n"),
            ("src/a.py", "no_file", "There is a file src/b.py already: remove it first, or use another path."),
        ),
        (
            envelope("*** Add File: ../x\n+x\n"),
            ("../x", "no_file", "The path ../x leads out of the tree. Use one that is relative to its root."),
        ),
        (
            envelope("*** Update File: src/a.py\n*** Move to: a/../../b\n@@\n-x = 1\n+x = 2\n"),
            ("src/a.py", "no_file", "The path a/../../b leads out of the tree. Use one that is relative to its root."),
        ),
        (
            "/etc/passwd\n" + block("", "x\n"),
            (
                "/etc/passwd",
                "no_file",
                "The path /etc/passwd is absolute. Paths begin at the root of the tree, without `/` at the start.",
            ),
        ),
        (
            envelope("*** Add File: /src/../../x\n+x\n"),
            (
                "/src/../../x",
                "no_file",
                "The path /src/../../x leads out of the tree. Use one that is relative to its root.",
            ),
        ),
        (
            envelope("*** Update File: C:\\src\\a.py\n@@\n-x = 1\n+x = 2\n"),
            (
                "C:\\src\\a.py",
                "no_file",
                "The path C:\\src\\a.py is absolute. Paths begin at the root of the tree, without `C:\\` at the start.",
            ),
        ),
        (
            "C:\\a.py\n" + block("", "x\n"),
            (
                "",
                "no_file",
                "The block does not say which file it is for. " + WRITE_IT,
            ),
        ),
        (
            "@@ -1 +1 @@\n-x = 1\n+x = 2\n",
            (
                "",
                "no_file",
                "The patch does not say which file this is for. Write its path before the hunks, in lines that begin "
                "with `---` and `+++`, or with `*** Update File:`.",
            ),
        ),
        (
            "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+src\n",
            (
                "l",
                "no_file",
                "The patch is about a symbolic link or a submodule, and only files can be changed. Leave it out.",
            ),
        ),
        (
            "diff --git a/src/a.py b/src/a.py\nindex 1..2 100644\nBinary files a/src/a.py and b/src/a.py differ\n",
            (
                "src/a.py",
                "bad_marker",
                "The patch changes src/a.py as a binary file. Only lines of text can be changed by a patch: leave it "
                "out.",
            ),
        ),
        (
            "no diff at all\n",
            (
                "",
                "bad_marker",
                "There is nothing to apply in this text. A block is `------- SEARCH`, the old lines, `=======`, the "
                "new lines, `+++++++ REPLACE`. Before it stands the path of its file, in backticks on a line of its "
                "own.",
            ),
        ),
        (
            envelope("*** Update File: src/a.py\n*** Update File: src/b.py\n@@\n-p = 1\n+p = 2\n"),
            (
                "src/a.py",
                "bad_marker",
                "The patch has no lines for src/a.py: write hunks behind its header, or leave it out.",
            ),
        ),
        (
            "*** Begin Patch\n*** End Patch\n",
            (
                "",
                "no_file",
                "The patch does not say which file this is for. Write its path before the hunks, in lines that begin "
                "with `---` and `+++`, or with `*** Update File:`.",
            ),
        ),
    ],
)
def test_what_cannot_be_done_is_said(diff: str, expected: tuple[str, str, str]) -> None:
    assert refusal(diff) == [expected]


def test_one_file_that_fails_keeps_all_as_they_were() -> None:
    texts = dict(TREE)
    diff = hunk("src/a.py", "x = 1", "x = 2") + hunk("src/b.py", "nowhere", "x") + hunk("no.py", "x", "y")
    result = apply_to_tree(texts, diff, write=True)
    assert texts == TREE
    assert actions(result) == [("src/a.py", "changed"), ("src/b.py", "failed"), ("no.py", "failed")]
    assert [failure.number for failure in result.failures] == [2, 3]
    assert result.message.splitlines() == [
        "src/b.py: The line to be replaced is not in the file. Read the file again and repeat the hunk with "
        "its lines exactly as they are.",
        f"no.py: There is no file no.py. Use the path of a file that is there{OR_PATCH}.",
        "None of the files was changed: send the whole diff again, with what was right and with this corrected.",
    ]
    with pytest.raises(DiffError) as caught:
        apply_to_tree(texts, diff, strict=True)
    assert str(caught.value) == result.message
    assert caught.value.failures == result.failures


def test_what_is_to_be_removed_moved_or_copied_is_there() -> None:
    sentence = "There is no file no.py. Use the path of a file that is there{}."
    for diff, more in [
        ("diff --git a/no.py b/no.py\ndeleted file mode 100644\n--- a/no.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", ""),
        (renamed("no.py", "new"), ""),
        (renamed("no.py", "new", "copy"), ""),
        (hunk("no.py", "x", "y"), OR_PATCH),
    ]:
        assert [sentence.format(more)] == [message for _, _, message in refusal(diff)]


def test_a_block_is_told_by_its_number_if_there_are_several() -> None:
    advice = "Read the file again and repeat the block with its lines exactly as they are."
    lost, unnamed = block("nowhere\n", "x\n"), "The block does not say which file it is for."
    for diff, sentences in [
        (f"src/a.py\n{lost}", [f"src/a.py: The line to be replaced is not in the file. {advice}"]),
        (f"src/a.py\n{A}{lost}", [f"block 2 of src/a.py: The line to be replaced is not in the file. {advice}"]),
        (lost, [f"{unnamed} " + WRITE_IT]),
        (
            f"{lost}src/a.py\n{A}",
            [f"block 1: {unnamed} " + WRITE_IT],
        ),
    ]:
        assert tree(TREE, diff).message.splitlines()[:-1] == sentences


def test_a_diff_that_breaks_off() -> None:
    for diff, sentence in (
        (
            "src/a.py\n" + A + "src/b.py\n" + B.removesuffix("+++++++ REPLACE\n"),
            "The diff breaks off. Write its last block to its end, with the line `+++++++ REPLACE`.",
        ),
        (
            envelope(
                "*** Update File: src/a.py\n@@\n-x = 1\n+x = 2\n*** Update File: src/b.py\n@@\n-p = 1\n+p = 2\n"
            ).removesuffix("*** End Patch\n"),
            "The patch breaks off. Write its last hunk to its end, and `*** End Patch` behind it.",
        ),
    ):
        result = tree(TREE, diff)
        assert (result.ok, result.changes) == (False, ())
        assert actions(result) == [("src/a.py", "changed"), ("src/b.py", "failed")]
        assert result.message.splitlines()[0] == f"src/b.py: {sentence}"
        assert changes(diff, accept_truncated=True) == [A_DONE, B_DONE]
    assert not tree(TREE, "*** Begin Patch\n*** Delete File: Makefile\n").ok
    assert not tree(TREE, "diff --git a/src/a.py b/c\nsimilarity index 100%\nrename to c").ok


# --- trees of all kinds


def test_a_mapping_is_written_all_or_nothing() -> None:
    texts = dict(TREE)
    diff = envelope(
        "*** Add File: new\n+x\n*** Delete File: Makefile\n*** Update File: src/b.py\n*** Move to: c.py\n"
        "@@\n-p = 1\n+p = 2\n"
    )
    assert apply_to_tree(texts, diff, write=True).ok
    expected = {**TREE, "new": "x\n", "c.py": "p = 2\nq = 2\n"}
    del expected["Makefile"], expected["src/b.py"]
    assert texts == expected

    class Full(dict[str, str]):
        def __setitem__(self, path: str, text: str) -> None:
            if path == "zz":
                raise OSError("no space")
            super().__setitem__(path, text)

    full = Full(TREE)
    with pytest.raises(OSError, match="no space"):
        apply_to_tree(full, diff.replace("*** End", "*** Add File: zz\n+x\n*** End"), write=True)
    assert full == TREE


NO_TREE = "the tree must be a directory, a mapping, a callable or an object with `read`, not NoneType"


def test_a_tree_of_ones_own() -> None:
    class Read:
        def read(self, path: str) -> str | None:
            return TREE.get(path)

    class Listed(Read):
        def paths(self) -> Iterable[str]:
            return TREE

    for own, found in ((Read(), ()), (Listed(), (A_DONE,))):
        assert apply_to_tree(own, "src/a.py\n" + A).changes == (A_DONE,)
        assert apply_to_tree(own, "a.py\n" + A).changes == found  # for the end of a path one must know the paths
        with pytest.raises(TypeError, match=r"^this tree can only be read: "):
            apply_to_tree(own, "src/a.py\n" + A, write=True)


def test_a_tree_that_can_only_be_read() -> None:
    for source in (TREE, TREE.get, lambda path: TREE.get(path)):
        assert apply_to_tree(source, "src/a.py\n" + A).changes == (A_DONE,)
        with pytest.raises(TypeError, match=r"^this tree can only be read: give a directory or a mapping"):
            apply_to_tree(source, "src/a.py\n" + A, write=True)
    with pytest.raises(TypeError, match=f"^{re.escape(NO_TREE)}$"):
        TreeStream(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^the text of src/a.py must be a str, not int$"):
        apply_to_tree(lambda path: 1, "src/a.py\n" + A)  # type: ignore[arg-type,return-value]


def test_what_is_about_a_file_is_said_once_and_of_none_of_its_blocks() -> None:
    nothing = "None of the files was changed: send the whole diff again, with what was right and with this corrected."
    missing = f"There is no file no.py. Use the path of a file that is there{OR_BLOCK}."
    blocks = block("x\n", "y\n") + block("z\n", "y\n")
    assert tree({}, f"no.py\n{blocks}").message == f"no.py: {missing}\n{nothing}"
    inside = "a.py is a file, and a.py/b would be in it: remove that first, or use another path."
    added = "*** Begin Patch\n*** Add File: a.py/b\n+x\n*** End Patch\n"
    assert tree({"a.py": "x\n"}, added).message == f"a.py/b: {inside}\n{nothing}"


def test_a_tree_of_another_kind_says_why_a_path_is_no_good() -> None:
    class Store:
        def __init__(self) -> None:
            self.written: list[FileChange] = []

        def read(self, path: str) -> str | None:
            if path == "fifo":
                raise StreamparseError("fifo is no regular file.")
            return TREE.get(path)

        def write(self, changes: Any) -> None:
            self.written += changes

    store = Store()
    result = apply_to_tree(store, "src/a.py\n" + A + "fifo\n" + block("x\n", "y\n"), write=True)
    assert (actions(result), store.written) == ([("src/a.py", "failed")], [])
    result = apply_to_tree(
        store, "File: ./fifo\n" + block("", "y\n") + envelope("*** Add File: fifo\n+y\n"), write=True
    )
    assert (result.message.splitlines()[0], store.written) == ("fifo is no regular file.", [])
    assert apply_to_tree(store, "src/a.py\n" + A, write=True).ok
    assert store.written == [A_DONE]


def test_paths_of_a_mapping_may_be_absolute() -> None:
    texts = {"/w/a.py": "x = 1\n"}
    for name in ("/w/a.py", "a.py", "w/a.py"):
        assert changes(f"{name}\n" + A, texts) == [FileChange("/w/a.py", "x = 1\n", "x = 2\n")]


# --- while it is being written


def test_events_say_which_file_comes_next() -> None:
    stream = DiffStream.over(TREE)
    assert (stream.kind, stream.preview, stream.result) == (None, {}, TreeResult(ok=True))
    assert stream.feed("src/a.py\n------- SEARCH") == []
    assert stream.kind is None
    [started, _] = stream.feed("\nx = 1\n")
    assert started == DiffEvent("file_started", 0, path="src/a.py", action="changed")  # type: ignore[arg-type]
    stream.feed("=======\nx =")
    assert (stream.kind, stream.preview) == ("search_replace", {"src/a.py": "x ="})
    stream.feed(" 2\n+++++++ REPLACE\nnew.py\n------- SEARCH\n=======\nn")
    assert stream.preview == {"src/a.py": "x = 2\ny = 2\nz = 3\n", "new.py": "n"}
    assert actions(stream.result) == [("src/a.py", "changed")]
    stream.feed("\n+++++++ REPLACE\n")
    result = stream.finalize()
    assert stream.preview == {"src/a.py": "x = 2\ny = 2\nz = 3\n", "new.py": "n\n"}
    assert stream.finalize(strict=True) is stream.result is result
    with pytest.raises(ParserStateError):
        stream.feed("x")


def test_what_was_looked_at_is_written_once() -> None:
    texts = {"a": "x\n"}
    stream = TreeStream(texts)
    stream.feed("a\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n")
    result = stream.finalize()
    assert (result.ok, texts) == (True, {"a": "x\n"})
    assert stream.finalize(write=True) is result
    assert texts == {"a": "y\n"}
    texts["a"] = "z\n"
    assert stream.finalize(write=True) is result
    assert texts == {"a": "z\n"}


def test_events_of_a_patch_tell_what_is_done_to_a_file() -> None:
    stream = TreeStream(TREE)
    assert stream.feed("@@ ") == []
    assert stream.kind == "patch"
    stream = TreeStream(TREE)
    events = stream.feed(GIT)
    assert [(event.path, event.action, event.moved_to) for event in events if event.type == "file_started"] == [
        ("src/a.py", "moved", "src/c.py"),
        ("Makefile", "changed", None),
        ("lib/b.py", "deleted", None),
        ("run", "created", None),
        ("empty", "created", None),
    ]
    assert stream.preview == {
        "src/a.py": None,
        "src/c.py": "x = 2\ny = 2\nz = 3\n",
        "Makefile": "all:\n",
        "lib/b.py": None,
        "run": "ls\n",
        "empty": None,  # its part has not ended
    }
    assert [event.path for event in stream.finalize().events] == ["src/b.py"]
    assert stream.preview["empty"] == ""
    part = TreeStream(TREE)
    part.feed("".join(GIT.partition(" y = 2\n")[:2]))
    assert part.preview == {"src/a.py": TREE["src/a.py"]}


@pytest.mark.parametrize(
    ("diff", "started"),
    [
        ("../x.py\n" + B, ("../x.py", "failed")),
        (B, ("", "failed")),
        ("src/none.py\n" + B, ("src/none.py", "created")),  # by a block without old lines
        ("src/b.py\n" + B, ("src/b.py", "changed")),
        (hunk("src/none.py", "a", "b"), ("src/none.py", "failed")),
        (envelope("*** Add File: ../x.py\n+a\n"), ("../x.py", "failed")),
        (envelope("*** Update File: src/a.py\n*** Move to: src/b.py\n"), ("src/a.py", "failed")),
        (renamed("src/a.py", "src/b.py"), ("src/a.py", "moved")),  # if a later part takes the other away
        (
            NEW_A.replace("a/a b/a", "a/Makefile/a b/Makefile/a").replace("b/a\n@@", "b/Makefile/a\n@@"),
            ("Makefile/a", "created"),
        ),
    ],
)
def test_a_file_that_cannot_be_changed_is_told_so_at_its_start(diff: str, started: tuple[str, str]) -> None:
    [event, *_] = [event for event in apply_to_tree(TREE, diff).events if event.type == "file_started"]
    assert (event.path, event.action) == started


def test_the_result_so_far_has_every_block_that_is_complete() -> None:
    stream = TreeStream(ABC)
    stream.feed("a\n" + block("1\n", "4\n"))
    edit = Edit(1, 1, 1, Strategy.EXACT, 1.0, EditStatus.APPLIED, "4\n")
    file = FileResult("a", FileAction.CHANGED, DiffResult(ok=True, content="4\n", edits=(edit,)))
    assert stream.result == TreeResult(True, (file,), (FileChange("a", "1\n", "4\n"),))
    stream.feed("./d\n------- SEARCH\n=======\nn")
    assert stream.result == TreeResult(True, (file,), (FileChange("a", "1\n", "4\n"),))
    assert stream.preview == {"a": "4\n", "d": "n"}
    stream.feed("ew\n+++++++ REPLACE\n")
    assert actions(stream.result) == [("a", "changed"), ("d", "created")]
    assert stream.result.changes == (FileChange("a", "1\n", "4\n"), FileChange("d", None, "new\n"))
    assert [event.type for event in stream.feed("b\n" + block("9\n", "8\n"))][-1] == "failed"
    assert (stream.result.ok, stream.result.changes) == (False, ())
    assert actions(stream.result) == [("a", "changed"), ("d", "created"), ("b", "failed")]


def test_the_preview_has_every_path_of_an_event_and_none_where_no_file_is() -> None:
    stream = TreeStream(ABC)
    stream.feed("./d\n------- SEARCH\n")
    assert stream.preview == {"d": None}
    stream.feed("x\n=======\ny\n+++++++ REPLACE\n")
    assert stream.preview == {"d": None}
    stream.feed("./e\n------- SEARCH\n=======\nn")
    assert stream.preview == {"d": None, "e": "n"}
    events = stream.finalize().events
    assert [(event.type, event.path) for event in events] == [("truncated", "e")]
    assert stream.preview == {"d": None, "e": None}
    stream = TreeStream(ABC)
    stream.feed(hunk("d", "x", "y") + "@@ @@\n")
    assert stream.preview == {"d": None}
    stream.finalize()
    assert stream.preview == {"d": None}
    stream = TreeStream(ABC)
    stream.feed(renamed("a", "e") + "@@ -1 +1 @@\n-1\n+4\n@@ @@\n")
    assert stream.preview == {"a": "4\n"}
    stream.feed(hunk("e", "4", "5"))
    assert stream.preview == {"a": None, "e": "4\n"}
    stream.finalize()
    assert stream.preview == {"a": None, "e": "5\n"}


def test_what_is_wrong_with_a_whole_diff_is_told_behind_the_start_of_its_file() -> None:
    def told(diff: str, texts: Mapping[str, str]) -> list[tuple[str, str | None, str | None]]:
        events = apply_to_tree(texts, diff).events
        assert not [event for event in events if event.type == "failed" and event.action]
        return [(event.type.value, event.path, event.action and event.action.value) for event in events][-4:]

    made = "".join(f"File: {path}\n" + block("", "x\n") for path in ("a.d/b.py", "a.d"))
    assert told(made + "`c`\n" + block("c\n", "d\n"), {"c": "c\n"}) == [
        ("replacement_delta", "c", None),
        ("block_done", "c", None),
        ("file_started", "a.d/b.py", "failed"),
        ("failed", "a.d/b.py", None),
    ]
    python = hunk("a.py", "x = 1", "x = 2") + hunk("c", "c", "d") + hunk("a.py", "x = 2", "x =")
    assert told(python + hunk("c", "d", "e"), {"a.py": "x = 1\n", "c": "c\n"}) == [
        ("replacement_delta", "c", None),
        ("block_done", "c", None),
        ("file_started", "a.py", "failed"),
        ("failed", "a.py", None),
    ]
    moved = "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n"
    assert told(moved, {"a": "1\n", "b": "2\n"}) == [
        ("file_started", "a", "moved"),
        ("file_started", "b", "failed"),
        ("failed", "b", None),
    ]


def test_misuse_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="threshold"):
        TreeStream(TREE, threshold=2)
    with pytest.raises(TypeError, match=r"^the diff must be a str, not bytes$"):
        TreeStream(TREE).feed(b"x")  # type: ignore[arg-type]


def test_options_are_those_of_each_file() -> None:
    texts = {"a": "abcdefghij\n", "b": "one\nabcdefghij\ntwo\n"}
    assert not tree(texts, "a\n" + block("abcdefghix\n", "x\n")).ok
    assert tree(texts, "./a\n" + block("abcdefghix\n", "x\n"), threshold=0.79).ok
    assert tree(texts, hunk("a", "abcdefghix", "x"), threshold=0.79).ok
    assert not tree(texts, "b\n" + block("one\nabcdefghix\ntwo\n", "x\n"), anchor_similarity=0.95).ok


def test_every_result_has_a_plain_form() -> None:
    result = apply_to_tree(TREE, "src/a.py\n" + A + "src/b.py\n" + block("p = 1\nx\n", "y\n"))
    data = json.loads(json.dumps(result.to_dict()))
    assert data == result.to_dict()
    assert list(data) == ["ok", "files", "message", "cut_off"]
    assert data["files"][0] == {
        "path": "src/a.py",
        "action": "changed",
        "result": {
            "ok": True,
            "content": "x = 2\ny = 2\nz = 3\n",
            "edits": [
                {
                    "number": 1,
                    "start_line": 1,
                    "end_line": 1,
                    "strategy": "exact",
                    "similarity": 1.0,
                    "status": "applied",
                    "replacement": "x = 2\n",
                    "fixes": [],
                }
            ],
            "failures": [],
            "is_deleted": False,
            "moved_to": None,
            "mode": None,
            "cut_off": "",
            "message": "",
        },
        "moved_to": None,
        "mode": None,
    }
    [failure] = result.failures
    assert failure.nearest is not None
    assert data["files"][1]["result"]["failures"][0]["nearest"] == failure.nearest.to_dict()
    assert type(result.events[0].to_dict()["type"]) is str
    assert result.events[0].to_dict() == {
        "type": "file_started",
        "number": 0,
        "start_line": None,
        "end_line": None,
        "delta": "",
        "edit": None,
        "failure": None,
        "path": "src/a.py",
        "action": "changed",
        "moved_to": None,
    }


def test_twice_as_many_files_cost_twice_as_much() -> None:
    def cost(count: int) -> int:
        texts = {f"src/{number}.py": "x = 1\ny = 2\n" for number in range(count)}
        diff = "".join(hunk(path, "x = 1", "x = 2") for path in texts)
        return work(lambda: apply_to_tree(texts, diff))

    assert cost(80) <= 2.05 * cost(40)


@pytest.mark.parametrize(
    "section", ["--- a/f\n+++ b/f\n", "*** Update File: f\n", "diff --git a/f b/f\n", f"`f`\n{block('a', 'a')}"]
)
@pytest.mark.parametrize("read", [partial(apply_to_tree, {"f": "a\n"}), named_paths])
def test_twice_as_many_sections_cost_twice_as_much(section: str, read: Callable[[str], Any]) -> None:
    assert work(lambda: read(section * 80)) <= 2.05 * work(lambda: read(section * 40))


@pytest.mark.parametrize(
    "diff",
    [
        "--- a/{0}\n+++ b/{0}\n@@\n-{1}\n+z\n",
        "`{0}`\n" + block("{1}\n", "z\n"),
    ],
)
def test_all_sections_for_a_file_share_a_budget(monkeypatch: pytest.MonkeyPatch, diff: str) -> None:
    monkeypatch.setattr(index, "_SIMILAR", 40)  # enough to look for one line
    texts = {"f": "ab, cd, ef, gh\nij, kl, mn, op\n", "g": "ab, cd, ef, gh\n"}
    one, other = "ab, cd, ef; gh", "ij, kl, mn; op"
    for told in (("f", one, "g", "ab, cd, ef, gh", "f", other), ("f", one, "f", other)):
        text = "".join(diff.format(*pair) for pair in zip(told[::2], told[1::2], strict=True))
        result = apply_to_tree(texts, text, threshold=0.9)
        assert [outcome(file.result) for file in result.files if file.path == "f"] == [["applied", "not_found"]]
    assert apply_to_tree(texts, diff.format("f", one) + diff.format("g", one), threshold=0.9).ok


def test_only_so_much_is_kept_of_files_that_were_looked_at() -> None:
    texts = {str(number): "a\n" for number in range(200)}
    files = TreeFiles(tree_of(texts))
    found = [files.index(files.at(path), "a\n") for path in texts]
    assert len({id(one.similar) for one in found}) == 200
    again = [files.index(files.at(path), "a\n") for path in [*texts][:90:-1]]
    assert [one is other for one, other in zip(again, found[::-1], strict=False)] == [True] * 100 + [False] * 9
    assert [one.similar is other.similar for one, other in zip(again, found[::-1], strict=False)] == [True] * 109
    large = "a\n" * 2_100_000
    kept = files.index(files.at("0"), large)
    assert files.index(files.at("0"), large) is kept
    assert files.index(files.at("1"), "a\n") is not found[1]
    assert files.index(files.at("0"), large) is not kept


def test_names_of_no_file_are_compared_with_only_so_many_others() -> None:
    def sentences(texts: Mapping[str, str], diff: str) -> list[str]:
        return [failure.message for failure in apply_to_tree(texts, diff).failures]

    edit = block("x\n", "y\n")
    texts = {f"{number}/a.py": "x\n" for number in range(500)}
    messages = sentences(texts, "".join(f"{number}/b/a.py\n{edit}" for number in range(25)))
    # Ten thousand comparisons are enough for twenty names; a name that is asked for again costs nothing.
    assert [": did you mean" in message for message in messages] == [True] * 20 + [False] * 5
    # And so it is if no file has that name, or too many have it.
    assert "did you mean" in sentences(texts, f"0/b.py\n{edit}")[0]
    texts = {f"{number}/a.py": "x\n" for number in range(1001)}
    assert "did you mean" not in sentences(texts, f"0/b.py\n{edit}")[0]
    assert sentences(texts, f"0/b/a.py\n{edit}") == [
        f"There is no file 0/b/a.py. Use the path of a file that is there{OR_BLOCK}."
    ]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("hello", []),
        ("a.py\n" + block("x\n", "y\n") + "\n.env\n" + block("x\n", "y\n"), ["a.py", ".env"]),
        ("../x\n" + block("x\n", "y\n"), ["../x"]),
        (
            "*** Begin Patch\n*** Update File: a\n*** Move to: .git/b\n@@\n-x\n+y\n*** Delete File: c\n"
            "*** Add File: d\n+1\n*** End Patch\n",
            ["a", "c", "d", ".git/b"],
        ),
        ("diff --git a/c b/d\nsimilarity index 100%\ncopy from c\ncopy to d\n", ["c", "d"]),
        ("--- a/c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", ["c"]),
    ],
)
def test_all_paths_that_a_diff_may_touch(text: str, paths: list[str]) -> None:
    assert sorted(named_paths(text)) == sorted(paths)


@pytest.mark.parametrize(
    "text",
    [
        "diff --git a/n b/n\nnew file mode 100644\n",
        "*** Add File: n\n",
        "diff --git a/n b/n\nnew file mode 100644\ni",
        "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..38b",
        "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..38be7ac\n",
        "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..38be7ac\n--- /dev/nul",
        "diff --git a/a b/a\nold mode 100644\nnew mode 100755\nindex 5",
        "diff --git a/a b/a\nold mode 100644\nnew mode 100755\ndiff --gi",
    ],
)
def test_a_header_that_breaks_off(text: str) -> None:
    result = apply_to_tree({"a": "1\n"}, text)
    assert (result.ok, result.changes) == (False, ())


@pytest.mark.parametrize(
    "text",
    [
        "diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\n",
        "diff --git a/a b/a\nold mode 100644\nnew mode 100755\nindex 38be7ac..5f28270\n",
        "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..38be7ac\n",
        # two names, and nothing says why
        "diff --git a/a b/b\nold mode 100644\nnew mode 100755\n",
    ],
)
def test_a_header_that_speaks_of_lines_which_are_not_there(text: str) -> None:
    for whole in (text, f"{text}diff --git a/c b/c\nold mode 100644\nnew mode 100755\n", f"{text}\nDone.\n"):
        result = apply_to_tree({"a": "1\n", "c": "2\n"}, whole)
        assert (result.ok, result.changes) == (False, ())
        [file] = [
            file for file in apply_to_tree({"a": "1\n", "c": "2\n"}, whole, complete=True).files if not file.result.ok
        ]
        assert [failure.message for failure in file.result.failures] == [
            f"The patch has no lines for {text.split(' b/')[1][0]}: write hunks behind its header, or leave it out."
        ]
    assert apply_to_tree({"a": "1\n"}, text, accept_truncated=True).ok


def test_a_header_that_is_all_there_is_of_a_new_file() -> None:
    empty = FileChange("n", None, "")
    # git names the text of a new file that is empty, so a header without that name breaks off
    for text in ("diff --git a/n b/n\nnew file mode 100644\n", "*** Add File: n\n"):
        assert [change.after for change in apply_to_tree({}, text, complete=True).changes] == [""]
        assert not apply_to_tree({}, text).ok
    assert tree({}, envelope("*** Add File: n\n")).changes == (empty,)
    assert tree({}, envelope("*** Add File: n\n\n```\n")).changes == (empty,)


@pytest.mark.parametrize(
    ("diff", "line"),
    [
        (envelope("*** Add File: n\na: 1\nb: 2\n"), "a: 1"),
        (envelope("*** Add File: n\n```yaml\na: 1\n```\n"), "a: 1"),
        (envelope("*** Add File: n\n\na: 1\n+b: 2\n"), "a: 1"),
        (envelope("*** Add File: n\n+a: 1\nb: 2\n+c: 3\n"), "b: 2"),
        (envelope("*** Add File: n\n+a: 1\n\nb: 2\n"), "b: 2"),
        (envelope("*** Add File: n\n+a: 1\n b: 2\n"), "b: 2"),
        (envelope("*** Add File: n\n+a: 1\n-b: 2\n"), "b: 2"),
        ("*** Add File: n\na: 1\n", "a: 1"),
        ("--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a: 1\nb: 2\n", "b: 2"),
        ("--- /dev/null\n+++ b/n\n@@\n+a: 1\nb: 2\n", "b: 2"),
    ],
)
def test_every_line_of_a_new_file_has_a_plus(diff: str, line: str) -> None:
    sentence = f"The line `{line}` of a new file has no `+` before it. Repeat the patch with `+` before every line."
    for text in (diff, diff.replace("\n", "\r\n")):
        assert refusal(text, {}) == [("n", "bad_marker", sentence)]
    assert not apply_to_tree({}, diff, complete=True).ok


def test_prose_around_the_lines_of_a_new_file() -> None:
    made = [FileChange("n", None, "a: 1\n")]
    for diff in (
        "*** Add File: n\nThis is new:\n+a: 1\n",
        "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a: 1\nThat is all.\n",
        "--- /dev/null\n+++ b/n\n@@\n+a: 1\n\nThat is all.\n",
        "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a: 1\n```\nThat is all.\n",
    ):
        assert list(tree({}, diff).changes) == made


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ("*** Delete File: src/b.py", {"a.py": "x = 1\n"}),
        ("*** Update File: a.py\n*** Move to: c.py", {"src/b.py": "y\n", "c.py": "x = 1\n"}),
    ],
)
def test_the_last_line_shows_the_kind_of_a_diff_without_its_end(diff: str, expected: dict[str, str]) -> None:
    texts = {"a.py": "x = 1\n", "src/b.py": "y\n"}
    assert apply_to_tree(texts, diff, write=True).ok
    assert texts == expected


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_binary_file_of_which_nothing_else_is_said(end: str) -> None:
    sentence = "The patch changes x.png as a binary file. Only lines of text can be changed by a patch: leave it out."
    assert refusal(f"Binary files a/x.png and b/x.png differ{end}", {"x.png": ""}) == [
        ("x.png", "bad_marker", sentence)
    ]


def test_a_file_that_is_removed_without_its_lines() -> None:
    text = "diff --git a/a b/a\ndeleted file mode 100644\n"
    assert [apply_to_tree({"a": before}, text).ok for before in ("", "\ufeff", "1\n")] == [True, False, False]
    assert apply_to_tree({"a": "1\n"}, text, complete=True).changes == (FileChange("a", "1\n", None),)


@pytest.mark.parametrize(
    ("text", "path", "after"),
    [
        ("diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n", "n", ""),
        ("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n", "a", "2\n"),
        # without prefixes
        ("diff --git a/a a/a\n--- a/a\n+++ a/a\n@@ -1 +1 @@\n-1\n+2\n", "a/a", "2\n"),
        ("diff --git b/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+2\n", "b/n", "2\n"),
        # with those of `diff.mnemonicPrefix`
        ("diff --git i/a w/a\n--- i/a\n+++ w/a\n@@ -1 +1 @@\n-1\n+2\n", "a", "2\n"),
        ("diff --git c/w/n i/w/n\nnew file mode 100644\n--- /dev/null\n+++ i/w/n\n@@ -0,0 +1 @@\n+2\n", "w/n", "2\n"),
        ("diff --git c/n w/n\nnew file mode 100644\nindex 0000000..e69de29\n", "n", ""),
        ('diff --git "w/\\303\\251" "i/\\303\\251"\nnew file mode 100644\nindex 0000000..e69de29\n', "é", ""),
        # with others
        ("diff --git old/a new/a\n--- old/a\n+++ new/a\n@@ -1 +1 @@\n-1\n+2\n", "a", "2\n"),
        ("diff --git old/n v2/n\nnew file mode 100644\n--- /dev/null\n+++ v2/n\n@@ -0,0 +1 @@\n+2\n", "n", "2\n"),
        ("diff --git old/x b/n new/x b/n\nnew file mode 100644\nindex 0000000..e69de29\n", "x b/n", ""),
        # a backslash in quotes is one
        ('--- /dev/null\n+++ "b/n\\\\m"\n@@ -0,0 +1 @@\n+2\n', "n\\m", "2\n"),
        ("--- /dev/null\n+++ b/n\\m\n@@ -0,0 +1 @@\n+2\n", "n/m", "2\n"),
        # which a folder may be called, too
        ("diff --git c/n c/n\nnew file mode 100644\nindex 0000000..e69de29\n", "c/n", ""),
        ("diff --git a/w/n b/w/n\nnew file mode 100644\nindex 0000000..e69de29\n", "w/n", ""),
    ],
)
def test_whose_header_it_is(text: str, path: str, after: str) -> None:
    result = apply_to_tree({"a": "1\n", "a/a": "1\n"}, text)
    assert [(change.path, change.after) for change in result.changes] == [(path, after)]


@pytest.mark.parametrize(
    ("names", "old", "new"),
    [("a/a b/n", "a", "n"), ("c/a w/n", "a", "n"), ("a/a b/n", "a/a", "b/n"), ("c/a w/n", "c/a", "w/n")],
)
def test_the_names_of_a_moved_file_are_those_without_any_prefix(names: str, old: str, new: str) -> None:
    texts = {"a": "1\n", "a/a": "1\n", "c/a": "1\n"}
    before, after = names.split()
    diff = (
        f"diff --git {names}\nsimilarity index 50%\nrename from {old}\nrename to {new}\nindex 1..2 100644\n"
        f"--- {before}\n+++ {after}\n@@ -1 +1 @@\n-1\n+2\n"
    )
    assert changes(diff, texts) == [FileChange(old, "1\n", "2\n", new)]
    copied = diff.replace("rename", "copy")
    assert changes(copied, texts) == [FileChange(new, None, "2\n", copied_from=old)]


@pytest.mark.parametrize("start", ["------- SEARCH", "<<<<<<< SEARCH"])
def test_a_text_with_both_a_patch_and_blocks_is_refused(start: str) -> None:
    patch = hunk("src/a.py", "x = 1", "x = 2")
    blocks = "src/b.py\n" + block("p = 1\n", "p = 2\n", start)
    sentence = "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways."
    for one in (
        envelope("*** Update File: src/a.py\n@@\n-x = 1\n+x = 2\n"),
        f"diff --git a/src/a.py b/src/a.py\n{patch}",
    ):
        for text in (f"{one}*** End Patch\n{blocks}", f"{blocks}\n{one}"):
            assert refusal(text)[-1][1:] == ("bad_marker", sentence)
    assert refusal(f"{blocks}\n{patch}") == [("src/b.py", "bad_marker", sentence)]
    assert refusal(f"--- a/src/a.py\n+++ b/src/a.py\n{patch}<<<<<<< SEARCH")[-1][1:] == ("bad_marker", sentence)
    # Lines of a file that look like that have a sign.
    text = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n <<<<<<< SEARCH\n------- SEARCH\n+x\n"
    assert changes(text, {"f": "<<<<<<< SEARCH\n------ SEARCH\n"}) == [
        FileChange("f", "<<<<<<< SEARCH\n------ SEARCH\n", "<<<<<<< SEARCH\nx\n")
    ]


BLANK = MappingProxyType({"tr ": "x\n", "tr": "x\n", " u": "x\n"})


@pytest.mark.parametrize(
    ("diff", "change"),
    [
        ("--- a/tr \t\n+++ b/tr \t\n@@ -1 +1 @@\n-x\n+y\n", FileChange("tr ", "x\n", "y\n")),
        ("--- a/tr \n+++ b/tr \n@@ -1 +1 @@\n-x\n+y\n", FileChange("tr", "x\n", "y\n")),
        ("--- a/tr\t2024-01-01 10:00\n+++ b/tr\t\n@@ -1 +1 @@\n-x\n+y\n", FileChange("tr", "x\n", "y\n")),
        ("--- a/ u\t\n+++ b/ u\t\n@@ -1 +1 @@\n-x\n+y\n", FileChange(" u", "x\n", "y\n")),
        ("--- /dev/null\n+++ b/new \t\n@@ -0,0 +1 @@\n+y\n", FileChange("new ", None, "y\n")),
        (
            "diff --git a/tr  b/tr \ndeleted file mode 100644\n--- a/tr \t\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
            FileChange("tr ", "x\n", None),
        ),
        ("diff --git a/tr  b/tr \nold mode 100644\nnew mode 100755\n", FileChange("tr ", "x\n", "x\n", mode=0o755)),
        ("diff --git tr  tr \nold mode 100644\nnew mode 100755\n", FileChange("tr ", "x\n", "x\n", mode=0o755)),
        ("diff --git a/tr b/tr \nold mode 100644\nnew mode 100755\n", FileChange("tr", "x\n", "x\n", mode=0o755)),
        (
            "diff --git a/tr  b/ v \nsimilarity index 100%\nrename from tr \nrename to  v \n",
            FileChange("tr ", "x\n", "x\n", " v "),
        ),
        (
            "diff --git a/tr b/v\nsimilarity index 100%\nrename from tr \nrename to v  \n",
            FileChange("tr", "x\n", "x\n", "v"),
        ),
        (
            "diff --git a/tr  b/v \nsimilarity index 100%\ncopy from tr \ncopy to v \n",
            FileChange("v ", None, "x\n", copied_from="tr "),
        ),
    ],
)
def test_blanks_around_a_name_are_its_own_if_the_patch_says_where_it_ends(diff: str, change: FileChange) -> None:
    assert changes(diff, BLANK) == [change]


def test_keys_of_a_mapping_may_be_files_and_folders_at_once() -> None:
    texts = {"a": "1\n", "a/a": "1\n"}
    assert changes(hunk("a/a", "1", "2"), texts) == [FileChange("a/a", "1\n", "2\n")]


def test_of_a_callable_only_what_the_diff_names_is_asked() -> None:
    diff = "--- /dev/null\n+++ b/a/x\n@@ -0,0 +1 @@\n+2\n"
    asked: list[str] = []
    assert apply_to_tree(lambda path: asked.append(path), diff).ok
    assert asked == ["a/x"]
    result = apply_to_tree(lambda path: None, "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+2\n" + diff)
    assert [failure.message for failure in result.failures] == [
        "a is a file, and a/x would be in it: remove that first, or use another path."
    ]


def test_a_file_that_the_diff_has_removed_or_moved_before() -> None:
    texts = {"a": "1\n", "b": "2\n"}
    gone = "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
    assert refusal(gone + hunk("a", "1", "2"), texts) == [
        ("a", "no_file", "The diff has removed a before. Make it anew, or do not remove it.")
    ]
    moved = "diff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\n"
    assert refusal(moved + "diff --git a/a b/a\n" + hunk("a", "1", "2"), texts) == [
        ("a", "no_file", "The diff has moved a to c before. Use that path.")
    ]
    assert changes(moved + "diff --git a/c b/c\n" + hunk("c", "1", "2"), texts) == [FileChange("a", "1\n", "2\n", "c")]
    # Nor is it what was meant by another name.
    texts = {"abcd": "1\n", "x": "2\n"}
    assert refusal(gone.replace("/a", "/abcd") + hunk("abce", "1", "2"), texts) == [
        ("abce", "no_file", f"There is no file abce. Use the path of a file that is there{OR_PATCH}.")
    ]


@pytest.mark.parametrize("first", ["x = 1\n", ""])
@pytest.mark.parametrize("name", ["a.py", "a.txt"])
def test_a_python_file_to_which_blocks_come_back_is_checked_at_the_end(name: str, first: str) -> None:
    texts = {name: f"{first}y = 2\nz = 3\n", "b": "1\n"}

    def blocks(last: str) -> str:
        between = "b\n" + block("1\n", "2\n")
        one, two = block("y = 2\n", "y = 3\n"), block("z = 3\n", last)
        return f"{name}\n{one}{between}{name}\n{two}"

    assert [change.after for change in changes(blocks("z = 4\n"), texts)] == [f"{first}y = 3\nz = 4\n", "2\n"]
    if name == "a.py":
        assert [one[:2] for one in refusal(blocks("z = (\n"), texts)] == [("a.py", "syntax")]
    else:
        assert [change.after for change in changes(blocks("z = (\n"), texts)] == [f"{first}y = 3\nz = (\n", "2\n"]
    # One that was none need not become one.
    broken = {name: texts[name] + "if\n", "b": "1\n"}
    assert next(change.after for change in changes(blocks("z = (\n"), broken)) == f"{first}y = 3\nz = (\nif\n"
    made = f"n.py\n{block('', 'x = 1' + chr(10))}"
    assert refusal(made + block("x = 1\n", "x = (\n"), {}) == [
        (
            "n.py",
            "syntax",
            "With these blocks together the file would no longer be Python ('(' was never closed, at `x = (`). None of "
            "them is applied. Repeat them with every bracket, every quote and the indentation that it takes.",
        )
    ]


def test_hunks_leave_a_file_of_a_tree_python() -> None:
    texts = {"a.py": "x = 1\n", "b.txt": "x = 1\n"}
    assert [one[:2] for one in refusal(hunk("a.py", "x = 1", "x = ("), texts)] == [("a.py", "syntax")]
    assert [change.after for change in changes(hunk("b.txt", "x = 1", "x = ("), texts)] == ["x = (\n"]
    # One that is empty is none yet.
    empty = "diff --git a/n.py b/n.py\nnew file mode 100644\nindex 0000000..e69de29\n"
    filled = "diff --git a/n.py b/n.py\n--- a/n.py\n+++ b/n.py\n@@ -0,0 +1 @@\n+x = (\n"
    assert changes(empty + filled, texts)[-1].after == "x = (\n"
    # By the name that the file is to have, and if parts come back to it, at the end.
    assert [one[:2] for one in refusal(renamed("b.txt", "b.py") + hunk("b.py", "x = 1", "x = ("), texts)] == [
        ("b.txt", "syntax")
    ]
    assert changes(renamed("a.py", "a.txt") + hunk("a.txt", "x = 1", "x = ("), texts)[0].after == "x = (\n"
    again = hunk("a.py", "x = 1", "x = 2") + hunk("b.txt", "x = 1", "x = 2") + hunk("a.py", "x = 2", "x = (")
    assert refusal(again, texts) == [
        (
            "a.py",
            "syntax",
            "With these hunks together the file would no longer be Python ('(' was never closed, at `x = (`). None of "
            "them is applied. Repeat them with every bracket, every quote and the indentation that it takes.",
        )
    ]
    assert changes(again.replace("(", "3"), texts)[0].after == "x = 3\n"


@pytest.mark.parametrize(
    ("body", "content"),
    [
        ("+++ y\n+a\n", "++ y\na\n"),
        ("+a\n+++ y\n", "a\n++ y\n"),
        ("+++ x\n+a\n", "++ x\na\n"),
        ("+++ x\n", "++ x\n"),
        # headers as a unified diff has them
        ("+++ x\n@@ -0,0 +1 @@\n+a\n", "a\n"),
        ("+++ b/x\n+a\n", "a\n"),
        ("+++ b/x\n@@ -0,0 +1 @@\n+a\n", "a\n"),
        ("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", "a\n"),
    ],
)
def test_plus_signs_at_the_beginning_of_a_new_file(body: str, content: str) -> None:
    result = apply_to_tree({}, f"*** Begin Patch\n*** Add File: x\n{body}*** End Patch\n")
    assert (result.ok, result.changes) == (True, (FileChange("x", None, content),))


def test_what_was_shown_of_a_file_stays_if_another_hunk_of_it_fails() -> None:
    texts = {"b": "p\nq\nr\ns\nt\n", "c": "c\n"}
    stream = TreeStream(texts)
    for delta, shown in (
        ("--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@\n-p\n+P\n q\n", {"b": texts["b"]}),
        ("@@ -4,2 +4,2 @@\n-nope\n+X\n t\n", {"b": "P\nq\nr\ns\nt\n"}),
        ("--- a/c\n+++ b/c\n@@ -1 +1 @@\n-c\n+C\n", {"b": "P\nq\nr\ns\nt\n", "c": "c\n"}),
    ):
        stream.feed(delta)
        assert stream.preview == shown
    result = stream.finalize()
    assert stream.preview == {"b": "P\nq\nr\ns\nt\n", "c": "C\n"}
    assert (result.ok, result.changes, result.files[0].result.content) == (False, (), stream.preview["b"])
    # a file that is not there, or is copied, is not made by what fails
    stream = TreeStream(texts)
    stream.feed(hunk("nowhere", "x", "y") + "diff --git a/c b/d\ncopy from c\ncopy to d\n@@ -1 +1 @@\n-x\n+y\n")
    assert (stream.finalize().ok, stream.preview) == (False, {"nowhere": None, "d": None})


def test_the_last_events_are_those_of_the_result() -> None:
    stream = DiffStream("a\n")
    assert [event.type for event in stream.feed(hunk("f", "a", "b"))] == ["block_started"]
    assert [event.type for event in stream.finalize().events] == ["matched", "replacement_delta", "block_done"]
    over = DiffStream.over({"f": "a\n"})
    assert [event.type for event in over.feed(hunk("f", "a", "b"))] == ["file_started", "block_started"]
    assert [event.type for event in over.finalize().events] == ["matched", "replacement_delta", "block_done"]


def test_a_hunk_is_told_by_its_number_in_its_file() -> None:
    texts = {"a": "1\n", "b": "1\n2\n3\n"}

    def hunks(path: str, *lines: str) -> str:
        return f"--- a/{path}\n+++ b/{path}\n" + "".join(
            f"@@ @@\n-{line}\n+{number}, new {line}\n" for number, line in enumerate(lines)
        )

    result = tree(texts, hunks("a", "1") + hunks("b", "1", "nowhere", "3"))
    assert [failure.number for failure in result.failures] == [3]
    assert result.message.splitlines()[0].startswith("hunk 2 of b: The line to be replaced is not in the file. ")
    # and so is the hunk that another is about
    result = tree(texts, hunks("a", "1") + hunks("b", "1", "2", "2"))
    assert result.message.splitlines()[0] == (
        "hunk 3 of b: This hunk is about line 2 of the file, which hunk 2 changes already. "
        "All hunks refer to the file as it was: put both changes into one hunk."
    )
    # also if the diff comes back to the file, and in blocks
    result = tree(texts, hunks("b", "1") + hunks("a", "1") + hunks("b", "2", "2"))
    assert result.message.splitlines()[0].startswith(
        "hunk 3 of b: This hunk is about line 2 of the file, which hunk 2 "
    )
    one, two, other = block("1\n", "x\n"), block("2\n", "y\n"), block("2\n", "z\n")
    result = tree(texts, f"b\n{one}a\n{one}b\n{two}{other}")
    assert result.message.splitlines()[0].startswith(
        "block 3 of b: This block is about line 2 of the file, which block 2"
    )


def test_plain_data_has_the_message() -> None:
    for diff in (f"src/a.py\n{A}", f"src/a.py\n{block('nowhere', '')}"):
        result = tree(TREE, diff)
        assert json.loads(json.dumps(result.to_dict()))["message"] == result.message
        file = result.files[0].result
        assert json.loads(json.dumps(file.to_dict()))["message"] == file.message
        assert result.to_dict()["files"][0]["result"] == file.to_dict()


def test_plain_data_tells_what_breaks_off_from_what_fails() -> None:
    sentence = "The diff breaks off. Write its last block to its end, with the line `+++++++ REPLACE`."
    for diff, cut_off in ((f"src/a.py\n{A[:-9]}", sentence), (f"src/a.py\n{A}", ""), (f"nowhere.py\n{A}", "")):
        result = tree(TREE, diff)
        assert (result.cut_off, result.files[-1].result.cut_off) == (cut_off, cut_off)
        data = result.to_dict()
        assert (data["cut_off"], data["files"][-1]["result"]["cut_off"]) == (cut_off, cut_off)


@pytest.mark.parametrize("path", ["src/a.py/", "src/", "new/", "src//a.py//"])
def test_a_path_that_ends_with_a_slash_is_that_of_a_folder(path: str) -> None:
    plain = path.replace("//", "/")
    sentence = f"The path {plain} names a folder. Use that of a file."
    for diff in (
        envelope(f"*** Update File: {path}\n@@\n-x = 1\n+x = 2\n"),
        envelope(f"*** Add File: {path}\n+x\n"),
        envelope(f"*** Delete File: {path}\n"),
    ):
        assert refusal(diff) == [(plain, "no_file", sentence)]
    [(_, reason, told)] = refusal(envelope(f"*** Update File: src/b.py\n*** Move to: {path}\n@@\n-p = 1\n+p = 2\n"))
    assert (reason, told) == ("no_file", sentence)


def test_a_file_is_removed_by_a_last_line_without_its_end_if_no_other_name_begins_so() -> None:
    texts = {"a.js": "1\n", "a.json": "2\n"}
    text = "*** Delete File: a.js"
    [failure] = tree(texts, text).failures
    assert (failure.path, failure.reason, failure.message) == (
        "a.js",
        "ambiguous",
        "The patch ends with the name a.js, without a line break, so that a.json may be meant. "
        "Write the whole name, and a line break behind it.",
    )
    for result in (
        tree(texts, f"{text}\n"),
        tree(texts, text, accept_truncated=True),
        apply_to_tree(texts, text, complete=True),
        tree(texts, f"{text}on\n{text}"),  # the other is gone
    ):
        assert "a.js" in [change.path for change in result.changes]
    assert [change.path for change in tree(texts, f"{text}on").changes] == ["a.json"]
    assert [failure.reason for failure in tree(texts, "*** Delete File: a.j").failures] == ["no_file"]


@pytest.mark.parametrize("options", [{}, {"complete": True}, {"accept_truncated": True}])
@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("", ""),
        ("*** Update File:\n", ""),
        ("--- \n+++ \n", ""),
        ("*** Update File: y\n", "y"),
        ("--- y\n+++ y\n", "y"),
    ],
)
def test_a_hunk_without_lines_makes_no_file(header: str, path: str, options: dict[str, bool]) -> None:
    for text in (f"{header}@@\n@@\n \n@@ -1 +1 @@\n \n\n", f"*** Begin Patch\n{header}@@\n*** End Patch\n"):
        result = apply_to_tree({"x": "a\n"}, text, **options)
        assert (result.ok, [(file.path, file.action.value) for file in result.files]) == (False, [(path, "failed")])
        assert {failure.reason.value for failure in result.failures} == {"no_file"}
        assert result.changes == ()
    # of a file that is there, it changes nothing
    result = apply_to_tree({"y": "a\n"}, "*** Begin Patch\n*** Update File: y\n@@\n*** End Patch\n", **options)
    assert (result.ok, result.changes) == (True, ())
