"""The JSON value of a call, shown as it comes, up to its end or to what shows that it has none.

    {"a": 1}                                    the bracket that balances it
    {"a": 1 <|end|>                             a marker that no JSON has outside of strings
    {"a": "b} <|call|> g <|sep|> {"c": 2}       the next call, in a string that was never closed

The beginning of a call inside of a string may be data. So it is held up to the quote that ends the string, and the
character behind it: if that is one that JSON has behind a string, it is data. Else the quote is the first one of the
next call, and a quote was forgotten before it: the call has ended where the next one begins.
"""

from __future__ import annotations

from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.ends import BRACKETS
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.json.value import JsonValue

_BEHIND_STRING = ",:}]"


class JsonShownState(MarkedCallState):
    """Shows one value. A subclass says what follows it: `_behind_value`, or `_at_end` if it has no end."""

    _value: JsonValue
    _showing: str  # to go on with when a doubt is settled
    _quote = 0  # the offset behind the string that is in doubt, once it is known

    def _behind_value(self) -> Progress:
        """The value is complete."""
        raise NotImplementedError(f"{type(self).__name__} must define _behind_value()")

    def _at_end(self) -> Progress:
        """The value is broken: a marker stands here that ends the call, or the next call begins."""
        raise NotImplementedError(f"{type(self).__name__} must define _at_end()")

    def _new_value(self) -> JsonValue:
        ends = self._ends
        return JsonValue(ends.ends, ends.doubts)

    def _show_value(self) -> Progress:
        scanner, value = self.context.scanner, self._value
        self.context.emitter.emit_content(scanner.take(value.read(scanner.buf, scanner.pos, len(scanner.buf))))
        if value.is_done:
            return self._behind_value()
        if value.is_ended:
            return self._at_end()
        if value.is_doubtful:
            scanner.hold(limit=scanner.offset + self.context.config.limits.max_held)
            self._showing, self._phase = self._phase, "_in_doubt"
            return GO_ON
        if scanner.pos == len(scanner.buf):
            self.triggers, self.look_closer = value.triggers, value.look_closer
        else:
            self._wait_for_marker()
        return NEED_MORE

    def _wait_for_marker(self) -> None:
        """What is unread may become a marker; perhaps it may still do so however many blanks come next."""
        scanner, ends = self.context.scanner, self._ends
        markers = ends.doubts if self._value.in_string else ends.ends
        if markers.ignores_blanks(scanner.buf, scanner.pos):
            scanner.wait_past_blanks()

    def _in_doubt(self) -> Progress:
        """In a string, from the beginning of a call on."""
        scanner, value = self.context.scanner, self._value
        scanner.pos = value.read_string(scanner.buf, scanner.pos, scanner.end)
        if value.in_string:
            return NEED_MORE
        self._quote = scanner.offset
        self._phase = "_behind_doubt"
        return GO_ON

    def _behind_doubt(self) -> Progress:
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if mark and mark not in _BEHIND_STRING:
            scanner.rollback()
            if scanner.buf[scanner.pos] in BRACKETS:  # it is still the call's own
                self.context.emitter.emit_content(scanner.take(scanner.pos + 1))
            return self._at_end()
        return self._trust() if mark else NEED_MORE

    def _trust(self) -> Progress:
        """It is data: show the string, as far as it was read."""
        scanner = self.context.scanner
        end = scanner.offset if self._value.in_string else self._quote
        scanner.rollback()
        self.context.emitter.emit_content(scanner.take(end - scanner.base))
        self._value.is_trusted = self._value.in_string
        self._value.is_doubtful = False
        self._phase = self._showing
        return GO_ON

    @property
    def _is_doubtful(self) -> bool:
        return self._phase in ("_in_doubt", "_behind_doubt")

    def on_limit(self) -> None:
        """A string goes on and on: it is one."""
        self._trust()

    def finalize(self) -> None:
        """Cut off in a string: what it would have become is not known, so it is content."""
        if self._is_doubtful:
            self._trust()
        super().finalize()
