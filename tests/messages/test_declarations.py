"""The tools of a request are declared as each interface wants them, and its SDK takes them."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import ToolParam
from google.genai import types
from openai.types.chat import ChatCompletionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

from streamparse import ToolSpec
from streamparse.errors import RegistryError
from streamparse.presenter import Tool, Toolbox


def search(query: str) -> str:
    """Look it up."""
    return query


def now() -> str:
    return "noon"


TOOLS = Toolbox.of([search, now])
QUERY = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
    "additionalProperties": False,
}
NOTHING = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
DECLARED: dict[str, list[dict[str, Any]]] = {
    "openai": [
        {"type": "function", "function": {"name": "search", "description": "Look it up.", "parameters": QUERY}},
        {"type": "function", "function": {"name": "now", "parameters": NOTHING}},
    ],
    "openai-responses": [
        {"type": "function", "name": "search", "description": "Look it up.", "parameters": QUERY, "strict": False},
        {"type": "function", "name": "now", "parameters": NOTHING, "strict": False},
    ],
    "anthropic": [
        {"name": "search", "description": "Look it up.", "input_schema": QUERY},
        {"name": "now", "input_schema": NOTHING},
    ],
    "google": [
        {
            "functionDeclarations": [
                {"name": "search", "description": "Look it up.", "parametersJsonSchema": QUERY},
                {"name": "now", "parametersJsonSchema": NOTHING},
            ]
        }
    ],
    "bedrock": [
        {"toolSpec": {"name": "search", "description": "Look it up.", "inputSchema": {"json": QUERY}}},
        {"toolSpec": {"name": "now", "inputSchema": {"json": NOTHING}}},
    ],
    "hermes": [],
}
#: What the SDKs say of them; boto3 is not installed.
TYPES: dict[str, Any] = {
    "openai": ChatCompletionToolParam,
    "openai-responses": FunctionToolParam,
    "anthropic": ToolParam,
    "google": types.Tool,
}


@pytest.mark.parametrize("dialect", DECLARED)
def test_tools_are_declared_as_the_interface_wants_them(dialect: str) -> None:
    assert TOOLS.declared(dialect) == DECLARED[dialect]
    assert Toolbox().declared(dialect) == []


@pytest.mark.parametrize("dialect", TYPES)
def test_the_sdk_takes_them(dialect: str) -> None:
    read = TypeAdapter(list[TYPES[dialect]]).validate_python(TOOLS.declared(dialect))
    assert len(read) == len(DECLARED[dialect])


def test_a_tool_without_a_schema_takes_nothing() -> None:
    tools = Toolbox([Tool.of(now, spec=ToolSpec("f"))])
    schema = {"type": "object", "properties": {}}
    assert tools.declared("anthropic") == [{"name": "f", "input_schema": schema}]


def test_a_dialect_that_nobody_speaks() -> None:
    with pytest.raises(RegistryError, match="'opnai' is no dialect"):
        TOOLS.declared("opnai")
