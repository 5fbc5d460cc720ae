"""What is said about a block that was not applied."""

from __future__ import annotations

import pickle

import pytest

from streamparse.diff import Candidate, DiffError, apply_search_replace, construct_new_file_content
from tests.diff.kit import apply, block

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
            "The nearest text is at line 6, where line 6 is `return x * 2` instead of `return 7 * 2`. ",
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
    if "part of" not in sentence:
        assert failure.nearest == nearest


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
    with pytest.raises(DiffError, match=r"^the diff breaks off within a block$"):
        apply_search_replace(FILE, "------- SEARCH\ndef f(x):\n=======\n", strict=True)
    with pytest.raises(DiffError, match=r"^block 1: .*\nthe diff breaks off within a block$"):
        apply_search_replace(FILE, block("nope\n", "") + "------- SEARCH\ndef f(x):\n=======\n", strict=True)
