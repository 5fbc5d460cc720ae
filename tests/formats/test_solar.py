"""formats/solar.py: tokens that say what each part of a reply is."""

from __future__ import annotations

import pytest

from streamparse import formats
from streamparse.errors import RenderError
from tests.formats.kit import call, reasoning, rows, text

ONE = '<|tool_call:begin|>c1<|tool_call:name|>f<|tool_call:args|>{"a": 1}<|tool_call:end|>'
TWO = "<|tool_call:begin|><|tool_call:name|>g<|tool_call:args|>{}<|tool_call:end|>"


@pytest.mark.parametrize("begin", ["", "<|begin|>assistant"])
def test_the_parts_of_a_reply(begin: str) -> None:
    assert rows("solar_open", f"{begin}<|think|>Plan.<|end|>") == [reasoning("Plan.")]
    assert rows("solar_open", f"{begin}<|content|>Hi<|end|>") == [text("Hi")]
    assert rows("solar_open", f"{begin}<|tool_calls|>{ONE}{TWO}<|calls|>") == [
        call("f", '{"a": 1}', "c1"),
        call("g", "{}"),
    ]


def test_one_part_after_the_other() -> None:
    begin = "<|begin|>assistant"
    reply = f"<|think|>a<|end|>{begin}<|think|>b<|end|>{begin}<|tool_calls|>{ONE}<|calls|>{begin}<|content|>c<|end|>"
    assert rows("solar_open", reply) == [reasoning("a"), reasoning("b"), call("f", '{"a": 1}', "c1"), text("c")]


def test_an_id_is_written_between_tokens() -> None:
    solar = formats.get("solar_open")
    assert "<|tool_call:begin|>0<|" in solar.render_call("f", {})
    assert "<|tool_call:begin|>c-1<|" in solar.render_call("f", {}, "c-1")
    with pytest.raises(RenderError, match=r"the id '<\|' cannot be written"):
        solar.render_call("f", {}, "<|")
