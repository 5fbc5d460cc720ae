"""What is said about a block that was not applied."""

from __future__ import annotations

import pickle

import pytest

from streamparse.diff import (
    Candidate,
    DiffError,
    apply_patch,
    apply_search_replace,
    construct_new_file_content,
    index,
    str_replace,
)
from streamparse.diff.result import told_unwritten
from tests.diff.kit import apply, block, outcome, patch, tree, update, work

FILE = "def f(x):\n    return x + 1\n\n\ndef g(x):\n    return x * 2\n"


@pytest.mark.parametrize(
    ("old", "nearest", "sentence"),
    [
        (
            "def g(x):\n    return x * 3\n",
            Candidate(5, 6, 0.952380952, 6, "return x * 3", "return x * 2"),
            "The nearest text is at lines 5 to 6, where line 6 is `return x * 2` instead of `return x * 3`. ",
        ),
        (
            "def h(x):\n    return x * 2\n",
            Candidate(5, 6, 0.952380952, 5, "def h(x):", "def g(x):"),
            "The nearest text is at lines 5 to 6, where line 5 is `def g(x):` instead of `def h(x):`. ",
        ),
        (
            "    return 7 * 2\n",
            Candidate(6, 6, 0.916666667, 6, "return 7 * 2", "return x * 2"),
            "The nearest text is line 6, which is `return x * 2` instead of `return 7 * 2`. ",
        ),
        (
            "    return x * 2\nend\n",
            Candidate(6, 6, 0.8, 7, "end", None),
            "The nearest text is at line 6, where the file ends before `end`. ",
        ),
        ("x *\n", None, "The text occurs only as part of line 6: give the whole line. "),
        ("completely different\n", None, ""),
        ("?\n!\n", None, ""),
        ("\n\n\n", None, ""),
    ],
)  # fmt: skip
def test_the_nearest_text_is_named(old: str, nearest: Candidate | None, sentence: str) -> None:
    failure = apply(FILE, block(old, "x\n")).failures[0]
    count = old.count("\n")
    which = "line to be replaced is" if count == 1 else f"{count} lines to be replaced are"
    assert failure.message == (
        f"The {which} not in the file. {sentence}"
        "Read the file again and repeat the block with its lines exactly as they are."
    )
    assert failure.nearest == nearest


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ("    return x * 2\n", "The new line is in the file already, at line 6: "),
        ("def f(x):\n    return x + 1\n", "The new lines are in the file already, at lines 1 to 2: "),
        ("def f(x):\n    return x + 2\n", ""),
        ("def g(x)\n", ""),
        ("\n\n", ""),  # which says nothing
        ("", ""),
        ("els\n", ""),
        ("else\n", "The new line is in the file already, at line 8: "),
    ],
)
def test_an_edit_that_was_made_before_is_known_by_its_new_lines(new: str, sentence: str) -> None:
    made = "if this edit was made before, leave it out; if not, read"
    begin = f"{sentence}{made}" if sentence else "Read"
    expected = f"{begin} the file again and repeat the {{}} with its lines exactly as they are."
    not_found = "The line to be replaced is not in the file. "
    file = f"{FILE}els\nelse\n"
    assert apply(file, block("nowhere\n", new)).failures[0].message == not_found + expected.format("block")
    assert str_replace(file, "nowhere\n", new).failures[0].message == not_found + expected.format("edit")
    hunk = "@@ -1 +1 @@\n-nowhere\n" + "".join(f"+{line}" for line in new.splitlines(keepends=True))
    assert apply_patch(file, hunk).failures[0].message == not_found + expected.format("hunk")


def test_new_lines_that_are_in_two_places_or_escaped() -> None:
    twice = apply("x = 1\ny\nx = 1\n", block("nowhere\n", "x = 1\n")).failures[0]
    assert twice.message == (
        "The line to be replaced is not in the file. "
        "Read the file again and repeat the block with its lines exactly as they are."
    )
    escaped = apply("=======\n", block("nowhere\n", "\\=======\n")).failures[0]
    assert "The new line is in the file already, at line 1: " in escaped.message


def test_text_that_was_quoted_once_too_often() -> None:
    file = "def f():\n    return 1\n"
    sentence = (
        "text is there with line breaks in place of `\\n`: write line breaks as such, not as a backslash and `n`."
    )
    # what separates pages is no end of a line
    [failure] = str_replace("a\fz\nb\n", "a\fz\\nb", "x").failures
    assert failure.message == f"The line to be replaced is not in the file, but its {sentence}"
    for old in ("def f():\\n    return 1", "def f():\\nreturn 1\\n"):
        [failure] = str_replace(file, old, "x\\ny").failures
        assert (failure.reason, failure.message.endswith(sentence)) == ("not_found", True)
        [failure] = apply(file, block(f"{old}\n", "x\n")).failures
        assert (failure.reason, failure.message.endswith(sentence)) == ("not_found", True)
    assert not str_replace(file, "def f():\\n    return 2", "x").message.endswith(sentence)


def test_the_file_may_end_before_the_nearest_text_does() -> None:
    failure = apply("alpha\nbeta\n", block("alpha\nbeta\ngamma\n", "x\n")).failures[0]
    assert failure.nearest == Candidate(1, 2, 0.642857143, 3, "gamma", None)
    assert "lines 1 to 2, where the file ends before `gamma`" in failure.message


def test_long_lines_are_quoted_in_part() -> None:
    long = "word " * 100
    failure = apply_search_replace(f"{long}1\n", block(f"{long}2\n", "x\n")).failures[0]
    assert failure.nearest is not None
    assert failure.nearest.found == f"{long}1"
    assert f"is `{long[:120]}…` instead of" in failure.message


def test_words_that_are_everywhere_say_nothing() -> None:
    original = "".join(f"word {number}\n" for number in range(50))
    assert apply_search_replace(original, block("word x\n", "")).failures[0].nearest is None
    assert apply_search_replace("same\n" * 30, block("same\nother\n", "")).failures[0].nearest is None


@pytest.mark.parametrize(("count", "is_hint"), [(19, True), (20, True), (21, False)])
def test_lines_and_words_that_are_in_too_many_places_say_nothing(count: int, is_hint: bool) -> None:
    for original, old in (("word 1\n", "word x\n"), ("ab\n", "ab\ncd\n")):
        failure = apply_search_replace(original * count, block(old, "")).failures[0]
        assert (failure.nearest is not None) is is_hint


@pytest.mark.parametrize(("size", "is_whole"), [(119, True), (120, True), (121, False)])
def test_so_much_of_a_line_is_quoted(size: int, is_whole: bool) -> None:
    line = "word " + "y" * (size - 5)
    message = apply_search_replace(f"{line}\n", block("word x\n", "")).failures[0].message
    assert f"is `{line if is_whole else line[:120] + '…'}` instead" in message


@pytest.mark.parametrize(("size", "line"), [(199, 200), (200, 201), (201, 1)])
def test_so_many_lines_are_compared_with_the_nearest_text(size: int, line: int) -> None:
    # Two places that differ in the last line, and in the second of them less.
    lines = "".join(f"line {number}\n" for number in range(size - 1))
    nearest = (
        apply_search_replace(f"{lines}nothing\n{lines}last lime\n", block(f"{lines}last line\n", ""))
        .failures[0]
        .nearest
    )
    assert nearest is not None
    assert nearest.start_line == line


@pytest.mark.parametrize(("size", "is_hint"), [(999, True), (1000, True), (1001, False)])
def test_words_are_looked_for_in_the_first_part_of_a_line(size: int, is_hint: bool) -> None:
    failure = apply_search_replace("foo 1\n", block(f"{'.' * (size - 3)}foo\n", "")).failures[0]
    assert (failure.nearest is not None) is is_hint


@pytest.mark.parametrize(
    ("original", "old", "line"),
    [
        # of equally good places the first
        ("abcd 1\nabcd 2\n", "abcd 3\n", 1),
        # words of three letters count, shorter ones do not
        ("foo 1\n", "foo 2\n", 1),
        ("fo 1\n", "fo 2\n", None),
        # long lines and long words say more than short ones
        ("ab\nz\n" * 11 + "a long line\n", "a long line\nab\n", 23),
        ("foo 1\n" * 11 + "elephant\n", "elephant foo\n", 12),
        # lines say more than words
        ("{}\nelephant 1\n\n()\n[]\n<>\n", "()\n[]\nelephant 2\n<>\n", 4),
    ],
)
def test_which_place_is_nearest(original: str, old: str, line: int | None) -> None:
    nearest = apply(original, block(old, "x\n")).failures[0].nearest
    assert (nearest and nearest.start_line) == line


def test_a_file_with_other_bytes_than_those_of_a_text() -> None:
    for file, old, lines in (
        ("x\0\n", "x\n", "line to be replaced is"),
        ("\0\na\n", "a\nb\n", "2 lines to be replaced are"),
    ):
        result = apply(file, block(old, "y\n"))
        assert result.message == (
            f"The {lines} not in the file, which has NUL bytes: it is binary, or in an encoding that it does not name. "
            "Change it by a command."
        )
        assert result.failures[0].nearest is None
    assert apply("\0\na\n", block("a\n", "b\n")).content == "\0\nb\n"


def test_strict_raises_with_all_failures() -> None:
    diff = block("nope\n", "x\n") + block("def f(x):\n", "def F(x):\n") + block("    return\n", "")
    with pytest.raises(DiffError) as caught:
        apply_search_replace(FILE, diff, strict=True)
    error = caught.value
    assert [failure.number for failure in error.failures] == [1, 3]
    assert error.result.content == FILE.replace("f(", "F(")
    assert str(error).splitlines()[0].startswith("block 1: The line to be replaced is not in the file.")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    with pytest.raises(DiffError):
        construct_new_file_content(diff, FILE, True)
    assert apply_search_replace(FILE, diff).content == FILE.replace("f(", "F(")


def test_strict_raises_for_what_is_truncated() -> None:
    with pytest.raises(DiffError, match=r"^The diff breaks off\. .* to its end, with the line `\+{7} REPLACE`\.$"):
        apply_search_replace(FILE, "------- SEARCH\ndef f(x):\n=======\n", strict=True)
    with pytest.raises(DiffError, match=r"^block 1: .*\nThe diff breaks off\. Write .*"):
        apply_search_replace(FILE, block("nope\n", "") + "------- SEARCH\ndef f(x):\n=======\n", strict=True)


ADVICE = "Read the file again and repeat the block with its lines exactly as they are."


@pytest.mark.parametrize(
    ("original", "old", "where"),
    [
        ("foo bar\n", "foo\n", "line 1"),
        ("foo bar\nfoo baz\n", "foo\n", "lines 1 and 2"),
        ("\n\nfoo bar foo\n\na foo\n", "foo\n", "lines 3 and 5"),
        ("foo bar\n" * 10, "foo\n", "lines 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10"),
        ("foo bar\n" * 11, "foo\n", "lines 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10 and others"),
        ("foo bar\n" * 99, "foo\n", "lines 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10 and others"),
        ("x\nsay(‘hi’) now\n", "say('hi')\n", "line 2, and with other quotes, dashes or blanks"),
        ("x\nsay('hi') now\n", "say(‘hi’)\n", "line 2, and with other quotes, dashes or blanks"),
        ("x\nsay(‘hi’) now\n", "say(‘hi’)\n", "line 2"),
        ("x = foo()\n", "foo() \n", "line 1, without the blank at its end"),
        ("x = foo()\n", " foo()\t\n", "line 1, without the blank at its end"),
        ("x = foo()\n", "foo()  \n", "line 1, without the blanks at its end"),
        ("x = foo() + 1\n", "\tfoo() +\n", "line 1, without the blank before it"),
        ("x = foo() + 1\n", "    foo() +\n", "line 1, without the blanks before it"),
        ("x = foo()+1\n", "\tfoo()\t\n", "line 1, without the blanks around it"),
        ("x\nfoo bar\n", "7 | foo\n", "line 2"),
        ("x\n7 | foo bar\n", "7 | foo\n", "line 2"),
    ],
)
def test_all_lines_are_named_of_which_the_text_is_a_part(original: str, old: str, where: str) -> None:
    message = apply_search_replace(original, block(old, "x\n")).failures[0].message
    part = f"The text occurs only as part of {where}: give the whole line. "
    assert message == f"The line to be replaced is not in the file. {part}{ADVICE}"


CASE = "(only upper and lower case differ)"
EYE = "(only blanks differ, or characters that the eye does not tell apart)"
NONE_BEFORE = "the file begins: there is no `a` before it"


@pytest.mark.parametrize(
    ("original", "old", "nearest", "sentence"),
    [
        # what matching tolerates is no difference
        (
            "say(‘hi’)\nb\n",
            "say('hi')\nbb\n",
            Candidate(1, 2, 0.909090909, 2, "bb", "b"),
            "line 2 is `b` instead of `bb`",
        ),
        (
            "say(‘hi’)\nb\n",
            "say('ho')\nb\n",
            Candidate(1, 2, 0.9, 1, "say('ho')", "say(‘hi’)"),
            "line 1 is `say(‘hi’)` instead of `say('ho')`",
        ),
        ("a\n\n\n  bb\ncc\n", "a\nbb\n\ndd\n", Candidate(1, 5, 0.6, 5, "dd", "cc"), "line 5 is `cc` instead of `dd`"),
        (
            "alpha\nbeta\n",
            "1 | alpha\n2 | bet\n",
            Candidate(1, 2, 0.888888889, 2, "bet", "beta"),
            "line 2 is `beta` instead of `bet`",
        ),
        # numbers that are in the file
        (
            "1 | alpha\n2 | beta\n",
            "1 | alpha\n2 | bet\n",
            Candidate(1, 2, 0.941176471, 2, "2 | bet", "2 | beta"),
            "line 2 is `2 | beta` instead of `2 | bet`",
        ),
        # before the file and behind it
        ("b\nc\n", "a\nb\nc\n", Candidate(1, 2, 0.666666667, 1, "a", None), NONE_BEFORE),
        ("b\nc\nx\n", "a\na\nb\nc\n", Candidate(1, 2, 0.5, 1, "a", None), NONE_BEFORE),
        ("\n\nb\nc\n", "a\nb\nc\n", Candidate(3, 4, 0.666666667, 3, "a", None), NONE_BEFORE),
        ("b\n", "a\nb\nc\n", Candidate(1, 1, 0.333333333, 1, "a", None), NONE_BEFORE),
        # a line too many
        (
            "a\nb\nc\n",
            "a\nx\nb\nc\n",
            Candidate(1, 3, 0.5, 2, "x", None),
            "there is no `x` right before line 2",
        ),
        (
            "alpha = 1\nbeta = 2\ngamma = 3\n",
            "beta = 2\nextra line here\ngamma = 3\n",
            Candidate(2, 3, 0.515151515, 3, "extra line here", None),
            "there is no `extra line here` right before line 3",
        ),
        (
            "def load(path):\n    return path\n\nx\n",
            'def load(path):\n    """Load."""\n    return path\n',
            Candidate(1, 2, 0.405405405, 2, '"""Load."""', None),
            'there is no `"""Load."""` right before line 2',
        ),
        (
            "a\naa\nbb\ncc\n",
            "zz\naa\nyy\nbb\ncc\n",
            Candidate(2, 4, 0.5, 2, "zz", None),
            "there is no `zz` right before line 2",
        ),
        (
            "aa\nbb\ncc\nd\n",
            "aa\nyy\nbb\ncc\nzz\n",
            Candidate(1, 3, 0.4, 2, "yy", None),
            "there is no `yy` right before line 2",
        ),
        (
            "x\naa\nbb\ncc\nd\n",
            "aa\ncc\nzz\n",
            Candidate(2, 4, 0.333333333, 3, None, "bb"),
            "line 3, `bb`, is left out",
        ),
        # one too few
        (
            "one\ntwo\nthree\nfour\n",
            "one\nthree\nfour\n",
            Candidate(1, 4, 0.75, 2, None, "two"),
            "line 2, `two`, is left out",
        ),
        (
            "one\ntwo\nthree\nfour\n",
            "one\nthree\nfor\n",
            Candidate(1, 4, 0.666666667, 2, None, "two"),
            "line 2, `two`, is left out",
        ),
        # and another that is changed
        (
            "one\ntwo\nthree\nfour\n",
            "one\nmore\ntwa\nthree\nfour\n",
            Candidate(1, 4, 0.684210526, 2, "more", None),
            "there is no `more` right before line 2",
        ),
        (
            "one\ntwo\nthree\nfour\n",
            "one\ntwa\nmore\nthree\nfour\n",
            Candidate(1, 4, 0.473684211, 2, "twa", "two"),
            "line 2 is `two` instead of `twa`",
        ),
        (
            "one\nseven\ntwo\nthree\nfour\n",
            "one\ntwa\nthree\nfour\n",
            Candidate(1, 5, 0.705882353, 2, None, "seven"),
            "line 2, `seven`, is left out",
        ),
        # what is hardly to be seen
        (
            "return Xalue\nb\n",
            "return xalue\nb\n",
            Candidate(1, 2, 0.923076923, 1, "return xalue", "return Xalue"),
            f"line 1 is `return Xalue` instead of `return xalue` {CASE}",
        ),
        (
            "say\u200bhi you\nb\n",
            "sayhi you\nb\n",
            Candidate(1, 2, 0.909090909, 1, "sayhi you", "say\u200bhi you"),
            f"line 1 is `say\\u200bhi you` instead of `sayhi you` {EYE}",
        ),
        (
            "caf\u00e9 1\nb\n",
            "cafe\u0301 1\nb\n",
            Candidate(1, 2, 0.75, 1, "cafe\u0301 1", "caf\u00e9 1"),
            f"line 1 is `caf\\xe9 1` instead of `cafe\\u0301 1` {EYE}",
        ),
        (
            "ab\tcd e\nb\n",
            "ab cd e\nb\n",
            Candidate(1, 2, 0.875, 1, "ab cd e", "ab\tcd e"),
            f"line 1 is `ab\\tcd e` instead of `ab cd e` {EYE}",
        ),
        (
            "b\n\u200bfoo\n",
            "b\nfooo\n",
            Candidate(1, 2, 0.6, 2, "fooo", "\u200bfoo"),
            "line 2 is `\\u200bfoo` instead of `fooo`",
        ),
        ("b\n\n\n", "b\nc\n", Candidate(1, 1, 0.5, 2, "c", None), "the file ends before `c`"),
    ],
)
def test_what_is_said_about_the_nearest_text_is_true(
    original: str, old: str, nearest: Candidate, sentence: str
) -> None:
    failure = apply(original, block(old, "x\n")).failures[0]
    first, last = nearest.start_line, nearest.end_line
    where = f"lines {first} to {last}" if first < last else f"line {first}"
    assert failure.nearest == nearest
    assert failure.message == (
        f"The {old.count(chr(10))} lines to be replaced are not in the file. "
        f"The nearest text is at {where}, where {sentence}. {ADVICE}"
    )


@pytest.mark.parametrize(("size", "is_aligned"), [(99, True), (100, True), (101, False)])
def test_so_many_lines_may_have_one_too_many(size: int, is_aligned: bool) -> None:
    lines = [f"line {number}\n" for number in range(size)]
    nearest = apply_search_replace("".join(lines[:40] + lines[41:]), block("".join(lines), "x\n")).failures[0].nearest
    assert nearest is not None
    assert (nearest.line, nearest.expected, nearest.found) == (
        (41, "line 40", None) if is_aligned else (1, "line 0", None)
    )


def test_with_a_spent_budget_lines_are_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for budget, line in ((12, 1), (100, 2)):
        monkeypatch.setattr(index, "_HINTS", budget)
        nearest = apply_search_replace("a\nb\nc\n", block("a\nx\nb\nc\n", "y\n")).failures[0].nearest
        assert (nearest and nearest.line) == line


def test_bytes_of_which_nobody_knows_what_they_are_say_so() -> None:
    file = "# it\udc92s fine\n# that is it\n"
    message = apply(file, block("# it’s fine\n", "x\n")).message
    assert "line 1, which is `# it\\udc92s fine` instead of `# it’s fine` (the file is not in UTF-8, and " in message
    assert "UTF-8" not in apply(file, block("# its fine\n", "x\n")).message


MORE = "Repeat the block with more lines around them, so that only one place fits."
ALIKE = "The lines to be replaced are not in the file, and 2 places are equally like them,"
EXACTLY = (
    "Repeat the block with its lines exactly as they are in the file, and as many as it takes, "
    "so that only one place fits."
)


@pytest.mark.parametrize(
    ("original", "old", "sentence"),
    [
        ("x\ny\nx\n", "x\n", f"The line to be replaced occurs 2 times, at lines 1 and 3. {MORE.replace('them', 'it')}"),
        (
            " x\ny\n\tx\n",
            "x\n",
            "The line to be replaced occurs 2 times but for indentation and blanks at the ends of lines, "
            f"at lines 1 and 3. {EXACTLY}",
        ),
        (
            "a\n\nb\nc\na\n\n\nb\n",
            "a\nb\n",
            "The lines to be replaced occur 2 times but for blanks at the ends of lines, blank lines and typographic "
            f"quotes and dashes, at lines 1 and 5. {EXACTLY}",
        ),
        (
            "s\nabcdefgh\ne\ns\nabcdefgi\ne\n",
            "s\nabcdefgx\ne\n",
            f"{ALIKE} at lines 1 and 4. {EXACTLY}",
        ),
        (
            "abcdefgh\nabcdefgi\n",
            "abcdefgx\n",
            "The line to be replaced is not in the file, and 2 places are equally like it, at lines 1 and 2. "
            f"{EXACTLY}",
        ),
    ],
)
def test_what_is_said_about_several_places_is_true(original: str, old: str, sentence: str) -> None:
    result = apply(original, block(old, "z\n"), threshold=0.79)
    assert (outcome(result), result.failures[0].message) == (["ambiguous"], sentence)


# --- what is wrong with a diff as a whole


def test_what_is_wrong_with_a_diff_as_a_whole_is_told_without_a_number() -> None:
    remains = "The patch removes the file, but not all of its lines. Repeat it with every line of the file."
    text = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    result = patch("x\ny\n", text)
    assert ([(one.number, one.block) for one in result.failures], result.numbers) == ([(2, "")], [1])
    assert result.message == remains
    assert told_unwritten("a", result) == f"Nothing was changed in a.\n{remains}"
    again = "None of the files was changed: send the whole diff again, with what was right and with this corrected."
    assert tree({"a": "x\ny\n"}, text).message == f"a: {remains}\n{again}"
    mixed = "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways."
    text = "a\n" + block("x\n", "X\n") + block("z\n", "Z\n") + "\n--- a/a\n+++ b/a\n@@ -2 +2 @@\n-y\n+Y\n"
    missing = "The line to be replaced is not in the file."
    result = tree({"a": "x\ny\n"}, text)
    first, second, third = result.message.split("\n")
    assert (first.startswith(f"block 2 of a: {missing}"), second, third) == (True, f"a: {mixed}", again)


def test_what_is_wrong_between_several_hunks_names_them_in_its_sentence() -> None:
    text = "@@ -6,2 +6,2 @@\n x\n-y\n+Y\n@@ -9,1 +9,1 @@\n-2\n+II\n"
    result = patch("x\ny\n1\n2\n3\nx\ny\n", text)
    assert ([failure.number for failure in result.failures], result.numbers) == ([3, 4], [1, 2])
    assert [line.split()[:2] for line in result.message.split("\n")] == [["Hunk", "1"], ["Hunk", "2"]]


def test_what_is_to_be_sent_again_is_called_what_it_is() -> None:
    again = "again, with what was right and with this corrected."
    both = block("x\n", "X\n") + block("z\n", "Z\n")
    assert told_unwritten("a", apply("x\n", both)).endswith(f"\nSend all blocks {again}")
    both = update("@@\n-x\n+X\n@@\n-z\n+Z\n")
    assert told_unwritten("a", patch("x\n", both)).endswith(f"\nSend the whole patch {again}")


def test_a_removal_that_may_be_of_another_file_says_how_to_make_it_certain() -> None:
    message = (
        "The patch removes a.py and shows none of its lines, so it is not certain that src/a.py is meant. Write the "
        "whole path."
    )
    for text in (
        "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n",
        "diff --git a/a.py b/a.py\ndeleted file mode 100644\nindex e69de29..0000000\n",
        "*** Begin Patch\n*** Delete File: b.py\n*** Delete File: a.py\n*** End Patch\n",
    ):
        result = patch("", text, path="src/a.py")
        assert (outcome(result), result.message) == (["not_found"], message)
        assert patch("", text.replace("a.py", "src/a.py"), path="src/a.py").is_deleted
    result = patch("x\n", "*** Begin Patch\n*** Delete File: b.py\n*** End Patch\n", path="src/a.py")
    assert result.message == "No part of this patch is about src/a.py, only about b.py. Write a patch for src/a.py."


# --- what hints cost


def missing(count: int) -> str:
    """So many blocks that are not found, each with a line that is nearly one of the file."""
    return "".join(block(f"line{number:05} of tne file\n", "x\n") for number in range(count))


def numbered(count: int) -> str:
    return "".join(f"line{number:05} of the file\n" for number in range(count))


def test_the_nearest_text_is_looked_for_as_long_as_the_budget_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    original = "alpha 1\nbeta 2\n"
    diff = block("alpha x\n", "") + block("beta x\n", "") + block("alpha\n", "")
    for budget, hinted in ((0, 0), (1, 1), (9, 1), (1000, 3)):
        monkeypatch.setattr(index, "_HINTS", budget)
        failures = apply(original, diff).failures
        assert [failure.nearest is not None for failure in failures] == [True] * hinted + [False] * (3 - hinted)
        bare = f"The line to be replaced is not in the file. {ADVICE}"
        assert [failure.message == bare for failure in failures] == [False] * hinted + [True] * (3 - hinted)


def test_blocks_that_are_not_found_do_not_cost_a_file_each(monkeypatch: pytest.MonkeyPatch) -> None:
    original = numbered(2000)

    def cost_of_more(budget: int) -> int:
        """What 100 further blocks take."""
        monkeypatch.setattr(index, "_HINTS", budget)
        few, many = (missing(count) for count in (100, 200))
        return work(lambda: apply_search_replace(original, many)) - work(lambda: apply_search_replace(original, few))

    without = cost_of_more(0)
    assert cost_of_more(1000) == without  # it is spent before
    assert cost_of_more(1_000_000) > 1.5 * without


def test_the_whole_budget_is_enough_for_what_is_usual() -> None:
    result = apply_search_replace(numbered(2000), missing(20))
    assert [failure.nearest is not None for failure in result.failures] == [True] * 20


def test_lines_that_would_take_too_long_to_compare_are_no_hint() -> None:
    long = "abcdefghij" * 680
    original = "".join(f"{number} {long}\n" for number in range(20))
    old = "".join(f"{number} {long[:-1]}X\n" for number in range(20))
    diff = block("same\n" + old, "x\n") + block("sane\nalpha\n", "x\n")
    first, second = apply_search_replace(f"same\n{original}alpha\n", diff).failures
    assert first.nearest is None
    assert second.nearest is not None
