"""parse and aparse: a stream of chunks in, its events out, in one call.

for event in parse(client.chat.completions.create(..., stream=True)): ...
async for item in aparse(stream, "hermes", invocations=True): ...
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeVar, overload

from attrs import evolve

from streamparse.chunk import Chunk
from streamparse.config import DEFAULT_CONFIG, ParserConfig, Tools, ToolSpec
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import LimitError, ParserStateError, ProviderStreamError
from streamparse.events import AnyEvent
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
#: Iterable, but not over chunks.
_ONE_CHUNK = (*TEXTS, Mapping, Chunk)
#: The configuration of everyone who brings none and does not ask for invocations.
_NO_INVOCATIONS = evolve(DEFAULT_CONFIG, invocations=False)


@overload
def parse(
    chunks: Iterable[object],
    formats: str | Iterable[str] | None = None,
    *,
    invocations: Literal[False] = False,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_error: ErrorCallback | None = None,
) -> Iterator[AnyEvent]: ...


@overload
def parse(
    chunks: Iterable[object],
    formats: str | Iterable[str] | None = None,
    *,
    invocations: bool,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_error: ErrorCallback | None = None,
) -> Iterator[AnyEvent | ToolInvocation]: ...


def parse(
    chunks: Iterable[object],
    formats: str | Iterable[str] | None = None,
    *,
    invocations: bool = False,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_error: ErrorCallback | None = None,
) -> Iterator[AnyEvent | ToolInvocation]:
    """Iterate over the events of `chunks`: texts, bytes, or what a provider's SDK streams; one of them alone will do.

    `formats` is a format name or a list of them; None means `config.strategy_order`, then the environment variable
    STREAMPARSE_PARSER, then what is usual for the `provider`, then "xml". With `invocations=True` each tool invocation
    comes right after the END of its segment.

    `config` says how the stream is read, and `tools` are those declared to the model: by their schemas arguments are
    typed. `registry` has states for tools, `syntaxes` says which segments are calls. `on_segment_event` is called with
    each event before it is given here, `on_tool_invocation` with each call right after the END of its segment, and
    `on_error` with what these two raise, which disturbs nothing else. Without `on_error` that is logged.

    If the source raises, what was open is closed first (as truncated), so that a UI is not left with half a segment.
    """
    handler = StreamingResponseHandler(
        formats,
        config=_config_for(config, invocations, on_tool_invocation),
        tools=tools,
        provider=provider,
        registry=registry,
        syntaxes=syntaxes,
        on_segment_event=on_segment_event,
        on_tool_invocation=on_tool_invocation,
        on_error=on_error,
    )
    return _parse(handler, (chunks,) if isinstance(chunks, _ONE_CHUNK) else chunks, invocations)


def _parse(
    handler: StreamingResponseHandler, chunks: Iterable[object], invocations: bool
) -> Iterator[AnyEvent | ToolInvocation]:
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
    chunks: AsyncIterable[object] | Iterable[object],
    formats: str | Iterable[str] | None = None,
    *,
    invocations: Literal[False] = False,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_error: ErrorCallback | None = None,
) -> AsyncIterator[AnyEvent]: ...


@overload
def aparse(
    chunks: AsyncIterable[object] | Iterable[object],
    formats: str | Iterable[str] | None = None,
    *,
    invocations: bool,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_error: ErrorCallback | None = None,
) -> AsyncIterator[AnyEvent | ToolInvocation]: ...


def aparse(
    chunks: AsyncIterable[object] | Iterable[object],
    formats: str | Iterable[str] | None = None,
    *,
    invocations: bool = False,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_error: ErrorCallback | None = None,
) -> AsyncIterator[AnyEvent | ToolInvocation]:
    """As `parse`, over an asynchronous source, or one that is not. Callbacks may be coroutine functions.

    The options are those of `parse`: `formats` to be looked for in the text, `invocations` to be given among the
    events, `config`, `tools`, `provider`, `registry`, `syntaxes`, and the callbacks `on_segment_event`,
    `on_tool_invocation` and `on_error`.
    """
    handler = StreamingResponseHandler(
        formats,
        config=_config_for(config, invocations, on_tool_invocation),
        tools=tools,
        provider=provider,
        registry=registry,
        syntaxes=syntaxes,
        on_segment_event=on_segment_event,
        on_tool_invocation=on_tool_invocation,
        on_error=on_error,
    )
    return _aparse(handler, (chunks,) if isinstance(chunks, _ONE_CHUNK) else chunks, invocations)


async def _aparse(
    handler: StreamingResponseHandler, chunks: AsyncIterable[object] | Iterable[object], invocations: bool
) -> AsyncIterator[AnyEvent | ToolInvocation]:
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


async def _as_async(chunks: Iterable[object]) -> AsyncIterator[object]:
    for chunk in chunks:
        yield chunk


def _config_for(
    config: ParserConfig | None, invocations: bool, on_tool_invocation: InvocationCallback | None
) -> ParserConfig | None:
    """The configuration of a handler that builds invocations only if someone will see them."""
    if config is None:
        return DEFAULT_CONFIG if invocations or on_tool_invocation is not None else _NO_INVOCATIONS
    if not isinstance(config, ParserConfig):
        return config  # the handler will say what is wrong with it
    if invocations and not config.invocations:
        raise ValueError("parse(invocations=True) contradicts ParserConfig(invocations=False)")
    return config if invocations or on_tool_invocation is not None else evolve(config, invocations=False)


def _woven(
    events: list[AnyEvent], handler: StreamingResponseHandler, invocations: bool
) -> Iterator[AnyEvent | ToolInvocation]:
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


def _last_events(error: Exception) -> list[AnyEvent]:
    return error.events if isinstance(error, LimitError | ProviderStreamError) else []
