"""Patches as models write them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from streamparse import ParserStateError
from streamparse.diff import DiffError, PatchStream, apply_patch, detect, patch_paths
from streamparse.diff.elsewhere import are_next_to
from streamparse.diff.header_names import LONGEST, path_in
from streamparse.diff.index import FileIndex
from streamparse.diff.place import Place
from tests.diff.kit import outcome, patch, tree, update, work

FILE = "import os\n\ndef f(x):\n    y = x\n    return y\n\ndef g(x):\n    y = x\n    return y * 2\n"
EDITED = FILE.replace("return y * 2", "return y * 3")
HUNK = "     y = x\n-    return y * 2\n+    return y * 3\n"


@pytest.mark.parametrize(
    "header",
    [
        "--- a/f.py\n+++ b/f.py\n@@ -8,2 +8,2 @@\n",
        "diff --git a/f.py b/f.py\nindex 123..456 100644\n--- a/f.py\n+++ b/f.py\n@@ -8,2 +8,2 @@ def g(x):\n",
        "--- f.py\t2024-01-01\n+++ f.py\t2024-01-02\n@@ -8,2 +8,2 @@\n",
        "@@ -8,2 +8,2 @@\n",
        "@@ -1,2 +1,2 @@\n",  # wrong numbers
        "@@ -999,2 +999,2 @@\n",
        "@@ -8,20 +8,1 @@\n",  # wrong counts
        "@@ -8,1 +8,20 @@\n",
        "@@ -8 +8 @@\n",
        "@@ @@\n",
        "@@\n",
        "@@ ... @@\n",
        "@@ def g(x):\n",
        "@@ def nothing():\n",
        "--- a/f.py\n+++ b/f.py\n",  # no @@ at all
        "Here it is:\n\n```diff\n--- a/f.py\n+++ b/f.py\n@@ @@\n",
        "*** Begin Patch\n*** Update File: f.py\n@@ def g(x):\n",
        "*** Begin Patch\n*** Update File: f.py\n@@\n",
        "*** Begin Patch\n*** Update File: f.py\n",
        "\ufeff@@\n",
    ],
)
@pytest.mark.parametrize("behind", ["", "\n", "```\n", "\nThat is all.\n", "\n\n\n"])
def test_headers_come_in_many_shapes(header: str, behind: str) -> None:
    if "Begin" in header:
        behind = "*** End Patch\n" + behind
    result = patch(FILE, header + HUNK + behind)
    assert (result.content, outcome(result)) == (EDITED, ["applied"])
    assert (result.edits[0].start_line, result.edits[0].end_line) == (9, 9)


@pytest.mark.parametrize(
    ("header", "is_complete"),
    [
        ("@@ -8,2 +8,2 @@", True),
        ("@@ -1,2 +1,2 @@ def g(x):", True),
        ("@@ -8 +8 @@", True),
        ("@@ -8,3 +8,2 @@", False),  # a line that is removed, as far as anyone can tell
        ("@@ -8,2 +8,3 @@", False),
        ("@@", False),
        ("@@ def g(x):", False),
    ],
)
def test_a_mails_signature_ends_a_hunk_that_has_all_of_its_lines(header: str, is_complete: bool) -> None:
    result = patch(FILE, f"{header}\n{HUNK}-- \n2.39.5\n")
    assert (result.content, outcome(result)) == ((EDITED, ["applied"]) if is_complete else (FILE, ["not_found"]))


@pytest.mark.parametrize(
    ("original", "hunk", "content"),
    [
        ("a\nb\nc\n", " a\n-b\n+B\n c\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "-b\n", "a\nc\n"),
        ("a\nb\nc\n", " a\n+x\n+y\n b\n", "a\nx\ny\nb\nc\n"),
        ("a\nb\nc\n", "+x\n a\n", "x\na\nb\nc\n"),
        ("a\nb\nc\n", " c\n+x\n", "a\nb\nc\nx\n"),
        ("a\nb\nc\n", "-a\n-b\n-c\n", ""),
        ("a\nb\nc\nd\n", "-a\n+A\n b\n-c\n+C\n", "A\nb\nC\nd\n"),
        # a blank line of context without its blank, trailing blanks
        ("a\n\nb\n", " a\n\n-b\n+B\n", "a\n\nB\n"),
        ("a  \n\t\nb\n", " a\n\n-b\n+B\n", "a  \n\t\nB\n"),
        ("a\nb\n", " a  \n-b\t\n+B\n", "a\nB\n"),
        # other blank lines and quotes
        ("a\n\n\nb\nc\n", " a\n-b\n+B\n", "a\n\n\nB\nc\n"),
        ("a\nb\nc\n", " a\n \n-b\n+B\n", "a\nB\nc\n"),
        ("a\nb\nc\n", "-a\n+A\n \n-b\n+B\n", "A\nB\nc\n"),
        ("a\n\nb\n\nc\n", " a\n-b\n c\n", "a\n\n\nc\n"),
        ("“a”\nb\n", ' "a"\n-b\n+B\n', "“a”\nB\n"),
        # indentation
        ("\tif x:\n\t\ta\n", " if x:\n-    a\n+    b\n+        c\n", "\tif x:\n\t\tb\n\t\t\tc\n"),
        # endings
        ("a\r\nb\r\nc\r\n", " a\n-b\n+B\n+C\n", "a\r\nB\r\nC\r\nc\r\n"),
        ("a\nb\nc\n", " a\r\n-b\r\n+B\r\n", "a\nB\nc\n"),
        ("a\r\nb\nc\n", " a\r\n-b\n+B\r\n c\n", "a\r\nB\r\nc\n"),  # it says exactly what it means
        ("a\r\nb\r\n", " a\r\n \r\n-b\r\n+c\r\n", "a\r\nc\r\n"),  # it has a line that the file has not
        ("a\nb\r\nc\n", "-a\n-b\n+A\n+B\n+C\n", "A\nB\r\nC\r\nc\n"),
        ("a\r\nb\nc\n", "-a \n b\n+n\n", "b\nn\nc\n"),  # like the line before, not like one that was removed elsewhere
        ("a\rb\rc\r", " a\n-b\n+B\n+D\n", "a\rB\rD\rc\r"),
        ("\ufeffa\nb\n", "-a\n+A\n", "\ufeffA\nb\n"),
        # lines that look like something else
        ("-- x\ny\n", "--- x\n+++ z\n y\n", "++ z\ny\n"),
        ("a\n@@ b\n", " a\n-@@ b\n+@@ c\n", "a\n@@ c\n"),
        ("a\n*** End Patch\n", " a\n-*** End Patch\n+b\n", "a\nb\n"),
    ],
)
def test_what_is_written(original: str, hunk: str, content: str) -> None:
    result = patch(original, f"@@\n{hunk}")
    assert (result.content, result.ok) == (content, True)
    assert outcome(result) == ["applied"]


NO_NEWLINE = "\\ No newline at end of file\n"


@pytest.mark.parametrize(
    ("original", "hunk", "content"),
    [
        ("a\nb", f" a\n-b\n{NO_NEWLINE}+c\n{NO_NEWLINE}", "a\nc"),
        ("a\nb", f" a\n-b\n{NO_NEWLINE}+b\n", "a\nb\n"),
        ("a\nb\n", f" a\n-b\n+b\n{NO_NEWLINE}", "a\nb"),
        ("a\nb", f" a\n-b\n{NO_NEWLINE}+b\n+c\n{NO_NEWLINE}", "a\nb\nc"),
        ("a\nb", f"-a\n+A\n b\n{NO_NEWLINE}", "A\nb"),
        ("a\nb", " a\n-b\n+c\n", "a\nc"),  # nothing is said: it stays as it is
        ("a\nb\n", " a\n-b\n+c\n", "a\nc\n"),
        ("a\nb", " a\n b\n+c\n", "a\nb\nc"),
        ("a\r\nb", " a\n b\n+c\n", "a\r\nb\r\nc"),
        ("a", " a\n+b\n", "a\nb"),
        ("a\nb", "-b\n", "a\n"),
        ("a\nb\nc", " a\n b\n-c\n", "a\nb\n"),
        ("a\nb\nc", "-a\n b\n-c\n", "b\n"),  # what stays keeps its end
        ("a\nb\r\nc", f"-a\n+A\n b\r\n-c\n{NO_NEWLINE}", "A\nb\r\n"),
        ("a\nb\r\nc", "-a\n+A\n b\r\n-c\n", "A\nb\r\n"),
        ("a\nb\nc\n", f"-a\n b\n{NO_NEWLINE}-c\n", "b"),
        ("a\nb\nc", "-a\n b\n-c\n+C\n", "b\nC"),
        ("a\nb\na\n", f"-a\n{NO_NEWLINE}+c\n{NO_NEWLINE}", "a\nb\nc"),  # it can only be the last line
        ("", f"+a\n{NO_NEWLINE}", "a"),
        ("", f"{NO_NEWLINE}+a\n", "a\n"),
        ("a\nb\n", f"-a\n+c\n{NO_NEWLINE} b\n", "c\nb\n"),
    ],
)
def test_the_newline_at_the_end(original: str, hunk: str, content: str) -> None:
    result = patch(original, f"@@\n{hunk}")
    assert (result.content, result.ok) == (content, True)


# --- several places


TWICE = "def f():\n    x\n\ndef g():\n    x\n    x\n"


@pytest.mark.parametrize(
    ("header", "content"),
    [
        ("@@ -2 +2 @@", "def f():\n    y\n\ndef g():\n    x\n    x\n"),
        ("@@ -6 +6 @@", "def f():\n    x\n\ndef g():\n    x\n    y\n"),
        ("@@ -9 +9 @@ def f():", None),
        ("@@ -10 +10 @@ def f():", "def f():\n    y\n\ndef g():\n    x\n    x\n"),
        ("@@ -5 +5 @@ def f():", None),
        ("@@ def f():", "def f():\n    y\n\ndef g():\n    x\n    x\n"),
        ("@@ -6 +6 @@ def g():", "def f():\n    x\n\ndef g():\n    x\n    y\n"),
        ("@@ def g():", None),
        ("@@", None),
        ("@@ -4 +4 @@", None),
        ("@@ def h():", None),
    ],
)
def test_numbers_and_headings_choose_among_several_places(header: str, content: str | None) -> None:
    result = patch(TWICE, f"{header}\n-    x\n+    y\n")
    assert result.content == (content or TWICE)
    assert outcome(result) == ["applied" if content else "ambiguous"]


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("@@ -4 +4 @@ b", 4),  # the number is right, and git's heading is the last line that begins with a letter
        ("@@ -6 +6 @@ b", 6),
        ("@@ -12 +12 @@ a", 8),  # it is above only one of the places
        ("@@ -4 +4 @@ a", None),  # another place is near the number
        ("@@ -9 +9 @@ b", None),
    ],
)
def test_a_number_and_a_heading_that_agree(header: str, line: int | None) -> None:
    result = patch("b\n  (\n}\n (\n}\n (\na\n  (\n", f"{header}\n-\t(\n+\t(x\n")
    assert [edit.start_line for edit in result.edits] == ([] if line is None else [line])


@pytest.mark.parametrize("line", ["b", "_b", "$b", "b" * 60, "b" * 70])
def test_what_git_takes_for_a_heading(line: str) -> None:
    result = patch(f"{line}\n  (\n}}\n (\n}}\n (\n", f"@@ -4 +4 @@ {line[:60]}\n-\t(\n+\t)\n")
    assert [edit.start_line for edit in result.edits] == [4]


def test_the_heading_of_git_stands_above_the_hunk() -> None:
    result = patch("a\n  x\nc\na\n x\nc\n x\n", "@@ -5 +5 @@ a\n-\tx\n+\ty\n")
    assert [edit.start_line for edit in result.edits] == [5]


def test_a_number_is_that_of_the_first_line_of_context() -> None:
    result = patch("a\nx\n" * 3, "@@ -3,2 +3,2 @@\n a\n-x\n+y\n")
    assert [edit.start_line for edit in result.edits] == [4]


def test_headings_in_a_row_and_long_ones() -> None:
    original = "class A:\n    def f():\n        x\nclass B:\n    def f():\n        x\n"
    edited = "class A:\n    def f():\n        x\nclass B:\n    def f():\n        y\n"
    assert patch(original, "@@ class B:\n@@ def f():\n-        x\n+        y\n").content == edited
    long = "def f(" + ", ".join(f"argument{number}" for number in range(10)) + "):"
    original = f"{long}\n    x\ndef g():\n    x\n"
    assert patch(original, f"@@ -9 +9 @@ {long[:80]}\n-    x\n+    y\n").content == f"{long}\n    y\ndef g():\n    x\n"


@pytest.mark.parametrize("size", [59, 60, 61])
def test_a_heading_may_be_cut_off_if_it_is_long(size: int) -> None:
    heading = "def f(" + "x" * 60
    original = f"{heading}2():\n    x\n{heading}1():\n    x\n{'y' * 70}\n    x\n"
    result = patch(original, f"@@ {heading[:size]}\n-    x\n+    y\n")
    assert result.failures[0].lines == ((2, 4) if size >= 60 else (2, 4, 6))


def test_headings_stand_for_their_blocks() -> None:
    original = "if a:\n  x\n\n  if a:\n    x\n  x\ny\nx\n  if a:\n    x\n"
    for text, lines in (("@@ if a:", (2, 5, 6, 10)), ("@@ x\n@@ if a:", (10,)), ("@@ nothing", (2, 5, 6, 8, 10))):
        result = patch(original, f"{text}\n-\tx\n+z\n")
        found = result.failures[0].lines if result.failures else (result.edits[0].start_line,)
        assert found == lines


@pytest.mark.parametrize("blank", [" ", "\t", "\xa0", "\u3000"])
def test_whatever_blanks_lines_are_indented_with_they_are_in_the_blocks_of_their_headings(blank: str) -> None:
    file = "".join(f"class {name}:\n{blank}def f():\n{blank * 2}x\n" for name in "AB")
    expected = file[: file.rindex("x")] + "y\n"
    for headings in ("class B:", "class B:\n@@ def f():", f"class B:\n@@ {blank}def f():"):
        assert patch(file, update(f"@@ {headings}\n-{blank * 2}x\n+{blank * 2}y\n")).content == expected
    # `class A:` is not in the block of `class B:`, and is not behind it
    assert outcome(patch(file, update(f"@@ class B:\n@@ class A:\n-{blank * 2}x\n+{blank * 2}y\n"))) == ["not_found"]
    assert patch(file, f"@@ -9 +9 @@ class B:\n-{blank * 2}x\n+{blank * 2}y\n").content == expected


def test_several_hunks_below_one_heading() -> None:
    original = "def f():\n  x\n  y\ndef g():\n  x\n  y\n"
    result = patch(original, "@@ def g():\n-  x\n+  1\n@@ def g():\n-  y\n+  2\n")
    assert (result.content, outcome(result)) == ("def f():\n  x\n  y\ndef g():\n  1\n  2\n", ["applied"] * 2)


def grows(text: Callable[[int], tuple[str, str]]) -> float:
    """How much more it takes to apply four times as much."""
    few, many = (partial(apply_patch, *text(size)) for size in (100, 400))
    return work(many) / work(few)


@pytest.mark.parametrize(
    "text",
    [
        # a heading for each hunk, one for all of them, and one that is nowhere
        lambda n: (
            "".join(f"def f{at}():\n  x\n\n" for at in range(n)),
            update("".join(f"@@ def f{at}():\n+  y\n" for at in range(n))),
        ),
        lambda n: (
            "".join(f"def f{at}():\n  x\n\n" for at in range(n)),
            "".join(f"@@ def f{at}():\n-x\n" for at in range(n)),
        ),
        lambda n: ("class A:\n" + " x\n" * n, "".join(f"@@ class A:\n@@ {at}\n-x\n" for at in range(n))),
        lambda n: ("x\n" * n, "".join(f"@@ {at}\n-x\n" for at in range(n))),
        lambda n: ("x:\n" * n, update("@@ x:\n+ y\n" * n)),
        # hunks that wait for their places, and others that must not take them
        lambda n: (
            "".join(f"{at}\n" for at in range(n)) * 2 + "".join(f"y{at}\n" for at in range(n)),
            "".join(f"@@\n-{at}\n@@\n-y{at}\n" for at in range(n)),
        ),
        lambda n: ("x\n" * 2 * n, "@@\n-x\n" * n),
        # a hunk that overlaps itself, also but for blank lines
        lambda n: ("x\n" * 2 * n, "@@\n" + " x\n" * n + "-x\n"),
        lambda n: ("x\n\n" * 2 * n, "@@\n" + " x\n" * n + "-x\n"),
        # as many places as headings
        lambda n: ("  def f():\n    x\n" * n, "@@ -3 +3 @@   def f():\n-    x\n+    y\n"),
        # lines that may be a patch that is indented as a whole
        lambda n: ("a\n", " x\n" * n),
        lambda n: ("x\n" * n + "y\n", " x\n" * n + "-y\n"),
    ],
)
def test_what_many_hunks_and_large_ones_cost(text: Callable[[int], tuple[str, str]]) -> None:
    assert grows(text) < 6


def test_the_end_of_the_file_is_a_place() -> None:
    envelope = "*** Begin Patch\n*** Update File: a\n@@\n{}*** End of File\n*** End Patch"
    assert patch("x\na\nx\n", envelope.format("-x\n+y\n")).content == "x\na\ny\n"
    assert patch("x\na\n", envelope.format("+y\n")).content == "x\na\ny\n"
    assert patch("x\na", envelope.format("+y\n")).content == "x\na\ny"


def test_equal_hunks_are_assigned_in_order() -> None:
    assert patch("x\na\nx\n", "@@\n-x\n+1\n@@\n-x\n+2\n").content == "1\na\n2\n"
    assert outcome(patch("x\na\nx\n", "@@\n-x\n+1\n")) == ["ambiguous"]


def test_hunks_below_different_headings_are_not_equal() -> None:
    result = patch("x\na\nx\n", "@@ u\n-x\n+1\n@@ v\n-x\n+2\n")
    assert (result.content, outcome(result)) == ("x\na\nx\n", ["ambiguous"] * 2)


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        # the same old lines, of which other ones are changed
        ("a\nb\nx\na\nb\n", "@@ -1,2 +1 @@\n-a\n b\n@@ -4,2 +3 @@\n a\n-b\n", "b\nx\na\n"),
        ("a\nb\nx\na\nb\n", "@@ -1,2 +1 @@\n-a\n b\n@@ -4,2 +3,0 @@\n-a\n-b\n", "b\nx\n"),
        # … or something is put in before them
        ("a\nb\nx\na\nb\n", "@@ -1,2 +1 @@\n a\n-b\n@@ -4,2 +3,2 @@\n a\n+n\n-b\n", "a\nx\na\nn\n"),
    ],
)
def test_hunks_with_equal_old_lines_and_other_changes(original: str, text: str, content: str) -> None:
    result = patch(original, text)
    assert (result.content, outcome(result)) == (content, ["applied"] * 2)


@pytest.mark.parametrize(("hunk", "line"), [("@@\n+n\n a:", 2), ("@@\n a:\n x\n+n", 4)])
def test_new_lines_next_to_lines_in_doubt_are_not(hunk: str, line: int) -> None:
    stream = PatchStream("x\na:\nx\n")
    events = stream.feed(f"*** Begin Patch\n*** Update File: f\n@@\n-x\n{hunk}\n@@\n")
    assert [(event.number, event.start_line) for event in events if event.type == "matched"] == [(2, line)]


def test_context_may_be_shared_but_changes_may_not() -> None:
    assert patch("a\nb\nc\n", "@@\n-a\n+A\n b\n@@\n b\n-c\n+C\n").content == "A\nb\nC\n"
    result = patch("a\nb\nc\n", "@@\n-a\n-b\n+A\n@@\n-b\n+B\n c\n")
    assert (result.content, outcome(result)) == ("A\nc\n", ["applied", "overlap"])
    result = patch("a\nb\n", "@@\n a\n+1\n@@\n+2\n b\n")
    assert (result.content, outcome(result)) == ("a\n1\nb\n", ["applied", "overlap"])
    assert "line 2" in result.failures[0].message


# --- hunks without old lines


@pytest.mark.parametrize(
    ("header", "content"),
    [
        ("@@ -0,0 +1 @@", None),  # nothing shows that the number is right
        ("@@ -1,0 +2 @@", None),
        ("@@ -2,0 +3 @@", "a\nb\nx\n"),  # but the end of the file does
        ("@@ -3,0 +4 @@", None),
        ("@@ a", None),
        ("@@ c", None),
        ("@@", None),
        ("@@ -1 +1 @@", None),
        ("@@ -1,2 +1,2 @@", None),
    ],
)
def test_where_new_lines_without_context_belong(header: str, content: str | None) -> None:
    result = patch("a\nb\n", f"{header}\n+x\n")
    assert result.content == (content or "a\nb\n")
    assert outcome(result) == ["applied" if content else "empty_search"]


@pytest.mark.parametrize("wrap", [update, "{}".format, "--- a/f\n+++ b/f\n{}".format])
@pytest.mark.parametrize(
    ("file", "headings"),
    [
        ("class A:\n    x\n", "@@ class A:"),  # behind the heading, or at the end of its block, or of the file
        ("class A:\n", "@@ class A:"),
        ("class A:\n    x\nb\n", "@@ class A: @@"),
        ("class A:\n  def f():\n    x\n", "@@ class A:\n@@ def f():"),
        ("class A:\n    x\n", "@@ class B:"),
        ("class A:\n    x\n", "@@ -1,2 +1,3 @@ class A:"),
    ],
)
def test_new_lines_below_a_heading_may_belong_anywhere_in_its_block(
    file: str, headings: str, wrap: Callable[[str], str]
) -> None:
    result = patch(file, wrap(f"{headings}\n+    y\n"))
    assert (result.content, outcome(result)) == (file, ["empty_search"])


@pytest.mark.parametrize(
    ("hunk", "expected"),
    [
        (update("@@\n+c\n"), "ambiguous"),
        (update("@@\n+b\n+c\n"), "ambiguous"),
        ("@@ -3,0 +4 @@\n+c\n", "ambiguous"),
        # no word, or not right there, or another hunk shows that the number is right
        (update("@@\n+}\n"), "applied"),
        (update("@@\n+b\n"), "applied"),
        ("@@ -1 +1 @@\n-a\n+A\n@@ -3,0 +4 @@\n+c\n", "applied"),
    ],
)
def test_new_lines_without_context_that_are_there_already(hunk: str, expected: str) -> None:
    assert outcome(patch("a\nb\nc\n", hunk))[-1] == expected
    if "}" in hunk:
        assert outcome(patch("a\nb\n}\n", hunk)) == ["applied"]


@pytest.mark.parametrize(
    ("at", "new", "expected"),
    [
        (1, ["a"], True),
        (1, ["b"], True),
        (1, ["a", "b"], False),
        (2, ["a", "b"], True),
        (3, ["x", "a", "b", "c"], False),
    ],
)
def test_lines_that_are_right_before_a_place_or_right_behind_it(at: int, new: list[str], expected: bool) -> None:
    assert are_next_to(FileIndex("a\nb\nc\n"), Place(at, at, ()), new) is expected


def test_the_ending_of_a_last_line_that_had_none() -> None:
    hunk = f"@@ -2 +2 @@\n-b\n{NO_NEWLINE}+b\n"
    assert patch("a\nb", hunk).content == "a\nb\n"
    assert patch("a\nb", hunk.replace("\n", "\r\n")).content == "a\nb\n"  # converted on its way
    assert patch("a\nb", hunk.replace("+b\n", "+b\r\n")).content == "a\nb\r\n"  # it says exactly what it means
    assert patch("b", hunk).content == "b\n"
    # a patch that may have been converted on its way, or not
    [failure] = patch("a\r\nb", hunk).failures
    assert (failure.reason, failure.lines, failure.message) == (
        "ambiguous",
        (2,),
        "The hunk changes how lines end, from line 2 on, and its old lines do not show which ends it means. "
        "Repeat it with a line before them as context, and with all old lines exactly as the file has them.",
    )
    assert patch("a\r\nb", f"@@ -1,2 +1,2 @@\n a\n-b\n{NO_NEWLINE}+b\n").content == "a\r\nb\r\n"
    assert patch("a\r\nb", f"@@ -1,2 +1,2 @@\n a\r\n-b\n{NO_NEWLINE}+b\n").content == "a\r\nb\n"
    # other hunks, even those of other files, show that it has not been
    assert patch("a\r\n\r\nb", f"@@ -1 +1 @@\n-a\r\n+A\r\n@@ -3 +3 @@\n-b\n{NO_NEWLINE}+b\n").content == "A\r\n\r\nb\n"
    assert patch("a\r\nb", f"--- f\n+++ f\n@@ -1 +1 @@\n-b\n{NO_NEWLINE}+b\n").ok is False
    other = "--- e\n+++ e\n@@ -1 +1 @@\n-x\r\n+y\r\n"
    both = patch("a\r\nb", f"{other}--- f\n+++ f\n@@ -2 +2 @@\n-b\n{NO_NEWLINE}+b\n", path="f")
    assert both.content == "a\r\nb\n"


def test_nothing_stands_behind_the_end_of_the_file() -> None:
    hunk = f"@@ -1,2 +1,3 @@\n a\n-b\n{NO_NEWLINE}+c\n{NO_NEWLINE}\nSo much for that.\n"
    assert patch("a\nb", hunk).content == "a\nc"
    new = f"--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n{NO_NEWLINE}\n"
    assert patch("", new).content == "a"


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        ("a\nb\r", f"@@ -1,2 +1,2 @@\n-a\n+A\n b\r\n{NO_NEWLINE}", "A\nb\r"),
        ("a\nb\r", f"@@ -2 +2 @@\n-b\r\n{NO_NEWLINE}+c\r\n{NO_NEWLINE}", "a\nc\r"),
        ("a\nb\r", f"@@ -2 +2 @@\n-b\r\n{NO_NEWLINE}+c\n{NO_NEWLINE}", "a\nc"),
        ("a\nb\r", f"@@ -2 +2,2 @@\n-b\r\n{NO_NEWLINE}+b\r\n+c\n", "a\nb\r\nc\n"),
        ("a\nb\r", "@@\n b\n+c\n", "a\nb\r\nc"),
        ("a\nb\r", "@@\n-b\n+c\n+d\n", "a\nc\nd"),
        ("a\r\nb\r", "@@\n-b\n+c\n+d\n", "a\r\nc\r\nd"),
        ("a\nb", f"@@ -2 +2 @@\n-b\n{NO_NEWLINE}+c\r\n{NO_NEWLINE}", "a\nc\r"),
        ("b\r", f"@@ -1 +1 @@\n-b\r\n{NO_NEWLINE}+c\r\n{NO_NEWLINE}", "c\r"),
        ("b\r", f"@@ -1 +1 @@\n-b\r\n{NO_NEWLINE}+c\n{NO_NEWLINE}", "c"),
        ("b\r", f"@@ -1 +1 @@\n-b\r\n{NO_NEWLINE}+c\r\n", "c\r\n"),
        ("", f"--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\r\n{NO_NEWLINE}", "a\nb\r"),
        # the line about that is without its own end: those before it show how the patch ends lines
        ("", f"--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\r\n{NO_NEWLINE[:-1]}", "a\nb\r"),
        ("", f"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\r\r\n{NO_NEWLINE[:12]}", "b\r\r"),
        ("", f"@@ -0,0 +1 @@\n+b\r\n{NO_NEWLINE[:-1]}\r", "b\r"),
        ("", f"+b\r\n{NO_NEWLINE[:-1]}", "b"),
        ("", f"+a\n+b\r\n{NO_NEWLINE[:-1]}", "a\nb\r"),
        ("", f"@@ -0,0 +1 @@\r\n+b\r\n{NO_NEWLINE[:-1]}", "b"),
        ("", f"@@ -0,0 +1 @@\n+b\r\n{NO_NEWLINE[:-1]}\r\n", "b"),
        # converted on its way: the file has no such end
        ("a\r\nb", f"@@ -2 +2 @@\n-b\r\n{NO_NEWLINE}+c\r\n{NO_NEWLINE}", "a\r\nc"),
        ("a\nb", f"@@ -2 +2 @@\n-b\n{NO_NEWLINE}+c\n{NO_NEWLINE}".replace("\n", "\r\n"), "a\nc"),
        ("", f"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n{NO_NEWLINE}".replace("\n", "\r\n"), "a"),
    ],
)
def test_a_return_behind_the_last_newline_ends_no_line(original: str, text: str, content: str) -> None:
    result = patch(original, text)
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_last_line_without_its_end_says_nothing_about_ends(end: str) -> None:
    text = "@@ -1,3 +1,3 @@\n-a\n+x\r\n b\r\n c"
    # `c` ends otherwise than it is written: then nothing says that the other ends are meant
    content = "x\r\nb\r\nc\n" if end != "\r\n" else "x\nb\r\nc\n"
    assert patch("a\nb\r\nc\n", text + end).content == content


@pytest.mark.parametrize(
    ("file", "text", "content"),
    [
        # no line of the file ends so, and not all of the hunk is right
        ("a\nb\n", "@@\n a\n+x\r\n b\n", None),
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\n+x\r\n b\n", None),
        ("a\nb\n", "@@ -2,2 +2,3 @@\n a\n+x\r\n b\n", None),
        ("a\nb\n", "@@\n a\n-b\n+x\r\n+y\n", None),
        ("a\r\nb\r\n", "@@\n a\r\n+x\n b\r\n", None),
        # all is right, as git writes it
        ("a\nb\n", "@@ -1,2 +1,3 @@\n a\n+x\r\n b\n", "a\nx\r\nb\n"),
        ("a\r\nb\r\n", "@@ -1,2 +1,3 @@\n a\r\n+x\n b\r\n", "a\r\nx\nb\r\n"),
        ("a\nb\n", "@@ -2,0 +3 @@\n+x\r\n", "a\nb\nx\r\n"),
        # lines of the file end so, or the new line ends as others do
        ("a\nb\nc\r\n", "@@\n a\n+x\r\n b\n", "a\nx\r\nb\nc\r\n"),
        ("a\nb\n", "@@\r\n a\r\n+x\r\n b\r\n", "a\nx\nb\n"),
        ("a\nb\n", "@@\n a \n+x\r\n b\n", "a\nx\nb\n"),
        ("", "@@\n+x\r\n", "x\r\n"),
        ("a", "@@\n-a\n+b\n+c\r\n", "b\nc"),
    ],
)
def test_new_lines_that_end_as_no_line_of_the_file(file: str, text: str, content: str | None) -> None:
    result = patch(file, text)
    assert (result.content, outcome(result)) == ((file, ["ambiguous"]) if content is None else (content, ["applied"]))


def test_the_endings_of_new_lines_without_context() -> None:
    assert patch("a:\r\nb\r\n", update("@@\n+ x\n")).content == "a:\r\nb\r\n x\r\n"
    assert patch("a:\r\nb\n", update("@@\n+ x\n")).content == "a:\r\nb\n x\n"
    assert outcome(patch("a:\nb\n", update("@@\n+ x\r\n"))) == ["ambiguous"]
    assert patch("a:\nb\n", update("@@\r\n+ x\r\n")).content == "a:\nb\n x\n"
    assert patch("a\nb\n", "@@ -2,0 +3 @@\n+x\n").content == "a\nb\nx\n"
    # behind a line without an end, git has that line in the hunk
    assert outcome(patch("a\nb", "@@ -2,0 +3 @@\n+x\n")) == ["empty_search"]
    assert patch("a\nb", "@@ -2 +2,2 @@\n b\n+x\n").content == "a\nb\nx"
    assert patch("a\nb", "*** Begin Patch\n*** Update File: f\n+x\n*** End Patch\n").content == "a\nb\nx"


# --- files


@pytest.mark.parametrize(
    "text",
    [
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n",
        "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n",
        "*** Begin Patch\n*** Add File: new.py\n+a\n+b\n*** End Patch\n",
        "@@ @@\n+a\n+b\n",
    ],
)
def test_a_new_file(text: str) -> None:
    result = patch("", text)
    assert (result.content, result.ok, result.is_deleted) == ("a\nb\n", True, False)
    assert outcome(patch("x\n", text)) == ["empty_search"]
    if "new.py" in text:
        assert "The patch makes new.py" in patch("x\n", text).failures[0].message
        assert patch_paths(text) == ["new.py"]


@pytest.mark.parametrize(
    "text",
    [
        "--- a/old.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
        "diff --git a/old.py b/old.py\ndeleted file mode 1\n--- a/old.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
        "*** Begin Patch\n*** Delete File: old.py\n*** End Patch\n",
    ],
)
def test_a_file_is_removed(text: str) -> None:
    result = patch("a\nb\n", text)
    assert (result.content, result.ok, result.is_deleted) == ("", True, True)
    assert patch_paths(text) == ["old.py"]
    if "-a" in text:
        result = patch("a\nb\nc\n", text)
        assert (result.content, result.is_deleted) == ("c\n", False)
        assert patch("\ufeffa\nb\n", text).is_deleted
        assert patch("\ufeffa\nb\n", text.replace("-a", "-\ufeffa")).is_deleted
        assert patch("a\nb\n", text.replace("-a", "-\ufeffa")).is_deleted is False
        assert patch("x\n", text).is_deleted is False


SEVERAL = """\
--- a/src/one.py
+++ b/src/one.py
@@ -1,9 +1,9 @@
-a
+A
--- a/src/two.py
+++ b/src/two.py
@@ -1 +1 @@
-a
+B
diff --git a/three.py b/four.py
similarity index 90%
rename from three.py
rename to four.py
--- a/three.py
+++ b/four.py
@@ -1 +1 @@
-a
+C
"""
ENVELOPE = """\
*** Begin Patch
*** Update File: src/one.py
-a
+A
*** Update File: src/two.py
@@
-a
+B
*** Update File: three.py
*** Move to: four.py
@@
-a
+C
*** End Patch
"""


@pytest.mark.parametrize("text", [SEVERAL, ENVELOPE, SEVERAL.replace("\n", "\r\n"), f"```diff\n{SEVERAL}```\n"])
def test_several_files_in_one_patch(text: str) -> None:
    assert patch_paths(text) == ["src/one.py", "src/two.py", "four.py"]
    for path, content in (
        ("src/one.py", "A"),
        ("one.py", "A"),
        ("./src/one.py", "A"),
        ("./one.py", "A"),
        ("/home/me/src/one.py", "A"),
        ("src\\two.py", "B"),
        ("three.py", "C"),
        ("four.py", "C"),
    ):
        result = patch("a\n", text, path=path)
        assert (result.content, result.ok) == (f"{content}\n", True), path
    result = patch("a\n", text, path="five.py")
    assert (result.content, outcome(result)) == ("a\n", ["not_found"])
    about = "No part of this patch is about five.py, only about src/one.py, src/two.py, four.py."
    assert result.failures[0].message == f"{about} Write a patch for five.py."
    result = patch("a\n", text)
    assert (result.content, outcome(result)) == ("A\n", ["applied", "not_found", "not_found"])
    assert "another file, src/two.py" in result.failures[0].message


OWN = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n"
OWN_ENVELOPE = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (f"{OWN_ENVELOPE}*** Delete File: o\n*** End Patch\n", "o"),
        (f"{OWN_ENVELOPE}*** Add File: o\n*** End Patch\n", "o"),
        (f"{OWN_ENVELOPE}*** Update File: o\n*** Move to: p\n*** End Patch\n", "p"),
        (f"{OWN_ENVELOPE}*** Update File: o\n", "o"),  # broken off
        (f"{OWN}diff --git a/o b/p\nsimilarity index 100%\nrename from o\nrename to p\n", "p"),
        (f"{OWN}diff --git a/o b/p\nsimilarity index 100%\ncopy from o\ncopy to p\n", "p"),
        (f"{OWN}diff --git a/o b/o\ndeleted file mode 100644\nindex 1..0\n", "o"),
        (f"{OWN}diff --git a/o b/o\nnew file mode 100644\nindex 0..1\n", "o"),
        (f"{OWN}diff --git a/o b/o\nold mode 100644\nnew mode 100755\n", "o"),
        (f"{OWN}diff --git a/o b/o\nindex 1..2 100644\nBinary files a/o and b/o differ\n", "o"),
    ],
)
def test_parts_without_hunks_about_other_files(text: str, other: str) -> None:
    result = patch("a\n", text)
    assert (result.content, outcome(result)) == ("A\n", ["applied", "not_found"])
    assert result.failures[0].message == f"This patch is about another file, {other}. Send one patch for each file."
    result = patch("a\n", text, path="f")
    assert (result.content, outcome(result), result.ok) == ("A\n", ["applied"], True)


def test_prose_behind_a_patch_is_no_other_file() -> None:
    result = patch("a\n", f"{OWN_ENVELOPE}*** End Patch\n--- that was it\n\nrename to what you like\nnew file mode\n")
    assert (result.content, outcome(result)) == ("A\n", ["applied"])


MOVES = [
    "*** Begin Patch\n*** Update File: x/old.py\n*** Move to: x/new.py\n{}*** End Patch\n",
    "diff --git a/x/old.py b/x/new.py\nrename from x/old.py\nrename to x/new.py\n{}",
    'diff --git "a/x/old.py" b/x/new.py\nrename from "x/old.py"\nrename to "x/new.py"\n{}',
    "diff --git x y old.py x y new.py\nrename from x/old.py\nrename to x/new.py\n{}",
]


@pytest.mark.parametrize("path", [None, "x/old.py", "x/new.py"])
@pytest.mark.parametrize("text", MOVES)
def test_a_file_is_moved(text: str, path: str | None) -> None:
    result = patch("a\n", text.format("@@\n-a\n+A\n"), path=path)
    assert (result.content, outcome(result), result.moved_to) == ("A\n", ["applied"], "x/new.py")
    result = patch("a\n", text.format(""), path=path)
    assert (result.content, outcome(result), result.moved_to, result.ok) == ("a\n", [], "x/new.py", True)
    result = patch("a\n", text.format("@@\n-b\n+A\n"), path=path)
    assert (outcome(result), result.moved_to) == (["not_found"], None)
    assert patch_paths(text) == ["x/new.py"]


@pytest.mark.parametrize("path", [None, "x/old.py", "old.py", "x/new.py"])
def test_a_file_that_was_moved_is_still_the_same_by_its_new_name(path: str | None) -> None:
    text = MOVES[0].format("@@\n-a\n+A\n*** Update File: x/new.py\n@@\n-A\n+B\n")
    result = patch("a\n", text, path=path)
    assert (result.content, outcome(result), result.moved_to) == ("B\n", ["applied"] * 2, "x/new.py")


def test_a_file_is_moved_behind_its_hunks() -> None:
    text = "*** Begin Patch\n*** Update File: old.py\n@@\n-a\n+A\n*** Move to: new.py\n*** End Patch\n"
    assert (patch("a\n", text).content, patch("a\n", text).moved_to) == ("A\n", "new.py")


def test_what_stands_between_the_lines_of_a_hunk_and_behind_the_patch() -> None:
    text = "*** Begin Patch\n*** Update File: old.py\n@@\n-a\n*** Move to: new.py\n-b\n*** End Patch\n"
    assert (patch("a\nb\n", text).content, patch("a\nb\n", text).moved_to) == ("", "new.py")
    text = "*** Begin Patch\n*** Update File: old.py\n@@\n-a\n*** End Patch\n*** Move to: new.py\n"
    assert (patch("a\nb\n", text).content, patch("a\nb\n", text).moved_to) == ("b\n", None)


def test_two_names_alone_are_no_move() -> None:
    assert patch("a\n", "--- a/old\n+++ b/new\n@@\n-a\n+A\n").moved_to is None
    for header in ("--- a/old\n+++ b/new\n", "diff --git a/old b/new\n"):
        assert outcome(patch("a\n", header)) == ["truncated"]
        assert outcome(apply_patch("a\n", header, complete=True)) == ["bad_marker"]


def test_what_is_copied_stays_as_it_is() -> None:
    text = "diff --git a/o b/p\ncopy from o\ncopy to p\n--- a/o\n+++ b/p\n@@ -1 +1 @@\n-a\n+A\n"
    result = patch("a\n", text, path="o")
    assert (result.content, [failure.message for failure in result.failures]) == (
        "a\n",
        ["No part of this patch is about o, only about p. Write a patch for o."],
    )
    assert (patch("a\n", text).content, outcome(patch("a\n", text))) == ("a\n", ["not_found"])
    assert patch("a\n", text, path="p").content == "A\n"


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ('diff --git "a/\\303\\244\\t\\"b\\".py" "b/\\303\\244\\t\\"b\\".py"\nold mode 1\n', 'ä\t"b".py'),
        ('--- "a/\\303\\244\\134.py"\n+++ "b/\\303\\244\\134.py"\n@@\n-a\n', "ä\\.py"),
        ('--- "a/\\377.py"\n+++ "b/\\377.py"\n@@\n-a\n', "\udcff.py"),
        ('--- "a/\\777.py"\n+++ "b/\\777.py"\n@@\n-a\n', "\udcff.py"),  # no byte, and no reason to fail
        ('diff --git a/x "b/\\303\\244"\nold mode 1\n', "ä"),
        ('diff --git a/x "b/\\a\\\\x\\""\nold mode 1\n', '\a\\x"'),
        ('diff --git a/x" b/x"\nold mode 1\n', 'x"'),
        ('diff --git "a/\\303\\244" b/x\nold mode 1\n', "x"),
        ("diff --git a/a b/b c.py b/a b/b c.py\nold mode 1\n", "a b/b c.py"),
        ("diff --git a/a b b/c d\nold mode 1\n", "c d"),
        ("diff --git a.py a.py\nold mode 1\n", "a.py"),
        ("diff --git old.py new.py\nold mode 1\n", "new.py"),
        ("--- a/a b.py\t2024-01-01\n+++ b/a b.py\t2024-01-01 00:00:00\n@@\n-a\n", "a b.py"),
        ("--- a.py 2024-01-01 00:00:00.1 +0000\n+++ a.py 2024-01-01 00:00:00.1 +0000\n@@\n-a\n", "a.py"),
        ("--- a/2024-01-01 x.py\n+++ b/2024-01-01 x.py\n@@\n-a\n", "2024-01-01 x.py"),
    ],
)
def test_how_paths_are_written(header: str, path: str) -> None:
    assert patch_paths(header) == [path]


@pytest.mark.parametrize("between", [" ", " Mon ", " (revision"])
def test_names_of_many_parts_cost_what_they_are(between: str) -> None:
    """They would take minutes if each part were looked at once more for each part before it."""
    name = "a" + between * (400_000 // len(between)) + "y"
    assert patch_paths(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-a\n+b\n") == [name]


@pytest.mark.parametrize("count", [1, 2, LONGEST - 13])
def test_blanks_before_a_time_are_looked_at_once(count: int) -> None:
    name = "a" + " " * count
    assert path_in(f"{name}2024-01-01T1") == "a"
    for _ in range(20):
        assert path_in(f"{name}2024-01-01") == f"{name}2024-01-01"


def test_nothing_is_taken_off_a_name_that_is_longer_than_names_are() -> None:
    name = "a" * (LONGEST - 13)
    assert (path_in(f"{name} 2024-01-01T1"), path_in(f"a{name} 2024-01-01T1")) == (name, f"a{name} 2024-01-01T1")


def test_a_header_without_hunks_says_nothing_about_the_next_file() -> None:
    text = "--- a/o\n+++ /dev/null\n--- a/f\n+++ b/f\n@@\n-a\n"
    assert (patch("a\n", text, path="f").is_deleted, patch_paths(text)) == (False, ["o", "f"])
    text = "--- /dev/null\n+++ b/o\n--- a/f\n+++ b/f\n@@\n-a\n+A\n"
    assert patch("a\n", text, path="f").content == "A\n"


def test_a_file_that_is_removed_or_made_and_more() -> None:
    text = "*** Begin Patch\n*** Delete File: f\n*** Update File: f\n@@\n-a\n+A\n*** End Patch\n"
    assert outcome(patch("a\n", text)) == ["applied", "not_found"]
    text = "*** Begin Patch\n*** Add File: f\n*** End Patch\n"
    assert (outcome(patch("a\n", text)), patch("", text).ok) == (["empty_search"], True)


@pytest.mark.parametrize("header", ["@@@ -1,1 -1,1 +1,2 @@@", "@@@@ -1 -1 -1 +1,2 @@@@"])
def test_a_hunk_for_several_versions_is_a_failure(header: str) -> None:
    result = patch("a\nb\n", f"diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n{header}\n  a\n++B\n")
    assert (result.content, outcome(result)) == ("a\nb\n", ["bad_marker"])
    assert "compares three versions" in result.failures[0].message
    assert patch("a\nb\n", "@@@ -1,1 +1,2 @@@\n a\n+B\n").content == "a\nB\nb\n"


def test_a_file_twice_in_one_patch() -> None:
    text = "--- a/f\n+++ b/f\n@@\n-a\n+A\n--- a/f\n+++ b/f\n@@\n-b\n+B\n"
    assert patch("a\nb\n", text).content == "A\nB\n"
    assert patch_paths("\ufeff" + text) == ["f"]
    assert patch_paths("@@\n-a\n+b\n") == []
    assert patch_paths("*** Update File:\n*** Move to: x\n*** End of File\n") == []
    assert patch_paths("diff --git nonsense\n@@\n-a\n") == []
    assert patch("a\n", "@@\n-a\n+b\n", path="any.py").content == "b\n"


def test_a_header_within_a_hunk() -> None:
    two = "@@ -1,2 +1,2 @@\n x\n--- a/y\n+++ b/z\n@@ -5 +5 @@\n-e\n+E\n"
    # These two lines are what is missing in the hunk: they are changes.
    assert patch("x\n-- a/y\nc\nd\ne\n", two).content == "x\n++ b/z\nc\nd\nE\n"
    # Two names that are the same are those of a file, and the count is wrong.
    assert outcome(patch("x\n-- a/y\nc\nd\ne\n", two.replace("/z", "/y"))) == ["noop", "applied"]
    # Here they are not, and the second part names a file.
    other = two.replace("1,2", "1,9")
    assert outcome(patch("x\n-- a/y\nc\nd\ne\n", other)) == ["noop", "applied"]
    assert patch("-- a\nb\n", "@@\n--- a\n b\n").content == "b\n"
    assert patch("-- a\n", "@@\n--- a\n+++ b\n").content == "++ b\n"
    assert patch("-- a\nb\n", "@@\n--- a\n+++ c\n b\n").content == "++ c\nb\n"
    # A patch that names its files otherwise has no such headers.
    enveloped = "*** Begin Patch\n*** Update File: f\n@@\n--- a\n+++ c\n@@\n-b\n*** End Patch\n"
    assert patch("-- a\nb\n", enveloped).content == "++ c\n"


@pytest.mark.parametrize(
    ("line", "applied"),
    [
        ("2.39.5", True),
        ("2.39.5 (Apple Git-154)", True),
        ("2.43.0.windows.1", True),
        ("2.45.0.rc1.197.ge28be64", True),
        ("libgit2 1.7.1", True),
        ("cgit v1.2.3-korg", True),
        ("GitLab", True),
        # nothing of a mail: then `-- ` is a line that is removed, as there are changes behind it
        ("2", False),
        ("Best regards", False),
        ("", False),
        (" 2.39.5", False),
        ("-2.39.5", False),
        ("+2.39.5", False),
    ],
)
def test_what_a_program_has_signed_ends_a_mail_whatever_follows(line: str, applied: bool) -> None:
    for dashes in ("-- ", "--"):
        result = patch("a\nb\nc\n", f"@@ -1,2 +1,2 @@\n a\n-b\n+B\n{dashes}\n{line}\n\n- one\n+ two\n")
        assert (result.content, outcome(result)) == (
            ("a\nB\nc\n", ["applied"]) if applied else ("a\nb\nc\n", ["not_found"])
        )
    # it is only a signature behind all lines that the header announces
    result = patch("a\nb\n- \n2.39.5\nc\n", "@@ -1,5 +1,3 @@\n a\n-b\n-- \n 2.39.5\n c\n")
    assert result.content == "a\n2.39.5\nc\n"
    for counts in ("-1,5 +1,3", "-1,2 +1,1", "-1,1 +1,1"):
        result = patch("a\nb\n- \nd\ne\n", f"@@ {counts} @@\n a\n-b\n-- \n d\n-e\n+E\n")
        assert result.content == "a\nd\nE\n"


def test_a_line_like_a_mails_signature_within_a_hunk() -> None:
    assert patch("a\n- \nb\n", "@@ -1,3 +1,2 @@\n a\n-- \n b\n").content == "a\nb\n"
    # Not all new lines have come, so it is a line that is removed.
    assert outcome(patch("a\nb\n", "@@ -1 +1,2 @@\n-a\n+A\n-- \n+n\n")) == ["not_found"]


def test_context_without_its_blank() -> None:
    assert patch("a\nb\nc\n", "@@ -1,3 +1,3 @@\na\n-b\n+B\nc\n").content == "a\nB\nc\n"
    assert patch("a\nb\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\nprose\n").content == "a\nB\nc\n"
    assert patch("a\nb\nc\n", "@@ -1,9 +1,9 @@\n a\n-b\n+B\n```\nprose\n").content == "a\nB\nc\n"
    assert patch("a\nb\nc\n", "@@ -1,9 +1,9 @@\n a\n-b\n+B\nprose\n").content == "a\nB\nc\n"


@pytest.mark.parametrize("header", ["@@", "@@ -1 +1 @@"])
@pytest.mark.parametrize("line", ["b", "\tb", "```", "*** b", "2 | b"])
def test_a_change_is_never_taken_for_prose(header: str, line: str) -> None:
    text = f"{header}\n-a\n+A\n{line}\n-c\n+C\n"
    assert patch(f"a\n{line}\nc\nd\n", text).content == f"A\n{line}\nC\nd\n"
    assert outcome(patch("a\nx\nc\nd\n", text)) == ["not_found"]


@pytest.mark.parametrize(
    "prose",
    [
        "\nDone.\n",
        "\nWhat I did:\n- a is A now\n- `b` is as it was\n\nBye!\n",
        "```\n\n- (that was it)\n",
        "\nWhat I did:\n 1. nothing\n",
    ],
)
def test_prose_is_never_taken_for_a_change(prose: str) -> None:
    for text in (f"@@\n-a\n+A\n{prose}", f"@@\n-a\n+A\n b\n{prose}@@\n-c\n+C\n{prose}"):
        assert patch("a\nb\nc\n", text).content == ("A\nb\nC\n" if "C" in text else "A\nb\nc\n")
    # Without anything before it, an item is a line to be removed.
    assert patch("a\n b\n", "@@\n a\n- b\n").content == "a\n"


# --- what fails


def test_what_is_not_found() -> None:
    result = patch(FILE, "@@ -1,2 +1,2 @@\n     y = x\n-    return y * 4\n+    return y\n")
    assert (result.content, outcome(result)) == (FILE, ["not_found"])
    assert "line 9 is `return y * 2` instead of `return y * 4`" in result.failures[0].message
    diff = "@@\n     y = x\n-    return y * 4\n+    return z\n"
    assert outcome(patch(FILE, diff, threshold=0.8)) == ["not_found"]  # another word
    similar = patch(FILE, diff, threshold=0.79)
    assert similar.content == FILE.replace("return y * 2", "return z")
    with pytest.raises(DiffError):
        apply_patch(FILE, "@@\n-nope\n", strict=True)


def test_text_without_a_hunk_is_a_failure() -> None:
    for text in ("", "\n \n"):
        assert (patch(FILE, text).ok, patch(FILE, text, path="f.py").ok) == (True, True)
    for path in (None, "f.py"):
        result = patch(FILE, "just prose", path=path)
        assert (result.content, outcome(result)) == (FILE, ["bad_marker"])
        assert "A patch has lines that begin with `@@`" in result.failures[0].message


def test_a_hunk_without_lines() -> None:
    result = patch(FILE, f"--- a/f\n+++ b/f\n@@\nprose\n@@\n{HUNK}")
    assert outcome(result) == ["bad_marker", "applied"]
    assert "The hunk has no lines" in result.failures[0].message
    result = patch(FILE, "@@ -1 +1 @@\n")
    assert (outcome(result), result.ok) == (["truncated"], False)


# --- what breaks off


@pytest.mark.parametrize(
    ("text", "content", "is_truncated"),
    [
        ("@@ -1,3 +1,3 @@\n a\n-b\n", "a\nc\nd\n", True),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B", "a\nB\nc\nd\n", True),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\n", False),
        ("@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\n", True),  # one more may follow
        ("@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nB\nc\nd\n", False),
        ("@@\n a\n-b\n+B\n", "a\nB\nc\nd\n", False),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\nSee @", "a\nB\nc\nd\n", False),
        ("@@ -1 +1 @@\n-a\n+A\n@alice: done", "A\nb\nc\nd\n", False),
        ("@@ -1,9 +1,9 @@\n a\n-b\n+B\n\n", "a\nB\nc\nd\n", True),  # a blank line says nothing
        ("@@ -1,9 +1,9 @@\n a\n-b\n+B\n\nDone.\n", "a\nB\nc\nd\n", False),
        ("@@ -3,2 +3,2 @@\n c\n-d\n+D\n", "a\nb\nc\nD\n", False),
        ("@@ -3,3 +3,3 @@\n c\n-d\n+D\n", "a\nb\nc\nD\n", False),  # nothing can follow at the end of the file
        ("@@ -3,5 +3,5 @@\n c\n d\n", "a\nb\nc\nd\n", True),  # but no change has come
        ("*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\n", True),
        ("*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+B\n c\n*** End Patch", "a\nB\nc\nd\n", False),
    ],
)
def test_a_patch_that_breaks_off(text: str, content: str, is_truncated: bool) -> None:
    original = "a\nb\nc\nd\n"
    result = patch(original, text)
    assert outcome(result) == ["truncated" if is_truncated else "applied"]
    assert (result.ok, result.content) == (not is_truncated, original if is_truncated else content)
    accepted = patch(original, text, accept_truncated=True)
    assert (accepted.ok, accepted.content, accepted.edits) == (True, content, result.edits)


def test_a_hunk_that_is_at_the_end_of_the_file_by_its_number() -> None:
    result = patch("x\na\nx\n", "@@ -3,3 +3,3 @@\n-x\n+y\n")
    assert (result.content, outcome(result)) == ("x\na\ny\n", ["applied"])
    assert outcome(patch("x\na\nx\n", "@@ -1,3 +1,3 @@\n-x\n+y\n")) == ["truncated"]


def test_hunks_are_applied_as_they_are_complete() -> None:
    stream = PatchStream("a\nb\nc\n")
    assert [event.type for event in stream.feed("--- a/f\n+++ b/f\n@@ -1 +1 @@\n")] == ["block_started"]
    assert stream.feed("-a\n+A\n") == []
    assert stream.preview == "a\nb\nc\n"
    types = [event.type for event in stream.feed("@@ -3 +3 @@\n")]
    assert types == ["matched", "replacement_delta", "block_done", "block_started"]
    assert (stream.preview, len(stream.result.edits)) == ("A\nb\nc\n", 1)
    stream.feed("-c\n+C")
    result = stream.finalize(complete=True)
    assert (result.content, stream.result, stream.preview) == ("A\nb\nC\n", result, "A\nb\nC\n")
    with pytest.raises(ParserStateError):
        stream.feed("")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", None),
        ("just prose\n", None),
        ("------- SEARCH", None),
        ("------- SEARCH\n", "search_replace"),
        ("------- SEARCHES\n", None),
        ("prose\n<<<<<<< SEARCH\nx", "search_replace"),
        ("------- SEARCH\r\nx", "search_replace"),
        ("-- SEARCH\n", None),
        ("-- SEARCH\nx\n=======\n", "search_replace"),
        ("+++++++ SEARCH\nx\n=======\n", "search_replace"),
        ("------- SERACH\nx\n=======\n", "search_replace"),
        ("# SEARCH\n@@ ", "patch"),
        ("@@", None),
        ("@@\r\n", "patch"),
        ("@@-1 +1@@\n", "patch"),
        ("@@john\n------- SEARCH\n", "search_replace"),
        ("*** Add Files below\n------- SEARCH\n", "search_replace"),
        ("x\n=======\n", None),
        ("x\r@@", None),
        ("\ufeff@@\n", "patch"),
        ("prose\n@@ -1 +1 @@\n", "patch"),
        ("--- a/x\n", None),
        ("--- a/x\n+++ b/x\n", None),
        ("--- a/x\n+++ b/x\n@@ ", "patch"),
        ("--- a/x\n+++ b/x\n\n-a\n", "patch"),
        ("--- a/x\n+++ b/x\n a\n", "patch"),
        ("--- a/x\n+++ b/x\n------- SEARCH\n", "search_replace"),
        ("--- a/x\n\n+++ b/x\n-a\n", None),
        ("diff --git a/x b/x\n", "patch"),
        ("*** Begin Patch\n", "patch"),
        ("*** Update File: x\n", None),
        ("*** Update File: x\n\n a\n b\n", None),
        ("*** Update File: x\n\n a\n+b\n", "patch"),
        ("*** Update File: x\nprose\n+b\n", None),
        ("*** Update File: x\n@@ ", "patch"),
        ("*** Update File: x\n*** Update File: y\n```\n------- SEARCH\n", "search_replace"),
        ("------- SEARCH\n@@ x\n", "search_replace"),
        ("@@\n------- SEARCH\n", "patch"),
    ],
)
def test_which_kind_of_diff_it_is(text: str, kind: str | None) -> None:
    assert detect(text) == kind
    answers = [detect(text[:at]) for at in range(len(text) + 1)]
    assert answers == sorted(answers, key=lambda answer: answer is not None)
    assert set(answers) <= {None, kind}


def test_numbers_in_front_of_lines() -> None:
    numbered = "@@\n 1 | a\n-2 | x\n+2 | y\n+z\n"
    assert patch("a\nx\nb\n", numbered).content == "a\ny\nz\nb\n"
    # they say where it is: at the first change
    result = patch("a\nx\na\nx\nb\n", "@@\n 3 | a\n-4 | x\n+4 | y\n")
    assert (result.content, result.edits[0].start_line) == ("a\nx\na\ny\nb\n", 4)
    # unless the file has them
    assert patch("1 | a\n2 | x\n", numbered).content == "1 | a\n2 | y\nz\n"


def test_only_text_has_a_kind() -> None:
    with pytest.raises(TypeError, match=r"^the diff must be a str, not NoneType$"):
        detect(None)  # type: ignore[arg-type]


CUT_OR_WRONG = {
    "a deletion whose patch does not end": (
        "x\ny\n",
        "*** Begin Patch\n*** Delete File: old.t",
        None,
        "x\ny\n",
        ["truncated"],
    ),
    "a new file that breaks off in a line": (
        "",
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1,100 @@\n+def f():\n+    retu",
        None,
        "",
        ["truncated"],
    ),
    "lines at the end that break off": (
        "a\nb\n",
        "--- a/f\n+++ b/f\n@@ -1,2 +1,9 @@\n a\n-b\n+B\n+def g():\n+    retu",
        None,
        "a\nb\n",
        ["truncated"],
    ),
    "a deletion that breaks off": (
        "x\ny\n",
        "--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-",
        None,
        "x\ny\n",
        ["truncated"],
    ),
    "a deletion of half a file": (
        "a\nb\nc\n",
        "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
        None,
        "c\n",
        ["applied", "not_found"],
    ),
    "a second patch that breaks off": (
        "a\nb\nc\n",
        "*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n*** End Patch\n*** Begin Patch\n*** Update File: f\n@@\n-b\n",
        None,
        "A\nb\nc\n",
        ["applied", "truncated"],
    ),
    "a patch that breaks off between hunks": (
        "a\nb\n",
        "*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n*** Update File: f\n",
        None,
        "A\nb\n",
        ["applied", "truncated"],
    ),
    "context of a hunk that breaks off": (
        "a\nb\nc\n",
        "@@ -1,3 +1,3 @@\n a\n b\n",
        None,
        "a\nb\nc\n",
        ["truncated"],
    ),
    "a mark of a hunk that breaks off": (
        "a\nb\n",
        "@@ -1 +1 @@\n-a\n+A\n@",
        None,
        "A\nb\n",
        ["applied", "truncated"],
    ),
    "a file that breaks off": (
        "a\nb\n",
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\ndiff --git a",
        "f",
        "A\nb\n",
        ["applied", "truncated"],
    ),
    "a header alone": ("a\n", "--- a/f\n+++ b/f\n", None, "a\n", ["truncated"]),
    "a header and prose": ("a\n", "--- a/f\n+++ b/f\nNothing to do.\n", None, "a\n", ["bad_marker"]),
    "a header of git alone": ("a\n", "diff --git a/f b/f", None, "a\n", ["bad_marker"]),
    "a directive alone": ("a\n", "*** Begin Patch\n*** Update File: f\n", None, "a\n", ["truncated"]),
}


@pytest.mark.parametrize("name", CUT_OR_WRONG)
def test_what_is_cut_or_wrong_is_never_ok(name: str) -> None:
    original, text, path, content, expected = CUT_OR_WRONG[name]
    result = patch(original, text, path=path)
    assert (result.ok, result.is_deleted, result.content, outcome(result)) == (False, False, content, expected)


def test_two_files_that_may_be_meant() -> None:
    text = (
        "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-Intro\n+ROOT\n"
        "--- a/docs/README.md\n+++ b/docs/README.md\n@@ -2 +2 @@\n-b\n+B\n"
    )
    result = patch("Intro\nb\n", text, path="docs/README.md")
    assert [failure.reason for failure in result.failures] == ["ambiguous"]
    assert "changes README.md and docs/README.md, and each may be the file" in result.failures[0].message


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        ("a\nb\n\nc\nd\n", "@@ -1,4 +1,2 @@\n a\n-b\n\n- c\n", "a\n\nd\n"),
        ("import sys\n\nimport os\nx\n", "@@\n import sys\n\n- import os\n", "import sys\n\nx\n"),
    ],
)
def test_an_empty_line_in_a_hunk_does_not_make_a_removal_prose(original: str, text: str, content: str) -> None:
    result = patch(original, text)
    assert (result.ok, result.content) == (True, content)


def test_a_later_part_of_blank_lines_for_an_empty_file() -> None:
    text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n \n+c\n"
    assert outcome(patch("", text)) == ["not_found", "not_found"]
    assert patch("a\n\n", text.replace("@@ -1 +1,2 @@", "@@ -2 +2,2 @@")).content == "b\n\nc\n"


@pytest.mark.parametrize("last", ["-b\r\n", "-\n\\ No newline at end of file\n"])
def test_new_lines_with_another_end_where_old_ones_are_not_quite_those_of_the_file(last: str) -> None:
    file = "a  \r\nb\r\n" if last.startswith("-b") else "a  \r\n  "
    for new, expected in (("+c\n", "ambiguous"), ("+c\r\n", "applied")):
        assert outcome(patch(file, f"@@ -1,2 +1 @@\n-a\r\n{last}{new}")) == [expected]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("*** Update File: f\n*** Move to: \n@@\n-a\n+b\n", "*** Move to:"),
        ("*** Update File: f\n@@\n-a\n+b\n*** Move to:\n", "*** Move to:"),
        ('--- "a/\\x66"\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n', '--- "a/\\x66"'),
        ('--- a/f\n+++ "b/\\x66"\n@@ -1 +1 @@\n-a\n+b\n', '+++ "b/\\x66"'),
        ('--- a/f\n+++ "b/f\\08"\n@@ -1 +1 @@\n-a\n+b\n', '+++ "b/f\\08"'),
        ('diff --git "a/\\x" "b/\\x"\nnew file mode 100644\nindex 0000000..e69de29\n', 'diff --git "a/\\x" "b/\\x"'),
        (
            'diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to "\\g"\n',
            'rename to "\\g"',
        ),
    ],
)
def test_a_header_without_a_name_that_can_be_read(text: str, line: str) -> None:
    failure = patch("a\n", text).failures[-1]
    assert failure.reason == "bad_marker"
    assert failure.message == (
        f"The line `{line}` does not say which file is meant. Write its path there, without quotes."
    )
    assert not tree({"f": "a\n"}, text).ok


def test_names_in_quotes_that_git_writes() -> None:
    assert patch_paths('--- "a/\\a\\b\\t\\n\\v\\f\\r\\"\\\\\\303\\251"\n+++ "b/\\056"\n') == ["."]
    text = 'say "\\x"\n--- a/f\n+++ b/f\n"\\y"\n@@ -1 +1 @@\n-a\n+b\n--- "\\x\n'  # prose, and a line of the hunk
    assert patch("a\n--- x\n", text.replace('\n--- "\\x', "")).content == "b\n--- x\n"


@pytest.mark.parametrize(
    ("file", "hunk", "content", "outcomes"),
    [
        # new lines are just those of the file in their place
        ("a\nb\nc\n", "@@\n a\n-b\n+b\n", "a\nb\nc\n", ["noop"]),
        ("a\nb\nc\n", "@@\n a\n-b\n-c\n+b\n+c\n", "a\nb\nc\n", ["noop"]),
        ("a\r\nb\r\n", "@@\n a\n-b\n+b\n", "a\r\nb\r\n", ["noop"]),
        ("a\nb", "@@\n a\n-b\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", "a\nb", ["noop"]),
        ("a\nb\nc\n", "@@\n a\n-b\n+b\n@@\n-b\n+B\n", "a\nB\nc\n", ["noop", "applied"]),
        # or something else is new
        ("a\nb\nc\n", "@@\n a\n-b\n+b \n", "a\nb \nc\n", ["applied"]),
        ("\ufeffa\nb\n", "@@\n-\ufeffa\n+a\n b\n", "a\nb\n", ["applied"]),
        ("a\nb\nc\n", "@@\n a\nb\n-c\n+c\n", "a\nb\nc\n", ["bad_marker"]),
    ],
)
def test_a_hunk_that_changes_nothing(file: str, hunk: str, content: str, outcomes: list[str]) -> None:
    result = patch(file, hunk)
    assert (result.content, outcome(result)) == (content, outcomes)
