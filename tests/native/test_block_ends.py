"""A block that ended may be one in which the reply was cut off: what comes next tells."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import SegmentEnd, StreamingResponseHandler
from tests.native.kit import BY_LENGTH
from tests.providers.cases import block, chat, grow, message_delta, stop

THINKING = [block(0, type="thinking", thinking=""), grow(0, "thinking_delta", thinking="Hm"), stop(0)]
DETAILS = [{"type": "reasoning.text", "index": 0, "text": "Hm", "signature": "s"}]
ROUTED = [chat(reasoning="Hm", reasoning_details=DETAILS)]
STATE = {"interface": "openai-chat", "reasoning_details": DETAILS}
CUT = f"the reply was cut off{BY_LENGTH}"


def ends(*chunks: Any, is_aborted: bool = False) -> list[tuple[str, str | None, str | None, Any]]:
    handler = StreamingResponseHandler("native")
    events = [event for chunk in chunks for event in handler.feed(chunk)]
    events += handler.abort() if is_aborted else handler.finalize()
    return [
        (event.segment_type, event.status, event.error, event.state)
        for event in events
        if isinstance(event, SegmentEnd)
    ]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([*THINKING, message_delta("max_tokens")], [("reasoning", "truncated", CUT, None)]),
        ([*THINKING, message_delta("end_turn")], [("reasoning", None, None, None)]),
        (THINKING, [("reasoning", None, None, None)]),
        ([*ROUTED, chat("length")], [("reasoning", "truncated", CUT, STATE)]),
        ([*ROUTED, chat("stop")], [("reasoning", None, None, STATE)]),
        (
            [*ROUTED, chat(content="Hi"), chat("length")],
            [("reasoning", None, None, STATE), ("text", "truncated", CUT, None)],
        ),
    ],
    ids=range(6),
)
def test_what_comes_next_tells(chunks: list[Any], expected: list[Any]) -> None:
    assert ends(*chunks) == expected


def test_a_block_whose_end_was_seen_is_complete_when_the_program_stops() -> None:
    assert ends(*THINKING, is_aborted=True) == [("reasoning", None, None, None)]


def test_two_blocks_in_a_row_are_two_segments() -> None:
    other = [block(1, type="thinking", thinking=""), grow(1, "thinking_delta", thinking="Hm"), stop(1)]
    assert ends(*THINKING, *other) == [("reasoning", None, None, None)] * 2


def test_what_comes_too_late_for_a_tool_of_the_provider_is_no_call() -> None:
    use = block(0, type="server_tool_use", id="s1", name="web_search", input={})
    late = grow(0, "input_json_delta", partial_json="{}")
    handler = StreamingResponseHandler("native")
    for chunk in (use, message_delta("pause_turn"), late):
        handler.feed(chunk)
    handler.finalize()
    assert handler.invocations == []


def test_a_value_that_leads_nowhere_is_not_lost_in_silence() -> None:
    def part(call: dict[str, Any], **candidate: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": [{"functionCall": call}]}, **candidate}]}

    values = [{"jsonPath": "$.d[1]", "stringValue": "x"}, {"jsonPath": "$.d[0]", "boolValue": True}]
    handler = StreamingResponseHandler("native")
    handler.feed(part({"name": "f", "willContinue": True}))
    handler.feed(part({"partialArgs": values, "willContinue": True}))
    handler.feed(part({}, finishReason="STOP"))
    handler.finalize()
    assert [(made.status, made.arguments) for made in handler.invocations] == [("truncated", {})]
