"""A call as JSON, with nothing around it: its keys tell it from data.

    {"name": "f", "arguments": {"a": 1}}                    tool_call {"tool_name": "f"}, the object itself
    {"function": {"name": "f", "arguments": "{}"}}          the same
    [{"name": "f", "args": {}}, {"name": "g", "args": {}}]  two of them; the brackets and the comma are swallowed
    {"tool_calls": [{"name": "f", "arguments": {}}]}        one; the wrapper around it is swallowed
    {"execution": {"mode": "parallel", "tools": […]}}       a plan: its edges, and the calls between them
    {"name": "Bob", "age": 3}                               text, from the `g` on: no call has such a key

An object is held while all its keys so far are those of a call, with values that fit (`candidate.py`). It is a call as
soon as its name is known and an arguments key is there (with declared tools: also at its end); it is text at the first
thing that fits no call, with all that is nested in it, until it closes or stops being JSON. In a list every element is
judged by itself. Once there is a call, what separates elements is swallowed, also a comma before the bracket that
closes; so are members behind the list of a wrapper, if they are such as may stand there: ids, a type, an index. Else
they are text. What calls stand in is kept in `wrappers.py`.

A call ends at the balancing bracket, or before that of the list it stands in, whatever stands in between: if that is
not JSON, the invocation is malformed.

    _begin ──{──> _in_candidate ──┬── CALL ────> _in_call ─────┐
     └──[──┐       ^   ^          ├── LIST ────> _at_element   │
           v       │   │          └── TEXT ────> _in_text ─────┤
        _at_element┘   └── , behind a list ──┐                 v
           ^                                 │    in nothing: text; in a list or a wrapper:
           └───────── , in a list ──────── _behind_call <──────┘
"""

from __future__ import annotations

from typing import Any

from streamparse.core.context import ParserContext
from streamparse.core.opening import Opener
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.json.candidate import AGAIN, CALL, CLOSED_CALL, LIST, OPEN, TEXT, Candidate
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.lexer import FIRST_ITEM, VALUE, JsonLexer
from streamparse.families.json.reader import JsonReader
from streamparse.families.json.shown import COMPLETE, ShownValue
from streamparse.families.json.wrappers import Kind, Wrappers

_VALUE_BEGINS = frozenset('{["-0123456789tfn')


class JsonCallState(BaseState):
    """Holds an object until it is known to be a call or text, then streams it; goes on with the next one in a list."""

    segment_type = SegmentType.TOOL_CALL.value

    _candidate: Candidate
    _is_rest = False  # the candidate is what is left of a wrapper or a plan
    _has_calls = False
    _element = 0  # the offset of the element in what is held
    _value: ShownValue  # a call
    _lexer: JsonLexer  # of text

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._keys = self._keys_of(context.opener)
        self._format = context.opener.format
        self._wrappers = Wrappers(context.plans, self._format)

    def _keys_of(self, opener: Opener) -> JsonKeys:
        """What calls have, as the format declares it."""
        return opener.get_options(JsonKeys)

    # -- elements -----------------------------------------------------------------------------------------------------

    def _begin(self) -> Progress:
        scanner = self.context.scanner
        self.context.hold()
        if scanner.buf[scanner.pos] == "{":
            self._begin_object()
        else:
            scanner.pos += 1
            self._wrappers.open_list()
            self._phase = "_at_element"
        return GO_ON

    def _at_element(self) -> Progress:
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        if mark == "{":
            self._begin_object()
            return GO_ON
        self._element = scanner.offset
        if not self._has_calls or mark in _VALUE_BEGINS:
            return self._show_as_text()
        return self._close_wrapper() if mark == "]" else self._leave()

    def _begin_object(self, mode: str | None = None) -> None:
        scanner = self.context.scanner
        self._element = scanner.offset
        scanner.pos += 1
        self._candidate = Candidate(self.context, self._keys, self._wrappers, mode=mode)
        self._phase = "_in_candidate"

    def _in_candidate(self) -> Progress:
        verdict = self._candidate.read()
        if verdict is OPEN:
            return NEED_MORE
        if verdict is TEXT:
            return self._show_as_text()
        if verdict is CALL or verdict is CLOSED_CALL:
            return self._begin_call(is_closed=verdict is CLOSED_CALL)
        if verdict is LIST:
            return self._open_list()
        if verdict is AGAIN:
            return self._read_again()
        self.context.scanner.release()
        return self._end_element()

    def _open_list(self) -> Progress:
        candidate = self._candidate
        self.context.scanner.pos += 1
        self._wrappers.open_objects(candidate.objects, candidate.mode or "", self._keys)
        self._phase = "_at_element"
        return GO_ON

    def _read_again(self) -> Progress:
        """The mode of a plan is known now, or that it has none: read the object from its beginning."""
        scanner = self.context.scanner
        scanner.rollback()
        self.context.hold()
        scanner.pos = self._element - scanner.base
        self._begin_object(self._candidate.mode)
        return GO_ON

    # -- a call -------------------------------------------------------------------------------------------------------

    def _begin_call(self, *, is_closed: bool = False) -> Progress:
        """It is a call: what is around it is swallowed, what is held of it is content."""
        emitter, candidate = self.context.emitter, self._candidate
        self._has_calls = True
        self._wrappers.begin_plans()
        metadata: dict[str, Any] = {"tool_name": candidate.name}
        if candidate.call_id is not None:
            metadata["call_id"] = candidate.call_id
        emitter.emit_start(self.segment_type, metadata, self._format)
        emitter.emit_content(self._take_held())
        if is_closed:
            return self._end_call()
        reader = JsonReader(depth=len(candidate.objects), in_list=bool(self._wrappers.frames))
        self._value = ShownValue(self.context, reader)
        self._phase = "_in_call"
        return GO_ON

    def _take_held(self) -> str:
        """What is held, up to the cursor. Once there are calls, what stands before the element is swallowed."""
        scanner = self.context.scanner
        text = scanner.held()
        if self._has_calls:
            text = text[self._element - scanner.settled :]
        scanner.release()
        return text

    def _in_call(self) -> Progress:
        value = self._value
        if value.read() is COMPLETE or (value.reader.may_be_done and self.context.scanner.is_finished):
            return self._end_call()
        return value.wait(self)

    def _end_call(self) -> Progress:
        self.context.emitter.emit_end()
        return self._end_element()

    def _end_element(self) -> Progress:
        """Behind a call, a wrapper, a plan, or text among them."""
        if self._is_rest:
            self._is_rest = False
            self._wrappers.close()
        if not self._wrappers.frames:
            self.context.transition_to("text")
            return NEED_MORE
        self.context.hold()
        self._phase = "_behind_call"
        return GO_ON

    def _behind_call(self) -> Progress:
        """In what has calls: what separates them is swallowed, if it is what should stand there."""
        scanner, frame = self.context.scanner, self._wrappers.frames[-1]
        mark = scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        if mark == frame.closer:
            return self._close_wrapper()
        if mark != ",":
            return self._leave()
        if frame.kind is Kind.LIST:
            scanner.pos += 1
            self._phase = "_at_element"
        else:
            self._begin_rest()
        return GO_ON

    def _begin_rest(self) -> None:
        """Behind the list of a wrapper or a plan: members that could have stood before it are swallowed, too."""
        self._element = self.context.scanner.settled
        self._is_rest = True
        self._candidate = Candidate(self.context, self._keys, self._wrappers, self._wrappers.frames[-1])
        self._phase = "_in_candidate"

    def _close_wrapper(self) -> Progress:
        scanner = self.context.scanner
        scanner.pos += 1
        scanner.release()
        self._wrappers.close()
        return self._end_element()

    def _leave(self) -> Progress:
        """This has stopped being JSON: what is held is unread again, and read as prose."""
        self.context.scanner.rollback()
        self._wrappers.drop()
        self.context.transition_to("text")
        return NEED_MORE

    # -- text ---------------------------------------------------------------------------------------------------------

    def _show_as_text(self) -> Progress:
        """The element is no call, so it is text. What is before it, too, unless there are calls."""
        around, leaves_objects = "", -1
        if not self._has_calls:
            around = self._wrappers.closers
            leaves_objects = 1 if around == "]" else -1  # the next element may be a call
        if self._phase == "_in_candidate":
            self._lexer = self._candidate.as_lexer(around, leaves_objects)
        else:
            self._lexer = JsonLexer(around, VALUE if self._has_calls else FIRST_ITEM, leaves_objects)
        scanner = self.context.scanner
        scanner.pos = self._lexer.read(scanner.buf, scanner.pos, len(scanner.buf))
        self._emit_prose(self._take_held())
        self._phase = "_in_text"
        return self._behind_text()

    def _in_text(self) -> Progress:
        """Data goes on: that there is text, the prose has been told."""
        context, lexer = self.context, self._lexer
        scanner = context.scanner
        buf, pos = scanner.buf, scanner.pos
        end = scanner.pos = lexer.read(buf, pos, len(buf))
        context.emitter.emit_prose(buf[pos:end], context.prose.segment_type)
        return self._behind_text()

    def _behind_text(self) -> Progress:
        lexer = self._lexer
        if not (lexer.is_done or lexer.is_failed or lexer.is_at_object):  # as mostly
            self.triggers, self.look_closer = lexer.triggers, None
            return NEED_MORE
        if lexer.is_at_object:
            self.context.hold()
            self._phase = "_at_element"
            return GO_ON
        if lexer.is_done and self._has_calls:
            return self._end_element()
        self._wrappers.drop()
        self.context.transition_to("text")
        return NEED_MORE

    def _emit_prose(self, text: str) -> None:
        self.context.show(text)

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
        self._wrappers.drop()
        self.context.transition_to("text")
