"""What is shown runs ahead of what is read.

    <function=f><parameter=a>x</par     `</par` is shown at once, because all of it is content whatever follows;
                             ^          but it is read only when the next characters say whether it closes the parameter

So the cursor of the scanner stays where reading goes on, and `_shown` says what must not be shown again.
"""

from __future__ import annotations

from streamparse.core.state import BaseState
from streamparse.events import SegmentContent


class ShownAheadState(BaseState):
    """Emits content up to an index, whether it is read or not."""

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
        """Show everything up to index `end`, and go on there."""
        self._show(end)
        self.context.scanner.pos = end

    def _show_held(self, end: int) -> None:
        """What is held is content, up to index `end`; go on there."""
        scanner = self.context.scanner
        scanner.pos = end
        self.context.emitter.emit_content(scanner.held())
        scanner.release()
        self._shown = scanner.offset
