"""A call that is a JSON object with nothing around it, where the reply begins.

    {"name": "f", "parameters": {"a": 1}}       tool_call {"tool_name": "f"} `{"a": 1}`
    {"name": "Bob", "age": 3}                   text, from the `g` on: no call has such a key

As between markers, but not certain: an object is held while its keys are those of a call, and is one as soon as its
name and an arguments key are there; without arguments only if a tool of that name is declared. All else is text.
"""

from __future__ import annotations

from streamparse.core.call_grammar import Head
from streamparse.states.json_object_call import JsonObjectCallState

#: What else a call may have: `{"type": "function", …}`.
_OTHER_KEYS = frozenset({"type", "index"})


class BareObjectCallState(JsonObjectCallState):
    """Gives back what is no call, from the end of the one before it."""

    _before: int  # where in the buffer that is

    def _begin(self) -> bool:
        self._before = self.context.scanner.pos
        return super()._begin()

    def _next_call(self) -> bool:
        self._before = self.context.scanner.pos
        return super()._next_call()

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        scanner = self.context.scanner
        limit = scanner.limit
        scanner.release()
        scanner.hold(self._before, limit)
        self._held_from = scanner.base + self._before

    def _at_colon(self) -> bool:
        keys = self._keys
        if not self._is_started and self._key not in keys.names | keys.arguments | keys.ids | _OTHER_KEYS:
            return self._break()
        return super()._at_colon()

    def _at_value(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        if mark and mark != '"' and not self._is_started and self._key in self._keys.names:
            return self._break()
        return super()._at_value()

    def _end_object(self) -> bool:
        if self._is_started or (self._name is not None and self._name.lower() in self.context.tools):
            return super()._end_object()
        return self._break()

    def _break(self) -> bool:
        if self._is_started:
            return super()._break()
        self.context.scanner.rollback()
        self.context.transition_to("text")
        return False

    def finalize(self) -> None:
        """What may have become a call is text."""
        if self.context.scanner.mark >= 0:
            self._break()
        else:
            super().finalize()
