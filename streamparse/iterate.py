"""parse and aparse: a stream of chunks in, its events out, in one call.

for event in parse(client.chat.completions.create(..., stream=True)): ...
async for item in aparse(stream, "hermes", invocations=True): ...
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, Unpack, overload

from attrs import evolve

from streamparse.chunk import Chunk
from streamparse.config import DEFAULT_CONFIG, ParserConfig, Tools, ToolSpec
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import LimitError, ParserStateError, ProviderStreamError, suggest
from streamparse.events import SegmentEvent
from streamparse.formats import Formats
from streamparse.handler import (
    ErrorCallback,
    EventCallback,
    InvocationCallback,
    StreamingResponseHandler,
    is_end_of,
)
from streamparse.invocations import ToolInvocation, ToolSyntaxRegistry
from streamparse.parser import TEXTS

_T = TypeVar("_T")
_Source: TypeAlias = AsyncIterable[object] | Iterable[object]
_AsyncSource: TypeAlias = _Source | Awaitable[_Source]
#: Iterable, but not over chunks.
_ONE_CHUNK = (*TEXTS, Mapping, Chunk)
#: The configuration of everyone who brings none and does not ask for invocations.
_NO_INVOCATIONS = evolve(DEFAULT_CONFIG, invocations=False)


class HandlerOptions(TypedDict, total=False):
    """What may be passed on to the handler; `StreamingResponseHandler` says what each of them means."""

    config: ParserConfig | None
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]]
    provider: str | None
    registry: ToolStateRegistry | None
    syntaxes: ToolSyntaxRegistry | None
    on_segment_event: EventCallback | None
    on_tool_invocation: InvocationCallback | None
    on_error: ErrorCallback | None


@overload
def parse(
    chunks: Iterable[object],
    formats: Formats = None,
    *,
    invocations: Literal[False] = False,
    **options: Unpack[HandlerOptions],
) -> Iterator[SegmentEvent]: ...


@overload
def parse(
    chunks: Iterable[object],
    formats: Formats = None,
    *,
    invocations: bool,
    **options: Unpack[HandlerOptions],
) -> Iterator[SegmentEvent | ToolInvocation]: ...


def parse(
    chunks: Iterable[object],
    formats: Formats = None,
    *,
    invocations: bool = False,
    **options: Unpack[HandlerOptions],
) -> Iterator[SegmentEvent | ToolInvocation]:
    """Iterate over the events of `chunks`: texts, bytes, or what a provider's SDK streams; one of them alone will do.

    `options` are those of the handler.

    With `invocations=True` each tool invocation comes right after the END of its segment. If the source raises, what
    was open is closed first (as truncated), so that a UI is not left with half a segment.
    """
    if isinstance(chunks, AsyncIterable | Awaitable) and not isinstance(chunks, Iterable):
        if inspect.iscoroutine(chunks):
            chunks.close()
        raise TypeError(f"parse() cannot await {type(chunks).__name__}: use aparse()")
    handler = _handler_for(formats, invocations, options)
    return _parse(handler, (chunks,) if isinstance(chunks, _ONE_CHUNK) else chunks, invocations)


def _parse(
    handler: StreamingResponseHandler, chunks: Iterable[object], invocations: bool
) -> Iterator[SegmentEvent | ToolInvocation]:
    try:
        for chunk in chunks:
            yield from _woven(handler.feed(chunk), handler, invocations)
    except Exception as error:
        yield from _woven(_last_events(error), handler, invocations)
        with suppress(ParserStateError):  # a state that failed leaves nothing to end
            yield from _woven(_end(error, handler.finalize, handler.abort)(), handler, invocations)
        raise
    yield from _woven(handler.finalize(), handler, invocations)


@overload
def aparse(
    chunks: _AsyncSource,
    formats: Formats = None,
    *,
    invocations: Literal[False] = False,
    **options: Unpack[HandlerOptions],
) -> AsyncIterator[SegmentEvent]: ...


@overload
def aparse(
    chunks: _AsyncSource,
    formats: Formats = None,
    *,
    invocations: bool,
    **options: Unpack[HandlerOptions],
) -> AsyncIterator[SegmentEvent | ToolInvocation]: ...


def aparse(
    chunks: _AsyncSource,
    formats: Formats = None,
    *,
    invocations: bool = False,
    **options: Unpack[HandlerOptions],
) -> AsyncIterator[SegmentEvent | ToolInvocation]:
    """As `parse`, over an asynchronous source, or an awaitable of one: `aparse(client.chat.completions.create(…))`."""
    handler = _handler_for(formats, invocations, options)
    return _aparse(handler, chunks, invocations)


async def _aparse(
    handler: StreamingResponseHandler, chunks: _AsyncSource, invocations: bool
) -> AsyncIterator[SegmentEvent | ToolInvocation]:
    try:
        async for chunk in chunks if isinstance(chunks, AsyncIterable) else _as_async(chunks):
            for item in _woven(await handler.afeed(chunk), handler, invocations):
                yield item
    except Exception as error:
        for item in _woven(_last_events(error), handler, invocations):
            yield item
        with suppress(ParserStateError):
            for item in _woven(await _end(error, handler.afinalize, handler.aabort)(), handler, invocations):
                yield item
        raise
    for item in _woven(await handler.afinalize(), handler, invocations):
        yield item


async def _as_async(source: Awaitable[_Source] | Iterable[object]) -> AsyncIterator[object]:
    chunks = await source if isinstance(source, Awaitable) else source
    if isinstance(chunks, AsyncIterable):
        async for chunk in chunks:
            yield chunk
    else:
        for chunk in (chunks,) if isinstance(chunks, _ONE_CHUNK) else chunks:
            yield chunk


def _handler_for(formats: Formats, invocations: bool, options: HandlerOptions) -> StreamingResponseHandler:
    """A handler that builds invocations only if someone will see them."""
    for name in options:
        if name not in HandlerOptions.__annotations__:
            raise TypeError(f"parse() has no option {name!r}{suggest(name, HandlerOptions.__annotations__)}")
    config = options.get("config")
    if config is None:
        config = DEFAULT_CONFIG
    if isinstance(config, ParserConfig):  # if not, the handler will say so
        if invocations and not config.invocations:
            raise ValueError("parse(invocations=True) contradicts ParserConfig(invocations=False)")
        if not invocations and options.get("on_tool_invocation") is None:
            config = _NO_INVOCATIONS if config is DEFAULT_CONFIG else evolve(config, invocations=False)
    options["config"] = config
    return StreamingResponseHandler(formats, **options)


def _woven(
    events: list[SegmentEvent], handler: StreamingResponseHandler, invocations: bool
) -> Iterator[SegmentEvent | ToolInvocation]:
    """The events, each invocation right behind the END it came of. The handler need not keep it any longer."""
    if not handler.invocations or not invocations:
        handler.invocations.clear()
        yield from events
        return
    made = {invocation.id: invocation for invocation in handler.invocations}
    handler.invocations.clear()
    for event in events:
        yield event
        if is_end_of(made, event):
            yield made[event.segment_id]


def _end(error: Exception, finalize: _T, abort: _T) -> _T:
    """How a stream that raised is ended: what a limit stopped is as it is, of anything else the end is missing."""
    return finalize if isinstance(error, LimitError) else abort


def _last_events(error: Exception) -> list[SegmentEvent]:
    return error.events if isinstance(error, LimitError | ProviderStreamError) else []
