"""A call in a code span, read ahead: whether the span is closed tells whether it is one.

    see `<|call|>f{}<|end|>` for that           closed behind the call: all of it is text
    press the ` key. <|call|>f{}<|end|>         never closed: the backtick was a stray one, and the call is a call

Text is held from the marker on. A second context reads it as if there was no span, and stops at the first backtick or
line end that stands in no call. A run as long as the one that opened the span closes it; at the end of the line it was
never closed. So a backtick in the arguments of a call closes nothing. But if it stands on the line of the span, and the
call is not over when the line is, it is the end of an example that is no whole call: see `<|call|>f{` for that.

The end of the stream is the end of a line, and so is the limit of held text. A call that is one only because the stream
ends is repaired: what closes the span may have been cut off.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import evolve, frozen

from streamparse.core.context import ParserContext
from streamparse.core.grammar import Grammar
from streamparse.core.markers import skip_blanks
from streamparse.core.opening import Opener, Options, Sought
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.states.text import TextState

_MARK = re.compile("[`\r\n]")
_RUN = re.compile("`*+")


@frozen
class Span(Options):
    """How long the run is that has opened the span, and so the one that closes it."""

    size: int


class OutsideState(BaseState):
    """A backtick, a line end or a closer of the prose that stands in no call; the second context stays there."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._size = context.opener.get_options(Span).size
        #: Where the span is closed; None if it is not known yet, -1 if it is not closed.
        self.closed_at: int | None = None

    def run(self) -> Progress:
        """Measure a run: one of another length is text."""
        scanner = self.context.scanner
        match = _RUN.match(scanner.buf, scanner.pos)
        assert match is not None  # it matches nothing, too
        size, end = len(match[0]), match.end()
        if not size:
            self.closed_at = -1
        elif end < len(scanner.buf):
            if size != self._size:
                scanner.pos = end
                self.context.transition_to("text")
                return GO_ON
            self.closed_at = scanner.base + end
        return NEED_MORE


@lru_cache(maxsize=128)
def _grammar(grammar: Grammar, sought: Sought, size: int) -> Grammar:
    """What is looked for behind the marker: calls and tokens, and what stands in none of them."""
    outside = (("`",), ("\n",), ("\r",), *sought.closers)
    stops = [Opener(mark, OutsideState, options=Span(size), in_reasoning="goes_on") for mark in outside]
    return Grammar((*stops, *sought.read_ahead), grammar.tool_states)


class SpanAheadState(BaseState):
    """Holds text from a marker in a span on, until it is known whether the span is closed.

    It has no `finalize`: at the end of the stream `run` decides.
    """

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._size = context.opener.get_options(Span).size
        self._ahead = ParserContext(
            evolve(context.config, segment_id_factory=None),
            _grammar(context.grammar, context.prose.sought, self._size),
            TextState,
            context.registry,
            context.tools,
        )
        self._begin_at = self._told = context.scanner.offset
        self._run = 0  # the length of the run that is being read
        self._is_first_line = True
        self._closing = -1  # behind the first run on that line that would close the span, if it stood in no call

    def on_limit(self) -> None:
        """Too much is held: it is decided as if the stream had ended here."""
        self._end()

    # -- what is read -------------------------------------------------------------------------------------------------

    def _begin(self) -> Progress:
        self.context.hold()
        self._phase = "_line"
        return GO_ON

    def _line(self) -> Progress:
        """Up to the next backtick or line end."""
        scanner = self.context.scanner
        match = _MARK.search(scanner.buf, scanner.pos, scanner.end)
        scanner.pos = match.start() if match else scanner.end
        if self._tell(scanner.pos):
            return NEED_MORE
        if match is None:
            return self._wait()
        self._phase = "_backticks" if match[0] == "`" else "_line_end"
        return GO_ON

    def _backticks(self) -> Progress:
        scanner = self.context.scanner
        match = _RUN.match(scanner.buf, scanner.pos, scanner.end)
        assert match is not None  # it matches nothing, too
        self._run += len(match[0])
        scanner.pos = match.end()
        if self._tell(scanner.pos):
            return NEED_MORE
        if scanner.pos == scanner.end:
            return self._wait()
        self._end_run()
        self._phase = "_line"
        return GO_ON

    def _end_run(self) -> None:
        if self._is_first_line and self._run == self._size and self._closing < 0:
            self._closing = self.context.scanner.offset
        self._run = 0

    def _line_end(self) -> Progress:
        """Blanks belong to the call before them, if more of it follows; so what follows is looked at, too."""
        scanner = self.context.scanner
        scanner.pos = skip_blanks(scanner.buf, scanner.pos, scanner.end)
        if self._tell(scanner.pos):
            return NEED_MORE
        if scanner.pos == scanner.end:
            return self._wait()
        if self._closing >= 0:
            if not self._tell(scanner.pos + 1):
                self._close(self._closing)
            return NEED_MORE
        self._is_first_line = False
        self._phase = "_line"
        return GO_ON

    def _wait(self) -> Progress:
        if self.context.scanner.is_finished:
            self._end()
            self.context.emitter.is_mended = True
        return NEED_MORE

    # -- what comes of it ---------------------------------------------------------------------------------------------

    def _tell(self, end: int) -> bool:
        """Let the second context read up to index `end`; True if that has decided it."""
        scanner, ahead = self.context.scanner, self._ahead
        ahead.read(scanner.buf[self._told - scanner.base : end])
        ahead.emitter.drain()
        self._told = scanner.base + end
        return self._is_decided()

    def _is_decided(self) -> bool:
        state = self._ahead.state
        closed_at = state.closed_at if isinstance(state, OutsideState) else None
        if closed_at is None:
            return False
        self._close(closed_at + self._begin_at if closed_at >= 0 else -1)
        return True

    def _end(self) -> None:
        """The line ends here, and something else would follow."""
        self._end_run()
        self._ahead.read("\n.")
        if not self._is_decided():
            self._close(self._closing)

    def _close(self, offset: int) -> None:
        """The span is closed at this offset, and text up to there; -1 if it is not closed."""
        context, scanner = self.context, self.context.scanner
        scanner.rollback()
        if offset >= 0:
            context.show(scanner.take(offset - scanner.base))
        context.transition_to("text")
