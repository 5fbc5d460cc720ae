"""The messages of Chat Completions: exactly, and valid by the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessageParam
from pydantic import TypeAdapter

from streamparse import Chunk, RegistryError, Reply
from tests.providers.cases import call, calls, chat

PARAM: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageParam)


def messages(chunks: list[Any], results: Any = ()) -> list[dict[str, Any]]:
    reply = Reply(chunks)
    list(reply)
    built = reply.messages("openai", results)
    for message in built:
        PARAM.validate_python(message)
    return built


def function(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_text_alone() -> None:
    assert messages([chat(content="Hi"), chat("stop")]) == [{"role": "assistant", "content": "Hi"}]
    assert messages([chat("stop")]) == [{"role": "assistant", "content": ""}]


def test_calls_and_results() -> None:
    chunks = [
        chat(content="Look."),
        calls(call(0, "c1", "f", '{"a":  1}'), call(1, "c2", "write_file", '{"path": "a", "content": "x"}')),
        chat("tool_calls"),
    ]
    assert messages(chunks, ["one", {"n": 2}]) == [
        {
            "role": "assistant",
            "content": "Look.",
            "tool_calls": [
                function("c1", "f", '{"a":  1}'),
                function("c2", "write_file", '{"path": "a", "content": "x"}'),
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
        {"role": "tool", "tool_call_id": "c2", "content": '{"n": 2}'},
    ]


def test_arguments_that_are_no_object_go_back_as_far_as_they_were_read() -> None:
    chunks = [calls(call(0, "c1", "f", '{"a": 1, "b')), chat("length")]
    assert messages(chunks) == [
        {"role": "assistant", "content": None, "tool_calls": [function("c1", "f", '{"a": 1}')]},
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": "The call was not run: the reply was cut off: it reached its limit of tokens.",
        },
    ]


@pytest.mark.parametrize("name", ["sql", "run_bash"])
def test_a_custom_tool(name: str) -> None:
    custom = {"name": name, "input": "select\n1"}
    chunks = [calls({"index": 0, "id": "c1", "type": "custom", "custom": custom}), chat("tool_calls")]
    assert messages(chunks, ["1"]) == [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "custom", "custom": custom}]},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
    ]


def test_what_must_go_back() -> None:
    details = [{"type": "reasoning.text", "index": 0, "text": "Hm", "signature": "s"}]
    signed = {"extra_content": {"google": {"thought_signature": "eHg="}}}
    chunks = [
        chat(reasoning="Hm", reasoning_details=details),
        calls({**call(0, "c1", "f", "{}"), **signed}),
        chat("tool_calls"),
    ]
    assert messages(chunks, ["ok"])[0] == {
        "role": "assistant",
        "content": None,
        "reasoning_details": details,
        "tool_calls": [{**function("c1", "f", "{}"), **signed}],
    }


THOUGHT = chat(reasoning_content="Hm")
CALL = calls(call(0, "c1", "f", "{}"))
CALLED = {"role": "assistant", "content": None, "tool_calls": [function("c1", "f", "{}")]}


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_before_a_call_goes_back_in_the_field_that_it_came_in(field: str) -> None:
    chunks = [chat(**{field: "H"}), chat(**{field: "m"}), CALL, chat("tool_calls")]
    assert messages(chunks, ["ok"]) == [
        {**CALLED, field: "Hm"},
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
    ]


def test_reasoning_goes_back_from_a_whole_message() -> None:
    said = {"content": "Look.", "reasoning_content": "Hm", "tool_calls": [call(0, "c1", "f", "{}")]}
    reply = {"choices": [{"index": 0, "message": said, "finish_reason": "tool_calls"}]}
    assert messages([reply], ["ok"])[0] == {**CALLED, "content": "Look.", "reasoning_content": "Hm"}


def test_reasoning_without_calls_does_not_go_back() -> None:
    assert messages([THOUGHT, chat(content="Hi"), chat("stop")]) == [{"role": "assistant", "content": "Hi"}]
    assert messages([THOUGHT, calls({"index": 0}), chat("stop")]) == [{"role": "assistant", "content": ""}]


def test_reasoning_in_both_fields_goes_back_once() -> None:
    chunks = [chat(reasoning="Hm", reasoning_content="Hm"), CALL, chat("tool_calls")]
    assert messages(chunks, ["ok"])[0] == {**CALLED, "reasoning_content": "Hm"}


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_details_go_back_instead_of_what_they_say(field: str) -> None:
    details = [{"type": "reasoning.text", "index": 0, "text": "Hm"}]
    chunks = [chat(**{field: "Hm"}, reasoning_details=details), CALL, chat("tool_calls")]
    assert messages(chunks, ["ok"])[0] == {**CALLED, "reasoning_details": details}


def test_reasoning_between_calls_goes_back_with_that_before_them() -> None:
    chunks = [CALL, chat(reasoning_content="Oh"), calls(call(1, "c2", "g", "{}")), chat("tool_calls")]
    both = {**CALLED, "tool_calls": [function("c1", "f", "{}"), function("c2", "g", "{}")]}
    assert messages([THOUGHT, *chunks], ["1", "2"])[0] == {**both, "reasoning_content": "HmOh"}
    assert messages(chunks, ["1", "2"])[0] == {**both, "reasoning_content": "Oh"}


def test_a_call_that_the_server_ran_does_not_keep_the_reasoning() -> None:
    ran = calls(call(0, "srvtoolu_1", "web_search", "{}"))
    assert messages([THOUGHT, ran, calls(call(1, "c1", "f", "{}")), chat("tool_calls")], ["ok"])[0] == {
        **CALLED,
        "reasoning_content": "Hm",
    }
    assert messages([THOUGHT, ran, chat("stop")]) == [{"role": "assistant", "content": ""}]


WRITTEN = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'


@pytest.mark.parametrize("chunks", [[chat(content=f"<think>Hm</think>{WRITTEN}")], [THOUGHT, chat(content=WRITTEN)]])
def test_reasoning_does_not_go_back_if_it_or_the_call_stood_in_the_text(chunks: list[Any]) -> None:
    reply = Reply(chunks, "hermes").read()
    assert reply.reasoning == "Hm"
    assert reply.messages("openai", ["ok"])[0] == {**CALLED, "tool_calls": [function("call_1", "f", "{}")]}


def test_only_the_reasoning_that_came_in_the_field_goes_back() -> None:
    reply = Reply([THOUGHT, chat(content="<think>Oh</think>"), CALL], "hermes").read()
    assert [segment.content for segment in reply.segments if segment.type == "reasoning"] == ["Hm", "Oh"]
    assert reply.messages("openai", ["ok"])[0] == {**CALLED, "reasoning_content": "Hm"}


def test_a_chunk_of_our_own_has_no_field_of_a_servers() -> None:
    chunk = Chunk(reasoning="Hm", tool_calls=[call(0, "c1", "f", "{}")])
    assert messages([chunk], ["ok"])[0] == CALLED


def test_a_refusal() -> None:
    assert messages([chat(refusal="No."), chat("stop")]) == [{"role": "assistant", "content": "", "refusal": "No."}]


def test_calls_without_ids() -> None:
    reply = Reply('<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>', "hermes")
    list(reply)
    assert reply.messages("openai", ["ok"]) == [
        {"role": "assistant", "content": None, "tool_calls": [function("call_1", "f", '{"a": 1}')]},
        {"role": "tool", "tool_call_id": "call_1", "content": "ok"},
    ]


def test_an_unknown_dialect() -> None:
    reply = Reply("Hi")
    list(reply)
    with pytest.raises(RegistryError, match="is no dialect"):
        reply.messages("opneai")


def test_arguments_that_are_json_but_no_object() -> None:
    chunks = [calls(call(0, "c1", "f", "[1]")), chat("tool_calls")]
    [message, _] = messages(chunks)
    assert message["tool_calls"] == [function("c1", "f", "{}")]


@pytest.mark.parametrize(
    ("written", "format", "arguments"),
    [
        ('{"name": "search", "arguments": {"q": "cats"}}', "json", '{"q": "cats"}'),
        (
            '<write_file path="p.json">{"name": "x"}</write_file>',
            "xml",
            '{"path": "p.json", "content": "{\\"name\\": \\"x\\"}"}',
        ),
        ('<tool_call>{"name": "f", "arguments": {"a":  1}}</tool_call>', "hermes", '{"a":  1}'),
    ],
)
def test_the_arguments_of_text_formats_are_those_of_the_call(written: str, format: str, arguments: str) -> None:
    [message, _] = Reply(written, format).read().messages("openai", ["ok"])
    assert message["tool_calls"][0]["function"]["arguments"] == arguments


def test_results_stand_in_the_order_of_the_calls() -> None:
    chunks = [
        calls(call(0, "c1", "w", '{"city": "Os')),
        calls(call(1, "c2", "w", '{"city": "Rome"}')),
        chat(content="x"),
        calls(call(0, None, None, 'lo"}')),
        chat("tool_calls"),
    ]
    reply = Reply(chunks).read()
    assert [made.arguments["city"] for made in reply.calls] == ["Rome", "Oslo"]
    found = reply.messages("openai", [made.arguments["city"] for made in reply.calls])
    assert [message.get("content") for message in found[1:]] == ["Oslo", "Rome"]
    google = reply.messages("google", [made.arguments["city"] for made in reply.calls])
    assert [part["functionResponse"]["response"]["output"] for part in google[1]["parts"]] == ["Oslo", "Rome"]
