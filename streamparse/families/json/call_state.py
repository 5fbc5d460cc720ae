"""A call as JSON, with nothing around it: its keys tell it from data.

    {"name": "f", "arguments": {"a": 1}}                    tool_call {"tool_name": "f"}, the object itself
    {"function": {"name": "f", "arguments": "{}"}}          the same
    [{"name": "f", "args": {}}, {"name": "g", "args": {}}]  two of them; the brackets and the comma are swallowed
    {"tool_calls": [{"name": "f", "arguments": {}}]}        one; the wrapper around it is swallowed
    {"execution": {"mode": "parallel", "tools": […]}}       a plan: its edges, and the calls between them
    {"name": "Bob", "age": 3}                               text, from the `g` on: no call has such a key

An object is held while all its keys so far are those of a call, with values that fit. It is a call as soon as its name
is known and an arguments key is there (with declared tools: also at its end); it is text at the first thing that fits
no call, with all that is nested in it, until it closes or stops being JSON. In a list every element is judged by
itself. Once there is a call, what separates elements is swallowed, also a comma before the bracket that closes; so are
members behind the list of a wrapper, if they are such as may stand there: ids, a type, an index. Else they are text.

A call ends at the balancing bracket, whatever stands in between: if that is not JSON, the invocation is malformed.
"""

from __future__ import annotations

import json

from streamparse.core.context import ParserContext
from streamparse.core.open_plans import MODES
from streamparse.core.opening import Opener
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.lexer import (
    BEHIND_MEMBER,
    COLON,
    FIRST_ITEM,
    FIRST_KEY,
    KEY,
    VALUE,
    JsonBalance,
    JsonLexer,
    string_end,
)
from streamparse.families.json.plans import JsonPlans

#: A name or an id stays in the buffer while it is cut, so it must have an end. No tool has a longer one.
_LONGEST_NAME = 1_024
_VALUE_BEGINS = frozenset('{["-0123456789tfn')


class JsonCallState(BaseState):
    """Holds an object until it is known to be a call or text, then streams it; goes on with the next one in a list."""

    segment_type = SegmentType.TOOL_CALL.value

    # A candidate may begin at every bracket of a text, so what each of them starts with costs nothing.
    _closers = ""  # of what the calls stand in, the outermost first: nothing, a list, or a wrapper and its list
    _wrapper: set[str]  # its keys
    _plans: JsonPlans | None = None  # that the calls stand in
    _mode: str | None = None  # of the plan whose object is being read
    _has_calls = False
    _held_from = _element = 0  # offsets: of what is held, and of the element in it
    _looked_at = 0  # the offset up to which a string is known not to end
    _lexer: JsonLexer  # of a value in a candidate, or of text
    _balance: JsonBalance  # of a call

    # What is known of the element.
    _name: str | None = None
    _call_id: str | None = None
    _has_arguments = False
    _key: str

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._keys = self._keys_of(context.opener)
        self._format = context.opener.format
        self._allowed = self._keys.of_call
        self._seen: list[set[str]] = []  # the keys of the objects that are open

    def _keys_of(self, opener: Opener) -> JsonKeys:
        """What calls have, as the format declares it."""
        return opener.get_options(JsonKeys)

    # -- elements -----------------------------------------------------------------------------------------------------

    def _begin(self) -> Progress:
        scanner = self.context.scanner
        self._hold()
        if scanner.buf[scanner.pos] == "{":
            self._begin_object()
        else:
            scanner.pos += 1
            self._closers = "]"
            self._phase = "_at_element"
        return GO_ON

    def _hold(self) -> None:
        scanner = self.context.scanner
        self._held_from = scanner.offset
        scanner.hold(limit=self._held_from + self.context.config.limits.max_held)

    def _at_element(self) -> Progress:
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        if mark == "{":
            self._begin_object()
            return GO_ON
        self._element = scanner.offset
        self._seen = []
        if not self._has_calls or mark in _VALUE_BEGINS:
            return self._show_as_text()
        return self._close_list() if mark == "]" else self._leave()

    def _begin_object(self) -> None:
        scanner = self.context.scanner
        self._element = scanner.offset
        self._name = self._call_id = None
        self._has_arguments = False
        self._seen = [set()]
        self._allowed = self._keys.of_step if self._plans else self._keys.of_call
        scanner.pos += 1
        self._phase = "_at_key"

    # -- an object that may be a call ---------------------------------------------------------------------------------

    def _at_key(self) -> Progress:
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if mark != '"':
            return self._show_as_text() if mark else NEED_MORE
        start, farthest, seen = scanner.pos + 1, scanner.end, self._seen[-1]
        end = scanner.buf.find('"', start, farthest)
        if end < 0:
            may_become = self._allowed.has_beginning(scanner.buf[start:farthest], seen)
            return NEED_MORE if may_become else self._show_as_text()
        key = scanner.buf[start:end]
        if key not in self._allowed or key in seen:
            return self._show_as_text()
        scanner.pos = end + 1
        self._key = key
        seen.add(key)
        self._phase = "_at_colon"
        return GO_ON

    def _at_colon(self) -> Progress:
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if mark != ":":
            return self._show_as_text() if mark else NEED_MORE
        scanner.pos += 1
        self._phase = "_at_value"
        if self._key in self._keys.arguments:
            self._has_arguments = True
            if self._name is not None:
                self._begin_call()
        return GO_ON

    def _at_value(self) -> Progress:
        """A value: does it fit its key?"""
        scanner, key, keys = self.context.scanner, self._key, self._keys
        mark = scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        if mark == '"' and (key in keys.names or key in keys.functions or key in keys.ids or key in keys.modes):
            self._phase = "_in_string"
        elif mark == "{" and key in keys.functions and len(self._seen) == 1:
            scanner.pos += 1
            self._seen.append(set())
            self._phase = "_at_key"
        elif mark == "{" and key in keys.plans and self._is_wrapper:
            scanner.pos += 1
            self._seen.append(set())
            self._allowed = keys.of_plan
            self._phase = "_at_key"
        elif mark == "[" and key in keys.lists and self._mode is not None and self._allowed is keys.of_plan:
            self._begin_plan(self._mode)
        elif mark == "[" and key in keys.lists and self._is_wrapper and not self._plans:
            scanner.pos += 1
            self._wrapper = self._seen.pop()
            self._closers = "}]"
            self._phase = "_at_element"
        elif (
            key in keys.arguments
            or mark in keys.others.get(key, ())
            or mark in keys.places.get(key, ())
            or (mark == "n" and key in keys.ids)
            or (mark == "[" and self._allowed is keys.of_plan and not self._plans)
        ):
            self._lexer = JsonLexer()
            self._phase = "_in_value"
        else:
            return self._show_as_text()
        return GO_ON

    @property
    def _is_wrapper(self) -> bool:
        """Whether nothing in the object speaks of a call of its own, nor does it stand in anything but a plan."""
        is_alone = not self._closers or bool(self._plans)
        return len(self._seen) == 1 and self._name is None and not self._has_arguments and is_alone

    def _in_string(self) -> Progress:
        """A name or an id, which are short."""
        scanner = self.context.scanner
        start = scanner.pos + 1
        farthest = min(scanner.end, start + _LONGEST_NAME)
        end = string_end(scanner.buf, max(start, self._looked_at - scanner.base), farthest)
        self._looked_at = scanner.base + end
        text = scanner.buf[start:end]
        is_cut = end == farthest or (end == farthest - 1 and scanner.buf[end] == "\\")
        if is_cut and farthest == scanner.end and self._may_be_name(text):
            return NEED_MORE
        if is_cut or scanner.buf[end] != '"':
            return self._show_as_text()
        scanner.pos = end + 1
        self._phase = "_at_separator"
        text = _decode(text)
        if self._key in self._keys.ids:
            self._call_id = text or None
            return GO_ON
        return self._set_mode(text.lower()) if self._key in self._keys.modes else self._set_name(text)

    def _may_be_name(self, beginning: str) -> bool:
        context = self.context
        if self._key in self._keys.modes:
            return any(mode.startswith(beginning.lower()) for mode in MODES)
        if not context.tools or "\\" in beginning or self._key in self._keys.ids:
            return True
        return context.has_tool_beginning(beginning)

    def _set_name(self, name: str) -> Progress:
        tools = self.context.tools
        if not name or self._name is not None or (tools and name.lower() not in tools):
            return self._show_as_text()
        self._name = name
        if self._has_arguments:
            self._begin_call()
        return GO_ON

    def _set_mode(self, mode: str) -> Progress:
        if mode not in MODES:
            return self._show_as_text()
        if len(self._seen) > 1 and self._has_list:
            return self._read_again(mode)
        self._mode = mode
        return GO_ON

    @property
    def _has_list(self) -> bool:
        """Whether the calls of the plan came before its mode: they are held, and not read as calls.

        Not so in a plan in a plan, whose mode must come first: to read all of it twice at every level would be
        quadratic.
        """
        return self._allowed is self._keys.of_plan and not self._seen[-1].isdisjoint(self._keys.lists)

    def _read_again(self, mode: str) -> Progress:
        """The mode of a plan is known now, or that it has none: read the object from its beginning."""
        scanner = self.context.scanner
        scanner.rollback()
        self._hold()
        scanner.pos = self._element - scanner.base
        self._looked_at = 0
        self._mode = mode
        self._begin_object()
        return GO_ON

    def _begin_plan(self, mode: str) -> None:
        """The list of a plan's calls begins; it is a plan when there is one."""
        self.context.scanner.pos += 1
        self._mode = None
        self._wrapper = self._seen[0]
        self._closers += "}}"
        self._plans = self._plans or JsonPlans(self.context.plans, self._format)
        self._plans.open(mode, len(self._closers))
        self._closers += "]"
        self._seen = []
        self._phase = "_at_element"

    def _in_value(self) -> Progress:
        """A value that decides nothing."""
        scanner, lexer = self.context.scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if lexer.is_failed:
            return self._show_as_text()
        if lexer.is_done:
            self._phase = "_at_separator"
        return GO_ON if lexer.is_done else NEED_MORE

    def _at_separator(self) -> Progress:
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if mark == ",":
            scanner.pos += 1
            self._phase = "_at_key"
        elif mark == "}" and len(self._seen) > 1 and self._allowed is self._keys.of_plan:
            return self._read_again("sequential") if self._has_list else self._show_as_text()
        elif mark == "}" and len(self._seen) > 1:
            scanner.pos += 1
            self._seen.pop()
        elif mark == "}" and self._allowed in (self._keys.of_wrapper, self._keys.of_plan):
            scanner.pos += 1
            scanner.release()
            return self._end_element()
        elif mark == "}" and self._name is not None and self.context.tools:
            scanner.pos += 1
            return self._begin_call(is_closed=True)
        elif mark:
            return self._show_as_text()
        return GO_ON if mark else NEED_MORE

    # -- a call -------------------------------------------------------------------------------------------------------

    def _begin_call(self, *, is_closed: bool = False) -> Progress:
        """It is a call: what is around it is swallowed, what is held of it is content."""
        emitter = self.context.emitter
        self._has_calls = True
        if self._plans:
            self._plans.begin()
        metadata = {"tool_name": self._name}
        if self._call_id is not None:
            metadata["call_id"] = self._call_id
        emitter.emit_start(self.segment_type, metadata, self._format)
        emitter.emit_content(self._take_held())
        if is_closed:
            return self._end_call()
        self._balance = JsonBalance(len(self._seen))
        self._phase = "_in_call"
        return GO_ON

    def _take_held(self) -> str:
        """What is held, up to the cursor. Once there are calls, what stands before the element is swallowed."""
        scanner = self.context.scanner
        text = scanner.held()
        scanner.release()
        return text[self._element - self._held_from :] if self._has_calls else text

    def _in_call(self) -> Progress:
        scanner, balance = self.context.scanner, self._balance
        end = balance.read(scanner.buf, scanner.pos, len(scanner.buf))
        self.context.emitter.emit_content(scanner.take(end))
        if balance.is_done:
            return self._end_call()
        self.triggers = balance.triggers
        return NEED_MORE

    def _end_call(self) -> Progress:
        self.context.emitter.emit_end()
        return self._end_element()

    def _end_element(self) -> Progress:
        if self._plans:
            self._plans.close(len(self._closers))
        if not self._closers:
            self.context.transition_to("text")
            return NEED_MORE
        self._hold()
        self._phase = "_behind_call"
        return GO_ON

    def _behind_call(self) -> Progress:
        """In a list that has calls: what separates them is swallowed, if it is what should stand there."""
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if mark == "," and self._closers[-1] == "]":
            scanner.pos += 1
            self._phase = "_at_element"
        elif mark == ",":
            self._begin_rest()
        elif mark == self._closers[-1]:
            return self._close_list()
        elif mark:
            return self._leave()
        return GO_ON if mark else NEED_MORE

    def _drop_plans(self) -> None:
        if self._plans:
            self._plans.drop()

    def _begin_rest(self) -> None:
        """Behind the list of a wrapper or a plan: members that could have stood before it are swallowed, too."""
        is_plan = self._plans is not None and self._plans.ends_at(len(self._closers))
        self._element = self._held_from
        self._name, self._has_arguments = None, False
        self._seen = [set() if is_plan else self._wrapper]
        self._allowed = self._keys.of_plan if is_plan else self._keys.of_wrapper
        self._closers = self._closers[:-1]
        self.context.scanner.pos += 1
        self._phase = "_at_key"

    def _close_list(self) -> Progress:
        scanner = self.context.scanner
        scanner.pos += 1
        scanner.release()
        self._closers = self._closers[:-1]
        return self._end_element()

    def _leave(self) -> Progress:
        """This has stopped being JSON: what is held is unread again, and read as prose."""
        self.context.scanner.rollback()
        self._drop_plans()
        self.context.transition_to("text")
        return NEED_MORE

    # -- text ---------------------------------------------------------------------------------------------------------

    def _show_as_text(self) -> Progress:
        """The element is no call, so it is text. What is before it, too, unless there are calls.

        Nothing is read twice: a lexer is set to where the reading has come.
        """
        around, leaves_objects = "}" * len(self._seen), -1
        if not self._has_calls:
            self._plans = None
            around = self._closers + around
            leaves_objects = 1 if self._closers == "]" else -1  # the next element may be a call
        if self._phase == "_in_value":
            self._lexer.put_in(around, leaves_objects)
        else:
            self._lexer = JsonLexer(around, self._step(), leaves_objects)
        scanner = self.context.scanner
        scanner.pos = self._lexer.read(scanner.buf, scanner.pos, len(scanner.buf))
        self._emit_prose(self._take_held())
        self._phase = "_in_text"
        return self._behind_text()

    def _step(self) -> int:
        """What comes next in the JSON, in a phase between two tokens."""
        if self._phase == "_at_key":
            return KEY if self._seen[-1] else FIRST_KEY
        if self._phase == "_at_element":
            return VALUE if self._has_calls else FIRST_ITEM
        return _STEPS[self._phase]

    def _in_text(self) -> Progress:
        scanner = self.context.scanner
        self._emit_prose(scanner.take(self._lexer.read(scanner.buf, scanner.pos, len(scanner.buf))))
        return self._behind_text()

    def _behind_text(self) -> Progress:
        lexer = self._lexer
        if lexer.is_at_object:
            self._hold()
            self._phase = "_at_element"
            return GO_ON
        if lexer.is_done and self._has_calls:
            return self._end_element()
        if lexer.is_done or lexer.is_failed:
            self._drop_plans()
            self.context.transition_to("text")
        else:
            self.triggers = lexer.triggers
        return NEED_MORE

    def _emit_prose(self, text: str) -> None:
        self.context.emitter.emit_prose(text, self.context.prose.segment_type)

    # -- the end ------------------------------------------------------------------------------------------------------

    @property
    def _is_between_calls(self) -> bool:
        return self._has_calls and self._phase in ("_behind_call", "_at_element")

    def on_limit(self) -> None:
        """It took too long to tell what this is."""
        if self._is_between_calls:
            self._leave()
        else:
            self._show_as_text()

    def finalize(self) -> None:
        """A call without its end is truncated; what may have become one is text."""
        scanner = self.context.scanner
        scanner.pos, rest = len(scanner.buf), scanner.buf[scanner.pos :]
        if self._phase == "_in_call":
            self.context.emitter.emit_content(rest)
            self.context.emitter.emit_end("truncated")
        elif self._is_between_calls:
            scanner.release()
        else:
            self._emit_prose(rest if scanner.mark < 0 else self._take_held())
        self._drop_plans()
        self.context.transition_to("text")


#: What comes next in the JSON, by the phase of the state.
_STEPS: dict[str, int] = {
    "_at_colon": COLON,
    "_at_value": VALUE,
    "_in_string": VALUE,
    "_at_separator": BEHIND_MEMBER,
}


def _decode(text: str) -> str:
    """The text of a JSON string, without its quotes; nothing if it is none."""
    try:
        return str(json.loads(f'"{text}"')) if "\\" in text else text
    except ValueError:
        return ""
