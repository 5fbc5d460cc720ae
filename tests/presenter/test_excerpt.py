"""What is kept of a long text."""

from __future__ import annotations

import pytest

from streamparse.presenter.excerpt import Excerpt

TEXT = "abcdefghijk"


def excerpt_of(pieces: list[str], limit: int) -> str:
    excerpt = Excerpt(limit)
    for piece in pieces:
        excerpt.add(piece)
    return excerpt.text()


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (12, TEXT),
        (11, TEXT),
        (10, "abcde\n[… 1 characters were left out …]\nghijk"),
        (7, "abc\n[… 5 characters were left out …]\nijk"),
        (6, "abc\n[… 5 characters were left out …]\nijk"),
        (2, "a\n[… 9 characters were left out …]\nk"),
        (1, "\n[… 11 characters were left out …]\n"),
        (0, "\n[… 11 characters were left out …]\n"),
    ],
)
def test_its_two_ends_are_kept_however_it_comes(limit: int, expected: str) -> None:
    assert excerpt_of([TEXT], limit) == expected
    assert excerpt_of(list(TEXT), limit) == expected
    for cut in range(len(TEXT) + 1):
        assert excerpt_of([TEXT[:cut], TEXT[cut:]], limit) == expected


def test_what_is_kept_does_not_grow() -> None:
    excerpt = Excerpt(10)
    for _ in range(10_000):
        excerpt.add("x")
    assert (len(excerpt._beginning), len(excerpt._last)) == (5, 5)


def test_of_nothing_there_is_nothing() -> None:
    assert excerpt_of([], 10) == excerpt_of(["", ""], 0) == ""
