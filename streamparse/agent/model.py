"""How an agent asks its model: any function that takes messages and tools and gives a stream.

def complete(messages: list[dict], tools: list[dict]) -> stream of chunks: ...

ask_openai(AsyncOpenAI(base_url=…), "qwen3-coder")        such a function, for whatever speaks Chat Completions

A stream that is read with `for` is read in a thread (`in_thread.py`), so that nothing else has to wait for it.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from streamparse.agent.in_thread import in_thread
from streamparse.errors import ProviderStreamError, StreamparseError
from streamparse.iterate import AsyncSource, aclose, as_async

Messages: TypeAlias = list[dict[str, Any]]
#: Asks a model: `tools` are those of the request, in the form that Chat Completions takes; none in a text format.
Complete: TypeAlias = Callable[[Messages, list[dict[str, Any]]], AsyncSource]

#: Answers of a server that say "later" and not "never".
_LATER = (408, 409, 425, 429)


class ModelError(StreamparseError):
    """The model could not be asked, or its reply broke off, and asking again did not help; the cause says why."""


def ask_openai(client: Any, model: str, **options: Any) -> Complete:
    """Ask by a client of the `openai` package, synchronous or not. `options` go into every request."""
    is_async = inspect.iscoroutinefunction(client.close)

    def complete(messages: Messages, tools: list[dict[str, Any]]) -> AsyncSource:
        asked: dict[str, Any] = {"tools": tools} if tools else {}

        def create() -> Any:
            return client.chat.completions.create(
                model=model,
                messages=messages,
                stream=True,
                stream_options={"include_usage": True},
                **asked,
                **options,
            )

        return _to_the_end(create() if is_async else in_thread(create))

    return complete


async def _to_the_end(stream: Any) -> AsyncGenerator[object, None]:
    """The same chunks. A reply that does not say why it ended has broken off, and that is an error."""
    is_ended = False
    source = await stream if isinstance(stream, Awaitable) else stream
    try:
        async for chunk in source:
            is_ended = is_ended or any(choice.finish_reason for choice in chunk.choices)
            yield chunk
    finally:
        await aclose(source)
    if not is_ended:
        raise ConnectionError("the reply of the model broke off")


class Request:
    """One request. `chunks` are those of the reply; `error` is what went wrong with it, if something did."""

    def __init__(self, complete: Complete, messages: Messages, tools: list[dict[str, Any]]) -> None:
        self._complete, self._messages, self._tools = complete, messages, tools
        self.error: Exception | None = None

    async def chunks(self) -> AsyncGenerator[object, None]:
        """Ask, and read the reply."""
        source: Any = None
        try:
            source = self._complete(self._messages, self._tools)
            if isinstance(source, Awaitable) and not isinstance(source, AsyncIterable):
                source = await source
            if isinstance(source, Iterator):
                source = in_thread(partial(iter, source))
            if not isinstance(source, AsyncIterable):
                source = as_async(source)
            async for chunk in source:
                yield chunk
        except Exception as error:
            self.error = error
            raise
        finally:
            await aclose(source)

    def is_to_blame(self, error: Exception) -> bool:
        """Whether `error` is one of this request, and not of the program that looks at the reply."""
        return error is self.error or isinstance(error, ProviderStreamError)


def is_final(error: Exception) -> bool:
    """Whether it is of no use to ask again: the server has refused the request as such."""
    code = getattr(error, "status_code", None)
    return isinstance(code, int) and 400 <= code < 500 and code not in _LATER
