"""A call that is a JSON object between markers, its name inside.

    <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>     tool_call {"tool_name": "f"} `{"a": 1}`
    [TOOL_CALLS][{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]
    <|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>               the only key is the name
    <tool_call>{"type": "function", "function": {"name": "f", "arguments": {"a": 1}}}</tool_call>

The content is the arguments alone, as they are written. START comes with the name: arguments before it are held, and
shown then. An id behind the name is in END. Other members are swallowed; a comma behind the last one is repaired. The
call ends with its object. A second name that is another, or second arguments, make it malformed.

If the text stops being JSON, or has no name, it is content of a malformed call: all of it, or all behind the arguments
if they were shown, up to the bracket that balances it, the marker that ends the call, or the next call. For that, what
is swallowed behind the arguments is held; past the limit it is let go.

The phases between the members are those of `members.py`; a value is read by one of these:

    _at_value ──┬── the name, an id ────────────> _in_string ──┐
                ├── arguments behind the name ──> _in_shown ───┼──> _at_separator
                ├── an object under `function` ─> _at_key      │    (behind that object, too)
                └── any other value ────────────> _in_other ───┘

    From each of them, whatever else stands there leads to `_in_broken`, and that to the end. Behind the end is
    `_behind_call`, which leads to the next call or to text.
"""

from __future__ import annotations

from attrs import evolve

from streamparse.arguments.json_strings import decode_string
from streamparse.core.context import ParserContext
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.grammar import Head
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.members import EXPECTED, JsonMembers
from streamparse.families.json.reader import JsonReader
from streamparse.families.json.shown import BROKEN, OPEN, ShownValue

_NOT_JSON = "the call is not JSON: "
_UNCLOSED = f"{_NOT_JSON}a list is not closed"
_NO_NAME = "the call has no name"
_NO_ARGUMENTS = "the call has no arguments"
_TWICE = "the arguments are given twice"
_TWO_NAMES = "the call has two names"
_TWO_KEYS = "the call must have one key only, which is its name; the arguments are the value"
_USUAL_KEYS = JsonKeys()


class JsonObjectCallState(JsonMembers, MarkedCallState):
    """Reads member after member."""

    _keys: JsonKeys
    _value: ShownValue | None  # the arguments, from when they are shown
    _reader: JsonReader  # of a value that is not shown, or of what is broken
    # What is known of the call.
    _name: str | None
    _call_id: str | None
    _arguments: int  # the offset at which they begin, or -1
    _depth: int  # of the objects that are open where they begin
    _is_inner: bool  # the members are those of an object under `function`
    _is_started: bool  # START was emitted
    _is_shown: bool  # the content has begun
    _has_others: bool  # members that no call has
    _is_repaired: bool  # a comma stands behind the last member
    _problem: str | None  # what makes it malformed, though it is JSON
    _error: str  # why it is no JSON

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._scanner = context.scanner
        self._keys = self._calls.get_options(JsonKeys, _USUAL_KEYS)

    def _open_call(self, head: Head) -> None:
        self._name, self._call_id = None, head.call_id
        self._arguments = -1
        self._is_inner = self._is_repaired = False
        self._is_started = self._is_shown = self._has_others = self._has_members = False
        self._value = self._problem = self._late_id = None
        if head.name is not None:
            self._begin_call(head.name)
        self.context.hold()
        self._scanner.pos += 1
        self._phase = "_at_key"

    def _begin_call(self, name: str | None) -> None:
        self._name = name
        self._is_started = True
        self._start(name, self._call_id)

    def _show_early(self) -> None:
        """START has come behind the arguments: go back to show them. They were read, so nothing in them is doubted."""
        scanner = self._scanner
        offset = scanner.offset
        scanner.rollback()
        scanner.pos = self._arguments - scanner.base
        self._show_value(is_trusted=True)
        if self._in_shown() is GO_ON:
            scanner.pos = offset - scanner.base  # what stands behind them was read, too

    # -- members ------------------------------------------------------------------------------------------------------

    def _take_key(self, text: str) -> Progress:
        self._key = _decode(text)
        return GO_ON

    def _behind_colon(self) -> Progress:
        if self._keys.is_single and self._name is None and self._key:
            self._begin_call(self._key)
        return GO_ON

    def _begin_value(self, mark: str) -> Progress:
        key, keys = self._key, self._keys
        if mark == '"' and (key in keys.all_names or key in keys.ids):
            self._phase = "_in_string"
        elif mark == "{" and key in keys.functions and self._is_nothing_known:
            self._scanner.pos += 1
            self._is_inner, self._has_members = True, False
            self._phase = "_at_key"
        elif self._arguments >= 0 or not (key in keys.arguments or (keys.is_single and key == self._name)):
            self._note_other()
            self._pass_value()
        else:
            self._arguments = self._scanner.offset
            self._depth = 1 + self._is_inner
            if self._is_started:
                self._show_value()
            else:
                self._pass_value()
        return GO_ON

    @property
    def _is_nothing_known(self) -> bool:
        """Whether neither the name nor the arguments have come, nor an object that may hold them."""
        return self._name is None and self._arguments < 0 and not self._is_inner

    def _at_separator(self) -> Progress:
        if self._keys.is_single and self._scanner.peek_past_blanks() == ",":
            return self._fail(_TWO_KEYS)
        return super()._at_separator()

    def _end_object(self) -> Progress:
        self._is_repaired |= self._has_members and self._phase == "_at_key"  # behind a comma
        self._scanner.pos += 1
        if self._is_inner:
            self._is_inner, self._has_members = False, True
            self._phase = "_at_separator"
            return GO_ON
        if self._name is None:
            return self._fail(_NO_NAME)
        if self._has_others and not self._is_shown:  # so its arguments are called something else
            self._problem = self._problem or f'{_NO_ARGUMENTS} under the key "{self._keys.arguments[0]}"'
        self._take_held()
        if self._problem:
            return self._end_call("malformed", self._problem)
        return self._end_call(repaired=self._is_repaired)

    # -- names and ids ------------------------------------------------------------------------------------------------

    def _take_string(self, text: str) -> Progress:
        text = _decode(text)
        if self._key in self._keys.all_names:
            self._take_name(text)
        elif not self._is_started:
            self._call_id = text or None
        elif self._call_id is None:
            self._late_id = text or None
        return GO_ON

    def _take_name(self, name: str) -> None:
        if self._name is not None:
            self._problem = self._problem if name == self._name else _TWO_NAMES
        elif name:
            self._begin_call(name)
            if self._arguments >= 0:
                self._show_early()

    # -- other values -------------------------------------------------------------------------------------------------

    def _note_other(self) -> None:
        key, keys = self._key, self._keys
        if key in keys.arguments:
            self._problem = _TWICE
        elif key not in keys.all_names and key not in keys.ids and key not in keys.others:
            self._has_others = True

    def _pass_value(self) -> None:
        self._reader = JsonReader(self._ends.ends)
        self._phase = "_in_other"

    def _show_value(self, *, is_trusted: bool = False) -> None:
        self._take_held()
        self._is_shown = True
        ends = self._ends
        reader = JsonReader(ends.ends) if is_trusted else JsonReader(ends.ends, ends.doubts)
        self._value = ShownValue(self.context, reader)
        self._phase = "_in_shown"

    def _in_shown(self) -> Progress:
        """Arguments behind the name: content as they come."""
        value = self._value
        assert value is not None  # that is what this phase is for
        outcome = value.read()
        if outcome is OPEN:
            return value.wait(self)
        self.context.hold()
        return self._fail() if outcome is BROKEN else self._end_value(value.reader)

    def _in_other(self) -> Progress:
        """A value that is not shown: arguments before the name, or what is no part of the call."""
        scanner, reader = self._scanner, self._reader
        scanner.pos = reader.read(scanner.buf, scanner.pos, scanner.end)
        if reader.is_ended:
            return self._fail()
        if reader.is_done:
            return self._end_value(reader)
        scanner.wait_for(reader)
        return NEED_MORE

    def _end_value(self, reader: JsonReader) -> Progress:
        if reader.is_unclosed:
            self._problem = self._problem or _UNCLOSED
        self._phase = "_at_separator"
        return GO_ON

    # -- what is held -------------------------------------------------------------------------------------------------

    def _take_held(self) -> str:
        """The text that is held, which is not any more."""
        scanner = self._scanner
        if scanner.mark < 0:
            return ""  # it was too much
        text = scanner.held()
        scanner.release()
        return text

    # -- what is no JSON ----------------------------------------------------------------------------------------------

    def _fail(self, why: str | None = None) -> Progress:
        """Show what is held, the object from its beginning or from behind its arguments, and go on from there."""
        self._error = why or _NOT_JSON + EXPECTED.get(self._phase, "it ends too early")
        if not self._is_started:
            self._begin_call(None)
        text = self._take_held()
        closers = self._section.close
        in_list = closers[:1] == ("]",) and len(closers) == 1  # with other closers it is them that end the call
        self._reader = JsonReader(depth=self._depth if self._is_shown else 0, in_list=in_list)
        self._reader.read(text, 0, len(text))
        self._is_shown = True
        self.context.emitter.emit_broken(text)
        self._phase = "_in_broken"
        return GO_ON

    def _in_broken(self) -> Progress:
        scanner, reader = self._scanner, self._reader
        markers = self._calls.broken_ends(self._section, self._ends.next)
        match = markers.pattern.search(scanner.buf, scanner.pos)
        stop = match.start() if match else len(scanner.buf)
        if not reader.is_done:
            self.context.emitter.emit_broken(scanner.take(reader.read(scanner.buf, scanner.pos, stop)))
        is_done = reader.is_done or (reader.may_be_done and scanner.is_finished)
        if is_done or (match and match.lastindex is not None):
            if reader.in_string and not is_done:
                self.context.distrust_rest()
            return self._end_call("malformed", self._error)
        if scanner.pos < len(scanner.buf):
            scanner.wait_for(markers)
            scanner.wait_for(reader)
        elif reader.triggers:
            self.triggers, self.look_closer = reader.triggers + markers.heads, None
        return NEED_MORE

    # -- the end ------------------------------------------------------------------------------------------------------

    def _behind_call(self) -> Progress:
        """Where objects need no markers, the state that tells them from data looks at the next one."""
        if isinstance(self, self._calls.state):
            return super()._behind_call()
        self.context.enter(evolve(self.context.opener, state=self._calls.state))
        return NEED_MORE

    def on_limit(self) -> None:
        """The name or the arguments did not come in time; what is behind them is let go."""
        if self._value is not None and self._value.is_doubtful:
            self._value.trust()
        elif self._is_shown:
            self._take_held()
        else:
            self._fail(_NO_NAME if self._name is None else _NO_ARGUMENTS)

    def finalize(self) -> None:
        """The content is what there is of the arguments; without them and a name, it is all that was held."""
        if self._arguments >= 0 and not self._is_started:
            self._begin_call(None)
            self._show_early()
        if self._value is not None and self._value.is_doubtful:
            self._value.trust()  # what it would have become is not known, so it is content
        elif self._phase not in ("_in_shown", "_in_broken"):
            self._scanner.pos = len(self._scanner.buf)
            if not self._is_started:
                self._fail()
            self._take_held()
        super().finalize()


def _decode(text: str) -> str:
    """What a string says; itself, if it is none that JSON has."""
    decoded = decode_string(text)
    return text if decoded is None else decoded
