"""A marker that is text: what begins a call, where calls are text.

    <|message_model|>f<|content_invoke_tool_json|>{     all of it is shown, with `parse_tool_calls=False`

By themselves some of the tokens in it would be swallowed, because they stand around answers, too; so it is read as a
whole.
"""

from __future__ import annotations

from streamparse.core.markers import end_of_marker
from streamparse.core.state import BaseState


class ShownMarkerState(BaseState):
    """Shows the marker, and hands back."""

    def run(self) -> None:
        """It is part of the prose that it stands in."""
        context = self.context
        scanner = context.scanner
        end = end_of_marker(context.opener.marker, scanner.buf, scanner.pos)
        context.show(scanner.take(end))
        context.transition_to("text")
