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
        assert context.opener is not None  # it led here
        self._opener = context.opener

    def _keys_of(self, opener: Opener) -> JsonKeys:
        keys: BareKeys = opener.options.options
        return keys.as_json

    def _begin_call(self, *, is_closed: bool = False) -> bool:
        scanner = self.context.scanner
        scanner.rollback()
        scanner.pos = self._element - scanner.base
        self.context.enter(evolve(self._opener, state=BareObjectCallState))
        self._phase = BareObjectState._is_over
        return False

    def _is_over(self) -> bool:
        return False


class NextObjectState(BareObjectState):
    """Decides behind a call."""

    def _begin(self) -> bool:
        self._hold()
        self._phase = NextObjectState._at_semicolon
        return True

    def _at_semicolon(self) -> bool:
        scanner = self.context.scanner
        if scanner.peek_past_blanks() == ";":
            scanner.pos += 1
            self._phase = NextObjectState._at_object
        return self._at_object()

    def _at_object(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        if mark != "{":
            return bool(mark) and self._leave()
        self._phase = JsonCallState._at_element
        return True


class BareObjectCallState(JsonObjectCallState):
    """Reads one call."""

    def _behind_call(self) -> bool:
        assert self.context.opener is not None  # it led here
        self.context.enter(evolve(self.context.opener, state=NextObjectState))
        return False
