"""A call whose name stands before its arguments, which are one JSON value.

    [TOOL_CALLS]f[ARGS]{"a": 1}                                 tool_call {"tool_name": "f"} `{"a": 1}`
    <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>
    <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|><|tool_call_end|>       no arguments, no content

The content is that value as it is written; the call ends at the bracket that balances it. If a marker that ends calls
comes before that bracket, or the next call, the call is malformed; in a string, both are data. What is in doubt is told
in `shown.py`.
"""

from __future__ import annotations

from streamparse.core.state import GO_ON, Progress
from streamparse.families.calls.grammar import NULL, Head
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.json.reader import JsonReader
from streamparse.families.json.shown import COMPLETE, OPEN, ShownValue

_NOT_JSON = "the call is not JSON: it ends too early"


class JsonArgumentsState(MarkedCallState):
    """Shows the value."""

    _value: ShownValue

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        self._value = ShownValue(self.context, JsonReader(self._ends.ends, self._ends.doubts))

    def _in_arguments(self) -> Progress:
        scanner = self.context.scanner
        self._phase = "_in_value"
        if scanner.buf.startswith(NULL, scanner.pos):
            self.context.emitter.emit_content(scanner.take(scanner.pos + len(NULL)))
            return self._end_call()
        return self._end_call() if scanner.buf.startswith(self._calls.empties, scanner.pos) else GO_ON

    def _in_value(self) -> Progress:
        value = self._value
        outcome = value.read()
        if outcome is OPEN:
            return value.wait(self)
        return self._end_call() if outcome is COMPLETE else self._end_call("malformed", _NOT_JSON)

    def on_limit(self) -> None:
        """A string goes on and on: it is one."""
        self._value.trust()

    def finalize(self) -> None:
        """Cut off in a string: what it would have become is not known, so it is content."""
        if self._value.is_doubtful:
            self._value.trust()
        super().finalize()
