"""AssistantMessageParser: chunks in, blocks out; `parse_assistant_message` is the same for a text that is there.

    parser = AssistantMessageParser("cline")
    for chunk in stream:
        for block in parser.process_chunk(chunk):
            draw(block)
    parser.finalize()

Nothing is parsed twice and nothing of the past is copied: a chunk costs the same at the beginning of a reply and after
ten megabytes of it. Only to read `content` or `params` takes as long as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import evolve

from streamparse.blocks.block import Block
from streamparse.blocks.builder import BlockBuilder, check_limit
from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import LimitError, ParserStateError, ProviderStreamError
from streamparse.events import AnyEvent
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import ToolSyntaxRegistry


class AssistantMessageParser:
    """Parses one reply after the other into blocks.

    `format` is a format name or a list of them, as for `StreamingResponseHandler`; so are `config`, `tools`, `registry`
    and `syntaxes`. Two limits can be set, in characters: `max_message` of all that is fed, `max_parameter` of one
    parameter of a call. Past them `process_chunk` raises LimitError, and does so again for every other chunk: no more
    is taken in, but `blocks` has everything up to there, and `finalize` ends it.
    """

    __slots__ = ("_builder", "_handler", "_is_final", "_max_message", "_options", "_passed")

    def __init__(
        self,
        format: str | Iterable[str] | None = "cline",
        *,
        config: ParserConfig | None = None,
        tools: Iterable[ToolSpec | Mapping[str, Any]] = (),
        registry: ToolStateRegistry | None = None,
        syntaxes: ToolSyntaxRegistry | None = None,
        max_message: int | None = None,
        max_parameter: int | None = None,
    ) -> None:
        check_limit("max_message", max_message)
        tools = [ToolSpec.from_any(tool) for tool in tools]
        self._builder = BlockBuilder(tools, config=config, syntaxes=syntaxes, max_parameter=max_parameter)
        # The builder collects calls, so the handler need not.
        config = evolve(config if config is not None else ParserConfig(), invocations=False)
        total = config.limits.max_total
        self._max_message = None if max_message is None or (total is not None and total < max_message) else max_message
        if self._max_message is not None:
            config = evolve(config, limits=evolve(config.limits, max_total=self._max_message))
        formats = format if format is None or isinstance(format, str) else tuple(format)
        self._options: dict[str, Any] = {"formats": formats, "config": config, "tools": tools, "registry": registry}
        self.reset()

    def reset(self) -> None:
        """Begin a new reply, with a new list: the blocks of the last one stay as they are."""
        self._builder.reset()
        self._handler = StreamingResponseHandler(**self._options)
        self._is_final = False
        self._passed: LimitError | None = None

    @property
    def blocks(self) -> list[Block]:
        """The blocks so far: the list that `process_chunk` returns."""
        return self._builder.blocks

    def process_chunk(self, chunk: object) -> list[Block]:
        """Take in a chunk, as `StreamingResponseHandler.feed` does; the blocks so far, the same list each time."""
        if self._is_final:
            raise ParserStateError("process_chunk() after the end: call reset() before the next reply")
        if self._passed is not None:
            raise self._passed
        try:
            events = self._handler.feed(chunk)
        except (LimitError, ProviderStreamError) as error:
            self._builder.feed_all(error.events)
            if isinstance(error, LimitError) and self._max_message is not None:
                raise LimitError("max_message", error.value, error.offset, error.events) from None
            raise
        try:
            return self._builder.feed_all(events)
        except LimitError as error:
            self._passed = error
            raise

    def finalize(self) -> list[Block]:
        """The reply is over: nothing is held back any more, and what is open is ended. A second call changes nothing.

        A call that was cut off stays `partial`, with the status truncated; a text is not partial any more. If a
        parameter that could not be decoded before turns out to be longer than `max_parameter`, LimitError is raised
        here, when everything has been ended.
        """
        return self._close(self._handler.finalize)

    def abort(self) -> list[Block]:
        """The stream broke off: as `finalize`, but every call that is open is truncated."""
        return self._close(self._handler.abort)

    def _close(self, close: Callable[[], list[AnyEvent]]) -> list[Block]:
        if not self._is_final:
            events = close()
            self._is_final = True
            try:
                self._builder.feed_all(events)
            finally:
                self._builder.finalize()
        return self._builder.blocks


def parse_assistant_message(
    text: str, format: str | Iterable[str] | None = "cline", partial: bool = True, **options: Any
) -> list[Block]:
    """The blocks of `text`.

    `partial`: more may come, so what may become part of a tag is held back, and the last block may be partial; else the
    reply is over. `options` are those of `AssistantMessageParser`.
    """
    parser = AssistantMessageParser(format, **options)
    parser.process_chunk(text)
    return parser.blocks if partial else parser.finalize()
