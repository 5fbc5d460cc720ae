"""StreamingResponseHandler: the facade. Feed chunks, subscribe to events.

    with StreamingResponseHandler("xml") as handler:        # finalizes; if there was an exception, aborts
        off = handler.subscribe(show, segment_type="write_file")
        for chunk in stream:
            handler.feed(chunk)

`parse` and `aparse` (`iterate.py`) are the same in one call; `delivery.py` tells the subscribers. The handler keeps no
events, but the invocations that came of them; it belongs to one thread or task at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from streamparse import deferred
from streamparse.chunk import Chunk
from streamparse.config import DEFAULT_CONFIG, ParserConfig, Tools, ToolSpec
from streamparse.core.registry import ToolStateRegistry
from streamparse.core.spans import Spans
from streamparse.delivery import Delivery, ErrorCallback, EventCallback, InvocationCallback, Made, OutcomeCallback
from streamparse.errors import LimitError, ParserStateError, ProviderStreamError
from streamparse.events import NATIVE, AnyEvent, SegmentEnd
from streamparse.formats import Formats
from streamparse.formats.choice import choose_by_model, config_for_provider, format_for_provider
from streamparse.invocations import ToolInvocation, ToolInvocationAdapter, ToolSyntaxRegistry
from streamparse.outcome import Outcome
from streamparse.parser import TEXTS, StreamingParser

if TYPE_CHECKING:
    from streamparse.native import NativeStream

#: The name of the format, when the code names none.
ENVIRONMENT_VARIABLE = "STREAMPARSE_PARSER"


class StreamingResponseHandler:
    """Parses a streamed reply and tells subscribers about its segments.

    `formats` is a format name, a `Format`, or a list of them; None means `config.strategy_order`, then what `model`
    writes, then the environment variable STREAMPARSE_PARSER, then what is usual for the `provider`, then "xml". The
    `model` also says whether its prompt has opened the reasoning, unless `config` does. `on_segment_event` is a first
    subscriber; `on_tool_invocation` is called with each call right after the END of its segment. `on_error` is told
    about exceptions that these raise: they disturb neither the stream nor the other subscribers. Without it they are
    logged. What is no `Exception`, as when a task is cancelled, ends the call; who was not told yet is told by the next
    one.

    `on_stream_end` is called once, with the outcome, when the stream has ended. A provider's chunks without any of
    these to name a format are read as "native": calls come in their fields, and what looks like a call in their text is
    text.

    `registry` has states for tools, `syntaxes` says which segments are calls; the defaults are those that
    `register_tool_state` and `register_tool_syntax` fill. `choice` is the reply that is read, where a provider streams
    several alternatives. `invocations` are the calls so far, in the order of their ends.
    """

    __slots__ = (
        "_adapter",
        "_choice",
        "_config",
        "_delivery",
        "_is_chosen",
        "_is_feeding",
        "_native",
        "_outcome",
        "_parser",
        "_registry",
        "_texts",
        "_tools",
        "invocations",
    )

    def __init__(
        self,
        formats: Formats = None,
        *,
        model: str | None = None,
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
    ) -> None:
        if model is not None:
            formats, config = choose_by_model(model, formats, config if config is not None else DEFAULT_CONFIG)
        if formats is None and getattr(config, "strategy_order", None) is None:
            formats = os.environ.get(ENVIRONMENT_VARIABLE) or None
            if formats is None and provider is not None:
                formats = format_for_provider(provider)
        if provider is not None:
            config = config_for_provider(provider, config if config is not None else DEFAULT_CONFIG)
        self._delivery = Delivery(on_tool_invocation, on_stream_end, on_error)
        self._tools = Tools.of(tools)
        self._parser = StreamingParser(formats, config, tools=self._tools, registry=registry)
        self._registry = registry
        self._is_chosen = formats is not None or getattr(config, "strategy_order", None) is not None
        self._config = config if config is not None else DEFAULT_CONFIG
        self._native: NativeStream | None = None  # once a chunk has come that is no text
        self._adapter: ToolInvocationAdapter | None = None
        if self._config.invocations:
            known = self._parser.formats
            self._adapter = ToolInvocationAdapter(self._tools, config=config, syntaxes=syntaxes, known=known)
        elif on_tool_invocation is not None:
            raise ValueError("on_tool_invocation is never called with ParserConfig(invocations=False)")
        self._outcome: Outcome | None = None  # once the stream has ended
        self._choice = choice
        self._texts: list[str] | None = None
        self.invocations: list[ToolInvocation] = []
        self._is_feeding = False
        if on_segment_event is not None:
            self.subscribe(on_segment_event)

    def subscribe(
        self, callback: EventCallback, *, segment_type: str | None = None, event_type: str | None = None
    ) -> Callable[[], None]:
        """Call `callback` with each event, or each of one segment type or event type; returns a function to stop it.

        Subscribers are called in the order of subscription. A coroutine function needs `afeed` and `afinalize`.
        """
        return self._delivery.subscribe(callback, segment_type, event_type)

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

    # -- sync ---------------------------------------------------------------------------------------------------------

    def feed(self, chunk: object) -> list[AnyEvent]:
        """Parse a chunk, tell the subscribers, return the events.

        A chunk is `str`, `bytes` (UTF-8, cut anywhere), a `Chunk`, or what a provider's SDK or interface streams, as an
        object or a dict. Raises TypeError for anything else, and ProviderStreamError if it reports an error.
        """
        if self._is_feeding or self._delivery.needs_await:
            raise self._misuse("feed")
        self._is_feeding = True
        try:
            if self._native is None:
                events = self._parser.feed(chunk) if chunk.__class__ is str else self._feed_other(chunk)
            else:
                events = self._native.feed(chunk)
            if events:
                made = None
                adapter = self._adapter
                if adapter is not None and not (len(events) == 1 and adapter.last.takes(events[0])):  # as mostly
                    # As `_collect` does: calling it for every token would cost a tenth of the whole.
                    invocations = adapter.feed_all(events)
                    if invocations:
                        made = self._keep(invocations, events)
                self._delivery.tell(events, made)
        except (LimitError, ProviderStreamError) as error:
            self._delivery.tell(error.events, self._collect(error.events))
            if isinstance(error, ProviderStreamError):
                self._delivery.tell_end(self._end_stream(Outcome.broken(error.message)))
            raise
        finally:
            self._is_feeding = False
        return events

    def _feed_other(self, chunk: object) -> list[AnyEvent]:
        """Any chunk. The first one with fields makes the stream that reads such."""
        if self._native is None:
            if isinstance(chunk, TEXTS):
                return self._parser.feed(chunk)
            if not self._is_chosen and self._parser.is_fresh and not isinstance(chunk, Chunk):
                self._parser = StreamingParser(NATIVE, self._config, tools=self._tools, registry=self._registry)
            native: type[NativeStream] = deferred.load("streamparse.native", "NativeStream")
            report = None if self._choice else self._report_choice  # who has chosen another one knows
            self._native = native(self._parser, self._config, self._tools, self._choice, report)
            self._native.texts = self._texts
        return self._native.feed(chunk)

    def keep_text(self, texts: list[str]) -> None:
        """Put the text of a provider's chunks into `texts`, as the model wrote it, from now on."""
        self._texts = texts

    def keep_spans(self) -> Spans:
        """Where in the text the segments of blocks stand, from now on."""
        return self._parser.keep_spans()

    @property
    def settled(self) -> int:
        """How many characters of the text are read, and not held back."""
        return self._parser.settled

    @property
    def is_between(self) -> bool:
        """Whether prose is read, and no block: not even one that has shown nothing so far."""
        return self._parser.is_between

    @property
    def is_open(self) -> bool:
        """Whether more may come: the stream has not ended."""
        return self._outcome is None

    @property
    def outcome(self) -> Outcome | None:
        """How the reply ended, once that is known: why, how many tokens it took, which model wrote it."""
        return self._outcome or (self._native.outcome if self._native is not None else None)

    def _abort(self, error: str | Exception | None) -> list[AnyEvent]:
        is_for_all = error is None or isinstance(error, str | ProviderStreamError)
        cause = error if is_for_all else type(error).__name__
        why = "" if cause is None else f"the reply was cut off: {cause}"
        if self._native is not None:
            self._native.cut(why)
        return self._parser.abort(why)

    def _finalize(self) -> list[AnyEvent]:
        return self._native.finalize() + self._parser.finalize() if self._native else self._parser.finalize()

    def _end_stream(self, ended: Outcome) -> Outcome | None:
        """The outcome, for whoever wants to be told, once; the provider knows best why the reply ended."""
        if self._outcome is not None:
            return None
        self._outcome = self.outcome or (self._native.complete(ended) if self._native is not None else ended)
        return self._outcome

    def finalize(self) -> list[AnyEvent]:
        """No more chunks: settle and close everything, tell the subscribers, return the events."""
        return self._close("finalize", self._finalize, Outcome())

    def abort(self, error: str | Exception | None = None) -> list[AnyEvent]:
        """The stream broke off: as `finalize`, but everything that is open is truncated.

        `error` is what went wrong, for the ENDs and the outcome; without it, the program has stopped the reply. Of an
        exception, only the outcome has the words, and says that they are an exception's; the ENDs have its class. (What
        a provider has reported, a `ProviderStreamError`, is a sentence like any other.)
        """
        return self._close("abort", partial(self._abort, error), _aborted(error))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, failure: BaseException | None, _: object) -> None:
        """Finalize; or abort, if there was an exception, which goes on."""
        if failure is None:
            self.finalize()
        else:
            with suppress(ParserStateError):  # a state that failed leaves nothing to end
                self.abort(failure if isinstance(failure, Exception) else None)

    def _close(self, method: str, close: Callable[[], list[AnyEvent]], ended: Outcome) -> list[AnyEvent]:
        if self._is_feeding or self._delivery.needs_await:
            raise self._misuse(method)
        self._is_feeding = True
        try:
            events = close()
            self._delivery.tell(events, self._collect(events))
            self._delivery.tell_end(self._end_stream(ended))
        finally:
            self._is_feeding = False
        return events

    def _collect(self, events: list[AnyEvent]) -> Made:
        """The invocations that `events` complete, by id; each END of a call is given the verdict of its invocation.

        All of them are kept before anyone is told: a cancelled subscriber must not leave a hole in a command.
        """
        return None if self._adapter is None else self._keep(self._adapter.feed_all(events), events)

    def _keep(self, made: list[ToolInvocation], events: list[AnyEvent]) -> Made:
        self.invocations += made
        by_id = {invocation.id: invocation for invocation in made}
        for index, event in enumerate(events):
            if isinstance(event, SegmentEnd) and event.segment_id in by_id:
                events[index] = by_id[event.segment_id].judge(event)
        return by_id

    # -- async --------------------------------------------------------------------------------------------------------

    async def afeed(self, chunk: object) -> list[AnyEvent]:
        """As `feed`; coroutine subscribers are awaited, one after the other, event by event."""
        if self._is_feeding:
            raise self._misuse("afeed")
        self._is_feeding = True
        try:
            events = self._feed_other(chunk)
            await self._delivery.atell(events, self._collect(events))
        except (LimitError, ProviderStreamError) as error:
            await self._delivery.atell(error.events, self._collect(error.events))
            if isinstance(error, ProviderStreamError):
                await self._delivery.atell_end(self._end_stream(Outcome.broken(error.message)))
            raise
        finally:
            self._is_feeding = False
        return events

    async def afinalize(self) -> list[AnyEvent]:
        """As `finalize`, for coroutine subscribers."""
        return await self._aclose("afinalize", self._finalize, Outcome())

    async def aabort(self, error: str | Exception | None = None) -> list[AnyEvent]:
        """As `abort`, for coroutine subscribers."""
        return await self._aclose("aabort", partial(self._abort, error), _aborted(error))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, failure: BaseException | None, _: object) -> None:
        """As `__exit__`, for coroutine subscribers."""
        if failure is None:
            await self.afinalize()
        else:
            with suppress(ParserStateError):
                await self.aabort(failure if isinstance(failure, Exception) else None)

    async def _aclose(self, method: str, close: Callable[[], list[AnyEvent]], ended: Outcome) -> list[AnyEvent]:
        if self._is_feeding:
            raise self._misuse(method)
        self._is_feeding = True
        try:
            events = close()
            await self._delivery.atell(events, self._collect(events))
            await self._delivery.atell_end(self._end_stream(ended))
        finally:
            self._is_feeding = False
        return events

    # -- trouble ------------------------------------------------------------------------------------------------------

    def _misuse(self, method: str) -> ParserStateError:
        if self._is_feeding:
            return ParserStateError(
                f"{method}() was called from a subscriber, or while another feed is running: feed from outside"
            )
        return ParserStateError(
            f"a subscriber is a coroutine function: await a{method}() instead of calling {method}()"
        )

    def _report_choice(self, index: int) -> None:
        """An alternative reply is not read; this is said once."""
        message = f"the stream has a reply {index} beside reply {self._choice}, which is not read: pass choice={index}"
        self._delivery.warn(message)


def _aborted(error: str | Exception | None) -> Outcome:
    return Outcome("cancelled") if error is None else Outcome.broken(error)
