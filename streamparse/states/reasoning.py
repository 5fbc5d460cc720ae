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
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.states.text import TextState


class ReasoningState(TextState):
    """Prose of its own type, with an end."""

    segment_type = SegmentType.REASONING.value
    unclosed = "truncated"
    is_aside = True

    def __init__(self, context: ParserContext) -> None:
        opening = context.opening
        self.closers = (opening.closer, *opening.other_closers)
        self._is_begun = False
        #: What the prompt has written already, until it is known whether the reply repeats it.
        self._repeated = compile_marker(context.opener.marker) if opening.is_implied else None
        super().__init__(context)
        if self._repeated is not None:
            self.triggers = None

    def _markers(self) -> Markers:
        return self.context.grammar.reasoning(self.closers, has_calls=self.context.config.tools_in_reasoning)

    def _hand_over(self, opener: Opener) -> None:
        if opener.ends_reasoning and not (opener.in_reasoning and self.context.config.tools_in_reasoning):
            self._close()
        super()._hand_over(opener)

    def run(self) -> Progress:
        """The first time START, or the opener that the prompt has written; then as all prose."""
        if not self._is_begun:
            self._is_begun = True
            self.context.enter_prose(self)
            opening = self.opening
            if not opening.is_implied:  # else START comes with the first character
                self.context.emitter.emit_start(self.segment_type, opening.metadata, opening.format, True)
            if opening.is_empty:
                self._close()
                return GO_ON
        if self._repeated is not None:
            if not self._skip_repeated(self._repeated):
                return NEED_MORE
            self.context.begin_line()
            if self.context.state is not self:
                return GO_ON
        return super().run()

    def _skip_repeated(self, markers: Markers) -> bool:
        """Swallow an opener at the very beginning; False if that is not decided yet."""
        scanner = self.context.scanner
        match = markers.pattern.match(scanner.buf)
        if not scanner.buf or (match and match.lastindex is None):
            scanner.wait_for(markers, 0)
            return False
        scanner.pos = match.end() if match else 0
        self._go_on_as_prose()
        return True

    def _go_on_as_prose(self) -> None:
        self._repeated = None
        self.triggers = self._heads

    def pause(self, status: str | None = None) -> None:
        """An opener that comes behind something else is not the prompt's.

        If nothing of the reasoning has come before that, a server has taken it out of the text: it is over.
        """
        is_elsewhere = self._repeated is not None and not self.context.scanner.buf
        self._go_on_as_prose()
        super().pause(status)
        if is_elsewhere:
            self._close()

    def _close(self) -> None:
        if self.context.emitter.segment_id:
            self.context.emitter.emit_end()
        self.context.leave_prose()


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
