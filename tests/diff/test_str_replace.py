"""One text for another: exactly, in part of a line or over several, or else as a block is found."""

from __future__ import annotations

import pytest

from streamparse.diff import DiffError, Edit, EditStatus, Strategy, apply_search_replace, str_replace
from tests.diff.kit import apply, block, outcome


@pytest.mark.parametrize(
    ("original", "old", "new", "content", "strategy"),
    [
        ("a = 1\n", "1", "2", "a = 2\n", "exact"),
        ("f(1)\n", "1", "2,\n3", "f(2,\n3)\n", "exact"),
        ("f(1)\r\n", "1", "2,\n3", "f(2,\r\n3)\r\n", "exact"),
        ("a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n", "exact"),
        ("a\nb\nc\n", "a\nb\n", "", "c\n", "exact"),
        ("\ufeffa\n", "a", "b", "\ufeffb\n", "exact"),
        ("    a()\n    b()\n", "a()\nb()", "a()\nc()", "    a()\n    c()\n", "trimmed"),
        ("“a”\nb\n", '"a"\nb', '"a"\nc', "“a”\nc\n", "condensed"),
        ("", "", "x", "x", "empty"),
        ("\\=======\n", "\\=======\n", "=\n", "=\n", "exact"),
    ],
)
def test_the_text_is_replaced(original: str, old: str, new: str, content: str, strategy: str) -> None:
    result = str_replace(original, old, new)
    assert (result.ok, result.content, result.edits[0].strategy, result.edits[0].status) == (
        True,
        content,
        strategy,
        "applied",
    )


def test_what_is_wrong_is_said_without_a_number() -> None:
    result = str_replace("a\n", "b", "c")
    assert result.message == (
        "The line to be replaced is not in the file. Read the file again and repeat the edit with its lines exactly as "
        "they are."
    )


def test_all_places() -> None:
    result = str_replace("a 1 1\nb 1\nc\n", "1", "22", replace_all=True)
    assert result.content == "a 22 22\nb 22\nc\n"
    assert [(edit.number, edit.start_line, edit.end_line, edit.replacement) for edit in result.edits] == [
        (1, 1, 1, "a 22 22\n"),
        (2, 2, 2, "b 22\n"),
    ]
    assert str_replace("aaaa", "aa", "b", replace_all=True).content == "bb"
    assert str_replace("aaa", "aa", "b", replace_all=True).content == "ba"
    assert str_replace("x\ny\nx\ny\n", "x\ny", "z", replace_all=True).content == "z\nz\n"


def test_several_places_are_ambiguous() -> None:
    result = str_replace("a 1 1\nb 1\n", "1", "2")
    assert (result.content, outcome(result), result.failures[0].lines) == ("a 1 1\nb 1\n", ["ambiguous"], (1, 2))
    assert "occurs 3 times, at lines 1 and 2." in result.failures[0].message
    assert outcome(str_replace("aaa", "aa", "b")) == ["ambiguous"]
    assert str_replace("  a\nx\n  a\n", "a\n", "b\n").failures[0].lines == (1, 3)
    assert str_replace(" a\nx\n  a\n", "\ta\n", "\tb\n").failures[0].lines == (1, 3)


def test_what_is_not_there() -> None:
    result = str_replace("alpha beta\n", "alpha gamma", "x")
    assert (result.content, outcome(result)) == ("alpha beta\n", ["not_found"])
    assert result.failures[0].nearest is not None
    assert outcome(str_replace("a\n", "", "x")) == ["empty_search"]
    with pytest.raises(DiffError):
        str_replace("a\n", "b", "x", strict=True)


@pytest.mark.parametrize(
    ("original", "old", "expected"),
    [
        ("a\n", "a", "noop"),
        ("a a\n", "a", "noop"),  # wherever
        (" a\n", "a\n", "noop"),
        ("  a\nb\n", "a\nb", "noop"),
        ("a\n", "b", "not_found"),
        ("a\n", "", "empty_search"),
        ("", "", "noop"),
    ],
)
def test_the_same_text_changes_nothing_but_must_be_there(original: str, old: str, expected: str) -> None:
    result = str_replace(original, old, old)
    assert (result.ok, result.content, outcome(result)) == (expected == "noop", original, [expected])


def test_an_edit_that_changes_nothing_says_where() -> None:
    for original, old, lines, strategy in (
        ("x\n", "x", [(1, 1)], Strategy.EXACT),
        ("x x\ny\nax\n", "x", [(1, 1), (3, 3)], Strategy.EXACT),
        ("a\r\nx\r\ny\r\n", "x\ny", [(2, 3)], Strategy.EXACT),
        ("    x\ny\n", "x\ny\n", [(1, 2)], Strategy.EXACT),
        ("x\n", " x", [(1, 1)], Strategy.TRIMMED),
        ("", "", [(1, 0)], Strategy.EMPTY),
    ):
        result = str_replace(original, old, old)
        pieces = original.splitlines(keepends=True)
        assert (result.ok, result.content) == (True, original)
        assert result.edits == tuple(
            Edit(number, first, last, strategy, 1.0, EditStatus.NOOP, "".join(pieces[first - 1 : last]))
            for number, (first, last) in enumerate(lines, 1)
        )
    # as a block that changes nothing
    assert str_replace("x\n", "x", "x").edits == apply_search_replace("x\n", block("x\n", "x\n")).edits


def test_the_byte_order_mark_stays() -> None:
    assert str_replace("\ufeffa\nb\n", "\ufeffa\n", "\ufeffc\n").content == "\ufeffc\nb\n"
    assert str_replace("\ufeffa\nb\n", "\ufeffa\n", "c\n").content == "\ufeffc\nb\n"
    assert str_replace("\ufeffa\n", "\ta", "\tb").content == "\ufeffb\n"


@pytest.mark.parametrize(
    ("original", "old", "new", "expected"),
    [
        ("a 1\nb\n", "1", "2", ["block_started", "matched", "replacement_delta", "block_done"]),
        ("  a\n", "\ta\n", "\tb\n", ["block_started", "matched", "replacement_delta", "block_done"]),
        ("a\n", "a", "a", ["block_started", "matched", "replacement_delta", "block_done"]),
        ("a a\n", "a", "b", ["block_started", "failed"]),
        ("a\n", "b", "c", ["block_started", "failed"]),
        ("a\n", "a\n", "# ...\n", ["block_started", "matched", "replacement_delta", "failed"]),
    ],
)
def test_its_events(original: str, old: str, new: str, expected: list[str]) -> None:
    result = str_replace(original, old, new)
    assert [event.type for event in result.events] == expected
    if "matched" in expected:
        assert (result.events[1].start_line, result.events[1].end_line) == (1, 1)


def test_dots_that_are_a_body_in_one_place_only_are_put_in_no_place() -> None:
    original, new = "def f():\n    x()\ndef g():\n    x()\n", "def f():\n    ...\ndef g():\n    ...\n"
    assert str_replace(original, "x()", "...", replace_all=True).content == new
    original += "    y()\n"
    result = str_replace(original, "x()", "...", replace_all=True)
    assert (result.content, outcome(result)) == (original, ["placeholder", "placeholder"])


def test_python_stays_python_where_the_text_is_exact() -> None:
    original = "f(1)\nf(2)\n"
    assert outcome(str_replace(original, "(1", "[1", path="a.py")) == ["syntax"]
    assert outcome(str_replace(original, "f", "g (", path="a.py", replace_all=True)) == ["syntax", "syntax"]
    assert str_replace(original, "f", "g", path="a.py", replace_all=True).content == "g(1)\ng(2)\n"
    assert outcome(str_replace(original, "(1", "[1")) == ["applied"]


@pytest.mark.parametrize(
    ("original", "old", "new", "sentence"),
    [
        ("a\nb\n", "x", "y", "repeat the edit with its lines exactly as they are."),
        (" a\nx\n  a\n", "\ta\n", "b", "Repeat the edit with its lines exactly"),
        ("if x:\n    a()\n", "if x:\na()", "if x:\ny:\na()", "Repeat the edit with the indentation of the file"),
        ("a\n\nb\n", "a\nb", "a\nx\nb", "Repeat the edit with the blank lines of the file."),
        ("a\nb\n", "b", "# ...", "Repeat the edit and write the lines out."),
        ("a\nb\nc\n", "a\n...\nc", "x", "Repeat the edit and write the lines out."),
        ("a\n", "```\na\n```", "```\nb", "Repeat the edit without fences in it."),
        ("a < b\n", "a &lt; b", "a &lt; b > c", "Repeat the edit with all of them as they are."),
    ],
)
def test_what_is_to_be_repeated_is_the_text(original: str, old: str, new: str, sentence: str) -> None:
    [failure] = str_replace(original, old, new).failures
    assert sentence in failure.message
    assert "block" not in failure.message


def test_new_text_is_judged_as_that_of_a_block() -> None:
    assert outcome(str_replace("a\n", "a\n", "# ... existing code ...\n")) == ["placeholder"]
    assert outcome(str_replace("x # unchanged\n", "x", "y\n# unchanged\n")) == ["placeholder"]
    assert outcome(str_replace("x = f(1)\n", "1", "...")) == ["applied"]
    assert outcome(str_replace("x = f(...)\nb\n", "x = f(...)\nb", "x = f(...)\n...")) == ["placeholder"]
    assert outcome(str_replace("a = 1  # ... more\nb = 2\n", "b = 2", "b = 3\n# ...")) == ["placeholder"]
    assert outcome(str_replace("a\n# ...\nb\n", "b", "c\n# ...")) == ["placeholder"]
    assert outcome(str_replace("a\n# ...\nb\n", "# ...\nb", "# ...\nc")) == ["applied"]
    original = "if x:\n    a()\n"
    assert outcome(str_replace(original, "if x:\na()", "if x:\ny:\na()")) == ["indentation"]
    assert outcome(str_replace(original, "\ta()", "\tb b", path="a.py")) == ["indentation"]
    assert outcome(str_replace(original, "\ta()", "\tb b", path="a.txt")) == ["applied"]


def test_a_lone_carriage_return_ends_a_line_only_where_nothing_else_does() -> None:
    assert str_replace("x\n    a\rb", "a\rb", "c\rd").content == "x\n    c\rd"
    assert str_replace("x\ra\rb", "a\rb", "c\rd").content == "x\rc\rd"


def test_what_is_no_text() -> None:
    with pytest.raises(TypeError, match=r"^the new text must be a str, not NoneType$"):
        str_replace("a", "a", None)  # type: ignore[arg-type]


LIST = "dev = [\n    'a',\n    'b',\n]\n"
CALLS = "def f():\n    a()\n    c()\n"
BODY = "def f(x):\n    if x:\n        a = 1\n        b = 2\n    return x\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # The whole line goes, with its indentation; its break only with the text.
        (LIST, "'a',\n", "", "dev = [\n    'b',\n]\n"),
        (LIST, "  'a',\n", "", "dev = [\n    'b',\n]\n"),
        (LIST, "'a',", "", "dev = [\n\n    'b',\n]\n"),
        (LIST, "'a',\n", "\n", "dev = [\n\n    'b',\n]\n"),
        (BODY, "if x:\n        a = 1\n        b = 2\n", "", "def f(x):\n    return x\n"),
        (BODY, "b = 2\n    return x\n", "", "def f(x):\n    if x:\n        a = 1\n"),
        # New lines are as deep as in a block.
        (CALLS, "a()\n", "b()\nd()\n", "def f():\n    b()\n    d()\n    c()\n"),
        (CALLS, "a()", "b()\nd()", "def f():\n    b()\n    d()\n    c()\n"),
        (CALLS, "   a()\n", "   b()\n   d()\n", "def f():\n    b()\n    d()\n    c()\n"),
        (CALLS, "a()", "if x:\n        a()", "def f():\n    if x:\n        a()\n    c()\n"),
        # Only the first line was trimmed.
        (CALLS, "a()\n", "b()\n    d()\n", "def f():\n    b()\n    d()\n    c()\n"),
        (CALLS, "a()\n    c()\n", "b()\n    d()\n\nf()\n", "def f():\n    b()\n    d()\n\nf()\n"),
        (CALLS, "a()\n    c()\n", "b()\n", "def f():\n    b()\n"),
        ("x = [\n    1,\n]\n", "1,\n]", "1,\n    2,\n]", "x = [\n    1,\n    2,\n]\n"),
        ("x = [\n    1,\n]\n", "1,\n]", "2,\n]", "x = [\n    2,\n]\n"),
        # The new text has all of the indentation.
        (LIST, "'a',\n", "    'x',\n", "dev = [\n    'x',\n    'b',\n]\n"),
        (LIST, "  'a',\n", "    'x',\n", "dev = [\n    'x',\n    'b',\n]\n"),
        (CALLS, "a()\n    c()", "    b()\n    c()", "def f():\n    b()\n    c()\n"),
        (CALLS, "a(", "    b(", "def f():\n    b()\n    c()\n"),
        # It is only part of the line.
        (CALLS, "a", "", "def f():\n    ()\n    c()\n"),
        (CALLS, "a(", "b(1, ", "def f():\n    b(1, )\n    c()\n"),
        ("  #x\n", "#", "", "  x\n"),
        ("  - x\n", "-", " ", "    x\n"),
        ("    x(1)\n", "(1)", "    (2)", "    x    (2)\n"),
        # A blank line with blanks is before the next.
        ("a\n  \n b\n", "\n b\n", "\n c\n", "a\n  \n c\n"),
    ],
)
def test_a_text_that_begins_within_the_indentation_may_be_whole_lines(
    file: str, old: str, new: str, content: str
) -> None:
    result = str_replace(file, old, new)
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        # To the letter it would be deeper, but how much is written otherwise.
        (CALLS, "a()", "   b()"),
        (CALLS, "a()", "     b()"),
        (CALLS, " a()", "   b()"),
        # Nothing else is new.
        (CALLS, "a()", "    a()"),
        # The old text has lost blanks, or has too many: another line is meant as well.
        ("    a\na\n", "  a", "  b"),
        # As deep as it is to the letter, or as it would be in a block.
        (CALLS, "a()", "if x:\n    a()"),
        ("def f():\n    a()\n", "a()", "a()\n\n\ndef g():\n    b()"),
        ("x = [\n    1,\n]\n", "1,\n]", "1,\n2,\n]"),
    ],
)
def test_it_is_in_doubt_how_deep_new_lines_are(file: str, old: str, new: str) -> None:
    result = str_replace(file, old, new)
    assert (result.content, outcome(result)) == (file, ["indentation"])
    assert "Repeat the edit with the indentation of the file, in the old lines" in result.failures[0].message


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        ("  a\nc\n  a\n", "a", "  b", "  b\nc\n  b\n"),
        ("  a\nc\n    a\n", "a\n", "", "c\n"),
        ("  a\nc\n    a\na\n", " a", " b", "  b\nc\n    b\na\n"),
        ("  a\n  a; a\n", "a", "b", "  b\n  b; b\n"),
        ("  a\n  a; a\n", "a", "", "\n  ; \n"),
        # in doubt in one place
        ("  a\n    a\n", "a", "  b", None),
        ("  a\n  a; a\n", "a", "  b", None),
    ],
)
def test_in_all_places_it_must_be_certain_in_each(file: str, old: str, new: str, content: str | None) -> None:
    result = str_replace(file, old, new, replace_all=True)
    expected = ["indentation"] if content is None else ["applied", "applied"]
    assert (result.content, outcome(result)) == (file if content is None else content, expected)


def test_python_that_is_broken_by_lines_as_in_a_block_is_told_so() -> None:
    assert outcome(str_replace(CALLS, "a()\n", "b()\nif x:\n", path="a.py")) == ["indentation"]
    assert outcome(str_replace(CALLS, "a()\n", "b(\n        d()\n", path="a.py")) == ["syntax"]


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # The old text is whole lines, and the new one lacks the break at an end.
        (LIST, "    'a',\n", "    'x',", "dev = [\n    'x',\n    'b',\n]\n"),
        (LIST, "'a',\n", "'x',", "dev = [\n    'x',\n    'b',\n]\n"),
        (LIST, "    'b',\n]\n", "    'c',\n]", "dev = [\n    'a',\n    'c',\n]\n"),
        (LIST, "\n    'a',", "    'x',", "dev = [\n    'x',\n    'b',\n]\n"),
        (LIST, "\n    'a',\n", "    'x',\n", "dev = [\n    'x',\n    'b',\n]\n"),
        (LIST, "\n    'a',\n", "\n    'x',", "dev = [\n    'x',\n    'b',\n]\n"),
        (LIST, "\n    'a',\n", "    'x',", "dev = [\n    'x',\n    'b',\n]\n"),
        ("a:\n    b  c\nd\n", "\n    b  c", "    b c", "a:\n    b c\nd\n"),
        ("a:\n    b\n    c\nd\n", "    b\n    c\n", "  b\n  c", "a:\n  b\n  c\nd\n"),
        ("a\r\nb\r\nc\r\n", "\nb\n", "x", "a\r\nx\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "b\n", "x", "a\r\nx\r\nc\r\n"),
        ("a\rb\rc\r", "b\r", "x", "a\rx\rc\r"),
        # One break stays.
        (LIST, "\n    'a',\n", "", "dev = [\n    'b',\n]\n"),
        (LIST, "\n    'a',", "", "dev = [\n    'b',\n]\n"),
        (LIST, "    'a',\n", "", "dev = [\n    'b',\n]\n"),
        ("a\n\nb\n", "\n\n", "\n", "a\nb\n"),
        ("a\n\n\nb\n", "\n\n\n", "", "ab\n"),
        # It is not whole lines, or the break is within it.
        ("a b\nc\n", "b\n", "d ", "a d c\n"),
        ("a\n  && b;\n", "\n  && b", " && c", "a && c;\n"),
        (LIST, "    'a',\n    'b',", "    'a', 'b',", "dev = [\n    'a', 'b',\n]\n"),
        # Nothing but blanks and breaks is new.
        ("if x\n{\n", "\n{", " {", "if x {\n"),
        ("f(\n    a\n)\n", "\n    a\n", "a", "f(a)\n"),
        ("x\n    .a()\n", "\n    .a()", ".a()", "x.a()\n"),
        ("}\nelse {\n", "}\n", "} ", "} else {\n"),
        ("a\nb\n", "b\n", "b", "a\nb"),
        ("a\n\nb\n", "a\n", "a", "a\nb\n"),
    ],
)
def test_a_break_that_only_the_old_text_has(file: str, old: str, new: str, content: str) -> None:
    result = str_replace(file, old, new)
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("f(\na)\n", "f(\n", "f("),
        ("a\nb\n", "\nb", "b"),
        ("}\nelse {\n", "}\n", "}; "),
        ("a\n\nb\n", "a\n\n", "x"),
        ("if x\n{\n", "\n{", " [{"),
        ("x\n    .a()\n", "\n    .a()", ".b()"),
        ("a:\n    - b\n", "\n    - b", "  - b"),
    ],
)
def test_it_is_in_doubt_whether_lines_are_joined(file: str, old: str, new: str) -> None:
    result = str_replace(file, old, new)
    assert (result.content, outcome(result)) == (file, ["ambiguous"])
    assert "so that it is not certain whether lines are to be joined" in result.failures[0].message


def test_in_all_places_new_lines_end_as_the_line_there() -> None:
    result = str_replace("a\r\nb\na; a\r\na", "a", "x\ny", replace_all=True)
    assert result.content == "x\r\ny\r\nb\nx\r\ny; x\r\ny\r\nx\r\ny"
    assert str_replace("a\nb\r\na\r\n", "a", "x\r\ny", replace_all=True).content == "x\ny\nb\r\nx\r\ny\r\n"


def test_in_a_file_with_both_kinds_of_line_ends_either_may_be_meant() -> None:
    result = str_replace("a\r\nb\r\n-\na\nb\n", "a\nb\n", "A\nb\n")
    assert (result.content, result.failures[0].lines) == ("a\r\nb\r\n-\na\nb\n", (1, 4))
    assert str_replace("a\r\nb\r\n-\na\nc\n", "a\nc\n", "A\nc\n").content == "a\r\nb\r\n-\nA\nc\n"
    assert str_replace("a\r\nb\r\n-\na\nc\n", "a\nb\n", "A\nb\n").content == "A\r\nb\r\n-\na\nc\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # of the line, or of the one before the last, or as they are written
        ("a\r\nb", "b", "c\nd", "a\r\nc\r\nd"),
        ("a\nb", "b", "c\r\nd", "a\nc\nd"),
        ("b", "b", "c\nd", "c\nd"),
        ("b", "b", "c\r\nd", "c\r\nd"),
        # nothing but line ends is new
        ("a\nb\n", "a\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"),
        ("a\nb\n", "a\nb\n", "a\r\nc\r\n", "a\nc\n"),
        ("a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n", "a\nb\n"),
        ("a\r\nb\r\n", "a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\r\nb\r\n", "a\nb\n", "a\nb\n", "a\r\nb\r\n"),
        ("a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"),
        # of an old Macintosh
        ("a\rb\r", "b", "c\nd", "a\rc\rd\r"),
        ("a\rb", "b", "c\r\nd", "a\rc\rd"),
    ],
)
def test_line_ends_of_new_text(file: str, old: str, new: str, content: str) -> None:
    result = str_replace(file, old, new)
    assert (result.ok, result.content) == (True, content)


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        ("a\r\nb\r\nc\r\n", "\nb\r\n", "\nB\r\n", "a\r\nB\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "\nb\n", "\nB\n", "a\r\nB\r\nc\r\n"),
        ("a\r\nb\r\n", "\nb", "\nc", "a\r\nc\r\n"),
        ("a\r\nb\r\n", "\nb", "", "a\r\n"),
        ("a\nb\r\n", "\nb", "\nc", "a\nc\r\n"),
        ("a\r\nb\r\n", "\r\nb", "\r\nc", "a\r\nc\r\n"),
    ],
)
def test_an_old_text_that_begins_with_a_line_end_has_all_of_it(original: str, old: str, new: str, content: str) -> None:
    assert str_replace(original, old, new).content == content


@pytest.mark.parametrize("replace_all", [False, True])
def test_a_text_that_occurs_but_for_the_blank_at_its_end_is_told_so(replace_all: bool) -> None:
    result = str_replace("x = old\ny = old\n", "old ", "new ", replace_all=replace_all)
    assert result.message == (
        "The line to be replaced is not in the file. The text occurs only as part of lines 1 and 2, without the blank "
        "at its end: give the whole line. Read the file again and repeat the edit with its lines exactly as they are."
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # A later line of the old text comes first: it is as deep as it was.
        ("if a:\n    a = 2\nc = 2\n", "a = 2\nc = 2\n", "c = 2\n", "if a:\nc = 2\n"),
        # A new line is as deep as the first, which is trimmed.
        ("if b:\n\n    a = 3\nd\n", "  a = 3\nd\n", "  a = 3\n  n = 8\nd\n", "if b:\n\n    a = 3\n    n = 8\nd\n"),
        ("if b:\n    a = 3\n    c\n", "  a = 3\n    c\n", "  a = 3\n  n\n    c\n", "if b:\n    a = 3\n    n\n    c\n"),
    ],
)
def test_a_text_that_is_trimmed_is_as_in_a_block(file: str, old: str, new: str, content: str) -> None:
    for result in (str_replace(file, old, new), apply(file, block(old, new))):
        assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        # All new lines are right behind the old ones, or right before them, in this place or another.
        ("a\nx = 1\nb\n", "a\n", "a\nx = 1\n", None),
        ("a\nx = 1\nb\n", "a", "a\nx = 1", None),
        ("a()\nx = 1\nb\n", "()", "()\nx = 1", None),
        ("x = 1\na\nb\n", "a\n", "x = 1\na\n", None),
        ("  a\n  x = 1\nb\n", "a\n", "a\n  x = 1\n", None),
        ("a\nx = 2\nb\n", "a\n", "a\nx = 1\n", "a\nx = 1\nx = 2\nb\n"),
        ("a\n}\n}\n", "a\n}\n}", "a\n}\n}\n}", "a\n}\n}\n}\n"),
        # A line alone is found at another depth, and the new text is in the file, if only as a part of a line.
        ("a:\n        m: 2\nb:\n     m: 1\n", "      m: 1\n", "      m: 2\n", None),
        ("a:\n      m: 2\nb:\n     m: 1\n", "      m: 1\n", "      m: 2\n", None),
        (
            "a:\n     m: 2\nb:\n     m: 1\n",
            "      m: 1\n",
            "      m: 2\n",
            "a:\n     m: 2\nb:\n     m: 2\n",
        ),
        ("a:\n     m: 1\n      c\n", "      m: 1\n", "\n", "a:\n\n      c\n"),
    ],
)
def test_a_text_that_was_perhaps_put_there_before(file: str, old: str, new: str, content: str | None) -> None:
    result = str_replace(file, old, new)
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "ambiguous"])


def test_a_text_for_all_places_was_perhaps_put_in_one_of_them_before() -> None:
    assert outcome(str_replace("a\nb\nc\na\nd\n", "a\n", "a\nb\n", replace_all=True)) == ["ambiguous"] * 2
    assert str_replace("a\nc\na\nd\n", "a\n", "a\nb\n", replace_all=True).content == "a\nb\nc\na\nb\nd\n"
