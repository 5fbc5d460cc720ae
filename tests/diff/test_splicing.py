"""What is written: every byte of a line that is not changed stays, and new lines look like their neighbours."""

from __future__ import annotations

import pytest

from streamparse.diff.indent import Indentation
from tests.diff.kit import apply, block, outcome

#: What is left of the lines when their indentation is taken off.
BODY = "a:\n    b\n    c:\n        d\n    e\n"
STRIPPED = "a:\nb\nc:\nd\ne\n"


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        # endings
        ("a\r\nb\r\nc\r\n", "b\n", "x\ny\n", "a\r\nx\r\ny\r\nc\r\n"),
        ("a\nb\nc\n", "b\r\n", "x\r\ny\r\n", "a\nx\ny\nc\n"),
        ("a\r\nb\nc\r\nd\n", "b\nc\n", "x\ny\nz\n", "a\r\nx\ny\r\nz\r\nd\n"),
        ("a\r\nb\nc\r\nd\n", "b\nc\n", "x\n", "a\r\nx\nd\n"),
        ("a\nb\r\nc\n", "a\nb\nc\n", "n\na\nb\nc\n", "n\na\nb\r\nc\n"),
        ("a\rb\rc\r", "b\n", "x\ny\n", "a\rx\ry\rc\r"),
        ("a\rb\nc\n", "c\n", "d\n", "a\rb\nd\n"),  # a lone \r is content where there are other endings
        ("a\r\r\nb\n", "a\n", "x\n", "x\r\nb\n"),
        # no newline at the end
        ("a\nb", "b\n", "x\n", "a\nx"),
        ("a\nb", "b\n", "x\ny\n", "a\nx\ny"),
        ("a\r\nb", "b\n", "x\ny\n", "a\r\nx\r\ny"),
        ("a\nb", "b\n", "", "a\n"),
        ("a\nb\r", "b\n", "b\nc\n", "a\nb\r\nc"),  # nor is a \r behind the last one
        ("a\nb\r", "b\n", "x\ny\n", "a\nx\ny"),
        ("a\nb", "a\n", "x\n", "x\nb"),
        ("a", "a\n", "a\nb\n", "a\nb"),
        ("a", "a\r\n", "x\r\ny\r\n", "x\r\ny"),
        ("a", "a\r\n", "a\r\ny\r\n", "a\r\ny"),
        ("a\nb", "a\nb\n", "b\na\n", "b\na"),
        ("a\nb", "b\n", "\n", "a\n"),
        ("a\n\nb = 1", "a\nb = 1\n", "a\nb = 2\n", "a\n\nb = 2"),
        ("a\n\nb", "a\nb\n", "a\nb\nc\n", "a\n\nb\nc"),
        # byte order mark
        ("\ufeffa\nb\n", "a\n", "x\n", "\ufeffx\nb\n"),
        ("\ufeffa\nb\n", "\ufeffa\n", "\ufeffx\n", "\ufeffx\nb\n"),
        ("\ufeffa\nb\n", "b\n", "x\n", "\ufeffa\nx\n"),
        ("a\n\ufeffb\n", "\ufeffb\n", "\ufeffx\n", "a\n\ufeffx\n"),
        # everything, nothing
        ("a\nb\n", "a\nb\n", "", ""),
        ("a\nb\n", "a\n", "\n", "\nb\n"),
        # indentation
        ("    a\n    b\n", "a\nb\n", "x\n  y\n\n  z\n", "    x\n      y\n\n      z\n"),
        ("    a\n", "a\n", "x\n  y\n  z\n", "    x\n      y\n      z\n"),
        ("x\n    y\n", "1 | x\n", "1 | x\n2 |   n\n", "x\n  n\n    y\n"),  # one blank belongs to the number
        (" \n\ta\n", "\na\n", "n\n\na\n", "\tn\n \n\ta\n"),  # a blank line shows none
        ("a\n  b\n", "    a\n      b\n", "    x\n      y\n        z\n", "x\n  y\n    z\n"),
        ("\ta\n\t\tb\n", "a\n    b\n", "x\n    y\n        z\n", "\tx\n\t\ty\n\t\t\tz\n"),
        ("\ta\n", "    a\n", "    x\n        y\n", "\tx\n\t\ty\n"),
        ("    a\n        b\n", "\ta\n\t\tb\n", "\tx\n\t\t\ty\nz\n", "    x\n            y\nz\n"),
        ("    a\n    b\n", "a\n    b\n", "x\n    y\n", "    x\n    y\n"),  # only the first line is not indented
        ("  a\n", "\ta\n", "  x\n", "  x\n"),
        # lines that are written alike and indented differently: like the one in whose place they come
        (BODY, STRIPPED, STRIPPED.replace("b\n", "x\ny\n"), BODY.replace("    b\n", "    x\n    y\n")),
        (BODY, STRIPPED, STRIPPED.replace("b\n", "b\nx\n"), BODY.replace("b\n", "b\n    x\n")),
        # blanks
        ("    a\n", "a\n", "   \nx  \n\t\n", "   \n    x  \n\t\n"),  # blank lines and blanks at the end are kept
        # what is the same on both sides stays as it is
        ("\ta  \n\tb\t\n", "a\nb\n", "a\nx\n", "\ta  \n\tx\n"),
        ("  a\n  }\n  b\n  }\n", "a\n}\nb\n}\n", "a\n}\nc\n}\n", "  a\n  }\n  c\n  }\n"),
        ("“a”\nb\n", '"a"\nb\n', '"a"\nc\n', "“a”\nc\n"),
        ("a\nb\n", "\n\nb\n", "\n\n\nc\n", "a\n\nc\n"),
        ("a\nb\n", "\n\nb\n", "c\n\n", "a\nc\n\n"),
        ("a\nb\nc\n", "b\n\n", "x\n\n\n", "a\nx\n\nc\n"),
    ],
)
def test_what_is_written(original: str, old: str, new: str, content: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (content, ["applied"])


#: Lines that are alike but for what the block does not show.
ODD = "a \n}  \nb\t\n}\t\n"


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        (ODD, "a\n}\nb\n}\n", "a\nx\n}\nb\n}\n", "a \nx\n}  \nb\t\n}\t\n"),
        (ODD, "a\n}\nb\n}\n", "x\n}\nb\n}\n", "x\n}  \nb\t\n}\t\n"),
        (ODD, "a\n}\nb\n}\n", "x\n}\ny\n}\n", "x\n}  \ny\n}\t\n"),
        (ODD, "a\n}\nb\n}\n", "}\nx\n}\n", "}  \nx\n}\t\n"),
        (ODD, "a\n}\nb\n}\n", "a\nb\nx\n}\n", "a \nb\t\nx\n}\t\n"),
        # what was put in before an old line is not mistaken for what is behind it
        (ODD, "a\n}\nb\n}\n", "x\n}\na\n}\nb\n}\n", "x\n}  \na \n}  \nb\t\n}\t\n"),
        (ODD, "a\n}\nb\n}\n", "a\n}\nx\n}\nb\n}\n", "a \n}  \nx\n}\t\nb\t\n}\t\n"),
        ("a \n b \nc \n", "a\n b\nc\n", "x\n b\na\n b\nc\n", "x\n b \na \n b \nc \n"),
        # moved, repeated, once more
        ("a \nb \nc \n", "a\nb\nc\n", "c\na\nb\n", "c \na \nb \n"),
        ("a \nb \nc \n", "a\nb\nc\n", "a\na\nb\nc\na\n", "a \na\nb \nc \na\n"),
        ("} \na\n}\t\n", "}\na\n}\n", "a\nx\n}\n}\n", "a\nx\n}\t\n} \n"),
        ("a\nb\n.\nc \n", "a\nb\n.\nc\n", "c\n.\nc\nb\nc\na\nc\n", "c \n.\nc \nb\nc \na\nc\n"),  # not a fourth time
        # other odd things
        ("a\n\t\n“b”\n\n", 'a\n\n"b"\n\n', 'x\n\n"b"\n\n', "x\n\t\n“b”\n\n"),
        ("}\r\na\n}\n", "}\na\n}\n", "x\n}\na\n}\n", "x\r\n}\r\na\n}\n"),
        ("}\na\n}\r\n", "}\na\n}\n", "}\na\nx\n}\n", "}\na\nx\r\n}\r\n"),
        ("a \n}", "a\n}\n", "a\nx\n}\n", "a \nx\n}"),
        ("} \na\n} ", "}\na\n}\n", "x\n}\ny\n}\nz\n", "x\n} \ny\n} \nz"),
    ],
)
def test_lines_that_stay_are_as_they_were_whatever_is_put_in_before(
    original: str, old: str, new: str, content: str
) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        # blank lines that only the file has: between lines that stay
        ("a\n\n\nb\n", "a\n\nb\n", "a\n\nb\nc\n", "a\n\n\nb\nc\n"),
        ("a\n\t\nb\nc\n", "a\nb\nc\n", "a\nb\n", "a\n\t\nb\n"),
        # before a new line, in the place of an old one which it resembles
        ("a\n\nb = 1\n", "a\nb = 1\n", "a\nb = 2\n", "a\n\nb = 2\n"),
        ("a\r\n\nb = 1\r\n", "a\nb = 1\n", "a\nb = 2\n", "a\r\n\nb = 2\r\n"),
        ("a\n\n12345\n", "a\n12345\n", "a\n123xy\n", "a\n\n123xy\n"),
        # behind a new line, in the place of the old one before
        ("a\nb = 1\n\n}\n", "a\nb = 1\n}\n", "a\nb = 2\n}\n", "a\nb = 2\n\n}\n"),
        ("b = 1\n\na\n", "b = 1\na\n", "b = 2\na\n", "b = 2\n\na\n"),
        ("12345\n\na\n", "12345\na\n", "123xy\na\n", "123xy\n\na\n"),
        ("a\n\nb = 1\n\t\nc\n", "a\nb = 1\nc\n", "a\nb = 2\nc\n", "a\n\nb = 2\n\t\nc\n"),
        # in the place of one of several, and of all of them
        ("b = 1\nc = 10\n\na\n", "b = 1\nc = 10\na\n", "c = 11\na\n", "c = 11\n\na\n"),
        ("a\n\nb = 1\n\nc = 10\n", "a\nb = 1\n\nc = 10\n", "a\nb = 2\nc = 11\n", "a\n\nb = 2\nc = 11\n"),
        # between two lines that are gone: each new one is what its own of these has become, or none is
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "a = 2\nb = 2\n", "a = 2\n\nb = 2\n"),
        (
            "a = 1\nc = 10\n\nb = 1\nz\n",
            "a = 1\nc = 10\nb = 1\nz\n",
            "a = 2\nc = 11\nb = 2\nz\n",
            "a = 2\nc = 11\n\nb = 2\nz\n",
        ),
        ("z\na = 1\n\t\n\nb = 1\n", "z\na = 1\n\nb = 1\n", "z\na = 2\n\nb = 2\n", "z\na = 2\n\t\n\nb = 2\n"),
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "a = 2\n\nb = 2\n", "a = 2\n\nb = 2\n"),
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "xyz\n", "xyz\n"),
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "\nxyz\n\n", "\nxyz\n\n"),
        ("z\na = 1\n\nb = 1\ny\n", "z\na = 1\nb = 1\ny\n", "z\ny\n", "z\ny\n"),
        # next to lines that are there twice
        ("*\n* http\n\n*\n* b\n", "*\n* http\n*\n* b\n", "*\n* https\n*\n* b\n", "*\n* https\n\n*\n* b\n"),
        # less those that the block puts there
        ("a\n\nb\n", "a\nb\n", "a\n\n", "a\n\n"),
        ("x\n\nn\na\n\nb\n", "x\n\nn\na\nb\n", "n\na\n\nb\n", "n\na\n\nb\n"),
        ("a\n\nb\n", "a\nb\n", "a\n\nb\n", "a\n\nb\n"),
        ("a\n\nb\n", "a\nb\n", "a\n\nx\n\nb\n", "a\n\nx\n\nb\n"),
        # … and not those that it puts elsewhere
        ("a\n\nb\n\nc\n", "a\nb\nc\n", "a\n\nb\nc\nd\n", "a\n\nb\n\nc\nd\n"),
        # they are written once, however often the lines are that they stand between
        ("a\nb\n\na\nb\n\n", "a\nb\na\nb\n\n", "c\nb\na\n\na\nb\nx\n", "c\nb\n\na\n\na\nb\nx\n"),
        # blank lines that only the block has: between lines that stay
        ("a\nb\n", "a\n\nb\n", "a\n\nb\nc\n", "a\nb\nc\n"),
        ("a\nb\n", "a\n\n\nb\n", "a\n\n\nb\nc\n", "a\nb\nc\n"),
        ("a\nb\n", "a\n\nb\n", "a\nb\nc\n", "a\nb\nc\n"),
        # next to what is changed
        ("a\nb\n", "a\n\nb\n", "a\n\nx\n", "a\n\nx\n"),
        ("a\nb\n", "a\n\nb\n", "a\n\nx\n\nb\n", "a\n\nx\n\nb\n"),
        ("a\nb\n", "a\n\nb\n", "x\n\nb\n", "x\n\nb\n"),
        ("a\nb\n", "a\n\nb\n", "a\n\n", "a\n\n"),
        ("a\nb\n", "a\n\nb\n", "a\n\n\nb\n", "a\n\n\nb\n"),
        ("a\nb\n", "a\n\nb\n", "a\nn\n\nb\n", "a\nn\n\nb\n"),
        ("a\nb\nc\n", "\nb\nc\n", "\n\nb\nn\n", "a\n\nb\nn\n"),
        ("a\nb", "a\n\nb\n", "a\n\n", "a\n"),
        # new lines behind all others, where the file has none of the blank lines, or no line stays before them
        ("z\na\nb\n", "a\n\n\n", "a\nx\n\n\n", "z\na\nx\nb\n"),
        ("z\na\n\nb\n", "a\n\n\n", "c\nx\n\n\n", "z\nc\nx\n\nb\n"),
    ],
)
def test_blank_lines_of_which_only_one_side_knows(original: str, old: str, new: str, content: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("original", "old", "new"),
    [
        # new lines between two that stay, or moved: before the blank line of the file, or behind it
        ("a\n\nb\n", "a\nb\n", "a\nx\nb\n"),
        ("a\n\nb\n", "a\nb\n", "a\nx\n\nb\n"),
        ("a\n\n\t\nb\n", "a\n\nb\n", "a\n\nx\nb\n"),
        ("a\n\n}\n\nb\n", "a\n}\nb\n", "a\nx\n}\ny\nb\n"),
        ("a\n\nb\n", "a\nb\n", "b\na\n"),
        ("a\n\nb\nc\n", "a\nb\nc\n", "a\nc\nb\n"),
        ("a\n\nb\n\t\nc\n", "a\nb\nc\n", "c\na\nb\n"),
        ("a\n\n}\nb\n", "a\n}\nb\n", "x\n}\na\n}\nb\n"),
        ("x\na\n\nb\nc\n", "x\na\nb\nc\n", "c\nx\na\nn\n"),
        ("x\na\n\nb\n", "x\na\nb\n", "n\nb\nx\n"),
        ("}\n\nx\n", "}\nx\n", "x\n}\nn\n"),
        # a line that is gone, and one that stays
        ("a\n\nb\nc\n", "a\nb\nc\n", "b\nc\n"),
        ("a\n\t\nb\n\nc\n", "a\nb\nc\n", "a\nb\n"),
        ("a\n\nb\nc\n", "a\nb\nc\n", "a\nc\n"),
        # two lines that are gone, and new ones of which some are like them
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "a = 2\n"),
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "xyz\nb = 2\n"),
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "a = 2\nxyz\nb = 2\n"),
        ("a = 1\n\nb = 1\n", "a = 1\nb = 1\n", "a = 2\n\n\nb = 2\n"),
        # more blank lines than the file has, and a new line behind them
        ("a\n\nb\n", "a\nb\n", "a\n\n\nx\nb\n"),
        ("a\n\nb\n\t\nc\n", "a\nb\nc\n", "a\nc\n"),
        # another number of blank lines than either
        ("a\n\t\n\t\nb\n", "a\nb\n", "a\n\nb\n"),
        # a line that is unlike those that are gone: in their place, or on the other side of the blank line
        ("a\n\n12345\n", "a\n12345\n", "a\n12xyz\n"),
        ("12345\n\na\n", "12345\na\n", "12xyz\na\n"),
        ("return total\n\nclass A:\n", "return total\nclass A:\n", "@final\nclass A:\n"),
        ("if b == 1:\n\na\n", "if b == 1:\na\n", "if b == 1\na\n"),  # it opens nothing
        ("b = 1\nc = 10\n\na\n", "b = 1\nc = 10\na\n", "c = 11\nb = 2\na\n"),  # in another order
        # more lines than are gone, or blank ones
        ("a\n\nb = 1\n", "a\nb = 1\n", "a\nb = 2\nb = 3\n"),
        ("b = 1\n\na\n", "b = 1\na\n", "b = 2\nb = 3\na\n"),
        ("a\n\nb = 1\n", "a\nb = 1\n", "a\n\n\nb = 2\n"),
        ("a\n\nb\n\nc\n", "a\nb\nc\n", "a\n\nn\nc\n"),
        ("a\n\n\n“b”\n\nc\n", 'a\n\n"b"\n\nc\n', 'x\n\n"b"\ny\n\nc\n'),
        # which of several lines stays is a guess
        ("a\nb\n\nc\n", "a\nb\nc\n", "x\nb\nc\na\nb\nc\n"),
        ("a\n\nb\n", "a\nb\n", "a\nb\nx\na\nb\n"),
        ("b\n\na\n\na\nc\n", "b\n\na\na\nc\n", "x\na\ny\nz\n"),
        # some of those that only the block has, before or behind all others
        ("a\nb\n", "\n\nb\n", "\nb\n\nc\n"),
        ("a\nb\nc\n", "b\n\n\n", "x\n\ny\n\n"),
        ("a\n\n", "a\n\n\n", "a\n\n\nb\n\n\n"),
        # a line that was perhaps left out: between two blank ones, or the first of two that are alike
        ("a\n\nb\nc\n", "\nc\n", "\nx\nc\n"),
        ("a\n\nb\nc\n", "\nc\n", "\nx\n"),
        ("a\nb\n\nc\n", "a\n\n", "a\nx\n\n"),
        ("a\nb\n\nc\n", "a\n\n", "x\n"),
        ("x\n\na\na\nb\n", "\na\nb\n", "\na\ny\n"),
        ("b\na\na\n\nx\n", "b\na\n\n", "y\na\n\n"),
        # … or before one that is there once more now
        ("a\n\nb\nc\nd\n", "\nc\nd\n", "\nc\nc\nd\n"),
        ("d\nc\nb\n\na\n", "d\nc\n\n", "d\nc\nc\n\n"),
        # a blank line at the edge of REPLACE: that of the block alone, or that of the file among lines that go
        ("a\nb\n\nc\n", "a\nb\n\nc\n\n", "a\nb\n\n"),
        ("a\nb\n\nc\nd\n", "a\nb\n\nc\nd\n\n", "a\n\n"),
        ("a\nb\n\nc\nd\n", "\nb\n\nc\nd\n", "\nd\n"),
        ("a\nb\n\nc\nd\n", "\nb\n\nc\nd\n", "\nc\nd\n"),
        # one blank line more, and one of them stands for a form feed
        ("a\n\f\nb\n", "a\n\nb\n", "a\n\nc\n\nb\n"),
        # of a form feed and a blank line one is written, next to lines that are gone
        ("a\n\f\n\nb\n", "a\n\nb\n", "x\n\ny\n"),
        ("a\n\n\f\nb\n", "a\n\nb\n", "a\n\ny\n"),
        # one of three equal lines gets another indentation: which of the others is before the blank line
        ("- a\n\n- a\n- a\nr\n", "- a\n- a\n- a\n", "    - a\n- a\n- a\n"),
        # new lines among more blank lines than there are
        ("a\n\n\nb\n", "a\n\n\n\nb\n", "a\n\nx\n\n\nb\n"),
        ("a\n\n\nb\n", "a\n\n\n\nb\n", "c\n\nx\n\n\nb\n"),
        ("a\n\nb\n\nb\n", "a\n\n\nb\n", "a\n\n\nb\nx\n"),
        ("a\n\na\n\nb\n", "a\n\n\nb\n", "x\na\n\n\nb\n"),
        # of two blank lines behind all others the file has one: is `x` before that or behind it?
        ("z\na\n\nb\n", "a\n\n\n", "a\nx\n\n\n"),
    ],
)
def test_it_is_not_certain_what_becomes_of_blank_lines(original: str, old: str, new: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (original, ["ambiguous"])
    assert result.failures[0].message.endswith(
        "but not with the same blank lines, and the new lines do not say what becomes of those. "
        "Repeat the block with the blank lines of the file."
    )


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        # … and nothing is changed next to it
        ("a\n\nb\nc\nd\n", "\nc\nd\n", "\nc\nx\n", "a\n\nb\nc\nx\n"),
        ("z\na\nb\n\nc\n", "z\na\n\n", "x\na\n\n", "x\na\nb\n\nc\n"),
        # … which is there as often as before, or less
        ("a\n\nb\nc\nd\nc\n", "\nc\nd\nc\n", "\nc\nx\nc\n", "a\n\nb\nc\nx\nc\n"),
        ("a\n\nb\nc\nd\nc\n", "\nc\nd\nc\n", "\nc\nx\n", "a\n\nb\nc\nx\n"),
        ("c\nd\nc\nb\n\na\n", "c\nd\nc\n\n", "x\nd\nc\n\n", "x\nd\nc\nb\n\na\n"),
        # there is no such line
        ("b\nc\n", "\nc\n", "\nx\nc\n", "b\nx\nc\n"),
        ("a\nb\n", "a\n\n", "a\nx\n\n", "a\nx\nb\n"),
        ("a\n\nb\n\n\nb\n", "a\n\n\nb\n", "a\n\n\nb\nx\n", "a\n\nb\nx\n\n\nb\n"),
    ],
)
def test_a_line_that_was_perhaps_left_out(original: str, old: str, new: str, content: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        ("\u3000foo\n", "foo\n", "bar\n  baz\n", "\u3000bar\n\u3000  baz\n"),
        ("\u3000\u3000a\n\u3000b\n", "\u3000a\nb\n", "\u3000x\nb\ny\n", "\u3000\u3000x\n\u3000b\n\u3000y\n"),
        ("\xa0\xa0foo\n", "  foo\n", "  bar\n", "\xa0\xa0bar\n"),
        ("foo\n", "\u2003foo\n", "\u2003bar\n", "bar\n"),
        # what separates pages or records is content, unless nothing else is in the line
        ("\x0cdef f():\n  pass\n", "\x0cdef f():\n", "\x0cdef g():\n", "\x0cdef g():\n  pass\n"),
        ("  \x0ca\n", "\x0ca\n", "\x0cb\n", "  \x0cb\n"),
        ("a\n\x0c\nb \n", "a\n\nb\n", "a\n\nc\n", "a\n\x0c\nc\n"),
        ("a\n\x0c\nb = 1\n", "a\nb = 1\n", "a\nb = 2\n", "a\n\x0c\nb = 2\n"),
        ("a\n\x0c\nb\n", "a\n\n", "a\n\nx\n", "a\n\x0c\nx\nb\n"),
        ("\n\x0c\na\nb\n", "\na\nb\n", "\na\nx\n", "\n\x0c\na\nx\n"),
        ("a\n\x0c\n\n", "a\n\n", "a\n\nx\n", "a\n\x0c\nx\n\n"),
        ("\n\x0c\na\n", "\na\n", "x\n\na\n", "\nx\n\x0c\na\n"),
        ("\n\x0c\na\n", "\na\n", "\nx\n", "\n\x0c\nx\n"),
        ("a\n\nb\n\x0c\n", "\x0c\n", "\x0c\nc\n", "a\n\nb\n\x0c\nc\n"),
    ],
)
def test_white_space_that_is_neither_blank_nor_tab(original: str, old: str, new: str, content: str) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        # next to the place of the old lines, in it and elsewhere
        ("a\nb\nx\n", "b\n\n", "b\nx\n", None),
        ("x\na\nb\n", "\na\nb\n", "x\na\nb\n", None),
        ("  a\nb\n\na\nb\n", "a\n\nb\n", "  a\nb\n", None),
        ("a\nx\nb\n\na\n\n\nb\n", "a\n\nb\n", "a\nx\nb\n", None),
        ("a\nb\na\n", "a\n\nb\n", "a\nb\na\n", None),
        # nothing but blank lines were there before
        ("a\nb\n\f\n", "\n", "a\nb\n\f\n", None),
        ("a\nb\n \n", "\n", "a\nb\n", None),
        # a line between others is gone
        ("a\nb\nc\n\nx\na\nc\n", "\na\nb\nc\n", "\na\nc\n", "a\nc\n\nx\na\nc\n"),
        ("a\nb\nc\n\na\nc\n", "\na\nb\nc\n", "\na\nc\n", None),
        ("a\nb\nc\n\nb\nc\n", "\na\nb\nc\n", "\nb\nc\n", "b\nc\n\nb\nc\n"),
        # the old lines are there to the letter: new ones before or behind all of them may be there, with a word
        ("a\nb\nx\n", "b\n", "b\nx\n", None),
        ("a\nb\n  x\n", "b\n", "b\nx\n", None),
        ("x\ny\nb\na\n", "b\n", "x\ny\nb\n", None),
        ("x\nb\ny\n", "b\n", "x\nb\ny\n", None),
        ("a\nb\n\n}\nx\n", "b\n", "b\n\n}\nx\n", None),
        ("a\n  b\n}\nx\n", "  b\n", "  b\n}\n", "a\n  b\n}\n}\nx\n"),
        ("a\nb\n\nx\n", "b\n", "b\n\n", "a\nb\n\n\nx\n"),
        ("a\nb\nx\n", "b\n", "b\nx\ny\n", "a\nb\nx\ny\nx\n"),
        ("a\nb\nx\n", "b\n", "b\ny\n", "a\nb\ny\nx\n"),
        ("b\nx\n", "b\n", "x\nb\n", "x\nb\nx\n"),
        ("a\nb\nx\n", "b\n", "c\nx\n", "a\nc\nx\nx\n"),
        ("a\nb\nx\nb\n", "a\nb\n", "a\nx\nb\n", "a\nx\nb\nx\nb\n"),
        ("\ufeffb\nx\n", "\ufeffb\n", "\ufeffb\nx\n", None),
        ("a\nb\n\n", "\n", "a\nb\n", "a\nb\na\nb\n"),
        # not all of the new ones are, or not to the letter
        ("a\nb\nx\n", "b\n\n", "b\nx\ny\n", "a\nb\nx\ny\nx\n"),
        ("a\nb\n x\n", "b\n\n", "b\nx\n", "a\nb\nx\n x\n"),
        ("a\nb\n\f\n", "\n", "a\nc\n", "a\nb\na\nc\n"),
        ("a\nb\n\f\n", "\n", "\n\n", None),  # which of the two is the form feed?
        # all of them are old ones, or none is
        ("  a\nb\nc\nb\n", "a\nb\n", "b\n", "b\nc\nb\n"),
        ("x\n  a\n", "a\n", "x\n", "x\n  x\n"),
        # a line alone that has some blanks, and not those of the line that is found
        ("  b\n   a\n", "  a\n", "  b\n", None),
        (" b\n   a\n", "  a\n", "  b\n", " b\n   b\n"),
        ("  b\n   a\n   c\n", "  a\n  c\n", "  b\n", "  b\n   b\n"),
    ],
)
def test_an_edit_that_was_perhaps_made_before(original: str, old: str, new: str, content: str | None) -> None:
    result = apply(original, block(old, new))
    expected = (original, ["ambiguous"]) if content is None else (content, ["applied"])
    assert (result.content, outcome(result)) == expected


@pytest.mark.parametrize("lead", [*"\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029\r", "\f  ", "  \f"])
def test_the_beginning_of_a_page_is_not_lost(lead: str) -> None:
    original = f"{lead}def f():\n  pass\n"
    result = apply(original, block("def f():\n", "def g():\n"))
    assert (result.content, outcome(result)) == (original, ["not_found"])
    assert "The text occurs only as part of line 1: give the whole line." in result.failures[0].message
    assert apply(original, block(f"{lead}def f():\n", "x\n")).content == "x\n  pass\n"
    # the same for similar lines
    old = "def f():\n  pasx\nend\n"
    assert outcome(apply(f"{original}end\n", block(old, "x\n"), threshold=0.99)) == ["not_found"]


def test_indentations_without_a_common_measure_are_left_alone() -> None:
    indentation = Indentation([("\t x", "   x"), ("", "y"), ("z", "  ")])
    assert not indentation.is_kept
    assert indentation.apply("    a") == "    a"
    assert indentation.apply("\t  a") == "    a"
    assert Indentation([("  a", "  b")]).is_kept
    assert Indentation([(" a", "\tb"), ("\ta", "  b")]).apply("  x") == "\t\tx"


@pytest.mark.parametrize(("size", "indent"), [(99, "\t"), (100, "\t"), (101, " " * 101)])
def test_no_more_indentations_are_looked_at_than_anyone_has(size: int, indent: str) -> None:
    deeper = [(" " * number + "a", " " * number + " a") for number in range(size - 1)]
    indentation = Indentation([*deeper, (" " * (size - 1) + "a", "\ta")])
    assert indentation.apply(" " * (size - 1) + "x") == indent + "x"


def test_a_byte_order_mark_is_taken_off_the_first_line_of_the_file_only() -> None:
    file = "\ufeffa\nb\n"
    assert apply(file, block("\ufeffa\n", "\ufeffz\n")).content == "\ufeffz\nb\n"
    assert apply(file, block("b\n", "\ufeffz\n")).content == "\ufeffa\n\ufeffz\n"
    # wherever it turns out to be the first line
    assert apply("\ufeffa\na\n", block("a\n", "\ufeffz\n") * 2).content == "\ufeffz\n\ufeffz\n"
    assert apply(file, block("\ufeffa\n", "\ufeffa\n")).edits[0].status == "noop"
    # a file that has none is given one
    assert apply("a\nb\n", block("a\n", "\ufeffa\n")).content == "\ufeffa\nb\n"


def test_blank_lines_of_the_file_between_several_lines_that_have_become_others() -> None:
    file = "first = 1\n\nsecond = 1\n\nthird = 1\nend\n"
    old, new = "first = 1\nsecond = 1\nthird = 1\n", "first = 2\nsecond = 2\nthird = 2\n"
    assert apply(file, block(old, new)).content == file.replace("1", "2")
    assert apply(file, block(old, "x\n")).content == "x\nend\n"
    assert outcome(apply(file, block(old, "third = 2\n"))) == ["ambiguous"]


@pytest.mark.parametrize(
    ("number", "new", "content"),
    [
        (2, "x\nb\n", "x\nx\nb\nc\n"),  # at its number, from which lines before it would have moved it
        (1, "x\nb\n", None),
        (3, "x\nb\n", None),
        (2, "b\nc\n", None),
    ],
)
def test_lines_that_are_there_already_beside_the_number_of_a_block(number: int, new: str, content: str | None) -> None:
    result = apply("x\nb\nc\n", block(f":start_line:{number}\n-------\nb\n", new))
    assert (result.content, result.ok) == (content or "x\nb\nc\n", content is not None)


def test_what_is_said_of_lines_that_are_there_already() -> None:
    [failure] = apply("a\nb\nx\n", block("b\n", "b\nx\n")).failures
    assert (failure.reason, failure.lines, failure.message) == (
        "ambiguous",
        (2,),
        "The file has the new lines of the block already, right beside line 2. If this edit was made before, leave it "
        "out; if not, repeat the block with lines of the file both before and behind the new ones.",
    )
