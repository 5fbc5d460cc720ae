"""What large blocks cost: as much as their lines, however these are written. `test_patch.py` has such hunks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from streamparse.diff import apply_search_replace
from streamparse.diff.elsewhere import are_there_already
from streamparse.diff.index import FileIndex
from tests.diff.kit import block, work


def lines(form: str, count: int) -> str:
    """So many lines, with the number of each."""
    return "".join(form.format(number) for number in range(count))


def as_in_file(count: int) -> tuple[str, str]:
    """Old lines have lost blanks, and new ones are indented as the file is."""
    file = "class A:\n    def f():\n" + lines("        old{}()\n", count)
    return file, block(lines("    old{}()\n", count), lines("        new{}()\n", count))


def spaced(count: int) -> tuple[str, str]:
    """Between old lines there are more blank ones than in the file."""
    file = "top\n" + lines("o{}\n\n", count) + "end\n"
    return file, block("top\n" + lines("o{}\n\n\n", count)[:-2], "top\n" + lines("new{}\n", count))


def in_another_order(count: int) -> tuple[str, str]:
    """Each of the lines that stay is far from where it was, and the file has a blank line between two of them."""
    old = "".join(f"a{number}\nb{number}\n" for number in range(count))
    file = "".join(f"a{number}\n\nb{number}\n" for number in range(count))
    return file, block(old, lines("a{}\n\n", count) + lines("b{}\n", count))


def unlike(count: int) -> tuple[str, str]:
    """The file has blank lines between lines that are gone, and no new one is like any of these, as far as one looks.

    All pairs of these long lines would cost more than may be spent: it ends with the first that cannot be paid for.
    """
    old, new = "a" * 900, "b" * 900
    return lines(f"{{}}{old}\n\n", count), block(lines(f"{{}}{old}\n", count), lines(f"{{}}{new}\n", count))


def opening(count: int) -> tuple[str, str]:
    """The same, where lines that are gone open something, and new ones do not."""
    return lines("if a{}:\n\n", count), block(lines("if a{}:\n", count), lines("if a{}\n", count + 1))


def left_out(count: int) -> tuple[str, str, str]:
    """Every other line is left out."""
    file = "".join(f"o{number}\nm{number}\n" for number in range(count)) + "end\n"
    old, new = (lines(form, count) + "end\n" for form in ("o{}\n...\n", "p{}\n...\n"))
    return file, block(old, new), file.replace("o", "p")


def typed(count: int) -> tuple[str, str, str]:
    """One line shows that signs of typography are typed for others."""
    file = "'q'\n" + lines("o{}\n", count)
    old, new = "‘q’\n" + lines("o{}\n", count), "‘r’\n" + lines("p{}\n", count)
    return file, block(old, new), new.replace("‘r’", "'r'")


@pytest.mark.parametrize("example", [as_in_file, spaced, in_another_order, unlike, opening, left_out, typed])
def test_twice_as_many_lines_cost_twice_as_much(example: Callable[[int], tuple[str, ...]]) -> None:
    small, large = (work(partial(apply_search_replace, *example(count)[:2])) for count in (200, 400))
    assert large < 2.2 * small


def test_blank_lines_are_in_doubt_only_if_some_lines_were_not_compared() -> None:
    # 18 long lines are 324 pairs, which can be paid for, and 19 are too many.
    assert apply_search_replace(*unlike(18)).ok
    assert not apply_search_replace(*unlike(19)).ok
    # Lines that open something are never compared with others.
    assert apply_search_replace(*opening(4000)).content == lines("if a{}\n", 4001) + "\n"


@pytest.mark.parametrize("example", [left_out, typed])
def test_very_many_lines(example: Callable[[int], tuple[str, str, str]]) -> None:
    file, diff, content = example(40_000)
    assert apply_search_replace(file, diff).content == content


def test_very_many_lines_that_may_be_there_already() -> None:
    old = lines("o{}\n", 300_000)
    new = old.splitlines()[150_000::-1]
    index = FileIndex(old + "\n".join(new) + "\n")
    written = [f"{line} " for line in old.splitlines()]
    assert are_there_already(index, written, new, range(300_000))
    assert not are_there_already(index, written, new[::-1], range(300_000))  # they are some of the old ones
    assert not are_there_already(index, written, [], range(300_000))
