"""formats/cohere.py: blocks of thinking, action and answer; actions in fences."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig
from tests.formats.kit import call, calls, reasoning, rows, text

ACTION = '[\n    {"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}},\n    {"tool_name": "noop"}\n]'
FOUND = [call("f", '{"a": 1}', "0"), call("noop", "")]


@pytest.mark.parametrize(("format", "answer"), [("cohere_command3", "RESPONSE"), ("cohere_command4", "TEXT")])
def test_the_blocks_of_a_reply(format: str, answer: str) -> None:
    start, end = f"<|START_{answer}|>", f"<|END_{answer}|>"
    action = f"<|START_ACTION|>{ACTION}<|END_ACTION|>"
    assert rows(format, f"Plan.<|END_THINKING|>{start}Four.{end}") == [reasoning("Plan."), text("Four.")]
    assert rows(format, f"<|START_THINKING|>Plan.<|END_THINKING|>{action}") == [reasoning("Plan."), *FOUND]
    # closers that are forgotten, and no thinking at all
    assert rows(format, f"Plan.{start}Four.{end}<|END_OF_TURN_TOKEN|>") == [reasoning("Plan."), text("Four.")]
    assert rows(format, f"Plan.{action}{start}Four.") == [reasoning("Plan."), *FOUND, text("Four.")]
    assert rows(format, f"{start}Four.") == [text("Four.")]
    assert rows(format, action) == FOUND
    assert calls(format, action) == [("f", {"a": 1}, "complete"), ("noop", {}, "complete")]
    # a second block of thinking, and a stray closer
    closed = ParserConfig(reasoning="closed")
    assert rows(format, "a<|START_THINKING|>b<|END_THINKING|>c<|END_THINKING|>d", config=closed) == [
        *(text("a"), reasoning("b"), text("cd")),
    ]


def test_citations_are_text() -> None:
    answer = "<|START_RESPONSE|>It is <co>cold</co: 0:[1]>.<|END_RESPONSE|>"
    assert rows("cohere_command3", answer) == [text("It is <co>cold</co: 0:[1]>.")]


def test_an_action_in_a_fence() -> None:
    for fence in ("```json\n", "```", "``` json\n"):
        expected = [text("Plan\n"), call("f", '{"a": 1}', "0"), call("noop", ""), text("\nok")]
        reply = f"Plan\nAction:\n{fence}{ACTION}\n```\nok"
        assert rows("command_r", reply) == (expected if fence != "``` json\n" else [text(reply)])


def test_to_answer_directly_is_a_call_like_any_other() -> None:
    assert rows("command_r", 'Action: ```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```') == [
        call("directly_answer", "{}"),
    ]


@pytest.mark.parametrize(
    "prose", ["Action: go", "Action:\n```json\n{}\n```", "Actions:\n```json\n[]```", "action:\n```["]
)
def test_other_actions_and_fences_are_text(prose: str) -> None:
    assert rows("command_r", prose) == [text(prose)]
