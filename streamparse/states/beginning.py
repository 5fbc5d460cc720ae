"""The very beginning of a reply, where models write what belongs to no answer.

␠<tool_calls>[…             the blank is swallowed, because a call follows it
助手：Hello                  what the prompt's template should have said
"""

from __future__ import annotations

from streamparse.core.markers import Markers
from streamparse.core.state import BaseState

#: What is swallowed of a marker: all of it, or its first character.
ALL, BLANK = "all", "blank"


class BeginningState(BaseState):
    """Swallows what the opener's options say, once, and hands over to text."""

    def run(self) -> None:
        """Wait until it is decided."""
        scanner, opener = self.context.scanner, self.context.opener
        assert opener is not None  # the stream was begun with it
        markers: Markers = opener.options
        match = markers.pattern.match(scanner.buf, scanner.pos)
        if not scanner.buf or (match and match.lastindex is None):
            if markers.ignores_blanks(scanner.buf, scanner.pos):
                scanner.wait_past_blanks()
            return
        if match and match.lastindex:
            scanner.pos = match.end() if markers.kinds[match.lastindex] == ALL else scanner.pos + 1
        self.context.transition_to("text")
        self.context.begin_reply()

    def finalize(self) -> None:
        """It was not to be decided: it is text."""
        self.context.transition_to("text")
