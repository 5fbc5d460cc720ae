"""What is a marker, what is content, and where a block ends."""

from __future__ import annotations

import pytest

from streamparse.diff import DiffResult, DiffStream, SearchReplaceStream, apply_search_replace
from streamparse.diff.match import Finder
from streamparse.diff.place import Match
from tests.diff.kit import apply, block, outcome

FILE = "a\nb\nc\n"
EDITED = "a\nB\nc\n"
EDIT = block("b\n", "B\n")


@pytest.mark.parametrize(
    ("start", "separator", "end"),
    [
        ("------- SEARCH", "=======", "+++++++ REPLACE"),
        ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"),
        ("------- SEARCH", "=======", ">>>>>>> REPLACE"),
        ("<<<<<<< SEARCH", "=======", "+++++++ REPLACE"),
        ("--- SEARCH", "===", "+++ REPLACE"),
        ("--- SEARCH", "=======", "+++ REPLACE"),
        ("---- SEARCH", "====", ">>> REPLACE"),
        ("<<<<<<<<<<<< SEARCH", "============", ">>>>>>>>>>>> REPLACE"),
        ("------- SEARCH>", "=======>", "+++++++ REPLACE>"),
        ("------- SEARCH >", "=======", "+++++++ REPLACE >"),
        ("-------  SEARCH  ", "=======\t ", "+++++++\tREPLACE "),
        ("------- SEARCH\r", "=======\r", "+++++++ REPLACE\r"),
        ("  ------- SEARCH", "  =======", "  +++++++ REPLACE"),
        ("------- SEARCH", "====", "+++++++ REPLACE"),
        ("------- SEARCH", "  =======", "+++++++ REPLACE"),
        ("\ufeff------- SEARCH", "=======", "+++++++ REPLACE"),
        (" ------- SEARCH", "=======", "+++++++ REPLACE"),
        ("\t ------- SEARCH", "\t=======", "+++++++ REPLACE"),
    ],
)
def test_markers_come_in_many_shapes(start: str, separator: str, end: str) -> None:
    result = apply(FILE, f"{start}\nb\n{separator}\nB\n{end}\n")
    assert (result.ok, result.content, outcome(result)) == (True, EDITED, ["applied"])
    assert (result.edits[0].start_line, result.edits[0].end_line, result.edits[0].strategy) == (2, 2, "exact")
    assert apply(FILE, f"{start}\nb\n{separator}\nB\n{end}").content == EDITED


@pytest.mark.parametrize(
    "diff",
    [
        f"Here it is:\n\nsrc/a.py\n```\n{EDIT}```\nThat was it.",
        f"```diff\n{EDIT}```",
        f"- SEARCH\n-- SEARCH\n# REPLACE\n{EDIT}",
        f"=======\nHeading\n=======\n{EDIT}+++++++ REPLACE\n",
        f"{EDIT}+++++++ REPLACE\n- REPLACE it\n=======\n",
    ],
)
def test_what_stands_between_blocks_is_ignored(diff: str) -> None:
    result = apply(FILE, diff)
    assert (result.ok, result.content, outcome(result)) == (True, EDITED, ["applied"])


def test_an_empty_diff_changes_nothing() -> None:
    for diff in ("", "\n\n", " \t\r\n"):
        result = apply(FILE, diff)
        assert (result.ok, result.content, result.edits, result.failures) == (True, FILE, (), ())


def test_text_without_a_block_is_a_failure() -> None:
    for diff in ("just prose", "b\n", "- SEARCH\nb\n", "=======\n"):
        result = apply(FILE, diff)
        assert (result.content, outcome(result)) == (FILE, ["bad_marker"])
        assert result.failures[0].message.startswith(
            "There is nothing to apply in this text. A block is `------- SEARCH`"
        )


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        # A line of `=` in the new lines only
        ("a\nb\n===\n", "a\n", "A\n=======\n", "A\n=======\nb\n===\n"),
        ("a\nb\n===\n", "a\n", "=======\n", "=======\nb\n===\n"),
        ("a\nb\n", "a\n", "Install\n=======\n", "Install\n=======\nb\n"),
        # in the old lines: the file goes on with it
        ("Title\n=======\ntext\n", "Title\n=======\n", "New\n", "New\ntext\n"),
        ("Title\n=======\ntext\n", "Title\n=======\n", "New\n=======\n", "New\n=======\ntext\n"),
        ("Title\n=======\ntext\n", "Title\n=======\ntext\n", "New\n=======\nmore\n", "New\n=======\nmore\n"),
        # the same, and only the title is meant
        ("Title\n=======\ntext\n", "Title\n", "New\n", "New\n=======\ntext\n"),
        ("Title\n=======\ntext\n", "Title\n", "New\n=======\nmore\n", "New\n=======\nmore\n=======\ntext\n"),
        ("Title\n=======\ntext\n", "Title\n", "", "=======\ntext\n"),
        ("Title\n=======\ntext\n", "Title\n", "---\nNew\n", "---\nNew\n=======\ntext\n"),
        # first in the old lines
        ("=======\nb\n", "=======\n", "c\n", "c\nb\n"),
        ("x\n=======\nb\n", "=======\nb\n", "c\n", "x\nc\n"),
        # other lengths are content
        ("Abc\n===\nb\n", "Abc\n===\n", "Abcd\n====\n", "Abcd\n====\nb\n"),
        ("A\n======\nb\n", "A\n======\n", "A\n========\n", "A\n========\nb\n"),
        # a merge conflict
        (
            "x\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch\ny\n",
            "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch\n",
            "three\n",
            "x\nthree\ny\n",
        ),
        (
            "x\none\ny\n",
            "one\n",
            "<<<<<<< HEAD\none\n\\=======\ntwo\n>>>>>>> b\n",
            "x\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> b\ny\n",
        ),
    ],
)
def test_a_line_of_equals_signs_may_be_content(original: str, old: str, new: str, content: str) -> None:
    result = apply(original, block(old, new), marked=True)
    assert (result.content, outcome(result)) == (content, ["applied"])


CONFLICT = "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch\n"


@pytest.mark.parametrize(
    ("original", "old", "content"),
    [
        # blank lines before it that the block leaves out, or has
        (CONFLICT.replace("=======", "\n \n======="), CONFLICT, "new\n"),
        (CONFLICT, CONFLICT.replace("=======", "\n======="), "new\n"),
        # the beginning also stands elsewhere, and better
        (
            f"one\n{CONFLICT.replace('one', 'one  ')}",
            "one\n=======\ntwo\n",
            "one\n<<<<<<< HEAD\nnew\n>>>>>>> branch\n",
        ),
        (
            f"one\n{CONFLICT.replace('one', '“one”')}",
            '"one"\n=======\ntwo\n',
            "one\n<<<<<<< HEAD\nnew\n>>>>>>> branch\n",
        ),
        (f"one\n\n{CONFLICT}", "\n<<<<<<< HEAD\none\n=======\n", "one\nnew\ntwo\n>>>>>>> branch\n"),
        ("a\n\n\n=======\nb\n", "\n=======\n", "a\n\nnew\nb\n"),
        # numbers in front
        (CONFLICT, "".join(f"{at} | {line}\n" for at, line in enumerate(CONFLICT.splitlines(), 1)), "new\n"),
        # similar lines only
        ("aaa\nbbbbb\nccc\n=======\nd\n", "aaa\nbbbbb.\nccc\n=======\nd\n", "new\n"),
    ],
)
def test_the_file_goes_on_with_a_line_of_equals_signs(original: str, old: str, content: str) -> None:
    result = apply(original, block(old, "new\n"), marked=True)
    assert (result.content, outcome(result)) == (content, ["applied"])


@pytest.mark.parametrize(
    ("original", "diff", "content"),
    [
        # an underline of another length, and a separator of a third
        ("Title\n=====\nbody\n", "Title\n=====\nbody\n==========\nnew\n", "new\n"),
        # forgotten: all of it is in the file
        ("Title\n=====\nbody\n", "Title\n=====\nbody\n", "bad_marker"),
        ("Title\n=======\nbody\n", "Title\n=======\nbody\n", "bad_marker"),
        # the old lines go on as the file does, and then they differ
        ("Title\n=======\nbody\nend\n", "Title\n=======\nbody\nand\n=======\nnew\n", "not_found"),
        ("Title\n=======\nbody\nend\n", "Title\n=======\n\nbody\nand\n=======\nnew\n", "not_found"),
        # … but for one line between equal ones
        ("T\n=======\na\nbcdefg\nc\n", "T\n=======\na\nbcdefg.\nc\n=======\nnew\n", "new\n"),
        # they go on differently at once
        (
            "Title\n=======\nbody\nend\n",
            "Title\n=======\nBody\n=======\nnew\n",
            "Body\n=======\nnew\n=======\nbody\nend\n",
        ),
        # blanks behind it make no difference
        ("Title\n=======\nbody\n", "Title\n======= \nbody\n======= \nnew\n", "new\n"),
        ("Title\n=======\nbody\n", "Title\n======= \n======= \nnew\n", "new\nbody\n"),
        # an indented separator is one before lines of other lengths are
        ("Title\n=====\nbody\n", "  Title\n  =====\n  =======\n  New\n", "New\nbody\n"),
        ("b\nc\n", "b\n=====\nB\n  =======\nC\n", "not_found"),
        ("b\nc\n", "b\n  =======\nB\n=======\nC\n", "not_found"),
        # … but none behind a line that is not indented, even if that one is content
        ("Title\n=======\nbody\nend\n", "Title\n=======\nbody\n  =======\nnew\n", "bad_marker"),
    ],
)
def test_what_the_file_goes_on_with_is_content(original: str, diff: str, content: str) -> None:
    result = apply(original, f"------- SEARCH\n{diff}+++++++ REPLACE\n")
    is_found = content.endswith("\n")
    expected = (content, ["applied"]) if is_found else (original, [content])
    assert (result.content, outcome(result)) == expected


TWO = "if a:\n    x()\nif b:\n        x()\n"


@pytest.mark.parametrize(
    ("original", "margin", "old", "expected"),
    [
        # The file has the line as it is written, and elsewhere without the blanks before the markers.
        (TWO, "    ", "        x()\n", (2, 4)),
        (TWO, "  ", "        x()\n", "if a:\n    x()\nif b:\n        y()\n"),
        (TWO, "", "        x()\n", "if a:\n    x()\nif b:\n        y()\n"),
        ("x()\nif b:\n    x()\n", "    ", "    x()\n", (1, 3)),
        ("if b:\n    x()\n", "    ", "    x()\n", "if b:\n    y()\n"),
        # It has it only without these; another indentation is none of both.
        (TWO, "    ", "            x()\n", "if a:\n    x()\nif b:\n        y()\n"),
        (TWO, "   ", "            x()\n", (2, 4)),
        (TWO, "    ", "            x() \n", (2, 4)),
        ("x()\nif b:\n        x()\n", "    ", "    x()\n", "y()\nif b:\n        x()\n"),
        # One of the lines has them not.
        ("if a:\n    x()\n  z()\n    x()\n", "    ", "    x()\n  z()\n", "if a:\n    y()\n  z()\n    x()\n"),
        # But for blank lines it is found nowhere so.
        ("x()\n\nz()\n", "    ", "    x()\n    z()\n", "y()\n\nz()\n"),
    ],
)
def test_blanks_before_the_markers_may_be_before_all_lines(
    original: str, margin: str, old: str, expected: str | tuple[int, ...]
) -> None:
    start, separator, end = (margin + marker for marker in ("<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n"))
    result = apply(original, start + old + separator + old.replace("x", "y") + end)
    if isinstance(expected, tuple):
        assert [(failure.reason.value, failure.lines) for failure in result.failures] == [("ambiguous", expected)]
    else:
        assert (result.content, outcome(result)) == (expected, ["applied"])


@pytest.mark.parametrize(("original", "old"), [("", ""), ("", "\n"), ("\n", "\n")])
def test_without_old_lines_nothing_shows_whether_blanks_before_the_markers_are_part_of_new_ones(
    original: str, old: str
) -> None:
    text = f"{{0}}<<<<<<< SEARCH\n{old}{{0}}=======\n{{1}}x\n\n{{1}}  y\n{{0}}>>>>>>> REPLACE\n"
    [failure] = apply(original, text.format("  ", "  ")).failures
    assert (failure.reason, failure.message) == (
        "indentation",
        "All new lines begin with the blanks that are before the markers, and there is no old line that shows whether "
        "these are to be in the file. Repeat the block with its markers at the beginning of the line, and with the "
        "new lines just as they are to be.",
    )
    for margin, indent in (("", "  "), ("  ", ""), ("  ", " ")):
        assert apply(original, text.format(margin, indent)).content == f"{indent}x\n\n{indent}  y\n"


def test_very_many_equal_blocks_with_a_margin_take_the_places_of_equal_lines_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[str] = []
    find = Finder.find

    def noted(finder: Finder, lines: list[str]) -> Match | None:
        looked.extend(lines)
        return find(finder, lines)

    monkeypatch.setattr(Finder, "find", noted)
    text = "   <<<<<<< SEARCH\n   x\n   =======\n   y\n   >>>>>>> REPLACE\n"
    assert outcome(apply_search_replace("x\n" * 20, text * 5)) == ["ambiguous"] * 5
    assert sorted(looked) == ["   x"] * 5 + ["x"]  # each of the blocks, and the lines without the margin once


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        ("a\n\\=======\n", "a\n\\=======\n", "b\n\\=======\n", "b\n\\=======\n"),
        ("\\--- SEARCH\nx\n", "\\--- SEARCH\n", "\\+++ REPLACE\n", "\\+++ REPLACE\nx\n"),
        # what a backslash usually means comes first
        ("=======\n\\=======\n", "\\=======\n", "\\=======\nb\n", "=======\nb\n\\=======\n"),
    ],
)
def test_a_file_that_has_such_backslashes_itself(original: str, old: str, new: str, content: str) -> None:
    assert apply(original, block(old, new), marked=True).content == content


@pytest.mark.parametrize(
    ("diff", "content"),
    [
        ("Title\n=======\nNew\n", "New\n=======\ntext\nend\n"),
        ("Title\n=======\nNew", "New\n=======\ntext\nend\n"),
        ("Title\n=======\nte\n", "te\n=======\ntext\nend\n"),  # a whole line, which is not `text`
        ("Title\n=======\n\nNew\n", "\nNew\n=======\ntext\nend\n"),
        ("Title\n=======\ntext\n=======\nNew\n", "New\nend\n"),
        # where nothing separates for certain
        ("Title\n=======\n", None),
        ("Title\n=======\nte", None),
        ("Title\n=======\n  te", None),
        ("Title\n=======\ntext\n=====\nNew\n", None),  # its end may show another separator
        ("Title\n=======\ntext\n", None),
        ("Title\n=======\ntext\nen", None),
        ("Title\n=======\ntext\nand\n", None),
        ("Title\n=======\n\n", None),
    ],
)
def test_a_cut_block_whose_file_goes_on_with_a_line_of_equals_signs(diff: str, content: str | None) -> None:
    original = "Title\n=======\ntext\nend\n"
    result = apply(original, f"------- SEARCH\n{diff}", accept_truncated=True)
    assert (result.content, result.ok, outcome(result)) == (content or original, content is not None, ["truncated"])


@pytest.mark.parametrize("size", [3, 6, 7, 8, 12])
def test_a_separator_has_seven_characters_or_as_many_as_the_first_marker(size: int) -> None:
    line = "=" * size
    diff = f"-------- SEARCH\nb\n{line}\nB\n=======\nc\n++++++++ REPLACE\n"
    result = apply("a\nb\nc\n===\n", diff)
    if size in (7, 8):
        assert result.content == "a\nB\n=======\nc\nc\n===\n"
    else:
        assert outcome(result) == ["not_found"]
        assert apply("a\nb\n" + line + "\nB\nc\n", diff).content == "a\nc\nc\n"


def test_the_file_goes_on_with_a_line_as_long_as_the_first_marker() -> None:
    diff = "--- SEARCH\nTitle\n===\ntext\n===\nnew\n+++ REPLACE\n"
    assert apply("Title\n===\ntext\n", diff).content == "new\n"


def test_separators_of_other_lengths_are_tried_in_turn() -> None:
    assert apply("====\nb\nc\n", "------- SEARCH\n====\nb\n===\nB\n+++++++ REPLACE\n").content == "B\nc\n"
    assert (
        apply("b\n====\nc\n", "------- SEARCH\nb\n====\nB\n===\nC\n+++++++ REPLACE\n").content == "B\n===\nC\n====\nc\n"
    )
    assert apply("b\n=======\nc\n", "------- SEARCH\nb\n===\nB\n+++++++ REPLACE\n").content == "B\n=======\nc\n"


def test_many_lines_of_equals_signs() -> None:
    many = "=======\n" * 40
    assert apply(f"a\n{many}z\n", block(f"a\n{many}z\n", "b\n")).content == "b\n"
    assert apply(f"a\n{many}z\n", block("a\n", f"b\n{many}")).content == f"b\n{many}{many}z\n"
    assert apply(f"a\n{many}z\n", block(f"x\n{many}", "b\n")).failures[0].reason == "not_found"
    assert apply("a\nz\n===\n", block("z\n", f"b\n{many}c\n")).content == f"a\nb\n{many}c\n===\n"


@pytest.mark.parametrize(("size", "is_found"), [(30, True), (31, True), (32, False)])
def test_so_many_lines_of_equals_signs_are_tried(size: int, is_found: bool) -> None:
    # Half of the old lines must be as they are in the file: so many lines of equals signs, and not one less.
    underlines = "=======\n" * size
    original, old = (f"{letter * 7 * size}\n{underlines}" for letter in "xy")
    result = apply_search_replace(f"{original}z\n", block(old, "new\n"), threshold=0.5)
    assert outcome(result) == ["applied" if is_found else "not_found"]
    stream = SearchReplaceStream(f"{original}z\n", threshold=0.5)
    types = [event.type for event in stream.feed(f"------- SEARCH\n{old}=======\n")]
    assert types == ["block_started", "matched"][: 1 + is_found]


def test_a_block_within_a_block_must_be_escaped() -> None:
    inner = "\\------- SEARCH\nx\n\\=======\ny\n\\+++++++ REPLACE\n"
    plain = inner.replace("\\", "")
    assert apply("a\n", block("a\n", inner), marked=True).content == plain
    assert apply(plain, block(inner, "a\n"), marked=True).content == "a\n"
    assert apply(plain, block(inner, inner), marked=True).edits[0].status == "noop"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("\\=======", "======="),
        ("\\===", "==="),
        ("\\==", "\\=="),
        ("\\\\=======", "\\======="),
        ("  \\=======", "  ======="),
        ("\\<<<<<<< HEAD", "<<<<<<< HEAD"),
        ("\\>>>>>>> main", ">>>>>>> main"),
        ("\\-------", "-------"),
        ("\\------", "\\------"),
        ("\\--------", "\\--------"),
        ("\\--- SEARCH", "--- SEARCH"),
        ("\\-- SEARCH", "\\-- SEARCH"),
        ("\\+++ REPLACE", "+++ REPLACE"),
        ("\\:start_line:3", ":start_line:3"),
        ("\\section{=======}", "\\section{=======}"),
        ("x\\=======", "x\\======="),
        ("\\" + "=" * 199, "=" * 199),
        ("\\" + "=" * 200, "\\" + "=" * 200),
    ],
)
def test_a_backslash_makes_content_of_a_marker(written: str, meant: str) -> None:
    assert apply("a\n", block("a\n", written + "\n"), marked=True).content == meant + "\n"
    assert apply(f"x\n{meant}\n", block(f"x\n{written}\n", "a\n"), marked=True).content == "a\n"


@pytest.mark.parametrize(
    "line",
    [
        "- item",
        "+x",
        "--",
        "---",
        "--- a/x",
        "+++ b/x",
        "-- REPLACE it",
        "====",
        ">>> print()",
        "<<<",
        "  +++++++ REPLACE",
        "\t",
        "#### SEARCHING for it",
        "+++++++ REPLACED",
        "=" * 300,
        "+" * 300 + " REPLACE",
        "\\",
        "\\x",
        "======= x",
    ],
)
def test_lines_that_only_begin_like_markers_are_content(line: str) -> None:
    result = apply("a\nb\n", block("a\nb\n", f"{line}\nb\n"), marked=True)
    assert (result.content, result.ok) == (f"{line}\nb\n", True)
    result = apply(f"x\n{line}\nb\n", block(f"x\n{line}\n", "a\n"), marked=True)
    assert (result.content, result.ok) == ("a\nb\n", True)


@pytest.mark.parametrize("line", ["-- REPLACE", "++ REPLACE", "+++++++ REPALCE", "### Search", "+++++++REPLACE"])
def test_what_looks_like_a_bad_marker_is_content_if_the_block_goes_on_properly(line: str) -> None:
    result = apply("a\nb\n", block("a\n", f"x\n{line}\ny\n"), marked=True)
    assert (result.content, result.ok) == (f"x\n{line}\ny\nb\n", True)


def test_headers_with_line_numbers_break_ties_only() -> None:
    original = "x\na\nx\nb\nx\n"
    header = ":start_line:{}\n:end_line:{}\n-------\nx\n"
    for line, content in ((1, "y\na\nx\nb\nx\n"), (3, "x\na\ny\nb\nx\n"), (5, "x\na\nx\nb\ny\n")):
        assert apply(original, block(header.format(line, line), "y\n")).content == content
    for line in (2, 4):
        assert outcome(apply(original, block(header.format(line, line), "y\n"))) == ["ambiguous"]
    assert apply(original, block(":start_line: 99\nx\n", "y\n")).failures[0].lines == (1, 3, 5)
    assert apply("x\na\nx\n", block(":start_line:0\n-------\nx\n", "y\n")).content == "y\na\nx\n"
    # never an override
    assert apply(original, block(":start_line:1\n-------\nb\n", "y\n")).content == "x\na\nx\ny\nx\n"
    assert apply(":end_line:1\n", block("\\:end_line:1\n", "y\n")).content == "y\n"
    assert apply("-------\nx\n", block("-------\nx\n", "y\n")).content == "y\n"
    assert apply("x\n:start_line:1\nb\n", block("x\n:start_line:1\n", "y\n")).content == "y\nb\n"
    # `---` is no part of the header
    for dashes, is_header in (("-" * 6, False), ("-" * 7, True), ("-" * 8, False), ("---", False)):
        front = f"{dashes}\nx\n{dashes}\n"
        content = f"{dashes}\ny\n{dashes}\n" if is_header else f"y\n{dashes}\n"
        assert apply(front, block(f":start_line:1\n{dashes}\nx\n", "y\n")).content == content


def test_line_numbers_decide_among_equal_blocks() -> None:
    def numbered(line: int | None, new: str) -> str:
        return block(("" if line is None else f":start_line:{line}\n-------\n") + "x\n", new)

    original = "x\na\nb\nx\n"
    assert apply(original, numbered(3, "last\n") + numbered(2, "first\n")).content == "first\na\nb\nlast\n"
    assert apply(original, numbered(2, "1\n") + numbered(2, "2\n")).content == "1\na\nb\n2\n"
    assert apply(original, numbered(None, "1\n") + numbered(3, "2\n")).content == "1\na\nb\n2\n"
    three = "x\na\nb\n" * 3
    mixed = numbered(3, "1\n") + numbered(None, "2\n") + numbered(2, "3\n")
    assert outcome(apply(three, mixed)) == ["ambiguous"] * 3


@pytest.mark.parametrize(
    ("line", "is_near"), [(9, True), (10, True), (11, True), (12, True), (13, False), (14, False), (20, True)]
)
def test_a_line_number_decides_if_every_other_place_is_three_times_as_far(line: int, is_near: bool) -> None:
    original = "".join("x\n" if number in (10, 18) else f"{number}\n" for number in range(1, 31))
    result = apply(original, block(f":start_line:{line}\n-------\nx\n", "y\n"))
    assert result.ok is is_near


def test_a_header_that_is_no_number_is_named() -> None:
    diff = block(":start_line:NaN\n-------\nb\n", "B\n")
    result = apply(FILE, diff)
    assert outcome(result) == ["bad_marker"]
    assert "`:start_line:NaN` is not a line number" in result.failures[0].message
    assert result.failures[0].corrected == block("b\n", "B\n")
    cut = apply(FILE, "------- SEARCH\n:start_line:x\nb\n")
    assert [failure.corrected for failure in cut.failures] == [None]
    fixed = apply(FILE, diff, fix_markers=True)
    assert (fixed.content, fixed.edits[0].fixes) == (EDITED, ("`:start_line:NaN` is left out",))
    fixed = apply(FILE, diff.replace("SEARCH", "SERCH"), fix_markers=True)
    assert (fixed.content, fixed.edits[0].fixes) == (
        EDITED,
        ("`------- SERCH` is taken for the start marker `------- SEARCH`", "`:start_line:NaN` is left out"),
    )
    assert outcome(apply(FILE, "------- SEARCH\n:start_line:x\nb\n=======\nB\n")) == ["bad_marker"]
    assert outcome(apply(FILE, diff.replace("NaN", "²"))) == ["bad_marker"]


def test_a_header_may_say_anything_about_the_end() -> None:
    diff = block(":start_line:2\n:end_line:?\n-------\nb\n", "B\n")
    assert apply(FILE, diff).content == EDITED


def test_the_same_in_one_call() -> None:
    result = apply_search_replace(FILE, block("b\n", "B\n"))
    assert result.content == EDITED
    types = ["block_started", "matched", "replacement_delta", "block_done"]
    assert [event.type for event in result.events] == types
    assert [event.type for event in apply_search_replace(FILE, block("b\n", "B\n")[:-1]).events] == types


def test_what_looks_like_the_beginning_of_a_marker_is_none_in_a_text_that_is_complete() -> None:
    cut, whole = (apply_search_replace(FILE, EDIT + "-----", complete=complete) for complete in (False, True))
    assert (cut.ok, cut.content, cut.message) == (
        False,
        EDITED,
        "The diff breaks off. Write its last block to its end, with the line `+++++++ REPLACE`.",
    )
    assert (whole.ok, whole.content, whole.message) == (True, EDITED, "")


@pytest.mark.parametrize(
    ("start", "end"), [("<<<<<<< SEARCH", ">>>>>>> REPLACE"), ("------- SEARCH", "+++++++ REPLACE")]
)
def test_a_diff_that_is_cut_in_a_start_marker_is_told_in_the_style_of_that(start: str, end: str) -> None:
    for indent in ("", "  "):
        cut = apply(FILE, block("b\n", "B\n", start, end) + indent + start[:4])
        assert cut.message == f"The diff breaks off. Write its last block to its end, with the line `{end}`."


@pytest.mark.parametrize("stream", [SearchReplaceStream, DiffStream])
def test_a_block_below_the_path_of_another_file_fails(stream: type[SearchReplaceStream | DiffStream]) -> None:
    def of(text: str, path: str | None = "src/a.py") -> DiffResult:
        one = stream("a\nb\n", path=path)
        one.feed(text)
        return one.finalize()

    first, second = block("a\n", "c\n"), block("b\n", "d\n")
    for names in (("src/b.py",), ("### `b.py`",), ("File: src/b.py\n\n```python",), ("lib/src/b.py:",)):
        result = of(f"{first}{names[0]}\n{second}")
        assert (result.content, outcome(result)) == ("c\nb\n", ["applied", "no_file"])
        assert "another file, " in result.failures[0].message
    for text in ("a.py", "`./src/a.py`", "As b.py has it:", "x/src/a.py", "Some prose"):
        assert of(f"{text}\n{first}\n{second}").content == "c\nd\n"
    assert of(f"src/b.py\n{first}", None).content == "c\nb\n"


def test_without_a_path_blocks_below_two_files_are_not_for_one() -> None:
    zeroth, first, second = block("a\n", "A\n"), block("b\n", "B\n"), block("c\n", "C\n")
    for one, other in (
        ("server.py\n", "client.py\n"),
        ("### `src/a.py`\n", "File: lib/a.py\n"),
        ("README\n", "LICENSE\n"),
        ("```py server.py\n", "```\n\n```py client.py\n"),
        ("server.py\n" + zeroth, "client.py\n"),
    ):
        result = apply(FILE, one + first + other + second)
        content = FILE.replace("b", "B").replace("a", "A" if "SEARCH" in one else "a")
        assert (result.ok, result.content, outcome(result)[-2:]) == (False, content, ["applied", "no_file"])
    message = (
        "This block is for another file, client.py. Here only server.py is edited: leave the block out, or its path."
    )
    result = apply(FILE, f"server.py\n{first}client.py\n{second}")
    assert [failure.message for failure in result.failures] == [message]
    # also if it breaks off, or its markers are corrected
    cut = apply(FILE, f"server.py\n{first}client.py\n{second[:-9]}", accept_truncated=True)
    assert [failure.message for failure in cut.failures] == [message]
    for loose in ("client.py\n" + second.replace("-- S", " S"), second.replace("SEARCH", "SEARCH client.py")):
        for diff, options in (
            (f"server.py\n{first}{loose}", {}),
            (loose, {"path": "src/server.py"}),
        ):
            result = apply(FILE, diff, fix_markers=True, **options)
            assert [failure.message.partition(" Here")[0] for failure in result.failures] == [
                message.partition(" Here")[0]
            ]
    # the first path says which file it is, and each of two that may be one narrows it down
    whole = FILE.replace("b", "B").replace("c", "C")
    for one, other in (
        ("a.py", "src/a.py"),
        ("a.py", "./a.py"),
        ("a.py", "As b.py has it:"),
        ("### 1.1", "### 1.2"),
        ("`self.one`:", "`self.two`:"),
    ):
        result = apply(FILE, f"{one}\n{first}{other}\n{second}")
        assert (result.ok, result.content) == (True, whole)
    for options in ({}, {"path": "a.py"}):
        result = apply(FILE, f"a.py\n{zeroth}src/a.py\n{first}lib/a.py\n{second}", **options)
        assert [failure.message for failure in result.failures] == [
            "This block is for another file, lib/a.py. Here only src/a.py is edited: leave the block out, or its path."
        ]
