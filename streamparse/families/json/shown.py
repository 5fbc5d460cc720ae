"""ShownValue: the JSON value of a call, shown as it comes, up to its end or to what shows that it has none.

    {"a": 1}                                    COMPLETE: the bracket that balances it
    {"a": 1 <|end|>                             BROKEN: a marker that no JSON has outside of strings
    {"a": "b} <|call|> g <|sep|> {"c": 2}       BROKEN: the next call, in a string that was never closed

The beginning of a call inside of a string may be data. So it is held up to the quote that ends the string, and the
character behind it: if that is one that JSON has behind a string, it is data. Else the quote is the first one of the
next call, and a quote was forgotten before it: the call has ended where the next one begins. But what stands there may
be part of the string after all, so no call in it counts.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from streamparse.core.context import ParserContext
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.families.calls.of_format import BRACKETS
from streamparse.families.json.reader import JsonReader

_BEHIND_STRING = ",:}]"


class ValueState(Enum):
    """What has come of a value."""

    OPEN = "open"  #: there is more to come
    COMPLETE = "complete"  #: it has ended
    BROKEN = "broken"  #: it has not, but the call has: here stands a marker that ends it, or the next call


OPEN, COMPLETE, BROKEN = ValueState


class ShownValue:
    """A value that a state reads from the scanner into the emitter, with `read`, until it is no more OPEN.

    While it `is_doubtful` text is held: the state's `on_limit` and `finalize` must `trust` it then.
    """

    __slots__ = (
        "_ahead",
        "_context",
        "_look_closer",
        "_quote",
        "_scanner",
        "_triggers",
        "is_doubtful",
        "reader",
    )

    def __init__(self, context: ParserContext, reader: JsonReader) -> None:
        self._context = context
        self._scanner = context.scanner
        self._scanner.shown = context.scanner.offset
        self._quote = 0  # the offset behind the string that is in doubt, once it is known
        self.reader = reader
        self.is_doubtful = False
        self._triggers: str | None = None
        self._look_closer: Callable[[str], object] | None = None
        self._ahead: Callable[[str], object] | None = None

    def read(self) -> ValueState:
        """Show what is certain."""
        outcome = self._settle() if self.is_doubtful else None
        while outcome is None:
            outcome = self._show() or self._settle()
        return outcome

    def wait(self, state: BaseState) -> Progress:
        """The value is open: say what matters to `state`, which reads it."""
        state.triggers, state.look_closer, state.ahead = self._triggers, self._look_closer, self._ahead
        return NEED_MORE

    def _show(self) -> ValueState | None:
        """Show what there is, up to the end or a doubt; None for a doubt."""
        scanner, reader = self._scanner, self.reader
        buf, pos = scanner.buf, scanner.pos
        scanner.pos = reader.read(buf, pos, len(buf))
        self._context.emitter.emit_content(buf[max(pos, scanner.shown - scanner.base) : scanner.pos])
        if reader.is_done:
            return COMPLETE
        if reader.is_ended:
            return BROKEN
        if reader.is_doubtful:
            self.is_doubtful = True
            self._context.hold()
            return None
        if scanner.pos == len(scanner.buf):
            self._triggers, self._look_closer, self._ahead = reader.triggers, reader.look_closer, reader.may_end
        else:
            self._triggers = self._ahead = None
            scanner.wait_for(reader)
        return OPEN

    def _settle(self) -> ValueState | None:
        """Read on in the string that is in doubt, and the character behind it; None if it is data."""
        scanner, reader = self._scanner, self.reader
        self._triggers = self._ahead = None
        if reader.in_string:
            scanner.pos = reader.read_string(scanner.buf, scanner.pos, scanner.end)
            if reader.in_string:
                return OPEN
            self._quote = scanner.offset
        mark = scanner.peek_past_blanks()
        if not mark:
            return OPEN
        if mark in _BEHIND_STRING:
            self.trust()
            return None
        self.is_doubtful = False
        scanner.rollback()
        self._context.distrust_rest()
        if scanner.buf[scanner.pos] in BRACKETS:  # it is still the call's own
            self._context.emitter.emit_content(scanner.take(scanner.pos + 1))
        return BROKEN

    def trust(self) -> None:
        """What is in doubt is data, as it seems: show the string, as far as it was read."""
        scanner = self._scanner
        end = scanner.offset if self.reader.in_string else self._quote
        scanner.rollback()
        self._context.emitter.emit_content(scanner.take(end - scanner.base))
        self.reader.trust()
        self.is_doubtful = False
