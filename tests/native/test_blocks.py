"""What the blocks of Anthropic, Google, Bedrock and Cohere become: segments, their states, sources and files."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import StreamingResponseHandler
from streamparse.outcome import Usage
from streamparse.providers import Reader
from streamparse.testing import normalize
from tests.native.kit import Wire, content, end, reasoning, start, text, tool, wire
from tests.providers.cases import (
    WEB,
    block,
    block_delta,
    block_stop,
    grow,
    message_delta,
    parts,
    step_delta,
    step_start,
    step_stop,
    stop,
    v2,
)


def with_state(events: list[Wire], **state: Any) -> list[Wire]:
    """The same segment, with what must go back."""
    return [*events[:-1], {**events[-1], "payload": {**events[-1]["payload"], "state": state}}]


def ran(number: int, name: str, call_id: str, delta: str, **state: Any) -> list[Wire]:
    first = start(number, "server_tool", tool_name=name, **({"call_id": call_id} if call_id else {}))
    return with_state([first, content(number, delta), end(number)], **state)


def result(number: int, name: str, call_id: str, delta: str, **state: Any) -> list[Wire]:
    first = start(number, "server_result", tool_name=name, **({"call_id": call_id} if call_id else {}))
    return with_state([first, content(number, delta), end(number)], **state)


def source(number: int, **metadata: Any) -> list[Wire]:
    return [start(number, "source", **metadata), end(number)]


CASES: dict[str, tuple[list[Any], list[Wire]]] = {
    "anthropic: text around a tool that the provider ran": (
        [
            *(block(0, type="text", text="a"), stop(0)),
            *(
                block(1, type="server_tool_use", id="s", name="web_search"),
                grow(1, "input_json_delta", partial_json="{}"),
            ),
            *(stop(1), block(2, type="web_search_tool_result", tool_use_id="s", content=[]), stop(2)),
            *(block(3, type="text", text="b"), stop(3), block(4, type="text", text="c")),
            *(grow(4, "citations_delta", citation=WEB), grow(4, "text_delta", text="d"), stop(4)),
            message_delta("end_turn"),
        ],
        [
            *text(1, "a"),
            *ran(2, "web_search", "s", "{}", type="server_tool_use"),
            *result(3, "web_search", "s", "[]", type="web_search_tool_result"),
            *(start(4, "text"), content(4, "bc"), *source(5, **WEB), content(4, "d")),
            *with_state([end(4)], blocks=[{"length": 1}, {"length": 2, "citations": [WEB]}]),
        ],
    ),
    "anthropic: reasoning in blocks": (
        [
            *(block(0, type="thinking", thinking=""), grow(0, "thinking_delta", thinking="a")),
            *(grow(0, "signature_delta", signature="x"), stop(0)),
            *(block(1, type="redacted_thinking", data="r"), stop(1)),
            *(block(2, type="thinking", thinking="b"), stop(2)),
            *(block(3, type="thinking", thinking="c"), stop(3)),
            *(block(4, type="text", text="d"), stop(4)),
            *(block(5, type="thinking", thinking="", signature="y"), stop(5)),
            *(block(6, type="text", text="e"), stop(6), message_delta("end_turn")),
        ],
        [
            *with_state(reasoning(1, "a"), signature="x"),
            *with_state(reasoning(2, ""), type="redacted_thinking", data="r"),
            *(*reasoning(3, "b"), *reasoning(4, "c"), *text(5, "d")),
            *with_state(reasoning(6, ""), signature="y"),
            *text(7, "e"),
        ],
    ),
    "anthropic: reasoning without a signature that stops behind the text": (
        [
            *(block(0, type="thinking", thinking="a"), block(1, type="text", text="b"), stop(0)),
            *(grow(1, "text_delta", text="c"), stop(1), message_delta("end_turn")),
        ],
        [*reasoning(1, "a"), *text(2, "bc")],
    ),
    "anthropic: a container behind text": (
        [
            block(0, type="text", text="a"),
            {"type": "message_delta", "delta": {"stop_reason": "end_turn", "container": {"id": "c"}}},
        ],
        [*text(1, "a"), *with_state(reasoning(2, ""), type="container", id="c")],
    ),
    "google: signatures of text and thoughts": (
        [
            parts({"text": "a", "thought": True}, {"text": "b"}),
            parts({"text": "c", "thoughtSignature": "x"}),
            parts({"text": "d"}),
            parts({"text": "", "thoughtSignature": "y"}, finishReason="STOP"),
        ],
        [
            *reasoning(1, "a"),
            *with_state(text(2, "bc"), thought_signature="x"),
            *with_state(text(3, "d"), thought_signature="y"),
        ],
    ),
    "google: a signature behind thoughts is that of a text without text": (
        [parts({"text": "a", "thought": True}), parts({"text": "", "thoughtSignature": "x"}, finishReason="STOP")],
        [*reasoning(1, "a"), *with_state(text(2, ""), thought_signature="x")],
    ),
    "google: code that the provider ran, a file and sources": (
        [
            parts({"text": "a"}, {"executableCode": {"language": "PYTHON", "code": "print(1)\n"}}),
            parts({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n"}}),
            parts({"inlineData": {"mimeType": "image/png", "data": "eHg="}}),
            parts({"text": "b"}, groundingMetadata={"groundingChunks": [{"web": {"uri": "http://a"}}]}),
            parts({"text": "c"}, groundingMetadata={"groundingChunks": [{"web": {"uri": "http://a"}}]}),
        ],
        [
            *text(1, "a"),
            *ran(2, "code_execution", "", "print(1)\n", type="executable_code", language="PYTHON"),
            *result(3, "code_execution", "", "1\n", type="code_execution_result", outcome="OUTCOME_OK"),
            *(start(4, "file", media_type="image/png"), content(4, "eHg="), end(4)),
            *(start(5, "text"), content(5, "b"), *source(6, type="web", url="http://a"), content(5, "c"), end(5)),
        ],
    ),
    "google interactions: messages are told apart": (
        [
            *(step_start(0, type="model_output"), step_delta(0, type="text", text="a"), step_stop(0)),
            *(step_start(1, type="model_output"), step_delta(1, type="text", text="b"), step_stop(1)),
        ],
        [*text(1, "a"), *text(2, "b")],
    ),
    "bedrock: reasoning that was blacked out, then text": (
        [
            *(block_delta(0, reasoningContent={"redactedContent": b"xx"}), block_stop(0)),
            *(block_delta(1, text="a"), block_stop(1), {"messageStop": {"stopReason": "end_turn"}}),
        ],
        [*with_state(reasoning(1, ""), redacted_content="eHg="), *text(2, "a")],
    ),
    "cohere: a plan and a call": (
        [
            v2("tool-plan-delta", None, tool_plan="I will"),
            v2("tool-call-start", 0, tool_calls={"id": "c1", "function": {"name": "f", "arguments": "{}"}}),
            {"type": "tool-call-end", "index": 0},
        ],
        [*with_state(reasoning(1, "I will"), type="tool_plan"), *tool(2, "f", "{}")],
    ),
}


def of_interface(interface: str, events: list[Wire]) -> list[Wire]:
    """The same events, where each state says of which interface it is."""
    return [
        {**event, "payload": {**event["payload"], "state": {"interface": interface, **event["payload"]["state"]}}}
        if "state" in event["payload"]
        else event
        for event in events
    ]


@pytest.mark.parametrize("name", CASES)
def test_blocks_become_segments(name: str) -> None:
    chunks, expected = CASES[name]
    expected = of_interface(name.partition(":")[0].replace(" ", "-"), expected)
    handler = StreamingResponseHandler("native")
    events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
    assert wire(normalize(events)) == expected
    assert [call.id for call in handler.invocations] == [
        event["segment_id"] for event in expected if event.get("segment_type") == "tool_call"
    ]


def test_streamed_arguments_of_google_are_shown_as_they_come() -> None:
    def grown(**function_call: Any) -> dict[str, Any]:
        return parts({"functionCall": {"willContinue": True, **function_call}})

    handler = StreamingResponseHandler("native")
    chunks = [
        grown(name="write_file"),
        grown(partialArgs=[{"jsonPath": "$.path", "stringValue": "a.py"}]),
        grown(partialArgs=[{"jsonPath": "$.content", "stringValue": "x = "}]),
        grown(partialArgs=[{"jsonPath": "$.content", "stringValue": "1\n"}]),
        parts({"functionCall": {}}, finishReason="STOP"),
    ]
    assert [wire(handler.feed(chunk)) for chunk in chunks] == [
        [],
        [],
        [start(1, "write_file", tool_name="write_file", path="a.py"), content(1, "x = ")],
        [content(1, "1\n")],
        [end(1)],
    ]
    assert [call.arguments for call in handler.invocations] == [{"path": "a.py", "content": "x = 1\n"}]


def counted(*chunks: Any) -> tuple[str | None, str | None, Usage | None]:
    reader = Reader()
    for chunk in chunks:
        reader.read(chunk)
    about = reader.about
    return about.model, about.response_id, about.usage


TOKENS = {"input_tokens": 9, "output_tokens": 1, "cache_read_input_tokens": 3}
COUNTS = {"promptTokenCount": 9, "candidatesTokenCount": 4, "thoughtsTokenCount": 2, "totalTokenCount": 15}


def test_what_is_known_of_a_reply_as_a_whole() -> None:
    assert counted(
        {"type": "message_start", "message": {"id": "m", "model": "c", "usage": TOKENS}},
        {"type": "message_delta", "delta": {"stop_reason": None}, "usage": {"output_tokens": 7, "input_tokens": None}},
    ) == ("c", "m", Usage(9, 7, None, 3, provider={**TOKENS, "output_tokens": 7}))
    assert counted(
        {**parts({"text": "a"}), "usageMetadata": {"promptTokenCount": 9}, "modelVersion": "g", "responseId": "r"},
        {"candidates": None, "usageMetadata": COUNTS, "modelVersion": "other", "responseId": "other"},
    ) == ("g", "r", Usage(9, 4, 2, None, 15, provider=COUNTS))
    assert counted({**parts(), "model_version": "g", "response_id": "r", "usage_metadata": None}) == ("g", "r", None)
    assert counted({"metadata": {"usage": {"inputTokens": 9, "outputTokens": 4}}}) == (
        *(None, None),
        Usage(9, 4, provider={"inputTokens": 9, "outputTokens": 4}),
    )
    assert counted(
        {"type": "message-start", "id": "m"},
        {"type": "message-end", "delta": {"usage": {"tokens": {"input_tokens": 9.0}, "cached_tokens": 2}}},
    ) == (None, "m", Usage(9, None, None, 2, provider={"tokens": {"input_tokens": 9.0}, "cached_tokens": 2}))
    assert counted(
        {"event_type": "stream-start", "generation_id": "g"},
        {"event_type": "stream-end", "response": {"meta": {"billed_units": {"output_tokens": 4}}}},
    ) == (None, "g", Usage(None, 4, provider={"output_tokens": 4}))
    assert counted(
        {"model": "l", "message": {"content": "a"}, "done": False, "eval_count": 1},
        {"model": "l", "message": {"content": ""}, "done": True, "prompt_eval_count": 9, "eval_count": 4},
    ) == ("l", None, Usage(9, 4, provider={"prompt_eval_count": 9, "eval_count": 4}))
    totals = {"total_input_tokens": 9, "total_output_tokens": 4, "total_thought_tokens": 2, "total_tokens": 15}
    assert counted(
        {"event_type": "interaction.created", "interaction": {"id": "i", "model": "g"}},
        {**step_delta(0, type="thought_summary"), "metadata": {"total_usage": {"total_input_tokens": 1}}},
        {"event_type": "interaction.status_update", "usage": {"total_output_tokens": 1}},
        {**step_stop(0), "usage": {"total_tokens": 2}},
        {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed", "usage": totals}},
    ) == ("g", "i", Usage(9, 4, 2, None, 15, provider=totals))


def test_another_candidate_may_be_read() -> None:
    reader = Reader(1)
    chunk = {
        "candidates": [{"content": {"parts": [{"text": "a"}]}}, {"index": 1, "content": {"parts": [{"text": "b"}]}}]
    }
    assert [type(delta).__name__ for delta in reader.read(chunk) or ()] == ["OtherChoice", "TextDelta"]
