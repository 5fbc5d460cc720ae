"""JsonArgumentStream: the arguments of a call as JSON text that only grows, whatever format the call is written in.

    stream = JsonArgumentStream()
    stream.feed({"path": "a.p"})                            '{"path": "a.p'
    stream.feed({"path": "a.py", "lines": [1]})             'y", "lines": [1'
    stream.finish({"path": "a.py", "lines": [1, 2]})        ', 2]}'

It is fed with snapshots, as `partial_arguments` gives them: each is the beginning of the next. What it returns is never
taken back, and all of it together is `json.dumps` of the arguments. A call that was cut off has no end: what was
written of it is not valid JSON, so nobody can take it for a call.

In some formats a model may write an argument twice, and the second counts. If the first is written already, the second
is written behind it, as the model did: whoever reads JSON takes the last. `text` has it once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from attrs import define

_encode = json.JSONEncoder(ensure_ascii=False).encode
_encode_text = json.encoder.encode_basestring
#: Half a character: it cannot be sent as it is.
_SURROGATE = re.compile("[\ud800-\udfff]")
_CLOSERS: dict[type, str] = {str: '"', list: "]", dict: "}"}


@define
class _Open:
    """A value that may grow, and what was written of it: a text, or so many members, the last of which has a name."""

    kind: type[str] | type[list[Any]] | type[dict[str, Any]]
    text: str = ""
    size: int = 0
    name: str | None = None


class JsonArgumentStream:
    """Append-only JSON text of one call's arguments."""

    def __init__(self) -> None:
        self._open: list[_Open] = []  # from the arguments themselves to the last value in them
        self._written: list[str] = []
        self._is_other = False  # whether a snapshot was no continuation: the end will tell
        self._whole: str | None = None  # the text of all arguments, once they are complete

    @property
    def text(self) -> str:
        """All of it so far; that of a complete call has each argument once."""
        return "".join(self._written) if self._whole is None else self._whole

    def feed(self, arguments: Mapping[str, Any]) -> str:
        """The arguments so far; returns what is new of their text."""
        if self._is_other or self._whole is not None:
            return ""
        try:
            more = self._usual(arguments)
            if more is None:
                more = self._unusual(dict(arguments))
        except RecursionError:  # so deep that the end has to tell it all
            self._is_other, more = True, ""
        if more:
            self._written.append(more)
        return more

    def finish(self, arguments: Mapping[str, Any]) -> str:
        """All arguments of a complete call; returns the rest of their text.

        Raises ValueError if an argument was written that is none of these, since it cannot be taken back, and if they
        are nested more deeply than can be written.
        """
        if self._whole is not None:
            return ""
        try:
            written, whole = "".join(self._written), _dump_all(arguments)
            rest = whole[len(written) :] if whole.startswith(written) else self._corrected(written, arguments)
        except RecursionError:
            raise ValueError("the arguments are nested too deeply") from None
        self._whole = whole
        self._open.clear()
        self._written.clear()
        return rest

    def _usual(self, arguments: Mapping[str, Any]) -> str | None:
        """What is new if that is, as mostly, the beginning, more of a text, or one more argument; else None."""
        opened = self._open
        if not opened and not arguments:
            opened.append(_Open(dict))
            return "{"
        if not opened or len(opened) > 2:
            return None
        whole, more = opened[0], ""
        names = list(arguments) if len(arguments) == whole.size + 1 else None
        if names is None and len(arguments) != whole.size:
            return None
        if names is not None and whole.size and names[-2] != whole.name:
            return None
        if len(opened) == 2:
            known, value = opened[1], arguments.get(whole.name or "")
            if known.kind is not str or not isinstance(value, str) or not value.startswith(known.text):
                return None
            if len(value) > len(known.text):
                more, known.text = _dump(value[len(known.text) :])[1:-1], value
        if names is None:
            return more
        text = [more, self._closers(1), ", " if whole.size else "", _dump(names[-1]), ": "]
        del opened[1:]
        whole.size, whole.name = len(names), names[-1]
        self._begin(arguments[names[-1]], text)
        return "".join(text)

    def _unusual(self, arguments: dict[str, Any]) -> str:
        """What is new, whatever that is."""
        text: list[str] = []
        if not self._open:
            self._begin(arguments, text)
        elif self._continues(0, arguments):
            self._grow(0, arguments, text)
        else:
            self._is_other = True
        return "".join(text)

    # -- what is new --------------------------------------------------------------------------------------------------

    def _continues(self, depth: int, value: Any) -> bool:
        """Whether a value is what was written of it, and perhaps more; `finish` compares all of it."""
        if depth == len(self._open):
            return True
        known = self._open[depth]
        if not isinstance(value, known.kind):
            return False
        if isinstance(value, str):
            return value.startswith(known.text)
        if not known.size or len(value) < known.size:
            return not known.size
        name, item = _members(value)[known.size - 1]
        return name == known.name and self._continues(depth + 1, item)

    def _grow(self, depth: int, value: Any, text: list[str]) -> None:
        """Write what is new in a value; the last value in it may go on growing."""
        known = self._open[depth]
        if isinstance(value, str):
            text.append(_dump(value[len(known.text) :])[1:-1])
            known.text = value
            return
        members = _members(value)
        if known.size and depth + 1 < len(self._open):
            self._grow(depth + 1, members[known.size - 1][1], text)
        if known.size < len(members):
            text.append(self._closers(depth + 1))
            del self._open[depth + 1 :]
            self._add(known, members, text)

    def _add(self, known: _Open, members: list[tuple[str | None, Any]], text: list[str]) -> None:
        """Write the members that are new. All but the last are complete, since another follows."""
        for number in range(known.size, len(members)):
            name, item = members[number]
            if number:
                text.append(", ")
            if name is not None:
                text.append(f"{_dump(name)}: ")
            if number + 1 < len(members):
                text.append(_dump(item))
            else:
                known.size, known.name = len(members), name
                self._begin(item, text)

    def _begin(self, value: Any, text: list[str]) -> None:
        """Write a value that was not there before, without its end if it may grow."""
        if isinstance(value, str):
            self._open.append(_Open(str, value))
            text.append(_dump(value)[:-1])
        elif isinstance(value, dict | list):
            known = _Open(dict if isinstance(value, dict) else list)
            self._open.append(known)
            text.append("{" if known.kind is dict else "[")
            self._add(known, _members(value), text)
        else:
            text.append(_dump(value))

    # -- the end ------------------------------------------------------------------------------------------------------

    def _closers(self, depth: int) -> str:
        """What ends the open values from `depth` on."""
        return "".join(_CLOSERS[known.kind] for known in reversed(self._open[depth:]))

    def _corrected(self, written: str, arguments: Mapping[str, Any]) -> str:
        """The rest, with each argument once more that is another than what was written."""
        closers = self._closers(1)
        known: dict[str, Any] = json.loads(f"{written}{closers}}}")
        for name in known:
            if name not in arguments:
                raise ValueError(f"the argument {name} was written, and the call has none of that name")
        changed = {
            name: value for name, value in arguments.items() if name not in known or _dump(known[name]) != _dump(value)
        }
        separator = ", " if known and changed else ""
        return f"{closers}{separator}{_dump(changed)[1:]}"


def _dump(value: Any) -> str:
    """A value as JSON text that can be sent."""
    text = _encode_text(value) if isinstance(value, str) else _encode(value)
    return text if text.isascii() else _SURROGATE.sub(_escape, text)


def _dump_all(arguments: Mapping[str, Any]) -> str:
    """An object as such text. `json` makes an encoder for each object, which takes longer than to write two texts."""
    return f"{{{', '.join([f'{_dump(name)}: {_dump(value)}' for name, value in arguments.items()])}}}"


def _members(value: dict[str, Any] | list[Any]) -> list[tuple[str | None, Any]]:
    """The members of an object, and those of a list without names."""
    return list(value.items()) if isinstance(value, dict) else [(None, item) for item in value]


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
