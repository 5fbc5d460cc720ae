"""BlockBuilder: events in, blocks out.

    builder = BlockBuilder()
    for event in events:
        draw(builder.feed(event))               # [TextContent("Look:", partial=False), ToolUse(…, partial=True)]
    draw(builder.finalize())

It needs nothing but the events, so it serves every format and native calls alike. Segments of text and reasoning are
prose; those that the tool syntax registry knows are `ToolUse`; all others are `CustomContent`. Blocks stand in the
order in which their segments began. The list is the same each time, and so are its blocks: they are updated in place.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, cast

from streamparse.blocks.block import Block
from streamparse.blocks.custom_content import CustomContent
from streamparse.blocks.parameter_limit import ParameterLimit
from streamparse.blocks.prose import Prose, ReasoningContent, TextContent
from streamparse.blocks.tool_use import ToolUse
from streamparse.config import ParserConfig, ToolSpec
from streamparse.errors import LimitError, ParserStateError
from streamparse.events import SegmentContent, SegmentEnd, SegmentEvent, SegmentStart, SegmentType
from streamparse.formats import Format
from streamparse.invocations import AnyItem, ToolInvocationAdapter, ToolSyntaxRegistry
from streamparse.invocations.code_watch import CodeWatch
from streamparse.invocations.open_call import MOST_DELTAS

_PROSE: dict[str, type[Prose]] = {SegmentType.TEXT: TextContent, SegmentType.REASONING: ReasoningContent}
_ORDER = attrgetter("order")


class BlockBuilder:
    """Builds the blocks of one reply.

    `tools`, `config`, `format` and `syntaxes` are those of `ToolInvocationAdapter`. `max_parameter` is how many
    characters a parameter may have; past it, LimitError is raised when all events that were fed have been taken in, so
    nothing is lost: `blocks` has it all, and the caller decides whether to feed on.
    """

    __slots__ = ("_adapter", "_count", "_is_final", "_limits", "_max_parameter", "_open", "blocks")

    blocks: list[Block]

    def __init__(
        self,
        tools: Iterable[ToolSpec | Mapping[str, Any]] = (),
        *,
        config: ParserConfig | None = None,
        format: str | Format = "xml",
        syntaxes: ToolSyntaxRegistry | None = None,
        max_parameter: int | None = None,
    ) -> None:
        check_limit("max_parameter", max_parameter)
        self._adapter = ToolInvocationAdapter(tools, config=config, format=format, syntaxes=syntaxes)
        self._max_parameter = max_parameter
        self.reset()

    def reset(self) -> None:
        """Begin a new reply, with a new list: the blocks of the last one stay as they are."""
        self.blocks = []
        self._adapter.watch = CodeWatch()
        self._open: dict[str, Block] = {}
        self._limits: dict[str, ParameterLimit] = {}
        self._count = 0
        self._is_final = False

    def feed(self, event: SegmentEvent | AnyItem) -> list[Block]:
        """Take in an event; the blocks so far. Other items of a stream are ignored."""
        return self.feed_all((event,))

    def feed_all(self, events: Iterable[SegmentEvent | AnyItem]) -> list[Block]:
        """Take in several events; the blocks so far. Other items of a stream are ignored."""
        if self._is_final:
            raise ParserStateError("feed() after finalize(): call reset() before the next reply")
        open_blocks, limits, watch, passed = self._open, self._limits, self._adapter.watch, False
        each: Iterable[SegmentEvent] = events  # type: ignore[assignment]  # what is none is left out by its class
        for event in each:
            kind = event.__class__  # isinstance would cost as much as all the rest
            if kind is SegmentContent:
                block = open_blocks.get(event.segment_id)
                if block is None:
                    continue  # its START did not come this way
                delta, deltas = event.delta, block.deltas
                deltas.append(delta)
                if len(deltas) == MOST_DELTAS:
                    block.join()
                watch.takes(event)
                if not block.is_visible and not delta.isspace():
                    self._show(block)
                if limits and event.segment_id in limits:
                    passed = limits[event.segment_id].is_passed_by(delta) or passed
            elif kind is SegmentStart:
                passed = self._start(cast(SegmentStart, event)) or passed
            elif kind is SegmentEnd and event.segment_id in open_blocks:
                passed = self._end(cast(SegmentEnd, event)) or passed
        if passed:
            assert self._max_parameter is not None  # else no one looks
            raise LimitError("max_parameter", self._max_parameter, None)
        return self.blocks

    def finalize(self) -> list[Block]:
        """The events stopped: what has no END is cut off. A second call changes nothing."""
        for segment_id in list(self._open):
            self._end(SegmentEnd(segment_id, "truncated"))
        self._is_final = True
        return self.blocks

    # -- the three moments of a segment -------------------------------------------------------------------------------

    def _start(self, event: SegmentStart) -> bool:
        """Whether a parameter is too long already."""
        block = self._make(event)
        block.order = self._count = self._count + 1
        self._open[event.segment_id] = block
        if block.is_visible:
            self.blocks.append(block)
        if self._max_parameter is None or not isinstance(block, ToolUse):
            return False
        limit = self._limits[event.segment_id] = ParameterLimit(block, self._max_parameter)
        return limit.is_passed()

    def _make(self, event: SegmentStart) -> Block:
        prose = _PROSE.get(event.segment_type)
        if prose is not None:
            self._adapter.watch.start(event)
            return prose(partial=True)
        call = self._adapter.open(event)
        if call is not None:
            return ToolUse.open(event, call, self._adapter)
        return CustomContent(event.segment_type, partial=True, metadata=event.metadata)

    def _show(self, block: Block) -> None:
        """List a block when there is something to show, at the place where its segment began."""
        block.is_visible = True
        insort(self.blocks, block, key=_ORDER)

    def _end(self, event: SegmentEnd) -> bool:
        """Whether a parameter is too long after all."""
        self._open.pop(event.segment_id).end(event)
        limit = self._limits.pop(event.segment_id, None)
        return limit is not None and limit.is_passed()


def check_limit(name: str, value: int | None) -> None:
    """Raise ValueError unless `value` is a limit, or None."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value <= 0):
        raise ValueError(f"{name} must be a positive number of characters or None, not {value!r}")
