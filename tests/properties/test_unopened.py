"""Closers of reasoning that nothing has opened, in random replies: the guarantees hold for what END says of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from streamparse import ParserConfig
from tests import seeds
from tests.formats.kit import check

CALL = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
PIECES = ("a", "b ", "\n", "`", "```\n", "<think>", "</think>", "</think>", "</thinking>", "</thi", CALL, "<|im_end|>")
COUNT = 200 if seeds.IS_FUZZ else 12


@pytest.mark.parametrize("mode", [None, "open", "closed"])
@pytest.mark.parametrize("format", ["hermes", "qwen3", "ernie45", "auto"])
def test_a_text_was_reasoning_at_most_once_and_never_behind_the_beginning_of_the_answer(format: str, mode: str) -> None:
    rng = seeds.rng(17)
    config = ParserConfig(reasoning=mode)
    for _ in range(COUNT):
        pieces = rng.choices(PIECES, k=rng.randrange(1, 9))
        reply = "".join(pieces)
        rows = check(reply, format, cuts=6, is_wild=True, config=config).bounds
        marked = [number for number, row in enumerate(rows) if "reasoning" in row[3]]
        assert len(marked) <= (mode != "closed"), reply
        for number in marked:
            assert rows[number][0] == "text"
            assert rows[number][3] == {"reasoning": True}
            # What was reasoning before it had no closer: a call ended it.
            for row, following in pairwise(rows[:number]):
                assert row[0] != "reasoning" or following[0] == "tool_call"
        is_plain = reply[0] in "ab`" and not {"<think>", CALL} & set(pieces)
        if mode == "closed" and format != "auto" and is_plain and not {"`", "<|im_end|>"} <= set(pieces):
            # Nothing is lost but the token, which is shown only in a code span that is closed.
            assert "".join(row[2] for row in rows) == reply.replace("<|im_end|>", "")
