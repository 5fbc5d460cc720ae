"""TagLexer: the attributes of an opening tag, read piece by piece.

    <tool name="x" mode='a > b'/>
         ^ reading begins behind the name and ends behind the `>`

Attributes stand after a blank each, as `name="value"` or `name='value'`, blanks allowed around `=`; the other quote, `>`
and line breaks may stand in a value; entities in it are decoded once. Anything else is no tag: an unquoted or valueless
attribute, a repeated one, a blank between `/` and `>`, a tag longer than the limit (or a name, or blanks around `=`, of over
256 characters). That is said at the very character that makes it certain, so text that merely looks like a tag is not held any
longer.

Whole attributes, and values as they come, are read once; only what may still become an attribute is looked at again with the
next chunk, and that is short: O(n).
"""

from __future__ import annotations

import re

from streamparse.core.entities import decode_entities

_B = r"[ \t\r\n]"
_FEW = _B + "{0,256}+"  # bounded, as the name is: what is cut in here is looked at again with the next chunk
_NAME = r"[A-Za-z_:][A-Za-z0-9_:.-]{0,255}+"
_ATTRIBUTE = re.compile(rf"""{_B}++({_NAME}){_FEW}={_FEW}(?:"([^"<]*+)"|'([^'<]*+)')""")
_VALUE = re.compile(rf"""{_B}++({_NAME}){_FEW}={_FEW}(["'])""")
_END = re.compile(rf"{_B}*+(/?)>")
#: The tag is cut: in the blanks before an attribute, behind a `/`, in a name, or behind a name that is complete.
_CUT = re.compile(rf"(?:({_B}++)|{_B}*+(/)|{_B}++(?:{_NAME}|({_NAME})(?:{_B}{_FEW}|{_FEW}={_FEW})))\Z")
#: Where a value ends, by its quote; in the second set, a `<` ends the tag.
_VALUE_END = {quote: re.compile(quote) for quote in "\"'"}
_STRICT_VALUE_END = {quote: re.compile(f"[{quote}<]") for quote in "\"'"}


class TagLexer:
    """Reads attributes until the tag `is_done` or `is_failed`.

    Attributes in `required` are found in any case and named as given there. With `allow_angle=False` a `<` in a value
    makes the tag fail: inside a tool's body a forgotten quote must not swallow the tool's closer.
    """

    __slots__ = (
        "_budget",
        "_name",
        "_quote",
        "_required",
        "_seen",
        "_value",
        "_value_end",
        "attributes",
        "is_done",
        "is_empty",
        "is_failed",
    )

    def __init__(self, required: tuple[str, ...], budget: int, *, allow_angle: bool = True) -> None:
        self.attributes: dict[str, str] = {}
        self.is_done = False
        self.is_failed = False
        self.is_empty = False  # it ends with `/>`
        self._required = required
        self._budget = budget  # how many characters it may still have
        self._value_end = _VALUE_END if allow_angle else _STRICT_VALUE_END
        self._seen: set[str] = set()
        self._name = ""
        self._value: list[str] | None = None  # pieces of a value that is cut; None between attributes
        self._quote = ""

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came; if it neither is done nor has failed, it needs more."""
        stop = min(end, pos + self._budget)
        start = pos
        while pos < stop:
            if self._value is not None:
                pos = self._read_value(buf, pos, stop)
            elif match := _ATTRIBUTE.match(buf, pos, stop):
                pos = match.end()
                self._begin_attribute(match[1])
                self._end_attribute(match[2] or match[3] or "")
            elif match := _END.match(buf, pos, stop):
                self.is_done = self._has_required()
                self.is_failed = not self.is_done
                self.is_empty = bool(match[1])
                pos = match.end()
            elif match := _VALUE.match(buf, pos, stop):
                pos = match.end()
                self._begin_attribute(match[1])
                self._quote = match[2]
                self._value = []
            else:
                pos = self._read_cut(buf, pos, stop)
                break
            if self.is_done or self.is_failed:
                break
        self._budget -= pos - start
        if stop < end and not self.is_done:
            self.is_failed = True  # too long
        return pos

    def _read_value(self, buf: str, pos: int, stop: int) -> int:
        """More of a value that was cut, whose pieces are kept."""
        assert self._value is not None
        match = self._value_end[self._quote].search(buf, pos, stop)
        end = match.start() if match else stop
        self._value.append(buf[pos:end])
        if match is None:
            return end
        if match[0] == "<":
            self.is_failed = True
            return end
        self._end_attribute("".join(self._value))
        self._value = None
        return end + 1

    def _read_cut(self, buf: str, pos: int, stop: int) -> int:
        """See whether what is left can be the beginning of an attribute, or of the tag's end."""
        match = _CUT.match(buf, pos, stop)
        if match is None:
            self.is_failed = True
            return pos
        gap, slash, name = match.groups()
        self.is_failed = bool((slash and not self._has_required()) or (name and name.lower() in self._seen))
        return stop - 1 if gap else pos  # of many blanks, one is enough

    def _has_required(self) -> bool:
        for name in self._required:  # noqa: SIM110 - a generator costs more than all of this
            if name not in self.attributes:
                return False
        return True

    def _begin_attribute(self, name: str) -> None:
        lowered = name.lower()
        self._name = lowered if lowered in self._required else name
        self.is_failed = lowered in self._seen
        self._seen.add(lowered)

    def _end_attribute(self, value: str) -> None:
        self.attributes[self._name] = decode_entities(value)
