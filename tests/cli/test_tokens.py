from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamparse.cli.demo import transcript
from streamparse.cli.tokens import tokens


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("if a < b:", ["if", " a", " <", " b", ":"]),
        ("Rounding up", ["Round", "ing", " up"]),
        ('<write_file path="a.py">', ["<", "write", "_file", " path", '="', "a", ".", "py", '">']),
        ("a:\n    return x\n\n", ["a", ":", "\n   ", " retur", "n", " x", "\n\n"]),
        ("", []),
    ],
)
def test_pieces_are_those_of_a_model(text: str, pieces: list[str]) -> None:
    assert tokens(text) == pieces


@given(st.text())
def test_joined_they_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


def test_the_transcript_is_cut_into_short_pieces() -> None:
    pieces = tokens(transcript())
    assert "".join(pieces) == transcript()
    assert max(len(piece.strip()) for piece in pieces) == 5
