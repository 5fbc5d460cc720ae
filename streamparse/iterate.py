"""parse and aparse: a stream of chunks in, its events out, in one call.

for event in parse(client.chat.completions.create(..., stream=True)): ...
async for item in aparse(stream, "hermes", invocations=True): ...
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, cast, overload

from attrs import evolve

from streamparse.chunk import Chunk
from streamparse.config import DEFAULT_CONFIG, ParserConfig, Tools, ToolSpec
from streamparse.core.registry import ToolStateRegistry
from streamparse.delivery import ErrorCallback, EventCallback, InvocationCallback, OutcomeCallback, is_end_of
from streamparse.errors import LimitError, ParserStateError, ProviderStreamError, suggest
from streamparse.events import AnyEvent
from streamparse.formats import Formats
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import Item, ToolInvocation, ToolSyntaxRegistry
from streamparse.outcome import StreamEnd
from streamparse.parser import TEXTS

_Source: TypeAlias = AsyncIterable[object] | Iterable[object]
AsyncSource: TypeAlias = _Source | Awaitable[_Source]
#: Iterable, but not over chunks.
ONE_CHUNK = (*TEXTS, Mapping, Chunk)
#: The configuration of everyone who brings none and does not ask for invocations.
_NO_INVOCATIONS = evolve(DEFAULT_CONFIG, invocations=False)


class _Options(TypedDict, total=False):
    """The options of `parse` and `aparse` on which their type does not depend."""

    model: str | None
    config: ParserConfig | None
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None
    provider: str | None
    registry: ToolStateRegistry | None
    syntaxes: ToolSyntaxRegistry | None
    on_segment_event: EventCallback | None
    on_tool_invocation: InvocationCallback | None
    on_stream_end: OutcomeCallback | None
    on_error: ErrorCallback | None
    choice: int


@overload
def parse(
    chunks: Iterable[object],
    formats: Formats = None,
    *,
    invocations: Literal[False] = False,
    outcome: Literal[False] = False,
    **options: Unpack[_Options],
) -> Iterator[AnyEvent]: ...


@overload
def parse(
    chunks: Iterable[object],
    formats: Formats = None,
    *,
    invocations: bool,
    outcome: Literal[False] = False,
    **options: Unpack[_Options],
) -> Iterator[AnyEvent | ToolInvocation]: ...


@overload
def parse(
    chunks: Iterable[object],
    formats: Formats = None,
    *,
    invocations: bool = False,
    outcome: bool,
    **options: Unpack[_Options],
) -> Iterator[Item]: ...


def parse(
    chunks: Iterable[object],
    formats: Formats = None,
    *,
    model: str | None = None,
    invocations: bool = False,
    outcome: bool = False,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_stream_end: OutcomeCallback | None = None,
    on_error: ErrorCallback | None = None,
    choice: int = 0,
    **unknown: object,
) -> Iterator[Item]:
    """Iterate over the events of `chunks`: texts, bytes, or what a provider's SDK streams. One text alone will do.

    `parse(["Hi. <run_ba", "sh>ls</run_bash>"], "xml")` gives the START, CONTENT and END of a text and of a command.

    `formats` is the name of a format, or a list of names. If it is None, the first of these counts that is given:
    `config.strategy_order`, the format of `model`, the environment variable STREAMPARSE_PARSER, the usual format of
    `provider`; else "native" is read if a provider's chunks come, and "xml" if text comes. `model` also says whether
    the prompt has opened the reasoning, unless `config.reasoning` does. With `invocations=True` each tool invocation
    comes right after the END of its segment. With `outcome=True` a `StreamEnd` comes last: how the reply ended.

    `config` is a `ParserConfig`. `tools` are the tools declared to the model: their schemas give arguments their types.
    `registry` has states for tools, and `syntaxes` says which segments are calls. `on_segment_event` is called with
    each event before it is given here, `on_tool_invocation` with each call right after the END of its segment, and
    `on_stream_end` with the outcome. What these raise goes to `on_error`, or to the log, and disturbs nothing else.
    `choice` is the number of the reply that is read, if a provider streams several alternatives.

    If the source raises, what was open is closed first (as truncated), so that a UI is not left with half a segment.
    """
    _refuse(unknown, "parse")
    chunks = as_sync(chunks, "use aparse()")
    handler = StreamingResponseHandler(
        formats,
        model=model,
        config=_config_for(config, invocations, on_tool_invocation),
        tools=tools,
        provider=provider,
        registry=registry,
        syntaxes=syntaxes,
        on_segment_event=on_segment_event,
        on_tool_invocation=on_tool_invocation,
        on_stream_end=on_stream_end,
        on_error=on_error,
        choice=choice,
    )
    return iterate(handler, chunks, invocations=invocations, outcome=outcome)


def iterate(
    handler: StreamingResponseHandler, chunks: Iterable[object], *, invocations: bool, outcome: bool
) -> Iterator[Item]:
    """Feed all chunks to the handler; what comes of them. If the source raises, so does this, at the very end."""
    failure: Exception | None = None
    try:
        for chunk in (chunks,) if isinstance(chunks, ONE_CHUNK) else chunks:
            yield from woven(handler.feed(chunk), handler, invocations)
    except Exception as error:
        failure = error
        yield from woven(_last_events(error), handler, invocations)
    with suppress(*(() if failure is None else (ParserStateError,))):  # a state that failed leaves nothing to end
        last = handler.abort(failure) if _is_cut(failure) else handler.finalize()
        yield from woven(last, handler, invocations)
    if outcome and handler.outcome is not None:
        yield StreamEnd(handler.outcome)
    if failure is not None:
        raise failure


@overload
def aparse(
    chunks: AsyncSource,
    formats: Formats = None,
    *,
    invocations: Literal[False] = False,
    outcome: Literal[False] = False,
    **options: Unpack[_Options],
) -> AsyncIterator[AnyEvent]: ...


@overload
def aparse(
    chunks: AsyncSource,
    formats: Formats = None,
    *,
    invocations: bool,
    outcome: Literal[False] = False,
    **options: Unpack[_Options],
) -> AsyncIterator[AnyEvent | ToolInvocation]: ...


@overload
def aparse(
    chunks: AsyncSource,
    formats: Formats = None,
    *,
    invocations: bool = False,
    outcome: bool,
    **options: Unpack[_Options],
) -> AsyncIterator[Item]: ...


def aparse(
    chunks: AsyncSource,
    formats: Formats = None,
    *,
    model: str | None = None,
    invocations: bool = False,
    outcome: bool = False,
    config: ParserConfig | None = None,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (),
    provider: str | None = None,
    registry: ToolStateRegistry | None = None,
    syntaxes: ToolSyntaxRegistry | None = None,
    on_segment_event: EventCallback | None = None,
    on_tool_invocation: InvocationCallback | None = None,
    on_stream_end: OutcomeCallback | None = None,
    on_error: ErrorCallback | None = None,
    choice: int = 0,
    **unknown: object,
) -> AsyncIterator[Item]:
    """As `parse`, over an asynchronous source, or one that is not. Callbacks may be coroutine functions.

    The options are those of `parse`: `formats` to be looked for in the text, or the `model` that writes it,
    `invocations` and `outcome` to be given among the events, `config`, `tools`, `provider`, `registry`, `syntaxes`,
    `choice`, and the callbacks `on_segment_event`, `on_tool_invocation`, `on_stream_end` and `on_error`.
    """
    _refuse(unknown, "aparse")
    handler = StreamingResponseHandler(
        formats,
        model=model,
        config=_config_for(config, invocations, on_tool_invocation),
        tools=tools,
        provider=provider,
        registry=registry,
        syntaxes=syntaxes,
        on_segment_event=on_segment_event,
        on_tool_invocation=on_tool_invocation,
        on_stream_end=on_stream_end,
        on_error=on_error,
        choice=choice,
    )
    return aiterate(handler, chunks, invocations=invocations, outcome=outcome)


async def aiterate(
    handler: StreamingResponseHandler,
    chunks: AsyncSource,
    *,
    invocations: bool,
    outcome: bool,
) -> AsyncGenerator[Item, None]:
    """As `iterate`, over an asynchronous source, or one that is not."""
    failure: Exception | None = None
    try:
        async for chunk in chunks if isinstance(chunks, AsyncIterable) else as_async(chunks):
            for item in woven(await handler.afeed(chunk), handler, invocations):
                yield item
    except Exception as error:
        failure = error
        for item in woven(_last_events(error), handler, invocations):
            yield item
    with suppress(*(() if failure is None else (ParserStateError,))):
        last = await (handler.aabort(failure) if _is_cut(failure) else handler.afinalize())
        for item in woven(last, handler, invocations):
            yield item
    if outcome and handler.outcome is not None:
        yield StreamEnd(handler.outcome)
    if failure is not None:
        raise failure


async def as_async(source: AsyncSource) -> AsyncGenerator[object, None]:
    """The chunks of any source."""
    chunks = await source if isinstance(source, Awaitable) else source
    if isinstance(chunks, AsyncIterable):
        async for chunk in chunks:
            yield chunk
    else:
        for chunk in (chunks,) if isinstance(chunks, ONE_CHUNK) else chunks:
            yield chunk


async def aclose(source: object) -> None:
    """Close an asynchronous source, whatever its class calls that, if it can be closed."""
    close = getattr(source, "aclose", None) or getattr(source, "close", None)
    if close is not None:
        result = close()
        if isinstance(result, Awaitable):
            await result


def _refuse(unknown: Mapping[str, object], function: str) -> None:
    """Type checkers see the options alone; whoever has none is told which one may have been meant."""
    for name in unknown:
        raise TypeError(f"{function}() has no option {name!r}{suggest(name, inspect.signature(parse).parameters)}")


def as_sync(stream: object, hint: str) -> Iterable[object]:
    """The same stream, which is to be read with `for`; `hint` is what to do with one that cannot."""
    if isinstance(stream, AsyncIterable | Awaitable) and not isinstance(stream, Iterable):
        if inspect.iscoroutine(stream):
            stream.close()
        raise TypeError(f"{type(stream).__name__} is asynchronous: {hint}")
    return cast(Iterable[object], stream)


def _config_for(
    config: ParserConfig | None, invocations: bool, on_tool_invocation: InvocationCallback | None
) -> ParserConfig | None:
    """The configuration of a handler that builds invocations only if someone will see them."""
    if invocations or on_tool_invocation is not None:
        return config_with_calls(config) if invocations else config
    if config is None:
        return _NO_INVOCATIONS
    return evolve(config, invocations=False) if isinstance(config, ParserConfig) else config


def config_with_calls(config: ParserConfig | None) -> ParserConfig | None:
    """The same configuration, if it lets calls be collected. (What is no configuration, the handler refuses.)"""
    if isinstance(config, ParserConfig) and not config.invocations:
        raise ValueError("invocations are wanted, but ParserConfig(invocations=False) collects none")
    return config


def woven(events: list[AnyEvent], handler: StreamingResponseHandler, invocations: bool) -> Iterator[Item]:
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


def _is_cut(failure: Exception | None) -> bool:
    """Whether a stream that ended so lacks its end. What a limit stopped is as it is."""
    return failure is not None and not isinstance(failure, LimitError)


def _last_events(error: Exception) -> list[AnyEvent]:
    return error.events if isinstance(error, LimitError | ProviderStreamError) else []
