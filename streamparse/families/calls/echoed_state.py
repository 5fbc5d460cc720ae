"""Calls that the model may write a second time, behind the marker that ends them.

    <|tool_call_start|>[f(a=1)]<|tool_call_end|>[f(a=1)]<|tool_call_end|>       one call

LFM2 does. The echo is swallowed only if it is the same text to the letter, up to a second end marker; all else is text
(and what may still become the echo is held). Of a longer section none is expected.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.state import NEED_MORE
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.literals.state import LiteralCallState

#: Up to this length a section is kept, to know it again: every chunk of it must then be looked at.
_LONGEST = 4_096


class EchoedCallState(MarkedCallState):
    """Keeps what it reads. Goes before the state that reads the arguments."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._pieces: list[str] = []
        self._from = context.scanner.offset  # where the section begins
        self._run_from = 0  # where this run does, in the buffer

    def run(self) -> bool:
        """As always, but every chunk matters for a while."""
        scanner = self.context.scanner
        if scanner.offset - self._from > _LONGEST:
            self._pieces.clear()
            return super().run()
        self._run_from = scanner.pos
        super().run()
        self._pieces.append(scanner.buf[self._run_from : scanner.pos])
        self.triggers = None
        return NEED_MORE

    def _behind_call(self) -> bool:
        if self._stage < len(self._calls.tail) + len(self._section.close):
            return super()._behind_call()
        return self._skip_echo()

    def _skip_echo(self) -> bool:
        """Behind the end marker."""
        scanner = self.context.scanner
        if scanner.offset - self._from <= _LONGEST:
            pieces = [*self._pieces, scanner.buf[self._run_from : scanner.pos]]
            echo = "".join(pieces)[len(self._section.open[0]) :]
            following = scanner.buf[scanner.pos : scanner.pos + len(echo)]
            if following != echo and echo.startswith(following):
                return False
            if following == echo:
                scanner.pos += len(echo)
        self.context.transition_to("text")
        return False


class EchoedLiteralCallState(EchoedCallState, LiteralCallState):
    """Calls as literals."""


class EchoedObjectCallState(EchoedCallState, JsonObjectCallState):
    """Calls as JSON objects."""
