"""What brackets, lists and steps of the file say of how deep new lines are, where old lines are not as deep."""

from __future__ import annotations

import pytest

from streamparse.diff import str_replace
from tests.diff.kit import outcome
from tests.diff.test_depth import check_block, check_hunk

F = "f {\n    p\n    q\n    s\n}\n"
CLASS = "class A {\n  a: number;\n\n  get() {\n    return 1;\n  }\n}\n"
GET = "get() {\n  return 1;\n}\n"
SET = "\nset(a) {\n  this.a = a;\n}\n"
JOBS = "jobs:\n  build:\n    steps:\n      - uses: a\n      - run: |\n          make\n      - uses: b\n"
STEPS = "steps:\n  - name: A\n    run: |\n      go a\n"


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # `T:` would be behind what `}` closes
        (F, " p\n-q\n+    r\n+T:\n+    u\n s\n", None),
        (F, " p\n-q\n+    r\n+ T:\n+    u\n s\n", F.replace("    q\n", "    r\n T:\n    u\n")),
        (F, " p\n-q\n+    r\n+    u\n s\n", F.replace("q\n", "r\n    u\n")),
        # a further part, a comment, or what closes something is as deep as that
        (F, " p\n-q\n+    r\n+default:\n+    u\n s\n", F.replace("    q\n", "    r\ndefault:\n    u\n")),
        # no bracket is closed behind it, or not as the first sign of a line
        (F[:-2], " p\n-q\n+    r\n+T:\n+    u\n s\n", F[:-2].replace("    q\n", "    r\nT:\n    u\n")),
        (
            F[:-2] + "x }\n",
            " p\n-q\n+    r\n+T:\n+    u\n s\n",
            F[:-2].replace("    q\n", "    r\nT:\n    u\n") + "x }\n",
        ),
    ],
)
def test_a_new_line_within_brackets_is_deeper_than_what_closes_them(file: str, hunk: str, content: str | None) -> None:
    check_hunk(file, hunk, content)


@pytest.mark.parametrize(
    ("old", "new", "content"),
    [
        ("  b();\n}\n", "  b();\nc();\n}\n", None),
        ("  b();\n}\n", "  b();\n  c();\n}\n", "    b();\n    c();\n}\n"),
        ("  b();\n}\n", "  b();\n}\nc();\n", "    b();\n}\nc();\n"),
        ("  b();\n}\n", "  b();\n// c\n}\n", "    b();\n// c\n}\n"),
    ],
)
def test_a_line_before_one_that_stays_and_closes(old: str, new: str, content: str | None) -> None:
    file = "f() {\n  if (x)\n    a();\n  else\n    b();\n}\n"
    check_block(file, old, new, None if content is None else file.replace("    b();\n}\n", content))


def test_a_part_that_must_be_within_the_brackets_that_are_closed_behind_it() -> None:
    added = "\n  set(a) {\n    this.a = a;\n  }\n"
    check_block(CLASS, GET, GET + SET, CLASS[:-2] + added + "}\n")
    # Without the `}`, it may stand behind the class.
    check_block(CLASS[:-2], GET, GET + SET, None)


@pytest.mark.parametrize(
    ("new", "added"),
    [
        # removed behind the `}` of its block
        (" if (a) {\n-throw e;\n }\n+throw e;\n };\n", None),
        (" if (a) {\n-throw e;\n }\n };\n", "  if (a) {\n  }\n"),
        # before another one in its block
        (" if (a) {\n-throw e;\n+throw e;\n+return;\n }\n };\n", None),
    ],
)
def test_a_removed_line_that_comes_to_another_block(new: str, added: str | None) -> None:
    file = "f {\n  if (a) {\n    throw e;\n  }\n};\n"
    check_hunk(file, new, None if added is None else f"f {{\n{added}}};\n")


@pytest.mark.parametrize(
    ("old", "new", "content"),
    [
        ("if a\nx()\nend\n", "if a\nx()\nend\nend\n", None),  # it may be the outer one
        ("if a\nx()\nend\nend\n", "if a\nend\nx()\nend\n", None),  # on the other side of a line that ends something
    ],
)
def test_lines_that_are_as_deep_as_equal_old_ones(old: str, new: str, content: str | None) -> None:
    check_block("def f\n    if a\n        x()\n    end\nend\n", old, new, content)


def test_lines_that_change_places_in_their_block() -> None:
    file = "f {\n  if (a) {\n    x;\n    y;\n  }\n}\n"
    check_hunk(file, " if (a) {\n-x;\n y;\n+x;\n }\n", file.replace("    x;\n    y;\n", "    y;\n    x;\n"))


def test_where_the_file_has_lines_that_are_no_deeper_than_the_brackets_around_them() -> None:
    check_block("n {\nx\n  a\n}\n", "x\n   a\n", "x\ny\n   a\n", "n {\nx\ny\n  a\n}\n")
    check_block("n {\n x\n  a\n}\n", " x\n   a\n", " x\ny\n   a\n", None)


def test_a_line_is_deeper_than_the_one_before_it_by_a_step_of_the_file() -> None:
    file = "f {\n  a;\n  if (x) return y;\n  while (z) {\n    b;\n  }\n}\n"
    for step, content in (("    ", None), ("  ", file.replace("(x) return", "(x)\n    return"))):
        hunk = f"     a;\n-    if (x) return y;\n+    if (x)\n+    {step}return y;\n"
        check_hunk(file, hunk, content)


@pytest.mark.parametrize(
    ("inner", "is_known"),
    [
        ("      a, b\n", False),
        ("        a, b\n", True),
        ("            a, b\n", False),
    ],
)
@pytest.mark.parametrize("has_half", [False, True])
def test_a_line_in_open_brackets_is_deeper_by_a_step_of_the_file(inner: str, is_known: bool, has_half: bool) -> None:
    file = "class A:\n    def f(self):\n        x = g(a, b)\n        return x\n"
    file += "y = [\n  1,\n]\n" if has_half else ""
    result = str_replace(file, "    x = g(a, b)", f"    x = g(\n{inner}    )")
    is_known = is_known or (has_half and inner.startswith("      a"))
    content = file.replace("x = g(a, b)", f"x = g(\n    {inner}        )") if is_known else file
    assert (result.content, outcome(result)) == (content, ["applied" if is_known else "indentation"])


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # As it is written, the item is as deep as the other, and by the rule as none.
        (STEPS, "     go a\n+  - name: B\n+    run: |\n+      go b\n", None),
        # It is as deep as none as it is written.
        (STEPS, "     go a\n+- name: B\n+  run: |\n+    go b\n", STEPS + "  - name: B\n    run: |\n      go b\n"),
    ],
)
def test_an_item_that_is_as_deep_as_others_as_it_is_written(file: str, hunk: str, content: str | None) -> None:
    check_hunk(file, hunk, content)


@pytest.mark.parametrize(
    ("new", "content"),
    [
        ("def g():\n    if c:\n        import u\n", None),  # what is behind it may go on below `import u`
        ("if c:\n    import u\n", "    if c:\n        import u\n"),
        ("if c:\n", "    if c:\n"),
    ],
)
def test_new_lines_before_a_body_that_has_lost_its_head(new: str, content: str | None) -> None:
    file = "def f():\n    if a:\n        return 1\n    if b:\n        import w\n"
    check_block(file, "if b:\n", new, None if content is None else file.replace("    if b:\n", content))


@pytest.mark.parametrize(
    ("added", "content"),
    [
        ("+     a):\n", None),  # one blank too deep, as the removed line
        ("+    a):\n", "    a):\n"),
        ("+         a):\n", None),
        ("+      a):\n", "      a):\n"),
    ],
)
def test_a_new_line_with_as_many_blanks_too_many_as_a_removed_one(added: str, content: str | None) -> None:
    file = " f(\n        a, b):\n\n    c\n"
    check_hunk(file, f"  f(\n-         a, b):\n{added} \n     c\n", content and f" f(\n{content}\n    c\n")


@pytest.mark.parametrize(
    ("new", "content"),
    [
        ("        a,\n        b,\n    )\n", None),  # by the rule, `)` is as deep as the line that opens it
        ("        a,\n        b,\n)\n", "        a,\n        b,\n)\n"),
        ("        a,\n        b,\n  )\n", None),
    ],
)
def test_a_bracket_is_closed_as_deep_as_the_line_that_opens_it(new: str, content: str | None) -> None:
    check_block("d(\n        a, b)\nc\n", "            a, b)\n", new, content and f"d(\n{content}c\n")


@pytest.mark.parametrize("less", [1, 2, 4])
def test_a_line_behind_an_item_is_not_as_deep_as_its_mark(less: int) -> None:
    old = "      - uses: b\n"[less:]
    check_block(JOBS, old, old + "        with:\n"[less:], JOBS + "        with:\n")


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # The list is as deep as what it belongs to, so that a further key is, too: it may be meant in both ways.
        ("a:\n    b:\n    - x: 1\n", "  - x: 1\n", "  - x: 1\n    y:\n", None),
        ("a:\n    b:\n    - x: 1\n", "  b:\n  - x: 1\n", "  b:\n  - x: 1\n    y:\n", None),
        ("a:\n  - x: 1\n", "- x: 1\n", "- x: 1\n  y:\n", "a:\n  - x: 1\n    y:\n"),
    ],
)
def test_a_line_behind_a_list_that_is_as_deep_as_its_name(file: str, old: str, new: str, content: str | None) -> None:
    check_block(file, old, new, content)
