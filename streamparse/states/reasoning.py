"""Reasoning: `<think>` or `<thinking>` up to its closer.

    <think>hm</think>ok                 reasoning `hm`, text `ok`
    hm</think>ok                        text `hm`, whose END says that it was reasoning; text `ok`

The first closer of the same name ends it, even inside Markdown code. Calls inside are reasoning text, unless
`tools_in_reasoning` is set: then a call ends the segment, and the reasoning goes on in a new one with the first
character behind the call. Reasoning that is open when the stream ends is truncated.

With `reasoning="open"` the stream begins in here, because the prompt has written the opening tag already. Such
reasoning is only implied, so a call that nobody could mean otherwise ends it (`Opener.in_reasoning`).

Some models write the opening tag a second time; as the very first thing it is swallowed, with the blanks before it.
"""

from __future__ import annotations

from attrs import frozen

from streamparse.core.context import ParserContext
from streamparse.core.markers import BLANK_CHARACTERS, BLANKS, CLOSER, Marker, Markers, compile_markers, end_of_marker
from streamparse.core.opening import Opener, Opening, Options, Sought
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
        #: The opener, until it is known whether the reply repeats it.
        repeated = (f"<{opening.tag}", BLANKS, ">") if opening.tag else opening.repeated
        is_awaited = bool(repeated) or opening.is_implied
        self._repeated = compile_markers({CLOSER: _behind_blanks(repeated)}) if is_awaited else None
        super().__init__(context)
        if self._repeated is not None:
            self.triggers = None

    def _seek(self) -> Sought:
        return self.context.grammar.reasoning(
            self.closers,
            has_calls=self.context.config.tools_in_reasoning,
            is_implied=self.opening.is_implied,
        )

    def _hand_over(self, opener: Opener) -> None:
        has_calls = self.context.config.tools_in_reasoning
        if opener.ends_reasoning(has_calls=has_calls, is_implied=self.opening.is_implied):
            self._end()
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
            if self.opening.is_implied:
                self.context.begin_line()
                if self.context.state is not self:
                    return GO_ON
        return super().run()

    def _skip_repeated(self, markers: Markers) -> bool:
        """Swallow openers at the very beginning; False if that is not decided yet."""
        scanner = self.context.scanner
        while (match := markers.pattern.match(scanner.buf, scanner.pos)) and match.lastindex is not None:
            scanner.pos = match.end()
        if match or scanner.pos == len(scanner.buf):
            scanner.wait_for(markers)
            return False
        self._go_on_as_prose()
        return True

    def _go_on_as_prose(self) -> None:
        self._repeated = None
        self.triggers = self._heads

    def pause(self, status: str | None = None) -> None:
        """An opener that comes behind something else is not the prompt's."""
        self._go_on_as_prose()
        super().pause(status)

    def _close(self) -> None:
        """A closer was read, so what follows is the answer. Behind a call that is not certain: the closer may come."""
        self.context.begin_answer()
        self._end()

    def _end(self) -> None:
        if self.context.emitter.segment_id:
            self.context.emitter.emit_end()
        self.context.leave_prose()


def _behind_blanks(marker: Marker) -> list[Marker]:
    """`marker`, if there is one, and any blanks before it, unless it begins with a blank itself."""
    return [(BLANKS, *marker) if marker[0] not in BLANK_CHARACTERS else marker] if marker else []


@frozen
class ReasoningClosers(Options):
    """The markers that end reasoning."""

    closers: tuple[Marker, ...]


class ReasoningInitState(BaseState):
    """Reasoning that a marker begins which is no tag: `[THINK]`."""

    def run(self) -> None:
        """Swallow the marker, and hand over."""
        opener = self.context.opener
        _swallow(self.context)
        closer, *others = opener.get_options(ReasoningClosers).closers
        opening = Opening("", closer, format=opener.format, other_closers=tuple(others), repeated=opener.marker)
        self.context.open(ReasoningState, opening)


class UnopenedState(BaseState):
    """A closer that nothing has opened: `hm</think>ok`. The prompt may have, and nobody has told.

    The text before it has been shown, so all that can be done is to say on its END that it was reasoning. In a fenced
    block of Markdown text looks for it only if the format swallows it wherever it stands, as a special token.
    """

    def run(self) -> None:
        """Swallow the closer, and end the text."""
        context = self.context
        emitter = context.emitter
        _swallow(context)
        if emitter.segment_id and not context.is_answer:
            emitter.emit_end(reasoning=True)
        context.begin_answer()
        context.transition_to("text")
        if context.grammar.reply_opener is not None:
            context.enter(context.grammar.reply_opener)


def _swallow(context: ParserContext) -> None:
    """Read the marker that led here."""
    scanner = context.scanner
    scanner.pos = end_of_marker(context.opener.marker, scanner.buf, scanner.pos)
