"""Reasoning: `<think>` or `<thinking>` up to its closer.

    <think>hm</think>ok                 reasoning `hm`, text `ok`

The first closer of the same name ends it, even inside Markdown code. Calls inside are reasoning text, unless
`tools_in_reasoning` is set: then a call ends the segment, and the reasoning goes on in a new one with the first
character behind the call. Reasoning that is open when the stream ends is truncated.

With `reasoning="open"` the stream begins in here, because the prompt has written the opening tag already. Some models
repeat that tag; as the very first thing it is swallowed.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.markers import CLOSER, Markers, compile_marker, compile_markers
from streamparse.core.state import NEED_MORE
from streamparse.events import SegmentType
from streamparse.states.text import TextState


class ReasoningState(TextState):
    """Prose of its own type, with an end."""

    segment_type = SegmentType.REASONING.value
    unclosed = "truncated"

    def __init__(self, context: ParserContext) -> None:
        self.closers = (context.opening.closer,)
        self._is_begun = False
        super().__init__(context)

    def _markers(self) -> Markers:
        if not self.context.config.tools_in_reasoning:
            return compile_marker(self.closers[0])
        openers = [opener for opener in self.context.openers if opener.in_reasoning]
        return compile_markers({CLOSER: self.closers, **{opener: [opener.marker] for opener in openers}})

    def run(self) -> bool | None:
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
        self._is_first = True
        self.triggers = None

    def run(self) -> bool | None:
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

    def _skip_repeated(self) -> bool:
        """Swallow an opener at the very beginning; False if that is not decided yet."""
        scanner, opener = self.context.scanner, self.context.opener
        if not scanner.buf:
            return False
        assert opener is not None  # the stream was begun with what the prompt has written
        match = compile_marker(opener.marker).pattern.match(scanner.buf)
        if match and match.lastindex is None:
            scanner.wait_past_blanks()
            return False
        scanner.pos = match.end() if match else 0
        self._is_first = False
        self.triggers = self._heads
        return True
