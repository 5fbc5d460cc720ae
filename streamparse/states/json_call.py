"""A call as JSON, with nothing around it: its keys tell it from data.

    {"name": "f", "arguments": {"a": 1}}                    tool_call {"tool_name": "f"}, the object itself
    {"function": {"name": "f", "arguments": "{}"}}          the same
    [{"name": "f", "args": {}}, {"name": "g", "args": {}}]  two of them; the brackets and the comma are swallowed
    {"tool_calls": [{"name": "f", "arguments": {}}]}        one; what is around it is swallowed
    {"name": "Bob", "age": 3}                               text, from the `g` on: no call has such a key

An object is held while all its keys so far are those of a call, with values that fit. It is a call as soon as its name
is known and an arguments key is there (with declared tools: also at its end); it is text at the first thing that fits
no call, with all that is nested in it, until it closes or stops being JSON. In a list every element is judged by
itself.

A call ends at the balancing bracket, whatever stands in between: if that is not JSON, the invocation is malformed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Set

from attrs import field, frozen

from streamparse.core.context import ParserContext
from streamparse.core.json_lexer import JsonBalance, JsonLexer
from streamparse.core.markers import skip_blanks
from streamparse.core.state import PhasedState
from streamparse.events import SegmentType

_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
#: A name or an id is looked at again while it is cut, so it must have an end. No tool has a longer one.
_LONGEST_NAME = 1_024
_VALUE_BEGINS = frozenset('{["-0123456789tfn')


@frozen(eq=False)
class JsonKeys:
    """The keys that calls have, by what their values are."""

    names: Set[str] = frozenset({"name", "tool_name"})
    #: The name, or an object with name and arguments.
    functions: Set[str] = frozenset({"function", "tool"})
    arguments: Set[str] = frozenset({"arguments", "parameters", "args", "input"})
    #: A list of calls.
    lists: Set[str] = frozenset({"tool_calls", "tools"})
    ids: Set[str] = frozenset({"id", "call_id"})
    #: What else may stand in a call, by how its value begins.
    others: dict[str, str] = field(factory=lambda: {"type": '"', "index": "-0123456789"})

    #: Every key a call may have.
    all: Set[str] = field(init=False)

    @all.default
    def _join(self) -> frozenset[str]:
        return frozenset((*self.names, *self.functions, *self.arguments, *self.lists, *self.ids, *self.others))


class JsonCallState(PhasedState):
    """Holds an object until it is known to be a call or text, then streams it; goes on with the next one in a list."""

    segment_type = SegmentType.TOOL_CALL.value

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        assert context.opener is not None
        self._keys: JsonKeys = context.opener.options
        self._format = context.opener.format
        self._closers: list[str] = []  # of the list, and of the object around it, that the calls stand in
        self._has_calls = False
        self._held_from = self._element = 0  # offsets: of what is held, and of the element in it
        self._lexer = JsonLexer()
        self._forget()

    def _forget(self) -> None:
        """Nothing is known of the element."""
        self._name: str | None = None
        self._call_id: str | None = None
        self._has_arguments = False
        self._key = ""
        self._seen: list[set[str]] = []  # the keys of the objects that are open

    # -- elements -----------------------------------------------------------------------------------------------------

    def _begin(self) -> bool:
        scanner = self.context.scanner
        self._hold()
        if scanner.buf[scanner.pos] == "[":
            self._closers = ["]"]
            scanner.pos += 1
        self._phase = JsonCallState._at_element
        return True

    def _hold(self) -> None:
        scanner = self.context.scanner
        self._held_from = scanner.offset
        scanner.hold(limit=scanner.offset + self.context.config.limits.max_held)

    def _at_element(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        scanner = self.context.scanner
        if mark == "{":
            self._element = scanner.offset
            self._forget()
            self._seen = [set()]
            scanner.pos += 1
            self._phase = JsonCallState._at_key
        elif mark in _VALUE_BEGINS:
            self._element = scanner.offset
            self._show_as_text()
        elif mark and not self._has_calls and self._closers[0] == "}":
            self._show_as_text()
        elif mark:
            return self._leave()
        return bool(mark)

    def _leave(self) -> bool:
        """This has stopped being JSON: what is held is unread again, and read as prose."""
        self.context.scanner.rollback()
        self.context.transition_to("text")
        return False

    # -- an object that may be a call ---------------------------------------------------------------------------------

    def _at_key(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        if mark != '"':
            return bool(mark) and self._show_as_text()
        scanner = self.context.scanner
        start = scanner.pos + 1
        end = scanner.buf.find('"', start, scanner.end)
        key = scanner.buf[start : end if end >= 0 else scanner.end]
        possible = self._keys.all - self._seen[-1]
        if end < 0:
            return not any(other.startswith(key) for other in possible) and self._show_as_text()
        if key not in possible:
            return self._show_as_text()
        scanner.pos = end + 1
        self._key = key
        self._seen[-1].add(key)
        self._phase = JsonCallState._at_colon
        return True

    def _at_colon(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        if mark != ":":
            return bool(mark) and self._show_as_text()
        self.context.scanner.pos += 1
        self._phase = JsonCallState._at_value
        if self._key in self._keys.arguments:
            self._has_arguments = True
            if self._name is not None:
                self._begin_call()
        return True

    def _at_value(self) -> bool:
        """A value: does it fit its key?"""
        mark, key, keys = self.context.scanner.peek_past_blanks(), self._key, self._keys
        if not mark:
            return False
        if mark == '"' and (key in keys.names or key in keys.functions):
            self._phase = JsonCallState._in_name
        elif mark == "{" and key in keys.functions and len(self._seen) == 1:
            self.context.scanner.pos += 1
            self._seen.append(set())
            self._phase = JsonCallState._at_key
        elif mark == "[" and key in keys.lists and not self._closers and self._is_blank:
            self.context.scanner.pos += 1
            self._closers = ["}", "]"]
            self._phase = JsonCallState._at_element
        elif mark == '"' and key in keys.ids:
            self._phase = JsonCallState._in_id
        elif key in keys.arguments or mark in keys.others.get(key, ()) or (mark == "n" and key in keys.ids):
            self._lexer = JsonLexer()
            self._phase = JsonCallState._in_value
        else:
            return self._show_as_text()
        return True

    @property
    def _is_blank(self) -> bool:
        """Whether nothing in the object speaks of a call of its own."""
        return len(self._seen) == 1 and self._name is None and not self._has_arguments

    def _in_name(self) -> bool:
        text = self._read_string()
        if text is None:
            return False
        tools = self.context.tools
        if not text or self._name is not None or (tools and text.lower() not in tools):
            return self._show_as_text()
        self._name = text
        self._phase = JsonCallState._at_separator
        if self._has_arguments:
            self._begin_call()
        return True

    def _in_id(self) -> bool:
        text = self._read_string()
        if text is None:
            return False
        self._call_id = text or None
        self._phase = JsonCallState._at_separator
        return True

    def _read_string(self) -> str | None:
        """A short string; None if it is not there yet, and nothing if it is none."""
        scanner = self.context.scanner
        end = min(scanner.end, scanner.pos + _LONGEST_NAME)
        match = _STRING.match(scanner.buf, scanner.pos, end)
        if match is None:
            text = scanner.buf[scanner.pos + 1 : end]
            return None if end == scanner.end and self._may_be_name(text) else ""
        scanner.pos = match.end()
        try:
            return str(json.loads(match[0], strict=False))
        except ValueError:
            return ""

    def _may_be_name(self, beginning: str) -> bool:
        tools = self.context.tools
        if not tools or "\\" in beginning or self._phase is JsonCallState._in_id:
            return True
        return any(name.startswith(beginning.lower()) for name in tools)

    def _in_value(self) -> bool:
        """A value that decides nothing."""
        scanner, lexer = self.context.scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if lexer.is_failed:
            return self._show_as_text()
        self._phase = JsonCallState._at_separator if lexer.is_done else self._phase
        return lexer.is_done

    def _at_separator(self) -> bool:
        mark = self.context.scanner.peek_past_blanks()
        if mark == "," and self._seen:
            self.context.scanner.pos += 1
            self._phase = JsonCallState._at_key
        elif mark == "}":
            self.context.scanner.pos += 1
            self._seen.pop()
            if not self._seen:
                return self._begin_call(is_closed=True) if self._is_call_without_arguments() else self._show_as_text()
        elif mark:
            return self._show_as_text()
        return bool(mark)

    def _is_call_without_arguments(self) -> bool:
        return self._name is not None and bool(self.context.tools)

    # -- a call -------------------------------------------------------------------------------------------------------

    def _begin_call(self, *, is_closed: bool = False) -> bool:
        """It is a call: what is around it is swallowed, what is held of it is content."""
        scanner, emitter = self.context.scanner, self.context.emitter
        content = scanner.held()[self._element - self._held_from :]
        scanner.release()
        metadata = {"tool_name": self._name}
        if self._call_id is not None:
            metadata["call_id"] = self._call_id
        emitter.emit_start(self.segment_type, metadata, self._format)
        emitter.emit_content(content)
        self._has_calls = True
        if is_closed:
            return self._end_call()
        self._balance = JsonBalance(len(self._seen))
        self._phase = JsonCallState._in_call
        return True

    def _in_call(self) -> bool:
        scanner, balance = self.context.scanner, self._balance
        end = balance.read(scanner.buf, scanner.pos, len(scanner.buf))
        self.context.emitter.emit_content(scanner.take(end))
        if balance.is_done:
            return self._end_call()
        self.triggers = balance.triggers
        return False

    def _end_call(self) -> bool:
        self.context.emitter.emit_end()
        return self._end_element()

    def _end_element(self) -> bool:
        if not self._closers:
            self.context.transition_to("text")
            return False
        self._phase = JsonCallState._behind_text
        if self._has_calls:
            self._hold()
            self._phase = JsonCallState._behind_call
        return True

    def _behind_call(self) -> bool:
        """In a list that has calls: what separates them is swallowed, if it is what should stand there."""
        mark = self.context.scanner.peek_past_blanks()
        scanner = self.context.scanner
        if mark == "," and self._closers[-1] == "]":
            scanner.pos += 1
            self._phase = JsonCallState._at_element
        elif mark == self._closers[-1]:
            scanner.pos += 1
            scanner.release()
            self._closers.pop()
            return self._end_element()
        elif mark:
            return self._leave()
        return bool(mark)

    # -- text ---------------------------------------------------------------------------------------------------------

    def _show_as_text(self) -> bool:
        """The element is no call, so it is text. What is before it in the list, too, unless there are calls in it."""
        scanner = self.context.scanner
        scanner.rollback()
        if not self._has_calls and self._closers[:1] == ["}"]:
            self._closers = []  # an object with a list of something else
        elif self._has_calls:
            scanner.pos = self._element - scanner.base
        else:
            self._emit_prose(self._element - scanner.base)
        self._lexer = JsonLexer()
        self._phase = JsonCallState._in_text
        return True

    def _in_text(self) -> bool:
        scanner, lexer = self.context.scanner, self._lexer
        self._emit_prose(lexer.read(scanner.buf, scanner.pos, len(scanner.buf)))
        if lexer.is_failed:
            self.context.transition_to("text")
            return False
        return lexer.is_done and self._end_element()

    def _behind_text(self) -> bool:
        """In a list without calls so far: all is text, but the next element may be one."""
        mark = self._show_blanks()
        if mark == ",":
            self._emit_prose(self.context.scanner.pos + 1)
            self._phase = JsonCallState._before_element
        elif mark:
            self.context.transition_to("text")
            return False
        return bool(mark)

    def _before_element(self) -> bool:
        if not self._show_blanks():
            return False
        self._hold()
        self._phase = JsonCallState._at_element
        return True

    def _show_blanks(self) -> str:
        """Show blanks; the character behind them, or nothing if it is not there yet."""
        scanner = self.context.scanner
        self._emit_prose(skip_blanks(scanner.buf, scanner.pos))
        return scanner.buf[scanner.pos : scanner.pos + 1]

    def _emit_prose(self, end: int) -> None:
        context = self.context
        context.emitter.emit_prose(context.scanner.take(end), context.prose.segment_type)

    # -- the end ------------------------------------------------------------------------------------------------------

    def on_limit(self) -> None:
        """It took too long to tell what this is."""
        self._show_as_text()

    def finalize(self) -> None:
        """A call without its end is truncated; what may have become one is text."""
        scanner = self.context.scanner
        if self._phase is JsonCallState._in_call:
            self.context.emitter.emit_content(scanner.take(len(scanner.buf)))
            self.context.emitter.emit_end("truncated")
        elif scanner.mark >= 0:
            is_between = self._phase in (JsonCallState._behind_call, JsonCallState._at_element)
            scanner.rollback()
            if self._has_calls:
                scanner.pos = len(scanner.buf) if is_between else self._element - scanner.base
        self._emit_prose(len(scanner.buf))
        self.context.transition_to("text")
