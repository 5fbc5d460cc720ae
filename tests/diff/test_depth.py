"""New lines that have lost or gained blanks together with the old ones, or beside old lines of which only some have."""

from __future__ import annotations

import pytest

from tests.diff.kit import apply, block, is_same_with_returns, outcome, patch


def check_hunk(file: str, hunk: str, content: str | None) -> None:
    """It makes that content; None: it is refused, because how deep its new lines are is not certain."""
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "indentation"])
    assert is_same_with_returns(file, f"@@\n{hunk}", result)


def check_block(file: str, old: str, new: str, content: str | None) -> None:
    result = apply(file, block(old, new))
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "indentation"])
    assert is_same_with_returns(file, block(old, new), result)


FUNCTION = "def f():\n    a = 1\n    b = 2\n"
AROUND = "    a = 1\n    b = 2\n"


@pytest.mark.parametrize(
    ("new", "added"),
    [
        # context is one blank less deep, for want of its sign, or as new lines are
        ("+    c\n", "    c\n"),
        ("+   c\n", "    c\n"),
        ("+   if x:\n+       c\n", "    if x:\n        c\n"),
        # whole steps in both ways, or at the margin, where nothing is lost
        ("+    if x:\n+       c\n", None),
        ("+\n+def g():\n+   c\n", None),
        ("+\n+def g():\n+    c\n", "\ndef g():\n    c\n"),
        # most are whole steps deep as they are written
        ("+    if x:\n+        c(y,\n+           z)\n", "    if x:\n        c(y,\n           z)\n"),
        # in neither way
        ("+  c\n", "  c\n"),
        # it would not fit
        ("+       c\n", None),
    ],
)
def test_one_blank_less_than_whole_steps(new: str, added: str | None) -> None:
    check_hunk(FUNCTION, AROUND + new, None if added is None else FUNCTION + added)


@pytest.mark.parametrize("depth", [2, 3, 4, 5])
@pytest.mark.parametrize("by", ["hunk", "block"])
def test_a_star_is_one_of_a_list_but_for_one_blank_that_is_for_looks(depth: int, by: str) -> None:
    file = "- a\n\n    * one\n    * two\n    * three\n\nend\n"
    note = " " * (depth - 2) + "* Note\n"
    content = file.replace("    * three", f"{' ' * depth}* Note\n    * three") if depth == 4 else None
    if by == "hunk":
        check_hunk(file, f"   * one\n   * two\n+{note}   * three\n", content)
    else:
        check_block(file, "  * one\n  * two\n  * three\n", f"  * one\n  * two\n{note}  * three\n", content)


@pytest.mark.parametrize("tab", ["\t", "    "])
def test_a_star_of_a_comment_is_one_blank_deeper_for_looks(tab: str) -> None:
    file = "f {\n    /**\n     * one\n     * two\n     */\n    a()\n}\n".replace("    ", tab)
    new = " * one\n * and\n * two\n */\na()\nb()\n"
    made = file.replace("* two", f"* and\n{tab} * two").replace("a()", f"a()\n{tab}b()")
    check_block(file, " * one\n * two\n */\na()\n", new, made)


CALL = "f(\n    a=(\n        g(\n            h,\n        ),\n        i(),\n    ),\n    b=1,\n)\n"
NESTED = "def f():\n    if a:\n        b()\n        c()\n    if d:\n        e()\n"


def test_equal_lines_of_which_only_one_is_as_deep_in_replace() -> None:
    # what shows that REPLACE is indented as the file comes behind a line that was found already, with its own end
    file = "b\n    c:\r\nd\na\n    c:\n"
    assert apply(file, block("b\n  c:\nd\na\n  c:\n", "b\nzz\na\n    c:\n")).content == "b\nzz\r\na\n    c:\n"
    file = "        c:\nc:\n        c:\n"

    check_block(file, "      c:\nc:\n      c:\n", "c:\nz\n        c:\n", "c:\nz\n        c:\n")
    # of two closing lines neither says that it is not as in the file
    file = "    a {\n        b {\n            x\n        }\n    }\n"
    check_block(file, "a {\nb {\nx\n}\n}\n", file.replace("x", "y"), file.replace("x", "y"))


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # the first line of REPLACE is as deep as an equal one of the file, but also as one of SEARCH is written
        (CALL, "    ),\n    i(),\n),\nb=1,\n", "    ),\n    i(),\n),\nb=2,\n", CALL.replace("1", "2")),
        (CALL, "    ),\n    i(),\n),\nb=1,\n", "    ),\n    j(),\n),\nb=1,\n", CALL.replace("i()", "j()")),
        # new lines are as deep as some of the file, but lines that stay are as SEARCH has them
        (
            NESTED,
            "    b()\n    c()\nif d:\n",
            "    b()\n    c()\n    if x:\n        y()\nif d:\n",
            NESTED.replace("c()\n", "c()\n        if x:\n            y()\n"),
        ),
    ],
)
def test_replace_is_dedented_as_search_is(file: str, old: str, new: str, content: str) -> None:
    check_block(file, old, new, content)


SASS = "nav\n  ul\n    li\n      color: red\n    a\n      width: 1\n"


@pytest.mark.parametrize(
    ("old", "new", "content"),
    [
        # the body of `li` goes on behind the new line, which would part it
        ("li\n", "li\nb: 1\n", None),
        ("li\n", "li\n# b\n", SASS.replace("li\n", "li\n    # b\n")),
        ("color: red\n", "b: 1\n", SASS.replace("color: red", "b: 1")),
        # behind the last line of a body there is nothing to part
        ("color: red\n", "color: red\nb: 1\n", SASS.replace("red\n", "red\n      b: 1\n")),
        # of several new lines one may open a body
        ("color: red\n", "color: red\nb\nc: 1\n", None),
        ("color: red\n", "b: 2\nc: 1\n", None),
        ("color: red\na\n", "color: red\nb\nd\na\n", None),
    ],
)
@pytest.mark.parametrize("by", ["hunk", "block"])
def test_where_no_sign_shows_what_opens_a_body(old: str, new: str, content: str | None, by: str) -> None:
    if by == "block":
        check_block(SASS, old, new, content)
    else:
        kept = new.startswith(old)
        removed, added = ("".join(map(sign.__add__, text.splitlines(True))) for sign, text in (("-", old), ("+", new)))
        hunk = added if kept else removed + added
        check_hunk(SASS, hunk.replace(f"+{old}", f" {old}", 1) if kept else hunk, content)


@pytest.mark.parametrize(
    ("new", "added"),
    [
        # as in the file, it would part the body of `ul`; as context is, it does not
        ("+  b: 1\n", None),
        ("+    b: 1\n", "    b: 1\n"),
        ("+    b\n+      c: 1\n", "    b\n      c: 1\n"),
    ],
)
def test_a_line_that_would_part_a_body_as_it_is_written(new: str, added: str | None) -> None:
    check_hunk(SASS, f" ul\n{new}   li\n", None if added is None else SASS.replace("ul\n", f"ul\n{added}"))


@pytest.mark.parametrize(
    ("new", "added"),
    [
        ("- new\n", None),
        ("- new\n  more\n", None),
        ("more\n", "  more\n"),
        ("  - new\n", None),
    ],
)
def test_an_item_behind_a_line_that_is_trimmed(new: str, added: str | None) -> None:
    file = "- first\n  goes on\n- last\n"
    check_block(file, "goes on\n", f"goes on\n{new}", added and file.replace("goes on\n", f"goes on\n{added}"))
    # as a part of the list that is not at the margin
    nested = "a:\n  - first\n    goes on\n  - last\n"
    check_block(
        nested, "goes on\n", f"goes on\n{new}", None if added is None else nested.replace("on\n", f"on\n  {added}")
    )


def test_one_blank_less_where_the_file_has_no_steps() -> None:
    file = "  - id: a\n  - id: b\n"
    check_hunk(file, "  - id: a\n+   args: 1\n  - id: b\n", "  - id: a\n    args: 1\n  - id: b\n")
    check_hunk(file, "  - id: a\n+    args: 1\n  - id: b\n", "  - id: a\n    args: 1\n  - id: b\n")
    # neither is nothing at all
    check_hunk("  a\nr\n", "+  n\n  a\n-r\n+s\n", "  n\n  a\ns\n")
    # a single blank is no step
    check_hunk(" a\n b\n", " a\n+  c\n b\n", " a\n  c\n b\n")
    # a line of the file is just as deep as one that is no whole step
    odd = "def f():\n    a(b,\n       c)\n    d\n"
    check_hunk(
        odd, "    a(b,\n       c)\n+    e(f,\n+       g)\n    d\n", odd.replace("    d", "    e(f,\n       g)\n    d")
    )


def test_one_blank_less_and_nothing_new_but_blank_lines() -> None:
    for blank in ("", "    ", "    \f", "\f"):
        content = FUNCTION.replace("    b", f"{blank}\n    b")
        check_hunk(FUNCTION, AROUND.replace("    b", f"+{blank}\n    b"), content)


def test_one_blank_less_beside_removed_lines() -> None:
    # these have lost nothing, unless they have nothing to lose
    check_hunk(FUNCTION, "    a = 1\n-    b = 2\n+   b = 3\n", "def f():\n    a = 1\n   b = 3\n")
    file = "a\n    b\n    c\n"
    check_hunk(file, "-a\n    b\n+   x\n    c\n", None)
    check_hunk(file, "-a\n    b\n+    x\n    c\n", "    b\n    x\n    c\n")


@pytest.mark.parametrize(
    ("new", "added"),
    [
        ("  if x:\n    c()\n", "    if x:\n        c()\n"),
        ("  if x:\n     c()\n", None),
        ("  if x:\n      c()\n", None),
        ("  if x:\n    /**\n     * c\n", None),
        ("  if x:\n    if y:\n      c()\n", "    if x:\n        if y:\n            c()\n"),
    ],
)
def test_steps_that_old_lines_do_not_show(new: str, added: str | None) -> None:
    file = "def f():\n    a()\n    b()\n"
    hunk = " def f():\n   a()\n" + "".join(f"+{line}" for line in new.splitlines(keepends=True)) + "   b()\n"
    content = None if added is None else f"def f():\n    a()\n{added}    b()\n"
    check_hunk(file, hunk, content)
    check_block(file, "def f():\n  a()\n  b()\n", f"def f():\n  a()\n{new}  b()\n", content)


def test_fewer_steps_than_old_lines_show() -> None:
    file = "if x:\n        if y:\n            a()\n    b()\n"
    content = file.replace("a()\n", "a()\n    c()\n")
    check_block(file, "    if y:\n      a()\n", "    if y:\n      a()\n  c()\n", content)


CLASS = "class A:\n    def f(self):\n        if a:\n            pass\n"


@pytest.mark.parametrize(
    ("new", "added"),
    [
        (["if a and b:"], ["if a and b:"]),
        (["if a or \\", "b:"], None),
        (["if a or \\", "    b:"], ["if a or \\", "    b:"]),
        (["if f(a,", "b):"], None),
        (["if f(a,", "     b):"], ["if f(a,", "     b):"]),
    ],
)
def test_lines_that_go_on_in_the_next_one(new: list[str], added: list[str] | None) -> None:
    content = None
    if added is not None:
        content = CLASS.replace("        if a:\n", "".join(f"        {line}\n" for line in added))
    check_hunk(CLASS, "-if a:\n" + "".join(f"+{line}\n" for line in new), content)


FOR = "def f():\n    for a in b:\n        if a:\n            x()\n        elif c:\n            y()\n\n    return 1\n"


@pytest.mark.parametrize(
    ("new", "added"),
    [
        # written as the others are, or as deep as the line behind is in the file: both fit
        ("+    else:\n+        z()\n", None),
        ("+        z()\n", "            z()\n"),
        # of a plain line behind one that is not as deep, only one does
        ("+            z()\n", "            z()\n"),
        ("+z()\n", "    z()\n"),
    ],
)
def test_all_lines_of_several_depths_have_lost_the_same(new: str, added: str | None) -> None:
    hunk = f"         x()\n     elif c:\n         y()\n{new} \n return 1\n"
    check_hunk(FOR, hunk, None if added is None else FOR.replace("y()\n", f"y()\n{added}"))


@pytest.mark.parametrize(
    ("new", "added"),
    [
        ("+  args: 1\n", None),  # of the item, or next to it
        ("+    args: 1\n", "    args: 1\n"),
        ("+- id: c\n", "  - id: c\n"),
        ("+  - id: c\n", "  - id: c\n"),
    ],
)
def test_lines_behind_an_item_of_a_list(new: str, added: str | None) -> None:
    file = "  hooks:\n  - id: a\n  - id: b\n"
    content = None if added is None else f"  hooks:\n  - id: a\n{added}  - id: b\n"
    check_hunk(file, f" hooks:\n - id: a\n{new} - id: b\n", content)


@pytest.mark.parametrize(
    ("new", "content"),
    [
        ("  g()\n", "  g()\n"),
        ("  g()\n  h()\n", "  g()\n  h()\n"),
        ("  g()\n    h()\n", None),  # as deep as SEARCH is written
        ("  if x:\n    h()\n", "  if x:\n    h()\n"),
        ("  g()\n   h()\n", "  g()\n   h()\n"),
    ],
)
def test_replace_as_deep_as_the_file_and_as_search(new: str, content: str | None) -> None:
    check_block("  f()\n", "    f()\n", new, content)


STRIPPED = "class A:\n    def f(self):\n        a()\n        b()\n"


@pytest.mark.parametrize(
    ("new", "added"),
    [
        ("\ndef g():\n    pass\n", None),  # in the file, or in the function
        ("\n\nX = 3\n", None),  # and so may any other line behind a blank one
        ("\nc()\n", None),
        ("c()\n", "        c()\n"),
        ("def g():\n    pass\n", "        def g():\n            pass\n"),
    ],
)
def test_a_block_behind_lines_without_their_indentation(new: str, added: str | None) -> None:
    content = None if added is None else STRIPPED + added
    check_hunk(STRIPPED, " a()\n b()\n" + "".join(f"+{line}\n" for line in new.splitlines()), content)
    check_block(STRIPPED, "a()\nb()\n", f"a()\nb()\n{new}", content)
    check_block(STRIPPED, "a()\nb()\n", f"a()\nB()\n{new}", content and content.replace("b()", "B()"))


def test_what_stands_before_a_line_that_stays_is_no_less_deep() -> None:
    check_block(STRIPPED, "b()\n", "c()\n\nd()\nb()\n", STRIPPED.replace("b()", "c()\n\n        d()\n        b()"))
    check_hunk(STRIPPED, " a()\n \n-b()\n+c()\n", STRIPPED.replace("b()", "c()"))


@pytest.mark.parametrize("old", [" b()\n", " a()\n b()\n"])
def test_a_line_behind_a_blank_one_of_the_file(old: str) -> None:
    check_hunk(f"{STRIPPED}\nx\n", f"{old} \n+X = 3\n", None)
    replaced = f"{STRIPPED}\n        c()\n".replace("b()", "d()")
    check_hunk(f"{STRIPPED}\n        c()\n", f"{old.replace(' b', '-b')}+d()\n \n c()\n", replaced)


@pytest.mark.parametrize("line", ["position = 0", "poition = 0"])
def test_a_misspelt_line_shows_how_deep_others_are(line: str) -> None:
    file = "\nclass A:\n    position = 0\n    b = 1\n"
    check_hunk(file, f" \n class A:\n+  x = 1\n   {line}\n", file.replace("    p", "    x = 1\n    p"))
    check_hunk(file, f" \n class A:\n+   x = 1\n   {line}\n", None)


@pytest.mark.parametrize("hunk", ["-a)\n+a)\n", " fn(\n-a)\n+a)\n z\n", " fn(\n-a)\n+a)\n"])
def test_a_line_that_is_removed_and_added_again(hunk: str) -> None:
    check_hunk("fn(\n      a)\nz\n", hunk, None)
    check_hunk("if a:\n    b()\n", " if a:\n-\tb()\n+\tb()\n", None)


BRACES = "f() {\n  if (x) {\n    a();\n  }\n}\n"


@pytest.mark.parametrize("indent", ["", "  ", "      "])
@pytest.mark.parametrize(
    ("new", "content"),
    [
        ("a();\nb();\n}\n", None),  # closes what is open in the file, and is less deep there
        ("a();\n} else {\nb();\n", None),
        ("b(\n1);\nc();\n", None),
        ("a();\nb(1));\nc();\n", None),
        ("a();\nb(1));\n", "    a();\n    b(1));\n"),
        ("a();\nb({});\n", "    a();\n    b({});\n"),
    ],
)
def test_a_line_that_closes_what_no_new_one_opens(indent: str, new: str, content: str | None) -> None:
    new = "".join(f"{indent}{line}\n" for line in new.splitlines())
    check_block(BRACES, f"{indent}a();\n", new, content and BRACES.replace("    a();\n", content))


def test_a_line_in_the_place_of_one_that_closes_as_much() -> None:
    check_block("f(\n    a)\n", "a)\n", "b)\n", "f(\n    b)\n")
    check_block(BRACES, "}\n}\n", "} else {\n}\n}\n", None)


# --- old lines that are all as in the file, but for one, or for some without their sign


LINES = "def f():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n"


@pytest.mark.parametrize("slip", ["     d", "   d", " d", "        d"])
def test_one_line_that_is_not_as_in_the_file(slip: str) -> None:
    old = f"    a = 1\n    b = 2\n    c = 3\n{slip} = 4\n"
    for new in ("    x = 9\n", "    if x:\n        y\n"):
        added = "".join(f"+{line}" for line in new.splitlines(keepends=True))
        content = None if slip.replace("d", "y\n") in added.split("+") else LINES.replace("    c", f"{new}    c")
        check_block(LINES, old, old.replace("    c", f"{new}    c"), content)
        check_hunk(LINES, f"     a = 1\n     b = 2\n{added}     c = 3\n {slip} = 4\n", content)
    # as deep as that line is written
    new = slip.replace("d", "x = 9\n")
    check_block(LINES, old, old.replace("    c", f"{new}    c"), None)
    check_hunk(LINES, f"     a = 1\n     b = 2\n+{new}     c = 3\n {slip} = 4\n", None)


def test_one_line_that_is_not_as_others_that_are_written_so() -> None:
    file = "if x:\n        a()\n    b()\n    c()\n"
    # the line in whose place it is says how deep a new one is, if any does
    old = "    a()\n    b()\n    c()\n"
    check_block(file, old, old.replace("a", "d"), file.replace("a", "d"))
    check_block(file, old, f"    other\n{old}", None)
    # a removed line is as new ones are, behind the signs
    lines = "{\n  a: 1,\n  b: 2,\n}\n"
    check_hunk(lines, " {\n-   a: 1,\n+   a: 9,\n   b: 2,\n", lines.replace("1", "9"))


def test_how_many_others_there_are() -> None:
    # none, one and two that are as in the file
    for count, content in ((1, None), (2, "    a\n    b\n        x\n    c\n")):
        old = "    a\n    b\n     c\n".splitlines(keepends=True)[2 - count :]
        file = "    a\n    b\n    c\n"
        check_block(file, "".join(old), "".join([*old[:-1], "        x\n", old[-1]]), content)
    # at the margin, they may have lost what they do not have
    check_block("a\nb\n    c\n", "a\nb\n  c\n", "a\nb\n  c\n  x\n", "a\nb\n    c\n    x\n")
    # but they would have more if all had more
    check_block("a\nb\nc\n", "a\nb\n c\n", "a\nb\n   x\n c\n", "a\nb\n   x\nc\n")


def test_one_line_with_blanks_of_another_kind() -> None:
    added = "    if x:\n        y\n"
    for indent in ("     ", "   \xa0 "):  # a blank of typography is one that is typed
        old = f"    a = 1\n    b = 2\n{indent}c = 3\n"
        check_block(LINES, old, old.replace("    b", f"{added}    b"), LINES.replace("    b", f"{added}    b"))
    # blanks for a tab may be in new lines, too
    check_hunk("a\nb\nc:\n\td\n", " a\n-b\n+        n\n c:\n     d\n", "a\n\t\tn\nc:\n\td\n")


def test_some_lines_without_their_sign() -> None:
    hunk = "     a = 1\n     b = 2\n+    x = 9\n    c = 3\n    d = 4\n"
    check_hunk(LINES, hunk, LINES.replace("    c", "    x = 9\n    c"))
    check_hunk(LINES, hunk.replace("+    ", "+   "), None)
    # two lines that have lost more
    check_hunk(LINES, hunk.replace("    c", "  c").replace("    d", "  d").replace("+  ", "+    "), None)


def test_one_line_of_a_comment() -> None:
    file = "/** t */\nfunction f() {\n  const a = 1\n  let b\n}\n"
    old = "/** t */\nfunction f() {\n const a = 1\n  let b\n"
    for comment, content in (
        ("/**\n * t\n */\n", None),
        ("/**\n  t */\n", file.replace("/** t */\n", "/**\n  t */\n")),
    ):
        check_block(file, old, old.replace("/** t */\n", comment).replace(" const", "  const"), content)


def test_lines_in_the_place_of_the_first_ones_behind_a_block() -> None:
    # a new line may as well go on with the block, of which all lines have lost their indentation
    file = "if x:\n    a()\n    b()\nc()\nd()\ne()\n"
    old = "if x:\na()\nb()\nc()\nd()\ne()\n"
    check_block(file, old, old.replace("c()\nd()\n", "other = 1\n"), None)
    check_block(file, old, old.replace("c()\n", "other = 1\n"), None)
    check_block(file, old, old.replace("c()\n", "c(1)\n"), file.replace("c()", "c(1)"))  # it is that line
    check_block(file, old, old.replace("d()\n", "other = 1\n"), file.replace("d()", "other = 1"))


def test_new_lines_that_may_go_on_with_what_is_before_a_hunk() -> None:
    file = "class A:\n    def f(self):\n        a\n\n    def g(self):\n        b\n"
    # Like `g`, as the file has it; or, as it is written, a step deeper than `g`, as `a` is.
    check_hunk(file, " \n+    n\n def g(self):\n", None)
    check_hunk(file, " \n+n\n def g(self):\n", file.replace("    def g", "    n\n    def g"))
    check_hunk(file, " \n+    n = 1\n+    m\n def g(self):\n", None)
    # Behind `f` is no line that is as deep as it would be.
    check_hunk("if x:\n    f\ng\n", " f\n+    n\n", "if x:\n    f\n    n\ng\n")


# --- what other hunks show


def test_lines_at_the_margin_beside_hunks_that_have_lost_blanks() -> None:
    file = "import a\n\n\ndef f():\n    if x:\n        b\n    c\n"
    changed = "@@\n   if x:\n-      b\n+      d\n"
    for added, content in (
        ("@@\n import a\n+if a:\n+  import e\n", None),
        (
            "@@\n import a\n+if a:\n+    import e\n",
            file.replace("\n\n\n", "\nif a:\n    import e\n\n\n").replace("  b", "  d"),
        ),
    ):
        result = patch(file, changed + added)
        refused = patch(file, changed).content, ["applied", "indentation"]
        assert (result.content, outcome(result)) == (refused if content is None else (content, ["applied", "applied"]))
    # all that they had
    changed = "@@\n-c\n+e\n"
    for added, content in (
        ("@@\n import a\n+if a:\n+import e\n", None),
        (
            "@@\n import a\n+if a:\n+  import e\n",
            file.replace("\n\n\n", "\nif a:\n  import e\n\n\n").replace("  c", "  e"),
        ),
    ):
        result = patch(file, changed + added)
        refused = patch(file, changed).content, ["applied", "indentation"]
        assert (result.content, outcome(result)) == (refused if content is None else (content, ["applied", "applied"]))


# --- new lines that may be as deep as they are written, or as the old lines show


BODY = "class T:\n    def a(self):\n        x = 1\n        y = 2\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("step", ["    ", "\t"])
@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # a step too deep: a method next to this one, or as the file has these lines, within it
        (BODY, "             x = 1\n             y = 2\n+\n+        def b(self):\n+            z = 3\n", None),
        ("def a():\n    return 1\n\n\nend = 1\n", "         return 1\n+\n+\n+    def b():\n+        return 2\n", None),
        # they can only be as the file
        (
            BODY,
            "             x = 1\n+        z = 3\n             y = 2\n",
            BODY.replace("        y", "        z = 3\n        y"),
        ),
        # or only as the old lines are
        (
            BODY,
            "             x = 1\n+            z = 3\n             y = 2\n",
            BODY.replace("        y", "        z = 3\n        y"),
        ),
        # the place of a line that is deeper than the one before it
        ("a\n    <b>\n        old\n    <c>\n", " a\n <b>\n-    old\n+    new\n <c>\n", None),
    ],
)
def test_new_lines_that_fit_in_two_ways(file: str, hunk: str, content: str | None, step: str, end: str) -> None:
    def written(text: str) -> str:
        return text.replace("    ", step).replace("\n", end)

    signed = "".join(line[0] + written(line[1:]) for line in hunk.splitlines(keepends=True))
    check_hunk(written(file), signed, None if content is None else written(content))


YAML = "jobs:\n  build:\n    runs: a\n    steps: b\n"
IF = "def a():\n    if x:\n        one()\n        two()\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # Text that is trimmed as a whole has lost nothing behind its first line.
        (YAML, "build:\n    runs: a\n    steps: b\n", "build:\n    runs: a\nenv: c\n    steps: b\n", None),
        (IF, "if x:\n        one()\n        two()\n", "if x:\n        one()\n# note\n        two()\n", None),
        (IF, "if x:\n        one()\n        two()\n", "if x:\n        one()\n        two()\nb = 1\n", None),
        # unless what is at the margin has a body of its own, as it has there
        (
            IF,
            "if x:\n        one()\n        two()\n",
            "if x:\n        one()\n        two()\n\n\n@c\ndef b():\n    z()\n",
            f"{IF}\n\n@c\ndef b():\n    z()\n",
        ),
        # deeper than the first line, which opens nothing: it was the first that lost more
        ("a:\n  b:\n    c: 1\n    d: 2\n", "b:\n    c: 1\n    d: 2\n", "c: 1\n    d: 2\n", None),
    ],
)
def test_new_lines_behind_a_first_one_that_is_trimmed(file: str, old: str, new: str, content: str | None) -> None:
    check_block(file, old, new, content)
    hunk = f" {old}".replace("\n", "\n ")[:-1]
    if new.startswith(old):
        added = new.removeprefix(old)
        check_hunk(file, hunk + "".join(f"+{line}\n" for line in added.splitlines()), content)


@pytest.mark.parametrize(("added", "is_known"), [("+env: c\n", False), ("+    env: c\n", True)])
def test_a_line_of_a_hunk_behind_a_first_one_that_is_trimmed(added: str, is_known: bool) -> None:
    content = YAML.replace("    steps", "    env: c\n    steps") if is_known else None
    check_hunk(YAML, f" build:\n     runs: a\n{added}     steps: b\n", content)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        # all that was lost is another amount in each line: the new one may have lost some, too
        ("def f():\n    if x:\n        y()\n", "def f():\nif x:\n", "def f():\nif z:\n    if x:\n"),
        ("def f():\n    if x:\n        y()\n", "def f():\nif x:\n", "def f():\nz()\n    if x:\n"),
        ("def f():\n    if x:\n        y()\n", "def f():\nif x:\n", "def f():\n    if x:\nz()\n"),
        ("a:\n  b:\n    c: 1\n", "a:\nb:\n", "a:\nq:\n  b:\n"),
        (
            "function a() {\n\tif (x) {\n\t\tone();\n\t}\n}\n",
            "if (x) {\none();\n",
            "if (y)\n\tif (x) {\n\t\tone();\n",
        ),
    ],
)
def test_replace_as_the_file_has_it_but_for_a_line_that_is_flat(file: str, old: str, new: str) -> None:
    check_block(file, old, new, None)


def test_replace_as_the_file_has_it_where_a_line_opens_nothing() -> None:
    file = "a:\n  b:\n    c: 1\n"
    # an item of a list may be as deep as its name, and a comment opens nothing
    check_block(file, "a:\nb:\nc: 1\n", "a:\n  b:\n  - q\n    c: 1\n", "a:\n  b:\n  - q\n    c: 1\n")
    check_block(file, "a:\nb:\nc: 1\n", "a:\n  # n:\n  b:\n    c: 1\n", "a:\n  # n:\n  b:\n    c: 1\n")


def test_a_line_of_replace_that_is_as_the_file_has_it() -> None:
    file = "\n# x\ncdef class V(w):\n    pass\n\nend\n"
    old = "# x\ncdef class V(w):\n  pass\n"
    # SEARCH alone has fewer blanks
    added = file.replace("# x\n", "# x\n# y\n")
    check_block(file, old, "# x\n# y\ncdef class V(w):\n    pass\n", added)
    check_block(file, old, "# x\n# y\ncdef class V(w):\n  pass\n", added)
    # in both ways it is the same
    listed = 'class M(m):\n\n    deps = [\n        ("a", "1"),\n    ]\n'
    block_of = 'class M(m):\n    deps = [\n        ("a", "1"),\n'
    check_block(listed, 'class M(m):\n\n    deps = [\n\t("a", "1"),\n', block_of, listed.replace(":\n\n", ":\n"))
    # nested in a new line that is as deep as the old ones are written
    nested = "def f():\n    a = 1\n    if x:\n        y()\n    b = 1\n"
    check_block(
        nested,
        "if x:\n    y()\n",
        "if z:\n    if x:\n        y()\n",
        nested.replace("    if x:\n        y()", "    if z:\n        if x:\n            y()"),
    )


def test_steps_that_are_turned() -> None:
    file = 'def f():\n    # Raise\n    code = c("a")\n\n'
    old = '        # Raise\n    code = c("a")\n'
    check_block(file, old, '        # Raise\n    code: T = c(\n        "a"\n    )\n', None)
    check_block(file, old, '        # Raise\n    code = c("b")\n', file.replace('"a"', '"b"'))


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        # less deep by two blanks, which a line at the margin had not to lose
        (
            "class A:\n    def f(self):\n        a = 1\n        return a\n\n\nclass B:\n    pass\n",
            "       a = 1\n       return a\n+\n+\n+def g(x):\n+  b = 2\n+  return b\n",
        ),
        (".. code::\n\n    A(1)\n    B(2)\n\n.. end\n", "   A(1)\n-  B(2)\n+  B(3)\n+\n+Text behind.\n \n"),
    ],
)
def test_a_line_at_the_margin_that_had_nothing_to_lose(file: str, hunk: str) -> None:
    check_hunk(file, hunk, None)


def test_lines_for_the_preprocessor() -> None:
    file = "void f() {\n  a();\n  b();\n  c();\n}\n"
    check_block(file, "a();\nb();\nc();\n", "a();\n#if X\nb();\n#endif\nc();\n", None)
    check_hunk(file, " a();\n+  /* one\n+     two */\n+#if X\n+  z();\n+#endif\n", None)
    check_hunk(file, " a();\n+#if X\n+ z();\n+#endif\n b();\n", None)
    # `# if` may be a comment
    check_block(file, "a();\nb();\nc();\n", "a();\n# if X\nb();\nc();\n", file.replace("  b", "  # if X\n  b"))
    # some files have them indented
    inner = "void f() {\n  a();\n  #if X\n  b();\n  #endif\n}\n"
    check_block(
        inner,
        "#if X\nb();\n#endif\n",
        "#if X\nb();\n#else\nc();\n#endif\n",
        inner.replace("();\n  #e", "();\n  #else\n  c();\n  #e"),
    )


@pytest.mark.parametrize(
    ("body", "is_known"),
    [("    ", False), ("      ", True), ("       ", False)],
)
def test_a_step_that_the_file_has_not(body: str, is_known: bool) -> None:
    file = "def m():\n    a()\n    b()\n"
    content = file.replace("    b", "    for n in x:\n        r()\n    b") if is_known else None
    check_hunk(file, f"   a()\n+  for n in x:\n+{body}r()\n   b()\n", content)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # nobody knows how deep what goes on is
        ("x || 1,", ["x ||", "D,"]),
        ("x || 1,", ["x &&", "D,"]),
        ("x || 1,", ["y =", "D,"]),
        ("x || 1,", ["y(x)", "          ? a", "          : b,"]),
    ],
)
def test_a_line_that_goes_on_behind_one_that_is_trimmed(old: str, new: list[str]) -> None:
    file = f"f(\n        {old}\n        c);\n"
    check_hunk(file, f"-{old}\n" + "".join(f"+{line}\n" for line in new), None)


def test_steps_with_more_blanks_where_lines_have_fewer() -> None:
    file = "fn a() {\n    if x {\n        y\n    }\n}\n\nfn b() {}\n"
    check_block(file, "      }\n    }\n", "      }\n      js();\n    }\n", None)
    check_block(file, "    }\n  }\n", "    }\n    js();\n  }\n", None)


METHODS = "class A:\n    def f(self):\n        a()\n        b()\n\n    def h(self):\n        c()\n"


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # all lines are two steps less deep: a method, or a function behind the class
        (
            "class A:\n    def f(self):\n        if x:\n            a()\n",
            " if x:\n     a()\n+\n+def g(y):\n+    b()\n",
            None,
        ),
        # the next line of the file is deeper than that
        (
            METHODS,
            " def f(self):\n     a()\n     b()\n+\n+def g(self):\n+    d()\n",
            METHODS.replace("    def h", "    def g(self):\n        d()\n\n    def h"),
        ),
    ],
)
def test_a_part_behind_all_lines_that_have_lost_the_same(file: str, hunk: str, content: str | None) -> None:
    check_hunk(file, hunk, content)


# --- hunks and blocks whose old lines show no rule, and blocks in which lines change places


LOST = "def f():\n    if x:\n        go(1)\n    end()\n"


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # new lines are as deep as the file, and old ones have lost all
        (" if x:\n-go(1)\n+        go(2)\n end()\n", LOST.replace("1", "2")),
        ("-if x:\n-go(1)\n+    if x:\n+        go(2)\n end()\n", LOST.replace("1", "2")),
        ("-if x:\n-go(1)\n+    if y:\n+        go(1)\n end()\n", LOST.replace("x", "y")),
        ("-if x:\n-go(1)\n+    if y:\n+    go(1)\n end()\n", None),  # flat
        # new lines have lost all, too, and resemble those in whose place they are
        (" if x:\n-go(1)\n+go(2)\n end()\n", LOST.replace("1", "2")),
        (" if x:\n-go(1)\n+stop()\n+go(2)\n end()\n", None),
    ],
)
def test_a_hunk_that_has_lost_different_blanks(hunk: str, content: str | None) -> None:
    check_hunk(LOST, hunk, content)


def test_lines_of_a_block_that_change_places() -> None:
    file = "    a\n\n    b\n    c\n\n    d\n"
    for new, content in (
        ("a\nb\n\nc\n\nd\n", "    a\n    b\n\n    c\n\n    d\n"),
        ("c\n\nd\na\n\nb\n", "    c\n\n    d\n    a\n\n    b\n"),
        ("b\na\n\nx\n", "    b\n    a\n\n    x\n"),
    ):
        check_block(file, "a\n\nb\nc\n\nd\n", new, content)


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # SEARCH has more blanks for each step, and REPLACE those of the file
        (
            "m {\n  .w{\n    x: 1;\n  }\n}\n",
            "m {\n    .w{\n        x: 1;\n    }\n",
            "m {\n  .w{\n    x: 2;\n  }\n",
            "m {\n  .w{\n    x: 2;\n  }\n}\n",
        ),
        # both sides are too deep, each by something else
        ("top\ninclude a\ninclude b\nend\n", " include a\n include b\n", "  include a\n  include x\n", None),
        ("top\n  a {\n    b\n  }\n", "      a {\n        b\n      }\n", "    a {\n      c\n    }\n", None),
        # tabs for blanks, and blanks behind them that are no step
        ("{\n\tf(a);\n\tg();\n}\n", "    f(a);\n    g();\n", "    f(a,\n      b);\n    g();\n", None),
        ("{\n\t/*\n\t * a\n\t */\n}\n", "    /*\n     * a\n", "    /*\n     * b\n", "{\n\t/*\n\t * b\n\t */\n}\n"),
        # a line that closes more brackets than it opens may end with `:` and be deeper than what follows
        (
            "def f(a,\n      b):\n    go()\n",
            "def f(a,\n      b):\n  go()\n",
            "def f(a,\n      c):\n    go()\n",
            "def f(a,\n      c):\n    go()\n",
        ),
    ],
)
def test_blocks_with_other_steps_than_the_file(file: str, old: str, new: str, content: str | None) -> None:
    check_block(file, old, new, content)


LOOP = "for p in q:\n    if p:\n        a(p)\n        b(p)\n"
IN_LOOP = "for p in q:\n    if p:\n"
CALLING = "def f():\n    x = 1\n    g(\n        a,\n    )\n\ndef h():\n    i()\n"
METHOD = "class A {\n  f() {\n    const r = c();\n    for (x) {\n      y();\n    }\n    return r;\n  }\n}\n"


@pytest.mark.parametrize("by", ["hunk", "block"])
@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # a line of before would be deeper, and nothing says why
        ("on:\n  push:\n    x: 1\n", "x: 1\n", "  x: 1\ny: 2\n", None),
        ("a:\n  b:\n    c: 1\n    d: 2\n", "c: 1\nd: 2\n", "  c: 1\n  d: 2\ne: 3\n", None),
        (LOOP, "a(p)\nb(p)\n", "    a(p)\n    b(p)\n", None),
        (LOOP, "a(p)\nb(p)\n", "    a(p)\n    b(p)\nc()\n", None),
        (LOOP, "a(p)\nb(p)\n", "    a(p)\n    if r:\n        b(p)\nc()\n", None),
        # the body in which it is begins with a new line
        (
            LOOP,
            "a(p)\nb(p)\n",
            "if r:\n    a(p)\n    b(p)\nc()\n",
            "        if r:\n            a(p)\n            b(p)\n        c()\n",
        ),
        (LOOP, "a(p)\nb(p)\n", "if (r)\n    a(p)\nb(p)\n", "        if (r)\n            a(p)\n        b(p)\n"),
        # another one is as deep as it was
        (LOOP, "a(p)\nb(p)\n", "b(p)\nif r:\n    a(p)\n", "        b(p)\n        if r:\n            a(p)\n"),
        # what closes something shows nothing: many lines are like it
        (METHOD, "for (x) {\n  y();\n}\n", "    r.s();\n    return r;\n}\ng() {\n", None),
        # the first new line would not be in the body that begins before it, or not begin where the first old one did
        (LOOP + "        if r:\n            c()\n        d()\n", "    c()\nd()\n", "c()\ne()\nf()\n", None),
        (CALLING, "g(\n    a,\n)\n", "    k(b)\n)\n", None),
    ],
)
def test_both_sides_may_have_lost_other_blanks(by: str, file: str, old: str, new: str, content: str | None) -> None:
    content = IN_LOOP + content if content else None
    if by == "hunk":
        removed, added = (
            "".join(f"{sign}{line}\n" for line in text.splitlines()) for sign, text in (("-", old), ("+", new))
        )
        check_hunk(file, removed + added, content)
    else:
        check_block(file, old, new, content)


def test_lines_that_would_be_less_deep_may_be_as_deep_as_before() -> None:
    file = "class A:\n    def f(self):\n        return [\n            a,\n        ]\n\n    def g(self):\n        b()\n"
    check_block(file, "        a,\n    ]\n\ndef g(self):\n    b()\n", "    a,\n]\n", None)
    # but not behind a line with which no body begins
    check_block(LOOP, "if p:\n    a(p)\n    b(p)\n", "a(p)\nb(p)\n", "for p in q:\n    a(p)\n    b(p)\n")
    file = "for p in q:\n    c()\n    if p:\n        a(p)\n"
    check_block(file, "if p:\n    a(p)\n", "a(p)\n", "for p in q:\n    c()\n    a(p)\n")


def test_new_lines_beside_a_line_that_closes_something() -> None:
    content = CALLING.replace("    )\n", "    )\n    j()\n")
    check_hunk(CALLING, " )\n+j()\n", content)
    check_block(CALLING, ")\n", ")\nj()\n", content)


DOCUMENTED = "def f():\n    '''Doc.\n\n        s()\n\n    When a,\n    b,\n    c.\n    '''\n"


@pytest.mark.parametrize(
    ("new", "content"),
    [
        ("# x\n            # y\n            z = 1\n\n        When a,\n        b,\n        c.\n", None),
        ("# x\n        # y\n", None),
        ("# x\n", "    # x\n"),
        ("# x\n    When a,\n    b,\n", "    # x\n    When a,\n    b,\n"),
        ("When a,\n        # y\n", "    When a,\n        # y\n"),
    ],
)
def test_a_comment_that_is_trimmed_alone_fits_to_the_next_line(new: str, content: str | None) -> None:
    old = "    When a,\n    b,\n    c.\n"
    check_block(DOCUMENTED, old.lstrip(), new, None if content is None else DOCUMENTED.replace(old, content))
