"""Old lines that are nearly right: words that were never there are not replaced."""

from __future__ import annotations

import pytest

from streamparse.diff import apply_patch, str_replace
from streamparse.diff.index import Budget, FileIndex
from streamparse.diff.words import have_same_words
from tests.diff.kit import apply, block, outcome

FILE = "def f():\n    total = calculate_total(items, 10)\n    return total\n"


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("total = calculate_total(items,10)", True),  # blanks
        ("total = calculate_total( items, 10 );", True),  # punctuation
        ("Total = Calculate_Total(items, 10)", True),  # case
        ("total = calcualte_total(items, 10)", True),  # letters that changed places
        ("total = calulate_total(items, 10)", True),  # one is missing
        ("total = calcullate_total(items, 10)", True),  # or one too many
        ("total = calcilate_total(items, 10)", False),  # another letter
        ("total = calculates_total(items, 10)", False),
        ("total = xcalculate_total(items, 10)", False),
        ("total = calculate_totla(items, 10)", False),  # a short word, and its end
        ("total = calculate_total(item, 10)", False),
        ("total = calculate_total(items, 11)", False),
        ("total += calculate_total(items, 10)", False),
        ("total = calculate_total(items, 10)  # sum", False),
        ("total = _calculate_total(items, 10)", False),
        ("total = calculate(items, 10)", False),
    ],
)
def test_another_word_is_not_found(line: str, is_found: bool) -> None:
    result = apply(FILE, block(f"def f():\n    {line}\n    return total\n", "def f():\n    pass\n"))
    assert outcome(result) == ["applied" if is_found else "not_found"]
    assert have_same_words([line], ["total = calculate_total(items, 10)"], FileIndex(FILE).has_word) is is_found
    # at the first line, too, with a threshold
    fuzzy = apply(FILE.split("\n", 1)[1], block(f"    {line}\n    return total\n", "    pass\n"), threshold=0.8)
    assert outcome(fuzzy) == ["applied" if is_found else "not_found"]


@pytest.mark.parametrize(("similarity", "expected"), [(0.79, "applied"), (0.8, "not_found"), (0.81, "not_found")])
def test_a_low_degree_allows_for_other_words(similarity: float, expected: str) -> None:
    old = "def f():\n    total = calculate_total(items, 11)\n    return total\n"
    assert outcome(apply(FILE, block(old, "pass\n"), anchor_similarity=similarity)) == [expected]
    assert outcome(apply(FILE, block(old, "pass\n"), threshold=similarity)) == [expected]


@pytest.mark.parametrize(
    ("ours", "theirs", "is_same"),
    [
        ("abcdef", "abdcef", True),
        ("abcde", "abdce", False),
        ("abcde", "abcxde", True),
        ("abcd", "abxcd", False),
        ("abcdef", "abcdfe", False),
        ("abcdef", "bacdef", False),
    ],
)
def test_how_long_a_word_must_be(ours: str, theirs: str, is_same: bool) -> None:
    has_word = FileIndex("").has_word
    assert have_same_words([ours], [theirs], has_word) is have_same_words([theirs], [ours], has_word) is is_same


@pytest.mark.parametrize(
    ("found", "is_found"),
    [
        # the words of a line are all in that line
        ("the first line of a long remark\nwith more than that\n", True),
        ("The first line, of a long remark\nwith more than that.\n", True),
        ("the first line of a long\nremark with more than that\n", False),
        ("the first line of a long remark with\nmore than that\n", False),
    ],
)
def test_no_word_is_in_another_line(found: str, is_found: bool) -> None:
    old, new = "the first line of a long remark\nwith more than that\n", "the first line of a long remark\nwith less\n"
    file = f"/*\n{found}*/\n"
    for options in ({}, {"threshold": 0.8}):
        result = apply(file, block(f"/*\n{old}*/\n", f"/*\n{new}*/\n"), **options)
        first = found.split("\n")[0]
        expected = (f"/*\n{first}\nwith less\n*/\n", ["applied"]) if is_found else (file, ["not_found"])
        assert (result.content, outcome(result)) == expected


@pytest.mark.parametrize(("line", "is_found"), [("}", True), ("};", True), ("", False), (" \t", False)])
def test_a_line_without_words_is_not_blank(line: str, is_found: bool) -> None:
    file = f"function f() {{\n  let total = g(items)\n{line}\n// end of it\n"
    old = "function f() {\n  let total = g(items);\n}\n// end of it\n"
    assert outcome(apply(file, block(old, "// nothing\n"))) == ["applied" if is_found else "not_found"]
    # the other way round, too
    assert outcome(apply(old, block(file, "// nothing\n"))) == ["applied" if is_found else "not_found"]


@pytest.mark.parametrize(
    ("line", "there", "elsewhere", "is_found"),
    [
        ("save(country)", "save(county)", "const country = 2;", False),
        ("save(country)", "save(county)", "const countries = 2;", True),
        ("save(country)", "save(county)", "const my_country2 = 2;", False),  # a word of another name
        ("save(contact)", "save(contract)", "// of a contact", False),
        ("save(Value)", "save(value)", "int Value;", False),  # in case only
        ("save(Value)", "save(value)", "int VALUE;", True),
        ("save(value, Value)", "save(Value, value)", "int x;", False),
        ("save(value)", "save(value);", "int value;", True),  # no word is another one
    ],
)
def test_a_word_that_the_file_has_is_no_slip(line: str, there: str, elsewhere: str, is_found: bool) -> None:
    file = f"{elsewhere}\nbegin();\n{there}\nend();\n"
    old = f"begin();\n{line}\nend();\n"
    expected = ["applied" if is_found else "not_found"]
    assert outcome(apply(file, block(old, "begin();\nend();\n"))) == expected
    assert outcome(apply(file, block(old, "begin();\nend();\n"), threshold=0.8)) == expected
    assert [edit.status.value for edit in str_replace(file, old, "").edits] == [one for one in expected if is_found]
    hunk = f" begin();\n {line}\n+more();\n-end();\n"
    assert apply_patch(file, f"@@\n{hunk}").ok is is_found


def test_whether_the_file_has_a_word_has_a_price() -> None:
    index = FileIndex("country county\n")
    assert (index.has_word("country"), index.has_word("count")) == (True, False)
    index = FileIndex("my_country " + "x" * 10_000)
    index.similar = Budget(99)
    assert index.has_word("countr")  # it may be there
    assert not index.has_word("zebra")
