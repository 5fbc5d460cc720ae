"""OpenAIEncoder: the chunks of Chat Completions, and the response that is not streamed."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import Reply, ToolInvocation
from streamparse.encoders import OpenAIEncoder, chunks
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import FinishReason, Outcome, StreamEnd, Usage
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, cuts, items, segment

TEXT = f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\n"
CUT = CALL[:50]
FRAME = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def encoder(**options: Any) -> OpenAIEncoder:
    return OpenAIEncoder(**{"id": "r", "created": 1, "model": "m", "tools": TOOLS, **options})


def deltas(stream: list[AnyItem], **options: Any) -> list[Any]:
    """The delta of each chunk, or its finish_reason, or what else there is; the pieces of a field are joined."""
    found: list[Any] = []
    for chunk in chunks(stream, encoder(**options)):
        if not chunk.get("choices"):
            found.append({name: value for name, value in chunk.items() if name not in FRAME})
            continue
        assert {name: chunk[name] for name in FRAME} == FRAME
        [choice] = chunk["choices"]
        delta = choice["delta"]
        if choice["finish_reason"] is not None:
            delta = {**delta, "finish_reason": choice["finish_reason"]}
        found.append(delta)
    return found


def joined(stream: list[AnyItem], **options: Any) -> dict[str, Any]:
    """What a client makes of the chunks."""
    whole: dict[str, Any] = {}
    calls: dict[int, dict[str, Any]] = {}
    for delta in deltas(stream, **options):
        for call in delta.pop("tool_calls", ()):
            known = calls.setdefault(call["index"], {"arguments": ""})
            known |= {name: value for name, value in call.items() if name in ("id", "type")}
            known |= {name: value for name, value in call["function"].items() if name == "name"}
            known["arguments"] += call["function"]["arguments"]
        for name, value in delta.items():
            whole[name] = whole[name] + value if name in whole else value
    return {**whole, "tool_calls": list(calls.values())} if calls else whole


def without_ids(message: dict[str, Any]) -> dict[str, Any]:
    for call in message.get("tool_calls", ()):
        assert call.pop("id").startswith("call_")
    return message


def test_every_chunk_of_a_reply() -> None:
    found = deltas(items(TEXT, outcome=Outcome("stop", usage=Usage(5, 7, 3, 2))))
    first, second = found[2]["tool_calls"][0].pop("id"), found[5]["tool_calls"][0].pop("id")
    assert first != second
    assert first[:5] == second[:5] == "call_"
    assert found == [
        {"role": "assistant", "reasoning_content": "Hm."},
        {"content": "\n\nHi."},
        {"tool_calls": [{"index": 0, "type": "function", "function": {"name": "f", "arguments": ""}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"s": "x", "n": 1'}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]},
        {"tool_calls": [{"index": 1, "type": "function", "function": {"name": "g", "arguments": ""}}]},
        {"tool_calls": [{"index": 1, "function": {"arguments": "{"}}]},
        {"tool_calls": [{"index": 1, "function": {"arguments": "}"}}]},
        {"finish_reason": "tool_calls"},
        {
            "choices": [],
            "usage": {
                **{"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12},
                "prompt_tokens_details": {"cached_tokens": 2},
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
        },
    ]


def test_all_chunks_together_are_the_same_whatever_the_chunks_of_the_reply() -> None:
    for text in (TEXT, f"a\n\n```json\n{CALL}\n```\nb", f"{EMPTY_CALL} {CUT}"):
        whole, *others = [without_ids(joined(items(cut))) for cut in cuts(text)]
        assert others == [whole, whole]


def test_the_whole_response() -> None:
    response = encoder().fold(items(TEXT, outcome=Outcome("stop", usage=Usage(5, 7, total=13))))
    without_ids(response["choices"][0]["message"])
    functions = [{"name": "f", "arguments": '{"s": "x", "n": 1}'}, {"name": "g", "arguments": "{}"}]
    message = {
        **{"role": "assistant", "content": "\n\nHi.", "reasoning_content": "Hm."},
        "tool_calls": [{"type": "function", "function": function} for function in functions],
    }
    assert response == {
        **FRAME,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 13},
    }


@pytest.mark.parametrize(
    ("text", "reason", "expected"),
    [
        ("a", "stop", "stop"),
        ("a", "unknown", "stop"),
        ("a", "tool_calls", "stop"),
        ("a", "pause", "stop"),
        ("a", "length", "length"),
        ("a", "cancelled", "length"),
        ("a", "content_filter", "content_filter"),
        ("a", "refusal", "content_filter"),
        (CALL, "stop", "tool_calls"),
        (CALL, "tool_calls", "tool_calls"),
        (CALL, "unknown", "tool_calls"),
        (CALL, "length", "length"),
        (CALL, "content_filter", "content_filter"),
        (CUT, "stop", "length"),
        (CUT, "tool_calls", "length"),
        (CUT, "content_filter", "content_filter"),
        (CALL + CUT, "stop", "length"),
    ],
)
def test_the_reason_of_the_end(text: str, reason: FinishReason, expected: str) -> None:
    stream = items(text, outcome=Outcome(reason))
    assert deltas(stream)[-1] == {"finish_reason": expected}
    assert encoder().fold(stream)["choices"][0]["finish_reason"] == expected


def test_a_reply_without_anything() -> None:
    assert deltas([StreamEnd(Outcome("stop"))]) == [{"role": "assistant", "finish_reason": "stop"}]
    message = encoder().fold([StreamEnd(Outcome("stop"))])["choices"][0]["message"]
    assert message == {"role": "assistant", "content": ""}


def test_a_reply_that_is_left() -> None:
    made = encoder()
    stream = items("Hi. ")
    assert [chunk["choices"][0]["delta"] for item in stream[:2] for chunk in made.encode(item)] == [
        {"role": "assistant", "content": "Hi."}
    ]
    assert [chunk["choices"][0] for chunk in made.finish()] == [
        {"index": 0, "delta": {"content": " "}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "length"},
    ]
    assert made.finish() == []


def test_a_call_that_is_not_complete_is_text_of_the_whole_response() -> None:
    choice = encoder().fold(items(f"Hi.\n{CALL}{CUT}"))["choices"][0]
    without_ids(choice["message"])
    function = {"name": "f", "arguments": '{"s": "x", "n": 1}'}
    assert choice == {
        "index": 0,
        "message": {
            **{"role": "assistant", "content": 'Hi.\n\nf {"s": "x", "'},
            "tool_calls": [{"type": "function", "function": function}],
        },
        "finish_reason": "length",
    }


def test_an_error_ends_the_stream() -> None:
    made = encoder()
    stream = items("Hi.", outcome=Outcome("error", error="out of memory"))
    error = {"error": {"message": "out of memory", "type": "server_error", "param": None, "code": None}}
    assert list(chunks(stream, made))[1:] == [error]
    assert made.last_frame == ""
    assert encoder().fold(stream) == error
    unknown = encoder().fold([StreamEnd(Outcome("error"))])
    assert unknown["error"]["message"] == "the provider reported an error"


def test_frames() -> None:
    made = encoder()
    assert made.frame({"a": "é\ud83d"}) == 'data: {"a": "\\u00e9\\ud83d"}\n\n'
    assert made.last_frame == "data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("reasoning_content", {"reasoning_content": "Hm."}),
        ("reasoning", {"reasoning": "Hm."}),
        ("both", {"reasoning_content": "Hm.", "reasoning": "Hm."}),
    ],
)
def test_the_field_of_reasoning(field: str, expected: dict[str, str]) -> None:
    stream = items("<think>Hm.</think>Hi.")
    assert deltas(stream, reasoning=field)[0] == {"role": "assistant", **expected}
    message = encoder(reasoning=field).fold(stream)["choices"][0]["message"]
    assert message == {"role": "assistant", "content": "Hi.", **expected}


def test_a_field_that_no_client_reads() -> None:
    with pytest.raises(ValueError, match=r"^reasoning is one of reasoning_content, reasoning, both, not 'thoughts'$"):
        encoder(reasoning="thoughts")


def test_two_thoughts_in_a_row_are_two_paragraphs() -> None:
    thoughts = [*segment(1, "reasoning", "a"), *segment(2, "reasoning", "b")]
    stream = [*thoughts, *segment(3, "text", "c"), *segment(4, "reasoning", "d")]
    assert deltas(stream)[:-1] == [
        {"role": "assistant", "reasoning_content": "a"},
        {"reasoning_content": "\n\n"},
        *({"reasoning_content": "b"}, {"content": "c"}, {"reasoning_content": "d"}),
    ]
    assert encoder().fold(stream)["choices"][0]["message"] == {
        "role": "assistant",
        "content": "c",
        "reasoning_content": "a\n\nb\n\nd",
    }


def test_text_that_turned_out_to_be_reasoning() -> None:
    stream = [*segment(1, "text", "Hm.", reasoning=True), *segment(2, "text", "Hi.")]
    assert joined(stream) == {"role": "assistant", "content": "Hm.Hi.", "finish_reason": "length"}
    assert encoder().fold(stream)["choices"][0]["message"] == {
        "role": "assistant",
        "content": "Hi.",
        "reasoning_content": "Hm.",
    }


def test_a_refusal() -> None:
    stream = [*segment(1, "refusal", "I ", "won't."), StreamEnd(Outcome("refusal"))]
    assert deltas(stream) == [{"role": "assistant", "refusal": "I won't."}, {"finish_reason": "stop"}]
    choice = encoder().fold(stream)["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["message"] == {"role": "assistant", "content": "", "refusal": "I won't."}


def test_what_has_no_place_is_left_out() -> None:
    stream = [*segment(1, "source"), *segment(2, "note", "x"), ToolLifecycle("running", "seg_3", "f")]
    assert deltas(stream) == [{"role": "assistant", "finish_reason": "length"}]
    assert encoder().fold(stream)["choices"][0]["message"] == {"role": "assistant", "content": ""}


def test_ids_of_the_model_are_kept_unless_two_are_the_same() -> None:
    calls = [ToolInvocation(f"seg_{number}", "f", call_id=own) for number, own in enumerate(["a", "a", None, ""])]
    ids = [call["id"] for call in joined(list(calls))["tool_calls"]]
    assert ids[0] == "a"
    assert len(set(ids)) == 4
    assert [name[:5] for name in ids[1:]] == ["call_"] * 3
    folded = encoder().fold([*calls, StreamEnd(Outcome("stop"))])["choices"][0]["message"]
    assert [call["id"][:5] for call in folded["tool_calls"]] == ["a", "call_", "call_", "call_"]


def test_usage_is_told_as_its_provider_did() -> None:
    told = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, "x": 4}
    stream: list[AnyItem] = [StreamEnd(Outcome("stop", usage=Usage(1, 2, provider=told)))]
    assert deltas(stream)[-1] == {"choices": [], "usage": told}
    assert deltas(stream, usage=False) == [{"role": "assistant", "finish_reason": "stop"}]


def test_the_place_of_a_choice_and_other_fields() -> None:
    [chunk] = list(chunks([StreamEnd(Outcome("stop"))], encoder(index=2, extra={"system_fingerprint": "fp"})))
    assert (chunk["choices"][0]["index"], chunk["system_fingerprint"]) == (2, "fp")


def test_what_is_not_given_is_made_up() -> None:
    [chunk] = list(chunks([StreamEnd(Outcome("stop"))], OpenAIEncoder()))
    assert chunk["id"].startswith("chatcmpl-")
    assert chunk["created"] > 1_700_000_000
    assert chunk["model"] == ""


def test_what_is_encoded_is_read_back() -> None:
    reply = Reply(chunks(items(TEXT), encoder()), tools=TOOLS).read()
    assert (reply.text, reply.reasoning) == ("\n\nHi.", "Hm.")
    assert [(call.name, call.arguments, call.status) for call in reply.calls] == [
        ("f", {"s": "x", "n": 1}, "complete"),
        ("g", {}, "complete"),
    ]
    assert reply.outcome == Outcome("tool_calls", "tool_calls", model="m", response_id="r")
