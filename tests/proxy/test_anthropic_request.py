"""anthropic_request.py: what Claude Code asks for, as a chat server can be asked for it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from anthropic.types import MessageParam
from pydantic import TypeAdapter

from streamparse.errors import RequestError
from streamparse.proxy.anthropic_request import to_chat
from tests import seeds
from tests.messages.test_anthropic import drained
from tests.proxy.kit import check_chat, from_anthropic

MESSAGE: TypeAdapter[Any] = TypeAdapter(MessageParam)
CACHE = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = {"name": "weather", "description": "The weather.", "input_schema": SCHEMA}
SEARCH = {"type": "web_search_20250305", "name": "web_search", "max_uses": 8}
PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "eA=="}}
PNG_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}}


def text(content: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": content, **more}


def use(call_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def chat_call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def chat(*messages: Any, **fields: Any) -> list[dict[str, Any]]:
    """The messages of the chat body for these messages."""
    body = to_chat({"model": "m", "max_tokens": 9, "messages": list(messages), **fields})
    made: list[dict[str, Any]] = check_chat(body)["messages"]
    return made


def test_a_request_of_claude_code() -> None:
    body = from_anthropic(
        model="qwen3-coder",
        max_tokens=32000,
        system=[
            text("x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=36ee5;"),
            text("You are Claude Code.", **CACHE),
            text("Be brief.", **CACHE),
        ],
        messages=[
            user(text("<system-reminder>…</system-reminder>"), text("How warm is it in Oslo?", **CACHE)),
            assistant(
                {"type": "thinking", "thinking": "A tool will do.", "signature": "EqQB"},
                {"type": "redacted_thinking", "data": "xx"},
                text("Let me see."),
                use("toolu_1", "weather", city="Oslo"),
                use("toolu_2", "Read", file_path="/a"),
            ),
            user(
                result("toolu_1", "12 degrees"),
                result("toolu_2", [text("no such file")], is_error=True, **CACHE),
                text("And?"),
            ),
        ],
        tools=[
            {**WEATHER, **CACHE},
            {"name": "Read", "input_schema": {"type": "object"}, "type": "custom", "strict": True},
            SEARCH,
        ],
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
        thinking={"type": "enabled", "budget_tokens": 31999},
        output_config={"effort": "high"},
        metadata={"user_id": "u"},
        stop_sequences=["\n\nHuman:"],
        extra_body={"temperature": 1, "top_p": 0.9, "top_k": 5, "context_management": {"edits": []}},
        stream=True,
    )
    assert check_chat(to_chat(body)) == {
        "model": "qwen3-coder",
        "max_tokens": 32000,
        "temperature": 1,
        "top_p": 0.9,
        "messages": [
            {"role": "system", "content": "You are Claude Code.\n\nBe brief."},
            {"role": "user", "content": "<system-reminder>…</system-reminder>\n\nHow warm is it in Oslo?"},
            {
                "role": "assistant",
                "content": "Let me see.",
                "reasoning_content": "A tool will do.",
                "tool_calls": [
                    chat_call("toolu_1", "weather", '{"city": "Oslo"}'),
                    chat_call("toolu_2", "Read", '{"file_path": "/a"}'),
                ],
            },
            {"role": "tool", "tool_call_id": "toolu_1", "content": "12 degrees"},
            {"role": "tool", "tool_call_id": "toolu_2", "content": "Error: no such file"},
            {"role": "user", "content": "And?"},
        ],
        "stop": ["\n\nHuman:"],
        "stream": True,
        "stream_options": {"include_usage": True},
        "reasoning_effort": "high",
        "tools": [
            {
                "type": "function",
                "function": {"name": "weather", "description": "The weather.", "parameters": SCHEMA},
            },
            {"type": "function", "function": {"name": "Read", "parameters": {"type": "object"}, "strict": True}},
        ],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
    }


def test_the_smallest_request() -> None:
    body = from_anthropic(model="m", max_tokens=1, messages=[{"role": "user", "content": "Hi"}])
    assert check_chat(to_chat(body)) == {
        "model": "m",
        "max_tokens": 1,
        "messages": [{"role": "user", "content": "Hi"}],
    }


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("Be brief.", "Be brief."),
        ("x-anthropic-billing-header: cch=1;\nBe brief.", "Be brief."),
        ("x-anthropic-billing-header: cch=1;", None),
        ("", None),
        ([], None),
    ],
)
def test_the_system_prompt(system: Any, told: str | None) -> None:
    expected = [] if told is None else [{"role": "system", "content": told}]
    assert chat(user(text("Hi")), system=system) == [*expected, {"role": "user", "content": "Hi"}]


def test_what_a_system_says_later_goes_to_the_user() -> None:
    later = {"role": "system", "content": "Now in French."}
    assert chat(later, user(text("Hi")), {"role": "system", "content": [text("Wait.")]}, assistant(text("Oui"))) == [
        {"role": "system", "content": "Now in French."},
        {"role": "user", "content": "Hi\n\nWait."},
        {"role": "assistant", "content": "Oui"},
    ]


def test_images_and_documents() -> None:
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "eA=="}
    found = {"type": "search_result", "title": "T", "source": "http://a", "content": [text("a"), text("b")]}
    assert chat(
        user(
            text("Look:"),
            PNG,
            {"type": "image", "source": {"type": "url", "url": "http://a/b.png"}},
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "D"}, "title": "A"},
            {"type": "document", "source": {"type": "content", "content": [text("C"), PNG]}, "context": "B"},
            {"type": "document", "source": {"type": "content", "content": "E"}},
            {"type": "document", "source": pdf, "title": "x.pdf"},
            {"type": "document", "source": pdf},
            found,
        )
    ) == [
        {
            "role": "user",
            "content": [
                *(text("Look:"), PNG_PART, {"type": "image_url", "image_url": {"url": "http://a/b.png"}}),
                *(text("A"), text("D"), text("B"), text("C"), PNG_PART, text("E"), text("x.pdf")),
                *(
                    {"type": "file", "file": {"filename": name, "file_data": "data:application/pdf;base64,eA=="}}
                    for name in ("x.pdf", "document")
                ),
                text("T\nhttp://a\na\nb"),
            ],
        }
    ]


def test_images_of_results_follow_behind_them() -> None:
    assert chat(
        assistant(use("a", "f"), use("b", "f"), use("c", "f"), use("d", "f")),
        user(
            result("a", [text("one"), PNG, text("two")]),
            result("b", [PNG], is_error=True),
            result("c", None),
            result("d", [{"type": "tool_reference", "tool_name": "g"}]),
        ),
        assistant(text("I see.")),
    ) == [
        {"role": "assistant", "content": None, "tool_calls": [chat_call(one, "f", "{}") for one in "abcd"]},
        {"role": "tool", "tool_call_id": "a", "content": "one\n\ntwo"},
        {"role": "tool", "tool_call_id": "b", "content": "Error: "},
        {"role": "tool", "tool_call_id": "c", "content": ""},
        {"role": "tool", "tool_call_id": "d", "content": "The tool g is there."},
        {
            "role": "user",
            "content": [
                *(text("What the call a resulted in:"), PNG_PART),
                *(text("What the call b resulted in:"), PNG_PART),
            ],
        },
        {"role": "assistant", "content": "I see."},
    ]


def test_what_the_assistant_said() -> None:
    searched = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
    ]
    thought = {"type": "thinking", "thinking": "Hm", "signature": "x"}
    assert chat(
        user(text("a")),
        assistant(thought, text("It is "), text("12", citations=[]), *searched, text("Bye")),
        assistant(text("More")),
        user(),
        assistant(),
        user(text("b")),
    ) == [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "It is 12\n\nBye\n\nMore"},
        {"role": "user", "content": ""},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "b"},
    ]


FUNCTION = {"type": "function", "function": {"name": "weather", "description": "The weather.", "parameters": SCHEMA}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"tools": []}, {}),
        ({"tools": [], "tool_choice": {"type": "auto"}}, {}),
        ({"tools": [WEATHER]}, {"tools": [FUNCTION]}),
        (
            {"tools": [SEARCH, WEATHER], "tool_choice": {"type": "any"}},
            {"tools": [FUNCTION], "tool_choice": "required"},
        ),
        ({"tools": [WEATHER], "tool_choice": {"type": "none"}}, {"tools": [FUNCTION], "tool_choice": "none"}),
        (
            {
                "tools": [WEATHER],
                "tool_choice": {"type": "tool", "name": "weather", "disable_parallel_tool_use": False},
            },
            {"tools": [FUNCTION], "tool_choice": {"type": "function", "function": {"name": "weather"}}},
        ),
        (
            {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "output", "schema": SCHEMA, "strict": True},
                }
            },
        ),
        ({"output_config": None, "stream": False, "stop_sequences": []}, {}),
    ],
)
def test_tools_and_output(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    body = {"model": "m", "max_tokens": 9, "messages": []}
    assert check_chat(to_chat({**body, **fields})) == {**body, **expected}


def body_with(*blocks: Any, role: str = "user", **fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": list(blocks)}], **fields}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "the body must be a JSON object"),
        ({}, "messages must be a list"),
        ({"messages": ["Hi"]}, "messages.0: the role None is not known"),
        (body_with(role="robot"), "messages.0: the role 'robot' is not known"),
        ({"messages": [{"role": "user"}]}, "messages.0.content must be a text or a list of blocks"),
        (body_with("Hi"), "messages.0.content.0 must be a block"),
        (body_with({"type": "text"}), "messages.0.content.0.text must be a text"),
        ({"messages": [], "system": [{"type": "text"}]}, "system.0.text must be a text"),
        (
            body_with(text("a"), {"type": "container_upload", "file_id": "f"}),
            "messages.0.content.1: a block of type 'container_upload' cannot be passed on to this model server",
        ),
        (
            body_with({"type": "compaction", "content": "…"}, role="assistant"),
            "messages.0.content.0: a block of type 'compaction' cannot be passed on to this model server",
        ),
        (
            body_with(result("a", [{"type": "image", "source": {"type": "file", "file_id": "f"}}])),
            "messages.0.content.0.content.0.source: an image must be given as base64 or by its url",
        ),
        (
            body_with({"type": "document", "source": {"type": "url", "url": "http://a"}}),
            "messages.0.content.0.source: a document must be given as text, as content or as base64",
        ),
        (body_with({**use("a", "f"), "input": "{}"}, role="assistant"), "messages.0.content.0.input must be an object"),
        ({"messages": [], "tools": {}}, "tools must be a list of tools"),
        ({"messages": [], "tools": [{"input_schema": {}}]}, "tools.0.name must be a text"),
        (
            {"messages": [], "tools": [SEARCH]},
            "tools: web_search_20250305: only Anthropic's servers and models know these tools",
        ),
        (
            {"messages": [], "tools": [WEATHER, SEARCH], "tool_choice": {"type": "tool", "name": "web_search"}},
            'tool_choice is none that this model server can be told: {"type": "tool", "name": "web_search"}',
        ),
        (
            {"messages": [], "mcp_servers": [{"url": "http://a"}]},
            "mcp_servers: this model server cannot call tools of MCP servers; declare them as tools",
        ),
        (
            {"messages": [], "output_config": {"format": {"type": "regex"}}},
            "output_config.format: only a json_schema can be passed on to this model server",
        ),
    ],
)
def test_what_cannot_be_said_is_refused(body: Any, message: str) -> None:
    with pytest.raises(RequestError) as error:
        to_chat(body)
    assert error.value.status == 400
    assert (error.value.kind, error.value.message) == ("invalid_request_error", message)


# -- what both can say, there and back ---------------------------------------------------------------------------------


def a_conversation(rng: random.Random) -> list[dict[str, Any]]:
    """Turns of the user and of the assistant in which every call has a result, each text is a block of its own."""
    messages: list[dict[str, Any]] = []
    open_calls: list[str] = []
    for number in range(rng.randrange(1, 8)):
        if number % 2 == 0:
            blocks: list[dict[str, Any]] = [result(one, [text(rng.choice("pqr"))]) for one in open_calls]
            if not blocks or rng.randrange(2):
                blocks.append(text(rng.choice(["Hi", "a\n\nb", "é 漢"])))
                blocks += [PNG] * rng.randrange(2)
            messages.append(user(*blocks))
            open_calls = []
        else:
            open_calls = [f"c{number}{place}" for place in range(rng.randrange(3))]
            said = [text("Let me see.")] if rng.randrange(2) or not open_calls else []
            thought = [{"type": "thinking", "thinking": "Hm", "signature": ""}] if open_calls else []
            calls = [use(one, "f", a=rng.choice(["x", 1, None, {"b": [True]}])) for one in open_calls]
            messages.append(assistant(*thought, *said, *calls))
    return messages


def read_back(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same conversation, read from the messages of a chat body."""
    found: list[dict[str, Any]] = []
    for message in messages:
        content = message["content"]
        if message["role"] == "assistant":
            thought = message.get("reasoning_content")
            blocks = [{"type": "thinking", "thinking": thought, "signature": ""}] if thought else []
            blocks += [text(content)] if content else []
            for call in message.get("tool_calls", ()):
                function = call["function"]
                blocks.append(use(call["id"], function["name"], **json.loads(function["arguments"])))
            found.append(assistant(*blocks))
            continue
        if message["role"] == "tool":
            blocks = [result(message["tool_call_id"], [text(content)])]
        else:
            blocks = [PNG if part == PNG_PART else part for part in content] if isinstance(content, list) else []
            blocks = blocks or [text(content)]
        if found and found[-1]["role"] == "user":
            found[-1]["content"] += blocks
        else:
            found.append(user(*blocks))
    return found


def test_what_both_can_say_is_the_same_there_and_back() -> None:
    for seed in seeds.series(seeds.times(300)):
        conversation = a_conversation(random.Random(seed))
        for message in conversation:
            assert drained(MESSAGE.validate_python(message)) == drained(message)
        assert read_back(chat(*conversation)) == conversation, seed
