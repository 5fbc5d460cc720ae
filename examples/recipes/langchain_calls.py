"""LangChain: a step behind a chat model that reads calls and thoughts out of its text, while it streams.

    chain = ChatOpenAI(base_url="http://localhost:8000/v1", …) | reads_calls("hermes", TOOLS)
    for chunk in chain.stream("How warm is it in Oslo?"):
        chunk.content, chunk.tool_call_chunks

The chunks add up to an AIMessage with `tool_calls`. What the model thinks is in `additional_kwargs`, where LangChain's
own integrations have it.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableGenerator

from streamparse import Reply
from streamparse.encoders import OpenAIEncoder, achunks, chunks


def reads_calls(format: str, tools: Sequence[Mapping[str, Any]]) -> RunnableGenerator[BaseMessage, AIMessageChunk]:
    """The step for a model that writes `format`, and was told of `tools`."""

    def read(stream: Iterator[BaseMessage]) -> Iterator[AIMessageChunk]:
        for chunk in chunks(Reply(stream, format, tools=tools), OpenAIEncoder(tools=tools)):
            yield from message_chunks(chunk)

    async def aread(stream: AsyncIterator[BaseMessage]) -> AsyncIterator[AIMessageChunk]:
        async for chunk in achunks(Reply(stream, format, tools=tools), OpenAIEncoder(tools=tools)):
            for message in message_chunks(chunk):
                yield message

    return RunnableGenerator(read, aread)


def message_chunks(chunk: Mapping[str, Any]) -> Iterator[AIMessageChunk]:
    """A chunk of Chat Completions, as LangChain has it."""
    for choice in chunk["choices"]:
        delta = choice["delta"]
        thoughts = {"reasoning_content": delta["reasoning_content"]} if "reasoning_content" in delta else {}
        calls = [
            {
                "index": call["index"],
                "id": call.get("id"),
                "name": call["function"].get("name"),
                "args": call["function"]["arguments"],
                "type": "tool_call_chunk",
            }
            for call in delta.get("tool_calls", [])
        ]
        end = {"finish_reason": choice["finish_reason"]} if choice["finish_reason"] else {}
        yield AIMessageChunk(
            delta.get("content") or "", tool_call_chunks=calls, additional_kwargs=thoughts, response_metadata=end
        )
