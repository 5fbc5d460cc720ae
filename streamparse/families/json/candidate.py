"""Candidate: an object that may be a call, a wrapper around calls, or data. Its keys tell.

    {"name": "f", "arguments":              CALL: it has a name, and arguments begin
    {"name": "f"}                           CLOSED_CALL, if tools are declared and `f` is one
    {"tool_calls": [                        LIST: of calls, and this is the wrapper around it
    {"execution": {"mode": "parallel", "tools": [       LIST: of the calls of a plan
    {"execution": {"tools": […], "mode": "parallel"     AGAIN: to be read from its beginning, now that its mode is known
    {"name": "Bob", "ag                     TEXT: no call has such a key

It is read member by member (`members.py`) while each key is one of a call and each value fits its key: a name, an id
or a mode `_in_string`, a function or a plan as members again, any other that decides nothing `_in_value`.
Behind the list of a wrapper or a plan the members that are left are read in the same way, until the object is CLOSED.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from streamparse.arguments.json_strings import STRICT, decode_string
from streamparse.core.context import ParserContext
from streamparse.core.open_plans import MODES
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.lexer import BEHIND_MEMBER, COLON, FIRST_KEY, KEY, VALUE, JsonLexer
from streamparse.families.json.members import LONGEST, JsonMembers
from streamparse.families.json.wrappers import Frame, Kind, Wrappers

_CUT_TEXT = re.compile(STRICT + r"\\?")
#: What comes next in the JSON, by the phase.
_LEXER_STEPS = {"_at_colon": COLON, "_at_value": VALUE, "_in_string": VALUE, "_at_separator": BEHIND_MEMBER}


class Verdict(Enum):
    """What has come of a candidate."""

    OPEN = auto()  #: more must come to tell
    CALL = auto()  #: a call, and it goes on
    CLOSED_CALL = auto()  #: a call without arguments, which has ended
    LIST = auto()  #: a list of calls begins, at its bracket
    AGAIN = auto()  #: to be read again, with the mode that is known now
    CLOSED = auto()  #: the rest of a wrapper or a plan has ended
    TEXT = auto()  #: data


OPEN, CALL, CLOSED_CALL, LIST, AGAIN, CLOSED, TEXT = Verdict
_OBJECT = Kind.OBJECT  # a member of an enum is no cheap thing to look up


class Candidate(JsonMembers):
    """Reads the object in which the cursor stands, behind its brace."""

    # A candidate may begin at every bracket of a text, so what each of them starts with costs nothing.
    name: str | None = None
    call_id: str | None = None
    _verdict = OPEN
    _has_arguments = False
    _lexer: JsonLexer  # of a value that decides nothing
    _string = re.compile(f'"({STRICT})"')

    def __init__(
        self,
        context: ParserContext,
        keys: JsonKeys,
        wrappers: Wrappers,
        rest: Frame | None = None,
        mode: str | None = None,
    ) -> None:
        """Read an object, or the `rest` of one; the `mode` of its plan may be known already."""
        self._tools = context.tools
        self._scanner = context.scanner
        self._keys = keys
        self._needs_arguments = keys.needs_arguments or not self._tools
        self._has_plan = wrappers.plan_count > 0
        self._may_wrap = self._has_plan or not wrappers.frames  # in a list there are calls, and no wrappers
        self._is_rest = rest is not None
        self._phase = "_at_separator" if rest else "_at_key"
        #: The objects that are open: one, or also the one in it that is a function or a plan.
        self.objects = [rest or Frame(_OBJECT, keys.of_step if self._has_plan else keys.of_call)]
        self.mode = mode

    def read(self) -> Verdict:
        """Read on; OPEN if it takes more to tell."""
        while getattr(self, self._phase)() is GO_ON:
            pass
        return self._verdict

    def _decide(self, verdict: Verdict) -> Progress:
        self._verdict = verdict
        return NEED_MORE

    def _fail(self, why: str | None = None) -> Progress:
        return self._decide(TEXT)

    def as_lexer(self, around: str, leaves_objects: int) -> JsonLexer:
        """A lexer for the rest of the text, in the brackets `around` it: nothing is read twice."""
        around += "}" * len(self.objects)
        if self._phase == "_in_value":
            self._lexer.put_in(around, leaves_objects)
            return self._lexer
        if self._phase == "_at_key":
            return JsonLexer(around, KEY if self.objects[-1].seen else FIRST_KEY, leaves_objects)
        return JsonLexer(around, _LEXER_STEPS[self._phase], leaves_objects)

    # -- members ------------------------------------------------------------------------------------------------------

    def _take_key(self, text: str) -> Progress:
        frame = self.objects[-1]
        if text not in frame.allowed or text in frame.seen:
            self._scanner.pos -= len(text) + 2  # whole members are what a lexer passes fastest
            self._phase = "_at_key"
            return self._decide(TEXT)
        self._key = text
        frame.seen.add(text)
        return GO_ON

    def _behind_colon(self) -> Progress:
        if self._key in self._keys.arguments:
            self._has_arguments = True
            if self.name is not None:
                return self._decide(CALL)
        return GO_ON

    def _begin_value(self, mark: str) -> Progress:
        """A value: does it fit its key?"""
        key, keys = self._key, self._keys
        if mark == '"' and key in keys.strings:
            self._phase = "_in_string"
            return GO_ON
        if mark == "[" and key in keys.lists:
            return self._at_list()
        if mark == "{" and (frame := self._frame_of(key)):
            self._scanner.pos += 1
            self.objects.append(frame)
            self._phase = "_at_key"
            return GO_ON
        return self._pass_value() if self._fits(mark) else self._decide(TEXT)

    def _frame_of(self, key: str) -> Frame | None:
        """An object as the value of `key`, if that is looked into."""
        if key in self._keys.functions and len(self.objects) == 1:
            return Frame(Kind.FUNCTION, self.objects[0].allowed)
        if key in self._keys.plans and self._is_wrapper:
            return Frame(Kind.PLAN, self._keys.of_plan)
        return None

    def _at_list(self) -> Progress:
        """A list where one of calls should stand; there is one in an object."""
        if self._is_rest:
            return self._decide(TEXT)
        if self.objects[-1].kind is not Kind.PLAN:
            return self._decide(LIST if self._is_wrapper and not self._has_plan else TEXT)
        if self.mode is not None:
            return self._decide(LIST)
        # The mode may come behind it; then all is read again. Not so in a plan in a plan, whose mode must come first:
        # to read all of it twice at every level would be quadratic.
        return self._decide(TEXT) if self._has_plan else self._pass_value()

    @property
    def _is_wrapper(self) -> bool:
        """Whether nothing in the object speaks of a call of its own, nor does it stand in anything but a plan."""
        return self._may_wrap and len(self.objects) == 1 and self.name is None and not self._has_arguments

    def _fits(self, mark: str) -> bool:
        """Whether a value that begins so is one that decides nothing."""
        key, keys = self._key, self._keys
        is_none = mark == "n" and key in keys.ids
        return is_none or key in keys.arguments or mark in keys.others.get(key, "") or mark in keys.places.get(key, "")

    def _pass_value(self) -> Progress:
        self._lexer = JsonLexer()
        self._phase = "_in_value"
        return GO_ON

    def _in_value(self) -> Progress:
        """A value that decides nothing."""
        scanner, lexer = self._scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if not lexer.is_done:
            return self._decide(TEXT) if lexer.is_failed else NEED_MORE
        self._phase = "_at_separator"
        return GO_ON

    def _end_object(self) -> Progress:
        """The end of the innermost object. A plan that comes to it has no mode, and perhaps a list that was passed."""
        is_inner = len(self.objects) > 1
        if self._phase == "_at_key":
            return self._decide(TEXT)
        if is_inner and self.objects[-1].kind is Kind.PLAN:
            self.mode = "sequential"
            return self._decide(AGAIN if self._has_list else TEXT)
        if not is_inner and not self._is_rest and (self.name is None or self._needs_arguments):
            return self._decide(TEXT)
        self._scanner.pos += 1
        if is_inner:
            self.objects.pop()
            return GO_ON
        return self._decide(CLOSED if self._is_rest else CLOSED_CALL)

    # -- names, ids and modes -----------------------------------------------------------------------------------------

    def _wait_for_string(self) -> Progress:
        """What cannot become one that fits is data at once."""
        scanner, frame = self._scanner, self.objects[-1]
        # No more than what may be a string: a thousand candidates in one chunk must not each copy the rest of it.
        beginning = scanner.buf[scanner.pos + 1 : min(scanner.end, scanner.pos + LONGEST)]
        if self._phase == "_at_key":
            return NEED_MORE if frame.allowed.has_beginning(beginning, frame.seen) else self._decide(TEXT)
        may_come = _CUT_TEXT.fullmatch(beginning) is not None and self._may_become(beginning)
        return super()._wait_for_string() if may_come else self._decide(TEXT)

    def _may_become(self, beginning: str) -> bool:
        """Whether a string that begins so may fit its key."""
        if self._key in self._keys.modes:
            return any(mode.startswith(beginning.lower()) for mode in MODES)
        if not self._tools or "\\" in beginning or self._key in self._keys.ids:
            return True
        return self._tools.has_beginning(beginning)

    def _take_string(self, text: str) -> Progress:
        text = decode_string(text) or ""
        if self._key in self._keys.ids:
            self.call_id = text or None
            return GO_ON
        return self._set_mode(text.lower()) if self._key in self._keys.modes else self._set_name(text)

    def _set_name(self, name: str) -> Progress:
        tools = self._tools
        if not name or self.name is not None or (tools and name.lower() not in tools):
            return self._decide(TEXT)
        self.name = name
        return self._decide(CALL) if self._has_arguments else GO_ON

    def _set_mode(self, mode: str) -> Progress:
        if mode not in MODES:
            return self._decide(TEXT)
        self.mode = mode
        return self._decide(AGAIN) if self._has_list and not self._is_rest else GO_ON

    @property
    def _has_list(self) -> bool:
        """Whether the calls of the plan came before its mode: they are held, and not read as calls."""
        return not self.objects[-1].seen.isdisjoint(self._keys.lists)
