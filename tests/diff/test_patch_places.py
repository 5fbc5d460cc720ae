"""Where a hunk belongs: what its number, its context and the lines behind `@@` must show."""

from __future__ import annotations

from functools import partial

import pytest

from streamparse.diff import DiffResult, DiffStream, PatchStream, apply_patch, apply_search_replace
from tests.diff.kit import block, chunkings, outcome, patch, run, update, work

ITEMS = "t3\nhead\ntop\n" + "- name\n  on: 1\n\n" * 6
FIRST = "@@ -4,3 +4,3 @@\n-t3\n+T3\n head\n top\n"


def places(result: DiffResult) -> list[int | None]:
    return [edit.start_line for edit in result.edits]


# --- numbers


@pytest.mark.parametrize(("number", "line"), [(12, None), (13, 11), (14, None), (16, 14), (7, 5)])
def test_the_offset_of_a_hunk_is_carried_to_the_next(number: int, line: int | None) -> None:
    text = f"{FIRST}@@ -{number},3 +{number},3 @@\n - name\n-  on: 1\n+  on: 2\n \n"
    result = patch(ITEMS, text)
    assert (places(result), outcome(result)) == (
        ([1, line], ["applied", "applied"]) if line else ([1], ["applied", "ambiguous"])
    )


@pytest.mark.parametrize(
    ("first", "number", "line"),
    [
        ("", 8, 7),  # the first hunk is in one place, and one line off
        ("", 7, None),
        ("head\n", 8, None),  # in two, of which its heading has chosen the first, and not its number
        ("head\n", 7, None),
        ("head\n", 6, None),
    ],
)
def test_numbers_choose_nothing_beside_one_that_a_heading_has_corrected(
    first: str, number: int, line: int | None
) -> None:
    file = f"def a\nhead\nx\nend\n\ny\n\nz\ndef b\n{first}"
    result = patch(file, f"@@ -3 +3 @@ def a\n-head\n+HEAD\n@@ -{number} +{number} @@\n-\n+n\n")
    assert (places(result) if result.ok else [2, None]) == [2, line]


def test_a_number_must_be_right_to_choose_a_place() -> None:
    file = "a\nx\nb\n" + "c\n" * 20 + "x\nd\n"
    assert places(patch(file, "@@ -2 +2 @@\n-x\n+y\n")) == [2]
    assert places(patch(file, "@@ -24 +24 @@\n-x\n+y\n")) == [24]
    assert outcome(patch(file, "@@ -3 +3 @@\n-x\n+y\n")) == ["ambiguous"]
    # also with context, of which blank lines are none
    assert outcome(patch("{\n\nx\n}\n{\n\nx\n}\n", "@@ -2,2 +2,2 @@ nothing\n {\n-x\n+y\n")) == ["ambiguous"]
    assert places(patch("{\n\nx\n}\n{\n\nx\n}\n", "@@ -5,2 +5,2 @@ nothing\n {\n-x\n+y\n")) == [7]


@pytest.mark.parametrize(
    ("hunks", "content"),
    [
        # found at its own number, before or behind
        ("@@ -1 +1 @@\n-a\n+A\n@@ -2,0 +3 @@\n+n\n", "A\nb\nn\nc\nd\ne\n"),
        ("@@ -2,0 +3 @@\n+n\n@@ -4 +5 @@\n-d\n+D\n", "a\nb\nn\nc\nD\ne\n"),
        ("@@ -0,0 +1 @@\n+n\n@@ -4 +5 @@\n-d\n+D\n", "n\na\nb\nc\nD\ne\n"),
        # two that are as far off
        ("@@ -2 +2 @@\n-a\n+A\n@@ -3,0 +4 @@\n+n\n@@ -5 +6 @@\n-d\n+D\n", "A\nb\nn\nc\nD\ne\n"),
        ("@@ -2 +2 @@\n-a\n+A\n@@ -5 +5 @@\n-d\n+D\n@@ -5,0 +6 @@\n+n\n", "A\nb\nc\nD\nn\ne\n"),
        # one that is, two that disagree, and a place that is not there
        ("@@ -2 +2 @@\n-a\n+A\n@@ -3,0 +4 @@\n+n\n", None),
        ("@@ -1 +1 @@\n-a\n+A\n@@ -3,0 +4 @@\n+n\n@@ -5 +6 @@\n-d\n+D\n", None),
        ("@@ -1 +1 @@\n-a\n+A\n@@ -9,0 +10 @@\n+n\n", None),
        # behind the last line
        ("@@ -5,0 +6 @@\n+n\n", "a\nb\nc\nd\ne\nn\n"),
        ("@@ -2 +2 @@\n-a\n+A\n@@ -5,0 +6 @@\n+n\n", None),
        ("@@ -4,0 +5 @@\n+n\n", None),
        ("@@ -6,0 +7 @@\n+n\n", None),
    ],
)
def test_other_hunks_confirm_a_number_without_old_lines(hunks: str, content: str | None) -> None:
    result = patch("a\nb\nc\nd\ne\n", hunks)
    assert (result.ok, result.content if result.ok else None) == (content is not None, content)
    if content is None:
        assert "empty_search" in outcome(result)


@pytest.mark.parametrize(("old", "is_applied"), [("-}\n+};\n", False), (" l4\n-}\n+};\n", True)])
def test_a_number_that_has_chosen_a_place_itself_confirms_no_other(old: str, is_applied: bool) -> None:
    original = "".join(f"l{number}\n}}\n" for number in range(1, 11))
    count = old.count("\n") - 1
    result = patch(original, f"@@ -{9 - count},{count} +{9 - count},{count} @@\n{old}@@ -11,0 +12 @@\n+new\n")
    assert outcome(result) == ["applied", "applied" if is_applied else "empty_search"]


@pytest.mark.parametrize(
    ("hunks", "content"),
    [
        # one line more before it
        ("@@ -1 +1,2 @@\n-a\n+A\n+N\n@@ -3,0 +4 @@\n+n\n", None),
        ("@@ -1 +1,2 @@\n-a\n+A\n+N\n@@ -3,0 +5 @@\n+n\n", "A\nN\nb\nc\nn\nd\ne\n"),
        ("@@ -1 +1,2 @@\n-a\n+A\n+N\n@@ -3,0 +6 @@\n+n\n", None),
        # one less, by a hunk that leaves nothing
        ("@@ -2 +1,0 @@\n-b\n@@ -3,0 +2 @@\n+n\n", None),
        ("@@ -2 +1,0 @@\n-b\n@@ -3,0 +3 @@\n+n\n", "a\nc\nn\nd\ne\n"),
        ("@@ -2 +1,0 @@\n-b\n@@ -3,0 +4 @@\n+n\n", None),
        # the first of all: the numbers of the new file, or of the old one, on both sides
        ("@@ -2,0 +2 @@\n+n\n@@ -4 +5 @@\n-d\n+D\n", None),
        ("@@ -5,0 +5 @@\n+n\n", None),
        # as far off as the hunk before it, two of which were left out
        ("@@ -1 +3 @@\n-a\n+A\n@@ -3,0 +5 @@\n+n\n", None),
        ("@@ -1 +3 @@\n-a\n+A\n@@ -3,0 +6 @@\n+n\n", "A\nb\nc\nn\nd\ne\n"),
        ("@@ -1 +3 @@\n-a\n+A\n@@ -3,0 +4 @@\n+n\n", "A\nb\nc\nn\nd\ne\n"),
        # a hunk without numbers counts
        ("@@\n-a\n+A\n+N\n@@ -3 +4 @@\n-c\n+C\n@@ -4,0 +6 @@\n+n\n", None),
        ("@@ -1 +1,9 @@\n-a\n+A\n+N\n@@ -3,0 +5 @@\n+n\n", "A\nN\nb\nc\nn\nd\ne\n"),  # what it announces does not
    ],
)
def test_the_two_numbers_of_new_lines_fit_each_other(hunks: str, content: str | None) -> None:
    result = patch("a\nb\nc\nd\ne\n", hunks)
    assert (result.ok, result.content if result.ok else None) == (content is not None, content)


def test_new_lines_with_a_number_below_the_heading_of_git() -> None:
    text = "@@ -2 +1,0 @@ a:\n- b\n@@ -3,0 +3 @@ a:\n+ n\n@@ -5 +5 @@ a:\n- e\n+ E\n"
    result = patch("a:\n b\n c\n d\n e\n", text)
    assert (result.content, outcome(result)) == ("a:\n c\n n\n d\n E\n", ["applied"] * 3)


def test_what_is_said_of_two_numbers_that_do_not_fit() -> None:
    result = patch("a\nb\nc\n", "@@ -1 +1,2 @@\n-a\n+A\n+N\n@@ -2,0 +2 @@\n+n\n")
    assert (result.content, outcome(result)) == ("A\nN\nb\nc\n", ["applied", "ambiguous"])
    assert (result.failures[0].lines, result.failures[0].message) == (
        (2,),
        "The hunk has only new lines, and its two numbers do not fit: behind line 2 of the file, the first of them "
        "would be line 4 of the new one, not 2. Repeat it with the lines before or behind them as context.",
    )


def test_what_is_said_of_new_lines_with_only_a_number() -> None:
    for header in ("@@ -1,0 +2 @@", "@@ @@"):
        [failure] = patch("a\nb\n", f"{header}\n+x\n").failures
        assert (failure.reason, failure.message) == (
            "empty_search",
            "The hunk has only new lines, and no line of the file shows where they belong: a number or a heading "
            "alone does not. Repeat it with the lines before or behind them as context, at least one (for git: `-U1`).",
        )


def test_many_new_lines_with_only_numbers_cost_what_they_are() -> None:
    def cost(size: int) -> int:
        file = "".join(f"{at}\n" for at in range(2 * size))
        text = "".join(
            f"@@ -{2 * at + 1} +{3 * at + 1} @@\n-{2 * at}\n+x\n@@ -{2 * at + 2},0 +1 @@\n+y\n" for at in range(size)
        )
        return work(partial(apply_patch, file, text))

    assert cost(200) < 2.5 * cost(100)


def test_many_parts_for_one_file_cost_what_they_are() -> None:
    def cost(size: int) -> int:
        text = "".join(f"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-l{at}\n+l{at + 1}\n" for at in range(size))
        return work(partial(apply_patch, "l0\nx\n", text))

    assert cost(200) < 2.05 * cost(100)


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        (" \n+n\n b\n", None),  # the file has another line before it
        (" b\n+n\n \n", None),
        (" a\n+n\n \n b\n", "a\nn\nb\nc\n"),  # between lines that the file has side by side
        (" \n-b\n+n\n", None),  # that may be one more to be removed
        ("-b\n+n\n \n", None),
        ("\n-b\n+n\n", "a\nn\nc\n"),  # without a sign it is none of the hunk
        (" \n-a\n+n\n", "n\nb\nc\n"),  # the file begins there
        ("-c\n+n\n \n", "a\nb\nn\n"),
        (" \n a\n+n\n b\n", "a\nn\nb\nc\n"),
        (" \n b\n+n\n c\n", "a\nb\nn\nc\n"),  # two lines show the place
        (" \n b\n+n\n", None),  # one alone does not, unless the file begins or ends there
        (" \n a\n+n\n", "a\nn\nb\nc\n"),
        ("+n\n b\n \n", None),
        ("+n\n c\n \n", "a\nb\nn\nc\n"),
    ],
)
def test_new_lines_next_to_a_blank_line_that_is_not_there(hunk: str, content: str | None) -> None:
    result = patch("a\nb\nc\n", f"@@\n{hunk}")
    assert (result.ok, result.content) == (content is not None, content or "a\nb\nc\n")


def test_blank_lines_without_a_mark_are_at_their_number() -> None:
    # Behind the new line is a blank one of context, if that is there, or prose.
    file = "a\n\nb\nc\n"
    text = "@@ -{},1 +{},2 @@\n+n\n\nSo much for that.\n"
    assert patch(file, text.format(2, 2)).content == "a\nn\n\nb\nc\n"
    for number in (1, 3, 4):
        assert outcome(patch(file, text.format(number, number))) == ["not_found"]
    assert patch(file, "@@\n\n+n\n").content == "a\n\nn\nb\nc\n"


def test_hunks_that_show_blank_lines_alone_are_at_their_number() -> None:
    file = "a\n\nb\nc\n"
    for number, is_applied in ((1, False), (2, True), (3, False)):
        added = patch(file, f"@@ -{number},1 +{number},2 @@\n+n\n \n")
        assert (outcome(added), added.content == "a\nn\n\nb\nc\n") == (
            ["applied" if is_applied else "not_found"],
            is_applied,
        )
        removed = patch(file, f"@@ -{number},1 +{number},0 @@\n-\n")
        assert (outcome(removed), removed.content == "a\nb\nc\n") == (
            ["applied" if is_applied else "not_found"],
            is_applied,
        )
    # Where the hunk before it was found elsewhere, it is as far from its number.
    text = "@@ -3,1 +3,1 @@\n-a\n+A\n@@ -4,1 +4,2 @@\n+n\n \n"
    assert patch(file, text).content == "A\nn\n\nb\nc\n"
    # Without a number, the file has to have one blank line.
    assert patch(file, "@@\n \n+n\n").content == "a\n\nn\nb\nc\n"
    assert outcome(patch("a\n\nb\n\nc\n", "@@\n \n+n\n")) == ["ambiguous"]


def test_one_line_of_context_between_blank_lines_of_which_the_file_has_one() -> None:
    file = "area\nwidth\n- name\n\nfoo\n"
    assert outcome(patch(file, "@@\n \n - name\n \n+x\n")) == ["not_found"]
    assert patch(file, "@@\n - name\n \n+x\n").content == "area\nwidth\n- name\n\nx\nfoo\n"


def test_blank_lines_and_a_heading_say_nothing() -> None:
    file = "def f():\n    x\n\n    y\ndef g():\n    x\n\n    y\n"
    assert outcome(patch(file, "@@ -4 +4,2 @@ def f():\n \n+n\n")) == ["ambiguous"]
    assert places(patch(file, "@@ -3 +3,2 @@ def f():\n \n+n\n")) == [4]
    assert outcome(patch(file, "@@ def f():\n \n+n\n")) == ["ambiguous"]


# --- lines behind `@@`

CLASSES = "class Other:\n    def desired():\n        x = 1\nclass Target:\n    def b():\n        x = 2\n"


@pytest.mark.parametrize(
    ("headings", "is_right"),
    [
        ("@@ class Other:\n@@     def desired():", True),
        ("@@ class Target:\n@@     def desired():", False),
        ("@@ class Target:\n@@ def b():\n@@     def desired():", False),
        ("@@ nothing\n@@ class Other:", True),
        ("@@ class Other:\n@@ nothing\n@@ def desired():", True),
        ("@@ def desired():\n@@ class Other:", False),  # not below it, but above
        ("@@ class Other:\n@@ class Target:", False),  # side by side, as titles are, and the lines are above that
    ],
)
def test_headings_that_contradict_each_other(headings: str, is_right: bool) -> None:
    # one below the other, with blank lines between them, or side by side
    for between in ("\n", "\n\n", "\n \n\t\n", " "):
        result = patch(CLASSES, update(f"{headings}\n-        x = 1\n+        x = 3\n".replace("\n@@", f"{between}@@")))
        assert outcome(result) == ["applied" if is_right else "not_found"]


@pytest.mark.parametrize("between", ["\n", "\n\n", " \n \n", " ", ""])
def test_headings_one_within_the_other_choose(between: str) -> None:
    file = CLASSES.replace("def b():\n        x = 2", "def desired():\n        x = 1")
    for first, line in (("Other", 3), ("Target", 6)):
        headings = f"@@ class {first}:{between}@@     def desired():"
        for end in ("\n", " @@\n", "\n\n@@\n"):
            assert places(patch(file, update(f"{headings}{end}-        x = 1\n+        x = 3\n"))) == [line]


@pytest.mark.parametrize("numbers", ["-1, +1,", "+1", "1,2", "..."])
def test_numbers_that_are_not_right_are_no_heading(numbers: str) -> None:
    file = "def f():\n    x\ndef g():\n    x\n"
    text = f"@@ {numbers} @@ def g():\n-    x\n+    y\n"
    assert patch(file, update(text)).content == "def f():\n    x\ndef g():\n    y\n"


@pytest.mark.parametrize(
    ("headings", "line"),
    [
        ("@@   def g():", 5),
        ("@@\tdef g():", None),  # no line is indented so
        ("@@ def g():", None),
        ("@@ class B:\n@@   def g():", 5),
        ("@@ class B:\n@@ def g():", 5),
        ("@@ class A:\n@@   def g():", None),
        ("@@ class A:\n@@ def g():", None),
    ],
)
def test_a_heading_with_the_indentation_of_a_line_means_that_line(headings: str, line: int | None) -> None:
    result = patch("def g():\n    x\nclass B:\n  def g():\n    x\nclass A:\n  y\n", f"{headings}\n-    x\n+    z\n")
    assert places(result) == ([] if line is None else [line])


@pytest.mark.parametrize(
    ("file", "headings", "old", "is_right"),
    [
        (CLASSES, "@@ class Target:", "        x = 2", True),
        (CLASSES, "@@ class Target:\n@@     def b():", "        x = 2", True),
        # above it, or above all of them
        (CLASSES, "@@ class Target:", "        x = 1", False),
        (CLASSES, "@@ class Target:\n@@     def nowhere():", "        x = 1", False),
        ("class A:\n  x = 1\nclass B:\n  y\nclass B:\n  z\n", "@@ class B:", "  x = 1", False),
        # a line of the hunk itself
        (CLASSES, "@@ class Target:", " class Target:\n     def b():\n-        x = 2", True),
        (CLASSES, "@@ class Target:", "         x = 1\n-class Target:", True),
        # in another block, whatever that is
        (CLASSES, "@@ class Other:", "        x = 2", False),
        (CLASSES, "@@     def desired():", "        x = 2", False),
        ("class A:\n  x\ndef g():\n  y\n", "@@ class A:", "  y", False),
        ("void f() {\n  x;\n}\nvoid g() {\n  y;\n}\n", "@@ void f() {", "  y;", False),
        # in one of several
        ("class A:\n  x\nclass B:\n  y\nclass A:\n  z\n", "@@ class A:", "  z", True),
        # behind it, and in no other block; or where that began before
        ("class A:\n  x\ny = 1\n", "@@ class A:", "y = 1", True),
        ("class A:\n  def f():\n    x\n  y = 1\n", "@@   def f():", "  y = 1", True),
        ("class A:\n  def f():\n    x\n", "@@ class A:", "    x", True),
        # in a part of it that is no deeper
        ("if x:\n  y\nelse:\n  z\n", "@@ if x:", "  z", True),
        ("class A {\npublic:\n  int z;\n};\n", "@@ class A {", "  int z;", True),
        ("switch (x) {\ncase 1: {\n  z;\n}\n}\n", "@@ switch (x) {", "  z;", True),
        ("def f(\n  x,\n):\n  z\n", "@@ def f(", "  z", True),
        # a line that nothing is in is above all that follows
        ("import a\n\ndef f():\n  x\n", "@@ import a", "  x", True),
        ("# Tool\n\n## Use\n\nz\n", "@@ # Tool\n@@ ## Use", "z", True),
        # a heading that is nowhere
        (CLASSES, "@@ class Gone:", "        x = 1", True),
        (CLASSES, "@@ class Gone:\n@@     def nowhere():", "        x = 1", True),
    ],
)
def test_a_place_that_is_not_below_its_headings(file: str, headings: str, old: str, is_right: bool) -> None:
    hunk = f"{old}\n+NEW\n" if old.startswith(" ") and "\n-" in old else f"-{old}\n+NEW\n"
    result = patch(file, f"*** Begin Patch\n*** Update File: f\n{headings}\n{hunk}*** End Patch\n")
    removed = hunk.split("\n+")[0].rsplit("-", 1)[1]
    assert outcome(result) == ["applied" if is_right else "not_found"]
    assert result.content == (file.replace(f"{removed}\n", "NEW\n", 1) if is_right else file)


def test_what_is_said_of_a_place_that_is_not_below_its_heading() -> None:
    [failure] = patch(CLASSES, "@@ class Target:\n-        x = 1\n+        x = 3\n").failures
    assert failure.message == (
        "The file has the lines of the hunk, but not below `class Target:`, as it says behind `@@`. "
        "Name the right lines."
    )


def test_a_title_is_not_indented() -> None:
    file = "class A:\n  x\ndef g():\n  y\nclass B:\n  def g():\n    z\n"
    assert outcome(patch(file, "@@ class A:\n@@ def g():\n-    z\n+    n\n")) == ["not_found"]
    assert outcome(patch(file, "@@ class A:\n@@   def g():\n-    z\n+    n\n")) == ["not_found"]


def test_what_is_said_of_headings_that_contradict_each_other() -> None:
    [failure] = patch(CLASSES, "@@ class Target:\n@@ def desired():\n-        x = 1\n+        x = 3\n").failures
    assert failure.message == (
        "The lines behind `@@` contradict each other: the file does not have `class Target:`, then `def desired():` "
        "within it. Name the right ones."
    )


# --- one line of context

LINES = "def f(first):\n    total = 0\n    for one in first:\n        total += one\n    return total\n"
EDITED = LINES.replace("total += one", "total += 2 * one")


@pytest.mark.parametrize(
    ("before", "behind", "fix"),
    [
        (
            "     totla = 0\n     for one in first:\n",
            "     return total\n",
            "context `totla = 0` is taken for line 2, `total = 0`",
        ),
        (
            "     total = 0\n     for one in first:\n",
            "     retrun total\n",
            "context `retrun total` is taken for line 5, `return total`",
        ),
        (
            "     total = 0\n     total = 0\n     for one in first:\n",
            "     return total\n",
            "context `total = 0` is written twice, where the file has it once",
        ),
        (
            " def f(first):\n def f(first):\n     total = 0\n     for one in first:\n",
            "     return total\n",
            "context `def f(first):` is written twice, where the file has it once",
        ),
        (
            "     for one in first:\n",
            "     return total\n     return total\n",
            "context `return total` is written twice, where the file has it once",
        ),
        (
            " def f(first):\n     for one in first:\n",
            "     return total\n",
            "line 2, `total = 0`, is left out of the context",
        ),
    ],
)
def test_one_line_of_context_may_be_wrong(before: str, behind: str, fix: str) -> None:
    result = patch(LINES, f"@@\n{before}-        total += one\n+        total += 2 * one\n{behind}")
    [edit] = result.edits
    assert (result.content, edit.strategy, edit.fixes) == (EDITED, "fuzzy", (fix,))
    assert 0.7 < edit.similarity < 1


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        (LINES, "     totla = 0\n     for noe in first:\n-        total += one\n"),  # two lines
        (LINES, "     total = 0\n     for one in first:\n-        total += noe\n"),  # no context
        (LINES, "     something(entirely, different)\n-        total += one\n"),
        # it is in the file, elsewhere
        (LINES, "     total = 0\n     return total\n-        total += one\n     return total\n"),
        # the others are in two places
        ("a = 1\nbbbb\nc = 2\n" * 2, " a = 1\n bbbx\n-c = 2\n"),
        # new lines on either side of the one that is left out
        ("one\ntwo\nthree\n", " one\n+n\n three\n"),
        ("one\ntwo\nthree\n", "-one\n+n\n+m\n three\n"),
        # a line between two that are removed
        ("one\ntwo\nthree\nfour\n", "-one\n-three\n four\n"),
        # written twice, with something between, and not twice
        ("one\ntwo\nthree\n", " one\n+n\n one\n two\n"),
        ("one\ntwo\nthree\n", " one\n other\n two\n-three\n"),
        # a blank line that is removed is not there
        ("one\ntwo\nthree\n", " one\n oneone\n-\n-two\n three\n"),
        ("one two\nthree four\nfive\n", " onee two\n-\n-three four\n"),
        # written twice, or the line between was left out: new lines behind it are in two places
        ("one\ntwo\n}\nthree\n}\n", "-one\n two\n }\n }\n+n\n"),
        ("}\nthree\n}\ntwo\none\n", "+n\n }\n }\n two\n-one\n"),
        # one line alone
        ("one two\nthree\n", " onee two\n+n\n"),
        # behind the end of the file
        ("one two\nthree four\n", " three four\n+n\n five six\n"),
    ],
)
def test_more_than_one_line_of_context_may_not_be_wrong(file: str, hunk: str) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (file, ["not_found"])


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # lines that are written differently are not one that is written twice
        ("one\ntwo\n  }\nthree\n}\n", "-one\n two\n   }\n }\n+n\n", "two\n  }\nthree\n}\nn\n"),
        ("}\nthree\n  }\ntwo\none\n", "+n\n }\n   }\n two\n-one\n", "n\n}\nthree\n  }\ntwo\n"),
        # blank lines
        ("a b c d\n\none\n\nx\n", " a b c e\n\n-one\n \n+n\n x\n", "a b c d\n\n\nn\nx\n"),
        ("a b c d\none\n\n", "\n a b c e\n-one\n-\n", "a b c d\n"),
        # new lines are indented as the file shows, not as the wrong line
        ("  a b c d\n  one\n", " ab c d\n-one\n+n\n", "  a b c d\n  n\n"),
    ],
)
def test_what_is_written_next_to_a_wrong_line(file: str, hunk: str, content: str) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, [edit.strategy for edit in result.edits]) == (content, ["fuzzy"])


@pytest.mark.parametrize(
    ("header", "is_found"),
    [
        # the new line was made of the removed one, so what is left out has no part in the change
        ("@@", True),
        ("@@ def f(first):", True),
        ("@@ -1,4 +1,4 @@", True),
        # it is counted as context
        ("@@ -1,5 +1,5 @@", True),
        # it is counted as a removed line; or a line more is, that is not there
        ("@@ -1,5 +1,4 @@", False),
        ("@@ -1,6 +1,5 @@", False),
    ],
)
def test_a_line_that_is_left_out_next_to_a_removed_one(header: str, is_found: bool) -> None:
    hunk = " def f(first):\n     total = 0\n-        total += one\n+        total += 2 * one\n     return total\n"
    result = patch(LINES, f"{header}\n{hunk}")
    fixes = [edit.fixes for edit in result.edits]
    assert fixes == ([("line 3, `for one in first:`, is left out of the context",)] if is_found else [])
    assert (result.ok, result.content) == (is_found, EDITED if is_found else LINES)


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        ("zero\none\ntwo\nthree\n", "@@\n zero\n-one\n three\n"),
        ("zero\none\ntwo\nthree\n", "@@\n zero\n-two\n three\n"),
        # with a new line for it
        ("m\none = 1\ntwo = 1\nend\nz\n", "@@\n m\n-two = 1\n+one = 2\n+two = 2\n end\n z\n"),
        ("m\none = 1\ntwo = 1\nend\nz\n", "@@ -1,5 +1,5 @@\n m\n-two = 1\n+one = 2\n+two = 2\n end\n z\n"),
        ("on:\n  a:\n  b:\n    - c\n  d:\nz\n", "@@ -2,4 +2,2 @@\n   a:\n-  b:\n   d:\n"),
        # counts say that a line is to be removed, and none is left out next to those that are
        ("a\nb\nc\nd\ne\n", "@@ -1,5 +1,3 @@\n a\n c\n-d\n e\n"),
        # the last line is gone, and the lines before it are all there; or one of those is written twice
        ("d\ns(p)\ns(p)\n", "@@ -1,4 +1,4 @@\n-d\n s(p)\n s(p)\n+s(p)\n+s(p)  # i\n-s(p)\n"),
        ("s(p)\ns(p)\nd\n", "@@ -1,4 +1,4 @@\n-s(p)\n+s(p)  # i\n s(p)\n s(p)\n-d\n"),
    ],
)
def test_a_line_that_may_be_removed_or_not(file: str, hunk: str) -> None:
    result = patch(file, hunk)
    assert (result.content, outcome(result)) == (file, ["not_found"])


#: The lines 3 and 4 are changed in what follows, and one next to them is left out.
WORDS = "start\nbefore it\ncount = 1\ntotal = 20\nbehind it\nlast\nend\n"


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # as many new lines as removed ones, each made of its own
        (
            " start\n-count = 1\n-total = 20\n+count = 2\n+total = 21\n behind it\n",
            "start\nbefore it\ncount = 2\ntotal = 21\nbehind it\nlast\nend\n",
        ),
        (
            " before it\n-count = 1\n+count = 2\n-total = 20\n+total = 21\n last\n",
            "start\nbefore it\ncount = 2\ntotal = 21\nbehind it\nlast\nend\n",
        ),
        # between two changes
        (
            " start\n-before it\n+before all\n-total = 20\n+total = 21\n behind it\n",
            "start\nbefore all\ncount = 1\ntotal = 21\nbehind it\nlast\nend\n",
        ),
        # the header counts it as context: nothing else is removed
        (
            "@@ -2,5 +2,4 @@\n before it\n count = 1\n-total = 20\n last\n",
            "start\nbefore it\ncount = 1\nbehind it\nlast\nend\n",
        ),
        # or the hunk has such a line as a new one, but it is nothing but signs, or is counted as context
        ("@@ -3,5 +3,6 @@\n count = 1\n behind it\n last\n-end\n+ends\n+total = 20\n", None),
    ],
)
def test_a_line_that_is_left_out_next_to_lines_that_have_become_others(hunk: str, content: str | None) -> None:
    content = content or "start\nbefore it\ncount = 1\ntotal = 20\nbehind it\nlast\nends\ntotal = 20\n"
    text = hunk if hunk.startswith("@@") else f"@@\n{hunk}"
    result = patch(WORDS, text)
    assert (result.content, [edit.strategy for edit in result.edits]) == (content, ["fuzzy"])
    assert "is left out of the context" in result.edits[0].fixes[0]


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        # one more new line, or one less: it may belong behind what is left out, or take its place
        (WORDS, "@@\n before it\n-count = 1\n+count = 2\n+other\n behind it\n"),
        (WORDS, "@@ -2,4 +2,5 @@\n before it\n-count = 1\n+count = 2\n+other\n behind it\n"),
        (WORDS, "@@\n start\n-count = 1\n-total = 20\n+count = 2\n behind it\n"),
        # another line, which may be behind what is left out
        (WORDS, "@@\n before it\n-count = 1\n+go(now)\n behind it\n"),
        (WORDS, "@@ -2,4 +2,4 @@\n before it\n-count = 1\n+go(now)\n behind it\n"),
        # the new line is like what is left out, too
        ("a\nimport one\nimport two\nb\n", "@@\n a\n-import one\n+import tow\n b\n"),
        ("a\nimport one\nimport two\nb\n", "@@\n a\n-import two\n+import tow\n b\n"),
        # or was made of both
        ("a\ngo(first,\n   second)\nb\n", "@@\n a\n-go(first,\n+go(first, second)\n b\n"),
        ("a\ngo(first\n)\nb\n", "@@\n a\n-go(first\n+go(first)\n b\n"),
        # it may be moved behind it, into what that opens
        ("a\n  go(one)\n  if x:\nb\n", "@@\n a\n-  go(one)\n+    go(one)\n b\n"),
        ("a\n  go(one)\n  if x:\nb\n", "@@\n a\n-  go(one)\n+    go(two)\n b\n"),
        # new lines before the removed ones
        (WORDS, "@@\n before it\n+count = 2\n-count = 1\n behind it\n"),
    ],
)
def test_what_is_left_out_may_have_a_part_in_the_change(file: str, hunk: str) -> None:
    result = patch(file, hunk)
    assert (result.content, outcome(result)) == (file, ["not_found"])


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        ("x\n{\n}\na\nb\n", "@@\n x\n {\n a\n-b\n+c\n+}\n", "x\n{\n}\na\nc\n}\n"),
        ("x\n{\nm\na\nb\n", "@@\n x\n {\n a\n-b\n+c\n+m\n", None),
        # a blank line of the file is next to the change, so that what is left out beyond it is not
        ("m\n\na\nb\n", "@@\n \n \n-a\n+A\n b\n", "m\n\nA\nb\n"),
        ("m\na\nb\n", "@@\n \n-a\n+A\n b\n", None),
        ("a\nb\n\nm\n", "@@\n a\n-b\n+B\n+c\n \n \n", "a\nB\nc\n\nm\n"),
        ("a\nb\n\nm\n", "@@\n a\n b\n+c\n \n \n", "a\nb\nc\n\nm\n"),
        ("a\nb\nm\n", "@@\n a\n b\n+c\n \n", None),
    ],
)
def test_what_is_left_out_away_from_the_change(file: str, hunk: str, content: str | None) -> None:
    result = patch(file, hunk)
    expected = (file, ["not_found"]) if content is None else (content, ["applied"])
    assert (result.content, outcome(result)) == expected


def test_equal_hunks_with_a_wrong_line_are_looked_for_once() -> None:
    hunk = "@@\n     totla = 0\n     for one in first:\n-        total += one\n"
    result = patch(LINES, hunk * 2)
    assert outcome(result) == ["applied", "noop"]
    assert [edit.fixes for edit in result.edits] == [("context `totla = 0` is taken for line 2, `total = 0`",), ()]


def test_the_search_for_a_wrong_line_has_a_budget() -> None:
    for hunk in (" x\n x\n yy\n-y\n", "-yy\n x\n x\n x\n"):
        file = "x\n" * 60_000
        assert outcome(apply_patch(file, f"@@\n{hunk}")) == ["not_found"]


@pytest.mark.parametrize("mark", ["–", "—", "−", "\u2010"])
def test_typographic_dashes_and_blanks_are_like_plain_ones(mark: str) -> None:
    assert patch("a - b\nc\n", f"@@\n a {mark} b\n-c\n+d\n").content == "a - b\nd\n"
    assert patch(f"a {mark} b\nc\n", "@@\n a - b\n-c\n+d\n").content == f"a {mark} b\nd\n"
    result = patch("a - b\nc\n", f"@@\n-a{chr(160)}{mark}{chr(0x202F)}b\n+d\n")
    assert (result.content, result.edits[0].strategy) == ("d\nc\n", "condensed")


# --- parts about the same file


def parts(original: str, text: str) -> DiffResult:
    """The result of a patch whose parts build on each other, the same for every chunking."""
    expected = run(partial(PatchStream, original), [text])
    for chunks in chunkings(text):
        assert run(partial(PatchStream, original), chunks) == expected
    return expected[1]


HEADER = "--- a/f\n+++ b/f\n"


@pytest.mark.parametrize(
    ("hunks", "content", "outcomes"),
    [
        # what the first wrote
        (["@@ -1 +1 @@\n-a\n+A\n", "@@ -1 +1 @@\n-A\n+1\n"], "1\nb\nc\nb\n", ["applied"] * 2),
        # the number is that of a line in what the first made of the file
        (["@@ -1 +1,2 @@\n-a\n+A\n+n\n", "@@ -5 +5 @@\n-b\n+B\n"], "A\nn\nb\nc\nB\n", ["applied"] * 2),
        (["@@ -1 +1,2 @@\n a\n+n\n", "@@ -5,0 +6 @@\n+m\n"], "a\nn\nb\nc\nb\nm\n", ["applied"] * 2),
        # the original is meant, or nothing that is there
        (["@@ -1 +1 @@\n-a\n+A\n", "@@ -1,3 +1,3 @@\n a\n b\n-c\n+C\n"], "A\nb\nC\nb\n", ["applied"] * 2),
        (["@@ -1 +1 @@\n-a\n+A\n", "@@ -1 +1 @@\n-a\n+2\n"], "A\nb\nc\nb\n", ["applied", "not_found"]),
        # new lines that wait for their place
        (["@@ -2,0 +3 @@\n+n\n@@ -3 +4 @@\n-c\n+C\n", "@@ -4 +4 @@\n-C\n+1\n"], "a\nb\nn\n1\nb\n", ["applied"] * 3),
        # a third part
        (["@@\n-a\n+A\n", "@@\n-A\n+1\n", "@@\n-1\n+2\n"], "2\nb\nc\nb\n", ["applied"] * 3),
    ],
)
def test_a_later_part_is_about_what_the_earlier_ones_made(hunks: list[str], content: str, outcomes: list[str]) -> None:
    result = parts("a\nb\nc\nb\n", "".join(HEADER + hunk for hunk in hunks))
    assert (result.content, outcome(result)) == (content, outcomes)


def test_a_file_is_made_and_changed() -> None:
    text = "*** Begin Patch\n*** Add File: f\n+a\n+b\n*** Update File: f\n@@\n-a\n+A\n*** End Patch\n"
    assert parts("", text).content == "A\nb\n"


MAIL = """\
From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
From: Jo <jo@example.com>
Subject: [PATCH {number}/2] {number}

- a list
--- and no file
@@ -1 +1 @@
-no change
---
 f | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/f b/f
index 1..2 100644
--- a/f
+++ b/f
@@ -1,2 +1,2 @@
-{old}
+{new}
 c
--\x20
2.39.5

"""


def test_several_mails() -> None:
    text = MAIL.format(number=1, old="a", new="b") + MAIL.format(number=2, old="b", new="d")
    assert (parts("a\nc\n", text).content, parts("a\nc\n", text).ok) == ("d\nc\n", True)
    cut = parts("a\nc\n", text[: text.rindex("@@")])
    assert (cut.content, outcome(cut)) == ("b\nc\n", ["applied", "truncated"])


# --- no header at all


@pytest.mark.parametrize(
    ("file", "text", "content"),
    [
        ("a\nb\nc\n", " a\n-b\n+B\n", "a\nB\nc\n"),
        ("a\nb\nc\n", " a\n-b\n+B\n@@\n-c\n+C\n", "a\nB\nC\n"),
        ("a\n\nb\n", " a\n\n-b\n+B\n", "a\n\nB\n"),
        ("a\nb\nc\n", "```diff\n a\n-b\n+B\n```\nThat was it.\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "```\nprose\n```\n\n```\n-b\n+B\n```\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "*** Begin Patch\n-b\n+B\n*** End Patch\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "Done:\n*** Begin Patch\n-b\n+B\n*** End Patch\n-c\n", "a\nB\nc\n"),
        ("", "+a\n+b\n", "a\nb\n"),
        # prose
        ("a\nb\nc\n", "- first\n- second\n@@\n-b\n+B\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "I do this:\n-b\n+B\n", None),
        ("a\nb\nc\n", "-b\n+B\nand that is it\n", None),
        ("a\nb\nc\n", " b\n c\n", None),
        ("- b\nc\n", "- b\n", None),
    ],
)
def test_a_hunk_without_any_header(file: str, text: str, content: str | None) -> None:
    result = patch(file, text)
    assert (result.ok, result.content) == (content is not None, content or file)
    stream = DiffStream(file)
    stream.feed(text)
    assert (stream.finalize().content, stream.kind == "patch") == (content or file, content is not None)


def test_a_heading_directly_behind_its_mark() -> None:
    text = "*** Begin Patch\n*** Update File: f\n@@def g():\n-  x\n+  y\n*** End Patch\n"
    bare = "--- a/f\n+++ b/f\n@@def g():\n-  x\n+  y\n"
    for one in (text, bare):
        assert patch("def f():\n  x\ndef g():\n  x\n", one).content == "def f():\n  x\ndef g():\n  y\n"
    # behind other lines it is context without its blank
    ruby = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n # A\n@@count = 0\n-x\n+y\n"
    assert patch("# A\n@@count = 0\nx\n", ruby).content == "# A\n@@count = 0\ny\n"
    assert outcome(patch("x\n", "@@ -1 +1 @@\n-x\n+y\n@@john: done\n")) == ["applied"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("@@a\n-b\n+c\n", "a\nc\nd\n"),
        ("So:\n\n```diff\n@@a\n b\n+c\n```\n", "a\nb\nc\nd\n"),
        ("@@a\n-b\n+c\n@@c\n-d\n+e\n", "a\nc\ne\n"),
        ("@@a\n@@b\n-d\n+e\n", "a\nb\ne\n"),
        ("@@a\n\n@@b\n-d\n+e\n", "a\nb\ne\n"),
        ("@@a\n\n@@ b\n-d\n+e\n", "a\nb\ne\n"),
        ("@@john\n d\n@@ -2 +2 @@\n-b\n+c\n", "a\nc\nd\n"),
        ("@@john\n@@ -2 +2 @@\n-b\n+c\n", "a\nc\nd\n"),
        ("@@john,\n--- a/f\n+++ b/f\n@@ -2 +2 @@\n-b\n+c\n", "a\nc\nd\n"),
        # an address or a decorator
        ("@@john\n- b is gone\n", None),
        ("@@john\n  said:\nThis is it.\n-b\n", None),
        ("@@john\n\n-b\n", None),
        ("It is @@a\n-b\n+c\n", None),
        ("@@a\n", None),
    ],
)
def test_a_heading_directly_behind_its_mark_without_any_file(text: str, content: str | None) -> None:
    assert patch("a\nb\nd\n", text).content == (content or "a\nb\nd\n")
    stream = DiffStream("a\nb\nd\n")
    stream.feed(text)
    assert (stream.finalize().content, stream.kind) == (content or "a\nb\nd\n", "patch" if content else None)
    diff = text + block("b\n", "x\n")
    assert apply_search_replace("a\nb\nd\n", diff).ok == (content is None)


def test_a_heading_directly_behind_its_mark_is_not_forgotten() -> None:
    for between in ("\n", "\n\n"):
        for second in ("@@    def desired():", "@@     def desired():"):
            text = f"@@class Target:{between}{second}\n-        x = 1\n+        x = 3\n"
            assert outcome(patch(CLASSES, text)) == ["not_found"]
            assert places(patch(CLASSES, text.replace("Target", "Other"))) == [3]


@pytest.mark.parametrize(
    ("body", "content"),
    [
        ("+n\n", "a\nb\nn\n"),
        ("@@\n+n\n", "a\nb\nn\n"),
        ("@@\n-a\n+A\n@@\n+n\n", "A\nb\nn\n"),
        ("@@\n+n\n@@\n-a\n+A\n", None),  # it seems to belong before the next
        ("@@\n+n\n*** Update File: f\n@@\n-a\n+A\n", "A\nb\nn\n"),
    ],
)
def test_new_lines_alone_belong_at_the_end_of_the_file(body: str, content: str | None) -> None:
    text = f"*** Begin Patch\n*** Update File: f\n{body}*** End Patch\n"
    result = parts("a\nb\n", text)
    assert (result.ok, result.content if result.ok else None) == (content is not None, content)
    assert outcome(patch("a\nb\n", "@@\n+n\n")) == ["empty_search"]


@pytest.mark.parametrize(
    "first", ["@@ -1,6 +1,6 @@\n a\n ...\n d\n-e\n+E\n", "@@ -1,4 +1,4 @@\n a\n ...\n d\n-e\n+E\n"]
)
def test_lines_for_dots_do_not_move_the_hunks_behind_them(first: str) -> None:
    lines = ["a", "b1", "b2", "b3", "d", "e", *(f"l{number}" for number in range(7, 20)), "x", "m", "x", "z"]
    file = "".join(f"{line}\n" for line in lines)
    lines[5], lines[19] = "E", "y"
    assert patch(file, first + "@@ -20 +20 @@\n-x\n+y\n").content == "".join(f"{line}\n" for line in lines)
    lines[19:20] = ["x", "new"]
    assert patch(file, first + "@@ -20,0 +21 @@\n+new\n").content == "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("hunks", "outcomes"),
    [
        # the second is found before the first, by signs alone, or by lines that the file has twice
        ("@@\n-y\n+Y\n@@\n-});\n+};\n \n", ["applied", "applied", "ambiguous"]),
        ("@@\n-y\n+Y\n@@\n k(\n-  a\n+  A\n", ["applied", "applied"]),
        ("@@\n-y\n+Y\n@@\n k(\n   a\n-});\n+};\n", ["applied", "applied"]),
        # in order, by number, or below a heading
        ("@@\n-});\n+};\n \n@@\n-y\n+Y\n", ["applied", "applied"]),
        ("@@ -10 +10 @@\n-y\n+Y\n@@ -3 +3 @@\n-});\n+};\n", ["applied", "applied"]),
        ("@@\n-y\n+Y\n@@ k(\n-});\n+};\n", ["applied", "applied"]),
        # the first is found behind the second
        ("@@\n-};\n+]\n@@\n-  a\n+  A\n", ["applied", "applied", "ambiguous"]),
    ],
)
def test_hunks_without_numbers_in_another_order(hunks: str, outcomes: list[str]) -> None:
    result = patch("k(\n  a\n});\n\nx\nk(\n  b\n};\n\ny\n", update(hunks))
    assert outcome(result) == outcomes
    for failure in result.failures:
        assert "but the hunks are written in another order, and it has no old line with a word" in failure.message


@pytest.mark.parametrize(
    ("end", "hunk", "content"),
    [
        # besides a misspelt line of context, a blank line is to be removed that the file does not have, or has
        ("", " the frist line\n-x = 1\n+x = 2\n end\n-\n", None),
        ("\n", " the frist line\n-x = 1\n+x = 2\n end\n-\n", "the first line\nx = 2\nend\n"),
        ("", "-\n the frist line\n-x = 1\n+x = 2\n end\n", None),
    ],
)
def test_a_blank_line_to_be_removed_in_a_hunk_with_a_misspelt_line(end: str, hunk: str, content: str | None) -> None:
    file = f"the first line\nx = 1\nend\n{end}"
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "not_found"])
    assert [failure.message[:53] for failure in result.failures] == (
        [] if content else ["The 4 lines to be replaced are not in the file. The n"]
    )


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # the header counts one more line of context: it may be next to a removed one, but not between two
        (" a\n-b\n d\n e\n", "a\nc\nd\ne\n"),
        (" a\n b\n-d\n e\n", "a\nb\nc\ne\n"),
        (" a\n-b\n-d\n e\n", None),
    ],
)
def test_a_line_that_is_left_out_between_two_removed_ones(hunk: str, content: str | None) -> None:
    file = "a\nb\nc\nd\ne\n"
    result = patch(file, f"@@ -1,5 +1,{5 - hunk.count('-')} @@\n{hunk}")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "not_found"])
    hint = "The nearest text is at lines 1 to 5, where line 3, `c`, is left out."
    assert [hint in failure.message for failure in result.failures] == ([] if content else [True])


def test_a_hunk_in_which_no_line_has_a_mark_is_not_all_prose() -> None:
    result = patch("a\nb\n", "@@ -1,2 +1,2 @@\nfoo\nbar\n")
    assert (result.content, outcome(result)) == ("a\nb\n", ["not_found"])


def test_a_byte_order_mark_before_lines_that_are_not_at_the_top() -> None:
    file = "\ufeffx\na\nb\n"
    for line, content, expected in (("a", file, "not_found"), ("x", "c\na\nb\n", "applied")):
        result = patch(file, f"@@\n-\ufeff{line}\n+c\n")
        assert (result.content, outcome(result)) == (content, [expected])


@pytest.mark.parametrize(
    ("second", "is_certain"),
    [("@@ -5,2 +5,2 @@\n q\n-r\n+R\n", False), ("@@ -6 +6 @@\n-r\n+R\n", True)],
)
def test_a_number_has_chosen_lines_that_another_hunk_has_which_is_elsewhere_by_its_own(
    second: str, is_certain: bool
) -> None:
    file = "p\nq\nr\n4\n5\n6\n7\n8\n9\np\nq\n12\n"
    result = patch(file, f"@@ -1,2 +1,2 @@\n-p\n+P\n q\n{second}")
    assert outcome(result) == ["applied", "applied", *([] if is_certain else ["ambiguous"])]
