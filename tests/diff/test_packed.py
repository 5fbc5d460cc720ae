"""The lines of a large file are kept as one text; whatever is done to them, nothing else is different."""

from __future__ import annotations

import pytest

from streamparse.diff import apply_patch, apply_search_replace, index, lines, match, packed, split_lines
from streamparse.diff.lines import bodies_of
from streamparse.diff.packed import FormedLines, LineNumbers, PackedLines
from tests.diff.kit import block
from tests.memory import takes_at_most

FILE = "def f():\n    x = 1\n\n    y = \u201c2\u201d\n    return x\n\n\ndef g():\n    x = 1\n    return 2\n"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every file is large, and there are few lines at a time."""
    monkeypatch.setattr(lines, "_BATCH", 8)
    return monkeypatch


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("text", ["", "a", FILE, FILE + "no\rend", "a\rb\rccccccccccccc\rd", "\n" * 30, "a\r\n" * 9])
def test_lines_are_the_same_in_batches(text: str) -> None:
    newline = "\n" if "\n" in text else "\r"
    expected = [line for line in text.replace(newline, newline + "\0").split("\0") if line]
    assert split_lines(text) == expected
    rows = PackedLines(text)
    assert (list(rows), rows[:], len(rows)) == (expected, expected, len(expected))
    assert [[at for at, line in enumerate(expected) if part in line] for part in "acd"] == [
        list(rows.lines_with(part)) for part in "acd"
    ]
    formed = FormedLines(rows, bodies_of, range(len(rows)))
    bodies = bodies_of(expected)
    assert (list(formed), formed[1:3], len(formed)) == (bodies, bodies[1:3], len(bodies))
    for first in range(len(expected)):
        assert rows[first] == rows[first - len(expected)] == expected[first]
        assert formed[first] == bodies[first]
        assert "".join(rows.between(first, len(expected))) == "".join(expected[first:])
    with pytest.raises(IndexError):
        rows[len(expected)]


@pytest.mark.parametrize(
    "text", [FILE, "\ufeff" + FILE, FILE.replace("\n", "\r\n"), FILE.replace("\u201c", "\f"), FILE * 40]
)
def test_edits_are_the_same(small: pytest.MonkeyPatch, text: str) -> None:
    blocks = [
        block("    return 2\n", "    return 3\n"),
        block("return x\n", "return y\n"),
        block('    x = 1\n    y = "2"\n', "    z = 3\n"),
        block("    x = 1\n", "    x = 2\n") * 2,
        block("def f():\n    x = 2\n\n", "x\n"),
        block("nowhere\nat all\n", "x\n"),
        block("", "x\n"),
    ]
    patches = [
        "@@ -8,3 +8,3 @@ def g():\n def g():\n-    x = 1\n+    x = 2\n     return 2\n",
        '@@ def f():\n-    y = "2"\n+    y = 3\n',
        "@@\n-nothing\n+x\n",
        "@@ -1,0 +1,2 @@\n+one\n+two\n",
        "@@ -4 +4 @@\n-    x = 1\n+    x = 2\n",
    ]
    expected = [apply_search_replace(text, one, threshold=0.8) for one in blocks]
    expected += [apply_patch(text, one) for one in patches]
    for module, name in ((index, "LARGE"), (match, "_MANY")):
        small.setattr(module, name, 0)
    small.setattr(packed, "LARGE", 8)
    assert [apply_search_replace(text, one, threshold=0.8) for one in blocks] == expected[: len(blocks)]
    assert [apply_patch(text, one) for one in patches] == expected[len(blocks) :]


def test_a_large_file_takes_a_few_times_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"    line {number} of the file\n" for number in range(20_000))
    monkeypatch.setattr(lines, "_BATCH", 1 << 13)
    diff = block("line 4711 of the file\n", "line 4711 is new\n")
    assert not takes_at_most(6 * len(text), lambda: apply_search_replace(text, diff))
    many = "".join(block(f"line {number} of the file\n", f"line {number} is new\n") for number in range(0, 20_000, 400))
    monkeypatch.setattr(index, "LARGE", len(text) - 1)
    assert takes_at_most(5 * len(text), lambda: apply_search_replace(text, diff))
    assert takes_at_most(6 * len(text), lambda: apply_search_replace(text, many))


def test_the_numbers_of_lines() -> None:
    numbers = LineNumbers([str(number % 7) for number in range(100)])
    for line in range(7):
        assert {number for number in range(100) if number % 7 == line} <= set(numbers.get(str(line)))
    assert sorted({number for line in range(7) for number in numbers.get(str(line))}) == list(range(100))
    assert not LineNumbers([]).get("x")
