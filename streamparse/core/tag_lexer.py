"""TagLexer: the attributes of an opening tag, read piece by piece.

    <tool name="x" mode='a > b'/>
         ^ reading begins behind the name and ends behind the `>`

Attributes stand after a blank each, as `name="value"` or `name='value'`, blanks allowed around `=`; the other quote, `>`
and line breaks may stand in a value; entities in it are decoded once. Anything else is no tag: an unquoted or valueless
attribute, a repeated one, a blank between `/` and `>`, a tag longer than the limit. That is said at the very character
that makes it certain, so text that merely looks like a tag is not held any longer.

Each character is looked at once, whatever the chunking: O(n).
"""

from __future__ import annotations

import re

from streamparse.core.entities import decode_entities

_BLANKS = re.compile(r"[ \t\r\n]*+")
_NAME = re.compile(r"[A-Za-z0-9_:.-]*+")
_NAME_START = re.compile(r"[A-Za-z_:]")
# A whole attribute at once, for the usual case that it is all there.
_ATTRIBUTE = re.compile(
    r"""[ \t\r\n]++([A-Za-z_:][A-Za-z0-9_:.-]*+)[ \t\r\n]*+=[ \t\r\n]*+(?:"([^"<]*+)"|'([^'<]*+)')"""
)
#: Where a value may end, by its quote; the second set for tags in whose values no `<` may stand.
_VALUE_END = {quote: re.compile(quote) for quote in "\"'"}
_STRICT_VALUE_END = {quote: re.compile(f"[{quote}<]") for quote in "\"'"}

# What is expected next.
_AFTER_VALUE = "blanks, then `>`, `/` or a name; the name only behind a blank"
_GAP = "the same, and a blank has been read"
_REST_OF_NAME = "more of a name, then a blank or `=`"
_EQUALS = "blanks and `=`"
_QUOTE = "blanks and a quote"
_VALUE = "more of a value, then its quote"
_CLOSE = "`>`, right behind `/`"


class TagLexer:
    """Reads attributes until the tag `is_done` or `is_failed`.

    Attributes in `required` are found in any case and named as given there. With `allow_angle=False` a `<` in a value
    makes the tag fail: inside a tool's body a forgotten quote must not swallow the tool's closer.
    """

    __slots__ = (
        "_budget",
        "_mode",
        "_name",
        "_quote",
        "_required",
        "_seen",
        "_value",
        "_value_end",
        "attributes",
        "first_name",
        "is_done",
        "is_empty",
        "is_failed",
    )

    def __init__(self, required: tuple[str, ...], budget: int, *, allow_angle: bool = True) -> None:
        self.attributes: dict[str, str] = {}
        self.first_name = ""  # of the first attribute, as soon as its `=` is read
        self.is_done = False
        self.is_failed = False
        self.is_empty = False  # it ends with `/>`
        self._required = required
        self._budget = budget
        self._value_end = _VALUE_END if allow_angle else _STRICT_VALUE_END
        self._mode = _AFTER_VALUE
        self._seen: set[str] = set()
        self._name: list[str] = []
        self._value: list[str] = []
        self._quote = ""

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came; if it neither is done nor has failed, it needs more."""
        start = pos
        stop = min(end, pos + self._budget)
        while pos < stop and not (self.is_done or self.is_failed):
            if self._mode is _AFTER_VALUE and (match := _ATTRIBUTE.match(buf, pos, stop)):
                self._name = [match[1]]
                self._value = [match[2] or match[3] or ""]
                self._end_name()
                self._end_value()
                pos = match.end()
            else:
                pos = self._step(buf, pos, stop)
        self._budget -= pos - start
        if not self._budget and pos < end and not self.is_done:
            self.is_failed = True
        return pos

    def _step(self, buf: str, pos: int, stop: int) -> int:
        """Read one piece; a wrong character is left unread."""
        mode = self._mode
        if mode is _VALUE:
            return self._step_value(buf, pos, stop)
        if mode is _REST_OF_NAME:
            return self._step_name(buf, pos, stop)
        if mode is _CLOSE:
            self.is_done = self.is_empty = buf[pos] == ">"
            self.is_failed = not self.is_done
            return pos + 1 if self.is_done else pos
        return self._step_blanks(buf, pos, stop)

    def _step_value(self, buf: str, pos: int, stop: int) -> int:
        match = self._value_end[self._quote].search(buf, pos, stop)
        end = match.start() if match else stop
        self._value.append(buf[pos:end])
        if match is None:
            return stop
        if match[0] != self._quote:
            self.is_failed = True
            return end
        self._end_value()
        return end + 1

    def _step_name(self, buf: str, pos: int, stop: int) -> int:
        match = _NAME.match(buf, pos, stop)
        assert match is not None  # the pattern matches nothing, too
        end = match.end()
        self._name.append(buf[pos:end])
        if end < stop:
            if buf[end] in " \t\r\n=":
                self._end_name()
            else:
                self.is_failed = True
        return end

    def _step_blanks(self, buf: str, pos: int, stop: int) -> int:
        match = _BLANKS.match(buf, pos, stop)
        assert match is not None  # the pattern matches nothing, too
        end = match.end()
        if self._mode is _AFTER_VALUE and end > pos:
            self._mode = _GAP
        if end == stop:
            return end
        if self._take(buf[end]):
            return end + 1
        return end

    def _take(self, character: str) -> bool:
        """What follows the blanks; True if it is read, too."""
        mode = self._mode
        if mode is _EQUALS and character == "=":
            self._mode = _QUOTE
            self.first_name = self.first_name or self._name[0]
            return True
        if mode is _QUOTE and character in "\"'":
            self._mode = _VALUE
            self._quote = character
            self._value = []
            return True
        if mode is _GAP and _NAME_START.match(character):
            self._mode = _REST_OF_NAME
            self._name = []
            return False
        if mode in (_GAP, _AFTER_VALUE) and character in "/>" and self._has_required():
            self._mode = _CLOSE
            self.is_done = character == ">"
            return True
        self.is_failed = True
        return False

    def _has_required(self) -> bool:
        return all(name in self.attributes for name in self._required)

    def _end_name(self) -> None:
        name = "".join(self._name)
        lowered = name.lower()
        self._name = [lowered if lowered in self._required else name]
        self._mode = _EQUALS
        self.is_failed = lowered in self._seen
        self._seen.add(lowered)

    def _end_value(self) -> None:
        self._mode = _AFTER_VALUE
        self.first_name = self.first_name or self._name[0]
        self.attributes[self._name[0]] = decode_entities("".join(self._value))
