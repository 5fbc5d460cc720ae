"""A call whose name stands before its arguments, which are one JSON value.

    [TOOL_CALLS]f[ARGS]{"a": 1}                                 tool_call {"tool_name": "f"} `{"a": 1}`
    <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>
    <|tool_call_begin|>functions.f:0<|tool_call_argument_begin|><|tool_call_end|>       no arguments, no content

The content is that value as it is written; the call ends at the bracket that balances it. If a marker that ends calls
comes before that bracket, or the next call, the call is malformed; in a string, both are data. What is in doubt is told
in `json_shown.py`.
"""

from __future__ import annotations

from streamparse.core.state import GO_ON, Progress
from streamparse.families.calls.grammar import Head
from streamparse.families.json.shown_state import JsonShownState

_NOT_JSON = "the call is not JSON: it ends too early"


class JsonArgumentsState(JsonShownState):
    """Follows the brackets of the value."""

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        self._value = self._new_value()

    def _in_arguments(self) -> Progress:
        scanner = self.context.scanner
        self._phase = "_in_value"
        return self._end_call() if scanner.buf.startswith(self._calls.empties, scanner.pos) else GO_ON

    def _in_value(self) -> Progress:
        return self._show_value()

    def _behind_value(self) -> Progress:
        return self._end_call()

    def _at_end(self) -> Progress:
        return self._end_call("malformed", _NOT_JSON)
