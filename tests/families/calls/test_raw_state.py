"""families/calls/raw_state.py: arguments that are one text."""

from __future__ import annotations

from tests.formats.kit import call, rows, text


def test_the_text_is_verbatim_up_to_any_part_of_the_tail() -> None:
    for end in ("<|eom_id|>", "<|eot_id|>"):
        assert rows("functionary_v31", f"a <|python_tag|> \nx <|e {{ \n{end} b") == [
            *(text("a "), call("python", " \nx <|e { \n"), text(" b")),
        ]


def test_without_its_end_it_is_truncated() -> None:
    assert rows("functionary_v31", "<|python_tag|>x<|eom") == [call("python", "x<|eom", status="truncated")]
    assert rows("functionary_v31", "<|python_tag|>") == [call("python", "", status="truncated")]
