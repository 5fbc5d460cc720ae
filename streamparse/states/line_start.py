"""The beginning of a line, or of the reply, where calls without markers may stand.

    [f(a=1)]                            a call: its list begins the line
    as in [f(a=1)]                      text: it does not

Line breaks and blanks are text at once; what is held is only what may still be such a call. The end of the stream is
the end of a line.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.markers import skip_blanks
from streamparse.core.opening import LineOpeners
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress


class LineStartState(BaseState):
    """Reads up to the first character that is no blank, and hands over."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._markers = context.opener.get_options(LineOpeners).markers

    def run(self) -> Progress:
        """Show blanks; then it is one of the openers, or prose."""
        context = self.context
        scanner = context.scanner
        buf, start = scanner.buf, scanner.pos
        end = skip_blanks(buf, start)
        if end > start:
            context.show(buf[start:end])
            scanner.pos = end
        if end == len(buf):
            return NEED_MORE
        match = self._markers.pattern.match(buf, end)
        if match is None:
            context.transition_to("text")
        elif match.lastindex is None:
            scanner.wait_past_blanks()
            return NEED_MORE
        else:
            context.enter(self._markers.kinds[match.lastindex])
        return GO_ON

    def finalize(self) -> None:
        """What is held may be all there has to be."""
        scanner = self.context.scanner
        match = self._markers.pattern.match(scanner.buf[scanner.pos :] + "\n")
        if match is not None and match.lastindex is not None:
            self.context.enter(self._markers.kinds[match.lastindex])
        else:
            self.context.transition_to("text")
