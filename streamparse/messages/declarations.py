"""The tools of a request, as each interface wants them to be declared.

    openai            {"type": "function", "function": {"name": "search", "description": "…", "parameters": {…}}}
    openai-responses  {"type": "function", "name": "search", "description": "…", "parameters": {…}, "strict": False}
    anthropic         {"name": "search", "description": "…", "input_schema": {…}}
    google            {"functionDeclarations": [{"name": "search", "description": "…", "parametersJsonSchema": {…}}, …]}
    bedrock           {"toolSpec": {"name": "search", "description": "…", "inputSchema": {"json": {…}}}}

In a text format nothing is declared: the prompt tells the model of its tools. OpenAI's Responses take a tool that says
nothing about it for a strict one, whose schema may leave nothing open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamparse.config import ToolSpec

Declared = list[dict[str, Any]]


def openai_chat(tools: Sequence[ToolSpec]) -> Declared:
    """For `tools=`."""
    return [{"type": "function", "function": _function(tool, "parameters")} for tool in tools]


def openai_responses(tools: Sequence[ToolSpec]) -> Declared:
    """For `tools=`."""
    return [{"type": "function", **_function(tool, "parameters"), "strict": False} for tool in tools]


def anthropic(tools: Sequence[ToolSpec]) -> Declared:
    """For `tools=`."""
    return [_function(tool, "input_schema") for tool in tools]


def google(tools: Sequence[ToolSpec]) -> Declared:
    """For the `tools` of the configuration: all functions are one tool."""
    return [{"functionDeclarations": [_function(tool, "parametersJsonSchema") for tool in tools]}] if tools else []


def bedrock(tools: Sequence[ToolSpec]) -> Declared:
    """For the `tools` of `toolConfig`."""
    functions = [_function(tool, "inputSchema") for tool in tools]
    return [{"toolSpec": {**function, "inputSchema": {"json": function["inputSchema"]}}} for function in functions]


def text_format(_: Sequence[ToolSpec]) -> Declared:
    """Nothing."""
    return []


def _function(tool: ToolSpec, schema: str) -> dict[str, Any]:
    """Some servers refuse an empty description, and most a schema that is not one of an object."""
    description = {"description": tool.description} if tool.description else {}
    return {"name": tool.name, **description, schema: dict(tool.parameters) or {"type": "object", "properties": {}}}
