"""JsonLexer: where a JSON value ends, read piece by piece.

    {"a": [1, "}"], "b": null} and more
                              ^ reading ends here, however the text is cut

It says at the very character whether the text has stopped being JSON, which is how prose that merely begins like JSON
is told from data. Values are not built: that is done once, at the end, by `json`. Numbers are taken loosely, as any run
of the characters that numbers have.

What may come next is one of a few steps, and `_GRAMMAR` says which step each character leads to. Strings, blanks and
numbers are jumped over, so are whole members and items while they are flat; brackets are kept on a stack: O(n).
"""

from __future__ import annotations

import re

from streamparse.arguments.json_strings import STRICT, STRICT_TEXT, end_of
from streamparse.core.markers import BLANK_CHARACTERS, skip_blanks

#: What may come next, where the text is between two tokens …
VALUE, ITEM, FIRST_ITEM, KEY, FIRST_KEY, COLON, BEHIND_ITEM, BEHIND_MEMBER = range(8)
#: … in one of them …
_IN_STRING, _IN_KEY, _IN_NUMBER, _IN_WORD = range(8, 12)
#: … and at a bracket, which is no step of its own.
_OPENS_LIST, _OPENS_OBJECT, _CLOSES = range(12, 15)

_OF_VALUE = {
    '"': _IN_STRING,
    "[": _OPENS_LIST,
    "{": _OPENS_OBJECT,
    **dict.fromkeys("tfn", _IN_WORD),
    **dict.fromkeys("-0123456789", _IN_NUMBER),
}
#: What a character leads to, for each step between tokens. Any other character is no JSON there.
_GRAMMAR: dict[int, dict[str, int]] = {
    VALUE: _OF_VALUE,
    ITEM: _OF_VALUE,
    FIRST_ITEM: {**_OF_VALUE, "]": _CLOSES},
    KEY: {'"': _IN_KEY},
    FIRST_KEY: {'"': _IN_KEY, "}": _CLOSES},
    COLON: {":": VALUE},
    BEHIND_ITEM: {",": ITEM, "]": _CLOSES},
    BEHIND_MEMBER: {",": KEY, "}": _CLOSES},
}
_BEHIND = {"]": BEHIND_ITEM, "}": BEHIND_MEMBER}
#: Of a bracket that opens: the step behind a value in it, and the first one.
_OPENED = {_OPENS_LIST: (BEHIND_ITEM, FIRST_ITEM), _OPENS_OBJECT: (BEHIND_MEMBER, FIRST_KEY)}
_WORDS = {"t": "rue", "f": "alse", "n": "ull"}
#: Deeper than any data; a stack that a model can let grow must have an end.
_DEEPEST = 100_000

_NUMBER = re.compile(r"[-+0-9.eE]*+")


def _flat_runs() -> dict[int, tuple[re.Pattern[str], int]]:
    """Items or members, each with its comma, that have no brackets in brackets: where, and what comes behind them."""
    blanks, string = r"[ \t\r\n]*+", f'"{STRICT}"'
    scalar = rf"(?:{string}|[-0-9][-+0-9.eE]*+|true|false|null){blanks}"
    member = rf"{string}{blanks}:{blanks}{scalar}"
    flat_list = rf"\[{blanks}(?:{scalar}(?:,{blanks}{scalar})*+)?+\]"
    flat_object = rf"\{{{blanks}(?:{member}(?:,{blanks}{member})*+)?+\}}"
    value = rf"(?:{scalar}|(?:{flat_list}|{flat_object}){blanks}),{blanks}"
    items = re.compile(rf"(?:{value})++"), ITEM
    members = re.compile(rf"(?:{string}{blanks}:{blanks}{value})++"), KEY
    return {ITEM: items, FIRST_ITEM: items, KEY: members, FIRST_KEY: members}


_RUNS = _flat_runs()
#: From this length on, a look for a run is worth its price.
_LONG = 64
#: The characters that matter in a string: those that may end it, rightly or not.
_IN_STRING_TRIGGERS = '"\\' + "".join(map(chr, range(32)))


class JsonLexer:
    """Reads one value until it `is_done` or `is_failed`.

    It can be set in the middle of one: `around` are the closers of the brackets that are open, the outermost first,
    and `step` is what comes next. At the depth `leaves_objects` an object is left to the caller: `is_at_object`.
    """

    __slots__ = ("_leaves_objects", "_stack", "_step", "_word", "is_at_object", "is_done", "is_failed")

    def __init__(self, around: str = "", step: int = VALUE, leaves_objects: int = -1) -> None:
        self.is_done = False
        self.is_failed = False
        self.is_at_object = False
        self._leaves_objects = leaves_objects
        self._step = step
        self._stack = [_BEHIND[closer] for closer in around]  # for what is open, the step behind a value in it
        self._word = ""  # what is missing of true, false or null

    def put_in(self, around: str, leaves_objects: int = -1) -> None:
        """The value that is being read stands in these brackets: it is not done before they have closed, too."""
        self._stack[:0] = [_BEHIND[closer] for closer in around]
        self._leaves_objects = leaves_objects

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""
        return _IN_STRING_TRIGGERS if self._step in (_IN_STRING, _IN_KEY) else None

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came; if it neither is done nor has failed, it needs more.

        If it has failed, the character there cannot be part of JSON.
        """
        # Data comes in small chunks, and prose may be full of it: so this is one loop, and its state is at hand.
        step, stack = self._step, self._stack
        while pos < end and not self.is_done:
            if step >= _IN_STRING:
                if step <= _IN_KEY:  # mostly it is plain, which takes no pattern to tell
                    quote = buf.find('"', pos, end)
                    text = buf[pos : end if quote < 0 else quote]
                    if text.isprintable() and "\\" not in text:
                        pos = end if quote < 0 else quote + 1
                        if quote < 0:
                            break
                        if step == _IN_KEY:
                            step = COLON
                        elif stack:
                            step = stack[-1]
                        else:
                            self.is_done = True
                        continue
                self._step = step
                pos = self._read_token(buf, pos, end)
                if self._step == step:
                    break  # it goes on behind the end, or it has failed
                step = self._step
                continue
            if end - pos >= _LONG and step in _RUNS and len(stack) != self._leaves_objects:
                pattern, behind = _RUNS[step]
                match = pattern.match(buf, pos, end)
                if match is not None:
                    pos, step = match.end(), behind
                    continue
            mark = buf[pos]
            follows = _GRAMMAR[step].get(mark)
            if follows is None:
                if mark not in BLANK_CHARACTERS:
                    self.is_failed = True
                    break
                pos += 1  # mostly there is one
                if pos < end and buf[pos] in BLANK_CHARACTERS:
                    pos = skip_blanks(buf, pos, end)
                continue
            if follows < _OPENS_LIST:
                step = follows
                if follows == _IN_WORD:
                    self._word = _WORDS[mark]
            elif follows == _CLOSES:
                stack.pop()
                if stack:
                    step = stack[-1]
                else:
                    self.is_done = True
            elif follows == _OPENS_OBJECT and len(stack) == self._leaves_objects:
                self.is_at_object = True
                break
            elif len(stack) >= _DEEPEST:
                self.is_failed = True
                break
            else:
                behind, step = _OPENED[follows]
                stack.append(behind)
            pos += 1
        self._step = step
        return pos

    def _read_token(self, buf: str, pos: int, end: int) -> int:
        if self._step == _IN_WORD:
            return self._read_word(buf, pos, end)
        if self._step == _IN_NUMBER:
            pos = end_of(_NUMBER, buf, pos, end)
            if pos < end:
                self._end_value()
            return pos
        pos = end_of(STRICT_TEXT, buf, pos, end)
        if pos == end:
            return pos
        if buf[pos] == '"':
            if self._step == _IN_KEY:
                self._step = COLON
            else:
                self._end_value()
            return pos + 1
        if buf[pos] != "\\":
            self.is_failed = True
        elif pos + 1 < end:  # it escapes what no string has
            self.is_failed = True
            return pos + 1
        return pos

    def _read_word(self, buf: str, pos: int, end: int) -> int:
        length = min(len(self._word), end - pos)
        if buf[pos : pos + length] != self._word[:length]:
            while buf[pos] == self._word[0]:
                pos, self._word = pos + 1, self._word[1:]
            self.is_failed = True
            return pos
        self._word = self._word[length:]
        if not self._word:
            self._end_value()
        return pos + length

    def _end_value(self) -> None:
        if self._stack:
            self._step = self._stack[-1]
        else:
            self.is_done = True
