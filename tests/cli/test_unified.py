"""Diffs of long texts: they are as right as those of short ones, and take no longer than they may."""

from __future__ import annotations

import pytest

from streamparse.cli import unified
from streamparse.cli.unified import difference
from streamparse.diff import DiffStream, FileChange, lines
from tests.memory import takes_at_most
from tests.seeds import rng


def text(lines: range | list[int]) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_between_equal_ends_lines_are_compared_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    after = [*range(10), 99, *range(11, 30), *range(31, 50)]
    change = FileChange("a", text(range(50)), text(after))
    expected = difference(change)
    monkeypatch.setattr(unified, "_MOST_COMPARED", 1_000)
    assert difference(change) == expected
    assert expected.count("@@ -") == 2


def test_what_is_too_long_to_be_compared_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unified, "_MOST_COMPARED", 20)
    change = FileChange("a", text(range(10)), f"{text([0, 1, 2, 3, 7, 8, 5, 6, 9])}x")
    assert difference(change) == (
        "--- a/a\n+++ b/a\n@@ -2,9 +2,9 @@\n 1\n 2\n 3\n-4\n-5\n-6\n-7\n-8\n-9\n+7\n+8\n+5\n+6\n+9\n+x\n"
        "\\ No newline at end of file\n"
    )


def test_changes_that_are_far_apart_in_a_long_file() -> None:
    before = list(range(100_000))
    after = [-1, *before[:40_000], *before[40_010:70_000], -2, -3, *before[70_001:], -4]
    shown = difference(FileChange("a", text(before), text(after)))
    assert [line for line in shown.splitlines() if line.startswith("@@")] == [
        "@@ -1,3 +1,4 @@",
        "@@ -39998,16 +39999,6 @@",
        "@@ -69998,7 +69989,8 @@",
        "@@ -99998,3 +99990,4 @@",
    ]
    assert difference(FileChange("a", text(before), text(before))) == ""


def test_lines_that_would_take_for_ever_take_no_time() -> None:
    before, after = ([line * factor % 120 for line in range(40_000)] for factor in (1, 7))
    assert difference(FileChange("a", text(before), text(after))).count("\n") > 79_000


def test_large_texts_take_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    before = text(range(20_000))
    change = FileChange("a", before, before.replace("\n9999\n", "\nx\n"))
    expected = difference(change)
    assert not takes_at_most(4 * len(before), lambda: difference(change))
    monkeypatch.setattr(unified, "LARGE", 1_000)
    monkeypatch.setattr(lines, "_BATCH", 1 << 12)
    assert difference(change) == expected
    assert takes_at_most(4 * len(before), lambda: difference(change))


@pytest.mark.parametrize("large", [0, 1 << 24])
@pytest.mark.parametrize("most", [0, 9, 60])
def test_they_can_be_applied(most: int, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unified, "_MOST_COMPARED", most)
    monkeypatch.setattr(unified, "LARGE", large)
    numbers = rng("diffs")
    for _ in range(200):
        before = [numbers.randrange(1_000) for _ in range(numbers.randrange(1, 30))]
        after = list(before)
        for new in range(-numbers.randrange(1, 4), 0):
            after.insert(numbers.randrange(len(after) + 1), new)
            del after[numbers.randrange(len(after)) : numbers.randrange(len(after))]
        change = FileChange("a", text(before), text(after))
        stream = DiffStream(text(before), path="a")
        stream.feed(difference(change))
        assert before == after or stream.finalize().content == text(after)
