"""Reasoning: `<think>` or `<thinking>` up to its closer.

    <think>hm</think>ok                 reasoning `hm`, text `ok`

The first closer of the same name ends it, even inside Markdown code. Calls inside are reasoning text, unless
`tools_in_reasoning` is set: then a call ends the segment, and the reasoning goes on in a new one with the first character
behind the call. Reasoning that is open when the stream ends is truncated.

With `reasoning="open"` the stream begins in here, because the prompt has written the opening tag already. Some models
repeat that tag; as the very first thing it is swallowed.
"""

from __future__ import annotations

from re import Match

from streamparse.core.context import ParserContext
from streamparse.core.markers import BLANKS, Markers, closer, compile_markers
from streamparse.core.state import NEED_MORE, ProseState
from streamparse.events import SegmentType
from streamparse.states.text import TextState

_END = "reasoning_end"
#: What the prompt has written where reasoning is open from the start.
_IMPLIED_TAG = "think"
_REPEATED = compile_markers({"opener": [("<" + _IMPLIED_TAG, BLANKS, ">")]}).pattern


class ReasoningState(TextState):
    """Prose of its own type, with an end."""

    segment_type = SegmentType.REASONING.value

    def __init__(self, context: ParserContext) -> None:
        tag = context.opening.tag
        self.closers = (closer(tag or _IMPLIED_TAG),)
        self._outer: ProseState
        self._may_repeat = not tag
        super().__init__(context)
        if self._may_repeat:
            self.triggers = None

    def _markers(self) -> Markers:
        openers = self.context.call_openers if self.context.config.tools_in_reasoning else {}
        return compile_markers({_END: self.closers, **openers})

    def run(self) -> bool | None:
        """The first time START, then as all prose."""
        if self._may_repeat and not self._skip_repeated():
            return NEED_MORE
        if self.context.prose is not self:
            self._outer = self.context.prose
            self.context.prose = self
            if self.opening.tag and not self._open():
                return None
        return super().run()

    def _open(self) -> bool:
        """START; False if that is all there is."""
        opening = self.opening
        self.context.emitter.emit_start(self.segment_type, opening.metadata, opening.format, is_prose=True)
        if opening.is_empty:
            self._close()
        return not opening.is_empty

    def _skip_repeated(self) -> bool:
        """Swallow an opening tag at the very beginning; False if that is not decided yet."""
        scanner = self.context.scanner
        match = _REPEATED.match(scanner.buf, scanner.pos)
        if match is None:
            self._may_repeat = scanner.pos == len(scanner.buf)
        elif match.lastindex:
            scanner.pos = match.end()
            self._may_repeat = False
        else:
            scanner.wait_past_blanks()
        if not self._may_repeat:
            self.triggers = self._heads
        return not self._may_repeat

    def _leave(self, kind: str, match: Match[str]) -> None:
        if kind == _END:
            self.context.scanner.pos = match.end()
            self._close()
        else:
            super()._leave(kind, match)

    def _close(self) -> None:
        if self.context.emitter.segment_id:
            self.context.emitter.emit_end()
        self.context.prose = self._outer
        self.context.transition_to("text")

    def _end(self) -> None:
        self.context.emitter.emit_end("truncated")
