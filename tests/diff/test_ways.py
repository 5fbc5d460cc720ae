"""A diff is written in one way: what some hunks or blocks show of that is true of those that show nothing, too."""

from __future__ import annotations

import pytest

from streamparse.diff import DiffResult
from tests.diff.kit import apply, block, outcome, patch, tree

LETTERS = "a\nb\nc\nd\n"


def told(result: DiffResult) -> list[tuple[int, str]]:
    """Of every failure its number and in which way others are written."""
    told = [(one.number, one.message.split(",")[0]) for one in result.failures]
    return [(number, sentence.removeprefix(f"Other {result.noun}s are ")) for number, sentence in told]


def follows(file: str, text: str, content: str) -> None:
    result = patch(file, text)
    assert (result.content, result.ok) == (content, True)


def in_doubt(file: str, text: str, reason: str, *, by: list[str]) -> None:
    result = patch(file, text)
    assert (result.ok, outcome(result)) == (False, by)
    assert result.failures[-1].reason == reason


# --- line numbers


def numbered(first: str, second: str) -> str:
    return f"@@ -1,0 +2 @@\n+{first}\n@@ -3 +3,0 @@\n-{second}\n"


def test_line_numbers_of_others_are_no_part_of_new_lines() -> None:
    follows(LETTERS, numbered("   1 | x", "   3 | c"), "a\nx\nb\nd\n")
    follows(LETTERS, numbered("   1 | x\n+\n+   1 |   y", "   3 | c"), "a\nx\n\n  y\nb\nd\n")
    # a blank line with its number shows it of its own hunk
    follows("a\n\nb\n", "@@ -2 +2,2 @@\n    2 | \n+   3 |   x\n", "a\n\n  x\nb\n")
    # nothing shows it, or there is none
    follows(LETTERS, numbered("   1 | x", "c"), "a\n   1 | x\nb\nd\n")
    follows(LETTERS, numbered("x", "   3 | c"), "a\nx\nb\nd\n")


@pytest.mark.parametrize(
    "text",
    [
        numbered("   1 | x\n+y", "   3 | c"),  # not all of them
        numbered("   1 | x", "   3 | c") + "@@ -4 +4 @@\n-d\n+D\n",  # another hunk has none
    ],
)
def test_line_numbers_that_are_in_doubt(text: str) -> None:
    result = patch(LETTERS, text)
    assert result.failures[0].reason == "ambiguous"
    assert result.failures[0].message == (
        "Other hunks are written with line numbers, and nothing in the old lines of hunk 1 shows whether it is, too. "
        "Repeat all of them as the file is written: with its indentation, its signs and its ends of lines, and without "
        "line numbers."
    )


def test_numbers_of_new_lines_that_do_not_go_up_may_be_text() -> None:
    text = "@@ -1 +1 @@\n-1: a\n+1: A\n@@ -3,0 +4,2 @@\n+%d: x\n+%d: y\n"
    follows(LETTERS, text % (4, 5), "A\nb\nc\nx\ny\nd\n")
    assert told(patch(LETTERS, text % (5, 5))) == [(2, "written with line numbers")]


# --- signs as HTML has them

SIGNS = "def a(x) -> int:\n    return x\n\n\ndef b(x):\n    return x\n"
SHOWN = "@@\n-def a(x) -&gt; int:\n+def a(x) -&gt; float:\n     return x\n"
SILENT = "@@\n \n-def b(x):\n+def b(x) -&gt; int:\n     return x\n"
MEANT = "def a(x) -> float:\n    return x\n\n\ndef b(x) -> int:\n    return x\n"


def test_signs_of_html_in_others_are_signs() -> None:
    follows(SIGNS, SHOWN + SILENT, MEANT)
    follows(SIGNS, SILENT, SIGNS.replace("b(x)", "b(x) -&gt; int"))
    follows(SIGNS, SHOWN + SILENT.replace(" -&gt; int", ""), SIGNS.replace("int", "float"))


HEADER = "--- a/f\n+++ b/f\n"
ADDED = "@@\n-def b(x):\n+def b(x) -&gt; int:\n"


@pytest.mark.parametrize("behind", ["", f"{HEADER}@@\n \n \n"])
def test_signs_of_html_in_another_part_for_the_file(behind: str) -> None:
    for text in (HEADER + ADDED + HEADER + SHOWN + behind, HEADER + SHOWN + HEADER + ADDED + behind):
        result = patch(SIGNS, text)
        assert (result.ok, [failure.reason for failure in result.failures]) == (False, ["bad_marker"])
        whole = tree({"f": SIGNS}, text)
        assert (whole.ok, [failure.reason for failure in whole.failures]) == (False, ["bad_marker"])


def test_a_part_that_says_of_itself_how_signs_of_html_are_meant() -> None:
    plain = "@@\n-def a(x) -> int:\n+def a(x) -> float:\n     return x\n"
    last = "@@\n     return x\n \n \n-def c(x) -&gt; int:\n+def c(x):\n"
    file = f"{SIGNS}\n\ndef c(x) -> int:\n"
    made = file.replace("int", "float", 1).replace("b(x)", "b(x) -&gt; int").replace("c(x) -> int", "c(x)")
    follows(file, HEADER + plain + ADDED + HEADER + last, made)
    # other files say nothing
    whole = tree({"f": SIGNS, "g": SIGNS}, HEADER + ADDED + HEADER.replace("f", "g") + SHOWN)
    assert whole.ok


def test_signs_of_html_that_are_in_doubt() -> None:
    # what was written first cannot follow
    in_doubt(SIGNS, SILENT + SHOWN, "bad_marker", by=["applied", "applied", "bad_marker"])
    # signs beside them, such signs in the file, or in old lines as they are
    in_doubt(SIGNS, SHOWN + SILENT.replace("int", "x>y"), "bad_marker", by=["applied", "bad_marker"])
    in_doubt(SIGNS, SHOWN + SILENT.replace("int", "x&&y &amp;"), "bad_marker", by=["applied", "bad_marker"])
    in_doubt(f"&amp;\n{SIGNS}", SHOWN + SILENT, "bad_marker", by=["applied", "bad_marker"])
    plain = "@@\n-<p>\n+<q>\n"
    in_doubt(f"<p>\n{SIGNS}", plain + SHOWN + SILENT, "bad_marker", by=["applied", "applied", "bad_marker"])
    in_doubt(f"{SIGNS}<p>\n", SHOWN + SILENT + plain, "bad_marker", by=["applied"] * 3 + ["bad_marker"])
    assert told(patch(SIGNS, SILENT + SHOWN)) == [(3, "written with signs as HTML has them (`&lt;`)")]


BLOCK_SHOWN = block("def a(x) -&gt; int:\n", "def a(x) -&gt; float:\n")
BLOCK_SILENT = block("def b(x):\n", "def b(x) -&gt; int:\n")


def test_signs_of_html_in_blocks() -> None:
    result = apply(SIGNS, BLOCK_SHOWN + BLOCK_SILENT)
    assert (result.content, result.ok) == (MEANT, True)
    result = apply(SIGNS, BLOCK_SILENT + BLOCK_SHOWN)
    assert (outcome(result), told(result)) == (
        ["applied", "applied", "bad_marker"],
        [(3, "written with signs as HTML has them (`&lt;`)")],
    )
    for raw in ("x>y", "x&&y &amp;"):
        half = apply(SIGNS, BLOCK_SHOWN + BLOCK_SILENT.replace("int", raw))
        assert outcome(half) == ["applied", "bad_marker"]
    in_file = apply(f"&amp;\n{SIGNS}", BLOCK_SHOWN + BLOCK_SILENT)
    assert outcome(in_file) == ["applied", "applied", "bad_marker"]
    later = apply(f"<p>\n{SIGNS}", BLOCK_SHOWN + BLOCK_SILENT + block("<p>\n", "<q>\n"))
    assert outcome(later) == ["applied", "applied", "applied", "bad_marker"]
    assert apply(SIGNS, BLOCK_SHOWN + block("def b(x):\n", "def c(x):\n")).ok


# --- indentation


def test_lines_without_old_ones_are_as_much_deeper_as_others() -> None:
    four = "a = 1\nb = 2\nc = 3\nd = 4\n"
    follows(
        four,
        "@@ -1,0 +2 @@\n+    x = 0\n@@ -3 +4 @@\n-    c = 3\n+    c = 5\n",
        "a = 1\nx = 0\nb = 2\nc = 5\nd = 4\n",
    )
    call = "f(\n    a,\n    b,\n    c,\n    d,\n)\n"
    text = "@@ -2 +2 @@\n-  a,\n+  A,\n@@ -3,0 +4 @@\n+  x,\n"
    follows(call, text, "f(\n    A,\n    b,\n    x,\n    c,\n    d,\n)\n")
    # a blank line is none, and without new lines there is nothing to be known
    follows(call, text.replace("  x,", ""), "f(\n    A,\n    b,\n\n    c,\n    d,\n)\n")


STEPS = "if a:\n    b()\n    if c:\n        d()\ne()\n"


def at_end(shown: str, new: str) -> str:
    """Hunks, and behind them one without old lines, which says where it belongs."""
    return f"*** Begin Patch\n*** Update File: f\n@@\n{shown}@@\n+{new}\n*** End of File\n*** End Patch\n"


@pytest.mark.parametrize(
    ("shown", "new", "meant"),
    [
        # One line shows nothing of lines that are written with other blanks.
        ("-      b()\n+      c()\n", "      x()", "    x()"),
        ("-      b()\n+      c()\n", "     x()", None),
        ("-      b()\n+      c()\n", "       x()", None),
        # Two that are both so much deeper show it of all.
        ("-  if a:\n-      b()\n+  if e:\n", "  x()", "x()"),
        ("-  if a:\n-      b()\n+  if e:\n", "          x()", "        x()"),
        ("-  if a:\n-      b()\n+  if e:\n", " x()", None),
        # Nobody knows it of lines at the margin, if others have lost what was before them.
        ("-b()\n+c()\n", "x()", None),
        ("-  if a:\n+  if b:\n@@\n-  e()\n+  f()\n", "  x()", "x()"),
        # Other hunks are as deep as this one, and less so in the file; or they are written as the file is.
        ("-      b()\n+      c()\n@@\n-      e()\n+      f()\n", "      x()", None),
        ("-      b()\n+      c()\n@@\n-        d()\n+        e()\n", "      x()", None),
        ("-        d()\n+        e()\n@@\n-      b()\n+      c()\n", "      x()", None),
    ],
)
def test_lines_without_old_ones_among_others_that_are_deeper(shown: str, new: str, meant: str | None) -> None:
    result = patch(STEPS, at_end(shown, new))
    if meant is None:
        assert outcome(result) == [*["applied"] * (shown.count("@@") + 1), "indentation"]
        assert told(result)[0][1] == "written with another indentation than the file has"
    else:
        assert (result.ok, result.content.splitlines()[-1]) == (True, meant)


TABS = "f([\n    one,\n]);\ng({\n    two: 2,\n    three: 3,\n});\n"
AT_MARGIN = "@@\n ]);\n+h([\n+\tnew,\n+\n+]);\n g({\n"
WITH_TABS = "@@\n \ttwo: 2,\n+\tmore: 2,\n \tthree: 3,\n"
BLANKS = "f([\n    one,\n]);\nh([\n    new,\n\n]);\ng({\n    two: 2,\n    more: 2,\n    three: 3,\n});\n"


def test_tabs_for_blanks_as_others_have_them() -> None:
    follows(TABS, WITH_TABS + AT_MARGIN, BLANKS)
    follows(TABS.replace("    ", "\t"), (WITH_TABS + AT_MARGIN).replace("\t", "    "), BLANKS.replace("    ", "\t"))
    # nothing shows it, or there are none
    follows(TABS, AT_MARGIN, TABS.replace("g(", "h([\n\tnew,\n\n]);\ng("))
    follows(TABS, WITH_TABS + AT_MARGIN.replace("\t", ""), BLANKS.replace("    new", "new"))
    # that others are deeper says nothing of lines next to one at the margin
    follows(TABS, WITH_TABS.replace("\t", "  ") + AT_MARGIN.replace("\t", "    "), BLANKS)
    in_doubt(TABS, AT_MARGIN + WITH_TABS, "indentation", by=["applied", "applied", "indentation"])


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (TABS.replace("    one", "\tone"), WITH_TABS + AT_MARGIN),  # the file has tabs, too
        # they stand for four blanks, or for two
        (f"{TABS}  x\n", f"{WITH_TABS}@@\n-\tx\n+\ty\n{AT_MARGIN}"),
        # twice as many blanks
        (TABS, "@@\n-g({\n-  two: 2,\n+g([\n+  two: 3,\n" + AT_MARGIN.replace("\t", "  ").replace(" g({\n", "")),
    ],
)
def test_tabs_that_are_in_doubt(file: str, text: str) -> None:
    result = patch(file, text)
    assert outcome(result)[-1] == "indentation"
    assert told(result)[-1][1] == "written with another indentation than the file has"


def test_tabs_in_blocks() -> None:
    # Each block loses an indentation of its own, so that one shows nothing of another.
    at_margin = block("]);\n", "]);\nh([\n\tnew,\n]);\n")
    with_tabs = block("\ttwo: 2,\n", "\ttwo: 2,\n\tmore: 2,\n")
    for diff in (at_margin + with_tabs, with_tabs + at_margin):
        assert apply(TABS, diff).content == BLANKS.replace("\n\n", "\n").replace("    new", "\tnew")


def test_one_line_that_is_not_as_deep_shows_nothing_of_others() -> None:
    file = "def f():\n    a()\n    b()\n\n\nc()\n"
    text = "@@ -2,2 +2,2 @@\n     a()\n-   b()\n+    B()\n@@ -5,0 +6 @@\n+d()\n"
    result = patch(file, text)
    assert outcome(result)[1] != "indentation"


def test_one_blank_too_many_behind_signs() -> None:
    file = "{\n  a: 1,\n  b: 2,\n  c: 3,\n  d: 4,\n}\n"
    changed = "@@\n {\n-   a: 1,\n+   a: 9,\n   b: 2,\n"
    added = "@@\n   c: 3,\n+   x: 0,\n   d: 4,\n"
    for text in (changed + added, added + changed):
        result = patch(file, text)
        assert (result.ok, outcome(result)[-1]) == (False, "indentation")
    # nothing shows it: another hunk is right, or the new lines are
    assert patch(file, added).content == file.replace("  d", "   x: 0,\n  d")
    exact = "@@\n-  d: 4,\n+  d: 5,\n }\n"
    assert outcome(patch(file, exact + changed + added.replace("   d: 4,\n", ""))) == ["applied"] * 3
    assert outcome(patch(file, changed + added.replace("+   x", "+x"))) == ["applied"] * 2


# --- ends of lines


def test_carriage_returns_that_the_file_does_not_have() -> None:
    first, second = "@@ -1 +1 @@\n-a\r\n+A\n", "@@ -3 +3 @@\n-c\n+C\r\n"
    follows(LETTERS, first + second, "A\nb\nC\nd\n")
    follows(LETTERS, second, "a\nb\nC\r\nd\n")
    follows(LETTERS, first + second.replace("\r", ""), "A\nb\nC\nd\n")
    in_doubt(LETTERS, second + first, "ambiguous", by=["applied", "applied", "ambiguous"])
    assert told(patch(LETTERS, second + first)) == [(3, "written with carriage returns that the file does not have")]
    # a file that has some
    follows(
        "a\nb\nc\r\nd\n",
        first + second.replace("-c\n", "-c\r\n"),
        "A\nb\nC\r\nd\n",
    )
    # lines that take the ends of the file in any case
    last = "@@ -4 +4 @@\n-d\r\n+D\r\n"
    follows(LETTERS.removesuffix("\n"), last + first, "A\nb\nc\nD")


@pytest.mark.parametrize(
    ("file", "text", "content"),
    [
        ("a\nb\n", "@@ -1,2 +1,3 @@\r\n a\n+x\r\n b\n", "a\nx\nb\n"),
        ("a\nb\n", "@@ -1,2 +1,3 @@\n a\n+x\r\n b\n", "a\nx\r\nb\n"),  # as git writes it
        ("a\r\nb\r\n", "@@ -1,2 +1,3 @@\r\n a\r\n+x\r\n b\r\n", "a\r\nx\r\nb\r\n"),
        ("", "@@ -0,0 +1 @@\r\n+x\r\n", "x\r\n"),  # the file has none to go by
    ],
)
def test_carriage_returns_of_a_patch_whose_header_has_one(file: str, text: str, content: str) -> None:
    assert patch(file, text).content == content


def test_what_fails_already_is_not_in_doubt_as_well() -> None:
    result = patch(SIGNS, "@@\n-def b(x):\n+# ... &gt; existing code ...\n" + SHOWN)
    assert not result.ok
    assert len(result.failures) == len({one.number for one in result.failures})


def test_new_lines_at_the_margin_beside_hunks_that_have_lost_some_blanks() -> None:
    file = '#include "a.h"\n#include "b.h"\n\nint f() {\n    return m\n        ? x\n        : y;\n}\n'
    hunk = "@@ -5,3 +6,2 @@\n-   return m\n-       ? x\n-       : y;\n+   if (m)\n+     return x;\n"
    text = f'@@ -1,0 +2,1 @@\n+#include "c.h"\n{hunk}'
    # it had none to lose, or is as the others are
    in_doubt(file, text, "indentation", by=["indentation", "applied"])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_first_line_of_other_hunks_has_lost_its_indentation(end: str) -> None:
    file = "class A {\n\tm() {\n\t\tthis.x = 1;\n\t}\n\n\tf() {\n\t\th.u(1);\n\t\th.u(2);\n\t}\n}\na();\nb();\n"
    file = file.replace("\n", end)
    hunk = f"@@ -7,2 +8,2 @@{end}-h.u(1);{end}-\t\th.u(2);{end}+h.u(3);{end}+\t\th.u(4);{end}"
    head = f"@@ -3,0 +4,1 @@{end}"
    changed = file.replace("1);", "3);").replace("2);", "4);")
    in_doubt(file, f"{head}+this.y = 2;{end}{hunk}", "indentation", by=["indentation", "applied"])
    follows(file, f"{head}+\t\tthis.y = 2;{end}{hunk}", changed.replace("= 1;", f"= 1;{end}\t\tthis.y = 2;"))
    # all lines around are there
    follows(file, f"{hunk}@@ -11,0 +12,1 @@{end}+c();{end}", changed.replace("a();", f"a();{end}c();"))


@pytest.mark.parametrize(
    ("changed", "added", "is_certain"),
    [
        # removed lines at the margin show nothing
        ("     1,\n@@\n-start\n+begin\n", "+7,\n     4,\n", True),
        ("-1,\n     2,\n@@\n-start\n+begin\n", "+7,\n     4,\n", False),
        # removed lines have lost their blanks, and so may new ones elsewhere have
        ("-1,\n     2,\n", "+7,\n     4,\n", False),
        ("-1,\n     2,\n", "+    7,\n     4,\n", True),
        ("-1,\n     2,\n", "-4,\n+    7,\n", True),  # here the removed line shows it
        ("-\t1,\n     2,\n", "+\t7,\n     4,\n", False),
        ("-    1,\n     2,\n", "+7,\n     4,\n", True),  # nothing is lost
    ],
)
def test_removed_lines_that_are_not_as_deep_beside_context_that_is(changed: str, added: str, is_certain: bool) -> None:
    file = "a = [\n    1,\n    2,\n]\nstart\nb = [\n    3,\n    4,\n]\n"
    result = patch(file, f"@@\n a = [\n{changed}@@\n     3,\n{added}@@\n")
    assert ("indentation" in outcome(result)) != is_certain


@pytest.mark.parametrize(
    ("changed", "added", "is_certain"),
    [
        # a blank behind the signs of several lines, and context that is at the margin: so may a new line be elsewhere
        ("- b\n- b2\n+ B\n+ B2\n", "+ new\n", False),
        ("- b\n- b2\n+ B\n+ B2\n", "+    new\n", False),
        ("- b\n- b2\n+ B\n+ B2\n", "+new\n", True),
        ("- b\n- b2\n+ B\n+ B2\n", "- e\n+ new\n", True),  # here the removed line shows it
        ("-b\n-b2\n+ B\n+ B2\n", "+ new\n", True),  # there is none
    ],
)
def test_a_blank_behind_signs_beside_context_at_the_margin(changed: str, added: str, is_certain: bool) -> None:
    result = patch("a\nb\nb2\nc\nd\ne\n", f"@@\n a\n{changed} c\n@@\n d\n{added}")
    assert outcome(result) == ["applied", "applied" if is_certain else "indentation"]
