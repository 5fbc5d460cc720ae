"""ResponsesEncoder: the events of OpenAI's Responses, and the response that is not streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

from streamparse import ParserConfig, Reply, ToolSpec
from streamparse.encoders import ResponsesEncoder, ToolItem, chunks
from streamparse.encoders.item_arguments import InputText
from streamparse.invocations import AnyItem
from streamparse.outcome import FinishReason, Outcome, StreamEnd, Usage
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, cuts, items, segment

EVENT: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
TEXT = f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\n"
CUT = CALL[:50]
FRAME: dict[str, Any] = {
    **{"id": "r", "object": "response", "created_at": 1, "model": "m"},
    **{"parallel_tool_calls": True, "tool_choice": "auto", "tools": []},
}


def encoder(**options: Any) -> ResponsesEncoder:
    return ResponsesEncoder(**{"id": "r", "created": 1, "model": "m", "tools": TOOLS, **options})


def masked(value: Any) -> Any:
    """A value with the ids masked that are made up."""
    if isinstance(value, dict):
        return {name: masked(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [masked(inner) for inner in value]
    prefixes = ("msg_", "rs_", "fc_", "ctc_", "lsh_", "call_")
    return next((prefix for prefix in prefixes if isinstance(value, str) and value.startswith(prefix)), value)


def events(stream: list[AnyItem], **options: Any) -> list[dict[str, Any]]:
    """All events, the deltas of a part joined, in the order of their numbers."""
    found: list[dict[str, Any]] = []
    for number, event in enumerate(chunks(stream, encoder(**options))):
        assert event["sequence_number"] == number
        event = masked({name: value for name, value in event.items() if name != "sequence_number"})
        before = found[-1] if found else {}
        if "delta" in event and {**before, "delta": ""} == {**event, "delta": ""}:
            before["delta"] += event["delta"]
        else:
            found.append(event)
    return found


def begin() -> list[dict[str, Any]]:
    response = {**FRAME, "status": "in_progress", "output": []}
    return [{"type": f"response.{name}", "response": response} for name in ("created", "in_progress")]


def item(place: int, added: dict[str, Any], inner: list[dict[str, Any]], done: dict[str, Any]) -> list[dict[str, Any]]:
    about = {"item_id": added["id"], "output_index": place}
    return [
        {"type": "response.output_item.added", "output_index": place, "item": {**added, "status": "in_progress"}},
        *({**event, **about} for event in inner),
        {"type": "response.output_item.done", "output_index": place, "item": {**added, **done}},
    ]


def text_item(content: str, status: str = "completed") -> dict[str, Any]:
    part = {"type": "output_text", "text": content, "annotations": []}
    return {"id": "msg_", "type": "message", "role": "assistant", "content": [part], "status": status}


def text(place: int, content: str, status: str = "completed") -> list[dict[str, Any]]:
    done = text_item(content, status)
    [part] = done["content"]
    at = {"content_index": 0}
    inner = [
        {"type": "response.content_part.added", **at, "part": {**part, "text": ""}},
        {"type": "response.output_text.delta", **at, "delta": content, "logprobs": []},
        {"type": "response.output_text.done", **at, "text": content, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": part},
    ]
    return item(place, {"id": "msg_", "type": "message", "role": "assistant", "content": []}, inner, done)


def reasoning_item(content: str) -> dict[str, Any]:
    part = {"type": "summary_text", "text": content}
    return {"id": "rs_", "type": "reasoning", "summary": [part], "status": "completed"}


def reasoning(place: int, content: str, **more: Any) -> list[dict[str, Any]]:
    done = reasoning_item(content)
    [part] = done["summary"]
    at = {"summary_index": 0}
    inner = [
        {"type": "response.reasoning_summary_part.added", **at, "part": {**part, "text": ""}},
        {"type": "response.reasoning_summary_text.delta", **at, "delta": content},
        {"type": "response.reasoning_summary_text.done", **at, "text": content},
        {"type": "response.reasoning_summary_part.done", **at, "part": part},
    ]
    return item(place, {"id": "rs_", "type": "reasoning", "summary": []}, inner, {**done, **more})


def call_item(name: str, arguments: str, status: str = "completed", call_id: str = "call_") -> dict[str, Any]:
    return {
        **{"id": "fc_", "type": "function_call", "call_id": call_id, "name": name},
        **{"arguments": arguments, "status": status},
    }


def call(place: int, name: str, arguments: str, status: str = "completed") -> list[dict[str, Any]]:
    done = call_item(name, arguments, status)
    inner: list[dict[str, Any]] = [{"type": "response.function_call_arguments.delta", "delta": arguments}]
    if status == "completed":
        inner.append({"type": "response.function_call_arguments.done", "arguments": arguments})
    return item(place, {**done, "arguments": ""}, inner, done)


def end(status: str, *output: dict[str, Any], **more: Any) -> dict[str, Any]:
    response = {**FRAME, "output": list(output), **more, "status": status}
    return {"type": f"response.{status}", "response": response}


LONG = {"incomplete_details": {"reason": "max_output_tokens"}}
FILTERED = {"incomplete_details": {"reason": "content_filter"}}
USAGE = {
    **{"input_tokens": 5, "input_tokens_details": {"cached_tokens": 2, "cache_write_tokens": 0}},
    **{"output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 12},
}
OUTPUT = [
    *(reasoning_item("Hm."), text_item("\n\nHi.")),
    *(call_item("f", '{"s": "x", "n": 1}'), call_item("g", "{}")),
]


def test_every_event_of_a_reply_whatever_its_chunks() -> None:
    outcome = Outcome("stop", usage=Usage(5, 7, 3, 2))
    for cut in cuts(TEXT):
        assert events(items(cut, outcome=outcome)) == [
            *(*begin(), *reasoning(0, "Hm."), *text(1, "\n\nHi."), *call(2, "f", '{"s": "x", "n": 1}')),
            *(*call(3, "g", "{}"), end("completed", *OUTPUT, usage=USAGE)),
        ]


def test_the_whole_response() -> None:
    response = encoder().fold(items(TEXT, outcome=Outcome("stop", usage=Usage(5, 7, 3, 2))))
    assert masked(response) == end("completed", *OUTPUT, usage=USAGE)["response"]


@pytest.mark.parametrize(
    ("content", "reason", "status", "more"),
    [
        ("a", "stop", "completed", {}),
        ("a", "unknown", "completed", {}),
        ("a", "tool_calls", "completed", {}),
        ("a", "pause", "completed", {}),
        ("a", "length", "incomplete", LONG),
        ("a", "cancelled", "incomplete", LONG),
        ("a", "content_filter", "incomplete", FILTERED),
        ("a", "refusal", "incomplete", FILTERED),
        (CALL, "stop", "completed", {}),
        (CALL, "length", "incomplete", LONG),
        (CUT, "stop", "incomplete", LONG),
        (CUT, "content_filter", "incomplete", FILTERED),
    ],
)
def test_how_it_ends(content: str, reason: FinishReason, status: str, more: dict[str, Any]) -> None:
    stream = items(content, outcome=Outcome(reason))
    last = events(stream)[-1]
    assert (last["type"], last["response"]["status"]) == (f"response.{status}", status)
    for response in (last["response"], encoder().fold(stream)):
        assert {name: response[name] for name in response if name not in (*FRAME, "output", "status")} == more


def test_a_reply_without_anything() -> None:
    assert events([StreamEnd(Outcome("stop"))]) == [*begin(), end("completed")]


def test_a_call_that_is_not_complete() -> None:
    stream = items(f"Hi.\n{CUT}")
    done = call_item("f", '{"s": "x', "incomplete")
    assert events(stream) == [
        *(*begin(), *text(0, "Hi."), *call(1, "f", '{"s": "x', "incomplete")),
        end("incomplete", text_item("Hi."), done, **LONG),
    ]
    folded = masked(encoder().fold(stream))
    assert folded["output"] == [text_item("Hi."), text_item('f {"s": "x", "')]


def test_text_that_is_cut_is_not_complete() -> None:
    assert events(items("Hi.")[:2]) == [
        *(*begin(), *text(0, "Hi.", "incomplete"), end("incomplete", text_item("Hi.", "incomplete"), **LONG)),
    ]


def test_calls_at_the_same_time_have_their_places() -> None:
    found = [(event["type"].rpartition(".")[2], event["output_index"]) for event in events(at_once())[2:-1]]
    assert found == [
        *(("added", 0), ("delta", 0), ("added", 1), ("delta", 1), ("delta", 0), ("done", 0), ("done", 0)),
        *(("delta", 1), ("done", 1), ("done", 1)),
    ]


def test_an_error_fails_the_response() -> None:
    stream = items("Hi.", outcome=Outcome("error", error="out of memory"))
    error = {"error": {"code": "server_error", "message": "out of memory"}}
    assert events(stream) == [*begin(), *text(0, "Hi."), end("failed", text_item("Hi."), **error)]
    assert encoder().fold(stream)["status"] == "failed"


def test_a_refusal() -> None:
    stream = [*segment(1, "refusal", "No."), *segment(2, "source"), StreamEnd(Outcome("refusal"))]
    part = {"type": "refusal", "refusal": "No."}
    message = {"id": "msg_", "type": "message", "role": "assistant", "content": [part], "status": "completed"}
    at = {"content_index": 0}
    inner = [
        {"type": "response.content_part.added", **at, "part": {**part, "refusal": ""}},
        {"type": "response.refusal.delta", **at, "delta": "No."},
        {"type": "response.refusal.done", **at, "refusal": "No."},
        {"type": "response.content_part.done", **at, "part": part},
    ]
    assert events(stream) == [*begin(), *item(0, {**message, "content": []}, inner, message), end("completed", message)]
    assert masked(encoder().fold(stream))["output"] == [message]


def test_reasoning_as_the_reasoning_itself() -> None:
    stream = items("<think>Hm.</think>")
    found = events(stream, reasoning="text")
    assert [event["type"] for event in found[2:-1]] == [
        *("response.output_item.added", "response.content_part.added", "response.reasoning_text.delta"),
        *("response.reasoning_text.done", "response.content_part.done", "response.output_item.done"),
    ]
    assert found[-2]["item"]["content"] == [{"type": "reasoning_text", "text": "Hm."}]
    with pytest.raises(ValueError, match=r"^reasoning is one of summary, text, not 'both'$"):
        encoder(reasoning="both")


@pytest.mark.parametrize(
    ("state", "more"),
    [
        ({"interface": "openai-responses", "encrypted_content": "x"}, {"encrypted_content": "x"}),
        ({"interface": "openai-responses", "id": "rs_1"}, {}),
        ({"interface": "google", "encrypted_content": "x"}, {}),
    ],
)
def test_only_what_openai_has_encrypted_goes_with_reasoning(state: dict[str, Any], more: dict[str, Any]) -> None:
    stream = [*segment(1, "reasoning", "Hm.", state=state), StreamEnd(Outcome("stop"))]
    done = {**reasoning_item("Hm."), **more}
    assert events(stream) == [*begin(), *reasoning(0, "Hm.", **more), end("completed", done)]
    assert masked(encoder().fold(stream))["output"] == [done]


def test_usage_is_told_as_its_provider_did() -> None:
    told = {"input_tokens": 1, "input_tokens_details": {}, "x": 4}
    stream: list[AnyItem] = [StreamEnd(Outcome("stop", usage=Usage(1, 2, provider=told)))]
    assert events(stream)[-1] == end("completed", usage=told)


def test_what_is_not_given_is_made_up() -> None:
    response = ResponsesEncoder().fold([StreamEnd(Outcome("stop", usage=Usage(1, total=4)))])
    assert response["id"].startswith("resp_")
    assert response["created_at"] > 1_700_000_000
    assert response["usage"]["total_tokens"] == 4


# -- tools that are no functions ---------------------------------------------------------------------------------------

ONE_TEXT = {"type": "object", "properties": {"input": {"type": "string"}}}
OTHER_TOOLS = [ToolSpec("patch", ONE_TEXT), ToolSpec("sh"), ToolSpec("hub__f")]
ITEMS = {
    "patch": ToolItem("custom_tool_call", "patch"),
    "sh": ToolItem("local_shell_call", "sh"),
    "hub__f": ToolItem("function_call", "f", "hub"),
}


def other(text: str, **options: Any) -> list[AnyItem]:
    return list(Reply([text], "hermes", tools=OTHER_TOOLS, config=ParserConfig(reasoning="closed"), **options))


def others(text: str | list[str]) -> list[dict[str, Any]]:
    """The events, which are valid by the SDK's own types."""
    stream: list[AnyItem] = list(Reply(text, "hermes", tools=OTHER_TOOLS, config=ParserConfig(reasoning="closed")))
    for event in chunks(stream, encoder(tools=OTHER_TOOLS, items=ITEMS)):
        EVENT.validate_python(event)
    return events(stream, tools=OTHER_TOOLS, items=ITEMS)


def written(name: str, arguments: str) -> str:
    return f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'


def custom_item(text: str, status: str = "completed") -> dict[str, Any]:
    return {
        **{"id": "ctc_", "type": "custom_tool_call", "call_id": "call_", "name": "patch"},
        **{"input": text, "status": status},
    }


def test_a_call_of_a_custom_tool_is_a_plain_text() -> None:
    text = '*** Begin "é"\n\\ \U0001f389\n'
    call = written("patch", json.dumps({"input": text}))
    inner = [
        {"type": "response.custom_tool_call_input.delta", "delta": text},
        {"type": "response.custom_tool_call_input.done", "input": text},
    ]
    done = custom_item(text)
    for cut in cuts(call):
        assert others(cut) == [*begin(), *item(0, {**done, "input": ""}, inner, done), end("completed", done)]
    assert masked(encoder(tools=OTHER_TOOLS, items=ITEMS).fold(other(call)))["output"] == [done]


def test_a_call_of_a_local_shell_is_an_item_when_it_is_complete() -> None:
    arguments = '{"command": ["ls"], "timeout_ms": 5, "why": "I must"}'
    action: dict[str, Any] = {"type": "exec", "command": [], "env": {}}
    added = {"id": "lsh_", "type": "local_shell_call", "call_id": "call_", "action": action}
    done = {**added, "action": {**action, "command": ["ls"], "timeout_ms": 5}, "status": "completed"}
    for cut in cuts(written("sh", arguments)):
        assert others(cut) == [*begin(), *item(0, added, [], done), end("completed", done)]
    assert masked(encoder(tools=OTHER_TOOLS, items=ITEMS).fold(other(written("sh", arguments))))["output"] == [done]


def test_a_tool_of_a_namespace_has_its_own_name() -> None:
    done = {**call_item("f", "{}"), "namespace": "hub"}
    assert others(written("hub__f", "{}"))[-1] == end("completed", done)


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ('<tool_call>{"name": "patch", "arguments": {"input": "*** Be', "patch", "*** Be"),
        (written("patch", '{"input": "a", "more": 1}'), "patch", "a"),
        (written("patch", '{"text": "a"}'), "patch", ""),
        (written("patch", '{"input": 7}'), "patch", ""),
        ('<tool_call>{"name": "sh", "arguments": {"command": ["r', "sh", ""),
        (written("sh", "{}"), "sh", ""),
        (written("sh", '{"command": "rm -r a"}'), "sh", ""),
        (written("sh", '{"command": ["rm", 7]}'), "sh", ""),
        (written("sh", '{"command": []}'), "sh", ""),
    ],
)
def test_such_a_call_that_is_not_whole_is_never_done(text: str, name: str, shown: str) -> None:
    for cut in cuts(text):
        found = others(cut)
        types = [event["type"] for event in found]
        assert "response.output_item.done" not in types
        assert not any(kind.endswith("input.done") for kind in types)
        [told] = found[-1]["response"]["output"]
        assert (types[-1], told["status"]) == ("response.incomplete", "incomplete")
        assert told.get("input", "") == shown if len(cut) > 1 else shown.startswith(told.get("input", ""))
        assert told["type"] == ITEMS[name].type


def test_a_plain_text_cannot_be_taken_back() -> None:
    stream = InputText()
    assert (stream.feed({"input": "a"}), stream.feed({"input": "b"}), stream.feed({"input": "ac"})) == ("a", "", "c")
    assert (stream.text, stream.finish({"input": "acd"}), stream.text) == ("ac", "d", "acd")
    assert (stream.finish({"input": "b"}), stream.text) == ("", "b")


def test_of_a_text_that_is_written_twice_the_second_counts() -> None:
    """However it is cut. What was told of the first stays told, and what tells the call whole has the second."""
    call = written("patch", '{"input": "first", "input": "second"}')
    done = custom_item("second")
    for cut in cuts(call):
        found = others(cut)
        assert found[-1] == end("completed", done)
        [told] = [event for event in found if event["type"] == "response.custom_tool_call_input.done"]
        assert told["input"] == "second"
    assert masked(encoder(tools=OTHER_TOOLS, items=ITEMS).fold(other(call)))["output"] == [done]


def test_what_tells_a_call_whole_has_an_argument_once_that_is_written_twice() -> None:
    """Some clients refuse JSON with a name in it twice."""
    done = {**call_item("f", '{"a": 2, "b": 3}'), "namespace": "hub"}
    for cut in cuts(written("hub__f", '{"a": 1, "a": 2, "b": 3}')):
        found = others(cut)
        assert found[-1] == end("completed", done)
        [told] = [event for event in found if event["type"] == "response.function_call_arguments.done"]
        assert told["arguments"] == '{"a": 2, "b": 3}'
        deltas = [event["delta"] for event in found if event["type"] == "response.function_call_arguments.delta"]
        assert json.loads("".join(deltas)) == {"a": 2, "b": 3}


def test_what_is_encoded_is_read_back() -> None:
    reply = Reply(chunks(items(TEXT), encoder()), tools=TOOLS).read()
    assert (reply.text, reply.reasoning) == ("\n\nHi.", "Hm.")
    assert [(made.name, made.arguments, made.status) for made in reply.calls] == [
        ("f", {"s": "x", "n": 1}, "complete"),
        ("g", {}, "complete"),
    ]
    assert reply.outcome is not None
    assert reply.outcome.response_id == "r"
