"""Grammar: what the formats of a parser look for, the same for every stream that is read alike.

A context begins with one and never changes it; streams of several threads share it. Where the format is to be found
out (`auto`), the first call puts another in its place, that of the formats which write calls in that way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from attrs import field, frozen

from streamparse.core.markers import Marker
from streamparse.core.opening import Opener, Opening, Sought, seek

if TYPE_CHECKING:
    from streamparse.core.state import BaseState

_K = TypeVar("_K")
_V = TypeVar("_V")

#: The states a format has for tools, by name in lower case; `""` is the one for any other tool.
ToolStates: TypeAlias = "Mapping[str, type[BaseState]]"

#: How much is kept of what is asked again and again. Formats ask for a few things; a state of someone's own may make
#: up a closer for every block it reads, and what is kept here outlives the stream.
MOST_KEPT = 64


@frozen(eq=False, slots=False)
class Grammar:
    """What is looked for in text, and what the beginnings of lines, of the reply and of the stream are."""

    openers: tuple[Opener, ...]
    tool_states: Mapping[str, ToolStates] = field(factory=dict)
    #: What reads the beginning of a line, if that matters (`code="text"`, calls without markers) …
    line_opener: Opener | None = None
    #: … and that of the reply, if it is not like any other line. Behind reasoning it begins anew.
    reply_opener: Opener | None = None
    #: What the stream begins with, if that is not the reply; and what the prompt has written of it.
    first_opener: Opener | None = None
    first_opening: Opening | None = None
    #: What counts besides, once the format is settled: it is too common to tell by itself. None: it is settled.
    when_settled: Sequence[Opener] | None = None
    #: The formats that count whatever is found out: those named beside `auto`.
    always: tuple[str, ...] = ()
    _prose: dict[tuple[tuple[Marker, ...], bool | None, bool], Sought] = field(factory=dict, init=False, repr=False)
    _settled: dict[tuple[str, object, Marker], Grammar] = field(factory=dict, init=False, repr=False)

    @cached_property
    def text(self) -> Sought:
        """What text looks for that may turn out to have been reasoning."""
        return seek(self.openers)

    @cached_property
    def fenced(self) -> Sought:
        """What such text looks for in a fenced block of Markdown."""
        return seek(tuple(opener for opener in self.openers if opener.is_in_fences))

    @cached_property
    def answer(self) -> Sought:
        """What text looks for that is known to be the answer."""
        return seek(self._in_answer)

    @cached_property
    def _in_answer(self) -> tuple[Opener, ...]:
        return tuple(opener for opener in self.openers if not opener.is_closer)

    def prose(self, closers: tuple[Marker, ...]) -> Sought:
        """What part of an answer looks for that ends with one of `closers`."""
        return self._seek((closers, None, False), self._in_answer)

    def reasoning(self, closers: tuple[Marker, ...], *, has_calls: bool, is_implied: bool) -> Sought:
        """What reasoning looks for that ends with one of `closers`.

        `has_calls`: calls count inside of it; `is_implied`: the prompt has opened it.
        """
        key = closers, has_calls, is_implied
        found = self._prose.get(key)
        if found is not None:
            return found
        openers = [
            opener for opener in self.openers if opener.counts_in_reasoning(has_calls=has_calls, is_implied=is_implied)
        ]
        # Where calls are looked for, those that are only mentioned must be told from them. Tokens are never seen.
        known = set(map(id, openers))  # to compare them would cost more than all the rest
        openers += [o for o in self.openers if o.is_common and (known or not o.state) and id(o) not in known]
        return self._seek(key, tuple(openers))

    def _seek(self, key: tuple[tuple[Marker, ...], bool | None, bool], openers: tuple[Opener, ...]) -> Sought:
        found = self._prose.get(key)
        if found is None:
            found = seek(openers, key[0])
            _keep(self._prose, key, found)
        return found

    def settle(self, format: str, found: Opener) -> Grammar:
        """The grammar when a call of `format` was recognised, to which `found` led.

        That of this format, or of all those that write calls in the same way: which of them it is is not known.
        """
        if format in self.always:
            return self
        key = format, found.state, found.marker
        settled = self._settled.get(key)
        if settled is None:
            alike = {o.format for o in self.openers if o.state is found.state and o.marker == found.marker}
            known = (*self.openers, *(self.when_settled or ()))
            openers = tuple(o for o in known if o.format in (format, "", *alike, *self.always))
            settled = Grammar(openers, self.tool_states, self.line_opener, self.reply_opener)
            _keep(self._settled, key, settled)
        return settled


def _keep(known: dict[_K, _V], key: _K, value: _V) -> None:
    """Remember `value`; when there is too much, all else is forgotten."""
    if len(known) >= MOST_KEPT:
        known.clear()
    known[key] = value
