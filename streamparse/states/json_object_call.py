"""A call that is a JSON object between markers, its name inside.

    <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>     tool_call {"tool_name": "f"} `{"a": 1}`
    [TOOL_CALLS][{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]
    <|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>               the only key is the name

The content is the arguments alone, as they are written; START waits for the name, so arguments that come before it are
held. Other members are swallowed. The call ends with its object. If the text stops being JSON, all that is left of it,
up to the marker that ends the call, is content of a malformed call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Set

from attrs import frozen

from streamparse.core.call_grammar import Head, as_marker
from streamparse.core.json_value import JsonValue
from streamparse.core.markers import Markers, compile_markers
from streamparse.core.state import Phase
from streamparse.states.marked_call import MarkedCallState

_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
#: A name, a key or an id is looked at again while it is cut, so it must have an end.
_LONGEST = 1_024
_NOT_JSON = "the call is not JSON"


@frozen
class ObjectKeys:
    """The keys of a call."""

    names: Set[str] = frozenset({"name"})
    arguments: Set[str] = frozenset({"arguments", "parameters"})
    ids: Set[str] = frozenset({"id"})
    #: The first key is the name, and its value the arguments.
    is_single: bool = False


class JsonObjectCallState(MarkedCallState):
    """Reads member after member."""

    _keys: ObjectKeys
    _name: str | None
    _call_id: str | None
    _value: JsonValue
    _then: Phase
    _held_from: int  # the offset of the object
    _arguments: tuple[int, int] | None  # offsets of arguments that came before the name
    _is_started: bool
    _key: str

    def _open_call(self, head: Head) -> None:
        scanner = self.context.scanner
        self._keys = self._calls.options or ObjectKeys()
        self._name, self._call_id = head.name, head.call_id
        self._arguments = None
        self._is_started = False
        self._held_from = scanner.offset
        scanner.hold(limit=scanner.offset + self.context.config.limits.max_held)
        scanner.pos += 1
        self._phase = JsonObjectCallState._at_key

    def _in_arguments(self) -> bool:  # the phase is set by `_open_call`
        raise AssertionError

    # -- members ------------------------------------------------------------------------------------------------------

    def _at_key(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        if mark == "}":
            self.context.scanner.pos += 1
            return self._end_object()
        if mark != '"':
            return bool(mark) and self._break()
        key = self._read_string()
        if key is None:
            return False
        self._key = key
        self._phase = JsonObjectCallState._at_colon
        return True

    def _at_colon(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        if mark != ":":
            return bool(mark) and self._break()
        self.context.scanner.pos += 1
        self._phase = JsonObjectCallState._at_value
        if self._keys.is_single and self._name is None:
            self._name = self._key
        return True

    def _at_value(self) -> bool:
        mark, key, keys = self.context.scanner.peek_past_blanks(), self._key, self._keys
        if not mark:
            return False
        if mark in ",:}]":
            return self._break()
        if mark == '"' and key in keys.names and self._name is None:
            self._phase = JsonObjectCallState._in_name
            return True
        if mark == '"' and key in keys.ids and not self._is_started:
            self._phase = JsonObjectCallState._in_id
            return True
        self._value = JsonValue()
        self._phase = JsonObjectCallState._in_other
        if (key in keys.arguments or (keys.is_single and key == self._name)) and self._arguments is None:
            start = self.context.scanner.offset
            self._arguments = (start, start)
            self._phase = JsonObjectCallState._in_early
            if self._name is not None:
                self._begin_call()
                self._phase = JsonObjectCallState._in_shown
        return True

    def _in_name(self) -> bool:
        name = self._read_string()
        if name is None:
            return False
        self._name = name
        self._phase = JsonObjectCallState._at_separator
        if self._arguments is not None:
            start, end = (offset - self._held_from for offset in self._arguments)
            arguments = self.context.scanner.held()[start:end]
            self._begin_call()
            self.context.emitter.emit_content(arguments)
        return True

    def _in_id(self) -> bool:
        call_id = self._read_string()
        if call_id is None:
            return False
        self._call_id = call_id or None
        self._phase = JsonObjectCallState._at_separator
        return True

    def _begin_call(self) -> None:
        """The name is known: from here on nothing is held."""
        self.context.scanner.release()
        self._is_started = True
        self._start(self._name, self._call_id)

    def _in_shown(self) -> bool:
        """Arguments behind the name: content as they come."""
        scanner, value = self.context.scanner, self._value
        end = value.read(scanner.buf, scanner.pos, len(scanner.buf))
        self.context.emitter.emit_content(scanner.take(end))
        self._phase = JsonObjectCallState._at_separator if value.is_done else self._phase
        self.triggers = value.triggers
        return value.is_done

    def _in_early(self) -> bool:
        """Arguments before the name: held."""
        is_done = self._in_other()
        assert self._arguments is not None  # they have just been read
        self._arguments = (self._arguments[0], self.context.scanner.offset)
        return is_done

    def _in_other(self) -> bool:
        """A value that is not wanted."""
        scanner, value = self.context.scanner, self._value
        scanner.pos = value.read(scanner.buf, scanner.pos, scanner.end)
        self._phase = JsonObjectCallState._at_separator if value.is_done else self._phase
        return value.is_done

    def _at_separator(self) -> bool:
        self.triggers = None
        mark = self.context.scanner.peek_past_blanks()
        if mark == "}":
            self.context.scanner.pos += 1
            return self._end_object()
        if mark != ",":
            return bool(mark) and self._break()
        self.context.scanner.pos += 1
        self._phase = JsonObjectCallState._at_key
        return True

    def _end_object(self) -> bool:
        if self._is_started:
            return self._end_call()
        if self._name is None:
            return self._break()
        self._begin_call()  # a call without arguments
        return self._end_call()

    def _read_string(self) -> str | None:
        """A short string; None if it is not there yet. One that is none breaks the call."""
        scanner = self.context.scanner
        end = min(scanner.end, scanner.pos + _LONGEST)
        match = _STRING.match(scanner.buf, scanner.pos, end)
        if match is None:
            if end < scanner.end:
                self._break()
            return None
        scanner.pos = match.end()
        try:
            return str(json.loads(match[0], strict=False))
        except ValueError:
            return match[1]

    # -- what is no JSON ----------------------------------------------------------------------------------------------

    def _break(self) -> bool:
        """Show what is left, from the object's beginning if nothing of it was shown."""
        scanner = self.context.scanner
        if not self._is_started:
            text = scanner.held()
            self._begin_call()
            self.context.emitter.emit_content(text)
        self._phase = JsonObjectCallState._in_broken
        return True

    def _closers(self) -> Markers:
        closers = (*self._calls.tail, *self._section.close)
        return compile_markers({0: [as_marker(closer) for closer in closers[-1:]]})

    def _in_broken(self) -> bool:
        scanner, markers = self.context.scanner, self._closers()
        match = markers.pattern.search(scanner.buf, scanner.pos)
        self.context.emitter.emit_content(scanner.take(match.start() if match else len(scanner.buf)))
        if match is None or match.lastindex is None:
            self.triggers = markers.heads
            return False
        return self._end_call("malformed", _NOT_JSON)

    def on_limit(self) -> None:
        """The name did not come in time."""
        self._break()

    def finalize(self) -> None:
        """What was held of a call without a name is its content."""
        scanner = self.context.scanner
        if scanner.mark >= 0:
            scanner.pos = len(scanner.buf)
            self._break()
        super().finalize()
