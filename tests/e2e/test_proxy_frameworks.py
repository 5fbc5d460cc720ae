"""Clients and frameworks of others, over real sockets, through the proxy, to a server that leaks, cut at random."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import openai
import pydantic_ai
import pytest
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
from langchain_openai import ChatOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from tests.proxy.scripted import Asked, Proxied, Script, Upstream, at_random, chunk, leaking
from tests.seeds import series

CITIES = ("Tromsø", "São Paulo")
ARGUMENTS = [{"city": city} for city in CITIES]
CALLS = "\n".join(
    f'<tool_call>\n{{"name": "weather", "arguments": {json.dumps(one, ensure_ascii=False)}}}\n</tool_call>'
    for one in ARGUMENTS
)
ASKS = f"<think>Two < three?</think>Let me look.\n{CALLS}"
ANSWER = "Warm, <b>both</b>."
SCHEMA: Any = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
USAGE = {"prompt_tokens": 4, "completion_tokens": 5, "total_tokens": 9}


def weather(city: str) -> str:
    """How warm it is in a city."""
    return f"20 degrees in {city}"


class Leaking:
    """A server that knows tools, and leaves the calls of its model in the text; with their results it answers."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, asked: Asked) -> Script:
        self._seed += 1
        results = [one["content"] for one in asked.body["messages"] if one["role"] == "tool"]
        assert results in ([], [weather(city) for city in CITIES])
        text = ANSWER if results else ASKS
        if asked.body.get("stream"):
            return Script(at_random(leaking(at_random(text, self._seed, 9), usage=USAGE), self._seed, 200))
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        body = {**chunk({}), "object": "chat.completion", "choices": [choice], "usage": USAGE}
        return Script([json.dumps(body).encode()], headers={"content-type": "application/json"})


@pytest.fixture(params=series(3))
def proxy(request: pytest.FixtureRequest) -> Any:
    with Upstream(Leaking(request.param * 100)) as upstream, Proxied(upstream.url) as proxied:
        yield proxied


def test_anthropic_goes_on_with_the_results(proxy: Proxied) -> None:
    asked: Any = {"model": "m", "max_tokens": 99, "tools": [{"name": "weather", "input_schema": SCHEMA}]}
    with anthropic.Anthropic(base_url=proxy.origin, api_key="k", max_retries=0) as client:
        messages: list[Any] = [{"role": "user", "content": "How warm?"}]
        with client.messages.stream(**asked, messages=messages) as stream:
            text = "".join(stream.text_stream)
            streamed = stream.get_final_message()
        whole = client.messages.create(**asked, messages=messages)
        for message in (streamed, whole):
            thinking, said, *calls = message.content
            assert (thinking.thinking, said.text, text) == ("Two < three?", "Let me look.", "Let me look.")  # type: ignore[union-attr]
            assert [(call.name, call.input) for call in calls] == [("weather", one) for one in ARGUMENTS]  # type: ignore[union-attr]
            assert (message.stop_reason, message.usage.input_tokens, message.usage.output_tokens) == ("tool_use", 4, 5)
            results = [
                {"type": "tool_result", "tool_use_id": call.id, "content": weather(**call.input)}  # type: ignore[union-attr]
                for call in calls
            ]
            history = [
                *messages,
                {"role": "assistant", "content": [block.model_dump() for block in message.content]},
                {"role": "user", "content": results},
            ]
            answer = client.messages.create(**asked, messages=history)
            assert [block.text for block in answer.content] == [ANSWER]  # type: ignore[union-attr]
            assert answer.stop_reason == "end_turn"


def test_responses_go_on_with_the_results(proxy: Proxied) -> None:
    asked: Any = {
        "model": "m",
        "tools": [{"type": "function", "name": "weather", "parameters": SCHEMA, "strict": False}],
    }
    with openai.OpenAI(base_url=proxy.url, api_key="k", max_retries=0) as client:
        with client.responses.stream(**asked, input="How warm?") as stream:
            text = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
            streamed = stream.get_final_response()
        whole = client.responses.create(**asked, input="How warm?")
        for response in (streamed, whole):
            assert (response.output_text, text) == ("Let me look.", "Let me look.")
            _, _, *calls = response.output
            assert [item.type for item in response.output] == ["reasoning", "message", "function_call", "function_call"]
            assert [json.loads(call.arguments) for call in calls] == ARGUMENTS  # type: ignore[union-attr]
            items: list[Any] = [{"role": "user", "content": "How warm?"}]
            items += [item.model_dump(exclude_none=True) for item in response.output]
            items += [
                {
                    "type": "function_call_output",
                    "call_id": call.call_id,  # type: ignore[union-attr]
                    "output": weather(**json.loads(call.arguments)),  # type: ignore[union-attr]
                }
                for call in calls
            ]
            answer = client.responses.create(**asked, input=items)
            assert (answer.output_text, answer.status) == (ANSWER, "completed")


async def test_pydantic_ai_runs_an_agent(proxy: Proxied) -> None:
    async with openai.AsyncOpenAI(base_url=proxy.url, api_key="k", max_retries=0) as client:
        agent = pydantic_ai.Agent(OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client)), tools=[weather])
        run = await agent.run("How warm?")
        async with agent.run_stream_events("How warm?") as stream:
            events: list[Any] = [event async for event in stream]
    for messages in (run.all_messages(), events[-1].result.all_messages()):
        _, reply, results, answer = messages
        assert [part.content for part in reply.parts[:2]] == ["Two < three?", "Let me look."]
        assert [part.args_as_dict() for part in reply.parts[2:]] == ARGUMENTS
        assert [part.content for part in results.parts] == [weather(city) for city in CITIES]
        assert [part.content for part in answer.parts] == [ANSWER]


async def test_openai_agents_run_an_agent(proxy: Proxied) -> None:
    quiet = RunConfig(tracing_disabled=True)
    async with openai.AsyncOpenAI(base_url=proxy.url, api_key="k", max_retries=0) as client:
        model = OpenAIChatCompletionsModel("m", openai_client=client)
        agent = Agent("forecaster", model=model, tools=[function_tool(weather)])
        run = await Runner.run(agent, "How warm?", run_config=quiet)
        streamed = Runner.run_streamed(agent, "How warm?", run_config=quiet)
        async for _ in streamed.stream_events():
            pass
    for one in (run, streamed):
        assert one.final_output == ANSWER
        outputs = [item.output for item in one.new_items if item.type == "tool_call_output_item"]
        assert outputs == [weather(city) for city in CITIES]


async def test_langchain_openai_goes_on_with_the_results(proxy: Proxied) -> None:
    def add(chunks: list[Any]) -> Any:
        message, *more = chunks
        for one in more:
            message += one
        return message

    chat = ChatOpenAI(model="m", base_url=proxy.url, api_key="k", max_retries=0)  # type: ignore[arg-type]  # a string will do
    model = chat.bind_tools([weather])
    messages = [
        model.invoke("How warm?"),
        await model.ainvoke("How warm?"),
        add(list(model.stream("How warm?"))),
        add([one async for one in model.astream("How warm?")]),
    ]
    for message in messages:
        assert (message.content, message.invalid_tool_calls) == ("Let me look.", [])
        assert [(call["name"], call["args"]) for call in message.tool_calls] == [("weather", one) for one in ARGUMENTS]
        assert message.response_metadata["finish_reason"] == "tool_calls"
        results = [
            {"role": "tool", "content": weather(**call["args"]), "tool_call_id": call["id"]}
            for call in message.tool_calls
        ]
        answer = model.invoke([{"role": "user", "content": "How warm?"}, message, *results])
        assert (answer.content, answer.tool_calls) == (ANSWER, [])
    chat.root_client.close()
    await chat.root_async_client.close()
