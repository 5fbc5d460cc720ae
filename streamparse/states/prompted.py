"""The beginning of a stream whose first marker the prompt has begun already.

    prompt `<|start|>assistant`, reply ` to=self<|message|>hm`      the header of a message
    prompt `>>>`, reply `get_weather\\n{"city": "Oslo"}`             a call

What may stand here is looked for nowhere else, because it has no beginning of its own that would set it off from prose.
The opener's options are the openers for it.
"""

from __future__ import annotations

from streamparse.core.markers import compile_markers
from streamparse.core.state import BaseState


class PromptedState(BaseState):
    """Hands over to the state for what the stream begins with, or to text."""

    def run(self) -> None:
        """Decide, if the text so far allows it."""
        context, scanner = self.context, self.context.scanner
        assert context.opener is not None  # it led here
        if not scanner.buf:
            return
        markers = compile_markers({opener: [opener.marker] for opener in context.opener.options})
        match = markers.pattern.match(scanner.buf)
        if match is None:
            context.transition_to("text")
            context.begin_reply()
        elif match.lastindex is None:
            scanner.wait_past_blanks()
        else:
            context.enter(markers.kinds[match.lastindex])

    def finalize(self) -> None:
        """What is cut off is text."""
        self.context.transition_to("text")
