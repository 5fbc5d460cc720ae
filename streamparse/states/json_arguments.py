"""A call whose name stands before its arguments, which are one JSON value.

    [TOOL_CALLS]f[ARGS]{"a": 1}                                 tool_call {"tool_name": "f"} `{"a": 1}`
    <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>

The content is that value as it is written; the call ends at the bracket that balances it. If its end marker comes
before that bracket, and not in a string, the call is malformed.
"""

from __future__ import annotations

from streamparse.core.call_grammar import Head
from streamparse.core.json_value import JsonValue
from streamparse.states.marked_call import MarkedCallState

_NOT_JSON = "the call is not JSON: it ends too early"


class JsonArgumentsState(MarkedCallState):
    """Follows the brackets of the value."""

    _value: JsonValue

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        self._value = self._new_value()

    def _new_value(self) -> JsonValue:
        return JsonValue(self._calls.ends.heads)

    def _in_arguments(self) -> bool:
        scanner, value = self.context.scanner, self._value
        end = value.read(scanner.buf, scanner.pos, len(scanner.buf))
        self.context.emitter.emit_content(scanner.take(end))
        if value.is_done:
            return self._end_call()
        if value.is_stopped:
            return self._at_stop()
        self.triggers = value.triggers
        return False

    def _at_stop(self) -> bool:
        """A character that no JSON has here: perhaps the call ends."""
        scanner = self.context.scanner
        match = self._calls.ends.pattern.match(scanner.buf, scanner.pos)
        if match is None:
            self.context.emitter.emit_content(scanner.take(scanner.pos + 1))
            return True
        return match.lastindex is not None and self._end_call("malformed", _NOT_JSON)
