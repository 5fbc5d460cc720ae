"""ProviderCall: what is known of one call, and which of the things that come for it are news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

from streamparse.families.json.reader import JsonReader
from streamparse.providers.deltas import CallDelta, CallEnd, Delta
from streamparse.providers.json_text import as_text

#: Characters of arguments that wait to be looked at together: that costs less, and memory stays bounded.
_MAX_UNSEEN = 1_024
#: No name is longer; one that comes in pieces for ever must not cost more and more.
_MAX_NAME = 1_024


@define(eq=False)
class ProviderCall:
    """One call. `read` takes what comes for it and gives what is new in that."""

    key: str
    #: Whether a name comes whole: the provider has an event for the beginning of a call.
    is_named: bool = False
    call_id: str | None = None
    name: str = ""
    #: What the provider wants back with it.
    state: dict[str, Any] = field(factory=dict)
    #: Whether the provider runs it.
    is_server: bool = False
    #: Whether anything but blanks came, and how many characters.
    has_arguments: bool = False
    size: int = 0
    is_announced: bool = False
    is_ended: bool = False
    #: Arguments that must wait for the end of the call, as their provider's module wants them.
    held: Any = None
    _unseen: list[str] = field(factory=list)
    _unseen_size: int = 0
    _reader: JsonReader | None = None

    @property
    def is_complete(self) -> bool:
        """Whether nothing can be missing. Not looked at while an id tells calls apart: that would cost time."""
        if self._unseen:
            self._see()
        return self.is_ended or (self._reader is not None and self._reader.is_done)

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

    def read(
        self,
        call_id: str = "",
        name: str = "",
        arguments: object = None,
        raw: bool = False,
        state: Mapping[str, Any] | None = None,
    ) -> list[Delta]:
        """The deltas for whatever came: nothing if it says nothing new. Whole arguments end the call."""
        fresh_id = self._take_id(call_id) if call_id else None
        fresh_name = self._take_name(name) if name else None
        fresh_state = self._take_state(state) if state else None
        whole = arguments if isinstance(arguments, Mapping) else None
        piece = "" if whole is not None else as_text(arguments)
        if not (fresh_id or fresh_name or fresh_state or piece or whole is not None) and self.is_announced:
            return []
        self.is_announced = True
        self.has_arguments = self.has_arguments or whole is not None or not _is_blank(piece)
        self.size += len(piece)
        if piece and self.call_id is None:
            self._watch(piece)
        is_named = fresh_name is not None and (self.is_named or whole is not None)
        delta = CallDelta(self.key, fresh_id, fresh_name, piece, whole, raw, is_named, fresh_state, self.is_server)
        return [delta] if whole is None else [delta, *self.end()]

    def more(self, piece: str, raw: bool = False) -> CallDelta:
        """The next piece of the arguments, not empty, and nothing else, as nearly all deltas of a call are."""
        if not self.has_arguments:
            self.is_announced = True
            self.has_arguments = not _is_blank(piece)
        self.size += len(piece)
        if self.call_id is None:
            self._watch(piece)
        return CallDelta(self.key, None, None, piece, None, raw)

    def grow_name(self, piece: str) -> list[Delta]:
        """A piece of the name where it cannot be the name again; nothing behind arguments."""
        if not piece or self.has_arguments or len(self.name) > _MAX_NAME:
            return []
        self.name += piece
        self.is_announced = True
        return [CallDelta(self.key, name=piece)]

    def end(self) -> list[Delta]:
        """`CallEnd`, once."""
        if self.is_ended:
            return []
        self.is_ended = True
        return [CallEnd(self.key)]

    def _take_id(self, call_id: str) -> str | None:
        """The id if it is news."""
        if self.call_id is not None:
            return None
        self.call_id = call_id
        return call_id

    def _take_name(self, name: str) -> str | None:
        """What `name` adds to the name so far: all, the rest, or None."""
        if name == self.name or (self.name and self.has_arguments):
            return None
        if len(self.name) > _MAX_NAME:
            return None
        fresh = name.removeprefix(self.name)
        self.name += fresh
        return fresh

    def _take_state(self, state: Mapping[str, Any]) -> dict[str, Any] | None:
        """What of it is news: the first value of each name counts."""
        fresh = {name: value for name, value in state.items() if value and name not in self.state}
        self.state |= fresh
        return fresh or None

    def _watch(self, piece: str) -> None:
        """Without an id, the end of the arguments may be all that tells this call from the next."""
        self._unseen.append(piece)
        self._unseen_size += len(piece)
        if self._unseen_size > _MAX_UNSEEN:
            self._see()

    def _see(self) -> None:
        """Look for the end of the arguments' object in what has come since the last time."""
        text = "".join(self._unseen)
        self._unseen.clear()
        self._unseen_size = 0
        start = 0
        if self._reader is None:
            start = text.find("{") + 1
            if not start:
                return
            self._reader = JsonReader(depth=1)
        if not self._reader.is_done:
            self._reader.read(text, start, len(text))


def _is_blank(arguments: object) -> bool:
    return not arguments.strip() if isinstance(arguments, str) else arguments is None
