"""A hunk is applied only where it is certain what it means: what no one can know is refused, in a sentence."""

from __future__ import annotations

import pytest

from streamparse.diff import DiffResult, apply_patch, apply_search_replace
from tests.diff.kit import outcome, patch, tree, update

GAP = "it is not certain where its changes belong"


def told(result: DiffResult) -> str:
    return " ".join(failure.message for failure in result.failures)


# --- lines of the file that the hunk has not, and the other way round


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        # a blank line is missing next to new lines
        ("a\n\nb\nc\n", " a\n+x\n b\n c\n"),
        ("a\n\n\nb\n", " a\n+x\n \n b\n"),
        ("a\n\n\nb\n", " a\n \n+x\n b\n"),
        ("a\n\nb\n", " a\n+n\n-b\n"),
        ("a\n\nb\nc\n", " a\n-b\n+B\n \n c\n d\n"),
        # … or between lines that are removed: it stays, or it does not
        ("a\nb\n\nc\nd\n", " a\n-b\n-c\n d\n"),
        ("a\n\nb\nc\n", "-a\n-b\n+B\n"),
        # a blank line is one too many, and any may be that
        ("a\n\nb\n", " a\n \n+x\n \n b\n"),
        ("a\n\n\nb\n", " a\n \n \n+x\n \n b\n"),
        ("a\n\nb\n", " a\n \n-\n b\n"),
        ("a\nb\n", " a\n-\n b\n"),
        # … or stands at the edge of the hunk, where a line may have been left out
        ("a\nb\nc\n\n", " b\n \n+x\n"),
        ("a\nb\n\nc\n", " a\n+x\n \n"),
        ("m\na\n", " \n+x\n a\n"),
        ("\nm\na\n", "-\n+x\n+y\n a\n"),
        # a line is left out next to new lines, even if others are removed there
        ("one\ntwo\nthree\n", "-one\n+n\n three\n"),
        ("zero\none\ntwo\nthree\n", " zero\n one\n+n\n three\n"),
        # a blank line is removed that separates pages, and that of the file does not
        ("a\n\nb\n", " a\n-\f\n b\n"),
    ],
)
def test_lines_next_to_a_change_that_are_not_those_of_the_file(file: str, hunk: str) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (file, ["not_found"])


def test_a_line_that_separates_pages_is_removed_as_such() -> None:
    for blank, written in (("\f", " \f"), (" ", ""), ("", "\t")):
        assert patch(f"a\n{blank}\nb\n", f"@@\n a\n-{written}\n b\n").content == "a\nb\n"
    assert patch("a\n\f\nb\n", "@@\n a\n \n-b\n+c\n").content == "a\n\f\nc\n"
    # as one that is only blank, too: not everyone sees what it is
    assert patch("a\n \f\nb\n", "@@\n a\n-\n b\n").content == "a\nb\n"


def test_a_new_line_that_separates_pages_is_as_deep_as_others() -> None:
    hunk = "@@\n     if x:\n-        a\n+        {}\n+        b\n"
    for new, blank in (("\f", "\t\t\f"), ("\f\f", "\t\t\f\f"), ("", "        ")):
        assert patch("\tif x:\n\t\ta\n", hunk.format(new)).content == f"\tif x:\n{blank}\n\t\tb\n"
    # at the margin it separates more than that
    at_margin = hunk.format("").replace("+        \n", "+\f\n")
    assert patch("\tif x:\n\t\ta\n", at_margin).content == "\tif x:\n\f\n\t\tb\n"


def test_a_line_that_separates_pages_is_found_as_such() -> None:
    assert patch("a\n\nb\n\f\n", "@@\n \f\n+n\n").content == "a\n\nb\n\f\nn\n"
    assert outcome(patch("a\n\nb\n\f\n", "@@\n \n+n\n")) == ["ambiguous"]  # which may be either
    for file in ("a\n\nb\n", "a\nb\n", "a\n\n\f\nb\n"):
        assert outcome(patch(file, "@@\n a\n \f\n-b\n+c\n")) == ["not_found"]


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # the next line is blank, too
        ("a\n\f\n\n", " a\n \n+x\n", "a\n\f\nx\n\n"),
        ("a\n\f\n \nb\n", " a\n \n+x\n", "a\n\f\nx\n \nb\n"),
        ("a\n\f\n\f\nb\n", " a\n \n+x\n", "a\n\f\nx\n\f\nb\n"),
        ("\n\f\na\n", "+x\n \n a\n", "\nx\n\f\na\n"),
        ("b\n\n\n\f\na\n", "+x\n \n \n a\n", "b\n\nx\n\n\f\na\n"),
        ("a\n\f\n\f\n\n", " a\n \f\n \n+x\n", "a\n\f\n\f\nx\n\n"),
        # it is not blank, or is no line
        ("a\n\f\nb\n", " a\n \n+x\n", "a\n\f\nx\nb\n"),
        ("a\n\f\n", " a\n \n+x\n", "a\n\f\nx\n"),
        ("\f\na\n", "+x\n \n a\n", "x\n\f\na\n"),
        # both are in the hunk
        ("a\n\f\n\nb\n", " a\n \n \n+x\n", "a\n\f\n\nx\nb\n"),
        ("b\n\n\f\na\n", "+x\n \n \n a\n", "b\nx\n\n\f\na\n"),
        # more than both are
        ("b\n\n\f\na\n", "+x\n \n \n \n a\n", None),
        # what is written for the form feed is one
        ("a\n\f\n\n", " a\n  \f\n+x\n", "a\n\f\nx\n\n"),
        # no change is next to it
        ("a\nb\n\f\n\n", "-a\n+x\n b\n \n", "x\nb\n\f\n\n"),
        ("\n\f\na\nb\n", " \n a\n-b\n+x\n", "\n\f\na\nx\n"),
    ],
)
def test_a_blank_line_stands_for_one_that_separates_pages(file: str, hunk: str, content: str | None) -> None:
    result = patch(file, f"@@\n{hunk}")
    expected = (file, ["not_found"]) if content is None else (content, ["applied"])
    assert (result.content, outcome(result)) == expected


def test_what_is_said_of_it() -> None:
    result = patch("a\n\nb\nc\n", "@@\n a\n+x\n b\n c\n")
    assert told(result).startswith("The hunk is about line 2, but it leaves lines of the file out there")
    assert GAP in told(result)
    assert result.failures[0].lines == (2,)


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # a blank line is missing, and no change is there
        ("a\n\nb\nc\n", " a\n-b\n+B\n c\n", "a\n\nB\nc\n"),
        ("a\n\nb\nc\nd\n", " a\n b\n+x\n c\n", "a\n\nb\nx\nc\nd\n"),
        # one is too many, and all of them are before the new lines, or behind them
        ("a\n\nb\n", " a\n \n \n+x\n b\n", "a\n\nx\nb\n"),
        ("a\n\nb\n", " a\n+x\n \n \n b\n", "a\nx\n\nb\n"),
        ("a\nb\n", " a\n \n+x\n b\n", "a\nx\nb\n"),
        ("a\nb\n", " a\n+x\n \n+y\n b\n", "a\nx\n\ny\nb\n"),
        # at the edge, where the file ends
        ("a\n", " a\n+x\n \n", "a\nx\n"),
        ("a\nb\n", " \n+x\n a\n b\n", "x\na\nb\n"),
        # … or where a line without a sign separates the hunk from what follows
        ("a\nb\nc\n", " a\n-b\n+x\n\nDone.\n", "a\nx\nc\n"),
        # leading blank lines, and another line that is misspelt
        ("\n\nalpha beta gamma\nb\n", "+x\n \n alpha beta gama\n-b\n+B\n", "\nx\n\nalpha beta gamma\nB\n"),
    ],
)
def test_lines_elsewhere_that_are_not_those_of_the_file(file: str, hunk: str, content: str) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        # found with other blank lines; but with one line less, or more, it would be elsewhere
        ("- a\n\n- a\n\n- a\n\n", " - a\n - a\n-\n-- a\n+n\n \n"),
        ("- a\n\n- a\n\n- a\n\n- a\n\n", " - a\n-\n - a\n - a\n \n - a\n"),
        ("    p\n\n    p\n  p\nq\n", " \n   p\n-q\n+Q\n"),
        ("q\n  p\n    p\n\nr\n", "-q\n+Q\n   p\n \n r\n"),
    ],
)
def test_blank_lines_differ_and_another_reading_is_as_good(file: str, hunk: str) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.ok, result.content) == (False, file)


ENTRIES = "top\n- area\n  enabled: true\n\n- area\n  enabled: true\n- area\n\n- {}\n\n- area\n  enabled: true\n"


@pytest.mark.parametrize(
    ("file", "hunk", "number", "content"),
    [
        # found at line 5; a line is left out of it at 2 and 3, and another at 4, but not at 1
        ("a p p n p p p p p b", " p\n p\n+x\n p\n p\n p\n", 1, "a p p n p p x p p p b"),
        ("a p p n p p p p p b", " p\n p\n+x\n p\n p\n p\n", 2, None),
        ("a p p n p p p p p b", " p\n p\n+x\n p\n p\n p\n", 3, None),
        ("a p p n p p p p p b", " p\n p\n+x\n p\n p\n p\n", 4, None),
        ("a p p n p p p p p b", " p\n p\n+x\n p\n p\n p\n", 5, "a p p n p p x p p p b"),
        ("a p p n p p p p p b", " p\n p\n+x\n p\n p\n p\n", 11, "a p p n p p x p p p b"),
        # found at 3; one is doubled at 1
        ("p q p p q z", " p\n p\n q\n+x\n", 1, None),
        ("p q p p q z", " p\n p\n q\n+x\n", 2, "p q p p q x z"),
        # blank lines are counted, but not compared
        ("a  p n p q  p p q b", " \n p\n p\n q\n+x\n", 2, None),
        ("a  p n p q  p p q b", " \n p\n p\n q\n+x\n", 3, None),  # `n` for `p`
        ("a  p n p q  p p q b", " \n p\n p\n q\n+x\n", 4, None),  # one is doubled
        ("a  p n p q  p p q b", " \n p\n p\n q\n+x\n", 5, "a  p n p q  p p q x b"),
        # one of its lines is in the file once
        ("a p p p s b", " p\n p\n p\n s\n+x\n", 3, "a p p p s x b"),
        ("a p p p s b s", " p\n p\n p\n s\n+x\n", 3, None),
        ("a p p p s b s", " p\n p\n p\n s\n+x\n", 2, "a p p p s x b s"),
        # two lines are left out, which nobody does
        ("a p n n p s p p s b", " p\n p\n s\n+x\n", 2, "a p n n p s p p s x b"),
    ],
)
def test_it_is_elsewhere_and_but_for_one_line_at_its_number(
    file: str, hunk: str, number: int, content: str | None
) -> None:
    text = file.replace(" ", "\n") + "\n"
    old = hunk.count("\n") - 1
    result = patch(text, f"@@ -{number},{old} +{number},{old + 1} @@\n{hunk}")
    expected = (text, ["ambiguous"]) if content is None else (content.replace(" ", "\n") + "\n", ["applied"])
    assert (result.content, outcome(result)) == expected


def but(*numbers: int) -> list[int]:
    """All others."""
    return [number for number in range(1, 12) if number not in numbers]


@pytest.mark.parametrize(
    ("header", "context", "expected"),
    [
        # at its number the new lines are there, whether a line of context is misspelt or not
        ("-1,6 +1,10", "calculate(line);", "ambiguous"),
        ("-1,6 +1,10", "calcualte(line);", "ambiguous"),
        ("-5,6 +5,10", "calcualte(line);", "applied"),
        ("-2,6 +2,10", "calcualte(line);", "applied"),
        ("", "calcualte(line);", "applied"),
    ],
)
def test_a_hunk_that_is_at_its_number_already_but_for_a_misspelt_line(header: str, context: str, expected: str) -> None:
    file = "g\n}\n\nn\ng\n}\n\nf\ncalculate(line);\nc\n"
    result = patch(file, f"@@ {header} @@\n g\n }}\n \n+n\n+g\n+}}\n+\n f\n {context}\n c\n")
    assert (outcome(result), result.ok) == ([expected], expected == "applied")


@pytest.mark.parametrize(
    ("file", "hunk", "doubted", "content"),
    [
        # its new lines are there already; blank lines do not count
        ("a b n c . b c d", " b\n+n\n c\n", [2], "a b n c . b n c d"),
        ("a b  n c . b c d", " b\n+n\n c\n", [2], "a b  n c . b n c d"),
        ("a b m c . b c d", " b\n+n\n c\n", [2], "a b m c . b n c d"),  # one line is between the old ones
        ("a b m m c . b c d", " b\n+n\n c\n", [], "a b m m c . b n c d"),
        ("a b d . b c d", " b\n-c\n d\n", [2], "a b d . b d"),  # one of three is gone
        ("a b . b c e d", " b\n-c\n-e\n d\n", [], "a b . b d"),
        # right before the place, where it would be written twice: two lines, or one that is nowhere else
        ("a n m b c", "+n\n+m\n b\n c\n", but(4), "a n m n m b c"),
        ("a n m b c n m", "+n\n+m\n b\n c\n", but(4), "a n m n m b c n m"),
        ("a n b c", "+n\n b\n c\n", but(3), "a n n b c"),
        ("a n b c n", "+n\n b\n c\n", but(3), "a n n b c n"),
        # right behind it, or at the end of the file
        ("a b n c", " a\n b\n+n\n", but(), ""),
        ("a b n m c", " a\n b\n+n\n+m\n", but(), ""),
        ("a b n c", " a\n b\n+n\n+m\n", [], "a b n m n c"),
        ("a b m n c", " a\n b\n+n\n", [], "a b n m n c"),
        ("n b", " b\n+n\n", [], "n b n"),
        ("n a b", "+n\n b\n", [], "n a n b"),
        ("b a n", "+n\n b\n", [], "n b a n"),
        # with context on both sides it was not made
        ("a n n b", " n\n+n\n n\n b\n", [], "a n n n b"),
        ("a n b", "-a\n+n\n n\n b\n", [], "n n b"),
        # the lines of the place itself
        ("a b c d", "-a\n b\n c\n", [], "b c d"),
        ("b c d a", " b\n c\n-d\n a\n", [], "b c a"),
        # one old line has changed, is gone, or has another before it
        ("a b C d . a b c d", " a\n b\n-c\n+x\n d\n", [1], "a b C d . a b x d"),
        ("A b c d . a b c d", " a\n b\n-c\n+x\n d\n", [1, 2], "A b c d . a b x d"),
        ("a b c D . a b c d", " a\n b\n-c\n+x\n d\n", [1], "a b c D . a b x d"),
        ("a b d . a b c d", " a\n b\n-c\n+x\n d\n", [1], "a b d . a b x d"),
        ("a b n c d . a b c d", " a\n b\n-c\n+x\n d\n", [1], "a b n c d . a b x d"),
        # or two have
        ("a b C D . a b c d", " a\n b\n-c\n+x\n d\n", [], "a b C D . a b x d"),
        ("a b n n c d . a b c d", " a\n b\n-c\n+x\n d\n", [], "a b n n c d . a b x d"),
        # one line is not enough
        ("a q . a b", " a\n-b\n+x\n", [], "a q . a x"),
        ("q b . a b", " a\n-b\n+x\n", [], "q b . a x"),
    ],
)
def test_it_is_found_elsewhere_and_was_perhaps_written_for_its_number(
    file: str, hunk: str, doubted: list[int], content: str
) -> None:
    text = file.replace(" ", "\n") + "\n"
    old, new = (sum(line[0] != sign for line in hunk.splitlines()) for sign in "+-")
    for number in range(1, 12):
        result = patch(text, f"@@ -{number},{old} +{number},{new} @@\n{hunk}")
        is_doubted = number in doubted
        expected = (text, ["ambiguous"]) if is_doubted else (content.replace(" ", "\n") + "\n", ["applied"])
        assert (number, result.content, outcome(result)) == (number, *expected)


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        ("a n b c", "+n\n b\n c\n", None),
        ("  n b c", "+n\n b\n c\n", None),
        ("a b c", "+n\n b\n c\n", "a n b c"),
        ("a b n c", " a\n b\n+n\n", None),
        ("a b n c", "+b\n a\n+b\n", "b a b b n c"),
        ("a b", "+b\n a\n b\n", "b a b"),
        ("a b", " a\n b\n+b\n", "a b b"),
        ("z a n a", "+a\n+n\n a\n n\n", "z a n a n a"),
        ("z a n", "+a\n+n\n a\n n\n", "z a n a n"),
        # what is in the file is behind the context, and not before it
        ("a n a b", "+a\n+n\n a\n b\n", None),
        ("z c n c x", "+c\n+n\n c\n x\n", None),
    ],
)
def test_new_lines_at_an_edge_without_a_number(file: str, hunk: str, content: str | None) -> None:
    text = file.replace(" ", "\n") + "\n"
    result = patch(text, f"@@\n{hunk}")
    if content is not None:
        assert (result.ok, result.content) == (True, content.replace(" ", "\n") + "\n")
        return
    [failure] = result.failures
    assert failure.reason == "ambiguous"
    assert failure.message.startswith(
        f"The file has the new lines of the hunk already, right beside line {failure.lines[0]}. If this edit was made"
    )


LINES = "".join(f"l{number}\n" for number in range(1, 10))


@pytest.mark.parametrize(
    ("header", "hunk", "content"),
    [
        # the first line belongs behind line 3, and the header before the others is missing
        ("-3,0 +4", "+x\n-l7\n+L7\n", None),
        ("-3,0 +4,2", "+x\n-l7\n+L7\n", None),
        ("-3,0 +4", "+x\n l6\n-l7\n", None),
        ("-3,0 +4", "+x\n-l5\n", None),
        ("-3,0 +4", "+x\n-l2\n", None),
        # both are there, or context shows where they are
        ("-3,0 +4", "+x\n-l4\n+L4\n", LINES.replace("l4", "x\nL4")),
        ("-3,0 +4", "+x\n-l3\n+L3\n", LINES.replace("l3", "x\nL3")),
        ("-3,0 +4", " l6\n+x\n-l7\n+L7\n", LINES.replace("l7", "x\nL7")),
        ("-3,0 +4", "+x\n l7\n", LINES.replace("l7", "x\nl7")),
        ("-3,1 +4,2", "+x\n-l7\n+L7\n", LINES.replace("l7", "x\nL7")),
        ("-3,0 +4", "-l7\n+L7\n", LINES.replace("l7", "L7")),
    ],
)
def test_old_lines_behind_a_header_for_new_ones(header: str, hunk: str, content: str | None) -> None:
    result = patch(LINES, f"@@ {header} @@\n{hunk}")
    assert (result.content, outcome(result)) == ((content, ["applied"]) if content else (LINES, ["bad_marker"]))
    assert content or "Perhaps the `@@` line of a second hunk is missing before them." in told(result)


@pytest.mark.parametrize(
    ("context", "new", "content"),
    [
        # more than in the file: those of new lines may be too many
        (r"match_line(text, '\\\\d+')", r"b = '\\\\w'", None),
        (r"match_line(text, '\\\\d+')", "b = 1", "b = 1"),
        # fewer: new lines may have lost theirs
        (r"match_line(text, 'd+')", r"b = '\\w'", None),
        (r"match_line(text, 'd+')", "b = 1", None),
        # another slip says nothing of them, nor does a line that is right
        (r"match_lime(text, '\\d+')", r"b = '\\\\w'", r"b = '\\\\w'"),
        (r"match_line(text, '\\d+')", r"b = '\\\\w'", r"b = '\\\\w'"),
    ],
)
def test_context_with_other_backslashes(context: str, new: str, content: str | None) -> None:
    file = "match_line(text, '\\\\d+')\nold_value = 1\nvalues = list(old_value)\n"
    result = patch(file, f"@@\n {context}\n-old_value = 1\n+{new}\n values = list(old_value)\n")
    if content is not None:
        assert (result.ok, result.content) == (True, file.replace("old_value = 1", content))
    else:
        assert (result.content, outcome(result)) == (file, ["ambiguous"])
        assert told(result).startswith("The context at line 1 has other signs than the file for the same text")


def test_a_hunk_that_has_only_lost_lines_has_no_backslashes_to_doubt() -> None:
    file = "match_line(text, '\\\\d+')\nold_value = 1\nvalues = list(old_value)\n"
    hunk = "@@\n match_line(text, '\\\\\\\\d+')\n-old_value = 1\n values = list(old_value)\n"
    assert patch(file, hunk).content == file.replace("old_value = 1\n", "")


@pytest.mark.parametrize(
    ("number", "line", "is_right"),
    [
        (1, "a", False),  # the hunk before is at its own number
        (1, " a", True),  # the line is another
        (1, "c", True),
        (2, "a", True),  # it is not
    ],
)
def test_one_line_at_a_number_that_is_trusted(number: int, line: str, is_right: bool) -> None:
    file = f"t\n{line}\nq\n.\nb\n.\na\nb\na\nz\n"
    text = f"@@ -{number} +1 @@\n-t\n+T\n@@ -{number + 1},2 +2,2 @@\n a\n-b\n+x\n"
    result = patch(file, text)
    assert outcome(result) == ["applied", "applied" if is_right else "ambiguous"]
    assert result.content == (f"T\n{line}\nq\n.\nb\n.\na\nx\na\nz\n" if is_right else f"T{file[1:]}")


def test_what_is_said_of_a_hunk_that_was_perhaps_written_for_its_number() -> None:
    [failure] = patch("a\nn\nm\nb\n", "@@ -2,1 +2,3 @@\n+n\n+m\n b\n").failures
    assert (failure.lines, failure.message) == (
        (4, 2),
        "The hunk is found at line 4, but by its number it begins at line 2, and the file has its new lines there "
        "already, or all of its old ones but for one. If this edit was made before, leave it out; if not, repeat the "
        "hunk with the lines of the file exactly as they are, and with their number.",
    )


@pytest.mark.parametrize(
    ("hunk", "number"),
    [
        # a blank line that the file does not have there, before all others or between two
        (" \n - area\n   enabled: true\n \n-- area\n+- B\n   enabled: true\n - area\n \n", 1),
        ("-- area\n+- B\n   enabled: true\n \n - area\n   enabled: true\n \n - area\n \n", 2),
    ],
)
def test_lines_that_all_repeat_show_no_place_if_one_is_wrong(hunk: str, number: int) -> None:
    file = ENTRIES.format("last")
    for header in ("@@", f"@@ -{number + 3},9 +{number + 3},9 @@"):
        result = patch(file, f"{header}\n{hunk}@@\n")
        assert (result.content, outcome(result)[0], GAP in told(result)) == (file, "not_found", True)
    # Its number says so, too; or one of its lines is nowhere else.
    assert outcome(patch(file, f"@@ -{number},9 +{number},9 @@\n{hunk}@@\n"))[0] == "applied"
    assert outcome(patch(file, f"@@\n{hunk} - last\n@@\n"))[0] == "applied"
    assert outcome(patch(ENTRIES.format("area"), f"@@\n{hunk} - area\n@@\n"))[0] == "not_found"


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # one of two equal lines is written twice, or there is a blank line between them; and another is misspelt
        (
            "size\n- path\n\n- path\n\n- path\n\n- path\n\nq\n",
            "@@\n size\n - path\n - path\n \n-- path\n+- new\n \n - paht\n",
            None,
        ),
        # the line that is removed is gone, or the one before it was left out
        ("a\nc\nb\nc\nd\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", None),
        # the line that is left out may be one more to be removed, unless the header counts it as context
        ("a\nx\nb\nc\nd\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", None),
        ("a\nx\nb\nc\nd\n", "@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n", "a\nx\nB\nc\nd\n"),
        # a blank line has come before another line
        ("one\nsize\nvalue\n\nvalue\nx\n", "@@\n one\n size\n+new\n \n value\n value\n", None),
        (
            "one\nsize\nvalue\nvalue\nx\n",
            "@@\n one\n size\n+new\n \n value\n value\n",
            "one\nsize\nnew\nvalue\nvalue\nx\n",
        ),
    ],
)
def test_two_things_that_are_wrong_may_be_others(file: str, hunk: str, content: str | None) -> None:
    result = patch(file, f"{hunk}@@\n")
    assert (result.content, outcome(result)[0]) == (content or file, "applied" if content else "not_found")


def test_lines_that_all_repeat_but_for_a_line_of_context_that_is_another() -> None:
    entry = "- area\n  value: 0\n  user: 1\n\n"
    file = entry * 2 + "- state\n\n" + entry * 2
    hunk = " - area\n   value: 0\n   user: 1\n-\n-- area\n-  value: 0\n-  user: 1\n+new\n \n - save\n \n@@\n"
    for header in ("@@", "@@ -11,10 +11,7 @@"):  # where another entry, with `- save` behind it, has been removed since
        result = patch(file, f"{header}\n{hunk}")
        assert (result.content, outcome(result)[0], GAP in told(result)) == (file, "not_found", True)
    assert outcome(patch(file, f"@@ -1,10 +1,7 @@\n{hunk}"))[0] == "applied"
    assert (
        outcome(patch(file.replace("user: 1", "user: 2", 1), f"@@\n{hunk.replace('user: 1', 'user: 2', 1)}"))[0]
        == "applied"
    )


@pytest.mark.parametrize(("end", "expected"), [("c\n", "applied"), ("c\nc\n", "not_found"), ("c\n\nc\n", "not_found")])
def test_a_blank_line_is_left_out_and_the_last_line_stands_twice(end: str, expected: str) -> None:
    assert outcome(patch(f"z\n\na\nb\n{end}", "@@\n z\n a\n-b\n+n\n c\n")) == [expected]


def test_a_line_is_left_out_or_one_of_several_equal_lines_is_doubled() -> None:
    file = "- a\n- b\n\n" + "- a\n\n" * 5 + "- c\n"
    hunk = " - a\n \n - a\n-\n-- a\n-\n+n\n - a\n - a\n \n - a\n \n - c\n"
    assert outcome(patch(file, f"@@\n{hunk}")) == ["not_found"]
    single = hunk.replace(" - a\n - a\n", " - a\n")
    assert patch(file, f"@@\n{single}").content == "- a\n- b\n\n- a\n\n- a\nn\n- a\n\n- a\n\n- c\n"


def test_a_line_is_left_out_among_equal_lines_of_other_depth() -> None:
    file = "one two\n    pass\n  pass\nthree four\nfive six\n"
    assert outcome(patch(file, "@@\n one two\n     pass\n three four\n-five six\n+n\n")) == ["not_found"]
    file = file.replace("    pass", "  pass")
    assert patch(file, "@@\n one two\n   pass\n three four\n-five six\n+n\n").content == file.replace("five six", "n")


@pytest.mark.parametrize("hunk", [" if x:\n-  a\n", " if x:\n-  a\n+  b\n", "-    a\n c\n"])
def test_a_line_is_removed_that_stands_as_it_is_written_one_line_further(hunk: str) -> None:
    file = "if x:\n    a\n  a\nc\n"
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (file, ["not_found"])


@pytest.mark.parametrize(
    ("file", "hunk", "is_known"),
    [
        ("t\np\n  p\n  p\n", " t\n   p\n-  p\n+  n\n", False),
        ("t\np\n  p\n  p\n", " t\n   p\n-  p\n", False),
        ("t\np\n\tp\n", " t\n   p\n-  p\n", True),  # the file has no such line
        ("  p\n  p\np\nt\n", "-  p\n   p\n t\n", False),
        ("\tp\np\nt\n", "-  p\n   p\n t\n", True),
    ],
)
def test_all_lines_behind_one_stand_as_they_are_written_one_line_further(file: str, hunk: str, is_known: bool) -> None:
    assert outcome(patch(file, f"@@\n{hunk}")) == ["applied" if is_known else "not_found"]


def test_a_line_with_another_indentation_that_stands_elsewhere_as_it_is_written() -> None:
    assert outcome(patch("\n\ta\n\nb\n  a\n", "@@\n \n   a\n+n\n")) == ["not_found"]
    assert outcome(patch("u\n  a\n\nu\n    a\n-\n\n", "@@\n u\n+n\n     a\n \n")) == ["not_found"]
    assert patch("\n\ta\n\nb\n", "@@\n \n   a\n+  n\n").content == "\n\ta\n\tn\n\nb\n"


# --- `...`, and signs as HTML has them


def test_lines_that_are_left_out_of_the_context() -> None:
    file = "".join(f"{number}\n" for number in range(1, 10))
    result = patch(file, "@@ -1,8 +1,8 @@\n 1\n-2\n+two\n ...\n 7\n+x\n 8\n")
    assert (result.content, outcome(result)) == ("1\ntwo\n3\n4\n5\n6\n7\nx\n8\n9\n", ["applied"])
    assert [(edit.strategy, edit.fixes) for edit in result.edits] == [("elided", ("context is left out with `...`",))]


@pytest.mark.parametrize(
    "hunk",
    [
        " 1\n-2\n+x\n ...\n 9\n",  # no such line
        " 1\n ...\n-3\n+x\n",  # two of them
        " 1\n-2\n-...\n+x\n 3\n",  # they are to be removed
        " 4\n ...\n-2\n",  # in another order
        " 1\n-...\n-4\n",
        " ...\n-2\n",
        " 1\n ...\n+x\n",
        " 1\n ...\n-2\n+x\n",  # nothing is left out
    ],
)
def test_lines_that_are_left_out_somewhere_else(hunk: str) -> None:
    file = "1\n2\n3\n4\n3\n"
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (file, ["not_found"])


def test_the_file_has_such_a_line_once() -> None:
    file = "alpha\nbeta\n...\ngamma\ndelta\n"
    assert outcome(patch(file, "@@\n alpha\n-beta\n ...\n ...\n+x\n")) == ["not_found"]
    assert patch(file, "@@\n ...\n-gamma\n+x\n").content == "alpha\nbeta\n...\nx\ndelta\n"
    assert outcome(patch(file, "@@\n beta\n ...\n+x\n delta\n")) == ["not_found"]


def test_signs_written_as_html_has_them() -> None:
    file = "if a < b:\n    go('x')\n"
    result = patch(file, "@@\n if a &lt; b:\n-    go(&#x27;x&#x27;)\n+    go(&quot;&amp;lt;&quot;)\n")
    assert (result.content, outcome(result)) == ('if a < b:\n    go("&lt;")\n', ["applied"])
    assert result.edits[0].fixes == ("signs that were written as HTML has them are signs",)


@pytest.mark.parametrize(
    "hunk",
    [
        " if a &lt; b:\n-    go(1)\n+    go(c > 1)\n",  # some signs are written as they are
        " if a &lt; b:\n-    go(1)\n+    go(c && d &amp; e)\n",
        " if a &lt; b:\n-    go(1)\n+    go(c, '&#39;')\n",
        " if a &lt; c:\n-    go(1)\n+    go(2)\n",  # and found nowhere
    ],
)
def test_signs_of_html_in_one_line_of_context_are_no_misspelling(hunk: str) -> None:
    file = "one line more\nif a < b:\n    go(1)\n"
    result = patch(file, f"@@\n one line more\n{hunk}")
    assert (result.content, outcome(result)) == (file, ["not_found"])


# --- indentation

PYTHON = "class A:\n    def f(self):\n        if x:\n            return 1\n        return 2\n"


@pytest.mark.parametrize(
    "hunk",
    [
        " def f(self):\n if x:\n return 1\n+z = 1\n return 2\n",  # in the block, or behind it
        " def f(self):\n-if x:\n-return 1\n+while y:\n+return 3\n+go()\n return 2\n",
        " class A:\n def f(self):\n if x:\n return 1\n return 2\n+return 3\n",
        "         def f(self):\n         if x:\n             return 1\n         return 2\n+        return 3\n",
        " def f(self):\n if x:\n return 1\n-return 2\n+raise Exception(3)\n",
    ],
)
def test_indentation_that_is_lost(hunk: str) -> None:
    result = patch(PYTHON, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (PYTHON, ["indentation"])


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # as many lines that resemble those they stand for
        (
            PYTHON,
            " def f(self):\n-if x:\n-return 1\n+if xy:\n+return 11\n return 2\n",
            PYTHON.replace("x", "xy").replace("1", "11"),
        ),
        ("a {\n  bcd;\n  c;\n}\n", " a {\n-bcd;\n+\n+bcde;\n c;\n+\n }\n", "a {\n\n  bcde;\n  c;\n\n}\n"),
        # only lines that go
        (PYTHON, " def f(self):\n if x:\n-return 1\n+return 10\n return 2\n", PYTHON.replace("1", "10")),
        (PYTHON, " def f(self):\n if x:\n return 1\n-return 2\n", PYTHON.replace("        return 2\n", "")),
    ],
)
def test_indentation_that_the_lines_around_show(file: str, hunk: str, content: str) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content, ["applied"])


def test_a_line_that_is_only_moved_to_the_right() -> None:
    # One line of context has another indentation than in the file, so that the others show nothing of new lines.
    file = "function f() {\n  if (a) {\n    go();\n  }\n    }\n"
    hunk = "@@\n function f() {\n   if (a) {\n-    go();\n+        go();\n   }\n }\n"
    result = patch(file, hunk)
    assert (result.content, outcome(result)) == (file, ["indentation"])
    assert patch(file, hunk.replace("+        go()", "+    go(1)")).content == file.replace("go()", "go(1)")
    exact = hunk.replace("\n }\n", "\n     }\n")
    assert patch(file, exact).content == file.replace("    go", "        go")


def test_what_a_bracket_closes_may_be_new() -> None:
    file = "f {\n  if (x) {\n    return 1;\n  }\n  return 2;\n}\n"
    result = patch(file, "@@\n f {\n-if (x) {\n-return 1;\n+go();\n }\n return 2;\n }\n")
    assert (result.content, outcome(result)) == (file, ["indentation"])


# --- Python


@pytest.mark.parametrize(
    "text",
    [
        "--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-x = 1\n+x = (\n",
        "*** Begin Patch\n*** Update File: f.py\n@@\n-x = 1\n+x = (\n*** End Patch\n",
    ],
)
def test_a_patch_leaves_a_file_python(text: str) -> None:
    for path in ("f.py", "f.pyi"):
        result = patch("x = 1\n", text.replace("f.py", path), path=path)
        assert (result.content, outcome(result)) == ("x = 1\n", ["syntax"])
        assert told(result) == (
            "With this hunk the file would no longer be Python ('(' was never closed, at `x = (`). "
            "Repeat the hunk with every bracket, every quote and the indentation that it takes."
        )
    assert patch("x = 1\n", text).content == "x = (\n"
    assert patch("x = 1\n", text.replace("f.py", "f.txt"), path="f.txt").content == "x = (\n"
    # what was none before, or is empty, need not become one
    assert patch("x = 1\nif\n", text, path="f.py").content == "x = (\nif\n"
    made = "--- /dev/null\n+++ b/f.py\n@@ -0,0 +1 @@\n+x = (\n"
    assert patch("", made, path="f.py").content == "x = (\n"


def test_python_is_checked_with_all_hunks() -> None:
    file = "def f():\n    a()\n    b()\n"
    first, second = "@@\n-    a()\n+    if x:\n", "@@\n-    b()\n+        b()\n"
    assert patch(file, first + second, path="x.py").content == "def f():\n    if x:\n        b()\n"
    result = patch(file, first, path="x.py")
    assert (result.content, outcome(result)) == (file, ["syntax"])
    # of a hunk that is indented otherwise than the file, that is the reason, and others are applied
    result = patch("if x:\n    a()\n    b()\nc()\n", "@@\n-a()\n+if\n@@\n-c()\n+d()\n", path="x.py")
    assert (result.content, outcome(result)) == ("if x:\n    a()\n    b()\nd()\n", ["indentation", "applied"])
    assert told(result) == (
        "The lines to be replaced are not written with the indentation of the file, and with the new lines the file "
        "would no longer be Python (invalid syntax, at `if`). "
        "Repeat the hunk with the indentation of the file, in the old lines and in the new ones."
    )


def test_python_that_becomes_something_else_or_comes_in_parts() -> None:
    def header(old: str, new: str) -> str:
        return f"diff --git a/{old} b/{new}\nrename from {old}\nrename to {new}\n--- a/{old}\n+++ b/{new}\n"

    change = "@@ -1 +1 @@\n-x = 1\n+x = (\n"
    result = patch("x = 1\n", header("f.py", "f.txt") + change, path="f.py")
    assert (result.content, result.moved_to) == ("x = (\n", "f.txt")
    assert outcome(patch("x = 1\n", header("f.txt", "f.py") + change, path="f.txt")) == ["syntax"]
    # the second part is about what the first has made
    part = "--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-x = {}\n+x = {}\n"
    assert patch("x = 1\n", part.format(1, 2) + part.format(2, 3), path="f.py").content == "x = 3\n"
    result = patch("x = 1\n", part.format(1, 2) + part.format(2, "("), path="f.py")
    assert (result.content, outcome(result)) == ("x = 2\n", ["applied", "syntax"])
    assert patch("x = 1\n", "--- a/f.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n", path="f.py").is_deleted


# --- numbers


def test_a_hunk_by_its_number_and_another_that_is_before_it() -> None:
    file = "x\ny\n1\n2\n3\nx\ny\n"
    result = patch(file, "@@ -6,2 +6,2 @@\n x\n-y\n+Y\n@@ -9,1 +9,1 @@\n-2\n+II\n")
    assert (result.ok, outcome(result)) == (False, ["applied", "applied", "ambiguous", "ambiguous"])
    assert told(result).startswith("Hunk 1 fits in several places. By its number it belongs to line 7, but other hunks")
    # the number of the second is the lower one: they may come in any order
    assert patch(file, "@@ -6,2 +6,2 @@\n x\n-y\n+Y\n@@ -4,1 +4,1 @@\n-2\n+II\n").ok
    # nor is one where it is by its number if none was found by that
    assert not patch("1\n2\n", "@@ -6,1 +6,1 @@\n-2\n+II\n@@ -9,1 +9,1 @@\n-1\n+I\n").ok


def test_a_hunk_by_its_number_that_is_behind_a_later_one() -> None:
    text = "@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-c\n+C\n@@ -3 +3 @@\n-x\n+X\n"
    result = patch("1\n2\nc\nx\na\nx\n", text)
    assert (result.ok, [edit.start_line for edit in result.edits]) == (False, [5, 3, 4])
    assert not patch("1\n2\nc\nx\na\ny\n", text).ok
    assert patch("1\n2\na\nc\nx\ny\n", text).ok


def test_a_hunk_by_its_number_where_others_are_off() -> None:
    file = "- a\n  b\n\n- a\n  b\n\n- c\n\n"
    text = "@@ -4,2 +4,2 @@\n - a\n-  b\n+  n\n@@ -10,1 +10,1 @@\n-- c\n+- d\n"
    assert outcome(patch(file, text)) == ["applied", "applied", "ambiguous"]  # three lines off, it is at line 1
    assert patch(file, text.replace("-10,1 +10,1", "-9,1 +9,1")).ok  # two lines off, it is nowhere
    assert patch(file, text.replace("-10,1 +10,1", "-7,1 +7,1")).ok


def test_a_hunk_by_its_number_with_lines_of_another() -> None:
    text = "@@ -1,3 +1,3 @@\n a\n-\n+n\n b\n@@ -2,1 +2,2 @@\n \n+m\n"
    assert outcome(patch("x\n\na\n\nb\n\n", text)) == ["applied", "applied", "ambiguous"]
    assert patch("x\n\na\n\nb\n\n", text.replace("-2,1", "-4,1")).content == "x\n\na\nn\nb\n\nm\n"


@pytest.mark.parametrize(
    ("numbers", "is_right"),
    [
        ((6, 8), False),  # the second is before the first
        ((6, 7), False),  # and both would have line 7
        ((6, 6), False),
        ((6, 5), True),
        ((6, 4), True),
        # three lines, of which the last is the first of the other
        ((1, 2), False),
        ((1, 3), True),
        ((1, 4), True),
    ],
)
def test_a_hunk_by_its_number_that_would_have_lines_of_another(numbers: tuple[int, int], is_right: bool) -> None:
    first, second = numbers
    result = patch("x\ny\n1\n2\n3\nx\ny\n", f"@@ -{first},2 +1,2 @@\n x\n-y\n+Y\n@@ -{second} +1 @@\n-2\n+II\n")
    count = 0 if is_right else 2 if second >= first == 6 else 1  # the second is not at its number, nor behind the first
    assert outcome(result) == ["applied", "applied", *["ambiguous"] * count]
    assert result.ok is is_right


@pytest.mark.parametrize(
    ("numbers", "is_right"),
    [
        ((2, 4, 7, 9), True),
        # the file has lost lines in one place
        ((2, 4, 7, 10), True),
        ((2, 5, 8, 10), True),
        ((3, 5, 8, 10), True),
        # in two, in three, or in one where it has got some in another
        ((2, 4, 8, 11), False),
        ((2, 5, 9, 12), False),
        ((2, 4, 8, 9), False),
    ],
)
def test_a_hunk_by_its_number_where_others_are_off_here_and_there(
    numbers: tuple[int, int, int, int], is_right: bool
) -> None:
    hunks = [f"@@ -{number} +1 @@\n-{at}\n+n\n" for at, number in enumerate(numbers, 1)]
    result = patch("x\n1\nx\n2\nx\nx\n3\nx\n4\n", "@@ -1 +1 @@\n-x\n+X\n" + "".join(hunks))
    assert [edit.start_line for edit in result.edits] == [1, 2, 4, 7, 9]
    assert (result.ok, outcome(result)[5:]) == (is_right, [] if is_right else ["ambiguous"])


def test_hunks_with_the_same_number_are_in_the_order_in_which_they_are_written() -> None:
    # As far off as the first hunk is, the blank line is line 7. The third hunk has the same number, and is before it.
    file = "a\nb\n\nc\n\nd\n\ne\n"
    text = "@@ -11 +11 @@\n-a\n+A\n@@ -{number} +1 @@\n-\n+n\n@@ -17 +17 @@\n-d\n+D\n"
    assert outcome(patch(file, text.format(number=17))) == ["applied"] * 3 + ["ambiguous"] * 2
    assert patch(file, text.format(number=15)).content == "A\nb\n\nc\nn\nD\n\ne\n"


@pytest.mark.parametrize(
    ("file", "hunks", "is_right"),
    [
        # the first is behind the second, and only that is at its number
        ("p\na\nx\nb\nq\na\nb\n", ["@@ -2,2 +2,3 @@\n a\n+n\n b\n", "@@ -3 +4 @@\n-x\n+y\n"], False),
        # neither is at its number
        ("p\nx\na\nb\n", ["@@ -12,2 +12,3 @@\n a\n+n\n b\n", "@@ -13 +14 @@\n-x\n+y\n"], False),
        ("p\nx\na\nb\n", ["@@ -12,2 +12,3 @@\n a\n+n\n b\n", "@@ -12 +13 @@\n-x\n+y\n"], False),
        # they are written in another order, and their numbers are right, or as far off
        ("p\nx\na\nb\n", ["@@ -3,2 +4,3 @@\n a\n+n\n b\n", "@@ -2 +2 @@\n-x\n+y\n"], True),
        ("p\nx\na\nb\n", ["@@ -9,2 +9,3 @@\n a\n+n\n b\n", "@@ -8 +8 @@\n-x\n+y\n"], True),
        # they are written as they stand in the file, whatever their numbers are
        ("p\nx\na\nb\n", ["@@ -9 +9 @@\n-x\n+y\n", "@@ -5,2 +5,3 @@\n a\n+n\n b\n"], True),
    ],
)
def test_hunks_in_another_order_than_their_numbers_and_than_they_are_written(
    file: str, hunks: list[str], is_right: bool
) -> None:
    result = patch(file, "".join(hunks))
    assert result.ok is is_right
    assert [failure.reason.value for failure in result.failures] == (
        [] if is_right else ["ambiguous"] * len(result.failures)
    )


def test_numbers_of_another_part_of_the_patch() -> None:
    file = "x\ny\n1\n2\n3\nx\ny\n"
    first = "--- a/f\n+++ b/f\n@@ -6,2 +6,2 @@\n x\n-y\n+Y\n"
    assert patch(file, first + "--- a/f\n+++ b/f\n@@ -9,1 +9,1 @@\n-2\n+II\n").ok


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        # two hunks before it are as far off, or one before and one behind
        ("@@ -1 +1 @@\n-c\n+C\n@@ -2 +2 @@\n-d\n+D\n@@ -4,0 +5 @@\n+n\n", True),
        ("@@ -1 +1 @@\n-c\n+C\n@@ -2,0 +3 @@\n+n\n@@ -4 +5 @@\n-f\n+F\n", True),
        # those behind it: the lines that are too many may be behind it, too
        ("@@ -2,0 +3 @@\n+n\n@@ -3 +4 @@\n-e\n+E\n@@ -4 +5 @@\n-f\n+F\n", False),
        # the first number may be as wrong as the last
        ("@@ -2,0 +3 @@\n+n\n@@ -3 +4 @@\n-c\n+C\n@@ -4 +5 @@\n-f\n+F\n", False),
        ("@@ -2,0 +3 @@\n+n\n@@ -3 +4 @@\n-c\n+C\n@@ -6 +7 @@\n-f\n+F\n", True),
        # here and there
        (
            "@@ -1 +1 @@\n-a\n+A\n@@ -2,0 +3 @@\n+n\n@@ -3 +4 @@\n-c\n+C\n@@ -5 +5 @@\n-f\n+F\n@@ -9 +9 @@\n-g\n+G\n",
            False,
        ),
        # the last one is further off
        ("@@ -1 +1 @@\n-c\n+C\n@@ -2,0 +3 @@\n+n\n@@ -3 +4 @@\n-e\n+E\n@@ -4 +5 @@\n-g\n+G\n", False),
        # it is before the line behind which it is to be, or one by its number, and the other way round in the patch
        ("@@ -1 +1 @@\n-c\n+C\n@@ -1,0 +2 @@\n+n\n@@ -2 +3 @@\n-d\n+D\n", True),
        ("@@ -1 +1 @@\n-c\n+C\n@@ -2,0 +3 @@\n+n\n@@ -2 +3 @@\n-d\n+D\n", False),
        ("@@ -1 +1 @@\n-c\n+C\n@@ -3 +3 @@\n-e\n+E\n@@ -2,0 +3 @@\n+n\n", False),
        # the top of the file is not two lines further down
        ("@@ -1 +1 @@\n-c\n+C\n@@ -0,0 +1 @@\n+n\n@@ -4 +5 @@\n-f\n+F\n", False),
    ],
)
def test_new_lines_by_a_number_that_is_off(text: str, is_known: bool) -> None:
    result = patch("a\nb\nc\nd\ne\nf\ng\n", text)
    assert (result.ok, "empty_search" in outcome(result)) == (is_known, not is_known)


@pytest.mark.parametrize(("numbers", "is_known"), [((4, 6), True), ((4, 7), False), ((3, 5), False), ((9, 9), False)])
def test_new_lines_by_a_number_and_hunks_that_are_in_several_places(numbers: tuple[int, int], is_known: bool) -> None:
    # Two hunks for two equal lines are applied in order, however far they are from their numbers.
    equal = "".join(f"@@ -{number} +1 @@\n-x\n+X\n" for number in numbers)
    result = patch("a\nb\nc\nx\nd\nx\ne\n", f"@@ -1 +1 @@\n-a\n+A\n@@ -2,0 +3 @@\n+n\n{equal}@@ -7 +7 @@\n-e\n+E\n")
    assert outcome(result) == ["applied", "applied" if is_known else "empty_search", *["applied"] * 3]
    assert result.content == ("A\nb\nn\nc\nX\nd\nX\nE\n" if is_known else "A\nb\nc\nX\nd\nX\nE\n")


@pytest.mark.parametrize(("file", "is_known"), [("a\nb\n", True), ("a\nb", False)])
def test_new_lines_behind_a_last_line_without_an_end_have_it_in_the_hunk(file: str, is_known: bool) -> None:
    for text in ("", "@@ -1 +1 @@\n-a\n+a\n"):
        result = patch(file, text + "@@ -2,0 +3 @@\n+n\n")
        assert (result.ok, result.content) == (is_known, "a\nb\nn\n" if is_known else file)


@pytest.mark.parametrize(("numbers", "is_right"), [((3, 9), True), ((1, 5), True), ((1, 3), False), ((5, 9), False)])
def test_the_place_that_is_left_of_several_is_in_the_order_of_the_hunks(
    numbers: tuple[int, int], is_right: bool
) -> None:
    text = "".join(f"@@ -{number} +1 @@\n-x\n+{number}\n" for number in numbers)
    result = patch("a\nb\nx\nc\nx\n", text)
    assert (result.ok, "ambiguous" in outcome(result)) == (is_right, not is_right)
    assert not is_right or result.content == f"a\nb\n{numbers[0]}\nc\n{numbers[1]}\n"


def test_a_place_that_is_left_below_a_heading_was_not_left_by_a_hunk_without_it() -> None:
    text = "@@ -4 +4 @@{}\n-x\n+1\n@@ -7 +7 @@ p\n-x\n+2\n"
    assert "ambiguous" in outcome(patch("x\na\np\nx\nx\n", text.format("")))
    assert patch("x\na\np\nx\nx\n", text.format(" p")).content == "x\na\np\n1\n2\n"


def test_equal_hunks_whose_numbers_are_in_another_order() -> None:
    hunks = ["@@ -{} +{} @@\n-x\n+1\n", "@@ -{} +{} @@\n-x\n+2\n"]
    for numbers, expected in [((8, 9), ["applied"] * 2), ((9, 8), ["ambiguous"] * 2)]:
        text = "".join(hunk.format(number, number) for hunk, number in zip(hunks, numbers, strict=True))
        assert outcome(patch("x\na\nx\n", text)) == expected


@pytest.mark.parametrize(
    ("header", "outcomes"),
    [
        ("@@ -99 +99 @@ b", ["ambiguous"]),  # git's heading is somewhere above: that says little
        ("@@ -5 +5 @@ b", ["ambiguous"]),
        ("@@ -99 +99 @@ c", ["ambiguous"]),
        ("@@ -99 +99 @@ a", ["applied"]),
    ],
)
def test_a_number_that_is_wrong_and_a_heading(header: str, outcomes: list[str]) -> None:
    assert outcome(patch("b\n  (\n}\n(\n}\n(\na\n  (\n", f"{header}\n-\t(\n+\t)\n")) == outcomes


@pytest.mark.parametrize(("number", "is_right"), [(6, True), (7, False), (8, True)])
def test_a_heading_that_is_wrong_and_a_number_at_which_the_first_line_is(number: int, is_right: bool) -> None:
    result = patch("h\na\n\ng\na\n\na\nb\n\n", f"@@ -{number},2 +{number},3 @@ g\n a\n \n+n\n")
    assert (result.ok, "ambiguous" in outcome(result)) == (is_right, not is_right)
    assert not is_right or result.content == "h\na\n\ng\na\n\nn\na\nb\n\n"


def test_equal_hunks_below_a_heading_of_git() -> None:
    text = "@@ -98 +98 @@ b\n-x\n+1\n@@ -99 +99 @@ b\n-x\n+2\n"
    assert patch("x\nb\nx\nc\nx\n", text).content == "x\nb\n1\nc\n2\n"


@pytest.mark.parametrize(
    ("second", "content"),
    [
        ("@@ p\n   h\n+  n\n   m\n", None),  # below the heading it is above the first hunk
        ("@@ p\n   m\n+  n\n   k\n", "z\n  h\n  m\np\n  h\n  m\n  n\n  k\n"),
        ("@@ z\n   h\n+  n\n   m\n", "z\n  h\n  n\n  m\np\n  h\n  m\n  k\n"),
    ],
)
def test_hunks_below_one_heading_are_in_order(second: str, content: str | None) -> None:
    result = patch("z\n  h\n  m\np\n  h\n  m\n  m\n  k\n", f"@@ p\n   h\n-  m\n   m\n{second}")
    assert outcome(result)[-1] == ("ambiguous" if content is None else "applied")
    assert content is None or result.content == content


@pytest.mark.parametrize(
    ("file", "context", "content"),
    [
        ("return result\nb\nc\n", "return result", "return result\nb\r\nc\n"),
        ("return result\nb\nc\n", "return resalt", None),
        ("return result \nb\nc\n", "return result", None),
    ],
)
def test_a_line_of_which_only_the_end_is_new(file: str, context: str, content: str | None) -> None:
    result = patch(file, f"@@ -1,3 +1,3 @@\n {context}\n-b\n+b\r\n c\n")
    assert outcome(result) == ["ambiguous" if content is None else "applied"]
    assert result.content == (file if content is None else content)


def test_a_byte_order_mark_in_a_hunk_behind_which_a_fence_ends() -> None:
    text = "```diff\n--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n \ufeffa\n-b\n+B\n c\n```\n"
    assert patch("\ufeffa\nb\nc\nd\n", text).content == "\ufeffa\nB\nc\nd\n"


@pytest.mark.parametrize(("numbers", "last"), [((2, 6), "ambiguous"), ((7, 11), "applied")])
def test_numbers_by_which_hunks_have_lines_in_common_that_are_not_neighbours(
    numbers: tuple[int, int], last: str
) -> None:
    first = "@@ -1,6 +1 @@\n-a\n-b\n-c\n-d\n-e\n-f\n+A\n"
    text = f"{first}@@ -{numbers[0]} +2 @@\n-x\n+X\n@@ -{numbers[1]} +6 @@\n-\n+n\n"
    assert outcome(patch("a\nb\nc\nd\ne\nf\nx\ny\n\nz\n\n", text))[-1] == last


@pytest.mark.parametrize(
    ("hunk", "status"),
    [
        ("@@ -2,3 +2,1 @@\n-c\n-d\n", "truncated"),  # the line `b` before them is missing, or one behind them
        ("@@ -2,4 +2,2 @@\n-c\n-d\n e\n", "applied"),
        ("@@ -4,3 +4,1 @@\n-e\n-f\n", "applied"),  # nothing is behind them
    ],
)
def test_a_line_is_missing_and_the_text_may_be_cut_off(hunk: str, status: str) -> None:
    [edit] = patch("a\nb\nc\nd\ne\nf\n", hunk).edits
    assert edit.status == status


def test_dots_are_no_heading() -> None:
    assert outcome(patch("a\n...\nb\nc\n", "@@ ... @@\n-a\n+A\n@@ ... @@\n+n\n")) == ["applied", "empty_search"]


# --- the end of the file, and of the patch

NO_NEWLINE = "\\ No newline at end of file"


def test_the_end_of_the_file_is_not_in_the_middle() -> None:
    file = "a\npass\nb\npass\n"
    text = f"@@ -7,1 +7,1 @@\n-a\n+A\n@@ -8,1 +8,1 @@\n-pass\n+pass\n{NO_NEWLINE}\n"
    assert patch(file, text).content == "A\npass\nb\npass"
    result = patch("a\nb\nc\n", f"@@\n-b\n+B\n{NO_NEWLINE}\n")
    assert (result.content, outcome(result)) == ("a\nb\nc\n", ["not_found"])
    assert told(result).startswith(
        "The hunk says that the file ends with it, without a newline, but it is about line 2"
    )


@pytest.mark.parametrize("size", range(1, len("\\ No newline")))
def test_a_piece_of_the_line_about_the_end_of_the_file(size: int) -> None:
    text = f"@@ -1 +1 @@\n-a\n+b\n{NO_NEWLINE[:size]}"
    assert outcome(patch("a\n", text)) == ["applied", "truncated"]


@pytest.mark.parametrize("size", [len("\\ No newline"), len(NO_NEWLINE)])
def test_the_line_about_the_end_of_the_file_without_its_own_end(size: int) -> None:
    result = patch("a\n", f"@@ -1 +1 @@\n-a\n+b\n{NO_NEWLINE[:size]}")
    assert (result.content, result.ok) == ("b", True)


def test_half_of_a_line_break() -> None:
    text = "@@ -1 +1 @@\r\n-a\r\n+b\r"
    assert outcome(patch("a\r\nc\r\n", text)) == ["truncated"]
    assert patch("a\r\nc\r\n", text + "\n").content == "b\r\nc\r\n"
    assert patch("a\r\nc\r\n", "@@ -1,2 +1,2 @@\r\n-a\r\n+b\r\n c\r").content == "b\r\nc\r\n"


def test_half_a_line_of_context_that_is_a_line_elsewhere() -> None:
    file = "a\n\n- p\n  n: 1\n\n- p\n  n: 1  # u\n"
    text = "@@ -6,2 +6,2 @@\n-- p\n+- q\n   n: 1"
    assert outcome(patch(file, text)) == ["truncated"]
    assert patch(file, text.replace("6", "3")).content == file.replace("- p", "- q", 1)


def test_context_without_its_sign_behind_new_lines() -> None:
    text = "*** Begin Patch\n*** Update File: f\n@@\n+x\na\nb\n*** End Patch\n"
    assert outcome(patch("a\nb\nc\n", text)) == ["bad_marker"]
    assert outcome(patch("c\n", text)) == ["bad_marker"]
    assert outcome(patch("c\n", "*** Update File: f\n@@\n+x\na\nb\n")) == ["bad_marker"]
    assert patch("c\n", "*** Update File: f\n@@\n+x\n\na\nb\n").content == "c\nx\n"


NO_END = "\\ No newline at end of file\n"


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # the new lines are there, and the old ones are not, or not with their last newline
        ("a\nx\nb\na \nb\n", " a\n+x\n b\n", None),
        ("\n  a\n    b\n", " \n-a\n-  b\n+  a\n+    b\n", None),
        ("x\nb", f"-b\n+x\n+b\n{NO_END}", None),
        ("a\nb", f" a\n-b\n+b\n{NO_END}", None),
        ("a\nb\n", f" a\n-b\n{NO_END}+b\n", None),
        ("x\na\nb\n", f"+x\n a\n-b\n{NO_END}+b\n", None),
        # the old ones are
        ("a\nx\nb\na\nb\n", " a\n+x\n b\n", "a\nx\nb\na\nx\nb\n"),
        ("x\nb\n", f"-b\n+x\n+b\n{NO_END}", "x\nx\nb"),
        ("a\nb\n", f" a\n-b\n+b\n{NO_END}", "a\nb"),
        ("a\nb", f" a\n-b\n{NO_END}+b\n", "a\nb\n"),
        ("y\na\nb\n", f"+x\n a\n-b\n{NO_END}+b\n", "y\nx\na\nb\n"),
        ("x\nb", f"-b\n{NO_END}+x\n+b\n{NO_END}", "x\nx\nb"),
        ("\na\n  b\n", " \n-a\n-  b\n+  a\n+    b\n", "\n  a\n    b\n"),
        ("a\n  \n  ", f"   \n-  \n{NO_END}+  \n", "a\n  \n  \n"),
        ("a\n  \n ", f"   \n-  \n{NO_END}+  \n", "a\n  \n  \n"),
        ("\ufeff\n", f"-\ufeff\n+\ufeff\n{NO_END}", "\ufeff"),
        ("\ufeff", f"-\ufeff\n{NO_END}+\ufeff\n", "\ufeff\n"),
        # the new ones are not; many a model says only once that there is no newline
        ("a\nb", f" a\n-b\n+c\n{NO_END}", "a\nc"),
        ("y\nb", f"-b\n+x\n+b\n{NO_END}", "y\nx\nb"),
    ],
)
def test_a_hunk_that_was_perhaps_applied_before(file: str, hunk: str, content: str | None) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, result.ok) == (file if content is None else content, content is not None)
    if content is None:
        assert "the new lines are in the file already" in told(result)


@pytest.mark.parametrize(
    ("file", "text", "content"),
    [
        # the last line has no end, and the same line stands elsewhere with one
        ("a\nb\na", "@@ -3 +3 @@\n-a\n+c\n", "a\nb\nc"),
        ("a\n  \nb\n  ", "@@ -4,1 +4,2 @@\n-  \n+\n+x\n", "a\n  \nb\n\nx"),
        ("a\nb\na\nb", "@@ -3,2 +3,2 @@\n-a\n+c\n b\n", "a\nb\nc\nb"),
        # it has one; or it is in the hunk before, and not in the second to last; or the hunk says so
        ("a\nb\na\n", "@@ -3 +3 @@\n-a\n+c\n", "a\nb\nc\n"),
        ("a\nb\na", "@@ -1 +1 @@\n-a\n+c\n", "c\nb\na"),
        ("a\nb\na\nb", "@@ -3 +3 @@\n-a\n+c\n", "a\nb\nc\nb"),
        ("a\nb\na", f"@@ -3 +3 @@\n-a\n{NO_END}+c\n{NO_END}", "a\nb\nc"),
        ("a\nb\na", f"@@ -3 +3 @@\n-a\n+c\n{NO_END}", "a\nb\nc"),
        ("a\nb\na", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+c\n*** End of File\n*** End Patch\n", "a\nb\nc"),
        # the line is nowhere else
        ("a\nb", "@@ -2 +2 @@\n-b\n+c\n", "a\nc"),
    ],
)
def test_a_number_chooses_a_last_line_without_an_end(file: str, text: str, content: str) -> None:
    result = patch(file, text)
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("original", "hunk", "reason"),
    [
        # a line that is left out next to a removed one, and a line without a mark behind that
        ("a\nb\n\nt\nc\n\n\nd\n", "@@ -1,3 +1,3 @@\n a\n-b\nc\n \n", "not_found"),
        # context that is not as deep as the file has it, among others that are
        ("x\n- i\n  u\n\n- i\n  u\n\n- c\n", "@@\n - i\n   u\n \n-- i\n    - i\n   u\n \n - c\n", "not_found"),
        # an insertion that is there already, where a line was left out
        (
            "w\n- s\n\n- s\n\n\nt\n- s\n\np\n\n- s\n\n- s\n\nr\np\n",
            "@@ -7,7 +7,7 @@\n t\n - s\n \n-- s\n+p\n \n - s\n \n",
            "not_found",
        ),
        # a new line that is deeper than the one in whose place it is, by what others show or by what is written
        (
            "class A:\n  def f(self):\n    pass\n\n  def g(self):\n    x = 1\n",
            "@@\n   pass\n \n-def g(self):\n+    def g(self):  # h\n   x = 1\n",
            "indentation",
        ),
        (
            "class A:\n    def f(self):\n        if x:\n            a\n        b\n        c\n",
            "@@\n def f(self):\n     if x:\n         a\n-    b\n+        d\n     c\n",
            "indentation",
        ),
    ],
)
def test_what_may_be_meant_otherwise_is_refused(original: str, hunk: str, reason: str) -> None:
    result = patch(original, f"--- a/f\n+++ b/f\n{hunk}")
    assert (result.content, outcome(result)) == (original, [reason])


@pytest.mark.parametrize(
    ("header", "line", "expected"),
    [
        ("@@ -50 +49,0 @@", "    import os", "not_found"),  # not as deep, and not at its number
        ("@@ -50 +49,0 @@", "import os", "applied"),
        ("@@ -50 +49,0 @@", "import os ", "applied"),
        ("@@ -1 +0,0 @@", "    import os", "applied"),
        ("@@", "    import os", "applied"),
    ],
)
def test_one_line_alone_that_is_not_as_deep_is_at_its_number(header: str, line: str, expected: str) -> None:
    assert outcome(patch("import os\nx = 1\n", f"{header}\n-{line}\n")) == [expected]


def test_a_number_that_is_right_says_nothing_beside_one_that_is_not() -> None:
    # The first two have the same old line, of which there are two, and a number that is neither.
    file = "- name\n\n- name\n\n- size\n\n- result\n\n"
    equal = "@@ -{0},1 +{0},0 @@\n-- name\n@@ -{1},1 +{1},1 @@\n-- name\n+    - name\n"
    blank = "@@ -2,1 +1,1 @@\n-\n+  # total\n"
    for numbers in ((0, 0), (7, 9)):
        result = patch(file, equal.format(*numbers) + blank)
        assert ([failure.block for failure in result.failures], result.ok) == ([blank], False)
    assert outcome(patch(file, equal.format(0, 0))) == ["applied", "applied"]
    assert patch(file, equal.format(1, 3)).content == "\n    - name\n\n- size\n\n- result\n\n"


def test_a_removed_line_that_the_file_has_as_deep_elsewhere_next_to_a_misspelt_one() -> None:
    file = "size\nreturn user and state\nclass A:\n    items\n    pass\n        pass\n"
    hunk = "@@\n size\n retturn user and state\n class A:\n     items\n-{}pass\n"
    assert outcome(patch(file, hunk.format("        "))) == ["not_found"]
    assert patch(file, hunk.format("    ")).content == file.replace("    pass\n", "", 1)


MARGINS = "f {\n\ta {\n\t\tb;\n\t}\n\tc;\n}\n\ng {\n\td {\n\t\te;\n\t}\n}\n"


@pytest.mark.parametrize(
    ("number", "old", "expected"),
    [
        (4, "    }", "applied"),  # indented there, too, if otherwise
        (6, "    }", "not_found"),  # at the margin, and elsewhere it is not
        (6, "}", "applied"),
        (6, "} ", "applied"),
        (4, "} ", "not_found"),
    ],
)
def test_a_number_does_not_choose_a_line_at_the_margin_for_one_that_is_not(
    number: int, old: str, expected: str
) -> None:
    assert outcome(patch(MARGINS, f"@@ -{number} +{number} @@\n-{old}\n+{old}x\n")) == [expected]
    text = f"<<<<<<< SEARCH\n:start_line:{number}\n-------\n{old}\n=======\n{old}x\n>>>>>>> REPLACE\n"
    assert outcome(apply_search_replace(MARGINS, text)) == [expected.replace("not_found", "indentation")]


@pytest.mark.parametrize(("places", "expected"), [(63, "applied"), (64, "not_found")])
def test_of_very_many_places_others_may_fit_better(places: int, expected: str) -> None:
    assert outcome(patch("x\n" * places + "z\nx\n", "@@ -1 +1 @@\n-  x\n+  y\n")) == [expected]


def parts(first: str, second: str) -> list[str]:
    """A text with two parts for one file: in two envelopes, in one, and as two mails."""
    headed = [f"--- a/f\n+++ b/f\n{hunks}" for hunks in (first, second)]
    return [
        update(first) + update(second),
        update(f"{first}*** Update File: f\n{second}"),
        "".join(headed),
        "\nOnce more:\n".join(headed),
    ]


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        ("a\nb\n", "@@\n a\n+x\n"),
        ("a\nb\n", "@@ -1 +1,2 @@\n a\n+x\n"),
        ("a\nb\n", "@@\n+x\n a\n"),
        ("a\nb\na\n", "@@ -1 +1 @@\n-a\n+x\n"),
    ],
)
def test_an_equal_hunk_of_a_later_part(file: str, hunk: str) -> None:
    once = patch(file, hunk)
    assert once.ok
    for text in parts(hunk, hunk):
        result = patch(file, text)
        assert (result.content, outcome(result)[0], result.failures[0].reason) == (once.content, "applied", "ambiguous")
        whole = tree({"f": file}, text)
        assert (whole.ok, [failure.reason for failure in whole.failures]) == (False, ["ambiguous"])


def test_what_is_said_of_an_equal_hunk_of_a_later_part() -> None:
    [failure] = patch("a\nb\n", parts("@@\n a\n+x\n", "@@\n a\n+x\n")[0]).failures
    assert (failure.lines, failure.message) == (
        (1,),
        "An earlier part of the patch has made this very change, and its lines are found again, at line 1. Leave it "
        "out; if it is to be made twice, repeat the hunk with more lines of the file, as the first one has left them.",
    )


@pytest.mark.parametrize(
    ("file", "first", "second", "content"),
    [
        # another line, another number or more context
        ("a\nb\n", "@@\n a\n+x\n", "@@\n a\n+y\n", "a\ny\nx\nb\n"),
        ("a\nb\na\n", "@@ -1 +1,2 @@\n a\n+x\n", "@@ -4 +4,2 @@\n a\n+x\n", "a\nx\nb\na\nx\n"),
        ("a\nb\n", "@@\n a\n+x\n", "@@\n a\n+x\n x\n", "a\nx\nx\nb\n"),
        # one that changes nothing
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\n b\n", "@@ -1,2 +1,2 @@\n a\n b\n", "a\nb\n"),
    ],
)
def test_other_hunks_of_a_later_part(file: str, first: str, second: str, content: str) -> None:
    for text in parts(first, second):
        assert (patch(file, text).content, patch(file, text).ok) == (content, True)
        assert tree({"f": file}, text).ok


def test_equal_hunks_of_one_part_for_as_many_places() -> None:
    assert patch("a\nb\na\n", "@@\n-a\n+x\n@@\n-a\n+x\n").content == "x\nb\nx\n"


def mails(*hunks: str) -> str:
    """Several mails, each with a patch for `f`."""
    head = "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nSubject: s\n\n---\n\n"
    return "".join(f"{head}diff --git a/f b/f\n--- a/f\n+++ b/f\n{hunk}-- \n2.39.5\n\n" for hunk in hunks)


def test_a_mail_may_make_a_change_again_that_another_has_undone() -> None:
    there, back = "@@ -1 +1 @@\n-a\n+b\n", "@@ -1 +1 @@\n-b\n+a\n"
    for text, content in ((mails(there, back, there), "b\n"), (mails(there, back), "a\n")):
        assert (patch("a\n", text).ok, patch("a\n", text).content) == (True, content)
        whole = tree({"f": "a\n"}, text)
        assert whole.ok
        assert [change.after for change in whole.changes] == ([content] if content != "a\n" else [])


def test_a_hunk_that_is_wrong_in_two_ways_fails_once() -> None:
    first, second = "@@\n-a\n+x &lt; y\n+# ... existing code ...\n", "@@\n-c &lt; d\n+c &lt; e\n"
    for text in (first + second, f"--- f\n+++ f\n{first}--- f\n+++ f\n{second}"):
        failures = apply_patch("a\nc < d\n", text).failures
        assert [(failure.number, failure.reason) for failure in failures] == [(1, "placeholder")]


NUMBERS = "".join(f"l{number}\n" for number in range(1, 10))


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # by its number it begins one line further up, and one old line is missing: the new one is before or behind it
        ("@@ -3,3 +3,4 @@\n+x\n l4\n l5\n", None),
        ("@@ -3,4 +3,5 @@\n+x\n l4\n l5\n", NUMBERS.replace("l4", "x\nl4")),
        ("@@ -2,3 +2,4 @@\n+x\n l4\n l5\n", NUMBERS.replace("l4", "x\nl4")),
        ("@@ -2,4 +2,5 @@\n+x\n l4\n l5\n", None),
        ("@@ -5,3 +5,4 @@\n+x\n l4\n l5\n", NUMBERS.replace("l4", "x\nl4")),
        # the one that is missing is context, whatever it is
        ("@@ -3,3 +3,4 @@\n l4\n+x\n l5\n", NUMBERS.replace("l5", "x\nl5")),
        ("@@ -3,3 +3,3 @@\n-l4\n+x\n l5\n", NUMBERS.replace("l4", "x")),
        # it is removed
        ("@@ -3,3 +3,2 @@\n l4\n+x\n l5\n", None),
        ("@@ -3,3 +3,2 @@\n-l4\n+x\n l5\n", None),
    ],
)
def test_the_first_lines_of_a_hunk_are_missing_by_its_number_and_its_counts(hunk: str, content: str | None) -> None:
    result = patch(NUMBERS, f"{hunk}@@ -9 +9 @@\n-l9\n+l9!\n")
    assert result.content == (content or NUMBERS).replace("l9", "l9!")
    assert outcome(result) == ["applied" if content else "bad_marker", "applied"]


@pytest.mark.parametrize(
    ("header", "content"),
    [
        # at its number the line is there but for its indentation
        ("@@ -3 +3 @@", None),
        ("@@ -1 +1 @@", "  y\n  b\nx\n"),
        ("@@ -2 +2 @@", "  y\n  b\nx\n"),
        ("@@ -9 +9 @@", "  y\n  b\nx\n"),
        ("@@", "  y\n  b\nx\n"),
    ],
)
def test_a_line_at_the_number_of_a_hunk_that_is_there_but_for_blanks(header: str, content: str | None) -> None:
    file = "  x\n  b\nx\n"
    result = patch(file, f"{header}\n-  x\n+  y\n")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "ambiguous"])


def test_a_line_that_is_written_twice_where_it_is_found_and_gone_elsewhere() -> None:
    # with `ret` it is found at lines 4 to 7, where `if` is there once; without it at lines 1 to 5
    file = "if\nif\ncount\nif\nif\nret\ncount\nif\nend\n"
    hunk = "@@\n if\n if\n ret\n+x\n count\n if\n if\n"
    assert outcome(patch(file, hunk)) == ["not_found"]
    assert patch(file.replace("count\nif\nif\n", "other\nif\nif\n"), hunk).ok


def test_a_line_without_a_mark_in_a_hunk_with_a_wrong_line_is_new_by_the_counts() -> None:
    file = "a\nb\nc\n\n\nc\nd\n"
    assert outcome(patch(file, "@@ -4,3 +4,4 @@\n \nb\n c\n-d\n+\n")) == ["not_found"]
    file = "the first line\nb\nc\nd\n"
    assert outcome(patch(file, "@@ -1,3 +1,4 @@\n the first lime\nb\n c\n-d\n+D\n")) == ["bad_marker"]
    assert outcome(patch(file, "@@ -1,4 +1,4 @@\n the first lime\nb\n c\n-d\n+D\n")) == ["applied"]


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        # a line at the border of the change was left out
        (
            "import os\n\ndef f(name):\n    if name:\n        return 1\n",
            "@@ -2,3 +2,4 @@\n \n-    if name:\n+def f(name: str):\n+    if not name:\n         return 1\n",
        ),
        ("import x\n\nA = {\n  'a': 1\n};\n\nfoo()\n", "@@ -1,6 +1,2 @@\n import x\n-\n-A = {\n-  'a': 1\n \n"),
        ("a = {\n  1\n};\n\nfoo()\n", "@@ -1,4 +1,2 @@\n-a = {\n-  1\n \n foo()\n"),
        # and it is new elsewhere in the hunk
        ("A\nU\n\nd\n", "@@\n+U\n A\n \n d\n"),
    ],
)
def test_a_line_that_is_left_out_may_be_one_to_be_removed(file: str, hunk: str) -> None:
    result = patch(file, hunk)
    assert (result.content, outcome(result)) == (file, ["not_found"])


def test_a_line_that_is_left_out_is_context_elsewhere_in_the_hunk() -> None:
    assert patch("A\nU\n\nd\n", "@@\n+V\n A\n \n d\n").content == "V\nA\nU\n\nd\n"


SPACED = "a\nb\nc\n\ne\nf\ng\n"


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # `e` is left out, and is behind the blank line; the change is before it
        (SPACED, " a\n b\n-c\n+C\n \n f\n g\n", SPACED.replace("c", "C")),
        (SPACED, " a\n b\n c\n+n\n \n f\n g\n", SPACED.replace("c\n", "c\nn\n")),
        # `c` is left out, and is before the blank line; the change is behind it
        (SPACED, " a\n b\n \n-e\n+E\n f\n g\n", SPACED.replace("e", "E")),
        (SPACED, " a\n b\n \n+n\n e\n f\n", SPACED.replace("e", "n\ne")),
        # it is on the side of the change
        (SPACED, " a\n b\n \n+n\n f\n g\n", None),
        (SPACED, " a\n b\n+n\n \n e\n f\n", None),
        # the blank line is left out as well, or there are more
        (SPACED, " a\n b\n-c\n+C\n f\n g\n", None),
        (SPACED.replace("\n\n", "\n\n\n"), " a\n b\n c\n+n\n \n f\n g\n", None),
        # `e` is written twice, and the blank line before it is left out, where the new line is, or there are two
        (SPACED, " a\n b\n c\n+n\n e\n e\n f\n", None),
        (SPACED, " a\n b\n c\n+n\n \n \n e\n e\n f\n", SPACED.replace("c\n", "c\nn\n")),
    ],
)
def test_a_line_that_is_left_out_on_the_other_side_of_a_blank_line(file: str, hunk: str, content: str | None) -> None:
    result = patch(file, f"@@\n{hunk}")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "not_found"])


def test_a_blank_line_alone_is_the_one_at_its_number() -> None:
    file = "a\n\f\nb\n\n"
    assert patch(file, "@@ -2 +2,2 @@\n \n+x\n").content == "a\n\f\nx\nb\n\n"
    assert patch(file, "@@ -2 +2,2 @@\n \f\n+x\n").content == "a\n\f\nx\nb\n\n"
    assert patch(file, "@@ -4 +4,2 @@\n \n+x\n").content == f"{file}x\n"
