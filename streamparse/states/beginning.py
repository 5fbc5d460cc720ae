"""The very beginning of a stream, for what is looked for nowhere else.

    prompt `<|start|>assistant`, reply ` to=self<|message|>hm`      the header of a message, begun by the prompt
    prompt `>>>`, reply `get_weather\\n{"city": "Oslo"}`             a call
    ␠<tool_calls>[…                                                the blank is swallowed, because a call follows it
    助手：Hello                                                      swallowed: the template should have said it

It has no beginning of its own that would set it off from prose. Of what it may begin with, what has
no state is swallowed, all of it or as many characters as its options say.
"""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from streamparse.core.opening import Opener, Options
from streamparse.core.state import BaseState
from streamparse.core.stems import Stem, compile_place, find_at


@frozen(eq=False, slots=False)
class FirstOpeners(Options):
    """What a stream may begin with."""

    openers: tuple[Opener, ...]

    @cached_property
    def place(self) -> Stem:
        """All of them."""
        return compile_place({opener: (opener.marker,) for opener in self.openers})


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
        place, pos = context.opener.get_options(FirstOpeners).place, scanner.pos
        found = find_at(place, scanner.buf, pos)
        if found is not None:
            opener, _, end, awaited, since = found
            if opener is None:
                scanner.wait_for(awaited, since)
                return
            if opener.state is not None:
                context.enter(opener)
                return
            scanner.pos = pos + opener.options.size if isinstance(opener.options, Swallow) else end
        context.transition_to("text")
        context.begin_reply()

    def finalize(self) -> None:
        """It was not to be decided: it is text."""
        self.context.transition_to("text")
