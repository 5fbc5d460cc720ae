"""JsonLexer: where a JSON value ends, read piece by piece.

    {"a": [1, "}"], "b": null} and more
                              ^ reading ends here, however the text is cut

It says at the very character whether the text has stopped being JSON, which is how prose that merely begins like JSON
is told from data. Values are not built: that is done once, at the end, by `json`. Numbers are taken loosely, as any run
of the characters that numbers have.

Strings, blanks and numbers are jumped over, brackets are kept on a stack: O(n).
"""

from __future__ import annotations

import re

from streamparse.core.markers import skip_blanks

#: The rest of a string up to its quote, up to a character no string has, or up to a backslash that ends the buffer.
_STRING = re.compile(r'[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+')
_NUMBER = re.compile(r"[-+0-9.eE]*+")
_WORDS = {"t": "true", "f": "false", "n": "null"}
#: Deeper than any data; a stack that a model can let grow must have an end.
_DEEPEST = 100_000

#: What comes next.
_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _SEPARATOR, _IN_STRING, _IN_KEY, _IN_NUMBER, _IN_WORD = range(10)


class JsonLexer:
    """Reads one value until it `is_done` or `is_failed`."""

    __slots__ = ("_next", "_stack", "_word", "is_done", "is_failed")

    def __init__(self) -> None:
        self.is_done = False
        self.is_failed = False
        self._next = _VALUE
        self._stack: list[str] = []  # the closers of what is open
        self._word = ""  # what is missing of true, false or null

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came; if it neither is done nor has failed, it needs more.

        If it has failed, the character there cannot be part of JSON.
        """
        while pos < end and not self.is_done and not self.is_failed:
            step = self._next
            if step in (_IN_STRING, _IN_KEY):
                pos = self._read_string(buf, pos, end)
                if pos < end and not self.is_failed and self._next == step:
                    break  # a backslash, and what it escapes is not there yet
            elif step == _IN_NUMBER:
                pos = _match_end(_NUMBER, buf, pos, end)
                if pos < end:
                    self._end_value()
            elif step == _IN_WORD:
                pos = self._read_word(buf, pos, end)
            else:
                pos = skip_blanks(buf, pos, end)
                if pos < end:
                    pos = self._read_mark(buf[pos], pos)
        return pos

    def _read_mark(self, mark: str, pos: int) -> int:
        """One character that is not part of a longer token, or begins one."""
        step = self._next
        if step in (_VALUE, _FIRST_VALUE):
            return self._begin_value(mark, pos)
        if mark == '"' and step in (_KEY, _FIRST_KEY):
            self._next = _IN_KEY
        elif mark == ":" and step == _COLON:
            self._next = _VALUE
        elif mark == "," and step == _SEPARATOR:
            self._next = _KEY if self._stack[-1] == "}" else _VALUE
        elif step in (_SEPARATOR, _FIRST_KEY) and mark == self._stack[-1]:
            self._close()
        else:
            self.is_failed = True
            return pos
        return pos + 1

    def _begin_value(self, mark: str, pos: int) -> int:
        if mark == '"':
            self._next = _IN_STRING
        elif mark in "{[" and len(self._stack) < _DEEPEST:
            self._stack.append("}" if mark == "{" else "]")
            self._next = _FIRST_KEY if mark == "{" else _FIRST_VALUE
        elif mark == "]" and self._next == _FIRST_VALUE:
            self._close()
        elif mark in _WORDS:
            self._word = _WORDS[mark][1:]
            self._next = _IN_WORD
        elif mark in "-0123456789":
            self._next = _IN_NUMBER
        else:
            self.is_failed = True
            return pos
        return pos + 1

    def _read_string(self, buf: str, pos: int, end: int) -> int:
        pos = _match_end(_STRING, buf, pos, end)
        if pos < end and buf[pos] == '"':
            if self._next == _IN_KEY:
                self._next = _COLON
            else:
                self._end_value()
            return pos + 1
        self.is_failed = pos < end and buf[pos] != "\\"
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

    def _close(self) -> None:
        self._stack.pop()
        self._end_value()

    def _end_value(self) -> None:
        self._next = _SEPARATOR
        self.is_done = not self._stack


def _match_end(pattern: re.Pattern[str], buf: str, pos: int, end: int) -> int:
    match = pattern.match(buf, pos, end)
    assert match is not None  # it matches nothing, too
    return match.end()


#: The next character that matters: outside of strings, and up to the end of one or a backslash that ends the buffer.
_OUTSIDE = re.compile(r'["{}\[\]]')
_LOOSE_STRING = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}


class JsonBalance:
    """Finds the bracket that balances what is open; what stands between brackets and strings is not looked at.

    For a call that is certain: its JSON may be broken, and then it still has to end somewhere. So a `}` closes whatever
    lists were left open in its object, and a `]` without its `[` closes nothing.
    """

    __slots__ = ("_in_string", "_is_escaped", "_stack", "is_done")

    def __init__(self, objects: int) -> None:
        self.is_done = False
        self._stack = ["}"] * objects
        self._in_string = False
        self._is_escaped = False  # the last character was a backslash in a string

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""
        if self._is_escaped:
            return None
        return '"\\' if self._in_string else '"{}[]'

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came: behind the balancing bracket, or to the end."""
        while pos < end:
            if self._in_string:
                pos = self._read_string(buf, pos, end)
                continue
            match = _OUTSIDE.search(buf, pos, end)
            if match is None:
                return end
            pos = match.end()
            mark = match[0]
            if mark == '"':
                self._in_string = True
            elif mark in _CLOSERS:
                self._stack.append(_CLOSERS[mark])
            else:
                self._close(mark)
                if self.is_done:
                    return pos
        return pos

    def _read_string(self, buf: str, pos: int, end: int) -> int:
        if self._is_escaped:
            self._is_escaped = False
            return pos + 1
        pos = _match_end(_LOOSE_STRING, buf, pos, end)
        if pos < end:
            self._is_escaped = buf[pos] == "\\"
            self._in_string = self._is_escaped
            pos += 1
        return pos

    def _close(self, mark: str) -> None:
        stack = self._stack
        if mark == "}":
            while stack.pop() != "}":
                pass
        elif stack[-1] == "]":
            stack.pop()
        self.is_done = not stack
