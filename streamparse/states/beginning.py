"""The very beginning of a stream, for what is looked for nowhere else.

    prompt `<|start|>assistant`, reply ` to=self<|message|>hm`      the header of a message, begun by the prompt
    prompt `>>>`, reply `get_weather\\n{"city": "Oslo"}`             a call
    ␠<tool_calls>[…                                                the blank is swallowed, because a call follows it
    助手：Hello                                                      swallowed: the template should have said it

It has no beginning of its own that would set it off from prose. Of what it may begin with, what has
no state is swallowed, all of it or as many characters as its options say.
"""

from __future__ import annotations

from attrs import frozen

from streamparse.core.markers import compile_markers
from streamparse.core.opening import Opener, Options
from streamparse.core.state import BaseState


@frozen
class FirstOpeners(Options):
    """What a stream may begin with."""

    openers: tuple[Opener, ...]


@frozen
class Swallow(Options):
    """How much of the marker is swallowed, where it is not all of it."""

    size: int


class BeginningState(BaseState):
    """Decides once, and hands over: to the state for what is found, or to text."""

    def run(self) -> None:
        """Decide, if the text so far allows it."""
        context, scanner = self.context, self.context.scanner
        if not scanner.buf:
            return
        markers = compile_markers(
            {opener: [opener.marker] for opener in context.opener.get_options(FirstOpeners).openers}
        )
        match = markers.pattern.match(scanner.buf, scanner.pos)
        if match is not None and match.lastindex is None:
            scanner.wait_for(markers)
            return
        found = markers.kinds[match.lastindex] if match and match.lastindex else None
        if found is not None and found.state is not None:
            context.enter(found)
            return
        if match is not None and found is not None:
            scanner.pos = scanner.pos + found.options.size if isinstance(found.options, Swallow) else match.end()
        context.transition_to("text")
        context.begin_reply()

    def finalize(self) -> None:
        """It was not to be decided: it is text."""
        self.context.transition_to("text")
