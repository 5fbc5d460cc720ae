"""How deep new lines are, where the old ones are not indented as in the file: that is certain, or a failure."""

from __future__ import annotations

import pytest

from streamparse.diff import SearchReplaceStream, apply_patch, apply_search_replace, evidence, str_replace
from streamparse.diff.indent import Indentation, most_usual, steps_of
from streamparse.diff.python import SyntaxFlaw, flaw
from streamparse.diff.structure import is_flat, is_plain, opens
from tests.diff.kit import apply, block, is_same_with_returns, outcome

CLASS = "class A:\n    def f(self):\n        if x:\n            return 1\n        a()\n        b()\n"
BODY = "a:\n    b\n    c:\n        d\n    e\n"
STRIPPED = "a:\nb\nc:\nd\ne\n"


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        # lines that correspond: as many, and like them
        (CLASS, "if x:\nreturn 1\n", "if y:\nreturn 3\n", CLASS.replace("x", "y").replace("1", "3")),
        (
            "class A:\n    def f(self):\n        if x:\n            return 1\n",
            "if x:\nreturn 1\n",
            "if y:\nreturn 3\n",
            "class A:\n    def f(self):\n        if y:\n            return 3\n",
        ),
        # blanks behind a new line stay
        (CLASS, "if x:\nreturn 1\n", "if y:\nreturn 3  \n", CLASS.replace("x", "y").replace("1", "3  ")),
        # one line is not as deep, and no other is that one
        ("x:\n    a\n  b\n", "x:\n  a\n", "x:\n  c\n", "x:\n    c\n  b\n"),
        ("x\n \n\na\n", "x\n\n", "y\n\n", "y\n \n\na\n"),
        # between two lines of one indentation
        (CLASS, "return 1\na()\nb()\n", "return 1\na()\nc()\nb()\n", CLASS.replace("a()\n", "a()\n        c()\n")),
        # in the place of lines that are as deep as the next one
        (BODY, STRIPPED, STRIPPED.replace("b\n", "x\ny\n"), BODY.replace("    b\n", "    x\n    y\n")),
        # one line for one with all that belongs to it
        (CLASS, "if x:\nreturn 1\na()\n", "y()\na()\n", CLASS.replace("if x:\n            return 1\n", "y()\n")),
        # lines that are left out leave the others as they are, unless those belong to them
        (CLASS, "return 1\na()\nb()\n", "return 1\nb()\n", CLASS.replace("        a()\n", "")),
        (CLASS, "if x:\nreturn 1\na()\n", "a()\n", CLASS.replace("        if x:\n            return 1\n", "")),
        # a copy of a line, with nothing else in its place
        (BODY, STRIPPED, STRIPPED.replace("b\n", "b\nb\n"), BODY.replace("    b\n", "    b\n    b\n")),
        # lines that occur twice, as often as before
        ("if x:\n  a\n  y\na\n", "if x:\na\ny\na\n", "if x:\na\na\n", "if x:\n  a\na\n"),
        # REPLACE is indented like the file, SEARCH is not
        (CLASS, "if x:\nreturn 1\n", "        if x:\n            return 2\n", CLASS.replace("1", "2")),
        (CLASS, "if x:\nreturn 1\n", "        y()\n", CLASS.replace("if x:\n            return 1\n", "y()\n")),
        (CLASS, "            a()\n", "        c()\n", CLASS.replace("a()", "c()")),
        # the first line alone is trimmed
        (
            CLASS,
            "if x:\n            return 1\n",
            "if y:\n            return 2\n",
            CLASS.replace("x", "y").replace("1", "2"),
        ),
        # all lines have lost the same
        (CLASS, "a()\nb()\n", "if y:\n    b()\na()\n", CLASS[:-24] + "        if y:\n            b()\n        a()\n"),
        # SEARCH has its steps, and REPLACE those of the file
        ("    a\n  b\n", "  a\nb\n", "    c\n    d\n", "    c\n    d\n"),
        # below `if x:` a line is deeper
        (
            CLASS,
            "                return 1\n            a()\n",
            "            c()\n",
            CLASS.replace("return 1\n        a()", "c()"),
        ),
        ("if x:\n  a\n", "\ta\n", "\tb\nc\n", "if x:\n  b\nc\n"),  # a tab is a step
        ("if x:\n  if y:\n    a\n", "\t\ta\n", "\t\tb\nc\n", "if x:\n  if y:\n    b\nc\n"),
    ],
)
def test_the_indentation_is_certain(original: str, old: str, new: str, content: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (content, ["applied"])
    assert is_same_with_returns(original, block(old, new), result)


@pytest.mark.parametrize(
    ("original", "old", "new"),
    [
        (CLASS, "if x:\nreturn 1\n", "if y:\nz()\nreturn 3\n"),
        (CLASS, "if x:\nreturn 1\na()\n", "return 1\na()\n"),  # what opened the block is gone
        (CLASS, "return 1\na()\n", "return 1\nc()\na()\n"),  # at the end of one block or the beginning of another
        (CLASS, "if x:\nreturn 1\n", "if x:\n    return 1\nc()\n"),
        (CLASS, "return 1\na()\n", "c()\na()\n"),  # in the place of the last line of a block, or behind the block
        (CLASS, "if x:\nreturn 1\na()\nb()\n", "if x:\nreturn 1\na()\nimport c\n"),
        (CLASS, "a()\n", "if y:\na()\n"),  # the new lines have lost theirs, too
        (CLASS, "a()\n", "c(\nd)\n"),
        (CLASS, "a()\n", "if y:\n  a()\n"),  # another step than that of the file
        (CLASS, "a()\n", "c()\n    d()\n"),  # deeper than what does not begin a block
        (CLASS, "a()\n", "a()\n\ndef g():\n    pass\n"),  # it may belong at the margin
        (CLASS, "    a()\n", "  c()\n"),  # like neither
        # a tab is two steps, or the lines have lost one of them
        ("if x:\n  if y:\n    a\n", "\ta\n", "\tb\nc\n"),
        ("if x:\n  a\n", "\t\ta\n", "\t\tb\n\tc\n"),
        (CLASS, "\ta()\n", "\tif y:\n\t\tb()\n"),
        (CLASS, "            a()\n", "        c()\n            a()\n"),  # like both
        # what was around a line goes: it may be as deep as before, or less
        ("if x:\n  if y:\n    a\n", "    if y:\n      a\n", "    a\n    c\n"),
        (BODY, STRIPPED, STRIPPED + "x\n"),
        # where lines of the file are deep for no reason that shows, so may be new ones
        (BODY.replace("c:", "c"), STRIPPED.replace("c:", "c"), STRIPPED.replace("c:", "c").replace("b\n", "b\nx\n")),
        (BODY, STRIPPED, STRIPPED.replace("d\n", "x\n  y\n")),
        ("if x:\n  a\n  y\na\n", "if x:\na\ny\na\n", "if x:\na\n"),  # one of two, which are not as deep
        ("f {\n  a\nb = 1\n", "f {\na\nb = 1\n", "f {\na\na\nc\n"),  # a copy and another line, for one
        ("f:\n  a\n\ng:\n  b\n", "f:\na\n\ng:\nb\n", "f:\na\nc\n"),  # for what is last in the file
        ("f {\n  a\n}\n", "f {\na\n}\n", "f {\na\n}\na\n"),  # a copy next to lines that are not as deep
        ("f {\n  g {\n    a\n  }\n}\n", "f {\ng {\na\n}\n}\n", "f {\nb\n}\n}\n"),  # for what is not closed then
        ("if x:\n  a\n  b\na\nc\n", "a\nb\na\n", "b\na\na\n"),  # moved, and which of the two is where
        ("x\n  a\n\n    a\nb\n", "a\n\na\n", "\na\na\n"),  # the blank line between them is before both
        # as often as before, but what is behind them is there twice, so that one of them may be another
        ("  a {\n    b\n  }\n}\nc\nd\n", "a {\nb\n}\n}\nc\nd\n", "a {\n}\nc\n}\nc\nd\n"),
        ("- a\n  b\n- c\n", "- a\nb\n- c\n", "- a\nx\ny\n- c\n"),
        # all of it is as it was, or only some is left, so REPLACE was to be deeper
        ("x\n    a\n    b\n", "a\nb\n", "    a\n    b\n"),
        ("x\n    a\n    b\n    a\n", "a\nb\na\n", "    a\n\n    a\n"),
        ("x\n  a\n    b\n", "a\nb\n", "  a\n    b\n"),
        ("a\nb:\n      c\n", "a\nb:\n  c\n", "a\nb:\n      c\n"),
        # a line that is not as deep, next to one that is: the first of them was perhaps left out
        ("if x:\n    a\n  a\n", "if x:\n  a\n", "if x:\n  b\n"),
        ("  a\na\nb\n", "  a\nb\n", "  c\nb\n"),
        ("x\na\n  a\n  a\n", "x\n  a\n  a\n", "x\n  a\n  b\n"),  # the same for all lines behind one
        # a line is moved past one that is not as deep: it may belong to another block now
        ("a:\n  b: 1\n  c:\n    d: 2\n  e: 3\n", "d: 2\ne: 3\n", "e: 3\nd: 2\n"),
        ("def f():\n    if a:\n        return 1\n    y = 2\n", "if a:\nreturn 1\ny = 2\n", "if a:\ny = 2\nreturn 1\n"),
        # a new line is deeper than those that stay beside it
        ("    a\n    b\nc\nd\n", "    a\nb\nc\n", "c\n    n\n"),
        # lines that are written less deep are deeper in the file
        ("p:\n    y = 1\n    q:\n        a\n", "    y = 1\n    q:\na\n", "y = 2\n    q:\na\n"),
        # all lines are at the margin, in a file where no sign shows what opens a body, and the file ends with them
        (".a\n  b: 1\n.c\n  d: 1\n", "d: 1\n", "&:hover\ncolor: red\n"),
        ("\n\ta\n\nb\n  a\n", "\n  a\n", "\n  a\n  c\n"),  # each is written as it stands elsewhere
        ("\ta\nb\n", "a\nb\n", "x\na\nb\n"),  # the file begins there
        # no rule, and no old line that is written so
        ("a\n      b\n", "a\n    b\n", "x\n        y\n"),
        ("a\n\t b\n", "a\n  b\n", "x\n    y\n"),
        ("a\n    b\n      c\n", "a\n  b\n    c\n", "a\n  b\n      x\n"),
        ("    a\n", "        a\n", "        x\n  y\n"),
        ("  a\n", "\ta\n", "\tx\n    y\n"),
        # the least deep lines differ, or a line is half a step deep
        ("    a\n        b\n", "  a\n    b\n", "  x\n    y\n      z\nw\n"),
        ("  a\n    b\n", "    a\n        b\n", "    w\n      x\n            y\n"),
        # no line of the file shows a step
        ("        a\n", "    a\n", "x\n    y\n"),
        ("    a\n    b\n", "a\n  b\n", "a\n    x\n"),
    ],
)
def test_what_is_not_certain_is_a_failure(original: str, old: str, new: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (original, ["indentation"])
    assert "how deep the new lines are to be is not certain" in result.failures[0].message
    assert result.failures[0].message.endswith(
        "Repeat the block with the indentation of the file, in the old lines and in the new ones."
    )
    assert is_same_with_returns(original, block(old, new), result)


def test_what_is_not_certain_waits_for_the_end_of_the_block_and_what_is_certain_does_not() -> None:
    stream = SearchReplaceStream(CLASS)
    assert [event.type for event in stream.feed("------- SEARCH\nif x:\nreturn 1\n=======\nif y:\n")] == [
        "block_started",
        "matched",
    ]
    events = stream.feed("return 3\n+++++++ REPLACE\n")
    assert [(event.type, event.delta) for event in events[:1]] == [
        ("replacement_delta", "        if y:\n            return 3\n")
    ]


def test_a_line_that_stays_is_that_of_the_file_if_only_the_old_lines_have_lost_their_indentation() -> None:
    original = "{\n  home: x,\n  version: 1,\n  author: The Team,\n  main: m,\n}\n"
    old = "home: x,\nversion: 1,\nauthor: the team,\nmain: m,\n"
    new = "  home: x,\n  version: 2,\n  author: the team,\n  main: m,\n"
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (original.replace("1", "2"), ["applied"])


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("   z\n", None),  # like neither
        ("    z\n", None),  # as deep as the line before it in the file
        ("     z\n", "f(\n    a,\n    z\n    b,\n)\n"),
    ],
)
def test_a_new_line_that_is_less_deep_than_all_that_is_too_deep(line: str, content: str | None) -> None:
    original, old = "f(\n    a,\n    b,\n)\n", " f(\n     a,\n     b,\n )\n"
    result = apply(original, block(old, old.replace("     b", f"{line}     b")))
    assert (result.content, outcome(result)) == (content or original, ["applied" if content else "indentation"])


def test_blocks_that_are_given_their_places_at_the_end_are_judged_there() -> None:
    original = "if x:\n    a\nif y:\n    a\n"
    assert outcome(apply(original, block("a\n", "if z:\nb\n") * 2)) == ["indentation"] * 2


@pytest.mark.parametrize(("budget", "expected"), [(16, "applied"), (15, "applied"), (14, "indentation")])
def test_lines_are_compared_as_long_as_there_is_a_budget(
    monkeypatch: pytest.MonkeyPatch, budget: int, expected: str
) -> None:
    # a little for each line, and as much as it has characters
    monkeypatch.setattr(evidence, "BUDGET", budget)
    diff = block("if x:\nreturn 1\n", "if y:\nreturn 3\n")
    assert outcome(apply(CLASS, diff)) == [expected]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("x.py", ["indentation"]), ("x.pyi", ["indentation"]), ("x.rb", ["applied"]), (None, ["applied"])],
)
def test_a_file_that_is_python_stays_python(path: str | None, expected: list[str]) -> None:
    original = "if x:\n    if y:\n        a()\n    b()\n"
    diff = block("a()\n", "else\n") + block("    b()\n", "    c()\n")
    result = apply(original, diff, path=path)
    assert outcome(result) == [*expected, "applied"]
    if path and expected == ["indentation"]:
        assert result.failures[0].message == (
            "The lines to be replaced are not written with the indentation of the file, and with the new lines the "
            "file would no longer be Python (invalid syntax, at `else`). "
            "Repeat the block with the indentation of the file, in the old lines and in the new ones."
        )
        assert result.content == original.replace("b()", "c()")


def test_python_that_stays_python_or_was_none() -> None:
    original = "if x:\n    a()\n"
    assert apply(original, block("a()\n", "b()\n"), path="x.py").content == "if x:\n    b()\n"
    assert outcome(apply("if\n    a()\n", block("a()\n", "b b\n"), path="x.py")) == ["applied"]
    # a file that is empty is none yet, and what is cut off is not checked
    assert outcome(apply("", block("", "b b\n"), path="x.py")) == ["applied"]
    cut = apply("a()\n", "------- SEARCH\na()\n=======\nb b\n", path="x.py", accept_truncated=True)
    assert (cut.content, outcome(cut)) == ("b b\n", ["truncated"])
    assert [flaw(text) is None for text in ("\ufeffx = 1\n", "x = '\\d'\n", "\0", "if x:\n", "(" * 500)] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert flaw("x = (1\n") == SyntaxFlaw("'(' was never closed", "x = (1")
    assert flaw("\ud800") == SyntaxFlaw("it cannot be read")


def test_python_is_checked_with_all_blocks() -> None:
    original = "def f():\n    a()\n    b()\n"
    both = block("    a()\n", "    if x:\n") + block("    b()\n", "        b()\n")
    assert apply(original, both, path="x.py").content == "def f():\n    if x:\n        b()\n"
    result = apply(original, block("    a()\n", "    if x:\n") + block("    b()\n", "    c()\n"), path="x.py")
    assert (result.content, outcome(result)) == (original, ["syntax", "syntax"])
    # Each may be right by itself.
    together = (
        "With these blocks together the file would no longer be Python "
        "(expected an indented block after 'if' statement on line 2, at `c()`). None of them is applied. "
        "Repeat them with every bracket, every quote and the indentation that it takes."
    )
    assert [failure.message for failure in result.failures] == [together, together]
    hunks = "@@ -2 +2 @@\n-    a()\n+    if x:\n@@ -3 +3 @@\n-    b()\n+    c()\n"
    messages = [failure.message for failure in apply_patch(original, hunks, path="x.py").failures]
    assert messages == [together.replace("blocks", "hunks")] * 2
    # One text is one edit, in however many places.
    replaced = str_replace("a = 1\nb = 1\n", "1", "(", replace_all=True, path="x.py")
    assert [failure.message for failure in replaced.failures] == [
        "With this edit the file would no longer be Python ('(' was never closed, at `b = (`). "
        "Repeat the edit with every bracket, every quote and the indentation that it takes."
    ] * 2
    # One that fails for another reason is none of them.
    one = block("    a()\n", "    a(\n") + block("nowhere\n", "x\n")
    assert apply(original, one, path="x.py").failures[0].message == (
        "With this block the file would no longer be Python ('(' was never closed, at `a(`). "
        "Repeat the block with every bracket, every quote and the indentation that it takes."
    )
    # those that are not indented as the file is are left out first
    result = apply(original, block("b()\n", "b b\n") + block("    a()\n", "    c()\n"), path="x.py")
    assert (result.content, outcome(result)) == ("def f():\n    c()\n    b()\n", ["indentation", "applied"])
    result = apply(original, block("b()\n", "b b\n") + block("    a()\n", "    c c\n"), path="x.py")
    assert outcome(result) == ["indentation", "syntax"]


@pytest.mark.parametrize(("size", "expected"), [(999_999, "syntax"), (1_000_000, "syntax"), (1_000_001, "applied")])
def test_a_long_file_is_not_checked(size: int, expected: str) -> None:
    original = "a()\n" + "#" * (size - 5) + "\n"
    assert outcome(apply_search_replace(original, block("a()\n", "b b\n"), path="x.py")) == [expected]


@pytest.mark.parametrize(
    ("line", "is_open"),
    [
        ("if x:", True),
        ("f(a,", True),
        ("f(a)", False),
        ("{", True),
        ("x = [  # note", True),
        ("see (#a), b", False),
        ("", False),
    ],
)
def test_lines_that_open(line: str, is_open: bool) -> None:
    assert opens(line) is is_open


def test_lines_that_are_plain_or_flat() -> None:
    lines = ("x = 1", "f()", "}", "end", "- a", "a)", "else:", "1. a", "return x")
    assert [is_plain(line) for line in lines] == [True, True, False, False, False, False, False, False, True]
    assert is_flat("if x:", "a")
    assert not is_flat("if x:", " a")
    assert not is_flat("f(", ")")


def test_the_step_of_a_file() -> None:
    assert most_usual(steps_of(["a\n", "  b\n", "    c\n", "d\n", "    e\n"])) == "  "
    assert most_usual(steps_of(["a\n", "a\n"])) == ""
    assert most_usual(steps_of(["a\n", "\tb\n"])) == "\t"


def test_one_indentation_shows_a_rule_only_in_whole_steps() -> None:
    indentation = Indentation([("a", "    a")], lambda: "    ")
    assert (indentation.apply("    x"), indentation.is_on_grid(" " * 8)) == ("        x", True)
    assert (indentation.apply("  x"), indentation.is_on_grid(" " * 6)) == ("      x", False)


def test_a_new_line_in_the_place_of_a_closing_one_is_not_as_deep() -> None:
    original = 'f() {\n  if (a) {\n\n    b()\n  c = "d"\n  return e\n  p\n}\n\n'
    text = block('\nb()\nc = "d"\nreturn e\np\n}\n\n', '\nb()\nc = "d"\np\n\ng()\n')
    assert outcome(apply(original, text)) == ["indentation"]


def test_a_blank_line_that_is_found_alike_to_another() -> None:
    original = "m = g(s)\n    a\n\na\nm = g(s)"
    diff = block("    a\n# ...\n-----\n+)\n\n", "\n")
    assert outcome(apply(original, diff, threshold=0.0)) == ["indentation"]
