"""Candidate: an object that may be a call, a wrapper around calls, or data. Its keys tell.

    {"name": "f", "arguments":              CALL: it has a name, and arguments begin
    {"name": "f"}                           CLOSED_CALL, if tools are declared and `f` is one
    {"tool_calls": [                        LIST: of calls, and this is the wrapper around it
    {"execution": {"mode": "parallel", "tools": [       LIST: of the calls of a plan
    {"execution": {"tools": […], "mode": "parallel"     AGAIN: to be read from its beginning, now that its mode is known
    {"name": "Bob", "ag                     TEXT: no call has such a key

It is read member by member while each key is one of a call and each value fits its key. Behind the list of a wrapper or
a plan the members that are left are read in the same way: `is_rest`, until the object is CLOSED.

A step reads what comes next, and leads to another:

    _at_key ── a key ──> _at_colon ── : ──> _at_value ──┬── a name, an id, a mode ──> _in_string ──┐
     ^                                       │          └── any other that fits ────> _in_value ───┤
     ├─────── { of a function or a plan ─────┘                                                     │
     └─────────────────────── , ───────────────── _at_separator <──────────────────────────────────┘
                                                    └ } of a function: the same, in the object around it

What fits no step is the verdict.
"""

from __future__ import annotations

from enum import Enum, auto

from streamparse.arguments.json_strings import STRICT_TEXT, decode_string, end_of
from streamparse.core.context import ParserContext
from streamparse.core.open_plans import MODES
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.lexer import BEHIND_MEMBER, COLON, FIRST_KEY, KEY, VALUE, JsonLexer
from streamparse.families.json.wrappers import Frame, Kind, Wrappers

#: A name or an id stays in the buffer while it is cut, so it must have an end. No tool has a longer one.
_LONGEST_NAME = 1_024
#: What comes next in the JSON, by the step.
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


class Candidate:
    """Reads the object in which the cursor stands, behind its brace."""

    # A candidate may begin at every bracket of a text, so what each of them starts with costs nothing.
    name: str | None = None
    call_id: str | None = None
    _has_arguments = False
    _key = ""
    _looked_at = 0  # the offset up to which a string is known not to end
    _lexer: JsonLexer  # of a value that decides nothing

    def __init__(
        self,
        context: ParserContext,
        keys: JsonKeys,
        wrappers: Wrappers,
        rest: Frame | None = None,
        mode: str | None = None,
    ) -> None:
        """Read an object, or the `rest` of one; the `mode` of its plan may be known already."""
        self._context = context
        self._scanner = context.scanner
        self._keys = keys
        self._has_plan = wrappers.plan_count > 0
        self._may_wrap = self._has_plan or not wrappers.frames  # in a list there are calls, and no wrappers
        self._is_rest = rest is not None
        self._step = "_at_separator" if rest else "_at_key"
        #: The objects that are open: one, or also the one in it that is a function or a plan.
        self.objects = [rest or Frame(_OBJECT, keys.of_step if self._has_plan else keys.of_call)]
        self.mode = mode

    def read(self) -> Verdict:
        """Read on; OPEN if it takes more to tell."""
        verdict: Verdict | None = None
        while verdict is None:
            verdict = getattr(self, self._step)()
        return verdict

    def as_lexer(self, around: str, leaves_objects: int) -> JsonLexer:
        """A lexer for the rest of the text, in the brackets `around` it: nothing is read twice."""
        around += "}" * len(self.objects)
        if self._step == "_in_value":
            self._lexer.put_in(around, leaves_objects)
            return self._lexer
        if self._step == "_at_key":
            return JsonLexer(around, KEY if self.objects[-1].seen else FIRST_KEY, leaves_objects)
        return JsonLexer(around, _LEXER_STEPS[self._step], leaves_objects)

    # -- members ------------------------------------------------------------------------------------------------------

    def _at_key(self) -> Verdict | None:
        scanner, frame = self._scanner, self.objects[-1]
        mark = scanner.peek_past_blanks()
        if mark != '"':
            return TEXT if mark else OPEN
        start, farthest = scanner.pos + 1, scanner.end
        end = scanner.buf.find('"', start, farthest)
        if end < 0:
            may_become = frame.allowed.has_beginning(scanner.buf[start:farthest], frame.seen)
            return OPEN if may_become else TEXT
        key = scanner.buf[start:end]
        if key not in frame.allowed or key in frame.seen:
            return TEXT
        scanner.pos = end + 1
        self._key = key
        frame.seen.add(key)
        self._step = "_at_colon"
        return None

    def _at_colon(self) -> Verdict | None:
        mark = self._scanner.peek_past_blanks()
        if mark != ":":
            return TEXT if mark else OPEN
        self._scanner.pos += 1
        self._step = "_at_value"
        if self._key in self._keys.arguments:
            self._has_arguments = True
            if self.name is not None:
                return CALL
        return None

    def _at_value(self) -> Verdict | None:
        """A value: does it fit its key?"""
        mark, key, keys = self._scanner.peek_past_blanks(), self._key, self._keys
        if not mark:
            return OPEN
        if mark == '"' and key in keys.strings:
            self._step = "_in_string"
            return None
        if mark == "[" and key in keys.lists:
            return self._at_list()
        if mark == "{" and (frame := self._frame_of(key)):
            self._scanner.pos += 1
            self.objects.append(frame)
            self._step = "_at_key"
            return None
        return self._begin_value() if self._fits(mark) else TEXT

    def _frame_of(self, key: str) -> Frame | None:
        """An object as the value of `key`, if that is looked into."""
        if key in self._keys.functions and len(self.objects) == 1:
            return Frame(Kind.FUNCTION, self.objects[0].allowed)
        if key in self._keys.plans and self._is_wrapper:
            return Frame(Kind.PLAN, self._keys.of_plan)
        return None

    def _at_list(self) -> Verdict | None:
        """A list where one of calls should stand."""
        if self.objects[-1].kind is not Kind.PLAN:
            return LIST if self._is_wrapper and not self._has_plan else TEXT
        if self.mode is not None:
            return LIST
        # The mode may come behind it; then all is read again. Not so in a plan in a plan, whose mode must come first:
        # to read all of it twice at every level would be quadratic.
        return TEXT if self._has_plan else self._begin_value()

    @property
    def _is_wrapper(self) -> bool:
        """Whether nothing in the object speaks of a call of its own, nor does it stand in anything but a plan."""
        return self._may_wrap and len(self.objects) == 1 and self.name is None and not self._has_arguments

    def _fits(self, mark: str) -> bool:
        """Whether a value that begins so is one that decides nothing."""
        key, keys = self._key, self._keys
        is_none = mark == "n" and key in keys.ids
        return is_none or key in keys.arguments or mark in keys.others.get(key, "") or mark in keys.places.get(key, "")

    def _begin_value(self) -> Verdict | None:
        self._lexer = JsonLexer()
        self._step = "_in_value"
        return None

    def _in_value(self) -> Verdict | None:
        """A value that decides nothing."""
        scanner, lexer = self._scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if not lexer.is_done:
            return TEXT if lexer.is_failed else OPEN
        self._step = "_at_separator"
        return None

    def _at_separator(self) -> Verdict | None:
        mark = self._scanner.peek_past_blanks()
        if mark == "}":
            return self._at_brace()
        if mark != ",":
            return TEXT if mark else OPEN
        self._scanner.pos += 1
        self._step = "_at_key"
        return None

    def _at_brace(self) -> Verdict | None:
        """The end of the innermost object. A plan that comes to it has no mode, and perhaps a list that was passed."""
        is_inner = len(self.objects) > 1
        if is_inner and self.objects[-1].kind is Kind.PLAN:
            self.mode = "sequential"
            return AGAIN if self._has_list else TEXT
        if not is_inner and not self._is_rest and (self.name is None or not self._context.tools):
            return TEXT
        self._scanner.pos += 1
        if is_inner:
            self.objects.pop()
            return None
        return CLOSED if self._is_rest else CLOSED_CALL

    # -- names, ids and modes -----------------------------------------------------------------------------------------

    def _in_string(self) -> Verdict | None:
        """They are short."""
        scanner = self._scanner
        start = scanner.pos + 1
        farthest = min(scanner.end, start + _LONGEST_NAME)
        end = end_of(STRICT_TEXT, scanner.buf, max(start, self._looked_at - scanner.base), farthest)
        self._looked_at = scanner.base + end
        text = scanner.buf[start:end]
        is_cut = end == farthest or (end == farthest - 1 and scanner.buf[end] == "\\")
        if is_cut and farthest == scanner.end and self._may_become(text):
            return OPEN
        if is_cut or scanner.buf[end] != '"':
            return TEXT
        scanner.pos = end + 1
        self._step = "_at_separator"
        return self._take(decode_string(text) or "")

    def _may_become(self, beginning: str) -> bool:
        """Whether a string that begins so may fit its key."""
        if self._key in self._keys.modes:
            return any(mode.startswith(beginning.lower()) for mode in MODES)
        if not self._context.tools or "\\" in beginning or self._key in self._keys.ids:
            return True
        return self._context.tools.has_beginning(beginning)

    def _take(self, text: str) -> Verdict | None:
        if self._key in self._keys.ids:
            self.call_id = text or None
            return None
        return self._set_mode(text.lower()) if self._key in self._keys.modes else self._set_name(text)

    def _set_name(self, name: str) -> Verdict | None:
        tools = self._context.tools
        if not name or self.name is not None or (tools and name.lower() not in tools):
            return TEXT
        self.name = name
        return CALL if self._has_arguments else None

    def _set_mode(self, mode: str) -> Verdict | None:
        if mode not in MODES:
            return TEXT
        self.mode = mode
        return AGAIN if self._has_list and not self._is_rest else None

    @property
    def _has_list(self) -> bool:
        """Whether the calls of the plan came before its mode: they are held, and not read as calls."""
        return not self.objects[-1].seen.isdisjoint(self._keys.lists)
