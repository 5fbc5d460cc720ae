"""What is shown runs ahead of what is read.

    <para                       content, shown at once, whatever it will be
         meter=a>               and read as one piece, now that it is known to open a parameter

For states all of whose text is content, save what may be its end: no character waits for what it means.
"""

from __future__ import annotations

from streamparse.core.state import PhasedState
from streamparse.events import SegmentContent


class ShownAheadState(PhasedState):
    """Remembers how far it has shown."""

    _shown = 0  # up to this offset everything has been emitted

    def _show(self, end: int) -> None:
        """Emit what is not emitted yet, up to index `end`."""
        scanner = self.context.scanner
        start = self._shown - scanner.base
        if start < scanner.pos:
            start = scanner.pos
        if start < end:
            emitter = self.context.emitter
            emitter.events.append(SegmentContent(emitter.segment_id, scanner.buf[start:end], self.segment_type))
            self._shown = scanner.base + end

    def _read(self, end: int) -> None:
        """Read up to index `end`, and show all before it."""
        self._show(end)
        self.context.scanner.pos = end

    def _show_held(self, end: int) -> None:
        """What is held was content after all, up to index `end`."""
        scanner = self.context.scanner
        scanner.pos = end
        self.context.emitter.emit_content(scanner.held())
        scanner.release()
        self._shown = scanner.offset
