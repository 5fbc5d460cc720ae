"""Prose: whatever is not part of something else.

    if a < b then <run_bash>…           text `if a < b then `, then the tag's own state

Text ends where an opener of an active format begins. Only what may still become one of these is held back: `a < b` is
text at once, `<ru` waits. As long as the reasoning of the reply may not be over, closers of reasoning are among them
(see `reasoning.py`); in the answer they are text, but for those that come before any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamparse.core.context import ParserContext
from streamparse.core.markers import BLANK_CHARACTERS, CLOSER
from streamparse.core.opening import Opener, Sought
from streamparse.core.state import GO_ON, NEED_MORE, Progress, ProseState
from streamparse.core.stems import Stem
from streamparse.events import SegmentType

#: From this length on, a jump to the next possible marker is worth its price.
_LONG = 1024


class TextState(ProseState):
    """The state a stream begins in and comes back to."""

    segment_type = SegmentType.TEXT.value
    #: The status of prose that is open when the stream ends.
    unclosed: str | None = None

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self.look_again()

    def look_again(self) -> None:
        """Compile what is looked for."""
        self.sought = self._seek()
        self._compiled = markers = self.sought.markers
        self.search = markers.glance.search
        self.triggers = self._heads = markers.heads

    def _seek(self) -> Sought:
        grammar = self.context.grammar
        if self.context.is_answer:
            return grammar.answer
        return grammar.fenced if self.fence else grammar.text

    def note_fence(self, size: int) -> None:
        """What is looked for in a fenced block is not what is looked for behind it."""
        super().note_fence(size)
        self.look_again()

    @classmethod
    def begin_answer(cls, context: ParserContext) -> TextState:
        """Text goes on as the beginning of the answer."""
        return AnswerStartState(context)

    def run(self) -> Progress:
        """Show everything up to the next marker, then hand over."""
        scanner = self.context.scanner
        emit_prose = self.context.emitter.emit_prose
        buf, pos = scanner.buf, scanner.pos
        is_last = scanner.is_finished and pos < len(buf)
        markers = self._compiled
        search = markers.final.search if is_last else markers.glance.search
        look_from = pos
        while match := search(buf, look_from if len(buf) - look_from < _LONG else self._next_head(buf, look_from)):
            start = since = match.start()
            awaited = markers
            kind, end = (markers.kinds[match.lastindex or 0], match.end()) if is_last else markers.tell(match)
            if isinstance(kind, Stem):
                found = kind.follow(buf, start, start, end, is_last)
                if found is None:
                    look_from = start + 1
                    continue
                kind, _, end, awaited, since = found
            if start > pos:
                emit_prose(buf[pos:start], self.segment_type)
            if kind is None:
                scanner.pos = start
                scanner.wait_for(awaited, since)
                if since > start:
                    self.held = awaited.pattern.match, since - start
                return NEED_MORE
            if kind is CLOSER:
                scanner.pos = end
                self._close()
                return GO_ON
            if kind.state is not None:
                scanner.pos = start
                self._hand_over(kind)
                return GO_ON
            pos = look_from = end
        emit_prose(buf[pos:] if pos else buf, self.segment_type)
        scanner.pos = len(buf)
        return NEED_MORE

    def _hand_over(self, opener: Opener) -> None:
        self.context.enter(opener)

    if TYPE_CHECKING:  # text has no closer of its own; prose that has one says what happens then

        def _close(self) -> None: ...

    def _next_head(self, buf: str, pos: int) -> int:
        """Where a marker can begin at the earliest. `find` reads 20 GB/s, a pattern with several heads 0.2.

        What it found for each head is kept, as an offset in the stream: to look again for one that is far away would
        be quadratic.
        """
        base, known = self.context.scanner.base, self.context.searched
        for head in self._heads:
            if known.get(head, -1) < base + pos:
                index = buf.find(head, pos)
                known[head] = base + (index if index >= 0 else len(buf))
        return min((known[head] for head in self._heads), default=base + len(buf)) - base

    def finalize(self) -> None:
        """What was held is text after all."""
        self.pause(self.unclosed)

    def pause(self, status: str | None = None) -> None:
        """What was held is text after all; the segment ends, and the prose may go on in another."""
        scanner, emitter = self.context.scanner, self.context.emitter
        emitter.emit_prose(scanner.take(len(scanner.buf)), self.segment_type)
        if emitter.segment_id:
            emitter.emit_end(status)


class AnswerStartState(TextState):
    """The beginning of the answer, as long as there is nothing of it but blanks: a closer here is one too many."""

    _start = 0  # where the run began

    def _seek(self) -> Sought:
        return self.context.grammar.text

    def look_again(self) -> None:
        """Compile what is looked for; every chunk matters."""
        super().look_again()
        self.triggers = None

    def run(self) -> Progress:
        """Read as text; with the first character that is no blank, the answer has begun."""
        self._start = self.context.scanner.pos
        progress = super().run()
        if self._is_begun():
            self.note_text()
        return progress

    def note_text(self) -> None:
        """The answer has begun."""
        self.context.replace_prose(TextState(self.context))

    def _hand_over(self, opener: Opener) -> None:
        if not (opener.is_closer and self._is_begun()):  # else it is text, which the next state reads
            super()._hand_over(opener)

    def _is_begun(self) -> bool:
        scanner = self.context.scanner
        return bool(scanner.buf[self._start : scanner.pos].strip(BLANK_CHARACTERS))
