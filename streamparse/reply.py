"""Reply: one reply of a model, from the first chunk to the messages of the next request.

    reply = Reply(client.chat.completions.create(messages=messages, stream=True, …), tools=TOOLS)
    for item in reply:                                   # or: async for
        show(item)                                       # events, invocations, and a StreamEnd at the end
    messages += reply.messages("openai", [run(call) for call in reply.calls])

What is iterated over is kept: `text`, `reasoning`, `calls`, `segments`, `outcome`. All of it tells the same story,
since all of it is built of the same items.
"""

from __future__ import annotations

import codecs
import weakref
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import aclosing, suppress
from typing import Any, Self

from streamparse import deferred
from streamparse import messages as dialects
from streamparse.config import ParserConfig, Tools, ToolSpec
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import ParserStateError
from streamparse.events import AnyEvent, SegmentContent, SegmentStart, SegmentType
from streamparse.formats import Format, Formats
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import Item, ToolInvocation, ToolSyntaxRegistry
from streamparse.iterate import (
    ONE_CHUNK,
    AsyncSource,
    aclose,
    aiterate,
    as_async,
    as_sync,
    config_with_calls,
    iterate,
    woven,
)
from streamparse.outcome import Outcome, StreamEnd
from streamparse.segment import Segment


class Reply:
    """One streamed reply. Iterate over it once, with `for` or with `async for`: it gives events, calls, a `StreamEnd`.

    `stream` is what `parse` takes: texts, bytes or a provider's chunks. `format` is the name of a format, a `Format` or
    a list of them. If you give none, the format of `model` is read; if you give no model either, a provider's chunks
    are read as "native", and text as `parse` reads it. `model` says what the text of the stream is, so leave it out if
    the server has taken calls and reasoning out of the text. The other options are those of `parse`.

    What came so far is in `text`, `reasoning`, `raw`, in `calls`, a list of the `ToolInvocation`s that have ended, and
    in `segments`, a list of the `Segment`s that have begun. `outcome` is there at the end.

    If you stop before the end, what is open is ended as truncated, the stream is closed, and the outcome is
    "cancelled". A `break` in a `for` loop does that at once. An `async for` does not tell when it is left, so stop it
    with `aclose`, or write `async with` around it. An exception of the stream is raised behind all that came before it.
    """

    def __init__(
        self,
        stream: AsyncSource,
        format: Formats = None,
        *,
        model: str | None = None,
        tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (),
        config: ParserConfig | None = None,
        registry: ToolStateRegistry | None = None,
        syntaxes: ToolSyntaxRegistry | None = None,
        choice: int = 0,
    ) -> None:
        self._stream: Any = stream
        self._texts: list[str] = []
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._handler = StreamingResponseHandler(
            format,
            model=model,
            config=config_with_calls(config),
            tools=tools,
            registry=registry,
            syntaxes=syntaxes,
            on_segment_event=self._take,
            on_tool_invocation=self._take_call,
            choice=choice,
        )
        self._handler.keep_text(self._texts)
        self._is_begun = self._is_async = self._is_stopped = False
        #: What is iterated over. With `for` it belongs to the consumer: when that drops it, the reply is over.
        self._items: Callable[[], Generator[Item, None, None] | AsyncGenerator[Item, None] | None] = _nothing
        self._by_id: dict[str, Segment] = {}
        #: The segments, in the order of their STARTs; whoever holds one sees it grow.
        self.segments: list[Segment] = []
        #: The calls that have ended, in the order of their ENDs.
        self.calls: list[ToolInvocation] = []

    # -- what it holds ------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """All text so far, as the model wrote it: behind reasoning it mostly begins with line breaks."""
        return "".join(segment.content for segment in self.segments if segment.type == SegmentType.TEXT)

    @property
    def reasoning(self) -> str:
        """All reasoning so far; its parts are separated by an empty line."""
        parts = [segment.content for segment in self.segments if segment.type == SegmentType.REASONING]
        return "\n\n".join(part for part in parts if part)

    @property
    def raw(self) -> str:
        """The text as the model wrote it, with its markers: what the history of a text format wants."""
        return "".join(self._texts)

    @property
    def outcome(self) -> Outcome | None:
        """How the reply ended, once that is known."""
        return self._handler.outcome

    def segment(self, segment_id: str) -> Segment:
        """The segment of that id, once it has begun."""
        return self._by_id[segment_id]

    def partial_arguments(self, segment_id: str) -> dict[str, Any] | None:
        """The arguments so far of a call that is being written, as `StreamingResponseHandler` gives them."""
        return self._handler.partial_arguments(segment_id)

    def messages(
        self, dialect: str | Format, results: dialects.Results = (), *, only_results: bool = False
    ) -> list[dict[str, Any]]:
        """The messages of the next request: this reply, and the results of its calls.

        `dialect` is the interface that the request goes to: "openai", "openai-responses", "anthropic", "google" or
        "bedrock", whatever format the calls were written in. Or it is a text format, by its name or itself, for a
        server that knows no tools: the reply then goes back as the model wrote it. `results` are those of `calls`, in
        their order, or a dict from a call's `id` or `call_id` to its result. A result is a string, or any other plain
        data, or a `ToolResult`. A call that cannot be run, because it was cut off or is malformed, needs no result: its
        error is told instead. `only_results` leaves the reply out: for a request that names it with
        `previous_response_id` (`outcome.response_id`), or for a program that has stored the reply already.
        """
        return dialects.build(dialect, self, results, only_results=only_results)

    # -- iterating ----------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Item]:
        stream = as_sync(self._stream, "use `async for`")
        self._begin()
        items = self._iterate(stream)
        self._items = weakref.ref(items)
        return items

    def read(self) -> Self:
        """Iterate to the end: for those who want the whole reply."""
        for _ in self:
            pass
        return self

    def close(self) -> None:
        """Stop: what is open is closed as truncated, and so is the source."""
        if self._is_async:
            raise ParserStateError("the reply is iterated over with `async for`: await aclose() instead of close()")
        items = self._items()
        if isinstance(items, Generator):
            items.close()
        elif not self._is_begun:
            self._begin()
            self._abort()
            _close(self._stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def stop(self) -> None:
        """Let the reply end here: whoever iterates over it is given the ENDs of what is open, and a `StreamEnd`.

        They say "truncated" and "cancelled". It acts before the next chunk is waited for, or when that comes. If a task
        waits for it, in an `async for`, cancel the task: instead of being cancelled, it goes on with these last items.
        """
        self._is_stopped = True

    def _iterate(self, stream: Iterable[object]) -> Generator[Item, None, None]:
        try:
            yield from iterate(self._handler, self._tapped(stream), invocations=True, outcome=True)
        except _Stopped:
            yield from self._ending()
        finally:
            self._abort()
            _close(stream)

    def __aiter__(self) -> AsyncIterator[Item]:
        self._begin()
        self._is_async = True
        items = self._aiterate()
        self._items = lambda: items  # not weakly: Python would end it some time, and `aclose` could not wait for that
        return items

    async def aread(self) -> Self:
        """As `read`, with `async for`."""
        async for _ in self:
            pass
        return self

    async def aclose(self) -> None:
        """As `close`, for a reply that is iterated over with `async for`."""
        items = self._items()
        if isinstance(items, AsyncGenerator):
            await items.aclose()
        elif self._is_begun:
            self.close()
        else:
            self._begin()
            self._abort()
            await aclose(self._stream)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _aiterate(self) -> AsyncGenerator[Item, None]:
        stream = self._stream
        try:
            if isinstance(stream, Awaitable) and not isinstance(stream, AsyncIterable):
                stream = await stream  # what it gives is to be closed
            async with (
                aclosing(self._atapped(stream)) as chunks,
                aclosing(aiterate(self._handler, chunks, invocations=True, outcome=True)) as items,
            ):
                async for item in items:
                    yield item
        except BaseException as error:
            if not self._is_stopping(error):
                raise
            for item in self._ending():
                yield item
        finally:
            self._abort()
            await aclose(stream)

    def _tapped(self, stream: Iterable[object]) -> Iterator[object]:
        """The same chunks, bytes as text; text is kept, and that of a provider's chunks where they are read."""
        self._check_stopped()
        for chunk in (stream,) if isinstance(stream, ONE_CHUNK) else stream:
            self._check_stopped()
            yield self._keep(chunk)
            self._check_stopped()
        yield self._keep("")

    async def _atapped(self, stream: AsyncSource) -> AsyncGenerator[object, None]:
        self._check_stopped()
        chunks = aiter(stream if isinstance(stream, AsyncIterable) else as_async(stream))
        try:
            async for chunk in chunks:
                self._check_stopped()
                yield self._keep(chunk)
                self._check_stopped()
        finally:
            if isinstance(chunks, AsyncGenerator):  # else Python would end it some time, in a task of its own
                await chunks.aclose()
        yield self._keep("")

    def _check_stopped(self) -> None:
        """Before a chunk is waited for, and when it has come."""
        if self._is_stopped:
            raise _Stopped

    def _is_stopping(self, error: BaseException) -> bool:
        """Whoever stops a reply cancels the task that waits for a chunk: it goes on with the last items instead."""
        if not self._is_stopped or isinstance(error, _Stopped):
            return self._is_stopped
        take_back: Callable[[BaseException], bool] = deferred.load("streamparse.cancelling", "take_back")
        return take_back(error)

    def _keep(self, chunk: object) -> object:
        """The chunk to be fed. Half a character ends where text comes, or nothing."""
        if isinstance(chunk, str):
            chunk = self._decoder.decode(b"", final=True) + chunk
        elif isinstance(chunk, bytes | bytearray | memoryview):
            chunk = self._decoder.decode(bytes(chunk))
        else:
            return chunk
        self._texts.append(chunk)
        return chunk

    def _begin(self) -> None:
        if self._is_begun:
            raise ParserStateError("a reply is read once: what was read is in its text, calls and segments")
        self._is_begun = True

    def _ending(self) -> Iterator[Item]:
        """The reply was stopped while more might have come: what ends it."""
        yield from woven(self._handler.abort(), self._handler, invocations=True)
        assert self.outcome is not None
        yield StreamEnd(self.outcome)

    def _abort(self) -> None:
        """End what is open, if the stream has not ended."""
        if self._handler.is_open:
            with suppress(ParserStateError):  # a state that failed leaves nothing to end
                self._handler.abort()

    def _take(self, event: AnyEvent) -> None:
        """Keep what an event says, also if the consumer stops before it is given."""
        match event:
            case SegmentContent():
                self._by_id[event.segment_id].add(event.delta)
            case SegmentStart():
                segment = self._by_id[event.segment_id] = Segment.of(event)
                self.segments.append(segment)
            case _:
                self._by_id[event.segment_id].end(event)

    def _take_call(self, call: ToolInvocation) -> None:
        self.calls.append(call)
        self._by_id[call.id].call = call


class _Stopped(BaseException):
    """Somebody has called `stop`. It is no Exception: those are failures of the stream."""


def _nothing() -> None:
    """Nobody iterates."""


def _close(stream: object) -> None:
    """Close a source, if that can be done."""
    close = getattr(stream, "close", None)
    if close is not None:
        close()
