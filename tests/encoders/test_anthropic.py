"""AnthropicEncoder: the events of Messages, and the message that is not streamed."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Reply, ToolInvocation
from streamparse.encoders import AnthropicEncoder, chunks
from streamparse.invocations import AnyItem
from streamparse.outcome import FinishReason, Outcome, StreamEnd, Usage
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, cuts, items, segment

TEXT = f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\n"
CUT = CALL[:50]
MESSAGE: dict[str, Any] = {
    **{"id": "r", "type": "message", "role": "assistant", "model": "m", "content": []},
    **{"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 0, "output_tokens": 0}},
}
BEGIN = [{"type": "message_start", "message": MESSAGE}, {"type": "ping"}]


def encoder() -> AnthropicEncoder:
    return AnthropicEncoder(id="r", model="m", tools=TOOLS)


def events(stream: list[AnyItem]) -> list[dict[str, Any]]:
    """All events, the pieces of a block joined, and ids masked that are made up."""
    found: list[dict[str, Any]] = []
    for event in chunks(stream, encoder()):
        if event["type"] == "content_block_start" and event["content_block"].get("id", "").startswith("toolu_"):
            event["content_block"]["id"] = "toolu_"
        before = found[-1] if found else {}
        if event["type"] == before.get("type") == "content_block_delta":
            assert event["index"] == before["index"]
            [name] = [name for name in event["delta"] if name != "type"]
            if name in before["delta"]:
                before["delta"][name] += event["delta"][name]
                continue
        found.append(event)
    return found


def block(index: int, begin: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": begin},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(index: int, content: str) -> list[dict[str, Any]]:
    return block(index, {"type": "text", "text": ""}, {"type": "text_delta", "text": content})


def call(index: int, name: str, arguments: str, call_id: str = "toolu_") -> list[dict[str, Any]]:
    begin = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
    return block(index, begin, {"type": "input_json_delta", "partial_json": arguments})


def thinking(index: int, content: str, *signatures: str) -> list[dict[str, Any]]:
    begin = {"type": "thinking", "thinking": "", "signature": ""}
    more = [{"type": "signature_delta", "signature": signature} for signature in signatures]
    return block(index, begin, {"type": "thinking_delta", "thinking": content}, *more)


def end(reason: str, **usage: int) -> list[dict[str, Any]]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 0, **usage}},
        {"type": "message_stop"},
    ]


def test_every_event_of_a_reply_whatever_its_chunks() -> None:
    outcome = Outcome("stop", usage=Usage(5, 7, cached=2))
    for cut in cuts(TEXT):
        assert events(items(cut, outcome=outcome)) == [
            *(*BEGIN, *thinking(0, "Hm."), *text(1, "\n\nHi."), *call(2, "f", '{"s": "x", "n": 1}')),
            *(*call(3, "g", "{}"), *end("tool_use", output_tokens=7, input_tokens=3, cache_read_input_tokens=2)),
        ]


def test_the_whole_message() -> None:
    message = encoder().fold(items(TEXT, outcome=Outcome("stop", usage=Usage(5, 7))))
    for block in message["content"][2:]:
        assert block.pop("id").startswith("toolu_")
    assert message == {
        **MESSAGE,
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": ""},
            {"type": "text", "text": "\n\nHi."},
            {"type": "tool_use", "name": "f", "input": {"s": "x", "n": 1}},
            {"type": "tool_use", "name": "g", "input": {}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 5, "output_tokens": 7},
    }


@pytest.mark.parametrize(
    ("content", "reason", "expected"),
    [
        ("a", "stop", "end_turn"),
        ("a", "unknown", "end_turn"),
        ("a", "tool_calls", "end_turn"),
        ("a", "pause", "pause_turn"),
        ("a", "length", "max_tokens"),
        ("a", "cancelled", "max_tokens"),
        ("a", "content_filter", "refusal"),
        ("a", "refusal", "refusal"),
        (CALL, "stop", "tool_use"),
        (CALL, "length", "max_tokens"),
        (CUT, "stop", "max_tokens"),
        (CUT, "refusal", "refusal"),
        (CALL + CUT, "tool_calls", "max_tokens"),
    ],
)
def test_the_reason_of_the_end(content: str, reason: FinishReason, expected: str) -> None:
    stream = items(content, outcome=Outcome(reason))
    assert events(stream)[-2:] == end(expected)
    assert encoder().fold(stream)["stop_reason"] == expected


def test_a_reply_without_anything() -> None:
    assert events([StreamEnd(Outcome("stop"))]) == [*BEGIN, *end("end_turn")]
    assert encoder().fold([StreamEnd(Outcome("stop"))]) == {**MESSAGE, "stop_reason": "end_turn"}


def test_a_call_that_is_not_complete() -> None:
    stream = items(f"Hi.\n{CUT}")
    assert events(stream) == [*BEGIN, *text(0, "Hi."), *call(1, "f", '{"s": "x'), *end("max_tokens")]
    assert encoder().fold(stream)["content"] == [
        {"type": "text", "text": "Hi."},
        {"type": "text", "text": 'f {"s": "x", "'},
    ]


def test_calls_at_the_same_time_follow_each_other() -> None:
    assert events(at_once()) == [
        *(*BEGIN, *call(0, "f", '{"s": "x"}', "a"), *call(1, "g", "{}", "b"), *end("tool_use")),
    ]


def test_what_waits_for_a_call_comes_behind_it() -> None:
    stream = at_once()
    place = next(number for number, item in enumerate(stream) if isinstance(item, ToolInvocation))
    said = [*stream[:place], *segment(8, "text", "x"), *segment(9, "refusal", "no"), *stream[place:]]
    assert events(said) == [
        *(*BEGIN, *call(0, "f", '{"s": "x"}', "a"), *call(1, "g", "{}", "b"), *text(2, "x"), *text(3, "no")),
        *end("tool_use"),
    ]


def test_an_error_ends_the_stream() -> None:
    stream = items("Hi.", outcome=Outcome("error", error="out of memory"))
    error = {"type": "error", "error": {"type": "api_error", "message": "out of memory"}}
    assert events(stream) == [*BEGIN, *text(0, "Hi."), error]
    assert encoder().fold(stream) == error


def test_a_refusal_is_text() -> None:
    stream = [*segment(1, "refusal", "No."), *segment(2, "source"), StreamEnd(Outcome("refusal"))]
    assert events(stream) == [*BEGIN, *text(0, "No."), *end("refusal")]
    assert encoder().fold(stream)["content"] == [{"type": "text", "text": "No."}]


@pytest.mark.parametrize(("interface", "signatures"), [("anthropic", ["sig"]), ("google", [])])
def test_only_its_own_signature_goes_with_reasoning(interface: str, signatures: list[str]) -> None:
    state = {"interface": interface, "signature": "sig"}
    stream = [*segment(1, "reasoning", "Hm.", state=state), StreamEnd(Outcome("stop"))]
    assert events(stream) == [*BEGIN, *thinking(0, "Hm.", *signatures), *end("end_turn")]
    assert encoder().fold(stream)["content"] == [
        {"type": "thinking", "thinking": "Hm.", "signature": "".join(signatures)}
    ]


def test_usage_is_told_as_its_provider_did() -> None:
    told = {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3, "x": 4}
    stream: list[AnyItem] = [StreamEnd(Outcome("stop", usage=Usage(1, 2, provider=told)))]
    assert events(stream) == [*BEGIN, *end("end_turn", **told)]
    assert events([StreamEnd(Outcome("stop", usage=Usage(output=2)))]) == [*BEGIN, *end("end_turn", output_tokens=2)]


def test_frames_and_what_is_not_given() -> None:
    made = AnthropicEncoder()
    frames = [made.frame(event) for event in chunks([StreamEnd(Outcome("stop"))], made)]
    assert frames[0].startswith('event: message_start\ndata: {"type": "message_start", "message": {"id": "msg_')
    assert frames[1] == 'event: ping\ndata: {"type": "ping"}\n\n'
    assert made.last_frame == ""


def test_what_is_encoded_is_read_back() -> None:
    reply = Reply(chunks(items(TEXT), encoder()), tools=TOOLS).read()
    assert (reply.text, reply.reasoning) == ("\n\nHi.", "Hm.")
    assert [(made.name, made.arguments, made.status) for made in reply.calls] == [
        ("f", {"s": "x", "n": 1}, "complete"),
        ("g", {}, "complete"),
    ]
    assert reply.outcome is not None
    assert (reply.outcome.finish_reason, reply.outcome.response_id) == ("tool_calls", "r")
