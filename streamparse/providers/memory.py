"""Memory: what is remembered of a stream from one chunk to the next.

    memory = Memory()
    memory.begin_call(1, "t", "f")          a block begins at index 1, which is a call
    memory.keep(0)["signature"] = "EqQB"    what must go back with the block at index 0
    memory.end_block(1)                     CallEnd("t")
    memory.end_details(0)                   BlockEnd({"signature": "EqQB"}, "reasoning")

`calls` tells which call a delta belongs to, `about` what the stream says of the reply as a whole. The rest is for
blocks that start, grow and stop by their index, for what comes in pieces and must go back, and for sources that are
told again and again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.providers.about import About
from streamparse.providers.call import ProviderCall
from streamparse.providers.deltas import BlockEnd, Delta, Finish, Source
from streamparse.providers.finish import WHOLE_REASONS
from streamparse.providers.json_text import as_json
from streamparse.providers.keys import CallKeys, forget_oldest
from streamparse.providers.responses_output import Output


class Memory:
    """One stream, as far as its chunks have come. Of several alternative replies, that at `choice` is read."""

    def __init__(self, choice: int = 0) -> None:
        self.choice = choice
        self.about = About()
        self.calls = CallKeys()
        #: What must go back with a block, by its place, if it comes in pieces; and whether sources of the whole reply
        #: came.
        self.details: dict[object, dict[str, Any]] = {}
        self.has_sources = False
        #: The field in which reasoning came, until the first call behind it begins: it goes back with that.
        self.reasoning_field = ""
        #: How many characters of text came, where that is needed to tell which of them a block was.
        self.text_size = 0
        #: The items of a response of OpenAI's.
        self.output = Output()
        self._waiting: ProviderCall | None = None
        self._sources: dict[str, None] = {}

    # -- blocks -------------------------------------------------------------------------------------------------------

    def begin_block(self, index: int | str | None) -> list[Delta]:
        """A block begins at `index`, which may come again in the next message of the same stream."""
        self.calls.close(index)
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
        call = self.calls.open(index, call_id)
        call.held = arguments
        call.is_server = is_server
        return settled + call.read(call_id, name, state=state)

    def grow_call(self, index: int | str | None, arguments: object) -> list[Delta]:
        """More arguments of the call whose block is at `index`; nothing if that is no call of ours."""
        call = self.calls.at(index)
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
        call = self.calls.close(index)
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
            self.calls.finish()
        is_cut = any(isinstance(delta, Finish) and delta.reason not in WHOLE_REASONS for delta in finish or ())
        return [] if call is None or is_cut else call.read(arguments={})

    # -- what must go back -------------------------------------------------------------------------------------------

    def keep(self, place: object) -> dict[str, Any]:
        """What is kept of the block at `place`, to be filled in."""
        kept = self.details.setdefault(place, {})
        forget_oldest(self.details)
        return kept

    def end_details(self, place: object, kind: str = "reasoning") -> list[Delta]:
        """The block whose details were kept at `place` has ended; nothing if there is none."""
        details = self.details.pop(place, None)
        return [] if details is None else [BlockEnd(details or None, kind)]

    # -- sources ------------------------------------------------------------------------------------------------------

    def source(self, metadata: Mapping[str, Any]) -> list[Delta]:
        """`Source`, unless the same was told since `forget_sources`."""
        told = as_json(metadata)
        if not metadata or told in self._sources:
            return []
        self._sources[told] = None
        forget_oldest(self._sources)
        return [Source(metadata)]

    def forget_sources(self) -> None:
        """Sources that were told may be told again."""
        self._sources.clear()
