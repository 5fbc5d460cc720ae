"""states/code.py: Markdown code inside reasoning, whose closer counts even there."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig
from streamparse.testing import assert_chunk_invariant, segments

IN_REASONING = [
    ParserConfig(tools_in_reasoning=True),
    ParserConfig(tools_in_reasoning=True, code="text"),
]


@pytest.mark.parametrize("config", IN_REASONING, ids=lambda config: config.code)
@pytest.mark.parametrize("closer", ["</think>", "</think \t\n>", "</THINK  >"])
def test_the_closer_of_reasoning_counts_in_a_span(config: ParserConfig, closer: str) -> None:
    events = assert_chunk_invariant(f"<think>a `<run_bash>{closer}b", config=config)
    assert segments(events) == [("reasoning", {}, "a `<run_bash>", {}), ("text", {}, "b", {})]


@pytest.mark.parametrize("config", IN_REASONING, ids=lambda config: config.code)
def test_what_is_not_quite_the_closer_is_code(config: ParserConfig) -> None:
    text = "a `</think x` </thin"
    events = assert_chunk_invariant(f"<think>{text}", config=config)
    assert segments(events) == [("reasoning", {}, text, {"status": "truncated"})]


def test_the_closer_of_reasoning_counts_in_a_fence() -> None:
    events = assert_chunk_invariant("<think>a\n```\n<run_bash>\n</think  >b", config=IN_REASONING[1])
    assert segments(events) == [("reasoning", {}, "a\n```\n<run_bash>\n", {}), ("text", {}, "b", {})]


def test_a_fence_may_be_the_first_thing_in_reasoning_that_is_open_from_the_start() -> None:
    config = ParserConfig(reasoning="open", tools_in_reasoning=True, code="text")
    for repeated in ("", "<think>", "<think >"):
        text = f"{repeated}```\n<run_bash>x\n```\n<run_bash>ls</run_bash></think>a"
        assert segments(assert_chunk_invariant(text, config=config)) == [
            ("reasoning", {}, "```\n<run_bash>x\n```\n", {}),
            ("run_bash", {}, "ls", {}),
            ("text", {}, "a", {}),
        ]
