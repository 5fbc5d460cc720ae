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
        'It is "docs/new file.md".',
        "It is 'docs/new file.md'.",
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
    "`run`",
    "### `run`:",
    "2. `run`:",
    "- **`run`:**",
]


@pytest.mark.parametrize("before", ANY)
def test_any_word_is_a_name_where_it_stands_for_one(before: str) -> None:
    assert changed(before, edit=EMPTY) == changed(before, "run") == changed(before, "bin/run", "run") == ["run"]
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


@pytest.mark.parametrize("before", ["Create `./area.py`:", "Next: ./area.py", "See `./area.py` here:"])
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
