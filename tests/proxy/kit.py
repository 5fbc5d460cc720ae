"""Bodies as the clients' own SDKs send them, and the SDK's word on a body of Chat Completions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2
import openai
from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from pydantic import TypeAdapter

from tests.messages.test_anthropic import drained

_WHOLE: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsNonStreaming)
_STREAMED: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsStreaming)


def check_chat(body: dict[str, Any]) -> dict[str, Any]:
    """The body, which OpenAI's own types allow: nothing of it is unknown to them, but for reasoning that goes back."""
    adapter = _STREAMED if body.get("stream") else _WHOLE
    known = [
        {name: value for name, value in message.items() if name != "reasoning_content"} for message in body["messages"]
    ]
    plain = {**body, "messages": known}
    assert drained(adapter.validate_python(plain)) == drained(plain)
    return body


def _caught(send: Callable[[httpx2.Client], Any]) -> dict[str, Any]:
    bodies: list[dict[str, Any]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        bodies.append(json.loads(request.content))
        return httpx2.Response(200, json={})

    send(httpx2.Client(transport=httpx2.MockTransport(answer)))
    [body] = bodies
    return body


def from_anthropic(**options: Any) -> dict[str, Any]:
    """The body that Anthropic's client sends for these arguments of `messages.create`."""
    return _caught(lambda http: anthropic.Anthropic(api_key="x", http_client=http).messages.create(**options))


def from_responses(**options: Any) -> dict[str, Any]:
    """The body that OpenAI's client sends for these arguments of `responses.create`."""
    return _caught(lambda http: openai.OpenAI(api_key="x", http_client=http).responses.create(**options))
