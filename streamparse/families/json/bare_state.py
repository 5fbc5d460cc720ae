"""A call that is a JSON object with nothing around it, where the reply begins.

    {"name": "f", "parameters": {"a": 1}}; {…}      tool_call {"tool_name": "f"} `{"a": 1}`, and the next one
    {"name": "Bob", "age": 3}                       text, from the `g` on: no call has such a key

An object is held until it is known to be a call, by the rules of the json format; then it is read like one between
markers. Behind a call the next object is judged in the same way, with or without a semicolon before it.
"""

from __future__ import annotations

from functools import cached_property

from attrs import evolve, frozen

from streamparse.core.context import ParserContext
from streamparse.core.opening import Opener
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.of_format import CallsOfFormat
from streamparse.families.json.call_state import JsonCallState
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState, ObjectKeys


@frozen
class BareKeys(ObjectKeys):
    """The keys of a call, which tell it from data."""

    @cached_property
    def as_json(self) -> JsonKeys:
        """The same for the json format."""
        return JsonKeys(tuple(self.names), (), tuple(self.arguments), (), tuple(self.ids), plans=())


class BareObjectState(JsonCallState):
    """Decides. What is a call is read again, by the state that shows it."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._opener = context.opener

    def _keys_of(self, opener: Opener) -> JsonKeys:
        return opener.get_options(CallsOfFormat).calls.get_options(BareKeys).as_json

    def _begin_call(self, *, is_closed: bool = False) -> Progress:
        scanner = self.context.scanner
        scanner.rollback()
        scanner.pos = self._element - scanner.base
        self.context.enter(evolve(self._opener, state=BareObjectCallState))
        return NEED_MORE


class NextObjectState(BareObjectState):
    """Decides behind a call."""

    def _begin(self) -> Progress:
        self._hold()
        self._phase = "_at_semicolon"
        return GO_ON

    def _at_semicolon(self) -> Progress:
        scanner = self.context.scanner
        if scanner.peek_past_blanks() == ";":
            scanner.pos += 1
            self._phase = "_at_object"
        return self._at_object()

    def _at_object(self) -> Progress:
        mark = self.context.scanner.peek_past_blanks()
        if mark != "{":
            return self._leave() if mark else NEED_MORE
        self._phase = "_at_element"
        return GO_ON


class BareObjectCallState(JsonObjectCallState):
    """Reads one call."""

    def _behind_call(self) -> Progress:
        self.context.enter(evolve(self.context.opener, state=NextObjectState))
        return NEED_MORE
