from __future__ import annotations

import unicodedata

import pytest

from streamparse.cli.escape import visible, visible_line

EVERYTHING = "".join(map(chr, range(0x1_0000)))
BEYOND = "".join(map(chr, range(0x1_0000, 0x11_0000)))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", r"\x1b[2J"),
        ("a\rb", r"a\rb"),
        ("\x00\x07\x08\x0b\x0c\x7f", r"\x00\x07\x08\x0b\x0c\x7f"),
        ("\x80\x9b31m\x9f", r"\x80\x9b31m\x9f"),
        ("\u202eexe.txt\u202c", r"\u202eexe.txt\u202c"),
        ("\u2066\u2069\u200e\u200f\u061c", r"\u2066\u2069\u200e\u200f\u061c"),
        ("\ud83d", r"\ud83d"),
        ("a\tb\nc \\x1b é 漢 😀", "a\tb\nc \\x1b é 漢 😀"),
    ],
)
def test_what_steers_a_terminal_is_shown_instead(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_stays_one_line() -> None:
    assert visible_line("a\tb\nc\x1b") == r"a\tb\nc\x1b"


def test_nothing_but_the_dangerous_characters_changes() -> None:
    changed = {character for character in EVERYTHING if visible(character) != character}
    reordering = {c for c in EVERYTHING if unicodedata.bidirectional(c) in {"LRE", "RLE", "PDF", "LRO", "RLO"}}
    isolating = {c for c in EVERYTHING if unicodedata.bidirectional(c) in {"LRI", "RLI", "FSI", "PDI"}}
    controls = {c for c in EVERYTHING if unicodedata.category(c) in {"Cc", "Cs"}} - {"\n", "\t"}
    assert changed == controls | reordering | isolating | {"\u200e", "\u200f", "\u061c"}
    assert visible_line(BEYOND) == visible(BEYOND) == BEYOND
    assert {c for c in EVERYTHING if visible_line(c) != c} == changed | {"\n", "\t"}


def test_text_may_be_cut_anywhere() -> None:
    text = "a\x1b[31m\u202eb\r\n\ud83dc"
    assert "".join(map(visible, text)) == visible(text)


def test_what_the_encoding_lacks_is_escaped() -> None:
    assert visible("é 漢 😀", "ascii") == r"\xe9 \u6f22 \U0001f600"
    assert visible_line("é\n漢", "latin-1") == "é\\n\\u6f22"
