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
from streamparse.core.markers import Markers, compile_marker
from streamparse.core.opening import Opener, Opening, compile_openers
from streamparse.core.state import NEED_MORE, BaseState
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
        compiled = self.context.compiled
        if self.closers not in compiled:
            compiled[self.closers] = self._compile()
        return compiled[self.closers]

    def _compile(self) -> Markers:
        has_calls = self.context.config.tools_in_reasoning
        openers = [
            opener
            for opener in self.context.openers
            if opener.ends_reasoning or opener.interrupts_reasoning or (has_calls and opener.in_reasoning)
        ]
        # Where calls are looked for, those that are only mentioned must be told from them. Tokens are never seen.
        known = set(map(id, openers))  # to compare them would cost more than all the rest
        openers += [o for o in self.context.openers if o.is_common and (known or not o.state) and id(o) not in known]
        return compile_openers(tuple(openers), self.closers)

    def _hand_over(self, opener: Opener) -> None:
        if opener.ends_reasoning and not (opener.in_reasoning and self.context.config.tools_in_reasoning):
            self._close()
        super()._hand_over(opener)

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
        self._implied = context.opener
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
        assert opener is not None  # the stream was begun with what the prompt has written
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


class ReasoningInitState(BaseState):
    """Reasoning that a marker begins which is no tag: `[THINK]`. The opener's options are the markers that end it."""

    def run(self) -> None:
        """Swallow the marker, and hand over."""
        scanner, opener = self.context.scanner, self.context.opener
        assert opener is not None  # it led here
        match = compile_marker(opener.marker).pattern.match(scanner.buf, scanner.pos)
        assert match is not None  # it was found there
        scanner.pos = match.end()
        closer, *others = opener.options
        self.context.open(ReasoningState, Opening("", closer, format=opener.format, other_closers=tuple(others)))
