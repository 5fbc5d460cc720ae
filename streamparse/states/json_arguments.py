"""A call whose name stands before its arguments, which are one JSON value.

    [TOOL_CALLS]f[ARGS]{"a": 1}                                 tool_call {"tool_name": "f"} `{"a": 1}`
    <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>

The content is that value as it is written; the call ends at the bracket that balances it.
"""

from __future__ import annotations

from streamparse.core.call_grammar import Head
from streamparse.core.json_value import JsonValue
from streamparse.states.marked_call import MarkedCallState


class JsonArgumentsState(MarkedCallState):
    """Follows the brackets of the value."""

    _value: JsonValue

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        self._value = JsonValue()

    def _in_arguments(self) -> bool:
        scanner, value = self.context.scanner, self._value
        end = value.read(scanner.buf, scanner.pos, len(scanner.buf))
        self.context.emitter.emit_content(scanner.take(end))
        if value.is_done:
            return self._end_call()
        self.triggers = value.triggers
        return False
