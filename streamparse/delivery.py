"""Delivery: who is told what, in which order, and what becomes of the exceptions of those who are told.

    delivery = Delivery(on_error=print)
    off = delivery.subscribe(show, segment_type="write_file")
    delivery.tell(events, made)         each event to its subscribers, each invocation right behind the END it came of

A subscriber that raises disturbs neither the others nor the stream. What is no `Exception`, as when a task is
cancelled, ends the call; what was not told yet is kept, and the next call begins with it.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Iterator
from itertools import chain
from typing import Any, TypeAlias

from attrs import define

from streamparse.errors import ParserStateError, StreamparseError
from streamparse.events import AnyEvent, SegmentEvent, SegmentEventType
from streamparse.invocations import ToolInvocation
from streamparse.outcome import Outcome

EventCallback: TypeAlias = Callable[[AnyEvent], Awaitable[None] | None]
InvocationCallback: TypeAlias = Callable[[ToolInvocation], Awaitable[None] | None]
OutcomeCallback: TypeAlias = Callable[[Outcome], Awaitable[None] | None]
ErrorCallback: TypeAlias = Callable[[Exception], object]
#: The invocations that come of some events, by id.
Made: TypeAlias = dict[str, ToolInvocation] | None
#: Who is told what.
_Step: TypeAlias = tuple[Callable[[Any], object], SegmentEvent | ToolInvocation]

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


class Delivery:
    """Tells the subscribers of a handler. `needs_await`: one of them is a coroutine function."""

    __slots__ = ("_on_error", "_on_stream_end", "_on_tool_invocation", "_rest", "_subscribers", "needs_await")

    def __init__(
        self,
        on_tool_invocation: InvocationCallback | None = None,
        on_stream_end: OutcomeCallback | None = None,
        on_error: ErrorCallback | None = None,
    ) -> None:
        if on_error is not None and (not callable(on_error) or _is_coroutine_function(on_error)):
            raise TypeError("on_error must be a plain function that takes the exception, not a coroutine function")
        for name, callback in (("on_tool_invocation", on_tool_invocation), ("on_stream_end", on_stream_end)):
            if callback is not None and not callable(callback):
                raise TypeError(f"{name} must be callable, not {type(callback).__name__}")
        self._on_tool_invocation = on_tool_invocation
        self._on_stream_end = on_stream_end
        self._on_error = on_error
        self._subscribers: tuple[_Subscriber, ...] = ()
        self._rest: Iterator[_Step] | None = None  # what a subscriber that was cancelled has kept from being told
        self._note_coroutines()

    def subscribe(
        self, callback: EventCallback, segment_type: str | None = None, event_type: str | None = None
    ) -> Callable[[], None]:
        """Tell `callback` each event, or each of one segment type or event type; returns a function to stop it."""
        if not callable(callback):
            raise TypeError(f"a subscriber must be callable, not {type(callback).__name__}")
        kind = None if event_type is None else SegmentEventType.of(event_type)
        subscriber = _Subscriber(callback, segment_type, kind, takes_all=segment_type is None and kind is None)
        self._subscribers = (*self._subscribers, subscriber)
        self._note_coroutines()

        def off() -> None:
            subscriber.is_active = subscriber.takes_all = False
            self._subscribers = tuple(other for other in self._subscribers if other is not subscriber)
            self._note_coroutines()

        return off

    def _note_coroutines(self) -> None:
        callbacks = [subscriber.callback for subscriber in self._subscribers]
        others = (self._on_tool_invocation, self._on_stream_end)
        self.needs_await = any(_is_coroutine_function(call) for call in (*callbacks, *others) if call)

    # -- sync ---------------------------------------------------------------------------------------------------------

    def tell(self, events: list[AnyEvent], made: Made) -> None:
        """Tell everyone about `events`, and about the invocations that came of them."""
        if self._rest is not None:
            self._rest = rest = chain(self._rest, self._steps(iter(events), made))
            for callback, value in rest:
                self._call(callback, value)
            self._rest = None
            return
        if not made and not self._subscribers:
            return
        event = subscriber = None
        try:
            for event in events:
                subscriber = None
                for subscriber in self._subscribers:
                    if subscriber.takes_all or subscriber.wants(event):
                        try:  # as `_call` does: calling it for every token would cost a tenth of the whole
                            result = subscriber.callback(event)
                            if result is not None and inspect.isawaitable(result):
                                raise _unawaited(result)
                        except Exception as error:
                            self._report(error, subscriber.callback)
                if made and self._on_tool_invocation and is_end_of(made, event):
                    self._call(self._on_tool_invocation, made.pop(event.segment_id))
        except BaseException:  # KeyboardInterrupt, say: who was not told yet is told by the next call
            self._rest = self._untold(events, event, subscriber, made)
            raise

    def tell_end(self, outcome: Outcome | None) -> None:
        """Tell how the stream ended, if it did."""
        if outcome is not None and self._on_stream_end is not None:
            self._call(self._on_stream_end, outcome)

    def _call(self, callback: Callable[[Any], object], value: object) -> None:
        try:
            result = callback(value)
            if result is not None and inspect.isawaitable(result):
                raise _unawaited(result)
        except Exception as error:
            self._report(error, callback)

    # -- async --------------------------------------------------------------------------------------------------------

    async def atell(self, events: list[AnyEvent], made: Made) -> None:
        """As `tell`; coroutine functions are awaited, one after the other, event by event."""
        steps = self._steps(iter(events), made)
        # If a subscriber is cancelled, the rest is what the next call begins with.
        self._rest = rest = steps if self._rest is None else chain(self._rest, steps)
        for callback, value in rest:
            await self._acall(callback, value)
        self._rest = None

    async def atell_end(self, outcome: Outcome | None) -> None:
        """As `tell_end`, for a coroutine function."""
        if outcome is not None and self._on_stream_end is not None:
            await self._acall(self._on_stream_end, outcome)

    async def _acall(self, callback: Callable[[Any], object], value: object) -> None:
        try:
            result = callback(value)
            if result is not None and inspect.isawaitable(result):
                await result
        except Exception as error:
            self._report(error, callback)

    # -- what is to be told -------------------------------------------------------------------------------------------

    def _steps(self, events: Iterator[AnyEvent], made: Made) -> Iterator[_Step]:
        """Whom to tell what, in order: each event, and behind the END of a call its invocation."""
        for event in events:
            yield from self._steps_of(event, iter(self._subscribers), made)

    def _steps_of(self, event: AnyEvent, subscribers: Iterator[_Subscriber], made: Made) -> Iterator[_Step]:
        for subscriber in subscribers:
            if subscriber.takes_all or subscriber.wants(event):
                yield subscriber.callback, event
        if made and self._on_tool_invocation and is_end_of(made, event):
            yield self._on_tool_invocation, made[event.segment_id]

    def _untold(
        self, events: list[AnyEvent], event: AnyEvent | None, subscriber: _Subscriber | None, made: Made
    ) -> Iterator[_Step]:
        """What is left to tell behind `subscriber`, who was told `event`; without them, everything."""
        index = next((index for index, one in enumerate(events) if one is event), 0)
        rest = self._subscribers
        place = rest.index(subscriber) + 1 if subscriber in rest else 0
        first = self._steps_of(events[index], iter(rest[place:]), made)
        return chain(first, self._steps(iter(events[index + 1 :]), made))

    # -- trouble ------------------------------------------------------------------------------------------------------

    def warn(self, message: str) -> None:
        """Tell what nobody has to handle: as an error to whoever wants those, else in the log."""
        if self._on_error is None:
            _log.warning(message)
        else:
            self._report(StreamparseError(message))

    def _report(self, error: Exception, callback: Callable[[Any], object] | None = None) -> None:
        """Tell what went wrong, in the subscriber `callback` if there is one."""
        try:
            if callback is not None:
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
