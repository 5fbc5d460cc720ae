"""responses_request.py: what Codex asks for, as a chat server can be asked for it, and its calls on the way back."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

from streamparse import Reply
from streamparse.encoders import ResponsesEncoder, ToolItem, chunks
from streamparse.errors import RequestError
from streamparse.proxy.error_bodies import openai
from streamparse.proxy.responses_request import ResponsesRequest, to_chat
from tests import seeds
from tests.messages.test_anthropic import drained
from tests.proxy.kit import check_chat, from_responses

ITEM: TypeAdapter[Any] = TypeAdapter(ResponseInputItemParam)
PARAMETERS = {"type": "object", "properties": {"cmd": {"type": "string"}}, "required": ["cmd"]}
EXEC = {"type": "function", "name": "exec", "description": "Runs it.", "strict": False, "parameters": PARAMETERS}
GRAMMAR = {"type": "grammar", "syntax": "lark", "definition": 'start: "x"'}
PATCH = {"type": "custom", "name": "apply_patch", "description": "Edits files.", "format": GRAMMAR}
TEXT = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
CHAT_EXEC = {
    "type": "function",
    "function": {"name": "exec", "description": "Runs it.", "parameters": PARAMETERS, "strict": False},
}
CHAT_PATCH = {
    "type": "function",
    "function": {
        "name": "apply_patch",
        "description": 'Edits files.\n\nThe input must follow this grammar (lark):\nstart: "x"',
        "parameters": TEXT,
    },
}
SHELL_CALL = {
    "type": "local_shell_call",
    "id": "ls_1",
    "call_id": "c3",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls", "-l"], "env": {}, "working_directory": "/a", "timeout_ms": None},
}


def message(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text} for text in texts]}


def function_call(call_id: str, name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments, **more}


def custom_call(call_id: str, name: str, given: str, **more: Any) -> dict[str, Any]:
    return {"type": "custom_tool_call", "call_id": call_id, "name": name, "input": given, **more}


def output(call_id: str, content: Any, kind: str = "function_call") -> dict[str, Any]:
    return {"type": f"{kind}_output", "call_id": call_id, "output": content}


def chat_call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def converted(**fields: Any) -> ResponsesRequest:
    made = to_chat({"model": "m", "input": "Hi", **fields})
    check_chat(made.body)
    return made


def chat(*items: Any, **fields: Any) -> list[dict[str, Any]]:
    """The messages of the chat body for these items."""
    made: list[dict[str, Any]] = converted(input=list(items), **fields).body["messages"]
    return made


def test_a_request_of_codex() -> None:
    body = from_responses(
        model="qwen3-coder",
        instructions="You are Codex.",
        input=[
            message("developer", "<permissions>ask</permissions>"),
            message("user", "<environment_context>…</environment_context>"),
            message("user", "Fix it."),
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "I look first."}],
                "encrypted_content": "gAAA",
            },
            message("assistant", "Let me look."),
            function_call("c1", "exec", '{"cmd": "ls"}'),
            custom_call("c2", "apply_patch", "*** Begin Patch\n", id="ctc_1"),
            output("c1", "a.py"),
            output("c2", "Done", "custom_tool_call"),
            message("user", "And now?"),
        ],
        tools=[EXEC, PATCH, {"type": "web_search", "external_web_access": False}],
        tool_choice="auto",
        parallel_tool_calls=False,
        reasoning={"effort": "medium", "summary": "auto"},
        store=False,
        include=["reasoning.encrypted_content"],
        prompt_cache_key="k",
        text={"verbosity": "low"},
        max_output_tokens=99,
        temperature=0.5,
        top_p=0.9,
        stream=True,
    )
    made = to_chat(body)
    assert check_chat(made.body) == {
        "model": "qwen3-coder",
        "temperature": 0.5,
        "top_p": 0.9,
        "messages": [
            {"role": "system", "content": "You are Codex.\n\n<permissions>ask</permissions>"},
            {"role": "user", "content": "<environment_context>…</environment_context>\n\nFix it."},
            {
                "role": "assistant",
                "content": "Let me look.",
                "reasoning_content": "I look first.",
                "tool_calls": [
                    chat_call("c1", "exec", '{"cmd": "ls"}'),
                    chat_call("c2", "apply_patch", '{"input": "*** Begin Patch\\n"}'),
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "a.py"},
            {"role": "tool", "tool_call_id": "c2", "content": "Done"},
            {"role": "user", "content": "And now?"},
        ],
        "max_tokens": 99,
        "stream": True,
        "stream_options": {"include_usage": True},
        "reasoning_effort": "medium",
        "tools": [CHAT_EXEC, CHAT_PATCH],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
    }
    assert made.items == {"apply_patch": ToolItem("custom_tool_call", "apply_patch")}


def test_the_smallest_request() -> None:
    made = to_chat(from_responses(model="m", input="Hi"))
    assert made == ResponsesRequest({"model": "m", "messages": [{"role": "user", "content": "Hi"}]}, {})


def test_items_without_a_type_are_messages() -> None:
    assert chat({"role": "system", "content": "A"}, {"role": "user", "content": "B"}, instructions=None) == [
        {"role": "system", "content": "A"},
        {"role": "user", "content": "B"},
    ]


def test_what_a_developer_says_later_goes_to_the_user() -> None:
    assert chat(message("user", "A"), message("assistant", "B"), message("developer", "C", "D")) == [
        {"role": "user", "content": "A"},
        {"role": "assistant", "content": "B"},
        {"role": "user", "content": "C\n\nD"},
    ]


def test_images_and_files() -> None:
    image = {"type": "input_image", "image_url": "data:image/png;base64,eA==", "detail": "high"}
    plain = {"type": "input_image", "image_url": "http://a", "detail": None}
    file = {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,eA=="}
    image_part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,eA==", "detail": "high"}}
    assert chat(
        {"role": "user", "content": [{"type": "input_text", "text": "Look:"}, image, plain, file]},
        function_call("c1", "view", ""),
        output("c1", [{"type": "input_text", "text": "here"}, image]),
    ) == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look:"},
                image_part,
                {"type": "image_url", "image_url": {"url": "http://a"}},
                {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,eA=="}},
            ],
        },
        {"role": "assistant", "content": None, "tool_calls": [chat_call("c1", "view", "{}")]},
        {"role": "tool", "tool_call_id": "c1", "content": "here"},
        {"role": "user", "content": [{"type": "text", "text": "What the call c1 resulted in:"}, image_part]},
    ]


def test_a_local_shell() -> None:
    made = converted(input=[SHELL_CALL, output("c3", "total 0", "local_shell_call")], tools=[{"type": "local_shell"}])
    assert made.body["messages"] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [chat_call("c3", "local_shell", '{"command": ["ls", "-l"], "working_directory": "/a"}')],
        },
        {"role": "tool", "tool_call_id": "c3", "content": "total 0"},
    ]
    assert made.items == {"local_shell": ToolItem("local_shell_call", "local_shell")}
    assert made.body["tools"][0]["function"]["parameters"]["required"] == ["command"]
    by_id = {"type": "local_shell_call_output", "id": "c3", "output": "x"}
    assert chat(by_id) == [{"role": "tool", "tool_call_id": "c3", "content": "x"}]


def test_tools_of_a_namespace_and_tools_that_are_added() -> None:
    space = {"type": "namespace", "name": "github", "description": "…", "tools": [EXEC, PATCH]}
    added = {"type": "additional_tools", "role": "developer", "tools": [{**PATCH, "name": "sql", "format": None}]}
    made = converted(input=[added, function_call("c1", "exec", "{}", namespace="github")], tools=[space])
    names = [tool["function"]["name"] for tool in made.body["tools"]]
    assert names == ["sql", "github__exec", "github__apply_patch"]
    assert made.body["tools"][0]["function"]["description"] == "Edits files."
    assert made.items == {
        "sql": ToolItem("custom_tool_call", "sql"),
        "github__exec": ToolItem("function_call", "exec", "github"),
        "github__apply_patch": ToolItem("custom_tool_call", "apply_patch", "github"),
    }
    assert made.body["messages"][0]["tool_calls"] == [chat_call("c1", "github__exec", "{}")]


def test_reasoning_and_what_openai_ran() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "short"}]}
    long = {**thought, "content": [{"type": "reasoning_text", "text": "long"}]}
    empty = {"type": "reasoning", "id": "rs_2", "summary": [{"type": "other"}], "encrypted_content": "x"}
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}}
    refusal = {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}
    call = chat_call("c", "f", "{}")
    assert chat(
        long, function_call("c", "f", "{}"), output("c", "x"), empty, search, refusal, message("assistant")
    ) == [
        {"role": "assistant", "content": None, "reasoning_content": "long", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "x"},
        {"role": "assistant", "content": "No."},
    ]
    assert chat(thought, message("assistant", "Hi")) == [{"role": "assistant", "content": "Hi"}]


FORCED_EXEC = {"type": "function", "function": {"name": "exec"}}
FORCED_PATCH = {"type": "function", "function": {"name": "apply_patch"}}
ALLOWED = {
    "type": "allowed_tools",
    "mode": "required",
    "tools": [{"type": "web_search"}, {"type": "custom", "name": "apply_patch"}],
}
SHELL = {"type": "local_shell"}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"tools": []}, {}),
        ({"tools": None, "tool_choice": "auto", "parallel_tool_calls": True}, {}),
        ({"tools": [EXEC]}, {"tools": [CHAT_EXEC]}),
        ({"tools": [EXEC], "tool_choice": "required"}, {"tools": [CHAT_EXEC], "tool_choice": "required"}),
        (
            {"tools": [EXEC, PATCH], "tool_choice": {"type": "function", "name": "exec"}},
            {"tools": [CHAT_EXEC, CHAT_PATCH], "tool_choice": FORCED_EXEC},
        ),
        (
            {"tools": [EXEC, PATCH], "tool_choice": {"type": "custom", "name": "apply_patch"}},
            {"tools": [CHAT_EXEC, CHAT_PATCH], "tool_choice": FORCED_PATCH},
        ),
        ({"tools": [EXEC, PATCH], "tool_choice": ALLOWED}, {"tools": [CHAT_PATCH], "tool_choice": "required"}),
        (
            {"tools": [{"type": "function", "name": "f", "parameters": None}]},
            {
                "tools": [
                    {
                        "type": "function",
                        "function": {"name": "f", "parameters": {"type": "object", "properties": {}}},
                    }
                ]
            },
        ),
        ({"text": {"format": {"type": "text"}}}, {}),
        ({"text": {"format": {"type": "json_object"}}}, {"response_format": {"type": "json_object"}}),
        (
            {"text": {"format": {"type": "json_schema", "name": "n", "schema": PARAMETERS, "strict": True}}},
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "n", "schema": PARAMETERS, "strict": True},
                }
            },
        ),
        ({"reasoning": {"effort": None}, "stream": False, "background": False}, {}),
    ],
)
def test_tools_and_output(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    assert converted(**fields).body == {"model": "m", "messages": [{"role": "user", "content": "Hi"}], **expected}


def test_a_local_shell_can_be_asked_for() -> None:
    chosen = converted(tools=[SHELL, EXEC], tool_choice=SHELL).body["tool_choice"]
    assert chosen == {"type": "function", "function": {"name": "local_shell"}}


NOT_KEPT = "this server keeps nothing; send all items of the conversation as input"
ONLY_OPENAI = "only OpenAI's servers can read this file; send its data"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([], "the body must be a JSON object"),
        ({"input": "Hi", "previous_response_id": "resp_1"}, f"previous_response_id: {NOT_KEPT}"),
        ({"input": "Hi", "conversation": "conv_1"}, f"conversation: {NOT_KEPT}"),
        ({"input": "Hi", "prompt": {"id": "p"}}, f"prompt: {NOT_KEPT}"),
        ({"input": "Hi", "background": True}, f"background: {NOT_KEPT}"),
        ({}, "input must be a text or a list of items"),
        ({"input": ["Hi"]}, "input.0 must be an item"),
        (
            {"input": [{"type": "item_reference", "id": "x"}]},
            "input.0: an item of type 'item_reference' cannot be passed on to this model server",
        ),
        (
            {"input": [{"type": "compaction", "encrypted_content": "x"}]},
            "input.0: an item of type 'compaction' cannot be passed on to this model server",
        ),
        ({"input": [{}]}, "input.0: an item of type None cannot be passed on to this model server"),
        ({"input": [message("robot", "a")]}, "input.0: the role 'robot' is not known"),
        ({"input": [{"role": "user"}]}, "input.0.content must be a text or a list of parts"),
        (
            {"input": [{"role": "user", "content": [{"type": "input_audio"}]}]},
            "input.0.content.0: a part of type 'input_audio' cannot be passed on to this model server",
        ),
        (
            {"input": [{"role": "user", "content": [7]}]},
            "input.0.content.0 must be a part",
        ),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "f"}]}]},
            f"input.0.content.0: {ONLY_OPENAI}",
        ),
        ({"input": [output("c", [{"type": "input_file", "file_url": "u"}])]}, f"input.0.output.0: {ONLY_OPENAI}"),
        ({"input": [{"type": "function_call", "name": "f"}]}, "input.0.arguments must be a text"),
        ({"input": [{**SHELL_CALL, "action": None}]}, "input.0.action must be an object"),
        ({"input": [], "tools": {}}, "tools must be a list"),
        ({"input": [], "tools": [7]}, "tools.0 must be a tool"),
        ({"input": [], "tools": [{"type": "custom"}]}, "tools.0.name must be a text"),
        (
            {"input": [], "tools": [{"type": "web_search"}, {"type": "mcp"}]},
            "tools: web_search, mcp: this model server cannot run these tools",
        ),
        (
            {"input": [], "tools": [EXEC], "tool_choice": {"type": "web_search"}},
            'tool_choice is none that this model server can be told: {"type": "web_search"}',
        ),
        (
            {"input": [], "tools": [EXEC], "tool_choice": {"type": "function", "name": "gone"}},
            'tool_choice is none that this model server can be told: {"type": "function", "name": "gone"}',
        ),
        (
            {"input": [], "tools": [EXEC], "tool_choice": {"type": "local_shell"}},
            'tool_choice is none that this model server can be told: {"type": "local_shell"}',
        ),
        (
            {"input": [], "text": {"format": {"type": "grammar"}}},
            "text.format: this model server can be told of text, json_object and json_schema",
        ),
    ],
)
def test_what_cannot_be_said_is_refused(body: Any, message: str) -> None:
    with pytest.raises(RequestError) as error:
        to_chat(body)
    assert error.value.status == 400
    assert openai(error.value) == {
        "error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    }


# -- there and back ----------------------------------------------------------------------------------------------------


DONE = {"type": "message", "role": "assistant", "content": "Done."}


def a_conversation(rng: random.Random) -> list[dict[str, Any]]:
    """Turns in which every call has an output."""
    items: list[dict[str, Any]] = []
    for number in range(rng.randrange(5)):
        items.append(message("user", rng.choice(["Hi", "a\n\nb", "é 漢"])))
        calls = []
        for place in range(rng.randrange(3)):
            call_id, custom = f"c{number}{place}", rng.randrange(2)
            given = rng.choice(["x", '*** "a"\n\\', ""])
            called = (
                custom_call(call_id, "apply_patch", given) if custom else function_call(call_id, "f", to_text(given))
            )
            calls.append((called, output(call_id, "done", "custom_tool_call" if custom else "function_call")))
        if calls:
            thought = {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "Hm"}]}
            items += [thought, *(one for one, _ in calls), *(one for _, one in calls)]
        items.append(DONE)
    return items


def to_text(value: str) -> str:
    return json.dumps({"a": value}, ensure_ascii=False)


def read_back(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items that the messages of a chat body say."""
    items: list[dict[str, Any]] = []
    kinds: dict[str, str] = {}
    for said in messages:
        if said["role"] == "tool":
            items.append(output(said["tool_call_id"], said["content"], kinds[said["tool_call_id"]]))
            continue
        if "reasoning_content" in said:
            summary = [{"type": "summary_text", "text": said["reasoning_content"]}]
            items.append({"type": "reasoning", "id": "rs", "summary": summary})
        if said["content"]:
            items.append(
                message("user", said["content"]) if said["role"] == "user" else {**DONE, "content": said["content"]}
            )
        for one in said.get("tool_calls", ()):
            function = one["function"]
            is_custom = function["name"] == "apply_patch"
            kinds[one["id"]] = "custom_tool_call" if is_custom else "function_call"
            items.append(
                custom_call(one["id"], function["name"], json.loads(function["arguments"])["input"])
                if is_custom
                else function_call(one["id"], function["name"], function["arguments"])
            )
    return items


def test_what_both_can_say_is_the_same_there_and_back() -> None:
    for seed in seeds.series(seeds.times(300)):
        items = a_conversation(random.Random(seed))
        for item in items:
            ITEM.validate_python(item)
        assert read_back(chat(*items)) == items, seed


def test_a_call_comes_back_as_what_the_client_declared() -> None:
    """From the request to the events: the model calls a function, and the client sees a call of its custom tool."""
    made = converted(tools=[EXEC, PATCH, {"type": "local_shell"}])
    tools = made.body["tools"]
    text = "".join(
        f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'
        for name, arguments in (
            ("apply_patch", '{"input": "*** Begin\\n"}'),
            ("exec", '{"cmd": "ls"}'),
            ("local_shell", '{"command": ["ls"]}'),
        )
    )
    encoder = ResponsesEncoder(tools=tools, items=made.items)
    *_, last = chunks(Reply(text, "hermes", tools=tools), encoder)
    told = [{name: item[name] for name in item if name not in ("id", "call_id")} for item in last["response"]["output"]]
    assert told == [
        {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin\n", "status": "completed"},
        {"type": "function_call", "name": "exec", "arguments": '{"cmd": "ls"}', "status": "completed"},
        {
            "type": "local_shell_call",
            "action": {"type": "exec", "command": ["ls"], "env": {}},
            "status": "completed",
        },
    ]
    for item in last["response"]["output"]:
        assert drained(ITEM.validate_python(item))["type"] == item["type"]
    back = chat(*last["response"]["output"])
    assert [one["function"] for one in back[0]["tool_calls"]] == [
        {"name": "apply_patch", "arguments": '{"input": "*** Begin\\n"}'},
        {"name": "exec", "arguments": '{"cmd": "ls"}'},
        {"name": "local_shell", "arguments": '{"command": ["ls"]}'},
    ]
