"""states/beginning.py: what counts only where a stream begins."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig
from tests.formats.kit import call, reasoning, rows, text


def test_the_first_marker_is_read_from_its_middle() -> None:
    assert rows("muse", " to=self<|message|>hm<|eom|>") == [reasoning("hm")]
    assert rows("muse", "to=f<|message|>{}<|eom|>") == [call("f", "{}")]
    assert rows("functionary_v32", "all\nHi") == [text("Hi")]


@pytest.mark.parametrize("start", ["", " ", " \n to", " to=x", " to=x <|mess", "to x", "hello", " to=self <|x|>"])
def test_what_is_none_is_text(start: str) -> None:
    assert rows("muse", start) == ([text(start)] if start else [])
    assert rows("muse", start + "! <b>") == [text(start + "! <b>")]


def test_it_is_looked_for_at_the_beginning_only() -> None:
    assert rows("muse", "a to=self<|message|>hm") == [text("a to=self<|message|>hm")]


def test_behind_it_lines_begin_as_always() -> None:
    config = ParserConfig(code="text")
    fenced = '```\n<|start|>assistant to=f<|message|>{}\n```\n<|start|>assistant to=f<|message|>{"a": 1}'
    assert rows("muse", fenced, config=config) == [
        text("```\n<|start|>assistant to=f<|message|>{}\n```\n"),
        call("f", '{"a": 1}'),
    ]
    assert rows("muse", "", config=config) == rows("muse", "", config=ParserConfig(code="parse")) == []


def test_reasoning_that_is_open_is_read_first() -> None:
    config = ParserConfig(reasoning="open")
    assert rows("muse", "hm<|eot|>ok", config=config) == [reasoning("hm"), text("ok")]
    assert rows("muse", " to=self<|message|>hm<|eom|>", config=config) == [reasoning("hm")]
