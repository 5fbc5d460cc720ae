"""Where a block belongs: each strategy in its turn, one place or none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from streamparse.diff import (
    PatchStream,
    SearchReplaceStream,
    Strategy,
    alike,
    apply_patch,
    apply_search_replace,
    construct_new_file_content,
    index,
    match,
    similarity,
)
from streamparse.diff.index import Budget, FileIndex
from streamparse.diff.numbering import numberings
from streamparse.diff.packed import PackedLines
from streamparse.diff.table import LineTable
from tests.diff.kit import apply, block, outcome, work


@pytest.mark.parametrize(
    ("original", "old", "new", "content", "strategy"),
    [
        ("a\nb\nc\n", "b\n", "B\n", "a\nB\nc\n", "exact"),
        # exact before trimmed: the other place is not even considered
        ("  b\nb\n", "b\n", "B\n", "  b\nB\n", "exact"),
        ("b\n  b\n", "  b\n", "  B\n", "b\n  B\n", "exact"),
        ("  a\n  b  \n", "a\nb\n", "c\n", "  c\n", "trimmed"),
        # trimmed before condensed
        ("a \n\nb\na\nb\t\n", "a\nb\n", "c\n", "a \n\nb\nc\n", "trimmed"),
        # unless what is written deeper is less deep there
        ("  a\nb\n", "a\n  b\n", "\n", "\n", "condensed"),
        ("  a\nb\na\n  b \n", "a\n    b\n", "\n", "  a\nb\n\n", "trimmed"),
        ("a\n\nb\n", "a\nb\n", "c\n", "c\n", "condensed"),
        ("a\nb\n", "a\n\n\nb\n", "c\n", "c\n", "condensed"),
        ("x\na\nb\ny\n", "\na\nb\n\n", "\nc\n\n", "x\nc\ny\n", "condensed"),
        ("x\n\na\n\nb\n\ny\n", "\na\nb\n", "\nc\n", "x\n\nc\n\ny\n", "condensed"),
        ("a\n\nb\n\n\ny\n", "a\nb\n\n", "c\n\n", "c\n\n\ny\n", "condensed"),
        ("a\n\nb\n", "a\nb\n\n", "c\n\n", "c\n", "condensed"),
        ("x\n\na\n\nb\ny\n", "a\nb\n", "c\n", "x\n\nc\ny\n", "condensed"),
        ("x = “1”\ny = ‘2’\n", "x = \"1\"\ny = '2'\n", "z\n", "z\n", "condensed"),
        ("x = \"1\"\ny = '2'\n", "x = “1”\ny = ‘2’\n", "z\n", "z\n", "condensed"),
        ("a - b\n", "a\xa0–\u202fb\n", "z\n", "z\n", "condensed"),
        ("a\xa0— b\n", "a - b\n", "z\n", "z\n", "condensed"),
        ("‚1‛ „2‟ 3′ 4″\n", "'1' \"2\" 3' 4\"\n", "z\n", "z\n", "condensed"),
        (
            "def f():\n    x = three;\n    return x\n",
            "def f():\n    x = three\n    return x\n",
            "pass\n",
            "pass\n",
            "anchor",
        ),
    ],
)
def test_the_first_strategy_that_finds_it_decides(
    original: str, old: str, new: str, content: str, strategy: str
) -> None:
    result = apply(original, block(old, new))
    assert (result.content, outcome(result), result.edits[0].strategy) == (content, ["applied"], strategy)


@pytest.mark.parametrize(
    ("original", "old"),
    [
        ("foobar\n", "foo\n"),
        ("foobar\n", "bar\n"),
        ("a\nfoo bar\n", "a\nfoo\n"),
        ("a\nb\n", "b\na\n"),
        ("a\nb\n", "a\nb\nc\n"),
        ("a\n", "a\na\n"),
        ("a b\n", "a  b\n"),  # blanks within a line are content
        ("A\n", "a\n"),
        ("“a”\n", "'a'\n"),
        ("", "a\n"),
        ("a\x0cb\n", "a\nb\n"),
        ("a\u2028b\n", "a\nb\n"),
    ],
)
def test_parts_of_lines_and_other_texts_are_not_found(original: str, old: str) -> None:
    result = apply(original, block(old, "X\n"))
    assert (result.content, outcome(result), result.ok) == (original, ["not_found"], False)


@pytest.mark.parametrize(
    ("original", "old", "new", "content"),
    [
        ("a\n\nb\n", "\n", "x\n", "a\nx\nb\n"),
        ("a\n  \nb\n", "\n", "x\n", "a\nx\nb\n"),
        ("a\n\nb\n", "a\n\n", "x\n", "x\nb\n"),
        ("a\n\n\nb\n", "\n\n", "\n", "a\n\nb\n"),
    ],
)
def test_a_blank_line_is_a_line(original: str, old: str, new: str, content: str) -> None:
    assert apply(original, block(old, new)).content == content


@pytest.mark.parametrize(
    ("new", "content"),
    [
        ("a\nn\n", "a\nn\nb\n"),
        ("a\nn\n\n", "a\nn\nb\n"),  # REPLACE has it, too, so that nothing is meant by it
        # Either the file should have a blank line there, or the new line should not have one before it.
        ("a\n\nn\n", None),
        ("a\n\nn\n\n", None),
        ("n\n\n", "n\nb\n"),
    ],
)
def test_blank_lines_that_only_search_has_behind_all_others(new: str, content: str | None) -> None:
    result = apply("a\nb\n", block("a\n\n", new))
    assert (outcome(result), result.content) == (["applied" if content else "ambiguous"], content or "a\nb\n")


def test_lines_whose_indentation_is_in_another_order_are_as_good_as_those_with_other_blank_lines() -> None:
    file = "- a\n    b\n  - a\n    b\n\n- a\n  b\n"
    assert outcome(apply(file, block("  - a\n    b\n- a\n  b\n", "  - a\n    b\n"))) == ["ambiguous"]
    many = file[:-1] + file * match._FEW  # so many are not compared
    assert outcome(apply(many, block("  - a\n    b\n- a\n  b\n", "  - a\n    b\n"))) == ["ambiguous"]


def test_a_blank_line_is_not_the_end_of_a_line() -> None:
    assert outcome(apply("a\nb\n", block("\n", "x\n"))) == ["not_found"]
    assert apply("a\n\n\nb\n", block("\n", "x\n")).failures[0].lines == (2, 3)


@pytest.mark.parametrize("original", ["", "\ufeff"])
def test_no_old_lines_fill_an_empty_file(original: str) -> None:
    assert apply(original, block("", "a\nb\n")).content == original + "a\nb\n"
    assert apply(original, block("", "a\r\n")).content == original + "a\r\n"
    assert apply(original, block("", "")).edits[0].status == "noop"
    assert apply(original, block("", "a\n")).edits[0].strategy == "empty"
    assert outcome(apply(original, block("", "a\n") + block("", "b\n"))) == ["applied", "overlap"]
    assert apply(original, block("", "\\=======\n")).content == original + "=======\n"


@pytest.mark.parametrize("original", ["a\n", "\n", " "])
def test_no_old_lines_are_a_failure_otherwise(original: str) -> None:
    result = apply(original, block("", "x\n"))
    assert (result.content, outcome(result)) == (original, ["empty_search"])
    assert "The SEARCH part is empty" in result.failures[0].message


@pytest.mark.parametrize("old", ["f(\na,\nb,\n)\n", "a,\nb,\n", "  f(\na,\n"])
def test_the_same_on_both_sides_may_be_a_change_of_lost_indentation(old: str) -> None:
    original = "f(\n    a,\n    b,\n)\n"
    result = apply(original, block(old, old))
    assert (result.content, outcome(result)) == (original, ["indentation"])


def test_the_same_on_both_sides_is_no_failure() -> None:
    for original, old in (("a\n", "a\n"), ("  a \r\n", "a\n"), ("a\n\nb\n", "a\nb\n")):
        result = apply(original, block(old, old))
        assert (result.ok, result.content, outcome(result)) == (True, original, ["noop"])
    # lines that show how deep they are to each other, as in the file
    deep = "  a:\n    b\n"
    assert outcome(apply(deep, block("a:\n  b\n", "a:\n  b\n"))) == ["noop"]
    # and it keeps nobody from changing these lines
    assert apply("a\n", block("a\n", "a\n") + block("a\n", "b\n")).content == "b\n"


@pytest.mark.parametrize(
    ("old", "new", "content"),
    [
        ("1 | b\n", "1 | B\n", "a\nB\nc\n"),
        ("2 | b\n3 | c\n", "2 | B\n3 | C\n", "a\nB\nC\n"),
        ("  2 | b\n 10 | c\n", "x\n", "a\nx\n"),
        ("2|b\n", "B\n", "a\nB\nc\n"),
        ("2 | b\n", "2 | B\nx\n", "a\nB\nx\nc\n"),  # lines that are new have none
        ("2 | b\n", "x\n2 | B\n", "a\nx\nB\nc\n"),
        ("1 | a\n2 |\n3 | b\n", "1 | A\n", "A\nc\n"),
        ("2 | b\n", "", "a\nc\n"),
    ],
)
def test_line_numbers_are_taken_off_if_every_line_has_them(old: str, new: str, content: str) -> None:
    assert apply("a\nb\nc\n", block(old, new)).content == content


def test_line_numbers_that_are_in_the_file_stay() -> None:
    assert apply("1 | a\n\n2 | b\n", block("1 | a\n2 | b\n", "1 | c\n2 | d\n")).content == "1 | c\n\n2 | d\n"
    assert apply("1 | “a”\n", block('1 | "a"\n', "2 | b\n")).content == "2 | b\n"
    assert apply("1 | a\n2 | b\n", block("2 | b\n", "2 | c\n")).content == "1 | a\n2 | c\n"
    assert outcome(apply("a\nb\n", block("1 | a\nb\n", "x\n"))) == ["not_found"]
    assert outcome(apply("a\nb\n", block("1 || b\n", "x\n"))) == ["not_found"]
    assert outcome(apply("1 | 1 | a\n", block("1 | 1 | 1 | 1 | a\n", "x\n"))) == ["not_found"]
    assert numberings([]) == []
    # similar ones, too
    original = "def f():\n    x = three;\n    return x\n"
    assert (
        apply(original, block("1 | def f():\n2 |     x = three\n3 |     return x\n", "1 | pass\n")).content == "pass\n"
    )


def test_line_numbers_break_ties() -> None:
    original = "x\na\nx\nb\nx\n"
    assert apply(original, block("3 | x\n", "3 | y\n")).content == "x\na\ny\nb\nx\n"
    assert apply(original, block(":start_line:5\n-------\n3 | x\n", "y\n")).content == "x\na\nx\nb\ny\n"


# --- several places


def test_several_equally_good_places_are_ambiguous() -> None:
    result = apply("a\nx\nb\nx\n", block("x\n", "y\n"))
    assert (result.content, outcome(result), result.failures[0].lines) == ("a\nx\nb\nx\n", ["ambiguous"], (2, 4))
    assert "occurs 2 times, at lines 2 and 4" in result.failures[0].message
    many = apply("x\n" * 12, block("x\n", "y\n"))
    assert "at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more" in many.failures[0].message


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_n_equal_blocks_for_n_places_are_given_them_in_order(count: int) -> None:
    diff = "".join(block("x\n", f"y{number}\n") for number in range(count))
    result = apply("x\na\nx\nb\nx\n", diff)
    if count == 3:
        assert result.content == "y0\na\ny1\nb\ny2\n"
    else:
        assert (result.content, outcome(result)) == ("x\na\nx\nb\nx\n", ["ambiguous"] * count)


def test_places_that_overlap_each_other_are_not_given_away() -> None:
    diff = block("x\nx\n", "y\n") * 2
    assert outcome(apply("x\nx\nx\n", diff)) == ["ambiguous", "ambiguous"]
    assert apply("x\nx\nx\nx\n", diff).content == "x\nx\nx\nx\n"


def test_a_place_that_an_equal_block_has_is_taken() -> None:
    numbered = block(":start_line:3\n-------\nx\n", "y\n")
    assert apply("x\na\nx\n", numbered + block("x\n", "z\n")).content == "z\na\ny\n"
    assert apply("x\na\nx\n", block("x\n", "z\n") + numbered).content == "z\na\ny\n"
    first = numbered.replace("3", "1")
    assert apply("x\na\nx\n", first + block("x\n", "z\n")).content == "y\na\nz\n"


def test_all_blocks_match_the_original_in_any_order() -> None:
    first, second, third = block("a\n", "b\n"), block("b\n", "c\n"), block("c\n", "a\nb\nd\n")
    for diff in (first + second + third, third + second + first, second + first + third):
        result = apply("a\nb\nc\n", diff)
        assert (result.content, outcome(result)) == ("b\nc\na\nb\nd\n", ["applied"] * 3)


@pytest.mark.parametrize(
    ("old", "fails"), [("a\n", False), ("a\nb\n", True), ("b\n", True), ("c\n", True), ("c\nd\n", True), ("d\n", False)]
)
def test_of_two_blocks_that_overlap_the_later_fails(old: str, fails: bool) -> None:
    result = apply("a\nb\nc\nd\n", block("b\nc\n", "X\n") + block(old, "Y\n"))
    assert outcome(result) == ["applied", "overlap" if fails else "applied"]
    if fails:
        assert result.content == "a\nX\nd\n"
        assert "which block 1 changes already" in result.failures[0].message


def test_a_block_that_touches_what_an_earlier_one_may_get_waits_for_it() -> None:
    original = "x\na\nx\nb\n"
    doubtful = block("x\n", "y\n")
    # The second block is about a line that the first may mean, and is not shown before that is settled.
    stream = SearchReplaceStream(original)
    events = stream.feed(doubtful + block("x\nb\n", "z\n"))
    assert ([event.type for event in events], stream.preview) == (["block_started"] * 2, original)
    result = apply(original, doubtful + block("x\nb\n", "z\n") + doubtful)
    assert (result.content, outcome(result)) == ("y\na\nz\n", ["applied", "applied", "overlap"])
    # Equal blocks that come first are given both places.
    result = apply(original, doubtful * 2 + block("x\nb\n", "z\n"))
    assert (result.content, outcome(result)) == ("y\na\ny\nb\n", ["applied", "applied", "overlap"])
    result = apply(original, doubtful + block("x\nb\n", "z\n"))
    assert (result.content, outcome(result)) == ("x\na\nz\n", ["ambiguous", "applied"])
    result = apply(original, doubtful + block("a\n", "z\n"))
    assert (result.content, outcome(result)) == ("x\nz\nx\nb\n", ["ambiguous", "applied"])


# --- similar lines


@pytest.mark.parametrize(("line", "is_found"), [("abcdeXYZWV", False), ("abcdefXYZW", True), ("abcdefgXYZ", True)])
def test_lines_between_anchors_are_similar_enough(line: str, is_found: bool) -> None:
    result = apply("(\nabcdefghij\n)\n", block(f"(\n{line}\n)\n", "x\n"), anchor_similarity=0.6)
    assert outcome(result) == ["applied" if is_found else "not_found"]
    if is_found:
        assert result.edits[0].similarity == (0.6 if line[6] == "X" else 0.7)
        assert outcome(apply("(\nabcdefghij\n)\n", block(f"(\n{line}\n)\n", "x\n"), anchor_similarity=0.71)) == [
            "not_found"
        ]


@pytest.mark.parametrize(
    ("original", "old"),
    [
        ("(\nabcdefghi\n", "(\nabcdefghj\n"),  # two lines
        ("\nabcdefghi\n\nx\n", "\nabcdefghj\n\n"),  # blank lines are no anchors
        ("(\nabcdefghi\n\nx\n", "(\nabcdefghj\n\n"),
        ("(\nabcdefghi\nabc\n)\n", "(\nabcdefghi\n)\n"),  # not as many lines
        ("(\nabcdefghi\n]\n", "(\nabcdefghj\n)\n"),
        ("x\n(\nabcdefghi", "(\nabcdefghj\n)\n"),
    ],
)
def test_what_is_no_anchor(original: str, old: str) -> None:
    assert outcome(apply(original, block(old, "x\n"))) == ["not_found"]


def test_the_best_place_between_anchors_must_be_the_only_one() -> None:
    original = "(\nabcdefghi1\n)\n(\nabcdefgh22\n)\n"
    assert apply(original, block("(\nabcdefghi3\n)\n", "x\n"), anchor_similarity=0.6).content == (
        "x\n(\nabcdefgh22\n)\n"
    )
    tie = apply("(\nabcdefghi1\n)\n(\nabcdefghi2\n)\n", block("(\nabcdefghi3\n)\n", "x\n"), anchor_similarity=0.6)
    assert (outcome(tie), tie.failures[0].lines) == (["ambiguous"], (1, 4))


@pytest.mark.parametrize(
    ("threshold", "is_found"), [(1.0, False), (0.91, False), (0.8, False), (0.79, True), (0.5, True), (0.0, True)]
)
def test_lines_anywhere_are_similar_only_below_a_threshold(threshold: float, is_found: bool) -> None:
    result = apply("a\nabcdefghij\nb\n", block("abcdefghiX\n", "x\n"), threshold=threshold)
    assert outcome(result) == ["applied" if is_found else "not_found"]
    if is_found:
        assert (result.content, result.edits[0].strategy, result.edits[0].similarity) == ("a\nx\nb\n", "fuzzy", 0.9)


def test_the_most_similar_place_must_be_the_only_one() -> None:
    original = "abcdefghi1\nabcdefgh22\nabcdefghi4\n"
    result = apply(original, block("abcdefghi3\n", "x\n"), threshold=0.5)
    assert (outcome(result), result.failures[0].lines) == (["ambiguous"], (1, 3))
    assert apply("abcdefghi1\nabcdefgh22\n", block("abcdefghi3\n", "x\n"), threshold=0.5).content == "x\nabcdefgh22\n"
    assert outcome(apply("a\n", block("abc\nb\n", "x\n"), threshold=0.5)) == ["not_found"]
    assert apply("ab\nq\ncdefgh\n", block("q\ncdefgX\n", "x\ny\n"), threshold=0.7).content == "ab\nx\ny\n"


def test_what_would_take_too_long_to_compare_is_not_found() -> None:
    original = "".join(f"(\n{'x' * 400}{number:04}\n)\n" for number in range(1000))
    diff = block(f"(\n{'x' * 400}yyyy\n)\n", "z\n")
    assert outcome(apply_search_replace(original, diff, anchor_similarity=0.9)) == ["not_found"]


@pytest.mark.parametrize(
    ("found", "wanted", "windows", "windows_below"),
    [
        # lines that are as long: their characters are compared, too
        ("x", ["y"], 350, 2430),
        # all together are as long, and each is not: nothing but their lengths is looked at
        ("xx", ["y", "yyy"], 700, 4847),
        # … unless they are near enough for a threshold
        ("xxxx", ["xxxxx", "yyy"], 700, 974),
        # not even all together are: that costs nothing
        ("x", ["yyy"], 0, 0),
        ("x", ["xy"], 0, 0),
    ],
)
def test_places_are_not_compared_without_end(
    monkeypatch: pytest.MonkeyPatch, found: str, wanted: list[str], windows: int, windows_below: int
) -> None:
    """Each place costs as much as the block has lines, however little there is in them."""
    looked_at = 0

    def count(wanted: Sequence[str], found: Sequence[str]) -> float:
        nonlocal looked_at
        looked_at += len(wanted)
        return similarity.length_similarity(wanted, found)

    monkeypatch.setattr(alike, "length_similarity", count)
    inner = "".join(f"{line}\n" for line in wanted * (400 // len(wanted)))
    original, diff = f"{found}\n" * 20_000, block(f"{found}\n{inner}{found}\n", "z\n")
    assert outcome(apply_search_replace(original, diff)) == ["not_found"]
    assert looked_at == windows * 400
    assert outcome(apply_search_replace(original, diff, threshold=0.7)) == ["not_found"]
    assert looked_at == 2 * windows * 400 + windows_below * 402


def lines_that_cost(amount: int) -> tuple[str, str]:
    """As the file has them, and as a block does: to compare them one by one, and to look at them twice, costs that."""
    sizes = []
    for size in (6800, 999):
        price = similarity.cost("x" * size, "x" * size) + 2
        sizes += [size] * (amount // price - (size > 1000))
        amount -= price * (amount // price - (size > 1000))
    sizes.append(amount - 2)
    found, wanted = ("".join(f"{'x' * (size - 1)}{last}\n" for size in sizes) for last in ".,")
    return found, wanted


@pytest.mark.parametrize(("amount", "is_found"), [(299_999, True), (300_000, True), (300_001, False)])
def test_what_comparing_one_place_between_anchors_may_cost(amount: int, is_found: bool) -> None:
    found, wanted = lines_that_cost(amount - 2)  # which is for the anchors
    result = apply_search_replace(f"(\n{found})\n", block(f"(\n{wanted})\n", "x\n"))
    assert outcome(result) == ["applied" if is_found else "not_found"]


@pytest.mark.parametrize(("amount", "is_found"), [(1_999_999, True), (2_000_000, True), (2_000_001, False)])
def test_what_comparing_one_place_may_cost(amount: int, is_found: bool) -> None:
    found, wanted = lines_that_cost(amount - 11)  # which is for the lengths of the lines
    result = apply_search_replace(found, block(wanted, "x\n"), threshold=0.9)
    assert outcome(result) == ["applied" if is_found else "not_found"]


def test_lines_that_are_not_compared_cost_nothing() -> None:
    long = "0123456789" * 2000
    right = f"begin\n{long}\nshort calculation one\nend\n"
    slip = block(f"begin\n{long}\nshort calculatoin one\nend\n", "new\n")
    other = right.replace(long, f"{long[:-1]}x")
    for before in ("", f"{other}mid\n"):
        assert apply_search_replace(before + right, slip).content == f"{before}new\n"


def test_a_part_of_a_budget_is_spent_on_both() -> None:
    whole = Budget(10)
    part = whole.part(6)
    assert (part.spend(4), part.spend(2), part.left, whole.left) == (True, True, 0, 4)
    assert (part.spend(1), whole.left) == (False, 3)
    other = whole.part(6)
    assert (other.spend(3), other.spend(1), other.left, whole.left) == (True, False, -1, -1)
    assert (whole.part(100).spend(0), whole.spend(0)) == (False, False)


#: Anchors that are everywhere, and between them something else each time.
HOLLOW = "".join(block(f"}}\nline {number}\n}}\n", "x\n") for number in range(100))


@pytest.mark.parametrize(("threshold", "spent"), [(1.0, 49_814), (0.9, 62_514)])
def test_similar_lines_are_looked_for_as_long_as_the_budget_of_the_diff_lasts(
    monkeypatch: pytest.MonkeyPatch, threshold: float, spent: int
) -> None:
    original = "}\n" * 497 + "(\nabcdefghi.\n)\n"
    diff = HOLLOW + block("(\nabcdefghi,\n)\n", "z\n")
    for budget, last in ((spent, "applied"), (spent - 1, "not_found"), (spent // 2, "not_found"), (0, "not_found")):
        monkeypatch.setattr(index, "_SIMILAR", budget)
        result = apply_search_replace(original, diff, threshold=threshold)
        assert outcome(result) == ["not_found"] * 100 + [last]
    # Lines that are there are found without it.
    assert outcome(apply_search_replace(original, diff + block("abcdefghi.\n", "z\n")))[-1] == "applied"


@pytest.mark.parametrize("threshold", [1.0, 0.9])
def test_blocks_with_anchors_that_are_everywhere_do_not_cost_a_file_each(
    monkeypatch: pytest.MonkeyPatch, threshold: float
) -> None:
    monkeypatch.setattr(index, "_HINTS", 0)

    def cost_of_more(budget: int) -> int:
        """What as many blocks again take."""
        monkeypatch.setattr(index, "_SIMILAR", budget)
        original, more = "}\n" * 500, HOLLOW.replace("line", "other")
        return work(lambda: apply_search_replace(original, HOLLOW + more, threshold=threshold)) - work(
            lambda: apply_search_replace(original, HOLLOW, threshold=threshold)
        )

    apply_search_replace("", HOLLOW, threshold=threshold)  # what the first diff in a process does is done
    without = cost_of_more(0)
    assert cost_of_more(10_000) == without  # it is spent before
    assert cost_of_more(1_000_000) > 4 * without


def test_the_lines_that_a_block_stands_for_but_for_blank_lines() -> None:
    found = match.find_plainly(FileIndex("\na\n\n\nb\nc\n\n"), ["", "", "a", "", "b", "", "c", "", ""])
    assert found is not None
    place = found.places[0]
    assert (place.start, place.end, place.surplus, len(place.origins)) == (0, 7, 1, 9)
    assert list(place.origins) == place.origins[:] == [None, 0, 1, 2, 4, None, 5, 6, None]


def test_a_block_among_many_places_is_found() -> None:
    original = "(\n" * 5000 + "(\nabcdefghi.\n)\n" + ")\n" * 5000
    result = apply_search_replace(original, block("(\nabcdefghi,\n)\n", "z\n"))
    assert (result.content, result.edits[0].strategy) == ("(\n" * 5000 + "z\n" + ")\n" * 5000, "anchor")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", 0),
        ("a", "", 1),
        ("", "ab", 2),
        ("abc", "abc", 0),
        ("kitten", "sitting", 3),
        ("abc", "cab", 2),
        ("aé😀", "aê😀", 1),
    ],
)
def test_the_edit_distance(first: str, second: str, expected: int) -> None:
    assert similarity.distance(first, second) == similarity.distance(second, first) == expected


def by_the_table(first: str, second: str) -> int:
    """The usual table, a row at a time."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, 1):
        above, row = row, [number]
        for at, other in enumerate(second):
            row.append(min(above[at] + (one != other), above[at + 1] + 1, row[at] + 1))
    return row[-1]


def test_the_edit_distance_is_that_of_the_table() -> None:
    pick = random.Random(1)
    for _ in range(200):
        first, second = ("".join(pick.choices("ab é😀", k=pick.randint(0, 70))) for _ in range(2))
        assert similarity.distance(first, second) == by_the_table(first, second)


def test_the_edit_distance_is_that_of_rapidfuzz_if_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Levenshtein:
        distance = staticmethod(lambda first, second: 42)

    monkeypatch.setattr(similarity, "Levenshtein", Levenshtein)
    assert similarity.distance("a", "b") == 42
    assert similarity.distance("a", "a") == 0


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (49_999, 1, 49_998),
        (50_000, 1, 49_999),
        (50_001, 1, 50_001),
        # a line of 1000 characters or more takes twice as long
        (50_000, 999, 49_001),
        (50_000, 1000, 50_000),
        (25_000, 1000, 24_000),
        (25_001, 1000, 25_001),
    ],
)
def test_lines_that_take_too_long_to_compare_are_entirely_different(first: int, second: int, expected: int) -> None:
    assert similarity.distance("x" * first, "x" * second) == expected


def test_very_long_lines_are_equal_or_different() -> None:
    monster = "x" * 1_000_000
    assert similarity.distance(monster, monster + "y") == 1_000_001
    assert similarity.lines_similarity([monster], [monster[:-1] + "y"]) == 0.0
    assert similarity.lines_similarity([monster], [monster[:-1] + "y"], 0.5) == -1.0
    assert similarity.lines_similarity(["abc", "b"], ["xyz", "b"], 0.5) == -1.0
    assert similarity.lines_similarity([""], [""]) == 1.0


# --- the table of lines


@pytest.mark.parametrize("searches", [0, 20])
@pytest.mark.parametrize(
    ("keys", "needle"),
    [
        ("abcabc", "abc"),
        ("aaaa", "aa"),
        ("abab", "ba"),
        ("abc", "d"),
        ("ab", "abc"),
        ("a" * 200, "a"),
        ("a" * 200, "aa"),
        ("a" * 200, "a" * 6),
        ("ab" * 100, "abab"),
        ("aab" * 70, "aabaa"),
        ("a" * 99 + "b", "a" * 50 + "b"),
        ("abcbc", "bc"),
        ("cab", "ab"),
        ("bca", "ab"),
    ],
)
def test_every_place_is_found_however_often_one_asks(keys: str, needle: str, searches: int) -> None:
    expected = [at for at in range(len(keys)) if keys.startswith(needle, at)]
    packed = FileIndex("".join(f"  {key}\n" for key in keys))
    packed.lines = PackedLines(packed.original)
    for table in (LineTable(list(keys)), packed.trimmed, packed.condensed):
        for number in range(searches):
            table.places([f"nothing {number}"])
        assert list(table.places(list(needle))) == expected


def test_the_first_searches_are_scans_and_the_next_makes_an_index() -> None:
    table = LineTable([str(number) for number in range(1000)])
    costs = [work(partial(table.places, [f"nothing {number}"])) for number in range(18)]
    assert [cost > 1000 for cost in costs] == [False] * 16 + [True, False]


def test_a_line_that_was_looked_for_is_not_looked_for_again() -> None:
    table = LineTable(["a", "b", "c", "b"])
    for _ in range(17):
        assert list(table.places(["b"])) == [1, 3]
    assert list(table.places(["b", "c"])) == [1]
    assert not table.is_indexed


@pytest.mark.parametrize("searches", [15, 16, 17])
def test_a_line_is_in_the_file_as_it_is_written_or_not_with_an_index_or_without(searches: int) -> None:
    index = FileIndex("a\n  b\r\n\tc\n  d")
    for number in range(searches):
        index.trimmed.places([f"nothing {number}"])
    assert index.trimmed.is_indexed == (searches >= 16)
    lines = ["a", "  b", "b", " c", "\tc", "  d", "d", "e", "a\n  b"]
    assert [line for line in lines if index.has_exactly(line)] == ["a", "  b", "\tc", "  d"]
    # one behind the other: with a line that is known to be nowhere, and with one that is not known
    assert [index.has_exactly("a", line) for line in ("  b", "b", "\tb", "\tc")] == [True, False, False, False]


@pytest.mark.parametrize(("count", "is_walked"), [(63, False), (64, False), (65, True)])
def test_many_places_are_collected_line_by_line(count: int, is_walked: bool) -> None:
    table = LineTable(["x"] * count + ["y"] * 1000)
    assert (work(lambda: table.places(["x"])) > 2000) is is_walked


def test_many_blocks_and_many_places() -> None:
    original = "".join(f"line {number}\n" for number in range(60)) + " x\n" * 100 + "x\n" * 70
    diff = "".join(block(f"line {number}\n", f"new {number}\n") for number in range(60))
    result = apply_search_replace(original, diff + block("x\n", "y\n"))
    assert result.content == original.replace("line", "new")
    assert outcome(result) == ["applied"] * 60 + ["ambiguous"]
    assert result.failures[0].lines == tuple(range(161, 231))


@pytest.mark.parametrize("option", [{"threshold": 1.1}, {"threshold": -0.1}, {"anchor_similarity": 60}])
def test_a_degree_is_between_0_and_1(option: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        apply_search_replace("", "", **option)


@pytest.mark.parametrize(
    ("act", "complaint"),
    [
        (lambda: apply_search_replace(None, "x"), "the text of the file must be a str, not NoneType"),
        (lambda: apply_search_replace(5, "x"), "the text of the file must be a str, not int"),
        (lambda: apply_search_replace(b"x", "x"), "the text of the file must be a str, not bytes"),
        (lambda: apply_search_replace("x", 5), "the diff must be a str, not int"),
        (lambda: construct_new_file_content(None, "x", True), "the diff must be a str, not NoneType"),
        (lambda: SearchReplaceStream("a").feed(5), "the diff must be a str, not int"),
        (lambda: SearchReplaceStream("a").feed([]), "the diff must be a str, not list"),
        (lambda: SearchReplaceStream("a").feed(None), "the diff must be a str, not NoneType"),
        (lambda: PatchStream(None), "the text of the file must be a str, not NoneType"),
        (lambda: PatchStream("a").feed(b""), "the diff must be a str, not bytes"),
        (lambda: apply_patch("a", None), "the diff must be a str, not NoneType"),
    ],
)
def test_what_is_no_text_is_refused(act: Callable[[], object], complaint: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(complaint)}$"):
        act()


def test_the_help_says_what_each_strategy_means() -> None:
    lines = (Strategy.__doc__ or "").splitlines()
    assert [line.split()[0] for line in lines[2:-1]] == [strategy.value for strategy in Strategy]


NESTED = (
    "def one():\n    x = [\n        a,\n        b,\n        old(c),\n        {line}\n    ]\n\n"
    "y = [\n  a,\n  b,\n  old(c),\n  d,\n]\n"
)


@pytest.mark.parametrize(
    ("line", "old", "is_found"),
    [
        # but for one line they are just so in `x`
        ("e,", "        a,\n        b,\n        old(c),\n        d,\n", False),
        ("e,", "        a,\n        b,\n        old(c),\n        d,\n    ]\n", False),
        ("d,\n        d,", "        b,\n        old(c),\n        d,\n    ]\n", False),
        # or two lines are others, or one line alone is so
        ("e,", "        b,\n        old(c),\n        d,\n    ];\n", True),
        ("e,", "        old(c),\n        d,\n", True),
        # none is deeper than in `y`
        ("e,", "  a,\n  b,\n  old(c),\n  d,\n", True),
        ("e,", "a,\nb,\nold(c),\nd,\n", True),
    ],
)
def test_lines_that_are_elsewhere_as_they_are_written_but_for_one(line: str, old: str, is_found: bool) -> None:
    file = NESTED.replace("{line}", line)
    if "];" in old:
        file = file.replace("d,\n]", "d,\n];")
    assert outcome(apply(file, block(old, old.replace("old", "new")))) == ["applied" if is_found else "indentation"]
    hunk = "".join(
        f"-{one}\n+{one.replace('old', 'new')}\n" if "old" in one else f" {one}\n" for one in old.splitlines()
    )
    assert apply_patch(file, f"@@\n{hunk}").ok is is_found
