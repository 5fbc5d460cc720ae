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

from collections.abc import Mapping
from typing import Any

from streamparse.providers.about import About
from streamparse.providers.call import Call, dumped
from streamparse.providers.deltas import BlockEnd, Delta, Finish, Source
from streamparse.providers.finish import WHOLE_REASONS

_MAX_INDEX = 1 << 63
#: Calls that may still be spoken of: no reply has more at a time.
_MAX_KNOWN = 1_024


class CallKeys:
    """The calls of one stream, by what the wire calls them.

    `about` is what the stream says of the reply as a whole; of several alternative replies, that at `choice` is read.
    """

    def __init__(self, choice: int = 0) -> None:
        self.choice = choice
        self.about = About()
        #: What must go back with a block, by its place, if it comes in pieces; and whether sources of the whole reply
        #: came.
        self.details: dict[object, dict[str, Any]] = {}
        self.has_sources = False
        #: The items of the output, as far as `openai_responses.py` knows them.
        self.output: Any = None
        self._by_id: dict[str, Call] = {}
        self._by_index: dict[int | str, Call] = {}
        self._current: Call | None = None
        self._counts: dict[str, int] = {}
        self._is_finished = False
        self._waiting: Call | None = None
        self._sources: dict[str, None] = {}

    def find(self, index: int | str | None, call_id: str = "", name: str = "", arguments: object = None) -> Call:
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

    def open(self, index: int | str | None, call_id: str = "", is_named: bool = True) -> Call:
        """A new call, where the wire says that one begins, as a rule with its whole name. It is found `at(index)`."""
        call = self._place(self._new(index, call_id), index, call_id)
        call.is_named = is_named
        return call

    def at(self, index: int | str | None) -> Call | None:
        """The call that was opened last at `index`, until it is closed."""
        return None if index is None else self._by_index.get(index)

    def close(self, index: int | str | None) -> Call | None:
        """The call at `index`, which is free from now on."""
        return None if index is None else self._by_index.pop(index, None)

    def begin_block(self, index: int | str | None) -> list[Delta]:
        """A block begins at `index`, which may come again in the next message of the same stream."""
        self.close(index)
        return self.settle()

    def begin_call(
        self,
        index: int | str | None,
        call_id: str,
        name: str,
        arguments: object = None,
        state: Mapping[str, Any] | None = None,
        is_server: bool = False,
    ) -> list[Delta]:
        """A block begins that is a call, perhaps one that the provider runs.

        Its `arguments` are empty as a rule, with pieces to come. Servers that send no pieces put all of them here.
        """
        settled = self.begin_block(index)
        call = self.open(index, call_id)
        call.held = arguments
        call.is_server = is_server
        return settled + call.read(call_id, name, state=state)

    def name_of(self, call_id: str) -> str:
        """The name of the call with this id; nothing if there was none."""
        call = self._by_id.get(call_id)
        return "" if call is None else call.name

    def source(self, metadata: Mapping[str, Any]) -> list[Delta]:
        """`Source`, unless the same was told since `forget_sources`."""
        told = dumped(metadata)
        if not metadata or told in self._sources:
            return []
        self._sources[told] = None
        forget_oldest(self._sources)
        return [Source(metadata)]

    def forget_sources(self) -> None:
        """Sources that were told may be told again."""
        self._sources.clear()

    def keep(self, place: object) -> dict[str, Any]:
        """What is kept of the block at `place`, to be filled in."""
        kept = self.details.setdefault(place, {})
        forget_oldest(self.details)
        return kept

    def end_details(self, place: object, kind: str = "reasoning") -> list[Delta]:
        """The block whose details were kept at `place` has ended; nothing if there is none."""
        details = self.details.pop(place, None)
        return [] if details is None else [BlockEnd(details or None, kind)]

    def grow_call(self, index: int | str | None, arguments: object) -> list[Delta]:
        """More arguments of the call whose block is at `index`; nothing if that is no call of ours."""
        call = self.at(index)
        if call is None:
            return []
        if isinstance(arguments, str):
            return [call.more(arguments)] if arguments else []
        return call.read(arguments=arguments)

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
            held, call.held = call.held, None
            return call.read(arguments=held) + call.end()
        self._waiting = call
        return []

    def settle(self, finish: list[Delta] | None = None) -> list[Delta]:
        """Something follows the block that stopped: a call that waited has no arguments, unless `finish` is a cut."""
        call, self._waiting = self._waiting, None
        if finish:
            self.finish()
        is_cut = any(isinstance(delta, Finish) and delta.reason not in WHOLE_REASONS for delta in finish or ())
        return [] if call is None or is_cut else call.read(arguments={})

    def finish(self) -> None:
        """The reply has ended: a name that comes now belongs to the next one."""
        self._is_finished = True

    def _place(self, call: Call, index: int | str | None, call_id: str) -> Call:
        if index is not None:
            self._by_index[index] = call
            forget_oldest(self._by_index)
        if call_id:
            self._by_id[call_id] = call
            forget_oldest(self._by_id)
        self._current = call
        return call

    def _new(self, index: int | str | None, call_id: str) -> Call:
        self._is_finished = False
        wanted = call_id or ("call" if index is None else printed(index))
        key = wanted
        while key in self._counts:
            self._counts[wanted] += 1
            key = f"{wanted}#{self._counts[wanted]}"
        self._counts[key] = 1
        forget_oldest(self._counts)
        return Call(key)


def forget_oldest(known: dict[Any, Any]) -> None:
    """Keep no more than can matter: a stream of a million calls must not fill the memory."""
    while len(known) > _MAX_KNOWN:
        del known[next(iter(known))]


def printed(index: int | str) -> str:
    """Python refuses to print integers of thousands of digits; no index is anywhere near."""
    return str(index) if isinstance(index, str) or abs(index) < _MAX_INDEX else "call"
