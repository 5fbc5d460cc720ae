"""The same streams through the SDKs' own classes. (LiteLLM's are in tests/litellm: it wants another openai.)"""

from __future__ import annotations

import json
from typing import Any

import agents
import anthropic
import httpx2
import ollama
import openai
import pytest
from anthropic._models import construct_type as construct_anthropic
from anthropic.types import RawMessageStreamEvent
from anthropic.types.beta import BetaRawMessageStreamEvent
from google.genai._gaos.types import interactions
from google.genai.types import GenerateContentResponse
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from mistralai.client.models import CompletionEvent
from openai._models import construct_type as construct_openai
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent
from pydantic_ai import messages

from streamparse.providers import (
    BlockEnd,
    CallDelta,
    CallEnd,
    Delta,
    File,
    Finish,
    Reader,
    ReasoningDelta,
    ServerResult,
    Source,
    TextDelta,
    read,
)
from tests.providers import cases
from tests.providers.cases import Stream, chat

pytestmark = pytest.mark.filterwarnings("ignore")


def read_all(chunks: Any) -> list[Delta]:
    reader = Reader()
    results = [reader.read(chunk) for chunk in chunks]
    assert None not in results
    return [delta for deltas in results for delta in deltas or ()]


def check(stream: Stream, build: Any) -> None:
    reader = Reader()
    assert [reader.read(build(chunk)) for chunk, _ in stream] == [deltas for _, deltas in stream]


@pytest.mark.parametrize("name", cases.OPENAI_CHAT)
def test_openai_chat(name: str) -> None:
    check(cases.OPENAI_CHAT[name], lambda chunk: construct_openai(value=chunk, type_=ChatCompletionChunk))


@pytest.mark.parametrize("name", cases.OPENAI_RESPONSES)
def test_openai_responses(name: str) -> None:
    check(cases.OPENAI_RESPONSES[name], lambda chunk: construct_openai(value=chunk, type_=ResponseStreamEvent))


@pytest.mark.parametrize("name", cases.ANTHROPIC)
def test_anthropic(name: str) -> None:
    check(cases.ANTHROPIC[name], lambda chunk: construct_anthropic(value=chunk, type_=RawMessageStreamEvent))


@pytest.mark.parametrize("name", cases.ANTHROPIC)
def test_anthropic_beta(name: str) -> None:
    check(cases.ANTHROPIC[name], lambda chunk: construct_anthropic(value=chunk, type_=BetaRawMessageStreamEvent))


def test_anthropic_stream_helper_counts_nothing_twice() -> None:
    chunks = [chunk for chunk, _ in cases.ANTHROPIC["raw events"]]
    chunks[0]["message"].update(
        type="message", role="assistant", model="m", usage={"input_tokens": 1, "output_tokens": 1}
    )
    body = "".join(f"event: {chunk['type']}\ndata: {json.dumps(chunk)}\n\n" for chunk in chunks)
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=body)
    )
    client = anthropic.Anthropic(api_key="x", http_client=httpx2.Client(transport=transport))
    with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]) as stream:
        deltas = read_all(stream)
    assert deltas == [
        ReasoningDelta("Hm"),
        BlockEnd({"signature": "xy"}, "reasoning"),
        TextDelta("Hi"),
        CallDelta("t1", "t1", "f", is_named=True),
        CallDelta("t1", arguments='{"a": 1}'),
        CallEnd("t1"),
        Finish("tool_calls"),
    ]


def test_ollama() -> None:
    check(cases.OLLAMA["chat"], ollama.ChatResponse.model_validate)
    check(cases.OLLAMA["generate"], ollama.GenerateResponse.model_validate)
    image = ollama.ChatResponse(message={"role": "assistant", "images": [{"value": b"xx"}]}, done=False)
    assert read(image) == [File({}, "eHg=")]
    assert read(ollama.GenerateResponse(response="", image="eHg=", done=False)) == [File({}, "eHg=")]
    assert read(ollama.ChatResponse(message={"role": "assistant", "content": "Hi"}, created_at="now")) == [
        TextDelta("Hi")
    ]


def test_mistral() -> None:
    def build(chunk: dict[str, Any]) -> Any:
        return CompletionEvent.model_validate({"data": {"id": "x", "model": "m", **chunk["data"]}})

    check(cases.MISTRAL["an envelope, content in parts"], build)
    without_id = {"function": {"name": "f", "arguments": {}}}
    assert read(build({"data": chat(tool_calls=[without_id, without_id])})) == [
        CallDelta("0", None, "f", whole={}, is_named=True),
        CallEnd("0"),
        CallDelta("0#2", None, "f", whole={}, is_named=True),
        CallEnd("0#2"),
    ]


#: What the SDK's classes do not take: data that is not what the specification says.
OUTSIDE = ("interactions", "sources, as the wire names them")


@pytest.mark.parametrize("name", [name for name in cases.GOOGLE if not name.startswith(OUTSIDE)])
def test_google(name: str) -> None:
    check(cases.GOOGLE[name], GenerateContentResponse.model_validate)


def test_google_interactions_that_run_tools() -> None:
    types = {"step.start": interactions.StepStart, "step.delta": interactions.StepDelta}
    types |= {"step.stop": interactions.StepStop}
    chunks = [
        cases.step_start(0, type="thought"),
        cases.step_delta(0, type="thought_signature", signature="eHg="),
        cases.step_stop(0),
        cases.step_start(1, type="code_execution_call", id="g", arguments={}),
        cases.step_delta(1, type="code_execution_call", arguments={"code": "1", "language": "python"}),
        cases.step_stop(1),
        cases.step_start(2, type="code_execution_result", call_id="g", result=""),
        cases.step_delta(2, type="code_execution_result", result="1", is_error=False),
        cases.step_stop(2),
        cases.step_start(3, type="model_output"),
        cases.step_delta(
            3, type="text_annotation_delta", annotations=[{"type": "url_citation", "url": "http://a", "title": "A"}]
        ),
        cases.step_stop(3),
    ]
    assert read_all(types[chunk["event_type"]].model_validate(chunk) for chunk in chunks) == [
        BlockEnd({"signature": "eHg="}, "reasoning"),
        cases.server("g", "code_execution", {"type": "code_execution_call"}),
        CallDelta("g", whole={"code": "1", "language": "python"}, is_server=True),
        CallEnd("g"),
        ServerResult('"1"', "code_execution", "g", {"type": "code_execution_result", "is_error": False}),
        Source({"title": "A", "type": "url_citation", "url": "http://a"}),
        BlockEnd(),
    ]


def test_google_interactions() -> None:
    start = interactions.StepStart.model_validate(
        {"index": 1, "step": {"type": "function_call", "id": "c", "name": "f", "arguments": {}}}
    )
    deltas = [
        interactions.StepDelta.model_validate({"index": index, "delta": delta})
        for index, delta in [
            (0, {"type": "thought_summary", "content": {"type": "text", "text": "Hm"}}),
            (0, {"type": "text", "text": "Hi"}),
            (1, {"type": "arguments_delta", "arguments": "{}"}),
        ]
    ]
    assert read_all([deltas[0], deltas[1], start, deltas[2], interactions.StepStop(index=1)]) == [
        ReasoningDelta("Hm"),
        TextDelta("Hi"),
        CallDelta("c", "c", "f", is_named=True),
        CallDelta("c", arguments="{}"),
        CallEnd("c"),
    ]


def test_langchain() -> None:
    check(
        cases.LANGCHAIN["message chunks"],
        lambda fields: AIMessageChunk(**{k: v for k, v in fields.items() if k != "tool_calls"}),
    )
    piece = {"index": None, "id": "c", "name": "f", "args": '{"a', "type": "tool_call_chunk"}
    assert read((AIMessageChunk(content="Hi", tool_call_chunks=[piece]), {"langgraph_node": "agent"})) == [
        TextDelta("Hi"),
        CallDelta("c", "c", "f", '{"a'),
    ]
    whole = AIMessage(content="Hi", tool_calls=[{"name": "f", "args": {"a": 1}, "id": "c"}])
    assert read(whole) == [TextDelta("Hi"), CallDelta("c", "c", "f", whole={"a": 1}, is_named=True), CallEnd("c")]
    assert read(ToolMessage(content="42", tool_call_id="c")) == []
    assert read(HumanMessage(content="Hi")) == []
    assert read({"event": "on_chat_model_stream", "data": {"chunk": AIMessageChunk(content="Hi")}}) == [TextDelta("Hi")]


def test_pydantic_ai() -> None:
    part = messages.ToolCallPart(tool_name="f", args=None, tool_call_id="c")
    events = [
        messages.PartStartEvent(index=0, part=messages.TextPart(content="H")),
        messages.PartDeltaEvent(index=0, delta=messages.TextPartDelta(content_delta="i")),
        messages.PartStartEvent(index=1, part=messages.ThinkingPart(content="Hm", signature="xx", provider_name="p")),
        messages.PartStartEvent(index=2, part=part),
        messages.PartDeltaEvent(index=2, delta=messages.ToolCallPartDelta(args_delta="{}", tool_call_id="c")),
        messages.PartEndEvent(index=2, part=part),
        messages.FunctionToolCallEvent(part=part),
    ]
    assert read_all(events) == [
        TextDelta("H"),
        TextDelta("i"),
        BlockEnd(),
        ReasoningDelta("Hm"),
        BlockEnd({"signature": "xx", "provider_name": "p"}, "reasoning"),
        CallDelta("c", "c", "f"),
        CallDelta("c", arguments="{}"),
        CallEnd("c"),
    ]


def test_pydantic_ais_own_tools() -> None:
    events = [
        messages.PartStartEvent(
            index=0, part=messages.NativeToolCallPart(tool_name="web_search", args={"q": 1}, tool_call_id="c")
        ),
        messages.PartStartEvent(
            index=1, part=messages.NativeToolReturnPart(tool_name="web_search", content={"a": 1}, tool_call_id="c")
        ),
        messages.PartStartEvent(
            index=2, part=messages.FilePart(content=messages.BinaryImage(data=b"xx", media_type="image/png"))
        ),
        messages.FinalResultEvent(tool_name=None, tool_call_id=None),
    ]
    assert read_all(events) == [
        CallDelta("c", "c", "web_search", whole={"q": 1}, is_named=True, is_server=True),
        CallEnd("c"),
        ServerResult('{"a": 1}', "web_search", "c"),
        File({"media_type": "image/png"}, "eHg="),
    ]


def test_openai_stream_helper_counts_nothing_twice() -> None:
    chunks = [
        {"id": "r", "model": "m", "created": 1, **chunk}
        for chunk in (
            chat(role="assistant", content="H"),
            chat(content="i"),
            chat(tool_calls=[cases.call(0, "c1", "f", "{")]),
            chat(tool_calls=[{"index": 0, "function": {"arguments": "}"}}]),
            chat("tool_calls"),
        )
    ]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=body)
    )
    client = openai.OpenAI(api_key="x", http_client=httpx2.Client(transport=transport))
    with client.chat.completions.stream(model="m", messages=[{"role": "user", "content": "Hi"}]) as stream:
        deltas = read_all(stream)
    assert deltas == [
        TextDelta("H"),
        TextDelta("i"),
        CallDelta("c1", "c1", "f", "{"),
        CallDelta("c1", arguments="}"),
        Finish("tool_calls"),
    ]


def test_openai_agents() -> None:
    data = construct_openai(value=cases.response("output_text.delta", delta="Hi"), type_=ResponseStreamEvent)
    assert read(agents.RawResponsesStreamEvent(data=data)) == [TextDelta("Hi")]
