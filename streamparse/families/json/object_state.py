"""A call that is a JSON object between markers, its name inside.

    <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>     tool_call {"tool_name": "f"} `{"a": 1}`
    [TOOL_CALLS][{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]
    <|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>               the only key is the name

The content is the arguments alone, as they are written; START comes with the name, so arguments before it are held; an
id behind the name is in END. Other members are swallowed; a comma behind the last one is repaired. The call ends with
its object. A second name that is another, or second arguments, make it malformed. If the text stops being JSON, or has
no name, it is content of a malformed call: all that was not shown of it, up to the bracket that balances it, the marker
that ends the call, or the next call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Set

from attrs import frozen

from streamparse.arguments.json_text import LOOSE_TEXT
from streamparse.core.opening import Options
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.grammar import Head
from streamparse.families.json.shown_state import JsonShownState
from streamparse.families.json.value import JsonValue

_STRING = re.compile(rf'"({LOOSE_TEXT})"', re.DOTALL)
#: A name, a key or an id is looked at again while it is cut, so it must have an end.
_LONGEST = 1_024
_NOT_JSON = "the call is not JSON: "
_TOO_LONG = f"a key, a name or an id is longer than {_LONGEST} characters"
_NO_NAME = "the call has no name"
_NO_ARGUMENTS = "the call has no arguments"
_TWICE = "the arguments are given twice"
_TWO_NAMES = "the call has two names"
#: Members that say nothing about the arguments.
_USUAL = frozenset({"type", "index"})
_TWO_KEYS = "the call must have one key only, which is its name; the arguments are the value"


@frozen
class ObjectKeys(Options):
    """The keys of a call."""

    names: Set[str] = frozenset({"name"})
    arguments: Set[str] = frozenset({"arguments", "parameters"})
    ids: Set[str] = frozenset({"id"})
    #: The first key is the name, and its value the arguments.
    is_single: bool = False


_USUAL_KEYS = ObjectKeys()


class JsonObjectCallState(JsonShownState):
    """Reads member after member."""

    _keys: ObjectKeys
    _name: str | None
    _call_id: str | None
    _held_from: int  # the offset of the object
    _arguments: tuple[int, int] | None  # offsets of arguments that came before the name
    _is_started: bool  # START was emitted
    _has_members: bool
    _has_others: bool  # members that no call has
    _problem: str | None
    _is_repaired: bool
    _is_shown: bool  # the arguments were, or are
    _key: str
    _error: str

    def _open_call(self, head: Head) -> None:
        scanner = self.context.scanner
        self._keys = self._calls.get_options(ObjectKeys, _USUAL_KEYS)
        self._name, self._call_id = None, head.call_id
        self._arguments = None
        self._is_started = self._is_shown = self._has_members = self._has_others = False
        self._problem = self._late_id = None
        self._is_repaired = False
        if head.name is not None:
            self._begin_call(head.name)
        self._held_from = scanner.offset
        scanner.hold(limit=scanner.offset + self.context.config.limits.max_held)
        scanner.pos += 1
        self._phase = "_at_key"

    # -- members ------------------------------------------------------------------------------------------------------

    def _at_key(self) -> Progress:
        mark = self.context.scanner.peek_past_blanks()
        if mark == "}":
            self.context.scanner.pos += 1
            self._is_repaired = self._has_members
            return self._end_object()
        if mark != '"':
            return self._break() if mark else NEED_MORE
        key = self._read_string()
        if key is None:
            return GO_ON if self._is_broken else NEED_MORE
        self._key = key
        self._has_members = True
        self._phase = "_at_colon"
        return GO_ON

    def _at_colon(self) -> Progress:
        mark = self.context.scanner.peek_past_blanks()
        if mark != ":":
            return self._break() if mark else NEED_MORE
        self.context.scanner.pos += 1
        self._phase = "_at_value"
        if self._keys.is_single and self._name is None and self._key:
            self._begin_call(self._key)
        return GO_ON

    def _at_value(self) -> Progress:
        mark, key, keys = self.context.scanner.peek_past_blanks(), self._key, self._keys
        if not mark:
            return NEED_MORE
        if mark in ",:}]":
            return self._break()
        if mark == '"' and (key in keys.names or key in keys.ids):
            self._phase = "_in_name" if key in keys.names else "_in_id"
            return GO_ON
        self._value = JsonValue(self._ends.ends)
        self._phase = "_in_other"
        if (key in keys.arguments or (keys.is_single and key == self._name)) and self._arguments is None:
            start = self.context.scanner.offset
            self._arguments = (start, start)
            self._phase = "_in_early"
            if self._name is not None:
                self._show("")
                self._value = self._new_value()
                self._phase = "_in_shown"
        elif key in keys.arguments:
            self._problem = _TWICE
        elif key not in keys.names and key not in keys.ids and key not in _USUAL:
            self._has_others = True
        return GO_ON

    def _in_name(self) -> Progress:
        name = self._read_string()
        if name is None:
            return GO_ON if self._is_broken else NEED_MORE
        self._phase = "_at_separator"
        if self._name is not None:
            self._problem = self._problem if name == self._name else _TWO_NAMES
        elif name:
            self._begin_call(name)
            if self._arguments is not None:
                start, end = (offset - self._held_from for offset in self._arguments)
                self._show(self.context.scanner.held()[start:end])
        return GO_ON

    def _in_id(self) -> Progress:
        call_id = self._read_string()
        if call_id is None:
            return GO_ON if self._is_broken else NEED_MORE
        if not self._is_started:
            self._call_id = call_id or None
        elif self._call_id is None:
            self._late_id = call_id or None
        self._phase = "_at_separator"
        return GO_ON

    def _begin_call(self, name: str | None) -> None:
        self._name = name
        self._is_started = True
        self._start(name, self._call_id)

    def _show(self, content: str) -> None:
        """The call's content begins: from here on nothing is held."""
        self.context.scanner.release()
        self._is_shown = True
        self.context.emitter.emit_content(content)

    def _in_shown(self) -> Progress:
        """Arguments behind the name: content as they come."""
        return self._show_value()

    def _behind_value(self) -> Progress:
        self._phase = "_at_separator"
        return GO_ON

    def _at_end(self) -> Progress:
        return self._break()

    def _in_early(self) -> Progress:
        """Arguments before the name: held."""
        progress = self._in_other()
        assert self._arguments is not None  # they have just been read
        self._arguments = (self._arguments[0], self.context.scanner.offset)
        return progress

    def _in_other(self) -> Progress:
        """A value that is not wanted."""
        scanner, value = self.context.scanner, self._value
        scanner.pos = value.read(scanner.buf, scanner.pos, scanner.end)
        if value.is_ended:
            return self._break()
        if value.is_done:
            return self._behind_value()
        self._wait_for_marker()
        return NEED_MORE

    def _at_separator(self) -> Progress:
        self.triggers = None
        mark = self.context.scanner.peek_past_blanks()
        if mark == "}":
            self.context.scanner.pos += 1
            return self._end_object()
        if mark != ",":
            return self._break() if mark else NEED_MORE
        if self._keys.is_single:
            return self._break(_TWO_KEYS)
        self.context.scanner.pos += 1
        self._phase = "_at_key"
        return GO_ON

    def _end_object(self) -> Progress:
        if self._name is None:
            return self._break(_NO_NAME)
        if not self._is_shown:
            self._show("")  # a call without arguments, unless they are called something else
            if self._has_others:
                self._problem = self._problem or f'{_NO_ARGUMENTS} under the key "{min(self._keys.arguments)}"'
        if self._problem:
            return self._end_call("malformed", self._problem)
        return self._end_call(repaired=self._is_repaired)

    def _read_string(self) -> str | None:
        """A short string; None if it is not there yet. One that is none breaks the call."""
        scanner = self.context.scanner
        end = min(scanner.end, scanner.pos + _LONGEST)
        match = _STRING.match(scanner.buf, scanner.pos, end)
        if match is None:
            if end < scanner.end:
                self._break(_TOO_LONG)
            return None
        scanner.pos = match.end()
        try:
            return str(json.loads(match[0], strict=False))
        except ValueError:
            return match[1]

    # -- what is no JSON ----------------------------------------------------------------------------------------------

    def _break(self, error: str | None = None) -> Progress:
        """Show what is left, from the object's beginning if nothing of it was shown."""
        self._error = error or _NOT_JSON + _EXPECTED.get(self._phase, "it ends too early")
        self._value = JsonValue(depth=1)
        if not self._is_started:
            self._begin_call(None)
        if not self._is_shown:
            text = self.context.scanner.held()
            self._show(text)
            self._value = JsonValue()
            self._value.read(text, 0, len(text))
        self._phase = "_in_broken"
        return GO_ON

    @property
    def _is_broken(self) -> bool:
        return self._phase == "_in_broken"

    def _in_broken(self) -> Progress:
        scanner, value = self.context.scanner, self._value
        markers = self._calls.broken_ends(self._section, self._ends.next)
        match = markers.pattern.search(scanner.buf, scanner.pos)
        stop = match.start() if match else len(scanner.buf)
        if not value.is_done:
            self.context.emitter.emit_content(scanner.take(value.read(scanner.buf, scanner.pos, stop)))
        if value.is_done or (match and match.lastindex is not None):
            return self._end_call("malformed", self._error)
        if match:
            if markers.ignores_blanks(scanner.buf, scanner.pos):
                scanner.wait_past_blanks()
        elif value.triggers:
            self.triggers, self.look_closer = value.triggers + markers.heads, None
        return NEED_MORE

    def _show_cut(self) -> None:
        """What was held when the text ended, before any content."""
        if self._arguments is not None:
            start, end = (offset - self._held_from for offset in self._arguments)
            self._begin_call(None)
            self._show(self.context.scanner.held()[start:end])
        elif self._name is not None:
            self._show("")
        else:
            self._break()

    def on_limit(self) -> None:
        """The name or the arguments did not come in time."""
        if self._is_doubtful:
            super().on_limit()
            return
        self._break(_NO_NAME if self._name is None else _NO_ARGUMENTS)

    def finalize(self) -> None:
        """The content is what there is of the arguments; without them and a name, it is all that was held."""
        scanner = self.context.scanner
        if self._is_doubtful:
            pass  # all of it is content
        elif scanner.mark >= 0:
            scanner.pos = len(scanner.buf)
            self._show_cut()
        elif self._is_shown and self._phase not in _SHOWING:
            scanner.pos = len(scanner.buf)
        super().finalize()


#: What the text lacks where it stops being JSON; inside of a value nothing is judged.
_EXPECTED: dict[str, str] = {
    "_at_key": "a key in double quotes was expected",
    "_at_colon": "a colon was expected behind a key",
    "_at_value": "a value was expected behind a colon",
    "_at_separator": "a comma or a closing brace was expected behind a value",
}
_SHOWING = ("_in_shown", "_in_broken")
