"""StreamingResponseHandler: the facade. Feed chunks, subscribe to events.

    handler = StreamingResponseHandler("xml")
    off = handler.subscribe(show, segment_type="write_file")
    for chunk in stream:
        handler.feed(chunk)
    handler.finalize()

`parse` and `aparse` (`iterate.py`) are the same in one call. The handler keeps no events, but the invocations that came
of them; it belongs to one thread or task at a time.
"""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define

from streamparse import deferred
from streamparse.config import DEFAULT_CONFIG, ParserConfig, Tools, ToolSpec
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import LimitError, ParserStateError, ProviderStreamError
from streamparse.events import SegmentEvent, SegmentEventType
from streamparse.formats.choice import config_for_provider, format_for_provider
from streamparse.invocations import ToolInvocation, ToolInvocationAdapter, ToolSyntaxRegistry
from streamparse.parser import TEXTS, StreamingParser

if TYPE_CHECKING:
    from streamparse.native import NativeStream

EventCallback: TypeAlias = Callable[[SegmentEvent], Awaitable[None] | None]
InvocationCallback: TypeAlias = Callable[[ToolInvocation], Awaitable[None] | None]
ErrorCallback: TypeAlias = Callable[[Exception], object]

#: The name of the format, when the code names none.
ENVIRONMENT_VARIABLE = "STREAMPARSE_PARSER"

_log = logging.getLogger("streamparse")


@define(eq=False)
class _Subscriber:
    callback: EventCallback
    segment_type: str | None
    event_type: SegmentEventType | None
    takes_all: bool  # spares the usual subscriber the question
    is_active: bool = True

    def wants(self, event: SegmentEvent) -> bool:
        return (
            self.is_active
            and (self.segment_type is None or self.segment_type == event.segment_type)
            and (self.event_type is None or self.event_type is event.type)
        )


class StreamingResponseHandler:
    """Parses a streamed reply and tells subscribers about its segments.

    `formats` is a format name or a list of them; None means `config.strategy_order`, then the environment variable
    STREAMPARSE_PARSER, then what is usual for the `provider`, then "xml". `on_segment_event` is a first subscriber;
    `on_tool_invocation` is called with each call right after the END of its segment. `on_error` is told about
    exceptions that these raise: they disturb neither the stream nor the other subscribers. Without it they are logged.

    `registry` has states for tools, `syntaxes` says which segments are calls; the defaults are those that
    `register_tool_state` and `register_tool_syntax` fill. `invocations` are the calls so far, in the order of their
    ends.
    """

    __slots__ = (
        "_adapter",
        "_config",
        "_is_feeding",
        "_native",
        "_needs_await",
        "_on_error",
        "_on_tool_invocation",
        "_parser",
        "_subscribers",
        "_tools",
        "invocations",
    )

    def __init__(
        self,
        formats: str | Iterable[str] | None = None,
        *,
        config: ParserConfig | None = None,
        tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] = (),
        provider: str | None = None,
        registry: ToolStateRegistry | None = None,
        syntaxes: ToolSyntaxRegistry | None = None,
        on_segment_event: EventCallback | None = None,
        on_tool_invocation: InvocationCallback | None = None,
        on_error: ErrorCallback | None = None,
    ) -> None:
        if formats is None and getattr(config, "strategy_order", None) is None:
            formats = os.environ.get(ENVIRONMENT_VARIABLE) or None
            if formats is None and provider is not None:
                formats = format_for_provider(provider)
        if provider is not None:
            config = config_for_provider(provider, config if config is not None else DEFAULT_CONFIG)
        if on_error is not None and (not callable(on_error) or _is_coroutine_function(on_error)):
            raise TypeError("on_error must be a plain function that takes the exception, not a coroutine function")
        self._tools = Tools.of(tools)
        self._parser = StreamingParser(formats, config, tools=self._tools, registry=registry)
        self._config = config if config is not None else DEFAULT_CONFIG
        self._native: NativeStream | None = None  # once a chunk has come that is no text
        self._adapter: ToolInvocationAdapter | None = None
        if self._config.invocations:
            self._adapter = ToolInvocationAdapter(self._tools, config=config, syntaxes=syntaxes)
        elif on_tool_invocation is not None:
            raise ValueError("on_tool_invocation is never called with ParserConfig(invocations=False)")
        if on_tool_invocation is not None and not callable(on_tool_invocation):
            raise TypeError(f"on_tool_invocation must be callable, not {type(on_tool_invocation).__name__}")
        self._on_tool_invocation = on_tool_invocation
        self.invocations: list[ToolInvocation] = []
        self._subscribers: tuple[_Subscriber, ...] = ()
        self._on_error = on_error
        self._is_feeding = False
        self._needs_await = on_tool_invocation is not None and _is_coroutine_function(on_tool_invocation)
        if on_segment_event is not None:
            self.subscribe(on_segment_event)

    def subscribe(
        self, callback: EventCallback, *, segment_type: str | None = None, event_type: str | None = None
    ) -> Callable[[], None]:
        """Call `callback` with each event, or each of one segment type or event type; returns a function to stop it.

        Subscribers are called in the order of subscription. A coroutine function needs `afeed` and `afinalize`.
        """
        if not callable(callback):
            raise TypeError(f"a subscriber must be callable, not {type(callback).__name__}")
        kind = None if event_type is None else SegmentEventType(event_type)
        subscriber = _Subscriber(callback, segment_type, kind, takes_all=segment_type is None and kind is None)
        self._subscribers = (*self._subscribers, subscriber)
        self._needs_await = self._needs_await or _is_coroutine_function(callback)

        def off() -> None:
            subscriber.is_active = subscriber.takes_all = False
            self._subscribers = tuple(other for other in self._subscribers if other is not subscriber)
            self._note_coroutines()

        return off

    def partial_arguments(self, segment_id: str) -> dict[str, Any] | None:
        """The arguments of a call that is being written: strings grow, all else is there when it is complete.

        Of a call that has ended, those of its invocation, if that is still in `invocations`; None if the segment is no
        call. To ask after every chunk costs a constant time per chunk: a snapshot of long content may miss the last 3 %
        of it. Read `ToolInvocationAdapter.partial_arguments` before you change what you get.
        """
        if self._adapter is None:
            raise ParserStateError("there are no arguments to give: ParserConfig(invocations=False) collects no calls")
        arguments = self._adapter.partial_arguments(segment_id)
        if arguments is None:
            for invocation in reversed(self.invocations):
                if invocation.id == segment_id:
                    return dict(invocation.arguments)
        return arguments

    def _note_coroutines(self) -> None:
        callbacks = [subscriber.callback for subscriber in self._subscribers]
        self._needs_await = any(_is_coroutine_function(call) for call in (*callbacks, self._on_tool_invocation) if call)

    # -- sync ---------------------------------------------------------------------------------------------------------

    def feed(self, chunk: object) -> list[SegmentEvent]:
        """Parse a chunk, tell the subscribers, return the events.

        A chunk is `str`, `bytes` (UTF-8, cut anywhere), a `Chunk`, or what a provider's SDK or interface streams, as an
        object or a dict. Raises TypeError for anything else, and ProviderStreamError if it reports an error.
        """
        if self._is_feeding or self._needs_await:
            raise self._misuse("feed")
        self._is_feeding = True
        try:
            if self._native is None:
                events = self._parser.feed(chunk) if chunk.__class__ is str else self._feed_other(chunk)
            else:
                events = self._native.feed(chunk)
            if events:
                self._tell(events)
        except (LimitError, ProviderStreamError) as error:
            self._tell(error.events)
            raise
        finally:
            self._is_feeding = False
        return events

    def _feed_other(self, chunk: object) -> list[SegmentEvent]:
        """The first chunk that is no plain text: bytes, or one with fields."""
        if self._native is None:
            if isinstance(chunk, TEXTS):
                return self._parser.feed(chunk)
            native: type[NativeStream] = deferred.load("streamparse.native", "NativeStream")
            self._native = native(self._parser, self._config, self._tools)
        return self._native.feed(chunk)

    def _abort(self) -> list[SegmentEvent]:
        if self._native is not None:
            self._native.cut()
        return self._parser.abort()

    def _finalize(self) -> list[SegmentEvent]:
        return self._native.finalize() + self._parser.finalize() if self._native else self._parser.finalize()

    def finalize(self) -> list[SegmentEvent]:
        """No more chunks: settle and close everything, tell the subscribers, return the events."""
        return self._close("finalize", self._finalize)

    def abort(self) -> list[SegmentEvent]:
        """The stream broke off: as `finalize`, but everything that is open is truncated."""
        return self._close("abort", self._abort)

    def _close(self, method: str, close: Callable[[], list[SegmentEvent]]) -> list[SegmentEvent]:
        if self._is_feeding or self._needs_await:
            raise self._misuse(method)
        self._is_feeding = True
        try:
            events = close()
            self._tell(events)
        finally:
            self._is_feeding = False
        return events

    def _tell(self, events: list[SegmentEvent]) -> None:
        made = None
        # As `_collect` does: calling it for every token would cost a tenth of the whole.
        if self._adapter is not None and (invocations := self._adapter.feed_all(events)):
            made = self._keep(invocations)
        if not made and not self._subscribers:
            return
        for event in events:
            for subscriber in self._subscribers:
                if subscriber.takes_all or subscriber.wants(event):
                    try:  # as `_call` does, for the same reason
                        result = subscriber.callback(event)
                        if result is not None and inspect.isawaitable(result):
                            raise _unawaited(result)
                    except Exception as error:
                        self._report(error, subscriber.callback)
            if made and self._on_tool_invocation and is_end_of(made, event):
                self._call(self._on_tool_invocation, made[event.segment_id])

    def _collect(self, events: list[SegmentEvent]) -> dict[str, ToolInvocation] | None:
        """Keep the invocations that `events` complete; these by id, if someone is to be told.

        All of them are kept before anyone is told: a cancelled subscriber must not leave a hole in a command.
        """
        return None if self._adapter is None else self._keep(self._adapter.feed_all(events))

    def _keep(self, made: list[ToolInvocation]) -> dict[str, ToolInvocation] | None:
        self.invocations += made
        return {invocation.id: invocation for invocation in made} if self._on_tool_invocation else None

    def _call(self, callback: Callable[[Any], object], value: object) -> None:
        try:
            result = callback(value)
            if result is not None and inspect.isawaitable(result):
                raise _unawaited(result)
        except Exception as error:
            self._report(error, callback)

    # -- async --------------------------------------------------------------------------------------------------------

    async def afeed(self, chunk: object) -> list[SegmentEvent]:
        """As `feed`; coroutine subscribers are awaited, one after the other, event by event."""
        if self._is_feeding:
            raise self._misuse("afeed")
        self._is_feeding = True
        try:
            events = self._feed_other(chunk)
            await self._atell(events)
        except (LimitError, ProviderStreamError) as error:
            await self._atell(error.events)
            raise
        finally:
            self._is_feeding = False
        return events

    async def afinalize(self) -> list[SegmentEvent]:
        """As `finalize`, for coroutine subscribers."""
        return await self._aclose("afinalize", self._finalize)

    async def aabort(self) -> list[SegmentEvent]:
        """As `abort`, for coroutine subscribers."""
        return await self._aclose("aabort", self._abort)

    async def _aclose(self, method: str, close: Callable[[], list[SegmentEvent]]) -> list[SegmentEvent]:
        if self._is_feeding:
            raise self._misuse(method)
        self._is_feeding = True
        try:
            events = close()
            await self._atell(events)
        finally:
            self._is_feeding = False
        return events

    async def _atell(self, events: list[SegmentEvent]) -> None:
        made = self._collect(events)
        for event in events:
            for subscriber in self._subscribers:
                if subscriber.takes_all or subscriber.wants(event):
                    await self._acall(subscriber.callback, event)
            if made and self._on_tool_invocation and is_end_of(made, event):
                await self._acall(self._on_tool_invocation, made[event.segment_id])

    async def _acall(self, callback: Callable[[Any], object], value: object) -> None:
        try:
            result = callback(value)
            if result is not None and inspect.isawaitable(result):
                await result
        except Exception as error:
            self._report(error, callback)

    # -- trouble ------------------------------------------------------------------------------------------------------

    def _misuse(self, method: str) -> ParserStateError:
        if self._is_feeding:
            return ParserStateError(
                f"{method}() was called from a subscriber, or while another feed is running: feed from outside"
            )
        return ParserStateError(
            f"a subscriber is a coroutine function: await a{method}() instead of calling {method}()"
        )

    def _report(self, error: Exception, callback: Callable[[Any], object]) -> None:
        try:
            error.add_note(f"raised by the subscriber {callback!r}")
            if self._on_error is None:
                # Neither the event nor the model's text goes into a log.
                _log.error("a subscriber raised an exception; pass on_error= to handle it", exc_info=error)
            else:
                self._on_error(error)
        except Exception as second:
            _log.error("reporting the exception of a subscriber raised another", exc_info=second)


def is_end_of(made: dict[str, ToolInvocation], event: SegmentEvent) -> bool:
    """Whether one of the invocations in `made` comes behind `event`."""
    return event.type is SegmentEventType.END and event.segment_id in made


def _is_coroutine_function(callback: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(type(callback).__call__)


def _unawaited(result: object) -> ParserStateError:
    """A plain function gave an awaitable to the sync feed: nobody can await it there."""
    if inspect.iscoroutine(result):
        result.close()
    return ParserStateError("the subscriber returned an awaitable, which feed() cannot await: use afeed()")
