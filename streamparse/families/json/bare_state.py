"""A call that is a JSON object with nothing around it, where the reply begins.

    {"name": "f", "parameters": {"a": 1}}; {…}      tool_call {"tool_name": "f"} `{"a": 1}`, and the next one
    {"name": "Bob", "age": 3}                       text, from the `g` on: no call has such a key

An object is held until it is known to be a call, by the rules of the json format; then it is read like one between
markers. Behind a call the next object is judged in the same way, with or without a semicolon or a comma before it.

    _begin ──> _at_separator ──> _at_object ──{──> _at_element ──> _in_candidate ──┬── CALL ──> JsonObjectCallState
                                  └── no object: text                              └── TEXT ──> _in_text ──> text

Lists and wrappers are known to the json format only, so its other phases are not reached.
"""

from __future__ import annotations

from attrs import evolve

from streamparse.core.opening import Opener
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.of_format import CallsOfFormat
from streamparse.families.json.call_state import JsonCallState
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState


class BareObjectState(JsonCallState):
    """Decides. What is a call is read again, by the state that shows it and comes back here behind it."""

    def _keys_of(self, opener: Opener) -> JsonKeys:
        return opener.get_options(CallsOfFormat).calls.get_options(JsonKeys)

    def _begin(self) -> Progress:
        self.context.hold()
        self._phase = "_at_separator"
        return GO_ON

    def _at_separator(self) -> Progress:
        scanner = self.context.scanner
        if scanner.peek_past_blanks() in (",", ";"):
            scanner.pos += 1
            self._phase = "_at_object"
        return self._at_object()

    def _at_object(self) -> Progress:
        mark = self.context.scanner.peek_past_blanks()
        if mark != "{":
            return self._leave() if mark else NEED_MORE
        self._phase = "_at_element"
        return GO_ON

    def _begin_call(self, *, is_closed: bool = False) -> Progress:
        scanner = self.context.scanner
        scanner.rollback()
        scanner.pos = self._element - scanner.base
        self.context.enter(evolve(self.context.opener, state=JsonObjectCallState))
        return NEED_MORE
