"""The real clients, each as a stream of its own chunks, and the same bytes without any client."""

from __future__ import annotations

import http.client
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import anthropic
import ollama
import openai

from streamparse.providers.sse import chunks

MESSAGES: Any = [{"role": "user", "content": "Hi"}]
NO_RETRY: Any = {"api_key": "x", "max_retries": 0}


def openai_chat(url: str, model: str) -> Iterator[Any]:
    with (
        openai.OpenAI(base_url=f"{url}/v1", **NO_RETRY) as client,
        client.chat.completions.create(model=model, messages=MESSAGES, stream=True) as stream,
    ):
        yield from stream


async def async_openai_chat(url: str, model: str) -> AsyncIterator[Any]:
    async with (
        openai.AsyncOpenAI(base_url=f"{url}/v1", **NO_RETRY) as client,
        await client.chat.completions.create(model=model, messages=MESSAGES, stream=True) as stream,
    ):
        async for chunk in stream:
            yield chunk


def openai_responses(url: str, model: str) -> Iterator[Any]:
    with (
        openai.OpenAI(base_url=f"{url}/v1", **NO_RETRY) as client,
        client.responses.create(model=model, input="Hi", stream=True) as stream,
    ):
        yield from stream


async def async_openai_responses(url: str, model: str) -> AsyncIterator[Any]:
    async with (
        openai.AsyncOpenAI(base_url=f"{url}/v1", **NO_RETRY) as client,
        await client.responses.create(model=model, input="Hi", stream=True) as stream,
    ):
        async for chunk in stream:
            yield chunk


def anthropic_raw(url: str, model: str) -> Iterator[Any]:
    with (
        anthropic.Anthropic(base_url=url, **NO_RETRY) as client,
        client.messages.create(model=model, max_tokens=99, messages=MESSAGES, stream=True) as stream,
    ):
        yield from stream


async def async_anthropic_raw(url: str, model: str) -> AsyncIterator[Any]:
    async with (
        anthropic.AsyncAnthropic(base_url=url, **NO_RETRY) as client,
        await client.messages.create(model=model, max_tokens=99, messages=MESSAGES, stream=True) as stream,
    ):
        async for chunk in stream:
            yield chunk


def anthropic_stream(url: str, model: str) -> Iterator[Any]:
    with (
        anthropic.Anthropic(base_url=url, **NO_RETRY) as client,
        client.messages.stream(model=model, max_tokens=99, messages=MESSAGES) as stream,
    ):
        yield from stream


async def async_anthropic_stream(url: str, model: str) -> AsyncIterator[Any]:
    async with (
        anthropic.AsyncAnthropic(base_url=url, **NO_RETRY) as client,
        client.messages.stream(model=model, max_tokens=99, messages=MESSAGES) as stream,
    ):
        async for chunk in stream:
            yield chunk


def ollama_chat(url: str, model: str) -> Iterator[Any]:
    with ollama.Client(host=url) as client:
        yield from client.chat(model=model, messages=MESSAGES, stream=True)


async def async_ollama_chat(url: str, model: str) -> AsyncIterator[Any]:
    async with ollama.AsyncClient(host=url) as client:
        async for chunk in await client.chat(model=model, messages=MESSAGES, stream=True):
            yield chunk


def plain(url: str, model: str) -> Iterator[Any]:
    """No client: the bytes as they come, through `sse.chunks`."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        body = json.dumps({"model": model})
        connection.request("POST", "/", body, {"content-type": "application/json"})
        reply = connection.getresponse()
        yield from chunks(iter(lambda: reply.read1(13), b""))
    finally:
        connection.close()


#: The clients of each provider.
SYNC: dict[str, list[Callable[[str, str], Iterator[Any]]]] = {
    "chat": [openai_chat, plain],
    "responses": [openai_responses, plain],
    "anthropic": [anthropic_raw, anthropic_stream, plain],
    "ollama": [ollama_chat, plain],
}
ASYNC: dict[str, list[Callable[[str, str], AsyncIterator[Any]]]] = {
    "chat": [async_openai_chat],
    "responses": [async_openai_responses],
    "anthropic": [async_anthropic_raw, async_anthropic_stream],
    "ollama": [async_ollama_chat],
}
