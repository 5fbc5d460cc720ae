"""handler.py: a subscriber that is cancelled keeps nothing from the others, and `with` ends the stream."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from streamparse import (
    BaseState,
    LimitError,
    Limits,
    ParserConfig,
    ParserStateError,
    StateContractError,
    StreamingResponseHandler,
    ToolStateRegistry,
    parse,
)

TEXT = "a<run_bash>ls</run_bash>b"
WOVEN = list(parse(TEXT, invocations=True))


class Once:
    """Is interrupted at one of the things it is told."""

    def __init__(self, place: int, error: type[BaseException]) -> None:
        self.told: list[Any] = []
        self._place = place
        self._error = error

    def __call__(self, item: Any) -> None:
        self.told.append(item)
        if len(self.told) == self._place:
            raise self._error

    async def later(self, item: Any) -> None:
        await asyncio.sleep(0)
        self(item)


@pytest.mark.parametrize("place", range(1, len(WOVEN) + 1))
def test_an_interrupt_keeps_nothing_from_anyone(place: int) -> None:
    first, second = Once(place, KeyboardInterrupt), Once(0, KeyboardInterrupt)
    handler = StreamingResponseHandler(on_segment_event=first, on_tool_invocation=first)
    handler.subscribe(second)
    interrupts = 0
    for step in (lambda: handler.feed(TEXT), handler.finalize, handler.finalize):
        try:
            step()
        except KeyboardInterrupt:
            interrupts += 1
    assert interrupts == 1
    assert first.told == WOVEN  # each once, in order
    assert second.told == [item for item in WOVEN if item not in handler.invocations]


@pytest.mark.parametrize("place", range(1, len(WOVEN) + 1))
async def test_a_cancelled_subscriber_keeps_nothing_from_anyone(place: int) -> None:
    first, second = Once(place, asyncio.CancelledError), Once(0, asyncio.CancelledError)
    handler = StreamingResponseHandler(on_segment_event=first.later, on_tool_invocation=first.later)
    handler.subscribe(second.later)
    cancelled = 0
    for step in (lambda: handler.afeed(TEXT), handler.afinalize, handler.aabort):
        try:
            await step()
        except asyncio.CancelledError:
            cancelled += 1
    assert cancelled == 1
    assert first.told == WOVEN
    assert second.told == [item for item in WOVEN if item not in handler.invocations]


def test_who_is_interrupted_again_goes_on_again() -> None:
    told: list[Any] = []

    def interrupt(item: Any) -> None:
        told.append(item)
        raise KeyboardInterrupt

    handler = StreamingResponseHandler(on_segment_event=interrupt, on_tool_invocation=interrupt)
    for step in (lambda: handler.feed(TEXT), *[handler.finalize] * (len(WOVEN) - 1)):
        with pytest.raises(KeyboardInterrupt):
            step()
    assert told == WOVEN
    assert handler.finalize() == []
    assert told == WOVEN


def test_with_finalizes() -> None:
    told: list[Any] = []
    with StreamingResponseHandler(on_segment_event=told.append) as handler:
        handler.feed("a <ru")
    assert told == list(parse("a <ru"))
    assert handler.finalize() == []


def test_with_aborts_if_there_was_an_exception() -> None:
    with pytest.raises(OSError, match="gone"), StreamingResponseHandler() as handler:  # noqa: PT012
        handler.feed("<run_bash>ls")
        raise OSError("gone")
    assert [made.status for made in handler.invocations] == ["truncated"]
    with pytest.raises(ParserStateError):
        handler.feed("more")


def test_with_leaves_the_exception_of_a_limit_and_of_a_state_alone() -> None:
    config = ParserConfig(limits=Limits(max_total=3))
    with pytest.raises(LimitError), StreamingResponseHandler(config=config) as handler:
        handler.feed("abcdef")

    class Broken(BaseState):
        segment_type = "broken"

        def run(self) -> Any:
            self.context.emitter.emit_end()

        def finalize(self) -> None:
            """Nothing comes that far."""

    registry = ToolStateRegistry()
    registry.register("broken", Broken, bare=True)
    with pytest.raises(StateContractError), StreamingResponseHandler(registry=registry) as handler:
        handler.feed("<broken>")


async def test_async_with_finalizes_or_aborts() -> None:
    told: list[Any] = []

    async def tell(item: Any) -> None:
        told.append(item)

    async with StreamingResponseHandler(on_segment_event=tell) as handler:
        await handler.afeed("a <ru")
    assert told == list(parse("a <ru"))
    with pytest.raises(OSError, match="gone"):  # noqa: PT012
        async with StreamingResponseHandler(on_tool_invocation=tell) as handler:
            await handler.afeed("<run_bash>ls")
            raise OSError("gone")
    assert [told[-1]] == handler.invocations
    assert told[-1].status == "truncated"
