"""Prose: whatever is not part of something else.

    if a < b then <run_bash>…           text `if a < b then `, then the tag's own state

Text ends where an opener of an active format begins; a stray closing marker of reasoning is swallowed. Only what may still
become one of these is held back: `a < b` is text at once, `<ru` waits.
"""

from __future__ import annotations

from re import Match

from streamparse.core.context import ParserContext
from streamparse.core.markers import Markers, compile_markers
from streamparse.core.state import ProseState
from streamparse.events import SegmentType

#: The kind of markers that are recognised in prose and never shown.
SWALLOWED = "swallowed"


class TextState(ProseState):
    """The state a stream begins in and comes back to."""

    segment_type = SegmentType.TEXT.value

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        markers = self._markers()
        self._search = markers.pattern.search
        self._kinds = markers.kinds
        self.triggers = self._heads = markers.heads

    def _markers(self) -> Markers:
        return compile_markers(self.context.openers)

    def run(self) -> None:
        """Show everything up to the next marker, then hand over."""
        scanner = self.context.scanner
        emit_prose = self.context.emitter.emit_prose
        buf, pos = scanner.buf, scanner.pos
        while match := self._search(buf, pos):
            start = match.start()
            emit_prose(buf[pos:start], self.segment_type)
            if match.lastindex is None:
                scanner.pos = start
                scanner.wait_past_blanks()
                return
            kind = self._kinds[match.lastindex]
            if kind != SWALLOWED:
                scanner.pos = start
                self._leave(kind, match)
                return
            pos = match.end()
        emit_prose(buf[pos:] if pos else buf, self.segment_type)
        scanner.pos = len(buf)

    def _leave(self, kind: str, match: Match[str]) -> None:
        self.context.transition_to(kind)

    def finalize(self) -> None:
        """What was held is text after all."""
        scanner, emitter = self.context.scanner, self.context.emitter
        emitter.emit_prose(scanner.take(len(scanner.buf)), self.segment_type)
        if emitter.segment_id:
            self._end()

    def _end(self) -> None:
        self.context.emitter.emit_end()
