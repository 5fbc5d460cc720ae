"""TagLexer: the attributes of an opening tag, read piece by piece.

    <tool name="x" mode='a > b'/>
         ^ reading begins behind the name and ends behind the `>`

Attributes stand after a blank each, as `name="value"` or `name='value'`, blanks allowed around `=`; the other quote,
`>` and line breaks may stand in a value; entities in it are decoded once. Anything else is no tag: an unquoted or
valueless attribute, a repeated one, a blank between `/` and `>`, a tag longer than the limit (or a name, or blanks
around `=`, of over 256 characters). That is said at the very character that makes it certain, so text that merely
looks like a tag is not held any longer.

Whole attributes, and values as they come, are read once; only what may still become an attribute is looked at again
with the next chunk, and that is short: O(n).
"""

from __future__ import annotations

import re

from streamparse.core.entities import decode_entities

_B = r"[\ \t\r\n]"
_FEW = _B + "{0,256}+"  # bounded, as the name is: what is cut in here is looked at again with the next chunk
_NAME = r"[A-Za-z_:][A-Za-z0-9_:.-]{0,255}+"
#: One step: the tag's end, a whole attribute, one up to its quote, or what may become one of these.
_STEP = re.compile(
    rf"""
    {_B}*+ (/?+) >                                                            # 1  the end
    | {_B}++ (?: ({_NAME}) (?: {_FEW} = {_FEW} (?: "([^"<]*+)" | '([^'<]*+)'  # 2  name  3 4  value
                                                 | (["']) | \Z )             # 5  the quote, if the value is cut
                             | {_B} {_FEW} \Z )
               | {_NAME} \Z )
    | {_B}*+ (/) \Z                                                           # 6  half of `/>`
    | ({_B}++) \Z                                                            # 7  only blanks
    """,
    re.VERBOSE,
)
_END, _NAME_GROUP, _DOUBLE, _SINGLE, _QUOTE, _SLASH, _GAP = range(1, 8)
_CUT_BEHIND_NAME = _NAME_GROUP  # the name is the last group if nothing of a value is there
#: Where a value ends, by its quote; in the second set, a `<` ends the tag.
_VALUE_END = {quote: re.compile(quote) for quote in "\"'"}
_STRICT_VALUE_END = {quote: re.compile(f"[{quote}<]") for quote in "\"'"}


class TagLexer:
    """Reads attributes until the tag `is_done` or `is_failed`.

    Attributes in `required` are found in any case and named as given there. With `allow_angle=False` a `<` in a value
    makes the tag fail: inside a tool's body a forgotten quote must not swallow the tool's closer.
    """

    is_done = False
    is_failed = False
    is_empty = False  # it ends with `/>`
    is_too_long = False

    _value: list[str] | None = None  # pieces of a value that is cut; None between attributes
    _quote = ""
    _name = ""

    def __init__(self, required: tuple[str, ...], budget: int, *, allow_angle: bool = True) -> None:
        self.attributes: dict[str, str] = {}
        self._required = required
        self._budget = budget  # how many characters it may still have
        self._value_end = _VALUE_END if allow_angle else _STRICT_VALUE_END
        self._seen: set[str] = set()

    def read(self, buf: str, pos: int, end: int) -> int:
        """Read on in `buf[pos:end]` and return how far it came; if it neither is done nor has failed, it needs more."""
        stop = min(end, pos + self._budget)
        start = pos
        while pos < stop:
            if self._value is not None:
                pos = self._read_value(buf, pos, stop)
                if self.is_failed:
                    break
                continue
            match = _STEP.match(buf, pos, stop)
            kind = match.lastindex if match else None
            if match is None or (match[_NAME_GROUP] and not self._begin_attribute(match[_NAME_GROUP], kind)):
                self.is_failed = True
            elif kind == _END:
                self.is_empty = bool(match[_END])
                self.is_done = self._has_required()
                self.is_failed = not self.is_done
                pos = match.end()
            elif kind in (_DOUBLE, _SINGLE):
                self.attributes[self._name] = decode_entities(match[kind])
                pos = match.end()
                continue
            elif kind == _QUOTE:
                self._quote = match[_QUOTE]
                self._value = []
                pos = match.end()
                continue
            elif kind == _SLASH:
                self.is_failed = not self._has_required()
            elif kind == _GAP:
                pos = stop - 1  # of many blanks, one is enough
            break
        self._budget -= pos - start
        if stop < end and not self.is_done and not self.is_failed:
            self.is_failed = self.is_too_long = True
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
        self.attributes[self._name] = decode_entities("".join(self._value))
        self._value = None
        return end + 1

    @property
    def holds_tags(self) -> bool:
        """Whether a `<` stands in quotes, of an attribute that is complete or not."""
        return any("<" in value for value in (*self.attributes.values(), *(self._value or ())))

    def _has_required(self) -> bool:
        for name in self._required:  # noqa: SIM110 - a generator costs more than all of this
            if name not in self.attributes:
                return False
        return True

    def _begin_attribute(self, name: str, kind: int | None) -> bool:
        """A name is complete; False if it was there before. One that is cut here will be read again."""
        lowered = name.lower()
        if lowered in self._seen:
            return False
        if kind != _CUT_BEHIND_NAME:
            self._seen.add(lowered)
            self._name = lowered if lowered in self._required else name
        return True
