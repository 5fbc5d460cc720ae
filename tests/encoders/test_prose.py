"""Which white space and which fences go, wherever a text is cut."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest

from streamparse.encoders.prose import Prose, Thought
from tests import seeds


def told(texts: list[str], cut: Callable[[str], Iterable[str]], *, is_before_text: bool = False) -> list[str]:
    """What is told of texts with a call behind each but the last."""
    found, fence, gap = [], "", None
    for number, text in enumerate(texts, 1):
        prose = Prose(fence, gap)
        pieces = [prose.feed(piece) for piece in cut(text)]
        is_last = number == len(texts)
        pieces.append(prose.end(is_before_call=not is_last, is_before_text=is_before_text and is_last))
        fence, gap = prose.fence, prose.gap
        assert prose.is_told == any(pieces)
        found.append("".join(pieces))
    return found


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Hi."], ["Hi."]),
        (["a\n"], ["a\n"]),
        (["\n\nHi. there"], ["\n\nHi. there"]),
        ([" \n"], [""]),
        (["\n\n", "\n"], ["", ""]),
        (["Sure:\n\n", "Done."], ["Sure:", "\n\nDone."]),
        (["Sure:\n\n", "\nDone."], ["Sure:", "\nDone."]),
        (["Sure:", "\n\n", "Done."], ["Sure:", "", "\n\nDone."]),
        (["Sure:\n", "\n\n", "Done."], ["Sure:", "", "\nDone."]),
        (["\n", "Done."], ["", "Done."]),
        (["Sure:\n\n```json\n", "\n```\nDone."], ["Sure:", "\nDone."]),
        (["Sure:\n\n```json\n", "\n```Done."], ["Sure:", "\n```Done."]),
        (["```json\n", "\n", "\n```"], ["", "", ""]),
        (["~~~\n", "\n~~~"], ["", ""]),
        (["```", "```\n"], ["", ""]),
        (["````xml\n", "\n```\n````\n."], ["", "\n```\n."]),
        (["```json\n", "\nfoo\n```\nbar"], ["", "\nfoo\nbar"]),
        (["```json\n", "\n```\n\n```json\n", "\n```"], ["", "", ""]),
        (["Hi.\n```\nx", "y"], ["Hi.\n```\nx", "y"]),
        (["Hi.\n```python"], ["Hi.\n```python"]),
        (["a ```json\n", "\n```"], ["a ```json", "\n```"]),
        (["`", "`"], ["`", "`"]),
        (["a\n`b` c\n``", "d"], ["a\n`b` c\n``", "d"]),
        (["a\n`` ", "d"], ["a\n``", " d"]),
    ],
)
def test_what_is_told(texts: list[str], expected: list[str]) -> None:
    assert told(texts, lambda text: [text]) == expected
    assert told(texts, list) == expected


def test_white_space_that_text_follows_is_told() -> None:
    assert told(["\n"], list, is_before_text=True) == ["\n"]
    assert told(["a\n"], list, is_before_text=True) == ["a\n"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([" " * 1024, "."], ["", "."]),
        ([" " * 1025, "."], [" " * 1025, "."]),
        (["a" + " " * 3000 + "b", "."], ["a" + " " * 3000 + "b", "."]),
        (["a" + " " * 3000, "."], ["a" + " " * 3000, "."]),
        (["a" + "\n" * 1024 + "```\n", "\n```"], ["a", ""]),
        (["a" + "\n" * 1025 + "```\n", "b"], ["a" + "\n" * 1025 + "```", "\nb"]),
        (["```\n", "\n" * 1025 + "```\n"], ["", "\n" * 1025 + "```\n"]),
    ],
)
def test_only_so_much_white_space_waits(texts: list[str], expected: list[str]) -> None:
    for size in (1, 7, 1000, 5000):
        assert told(texts, lambda text, size=size: cut(text, size)) == expected  # type: ignore[misc]


def cut(text: str, size: int) -> list[str]:
    return [text[place : place + size] for place in range(0, len(text), size)]


PIECES = [
    *(" ", "\n", "  ", "\n\n", "`", "``", "```", "```json\n", "```\n", "~~~", "~", "x", "foo", "json", " \n ", "\t"),
    *("\u00a0", "```x y\n", "````", "#"),
]


def anyhow(rng: random.Random) -> Callable[[str], list[str]]:
    def pieces(text: str) -> list[str]:
        found: list[str] = []
        while text:
            size = rng.choice([1, 2, 3, 5])
            found.append(text[:size])
            text = text[size:]
        return found

    return pieces


def test_what_is_told_does_not_depend_on_the_chunks() -> None:
    rng = seeds.rng("prose")
    for _ in range(seeds.times(2000)):
        texts = ["".join(rng.choices(PIECES, k=rng.randint(1, 6))) for _ in range(rng.randint(1, 3))]
        whole = told(texts, lambda text: [text])
        assert told(texts, list) == whole, texts
        assert told(texts, anyhow(rng)) == whole, texts


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["\n", "\n"], ["", ""]),
        (["\n", "a", " ", "\n"], ["", "\na", " ", "\n"]),
        ([" " * 1000, " " * 24, " "], ["", "", " " * 1025]),
    ],
)
def test_reasoning_is_told_as_it_is_unless_it_is_only_white_space(pieces: list[str], expected: list[str]) -> None:
    thought = Thought()
    assert [thought.feed(piece) for piece in pieces] == expected
    assert thought.is_told == any(expected)
