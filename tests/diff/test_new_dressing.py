"""New lines with something around them or in front of them that no old line has: no text of the file."""

from __future__ import annotations

import pytest

from streamparse.diff import str_replace
from tests.diff.kit import apply, block, outcome, tree

FILE = "x\n  a();\n  b();\ny\n"
FENCED = (
    "The new lines are in a fence, or have one end of it, and neither the old lines nor the file have any. Repeat the "
    "{} without it; if it is to be in the file, repeat it with lines of the file before and behind, in the old lines "
    "and in the new ones."
)
SIGNED = (
    "Every new line begins with `+`, `-` or a blank, as in a patch. Repeat the {} with the new lines just as they are "
    "to be in the file; if these signs belong to them, repeat it with lines of the file before and behind, in the old "
    "lines and in the new ones."
)
SIGNED_FILE = (
    "Every new line begins with `+`, `-` or a blank, as in a patch, and the file is empty. Repeat the {} without the "
    "sign in front of each line; if these signs belong to the text, begin it with a line that has none, such as a "
    "heading."
)
NUMBERED = (
    "There are numbers in front of the new lines, like those of lines, and none in front of the old ones. Repeat the "
    "{} without line numbers; if these belong to the text, repeat it with lines of the file before and behind, in the "
    "old lines and in the new ones."
)


#: What files are called that may have fences and signs of a patch in them.
MARKUP = (
    *("a.md", "A.MD", "b/a.markdown", "a.mdx", "a.mdc", "a.qmd", "a.Rmd", "a.adoc", "a.rst", "a.txt", "a.diff"),
    *("a.patch", "README", "b/Readme"),
)
#: Others.
OTHERS = ("a.js", "md", "a.md.js", "README/a", "READMEs", None)


def refused_in_block(file: str, old: str, new: str, sentence: str) -> None:
    """It fails as a block; in JSON hardly anything is around a text."""
    result = apply(file, block(old, new), marked=True)
    assert (result.content, outcome(result)) == (file, ["bad_marker"])
    assert result.failures[0].message == sentence.format("block")
    assert str_replace(file, old, new).content == (file.replace(old, new) if old else new)
    for path, expected in (*((path, "applied") for path in MARKUP), *((path, "bad_marker") for path in OTHERS)):
        assert outcome(apply(file, block(old, new), path=path)) == [expected]


def refused(file: str, old: str, new: str, reason: str, sentence: str) -> None:
    """It fails so, as a block and by `str_replace`."""
    for result, noun in ((apply(file, block(old, new), marked=True), "block"), (str_replace(file, old, new), "edit")):
        assert (result.content, outcome(result)) == (file, [reason])
        assert result.failures[0].message == sentence.format(noun)


def applied(file: str, old: str, new: str, content: str) -> None:
    """It makes that content, as a block and by `str_replace`."""
    for result in (apply(file, block(old, new), marked=True), str_replace(file, old, new)):
        assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("new", "second"),
    [
        ("=======\nc\n", "======="),
        ("=======\n=======\n", "======="),
        ("c\n=======\n", "======="),
        ("c\n======= \nd\n", "======="),
        ("Instal\n=======\n", "======="),  # one letter less than the line
        (" Instal\n=======\n", "======="),
        ("Installs\n=======\n", "======="),
        ("Install\n=======\n=======\nc\n", None),  # the first is the title of the second
        ("Install\n=======\n\n=======\n", "======="),
        ("c\n========\n", "========"),  # as many as the first marker has
    ],
)
def test_a_second_separator(new: str, second: str | None) -> None:
    result = apply("a\nb\n", block("a\n", new, "-------- SEARCH"))
    if second is None:
        assert result.content == f"{new}b\n"
        return
    assert (result.content, outcome(result)) == ("a\nb\n", ["bad_marker"])
    assert result.failures[0].message == (
        f"There is a second line `{second}` in the block, and the file has no such line. Repeat the block without it, "
        f"or with `\\{second}` if it is to be in the file."
    )
    escaped = "".join(f"\\{line}\n" if line.startswith("=") else f"{line}\n" for line in new.splitlines())
    assert apply("a\nb\n", block("a\n", escaped, "-------- SEARCH")).content == f"{new}b\n"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("a\n===\n", "a\n", "c\n=======\nd\n"),  # the file has such a line
        ("a\n  =====  \n", "a\n", "c\n=======\nd\n"),
        ("a\n==\n", "a\n", "c\n======\nd\n"),  # nothing that separates
        ("a\n", "a\n", "c\n  =======\nd\n"),
        ("a\n", "a\n", "c\n======= x\nd\n"),
    ],
)
def test_lines_of_equals_signs_that_are_content(file: str, old: str, new: str) -> None:
    assert apply(file, block(old, new)).content == file.replace(old, new)


@pytest.mark.parametrize(
    ("new", "is_text"),
    [
        ("Install it\n=======\n", True),  # of another length
        (" c\n=======\n", True),
        ("c\n======= \nd\n", True),
        ("=======\nInstall\n=======\n", True),  # a line over the title as well
        ("c\n\n=======\n It\n=======\n\nd\n", True),
        ("c\n\n=======\nd\n", False),
        ("=======\nc\n", False),
        ("=======\n=======\nc\n", False),
        ("=======\n\n=======\n", False),
        ("=======\nc\nd\n=======\n", False),
        ("=======\nc\n======\n", False),
        ("c\n=======\n\n=======\n", False),
    ],
)
def test_a_second_separator_in_markup(new: str, is_text: bool) -> None:
    for path in MARKUP:
        result = apply("a\nb\n", block("a\n", new), path=path)
        assert outcome(result) == (["applied"] if is_text else ["bad_marker"])
        assert result.content == (f"{new}b\n" if is_text else "a\nb\n")
    for path in OTHERS:
        assert outcome(apply("a\nb\n", block("a\n", new), path=path)) == ["bad_marker"]


def test_too_few_equals_signs_in_the_file_show_nothing() -> None:
    for file, expected in (("a\n==\n", "bad_marker"), ("a\n===\n", "applied"), ("a\n=== x\n", "bad_marker")):
        assert outcome(apply(file, block("a\n", "c\n=======\n"))) == [expected]


def test_no_line_of_a_text_separates() -> None:
    applied_text = str_replace("a\nb\n", "a\n", "c\n=======\n")
    assert applied_text.content == "c\n=======\nb\n"


@pytest.mark.parametrize(
    "new",
    [
        "```js\n  c();\n```\n",
        "```\n  c();\n```\n",
        "\n```js\n\n  c();\n```\n\n",
        "~~~~ js\n  c();\n~~~~\n",
        "````md\n```\nc\n```\n````\n",
        "```js\n  c();\n",  # one end of it
        "  c();\n```\n",
        "```\n",
    ],
)
def test_a_fence_around_new_lines_alone(new: str) -> None:
    refused_in_block(FILE, "  a();\n", new, FENCED)
    refused_in_block("", "", new, FENCED)
    # the file has one of the same sign, or the old lines, or it is of a kind that has them
    own, other = ("~~~\n", "```\n") if new.startswith("~") else ("```\n", "~~~\n")
    assert apply(FILE + own, block("x\n", f"x\n{new}")).content == f"{FILE}{own}".replace("x\n", f"x\n{new}")
    refused_in_block(FILE + other, "  a();\n", new, FENCED)
    for path, expected in (("a.md", "applied"), ("A.MD", "applied"), ("a.rst", "applied"), ("a.js", "bad_marker")):
        made = tree({path: FILE}, f"{path}\n" + block("x\n", new))
        assert [failure.reason for failure in made.failures] == [one for one in [expected] if one != "applied"]


@pytest.mark.parametrize(
    "new",
    [
        "c\n```js\n  c();\n```\n",
        "```js\n  c();\n```\nc\n",
        "c\n```\nd\n```\ne\n",
        "```\nc\n```\nd\n```\ne\n```\n",
        "c\n```\nd\n",  # it may go on in the file
        "Title\n~~~~~\n",
        "`c`\n",
        "```c```\n",
    ],
)
def test_fences_that_are_content(new: str) -> None:
    applied(FILE, "x\n", new, FILE.replace("x\n", new))


def test_a_fence_that_old_lines_have() -> None:
    assert apply(FILE, block("```\n  a();\n```\n", "```\n  c();\n```\n")).content == FILE.replace("a", "c")
    assert outcome(apply(FILE, block("```\n  a();\n```\n", "```\n  c();\n"))) == ["bad_marker"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  a();\n  b();\n", "   a();\n-  b();\n+  c();\n"),
        ("  a();\n", "+  c();\n"),
        ("  a();\n", "-  a();\n+  c();\n"),
        ("  a();\n", "+\n+  c();\n"),
        ("  a();\n", "-x\n+  c();\n"),
        ("  a();\n  b();\n", "   a();\n\n+  c();\n"),
    ],
)
def test_new_lines_as_a_patch_has_them(old: str, new: str) -> None:
    refused_in_block(FILE, old, new, SIGNED)
    applied(f"{FILE}+z\n", old, new, f"{FILE}+z\n".replace(old, new))  # the file has such a line


@pytest.mark.parametrize("new", ["+ a\n+ b\n", "+a\n", "-a\n+b\n", "+a\n\n+b\n"])
def test_a_new_file_with_signs(new: str) -> None:
    refused_in_block("", "", new, SIGNED_FILE)
    applied("", "", f"# List\n{new}", f"# List\n{new}")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (FILE, "  a();\n", "  c();\n  d();\n"),
        (FILE, "  a();\n", "-  c();\n"),  # nothing is added
        (FILE, "  a();\n  b();\n", "  a();\n+ b();\n"),  # not behind a sign
        (FILE, "x\n  a();\n", "x\n+ c\n"),  # one line has no sign
        (FILE, "  a();\n  b();\n", "   a();\n-  z();\n+  c();\n"),  # no old line
        ("+a\nb\n", "+a\n", "+c\n"),
        ("x = (a\n  - b)\n", "  - b)\n", "  + b)\n"),
    ],
)
def test_signs_that_are_content(file: str, old: str, new: str) -> None:
    applied(file, old, new, file.replace(old, new))


def test_a_sign_within_a_line_is_none_of_a_patch() -> None:
    assert str_replace("x = (a\n  - b)\n", "- b", "+ b").content == "x = (a\n  + b)\n"
    assert str_replace("x = a - b\n", "-", "+").content == "x = a + b\n"
    assert str_replace("echo hi\n", "echo hi", "+echo ho").content == "+echo ho\n"


@pytest.mark.parametrize(
    "new",
    [
        "2 |   c();\n",
        "2→c();\n",
        "\n3 | c();\n",  # the line behind the old one
        "3 |   c();\n",
        "2 |   c();\n3 |   d();\n",
        "2: c();\n\n3: d();\n",
        "   2\t  c();\n   3\t  d();\n",
        "    2:   c();\n    3:   d();\n",  # deeper than the old line
    ],
)
def test_numbers_in_front_of_new_lines_alone(new: str) -> None:
    refused(FILE, "  a();\n", new, "ambiguous", NUMBERED)
    for sign in "|\t:→":
        known = f"{FILE}1{sign}z\n"
        assert outcome(apply(known, block("  a();\n", new))) == ["applied" if sign in new else "ambiguous"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (FILE, "  a();\n", "1 |   c();\n"),  # the number of another line
        (FILE, "  a();\n", "4 |   c();\n"),
        (FILE, "  a();\n", "1 | c\n2 | d\n"),  # the first is not
        (FILE, "  a();\n", "7 | c\n8 | d\n"),
        (FILE, "  a();\n", "2 | c\n4 | d\n"),
        (FILE, "  a();\n", "2: c\n"),  # a key
        (FILE, "  a();\n", "1: 'c', 2: 'd'\n"),
        (FILE, "  a();\n", "  2: 'c',\n"),
        (FILE, "  a();\n", "2\tc\n"),
        (FILE, "  a();\n", "  2: c\n  3: d\n"),  # as deep as the old line
        (FILE, "  a();\n", "0\tbg\n1\tcat\n"),
        (FILE, "  a();\n", "200: 'OK',\n201: 'Created',\n"),
        (FILE, "  a();\n", "8080: a\n  8081: b\n"),
        ("D = {\n    x\n}\n", "    x\n", "    0: 'a',\n    1: 'b',\n"),
        (FILE, "  a();\n", "2: c\n4: d\n"),
        (FILE, "  a();\n", "2: c\n1: d\n"),
        (FILE, "  a();\n", "2: c\nd\n"),
        (FILE, "  a();\n", "2 || c\n3 || d\n"),
        ("1: a\nb\n", "1: a\n", "1: c\n2: d\n"),
        ("", "", "1: c\n2: d\n"),  # a new file
        ("", "", "1\tc\n2\td\n"),
    ],
)
def test_numbers_that_are_content(file: str, old: str, new: str) -> None:
    applied(file, old, new, file.replace(old, new, 1) if old else new)


def test_one_number_is_that_of_a_line_of_the_place() -> None:
    for number, expected in ((1, "applied"), (2, "ambiguous"), (3, "ambiguous"), (4, "ambiguous"), (5, "applied")):
        assert outcome(apply(FILE, block("  a();\n  b();\n", f"{number} |   c();\n"))) == [expected]


@pytest.mark.parametrize("new", ["2 | c\n3 | d\n", "2: c\n3: d\n", "2\tc\n3\td\n", "2→c\n"])
def test_files_that_have_numbers_at_the_beginning_of_lines(new: str) -> None:
    for path in ("a.csv", "a.TSV", "a.yaml", "a/b.yml", "a.md", "a.py", "yml", None):
        expected = "applied" if path and "." in path and path != "a.py" else "ambiguous"
        assert outcome(apply("x\na\ny\n", block("a\n", new), path=path)) == [expected]
        assert outcome(str_replace("x\na\ny\n", "a\n", new, path=path)) == [expected]


def test_a_new_file_with_line_numbers() -> None:
    for sign in "|→":
        refused("", "", f"1 {sign} c\n2 {sign} d\n".replace(" →", "→"), "ambiguous", NUMBERED)


def test_what_is_the_same_is_no_new_line() -> None:
    for line in ("+x\n", "```\n", "1 | x\n"):
        assert outcome(apply(line, block(line, line))) == ["noop"]


def test_whatever_ends_the_lines_of_the_file() -> None:
    for ending in ("\r\n", "\r"):
        for line, new, reason in (("```", "```\nc\n```\n", "bad_marker"), ("+z", "+c\n", "bad_marker")):
            assert outcome(apply(f"a{ending}b{ending}", block("a\n", new))) == [reason]
            assert outcome(apply(f"a{ending}{line}{ending}b{ending}", block("a\n", new))) == ["applied"]
