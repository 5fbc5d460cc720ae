"""states/raw_call.py: a call whose arguments are one text."""

from __future__ import annotations

import pytest

from tests.formats.kit import call, calls, rows, text


@pytest.mark.parametrize("code", ["print(1)", " \nx = {1}\n", "", "a < b <|eo x", "'<|python_tag|>'"])
@pytest.mark.parametrize("end", ["<|eom_id|>", "<|eot_id|>"])
def test_all_up_to_the_end_is_the_argument(code: str, end: str) -> None:
    content = f"Hi <|python_tag|>{code}{end} ok"
    assert rows("llama3_code", content) == [text("Hi "), call("python", code), text(" ok")]
    assert calls("llama3_code", content) == [("python", {"code": code}, "complete")]


def test_without_its_end_it_is_truncated() -> None:
    content = "<|python_tag|>print(1)<|eom"
    assert rows("llama3_code", content) == [call("python", "print(1)<|eom", status="truncated")]
    assert calls("llama3_code", content) == [("python", {}, "truncated")]
