"""StreamingParser: chunks in, events out.

The path of a chunk: it is appended to the scanner, the current state runs as long as it makes progress or hands over to
another, and the events they emitted are drained. Most chunks have a shorter one: when nothing is held back, and the chunk
has none of the characters that matter to the state, the chunk itself is the next delta.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from streamparse import formats as known_formats
from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.registry import ToolStateRegistry, default_registry
from streamparse.core.state import BaseState
from streamparse.errors import LimitError, ParserStateError, StateContractError
from streamparse.events import SegmentContent, SegmentEvent

#: Two triggers, a search for the others, the id and the type of the open segment.
_Plain: TypeAlias = tuple[str, str, Callable[[str], object] | None, str, str]

#: No legal chain of states needs so many runs to settle a single character.
_RUNS_PER_CHECK = 16


class StreamingParser:
    """Parses one stream. `feed` chunks, then `finalize`; both return the events that became certain.

    `formats` is a format name or several of them, `tools` what the user declares to the model, `registry` the states
    for tools (default: the one that `register_tool_state` fills).
    """

    __slots__ = ("_context", "_emitter", "_is_final", "_plain", "_remaining", "_scanner")

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
        #: What a chunk without triggers becomes; None if states must look at every chunk.
        self._plain: _Plain | None = None

    def feed(self, chunk: str) -> list[SegmentEvent]:
        """Take in a chunk of any size; returns the events it made certain."""
        if chunk.__class__ is not str:
            chunk = _checked(chunk)
        plain = self._plain
        if plain is not None:
            # Most chunks of a stream end here: no state runs, nothing is copied.
            first, second, others, segment_id, segment_type = plain
            if first not in chunk and second not in chunk and chunk and (others is None or not others(chunk)):
                self._scanner.base += len(chunk)
                return [SegmentContent(segment_id, chunk, segment_type)]
        return self._feed(chunk)

    def _feed(self, chunk: str) -> list[SegmentEvent]:
        """The long way: states look at the chunk."""
        if self._is_final:
            raise ParserStateError("feed() after finalize(): a parser reads one stream; make a new one for the next")
        if self._remaining is not None:
            return self._feed_limited(chunk, self._remaining)
        scanner, emitter = self._scanner, self._emitter
        if scanner.append(chunk):
            self._run()
            scanner.compact()
        triggers = self._context.state.triggers
        if scanner.buf or triggers is None or not emitter.segment_id:
            self._plain = None
        else:
            self._plain = (*_split_triggers(triggers), emitter.segment_id, emitter.segment_type)
        return emitter.drain()

    def _feed_limited(self, chunk: str, remaining: int) -> list[SegmentEvent]:
        """Take in what the total allows; past it, raise with the events of what came before."""
        if self._scanner.append(chunk[:remaining]):
            self._run()
            self._scanner.compact()
        self._remaining = max(0, remaining - len(chunk))
        if remaining < len(chunk):
            total = self._context.config.limits.max_total or 0
            raise LimitError("max_total", total, total, self._emitter.drain())
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
        self._plain = None
        return self._emitter.drain()

    def _run(self) -> None:
        """Run states until the current one needs more input."""
        context, scanner = self._context, self._scanner
        runs, settled = 0, -1
        while True:
            state, pos = context.state, scanner.pos
            needs_more = state.run()
            if context.state is state and (needs_more or scanner.pos == pos or scanner.pos == len(scanner.buf)):
                if scanner.base + len(scanner.buf) <= scanner.limit:
                    return
                state.on_limit()
            runs += 1
            if not runs % _RUNS_PER_CHECK:
                settled, before = scanner.settled, settled
                if settled <= before:
                    raise self._broken(state, "makes no progress: it is run again and again, but settles nothing")
            if scanner.pos > len(scanner.buf):
                raise self._broken(state, "moved the cursor behind the end of the buffer")

    def _broken(self, state: BaseState, what: str) -> StateContractError:
        return StateContractError(f"{type(state).__name__} {what} (at offset {self._scanner.offset} of the stream)")


_DEFAULT_CONFIG = ParserConfig()


@lru_cache(maxsize=256)
def _split_triggers(triggers: str) -> tuple[str, str, Callable[[str], object] | None]:
    """Two characters to test with `in`, which takes 12 ns each, and a search for the others if there are more."""
    others = re.compile(f"[{re.escape(triggers[2:])}]").search if len(triggers) > 2 else None
    return triggers[0], triggers[min(1, len(triggers) - 1)], others


def _checked(chunk: object) -> str:
    if isinstance(chunk, str):
        return str(chunk)
    raise TypeError(
        f"feed() takes str, not {type(chunk).__name__}; decode bytes, or pass the text of a provider's chunk"
    )
