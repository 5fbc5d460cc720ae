"""A call whose arguments are a plain text, up to the marker that ends the call.

    <|python_tag|>print(1)<|eom_id|>                            tool_call {"tool_name": "python"} `print(1)`

Nothing in the text is looked at: it is code, or whatever else the tool takes.
"""

from __future__ import annotations

from streamparse.states.marked_call import MarkedCallState


class TextArgumentsState(MarkedCallState):
    """Shows text until one of the call's closers."""

    def _in_arguments(self) -> bool:
        scanner, markers = self.context.scanner, self._calls.ends
        match = markers.pattern.search(scanner.buf, scanner.pos)
        self.context.emitter.emit_content(scanner.take(match.start() if match else len(scanner.buf)))
        if match is None or match.lastindex is None:
            self.triggers = markers.heads
            return False
        return self._end_call()
