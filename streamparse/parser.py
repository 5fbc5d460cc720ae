"""StreamingParser: chunks in, events out.

The path of a chunk: it is appended to the scanner, the current state runs as long as it makes progress or hands over to
another, and the events they emitted are drained. Most chunks are shorter: when nothing is held back and the chunk has none
of the characters that matter to the state, the chunk itself is the next delta.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from streamparse import formats as known_formats
from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.registry import ToolStateRegistry, default_registry
from streamparse.core.state import BaseState
from streamparse.errors import LimitError, ParserStateError, StateContractError
from streamparse.events import SegmentContent, SegmentEvent

#: More runs than any legal chain of states needs without settling a single character.
_MAX_IDLE_RUNS = 16


class StreamingParser:
    """Parses one stream. `feed` chunks, then `finalize`; both return the events that became certain.

    `formats` is a format name or several of them, `tools` what the user declares to the model, `registry` the states
    for tools (default: the one that `register_tool_state` fills).
    """

    __slots__ = ("_context", "_emitter", "_is_final", "_remaining", "_scanner")

    def __init__(
        self,
        formats: str | Iterable[str] = "xml",
        config: ParserConfig | None = None,
        *,
        tools: Iterable[ToolSpec | Mapping[str, Any]] = (),
        registry: ToolStateRegistry | None = None,
    ) -> None:
        config = config if config is not None else _DEFAULT_CONFIG
        if not isinstance(config, ParserConfig):
            raise TypeError(f"config must be a ParserConfig, not {type(config).__name__}")
        chosen = [known_formats.get(name) for name in ([formats] if isinstance(formats, str) else formats)]
        self._context: ParserContext = known_formats.build_context(
            chosen, config, registry or default_registry, [ToolSpec.from_any(tool) for tool in tools]
        )
        self._scanner = self._context.scanner
        self._emitter = self._context.emitter
        self._is_final = False
        self._remaining = config.limits.max_total

    def feed(self, chunk: str) -> list[SegmentEvent]:
        """Take in a chunk of any size; returns the events it made certain."""
        if type(chunk) is not str:
            chunk = _checked(chunk)
        if self._remaining is not None:
            return self._feed_limited(chunk, self._remaining)
        scanner = self._scanner
        if not scanner.buf:
            # The fast path: no state runs, nothing is copied. Most chunks of a stream end here.
            triggers = self._context.state.triggers
            if triggers is not None:
                for trigger in triggers:
                    if trigger in chunk:
                        break
                else:
                    emitter = self._emitter
                    if emitter.segment_id and chunk:
                        scanner.base += len(chunk)
                        return [SegmentContent(emitter.segment_id, chunk, emitter.segment_type)]
        if self._is_final:
            raise ParserStateError("feed() after finalize(): a parser reads one stream; make a new one for the next")
        if scanner.append(chunk):
            self._run()
            scanner.compact()
        return self._emitter.drain()

    def finalize(self) -> list[SegmentEvent]:
        """No more input: settle what is held, close what is open. A second call returns nothing."""
        if self._is_final:
            return []
        self._is_final = True
        self._scanner.finish()
        self._run()
        context = self._context
        while (state := context.state) is not context.prose:
            settled = self._scanner.settled
            state.finalize()
            if context.state is state:
                context.transition_to("text")
            elif context.state is not context.prose and self._scanner.settled == settled:
                raise self._broken(state, "handed over in finalize() without settling anything")
            self._run()
        context.prose.finalize()
        context.state = BaseState(context)  # it has no triggers, so a later feed() takes the long way to its error
        return self._emitter.drain()

    def _run(self) -> None:
        """Run states until the current one needs more input."""
        context, scanner = self._context, self._scanner
        idle, furthest = 0, -1
        while True:
            state, pos = context.state, scanner.pos
            state.run()
            if context.state is state and (scanner.pos == pos or scanner.pos == len(scanner.buf)):
                if not scanner.is_past_limit:
                    return
                state.on_limit()
            if scanner.pos > len(scanner.buf):
                raise self._broken(state, "moved the cursor behind the end of the buffer")
            settled = scanner.settled
            idle = idle + 1 if settled <= furthest else 0
            furthest = max(furthest, settled)
            if idle > _MAX_IDLE_RUNS:
                raise self._broken(state, "makes no progress: it claims some again and again, but settles nothing")

    def _feed_limited(self, chunk: str, remaining: int) -> list[SegmentEvent]:
        """Take in what the total allows; past it, raise with the events of what came before."""
        self._remaining = None
        try:
            events = self.feed(chunk[:remaining])
        finally:
            self._remaining = max(0, remaining - len(chunk))
        if len(chunk) > remaining:
            total = self._context.config.limits.max_total or 0
            raise LimitError("max_total", total, total, events)
        return events

    def _broken(self, state: BaseState, what: str) -> StateContractError:
        return StateContractError(f"{type(state).__name__} {what} (at offset {self._scanner.offset} of the stream)")


_DEFAULT_CONFIG = ParserConfig()


def _checked(chunk: object) -> str:
    if isinstance(chunk, str):
        return str(chunk)
    raise TypeError(
        f"feed() takes str, not {type(chunk).__name__}; decode bytes, or pass the text of a provider's chunk"
    )
