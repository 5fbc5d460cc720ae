"""A call whose arguments are one text, up to the marker behind it.

    <|python_tag|>print(1)<|eom_id|>                    tool_call {"tool_name": "python"} `print(1)`

The content is that text, verbatim. Any part of the calls' tail ends it.
"""

from __future__ import annotations

from streamparse.states.marked_call import MarkedCallState


class RawCallState(MarkedCallState):
    """Shows everything up to the end."""

    def _in_arguments(self) -> bool:
        scanner, markers = self.context.scanner, self._calls.ends
        match = markers.pattern.search(scanner.buf, scanner.pos)
        self.context.emitter.emit_content(scanner.take(match.start() if match else len(scanner.buf)))
        if match is not None and match.lastindex is not None:
            return self._end_call()
        self.triggers = markers.heads
        return False
