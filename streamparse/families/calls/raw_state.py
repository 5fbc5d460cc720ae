"""A call whose arguments are one text, up to the marker behind it.

    <|python_tag|>print(1)<|eom_id|>                    tool_call {"tool_name": "python"} `print(1)`

The content is that text, verbatim. Any part of the calls' tail ends it. Without one it is truncated, even where the
reply ends: so does one that was cut off by its length, and no text shows that it was.
"""

from __future__ import annotations

from streamparse.core.markers import Markers
from streamparse.families.calls.state import MarkedCallState


class RawCallState(MarkedCallState):
    """Shows everything up to the end."""

    def _in_arguments(self) -> bool:
        return self._show_up_to(self._calls.ends)

    def _show_up_to(self, markers: Markers) -> bool:
        scanner = self.context.scanner
        match = markers.pattern.search(scanner.buf, scanner.pos)
        self.context.emitter.emit_content(scanner.take(match.start() if match else len(scanner.buf)))
        if match is not None and match.lastindex is not None:
            return self._end_call()
        if match is not None and markers.ignores_blanks(scanner.buf, scanner.pos):
            scanner.wait_past_blanks()
        self.triggers = markers.heads
        return False
