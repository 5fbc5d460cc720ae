"""CallKeys: which call a delta belongs to.

Providers say so with an index, an id, both, or neither, and each of them goes wrong somewhere:

    index 0, id a · index 0, id b              two calls: a new id on a used index begins a call
    index 0, id a · index 1, id a              one call: the id wins
    id a · id a · id a                         one call: what is repeated says nothing new
    no index, no id                            the current call
    no id, a name, behind complete arguments   a new call, even of the same name

One `CallKeys` serves one stream. Its calls' keys are the wire's ids where there are any, else its indexes, made unique.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from attrs import define, field

from streamparse.providers.deltas import CallDelta, CallEnd, Delta, Finish

#: What changes the depth of JSON text. A backslash takes the next character with it.
_MARKS = re.compile(r'\\.?|["{}\[\]]', re.DOTALL)

_CUT: tuple[list[Delta], ...] = ([Finish("length")], [Finish("error")])


@define(eq=False)
class Balance:
    """Whether JSON text that comes in pieces has closed its outermost bracket. O(n) over all pieces."""

    is_closed: bool = False
    _depth: int = 0
    _is_quoted: bool = False
    _is_escaped: bool = False

    def feed(self, piece: str) -> None:
        """Take the next piece, cut anywhere."""
        start = 1 if self._is_escaped and piece else 0
        self._is_escaped = self._is_escaped and not piece
        for match in _MARKS.finditer(piece, start):
            mark = match[0]
            if mark[0] == "\\":
                self._is_escaped = len(mark) == 1
            elif mark == '"':
                self._is_quoted = not self._is_quoted
            elif not self._is_quoted:
                self._depth += 1 if mark in "{[" else -1
                self.is_closed = self._depth <= 0


@define(eq=False)
class Call:
    """What is known of one call."""

    key: str
    call_id: str | None = None
    name: str = ""
    has_arguments: bool = False
    is_announced: bool = False
    is_ended: bool = False
    #: Arguments that must wait for the end of the call, as their provider's module wants them.
    held: Any = None
    _balance: Balance = field(factory=Balance)

    @property
    def is_complete(self) -> bool:
        """Whether nothing can be missing. Not looked at while an id tells calls apart: that would cost time."""
        return self.is_ended or self._balance.is_closed

    def may_be_named(self, call_id: str, name: str) -> bool:
        """Whether an id that is new may be this call's, come late."""
        return self.call_id in (None, call_id) and not self.is_complete and (not self.name or name in ("", self.name))

    def is_followed_by(self, name: str, has_index: bool, arguments: object) -> bool:
        """Whether a delta without an id, but in this call's place, begins another call."""
        if not name or not self.name:
            return False
        if name == self.name:
            return self.is_complete and not _is_blank(arguments)
        if self.has_arguments:
            return self.is_complete or self.call_id is not None
        return not has_index  # with an index, it is the rest of a name that was cut

    def take_name(self, name: str) -> str | None:
        """What `name` adds to the name so far: all, the rest, or None."""
        if not name or name == self.name or (self.name and self.has_arguments):
            return None
        fresh = name.removeprefix(self.name)
        self.name += fresh
        return fresh

    def take_id(self, call_id: str) -> str | None:
        """The id if it is news."""
        if not call_id or self.call_id is not None:
            return None
        self.call_id = call_id
        return call_id

    def take_text(self, piece: str) -> str:
        """A piece of the arguments."""
        if piece:
            self.has_arguments = True
            if self.call_id is None:
                self._balance.feed(piece)
        return piece

    def read(self, call_id: str = "", name: str = "", arguments: object = None, raw: bool = False) -> list[Delta]:
        """The deltas for what came: nothing if it says nothing new. Whole arguments end the call."""
        fresh_id, fresh_name = self.take_id(call_id), self.take_name(name)
        if isinstance(arguments, Mapping):
            self.has_arguments = self.is_announced = True
            return [CallDelta(self.key, fresh_id, fresh_name, whole=arguments, raw=raw), *self.end()]
        piece = self.take_text(arguments if isinstance(arguments, str) else dumped(arguments))
        if self.is_announced and not (fresh_id or fresh_name or piece):
            return []
        self.is_announced = True
        return [CallDelta(self.key, fresh_id, fresh_name, piece, raw=raw)]

    def end(self) -> list[Delta]:
        """`CallEnd`, once."""
        if self.is_ended:
            return []
        self.is_ended = True
        return [CallEnd(self.key)]


class CallKeys:
    """The calls of one stream, by what the wire calls them."""

    def __init__(self) -> None:
        self._by_id: dict[str, Call] = {}
        self._by_index: dict[int | str, Call] = {}
        self._current: Call | None = None
        self._counts: dict[str, int] = {}
        self._is_finished = False
        self._waiting: Call | None = None

    def find(self, index: int | str | None, call_id: str, name: str, arguments: object = None) -> Call:
        """The call that a delta with these belongs to, where the wire has no event for the beginning of a call."""
        place = self._current if index is None else self._by_index.get(index)
        if self._is_finished and name:
            call = None
        elif call_id:
            call = self._by_id.get(call_id)
            if call is None and place is not None and place.may_be_named(call_id, name):
                call = place
        else:
            call = None if place is None or place.is_followed_by(name, index is not None, arguments) else place
        return self._place(call or self._new(index, call_id), index, call_id)

    def open(self, index: int | str | None, call_id: str = "") -> Call:
        """A new call, where the wire says that one begins. It is found again `at(index)`."""
        return self._place(self._new(index, call_id), index, call_id)

    def at(self, index: int | str | None) -> Call | None:
        """The call that was opened last at `index`, until it is closed."""
        return None if index is None else self._by_index.get(index)

    def close(self, index: int | str | None) -> Call | None:
        """The call at `index`, which is free from now on."""
        return None if index is None else self._by_index.pop(index, None)

    def end_block(self, index: int | str | None) -> list[Delta]:
        """The block at `index` has stopped, and with it the call.

        A call without any arguments waits for `settle`: a reply that reached its length stops its last block as well,
        before it says so, and then the arguments were cut off and are not empty.
        """
        call = self.close(index)
        if call is None:
            return []
        if call.has_arguments:
            return call.end()
        if call.held:
            return call.read(arguments=call.held) + call.end()
        self._waiting = call
        return []

    def settle(self, finish: list[Delta] | None = None) -> list[Delta]:
        """Something follows the block that stopped: a call that waited has no arguments, unless `finish` is a cut."""
        call, self._waiting = self._waiting, None
        if finish:
            self.finish()
        return [] if call is None or finish in _CUT else call.read(arguments={})

    def finish(self) -> None:
        """The reply has ended: a name that comes now belongs to the next one."""
        self._is_finished = True

    def _place(self, call: Call, index: int | str | None, call_id: str) -> Call:
        if index is not None:
            self._by_index[index] = call
        if call_id:
            self._by_id[call_id] = call
        self._current = call
        return call

    def _new(self, index: int | str | None, call_id: str) -> Call:
        self._is_finished = False
        wanted = call_id or ("call" if index is None else str(index))
        key = wanted
        while key in self._counts:
            self._counts[wanted] += 1
            key = f"{wanted}#{self._counts[wanted]}"
        self._counts[key] = 1
        return Call(key)


def _is_blank(arguments: object) -> bool:
    return not arguments.strip() if isinstance(arguments, str) else arguments is None


def dumped(arguments: object) -> str:
    """Arguments as JSON text, whatever they are: whoever decodes the call says what is wrong. Empty if impossible."""
    if not arguments:
        return ""
    try:
        return json.dumps(arguments, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return ""
