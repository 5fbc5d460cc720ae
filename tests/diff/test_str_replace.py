"""One text for another: exactly, in part of a line or over several, or else as a block is found."""

from __future__ import annotations

import pytest

from streamparse.diff import DiffError, str_replace
from tests.diff.kit import outcome


@pytest.mark.parametrize(
    ("original", "old", "new", "content", "strategy"),
    [
        ("a = 1\n", "1", "2", "a = 2\n", "exact"),
        ("f(1)\n", "1", "2,\n3", "f(2,\n3)\n", "exact"),
        ("f(1)\r\n", "1", "2,\n3", "f(2,\r\n3)\r\n", "exact"),
        ("a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n", "exact"),
        ("a\nb\nc\n", "a\nb\n", "", "c\n", "exact"),
        ("\ufeffa\n", "a", "b", "\ufeffb\n", "exact"),
        ("    a()\n    b()\n", "a()\n  b()", "a()\nc()", "    a()\n    c()\n", "trimmed"),
        ("“a”\nb\n", '"a"\nb', '"a"\nc', "“a”\nc\n", "condensed"),
        ("", "", "x", "x", "empty"),
        ("\\=======\n", "\\=======\n", "=\n", "=\n", "exact"),
    ],
)
def test_the_text_is_replaced(original: str, old: str, new: str, content: str, strategy: str) -> None:
    if strategy == "trimmed":
        old = old.replace("  ", "")
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
        "The line to be replaced is not in the file. Read the file again and repeat the text with its lines exactly as "
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


def test_the_byte_order_mark_stays() -> None:
    assert str_replace("\ufeffa\nb\n", "\ufeffa\n", "\ufeffc\n").content == "\ufeffc\nb\n"
    assert str_replace("\ufeffa\nb\n", "\ufeffa\n", "c\n").content == "\ufeffc\nb\n"
    assert str_replace("\ufeffa\n", "\ta", "\tb").content == "\ufeffb\n"


@pytest.mark.parametrize(
    ("original", "old", "new", "expected"),
    [
        ("a 1\nb\n", "1", "2", ["block_started", "matched", "replacement_delta", "block_done"]),
        ("  a\n", "\ta\n", "\tb\n", ["block_started", "matched", "replacement_delta", "block_done"]),
        ("a\n", "a", "a", ["block_started", "block_done"]),
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


def test_python_stays_python_where_the_text_is_exact() -> None:
    original = "f(1)\nf(2)\n"
    assert outcome(str_replace(original, "(1", "[1", path="a.py")) == ["syntax"]
    assert outcome(str_replace(original, "f", "g (", path="a.py", replace_all=True)) == ["syntax", "syntax"]
    assert str_replace(original, "f", "g", path="a.py", replace_all=True).content == "g(1)\ng(2)\n"
    assert outcome(str_replace(original, "(1", "[1")) == ["applied"]


@pytest.mark.parametrize(
    ("original", "old", "new", "sentence"),
    [
        ("a\nb\n", "x", "y", "repeat the text with its lines exactly as they are."),
        (" a\nx\n  a\n", "\ta\n", "b", "Repeat the text with its lines exactly"),
        ("if x:\n    a()\n", "if x:\na()", "if x:\ny:\na()", "Repeat the text with the indentation of the file"),
        ("a\n\nb\n", "a\nb", "a\nx\nb", "Repeat the text with the blank lines of the file."),
        ("a\nb\n", "b", "# ...", "Repeat the text and write the lines out."),
        ("a\nb\nc\n", "a\n...\nc", "x", "Repeat the text and write the lines out."),
        ("a\n", "```\na\n```", "```\nb", "Repeat the text without fences in it."),
        ("a < b\n", "a &lt; b", "a &lt; b > c", "Repeat the text with all of them as they are."),
    ],
)
def test_what_is_to_be_repeated_is_the_text(original: str, old: str, new: str, sentence: str) -> None:
    [failure] = str_replace(original, old, new).failures
    assert sentence in failure.message
    assert "block" not in failure.message


def test_new_text_is_judged_as_that_of_a_block() -> None:
    assert outcome(str_replace("a\n", "a\n", "# ... existing code ...\n")) == ["placeholder"]
    assert outcome(str_replace("x # unchanged\n", "x", "y\n# unchanged\n")) == ["applied"]
    assert outcome(str_replace("a = 1  # ... more\nb = 2\n", "b = 2", "b = 3\n# ...")) == ["placeholder"]
    assert outcome(str_replace("a\n# ...\nb\n", "b", "c\n# ...")) == ["applied"]
    original = "if x:\n    a()\n"
    assert outcome(str_replace(original, "if x:\na()", "if x:\ny:\na()")) == ["indentation"]
    assert outcome(str_replace(original, "\ta()", "\tb b", path="a.py")) == ["indentation"]
    assert outcome(str_replace(original, "\ta()", "\tb b", path="a.txt")) == ["applied"]


def test_what_is_no_text() -> None:
    with pytest.raises(TypeError, match=r"^the new text must be a str, not NoneType$"):
        str_replace("a", "a", None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "content"),
    [
        # The new text begins with just the blanks that are before the old one on its line.
        ("go(1)\n        v = 1", "        go(1)\n        v = 2", "def f():\n        go(1)\n        v = 2\n"),
        ("go(1)", "        go(2)", "def f():\n        go(2)\n        v = 1\n"),
        ("go(1)", "       go(2)", "def f():\n               go(2)\n        v = 1\n"),
        ("go(1)", "         go(2)", "def f():\n                 go(2)\n        v = 1\n"),
        ("(1)", "        (2)", "def f():\n        go        (2)\n        v = 1\n"),
        (" go(1)", "       go(2)", "def f():\n              go(2)\n        v = 1\n"),
        # Nothing else is new: it is to be deeper.
        ("go(1)", "        go(1)", "def f():\n                go(1)\n        v = 1\n"),
    ],
)
def test_the_indentation_before_the_old_text_is_not_doubled(old: str, new: str, content: str) -> None:
    result = str_replace("def f():\n        go(1)\n        v = 1\n", old, new)
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("  a\nc\n  a\n", "  b\nc\n  b\n"),
        # it is not before every place: then it is part of the new text
        ("  a\n    a\n", "    b\n      b\n"),
        ("  a\n  a; a\n", "    b\n    b;   b\n"),
    ],
)
def test_the_indentation_is_doubled_in_all_places_or_in_none(file: str, content: str) -> None:
    result = str_replace(file, "a", "  b", replace_all=True)
    assert (result.content, outcome(result)) == (content, ["applied", "applied"])


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
        "at its end: give the whole line. Read the file again and repeat the text with its lines exactly as they are."
    )
