"""Edits that are given twice, and edits that build on others of the same diff."""

from __future__ import annotations

import pytest

from streamparse.diff import index, str_replace
from tests.diff.kit import apply, block, outcome, patch, tree, update

FILE = "a\nb\nc\n"
EDIT = block("b\n", "B\n")
HUNK = "@@\n a\n-b\n+B\n c\n"


MADE = "*** Add File: x\n+a\n+b\n"
GIT_MADE = "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n"


@pytest.mark.parametrize(
    ("diff", "content"),
    [
        (MADE * 2, "a\nb\n"),
        (MADE * 3, "a\nb\n"),
        (GIT_MADE * 2, "a\nb\n"),
        # Other lines, or the file has become another one: it is not made anew.
        (f"{MADE}*** Add File: x\n+a\n", None),
        (f"{MADE}*** Add File: x\n+ a\n+b\n", None),
        (f"{MADE}*** Update File: x\n@@\n b\n+c\n{MADE}", None),
        (f"{MADE}*** Update File: x\n@@\n a\n-b\n+ b\n{MADE}", None),
    ],
)
def test_a_file_that_is_made_twice(diff: str, content: str | None) -> None:
    text = diff if diff.startswith("---") else f"*** Begin Patch\n{diff}*** End Patch\n"
    result = tree({"y": "z\n"}, text)
    assert [change.after for change in result.changes] == ([] if content is None else [content])
    assert [failure.reason.value for failure in result.failures] == (["empty_search"] if content is None else [])
    # It was there before.
    assert not tree({"x": "a\nb\n"}, text).ok


@pytest.mark.parametrize(
    ("file", "diff", "content", "expected"),
    [
        (FILE, EDIT * 2, "a\nB\nc\n", ["applied", "noop"]),
        (FILE, EDIT * 3, "a\nB\nc\n", ["applied", "noop", "noop"]),
        (FILE, block("b\n", "") * 2, "a\nc\n", ["applied", "noop"]),
        ("", block("", "a\n") * 2, "a\n", ["applied", "noop"]),
        # No other new lines, and no reverse.
        (FILE, EDIT + block("b\n", "x\n"), "a\nB\nc\n", ["applied", "overlap"]),
        (FILE, EDIT + block("B\n", "b\n"), "a\nB\nc\n", ["applied", "not_found"]),
        # As many places as blocks, and fewer.
        ("b\nb\n", EDIT, "b\nb\n", ["ambiguous"]),
        ("b\nb\n", EDIT * 2, "B\nB\n", ["applied", "applied"]),
        ("b\nb\n", EDIT * 3, "B\nB\n", ["applied", "applied", "noop"]),
        ("b\nb\n", (EDIT + block("b\n", "x\n")) * 2, "B\nx\n", ["applied", "applied", "noop", "noop"]),
        ("b\nb\n", EDIT * 2 + block("b\n", "x\n"), "b\nb\n", ["ambiguous"] * 3),
        # The second may be meant for a line that is indented otherwise.
        ("b\n  b\n", EDIT * 2, "B\n  b\n", ["applied", "overlap"]),
    ],
)
def test_a_block_that_is_given_twice(file: str, diff: str, content: str, expected: list[str]) -> None:
    result = apply(file, diff)
    assert (result.content, outcome(result)) == (content, expected)


@pytest.mark.parametrize(
    ("diff", "content", "expected"),
    [
        (HUNK * 2, "a\nB\nc\n", ["applied", "noop"]),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n" * 2, "a\nB\nc\n", ["applied", "noop"]),
        ("@@\n a\n+x\n b\n" * 2, "a\nx\nb\nc\n", ["applied", "noop"]),
        (update(HUNK) * 2, "a\nB\nc\n", ["applied", "noop"]),
        (update(HUNK) * 3, "a\nB\nc\n", ["applied", "noop", "noop"]),
        (update("@@\n a\n+x\n b\n") * 2, "a\nx\nb\nc\n", ["applied", "noop"]),
        (update("@@\n-b\n") * 2, "a\nc\n", ["applied", "noop"]),
        ("--- f\n+++ f\n" + HUNK + "--- f\n+++ f\n" + HUNK, "a\nB\nc\n", ["applied", "noop"]),
        # Another number may be meant for another place.
        (HUNK.replace("@@", "@@ -1,3 +1,3 @@") + HUNK.replace("@@", "@@ -9,3 +9,3 @@"), None, ["applied", "overlap"]),
        # Behind others it would undo something.
        (update(HUNK) + update("@@\n a\n-B\n+x\n c\n") + update(HUNK), None, ["applied", "applied", "not_found"]),
        (
            update(HUNK) + update("@@\n a\n-B\n+b\n c\n") + update(HUNK),
            None,
            ["applied", "applied", "ambiguous"],
        ),
    ],
)
def test_a_hunk_that_is_given_twice(diff: str, content: str | None, expected: list[str]) -> None:
    result = patch(FILE, diff)
    assert outcome(result) == expected
    assert content is None or result.content == content


def test_a_hunk_given_twice_by_the_number_of_one_of_two_places_may_be_for_the_other() -> None:
    hunk = "@@ -3 +3 @@\n-b\n+B\n"
    assert outcome(patch("b\na\nb\n", hunk)) == ["applied"]
    result = patch("b\na\nb\n", hunk * 2)
    assert (result.content, outcome(result)) == ("b\na\nB\n", ["applied", "overlap"])


def test_a_hunk_that_failed_has_not_been_made_by_an_earlier_part() -> None:
    part = "--- f\n+++ f\n@@ -1,2 +1,3 @@\n x = ‘a’\n+y = ‘a’ + 'a'\n z\n"
    first, second = patch("x = 'a'\nz\n", part * 2).failures
    assert (first.reason, second.message) == ("ambiguous", first.message)


def test_an_edit_of_a_tree_that_is_given_twice() -> None:
    texts = {"f": FILE, "g": FILE}
    done = {"f": "a\nB\nc\n"}
    for diff in (f"f\n{EDIT}f\n{EDIT}", update(HUNK) * 2, f"--- f\n+++ f\n{HUNK}" * 2):
        result = tree(texts, diff)
        assert (result.ok, {change.path: change.after for change in result.changes}) == (True, done)
    both = tree(texts, f"f\n{EDIT}g\n{EDIT}f\n{EDIT}")
    assert {change.path: change.after for change in both.changes} == {**done, "g": "a\nB\nc\n"}
    other = block("B\n", "x\n")
    undone = tree(texts, f"f\n{EDIT}g\n{EDIT}f\n{other}g\n{other}f\n{EDIT}")
    assert not undone.ok


@pytest.mark.parametrize("where", ["alone", "tree"])
def test_a_block_that_builds_on_an_earlier_one(where: str) -> None:
    file = "import os\nx\n"
    blocks = block("import os\n", "import re\n") + block("import re\n", "import sys\n")
    hunks = "@@\n-import os\n+import re\n x\n@@\n-import re\n+import sys\n x\n"
    for diff, noun, what in (
        (blocks, "block", "The line to be replaced is"),
        (hunks, "hunk", "The 2 lines to be replaced are"),
    ):
        if where == "tree":
            result = tree({"f": file}, update(diff) if noun == "hunk" else f"f\n{diff}")
        else:
            result = (patch if noun == "hunk" else apply)(file, diff)
        assert [failure.message for failure in result.failures] == [
            f"{what} not in the file. `import re` is written by {noun} 1, and all {noun}s refer to the file as it was: "
            f"put both changes into one {noun}."
        ]


def test_who_has_written_a_line_is_asked_while_hints_are_affordable(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = block("a\n", "x\n") + block("x\n", "y\n")
    for budget, expected in ((1, True), (0, False)):
        monkeypatch.setattr(index, "_HINTS", budget)
        assert ("is written by block 1" in apply(FILE, blocks).failures[0].message) is expected


def test_lines_that_are_only_alike_are_not_replaced_everywhere() -> None:
    file = "  a\n  b\nx\n    a\n    b\n"
    result = str_replace(file, "a\nb\n", "c\nd\n", replace_all=True)
    assert (result.content, outcome(result)) == (file, ["ambiguous"])
    assert result.failures[0].message == (
        "`replace_all` replaces only text that stands to the letter, and this text does not: its lines are written "
        "otherwise in the file, at lines 1 and 4. Repeat the edit for each of these places, with its lines exactly as "
        "they are there and without `replace_all`."
    )
    assert result.failures[0].lines == (1, 4)
    one = "  a\n  b\nx\n"
    assert str_replace(one, "a\nb\n", "c\nd\n", replace_all=True) == str_replace(one, "a\nb\n", "c\nd\n")


@pytest.mark.parametrize(("old", "new"), [("d", "D\n\n"), ("d", "D\n"), ("d", "D"), ("d\n", "D\n\n"), ("d\n", "D\n")])
def test_a_text_ends_in_the_same_way_if_lines_are_left_out(old: str, new: str) -> None:
    file = "a\nb\nc\nd\ne\n"
    whole = str_replace(file, f"a\nb\nc\n{old}", f"a\nb\nc\n{new}")
    assert str_replace(file, f"a\n...\n{old}", f"a\n...\n{new}").content == whole.content
