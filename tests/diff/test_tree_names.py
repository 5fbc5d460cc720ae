"""Names with blanks before blocks for a tree, and other names that are not as plain as most."""

from __future__ import annotations

import pytest

from streamparse.diff import apply_search_replace, apply_to_tree, named_paths
from streamparse.errors import TreeError
from tests.diff.kit import apply, block, tree

NAME = "docs/new file.md"
OLD, EMPTY = block("x\n", "y\n"), block("", "y\n")
SURE = "Write the path of one in backticks on a line of its own before it."
Z_TO_Y = block("z\n", "y\n")
MARKER = "<<<<<<< SEARCH"


def changed(before: str, *there: str, edit: str = OLD, **options: bool) -> list[str] | str:
    """The paths of what a block below that text changes or makes in a tree of such files; or why it does not."""
    result = tree(dict.fromkeys(there, "x\n"), f"{before}\n{edit}", **options)
    assert result.ok == (not result.failures)
    assert {change.path for change in result.changes} <= set(named_paths(f"{before}\n{edit}"))
    return [change.path for change in result.changes] if result.ok else result.failures[0].message


def one_of(*paths: str) -> str:
    return f"The block may be for {' or '.join(f'`{path}`' for path in paths)}. {SURE}"


def not_new(path: str) -> str:
    return (
        f"The block has no old lines, and it is not certain that {path} is to be made of it. If it is, write "
        f"`File: {path}` on a line of its own before the block."
    )


@pytest.mark.parametrize(
    "before",
    [
        "`docs/new file.md`",
        "docs/new file.md",
        "**docs/new file.md**:",
        "### `docs/new file.md` (new)",
        "- `docs/new file.md`:",
        "1. docs/new file.md",
        "File: docs/new file.md",
        "**File:** `docs/new file.md`",
        "./docs/new file.md",
        "<path>docs/new file.md</path>",
        '<file path="docs/new file.md">',
        "<!-- docs/new file.md -->",
        "[docs/new file.md](docs)",
        '"docs/new file.md"',
        '```md title="docs/new file.md"',
        "```md filename='docs/new file.md' showLineNumbers",
        '``` {.md file="docs/new file.md"}',
        '```md "docs/new file.md"',
        '```md:"docs/new file.md"',
        "`docs/new file.md`\n```md docs/new file.md",
        "Create `docs/new file.md`:",
    ],
)
def test_a_name_with_blanks_that_is_certain(before: str) -> None:
    for there in ((), ("file.md",), ("docs/new", "file.md")):
        assert changed(before, *there, edit=EMPTY) == [NAME]
        assert str(changed(before, *there)).startswith(f"There is no file {NAME}")
    assert changed(before, NAME) == changed(before, NAME, "docs/new", "file.md") == [NAME]


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ("`my notes.dat`", "my notes.dat"),
        ("File: my report.md", "my report.md"),
        ("<path>my dir/run</path>", "my dir/run"),
        ("docs/new folder/Makefile", "docs/new folder/Makefile"),
        ("docs/Report (1) & more.md", "docs/Report (1) & more.md"),
        ("`John's notes, old.md`", "John's notes, old.md"),
        ('```py filename="my dir/new.py"', "my dir/new.py"),
        ("Create `my report.md`:", "my report.md"),
    ],
)
def test_other_names_that_are_certain(before: str, name: str) -> None:
    assert changed(before, edit=EMPTY) == changed(before, name) == [name]
    assert isinstance(changed(before, name.rpartition(" ")[2]), str)


@pytest.mark.parametrize(
    "before",
    ["```md docs/new file.md", "```md:docs/new file.md", "```docs/new file.md", "```{file=docs/new file.md}"],
)
def test_a_name_with_blanks_in_the_line_of_a_fence_is_in_quotes_or_there(before: str) -> None:
    unclear = one_of("docs/new", "file.md", NAME)
    for there in ((), ("docs/new",), ("file.md",)):
        assert changed(before, *there, edit=EMPTY) == changed(before, *there) == unclear
    assert changed(before, NAME) == changed(before, NAME, "docs/new", "file.md") == [NAME]
    # a line that says which
    assert changed(f"`{NAME}`\n{before}", NAME, "docs/new") == [NAME]
    assert changed(f"`c.md`\n{before}", "c.md") == one_of("c.md", "docs/new", "file.md", NAME)


@pytest.mark.parametrize(
    ("before", "there", "expected"),
    [
        ("```py my dir/new.py", ("dir/new.py",), one_of("dir/new.py", "my dir/new.py")),
        ("```py my dir/new.py", ("my dir/new.py",), ["my dir/new.py"]),
        ("```py my dir/new.py", ("my dir/new.py", "py my dir/new.py"), one_of("dir/new.py", "my dir/new.py")),
        # the first word is the language, unless there is such a file
        ("```my dir/new.py", ("dir/new.py",), ["dir/new.py"]),
        ("```my dir/new.py", ("my dir/new.py",), one_of("dir/new.py", "my dir/new.py")),
        ("```my dir/new.py", ("dir/new.py", "my dir/new.py"), one_of("dir/new.py", "my dir/new.py")),
        ('```md title="docs/new file.md', (), one_of("docs/new", "file.md", NAME)),
        ("```py src/a.py b.py", ("src/a.py", "b.py"), one_of("src/a.py", "b.py", "src/a.py b.py")),
        # what is no part of a name
        ('```make title="Makefile"', ("Makefile",), ["Makefile"]),
        ("```py src/a.py {1,3}", ("src/a.py",), ["src/a.py"]),
        ("```py src/a.py linenums=1", ("src/a.py",), ["src/a.py"]),
        ("```py filename: src/a.py (new)", ("src/a.py",), ["src/a.py"]),
        ('```py caption="as docs/b c.md" src/a.py', ("src/a.py",), ["src/a.py"]),
        ('src/a.py\n```py title="Using a.b or c/d"', ("src/a.py",), ["src/a.py"]),
    ],
)
def test_words_beside_a_name_in_the_line_of_a_fence(before: str, there: tuple[str, ...], expected: object) -> None:
    assert changed(before, *there) == expected


@pytest.mark.parametrize(
    ("before", "there", "expected"),
    [
        ("my report.md", ("report.md",), ["report.md"]),
        ("my report.md", ("my report.md",), ["my report.md"]),
        ("my report.md", ("report.md", "my report.md"), one_of("report.md", "my report.md")),
        ("my report.md", (), one_of("report.md", "my report.md")),
        ("In my report.md, do:", ("report.md",), ["report.md"]),
        ("In my report.md, do:", ("my report.md",), one_of("report.md", "my report.md")),
        ("In my report.md, do:", ("docs/my report.md", "report.md"), one_of("report.md", "my report.md")),
        ("In tommy report.md, do:", ("my report.md", "report.md"), ["report.md"]),
        # a folder right before a name
        ("In docs/new file.md, do:", (NAME,), [NAME]),
        ("In ./docs/new file.md, do:", (NAME,), [NAME]),
        ("In docs/new file.md, do:", ("file.md",), one_of("file.md", NAME)),
        ("In docs/new file.md, do:", ("docs/new",), one_of("docs/new", NAME)),
        ("In docs/new file.md, do:", ("docs/new", NAME), one_of("docs/new", NAME)),
        ("In docs/new file.md, do:", (), one_of("file.md", NAME)),
        ("As src/a.py has it, b.py:", ("b.py",), ["b.py"]),
        # in backticks
        ("See docs/new file.md and docs/my a.py:", (NAME, "docs/my a.py"), one_of(NAME, "docs/my a.py")),
        ("In `my notes.dat`, do:", ("my notes.dat", "notes.dat"), ["my notes.dat"]),
        ("See `python src/a.py`:", ("src/a.py",), one_of("python src/a.py", "src/a.py")),
        ("See `python src/a.py --all`:", ("src/a.py",), ["src/a.py"]),
        ("`my notes.md`\n\nThis is it:", ("my notes.md", "notes.md"), ["my notes.md"]),
    ],
)
def test_words_before_a_name_in_a_sentence(before: str, there: tuple[str, ...], expected: object) -> None:
    assert changed(before, *there) == expected


def test_a_name_in_a_sentence_is_no_part_of_one_for_the_file_before() -> None:
    first = "docs/new\n" + block("z\n", "w\n")
    texts = {"docs/new": "x\nz\n", NAME: "x\n"}
    result = tree(texts, f"{first}In docs/new file.md, do:\n{OLD}")
    assert [failure.message for failure in result.failures] == [one_of("docs/new", NAME)]


def test_what_is_in_backticks_may_also_be_a_command_for_a_file_that_has_the_old_lines() -> None:
    texts = {"a.py": "x\nz\n", "b.py": "x\n", "my b.py": "x\n"}
    for text in ("As `pytest b.py` shows.\n\nSo:\n", "As `my b.py` has it.\n\nSo:\n"):
        result = tree(texts, "a.py\n" + block("z\n", "w\n") + text + OLD)
        assert [failure.reason for failure in result.failures] == ["ambiguous"]


def test_with_a_path_a_name_with_blanks_is_that_of_the_file() -> None:
    for before in ("```md docs/new file.md\n", '```md title="docs/new file.md"\n', "docs/new file.md\n"):
        assert apply_search_replace("x\n", before + OLD, path=NAME).ok
        assert not apply_search_replace("x\n", before + OLD, path="src/a.py").ok


ANY = [
    "File: run",
    "**File:** `run`",
    "path: run",
    '<file name="run">',
    "<path>run</path>",
    '<file path="run">',
    '```sh file="run"',
]
#: A word in backticks is a name, too, but no block makes such a file: it may be what the block is about.
CODE = ["`run`", "### `run`:", "2. `run`:", "- **`run`:**"]


@pytest.mark.parametrize("before", [*ANY, *CODE])
def test_any_word_is_a_name_where_it_stands_for_one(before: str) -> None:
    assert changed(before, edit=EMPTY) == (not_new("run") if before in CODE else ["run"])
    assert changed(before, "run") == changed(before, "bin/run", "run") == ["run"]
    assert tree({"bin/run": "x\n"}, f"{before}\n{OLD}").changes[0].path == "bin/run"
    first = "a.py\n" + block("x\n", "w\n")
    result = tree({"a.py": "x\nz\n"}, f"{first}{before}\n{Z_TO_Y}")
    assert [(failure.path, failure.reason) for failure in result.failures] == [("run", "no_file")]
    # for one file, too
    diff = f"{before}\n{OLD}"
    assert apply("x\n", diff).ok == apply("x\n", diff, path="run").ok == apply("x\n", diff, path="bin/run").ok is True
    [failure] = apply("x\n", diff, path="a.py").failures
    assert (failure.reason, failure.message.split(". ")[0]) == ("no_file", "This block is for another file, run")


@pytest.mark.parametrize(
    "before",
    [
        *("run", '"run"', "**run**", "`run()`", "`run x`", "`42`", "File: 42", "File: to run", '```sh title="run"'),
        *("- `run`", "2. `run`", '<tool name="run">', "<name>run</name>", '<parameter name="run">'),
    ],
)
def test_a_word_that_need_not_be_a_name(before: str) -> None:
    first = "a.py\n" + block("x\n", "w\n")
    assert tree({"a.py": "x\nz\n"}, f"{first}{before}\n{Z_TO_Y}").ok
    assert apply("x\n", f"{before}\n{OLD}", path="a.py").ok


def test_a_word_of_the_file_in_backticks_is_what_a_block_is_about() -> None:
    text = "def run():\n    x\n"
    edits = "a.py\n" + block("def run():\n", "def run(y):\n") + "### `run`\n" + block("    x\n", "    y\n")
    assert tree({"a.py": text}, edits).changes[0].after == "def run(y):\n    y\n"
    assert apply(text, edits, path="a.py").content == "def run(y):\n    y\n"
    # not if there is such a file, nor behind a label, nor if it is a part of a word
    assert tree({"a.py": text, "run": "z\n"}, edits).failures[0].path == "run"
    for other in ("File: run", "`ru`"):
        diff = edits.replace("### `run`", other)
        for failures in (tree({"a.py": text}, diff).failures, apply(text, diff, path="a.py").failures):
            assert [failure.reason for failure in failures] == ["no_file"]


@pytest.mark.parametrize(
    ("before", "other"),
    [
        ("In `src/b.py`, do:", "src/b.py"),
        ("As `x` and `b.py` have it:", "b.py"),
        ("**my b.py**", "my b.py"),
        ("__Changes in b.py:__", "Changes in b.py"),
        ("[src/b.py]", "src/b.py"),
        ("As `b.py` has it, in `src/a.py`:", None),
        ("As `b.py` has it, in a.py:", None),
        ("**Changes in a.py**", None),
        ("[a.py]", None),
        ("[2.0.1]", None),
        ("As b.py has it:", None),
        ("As `b.x` has it:", None),
        ("**Changes**", None),
    ],
)
def test_with_a_path_a_sentence_names_another_file_in_backticks_or_bold(before: str, other: str | None) -> None:
    result = apply("x\n", f"{before}\n{OLD}", path="src/a.py")
    assert [failure.message.split(". ")[0] for failure in result.failures] == (
        [f"This block is for another file, {other}"] if other else []
    )


def test_a_path_in_brackets() -> None:
    assert changed("[src/a.py]", "src/a.py", "b.py") == changed("[src/a.py]", edit=EMPTY) == ["src/a.py"]
    assert changed("[bin/run]", "bin/run") == ["bin/run"]
    assert changed("[id]/a.py", "[id]/a.py", "a.py") == ["[id]/a.py"]


def test_a_path_in_the_first_marker_names_the_file_if_markers_are_fixed() -> None:
    def fixed(name: str, *there: str, before: str = "") -> list[str] | str:
        edit = block("x\n", "y\n", f"{MARKER} {name}", ">>>>>>> REPLACE")
        return changed(before, *there, edit=edit, fix_markers=True)

    assert fixed("src/a.py", "src/a.py", "b.py") == ["src/a.py"]
    assert fixed("`src/a.py`", "src/a.py", "b.py", before="`src/a.py`") == ["src/a.py"]
    assert fixed("src/a.py", "src/a.py", "b.py", before="b.py\n" + block("x\n", "z\n")) == ["b.py", "src/a.py"]
    assert fixed("docs/new file.md", NAME, "docs/new") == [NAME]
    assert fixed("src/a.py", "src/a.py", "b.py", before="b.py") == one_of("b.py", "src/a.py")
    assert fixed("my a.py", "a.py", "b.py", before="b.py") == one_of("b.py", "a.py")
    assert fixed("(1/2)", "b.py", before="b.py") == fixed("1/2", "b.py", before="b.py") == ["b.py"]
    # without that, the corrected block does the same
    diff = block("x\n", "y\n", f"{MARKER} {NAME}", ">>>>>>> REPLACE")
    [failure] = tree({NAME: "x\n"}, diff).failures
    assert (failure.path, failure.reason) == (NAME, "bad_marker")
    assert tree({NAME: "x\n"}, failure.corrected or "").ok


@pytest.mark.parametrize("path", ["../b.txt", "/b.txt", "sub/../b.txt"])
def test_where_a_file_is_to_be_moved_is_named_also_if_it_may_not_go_there(path: str) -> None:
    moved = f"*** Begin Patch\n*** Update File: a.txt\n*** Move to: {path}\n@@\n-x\n+y\n*** End Patch\n"
    renamed = f"diff --git a/a.txt b/{path}\nsimilarity index 100%\nrename from a.txt\nrename to {path}\n"
    for diff in (moved, renamed):
        assert named_paths(diff) == ["a.txt", path]
        assert not tree({"a.txt": "x\n"}, diff).ok


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("src/../new.py", "has `..` in it. Write the path of the file from the root of the tree, without `..`."),
        ("src/../a/../b.py", "has `..` in it. Write the path of the file from the root of the tree, without `..`."),
        ("src/../../new.py", "leads out of the tree. Use one that is relative to its root."),
        ("/src/../new.py", "is absolute. Paths begin at the root of the tree, without `/` at the start."),
    ],
)
def test_what_is_wrong_with_a_path(path: str, sentence: str) -> None:
    assert changed(path, edit=EMPTY) == f"The path {path} {sentence}"


def test_what_a_tree_raises_that_is_read() -> None:
    def read(path: str) -> str | None:
        raise TreeError(f"{path} is locked") if path == "a.py" else PermissionError(path)

    [failure] = apply_to_tree(read, "a.py\n" + OLD).failures
    assert (failure.reason, failure.message) == ("no_file", "a.py is locked")
    with pytest.raises(PermissionError):
        apply_to_tree(read, "b.py\n" + OLD)


@pytest.mark.parametrize("before", ["Create `./area.py`:", "Next: ./area.py", "Make `./area.py` here:"])
def test_the_root_in_a_sentence(before: str) -> None:
    assert changed(before, "src/area.py", edit=EMPTY) == ["area.py"]
    assert "There is no file area.py" in changed(before, "src/area.py")
    assert changed(before, "src/area.py", "area.py") == ["area.py"]
    # behind another block
    text = f"b.py\n{OLD}{before}\n{OLD}"
    [failure] = tree({"src/area.py": "x\n", "b.py": "x\n"}, text).failures
    assert failure.message.startswith("There is no file area.py")
    assert failure.message.endswith(
        "If the block is for b.py, write that path in backticks on a line of its own before it."
    )


@pytest.mark.parametrize("above", ["*** Update File: src/a.py\n", "*** Update File: src/a.py\n\n```python\n"])
def test_the_line_of_a_patch_that_names_a_file_names_that_of_a_block(above: str) -> None:
    texts = {"src/a.py": "a\n", "b.py": "a\n"}
    edit = block("a\n", "b\n")
    [change] = tree(texts, above + edit).changes
    assert (change.path, change.after) == ("src/a.py", "b\n")
    both = tree(texts, above + edit + "*** Update File: b.py\n" + edit)
    assert [change.path for change in both.changes] == ["src/a.py", "b.py"]
    assert [file.path for file in tree(texts, f"{above}prose\n").files] == ["src/a.py"]
    assert tree(texts, f"{above}-a\n+b\n").ok
    mixed = tree(texts, above + edit + "*** Update File: b.py\n a\n+b\n")
    assert [failure.reason for failure in mixed.failures] == ["bad_marker"]


# --- a sentence, or a name and nothing else

A, B = "src/a.py", "src/b.py"
X_TO_Y, ADD_IMPORT = block("x = 1\n", "x = 2\n"), block("import os\n", "import json\nimport os\n")
TWO = {A: "import os\n\nx = 1\n", B: "import os\n\ny = 2\n"}
A_ONLY, B_ONLY = {**TWO, B: "y = 2\n"}, {**TWO, A: "x = 1\n"}
SENTENCES = [
    "Leave src/b.py alone, and add the import:",
    "Also import it, as src/b.py does:",
    "Unlike `src/b.py`, it needs this import:",
    "And (not in src/b.py):",
    "No change to src/b.py is needed. Add the import:",
    "This mirrors what `src/b.py` does:",
    "The import is needed by src/b.py too:",
    "In src/b.py nothing changes:",
    "In src/b.py, nothing changes; but add this:",
    "It is in src/b.py as it was:",
    "In src/b.py, add the import:",
    "In `src/b.py`, we use this as a default, so export it:",
    "In src/b.py, we import this, so it has to be public:",
    "(I'll update src/b.py next.)",
    "(Update src/b.py)",
    "We'll change src/b.py in the next step:",
    "Next to src/b.py:",
    "Following src/b.py:",
    "Then I will update `src/b.py` to import it, once this exists:",
]
ANNOUNCEMENTS = [
    "src/b.py",
    "src/b.py:3",
    "src/b.py#L1-L2",
    "`src/b.py#L1`",
    "In `src/b.py`:",
    "The same for src/b.py:",
    "Now **src/b.py** needs it too:",
    "2. Update src/b.py",
    "### Changes to `src/b.py`",
    "Here is the file src/b.py:",
    "Next, in src/b.py, do the same as well.",
]


def outcome_of(texts: dict[str, str], between: str, edit: str = ADD_IMPORT, head: str = f"`{A}`\n") -> list[str] | str:
    result = tree(texts, f"{head}{X_TO_Y}\n{between}\n\n{edit}")
    return [change.path for change in result.changes] if result.ok else result.failures[0].message


@pytest.mark.parametrize("sentence", SENTENCES)
def test_old_lines_show_whether_a_sentence_or_the_block_before_says_which_file(sentence: str) -> None:
    assert outcome_of(TWO, sentence) == one_of(B, A)
    assert outcome_of(A_ONLY, sentence) == [A]
    assert outcome_of(B_ONLY, sentence) == [A, B]
    assert outcome_of({A: "x = 1\n", B: "y = 2\n"}, sentence) == (
        "The line to be replaced is not in the file. Read the file again and repeat the block with its lines exactly "
        "as they are."
    )
    # the same below a line that names the first file, before any block
    above = f"{A}\n\n{sentence}\n\n{ADD_IMPORT}"
    assert [failure.message for failure in tree(TWO, above).failures] == [one_of(B, A)]
    assert [change.path for change in tree(A_ONLY, above).changes] == [A]
    # without a block or a name before it, that file is all there is
    assert [change.path for change in tree(TWO, f"{sentence}\n{ADD_IMPORT}").changes] == [B]


@pytest.mark.parametrize("line", ANNOUNCEMENTS)
def test_a_line_that_is_hardly_anything_else_than_a_path_names_the_file(line: str) -> None:
    assert outcome_of(TWO, line) == outcome_of(B_ONLY, line) == [A, B]
    assert str(outcome_of(A_ONLY, line)).startswith("The line to be replaced is not in the file")
    diff = f"{line}\n{ADD_IMPORT}"
    assert [failure.reason for failure in apply(TWO[A], diff, path=A).failures] == ["no_file"]
    assert apply(TWO[B], diff, path=B).ok


def test_old_lines_that_are_only_similar_show_it_where_no_others_do() -> None:
    edit = block("<p>&amp;</p>\n".replace("<", "&lt;").replace(">", "&gt;"), "q\n")
    texts = {A: "x = 1\n<p>&</p>\n", B: "<p>&</p>\n"}
    assert outcome_of(texts, SENTENCES[0], edit) == one_of(B, A)
    assert outcome_of({**texts, B: "y\n"}, SENTENCES[0], edit) == [A]
    assert outcome_of({**texts, A: "x = 1\n"}, SENTENCES[0], edit) == [A, B]
    # what is there to the letter is meant
    exact = block("  y\n", "  z\n")
    assert outcome_of({A: "x = 1\n", B: "  y\n"}, SENTENCES[0], exact) == [A, B]


@pytest.mark.parametrize(
    "cut",
    [
        "------- SEARCH\nimport os\n",
        "------- SEARCH\nimport os\n=======\n",
        "------- SEARCH\nimport os\n=======\nimport json\n",
        "------- SEARCH",
        "------- SEARCH\nimport os\n------- SEARCH\nimport os\n=======\n+++++++ REPLACE\n",
        "------- SEARCH\nimport os\n+++++++ REPLACE\n",
        "------- SEARCH\n:start_line:1\n-------\nimport os\n=======\nimport json\n",
    ],
)
@pytest.mark.parametrize("accept_truncated", [False, True])
def test_a_block_that_waits_for_its_file_may_be_cut_off(cut: str, accept_truncated: bool) -> None:
    diff = f"{A}\n{X_TO_Y}{SENTENCES[0]}\n{cut}"
    result = tree(A_ONLY, diff, accept_truncated=accept_truncated)
    assert [file.path for file in result.files] == ([A, B] if cut.endswith("SEARCH") else [A])


def test_a_block_that_waits_behind_a_bad_marker() -> None:
    """The lines behind `++ REPLACE` are read again when the next block, or the end, shows that it was meant as one."""
    bad = ADD_IMPORT.replace("+++++++ REPLACE", "++ REPLACE")
    for last in (X_TO_Y, X_TO_Y.removesuffix("+++++++ REPLACE\n") + "++ REPLACE\n"):
        diff = f"{A}\n{bad}{SENTENCES[0]}\n{last}"
        for texts in (TWO, {**TWO, A: "import os\n", B: "x = 1\n"}):
            result = tree(texts, diff, fix_markers=True)
            assert [change.path for change in result.changes] == ([A] if texts is TWO else [A, B])
            assert result.ok


def test_an_almost_empty_file_of_which_a_sentence_speaks_is_not_filled() -> None:
    for sentence in ("Leave `src/b.py` alone, and write this:", "As src/b.py has it:"):
        assert outcome_of({**TWO, B: ""}, sentence, EMPTY) == not_new(B)
    assert outcome_of({**TWO, B: ""}, "In src/b.py:", EMPTY) == [A, B]


@pytest.mark.parametrize(
    ("before", "path"),
    [
        ("Create src/new.py:", "src/new.py"),
        ("### New file pkg/b.py", "pkg/b.py"),
        ("Now the new file src/new.py:", "src/new.py"),
        ("Create setup.py:", "setup.py"),
        ("And finally, let's add **src/new.py**:", "src/new.py"),
        ("I will create the helpers in src/n.py, which is short:", "src/n.py"),
        ("src/c.py — with another number", "src/c.py"),
        ("`.gitignore`", ".gitignore"),
        (".env.local", ".env.local"),
        ("`go.mod`", "go.mod"),
        ("main.dart", "main.dart"),
        ("`bin/run`", "bin/run"),
        ("File: console.log", "console.log"),
        ("<path>v1.2</path>", "v1.2"),
        ('```js file="console.log"', "console.log"),
    ],
)
def test_what_says_that_a_file_is_to_be_made(before: str, path: str) -> None:
    assert changed(before, edit=EMPTY) == [path]
    assert outcome_of(TWO, before, EMPTY) == [A, path]
    assert str(changed(before)).startswith(f"There is no file {path}.")


@pytest.mark.parametrize(
    ("before", "path"),
    [
        ("`UserService`", "UserService"),
        ("## `UserService`", "UserService"),
        ("`console.log`", "console.log"),
        ("`os.path`", "os.path"),
        ("v1.2", "v1.2"),
        ("Node.js", "Node.js"),
        ("```js console.log", "console.log"),
        ("Unlike the old src/legacy.py, we need a test:", "src/legacy.py"),
        ("The helpers are in `src/n.py` from now on:", "src/n.py"),
        ("(I'll update src/gone.py next.)", "src/gone.py"),
        ("Next to `src/gone.py`:", "src/gone.py"),
        ("Remove `src/gone.py`:", "src/gone.py"),
        ("See also **src/gone.py**:", "src/gone.py"),
        ("In src/gone.py:", "src/gone.py"),
        ("In `src/gone.py`, do:", "src/gone.py"),
        ('It is "docs/new file.md".', "docs/new file.md"),
        ("It mirrors src/legacy.py, so that a new test is due:", "src/legacy.py"),
    ],
)
def test_what_does_not_say_that_a_file_is_to_be_made(before: str, path: str) -> None:
    assert changed(before, edit=EMPTY) == outcome_of(TWO, before, EMPTY) == not_new(path)
    assert changed(before, path) == [path]


def test_a_path_in_the_first_marker_says_that_it_is_a_file() -> None:
    edit = block("", "y\n", f"{MARKER} console.log", ">>>>>>> REPLACE")
    assert changed("", edit=edit, fix_markers=True) == ["console.log"]


@pytest.mark.parametrize("line", ["new file.md", "my report.md"])
def test_words_before_a_name_without_a_folder_may_be_part_of_it(line: str) -> None:
    assert changed(line, edit=EMPTY) == one_of(line.rpartition(" ")[2], line)


LONE = [
    "Caddyfile",
    "schema.prisma",
    "index.astro",
    "Pipfile",
    "Podfile",
    "CHANGELOG",
    "VERSION",
    "AUTHORS",
    "TODO",
    "py.typed",
    "MANIFEST.in",
    ".htaccess",
    "justfile",
    "WORKSPACE",
    "BUILD.bazel",
    "Containerfile",
    "hosts",
    "x.hbs",
    "x.R",
    "x.v",
    "x.mk",
    "x.cu",
]


@pytest.mark.parametrize("name", LONE)
def test_a_name_alone_right_above_a_block_makes_any_file(name: str) -> None:
    made = ("{}", "**{}**", "### {}", "## **{}**", "`{}` (new file)", "**`{}`** (new)", "### `{}` (created):")
    said = ("Create `{}`:", "**Create `{}`:**", "### New file `{}`", "Add the file `{}`", "Create a new file `{}`:")
    for form in (*made, *said):
        line = form.format(name)
        assert changed(line, edit=EMPTY) == changed(f"{line}\n```", edit=f"{EMPTY}```\n") == [name]
    # with old lines a word is no name of a file that is not there
    if "." not in name:
        assert outcome_of(TWO, name, block("import os\n", "import json\n")) == [A]


@pytest.mark.parametrize(
    "line",
    [
        *("Changes", "### Changes", "**UserService**", "Create `UserService`:", "v1.2", "### 1.0.3", "2.0.0-rc1", "42"),
        *("Node.js", "hosts:", "a hosts", "Done.", "hosts\n", "- hosts", "`hosts`", "`os.path`", "`console.log`"),
        *("```\nhosts\n```", "**hosts"),
    ],
)
def test_what_alone_right_above_a_block_makes_no_file(line: str) -> None:
    assert isinstance(changed(line, edit=EMPTY), str)


def test_create_with_a_usual_name_or_any_behind_file() -> None:
    assert changed("Create `LICENSE`:", edit=EMPTY) == ["LICENSE"]
    assert changed("Create the file `UserService`:", edit=EMPTY) == ["UserService"]
    assert changed("`UserService` (new file)", edit=EMPTY) == ["UserService"]
    # a word that is the name of no file makes one only of a block without old lines
    for edit, paths in ((EMPTY, [A, "hosts"]), (ADD_IMPORT, [A])):
        result = tree(TWO, f"{A}\n{X_TO_Y}\nhosts\n```\n{edit}```\n")
        assert [change.path for change in result.changes] == paths
