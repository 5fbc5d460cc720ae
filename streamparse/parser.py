"""StreamingParser: chunks in, events out.

The path of a chunk: it is appended to the scanner, the current state runs as long as it makes progress or hands over
to another, and the events they emitted are drained. Most chunks have a shorter one: when nothing is held back, and
the chunk has none of the characters that matter to the state, the chunk itself is the next delta.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from streamparse import formats as known_formats
from streamparse.config import DEFAULT_CONFIG, ParserConfig, Tools, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.emitter import EventEmitter, LiveSegment
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.core.registry import ToolStateRegistry, default_registry
from streamparse.core.spans import Spans
from streamparse.core.state import MOST_AHEAD, NEED_MORE, Held
from streamparse.errors import LimitError, ParserStateError, StateContractError
from streamparse.events import AnyEvent, SegmentContent

#: What is text, or UTF-8 of a text.
TEXTS = (str, bytes, bytearray, memoryview)

_Test: TypeAlias = Callable[[str], Any]
#: Two triggers, and a closer look at a chunk that has one.
_Triggers: TypeAlias = tuple[str, str, _Test]
#: The same, and the id and the type of the open segment.
_Plain: TypeAlias = tuple[str, str, _Test, str, str]


class StreamingParser:
    """Parses one stream. `feed` chunks, then `finalize`; both return the events that became certain.

    `formats` is a format, by name or as a `Format`, or several of them (default: `config.strategy_order`, else "xml"),
    `tools` what the user declares to the model, `registry` states for tools (default: the one that
    `register_tool_state` fills).
    """

    __slots__ = (
        "_ahead",
        "_context",
        "_decoder",
        "_emitter",
        "_failure",
        "_has_half",
        "_held",
        "_is_final",
        "_is_guarded",
        "_live",
        "_plain",
        "_prose",
        "_remaining",
        "_scanner",
        "formats",
    )

    def __init__(
        self,
        formats: known_formats.Formats = None,
        config: ParserConfig | None = None,
        *,
        tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (),
        registry: ToolStateRegistry | None = None,
    ) -> None:
        config = config if config is not None else DEFAULT_CONFIG
        if not isinstance(config, ParserConfig):
            raise TypeError(f"config must be a ParserConfig, not {type(config).__name__}")
        if registry is not None and not isinstance(registry, ToolStateRegistry):
            raise TypeError(f"registry must be a ToolStateRegistry, not {type(registry).__name__}")
        #: Those that were chosen.
        self.formats = tuple(known_formats.choose(formats, config))
        self._context: ParserContext = known_formats.build_context(
            list(self.formats),
            config,
            registry if registry is not None else default_registry,
            tools,
        )
        self._scanner = self._context.scanner
        self._emitter = self._context.emitter
        self._is_final = False
        self._decoder: codecs.IncrementalDecoder | None = None  # once bytes have come
        self._has_half = False  # of a character
        self._failure: Exception | None = None
        self._remaining = config.limits.max_total
        self._is_guarded = self._remaining is not None
        #: What a chunk without triggers becomes; None if states must look at every chunk.
        self._plain: _Plain | None = None
        #: The same, also while something is held back; None if the state does not say what can be content at once.
        self._prose: tuple[Callable[[str], re.Match[str] | None], _Plain] | None = None
        #: What tells whether all the text that is held may still become a marker.
        self._held: Held | None = None
        #: What finds in a chunk that it must be read, and not only shown.
        self._ahead: _Test | None = None
        #: A call that is shown as what it does, what matters to the state in it, and where the stream was then; None
        #: if every chunk matters.
        self._live: tuple[LiveSegment, str, _Triggers, int] | None = None

    def feed(self, chunk: str | bytes | bytearray | memoryview) -> list[AnyEvent]:
        """Take in a chunk of any size; returns the events it made certain.

        Bytes are UTF-8 and may be cut anywhere; what is not UTF-8 becomes U+FFFD.
        """
        if chunk.__class__ is not str:
            return self._feed_other(chunk)
        if TYPE_CHECKING:  # the line above has seen to it
            assert isinstance(chunk, str)
        plain, found = self._plain, None
        if plain is not None:
            first, second, look_closer, segment_id, segment_type = plain
            if chunk and ((first not in chunk and second not in chunk) or not (found := look_closer(chunk))):
                # Most chunks of a stream end here: no state runs, nothing is copied.
                self._scanner.base += len(chunk)
                return [SegmentContent(segment_id, chunk, segment_type)]
        return self._feed_guarded(chunk) if self._is_guarded else self._feed(chunk, found)

    def _feed(self, chunk: str, found: Any = None) -> list[AnyEvent]:
        """The long way: what is held is looked at again, and states look at the chunk.

        `found` is what a closer look at the chunk has found, if nothing is held.
        """
        scanner, emitter = self._scanner, self._emitter
        if scanner.blank_run is not None:
            chunk = scanner.skip_blanks(chunk)
        if not chunk:
            return []
        live = self._live
        if live is not None:
            call, others, (first, second, look_closer), base = live
            if scanner.base > base and call.raw_text is not None:
                call.raw_text.skip(scanner.base - base)
            if (first not in chunk and second not in chunk) or not look_closer(chunk):
                # The state need not look at it, only the call.
                scanner.base += len(chunk)
                call.feed(chunk)
                self._note_live(call, others, live[2])
                return emitter.drain()
        text = scanner.buf + chunk if scanner.buf else chunk
        ahead = self._ahead
        if ahead is not None and len(text) < MOST_AHEAD and not ahead(chunk):
            # Short arguments are read when all of them is there.
            scanner.buf = text
            scanner.shown = scanner.base + len(text)
            self._plain = self._live = None
            emitter.emit_content(chunk)
            return emitter.drain()
        prose, held = self._prose, self._held
        if held is not None:
            # Long markers come in many chunks. As long as one of them may come, no state need look.
            match = held[0](text, held[1])
            if match is not None and match.lastindex is None and text[-1] not in BLANK_CHARACTERS:
                scanner.buf = text
                return []
            self._held = None
        if prose is not None:
            # Most of what is held turns out to be prose: `a <`, and then ` b`. That much needs no state either.
            match = found or prose[0](text)  # it is the same search
            if match is None or (match.lastindex is None and text[-1] not in BLANK_CHARACTERS):
                end = match.start() if match else len(text)
                scanner.base += end
                scanner.buf = text[end:]
                self._plain = None if match else prose[1]
                return [SegmentContent(prose[1][3], text[:end], prose[1][4])] if end else []
        scanner.buf = text
        context = self._context
        state = context.state
        try:
            # In most cases one run is all; the loop is for the others.
            if (
                state.run() is not NEED_MORE
                or context.state is not state
                or scanner.limit < scanner.base + len(scanner.buf)
            ):
                context.run()
            if scanner.pos:
                if not 0 < scanner.pos <= len(scanner.buf):
                    raise context.contract_error("moved the cursor out of the buffer")
                scanner.compact()
        except Exception as error:
            self._fail(error)
            raise
        state = context.state
        triggers = state.triggers
        self._plain = self._prose = self._live = self._held = None
        if state.held is not None:
            self._held = None if scanner.pos else state.held
            state.held = None
        self._ahead = state.ahead
        state.ahead = None
        if triggers is None or not emitter.segment_id or (scanner.buf and (not state.search or emitter.live)):
            return emitter.drain()  # as mostly while something is held: every chunk matters
        first, second, search = _split_triggers(triggers)
        look_closer = state.search or state.look_closer or search
        if emitter.live is not None:
            self._note_live(emitter.live, triggers, (first, second, look_closer))
        else:
            plain = (first, second, look_closer, emitter.segment_id, emitter.segment_type)
            self._plain = plain if not scanner.buf else None
            self._prose = (state.search, plain) if state.search else None
        return emitter.drain()

    def _note_live(self, call: LiveSegment, triggers: str, split: _Triggers) -> None:
        """What is content for the state is shown as it is if it has none of the call's own triggers, either."""
        self._live = call, triggers, split, self._scanner.base
        more, emitter = call.triggers, self._emitter
        self._plain = (
            None if more is None else (*_split_triggers(triggers, more), emitter.segment_id, emitter.segment_type)
        )

    def _feed_guarded(self, chunk: str) -> list[AnyEvent]:
        """After the end or a failure nothing is taken in; past the total, no more than it allows."""
        self.check_open()
        if self._has_half:
            return self.feed(self._take_half() + chunk)
        allowed = self.charge(chunk)
        events = self._feed(allowed)
        self._plain = None  # every chunk must come through here
        if len(allowed) < len(chunk):
            raise self.total_passed(events)
        return events

    def finalize(self) -> list[AnyEvent]:
        """No more input: settle what is held, close what is open. A second call returns nothing."""
        self._check_alive()
        if self._is_final:
            return []
        self._settle()
        self._is_final = self._is_guarded = True
        self._context.prose.finalize()
        return self._emitter.drain()

    def abort(self, error: str = "") -> list[AnyEvent]:
        """The stream broke off: everything that is open is truncated, and nothing more is taken in.

        `error` is a sentence that tells why, for the ENDs of what was open.
        """
        self._check_alive()
        if self._is_final:
            return []
        self._emitter.cut = error
        self._settle()
        self._is_final = self._is_guarded = True
        self._context.prose.pause("truncated")
        return self._emitter.drain()

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has come yet."""
        return not self._scanner.base and not self._scanner.buf and not self._is_final and self._decoder is None

    @property
    def settled(self) -> int:
        """How many characters of the stream are read, and not held back."""
        return self._scanner.settled

    def keep_spans(self) -> Spans:
        """Where in the stream the segments of blocks stand, from now on."""
        self._emitter.spans = Spans(self._scanner)
        return self._emitter.spans

    @property
    def is_between(self) -> bool:
        """Whether prose is read, and no block: not even one that has shown nothing so far."""
        return self._context.state is self._context.prose

    # -- for what comes beside the text -------------------------------------------------------------------------------

    @property
    def emitter(self) -> EventEmitter:
        """Where events of segments beside the text are put: ids and the order of events are common to all."""
        return self._emitter

    def check_open(self) -> None:
        """Raise ParserStateError unless more may come."""
        if self._failure is not None:
            self._check_alive()
        if self._is_final:
            raise ParserStateError("feed() after the end: a parser reads one stream; make a new one for the next")

    def charge(self, text: str) -> str:
        """Count `text` towards `max_total`; what is allowed of it."""
        if self._remaining is None:
            return text
        allowed = text[: self._remaining]
        self._remaining -= len(allowed)
        return allowed

    def total_passed(self, events: list[AnyEvent]) -> LimitError:
        """The error for a stream that is longer than allowed."""
        total = self._context.config.limits.max_total
        assert total is not None  # else nothing is counted
        return LimitError("max_total", total, total, events)

    def interrupt(self, cut: str | None = None) -> None:
        """Something else stands between the text so far and the text to come.

        What is held is settled as at the end, an open block is truncated, and the segment of the prose ends; the prose
        itself goes on, be it text or reasoning. `cut` is a sentence for a reply that was cut off here: then the prose
        is truncated, too, and nothing that was open is complete.
        """
        emitter = self._emitter
        emitter.cut = cut
        self._settle()
        self._context.prose.pause(None if cut is None else "truncated")
        emitter.cut = None
        emitter.is_mended = False
        self._scanner.is_finished = False
        self._scanner.compact()
        self._context.begin_line()

    def end_implied(self) -> None:
        """Reasoning comes beside the text, so the text holds none, even if the prompt is said to have opened it.

        Text that came before is settled; where it was taken for reasoning, it stays so.
        """
        self._held = None
        self._context.end_implied()

    def _settle(self) -> None:
        """Run and finalize one state after the other, until prose is left."""
        # Not through `feed`: half a character must not end the stream with a LimitError and its segment open.
        events = self._feed(self._take_half()) if self._has_half else []
        context, scanner = self._context, self._scanner
        if self._live is not None and self._live[0].raw_text is not None:
            self._live[0].raw_text.skip(scanner.base - self._live[3])
        self._plain = self._prose = self._live = self._held = self._ahead = None
        scanner.finish()
        try:
            self._emitter.events[:0] = events
            context.run()
            settled = -1
            while (state := context.state) is not context.prose:
                if scanner.settled <= settled:
                    raise context.contract_error("was reached again in finalize(), and nothing was settled in between")
                settled = scanner.settled
                state.finalize()
                if context.state is state:
                    context.transition_to("text")
                context.run()
        except Exception as error:
            self._fail(error)
            raise

    # -- chunks that are no `str` ------------------------------------------------------------------------------------

    def _feed_other(self, chunk: object) -> list[AnyEvent]:
        """Bytes, or a subclass of `str`."""
        if isinstance(chunk, str):
            return self.feed(str(chunk))
        if not isinstance(chunk, bytes | bytearray | memoryview):
            raise TypeError(
                f"feed() takes str or bytes, not {type(chunk).__name__}; pass the text of a provider's chunk"
            )
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = self._decoder.decode(bytes(chunk))
        self._has_half = False
        self._is_guarded = self._must_guard()
        events = self.feed(text)
        if self._decoder.getstate()[0]:
            # Text that comes now stands behind half a character: it must not take the short path.
            self._has_half = self._is_guarded = True
            self._plain = None
        return events

    def _take_half(self) -> str:
        """What half a character is when nothing completes it."""
        assert self._decoder is not None  # it has the half
        self._has_half = False
        self._is_guarded = self._must_guard()
        return str(self._decoder.decode(b"", final=True))

    def _must_guard(self) -> bool:
        return self._remaining is not None or self._is_final or self._failure is not None

    def _fail(self, error: Exception) -> None:
        """From now on nothing is taken in. An error of the emitter or scanner is told where it happened."""
        self._failure = error
        self._is_guarded = True
        self._plain = self._prose = self._live = self._held = self._ahead = None
        if isinstance(error, StateContractError) and not error.is_located:
            self._failure = self._context.contract_error(f"broke the contract: {error}")
            raise self._failure from error

    def _check_alive(self) -> None:
        if self._failure is not None:
            raise ParserStateError("a state failed before: this parser cannot go on") from self._failure


#: What no model writes; and if it did, its chunk would only take the long way.
_NOWHERE = "\ud800"


@lru_cache(maxsize=256)
def _split_triggers(triggers: str, more: str = "") -> _Triggers:
    """Two characters to test with `in`, which takes 12 ns each, and what to ask of a chunk that has one.

    For more than two a search is faster, 40 ns: then the first is nothing, which every chunk has.
    """
    triggers = "".join(dict.fromkeys(triggers + more))
    if len(triggers) > 2:
        return "", "", re.compile(f"[{re.escape(triggers)}]").search
    first, second = (*triggers, *[_NOWHERE] * (2 - len(triggers)))
    return first, second, bool
