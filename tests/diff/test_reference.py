"""New lines of hunks whose old lines are indented otherwise than in the file: as the old lines, or as the file."""

from __future__ import annotations

import pytest

from streamparse.diff import apply_patch
from streamparse.diff.structure import fits, is_comment, is_directive
from tests.diff.kit import apply, block, is_same_with_returns, outcome, patch, work

#: Two blocks within a third, with a line between them.
FILE = (
    "class A:\n    def f(self):\n        if x:\n            go(1)\n        return 2\n\n    def g(self):\n        pass\n"
)


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # as deep as the line is written in whose place they come, or as deep as that is in the file
        (" if x:\n-    go(1)\n+    go(9)\n", FILE.replace("go(1)", "go(9)")),
        (" if x:\n-    go(1)\n+            go(9)\n", FILE.replace("go(1)", "go(9)")),
        # the least deep of several
        (
            "-        if x:\n+        else_if(y):\n+            z\n             go(1)\n",
            FILE.replace("if x:\n", "else_if(y):\n            z\n"),
        ),
        (
            "-if x:\n-    go(1)\n+        z()\n+        go(9)\n",
            FILE.replace("if x:\n            go(1)", "z()\n        go(9)"),
        ),
        # as deep as the line before or behind them
        ("     go(1)\n+    z()\n return 2\n", FILE.replace("go(1)\n", "go(1)\n            z()\n")),
        ("     go(1)\n+            z()\n return 2\n", FILE.replace("go(1)\n", "go(1)\n            z()\n")),
        (" return 2\n+z()\n", FILE.replace("return 2\n", "return 2\n        z()\n")),
        (" return 2\n+        z()\n", FILE.replace("return 2\n", "return 2\n        z()\n")),
        ("+        z()\n return 2\n", FILE.replace("return 2\n", "z()\n        return 2\n")),
        # or a step deeper than one that opens something
        (" if x:\n+    z()\n", FILE.replace("if x:\n", "if x:\n            z()\n")),
        (" if x:\n+            z()\n", FILE.replace("if x:\n", "if x:\n            z()\n")),
        (" if x:\n+   z()\n", None),  # neither
        (" if x:\n+           z()\n", None),
        (" if x:\n+             z()\n", None),
    ],
)
def test_new_lines_are_indented_as_those_next_to_them_show(hunk: str, content: str | None) -> None:
    result = patch(FILE, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or FILE, ["applied" if content else "indentation"])
    assert is_same_with_returns(FILE, f"@@\n{hunk}", result)


#: The body of one is not deeper, as a sign in the text would have it, and what closes the other one is too deep.
FLAT = "def g():\nx = 1\nf {\n    y\n    }\n"


@pytest.mark.parametrize(
    ("removed", "added", "content"),
    [
        # like the line in whose place it comes, and as deep: what is around it need not be as it should
        ("  def g():\n  x = 1\n", "  def g():\n  x = 2\n", FLAT.replace("x = 1", "x = 2")),
        ("      y\n      }\n", "      z\n      }\n", FLAT.replace("y", "z")),
        ("  x = 1\n", "  z\n", FLAT.replace("x = 1", "z")),
        # not like it, or not as deep, or not as many
        ("  def g():\n  x = 1\n", "  def g():\n  if x:\n", None),
        ("  def g():\n  x = 1\n", "  def g():\n    x = 2\n", None),
        ("  def g():\n  x = 1\n", "  def g():\n  x = 2\n  x = 3\n", None),
        # only its depth is another
        ("  def g():\n  x = 1\n", "  def g():\nx = 1\n", None),
    ],
)
def test_a_line_that_is_like_the_one_it_replaces_is_as_deep(removed: str, added: str, content: str | None) -> None:
    result = apply(FLAT, block(removed, added))
    assert (result.content, outcome(result)) == (content or FLAT, ["applied" if content else "indentation"])


#: A step is as deep as all of it.
STEP = "if a:\n    if b:\n        c\n        c2\n    d\n"


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # in the inner block, or behind it
        ("     c2\n+    z\n d\n", None),
        # behind a line that opens nothing, none is deeper
        (" if b:\n+    z\n     c\n", "if a:\n    if b:\n        z\n        c\n        c2\n    d\n"),
        (
            "     c2\n+    else:\n+        z\n d\n",
            "if a:\n    if b:\n        c\n        c2\n    else:\n        z\n    d\n",
        ),
        ("     c2\n+    z()\n+        .y()\n d\n", None),
        ("+    z {\n d\n", None),  # neither does
        # it is written as deep as the lines next to it, but cannot be so deep in the file
        ("     c\n+    else:\n+        z\n     c2\n", None),
        # a comment may be anywhere
        ("     c2\n+    # z\n d\n", None),
    ],
)
def test_what_fits_decides_where_both_are_shown(hunk: str, content: str | None) -> None:
    result = patch(STEP, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or STEP, ["applied" if content else "indentation"])
    assert is_same_with_returns(STEP, f"@@\n{hunk}", result)


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # Lines that are not next to new ones may show that these are written as they are, but nothing of the file.
        ("-t\n+u\n+\tv\n \ta\n", "u\n    v\n    a\n    b\nend\n"),
        ("-t\n+u\n+\t  v\n \ta\n", "u\n      v\n    a\n    b\nend\n"),
        ("-t\n+u\n+\t\tv\n \ta\n", "u\n        v\n    a\n    b\nend\n"),
    ],
)
def test_lines_at_the_margin_next_to_new_ones(hunk: str, content: str | None) -> None:
    file = "t\n    a\n    b\nend\n"
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "indentation"])
    assert is_same_with_returns(file, f"@@\n{hunk}", result)


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # Nothing but tabs for blanks: then new lines have them, too.
        ("-\t\tb\n+\tb\n", "x:\n    a\n    b\n\tc\n"),
        (" \ta\n+\t\t\tz\n \t\tb\n", "x:\n    a\n            z\n        b\n\tc\n"),
        (" \ta\n+  \tz\n \t\tb\n", None),
        (" \ta\n+    z\n \t\tb\n", "x:\n    a\n    z\n        b\n\tc\n"),  # as deep as `a` in both ways
        # Some of the depth is lost as well.
        (" a\n+\t\tz\n \tb\n", None),
        # The hunk has lost what all of its lines have in common, and the least deep of them is new.
        ("     b\n+z\n", "x:\n    a\n        b\n    z\n\tc\n"),
        # But at the margin are lines, too, that had nothing to lose: no line of the file is two blanks deep.
        ("       b\n+z\n", None),
        ("   a\n+z\n       b\n", None),
        ("   a\n+ z\n       b\n", None),
    ],
)
def test_old_lines_that_are_written_in_another_way(hunk: str, content: str | None) -> None:
    file = "x:\n    a\n        b\n\tc\n"
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "indentation"])
    assert is_same_with_returns(file, f"@@\n{hunk}", result)


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        ("     a\n+            c\n         b\n", "x:\n\ta\n\t\t\tc\n\t\tb\n"),
        ("     a\n-        b\n+    b\n", "x:\n\ta\n\tb\n"),
    ],
)
def test_blanks_for_tabs(hunk: str, content: str) -> None:
    result = patch("x:\n\ta\n\t\tb\n", f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content, ["applied"])
    assert is_same_with_returns("x:\n\ta\n\t\tb\n", f"@@\n{hunk}", result)


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        ("   b\n-  c\n+   c\n   d\n", None),
        ("   b\n-  c\n+    c\n   d\n", None),  # as in the file, it would change nothing, and is no whole step
        ("   b\n-  c\n+     c\n   d\n", None),
        ("   b\n-  c\n+  c\n   d\n", None),  # nor does it, as the old lines
        ("   b\n-  c\n+  C\n   d\n", "a\n    b\n    C\n    d\n"),
    ],
)
def test_a_line_of_which_only_the_indentation_is_new(hunk: str, content: str | None) -> None:
    file = "a\n    b\n    c\n    d\n"
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "indentation"])
    assert is_same_with_returns(file, f"@@\n{hunk}", result)


COMMENT = '/**\n * one\n * two\n */\n"use strict";\n'


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # without the sign, or without an indentation of one blank
        (" * one\n+ * new\n * two\n", COMMENT.replace("* two", "* new\n * two")),
        (" * one\n+* new\n * two\n", COMMENT.replace("* two", "* new\n * two")),
        (" * one\n+*\n+\n+* new\n * two\n", COMMENT.replace("* two", "*\n\n * new\n * two")),
        (" * one\n+new\n * two\n", None),
        (" * one\n+  new\n * two\n", COMMENT.replace(" * two", "  new\n * two")),  # nothing speaks against it
        # lines that are removed show it
        (" * one\n- * two\n+new\n */\n", COMMENT.replace(" * two", "new")),
        # whatever else is wrong with a line
        (" * One\n- * two\n+ * new\n */\n", COMMENT.replace("two", "new")),
        (" * two\n+ * new\n */\n“use strict”;\n", COMMENT.replace("two", "two\n * new")),
    ],
)
def test_context_with_an_indentation_of_one_blank(hunk: str, content: str | None) -> None:
    result = patch(COMMENT, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or COMMENT, ["applied" if content else "indentation"])
    assert is_same_with_returns(COMMENT, f"@@\n{hunk}", result)


def test_one_blank_more_than_the_sign_and_a_slip() -> None:
    file = "def g(G):\n        if barycentricity < smallest:\n            vertices = [v]\n    return vertices\n"
    hunk = "        if barycentricty < smallest:\n            vertices = [v]\n+    if attr:\n    return vertices\n"
    assert patch(file, f"@@\n{hunk}").content == file.replace("    return", "    if attr:\n    return")


METHOD = "class A:\n    @o\n    def f(self):\n        ...\n\n    def g(self):\n        pass\n"


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        ("-def f(self):\n-        ...\n+def f(self): ...\n", METHOD.replace(":\n        ...", ": ...")),
        ("-def f(self):\n-        ...\n+    def f(self): ...\n", METHOD.replace(":\n        ...", ": ...")),
        ("\n-def g(self):\n+def h(self):\n         pass\n", METHOD.replace("g(", "h(")),
        # Only what comes before all lines that stay was trimmed with the first of them: others are not at the margin.
        (" def g(self):\n+z = 1\n         pass\n", None),
        # deeper than others, so that another line may be as deep as those
        ("-...\n+..\n \n     def g(self):\n", None),
    ],
)
def test_the_first_line_alone_is_trimmed(hunk: str, content: str | None) -> None:
    result = patch(METHOD, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or METHOD, ["applied" if content else "indentation"])
    assert is_same_with_returns(METHOD, f"@@\n{hunk}", result)


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # one old line, at the margin: a part behind a blank line may belong there
        (" return 2\n+z()\n+\n+z = 1\n", None),
        (" return 2\n+z()\n+\n+  z = 1\n", None),  # or that is no whole step
        (" return 2\n+z()\n+z = 1\n", FILE.replace("return 2\n", "return 2\n        z()\n        z = 1\n")),
        # and new lines behind the first may have the steps of the file
        ("-return 2\n+if y:\n+    z()\n", FILE.replace("return 2\n", "if y:\n            z()\n")),
        ("-return 2\n+if y:\n+            z()\n", None),
        # all are as deep, and one of them opens something
        (" return 2\n+if y:\n+z()\n", None),
        ("     go(1)\n return 2\n+if y:\n+z()\n", None),
        (
            "     go(1)\n return 2\n+if y:\n+    z()\n",
            FILE.replace("return 2\n", "return 2\n        if y:\n            z()\n"),
        ),
    ],
)
def test_steps_that_new_lines_may_have_lost(hunk: str, content: str | None) -> None:
    result = patch(FILE, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or FILE, ["applied" if content else "indentation"])
    assert is_same_with_returns(FILE, f"@@\n{hunk}", result)


@pytest.mark.parametrize(
    ("added", "content"),
    [
        ("+#ifdef X\n+    z();\n+#endif\n", None),  # at the margin, whatever is around it
        ("+#if1\n+z();\n", "f() {\n    a();\n    #if1\n    z();\n    b();\n}\n"),
    ],
)
def test_lines_for_the_preprocessor_are_at_the_margin(added: str, content: str | None) -> None:
    file = "f() {\n    a();\n    b();\n}\n"
    result = patch(file, f"@@\n a();\n{added} b();\n")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "indentation"])


@pytest.mark.parametrize(
    ("file", "blank", "expected"),
    [
        ("x:\n    a\n    b\n", "    ", ""),  # just the blanks by which all is too deep
        ("x:\n    a\n    b\n", "   ", "   "),
        ("x:\n    a\n    b\n", "     ", "     "),
        ("x:\n    a\n    b\n    \n", "    ", "    "),  # the file has such lines
        ("x:\n    a\n    b\n", "", ""),
    ],
)
def test_a_new_line_of_blanks(file: str, blank: str, expected: str) -> None:
    content = file.replace("a\n", f"a\n{expected}\n")
    assert patch(file, f"@@\n         a\n+{blank}\n         b\n").content == content
    old, new = "        a\n        b\n", f"        a\n{blank}\n        b\n"
    assert apply(file, block(old, new)).content == content


@pytest.mark.parametrize(
    ("line", "following", "expected"),
    [
        ("if x:", "  a", True),
        ("if x:", "a", False),
        ("a", "  b", False),
        ("a", "b", True),
        ("  a", "b", True),
        ("  a", "  }", False),
        ("  a", "}", True),
        ("{", "}", True),
        ("  a", "  else:", False),
        ("  a", "else:", True),
        ("f(a,", "  b", True),  # open brackets, as deep as one likes
        ("f(a,", "b)", True),
        ("- a", "  b", True),
    ],
)
def test_which_lines_may_follow_which(line: str, following: str, expected: bool) -> None:
    assert fits(line, following) is expected


def test_comments_and_lines_for_the_preprocessor() -> None:
    assert [is_comment(line) for line in ("# a", "  // a", "/* a", " * a", "a # b", "- a")] == [True] * 4 + [False] * 2
    assert [is_directive(line) for line in ("#if X", " # endif", "#ifx", "# a", "#")] == [True] * 2 + [False] * 3


def test_a_long_hunk_takes_no_more_time_than_its_lines() -> None:
    def effort(count: int) -> int:
        file = "".join(f"    {number}\n" for number in range(count))
        hunk = "".join(f" {number}\n+{number}a\n" for number in range(count))
        return work(lambda: apply_patch(file, f"@@\n{hunk}"))

    small, large = effort(200), effort(400)
    assert large < 2.2 * small
