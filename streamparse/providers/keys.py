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

from typing import Any

from streamparse.providers.call import ProviderCall

_MAX_INDEX = 1 << 63
#: Calls that may still be spoken of: no reply has more at a time.
_MAX_KNOWN = 1_024


class CallKeys:
    """The calls of one stream, by what the wire calls them."""

    def __init__(self) -> None:
        self._by_id: dict[str, ProviderCall] = {}
        self._by_index: dict[int | str, ProviderCall] = {}
        self._current: ProviderCall | None = None
        self._counts: dict[str, int] = {}
        self._is_finished = False

    def find(
        self, index: int | str | None, call_id: str = "", name: str = "", arguments: object = None
    ) -> ProviderCall:
        """The call that a delta with these belongs to, where the wire has no event for the beginning of a call."""
        place = self._current if index is None else self._by_index.get(index)
        if place is not None and not call_id and not name:  # as nearly all deltas are
            self._current = place
            return place
        if self._is_finished and name:
            call = None
        elif call_id:
            call = self._by_id.get(call_id)
            if call is None and place is not None and place.may_be_named(call_id, name):
                call = place
        else:
            call = None if place is None or place.is_followed_by(name, index is not None, arguments) else place
        return self._place(call or self._new(index, call_id), index, call_id)

    def open(self, index: int | str | None, call_id: str = "", is_named: bool = True) -> ProviderCall:
        """A new call, where the wire says that one begins, as a rule with its whole name. It is found `at(index)`."""
        call = self._place(self._new(index, call_id), index, call_id)
        call.is_named = is_named
        return call

    def at(self, index: int | str | None) -> ProviderCall | None:
        """The call that was opened last at `index`, until it is closed."""
        return None if index is None else self._by_index.get(index)

    def close(self, index: int | str | None) -> ProviderCall | None:
        """The call at `index`, which is free from now on."""
        return None if index is None else self._by_index.pop(index, None)

    def name_of(self, call_id: str) -> str:
        """The name of the call with this id; nothing if there was none."""
        call = self._by_id.get(call_id)
        return "" if call is None else call.name

    def finish(self) -> None:
        """The reply has ended: a name that comes now belongs to the next one."""
        self._is_finished = True

    def _place(self, call: ProviderCall, index: int | str | None, call_id: str) -> ProviderCall:
        if index is not None:
            self._by_index[index] = call
            forget_oldest(self._by_index)
        if call_id:
            self._by_id[call_id] = call
            forget_oldest(self._by_id)
        self._current = call
        return call

    def _new(self, index: int | str | None, call_id: str) -> ProviderCall:
        self._is_finished = False
        wanted = call_id or ("call" if index is None else printed(index))
        key = wanted
        while key in self._counts:
            self._counts[wanted] += 1
            key = f"{wanted}#{self._counts[wanted]}"
        self._counts[key] = 1
        forget_oldest(self._counts)
        return ProviderCall(key)


def forget_oldest(known: dict[Any, Any]) -> None:
    """Keep no more than can matter: a stream of a million calls must not fill the memory."""
    while len(known) > _MAX_KNOWN:
        del known[next(iter(known))]


def printed(index: int | str) -> str:
    """Python refuses to print integers of thousands of digits; no index is anywhere near."""
    return str(index) if isinstance(index, str) or abs(index) < _MAX_INDEX else "call"
