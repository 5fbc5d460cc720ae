"""Reasoning: `<think>` or `<thinking>` up to its closer.

    <think>hm</think>ok                 reasoning `hm`, text `ok`

The first closer of the same name ends it, even inside Markdown code. Calls inside are reasoning text, unless
`tools_in_reasoning` is set: then a call ends the segment, and the reasoning goes on in a new one with the first
character behind the call. Reasoning that is open when the stream ends is truncated.

With `reasoning="open"` the stream begins in here, because the prompt has written the opening tag already. Some models
repeat that tag; as the very first thing it is swallowed.
"""

from __future__ import annotations

from attrs import frozen

from streamparse.core.context import ParserContext
from streamparse.core.markers import Marker, Markers, compile_marker
from streamparse.core.opening import Opener, Opening, Options
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.states.text import TextState


class ReasoningState(TextState):
    """Prose of its own type, with an end."""

    segment_type = SegmentType.REASONING.value
    unclosed = "truncated"
    is_aside = True

    def __init__(self, context: ParserContext) -> None:
        self.closers = (context.opening.closer, *context.opening.other_closers)
        self._is_begun = False
        super().__init__(context)

    def _markers(self) -> Markers:
        return self.context.grammar.reasoning(self.closers, has_calls=self.context.config.tools_in_reasoning)

    def _hand_over(self, opener: Opener) -> None:
        if opener.ends_reasoning and not (opener.in_reasoning and self.context.config.tools_in_reasoning):
            self._close()
        super()._hand_over(opener)

    def run(self) -> Progress | None:
        """The first time START, then as all prose."""
        if not self._is_begun:
            self._is_begun = True
            self.context.enter_prose(self)
            opening = self.opening
            self.context.emitter.emit_start(self.segment_type, opening.metadata, opening.format, True)
            if opening.is_empty:
                self._close()
                return None
        return super().run()

    def _close(self) -> None:
        if self.context.emitter.segment_id:
            self.context.emitter.emit_end()
        self.context.leave_prose()


class OpenReasoningState(ReasoningState):
    """Reasoning that the prompt has opened: no START before its first character, and a repeated opener is swallowed."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._implied = context.opener
        self._is_first = True
        self.triggers = None

    def run(self) -> Progress | None:
        """First the opener, if it is repeated."""
        if not self._is_begun:
            self._is_begun = True
            self.context.enter_prose(self)
        if not self._is_first:
            return super().run()
        if not self._skip_repeated():
            return NEED_MORE
        self.context.begin_line()
        return super().run() if self.context.state is self else None

    def pause(self, status: str | None = None) -> None:
        """An opener that comes behind something else is not the prompt's."""
        self._is_first = False
        self.triggers = self._heads
        super().pause(status)

    def _skip_repeated(self) -> bool:
        """Swallow an opener at the very beginning; False if that is not decided yet."""
        scanner, opener = self.context.scanner, self._implied
        if not scanner.buf:
            return False
        markers = compile_marker(opener.marker)
        match = markers.pattern.match(scanner.buf)
        if match and match.lastindex is None:
            if markers.ignores_blanks(scanner.buf, 0):
                scanner.wait_past_blanks()
            return False
        scanner.pos = match.end() if match else 0
        self._is_first = False
        self.triggers = self._heads
        return True


@frozen
class ReasoningClosers(Options):
    """The markers that end reasoning."""

    closers: tuple[Marker, ...]


class ReasoningInitState(BaseState):
    """Reasoning that a marker begins which is no tag: `[THINK]`."""

    def run(self) -> None:
        """Swallow the marker, and hand over."""
        scanner, opener = self.context.scanner, self.context.opener
        match = compile_marker(opener.marker).pattern.match(scanner.buf, scanner.pos)
        assert match is not None  # it was found there
        scanner.pos = match.end()
        closer, *others = opener.get_options(ReasoningClosers).closers
        self.context.open(ReasoningState, Opening("", closer, format=opener.format, other_closers=tuple(others)))
