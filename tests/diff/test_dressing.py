"""Blocks that are written otherwise than they are meant, and new lines that are none."""

from __future__ import annotations

import pytest

from streamparse.diff import index, str_replace
from streamparse.diff.placeholder import is_placeholder
from tests.diff.kit import apply, block, outcome, patch, tree

FILE = "a\nb\nc\nd\ne\n"


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        (FILE, "a\n...\ne\n", "A\n...\nE\n", "A\nb\nc\nd\nE\n"),
        (FILE, "a\n…\nc\n...\ne\n", "A\n…\nc\nx\n...\n", "A\nb\nc\nx\nd\n"),
        ("a\n\nb\n", "a\n...\nb\n", "A\n...\nb\n", "A\n\nb\n"),
        ("  a  \nb\r\nc\n", "a\n...\nc\n", "a\n...\nx\n", "  a  \nb\r\nx\n"),
        # the second is a line of the file, which stays or is replaced
        ("a\nb\nc\n...\nd\n", "a\n...\nc\n...\nd\n", "a\n...\nc\n...\nD\n", "a\nb\nc\n...\nD\n"),
        ("a\nb\nc\n...\nd\n", "a\n...\nc\n...\nd\n", "a\n...\nc\n  ...\nd\n", "a\nb\nc\n  ...\nd\n"),
        (FILE, "```py\nb\n```\n", "```py\nB\nx\n```\n", "a\nB\nx\nc\nd\ne\n"),
        (FILE, "~~~\nb\n~~~\n", "B\n", "a\nB\nc\nd\ne\n"),
        # the lines are in a fence of the file, too
        ("a\n```py\nb\n```\n", "```\n```py\nb\n```\n```\n", "```py\nc\n```\n", "a\n```py\nc\n```\n"),
        ("a\n```py\nb\n```\n", "```\n```py\nb\n```\n```\n", "```\n```py\nc\n```\n```\n", "a\n```py\nc\n```\n"),
        ("a\n```py\nb\n```\n", "```\n```py\nb\n```\n```\n", "c\n", "a\nc\n"),
        (FILE, "```\nb\n```\n", "", "a\nc\nd\ne\n"),
        ("a < b\n", "a &lt; b\n", "a &gt; b &amp;&amp; &quot;c&#39;\n", "a > b && \"c'\n"),
        ("a < b\n", "a &lt; b\n", "a > b\n", "a > b\n"),
        # signs that are not written so, and none like them that are
        ("a < b\n", "a &lt; b\n", "a &lt; b && c &quot;it's&quot;\n", 'a < b && c "it\'s"\n'),
        ("a < b\n", "a &lt; b\n", 'f("it\'s") &lt; 1 &amp; 2\n', 'f("it\'s") < 1 & 2\n'),
        ("a < b\n", "a &lt; b\n", "&copy; &lt;\n", "&copy; <\n"),
        ("a < b\n", "a &lt; b\n", "&amp;copy; &amp;amp;\n", "&copy; &amp;\n"),
        ("make\n", "  ```sh\nmake\n```\n", "```sh \nmake x\n  ```\n", "make x\n"),
        ("", "\n", "x\n", "x\n"),
        ("", " \n\n", "x\n", "x\n"),
        ("x\na\nx\n", ":start_line:[1]\n-------\nx\n", "y\n", "y\na\nx\n"),
        ("x\na\nx\n", ":start_line:[3]\n-------\nx\n", "y\n", "x\na\ny\n"),
    ],
)
def test_what_is_meant(original: str, old: str, new: str, content: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (content, ["applied"])


NESTED = "a {\n  em {\n    bg: 1;\n  }\n  bg: 1;\n}\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # The inner line is meant as well as the outer one, which is there to the letter.
        (NESTED, "em {\n...\n  bg: 1;\n", "em {\n...\n  bg: 9;\n", None),
        (NESTED, "em {\n  }\n...\n  bg: 1;\n", "em {\n  }\n...\n  bg: 9;\n", None),
        # To the letter, and with one rule for all.
        (NESTED, "  em {\n...\n  bg: 1;\n", "  em {\n...\n  bg: 9;\n", NESTED.replace("  bg: 1;\n}", "  bg: 9;\n}")),
        ("a:\n\tb\n\tc\ne\n\tc\n", "a:\n...\n    c\ne\n", "a:\n...\n    d\ne\n", "a:\n\tb\n\td\ne\n\tc\n"),
        # Only the first line was trimmed, as the next shows.
        (
            "  a {\n    x\n    y\n    z\n  z\n",
            "a {\n    x\n...\n    z\n",
            "a {\n    x\n...\n    w\n",
            "  a {\n    x\n    y\n    w\n  z\n",
        ),
        # There is no other such line.
        ("  a\nb\nc\n", "a\n...\nc\n", "a\n...\nx\n", "  a\nb\nx\n"),
    ],
)
def test_all_parts_have_one_indentation(file: str, old: str, new: str, content: str | None) -> None:
    result = apply(file, block(old, new))
    assert (result.content, outcome(result)) == (
        content or file,
        ["not_found" if content is None else "applied"],
    )


TWO = "function a() {\n  one();\n  two();\n  return 1;\n}\n\nfunction b() {\n  one();\n  return 2;\n}\n"
METHODS = "class A:\n    def f(self):\n        x()\n        return 1\n\n    def g(self):\n        return 2\n"


@pytest.mark.parametrize(
    ("file", "lines", "is_found"),
    [
        # The last line stands in another block than the lines before `...`, whether these begin it or are in it.
        (TWO, "function a() {\n  ...\n  return 2;\n", False),
        (TWO, "function a() {\n  ...\n  return 2;\n}\n", False),
        (TWO, "function a() {\n  ...\n  return 1;\n}\n", True),
        (TWO, "  two();\n  ...\n  return 2;\n", False),
        (TWO, "  two();\n  ...\nfunction b() {\n", True),
        (TWO, "function a() {\n  ...\nfunction b() {\n  one();\n  return 2;\n", True),
        (METHODS, "    def f(self):\n        ...\n        return 2\n", False),
        (METHODS, "class A:\n    def f(self):\n        ...\n        return 2\n", False),
        (METHODS, "        x()\n        ...\n        return 2\n", False),
        (METHODS, "class A:\n    ...\n        return 2\n", True),
        (METHODS, "    def f(self):\n        ...\n    def g(self):\n", True),
        (METHODS, "        x()\n        ...\n    def g(self):\n", True),
        (METHODS, "class A:\n    ...\n    def g(self):\n        return 2\n", True),
        # All lines before count, those that are left out, too.
        (METHODS, "class A:\n    ...\n        x()\n        ...\n        return 2\n", False),
        (METHODS, "class A:\n    ...\n        x()\n        ...\n    def g(self):\n", True),
        ("a:\n  image: x\n  port: 1\nb:\n  image: y\n  tag: 2\n", "a:\n  image: x\n  ...\n  tag: 2\n", False),
        ("a {\n  top: 1;\n}\nb {\n  top: 2;\n  left: 2;\n}\n", "a {\n  top: 1;\n  ...\n  left: 2;\n", False),
        ("a:\n\tb\n\tc\n        d\n\te\n", "a:\n\tb\n...\n\te\n", True),
        ("a:\n\tb\n    c\n       d\n        e\n", "a:\n\tb\n...\n        e\n", True),
        ("a:\n\tb\nc\n       d\n        e\n", "a:\n\tb\n...\n        e\n", False),
        # What goes on with a line before ends no block, and nothing does that has its own place in C.
        ("def f(\n    a,\n    b,\n) -> int:\n    x()\n    return 1\n", "def f(\n    a,\n...\n    return 1\n", True),
        ("def f(\n    a,\n) -> int:\n    x()\n    return 1\n", ") -> int:\n...\n    return 1\n", True),
        ("int f()\n{\n#if X\n    a();\n\n#endif\n    b();\n}\n", "int f()\n...\n    b();\n", True),
        ("  int f()\n  {\n#if X\n    a();\n  }\n    b();\n", "  int f()\n  {\n#if X\n...\n    b();\n", False),
        # What opens nothing has no lines in it: those behind are in what is left out, or not even there.
        ("try:\n    a = 1\nexcept E:\n    b = 1\n", "    a = 1\n...\n    b = 1\n", False),
        ("f:\n  a = 1\n  else\n    b = 1\n", "f:\n  a = 1\n...\n    b = 1\n", True),
        ("f:\n  a = 1\n else\n    b = 1\n", "  a = 1\n...\n    b = 1\n", False),
        ("<i>\n</b>\n<p>\n  x\n", "</b>\n...\n  x\n", True),
        ("<i>\n<b>\n<p>\n  x\n", "<b>\n...\n  x\n", False),
        ("if a {\n}\nelse {\n  x\n", "}\n...\n  x\n", True),
        ("if a {\n} else if b {\n} else {\n  x\n", "} else if b {\n...\n  x\n", False),
        # Comments and what says who may use members may be at the margin; what they are about may not.
        ("class A {\n  int x;\npublic:\n  int b();\n", "class A {\n...\n  int b();\n", True),
        ("class A {\n  int x;\npublic slots:\n# b\n  int b();\n", "class A {\n...\n  int b();\n", True),
        ("class A {\n  int x;\npublic int f() {\n  int b();\n", "class A {\n...\n  int b();\n", False),
    ],
)
def test_lines_are_left_out_of_one_block(file: str, lines: str, is_found: bool) -> None:
    before, behind = lines.rsplit("...\n", 1)
    first, *others = behind.splitlines(keepends=True)
    changed = first.replace("\n", "x\n")
    expected = (file.replace(first, changed), ["applied"]) if is_found else (file, ["not_found"])
    new = lines.replace(first, changed)
    context = "".join(f" {line}" for line in f"{before}...\n".splitlines(keepends=True))
    hunk = f"{context}-{first}+{changed}" + "".join(f" {line}" for line in others)
    size = len(lines.splitlines())
    for result in (
        apply(file, block(lines, new)),
        str_replace(file, lines, new),
        patch(file, f"@@\n{hunk}"),
        patch(file, f"@@ -1,{size} +1,{size} @@\n{hunk}"),
    ):
        assert (result.content, outcome(result)) == expected


LONG = "def f():\n    a()\n    b()\n    c()\n    d()\n    e()\n"
CODE = "# ... existing code ..."


@pytest.mark.parametrize(
    ("elision", "other", "expected"),
    [
        ("...", "...", "applied"),
        ("    ...", "…", "applied"),
        (CODE, CODE, "applied"),
        (f"    {CODE}", CODE, "applied"),
        ("    // rest of the code", "// rest of the code", "applied"),
        ("/* ... */", "    /* ... */", "applied"),
        ("    pass  # ... existing code ...", "    pass  # ... existing code ...", "applied"),
        # It must be the same line, and one that says so.
        (CODE, "# ... other code ...", "placeholder"),
        (CODE, "...", "placeholder"),
        ("...", CODE, "placeholder"),
        (CODE, "    x()", "placeholder"),
        ("# more", "# more", "not_found"),
    ],
)
def test_a_comment_stands_for_lines_as_dots_do(elision: str, other: str, expected: str) -> None:
    old, new = f"def f():\n    a()\n{elision}\n    e()\n", f"def f():\n    A()\n{other}\n    E()\n"
    content = LONG.replace("a()", "A()").replace("e()", "E()") if expected == "applied" else LONG
    for result in (
        apply(LONG, block(old, new)),
        apply(LONG, block(old, new), path="a.py"),
        str_replace(LONG, old, new),
    ):
        assert (result.content, outcome(result)) == (content, [expected])


@pytest.mark.parametrize("elision", ["...", "    …", CODE, f"    {CODE}", "    // rest of the code"])
def test_a_comment_is_context_for_lines_as_dots_are(elision: str) -> None:
    for header in ("@@", "@@ -1,5 +1,5 @@", "@@ -1,6 +1,6 @@"):
        result = patch(LONG, f"{header}\n def f():\n-    a()\n+    A()\n {elision}\n-    e()\n+    E()\n")
        assert (result.content, outcome(result)) == (LONG.replace("a()", "A()").replace("e()", "E()"), ["applied"])
        assert result.edits[0].fixes == ("context is left out with `...`",)
        result = patch(LONG, f"{header}\n def f():\n-    a()\n+    A()\n-{elision}\n-    e()\n+{elision}\n+    E()\n")
        assert (result.content, outcome(result)) == (LONG, ["not_found"])


def test_a_comment_of_the_file_stands_for_nothing_else() -> None:
    file = LONG.replace("    c()\n", f"    {CODE}\n")
    old = f"def f():\n    a()\n{CODE}\n    e()\n"
    for text in (file, f"{LONG}{CODE}\n"):
        assert outcome(apply(text, block(old, old.replace("a()", "A()")))) == ["not_found"]
        assert outcome(patch(text, f"@@\n def f():\n-    a()\n {CODE}\n-    e()\n")) == ["not_found"]
    # dots stand for it as for any line
    dots = old.replace(CODE, "...")
    assert apply(file, block(dots, dots.replace("a()", "A()"))).content == file.replace("a()", "A()")
    # and it is context that may be wrong, where it is written twice
    text = f"@@\n def f():\n-    a()\n     b()\n     {CODE[2:]}\n"
    assert outcome(patch(file, text)) == ["not_found"]


def test_several_comments_stand_for_lines_in_their_order() -> None:
    one, other = "# ... existing code ...", "# ... rest of the code ..."
    file = "a\nb\nc\nd\ne\n"
    old = f"a\n{one}\nc\n{other}\ne\n"
    assert apply(file, block(old, old.replace("c\n", "C\n"))).content == "a\nb\nC\nd\ne\n"
    new = f"a\n{other}\nc\n{one}\ne\n"
    result = apply(file, block(old, new))
    assert (result.content, outcome(result)) == (file, ["placeholder"])
    assert result.failures[0].message == (
        "The old lines have `# ... existing code ...` for lines that are left out, and the new ones do not have it as "
        "often. Repeat the block and write the lines out."
    )
    twice = f"a\n{one}\nc\n{one}\ne\n"
    assert apply(file, block(twice, twice.replace("c\n", "C\n"))).content == "a\nb\nC\nd\ne\n"
    assert outcome(apply(file, block(twice, f"a\n{one}\nC\ne\n"))) == ["placeholder"]
    assert outcome(apply(file, block(old, f"{old}{one}\n"))) == ["placeholder"]


@pytest.mark.parametrize(
    ("original", "old", "new", "reason"),
    [
        (FILE, "a\n...\ne\n", "A\nE\n", "placeholder"),
        (FILE, "a\n...\ne\n", "A\n...\nx\n...\nE\n", "placeholder"),
        (FILE, "a\n...\ne\n", "A\nE\n...\n", "placeholder"),  # at another place
        (FILE, "a\n...\ne\n", "\n...\nE\n", "placeholder"),
        (FILE, "a\n...\n", "A\n...\n", "not_found"),
        (FILE, "e\n...\na\n", "A\n...\nE\n", "not_found"),
        (FILE + "e\n", "a\n...\ne\n", "A\n...\nE\n", "not_found"),
        (FILE, "a\n...\nx\n", "A\n...\nE\n", "not_found"),
        (FILE, "a\n...\nb\n", "A\n...\nb\n", "not_found"),  # nothing is left out
        # the file has such a line there, and another line is missing or that one is indented
        ("a\n...\nb\nc\n", "a\n...\nc\n", "a\n...\nx\n", "not_found"),
        ("a\nb\nc\n  ...\nd\n", "a\n...\nc\n...\nd\n", "a\n...\nc\n...\nD\n", "not_found"),
        # new lines before a blank line that is left out, or behind it
        ("a\n\nb\nc\nd\ne\n", "a\nb\n...\ne\n", "a\nx\nb\n...\ne\n", "ambiguous"),
        (FILE, "```py\nb\n```\n", "```py\nB\n", "bad_marker"),
        (FILE, "```py\nb\n```\n", "B\n```\n", "bad_marker"),
        ("a < b\n", "a &lt; b\n", "a &gt; b > c\n", "bad_marker"),
        # a sign that is not written so shows that others like it are none
        ("a < b\n", "a &lt; b\n", "a &lt; b.replace(/&/g, '&amp;')\n", "bad_marker"),
        ("a < b\n", "a &lt; b\n", "a &lt; b && c &amp; d\n", "bad_marker"),
        ("a < b\n", "a &lt; b\n", "&copy; &amp;\n", "bad_marker"),
        ("a < b\n", "a &lt; b\n", 'f("&quot;")\n', "bad_marker"),
        ("a < b\n", "a &lt; b\n", "it's &#39;\n", "bad_marker"),
        ("a < b\n", "a &lt; b\n", "it's &apos;\n", "bad_marker"),
        ("a < b\n", "a &lt; b\n", "it's\n&#x27;\n", "bad_marker"),
        # the fence is what is to be changed
        ("~~~\nmake\n~~~\n", "```\nmake\n```\n", "```sh\nmake\n```\n", "not_found"),
        ("````\nmake\n````\n", "```\nmake\n```\n", "```sh\nmake\n```\n", "not_found"),
        ("```bash\nmake\n```\n", "```\nmake\n```\n", "```sh\nmake\n```\n", "not_found"),
        ("make\n", "```\nmake\n```\n", "```sh\nmake x\n```\n", "not_found"),
        ("make\n", "```\nmake\n```\n", "```\nmake x\n````\n", "not_found"),
        ("a < b > c\n", "a &lt; b > c\n", "x\n", "not_found"),
        ("a < b\n", "a &lt; c\n", "x\n", "not_found"),
        ("a\n", "\n", "x\n", "not_found"),
        ("x\na\nx\n", ":start_line:[y]\n-------\nx\n", "y\n", "bad_marker"),
    ],
)
def test_what_is_not_certain(original: str, old: str, new: str, reason: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (original, [reason])
    if ":start_line:" not in old and old.strip():
        assert outcome(str_replace(original, old, new)) == [reason]


@pytest.mark.parametrize(
    ("old", "new", "fixes"),
    [
        ("if a < b\n", "x\n", ()),
        ("2 | if a < b\n", "2 | x\n", ("line numbers in front of lines are left out",)),
        ("```\nif a < b\n```\n", "```\nx\n```\n", ("a fence around the lines is left out",)),
        ("if a &lt; b\n", "x\n", ("signs that were written as HTML has them are signs",)),
        (
            "2 | if a\u00a0< b\n",
            "2 | x\n",
            (
                "line numbers in front of lines are left out",
                "quotes, dashes or blanks of typography are those that one types, as in the file",
            ),
        ),
    ],
)
def test_what_was_taken_off_is_told(old: str, new: str, fixes: tuple[str, ...]) -> None:
    result = apply("y\nif a < b\nz\n", block(old, new))
    assert (result.content, result.edits[0].fixes) == ("y\nx\nz\n", fixes)
    if "```" not in old:
        hunk = "".join(f"-{line}\n" for line in old.splitlines()) + "".join(f"+{line}\n" for line in new.splitlines())
        assert patch("y\nif a < b\nz\n", f"@@\n{hunk}").edits[0].fixes == fixes


def test_dots_that_are_in_the_file_are_lines() -> None:
    original = "def f():\n    ...\n    ```\nx &lt; y\n"
    assert apply(original, block("def f():\n    ...\n", "def g():\n    ...\n")).content == original.replace(
        "f()", "g()"
    )
    assert apply(original, block("x &lt; y\n", "x &gt; y\n")).content == original.replace("lt", "gt")


def test_lines_that_are_left_out_cost_something(monkeypatch: pytest.MonkeyPatch) -> None:
    for budget, expected in ((3, "applied"), (2, "not_found")):
        monkeypatch.setattr(index, "_SIMILAR", budget)
        assert outcome(apply(FILE, block("a\n...\ne\n", "A\n...\nE\n"))) == [expected]


@pytest.mark.parametrize(
    "line",
    [
        "# ...",
        "//...",
        "/* … */",
        "<!-- ... -->",
        "(rest of the file unchanged)",
        "[rest of the file unchanged]",
        "# ... existing code ...",
        "    // ... existing code ...",
        "// rest of file unchanged",
        "# rest of the code remains the same",
        "<!-- ... existing code ... -->",
        "<!-- rest of the page unchanged -->",
        "/* ... rest of styles ... */",
        "{/* rest of component unchanged */}",
        "... existing code ...",
        "… existing code …",
        "[... rest of the file unchanged ...]",
        "# (rest of the code remains unchanged)",
        "// existing code here",
        "// ... 40 lines skipped",
        "# ... code above ...",
        "// ... file truncated",
        "# unchanged",
        "// same as before",
        "-- ... rest of query unchanged",
        "# ... existing code for parsing ...",
        "...existing code...",
        "…existing code…",
        "<%-- ... existing code ... --%>",
        "{# ... existing code ... #}",
        "REM ... existing code ...",
        "' ... existing code ...",
        "* ... existing code ...",
        "pass  # ... existing code ...",
        "{ /* ... existing code ... */ }",
        "return x; // … rest unchanged …",
        "// (rest of the file remains exactly the same)",
        "# leave the rest unchanged",
        "[...]",
        "  [ … ]",
        "// remains the same",
        "# stays exactly as before",
        "# ... (rest stays)",
        "# the rest of the code follows",
        "/* … [all existing options of the parser] */",
        "... (the existing lines for parsing)",
        "// -- snip --",
        "/* ---snip--- */",
        "# [snip]",
        "... snip ...",
        "// same code as above",
        "# Same code as before.",
        "<rest of file>",
        "''' ... existing code ... '''",
        '"""...the rest of the code..."""',
        "/* Rest of CSS remains unchanged */",
        "    # ... more code ...",
        "    pass  # rest of the code",
        "// === existing code ===",
        "// lines 3-40 unchanged",
        "// ... 40 lines unchanged",
        "// [Previous code remains]",
        "// For brevity, the rest is omitted",
        "// No changes to other methods",
        "<!-- Rest of the HTML -->",
        "{/* rest of JSX */}",
        "{- ... existing code ... -}",
        "@* existing code *@",
        "@* ... *@",
        "{{!-- existing code --}}",
        "dnl ... existing code ...",
        '" ... existing code ...',
        "-- existing columns",
        "# ... more ...",
        "// . . .",
        "// ⋮",
        "# ..",
        "# (snip)",
        "# ... (snip)",
        "# … (snip)",
        "// TODO: rest of the code",
        "return x;  // ... rest unchanged",
        "... # existing code",
        "// code continues",
        "# rest of the implementation",
        "// ... rest of your code",
        "// ... other methods remain unchanged",
        "# --- existing code ---",
        "// The rest of the component stays the same",
        "/* ... */",
        "// ...existing code...",
        "# imports omitted for brevity",
        "// rest of the function remains the same...",
        "# [existing code]",
        "// <existing code>",
        "// Keep existing code",
        "# keep the existing imports",
        "<!-- existing content -->",
        "// rest of the code...",
        "// unchanged code",
        "# remaining methods unchanged",
        "// other functions are unchanged",
        "# ... unchanged ...",
        "// ... (unchanged)",
        "# Existing code remains unchanged",
        "# (existing code)",
        "// ... previous code ...",
        "// (other methods unchanged)",
        "# same as original",
        "# everything else remains the same",
        "# all other code remains unchanged",
        "# ... rest of class ...",
        "// ... other imports",
        "# lines 10 to 20 omitted",
        "// --- rest of file ---",
        "; ... existing code ...",
        "% ... existing code ...",
        "(* ... existing code ... *)",
        "# same as above",
        "//  ... rest of the code remains unchanged ...",
        "# The rest of your code here",
        "# existing methods...",
        "...",
        "…",
    ],
)
def test_lines_that_stand_for_others_are_a_failure(line: str) -> None:
    result = apply(FILE, block("b\n", f"B\n{line}\n"))
    assert (result.content, outcome(result)) == (FILE, ["placeholder"])
    assert result.failures[0].message == (
        f"`{line.strip()}` stands for lines that are left out. Repeat the block and write the lines out."
    )
    # one of the lines in whose place they come is a line, but no second one, and none elsewhere in the file
    assert outcome(apply(f"b\n  {line}\n", block(f"b\n  {line}\n", f"B\n{line}\n"))) == ["applied"]
    assert outcome(apply(f"b\n{line}\n", block(f"b\n{line}\n", f"{line}\nB\n{line}\n"))) == ["placeholder"]
    assert outcome(apply(f"b\n  {line}\n", block("b\n", f"B\n{line}\n"))) == ["placeholder"]


@pytest.mark.parametrize(
    "before",
    [
        "def f():",
        "    def f(self) -> int:  # x",
        'def f():\n        """Documented."""',
        "class A:\n\n        r'''Documented.\n\n    More.\n        '''",
        "@x\nclass A: ",
        "def f(a,\n          b):",
        "def f(\n    a,\n) -> dict[\n    str, int\n]:",
    ],
)
def test_dots_are_all_there_is_to_a_block_of_python(before: str) -> None:
    new = f"{before}\n        ...\n"
    assert apply(FILE, block("b\n", new)).content == FILE.replace("b\n", new)
    text = "".join(f"+{line}\n" for line in new.splitlines())
    assert patch(FILE, f"@@\n a\n-b\n{text} c\n").content == FILE.replace("b\n", new)


def test_dots_in_the_place_of_a_body() -> None:
    file, done = "def f():\n    return 1\nx\n", "def f():\n    ...\nx\n"
    assert apply(file, block("    return 1\n", "    ...\n")).content == done
    assert patch(file, "@@ -2 +2 @@\n-    return 1\n+    ...\n").content == done
    assert patch(file, "@@\n-    return 1\n+    ...\n x\n").content == done
    assert str_replace(file, "    return 1\n", "    ...\n").content == done
    assert str_replace(file, "return 1", "...").content == done
    assert outcome(apply(file, block("x\n", "...\n"))) == ["placeholder"]
    # The line before them has a text in three quotes, and does not end with it.
    new = 'def f(a="""x"""):\n    ...\n'
    assert apply("x\n", block("x\n", new)).content == new


def test_a_whole_new_file_of_git_has_all_lines() -> None:
    new = "x = 1\n# -- existing contents -------\ny = 2\n"
    text = "--- /dev/null\n+++ b/t.py\n@@ -0,0 +1,{} @@\n" + "".join(f"+{line}\n" for line in new.splitlines())
    assert patch("", text.format(3)).content == new
    assert outcome(patch("", text.format(4), accept_truncated=True)) == ["placeholder"]
    # nor has any other that git writes, also where blank lines are all that it shows
    assert patch("a\n\n\nb\n", "--- a/f\n+++ b/f\n@@ -3,1 +3,2 @@\n \n+...\n").content == "a\n\n\n...\nb\n"


@pytest.mark.parametrize(
    ("header", "is_applied"),
    [
        ("@@ -2,2 +2,3 @@", True),  # as a program counts
        ("@@ -3,2 +3,3 @@", False),  # another number than a program would write
        ("@@ -2,2 +2,4 @@", False),
        ("@@ -2,1 +2,3 @@", False),
        ("@@ -2,3 +2,3 @@", False),
        ("@@ -2 @@", False),
        ("@@", False),
        ("@@ @@", False),
    ],
)
def test_lines_of_a_patch_that_stand_for_others_are_a_failure(header: str, is_applied: bool) -> None:
    text = f"--- a/f\n+++ b/f\n{header}\n-b\n+B\n+  # ... existing code ...\n c\n"
    result = patch(FILE, text, accept_truncated=True)
    assert outcome(result) == ["applied" if is_applied else "placeholder"]
    if not is_applied:
        assert result.failures[0].message == (
            "`# ... existing code ...` stands for lines that are left out. Repeat the hunk and write the lines out."
        )


def test_they_are_a_failure_beside_anything_that_a_program_does_not_write() -> None:
    text = "@@ -1,3 +1,3 @@\n {}\n-b\n+# ... existing code ...\n c\n"
    assert outcome(patch(FILE, text.format("a"))) == ["applied"]
    assert outcome(patch(FILE, text.format("  a"))) == ["placeholder"]  # trimmed
    assert outcome(patch("'a'\nb\nc\n", text.format("‘a’"))) == ["placeholder"]
    assert outcome(patch("alpha beta gamma\nb\nc\n", text.format("alpha beta gama"))) == ["placeholder"]  # a slip


def test_dots_are_a_body_only_if_nothing_else_is_in_it() -> None:
    file = "class A:\n    x = 1\n\n    def f(self):\n        return 1\n"
    for path in (None, "a.py"):
        cut = file.replace("x = 1", "...").replace("return 1", "return 2")
        for result in (
            apply(file, block(file, cut), path=path),
            str_replace(file, file, cut, path=path),
            patch(file, "@@\n class A:\n-    x = 1\n+    ...\n \n     def f(self):\n", path=path),
            patch(file, "@@\n-class A:\n+class B:\n+    ...\n     x = 1\n", path=path),
            apply(file, block("class A:\n", "class B:\n    ...\n"), path=path),
            apply(file, block("class A:\n", 'class B:\n    """It."""\n    ...\n'), path=path),
            apply(file, block("        return 1\n", "        ...\n    # more\n        return 1\n"), path=path),
            apply(file, block("        return 1\n", '        """It.\n\n        That."""\n    ...\n'), path=path),
            apply(file, block("        return 1\n", '        x = """It."""\n        ...\n'), path=path),
            apply(
                file, block("        return 1\n", '        """It."""\n        x = """It."""\n        ...\n'), path=path
            ),
        ):
            assert (result.content, outcome(result)) == (file, ["placeholder"])
    new = file.replace("return 1", "...\n    # more\nx = 2")
    assert apply(file, block("        return 1\n", "        ...\n    # more\nx = 2\n"), path="a.py").content == new


@pytest.mark.parametrize(
    "lines",
    [
        "def f():\n...\n",
        "x = {1:\n    ...\n",
        "    b):\n        ...\n",
        '    """It."""\n    ...\n',
        "    # It:\n        ...\n",
        "\tdef f():\n          ...\n",
    ],
)
def test_dots_behind_what_begins_no_body(lines: str) -> None:
    assert outcome(apply("b\n", block("b\n", lines))) == ["placeholder"]


def test_no_other_language_has_dots_for_a_body() -> None:
    file, cut = "if:\n  x: 1\n  y: 2\n", "if:\n  ...\n"
    assert outcome(apply(file, block(file, cut + "  y: 3\n"))) == ["placeholder"]
    assert apply(file, block(file, cut)).content == cut
    assert outcome(apply(file, block(file, cut), path="a.yml")) == ["placeholder"]
    assert outcome(str_replace(file, file, cut, path="a.yml")) == ["placeholder"]
    text = "@@\n if:\n-  x: 1\n-  y: 2\n+  ...\n"
    assert outcome(patch(file, text, path="a.yml")) == ["placeholder"]
    header = "*** Begin Patch\n*** Update File: {}\n"
    for name, move, expected in (
        ("a.yml", "", ["placeholder"]),
        ("a.pyi", "", ["applied"]),
        ("a.pyi", "*** Move to: a.yml\n", ["placeholder"]),
    ):
        result = tree({name: file}, header.format(name) + move + text + "*** End Patch\n")
        assert [failure.reason for failure in result.failures] == [one for one in expected if one != "applied"]
    blocks = f"{{}}\n{block(file, cut)}"
    assert [failure.reason for failure in tree({"a.yml": file}, blocks.format("a.yml")).failures] == ["placeholder"]
    assert tree({"a.pyi": file}, blocks.format("a.pyi")).ok


def test_other_dots_of_the_file_are_none_of_these_lines() -> None:
    file = "@overload\ndef f(a):\n    ...\n\ndef g():\n    a()\n    b()\n    c()\n"
    assert outcome(apply(file, block("    a()\n    b()\n    c()\n", "    a()\n    ...\n    d()\n"))) == ["placeholder"]
    whole, stub = "def f(a):\n    ...\n", "def g():\n    a()\n    b()\n    c()\n"
    old = f"{whole}\n{stub}"
    # those of the body of f are there still, so that others are new
    cut = old.replace("    b()\n", "    ...\n")
    assert outcome(apply(file, block(old, cut), path="a.py")) == ["placeholder"]
    # what was the body of f may get more lines
    more = old.replace("    ...\n", "    ...\n    a()\n")
    assert apply(file, block(old, more), path="a.py").content == file.replace(old, more)
    # dots that stay, with others that are a body
    text = "x\n...\ny\n"
    assert apply(text, block(text, text + whole)).content == text + whole


def test_old_lines_of_a_patch_stand_for_nothing() -> None:
    line = "# ... existing code ...\n"
    assert outcome(patch(FILE + line, f"--- a/f\n+++ b/f\n@@\n-b\n+B\n+  {line} c\n")) == ["placeholder"]
    text = f"--- a/f\n+++ b/f\n@@\n-b\n-{line}+B\n+  {line} c\n"
    assert outcome(patch(FILE.replace("b\n", f"b\n{line}"), text)) == ["applied"]


def test_lines_of_a_directed_patch_that_stand_for_others_are_a_failure() -> None:
    lines = "-b\n+B\n+// ... rest of the file unchanged\n"
    assert outcome(patch(FILE, f"*** Begin Patch\n*** Update File: f\n@@\n{lines}*** End Patch\n")) == ["placeholder"]
    new = "*** Begin Patch\n*** Add File: f\n+a\n+# ...\n*** End Patch\n"
    assert outcome(patch("", new)) == ["placeholder"]


@pytest.mark.parametrize(
    "line",
    [
        "...",
        "    ...",
        "...rest",
        "{...rest}",
        "def f(): ...",
        "* ...",
        "(...)",
        "[..., 1]",
        "x = [...]",
        "f(...)[...]",
        "# etc.",
        "# snip",
        "# -- snip here --",
        "snip",
        "// same logic as above",
        "<rest>",
        "<rest of='file'>",
        "<section here>",
        '"""..."""',
        "''' ... x ... '''",
        '"""... existing code"""',
        "x = ''' ... existing code ... '''",
        "# remains",
        "# stays open",
        "# it stays",
        "# here",
        "# ... (see the parser)",
        "...(rest)",
        "... (rest) and more",
        "# the rest of the arguments is read by the parser",
        "# existing users are not migrated",
        "// same width as the header",
        "# ... and then it waits",
        "- the rest",
        "(rest, other)",
        "(unchanged)",
        "(rest of file)x",
        "/* existing */ int x;",
        "# ... existing code and a great many words more than anyone would say of it ...",
        "# rest " + "x" * 120,
        "...rest,",
        "...existing",
        "..., rest",
        "remaining = 3",
        "' existing code '",
        "REMOVE ... rest ...",
        "print('... rest ...')",
        "x  # the rest",
        "see // rest ...",
        "# the rest of the arguments are optional",
        "// existing users keep their ids",
        "# previous value",
        "// unchanged since v2",
        "# see more below",
        "-- remaining amount",
        "# other imports are lazy",
        "// continue with the next item",
        "--unchanged",
        "#existing-code {",
        "# the same.",
        "# the rest.",
        "# Other utility methods.",
        "# other tests.",
        "// same line.",
        "# Original implementation:",
        "# TODO: remaining tests",
        "// TODO: same for the rest",
        "# more tests",
        "# no changes to the database",
        '" ... existing text ... "',
        "x = 1  # unchanged",
        "data = f.read()  # rest of the file",
        "x = 1  # ...",
        "# keep the connection open",
        "# lines 3-40",
        "# 40 lines",
        "// other",
        "# remaining",
        "// skipped",
        "# read the rest of the file",
        "# these lines remain unchanged if the flag is set",
        "# existing",
        "# previous method",
        "// the code continues to run",
        "# rest in peace",
        "# restore the original settings",
        "# the original file is here for tests",
        "# more",
        "# more...",
        "# same here",
        "# test skipped",
        "# Tests skipped",
        "# file skipped",
        "# content truncated",
        "# 5 lines above",
        "# Line 3 is below",
        "// omit",
        "// nothing changes here",
        "// your code here",
        "// tests go here",
        "(snip)",
        "(* the rest of it is read later *)",
        '"--rest"',
        "see ... more",
    ],
)
def test_lines_that_are_lines(line: str) -> None:
    assert not is_placeholder(line)


@pytest.mark.parametrize(
    ("before", "rest", "is_cut"),
    [
        ("<<<<<<<", "<", True),
        ("-------", "<<<<", True),
        ("-------", "--", True),
        ("<<<<<<<", "-------", False),
        ("", "<<<<", True),
        ("", "---", False),
        ("", "----", True),
        ("<<<<<<<", "<<<< x", False),
        ("<<<<<<<", "<" * 201, False),
    ],
)
def test_a_diff_that_ends_in_a_piece_of_a_start_marker_is_cut(before: str, rest: str, is_cut: bool) -> None:
    diff = block("b\n", "B\n", f"{before} SEARCH") if before else ""
    result = apply(FILE, diff + rest)
    assert ("truncated" in outcome(result)) is is_cut
    assert outcome(apply(FILE, diff + rest + "\n")).count("truncated") == 0


@pytest.mark.parametrize("original", ["a\n\nb\n", "a\n\n" * 100])
def test_a_fence_with_nothing_in_it_is_nowhere(original: str) -> None:
    assert outcome(apply(original, block("```\n```\n", "x\n"))) == ["not_found"]
    assert apply("```\n```\n", block("```\n```\n", "x\n")).content == "x\n"


TAILED = "a\nb\nc\n"


@pytest.mark.parametrize("tail", [" ", "  ", "\t"])
@pytest.mark.parametrize(
    ("old", "new", "content"),
    [
        (["a~", "b~"], ["a~", "B~"], "a\nB\nc\n"),
        (["a~"], ["A~"], "A\nb\nc\n"),
        (["a~", "b~"], ["a~", "B~", "~", "C"], "a\nB\n\nC\nc\n"),
        (["a~", "b"], ["a~", "B~"], "a\nB~\nc\n"),  # where only some have it, new lines are as they are written
        (["a", "b"], ["a", "B~"], "a\nB~\nc\n"),
    ],
)
def test_blanks_at_the_ends_of_all_old_lines(tail: str, old: list[str], new: list[str], content: str) -> None:
    before, after = ("".join(f"{line}\n" for line in lines).replace("~", tail) for lines in (old, new))
    same = int(old[0] == new[0])  # context
    signs = (" ", old[:same]), ("-", old[same:]), ("+", new[same:])
    hunk = "".join(f"{sign}{line}\n" for sign, lines in signs for line in lines).replace("~", tail)
    results = patch(TAILED, f"@@\n{hunk}"), str_replace(TAILED, before, after), apply(TAILED, block(before, after))
    assert [result.content for result in results] == [content.replace("~", tail)] * 3


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        ("a\nb  \n", "a  \nb  \n", "a  \nB  \n", "a\nB  \n"),  # the file has them on a line
        ("a\nb\n", "a  \nb \n", "a  \nB  \n", "a\nB  \n"),  # not the same
        ("a\nb\nc\nd\n", "a  \n...\nd  \n", "a  \n...\nD  \n", "a\nb\nc\nD  \n"),  # nor lines that are left out
    ],
)
def test_blanks_at_ends_that_show_nothing(file: str, old: str, new: str, content: str) -> None:
    assert apply(file, block(old, new)).content == content


def test_blanks_at_ends_around_a_misspelt_line() -> None:
    file = "start()\nreturn position\nend()\n"
    hunk = " start()  \n return poition  \n-end()  \n+stop()  \n"
    assert patch(file, f"@@\n{hunk}").content == file.replace("end", "stop")


def test_two_carriage_returns_at_the_ends_of_all_lines() -> None:
    for file, end in (("a\nb\nc\n", "\n"), ("a\r\nb\r\nc\r\n", "\r\n")):
        text = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n".replace("\n", "\r\r\n")
        assert patch(file, text).content == f"a{end}B{end}c{end}"
        assert str_replace(file, "a\r\r\nb\r\r\n", "a\r\r\nB\r\r\n").content == f"a{end}B{end}c{end}"
