"""How a block begins: Opener is what a format declares, Sought what prose looks for, Opening what the stream said."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from attrs import define, field, frozen

from streamparse.core.markers import CLOSER, Marker, Markers, goes_over_lines
from streamparse.core.stems import ENOUGH_IN_PROSE, compile_stems
from streamparse.events import RESERVED_METADATA

if TYPE_CHECKING:
    from streamparse.core.state import BaseState

_O = TypeVar("_O", bound="Options")

#: What an opener is inside of reasoning: `text`, or something that counts there
#:
#: - `if_asked`: only with `tools_in_reasoning`, and the reasoning goes on behind it;
#: - `ends_implied`: the same; but in reasoning that only the prompt has opened it always counts, and ends it;
#: - `ends`: the same in all reasoning;
#: - `always_ends`: whatever `tools_in_reasoning` says, since it cannot stand inside;
#: - `goes_on`: always, and the reasoning goes on behind it.
#:
#: They are in the order in which they let a call out of reasoning.
InReasoning: TypeAlias = Literal["text", "if_asked", "ends_implied", "ends", "always_ends", "goes_on"]


class Options:
    """What a format tells a state besides its marker: each state that is told anything has a class for it."""

    __slots__ = ()


@frozen(cache_hash=True)
class Opener:
    """A marker that ends prose, and the state that reads on from its first character.

    `options` is whatever that state needs to know of the declaration. Without a state the marker is swallowed: it is
    recognised and never shown.
    """

    marker: Marker
    state: type[BaseState] | None
    format: str = ""
    options: Options | None = None
    in_reasoning: InReasoning = "if_asked"
    #: Whether it is looked for wherever anything is, calls or not: Markdown code, tokens that are never shown.
    is_common: bool = False
    #: Whether it is a closer of reasoning, looked for where none is open: the text before it may have been reasoning.
    is_closer: bool = False
    #: Whether text looks for it in a fenced block of Markdown, too.
    is_in_fences: bool = True
    #: Whether it begins with a special token of the model, which counts behind a stray backtick, too.
    is_token: bool = False
    #: Whether it ends a code span, closed or not: the end of a message is the end of its last line.
    ends_span: bool = False

    def counts_in_reasoning(self, *, has_calls: bool, is_implied: bool) -> bool:
        """Whether reasoning looks for it: where calls count there (`has_calls`), or only the prompt has opened it."""
        what = self.in_reasoning
        is_sure = what in ("ends", "always_ends", "goes_on") or (is_implied and what == "ends_implied")
        return is_sure or (has_calls and what != "text")

    def ends_reasoning(self, *, has_calls: bool, is_implied: bool) -> bool:
        """Whether the reasoning is over where it is found."""
        what = self.in_reasoning
        is_end = what == "ends" or (is_implied and what == "ends_implied")
        return what == "always_ends" or (is_end and not has_calls)

    def get_options(self, kind: type[_O]) -> _O:
        """The options, which the state says are of this class."""
        if not isinstance(self.options, kind):
            raise TypeError(f"{self.state} wants options of {kind.__name__}, not {self.options!r}")
        return self.options


@frozen
class LineOpeners(Options):
    """What a line may begin with: the kinds are openers."""

    markers: Markers


@frozen(eq=False, slots=False)
class Sought:
    """What some prose looks for: the openers that count in it, and what ends the prose itself.

    Code and results that stand in the prose ask here what may count in them: nothing else needs to wait.
    """

    openers: tuple[Opener, ...]
    closers: tuple[Marker, ...] = ()

    @cached_property
    def markers(self) -> Markers:
        """All of it: openers are kinds of their own, closers are CLOSER."""
        openers = {opener: (opener.marker,) for opener in self.openers}
        kinds: dict[Any, tuple[Marker, ...]] = {CLOSER: self.closers, **openers}
        return compile_stems(kinds, ENOUGH_IN_PROSE)

    @cached_property
    def read_ahead(self) -> tuple[Opener, ...]:
        """What counts in a code span that is never closed: special tokens, calls that begin with one, and calls whose
        head may go over the end of the line.
        """
        return tuple(
            opener
            for opener in self.openers
            if opener.is_token or (opener.state is not None and not opener.is_common and goes_over_lines(opener.marker))
        )

    @cached_property
    def never_shown(self) -> tuple[Marker, ...]:
        """What is swallowed wherever it stands: special tokens, the tags of citations."""
        return tuple(dict.fromkeys(opener.marker for opener in self.openers if opener.is_common and not opener.state))


@lru_cache(maxsize=256)
def seek(openers: tuple[Opener, ...], closers: tuple[Marker, ...] = ()) -> Sought:
    """What prose looks for, kept: what code looks for in it is kept with it."""
    return Sought(openers, closers)


@define
class Opening:
    """What opened a block, and what its author wrote in it."""

    tag: str  # the name in the tag, in lower case
    closer: Marker  # what ends the block
    tool_name: str | None = None  # as written; None for a tag of the tool's own name
    attributes: dict[str, str] = field(factory=dict)  # decoded, without the tool's name
    is_empty: bool = False  # `<tag/>`: there is no body and no closer
    format: str = ""
    other_closers: tuple[Marker, ...] = ()  # besides `closer`, where there are several
    is_implied: bool = False  # the prompt has written it, not the reply
    repeated: Marker = ()  # what may stand a second time right behind it, and means nothing there

    @property
    def metadata(self) -> dict[str, Any]:
        """What START shows. What it says of the call itself is not for an attribute to say."""
        metadata: dict[str, Any] = {}
        for name, value in self.attributes.items():
            if name not in RESERVED_METADATA:
                metadata[name] = value
        if self.tool_name is not None:
            metadata["tool_name"] = self.tool_name
        return metadata
