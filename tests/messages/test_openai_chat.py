"""The messages of Chat Completions: exactly, and valid by the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessageParam
from pydantic import TypeAdapter

from streamparse import RegistryError, Reply
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
