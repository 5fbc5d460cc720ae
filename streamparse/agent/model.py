"""How an agent asks its model: any function that takes messages and tools and gives a stream.

def complete(messages: list[dict], tools: list[dict]) -> stream of chunks: ...

ask_openai(AsyncOpenAI(base_url=…), "qwen3-coder")        such a function, for whatever speaks Chat Completions
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from streamparse.config import ToolSpec
from streamparse.iterate import AsyncSource

Messages: TypeAlias = list[dict[str, Any]]
#: Asks a model: `tools` are those of the request, in the form that Chat Completions takes; none in a text format.
Complete: TypeAlias = Callable[[Messages, list[dict[str, Any]]], AsyncSource]


def ask_openai(client: Any, model: str, **options: Any) -> Complete:
    """Ask by a client of the `openai` package, synchronous or not. `options` go into every request."""

    def complete(messages: Messages, tools: list[dict[str, Any]]) -> AsyncSource:
        asked: dict[str, Any] = {"tools": tools} if tools else {}
        stream: AsyncSource = client.chat.completions.create(
            model=model,
            messages=messages,
            stream=True,
            stream_options={"include_usage": True},
            **asked,
            **options,
        )
        return stream

    return complete


def declared(tool: ToolSpec) -> dict[str, Any]:
    """The tool as a request to Chat Completions declares it."""
    parameters = dict(tool.parameters) or {"type": "object", "properties": {}}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": parameters},
    }
