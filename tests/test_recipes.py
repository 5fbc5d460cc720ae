"""The recipes run: each with the real package, or, where that cannot be had, with what it uses of it."""

from __future__ import annotations

import inspect
import json
import runpy
import sys
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import openai
import pydantic_ai
import pytest
from agents import Agent, RunConfig, Runner, function_tool
from attrs import define, field
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage

from streamparse import Reply
from streamparse.proxy import Settings
from tests.proxy.scripted import Asked, Proxied, Script, Upstream, at_random, leaking
from tests.seeds import series

RECIPES = Path(__file__).parent.parent / "examples" / "recipes"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["city"],
            },
        },
    }
]
HERMES = (
    "<think>Cold, é?</think>Let me look.\n"
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Tromsø", "days": 2}}\n</tool_call>\n'
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
)
CALLS = [("weather", {"city": "Tromsø", "days": 2}), ("weather", {"city": "Oslo"})]


def recipe(name: str) -> dict[str, Any]:
    return runpy.run_path(str(RECIPES / f"{name}.py"))


# -- vLLM -------------------------------------------------------------------------------------------------------------


@define
class Record:
    """Stands for the pydantic classes of vLLM, which the recipe only makes."""

    fields: dict[str, Any]

    def __init__(self, **fields: Any) -> None:
        self.fields = fields


class StubToolParser:
    """What vLLM's own base class has that its server looks at."""

    def __init__(self, tokenizer: Any, tools: list[Any] | None = None) -> None:
        self.prev_tool_call_arr: list[dict[str, Any]] = []
        self.current_tool_id = -1
        self.streamed_args_for_tool: list[str] = []
        self.model_tokenizer = tokenizer
        self.tools = tools


class StubManager:
    parsers: dict[str, type[StubToolParser]]

    @classmethod
    def register_module(cls, name: str, *, module: type[StubToolParser]) -> None:
        assert issubclass(module, StubToolParser)
        cls.parsers[name] = module


@define
class StubTool:
    spec: dict[str, Any]

    def model_dump(self) -> dict[str, Any]:
        return self.spec


@define
class StubRequest:
    tools: list[StubTool] | None = field(factory=lambda: [StubTool(tool) for tool in TOOLS])
    tool_choice: str = "auto"
    skip_special_tokens: bool = True


@pytest.fixture
def parsers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the plugin has registered with vLLM."""
    names = ["DeltaFunctionCall", "DeltaMessage", "DeltaToolCall"]
    names += ["ExtractedToolCallInformation", "FunctionCall", "ToolCall"]
    StubManager.parsers = {}
    protocol = dict.fromkeys(names, Record)
    base = {"ToolParser": StubToolParser, "ToolParserManager": StubManager}
    for path, contents in {
        "vllm.entrypoints.generate.base.protocol": protocol,
        "vllm.tool_parsers.abstract_tool_parser": base,
    }.items():
        module = ModuleType(path)
        module.__dict__.update(contents)
        monkeypatch.setitem(sys.modules, path, module)
    recipe("vllm_tool_parser")
    return dict(StubManager.parsers)


def stream(parser: Any, text: str, size: int, request: StubRequest) -> Iterator[dict[str, Any]]:
    """What vLLM makes of it, in pieces of `size` characters: the fields of its messages."""
    for cut in range(0, len(text), size):
        piece = text[cut : cut + size]
        message = parser.extract_tool_calls_streaming(text[:cut], text[: cut + size], piece, [], [], [], request)
        if message is not None:
            yield message.fields


def test_vllm_has_a_parser_for_every_format(parsers: dict[str, Any]) -> None:
    assert {"streamparse_hermes", "streamparse_qwen3_coder", "streamparse_auto"} <= set(parsers)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_vllm_streams_calls(parsers: dict[str, Any], size: int) -> None:
    parser = parsers["streamparse_hermes"](tokenizer=None)
    messages = list(stream(parser, HERMES, size, StubRequest()))
    assert "".join(message["reasoning"] or "" for message in messages) == "Cold, é?"
    assert "".join(message["content"] or "" for message in messages) == "Let me look."
    calls = [call.fields for message in messages for call in message["tool_calls"]]
    heads = [call for call in calls if "id" in call]
    assert [(call["index"], call["type"], call["function"].fields["name"]) for call in heads] == [
        (0, "function", "weather"),
        (1, "function", "weather"),
    ]
    texts = ["".join(c["function"].fields["arguments"] for c in calls if c["index"] == index) for index in (0, 1)]
    assert [("weather", json.loads(text)) for text in texts] == CALLS
    # By these the server finds at the end that nothing is left to be sent.
    assert parser.streamed_args_for_tool == texts
    assert [call["arguments"] for call in parser.prev_tool_call_arr] == texts


def test_vllm_reads_a_whole_reply(parsers: dict[str, Any]) -> None:
    found = parsers["streamparse_hermes"](None, []).extract_tool_calls(HERMES, StubRequest()).fields
    assert (found["tools_called"], found["content"]) == (True, "Let me look.")
    functions = [call.fields["function"].fields for call in found["tool_calls"]]
    assert [(function["name"], json.loads(function["arguments"])) for function in functions] == CALLS
    assert parsers["streamparse_hermes"](None).extract_tool_calls("Hi.", StubRequest(tools=None)).fields == {
        "tools_called": False,
        "tool_calls": [],
        "content": "Hi.",
    }


def test_vllm_is_asked_for_special_tokens_where_there_are_tools(parsers: dict[str, Any]) -> None:
    parser = parsers["streamparse_mistral"](None)
    assert parser.adjust_request(StubRequest()).skip_special_tokens is False
    assert parser.adjust_request(StubRequest(tool_choice="none")).skip_special_tokens is True


# -- LangChain --------------------------------------------------------------------------------------------------------


def check_message(message: Any) -> None:
    assert message.content == "Let me look."
    assert message.additional_kwargs == {"reasoning_content": "Cold, é?"}
    assert [(call["name"], call["args"]) for call in message.tool_calls] == CALLS
    assert message.invalid_tool_calls == []
    assert message.response_metadata == {"finish_reason": "tool_calls"}


def test_langchain_streams_calls() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(HERMES)]))  # in pieces of one word
    message, *chunks = (model | recipe("langchain_calls")["reads_calls"]("hermes", TOOLS)).stream("How warm?")
    assert len(chunks) > 5
    for chunk in chunks:
        message += chunk
    check_message(message)


async def test_langchain_streams_calls_with_async_for() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(HERMES)]))
    chain = model | recipe("langchain_calls")["reads_calls"]("hermes", TOOLS)
    message, *chunks = [chunk async for chunk in chain.astream("How warm?")]
    for chunk in chunks:
        message += chunk
    check_message(message)


def test_langchain_invokes_the_whole_chain() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(HERMES)]))
    check_message((model | recipe("langchain_calls")["reads_calls"]("hermes", TOOLS)).invoke("How warm?"))


# -- a model server that knows no tools -------------------------------------------------------------------------------


THINKS_AND_CALLS = (
    "<think>Cold, é?</think>Let me look.\n"
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Tromsø"}}\n</tool_call>'
)
ANSWER = "It is < 3 degrees in Tromsø."


class WithoutTools:
    """A server that refuses tools. Its model calls one first, and answers when it has the result; cut at random."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, asked: Asked) -> Script:
        as_json = {"content-type": "application/json"}
        if asked.path == "/v1/models":
            models = {"object": "list", "data": [{"id": "Qwen/Qwen2.5-7B", "object": "model"}]}
            return Script([json.dumps(models).encode()], headers=as_json)
        body = asked.body
        if "tools" in body or "tool_choice" in body or any(one["role"] == "tool" for one in body["messages"]):
            return Script([b'{"error": {"message": "no tools here"}}'], 400, as_json)
        text = (
            ANSWER if "<tool_response>\n3 degrees in Tromsø\n" in body["messages"][-1]["content"] else THINKS_AND_CALLS
        )
        self._seed += 1
        if body.get("stream"):
            return Script(at_random(leaking(at_random(text, self._seed, 9)), self._seed, 90))
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        whole = {"id": "c1", "object": "chat.completion", "created": 7, "model": "m", "choices": [choice]}
        return Script([json.dumps(whole).encode()], headers=as_json)


def weather(city: str) -> str:
    """How warm it is in a city."""
    return f"3 degrees in {city}"


@pytest.mark.parametrize("seed", series(3))
async def test_pydantic_ai_gets_calls_from_a_model_without_tools(seed: int) -> None:
    with Upstream(WithoutTools(seed)) as upstream:
        model = recipe("pydantic_ai_model")["chat_model"]("Qwen/Qwen2.5-7B", upstream.url)
        agent = pydantic_ai.Agent(model, tools=[weather])
        run = await agent.run("How warm?")
        streamed = [event async for event in streamed_by(agent)]
        await model.client.close()
    for messages in (run.all_messages(), streamed[-1].result.all_messages()):
        assert [(type(part).__name__, part.content) for part in messages[1].parts[:2]] == [
            ("ThinkingPart", "Cold, é?"),
            ("TextPart", "Let me look."),
        ]
        assert [(part.tool_name, part.args_as_dict()) for part in messages[1].parts[2:]] == [
            ("weather", {"city": "Tromsø"})
        ]
        assert [part.content for part in messages[2].parts] == ["3 degrees in Tromsø"]
        assert [part.content for part in messages[3].parts] == [ANSWER]
    assert [asked.body.get("stream") for asked in upstream.requests] == [False, False, True, True]


async def streamed_by(agent: Any) -> Any:
    async with agent.run_stream_events("How warm?") as events:
        async for event in events:
            yield event


@pytest.mark.parametrize("seed", series(3))
async def test_openai_agents_get_calls_from_a_model_without_tools(seed: int) -> None:
    quiet = RunConfig(tracing_disabled=True)  # which would go to OpenAI
    with Upstream(WithoutTools(seed)) as upstream:
        model = recipe("openai_agents_model")["chat_model"]("Qwen/Qwen2.5-7B", upstream.url)
        agent = Agent("forecaster", model=model, tools=[function_tool(weather)])
        run = await Runner.run(agent, "How warm?", run_config=quiet)
        streamed = Runner.run_streamed(agent, "How warm?", run_config=quiet)
        async for _ in streamed.stream_events():
            pass
        await model._client.close()
    for one in (run, streamed):
        assert one.final_output == ANSWER
        kinds = [item.type for item in one.new_items]
        assert kinds[0] == "reasoning_item"
        assert sorted(kinds[1:3]) == ["message_output_item", "tool_call_item"]
        assert kinds[3:] == ["tool_call_output_item", "message_output_item"]
        [call] = [item.raw_item for item in one.new_items if item.type == "tool_call_item"]
        assert (call.name, json.loads(call.arguments)) == ("weather", {"city": "Tromsø"})
        assert one.new_items[3].output == "3 degrees in Tromsø"


def check_langchain(message: Any) -> None:
    assert message.content == "Let me look."
    assert [(call["name"], call["args"]) for call in message.tool_calls] == [("weather", {"city": "Tromsø"})]
    assert message.invalid_tool_calls == []
    assert message.response_metadata["finish_reason"] == "tool_calls"


@pytest.mark.parametrize("seed", series(3))
async def test_langchain_openai_gets_calls_from_a_model_without_tools(seed: int) -> None:
    def add(chunks: list[Any]) -> Any:
        message, *more = chunks
        for one in more:
            message += one
        return message

    with Upstream(WithoutTools(seed)) as upstream:
        chat = recipe("langchain_openai_model")["chat_model"]("Qwen/Qwen2.5-7B", upstream.url)
        model = chat.bind_tools([weather])
        check_langchain(model.invoke("How warm?"))
        check_langchain(await model.ainvoke("How warm?"))
        check_langchain(add([one async for one in model.astream("How warm?")]))
        message = add(list(model.stream("How warm?")))
        check_langchain(message)
        result = ToolMessage(weather("Tromsø"), tool_call_id=message.tool_calls[0]["id"])
        answer = model.invoke([("user", "How warm?"), message, result])
        chat.root_client.close()
        await chat.root_async_client.close()
    assert (answer.content, answer.tool_calls) == (ANSWER, [])


# -- Open WebUI -------------------------------------------------------------------------------------------------------


async def ask_pipe(pipe: Any, body: dict[str, Any]) -> Any:
    """What Open WebUI gets of a pipe: a dict as it is, and the dicts of a generator."""
    assert list(inspect.signature(pipe.pipe).parameters) == ["body"]
    found = await pipe.pipe(body=body)
    if not isinstance(found, AsyncGenerator):
        return found
    return [one async for one in found]


@pytest.mark.parametrize("seed", series(3))
async def test_open_webui_gets_chunks_of_chat_completions(seed: int) -> None:
    body = {
        "model": "streamparse.Qwen/Qwen2.5-7B",
        "messages": [{"role": "user", "content": "How warm?"}],
        "tools": TOOLS,
    }
    with Upstream(WithoutTools(seed)) as upstream:
        pipe = recipe("open_webui_pipe")["Pipe"]()
        pipe.valves = pipe.Valves(base_url=upstream.url)
        assert await pipe.pipes() == [{"id": "Qwen/Qwen2.5-7B", "name": "Qwen/Qwen2.5-7B"}]
        chunks = await ask_pipe(pipe, {**body, "stream": True})
        whole = await ask_pipe(pipe, body)
    assert {one["object"] for one in chunks} == {"chat.completion.chunk"}
    for found in (chunks, [whole]):
        reply = Reply(found, "native", tools=TOOLS)
        assert [(call.name, call.arguments) for call in reply.read().calls] == [("weather", {"city": "Tromsø"})]
        assert (reply.text, reply.reasoning) == ("Let me look.", "Cold, é?")
        assert reply.outcome.finish_reason == "tool_calls"
    assert {asked.headers["authorization"] for asked in upstream.requests} == {"Bearer none"}
    assert upstream.requests[1].body["model"] == "Qwen/Qwen2.5-7B"


async def test_open_webui_is_told_of_errors() -> None:
    pipe = recipe("open_webui_pipe")["Pipe"]()
    body = {"model": "streamparse.m", "messages": [], "tools": TOOLS, "stream": True}
    with Upstream(WithoutTools(0)) as upstream:
        pipe.valves = pipe.Valves(base_url=upstream.url, prompted=False)
        assert await ask_pipe(pipe, body) == [{"error": {"message": "no tools here"}}]
    [chunk] = await ask_pipe(pipe, body)
    assert chunk == {"error": {"message": "the model server cannot be read (ConnectError)"}}


# -- opencode ---------------------------------------------------------------------------------------------------------


def test_opencode_is_configured_as_its_documentation_says() -> None:
    config = json.loads((RECIPES / "opencode.json").read_text(encoding="utf-8"))
    assert set(config) == {"$schema", "model", "provider"}
    provider, _, model = config["model"].partition("/")
    assert list(config["provider"]) == [provider]
    settings = config["provider"][provider]
    assert set(settings) == {"npm", "name", "options", "models"}
    assert settings["npm"] == "@ai-sdk/openai-compatible"
    assert settings["options"] == {
        "baseURL": "http://127.0.0.1:8008/v1",
        "apiKey": "none",
    }  # as the proxy says of itself
    assert list(settings["models"]) == [model]
    assert settings["models"][model]["tool_call"] is True
    assert {type(limit) for limit in settings["models"][model]["limit"].values()} == {int}
    assert set(settings["models"][model]["limit"]) == {"context", "output"}


@pytest.mark.parametrize("seed", series(3))
def test_the_proxy_answers_what_opencode_asks(seed: int) -> None:
    config = json.loads((RECIPES / "opencode.json").read_text(encoding="utf-8"))
    model = config["model"].partition("/")[2]
    # As its provider package asks for a stream.
    body = {
        "model": model,
        "max_tokens": 8192,
        "messages": [{"role": "system", "content": "You are an agent."}, {"role": "user", "content": "How warm?"}],
        "tools": TOOLS,
        "tool_choice": "auto",
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    with Upstream(WithoutTools(seed)) as upstream, Proxied(upstream.url, Settings(is_prompted=True)) as proxy:
        assert httpx2.get(f"{proxy.url}/models").json()["data"][0]["id"] == "Qwen/Qwen2.5-7B"
        with openai.OpenAI(base_url=proxy.url, api_key="none") as client:
            reply = Reply(client.chat.completions.create(**body), "native", tools=TOOLS)  # type: ignore[call-overload]
            assert [(call.name, call.arguments) for call in reply.read().calls] == [("weather", {"city": "Tromsø"})]
    assert (reply.text, reply.reasoning) == ("Let me look.", "Cold, é?")
    assert reply.outcome.finish_reason == "tool_calls"
    assert upstream.requests[1].body["stream_options"] == {"include_usage": True}
